"""/odds three-card, as people see it in the local Discord."""

from __future__ import annotations

from bot.language.words import percent
from engine.odds.three_card import AnteBonus, PairPlus, TableRules, advice, house_edge
from tests.bot.conftest import Seat
from tests.bot.house import plain


async def test_a_hand_is_shown_with_the_advice_and_its_figures(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(house.channel, "odds three-card", hand="Qs 6h 4d")
    given = advice("Qs 6h 4d")
    assert "Play" in plain(out.text)
    assert "Q♠ 6♥ 4♦" in plain(out.text)
    assert f"{given.expected_value:+.4f}" in plain(out.text)
    for count in (given.outcomes.win, given.outcomes.dealer_not_qualified):
        assert percent(count / given.dealers, 1) in plain(out.text)
    assert out.message is not None
    assert not out.message.attachments
    fold = await house.host.slash(house.channel, "odds three-card", hand="Q♠ 6♥ 3♦")
    assert "Fold" in plain(fold.text)


async def test_seen_cards_change_the_figures(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(
        house.channel, "odds three-card", hand="qs6h4d", seen="Ah Kd 2c", pair_plus="35/25/5/3/1"
    )
    assert f"{advice('Qs 6h 4d', seen='Ah Kd 2c').expected_value:+.4f}" in plain(out.text)


async def test_without_a_hand_the_house_edge_is_told_for_the_chosen_pay_tables(table: Seat) -> None:
    house = await table(1)
    usual = await house.host.slash(house.channel, "odds three-card")
    assert percent(-house_edge().expected_value, 3) in plain(usual.text)
    assert "Q-6-4" in plain(usual.text) or "Q64" in plain(usual.text)
    chosen = await house.host.slash(
        house.channel,
        "odds three-card",
        bonus="1/3/4",
        pair_plus="40/30/5/4/1",
        six_card="500/100/50/25/15/10/5",
    )
    rules = TableRules(bonus=AnteBonus(1, 3, 4), pair_plus=PairPlus(40, 30, 5, 4, 1))
    edge = house_edge(rules=rules)
    assert percent(-edge.expected_value, 3) in plain(chosen.text)
    assert percent(-edge.pair_plus, 3) in plain(chosen.text)
    assert "500/100/50/25/15/10/5" in plain(chosen.text)
    assert chosen.message is not None
    said = [part["content"] for part in chosen.message.components if part["type"] == 10]
    assert sum(map(len, said)) <= 4000


USUAL = {"bonus": "1/4/5", "pair_plus": "40/30/6/4/1", "six_card": "1000/200/50/25/20/10/5"}


async def test_pay_tables_are_suggested_with_what_the_house_keeps(table: Seat) -> None:
    house = await table(1)
    for option, first in USUAL.items():
        found = await house.host.autocomplete(house.channel, "odds three-card", option, "")
        assert found[0]["value"] == first
        assert "the house keeps" in found[0]["name"]
        assert len({one["value"] for one in found}) == len(found)
        for one in found:
            out = await house.host.slash(house.channel, "odds three-card", **{option: one["value"]})
            assert one["value"] in plain(out.text)
        none = await house.host.autocomplete(house.channel, "odds three-card", option, "@x")
        assert none == []


BAD: list[tuple[dict[str, object], str]] = [
    ({"hand": "Qs 6h"}, "2"),
    ({"hand": "Qs Qs 4d"}, "given twice"),
    ({"hand": "Qs 6h 4d", "seen": "Qs"}, "both in your hand"),
    ({"seen": "Qs"}, "three cards"),
    ({"hand": "* 6h 4d"}, "joker"),
    ({"bonus": "1/4"}, "expected 3 pays"),
    ({"pair_plus": "40/30/6/4/x"}, "whole number"),
    ({"six_card": "1/2/3"}, "expected 7 pays"),
    ({"hand": "<@1> @everyone **x**"}, "not a card"),
]


async def test_bad_input_gets_one_sentence_with_an_example(table: Seat) -> None:
    house = await table(1)
    for typed, says in BAD:
        out = await house.host.slash(house.channel, "odds three-card", **typed)
        assert out.message is not None
        assert out.message.ephemeral
        assert says in plain(out.text)
        assert "Example:" in plain(out.text)
        assert "<@1>" not in plain(out.text)
        assert "@everyone" not in plain(out.text)

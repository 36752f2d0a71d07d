"""/odds liars and /odds thai, as people see them in the local Discord."""

from __future__ import annotations

import pytest

from benchmarks.reading import CARD
from bot.discord.odds.asking import MINE, completions
from bot.language.words import percent
from bot.sandbox.driver import Person
from bot.tables import plans
from engine.cards import Cards
from engine.odds import advise, bid_chance
from engine.ruleset import OptionValue
from engine.variants import ruleset
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import whispered
from tests.bot.house import Table, plain

LIARS = ruleset("liars_poker")


def chance(text: str, in_play: int, known: str = "", **options: OptionValue) -> str:
    rules = ruleset("liars_poker", options)
    bid = rules.wording.parse(text)
    return percent(bid_chance(bid, rules.deck, in_play, Cards.parse(known)).probability)


async def at_table(house: Table, person: Person, place: str | None = None) -> Cards:
    """The cards of `person` as the engine dealt them, to compare with."""
    (dealt,) = await house.bot.tables.where_dealt(int(person.id))
    assert dealt.match.round is not None
    seat = dealt.match.seat_of(int(person.id))
    assert seat is not None
    return dealt.match.round.hands[seat]


async def test_the_chance_of_a_bid_is_the_engines(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(
        house.channel, "odds liars", in_play=12, cards="Ah Kd *", bid="pair of threes"
    )
    assert f"**Pair of threes**: **{chance('33', 12, 'Ah Kd *')}** likely" in plain(out.text)
    found = advise(LIARS, 12, Cards.parse("Ah Kd *"), LIARS.wording.parse("33"))
    for entry in found.best:
        drawn = f"{percent(entry.chance.probability)}  {LIARS.wording.say(entry.bid)}"
        assert drawn in plain(out.text)
    assert out.message is not None
    assert not out.message.ephemeral
    assert out.message.attachments
    (alt,) = [
        part["items"][0]["description"] for part in out.message.components if part["type"] == 12
    ]
    assert "pair of threes" not in alt, "it is said in words"
    assert percent(found.best[0].chance.probability) in alt


async def test_jokers_are_two_unless_none_are_asked_for(table: Seat) -> None:
    house = await table(1)
    with_two = await house.host.slash(house.channel, "odds liars", in_play=12, bid="33")
    without = await house.host.slash(house.channel, "odds liars", in_play=12, bid="33", jokers=0)
    assert chance("33", 12) in plain(with_two.text)
    assert chance("33", 12, jokers=0) in plain(without.text)
    assert chance("33", 12) not in plain(without.text)
    refused = await house.host.slash(
        house.channel, "odds liars", in_play=12, cards="Ah *", jokers=0
    )
    assert whispered(refused).startswith("this deck has no jokers")


async def test_thai_is_asked_of_its_own_deck(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(
        house.channel, "odds thai", in_play=9, cards="As Qh", bid="big straight"
    )
    rules = ruleset("thai_poker")
    bid = rules.wording.parse("big straight")
    said = percent(bid_chance(bid, rules.deck, 9, Cards.parse("As Qh")).probability)
    assert f"**{said}** likely" in plain(out.text)
    refused = await house.host.slash(house.channel, "odds thai", in_play=9, cards="2h")
    assert "is not in the deck of 24 cards" in whispered(refused)


async def test_a_players_cards_and_the_cards_in_play_fill_in(table: Seat) -> None:
    house = await table(3)
    await house.start("liars_poker")
    await house.call(house.turn(), 0)
    person = house.people[1]
    asked: list[dict[str, object]] = [{}, {"cards": MINE}, {"cards": f" {MINE.upper()} "}]
    for typed in asked:
        text = whispered(await person.slash(house.channel, "odds liars", **typed))
        assert "Your round\n-# 6 cards in play" in text
        own = {card.symbol for card in await at_table(house, person)}
        assert set(CARD.findall(text)) == own, "cards that are not one's own"
        assert "stands, **" in text


async def test_what_a_player_is_told_at_the_table_reaches_nobody_else(table: Seat) -> None:
    house = await table(3)
    await house.start("liars_poker")
    before = {person.id: person.everything() for person in house.people}
    for typed in (
        {},
        {"cards": "Ah Kd", "in_play": 9},
        {"cards": MINE, "bid": "33"},
        {"cards": "Zz", "in_play": 9},
        {"in_play": 9},
    ):
        whispered(await house.people[1].slash(house.channel, "odds liars", **typed))
    for person in (house.people[0], house.people[2]):
        assert person.everything() == before[person.id]


async def test_a_typed_bid_is_told_beside_the_standing_one(table: Seat) -> None:
    house = await table(2)
    await house.start("liars_poker")
    first = house.turn()
    await first.slash(house.channel, "bid", hand="pair of fours")
    await house.settle()
    text = whispered(await first.slash(house.channel, "odds liars", bid="three aces"))
    known = str(await at_table(house, first))
    assert f"**Three aces**: **{chance('three aces', 4, known)}** likely" in plain(text)
    assert f"**Pair of fours** stands, **{chance('44', 4, known)}** likely" in plain(text)


async def test_typed_cards_at_a_table_are_asked_about_by_its_rules(table: Seat) -> None:
    house = await table(2)
    lobby = await house.open("liars_poker")
    (live,) = [await house.bot.tables.in_channel(int(house.channel.id))]
    await choose(house, jokers=0, flush_card="highest", middle_hand=True)
    await house.host.click(lobby, "Start")
    await house.settle()
    options: dict[str, OptionValue] = {"jokers": 0, "flush_card": "highest", "middle_hand": True}
    text = whispered(
        await house.host.slash(
            house.channel,
            "odds liars",
            cards="9h 8h 7h 6h",
            bid="nine high heart flush",
            in_play=10,
        )
    )
    assert chance("9h flush", 10, "9h 8h 7h 6h", **options) in text
    assert chance("9h flush", 10, "9h 8h 7h 6h") not in text
    assert "6 cards in play" in whispered(await house.host.slash(house.channel, "odds liars"))
    refused = await house.host.slash(house.channel, "odds liars", bid="five aces")
    assert "has no five of a kind without jokers" in whispered(refused)
    assert live.table.variant == "liars_poker"


async def choose(house: Table, **options: OptionValue) -> None:
    from bot.tables.requests import Ask

    live = await house.bot.tables.in_channel(int(house.channel.id))
    await house.bot.tables.change(
        live.table.id, Ask(int(house.host.id), 1), plans.choose, dict(options)
    )


async def test_a_house_without_odds_refuses_its_players_until_the_round_ends(table: Seat) -> None:
    house = await table(3)
    lobby = await house.open("liars_poker")
    await choose(house, odds_at_table="off")
    await house.people[2].click(lobby, "Leave")
    out = await house.host.slash(house.channel, "odds liars", in_play=4)
    assert "holds" in plain(out.text) or "likely" in plain(out.text)  # nothing is dealt yet
    await house.host.click(lobby, "Start")
    await house.settle()
    opener = house.turn()
    for typed in ({}, {"cards": "Ah Kd", "in_play": 12}, {"cards": MINE}):
        assert "do not allow odds" in whispered(
            await house.host.slash(house.channel, "odds liars", **typed)
        )
    await house.host.act("open_dm")
    assert "do not allow odds" in whispered(
        await house.host.slash(house.host.dms()[0], "odds liars", in_play=12)
    )
    other = await house.people[2].slash(house.channel, "odds liars", in_play=12)
    assert "12 cards in play" in plain(other.text)
    assert "9 cards" in (await house.host.slash(house.channel, "odds thai", in_play=9)).text
    await opener.slash(house.channel, "bid", hand="33")
    challenger = next(one for one in house.people[:2] if one is not opener)
    await challenger.slash(house.channel, "challenge")
    await house.settle()
    between = await house.host.slash(house.channel, "odds liars", in_play=12)
    assert "12 cards in play" in plain(between.text)


async def test_a_live_table_is_asked_about_only_in_its_channel(table: Seat) -> None:
    house = await table(2)
    await house.start("liars_poker")
    person = house.people[1]
    await person.act("open_dm")
    text = whispered(await person.slash(person.dms()[0], "odds liars"))
    assert "Say how many cards are in play" in text


async def test_what_is_typed_at_a_live_table_is_the_question(table: Seat) -> None:
    house = await table(2)
    await house.start("liars_poker")
    first = house.turn()
    await first.slash(house.channel, "bid", hand="pair of fours")
    await house.settle()
    text = whispered(
        await first.slash(house.channel, "odds liars", in_play=9, bid="pair of threes")
    )
    assert "Liars' Poker\n-# 9 cards in play · no cards known" in text
    assert f"**Pair of threes**: **{chance('33', 9)}** likely" in plain(text)
    assert "ours" not in text.partition("\n")[2], "the table's own call"
    for card in await at_table(house, first):
        assert card.symbol not in text


async def test_it_works_in_private_without_any_table(table: Seat) -> None:
    house = await table(1)
    await house.host.act("open_dm")
    out = await house.host.slash(house.host.dms()[0], "odds liars", in_play=12, bid="33")
    assert chance("33", 12) in plain(out.text)


async def test_the_command_is_offered_to_servers_and_to_people(table: Seat) -> None:
    house = await table(1)
    (odds,) = [one for one in house.world.state.commands if one["name"] == "odds"]
    assert sorted(odds["integration_types"]) == [0, 1]
    assert sorted(odds["contexts"]) == [0, 1, 2]


async def test_a_restarted_bot_still_knows_whose_table_it_is(table: Seat) -> None:
    house = await table(2)
    await house.start("liars_poker")
    house.bot.tables.runtime._live.clear()  # what a new process starts with
    text = whispered(await house.host.slash(house.channel, "odds liars"))
    assert "Your round\n-# 4 cards in play" in text


BAD: list[tuple[dict[str, object], str]] = [
    ({"in_play": 12, "cards": "Ah Ah"}, "given twice"),
    ({"in_play": 2, "cards": "Ah Kd Qs"}, "3 cards are known, but only 2 are in play"),
    ({"in_play": 12, "bid": "six sevens"}, "is not a call here"),
    ({"in_play": 12, "cards": "A"}, "missing its suit"),
    ({"in_play": 54, "jokers": 0}, "1 to 52 cards"),
    ({"in_play": 12, "cards": MINE}, "no cards at a live table"),
    ({"cards": "Ah"}, "Say how many cards are in play"),
    ({}, "Say how many cards are in play"),
    ({"in_play": 12, "cards": "* * *"}, "only 2 jokers"),
    ({"in_play": 12, "cards": "Ah " * 66}, "given twice"),
    ({"in_play": 12, "cards": "<@1> @everyone **x** `y`"}, "is not a card"),
    ({"in_play": 12, "bid": "<@1> @everyone **x** [a](b)"}, "is not a call here"),
]


async def test_bad_input_gets_one_sentence_with_an_example(table: Seat) -> None:
    house = await table(1)
    for typed, says in BAD:
        out = await house.host.slash(house.channel, "odds liars", **typed)
        assert out.message is not None
        text = out.message.content or out.message.components[0]["components"][0]["content"]
        assert says in whispered(out)
        assert "Example:" in text or out.message.buttons
        assert len(text) < 300
        assert "\n" not in text
        for live in ("<@1>", "@everyone", "**x**", "`y`"):
            assert live not in text


async def test_cards_are_completed_with_the_next_one(table: Seat) -> None:
    house = await table(1)
    found = await house.host.autocomplete(house.channel, "odds liars", "cards", "Ah 10")
    assert [one["value"] for one in found] == ["AhTs", "AhTh", "AhTd", "AhTc"]
    assert found[1]["name"] == "A♥ 10♥"
    again = await house.host.autocomplete(house.channel, "odds liars", "cards", found[1]["name"])
    assert again[0]["value"] == "AhTh"
    assert len(again) == 25
    out = await house.host.slash(
        house.channel, "odds liars", in_play=12, cards=again[1]["value"], bid="33"
    )
    assert "★ A♥ 10♥" in plain(out.text)


async def test_every_typed_text_gets_choices_that_discord_takes(table: Seat) -> None:
    house = await table(1)
    whole = " ".join(map(str, LIARS.deck.cards))
    for typed in (
        "",
        " ",
        "1",
        "10♥",
        "my",
        "♥",
        "zz",
        "Ah Ah",
        "*" * 30,
        whole,
        whole[:-3],
        "@" * 900,
    ):
        for option in ("cards", "bid"):
            found = await house.host.autocomplete(house.channel, "odds liars", option, typed)
            assert len(found) <= 25


@pytest.mark.parametrize(
    ("typed", "first"),
    [("10♥", "Th"), ("ahkd", "Ah Kd"), ("* ", "*"), ("★ 1", "* Ts"), ("k♦ q", "Kd Qs")],
)
def test_cards_are_understood_in_any_form(typed: str, first: str) -> None:
    assert str(completions(typed, LIARS)[0]) == first


def test_a_joker_is_suggested_while_the_deck_has_one() -> None:
    assert str(completions("", LIARS)[0]) == "*"
    assert all(cards.jokers == 2 for cards in completions("* *", LIARS))
    assert all(not cards.jokers for cards in completions("", ruleset("liars_poker", {"jokers": 0})))


async def test_my_cards_are_suggested_only_to_who_was_dealt_in(table: Seat) -> None:
    house = await table(3)
    lobby = await house.open("liars_poker")
    await house.people[2].click(lobby, "Leave")
    await house.host.click(lobby, "Start")
    await house.settle()
    for person, seated in zip(house.people, (True, True, False), strict=True):
        found = await person.autocomplete(house.channel, "odds liars", "cards", "")
        assert (found[0]["value"] == MINE) is seated
        if seated:
            assert not CARD.search(found[0]["name"]), "a suggestion names cards"
        thai = await person.autocomplete(house.channel, "odds thai", "cards", "")
        assert thai[0]["value"] != MINE


async def test_bids_are_completed_by_the_rules_that_are_asked_about(table: Seat) -> None:
    house = await table(1)
    five = await house.host.autocomplete(house.channel, "odds liars", "bid", "five ac")
    assert five[-1]["value"] == "five aces"
    none = await house.host.autocomplete(house.channel, "odds liars", "bid", "five ac", jokers=0)
    assert "five aces" not in [one["value"] for one in none]
    first = await house.host.autocomplete(house.channel, "odds thai", "bid", "")
    assert len(first) == 25

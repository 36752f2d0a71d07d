"""`/odds` is made from the games' data: a game that is added gets its own."""

from __future__ import annotations

from typing import cast

import pytest
from discord import app_commands

from bot.discord.commands import odds_group
from bot.discord.odds.handlers import OddsHandlers
from bot.language.words import percent
from engine import variants
from engine.cards import Cards
from engine.odds import bid_chance
from engine.ruleset import Option, OptionChoice, Options, Ruleset
from engine.variants import VARIANTS
from tests import third_game
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import whispered
from tests.bot.house import plain

NOBODY = cast(OddsHandlers, None)  # these commands are looked at, not asked


def parameters(group: app_commands.Group, name: str) -> dict[str, app_commands.Parameter]:
    command = group.get_command(name)
    assert isinstance(command, app_commands.Command)
    return {one.name: one for one in command.parameters}


def test_every_game_has_a_command_of_its_short_name() -> None:
    group = odds_group(VARIANTS.values(), NOBODY)
    told = {command.name: command.description for command in group.commands}
    assert told["liars"] == "The chance of calls in Liars' Poker"
    assert told["thai"] == "The chance of bids in Thai Poker"
    assert list(told) == ["liars", "thai", "three-card", "showdown"]


def test_as_many_cards_can_be_in_play_as_the_largest_deck_has() -> None:
    group = odds_group([*VARIANTS.values(), third_game.VARIANT], NOBODY)
    for name, cards in (("liars", 54), ("thai", 24), ("royal-bluff", 17)):
        in_play = parameters(group, name)["in_play"]
        assert (in_play.min_value, in_play.max_value) == (1, cards)


def test_what_changes_a_chance_can_be_chosen() -> None:
    group = odds_group(VARIANTS.values(), NOBODY)
    liars = parameters(group, "liars")
    assert list(liars) == ["in_play", "cards", "bid", "jokers", "flush_card"]
    assert [(one.name, one.value) for one in liars["jokers"].choices] == [
        ("two, wild", 2),
        ("none", 0),
    ]
    assert [one.value for one in liars["flush_card"].choices] == ["in_play", "highest"]
    assert not any(one.required for one in liars.values())
    assert list(parameters(group, "thai")) == ["in_play", "cards", "bid"]
    for command in group.commands:
        assert isinstance(command, app_commands.Command)
        for one in command.parameters:
            assert 0 < len(str(one.description)) <= 100


@pytest.fixture
def royal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that adds a game."""
    monkeypatch.setitem(variants.VARIANTS, third_game.VARIANT.key, third_game.VARIANT)


@pytest.mark.usefixtures("royal")
async def test_a_third_game_is_asked_like_the_others(table: Seat) -> None:
    house = await table(1)
    out = await house.host.slash(
        house.channel, "odds royal-bluff", in_play=6, cards="Ah Kd", bid="three aces", jokers=1
    )
    rules = variants.ruleset("royal_bluff", {"jokers": 1})
    bid = rules.wording.parse("three aces")
    exact = bid_chance(bid, rules.deck, 6, Cards.parse("Ah Kd"))
    assert f"**Three aces**: **{percent(exact.probability)}** likely." in plain(out.text)
    refused = await house.host.slash(house.channel, "odds royal-bluff", in_play=6, cards="2c")
    assert "not in the deck of 16 cards" in whispered(refused)
    found = await house.host.autocomplete(house.channel, "odds royal-bluff", "bid", "all")
    assert [one["value"] for one in found][:1] == ["all the jacks"]
    joker = await house.host.autocomplete(house.channel, "odds royal-bluff", "cards", "", jokers=1)
    assert joker[0]["value"] == "*"


async def test_the_card_a_flush_is_called_by_can_be_chosen(table: Seat) -> None:
    house = await table(1)
    wanted = "nine high heart flush"
    typed: dict[str, object] = {"in_play": 12, "cards": "9h 8h 7h 6h", "bid": wanted}
    said = []
    for value in ("in_play", "highest"):
        out = await house.host.slash(house.channel, "odds liars", flush_card=value, **typed)
        rules = variants.ruleset("liars_poker", {"flush_card": value})
        bid = rules.wording.parse(wanted)
        exact = bid_chance(bid, rules.deck, 12, Cards.parse("9h 8h 7h 6h"))
        assert out.message is not None
        counts = await house.host.click(out.message, "Counts")
        assert f"in {exact.favourable:,} of {exact.total:,} deals" in whispered(counts)
        said.append(exact)
    assert said[0] != said[1]


def test_options_of_any_type_can_be_offered() -> None:
    """A choice between True and False goes to Discord as text."""
    from dataclasses import replace

    from bot.discord.odds.asking import chosen_options

    short = Option(
        "short_deck",
        "Short deck",
        (OptionChoice(False, "no"), OptionChoice(True, "yes")),
        changes_odds=True,
    )

    def build(options: Options) -> Ruleset:
        usual = third_game._build({"jokers": int(options["short_deck"])})
        return replace(usual, options=tuple(options.items()))

    game = replace(third_game.VARIANT, options=(short,), build=build)
    offered = parameters(odds_group([game], NOBODY), "royal-bluff")["short_deck"].choices
    assert [one.value for one in offered] == ["False", "True"]
    assert chosen_options(game.odds_options, {"short_deck": "True"}) == {"short_deck": True}

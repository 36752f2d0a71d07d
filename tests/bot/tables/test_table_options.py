"""House rules: every option at its default, the table's own kept apart from the game's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.tables.game_fits import MOST_OPTIONS, check_fits
from bot.tables.live import chosen_ruleset
from bot.tables.table_options import (
    COMPANY,
    HOUSE_OPTIONS,
    ODDS_AT_TABLE,
    PACE,
    SERVER,
    TURN_CLOCK,
    check_house,
    choice_text,
    chosen,
    defaults,
    game_options,
    odds_allowed,
    options_of,
)
from engine.errors import RulesetError
from engine.ruleset import EVERY_GAME, Option, OptionChoice, OptionValue
from engine.variants import VARIANTS, ruleset, variant
from tests.bot.tables.scenes import ANN, BOB, THAI, table_of


@pytest.mark.parametrize("key", VARIANTS)
def test_a_lobby_begins_with_the_default_of_every_option_of_game_and_house(key: str) -> None:
    options = variant(key).all_options
    assert options_of(key) == (*options, *HOUSE_OPTIONS)
    assert defaults(key) == {option.key: option.default for option in options} | {
        "odds_at_table": "on",
        "turn_seconds": 120,
        "absence": "house",
        "pings": "slow",
        "letters": "no",
        "talk": "on",
        "language": "server",
    }


def test_the_house_s_options_are_not_the_game_s() -> None:
    table = table_of(ANN, BOB, options=defaults(THAI))
    assert set(game_options(table.options)) == {option.key for option in variant(THAI).all_options}
    assert chosen_ruleset(table) == ruleset(THAI)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({}, True), ({"odds_at_table": "on"}, True), ({"odds_at_table": "off"}, False)],
)
def test_odds_at_the_table_are_allowed_unless_the_house_forbids_them(
    options: dict[str, OptionValue], allowed: bool
) -> None:
    table = table_of(ANN, options=options)
    assert odds_allowed(table) is allowed
    assert chosen(table, ODDS_AT_TABLE) == ("on" if allowed else "off")


def test_only_a_value_that_the_house_offers_is_taken() -> None:
    check_house({})
    check_house({"odds_at_table": "off", "two_player_limit": 99})  # the game judges its own
    with pytest.raises(RulesetError, match="sometimes"):
        check_house({"odds_at_table": "sometimes"})
    check_house({"turn_seconds": 45})  # a host's own default may be any length
    lengths: tuple[Any, ...] = (-1, 1.5, "60", True)
    for length in lengths:
        with pytest.raises(RulesetError):
            check_house({"turn_seconds": length})


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (120, "2 minutes"),
        (0, "as long as one likes"),
        (45, "45 seconds"),
        (90, "90 seconds"),
        (600, "10 minutes"),
        (7200, "2 hours"),
        (172_800, "2 days"),
    ],
)
def test_a_clock_reads_as_people_say_it(seconds: int, words: str) -> None:
    assert choice_text(table_of(ANN, options={"turn_seconds": seconds}), TURN_CLOCK) == words


def test_no_game_can_have_more_options_than_a_form_has_room_for() -> None:
    apart = {option.key for option in (*PACE, *COMPANY, *SERVER)}
    beside = [one for one in (*EVERY_GAME, *HOUSE_OPTIONS) if one.key not in apart]
    assert MOST_OPTIONS + len(beside) == 5  # fields of a form
    assert len(PACE) <= 5


@pytest.mark.parametrize("short", ["showdown", "three-card"])
def test_a_short_name_that_is_a_command_already_is_refused(short: str) -> None:
    with pytest.raises(RulesetError, match=f'reserved for commands: write .*"{short}-poker"'):
        check_fits(replace(VARIANTS["thai_poker"], short=short))


@pytest.mark.parametrize(
    "key", ["cards", "bid", "in_play", "interaction", "known", "kinds", "help", "json", "pings"]
)
def test_an_option_key_that_commands_or_the_house_use_is_refused(key: str) -> None:
    taken = Option(key, "Some rule", (OptionChoice(0, "none"),))
    with pytest.raises(RulesetError, match=f'reserved for commands .*write .*"{key}_rule"'):
        check_fits(replace(VARIANTS["thai_poker"], options=(taken,)))


def test_more_options_than_fit_are_refused() -> None:
    several = [Option(f"rule_{n}", "Some rule", (OptionChoice(0, "none"),)) for n in range(5)]
    game = VARIANTS["thai_poker"]
    check_fits(replace(game, options=tuple(several[:4])))
    with pytest.raises(RulesetError, match="thai_poker has 5 options: write 4 at most"):
        check_fits(replace(game, options=tuple(several)))


def test_an_option_is_explained_in_at_most_100_characters() -> None:
    choices = (OptionChoice(0, "none"), OptionChoice(1, "one"))
    game = VARIANTS["thai_poker"]
    check_fits(replace(game, options=(Option("jokers", "Jokers", choices, "x" * 100),)))
    with pytest.raises(RulesetError, match="explained in 101 characters: write 100 at most, such"):
        check_fits(replace(game, options=(Option("jokers", "Jokers", choices, "x" * 101),)))

"""Kinds of options: what each takes, and the one sentence that refuses anything else."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from bot.cli.parameters import Number, WholeNumber, house_rule
from engine.ruleset import Option, OptionChoice
from tests.bot.cli.refused import one_sentence


@click.command(context_settings={"show_default": True})
@click.option("--many", "-m", type=WholeNumber(7), help="How many.")
@click.option("--some", type=WholeNumber(5, 1, 9), default=3, help="Some.")
@click.option("--part", type=Number(0.5), help="A part.")
def command(many: int | None, some: int, part: float | None) -> None:
    """Say what was given."""
    click.echo(repr((many, some, part)))


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("", (None, 3, None)),
        ("--many 7", (7, 3, None)),
        ("-m -7", (-7, 3, None)),
        ("--many ' 007 '", (7, 3, None)),
        ("--many=+5 --some 1", (5, 1, None)),
        ("--some 9 --part 1.25", (None, 9, 1.25)),
        ("--part 1e-3", (None, 3, 0.001)),
        ("--part -2", (None, 3, -2.0)),
    ],
)
def test_a_number_is_taken(line: str, taken: tuple[object, ...]) -> None:
    assert CliRunner().invoke(command, line).stdout == f"{taken!r}\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--many seven", '--many is a whole number, not "seven". Example: --many 7'),
        ("-m 7.0", '--many is a whole number, not "7.0". Example: --many 7'),
        ("--many ''", '--many is a whole number, not "". Example: --many 7'),
        ("--many ٣", '--many is a whole number, not "٣". Example: --many 7'),
        (f"--many {'9' * 31}", "--many is no such large number. Example: --many 7"),
        ("--some 0", "--some is 1 to 9, not 0. Example: --some 5"),
        ("--some 1000", "--some is 1 to 9, not 1,000. Example: --some 5"),
        ("--part x", '--part is a number, not "x". Example: --part 0.5'),
    ],
)
def test_what_is_no_number_is_refused_with_an_example(line: str, said: str) -> None:
    done = CliRunner().invoke(command, line)
    assert (done.exit_code, done.stdout) == (2, "")
    assert one_sentence(done.stderr) == f"bluffhouse: {said}"


@pytest.mark.parametrize(
    ("values", "typed"),
    [((2, 0, 1), "0|1|2"), (("next", "anyone"), "next|anyone"), ((False, True), "no|yes")],
)
def test_choices_are_shown_numbers_from_low_to_high_and_words_in_their_order(
    values: tuple[int | str, ...], typed: str
) -> None:
    option = Option("low_cards", "Low cards", tuple(OptionChoice(value, "x") for value in values))
    rule = house_rule(option)
    assert rule.make_metavar(click.Context(command)) == typed
    assert rule.opts == ["--low-cards"]

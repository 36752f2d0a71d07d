"""`bluffhouse odds history`: the pot shares of played hands, street by street."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from bot.boards.showdown_words import GAME_NAMES
from bot.cli.output import one_sentence, quote_input, refuse
from bot.cli.parameters import Number, version_option

if TYPE_CHECKING:
    from engine.odds.showdown.equity import Showdown
    from engine.odds.showdown.hand_history import HandHistory

_EXAMPLE: Final = "bluffhouse odds history hands.txt"
_LONGEST: Final = 50_000_000  # characters of a file


@click.command("history")
@click.argument(
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The hands; - reads standard input.",
)
@click.option(
    "--seconds",
    type=Number(30),
    metavar="N",
    default=30.0,
    help="Answer each street within about this many seconds, as exactly as possible.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead.")
@version_option
def history(file: Path, seconds: float, as_json: bool) -> None:
    """Compute pot shares of played hands, street by street.

    The hands are in PokerStars' text or in PHH. Only hands in which two players or more showed
    their cards are used. Known cards that were folded are dead.
    """
    from engine.odds.showdown.hand_history import HISTORY_EXAMPLE, parse_history, split_histories

    texts = split_histories(_read(file))
    with one_sentence():
        if not texts:
            raise refuse(
                f"{quote_input(file)} has no hand in PokerStars' text or in PHH. "
                f"Example: {HISTORY_EXAMPLE}"
            )
        if len(texts) == 1:
            _show([parse_history(texts[0])], seconds, as_json)
            return
    from engine.errors import TextError

    hands, skipped = [], 0
    for text in texts:
        try:
            hands.append(parse_history(text))
        except TextError:
            skipped += 1
    if not hands:
        raise refuse(
            f"none of the {len(texts)} hands of {quote_input(file)} has two hands that were shown. "
            f"Example: {HISTORY_EXAMPLE}"
        )
    with one_sentence():
        _show(hands, seconds, as_json)
    if skipped:
        click.echo(
            f"{skipped} of {len(texts)} hands left out: no showdown of two known hands, or"
            " another game",
            err=True,
        )


def _read(file: Path) -> str:
    try:
        if str(file) == "-":
            return sys.stdin.read(_LONGEST)
        with file.open(encoding="utf-8-sig", errors="replace") as content:
            return content.read(_LONGEST)
    except OSError as error:
        raise refuse(
            f"{quote_input(file)} can't be read: {error.strerror}. Example: {_EXAMPLE}"
        ) from None


def _show(hands: list[HandHistory], seconds: float, as_json: bool) -> None:
    from bot.computing.deadline import deadline
    from engine.odds.showdown.equity import Effort
    from engine.odds.showdown.next_card import streets

    documents = []
    for number, hand in enumerate(hands):
        by_street = streets(hand.scenario, Effort(enough=deadline(seconds)))
        if as_json:
            documents.append(_document(hand, by_street))
        else:
            click.echo(("\n" if number else "") + _text(hand, by_street))
    if as_json:
        click.echo(json.dumps({"hands": documents}, indent=2))


def _document(hand: HandHistory, by_street: tuple[tuple[str, Showdown], ...]) -> dict[str, Any]:
    from bot.cli.reports.showdown_looks import StreetByStreet
    from engine.odds.showdown.games import game_of

    scenario = hand.scenario
    return {
        "hand": hand.number,
        "game": game_of(scenario.rules, len(scenario.players)),
        "players": [
            {"name": scenario.name(seat), "cards": str(cards)}
            for seat, cards in enumerate(scenario.players)
        ],
        "dead": str(scenario.dead),
        **StreetByStreet(by_street).to_json(),
    }


def _text(hand: HandHistory, by_street: tuple[tuple[str, Showdown], ...]) -> str:
    from bot.cli.reports.showdown_looks import StreetByStreet
    from engine.odds.showdown.games import game_of

    scenario = hand.scenario
    game = GAME_NAMES[game_of(scenario.rules, len(scenario.players)) or "holdem"]
    lines = [f"Hand {hand.number}, {game}"]
    lines += [
        f"P{seat + 1} {scenario.name(seat)}: {cards}" for seat, cards in enumerate(scenario.players)
    ]
    if scenario.dead:
        lines.append(f"Dead cards: {scenario.dead}")
    return "\n".join([*lines, StreetByStreet(by_street).text()])

"""`bluffhouse analyze <game>`: every kind by the number of cards in play, for every game there is.

What a game's analysis covers follows from its data: every deck it can be played with, middle hands
if it may have one, the table of all answers if it has no jokers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bot.cli.failing import one_sentence, refuse, whole_number
from bot.cli.files import check_drawn, check_file, unwritable, write_file
from bot.cli.games import GamesGroup, Given, Parameter, command
from bot.cli.paragraphs import paragraph
from engine.deck import DeckSpec
from engine.ruleset import FEWEST_PLAYERS, Ruleset, Variant
from engine.variants import ruleset

if TYPE_CHECKING:
    from bot.cli.reports.kind_tables import KindTable
    from engine.bids import Kind
    from engine.odds import BidTable, Estimate

PLAYERS: Final = 6
MIDDLE_HANDS: Final = 1


@dataclass(frozen=True, slots=True)
class Order:
    """What was ordered, in the words of the command line."""

    csv: Path | None
    chart: Path | None
    samples: str | None
    seed: str
    players: str | None
    middle_hands: str | None
    fewest: str | None
    most: str | None


class AnalyzeGroup(GamesGroup):
    """`bluffhouse analyze`."""

    def command_of(self, variant: Variant, words: Sequence[str]) -> Any:
        """`analyze <game>`, with the options that its decks and house rules make sense of."""
        rules = ruleset(variant.key)
        middle = _may_have_middle_hand(variant)
        holding = None if rules.deck.jokers else _usual_holding(variant)

        def answer(given: Given) -> None:
            _answer(variant, given, holding)

        about = (
            f"How likely each kind of hand is in {variant.title}.\n\n"
            "For every number of cards in play, and every deck it can be played with."
        )
        return command(variant.short, answer, _parameters(rules, middle, holding), about)


def _parameters(rules: Ruleset, middle: bool, holding: int | None) -> list[Parameter]:
    """The parameters of `analyze <game>`.

    `middle`: whether a middle hand may be dealt; `holding`: the most cards of a holding in
    --answers, None if the game has jokers, for which there is no such table.
    """

    def text(name: str, metavar: str, about: str, default: str | None = None) -> Parameter:
        declared = f"--{name.replace('_', '-')}"
        return (
            name,
            Annotated[str | None, typer.Option(declared, metavar=metavar, help=about)],
            default,
        )

    def file(name: str, metavar: str, about: str) -> Parameter:
        return name, Annotated[Path | None, typer.Option(metavar=metavar, help=about)], None

    players = min(PLAYERS, rules.most_players)
    parameters = [
        file("csv", "FILE", "Write the table as CSV."),
        file("chart", "FILE.png", "Draw the table as a chart."),
        text("samples", "N", "Also sample N deals for each number of cards."),
        text("seed", "N", "Which random deals are sampled.", "0"),
        text("players", "N", f"Players at the start ({players})."),
    ]
    if middle:
        about = f"Hands dealt face down to nobody ({MIDDLE_HANDS})."
        parameters.append(text("middle_hands", "N", about))
    parameters += [
        text("min", "N", "The fewest cards in play to look at."),
        text("max", "N", "The most cards in play to look at."),
    ]
    if holding is not None:
        about = f"Write how often each {rules.terms.noun} holds, for all cards known and in play."
        parameters += [
            file("answers", "FILE.npy", about),
            text("holding", "N", "The most known cards in --answers.", str(holding)),
        ]
    return parameters


def _may_have_middle_hand(variant: Variant) -> bool:
    return any(rules.middle_hand for rules in _rulesets(variant))


def _usual_holding(variant: Variant) -> int:
    return max(ruleset(variant.key).card_limits[FEWEST_PLAYERS:])


def _largest_holding(variant: Variant) -> int:
    return max(max(rules.card_limits[FEWEST_PLAYERS:]) for rules in _rulesets(variant))


def _rulesets(variant: Variant) -> Iterator[Ruleset]:
    """The game with every choice of each option, the others at their defaults."""
    yield ruleset(variant.key)
    for option in variant.options:
        for choice in option.choices[1:]:
            yield ruleset(variant.key, {option.key: choice.value})


def _decks(variant: Variant) -> tuple[Ruleset, ...]:
    """A ruleset for each deck that the game can be played with, the usual one first."""
    found: dict[DeckSpec, Ruleset] = {}
    for rules in _rulesets(variant):
        found.setdefault(rules.deck, rules)
    return tuple(found.values())


def _answer(variant: Variant, given: Given, holding: int | None) -> None:
    most_held = 0
    answers = given.get("answers")
    if holding is not None:
        most_held = whole_number(given["holding"], "--holding", str(holding))
        largest = _largest_holding(variant)
        if not 0 <= most_held <= largest:
            raise refuse(f"a holding has 0 to {largest} cards, not {most_held}. Example: {holding}")
        check_file(answers, ".npy")
    for file, ending in ((given["csv"], ".csv"), (given["chart"], ".png")):
        check_file(file, ending)
    check_drawn(given["chart"])
    every = None if answers is None else _table_of_answers(ruleset(variant.key))
    order = Order(
        csv=given["csv"],
        chart=given["chart"],
        samples=given["samples"],
        seed=given["seed"],
        players=given["players"],
        middle_hands=given.get("middle_hands"),
        fewest=given["min"],
        most=given["max"],
    )
    decks = _decks(variant)
    kinds = max((rules.ladder.kinds for rules in decks), key=len)
    _analyze(order, decks, kinds, MIDDLE_HANDS if "middle_hands" in given else 0)
    _judge_claims(decks, kinds)
    if answers is not None and every is not None:
        _write_answers(answers, every, most_held, ruleset(variant.key).terms.plural)


def _judge_claims(decks: Sequence[Ruleset], kinds: Sequence[Kind]) -> None:
    """What the exact figures say to the claims that were once made about these decks, if any."""
    from bot.cli.reports.claims import ARTICLE, speak_of, verdict_lines

    if speak_of([rules.deck for rules in decks], kinds):
        exact = [_table(rules, kinds, ARTICLE) for rules in decks]
        typer.echo("\n" + "\n".join(verdict_lines(exact)))


def _table_of_answers(rules: Ruleset) -> BidTable:
    from engine.odds import bid_table

    with one_sentence():
        return bid_table(rules)


def _write_answers(file: Path, table: BidTable, most_held: int, plural: str) -> None:
    """The table that others compute once and keep: bids × holdings × numbers in play, 32 bits."""
    import numpy as np

    from engine.odds import holdings

    known = holdings(table.deck, most_held)
    bids, numbers = table.bids, table.deck.size + 1
    try:
        kept = np.lib.format.open_memmap(file, "w+", np.int32, (bids, known.size, numbers))
        with typer.progressbar(range(bids), label="Answers", file=sys.stderr) as progress:
            for number in progress:
                table.ways_of_bid(number, known, np.asarray(kept[number]))
        kept.flush()
    except OSError as error:
        raise unwritable(file, error) from None
    typer.echo(
        paragraph(
            f"Wrote {file}: {bids} {plural} × {known.size:,} holdings × "
            f"0 to {numbers - 1} in play, from {table.nbytes:,} bytes of tables",
            hanging="  ",
        )
    )


def _analyze(
    order: Order, decks: Sequence[Ruleset], kinds: Sequence[Kind], middle_hands: int
) -> None:
    """Count, sample if wanted, print, and write the files."""
    from bot.cli.reports.kind_tables import csv_lines, largest_deviation, table_lines

    numbers = _numbers(order, decks, middle_hands)
    sampled = _sampled(order, decks, numbers)
    tables = [
        _table(rules, kinds, numbers, found) for rules, found in zip(decks, sampled, strict=True)
    ]
    typer.echo("\n\n".join("\n".join(table_lines(table)) for table in tables))
    if order.samples is not None:
        worst, figures = largest_deviation(tables)
        typer.echo(
            f"\nLargest deviation: {worst:.2f} standard errors over {figures} sampled figures."
        )
    if order.csv is not None:
        write_file(order.csv, "".join(f"{line}\n" for line in csv_lines(tables)).encode())
    if order.chart is not None:
        from bot.cli.reports.kind_chart import kind_chart

        write_file(order.chart, kind_chart(decks[0].title, tables))


def _table(
    rules: Ruleset,
    kinds: Sequence[Kind],
    numbers: range,
    sampled: dict[int, dict[Kind, Estimate]] | None = None,
) -> KindTable:
    from bot.cli.reports.kind_tables import KindTable
    from engine.odds import kind_table

    return KindTable(rules.deck.size, kind_table(kinds, rules.deck, numbers), sampled or {})


def _sampled(
    order: Order, decks: Sequence[Ruleset], numbers: range
) -> list[dict[int, dict[Kind, Estimate]]]:
    seed = whole_number(order.seed, "--seed", "7")
    if order.samples is None:
        return [{} for _ in decks]
    from engine.odds import Trial, sample_kinds

    with one_sentence():
        samples = whole_number(order.samples, "--samples", "10000")
        trial = Trial(samples, seed, os.cpu_count() or 1)
    found: list[dict[int, dict[Kind, Estimate]]] = [{} for _ in decks]
    cells = [(index, in_play) for index in range(len(decks)) for in_play in numbers]
    with typer.progressbar(cells, label="Sampling", file=sys.stderr) as progress:
        for index, in_play in progress:
            found[index][in_play] = sample_kinds(decks[index], in_play, trial)
    return found


def _numbers(order: Order, decks: Sequence[Ruleset], middle_hands: int) -> range:
    """The numbers of cards in play to look at, from the players or as given."""
    by_players = order.players is not None or order.middle_hands is not None
    if by_players and (order.fewest is not None or order.most is not None):
        raise refuse(
            "give either the players or the numbers of cards. Example: --players 6, or "
            "--min 6 --max 35"
        )
    rules = decks[0]
    usual = min(PLAYERS, rules.most_players)
    players = usual
    if order.players is not None:
        players = whole_number(order.players, "--players", str(usual))
    if order.middle_hands is not None:
        middle_hands = whole_number(order.middle_hands, "--middle-hands", "1")
    if not FEWEST_PLAYERS <= players <= rules.most_players:
        raise refuse(
            f"{FEWEST_PLAYERS} to {rules.most_players} can play, not {players}. "
            f"Example: --players {usual}"
        )
    if not 0 <= middle_hands <= 9:
        raise refuse(f"0 to 9 middle hands, not {middle_hands}. Example: --middle-hands 1")
    start = rules.starting_cards[players]
    fewest = (2 + middle_hands) * start  # two are left who never lost
    most = max(
        (live + middle_hands) * rules.card_limit(live, players) for live in range(2, players + 1)
    )
    if order.fewest is not None:
        fewest = whole_number(order.fewest, "--min", "6")
    if order.most is not None:
        most = whole_number(order.most, "--max", "35")
    smallest = min(rules.deck.size for rules in decks)
    if most > smallest and order.most is None:
        raise refuse(
            f"{most} cards can be in play with {players} players and --middle-hands "
            f"{middle_hands}, but a deck has {smallest}. Example: --players {usual}"
        )
    if not 1 <= fewest <= most <= smallest:
        raise refuse(
            f"{fewest} to {most} cards in play do not fit 1 to {smallest}. "
            f"Example: --min 6 --max {min(35, smallest)}"
        )
    return range(fewest, most + 1)

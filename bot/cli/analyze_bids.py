"""`bluffhouse analyze liars` and `analyze thai`: every kind by the number of cards in play."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli import analyze_app
from bot.cli.failing import one_sentence, refuse, shown, whole_number

if TYPE_CHECKING:
    from bot.cli.reports.kind_tables import KindTable
    from engine.bids import Kind
    from engine.odds import Estimate
    from engine.ruleset import Ruleset

PLAYERS = 6
MIDDLE_HANDS = 1
MOST_HELD = 6  # cards, as in the source's table; seven where two players agreed on it
ARTICLE = range(6, 36)  # the numbers of cards the article's claims are about

Csv = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the table as CSV.")]
Chart = Annotated[
    Path | None, typer.Option("--chart", metavar="FILE.png", help="Draw the table as a chart.")
]
Samples = Annotated[
    str | None,
    typer.Option("--samples", metavar="N", help="Also sample N deals for each number of cards."),
]
Seed = Annotated[str, typer.Option("--seed", metavar="N", help="Which random deals are sampled.")]
Players = Annotated[
    str | None, typer.Option("--players", metavar="N", help=f"Players at the start ({PLAYERS}).")
]
Fewest = Annotated[
    str | None, typer.Option("--min", metavar="N", help="The fewest cards in play to look at.")
]
Most = Annotated[
    str | None, typer.Option("--max", metavar="N", help="The most cards in play to look at.")
]


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


@analyze_app.command("liars")
def liars(
    csv: Csv = None,
    chart: Chart = None,
    samples: Samples = None,
    seed: Seed = "0",
    players: Players = None,
    middle_hands: Annotated[
        str | None,
        typer.Option(metavar="N", help=f"Hands dealt face down to nobody ({MIDDLE_HANDS})."),
    ] = None,
    fewest: Fewest = None,
    most: Most = None,
) -> None:
    """How likely each kind of hand is in Liars' Poker, for both decks, and what was claimed."""
    from engine.variants import ruleset

    order = Order(csv, chart, samples, seed, players, middle_hands, fewest, most)
    decks = tuple(ruleset("liars_poker", {"jokers": jokers}) for jokers in (2, 0))
    _analyze(order, decks, MIDDLE_HANDS)
    from bot.cli.reports.kind_tables import verdicts

    typer.echo("\nThe article's four claims, by the exact figures")
    exact = [_table(rules, decks[0].ladder.kinds, ARTICLE) for rules in decks]
    for number, verdict in enumerate(verdicts(exact), start=1):
        typer.echo(f"{number}. {verdict.claim}")
        for finding in verdict.findings:
            typer.echo(f"   {finding}")


@analyze_app.command("thai")
def thai(
    csv: Csv = None,
    chart: Chart = None,
    samples: Samples = None,
    seed: Seed = "0",
    players: Players = None,
    fewest: Fewest = None,
    most: Most = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npy",
            help="Write every answer: the ways of each bid for each holding and number in play.",
        ),
    ] = None,
    holding: Annotated[
        str, typer.Option(metavar="N", help="The most cards of a holding in --answers.")
    ] = str(MOST_HELD),
) -> None:
    """How likely each kind of hand is in Thai Poker."""
    from engine.variants import ruleset

    most_held = whole_number(holding, "--holding", str(MOST_HELD))
    if not 0 <= most_held <= MOST_HELD + 1:
        raise refuse(f"a holding has 0 to {MOST_HELD + 1} cards, not {most_held}. Example: 6")
    _check_file(answers, ".npy")
    order = Order(csv, chart, samples, seed, players, None, fewest, most)
    rules = ruleset("thai_poker")
    _analyze(order, (rules,), 0)
    if answers is not None:
        _write_answers(answers, rules, most_held)


def _write_answers(file: Path, rules: Ruleset, most_held: int) -> None:
    """The table that others compute once and keep: bids × holdings × numbers in play, 32 bits."""
    import numpy as np

    from engine.odds import bid_table, holdings

    table = bid_table(rules)
    known = holdings(table.deck, most_held)
    bids, numbers = table.bids, table.deck.size + 1
    try:
        kept = np.lib.format.open_memmap(file, "w+", np.int32, (bids, known.size, numbers))
        with typer.progressbar(range(bids), label="Answers", file=sys.stderr) as progress:
            for number in progress:
                table.ways_of_bid(number, known, np.asarray(kept[number]))
        kept.flush()
    except OSError as error:
        raise _unwritable(file, error) from None
    typer.echo(
        f"Wrote {file}: {bids} bids × {known.size:,} holdings × 0 to {numbers - 1} in play, "
        f"from {table.nbytes:,} bytes of tables"
    )


def _analyze(order: Order, decks: Sequence[Ruleset], middle_hands: int) -> None:
    """Count, sample if wanted, print, and write the files. `decks` have the same kinds or fewer."""
    from bot.cli.reports.kind_tables import csv_lines, largest_deviation, table_lines

    for file, ending in ((order.csv, ".csv"), (order.chart, ".png")):
        _check_file(file, ending)
    numbers = _numbers(order, decks, middle_hands)
    kinds = decks[0].ladder.kinds
    sampled = _sampled(order, decks, numbers)
    tables = [
        _table(rules, kinds, numbers, found) for rules, found in zip(decks, sampled, strict=True)
    ]
    for table in tables:
        typer.echo("\n".join(table_lines(table)) + "\n")
    if order.samples is not None:
        worst, figures = largest_deviation(tables)
        typer.echo(
            f"Largest deviation: {worst:.2f} standard errors over {figures} sampled figures."
        )
    if order.csv is not None:
        _write(order.csv, "".join(f"{line}\n" for line in csv_lines(tables)).encode())
    if order.chart is not None:
        from bot.cli.reports.kind_chart import kind_chart

        _write(order.chart, kind_chart(decks[0].title, tables))


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
    players = PLAYERS
    if order.players is not None:
        players = whole_number(order.players, "--players", str(PLAYERS))
    if order.middle_hands is not None:
        middle_hands = whole_number(order.middle_hands, "--middle-hands", "1")
    rules = decks[0]
    if not 2 <= players <= rules.most_players:
        raise refuse(f"2 to {rules.most_players} can play, not {players}. Example: --players 6")
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
            f"{middle_hands}, but a deck has {smallest}. Example: --players 6"
        )
    if not 1 <= fewest <= most <= smallest:
        raise refuse(
            f"{fewest} to {most} cards in play do not fit 1 to {smallest}. "
            f"Example: --min 6 --max {min(35, smallest)}"
        )
    return range(fewest, most + 1)


def _check_file(file: Path | None, ending: str) -> None:
    if file is None:
        return
    if file.suffix.lower() != ending:
        raise refuse(f"{shown(file)} does not end in {ending}. Example: odds{ending}")
    try:
        there = file.absolute().parent.is_dir()
    except OSError:  # a name that is too long
        there = False
    if not there:
        raise refuse(f"there is no folder {shown(file.parent)}. Example: odds{ending}")


def _unwritable(file: Path, error: OSError) -> typer.Exit:
    return refuse(
        f"{shown(file)} cannot be written: {error.strerror}. Example: odds{file.suffix.lower()}"
    )


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise _unwritable(file, error) from None
    typer.echo(f"Wrote {file}")

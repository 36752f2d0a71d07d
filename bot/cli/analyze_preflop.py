"""`bluffhouse analyze preflop`: every kind of hand of hold'em against every other, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli import analyze_app
from bot.cli.failing import one_sentence, refuse, shown
from bot.cli.files import check_file, write_file

if TYPE_CHECKING:
    from engine.odds.showdown.preflop import KindMatchups


@analyze_app.command("preflop")
def preflop(
    hand: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="One kind of hand, such as AKs, against all others."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write all 169 × 169 to this file.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw all 169 × 169 into this file.")
    ] = None,
) -> None:
    """Hold'em before the flop: 169 kinds of hands, each against each.

    Exact over all suits and boards. Shown is the share of the pot against a random hand, or with
    --hand against each kind; --csv and --chart have every pair of kinds.
    """
    for file, ending in ((csv, ".csv"), (chart, ".png")):
        check_file(file, ending, "preflop")
    with one_sentence():
        from bot.cli.reports.preflop_text import against_each, against_random, csv_lines
        from engine.odds.showdown.preflop import kind_matchups

        every = kind_matchups()
        if hand is None:
            typer.echo(against_random(every))
        else:
            typer.echo(against_each(_kind(hand, every), every))
        if csv is not None:
            write_file(csv, "".join(f"{line}\n" for line in csv_lines(every)).encode())
        if chart is not None:
            from bot.pictures.matchup_map import matchup_map_png

            labels = list(dict.fromkeys(one for one, _ in every))
            shares = [[float(every[one, other].value) for other in labels] for one in labels]
            write_file(chart, matchup_map_png(labels, shares))


def _kind(typed: str, every: dict[tuple[str, str], KindMatchups]) -> str:
    """The kind of hand that was typed, with its ranks in either order."""
    ranks, suits = typed.strip().upper().replace("10", "T")[:2], typed.strip().lower()[2:]
    if "10" in typed:
        suits = typed.strip().lower().replace("10", "t")[2:]
    for label in (ranks + suits, ranks[::-1] + suits):
        if (label, label) in every:
            return label
    raise refuse(
        f"{shown(typed)} is not one of the 169 kinds of hands. Example: --hand AKs, TT or 72o"
    )

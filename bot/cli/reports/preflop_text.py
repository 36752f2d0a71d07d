"""Hold'em before the flop as text: grids of shares, and the lines of a CSV file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from bot.cli.reports.showdown_looks import grid_text
from engine.cards import RANK_CHARS
from engine.odds.showdown.each_hand import grid_labels

if TYPE_CHECKING:
    from engine.odds.showdown.preflop import KindMatchups

Every = Mapping[tuple[str, str], "KindMatchups"]


def against_random(every: Every) -> str:
    """The grid of every kind's share of the pot against a random hand, and the order of kinds."""
    points, boards = Counter[str](), Counter[str]()
    for (one, _), found in every.items():
        points[one] += 2 * found.win + found.tie
        boards[one] += 2 * found.win + 2 * found.tie + 2 * found.lose
    shares = {one: Fraction(points[one], boards[one]) for one in points}
    best = sorted(shares, key=lambda one: shares[one], reverse=True)
    return "\n".join(
        [
            "Share of the pot in % against a random hand, suited above the diagonal",
            _grid(shares),
            "",
            f"Most: {', '.join(f'{one} {100 * float(shares[one]):.2f}' for one in best[:5])}",
            f"Least: {', '.join(f'{one} {100 * float(shares[one]):.2f}' for one in best[-5:])}",
        ]
    )


def against_each(hand: str, every: Every) -> str:
    """The grid of one kind's share of the pot against each."""
    shares = {other: every[hand, other].value for _, other in every}
    heading = f"Share of the pot in % of {hand} against each hand, suited above the diagonal"
    return f"{heading}\n{_grid(shares)}"


def _grid(shares: Mapping[str, Fraction]) -> str:
    values = [[float(shares[label]) for label in row] for row in grid_labels()]
    return grid_text(values, RANK_CHARS[::-1])


def csv_lines(every: Every) -> Iterator[str]:
    """A line for each two kinds: pairs of combos, boards won and shared by the first, its share."""
    yield "hand,against,pairs,win,tie,value"
    for (one, other), found in every.items():
        value = float(found.value)
        yield f"{one},{other},{found.pairs},{found.win},{found.tie},{value:.8f}"

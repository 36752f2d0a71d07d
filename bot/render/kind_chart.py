"""The chart of `bluffhouse analyze`: every kind by the number of cards in play, on paper white.

Above, chances from 0 to 1, where the crossings are; below, the same on a logarithmic scale, where
the rare kinds can be told apart. Colours are Paul Tol's "muted" scheme, distinguishable with any
colour vision, and every kind has its own marker besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations
from typing import Final

import matplotlib

matplotlib.use("Agg")

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from bot.render.kind_tables import KindTable
from bot.render.odds import KIND_WORDS
from engine.bids import Kind

STYLE: Final[dict[Kind, tuple[str, str]]] = {  # colour, marker
    Kind.HIGH_CARD: ("#888888", "_"),
    Kind.PAIR: ("#332288", "o"),
    Kind.TWO_PAIR: ("#88CCEE", "s"),
    Kind.THREE: ("#CC6677", "^"),
    Kind.FLUSH: ("#117733", "D"),
    Kind.STRAIGHT: ("#882255", "v"),
    Kind.FULL_HOUSE: ("#DDCC77", "P"),
    Kind.FOUR: ("#44AA99", "X"),
    Kind.STRAIGHT_FLUSH: ("#AA4499", "*"),
    Kind.ROYAL_FLUSH: ("#333333", "h"),
    Kind.FIVE: ("#999933", "h"),
}
LOWEST: Final = 1e-6
NEARLY_SURE: Final = 0.985  # above it curves run together: a crossing says nothing there


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the chances of two kinds are equal, between two numbers of cards."""

    kinds: tuple[Kind, Kind]
    cards: float
    probability: float


def kind_chart(title: str, tables: Sequence[KindTable]) -> bytes:
    """A PNG of the tables, side by side: about 1,500 pixels wide for two, 900 for one."""
    figure = Figure(figsize=(9 if len(tables) == 1 else 15, 11), layout="constrained")
    figure.suptitle(f"{title}: the chance of any hand of a kind", fontsize=16)
    grid = figure.subplots(2, len(tables), squeeze=False, sharex="col")
    for column, table in enumerate(tables):
        above, below = grid[0][column], grid[1][column]
        _draw(above, table)
        _mark_crossings(above, table)
        above.set_title(table.label)
        above.set_ylim(-0.02, 1.04)
        _draw(below, table)
        below.set_yscale("log")
        below.set_ylim(LOWEST, 1.6)
        below.yaxis.set_major_formatter(FuncFormatter(_percent_label))
        above.yaxis.set_major_formatter(FuncFormatter(_percent_label))
        below.set_xlabel("cards in play")
    grid[0][0].set_ylabel("chance")
    grid[1][0].set_ylabel("chance, logarithmic")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    png = BytesIO()
    figure.savefig(png, format="png", dpi=100)
    return png.getvalue()


def _draw(axes: Axes, table: KindTable) -> None:
    numbers = list(table.chances)
    for kind in table.kinds:
        colour, marker = STYLE[kind]
        values = [table.probability(in_play, kind) for in_play in numbers]
        shown = [value if value >= LOWEST / 10 else float("nan") for value in values]
        axes.plot(numbers, shown, color=colour, marker=marker, markersize=5, label=KIND_WORDS[kind])
        if table.sampled:
            estimates = [table.sampled[in_play].get(kind) for in_play in numbers]
            dots = [
                entry.probability if entry and entry.hits else float("nan") for entry in estimates
            ]
            axes.plot(numbers, dots, linestyle="", marker="x", color="black", markersize=4)
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _mark_crossings(axes: Axes, table: KindTable) -> None:
    found = sorted(crossings(table), key=lambda crossing: crossing.cards)
    listed = []
    for number, crossing in enumerate(found, start=1):
        axes.plot(
            crossing.cards,
            crossing.probability,
            marker="o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor="black",
            linestyle="",
        )
        axes.annotate(
            str(number),
            (crossing.cards, crossing.probability),
            xytext=(-13, 5),
            textcoords="offset points",
            ha="right",
            fontsize=10,
            fontweight="bold",
        )
        names = " = ".join(KIND_WORDS[kind].lower() for kind in crossing.kinds)
        listed.append(f"{number}  {names} at {crossing.cards:.1f}")
    if listed:
        axes.text(
            0.985,
            0.30,
            "\n".join(listed),
            transform=axes.transAxes,
            ha="right",
            va="top",
            fontsize=10,
            bbox={"facecolor": "white", "edgecolor": "#bbbbbb", "boxstyle": "round"},
        )


def crossings(table: KindTable) -> Iterator[Crossing]:
    """Where curves cross while neither is nearly sure, by straight lines between the numbers."""
    numbers = list(table.chances)
    for one, other in combinations(table.kinds, 2):
        for left, right in zip(numbers, numbers[1:], strict=False):
            before = table.probability(left, one) - table.probability(left, other)
            after = table.probability(right, one) - table.probability(right, other)
            if before * after >= 0:
                continue
            share = before / (before - after)
            low, high = table.probability(left, one), table.probability(right, one)
            probability = low + share * (high - low)
            if probability < NEARLY_SURE:
                yield Crossing((one, other), left + share, probability)


def _percent_label(value: float, _position: int) -> str:
    return f"{value * 100:g} %"

"""The chart of `bluffhouse analyze`: the chance of every kind by the number of cards in play.

The upper part shows chances from 0 to 1, and where curves cross; the lower part shows the same
chances on a logarithmic scale, which separates the rare kinds. Colours are Paul Tol's "muted"
scheme, distinguishable with any colour vision, and every kind also has its own marker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations, pairwise
from math import log10
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from PIL import Image

from bot.cli.reports.kind_tables import KindTable
from bot.language.words import KIND_LABELS, percent
from bot.pictures import palette
from bot.pictures.palette import Colour, web
from engine.bids import Kind

STYLE: Final[dict[Kind, tuple[Colour, str]]] = {  # colour, marker
    Kind.HIGH_CARD: (palette.REPORT_GREY, "_"),
    Kind.PAIR: (palette.TOL_INDIGO, "o"),
    Kind.TWO_PAIR: (palette.TOL_CYAN, "s"),
    Kind.THREE: (palette.TOL_ROSE, "^"),
    Kind.FLUSH: (palette.TOL_GREEN, "D"),
    Kind.STRAIGHT: (palette.TOL_WINE, "v"),
    Kind.FULL_HOUSE: (palette.TOL_SAND, "P"),
    Kind.FOUR: (palette.TOL_TEAL, "X"),
    Kind.STRAIGHT_FLUSH: (palette.TOL_PURPLE, "*"),
    Kind.ROYAL_FLUSH: (palette.REPORT_DARK, "p"),
    Kind.FIVE: (palette.TOL_OLIVE, "h"),
}
HARDLY: Final = 0.01  # below and above these, the curves run together, and a crossing means nothing
NEARLY_SURE: Final = 0.985


@dataclass(frozen=True, slots=True)
class Crossing:
    """A point where two kinds have equal chances; `cards` is interpolated."""

    kinds: tuple[Kind, Kind]
    cards: float
    probability: float


def kind_chart(title: str, tables: Sequence[KindTable]) -> bytes:
    """Return a PNG of the tables side by side: 1,500 pixels wide for two, 900 for one."""
    figure = Figure(figsize=(9 if len(tables) == 1 else 15, 11), layout="constrained")
    figure.suptitle(f"{title}: the chance of any hand of a kind", fontsize=17)
    grid = figure.subplots(2, len(tables), squeeze=False, sharex="col")
    for column, table in enumerate(tables):
        above, below = grid[0][column], grid[1][column]
        for axes in (above, below):
            _draw(axes, table)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        above.set_title(table.label, fontsize=14)
        above.set_ylim(-0.02, 1.04)
        below.set_yscale("log")
        below.set_ylim(_lowest(table) / 2, 1.6)
        for axes in (above, below):  # after setting the scale, which brings its own formatter
            axes.yaxis.set_major_formatter(FuncFormatter(_percent_label))
        below.set_xlabel("cards in play")
        _mark_crossings(above, below, table)
    grid[0][0].set_ylabel("chance")
    grid[1][0].set_ylabel("chance, logarithmic")
    figure.legend(
        *grid[0][0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=6 if len(tables) > 1 else 4,
        frameon=False,
        fontsize=12,
    )
    return _png(figure)


def _png(figure: Figure) -> bytes:
    """Return the figure as a PNG of 64 colours, which looks the same at a quarter of the size."""
    drawn, png = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    Image.open(drawn).convert("RGB").quantize(64).save(png, format="png", optimize=True)
    return png.getvalue()


def _draw(axes: Axes, table: KindTable) -> None:
    numbers = list(table.chances)
    for kind in table.kinds:
        colour, marker = STYLE[kind]
        values = [table.probability(in_play, kind) or float("nan") for in_play in numbers]
        axes.plot(
            numbers, values, color=web(colour), marker=marker, markersize=6, label=KIND_LABELS[kind]
        )
    dots = [
        (in_play, estimate.probability)
        for in_play, estimates in table.sampled.items()
        for estimate in estimates.values()
        if estimate.hits
    ]
    if dots:
        axes.plot(
            *zip(*dots, strict=True),
            "x",
            color=web(palette.REPORT_BLACK),
            markersize=5,
            label="sampled",
        )
    axes.grid(visible=True, color=web(palette.REPORT_GRID), linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _lowest(table: KindTable) -> float:
    """Return the smallest chance in the table that is above 0."""
    return min(
        chance.probability
        for chances in table.chances.values()
        for chance in chances.values()
        if chance.favourable
    )


def _mark_crossings(above: Axes, below: Axes, table: KindTable) -> None:
    """Draw numbered rings on `above` where the curves cross, and list these points in `below`."""
    marked = sorted(crossings(table), key=lambda crossing: crossing.cards)
    listed = ["Where curves cross"]
    labels: dict[tuple[float, float], list[str]] = {}  # crossings at the same place share one label
    for number, crossing in enumerate(marked, start=1):
        at = (crossing.cards, crossing.probability)
        above.plot(
            *at,
            "o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=web(palette.REPORT_BLACK),
        )
        labels.setdefault((round(at[0], 1), round(at[1], 2)), []).append(str(number))
        names = " = ".join(KIND_LABELS[kind].lower() for kind in crossing.kinds)
        listed.append(f"{number}  {names} at {crossing.cards:.1f} cards")
    for place, (at, numbers) in enumerate(labels.items()):
        # neighbours get labels on different sides; near the top there is only room on the right
        right = place % 2 == 1 or at[1] > 0.9
        above.annotate(
            ", ".join(numbers),
            at,
            xytext=(11, -12) if right else (-11, 4),
            textcoords="offset points",
            ha="left" if right else "right",
            fontsize=11,
            fontweight="bold",
        )
    if marked:
        below.text(
            0.98,
            0.04,
            "\n".join(listed),
            transform=below.transAxes,
            ha="right",
            va="bottom",
            multialignment="left",
            fontsize=11,
            bbox={
                "facecolor": web(palette.REPORT_PAPER),
                "edgecolor": web(palette.REPORT_FRAME),
                "boxstyle": "round",
            },
        )


def crossings(table: KindTable) -> Iterator[Crossing]:
    """Yield where two curves cross between two numbers of cards, along straight lines.

    Leave out places where a kind is almost impossible or nearly sure.
    """
    numbers = list(table.chances)
    for first, second in combinations(table.kinds, 2):
        for left, right in pairwise(numbers):
            before = table.probability(left, first) - table.probability(left, second)
            after = table.probability(right, first) - table.probability(right, second)
            if before * after >= 0:
                continue
            share = before / (before - after)
            low, high = table.probability(left, first), table.probability(right, first)
            probability = low + share * (high - low)
            if HARDLY < probability < NEARLY_SURE:
                yield Crossing((first, second), left + share, probability)


def _percent_label(value: float, _position: int) -> str:
    """Format a tick's value as `80%` or `0.001%`."""
    decimals = max(0, -round(log10(value * 100))) if value > 0 else 0
    return percent(value, decimals)

"""The chart of Three Card Poker: what each hand is worth, and where folding is better."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bot.boards.three_card_odds import KINDS
from bot.cli.reports.three_card_text import strength_name
from bot.pictures import palette
from bot.pictures.palette import web
from engine.odds.three_card import (
    Category,
    FoldLine,
    Showdowns,
    TableRules,
    best_fold_line,
    showdowns,
)

# Okabe and Ito's colours, distinguishable with any colour vision; labels beside the curves help too
COLOURS = {
    Category.HIGH_CARD: web(palette.OKABE_BLUE),
    Category.PAIR: web(palette.OKABE_ORANGE),
    Category.FLUSH: web(palette.OKABE_GREEN),
    Category.STRAIGHT: web(palette.OKABE_PURPLE),
    Category.THREE_OF_A_KIND: web(palette.OKABE_SKY),
    Category.STRAIGHT_FLUSH: web(palette.OKABE_VERMILION),
}
_FOLD = web(palette.REPORT_FOLD)


def three_card_png(rules: TableRules | None = None) -> bytes:
    """Return a PNG: expected value in antes by hand rank, with a close-up of the fold line."""
    rules = rules or TableRules()
    played = showdowns(rules.qualifies)
    values = played.net / played.classes.dealers + rules.bonus.units(played.classes)
    best = best_fold_line(rules)
    figure = Figure(figsize=(9, 7.2), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(1, 1))
    _every_hand(above, played, values)
    _near_the_line(below, played, values, best)
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=100, metadata={"Software": None})
    return picture.getvalue()


def _every_hand(axes: Axes, played: Showdowns, values: np.ndarray) -> None:
    """Draw all hands from the weakest to the strongest, each as wide as its share of the deck."""
    classes = played.classes
    order = np.lexsort((values, classes.strength))
    edges = 100 * np.concatenate([[0], classes.hands[order].cumsum()]) / classes.hands.sum()
    category = classes.category[order]
    for kind in Category:
        at = np.flatnonzero(category == kind)
        left, right = edges[at[0]], edges[at[-1] + 1]
        axes.stairs(
            values[order][at], [*edges[at], right], baseline=None, color=COLOURS[kind], linewidth=2
        )
        axes.axvspan(left, right, color=COLOURS[kind], alpha=0.12, linewidth=0)
    _label_kinds(axes, edges, category, values[order])
    axes.axhline(-1, color=_FOLD, linestyle="--", linewidth=1.2)
    axes.text(99.3, -0.93, "folding: −1", color=_FOLD, fontsize=9, ha="right", va="bottom")
    axes.set(
        xlim=(0, 100.5),  # leaves room for the straight flushes, 0.2 % of the hands
        xlabel="hands from the weakest to the strongest, % of 22,100",
        ylabel="expected value of playing (antes)",
    )
    axes.set_title("Three Card Poker: what each hand is worth when it is played", loc="left")
    axes.grid(axis="y", alpha=0.3)
    axes.margins(y=0.08)


def _label_kinds(axes: Axes, edges: np.ndarray, category: np.ndarray, values: np.ndarray) -> None:
    """Write each kind's name above its curve if there is room, else to the left of the curve."""
    for kind in Category:
        at = np.flatnonzero(category == kind)
        left, right = float(edges[at[0]]), float(edges[at[-1] + 1])
        room = right - left > 4
        axes.text(
            (left + right) / 2 if room else left - 0.7,
            float(values[at[-1]]) + (0.45 if room else 0.0),
            KINDS[kind],
            color=COLOURS[kind],
            fontsize=9,
            fontweight="bold",
            ha="center" if room else "right",
            va="center",
        )


def _near_the_line(axes: Axes, played: Showdowns, values: np.ndarray, best: FoldLine) -> None:
    """Draw the hands near the fold line: a dot for each strength and pattern of suits.

    The dots of hands to play are filled.
    """
    classes = played.classes
    first, last = max(best.lowest - 12, 0), min(best.lowest + 12, len(classes.keys) - 1)
    near = (classes.strength >= first) & (classes.strength <= last)
    plays = values > -1
    for mask, face, words in (
        (near & plays, COLOURS[Category.HIGH_CARD], "played; a dot for each way the suits fall"),
        (near & ~plays, web(palette.REPORT_PAPER), "folded"),
    ):
        axes.scatter(
            classes.strength[mask],
            values[mask],
            s=34,
            facecolor=face,
            edgecolor=COLOURS[Category.HIGH_CARD],
            linewidth=1.3,
            label=words,
            zorder=3,
        )
    axes.axhline(-1, color=_FOLD, linestyle="--", linewidth=1.2, label="folding: −1")
    axes.axvline(best.lowest - 0.5, color=COLOURS[Category.STRAIGHT_FLUSH], linewidth=1.5)
    strengths = range(first, last + 1)
    axes.set_xticks(strengths, map(strength_name, strengths), rotation=60, fontsize=8)
    axes.set(xlabel="hand", ylabel="expected value of playing (antes)")
    axes.set_title(
        f"The line: {strength_name(best.lowest)} and better plays",
        loc="left",
        color=web(palette.REPORT_BLACK),
    )
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper left")

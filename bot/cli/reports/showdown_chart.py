"""A showdown's answer as a picture: win, tie and lose bars, and the hands each player makes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from bot.language.words import percent, shortened
from bot.pictures import palette
from bot.pictures.palette import web

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from engine.odds.showdown.each_hand import EquityCurve
    from engine.odds.showdown.equity import Showdown

_INK: Final = web(palette.REPORT_INK)
_MOST_IN_RANKS: Final = 6
_LABEL_FROM: Final = 0.06
_LONGEST_NAME: Final = 22


def showdown_png(answer: Showdown, curve: EquityCurve | None = None) -> bytes:
    """The picture as a PNG, with the equity `curve` below if there is one.

    Uses no global state of matplotlib's, so it may run in any thread.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    players = len(answer.players)
    height = 1.6 + 0.42 * players + 3.4 + (3.4 if curve else 0)
    figure = Figure(
        figsize=(9, height), dpi=120, layout="constrained", facecolor=web(palette.REPORT_PAPER)
    )
    FigureCanvasAgg(figure)
    heights = (0.9 + 0.42 * players, 3.4, *((3.4,) if curve else ()))
    bars, ranks, *more = figure.subplots(len(heights), 1, height_ratios=heights)
    _draw_bars(answer, bars)
    _draw_ranks(answer, ranks)
    if curve is not None:
        _draw_curve(curve, more[0])
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _name(answer: Showdown, seat: int) -> str:
    held = answer.players[seat].cards or "unknown"
    return f"{seat + 1}: {shortened(held, _LONGEST_NAME)}"


def _draw_bars(answer: Showdown, axes: Axes) -> None:
    """A bar per player from win on the left to lose on the right, in per cent of the deals."""
    rows = range(len(answer.players))
    left = [0.0] * len(answer.players)
    for label, colour, ink, counts in (
        (
            "win",
            palette.REPORT_WIN,
            web(palette.REPORT_PAPER),
            [player.win for player in answer.players],
        ),
        ("tie", palette.REPORT_TIE, _INK, [player.tie for player in answer.players]),
        ("lose", palette.REPORT_LOSE, _INK, [player.lose for player in answer.players]),
    ):
        widths = [count / answer.deals for count in counts]
        axes.barh(rows, widths, left=left, color=web(colour), label=label, height=0.72)
        for row, width in zip(rows, widths, strict=True):
            if width >= _LABEL_FROM:
                text = percent(width, 1)
                axes.text(left[row] + width / 2, row, text, ha="center", va="center", color=ink)
        left = [at + width for at, width in zip(left, widths, strict=True)]
    for row, player in enumerate(answer.players):
        axes.text(1.01, row, percent(float(player.value), 2), va="center", color=_INK)
    axes.text(1.01, -0.75, "value", va="bottom", color=_INK, fontweight="bold")
    axes.set_yticks(list(rows), [_name(answer, seat) for seat in rows])
    axes.set_xlim(0, 1)
    axes.set_ylim(len(answer.players) - 0.5, -0.5)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.legend(ncols=3, frameon=False, loc="upper left", bbox_to_anchor=(0, -0.01))
    axes.set_title(_title(answer), loc="left", color=_INK, pad=16)


def _title(answer: Showdown) -> str:
    board = f"board {answer.scenario.board}" if answer.scenario.board else "before the board"
    if not answer.scenario.rules.public:
        board = f"{answer.scenario.rules.private} cards each"
    if answer.standard_error is None:
        return f"Showdown, {board} · exact, {answer.deals:,} deals"
    error = percent(answer.standard_error, 2)
    return f"Showdown, {board} · sampled, {answer.deals:,} deals, ± {error}"


def _draw_ranks(answer: Showdown, axes: Axes) -> None:
    """How often each player ends with each kind of hand; the first players if there are many."""
    from engine.odds.showdown.ranking import HandRank

    five = answer.scenario.rules.five_possible
    listed = answer.scenario.rules.ranking.kinds
    kinds = [rank for rank in listed if five or rank is not HandRank.FIVE]
    shown = answer.players[:_MOST_IN_RANKS]
    width = 0.8 / len(shown)
    for seat, player in enumerate(shown):
        at = [kind + (seat - (len(shown) - 1) / 2) * width for kind in range(len(kinds))]
        heights = [100 * player.ranks[kind] / answer.deals for kind in kinds]
        drawn = axes.bar(
            at,
            heights,
            width * 0.92,
            color=web(palette.REPORT_PLAYERS[seat]),
            label=_name(answer, seat),
        )
        if len(shown) <= 3:
            axes.bar_label(drawn, fmt="%.1f", fontsize=7, color=_INK)
    axes.set_xticks(range(len(kinds)), [kind.label for kind in kinds], rotation=20, ha="right")
    axes.set_ylabel("% of deals")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


def _draw_curve(curve: EquityCurve, axes: Axes) -> None:
    """The share of the pot, from the hands with the most to those with the least."""
    values = [100 * float(value) for value, _ in curve.points]
    parts = [0.0, *(100 * float(part) for _, part in curve.points)]
    axes.stairs(values, parts, fill=True, color=web(palette.REPORT_PLAYERS[curve.seat]))
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.grid(color=web(palette.REPORT_GRID))
    axes.set_axisbelow(True)
    axes.set_ylabel(f"% of the pot for player {curve.seat + 1}")
    whose = "their own hands" if curve.of_own_hands else "the hands they meet"
    axes.set_xlabel(f"% of {whose}")
    axes.spines[["top", "right"]].set_visible(False)

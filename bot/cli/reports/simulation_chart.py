"""A simulation as a picture: shares with their intervals, and how each player bids and doubts."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from bot.cli.reports.simulation import TimedSimulation, seated
from bot.language.words import percent
from bot.pictures import palette
from bot.pictures.palette import web

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_INK: Final = web(palette.REPORT_INK)
_BLUFFS: Final = web(palette.OKABE_VERMILION)
_CHALLENGES: Final = web(palette.OKABE_BLUE)


def shares_png(run: TimedSimulation) -> bytes:
    """The picture as a PNG. Uses no global state of matplotlib's, so it may run in any thread."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = len(run.simulation.results())
    figure = Figure(
        figsize=(9, 1.9 + 0.46 * rows),
        dpi=120,
        layout="constrained",
        facecolor=web(palette.REPORT_PAPER),
    )
    FigureCanvasAgg(figure)
    shares, habits = figure.subplots(1, 2, width_ratios=(3, 2), sharey=True)
    _draw_shares(run, shares)
    _draw_habits(run, habits)
    figure.suptitle(
        f"{run.simulation.rules.title} · {seated(run)}", x=0.01, ha="left", color=_INK, fontsize=10
    )
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _draw_shares(run: TimedSimulation, axes: Axes) -> None:
    """A dot with its interval for each player, and a tick where equal players would be."""
    results = run.simulation.results()
    for row, result in enumerate(results):
        found = result.interval
        axes.plot((found.low, found.high), (row, row), color=_INK, linewidth=2)
        axes.plot(found.share, row, "o", color=_INK, markersize=6)
        axes.plot(
            *(result.fair, row),
            marker="|",
            linestyle="none",
            markersize=16,
            markeredgewidth=2,
            color=web(palette.OKABE_ORANGE),
            label="a fair share" if row == 0 else None,
        )
        axes.annotate(
            percent(found.share, 1),
            (found.share, row),
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=_INK,
        )
    axes.set_yticks(range(len(results)), [_name(result.name, result.seats) for result in results])
    axes.set_ylim(len(results) - 0.4, -0.7)
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value * 100:.0f}%")
    axes.set_xlabel("matches won, with 95% intervals", color=_INK)
    _bare(axes)
    axes.legend(frameon=False, fontsize=8, loc="lower right")


def _draw_habits(run: TimedSimulation, axes: Axes) -> None:
    terms = run.simulation.rules.terms
    for row, result in enumerate(run.simulation.results()):
        for shift, value, colour, label in (
            (-0.18, result.habits.bluffs, _BLUFFS, f"bluffs, of its {terms.plural}"),
            (0.18, result.habits.challenges, _CHALLENGES, f"{terms.doubt}s, of its decisions"),
        ):
            axes.barh(row + shift, value, 0.32, color=colour, label=label if row == 0 else None)
            axes.annotate(
                percent(value, 1),
                (value, row + shift),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=_INK,
            )
    axes.set_xlim(0, max(0.1, axes.get_xlim()[1] * 1.25))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value * 100:.0f}%")
    _bare(axes)
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08))


def _bare(axes: Axes) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0, colors=_INK)
    axes.tick_params(axis="x", colors=_INK)
    axes.grid(axis="x", color=web(palette.REPORT_GRID), linewidth=0.6)
    axes.set_axisbelow(True)


def _name(name: str, seats: int) -> str:
    return name if seats == 1 else f"{name} × {seats}"

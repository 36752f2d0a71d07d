"""The result of a simulation: as a table, as CSV, as plain values for JSON and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from bot.cli.output import paragraph
from bot.language.words import count, percent, together
from bot.pictures import palette
from bot.pictures.palette import web
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from engine.players.simulation import Simulation

_HEADING: Final = (
    *("game", "matches", "seed", "duplicate", "name", "seats", "wins", "share", "low", "high"),
    *("fair", "bluffs", "challenges", "right", "bids", "lost"),
)


@dataclass(frozen=True, slots=True)
class TimedSimulation:
    """A simulation and its duration: `seconds` of playing, without compiling.

    `stopped`: Ctrl-C ended it before all matches were played.
    """

    simulation: Simulation
    seconds: float
    stopped: bool

    @property
    def matches(self) -> int:
        """The number of matches played."""
        return self.simulation.matches

    @property
    def matches_per_second(self) -> float:
        """The number of matches played a second."""
        return self.matches / self.seconds


def as_dict(run: TimedSimulation) -> dict[str, Any]:
    """Return the figures for JSON; each player's shares and rates are from 0 to 1."""
    simulation = run.simulation
    return {
        "game": VARIANTS[simulation.rules.key].short,
        "matches": run.matches,
        "seed": simulation.seed,
        "duplicate": simulation.duplicate,
        "players": [
            {
                "name": result.name,
                "seats": result.seats,
                "wins": result.wins,
                "share": result.interval.share,
                "low": result.interval.low,
                "high": result.interval.high,
                "fair": result.fair,
                "bluffs": result.habits.bluffs,
                "challenges": result.habits.challenges,
            }
            for result in simulation.results()
        ],
        "matches_per_second": run.matches_per_second,
    }


def csv_lines(run: TimedSimulation) -> Iterator[str]:
    """Yield a heading, then a row for each player with the JSON's figures and more rates.

    The speed is left out.
    """
    whole = as_dict(run)
    whole.pop("matches_per_second")
    rows = zip(whole.pop("players"), run.simulation.results(), strict=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, _HEADING, lineterminator="\n")
    writer.writeheader()
    for player, result in rows:
        habits = result.habits
        rates = {"right": habits.right, "bids": habits.bids, "lost": habits.lost}
        writer.writerow(whole | player | rates)
    yield from text.getvalue().splitlines()


def table_lines(run: TimedSimulation) -> Iterator[str]:
    """Yield the table as text: wins, intervals of the true shares, and how each player played."""
    simulation = run.simulation
    terms = simulation.rules.terms
    seed = together(f"seed {simulation.seed}")
    players = count(sum(result.seats for result in simulation.results()), "player")
    yield paragraph(f"{simulation.rules.title} · {players} · {seating_text(run)} · {seed}")
    yield ""
    heading = ("", "seats", "wins", "share", "95%", "fair", "bluffs", terms.doubt + "s", "right")
    rows = [heading]
    for result in simulation.results():
        interval, habits = result.interval, result.habits
        rows.append(
            (
                result.name,
                str(result.seats),
                f"{result.wins:,.0f}",
                percent(interval.share, 1),
                f"{interval.low * 100:.1f} to {interval.high * 100:.1f}",
                percent(result.fair, 1),
                percent(habits.bluffs, 1),
                percent(habits.challenges, 1),
                percent(habits.right, 1),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(heading))]
    for row in rows:
        cells = (f"{cell:>{wide}}" for cell, wide in zip(row[1:], widths[1:], strict=True))
        yield f"{row[0]:<{widths[0]}}  {'  '.join(cells)}"
    yield ""
    yield paragraph(
        f"Share: of all matches won by the player's seats. Bluffs: of its {terms.plural}, those"
        f" with a chance below 25% by its own cards. {terms.challenge}s: of its decisions; right:"
        f" of its {terms.doubt}s."
    )
    rate = f"{run.matches_per_second:,.{0 if run.matches_per_second >= 10 else 2}f}"
    yield f"{rate} matches a second{'' if simulation.is_compiled else ', not compiled'}."


def seating_text(run: TimedSimulation) -> str:
    """Return how many matches were played, and in which seatings, as text."""
    simulation = run.simulation
    seatings = simulation.seatings
    played = f"{run.matches:,} match{'es' if run.matches != 1 else ''}"
    if not simulation.duplicate:
        return f"{played}, each with a deal and an order of its own"
    few = simulation.deals < 1000
    deals = count(simulation.deals, "deal") if few else f"{simulation.deals:,} deals"
    if seatings.complete:
        return f"{played}: {deals}, each in all {seatings.of_a_deal} seatings"
    return (
        f"{played}: {deals}, each in {seatings.of_a_deal} of {seatings.distinct:,} seatings,"
        " a balanced random sample"
    )


_INK: Final = web(palette.REPORT_INK)
_BLUFFS: Final = web(palette.OKABE_VERMILION)
_CHALLENGES: Final = web(palette.OKABE_BLUE)


def shares_png(run: TimedSimulation) -> bytes:
    """Return a PNG of each player's share of matches won, its interval, and how the player plays.

    Uses no global state of matplotlib's, so it may run in any thread.
    """
    from matplotlib.figure import Figure

    rows = len(run.simulation.results())
    figure = Figure(
        figsize=(9, 1.9 + 0.46 * rows),
        dpi=120,
        layout="constrained",
        facecolor=web(palette.REPORT_PAPER),
    )
    shares, habits = figure.subplots(1, 2, width_ratios=(3, 2), sharey=True)
    _draw_shares(run, shares)
    _draw_habits(run, habits)
    figure.suptitle(
        f"{run.simulation.rules.title} · {seating_text(run)}",
        x=0.01,
        ha="left",
        color=_INK,
        fontsize=10,
    )
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _draw_shares(run: TimedSimulation, axes: Axes) -> None:
    """Draw a dot with its interval for each player, and a tick where equal players would be."""
    results = run.simulation.results()
    for row, result in enumerate(results):
        interval = result.interval
        axes.plot((interval.low, interval.high), (row, row), color=_INK, linewidth=2)
        axes.plot(interval.share, row, "o", color=_INK, markersize=6)
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
            percent(interval.share, 1),
            (interval.share, row),
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

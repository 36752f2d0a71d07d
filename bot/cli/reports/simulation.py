"""What a simulation found, as a table, as CSV and as plain values for JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.cli.output import paragraph
from bot.language.words import count, percent, together

if TYPE_CHECKING:
    from engine.players.simulation import Simulation

_HEADING: Final = (
    *("game", "matches", "seed", "duplicate", "name", "seats", "wins", "share", "low", "high"),
    *("fair", "bluffs", "challenges", "right", "bids", "lost"),
)


@dataclass(frozen=True, slots=True)
class TimedSimulation:
    """A simulation with what it took: `seconds` of playing, without compiling."""

    simulation: Simulation
    seconds: float
    stopped: bool

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return self.simulation.matches

    @property
    def matches_per_second(self) -> float:
        """How many matches a second were played."""
        return self.matches / self.seconds


def as_dict(run: TimedSimulation) -> dict[str, Any]:
    """The figures as JSON has them: shares and rates from 0 to 1."""
    simulation = run.simulation
    return {
        "game": _game(run),
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
    """A heading and a row a player, with what JSON has and a few rates more."""
    whole = as_dict(run)
    whole.pop("matches_per_second")
    rows = zip(whole.pop("players"), run.simulation.results(), strict=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, _HEADING, lineterminator="\n")
    writer.writeheader()
    for player, result in rows:
        habits = result.habits
        more = {"right": habits.right, "bids": habits.bids, "lost": habits.lost}
        writer.writerow(whole | player | more)
    yield from text.getvalue().splitlines()


def table_lines(run: TimedSimulation) -> Iterator[str]:
    """The table as text: who won how many, between which shares the truth lies, how each played."""
    simulation = run.simulation
    terms = simulation.rules.terms
    seed = together(f"seed {simulation.seed}")
    yield paragraph(f"{simulation.rules.title} · {seats(run)} · {seated(run)} · {seed}")
    yield ""
    heading = ("", "seats", "wins", "share", "95%", "fair", "bluffs", terms.doubt + "s", "right")
    rows = [heading]
    for result in simulation.results():
        found, habits = result.interval, result.habits
        rows.append(
            (
                result.name,
                str(result.seats),
                f"{result.wins:,.0f}",
                percent(found.share, 1),
                f"{found.low * 100:.1f} to {found.high * 100:.1f}",
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
    yield f"{_rate(run)} matches a second{'' if simulation.compiled else ', not compiled'}."


def seats(run: TimedSimulation) -> str:
    """How many play: "4 players"."""
    return count(sum(result.seats for result in run.simulation.results()), "player")


def seated(run: TimedSimulation) -> str:
    """How many matches, and in which seatings."""
    simulation = run.simulation
    seatings = simulation.seatings
    played = f"{run.matches:,} match{'es' if run.matches != 1 else ''}"
    if not simulation.duplicate:
        return f"{played}, each with a deal and an order of its own"
    deals = (
        count(simulation.deals, "deal")
        if simulation.deals < 1000
        else f"{simulation.deals:,} deals"
    )
    if seatings.complete:
        return f"{played}: {deals}, each in all {seatings.of_a_deal} seatings"
    return (
        f"{played}: {deals}, each in {seatings.of_a_deal} of {seatings.distinct:,} seatings,"
        " a balanced random sample"
    )


def _game(run: TimedSimulation) -> str:
    from engine.variants import VARIANTS

    return VARIANTS[run.simulation.rules.key].short


def _rate(run: TimedSimulation) -> str:
    rate = run.matches_per_second
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"

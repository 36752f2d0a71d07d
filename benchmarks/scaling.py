"""Simulate how long Discord's limit makes tables wait, by the number of tables in play.

    python -m benchmarks.scaling [--tables 100,500,1000] [--players 4] [--think 12] [--chart FILE]

Discord accepts 50 requests a second from a bot, not counting requests with the token of a press.
The bot makes at most 45: new messages first, while edits of tables wait. At a table, a round is
dealt, people move, one of them challenges, the showdown is shown, and after a pause the next round
is dealt. Requests that a press at the table causes don't count, nor do edits of the message that
answers it. These count:

- a deal by the clock: one message, and an edit of it for each move made in a seat (while an edit
  waits, later moves need no further edit);
- a showdown after a challenge in a seat: one message, and its edit to a record at the next deal;
- a message for each player if cards come by direct message.

tests/bot/discord/tables/test_costs.py counts these requests. While less than half of the limit is
used, the bot redraws a table with its own token for each move made in a seat, and leaves presses'
tokens to the seats; above that it uses the presses' tokens, as `bot/discord/delivery/budget.py`
does. So the simulation is valid for a bot in ten servers and in 100,000. People don't move before
the message of their deal is there, so tables slow down together when the limit is reached.

The time that people think and the number of moves in a round are assumed, not measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import simpy

from bot.discord.delivery.budget import LITTLE_USED

LIMIT: Final = 45  # requests in any second: discord.requests_per_second
WARM_UP: Final = 180.0  # seconds until the tables are no longer in step
MEASURED: Final = 600.0
TABLES: Final = (1, 10, 100, 250, 500, 1_000, 1_500, 2_000, 3_000, 4_000)

Steps = Generator[simpy.Event, Any, None]


@dataclass(frozen=True, slots=True)
class Play:
    """The number of people at a table, and their pace."""

    players: int = 4
    moves: float = 6.0  # a round on average, with the challenge that ends it
    think: float = 12.0  # seconds for a move
    pause: float = 15.0  # seconds before a deal: tables.next_round_seconds


USUAL: Final = Play()


@dataclass(frozen=True, slots=True)
class Form:
    """The way a table is played: where people move, and how cards and deals come."""

    name: str
    seats: bool  # moves are made in seats
    pressed: bool  # somebody presses *Next round* at the table; else the clock deals
    direct_messages: bool = False  # cards come by direct message too

    def a_round(self, play: Play) -> float:
        """Return a round's mean number of requests that count towards the limit.

        If redraws have to wait, there are fewer requests.
        """
        posted = 0 if self.pressed else 1
        redraws = (play.moves + 2) * self.seats
        return posted + redraws + play.players * self.direct_messages


FORMS: Final = (
    Form("at the table, dealt by the clock", seats=False, pressed=False),
    Form("in seats", seats=True, pressed=True),
    Form("in seats, cards by direct message too", seats=True, pressed=True, direct_messages=True),
    Form("in seats, dealt by the clock", seats=True, pressed=False),
)


@dataclass
class Waits:
    """The measurements of a simulation, taken after its warm-up."""

    messages: list[float] = field(default_factory=list)  # seconds that each message waited
    starts: list[float] = field(default_factory=list)  # times of all requests that count
    redraws: int = 0  # of tables, for moves made in seats
    by_token: int = 0  # redraws made with the token of a press

    def quantile(self, share: float) -> float:
        """Return a quantile of the messages' waits, in seconds; `share` is from 0 to 1."""
        waits = sorted(self.messages)
        return waits[min(len(waits) - 1, int(share * len(waits)))] if waits else 0.0

    @property
    def rate(self) -> float:
        """The mean number of requests a second that count towards the limit."""
        return len(self.starts) / MEASURED

    @property
    def share_by_token(self) -> float:
        """The share of the redraws made with the token of a press."""
        return self.by_token / self.redraws if self.redraws else 0.0


class TableSimulation:
    """A simulation of tables that share one limit of requests a second."""

    def __init__(self, tables: int, form: Form, play: Play, seed: int, limit: int = LIMIT) -> None:
        self._now = simpy.Environment()
        self._slots = simpy.PriorityResource(self._now, limit)
        self._limit = limit
        self._form, self._play, self._chance = form, play, Random(seed)
        self.waits = Waits()
        for _ in range(tables):
            self._now.process(self._table())

    def run(self) -> Waits:
        """Simulate the warm-up and the measured time, and return the result."""
        self._now.run(WARM_UP + MEASURED)
        return self.waits

    def _request(self, *, awaited: bool = True) -> Steps:
        """Wait for a slot of the limit, and release it a second later.

        If `awaited`, people wait for the request: it goes first, and its wait is recorded.
        """
        begun = self._now.now
        slot = self._slots.request(priority=0 if awaited else 1)
        yield slot
        if self._now.now >= WARM_UP:
            self.waits.starts.append(self._now.now)
            if awaited:
                self.waits.messages.append(self._now.now - begun)
        self._now.process(self._held(slot))

    def _note_redraw(self, *, by_token: bool) -> None:
        if self._now.now >= WARM_UP:
            self.waits.redraws += 1
            self.waits.by_token += by_token

    def _held(self, slot: Any) -> Steps:
        yield self._now.timeout(1.0)
        self._slots.release(slot)

    def _table(self) -> Steps:
        form, play, chance = self._form, self._play, self._chance
        yield self._now.timeout(chance.uniform(0, WARM_UP / 2))
        edit: simpy.Process | None = None
        while True:
            messages = [
                self._now.process(self._request())
                for _ in range(play.players if self._form.direct_messages else 0)
            ]
            if not form.pressed:
                yield self._now.process(self._request())
            if form.seats:  # the showdown before becomes a record
                self._now.process(self._request(awaited=False))
            yield self._now.all_of(messages)
            while True:
                yield self._now.timeout(chance.expovariate(1 / play.think))
                if form.seats and (edit is None or edit.processed):
                    # a message that the clock has posted has no token
                    if form.pressed and self._slots.count >= LITTLE_USED * self._limit:
                        self._note_redraw(by_token=True)
                    else:
                        self._note_redraw(by_token=False)
                        edit = self._now.process(self._request(awaited=False))
                if chance.random() < 1 / play.moves:
                    break  # that was the challenge
            if form.seats:
                yield self._now.process(self._request())
            yield self._now.timeout(play.pause)


def simulate(tables: int, form: Form, play: Play, seed: int = 1, limit: int = LIMIT) -> Waits:
    """Simulate `tables` tables, all played in one form."""
    return TableSimulation(tables, form, play, seed, limit).run()


def chart(results: dict[str, list[tuple[int, Waits]]], file: Path) -> None:
    """Draw the 99th percentile of the waits by number of tables into `file`, with matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for marker, (name, points) in zip("os^d", results.items(), strict=False):
        numbers = [tables for tables, _ in points]
        axes.plot(numbers, [waits.quantile(0.99) for _, waits in points], marker=marker, label=name)
    axes.set_yscale("symlog", linthresh=0.1)
    axes.set_yticks((0, 0.1, 1, 10, 100), ("0", "0.1 s", "1 s", "10 s", "100 s"))
    axes.minorticks_off()
    axes.set_ylim(-0.01, 400)
    axes.grid(axis="y", color="0.9")
    axes.set_xlabel("tables that are played at once")
    axes.set_ylabel("wait for a deal or a showdown, 99 of 100")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(file)


def numbers(text: str) -> Sequence[int]:
    """Parse whole numbers separated by commas."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--tables", type=numbers, default=TABLES)
    parser.add_argument("--players", type=int, default=USUAL.players)
    parser.add_argument("--moves", type=float, default=USUAL.moves, help="in a round, on average")
    parser.add_argument("--think", type=float, default=USUAL.think, help="seconds a move")
    parser.add_argument("--pause", type=float, default=USUAL.pause, help="seconds before a deal")
    parser.add_argument("--limit", type=int, default=LIMIT, help="requests a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chart", type=Path, help="a PNG file")
    options = parser.parse_args()
    play = Play(options.players, options.moves, options.think, options.pause)
    print(play)
    print(
        "| tables | | requests a second | redraws by token"
        " | wait of a message, median | 99 of 100 |"
    )
    print("|---|---|---|---|---|---|")
    results: dict[str, list[tuple[int, Waits]]] = {form.name: [] for form in FORMS}
    for tables in options.tables:
        for form in FORMS:
            waits = simulate(tables, form, play, options.seed, options.limit)
            results[form.name].append((tables, waits))
            print(
                f"| {tables:,} | {form.name} | {waits.rate:.1f} | {waits.share_by_token:.0%}"
                f" | {waits.quantile(0.5):.2f} s"
                f" | {waits.quantile(0.99):.2f} s |",
                flush=True,
            )
    if options.chart is not None:
        chart(results, options.chart)


if __name__ == "__main__":
    main()

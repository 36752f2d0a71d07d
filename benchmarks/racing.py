"""Time several contenders by turns at the same work; show median times and ratios.

A contender is a function or a program. A program reads lines, each with the name of a piece of
work. It answers each line with a line: wall seconds, processor seconds, and how many units of the
work it did (1 for a whole answer); or `-` if it can't do the work. Ratios and goals are of
processor time. A ratio is the median over all rounds; its range is that of the rounds' ratios.
"""

from __future__ import annotations

import resource
import shlex
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any

SHORTEST = 0.05


@dataclass
class Spent:
    """Seconds of wall time and of processor time."""

    wall: float
    cpu: float


@dataclass
class Line:
    """The times that we and each peer take for one piece of work.

    With a `unit` such as "M/s", show speeds instead, in millions a second; `amount` is the number
    of units in the whole work. A ratio is a peer's processor time divided by ours. The goal is met
    if the ratio to `goal_peer` is at least `goal_ratio`, or, without a `goal_peer`, if our
    processor time is at most `goal_ratio` seconds.
    """

    work: str
    ours: Spent
    unit: str = ""
    amount: float = 1.0
    peers: dict[str, Spent] = field(default_factory=dict)
    ratios: dict[str, list[float]] = field(default_factory=dict)
    goal: str = ""
    goal_peer: str = ""
    goal_ratio: float = 0.0

    def show(self) -> str:
        rows = [f"{self.work}\n    {'ours':<24}{self._speed(self.ours)}"]
        for peer, spent in self.peers.items():
            ratios = self.ratios[peer]
            span = f"{min(ratios):,.2f} to {max(ratios):,.2f} in {len(ratios)} rounds"
            ratio = statistics.median(ratios)
            rows.append(f"    {peer:<24}{self._speed(spent)}   ours is {ratio:,.2f} x ({span})")
        if self.goal:
            met = "not measured: the peer is missing"
            if self.goal_peer in self.peers:
                ratio = statistics.median(self.ratios[self.goal_peer])
                met = "met" if ratio >= self.goal_ratio else "NOT met"
            elif not self.goal_peer:
                met = "met" if self.ours.cpu <= self.goal_ratio else "NOT met"
            rows.append(f"    goal: {self.goal}: {met}")
        return "\n".join(rows)

    def _speed(self, spent: Spent) -> str:
        if self.unit:
            wall, cpu = (self.amount / seconds / 1e6 for seconds in (spent.wall, spent.cpu))
            return f"{cpu:>12,.3f} {self.unit} ({wall:,.3f} by the wall)"
        return f"{spent.cpu * 1e3:>12,.4f} ms ({spent.wall * 1e3:,.4f} by the wall)"


class Program:
    """A contender that is a program of its own (see the module's docstring)."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, work: str) -> tuple[Spent, float] | None:
        """Let the program do a piece of work; return (times, units), or None if it can't."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{work}\n")
        process.stdin.flush()
        fields = process.stdout.readline().split()
        if len(fields) != 3:
            return None
        wall, cpu, units = map(float, fields)
        return Spent(wall, cpu), units


PROGRAMS: list[Program] = []


def time_runs(work: Callable[[], object], repeats: int) -> Spent:
    """Return the mean times of a run of `work`; processor time includes its child processes."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, cpu = perf_counter(), process_time()
    for _ in range(repeats):
        work()
    wall, cpu = perf_counter() - wall, process_time() - cpu
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu += now.ru_utime + now.ru_stime - children.ru_utime - children.ru_stime
    return Spent(wall / repeats, cpu / repeats)


def race(
    contenders: dict[str, tuple[Callable[[], object], float]],
    rounds: int,
    question: str = "",
    amount: float = 1.0,
) -> dict[str, list[Spent]]:
    """Return each contender's times for the whole work, by round.

    A contender is (function, the share of the whole work that a call does). Short work is repeated
    for `SHORTEST` seconds, so that caches filled by the previous contender hardly matter. Programs
    are asked for the work called `question`; `amount` is the whole work's number of units.
    """
    times: dict[str, list[Spent]] = {name: [] for name in contenders}
    repeats = {}
    for name, (work, _) in contenders.items():
        work()
        repeats[name] = 1 + int(SHORTEST / max(time_runs(work, 1).cpu, 1e-7))
    programs = [program for program in PROGRAMS if question and program.ask(question)]
    for _ in range(rounds):
        for name, (work, share) in contenders.items():
            spent = time_runs(work, repeats[name])
            times[name].append(Spent(spent.wall / share, spent.cpu / share))
        for program in programs:
            answer = program.ask(question)
            assert answer is not None
            spent, units = answer
            whole = amount / units
            times.setdefault(program.name, []).append(Spent(spent.wall * whole, spent.cpu * whole))
    return times


def median(rounds: list[Spent]) -> Spent:
    return Spent(
        statistics.median(spent.wall for spent in rounds),
        statistics.median(spent.cpu for spent in rounds),
    )


def line(
    work: str,
    contenders: dict[str, tuple[Callable[[], object], float]],
    rounds: int,
    question: str = "",
    amount: float = 1.0,
    **options: Any,
) -> Line:
    times = race(contenders, rounds, question, amount)
    ours = times.pop("ours")
    result = Line(
        work,
        median(ours),
        amount=amount,
        peers={name: median(theirs) for name, theirs in times.items()},
        ratios={
            name: [their.cpu / our.cpu for our, their in zip(ours, theirs, strict=True)]
            for name, theirs in times.items()
        },
        **options,
    )
    print(result.show(), flush=True)
    return result

"""Pieces of work done by several contenders in turns: medians of wall and processor time, ratios.

A contender is a function, or a program that somebody has built. A program reads the name of a piece
of work a line and answers a line: wall seconds, processor seconds, and how many of the work's units
it did, 1 for a whole answer; or `-` for what it cannot do. Ratios and goals go by processor time.
A ratio is the median of those of the rounds, and its range the smallest and the largest of them.
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
    """Seconds of the clock on the wall and of the processor."""

    wall: float
    cpu: float


@dataclass
class Line:
    """One piece of work: what all of it takes us and each peer that can do it."""

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
    """A peer that is a program of its own; see the module's first lines."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, work: str) -> tuple[Spent, float] | None:
        """What it spent on a piece of work and how many units it did; None if it cannot do it."""
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
    """What one of several runs takes; of programs that it starts, their processor time."""
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
    """Seconds of the whole work in each round, of which a contender does `share` per call.

    Short work is repeated for some hundredths of a second, so that nobody pays for the caches
    that the one before has filled. Programs are asked the `question` in their turn;
    `amount` are the units of the whole work.
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

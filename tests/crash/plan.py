"""Which kills a run has: every named point, and random moments, in an order from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from tests.crash.points import BY_NAME, POINTS
from tests.fixtures.house import kept

RANDOM: Final = {"play": 11, "start": 5, "stop": 4}  # where kills at random moments come, by weight


@dataclass(frozen=True)
class Kill:
    """One kill: at a passing of a point, or at a random moment of `where`."""

    point: str | None = None
    passing: int = 1
    where: str = "play"


@dataclass
class Plan:
    """The kills of a run, by where they happen."""

    points: list[str]
    kills: list[Kill] = field(default_factory=list)
    first: list[list[Kill]] = field(default_factory=list)  # each on a new database
    migrations: list[tuple[Path, list[Kill]]] = field(default_factory=list)


def planned(number: int, chance: Random, points: Sequence[str] = ()) -> Plan:
    """So many kills; all of them at these points, if any are named.

    Every point is among them if there are enough; then half of the rest are at points too.
    """
    names = list(points) if points else [one.name for one in POINTS]
    chosen: list[str | None] = list(names if number >= len(names) else chance.sample(names, number))
    while len(chosen) < number:
        chosen.append(chance.choice(names) if points or chance.random() < 0.5 else None)
    plan = Plan([one for one in dict.fromkeys(chosen) if one is not None])
    first: list[Kill] = []
    moving: list[Kill] = []
    for name in chosen:
        if name is None:
            (where,) = chance.choices(list(RANDOM), list(RANDOM.values()))
            plan.kills.append(Kill(where=where))
            continue
        kill = Kill(name, chance.randint(1, BY_NAME[name].most))
        {"first": first, "migration": moving}.get(BY_NAME[name].where, plan.kills).append(kill)
    chance.shuffle(plan.kills)
    plan.first = _chains(first)
    old = kept()[:-1]
    for at, chain in enumerate(_chains(moving)):
        plan.migrations.append((old[(at + chance.randrange(len(old))) % len(old)], chain))
    return plan


def _chains(kills: list[Kill]) -> list[list[Kill]]:
    """Kills that come one after the other on one database; what commits comes last."""
    by_name: dict[str, list[Kill]] = {}
    for kill in kills:
        by_name.setdefault(kill.point or "", []).append(kill)
    order = [point.name for point in POINTS]
    chains = []
    while by_name:
        chain = [by_name[name].pop() for name in order if name in by_name]
        by_name = {name: rest for name, rest in by_name.items() if rest}
        chains.append(chain)
    return chains

"""Two bots clicked in turns: what each kind of click took of both, and the ratio of the turns."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Figures:
    """What clicks of one kind took in one turn, in milliseconds."""

    waits: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Have those of another too."""
        self.waits += other.waits
        self.cpu += other.cpu


@dataclass
class Turns:
    """The figures of every turn, by side and kind."""

    ours: dict[str, list[Figures]] = field(default_factory=dict)
    bare: dict[str, list[Figures]] = field(default_factory=dict)

    def add(self, which: str, kind: str, figures: Figures) -> None:
        """Note what one turn took."""
        getattr(self, which).setdefault(kind, []).append(figures)

    def line(self, kind: str) -> str:
        """One kind: both sides' medians, and the median of the turns' ratios."""
        ours, bare = self.ours[kind], self.bare[kind]

        def ratio(of: Callable[[Figures], float]) -> str:
            found = sorted(of(one) / of(other) for one, other in zip(ours, bare, strict=True))
            return f"{statistics.median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f})"

        def side(name: str, turns: list[Figures]) -> str:
            waits = [wait for figures in turns for wait in figures.waits]
            cpu = [used for figures in turns for used in figures.cpu]
            return (
                f"{name} median {statistics.median(waits):5.1f} ms, p95 {p95(waits):5.1f} ms,"
                f" cpu {statistics.mean(cpu):5.1f} ms"
            )

        return (
            f"{kind:5} {side('ours', ours)}; {side('bare', bare)}\n"
            f"      ratio: median {ratio(lambda one: statistics.median(one.waits))},"
            f" p95 {ratio(lambda one: p95(one.waits))},"
            f" cpu {ratio(lambda one: statistics.median(one.cpu))}"
        )


def p95(values: list[float]) -> float:
    """What 95 of 100 are within."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]

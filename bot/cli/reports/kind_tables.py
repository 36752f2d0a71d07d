"""The chance of any hand of each kind by the number of cards in play: as CSV, text and claims.

The CSV is that of the 2017 article "Liars' Poker probability analysis using sampling"; the claims
are the article's four, judged here from the exact figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from bot.words import KIND_LABELS, percent
from engine.bids import Kind
from engine.odds import Chance

if TYPE_CHECKING:
    from engine.odds import Estimate

CSV_HEADING: Final = "Deck,CardsPerGame,Hand,Probability"
_COLUMN: Final = 12


@dataclass(frozen=True)
class KindTable:
    """`chances[n][kind]` with n cards of a deck of `deck` cards in play; kinds weakest first.

    `sampled` has the same shape, or is empty.
    """

    deck: int
    chances: Mapping[int, Mapping[Kind, Chance]]
    sampled: Mapping[int, Mapping[Kind, Estimate]]

    @property
    def label(self) -> str:
        """The article's name of the deck."""
        return f"{self.deck}-card deck"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds, weakest first."""
        return tuple(next(iter(self.chances.values())))

    def probability(self, in_play: int, kind: Kind) -> float:
        """The exact chance as a float."""
        return self.chances[in_play][kind].probability


def csv_lines(tables: Iterable[KindTable]) -> Iterator[str]:
    """The article's CSV: deck by deck, by cards in play, by kind ("A. High Card" ...)."""
    yield CSV_HEADING
    for table in tables:
        for in_play, chances in table.chances.items():
            for letter, (kind, chance) in zip(ascii_uppercase, chances.items(), strict=False):
                label = KIND_LABELS[kind].title().replace(" Of A ", " of a ")
                yield f"{table.label},{in_play},{letter}. {label},{chance.probability!r}"


def table_lines(table: KindTable) -> Iterator[str]:
    """The table for people: a line for each number of cards, three where it was also sampled."""
    yield f"Any hand of a kind, {table.label}"
    yield _line("cards", (_heading(kind) for kind in table.kinds))
    for in_play, chances in table.chances.items():
        yield _line(f"{in_play:>5}  exact", [percent(c.probability) for c in chances.values()])
        estimates = table.sampled.get(in_play)
        if estimates is not None:
            found = list(estimates.values())
            yield _line("       sampled", [f"{e.probability * 100:.2f}" for e in found])
            yield _line("       ± s.e.", [f"{e.standard_error * 100:.2f}" for e in found])


def _heading(kind: Kind) -> str:
    return KIND_LABELS[kind].replace(" of a kind", "").replace("Straight f", "Str. f")


def _line(heading: str, cells: Iterable[str]) -> str:
    return f"{heading:<15}" + "".join(f"{cell:>{_COLUMN}}" for cell in cells)


def largest_deviation(tables: Iterable[KindTable]) -> tuple[float, int]:
    """How many standard errors the worst sampled figure is off the exact one, of how many figures.

    The standard errors are the exact chances' own. Figures that are sure, and those so rare that
    fewer than ten hits or misses were to be expected, are left out.
    """
    deviations = []
    for table in tables:
        for in_play, estimates in table.sampled.items():
            for kind, estimate in estimates.items():
                exact = table.probability(in_play, kind)
                variance = exact * (1 - exact) * estimate.samples
                if variance >= 10:
                    off = abs(estimate.hits - exact * estimate.samples)
                    deviations.append(off / variance**0.5)
    return max(deviations, default=0.0), len(deviations)

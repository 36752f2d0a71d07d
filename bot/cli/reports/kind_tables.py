"""The chance of any hand of each kind by the number of cards in play: as CSV and as text.

The CSV is that of the 2017 sampling article (docs/odds.md); what it claimed is judged in `claims`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from bot.cli.output import WIDTH
from bot.language.words import KIND_LABELS, percent, short_kind
from engine.bids import Kind
from engine.odds import Chance

if TYPE_CHECKING:
    from engine.odds import Estimate

CSV_HEADING: Final = "Deck,CardsPerGame,Hand,Probability"
_LABEL: Final = 8


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
    """The table as text in per cent, sampled figures and their standard errors below the exact.

    At most 80 columns wide: kinds for which a line has no room follow in a further block.
    """
    yield f"Any hand of a kind, {table.label}, in %"
    columns = [_column(table, kind) for kind in table.kinds]
    labels = ["", "cards"]
    for in_play in table.chances:
        labels += _labels(table, in_play)
    for block in _blocks(columns):
        widths = [_wide(column) for column in block]
        for row, label in enumerate(labels):
            cells = "".join(
                f"{column[row]:>{wide}}" for column, wide in zip(block, widths, strict=True)
            )
            yield f"{label:<{_LABEL}}{cells}".rstrip()


def _labels(table: KindTable, in_play: int) -> list[str]:
    return [f"{in_play:>2} exact", *([" sampled", "  ± s.e."] if in_play in table.sampled else [])]


def _column(table: KindTable, kind: Kind) -> list[str]:
    """Two lines of heading, then the kind's figures from top to bottom."""
    first, _, second = short_kind(KIND_LABELS[kind]).partition(" ")
    cells = [first, second] if second else ["", first]
    for in_play in table.chances:
        cells.append(percent(table.probability(in_play, kind)).removesuffix("%"))
        if in_play in table.sampled:
            # a kind of another deck's ladder is not looked for in this one
            estimate = table.sampled[in_play].get(kind)
            cells.append(f"{estimate.probability * 100:.2f}" if estimate else "")
            cells.append(f"{estimate.standard_error * 100:.2f}" if estimate else "")
    return cells


def _blocks(columns: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    """The columns in groups that fit a line."""
    block: list[list[str]] = []
    for column in columns:
        if block and _LABEL + sum(map(_wide, [*block, column])) > WIDTH:
            yield block
            block = []
        block.append(column)
    yield block


def _wide(column: Sequence[str]) -> int:
    return max(map(len, column)) + 1


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

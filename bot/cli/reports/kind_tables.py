"""The chance of any hand of each kind by the number of cards in play: as CSV and as text.

The CSV has the format of the 2017 sampling article (docs/odds.md); the module also checks that
article's claims.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from bot.cli.output import WIDTH, paragraph
from bot.language.words import KIND_LABELS, percent, short_kind
from engine.bids import Kind
from engine.cards import DeckSpec
from engine.odds import Chance

if TYPE_CHECKING:
    from engine.odds import Estimate

CSV_HEADING: Final = "Deck,CardsPerGame,Hand,Probability"
_LABEL: Final = 8


@dataclass(frozen=True)
class KindTable:
    """The chances of one deck: `chances[n][kind]` is the chance with n cards in play.

    `deck`: the number of cards in the deck. Kinds go from the weakest up. `sampled` has the same
    shape, or is empty.
    """

    deck: int
    chances: Mapping[int, Mapping[Kind, Chance]]
    sampled: Mapping[int, Mapping[Kind, Estimate]]

    @property
    def label(self) -> str:
        """The deck's name, as in the 2017 article (docs/odds.md)."""
        return f"{self.deck}-card deck"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds, weakest first."""
        return tuple(next(iter(self.chances.values())))

    def probability(self, in_play: int, kind: Kind) -> float:
        """Return the exact chance as a float."""
        return self.chances[in_play][kind].probability


def csv_lines(tables: Iterable[KindTable]) -> Iterator[str]:
    """Yield the tables as CSV lines in the format of the 2017 article (docs/odds.md)."""
    yield CSV_HEADING
    for table in tables:
        for in_play, chances in table.chances.items():
            for letter, (kind, chance) in zip(ascii_uppercase, chances.items(), strict=False):
                label = KIND_LABELS[kind].title().replace(" Of A ", " of a ")
                yield f"{table.label},{in_play},{letter}. {label},{chance.probability!r}"


def table_lines(table: KindTable) -> Iterator[str]:
    """Yield the table as text in per cent, with sampled figures and their errors below exact ones.

    The errors are standard errors. At most 80 columns wide: kinds that don't fit in a line follow
    in another block.
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
    """Return two lines of heading, then the kind's figures from top to bottom."""
    first, _, second = short_kind(KIND_LABELS[kind]).partition(" ")
    cells = [first, second] if second else ["", first]
    for in_play in table.chances:
        cells.append(percent(table.probability(in_play, kind)).removesuffix("%"))
        if in_play in table.sampled:
            # the kind may belong only to another deck's ladder
            estimate = table.sampled[in_play].get(kind)
            cells.append(f"{estimate.probability * 100:.2f}" if estimate else "")
            cells.append(f"{estimate.standard_error * 100:.2f}" if estimate else "")
    return cells


def _blocks(columns: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the columns in groups that fit a line."""
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
    """Return the largest deviation of a sampled figure, and how many figures were compared.

    The deviation is in standard errors, computed from the exact chances. Figures with fewer than
    about ten expected hits or misses are left out; (0.0, 0) if no figure is left.
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


STANDARD_ORDER: Final = (  # commonest first, as standard poker ranks them
    Kind.PAIR,
    Kind.TWO_PAIR,
    Kind.THREE,
    Kind.STRAIGHT,
    Kind.FLUSH,
    Kind.FULL_HOUSE,
    Kind.FOUR,
    Kind.STRAIGHT_FLUSH,
    Kind.FIVE,
)
MEETING: Final = (Kind.THREE, Kind.FLUSH, Kind.STRAIGHT)
ALMOST_ALWAYS: Final = 0.95


ARTICLE: Final = range(6, 36)  # the numbers of cards in play that the claims are about
# the decks that the claims are about
DECKS: Final = frozenset({DeckSpec(jokers=0), DeckSpec(jokers=2)})


def speak_of(decks: Collection[DeckSpec], kinds: Collection[Kind]) -> bool:
    """Return whether the article's claims are about these decks and kinds."""
    return set(decks) == DECKS and set(kinds) >= set(STANDARD_ORDER)


def _converging(table: KindTable) -> str:
    closest = min(table.chances, key=lambda in_play: _spread(table, in_play))
    at_ten = _range(table, 10)
    if closest == 10:
        return f"{table.label}: holds. They are closest at 10: {at_ten}."
    return (
        f"{table.label}: does not hold. At 10 they are still {at_ten}; "
        f"they are closest at {closest}: {_range(table, closest)}."
    )


def _spread(table: KindTable, in_play: int) -> float:
    """Return the largest minus the smallest log odds of the kinds in `MEETING`.

    Odds, unlike chances, tell rare kinds apart. Infinite if one of the kinds is impossible or
    certain.
    """
    odds = []
    for kind in MEETING:
        chance = table.chances[in_play][kind]
        if not 0 < chance.favourable < chance.total:
            return float("inf")
        odds.append(log(chance.favourable / (chance.total - chance.favourable)))
    return max(odds) - min(odds)


def _range(table: KindTable, in_play: int) -> str:
    values = {kind: table.probability(in_play, kind) for kind in MEETING}
    return ", ".join(
        f"{KIND_LABELS[kind].lower()} {percent(values[kind])}"
        for kind in sorted(values, key=lambda kind: values[kind])
    )


def _in_standard_order(table: KindTable) -> str:
    wrong: dict[tuple[Kind, Kind], list[int]] = {}
    for in_play in range(6, 10):
        for common, rare in pairwise(STANDARD_ORDER):
            if table.probability(in_play, common) < table.probability(in_play, rare):
                wrong.setdefault((common, rare), []).append(in_play)
    if not wrong:
        return f"{table.label}: holds for each of 6, 7, 8 and 9."
    broken = "; ".join(
        f"a {KIND_LABELS[rare].lower()} is likelier than a {KIND_LABELS[common].lower()} "
        f"with {_format_numbers(numbers)} cards"
        for (common, rare), numbers in wrong.items()
    )
    return f"{table.label}: does not hold: {broken}."


def _flush_over_straight(table: KindTable) -> str:
    numbers = [
        in_play
        for in_play, chances in table.chances.items()
        if chances[Kind.FLUSH].favourable > chances[Kind.STRAIGHT].favourable
    ]
    if not numbers:
        return f"{table.label}: does not hold."
    sure = [n for n in numbers if table.probability(n, Kind.FLUSH) == 1]
    certain = f"; from {sure[0]} on a flush is certain" if sure else ""
    return f"{table.label}: holds, with {_format_numbers(numbers)} cards{certain}."


def _always_a_pair(table: KindTable) -> str:
    at_six = table.probability(6, Kind.PAIR)
    if at_six >= ALMOST_ALWAYS:
        return f"{table.label}: holds, {percent(at_six)} at 6."
    first = next(n for n in table.chances if table.probability(n, Kind.PAIR) >= ALMOST_ALWAYS)
    return (
        f"{table.label}: does not hold. It is {percent(at_six)} at 6, "
        f"and {percent(ALMOST_ALWAYS)} are first passed at {first} "
        f"({percent(table.probability(first, Kind.PAIR))})."
    )


def _format_numbers(numbers: Sequence[int]) -> str:
    """Return numbers as `7`, `6 and 7`, or `12 to 35` for an unbroken run."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return " and ".join(map(str, numbers))


_CLAIMS: Final = (
    ("Three of a kind, flushes and straights converge at 10 cards in play.", _converging),
    ("From 6 to 9 cards in play the order is that of standard poker.", _in_standard_order),
    (
        "For some numbers of cards in play a flush is more likely than a straight.",
        _flush_over_straight,
    ),
    ("There is almost always a pair, even with 6 cards in play.", _always_a_pair),
)


def verdict_lines(tables: Sequence[KindTable]) -> Iterator[str]:
    """Yield the verdict on each of the article's four claims, for each deck.

    The tables must cover `ARTICLE`.
    """
    yield "The four claims of the 2017 sampling article, by the exact figures"
    for number, (claim, judged) in enumerate(_CLAIMS, start=1):
        yield paragraph(claim, indent=f"{number}. ", hanging="   ")
        for table in tables:
            yield paragraph(judged(table), indent="   ", hanging="     ")

"""The four claims of the 2017 sampling article (docs/odds.md), judged from the exact figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final

from bot.cli.output import paragraph
from bot.cli.reports.kind_tables import KindTable
from bot.language.words import KIND_LABELS, percent
from engine.bids import Kind
from engine.cards import DeckSpec

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
DECKS: Final = frozenset({DeckSpec(jokers=0), DeckSpec(jokers=2)})  # and the decks


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of the article's claims, and what the exact figures say to it, deck by deck."""

    claim: str
    findings: tuple[str, ...]


def speak_of(decks: Collection[DeckSpec], kinds: Collection[Kind]) -> bool:
    """Whether the claims are about these decks, and about kinds of hand that the game has."""
    return set(decks) == DECKS and set(kinds) >= set(STANDARD_ORDER)


def verdict_lines(tables: Sequence[KindTable]) -> Iterator[str]:
    """The verdicts as text. The tables must span `ARTICLE`."""
    yield "The four claims of the 2017 sampling article, by the exact figures"
    for number, verdict in enumerate(verdicts(tables), start=1):
        yield paragraph(verdict.claim, indent=f"{number}. ", hanging="   ")
        for finding in verdict.findings:
            yield paragraph(finding, indent="   ", hanging="     ")


def verdicts(tables: Sequence[KindTable]) -> tuple[Verdict, ...]:
    """The article's four claims judged. The tables must span 6 to 35 cards in play."""
    return (
        Verdict(
            "Three of a kind, flushes and straights converge at 10 cards in play.",
            tuple(_converging(table) for table in tables),
        ),
        Verdict(
            "From 6 to 9 cards in play the order is that of standard poker.",
            tuple(_in_standard_order(table) for table in tables),
        ),
        Verdict(
            "For some numbers of cards in play a flush is more likely than a straight.",
            tuple(_flush_over_straight(table) for table in tables),
        ),
        Verdict(
            "There is almost always a pair, even with 6 cards in play.",
            tuple(_always_a_pair(table) for table in tables),
        ),
    )


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
    """How far apart the three are, as a ratio of odds: differences near 0 and 1 count in full."""
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
        f"with {_listed(numbers)} cards"
        for (common, rare), numbers in wrong.items()
    )
    return f"{table.label}: does not hold: {broken}."


def _flush_over_straight(table: KindTable) -> str:
    found = [
        in_play
        for in_play, chances in table.chances.items()
        if chances[Kind.FLUSH].favourable > chances[Kind.STRAIGHT].favourable
    ]
    if not found:
        return f"{table.label}: does not hold."
    sure = [n for n in found if table.probability(n, Kind.FLUSH) == 1]
    certain = f"; from {sure[0]} on a flush is certain" if sure else ""
    return f"{table.label}: holds, with {_listed(found)} cards{certain}."


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


def _listed(numbers: Sequence[int]) -> str:
    """`7`, `6 and 7`, or `12 to 35` for an unbroken run."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return " and ".join(map(str, numbers))

"""How a range of two hole cards was understood: its kinds of hands, in as few words as can be.

"88- AA" is "AA, 88-22": whatever the text was, these are the hands that it stands for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.cards import RANK_CHARS, Cards
from engine.odds.showdown.range_terms import suits

if TYPE_CHECKING:
    from engine.odds.showdown.ranges import Range

_ACE: Final = 12
_Kind = tuple[int, int, str]  # the higher rank, the lower one, "s" or "o" of what is no pair


def kinds_of(held: Range) -> str:
    """The hands of a range of two cards: "AA, 88-22, AKs@50"; those of no whole kind one by one."""
    weighed: dict[int, set[int]] = defaultdict(set)
    weights = held.weights or [1] * len(held.bits)
    for hand, weight in zip(held.bits, weights, strict=True):
        weighed[weight].add(hand)
    most = max(weighed)
    said = []
    for weight in sorted(weighed, reverse=True):
        end = "" if weight == most else f"@{100 * weight / most:.4g}"
        said += [term + end for term in _terms(weighed[weight])]
    return ", ".join(said)


def _terms(hands: set[int]) -> Iterator[str]:
    """Terms that stand for just these hands."""
    whole = {kind for kind, of_kind in _kinds().items() if of_kind <= hands}
    suited, offsuit = ({one[:2] for one in whole if one[2] == end} for end in "so")
    # "AK" is both; a rank of which some are only suited is said in two terms, "A7s+, A9o+"
    uneven = {high for high, _ in suited ^ offsuit}
    both = {one for one in suited & offsuit if one[0] not in uneven}
    yield from _spans((high, low, "") for high, low, end in whole if not end)
    yield from _spans((high, low, "") for high, low in both)
    for end, kinds in (("s", suited), ("o", offsuit)):
        yield from _spans((high, low, end) for high, low in kinds - both)
    left = hands.difference(*(_kinds()[kind] for kind in whole))
    for cards in sorted(map(Cards, left), key=lambda one: [-c.rank * 4 - c.suit for c in one]):
        yield str(cards).replace(" ", "")


def _spans(kinds: Iterable[_Kind]) -> Iterator[str]:
    """Kinds side by side as one term: "QQ+", "A5s-A2s"."""
    rows: dict[tuple[int, str], list[int]] = defaultdict(list)
    for high, low, end in kinds:
        rows[(_ACE + 1 if high == low else high), end].append(low)
    for (high, end), lows in sorted(rows.items(), reverse=True):
        lows.sort(reverse=True)
        first = 0
        for at, low in enumerate(lows):
            if at + 1 < len(lows) and lows[at + 1] == low - 1:
                continue
            yield _span(high, end, lows[first], low)
            first = at + 1


def _span(high: int, end: str, top: int, bottom: int) -> str:
    def named(low: int) -> str:
        return RANK_CHARS[low if high > _ACE else high] + RANK_CHARS[low] + end

    if top == bottom:
        return named(top)
    return f"{named(bottom)}+" if top == high - 1 else f"{named(top)}-{named(bottom)}"


@cache
def _kinds() -> dict[_Kind, set[int]]:
    """The hands of each of the 169 kinds."""
    return {
        (high, low, end): set(suits(high, low, end))
        for high in range(_ACE + 1)
        for low in range(high + 1)
        for end in ([""] if high == low else "so")
    }

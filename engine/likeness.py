"""Texts found again by one that is alike: what somebody may have meant who misspelt.

Two texts are as alike as their longest common subsequence is long: twice its length by the length
of both, 0 to 1. It is counted with one bit a letter (Hyyrö, "Bit-parallel LCS-length computation
revisited", 2004). An index of letters, made once, bounds it from above for all texts at once, so
that only the few are compared that may be among the best.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence


class Likeness:
    """The texts to find, by their places in the order given."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = tuple(texts)
        # where a letter stands at least so many times
        self._having: dict[tuple[str, int], list[int]] = {}
        for place, text in enumerate(self._texts):
            for letter in _numbered(text):
                self._having.setdefault(letter, []).append(place)

    def nearest(
        self,
        typed: str,
        most: int,
        at_least: float,
        among: Collection[int],
        bonus: Mapping[int, float],
    ) -> list[int]:
        """At most `most` places of `among`, the most alike first, earlier ones first among equals.

        How alike they are, and their `bonus` (0 for who is not in it), come to `at_least` together.
        """
        shared = [0] * len(self._texts)
        for letter in _numbered(typed):
            for place in self._having.get(letter, ()):
                shared[place] += 1
        bounds = []
        for place in among:
            length = len(typed) + len(self._texts[place])
            bound = (2 * shared[place] / length if length else 1.0) + bonus.get(place, 0.0)
            if bound >= at_least:
                bounds.append((-bound, place))
        bounds.sort()
        letters = positions(typed)
        best: list[tuple[float, int]] = []
        for bound, place in bounds:
            if len(best) == most and bound > best[-1][0]:
                break
            text = self._texts[place]
            common = longest_common(letters, text)
            length = len(typed) + len(text)
            score = (2 * common / length if length else 1.0) + bonus.get(place, 0.0)
            if score >= at_least:
                insort(best, (-score, place))
                del best[most:]
        return [place for _, place in best]


def positions(text: str) -> dict[str, int]:
    """Where each letter of a text stands, as bits."""
    found: dict[str, int] = {}
    for at, letter in enumerate(text):
        found[letter] = found.get(letter, 0) | 1 << at
    return found


def longest_common(letters: Mapping[str, int], text: str) -> int:
    """The length of the longest common subsequence of `text` and the one with these `positions`."""
    whole = 0
    for bits in letters.values():
        whole |= bits
    free = whole  # a bit falls where the subsequence grows
    for letter in text:
        hit = free & letters.get(letter, 0)
        free = ((free + hit) | (free - hit)) & whole
    return (whole & ~free).bit_count()


def _numbered(text: str) -> Iterator[tuple[str, int]]:
    """Every letter with how often it has stood so far."""
    seen: Counter[str] = Counter()
    for letter in text:
        seen[letter] += 1
        yield letter, seen[letter]

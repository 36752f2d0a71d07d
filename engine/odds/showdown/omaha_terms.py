"""What one term of a range says of four or five hole cards: "AA**", "AAds", "KQJT", "xxyy", "15%".

A term is a list of cards: `A` an ace, `As` that ace, `Ax` an ace of a suit called x, `x` any card
of that suit, `*` any card; x, y, z and w are different suits, and what a hand lacks is filled up
with `*`. A hand fits if every entry of the list finds a card of its own: by Hall's theorem, if for
every part of the list the hand has at least as many cards as the part has entries. `ds`, `ss` and
`rb` (also `$ds` and so on as terms of their own) ask for two suits of two cards or more, for one,
for none; `$np`, `$op` and `$tp` for no pair, one pair, two pairs. `+` and `-` move all ranks up or
down.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from functools import cache, cached_property, reduce
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, Final

from engine.cards import RANK_CHARS, SUIT_CHARS, rank_bits
from engine.errors import Reason, TextError
from engine.odds.showdown.range_terms import PERCENT, percents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_RANKS: Final = {char: index for index, char in enumerate(RANK_CHARS.lower())}
_ENTRY: Final = r"(?:[2-9tjqka*][cdhsxyzw]?|[xyzw])"
_ENTRIES: Final = re.compile(rf"((?:{_ENTRY})+?)\$?(ds|ss|rb)?")
_SHIFTED: Final = re.compile(
    r"([2-9tjqka]+)(\$?(?:ds|ss|rb))?(?:(\+|-)|-([2-9tjqka]+)(\$?(?:ds|ss|rb))?)"
)
_MACRO: Final = re.compile(r"\$(ds|ss|rb|np|op|tp)")
_VARIABLES: Final = "xyzw"
_LONGEST: Final = 24  # characters of a list of cards: a longer text is none, and slow to look at
_EVERY_CARD: Final = (1 << 52) - 1
_SUIT: Final = 0x1FFF
_BLOCK: Final = 1 << 15  # hands looked at in one go: as many as a core's own cache holds


class OmahaHands:
    """All hands of four or five cards, and the terms that name some of them, as arrays of bool."""

    weighed_example: Final = '"AA**@50, KQJTds"'

    def __init__(self, private: int, pack: int, split: bool) -> None:
        self.private = private
        self.example = f'"AA{"*" * (private - 2)}, KQJT{"9" * (private - 4)}ds"'
        self._hands = _all_hands(private, pack)
        self._split = split
        self.total = len(self._hands)

    @staticmethod
    @cache
    def of(private: int, pack: int, split: bool) -> OmahaHands:
        """The hands of so many cards; `split` where half of the pot is for the low hand."""
        return OmahaHands(private, pack, split)

    @property
    def everything(self) -> Any:
        """Every hand."""
        import numpy as np

        return np.ones(self.total, np.bool_)

    def has_any(self, mask: NDArray[np.bool_]) -> bool:
        """Whether a set has a hand at all."""
        return bool(mask.any())

    def collected(
        self, parts: Sequence[tuple[NDArray[np.bool_], int]]
    ) -> tuple[Sequence[int], Sequence[int]]:
        """The hands of sets that share none, as sets of cards and sorted; their weights.

        Arrays of the standard library: a range may be 2.6 million hands.
        """
        import numpy as np

        weights = np.zeros(self.total, np.uint64)
        for mask, weight in parts:
            weights[mask] = weight
        held = weights > 0
        return _packed(self._hands[held]), _packed(weights[held])

    def atom(self, atom: str, text: str) -> NDArray[np.bool_] | None:
        """The hands that a term names; None if it is not understood. Raises `TextError`."""
        percent = PERCENT.fullmatch(atom)
        if percent is not None:
            return self._by_percent(percent, atom, text)
        macro = _MACRO.fullmatch(atom)
        if macro is not None:
            return self._shape(macro[1])
        shifted = _SHIFTED.fullmatch(atom)
        if shifted is not None:
            return self._shifted(shifted, atom, text)
        found = _ENTRIES.fullmatch(atom) if len(atom) <= _LONGEST else None
        if found is None:
            return None
        entries = re.findall(_ENTRY, found[1])
        return self._fitting(entries, found[2], atom, text)

    def _fitting(
        self, entries: list[str], shape: str | None, atom: str, text: str
    ) -> NDArray[np.bool_]:
        import numpy as np

        if len(entries) > self.private:
            reason = Reason(
                '"{term}" names {number} cards, a hand has {most}',
                term=atom.upper(),
                number=len(entries),
                most=self.private,
            )
            raise TextError(text, reason, self.example)
        named = sorted({char for entry in entries for char in entry if char in _VARIABLES})
        meanings = _demands(entries, named)
        always = sorted(set.intersection(*map(set, meanings)))
        others = [[one for one in wanted if one not in always] for wanted in meanings]

        def fits(hands: NDArray[np.uint64]) -> NDArray[np.bool_]:
            likely = np.flatnonzero(_meets(hands, always))
            found = np.zeros(len(hands), np.bool_)
            some = hands[likely]
            found[likely] = reduce(np.logical_or, (_meets(some, wanted) for wanted in others))
            return found

        fitting = self._where(fits)
        return fitting & self._shape(shape) if shape else fitting

    def _where(self, fits: Callable[[NDArray[np.uint64]], NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """The hands that `fits` says do, a block at a time."""
        import numpy as np

        return np.concatenate(
            [fits(self._hands[at : at + _BLOCK]) for at in range(0, self.total, _BLOCK)]
        )

    def _shape(self, shape: str) -> NDArray[np.bool_]:
        """Hands by their suits (ds, ss, rb) or their pairs (np, op, tp)."""
        if shape in ("ds", "ss", "rb"):
            number = {"ds": 2, "ss": 1, "rb": 0}[shape]
            return self._where(lambda hands: _suited_twice(hands) == number)
        pairs = {"np": 0, "op": 1, "tp": 2}[shape]
        return self._where(lambda hands: _has_pairs(hands, pairs, self.private))

    def _shifted(self, found: re.Match[str], atom: str, text: str) -> NDArray[np.bool_]:
        """`QQ+`, `JT98-`, `KQJT-JT98`: the same shape of ranks, moved."""
        import numpy as np

        first = [_RANKS[char] for char in found[1]]
        steps: range
        if found[4]:
            last = [_RANKS[char] for char in found[4]]
            moved = {one - other for one, other in zip(last, first, strict=False)}
            if len(last) != len(first) or len(moved) != 1 or (found[2] or "") != (found[5] or ""):
                reason = Reason('"{term}" does not join hands of one shape', term=atom.upper())
                raise TextError(text, reason, self.example)
            low, high = sorted((0, moved.pop()))
            steps = range(low, high + 1)
        elif found[3] == "+":
            steps = range(12 - max(first) + 1)
        else:
            steps = range(-min(first), 1)
        shape = (found[2] or "").lstrip("$") or None
        fits = np.zeros(self.total, np.bool_)
        for step in steps:
            entries = [RANK_CHARS[rank + step].lower() for rank in first]
            fits |= self._fitting(entries, shape, atom, text)
        return fits

    def _by_percent(self, found: re.Match[str], atom: str, text: str) -> NDArray[np.bool_]:
        """The strongest hands, whole classes of those that differ by suits alone."""
        if self.private != 4 or self._split:
            reason = Reason(
                '"{term}": an order of hands is known only for Omaha with four cards and no low'
                " half",
                term=atom,
            )
            raise TextError(text, reason, self.example)
        low, high = percents(found, atom, text)
        within: NDArray[np.bool_] = self._reached <= int(high * self.total)
        return within & (self._reached > int(low * self.total))

    @cached_property
    def _reached(self) -> NDArray[np.int64]:
        """For every hand of four cards, how many are at least as strong."""
        from engine.odds.showdown.omaha_order import strongest_first

        return strongest_first(self._hands)


def _packed(numbers: NDArray[np.uint64]) -> array[int]:
    return array("Q", numbers.tobytes())


def _meets(hands: NDArray[np.uint64], wanted: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which hands have of each set of cards at least as many as are wanted."""
    import numpy as np

    meets = np.ones(len(hands), np.bool_)
    for among, least in wanted:
        meets &= np.bitwise_count(hands & np.uint64(among)) >= least
    return meets


def _suited_twice(hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Of how many suits each hand has two cards or more."""
    import numpy as np

    suits = [np.bitwise_count(hands & np.uint64(_SUIT << 13 * suit)) for suit in range(4)]
    several: NDArray[np.int8] = np.sum(np.stack(suits) >= 2, axis=0, dtype=np.int8)
    return several


def _has_pairs(hands: NDArray[np.uint64], pairs: int, private: int) -> NDArray[np.bool_]:
    """Which hands have so many pairs, and no three cards of a rank."""
    import numpy as np

    ones, twos, threes = (np.zeros(len(hands), np.uint64) for _ in range(3))
    for suit in range(4):
        ranks = hands >> np.uint64(13 * suit) & np.uint64(_SUIT)
        threes |= twos & ranks
        twos |= ones & ranks
        ones |= ranks
    fits: NDArray[np.bool_] = (np.bitwise_count(ones) == private - pairs) & (threes == 0)
    return fits


def cards_named(term: str) -> int | None:
    """How many cards of a hand a term names, `*` included; None if no such term is known.

    Four where it speaks of the suits or pairs of the whole hand.
    """
    if _MACRO.fullmatch(term):
        return 4
    found = _SHIFTED.fullmatch(term)
    if found is None and len(term) <= _LONGEST:
        found = _ENTRIES.fullmatch(term)
    if found is None:
        return None
    return max(len(re.findall(_ENTRY, found[1])), 4 if found[2] else 0)


def _demands(entries: list[str], named: list[str]) -> set[tuple[tuple[int, int], ...]]:
    """For each meaning of the suit letters: sets of cards, and how many of each a hand needs."""
    found = set()
    for suits in permutations(range(4), len(named)):
        meaning = dict(zip(named, suits, strict=True))
        cards = [_cards_of(entry, meaning) for entry in entries]
        least: dict[int, int] = {}
        for size in range(1, len(cards) + 1):
            for some in combinations(cards, size):
                union = 0
                for one in some:
                    union |= one
                if union != _EVERY_CARD:
                    least[union] = max(least.get(union, 0), size)
        found.add(tuple(sorted(item for item in least.items() if not _is_implied(*item, least))))
    return found


def _is_implied(among: int, number: int, least: dict[int, int]) -> bool:
    """Whether so many of these cards are asked for by two demands on parts of them."""
    return any(
        part & ~among == 0 and size + least.get(among & ~part, -number) >= number
        for part, size in least.items()
    )


def _cards_of(entry: str, meaning: dict[str, int]) -> int:
    """The cards that an entry may be, as bits."""
    cards = _EVERY_CARD
    for char in entry:
        if char in meaning:
            cards &= _SUIT << 13 * meaning[char]
        elif char in SUIT_CHARS:
            cards &= _SUIT << 13 * SUIT_CHARS.index(char)
        elif char in _RANKS:
            cards &= rank_bits(_RANKS[char])
    return cards


def _all_hands(private: int, pack: int) -> NDArray[np.uint64]:
    """Every hand of so many cards of the pack, each with its highest card added last."""
    import numpy as np

    cards = [card for card in range(52) if pack >> card & 1]
    by_top = {card: np.array([1 << card], np.uint64) for card in cards}
    for _ in range(private - 1):
        grown = {}
        for at, card in enumerate(cards):
            below = [by_top[other] for other in cards[:at]]
            lower = np.concatenate(below) if below else np.zeros(0, np.uint64)
            grown[card] = lower | np.uint64(1 << card)
        by_top = grown
    return np.concatenate([by_top[card] for card in cards])

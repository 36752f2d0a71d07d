"""Parse one term of a range of four or five hole cards: "AA**", "AAds", "KQJT", "xxyy", "15%".

A term is a list of cards: "A" is an ace, "As" that ace, "Ax" an ace of a suit called x, "x" any
card of that suit, "[AKQ]" one of those ranks, "*" any card; x, y, z and w are different suits, and
a short list is filled up with "*". A hand fits if every entry of the list can be given a different
card. By Hall's theorem that is so if, for every subset of the list, the hand has at least as many
matching cards as the subset has entries. `ds`, `ss` and `rb` (also `$ds` and so on as terms of
their own) mean double-suited (two suits with two or more cards), single-suited and rainbow; `$np`,
`$op` and `$tp` mean no pair, one pair, two pairs; "RRON" is any pair and two other ranks. `+` and
`-` move all ranks up or down.

Hands that differ only by a permutation of suits are one class: 134,459 classes of five cards
instead of 2,598,960 hands. A set of hands described without a suit is one row with a bit for each
class. Any other set has 24 rows, one for each permutation of suits, with a bit for the hand that it
makes from each class's stored hand. So numpy's `&`, `|` and `~` combine any two sets.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations, combinations_with_replacement, groupby, permutations
from math import comb
from operator import or_
from typing import TYPE_CHECKING, Final, TypeVar

from engine.cards import RANK_CHARS, SUIT_CHARS, rank_bits
from engine.errors import Reason, TextError
from engine.odds.loading import np, read_shipped
from engine.odds.showdown.range_terms import PERCENT, RANK_SET, check_percentage, percents
from engine.patterns import compile_later

if TYPE_CHECKING:
    from numpy.typing import NDArray

    # shape (1 or 24, bytes): eight classes in a byte, as numpy packs them
    Rows = NDArray[np.uint8]


CHANGES: Final = tuple(permutations(range(4)))  # at index s: the suit that suit s becomes
SUIT: Final = 0x1FFF
_Bits = TypeVar("_Bits", int, "NDArray[np.uint64]")


def change_suits(cards: _Bits, change: tuple[int, ...]) -> _Bits:
    """Return sets of cards as bits, with each suit s replaced by suit `change[s]`."""
    clubs, diamonds, hearts, spades = (
        (cards >> 13 * suit & SUIT) << 13 * became for suit, became in enumerate(change)
    )
    return clubs | diamonds | hearts | spades  # type: ignore[return-value]


class SuitClasses:
    """Classes of hands that differ only by suits, with `private` cards in each hand.

    The pack has the `ranks` (13 bits) in each suit. `hands` has one hand of each class, as bits,
    and `often` the number of hands in each class.
    """

    def __init__(self, private: int, ranks: int) -> None:
        suits = _suit_masks(private, ranks)
        self.hands: NDArray[np.uint64] = _join(suits, range(4))
        alike = suits[:-1] == suits[1:]
        # if two suits of a hand are alike, half of the permutations only swap them
        is_distinct = [reduce(np.logical_and, _first_of_two(alike, change)) for change in CHANGES]
        self._suits = suits
        self._once = np.packbits(is_distinct, axis=1)
        self.often: NDArray[np.int64] = np.sum(is_distinct, axis=0)

    def row(self, fits: NDArray[np.bool_]) -> Rows:
        """Return the set of all hands in the classes for which `fits` is true."""
        return np.packbits(fits)[None]

    def has_any(self, rows: Rows) -> bool:
        """Return whether a set contains any hand."""
        return bool((rows & self._once).any())

    def members(self, rows: Rows) -> NDArray[np.uint64]:
        """Return the hands of a set as bits, each once, in no particular order."""
        held = np.unpackbits(rows & self._once, axis=1, count=len(self.hands)).view(np.bool_)
        by_change = (
            _join(self._suits[:, some], change) for some, change in zip(held, CHANGES, strict=True)
        )
        return np.concatenate(list(by_change))


def _first_of_two(alike: NDArray[np.bool_], change: tuple[int, ...]) -> Iterator[NDArray[np.bool_]]:
    """Yield which hands to count for permutation `change`, for each pair of adjacent suits.

    If a hand has the same ranks in both suits, swapping the suits changes nothing. So of two
    permutations that differ by this swap, only one counts the hand.
    """
    for place in range(3):
        yield ~alike[place] | (change[place] < change[place + 1])


def _join(ranks: NDArray[np.uint64], suits: tuple[int, ...] | range) -> NDArray[np.uint64]:
    """Return hands as bits: `ranks[i]` are each hand's ranks in suit `suits[i]`."""
    hands = np.zeros(ranks.shape[1], np.uint64)
    for of_suit, suit in zip(ranks, suits, strict=True):
        hands |= of_suit << np.uint64(13 * suit)
    return hands


def _suit_masks(private: int, ranks: int) -> NDArray[np.uint64]:
    """Return the ranks (bits) that each class's stored hand has in each suit: (4, classes).

    The suits are in descending order of the number of cards, then of the mask.
    """
    held = [1 << rank for rank in range(13) if ranks >> rank & 1]
    masks = {
        size: sorted(map(sum, combinations(held, size)), reverse=True)
        for size in range(private + 1)
    }
    classes = []
    for sizes in combinations_with_replacement(range(private, -1, -1), 4):
        if sum(sizes) != private:
            continue
        rows = np.zeros((1, 0), np.uint64)
        for size, alike in groupby(sizes):
            times = len(list(alike))
            some = np.array([*combinations_with_replacement(masks[size], times)], np.uint64)
            some = some.reshape(-1, times)  # empty where the pack has too few ranks
            rows = np.hstack([np.repeat(rows, len(some), 0), np.tile(some, (len(rows), 1))])
        classes.append(rows)
    return np.ascontiguousarray(np.concatenate(classes).T)


@cache
def class_places() -> NDArray[np.int64]:
    """Return the place of each class of four cards by equity against a random hand; 0 is the best.

    Classes are in the order of their smallest hand. `python -m benchmarks.omaha_order` computed
    the equities by comparing every hand with every opponent on each of the 134,459 classes of
    boards.
    """
    return np.frombuffer(read_shipped(__package__, "omaha_order.bin"), "<u2").astype(np.int64)


def smallest(hands: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return, for each hand (bits), the lowest number among the hands that differ only by suits."""
    return reduce(np.minimum, (change_suits(hands, change) for change in CHANGES))


def strongest_first(hands: NDArray[np.uint64], often: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each four-card hand the number of hands at least as strong, itself included.

    `hands` has at least one hand of every class, in any order. Hand i stands for `often[i]`
    hands. Hands of one class get the same result.
    """
    _, of_class = np.unique(smallest(hands), return_inverse=True)
    places = class_places()[of_class]
    by_place = np.bincount(places, often).astype(np.int64)
    reached: NDArray[np.int64] = np.cumsum(by_place)[places]
    return reached


_RANKS: Final = {char: index for index, char in enumerate(RANK_CHARS.lower())}
_ENTRY: Final = rf"(?:(?:{RANK_SET}|[2-9tjqka*])[cdhsxyzw]?|[xyzw])"
_RANKS_SUIT: Final = compile_later(rf"({RANK_SET}|[2-9tjqka*]?)([cdhsxyzw]?)")
_PATTERN: Final = compile_later(r"(r[ron]+)\$?(ds|ss|rb)?", words=("r",))
_ENTRIES: Final = compile_later(rf"((?:{_ENTRY})+?)\$?(ds|ss|rb)?")
_SHIFTED: Final = compile_later(
    r"([2-9tjqka]+)(\$?(?:ds|ss|rb))?(?:(\+|-)|-([2-9tjqka]+)(\$?(?:ds|ss|rb))?)",
    words=("+", "-"),
)
_MACRO: Final = compile_later(r"\$(ds|ss|rb|np|op|tp)", words=("$",))
_VARIABLES: Final = "xyzw"
_LONGEST: Final = 24  # characters of a list of cards; a longer text is no term, and slow to parse
_EVERY_CARD: Final = (1 << 52) - 1
ORDERED_GAME: Final = "omaha"  # the game for which `class_places` was computed
_ROWS_KEPT: Final = 1024  # rows to cache, of up to 17 kB each


class OmahaHands:
    """All hands of four or five cards, and a parser of terms that gives sets of them as `Rows`."""

    weighed_example: Final = '"AA**@50, KQJTds"'

    def __init__(self, private: int, pack: int, game: str | None) -> None:
        self.private = private
        self.example = f'"AA{"*" * (private - 2)}, KQJT{"9" * (private - 4)}ds"'
        self.total = comb(pack.bit_count(), private)
        self._classes = SuitClasses(private, pack & SUIT)
        self._ordered = game == ORDERED_GAME
        # terms of a range share many parts, even if they look different
        self._with_least = lru_cache(_ROWS_KEPT)(self._count_least)
        self._with_cards = lru_cache(_ROWS_KEPT)(self._match)

    @staticmethod
    @cache
    def of(private: int, pack: int, game: str | None) -> OmahaHands:
        """Return the hands of `private` cards from `pack` (bits) in `game` (a key or None)."""
        return OmahaHands(private, pack, game)

    @property
    def everything(self) -> Rows:
        """The set of all hands."""
        return self._classes.row(np.ones(len(self._classes.hands), np.bool_))

    def has_any(self, rows: Rows) -> bool:
        """Return whether a set has any hand."""
        return self._classes.has_any(rows)

    def collect(self, parts: Sequence[tuple[Rows, int]]) -> tuple[Sequence[int], Sequence[int]]:
        """Return the hands (bits) in disjoint sets, in ascending order, and each hand's weight.

        `parts`: each set with its weight. Both results are compact arrays, since a range may have
        2.6 million hands.
        """
        members = [self._classes.members(rows) for rows, _ in parts]
        hands = np.concatenate(members)
        if len(members) == 1:
            return _pack(np.sort(hands)), array("Q", [parts[0][1]]) * len(hands)
        weights = np.repeat([np.uint64(weight) for _, weight in parts], [*map(len, members)])
        order = np.argsort(hands)
        return _pack(hands[order]), _pack(weights[order])

    def atom(self, atom: str, text: str) -> Rows | None:
        """Return the hands that a term means; None if it isn't a term.

        Raises `TextError` for too many cards, wrong percentages, or two ends of different shapes.
        """
        check_percentage(atom, text)
        percent = PERCENT.fullmatch(atom)
        if percent is not None:
            return self._by_percent(percent, atom, text)
        macro = _MACRO.fullmatch(atom)
        if macro is not None:
            return self._shape(macro[1])
        shifted = _SHIFTED.fullmatch(atom)
        if shifted is not None:
            return self._parse_shift(shifted, atom, text)
        pattern = _PATTERN.fullmatch(atom)
        if pattern is not None and len(pattern[1]) <= self.private:
            rows = self._of_pattern(pattern[1])
            return rows & self._shape(pattern[2]) if pattern[2] else rows
        match = _match_entries(atom)
        if match is None:
            return None
        entries = re.findall(_ENTRY, match[1])
        return self._fitting(entries, match[2], atom, text)

    def _fitting(self, entries: list[str], shape: str | None, atom: str, text: str) -> Rows:
        if len(entries) > self.private:
            reason = Reason(
                '"{term}" names {number} cards, but a hand has {most}',
                term=atom.upper(),
                number=len(entries),
                most=self.private,
            )
            raise TextError(text, reason, self.example)
        by_suit = any(entry[-1] in SUIT_CHARS for entry in entries if len(entry) > 1)
        rows = [
            self._with_cards(_change_back(entries, change))
            for change in (CHANGES if by_suit else CHANGES[:1])
        ]
        fitting = np.concatenate(rows)
        return fitting & self._shape(shape) if shape else fitting

    def _match(self, entries: tuple[str, ...]) -> Rows:
        """Return the classes whose stored hand has a different card for each entry."""
        if not entries:
            return self.everything
        meanings = [
            reduce(np.bitwise_and, [self._with_least(*least) for least in demands])
            for demands in _demands(entries)
        ]
        matching: Rows = reduce(np.bitwise_or, meanings)
        return matching

    def _count_least(self, among: int, least: int) -> Rows:
        """Return the classes whose stored hand has at least `least` of the cards `among`."""
        hands = self._classes.hands
        return self._classes.row(np.bitwise_count(hands & np.uint64(among)) >= least)

    def _shape(self, shape: str) -> Rows:
        """Return the hands of a shape: suits "ds", "ss" and "rb", pairs "np", "op" and "tp"."""
        hands = self._classes.hands
        if shape in ("ds", "ss", "rb"):
            number = {"ds": 2, "ss": 1, "rb": 0}[shape]
            return self._classes.row(_suited_twice(hands) == number)
        pairs = {"np": 0, "op": 1, "tp": 2}[shape]
        return self._classes.row(_has_pairs(hands, pairs, self.private))

    def _of_pattern(self, letters: str) -> Rows:
        """Return the hands that fit a pattern of ranks, such as "rron": a pair and two other ranks.

        If k letters occur at least n times each, a hand needs k ranks with at least n cards each.
        """
        needed = Counter(letters).values()
        held = _ranks_by_count(self._classes.hands)
        enough = [
            np.bitwise_count(ranks) >= sum(number >= least for number in needed)
            for least, ranks in enumerate(held, start=1)
        ]
        return self._classes.row(np.logical_and.reduce(enough))

    def _parse_shift(self, match: re.Match[str], atom: str, text: str) -> Rows:
        """Return the hands of a rank pattern moved up or down: `QQ+`, `JT98-` or `KQJT-JT98`.

        Raises `TextError` for too many cards, or if the two ends have different shapes.
        """
        first = [_RANKS[char] for char in match[1]]
        steps: range
        if match[4]:
            last = [_RANKS[char] for char in match[4]]
            moved = {to - start for to, start in zip(last, first, strict=False)}
            if len(last) != len(first) or len(moved) != 1 or (match[2] or "") != (match[5] or ""):
                reason = Reason('"{term}" joins hands of different shapes', term=atom.upper())
                raise TextError(text, reason, self.example)
            low, high = sorted((0, moved.pop()))
            steps = range(low, high + 1)
        elif match[3] == "+":
            steps = range(12 - max(first) + 1)
        else:
            steps = range(-min(first), 1)
        shape = (match[2] or "").lstrip("$") or None
        moves = ([RANK_CHARS[rank + step].lower() for rank in first] for step in steps)
        rows = (self._fitting(entries, shape, atom, text) for entries in moves)
        return reduce(or_, rows)

    def _by_percent(self, match: re.Match[str], atom: str, text: str) -> Rows:
        """Return the hands of `15%` or `5%-15%`, by strength.

        Hands that are equal after renaming the suits stay together. Raises `TextError` for a game
        whose hands have no order, and for wrong percentages.
        """
        if not self._ordered:
            reason = Reason(
                '"{term}": percentages work only in four-card Omaha with all 52 cards and no low'
                " half",
                term=atom,
            )
            raise TextError(text, reason, self.example)
        low, high = percents(match, atom, text)
        within = self._strength_places <= int(high * self.total)
        return self._classes.row(within & (self._strength_places > int(low * self.total)))

    def top_share(self, hand: int) -> Fraction | None:
        """Return the share of hands at least as strong as `hand`; None if hands have no order."""
        if not self._ordered:
            return None
        of_class = smallest(self._classes.hands) == smallest(np.array([hand], np.uint64))
        (place,) = self._strength_places[of_class]
        return Fraction(int(place), self.total)

    @cached_property
    def _strength_places(self) -> NDArray[np.int64]:
        """The number of hands at least as strong as each class of four cards."""
        return strongest_first(self._classes.hands, self._classes.often)


def _pack(numbers: NDArray[np.uint64]) -> array[int]:
    return array("Q", numbers.tobytes())


def _suited_twice(hands: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Return the number of suits in which each hand has two cards or more."""
    suits = [np.bitwise_count(hands & np.uint64(SUIT << 13 * suit)) for suit in range(4)]
    several: NDArray[np.int8] = np.sum(np.stack(suits) >= 2, axis=0, dtype=np.int8)
    return several


def _has_pairs(hands: NDArray[np.uint64], pairs: int, private: int) -> NDArray[np.bool_]:
    """Return which hands have `pairs` pairs, and no three cards of a rank."""
    ones, _, threes, _ = _ranks_by_count(hands)
    fits: NDArray[np.bool_] = (np.bitwise_count(ones) == private - pairs) & (threes == 0)
    return fits


def _ranks_by_count(hands: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """Return the ranks that each hand has at least once, twice, three times and four times."""
    held = [np.zeros(len(hands), np.uint64) for _ in range(4)]
    for suit in range(4):
        ranks = hands >> np.uint64(13 * suit) & np.uint64(SUIT)
        for count in (3, 2, 1):
            held[count] |= held[count - 1] & ranks
        held[0] |= ranks
    return held


def _match_entries(term: str) -> re.Match[str] | None:
    """Match a list of cards; None for any other text, or one that is too long."""
    is_short = len(re.sub(RANK_SET, "*", term)) <= _LONGEST
    return _ENTRIES.fullmatch(term) if is_short else None


def count_named_cards(term: str) -> int | None:
    """Return how many cards of a hand a term names, including `*`; None if it isn't a term.

    The result is at least four if the term describes the suits or pairs of the whole hand.
    """
    if _MACRO.fullmatch(term):
        return 4
    pattern = _PATTERN.fullmatch(term)
    if pattern is not None:
        return max(len(pattern[1]), 4 if pattern[2] else 0)
    match = _SHIFTED.fullmatch(term) or _match_entries(term)
    if match is None:
        return None
    return max(len(re.findall(_ENTRY, match[1])), 4 if match[2] else 0)


def _change_back(entries: list[str], change: tuple[int, ...]) -> tuple[str, ...]:
    """Change the suits of `entries` back, leave out "*" (any card), and return the rest sorted.

    A hand fits the result if, after its suits are changed by `change`, it fits `entries`.
    """
    back = {SUIT_CHARS[became]: SUIT_CHARS[suit] for suit, became in enumerate(change)}
    return tuple(
        sorted(
            ranks + back.get(suit, suit)
            for ranks, suit in map(_split_entry, entries)
            if (ranks, suit) != ("*", "")
        )
    )


def _split_entry(entry: str) -> tuple[str, str]:
    """Return the ranks and the suit of an entry as typed; "" for a missing part."""
    match = _RANKS_SUIT.fullmatch(entry)
    assert match is not None, entry
    return match[1], match[2]


@lru_cache(_ROWS_KEPT)
def _demands(entries: tuple[str, ...]) -> frozenset[frozenset[tuple[int, int]]]:
    """Return how many of which cards a hand needs, for each meaning of the suit letters."""
    letters = {char for entry in entries for char in entry if char in _VARIABLES}
    return frozenset(
        _least_counts(
            [_cards_of(entry, dict(zip(letters, suits, strict=True))) for entry in entries]
        )
        for suits in permutations(range(4), len(letters))
    )


def _least_counts(cards: list[int]) -> frozenset[tuple[int, int]]:
    """Return (cards, how many of them a hand needs) for each union of entries, by Hall's theorem.

    Only unions of entries linked by shared cards are returned: the demands of others follow.
    """
    unions = {1 << place: entry_cards for place, entry_cards in enumerate(cards)}
    least: dict[int, int] = {}
    waiting = [*unions]
    for part in waiting:  # smallest first, so that the largest of equal ones counts
        union = unions[part]
        least[union] = part.bit_count()
        for place, entry_cards in enumerate(cards):
            larger = part | 1 << place
            if union & entry_cards and larger not in unions:
                unions[larger] = union | entry_cards
                waiting.append(larger)
    return frozenset(least.items())


def _cards_of(entry: str, meaning: dict[str, int]) -> int:
    """Return the cards that an entry can stand for, as bits."""
    ranks, suit = _split_entry(entry)
    cards = reduce(or_, (rank_bits(_RANKS[rank]) for rank in ranks.strip("[]*")), 0) or _EVERY_CARD
    if suit in meaning:
        cards &= SUIT << 13 * meaning[suit]
    elif suit:
        cards &= SUIT << 13 * SUIT_CHARS.index(suit)
    return cards

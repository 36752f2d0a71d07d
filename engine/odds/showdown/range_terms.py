"""Parse one term of a range of two hole cards: "QQ+", "TT-", "A2s-A5s", "15%", "AhXh", "AdKd".

`s` is suited, `o` offsuit, and a term without either means both. `+` raises a pair up to aces, or
the lower card up to just below the higher; `-` lowers it to the pack's lowest rank. A `-` between
two hands of one kind means both and all steps between them. `X` is any rank, "XXs" any two cards of
a suit, "[AKQJT]" one of those ranks. `15%` means the strongest kinds of hands whose combos are
together at most 15 % of all; `5%-15%` means the kinds of `15%` without those of `5%`. Sets of hands
are bit masks over the combos of the pack, so that `&`, `|` and `~` combine them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final

from engine.cards import RANK_CHARS, SUIT_CHARS
from engine.errors import Reason, TextError, UnclearHands
from engine.patterns import compile_later

_HIGH: Final = (
    "AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o "
    "KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 "
    "A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s "
    "Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s "
    "J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o "
    "87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s "
    "83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o "
    "53o 63o 32s 43o 72o 52o 62o 42o 32o"
)
_SHORT_DECK: Final = (
    "AA KK QQ JJ TT AKs AQs AKo AJs KQs AQo ATs KJs AJo QJs KTs KQo JTs QTs 99 ATo KJo A9s QJo "
    "KTo JTo QTo A8s A9o K9s T9s A8o Q9s J9s A7s K9o T9o Q9o J9o A7o 88 A6s K8s 98s T8s Q8s J8s "
    "K7s A6o K8o 98o T8o Q8o J8o K6s K7o 97s T7s Q7s J7s 77 Q6s K6o 97o T7o 87s Q7o J7o 96s Q6o "
    "T6s J6s 87o 96o 86s T6o J6o 66 76s 86o 76o"
)
_SHORT_TRIPS: Final = (
    "AA KK QQ JJ TT AKs AQs 99 AKo AJs KQs AQo ATs AJo KJs KTs QJs KQo QTs ATo A9s JTs KJo KTo "
    "QJo A8s QTo JTo A9o 88 K9s A8o A7s Q9s J9s T9s K9o Q9o A7o A6s J9o T9o K8s Q8s J8s K7s T8s "
    "98s A6o K8o 77 Q8o J8o T8o K6s K7o 98o Q7s J7s T7s 97s Q6s K6o Q7o J7o T7o 97o 87s Q6o 96s "
    "J6s T6s 66 87o 86s 96o J6o T6o 76s 86o 76o"
)
RANK_SET: Final = r"\[[2-9tjqka]+\]"
"""The usual spelling of a card with one of several ranks: "[akqjt]"."""
ORDERS: Final = {
    "holdem": tuple(_HIGH.split()),
    "shortdeck": tuple(_SHORT_DECK.split()),
    "shortdeck-trips": tuple(_SHORT_TRIPS.split()),
}
"""The kinds of two-card hands, strongest first, by the key of the game they were counted in."""


def combos_of(label: str) -> int:
    """Return the number of combos of a kind: 6 for a pair, 4 suited, 12 offsuit."""
    return {"s": 4, "o": 12}.get(label[2:], 6)


def strongest(
    order: tuple[str, ...], low: Fraction, high: Fraction, total: int, atom: str, text: str
) -> tuple[str, ...]:
    """Return the kinds between the shares `low` and `high` (0 to 1) of all combos.

    The shares count from the strongest kind. `order` has the kinds, the strongest first;
    `total` is the number of all combos. Raises `TextError`, with the term `atom` and the whole
    `text`, if the strongest kind alone exceeds the share `high`.
    """
    first, last = (_fitting(order, part * total) for part in (low, high))
    if last == 0:
        least = float(Fraction(100 * combos_of(order[0]), total))
        reason = Reason(
            '"{share}" is less than the best hand, {hand}, which is {least}%',
            share=atom,
            hand=order[0],
            least=f"{least:.2f}",
        )
        raise TextError(text, reason, '"15%" or "5%-15%"')
    return order[first:last]


def _fitting(order: tuple[str, ...], most: Fraction) -> int:
    """Return how many kinds, from the best down, have at most `most` combos together."""
    combos = 0
    for place, label in enumerate(order):
        combos += combos_of(label)
        if combos > most:
            return place
    return len(order)


_RANKS: Final = {char: index for index, char in enumerate(RANK_CHARS.lower())}
_KIND: Final = r"([2-9tjqka])([2-9tjqka])([so]?)"
_TERM: Final = compile_later(rf"{_KIND}(?:(\+|-)|-{_KIND})?")
_WITH_X: Final = compile_later(r"(?:x([2-9tjqka])|([2-9tjqka])x)([so]?)|xx([so])", words=("x",))
_TWO: Final = compile_later(r"([2-9tjqkax])([cdhs]?)([2-9tjqkax])([cdhs]?)")
PERCENT: Final = compile_later(
    r"(\d{1,3}(?:\.\d{1,3})?)(?:%?-(\d{1,3}(?:\.\d{1,3})?))?%", words=("%",)
)
_SETS: Final = compile_later(
    rf"(?=.*\[)({RANK_SET}|[2-9tjqkax])([cdhs]?)({RANK_SET}|[2-9tjqkax])([cdhs]?)(o?)",
    words=("[",),
)
_BELOW_NONE: Final = compile_later(r"-\d.*%", words=("%",))
_AT_A_TABLE: Final = compile_later(r"[\d.%-]+%\d+(?:h|max|handed)", words=("%",))
_CLIMBING: Final = compile_later(
    r"(?<![\w+-])(10|[2-9tjqka])(10|[2-9tjqka])([so]?)\+(?![\w+-])", re.IGNORECASE, words=("+",)
)
_ACE: Final = 12
_TWO_RANKS: Final = [(high, low) for high in range(13) for low in range(high)]


class TwoCardHands:
    """All two-card combos of a pack, and a parser that turns terms into sets of combos (masks)."""

    weighed_example: Final = '"QQ@50, AKs@25"'
    private: Final = 2

    def __init__(self, pack: int, game: str | None) -> None:
        cards = [number for number in range(52) if pack >> number & 1]
        self._hands = [1 << first | 1 << second for first, second in combinations(cards, 2)]
        self._at = {hand: index for index, hand in enumerate(self._hands)}
        self._lowest = min(number % 13 for number in cards)
        self.example = f'"QQ+, AKs, {"T9s-87s" if self._lowest else "76s-54s"}"'
        self._cards = cards
        self._order = None if game is None else ORDERS.get(game)
        self.total = len(self._hands)
        self.everything = (1 << self.total) - 1

    @staticmethod
    @cache
    def of(pack: int, game: str | None) -> TwoCardHands:
        """Return the hands of `pack` (bits). `game` is the key of the game, if it has one."""
        return TwoCardHands(pack, game)

    def has_any(self, mask: int) -> bool:
        """Return whether a set has any hand."""
        return mask != 0

    def collect(self, parts: Sequence[tuple[int, int]]) -> tuple[Sequence[int], Sequence[int]]:
        """Return the hands of disjoint sets, as sorted bits, and their weights.

        Each part is (set, weight).
        """
        weights = {hand: weight for mask, weight in parts for hand in self._members(mask)}
        bits = sorted(weights)
        return tuple(bits), tuple([weights[hand] for hand in bits])

    def top_share(self, hand: int) -> Fraction | None:
        """Return the share of hands at least as strong as `hand`; None if hands have no order."""
        if self._order is None:
            return None
        (place,) = (at for at, kind in enumerate(self._order) if hand in combos_of_kind(kind))
        return Fraction(sum(map(combos_of, self._order[: place + 1])), self.total)

    def _members(self, mask: int) -> Iterator[int]:
        while mask:
            lowest = mask & -mask
            yield self._hands[lowest.bit_length() - 1]
            mask ^= lowest

    def atom(self, atom: str, text: str) -> int | None:
        """Return the set of hands that a term means; None if `atom` isn't a term.

        Raises `TextError` for wrong percentages, percentages in a game whose hands have no order, a
        range between hands of different kinds, a suited or offsuit pair, a term such as "54s+", and
        a term that leaves no hand because this pack lacks its ranks.
        """
        mask = self._find(atom, text)
        missing = [rank for rank in atom if rank in _RANKS and _RANKS[rank] < self._lowest]
        if mask == 0 and missing and "%" not in atom:
            reason = Reason(
                '"{term}" leaves no hand: the {number}-card deck starts at the {lowest}',
                term=written(atom),
                number=len(self._cards),
                lowest=RANK_CHARS[self._lowest],
            )
            raise TextError(text, reason, self.example)
        return mask

    def _find(self, atom: str, text: str) -> int | None:
        if _BELOW_NONE.fullmatch(atom):
            raise TextError(
                text,
                Reason('"{share}" is less than no hand', share=atom),
                '"5%" or "5%-15%"',
            )
        check_percentage(atom, text)
        percent = PERCENT.fullmatch(atom)
        if percent is not None:
            return self._mask(self._by_percent(percent, atom, text))
        sets = _SETS.fullmatch(atom)
        if sets is not None:
            return self._mask(_of_sets(sets))
        kinds = _TERM.fullmatch(atom)
        if kinds is not None:
            return self._mask(self._of_kinds(kinds, atom, text))
        anyone = _WITH_X.fullmatch(atom)
        if anyone is not None and anyone[4]:
            return self._mask(
                hand for high, low in _TWO_RANKS for hand in suits(high, low, anyone[4])
            )
        if anyone is not None:
            known = _RANKS[anyone[1] or anyone[2]]
            others = [rank for rank in range(13) if rank != known or not anyone[3]]
            return self._mask(hand for rank in others for hand in suits(known, rank, anyone[3]))
        two = _TWO.fullmatch(atom)
        if two is None or not ("x" in atom or (two[2] and two[4])):
            return None
        first, second = _slot(two[1], two[2]), _slot(two[3], two[4])
        return self._mask(
            1 << first_card | 1 << second_card
            for first_card in first
            for second_card in second
            if first_card != second_card
        )

    def _mask(self, hands: Iterable[int]) -> int:
        mask = 0
        for hand in hands:
            at = self._at.get(hand)
            if at is not None:
                mask |= 1 << at
        return mask

    def _by_percent(self, match: re.Match[str], atom: str, text: str) -> Iterator[int]:
        if self._order is None:
            reason = Reason('"{term}": percentages don\'t work in this game', term=atom)
            raise TextError(text, reason, self.example)
        low, high = percents(match, atom, text)
        for label in strongest(self._order, low, high, self.total, atom, text):
            yield from combos_of_kind(label)

    def _of_kinds(self, match: re.Match[str], atom: str, text: str) -> list[int]:
        high, low, kind = self._parts(match[1], match[2], match[3], atom, text)
        pair = high == low
        if match[4] == "+" and climbing_terms(atom):
            choices = tuple(
                without_climbing(written(atom), climbs=climbs) for climbs in (False, True)
            )
            raise UnclearHands(text, choices, written(atom))
        if match[4] == "+":
            top = _ACE if pair else high - 1
            steps = [(rank if pair else high, rank) for rank in range(low, top + 1)]
        elif match[4] == "-":
            steps = [(rank if pair else high, rank) for rank in range(self._lowest, low + 1)]
        elif match[5]:
            other_high, other_low, other_kind = self._parts(
                match[5], match[6], match[7], atom, text
            )
            one_gap = high - low == other_high - other_low
            pairs = (pair, other_high == other_low)
            if kind != other_kind or pairs[0] != pairs[1] or not (one_gap or high == other_high):
                reason = Reason('"{term}" joins hands of different kinds', term=written(atom))
                raise TextError(text, reason, self.example)
            step = 1 if one_gap else 0
            lowest, highest = sorted((low, other_low))
            base = min(high, other_high)
            steps = [(base + step * (rank - lowest), rank) for rank in range(lowest, highest + 1)]
        else:
            steps = [(high, low)]
        return [combo for higher, lower in steps for combo in suits(higher, lower, kind)]

    def _parts(
        self, first: str, second: str, kind: str, atom: str, text: str
    ) -> tuple[int, int, str]:
        high, low = sorted((_RANKS[first], _RANKS[second]), reverse=True)
        if high == low and kind:
            reason = Reason('"{term}": a pair is neither suited nor offsuit', term=written(atom))
            raise TextError(text, reason, self.example)
        return high, low, kind


def climbing_terms(text: str) -> list[str]:
    """Return terms such as "54s+" in a text, which some tools read as all hands up to AKs.

    Here, the lower of two neighbouring ranks has no room to rise.
    """
    return [match[0] for match in _CLIMBING.finditer(text) if _is_climbing(match)]


def without_climbing(text: str, *, climbs: bool) -> str:
    """Return the text with its `climbing_terms` replaced: "54s-AKs" if `climbs`, else "54s"."""

    def clear(match: re.Match[str]) -> str:
        if not _is_climbing(match):
            return match[0]
        hand = match[0].rstrip("+")
        return f"{hand}-AK{match[3]}" if climbs else hand

    return _CLIMBING.sub(clear, text)


def _is_climbing(match: re.Match[str]) -> bool:
    low, high = sorted(_RANKS[rank.lower().replace("10", "t")] for rank in (match[1], match[2]))
    return high - low == 1 and high < _ACE


def is_of_two(term: str) -> bool:
    """Return whether a term has a form that is possible for two hole cards."""
    return any(form.fullmatch(term) for form in (_TERM, PERCENT, _WITH_X, _SETS, _TWO))


def check_percentage(atom: str, text: str) -> None:
    """Raise `TextError` if `atom` names the number of players to rank for, such as "15%6h"."""
    if _AT_A_TABLE.fullmatch(atom):
        reason = Reason(
            '"{term}": here hands are ranked against one random hand, not for a full table',
            term=atom,
        )
        raise TextError(text, reason, f'"{atom[: atom.rindex("%") + 1]}"')


def percents(match: re.Match[str], atom: str, text: str) -> tuple[Fraction, Fraction]:
    """Return the lower and upper bound of a percentage term, 0 to 1.

    The lower bound of a term such as "15%" is 0. Raises `TextError` for more than 100 %.
    """
    bounds = sorted(Fraction(number) / 100 for number in match.groups() if number is not None)
    if bounds[-1] > 1:
        raise TextError(
            text,
            Reason('"{share}" is more than all hands', share=atom),
            '"15%" or "5%-15%"',
        )
    return (Fraction(0), bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])


def written(term: str) -> str:
    """Return a term as people write it: ranks and X in capitals."""
    return re.sub(r"[2-9tjqkax]", lambda rank: rank[0].upper(), term)


def combos_of_kind(label: str) -> list[int]:
    """Return the combos of one of the 169 kinds of hands, such as "AKs", "72o" or "TT"."""
    first, second = _RANKS[label[0].lower()], _RANKS[label[1].lower()]
    return suits(first, second, label[2:])


def suits(high: int, low: int, kind: str) -> list[int]:
    """Return the combos of two ranks: 6 for a pair, 4 suited ("s"), 12 offsuit ("o"), 16 for ""."""
    if high == low:
        return [
            1 << 13 * first + high | 1 << 13 * second + high
            for first, second in combinations(range(4), 2)
        ]
    return [
        1 << 13 * first + high | 1 << 13 * second + low
        for first in range(4)
        for second in range(4)
        if not kind or (first == second) == (kind == "s")
    ]


def _of_sets(match: re.Match[str]) -> Iterator[int]:
    """Yield the combos with one card from each set of ranks: "[akq][akq]s", "[akq]h9"."""
    ranks, suit, other_ranks, other_suit, kind = match.groups()
    if other_suit == "s" and not suit:  # as in "AKs"
        other_suit, kind = "", "s"
    for first in _slot(ranks, suit):
        for second in _slot(other_ranks, other_suit):
            suited = first // 13 == second // 13
            if first != second and (not kind or suited == (kind == "s")):
                yield 1 << first | 1 << second


def _slot(ranks_typed: str, suit: str) -> list[int]:
    """Return the cards that a rank, a set of ranks or X can stand for, with or without a suit."""
    named = [_RANKS[rank] for rank in ranks_typed.strip("[]x")]
    ranks = range(13) if ranks_typed == "x" else named
    suit_indices = range(4) if not suit else [SUIT_CHARS.index(suit)]
    return [13 * suit_index + rank_index for suit_index in suit_indices for rank_index in ranks]

"""Ranges of hole cards, as players write them: "QQ+, AKs, 76s-54s", "15%, !AA", "AA**:$ds@50".

A range is a set of hands, each with a weight. Terms are separated by commas. Within a term, `:`
keeps the hands that are on both sides, `!` removes hands, and `@` gives a weight in per cent. A
term that begins with `!` removes its hands from all other terms. `range_terms` parses single terms
for two hole cards, `omaha_terms` those for four and five. `kinds_of` does the reverse: it writes a
range as kinds of hands.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd, lcm
from typing import Any, Final

from engine.cards import RANK_CHARS, Cards
from engine.errors import Reason, TextError
from engine.odds.showdown.games import HOLDEM, ShowdownRules, game_of
from engine.odds.showdown.omaha_terms import OmahaHands
from engine.odds.showdown.range_terms import RANK_SET, TwoCardHands, suits
from engine.odds.showdown.spelling import check_clear, spell
from engine.patterns import compile_later

# "10" is not always a ten: "10%" and "@10" are numbers.
_TEN: Final = compile_later(r"(?<![.@])10(?!\d*(?:\.\d+)?%)", words=("10",))
_BEFORE_PER_CENT: Final = compile_later(r"\s+%", words=("%",))
_AROUND_SIGN: Final = compile_later(r"\s*([@:])\s*", words=("@", ":"))
_BEHIND_NOT: Final = compile_later(r"!\s+", words=("!",))
_AROUND_DASH: Final = compile_later(  # but "88 -5%" is two terms
    r"\s+-\s+|\s+-(?!\d[\d.]*%)|(?<=%)-\s+|(?<=%)\s+-", words=("-",)
)
_CARD: Final = r"[2-9tjqka][cdhs]"
_CARDS_ONLY: Final = compile_later(rf"(?:(?:{_CARD}|[*★])[\s,;|+]*)*")
_SIGNS: Final = compile_later(
    r"%|[\w%+*-]@|(?:^|[\s,;])@(?=\d|$)|[!:](?=[2-9tjqkax$*]|$)|\$|[2-9tjqkaso][-+]|\w\+(?=$|[\s,;)@])"
)
# "A1s": a wrong digit as a rank, then the letter for suited or offsuit
_SUITED: Final = compile_later(r"(?:^|[\s,;(!:])[2-9tjqkax]\d[so](?:$|[\s,;)!:@])")
# marks of a range, not of cards: two adjacent ranks, and X for any rank
_TWO_RANKS: Final = compile_later(r"(?<!\w)[2-9tjqka]{2}")
_X: Final = compile_later(
    r"(?:^|[\s,;(!:])(?:[2-9tjqkax][cdhs]?x[cdhso]?|x[cdhs]?[2-9tjqka][cdhso]?|xx[so])(?:$|[\s,;)!:@])",
    words=("x",),
)
_ENTRY: Final = compile_later(rf"(?:{RANK_SET}|[2-9tjqka*])[cdhsxyzw]?|[xyzw]")
_SET: Final = compile_later(RANK_SET, words=("[",))
# "RRON": a pair and two other ranks
_PATTERN: Final = compile_later(r"r[ron]{1,4}\$?(?:ds|ss|rb)?", words=("r",))
_EVERY: Final = ("any", "random", "100%")
_WEIGHT: Final = compile_later(r"\d{1,3}(?:\.\d{1,2})?%?")
# characters: enough for every combo one by one; terms of Omaha take longer
_LONGEST: Final = 10_000
_LONGEST_OMAHA: Final = 1000
_ATOMS_KEPT: Final = 32  # atoms of one range to cache, so that a repeated term is parsed once

Hands = TwoCardHands | OmahaHands


@dataclass(frozen=True, slots=True)
class Range:
    """A set of hands with weights, and the text it came from.

    `bits` are the hands as sets of cards, sorted; `weights` has a positive whole number for each,
    in lowest terms, or is empty if all weigh the same. `of` is the number of all hands in the game,
    `private` the number of cards in a hand.
    """

    text: str
    bits: Sequence[int] = field(hash=False)
    weights: Sequence[int] = field(default=(), hash=False)
    of: int = field(default=1326, compare=False)
    private: int = field(default=2, compare=False)

    @staticmethod
    def parse(text: str, rules: ShowdownRules = HOLDEM) -> Range:
        """Return the range that `text` describes in a game of these rules.

        Raises `TextError` if the text isn't understood or leaves no hand, or if the game has no
        ranges.
        """
        hands = hands_of(rules)
        if hands is None:
            reason = (
                Reason("Omaha ranges don't work with wild cards")
                if rules.five_possible and hands_of(rules.tame)
                else Reason(
                    "ranges work with two hole cards, or four or five in Omaha; this game deals"
                    " {given}",
                    given=rules.private,
                )
            )
            raise TextError(text, reason, '"AhKdQc" for a player of whom three cards are known')
        longest = longest_of(rules.private)
        if len(text) > longest:
            reason = Reason(
                "expected at most {most} characters, got {given}", most=longest, given=len(text)
            )
            raise TextError(text[:40], reason, hands.example)
        check_clear(text)
        terms = split_terms(text)
        if not terms:
            raise TextError(text, Reason("expected at least one hand in the range"), hands.example)
        parts = _weigh(terms, hands, text)
        if not parts:
            raise TextError(
                text,
                Reason('"{range}" leaves no hand', range=text.strip()),
                hands.example,
            )
        pretty = ", ".join(_pretty(term, hands) for term in terms)
        bits, weights = hands.collect(parts)
        alike = len({weight for _, weight in parts}) == 1
        return Range(pretty, bits, () if alike else weights, hands.total, hands.private)

    @property
    def is_everything(self) -> bool:
        """Whether the range is all hands with equal weights, the same as unknown cards."""
        return len(self.bits) == self.of and not self.weights

    @property
    def combos(self) -> frozenset[Cards]:
        """The hands, without their weights."""
        return frozenset(map(Cards, self.bits))

    @property
    def share(self) -> Fraction:
        """The fraction of all hands that is in the range; weights count relative to the highest."""
        if not self.weights:
            return Fraction(len(self.bits), self.of)
        return Fraction(sum(self.weights), max(self.weights) * self.of)

    def __len__(self) -> int:
        return len(self.bits)

    def __str__(self) -> str:
        return self.text


def longest_of(private: int) -> int:
    """Return how many characters the text of a range may have, if hands have `private` cards."""
    return _LONGEST if private == 2 else _LONGEST_OMAHA


def hands_of(rules: ShowdownRules) -> Hands | None:
    """Return the hands from which ranges can be made in a game; None if it has no ranges."""
    if rules.private == 2:
        # wild cards don't change a range: "20%" is the same hands as in the game without them
        return TwoCardHands.of(rules.naturals.bits, game_of(rules.tame, players=2))
    if rules.private in (4, 5) and rules.usable_private == 2 and not rules.five_possible:
        return OmahaHands.of(rules.private, rules.naturals.bits, game_of(rules, players=2))
    return None


def looks_like_range(text: str, rules: ShowdownRules = HOLDEM) -> bool:
    """Return whether `text` is meant as a range rather than as one player's cards.

    A text with marks of a range or two ranks without suits is meant as a range, even a wrong one.
    So are several whole hands in a row, as in "AhKh, AdKd". `*` is any card only in Omaha without
    jokers; elsewhere it is a joker.
    """
    plain = _tidy(text.strip().strip("?"))
    omaha = rules.private > 2 and hands_of(rules) is not None
    if plain in ("", "-"):
        return False
    if plain.startswith("(") and plain.endswith(")"):
        return hands_of(rules) is not None
    if _SET.search(plain) or (omaha and any(map(_PATTERN.fullmatch, _split(plain)))):
        return True
    if _CARDS_ONLY.fullmatch(plain):
        if omaha and "*" in plain:
            return True
        hands = [hand for hand in re.split(r"[,;]+", plain) if hand.strip()]
        return len(hands) > 1 and all(_card_total(hand) == rules.private for hand in hands)
    if omaha and "@" not in plain and all(_ENTRY.match(term) for term in _split(plain)):
        return bool(re.search(r"[2-9tjqka](?![cdhs])|[xyzw*]", plain))
    if plain in _EVERY or _TWO_RANKS.search(plain) or _SIGNS.search(plain):
        return True
    return rules.private == 2 and bool(_X.search(plain) or _SUITED.search(plain))


def is_hands(text: str, rules: ShowdownRules = HOLDEM) -> bool:
    """Return whether `text` is one or more whole hands of known cards, as in "AhKh, AdKd"."""
    terms = _split(_tidy(text))
    return bool(terms) and all(
        _CARDS_ONLY.fullmatch(term) and _card_total(term) == rules.private for term in terms
    )


def split_terms(text: str) -> list[str]:
    """Return the terms of a range in the usual spelling."""
    return _terms(_tidy(text))


def _split(plain: str) -> list[str]:
    """Return the terms between commas, semicolons and spaces."""
    return [term for term in re.split(r"[,;\s]+", plain) if term]


def _card_total(term: str) -> int:
    return len(re.findall(_CARD, term))


def _tidy(text: str) -> str:
    """Return a text in the usual spelling, with tens as `t` and without spaces around signs.

    A dash with a space only after it ends its term, unless it follows a per cent sign: "88- AA"
    is two terms, "99 - 66" one.
    """
    plain = _BEFORE_PER_CENT.sub("%", spell(text).strip())
    plain = _BEHIND_NOT.sub("!", _AROUND_SIGN.sub(r"\1", plain))
    return _TEN.sub("t", _AROUND_DASH.sub("-", plain))


def _terms(plain: str) -> list[str]:
    """Split a range into terms. Drop brackets around the whole range.

    The cards of one hand may be separated, as in "As Ks * *".
    """
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1]
    terms: list[str] = []
    for part in re.split(r"[,;]+", plain):
        words = part.split()
        if len(words) > 1 and all(_ENTRY.fullmatch(word) for word in words):
            words = ["".join(words)]
        terms += words
    return terms


def _weigh(terms: list[str], hands: Hands, text: str) -> list[tuple[Any, int]]:
    """Return disjoint sets of hands with weights; if two terms share a hand, the later counts.

    The weights are whole numbers in lowest terms. Raises `TextError` for a wrong weight, a weight
    of excluded hands, or a term that isn't understood.
    """
    weight_of: dict[str, Fraction] = {}
    gone: dict[str, None] = {}
    for term in terms:
        expression, *weight = term.split("@")
        if term.startswith("!"):
            if weight:
                reason = Reason(
                    '"{term}": hands you take away can\'t have a weight',
                    term=_pretty(term, hands),
                )
                raise TextError(text, reason, hands.example)
            gone[term[1:] or term] = None
            continue
        amount = _weight(weight, term, hands, text)
        weight_of.pop(expression or term, None)  # a repeated term counts only at its last place
        weight_of[expression or term] = amount
    atoms = lru_cache(_ATOMS_KEPT)(lambda atom: hands.atom(atom, text))
    parts: dict[Fraction, Any] = {}
    for expression, amount in weight_of.items():
        value = _value(expression, atoms, hands, text)
        parts = {weight: mask & ~value for weight, mask in parts.items()}
        parts[amount] = parts[amount] | value if amount in parts else value
    if not weight_of:  # only exclusions: apply them to all hands
        parts = {Fraction(1): hands.everything}
    for expression in gone:
        value = _value(expression, atoms, hands, text)
        parts = {weight: mask & ~value for weight, mask in parts.items()}
    left = [(mask, amount) for amount, mask in parts.items() if hands.has_any(mask)]
    scale = lcm(*(amount.denominator for _, amount in left))
    common = gcd(*(int(amount * scale) for _, amount in left))
    return [(some, int(amount * scale) // common) for some, amount in left]


def _weight(weights: list[str], term: str, hands: Hands, text: str) -> Fraction:
    if not weights:
        return Fraction(1)
    typed = weights[0]
    if len(weights) == 1 and _WEIGHT.fullmatch(typed):
        weight = Fraction(typed.rstrip("%")) / 100
        if 0 < weight <= 1:
            return weight
    reason = Reason(
        '"{term}": a weight is above 0 and at most 100 per cent',
        term=_pretty(term, hands),
    )
    raise TextError(text, reason, hands.weighed_example)


def _value(expression: str, atoms: Callable[[str], Any], hands: Hands, text: str) -> Any:
    """Return the hands of one term without its weight: atoms joined by `:` and `!`, in order.

    `atoms` parses a single atom. Raises `TextError` for an atom that isn't a range of hands.
    """
    first, *others = re.split(r"([:!])", expression)
    value = _atom(first, atoms, hands, text, expression)
    for sign, atom in zip(others[::2], others[1::2], strict=True):
        operand = _atom(atom, atoms, hands, text, expression)
        value = value & operand if sign == ":" else value & ~operand
    return value


def _atom(atom: str, atoms: Callable[[str], Any], hands: Hands, text: str, expression: str) -> Any:
    if atom in _EVERY:
        return hands.everything
    value = atoms(atom)
    if value is None:
        reason = Reason(
            '"{term}" isn\'t a range of hands',
            term=_as_typed(atom or expression, text),
        )
        raise TextError(text, reason, hands.example)
    return value


def _as_typed(word: str, text: str) -> str:
    """Return a word of the tidied text as it is typed in `text`.

    If `text` doesn't contain the word, return it with sets of ranks in capitals.
    """
    at = text.lower().find(word)
    if at < 0:
        return _SET.sub(lambda ranks: ranks[0].upper(), word)
    return text[at : at + len(word)]


def _pretty(term: str, hands: Hands) -> str:
    """Return a term as people write it: ranks in capitals, and X too if it means any rank."""
    capitals = "[2-9tjqkax]" if hands.private == 2 else "[2-9tjqka]"

    def written(word: re.Match[str]) -> str:
        if word[0] in _EVERY or word[0].startswith("$"):
            return word[0]
        if hands.private > 2 and _PATTERN.fullmatch(word[0]):
            return re.sub("^[ron]+", lambda letters: letters[0].upper(), word[0])
        if hands.private == 2 and re.fullmatch(rf"(?:{_CARD})+", word[0]):
            return str(Cards.parse(word[0])).replace(" ", "")
        return re.sub(capitals, lambda char: char[0].upper(), word[0])

    return re.sub(r"[$\w*]+", written, term)


_ACE: Final = 12
_Kind = tuple[int, int, str]  # (higher rank, lower rank, "s" or "o"; "" for a pair)


def kinds_of(held: Range) -> str:
    """Return a range of two-card hands as kinds: "AA, 88-22, AKs@50"; other hands one by one."""
    weighed: dict[int, set[int]] = defaultdict(set)
    weights = held.weights or [1] * len(held.bits)
    for hand, weight in zip(held.bits, weights, strict=True):
        weighed[weight].add(hand)
    most = max(weighed)
    terms = []
    for weight in sorted(weighed, reverse=True):
        end = "" if weight == most else f"@{100 * weight / most:.4g}"
        terms += [term + end for term in _kind_terms(weighed[weight])]
    return ", ".join(terms)


def _kind_terms(hands: set[int]) -> Iterator[str]:
    """Yield terms that together mean exactly these hands."""
    whole = {kind for kind, of_kind in _kinds().items() if of_kind <= hands}
    suited, offsuit = (
        {kind_ranks[:2] for kind_ranks in whole if kind_ranks[2] == end} for end in "so"
    )
    # "AK" is both; a high rank that has some kinds only suited needs two terms, "A7s+, A9o+"
    uneven = {high for high, _ in suited ^ offsuit}
    both = {kind_ranks for kind_ranks in suited & offsuit if kind_ranks[0] not in uneven}
    yield from _spans((high, low, "") for high, low, end in whole if not end)
    yield from _spans((high, low, "") for high, low in both)
    for end, kinds in (("s", suited), ("o", offsuit)):
        yield from _spans((high, low, end) for high, low in kinds - both)
    left = hands.difference(*(_kinds()[kind] for kind in whole))
    for cards in sorted(
        map(Cards, left), key=lambda kind_ranks: [-c.rank * 4 - c.suit for c in kind_ranks]
    ):
        yield str(cards).replace(" ", "")


def _spans(kinds: Iterable[_Kind]) -> Iterator[str]:
    """Yield terms for runs of neighbouring kinds: "QQ+", "A5s-A2s"."""
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
    def kind_label(low: int) -> str:
        return RANK_CHARS[low if high > _ACE else high] + RANK_CHARS[low] + end

    if top == bottom:
        return kind_label(top)
    return (
        f"{kind_label(bottom)}+" if top == high - 1 else f"{kind_label(top)}-{kind_label(bottom)}"
    )


@cache
def _kinds() -> dict[_Kind, set[int]]:
    return {
        (high, low, end): set(suits(high, low, end))
        for high in range(_ACE + 1)
        for low in range(high + 1)
        for end in ([""] if high == low else "so")
    }

"""What a typed text that is no bid may mean; nothing here is ever played without being confirmed.

A strange word is taken for the known word that is one slip of a finger away, for several ranks
written as one word, or left out (`readings`). What is then understood leaves some bids of a ladder
(`fits`): "jacks" is a pair of jacks, three of them or more, "full house" is any full house.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import islice, product
from string import ascii_lowercase
from typing import Final

from engine.bid_parser import KIND_SIZE, ParsedText, read, strange_words
from engine.bids import Bid, Kind, straight_ranks
from engine.cards import Rank
from engine.lexicon import FROM, HIGH, OVER, SMALL, Lexicon

MOST_STRANGE: Final = 8  # words; a text with more of them is no bid
_MOST_VARIANTS: Final = 32
_MENDED, _LEFT_OUT = 1, 2  # what changing a strange word costs
_SHORTEST_SLIP: Final = 2  # letters
_LONG, _ALIKE = 6, 0.8  # a long word may have two wrong: "strait"
_LONGEST_WORD: Final = 20  # letters; a longer one is none, and would take long to mend
_NO_LETTER: Final = re.compile(r"[^\w♣♦♥♠]")
_TIMES: Final = r"([2-5])[x×]({rank})|({rank})[x×]([2-5])"
_TIMES_AFTER: Final = re.compile(r"^(.+) [x×] ?([2-5])$")  # "kings x3"

_STRAIGHTS: Final = frozenset({Kind.STRAIGHT, Kind.STRAIGHT_FLUSH})
_FLUSHES: Final = frozenset({Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.ROYAL_FLUSH})


@dataclass(frozen=True, slots=True)
class WayToRead:
    """What a text says once its strange words are mended; `cost` grows with what was changed.

    `loose` is the same with every number counting the rank behind it: "three 9" as three nines.
    `doubts`: it names no hand, and has a word of somebody who challenges.
    """

    plain: str
    said: ParsedText
    loose: ParsedText
    doubts: bool
    cost: int


def readings(plain: str, lexicon: Lexicon, known: Set[str]) -> list[WayToRead]:
    """Return the ways to understand a normalised text, those that change least of it first.

    `known` are the words that a strange one may be a slip of.
    """
    plain = _TIMES_AFTER.sub(r"\2 \1", plain)
    strange = strange_words(plain, lexicon)
    if len(strange) > MOST_STRANGE:
        return []
    found: list[WayToRead] = []
    mends = [_mends(word, lexicon, known) for word in strange]
    for chosen in islice(product(*mends), _MOST_VARIANTS):
        mended = dict(zip(strange, chosen, strict=True))
        words = " ".join(mended.get(word, word) for word in plain.split()).split()
        text = " ".join(word for word in words if word not in lexicon.doubts)
        said = read(text, lexicon)
        doubts = not said.says_something and not lexicon.doubts.isdisjoint(words)
        if said.says_something or doubts:
            cost = sum(_MENDED if word else _LEFT_OUT for word in chosen)
            found.append(WayToRead(text, said, read(text, lexicon, loose=True), doubts, cost))
    return sorted(found, key=lambda reading: reading.cost)


def _mends(word: str, lexicon: Lexicon, known: Set[str]) -> list[str]:
    """Return what a strange word may stand for; an empty text, the last, leaves it out."""
    if word in known:  # a game's own word, in which it says its bids
        return [word]
    if len(word) > _LONGEST_WORD:
        return [""]
    bare = _NO_LETTER.sub("", word)
    if bare != word:
        return _mends(bare, lexicon, known) if strange_words(bare, lexicon) else [bare]
    times = re.fullmatch(_TIMES.format(rank=lexicon.short), word)
    if times is not None:
        rank, number = times[2] or times[3], times[1] or times[4]
        return [" ".join([rank] * int(number))]
    slips = _one_slip_away(word) & known if len(word) >= _SHORTEST_SLIP else set()
    if not slips and len(word) >= _LONG:
        likeness = likeness_to(word)
        best = max(map(likeness, known))
        slips = {other for other in known if likeness(other) == best >= _ALIKE}
    apart = filter(None, (_spread_ranks(word, lexicon), _split(word, lexicon)))
    return [*sorted(slips), *apart, ""]


def _spread_ranks(word: str, lexicon: Lexicon) -> str:
    """Return the ranks in a word of nothing else ("56789", "qqj", "jjs"), apart; else nothing."""
    if not re.fullmatch(rf"(?:{lexicon.short}){{2,}}s?", word):
        return ""
    ranks = re.findall(lexicon.short, word)
    # "at" is a word, "kq" is none
    is_word = "a" in word and len(set(ranks)) == len(ranks) and word.isalpha()
    return "" if is_word else " ".join(ranks)


def _split(word: str, lexicon: Lexicon) -> str:
    """Return the two words that are written as one ("jhigh", "threekings"); nothing for others."""
    for at in range(1, len(word)):
        parts = word[:at], word[at:]
        long = max(map(len, parts)) > _SHORTEST_SLIP + 1
        if long and not any(strange_words(part, lexicon) for part in parts):
            return " ".join(parts)
    return ""


def _one_slip_away(word: str) -> set[str]:
    """Return every word that one letter more, less, other or swapped makes of `word`."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    fewer = {left + right[1:] for left, right in cuts if right}
    more = {left + letter + right for left, right in cuts for letter in ascii_lowercase}
    other = {
        left + letter + right[1:] for left, right in cuts if right for letter in ascii_lowercase
    }
    return swapped | fewer | more | other


def kinds_said(said: ParsedText) -> Set[Kind]:
    """Return the kinds of hand that a text names, in words or by a flag; empty if it names none."""
    if set(said.kinds) == {Kind.PAIR} and (len(said.kinds) > 1 or len(said.ranks) > 1):
        return {Kind.TWO_PAIR}
    if said.kinds:
        return set(said.kinds)
    if OVER in said.flags:
        return {Kind.FULL_HOUSE}
    if HIGH in said.flags:
        return {Kind.HIGH_CARD} if said.suit is None else {Kind.FLUSH, Kind.STRAIGHT_FLUSH}
    return {Kind.STRAIGHT} if said.flags else set()


def fits(bid: Bid, said: ParsedText, tops: Sequence[Rank]) -> bool:
    """Return whether a bid agrees with what was understood of a text, as far as that goes.

    `tops` are the ladder's straights, low to high.
    """
    named = kinds_said(said)
    royal = bid.kind is Kind.STRAIGHT_FLUSH and bid.ranks == (Rank.ACE,)
    named_so = bid.kind in named or (royal and Kind.ROYAL_FLUSH in named)
    if not (named_so if named else _fits_unnamed(bid, said)):
        return False
    if bid.suit is not None and said.suit not in (None, bid.suit):
        return False
    if not bid.ranks or Kind.ROYAL_FLUSH in named:
        return True
    if bid.kind in _STRAIGHTS:
        return _fits_straight(bid, said, tops)
    if not set(said.ranks) <= set(bid.ranks):
        return False
    return bid.kind is Kind.FLUSH or _fits_counts(bid, said)


def _fits_unnamed(bid: Bid, said: ParsedText) -> bool:
    """Return whether a kind of hand may be meant by a text that names none."""
    if said.suit is not None:
        return bid.kind in _FLUSHES or (bid.kind is Kind.HIGH_CARD and len(said.ranks) == 1)
    if bid.kind is Kind.STRAIGHT:
        return len(said.ranks) > 1
    return bid.kind in KIND_SIZE and set(bid.ranks) == set(said.ranks)


def _fits_straight(bid: Bid, said: ParsedText, tops: Sequence[Rank]) -> bool:
    """Return whether a straight may be meant: by its top, its two ends, or all of its cards."""
    top = bid.ranks[0]
    sizes = said.flags & {"SMALL", "BIG"}
    if sizes and len(tops) == 2 and top is not tops[SMALL not in sizes]:
        return False
    if not said.ranks:
        return True
    row = straight_ranks(top)
    if len(said.ranks) == 1:
        return top in said.ranks or (FROM in said.flags and row[0] in said.ranks)
    return set(said.ranks) in ({row[0], top}, set(row))


def _fits_counts(bid: Bid, said: ParsedText) -> bool:
    """Return whether a bid has as many of each rank as the text says."""
    sizes = dict(zip(bid.ranks, reversed(KIND_SIZE[bid.kind]), strict=True))
    counted = any(number > 1 for number in said.counts.values())
    if OVER in said.flags and not counted and said.ranks and said.ranks[0] is not bid.ranks[0]:
        return False
    for rank, size in sizes.items():
        number = said.counts.get(rank, 1)  # 1: said without a number
        if number > 1 and size != number:
            return False
        if size == 1 and rank in said.several and HIGH not in said.flags:
            return False
    return True


def likeness_to(typed: str) -> Callable[[str], float]:
    """Return how alike a text is to `typed`: twice their common subsequence, by both lengths.

    It is counted with one bit a letter (Hyyrö, "Bit-parallel LCS-length computation revisited",
    2004). `difflib` finds the same bids, in ten times the time: 10 ms for a ladder of 385.
    """
    letters: dict[str, int] = {}  # where each stands, as bits
    for at, letter in enumerate(typed):
        letters[letter] = letters.get(letter, 0) | 1 << at
    whole = (1 << len(typed)) - 1

    def likeness(text: str) -> float:
        free = whole  # a bit falls where the subsequence grows
        for letter in text:
            hit = free & letters.get(letter, 0)
            free = ((free + hit) | (free - hit)) & whole
        return 2 * (whole & ~free).bit_count() / (len(typed) + len(text))

    return likeness

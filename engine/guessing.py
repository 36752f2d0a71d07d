"""Guess the bids that a text may mean, if it isn't exactly one bid. Players must confirm a guess.

`readings` corrects, splits or leaves out each strange word. `fits` tells which bids of a ladder
agree with the result: "jacks" is two or more jacks, "full house" is any full house.
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
from engine.patterns import compile_later

MOST_STRANGE: Final = 8  # words; a text with more strange words can't be a bid
_MOST_VARIANTS: Final = 32
_MENDED, _LEFT_OUT = 1, 2  # the cost of changing a strange word, and of leaving it out
_SHORTEST_SLIP: Final = 2  # letters
_LONG, _ALIKE = 6, 0.8  # a long word may have two wrong letters: "strait"
_LONGEST_WORD: Final = 20  # letters; a longer word can't be a typo, and would take long to correct
_NO_LETTER: Final = compile_later(r"[^\w♣♦♥♠]")
_TIMES: Final = r"([2-5])[x×]({rank})|({rank})[x×]([2-5])"
_TIMES_AFTER: Final = compile_later(r"^(.+) [x×] ?([2-5])$")  # "kings x3"

_STRAIGHTS: Final = frozenset({Kind.STRAIGHT, Kind.STRAIGHT_FLUSH})
_FLUSHES: Final = frozenset({Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.ROYAL_FLUSH})


@dataclass(frozen=True, slots=True)
class WayToRead:
    """One reading of a text with its strange words corrected; `cost` grows with each change.

    `plain` is the corrected text without words for a challenge. `doubts` is True if the text
    had words for a challenge and names no hand. `parsed` is `plain` read strictly. `loose` is
    `plain` read loosely: a number counts any rank after it, so "three 9" is three nines.
    """

    plain: str
    parsed: ParsedText
    loose: ParsedText
    doubts: bool
    cost: int


def readings(plain: str, lexicon: Lexicon, known: Set[str]) -> list[WayToRead]:
    """Return the meaningful ways to read a normalised text, lowest cost first.

    `known` are the words that a strange word may be a typo of. Only the first 32 combinations of
    corrections are tried. A text with more than `MOST_STRANGE` strange words has no readings.
    """
    plain = _TIMES_AFTER.sub(r"\2 \1", plain)
    strange = strange_words(plain, lexicon)
    if len(strange) > MOST_STRANGE:
        return []
    ways: list[WayToRead] = []
    mends = [_mends(word, lexicon, known) for word in strange]
    for chosen in islice(product(*mends), _MOST_VARIANTS):
        mended = dict(zip(strange, chosen, strict=True))
        words = " ".join(mended.get(word, word) for word in plain.split()).split()
        text = " ".join(word for word in words if word not in lexicon.doubts)
        parsed = read(text, lexicon)
        doubts = not parsed.says_something and not lexicon.doubts.isdisjoint(words)
        if parsed.says_something or doubts:
            cost = sum(_MENDED if word else _LEFT_OUT for word in chosen)
            ways.append(WayToRead(text, parsed, read(text, lexicon, loose=True), doubts, cost))
    return sorted(ways, key=lambda reading: reading.cost)


def _mends(word: str, lexicon: Lexicon, known: Set[str]) -> list[str]:
    """Return the texts that may replace a strange word; "" leaves the word out.

    There is a single replacement for a `known` word, for a word like "3xk", and for a word that is
    understood without its punctuation. For any other word, the last replacement is "".
    """
    if word in known:  # one of the game's own words for its bids
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
        slips = {candidate for candidate in known if likeness(candidate) == best >= _ALIKE}
    apart = filter(None, (_spread_ranks(word, lexicon), _split(word, lexicon)))
    return [*sorted(slips), *apart, ""]


def _spread_ranks(word: str, lexicon: Lexicon) -> str:
    """Put spaces between the ranks of a word like "56789", "qqj" or "jjs"; drop a final "s".

    Return "" for any other word. Also return "" if the ranks are different letters, including "a":
    the text may be a word, such as "at".
    """
    if not re.fullmatch(rf"(?:{lexicon.short}){{2,}}s?", word):
        return ""
    ranks = re.findall(lexicon.short, word)
    # "at" is a word, "kq" isn't
    is_word = "a" in word and len(set(ranks)) == len(ranks) and word.isalpha()
    return "" if is_word else " ".join(ranks)


def _split(word: str, lexicon: Lexicon) -> str:
    """Return the two words that were written as one ("jhigh", "threekings"), or ""."""
    for at in range(1, len(word)):
        parts = word[:at], word[at:]
        long = max(map(len, parts)) > _SHORTEST_SLIP + 1
        if long and not any(strange_words(part, lexicon) for part in parts):
            return " ".join(parts)
    return ""


def _one_slip_away(word: str) -> set[str]:
    """Return the texts that one typo in `word` makes.

    A typo adds, drops or changes a letter, or swaps two letters.
    """
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    shorter = {left + right[1:] for left, right in cuts if right}
    longer = {left + letter + right for left, right in cuts for letter in ascii_lowercase}
    changed = {
        left + letter + right[1:] for left, right in cuts if right for letter in ascii_lowercase
    }
    return swapped | shorter | longer | changed


def named_kinds(parsed: ParsedText) -> Set[Kind]:
    """Return the kinds of hand that a text names, or hints at as in "kings over"; empty if none."""
    if set(parsed.kinds) == {Kind.PAIR} and (len(parsed.kinds) > 1 or len(parsed.ranks) > 1):
        return {Kind.TWO_PAIR}
    if parsed.kinds:
        return set(parsed.kinds)
    if OVER in parsed.flags:
        return {Kind.FULL_HOUSE}
    if HIGH in parsed.flags:
        return {Kind.HIGH_CARD} if parsed.suit is None else {Kind.FLUSH, Kind.STRAIGHT_FLUSH}
    return {Kind.STRAIGHT} if parsed.flags else set()


def fits(bid: Bid, parsed: ParsedText, tops: Sequence[Rank]) -> bool:
    """Return whether a bid agrees with everything that a parsed text says.

    `tops` are the top ranks of the ladder's straights, low to high.
    """
    named = named_kinds(parsed)
    royal = bid.kind is Kind.STRAIGHT_FLUSH and bid.ranks == (Rank.ACE,)
    named_so = bid.kind in named or (royal and Kind.ROYAL_FLUSH in named)
    if not (named_so if named else _fits_unnamed(bid, parsed)):
        return False
    if bid.suit is not None and parsed.suit not in (None, bid.suit):
        return False
    if not bid.ranks or Kind.ROYAL_FLUSH in named:
        return True
    if bid.kind in _STRAIGHTS:
        return _fits_straight(bid, parsed, tops)
    if not set(parsed.ranks) <= set(bid.ranks):
        return False
    return bid.kind is Kind.FLUSH or _fits_counts(bid, parsed)


def _fits_unnamed(bid: Bid, parsed: ParsedText) -> bool:
    """Return whether a text that names no kind may mean this bid."""
    if parsed.suit is not None:
        return bid.kind in _FLUSHES or (bid.kind is Kind.HIGH_CARD and len(parsed.ranks) == 1)
    if bid.kind is Kind.STRAIGHT:
        return len(parsed.ranks) > 1
    if bid.kind is Kind.FULL_HOUSE and parsed.names_pairs:
        return False
    return bid.kind in KIND_SIZE and set(bid.ranks) == set(parsed.ranks)


def _fits_straight(bid: Bid, parsed: ParsedText, tops: Sequence[Rank]) -> bool:
    """Return whether the size and the ranks in a text agree with this straight.

    The ranks may be the straight's top, its lowest rank after "from", its two ends, or all five. A
    text without ranks agrees with any straight of its size.
    """
    top = bid.ranks[0]
    sizes = parsed.flags & {"SMALL", "BIG"}
    if sizes and len(tops) == 2 and top is not tops[SMALL not in sizes]:
        return False
    if not parsed.ranks:
        return True
    row = straight_ranks(top)
    if len(parsed.ranks) == 1:
        return top in parsed.ranks or (FROM in parsed.flags and row[0] in parsed.ranks)
    return set(parsed.ranks) in ({row[0], top}, set(row))


def _fits_counts(bid: Bid, parsed: ParsedText) -> bool:
    """Return whether a bid has the number of each rank that the text says."""
    sizes = dict(zip(bid.ranks, reversed(KIND_SIZE[bid.kind]), strict=True))
    counted = any(number > 1 for number in parsed.counts.values())
    if (
        OVER in parsed.flags
        and not counted
        and parsed.ranks
        and parsed.ranks[0] is not bid.ranks[0]
    ):
        return False
    for rank, size in sizes.items():
        number = parsed.counts.get(rank, 1)  # 1: named without a number
        if number > 1 and size != number:
            return False
        if size == 1 and rank in parsed.several and HIGH not in parsed.flags:
            return False
    return True


def likeness_to(typed: str) -> Callable[[str], float]:
    """Return a function that returns how similar a text is to `typed`, 0 to 1.

    The similarity is twice the length of the two texts' longest common subsequence, divided by the
    sum of their lengths. The subsequence is computed with one bit a letter (Hyyrö, "Bit-parallel
    LCS-length computation revisited", 2004). Python's own difflib is ten times slower.
    """
    letters: dict[str, int] = {}  # the places of each letter, as bits
    for at, letter in enumerate(typed):
        letters[letter] = letters.get(letter, 0) | 1 << at
    whole = (1 << len(typed)) - 1

    def likeness(text: str) -> float:
        free = whole  # a bit becomes 0 where the subsequence grows
        for letter in text:
            hit = free & letters.get(letter, 0)
            free = ((free + hit) | (free - hit)) & whole
        return 2 * (whole & ~free).bit_count() / (len(typed) + len(text))

    return likeness

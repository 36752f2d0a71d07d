"""Turn typed words into ranks, suits and kinds of hand; `lexicon` has the known words.

The result, a `ParsedText`, has the canonical key of the bid that the text means; a ladder may lack
that bid. A number word is a count only before a plural rank ("three fives"), otherwise a rank
("pair of threes"); a number alone means no bid. This is strict on purpose: a text that is unclear
or incomplete, or contradicts itself, has no key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Sequence, Set
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from engine.bids import Kind
from engine.cards import Rank, Suit
from engine.lexicon import ENGLISH_LEXICON, FLAGS, HIGH, KIND_TOKENS, Lexicon, fold_accents
from engine.patterns import compile_later

LONGEST_TEXT: Final = 100  # characters; a longer text can't be a bid

_LAST_COUNT: Final = Rank.FIVE  # the highest rank whose name is also a count
_LIKE_SUITS: Final = str.maketrans(
    {"♧": "♣", "♢": "♦", "♡": "♥", "❤": "♥", "♤": "♠", "\ufe0f": None, "\ufe0e": None}
)
_BETWEEN_WORDS: Final = compile_later(r"[\s.,;:!?\"“”„()/+_‐–—-]+")

_SIZES: Final = frozenset({"SMALL", "BIG"})
_SUITED: Final = frozenset({"FLUSH", "STRAIGHTFLUSH", "ROYALFLUSH", "HIGH"})
_OF_SIZE: Final = {
    (2,): Kind.PAIR,
    (3,): Kind.THREE,
    (4,): Kind.FOUR,
    (5,): Kind.FIVE,
    (2, 2): Kind.TWO_PAIR,
    (2, 3): Kind.FULL_HOUSE,
}
KIND_SIZE: Final = {kind: sizes for sizes, kind in _OF_SIZE.items()} | {Kind.HIGH_CARD: (1,)}


@dataclass(slots=True)
class ParsedText:
    """The ranks, suit, kinds and flags that a text names.

    `ranks` are in the order of mention; `counts` says how many of each were named. `plural` are the
    ranks named in the plural; `several` has these ranks too, and those named in a form that may be
    either singular or plural. `flags` are any of `OVER`, `HIGH`, `SMALL`, `BIG` and `FROM`. `clear`
    is False if a word was not understood, a rank was named twice, or two suits were named.
    """

    ranks: list[Rank] = field(default_factory=list)
    counts: dict[Rank, int] = field(default_factory=dict)
    plural: set[Rank] = field(default_factory=set)
    several: set[Rank] = field(default_factory=set)
    suit: Suit | None = None
    kinds: list[Kind] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    clear: bool = True

    def add_rank(
        self, rank: Rank, count: int = 1, *, plural: bool = False, several: bool = False
    ) -> None:
        """Add a rank and its count. If the rank was named before, the text isn't clear."""
        if rank in self.counts:
            self.clear = False
            return
        self.ranks.append(rank)
        self.counts[rank] = count
        if plural:
            self.plural.add(rank)
        if plural or several:
            self.several.add(rank)

    def add_suit(self, suit: Suit) -> None:
        """Set the suit. If another suit was named before, the text isn't clear."""
        self.clear &= self.suit in (None, suit)
        self.suit = suit

    def key(self, kinds: Set[Kind], straight_tops: Sequence[Rank]) -> str | None:
        """Return the canonical key of the bid that the text means on a ladder of `kinds`, or None.

        `straight_tops` are the top ranks of the ladder's straights, low to high. If there are just
        two, a text may call them the small and the big straight. The ladder may still have no bid
        with that key.
        """
        kind = self.kind if self.clear else None
        if self.flags & _SIZES and kind is not Kind.STRAIGHT:
            return None
        suit = self.suit.char if self.suit is not None else ""
        ranks = "".join(rank.char for rank in self.ranks)
        match kind:
            case Kind.STRAIGHT if not suit and self._names_no_count():
                top = self._straight_top(straight_tops)
                return f"straight:{top.char}" if top is not None else None
            case Kind.ROYAL_FLUSH if suit and self._names_no_count() and ranks in ("", "A"):
                royal = Kind.ROYAL_FLUSH in kinds
                return f"royal_flush:{suit}" if royal else f"straight_flush:A{suit}"
            case Kind.FLUSH | Kind.STRAIGHT_FLUSH if suit and self._names_no_count():
                return f"{kind}:{ranks}{suit}"
            case Kind.TWO_PAIR | Kind.FULL_HOUSE if not suit and self._counts_agree(kind):
                return f"{kind}:{','.join(rank.char for rank in self._main_rank_first(kind))}"
            case Kind.HIGH_CARD | Kind.PAIR | Kind.THREE | Kind.FOUR | Kind.FIVE:
                return f"{kind}:{ranks}" if not suit and self._counts_agree(kind) else None
        return None

    @property
    def says_something(self) -> bool:
        """Whether the text names any rank, suit, kind of hand or flag."""
        return bool(self.ranks or self.kinds or self.flags or self.suit is not None)

    @property
    def names_pairs(self) -> bool:
        """Whether the text is just two ranks, like "ace and jack", which means two pair."""
        alone = not self.kinds and not self.flags and self.suit is None
        return alone and tuple(self.counts.values()) == (1, 1)

    @property
    def kind(self) -> Kind | None:
        """The kind of hand that the text names or its ranks make up; None if unclear."""
        if self.kinds == [Kind.PAIR, Kind.PAIR]:
            return Kind.TWO_PAIR
        if self.kinds:
            return self.kinds[0] if len(set(self.kinds)) == 1 else None
        if "OVER" in self.flags:
            return Kind.FULL_HOUSE
        sizes = tuple(sorted(self.counts.values()))
        if sizes == (1,):
            if self.suit is not None:
                return Kind.FLUSH if "HIGH" in self.flags else None
            # "three" alone may be the beginning of "three sixes"
            telling = "HIGH" in self.flags or self.ranks[0] > _LAST_COUNT
            return Kind.HIGH_CARD if telling and not self.several else None
        if sizes == (1, 1) and len(self.several) == 2:
            return Kind.TWO_PAIR
        return _OF_SIZE.get(sizes)

    def _counts_agree(self, kind: Kind) -> bool:
        """Return whether the ranks, their counts and the flags agree with `kind`."""
        size = KIND_SIZE[kind]
        sizes = tuple(sorted(self.counts.values()))
        allowed = {Kind.FULL_HOUSE: {"OVER"}, Kind.HIGH_CARD: {"HIGH"}}.get(kind, set())
        if "OVER" in self.flags and sizes == size:  # the three of a kind is named first
            sizes = tuple(self.counts.values())[::-1]
        return self.flags <= allowed and sizes in (size, (1,) * len(size))

    def _names_no_count(self) -> bool:
        """Return whether the text names each rank once, in the singular, without `OVER` or `FROM`.

        With `HIGH`, it must name exactly one rank.
        """
        if "HIGH" in self.flags and len(self.ranks) != 1:
            return False
        return (
            not self.flags & {"OVER", "FROM"}
            and not self.plural
            and set(self.counts.values()) <= {1}
        )

    def _main_rank_first(self, kind: Kind) -> list[Rank]:
        """Return both ranks: for two pair the higher first, for a full house the triplet's first.

        Without counts, the rank that is named first is the triplet's.
        """
        if kind is Kind.TWO_PAIR:
            return sorted(self.ranks, reverse=True)
        return sorted(self.ranks, key=lambda rank: -self.counts[rank])

    def _straight_top(self, tops: Sequence[Rank]) -> Rank | None:
        if sized := self.flags & _SIZES:
            if len(self.flags) > 1 or len(tops) != 2:
                return None
            top = tops[0] if sized == {"SMALL"} else tops[1]
            return top if self.ranks in ([], [top]) else None
        if len(self.ranks) == 1:
            return self.ranks[0]
        if len(self.ranks) == 2:  # "9 to K", "ten to ace", "ace to five"
            low, top = self.ranks
            wheel = (low, top) == (Rank.ACE, Rank.FIVE)
            return top if wheel or top - low == 4 else None
        return None


def normalise(text: str, lexicon: Lexicon = ENGLISH_LEXICON) -> str:
    """Return the first `LONGEST_TEXT` characters of `text` in lower case and Unicode's form NFKC.

    Spaces replace the punctuation that people put between words, "and" replaces "&", and
    apostrophes are removed. Anything else (a mention, a tag, an invisible character) stays, so that
    the text won't be understood. Drop accents too if the lexicon is `folded`.
    """
    plain = unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).translate(_LIKE_SUITS).casefold()
    plain = re.sub(r"['’]", "", plain.replace("&", " and "))
    plain = " ".join(_BETWEEN_WORDS.sub(" ", plain).split())
    return fold_accents(plain) if lexicon.folded else plain


def read(plain: str, lexicon: Lexicon = ENGLISH_LEXICON, *, loose: bool = False) -> ParsedText:
    """Parse a text that was normalised for the same `lexicon`.

    With `loose`, a number is a count before a singular rank too: "three 9" is three nines.
    """
    words = tokens(plain, lexicon)
    telling = [word for word in words if word not in lexicon.fillers]
    if len(telling) > 1 and telling[0] in lexicon.articles:
        # in "a pair" and "a king high", an article; in "a 9" and "a k", an ace
        following = telling[1]
        named = following in lexicon.one or following in lexicon.all_suits
        spoken_of = following in KIND_TOKENS or following in lexicon.single
        if spoken_of or (len(following) > 2 and named):
            words.remove(telling[0])
    return _read_words(_name_single(words, lexicon), lexicon, loose=loose)


def tokens(plain: str, lexicon: Lexicon) -> list[str]:
    """Split a normalised text into words, with the lexicon's phrases replaced by their tokens."""
    for pattern, word in lexicon.phrases:
        plain = pattern.sub(word, plain)
    return plain.split()


def strange_words(plain: str, lexicon: Lexicon) -> list[str]:
    """Return the words of a normalised text that mean nothing in this language, each once."""
    strange = []
    for word in dict.fromkeys(tokens(plain, lexicon)):
        alone = ParsedText()
        _read_word(word, alone, lexicon)
        further = (lexicon.counts, lexicon.fillers, lexicon.single, lexicon.doubts)
        if not alone.clear and not any(word in words for words in further):
            strange.append(word)
    return strange


def _name_single(words: list[str], lexicon: Lexicon) -> list[str]:
    """Turn "one jack" into "jack high"; return other words as they are."""
    number, *others = words or [""]
    card = others[0] if others else ""
    if number not in lexicon.single or card not in lexicon.one or card in lexicon.several:
        return words
    if set(others[1:]) - {HIGH} or (number.isdigit() and card.isdigit()):  # "1 3" may be a typo
        return words
    return [card, HIGH]


def _read_words(words: list[str], lexicon: Lexicon, *, loose: bool) -> ParsedText:
    reading = ParsedText()
    suited = not _SUITED.isdisjoint(words)
    words = _join_runs(words, lexicon)
    countable = {**lexicon.one, **lexicon.several} if loose else lexicon.several
    at = 0
    while at < len(words):
        word = words[at]
        counted = (
            _counted_place(words, at + 1, lexicon, countable) if word in lexicon.counts else None
        )
        if suited and word in lexicon.spades:  # in "8s flush", the s means spades, not a plural
            reading.add_rank(lexicon.spades[word])
            reading.add_suit(Suit.SPADES)
        elif counted is not None:
            reading.add_rank(countable[words[counted]], lexicon.counts[word])
            at = counted
        elif word not in lexicon.fillers:
            _read_word(word, reading, lexicon)
        at += 1
    return reading


def _counted_place(
    words: list[str], at: int, lexicon: Lexicon, countable: Container[str]
) -> int | None:
    """Return the index of the `countable` rank that the number before index `at` counts, or None.

    In "three of the kings" it counts the kings; "three and kings" may mean threes and kings.
    """
    while at < len(words) and words[at] in lexicon.counting:
        at += 1
    return at if at < len(words) and words[at] in countable else None


def _join_runs(words: list[str], lexicon: Lexicon) -> list[str]:
    """Join consecutive equal single ranks into one run: `t t 3 3` becomes `tt 33`."""
    joined: list[str] = []
    for word, same in groupby(words):
        times = len(list(same))
        if word in lexicon.one and times > 1:
            joined.append(lexicon.one[word].char.lower() * times)
        else:
            joined += [word] * times
    return joined


def _read_word(word: str, reading: ParsedText, lexicon: Lexicon) -> None:
    if word in KIND_TOKENS:
        reading.kinds.append(KIND_TOKENS[word])
    elif word in FLAGS:
        reading.flags.add(word)
    elif word in lexicon.plural:
        reading.add_rank(lexicon.plural[word], plural=True)
    elif word in lexicon.one:
        reading.add_rank(lexicon.one[word], several=word in lexicon.either)
    elif word in lexicon.all_suits:
        reading.add_suit(lexicon.all_suits[word])
    elif lexicon.run.fullmatch(word) or lexicon.runs.fullmatch(word):
        for run in lexicon.run.finditer(word):
            reading.add_rank(lexicon.one[run[1]], len(run[0]) // len(run[1]))
    elif match := lexicon.card.fullmatch(word):
        rank, suit = lexicon.card_of(match[1], match[2])
        reading.add_rank(rank)
        reading.add_suit(suit)
    elif match := lexicon.turned_card.fullmatch(word):
        rank, suit = lexicon.card_of(match[2], match[1])
        reading.add_rank(rank)
        reading.add_suit(suit)
    else:
        reading.clear = False

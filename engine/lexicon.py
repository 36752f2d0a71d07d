"""The words of typed bids: one `Lexicon` per language, English here.

`bid_parser` turns the words of a text into ranks, suits and kinds; `vocabulary` puts bids into
words. Tokens, in capitals, replace phrases: TWOPAIR replaces "two pairs".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from engine.bids import Kind
from engine.cards import Rank, Suit
from engine.patterns import compile_later

RANK_WORDS: Final[dict[Rank, tuple[str, str]]] = {
    rank: (rank.name.lower(), rank.name.lower() + ("es" if rank is Rank.SIX else "s"))
    for rank in Rank
}
SUIT_WORDS: Final[dict[Suit, tuple[str, str]]] = {
    suit: (suit.name.lower().removesuffix("s"), suit.name.lower()) for suit in Suit
}
OVER, HIGH, SMALL, BIG, FROM = "OVER", "HIGH", "SMALL", "BIG", "FROM"
FLAGS: Final = frozenset({OVER, HIGH, SMALL, BIG, FROM})
KIND_TOKENS: Final[dict[str, Kind]] = {kind.name.replace("_", ""): kind for kind in Kind}
# patterns written in a language file before a phrase, and the token of each
TOKENS: Final[dict[str, str]] = (
    {kind.value: token for token, kind in KIND_TOKENS.items()}
    | {flag.lower(): flag for flag in FLAGS}
    | {"nothing": ""}
)
_RANK_LETTERS: Final[dict[str, Rank]] = {rank.char.lower(): rank for rank in Rank}
_SIGNS: Final[dict[str, Suit]] = {suit.symbol: suit for suit in Suit}
_SUIT_LETTERS: Final[dict[str, Suit]] = {suit.char: suit for suit in Suit}
# letters that Unicode does not decompose into a letter and an accent
_NO_ACCENT: Final = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "đ": "d", "ı": "i"})

Phrase = tuple[re.Pattern[str], str]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one language, normalised by `bid_parser.normalise`.

    - `singular`, `plural` and `either`: forms of ranks. Forms in `either` may be singular or
      plural (Polish "damy": of the queen, queens).
    - `letters`: letters for ranks, in addition to those on the cards.
    - `spades`: ranks followed by an "s" that means spades in a flush ("8s flush").
    - `counts`: numbers, understood only before a rank that may be plural.
    - `counting`: the fillers that may stand between a number and the rank it counts.
    - `single`: words for one card, before its rank.
    - `articles`: articles that are also letters of ranks.
    - `phrases`: tried in this order before the text is split into words. A phrase is replaced
      by its token; a phrase without a token is dropped, like `fillers`.
    - `suited` and `offsuit`: words that may follow two ranks of hole cards.
    - `doubts`: words for a challenge.
    - `question`: phrases of a question about a showdown with their English words, tried in this
      order.
    - `folded`: whether accents are ignored.
    """

    singular: Mapping[str, Rank]
    plural: Mapping[str, Rank]
    suits: Mapping[str, Suit]
    counts: Mapping[str, int]
    phrases: tuple[Phrase, ...]
    fillers: Set[str]
    counting: Set[str] = frozenset()
    either: Mapping[str, Rank] = field(default_factory=dict)
    letters: Mapping[str, Rank] = field(default_factory=dict)
    spades: Mapping[str, Rank] = field(default_factory=dict)
    articles: Set[str] = frozenset()
    folded: bool = False
    suited: Set[str] = frozenset()
    offsuit: Set[str] = frozenset()
    single: Set[str] = frozenset()
    doubts: Set[str] = frozenset()
    question: tuple[Phrase, ...] = ()

    @cached_property
    def one(self) -> Mapping[str, Rank]:
        """The words and letters for one card of a rank, including words that may be plural."""
        return {**_RANK_LETTERS, "10": Rank.TEN, **self.singular, **self.either, **self.letters}

    @cached_property
    def several(self) -> Mapping[str, Rank]:
        """The words for more than one card of a rank, including those that may be singular."""
        return {**self.plural, **self.either}

    @cached_property
    def all_suits(self) -> Mapping[str, Suit]:
        """The words, letters and signs of suits, except letters that stand for a rank."""
        letters = {key: suit for key, suit in _SUIT_LETTERS.items() if key not in self.letters}
        return {**letters, **_SIGNS, **self.suits}

    @cached_property
    def words(self) -> Set[str]:
        """The words that typos are corrected to.

        They have three letters or more, or four or more if only a phrase has them.
        """
        patterns = " ".join(pattern.pattern for pattern, _ in self.phrases)
        words = {
            *self.one,
            *self.several,
            *self.all_suits,
            *self.counts,
            *self.single,
            *self.doubts,
        }
        words |= set(re.findall(r"(?<!\\)[^\W\d_]{4,}", patterns))
        return {word for word in words if len(word) > 2}

    @cached_property
    def card(self) -> re.Pattern[str]:
        """The pattern of one card: a rank (group 1) and a suit's letter or sign (group 2)."""
        return re.compile(rf"({self.short})(?:of)?([cdhs♣♦♥♠])")

    @cached_property
    def turned_card(self) -> re.Pattern[str]:
        """The pattern of a suit's sign (group 1) before a rank (group 2): "♥8"."""
        return re.compile(rf"([♣♦♥♠])({self.short})")

    @cached_property
    def run(self) -> re.Pattern[str]:
        """The pattern of one rank's letter or digit, twice or more: "KK"."""
        return re.compile(rf"({self.short})\1+")

    @cached_property
    def runs(self) -> re.Pattern[str]:
        """The pattern of two ranks' letters or digits, each twice or more, in one word: "KK99"."""
        return re.compile(rf"(?:({self.short})\1+){{2}}")

    @property
    def short(self) -> str:
        """The pattern of a rank's digit or letter."""
        return f"10|[2-9{''.join(sorted(set('tjqka') | set(self.letters)))}]"

    def card_of(self, rank: str, suit: str) -> tuple[Rank, Suit]:
        """Return the rank and suit of two texts that `card` matched."""
        return self.one[rank], (_SUIT_LETTERS | _SIGNS)[suit]


def phrases_of(patterns: Iterable[tuple[str, str]]) -> tuple[Phrase, ...]:
    """Return (pattern, replacement) for each pair (pattern, token).

    A pattern matches whole words only, and is compiled when first used. Its replacement is the
    token between spaces, or one space without a token.
    """
    return tuple(
        (compile_later(rf"\b(?:{pattern})\b"), f" {token} " if token else " ")
        for pattern, token in patterns
    )


def fold_accents(text: str) -> str:
    """Return `text` in lower case without accents: "Trójek" becomes "trojek"."""
    return strip_accents(text.casefold())


def strip_accents(text: str) -> str:
    """Return `text` without accents: "Król" becomes "Krol"."""
    apart = unicodedata.normalize("NFD", text.translate(_NO_ACCENT))
    return "".join(char for char in apart if unicodedata.category(char) != "Mn")


ENGLISH_LEXICON: Final = Lexicon(
    singular={words[0]: rank for rank, words in RANK_WORDS.items()}
    | {"deuce": Rank.TWO, "trey": Rank.THREE},
    plural={words[1]: rank for rank, words in RANK_WORDS.items()}
    | {f"{letter}s": rank for letter, rank in _RANK_LETTERS.items()}
    | {"10s": Rank.TEN, "deuces": Rank.TWO, "treys": Rank.THREE},
    suits={word: suit for suit, words in SUIT_WORDS.items() for word in words},
    counts={"two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5},
    phrases=phrases_of(
        (
            (r"up(?= to)|from(?=.* to )", ""),
            (r"(?:royal|rf)(?: straight)? flush|royal|rf", "ROYALFLUSH"),
            (r"steel wheel", "STRAIGHTFLUSH five"),
            (r"(?:straight|str8|str) ?flush|sf", "STRAIGHTFLUSH"),
            (r"(?:wheel|bicycle)(?: straight)?", "STRAIGHT five"),
            (r"broadway(?: straight)?", "STRAIGHT ace"),
            (r"straights?|str8|str|run", "STRAIGHT"),
            (r"full ?houses?|full ?boat|boat|fh", "FULLHOUSE"),
            (r"full of|full|over|on top of", OVER),
            (r"flush|fl", "FLUSH"),
            (r"(?:two|2) ?pairs?|(?<=s )up$", "TWOPAIR"),
            (r"(?:two|2) ?(?:(?:of )?(?:a )?kinds?|oak)|(?:(?:one|1|single) )?pairs?", "PAIR"),
            (r"pocket|pr|doubles?|dbl", "PAIR"),
            (r"(?:three|3) ?(?:(?:of )?(?:a )?kinds?|oak)|trips?|set|triplets?|trip+les?", "THREE"),
            (r"(?:four|4) ?(?:(?:of )?(?:a )?kinds?|oak)|quads?|poker", "FOUR"),
            (r"(?:five|5) ?(?:(?:of )?(?:a )?kinds?|oak)|quints?", "FIVE"),
            (r"high(?:est)? ?card", "HIGHCARD"),
            (r"high", HIGH),
            (r"small|little", SMALL),
            (r"big|large", BIG),
            (r"from|starting (?:at|with)|up", FROM),
        )
    ),
    fillers=frozenset({"of", "an", "any", "the", "and", "with", "to", "in", "top"}),
    counting=frozenset({"of", "the"}),
    spades={char.lower() + "s": rank for rank in Rank for char in {rank.char, rank.label}},
    articles=frozenset({"a"}),
    suited=frozenset({"suited"}),
    offsuit=frozenset({"offsuit", "off suit", "offsuited", "unsuited", "not suited"}),
    single=frozenset({"one", "1", "single"}),
    doubts=frozenset(
        {
            *("call", "calling", "check", "checking", "challenge", "challenging", "doubt"),
            *("lier", "lie", "lies", "lying", "bluff", "bluffing", "bs", "bullshit", "believe"),
        }
    ),
)

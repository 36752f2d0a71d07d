"""A bid said and understood.

`Wording` belongs to one ladder: it says a bid in the game's words and understands what players
type, including short forms ("33", "pair 3", "qq jj", "straight a", "8c flush"). A text is played
only if exactly one bid can be meant; otherwise `BidTextError` carries what might have been meant.
The reading of words into ranks, suits and kinds is in `bid_parser`, the words of a language in
`vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import Formatter
from typing import Final

from engine.bid_parser import LONGEST_TEXT, ParsedText, normalise, read
from engine.bids import Bid, Kind
from engine.cards import Rank, Suit
from engine.errors import RulesetError, TextError, quoted
from engine.guessing import WayToRead, fits, kinds_said, likeness_to, readings
from engine.ladder import Ladder
from engine.terms import Terms
from engine.vocabulary import ENGLISH, Vocabulary

# The words for a kind, for bids of any top rank (None) or of one special rank. Fields: {rank},
# {ranks} (plural), {others} (the second rank, plural), {suit}.
Phrases = Mapping[tuple[Kind, Rank | None], str]

# what a variant may write for a kind, shown where it wrote nothing
EXAMPLE_PHRASES: Final[dict[Kind, str]] = {
    Kind.HIGH_CARD: "high card {rank}",
    Kind.PAIR: "pair of {ranks}",
    Kind.TWO_PAIR: "{ranks} and {others}",
    Kind.THREE: "three {ranks}",
    Kind.FLUSH: "{suit} flush",
    Kind.STRAIGHT: "straight to the {rank}",
    Kind.FULL_HOUSE: "{ranks} full of {others}",
    Kind.FOUR: "four {ranks}",
    Kind.STRAIGHT_FLUSH: "{suit} straight flush",
    Kind.ROYAL_FLUSH: "{suit} royal flush",
    Kind.FIVE: "five {ranks}",
}
SUGGESTIONS: Final = 5  # as many as stand beside each other as buttons
_LOOKALIKES: Final = 3
_CLOSE_ENOUGH: Final = 0.55
_SAME_RANKS: Final = 0.25


class BidTextError(TextError):
    """A text that is not exactly one bid.

    `meant` are the bids that may be meant, best first: all that agree with what was understood, or
    a few that look alike. `shown` is as much of the text as may be repeated, `lacks` the kind of
    hand it clearly names that the game has not got. `doubts`: it says no bid, but what somebody
    says who challenges.
    """

    def __init__(
        self,
        text: str,
        reason: str,
        example: str,
        meant: tuple[Bid, ...] = (),
        said: str = "",
        shown: str = "",
        lacks: Kind | None = None,
        *,
        doubts: bool = False,
    ) -> None:
        super().__init__(text, reason, example)
        self.meant = meant
        self.said = said  # the suggestions in words, or ""
        self.shown = shown
        self.lacks = lacks
        self.doubts = doubts

    @property
    def suggestions(self) -> tuple[Bid, ...]:
        """The bids to offer where all of the ladder may be made."""
        return offered(self.meant)

    def __str__(self) -> str:
        if self.said:
            return f"{self.reason}. Did you mean {self.said}?"
        return super().__str__()


def offered(meant: Sequence[Bid]) -> tuple[Bid, ...]:
    """Return the bids that may be meant; none of them where they are too many to offer."""
    return tuple(meant) if len(meant) <= SUGGESTIONS else ()


def kind_left_open(meant: Sequence[Bid]) -> Kind | None:
    """Return the kind of hand that all of `meant` are, if it is one."""
    kinds = {bid.kind for bid in meant}
    return kinds.pop() if len(kinds) == 1 else None


@dataclass(frozen=True, slots=True)
class Guess:
    """What a text that is no bid may mean: `bids`, a kind of hand that the game `lacks`, or none.

    `doubts`: it says that somebody challenges. `cost`: how much of it had to be mended or left out.
    """

    bids: tuple[Bid, ...]
    lacks: Kind | None = None
    doubts: bool = False
    cost: int = 0

    @property
    def says_something(self) -> bool:
        """Whether anything was understood of the text."""
        return bool(self.bids) or self.lacks is not None or self.doubts


class Wording:
    """How the bids of one ladder are said and understood.

    Raises RulesetError if a bid has no phrase, its phrase has a field the bid does not fill, or two
    bids are said alike. `title` and `jokers` (how many the deck has) are for refusals, which are in
    English: their facts stand beside them for other languages.
    """

    def __init__(
        self,
        ladder: Ladder,
        phrases: Phrases,
        terms: Terms,
        title: str,
        jokers: int,
        vocabulary: Vocabulary = ENGLISH,
    ) -> None:
        self._ladder = ladder
        self._vocabulary = vocabulary
        self._lexicon = vocabulary.lexicon
        self._terms = terms
        self._title = title
        self._jokers = jokers
        try:
            self._said = {bid.key: _say(bid, phrases, vocabulary) for bid in ladder}
            self._plain = self._told_apart()
        except RulesetError as error:
            raise RulesetError(f"{title}: {error}") from None
        self._kinds = frozenset(ladder.kinds)
        self._tops = [bid.ranks[0] for bid in ladder if bid.kind is Kind.STRAIGHT]

    def say(self, bid: Bid) -> str:
        """The bid in words, such as "pair of threes". Raises KeyError if the ladder lacks it."""
        return self._said[bid.key]

    def parse(self, text: str, others: Sequence[Wording] = ()) -> Bid:
        """The one bid that `text` means. Raises `BidTextError`, with suggestions if any.

        `others` are the wordings of further languages. They are asked where this one does not
        understand the words at all, and a text must name its kind of hand in theirs: so no word of
        one language is taken for a short form of another.
        """
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        found = self._meant(text, plain, reading, others)
        if found is not None:
            return found
        raise self._refusal(text, self._best_guess(text, others))

    def _best_guess(self, text: str, others: Sequence[Wording]) -> Guess:
        """Return what `text` may mean in the language that understands most of it."""
        spoken = (self, *others)
        guesses = [
            (guess.cost + (at > 0), at, guess)  # a slip may be a word of another language
            for at, one in enumerate(spoken)
            if (guess := one.guess(text)).says_something
        ]
        if guesses:
            return min(guesses, key=lambda weighed: weighed[:2])[2]
        alike = next((found for one in spoken if (found := one.lookalikes(text))), [])
        return Guess(tuple(alike))

    def names(self, text: str) -> Bid | None:
        """The one bid that `text` means in this language alone, its kind of hand named in words."""
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        if not reading.kinds and plain not in self._plain:
            return None
        return self._means(text, plain, reading)

    def kind_named(self, text: str) -> Kind | None:
        """The kind of hand that `text` names and says no more of, as "any flush" does."""
        reading = read(normalise(text, self._lexicon), self._lexicon)
        alone = reading.clear and not reading.ranks and reading.suit is None and not reading.flags
        return reading.kind if alone and reading.kind in self._kinds else None

    def guess(self, text: str) -> Guess:
        """Return what `text` may mean in this language alone, strange words mended or left out."""
        plain = normalise(text, self._lexicon)
        ways = readings(plain, self._lexicon, self._known_words)
        exact: dict[int, dict[Bid, None]] = {}  # by their cost
        for way in ways:
            bid = self._means(way.plain, way.plain, way.said)
            # a rank is a high card, but hardly where words that stood beside it were left out
            bare = bid is not None and bid.kind is Kind.HIGH_CARD and not kinds_said(way.said)
            if bid is not None and not (way.cost and bare):
                exact.setdefault(way.cost, {})[bid] = None
        if exact:
            return Guess(tuple(exact[min(exact)]), cost=min(exact))
        least = ways[0].cost if ways else 0
        return self._guess_among([way for way in ways if way.cost == least], least)

    def _guess_among(self, ways: Sequence[WayToRead], cost: int) -> Guess:
        """Return what ways to understand a text leave open, none of which is exactly one bid."""
        for way in ways:
            if kind := self._kind_it_lacks(way.said):
                return Guess((), lacks=kind, cost=cost)
        bids = tuple(dict.fromkeys(bid for way in ways for bid in self._agreeing(way)))
        lacks = (kind for way in ways if (kind := self._kind_it_lacks(way.loose)))
        doubts = any(way.doubts for way in ways)
        return Guess(bids, None if bids else next(lacks, None), doubts and not bids, cost)

    def _agreeing(self, way: WayToRead) -> list[Bid]:
        counted = self._means(way.plain, "", way.loose) if way.loose != way.said else None
        if counted is not None and way.said.ranks == way.loose.ranks:  # the number is no rank
            return [counted]
        fitting = [bid for bid in self._ladder if fits(bid, way.said, self._tops)]
        if not fitting and Kind.STRAIGHT in kinds_said(way.said):  # of a rank that none here has
            fitting = [bid for bid in self._ladder if bid.kind is Kind.STRAIGHT]
        return fitting if counted is None else [counted, *fitting]

    def lookalikes(self, text: str) -> list[Bid]:
        """Return bids that are said much like `text` in this language, best first."""
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        named = self._kinds & kinds_said(reading)
        among = self._index.of_kinds(named or self._kinds)
        bonus = self._index.kinship(reading)
        likeness = likeness_to(plain)
        scores = {at: likeness(self._index.texts[at]) + bonus.get(at, 0.0) for at in among}
        close = [place for place in among if scores[place] >= _CLOSE_ENOUGH]
        best = sorted(close, key=lambda place: -scores[place])[:_LOOKALIKES]
        return [self._ladder.at(place) for place in best]

    @cached_property
    def _known_words(self) -> Set[str]:
        """The words that a strange one may be a slip of."""
        kinds = [normalise(words, self._lexicon) for words in self._vocabulary.kinds.values()]
        said = {word for words in self._index.words for word in words}
        named = {word for words in kinds for word in (*words.split(), words.replace(" ", ""))}
        return self._lexicon.words | said | named

    def complete(
        self,
        text: str,
        rungs: Iterable[tuple[Bid, ...]],
        others: Sequence[Wording] = (),
        most: int | None = None,
    ) -> list[Bid]:
        """The bids of `rungs` that what was typed so far may become, in ladder order, `most` first.

        A text that already means one of them, in this language or in one of the `others`, puts that
        bid first; an empty text fits every bid.
        """
        plain = normalise(text, self._lexicon)
        words = plain.split()
        offered = [bid for rung in rungs for bid in rung]
        # not `parse`: what may be meant instead is costly to find, and nobody asked
        exact = self._meant(text, plain, read(plain, self._lexicon), others)
        # one that could not be made is no completion
        found = [bid for bid in offered if exact is not None and bid.key == exact.key]
        fitting = -1  # every bid, as bits by place
        for word in words:
            fitting &= self._index.beginning.get(word, 0)
        for bid in offered if fitting else ():
            if len(found) == most:
                break
            place = self._ladder.place(bid)
            # one word for each that was typed: "t t" begins no "pair of tens"
            begins = fitting >> place & 1 and _begins(words, self._index.words[place])
            if begins and (exact is None or bid.key != exact.key):
                found.append(bid)
        return found

    @cached_property
    def _index(self) -> _Index:
        return _Index.of(self._ladder, {key: plain for plain, key in self._plain.items()})

    def _meant(
        self, text: str, plain: str, reading: ParsedText, others: Sequence[Wording]
    ) -> Bid | None:
        """The one bid that `text` means in this language, or in one of the others; None: none."""
        found = self._means(text, plain, reading)
        if found is None and not reading.clear:
            meant = {bid for other in others if (bid := other.names(text)) is not None}
            found = meant.pop() if len(meant) == 1 else None
        return found

    def _means(self, text: str, plain: str, reading: ParsedText) -> Bid | None:
        if len(text) > LONGEST_TEXT:
            return None
        keys = (self._plain.get(plain), _as_key(text), reading.key(self._kinds, self._tops))
        for key in keys:
            bid = self._ladder.get(key) if key else None
            if bid is not None:
                return bid
        return None

    def _told_apart(self) -> dict[str, str]:
        """The key of what is said, in plain words. Raises RulesetError if two are said alike."""
        keys: dict[str, str] = {}
        for key, words in self._said.items():
            other = keys.setdefault(normalise(words, self._lexicon), key)
            if other != key:
                raise RulesetError(
                    f"{other} and {key} are both said {quoted(words)}: give one a phrase that"
                    " differs in its ranks, its suit or its words"
                )
        return keys

    def _kind_it_lacks(self, reading: ParsedText) -> Kind | None:
        """The kind of hand that a clear text names and that this ladder has not got."""
        kind = reading.kind if reading.clear else None
        if kind is Kind.ROYAL_FLUSH and any(
            bid.kind is Kind.STRAIGHT_FLUSH and Rank.ACE in bid.ranks for bid in self._ladder
        ):
            return None  # it is said of the straight flush to the ace there
        return None if kind in self._kinds else kind

    def _refusal(self, text: str, guess: Guess) -> BidTextError:
        if guess.lacks is not None:
            bare = guess.lacks is Kind.FIVE and not self._jokers
            reason = f"{self._title} has no {guess.lacks.label}{' without jokers' if bare else ''}"
            return BidTextError(text, reason, self.example, lacks=guess.lacks)
        # half a screen of text, or a character that turns the line round, is not repeated
        visible = "".join(char if char.isprintable() else " " for char in text[:LONGEST_TEXT])
        shown = " ".join(visible.split())
        shown = f"{shown[:40]}…" if len(shown) > 40 else shown
        said = " or ".join(f'"{self.say(bid)}"' for bid in offered(guess.bids))
        a_bid = self._terms.a_bid
        reason = f'"{shown}" is not {a_bid} here' if shown else f"Expected {a_bid}"
        example = self.example
        if guess.bids and not said:
            kind = kind_left_open(guess.bids)
            reason = f'"{shown}" does not say which {kind.label if kind else "hand"}'
            example = f'"{self.say(guess.bids[0])}"'
        return BidTextError(text, reason, example, guess.bids, said, shown, doubts=guess.doubts)

    @cached_property
    def example(self) -> str:
        """What may be typed: a pair in words and in short, or another bid if there are no pairs."""
        for bid in self._ladder:
            if bid.kind is Kind.PAIR:
                return f'"{self.say(bid)}" or "{bid.ranks[0].label * 2}"'
        return f'"{self.say(next(iter(self._ladder)))}"'


def _as_key(text: str) -> str:
    """`text` in the spelling of a canonical key, if it is one (`PAIR:t` -> `pair:T`)."""
    kind, colon, rest = text.strip().partition(":")
    if not colon:
        return ""
    ranks = "".join(char if char in "cdhs" else char.upper() for char in rest.lower())
    return f"{kind.lower()}:{ranks}"


def _begins(typed: list[str], words: list[str]) -> bool:
    """Whether every typed word begins some word of a bid, each word used once."""
    left = list(words)
    for word in typed:
        hit = next((candidate for candidate in left if candidate.startswith(word)), None)
        if hit is None:
            return False
        left.remove(hit)
    return True


@dataclass(frozen=True, slots=True)
class _Index:
    """What a wording looks texts up by, made once: bids by their places in the ladder.

    `texts` are the bids in plain words, `words` these words, `beginning` the bids (as bits) with a
    word that begins so.
    """

    texts: tuple[str, ...]
    words: tuple[list[str], ...]
    beginning: Mapping[str, int]
    kinds: Mapping[Kind, list[int]]
    ranks: Mapping[tuple[Rank, ...], list[int]]
    suits: Mapping[Suit, list[int]]

    @classmethod
    def of(cls, ladder: Ladder, plain: Mapping[str, str]) -> _Index:
        """The index of a ladder whose bids are said so, by their keys."""
        texts = tuple(plain[bid.key] for bid in ladder)
        words = tuple(text.split() for text in texts)
        beginning: dict[str, int] = {}
        kinds: dict[Kind, list[int]] = {}
        ranks: dict[tuple[Rank, ...], list[int]] = {}
        suits: dict[Suit, list[int]] = {}
        for place, bid in enumerate(ladder):
            kinds.setdefault(bid.kind, []).append(place)
            ranks.setdefault(tuple(sorted(bid.ranks)), []).append(place)
            if bid.suit is not None:
                suits.setdefault(bid.suit, []).append(place)
            for word in words[place]:
                for end in range(1, len(word) + 1):
                    beginning[word[:end]] = beginning.get(word[:end], 0) | 1 << place
        return cls(texts, words, beginning, kinds, ranks, suits)

    def of_kinds(self, kinds: Iterable[Kind]) -> list[int]:
        """The bids of these kinds, weakest first."""
        return sorted(place for kind in kinds for place in self.kinds[kind])

    def kinship(self, reading: ParsedText) -> dict[int, float]:
        """How much of what was understood of a text a bid shares: up to about 0.6, if any."""
        shared: dict[int, float] = {}
        parts: list[tuple[Iterable[int], float]] = []
        if reading.ranks:
            parts.append((self.ranks.get(tuple(sorted(reading.ranks)), ()), _SAME_RANKS))
        if reading.suit is not None:
            parts.append((self.suits.get(reading.suit, ()), 0.15))
        parts += [(self.kinds.get(kind, ()), 0.15) for kind in set(reading.kinds)]
        for places, worth in parts:
            for place in places:
                shared[place] = shared.get(place, 0.0) + worth
        return shared


def _say(bid: Bid, phrases: Phrases, vocabulary: Vocabulary) -> str:
    first = bid.ranks[0] if bid.ranks else None
    english = phrases.get((bid.kind, first)) or phrases.get((bid.kind, None))
    kind = f"Kind.{bid.kind.name}"
    if not english:
        raise RulesetError(
            f"no phrase for {bid.kind.with_article} ({bid.key}): write one, such as"
            f' ({kind}, None): "{EXAMPLE_PHRASES[bid.kind]}"'
        )
    phrase = vocabulary.phrase(english)
    if phrase is None:
        raise RulesetError(f"{vocabulary.key} has no words for the phrase {quoted(english)}")
    fields = vocabulary.fields(bid)
    if any(field not in fields for field in _fields_of(phrase)):
        offered = ", ".join(f"{{{field}}}" for field in fields) or "no field"
        raise RulesetError(
            f"{bid.key} cannot fill the phrase {quoted(phrase)} of {kind}: write it with {offered}"
        )
    return phrase.format(**fields)


@lru_cache(maxsize=256)
def _fields_of(phrase: str) -> frozenset[str]:
    """The fields of a phrase, as written between its braces; "{" for a brace that stands alone."""
    try:
        parts = list(Formatter().parse(phrase))
    except ValueError:
        return frozenset("{")
    return frozenset(
        f"{field}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}"
        for _, field, spec, conversion in parts
        if field is not None
    )

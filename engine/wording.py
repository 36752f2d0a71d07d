"""Bids in words: write a bid in words, and understand a typed one.

`Wording` belongs to one ladder: it writes a bid in the game's words and understands what players
type, including short forms ("33", "pair 3", "qq jj", "straight a", "8c flush"). A text is played
only if it means exactly one bid; otherwise `BidTextError` has the bids it might mean. The parsing
of words into ranks, suits and kinds is in `bid_parser`, the words of a language in `vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import Formatter
from typing import Final

from engine.bid_parser import LONGEST_TEXT, ParsedText, normalise, read
from engine.bids import Bid, Kind, Phrases
from engine.cards import Rank, Suit
from engine.errors import RulesetError, TextError, quote
from engine.guessing import WayToRead, fits, likeness_to, named_kinds, readings
from engine.ladder import Ladder
from engine.terms import Terms
from engine.vocabulary import ENGLISH, Vocabulary

# example phrases, for the error about a variant that lacks one for a kind
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
SUGGESTIONS: Final = 5  # buttons that fit side by side, at most
_LOOKALIKES: Final = 3
_CLOSE_ENOUGH: Final = 0.55
_SAME_RANKS: Final = 0.25


class BidTextError(TextError):
    """A text that is not exactly one bid.

    `meant` are the bids that the text may mean, best first: all that agree with it, or a few that
    look similar. `shown` is the part of the text that is safe to repeat. `lacks` is the kind of
    hand that the text clearly names but the game lacks. `doubts` is True if the text names no bid,
    but uses words for a challenge.
    """

    def __init__(
        self,
        text: str,
        reason: str,
        example: str,
        meant: tuple[Bid, ...] = (),
        suggested: str = "",
        shown: str = "",
        lacks: Kind | None = None,
        *,
        doubts: bool = False,
    ) -> None:
        super().__init__(text, reason, example)
        self.meant = meant
        self.suggested = suggested  # the suggestions in words, or ""
        self.shown = shown
        self.lacks = lacks
        self.doubts = doubts

    @property
    def suggestions(self) -> tuple[Bid, ...]:
        """The `meant` bids; empty if there are more than `SUGGESTIONS`."""
        return bids_to_offer(self.meant)

    def __str__(self) -> str:
        if self.suggested:
            return f"{self.reason}. Did you mean {self.suggested}?"
        return super().__str__()


def bids_to_offer(meant: Sequence[Bid]) -> tuple[Bid, ...]:
    """Return the `meant` bids, or an empty tuple if there are more than `SUGGESTIONS`."""
    return tuple(meant) if len(meant) <= SUGGESTIONS else ()


def kind_left_open(meant: Sequence[Bid]) -> Kind | None:
    """Return the kind of hand that all `meant` bids share, or None."""
    kinds = {bid.kind for bid in meant}
    return kinds.pop() if len(kinds) == 1 else None


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at a text: the `bids` it may mean, or a kind of hand that the game `lacks`.

    `doubts` is True if the text means no bid, but uses words for a challenge. `cost` grows with
    what had to be changed or left out of the text.
    """

    bids: tuple[Bid, ...]
    lacks: Kind | None = None
    doubts: bool = False
    cost: int = 0

    @property
    def says_something(self) -> bool:
        """Whether the text means anything."""
        return bool(self.bids) or self.lacks is not None or self.doubts


class Wording:
    """The words of one ladder's bids: writes bids in words, and understands typed bids.

    Raises RulesetError if a bid has no phrase, if its phrase has a field that the bid doesn't
    fill, or if two bids have the same words. `title` (of the game) and `jokers` (the deck's
    number) are for errors about typed texts. These errors are in English.
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
            self._plain = self._keys_by_words()
        except RulesetError as error:
            raise RulesetError(f"{title}: {error}") from None
        self._kinds = frozenset(ladder.kinds)
        self._tops = [bid.ranks[0] for bid in ladder if bid.kind is Kind.STRAIGHT]

    def say(self, bid: Bid) -> str:
        """Return the bid in words, such as "pair of threes". Raises KeyError for an unknown bid."""
        return self._said[bid.key]

    def parse(self, text: str, others: Sequence[Wording] = ()) -> Bid:
        """Return the bid that `text` means. Raises `BidTextError` if it isn't exactly one bid.

        `others`: the wordings of other languages. They are tried only if this language doesn't
        understand all words. Suggestions come from the language that needs the fewest changes.
        """
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        bid = self._meant(text, plain, reading, others)
        if bid is not None:
            return bid
        raise self._refusal(text, self._best_guess(text, others))

    def _best_guess(self, text: str, others: Sequence[Wording]) -> Guess:
        """Return the guess of the language that needs the fewest changes to `text`.

        If the text means nothing in any language, guess a few bids that look similar.
        """
        spoken = (self, *others)
        guesses = [
            (guess.cost + (at > 0), at, guess)  # a typo may be a word of another language
            for at, wording in enumerate(spoken)
            if (guess := wording.guess(text)).says_something
        ]
        if guesses:
            return min(guesses, key=lambda weighed: weighed[:2])[2]
        alike = next((similar for wording in spoken if (similar := wording.lookalikes(text))), [])
        return Guess(tuple(alike))

    def names(self, text: str) -> Bid | None:
        """Return the bid that `text` means in this language; other languages aren't tried.

        The text must name the kind of hand or be a bid in the game's own words, else return None.
        """
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        if not reading.kinds and plain not in self._plain:
            return None
        return self._means(text, plain, reading)

    def kind_named(self, text: str) -> Kind | None:
        """Return the kind of hand that `text` names if it names only that, like "any flush".

        Return None if the text names more than a kind, no kind, or a kind that the ladder lacks.
        """
        reading = read(normalise(text, self._lexicon), self._lexicon)
        alone = reading.clear and not reading.ranks and reading.suit is None and not reading.flags
        return reading.kind if alone and reading.kind in self._kinds else None

    def guess(self, text: str) -> Guess:
        """Return a guess at `text` in this language; strange words are corrected or left out."""
        plain = normalise(text, self._lexicon)
        ways = readings(plain, self._lexicon, self._known_words)
        exact: dict[int, dict[Bid, None]] = {}  # by cost
        for way in ways:
            bid = self._means(way.plain, way.plain, way.parsed)
            # a rank alone is a high card, but hardly if other words were left out
            bare = bid is not None and bid.kind is Kind.HIGH_CARD and not named_kinds(way.parsed)
            if bid is not None and not (way.cost and bare):
                exact.setdefault(way.cost, {})[bid] = None
        if exact:
            return Guess(tuple(exact[min(exact)]), cost=min(exact))
        least = ways[0].cost if ways else 0
        return self._guess_among([way for way in ways if way.cost == least], least)

    def _guess_among(self, ways: Sequence[WayToRead], cost: int) -> Guess:
        """Return a guess at what a text means.

        `ways`: the possible readings of the text, none of which is exactly one bid.
        """
        for way in ways:
            if kind := self._kind_it_lacks(way.parsed):
                return Guess((), lacks=kind, cost=cost)
        bids = tuple(dict.fromkeys(bid for way in ways for bid in self._agreeing(way)))
        lacks = (
            kind
            for way in ways
            if (kind := self._kind_it_lacks(way.loose) or self._pairs_it_lacks(way.parsed))
        )
        doubts = any(way.doubts for way in ways)
        return Guess(bids, None if bids else next(lacks, None), doubts and not bids, cost)

    def _agreeing(self, way: WayToRead) -> list[Bid]:
        counted = self._means(way.plain, "", way.loose) if way.loose != way.parsed else None
        if counted is not None and way.parsed.ranks == way.loose.ranks:  # the number is not a rank
            return [counted]
        fitting = [bid for bid in self._ladder if fits(bid, way.parsed, self._tops)]
        # it names a rank that no straight ends at
        if not fitting and Kind.STRAIGHT in named_kinds(way.parsed):
            fitting = [bid for bid in self._ladder if bid.kind is Kind.STRAIGHT]
        return fitting if counted is None else [counted, *fitting]

    def lookalikes(self, text: str) -> list[Bid]:
        """Return a few bids whose words in this language look like `text`, most similar first."""
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        named = self._kinds & named_kinds(reading)
        among = self._index.of_kinds(named or self._kinds)
        bonus = self._index.kinship(reading)
        likeness = likeness_to(plain)
        scores = {at: likeness(self._index.texts[at]) + bonus.get(at, 0.0) for at in among}
        close = [place for place in among if scores[place] >= _CLOSE_ENOUGH]
        best = sorted(close, key=lambda place: -scores[place])[:_LOOKALIKES]
        return [self._ladder.at(place) for place in best]

    @cached_property
    def _known_words(self) -> Set[str]:
        """The words for which typos are recognised."""
        kinds = [normalise(words, self._lexicon) for words in self._vocabulary.kinds.values()]
        bid_words = {word for words in self._index.words for word in words}
        named = {word for words in kinds for word in (*words.split(), words.replace(" ", ""))}
        return self._lexicon.words | bid_words | named

    def complete(
        self,
        text: str,
        rungs: Iterable[tuple[Bid, ...]],
        others: Sequence[Wording] = (),
        most: int | None = None,
    ) -> list[Bid]:
        """Return up to `most` bids that the typed text can become, in the order of `rungs`.

        Each typed word must be the beginning of its own word of the bid. If the text already means
        a bid of `rungs`, in this language or in one of the `others`, that bid comes first. An empty
        text fits every bid.
        """
        plain = normalise(text, self._lexicon)
        words = plain.split()
        choices = [bid for rung in rungs for bid in rung]
        # not `parse`, which would take time to look for other meanings
        exact = self._meant(text, plain, read(plain, self._lexicon), others)
        # a bid that is not among `rungs` is no completion
        completions = [bid for bid in choices if exact is not None and bid.key == exact.key]
        fitting = -1  # every bid, as bits by place
        for word in words:
            fitting &= self._index.beginning.get(word, 0)
        for bid in choices if fitting else ():
            if len(completions) == most:
                break
            place = self._ladder.place(bid)
            # each typed word needs a word of its own: "t t" doesn't begin "pair of tens"
            begins = fitting >> place & 1 and _begins(words, self._index.words[place])
            if begins and (exact is None or bid.key != exact.key):
                completions.append(bid)
        return completions

    @cached_property
    def _index(self) -> _Index:
        return _Index.of(self._ladder, {key: plain for plain, key in self._plain.items()})

    def _meant(
        self, text: str, plain: str, reading: ParsedText, others: Sequence[Wording]
    ) -> Bid | None:
        """Return the bid that `text` means in this language, or the only bid it means in `others`.

        The languages of `others` are tried only if this one doesn't understand all words.
        """
        bid_here = self._means(text, plain, reading)
        if bid_here is None and not reading.clear:
            meant = {bid for wording in others if (bid := wording.names(text)) is not None}
            bid_here = meant.pop() if len(meant) == 1 else None
        return bid_here

    def _means(self, text: str, plain: str, reading: ParsedText) -> Bid | None:
        if len(text) > LONGEST_TEXT:
            return None
        keys = (self._plain.get(plain), _as_key(text), reading.key(self._kinds, self._tops))
        for key in keys:
            bid = self._ladder.get(key) if key else None
            if bid is not None:
                return bid
        return None

    def _keys_by_words(self) -> dict[str, str]:
        """Return the bids' keys by their normalised words.

        Raises RulesetError if two bids have the same words.
        """
        keys: dict[str, str] = {}
        for key, words in self._said.items():
            earlier = keys.setdefault(normalise(words, self._lexicon), key)
            if earlier != key:
                raise RulesetError(
                    f"{earlier} and {key} are both said {quote(words)}: give one a phrase that"
                    " differs in its ranks, its suit or its words"
                )
        return keys

    def _kind_it_lacks(self, reading: ParsedText) -> Kind | None:
        """Return the kind of hand that a clear text names but the ladder lacks."""
        kind = reading.kind if reading.clear else None
        if kind is Kind.ROYAL_FLUSH and any(
            bid.kind is Kind.STRAIGHT_FLUSH and Rank.ACE in bid.ranks for bid in self._ladder
        ):
            return None  # the text means the straight flush to the ace on this ladder
        return None if kind in self._kinds else kind

    def _pairs_it_lacks(self, reading: ParsedText) -> Kind | None:
        """Return `Kind.TWO_PAIR` if the text is just two ranks and the ladder lacks two pair."""
        lacks = reading.names_pairs and Kind.TWO_PAIR not in self._kinds
        return Kind.TWO_PAIR if lacks else None

    def _refusal(self, text: str, guess: Guess) -> BidTextError:
        if guess.lacks is not None:
            bare = guess.lacks is Kind.FIVE and not self._jokers
            reason = f"{self._title} has no {guess.lacks.label}{' without jokers' if bare else ''}"
            return BidTextError(text, reason, self.example, lacks=guess.lacks)
        # don't repeat half a screen of text, or a character that reverses the line
        visible = "".join(char if char.isprintable() else " " for char in text[:LONGEST_TEXT])
        repeated = " ".join(visible.split())
        repeated = f"{repeated[:40]}…" if len(repeated) > 40 else repeated
        suggested = " or ".join(f'"{self.say(bid)}"' for bid in bids_to_offer(guess.bids))
        a_bid = self._terms.a_bid
        reason = f'"{repeated}" is not {a_bid} here' if repeated else f"Expected {a_bid}"
        example = self.example
        if guess.bids and not suggested:
            kind = kind_left_open(guess.bids)
            reason = f'"{repeated}" does not say which {kind.label if kind else "hand"}'
            example = f'"{self.say(guess.bids[0])}"'
        return BidTextError(
            text, reason, example, guess.bids, suggested, repeated, doubts=guess.doubts
        )

    @cached_property
    def example(self) -> str:
        """Quoted examples of a typed bid: a pair in words and in short, or the weakest bid."""
        for bid in self._ladder:
            if bid.kind is Kind.PAIR:
                return f'"{self.say(bid)}" or "{bid.ranks[0].label * 2}"'
        return f'"{self.say(next(iter(self._ladder)))}"'


def _as_key(text: str) -> str:
    """Return `text` spelt as a canonical key (`PAIR:t` -> `pair:T`); "" if it has no colon."""
    kind, colon, parts = text.strip().partition(":")
    if not colon:
        return ""
    ranks = "".join(char if char in "cdhs" else char.upper() for char in parts.lower())
    return f"{kind.lower()}:{ranks}"


def _begins(typed: list[str], words: list[str]) -> bool:
    """Return whether the words of `typed` are prefixes of different words in `words`.

    Each typed word takes the first word left that fits, so a few solutions are missed.
    """
    left = list(words)
    for word in typed:
        hit = next((candidate for candidate in left if candidate.startswith(word)), None)
        if hit is None:
            return False
        left.remove(hit)
    return True


@dataclass(frozen=True, slots=True)
class _Index:
    """The look-up tables of a wording. Bids are numbers: their places in the ladder's order.

    `texts` are the bids in normalised words, `words` the same split into words. `beginning` maps
    each prefix to the bids, as bits, that have a word with this prefix. `kinds`, `ranks` (sorted)
    and `suits` map to lists of bids.
    """

    texts: tuple[str, ...]
    words: tuple[list[str], ...]
    beginning: Mapping[str, int]
    kinds: Mapping[Kind, list[int]]
    ranks: Mapping[tuple[Rank, ...], list[int]]
    suits: Mapping[Suit, list[int]]

    @classmethod
    def of(cls, ladder: Ladder, plain: Mapping[str, str]) -> _Index:
        """Return the index of a ladder; `plain` are its bids' normalised words by key."""
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
        """Return the ladder indexes of the bids of these kinds, weakest first."""
        return sorted(place for kind in kinds for place in self.kinds[kind])

    def kinship(self, reading: ParsedText) -> dict[int, float]:
        """Return a score up to 0.55 for each bid that shares ranks, suit or kind with a text.

        The scores are by the bid's place in the order of bids.
        """
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
        raise RulesetError(f"{vocabulary.key} has no words for the phrase {quote(english)}")
    fields = vocabulary.fields(bid)
    if any(field not in fields for field in _fields_of(phrase)):
        offered = ", ".join(f"{{{field}}}" for field in fields) or "no field"
        raise RulesetError(
            f"{bid.key} cannot fill the phrase {quote(phrase)} of {kind}: write it with {offered}"
        )
    return phrase.format(**fields)


@lru_cache(maxsize=256)
def _fields_of(phrase: str) -> frozenset[str]:
    """Return the fields of a phrase, as written between braces; "{" if a brace is unmatched."""
    try:
        parts = list(Formatter().parse(phrase))
    except ValueError:
        return frozenset("{")
    return frozenset(
        f"{field}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}"
        for _, field, spec, conversion in parts
        if field is not None
    )

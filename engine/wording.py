"""A bid said and understood.

`Wording` belongs to one ladder: it says a bid in the game's words and understands what players
type, including short forms ("33", "pair 3", "qq jj", "straight a", "8c flush"). A text is played
only if exactly one bid can be meant; otherwise `BidTextError` carries what might have been meant.
The reading of words into ranks, suits and kinds is in `readings`, the words of a language in
`vocabulary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import islice
from string import Formatter
from typing import Final

from engine.bids import Bid, Kind
from engine.cards import Rank
from engine.errors import RulesetError, TextError, quoted
from engine.ladder import Ladder
from engine.readings import LONGEST_TEXT, Reading, normalise, read
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
    Kind.FULL_HOUSE: "{ranks} over {others}",
    Kind.FOUR: "four {ranks}",
    Kind.STRAIGHT_FLUSH: "{suit} straight flush",
    Kind.ROYAL_FLUSH: "{suit} royal flush",
    Kind.FIVE: "five {ranks}",
}
SUGGESTIONS: Final = 3
_CLOSE_ENOUGH: Final = 0.55
_SAME_RANKS: Final = 0.25


class BidTextError(TextError):
    """A text that is not exactly one bid; `suggestions` are what may be meant, best first.

    `shown` is as much of the text as may be repeated, `lacks` the kind of hand it clearly names
    that the game has not got.
    """

    def __init__(
        self,
        text: str,
        reason: str,
        example: str,
        suggestions: tuple[Bid, ...] = (),
        said: str = "",
        shown: str = "",
        lacks: Kind | None = None,
    ) -> None:
        super().__init__(text, reason, example)
        self.suggestions = suggestions
        self.said = said  # the suggestions in words, or ""
        self.shown = shown
        self.lacks = lacks

    def __str__(self) -> str:
        if self.suggestions:
            return f"{self.reason}. Did you mean {self.said}?"
        return super().__str__()


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
        if kind := self._kind_it_lacks(reading):
            without = " without jokers" if kind is Kind.FIVE and not self._jokers else ""
            reason = f"{self._title} has no {kind.label}{without}"
            raise BidTextError(text, reason, self.example, lacks=kind)
        suggested = self._suggest(plain, reading)
        for other in others:
            suggested = suggested or other.near(text)
        raise self._refusal(text, suggested)

    def names(self, text: str) -> Bid | None:
        """The one bid that `text` means in this language alone, its kind of hand named in words."""
        plain = normalise(text, self._lexicon)
        reading = read(plain, self._lexicon)
        if not reading.kinds and plain not in self._plain:
            return None
        return self._means(text, plain, reading)

    def near(self, text: str) -> list[Bid]:
        """Bids that `text` may mean in this language alone, best first."""
        plain = normalise(text, self._lexicon)
        return self._suggest(plain, read(plain, self._lexicon))

    def complete(
        self, text: str, rungs: Iterable[tuple[Bid, ...]], others: Sequence[Wording] = ()
    ) -> list[Bid]:
        """The bids of `rungs` that what was typed so far may become, in ladder order.

        A text that already means one of them, in this language or in one of the `others`, puts that
        bid first; an empty text fits every bid.
        """
        plain = normalise(text, self._lexicon)
        words = plain.split()
        offered = [bid for rung in rungs for bid in rung]
        found = [bid for bid in offered if _begins(words, self._words[bid.key])]
        # not `parse`: what may be meant instead is costly to find, and nobody asked
        exact = self._meant(text, plain, read(plain, self._lexicon), others)
        if exact is None or exact not in offered:  # one that could not be made is no completion
            return found
        return [exact, *(bid for bid in found if bid != exact)]

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        """The plain words of every bid, by its key."""
        return {key: normalise(said, self._lexicon).split() for key, said in self._said.items()}

    def _meant(
        self, text: str, plain: str, reading: Reading, others: Sequence[Wording]
    ) -> Bid | None:
        """The one bid that `text` means in this language, or in one of the others; None: none."""
        found = self._means(text, plain, reading)
        if found is None and not reading.clear:
            meant = {bid for other in others if (bid := other.names(text)) is not None}
            found = meant.pop() if len(meant) == 1 else None
        return found

    def _means(self, text: str, plain: str, reading: Reading) -> Bid | None:
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

    def _kind_it_lacks(self, reading: Reading) -> Kind | None:
        """The kind of hand that a clear text names and that this ladder has not got."""
        kind = reading.kind if reading.clear else None
        if kind is Kind.ROYAL_FLUSH and any(
            bid.kind is Kind.STRAIGHT_FLUSH and Rank.ACE in bid.ranks for bid in self._ladder
        ):
            return None  # it is said of the straight flush to the ace there
        return None if kind in self._kinds else kind

    def _suggest(self, plain: str, reading: Reading) -> list[Bid]:
        """What may have been meant, best first: alike in letters, or in what was understood.

        Whoever names a kind of hand that the ladder has means a bid of that kind.
        """
        named = self._kinds & ({reading.kind} if reading.kind else set(reading.kinds))
        within = named if reading.kinds and named else self._kinds
        scored: list[tuple[float, Bid]] = []
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(plain)
        for said, key in self._plain.items():
            bid = self._ladder.bid(key)
            if bid.kind not in within:
                continue
            bonus = _kinship(bid, reading)
            matcher.set_seq1(said)
            if matcher.quick_ratio() + bonus >= _CLOSE_ENOUGH:
                scored.append((matcher.ratio() + bonus, bid))
        scored.sort(key=lambda entry: -entry[0])
        alike = [bid for score, bid in scored if score >= _CLOSE_ENOUGH]
        # "3" and "qq jj" are too short to be like any words: go by the ranks alone
        same_ranks = (
            bid
            for bid in self._ladder
            if bid.kind in within and _kinship(bid, reading) >= _SAME_RANKS
        )
        found = alike[:SUGGESTIONS] or list(islice(same_ranks, SUGGESTIONS))
        if found or within == self._kinds:
            return found
        of_kind = [bid for bid in self._ladder if bid.kind in within]
        of_kind.sort(key=lambda bid: not set(reading.ranks) <= set(bid.ranks))
        return of_kind[:SUGGESTIONS]

    def _refusal(self, text: str, suggestions: list[Bid]) -> BidTextError:
        # half a screen of text, or a character that turns the line round, is not repeated
        visible = "".join(char if char.isprintable() else " " for char in text[:LONGEST_TEXT])
        shown = " ".join(visible.split())
        shown = f"{shown[:40]}…" if len(shown) > 40 else shown
        said = " or ".join(f'"{self.say(bid)}"' for bid in suggestions)
        a_bid = self._terms.a_bid
        reason = f'"{shown}" is not {a_bid} here' if shown else f"Expected {a_bid}"
        return BidTextError(text, reason, self.example, tuple(suggestions), said, shown)

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


def _kinship(bid: Bid, reading: Reading) -> float:
    """How much of what was understood of a text the bid shares: 0 to about 0.6."""
    score = 0.0
    if reading.ranks and sorted(reading.ranks) == sorted(bid.ranks):
        score += _SAME_RANKS
    if reading.suit is not None and reading.suit == bid.suit:
        score += 0.15
    if bid.kind in reading.kinds:
        score += 0.15
    return score


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

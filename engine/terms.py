"""A game's own words for the players' actions: a bid or a claim, a challenge or a denial.

A variant lists every form of these words; only capitals and articles are derived. So in a
game of claims, no sentence says "bid". `wording` puts the bids themselves into words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Final

from engine.errors import RulesetError, quote

_WORDS: Final = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_HISSING: Final = ("s", "x", "z", "ch", "sh")
# verbs of one syllable whose past tense is the verb itself
_ALIKE: Final = frozenset(
    {
        *("beat", "bet", "bid", "burst", "cast", "cost", "cut", "hit", "hurt", "let", "put"),
        *("quit", "read", "rid", "set", "shed", "shut", "split", "spread"),
    }
)
# verbs of one syllable with one vowel before one consonant, which is doubled (stop, stopped)
_DOUBLED: Final = re.compile(r"[^\Waeiou\d_]*(?:qu)?[aeiou][^\Waeiouwxy\d_]")
_Y_AFTER_CONSONANT: Final = re.compile(r"(\w*[^\Waeiou\d_])y(s|ed)")


@dataclass(frozen=True, slots=True)
class Terms:
    """The words for a bid and for a challenge, in every form that sentences need.

    `bid` and `challenge` are the verbs as written on buttons, with a capital: `Bid`, `Challenge`.
    The other fields are in lower case: `noun` and `plural` name the bid (a "bid", two "bids"),
    `bidder` the player (the "bidder"); `challenged` is the past tense (Ann challenged Bob). Raises
    RulesetError for a word of the wrong form, such as a plural that is misspelt.
    """

    bid: str
    noun: str
    plural: str
    bidder: str
    challenge: str
    challenged: str

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_word(field.name, getattr(self, field.name), _EXAMPLE[field.name])
        if self.plural in (self.noun, f"{self.noun}s", f"{self.noun}es"):
            right = with_s(self.noun)
            # both are right: photos, vetoes
            either = self.noun.endswith("o") and self.plural != self.noun
            if self.plural != right and not either:
                raise _wrong("plural", self.plural, right)
        if self.bidder in (self.noun, self.plural):
            raise _wrong("bidder", self.bidder, f"{_past(self.noun)[:-1]}r")
        self._check_past()

    def _check_past(self) -> None:
        """Raise RulesetError if `challenged` is a likely mistake, such as the plain verb."""
        verb, particle = self.doubt.partition(" ")[::2]  # "call out" is "called out"
        past, past_particle = self.challenged.partition(" ")[::2]
        if particle != past_particle or verb in _ALIKE:
            return
        right = " ".join([_past(verb), *([particle] if particle else [])])
        wrong = {verb, f"{verb}s", f"{verb}es", with_s(verb), f"{verb}ed"}
        wrong |= {self.plural, with_s(self.verb)}
        if past in wrong and past != _past(verb):
            raise _wrong("challenged", self.challenged, right)

    @property
    def verb(self) -> str:
        """The verb for bidding, inside a sentence: "bid"."""
        return self.bid.lower()

    @property
    def doubt(self) -> str:
        """The verb for challenging, inside a sentence: "challenge"."""
        return self.challenge.lower()

    @property
    def a_bid(self) -> str:
        """The noun with its article: "a bid", "an offer"."""
        return with_article(self.noun)


_EXAMPLE: Final = {
    "bid": "Claim",
    "noun": "claim",
    "plural": "claims",
    "bidder": "claimer",
    "challenge": "Challenge",
    "challenged": "challenged",
}


def with_article(noun: str) -> str:
    """Return `noun` after "a", or after "an" if its first letter is a vowel."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def with_s(word: str) -> str:
    """Return `word` with the ending of a regular plural: calls, boxes, replies."""
    if re.search(r"[^\Waeiou\d_]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_HISSING) else f"{word}s"


def _past(verb: str) -> str:
    """Return the past tense of a regular verb: called, denied, stopped."""
    if re.search(r"[^\Waeiou\d_]y$", verb):
        return f"{verb[:-1]}ied"
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb}{verb[-1]}ed" if _DOUBLED.fullmatch(verb) else f"{verb}ed"


def _check_word(field: str, word: str, example: str) -> None:
    if not _WORDS.fullmatch(word):
        raise RulesetError(
            f"terms: {field} is {quote(word)}, expected a word of letters, such as"
            f' {field}="{example}"'
        )
    cased = word[0].upper() + word[1:] if example[0].isupper() else word[0].lower() + word[1:]
    if word != cased:
        raise _wrong(field, word, cased)
    if match := _Y_AFTER_CONSONANT.fullmatch(word):
        ending = {"s": "ies", "ed": "ied"}[match[2]]
        raise _wrong(field, word, match[1] + ending)


def _wrong(field: str, word: str, right: str) -> RulesetError:
    return RulesetError(f'terms: {field} is {quote(word)}: write {field}="{right}"')

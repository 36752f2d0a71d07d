"""A game's own words for what players do: a call or a bid, a challenge or a check.

Every form that a sentence needs is here, given by the variant and not guessed, so that no sentence
elsewhere says "bid" in a game of calls. How the bids themselves are said is in `wording`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Final

from engine.errors import RulesetError, quoted

_WORDS: Final = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_Y_AFTER_CONSONANT: Final = re.compile(r"(\w*[^\Waeiou\d_])y(s|ed)")


@dataclass(frozen=True, slots=True)
class Terms:
    """The words for a bid and for a challenge, in every form that sentences need.

    `bid` and `challenge` are the verbs as they stand on buttons, with a capital: `Call`,
    `Challenge`. The other fields are in lower case: `noun` and `plural` name what is made (a
    `call`, two `calls`), `bidder` who made it (the `caller`), `challenged` is the past tense (Ann
    `challenged` Bob). Raises RulesetError for a word that cannot be right.
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
        if self.challenged == f"{self.doubt}ed" and self.doubt.endswith("e"):
            raise _wrong("challenged", self.challenged, f"{self.doubt}d")

    @property
    def verb(self) -> str:
        """To bid, inside a sentence: `call`."""
        return self.bid.lower()

    @property
    def doubt(self) -> str:
        """To challenge, inside a sentence: `challenge`, `check`."""
        return self.challenge.lower()

    @property
    def a_bid(self) -> str:
        """The noun with its article: `a call`, `an offer`."""
        return with_article(self.noun)


_EXAMPLE: Final = {
    "bid": "Call",
    "noun": "call",
    "plural": "calls",
    "bidder": "caller",
    "challenge": "Challenge",
    "challenged": "challenged",
}


def with_article(noun: str) -> str:
    """`noun` after "a" or "an", by its first letter."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _check_word(field: str, word: str, example: str) -> None:
    if not _WORDS.fullmatch(word):
        raise RulesetError(
            f"terms: {field} is {quoted(word)}, expected a word of letters, such as"
            f' {field}="{example}"'
        )
    cased = word[0].upper() + word[1:] if example[0].isupper() else word[0].lower() + word[1:]
    if word != cased:
        raise _wrong(field, word, cased)
    if found := _Y_AFTER_CONSONANT.fullmatch(word):
        ending = {"s": "ies", "ed": "ied"}[found[2]]
        raise _wrong(field, word, found[1] + ending)


def _wrong(field: str, word: str, right: str) -> RulesetError:
    return RulesetError(f'terms: {field} is {quoted(word)}: write {field}="{right}"')

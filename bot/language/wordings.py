"""Writes and parses bids in words, and gives each game's own words, in the bot's languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.language.catalogues import (
    ENGLISH,
    KEYS,
    Language,
    figure,
    spoken,
    tr,
    trn,
    vocabulary,
)
from bot.language.words import capital, rank_word
from engine.bids import Bid, Kind
from engine.card_words import in_letters
from engine.cards import Cards
from engine.errors import Reason, RulesetError
from engine.ruleset import Ruleset
from engine.terms import Terms
from engine.wording import Wording

_AND: Final = re.compile(r"\b(?:and|i|oraz)\b|&")


def wording(rules: Ruleset) -> Wording:
    """Return the words for a game's bids; in English if the current language has none."""
    return _wording(rules, spoken().key)


def _wording(rules: Ruleset, key: str) -> Wording:
    try:
        return rules.wording_in(vocabulary(key))
    except RulesetError as error:
        import structlog  # a command that answers in English need not wait for this import

        log = structlog.get_logger(__name__)
        log.warning("words: bids are said in English", language=key, reason=str(error))
        return rules.wording


def bid_text(rules: Ruleset, bid: Bid) -> str:
    """Return a bid in words: "pair of threes"."""
    return wording(rules).say(bid)


def bid_with_ranks(rules: Ruleset, bid: Bid) -> str:
    """Return a bid in words; add a straight's ranks if its name lacks them."""
    words = bid_text(rules, bid)
    highest = rank_word(bid.ranks[0]) if bid.ranks else ""
    if bid.kind is not Kind.STRAIGHT or highest in words:
        return words
    lowest = rank_word(min(card.rank for need in bid.needs for card in need.cards))
    span = tr("{lowest} to {highest}", lowest=lowest, highest=highest)
    return f"{words} ({span})"


def parse_typed_bid(rules: Ruleset, text: str) -> Bid:
    """Parse a bid typed in any of the bot's languages.

    Raises `engine.wording.BidTextError` if the text isn't a bid of the game.
    """
    return wording(rules).parse(text, other_wordings(rules))


def parse_typed_kind(rules: Ruleset, text: str) -> Kind | None:
    """Return the kind of hand if a text names only that ("flush", "any straight"), else None."""
    all_wordings = (wording(rules), *other_wordings(rules))
    return next((kind for a_wording in all_wordings if (kind := a_wording.kind_named(text))), None)


def parse_typed_cards(text: str) -> Cards:
    """Parse cards, in letters or in words of any of the bot's languages.

    Raises `TextError` if the text contains anything else.
    """
    return Cards.parse(_AND.sub(" ", cards_in_letters(text)))


def cards_in_letters(text: str) -> str:
    """Replace cards that are words with letters: "ace of hearts" becomes `Ah`."""
    for key in (spoken().key, *KEYS):
        text = in_letters(text, vocabulary(key).lexicon)
    return text


def other_wordings(rules: Ruleset) -> list[Wording]:
    """Return the words for a game's bids in the other languages."""
    return [_wording(rules, key) for key in KEYS if key != spoken().key]


@dataclass(frozen=True, slots=True)
class GameWords:
    """A game's own words, as in `engine.terms.Terms`, in the current language."""

    bid: str
    noun: str
    plural: str
    bidder: str
    challenge: str
    challenged: str
    verb: str
    doubt: str
    a_bid: str


def game_words(rules: Ruleset) -> GameWords:
    """Return a game's words for bids and challenges."""
    return _game_words(rules.terms, spoken())


@lru_cache
def _game_words(terms: Terms, tongue: Language) -> GameWords:
    translate = tongue.catalogue.pgettext
    return GameWords(
        **{name: translate("term", getattr(terms, name)) for name in GameWords.__slots__}
    )


def headings(rules: Ruleset) -> Mapping[str, str]:
    """Return each bid in words for a heading, by its key: "Six high heart flush ♥"."""
    return _headings(rules, spoken())


@lru_cache(maxsize=64)  # a table's list needs 25 at each move
def _headings(rules: Ruleset, tongue: Language) -> dict[str, str]:
    say = _wording(rules, tongue.key).say
    return {
        bid.key: capital(say(bid)) + ("" if bid.suit is None else f" {bid.suit.symbol}")
        for bid in rules.ladder
    }


def reason_text(reason: str) -> str:
    """Translate a reason given by the engine; return any other text unchanged."""
    if not isinstance(reason, Reason) or spoken().key == ENGLISH:
        return reason
    facts = {name: _fact_text(fact) for name, fact in reason.facts.items()}
    number = reason.facts.get("number")
    if isinstance(number, int):
        del facts["number"]
        return trn(reason.template, reason.template, number, **facts)
    return tr(reason.template, **facts)


def _fact_text(fact: int | str | tuple[str, ...]) -> str:
    """Return a fact as text for people; names of games and hands are translated."""
    if isinstance(fact, int):
        return figure(fact, ",")
    return tr(fact) if isinstance(fact, str) else ", ".join(map(tr, fact))

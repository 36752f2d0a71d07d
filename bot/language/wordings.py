"""Bids said and understood in the languages of the house, and a game's own words in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import structlog

from bot.language.catalogues import ENGLISH, KEYS, figure, language, spoken, tr, trc, trn
from engine.bids import Bid, Kind
from engine.card_words import in_letters
from engine.cards import Cards
from engine.errors import Reason, RulesetError
from engine.ruleset import Ruleset
from engine.wording import Wording

_AND: Final = re.compile(r"\b(?:and|i|oraz)\b|&")

log = structlog.get_logger(__name__)


def wording(rules: Ruleset) -> Wording:
    """How a game's bids are said; in English where the language that is spoken has no words."""
    return _wording(rules, spoken().key)


def _wording(rules: Ruleset, key: str) -> Wording:
    try:
        return rules.wording_in(language(key).vocabulary)
    except RulesetError as error:
        log.warning("words: bids are said in English", language=key, reason=str(error))
        return rules.wording


def bid_text(rules: Ruleset, bid: Bid) -> str:
    """A bid in words: "pair of threes"."""
    return wording(rules).say(bid)


def understood(rules: Ruleset, text: str) -> Bid:
    """The one bid that a typed text means, in any language of the house.

    Raises `engine.wording.BidTextError`.
    """
    return wording(rules).parse(text, others(rules))


def kind_understood(rules: Ruleset, text: str) -> Kind | None:
    """The kind of hand that a typed text names and says no more of: "flush", "any straight"."""
    spoken_here = (wording(rules), *others(rules))
    return next((kind for one in spoken_here if (kind := one.kind_named(text))), None)


def cards_understood(text: str) -> Cards:
    """Typed cards, in letters or in the words of any language of the house. Raises `TextError`."""
    return Cards.parse(_AND.sub(" ", cards_in_letters(text)))


def cards_in_letters(text: str) -> str:
    """The text with the cards in it that are words in letters: "ace of hearts" as `Ah`."""
    for key in (spoken().key, *KEYS):
        text = in_letters(text, language(key).vocabulary.lexicon)
    return text


def others(rules: Ruleset) -> list[Wording]:
    """How a game's bids are said in the other languages of the house."""
    return [_wording(rules, key) for key in KEYS if key != spoken().key]


@dataclass(frozen=True, slots=True)
class GameWords:
    """A game's own words, as `engine.terms.Terms` has them, in the language that is spoken."""

    bid: str
    noun: str
    plural: str
    bidder: str
    challenge: str
    challenged: str
    verb: str
    doubt: str
    a_bid: str


def doubt_label(rules: Ruleset) -> str:
    """Return what the button says that challenges the standing bid."""
    return trc("term", rules.terms.challenge)


def game_words(rules: Ruleset) -> GameWords:
    """The words of a game for what players do."""
    return GameWords(
        **{name: trc("term", getattr(rules.terms, name)) for name in GameWords.__slots__}
    )


def reason_said(reason: str) -> str:
    """A reason in the language that is spoken; as it is, where it is none of the engine's."""
    if not isinstance(reason, Reason) or spoken().key == ENGLISH:
        return reason
    shown = {name: _fact_text(fact) for name, fact in reason.facts.items()}
    number = reason.facts.get("number")
    if isinstance(number, int):
        del shown["number"]
        return trn(reason.template, reason.template, number, **shown)
    return tr(reason.template, **shown)


def _fact_text(fact: int | str | tuple[str, ...]) -> str:
    """A fact as people read it; names of games and of hands are texts of the catalogue."""
    if isinstance(fact, int):
        return figure(fact, ",")
    return tr(fact) if isinstance(fact, str) else ", ".join(map(tr, fact))

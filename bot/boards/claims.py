"""What a bid claims, and what a round is for: two lines in the seat of who is new to both.

They are made from the rules: a bid's classes of cards, the jokers of the deck, the card limit.
"""

from __future__ import annotations

from typing import Final

from bot.language.catalogues import tr, trc
from bot.language.words import NUMBERS, lacking_text, number_word
from engine.bids import Bid, Kind, Need
from engine.rotation import card_limit, playing_off
from engine.ruleset import Ruleset
from engine.view import View

_OF_ONE_RANK: Final = (Kind.PAIR, Kind.THREE)
_OF_TWO_RANKS: Final = (Kind.TWO_PAIR, Kind.FULL_HOUSE)


def claim(rules: Ruleset, bid: Bid, in_play: int) -> str:
    """Which cards a bid says are among those in play, and what makes it good too."""
    needs = tr("It needs {needs} among all {number} cards", needs=_needs(bid), number=in_play)
    return f"-# {'; '.join([needs, *_good_too(rules, bid)])}."


def stake(seen: View) -> str:
    """What who loses the round pays, and how many cards are too many; nothing in a play-off."""
    if playing_off(seen.ruleset, seen.seats):
        return ""
    return tr(
        "-# Who loses a round holds one more card; with {amount} you are out.",
        amount=number_word(card_limit(seen.ruleset, seen.seats) + 1),
    )


def _needs(bid: Bid) -> str:
    """The cards: "two kings", "the 8♣ and four more clubs"."""
    if bid.kind is not Kind.FLUSH or bid.suit is None:
        return lacking_text(bid.needs)
    *named, others = bid.needs
    if not named:
        return tr("{amount} cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    if not _only_lower(bid):
        return lacking_text(bid.needs)
    lower = tr("{amount} lower cards of {suit}", amount=_amount(others), suit=bid.suit.symbol)
    return tr("{first} and {last}", first=lacking_text(named), last=lower)


def _amount(need: Need) -> str:
    return trc("lacking", NUMBERS[need.count])


def _only_lower(bid: Bid) -> bool:
    """Whether the others of a flush must be lower than the card that it names."""
    return all(card.rank < bid.ranks[0] for card in bid.needs[-1].cards)


def _good_too(rules: Ruleset, bid: Bid) -> list[str]:
    """What a stranger would ask: whether more, or higher, does harm, and what a joker does."""
    notes = []
    if bid.kind is Kind.HIGH_CARD:
        notes.append(tr("higher cards do no harm"))
    elif bid.kind in _OF_ONE_RANK:
        (need,) = bid.needs
        more = lacking_text([Need(need.cards, need.count + 1)])
        notes.append(tr("{more} are fine too", more=more))
    elif bid.kind in _OF_TWO_RANKS:
        notes.append(tr("more is fine"))
    elif bid.kind is Kind.STRAIGHT:
        notes.append(tr("of any suits"))
    elif bid.kind is Kind.FLUSH and bid.ranks and not _only_lower(bid):
        notes.append(tr("higher ones do no harm"))
    if rules.deck.jokers:
        notes.append(tr("a joker is any card"))
    return notes

"""The bids of a round in words: one line each, the evidence in a bluffing game."""

from __future__ import annotations

from bot.language.catalogues import tr
from bot.language.wordings import bid_text
from bot.language.words import capital, mention
from engine.bids import Bid
from engine.cards import Rank
from engine.ruleset import Ruleset
from engine.view import RoundView, View


def label(rules: Ruleset, bid: Bid) -> str:
    """A bid as a heading says it, with its suit's sign."""
    sign = f" {bid.suit.symbol}" if bid.suit is not None else ""
    return capital(bid_text(rules, bid)) + sign


def card_of(bid: Bid) -> Rank | None:
    """The rank that stands as a card beside a bid; None where it names none."""
    return bid.ranks[0] if bid.ranks else None


def by_house() -> str:
    """What is added to an act of somebody who was not there."""
    return tr("played by the house")


def call_lines(seen: View, current: RoundView, latest: int | None = None) -> list[str]:
    """Who bid what, oldest first, in small print; only the `latest` ones if a number is given.

    As a replay says it: a computer player's plain name needs a sign before what it said.
    """
    bids = current.bids if latest is None else current.bids[-latest:]
    return [
        f"-# {mention(seen.seats[made.seat].player)}: {bid_text(seen.ruleset, made.bid)}"
        for made in bids
    ]

"""Liars' Poker: 52 cards, or 54 with two wild jokers; a straight beats a flush.

Rules: docs/rules.md. Source: the 2017 article "Liars' Poker probability analysis using sampling".
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Final

from engine.bids import (
    Bid,
    Kind,
    Need,
    Phrases,
    cards_of_suit,
    exactly,
    of_rank,
    of_two_ranks,
    straight,
    straight_ranks,
)
from engine.cards import Card, Cards, DeckSpec, Rank, Suit
from engine.ladder import Ladder
from engine.ruleset import Option, OptionChoice, Options, Ruleset, Variant
from engine.terms import Terms

VERSION: Final = 1
MOST_PLAYERS: Final = 10
CARD_LIMIT: Final = 5
STARTING_CARDS: Final = 2
LOWEST_FLUSH: Final = Rank.SIX  # nobody names a flush "two high"

TERMS: Final = Terms(
    bid="Bid",
    noun="bid",
    plural="bids",
    bidder="bidder",
    challenge="Challenge",
    challenged="challenged",
)
PHRASES: Final[Phrases] = {
    (Kind.HIGH_CARD, None): "{rank} high",
    (Kind.PAIR, None): "pair of {ranks}",
    (Kind.TWO_PAIR, None): "pair of {ranks}, pair of {others}",
    (Kind.THREE, None): "three {ranks}",
    (Kind.FLUSH, None): "{rank} high {suit} flush",
    (Kind.STRAIGHT, None): "straight to the {rank}",
    (Kind.FULL_HOUSE, None): "{ranks} full of {others}",
    (Kind.FOUR, None): "four {ranks}",
    (Kind.STRAIGHT_FLUSH, None): "{rank} high {suit} straight flush",
    (Kind.STRAIGHT_FLUSH, Rank.ACE): "{suit} royal flush",
    (Kind.FIVE, None): "five {ranks}",
}


def ladder(jokers: int, flush_card: str) -> Ladder:
    """Return the rungs, weakest first; five of a kind exists only with jokers.

    `flush_card`: if "in_play", a flush is the named card and any four others of its suit; if
    "highest", the four others must be lower than the named card.
    """
    rungs: list[tuple[Bid, ...]] = []
    rungs += [(of_rank(Kind.HIGH_CARD, rank, 1),) for rank in Rank]
    rungs += [(of_rank(Kind.PAIR, rank, 2),) for rank in Rank]
    rungs += [
        (of_two_ranks(Kind.TWO_PAIR, (high, 2), (low, 2)),)
        for high, low in sorted((high, low) for low, high in combinations(Rank, 2))
    ]
    rungs += [(of_rank(Kind.THREE, rank, 3),) for rank in Rank]
    rungs += [
        tuple(flush(rank, suit, flush_card) for suit in Suit)
        for rank in Rank
        if rank >= LOWEST_FLUSH
    ]
    tops = [rank for rank in Rank if rank >= Rank.FIVE]
    rungs += [(straight(top, straight_ranks(top)),) for top in tops]
    rungs += [
        (of_two_ranks(Kind.FULL_HOUSE, (triplet, 3), (pair, 2)),)
        for triplet, pair in sorted(permutations(Rank, 2))
    ]
    rungs += [(of_rank(Kind.FOUR, rank, 4),) for rank in Rank]
    rungs += [tuple(straight_flush(top, suit) for suit in Suit) for top in tops]
    if jokers:
        rungs += [(of_rank(Kind.FIVE, rank, 5),) for rank in Rank]
    return Ladder(tuple(rungs))


def flush(rank: Rank, suit: Suit, flush_card: str) -> Bid:
    """Return the flush named by one card: that card and four others of its suit (see `ladder`)."""
    named = Cards.of([Card.of(rank, suit)])
    lower = tuple(lower_rank for lower_rank in Rank if lower_rank < rank)
    others = cards_of_suit(suit, lower if flush_card == "highest" else Rank) - named
    return Bid(Kind.FLUSH, (rank,), suit, (Need(named, 1), Need(others, 4)))


def straight_flush(top: Rank, suit: Suit) -> Bid:
    """Return the straight flush to `top` in one suit: each of its five cards."""
    needs = exactly(tuple(Card.of(rank, suit) for rank in straight_ranks(top)))
    return Bid(Kind.STRAIGHT_FLUSH, (top,), suit, needs)


def _build(options: Options) -> Ruleset:
    jokers = int(options["jokers"])
    middle_hand = bool(options["middle_hand"])
    deck = DeckSpec(jokers=jokers)
    # a full table, the middle hand included, must always fit the deck
    most = min(MOST_PLAYERS, deck.size // CARD_LIMIT - middle_hand)
    return Ruleset(
        key=VARIANT.key,
        version=VERSION,
        title=VARIANT.title,
        terms=TERMS,
        deck=deck,
        ladder=ladder(jokers, str(options["flush_card"])),
        phrases=PHRASES,
        starting_cards=(STARTING_CARDS,) * (most + 1),
        card_limits=(CARD_LIMIT,) * (most + 1),
        limit_counts="live",
        challengers="anyone" if options["challengers"] == "anyone" else "next",
        middle_hand=middle_hand,
        options=tuple(options.items()),
    )


VARIANT: Final = Variant(
    key="liars_poker",
    short="liars",
    version=VERSION,
    title="Liars' Poker",
    summary="52 cards, with two wild jokers or without.",
    published_words='Some rule books say "call" for a bid.',
    options=(
        Option(
            "jokers",
            "Jokers",
            (OptionChoice(2, "two, wild"), OptionChoice(0, "none")),
            "A joker counts as any card, so more bids come true.",
            changes_odds=True,
        ),
        Option(
            "middle_hand",
            "Middle hand",
            (OptionChoice(False, "none"), OptionChoice(True, "one hand, face down")),
            "An extra hand that nobody sees before the showdown. Its cards count too.",
        ),
        Option(
            "challengers",
            "Who can challenge",
            (
                OptionChoice("next", "the next player"),
                OptionChoice("anyone", "anyone, at any time"),
            ),
            "Only the next player can challenge a bid, or anyone except the bidder.",
        ),
        Option(
            "flush_card",
            "A flush needs",
            (
                OptionChoice("in_play", "the named card and any four others"),
                OptionChoice("highest", "the named card and four lower ones"),
            ),
            '"Eight high club flush" needs the 8♣, and four other clubs: any, or only lower ones.',
            changes_odds=True,
        ),
    ),
    build=_build,
)

"""Thai Poker: 24 cards, nine to ace, no two pair; suits are ranked.

Rules: docs/rules.md. Source: "Official rules created by: Jeremiasz Preiss, December 5, 2023".
"""

from __future__ import annotations

from itertools import permutations
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
from engine.cards import Card, DeckSpec, Rank, Suit
from engine.ladder import Ladder
from engine.ruleset import Option, OptionChoice, Options, Ruleset, Variant
from engine.terms import Terms

VERSION: Final = 1
MOST_PLAYERS: Final = 10
RANKS: Final = tuple(rank for rank in Rank if rank >= Rank.NINE)
# by number of players, from 0; entries below two are unused
STARTING_CARDS: Final = (0, 0, 3, 2, 2, 1, 1, 1, 1, 1, 1)
CARD_LIMITS: Final = (0, 0, *(min(6, 23 // players) for players in range(2, MOST_PLAYERS + 1)))

TERMS: Final = Terms(
    bid="Bid",
    noun="bid",
    plural="bids",
    bidder="bidder",
    challenge="Challenge",
    challenged="challenged",
)
PHRASES: Final[Phrases] = {
    (Kind.HIGH_CARD, None): "high card {rank}",
    (Kind.PAIR, None): "pair of {ranks}",
    (Kind.STRAIGHT, Rank.KING): "small straight",
    (Kind.STRAIGHT, Rank.ACE): "big straight",
    (Kind.THREE, None): "three {ranks}",
    (Kind.FULL_HOUSE, None): "{ranks} full of {others}",
    (Kind.FLUSH, None): "{suit} flush",
    (Kind.FOUR, None): "four {ranks}",
    (Kind.STRAIGHT_FLUSH, None): "{suit} straight flush",
    (Kind.ROYAL_FLUSH, None): "{suit} royal flush",
}


def ladder() -> Ladder:
    """Return the rungs, weakest first: 68 bids, each on a rung of its own."""
    bids: list[Bid] = []
    bids += [of_rank(Kind.HIGH_CARD, rank, 1) for rank in RANKS]
    bids += [of_rank(Kind.PAIR, rank, 2) for rank in RANKS]
    bids += [straight(top, straight_ranks(top)) for top in (Rank.KING, Rank.ACE)]
    bids += [of_rank(Kind.THREE, rank, 3) for rank in RANKS]
    bids += [
        of_two_ranks(Kind.FULL_HOUSE, (triplet, 3), (pair, 2))
        for triplet, pair in sorted(permutations(RANKS, 2))
    ]
    bids += [Bid(Kind.FLUSH, (), suit, (Need(cards_of_suit(suit, RANKS), 5),)) for suit in Suit]
    bids += [of_rank(Kind.FOUR, rank, 4) for rank in RANKS]
    bids += [straight_flush(suit) for suit in Suit]
    bids += [royal_flush(suit) for suit in Suit]
    return Ladder(tuple((bid,) for bid in bids))


def straight_flush(suit: Suit) -> Bid:
    """Return the straight flush in one suit: ten to king, with the nine or the ace."""
    middle = tuple(Card.of(rank, suit) for rank in RANKS[1:-1])
    either_end = Need(cards_of_suit(suit, (RANKS[0], RANKS[-1])), 1)
    return Bid(Kind.STRAIGHT_FLUSH, (), suit, (*exactly(middle), either_end))


def royal_flush(suit: Suit) -> Bid:
    """Return the royal flush in one suit: ten to ace."""
    needs = exactly(tuple(Card.of(rank, suit) for rank in RANKS[1:]))
    return Bid(Kind.ROYAL_FLUSH, (), suit, needs)


def _build(options: Options) -> Ruleset:
    limits = list(CARD_LIMITS)
    limits[2] = int(options["two_player_limit"])
    return Ruleset(
        key=VARIANT.key,
        version=VERSION,
        title=VARIANT.title,
        terms=TERMS,
        deck=DeckSpec(ranks=RANKS),
        ladder=ladder(),
        phrases=PHRASES,
        starting_cards=STARTING_CARDS,
        card_limits=tuple(limits),
        limit_counts="starting" if options["limit_counts"] == "starting" else "live",
        challengers="anyone" if options["challengers"] == "anyone" else "next",
        middle_hand=False,
        options=tuple(options.items()),
    )


VARIANT: Final = Variant(
    key="thai_poker",
    short="thai",
    version=VERSION,
    title="Thai Poker",
    summary="24 cards, nine to ace; suits are ranked, and there is no two pair.",
    published_words='Some rule books say "check" for a challenge.',
    options=(
        Option(
            "two_player_limit",
            "Card limit for the last two",
            (OptionChoice(6, "six cards"), OptionChoice(7, "seven cards")),
            "How many cards you can hold when two players are left. One more and you're out.",
        ),
        Option(
            "limit_counts",
            "The card limit counts",
            (
                OptionChoice("live", "players still in the match"),
                OptionChoice("starting", "players who started the match"),
            ),
            "The fewer players count, the more cards you can hold: those left, or all who started.",
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
    ),
    build=_build,
)

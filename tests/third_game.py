"""A third game, made as a file in engine/variants would be, for tests that need one in-process.

The game of docs/adding-a-game.md isn't this one: tests/test_adding_a_game.py plays that game in new
processes.

Royal Bluff: sixteen cards, jack to ace, and optionally a joker. Two to four players, one card at
first and three at most; bids are high cards, then threes, then fours of a kind.
"""

from __future__ import annotations

from typing import Final

from engine.bids import Kind, Phrases, of_rank
from engine.cards import DeckSpec, Rank
from engine.ladder import Ladder
from engine.ruleset import Option, OptionChoice, Options, Ruleset, Variant
from engine.terms import Terms

VERSION: Final = 1
RANKS: Final = (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
COUNTS: Final = ((Kind.HIGH_CARD, 1), (Kind.THREE, 3), (Kind.FOUR, 4))

PHRASES: Final[Phrases] = {
    (Kind.HIGH_CARD, None): "a {rank}",
    (Kind.THREE, None): "three {ranks}",
    (Kind.FOUR, None): "all the {ranks}",
}


def _build(options: Options) -> Ruleset:
    return Ruleset(
        key=VARIANT.key,
        version=VERSION,
        title=VARIANT.title,
        terms=Terms(
            bid="Claim",
            noun="claim",
            plural="claims",
            bidder="claimer",
            challenge="Doubt",
            challenged="doubted",
        ),
        deck=DeckSpec(ranks=RANKS, jokers=int(options["jokers"])),
        ladder=Ladder(tuple((of_rank(kind, r, count),) for kind, count in COUNTS for r in RANKS)),
        phrases=PHRASES,
        starting_cards=(0, 0, 1, 1, 1),
        card_limits=(0, 0, 3, 3, 3),
        limit_counts="live",
        challengers="next",
        middle_hand=False,
        options=tuple(options.items()),
    )


VARIANT: Final = Variant(
    key="royal_bluff",
    short="royal-bluff",
    version=VERSION,
    title="Royal Bluff",
    summary="Sixteen court cards; one card at first, three at most.",
    options=(
        Option(
            "jokers",
            "Jokers",
            (OptionChoice(0, "no joker"), OptionChoice(1, "one joker")),
            changes_odds=True,
        ),
    ),
    build=_build,
)

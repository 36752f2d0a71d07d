"""What is played at a showdown: cards dealt, cards usable, the deck, wild cards and the ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Final

from engine.cards import MAX_JOKERS, NATURAL_BITS, Cards, rank_bits
from engine.errors import TextError
from engine.odds.showdown.ranking import Ranking

NO_CARDS: Final = Cards()
RULES_EXAMPLE: Final = "-n 2 -s 5 for hold'em, -n 4 -s 5 -N 2 -S 3 for Omaha"
_MOST_PICKS: Final = 20_000
_FIVE: Final = 5
_OMAHA_SEATS: Final = 10
_SHORT_RANKS: Final = range(4)  # deuce to five are missing from 36 cards


@dataclass(frozen=True, slots=True)
class ShowdownRules:
    """A game of the poker family, as far as its showdown goes. Raises `TextError` if impossible.

    `private` and `public` cards are dealt to each player and to the board; at most `private_used`
    and `public_used` of them may be part of a hand (None: all). `jokers` are in the pack; `wild`
    are natural cards that are wild too. Defaults are pan2's: five-card draw.
    """

    private: int = 5
    public: int = 0
    private_used: int | None = None
    public_used: int | None = None
    jokers: int = 0
    wild: Cards = NO_CARDS
    ranking: Ranking = Ranking.HIGH

    def __post_init__(self) -> None:
        for count, least, most, what in (
            (self.private, 1, 52, "private cards per player"),
            (self.public, 0, 52, "public cards"),
            (self.usable_private, 0, self.private, "private cards usable"),
            (self.usable_public, 0, self.public, "public cards usable"),
            (self.jokers, 0, MAX_JOKERS, "jokers"),
        ):
            if not least <= count <= most:
                reason = f"expected {least} to {most} {what}, got {count}"
                raise TextError(str(count), reason, RULES_EXAMPLE)
        strange = self.wild - self.naturals
        if strange:
            reason = f"{next(iter(strange))} is not a natural card of this pack that could be wild"
            raise TextError(str(self.wild), reason, '"2c 2d" for two wild deuces')
        usable = self.usable_private + self.usable_public
        if usable == 0:
            raise TextError("0", "a hand needs at least one usable card", RULES_EXAMPLE)
        if self.ranking.is_low and usable < _FIVE:
            reason = f"lowball needs five usable cards, these rules leave {usable}"
            raise TextError(str(usable), reason, RULES_EXAMPLE)
        if len(self.hole_picks()) * len(self.board_picks()) > _MOST_PICKS:
            raise TextError(str(self.private), "too many ways to choose a hand", RULES_EXAMPLE)

    @property
    def usable_private(self) -> int:
        """How many hole cards may be used."""
        return self.private if self.private_used is None else self.private_used

    @property
    def usable_public(self) -> int:
        """How many public cards may be used."""
        return self.public if self.public_used is None else self.public_used

    @property
    def deck(self) -> Cards:
        """Every card of the pack, jokers from number 52 on."""
        return Cards(self.naturals.bits | ((1 << self.jokers) - 1) << 52)

    @property
    def naturals(self) -> Cards:
        """The pack without its jokers."""
        if self.ranking is Ranking.SHORT_DECK:
            return Cards(NATURAL_BITS & ~sum(rank_bits(rank) for rank in _SHORT_RANKS))
        return Cards(NATURAL_BITS)

    @property
    def most_players(self) -> int | None:
        """How many may play; None if the pack is the only limit. Omaha seats ten."""
        return _OMAHA_SEATS if self.private >= 4 and self.usable_private == 2 else None

    @property
    def five_possible(self) -> bool:
        """Whether wild cards allow five of a kind."""
        return bool(self.jokers or self.wild)

    def hole_picks(self) -> list[tuple[int, ...]]:
        """Which hole cards, by place, can be part of a hand: see `_picks`."""
        return _picks(self.private, self.usable_private, self.ranking, self.usable_public)

    def board_picks(self) -> list[tuple[int, ...]]:
        """Which public cards, by place, can be part of a hand."""
        return _picks(self.public, self.usable_public, self.ranking, self.usable_private)


def _picks(dealt: int, usable: int, ranking: Ranking, others: int) -> list[tuple[int, ...]]:
    """The choices of places worth trying.

    A high hand only gains by having more cards, so every choice is as large as allowed; lowball
    counts sets of exactly five, so choices have any size that the other side can fill up to five.
    """
    from itertools import combinations

    sizes = range(max(0, _FIVE - others), min(_FIVE, usable) + 1) if ranking.is_low else [usable]
    if sum(comb(dealt, size) for size in sizes) > _MOST_PICKS:
        raise TextError(str(dealt), "too many ways to choose a hand", RULES_EXAMPLE)
    return [places for size in sizes for places in combinations(range(dealt), size)]


HOLDEM: Final = ShowdownRules(private=2, public=5)
PRESETS: Final = {
    "holdem": HOLDEM,
    "omaha": ShowdownRules(private=4, public=5, private_used=2, public_used=3),
    "omaha5": ShowdownRules(private=5, public=5, private_used=2, public_used=3),
    "draw": ShowdownRules(),
    "shortdeck": replace(HOLDEM, ranking=Ranking.SHORT_DECK),
    "a5": ShowdownRules(ranking=Ranking.ACE_FIVE),
    "27": ShowdownRules(ranking=Ranking.DEUCE_SEVEN),
}

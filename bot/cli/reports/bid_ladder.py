"""A whole ladder as text: bids of equal chance that follow each other are folded into runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from engine.bids import Bid
from engine.cards import Suit
from engine.odds import BidOdds, Chance
from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Run:
    """Bids of one kind that follow each other and have the same chance.

    `suits` are those for which all of it is equally true; empty where the bids name no suit.
    """

    bids: tuple[BidOdds, ...]
    suits: tuple[Suit, ...]

    @property
    def chance(self) -> Chance:
        """The chance of each of the bids."""
        return self.bids[0].chance

    def words(self, rules: Ruleset) -> str:
        """`pair of twos … pair of nines`, and the further suits for which it holds."""
        first, last = self.bids[0].bid, self.bids[-1].bid
        said = rules.wording.say(first)
        if last != first:
            said += f" … {rules.wording.say(last)}"
        if len(self.suits) > 1:
            said += f" (also {' '.join(suit.symbol for suit in self.suits[1:])})"
        return said

    def rungs(self) -> str:
        """The first and the last rung, such as `14–21`."""
        first, last = self.bids[0].rung, self.bids[-1].rung
        return str(first) if first == last else f"{first}–{last}"


def runs(odds: Iterable[BidOdds]) -> list[Run]:
    """The bids of one kind folded into runs, weakest first. `odds` go up the ladder."""
    entries = list(odds)
    suits = sorted({_suit(entry.bid) for entry in entries})
    found: dict[tuple[int, int, int], Run] = {}
    for suit in suits:
        own = [entry for entry in entries if _suit(entry.bid) == suit]
        for _, group in groupby(own, key=lambda entry: entry.chance):
            bids = tuple(group)
            same = (bids[0].rung, len(bids), bids[0].chance.favourable)
            named = (Suit(suit),) if suit >= 0 else ()
            before = found.get(same)
            found[same] = Run(before.bids, before.suits + named) if before else Run(bids, named)
    return sorted(found.values(), key=lambda run: run.bids[0].rung)


def _suit(bid: Bid) -> int:
    return -1 if bid.suit is None else int(bid.suit)

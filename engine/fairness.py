"""Was it dealt as it was sealed? Checks a match's deals once their seeds are known.

Whatever a deal was made from is in it or is its seed, so a stranger can do the same
(docs/fair-deals.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine import cutting, shuffle
from engine.actions import Action, Deal
from engine.cards import Card
from engine.play import apply
from engine.shuffle import Shuffled, commitment
from engine.state import Match


@dataclass(frozen=True, slots=True)
class Check:
    """What was found of a deal.

    `chained` is whether the seal was fixed together with that of the round before; None where there
    is none to compare: in a first round, in deals of version 1, or while that seed is not known.
    """

    sealed: bool  # the seed has the seal that was shown
    worded: bool  # the words that are still kept are those that were counted
    dealt: bool  # seed and cuts give this order of the cards, and this draw
    chained: bool | None

    @property
    def fair(self) -> bool:
        """Whether everything is as it should be."""
        return self.sealed and self.worded and self.dealt and self.chained is not False


@dataclass(frozen=True, slots=True)
class CheckedDeal:
    """A round's deal; `seed` and `check` are None while the seed is not known."""

    number: int  # of the round, from 1
    deal: Deal
    seed: bytes | None
    check: Check | None


def check_match(
    match: Match, actions: Iterable[Action], seeds: Mapping[int, bytes]
) -> tuple[CheckedDeal, ...]:
    """Every deal of a log, checked. `match` is as it was before its first action.

    `seeds` are those that are known, by number of the round. Raises `RuleViolation` if the log
    breaks a rule, ValueError for a deal of a version that this code does not know.
    """
    found: list[CheckedDeal] = []
    for action in actions:
        if isinstance(action, Deal):
            number = len(found) + 1
            seed, check = seeds.get(number), None
            if seed is not None:
                before = found[-1] if found else None
                check = _check(action, seed, match.ruleset.deck.order, len(match.live), before)
            found.append(CheckedDeal(number, action, seed, check))
        match = apply(match, action)
    return tuple(found)


def deal_again(
    version: int, seed: bytes, digests: Iterable[str], deck: tuple[Card, ...], players: int
) -> Shuffled:
    """What a seed, and in version 2 the digests of the cuts, give. Raises ValueError otherwise."""
    match version:
        case shuffle.VERSION:
            return shuffle.shuffle(seed, deck, players)
        case cutting.VERSION:
            return cutting.cut_shuffle(seed, tuple(digests), deck, players)
        case _:
            raise ValueError(f"a deal of version {version}; this code knows 1 and 2")


def _check(
    deal: Deal, seed: bytes, deck: tuple[Card, ...], players: int, before: CheckedDeal | None
) -> Check:
    digests = (cut.digest for cut in deal.cuts)
    again = deal_again(deal.shuffle_version, seed, digests, deck, players)
    counts = deal.shuffle_version == cutting.VERSION
    chained = None
    if counts and before is not None and before.deal.shuffle_version == cutting.VERSION:
        chained = None if before.seed is None else before.seed.hex() == deal.commitment
    return Check(
        sealed=commitment(seed) == deal.commitment,
        worded=all(cut.genuine for cut in deal.cuts) if counts else not deal.cuts,
        dealt=(again.order, again.drawn) == (deal.order, deal.drawn),
        chained=chained,
    )

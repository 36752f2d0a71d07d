"""Check that the deals of a match agree with their seals, once the seeds are known.

Anyone can check this with the match's log and its seeds (docs/fair-deals.md).
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
    """The results of checking a deal; True is good.

    `chained` tells whether the seal is the seed of the round before. It is None if that can't
    be checked: in the first round, if this deal or the one before is of version 1, or while the
    earlier seed is not known.
    """

    sealed: bool  # the seed matches the seal that was shown
    worded: bool  # the stored words match the digests that were used
    dealt: bool  # seed and cuts give this order of the cards and this draw
    chained: bool | None

    @property
    def fair(self) -> bool:
        """Whether no check fails; `chained` may be None."""
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
    """Return the deals of a log, each checked. `match` is the state before the first action.

    `seeds` are the known seeds by round number. Raises `RuleViolation` if the log breaks a rule,
    and ValueError if a known seed or a digest has the wrong size, or a version is unknown.
    """
    checked: list[CheckedDeal] = []
    for action in actions:
        if isinstance(action, Deal):
            number = len(checked) + 1
            seed, check = seeds.get(number), None
            if seed is not None:
                before = checked[-1] if checked else None
                check = _check(action, seed, match.ruleset.deck.order, len(match.live), before)
            checked.append(CheckedDeal(number, action, seed, check))
        match = apply(match, action)
    return tuple(checked)


def deal_again(
    version: int, seed: bytes, digests: Iterable[str], deck: tuple[Card, ...], players: int
) -> Shuffled:
    """Return the deal made from a seed and, in version 2, the cuts' digests.

    Raises ValueError for a seed or digest of the wrong size, or an unknown version.
    """
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

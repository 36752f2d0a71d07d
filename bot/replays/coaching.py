"""Whose decisions of a match the coach looks at, and which of them it tells first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.replays.played import PlayedMatch
from engine.players.coaching.advice import Advice
from engine.players.coaching.decisions import Decision, decisions_of

COSTLIEST: Final = 3


def own_decisions(played: PlayedMatch, seat: int) -> tuple[Decision, ...]:
    """The decisions that the player of `seat` made: not those that the house made for them."""
    by_house = {number for number, entry in enumerate(played.log, start=1) if entry.by_house}
    found = decisions_of(played.first(), played.actions)
    return tuple(one for one in found if one.position.seat == seat and one.seq not in by_house)


def round_decisions(played: PlayedMatch, number: int) -> tuple[Decision, ...]:
    """Every decision of one round, whoever made it."""
    found = decisions_of(played.first(), played.actions)
    return tuple(one for one in found if one.position.number == number)


def costliest(advice: Iterable[Advice], most: int = COSTLIEST) -> tuple[Advice, ...]:
    """The decisions that clearly cost something, the costliest first."""
    clear = [one for one in advice if one.clear]
    return tuple(sorted(clear, key=lambda one: (-one.cost, one.seq))[:most])

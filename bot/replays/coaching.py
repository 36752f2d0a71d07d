"""Whose decisions of a match the coach looks at, and which of them it tells first; and where others
who played the same deal did something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.replays.played import PlayedMatch
from engine.actions import Action, Challenge, Deal, MakeBid
from engine.players.coaching.decisions import Advice, Decision, Tried, decisions_of
from engine.ruleset import Ruleset

COSTLIEST: Final = 3
COSTLY: Final = 0.10  # of match-winning chance: a decision that cost so much is asked again
CANDIDATES: Final = 4  # among which one chooses then


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


def costly(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """The decisions to be asked again: they cost much, and clearly more than the coach may err."""
    return tuple(one for one in advice if one.clear and one.cost >= COSTLY)


def candidates(advice: Advice, rules: Ruleset) -> tuple[Tried, ...]:
    """What to choose among: the best, what was done, and others, worse by more than the error.

    In the order of the ladder, so that the order tells nothing; what is no bid comes last.
    """
    worse = [
        one
        for one in sorted(advice.tried, key=lambda one: -one.wins)
        if one not in (advice.best, advice.chosen) and one.wins < advice.best.wins - advice.error
    ]
    chosen = [advice.best, advice.chosen, *worse][:CANDIDATES]

    def place(tried: Tried) -> tuple[bool, int]:
        if tried.key is None:
            return True, tried.waits
        return False, rules.ladder.place(rules.ladder.bid(tried.key))

    return tuple(sorted(chosen, key=place))


def beside(decision: Decision, advice: Advice, rules: Ruleset) -> tuple[Decision, ...]:
    """A decision again with bids that the coach has not tried, to have something to choose among.

    They are the lowest bids, and those around the best and around what was done.
    """
    position, ladder = decision.position, rules.ladder
    if not position.may_bid:
        return ()
    tried = {one.key for one in advice.tried}
    first = ladder.first_above(position.standing)
    near = [first, first + 1]
    for one in (advice.best, advice.chosen):
        if one.key is not None:
            place = ladder.place(ladder.bid(one.key))
            near += [place + 1, place - 1, place + 2]
    keys = [ladder.at(place).key for place in dict.fromkeys(near) if first <= place < len(ladder)]
    return tuple(
        replace(decision, action=MakeBid(position.seat, key)) for key in keys if key not in tried
    )[:CANDIDATES]


@dataclass(frozen=True, slots=True)
class Parting:
    """A decision where most of the `others` who came to the same position did another thing."""

    seq: int  # the number of the action
    round: int
    others: int
    went: int  # how many of them did `action`
    action: MakeBid | Challenge


def partings(
    own: Sequence[Action], seat: int, others: Iterable[Sequence[Action]], most: int = COSTLIEST
) -> tuple[Parting, ...]:
    """Where the field of one deal parted from the player of a seat, in the order of the match.

    Whose logs agree up to an action had the same choice, as everything dealt and answered is the
    same. Of more than `most` those of the most people are told.
    """
    beside, rounds, found = [tuple(log) for log in others], 0, []
    for at, action in enumerate(own):
        rounds += isinstance(action, Deal)
        if isinstance(action, MakeBid | Challenge) and action.seat == seat:
            theirs = (log[at] for log in beside if at < len(log))
            chosen = Counter(one for one in theirs if isinstance(one, MakeBid | Challenge))
            for other, went in chosen.most_common(1):
                if other != action and 2 * went > chosen.total():
                    found.append(Parting(at + 1, rounds, chosen.total(), went, other))
        beside = [log for log in beside if at < len(log) and log[at] == action]
    told = sorted(found, key=lambda one: (-one.went, one.seq))[:most]
    return tuple(sorted(told, key=lambda one: one.seq))

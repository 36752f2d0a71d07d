"""Which decisions the coach examines, and which it shows first.

This module also finds where other players of the same deal decided differently.
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
COSTLY: Final = 0.10  # loss of match-winning chance; costlier decisions go into the quiz
CANDIDATES: Final = 4  # choices in a quiz question


def own_decisions(played: PlayedMatch, seat: int) -> tuple[Decision, ...]:
    """Return a seat's own decisions, without those made for an absent player."""
    by_house = {number for number, entry in enumerate(played.log, start=1) if entry.by_house}
    decisions = decisions_of(played.first(), played.actions)
    return tuple(
        decision
        for decision in decisions
        if decision.position.seat == seat and decision.seq not in by_house
    )


def round_decisions(played: PlayedMatch, number: int) -> tuple[Decision, ...]:
    """Return every decision of a round, by any player."""
    decisions = decisions_of(played.first(), played.actions)
    return tuple(decision for decision in decisions if decision.position.number == number)


def costliest(advice: Iterable[Advice], most: int = COSTLIEST) -> tuple[Advice, ...]:
    """Return at most `most` decisions that clearly cost something, costliest first."""
    clear = [item for item in advice if item.clear]
    return tuple(sorted(clear, key=lambda item: (-item.cost, item.seq))[:most])


def costly(advice: Iterable[Advice]) -> tuple[Advice, ...]:
    """Return the decisions for the quiz: those that clearly cost something, `COSTLY` or more."""
    return tuple(item for item in advice if item.clear and item.cost >= COSTLY)


def candidates(advice: Advice, rules: Ruleset) -> tuple[Tried, ...]:
    """Return the choices of a quiz question: the best, the player's own, and clearly worse ones.

    There are at most `CANDIDATES`. They are in the order of the ladder, so that the order is no
    hint; actions that aren't bids come last.
    """
    worse = [
        tried
        for tried in sorted(advice.tried, key=lambda tried: -tried.wins)
        if tried not in (advice.best, advice.chosen)
        and tried.wins < advice.best.wins - advice.error
    ]
    chosen = [advice.best, advice.chosen, *worse][:CANDIDATES]

    def place(tried: Tried) -> tuple[bool, int]:
        if tried.key is None:
            return True, tried.waits
        return False, rules.ladder.place(rules.ladder.bid(tried.key))

    return tuple(sorted(chosen, key=place))


def with_untried(decision: Decision, advice: Advice, rules: Ruleset) -> tuple[Decision, ...]:
    """Return copies of a decision; in each, the action is a bid that the coach has not tried.

    The bids, `CANDIDATES` at most, are the two lowest legal bids, and bids near the best and the
    player's own in the ladder. Empty if the player may not bid.
    """
    position, ladder = decision.position, rules.ladder
    if not position.may_bid:
        return ()
    tried = {item.key for item in advice.tried}
    first = ladder.first_above(position.standing)
    near = [first, first + 1]
    for item in (advice.best, advice.chosen):
        if item.key is not None:
            place = ladder.place(ladder.bid(item.key))
            near += [place + 1, place - 1, place + 2]
    keys = [ladder.at(place).key for place in dict.fromkeys(near) if first <= place < len(ladder)]
    return tuple(
        replace(decision, action=MakeBid(position.seat, key)) for key in keys if key not in tried
    )[:CANDIDATES]


@dataclass(frozen=True, slots=True)
class Parting:
    """A decision where most other players in the same position chose a different `action`.

    `others` is the number of other players who were in that position.
    """

    seq: int  # the action's number
    round: int
    others: int
    went: int  # how many of the others chose `action`
    action: MakeBid | Challenge


def partings(
    actions: Sequence[Action], seat: int, others: Iterable[Sequence[Action]], most: int = COSTLIEST
) -> tuple[Parting, ...]:
    """Return the decisions where most others in the same position chose the same other action.

    `others` are the logs of the other players of the same deal. A player is in the same
    position as long as their log equals `actions`. If there are more than `most` such
    decisions, keep those where the most people chose the other action. The result is in the
    match's order.
    """
    logs, rounds, all_partings = [tuple(log) for log in others], 0, []
    for at, action in enumerate(actions):
        rounds += isinstance(action, Deal)
        if isinstance(action, MakeBid | Challenge) and action.seat == seat:
            theirs = (log[at] for log in logs if at < len(log))
            chosen = Counter(act for act in theirs if isinstance(act, MakeBid | Challenge))
            for usual, went in chosen.most_common(1):
                if usual != action and 2 * went > chosen.total():
                    all_partings.append(Parting(at + 1, rounds, chosen.total(), went, usual))
        logs = [log for log in logs if at < len(log) and log[at] == action]
    largest = sorted(all_partings, key=lambda parting: (-parting.went, parting.seq))[:most]
    return tuple(sorted(largest, key=lambda parting: parting.seq))

"""Power over a match under way: who may make a player leave it, and who may end it.

Nobody who sits in a match has any over it, be they its host or a moderator: whoever could drop the
only opponent, or end the match after looking at their cards, would win at will. They can ask, and
another player's word decides. A moderator who does not play may do both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.tables import absence, plans, refusals
from bot.tables.live import LiveTable, may_manage
from bot.tables.records import Status
from bot.tables.requests import Ask
from engine.errors import NotInMatch
from engine.state import Match

THE_MATCH: Final = 0  # stands in a table's votes for the match itself: who asks to end it
FEWEST: Final = 2  # players who must ask to end a match, if so many are there


def drop(live: LiveTable, ask: Ask, player: int, now: int) -> plans.Plan:
    """Make `player` leave the match, or ask for it.

    Who is away may be dropped by the host or a moderator. Somebody who is there is dropped when
    two of the other players ask for it; with two people left it ends the match without a winner.
    Raises `NotHost`, `NotHere`, `Oneself`, `AlreadyAway`, `NotInMatch`.
    """
    match = _under_way(live)
    seat = match.seat_of(player)
    if seat is None or not match.seats[seat].live:
        raise refusals.NotHere(player)
    own = match.seat_of(ask.player)
    if own is None or absence.is_away(live.table, player):
        may_manage(live.table, ask.player, ask.moderator)
        return plans.drop(live, seat, now, ask.interaction_id)
    if not match.seats[own].live:
        raise NotInMatch(own)
    if player == ask.player:
        raise refusals.Oneself
    if len(absence.live_people(match)) < absence.FEWEST_TO_VOTE:
        may_manage(live.table, ask.player, ask.moderator)
        return plans.close(live, ask.interaction_id)
    asked = absence.voted(live.table, match, ask.player, player)
    if absence.is_away(asked, player):
        return plans.drop(replace(live, table=asked), seat, now, ask.interaction_id)
    return plans.attended(live, asked, ask.interaction_id)


def end(live: LiveTable, ask: Ask) -> plans.Plan:
    """End the match without a winner, or ask for it. Raises `NotHost`, `NotInMatch`.

    A player's own word is enough where no other person is there; where computer players are alone
    in it, that of whoever watches.
    """
    match = _under_way(live)
    own = match.seat_of(ask.player)
    if own is None:
        may_manage(live.table, ask.player, ask.moderator)
        return plans.close(live, ask.interaction_id)
    people = absence.live_people(match)
    if not match.seats[own].live and people:
        raise NotInMatch(own)
    there = {ask.player, *(one for one in people if not absence.is_away(live.table, one))}
    before = live.table.votes.get(THE_MATCH, ())
    asking = (*(one for one in before if one in people and one != ask.player), ask.player)
    if len(asking) >= min(FEWEST, len(there)):
        return plans.close(live, ask.interaction_id)
    asked = replace(live.table, votes={**live.table.votes, THE_MATCH: asking})
    return plans.attended(live, asked, ask.interaction_id)


def _under_way(live: LiveTable) -> Match:
    if live.match is None or live.table.status is not Status.PLAYING:
        raise refusals.NoTable
    return live.match

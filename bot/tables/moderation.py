"""Power over a match under way: who may make a player leave it, and who may end it.

Nobody who sits in a match has any over it, be they its host or a moderator: whoever could drop the
only opponent, or end the match after looking at their cards, would win at will. They can ask, and
another player's word decides; silence is no word, and neither is being away. A moderator who does
not play may do both. Before a match the host and moderators decide alone. All are plans, as those
of `plans` are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.tables import absence, errors, plans
from bot.tables.live import LiveTable, may_manage, with_left
from bot.tables.model import Change, Status
from bot.tables.requests import Ask, Moment
from engine.actions import Forfeit
from engine.errors import NotInMatch
from engine.state import Cause, Match

THE_MATCH: Final = 0  # stands in a table's votes for the match itself: who asks to end it
FEWEST: Final = 2  # players who must want a match to end, if so many people are left in it


def drop(live: LiveTable, ask: Ask, moment: Moment, player: int) -> plans.Plan:
    """Remove another from a lobby (host or moderator), make them leave a match, or ask for it.

    Who is away may be dropped by the host or a moderator. Somebody who is there is dropped when
    two of the other players ask for it; of two people left, one can only ask that the match end.
    Raises `NotHost`, `NotHere`, `Oneself`, `AlreadyAway`, `NotInMatch`.
    """
    if live.table.status is Status.LOBBY:
        may_manage(live.table, ask.player, ask.moderator)
        if player not in live.table.players:
            raise errors.NotHere(player)
        left = with_left(live.table, player)
        return replace(live, table=left), Change(left, ask.interaction_id)
    if live.match is None or live.table.status is not Status.PLAYING:
        raise errors.NotHere(player)
    match = live.match
    seat = match.seat_of(player)
    if seat is None or not match.seats[seat].live:
        raise errors.NotHere(player)
    own = match.seat_of(ask.player)
    if own is None or absence.is_away(live.table, player):
        may_manage(live.table, ask.player, ask.moderator)
        return plans.act(live, ask, moment, Forfeit(seat, Cause.DROPPED))
    if not match.seats[own].live:
        raise NotInMatch(own)
    if player == ask.player:
        raise errors.Oneself
    if len(absence.live_people(match)) < absence.FEWEST_TO_VOTE:
        return end(live, ask, moment)
    asked = absence.voted(live.table, match, ask.player, player)
    if absence.is_away(asked, player):
        live = replace(live, table=asked)
        return plans.act(live, ask, moment, Forfeit(seat, Cause.DROPPED))
    return plans.attended(live, ask, asked)


def end(live: LiveTable, ask: Ask, moment: Moment) -> plans.Plan:
    """End a lobby (host or moderator), a match without a winner, or ask for that.

    A player's own word is enough where no other person is left in the match; where computer
    players are alone in it, that of whoever watches. Who is away has agreed to nothing. Raises
    `NotHost`, `NotInMatch`, `NoTable`.
    """
    playing, match = live.table.status is Status.PLAYING, live.match
    own = match.seat_of(ask.player) if match is not None and playing else None
    if match is None or own is None:
        if live.table.status.live:
            may_manage(live.table, ask.player, ask.moderator)
        return plans.close(live, ask, moment)
    people = absence.live_people(match)
    if not match.seats[own].live and people:
        raise NotInMatch(own)
    before = live.table.votes.get(THE_MATCH, ())
    asking = (*(one for one in before if one in people and one != ask.player), ask.player)
    if len(asking) >= min(FEWEST, len(people)):
        return plans.close(live, ask, moment)
    asked = replace(live.table, votes={**live.table.votes, THE_MATCH: asking})
    return plans.attended(live, ask, asked)


def agree(live: LiveTable, ask: Ask, moment: Moment, match_id: int, about: int) -> plans.Plan:
    """Say yes to what was asked: that the player `about` leave, or that `THE_MATCH` end.

    Raises `MovedOn` if nobody asks that any more in this match, `NotSeated`, and as `drop` and
    `end`.
    """
    match = _match_asked_about(live, match_id, about)
    if match.seat_of(ask.player) is None and not ask.moderator:
        raise errors.NotSeated
    return end(live, ask, moment) if about == THE_MATCH else drop(live, ask, moment, about)


def refuse(live: LiveTable, ask: Ask, moment: Moment, match_id: int, about: int) -> plans.Plan:
    """Say no to it: the match goes on, and who was `about` to be dropped is there.

    Raises `MovedOn` as `agree`, `NotSeated`, `NotInMatch`, and `NotAsked` of
    whom it is not about.
    """
    match = _match_asked_about(live, match_id, about)
    seat = live.seat(ask.player)
    if not match.seats[seat].live:
        raise NotInMatch(seat)
    if about not in (THE_MATCH, ask.player):
        raise errors.NotAsked(about)
    votes = {one: said for one, said in live.table.votes.items() if one != about}
    answered = replace(live, table=replace(live.table, votes=votes))
    if absence.is_away(answered.table, ask.player):
        return plans.back(answered, ask, moment)
    return plans.attended(answered, ask, absence.returned(answered.table, ask.player))


def _match_asked_about(live: LiveTable, match_id: int, about: int) -> Match:
    """The match under way. Raises `MovedOn` unless something is asked `about` it or a player."""
    under_way = live.table.status is Status.PLAYING and live.table.match_id == match_id
    if live.match is None or not under_way or about not in live.table.votes:
        raise errors.MovedOn
    return live.match

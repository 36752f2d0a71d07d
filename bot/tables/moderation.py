"""Moderation of a match under way: who may make a player leave it, and who may end it.

A moderator who doesn't play may do both. A player may not, even as host or moderator: they could
win at will by dropping the only opponent, or by ending the match after a look at their cards. They
can ask, and another player's answer decides; a player who is silent or away has not answered. But a
host or moderator may drop a player who is away, and the only person left may end the match. Before
a match, the host and moderators decide. All functions here are plans like those of `plans`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.tables import absence, errors, plans
from bot.tables.live import LiveTable, may_manage, with_left
from bot.tables.model import Change, Status
from bot.tables.requests import Ask, Moment
from engine.actions import Forfeit
from engine.errors import MatchIsOver, NotInMatch
from engine.state import Cause, Match

THE_MATCH: Final = 0  # the key of votes to end the match, in `Table.votes`
FEWEST: Final = 2  # players who must agree to end a match, if at least that many people are left


def drop(live: LiveTable, ask: Ask, moment: Moment, player: int) -> plans.Plan:
    """Remove another player from a lobby or a match, or ask to remove them.

    In a lobby, only the host and moderators may remove players. In a match, they may remove a
    player who is away. If they don't play in it, they may remove anybody. A player who is
    present is removed when two others ask for it. With two people left, a player can only ask
    to end the match. Raises `NotHost`, `NotHere`, `Oneself`, `NotInMatch`.
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
    asker_seat = match.seat_of(ask.player)
    if asker_seat is None or absence.is_away(live.table, player):
        may_manage(live.table, ask.player, ask.moderator)
        return plans.act(live, ask, moment, Forfeit(seat, Cause.DROPPED))
    if not match.seats[asker_seat].live:
        raise NotInMatch(asker_seat)
    if player == ask.player:
        raise errors.Oneself
    if len(absence.live_people(match)) < absence.FEWEST_TO_VOTE:
        return end(live, ask, moment)
    voted = absence.add_vote(live.table, match, ask.player, player)
    if absence.is_away(voted, player):
        live = replace(live, table=voted)
        return plans.act(live, ask, moment, Forfeit(seat, Cause.DROPPED))
    return plans.update_presence(live, ask, voted)


def end(live: LiveTable, ask: Ask, moment: Moment) -> plans.Plan:
    """Close a lobby (host or moderator), end a match without a winner, or ask to end it.

    A host or moderator who doesn't play ends the match at once. One player's request is enough if
    no other person is left in the match. If only computer players are left, a player who is out may
    end the match. A player who is away doesn't count as agreeing. Raises `NotHost`, `NotInMatch`,
    `NoTable`, `MatchIsOver`.
    """
    playing, match = live.table.status is Status.PLAYING, live.match
    if match is not None and match.winner is not None:
        raise MatchIsOver(match.winner)
    asker_seat = match.seat_of(ask.player) if match is not None and playing else None
    if match is None or asker_seat is None:
        if live.table.status.live:
            may_manage(live.table, ask.player, ask.moderator)
        return plans.close(live, ask, moment)
    people = absence.live_people(match)
    if not match.seats[asker_seat].live and people:
        raise NotInMatch(asker_seat)
    before = live.table.votes.get(THE_MATCH, ())
    asking = (*(asker for asker in before if asker in people and asker != ask.player), ask.player)
    if len(asking) >= min(FEWEST, len(people)):
        return plans.close(live, ask, moment)
    requested = replace(live.table, votes={**live.table.votes, THE_MATCH: asking})
    return plans.update_presence(live, ask, requested)


def agree(live: LiveTable, ask: Ask, moment: Moment, match_id: int, about: int) -> plans.Plan:
    """Agree to a request: that the player `about` leave, or that `THE_MATCH` end.

    Raises `MovedOn` if no such request is open in this match, `NotSeated`, and what `drop` and
    `end` raise.
    """
    match = _match_asked_about(live, match_id, about)
    if match.seat_of(ask.player) is None and not ask.moderator:
        raise errors.NotSeated
    return end(live, ask, moment) if about == THE_MATCH else drop(live, ask, moment, about)


def refuse(live: LiveTable, ask: Ask, moment: Moment, match_id: int, about: int) -> plans.Plan:
    """Refuse a request that the player `about` leave, or that `THE_MATCH` end.

    The player who refuses counts as present. Raises `MovedOn` if no such request is open in
    this match, `NotSeated`, `NotInMatch`, and `NotAsked` if another player is asked to leave.
    """
    match = _match_asked_about(live, match_id, about)
    seat = live.seat(ask.player)
    if not match.seats[seat].live:
        raise NotInMatch(seat)
    if about not in (THE_MATCH, ask.player):
        raise errors.NotAsked(about)
    votes = {player: voters for player, voters in live.table.votes.items() if player != about}
    answered = replace(live, table=replace(live.table, votes=votes))
    if absence.is_away(answered.table, ask.player):
        return plans.back(answered, ask, moment)
    return plans.update_presence(answered, ask, absence.mark_present(answered.table, ask.player))


def _match_asked_about(live: LiveTable, match_id: int, about: int) -> Match:
    """Return the match under way.

    Raises `MovedOn` unless there is an open request about `about`: a player, or `THE_MATCH`.
    """
    under_way = live.table.status is Status.PLAYING and live.table.match_id == match_id
    if live.match is None or not under_way or about not in live.table.votes:
        raise errors.MovedOn
    return live.match

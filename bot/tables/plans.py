"""What a move would change: pure plans that `service` stores under a table's lock.

A plan is the table as it would be and the `Change` that stores it. It raises what the rules or the
table refuse, and touches neither the store nor the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from bot.tables import refusals
from bot.tables.live import LiveTable, advance, ending
from bot.tables.records import (
    Change,
    DeadlineKind,
    Ending,
    MatchStatus,
    Status,
    StoredAction,
    Table,
)
from bot.tables.requests import Ask, Limits, Place
from engine.actions import Action, Deal, Forfeit, to_json
from engine.errors import MatchIsOver, NotDealt, NotInMatch, NotYourTurn
from engine.play import legal
from engine.shuffle import VERSION as SHUFFLE_VERSION
from engine.shuffle import commitment, shuffle
from engine.state import Cause, Match, Phase

Plan = tuple[LiveTable, Change]


def act(live: LiveTable, action: Action, now: int, interaction_id: int | None) -> Plan:
    """Apply an action of the match; the one that ends it finishes the table too."""
    after = advance(live, action)
    stop = ending(after)
    if stop is not None and after.match is not None and after.match.winner is not None:
        winner = after.match.seats[after.match.winner].player
        finished = replace(after.table, status=Status.FINISHED, last_winner=winner)
        after = replace(after, table=finished)
    stored = _stored(after, action, now, interaction_id)
    return after, Change(after.table, interaction_id, actions=(stored,), ending=stop)


def deal(live: LiveTable, seed: bytes, now: int, interaction_id: int | None) -> Plan:
    """Deal the next round from `seed`, 32 secret bytes."""
    match = live.match
    if match is None or live.table.status is not Status.PLAYING or match.winner is not None:
        raise refusals.MovedOn
    shuffled = shuffle(seed, match.ruleset.deck.order, len(match.live))
    action = Deal(shuffled.order, commitment(seed), SHUFFLE_VERSION, shuffled.drawn)
    after = advance(live, action)
    number = match.round.number + 1 if match.round else 1
    after = replace(after, seeds={**live.seeds, number: seed})
    change = Change(
        after.table,
        interaction_id,
        actions=(_stored(after, action, now, interaction_id),),
        seeds=((number, seed),),
        deliveries=tuple((number, seat, match.seats[seat].player) for seat in match.live),
    )
    return after, change


def absence(live: LiveTable, now: int) -> Plan:
    """Whoever was to act has not, for too long: they forfeit."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        raise refusals.MovedOn
    return act(live, Forfeit(match.round.turn, Cause.ABSENT), now, None)


def overdue(
    live: LiveTable, kind: DeadlineKind | None, now: int, draw_seed: Callable[[], bytes]
) -> Plan:
    """Do what a deadline stands for; one of an unknown kind only gives way to a right one."""
    match kind:
        case DeadlineKind.NEXT_ROUND:
            return deal(live, draw_seed(), now, None)
        case DeadlineKind.TURN:
            return absence(live, now)
        case DeadlineKind.LOBBY:
            return close(live, None)
        case None:
            return live, Change(live.table)
        case _:
            assert_never(kind)


def close(live: LiveTable, interaction_id: int | None) -> Plan:
    """End a lobby, or a match without a winner. Raises `NoTable` if neither is there."""
    if not live.table.status.live:
        raise refusals.NoTable
    playing = live.table.status is Status.PLAYING
    closed = replace(live, table=replace(live.table, status=Status.CLOSED))
    stop = Ending(MatchStatus.ABANDONED) if playing else None
    return closed, Change(closed.table, interaction_id, ending=stop)


def timed(changed: Table, match: Match | None, limits: Limits, now: int) -> Table:
    """The table with the deadline that its state calls for."""
    kind = _next(changed, match)
    wait = limits.wait(kind) if kind is not None else None
    if wait is None:
        return replace(changed, deadline=None, deadline_kind=None)
    return replace(changed, deadline=now + wait, deadline_kind=kind)


def _next(table: Table, match: Match | None) -> DeadlineKind | None:
    """What will happen by itself to a table in this state."""
    if table.status is Status.LOBBY:
        return DeadlineKind.LOBBY
    if table.status is Status.PLAYING and match is not None:
        if match.phase is Phase.DEAL:
            return DeadlineKind.NEXT_ROUND
        if match.phase is Phase.BIDDING:
            return DeadlineKind.TURN
    return None


def check_current(live: LiveTable, ask: Ask) -> None:
    """Raises `MovedOn` if the request was drawn for another state, `MatchIsOver` after the end."""
    if ask.at is None:
        if live.match is not None and live.match.winner is not None:
            raise MatchIsOver(live.match.winner)
        return
    current = live.table.match_id == ask.at.match_id and live.match is not None
    if not current or live.match is None or live.match.seq != ask.at.seq:
        raise refusals.MovedOn


def check_place(live: LiveTable, place: Place) -> None:
    """Raises `MovedOn` for a forged control, or one of an older message."""
    if place.channel_id != live.table.channel_id:
        raise refusals.MovedOn
    # a newer message than the noted one was posted a moment ago
    if live.table.message_id is not None and place.message_id < live.table.message_id:
        raise refusals.MovedOn


def check_turn(live: LiveTable, seat: int) -> None:
    """Raises `NotYourTurn`, `NotInMatch` or `NotDealt` unless `seat` is the one to bid."""
    bidder = legal(live.match).bidder if live.match is not None else None
    if live.match is None or bidder is None:
        raise NotDealt
    if not live.match.seats[seat].live:
        raise NotInMatch(seat)
    if seat != bidder:
        raise NotYourTurn(seat, bidder)


def _stored(after: LiveTable, action: Action, now: int, interaction_id: int | None) -> StoredAction:
    seq = after.match.seq if after.match is not None else 0
    return StoredAction(seq, to_json(action), now, interaction_id)

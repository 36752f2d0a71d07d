"""The record of a match for statistics, made before the end of the match is stored.

A record takes the match's whole log and some hundred exact chances, so it is made in a thread,
before the transaction: no other move waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import structlog

from bot.roster import is_computer
from bot.settings.shards import NO_GUILD
from bot.stats.match_record import MatchRecord, read_match
from bot.tables import errors
from bot.tables.live import LiveTable, first_state, new_departures, results_of, states_of
from bot.tables.model import (
    Change,
    PlayerResult,
    Snapshot,
    StoredAction,
    StoredMatch,
)
from engine.actions import from_json

log = structlog.get_logger(__name__)


async def with_record(
    stored: Callable[[int], Awaitable[Snapshot | None]], live: LiveTable, change: Change
) -> Change:
    """Return the change with its match record, if it ends a match that counts.

    `stored` reads a table with its log (`SqlTables.snapshot`). If the record cannot be made now,
    leave it out, so that the match can end: `bluffhouse store rebuild` makes it from the log later.
    """
    stop = change.ending
    if stop is None or not stop.results or live.table.guild_id == NO_GUILD:
        return change
    if any(is_computer(result.player) for result in stop.results):
        return change
    try:
        snapshot = await stored(live.table.id)
        if snapshot is None or snapshot.table.version != live.table.version:
            return change  # another process has changed the table: the commit will be refused
        match = snapshot.match
        if match is None or match.id != change.table.match_id:
            return change
        actions = (*match.actions, *change.actions)
        record = await asyncio.to_thread(_read, match, actions, stop.results)
    except errors.StoreUnavailable:
        return change  # the commit will raise the error
    except Exception:
        log.exception("records: a match could not be read", table=live.table.id)
        return change
    return replace(change, ending=replace(stop, record=record))


def record_of(match: StoredMatch) -> MatchRecord | None:
    """Return a match's record, from its log only; None if it doesn't count."""
    if any(is_computer(player) for player in match.players):
        return None
    states = states_of(match)
    departures = [
        departure
        for before, after in pairwise(states)
        for departure in new_departures(before, after)
    ]
    return _read(match, match.actions, results_of(states[-1], departures))


def _read(
    match: StoredMatch, actions: Sequence[StoredAction], results: Sequence[PlayerResult]
) -> MatchRecord | None:
    played = ((from_json(stored.body), stored.by_house) for stored in actions)
    places = {result.player: result.place for result in results}
    return read_match(match.id, first_state(match), played, places)

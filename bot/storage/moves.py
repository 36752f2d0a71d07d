"""What a move adds to its match, inside the move's transaction."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.prepared import Writer
from bot.storage.records import record_match
from bot.tables.records import Change, Delivery, Ending, MatchStatus, NewMatch, StoredAction, Table

_NEW_MATCH: Final = insert(schema.matches).returning(schema.matches.c.id)
_END_MATCH: Final = update(schema.matches).where(schema.matches.c.id == bindparam("match"))
_ACTIONS: Final = insert(schema.actions)
_SEEDS: Final = insert(schema.round_seeds)
_DELIVERIES: Final = insert(schema.deliveries)
_RESULTS: Final = insert(schema.results)


async def new_match(connection: AsyncConnection, match: NewMatch, table: Table) -> int:
    """Store a match of `table`, begun now, and return its id."""
    stored = {
        "table_id": table.id,
        "variant": match.variant,
        "variant_version": match.variant_version,
        "options": match.options,
        "players": list(match.players),
        "opener": match.opener,
        "status": MatchStatus.PLAYING.value,
        "started_at": table.updated_at,
    }
    return int((await connection.execute(_NEW_MATCH, stored)).scalar_one())


async def add_to_match(writer: Writer, change: Change, table: Table, length: int) -> None:
    """Append the change's actions to a log of `length`, with its seeds and deliveries.

    Raises ValueError if the log would have a gap, or one interaction two actions.
    """
    match_id = table.match_id
    if not (change.actions or change.seeds or change.deliveries or change.ending):
        return
    if match_id is None:
        raise ValueError("actions, seeds, deliveries and an ending need a match")
    _check_log(change.actions, length)
    for statement, rows in (
        (_ACTIONS, [_action(match_id, action) for action in change.actions]),
        (_SEEDS, [_seed(match_id, number, seed) for number, seed in change.seeds]),
        (_DELIVERIES, [_delivery(match_id, *delivery) for delivery in change.deliveries]),
    ):
        if rows:
            await writer.execute(statement, rows)


def _check_log(actions: tuple[StoredAction, ...], length: int) -> None:
    if [action.seq for action in actions] != list(range(length + 1, length + 1 + len(actions))):
        raise ValueError(f"the log has {length} actions; the next must follow without a gap")
    carried = [action.interaction_id for action in actions if action.interaction_id is not None]
    if len(carried) != len(set(carried)):
        raise ValueError("of the actions of one interaction only one may carry its id")


def _action(match_id: int, action: StoredAction) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "seq": action.seq,
        "schema": action.body["v"],
        "body": action.body,
        "at": action.at,
        "interaction_id": action.interaction_id,
        "by_house": action.by_house,
    }


def _seed(match_id: int, number: int, seed: bytes) -> dict[str, Any]:
    return {"match_id": match_id, "round": number, "seed": seed}


def _delivery(match_id: int, number: int, seat: int, player: int) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "round": number,
        "seat": seat,
        "player": player,
        "state": Delivery.PENDING.value,
    }


async def end_match(connection: AsyncConnection, ending: Ending, table: Table) -> None:
    """Note how the match of `table` ended just now, for its players' records too."""
    match_id, now = table.match_id, table.updated_at
    ended = {"match": match_id, "status": ending.status.value, "ended_at": now}
    await connection.execute(_END_MATCH, ended)
    if ending.results:
        await connection.execute(
            _RESULTS,
            [
                {
                    "match_id": match_id,
                    "player": result.player,
                    "place": result.place,
                    "rounds": result.rounds,
                }
                for result in ending.results
            ],
        )
    if ending.record is not None:
        await record_match(connection, table.guild_id, ending.record, now)

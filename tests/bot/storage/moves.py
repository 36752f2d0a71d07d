"""Changes to store, as the tables make them: a lobby, the start of a match, a move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.storage.store import SqlStore
from bot.tables.model import Change, NewMatch, Status, StoredAction, StoredMatch, Table

ANN, BOB, CLEO = 1001, 1002, 1003
GUILD, CHANNEL = 2**63 - 1, 2**62 + 3  # as large as a snowflake can be
NOW = 1_790_000_000_000
RULES: dict[str, Any] = {"jokers": 2, "middle_hand": False, "challengers": "anyone"}


def lobby(**kwargs: Any) -> Table:
    """Return a lobby as the service passes it to the store; `kwargs` replace its fields."""
    chosen: dict[str, Any] = {
        "id": 0,
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "host_id": ANN,
        "status": Status.LOBBY,
        "variant": "liars_poker",
        "options": RULES,
        "players": (ANN, BOB),
        "version": 1,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Table(**(chosen | kwargs))


def next_version(table: Table, **kwargs: Any) -> Table:
    """Return the table a second later, with its version one higher; `kwargs` replace its fields."""
    return replace(
        table, **({"version": table.version + 1, "updated_at": table.updated_at + 1000} | kwargs)
    )


def action(seq: int, interaction_id: int | None = None) -> StoredAction:
    """Return the action number `seq` of a match's log, a bid that depends on the number."""
    body = {"v": 1, "kind": "bid", "seat": seq % 2, "bid": f"pair:{seq}"}
    return StoredAction(seq, body, NOW + seq, interaction_id)


def first_deal(table: Table, interaction_id: int | None = None) -> Change:
    """Return the change that starts a match: its first action, its seed and its deliveries."""
    return Change(
        next_version(table, status=Status.PLAYING, match_id=None),
        interaction_id,
        NewMatch("liars_poker", 1, RULES, table.players, None),
        (action(1, interaction_id),),
        ((1, b"\x00\xff" * 16),),
        tuple((1, seat, player) for seat, player in enumerate(table.players)),
    )


def move(table: Table, seq: int, interaction_id: int | None = None) -> Change:
    """Return the change that appends the action number `seq`."""
    return Change(next_version(table), interaction_id, actions=(action(seq, interaction_id),))


async def playing(store: SqlStore, **kwargs: Any) -> Table:
    """Store a table with a match of one action; return the table."""
    return await store.tables.commit(first_deal(await store.tables.open(lobby(**kwargs), None)))


async def stored_match(store: SqlStore, table: Table) -> StoredMatch:
    snapshot = await store.tables.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.match is not None
    return snapshot.match

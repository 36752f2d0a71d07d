"""Find out whether a change was stored if the store did not answer.

PostgreSQL may lose the connection after it was told to commit and before it has answered. Then the
change may be stored or not. So the change is sent to the store again, which stores each change only
once. If that gets no answer either, the outcome stays unknown, and `MaybeStored` is raised.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final, TypeVar

import structlog

from bot.retry import RetryPolicy
from bot.storage.store import SqlStore
from bot.tables import errors
from bot.tables.model import Change, Table

log = structlog.get_logger(__name__)
T = TypeVar("T")
RETRY: Final = RetryPolicy(first=0.1, longest=2.0, factor=5.0, retries=3)


async def ask_again(request: Callable[[], Awaitable[T]]) -> T:
    """Repeat a request that the store didn't answer, a few times if necessary; return its result.

    Raises `MaybeStored` if there is still no answer, and any other error of the request.
    """
    for pause in RETRY.pauses():
        await asyncio.sleep(pause)
        with contextlib.suppress(errors.StoreUnavailable):
            return await request()
    raise errors.MaybeStored


@contextlib.contextmanager
def perhaps_stored() -> Iterator[None]:
    """Turn `StoreUnavailable` into `MaybeStored`, since an earlier write may have been stored."""
    try:
        yield
    except errors.StoreUnavailable as error:
        raise errors.MaybeStored(str(error)) from error


async def stored_after_all(store: SqlStore, change: Change) -> Table | None:
    """Repeat a change; return the table as stored now, or None if the first try had stored it.

    Raises `Stale` if the change was not stored and no longer can be, `MaybeStored` if the outcome
    stays unknown.
    """
    try:
        return await ask_again(partial(store.tables.commit, change))
    except errors.Repeated:
        return None
    except errors.Stale:
        if change.interaction_id is not None:  # otherwise it would have been `Repeated`
            raise
        with perhaps_stored():
            snapshot = await store.tables.snapshot(change.table.id)
        if snapshot is not None and is_stored(change, snapshot.table):
            return None
        raise


def is_stored(change: Change, table: Table) -> bool:
    """Return whether the stored table's latest version was made by this change."""
    changed = change.table
    return (table.version, table.updated_at) == (changed.version, changed.updated_at)


async def open_table(store: SqlStore, table: Table, interaction_id: int | None) -> Table:
    """Store a new table and return it as stored; retry if the store doesn't answer.

    Raises what `SqlTables.open` raises, and `MaybeStored` if there is still no answer.
    """
    try:
        return await store.tables.open(table, interaction_id)
    except errors.MaybeStored:
        log.warning("store: no answer to a new table, asking again", channel=table.channel_id)
    try:
        return await ask_again(partial(store.tables.open, table, interaction_id))
    except (errors.Repeated, errors.ChannelHasTable):
        with perhaps_stored():
            stored = await store.tables.in_channel(table.channel_id)
        # no two tables have the same secret
        if stored is not None and stored.chain_root == table.chain_root:
            return stored
        raise

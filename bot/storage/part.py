"""The base class of the store's parts, and the decorators that make their methods transactions.

A part has methods `(self, c, ...)`. Decorated with `reads` or `writes`, each runs as one
transaction, and may raise `StoreUnavailable`. The store (`bot.storage.store`) has each part as an
attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache, wraps
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeVar

from sqlalchemy import Table, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from bot.settings.shards import NO_GUILD, ONE, PERSON, TABLE, Shards
from bot.storage.database import Database
from bot.storage.session import CHANNEL, payload
from bot.tables.quarantine import Quarantine


def upsert(
    c: Connection,
    table: Table,
    rows: list[dict[str, Any]],
    *,
    on_conflict: Literal["overwrite", "add", "keep"] = "overwrite",
) -> None:
    """Insert rows that have the same columns.

    `on_conflict` says what happens to a stored row with the same primary key: overwrite it, add the
    new row's numbers to its other columns, or keep it.
    """
    if rows:
        c.execute(_upsert(c.dialect.name, table, tuple(rows[0]), on_conflict), rows)


@cache
def _upsert(dialect: str, table: Table, names: tuple[str, ...], on_conflict: str) -> Any:
    """Return the SQL statement that `upsert` executes for rows with the columns `names`.

    `on_conflict` is as in `upsert`.
    """
    keys = [column.name for column in table.primary_key]
    inserted: Any = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    if on_conflict == "keep":
        return inserted.on_conflict_do_nothing(index_elements=keys)
    new = inserted.excluded
    changed = {
        name: new[name] if on_conflict == "overwrite" else table.c[name] + new[name]
        for name in names
        if name not in keys
    }
    return inserted.on_conflict_do_update(index_elements=keys, set_=changed)


_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")


class Part:
    """A part of the store over a database.

    `set_aside`: where unreadable rows are reported. `shards`: the shards whose tables this process
    serves. `me`: this process's name in notifications, by which it recognises its own.
    """

    def __init__(
        self, database: Database, set_aside: Quarantine, shards: Shards = ONE, me: str = ""
    ) -> None:
        self._database = database
        self._set_aside = set_aside
        self._shards = shards
        self._me = me

    def _needs_notice(self, guild_id: int) -> bool:
        """Return whether other processes must be notified when a server's tables change.

        False if this process serves the server, or is the bot's only process. With several
        processes, always True for practices (`NO_GUILD`).
        """
        is_ours = guild_id != NO_GUILD and self._shards.serves(guild_id)
        return not (is_ours or self._shards.whole)  # a single process has nobody to notify

    def _notify_of_table(self, c: Connection, table_id: int, guild_id: int) -> None:
        """Notify other processes, if needed, that a table changed, once the transaction commits."""
        if self._needs_notice(guild_id):
            self._notify(c, payload(self._me, TABLE, table_id, guild_id))

    def _notify_of_person(self, c: Connection, player: int) -> None:
        """Notify other processes that a person's stored data changed or was deleted."""
        self._notify(c, payload(self._me, PERSON, player))

    def _notify(self, c: Connection, message: str) -> None:
        if not self._shards.whole:  # a single process has nobody to notify
            c.execute(_NOTIFY, {"channel": CHANNEL, "said": message})


Given = ParamSpec("Given")
Self = TypeVar("Self", bound=Part)
Value = TypeVar("Value")


def _transaction(
    how: str,
) -> Callable[
    [Callable[Concatenate[Self, Connection, Given], Value]],
    Callable[Concatenate[Self, Given], Coroutine[Any, Any, Value]],
]:
    """Return a decorator that turns a method `(self, c, ...)` into an awaitable transaction.

    `how`: the name of the `Database` method that runs the transaction.
    """

    def decorate(
        work: Callable[Concatenate[Self, Connection, Given], Value],
    ) -> Callable[Concatenate[Self, Given], Coroutine[Any, Any, Value]]:
        @wraps(work)
        async def run(self: Self, /, *args: Given.args, **kwargs: Given.kwargs) -> Value:
            do = getattr(self._database, how)
            value: Value = await do(lambda c: work(self, c, *args, **kwargs))
            return value

        return run

    return decorate


reads: Final = _transaction("read")
writes: Final = _transaction("write")  # everything is stored when it returns
# for methods that execute exactly one statement
reads_one: Final = _transaction("read_one")
writes_one: Final = _transaction("write_one")

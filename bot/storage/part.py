"""What every part of the store is: transactions as methods, and what other processes hear of them.

A part is a class of methods `(self, c, ...)`, each one transaction by `reads` or `writes`; the
store (`bot.storage.store`) has one of each by name. What a method is for is said by the protocol
that the part is made for, such as `bot.tables.ports.TableStore`.
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
    stored: Literal["goes", "grows", "stays"] = "goes",
) -> None:
    """Insert rows that have the same columns.

    What becomes of a `stored` one with the same primary key: it is overwritten, its other columns
    (all numbers) grow by the row's, or it stays as it is.
    """
    if rows:
        c.execute(_upsert(c.dialect.name, table, tuple(rows[0]), stored), rows)


@cache
def _upsert(dialect: str, table: Table, names: tuple[str, ...], stored: str) -> Any:
    """The statement of `upsert` for rows that have columns of these `names`."""
    keys = [column.name for column in table.primary_key]
    inserted: Any = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    if stored == "stays":
        return inserted.on_conflict_do_nothing(index_elements=keys)
    new = inserted.excluded
    changed = {
        name: new[name] if stored == "goes" else table.c[name] + new[name]
        for name in names
        if name not in keys
    }
    return inserted.on_conflict_do_update(index_elements=keys, set_=changed)


_NOTIFY: Final = text("SELECT pg_notify(:channel, :said)")


class Part:
    """A part of the store over a database.

    `set_aside`: where rows that cannot be read are named. `shards`: whose tables are this
    process's. `me`: its name among those of one database, so that it does not listen to itself.
    """

    def __init__(
        self, database: Database, set_aside: Quarantine, shards: Shards = ONE, me: str = ""
    ) -> None:
        self._database = database
        self._set_aside = set_aside
        self._shards = shards
        self._me = me

    def _is_told(self, guild_id: int) -> bool:
        """Whether others are to hear of a server's tables.

        What a server's own process does at its tables is nobody else's affair.
        """
        alone = guild_id != NO_GUILD and self._shards.serves(guild_id)
        return not (alone or self._shards.whole)  # one process alone tells nobody

    def _tell_of_table(self, c: Connection, table_id: int, guild_id: int) -> None:
        """Have others hear that a table moved on, when the transaction is stored."""
        if self._is_told(guild_id):
            self._tell(c, payload(self._me, TABLE, table_id, guild_id))

    def _tell_of_person(self, c: Connection, player: int) -> None:
        """Have others hear that what is stored of somebody has changed, or is not any more."""
        self._tell(c, payload(self._me, PERSON, player))

    def _tell(self, c: Connection, said: str) -> None:
        if not self._shards.whole:  # one process alone tells nobody
            c.execute(_NOTIFY, {"channel": CHANNEL, "said": said})


Given = ParamSpec("Given")
Self = TypeVar("Self", bound=Part)
Told = TypeVar("Told")


def _transaction(
    how: str,
) -> Callable[
    [Callable[Concatenate[Self, Connection, Given], Told]],
    Callable[Concatenate[Self, Given], Coroutine[Any, Any, Told]],
]:
    """What makes a method `(self, c, ...)` of a part a transaction of that kind, to be awaited."""

    def made(
        work: Callable[Concatenate[Self, Connection, Given], Told],
    ) -> Callable[Concatenate[Self, Given], Coroutine[Any, Any, Told]]:
        @wraps(work)
        async def asked(self: Self, /, *args: Given.args, **more: Given.kwargs) -> Told:
            do = getattr(self._database, how)
            value: Told = await do(lambda c: work(self, c, *args, **more))
            return value

        return asked

    return made


reads: Final = _transaction("read")
writes: Final = _transaction("write")  # what it does is stored whole when it returns
# of methods that execute exactly one statement
reads_one: Final = _transaction("read_one")
writes_one: Final = _transaction("write_one")

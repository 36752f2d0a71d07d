"""Addresses of databases, as hosts write them, read for the drivers that are used here."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url

from bot.storage import NotReached

_OPTIONS: Final = {"host", "passfile", "port", "ssl", "target_session_attrs"}


def database_url(text: str) -> URL:
    """The URL with the driver that is used here: aiosqlite or asyncpg. Raises `NotReached`."""
    kind, _, rest = text.partition("://")
    if kind.split("+")[0] == "sqlite" and rest.startswith("/"):  # a path may hold a question mark
        url: URL | None = URL.create("sqlite", database=rest[1:] or None)
    else:
        try:
            url = make_url(text)
        except Exception:
            url = None
    drivers = {"sqlite": "aiosqlite", "postgresql": "asyncpg", "postgres": "asyncpg"}
    kind = url.drivername.split("+")[0] if url else ""
    if url is None or kind not in drivers:
        raise NotReached(
            "this is no address of a database that is understood here; "
            "expected e.g. sqlite:///data/bluffhouse.db or postgresql://user@localhost/bluffhouse"
        )
    if drivers[kind] == "asyncpg":
        if rest.partition("?")[0].count("@") > 1:  # a part of the password would be the host's name
            raise NotReached(
                "the address of the database has several @; in a user or a password write %40"
            )
        return _of_postgres(url)
    if url.database in (None, "", ":memory:"):
        raise NotReached("the database must be a file, e.g. sqlite:///data/bluffhouse.db")
    return url.set(drivername="sqlite+aiosqlite")


def _of_postgres(url: URL) -> URL:
    """An address for asyncpg, which calls libpq's sslmode otherwise. Raises `NotReached`."""
    if find_spec("asyncpg") is None:
        raise NotReached(
            "PostgreSQL needs asyncpg, which is not installed: the locked requirements have it"
            " (make install)"
        )
    if url.port is not None and not 0 < url.port < 65_536:
        raise NotReached(f"the address of the database has port {url.port}; the last is 65535")
    given = dict(url.query)
    if "sslmode" in given:
        given["ssl"] = given.pop("sslmode")
    unknown = sorted(given.keys() - _OPTIONS)
    if unknown:
        raise NotReached(
            f"the address of the database has the option {unknown[0]}, which is not known here;"
            f" known are {', '.join(sorted(_OPTIONS))} and sslmode"
        )
    return url.set(drivername="postgresql+asyncpg", query=given)


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None

"""Addresses of databases, as hosts write them, and why a database cannot be used.

What its driver says, and what a host can do, is one sentence. What may pass by itself is a
`NotAnswering` (PostgreSQL), a `DatabaseInUse` or a `NoRoom`; whatever else stays as it is until
somebody mends it.
"""

from __future__ import annotations

import errno
import re
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.settings.paths import NO_ROOM, expand_path
from bot.storage import (
    DatabaseDamaged,
    DatabaseInUse,
    NoRoom,
    NotAnswering,
    NotReached,
    StorageError,
)

# SQLite's own addresses: one can switch its locks off, or keep everything in memory
_URI: Final = re.compile(
    r"\s*(file|sqlite):|.*:memory:"
    r"|.*[?&](nolock|mode|cache|immutable|vfs|psow|uri|timeout|check_same_thread)=",
    re.IGNORECASE | re.DOTALL,
)
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
            "that isn't a database address; expected e.g. sqlite:///data/bluffhouse.db or"
            " postgresql://user@localhost/bluffhouse"
        )
    if drivers[kind] == "asyncpg":
        if rest.partition("?")[0].count("@") > 1:  # a part of the password would be the host's name
            raise NotReached(
                "the database address has several @; write %40 for one in a user or password"
            )
        return _of_postgres(url)
    if not url.database or _URI.match(url.database):
        raise NotReached(
            "the database must be a file on this machine, given as a plain path such as"
            " /var/lib/bluffhouse/bluffhouse.db: not in memory, and without SQLite options"
            " (file:, ?nolock=1)"
        )
    try:
        path = expand_path(url.database)
    except ValueError as error:
        raise NotReached(f"the path of the database {error}; it is {url.database!r:.80}") from None
    return url.set(drivername="sqlite+aiosqlite", database=path)


def _of_postgres(url: URL) -> URL:
    """An address for asyncpg, which calls libpq's sslmode otherwise. Raises `NotReached`."""
    if find_spec("asyncpg") is None:
        raise NotReached(
            "PostgreSQL needs asyncpg, which isn't installed: install the locked requirements"
            " (make install)"
        )
    if url.port is not None and not 0 < url.port < 65_536:
        raise NotReached(f"the database address has port {url.port}, but ports end at 65535")
    given = dict(url.query)
    if "sslmode" in given:
        given["ssl"] = given.pop("sslmode")
    unknown = sorted(given.keys() - _OPTIONS)
    if unknown:
        raise NotReached(
            f"the database address has an unknown option, {unknown[0]};"
            f" known are {', '.join(sorted(_OPTIONS))} and sslmode"
        )
    return url.set(drivername="postgresql+asyncpg", query=given)


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


# PostgreSQL's classes of errors: connection, a standby (while another takes over), resources, an
# operator's intervention ("starting up")
_PASSING: Final = ("08", "25006", "53", "57")
_TO_DO: Final = (  # by how PostgreSQL's code of an error begins
    ("28", "check the user and password in its address"),
    ("3D000", "create that database first (createdb), or check the name in its address"),
    ("42501", "make its user the owner of the database, or give them the rights to its schema"),
    ("25006", "it's read-only: name the server that takes writes"),
    ("53300", "lower database.pool_size, or raise the server's max_connections"),
    ("53100", "free some room on its disk"),
)
_POOLED: Final = (
    "it's behind a pooler such as PgBouncer: also set database.direct_url to the same database"
    " without the pooler"
)
# SQLite's "disk I/O error" in a write, a sync or a truncation; it doesn't say more
_WRITING: Final = (778, 1034, 1290, 1546, 4874)
_CLOSED: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


def reason(where: object, error: BaseException, *, server: bool) -> StorageError:
    """What an error on the way to a database means. `where`: its file, or where its server is."""
    return _of_server(where, error) if server else _of_file(where, error)


def _error_text(error: BaseException) -> str:
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def _of_file(where: object, error: BaseException) -> StorageError:
    said, number = _error_text(error), getattr(error, "errno", None)
    sentence = f"the database {where} cannot be used: {said}"
    if "not a database" in said or "malformed" in said:
        return DatabaseDamaged(
            f"{where} is damaged ({said}): nothing was changed; restore a backup"
        )
    if has_no_room(error):
        return NoRoom(f"{sentence}; {make_room(error)}")
    if "is locked" in said:
        return DatabaseInUse(f"{sentence} by another program; end that one first")
    if "already exists" in said:
        return not_ours(where, said)
    if "readonly" in said or number in _CLOSED:
        return NotReached(f"{sentence}; this user must be able to write it and its folder")
    if number == errno.EISDIR:
        return NotReached(f"{sentence}; expected a file, e.g. {where}/bluffhouse.db")
    return NotReached(f"{sentence}; look at database.path")


def has_no_room(error: BaseException) -> bool:
    """Return whether a file could not be written for lack of room, or by a disk that fails."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if getattr(error, "errno", None) in NO_ROOM or "is full" in str(error):
        return True
    return getattr(error, "sqlite_errorcode", None) in _WRITING


def make_room(error: BaseException) -> str:
    """Return what a host can do where `has_no_room`."""
    said = _error_text(error)
    if "I/O error" in said or "too large" in said:
        return "check that its disk works and has room, and that files may grow (ulimit -f)"
    return "free some room on its disk"


def _of_server(where: object, error: BaseException) -> StorageError:
    said = _error_text(error)
    given = (error.orig or error) if isinstance(error, DBAPIError) else error
    state = getattr(given, "sqlstate", None) or ""
    sentence = f"the database {where} cannot be used: {said}"
    if "unsupported startup parameter" in said or "prepared statement" in said:
        return NotReached(f"{sentence}; {_POOLED}")
    if state == "42P07":
        return not_ours(where, said)
    if "rejected SSL" in said:
        return NotReached(f"{sentence}; leave ssl out of its address, or set TLS up in the server")
    advice = next((what for begins, what in _TO_DO if state.startswith(begins)), "")
    if not advice and isinstance(given, (OSError, PoolTimeout)):
        host = isinstance(given, socket.gaierror)
        advice = "check the host in its address" if host else "check that PostgreSQL is running"
    if advice:
        sentence = f"{sentence}; {advice}"
    return (NotAnswering if _passing(error, state) else NotReached)(sentence)


def not_ours(where: object, said: str) -> NotReached:
    """Return the refusal of another program's tables, or a newer version's around a backup."""
    return NotReached(
        f"{where} already holds other tables ({said}), so nothing was changed; name an empty"
        " database, to restore a backup too"
    )


def _passing(error: BaseException, state: str) -> bool:
    """Whether PostgreSQL may be there in a moment; a wrong password or name stays wrong."""
    if state:
        return state.startswith(_PASSING)
    if isinstance(error, DBAPIError):
        return error.connection_invalidated
    return isinstance(error, (OSError, PoolTimeout))  # nobody listens, or nobody answers

"""Parse database addresses, and explain errors of a database to the person who runs the bot.

Each error is one sentence with the driver's reason and what to do. `NotAnswering` (PostgreSQL),
`DatabaseInUse` and `NoRoom` may go away by themselves. All other errors last until somebody fixes
the cause.
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

# SQLite's own URIs, which can switch off its locks or keep everything in memory
_URI: Final = re.compile(
    r"\s*(file|sqlite):|.*:memory:"
    r"|.*[?&](nolock|mode|cache|immutable|vfs|psow|uri|timeout|check_same_thread)=",
    re.IGNORECASE | re.DOTALL,
)
_OPTIONS: Final = {"host", "passfile", "port", "ssl", "target_session_attrs"}


def database_url(text: str) -> URL:
    """Parse a database address into an SQLAlchemy URL with the driver aiosqlite or asyncpg.

    Raises `NotReached` if the address can't be used.
    """
    kind, _, location = text.partition("://")
    if kind.split("+")[0] == "sqlite" and location.startswith(
        "/"
    ):  # a path may hold a question mark
        url: URL | None = URL.create("sqlite", database=location[1:] or None)
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
        if (
            location.partition("?")[0].count("@") > 1
        ):  # otherwise part of the password would be taken for the host
            raise NotReached(
                "the database address has several @; write %40 for one in a user or password"
            )
        return _postgres_url(url)
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


def _postgres_url(url: URL) -> URL:
    """Return the URL for asyncpg, with the option `sslmode` renamed to `ssl`.

    Raises `NotReached` for an unknown option or a wrong port, or if asyncpg isn't installed.
    """
    if find_spec("asyncpg") is None:
        raise NotReached(
            "PostgreSQL needs asyncpg, which isn't installed: install the locked requirements"
            " (make install)"
        )
    if url.port is not None and not 0 < url.port < 65_536:
        raise NotReached(f"the database address has port {url.port}, but ports end at 65535")
    options = dict(url.query)
    if "sslmode" in options:
        options["ssl"] = options.pop("sslmode")
    unknown = sorted(options.keys() - _OPTIONS)
    if unknown:
        raise NotReached(
            f"the database address has an unknown option, {unknown[0]};"
            f" known are {', '.join(sorted(_OPTIONS))} and sslmode"
        )
    return url.set(drivername="postgresql+asyncpg", query=options)


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


# PostgreSQL's error classes that may go away: connection, read-only standby (during a failover),
# resources, operator intervention ("starting up")
_PASSING: Final = ("08", "25006", "53", "57")
_TO_DO: Final = (  # advice, by the first characters of PostgreSQL's error code
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
# SQLite's "disk I/O error" while writing, syncing or truncating; it gives no detail
_WRITING: Final = (778, 1034, 1290, 1546, 4874)
_CLOSED: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


def storage_error(where: object, error: BaseException, *, server: bool) -> StorageError:
    """Return the `StorageError` that describes an error of the driver or the operating system.

    `where`: the file, or the server's address. `server`: whether the database is PostgreSQL.
    """
    return _server_error(where, error) if server else _file_error(where, error)


def _error_text(error: BaseException) -> str:
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def _file_error(where: object, error: BaseException) -> StorageError:
    detail, number = _error_text(error), getattr(error, "errno", None)
    sentence = f"the database {where} cannot be used: {detail}"
    if "not a database" in detail or "malformed" in detail:
        return DatabaseDamaged(
            f"{where} is damaged ({detail}): nothing was changed; restore a backup"
        )
    if has_no_room(error):
        return NoRoom(f"{sentence}; {advise_room(error)}")
    if "is locked" in detail:
        return DatabaseInUse(f"{sentence} by another program; end that one first")
    if "already exists" in detail:
        return foreign_tables_error(where, detail)
    if "readonly" in detail or number in _CLOSED:
        return NotReached(f"{sentence}; this user must be able to write it and its folder")
    if number == errno.EISDIR:
        return NotReached(f"{sentence}; expected a file, e.g. {where}/bluffhouse.db")
    return NotReached(f"{sentence}; look at database.path")


def has_no_room(error: BaseException) -> bool:
    """Return whether the disk is full or failing, or a file may not grow any further."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    if getattr(error, "errno", None) in NO_ROOM or "is full" in str(error):
        return True
    return getattr(error, "sqlite_errorcode", None) in _WRITING


def advise_room(error: BaseException) -> str:
    """Return advice for the host about an error for which `has_no_room` is true."""
    detail = _error_text(error)
    if "I/O error" in detail or "too large" in detail:
        return "check that its disk works and has room, and that files may grow (ulimit -f)"
    return "free some room on its disk"


def _server_error(where: object, error: BaseException) -> StorageError:
    detail = _error_text(error)
    cause = (error.orig or error) if isinstance(error, DBAPIError) else error
    state = getattr(cause, "sqlstate", None) or ""
    sentence = f"the database {where} cannot be used: {detail}"
    if "unsupported startup parameter" in detail or "prepared statement" in detail:
        return NotReached(f"{sentence}; {_POOLED}")
    if state == "42P07":
        return foreign_tables_error(where, detail)
    if "rejected SSL" in detail:
        return NotReached(f"{sentence}; leave ssl out of its address, or set TLS up in the server")
    advice = next((step for begins, step in _TO_DO if state.startswith(begins)), "")
    if not advice and isinstance(cause, (OSError, PoolTimeout)):
        host = isinstance(cause, socket.gaierror)
        advice = "check the host in its address" if host else "check that PostgreSQL is running"
    if advice:
        sentence = f"{sentence}; {advice}"
    return (NotAnswering if _may_pass(error, state) else NotReached)(sentence)


def foreign_tables_error(where: object, detail: str) -> NotReached:
    """Return the error for a database that already holds other tables.

    `where`: the database, as shown to people. `detail`: how the tables were noticed, as text.
    """
    return NotReached(
        f"{where} already holds other tables ({detail}), so nothing was changed; name an empty"
        " database, to restore a backup too"
    )


def _may_pass(error: BaseException, state: str) -> bool:
    """Return whether PostgreSQL's error may go away by itself. A wrong password doesn't.

    `state`: PostgreSQL's error code (SQLSTATE), or "".
    """
    if state:
        return state.startswith(_PASSING)
    if isinstance(error, DBAPIError):
        return error.connection_invalidated
    return isinstance(error, (OSError, PoolTimeout))  # connection refused, or no answer

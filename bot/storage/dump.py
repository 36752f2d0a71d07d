"""A copy of a PostgreSQL database by its own `pg_dump`, and of either engine by one name."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL

from bot.storage import DatabaseDamaged, NoSuchCopy, StorageError
from bot.storage.addresses import database_url, file_of
from bot.storage.backup import copy_database, flush, not_copied
from bot.storage.files import make_folder, make_own, sync_folder

MAGIC: Final = b"PGDMP"  # how pg_dump's own format begins


def ending(address: str) -> str:
    """How the name of a copy of this database ends: "db" for SQLite, "dump" for PostgreSQL."""
    return "dump" if file_of(database_url(address)) is None else "db"


def copy_of(address: str, target: Path) -> None:
    """Copy a database to `target` and check the copy, while it is in use. Raises `StorageError`."""
    url = database_url(address)
    file = file_of(url)
    if file is not None:
        copy_database(file, target)
    else:
        _dump(url, target)


def _dump(url: URL, target: Path) -> None:
    """PostgreSQL's own archive, which `pg_restore --clean --if-exists` reads back."""
    if target.is_dir():
        raise NoSuchCopy(f"{target} is a directory; expected a file, e.g. {target}/bluffhouse.dump")
    if target.exists() and target.read_bytes()[: len(MAGIC)] != MAGIC:
        raise NoSuchCopy(f"{target} exists and is no dump; it was left as it is")
    partial = target.with_name(target.name + ".partial")
    try:
        make_folder(target.parent)
        partial.unlink(missing_ok=True)
        make_own(partial)
        _run("pg_dump", url, "--format=custom", "--no-owner", f"--file={partial}")
        listed = _run("pg_restore", None, "--list", str(partial))
        if "TABLE DATA public actions" not in listed:
            raise DatabaseDamaged(
                f"the copy of the database lacks its matches; {target} was not made"
            )
        _run("pg_restore", None, f"--file={os.devnull}", str(partial))  # every row is read
        flush(partial)
        partial.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise not_copied(f"the database could not be copied to {target}", error) from error
    finally:
        partial.unlink(missing_ok=True)


def _run(program: str, url: URL | None, *arguments: str) -> str:
    """What one of PostgreSQL's programs prints. The password is in no command line."""
    found = shutil.which(program)
    if found is None:
        raise StorageError(
            f"{program} is not installed here: install PostgreSQL's client programs, of the"
            " server's version or newer, or run it where they are"
        )
    given = dict(os.environ)
    asked = list(arguments)
    if url is not None:
        given_here = dict(url.query)
        if "ssl" in given_here:  # as libpq calls it
            given_here["sslmode"] = given_here.pop("ssl")
        plain = url.set(drivername="postgresql", password=None, query=given_here)
        asked += ["--no-password", f"--dbname={plain.render_as_string(hide_password=False)}"]
        if url.password is not None:
            given["PGPASSWORD"] = str(url.password)
    done = subprocess.run([found, *asked], env=given, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise StorageError(f"{program} could not do it: {said}")
    return done.stdout

"""Code shared by the commands that read settings or open the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from bot.cli.output import TRY_LATER, refuse

if TYPE_CHECKING:
    from bot.settings.config import Settings
    from bot.storage.store import SqlStore

CONFIGURATION: Final = 78  # EX_CONFIG: a bad token or setting; a restart would not help
Done = TypeVar("Done")
config_option: Final = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The settings file; by default config.toml, if there is one.",
)


def chosen_settings(path: Path | None) -> Settings:
    """Return the settings from all sources, or print one sentence and exit with code 78."""
    from bot.settings.config import ConfigError, load

    try:
        return load(path)
    except ConfigError as error:
        raise refuse(str(error), CONFIGURATION) from None


def on_store(settings: Settings, work: Callable[[SqlStore], Awaitable[Done]]) -> Done:
    """Run `work` on the settings' database and return its result.

    The database is opened as for the bot: migrated, and for this process only. If it fails, print
    one sentence and exit with code 75 or 78.
    """
    import asyncio

    from bot.storage.store import SqlStore

    async def run() -> Done:
        store = await SqlStore.open(settings.database.straight)
        try:
            return await work(store)
        finally:
            await store.close()

    with refusing_storage():
        return asyncio.run(run())


@contextmanager
def refusing_storage(then: str = "try again") -> Iterator[None]:
    """If the block raises a database error, print one sentence and exit with code 75 or 78.

    `then`: the end of the sentence if the database was opened but fails.
    """
    from bot.storage import DatabaseInUse, NoRoom, NotAnswering, StorageError
    from bot.tables.errors import Damaged, StoreUnavailable

    try:
        yield
    except (Damaged, StoreUnavailable) as error:
        raise refuse(f"the database failed ({error}); {then}", TRY_LATER) from None
    except (DatabaseInUse, NoRoom, NotAnswering) as error:
        raise refuse(str(error), TRY_LATER) from None
    except StorageError as error:
        raise refuse(str(error), CONFIGURATION) from None

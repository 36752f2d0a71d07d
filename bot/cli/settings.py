"""What the commands that read settings or open the database share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli.failing import refuse

if TYPE_CHECKING:
    from bot.settings.config import Settings

CONFIGURATION: Final = 78  # EX_CONFIG: a bad token or setting; starting again would not help
TRY_LATER: Final = 75  # EX_TEMPFAIL: the database is in use or its disk full, Discord out of reach
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="The settings file; otherwise config.toml, if any."),
]


def chosen_settings(path: Path | None) -> Settings:
    """The settings from everywhere, or one sentence and exit code 78."""
    from bot.settings.config import ConfigError, load

    try:
        return load(path)
    except ConfigError as error:
        raise refuse(str(error), CONFIGURATION) from None


@contextmanager
def refusing_storage() -> Iterator[None]:
    """Turn a `StorageError` raised inside into its sentence and exit code 75 or 78."""
    from bot.storage import DatabaseInUse, NoRoom, NotAnswering, StorageError

    try:
        yield
    except (DatabaseInUse, NoRoom, NotAnswering) as error:
        raise refuse(str(error), TRY_LATER) from None
    except StorageError as error:
        raise refuse(str(error), CONFIGURATION) from None

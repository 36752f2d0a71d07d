"""`bluffhouse people ...`: a person's data, to export or delete at their request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import TRY_LATER, confirm, quote_input, refuse, write_file
from bot.cli.settings import (
    chosen_settings,
    config_option,
    on_store,
    refusing_storage,
)

if TYPE_CHECKING:
    from bot.privacy.results import Forgotten
    from bot.storage.store import SqlStore

EXAMPLE: Final = "81384788765712384"
SMALLEST: Final = 1 << 22  # the smallest id: Discord's ids hold the time above 22 bits
LARGEST: Final = 2**63 - 1


class DiscordId(click.ParamType[int]):
    """A person's Discord id, within the possible range."""

    name = "id"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Parse the number; refuse anything else."""
        text = str(value)
        if text.isascii() and text.isdigit() and len(text) < 20:
            number = int(text)
            if SMALLEST <= number <= LARGEST:
                return number
        raise refuse(
            f"{quote_input(text)} isn't a Discord id: expected the number from Copy User ID,"
            f" for example {EXAMPLE}"
        )


user_argument: Final = click.argument(
    "player", type=DiscordId(), metavar="USER", help=f"The person's Discord id, such as {EXAMPLE}."
)


@click.group()
def people() -> None:
    "People's data: export or delete it when they ask."


@people.command()
@user_argument
@click.argument(
    "file",
    type=click.Path(path_type=Path),
    required=False,
    help="Where to write the JSON; printed if left out.",
)
@config_option
def export(player: int, file: Path | None, config: Path | None) -> None:
    """Write everything stored about a person as JSON. The bot may be running.

    Only your own user can read the file. Give it only to that person.
    """
    import asyncio

    from bot.services.privacy import export as everything_of
    from bot.storage.store import open_to_read

    settings = chosen_settings(config)

    async def read() -> bytes:
        async with open_to_read(settings.database.straight) as store:
            return await everything_of(store.privacy, player)

    with refusing_storage():
        content = asyncio.run(read())
    if file is None:
        click.echo(content.decode(), nl=False)
        return
    say = f"Everything stored about {player} is in {file} ({len(content):,} bytes)."
    write_file(file, content, own=True, say=say)


@people.command()
@user_argument
@click.option("--yes", is_flag=True, help="Don't ask first.")
@config_option
def delete(player: int, yes: bool, config: Path | None) -> None:
    """Delete a person's data. A nameless player takes their place; the bot must be stopped."""
    from bot.storage.files import refuse_if_used
    from bot.tables.errors import StillSeated

    settings = chosen_settings(config)
    with refusing_storage():
        refuse_if_used(settings.database.straight)
    if not yes:
        question = (
            f"Delete all of {player}'s data? A nameless player takes their place."
            " You can't undo this."
        )
        if not confirm(question):
            raise refuse("nothing was deleted", 1)

    async def forget(store: SqlStore) -> Forgotten | None:
        outcome = await store.privacy.forget(player)
        await store.retention.rewrite_if_due()
        return outcome

    try:
        outcome = on_store(settings, forget)
    except StillSeated as error:
        raise refuse(
            f"{player} is playing at a live table in channel {error.channel} of server"
            f" {error.guild}: end that match with /leave there first; nothing was deleted",
            TRY_LATER,
        ) from None
    if outcome is None:
        click.echo(f"Nothing is stored about {player}.")
        return
    click.echo(
        f"Deleted. Matches where a nameless player now has their place: {outcome.matches};"
        f" practice matches deleted: {outcome.practices}."
    )
    if outcome.unread:
        click.echo(
            f"Can't be read, and may still hold words they typed: {', '.join(outcome.unread)}."
            " Their id is gone from there; look at these rows yourself."
        )
    click.echo(
        "Backups made before this still hold the data. Delete those you no longer need."
        if settings.database.url is None
        else "PostgreSQL keeps old rows until VACUUM; VACUUM FULL rewrites the tables without"
        " them. Backups and archived logs made before this still hold the data."
    )

"""`bluffhouse export-user` and `delete-user`: what a person may ask of whoever hosts the bot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli import app
from bot.cli.failing import refuse, shown
from bot.cli.settings import TRY_LATER, ConfigFile, chosen_settings, refusing_storage

if TYPE_CHECKING:
    from bot.privacy.ports import Forgotten

User = Annotated[str, typer.Argument(help="The person's Discord id, such as 81384788765712384.")]
EXAMPLE: Final = "81384788765712384"
SMALLEST: Final = 1 << 22  # Discord's ids hold the time above 22 bits
LARGEST: Final = 2**63 - 1


@app.command("export-user")
def export_user(
    user: User,
    file: Annotated[
        Path | None, typer.Argument(help="Where to write the JSON; otherwise it is printed.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Write everything stored of a person as JSON. The bot may be running.

    The file is for you alone; hand it to nobody but them.
    """
    import asyncio

    from bot.privacy.service import export
    from bot.storage.files import write_own
    from bot.storage.reading import opened_to_read

    player = person(user)
    settings = chosen_settings(config)

    async def read() -> bytes:
        async with opened_to_read(settings.database.straight) as store:
            return await export(store, player)

    with refusing_storage():
        content = asyncio.run(read())
    if file is None:
        typer.echo(content.decode(), nl=False)
        return
    try:
        write_own(file, content)
    except OSError as error:
        raise refuse(f"{file} cannot be written: {error.strerror}") from None
    typer.echo(f"Everything stored of {player} is in {file} ({len(content):,} bytes).")


@app.command("delete-user")
def delete_user(
    user: User,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    config: ConfigFile = None,
) -> None:
    """Delete a person's data. A nameless player takes their place; the bot must be stopped."""
    import asyncio

    from bot.storage.lockfile import look_unused
    from bot.storage.store import SqlStore
    from bot.tables.refusals import StillSeated

    player = person(user)
    settings = chosen_settings(config)
    with refusing_storage():
        look_unused(settings.database.straight)
    if not yes:
        asked = f"Delete all data of {player}? A nameless player takes their place. No way back."
        if not typer.confirm(asked):
            raise refuse("nothing was deleted", 1)

    async def forget() -> Forgotten | None:
        store = await SqlStore.open(settings.database.straight)
        try:
            done = await store.forget_person(player)
            await store.rewrite_if_due()
            return done
        finally:
            await store.close()

    with refusing_storage():
        try:
            done = asyncio.run(forget())
        except StillSeated as error:
            raise refuse(
                f"{player} plays at a live table in channel {error.channel} of server"
                f" {error.guild}: end that match with /leave there first; nothing was deleted",
                TRY_LATER,
            ) from None
    if done is None:
        typer.echo(f"Nothing is stored of {player}.")
        return
    typer.echo(
        f"Deleted. Matches in which a nameless player has their place now: {done.matches};"
        f" practice matches deleted: {done.practices}."
    )
    if done.unread:
        typer.echo(
            f"Cannot be read, and may still hold words that they typed: {', '.join(done.unread)}."
            " Their id is gone from there; look at these rows yourself."
        )
    typer.echo(
        "Backups made before this still have the data: delete those that you need no more."
        if settings.database.url is None
        else "PostgreSQL keeps old rows until VACUUM; VACUUM FULL rewrites the tables without them."
        " Backups and archived logs made before this still have the data."
    )


def person(text: str) -> int:
    """The Discord id that was typed; anything else is refused in a sentence."""
    if text.isascii() and text.isdigit() and len(text) < 20:
        number = int(text)
        if SMALLEST <= number <= LARGEST:
            return number
    raise refuse(
        f"{shown(text)} is no Discord id: expected the number that Copy User ID gives,"
        f" for example {EXAMPLE}"
    )

"""`bluffhouse store ...`: maintenance of the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import FINDING, TRY_LATER, paragraph, refuse, write_lines
from bot.cli.parameters import OutFile
from bot.cli.settings import (
    CONFIGURATION,
    chosen_settings,
    config_option,
    on_store,
    refusing_storage,
)

if TYPE_CHECKING:
    from bot.settings.config import Settings
    from bot.storage.store import SqlStore

NAMED: Final = 5  # unreadable matches to list by number


@click.group()
def store() -> None:
    "Look after the database: check, copy, repair, move."


@store.command()
@config_option
@click.option("--online", is_flag=True, help="Also check the token and gateway with Discord.")
@click.option(
    "--discord",
    "channel",
    metavar="CHANNEL",
    help="Test against real Discord in a channel of yours; give the channel's id.",
)
@click.option(
    "--report",
    type=OutFile("seen.txt"),
    help="With --discord: where to save the findings, without ids.",
)
def doctor(config: Path | None, online: bool, channel: str | None, report: Path | None) -> None:
    """Look at settings, libraries and database.

    With --online, also check that Discord can be reached. Nothing is changed, and secrets are
    not shown. The exit code is 1 if something is wrong. Stop the bot before you use --discord,
    which posts in a channel and deletes its posts again.
    """
    import asyncio

    from bot.storage.doctor import Diagnosis, examine

    settings = chosen_settings(config)
    if channel is not None:
        _try_out(settings, channel, report)
        return
    if report is not None:
        raise refuse(
            "--report keeps what --discord has found."
            " Example: --discord 1234567890123456789 --report seen.txt"
        )
    findings = asyncio.run(examine(settings, config))
    if online:
        token = _token(settings)
        if token is None:
            findings.append(Diagnosis("discord", "not checked: there's no token", well=False))
        else:
            from bot.cli.discord_checks import look

            where = (settings.discord.api_url, settings.discord.gateway_url)
            findings += asyncio.run(look(token, *where))
    for finding in findings:
        start = f"{'ok ' if finding.well else 'BAD'}  {finding.subject:<10} "
        click.echo(paragraph(finding.text, indent=start, hanging=" " * len(start)))
    if not all(finding.well for finding in findings):
        raise click.exceptions.Exit(FINDING)


def _token(settings: Settings) -> str | None:
    """Return the token; None if it is missing or cannot be one."""
    from bot.settings.config import may_be_token

    token = settings.discord.token
    text = token.get_secret_value() if token is not None else None
    return text if text is not None and may_be_token(text) else None


def _try_out(settings: Settings, channel: str, file: Path | None) -> None:
    """Make the checks that need a real server; print the results and write them to a `file`.

    If there is no token or the checks can't run, print one sentence and end the command. If Discord
    doesn't behave as assumed, end it with exit code 1.
    """
    import asyncio

    from bot.cli.discord_checks import NoTrial, report, try_out

    token = _token(settings)
    if token is None:
        raise refuse("no token: put the bot's token in DISCORD_TOKEN", CONFIGURATION)
    if not channel.isdecimal():
        raise refuse(
            "--discord wants a channel's number, as *Copy Channel ID* gives it."
            " Example: --discord 1234567890123456789"
        )
    where = (settings.discord.api_url, settings.discord.gateway_url)
    trial = try_out(token, channel, lambda question: click.echo(question, err=True), *where)
    try:
        results = asyncio.run(trial)
    except NoTrial as error:
        raise refuse(str(error), TRY_LATER) from None
    lines = [paragraph(text, begin, " " * len(begin)) for begin, text in report(results)]
    for line in lines:
        click.echo(line)
    if file is not None:
        write_lines(file, lines, err=True)
    if any(observation is not None and not observation.as_assumed for _, observation in results):
        raise click.exceptions.Exit(FINDING)


@store.command()
@click.argument(
    "file", type=click.Path(path_type=Path), help="The copy to make; an older copy is replaced."
)
@config_option
def backup(file: Path, config: Path | None) -> None:
    """Copy the database to FILE and check the copy. The bot may be running.

    PostgreSQL is copied by its own pg_dump, for pg_restore.
    """
    from bot.storage import NoSuchCopy
    from bot.storage.addresses import database_url
    from bot.storage.backup import copy_any_database

    address = chosen_settings(config).database.straight
    with refusing_storage():
        source = database_url(address)
        try:
            copy_any_database(address, file)
        except NoSuchCopy as error:  # FILE has an impossible name
            raise refuse(str(error)) from None
    where = source.database if source.get_backend_name() == "sqlite" else "The database"
    click.echo(f"{where} was copied to {file} ({file.stat().st_size:,} bytes) and checked.")


@store.command()
@config_option
def repair(config: Path | None) -> None:
    """Rebuild damaged tables from their logs.

    Stop the bot first. An SQLite file is copied before anything is changed.
    """
    settings = chosen_settings(config)
    for line in on_store(settings, lambda store: _repair(store, settings)):
        click.echo(line)


async def _repair(store: SqlStore, settings: Settings) -> list[str]:
    """Rebuild each damaged table; return sentences about the copy made and each table.

    If nothing is damaged, return one sentence that says so.
    """
    from bot.from_settings import limits
    from bot.language.words import capital, count
    from bot.storage.backup import copy_database
    from bot.storage.repair import find_damaged
    from bot.storage.repair import repair as rebuild

    looked = await find_damaged(store.database)
    if not looked.damaged:
        return [f"Nothing is damaged: {count(looked.tables, 'open table')} read and replayed."]
    sentences = []
    if store.database.file is not None:
        copy = store.database.file.with_name(f"{store.database.file.name}.before-repair")
        copy_database(store.database.file, copy)
        sentences.append(f"A copy from before is in {copy}.")
    for table_id, _ in looked.damaged:
        outcome = await rebuild(store.database, table_id, limits(settings))
        sentences.append(f"{capital(outcome)}.")
    return sentences


@store.command()
@config_option
def rebuild(config: Path | None) -> None:
    """Rebuild statistics and ratings from all logs.

    The figures are the same to the last digit, unless a match could not be recorded when it
    ended, or a newer version counts differently (then `run` rebuilds them by itself). With
    SQLite stop the bot first; with PostgreSQL it may be running.
    """
    from bot.language.words import count
    from bot.storage.rebuild_stats import Rebuilt

    async def rebuild_all(store: SqlStore) -> Rebuilt:
        return await store.rebuilding.rebuild(await store.rebuilding.servers_with_matches())

    summary = on_store(chosen_settings(config), rebuild_all)
    click.echo(
        f"Rebuilt the records of {count(summary.servers, 'server')}:"
        f" of {summary.won:,} finished matches {summary.counted:,} count."
    )
    if summary.damaged:
        raise refuse(
            f"{len(summary.damaged):,} left out, as the log can't be read"
            f" ({_name_matches(summary.damaged)})",
            FINDING,
        )


@store.command()
@config_option
def migrate(config: Path | None) -> None:
    """Bring the database to this version's schema. `run` does so by itself."""
    from bot.storage.migrate import Migrated

    async def report_migration(store: SqlStore) -> Migrated:
        return store.migrated

    migration = on_store(chosen_settings(config), report_migration)
    if migration.before == migration.after:
        click.echo(f"The database is up to date (schema {migration.after}).")
        return
    if migration.before is None:
        click.echo(f"Created the database with schema {migration.after}.")
        return
    click.echo(f"Upgraded the database from schema {migration.before} to {migration.after}.")
    if migration.backup is not None:
        click.echo(f"A copy from before is in {migration.backup}.")


@store.command()
@click.argument("source", metavar="FROM", help="A file or an address.")
@click.argument("target", metavar="TO", help="A new file, or an empty database.")
def move(source: str, target: str) -> None:
    """Move everything from one database to another.

    Use it to change from SQLite to PostgreSQL, for example. Stop the bot first. Every row is
    compared on arrival, and every match is replayed; FROM stays as it was. Then put TO into the
    settings. Write addresses as in the settings, such as
    postgresql://bluffhouse@localhost/bluffhouse, and preferably put the password into
    PGPASSWORD.
    """
    import asyncio

    from bot.storage.transfer import move as move_store

    def show_step(step: str) -> None:
        click.echo(f"{step.capitalize()} ...", err=True)

    with refusing_storage("nothing was moved"):
        transfer = asyncio.run(move_store(_address(source), _address(target), show_step))
    click.echo(
        f"{transfer.rows:,} rows arrived as they were; {transfer.matches:,} matches"
        f" ({transfer.actions:,} actions) were replayed from what arrived."
    )
    if transfer.unreadable:
        raise refuse(
            f"{len(transfer.unreadable):,} cannot be replayed, there as here"
            f" ({_name_matches(transfer.unreadable)}), and went over unchanged",
            FINDING,
        )


def _name_matches(numbers: Sequence[int]) -> str:
    """Return the first few match numbers and the number of others: "numbers 4, 7 and 12 more"."""
    named = ", ".join(map(str, numbers[:NAMED]))
    remainder = f" and {len(numbers) - NAMED:,} more" if len(numbers) > NAMED else ""
    return f"number{'s' if len(numbers) > 1 else ''} {named}{remainder}"


def _address(text: str) -> str:
    """Return a path as the address of an SQLite file, and an address unchanged."""
    return text if "://" in text else f"sqlite:///{text}"

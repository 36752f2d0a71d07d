"""What the settings mean to the rooms that they are about: the store, copies, times and limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import structlog

from bot.discord.pacing import ByChannel, Pace
from bot.operations.metrics import Meters
from bot.operations.process_lifetime import at_most
from bot.privacy.housekeeping import Keeping
from bot.settings.config import Settings
from bot.storage.backup import Backups, BackupSchedule
from bot.storage.store import SqlStore, open_with_retry
from bot.tables import errors
from bot.tables.requests import Limits

log = structlog.get_logger(__name__)

MINUTE: Final = 60_000
TABLES_PER_GUILD: Final = 50


@asynccontextmanager
async def open_store(
    settings: Settings, close_within: float | None = None
) -> AsyncIterator[SqlStore]:
    """The database of the settings, migrated and locked. Raises `bot.storage.StorageError`.

    Records that an older version made, or none, are made anew before anybody is served. To close
    it may take `close_within` seconds, where the process ends after it; None: as long as it takes.
    """
    chosen = settings.database
    direct = chosen.direct_url.get_secret_value() if chosen.direct_url else None
    store = await open_with_retry(
        chosen.address,
        direct_url=direct,
        pool_size=chosen.pool_size,
        shards=settings.own_shards(),
    )
    try:
        await _renew_records(store)
        yield store
    finally:
        if close_within is None:
            await store.close()
        else:
            await at_most(close_within, store.close())


async def _renew_records(store: SqlStore) -> None:
    try:
        outdated = await store.rebuilding.outdated_guilds()
        if outdated:
            log.info("records: making them anew from the logs", servers=len(outdated))
            done = await store.rebuilding.rebuild(outdated)
            log.info("records: made anew", won=done.won, counted=done.counted)
    except errors.StoreUnavailable:  # they stay outdated, and tables must not wait for them
        log.exception("records: could not be made anew")


def backups(settings: Settings, meters: Meters) -> Backups:
    """What makes copies of the database, from the settings."""
    chosen = settings.backups
    every = timedelta(hours=chosen.every_hours)
    plan = BackupSchedule(chosen.folder, every, chosen.keep)
    return Backups(
        settings.database.straight, plan, meters.note_backup_time, on_ended=meters.count_backup
    )


def keeping(settings: Settings) -> Keeping:
    """How long what is kept, from the settings."""
    chosen = settings.privacy
    return Keeping(chosen.keep_matches_days or None, chosen.keep_departed_days)


def limits(settings: Settings) -> Limits:
    """The tables' waiting times, from the settings."""
    chosen = settings.tables
    return Limits(
        next_round=int(chosen.next_round_seconds * 1000),
        lobby=chosen.lobby_minutes * MINUTE or None,
        turn_seconds=round(chosen.turn_minutes * 60),
        tables_per_guild=TABLES_PER_GUILD,
        computers=settings.computers.allowed,
        computer_pause=int(settings.computers.pause_seconds * 1000),
        tables_at_once=settings.fair_use.tables_at_once,
        tables_per_hour=settings.fair_use.tables_per_hour,
    )


def pace(settings: Settings) -> Pace:
    """This process's share of the requests that Discord takes of the whole bot, by its shards."""
    served = settings.own_shards()
    share = len(served.ids) / served.count if served.count else 1.0
    return Pace(settings.discord.requests_per_second * share)


def pace_by_token(settings: Settings) -> ByChannel:
    """How fast private messages of one channel are redrawn, all of which one process serves."""
    return ByChannel(paced=settings.discord.requests_per_second > 0)

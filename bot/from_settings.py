"""Builds parts of the bot from the settings: the store, copies, times and limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import structlog

from bot.discord.pacing import ByChannel, Pace
from bot.operations.metrics import Meters
from bot.operations.process_lifetime import at_most
from bot.services.housekeeping import Keeping
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
    """Open the settings' database, migrated and locked. Raises `bot.storage.StorageError`.

    Outdated or missing records are rebuilt first. `close_within`: seconds after which closing is
    abandoned, for a process that then ends; None: no limit.
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
            rebuilt = await store.rebuilding.rebuild(outdated)
            log.info("records: made anew", won=rebuilt.won, counted=rebuilt.counted)
    except errors.StoreUnavailable:  # they stay outdated, since tables must not wait for them
        log.exception("records: could not be made anew")


def backups(settings: Settings, meters: Meters) -> Backups:
    """Return the service that copies the database, from the settings."""
    chosen = settings.backups
    every = timedelta(hours=chosen.every_hours)
    plan = BackupSchedule(chosen.folder, every, chosen.keep)
    return Backups(
        settings.database.straight, plan, meters.note_backup_time, on_ended=meters.count_backup
    )


def keeping(settings: Settings) -> Keeping:
    """Return how long to keep data, from the settings."""
    chosen = settings.privacy
    return Keeping(chosen.keep_matches_days or None, chosen.keep_departed_days)


def limits(settings: Settings) -> Limits:
    """Return the limits of tables and of the people who open them, from the settings."""
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
    """Return this process's share of the bot's request rate, by its number of shards."""
    served = settings.own_shards()
    share = len(served.ids) / served.count if served.count else 1.0
    return Pace(settings.discord.requests_per_second * share)


def pace_by_token(settings: Settings) -> ByChannel:
    """Return the pace for redrawing private messages with interaction tokens, by channel."""
    return ByChannel(paced=settings.discord.requests_per_second > 0)

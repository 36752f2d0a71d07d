"""The commands are registered with Discord when they have changed, by one process for all.

Discord allows two hundred new ones a day, so it is not done at every start. What was registered
last is known by a digest; that nobody else has changed them since, by their names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.shards import Processes, one_at_a_time
from bot.tables import ports

log = structlog.get_logger(__name__)
_LOCK: Final = "commands"


async def register(
    client: discord.Client,
    tree: app_commands.CommandTree[Any],
    store: ports.Store,
    processes: Processes,
) -> bool:
    """Register the tree's commands if that is needed; whether it was. A store that is down: it is.

    Raises discord.HTTPException.
    """
    application = client.application_id
    if application is None:
        raise ValueError("registering commands comes after the login")
    translator = tree.translator
    commands = tree.get_commands()
    described = [
        await one.get_translated_payload(tree, translator) if translator else one.to_dict(tree)
        for one in commands
    ]
    digest = digest_of(described)
    async with one_at_a_time(processes, _LOCK):
        try:
            known = await store.registered(application)
        except ports.StoreUnavailable:
            known = None
        if known == digest and await _are_there(client, application, described):
            return False
        await tree.sync()
        log.info("discord: commands registered", commands=len(commands))
        try:
            await store.note_registered(application, digest)
        except ports.StoreUnavailable as error:
            log.warning("discord: commands will be registered again", reason=str(error))
    return True


def digest_of(described: Sequence[Any]) -> str:
    """A digest of commands as Discord is told them, in whichever order."""
    lines = sorted(json.dumps(one, sort_keys=True, ensure_ascii=True) for one in described)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


async def _are_there(client: discord.Client, application: int, described: Sequence[Any]) -> bool:
    """Whether Discord has commands of these names and kinds: others may have removed them."""
    found = await client.http.get_global_commands(application)
    return _names(found) == _names(described)


def _names(described: Sequence[Any]) -> list[tuple[str, int]]:
    return sorted((str(one["name"]), int(one.get("type", 1))) for one in described)

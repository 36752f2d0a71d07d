"""Register the commands with Discord when they have changed; one process does it for all.

Discord allows two hundred new commands a day, so they aren't registered at every start. A stored
digest shows what was registered last; the names of Discord's commands show whether somebody else
has changed them since.

If Discord refuses, the start goes on: the registered commands keep working, and the bot tries
again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.language.catalogues import ENGLISH, Language, by_locale
from bot.retry import RetryPolicy
from bot.settings.shards import Processes, one_at_a_time
from bot.storage.store import SqlStore
from bot.tables import errors

log = structlog.get_logger(__name__)
_LOCK: Final = "commands"

WITHIN: Final = 15.0  # seconds for which a start waits for the registration
RETRY: Final = RetryPolicy(first=30.0, longest=3600.0)
_FORESEEN: Final = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


# advice to a host when Discord refuses the commands, by words in its error message
_TICK: Final = (
    "in the developer portal, on the application's page Installation, tick User Install beside"
    " Guild Install and save (docs/hosting.md)"
)
_REPORT: Final = "this is the bot's own fault, so please report it with this line"


class Registration:
    """Runs `attempt`, which registers the commands, in the background until Discord takes them."""

    def __init__(
        self,
        attempt: Callable[[], Awaitable[object]],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._attempt = attempt
        self._sleep = sleep
        self._failed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self, within: float = WITHIN) -> None:
        """Start registering commands; wait at most `within` seconds for the first attempt."""
        if self._task is None:
            self._task = asyncio.create_task(self._until_taken(), name="registering commands")
        failed = asyncio.create_task(self._failed.wait(), name="registering has failed once")
        try:
            await asyncio.wait(
                {self._task, failed}, timeout=within, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            failed.cancel()

    def stop(self) -> None:
        """Stop trying; the next start tries again."""
        if self._task is not None:
            self._task.cancel()

    async def _until_taken(self) -> None:
        for pause in RETRY.pauses():
            try:
                await self._attempt()
            except _FORESEEN as error:
                requested = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
                wait = max(pause, requested)
                log.error(
                    "discord: commands not registered; the earlier ones keep working, trying again",
                    why=failure_reason(error),
                    minutes=round(wait / 60, 1),
                )
            # whatever the error, presses and the registered commands must be served
            except Exception:
                wait = pause
                log.exception(
                    "discord: commands not registered; the earlier ones keep working, trying again"
                )
            else:
                return
            self._failed.set()
            await self._sleep(wait)


def failure_reason(error: Exception) -> str:
    """Return what to tell the host about a registration error."""
    if isinstance(error, discord.RateLimited):
        return f"Discord asks to wait for {error.retry_after:.0f} seconds"
    if isinstance(error, discord.HTTPException):
        text = "; ".join(error.text.split("\n")) or "nothing more"
        if error.status != HTTPStatus.BAD_REQUEST:
            return f"Discord says {error.status}: {text}"
        todo = _TICK if "integration_types" in text else _REPORT
        return f"Discord says {error.status}: {text}. To do: {todo}"
    return str(error) or type(error).__name__


async def register(
    client: discord.Client,
    tree: app_commands.CommandTree[Any],
    store: SqlStore,
    processes: Processes,
) -> bool:
    """Register the tree's commands if needed; return whether it did.

    If the store is down, register them anyway. Raises `ValueError` if called before the login,
    and the errors of Discord and of the network.
    """
    application = client.application_id
    if application is None:
        raise ValueError("registering commands comes after the login")
    commands = tree.get_commands()
    payloads = [localised_payload(command, tree) for command in commands]
    digest = digest_of(payloads)
    async with one_at_a_time(processes, _LOCK):
        try:
            known = await store.servers.registered_digest(application)
        except errors.StoreUnavailable:
            known = None
        if known == digest and await _are_registered(tree, payloads):
            return False
        try:
            await client.http.bulk_upsert_global_commands(application, payloads)
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            # names the commands that Discord refuses, not only their numbers
            raise app_commands.CommandSyncFailure(error, commands) from None
        log.info("discord: commands registered", commands=len(commands))
        try:
            await store.servers.note_registered(application, digest)
        except errors.StoreUnavailable as error:
            log.warning("discord: commands will be registered again", reason=str(error))
    return True


def digest_of(payloads: Sequence[Any]) -> str:
    """Return a digest of commands as sent to Discord, the same in any order."""
    lines = sorted(json.dumps(payload, sort_keys=True, ensure_ascii=True) for payload in payloads)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


async def _are_registered(tree: app_commands.CommandTree[Any], payloads: Sequence[Any]) -> bool:
    """Return whether Discord still has exactly the commands with these names and kinds."""
    registered = [(command.name, command.type.value) for command in await tree.fetch_commands()]
    return sorted(registered) == sorted(
        (str(payload["name"]), int(payload.get("type", 1))) for payload in payloads
    )


def localised_payload(command: Any, tree: app_commands.CommandTree[Any]) -> dict[str, Any]:
    """Return a command as sent to Discord, with its texts in every language that has a catalogue.

    Descriptions and choices are in the language of each person's client. Command names are English
    in every client: messages mention commands to readers with clients in other languages, and
    Discord posts a command typed under another name as chat.
    """
    payload: dict[str, Any] = command.to_dict(tree)
    _localise(payload)
    return payload


def _localise(part: dict[str, Any]) -> None:
    """Add translations to a command, a group or an option, and to all its options and choices."""
    if part.get("description"):
        part["description_localizations"] = _translations(part["description"])
    for choice in part.get("choices", ()):
        choice["name_localizations"] = _translations(choice["name"])
    for option in part.get("options", ()):
        _localise(option)


def _translations(text: str) -> dict[str, str]:
    """Return a text's translations by Discord's locale, without those that equal the text."""
    texts = {locale: language.catalogue.gettext(text) for locale, language in _languages().items()}
    return {locale: translation for locale, translation in texts.items() if translation != text}


@cache
def _languages() -> dict[str, Language]:
    """Return the bot's language by Discord locale; locales that get English are left out."""
    languages = {locale.value: by_locale(locale.value) for locale in discord.Locale}
    return {locale: language for locale, language in languages.items() if language.key != ENGLISH}

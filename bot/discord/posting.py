"""Check whether the bot can post where an interaction comes from.

Presses and commands may arrive from anywhere, and each is answered with its own token. A table
needs more: its news, reminders and redraws are requests of the bot's own. Discord refuses them in a
server or a private thread that the bot is not in, and wherever it may not write. So this is checked
before a table opens or a match begins, and reported in one sentence. `delivery/tables.py` and
`tables/handlers.py` handle a match that loses its channel.

An interaction shows what the bot may do in its channel, but not whether the bot was added to a
private thread: Discord is asked for that.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol

import discord

from bot.discord.answers import Interaction
from bot.discord.outcomes import MISSING, NOT_TAKEN, code_of
from bot.discord.sending import reopen_thread
from bot.language.catalogues import N_
from bot.tables.errors import RefusedError

# seconds: a person waits for the answer, and if the check takes longer, it passes
LOOKS_FOR: Final = 2.0
# permissions that the bot needs, and Discord's name for each
_VIEW: Final = ("view_channel", N_("View Channel"))
_ATTACH: Final = ("attach_files", N_("Attach Files"))
_IN_CHANNELS: Final = (_VIEW, ("send_messages", N_("Send Messages")), _ATTACH)
_IN_THREADS: Final = (
    _VIEW,
    ("send_messages_in_threads", N_("Send Messages in Threads")),
    _ATTACH,
)
_FOR_THREADS: Final = (("create_public_threads", N_("Create Public Threads")), _IN_THREADS[1])
_IN_VOICE: Final = (*_IN_CHANNELS, ("connect", N_("Connect")))


class CannotPost(RefusedError):
    """The bot cannot post in the channel where a person asked for a table."""


@dataclass(eq=False)
class NotInServer(CannotPost):
    """The server has the commands but not the bot; `application` is the application's id."""

    application: int


@dataclass(eq=False)
class NotInThread(CannotPost):
    """The bot was not added to the private thread; `bot` is the bot's id."""

    bot: int


class ThreadLocked(CannotPost):
    """The thread is locked, or archived and can't be reopened."""


@dataclass(eq=False)
class TimedOut(CannotPost):
    """A moderator has timed the bot out, until `until` in Unix seconds."""

    until: float


@dataclass(eq=False)
class NotAllowed(CannotPost):
    """The bot lacks these permissions, by Discord's English names."""

    permissions: tuple[str, ...]


class ThreadNotOpened(CannotPost):
    """Discord did not open a thread, although the bot has the permissions."""


class NoThreads(NotAllowed):
    """The bot lacks the `permissions` to open a thread or to write in it."""


class Placed(Protocol):
    """An interaction, or a stored token of one; `guild_id` is None outside servers."""

    guild_id: int | None

    @property
    def client(self) -> discord.Client:
        """Return the bot's client."""


def is_member(place: Placed) -> bool:
    """Return whether the bot is in the server of `place`; True outside servers."""
    return place.guild_id is None or place.client.get_guild(place.guild_id) is not None


def missing_permissions(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in the channel, by Discord's English names."""
    channel, allowed = interaction.channel, interaction.app_permissions
    in_thread = isinstance(channel, discord.Thread)
    in_voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    needed = _IN_THREADS if in_thread else _IN_VOICE if in_voice else _IN_CHANNELS
    return tuple(label for name, label in needed if not getattr(allowed, name))


async def check_posting(interaction: Interaction) -> None:
    """Raise `CannotPost` if a table can't be shown in the interaction's channel."""
    if not is_member(interaction):
        raise NotInServer(interaction.application_id)
    channel, allowed = interaction.channel, interaction.app_permissions
    me = interaction.guild.me if interaction.guild is not None else None
    # a time-out also takes some of these permissions away, so check it first
    if me is not None and me.timed_out_until is not None and me.is_timed_out():
        raise TimedOut(me.timed_out_until.timestamp())
    if missing := missing_permissions(interaction):
        raise NotAllowed(missing)
    check_unlocked(interaction)
    if isinstance(channel, discord.Thread) and not allowed.manage_threads:
        await _check_thread(interaction, channel)


def has_threads(interaction: Interaction) -> bool:
    """Return whether threads can be opened from messages in the interaction's channel."""
    return isinstance(interaction.channel, discord.TextChannel)


def check_threads(interaction: Interaction) -> None:
    """Raise `NoThreads` if the bot can't open a thread in the channel and write in it."""
    allowed = interaction.app_permissions
    missing = tuple(label for name, label in _FOR_THREADS if not getattr(allowed, name))
    if missing:
        raise NoThreads(missing)


def check_unlocked(interaction: Interaction) -> None:
    """Raise `ThreadLocked` in a locked thread, where nobody can press anything.

    Discord refuses everybody's presses there, whatever the bot or a moderator may do
    (discord-api-docs #7900).
    """
    thread = interaction.channel
    if isinstance(thread, discord.Thread) and thread.locked:
        raise ThreadLocked


def slow_mode(interaction: Interaction) -> int:
    """Return how many seconds members must wait between messages in the channel; 0: no slow mode.

    Discord has at times blocked members' presses during that wait (discord-api-docs #6465).
    """
    # direct messages have no slow mode
    wait: int = getattr(interaction.channel, "slowmode_delay", 0)
    return wait


async def _check_thread(interaction: Interaction, thread: discord.Thread) -> None:
    client = interaction.client
    if thread.is_private():
        try:
            async with asyncio.timeout(LOOKS_FOR):
                await client.fetch_channel(thread.id)
        except NOT_TAKEN as error:
            if code_of(error) in MISSING:
                raise NotInThread(client.user.id if client.user is not None else 0) from error
    if thread.archived and not await reopen_thread(client, thread.id):
        raise ThreadLocked

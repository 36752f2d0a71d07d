"""The bot's connection to Discord: what arrives is handed to the desk, nothing is decided here."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import discord
import structlog
from discord import app_commands

from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.failures import MOVED_ON
from bot.discord.late import quieten
from bot.discord.odds.commands import odds_group
from bot.discord.odds.desk import OddsDesk
from bot.discord.people import People
from bot.discord.records.commands import RecordCommands
from bot.discord.records.desk import RecordsDesk
from bot.discord.replays.commands import ReplayCommands
from bot.discord.tables.commands import TableCommands
from bot.discord.tables.desk import Desk
from bot.discord.tables.habits import HabitCommands, Habits
from bot.discord.tables.practice import PracticeCommands
from bot.discord.tables.press import Press
from bot.discord.tables.privacy import PrivacyCommands, PrivacyDesk
from bot.discord.translator import HouseTranslator
from bot.languages import N_, by_locale, speak, tr
from engine.variants import VARIANTS

# nobody is called by voice here: no warning that its libraries are missing
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

INTERACTIONS_REMEMBERED: Final = 512
RESTARTING: Final = N_("I am being restarted. Nothing was lost; please try again in a moment.")
UNKNOWN_COMMAND: Final = N_(
    "I do not know this command, or not in this form: it is from another version of me. Reload"
    " Discord (Ctrl-R), then try again, for example `/play`."
)
_NOT_OURS: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)

log = structlog.get_logger(__name__)


class Servers(Protocol):
    """Who is told which servers the bot is in."""

    async def present(self, guilds: Iterable[int]) -> None:
        """Just these, as a session begins; those that are unavailable now are among them."""

    async def joined(self, guild_id: int) -> None:
        """One more."""

    async def left(self, guild_id: int) -> None:
        """One less."""


@dataclass(frozen=True, slots=True)
class Desks:
    """Who answers what arrives."""

    tables: Desk
    odds: OddsDesk
    habits: Habits
    people: People
    records: RecordsDesk
    privacy: PrivacyDesk
    servers: Servers


class HouseTree(app_commands.CommandTree["House"]):
    """The slash commands; what they raise becomes one sentence."""

    async def interaction_check(self, interaction: discord.Interaction[House], /) -> bool:
        """Called by discord.py before every command."""
        return await self.client.admitted(interaction)

    async def on_error(
        self, interaction: discord.Interaction[House], error: app_commands.AppCommandError, /
    ) -> None:
        """Called by discord.py for whatever a command raised."""
        if isinstance(error, _NOT_OURS):
            log.info("discord: a command that is not known here", error=type(error).__name__)
            if interaction.type is not discord.InteractionType.autocomplete:
                await answers.whisper(interaction, tr(UNKNOWN_COMMAND))
            return
        cause = error.__cause__ if isinstance(error, app_commands.CommandInvokeError) else error
        refused = cause if isinstance(cause, Exception) else error
        await self.client.desks.tables.refuse_here(interaction, refused)


class House(discord.Client):
    """The client. `furnish` makes the desks, which send through it."""

    def __init__(
        self,
        furnish: Callable[[discord.Client], Desks],
        first_ready: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=60.0,
            guild_ready_timeout=0.05,  # nothing here waits for the list of servers to be whole
        )
        self.desks = furnish(self)
        self._first_ready: Callable[[], Awaitable[None]] | None = first_ready
        self._serving: set[asyncio.Task[Any]] = set()
        self._seen: deque[int] = deque(maxlen=INTERACTIONS_REMEMBERED)
        self._leaving = False
        quieten()
        self.tree = HouseTree(self)
        cogs = (
            PracticeCommands(self.desks.tables.practice),
            TableCommands(self.desks.tables),
            HabitCommands(self.desks.habits),
            RecordCommands(self.desks.records),
            ReplayCommands(self.desks.tables.replays),
            PrivacyCommands(self.desks.privacy),
        )
        for cog in cogs:
            for command in cog.get_app_commands():
                self.tree.add_command(command)
        self.tree.add_command(odds_group(VARIANTS.values(), self.desks.odds))

    async def setup_hook(self) -> None:
        """Called once after login: register the commands, in every language."""
        await self.tree.set_translator(HouseTranslator())
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Called whenever a session has begun anew; tables are shown again only the first time."""
        log.info("discord: ready", guilds=len(self.guilds))
        await self.desks.servers.present(guild.id for guild in self.guilds)
        first, self._first_ready = self._first_ready, None
        if first is not None:
            await first()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Every press and every form; the library knows only those made since the start."""
        if interaction.type not in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            return
        if not await self.admitted(interaction):
            return
        try:
            await self._press(interaction)
        except Exception as error:  # whatever is wrong with a press, somebody waits for its answer
            await self.desks.tables.refuse(interaction, error, None)

    async def _press(self, interaction: Interaction) -> None:
        data: object = interaction.data
        submitted: dict[str, object] = dict(data) if isinstance(data, dict) else {}
        handle = self.desks.tables.press
        if interaction.type is discord.InteractionType.modal_submit:
            handle = self.desks.tables.submit
        match ids.read(submitted.get("custom_id")):
            case ids.OfOdds(verb, about):
                await self.desks.odds.press(interaction, verb, about)
            case ids.OfTable(verb, address, choice):
                given = submitted.get("values")
                values = tuple(map(str, given)) if isinstance(given, list) else ()
                await handle(interaction, Press(verb, address, choice, values))
            case None:
                await answers.whisper(interaction, tr(MOVED_ON))

    async def admitted(self, interaction: Interaction) -> bool:
        """Whether an interaction is served; if so, `drained` waits for its task.

        From here on the task speaks the language of the person, as far as only they are answered.
        One that the gateway delivers again is not: it is being answered, or has been.
        """
        if interaction.id in self._seen:
            return False
        self._seen.append(interaction.id)
        if self._leaving:
            speak(by_locale(str(interaction.locale)).key)
            if interaction.type is not discord.InteractionType.autocomplete:
                await answers.whisper(interaction, tr(RESTARTING))
            return False
        task = asyncio.current_task()
        if task is not None:
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        speak(await self.desks.people.spoken_by(interaction.user.id, str(interaction.locale)))
        return True

    async def leave_desk(self) -> None:
        """Serve nobody any more, and wait until whoever is being served has been."""
        self._leaving = True
        await self.drained()

    async def drained(self) -> None:
        """Wait until nobody is being served."""
        while self._serving:
            await asyncio.wait(self._serving)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self.desks.servers.joined(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server; the library says otherwise that one is unavailable."""
        await self.desks.servers.left(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A deleted channel ends its table."""
        await self.desks.tables.channel_gone(channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """So does a deleted thread."""
        await self.desks.tables.channel_gone(thread.thread_id)

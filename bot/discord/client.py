"""Connect the bot to Discord, and pass each event that this process must handle to its handlers."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

import discord
import structlog
import yarl
from discord import app_commands
from discord.http import Route

from bot.discord import answers, ids, posting, sessions
from bot.discord.answers import Interaction
from bot.discord.commands import needs_bot
from bot.discord.duplicate_instance import DuplicateInstances
from bot.discord.emoji import CardEmoji
from bot.discord.errors import MOVED_ON, sentence
from bot.discord.event_parsers import wrap_parsers
from bot.discord.handlers import Handlers
from bot.discord.pacing import Pace, tracing
from bot.discord.people import SeenName
from bot.discord.press import Press
from bot.discord.registering import Registration, register
from bot.discord.sending import NOBODY
from bot.discord.sessions import Gate
from bot.language.catalogues import N_, by_locale, speak, tr
from bot.operations.metrics import Meters
from bot.settings.proxies import proxy_for
from bot.settings.shards import NO_GUILD, ONE, Last, Processes, Shards
from bot.storage.store import SqlStore
from bot.tables.errors import TooOften

# the bot uses no voice: don't warn that its libraries are missing
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

INTERACTIONS_REMEMBERED: Final = 512
ANSWERED_WITHIN: Final = 3.0  # seconds that Discord waits for an answer
DOUBT_SECONDS: Final = 2.0  # seconds that a press waits to learn which process has its shard
# seconds for which an old process may go on answering if it never said that it handed over: it may
# be cut off from the database without knowing that it was replaced
BESIDE_SECONDS: Final = 600.0
# events that a standby process handles; it learns the rest from its sessions when it takes over
_ITS_OWN: Final = frozenset(
    {
        *("connect", "disconnect", "ready", "interaction"),
        *("shard_connect", "shard_disconnect", "shard_ready", "shard_resumed"),
    }
)
RESTARTING: Final = N_("I'm restarting. Nothing was lost. Please try again in a moment.")
UNKNOWN_COMMAND: Final = N_(
    "I don't know this command, or not in this form: it's from another version of me. Reload"
    " Discord (Ctrl-R), then try again, for example `/play`."
)


_NOT_OURS: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)

log = structlog.get_logger(__name__)


class BotCommandTree(app_commands.CommandTree["BotClient"]):
    """The slash commands. An error in one is answered with one sentence."""

    async def interaction_check(self, interaction: discord.Interaction[BotClient], /) -> bool:
        """Return whether to handle a command or keystroke; if not, answer it here.

        Called by discord.py before each command and keystroke. An interaction that another process
        answers, or that arrives a second time, gets no answer here.
        """
        client = self.client
        return (
            await client.admit(interaction)
            and await client.is_fair(interaction)
            and await client.serves(interaction)
        )

    async def _call(self, interaction: discord.Interaction[BotClient]) -> None:
        """Run a command or send suggestions; answer errors that discord.py doesn't handle.

        Called by discord.py.
        """
        try:
            typing = interaction.type is discord.InteractionType.autocomplete
            if typing and not self._has_suggestions(interaction.data):
                await answers.suggest_nothing(interaction)
                return
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            await self.client.handlers.refusals.refuse_here(interaction, error)
        finally:
            self.client.handlers.delivery.seats.note_answer(interaction)

    def _has_suggestions(self, data: Any) -> bool:
        """Return whether the option being typed has suggestions; True in an unknown command.

        `data`: the interaction's data. Discord's clients may still offer suggestions where only an
        earlier version of the bot had them. The library would log an error there and answer
        nothing.
        """
        command, options = self.get_command(data["name"]), data["options"]
        while isinstance(command, app_commands.Group):
            (inside,) = options
            command, options = command.get_command(inside["name"]), inside["options"]
        if not isinstance(command, app_commands.Command):
            return True  # the library reports an unknown command itself
        typed = next((option["name"] for option in options if option.get("focused")), "")
        parameter = command.get_parameter(typed)
        return parameter is not None and parameter.autocomplete

    async def on_error(
        self, interaction: discord.Interaction[BotClient], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer an error from a command or a keystroke; called by discord.py."""
        # the library raises its plain error for a keystroke in an unknown option
        if isinstance(error, _NOT_OURS) or type(error) is app_commands.AppCommandError:
            log.info("discord: a command that is not known here", error=type(error).__name__)
            if interaction.type is discord.InteractionType.autocomplete:
                await answers.suggest_nothing(interaction)
            else:
                await answers.reply_privately(interaction, tr(UNKNOWN_COMMAND))
            return
        cause = error.__cause__ if isinstance(error, app_commands.CommandInvokeError) else error
        refused = cause if isinstance(cause, Exception) else error
        await self.client.handlers.refusals.refuse_here(interaction, refused)


class BotClient(discord.AutoShardedClient):
    """The connection to Discord. It passes events to the handlers that `serve_at` sets.

    The client runs the sessions of `shards`. While another of the `processes` has these shards, the
    client stands by: Discord sends every interaction to both processes, and the client holds each
    interaction until this process gets the shards, for at most as long as Discord waits for an
    answer. The constructor raises `UnusableProxy` if the host's proxy setting can't be used.

    `first_ready` runs once, when all sessions have begun and this process has the shards.
    `takes_over` runs when this process gets the shards after standing by. `wind_down` runs before
    the client closes.
    """

    handlers: Handlers

    def __init__(
        self,
        first_ready: Callable[[], Awaitable[None]],
        meters: Meters,
        duplicates: DuplicateInstances,
        store: SqlStore,
        pace: Pace,
        shards: Shards = ONE,
        processes: Processes | None = None,
        wind_down: Callable[[], Awaitable[None]] | None = None,
        takes_over: Callable[[], object] = lambda: None,
    ) -> None:
        self._meters = meters
        self._duplicates = duplicates
        self._takes_over = takes_over
        self._taken = asyncio.Event()  # set when the shards are this process's
        self._newest: dict[int, int] = {}  # the newest interaction of each shard
        self._theirs: Last = {}  # the last interactions that the previous process answers
        # until when (`time.monotonic`) the previous process may answer more, if it did not say
        self._beside_until = 0.0
        # the last interactions that this process answers, once another succeeds it
        self._ours: Last | None = None
        self._waiting: asyncio.Task[Last] | None = None
        self._store = store
        self._served = shards
        self._processes = processes or Processes()
        self._wind_down = wind_down
        self._gate = Gate(self._processes)
        self._listing = asyncio.Lock()
        super().__init__(
            proxy=proxy_for(Route.BASE),
            shard_count=shards.count or None,
            shard_ids=list(shards.ids) or None,  # type: ignore[arg-type]  # None: all of them
            http_trace=tracing(meters, duplicates, pace),
            intents=discord.Intents(guilds=True),
            allowed_mentions=NOBODY,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=60.0,
            # nothing here waits for the servers: each is handled when it has `arrived`
            guild_ready_timeout=0.05,
        )
        sessions.gateway_by_its_proxy(self)
        self._first_ready: Callable[[], Awaitable[None]] | None = first_ready
        self._serving: set[asyncio.Task[Any]] = set()
        self._seen: deque[int] = deque(maxlen=INTERACTIONS_REMEMBERED)
        self._leaving = False
        self.in_session = asyncio.Event()  # set when Discord has accepted this bot's first session
        self._made = time.monotonic()
        self._away: dict[int, float] = {}  # by shard, since when its connection is lost
        self.waits = sessions.Waits()
        self._sessions_left = 0  # sessions left today, as far as this process knows
        self._registration = Registration(
            lambda: register(self, self.tree, self._store, self._processes)
        )
        self._cards = CardEmoji(self)
        answers.quieten_late_suggestions()
        sessions.quieten()
        wrap_parsers(self._connection.parsers)
        sessions.listing(self._connection)
        self.tree = BotCommandTree(self)

    def serve_at(self, handlers: Handlers, arrived: Callable[[int], object]) -> None:
        """Set the handlers, which send through this client; call this once, before it starts.

        `arrived` is called with the id of each server once Discord has sent the server's contents,
        which may be seconds after the session began.
        """
        self.handlers, self._arrived = handlers, arrived
        for command in handlers.commands():
            self.tree.add_command(command)

    async def login(self, token: str) -> None:
        """Log in; if Discord asks to wait, wait and try again. Called by discord.py.

        Raises `sessions.NotDiscord` if something else answers at Discord's address, and whatever
        discord.py's own login raises.
        """
        while True:
            try:
                with sessions.as_discord(self):
                    return await super().login(token)
            except (discord.RateLimited, discord.HTTPException) as error:
                seconds = sessions.requested_wait(error)
                if seconds is None:
                    raise
            await self.http.close()  # the library makes a new connection for each login
            self.http.clear()
            self.http.connector = discord.utils.MISSING
            await self.waits.wait(seconds, f"Discord asks for {seconds:.0f} seconds")

    async def setup_hook(self) -> None:
        """Take the shards and register the commands, or stand by for the shards.

        Called once by discord.py after login. Raises whatever `Processes.take_or_stand_by` raises,
        and Discord's errors.
        """
        if self._served.count != 1:
            advised = await self._wait_for_sessions()
            self._gate.max_concurrency = advised.max_concurrency
            if not self._served.count:
                self._served = Shards(advised.shards, tuple(range(advised.shards)))
                self.shard_count, self.shard_ids = advised.shards, list(self._served.ids)
        taken = await self._processes.take_or_stand_by(self._served)
        self._cards.start(uploads=self._served.shard_of(NO_GUILD) in self._served.ids)
        if taken:
            self._taken.set()
            await self._registration.begin()
        else:
            log.info("shards: another process has them, standing by for its end")

    async def _wait_for_sessions(self) -> sessions.GatewayAdvice:
        """Wait until enough of the day's sessions are left; return Discord's gateway advice."""
        advised = await sessions.gateway_advice(self, self._served, self.waits)
        self._sessions_left = advised.remaining
        return advised

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard when its turn comes; called by discord.py for each one."""
        if self._sessions_left < sessions.FEWEST_LEFT:
            await self._wait_for_sessions()
        await self._gate.enter(shard_id)
        self._away.setdefault(shard_id, time.monotonic())
        try:
            await super().launch_shard(gateway, shard_id, initial=initial)
        finally:
            self._gate.gives_up(shard_id)
        launched = self.get_shard(shard_id)
        if launched is not None:
            sessions.persevere(launched._parent, lambda: shard_id in self._away)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until the shard may identify; called by discord.py before each session is begun."""
        if self._sessions_left < sessions.FEWEST_LEFT:
            await self._wait_for_sessions()
        await self._gate.enter(shard_id or 0)
        await self._gate.passes(shard_id or 0)
        self._sessions_left -= 1

    @property
    def is_connected(self) -> bool:
        """Return whether every shard is connected, as far as is known."""
        return self.in_session.is_set() and not self._away

    @property
    def lost_for(self) -> float:
        """Return for how many seconds the longest-disconnected shard has been away; 0 without one.

        Until the first session, count from the client's creation instead.
        """
        since = min(self._away.values(), default=None)
        if since is None:
            if self.in_session.is_set():
                return 0.0
            since = self._made
        return time.monotonic() - since

    @property
    def latencies(self) -> list[tuple[int, float]]:
        """Return (shard id, heartbeat latency in seconds) for each connected shard."""
        return [(shard, took) for shard, took in super().latencies if shard not in self._away]

    async def on_connect(self) -> None:
        """Remember that the bot's first session has begun."""
        self.in_session.set()

    async def on_shard_connect(self, shard_id: int) -> None:
        """Mark a shard as connected."""
        self._away.pop(shard_id, None)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Mark a shard as connected: its lost session has resumed."""
        self._away.pop(shard_id, None)
        log.info("gateway: resumed", shard=shard_id)

    async def close(self) -> None:
        """Leave Discord once running work is done, since that work needs the connection.

        The library also calls this when Discord has closed a session for good.
        """
        self._gate.close()
        self._registration.stop()
        self._cards.stop()
        if self._waiting is not None:
            self._waiting.cancel()
        if self._wind_down is not None and not self.is_closed():
            await self._wind_down()
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event; called by discord.py.

        Skip every event once the client is closed. While the client stands by, skip all events
        except `_ITS_OWN`: another process handles them.
        """
        if not self.is_closed() and (self._taken.is_set() or event in _ITS_OWN):
            super().dispatch(event, *args, **kwargs)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Mark a shard as disconnected; called again at each failed try."""
        if shard_id in self._away:
            return
        self._away[shard_id] = time.monotonic()
        lost = self.get_shard(shard_id)
        code = lost._parent.ws.socket.close_code if lost is not None else None
        log.warning("gateway: lost, connecting again", shard=shard_id, code=code)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Report the servers of a shard that has begun a new session; nothing on standby."""
        if self._taken.is_set():
            await self._report_servers(shard_id)

    async def _report_servers(self, shard_id: int) -> None:
        """Tell `handlers.servers` which servers a shard has."""
        async with self._listing:
            listed = [guild.id for guild in self.guilds if guild.shard_id == shard_id]
            log.info("discord: shard ready", shard=shard_id, guilds=len(listed))
            served = self._served
            await self.handlers.servers.note_present(
                listed, lambda guild: served.shard_of(guild) == shard_id
            )

    async def on_ready(self) -> None:
        """Run `first_ready` once all sessions have begun and the shards are this process's."""
        if not self._taken.is_set() and not await self._take_over():
            return
        async with self._listing:  # the list of servers is complete
            log.info("discord: ready", guilds=len(self.guilds))
        first, self._first_ready = self._first_ready, None
        if first is not None:
            await first()

    async def _take_over(self) -> bool:
        """Stand by until this process has the shards, then begin to answer; return True.

        Return False at once if another call has begun to stand by.
        """
        if self._waiting is not None:
            return False
        succeeding = self._processes.take_over(lambda: self.is_connected)
        self._waiting = asyncio.create_task(succeeding, name="standing by")
        self._theirs = await self._waiting
        self._beside_until = time.monotonic() + BESIDE_SECONDS
        self._takes_over()
        self._taken.set()
        log.info("bot: took over", last=dict(self._theirs))
        await self._registration.begin(within=0.0)
        for shard in self._served.ids:
            await self._report_servers(shard)
        return True

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press or a submitted form; leave commands to discord.py."""
        if interaction.type not in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            return
        if not await self.admit(interaction):
            return
        try:
            await self._press(interaction)
        except Exception as error:  # whatever is wrong with a press, somebody waits for its answer
            await self.handlers.refusals.refuse(interaction, error, None)
        finally:
            self.handlers.delivery.seats.note_answer(interaction)
            # the interaction is kept for 15 minutes for its token, but its controls (10 kB) aren't
            # needed
            if interaction.message is not None:
                interaction.message.components = []

    async def _press(self, interaction: Interaction) -> None:
        data = cast("dict[str, Any]", interaction.data)
        match ids.read(data["custom_id"]):
            case ids.OfOdds(verb, about):
                if verb != ids.STOP:
                    self.handlers.fair_use.odds(interaction.user.id)
                await self.handlers.odds.press(interaction, verb, about)
            case ids.OfTable(verb, address, choice, opened):
                self.handlers.fair_use.press(interaction.user.id, verb, choice)
                press = Press(verb, address, choice, tuple(data.get("values", ())), opened)
                submitted = interaction.type is discord.InteractionType.modal_submit
                await self.handlers.router.handle(interaction, press, submitted=submitted)
            case None:
                await answers.reply_privately(interaction, tr(MOVED_ON))

    async def admit(self, interaction: Interaction) -> bool:
        """Return whether to serve an interaction; if so, `drain` waits for the current task.

        Also set the task's language to the person's, for answers that only they see. Don't serve an
        interaction that the gateway delivers a second time, or that another process answers. While
        the bot stops, answer a press or command with a sentence, and return False.
        """
        if interaction.id in self._seen:
            return False
        self._seen.append(interaction.id)
        self._meters.note_interaction(interaction.id)
        if not await self._is_ours(interaction):
            return False
        if self._duplicates.is_certain:
            return False  # the other process answers
        if self._leaving:
            speak(by_locale(str(interaction.locale)).key)
            if interaction.type is not discord.InteractionType.autocomplete:
                await answers.reply_privately(interaction, tr(RESTARTING))
            return False
        task = asyncio.current_task()
        if task is not None:
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        person, locale = interaction.user, str(interaction.locale)
        called = SeenName(
            person.global_name or person.name,
            person.display_name if isinstance(person, discord.Member) else None,
        )
        speak(await self.handlers.people.language_now(person.id, locale, called))
        self.handlers.delivery.seats.note_touch(interaction)
        return True

    async def _is_ours(self, interaction: Interaction) -> bool:
        """Return whether this process answers an interaction, not the previous or the next process.

        Wait for up to three seconds if that isn't known yet.

        Both processes receive all interactions. Ids grow with time, so one id for each shard
        divides them: the old process answers up to this id, the new process after it.
        """
        shard = self._served.shard_of(interaction.guild_id or NO_GUILD)
        self._newest[shard] = max(interaction.id, self._newest.get(shard, 0))
        if self._ours is not None and interaction.id > self._ours.get(shard, 0):
            return False
        came = time.monotonic()
        alone = shard in self._theirs or came >= self._beside_until
        if not self._taken.is_set():
            try:
                async with asyncio.timeout(ANSWERED_WITHIN):
                    await self._taken.wait()
            except TimeoutError:
                return False
            alone = shard in self._theirs
        elif self._processes.in_doubt and not self._leaving:
            try:
                async with asyncio.timeout(DOUBT_SECONDS):
                    if not await self._processes.out_of_doubt():
                        return False
            # another process may be there, or the database is down for everyone
            except TimeoutError:
                alone = False
        interaction.extras[answers.HELD] = time.monotonic() - came
        interaction.extras[answers.UNCLAIMED] = not alone
        return interaction.id > self._theirs.get(shard, 0)

    @property
    def is_alone(self) -> bool:
        """Return whether no other process may answer for this process's shards.

        Another process with the same database may answer before this process has the shards, and
        while it is in doubt who has them. It may also answer for `BESIDE_SECONDS` after this
        process took over, unless the previous process said which answers are its last.
        """
        if not self._taken.is_set() or self._processes.in_doubt:
            return False
        return time.monotonic() >= self._beside_until or self._theirs.keys() >= {*self._served.ids}

    @property
    def stands_by(self) -> bool:
        """Return whether this process waits for another one to hand over the shards."""
        return not self._taken.is_set() and self._processes.stands_by

    @property
    def last_answered(self) -> Last:
        """Return, by shard, the id of the last interaction that this process answers.

        Before this process hands over, that is the id of the newest interaction received for the
        shard.
        """
        return self._newest if self._ours is None else self._ours

    async def is_fair(self, interaction: discord.Interaction[BotClient]) -> bool:
        """Return whether a command or keystroke is within the person's limits; if not, answer it.

        The answer to a command says when to try again. The answer to a keystroke suggests nothing.
        """
        person = interaction.user.id
        if interaction.type is discord.InteractionType.autocomplete:
            if self.handlers.fair_use.suggests(person):
                return True
            await answers.suggest_nothing(interaction)
            return False
        command = cast("dict[str, Any]", interaction.data)
        try:
            self.handlers.fair_use.command(person, command["name"])
        except TooOften as error:
            await answers.reply_privately(interaction, sentence(error))
            return False
        return True

    async def serves(self, interaction: discord.Interaction[BotClient]) -> bool:
        """Return whether a command, or a keystroke in one, can be served; if not, answer it.

        A command that needs the bot can't run in a server that invited only the commands.
        """
        if posting.is_member(interaction) or not needs_bot(interaction):
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            await answers.suggest_nothing(interaction)
        else:
            away = posting.NotInServer(interaction.application_id)
            await answers.reply_privately(interaction, sentence(away))
        return False

    async def leave_handlers(self) -> None:
        """Hand over, stop serving, and wait until running interactions are answered."""
        await self.hand_over()
        self._leaving = True
        await self.drain()

    async def hand_over(self) -> None:
        """Let a standby process, if there is one, answer all interactions from now on."""
        if self._ours is None and await self._processes.has_successor():
            self._ours = dict(self._newest)
            log.info("bot: hands over", last=dict(self._ours))
            await self._processes.leave(self._ours)

    async def drain(self) -> None:
        """Wait until no interaction is being served."""
        while self._serving:
            await asyncio.wait(self._serving)

    def is_here(self, guild_id: int) -> bool:
        """Return True if Discord has sent a server's contents, or the bot isn't in the server."""
        guild = self.get_guild(guild_id)
        return guild is None or not guild.unavailable

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Report that a server's data has arrived, after a session began or an outage ended."""
        self._arrived(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Store that the bot was added to a server, and try again to show the server's tables."""
        self._arrived(guild.id)
        await self.handlers.servers.note_joined(guild.id)
        await self.handlers.delivery.tables.retry_barred(guild.id)

    async def _retry_tables(self, *about: Any) -> None:
        """Retry showing a server's tables, as the bot's permissions there may have changed.

        `about`: the event's arguments; the last one is a channel, role, member or thread of the
        server.
        """
        await self.handlers.delivery.tables.retry_barred(about[-1].guild.id)

    on_guild_channel_update = on_guild_role_update = on_member_update = _retry_tables
    on_thread_join = on_thread_update = _retry_tables

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Store that the bot was removed from a server; a server's outage calls another method."""
        await self.handlers.servers.note_left(guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the table and the game nights of a deleted channel."""
        await self.handlers.tables.channel_gone(channel.id)
        await self.handlers.nights.channel_gone(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """End the table and the game nights of a deleted thread."""
        await self.handlers.tables.channel_gone(thread.thread_id)
        await self.handlers.nights.channel_gone(thread.guild_id, thread.thread_id)

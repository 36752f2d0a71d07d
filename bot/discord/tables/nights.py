"""Answer /night and run a server's game nights, from the plan to the ping ten minutes before.

A `DeadlineClock` triggers each stage of a night. The bot posts a message for each night in its
channel, where people sign up. If the bot may make events, the night is also a server event, but
moving or deleting the event doesn't change the night.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import discord
import structlog
from discord import app_commands, ui
from discord.ext.commands import Cog
from discord.http import Route

from bot.boards.board import Address, Board
from bot.boards.nights import (
    cancelled_text,
    day_names,
    full_text,
    missed_text,
    night_board,
    nights_board,
    nobody_text,
    playing_text,
    starting_text,
    unannounced_text,
)
from bot.boards.replay import title_of
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.commands import in_servers
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.forms import choice_field, form, open_form, text_field, zone_field
from bot.discord.layout import render
from bot.discord.outcomes import (
    NOT_TAKEN,
    UNKNOWN_MESSAGE,
    NotYet,
    code_of,
    is_refused,
    not_yet,
)
from bot.discord.posting import check_posting
from bot.discord.press import (
    Press,
    channel_of,
    fields_of,
    guild_language,
    guild_of,
    is_moderator,
    number_in,
)
from bot.discord.router import on_form, on_press
from bot.discord.sending import NOBODY, only, post_once
from bot.language.catalogues import speaking, tr
from bot.roster import people
from bot.services.tables import Tables
from bot.storage.digests import SqlDirectMessages
from bot.storage.nights import SqlNights
from bot.tables import errors, plans
from bot.tables.local_time import EXAMPLE_HOUR, LONGEST_HOUR, minute_named, zone_named
from bot.tables.model import Status
from bot.tables.nights import (
    LASTS,
    MOST,
    WAITS,
    MayNotPlan,
    Night,
    Stage,
    TooManyNights,
    is_missed,
    schedule_next,
    sign_up,
    withdraw,
)
from bot.tables.requests import NOBODY as BY_NOBODY
from bot.tables.scheduler import Alarm, Clock
from engine.variants import VARIANTS

log = structlog.get_logger(__name__)

_UNKNOWN_CHANNEL: Final = 10003
_UNKNOWN_EVENT: Final = 10070
_EXTERNAL: Final = 3  # Discord's type of an event outside voice channels
_GUILD_ONLY: Final = 2
_WEEKLY: Final = 2
EVENTS: Final = "/guilds/{guild_id}/scheduled-events"
EVENT: Final = f"{EVENTS}/{{event_id}}"


class NightHandlers(Cog):
    """Answers /night and the button *I'm in*, and carries out the due stages of nights."""

    def __init__(
        self,
        client: discord.Client,
        nights: SqlNights,
        direct_messages: SqlDirectMessages,
        clock: Clock,
        tables: Tables,
        delivery: TableDelivery,
    ) -> None:
        self._client = client
        self._nights = nights
        self._direct_messages = direct_messages
        self._clock = clock
        self._tables = tables
        self._delivery = delivery
        self.alarm = Alarm()

    # -- asked for ---------------------------------------------------------------------------------

    @app_commands.command()
    @in_servers
    async def night(self, interaction: Interaction) -> None:
        """This server's game nights; moderators and event makers plan one here."""  # noqa: D401
        await self.show(interaction)

    async def show(self, interaction: Interaction) -> None:
        """Show the asker the server's nights."""
        nights = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        board = nights_board(nights, may_plan=_may_plan(interaction))
        await answers.show(interaction, board, ephemeral=True)

    async def _here(self, interaction: Interaction) -> list[Night]:
        return await self._nights.of_guild(guild_of(interaction))

    @on_press("nightplan")
    async def _open(self, interaction: Interaction, _: Press) -> None:
        """Open the form for planning a night in this channel.

        Raises `RefusedError`, such as `MayNotPlan`.
        """
        if not _may_plan(interaction):
            raise MayNotPlan
        digest = await self._direct_messages.digest_of(interaction.user.id)
        known = [night.zone for night in await self._here(interaction)]
        zone = known[-1] if known else digest.zone if digest is not None else None
        await open_form(interaction, _form(zone))

    @on_form("nightplan")
    async def _plan(self, interaction: Interaction, _: Press) -> None:
        """Plan a night, and announce it in the channel.

        Raises `RefusedError`, such as `MayNotPlan`, `TooManyNights` or `CannotPost`.
        """
        if not _may_plan(interaction):
            raise MayNotPlan
        fields = {key: values[0] for key, values in fields_of(interaction).items() if values}
        game, day = fields.get("game", ""), fields.get("day", "")
        if game not in VARIANTS or day not in map(str, range(7)):
            raise errors.MovedOn

        async def store() -> Night:
            await check_posting(interaction)
            if len(await self._here(interaction)) >= MOST:
                raise TooManyNights
            guild = guild_of(interaction)
            language = await self._tables.language_in(guild, guild_language(interaction))
            night = Night(
                id=0,
                guild_id=guild,
                channel_id=channel_of(interaction),
                host_id=interaction.user.id,
                game=game,
                weekday=int(day),
                minute=minute_named(fields.get("hour", "")),
                zone=zone_named(fields.get("zone", "")),
                weekly=fields.get("often") != "once",
                language=language,
                starts_at=0,
                due_at=0,
            )
            night = await self._nights.add(schedule_next(night, self._clock.now()))
            return await self._with_event(night)

        night = await answers.in_time(interaction, store())
        message = await answers.show(interaction, _board(night), ephemeral=False)
        if message is not None:
            await self._nights.change(night.id, lambda now: replace(now, message_id=message))
        self.alarm.ring()
        if night.event_id is None:
            await answers.reply_privately(
                interaction,
                tr(
                    "Game night planned. To add the next one to the server's events, give me the"
                    " **Create Events** permission."
                ),
            )

    @on_press("nightcome", "nightskip")
    async def _come(self, interaction: Interaction, press: Press) -> None:
        """Sign the asker up for a night, or withdraw them from it.

        Raises `MovedOn` for a forged press or a night that is over, `TooManyComers` if no more
        people can sign up, and `StoreUnavailable`.
        """

        def change(night: Night) -> Night:
            if night.guild_id != interaction.guild_id:  # a custom id may be forged
                raise errors.MovedOn
            decide = sign_up if press.verb == "nightcome" else withdraw
            return decide(night, interaction.user.id)

        night = await answers.in_time(
            interaction, self._nights.change(number_in(press.choice) or 0, change)
        )
        if night is None:
            raise errors.MovedOn
        await answers.redraw(interaction, _board(night))

    @on_press("nightoff")
    async def _call_off(self, interaction: Interaction, press: Press) -> None:
        """Cancel a night; notify the people who signed up, unless they were already pinged.

        Raises `MayNotPlan`, `MovedOn` for a forged press, and `StoreUnavailable`.
        """
        if not _may_plan(interaction):
            raise MayNotPlan
        number = number_in(press.values[0] if press.values else "")
        if number is None:
            raise errors.MovedOn
        nights = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        off = [planned for planned in nights if planned.id == number]
        for night in off:
            await self._end(night)
        left = [planned for planned in nights if planned.id != number]
        await answers.redraw(interaction, nights_board(left, may_plan=True))
        for night in off:
            # after that stage, people have already been pinged
            if night.comers and night.stage is Stage.CALL:
                try:
                    await self._say(night, cancelled_text, "o", ping=True)
                except NotYet:
                    await answers.reply_privately(interaction, unannounced_text(night))

    async def channel_gone(self, guild_id: int, channel_id: int) -> None:
        """Delete the nights of a deleted channel, and their events."""
        try:
            for night in await self._nights.of_guild(guild_id):
                if night.channel_id == channel_id:
                    await self._end(night)
        except errors.StoreUnavailable:
            log.warning("nights: those of a deleted channel stay", channel=channel_id)

    async def _end(self, night: Night) -> None:
        """Delete a night, its message and its event."""
        await self._nights.change(night.id, lambda _: None)
        await self._take_down(night)
        await self._delete_event(night)

    # -- what happens by itself --------------------------------------------------------------------

    async def give_back(self) -> None:
        """Do nothing: a night stays at its hour after downtime."""

    async def on_deadline(self, due: Night) -> None:
        """Carry out a night's stage. Raises `NotYet` if Discord may take a message later.

        Also raises `RefusedError`, for example if the store fails.
        """
        now = self._clock.now()
        # the server's moderators may have chosen another language since the night was planned
        language = await self._tables.language_in(due.guild_id, due.language)
        due = replace(due, language=language)
        match due.stage:
            case Stage.CALL if is_missed(due, now):
                if await self._say(due, missed_text, "m"):
                    await self._renew(due)
            case Stage.CALL:
                await self._call(due)
            case Stage.CLOSE:
                await self._close_if_empty(due)
                ends = max(now, due.starts_at + LASTS)
                await self._move_on(due, stage=Stage.RENEW, due_at=ends)
            case Stage.RENEW:
                await self._renew(due)

    async def _move_on(self, night: Night, **then: Any) -> None:
        """Store the next stage of a night, unless the night's due time has changed meanwhile.

        `then`: the night's fields that change.
        """

        def move(now: Night) -> Night:
            return replace(now, **then) if now.due_at == night.due_at else now

        await self._nights.change(night.id, move)

    async def _call(self, night: Night) -> None:
        """Open the table, then ping only the people who signed up, and only once.

        If the server has too many tables, say so in the channel, and go on to the next date.
        """
        table, playing = None, False
        try:
            live = await self._tables.open_empty(
                night.guild_id, night.channel_id, night.game, night.host_id, night.language
            )
            table = live.table.id
            self._delivery.on_change(live, unseen=False)
        except errors.ChannelHasTable:  # people have opened one, or the bot did before a crash
            live = await self._tables.in_channel(night.channel_id)
            playing = live.table.status is not Status.LOBBY
            table = None if playing else live.table.id
        except errors.GuildIsFull:
            if await self._say(night, lambda _: full_text(), "f"):
                await self._renew(night)
            return
        text = playing_text if playing else starting_text
        announced = await self._say(night, text, "c", ping=True)
        if announced:
            due = self._clock.now() + WAITS
            await self._move_on(night, stage=Stage.CLOSE, due_at=due, table_id=table)

    async def _close_if_empty(self, night: Night) -> None:
        if night.table_id is None:
            return
        try:
            live = await self._tables.see(night.table_id)
            if live.table.status is not Status.LOBBY or people(live.table.players):
                return
            await self._tables.change(night.table_id, BY_NOBODY, plans.close)
        except errors.NoTable:
            return
        await self._say(night, lambda _: nobody_text(), "n")

    async def _renew(self, night: Night) -> None:
        """Announce a weekly night's next date in a new message; delete a night planned once."""
        if not night.weekly:
            await self._nights.change(night.id, lambda _: None)
            await self._take_down(night)
            return
        coming = await self._with_event(schedule_next(night, self._clock.now()))
        with speaking(coming.language):
            view = (await render(night_board(coming))).view
        message = await self._post(night, f"w{night.id}.{coming.starts_at}", NOBODY, view=view)
        if message is None:
            return
        await self._move_on(
            night,
            starts_at=coming.starts_at,
            due_at=coming.due_at,
            stage=Stage.CALL,
            table_id=None,
            comers=(),
            language=coming.language,
            event_id=coming.event_id,
            message_id=message,
        )
        await self._take_down(night)

    async def _say(self, night: Night, text: Any, kind: str, *, ping: bool = False) -> bool:
        """Post a line in a night's channel; return False if the channel is gone.

        `text`: a function that returns the line for the night. `kind`: a letter for the nonce. If
        `ping`, the line pings the people who signed up. Raises the same errors as `_post`.
        """
        with speaking(night.language):
            line = text(night)
        pinged = only(night.comers) if ping else NOBODY
        nonce = f"{kind}{night.id}.{night.starts_at}"
        return await self._post(night, nonce, pinged, content=line) is not None

    async def _post(
        self, night: Night, nonce: str, pinged: discord.AllowedMentions, **message: Any
    ) -> int | None:
        """Post a message and return its id; 0 if refused, None if the channel is gone.

        If the channel is gone, end the night. Raises `NotYet` if Discord may take the message
        later, and `StoreUnavailable` if the night can't be ended.
        """
        try:
            async with asyncio.timeout(answers.LATER_WITHIN):
                channel = self._client.get_partial_messageable(night.channel_id)
                sent = await post_once(
                    nonce, partial(channel.send, allowed_mentions=pinged, **message)
                )
                return sent.id
        except NOT_TAKEN as error:
            code = code_of(error)
            log.warning("nights: not said", night=night.id, code=code)
            if code == _UNKNOWN_CHANNEL:
                await self._end(night)
                return None
            if not is_refused(error):
                raise not_yet(error) from error
            return 0

    async def _take_down(self, night: Night) -> None:
        """Delete the message that announced a night."""
        if not night.message_id:
            return
        channel = self._client.get_partial_messageable(night.channel_id)
        try:
            await channel.get_partial_message(night.message_id).delete()
        except NOT_TAKEN as error:
            if code_of(error) != UNKNOWN_MESSAGE:
                log.info("nights: a message was not deleted", night=night.id, code=code_of(error))

    # -- Discord's events --------------------------------------------------------------------------

    async def _with_event(self, night: Night) -> Night:
        """Return the night with a server event at its hour, if the bot may make one.

        Discord repeats an event at the same hour of UTC, so the event is updated to the hour of
        each night. The library doesn't support repeating events.
        """
        if night.event_id == 0:  # 0: the event was deleted, so don't make another
            return night
        route = Route("POST", EVENTS, guild_id=night.guild_id)
        if night.event_id is not None:
            route = Route("PATCH", EVENT, guild_id=night.guild_id, event_id=night.event_id)
        with speaking(night.language):
            body = _event(night)
        try:
            async with asyncio.timeout(answers.LATER_WITHIN):
                answer = await self._client.http.request(route, json=body)
        except NOT_TAKEN as error:
            code = code_of(error)
            log.info("nights: no event", night=night.id, code=code)
            return replace(night, event_id=0) if code == _UNKNOWN_EVENT else night
        if night.event_id is None:
            night = replace(night, event_id=int(answer["id"]))
            if night.id:
                event = night.event_id
                await self._nights.change(night.id, lambda now: replace(now, event_id=event))
        return night

    async def _delete_event(self, night: Night) -> None:
        if not night.event_id:
            return
        route = Route("DELETE", EVENT, guild_id=night.guild_id, event_id=night.event_id)
        try:
            async with asyncio.timeout(answers.LATER_WITHIN):
                await self._client.http.request(route)
        except NOT_TAKEN as error:
            log.info("nights: an event stays", night=night.id, code=code_of(error))


def _board(night: Night) -> Board:
    """Return the board that announces a night."""
    with speaking(night.language):
        return night_board(night)


def _may_plan(interaction: Interaction) -> bool:
    allowed = interaction.permissions
    return is_moderator(interaction) or allowed.create_events or allowed.manage_events


def _event(night: Night) -> dict[str, Any]:
    """Return a night's event as Discord takes it; a weekly night's event repeats each week."""
    starts = datetime.fromtimestamp(night.starts_at / 1000, UTC)
    ends = datetime.fromtimestamp((night.starts_at + LASTS) / 1000, UTC)
    body: dict[str, Any] = {
        "name": tr("Game night: {title}", title=title_of(night.game)),
        "description": tr(
            "Press **I'm in** in <#{channel}>. To move the game night, use `/night`: moving this"
            " event doesn't.",
            channel=night.channel_id,
        ),
        "scheduled_start_time": starts.isoformat(),
        "scheduled_end_time": ends.isoformat(),
        "privacy_level": _GUILD_ONLY,
        "entity_type": _EXTERNAL,
        "entity_metadata": {"location": f"<#{night.channel_id}>"},
    }
    if night.weekly:
        body["recurrence_rule"] = {
            "start": starts.isoformat(),
            "frequency": _WEEKLY,
            "interval": 1,
            "by_weekday": [starts.weekday()],
        }
    return body


def _form(zone: str | None) -> ui.Modal:
    """Return a form to plan a night: day, hour, time zone, game, and how often."""
    days = [(str(n), name) for n, name in enumerate(day_names())]
    games = [(key, tr(game.title)) for key, game in VARIANTS.items()]
    often = [("weekly", tr("every week")), ("once", tr("once"))]
    return form(
        tr("A game night here"),
        ids.of_table("nightplan", Address(0)),
        choice_field("day", tr("Day"), days, "4"),
        text_field("hour", tr("Hour"), LONGEST_HOUR, example=EXAMPLE_HOUR),
        zone_field(zone),
        choice_field("game", tr("Game"), games, games[0][0]),
        choice_field("often", tr("How often"), often, "weekly"),
    )

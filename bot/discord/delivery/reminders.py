"""Remind players of their turn: one line pings the player to act, and is deleted after the turn.

The line has the button **My seat**. Players whose seats can't be updated get it at the beginning of
their turn. Players who have used the bot in the channel during the turn are not reminded. The seat
is sent again below the line.

The line goes to the channel and, for players who chose so, to them as a direct message too. In a
match over several days it goes to only one of the two, once a turn, whether or not the player has
used the bot. The messages' ids are stored, so both are deleted even after a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
import structlog

from bot.boards.turns import (
    reminder_direct_message,
    reminder_line,
    reminder_recipient,
    reminder_row,
    request_to,
)
from bot.discord.answers import Interaction
from bot.discord.delivery.direct_seats import DirectSeats
from bot.discord.delivery.driver import Driver, RequestResult, SurfacePlace
from bot.discord.delivery.machine import Act, Request, Surface, Target
from bot.discord.delivery.seats import Seats
from bot.discord.layout import row_view
from bot.discord.links import channel_link, message_link
from bot.discord.outcomes import NOT_TAKEN, RequestOutcome, code_of, is_refused, not_yet
from bot.discord.pacing import Urgency
from bot.discord.people import People
from bot.discord.sending import only, own_latest, post_once
from bot.language.catalogues import speaking
from bot.recent import Recent
from bot.roster import is_computer
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.absence import is_away
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from bot.tables.table_options import PINGS, chosen, language_of
from bot.tables.turns import Turn, is_slow, reminder, turn_of

log = structlog.get_logger(__name__)

REMEMBERED: Final = 4096  # tables to remember

WITH_TURN: Final = 0  # used as the number of a reminder that comes at once with its turn


class ReminderPlace(SurfacePlace):
    """The reminder of one table. Each due reminder has an epoch of its own."""

    kind = "reminder"

    def __init__(self, owner: Reminders, table: Table) -> None:
        epoch = -1 if table.nudge_id is None else 1
        super().__init__(Surface(Target(1, -1, present=False), table.nudge_id, epoch), table.id)
        self.table = table
        self._owner = owner
        self._due = table.nudged  # the reminder that the epoch stands for
        self._declined: str | None = None  # a reminder that its player doesn't want in the channel
        # the direct message that goes with it, its recipient, and the reminder it is for
        message_id, reader = table.letter_id, table.letter_to
        self._direct_message = (
            (message_id, reader) if message_id is not None and reader is not None else None
        )
        self._directly_reminded = table.nudged

    def observe(self, live: LiveTable) -> None:
        """Plan to show the reminder that is due, if any."""
        self.table, epoch = live.table, self.surface.target.epoch
        due = self._owner.due(live)
        if due is not None and due != self._due:
            self._due = due
            epoch += 1
        if due != live.table.nudged:
            self.surface = self.surface._replace(noted=False)
        self.want(Target(epoch, -1, present=due is not None and due != self._declined))

    def urgency(self, request: Request) -> Urgency:
        """Return how urgent a request is."""
        return Urgency.AWAITED if request.act is Act.POST else Urgency.REDRAW

    def rest(self) -> None:
        """Forget this place until the table's reminder changes."""
        self._owner.places.pop(self.table_id, None)

    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        """Make a request; see `SurfacePlace.perform`."""
        match request.act:
            case Act.POST:
                return await self._post()
            case Act.SEARCH:
                return await self._search()
            case Act.RETIRE:
                channel = self._owner.client.get_partial_messageable(self.table.channel_id)
                await channel.get_partial_message(request.message or 0).delete()
            case Act.NOTE:
                await self._note()
        return RequestResult()  # an existing reminder is never redrawn

    async def _post(self) -> RequestResult:
        """Post the reminder in the channel; it pings only the player to act.

        The result is a refusal if no reminder is due, the player wants none, or a direct message
        takes its place.
        """
        live = await self._owner.tables.see(self.table_id)
        self.observe(live)
        due, epoch = self._due, self.surface.target.epoch
        table_people = await self._owner.people.people_at(live.table)
        with speaking(language_of(live.table)):
            line = reminder_line(live, table_people.names, message_link(live.table))
            address, buttons = reminder_row(live, table_people.names)
            view = row_view(address, *buttons)
        if (
            line is None
            or due is None
            or not await self._owner.people.wants_reminders(line[0])
            or await self._send_directly(live, due, line[0])
        ):
            self._declined = due
            self.observe(live)
            return RequestResult(outcome=RequestOutcome.REFUSED)
        player, text = line
        channel = self._owner.client.get_partial_messageable(live.table.channel_id)
        send = partial(channel.send, text, allowed_mentions=only([player]), view=view)
        sent = await post_once(f"r{live.table.match_id}.{due}", send)
        return RequestResult(((sent.id, epoch),), -1)

    async def _search(self) -> RequestResult:
        latest = await own_latest(self._owner.client, self.table.channel_id)
        if latest is None:
            return RequestResult(outcome=RequestOutcome.REFUSED)
        return RequestResult(
            tuple((number, 0) for number in sorted(reminders_among(latest, self.table)))
        )

    async def _send_directly(self, live: LiveTable, due: str, player: int) -> bool:
        """Send the reminder by direct message, in a slow match, if the player wants it there.

        Return False if it must be posted in the channel.
        """
        people = self._owner.people
        if not is_slow(live.table) or not await people.wants_direct_reminders(player, live.table):
            return False
        await self._write_once(live, due)
        return (await people.known(player)).dm_open is not False

    async def _note(self) -> None:
        """Send the due reminder's direct message once, delete an outdated one, and store the ids.

        Raises `StoreUnavailable` if the ids of the channel's reminder and of the direct message
        can't be stored.
        """
        live = await self._owner.tables.see(self.table_id)
        self.observe(live)
        due = self._owner.due(live)
        await self._write_once(live, due)
        stored = await self._owner.tables.runtime.note_nudge(
            live.table.id, self.surface.message, due, self._direct_message
        )
        if not stored:
            raise errors.StoreUnavailable
        self._owner.on_posted(await self._owner.tables.see(live.table.id))

    async def _write_once(self, live: LiveTable, due: str | None) -> None:
        """Delete the last direct reminder if it isn't due any more; send the due one once."""
        if self._directly_reminded != due:
            if self._direct_message is not None:
                await self._take_back(*self._direct_message)
            self._direct_message, self._directly_reminded = None, None
        if due is not None and self._directly_reminded is None:
            self._direct_message, self._directly_reminded = await self._write(live, due), due

    async def _take_back(self, message_id: int, reader: int) -> None:
        try:
            channel = await self._owner.client.create_dm(discord.Object(reader))
            await channel.get_partial_message(message_id).delete()
        except NOT_TAKEN as error:
            log.info("reminders: not deleted", table=self.table_id, code=code_of(error))
            if not is_refused(error):
                raise not_yet(error) from error

    async def _write(self, live: LiveTable, due: str) -> tuple[int, int] | None:
        """Send the player the reminder by direct message; return the ids of message and player.

        Return None if no message was sent.
        """
        player, others = reminder_recipient(live), 0
        people, nonce = self._owner.people, f"l{live.table.match_id}.{due}"
        if player is None or not await people.wants_direct_reminders(player, live.table):
            return None
        if is_slow(live.table):
            if not await self._owner.tables.may_write(player, nonce):
                return None
            waiting = [
                request_to(waiting_table, player)
                for waiting_table in await self._owner.tables.tables_of(player)
            ]
            others = sum(text is not None for text in waiting) - 1
        table_people = await people.people_at(live.table)
        with speaking(await people.language_of(player)):
            text = reminder_direct_message(live, table_people.names, others)
        sent: list[int] = []

        async def write(channel: discord.abc.Messageable) -> None:
            sent.append((await post_once(nonce, partial(channel.send, text))).id)

        try:
            await people.write(player, write)
        except errors.StoreUnavailable:
            log.warning("reminders: nothing noted of a direct message", table=live.table.id)
        return (sent[0], player) if sent else None


@dataclass(eq=False)
class Reminders:
    """Sends, replaces and deletes reminders."""

    client: discord.Client
    people: People
    tables: Tables
    driver: Driver
    seats: Seats
    direct_seats: DirectSeats
    on_posted: Callable[[LiveTable], None]  # called for a reminder, which may push a seat up

    def __post_init__(self) -> None:
        self.places: dict[int, ReminderPlace] = {}
        self._at_once = Recent[int, str](REMEMBERED)  # by table

    def update(self, live: LiveTable, found: Sequence[int] = ()) -> None:
        """Show the reminder that is due, or none, and delete the messages with the ids in `found`.

        `live` may be older than the stored reminder. Don't delete the table's current reminder.
        """
        live = self.tables.runtime.with_nudge(live)
        number = live.table.id
        place = self.places.get(number)
        if place is None and self.due(live) == live.table.nudged and not found:
            return
        if place is None:
            place = self.places[number] = ReminderPlace(self, live.table)
        surface = place.surface
        unstored = tuple((message, 0) for message in found if message != surface.message)
        place.surface = surface._replace(retire=(*surface.retire, *unstored))
        place.observe(live)
        self.driver.wake(place)

    def begin_turn(self, live: LiveTable) -> None:
        """Begin a turn; plan a reminder at once if the player's seat can't be shown.

        Plan none for a computer player or a player who is away, or if the table has no reminders.
        """
        player, turn = reminder_recipient(live), turn_of(live.match)
        if player is None or turn is None or live.table.is_practice or is_computer(player):
            return
        self.seats.begin_turn(live, player)
        if chosen(live.table, PINGS) == "never" or is_away(live.table, player):
            return
        if self.seats.is_due(live, player) or self.direct_seats.is_due(live, player):
            return
        self._at_once[live.table.id] = _key_at_once(turn)

    def is_awaited(self, live: LiveTable) -> bool:
        """Return whether a reminder planned for the beginning of this turn is still unsent."""
        turn = turn_of(live.match)
        at_once = self._at_once.get(live.table.id)
        return turn is not None and at_once == _key_at_once(turn) != live.table.nudged

    def due(self, live: LiveTable) -> str | None:
        """Return a key for the reminder to show now, unique in its match. None if none is due."""
        turn, table = turn_of(live.match), live.table
        if turn is None or table.status is not Status.PLAYING:
            return None
        at_once = _key_at_once(turn)
        if table.nudges <= 1 and at_once in (self._at_once.get(table.id), table.nudged):
            return at_once
        due, player = reminder(table, live.match), reminder_recipient(live)
        if due is None or due == table.nudged or player is None or is_slow(table):
            return due
        return None if self.seats.was_touched(live, player) else due


def reminders_among(messages: Iterable[discord.Message], table: Table) -> list[int]:
    """Return the ids of the `messages` that remind someone of a turn at this table."""
    link = f"]({channel_link(table)}/"
    return [message.id for message in messages if link in message.content]


def _key_at_once(turn: Turn) -> str:
    return ".".join(str(part) for part in (*turn, WITH_TURN))

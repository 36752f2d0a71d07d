"""Share tokens and the effects of presses between both kinds of private seats.

A seat is drawn from the table's latest state. Until that state changes, the seat also shows the bid
that its player has put together, and notices to the player.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable
from dataclasses import dataclass, field

import discord

from bot.boards.pad import Pick
from bot.boards.seat import Notice, seat_state
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery import machine
from bot.discord.delivery.budget import expiry
from bot.discord.delivery.driver import Driver, SurfacePlace
from bot.discord.delivery.machine import Surface, Target
from bot.discord.layout import Rendered
from bot.discord.picture_job import act_when_drawn
from bot.tables.live import LiveTable
from bot.tables.turns import Turn, turn_of
from engine.state import Phase

Deal = tuple[int | None, int]  # (match, round)


@dataclass(frozen=True, slots=True)
class Pressed:
    """The effects of presses on a seat; valid while the table's state is `state`.

    `pick`: the bid chosen so far. `whole`: as in `seat_board`.
    """

    state: Hashable
    pick: Pick = field(default_factory=Pick)
    notice: Notice | None = None
    whole: bool = False


class SeatToken:
    """An interaction's token, which can edit the interaction's answer for fifteen minutes.

    In a server, it can also send, edit and delete further private messages.
    """

    __slots__ = ("_interaction", "channel_id", "client", "guild_id", "id", "until", "webhook")

    def __init__(self, interaction: Interaction) -> None:
        self.id = interaction.id
        self.client = interaction.client
        self.guild_id, self.channel_id = interaction.guild_id, interaction.channel_id
        self.until = expiry(interaction)  # on the monotonic clock, in seconds
        self.webhook = interaction.followup
        self._interaction: Interaction | None = interaction

    @property
    def is_valid(self) -> bool:
        """Return whether the token can still be used, with half a minute to spare."""
        return self.until > time.monotonic()

    @property
    def takes_more(self) -> bool:
        """Return whether the interaction is answered, so the token can send further messages."""
        return self._interaction is None or answers.takes_more(self._interaction)

    def drop_token(self) -> None:
        """Drop the interaction (8 kB) if it is answered; its token stays usable."""
        if self.takes_more:
            self._interaction = None

    def limit(self) -> asyncio.Timeout:
        """Return the timeout for one request with this token."""
        if self._interaction is None:
            return asyncio.timeout(answers.LATER_WITHIN)
        return answers.limit(self._interaction)

    async def send(self, ready: Rendered) -> discord.Message | None:
        """Answer with a private message, or send a further one; return it as `answers.send`."""
        view, files = ready.view, ready.files
        if self._interaction is not None:
            return await answers.send(self._interaction, view=view, files=files, ephemeral=True)
        return await self.webhook.send(view=view, files=files, ephemeral=True, wait=True)

    async def edit(self, message_id: int, ready: Rendered) -> None:
        """Edit a message that this token has sent, or `ORIGINAL`, the interaction's answer.

        If the interaction isn't answered yet, `ORIGINAL` is the pressed message.
        """
        if message_id == answers.ORIGINAL and self._interaction is not None:
            await answers.edit_in_place(self._interaction, ready)
        else:
            await self.webhook.edit_message(message_id, view=ready.view, attachments=ready.files)


class PrivatePlace(SurfacePlace):
    """A player's private seat at a table, ephemeral or by direct message."""

    def __init__(self, driver: Driver, table_id: int, player: int) -> None:
        super().__init__(Surface(Target(-1, 0)), table_id, player)
        self.touched: Turn | None = None  # the turn in which its player last pressed something here
        self.pressed = Pressed(None)
        self._driver = driver

    def press(self, live: LiveTable, pick: Pick, notice: Notice | None, *, whole: bool) -> None:
        """Store what a press has changed on the seat: fields as in `Pressed`."""
        self.pressed = Pressed(seat_state(live, self.player), pick, notice, whole)
        self.touched = turn_of(live.match)

    def current_press(self, live: LiveTable) -> Pressed:
        """Return the changes that presses made on the seat; none if the table has changed since."""
        if self.pressed.state != seat_state(live, self.player):
            self.pressed = Pressed(None)
        return self.pressed

    def follow(self, ready: Rendered) -> None:
        """Redraw the seat once a slow picture that `ready` lacks is drawn."""
        if ready.late:
            act_when_drawn(ready.late, self._complete)

    async def _complete(self) -> None:
        self.surface = machine.mark_stale(self.surface)
        self._driver.wake(self)


def take_press(place: PrivatePlace, interaction: Interaction) -> bool:
    """Make the pressed message the seat's own, unless the known message is newer.

    Return False if the known message is newer, or if no message was pressed.
    """
    pressed, known = interaction.message, place.surface.message or 0
    if pressed is None or pressed.id < known:
        return False
    if pressed.id > known:
        place.surface = machine.meet(place.surface, (pressed.id, pressed.id))
    return True


def deal_of(live: LiveTable) -> Deal | None:
    """Return the (match id, round number) of the deal being bid on; None if there is none."""
    match = live.match
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        return None
    return live.table.match_id, match.round.number


def is_to_act(live: LiveTable, player: int) -> bool:
    """Return whether it is a player's turn."""
    match, turn = live.match, turn_of(live.match)
    return match is not None and turn is not None and match.seat_of(player) == turn[-1]


def acts_soon(live: LiveTable, player: int) -> bool:
    """Return whether it is a player's turn or they are next."""
    match, turn = live.match, turn_of(live.match)
    if match is None or turn is None:
        return False
    following = [seat for seat in match.live if seat > turn[-1]] or match.live
    return match.seat_of(player) in (turn[-1], following[0])

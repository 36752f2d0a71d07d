"""Which way a drawing of a table's message goes: by the token of a press, or by the bot's own.

Discord counts no request by an interaction's token among those that it takes of a bot in a second.
By the token of a press that was answered in its message, or by that message, it lets the message be
edited for fifteen minutes. So a drawing goes by the newest living token of its message, unless that
token or its channel has had its share; else, and where Discord does not take it, by the bot's own.

A deal or a showdown that a press at the table has caused is the answer to that press: it stands
below as the reply to the message that was pressed. A follow-up would look the same, but has no
nonce and may be doubled; a press is answered once, however often that is tried.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final, cast

import discord
import structlog

from bot.boards.board import Board
from bot.discord import answers
from bot.discord.answers import NOT_TAKEN, Interaction
from bot.discord.layout import Rendered, rendered
from bot.discord.pacing import ByChannel
from bot.discord.seats.following import expiry

log = structlog.get_logger(__name__)

# requests by one token that go to the table's message; Discord takes five, and one is a seat's
MOST: Final = 4
IN_SECONDS: Final = 2.0
# seconds until the bot's own token is tried instead: the library waits for a limit, however long
WITHIN: Final = 1.0
# the interaction's own answer, where Discord wants a message's id, which is a number elsewhere
_ORIGINAL: Final = cast("int", "@original")


@dataclass(slots=True, eq=False)
class _Carrier:
    # an interaction's token and no more of it: it would keep the message that was pressed, 10 kB
    webhook: discord.Webhook
    until: float  # on the monotonic clock, in seconds
    sent: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))


@dataclass(slots=True, eq=False)
class Offer:
    """A press that waits to be answered by the message of the news that it has caused."""

    interaction: Interaction
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    taken: bool = False

    def close(self) -> None:
        """Nobody is going to answer it any more."""
        self.begun.set()
        self.over.set()


class Carriers:
    """Edits messages of tables; remembers by which interactions' tokens that may be done."""

    def __init__(self, by_token: ByChannel) -> None:
        self._by_token = by_token
        self._newest: OrderedDict[int, _Carrier] = OrderedDict()  # by message, the oldest first

    def remember(self, interaction: Interaction, message_id: int | None = None) -> None:
        """An interaction was answered by this message; without one, perhaps in its own."""
        if message_id is None and interaction.message is not None:
            message = interaction.message
            if answers.answered_in_place(interaction) and not message.flags.ephemeral:
                message_id = message.id
        if message_id is None or interaction.guild_id is None:
            return
        self._newest.pop(message_id, None)
        self._newest[message_id] = _Carrier(interaction.followup, expiry(interaction))
        now = time.monotonic()
        while self._newest and next(iter(self._newest.values())).until <= now:
            self._newest.popitem(last=False)

    def forget(self, message_id: int) -> None:
        """A message became a record of what was, and is not drawn again."""
        self._newest.pop(message_id, None)

    async def edit(
        self,
        message: discord.PartialMessage,
        board: Board,
        pinged: discord.AllowedMentions,
    ) -> tuple[Rendered, bool]:
        """Draw a board in a message: what was sent, and whether by the bot's own token.

        Raises what an edit by the bot does.
        """
        carrier = self._living(message)
        if carrier is not None:
            ready = await rendered(board)
            carrier.sent.append(time.monotonic())
            self._by_token.spend(message.channel.id)
            try:
                async with asyncio.timeout(WITHIN):
                    await carrier.webhook.edit_message(
                        _ORIGINAL,
                        view=ready.view,
                        attachments=ready.files,
                        allowed_mentions=pinged,
                    )
            except NOT_TAKEN as error:
                log.info("carriers: not taken", message=message.id, code=answers.code_of(error))
                if self._newest.get(message.id) is carrier:
                    del self._newest[message.id]
            else:
                return ready, False

        async def by_bot(ready: Rendered) -> None:
            await message.edit(view=ready.view, attachments=ready.files, allowed_mentions=pinged)

        ready, _ = await answers.drawn_in(None, board, by_bot)
        return ready, True

    def _living(self, message: discord.PartialMessage) -> _Carrier | None:
        """By what the message may be edited now, but for the bot's token."""
        carrier, now = self._newest.get(message.id), time.monotonic()
        if carrier is None or carrier.until <= now:
            return None
        often = len(carrier.sent) == MOST and carrier.sent[0] > now - IN_SECONDS
        return None if often or not self._by_token.has_room(message.channel.id) else carrier

"""Choose whose token redraws a table's message: a press's or the bot's own.

Discord takes fifty requests a second from one bot; requests made with an interaction's token don't
count. All tokens of one channel share about thirty requests a minute, and only they can redraw
private seats. So a bot that uses little of its own budget redraws tables itself.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import discord

from bot.discord.answers import Interaction, answered_in_place
from bot.discord.pacing import ByChannel, Pace
from bot.language.moments import host_clock

TOKEN_LIVES: Final = 14.5 * 60  # seconds; Discord's fifteen minutes, less what is in flight
LITTLE_USED: Final = 0.5  # share of the bot's own requests in a second
# requests by one token for a table's message; Discord takes five, and one is left for a seat
MOST: Final = 4
IN_SECONDS: Final = 2.0


def expiry(interaction: Interaction) -> float:
    """Return when an interaction's token stops being used, on the monotonic clock, in seconds."""
    # Discord's timestamps are by its own clock
    now = discord.utils.utcnow() - timedelta(milliseconds=host_clock.ahead)
    age = max(0.0, (now - interaction.created_at).total_seconds())
    return time.monotonic() + TOKEN_LIVES - age


@dataclass(slots=True, eq=False)
class _TableToken:
    # keep nothing more of the interaction: it would keep the pressed message, 10 kB
    webhook: discord.Webhook
    until: float  # on the monotonic clock, in seconds
    sent: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))


class TableTokens:
    """Keeps, for each table's message, the newest token of a press that may edit the message.

    `bot_budget` limits requests with the bot's own token. `token_budgets` limits requests with
    presses' tokens, for each channel.
    """

    def __init__(self, bot_budget: Pace, token_budgets: ByChannel) -> None:
        self._bot_budget = bot_budget
        self._token_budgets = token_budgets
        self._newest: OrderedDict[int, _TableToken] = OrderedDict()  # by message, the oldest first

    def remember(self, interaction: Interaction, message_id: int | None = None) -> None:
        """Keep an interaction's token for editing a message.

        `message_id`: by default, the pressed message, if it is public and the interaction was
        answered by editing it. If there is no such message, or outside servers, do nothing.
        """
        message = interaction.message
        if message_id is None and message is not None and answered_in_place(interaction):
            message_id = None if message.flags.ephemeral else message.id
        if message_id is None or interaction.guild_id is None:
            return
        self._newest.pop(message_id, None)
        self._newest[message_id] = _TableToken(interaction.followup, expiry(interaction))
        now = time.monotonic()
        while self._newest and next(iter(self._newest.values())).until <= now:
            self._newest.popitem(last=False)

    def forget(self, message_id: int) -> None:
        """Stop using tokens for a message."""
        self._newest.pop(message_id, None)

    def take(self, message_id: int, channel: int) -> discord.Webhook | None:
        """Return the webhook for one edit of a message, and count the edit.

        `channel`: the message's channel id. Return None if the bot's own token must be used.
        """
        token, now = self._newest.get(message_id), time.monotonic()
        if token is None or token.until <= now:
            return None
        often = len(token.sent) == MOST and token.sent[0] > now - IN_SECONDS
        if often or self._bot_budget.share_used < LITTLE_USED:
            return None
        if not self._token_budgets.has_room(channel):
            return None
        token.sent.append(now)
        self._token_budgets.spend(channel)
        return token.webhook

# ruff: noqa: ASYNC110 - what people see changes when the bot has answered
"""Read the answers of `/odds` from the screen.

If an answer never comes, pytest's time-out ends the wait.
"""

from __future__ import annotations

import asyncio
import re

import discord

from bot.sandbox.driver import ActOutcome
from bot.sandbox.screen import SeenMessage
from tests.bot.harness import Table, plain


def private_text(out: ActOutcome) -> str:
    assert out.seen.ephemeral
    return out.text


async def until(at: Table, message: SeenMessage, says: str) -> SeenMessage:
    """Wait until the message contains a text; return the message."""
    while says not in plain((now := await at.host.current(message)).text):
        await asyncio.sleep(0.01)
    return now


async def last(at: Table, says: str) -> SeenMessage:
    """Wait until the newest message in the channel contains a text; return the message."""
    while not (messages := at.host.visible(at.channel)) or says not in plain(messages[-1].text):
        await asyncio.sleep(0.01)
    return messages[-1]


async def plant_button(at: Table, custom_id: str) -> SeenMessage:
    """Post a message with a button as an older version may have left it; return the message."""
    channel = at.bot.client.get_partial_messageable(int(at.channel.id))
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Old", custom_id=custom_id))
    await channel.send("old", view=view)
    view.stop()
    return at.host.visible(at.channel)[-1]


async def ask_showdown(at: Table, **typed: object) -> SeenMessage:
    """Ask `/odds showdown` and return the answer, waiting if the bot first says it takes longer."""
    out = await at.host.slash(at.channel, "odds showdown", **typed)
    while not re.search(
        r"exact|sampled|dokładnie|z próby", (now := await at.host.current(out.seen)).text
    ):
        await asyncio.sleep(0.01)
    return now

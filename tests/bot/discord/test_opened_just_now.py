"""A table that is pressed before the bot has heard that Discord took the answer that opened it."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from tests.bot.conftest import Seat
from tests.bot.house import whispered
from tests.people import until

THAI = "Thai Poker"


async def test_is_shown_once(table: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    at = await table(3)
    heard = asyncio.Event()
    send = discord.InteractionResponse.send_message

    async def sent(response: Any, *of: Any, **more: Any) -> Any:
        taken = await send(response, *of, **more)
        if response._parent.type is discord.InteractionType.application_command:
            await heard.wait()
        return taken

    monkeypatch.setattr(discord.InteractionResponse, "send_message", sent)
    out = await at.host.slash(at.channel, "play", game=THAI)
    assert out.message is not None
    await at.people[1].click(out.message, "Join")
    # another message would come now
    await asyncio.wait(set(at.bot.publisher._workers.values()), timeout=0.3)
    said = await whispered(at.people[2].click(out.message, "Leave"))
    assert said == "You have no seat at this table."
    heard.set()
    await until(lambda: not at.bot.publisher.messages._answering)
    await at.settle()
    assert [one.id for one in at.public()] == [out.message.id]
    assert "2 of 10" in at.shown().text

"""Which of the bot's commands a person finds where they are."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.sandbox.errors import CannotDo
from tests.bot.sandbox.raw import Raw
from tests.people import Snug


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


def command(name: str, **more: object) -> dict[str, object]:
    """A command as the bot registers it."""
    return {"name": name, "description": "Does it", "type": 1} | more


async def registered(snug: Snug, raw: Raw, *commands: dict[str, object]) -> None:
    """Register them for the whole application."""
    path = f"/applications/{snug.world.state.bot.id}/commands"
    status, _ = await raw.api("PUT", path, list(commands))
    assert status == 200


async def test_discords_own_commands_hide_the_bots(snug: Snug, raw: Raw) -> None:
    await registered(snug, raw, command("me"), command("ours"))
    with pytest.raises(CannotDo, match="There is no command /me here; there are: /ours"):
        await snug.ann.slash(snug.table, "me")

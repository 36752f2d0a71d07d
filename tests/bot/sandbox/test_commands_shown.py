"""Which of the bot's commands a person finds where they are."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.sandbox.client_input import available
from bot.sandbox.discord_state import Channel
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


async def test_a_command_is_where_it_was_installed_and_says_that_it_is(
    snug: Snug, raw: Raw
) -> None:
    everywhere = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
    servers = {"integration_types": [0], "contexts": [0]}
    commands = (command("both", **everywhere), command("servers", **servers), command("silent"))
    await registered(snug, raw, *commands)
    ann = snug.world.state.users[snug.ann.id]
    group = snug.world.add_group("weekend", snug.ann, snug.bob)
    letters = snug.world.places.dm_channel(ann)

    def shown(channel: Channel) -> list[str]:
        return [one["name"] for one in available(snug.world.state, ann, channel)]

    assert shown(snug.table) == ["both", "servers", "silent"]
    assert shown(letters) == ["both", "silent"]
    assert shown(group) == []
    snug.server.guild.has_app = False
    assert shown(snug.table) == []
    ann.has_app = True
    assert shown(snug.table) == ["both", "silent"]  # who says nothing is wherever that is allowed
    assert shown(group) == ["both", "silent"]


async def test_commands_for_an_installation_that_the_application_does_not_allow_are_refused(
    snug: Snug, raw: Raw
) -> None:
    snug.world.state.installs = [0]
    await registered(snug, raw, command("servers", integration_types=[0]))
    path = f"/applications/{snug.world.state.bot.id}/commands"
    status, refused = await raw.api("PUT", path, [command("both", integration_types=[0, 1])])
    assert (status, refused["code"]) == (400, 50035)
    assert refused["errors"]["0"]["integration_types"]["1"]["_errors"]
    _, kept = await raw.api("GET", path)
    assert [one["name"] for one in kept] == ["servers"]

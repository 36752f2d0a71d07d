"""Who may look back on a match: who played it, and who sees its channel."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, create_autospec

import discord
import pytest

from bot.discord.replays.handlers import may_see
from bot.tables.model import KeptMatch, MatchStatus, StoredMatch

ANN, EVE = 101, 909
GUILD, CHANNEL, ELSEWHERE = 1, 2, 3


def kept(channel: int = CHANNEL, guild: int = GUILD) -> KeptMatch:
    match = StoredMatch(
        7, 1, "thai_poker", 1, {}, (ANN, 102), None, MatchStatus.WON, 0, 1, actions=()
    )
    return KeptMatch(match, {}, guild, channel)


def channel_with(kind: Any = discord.TextChannel, **allowed: bool) -> Any:
    channel = create_autospec(kind, instance=True)
    channel.permissions_for.return_value = discord.Permissions(**allowed)
    return channel


OPEN = channel_with(view_channel=True, read_message_history=True)
HIDDEN = channel_with(read_message_history=True)


def asks(
    player: int,
    here: int | None = ELSEWHERE,
    channel: Any = None,
    guild: int = GUILD,
    history: bool = True,
) -> Any:
    """Somebody asks in the channel `here` of a server in which the match's channel is `channel`.

    `history`: they see what was said in `here` before.
    """
    member = create_autospec(discord.Member, instance=True)
    member.id = player
    gone = discord.NotFound(SimpleNamespace(status=404, reason="Not Found"), "Unknown Channel")
    found = AsyncMock(side_effect=gone if channel is None else None, return_value=channel)
    place = SimpleNamespace(id=guild, fetch_channel=found)
    allowed = discord.Permissions(view_channel=True, read_message_history=history)
    return SimpleNamespace(user=member, channel_id=here, guild=place, permissions=allowed)


async def test_who_played_may_see_it_anywhere() -> None:
    alone = SimpleNamespace(user=SimpleNamespace(id=ANN), channel_id=None, guild=None)
    assert await may_see(alone, kept())  # type: ignore[arg-type]
    assert await may_see(asks(ANN, channel=HIDDEN), kept())


async def test_who_asks_in_the_channel_itself_sees_it() -> None:
    assert await may_see(asks(EVE, here=CHANNEL, channel=HIDDEN), kept())


async def test_who_does_not_see_what_was_said_in_the_channel_before_sees_no_replay_there() -> None:
    assert not await may_see(asks(EVE, here=CHANNEL, channel=OPEN, history=False), kept())
    assert await may_see(asks(ANN, here=CHANNEL, channel=OPEN, history=False), kept()), (
        "who played does"
    )


async def test_elsewhere_in_the_server_it_is_as_the_channel_allows() -> None:
    assert await may_see(asks(EVE, channel=OPEN), kept())
    assert not await may_see(asks(EVE, channel=HIDDEN), kept())
    assert not await may_see(asks(EVE, channel=None), kept()), "a channel that is gone"
    blind = channel_with(view_channel=True)
    assert not await may_see(asks(EVE, channel=blind), kept()), "what was said before is hidden"


async def test_in_another_server_or_a_direct_message_it_is_not_shown() -> None:
    assert not await may_see(asks(EVE, channel=OPEN, guild=GUILD + 1), kept())
    alone = SimpleNamespace(user=SimpleNamespace(id=EVE), channel_id=9, guild=None)
    assert not await may_see(alone, kept())  # type: ignore[arg-type]
    no_member = asks(EVE, channel=OPEN)
    no_member.user = SimpleNamespace(id=EVE)
    assert not await may_see(no_member, kept())


async def test_a_practice_is_its_players_own() -> None:
    assert await may_see(asks(ANN, here=-ANN), kept(channel=-ANN, guild=0))
    assert not await may_see(asks(EVE, here=-ANN), kept(channel=-ANN, guild=0))


@pytest.mark.parametrize(("private", "manages", "seen"), [(0, 0, 1), (1, 0, 0), (1, 1, 1)])
@pytest.mark.parametrize("open_parent", [True, False])
async def test_a_thread_is_seen_as_its_channel_is_and_a_private_one_by_who_manages_threads(
    private: int, manages: int, seen: int, open_parent: bool
) -> None:
    parent = channel_with(
        view_channel=open_parent, read_message_history=True, manage_threads=bool(manages)
    )
    thread = create_autospec(discord.Thread, instance=True)
    thread.is_private.return_value = bool(private)
    thread.guild.fetch_channel = AsyncMock(return_value=parent)
    assert await may_see(asks(EVE, channel=thread), kept()) is (bool(seen) and open_parent)

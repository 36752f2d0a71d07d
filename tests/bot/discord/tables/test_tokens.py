"""By whose interaction a seat may come anew: the newest at the table that is answered and lives."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord.seats import following
from bot.discord.seats.following import TOKEN_LIVES, Tokens
from bot.tables.live import LiveTable
from tests.bot.boards.rounds import LIARS, table

PLAYER, DEAL = 7, (1, 2)
LIVE = LiveTable(table(LIARS))


def pressed(
    *, answered: bool = True, promised: bool = False, channel: int = LIVE.table.channel_id
) -> Any:
    """An interaction of the player's, just now."""
    kind = discord.InteractionResponseType
    return SimpleNamespace(
        guild_id=1,
        channel_id=channel,
        user=SimpleNamespace(id=PLAYER),
        created_at=discord.utils.utcnow(),
        client=SimpleNamespace(get_guild=lambda _: object()),
        extras={},
        response=SimpleNamespace(
            is_done=lambda: answered,
            type=kind.deferred_channel_message if promised else kind.message_update,
        ),
    )


def newest(known: Tokens, deal: object = DEAL) -> Any:
    return known.newest(LIVE, PLAYER, deal)


@pytest.fixture
def known() -> Tokens:
    return Tokens()


def test_the_newest_is_taken(known: Tokens) -> None:
    assert newest(known) is None
    first, second = pressed(), pressed()
    for one in (first, second):
        known.remember(LIVE.table.id, one)
        assert newest(known) is one
    assert known.of(LIVE.table.id) == [(LIVE.table.id, PLAYER)]


@pytest.mark.parametrize(
    "late", [pressed(answered=False), pressed(promised=True), pressed(channel=99)]
)
def test_one_that_is_not_answered_or_was_elsewhere_leaves_it_to_the_one_before(
    known: Tokens, late: Any
) -> None:
    """What is sent by a promised answer's token would become that answer."""
    first = pressed()
    known.remember(LIVE.table.id, first)
    known.remember(LIVE.table.id, late)
    assert newest(known) is first


def test_in_a_direct_message_nothing_is_remembered(known: Tokens) -> None:
    asked = pressed()
    asked.guild_id = None
    known.remember(LIVE.table.id, asked)
    assert newest(known) is None


def test_each_deal_is_followed_once_whatever_is_pressed_after_it(known: Tokens) -> None:
    known.remember(LIVE.table.id, pressed())
    known.used((LIVE.table.id, PLAYER), DEAL)
    known.remember(LIVE.table.id, pressed())
    assert newest(known) is None
    assert newest(known, (1, 3)) is not None


def test_it_is_given_up_before_discord_refuses_it(
    known: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    known.remember(LIVE.table.id, pressed())
    began = time.monotonic()
    for passed, lives in ((TOKEN_LIVES - 30, True), (TOKEN_LIVES, False)):
        clock = SimpleNamespace(monotonic=lambda at=began + passed: at)
        monkeypatch.setattr(following, "time", clock)
        assert (newest(known) is not None) is lives
    assert TOKEN_LIVES < 15 * 60

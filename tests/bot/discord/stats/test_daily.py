"""The deal of the day in Discord: played in private, shared by a press, and a server's boards."""

from __future__ import annotations

import pytest

from bot.boards.board import Text
from bot.boards.practice import practice_board
from bot.boards.seat import Notice
from bot.sandbox.driver import Person
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_practice import LIARS, THAI, offered, screen, thought
from tests.bot.house import Table, whispered
from tests.bot.practising import practise

DAILY = "Deal of the day: the same for everybody, once"
SQUARES = "🟦⬜🟧"


async def play_today(at: Table, game: str, *, first: str = "Next: ") -> str:
    """The host's deal of today from its beginning to its end; what stands on the screen then.

    `first`: the button of their first bid, where they may choose.
    """
    await practise(at.host, at.channel, game, against=DAILY)
    while True:
        now = await thought(at, at.channel)
        if "Share" in now.buttons:
            return now.text
        if "Next round" in now.buttons:
            assert "Give up" in now.buttons
            await at.host.click(now, "Next round")
            continue
        assert "Hint" not in now.buttons
        doubt = [label for label in ("Check bid", "Challenge") if label in now.buttons]
        if doubt and first == "Next: ":
            await at.host.click(now, doubt[0])
            continue
        first = "Next: "
        await at.host.click(now, await offered(at, at.channel, "Next: ", "Lowest"))
        made = await offered(at, at.channel, "Bid ", "Call ")
        await at.host.click(screen(at, at.channel), made)


def as_host(at: Table, person: Person) -> Table:
    return Table(at.world, at.bot, at.channel, [person, *at.people])


@pytest.mark.parametrize("game", [LIARS, THAI])
async def test_a_deal_is_played_in_private_once_and_shared_by_a_press(
    table: Seat, game: str
) -> None:
    at = await table(2)
    text = await play_today(at, game)
    assert f"**Deal of the day · {game}**" in text
    told = next(line for line in text.splitlines() if set(line) <= set(SQUARES) and line)
    assert "survived" in text
    assert at.people[1].visible(at.channel) == []  # nobody else has seen anything

    await at.host.click(screen(at, at.channel), "Board")
    board = screen(at, at.channel).text
    assert f"1. <@{at.host.id}>" in board
    assert told in board
    assert "This week" in board
    assert at.people[1].visible(at.channel) == []

    await practise(at.host, at.channel, game, against=DAILY)  # once a day
    again = screen(at, at.channel)
    assert told in again.text
    assert "The next deal comes" in again.text

    await at.host.click(again, "Share")
    (shared,) = at.people[1].visible(at.channel)
    assert told in shared.text
    assert f"<@{at.host.id}>" in shared.text
    # it tells of no card and of no bid
    assert "pair" not in shared.text.lower()
    for row in shared.components:
        assert row.get("label") is None

    await at.people[1].slash(at.channel, "records", what="Deal of the day")
    public = at.people[1].visible(at.channel)[-1]
    assert told in public.text


async def test_a_result_is_shared_as_often_as_posts_may_be(table: Seat) -> None:
    at = await table(2, fair_use={"posts_per_minute": 1})
    await play_today(at, THAI)
    over = screen(at, at.channel)
    await at.host.click(over, "Share")
    assert "That was a lot at once" in await whispered(at.host.click(over, "Share"))
    assert len(at.people[1].visible(at.channel)) == 1


async def test_where_the_bot_is_not_a_deal_is_played_and_is_on_no_board(table: Seat) -> None:
    at = await table(2)
    at.world.state.users[at.host.id].has_app = True
    at.world.server("The Snug").remove_bot()
    assert at.bot is not None
    await at.bot.client.wait_for("guild_remove")
    await practise(at.host, at.channel, THAI, against=DAILY)
    live = await at.bot.tables.in_channel(-int(at.host.id))
    assert live.table.daily_guild == 0


async def test_the_coach_says_where_the_field_went_another_way(table: Seat) -> None:
    at = await table(2)
    await play_today(at, THAI, first="bid")
    over = screen(at, at.channel)
    await at.host.click(over, "What others did")
    assert "compared with 0 others" in screen(at, at.channel).text
    other = as_host(at, at.people[1])
    await play_today(other, THAI)
    await at.host.click(over, "What others did")
    said = screen(at, at.channel).text
    assert "compared with 1 other who" in said
    assert "you chose" in said
    assert "1 of 1 chose" in said
    assert "to win the match after yours" in said
    assert at.people[1].name not in said


async def test_a_practice_waits_for_the_deal_and_a_forged_button_shows_nothing(
    table: Seat,
) -> None:
    at = await table(2)
    await practise(at.host, at.channel, THAI, against=DAILY)
    await practise(at.host, at.channel, LIARS)
    now = await thought(at, at.channel)
    (live,) = at.bot.tables.runtime.all()
    assert live.table.variant == "thai_poker"
    names = await at.bot.client.handlers.people.company(live.table)
    told = Notice("the deal comes first")
    board = practice_board(live, int(at.host.id), names.names, notice=told)
    assert Text("> the deal comes first") in board.blocks
    for choice in ("thai_poker.739581", "whist.739581", "thai_poker.0", "thai_poker", "x.1"):
        for verb in ("dshare", "dfield"):
            forged = at.host.forge(now, f"bh:{verb}:0:0:0:{choice}")
            assert "moved on" in await whispered(forged)
    assert "moved on" in await whispered(at.host.forge(now, "bh:dboard:0:0:0:thai_poker"))
    assert "moved on" in await whispered(at.host.forge(now, "bh:daily:0:0:0:whist"))
    assert "moved on" in await whispered(at.host.forge(now, f"bh:hint:{live.table.id}:0:0"))

"""Faults of Discord and of the connection, with one real process for all tests.

After each fault no confirmed move is lost, the player was told the truth, and the table goes on by
itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio

from benchmarks.setup import PATIENCE
from bot.sandbox.errors import CannotDo
from tests.bot.faulted import THAI, Faulted, run_faulted
from tests.bot.standing_discord import ELSEWHERE

pytestmark = [
    pytest.mark.process,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="module"),
]
ANSWERS, POSTS, EDITS = "POST /interactions/*", "POST /channels/*", "PATCH /channels/*"
SOON = 0.05  # seconds until a limit is over
CONFIGURATION = 78


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Faulted]:
    """Yield a real process with a match of two under way."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HEARTBEAT_MS", "300")
        folder = tmp_path_factory.mktemp("wire")
        # seconds; before it begins another session the client library is silent for five itself
        async with run_faulted(folder, disk=False, SILENCE="7") as setup:
            await setup.setup.start()
            await setup.setup.begin(THAI)
            yield setup


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def goes_on(process: Faulted) -> AsyncIterator[None]:
    """End each test's fault; check that play goes on, one table asks to act, nothing is lost."""
    await process.move()
    await process.ready()
    yield
    await process.setup.world.fault("clear")
    await process.move()
    await process.look()


# -- requests -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit",
    [
        {"times": 2},
        {"headers": False},
        {"shared": True},
        {"everywhere": True},
        {"everywhere": True, "headers": False},
    ],
    ids=["route", "no-headers", "shared", "global", "global-no-headers"],
)
async def test_an_answer_that_is_rate_limited_is_given_a_moment_later(
    process: Faulted, limit: dict[str, Any]
) -> None:
    await process.setup.world.fault("rate_limit", route=ANSWERS, retry_after=SOON, **limit)
    await process.move()


@pytest.mark.parametrize("status", [500, 502])
async def test_an_answer_that_meets_an_error_once_is_given_again(
    process: Faulted, status: int
) -> None:
    await process.setup.world.fault("server_error", route=ANSWERS, status=status)
    await process.move()


@pytest.mark.parametrize("cut", [False, True], ids=["error", "cut"])
async def test_an_answer_that_was_applied_and_lost_is_no_failure(
    process: Faulted, cut: bool
) -> None:
    await process.setup.world.fault("lose_answer", route=ANSWERS, cut=cut)
    await process.move()


REFUSALS: dict[str, tuple[str, dict[str, Any]]] = {
    "banned": ("rate_limit", {"via": False}),
    "403": ("refuse", {"status": 403, "code": 50001}),
    "10062": ("refuse", {"status": 404, "code": 10062}),
    "40060": ("refuse", {"status": 400, "code": 40060}),
    "500": ("server_error", {}),
    "hang": ("hang", {}),
}


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_move_whose_answer_is_not_taken_stands_and_the_table_shows_it(
    process: Faulted, refusal: str
) -> None:
    fault, options = REFUSALS[refusal]
    # a bot that is slow promises the answer first: neither is taken
    await process.setup.world.fault(fault, route=ANSWERS, times=9, **options)
    before = process.actions()
    act, message, person = await process.choose()
    if refusal in ("500", "hang"):  # the bot gives the answer up after three seconds
        await process.until_turn_passed(person)
    await process.check_unanswered(act)
    await process.until_turn_passed(person)
    assert process.actions() == before + 1
    assert (await process.setup.table_message()).id == message.id


@pytest.mark.parametrize(("status", "code"), [(400, 30046), (404, 10008)], ids=["30046", "10008"])
async def test_a_message_that_can_no_longer_be_edited_is_posted_again(
    process: Faulted, status: int, code: int
) -> None:
    before, person = await process.setup.table_message(), await process.setup.turn()
    # too old for the redraw, and for saying where the table is now
    times = 2 if code == 30046 else 1
    await process.setup.world.fault("refuse", route=EDITS, status=status, code=code, times=times)
    await bid_by_command(process)
    await process.until_turn_passed(person)
    assert (await process.setup.table_message()).id != before.id
    if code == 30046:  # it goes, as its buttons would lead nowhere
        await until_gone(process, before.id)
    else:
        await until_asked_once(process, since=before.id)


async def test_a_deleted_message_is_posted_again(process: Faulted) -> None:
    before, person = await process.setup.table_message(), await process.setup.turn()
    world = process.setup.world
    await world.fault("lose_message", channel=process.setup.channel, message=before.id)
    select = before.select()
    command = str(select["options"][0]["label"])
    out = await (await person.slash(process.setup.channel, "bid", hand=command)).settle()
    assert out.message is not None
    async with asyncio.timeout(PATIENCE):
        while int((await process.setup.table_message()).id) <= int(before.id):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await process.until_turn_passed(person)


@pytest.mark.parametrize("status", [500, 502, 401])
async def test_a_refused_redraw_is_made_up_by_the_next(process: Faulted, status: int) -> None:
    person = await process.setup.turn()
    await process.setup.world.fault("refuse", route=EDITS, status=status, code=0)
    await bid_by_command(process)
    if status != 401:
        await process.until_turn_passed(person)
        return
    await process.setup.world.fault("clear")
    await (await person.slash(process.setup.channel, "table")).settle()
    await process.until_turn_passed(person)


async def bid_by_command(process: Faulted) -> None:
    """Bid by a command as the player in turn, so that the bot must edit the table's message."""
    message, person = await process.setup.table_message(), await process.setup.turn()
    hand = str(message.select()["options"][0]["label"])
    out = await (await person.slash(process.setup.channel, "bid", hand=hand)).settle()
    assert out.message is not None
    process.acknowledged.append(str(out.interaction_id))


async def tables(process: Faulted) -> list[Any]:
    """Return the channel's table messages, as the first person sees them."""
    messages = await process.setup.people[0].visible(process.setup.channel)
    return [message for message in messages if not message.ephemeral and message.components]


async def until_gone(process: Faulted, message: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while message in [table.id for table in await tables(process)]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def until_asked_once(process: Faulted, since: str) -> None:
    """Wait until at most one message asks somebody to act.

    Until then, delete the message `since` (an id), which the bot can't edit.
    """
    async with asyncio.timeout(PATIENCE):
        while len([table for table in await tables(process) if "**to act**" in table.text]) > 1:
            with suppress(CannotDo):  # the bot may have found and deleted it by itself
                await process.setup.world.fault(
                    "lose_message", channel=process.setup.channel, message=since
                )
            await asyncio.sleep(0.01)


# -- places ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["channel", "thread"])
async def test_a_table_whose_place_is_deleted_is_ended_and_the_others_go_on(
    process: Faulted, place: str
) -> None:
    world, host = process.setup.world, process.setup.people[0]
    if place == "thread":
        await host.open_thread(process.setup.channel, "aside")
    channel = await world.channel("aside" if place == "thread" else "general")
    await (await host.slash(channel, "play", game=THAI)).settle()
    status = f"select status from tables where channel_id = {channel}"
    assert process.query(status) == [("lobby",)]
    await world.fault("lose_channel", channel=channel)
    async with asyncio.timeout(PATIENCE):
        while process.query(status) != [("closed",)]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_deleted_server_is_noticed_and_the_others_go_on(process: Faulted) -> None:
    world, host = process.setup.world, process.setup.people[0]
    await (await host.slash(await world.channel(ELSEWHERE), "play", game=THAI)).settle()
    view = await world.ask("GET", "/page/view", query={"as": host.id})
    (guild,) = [
        guild_seen["id"]
        for guild_seen in view["guilds"]
        if ELSEWHERE in [channel["name"] for channel in guild_seen["channels"]]
    ]
    await world.fault("lose_guild", guild=guild)
    line = await process.until_logged("a server has removed the bot")
    assert str(line["guild"]) == guild


# -- the gateway ----------------------------------------------------------------------------------

SESSION_LOST: dict[str, tuple[str, dict[str, Any]]] = {
    "op9": ("invalidate_sessions", {}),
    "4009": ("close_gateway", {"code": 4009}),
}
SESSION_KEPT: dict[str, tuple[str, dict[str, Any]]] = {
    "op7": ("reconnect", {}),
    "op9-resumable": ("invalidate_sessions", {"resumable": True}),
    "1001": ("close_gateway", {"code": 1001}),
    "4000": ("close_gateway", {"code": 4000}),
    "cut": ("drop_sockets", {}),
    "zombie": ("deafen_gateway", {}),
}


@pytest.mark.parametrize("fault", SESSION_KEPT)
async def test_presses_during_a_lost_session_count_once_it_is_resumed(
    process: Faulted, fault: str
) -> None:
    name, options = SESSION_KEPT[fault]
    await process.setup.world.fault(name, **options)
    await process.move()


@pytest.mark.parametrize("fault", SESSION_LOST)
async def test_after_a_new_session_the_table_goes_on_in_place(process: Faulted, fault: str) -> None:
    name, options = SESSION_LOST[fault]
    before, ready = await process.setup.table_message(), len(process.log_lines("discord: ready"))
    await process.setup.world.fault(name, **options)
    await process.until_logged("discord: ready", ready)
    await process.move()
    assert (await process.setup.table_message()).id == before.id


async def test_events_that_come_twice_count_once(process: Faulted) -> None:
    await process.setup.world.fault("duplicate_events", times=6)
    for _ in range(3):
        await process.move()


async def test_presses_that_come_in_the_wrong_order_are_judged_as_they_come(
    process: Faulted,
) -> None:
    before = process.actions()
    await process.setup.world.fault("reverse_events", count=2)
    act, _, person = await process.choose()
    onlooker = next(player for player in process.setup.people if player.id != person.id)
    command = asyncio.create_task(onlooker.slash(process.setup.channel, "table"))
    await act
    await (await command).settle()
    await process.until_turn_passed(person)
    assert process.actions() == before + 1


async def test_a_token_that_is_taken_back_ends_the_bot_in_one_line_and_the_next_goes_on(
    process: Faulted,
) -> None:
    before = len(process.log)
    await process.setup.world.fault("close_gateway", code=4004)
    bot = process.setup.bot
    assert bot is not None
    assert await asyncio.to_thread(bot.wait, PATIENCE) == CONFIGURATION
    assert "(4004)" in process.log.strip().splitlines()[-1]
    assert "Traceback" not in process.log[before:]
    await process.setup.start()

"""By which way the table's message is drawn: a press's token where there is one, else the bot's."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.discord import answers
from bot.discord.pacing import BY_TOKENS, KEPT
from bot.discord.publisher import publisher
from bot.discord.publisher.carriers import IN_SECONDS, MOST
from bot.tables.errors import StoreUnavailable
from bot.tables.live import LiveTable
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import DRAWN, EDIT, POST, Costs
from tests.bot.discord.tables.test_late_answers import Held
from tests.bot.house import Table, whispered
from tests.people import until

THAI = "Thai Poker"
ANSWERS, BY_TOKEN = "POST /interactions/*", "PATCH /webhooks/*"


async def drawn(at: Table, hand: str) -> tuple[int, int]:
    """Bid by command: how often the table was drawn by a token for it, and by the bot's own."""
    costs = Costs(at)
    await whispered(at.turn().slash(at.channel, "bid", hand=hand))
    asked = await costs.since()
    return asked[DRAWN], asked[EDIT]


def decks(at: Table) -> list[str]:
    """The messages that show the table, one for each deal and showdown."""
    return [one.id for one in at.public() if {"My seat", "Next round"} & set(one.buttons)]


async def test_a_token_that_is_used_up_is_not_used(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    for carrier in at.bot.publisher.carriers._newest.values():
        carrier.until = time.monotonic() - 1
    assert await drawn(at, "99") == (0, 1)


async def test_one_that_discord_does_not_take_is_forgotten_and_the_bot_draws(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    at.world.faults.refuse("PATCH /webhooks/*/@original", status=401, code=50027)
    costs = Costs(at)
    await whispered(at.turn().slash(at.channel, "bid", hand="99"))
    assert (await costs.since())[EDIT] == 1
    assert "nines" in at.standing()
    assert await drawn(at, "pair of tens") == (0, 1)


async def test_a_press_at_the_message_is_the_next_to_carry(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    at.bot.publisher.carriers._newest.clear()
    assert await drawn(at, "99") == (0, 1)
    await at.call(at.turn())
    assert await drawn(at, "pair of aces") == (1, 0)


async def test_a_look_at_ones_seat_is_not_answered_in_the_message_and_carries_nothing(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    at.bot.publisher.carriers._newest.clear()
    await at.host.click(at.shown(), "My seat")
    assert await drawn(at, "99") == (0, 1)


async def test_a_channel_whose_share_is_spent_is_drawn_by_the_bot(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    channel, carriers = int(at.channel.id), at.bot.publisher.carriers
    message = at.bot.publisher.messages.of(await at.live())
    assert message is not None
    carriers._by_token._paced = True
    for _ in range(BY_TOKENS - KEPT - 1):
        carriers._by_token.spend(channel)
    assert carriers._living(message) is not None
    carriers._by_token.spend(channel)
    # what is left is for the seat of whoever is to act: nothing but a token draws that
    assert carriers._living(message) is None


async def test_a_token_that_has_had_its_share_rests(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    message = at.bot.publisher.messages.of(await at.live())
    assert message is not None
    carriers, now = at.bot.publisher.carriers, time.monotonic()
    carrier = carriers._newest[message.id]
    carrier.sent.extend([now] * (MOST - 1))
    assert carriers._living(message) is carrier
    carrier.sent.append(now)
    assert carriers._living(message) is None
    carrier.sent.extend([now - IN_SECONDS] * MOST)
    assert carriers._living(message) is carrier


async def test_a_table_that_came_as_a_follow_up_is_not_drawn_in_what_was_pressed(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a press is promised in its own message stays the token's: the table is another."""
    at = await table(2)
    shown = (await at.host.slash(at.channel, "help")).message
    assert shown is not None
    await (await at.host.click(shown, "Play")).settled()
    which = await at.host.current(shown)
    held = Held(at, monkeypatch, "open")
    with monkeypatch.context() as now:
        now.setattr(answers, "DEFER_AFTER", 0.0)
        pressed = asyncio.create_task(at.host.click(which, THAI))
        await held.reached.wait()
        assert (await pressed).kind == "deferred_update"
    held.let.set()
    await until(lambda: bool(at.public()))
    await at.settle()
    assert (await at.live()).table.message_id == int(at.shown().id)
    await at.bot.publisher.redraw((await at.live()).table.id)
    await at.settle()
    assert (await at.host.current(which)).text == which.text


async def test_what_became_a_record_is_not_kept(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.settle()  # each press is over before the message that it was made at becomes a record
    await at.host.click(at.shown(), "Start")
    await at.settle()
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    await at.settle()
    assert list(at.bot.publisher.carriers._newest) == [int(at.shown().id)]


@pytest.mark.parametrize("cut", [False, True])
async def test_a_deal_whose_answer_is_lost_is_not_dealt_out_twice(table: Seat, cut: bool) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    costs = Costs(at)
    at.world.faults.lose_answer(ANSWERS, cut=cut)
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.shown().id]
    assert (await at.live()).table.message_id == int(at.shown().id)


async def test_nothing_is_posted_while_discord_does_not_say_whether_it_took_the_answer(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRY_SECONDS", (0.002, 0.002, 0.002))
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    costs = Costs(at)
    at.world.faults.lose_answer(ANSWERS, cut=True)
    at.world.faults.cut_connection("GET /webhooks/*", times=publisher.TRIES + 1)
    await at.host.click(at.shown(), "Start")
    await until(lambda: "**to act**" in at.shown().text)
    await at.noted()
    await at.settle()
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.shown().id]


def noted_late(at: Table, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The next message of the table cannot be noted at once; set when that has failed."""
    monkeypatch.setattr(publisher, "RETRY_SECONDS", (0.002, 0.002, 0.002))
    messages, failed = at.bot.publisher.messages, asyncio.Event()
    replace = messages.replace

    async def fails_once(live: LiveTable, message_id: int, **how: bool) -> LiveTable:
        if not failed.is_set():
            failed.set()
            raise StoreUnavailable("disk full")
        return await replace(live, message_id, **how)

    monkeypatch.setattr(messages, "replace", fails_once)
    return failed


async def test_a_deal_that_could_not_be_noted_while_its_token_lived_is_not_posted_beside(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    costs, failed = Costs(at), noted_late(at, monkeypatch)
    at.world.faults.refuse("GET /webhooks/*", status=401, code=50027, times=99)
    await at.host.click(at.shown(), "Start")
    await failed.wait()
    await at.noted()
    await at.settle()
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.shown().id]


async def test_a_deal_by_the_clock_that_could_not_be_noted_at_once_is_posted_once(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.settle()
    costs, failed = Costs(at), noted_late(at, monkeypatch)
    await at.deal()
    await failed.wait()
    await at.noted()
    await at.settle()
    assert (await costs.since())[POST] == 1
    assert "Round 2" in at.shown().text
    assert decks(at) == [at.shown().id]


async def test_a_table_that_was_barred_is_so_until_a_press_finds_that_the_bot_may_post(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    barred = at.bot.publisher.messages.barred
    barred.add((await at.live()).table.id)
    await at.call(at.turn())
    await at.settle()
    assert barred == set()


async def test_an_answer_that_is_refused_is_posted(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    costs = Costs(at)
    at.world.faults.refuse(ANSWERS, status=404, code=10062)
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert (await costs.since())[POST] == 1
    assert decks(at) == [at.shown().id]


async def test_a_press_that_waits_for_long_is_answered_where_it_was_made(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drawing is on its way that Discord does not answer: the news comes after it."""
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    carriers, let = at.bot.publisher.carriers, asyncio.Event()
    edit, held = carriers.edit, asyncio.Event()

    async def slow(*of: object) -> object:
        held.set()
        await let.wait()
        return await edit(*of)  # type: ignore[arg-type]

    with monkeypatch.context() as now:
        now.setattr(carriers, "edit", slow)
        await at.bot.publisher.redraw((await at.live()).table.id)
        await held.wait()
    costs = Costs(at)
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)
    await at.host.click(at.shown(), "Start")
    let.set()
    assert (await costs.since())[POST] == 1
    assert decks(at) == [at.shown().id]

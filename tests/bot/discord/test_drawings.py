"""Redraws of a table's message: which token they use, when they happen, and how fast."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import yarl

from bot.discord import answers, redraw_queue
from bot.discord.delivery import budget, driver
from bot.discord.delivery.budget import MOST, TableTokens
from bot.discord.errors import MOVED_ON
from bot.discord.pacing import BY_TOKENS, RESERVED, ByChannel, Pace, Urgency, counts, urgency
from bot.discord.redraw_queue import RedrawQueue, _Load
from bot.from_settings import pace
from bot.retry import RetryPolicy
from bot.sandbox.limits import Limit, RateLimits
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from bot.tables.errors import StoreUnavailable
from bot.tables.live import LiveTable
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import DRAWN, EDIT, POST, Costs
from tests.bot.discord.tables.test_seats import open_seat, tap
from tests.bot.harness import Held, Table, private_reply, running_bot, settings
from tests.people import until

# -- a press's token where there is one, else the bot's --------------------------------------------

THAI = "Thai Poker"
ANSWERS, BY_TOKEN = "POST /interactions/*", "PATCH /webhooks/*"


async def bid_and_count(at: Table, hand: str) -> tuple[int, int]:
    """Bid by command; return two counts of the table's redraws.

    The first counts redraws by an interaction's token, the second those by the bot's own token.
    """
    costs = Costs(at)
    await private_reply(at.turn().slash(at.channel, "bid", hand=hand))
    requests = await costs.since()
    return requests[DRAWN], requests[EDIT]


async def ready_to_start(table: Seat) -> tuple[Table, Costs]:
    """Open a lobby of two and wait until it is drawn.

    Return the table, and a count of its costs from then on.
    """
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    return at, Costs(at)


def decks(at: Table) -> list[str]:
    """Return the ids of the messages that show the table, one for each deal and showdown."""
    return [
        message.id for message in at.public() if {"My seat", "Next round"} & set(message.buttons)
    ]


@pytest.fixture
def much_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use up the bot's own budget, so that tables are redrawn by tokens if there are any."""
    monkeypatch.setattr(Pace, "share_used", 1.0)


async def test_a_lightly_used_bot_redraws_the_table_with_its_own_requests(table: Seat) -> None:
    at = await table(2, plays=THAI)
    assert await bid_and_count(at, "99") == (0, 1)


@pytest.mark.usefixtures("much_used")
async def test_a_refused_token_is_forgotten_and_the_bot_redraws_itself(table: Seat) -> None:
    at = await table(2, plays=THAI)
    at.world.faults.refuse("PATCH /webhooks/*/@original", status=401, code=50027)
    costs = Costs(at)
    await private_reply(at.turn().slash(at.channel, "bid", hand="99"))
    assert (await costs.since())[EDIT] == 1
    assert "nines" in at.standing()
    assert await bid_and_count(at, "pair of tens") == (0, 1)


@pytest.mark.usefixtures("much_used")
async def test_only_an_unspent_token_of_a_press_on_the_message_redraws_it(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as early:
        early.setattr(budget, "expiry", lambda _: time.monotonic() - 1)
        at = await table(2, plays=THAI)
    assert await bid_and_count(at, "99") == (0, 1)
    await at.host.click(at.message(), "My seat")  # is not answered in the message
    assert await bid_and_count(at, "pair of tens") == (0, 1)
    await at.call(at.turn())
    assert await bid_and_count(at, "pair of aces") == (1, 0)


MESSAGE, CHANNEL = 7, 1


def with_a_token() -> tuple[TableTokens, Pace, ByChannel]:
    """Return tokens with a new press's token, the bot's pace (used up), and the channels' paces."""
    own_pace, by_token = Pace(1, lambda: 1000.0), ByChannel(paced=True, now=lambda: 1000.0)
    own_pace.spend()
    tokens = TableTokens(own_pace, by_token)
    pressed: Any = SimpleNamespace(
        message=None, guild_id=1, followup=object(), created_at=discord.utils.utcnow()
    )
    tokens.remember(pressed, MESSAGE)
    return tokens, own_pace, by_token


def test_a_channel_whose_share_is_spent_is_drawn_by_the_bot() -> None:
    tokens, _, by_token = with_a_token()
    for _ in range(BY_TOKENS - RESERVED[Urgency.CATCHING_UP] - 1):
        by_token.spend(CHANNEL)
    assert tokens.take(MESSAGE, CHANNEL) is not None
    # what is left is for the seat of whoever is to act: nothing but a token draws that
    assert tokens.take(MESSAGE, CHANNEL) is None


def test_a_token_that_used_its_share_is_not_used_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens, _, _ = with_a_token()
    taken = [tokens.take(MESSAGE, CHANNEL) for _ in range(MOST + 1)]
    assert [token is not None for token in taken] == [True] * MOST + [False]
    monkeypatch.setattr(budget, "IN_SECONDS", 0.0)  # they are over
    assert tokens.take(MESSAGE, CHANNEL) is not None


def test_a_bot_that_has_requests_left_leaves_the_tokens_to_seats() -> None:
    tokens, own_pace, _ = with_a_token()
    assert tokens.take(MESSAGE, CHANNEL) is not None
    tokens._bot_budget = Pace(4, lambda: 1000.0)
    assert own_pace.share_used == 1
    assert tokens.take(MESSAGE, CHANNEL) is None


async def test_a_table_sent_as_a_follow_up_is_not_drawn_into_the_pressed_message(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Send a table as a follow-up, then redraw it: the pressed message must not change."""
    at = await table(2)
    help_message = (await at.host.slash(at.channel, "help")).message
    assert help_message is not None
    await (await at.host.click(help_message, "Play")).settle()
    which = await at.host.current(help_message)
    held = Held(monkeypatch, at.bot.tables, "open", after=True, first=True)
    with monkeypatch.context() as now:
        now.setattr(answers, "DEFER_AFTER", 0.0)
        pressed = asyncio.create_task(at.host.click(which, THAI))
        await held.reached.wait()
        assert (await pressed).kind == "deferred_update"
    held.let.set()
    await until(lambda: bool(at.public()))
    await at.settle()
    assert (await at.live()).table.message_id == int(at.message().id)
    await at.bot.delivery.tables.redraw((await at.live()).table.id)
    await at.settle()
    assert (await at.host.current(which)).text == which.text


@pytest.mark.usefixtures("much_used")
async def test_the_token_of_a_message_that_became_a_record_is_not_kept(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.settle()  # each press is over before the message that it was made at becomes a record
    await at.press("Start")
    await at.play_round()
    tokens, channel = at.bot.delivery.tokens, int(at.channel.id)
    messages_with_token = [
        message.id for message in at.public() if tokens.take(int(message.id), channel) is not None
    ]
    assert messages_with_token == [at.message().id]


@pytest.mark.parametrize("cut", [False, True])
async def test_a_deal_whose_answer_is_lost_is_not_dealt_out_twice(table: Seat, cut: bool) -> None:
    at, costs = await ready_to_start(table)
    at.world.faults.lose_answer(ANSWERS, cut=cut)
    await at.press("Start")
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.message().id]
    assert (await at.live()).table.message_id == int(at.message().id)


async def test_nothing_is_posted_while_discord_does_not_say_whether_it_took_the_answer(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    at, costs = await ready_to_start(table)
    at.world.faults.lose_answer(ANSWERS, cut=True)
    at.world.faults.cut_connection("GET /webhooks/*", times=driver.TRIES + 1)
    await at.host.click(at.message(), "Start")
    await until(lambda: "**to act**" in at.message().text)
    await at.wait_for_note()
    await at.settle()
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.message().id]


def noted_late(at: Table, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Make the next storing of a posted table fail; return an event that the failure sets.

    The bot retries at once.
    """
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    messages, failed = at.bot.delivery.tables, asyncio.Event()
    on_posted = messages.on_posted

    def fails_once(live: LiveTable) -> None:
        if not failed.is_set():
            failed.set()
            raise StoreUnavailable("disk full")
        on_posted(live)

    monkeypatch.setattr(messages, "on_posted", fails_once)
    return failed


async def test_a_deal_that_could_not_be_noted_while_its_token_lived_is_not_posted_beside(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, costs = await ready_to_start(table)
    failed = noted_late(at, monkeypatch)
    at.world.faults.refuse("GET /webhooks/*", status=401, code=50027, times=99)
    await at.host.click(at.message(), "Start")
    await failed.wait()
    await at.wait_for_note()
    await at.settle()
    assert (await costs.since())[POST] == 0
    assert decks(at) == [at.message().id]


async def test_a_deal_by_the_clock_that_could_not_be_noted_at_once_is_posted_once(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    await at.play_round()
    costs, failed = Costs(at), noted_late(at, monkeypatch)
    await at.deal()
    await failed.wait()
    await at.wait_for_note()
    await at.settle()
    assert (await costs.since())[POST] == 1
    assert "Round 2" in at.message().text
    assert decks(at) == [at.message().id]


async def test_a_barred_table_stays_barred_until_a_press_shows_that_the_bot_may_post(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    number, tables = (await at.live()).table.id, at.bot.delivery.tables
    at.world.faults.refuse("PATCH /channels/*", status=403, code=50013)
    await private_reply(at.turn().slash(at.channel, "bid", hand="99"))
    await at.settle()
    assert tables.is_barred(number)
    acting = at.turn_of(await at.live())  # which the screen does not say
    (waiting,) = (person for person in at.people if person is not acting)
    await waiting.click(at.message(), "My seat")
    await waiting.click(at.seat(waiting), "Refresh")
    await at.settle()
    assert at.turn() is acting
    assert not tables.is_barred(number)


async def test_an_answer_that_is_refused_is_posted(table: Seat) -> None:
    at, costs = await ready_to_start(table)
    at.world.faults.refuse(ANSWERS, status=404, code=10062)
    await at.press("Start")
    assert (await costs.since())[POST] == 1
    assert decks(at) == [at.message().id]


async def test_a_press_that_waits_for_long_is_answered_where_it_was_made(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Press while Discord delays a redraw: the new message is posted after the redraw."""
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    held = Held(monkeypatch, discord.PartialMessage, "edit", first=True)
    await at.bot.delivery.tables.redraw((await at.live()).table.id)
    await held.reached.wait()
    costs = Costs(at)
    assert (await at.host.click(at.message(), "Start")).kind == "deferred_update"
    held.let.set()
    assert (await costs.since())[POST] == 1
    assert decks(at) == [at.message().id]


# -- drawings for those who watch come between the presses -----------------------------------------


def load_loop(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """Make the event loop's measured load this share of a core."""
    monkeypatch.setattr(_Load, "recent_share", lambda *_: share)


async def all_in_line(*args: asyncio.Task[None]) -> None:
    """Let all tasks ask for their turn; assert that none is done."""
    await asyncio.sleep(0)
    assert not any(act.done() for act in args)


async def test_drawings_are_made_one_at_a_time_in_the_order_requested() -> None:
    lane, finished = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name)
        finished.append(name)

    async def presses() -> None:
        while len(finished) - finished.count("press") < 4:
            finished.append("press")
            await asyncio.sleep(0)

    await asyncio.gather(*(draws(name) for name in "abcd"), presses())
    draw_and_count = [at for at, draw in enumerate(finished) if draw != "press"]
    assert "".join(finished[at] for at in draw_and_count) == "abcd"
    assert all(later - at > 1 for at, later in itertools.pairwise(draw_and_count))


@pytest.mark.parametrize("full", ["never calm", "much taken"])
async def test_a_drawing_waits_while_the_loop_is_busy_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    if full == "never calm":
        monkeypatch.setattr(redraw_queue, "CALM", 0.0)
    else:
        load_loop(monkeypatch, 1.0)
    monkeypatch.setattr(redraw_queue, "LONGEST", 0.02)
    lane, began = RedrawQueue(), time.monotonic()
    await asyncio.gather(*(lane.turn(number) for number in range(5)))
    assert time.monotonic() - began >= 5 * 0.02  # one by one: no heap of them comes at the end


async def test_an_onlookers_drawing_gives_way_until_the_onlooker_must_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load_loop(monkeypatch, (redraw_queue.PRESSING + redraw_queue.LOOKING_ON) / 2)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    monkeypatch.setattr(redraw_queue, "PATIENCE", 3600.0)
    lane = RedrawQueue()
    watching = [asyncio.create_task(lane.turn(name, pressing=False)) for name in "abc"]
    await all_in_line(*watching)
    for number in range(9):
        await lane.turn(number)
    await all_in_line(*watching)
    lane.hurry("b")
    lane.hurry("nobody")
    await watching[1]
    await all_in_line(watching[0], watching[2])
    load_loop(monkeypatch, 0.0)
    lane.hurry("c")
    await asyncio.gather(*watching)


async def test_public_messages_are_drawn_before_waiting_seats() -> None:
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        pressing = name != "looks on"
        await lane.turn(name, pressing=pressing, everybody=name.startswith("table"))
        order.append(name)

    names = ["seat 1", "looks on", "seat 2", "table 1", "table 2"]
    await asyncio.gather(*map(draws, names))
    assert order == ["seat 1", "table 1", "table 2", "seat 2", "looks on"]


async def test_a_drawing_hurried_just_as_it_becomes_first_does_not_give_way() -> None:
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name, pressing=name.islower())
        order.append(name)
        if name == "x":
            lane.hurry("Y")  # who has been told that they are the first, and does not know it yet
            everybody.extend(asyncio.create_task(draws(name)) for name in "abc")

    everybody = [asyncio.create_task(draws(name)) for name in "xY"]
    await asyncio.gather(*everybody)
    await asyncio.gather(*everybody)
    assert order == ["x", "Y", "a", "b", "c"]


async def test_every_fourth_drawing_is_for_an_onlooker_who_waited_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redraw_queue, "PATIENCE", 0.0)
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name, pressing=name.islower())
        order.append(name)

    await asyncio.gather(*(draws(name) for name in "abcdefgXYZ"))
    assert len(order) == 10
    assert [at for at, name in enumerate(order) if name in "XYZ"] == [4, 8, 9]


async def test_a_cancelled_drawing_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    load_loop(monkeypatch, 1.0)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    lane = RedrawQueue()
    tasks = [asyncio.create_task(lane.turn(number)) for number in range(4)]
    tasks.append(asyncio.create_task(lane.turn("looks on", pressing=False)))
    await all_in_line(*tasks)
    tasks[1].cancel()  # in line
    tasks[0].cancel()  # the first: whoever is told next, 1, does not know yet that it is cancelled
    await asyncio.wait(tasks[:2])
    tasks[2].cancel()
    tasks[4].cancel()
    await asyncio.wait({tasks[2], tasks[4]})
    load_loop(monkeypatch, 0.0)
    await tasks[3]
    await lane.turn("whoever comes")


async def test_the_recent_load_is_measured_and_fades() -> None:
    load, used = _Load(), 0.0
    while used < redraw_queue.WINDOW:
        used = time.thread_time()
    busy = [load.recent_share(second) for second in (1000.0, 1000.0 + redraw_queue.WINDOW / 2)]
    assert busy[0] == busy[1] > 0  # not measured again so soon
    assert load.recent_share(1001.0) < 1
    assert load.recent_share(3600.0) < 0.01


# -- an older drawing that comes after a newer one does not stay -----------------------------------


async def test_of_the_table_before_it_was_closed(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    await at.open(THAI)
    await at.settle()
    slow = Held(monkeypatch, at.bot.delivery.boards, "for_table", after=True, first=True)
    await at.bot.delivery.tables.redraw((await at.live()).table.id)
    await slow.reached.wait()
    await at.host.click(at.message(), "Leave")
    assert "This table is closed." in at.message().text
    slow.let.set()
    await at.settle()
    assert "This table is closed." in at.message().text


async def test_of_the_table_for_a_press_with_an_old_number_before_the_next_bid(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    await at.bid()
    before = at.message()
    await at.bid()
    slow = Held(monkeypatch, discord.PartialMessage, "edit", first=True)
    # as a screen shows it that is behind
    late = at.turn().forge(before, before.button("Challenge"))
    assert await private_reply(late) == MOVED_ON
    await slow.reached.wait()
    assert (await at.call(at.turn(), 1)).kind == "update"
    standing, acting = at.standing(), at.turn()
    slow.let.set()
    await at.settle()
    assert (at.standing(), at.turn()) == (standing, acting)


async def test_of_a_seat_before_its_pad_was_pressed(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    first, second = at.turn(), next(person for person in at.people if person is not at.turn())
    await open_seat(at, second)
    boards, theirs = at.bot.delivery.seats.boards, int(second.id)
    slow = Held(
        monkeypatch, boards, "for_player", after=True, first=True, when=lambda *of: theirs in of
    )
    await at.call(first)
    await slow.reached.wait()  # it is the turn of the second: their seat is being drawn by itself
    await second.click(at.seat(second), "Refresh")
    pressed = await tap(at, second, "Pair")
    assert "Back" in pressed.buttons
    slow.let.set()
    await at.settle()
    assert at.seat(second).buttons == pressed.buttons


@pytest.mark.parametrize("sent", [False, True])
async def test_of_a_seat_whose_press_discord_has_just_been_answered(
    table: Seat, monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    at = await table(3, plays=THAI)
    await at.bid()
    second = at.turn()
    third = next(person for person in at.people if person is not second and person is not at.host)
    await open_seat(at, second)
    begun, let = asyncio.Event(), asyncio.Event()
    boards = at.bot.delivery.seats.boards
    draw, edit = boards.for_player, discord.Webhook.edit_message
    answer = discord.InteractionResponse.edit_message

    async def held() -> None:
        if not begun.is_set():
            begun.set()
            await let.wait()

    async def draw_and_count(*of: Any, **kwargs: Any) -> Any:
        board = await draw(*of, **kwargs)
        if not sent and int(second.id) in of:
            await held()  # it is sent when the press has been answered
        return board

    async def edit_and_count(webhook: Any, *of: Any, **kwargs: Any) -> Any:
        if sent:
            await held()  # it is on its way already
        return await edit(webhook, *of, **kwargs)

    async def answer_and_count(response: Any, **kwargs: Any) -> Any:
        taken = await answer(response, **kwargs)
        if str(response._parent.user.id) == second.id:
            let.set()  # Discord has taken the answer, and the bot does not know that yet
            await at.bot.delivery.settle()
        return taken

    monkeypatch.setattr(boards, "for_player", draw_and_count)
    monkeypatch.setattr(discord.Webhook, "edit_message", edit_and_count)
    monkeypatch.setattr(discord.InteractionResponse, "edit_message", answer_and_count)
    sure = await (await third.slash(at.channel, "leave")).settle()
    await third.click(sure.seen, "Yes, leave")
    await begun.wait()  # the seat of the second is being drawn by itself
    await tap(at, second, "Pair")
    await at.settle()
    assert "Back" in at.seat(second).buttons


# -- no faster than Discord takes them -------------------------------------------------------------

AWAITED, REDRAW, CATCHING_UP = Urgency


class Street:
    """A `Pace` whose clock the test sets; `sent` has each turn's time and urgency."""

    def __init__(self, a_second: float) -> None:
        self.at = 0.0
        self.pace = Pace(a_second, lambda: self.at)
        self.sent: list[tuple[float, Urgency]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, of: Urgency, times: int = 1) -> None:
        with urgency(of):
            self.tasks += [asyncio.create_task(self._one(of)) for _ in range(times)]
        await self.look()

    async def _one(self, of: Urgency) -> None:
        await self.pace.turn()
        self.sent.append((self.at, of))

    async def look(self) -> None:
        """Let new requests queue up, then give a turn to each that may have one."""
        await asyncio.sleep(0)
        self.pace.give()
        await asyncio.sleep(0)

    async def until(self, at: float, step: float = 0.01) -> None:
        while self.at < at - 1e-9:
            self.at += step
            await self.look()

    def end(self) -> None:
        for task in self.tasks:
            task.cancel()


@pytest.mark.parametrize("of", Urgency)
async def test_no_second_has_more_than_it_may(of: Urgency) -> None:
    street = Street(10)
    await street.ask(of, 60)
    await street.until(3.0)
    times = [at for at, _ in street.sent]
    assert all(later - at >= 1.0 - 1e-6 for at, later in zip(times, times[10:], strict=False))
    assert len(times) >= (30 if of is AWAITED else 14)
    street.end()


async def test_a_deal_goes_before_redraws_and_these_before_what_a_start_catches_up_with() -> None:
    street = Street(10)
    await street.ask(CATCHING_UP, 40)
    await street.ask(REDRAW, 40)
    await street.until(2.0)
    before = len(street.sent)
    await street.ask(AWAITED)
    await street.until(2.2)  # two gaps: the one that was next, and the deal
    assert AWAITED in [of for _, of in street.sent[before:]]
    of = Counter(kind for _, kind in street.sent)
    assert of[REDRAW] > 2 * of[CATCHING_UP] > 0
    street.end()


async def test_less_urgent_requests_leave_room_in_every_second_for_urgent_ones() -> None:
    street = Street(20)
    await street.ask(CATCHING_UP, 100)
    await street.until(5.0)
    assert 45 <= len(street.sent) <= 52  # half of what there is
    await street.ask(AWAITED, 8)
    await street.look()
    assert [of for _, of in street.sent[-8:]] == [AWAITED] * 8
    street.end()


async def test_no_request_waits_for_ever_behind_more_urgent_ones() -> None:
    street = Street(10)
    await street.ask(CATCHING_UP)
    await street.ask(AWAITED, 10)
    street.sent.clear()
    await street.ask(REDRAW)
    await street.ask(AWAITED, 100)
    await street.until(2.0)
    assert REDRAW in [of for _, of in street.sent]
    street.end()


async def test_a_cancelled_request_takes_nobodys_turn() -> None:
    street = Street(1)
    await street.ask(AWAITED, 4)
    assert len(street.sent) == 1
    street.tasks[1].cancel()
    await street.look()
    await street.until(1.0)
    assert len(street.sent) == 2
    assert street.pace.waiting == 1
    street.end()


async def test_a_turn_given_to_a_cancelled_request_passes_on_a_second_later() -> None:
    street = Street(1)
    await street.ask(AWAITED, 2)
    street.at = 1.0
    street.pace.give()  # its future is done, its task has not run yet
    street.tasks[1].cancel()
    await street.ask(AWAITED)
    await street.until(2.0)
    assert [at for at, _ in street.sent] == pytest.approx([0.0, 2.0])
    street.end()


async def test_without_a_limit_nobody_waits() -> None:
    pace = Pace(0)
    for _ in range(1_000):
        await pace.turn()
    assert pace.waiting == 0


async def test_the_timer_alone_gives_every_turn() -> None:
    pace = Pace(1_000)
    await asyncio.gather(*(pace.turn() for _ in range(1_200)))
    with urgency(CATCHING_UP):
        await asyncio.gather(*(pace.turn() for _ in range(20)))


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("https://discord.com/api/v10/channels/1/messages", True),
        ("http://127.0.0.1:8080/api/v10/users/@me", True),
        ("https://discord.com/api/v10/interactions/1/token/callback", False),
        ("https://discord.com/api/v10/webhooks/1/token/messages/@original", False),
        ("wss://gateway.discord.gg/?v=10", False),
    ],
)
def test_answers_and_the_gateway_are_not_counted(address: str, counted: bool) -> None:
    assert counts(yarl.URL(address)) is counted


@pytest.mark.parametrize(
    ("shards", "share"),
    [({}, 45), ({"count": 6, "ids": "0-1"}, 15), ({"count": 4}, 45), ({"count": 0}, 45)],
)
async def test_a_process_takes_its_shards_share(shards: dict[str, object], share: float) -> None:
    chosen = {"shards": shards, "database": {"url": "postgresql://bluffhouse@localhost/house"}}
    pace_given = pace(Settings.model_validate(chosen))
    with urgency(AWAITED):
        task = [asyncio.create_task(pace_given.turn()) for _ in range(60)]
    await asyncio.sleep(0)
    assert 60 - pace_given.waiting == share
    for act in task:
        act.cancel()


# a slow machine lets what was sent evenly arrive in heaps: less than half of the limit leaves room
@pytest.mark.long
@pytest.mark.parametrize("a_second", [1, 0], ids=["paced", "not paced"])
async def test_a_bot_that_paces_itself_is_not_refused_by_discord(
    tmp_path: Path, a_second: int
) -> None:
    chosen = settings(tmp_path).model_dump() | {"discord": {"requests_per_second": a_second}}
    world = Sandbox()
    await world.start()
    guild = world.add_guild("The Snug")
    channels = [guild.add_text_channel(f"table-{number}") for number in range(6)]
    people = [world.add_person(name) for name in ("Ann", "Bob")]
    async with running_bot(world, Settings.model_validate(chosen)) as bot:
        # six posts that answer no press; they may take seconds to make
        world.limits = RateLimits(everywhere=Limit(3, 2.0))
        tables = [Table(world, bot, channel, people) for channel in channels]
        for table in tables:
            await table.open("Thai Poker")
        for table in tables:
            await table.begin()
        # what was refused is tried again by itself, for which settling does not wait
        await until(lambda: all("Round 1" in table.message().text for table in tables))
        await tables[0].settle()
    await world.stop()
    assert (world.limits.refused > 0) is (a_second == 0)


async def test_onlookers_leave_room_and_a_hurried_request_goes_at_once() -> None:
    now = [0.0]
    shared = Pace(4, lambda: now[0], 60.0, reserved={Urgency.REDRAW: 2, Urgency.CATCHING_UP: 2})

    async def ask(of: Urgency, person: str) -> None:
        with urgency(of):
            await shared.turn(person)

    first = asyncio.create_task(ask(CATCHING_UP, "a"))
    await first
    now[0] = 31.0  # two gaps of a quarter of a minute and more
    second = asyncio.create_task(ask(CATCHING_UP, "b"))
    await second
    now[0] = 59.0
    third, fourth = (asyncio.create_task(ask(CATCHING_UP, person)) for person in "cd")
    await asyncio.sleep(0)
    assert shared.waiting == 2
    shared.hurry("d")
    await fourth
    assert not third.done()
    third.cancel()


async def test_requests_sent_without_waiting_count_against_the_limit() -> None:
    paces, table, other_table = ByChannel(paced=True, now=lambda: 1000.0), 1, 2
    await paces.turn(table, "seat")
    for _ in range(BY_TOKENS - 2):
        paces.spend(table)
    assert paces.has_room_for_awaited(table)
    paces.spend(table)
    assert not paces.has_room_for_awaited(table)
    assert paces.has_room_for_awaited(other_table)
    waiting = asyncio.create_task(paces.turn(table, "another"))
    await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()

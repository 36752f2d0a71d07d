"""Pictures in messages: the process that draws them, the cache, and messages that don't wait."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reading import CARD, HAND
from bot.boards.board import Picture, ShowdownPicture
from bot.computing.process import Computing
from bot.discord import answers, picture_job, redraw_queue
from bot.discord.delivery.driver import RequestResult
from bot.discord.delivery.machine import Act, Request
from bot.discord.delivery.tables import TablePlace
from bot.discord.layout import file_name, render
from bot.discord.picture_job import png_of
from bot.pictures.cards import ShowdownRow
from bot.retry import RetryPolicy
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from engine.cards import Cards
from tests.bot.conftest import Seat
from tests.bot.harness import Table, private_reply, send_cards_directly
from tests.bot.troubled import run_with_troubled_store
from tests.people import PATIENCE, until

# -- no message waits for one ----------------------------------------------------------------------

THAI = "Thai Poker"


class Easel:
    """A stand-in that draws pictures and records them; after `hold`, it waits for `go`."""

    def __init__(self) -> None:
        self.drawn: list[Picture] = []
        self.begun = threading.Event()
        self._may = threading.Event()
        self._may.set()
        self._draw = picture_job.png_of

    def hold(self) -> None:
        picture_job.forget()  # what is drawn already comes at once
        self._may.clear()

    def go(self) -> None:
        self._may.set()

    def __call__(self, picture: Picture) -> bytes:
        self.begun.set()
        assert self._may.wait(PATIENCE)
        self.drawn.append(picture)
        return self._draw(picture)


@pytest.fixture
def easel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Easel]:
    easel_here = Easel()
    picture_job.forget()
    monkeypatch.setattr(picture_job, "png_of", easel_here)
    yield easel_here
    easel_here.go()  # a thread that waits for ever keeps the process alive


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, unhurried: object) -> Callable[[], None]:
    """Return a function; once it has been called, no message waits for its picture."""
    return lambda: monkeypatch.setattr(picture_job, "LONGEST_WAIT", 0.0)


async def seen_at_last(look: Callable[[], Any]) -> Any:
    """Call `look` until it returns something true, and return the result.

    Raises TimeoutError if `look` never does.
    """
    async with asyncio.timeout(PATIENCE):
        while not (looked := look()):  # noqa: ASYNC110 - edits signal nobody
            await asyncio.sleep(0.002)
    return looked


def private(at: Table, person: Person) -> SeenMessage:
    return [message for message in person.visible(at.channel) if message.ephemeral][-1]


async def test_a_showdown_is_posted_in_words_and_gets_its_picture(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2, plays=THAI)
    await at.call(at.turn())
    easel.hold()
    hurried()
    await at.challenge(at.turn())
    posted = at.message()
    assert "Next round" in posted.buttons
    assert not posted.attachments
    assert CARD.findall(posted.text), posted.text  # its words say what it shows
    easel.go()
    await seen_at_last(lambda: at.message().attachments)
    assert at.message().id == posted.id


async def test_a_showdowns_picture_is_drawn_while_the_challenge_is_stored(
    table: Seat, easel: Easel, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        await at.call(at.turn())
        challenger, before = at.turn(), at.message()
        store.may_commit.clear()
        pressed = asyncio.create_task(at.challenge(challenger))
        await seen_at_last(lambda: easel.drawn)
        assert at.message().text == before.text  # nobody is shown what is not stored
        store.may_commit.set()
        await pressed
        assert at.message().attachments
        assert len(easel.drawn) == 1  # what was drawn ahead is what is shown


async def test_a_picture_that_comes_late_does_not_bring_back_what_was(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2, plays=THAI)
    await at.call(at.turn())
    easel.hold()
    hurried()
    await at.challenge(at.turn())
    showdown = at.message()
    await at.host.click(showdown, "Next round")
    await at.settle()
    assert "Round 2" in at.message().text
    easel.go()

    def record() -> SeenMessage:
        return next(message for message in at.public() if message.id == showdown.id)

    await seen_at_last(lambda: record().attachments)
    await at.settle()
    assert "Next round" not in record().buttons
    assert "Round 2" in at.message().text
    assert "My seat" in at.message().buttons


async def test_no_hand_waits_for_a_drawing(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    await at.settle()
    easel.hold()
    await at.press("Start")
    for person in at.people:
        letter, seat = person.dm_messages()[-1], at.seat(person)
        assert at.own_cards(person)
        assert HAND.search(letter.text)
        assert not letter.attachments
        assert not seat.attachments
    assert not easel.begun.is_set()


async def test_an_answer_gets_its_picture_unless_it_shows_something_else_by_then(
    table: Seat, easel: Easel, hurried: Callable[[], None]
) -> None:
    at = await table(2)
    await at.host.slash(at.channel, "play", game=THAI)
    await at.settle()
    easel.hold()
    hurried()
    await at.host.click(at.message(), "How to play")
    for label in ("Next", "Challenge", "Show the cards"):
        await at.host.click(private(at, at.host), label)
    showdown = private(at, at.host)
    assert not showdown.attachments
    await at.host.click(showdown, "Show me again")
    begun = private(at, at.host)
    easel.go()
    await seen_at_last(lambda: easel.drawn and not answers._awaiting)
    await at.settle()
    assert private(at, at.host).text == begun.text
    assert not private(at, at.host).attachments


async def test_a_picture_that_cannot_be_drawn_is_replaced_by_words(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(picture: Picture) -> bytes:
        raise ValueError("no such typeface")

    at = await table(2, plays=THAI)
    picture_job.forget()
    monkeypatch.setattr(picture_job, "png_of", broken)
    await at.call(at.turn())
    await at.challenge(at.turn())
    assert "Next round" in at.message().buttons
    assert not at.message().attachments


async def test_late_pictures_are_dropped_when_the_bot_leaves_discord(
    easel: Easel,
) -> None:
    easel.hold()
    urls: list[str] = []

    async def show() -> None:
        urls.append("the picture")

    picture = ShowdownPicture((ShowdownRow("Ann", Cards.parse("Ah Kd")),), Cards(), Cards(), "hers")
    picture_job.act_when_drawn([picture], show)
    (following,) = picture_job._following
    await seen_at_last(easel.begun.is_set)  # what no thread has taken up yet would never be drawn
    picture_job.give_up()
    easel.go()
    await asyncio.wait({following}, timeout=PATIENCE)
    assert following.cancelled()
    await seen_at_last(lambda: easel.drawn)
    assert urls == []
    assert not picture_job._following


async def test_a_picture_that_cannot_be_drawn_is_not_cached(
    table: Seat, hurried: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    tried = asyncio.Event()
    loop = asyncio.get_running_loop()

    def broken(_: Picture) -> bytes:
        loop.call_soon_threadsafe(tried.set)
        raise OSError("no paint")

    monkeypatch.setattr(picture_job, "png_of", broken)
    picture_job.forget()
    hurried()
    for cards in (8, 9, 10):
        out = await at.host.slash(at.channel, "odds thai", in_play=cards)
        assert out.message is not None
    await tried.wait()
    await seen_at_last(lambda: not picture_job._following)
    assert not answers._awaiting


# -- shown again is not drawn again ----------------------------------------------------------------


async def show_down(at: Table) -> SeenMessage:
    """Play the first round of a match; return the message of its showdown."""
    await at.start(THAI)
    await at.play_round()
    return at.message()


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the list of the showdown pictures drawn from now on."""
    pictures: list[Any] = []
    draw = picture_job.png_of

    def count_picture(picture: Any) -> bytes:
        if isinstance(picture, ShowdownPicture):
            pictures.append(picture)
        return draw(picture)

    monkeypatch.setattr(picture_job, "png_of", count_picture)
    return pictures


def content(at: Table, message: SeenMessage) -> bytes:
    """Return the bytes of the picture that a message shows."""
    (file,) = message.attachments
    return at.world.state.attachments[file["id"]].content


async def test_the_record_of_a_round_shows_the_picture_of_its_showdown(
    table: Seat, drawings: list[Any]
) -> None:
    at = await table(2)
    showdown = await show_down(at)
    assert showdown.payload["attachments"] == [], "Discord does not list what components show"
    before = content(at, showdown)
    assert len(drawings) == 1
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    assert "Next round" not in record.buttons
    assert content(at, record) == before
    assert len(drawings) == 1, "it is kept for a while"


async def test_a_showdown_that_was_redrawn_since_it_was_pressed_is_no_reason_for_a_refusal(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    showdown = await show_down(at)
    perform = TablePlace.perform
    redrawn: list[str] = []

    async def late(place: TablePlace, request: Request, *args: Any) -> RequestResult:
        """Before the showdown becomes a record, redraw the showdown with a new picture file."""
        if request.act is Act.RETIRE:
            channel = at.bot.client.get_partial_messageable(int(at.channel.id))
            ready = await render(await at.bot.delivery.boards.for_record(await at.live()))
            message = channel.get_partial_message(int(showdown.id))
            await message.edit(view=ready.view, attachments=ready.files)
            redrawn.append((await at.host.current(showdown)).attachments[0]["id"])
        return await perform(place, request, *args)

    monkeypatch.setattr(TablePlace, "perform", late)
    await at.host.click(showdown, "Next round")
    await at.settle()
    record = await at.host.current(showdown)
    assert "Next round" not in record.buttons
    assert redrawn != [showdown.attachments[0]["id"]]
    assert content(at, record)
    assert [request for request in at.world.state.requests if request.status >= 400] == []


def test_a_file_is_named_by_what_its_picture_shows() -> None:
    def name_of(cards: str, *, four_colours: bool = True) -> str:
        row = ShowdownRow("Ann", Cards.parse(cards))
        picture = ShowdownPicture((row,), Cards(), Cards(), "hers", four_colours=four_colours)
        return file_name(picture)

    two_cards = name_of("As Kd")
    assert two_cards == name_of("As Kd")
    assert len({two_cards, name_of("As Kh"), name_of("As Kd", four_colours=False)}) == 3
    assert two_cards.startswith("showdown-")


# -- seats of those who look on -------------------------------------------------------------------


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fake a load at which the bot draws for people who press, but not for onlookers."""
    between = (redraw_queue.PRESSING + redraw_queue.LOOKING_ON) / 2
    monkeypatch.setattr(redraw_queue._Load, "recent_share", lambda *_: between)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    monkeypatch.setattr(redraw_queue, "PATIENCE", 3600.0)


async def open_seats(at: Table) -> dict[str, SeenMessage]:
    """Open everybody's seat; return their messages by the people's ids."""
    by_size = {}
    for person in at.people:
        out = await (await person.click(at.message(), "My seat")).settle()
        by_size[person.id] = out.seen
    await at.settle()
    return by_size


async def test_at_a_busy_time_an_onlookers_seat_is_updated_later(table: Seat, busy: None) -> None:
    at = await table(3, plays=THAI)
    seats = await open_seats(at)

    def to_act(person: Person) -> bool:
        stored = at.world.state.message(at.channel.id, seats[person.id].id)
        assert stored is not None
        return "Your turn" in SeenMessage(stored.payload).text

    first = at.turn()
    await at.call(first)
    second = at.turn()
    await until(partial(to_act, second))
    await at.bot.delivery._driver._queue.turn("others")  # theirs would have come before
    assert to_act(first)  # whose seat is behind: it is nobody's turn who looks on
    await at.settle()
    assert not to_act(first)


async def test_a_stop_does_not_wait_for_seats_of_onlookers(table: Seat, busy: None) -> None:
    at = await table(3, plays=THAI)
    await open_seats(at)
    first = at.turn()
    await at.call(first)
    async with asyncio.timeout(PATIENCE):
        await at.bot.delivery.settle()
    assert "Your turn" not in at.seat(first).text


# -- drawn by the computing process while it is at hand --------------------------------------------


def showdown(cards: Cards) -> ShowdownPicture:
    return ShowdownPicture((ShowdownRow("Ann", cards),), Cards(), Cards(), "hers")


CARDS = Cards.parse("As Kd 7c")
SHOWN = showdown(CARDS)
EXPECTED = png_of(SHOWN)


@asynccontextmanager
async def draw_with(computing: Computing, *, running: bool = True) -> AsyncIterator[Computing]:
    """Draw pictures with `computing` until the block ends; if `running`, start it first."""
    picture_job.forget()
    picture_job.draw_with(computing)
    try:
        if running:
            computing.start()
            async with asyncio.timeout(PATIENCE):
                while not computing.at_hand:  # noqa: ASYNC110 - it can only be looked at
                    await asyncio.sleep(0.01)
        yield computing
    finally:
        picture_job.give_up()
        picture_job.forget()
        await computing.close()


async def picture() -> bytes:
    """Return the picture `SHOWN` as a PNG; wait for it up to `PATIENCE` seconds."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.wrap_future(picture_job._order(SHOWN))


@pytest.fixture
def drawn_here(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """Return the list of the pictures drawn in the test's process from now on."""
    pictures, draw = list[Picture](), picture_job.png_of

    def draw_and_note(picture: Picture) -> bytes:
        pictures.append(picture)
        return draw(picture)

    monkeypatch.setattr(picture_job, "png_of", draw_and_note)
    return pictures


async def test_the_process_draws_the_same_picture(drawn_here: list[Picture]) -> None:
    async with draw_with(Computing()):
        assert await picture() == EXPECTED
        assert await picture_job.in_time([SHOWN]) == {SHOWN: EXPECTED}, "and it is kept"
    assert not drawn_here


async def test_pictures_that_answer_a_question_are_drawn_in_this_process(
    drawn_here: list[Picture],
) -> None:
    async def question() -> bytes:
        picture_job.draw_apart()
        return await picture()

    async with draw_with(Computing()):
        assert await asyncio.create_task(question()) == EXPECTED
    assert drawn_here == [SHOWN]


async def test_nothing_is_started_or_waited_for_to_draw(drawn_here: list[Picture]) -> None:
    async with draw_with(Computing(), running=False) as computing:
        assert await picture() == EXPECTED
        assert computing.pid is None
    assert drawn_here == [SHOWN]


def kill_worker(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def do_nothing(pid: int) -> None:
    """Do nothing: the process, which the test has stopped, remains stopped."""


@pytest.mark.parametrize("befalls", [kill_worker, do_nothing])
async def test_a_process_that_dies_or_stands_still_is_not_waited_for(
    drawn_here: list[Picture], monkeypatch: pytest.MonkeyPatch, befalls: Callable[[int], None]
) -> None:
    if befalls is do_nothing:
        monkeypatch.setattr(picture_job, "LONGEST_AWAY", 0.2)
    async with draw_with(Computing(RetryPolicy(PATIENCE, PATIENCE))) as computing:
        assert computing.pid is not None
        os.kill(computing.pid, signal.SIGSTOP)
        task = asyncio.create_task(picture())
        await asyncio.sleep(0)  # it is on its way
        befalls(computing.pid)
        assert await task == EXPECTED
    assert drawn_here == [SHOWN]


async def test_a_cancelled_wait_does_not_cancel_the_picture_for_others(
    drawn_here: list[Picture],
) -> None:
    async with draw_with(Computing()):
        impatient, patient = asyncio.create_task(picture()), asyncio.create_task(picture())
        await asyncio.sleep(0)
        impatient.cancel()
        assert await patient == EXPECTED
    assert not drawn_here


async def test_of_many_pictures_none_is_asked_for_again_while_it_is_drawn(
    drawn_here: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_job, "KEPT", 2)
    monkeypatch.setattr(picture_job, "LONGEST_WAIT", 0.0)
    several = [showdown(Cards.of([card])) for card in CARDS]
    question_seen = Counter[Picture]()
    async with draw_with(Computing()) as computing:
        assert computing.pid is not None
        os.kill(computing.pid, signal.SIGSTOP)
        ask = computing.ask

        async def count_picture(question: Any, limit: float | None = None) -> Any:
            question_seen[question.picture] += 1
            return await ask(question, limit)

        monkeypatch.setattr(computing, "ask", count_picture)
        for _ in range(3):  # messages without it, and what follows it
            await picture_job.in_time(several)
        assert len(picture_job._cache) == len(several) > picture_job.KEPT
        os.kill(computing.pid, signal.SIGCONT)
        for task in several:
            await asyncio.wrap_future(picture_job._order(task))
        await asyncio.wrap_future(picture_job._order(SHOWN))
        assert len(picture_job._cache) == picture_job.KEPT
    assert question_seen == Counter([*several, SHOWN])
    assert not drawn_here


async def test_a_showdown_whose_picture_discord_refuses_is_shown_in_words(table: Seat) -> None:
    at = await table(2, plays=THAI)
    await at.bid()
    at.world.faults.refuse("POST /channels/*/messages", status=400, code=20009, times=2)
    await private_reply(at.turn().slash(at.channel, "challenge"))
    await at.settle()
    assert "Showdown" in at.message().text
    assert not at.message().attachments
    await at.press("Next round")
    await at.play_round()
    assert at.message().attachments, "the next one has its picture"

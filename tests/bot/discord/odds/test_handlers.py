"""What all answers of `/odds` have in common: cancelling, one question at a time, and errors."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from bot.computing.question import ProcessLost, QueueFull, TookTooLong
from bot.discord.odds import handlers
from bot.discord.odds.questions import CountShowdown, ReadShowdown
from bot.discord.press import public_language
from bot.sandbox.clock import ManualClock
from bot.sandbox.errors import CannotDo, InteractionFailed
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench, over_or_held
from tests.bot.discord.odds.screen import ask_showdown, last, plant_button, private_text, until
from tests.bot.harness import Table, plain


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bot say that an answer takes longer once the bench holds back the question."""
    monkeypatch.setattr(handlers, "is_soon", over_or_held)


def held(at: Table) -> Bench:
    """Make the bench hold back showdown counts until its `go` is set; return the bench."""
    bench = at.bot.computing
    assert isinstance(bench, Bench)
    bench.hold(CountShowdown)
    return bench


async def test_after_a_second_a_person_is_told_that_it_takes_longer(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "SOON", 0.01)
    at = await table(1)
    bench = held(at)
    bench.hold(ReadShowdown)  # not even understood yet
    out = await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
    assert "Counting…" in out.text
    assert out.seen.buttons == ["Cancel"]
    bench.go.set()
    await last(at, "exact")


@pytest.mark.usefixtures("soon")
async def test_a_long_question_says_so_and_is_followed_up(
    table: Seat, unhurried: ManualClock
) -> None:
    at = await table(1)
    bench = held(at)
    out = await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
    assert "dealing" in plain(out.text)
    assert out.seen.buttons == ["Cancel"]
    unhurried.advance(3.2)  # beyond the three seconds that Discord gives a first answer
    bench.go.set()
    answered = await last(at, "exact")
    assert answered.id == out.seen.id
    assert answered.buttons == ["Final hands"]
    assert answered.attachments


@pytest.mark.usefixtures("soon")
async def test_only_the_asker_can_cancel_and_only_that_question(table: Seat) -> None:
    at = await table(2)
    bench = held(at)
    asker, onlooker = at.people
    out = await asker.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
    assert private_text(await onlooker.click(out.seen, "Cancel")) == handlers.NOT_YOURS
    cancel = out.seen.button("Cancel")
    assert bench.dropped.empty()
    assert (await asker.click(out.seen, "Cancel")).kind == "deferred_update"
    await bench.dropped.get()
    await last(at, handlers.CANCELLED)
    # the old button is pressed once more while the next question runs: it is not that one's
    again = await asker.slash(at.channel, "odds showdown", hands="AhKc vs QcQs")
    assert again.seen.button("Cancel") != cancel
    old = await plant_button(at, cancel)
    assert private_text(await asker.click(old, "Old")) == handlers.TOO_LATE
    assert bench.dropped.empty()
    bench.go.set()
    answered = await until(at, again.seen, "exact")
    late = await plant_button(at, again.seen.button("Cancel"))
    assert private_text(await asker.click(late, "Old")) == handlers.TOO_LATE
    assert "wins" in plain(answered.text)
    with pytest.raises(CannotDo):
        await asker.click(again.seen, "Cancel")


@pytest.mark.usefixtures("soon")
async def test_a_person_has_one_running_question_and_others_have_theirs(table: Seat) -> None:
    at = await table(2)
    asker, onlooker = at.people
    counted_answer = await ask_showdown(at, hands="AhKd vs QcQh")
    bench = held(at)
    first = await asker.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
    at.bot.client.handlers.odds._counted.clear()
    for request in (
        asker.slash(at.channel, "odds showdown", hands="AhKd vs JcJs"),
        asker.slash(at.channel, "odds liars", in_play=12),
        asker.slash(at.channel, "odds three-card"),
        asker.click(counted_answer, "Final hands"),
    ):
        assert private_text(await request) == handlers.BUSY
    listed = await asker.slash(at.channel, "odds ranges")  # counts nothing
    assert "You haven't named a range yet" in private_text(listed)
    others = await onlooker.slash(at.channel, "odds showdown", hands="AhKd vs TcTs")
    assert "dealing" in plain(others.text)
    assert bench.begun.qsize() == 2
    bench.go.set()
    await until(at, first.seen, "exact")
    await until(at, others.seen, "exact")


@pytest.mark.usefixtures("soon")
async def test_a_second_question_at_once_is_told_to_wait(
    table: Seat, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(1)
    bench = held(at)
    both = asyncio.Barrier(2)

    async def slow(*args: Any) -> str:
        """Return the server's language, but only once both questions have asked for it."""
        await both.wait()
        return await public_language(*args)

    monkeypatch.setattr(handlers, "public_language", slow)
    outs = await asyncio.gather(
        *(
            at.host.slash(at.channel, "odds showdown", hands=f"AhKd vs {hand}")
            for hand in ("QcQs", "JcJs")
        )
    )
    answered, waiting = sorted(outs, key=lambda out: "dealing" in plain(out.text))
    assert private_text(answered) == handlers.BUSY
    bench.go.set()
    await until(at, waiting.seen, "exact")
    await at.bot.client.drain()
    assert not at.bot.client.handlers.odds._under_way
    assert not [record for record in caplog.records if record.exc_info]


FAILED: list[tuple[Exception, str]] = [
    (TookTooLong(30.0), "gave up after 30 seconds of counting. Ask again with fewer unknown cards"),
    (ProcessLost(), "had to restart my calculator, so that answer is lost. Please ask again"),
    (QueueFull(), "busy with other questions"),
    (RuntimeError("unforeseen"), "Something went wrong on my side"),
]


@pytest.mark.usefixtures("soon")
async def test_an_error_is_reported_as_such_and_not_as_cancelled(table: Seat) -> None:
    at = await table(1)
    bench = held(at)
    for error, says in FAILED:
        bench.raises[CountShowdown] = error
        bench.go.clear()
        bench.hold(CountShowdown)
        out = await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
        bench.go.set()
        late = (await until(at, out.seen, says)).text
        await at.bot.client.drain()
        bench.hold()
        out = await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
        assert says in plain(private_text(out))
        assert "Cancelled" not in late + out.text


@pytest.mark.usefixtures("soon")
async def test_a_message_that_discord_does_not_take_ends_the_question(
    table: Seat, unhurried: ManualClock
) -> None:
    at = await table(1)
    bench = held(at)
    at.world.faults.server_error("POST /interactions/*", times=1, status=400)
    asking = asyncio.create_task(at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs"))
    await bench.dropped.get()
    await at.bot.client.drain()
    assert not at.bot.client.handlers.odds._under_way
    unhurried.advance(3.2)  # nothing came within Discord's three seconds
    with pytest.raises(InteractionFailed):
        await asking


@pytest.mark.usefixtures("soon")
async def test_an_answer_that_discord_does_not_take_leaves_no_traceback(
    table: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    at = await table(1)
    bench = held(at)
    await at.host.slash(at.channel, "odds showdown", hands="AhKd vs QcQs")
    at.world.faults.expire_tokens()
    bench.go.set()
    await at.bot.client.drain()
    assert not at.bot.client.handlers.odds._under_way
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.usefixtures("soon")
async def test_moves_and_pictures_do_not_wait_behind_heavy_questions(table: Seat) -> None:
    at = await table(8)
    bench = held(at)
    for person, rank in zip(at.people[1:], "23456789", strict=False):
        hands = f"AhKd vs {rank}c{rank}s"
        assert "dealing" in plain(
            (await person.slash(at.channel, "odds showdown", hands=hands)).text
        )
    out = await at.host.slash(at.channel, "odds liars", in_play=12)  # draws a picture
    assert out.message is not None
    assert bench.begun.qsize() == 7
    bench.go.set()
    await last(at, "exact")
    await at.bot.client.drain()


async def test_counting_bids_has_the_same_time_limit_as_other_questions(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    go = threading.Event()

    def without_end(_: object) -> None:
        go.wait()

    monkeypatch.setattr(handlers, "bids_board", without_end)
    monkeypatch.setattr(handlers, "LONGEST", 0.05)
    try:
        out = await at.host.slash(at.channel, "odds liars", in_play=12)
        assert "gave up after 0.05 seconds" in plain(private_text(out))
    finally:
        go.set()

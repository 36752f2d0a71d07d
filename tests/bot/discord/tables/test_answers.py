"""Answers that Discord takes late or never: they delay no other answer, and no move is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord import answers
from bot.discord.delivery import driver
from bot.retry import RetryPolicy
from bot.sandbox.driver import ActOutcome
from bot.sandbox.screen import SeenMessage
from bot.tables.live import LiveTable
from tests.bot.conftest import Seat
from tests.bot.harness import Held, Table, my_data, send_cards_directly
from tests.people import PATIENCE, until

# -- promised, and late: others' messages stand below them by then ---------------------------------

THAI = "Thai Poker"


def public_messages(at: Table) -> list[SeenMessage]:
    """Return the channel's public messages, including deferred ones."""
    return [message for message in at.host.visible(at.channel) if not message.ephemeral]


async def defer_answer(
    at: Table, act: Awaitable[Any], held: Held, patch: pytest.MonkeyPatch
) -> str:
    """Await `act` while `held` delays the bot's answer, so that the bot defers it publicly.

    Return the id of the deferred message.
    """
    before = len(public_messages(at))
    with patch.context() as now:
        now.setattr(answers, "DEFER_AFTER", 0.0)
        await asyncio.gather(act, held.reached.wait())
        await until(lambda: len(public_messages(at)) > before)
    return public_messages(at)[-1].id


async def play_to_end(at: Table) -> SeenMessage:
    """Start a match of two and have the host forfeit; return the message that names the winner."""
    await at.start(THAI)
    await at.forfeit(at.host)
    assert "wins the match" in at.message().text
    return at.message()


async def test_a_deferred_press_that_is_too_late_gets_a_sentence(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the sentence by which `make soak` tells a late press from a lost move."""
    at = await table(2, plays=THAI)
    before, old = at.message(), at.message().button("My seat").replace(":seat:", ":challenge:")
    for _ in at.people:
        await at.call(at.turn())
        await at.settle()
    person, stored = at.turn(), (await at.live()).match
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.0)
    out = await person.forge(before, old)
    assert out.kind == "deferred_update"
    await out.settle()
    (message,) = [
        message for message in person.visible(at.channel) if message.ephemeral and message.content
    ]
    assert message.payload["interaction_metadata"]["id"] == out.interaction_id
    assert message.text.startswith("The table has moved on.")
    assert (await at.live()).match == stored


async def test_a_table_that_is_opened_before_the_winner_is_told_comes_below(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)

    def won(live: LiveTable) -> bool:
        return live.match is not None and live.match.winner is not None

    boards = at.bot.delivery.boards
    drawing = Held(monkeypatch, boards, "for_table", after=True, first=True, when=won)
    prompt = await (await at.host.slash(at.channel, "leave")).settle()
    leaving = asyncio.create_task(at.host.click(prompt.seen, "Yes, leave"))
    await drawing.reached.wait()
    opened = await at.host.slash(at.channel, "play", game=THAI)
    upper_id = opened.seen.id
    drawing.let.set()
    await leaving
    await until(lambda: "Join" in at.message().buttons and at.message().id != upper_id)
    await at.settle()
    await at.wait_for_note()
    over, lowest = public_messages(at)[-2:]
    assert "wins the match" in over.text
    upper = next(message for message in public_messages(at) if message.id == upper_id)
    assert f"/{at.channel.id}/{lowest.id}" in upper.text
    assert "Join" not in upper.buttons
    await at.people[1].click(lowest, "Join")
    assert len((await at.live()).table.players) == 2


async def test_a_table_whose_answer_is_late_is_the_newer_one_of_its_channel(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    won = await play_to_end(at)
    opening = Held(monkeypatch, at.bot.tables, "open", first=True)
    upper = await defer_answer(
        at, at.host.slash(at.channel, "play", game=THAI), opening, monkeypatch
    )
    await at.bot.delivery.settle()  # it looks for a newer table too
    looking = Held(monkeypatch, at.bot.tables, "in_channel", after=True, first=True)
    lower = await defer_answer(at, at.people[1].slash(at.channel, "table"), looking, monkeypatch)
    opening.let.set()
    await until(lambda: "Join" in at.message().buttons)
    assert at.message().id == upper

    def is_of_lower(table_id: int, message_id: int, *_: object) -> bool:
        return str(message_id) == lower

    noting = Held(monkeypatch, at.bot.tables.runtime, "note_shown", first=True, when=is_of_lower)
    looking.let.set()
    await noting.reached.wait()
    await at.bot.delivery.tables.redraw((await at.live()).table.id)  # what comes up meanwhile
    noting.let.set()
    await until(lambda: at.message().id == lower and "Join" in at.message().buttons)
    await at.settle()
    await at.wait_for_note()
    (left,) = [message for message in public_messages(at) if message.id == upper]
    assert f"/{at.channel.id}/{lower}" in left.text
    assert "wins the match" in (await at.host.current(won)).text


async def test_a_table_whose_answer_is_late_links_to_the_newer_one(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    won = await play_to_end(at)
    looking = Held(monkeypatch, at.bot.tables, "in_channel", after=True, first=True)
    upper = await defer_answer(at, at.people[1].slash(at.channel, "table"), looking, monkeypatch)
    await at.host.slash(at.channel, "play", game=THAI)
    await at.wait_for_note()
    lobby = at.message().id
    looking.let.set()
    link = f"/{at.channel.id}/{lobby}"
    await until(
        lambda: link in next(message.text for message in public_messages(at) if message.id == upper)
    )
    await at.settle()
    assert (at.message().id, "Join" in at.message().buttons) == (lobby, True)
    assert "wins the match" in (await at.host.current(won)).text


async def test_of_two_answers_the_lower_one_stays_the_tables_message(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    looking = Held(monkeypatch, at.bot.tables, "in_channel", after=True, first=True)
    upper = await defer_answer(at, at.people[1].slash(at.channel, "table"), looking, monkeypatch)
    await at.host.slash(at.channel, "table")
    await at.wait_for_note()
    lower = at.message().id
    assert lower != upper
    looking.let.set()
    link = f"/{at.channel.id}/{lower}"
    await until(
        lambda: link in next(message.text for message in public_messages(at) if message.id == upper)
    )
    await at.settle()
    await at.wait_for_note()
    assert at.message().id == lower
    await at.call(at.turn())
    assert "No" not in at.standing()


async def hold_redraw(at: Table, patch: pytest.MonkeyPatch) -> Held:
    """Start a redraw of the table and hold it between drawing and sending; return the `Held`."""
    drawing = Held(patch, at.bot.delivery.boards, "for_table", after=True, first=True)
    await at.settle()
    await at.wait_for_note()
    await at.bot.delivery.tables.redraw((await at.live()).table.id)
    await drawing.reached.wait()
    return drawing


async def test_a_redraw_that_comes_late_does_not_undo_that_the_table_was_brought_down(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    above = (await at.start(THAI)).id
    redraw = await hold_redraw(at, monkeypatch)
    await at.host.slash(at.channel, "table")
    below = at.message().id
    link = f"/{at.channel.id}/{below}"
    redraw.let.set()
    await at.settle()
    (left,) = [message for message in public_messages(at) if message.id == above]
    assert link in left.text
    assert "My seat" not in left.buttons


async def test_a_redraw_that_comes_late_does_not_undo_a_record(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    bidding = await at.start(THAI)
    await at.call(at.turn())
    redraw = await hold_redraw(at, monkeypatch)
    message = at.message()
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)  # it waits no longer for the news' message
    await at.person(at.turn().id).click(message, "Challenge")
    redraw.let.set()
    await at.settle()
    await until(lambda: "Next round" in at.message().buttons)
    await at.settle()
    (left,) = [message for message in public_messages(at) if message.id == bidding.id]
    assert "Challenge" not in left.buttons
    assert "challenged" in left.text


async def test_a_record_whose_answer_was_not_taken_is_made_all_the_same(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    bidding = await at.start(THAI)
    await at.bid()
    await at.wait_for_note()

    async def not_taken(*_asked: Any, **_more: Any) -> bool:
        """Report the answer as not taken once the showdown's message is posted and stored."""
        await until(lambda: "Next round" in at.message().buttons)
        await at.wait_for_note()
        return False

    monkeypatch.setattr(answers, "redraw", not_taken)
    await at.bot.client.drain()
    challenger = at.turn()
    pressing = asyncio.create_task(challenger.click(at.message(), "Challenge"))
    await until(lambda: "Next round" in at.message().buttons)
    await at.settle()
    pressing.cancel()  # nobody answers that press
    (left,) = [message for message in public_messages(at) if message.id == bidding.id]
    assert "Challenge" not in left.buttons
    assert "challenged" in left.text


@pytest.mark.parametrize(("cut", "silent"), [(False, False), (True, False), (True, True)])
async def test_a_message_shown_despite_an_error_is_the_tables_message(
    table: Seat, cut: bool, silent: bool
) -> None:
    at = await table(2, plays=THAI)
    above = at.message().id
    # carried out; where an error is told, the library asks again: it has been answered already
    at.world.faults.lose_answer("POST /interactions/*", cut=cut)
    if silent:  # nor does Discord say whether it was
        at.world.faults.refuse("GET /webhooks/*", status=403, code=0)
    await at.host.slash(at.channel, "table")
    await until(lambda: at.message().id != above)

    def points_on() -> bool:
        left = next(message for message in public_messages(at) if message.id == above)
        return f"/{at.channel.id}/{at.message().id}" in left.text and "My seat" not in left.buttons

    await until(points_on)
    await at.bid()
    assert len([message for message in public_messages(at) if "My seat" in message.buttons]) == 1


@pytest.mark.parametrize("taken", [False, True])
async def test_a_seat_never_replaces_a_deferred_public_answer(
    table: Seat, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    """Check that no public message shows a seat: everybody would see the player's cards."""
    at = await table(2)
    opening = Held(monkeypatch, at.bot.tables, "open", after=True, first=True)
    message = await defer_answer(
        at, at.host.slash(at.channel, "play", game=THAI), opening, monkeypatch
    )
    answer = "PATCH /webhooks/*"
    if taken:
        at.world.faults.lose_answer(answer, status=404)
    else:
        at.world.faults.refuse(answer, status=404, code=10008)
    opening.let.set()
    await at.bot.client.drain()
    await at.settle()
    assert not any("You have a seat" in message.text for message in public_messages(at))
    if taken:
        assert [message.id for message in public_messages(at) if "Join" in message.buttons] == [
            message
        ]
        assert "You have a seat" in at.seat(at.host).text
    await at.host.slash(at.channel, "table")
    await at.people[1].click(at.message(), "Join")
    await at.press("Start")
    at.assert_no_leak()


async def test_an_interaction_is_deferred_a_second_after_the_press_wherever_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    promised = []

    async def promise(interaction: object, *, ephemeral: bool, anew: bool) -> None:
        promised.append(interaction)

    async def work() -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    monkeypatch.setattr(answers, "_promise", promise)
    monkeypatch.setattr(answers, "DEFER_AFTER", PATIENCE)
    for held in (PATIENCE, 0.0):
        promised.clear()
        response = SimpleNamespace(is_done=lambda: False)
        press: Any = SimpleNamespace(extras={answers.HELD: held}, response=response)
        await answers.in_time(press, work())
        assert promised == ([press] if held else [])


# -- another process may answer too ----------------------------------------------------------------


class Claimed:
    """An interaction that another process may answer.

    `error`: Discord's error for the attempt to claim the interaction, or None if it succeeds.
    """

    def __init__(self, kind: discord.InteractionType, error: Exception | None) -> None:
        self.type, self._error, self.promises = kind, error, 0
        self.extras: dict[str, Any] = {answers.UNCLAIMED: True, answers.HELD: 0.0}
        self.response = self

    def is_done(self) -> bool:
        return self.promises > 0 and self._error is None

    async def defer(self) -> None:
        self.promises += 1
        await self.original_response()

    async def original_response(self) -> None:
        if self._error is not None:
            raise self._error


def http_error(status: int, code: int) -> discord.HTTPException:
    """Return the error that the client library raises for this status and error code."""
    response: Any = SimpleNamespace(status=status, reason="")
    kind = discord.NotFound if status == 404 else discord.HTTPException
    return kind(response, {"code": code, "message": ""})


PRESS, COMMAND = discord.InteractionType.component, discord.InteractionType.application_command


@pytest.mark.parametrize(
    ("kind", "error", "ours"),
    [
        (PRESS, None, True),
        (PRESS, http_error(400, 40060), False),
        (PRESS, http_error(404, 10062), False),
        (PRESS, http_error(400, 50083), True),
        (PRESS, http_error(500, 0), True),
        (PRESS, TimeoutError(), True),
        (COMMAND, None, False),  # there is an answer
        (COMMAND, http_error(404, 10015), True),
        (COMMAND, http_error(404, 10062), False),
        (COMMAND, http_error(500, 0), True),
    ],
)
async def test_a_press_that_another_process_answered_has_no_effect_here(
    kind: discord.InteractionType, error: Exception | None, ours: bool
) -> None:
    press: Any = Claimed(kind, error)
    acts = []

    async def work() -> None:
        acts.append(press)

    with nullcontext() if ours else pytest.raises(answers.AnsweredElsewhere):
        await answers.in_time(press, work())
    assert acts == ([press] if ours else [])
    assert press.promises == (kind is PRESS)


async def test_a_deferred_look_is_answered_by_the_process_that_deferred_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    press: Any = Claimed(PRESS, None)
    acts = []

    async def work() -> None:
        acts.append(press)

    await press.response.defer()  # as a look that takes a second does
    press._error = http_error(400, 40060)  # as the library would raise that it has been answered
    monkeypatch.setattr(press, "is_done", lambda: True)
    await answers.in_time(press, work())
    assert acts == [press]


# -- not taken: nobody waits for them --------------------------------------------------------------

Impatient = Callable[..., AbstractContextManager[None]]
ANSWERS, EDITS = "POST /interactions/*", "PATCH /webhooks/*"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, unhurried: object) -> Impatient:
    """Return a context manager that shortens time limits: `with impatient("FIRST_WITHIN"):`."""

    @contextmanager
    def giving_up(*limits: str) -> Iterator[None]:
        with monkeypatch.context() as patched:
            for limit in limits:
                patched.setattr(answers, limit, 0.05)
            yield

    return giving_up


async def hang_answers(
    at: Table, act: Callable[[], Awaitable[ActOutcome]], impatient: Impatient
) -> None:
    """Call `act` while Discord never replies to the bot's answers; wait until the bot gives up."""
    await at.bot.client.drain()
    at.world.faults.hang(ANSWERS, times=9)
    with impatient("FIRST_WITHIN", "LATER_WITHIN"):
        acting = asyncio.ensure_future(act())
        await until(lambda: at.bot.client._serving)
        await at.bot.client.drain()
    assert not acting.done()  # Discord has no answer
    acting.cancel()
    at.world.faults.clear()


async def test_a_look_a_form_a_press_or_an_export_whose_answer_hangs_holds_up_no_stop(
    table: Seat, impatient: Impatient
) -> None:
    at = await table(2, plays=THAI)
    person, privacy = at.turn(), await my_data(at.host, at.channel)
    own_seat = at.seat(person)
    kind = next(label for label in own_seat.buttons if label not in ("Type…", "Refresh"))
    for presser, message, button in (
        (person, at.message(), "My seat"),
        (person, at.message(), "Type…"),
        (person, own_seat, kind),
        (at.host, privacy, "Export my data"),
    ):
        await hang_answers(at, partial(presser.click, message, button), impatient)
    assert (await at.call(person)).kind == "update"


async def test_a_greeting_that_hangs_holds_up_no_stop(table: Seat, impatient: Impatient) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    at.world.faults.hang("POST /users/@me/channels", times=9)
    with impatient("LATER_WITHIN"):
        await at.host.slash(at.channel, "play", game=THAI)
        await at.bot.client.drain()
    at.world.faults.clear()


async def test_a_seat_that_hangs_or_loses_its_connection_is_brought_up_to_date_later(
    table: Seat, impatient: Impatient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    at = await table(2, plays=THAI)
    next_player = next(person for person in at.people if person is not at.turn())
    at.world.faults.hang(EDITS)
    at.world.faults.cut_connection(EDITS, times=2)
    cut = len(at.world.state.requests)
    with impatient("LATER_WITHIN"):
        await at.call(at.turn())
        await until(lambda: edits_since(at, cut) >= 2)  # the connections that were cut
    at.world.faults.clear()  # and the one that hung
    await until(lambda: "Challenge" in at.seat(next_player).buttons)


def edits_since(at: Table, first: int) -> int:
    """Count the edits made with interaction tokens since request number `first`."""
    requests = list(at.world.state.requests)[first:]
    return sum(
        request.route.startswith("/webhooks") and request.method == "PATCH" for request in requests
    )

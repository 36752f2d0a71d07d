"""Nobody waits for an answer that Discord does not take: no press, no seat, and so no stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bot.discord import answers
from bot.discord.seats import following
from bot.sandbox.driver import ActOutcome
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_clocks import THAI
from tests.bot.house import Table, letters_too, my_data
from tests.people import until

Impatient = Callable[..., AbstractContextManager[None]]
ANSWERS, EDITS = "POST /interactions/*", "PATCH /webhooks/*"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, unhurried: object) -> Impatient:
    """`with impatient("FIRST_WITHIN"):` the bot gives up soon; before and after it has patience."""

    @contextmanager
    def giving_up(*limits: str) -> Iterator[None]:
        with monkeypatch.context() as patched:
            for limit in limits:
                patched.setattr(answers, limit, 0.05)
            yield

    return giving_up


async def hangs(at: Table, act: Callable[[], Awaitable[ActOutcome]], impatient: Impatient) -> None:
    """Do something whose answers hang until the bot serves nobody any more."""
    await at.bot.client.drained()
    at.world.faults.hang(ANSWERS, times=9)
    with impatient("FIRST_WITHIN", "LATER_WITHIN"):
        acting = asyncio.ensure_future(act())
        await until(lambda: at.bot.client._serving)
        await at.bot.client.drained()
    assert not acting.done()  # Discord has no answer
    acting.cancel()
    at.world.faults.clear()


@pytest.mark.parametrize("button", ["My seat", "Bid…"])
async def test_a_look_or_a_form_whose_answer_hangs_holds_up_no_stop(
    table: Seat, impatient: Impatient, button: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    await hangs(at, lambda: at.turn().click(at.shown(), button), impatient)
    assert (await at.call(at.turn())).kind == "update"


async def test_a_press_in_a_seat_whose_answer_hangs_holds_up_no_stop(
    table: Seat, impatient: Impatient
) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    own = at.seat(person)
    kind = next(label for label in own.buttons if label not in ("Type…", "Bring up to date"))
    await hangs(at, lambda: person.click(own, kind), impatient)


async def test_an_export_whose_answer_hangs_holds_up_no_stop(
    table: Seat, impatient: Impatient
) -> None:
    at = await table(1)
    shown = await my_data(at.host, at.channel)
    await hangs(at, lambda: at.host.click(shown, "Export my data"), impatient)


async def test_a_greeting_that_hangs_holds_up_no_stop(table: Seat, impatient: Impatient) -> None:
    at = await table(2)
    await letters_too(at, THAI)
    at.world.faults.hang("POST /users/@me/channels", times=9)
    with impatient("LATER_WITHIN"):
        await at.host.slash(at.channel, "play", game=THAI)
        await at.bot.client.drained()
    at.world.faults.clear()


async def test_a_seat_that_hangs_or_loses_its_connection_is_brought_up_to_date_later(
    table: Seat, impatient: Impatient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RETRY_SECONDS", (0.002,))
    at = await table(2)
    await at.start(THAI)
    other = next(one for one in at.people if one is not at.turn())
    at.world.faults.hang(EDITS)
    at.world.faults.cut_connection(EDITS, times=2)
    cut = len(at.world.state.requests)
    with impatient("LATER_WITHIN"):
        await at.call(at.turn())
        await until(lambda: edits_since(at, cut) >= 2)  # the connections that were cut
    at.world.faults.clear()  # and the one that hung
    await until(
        lambda: "Challenge" in at.seat(other).buttons or "Check bid" in at.seat(other).buttons
    )


def edits_since(at: Table, first: int) -> int:
    """How many edits of private messages Discord has heard of since then, the hanging one apart."""
    requests = list(at.world.state.requests)[first:]
    return sum(one.route.startswith("/webhooks") and one.method == "PATCH" for one in requests)

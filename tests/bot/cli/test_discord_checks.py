"""`bluffhouse store doctor --discord`, with the local Discord in place of the real one."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.cli import discord_checks
from bot.cli.discord_checks import CHECKS, HOUR, NAME, NoTrial, Seen, report, try_out
from bot.retry import RetryPolicy
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import GUILD_INSTALL
from bot.sandbox.errors import CannotDo
from bot.sandbox.limits import Limit, no_limits
from bot.sandbox.world import Sandbox
from tests.bot.cli.refused import refusal, run_and_print
from tests.bot.conftest import Seat
from tests.bot.harness import TOKEN, Table
from tests.bot.sandbox.raw import Raw
from tests.people import until

LATER = "*After an hour*"
AFTER_AN_HOUR = "press after an hour"
ROOT = Path(__file__).parents[3]


class Presser:
    """A callable that presses the button a question names, on the newest message that has it.

    If the question contains `LATER`, an hour passes before the press.
    """

    def __init__(self, at: Table) -> None:
        self._at = at
        self.asked: list[str] = []
        self.presses: list[asyncio.Task[None]] = []

    def __call__(self, question: str) -> None:
        self.asked.append(question)
        if LATER in question:  # an hour is longer than a token lives
            assert isinstance(self._at.world.clock, ManualClock)
            self._at.world.clock.advance(HOUR)
        named = re.search(r"\*(.+?)\*", question)
        if named is not None:
            self.presses.append(asyncio.create_task(self._press(named[1])))

    async def _press(self, label: str) -> None:
        for message in reversed(self._at.host.visible(self._at.channel)):
            if label in message.buttons:
                await self._at.host.click(message, label)
                return
        raise CannotDo(f"{label} is not there")


class Trying:
    """A callable that runs the named checks, or all, and returns their observations by name.

    `said`: the report of the last call.
    """

    def __init__(self, at: Table) -> None:
        self._at = at
        self.said: list[tuple[str, str]] = []  # the report

    async def __call__(
        self, *names: str, ask: Callable[[str], None] | None = None, **options: Any
    ) -> dict[str, Seen | None]:
        person, world = Presser(self._at), self._at.world
        options = {"hour": 0.0, "pace": 0.0} | options
        some = [check for check in CHECKS if not names or check.name in names]
        target = (TOKEN, self._at.channel.id, ask or person, world.api_url, world.gateway_url)
        results = await try_out(*target, checks=some, **options)
        await asyncio.gather(*person.presses)
        self.said = report(results)
        return {check.name: observation for check, observation in results}


@pytest.fixture
async def at(table: Seat) -> Table:
    """Return a table's channel with one person and no bot."""
    return await table(1, serve=False)


@pytest.fixture
def trying(at: Table) -> Trying:
    return Trying(at)


async def test_everything_is_tried_and_nothing_is_left(at: Table, trying: Trying) -> None:
    world: Sandbox = at.world
    world.emoji_room = 1
    play = {"name": "play", "type": 1, "id": "1", "description": "The bot's own"}
    world.state.commands = [play]
    observations = await trying()
    assert list(observations) == [check.name for check in CHECKS]
    assert {
        name: observation
        for name, observation in observations.items()
        if not observation or not observation.as_assumed
    } == {}
    assert [message for message in at.host.visible(at.channel) if not message.ephemeral] == []
    assert world.state.emojis == []
    assert world.state.commands == [play]
    assert world.state.unknown_requests == []
    text = "\n".join(begin + line for begin, line in trying.said)
    assert not re.search(r"\d{15,}", text)
    assert at.host.name not in text
    for check in CHECKS:
        assert check.assumed in text
        assert check.means in text


async def test_an_application_for_servers_alone_is_seen_before_the_bots_commands_are_refused(
    at: Table, trying: Trying
) -> None:
    at.world.state.installs = [GUILD_INSTALL]
    observation = (await trying("command"))["command"]
    assert observation is not None
    assert not observation.as_assumed
    assert observation.text.startswith("400 50035")


async def test_the_share_of_a_channels_tokens_is_counted_and_answers_are_not_in_it(
    at: Table, trying: Trying
) -> None:
    for share, enough in ((30, True), (10, False)):
        at.world.limits = replace(no_limits(), all_tokens=Limit(share, 60.0))
        observations = await trying("post", "table button", "token limits", "new message")
        shared, news = observations["token limits"], observations["new message"]
        assert shared is not None
        assert shared.text.startswith(f"{share} edits in ")
        assert "then 429 (shared), anew after" in shared.text
        assert shared.as_assumed is enough
        assert news is not None
        assert news.as_assumed, news.text
    assert [message for message in at.host.visible(at.channel) if not message.ephemeral] == []


async def test_a_session_that_discord_ends_meanwhile_is_replaced(
    at: Table, trying: Trying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord_checks, "RETRY", RetryPolicy(0.001, 0.001))
    gateway, clock, person = at.world.gateway, at.world.clock, Presser(at)
    again: list[asyncio.Task[None]] = []

    async def reconnect_then_press(question: str) -> None:
        begun = gateway.admission.remaining(clock.now())
        await gateway.reconnect()
        await until(lambda: gateway.admission.remaining(clock.now()) < begun)
        person(question)

    def ask(question: str) -> None:
        again.append(asyncio.create_task(reconnect_then_press(question)))

    observation = (await trying(AFTER_AN_HOUR, ask=ask))[AFTER_AN_HOUR]
    await asyncio.gather(*again, *person.presses)
    assert observation is not None
    assert observation.as_assumed, observation.text


async def test_a_request_that_is_lost_costs_its_own_check_and_not_the_report(
    at: Table, trying: Trying
) -> None:
    at.world.faults.cut_connection("PATCH *", times=1)
    at.world.faults.cut_connection("DELETE *", times=99)  # nor does what cannot be deleted
    observations = await trying("post", "edit", "limits")
    as_assumed = {
        name: observation and observation.as_assumed for name, observation in observations.items()
    }
    assert as_assumed == {"post": True, "edit": False, "limits": False}
    assert observations["edit"] is not None
    assert "no answer" in observations["edit"].text


async def test_without_a_press_the_other_checks_still_run(at: Table, trying: Trying) -> None:
    observations = await trying(ask=lambda _: None, patience=0.05)
    assert [name for name, observation in observations.items() if observation is None] == [
        *("table button", "token redraw", "seat button", "token limits", "new message"),
        AFTER_AN_HOUR,
    ]
    assert ("    seen     ", "nobody pressed it") in trying.said


async def test_a_press_that_comes_too_early_is_refused_and_waited_for_again(
    at: Table, trying: Trying, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, now = Presser(at), [0.0]
    monkeypatch.setattr(
        discord_checks, "time", SimpleNamespace(time=time.time, monotonic=lambda: now[0])
    )

    def ask(question: str) -> None:
        if "Too early" in question:
            now[0] += 3600.0
        person(question)

    observations = await trying(AFTER_AN_HOUR, ask=ask, hour=HOUR)
    await asyncio.gather(*person.presses)
    assert observations[AFTER_AN_HOUR] is not None
    assert ["Too early" in question for question in person.asked] == [False, True]


async def test_ctrl_c_ends_the_hour_and_the_rest_is_printed(at: Table, trying: Trying) -> None:
    begun: list[asyncio.Task[object]] = []

    def interrupt(_: str) -> None:
        asyncio.get_running_loop().call_soon(begun[0].cancel)

    begun.append(asyncio.ensure_future(trying(AFTER_AN_HOUR, ask=interrupt, hour=HOUR)))
    assert await begun[0] == {AFTER_AN_HOUR: None}
    assert at.host.visible(at.channel) == []


async def test_a_reason_not_to_start_is_one_sentence(at: Table) -> None:
    world: Sandbox = at.world
    where = (world.api_url, world.gateway_url)
    with pytest.raises(NoTrial, match="refuses the token"):
        await try_out("wrong", at.channel.id, print, *where)
    with pytest.raises(NoTrial, match="can't see that channel"):
        await try_out(TOKEN, "1", print, *where)
    await world.faults.deny(at.channel, "send_messages")
    with pytest.raises(NoTrial, match="can't post"):
        await try_out(TOKEN, at.channel.id, print, *where)
    with pytest.raises(NoTrial, match="does not answer"):
        await try_out(TOKEN, at.channel.id, print, "http://127.0.0.1:9/api/v10", None)


async def test_the_command_prints_the_report_and_writes_it_to_a_file(
    at: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world: Sandbox = at.world
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("BLUFFHOUSE_DISCORD__API_URL", world.api_url)
    monkeypatch.setenv("BLUFFHOUSE_DISCORD__GATEWAY_URL", world.gateway_url)
    monkeypatch.setattr(discord_checks, "CHECKS", CHECKS[:3])
    words = ("store", "doctor", "--discord", at.channel.id, "--report", "seen.txt")
    output = await asyncio.to_thread(run_and_print, *words)
    report_text = (tmp_path / "seen.txt").read_text(encoding="utf-8")
    assert "ok  post" in report_text
    assert report_text.count("assumed") == 3
    assert report_text == output
    for arguments in (("--discord", "poker-night"), ("--report", "other.txt")):
        assert "--discord" in refusal("store", "doctor", *arguments)


async def test_emoji_are_uploaded_listed_and_deleted_and_odd_ones_refused(at: Table) -> None:
    world: Sandbox = at.world
    world.emoji_room = 2
    async with Raw(world) as raw:
        path = f"/applications/{world.state.bot.id}/emojis"
        image = "data:image/png;base64,aGVsbG8="
        status, emoji = await raw.api("POST", path, {"name": NAME, "image": image})
        assert status == 201
        assert (await raw.api("GET", path))[1]["items"] == [emoji]
        for wrong in (
            {"name": NAME, "image": image},
            {"name": "a", "image": image},
            {"name": "a b", "image": image},
            {"name": "fine", "image": "hello"},
            {"name": "fine", "image": "data:image/png;base64,="},
            {"name": "fine"},
        ):
            status, refused = await raw.api("POST", path, wrong)
            assert (status, refused["code"]) == (400, 50035), wrong
        assert (await raw.api("DELETE", f"{path}/{emoji['id']}"))[0] == 204
        assert (await raw.api("DELETE", f"{path}/{emoji['id']}"))[1]["code"] == 10014
        assert (await raw.api("GET", "/applications/1/emojis"))[0] == 401
        world.emoji_room = 0
        assert (await raw.api("POST", path, {"name": "one", "image": image}))[1]["code"] == 30008

"""`bluffhouse store doctor --discord` against the local Discord, which stands for a real one."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bot.cli import app, discord_checks
from bot.cli.discord_checks import CHECKS, HOUR, NAME, NoTrial, report, try_out
from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import GUILD_INSTALL
from bot.sandbox.errors import CannotDo
from bot.sandbox.limits import Limit, unlimited
from bot.sandbox.world import Sandbox
from tests.bot.conftest import Seat
from tests.bot.house import TOKEN, Table
from tests.bot.sandbox.raw import Raw
from tests.people import until

LATER = "*After an hour*"
AFTER_AN_HOUR = [one for one in CHECKS if one.name == "press after an hour"]
ROOT = Path(__file__).parents[3]


class Presser:
    """A person who presses what they are asked for, as soon as it stands in the channel."""

    def __init__(self, at: Table) -> None:
        self._at = at
        self.asked: list[str] = []
        self.presses: list[asyncio.Task[None]] = []

    def __call__(self, asked: str) -> None:
        self.asked.append(asked)
        if LATER in asked:  # an hour is longer than a token lives
            assert isinstance(self._at.world.clock, ManualClock)
            self._at.world.clock.advance(HOUR)
        named = re.search(r"\*(.+?)\*", asked)
        if named is not None:
            self.presses.append(asyncio.create_task(self._press(named[1])))

    async def _press(self, label: str) -> None:
        for message in reversed(self._at.host.visible(self._at.channel)):
            if label in message.buttons:
                await self._at.host.click(message, label)
                return
        raise CannotDo(f"{label} is not there")


async def test_everything_is_tried_and_nothing_is_left(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    world.emoji_room = 1
    play = {"name": "play", "type": 1, "id": "1", "description": "The bot's own"}
    world.state.commands = [play]
    person = Presser(at)
    found = await try_out(
        TOKEN, at.channel.id, person, world.api_url, world.gateway_url, hour=0.0, pace=0.0
    )
    await asyncio.gather(*person.presses)
    seen = {check.name: seen for check, seen in found}
    assert list(seen) == [check.name for check in CHECKS]
    otherwise = {
        name: one.text if one else None
        for name, one in seen.items()
        if not one or not one.as_assumed
    }
    assert otherwise == {}
    assert [one for one in at.host.visible(at.channel) if not one.ephemeral] == []
    assert world.state.emojis == []
    assert world.state.commands == [play]
    assert world.state.unknown_requests == []


async def test_an_application_for_servers_alone_is_seen_before_the_bots_commands_are_refused(
    table: Seat,
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    world.state.installs = [GUILD_INSTALL]
    only = [one for one in CHECKS if one.name == "command"]
    found = await try_out(
        TOKEN, at.channel.id, Presser(at), world.api_url, world.gateway_url, checks=only
    )
    ((check, seen),) = found
    assert seen is not None
    assert not seen.as_assumed
    assert seen.text.startswith("400 50035")
    assert "Installation" in check.means


async def test_the_share_of_a_channels_tokens_is_counted_and_answers_are_not_in_it(
    table: Seat,
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    person = Presser(at)
    names = ("post", "table's press", "tokens' share", "news")
    some = [one for one in CHECKS if one.name in names]
    for share, enough in ((30, True), (10, False)):
        world.limits = replace(unlimited(), all_tokens=Limit(share, 60.0))
        found = await try_out(
            *(TOKEN, at.channel.id, person, world.api_url, world.gateway_url),
            pace=0.0,
            checks=some,
        )
        await asyncio.gather(*person.presses)
        seen = {check.name: seen for check, seen in found}
        shared, news = seen["tokens' share"], seen["news"]
        assert shared is not None
        assert shared.text.startswith(f"{share} edits in ")
        assert "then 429 (shared), anew after" in shared.text
        assert shared.as_assumed is enough
        assert news is not None
        assert news.as_assumed, news.text
    assert [one for one in at.host.visible(at.channel) if not one.ephemeral] == []


async def test_the_report_holds_no_id_and_no_token(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    person = Presser(at)
    found = await try_out(
        TOKEN, at.channel.id, person, world.api_url, world.gateway_url, hour=0.0, pace=0.0
    )
    await asyncio.gather(*person.presses)
    text = "\n".join(begin + said for begin, said in report(found))
    assert not re.search(r"\d{15,}", text)
    assert at.host.name not in text
    for check in CHECKS:
        assert check.assumed in text
        assert check.means in text


async def test_a_session_that_discord_ends_meanwhile_is_begun_anew(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord_checks, "AGAIN", 0.001)
    at = await table(1, serve=False)
    world: Sandbox = at.world
    person = Presser(at)
    again: list[asyncio.Task[None]] = []

    async def reconnect_then_press(asked: str) -> None:
        begun = world.gateway.admission.remaining(world.clock.now())
        await world.gateway.reconnect()
        await until(lambda: world.gateway.admission.remaining(world.clock.now()) < begun)
        person(asked)

    def ask(asked: str) -> None:
        again.append(asyncio.create_task(reconnect_then_press(asked)))

    found = await try_out(
        *(TOKEN, at.channel.id, ask, world.api_url, world.gateway_url),
        hour=0.0,
        checks=AFTER_AN_HOUR,
    )
    await asyncio.gather(*again, *person.presses)
    ((_, seen),) = found
    assert seen is not None
    assert seen.as_assumed, seen.text


async def test_a_request_that_is_lost_costs_its_own_check_and_not_the_report(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    world.faults.cut_connection("PATCH *", times=1)
    world.faults.cut_connection("DELETE *", times=99)  # nor does what cannot be deleted
    found = await try_out(
        *(TOKEN, at.channel.id, print, world.api_url, world.gateway_url), checks=CHECKS[:3]
    )
    seen = {check.name: one and one.as_assumed for check, one in found}
    assert seen == {"post": True, "edit": False, "limits": False}
    assert "no answer" in " ".join(said for _, said in report(found))


async def test_who_presses_nothing_has_the_rest_tried(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    found = await try_out(
        *(TOKEN, at.channel.id, lambda _: None, world.api_url, world.gateway_url),
        hour=0.0,
        patience=0.05,
    )
    unseen = [check.name for check, seen in found if seen is None]
    assert unseen == [
        *("table's press", "token's redraw", "seat's press", "tokens' share", "news"),
        "press after an hour",
    ]
    assert "nobody pressed it" in " ".join(said for _, said in report(found))


async def test_a_press_that_comes_too_early_is_told_so_and_waited_for_again(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    person, now = Presser(at), [0.0]
    monkeypatch.setattr(
        discord_checks, "time", SimpleNamespace(time=time.time, monotonic=lambda: now[0])
    )

    def ask(asked: str) -> None:
        if "Too early" in asked:
            now[0] += 3600.0
        person(asked)

    found = await try_out(
        *(TOKEN, at.channel.id, ask, world.api_url, world.gateway_url), checks=AFTER_AN_HOUR
    )
    await asyncio.gather(*person.presses)
    assert found[0][1] is not None
    assert ["Too early" in one for one in person.asked] == [False, True]


async def test_ctrl_c_ends_the_hour_and_the_rest_is_printed(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    trying: list[asyncio.Task[object]] = []

    def interrupt(_: str) -> None:
        asyncio.get_running_loop().call_soon(trying[0].cancel)

    trying.append(
        asyncio.create_task(
            try_out(
                *(TOKEN, at.channel.id, interrupt, world.api_url, world.gateway_url),
                checks=AFTER_AN_HOUR,
            )
        )
    )
    assert await trying[0] == [(AFTER_AN_HOUR[0], None)]
    assert at.host.visible(at.channel) == []


async def test_what_keeps_it_from_beginning_is_one_sentence(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    where = (world.api_url, world.gateway_url)
    with pytest.raises(NoTrial, match="refuses the token"):
        await try_out("wrong", at.channel.id, print, *where)
    with pytest.raises(NoTrial, match="does not see that channel"):
        await try_out(TOKEN, "1", print, *where)
    await world.faults.deny(at.channel, "send_messages")
    with pytest.raises(NoTrial, match="may not post"):
        await try_out(TOKEN, at.channel.id, print, *where)
    with pytest.raises(NoTrial, match="does not answer"):
        await try_out(TOKEN, at.channel.id, print, "http://127.0.0.1:9/api/v10", None)


async def test_the_command_prints_it_and_keeps_it(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("BLUFFHOUSE_DISCORD__API_URL", world.api_url)
    monkeypatch.setenv("BLUFFHOUSE_DISCORD__GATEWAY_URL", world.gateway_url)
    monkeypatch.setattr(discord_checks, "CHECKS", CHECKS[:3])
    run = CliRunner().invoke
    ended = await asyncio.to_thread(
        run, app, ["store", "doctor", "--discord", at.channel.id, "--report", "seen.txt"]
    )
    assert ended.exit_code == 0, ended.output
    kept = (tmp_path / "seen.txt").read_text(encoding="utf-8")
    assert "ok  post" in kept
    assert kept.count("assumed") == 3
    assert kept in ended.output
    ended = await asyncio.to_thread(run, app, ["store", "doctor", "--discord", "poker-night"])
    assert ended.exit_code == 2
    ended = await asyncio.to_thread(run, app, ["store", "doctor", "--report", "other.txt"])
    assert ended.exit_code == 2
    assert "--discord" in ended.output


def test_what_is_tried_is_what_the_document_lists() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    section = text.split("## What only a real server can tell\n")[1].split("\n## ")[0]
    joined = re.sub(r"\n  ", " ", section)
    listed = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", joined, re.MULTILINE)
    assert listed == [(check.name, check.assumed) for check in CHECKS]


async def test_emoji_are_uploaded_listed_and_deleted_and_odd_ones_refused(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    world.emoji_room = 2
    async with Raw(world) as raw:
        path = f"/applications/{world.state.bot.id}/emojis"
        image = "data:image/png;base64,aGVsbG8="
        status, made = await raw.api("POST", path, {"name": NAME, "image": image})
        assert status == 200
        assert (await raw.api("GET", path))[1]["items"] == [made]
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
        assert (await raw.api("DELETE", f"{path}/{made['id']}"))[0] == 204
        assert (await raw.api("DELETE", f"{path}/{made['id']}"))[1]["code"] == 10014
        assert (await raw.api("GET", "/applications/1/emojis"))[0] == 401
        world.emoji_room = 0
        assert (await raw.api("POST", path, {"name": "one", "image": image}))[1]["code"] == 30008

"""The page's HTTP API, the driver that uses it, the local Discord as a process, and page tools."""

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.sandbox.errors import CannotDo
from bot.sandbox.remote import RemoteWorld
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.sample_bot import SampleBot
from tests.people import Snug, online


async def test_people_are_listed_added_and_changed(snug: Snug, raw: Raw) -> None:
    _, listed = await raw.page("GET", "/page/people")
    assert [person["name"] for person in listed["people"]] == ["Ann", "Bob", "Cleo"]
    _, dora = await raw.page("POST", "/page/people", {"name": "Dora"})
    assert dora.keys() == {"id", "name", "color", "dms_open"}
    _, closed = await raw.page("POST", f"/page/people/{dora['id']}", {"dms_open": False})
    assert closed == dora | {"dms_open": False}
    _, view = await raw.page("GET", "/page/view", **{"as": dora["id"]})
    assert dora["id"] in view["guilds"][0]["members"]
    for name in ("", "ann", "x" * 33):
        status, body = await raw.page("POST", "/page/people", {"name": name})
        assert (status, list(body)) == (400, ["error"])


async def test_view_shows_one_persons_places_and_commands(snug: Snug, raw: Raw) -> None:
    async with online(snug.world, SampleBot()):
        await snug.ann.act("open_dm")
        _, ann = await raw.page("GET", "/page/view", **{"as": snug.ann.id})
        _, bob = await raw.page("GET", "/page/view", **{"as": snug.bob.id})
    assert ann["bot"]["online"] is True
    assert ann["guilds"][0]["channels"] == [
        {"id": snug.table.id, "name": "poker-night", "type": 0, "parent_id": None}
    ]
    assert "play" in [command["name"] for command in ann["commands"]]
    assert [dm["recipient"]["username"] for dm in ann["dms"]] == ["Bluffhouse"]
    assert bob["dms"] == []


@asynccontextmanager
async def listening(raw: Raw, person_id: str) -> AsyncIterator[list[Any]]:
    """Open a person's stream, and yield a list that is empty until the block ends.

    Then add the stream's events to the list, up to the message "last".
    """
    events: list[Any] = []
    url = f"{raw.world.base_url}/page/stream"
    async with raw.http.ws_connect(url, params={"as": person_id}) as socket:
        yield events
        async for event in socket:
            events.append(json.loads(event.data))
            if events[-1].get("message", {}).get("content") == "last":
                return


async def test_stream_brings_each_person_what_they_may_see(snug: Snug, raw: Raw) -> None:
    async with (
        online(snug.world, SampleBot()),
        listening(raw, snug.ann.id) as anns,
        listening(raw, snug.bob.id) as bobs,
    ):
        table = (await snug.ann.slash(snug.table, "play", variant="Thai")).message
        assert table is not None
        await snug.ann.click(table, "Join")
        await snug.ann.click(table, "Cards")
        await snug.ann.click(table, "Form")
        await snug.ann.slash(snug.table, "message_me")
        await snug.bob.say(snug.table, "last")
    kinds = [event["type"] for event in anns]
    assert {"message_create", "message_update", "interaction", "modal"} <= set(kinds)
    states = [event["state"] for event in anns if event["type"] == "interaction"]
    assert states == ["pending", "answered"] * 5
    assert {event["type"] for event in bobs} == {"message_create", "message_update", "read"}
    assert "Cards of Ann" not in json.dumps(bobs)
    assert "for you alone" not in json.dumps(bobs)


async def test_act_answers_and_refuses_in_the_contracts_shape(snug: Snug, raw: Raw) -> None:
    async with online(snug.world, SampleBot()):
        slash = {"as": snug.ann.id, "type": "slash", "channel": snug.table.id}
        _, played = await raw.page(
            "POST", "/page/act", slash | {"name": "play", "options": {"variant": "thai"}}
        )
        assert (played["ok"], played["answer"]) == (True, "message")
        click = {"type": "click", "channel": snug.table.id, "message": played["message"]["id"]}
        _, form = await raw.page(
            "POST", "/page/act", {"as": snug.bob.id, "custom_id": "press:form"} | click
        )
        assert form["answer"] == "modal"
        assert form["modal"]["title"] == "Your bid"
        submit = {"type": "submit", "interaction_id": form["interaction_id"]}
        _, stolen = await raw.page("POST", "/page/act", {"as": snug.ann.id, "values": {}} | submit)
        assert stolen == {"ok": False, "error": "That form is not open for you."}
        typed = {"words": "qq", "kind": ["flush"]}
        _, sent = await raw.page("POST", "/page/act", {"as": snug.bob.id, "values": typed} | submit)
        assert sent["answer"] == "update"
        _, shown_view = await raw.page(
            "GET", "/page/messages", **{"as": snug.cleo.id, "channel": snug.table.id}
        )
        assert "form: qq, ['flush']" in json.dumps(shown_view["messages"][-1])


async def test_bad_act_gets_one_sentence(snug: Snug, raw: Raw) -> None:
    bad: list[tuple[Any, int]] = [
        ({"as": "1", "type": "open_dm"}, 200),
        ({"type": "open_dm"}, 400),
        ([], 400),
    ]
    for body, status in bad:
        answered, response = await raw.page("POST", "/page/act", body)
        assert answered == status
        assert response["error"].endswith(".")


async def test_other_sites_reach_neither_the_emulator_nor_anybodys_stream(
    snug: Snug, raw: Raw
) -> None:
    """Send another site's origin, as browsers do: they let any site open a WebSocket here."""
    evil, url = {"Origin": "http://evil.example"}, snug.world.base_url + "/page/people"
    for headers, status in (
        (evil, 403),
        ({"Host": "evil.example"}, 403),
        ({"Origin": snug.world.base_url}, 200),
    ):
        async with raw.http.get(url, headers=headers) as response:
            assert response.status == status
    stream = f"{snug.world.base_url}/page/stream"
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await raw.http.ws_connect(stream, params={"as": snug.ann.id}, headers=evil)
    assert refused.value.status == 403


async def test_static_files_stay_inside_the_page(snug: Snug, raw: Raw) -> None:
    for path in ("..%2Fweb.py", "%2Fetc%2Fpasswd", "nothing.js"):
        async with raw.http.get(f"{snug.world.base_url}/page/static/{path}") as response:
            assert response.status == 404


async def test_remote_people_have_the_same_verbs(snug: Snug) -> None:
    async with online(snug.world, SampleBot()), RemoteWorld(snug.world.base_url) as world:
        await world.bot_online()
        ann, bob = await world.person("Ann"), await world.person("Bob")
        table = await world.channel("poker-night")
        opened = (await ann.slash(table, "play", variant="Liars")).message
        assert opened is not None
        assert (await bob.click(opened, "Join")).kind == "update"
        await ann.select(opened, "Bid", "Pair of 5s")
        assert "bid pair:5" in (await bob.visible(table))[-1].text
        form = await ann.click(opened, "Form")
        assert (await ann.submit(form.modal, {"In words": "kk"})).kind == "update"
        assert (await (await ann.slash(table, "think")).settle()).text == "thought"
        await ann.set_dms_open(False)
        assert (await ann.slash(table, "message_me")).text == "refused 50007"
        with pytest.raises(CannotDo, match="no button 'Leave'"):
            await bob.click(opened, "Leave")
        await world.fault("rate_limit", route="GET /gateway", retry_after=0.1)
        with pytest.raises(CannotDo, match="There is no fault 'fire'"):
            await world.fault("fire")
        with pytest.raises(CannotDo, match="was not understood"):
            await world.fault("rate_limit", colour="red")
        assert (await world.requests())[0]["route"] == "/users/@me"


@pytest.mark.process
async def test_process_starts_furnished_and_stops_cleanly(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.sandbox", "--state", str(state),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    async with RemoteWorld(line.split()[-1]) as world:
        assert [
            person["name"] for person in (await world.ask("GET", "/page/people"))["people"]
        ] == [
            "Ann",
            "Bob",
            "Cleo",
        ]
        ann = await world.person("Ann")
        await ann.say(await world.channel("high-stakes"), "here")
    process.send_signal(signal.SIGTERM)
    _, errors = await process.communicate()
    assert (process.returncode, b"Traceback" in errors) == (0, False)
    assert "here" in state.read_text()


async def test_stopping_ends_open_streams(snug: Snug) -> None:
    async with aiohttp.ClientSession() as http:
        url = f"{snug.world.base_url}/page/stream"
        async with http.ws_connect(url, params={"as": snug.ann.id}) as socket:
            await snug.world.stop()
            assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE  # not cut off


# -- what the checks of the page's JavaScript are installed from -----------------------------------

ROOT = Path(__file__).parents[3]


def test_the_npm_lock_file_names_no_host_and_every_package_has_its_hash() -> None:
    text = (ROOT / "package-lock.json").read_text()
    assert re.findall(r'"[^"]*://[^"]*"', text) == []  # `make lock` leaves addresses out
    packages = json.loads(text)["packages"]
    assert [
        name for name, package in packages.items() if name and not package.get("integrity")
    ] == []


def test_the_pages_dev_dependencies_are_exact() -> None:
    versions = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values())

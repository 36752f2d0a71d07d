"""The local Discord's state file: reading it in any process gives what was written."""

import asyncio
import base64
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Sandbox, persistence
from bot.sandbox.driver import Person
from bot.sandbox.persistence import StateFile
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.sample_bot import SampleBot
from tests.people import online

GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}


async def test_world_with_its_files_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state.json"
    world = Sandbox(state_file=path)
    await world.start()
    world.furnish()
    table = world.server("The Snug").channel("poker-night")
    ann = world.person("Ann")
    ann.set_dms_open(False)
    async with Raw(world) as raw:
        body = {"flags": 1 << 15, "components": [GALLERY]}
        await raw.send(table.id, body, files=[("a.png", b"picture")])
        world.emoji_room = 1
        image = "data:image/png;base64," + base64.b64encode(b"card").decode()
        emoji = f"/applications/{world.state.bot.id}/emojis"
        _, uploaded = await raw.api("POST", emoji, {"name": "ace", "image": image})
    async with online(world, SampleBot()):
        opened = (await ann.slash(table, "play", variant="Thai")).message
        assert opened is not None
        await ann.click(opened, "Cards")
    await world.stop()
    # hole cards and letters are in it
    files = [file for file in path.parent.rglob("*") if file.is_file() and os.name != "nt"]
    assert {file.name for file in files if file.stat().st_mode & 0o077} == set()

    again = Sandbox(state_file=path)
    await again.start()
    same = again.person("Ann")
    assert again.base_url != world.base_url
    assert same.text(table.id) == ann.text(table)
    assert "Cards of Ann" in same.text(table.id)
    assert "Cards of Ann" not in again.person("Bob").everything()
    assert not again.state.users[ann.id].dms_open
    url = same.visible(table.id)[0].components[0]["items"][0]["media"]["url"]
    async with Raw(again) as raw, raw.http.get(url) as response:
        assert await response.read() == b"picture"
    url = f"{again.base_url}/emojis/{uploaded['id']}.png"
    async with Raw(again) as raw, raw.http.get(url) as response:
        assert await response.read() == b"card"
    async with Raw(again) as raw, raw.http.get(f"{again.base_url}/emojis/1.png") as response:
        assert response.status == 404
    async with online(again, SampleBot()):
        outcome = await Person(again, ann.id).click(opened, "Join")
        assert outcome.kind == "update"
    await again.stop()


async def test_change_is_saved_without_a_clean_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.json"
    saved, save = asyncio.Event(), StateFile.save_aside

    async def save_and_print(file: StateFile, *args: Any) -> None:
        await save(file, *args)
        saved.set()

    monkeypatch.setattr(StateFile, "save_aside", save_and_print)
    world = Sandbox(state_file=path)
    await world.start()
    try:
        world.add_person("Ann")
        await saved.wait()
        assert "Ann" in path.read_text()
    finally:
        await world.stop()


async def test_stopping_waits_for_the_write_in_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.json"
    writing, go_on, replace = threading.Event(), threading.Event(), persistence._replace

    def replace_slowly(file: Path, content: bytes) -> None:
        if not writing.is_set():
            writing.set()
            go_on.wait()
        replace(file, content)

    monkeypatch.setattr(persistence, "_replace", replace_slowly)
    world = Sandbox(state_file=path)
    await world.start()
    world.add_person("Ann")
    await asyncio.to_thread(writing.wait)
    world.add_person("Bob")
    stopping = asyncio.create_task(world.stop())
    finished, _ = await asyncio.wait([stopping], timeout=0.1)  # enough to see it end too early
    go_on.set()
    await stopping
    assert not finished
    assert "Bob" in path.read_text()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"format": 99}', b"\xff"])
async def test_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not a state file of the local Discord"):
        await Sandbox(state_file=path).start()
    assert path.read_bytes() == content


async def test_a_file_that_lacks_a_part_or_has_another_thing_there_is_refused_in_a_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "state.json"
    world = Sandbox(state_file=path)
    await world.start()
    world.furnish()
    await world.stop()
    saved_state: dict[str, Any] = json.loads(path.read_text())
    wrong: list[dict[str, Any]] = [
        {"users": [user for user in saved_state["users"] if not user["bot"]]}
    ]
    file = {"id": "1", "channel_id": "2", "filename": "a", "content_type": "b"}
    wrong.append({"attachments": [file]})  # which is not beside it
    for part in (
        *("format", "base_url", "last_snowflake", "users", "guilds", "channels", "messages"),
        *("attachments", "interactions", "commands"),
    ):
        wrong += [{part: "a" if isinstance(saved_state[part], int) else 7}, {part: None}]
        await _refuses(path, {key: value for key, value in saved_state.items() if key != part})
    for broken in wrong:
        await _refuses(path, saved_state | broken)


async def _refuses(path: Path, state: dict[str, Any]) -> None:
    path.write_text(json.dumps(state))
    with pytest.raises(ValueError, match="not a state file of the local Discord"):
        await Sandbox(state_file=path).start()


async def test_only_loopback_is_served() -> None:
    with pytest.raises(ValueError, match="only listens on loopback"):
        await Sandbox().start(host="0.0.0.0")

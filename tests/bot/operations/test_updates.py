"""The daily request for the newest version, sent here to the test's own server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from email.message import Message
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from structlog.testing import capture_logs

from bot.operations import updates
from bot.operations.updates import (
    DAY,
    UnknownUpdate,
    find_update,
    is_newer,
    release_feed,
    update_feed,
    watch_updates,
)
from bot.settings.config import Settings
from bot.storage.doctor import examine

NEXT = "999.0"
FORGE = "https://api.github.com/repos"


@dataclass
class Feed:
    """A server that names a version and keeps the headers of each request."""

    body: Any = field(default_factory=lambda: {"tag_name": f"v{NEXT}"})
    status: int = 200
    address: str = ""
    requests: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.requests.append(dict(request.headers))
        if isinstance(self.body, str):
            return web.Response(text=self.body, status=self.status)
        return web.json_response(self.body, status=self.status)


@pytest.fixture
async def feed() -> AsyncIterator[Feed]:
    feed = Feed()
    app = web.Application()
    app.router.add_get("/newest", feed.answer)
    server = TestServer(app)
    await server.start_server()
    feed.address = str(server.make_url("/newest"))
    yield feed
    await server.close()


def settings(folder: Path, feed: str | None, *, check: bool = True) -> Settings:
    return Settings.model_validate(
        {"database": {"path": folder / "bluffhouse.db"}, "updates": {"feed": feed, "check": check}}
    )


@pytest.mark.parametrize("body", [{"tag_name": f"v{NEXT}"}, {"info": {"version": NEXT}}])
async def test_a_newer_version_is_found_at_a_forge_and_at_an_index(
    feed: Feed, tmp_path: Path, body: Any
) -> None:
    feed.body = body
    assert await find_update(settings(tmp_path, feed.address)) == NEXT


async def test_a_long_answer_is_read_to_its_end(feed: Feed, tmp_path: Path) -> None:
    feed.body = {"releases": ["a file" * 100] * 2_000, "info": {"version": NEXT}}
    assert await find_update(settings(tmp_path, feed.address)) == NEXT


async def test_an_answer_without_end_is_given_up(
    feed: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "_MOST_BYTES", 10)
    with pytest.raises(UnknownUpdate, match="more than"):
        await find_update(settings(tmp_path, feed.address))


async def test_the_newest_version_is_not_reported(feed: Feed, tmp_path: Path) -> None:
    feed.body = {"tag_name": f"v{version('bluffhouse')}"}
    assert await find_update(settings(tmp_path, feed.address)) is None


async def test_there_is_one_request_a_day_whatever_the_answer(feed: Feed, tmp_path: Path) -> None:
    chosen, at = settings(tmp_path, feed.address), [1_000_000.0]
    feed.status = 500
    with pytest.raises(UnknownUpdate, match="answers 500"):
        await find_update(chosen, lambda: at[0])
    feed.status = 200
    with pytest.raises(UnknownUpdate, match="no answer today"):
        await find_update(chosen, lambda: at[0])
    at[0] += DAY - 1
    with pytest.raises(UnknownUpdate):
        await find_update(chosen, lambda: at[0])
    assert len(feed.requests) == 1
    at[0] += 1
    for _ in range(3):
        assert await find_update(chosen, lambda: at[0]) == NEXT
    assert len(feed.requests) == 2


async def test_a_request_says_nothing_about_the_bot(feed: Feed, tmp_path: Path) -> None:
    await find_update(settings(tmp_path, feed.address))
    (headers,) = feed.requests
    assert headers["User-Agent"] == "bluffhouse"
    assert {*headers} == {"Host", "User-Agent", "Accept", "Accept-Encoding"}


async def test_a_checkout_without_an_address_asks_nobody(tmp_path: Path) -> None:
    await assert_asks_nobody(settings(tmp_path, None), tmp_path)


async def test_a_host_who_wants_no_request_has_none(
    feed: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = Message()
    released["Project-URL"] = "Source, https://github.com/ann/bluffhouse"
    monkeypatch.setattr(updates, "metadata", lambda name: released)
    assert update_feed(settings(tmp_path, None)) == f"{FORGE}/ann/bluffhouse/releases/latest"
    assert update_feed(settings(tmp_path, feed.address)) == feed.address
    for address in (None, feed.address):
        unwanted = settings(tmp_path, address, check=False)
        assert update_feed(unwanted) is None
        await assert_asks_nobody(unwanted, tmp_path)
    assert feed.requests == []


@pytest.mark.parametrize(
    ("urls", "address"),
    [
        (None, None),
        (["Documentation, https://example.org", "Source, https://example.org/ann/cards"], None),
        (["Source, https://github.com/ann/cards/extra"], None),
        (["Source, https://github.com/ann/cards"], f"{FORGE}/ann/cards/releases/latest"),
    ],
)
def test_a_release_asks_the_forge_that_it_came_from(
    urls: list[str] | None, address: str | None
) -> None:
    assert release_feed(urls) == address


async def assert_asks_nobody(chosen: Settings, folder: Path) -> None:
    assert await find_update(chosen) is None
    await watch_updates(chosen)  # ends at once
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("body", ["<html>", {}, [], {"tag_name": 7}, {"info": None}])
async def test_an_answer_without_a_version_is_reported(
    feed: Feed, tmp_path: Path, body: Any
) -> None:
    feed.body = body
    with pytest.raises(UnknownUpdate, match="names no version, such as"):
        await find_update(settings(tmp_path, feed.address))


async def test_an_unreachable_address_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UnknownUpdate, match="can't be reached"):
        await find_update(settings(tmp_path, "http://127.0.0.1:9/newest"))


async def test_a_damaged_cached_answer_is_requested_again(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "bluffhouse-newest.json").write_text("{")
    assert await find_update(settings(tmp_path, feed.address)) == NEXT


async def test_without_a_folder_of_the_database_the_users_cache_keeps_it(
    feed: Feed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chosen = settings(tmp_path / "nowhere", feed.address)
    assert await find_update(chosen) == await find_update(chosen) == NEXT
    assert len(feed.requests) == 1
    assert [file.name for file in tmp_path.rglob("*.json")] == ["bluffhouse-newest.json"]


async def test_each_version_is_logged_once(feed: Feed, tmp_path: Path) -> None:
    slept = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError

    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        await watch_updates(settings(tmp_path, feed.address), sleep)
    assert slept == [DAY] * 3
    (line,) = lines
    assert (line["newest"], line["running"]) == (NEXT, version("bluffhouse"))


async def test_the_doctor_mentions_a_newer_version_but_not_as_a_fault(
    feed: Feed, tmp_path: Path
) -> None:
    for _ in range(2):
        (line,) = [
            finding
            for finding in await examine(settings(tmp_path, feed.address), None)
            if finding.subject == "updates"
        ]
        assert line.well
        assert f"{NEXT} is out" in line.text
    assert len(feed.requests) == 1
    subjects = [finding.subject for finding in await examine(settings(tmp_path, None), None)]
    assert "updates" not in subjects


@pytest.mark.parametrize(
    ("candidate", "running", "newer"),
    [
        ("v1.2.3", "1.2.2", True),
        ("1.10", "1.9.9", True),
        ("1.0", "1.0.0", False),
        ("1.0.0", "1.0.1", False),
        ("2.0rc1", "1.0", False),
        ("nightly", "1.0", False),
    ],
)
def test_versions_are_compared_by_their_numbers(candidate: str, running: str, newer: bool) -> None:
    assert is_newer(candidate, running) is newer

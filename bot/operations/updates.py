"""Finds out whether a newer Bluffhouse is out, with at most one request a day.

The request goes to `updates.feed`, or else to the GitHub project that the release came from. A
checkout names no such project, so without `updates.feed` no request is sent. The request says
nothing about the bot: no version, no id, only `User-Agent: bluffhouse`. The answer is kept in a
file next to the database, shared by the bot and `store doctor`. A failed request also counts as the
day's request.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import metadata, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.settings.proxies import UnusableProxy, proxy_for, without_passwords

if TYPE_CHECKING:
    from bot.settings.config import Settings

log = structlog.get_logger(__name__)

DAY: Final = 86_400.0
WITHIN: Final = 20.0  # seconds for a request
_MOST_BYTES: Final = 16 << 20  # an index lists every file of every release
_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)*)")
# deploy/release.py writes it into what it builds
_FORGE: Final = "https://api.github.com/repos"
_SOURCE: Final = re.compile(r"Source, https://github\.com/([\w.-]+/[\w.-]+)")


class UnknownUpdate(Exception):
    """The newest version can't be learned now; `str()` says why."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The latest request: its address and time (Unix seconds), and the version it gave, if any."""

    feed: str
    asked_at: float
    newest: str | None


def is_newer(candidate: str, running: str) -> bool:
    """Return whether `candidate` is a later release. A preview, such as 1.0rc1, never is."""
    numbers = _numbers(candidate)
    return numbers is not None and numbers > (_numbers(running) or ())


def _numbers(text: str) -> tuple[int, ...] | None:
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == 0:  # 1.0 is 1.0.0
        numbers.pop()
    return tuple(numbers)


def update_feed(settings: Settings) -> str | None:
    """Return the address that names the newest release; None if none is known or allowed."""
    if not settings.updates.check:
        return None
    return settings.updates.feed or release_feed(metadata("bluffhouse").get_all("Project-URL"))


def release_feed(urls: Sequence[str] | None) -> str | None:
    """Return the address of the API for the project's newest release; None if it isn't known.

    `urls` are the package's `Project-URL` entries; the entry for "Source" names the project.
    """
    matches = map(_SOURCE.fullmatch, urls or ())
    return next((f"{_FORGE}/{match[1]}/releases/latest" for match in matches if match), None)


async def find_update(settings: Settings, now: Callable[[], float] = time.time) -> str | None:
    """Return the newest version if it's newer than this one; None if not, or without a feed.

    The feed is asked at most once a day. Raises `UnknownUpdate` if the feed gives no usable answer,
    or if the day's request got none.
    """
    feed = update_feed(settings)
    if feed is None:
        return None
    file = _file(settings)
    answer = _read(file)
    if answer is None or answer.feed != feed or not 0 <= now() - answer.asked_at < DAY:
        _write(file, _Answer(feed, now(), None))
        answer = _Answer(feed, now(), await _ask(feed))
        _write(file, answer)
    if answer.newest is None:
        raise UnknownUpdate(f"{feed} gave no answer today")
    newer = is_newer(answer.newest, version("bluffhouse"))
    return answer.newest.removeprefix("v") if newer else None


async def watch_updates(settings: Settings, sleep: Callable[[float], Any] = asyncio.sleep) -> None:
    """Look once a day until cancelled, and log each newer version once.

    Returns at once if there is no address to ask.
    """
    announced: set[str] = set()
    while update_feed(settings) is not None:
        try:
            newest = await find_update(settings)
            if newest is not None and newest not in announced:
                announced.add(newest)
                log.warning(
                    "updates: a newer version is out", newest=newest, running=version("bluffhouse")
                )
        except UnknownUpdate as error:
            log.info("updates: not known", why=str(error))
        await sleep(DAY)


def _file(settings: Settings) -> Path:
    """Return the update check's file: next to the SQLite file, or in the user's cache.

    In a temporary folder, others could put a link in its place. Raises `UnknownUpdate` if the
    user has no home folder.
    """
    folder = settings.database.path.parent
    if not folder.is_dir():
        try:
            cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        except RuntimeError:
            raise UnknownUpdate("this user has no home folder to keep the answer in") from None
        folder = cache / "bluffhouse"
    return folder / "bluffhouse-newest.json"


def _read(file: Path) -> _Answer | None:
    try:
        answer = _Answer(**json.loads(file.read_text(encoding="utf-8")))
        return answer if isinstance(answer.asked_at, int | float) else None
    except (OSError, ValueError, TypeError):
        return None


def _write(file: Path, answer: _Answer) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(answer)), encoding="utf-8")
    except OSError as error:  # without the file, every start would ask
        raise UnknownUpdate(f"{file} can't be written: {error.strerror}") from None


async def _ask(feed: str) -> str:
    """Return the newest version according to `feed`, a package index or GitHub.

    Raises `UnknownUpdate` if the feed gives no usable answer.
    """
    import aiohttp

    try:
        timeout = aiohttp.ClientTimeout(total=WITHIN)
        headers = {"User-Agent": "bluffhouse", "Accept": "application/json"}
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(feed, headers=headers, proxy=proxy_for(feed)) as response,
        ):
            if response.status != 200:
                raise UnknownUpdate(f"{feed} answers {response.status} instead of 200")
            body = bytearray()
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > _MOST_BYTES:
                    raise UnknownUpdate(f"{feed} answers with more than 16 MB")
            document = json.loads(body)
    except UnusableProxy as error:
        raise UnknownUpdate(str(error)) from None
    except (aiohttp.ClientError, TimeoutError) as error:
        why = without_passwords(str(error)) or type(error).__name__
        raise UnknownUpdate(f"{feed} can't be reached ({why})") from None
    except ValueError:
        document = None
    match document:
        case {"info": {"version": str(newest)}} | {"tag_name": str(newest)}:
            return newest
    raise UnknownUpdate(
        f'{feed} names no version, such as {{"tag_name": "v1.2.3"}} or {{"info": {{"version":'
        ' "1.2.3"}}'
    )

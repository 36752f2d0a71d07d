"""The whole state on file: one JSON file, written atomically, and a directory of attachments.

An attachment never changes, so each is written once to `<file>.attachments/<id>` and removed with
its message; the JSON is rewritten a second after a change, and when the emulator stops.
"""

import asyncio
import json
import logging
import os
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.sandbox.discord_state import (
    Attachment,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
    Read,
    State,
    User,
)

log = logging.getLogger(__name__)

FORMAT = 1
DEBOUNCE_SECONDS = 1.0
_NOT_KEPT = ("content", "answered", "settled")  # a file of its own; who waits is gone


class StateFile:
    """Where the state is kept. Without a path nothing is. `changed` says that it is out of date."""

    def __init__(self, path: Path | None, changed: asyncio.Event) -> None:
        self._path = path
        self._changed = changed
        self._writer: asyncio.Task[None] | None = None
        self._writing: asyncio.Task[None] | None = None

    @property
    def _attachments(self) -> Path:
        assert self._path is not None
        return self._path.with_name(self._path.name + ".attachments")

    def exists(self) -> bool:
        """Whether there is something to load."""
        return self._path is not None and self._path.exists()

    def load(self, base_url: str) -> tuple[State, int]:
        """The state and the last snowflake; addresses of files are put on `base_url`.

        Raises ValueError if the file is not one of ours.
        """
        assert self._path is not None
        try:
            text = self._path.read_text()
            kept = json.loads(text)
            if kept["format"] != FORMAT:
                raise ValueError
            if kept["base_url"] != base_url:
                kept = json.loads(text.replace(kept["base_url"] + "/", base_url + "/"))
            return _state_from(kept, self._attachments), int(kept["last_snowflake"])
        except (ValueError, KeyError, TypeError, AttributeError, FileNotFoundError) as error:
            raise ValueError(
                f"{self._path} is not a state file of the local Discord; expected the JSON it "
                "wrote itself. Remove the file to begin afresh."
            ) from error

    def save(self, state: State, last_snowflake: int, base_url: str) -> None:
        """Write everything now."""
        if self._path is not None:
            self._changed.clear()
            self._write(*self._snapshot(state, last_snowflake, base_url))

    async def save_aside(self, state: State, last_snowflake: int, base_url: str) -> None:
        """Write everything as it is now, without holding up the event loop for the disk."""
        self._changed.clear()
        snapshot = self._snapshot(state, last_snowflake, base_url)
        self._writing = asyncio.create_task(asyncio.to_thread(self._write, *snapshot))
        await asyncio.shield(self._writing)

    def _snapshot(
        self, state: State, last_snowflake: int, base_url: str
    ) -> tuple[bytes, dict[str, bytes]]:
        body = _state_to(state) | {
            "format": FORMAT,
            "base_url": base_url,
            "last_snowflake": last_snowflake,
        }
        files = {one.id: one.content for one in state.attachments.values()}
        return json.dumps(body, separators=(",", ":")).encode(), files

    def _write(self, body: bytes, files: dict[str, bytes]) -> None:
        assert self._path is not None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._attachments.mkdir(exist_ok=True)
        kept = {entry.name for entry in self._attachments.iterdir()}
        for name in files.keys() - kept:
            _replace(self._attachments / name, files[name])
        _replace(self._path, body)
        for name in kept - files.keys():
            (self._attachments / name).unlink(missing_ok=True)

    def keep_saving(self, save: Callable[[], Awaitable[None]]) -> None:
        """Call `save` a second after each change, until `stop`."""

        async def write() -> None:
            while True:
                await self._changed.wait()
                await asyncio.sleep(DEBOUNCE_SECONDS)
                try:
                    await save()
                except OSError:
                    log.exception("the state could not be saved to %s", self._path)

        if self._path is not None:
            self._writer = asyncio.create_task(write())

    async def stop(self) -> None:
        """Stop saving by itself; what changed since is left to `save`.

        A thread cannot be cancelled: what it is writing is waited for, or it would come after the
        last `save`, or between its steps.
        """
        if self._writer is not None:
            self._writer.cancel()
        under_way = [task for task in (self._writer, self._writing) if task is not None]
        await asyncio.gather(*under_way, return_exceptions=True)


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(path.name + ".new")
    with open(beside, "wb", opener=_for_its_owner) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _for_its_owner(path: str, flags: int) -> int:
    """Hole cards and letters are in it."""
    return os.open(path, flags, 0o600)


def _state_to(state: State) -> Json:
    return {
        "bot": asdict(state.bot),
        "users": [asdict(user) for user in state.users.values()],
        "guilds": [asdict(guild) for guild in state.guilds.values()],
        "channels": [asdict(channel) for channel in state.channels.values()],
        "messages": [asdict(m) for inside in state.messages.values() for m in inside.values()],
        "attachments": [_kept(one) for one in state.attachments.values()],
        "interactions": [_kept(one) for one in state.interactions.values()],
        "commands": {"": state.commands},
        "installs": state.installs,
        "emojis": state.emojis,
        "events": state.events,
        "pictures": {key: b64encode(one).decode() for key, one in state.pictures.items()},
        "spent_nonces": state.spent_nonces,
        "reads": {
            person: {channel: asdict(read) for channel, read in channels.items()}
            for person, channels in state.reads.items()
        },
    }


def _kept(record: Attachment | Interaction) -> Json:
    return {key: value for key, value in vars(record).items() if key not in _NOT_KEPT}


def _state_from(kept: dict[str, Any], attachments: Path) -> State:
    users = [User(**one) for one in kept["users"]]
    (bot,) = [user for user in users if user.bot]
    state = State(bot, users={user.id: user for user in users})
    state.commands = kept["commands"].get("", [])
    state.installs, state.emojis = kept["installs"], kept["emojis"]
    state.pictures = {key: b64decode(one) for key, one in kept["pictures"].items()}
    state.guilds = {one["id"]: Guild(**one) for one in kept["guilds"]}
    state.channels = {one["id"]: Channel(**one) for one in kept["channels"]}
    state.events, state.spent_nonces = kept["events"], kept["spent_nonces"]
    for one in kept["messages"]:
        message = Message(**one)
        state.messages.setdefault(message.channel_id, {})[message.id] = message
    for person, channels in kept["reads"].items():
        state.reads[person] = {channel: Read(**read) for channel, read in channels.items()}
    for one in kept["attachments"]:
        content = (attachments / one["id"]).read_bytes()
        state.attachments[one["id"]] = Attachment(**one, content=content)
    for one in kept["interactions"]:
        interaction = Interaction(**one)
        if interaction.callback is not None:
            interaction.answered.set()
            interaction.settled.set()  # whoever waited is gone with the old process
        state.keep(interaction)
    return state

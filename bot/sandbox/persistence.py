"""The whole state on disk: one JSON file, written atomically, and a directory of attachments.

An attachment never changes, so it is written once to `<file>.attachments/<id>` and removed with its
message. The JSON is rewritten a second after a change, and when the emulator stops.
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
# `content` is in a file of its own, the others are events of the running process
_NOT_KEPT = ("content", "answered", "settled")


class StateFile:
    """Saves the state, if it has a path. `changed` is set while the file is outdated."""

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
        """Return whether there is a file to load."""
        return self._path is not None and self._path.exists()

    def load(self, base_url: str) -> tuple[State, int]:
        """Return the state, with all addresses changed to `base_url`, and the last snowflake.

        Raises ValueError if the file is missing or isn't a state in the present format.
        """
        assert self._path is not None
        try:
            text = self._path.read_text()
            content = json.loads(text)
            if content["format"] != FORMAT:
                raise ValueError
            if content["base_url"] != base_url:
                content = json.loads(text.replace(content["base_url"] + "/", base_url + "/"))
            return _state_from(content, self._attachments), int(content["last_snowflake"])
        except (ValueError, KeyError, TypeError, AttributeError, FileNotFoundError) as error:
            raise ValueError(
                f"{self._path} is not a state file of the local Discord; expected the JSON it "
                "wrote itself. Remove the file to begin afresh."
            ) from error

    def save(self, state: State, last_snowflake: int, base_url: str) -> None:
        """Write everything now, if there is a path."""
        if self._path is not None:
            self._changed.clear()
            self._write(*self._snapshot(state, last_snowflake, base_url))

    async def save_aside(self, state: State, last_snowflake: int, base_url: str) -> None:
        """Write the current state in a thread, so that the event loop doesn't wait for the disk."""
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
        files = {file.id: file.content for file in state.attachments.values()}
        return json.dumps(body, separators=(",", ":")).encode(), files

    def _write(self, body: bytes, files: dict[str, bytes]) -> None:
        assert self._path is not None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._attachments.mkdir(exist_ok=True)
        stored = {entry.name for entry in self._attachments.iterdir()}
        for name in files.keys() - stored:
            _replace(self._attachments / name, files[name])
        _replace(self._path, body)
        for name in stored - files.keys():
            (self._attachments / name).unlink(missing_ok=True)

    def keep_saving(self, save: Callable[[], Awaitable[None]]) -> None:
        """Call `save` one second after a change, until `stop`. Do nothing without a file."""

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
        """Stop saving automatically; later changes are left to `save`.

        A thread cannot be cancelled, so wait until it has written: it must not write during or
        after the last call of `save`.
        """
        if self._writer is not None:
            self._writer.cancel()
        under_way = [task for task in (self._writer, self._writing) if task is not None]
        await asyncio.gather(*under_way, return_exceptions=True)


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(path.name + ".new")
    with open(temporary, "wb", opener=_owner_opener) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _owner_opener(path: str, flags: int) -> int:
    """Open a file for its owner only: it contains hole cards and direct messages."""
    return os.open(path, flags, 0o600)


def _state_to(state: State) -> Json:
    return {
        "bot": asdict(state.bot),
        "users": [asdict(user) for user in state.users.values()],
        "guilds": [asdict(guild) for guild in state.guilds.values()],
        "channels": [asdict(channel) for channel in state.channels.values()],
        "messages": [asdict(m) for inside in state.messages.values() for m in inside.values()],
        "attachments": [_record_values(file) for file in state.attachments.values()],
        "interactions": [
            _record_values(interaction) for interaction in state.interactions.values()
        ],
        "commands": {"": state.commands},
        "installs": state.installs,
        "emojis": state.emojis,
        "events": state.events,
        "pictures": {key: b64encode(png).decode() for key, png in state.pictures.items()},
        "spent_nonces": state.spent_nonces,
        "reads": {
            person: {channel: asdict(read) for channel, read in channels.items()}
            for person, channels in state.reads.items()
        },
    }


def _record_values(record: Attachment | Interaction) -> Json:
    return {key: value for key, value in vars(record).items() if key not in _NOT_KEPT}


def _state_from(saved: dict[str, Any], attachments: Path) -> State:
    users = [User(**user) for user in saved["users"]]
    (bot,) = [user for user in users if user.bot]
    state = State(bot, users={user.id: user for user in users})
    state.commands = saved["commands"].get("", [])
    state.installs, state.emojis = saved["installs"], saved["emojis"]
    state.pictures = {key: b64decode(png) for key, png in saved["pictures"].items()}
    state.guilds = {guild["id"]: Guild(**guild) for guild in saved["guilds"]}
    state.channels = {channel["id"]: Channel(**channel) for channel in saved["channels"]}
    state.events, state.spent_nonces = saved["events"], saved["spent_nonces"]
    for stored in saved["messages"]:
        message = Message(**stored)
        state.messages.setdefault(message.channel_id, {})[message.id] = message
    for person, channels in saved["reads"].items():
        state.reads[person] = {channel: Read(**read) for channel, read in channels.items()}
    for file in saved["attachments"]:
        content = (attachments / file["id"]).read_bytes()
        state.attachments[file["id"]] = Attachment(**file, content=content)
    for stored in saved["interactions"]:
        interaction = Interaction(**stored)
        if interaction.callback is not None:
            interaction.answered.set()
            interaction.settled.set()  # waiters in the earlier process are gone
        state.keep(interaction)
    return state

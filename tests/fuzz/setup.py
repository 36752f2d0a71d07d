"""The bot that interactions are sent to, and its tables as they are stored.

The real client and store run on the virtual loop and network of `tests.sessions`, with a local
Discord.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.sandbox.discord_state import TEXT_CHANNEL
from bot.sandbox.driver import Person
from bot.sandbox.errors import ApiError
from tests.fuzz.payloads import Json
from tests.sessions.setup import Setup

PEOPLE: Final = 4
ANSWERED_ALREADY: Final = 40060
_SETTINGS: Final[dict[str, object]] = {
    "turn_minutes": 0,
    "lobby_minutes": 0,
    "next_round_seconds": 86_400,
}


@dataclass(frozen=True)
class StoredTable:
    """A table as it is stored; `turn_since` and the times in `clock` are in milliseconds."""

    version: int
    channel: int
    host: int
    status: str
    players: tuple[int, ...]
    options: str
    match: int | None
    typed: str  # its cuts, votes, absent, invited and waiting people, as stored
    absent: tuple[int, ...]
    turn_since: int | None
    clock: tuple[object, ...]  # the deadline, its kind, the turn's end and the number of reminders


class InteractionSetup(Setup):
    """A bot in three channels of two servers; its tables' clocks are off or a day long."""

    def __init__(self, folder: Path, chance: Random) -> None:
        super().__init__(folder, chance, PEOPLE)
        self.pace = dict(_SETTINGS)
        places = self.world.places
        elsewhere = places.add_guild("Elsewhere", None)
        guild = self.world.state.guilds[self.channel.guild_id or ""]
        self.channels = [
            self.channel,
            places.add_channel(TEXT_CHANNEL, "second-table", guild_id=guild.id),
            places.add_channel(TEXT_CHANNEL, "far-away", guild_id=elsewhere.id),
        ]
        stranger = Person(self.world, places.add_person("Mal").id)
        elsewhere.moderators.append(stranger.id)
        self.people.append(stranger)
        for person in self.people[1:3]:
            self.world.state.users[person.id].locale = "pl"
        self.moderators = {(guild.id, self.people[PEOPLE - 1].id), (elsewhere.id, stranger.id)}
        self.network.travel = _at_once  # type: ignore[method-assign]
        self.answers: Counter[str] = Counter()
        self._taken = self.world.interactions.callback

    async def count_answers(self, interaction_id: str, *answer: Any) -> Any:
        """Pass an answer to the local Discord's callback; count the answers to an interaction."""
        try:
            taken = await self._taken(interaction_id, *answer)
        except ApiError as error:
            self.answers[interaction_id] += error.code == ANSWERED_ALREADY
            raise
        self.answers[interaction_id] += 1
        return taken

    def stored_tables(self) -> dict[int, StoredTable]:
        sql = (
            "SELECT id, version, channel_id, host_id, status, players, options, match_id,"
            " cuts || votes || absent || invited || waiting, absent,"
            " turn_since, deadline, deadline_kind, turn_ends, nudges FROM tables"
        )
        with closing(sqlite3.connect(self.file)) as file:
            rows = file.execute(sql).fetchall()
        tables = {}
        for number, version, channel, host, status, players, options, match, typed, *tail in rows:
            seated = tuple(json.loads(players))
            away = tuple(map(int, json.loads(tail[0])))
            tables[number] = StoredTable(
                version, channel, host, status, seated, options, match, typed,
                away, tail[1], tuple(tail[2:]),
            )  # fmt: skip
        return tables

    def actions_of(self, interaction_id: str) -> list[tuple[int, Json, list[int]]]:
        """Return what an interaction added to logs: match, action, and players by seat."""
        sql = (
            "SELECT m.id, a.body, m.players FROM actions a JOIN matches m ON m.id = a.match_id"
            " WHERE a.interaction_id = ?"
        )
        with closing(sqlite3.connect(self.file)) as file:
            rows = file.execute(sql, (int(interaction_id),)).fetchall()
        return [(match, json.loads(body), json.loads(players)) for match, body, players in rows]


async def _at_once() -> None:
    """Wait 5 ms, too short a delay to make an answer late."""
    await asyncio.sleep(0.005)

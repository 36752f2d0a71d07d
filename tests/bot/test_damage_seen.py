"""Damaged rows of another server, which change no command's answer."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, Final

import pytest
from sqlalchemy import Column
from sqlalchemy import Table as SqlTable

from bot.discord import errors
from bot.sandbox.driver import Person
from bot.storage import schema
from tests.bot.conftest import Seat
from tests.bot.harness import Table, my_data
from tests.bot.storage.damages import Way, damaged_meanwhile, victims, ways
from tests.bot.storage.homes import furnish
from tests.catalogues import commands
from tests.people import press_in_command


async def _slash(at: Table, name: str, **options: Any) -> str:
    out = await (await at.host.slash(at.channel, name, **options)).settle()
    await at.settle()
    text = out.message.text if out.message is not None else out.text
    return re.sub(r"seal `\w+`", "seal", text)


async def _press(at: Table, name: str, label: str) -> str:
    out = await (await press_in_command(at.host, at.channel, name, label)).settle()
    return out.text


async def _export(at: Table, person: Person) -> str:
    page = await my_data(person, at.channel)
    file = await (await person.click(page, "Export my data")).settle()
    (attached,) = file.seen.attachments
    document = json.loads(at.world.state.attachments[attached["id"]].content)
    del document["tables"]  # one more with each /play
    return json.dumps(document)


Ask = Callable[[Table], Awaitable[str]]
# What is asked in a channel whose match is over, in this order; what is refused there stays so.
COMMANDS: Final[dict[str, Ask]] = {
    "matches": lambda at: _slash(at, "matches"),
    "matches, replay": lambda at: _press(at, "matches", "Last match here"),
    "stats": lambda at: _slash(at, "stats"),
    "stats, leaderboard": lambda at: _slash(at, "stats", what="leaderboard"),
    "stats, seasons": lambda at: _slash(at, "stats", what="seasons"),
    "turns": lambda at: _slash(at, "turns"),
    "night": lambda at: _slash(at, "night"),
    "preferences": lambda at: _slash(at, "preferences"),
    "preferences, data": lambda at: _press(at, "preferences", "My data…"),
    "settings": lambda at: _slash(at, "settings", game="thai_poker"),
    "help": lambda at: _slash(at, "help"),
    "help, rules": lambda at: _slash(at, "help", game="thai_poker"),
    "table": lambda at: _slash(at, "table"),
    "bid": lambda at: _slash(at, "bid", hand="pair of nines"),
    "challenge": lambda at: _slash(at, "challenge"),
    "leave": lambda at: _slash(at, "leave"),
    "leave, away": lambda at: _slash(at, "leave", what="away", player=at.people[1].id),
    "leave, drop": lambda at: _slash(at, "leave", what="drop", player=at.people[1].id),
    "play": lambda at: _slash(at, "play", game="thai_poker"),
    "leave, end": lambda at: _slash(at, "leave", what="end"),
}
ELSEWHERE: Final = {
    "odds": "asks no database",
    "Odds": "asks none either",
    "practice": "is a table as /play opens it, with cards that nobody knows beforehand",
}


def test_every_command_is_asked() -> None:
    names_asked = {name.partition(",")[0] for name in COMMANDS}
    missing = {command.name for command in commands()} - names_asked - {*ELSEWHERE}
    assert not missing, f"ask {missing} in COMMANDS here, or say in ELSEWHERE why not"
    assert {command.name for command in commands()} == names_asked | {*ELSEWHERE}
    assert not names_asked & {*ELSEWHERE}


async def _answers(at: Table) -> dict[str, str]:
    answers = {name: await ask(at) for name, ask in COMMANDS.items()}
    answers["export"] = await _export(at, at.host)
    return answers


def _damages(of: SqlTable, *, apart: bool) -> list[tuple[Column[Any], Way] | None]:
    """Return the damages to try: each by itself if `apart`, else None for all columns at once."""
    if not apart:
        return [None]
    return [
        (column, way)
        for column in of.c
        if not column.primary_key
        for way in ways(column, sqlite=True)
    ]


@pytest.mark.long
async def test_beside_damaged_rows_every_command_answers_as_ever(
    table: Seat, request: pytest.FixtureRequest
) -> None:
    """Damage all columns of a row at once; with `--long` each column by itself, in every way."""
    at = await table(2, plays="thai_poker")
    for _ in range(2):
        await at.call(at.turn())
    await at.challenge(at.turn())
    await at.forfeit(at.people[1])
    store: Any = at.bot._store
    home = (await furnish(store))[1]
    file = store.database.file
    await _answers(at)  # what is seen for the first time is over
    expected = await _answers(at)
    assert not [name for name, answer in expected.items() if errors.BROKEN in answer]
    wrong = []
    apart = request.config.getoption("--long")
    for of in schema.metadata.sorted_tables:
        keys = await victims(store.database, of, home)
        for only in _damages(of, apart=apart):
            with damaged_meanwhile(file, of, keys, only) as columns:
                answers = await _answers(at)
            assert apart or columns or len(of.primary_key) == len(of.c), of.name
            wrong += [
                (of.name, only, name, answers[name])
                for name in expected
                if answers[name] != expected[name]
            ]
    assert wrong == []
    # and with all of it damaged at once she can be forgotten
    with ExitStack() as stack:
        for of in schema.metadata.sorted_tables:
            keys = await victims(store.database, of, home)
            stack.enter_context(damaged_meanwhile(file, of, keys))
        message = await my_data(at.host, at.channel)
        for label in ("Delete my data…", "Yes, delete everything"):
            await (await at.host.click(message, label)).settle()
            message = await at.host.current(message)
        assert message.text.startswith("**Your data is deleted.** In 1 match")

"""The commands `run`, `sandbox`, `replay` and `verify` as typed."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.cli.output import columns
from bot.replays.match_file import as_dict, file_text
from bot.replays.played import PlayedMatch
from bot.storage.store import SqlStore
from bot.tables.model import (
    Change,
    Ending,
    MatchStatus,
    NewMatch,
    Player,
    PlayerResult,
    Status,
    StoredAction,
)
from engine.actions import to_json
from tests.bot.cli.refused import refusal, run_and_print
from tests.bot.processes import command
from tests.bot.replays.matches import whole
from tests.bot.storage.moves import lobby, next_version
from tests.bot.storage.persons import store_person
from tests.people import PATIENCE

pytestmark = pytest.mark.usefixtures("workdir")


# -- run and sandbox where they cannot start: one sentence and an exit code ------------------------


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_an_invalid_port_is_refused_in_one_sentence(port: str, workdir: Path) -> None:
    assert "--port" in refusal("sandbox", "--port", port)
    assert list(workdir.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_sentence(workdir: Path) -> None:
    (workdir / "file").touch()
    assert "file/inside can't be created" in refusal("sandbox", "--data", "file/inside")


def test_a_port_in_use_and_one_not_permitted_are_told_apart(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = listener.getsockname()[1]
        assert f"port {taken} is in use" in refusal("sandbox", "--port", str(taken), code=78)

    class Refusing(socket.socket):
        """A socket whose `bind` raises PermissionError: the real `bind` never does for root."""

        def bind(self, address: object, /) -> None:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("bot.cli.run.socket.socket", Refusing)
    assert "port 80 isn't allowed" in refusal("sandbox", "--port", "80", code=78)


def test_a_folder_that_may_not_be_written_is_one_sentence(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.run.os.access", lambda *_: False)  # root may write anywhere
    assert "isn't writable by this user" in refusal("sandbox")


def test_an_invalid_state_file_is_reported_once(workdir: Path) -> None:
    (workdir / "data" / "sandbox").mkdir(parents=True)
    (workdir / "data" / "sandbox" / "discord.json").write_text("{")
    ended = command(workdir, "sandbox", "--port", "0")
    assert ended.returncode == 78
    (line,) = ended.stderr.splitlines()
    assert "is not a state file of the local Discord" in line


@pytest.mark.parametrize("token", ["a\nb", "Bot abc", "aé"])
def test_an_impossible_token_is_refused_before_anything_is_opened(
    token: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert "Discord doesn't accept that token" in refusal("run", code=78)
    assert list(workdir.iterdir()) == []
    output = run_and_print("store", "doctor", "--online", code=1)
    assert "BAD  token" in output
    assert "not checked" in output


# -- replay and verify, from a file and from the database ------------------------------------------

IDS = (1001, 1002, -401)
NAMES = {1001: "Ann", 1002: "Bob"}


async def store_match(match: PlayedMatch, *, over: bool = True) -> None:
    """Store the match in a new database, as number 1; `over`: whether the match has ended."""
    store = await SqlStore.open("sqlite:///data/bluffhouse.db")
    for number, name in NAMES.items():
        await store_person(store, Player(number, name))
    table = await store.tables.open(lobby(players=IDS), None)
    rules = match.rules
    new = NewMatch(rules.key, rules.version, dict(rules.options), IDS, match.opener)
    log = tuple(
        StoredAction(at, to_json(entry.action), entry.at)
        for at, entry in enumerate(match.log, start=1)
    )
    results = tuple(PlayerResult(player, place, 1) for place, player in enumerate(IDS, start=1))
    await store.tables.commit(
        Change(
            next_version(table, status=Status.FINISHED if over else Status.PLAYING, match_id=None),
            new_match=new,
            actions=log,
            seeds=tuple(match.seeds.items()),
            ending=Ending(MatchStatus.WON, results) if over else None,
        )
    )
    await store.close()


def test_a_match_by_its_number_and_its_file_give_the_same(workdir: Path) -> None:
    asyncio.run(store_match(whole()))
    (workdir / "match.json").write_text(run_and_print("replay", "1", "--json"), "utf-8")
    text = run_and_print("replay", "1")
    assert text == run_and_print("replay", "match.json")
    assert run_and_print("replay", "match.json", "--json") == run_and_print("replay", "1", "--json")
    assert run_and_print("verify", "1") == run_and_print("verify", "match.json")
    assert text.startswith("Liars' Poker, match 1: Ann, Bob and Roxy, ")
    assert "Round 2: " in text
    assert text.rstrip().endswith("wins the match.")
    assert all(columns(line) <= 80 for line in text.splitlines())
    assert "1001" not in run_and_print("replay", "1", "--json")


def test_a_match_under_way_is_not_shown(workdir: Path) -> None:
    asyncio.run(store_match(replace(whole(), log=whole().log[:3]), over=False))
    for word in ("replay", "verify"):
        assert "match 1 is still being played" in refusal(word, "1")


def test_a_missing_or_unreadable_match_or_file_is_one_sentence(workdir: Path) -> None:
    assert "there is no database data/bluffhouse.db" in refusal("replay", "1", code=78)
    asyncio.run(store_match(whole()))
    assert "there's no match 2" in refusal("replay", "2")
    assert "can't be read: No such file" in refusal("replay", "nothing.json")
    assert "can't be read: Is a directory" in refusal("verify", ".")
    (workdir / "text.json").write_text("hello")
    assert "it is no JSON text" in refusal("verify", "text.json")
    assert "doesn't end in .html" in refusal("replay", "1", "--html", "page.txt")


def test_a_named_pipe_is_refused_and_not_waited_for(workdir: Path) -> None:
    os.mkfifo(workdir / "pipe")
    process = subprocess.run(
        [sys.executable, "-m", "bot", "verify", "pipe"],
        cwd=workdir,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (process.returncode, "it is a pipe or a device" in process.stderr) == (2, True), (
        process.stderr
    )


def test_verify_says_of_each_round_that_it_is_as_it_should_be(workdir: Path) -> None:
    match = whole()
    (workdir / "match.json").write_text(file_text(match), "utf-8")
    output = run_and_print("verify", "match.json")
    deals = len(match.deals)
    assert output.count("✔ The seed has the seal that was shown") == deals
    assert f"Everything checks out: {deals} deals, every showdown." in output
    assert "✘" not in output


def test_verify_detects_a_false_file_and_replay_refuses_it(workdir: Path) -> None:
    document = as_dict(whole())
    document["rounds"][0]["judgement"]["holds"] ^= True
    (workdir / "match.json").write_text(json.dumps(document), "utf-8")
    output = run_and_print("verify", "match.json", code=1)
    assert "✘ The file judges the showdown otherwise" in output
    assert "1 problem found" in output
    assert "does not follow from its log" in refusal("replay", "match.json")


def test_the_page_is_written_beside_the_json(workdir: Path) -> None:
    (workdir / "match.json").write_text(file_text(whole()), "utf-8")
    result = CliRunner().invoke(app, ["replay", "match.json", "--json", "--html", "match.html"])
    assert json.loads(result.stdout)["format"] == "bluffhouse-match"
    assert "Wrote match.html" in result.stderr
    page = workdir / "match.html"
    assert page.read_text("utf-8").startswith("<!doctype html>")
    if os.name != "nt":  # people are named in it
        assert page.stat().st_mode & 0o077 == 0


@pytest.mark.long
def test_the_coach_judges_each_decision_on_demand(workdir: Path) -> None:
    match = whole("thai_poker", 2, "coached 135", {"length": "first_out"})  # a short one
    (workdir / "match.json").write_text(file_text(match), "utf-8")
    output = run_and_print("replay", "match.json", "--coach")
    kinds = [entry.action.__class__.__name__ for entry in match.log]
    decisions, deals = len(kinds) - kinds.count("Deal"), kinds.count("Deal")
    assert output.count("Given the ") == decisions - deals, "before who opens nothing was bid"
    assert output.count("% likely. It") == decisions

"""The file of a match: it comes back as it was, and whatever is wrong with one is one sentence."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.language.words import TypedText
from bot.replays.match_file import (
    MOST_BYTES,
    FileError,
    as_dict,
    checked,
    file_text,
    read_bytes,
    read_file,
)
from bot.replays.played import Seated, played_from, seated_from
from bot.roster import CHARACTERS, nameless
from bot.tables.model import MatchStatus, StoredAction, StoredMatch
from engine.actions import to_json
from engine.variants import VARIANTS
from tests.bot.replays.matches import NAMES, whole
from tests.dealing import Chooser


@pytest.mark.parametrize("game", VARIANTS)
def test_a_match_comes_back_from_its_file_as_it_was(game, tmp_path: Path) -> None:
    options = {"middle_hand": True} if game == "liars_poker" else None
    for players in (2, 5):
        match = whole(game, players, f"{game} {players}", options, leave=1)
        seated = (*match.seated[:-1], Seated("Roxy", "wild"))
        log = (replace(match.log[0]), replace(match.log[1], by_house=True), *match.log[2:])
        match = replace(match, seated=seated, log=log)
        file = tmp_path / "match.json"
        file.write_text(file_text(match), "utf-8")
        assert checked(read_file(file)) == match


def test_a_file_names_nobody_by_an_id() -> None:
    match = whole()
    ids = {seat: 900_000_000_000_000_000 + seat for seat in range(3)}
    stored = StoredMatch(
        *(12, 1, match.rules.key, match.rules.version, dict(match.rules.options)),
        *((ids[0], ids[1], -401), None, MatchStatus.WON, match.started_at, match.ended_at),
        tuple(
            StoredAction(at, to_json(entry.action), entry.at, 10**18 + at)
            for at, entry in enumerate(match.log, start=1)
        ),
    )
    unplayed = {len(match.deals) + 1: b"secret" * 5}
    text = file_text(
        played_from(stored, {**match.seeds, **unplayed}, {ids[0]: TypedText("Ann\u202e")})
    )
    assert not re.search(r"\d{15}", re.sub(r'"(seed|seal|commitment)": "\w*"', "", text))
    assert [one["name"] for one in json.loads(text)["players"]] == ["Ann", "Player 2", "Roxy"]
    assert json.loads(text)["players"][2]["computer"] in CHARACTERS
    assert [one["round"] for one in json.loads(text)["seeds"]] == list(match.seeds)


def test_rounds_say_what_follows_from_the_log() -> None:
    match = whole()
    said = as_dict(match)
    assert [one["round"] for one in said["rounds"]] == list(range(1, len(match.deals) + 1))
    last = match.states()[-1]
    assert last.round is not None
    judged = last.round.judgement
    assert judged is not None
    assert said["rounds"][-1]["judgement"]["holds"] is judged.proof.holds
    assert said["rounds"][-1]["hands"][0] == [str(card) for card in last.round.hands[0]]
    assert said["winner"] == last.winner


def broken(**changes: object) -> bytes:
    """The file of a match with some fields otherwise (None: without them)."""
    said = as_dict(whole()) | changes
    return json.dumps({key: value for key, value in said.items() if value is not None}).encode()


def entry(**changes: object) -> bytes:
    """The file with its first action otherwise."""
    log = as_dict(whole())["log"]
    return broken(log=[log[0] | changes, *log[1:]])


DEEP = b"[" * 200_000
HOSTILE = {
    "nothing": b"",
    "binary": bytes(range(256)),
    "deep": DEEP,
    "deep in a field": b'{"format": "bluffhouse-match", "version": 1, "log": ' + DEEP,
    "a list": b"[]",
    "another format": b'{"format": "chess"}',
    "nan": b'{"format": "bluffhouse-match", "version": NaN}',
    "a number too long": b'{"format": "bluffhouse-match", "version": ' + b"9" * 5000 + b"}",
    "huge": b" " * (MOST_BYTES + 1),
    "another version": broken(version=2),
    "a version that is true": broken(version=True),
    "no game": broken(game=None),
    "an unknown game": broken(game="snap" * 1000),
    "another version of the rules": broken(rules=99),
    "options of a wrong kind": broken(options={"jokers": [1]}),
    "an unknown option": broken(options={"cheating": True}),
    "an option that cannot be seen": broken(options={"length": "\u202e\n"}),
    "options as a list": broken(options=[]),
    "one player": broken(players=[{"name": "Ann"}]),
    "too many players": broken(players=[{"name": "Ann"}] * 60),
    "far too many players": broken(players=[{"name": "Ann"}] * 6000),
    "players as names": broken(players=["Ann", "Bob", "Cleo"]),
    "a name that is a number": broken(players=[{"name": 1}, {"name": 2}, {"name": 3}]),
    "an opener elsewhere": broken(opener=7),
    "a match of number zero": broken(match=0),
    "a time beyond time": broken(started=10**18),
    "a time that is a text": broken(ended="yesterday"),
    "an empty log": broken(log=[]),
    "a log of numbers": broken(log=[1, 2, 3]),
    "an endless log": broken(log=[{}] * 10_001),
    "an action of no kind": entry(kind="cheat"),
    "an action of another schema": entry(v=9),
    "a deck of no cards": entry(order=[]),
    "a deck of impossible cards": entry(order=[10**30]),
    "a deck of words": entry(order=["As"]),
    "a seal that is none": entry(commitment="<script>"),
    "a time of an action": entry(at="now"),
    "played by whom": entry(house="yes"),
    "seeds as a list of texts": broken(seeds=["00"]),
    "seeds that are no digits": broken(seeds=[{"round": 1, "seed": "zz"}]),
    "a seed twice": broken(seeds=[{"round": 1, "seed": "00"}] * 2),
    "rounds as a text": broken(rounds="all well"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_one_sentence(what: str) -> None:
    with pytest.raises(FileError) as refused:
        checked(read_bytes(HOSTILE[what]))
    said = str(refused.value)
    assert said
    assert len(said) < 400
    assert said.isprintable()


LYING = {
    "another winner": broken(winner=None),
    "a match without its end": broken(log=as_dict(whole())["log"][:-1]),
    "a round too few": broken(rounds=as_dict(whole())["rounds"][:-1]),
    "a move out of turn": broken(
        log=[as_dict(whole())["log"][0], {"v": 1, "kind": "challenge", "seat": 0}]
    ),
}


@pytest.mark.parametrize("what", LYING)
def test_a_file_that_does_not_fit_its_own_log_is_refused(what: str) -> None:
    found = read_bytes(LYING[what])
    with pytest.raises(FileError):
        checked(found)


def test_a_verdict_that_is_told_otherwise_is_not_believed() -> None:
    said = as_dict(whole())
    judged = said["rounds"][0]["judgement"]
    judged["holds"] = not judged["holds"]
    with pytest.raises(FileError, match="does not follow from its log"):
        checked(read_bytes(json.dumps(said).encode()))


def test_a_file_may_leave_out_what_follows_and_say_what_is_not_known() -> None:
    found = read_bytes(broken(rounds=None, remark="a fine evening"))
    assert found.claimed is None
    assert checked(found) == whole()


def test_names_are_made_safe_and_an_empty_one_is_a_seat() -> None:
    players = [{"name": "<b>\u202e\nAnn"}, {"name": " "}, {"name": "x" * 5000, "computer": "?"}]
    ann, nobody, long = read_bytes(broken(players=players)).played.seated
    assert (ann.name, nobody.name) == ("<b> Ann", "Player 2")
    assert len(long.name) == 80
    assert long.character in CHARACTERS


def test_whatever_byte_is_changed_nothing_else_is_raised() -> None:
    content, chooser = file_text(whole()).encode(), Chooser("bytes")
    for _ in range(60):
        at = chooser.below(len(content))
        other = content[:at] + bytes([chooser.below(256)]) + content[at + 1 :]
        with contextlib.suppress(FileError):
            checked(read_bytes(other))


def test_who_was_forgotten_is_a_former_player_as_in_every_message() -> None:
    shown = seated_from((101, nameless(3)), {101: TypedText("Ann")})
    assert shown == (Seated("Ann"), Seated("Former player 3"))


def test_the_usual_names_are_those_of_the_seats() -> None:
    assert whole().names == NAMES[:3]

"""Traps for the sharp player (`benchmarks.traps`): when a trap stops posing, and the command."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from benchmarks import traps
from engine.play import start
from engine.players.careful import choose as careful
from engine.players.careful import opener
from engine.players.memory import Memory, ShownRound
from engine.players.networks import BASELINES
from engine.players.position import observe
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import play, stacked_deal

THAI = ruleset("thai_poker")
SHOWN = ShownRound(1, 0, (1, 2), 0, ((0, 1),), 1, 1)


@pytest.fixture
def position():
    first = start(THAI, range(2), 0)
    view = view_of(play(first, stacked_deal(first, {0: "9c Td Kh"})), 0)
    return observe(view, Memory("trap", 3))


def test_a_trap_poses_until_so_many_rounds_were_shown(position):
    plays = traps.trap(careful, opener, traps.after(2))
    assert careful(position, THAI) != opener(position, THAI)
    assert plays(position, THAI) == careful(position, THAI)
    once = replace(position, rounds=(SHOWN,))
    assert plays(once, THAI) == careful(once, THAI)
    twice = replace(position, rounds=(SHOWN, SHOWN))
    assert plays(twice, THAI) == opener(twice, THAI)


def test_one_that_knows_springs_while_its_own_seat_is_taken_for_simple(position, monkeypatch):
    monkeypatch.setattr(traps, "plays_simply", lambda at, rules, seat: seat == at.seat)
    assert traps.knowing(position, THAI)
    monkeypatch.setattr(traps, "plays_simply", lambda at, rules, seat: seat != at.seat)
    assert not traps.knowing(position, THAI)


@pytest.mark.long
def test_the_command_tells_each_trap_with_its_interval(monkeypatch, capsys):
    monkeypatch.setattr(traps, "best_response", lambda *_, **__: BASELINES["threshold"])
    monkeypatch.setattr(sys, "argv", ["traps", "thai", "--matches", "2"])
    traps.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * len(traps.POSES) + 5
    assert all(" ± " in line for line in lines)


def test_what_cannot_be_played_is_refused_in_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["traps", "thai", "--matches", "1"])
    with pytest.raises(SystemExit):
        traps.main()
    assert "for example --matches 100" in capsys.readouterr().err

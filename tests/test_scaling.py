"""The simulation behind docs/scaling.md keeps Discord's limit and counts a round's requests."""

from __future__ import annotations

import pytest

from benchmarks.scaling import FORMS, Form, Play, simulate

PLAY = Play(players=4, moves=4, think=5, pause=5)
_, _, LETTERS, CLOCK = FORMS


def seconds_a_round(play: Play) -> float:
    return play.moves * play.think + play.pause


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_far_below_the_limit_nobody_waits_and_each_round_costs_what_is_counted(form: Form) -> None:
    tables = 20
    waits = simulate(tables, form, PLAY)
    expected = tables * form.a_round(PLAY) / seconds_a_round(PLAY)
    assert waits.quantile(0.99) == 0
    assert waits.rate == pytest.approx(expected, rel=0.08)


@pytest.mark.thorough
def test_no_second_has_more_requests_than_the_limit() -> None:
    waits = simulate(40, LETTERS, PLAY, limit=5)
    assert len(waits.starts) > 1_000
    for first, later in zip(waits.starts, waits.starts[5:], strict=False):
        assert later - first >= 1.0 - 1e-9


@pytest.mark.thorough
def test_beyond_the_limit_all_of_it_is_used_and_messages_wait() -> None:
    waits = simulate(80, LETTERS, PLAY, limit=5)
    assert waits.rate == pytest.approx(5, rel=0.02)
    assert waits.quantile(0.5) > 5


@pytest.mark.thorough
def test_an_edit_that_waits_stands_for_the_moves_since() -> None:
    free, full = (simulate(60, CLOCK, PLAY, limit=limit) for limit in (1_000, 5))
    rounds = [len(waits.messages) / 2 for waits in (free, full)]
    edits = [len(waits.starts) - len(waits.messages) for waits in (free, full)]
    assert edits[0] / rounds[0] == pytest.approx(1 + PLAY.moves, rel=0.05)
    assert edits[1] / rounds[1] < 0.8 * (1 + PLAY.moves)


def test_the_same_seed_finds_the_same() -> None:
    first, same, different = (simulate(10, CLOCK, PLAY, seed) for seed in (1, 1, 2))
    assert first.starts == same.starts != different.starts

"""The share of whole matches that the best opponent of the solved rounds wins."""

from __future__ import annotations

import sys
from functools import cache

import pytest

from benchmarks import exact_opponent
from benchmarks.exact_opponent import RoundGain, match_share, rounds_of_match, solve_match
from engine.players.blueprint.playing import blueprint_of
from engine.players.blueprint.shipped import index
from engine.variants import ruleset

pytestmark = pytest.mark.long

THAI = ruleset("thai_poker")
ROUNDS = rounds_of_match(THAI)
WORTH = {
    (opener, replier): (0.1 * replier - 0.05 * opener, 0.07 * opener - 0.1 * replier)
    for opener, replier in ROUNDS
}


def naive_share(worth):
    """Return the opponent's chance to win a match, by trying every course of it."""

    @cache
    def chance(mine, theirs, opens):
        if max(mine, theirs) > 6:
            return float(theirs > 6)
        gain = worth[mine, theirs][0] if opens else worth[theirs, mine][1]
        won, lost = chance(mine, theirs + 1, False), chance(mine + 1, theirs, True)
        return ((1 + gain) * won + (1 - gain) * lost) / 2

    return (chance(3, 3, True) + chance(3, 3, False)) / 2


def test_the_share_of_matches_follows_from_every_round():
    share, slopes = solve_match(THAI, WORTH)
    assert share == pytest.approx(naive_share(WORTH))
    assert solve_match(THAI, dict.fromkeys(ROUNDS, (0.0, 0.0)))[0] == pytest.approx(0.5)
    assert solve_match(THAI, dict.fromkeys(ROUNDS, (1.0, 1.0)))[0] == pytest.approx(1)
    for cards, (first, second) in WORTH.items():
        for seat, changed in enumerate(((first + 1e-3, second), (first, second + 1e-3))):
            growth = solve_match(THAI, WORTH | {cards: changed})[0] - share
            assert slopes[cards][seat] == pytest.approx(growth / 1e-3, abs=1e-9)


def test_gains_of_each_round_and_their_errors_add_up():
    gains = {cards: RoundGain(0.1, (0, 0), (0, 0), (0, 0)) for cards in ROUNDS}
    even = match_share(THAI, gains)
    assert even.low == pytest.approx(0.5)
    assert even.high == pytest.approx(0.5)
    assert even.error == 0
    small = RoundGain(0.1, (0.002, 0.001), (0.003, 0.001), (0.03, 0.04))
    share = match_share(THAI, gains | {(3, 3): small})
    # a seat opens half of the matches, and 20 of 64 courses of the six other rounds are even
    decides = 20 / 64 / 2 / 2
    assert (
        share.low - 0.5
        == pytest.approx(share.added[3, 3])
        == pytest.approx(0.003 * decides, rel=0.1)
    )
    assert share.high > share.low
    assert share.error == pytest.approx(0.05 * decides, rel=0.1)


def test_of_a_round_the_opponents_gain_is_what_the_table_loses():
    blueprint = blueprint_of(THAI, (3, 3))
    assert blueprint is not None
    met = exact_opponent.measure_gain(blueprint, 20)
    lost = index()["thai_poker"]["exploitability"]["3-3"]
    assert sum(met.low) / 2 == pytest.approx(lost, abs=1e-3)
    assert sum(met.worth(met.low)) == pytest.approx(sum(met.low))
    assert 0 < min(met.low) < 0.1
    assert met.low < met.high
    assert met.errors == (0, 0)


def test_the_command_says_the_share_last(monkeypatch, capsys):
    gain = RoundGain(0.0, (0.01, 0.01), (0.02, 0.02), (0.001, 0))
    monkeypatch.setattr(exact_opponent, "measure_gain", lambda blueprint, drawn: gain)
    monkeypatch.setattr(sys, "argv", ["exact_opponent", "thai", "--drawn", "7"])
    exact_opponent.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3-3: 0.0100 ± 0.0010 0.0100; cut 0.0200; adds 0.00")
    assert len(lines) == len(ROUNDS) + 2
    assert lines[-1].startswith("the exact opponent wins 0.511 ± 0.000")


@pytest.mark.parametrize(
    ("line", "sentence"), [("thai --drawn 1", "2 and more"), ("liars", "no match of Liars' Poker")]
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(line, sentence, monkeypatch, capsys):
    gain = RoundGain(0.0, (0, 0), (0, 0), (0, 0))
    monkeypatch.setattr(exact_opponent, "measure_gain", lambda blueprint, drawn: gain)
    monkeypatch.setattr(sys, "argv", ["exact_opponent", *line.split()])
    with pytest.raises(SystemExit):
        exact_opponent.main()
    assert sentence in capsys.readouterr().err

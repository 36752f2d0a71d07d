"""The table of matchups before the flop: some of it counted anew, and what follows from all of
it."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.hand_orders import ORDERS
from engine.odds.showdown.preflop import (
    BOARDS,
    HANDS,
    MATCHUPS,
    hand_number,
    key_of,
    kind_matchups,
    matchup,
    matchups,
    packed,
    preflop_table,
    unpacked,
)
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import parse_scenario


@pytest.mark.parametrize(
    ("first", "second", "win", "lose", "tie"),
    [
        ("AdAc", "KhKs", 1_388_072, 317_694, 6_538),
        ("AdAc", "Td9d", 1_338_249, 367_143, 6_912),
        ("AdAc", "QcJh", 1_450_987, 254_763, 6_554),
        ("KhKs", "Kd2h", 1_612_287, 73_825, 26_192),
        ("AhKh", "2c2d", 852_207, 849_322, 10_775),
    ],
)
def test_the_table_has_the_published_counts(
    first: str, second: str, win: int, lose: int, tie: int
) -> None:
    one, other = Cards.parse(first), Cards.parse(second)
    found = matchup(one, other)
    assert (found.win, found.lose, found.tie) == (win, lose, tie)
    found = matchup(other, one)
    assert (found.win, found.lose, found.tie) == (lose, win, tie)


def test_a_random_part_of_the_table_is_counted_anew() -> None:
    random = Random()  # another part each time
    for _ in range(300):
        cards = random.sample(range(52), 4)
        one, other = (Cards.of(map(Card, pair)) for pair in (cards[:2], cards[2:]))
        answer = showdown_odds(
            parse_scenario([str(one), str(other)]), Effort(exact=True, ranked=False, table=False)
        )
        found = matchup(one, other)
        assert (found.win, found.tie) == (answer.players[0].win, answer.players[0].tie), cards


def test_the_table_has_every_matchup_once() -> None:
    table = preflop_table()
    assert len(table.keys) == len(table.wins) == len(table.ties) == MATCHUPS
    assert list(table.keys) == sorted(set(table.keys))
    assert unpacked(packed(table)) == table
    random = Random(1)
    for _ in range(200):
        cards = random.sample(range(52), 4)
        one, other = (Cards.of(map(Card, pair)) for pair in (cards[:2], cards[2:]))
        key, turned = key_of(one, other)
        assert key_of(other, one)[0] == key
        assert key in set(table.keys)
        assert isinstance(turned, bool)


def test_arrays_of_all_matchups_agree_with_single_ones() -> None:
    win, tie = matchups()
    assert win.shape == (HANDS, HANDS)
    both = win + win.T + tie
    assert set(np.unique(both).tolist()) == {0, BOARDS}
    assert int((both > 0).sum()) == HANDS * 1_225
    random = Random(2)
    for _ in range(200):
        cards = random.sample(range(52), 4)
        one, other = (Cards.of(map(Card, pair)) for pair in (cards[:2], cards[2:]))
        found = matchup(one, other)
        at = hand_number(one), hand_number(other)
        assert (win[at], tie[at]) == (found.win, found.tie)


def test_kinds_are_summed_over_all_their_combos() -> None:
    every = kind_matchups()
    assert len(every) == 169 * 169
    assert every["AA", "KK"].pairs == 36
    assert every["AA", "AA"].pairs == 6
    assert every["AA", "AA"].value == Fraction(1, 2)
    assert every["AKs", "AKs"].pairs == 12
    assert float(every["AA", "KK"].value) == pytest.approx(0.8195, abs=0.0001)
    for (one, other), found in every.items():
        assert found.value + every[other, one].value == 1
        assert found.lose == every[other, one].win
    pairs = sum(found.pairs for found in every.values())
    assert pairs == HANDS * 1_225


def test_the_order_of_hands_follows_from_the_whole_table() -> None:
    every, order = kind_matchups(), ORDERS[Ranking.HIGH]
    shares = []
    for one in order:
        found = [every[one, other] for other in order]
        points = sum(2 * part.win + part.tie for part in found)
        shares.append(Fraction(points, 2 * BOARDS * sum(part.pairs for part in found)))
    assert shares == sorted(shares, reverse=True)
    assert float(shares[0]) == pytest.approx(0.8520, abs=0.0001)  # aces: 85.20 %


def test_kinds_agree_with_counting_ranges() -> None:
    for one, other in (("AKs", "QQ"), ("T9s", "A5o")):
        effort = Effort(exact=True, ranked=False, table=False)
        answer = showdown_odds(parse_scenario([one, other]), effort)
        assert answer.players[0].value == kind_matchups()[one, other].value


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [("AhKh", "AhQd", "Ah is in both hands"), ("Ah", "QdQc", "expected two cards")],
)
def test_what_is_no_matchup_is_refused(one: str, other: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        matchup(Cards.parse(one), Cards.parse(other))


def test_a_matchup_needs_no_compiler_and_no_arrays() -> None:
    code = (
        "import sys; from engine.cards import Cards; from engine.odds import matchup;"
        "assert matchup(Cards.parse('AdAc'), Cards.parse('KhKs')).win == 1_388_072;"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

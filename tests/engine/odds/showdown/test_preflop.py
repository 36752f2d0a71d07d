"""Tables for hands before the flop: recount some entries, and check the answers they give."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.omaha_terms import class_places
from engine.odds.showdown.preflop import (
    BOARDS,
    HANDS,
    MATCHUPS,
    NOWHERE,
    kind_matchups,
    kinds_table,
    matchup,
    matchups_of_kind,
    places,
    places_of,
    preflop_table,
    results,
    sum_kinds,
    table_sums,
)
from engine.odds.showdown.range_terms import ORDERS
from engine.odds.showdown.scenario import Scenario, parse_scenario

ANEW = Effort(exact=True, table=False)


def test_the_table_has_every_matchup_once_and_its_kinds() -> None:
    keys, wins, ties = preflop_table()
    assert len(keys) == len(wins) == len(ties) == MATCHUPS
    assert keys.tolist() == sorted(set(keys.tolist()))
    for seat in (0, 1):
        kinds = sum_kinds(np.arange(NOWHERE), np.ones(NOWHERE, np.int64), seat)
        assert min(kinds) > 0
        assert sum(kinds) == NOWHERE * BOARDS
    _, win, tie = results()[places()].T
    assert win.shape == (HANDS, HANDS)
    both = win + win.T + tie
    assert set(np.unique(both).tolist()) == {0, BOARDS}
    assert int((both > 0).sum()) == HANDS * 1_225


def test_few_matchups_have_the_same_results_as_in_the_table_of_all() -> None:
    hands = np.arange(HANDS)
    for first in (0, 1, 51, 700, 1325):
        place, looked_up = places()[first], places_of(hands[first : first + 1], hands)
        assert (results()[looked_up] == results()[place]).all()
        apart = np.flatnonzero(looked_up < NOWHERE)
        assert len(apart) == 1_225
        for seat in (0, 1):
            kinds, usual = (sum_kinds(at[apart], 1 + apart % 5, seat) for at in (looked_up, place))
            assert (kinds == usual).all()


def test_kinds_are_summed_over_all_their_combos_and_ordered_by_what_they_are_worth() -> None:
    every, order = kind_matchups(), ORDERS["holdem"]
    assert len(every) == 169 * 169
    assert [every[kinds].pairs for kinds in (("AA", "KK"), ("AA", "AA"), ("AKs", "AKs"))] == [
        *(36, 6, 12)
    ]
    for (first, second), met in every.items():
        assert met.value + every[second, first].value == 1
        assert met.lose == every[second, first].win
    assert sum(met.pairs for met in every.values()) == HANDS * 1_225
    shares = []
    for first in order:
        against = [every[first, second] for second in order]
        points = sum(2 * part.win + part.tie for part in against)
        shares.append(Fraction(points, 2 * BOARDS * sum(part.pairs for part in against)))
    assert shares == sorted(shares, reverse=True)
    assert float(shares[0]) == pytest.approx(0.8520, abs=0.0001)  # aces: 85.20 %
    for first, second in (("AKs", "QQ"), ("T9s", "A5o")):
        answer = showdown_odds(parse_scenario([first, second]), ANEW)
        assert answer.players[0].value == every[first, second].value
    for kind in ("AA", "AKs", "72o"):
        assert matchups_of_kind(kind) == {(kind, second): every[kind, second] for second in order}


@pytest.mark.parametrize(
    ("hand", "opposing", "sentence"),
    [("AhKh", "AhQd", "Ah is in both hands"), ("Ah", "QdQc", "expected two cards")],
)
def test_what_is_no_matchup_is_refused(hand: str, opposing: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        matchup(Cards.parse(hand), Cards.parse(opposing))


RANGES = ("QQ+", "AKs, 77", "AKo@50, T9s", "22, A5s@25, KQs@75", "AhXh", "AhKh, AdKd", "72o@10")


def same(scenario: Scenario) -> None:
    """Check that tables and counting agree, with and without counts of each kind of hand."""
    assert table_sums(scenario, ranked=True) is not None
    steps: list[tuple[int, int]] = []
    answer = showdown_odds(scenario, progress=lambda *step: steps.append(step))
    counted = showdown_odds(scenario, ANEW)
    assert answer.exact
    assert (answer.deals, answer.players) == (counted.deals, counted.players)
    assert steps == [(answer.deals, answer.deals)]
    plain = showdown_odds(scenario, Effort(ranked=False))
    assert [(player.win, player.tie) for player in plain.players] == [
        (player.win, player.tie) for player in answer.players
    ]
    assert not any(any(player.ranks.values()) for player in plain.players)


def test_two_hands_are_answered_as_if_they_were_counted() -> None:
    random = Random()  # others each time
    for _ in range(200):
        cards = [str(Card(number)) for number in random.sample(range(52), 4)]
        first, second = "".join(cards[:2]), "".join(cards[2:])
        scenario = parse_scenario([first, second])
        same(scenario)
        met = matchup(Cards.parse(first), Cards.parse(second))
        player = showdown_odds(scenario).players[0]
        assert (met.win, met.tie) == (player.win, player.tie), cards


@pytest.mark.long
def test_any_hand_is_answered_as_if_it_were_counted() -> None:
    same(parse_scenario(["", "7c2d"]))


def test_everything_against_everything_is_even() -> None:
    everything = table_sums(parse_scenario(["any@50, 22", "any@50, 22"]), ranked=True)
    assert everything is not None
    assert everything.shares[0].tolist() == everything.shares[1].tolist()
    assert everything.kinds[0].tolist() == everything.kinds[1].tolist()
    assert everything.kinds[0].sum() == everything.deals


@pytest.mark.thorough
@pytest.mark.parametrize("opposing", ["Kc", *RANGES])
def test_unknown_cards_and_ranges_are_answered_as_if_they_were_counted(opposing: str) -> None:
    for first in ("9h9d", "Qs", "QQ, 98s@5"):
        players = [first, opposing]
        Random(opposing + first).shuffle(players)
        same(parse_scenario(players))


@pytest.mark.parametrize(
    "scenario",
    [
        parse_scenario(["AhKh", "QcQd", ""]),
        parse_scenario(["AhKh"]),
        parse_scenario(["AhKh", "QcQd"], board="2c"),
        parse_scenario(["AhKh", "QcQd"], dead="2c"),
        parse_scenario(["AhKh", "QcQd"], rules=PRESETS["shortdeck"]),
        parse_scenario(["AhKh", "QcQd"], rules=PRESETS["omaha"]),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, jokers=1)),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, private_used=1)),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, hi_lo=True)),
        # sums of weights beyond 62 bits
        parse_scenario(["any@99.99, 22@0.01", "any@99.97, 33@0.01"]),
    ],
)
def test_what_the_tables_do_not_know_is_left_to_counting(scenario: Scenario) -> None:
    assert table_sums(scenario, ranked=True) is None


@pytest.mark.parametrize("effort", [Effort(deals=5000), Effort(error=0.01), Effort(exact=False)])
def test_who_asks_for_a_sample_gets_one(effort: Effort) -> None:
    assert not showdown_odds(parse_scenario(["AhKh", "QcQd"]), effort).exact


def test_a_package_without_its_tables_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for file, table in (
        ("preflop", preflop_table),
        ("preflop_kinds", kinds_table),
        ("omaha_order", class_places),
    ):
        monkeypatch.setattr("engine.odds.loading.get_data", lambda *_: None)
        table.cache_clear()
        with pytest.raises(ImportError, match=f"{file}.bin cannot be read"):
            table()
        monkeypatch.undo()
        table()

"""Simulated matches: fair seatings, the same figures for the same seed, and correct intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from engine.actions import Challenge, MakeBid
from engine.errors import RulesetError
from engine.play import start
from engine.players import CHARACTERS, Character, Memory, observe
from engine.players.by_views import play_by_views
from engine.players.deciding import chosen_by
from engine.players.forms import NETWORK, READING, compiled_form, known_players, player_of
from engine.players.kernels.deciding import NETWORK as NETWORK_KIND
from engine.players.kernels.match import (
    BIDS,
    CHALLENGES,
    COUNTED,
    DECISIONS,
    LOST,
    READER,
    ROUNDS,
)
from engine.players.matches import Seatings
from engine.players.networks import BASELINES
from engine.players.simulation import MOST_SEED, Simulation, interval, student
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, play, seed_from
from tests.engine.players.tables import whole_match
from tests.third_game import VARIANT

RULES = ruleset("thai_poker")


def by_views_alone(monkeypatch, name: str = "slow") -> str:
    """Add a character that plays like careful but has no compiled form; return its name."""
    player = f"{__name__}:careful_again"
    monkeypatch.setitem(CHARACTERS, name, Character(name, "careful, by views", player))
    return name


def careful_again(position, rules):
    from engine.players.careful import choose

    return choose(position, rules)


def test_few_players_sit_in_every_order():
    seatings = Seatings([2, 1, 1], duplicate=True, seed=1)
    assert (seatings.distinct, seatings.of_a_deal, seatings.complete) == (12, 12, True)
    block = seatings.block(0, 2)
    expected = sorted(set(permutations([0, 0, 1, 2])))
    assert [tuple(order) for order in block[0]] == expected
    assert (block[0] == block[1]).all()


def test_of_many_players_a_balanced_sample_sits_in_each_deal():
    seatings = Seatings([1] * 7, duplicate=True, seed=1)
    assert (seatings.distinct, seatings.of_a_deal, seatings.complete) == (5040, 14, False)
    blocks = seatings.block(0, 50)
    for block in blocks:
        for seat in range(7):
            assert Counter(block[:, seat]) == dict.fromkeys(range(7), 2)
        follows = Counter((order[i], order[(i + 1) % 7]) for order in block for i in range(7))
        assert all(follows[b, a] == times for (a, b), times in follows.items())
    assert len({block.tobytes() for block in blocks}) == 50
    assert (seatings.block(20, 3) == blocks[20:23]).all()
    assert not (Seatings([1] * 7, duplicate=True, seed=2).block(0, 50) == blocks).all()


def test_a_table_of_any_size_is_seated():
    (order,) = Seatings([1] * 25, duplicate=False, seed=1).block(0, 1)[0]
    assert sorted(order) == list(range(25))


def test_without_duplicate_deals_the_order_is_drawn_and_each_is_as_likely():
    seatings = Seatings([1, 1, 1], duplicate=False, seed=5)
    assert (seatings.of_a_deal, seatings.complete) == (1, False)
    drawn = Counter(tuple(order) for order in seatings.block(0, 6000)[:, 0])
    assert set(drawn) == set(permutations(range(3)))
    assert all(abs(times - 1000) < 4 * np.sqrt(6000 / 6 * 5 / 6) for times in drawn.values())


@pytest.mark.parametrize("duplicate", [True, False])
@pytest.mark.parametrize("names", [("careful", "truthful", "hider"), ("careful", "slow")])
def test_figures_do_not_depend_on_how_many_deals_are_played_at_a_time(
    monkeypatch, names, duplicate
):
    by_views_alone(monkeypatch)
    whole, parts = (Simulation(RULES, names, duplicate=duplicate, seed=3) for _ in range(2))
    deals = (1, 3, 2)
    whole.play(sum(deals))
    parts.warm()
    for number in deals:
        parts.play(number)
    assert parts.results() == whole.results()
    assert parts.matches == sum(deals) * parts.seatings.of_a_deal
    smaller = Simulation(RULES, names, duplicate=duplicate, seed=4)
    smaller.play(sum(deals))
    assert smaller.results() != whole.results()


@pytest.mark.thorough
def test_the_compiled_careful_player_plays_as_the_one_that_sees_views():
    slow, fast = np.zeros((3, COUNTED)), Simulation(RULES, ["careful"] * 3, seed=1)
    for number in range(60):
        play_by_views(RULES, [("careful", careful_again)] * 3, f"d{number}", "c", slow)
    fast.play(400)
    (result,) = fast.results()
    counted = slow.sum(axis=0)
    assert counted[CHALLENGES] / counted[DECISIONS] == pytest.approx(
        result.habits.challenges, abs=0.03
    )
    assert counted[BIDS] / counted[ROUNDS] == pytest.approx(result.habits.bids, abs=0.12)
    assert counted[LOST] == counted[CHALLENGES]


@pytest.mark.parametrize(
    "options", [{}, {"length": "first_out"}, {"challengers": "anyone", "two_player_limit": 7}]
)
def test_any_player_and_any_length_of_a_match_is_simulated(monkeypatch, options):
    slow = by_views_alone(monkeypatch)
    simulation = Simulation(ruleset("thai_poker", options), [slow, "careful", "network"])
    assert not simulation.is_compiled
    simulation.play(1)
    assert sum(result.wins for result in simulation.results()) == 6


@pytest.mark.long
@pytest.mark.parametrize("name", ["sly", "wild", "careful"])
def test_a_compiled_player_is_the_same_one_among_players_that_see_views(name):
    """Check that the compiled form chooses like the character, given the same random number."""
    compiled, by_views = player_of(name, compiled_form(name, RULES)), player_of(name, None)
    compared = 0
    for match, _ in whole_match(RULES, ["careful"] * 4):
        if match.phase is Phase.BIDDING:
            position = observe(view_of(match, match.round.turn), Memory("careful", 5))
            assert position is not None
            mine = chosen_by(compiled, position, RULES).action
            assert mine == chosen_by(by_views, position, RULES).action
            compared += 1
    assert compared > 20


def test_a_field_with_the_reader_is_played_in_a_compiled_loop():
    assert Simulation(RULES, [READING, NETWORK]).is_compiled


@pytest.mark.thorough  # compiles for ten seconds
def test_the_reader_plays_in_the_compiled_loop():
    compiled = Simulation(RULES, [READING, NETWORK])
    compiled.play(1)
    reading, network = compiled.results()
    assert reading.wins + network.wins == 2


def test_the_reader_plays_where_positions_are_decided_one_by_one(monkeypatch):
    slow = by_views_alone(monkeypatch)
    by_views = Simulation(RULES, [READING, slow], duplicate=False)
    assert not by_views.is_compiled
    by_views.play(1)
    assert sum(result.wins for result in by_views.results()) == 1


def test_the_characters_are_told_apart():
    simulation = Simulation(RULES, ["careful", "sly", "network", "wild"], seed=2)
    simulation.play(12)
    assert simulation.is_compiled
    bluffs = {result.name: result.habits.bluffs for result in simulation.results()}
    assert bluffs["careful"] < bluffs["network"] < bluffs["wild"]


@pytest.mark.long
@pytest.mark.parametrize("length", ["one_more", "first_out"])
def test_a_short_match_is_played_in_compiled_loops_as_the_rules_play_it(monkeypatch, length):
    rules = ruleset("thai_poker", {"length": length})
    slow = by_views_alone(monkeypatch)
    fast = Simulation(rules, ["careful", "truthful", "truthful", "careful"], seed=1)
    plain = Simulation(rules, [slow, "truthful", "truthful", slow], seed=1)
    assert fast.is_compiled
    assert not plain.is_compiled
    fast.play(2000)
    plain.play(10)
    careful, again = fast.results()[0], plain.results()[0]
    assert again.interval.low < careful.interval.share < again.interval.high
    rounds = [games.counted[:, LOST].sum() / games.matches for games in (fast, plain)]
    assert rounds[0] == pytest.approx(rounds[1], rel=0.1)


@pytest.mark.thorough
def test_those_who_read_play_a_tie_off_and_one_of_them_wins():
    rules = ruleset("thai_poker", {"length": "first_out"})
    played = Simulation(rules, [READING, "careful", "careful", "careful"], seed=2)
    assert played.is_compiled
    played.play(10)
    assert sum(result.wins for result in played.results()) == played.matches


def test_sharp_is_who_sits_at_a_table_and_not_the_network_alone():
    third = VARIANT.ruleset()
    for solved in (ruleset("thai_poker"), ruleset("liars_poker")):
        assert compiled_form("sharp", solved) is None, "no loop knows what is solved"
    assert player_of("sharp", None) is CHARACTERS["sharp"].load()
    assert compiled_form("sharp", third).kind == READER
    assert compiled_form(NETWORK, third).kind == NETWORK_KIND


def test_who_counts_and_may_not_challenge_bids_the_next_bid():
    match = start(RULES, range(2), 0)
    match = play(match, fair_deal(match, seed_from("certain")), MakeBid(0, "four:9"))
    position = observe(view_of(match, 1), Memory("hider", 1))
    assert position is not None
    hider = player_of("hider", BASELINES["hider"])
    assert hider(position, RULES).action == Challenge(1)
    certain = replace(position, challengers=())
    above = RULES.ladder.at(RULES.ladder.first_above(position.standing))
    assert hider(certain, RULES).action == MakeBid(1, above.key)


def test_players_are_known_by_name():
    assert known_players()[:4] == tuple(CHARACTERS)[:4]
    assert set(known_players()) == {*CHARACTERS, *BASELINES, NETWORK, READING}
    assert compiled_form("hider", RULES) is BASELINES["hider"]
    with pytest.raises(RulesetError, match="no computer player sharpe; there are careful"):
        compiled_form("sharpe", RULES)


def test_other_players_may_be_given():
    simulation = Simulation(RULES, ["mine", "careful"], others={"mine": BASELINES["threshold"]})
    simulation.play(2)
    twin = Simulation(RULES, ["threshold", "careful"])
    twin.play(2)
    assert [r.interval for r in simulation.results()] == [r.interval for r in twin.results()]


@pytest.mark.parametrize(
    ("names", "seed", "reason"),
    [
        (["careful"], 0, "2 to 10 can play, not 1"),
        (["careful"] * 11, 0, "2 to 10 can play, not 11"),
        (["careful"] * 2, -1, f"a seed is 0 to {MOST_SEED}, not -1"),
        (["careful"] * 2, MOST_SEED + 1, "a seed is 0 to"),
    ],
)
def test_what_cannot_be_simulated_is_refused(names, seed, reason):
    with pytest.raises(RulesetError, match=reason):
        Simulation(RULES, names, seed=seed)


def test_there_is_no_result_before_the_first_deal():
    with pytest.raises(ValueError, match="no deal"):
        Simulation(RULES, ["careful"] * 2).results()


def test_an_interval_holds_the_truth_in_ninety_five_of_a_hundred_runs():
    rng = np.random.default_rng(3)
    for size in (5, 12, 60):
        held = 0
        for _ in range(2000):
            low_high = interval(rng.binomial(6, 0.4, size) / 6)
            held += low_high.low <= 0.4 <= low_high.high
        assert 0.93 < held / 2000 < 0.975


def test_observations_that_are_alike_leave_room_for_others():
    won = interval(np.ones(30))
    assert (won.share, won.high) == (1, 1)
    # so rare that thirty observations show none of it in 5 % of all runs
    assert (won.low) ** 30 == pytest.approx(0.05)
    assert interval(np.array([0.5])).high == 1
    with pytest.raises(ValueError, match="no observations"):
        interval(np.zeros(0))


@pytest.mark.parametrize(
    ("freedom", "exact"),
    [(1, 12.706), (9, 2.262), (10, 2.2281), (20, 2.0860), (100, 1.98397), (10**6, 1.95997)],
)
def test_students_t_is_that_of_the_tables(freedom, exact):
    assert student(freedom) == pytest.approx(exact, abs=0.003)

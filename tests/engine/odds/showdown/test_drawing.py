"""Ranges drawn seat by seat with weights: against every deal, exact answers, their own error."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from engine.errors import TextError
from engine.odds.showdown import dealing, equity
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.hand_sampling import hand_sampler
from engine.odds.showdown.kernels import deal as kernels_deal
from engine.odds.showdown.kernels.draw import block_start
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
FEW = 40_000


def holdem(*players: str, board: str = "") -> Scenario:
    return parse_scenario(players, board)


CLASHING = [
    holdem("AA, KK@20", "AA, KK", "AKs, QQ@3", "AKs@10, AdQd", board="2c 3d 7h"),
    holdem("AA", "AA, A2o@50", "AA, KQs@1%", "KK, A3s@25", board="Ts 9s 4c"),
    holdem("AhKh, AhKd, AhKc", "AhQh, KdQd", "KcQc, QdJd@40, AhJh", "QhJh, QdJc, JhTh@3"),
    parse_scenario(
        ["AsAhKsKh, 5c5d6c6d@10", "AsAhQsQh, 8c8d9c9d@10", "AsAhJsJh, TcTd4c4d@10"],
        "2c 7d 9h Kd 3s",
        rules=PRESETS["omaha"],
    ),
    parse_scenario(
        ["AsAhKsKh, 5c5d6c6d@10", "AsAhQsQh, 8c8d2d3d@10", "AsAh4sJh, TcTd4c4d@10"],
        "2c 7d 9h Kd 3s",
        rules=PRESETS["omaha8"],
    ),
]


def joint_chances(scenario: Scenario) -> dict[tuple[int, ...], float]:
    """Every set of hands that share no card, with its chance: the oracle, as plain as can be."""
    seats = range(len(scenario.players))
    choices = [list(zip(*scenario.weighed(seat), strict=True)) for seat in seats]
    weights: dict[tuple[int, ...], int] = {}
    for chosen in product(*choices):
        hands = tuple(hand for hand, _ in chosen)
        if sum(hands).bit_count() == sum(hand.bit_count() for hand in hands):
            weights[hands] = prod(weight for _, weight in chosen)
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items()}


@pytest.mark.parametrize("scenario", CLASHING)
def test_every_set_of_hands_counts_as_often_as_trying_them_all_says(scenario: Scenario) -> None:
    drawing = hand_sampler(scenario)
    assert drawing.weighs
    players = len(scenario.players)
    seen: dict[tuple[int, ...], list[float]] = {}
    counter = block_start(np.uint64(7), 0)
    chosen = np.zeros(players, np.uint64)
    sums = np.zeros(2)
    for _ in range(FEW):
        weight, counter, tried, taken = kernels_deal.draw_seats(drawing.arrays, counter, chosen)
        counter = np.uint64(counter)
        assert tried > 0
        if weight == 0:
            continue
        hands = tuple(chosen.tolist())
        assert int(taken) == sum(hands)  # no card twice
        sums += weight, weight * weight
        own = seen.setdefault(hands, [0.0, 0.0])
        own[0] += weight
        own[1] += weight * weight
    wanted = joint_chances(scenario)
    assert set(seen) <= set(wanted)
    for hands, chance in wanted.items():
        weight, square = seen.get(hands, (0.0, 0.0))
        spread = ((1 - chance) ** 2 * square + chance**2 * (sums[1] - square)) ** 0.5 / sums[0]
        # of what was never seen there is no spread: it would be seen a few times at most
        assert abs(weight / sums[0] - chance) < 5 * spread + 8 * sums[1] / sums[0] ** 2


@pytest.mark.parametrize("scenario", CLASHING)
def test_weighted_deals_lie_within_their_error_of_the_exact_answer(scenario: Scenario) -> None:
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(exact=False, deals=FEW, seed=3))
    assert sampled.deals == FEW
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert guess.standard_error is not None
        assert abs(float(truth.value - guess.value)) < 4 * guess.standard_error + 1e-9
        assert guess.win + guess.tie + guess.lose == FEW
        assert guess.lose >= 0
        for rank in truth.ranks:
            difference = truth.ranks[rank] / exact.deals - guess.ranks[rank] / FEW
            assert abs(difference) < 8 * guess.standard_error + 0.01


@pytest.mark.long
@pytest.mark.parametrize("scenario", CLASHING)
def test_the_error_that_is_stated_holds_as_often_as_an_error_should(scenario: Scenario) -> None:
    """Of normal errors 95% are within 1.96 standard errors, and their mean square is one."""
    exact = showdown_odds(scenario, Effort(exact=True))
    told = []
    for seed in range(300):
        sampled = showdown_odds(scenario, Effort(exact=False, deals=3_000, seed=seed))
        for truth, guess in zip(exact.players, sampled.players, strict=True):
            if guess.standard_error:
                told.append(float(truth.value - guess.value) / guess.standard_error)
    inside = sum(abs(z) < 1.96 for z in told) / len(told)
    assert 0.925 < inside < 0.975
    assert 0.8 < sum(z * z for z in told) / len(told) < 1.25


def test_a_weighted_sample_depends_on_its_seed_and_not_on_the_number_of_threads() -> None:
    one, other = (
        showdown_odds(CLASHING[0], Effort(exact=False, deals=FEW, seed=5, threads=threads))
        for threads in (1, 3)
    )
    assert one == other
    assert one != showdown_odds(CLASHING[0], Effort(exact=False, deals=FEW, seed=6))


@pytest.mark.parametrize("players", [9, 10])
def test_ranges_of_a_whole_table_are_answered(players: int) -> None:
    scenario = parse_scenario(["20%"] * players)
    assert hand_sampler(scenario).chance < 0.01  # drawn all at once: hardly ever
    answer = showdown_odds(scenario, Effort(error=0.004))
    assert sum(player.value for player in answer.players) == pytest.approx(1)
    for player in answer.players:  # they are all alike
        assert player.standard_error is not None
        assert abs(float(player.value) - 1 / players) < 4 * player.standard_error


def test_a_range_of_every_hand_is_unknown_cards() -> None:
    effort = Effort(deals=4_096)
    ranges = showdown_odds(parse_scenario(["AhKh", *["100%"] * 8]), effort)
    unknown = showdown_odds(parse_scenario(["AhKh", *[""] * 8]), effort)
    assert [player.value for player in ranges.players] == [
        player.value for player in unknown.players
    ]
    assert ranges.players[1].cards == "100%"
    assert showdown_odds(parse_scenario(["AhKh", "100%@50"])).exact


def test_players_with_the_same_range_share_its_hands() -> None:
    scenario = parse_scenario(["$np"] * 3, rules=PRESETS["omaha5"])
    assert scenario.players[0] is scenario.players[1]
    *_, combos, sums = hand_sampler(scenario).arrays
    assert len(combos) == len(scenario.combos(0))
    assert len(sums) == 0


def test_what_leaves_hardly_a_deal_is_refused_with_how_much_was_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(equity, "_MOST_TRIED", 2_000_000)
    scenario = parse_scenario(["A2o+"] * 5)  # four aces for five players
    with pytest.raises(TextError, match=r"almost never leave .* of [\d,]+ hands"):
        showdown_odds(scenario, Effort(exact=False))


def test_rare_deals_are_answered_and_not_given_up() -> None:
    # only the second player's rarest hand leaves the first one theirs
    scenario = holdem("AhAd", "AhKh, AdKd, AcAs@0.01%", "KcKs", board="2c 3d 7h 8h 9c")
    answer = showdown_odds(scenario, Effort(exact=False, deals=500))
    assert answer.deals > 0
    assert answer.players[0].value == answer.players[1].value == Fraction(1, 2)


def heavy() -> Scenario:
    """Each deal has 4 * 792 hands to score."""
    return parse_scenario([""] * 4, rules=ShowdownRules(private=12, ranking=Ranking.WORST))


def test_pieces_of_work_are_small_however_many_hands_a_deal_has() -> None:
    jobs = dealing.sample_jobs(heavy(), 1 << 20, 1, False, None)
    assert next(jobs)().deals * 4 * 792 <= 1 << 19


def after(pieces: int) -> Any:
    """A clock that says it is enough after so many pieces of work."""
    left = iter([False] * (pieces - 1) + [True] * 99)
    return lambda: next(left)


def test_a_sample_is_answered_as_far_as_it_has_come_when_it_is_enough() -> None:
    for threads in (1, 2):
        effort = Effort(enough=after(3), threads=threads, ranked=False)
        answer = showdown_odds(heavy(), effort)
        assert answer.deals == 3 * ((1 << 19) // (4 * 792))
        assert answer.standard_error is not None
        assert answer.standard_error > equity.DEFAULT_ERROR


def test_an_exact_count_that_is_not_done_in_time_is_refused() -> None:
    scenario = holdem("22+", "A2s+, K2s+", board="2c")
    with pytest.raises(TextError, match=r"time was up when \d+% of the deals were counted"):
        showdown_odds(scenario, Effort(exact=True, table=False, enough=after(1)))


def test_a_count_that_takes_longer_than_foreseen_becomes_a_sample() -> None:
    scenario = holdem("22+", "A2s+, K2s+", board="2c")
    answer = showdown_odds(scenario, Effort(seconds=100, table=False, enough=after(1)))
    assert not answer.exact
    assert answer.deals > 0


def test_a_count_that_is_done_is_exact_even_if_it_is_enough() -> None:
    scenario = holdem("AhKh", "QcQd", board="2c")
    assert showdown_odds(scenario, Effort(exact=True, enough=after(1))).exact

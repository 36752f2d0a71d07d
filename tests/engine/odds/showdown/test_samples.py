"""What is sampled: against exact answers, against itself, and how much of it is asked for."""

from __future__ import annotations

import pytest

from engine.odds.showdown import dealing
from engine.odds.showdown.dealing import alias_table
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def holdem(*players: str, board: str = "", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead)


SAMPLED = [
    holdem("AhKd", "QcQs", "", board="Jh2d3c"),
    holdem("AhKd", "Qc", board="Jh2d3c", dead="Qs 9h 9d Ks 4h 4c 4d 4s"),
    holdem("AhKd", "JJ+, AQs", board="Th 2d 3c"),
    holdem("AK", "KK, AA", "AhKd", board="Th 2d 3c 5c"),
    parse_scenario(["AhKs", "QdQc"], rules=PRESETS["shortdeck"]),
    parse_scenario(["AhAdKhKd", "9h8h7c6c"], "Th 5h", rules=PRESETS["omaha"]),
    parse_scenario(
        ["2c4c5d7h", "3c4d5c8h*"], rules=ShowdownRules(jokers=2, ranking=Ranking.ACE_FIVE)
    ),
]


@pytest.mark.parametrize("scenario", SAMPLED, ids=lambda scenario: scenario.players[0])
def test_sampling_lies_within_its_standard_error_of_the_exact_answer(scenario: Scenario) -> None:
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(deals=400_000, seed=11))
    assert not sampled.exact
    assert sampled.deals == 400_000
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert guess.standard_error is not None
        error = max(guess.standard_error, 1e-4)
        assert abs(float(truth.value - guess.value)) < 4.5 * error
        for rank in truth.ranks:
            chance = truth.ranks[rank] / exact.deals
            spread = (chance * (1 - chance) / 400_000) ** 0.5
            assert abs(guess.ranks[rank] / 400_000 - chance) < 5 * spread + 1e-5


FEW = 50_000


@pytest.mark.parametrize(
    "scenario",
    [
        holdem("AhKd", "", board="9c"),
        holdem("AhKd", "QQ", board="9c2d3d"),
        parse_scenario(["", "AhAd*"], rules=ShowdownRules(jokers=2)),
    ],
    ids=["holdem", "range", "joker"],
)
def test_a_sample_depends_on_its_seed_and_not_on_the_number_of_threads(scenario: Scenario) -> None:
    one = showdown_odds(scenario, Effort(deals=FEW, seed=5))
    assert showdown_odds(scenario, Effort(deals=FEW, seed=5, threads=3)) == one
    assert showdown_odds(scenario, Effort(deals=FEW, seed=6)) != one


def test_the_vector_kernel_gives_the_same_sums_as_the_portable_one() -> None:
    for scenario in (
        holdem("AhKd", "", "QcQs", board="9c"),
        holdem("", "", dead="2c3c"),
        holdem("Ah", "Kd", board="9c2d3dTd"),
        parse_scenario(["22+, A2s+@40", "KTs+, AJo+", ""], "9c 2d"),
    ):
        for ranked in (True, False):
            deals = 100_000
            one, other = (
                showdown_odds(
                    scenario, Effort(exact=False, deals=deals, seed=8, ranked=ranked, lanes=lanes)
                )
                for lanes in (False, True)
            )
            assert one == other


def test_whole_blocks_of_deals_are_scored_alike_both_ways() -> None:
    scenario = holdem("AhKd", "QcQs", board="9c")
    for deals in (1_024, 2_048):
        one, other = (
            showdown_odds(scenario, Effort(exact=False, deals=deals, seed=8, lanes=lanes))
            for lanes in (False, True)
        )
        assert one == other


@pytest.mark.parametrize("weights", [[1], [1, 1, 1], [5, 1], [1, 2, 3, 4, 100], [7, 0, 1, 1, 3]])
def test_a_hand_is_drawn_as_often_as_it_weighs(weights: list[int]) -> None:
    """Summed over all 2**32 chances at each place, as far as they can be told apart."""
    begin, size = 10, len(weights)
    drawn = [0] * size
    for place, (chance, other) in enumerate(zip(*alias_table(weights, begin), strict=True)):
        drawn[place] += chance
        drawn[other - begin] += (1 << 32) - chance
    for weight, times in zip(weights, drawn, strict=True):
        assert abs(times - weight * size * (1 << 32) / sum(weights)) <= size
    assert sum(drawn) == size << 32


@pytest.mark.untraced
def test_pieces_of_an_enumeration_add_up_to_the_whole() -> None:
    import numpy as np

    from engine.odds.showdown.kernels import deal as kernels_deal

    scenario = parse_scenario(["AhKhQhJh", "9c9d9s2d"], rules=ShowdownRules(5))
    table = dealing.table_of(scenario)
    whole, parts = (np.zeros((2, 2, 10), np.int64) for _ in range(2))
    kernels_deal.enumerate_deals(table, 0, 1_892, True, whole[0][:, :3], whole[1])
    for first, deals in ((0, 500), (500, 1_000), (1_500, 392)):
        kernels_deal.enumerate_deals(table, first, deals, True, parts[0][:, :3], parts[1])
    assert whole.tolist() == parts.tolist()


def test_a_sample_stops_at_the_piece_of_work_that_meets_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.odds.showdown.dealing._BLOCKS_PER_JOB", 1)
    monkeypatch.setattr("engine.odds.showdown.equity._FEWEST_DEALS", 1)
    scenario = holdem("AhKd", "QcQs", board="2c3c")
    for threads in (1, 2):
        assert showdown_odds(scenario, Effort(error=0.02, threads=threads)).deals == 1_024
    monkeypatch.setattr("engine.odds.showdown.equity.DEFAULT_ERROR", 0.009)
    told: list[tuple[int, int]] = []
    answer = showdown_odds(
        scenario, Effort(exact=False, threads=2), lambda *step: told.append(step)
    )
    assert answer.deals % 1_024 == 0
    assert told[0][0] == 1_024 < told[0][1]
    assert told[-1] == (answer.deals, answer.deals)


def test_an_answer_from_the_tables_needs_nobody_who_listens() -> None:
    found = showdown_odds(parse_scenario(["AsAh", "KdKc"]))
    known = found.players[0]
    assert (found.deals, known.win, known.tie) == (1_712_304, 1_388_072, 6_538)


def test_a_machine_that_does_not_tell_its_features_gets_the_portable_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def silent() -> dict[str, bool]:
        raise RuntimeError

    monkeypatch.setattr("numba.config.CPU_FEATURES", None)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", silent)
    assert not dealing.has_wide_vectors()


@pytest.mark.parametrize(
    ("features", "wide"), [("", False), ("+avx2,+avx512f", False), ("+avx512vpopcntdq,+avx2", True)]
)
def test_the_vector_kernel_is_chosen_for_what_is_compiled_for_and_not_for_the_machine(
    monkeypatch: pytest.MonkeyPatch, features: str, wide: bool
) -> None:
    """`NUMBA_CPU_NAME=generic` leaves the features empty: in lanes that takes twice as long."""
    monkeypatch.setattr("numba.config.CPU_FEATURES", features)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"avx512vpopcntdq": True})
    assert dealing.has_wide_vectors() is wide
    monkeypatch.setattr("numba.config.CPU_FEATURES", None)
    assert dealing.has_wide_vectors()


def test_an_asked_for_error_is_met_by_the_fewest_pieces_of_work() -> None:
    scenario = holdem("AhKd", "", "", board="9c")
    for threads in (1, 2):
        answer = showdown_odds(scenario, Effort(error=0.002, threads=threads))
        assert answer.standard_error is not None
        assert answer.standard_error <= 0.002
        assert answer.deals == 65_536


def test_without_wishes_what_cannot_be_counted_is_sampled_to_a_twentieth_of_a_per_cent() -> None:
    answer = showdown_odds(holdem("", "", ""))
    assert not answer.exact
    assert answer.standard_error is not None
    assert 0.0004 < answer.standard_error <= 0.0005

"""Sampled showdowns agree with exact answers, and their stated errors are right."""

from __future__ import annotations

from dataclasses import astuple, replace
from fractions import Fraction
from itertools import accumulate, product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import TextError
from engine.odds.showdown import equity
from engine.odds.showdown.dealing import hand_sampler, way_to_score
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.kernel_codes import ALIKE, BLOCK, PICKS, WEIGHED
from engine.odds.showdown.kernels import deal as kernels_deal
from engine.odds.showdown.kernels import sample as kernels_sample
from engine.odds.showdown.kernels.sample import block_start
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def holdem(*players: str, board: str = "", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead)


DRAWN = 40_000
EVEN = [
    holdem("AhKd", "QcQs", "", board="Jh2d3c"),
    holdem("AhKd", "Qc", board="Jh2d3c", dead="Qs 9h 9d Ks 4h 4c 4d 4s"),
    holdem("AhKd", "JJ+, AQs@50", board="Th 2d 3c"),
    holdem("AK", "KK, AA", "AhKd", board="Th 2d 3c 5c"),
    holdem("AhKh, AhKd", "AhKs, AdAc", board="2c3h4c5d8d"),  # drawn anew until they fit
    holdem("AhKh@50, AdKd", "AhKd, QhQd", "Ks", board="2c3c4d8s9s"),
    holdem("55-22, A5s@25, T9o", "any", board="Ts 9s 2h 2c"),
    parse_scenario(["AhKs", "QdQc"], rules=PRESETS["shortdeck"]),
    parse_scenario(["AhAdKhKd", "9h8h7c6c"], "Th 5h", rules=PRESETS["omaha"]),
    parse_scenario(["AsAhKsKh, 5c5d6c6d@25", "QsQhJsJh"], "2c 7d 9h Kd", rules=PRESETS["omaha"]),
    parse_scenario(
        ["2c4c5d7h", "3c4d5c8h*"], rules=ShowdownRules(jokers=2, ranking=Ranking.ACE_FIVE)
    ),
]
# hands drawn all at once hardly ever fit beside each other: deals differ in weight
CLASHING = [
    holdem("AA, KK@20", "AA, KK", "AKs, QQ@3", "AKs@10, AdQd", board="2c 3d 7h"),
    holdem("AA", "AA, A2o@50", "AA, KQs@1%", "KK, A3s@25", board="Ts 9s 4c"),
    holdem("AhKh, AhKd, AhKc", "AhQh, KdQd", "KcQc, QdJd@40, AhJh", "QhJh, QdJc, JhTh@3"),
    parse_scenario(
        ["AsAhKsKh, 5c5d6c6d@10", "AsAhQsQh, 8c8d2d3d@10", "AsAh4sJh, TcTd4c4d@10"],
        "2c 7d 9h Kd 3s",
        rules=PRESETS["omaha8"],
    ),
]


IN_LANES = [
    "stud: AsAhAdKcKdJh vs 2c3d4h5s6s8c, dead 9c9d9h9sTcTdThTsJcJdJs7c7d7h7sQc",
    "stud8: As2h3d4cKdJh vs KsKhQc2d3s8c, dead 9c9d9h9sTcTdThTsJcJdJsQd",
    "razz: 2c3d4h5s6hKs vs KdQdJhAs2d3h, dead 9c9d9h9sTcTdThTs",
    "27: 2c3d4h7s draw 1 vs 2d3h5c draw 2",
    "badugi: 2c3d4h draw 1 vs 5c6d draw 2",
    "two jokers wild, draw: AhAdKc6s vs KhKd7s8d",
    "deuces wild, AhKh vs QsQd, board 9c8d7s",
    "shortdeck: AhKh vs QQ, JTs, board 9c8d7s",
    "omaha: AsAh2s3h vs KdKcQd7c, board 4c5d8s",
    "omaha: AsAh2s3h vs KKQJ, board 4s5s8s7s",
    "omaha: 9h8h7h6h vs AcKcQc5c, board ThJh2c3c",
    "omaha8: As2s3hKh vs 4d5dKcQc, AcAdJsJd@30, board 4c6d8s",
    "big o: AsAh2s3hTd vs KdKcQd7c6s, board 2c5d8s",
    "omaha6: AsAh2s3hTdTc vs KdKcQd7c6s5s, board 4c5d8s9h",
]


@pytest.mark.parametrize("question", IN_LANES)
def test_every_way_of_scoring_many_deals_gives_the_shares_of_the_count(question: str) -> None:
    scenario = parse_question(question)
    assert way_to_score(scenario.rules) != PICKS
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(deals=40_000, seed=5))
    assert exact.exact
    assert not sampled.exact
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        figures = [(truth.win, guess.win), (truth.tie, guess.tie), (truth.lose, guess.lose)]
        figures += [(truth.ranks[rank], guess.ranks[rank]) for rank in truth.ranks]
        if truth.halves is not None and guess.halves is not None:
            figures += zip(astuple(truth.halves), astuple(guess.halves), strict=True)
        for counted, times in figures:
            chance = counted / exact.deals
            assert abs(times / 40_000 - chance) < 5 * (chance * (1 - chance) / 40_000) ** 0.5 + 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", [*EVEN, *CLASHING])
def test_a_sample_lies_within_its_standard_error_of_the_exact_answer(scenario: Scenario) -> None:
    """Also check that the sample depends on its seed, and not on the number of threads."""
    weighs = scenario in CLASHING
    deals = DRAWN if weighs else 5 * DRAWN
    assert hand_sampler(scenario).weighs is weighs
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(exact=False, deals=deals, seed=11))
    assert not sampled.exact
    assert sampled.deals == deals
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert guess.standard_error is not None
        assert abs(float(truth.value - guess.value)) < 4.5 * max(guess.standard_error, 1e-4)
        assert guess.win + guess.tie + guess.lose == deals
        assert guess.lose >= 0
        for rank in truth.ranks:
            chance = truth.ranks[rank] / exact.deals
            spread = 5 * (chance * (1 - chance) / deals) ** 0.5 + 1e-5
            spread = max(spread, 8 * guess.standard_error + 0.01) if weighs else spread
            assert abs(guess.ranks[rank] / deals - chance) < spread
    threaded = replace(Effort(exact=False, deals=deals, seed=11), threads=3)
    assert showdown_odds(scenario, threaded) == sampled
    others = showdown_odds(scenario, replace(threaded, seed=12))
    assert others != sampled or not sampled.standard_error


def test_a_sample_stops_at_the_piece_of_work_that_meets_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.odds.showdown.dealing._BLOCKS_PER_JOB", 1)
    monkeypatch.setattr("engine.odds.showdown.equity._FEWEST_DEALS", 1)
    scenario = holdem("AhKd", "QcQs", board="2c3c")
    for threads in (1, 2):
        assert showdown_odds(scenario, Effort(error=0.02, threads=threads)).deals == 1_024
    monkeypatch.setattr("engine.odds.showdown.equity.DEFAULT_ERROR", 0.009)
    steps: list[tuple[int, int]] = []
    answer = showdown_odds(
        scenario, Effort(exact=False, threads=2), lambda *step: steps.append(step)
    )
    assert answer.deals % 1_024 == 0
    assert steps[0][0] == 1_024 < steps[0][1]
    assert steps[-1] == (answer.deals, answer.deals)


def test_without_wishes_what_cannot_be_counted_is_sampled_to_a_twentieth_of_a_per_cent() -> None:
    answer = showdown_odds(holdem("", "", ""))
    assert not answer.exact
    assert answer.standard_error is not None
    assert 0.0004 < answer.standard_error <= 0.0005


SEVEN_CARDS = {  # of 133,784,560 hands
    "high_card": 23_294_460,
    "pair": 58_627_800,
    "two_pair": 31_433_400,
    "three": 6_461_620,
    "straight": 6_180_020,
    "flush": 4_047_644,
    "full_house": 3_473_184,
    "four": 224_848,
    "straight_flush": 41_584,
}


@pytest.mark.thorough
def test_the_error_of_a_lone_hand_is_that_of_the_kinds_of_hands_shown() -> None:
    """Check the kinds of a single player's hands; the player always wins, so wins have no error."""
    answer = showdown_odds(parse_scenario([""], rules=ShowdownRules(private=7)))
    assert answer.standard_error is not None
    assert 0.0004 < answer.standard_error <= 0.0005
    ranks = {rank.value: ways / answer.deals for rank, ways in answer.players[0].ranks.items()}
    for kind, ways in SEVEN_CARDS.items():
        chance = ways / 133_784_560
        assert abs(ranks[kind] - chance) < 4 * (chance * (1 - chance) / answer.deals) ** 0.5 + 1e-6


LONE_OR_SURE = [
    parse_scenario([""], rules=PRESETS["omaha"]),
    parse_scenario([""], rules=ShowdownRules(private=7, jokers=2)),
    parse_scenario(["AsKsQsJsTs", "", ""], rules=ShowdownRules()),
]


@pytest.mark.parametrize("scenario", LONE_OR_SURE)
def test_an_error_that_is_asked_for_is_obeyed_where_the_pot_is_sure(scenario: Scenario) -> None:
    answer = showdown_odds(scenario, Effort(error=0.002))
    assert all(player.standard_error == 0 for player in answer.players)
    assert answer.standard_error is not None
    chances = [ways / answer.deals for ways in answer.players[-1].ranks.values()]
    largest = max((chance * (1 - chance) / answer.deals) ** 0.5 for chance in chances)
    assert 0.001 < 0.999 * largest < answer.standard_error <= 0.002


def test_a_kind_of_hand_has_an_error_too_where_deals_differ_in_weight() -> None:
    answer = showdown_odds(CLASHING[0], Effort(exact=False, deals=400))
    assert answer.standard_error is not None
    assert answer.standard_error > max(player.standard_error or 0 for player in answer.players)


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", [*CLASHING, LONE_OR_SURE[1], EVEN[9]])
def test_the_error_said_is_no_smaller_than_how_far_samples_differ(scenario: Scenario) -> None:
    """Compare the stated error with the spread of every figure over 60 samples."""
    samples = [
        showdown_odds(scenario, Effort(exact=False, deals=2_000, seed=seed)) for seed in range(60)
    ]
    mean_error = sum(each.standard_error or 0 for each in samples) / len(samples)
    for seat in range(len(scenario.players)):
        players = [each.players[seat] for each in samples]
        halves = [astuple(each.halves) if each.halves else () for each in players]
        figures = [
            [each.win, each.tie, *each.ranks.values(), *split]
            for each, split in zip(players, halves, strict=True)
        ]
        assert (np.array(figures) / 2_000).std(axis=0).max() < 1.35 * mean_error


def joint_chances(scenario: Scenario) -> dict[tuple[int, ...], float]:
    """Return the chance of each choice of hands that share no card, as simply as possible."""
    seats = range(len(scenario.players))
    choices = [list(zip(*scenario.weighted_combos(seat), strict=True)) for seat in seats]
    weights: dict[tuple[int, ...], int] = {}
    for chosen in product(*choices):
        hands = tuple(hand for hand, _ in chosen)
        if sum(hands).bit_count() == sum(hand.bit_count() for hand in hands):
            weights[hands] = prod(weight for _, weight in chosen)
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items()}


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", CLASHING)
def test_every_set_of_hands_counts_as_often_as_trying_them_all_says(scenario: Scenario) -> None:
    drawing = hand_sampler(scenario)
    players = len(scenario.players)
    counts: dict[tuple[int, ...], list[float]] = {}
    counter = block_start(np.uint64(7), 0)
    chosen = np.zeros(players, np.uint64)
    sums = np.zeros(2)
    for _ in range(DRAWN):
        weight, counter, tried, taken = kernels_deal.draw_seats(drawing.arrays, counter, chosen)
        counter = np.uint64(counter)
        assert tried > 0
        if weight == 0:
            continue
        hands = tuple(chosen.tolist())
        assert int(taken) == sum(hands)  # no card twice
        sums += weight, weight * weight
        pair = counts.setdefault(hands, [0.0, 0.0])
        pair[0] += weight
        pair[1] += weight * weight
    expected = joint_chances(scenario)
    assert set(counts) <= set(expected)
    for hands, chance in expected.items():
        weight, square = counts.get(hands, (0.0, 0.0))
        spread = ((1 - chance) ** 2 * square + chance**2 * (sums[1] - square)) ** 0.5 / sums[0]
        # of what was never seen there is no spread: it would be seen a few times at most
        assert abs(weight / sums[0] - chance) < 5 * spread + 8 * sums[1] / sums[0] ** 2


@pytest.mark.long
@pytest.mark.parametrize("scenario", [CLASHING[0], CLASHING[2]])
def test_the_error_that_is_stated_holds_as_often_as_an_error_should(scenario: Scenario) -> None:
    """Expect normal errors: 95% within 1.96 standard errors, and a mean square of one."""
    exact = showdown_odds(scenario, Effort(exact=True))
    errors = []
    for seed in range(200):
        sampled = showdown_odds(scenario, Effort(exact=False, deals=3_000, seed=seed))
        for truth, guess in zip(exact.players, sampled.players, strict=True):
            if guess.standard_error:
                errors.append(float(truth.value - guess.value) / guess.standard_error)
    inside = sum(abs(z) < 1.96 for z in errors) / len(errors)
    assert 0.925 < inside < 0.975
    assert 0.8 < sum(z * z for z in errors) / len(errors) < 1.25


@pytest.mark.thorough
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
    threaded = replace(effort, threads=3)
    ranges = showdown_odds(parse_scenario(["AhKh", *["100%"] * 8]), threaded)
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
    with pytest.raises(TextError, match=r"almost never leave .* [\d,]+ tries"):
        showdown_odds(scenario, Effort(exact=False))


def test_rare_deals_are_answered_and_not_given_up() -> None:
    # only the second player's rarest hand leaves the first one theirs
    scenario = holdem("AhAd", "AhKh, AdKd, AcAs@0.01%", "KcKs", board="2c 3d 7h 8h 9c")
    answer = showdown_odds(scenario, Effort(exact=False, deals=500))
    assert answer.deals > 0
    assert answer.players[0].value == answer.players[1].value == Fraction(1, 2)


def after(pieces: int) -> Any:
    """Return a function for `Effort.enough` that returns True from call number `pieces` on."""
    left = iter([False] * (pieces - 1) + [True] * 99)
    return lambda: next(left)


def test_a_sample_is_answered_as_far_as_it_has_come_when_it_is_enough() -> None:
    """Stop after three pieces of work. A piece has fewer deals if a deal has many hands to score.

    Here a deal has 4 * 792 hands.
    """
    scenario = parse_scenario([""] * 4, rules=ShowdownRules(private=12, ranking=Ranking.WORST))
    for threads in (1, 2):
        effort = Effort(enough=after(3), threads=threads, ranked=False)
        answer = showdown_odds(scenario, effort)
        assert answer.deals == 3 * ((1 << 19) // (4 * 792))
        assert answer.standard_error is not None
        assert answer.standard_error > equity.DEFAULT_ERROR


def test_a_count_that_is_not_done_in_time_is_refused_or_becomes_a_sample() -> None:
    scenario = holdem("22+", "A2s+, K2s+", board="2c")
    with pytest.raises(TextError, match=r"time ran out with \d+% of the deals counted"):
        showdown_odds(scenario, Effort(exact=True, table=False, enough=after(1)))
    answer = showdown_odds(scenario, Effort(seconds=100, table=False, enough=after(1)))
    assert not answer.exact
    assert answer.deals > 0
    countable = holdem("AhKh", "QcQd", board="2c")
    assert showdown_odds(countable, Effort(exact=True, enough=after(1))).exact


BLOCKS = 200
START = np.uint64(12345)


def ranges_of(
    deck: list[int], held: list[list[tuple[int, int]]], weights: list[list[int]]
) -> tuple[Any, ...]:
    """Return ranges in the form that kernels take; `held` are pairs of places in `deck`."""
    sizes = np.array([*map(len, held)])
    places = [pair for some in held for pair in some]
    even = [len(set(some)) == 1 for some in weights]
    sums = [running for some in weights for running in accumulate(some)]
    return (
        np.arange(len(held)),
        np.cumsum(sizes) - sizes,
        sizes,
        np.where(even, ALIKE, WEIGHED),
        np.array([1 << deck[first] | 1 << deck[second] for first, second in places], np.uint64),
        np.array([first | second << 6 for first, second in places], np.uint64),
        np.array(sums, np.uint64),
    )


def dealt(
    deck: list[int], draws: int, ranges: tuple[Any, ...] | None, block: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Return one block's drawn cards, (draws, lanes), and the ranges' hands, (ranges, lanes)."""
    parts = len(ranges[0]) if ranges else 0
    hands = np.zeros((parts, BLOCK), np.uint64)
    held, tried = (np.zeros((parts, BLOCK), np.uint64) for _ in range(2))
    start = kernels_sample.block_start(START, block)
    places = np.zeros((draws, BLOCK), np.uint8)
    picks, moved = np.zeros((draws + draws % 2, BLOCK), np.uint8), np.zeros_like(places)
    if ranges:
        some = (np.zeros(BLOCK, np.uint64) for _ in range(4))
        kernels_sample.draw_hands(start, ranges, *some, tried, held)
        start = kernels_sample.mix(start)
    kernels_sample.pick_places(start, len(deck) - 2 * parts, picks)
    kernels_sample.resolve(picks, moved, places)
    if ranges:
        gone = np.zeros((2 * parts, BLOCK), np.uint8)
        kernels_sample.skip_hands(held, ranges[5], gone, np.zeros(BLOCK, np.uint8), places)
        hands = ranges[4][held]
    absent = np.array(sorted(set(range(52)) - set(deck)), np.uint8)
    kernels_sample.name_cards(absent, places)
    return places, hands


@pytest.mark.thorough
@pytest.mark.parametrize(("draws", "size"), [(1, 52), (2, 50), (5, 36), (9, 17), (12, 12)])
def test_drawn_cards_differ_and_every_order_is_as_likely(draws: int, size: int) -> None:
    deck = sorted(Random(size).sample(range(52), size))
    times = np.zeros((draws, 52), np.int64)
    pairs = np.zeros((52, 52), np.int64)
    for block in range(BLOCKS):
        cards, _ = dealt(deck, draws, None, block)
        assert set(np.unique(cards).tolist()) <= set(deck)
        ordered = np.sort(cards, axis=0)
        assert (ordered[1:] != ordered[:-1]).all()
        for row in range(draws):
            times[row] += np.bincount(cards[row], minlength=52)
        np.add.at(pairs, (cards[0], cards[-1]), 1)
    expected = BLOCKS * BLOCK / size
    assert abs(times[:, deck] - expected).max() < 6 * expected**0.5
    if draws > 1:
        together = BLOCKS * BLOCK / (size * (size - 1))
        others = pairs[np.ix_(deck, deck)][~np.eye(size, dtype=np.bool_)]
        assert abs(others - together).max() < 6 * together**0.5 + 6


@pytest.mark.thorough
@pytest.mark.parametrize("even", [True, False])
def test_hands_of_ranges_and_the_cards_beside_them_share_none(even: bool) -> None:
    random = Random(even)
    deck = sorted(random.sample(range(52), 20))
    pairs = [(first, second) for second in range(20) for first in range(second)]
    held = [random.sample(pairs, 12), random.sample(pairs, 7), random.sample(pairs, 3)]
    weights = [[1] * len(some) if even else [*range(1, len(some) + 1)] for some in held]
    ranges = ranges_of(deck, held, weights)
    times: dict[tuple[int, ...], int] = {}
    for block in range(BLOCKS):
        cards, hands = dealt(deck, 5, ranges, block)
        bits = [*hands, *(np.uint64(1) << cards.astype(np.uint64))]
        union = np.bitwise_or.reduce(bits, axis=0)
        assert set(np.bitwise_count(union).tolist()) == {2 * 3 + 5}
        for chosen in zip(*hands.tolist(), strict=True):
            times[chosen] = times.get(chosen, 0) + 1
    plain = [
        [(1 << deck[first] | 1 << deck[second], weight) for (first, second), weight in weighed]
        for weighed in (zip(*some, strict=True) for some in zip(held, weights, strict=True))
    ]
    plain_chances = {
        (first, two, three): a * b * c
        for first, a in plain[0]
        for two, b in plain[1]
        for three, c in plain[2]
        if not (first & two or first & three or two & three)
    }
    assert set(times) <= set(plain_chances)
    deals, total = BLOCKS * BLOCK, sum(plain_chances.values())
    for chosen, weight in plain_chances.items():
        expected = deals * weight / total
        assert abs(times.get(chosen, 0) - expected) < 6 * expected**0.5 + 6


def test_a_count_that_finds_no_deal_is_refused_rather_than_divided_by() -> None:
    # five players for four ranks of three cards each; the first four hide that from a short search
    ranges = ["98s", "76s", "54s", "32s", *["JJ+"] * 5]
    scenario = parse_scenario(ranges, "ThTc8c6d2c", "JcQcKcAc9c9d7c7d5c5d3c3d")
    with pytest.raises(TextError, match="don't leave a hand for everyone"):
        showdown_odds(scenario, Effort(exact=True))

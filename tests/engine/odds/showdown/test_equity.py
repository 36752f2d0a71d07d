"""Showdowns against published counts, against the slow oracle and against each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from engine.cards import Cards
from engine.errors import TextError
from engine.odds.showdown import counting, dealing
from engine.odds.showdown.equity import (
    Effort,
    Halves,
    Showdown,
    ShowdownCancelled,
    pot_odds,
    showdown_odds,
)
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.preflop import Matchup, matchup
from engine.odds.showdown.ranking import HandRank, Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests import naive_showdown

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def holdem(*players: str, board: str = "", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead)


def outcomes(answer: Showdown) -> list[tuple[int, int, int]]:
    return [(player.win, player.lose, player.tie) for player in answer.players]


def agrees_with_oracle(scenario: Scenario, answer: Showdown) -> None:
    """Check every figure of an exact answer against the oracle, which tries every deal."""
    rules = scenario.rules
    expected = naive_showdown.count(
        [list(cards) for cards in scenario.known],
        list(scenario.board),
        list(scenario.left),
        private=rules.private,
        public=rules.public,
        ranking=rules.ranking.value,
        use_hole=rules.usable_private,
        use_board=rules.usable_public,
        wild=list(rules.wild),
        hi_lo=rules.hi_lo,
    )
    assert answer.exact
    assert answer.deals == expected.deals
    assert [player.win for player in answer.players] == expected.win
    assert [player.tie for player in answer.players] == expected.tie
    values = [player.value * answer.deals for player in answer.players]
    assert values == expected.value
    for player, kinds in zip(answer.players, expected.ranks, strict=True):
        assert {rank.value: n for rank, n in player.ranks.items() if n} == dict(kinds)
    if rules.hi_lo:
        halves = [player.halves for player in answer.players]
        for name in (field.name for field in fields(Halves)):
            assert [getattr(half, name) for half in halves] == getattr(expected, name), name


PUBLISHED = [
    ("AdAc", "KhKs", 1_388_072, 317_694, 6_538),
    ("AdAc", "Td9d", 1_338_249, 367_143, 6_912),
    ("AdAc", "QcJh", 1_450_987, 254_763, 6_554),
    ("KhKs", "Kd2h", 1_612_287, 73_825, 26_192),
    ("AhKh", "2c2d", 852_207, 849_322, 10_775),
]


@pytest.mark.parametrize(("first", "second", "win", "lose", "tie"), PUBLISHED)
def test_two_hands_before_the_flop_meet_the_published_counts(
    first: str, second: str, win: int, lose: int, tie: int
) -> None:
    for ranked, table in ((False, False), (True, False), (True, True)):
        answer = showdown_odds(holdem(first, second), Effort(ranked=ranked, table=table))
        assert answer.exact
        assert answer.deals == 1_712_304
        assert outcomes(answer) == [(win, lose, tie), (lose, win, tie)]
        kinds = sum(answer.players[0].ranks.values())
        assert kinds == (1_712_304 if ranked else 0)
    hand, opponent = Cards.parse(first), Cards.parse(second)
    assert matchup(hand, opponent) == Matchup(win, tie)
    assert matchup(opponent, hand) == Matchup(lose, tie)
    assert matchup(hand, opponent).lose == lose


def test_the_example_of_pan2_is_41_rivers_to_3() -> None:
    answer = showdown_odds(holdem("ad,8d", "ah,2d", board="js,6s,5h,7h"))
    assert outcomes(answer) == [(41, 3, 0), (3, 41, 0)]
    kinds = answer.players[0].ranks
    assert [kinds[rank] for rank in (HandRank.HIGH_CARD, HandRank.PAIR, HandRank.STRAIGHT)] == [
        *(19, 17, 8)
    ]
    fields = answer.to_json()
    assert list(fields) == ["exact", "deals", "standard_error", "players"]
    assert (fields["exact"], fields["deals"], fields["standard_error"]) == (True, 44, None)
    first = fields["players"][0]
    assert list(first) == [
        *("cards", "win", "tie", "lose", "win_probability", "tie_probability", "value", "ranks")
    ]
    assert (first["win"], first["tie"], first["lose"]) == (41, 0, 3)
    assert first["value"] == pytest.approx(41 / 44)
    assert list(first["ranks"]) == naive_showdown.NAMES
    assert sum(first["ranks"].values()) == pytest.approx(1)


@pytest.mark.thorough
def test_a_hand_against_a_random_one_counts_every_opponent_and_board() -> None:
    anew, hand = Effort(table=False), Cards.parse("AhKh")
    answer = showdown_odds(Scenario(HOLDEM, (hand, Cards())), anew)
    assert answer.deals == 1_225 * 1_712_304
    win = tie = 0
    for pair in combinations(HOLDEM.deck - hand, 2):
        player = showdown_odds(Scenario(HOLDEM, (hand, Cards.of(pair))), anew).players[0]
        win, tie = win + player.win, tie + player.tie
    assert (answer.players[0].win, answer.players[0].tie) == (win, tie)


SMALL = [
    holdem("AhKd", "QcQs", board="Jh2d3c4s"),
    holdem("AhKd", "AdKs", "2c7d", board="Qh Jh Tc 2h"),
    holdem("AhKd", "QcQs", "JhTh", board="9h 2d 3h"),
    holdem("AhAd", "", board="Ac 4d 9s 9h Jc"),
    holdem("Ah", "KdKs", board="2c 3c 4d 5d"),
    holdem("AhKh", "9c9d", board="9h 2h 3c", dead="9s 4h 5d"),
    holdem("AhQh", "AcQc", board="Jd9d8s Td", dead="2c"),
    holdem("2c3c", "2d3d", board="Ah Kh Qh Jh"),
    holdem("2h3h", "AcQc", "4h5s", board="JhTh9h Kh"),
    parse_scenario(["AhKs", "QdQc"], "7h 8h 9d Jh", rules=PRESETS["shortdeck"]),
    parse_scenario(["As9s", "6s7h"], "8s Ts 6d", rules=PRESETS["shortdeck"]),
    parse_scenario(["AhAdKhKd", "9h8h7c6c", "QsJs2d3d"], "Ts 5s 2s", rules=PRESETS["omaha"]),
    parse_scenario(["AhAdKhKdQc", "9h8h7c6c5d"], "Th 5h 2c Kc", rules=PRESETS["omaha5"]),
    parse_scenario(["2c4c5d7h", "3c4d5c8h9s"], rules=PRESETS["27"]),
    parse_scenario(
        ["2c4c5d7h", "3c4d5c8h*"], rules=ShowdownRules(jokers=2, ranking=Ranking.ACE_FIVE)
    ),
    parse_scenario(
        ["2c3c4d5h", "3d4c5c8h*"], rules=ShowdownRules(jokers=2, ranking=Ranking.DEUCE_SEVEN)
    ),
    parse_scenario(["2c4c5d7h", "3c4d5c8h*"], rules=ShowdownRules(jokers=1, ranking=Ranking.WORST)),
    parse_scenario(["AhKhQhJh", "9c9d9s*2d"], rules=ShowdownRules(jokers=1)),
    parse_scenario(["AhKhQhJh", "9c9d9s4c2d"], rules=ShowdownRules(wild=Cards.parse("2c2d2h2s"))),
    parse_scenario(["AhKhQd", "9c9d2c"], "2h3h9sJd", rules=ShowdownRules(3, 5, 1, 4)),
    parse_scenario(
        ["AhKhQd", "9c9d2c"], "2h3h9sJd", rules=ShowdownRules(3, 5, ranking=Ranking.WORST)
    ),
    parse_scenario(
        ["AhKhQd", "9c9d2c"], "2h3h9sJd", rules=ShowdownRules(3, 5, 2, 3, ranking=Ranking.WORST)
    ),
    parse_scenario(["AhKhQd", "9c9d", "AcKs"], rules=ShowdownRules(3)),
    parse_scenario(["Ah", "9c9d"], "2h2d", rules=ShowdownRules(2, 3)),
    parse_scenario(["Ah", "9c"], "2h2d3c4c", rules=ShowdownRules(1, 5)),
    parse_scenario(["Ah2h3h4c6c7c8d9d"], rules=ShowdownRules(9)),
    parse_scenario(["AhKs"], "7h 8h 9d Jh"),
]


@pytest.mark.parametrize("scenario", SMALL, ids=lambda scenario: scenario.rules.ranking.value)
def test_small_scenarios_agree_with_dealing_every_deal_by_hand(scenario: Scenario) -> None:
    answer = showdown_odds(scenario, Effort(exact=True))
    agrees_with_oracle(scenario, answer)
    unranked = showdown_odds(scenario, Effort(exact=True, ranked=False))
    assert outcomes(unranked) == outcomes(answer)
    assert sum(player.value for player in answer.players) == 1


@pytest.mark.parametrize("key", ["holdem", "shortdeck", "shortdeck-trips"])
@pytest.mark.parametrize("players", [2, 3])
def test_unknown_hands_counted_by_ranks_agree_with_dealing_every_deal(
    key: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most cards are dead, and most others are of two suits, so that there are flushes."""
    monkeypatch.setattr(counting, "_deals_plan", lambda _: None)
    for seed in range(4):
        random = Random(f"{key} {players} {seed}")
        pack = list(PRESETS[key].deck)
        random.shuffle(pack)
        suits = random.sample(range(4), 2)
        pack.sort(key=lambda card: random.random() + (card.suit not in suits))
        alive = pack[: 2 * players + 7]
        hands = [Cards.of(alive[2 * seat : 2 * seat + 2]) for seat in range(players - 1)]
        hands.insert(random.randrange(players), Cards())
        board = Cards.of(alive[-1:] if seed % 2 else [])
        dead = Cards.of(pack[2 * players + 7 :])
        scenario = Scenario(PRESETS[key], tuple(hands), board, dead)
        assert counting.unknown_seat(scenario) is not None
        agrees_with_oracle(scenario, showdown_odds(scenario, Effort(exact=True)))


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("AhKh", ""), "", "2c 2d"),
        (("", "8s7s"), "9s", ""),
        (("AhKh", "", "QcQd"), "", "Ac 2s"),
        pytest.param(("AKs", "QQ", ""), "", "", marks=pytest.mark.thorough),
        pytest.param(("", "Ah5h", "5c5d"), "As", "", marks=pytest.mark.thorough),
    ],
)
def test_unknown_hands_counted_by_ranks_are_those_counted_one_by_one(
    players: tuple[str, ...], board: str, dead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = holdem(*players, board=board, dead=dead)
    at_once = showdown_odds(scenario, Effort(exact=True))
    monkeypatch.setattr(counting, "unknown_seat", lambda _: None)
    assert at_once == showdown_odds(scenario, Effort(exact=True))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "key",
    [
        *("holdem", "shortdeck", "shortdeck-trips"),
        *("omaha", "omaha5", "omaha6", "omaha8", "omaha85"),
    ],
)
def test_counting_boards_gives_what_going_through_every_deal_gives(key: str) -> None:
    random, rules = Random(key), PRESETS[key]
    for board_size, players in ((0, 2), (3, 2), (3, 3), (4, 3)):
        pack = list(rules.deck)
        random.shuffle(pack)
        hands = tuple(Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(players))
        far = board_size == 0 and rules.private > 2
        board = Cards.of(pack.pop() for _ in range(2 if far else board_size))
        dead = Cards.of(pack.pop() for _ in range(8 if far else 1))
        scenario = Scenario(rules, hands, board, dead)
        assert counting.counts_by_boards(rules)
        for ranked in (True, False):
            number, jobs = counting.board_jobs(scenario, ranked)
            by_boards = run(jobs)
            assert by_boards[0] == number
            deals = counting.deal_total(scenario)
            assert deals is not None
            assert by_boards == run(dealing.deal_jobs(scenario, deals, ranked))


def run(jobs: Iterable[dealing.Job]) -> tuple[int, object, object]:
    sums = [job() for job in jobs]
    shares = np.sum([part.shares for part in sums], axis=0)
    kinds = np.sum([part.kinds for part in sums], axis=0)
    return sum(part.deals for part in sums), shares.tolist(), kinds.tolist()


def test_progress_is_told_in_deals_and_ends_with_all_of_them() -> None:
    steps: list[tuple[int, int]] = []
    scenario = holdem("AhKd", "", board="9c2d3d4h5s")
    showdown_odds(scenario, Effort(exact=True), progress=lambda *step: steps.append(step))
    assert steps[-1] == (990, 990)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_computation_stops_at_the_next_piece_of_work(threads: int) -> None:
    calls: list[int] = []
    pieces = 3

    def is_cancelled() -> bool:
        calls.append(1)
        return len(calls) == pieces

    effort = Effort(deals=2_000_000_000, threads=threads)
    with pytest.raises(ShowdownCancelled):
        showdown_odds(holdem("AhKd", "", board="9c"), effort, cancelled=is_cancelled)
    assert len(calls) == pieces


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": 0}, "expected 1 to"),
        ({"error": 0.0}, "standard error from"),
        ({"threads": 0}, "1 to 64 threads"),
        ({"exact": True, "deals": 5}, "can't be combined with a number of deals"),
    ],
)
def test_an_impossible_effort_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        Effort(**options)  # type: ignore[arg-type]


def test_counting_what_is_too_much_to_count_is_refused() -> None:
    for scenario in (
        holdem("", "", "", ""),
        parse_scenario(["QQ+"] * 4 + ["any"], rules=HOLDEM),
        parse_scenario(["QQ+", "AK"], rules=ShowdownRules(private=2, public=5, jokers=1)),
    ):
        with pytest.raises(TextError, match="too many deals to count"):
            showdown_odds(scenario, Effort(exact=True))


def test_exact_is_chosen_for_what_takes_about_a_second_and_sampling_for_more() -> None:
    exact = [holdem("AhKh", ""), holdem("QQ+", "AKs"), holdem("AhKd", "", board="9c2d3d")]
    sampled = [holdem("", "", ""), holdem("AhKd", "", "", board="9c")]
    for scenario in exact:
        assert showdown_odds(scenario, Effort(ranked=False, table=False)).exact
    for scenario in sampled:
        assert not showdown_odds(scenario).exact
    assert not showdown_odds(holdem("AhKh", "2c2d"), Effort(deals=1_000)).exact
    assert not showdown_odds(holdem("AhKh", "2c2d"), Effort(exact=False, deals=1_000)).exact


def test_a_call_is_worth_its_part_of_the_pot_less_what_it_costs() -> None:
    worth = pot_odds(Fraction(2, 5), Fraction(60), Fraction(20))
    assert (worth.needed, worth.held) == (Fraction(1, 4), Fraction(2, 5))
    assert worth.worth == 12  # two fifths of 80, less 20
    assert pot_odds(worth.needed, worth.pot, worth.call).worth == 0
    assert pot_odds(Fraction(0), worth.pot, worth.call).worth == -worth.call


@pytest.mark.parametrize(
    ("pot", "call", "reason"),
    [(-1, 20, "expected a pot of 0 or more, got -1"), (60, 0, "a call of more than 0, got 0")],
)
def test_there_must_be_something_to_call(pot: int, call: int, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        pot_odds(Fraction(1, 2), Fraction(pot), Fraction(call))

"""Showdowns against published counts, against the slow oracle and against each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from random import Random

import pytest

from engine.cards import Card, Cards
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
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import HandRank, Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests import naive_showdown

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def holdem(*players: str, board: str = "", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead)


def outcomes(answer: Showdown) -> list[tuple[int, int, int]]:
    return [(player.win, player.lose, player.tie) for player in answer.players]


def agrees_with_oracle(scenario: Scenario, answer: Showdown) -> None:
    """Every figure of an exact answer is what dealing every deal by hand gives."""
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
def test_two_hands_before_the_flop_meet_the_published_counts(
    first: str, second: str, win: int, lose: int, tie: int
) -> None:
    for ranked in (False, True):
        answer = showdown_odds(holdem(first, second), Effort(ranked=ranked, table=False))
        assert answer.exact
        assert answer.deals == 1_712_304
        assert outcomes(answer) == [(win, lose, tie), (lose, win, tie)]
        kinds = sum(answer.players[0].ranks.values())
        assert kinds == (1_712_304 if ranked else 0)


def test_a_flop_of_three_known_hands_has_903_boards() -> None:
    answer = showdown_odds(parse_scenario(["AhKd", "QcQs", "JhTh"], "9h 2d 3h"))
    assert (answer.exact, answer.deals) == (True, 903)
    assert [(one.win, one.tie) for one in answer.players] == [(188, 0), (415, 0), (300, 0)]


def test_a_flush_that_lies_on_the_board_is_shared() -> None:
    answer = showdown_odds(parse_scenario(["2c3c", "2d3d"], "Ah Kh Qh Jh"))
    assert (answer.deals, [one.tie for one in answer.players]) == (44, [44, 44])


def test_the_example_of_pan2_is_41_rivers_to_3() -> None:
    scenario = holdem("ad,8d", "ah,2d", board="js,6s,5h,7h")
    answer = showdown_odds(scenario)
    assert outcomes(answer) == [(41, 3, 0), (3, 41, 0)]
    agrees_with_oracle(scenario, answer)
    kinds = answer.players[0].ranks
    assert [kinds[rank] for rank in (HandRank.HIGH_CARD, HandRank.PAIR, HandRank.STRAIGHT)] == [
        *(19, 17, 8)
    ]


@pytest.mark.untraced
def test_a_hand_against_a_random_one_counts_every_opponent_and_board() -> None:
    anew = Effort(table=False)
    answer = showdown_odds(holdem("AhKh", ""), anew)
    assert answer.deals == 1_225 * 1_712_304
    by_hand = [0, 0]
    others = [
        Cards.of((Card(one), Card(two)))
        for one in range(52)
        for two in range(one)
        if not Cards.parse("AhKh").bits >> one & 1 and not Cards.parse("AhKh").bits >> two & 1
    ]
    for other in others:
        player = showdown_odds(Scenario(HOLDEM, (Cards.parse("AhKh"), other)), anew).players[0]
        by_hand[0] += player.win
        by_hand[1] += player.tie
    assert [answer.players[0].win, answer.players[0].tie] == by_hand


def test_the_example_of_montecarlo_poker_is_met_within_its_error() -> None:
    scenario = holdem("ad,kh", "2c,7d", "", "", "", board="9c")
    answer = showdown_odds(scenario, Effort(deals=4_000_000, seed=3, threads=2))
    shown = [(28.07, 1.72), (9.24, 2.09), *[(19.17, 2.60)] * 3]
    for player, (win, tie) in zip(answer.players, shown, strict=True):
        assert 100 * player.win / answer.deals == pytest.approx(win, abs=0.1)
        assert 100 * player.tie / answer.deals == pytest.approx(tie, abs=0.04)


SMALL = [
    holdem("AhKd", "QcQs", board="Jh2d3c4s"),
    holdem("AhKd", "AdKs", "2c7d", board="Qh Jh Tc 2h"),
    holdem("Ah2h", "Kh3h", board="4h5h6h7s"),
    holdem("AhAd", "", board="Ac 4d 9s 9h Jc"),
    holdem("Ah", "KdKs", board="2c 3c 4d 5d"),
    holdem("AhKh", "9c9d", board="9h 2h 3c", dead="9s 4h 5d"),
    holdem("AhKh", "QQ", board="9h 2h 3c 4d"),
    parse_scenario(["AhKs", "QdQc"], "7h 8h 9d Jh", rules=PRESETS["shortdeck"]),
    parse_scenario(["As9s", "6s7h"], "8s Ts 6d", rules=PRESETS["shortdeck"]),
    parse_scenario(["AhAdKhKd", "9h8h7c6c"], "Th 5h 2c Kc", rules=PRESETS["omaha"]),
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
    parse_scenario(["AhKh", "9c*"], "2h3h9s9d", rules=ShowdownRules(private=2, public=5, jokers=1)),
    parse_scenario(["AhKhQd", "9c9d2c"], "2h3h9sJd", rules=ShowdownRules(3, 5, 1, 4)),
    parse_scenario(
        ["AhKhQd", "9c9d2c"], "2h3h9sJd", rules=ShowdownRules(3, 5, ranking=Ranking.WORST)
    ),
    holdem("AhQh", "AcQc", board="2d3d4s Kd"),
    holdem("AhQh", "AcQc", board="Jd9d8s Td", dead="2c"),
    holdem("2h3h", "AcQc", "4h5s", board="JhTh9h Kh"),
    holdem("2h3h", "AcQc", board="JhTh9h Kh"),
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
    if any(isinstance(held, Range) for held in scenario.players):
        whole = showdown_odds(scenario, Effort(exact=True))
        parts = [
            showdown_odds(Scenario(HOLDEM, (scenario.known[0], Cards(combo)), scenario.board))
            for combo in scenario.combos(1)
        ]
        assert whole.deals == sum(part.deals for part in parts)
        assert whole.players[1].win == sum(part.players[1].win for part in parts)
        return
    answer = showdown_odds(scenario, Effort(exact=True))
    agrees_with_oracle(scenario, answer)
    unranked = showdown_odds(scenario, Effort(exact=True, ranked=False))
    assert outcomes(unranked) == outcomes(answer)


def _random_scenario(random: Random, key: str) -> Scenario:
    """A preset with everything known but one or two board cards, or some players' cards."""
    rules = PRESETS[key]
    ranks = random.choice([range(13), range(8, 13), range(4)]) if key == "omaha" else range(13)
    pack = [Card(n) for n in range(52) if rules.deck.bits >> n & 1 and n % 13 in ranks]
    random.shuffle(pack)
    players = random.choice([2, 2, 3])
    while len(pack) < players * rules.private + rules.public:
        players -= 1
    hands = [Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(players)]
    board = Cards.of(pack.pop() for _ in range(max(0, rules.public - 1)))
    return Scenario(rules, tuple(hands), board, Cards.of(pack[: random.choice([0, 2])]))


@pytest.mark.untraced
@pytest.mark.parametrize("key", ["holdem", "omaha", "shortdeck"])
def test_random_turns_agree_with_dealing_every_river_by_hand(key: str) -> None:
    random = Random(key)
    for _ in range(12):
        scenario = _random_scenario(random, key)
        agrees_with_oracle(scenario, showdown_odds(scenario, Effort(exact=True)))


@pytest.mark.untraced
@pytest.mark.parametrize("key", ["holdem", "omaha", "omaha5", "shortdeck"])
def test_counting_boards_gives_what_going_through_every_deal_gives(key: str) -> None:
    random = Random(key)
    for seen in (0, 0, 3, 3, 3, 4):
        rules = PRESETS[key]
        pack = list(rules.deck)
        random.shuffle(pack)
        hands = tuple(
            Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(2 + (seen > 0))
        )
        board = Cards.of(pack.pop() for _ in range(seen))
        dead = Cards.of(
            pack.pop() for _ in range(8 if seen == 0 and key.startswith("omaha") else 1)
        )
        if seen == 0 and key.startswith("omaha"):
            board = Cards.of(pack.pop() for _ in range(2))
        scenario = Scenario(rules, hands, board, dead)
        assert counting.counts_by_boards(rules)
        number, jobs = counting.board_jobs(scenario, True)
        by_boards = run(jobs)
        assert by_boards[0] == number
        deals = counting.deal_total(scenario)
        assert deals is not None
        assert by_boards == run(dealing.deal_jobs(scenario, deals, True))


def run(jobs: Iterable[dealing.Job]) -> tuple[int, object, object]:
    import numpy as np

    sums = [job() for job in jobs]
    shares = np.sum([one.shares for one in sums], axis=0)
    kinds = np.sum([one.kinds for one in sums], axis=0)
    return sum(one.deals for one in sums), shares.tolist(), kinds.tolist()


def test_win_tie_and_lose_add_up_and_the_pot_is_shared_out() -> None:
    answer = showdown_odds(holdem("AhKd", "AdKh", "", board="QcJdTs2h3c"), Effort(exact=True))
    for player in answer.players:
        assert player.win + player.tie + player.lose == answer.deals == 43 * 42 // 2
    assert sum(player.value for player in answer.players) == 1
    assert answer.players[0].win == 0


def test_the_answer_as_json_keeps_the_contract() -> None:
    answer = showdown_odds(holdem("ad,8d", "ah,2d", board="js,6s,5h,7h")).to_json()
    assert list(answer) == ["exact", "deals", "standard_error", "players"]
    assert answer["exact"] is True
    assert answer["deals"] == 44
    assert answer["standard_error"] is None
    first = answer["players"][0]
    assert list(first) == [
        *("cards", "win", "tie", "lose", "win_probability", "tie_probability", "value", "ranks")
    ]
    assert (first["win"], first["tie"], first["lose"]) == (41, 0, 3)
    assert first["value"] == pytest.approx(41 / 44)
    assert list(first["ranks"]) == naive_showdown.NAMES
    assert sum(first["ranks"].values()) == pytest.approx(1)


def test_progress_is_told_in_deals_and_ends_with_all_of_them() -> None:
    told: list[tuple[int, int]] = []
    scenario = holdem("AhKd", "", board="9c2d3d4h5s")
    showdown_odds(scenario, Effort(exact=True), progress=lambda *step: told.append(step))
    assert told[-1] == (990, 990)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_cancelled_computation_stops_at_the_next_piece_of_work(threads: int) -> None:
    asked: list[int] = []
    pieces = 3

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == pieces

    effort = Effort(deals=2_000_000_000, threads=threads)
    with pytest.raises(ShowdownCancelled):
        showdown_odds(holdem("AhKd", "", board="9c"), effort, cancelled=cancelled)
    assert len(asked) == pieces


def test_progress_of_a_sample_with_an_error_foresees_its_length() -> None:
    told: list[tuple[int, int]] = []
    deals = 100_000
    effort = Effort(deals=deals, error=0.0001)
    scenario = holdem("AhKd", "", board="9c")
    showdown_odds(scenario, effort, progress=lambda *step: told.append(step))
    assert all(done <= total for done, total in told)
    always = holdem("AhKh", "2c2d", board="QhJhTh3s4s")
    told.clear()
    showdown_odds(always, Effort(deals=1_024, error=0.1), progress=lambda *s: told.append(s))
    assert told[-1] == (1_024, 1_024)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": 0}, "expected 1 to"),
        ({"error": 0.0}, "standard error from"),
        ({"threads": 0}, "1 to 64 threads"),
        ({"exact": True, "deals": 5}, "neither a number of deals"),
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
    found = pot_odds(Fraction(2, 5), Fraction(60), Fraction(20))
    assert found.needed == Fraction(1, 4)
    assert found.held == Fraction(2, 5)
    assert found.worth == 12  # two fifths of 80, less 20


def test_with_just_the_share_needed_it_is_worth_nothing() -> None:
    found = pot_odds(Fraction(0), Fraction(7, 2), Fraction(1, 2))
    assert pot_odds(found.needed, found.pot, found.call).worth == 0
    assert found.worth == -found.call


@pytest.mark.parametrize(
    ("pot", "call", "reason"),
    [(-1, 20, "expected a pot of 0 or more, got -1"), (60, 0, "a call of more than 0, got 0")],
)
def test_there_must_be_something_to_call(pot: int, call: int, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        pot_odds(Fraction(1, 2), Fraction(pot), Fraction(call))

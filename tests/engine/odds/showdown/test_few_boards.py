"""What plain Python counts of a few boards is what the kernels count of them."""

from __future__ import annotations

import sys
from itertools import count
from random import Random

import pytest

from engine.cards import Cards
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.few_boards import few_boards
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
GAMES = {
    "holdem": HOLDEM,
    "shortdeck": PRESETS["shortdeck"],
    "trips": PRESETS["shortdeck-trips"],
}


@pytest.mark.untraced
@pytest.mark.parametrize("name", GAMES)
def test_a_few_boards_are_counted_as_by_the_kernels(name: str, pytestconfig: pytest.Config) -> None:
    random, rules = Random(name), GAMES[name]
    for _ in range(200 if pytestconfig.getoption("--long") else 60):
        few = random.choice([26, 52])  # few suits make flushes
        pack = [card for card in rules.naturals if card.number < few]
        random.shuffle(pack)
        hands = tuple(Cards.of((pack.pop(), pack.pop())) for _ in range(random.randint(2, 4)))
        shown = random.randint(3, 5)
        board = Cards.of(pack.pop() for _ in range(shown))
        dead = Cards.of(pack.pop() for _ in range(random.choice([0, 0, 2])))
        scenario = Scenario(rules, hands, board, dead)
        assert few_boards(scenario, ranked=True) is not None
        for ranked in (True, False):
            quick = showdown_odds(scenario, Effort(ranked=ranked))
            usual = showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))
            assert quick == usual, scenario


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("players", "board", "dead", "game"),
    [
        (["AhKd", "QQ"], "9c 8d 7s", "", "holdem"),
        (["QQ+, AKs@50", "AhKh"], "9h 8h 2c 5h", "", "holdem"),
        (["QsJs", "15%", "8h7h"], "9h 8s 2s Ts", "Ac Ad", "holdem"),
        (["QsJs", "AhXh@25, 99"], "Ah 8s Ts 9s Kd", "", "holdem"),
        (["AhKd", "QQ+"], "9c 8d 7s", "", "shortdeck"),
        (["AhKd", "66, AXs@10"], "9c 8d 7s Td", "", "shortdeck-trips"),
        # boards that hold a card of the range come first, and are of fewer ranks than they seem
        (["AsXs", "KhKd"], "Qc 8d 7s 2h", "", "holdem"),
        (["AsXs", "QhQd"], "Kc 8d 7s", "", "holdem"),
        (["AsKs, AsQs", "JhJd"], "Tc 8d 2h", "", "holdem"),
        (["AsAc, 4s4c", "KhKd"], "9c 8d 7s 2h", "", "holdem"),
    ],
)
@pytest.mark.parametrize("ranked", [True, False])
def test_a_small_range_is_counted_as_by_the_kernels(
    players: list[str], board: str, dead: str, game: str, ranked: bool
) -> None:
    scenario = parse_scenario(players, board, dead, PRESETS[game])
    assert few_boards(scenario, ranked=True) is not None
    quick = showdown_odds(scenario, Effort(ranked=ranked))
    assert quick == showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))


@pytest.mark.parametrize(
    "name",
    [
        "shortdeck",
        *(pytest.param(name, marks=pytest.mark.untraced) for name in ("holdem", "trips")),
    ],
)
def test_a_hand_of_which_nothing_is_known_is_counted_as_by_the_kernels(
    name: str, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    modules = {name: module for name, module in sys.modules.items() if name != "numba"}
    monkeypatch.setattr("engine.odds.showdown.few_boards.sys.modules", modules)
    monkeypatch.setattr("engine.odds.showdown.few_boards._FIRST", 1_000)
    random, rules = Random(name), GAMES[name]
    for _ in range(40 if pytestconfig.getoption("--long") else 12):
        suits = random.choice([1, 2, 4])  # on the board and in the known hands: flushes
        pack = [card for card in rules.naturals if card.number < 13 * suits]
        random.shuffle(pack)
        shown = random.randint(3, 5)
        board = Cards.of(pack.pop() for _ in range(shown))
        hands = [Cards.of((pack.pop(), pack.pop())) for _ in range(random.randint(1, 2))]
        hands.insert(random.randint(0, len(hands)), Cards())
        free = [
            card for card in rules.naturals if not any(card in held for held in (board, *hands))
        ]
        dead = Cards.of(random.sample(free, random.choice([0, 0, 3])))
        scenario = Scenario(rules, tuple(hands), board, dead)
        assert few_boards(scenario, ranked=True) is not None
        for ranked in (True, False):
            quick = showdown_odds(scenario, Effort(ranked=ranked))
            usual = showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))
            assert quick == usual, scenario


def test_an_open_hand_is_left_to_the_kernels_where_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = parse_scenario(["AhKd", ""], "9c 2d 3d")
    modules = sys.modules | {"numba": sys}
    monkeypatch.setattr("engine.odds.showdown.few_boards.sys.modules", modules)
    assert few_boards(scenario, ranked=True) is None
    modules.pop("numba")
    monkeypatch.setattr("engine.odds.showdown.few_boards._asked", count())
    for is_first in (True, True, True, False):
        assert (few_boards(scenario, ranked=True) is not None) == is_first


def test_a_flop_is_counted() -> None:
    answer = showdown_odds(parse_scenario(["AhKd", "QcQs", "JhTh"], "9h 2d 3h"))
    assert (answer.exact, answer.deals) == (True, 903)
    assert [(one.win, one.tie) for one in answer.players] == [(188, 0), (415, 0), (300, 0)]


@pytest.mark.parametrize("ranked", [True, False])
def test_a_flush_that_lies_on_the_board_is_shared(ranked: bool) -> None:
    scenario = parse_scenario(["2c3c", "2d3d"], "Ah Kh Qh Jh")
    quick = showdown_odds(scenario, Effort(ranked=ranked))
    assert (quick.deals, [one.tie for one in quick.players]) == (44, [44, 44])
    assert quick == showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))


@pytest.mark.parametrize(
    ("players", "board", "rules"),
    [
        (["AhKd", "QcQs"], "9c 2d", HOLDEM),
        (["AhKd", "Qc"], "9c 2d 3d", HOLDEM),
        (["AhKd", "", "Qc"], "9c 2d 3d", HOLDEM),
        (["AhKd", "", ""], "9c 2d 3d", HOLDEM),
        ([""], "9c 2d 3d", HOLDEM),
        (["AhKd", "15%"], "9c 2d 3d", HOLDEM),
        (["QQ", "AA"], "9c 2d 3d", HOLDEM),
        (["AhKdQhJh", "9s9h8s8h"], "9c 2d 3d", PRESETS["omaha"]),
        (["AhKd", "QcQs"], "9c 2d 3d", ShowdownRules(private=2, public=5, jokers=1)),
    ],
)
def test_more_boards_open_hands_and_other_games_are_left_to_the_kernels(
    players: list[str], board: str, rules: ShowdownRules
) -> None:
    assert few_boards(parse_scenario(players, board, rules=rules), ranked=True) is None

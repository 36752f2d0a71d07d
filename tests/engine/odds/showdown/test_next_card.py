"""Outs, next cards, streets and grids, compared with the oracle and with whole answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from engine.cards import Card, Cards, Rank, Suit
from engine.errors import TextError
from engine.odds.showdown.each_hand import grid_labels, hand_grid, has_grid
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.next_card import group_outs, has_next_card, next_cards, outs, streets
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests import naive_showdown

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def ask(*players: str, board: str, game: str = "holdem", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead, PRESETS[game])


def shown_now(scenario: Scenario, board: Cards) -> list[Fraction]:
    """Return each player's share of the pot in a showdown on this board, by the oracle."""
    rules = scenario.rules
    tally = naive_showdown.count(
        [list(hand) for hand in scenario.known],
        list(board),
        [],
        private=rules.private,
        public=len(board),
        ranking=rules.ranking.value,
        use_hole=rules.usable_private,
        use_board=rules.usable_public,
        hi_lo=rules.hi_lo,
    )
    return tally.value


def test_outs_of_a_flush_draw_are_nine_hearts_and_three_of_a_rank() -> None:
    winning = outs(ask("AhKh", "QcQd", board="9h 5h 2c"))
    assert winning is not None
    first, second = winning
    assert (first.ahead, second.ahead) == (False, True)
    assert not second.wins
    groups = group_outs(first.wins)
    assert [(group.suit, group.rank, len(group.cards)) for group in groups] == [
        *((Suit.HEARTS, None, 9), (None, Rank.ACE, 3), (None, Rank.KING, 3)),
    ]


@pytest.mark.parametrize("game", ["holdem", "omaha8", "shortdeck-trips"])
def test_outs_are_the_cards_with_which_the_oracle_puts_a_player_ahead(game: str) -> None:
    random = Random(game)
    rules = PRESETS[game]
    for _ in range(5):
        pack = list(rules.deck)
        random.shuffle(pack)
        hands = tuple(
            Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(random.choice([2, 3]))
        )
        board = Cards.of(pack.pop() for _ in range(random.choice([3, 4])))
        scenario = Scenario(rules, hands, board, Cards.of(pack[12:]))
        all_outs = outs(scenario)
        assert all_outs is not None
        now = shown_now(scenario, board)
        for seat, winning in enumerate(all_outs):
            others = [part for rival, part in enumerate(now) if rival != seat]
            assert winning.ahead == (now[seat] > max(others))
            wins, ties = set(), set()
            for card in scenario.left:
                then = shown_now(scenario, board | Cards.of([card]))
                best_other = max(part for rival, part in enumerate(then) if rival != seat)
                if then[seat] > best_other and not winning.ahead:
                    wins.add(card)
                if then[seat] == best_other and now[seat] < max(others):
                    ties.add(card)
            assert (set(winning.wins), set(winning.ties)) == (wins, ties)
    for players, cards_shown in (
        (["AhKh", "QQ"], "9h 8h 2c"),
        (["AhKh"], "9h 8h 2c"),
        (["AhKh"], ""),
    ):
        assert outs(ask(*players, board=cards_shown)) is None


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        ("9c9d9s", [3]),
        ("9c9d 4c4d4h4s", [4, 2]),
        ("2h3h4h5h6h7h8h9h Th Ac Ad", [9, 2]),
        ("2h3h 9c", [1, 1, 1]),
        ("", []),
    ],
)
def test_outs_are_grouped_in_few_words(cards: str, groups: list[int]) -> None:
    grouped_outs = group_outs(Cards.parse(cards))
    assert [len(group.cards) for group in grouped_outs] == groups
    together = Cards()
    for group in grouped_outs:
        together |= group.cards
    assert together == Cards.parse(cards)


NEXT = [
    ask("AhKh", "QcQd", board="9h 8h 2c 4d"),
    ask("AhKh", "QQ@50, AhJh, 99@25", board="9h 8h 2c 4d"),
    ask("AsAh2s3h", "KdKcQd7c", board="4c 5d 8s Jc", game="omaha8"),
    ask("AhKh", "QQ, 99", board="9h 8h 2c"),
]


@pytest.mark.parametrize("scenario", NEXT, ids=str)
def test_next_cards_are_every_card_that_can_come_and_add_up_to_the_whole(
    scenario: Scenario,
) -> None:
    whole = showdown_odds(scenario, Effort(exact=True))
    following = next_cards(scenario)
    assert all(row.exact for row in following)
    assert {row.card for row in following} <= set(scenario.left)
    # each deal belongs to one next card, or on a flop to two: turn and river in either order
    deals = whole.deals * (5 - len(scenario.board))
    assert sum(row.deals for row in following) == deals
    for seat, player in enumerate(whole.players):
        assert sum(row.values[seat] * row.deals for row in following) == player.value * deals
    for row in following[::9]:
        then = Scenario(
            scenario.rules, scenario.players, scenario.board | Cards.of([row.card]), scenario.dead
        )
        answer = showdown_odds(then, Effort(exact=True))
        assert row.values == tuple(player.value for player in answer.players)


def test_a_next_card_that_leaves_the_ranges_no_hand_cannot_come() -> None:
    scenario = ask("AhAd", "AsAc, KsKc", board="9h 8h 2c 4d")
    assert len(next_cards(scenario)) == 46
    pair = Range.parse("KsKc, KsKd")
    scenario = Scenario(PRESETS["holdem"], (Cards.parse("AhAd"), pair), scenario.board)
    assert Card.parse("Ks") not in {row.card for row in next_cards(scenario)}


def test_next_cards_that_are_too_much_to_count_are_sampled() -> None:
    scenario = ask("AhKh", "QcQd", "", board="2c 9h 8h Ks")
    for effort, deals in ((Effort(deals=20), 20), (Effort(seconds=0.0001), 20_000)):
        cards = next_cards(scenario, effort)
        assert {(row.exact, row.deals) for row in cards} == {(False, deals)}
    rows = streets(scenario, Effort(deals=20))
    assert [(name, answer.deals) for name, answer in rows] == [
        *(("preflop", 20), ("flop", 20), ("turn", 20)),
    ]


@pytest.mark.parametrize("board", ["", "9h 8h", "9h 8h 2c 4d 5d"])
def test_a_next_card_needs_a_flop_and_a_card_to_come(board: str) -> None:
    scenario = ask("AhKh", "QcQd", board=board)
    assert not has_next_card(scenario)
    with pytest.raises(TextError, match="at least three board cards"):
        next_cards(scenario)


def test_streets_are_told_in_the_order_the_board_was_dealt() -> None:
    scenario = ask("AhKh", "QcQd", board="2c 9h 8h Ks 3d")
    rows = streets(scenario)
    assert [name for name, _ in rows] == ["preflop", "flop", "turn", "river"]
    boards = [" ".join(map(str, answer.scenario.in_order)) for _, answer in rows]
    assert boards == ["", "2c 9h 8h", "2c 9h 8h Ks", "2c 9h 8h Ks 3d"]
    assert [answer.deals for _, answer in rows] == [1_712_304, 990, 44, 1]
    assert rows[-1][1].players[0].win == 1
    # a board of which nobody knows the order is taken from the ace down
    unordered = Scenario(scenario.rules, scenario.players, scenario.board)
    assert str(unordered.in_order[0]) == "Ks"
    with pytest.raises(TextError, match="street by street"):
        streets(parse_scenario(["AsAhKd", ""], rules=PRESETS["stud"]))


# -- grids ----------------------------------------------------------------------------------------


def test_a_grid_has_pairs_on_its_diagonal_and_suited_hands_above_it() -> None:
    labels = grid_labels()
    assert [row[at] for at, row in enumerate(labels)][:3] == ["AA", "KK", "QQ"]
    assert (labels[0][1], labels[1][0], labels[12][12]) == ("AKs", "AKo", "22")
    assert len({label for row in labels for label in row}) == 169
    assert len(grid_labels(4)) == 9


@pytest.mark.parametrize("text", ["KK, AQs, 99@50, AhJh@25", ""])
def test_a_grid_is_the_whole_answer_taken_apart(text: str) -> None:
    scenario = ask("AdKd", text, board="9h 8h 2c 4d 5s")
    whole = showdown_odds(scenario, Effort(exact=True))
    cells = [cell for row in hand_grid(scenario) for cell in row if cell.value is not None]
    if text:
        assert [(cell.label, cell.hands) for cell in cells] == [
            ("AQs", 3), ("AJs", 1), ("KK", 3), ("99", 3),
        ]  # fmt: skip
        # it looks from the hand that is known, wherever it sits
        assert hand_grid(ask(text, "AdKd", board="9h 8h 2c 4d 5s")) == hand_grid(scenario)
    assert all(cell.exact for cell in cells)
    assert sum(cell.weight for cell in cells) == whole.deals
    values = sum((cell.value or 0) * cell.weight for cell in cells)
    assert values == whole.players[0].value * whole.deals


@pytest.mark.parametrize(
    "scenario",
    [
        ask("AdKd", "QhQc", board=""),
        ask("AdKd", "", "", board=""),
        ask("AdKd", "Qh", board=""),
        ask("", "Qh", board=""),
        ask("AsAhKsKh", "", board="", game="omaha"),
    ],
    ids=str,
)
def test_there_is_a_grid_for_two_players_of_whom_one_has_something_open(scenario: Scenario) -> None:
    assert not has_grid(scenario)
    with pytest.raises(TextError, match="a two-card hand or a range against"):
        hand_grid(scenario)


def test_a_grid_before_the_flop_is_exact() -> None:
    grid = hand_grid(ask("AhKh", "QQ+, 22", board=""))
    cells = {cell.label: cell for row in grid for cell in row}
    assert cells["22"].exact
    answers = [
        showdown_odds(ask("AhKh", f"2{a}2{b}", board="")) for a, b in combinations("cdhs", 2)
    ]
    wins = sum(answer.players[0].value for answer in answers) / 6
    assert cells["22"].value == wins
    assert cells["AKs"].value is None

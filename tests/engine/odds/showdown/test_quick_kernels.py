"""The kernels for the commonest questions give what the general ones give, and what is exact."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.odds.showdown.dealing import is_holdem
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.evaluator import evaluate_many
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.kernels import score as kernels_score
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
    HIGH,
    HIGH_AT,
    HIGH_KEYS,
    LOW,
    LOW_AT,
    LOW_KEYS,
)

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

# counted by boards whole, with hands of five to seven cards
FAMILY = {
    "holdem": HOLDEM,
    "shortdeck": PRESETS["shortdeck"],
    "trips": PRESETS["shortdeck-trips"],
    "one hole card": ShowdownRules(private=1, public=5),
    "three public": ShowdownRules(private=2, public=3),
    "four public": ShowdownRules(private=2, public=4),
}


@pytest.mark.parametrize("name", FAMILY)
def test_two_players_are_counted_as_by_the_kernel_for_any_number(name: str) -> None:
    random, rules = Random(name), FAMILY[name]
    for _ in range(60):
        few = random.choice([26, 52])  # few suits make flushes
        pack = [card for card in rules.naturals if card.number < few]
        random.shuffle(pack)
        seen = rules.public - random.randint(1, rules.public)
        hands = tuple(Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(2))
        board = Cards.of(pack.pop() for _ in range(seen))
        dead = Cards.of(pack.pop() for _ in range(random.choice([0, 0, 2])))
        scenario = Scenario(rules, hands, board, dead)
        quick = showdown_odds(scenario, Effort(exact=True, ranked=False, table=False))
        usual = showdown_odds(scenario, Effort(exact=True, table=False))
        assert quick.deals == usual.deals
        assert [(one.win, one.tie) for one in quick.players] == [
            (one.win, one.tie) for one in usual.players
        ], scenario


RANGES = ("QQ+", "AKs, 77@50", "AhKh, AdKd, KsKc@20", "55-22, A5s@25, T9o", "AhXh", "any")


@pytest.mark.parametrize("number", range(12))
def test_a_sample_of_ranges_is_uniform_over_what_can_be_held(number: int) -> None:
    """With the board known a kind of hand says much of the hand that was drawn."""
    random = Random(number)
    players = random.choices([*RANGES, *RANGES, "", "Ac"], k=random.choice([2, 2, 3]))
    players[0] = random.choice(RANGES)
    players[1:] = ["" if one == "Ac" and number % 2 else one for one in players[1:]]
    board = random.choice(["Qd 7c 5h 2s", "Ad Kd 9d 4c", "Ts 9s 2h 2c"])
    scenario = parse_scenario(players[:2] if players.count("any") > 1 else players, board)
    exact = showdown_odds(scenario, Effort(exact=True))
    deals = 200_000
    sampled = showdown_odds(scenario, Effort(deals=deals, seed=number))
    assert is_holdem(scenario)
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        for kind, counted in truth.ranks.items():
            chance = counted / exact.deals
            spread = (chance * (1 - chance) / deals) ** 0.5
            assert abs(guess.ranks[kind] / deals - chance) < 5 * spread + 1e-5
        assert guess.standard_error is not None
        assert abs(float(truth.value - guess.value)) < 5 * guess.standard_error + 1e-5


def test_ranges_beside_known_and_unknown_cards_are_drawn_without_a_card_twice() -> None:
    few = 20_000
    scenario = parse_scenario(["AhKh@50, AdKd", "AhKd, QhQd", "Ks"], "2c3c4d8s9s")
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(deals=few, seed=3))
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert abs(float(truth.value - guess.value)) < 5 * (guess.standard_error or 0) + 1e-5
    ranked = showdown_odds(scenario, Effort(deals=few, seed=3, ranked=False))
    assert [one.win for one in ranked.players] == [one.win for one in sampled.players]


@pytest.mark.parametrize("cards", [5, 6, 7])
@pytest.mark.parametrize("odd", [52, 63, 64, 200, 255])
def test_a_byte_that_is_no_card_is_refused_wherever_it_stands(cards: int, odd: int) -> None:
    hands = np.array([Random(row).sample(range(52), cards) for row in range(9)], np.uint8)
    right = evaluate_many(hands)
    assert (right > 0).all()
    for row, column in ((0, 0), (8, cards - 1), (4, 2)):
        wrong = hands.copy()
        wrong[row, column] = odd
        with pytest.raises(ValueError, match="0 to 51"):
            evaluate_many(wrong)
    assert evaluate_many(hands.astype(np.int64)).tolist() == right.tolist()


@pytest.mark.parametrize("ranking", [Ranking.HIGH, Ranking.SHORT_DECK, Ranking.SHORT_TRIPS])
def test_sevens_read_two_cards_at_a_time_are_scored_like_cards_one_by_one(ranking: Ranking) -> None:
    """Several blocks and a part of one, with flushes in each, and no row at all."""
    count = 300_000
    chance = np.random.default_rng(7)
    hands = np.argsort(chance.random((count, 52)), axis=1)[:, :7].astype(np.uint8)
    hands[::5] = np.argsort(chance.random((len(hands[::5]), 13)), axis=1)[:, :7]
    hands[::10, 5:] += 26
    single = np.empty(count, np.uint16)
    assert kernels_score.score_rows(hands, ranking.code, single)
    assert (evaluate_many(hands, ranking) == single).all()
    assert (evaluate_many(np.asfortranarray(hands), ranking) == single).all()
    assert (evaluate_many(np.hstack([hands, hands])[:, :7], ranking) == single).all()
    assert len(evaluate_many(hands[:0], ranking)) == 0


def test_a_card_given_twice_reads_no_table_beyond_its_end() -> None:
    """It is not looked for, so whatever hand it makes has a number."""
    seven = [[card % 52 for card in cards] for cards in product((12, 25, 38, 51), repeat=7)][::97]
    seven += [[card % 13 for card in cards] for cards in product((5, 18, 31, 44), repeat=7)][::97]
    rows = np.array(seven, np.uint8)
    for ranking in (Ranking.HIGH, Ranking.SHORT_DECK, Ranking.SHORT_TRIPS):
        assert evaluate_many(rows, ranking).shape == (len(seven),)
    for cards in range(8):
        assert LOW_AT[cards] + cards * LOW_KEYS[-1] < len(LOW)
        assert HIGH_AT[cards] + cards * HIGH_KEYS[-1] < len(HIGH)
    assert int(BASE.max()) + int(LOW.max()) + int(HIGH.max()) < len(DENSE)


@pytest.mark.parametrize(
    ("rules", "picks"),
    [
        (ShowdownRules(private=7, private_used=5), 1),
        (ShowdownRules(private=7, private_used=6), 1),
        (ShowdownRules(private=7, private_used=4), 35),
        (ShowdownRules(private=7, private_used=5, ranking=Ranking.ACE_FIVE), 1),
        (ShowdownRules(private=7, private_used=5, ranking=Ranking.DEUCE_SEVEN), 21),
        (ShowdownRules(private=7, private_used=5, public=1), 21),
        (ShowdownRules(private=7, private_used=5, public=1, public_used=0), 1),
        (ShowdownRules(private=2, public=7, private_used=0, public_used=5), 1),
    ],
)
def test_any_five_cards_are_the_best_five_of_all_of_them(rules: ShowdownRules, picks: int) -> None:
    assert len(rules.hole_picks()) * len(rules.board_picks()) == picks


def test_a_whole_hand_is_scored_as_its_best_five() -> None:
    random = Random(8)
    for ranking in (Ranking.HIGH, Ranking.ACE_FIVE):
        cards = [str(Card(number)) for number in random.sample(range(52), 14)]
        players = ["".join(cards[:6]), "".join(cards[7:])]
        one = parse_scenario(players, rules=ShowdownRules(private=7, ranking=ranking))
        for used in (5, 6):
            rules = ShowdownRules(private=7, private_used=used, ranking=ranking)
            other = parse_scenario(players, rules=rules)
            assert showdown_odds(one).players == showdown_odds(other).players

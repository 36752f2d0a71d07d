"""The strength of hands, against published counts and against the slow oracle."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.showdown import score_tables
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.evaluator import (
    evaluate,
    evaluate_many,
    rank_of_dense,
    raw_score,
    seven_card_classes,
)
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.kernel_codes import HIGH_KEYS, LOW_KEYS
from engine.odds.showdown.kernels import score as kernels_score
from engine.odds.showdown.ranking import HandRank, Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
)
from tests import naive_showdown

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


BEST = {
    "Ah 2c 3d 4s 5h": "straight 5432A",
    "Ah 2h 3h 4h 5h Kd Qd": "straight_flush 5432A",
    "As Ks Qs Js Ts 2d 2h": "straight_flush AKQJT",
    "Kc Kd Kh 2c 2d 2h As": "full_house KKK22",
    "Kc Kd 2c 2d 3c 3d As": "two_pair KK33A",
    "9c 9d 9h 9s 2c 2d Ah": "four 9999A",
    "Ac Ad Ah As *": "five AAAAA",
    "Ah Kh 9h 2h *": "flush AKQ92",
    "Ah 2d * * 9c": "three AAA92",
    "* * * * *": "five AAAAA",
    "4d 5c 6h * Kc": "pair KK654",
    "4d 5c 6h * 8c": "straight 87654",
    "Ah Ad 7c": "pair AA7",
    "Ah Kh Qh": "high_card AKQ",
    "* *": "pair AA",
    "*": "high_card A",
}
OTHERS = {
    Ranking.SHORT_DECK: {
        "Ah 6c 7d 8s 9h": "straight 9876A",
        "Ah Kh 9h 8h 6h 6c 6d": "flush AK986",
        "Ah Ac 6h 6c 6d": "full_house 666AA",
    },
    Ranking.SHORT_TRIPS: {"9h 9c 9d As Ks": "three 999AK"},
    Ranking.ACE_FIVE: {
        "Ah 2c 3d 4s 5h": "high_card 5432A",
        "Ah 2h 3h 4h 6h": "high_card 6432A",
        "As 2h 3d 4c 4d": "pair 4432A",
        "2c 2d 2h 2s 5c": "four 22225",
        "2c 2d 2h 5s 6c": "three 22265",
        "2c 2d 2h 5s 5c": "full_house 22255",
    },
    Ranking.DEUCE_SEVEN: {
        "Ah 2c 3d 4s 5h": "high_card A5432",
        "Ah 2h 3h 4h 5h": "flush A5432",
        "2c 3c 4d 5d *": "high_card 75432",
        "3c 4c 5d 6d *": "high_card 86543",
        "2c 3c 4c 5c 6c": "straight_flush 65432",
        "2c 3c 4c 5c 6d Kd Kh": "high_card K5432",
        "2c 2d 2h 2s 5c": "four 22225",
    },
    Ranking.WORST: {
        "2c 3c 4d 5d 7d *": "high_card 75432",
        "2c 3c 4d 5d *": "straight 65432",
    },
    Ranking.BADUGI: {"As 2h 3d 4c": "badugi 432A", "As 2s 3d 3c": "two_cards 3A"},
}


@pytest.mark.parametrize(
    ("ranking", "cards", "read"),
    [
        (ranking, cards, read)
        for ranking, hands in ({Ranking.HIGH: BEST} | OTHERS).items()
        for cards, read in hands.items()
    ],
)
def test_a_hand_is_read_as_the_best_it_can_be(ranking: Ranking, cards: str, read: str) -> None:
    score = evaluate(Cards.parse(cards), ranking=ranking)
    assert f"{score.rank.value} {score.reads_as}" == read


def test_what_is_no_hand_of_a_ranking_is_refused() -> None:
    assert [rank.label for rank in HandRank][3:5] == ["Threes", "Straight"]
    assert evaluate(Cards.parse("2c 2d 2h 2s 7c"), Cards.parse("7c")).rank is HandRank.FIVE
    with pytest.raises(TextError, match=r"needs five cards, got 4\. Example"):
        evaluate(Cards.parse("2c 3c 4c 5d"), ranking=Ranking.ACE_FIVE)
    for text in ("*2s3d4c", ""):
        with pytest.raises(TextError, match="natural cards only"):
            evaluate(Cards.parse(text), ranking=Ranking.BADUGI)


def test_flush_beats_full_house_only_in_short_deck() -> None:
    flush, full = Cards.parse("Ah Kh 9h 8h 6h"), Cards.parse("Ac Ad Ks Kd Kc")
    assert evaluate(flush) < evaluate(full)
    assert evaluate(flush) <= evaluate(full)
    short = Ranking.SHORT_DECK
    assert evaluate(flush, ranking=short) > evaluate(full, ranking=short)
    assert evaluate(flush, ranking=short) >= evaluate(full, ranking=short)


@pytest.mark.parametrize(
    ("cards", "five"),
    [
        ("Ah Kh 9h 2h 3h 3c 3d", "Ah Kh 9h 3h 2h"),
        ("Ah Kh 9h 2h * 3c 3d", "* Ah Kh 9h 2h"),
        ("9c 9d 9h 9s 2c 2d Ah", "Ah 9s 9h 9d 9c"),
        ("5s 4s 3s 2s As 6d Kd", "As 5s 4s 3s 2s"),
        ("7c 7d", "7d 7c"),
    ],
)
def test_a_score_carries_the_cards_that_make_it(cards: str, five: str) -> None:
    assert str(evaluate(Cards.parse(cards)).cards) == five


@pytest.mark.parametrize("ranking", Ranking)
def test_every_ranking_agrees_with_the_oracle_on_random_hands_with_wild_cards(
    ranking: Ranking,
) -> None:
    """Try hands of one to seven cards, or five to seven where a hand needs five.

    For ace to five, also compare `raw_score`, which scores a whole hand without choosing five.
    """
    random = Random(20)
    few = not ranking.is_low or ranking is Ranking.BADUGI
    for size in (1, 2, 3, 4, 5, 6, 7) if few else (5, 6, 7):
        for jokers in range(1 if ranking is Ranking.BADUGI else min(3, size + 1)):
            for _ in range(10 if jokers < 2 else 1):
                cards = _random_hand(random, ranking, size - jokers)
                cards += [Card.joker(index) for index in range(jokers)]
                plain = [naive_showdown.naive(card) for card in cards]
                expected = naive_showdown.showdown_score(plain, [], ranking.value, size, 0)
                texts = [*map(str, cards)]
                assert _unpack(evaluate(Cards.of(cards), ranking=ranking).raw, ranking) == (
                    expected
                ), texts
                if ranking is Ranking.ACE_FIVE:
                    whole = raw_score(Cards.of(cards), Cards(), ranking)
                    assert _unpack(whole, ranking) == expected, texts


def _random_hand(random: Random, ranking: Ranking, size: int) -> list[Card]:
    """Deal a hand, half the time from few ranks and one suit, for more straights and flushes."""
    pack = [Card(number) for number in range(52)]
    if ranking.is_short:
        pack = [card for card in pack if card.rank >= 4]
    if random.random() < 0.5:
        few = (12, 0, 1) if ranking is Ranking.ACE_FIVE else (12, 4, 5, 6, 7, 8)
        pack = [card for card in pack if card.rank in few or card.suit == 0]
    return random.sample(pack, size)


def _unpack(raw: int, ranking: Ranking) -> tuple[int, tuple[int, ...]]:
    nibbles = [raw >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    lift = 0 if ranking.aces_low else 1
    return raw >> 20, tuple(nibble + lift for nibble in nibbles if nibble)


@pytest.mark.parametrize("ranking", [Ranking.HIGH, Ranking.SHORT_DECK, Ranking.SHORT_TRIPS])
@pytest.mark.parametrize("size", [5, 6, 7])
def test_the_tables_agree_with_the_plain_functions(ranking: Ranking, size: int) -> None:
    random = Random(size)
    hands = [_random_hand(random, ranking, size) for _ in range(300)]
    rows = np.array([[card.number for card in hand] for hand in hands])
    dense = evaluate_many(rows, ranking)
    table = score_tables.RAW[ranking.code]
    for hand, score in zip(hands, dense, strict=True):
        assert table[score] == raw_score(Cards.of(hand), Cards(), ranking)
        assert rank_of_dense(score, ranking) is evaluate(Cards.of(hand), ranking=ranking).rank


@pytest.mark.parametrize(
    ("rows", "ranking", "sentence"),
    [
        (np.zeros((2, 4), np.int64), Ranking.HIGH, r"5, 6 or 7 cards"),
        (np.zeros(7, np.int64), Ranking.HIGH, r"5, 6 or 7 cards"),
        (np.full((1, 5), 52), Ranking.HIGH, r"0 to 51"),
        (np.zeros((1, 5), np.int64), Ranking.ACE_FIVE, "high and short-deck"),
    ],
)
def test_evaluate_many_refuses_what_is_not_hands(
    rows: np.ndarray, ranking: Ranking, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        evaluate_many(rows, ranking)


SEVEN = [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848]
FIVE_BY_JOKERS = {
    0: [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40, 0],
    1: [1_302_540, 1_268_088, 123_552, 137_280, 20_532, 7_804, 6_552, 3_120, 204, 13],
    2: [1_302_540, 1_437_936, 123_552, 232_968, 34_704, 11_388, 9_360, 9_360, 624, 78],
}


@pytest.mark.thorough
def test_all_seven_card_hands_fall_into_the_published_kinds() -> None:
    totals = seven_card_classes()
    assert len(totals) == 7_463  # 0 is no hand
    kinds = np.bincount(score_tables.CATEGORY[0], weights=totals, minlength=9)
    assert kinds.tolist() == [*SEVEN, 41_584]
    assert totals[np.flatnonzero(totals)[-1]] == 4_324  # royal flushes


@pytest.mark.parametrize("ranking", [Ranking.HIGH, Ranking.SHORT_DECK])
def test_counting_the_sevens_of_a_small_deck_is_scoring_each_of_them(ranking: Ranking) -> None:
    deck = Cards.parse("Ah Kh Qh Jh Th 9h As Ac 7c 6d 7d")
    rows = np.array([[c.number for c in hand] for hand in combinations(deck, 7)])
    scores = evaluate_many(rows, ranking)
    classes = seven_card_classes(deck, ranking)
    assert classes.tolist() == np.bincount(scores, minlength=len(classes)).tolist()


@pytest.mark.thorough
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_all_five_card_hands_fall_into_the_published_kinds(jokers: int) -> None:
    scenario = Scenario(ShowdownRules(jokers=jokers), (Cards(),))
    answer = showdown_odds(scenario, Effort(exact=True))
    assert list(answer.players[0].ranks.values()) == FIVE_BY_JOKERS[jokers]
    assert answer.deals == sum(FIVE_BY_JOKERS[jokers])


@pytest.mark.long
def test_all_seven_card_hands_with_jokers_fall_into_their_kinds() -> None:
    """Compare with the counts of another program, which tried each joker as every card."""
    kinds = [[*SEVEN, 41_584, 0]]
    for jokers in (1, 2):
        held = Cards.of(Card.joker(index) for index in range(jokers))
        scenario = Scenario(ShowdownRules(private=7, jokers=jokers), (held,))
        answer = showdown_odds(scenario, Effort(exact=True))
        kinds.append(list(answer.players[0].ranks.values()))
    assert [a + b for a, b, _ in zip(*kinds, strict=True)] == [
        *(23_294_460, 61_644_960, 31_433_400, 13_315_300, 11_083_940),
        *(6_027_224, 5_997_144, 1_121_024, 210_964, 14_664),
    ]
    assert [a + 2 * b + c for a, b, c in zip(*kinds, strict=True)] == [
        *(23_294_460, 64_662_120, 31_433_400, 20_216_380, 16_712_660),
        *(8_397_324, 8_521_104, 3_134_544, 639_960, 88_608),
    ]


# counted by boards whole, with hands of five to seven cards
FAMILY = {
    "holdem": HOLDEM,
    "shortdeck": PRESETS["shortdeck"],
    "trips": PRESETS["shortdeck-trips"],
    "one hole card": ShowdownRules(private=1, public=5),
    "three public": ShowdownRules(private=2, public=3),
    "four public": ShowdownRules(private=2, public=4),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FAMILY)
def test_two_players_are_counted_as_by_the_kernel_for_any_number(name: str) -> None:
    random, rules = Random(name), FAMILY[name]
    for _ in range(30):
        few = random.choice([26, 52])  # few suits make flushes
        pack = [card for card in rules.naturals if card.number < few]
        random.shuffle(pack)
        board_size = rules.public - random.randint(1, rules.public)
        hands = tuple(Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(2))
        board = Cards.of(pack.pop() for _ in range(board_size))
        dead = Cards.of(pack.pop() for _ in range(random.choice([0, 0, 2])))
        scenario = Scenario(rules, hands, board, dead)
        quick, usual = (
            showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))
            for ranked in (False, True)
        )
        assert quick.deals == usual.deals
        assert [(player.win, player.tie) for player in quick.players] == [
            (player.win, player.tie) for player in usual.players
        ], scenario


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_a_byte_that_is_no_card_is_refused_wherever_it_stands(cards: int) -> None:
    hands = np.array([Random(row).sample(range(52), cards) for row in range(9)], np.uint8)
    right = evaluate_many(hands)
    assert (right > 0).all()
    assert evaluate_many(hands.astype(np.int64)).tolist() == right.tolist()
    for odd in (52, 63, 64, 200, 255):
        for row, column in ((0, 0), (8, cards - 1), (4, 2)):
            wrong = hands.copy()
            wrong[row, column] = odd
            with pytest.raises(ValueError, match="0 to 51"):
                evaluate_many(wrong)


@pytest.mark.thorough
@pytest.mark.parametrize("ranking", [Ranking.HIGH, Ranking.SHORT_DECK, Ranking.SHORT_TRIPS])
def test_sevens_read_two_cards_at_a_time_are_scored_like_cards_one_by_one(ranking: Ranking) -> None:
    """Score several full blocks of rows and a partial one, with flushes in each; then no rows."""
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
        whole = parse_scenario(players, rules=ShowdownRules(private=7, ranking=ranking))
        for used in (5, 6):
            rules = ShowdownRules(private=7, private_used=used, ranking=ranking)
            best_five = parse_scenario(players, rules=rules)
            assert showdown_odds(whole).players == showdown_odds(best_five).players

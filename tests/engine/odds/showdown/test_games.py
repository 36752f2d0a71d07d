"""The games of `/odds showdown` against the slow oracle and against published counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb, prod
from random import Random

import numpy as np
import pytest

from engine.cards import Cards
from engine.errors import TextError
from engine.odds.showdown import scoring
from engine.odds.showdown.equity import Effort, Halves, showdown_odds
from engine.odds.showdown.evaluator import (
    NO_LOW,
    evaluate_many,
    low_table,
    rank_of_dense,
    seven_card_classes,
)
from engine.odds.showdown.games import GAMES, PRESETS, ShowdownRules, game_of
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.ranking import HandRank, Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from tests import naive_showdown
from tests.engine.odds.showdown.test_equity import agrees_with_oracle

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
ELSEWHERE = ("holdem", "omaha", "omaha5", "draw", "a5", "27")  # compared in `test_equity`


def random_scenario(random: Random, key: str) -> Scenario:
    """Return a random question about the game `key` with few deals: at most one card to come."""
    rules = PRESETS[key]
    # few ranks make straights, flushes, low hands and ties that a whole pack seldom has
    ranks = random.choice([range(13), range(4, 13), (0, 1, 2, 3, 4, 5, 6, 12)])
    pack = [card for card in rules.deck if card.rank in ranks or rules.ranking.is_short]
    random.shuffle(pack)
    players = random.choice([1, 2, 2, 3])
    missing = random.choice([0, 1]) if rules.public else 1
    while len(pack) < players * rules.private + rules.public + 2:
        players -= 1
    hands = [Cards.of(pack.pop() for _ in range(rules.private)) for _ in range(players)]
    if not rules.public:
        short = random.randrange(players)
        hands[short] = Cards.of(list(hands[short])[1:])
    board = Cards.of(pack.pop() for _ in range(max(0, rules.public - missing)))
    dead = Cards.of(pack[: random.choice([0, 2])])
    # most of the rest is dead, so that the oracle has but a few deals to try
    left = rules.deck - board - dead - Cards.of(card for hand in hands for card in hand)
    keep = random.sample(sorted(left), min(len(left), 3 if rules.public else 4))
    return Scenario(rules, tuple(hands), board, dead | (left - Cards.of(keep)))


@pytest.mark.thorough
@pytest.mark.parametrize("key", [key for key in PRESETS if key not in ELSEWHERE])
def test_random_questions_of_each_game_agree_with_the_oracle(key: str) -> None:
    random = Random(key)
    for _ in range(80):
        scenario = random_scenario(random, key)
        agrees_with_oracle(scenario, showdown_odds(scenario, Effort(exact=True)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "players", "board"),
    [
        ("omaha8", ["AsAh2s3h", "KdKcQd4c", ""], "5c 6d"),
        ("stud8", ["As2h3d", "KdKcQd4c", ""], ""),
        ("razz", ["As2h3d", "KdKc8d4c"], ""),
        ("badugi", ["As2h3d", "", "8d4c2s"], ""),
    ],
)
def test_a_sample_of_a_game_lies_within_its_error_of_the_oracles(
    key: str, players: list[str], board: str
) -> None:
    """Compare a sample with the oracle's own sample of 300 deals: trying all takes too long."""
    scenario = parse_scenario(players, board, rules=PRESETS[key])
    answer = showdown_odds(scenario, Effort(deals=200_000, seed=4, threads=1))
    rules, random = scenario.rules, Random(key)
    tally = naive_showdown.Tally(len(players))
    deals = 300
    for _ in range(deals):
        left = random.sample(list(scenario.left), rules.public + len(players) * rules.private)
        table = [*scenario.board, *(left.pop() for _ in range(rules.public - len(scenario.board)))]
        hands = [
            [*held, *(left.pop() for _ in range(rules.private - len(held)))]
            for held in scenario.known
        ]
        naive_showdown.count(
            hands,
            table,
            [],
            private=rules.private,
            public=rules.public,
            ranking=rules.ranking.value,
            use_hole=rules.usable_private,
            use_board=rules.usable_public,
            hi_lo=rules.hi_lo,
            tally=tally,
        )
    for player, value in zip(answer.players, tally.value, strict=True):
        assert player.standard_error is not None
        error = player.standard_error * (200_000 / deals) ** 0.5
        assert abs(float(player.value) - float(value / deals)) < 4.5 * error
    assert sum(player.value for player in answer.players) == 1


# -- published counts -----------------------------------------------------------------------------


@pytest.mark.long
def test_hands_of_36_cards_come_as_often_as_the_oracle_finds_them() -> None:
    """Compare the kinds of all five-card hands of 36 cards with the oracle, by both rankings.

    No published table of these hands was found.
    """
    counted = {
        "straight_flush": 24,
        "four": 288,
        "flush": 480,
        "full_house": 1_728,
        "three": 16_128,
        "straight": 6_120,
        "two_pair": 36_288,
        "pair": 193_536,
        "high_card": 122_400,
    }
    deck = sorted(card.number for card in PRESETS["shortdeck"].deck)
    hands = np.array(list(combinations(deck, 5)), np.uint8)
    assert len(hands) == sum(counted.values())
    for order in (Ranking.SHORT_DECK, Ranking.SHORT_TRIPS):
        kinds: Counter[str] = Counter()
        for score, number in enumerate(np.bincount(evaluate_many(hands, order)).tolist()):
            kinds[rank_of_dense(score, order).value] += number
        assert +kinds == counted
    pack = [(number % 13 + 2, number // 13) for number in deck]
    counts = Counter(
        naive_showdown.NAMES[naive_showdown.score_five(hand, short=True)[0]]
        for hand in combinations(pack, 5)
    )
    # a flush is higher than a full house
    counts["flush"], counts["full_house"] = counts["full_house"], counts["flush"]
    assert counts == counted


@pytest.mark.long
def test_badugi_hands_are_what_the_oracle_says_and_come_as_often_as_published() -> None:
    """Score all 270,725 hands, and compare every eleventh with the oracle.

    The counts of the 17,160 badugis by their highest card are from "Learning Badugi 3",
    pokergeekmn.blogspot.com, January 2010. No source was found for the other three kinds.
    """
    tops: Counter[int] = Counter()
    kinds: Counter[int] = Counter()
    for place, numbers in enumerate(combinations(range(52), 4)):
        suits = [0, 0, 0, 0]
        for number in numbers:
            suits[number // 13] |= 1 << number % 13
        raw = scoring.badugi(*suits)
        missing = raw >> 20
        ranks = [raw >> shift & 15 for shift in (16, 12, 8, 4)]
        if place % 11 == 0:
            expected = naive_showdown.score_badugi([(n % 13 + 2, n // 13) for n in numbers])
            assert (missing, ranks) == (expected[0], [*expected[1], *[0] * missing])
        kinds[missing] += 1
        tops[0 if missing else ranks[0]] += 1
    assert [kinds[missing] for missing in range(4)] == [17_160, 154_440, 96_252, 2_873]
    published = [24, 96, 240, 480, 840, 1_344, 2_016, 2_880, 3_960, 5_280]
    assert [tops[top] for top in range(4, 14)] == published
    answer = showdown_odds(parse_scenario([""], rules=PRESETS["badugi"]), Effort(exact=True))
    counted = {kind.value: count for kind, count in answer.players[0].ranks.items()}
    assert counted == dict(
        zip(naive_showdown.BADUGI_NAMES, [17_160, 154_440, 96_252, 2_873], strict=True)
    )


@pytest.mark.long
def test_razz_hands_come_as_often_as_published() -> None:
    """Count the best lows of all seven-card hands, and the lows good enough for half a pot.

    Source: "Poker probability", section "Frequency of 7-card lowball poker hands", in Wikipedia
    (en.wikipedia.org/wiki/Poker_probability); lows of eight or better are its first four lines.
    Suits do not matter, so hands of the same ranks are scored once.
    """
    lows, no_low = low_table(7, 0), 0
    tops: Counter[int] = Counter()
    for counts in _spread(13, 7):
        suits = [0, 0, 0, 0]
        for rank, number in enumerate(counts):
            for suit in range(number):
                suits[suit] |= 1 << rank
        raw = scoring.ace_five(suits[0], suits[1], suits[2], suits[3], 0)
        hands = prod(comb(4, n) for n in counts)
        top = (raw >> 16 & 15) if raw >> 20 == 0 else 0
        tops[top] += hands
        # ace first, as `low_table` has them: a row's ranks from deuce to eight, and its last
        mask = sum(1 << bit for bit, rank in enumerate((12, *range(7))) if counts[rank])
        best = int(lows[mask << 8])
        assert (top if 0 < top <= 8 else 0) == (0 if best == NO_LOW else best.bit_length())
        no_low += hands * (best == NO_LOW)
    assert tops == {
        5: 781_824,
        6: 3_151_360,
        7: 7_426_560,
        8: 13_171_200,
        9: 19_174_400,
        10: 23_675_904,
        11: 24_837_120,
        12: 21_457_920,
        13: 13_939_200,
        0: 6_169_072,
    }
    assert comb(52, 7) - no_low == 781_824 + 3_151_360 + 7_426_560 + 13_171_200


def _spread(ranks: int, cards: int) -> Iterator[tuple[int, ...]]:
    """Yield every tuple of `ranks` numbers from 0 to 4 whose sum is `cards`."""
    if ranks == 1:
        if cards <= 4:
            yield (cards,)
        return
    for of_rank in range(min(4, cards) + 1):
        for others in _spread(ranks - 1, cards - of_rank):
            yield (of_rank, *others)


@pytest.mark.parametrize("rule", [(2, 3), (7, 0), (2, 5), (4, 1)])
def test_the_table_of_low_hands_is_what_trying_every_five_gives(rule: tuple[int, int]) -> None:
    table = low_table(*rule)
    random = Random(str(rule))
    ranks = [14, *range(2, 9)]
    for _ in range(400):
        hole, board = random.randrange(256), random.randrange(256)
        hole_cards, shared = (
            [(ranks[bit], 0) for bit in range(8) if mask >> bit & 1] for mask in (hole, board)
        )
        low = naive_showdown.low_eight(hole_cards, shared, *rule)
        expected = NO_LOW if low is None else sum(1 << rank - 1 for rank in low)
        assert table[hole << 8 | board] == expected


def test_a_known_split_pot_is_shared_as_it_should_be() -> None:
    """Give the first player the low half, the second the high half, the third nothing."""
    scenario = parse_scenario(
        ["AsAh2s3h", "KdKcQd7c", "8d8cJsJc"], "4c 5d 8s Kh Qs", rules=PRESETS["omaha8"]
    )
    first, second, third = showdown_odds(scenario, Effort(exact=True)).players
    assert first.halves is not None
    assert (first.halves.low, first.halves.high, first.halves.scoop) == (1, 0, 0)
    assert (first.win, first.tie, first.lose) == (0, 1, 0)
    assert [float(player.value) for player in (first, second, third)] == [0.5, 0.5, 0.0]
    fields = showdown_odds(scenario, Effort(exact=True)).to_json()["players"][0]
    assert [fields[name] for name in ("high", "low", "scoop", "value")] == [0, 1, 0, 0.5]


def test_of_two_who_share_the_low_half_one_has_three_quarters_and_one_is_quartered() -> None:
    hands = ["As2sKdKc", "Ad2dJhJc", "TdTc9d9h"]
    scenario = parse_scenario(hands, "4c 5d 8s Kh Qs", rules=PRESETS["omaha8"])
    answer = showdown_odds(scenario, Effort(exact=True))
    agrees_with_oracle(scenario, answer)
    shares = [
        (owner.halves.three_quarters, owner.halves.quartered)
        for owner in answer.players
        if owner.halves
    ]
    assert shares == [(1, 0), (0, 1), (0, 0)]
    assert [float(player.value) for player in answer.players] == [0.75, 0.25, 0]


def test_a_split_pot_of_stud_has_a_low_hand_or_none() -> None:
    for rival, shares in (("KdKcQd7c9s9hTd", [1, 0]), ("2d3c4h6c7sKdKc", [0.5, 0.5])):
        scenario = parse_scenario(["AsAhAd2s4s7h8h", rival], rules=PRESETS["stud8"])
        answer = showdown_odds(scenario, Effort(exact=True))
        assert [float(player.value) for player in answer.players] == shares
        agrees_with_oracle(scenario, answer)
        unranked = showdown_odds(scenario, Effort(exact=True, ranked=False))
        assert [player.halves for player in unranked.players] == [
            player.halves for player in answer.players
        ]
    high = parse_scenario(["AsAhAdKsQsJh9h", "KdKcQd7c9s9dTd"], rules=PRESETS["stud8"])
    assert showdown_odds(high, Effort(exact=True)).players[0].halves == Halves(1, 0, 0, 0, 1, 0, 0)


@pytest.mark.thorough
def test_seven_cards_of_36_are_counted_in_either_order() -> None:
    deck = PRESETS["shortdeck"].deck
    by_kind = []
    for order in (Ranking.SHORT_DECK, Ranking.SHORT_TRIPS):
        kinds: Counter[HandRank] = Counter()
        for score, hands in enumerate(seven_card_classes(deck, order).tolist()):
            kinds[rank_of_dense(score, order)] += hands
        assert kinds.total() == comb(36, 7)
        by_kind.append(kinds)
    moved = by_kind[1][HandRank.THREE] - by_kind[0][HandRank.THREE]
    # what is both threes and a straight is the one or the other
    assert moved == by_kind[0][HandRank.STRAIGHT] - by_kind[1][HandRank.STRAIGHT] > 0


@pytest.mark.parametrize("key", list(GAMES))
def test_every_game_answers_the_example_of_its_own_entry(key: str) -> None:
    game = GAMES[key]
    scenario = parse_scenario([game.hand, ""], rules=game.rules)
    effort = Effort(deals=1_024)
    answer = showdown_odds(scenario, effort)
    assert sum(player.value for player in answer.players) == 1
    assert list(answer.players[0].ranks) == list(game.rules.ranking.kinds)


SIX_EACH = [
    "As2s3s4h7d9c", "Ah2hKdKcQd7c", "Ad3h5h6h8cTc", "8d8hJsJcQc2c",
    "TdTh9d9h4d4c", "Ks6s5s5dJh3c", "Qs7s7hTs6c6d", "QhJd8s9s2d5c",
]  # fmt: skip


@pytest.mark.parametrize("game", ["stud", "stud8", "razz"])
def test_eight_players_share_the_last_card(game: str) -> None:
    scenario = parse_scenario(SIX_EACH, rules=PRESETS[game])
    assert (scenario.rules.private, scenario.rules.public) == (6, 1)
    assert len(scenario.left) == 4
    answer = showdown_odds(scenario, Effort(exact=True))
    assert answer.deals == 4
    agrees_with_oracle(scenario, answer)


def test_who_shares_the_last_card() -> None:
    stud = PRESETS["stud"]
    assert stud.dealt_to(7, 3) is stud
    assert stud.dealt_to(7, 4).public == 1
    assert PRESETS["razz"].dealt_to(8) == replace(PRESETS["razz"], private=6, public=1)
    scenario = parse_question("stud As2s3s vs 7 opponents")
    assert (len(scenario.players), scenario.rules.public) == (8, 1)
    for players, dead in ((9, ""), (8, "2c2d2h2s")):
        assert stud.dealt_to(players, len(dead) // 2) is stud
        with pytest.raises(TextError, match="the deck has 52"):
            parse_scenario([""] * players, dead=dead, rules=stud)
    for game in ("draw", "holdem", "badugi"):
        assert PRESETS[game].dealt_to(30) is PRESETS[game]
    assert game_of(PRESETS["stud8"].dealt_to(8), 8) == game_of(PRESETS["stud8"], 7) == "stud8"
    assert game_of(ShowdownRules(private=9), 2) is None

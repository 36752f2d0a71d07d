"""Ranges of Omaha: every term against trying each card in each place, and their order."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from random import Random
from time import process_time

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.showdown.dealing import sample_jobs
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.omaha_terms import (
    CHANGES,
    SuitClasses,
    class_places,
    strongest_first,
)
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
OMAHA = PRESETS["omaha"]
BEST = Cards.parse("AsAhTsTh")  # 71.5 % against a random hand


OMAHA_TERMS = (
    *("AA**", "AAds", "AsKs**", "$ds", "$ss", "$rb", "$np", "$op", "$tp", "KQJT", "xxyy", "AxKx"),
    *("AA", "JT98+", "JT98-7654", "T987-", "AsA", "AxKxyy", "xxyz", "AxxA", "KQJT$ds", "AxAyxy"),
)


def fits_by_trying(entries: list[str], hand: Cards) -> bool:
    """Every card in every place, every meaning of the suit letters."""
    cards = list(hand)
    letters = sorted({char for entry in entries for char in entry if char in "xyzw"})
    entries = entries + ["*"] * (len(cards) - len(entries))
    for suits in permutations("cdhs", len(letters)):
        meaning = dict(zip(letters, suits, strict=True))
        for order in permutations(cards):
            if all(
                all(
                    char == "*"
                    or card.rank.char == char
                    or card.suit.char == meaning.get(char, char)
                    for char in entry
                )
                for entry, card in zip(entries, order, strict=True)
            ):
                return True
    return False


def meant_in_omaha(term: str, hand: Cards) -> bool:
    suits = Counter(card.suit for card in hand)
    ranks = Counter(card.rank for card in hand)
    several = sum(count >= 2 for count in suits.values())
    shapes = {"ds": several == 2, "ss": several == 1, "rb": several == 0}
    pairs = sorted(ranks.values(), reverse=True)
    shapes |= {"np": pairs == [1] * 4, "op": pairs == [2, 1, 1], "tp": pairs == [2, 2]}
    if term.startswith("$"):
        return shapes[term[1:]]
    for shape in ("$ds", "ds", "ss", "rb"):
        if term.endswith(shape) and len(term) > 3:
            return shapes[shape[-2:]] and meant_in_omaha(term.removesuffix(shape), hand)
    moved = {
        "JT98+": ("JT98", "QJT9", "KQJT", "AKQJ"),
        "JT98-7654": ("JT98", "T987", "9876", "8765", "7654"),
        "T987-": ("T987", "9876", "8765", "7654", "6543", "5432"),
    }
    if term in moved:
        return any(meant_in_omaha(one, hand) for one in moved[term])
    return fits_by_trying(re.findall(r"[2-9TJQKA*][cdhsxyzw]?|[xyzw]", term), hand)


@pytest.mark.parametrize("term", OMAHA_TERMS)
def test_a_term_of_omaha_means_what_trying_every_card_in_every_place_says(term: str) -> None:
    random = Random(term)
    found = set(Range.parse(term, OMAHA).bits)
    # of the hands that fit many are tried, and as many of all
    tried = random.sample(sorted(found), min(len(found), 40))
    tried += [sum(1 << card for card in random.sample(range(52), 4)) for _ in range(120)]
    for bits in tried:
        assert (bits in found) == meant_in_omaha(term, Cards(bits)), Cards(bits)


@pytest.mark.untraced
@pytest.mark.parametrize(
    "term", ["A*xyz", "AsKx*yz", "AxKxyyz", "Ah*xxK", "AAdsT", "QQ*zz", "AsxKh"]
)
def test_a_term_of_five_cards_means_what_trying_every_card_says(term: str) -> None:
    random = Random(term)
    found = set(Range.parse(term.replace("dsT", "T$ds"), PRESETS["omaha5"]).bits)
    tried = random.sample(sorted(found), min(len(found), 12))
    tried += [sum(1 << card for card in random.sample(range(52), 5)) for _ in range(25)]
    # beside each hand that fits others with one card changed
    tried += [hand & hand - 1 | 1 << random.randrange(52) for hand in tried[:12]]
    for bits in tried:
        cards = Cards(bits)
        if len(cards) == 5:
            entries = re.findall(r"[2-9TJQKA*][cdhsxyzw]?|[xyzw]", term.replace("ds", ""))
            fits = fits_by_trying(entries, cards)
            if "ds" in term:
                fits &= sum(n >= 2 for n in Counter(card.suit for card in cards).values()) == 2
            assert (bits in found) == fits, cards


def test_a_hundred_terms_of_five_cards_are_read_at_once() -> None:
    """Each was worked out over 2.6 million hands, in 11 s; now over 134,459 classes, in 0.1 s."""
    random, terms = Random(99), set[str]()
    while len(terms) < 99:
        form = random.choice(["A*{}x{}y{}z", "A*{}{}x{}y", "A*x{}y{}z", "As{}{}h{}y"])
        terms.add(form.format(*random.sample("23456789TJQK", 3)))
    began = process_time()
    found = Range.parse(",".join(sorted(terms)), PRESETS["omaha5"])
    assert process_time() - began < 5
    assert set(Range.parse(min(terms), PRESETS["omaha5"]).bits) <= set(found.bits)


@pytest.mark.parametrize(
    ("one", "other"), [("A*xyz", "zyA*x"), ("AxKy", "KxAy"), ("AsKxQ", "QAsKz"), ("xxyyA", "wzzwA")]
)
def test_the_order_of_cards_and_the_letters_of_suits_do_not_matter(one: str, other: str) -> None:
    held = [Range.parse(term, PRESETS["omaha5"]).bits for term in (one, other)]
    assert held[0] == held[1]


@pytest.mark.parametrize(
    ("term", "hands"),
    [
        ("AA**", 6_961),  # 270,725 - C(48, 4) - 4 C(48, 3)
        ("KQJT", 256),
        ("$ds", 36_504),  # 6 C(13, 2)^2
        ("$rb", 28_561),  # 13^4
        ("xxyy", 36_504),
        ("$np", 183_040),  # C(13, 4) 4^4
        ("$tp", 2_808),
        ("AsKs**", 1_225),
        ("AAds", 864),
        ("AA:$ds", 864),
        ("AA!$ds", 6_097),
        ("AA, !$ds", 6_097),
        ("!AA", 263_764),
        ("****", 270_725),
        ("100%", 270_725),
        ("AsAhKsKh, AdAcKdKc", 2),
    ],
)
def test_ranges_of_omaha_have_as_many_hands_as_can_be_counted(term: str, hands: int) -> None:
    found = Range.parse(term, OMAHA)
    assert len(found) == hands
    assert found.share == Fraction(hands, 270_725)


def test_ranges_of_five_card_omaha_are_known_and_of_six_are_refused() -> None:
    aces = Range.parse("AA***", PRESETS["omaha5"])
    assert len(aces) == comb(4, 2) * comb(48, 3) + comb(4, 3) * comb(48, 2) + comb(48, 1)
    with pytest.raises(TextError, match="two hole cards and for Omaha with four or five"):
        Range.parse("AA****", PRESETS["omaha6"])


def test_a_range_of_omaha_is_a_player() -> None:
    scenario = parse_scenario(["AAds", "KQJTds"], "9h 8h Jc 2d 5s", rules=OMAHA)
    answer = showdown_odds(scenario, Effort(exact=True))
    sample = showdown_odds(scenario, Effort(deals=50_000, seed=3))
    assert sample.players[0].standard_error is not None
    difference = float(answer.players[0].value - sample.players[0].value)
    assert abs(difference) < 4.5 * sample.players[0].standard_error
    told = answer.to_json()["players"][0]
    assert told["hands"] == 864
    assert told["hands_share"] == pytest.approx(864 / 270_725)


def test_a_range_of_every_hand_is_soon_ready_to_be_drawn() -> None:
    """The highest of 270,725 weights was looked for as many times, for minutes, before a deal."""
    scenario = parse_scenario(["**@50, AA", "8c7d6c5d"], rules=OMAHA)
    began = process_time()
    assert next(sample_jobs(scenario, 100, 0, False))().deals == 100
    assert process_time() - began < 20


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        ("AAAAA", "omaha", '"AAAAA" names 5 cards, a hand has 4'),
        ("AsAs", "omaha", '"AsAs" leaves no hand'),
        ("banana", "omaha", '"banana" is not a range of hands'),
        ("JT98-765", "omaha", "does not join hands of one shape"),
        ("AA, KKq!", "omaha", "is not a range of hands"),
        ("AKz", "holdem", '"AKz" is not a range of hands'),
        ("zz+", "holdem", '"zz+" is not a range of hands'),
        ("15%%", "holdem", '"15%%" is not a range of hands'),
        ("5%-15%%", "holdem", '"5%-15%%" is not a range of hands'),
        ("$zz", "omaha", '"$zz" is not a range of hands'),
        ("0.2%", "holdem", "less than the best hand, AA, which is 0.45%"),
        ("150%", "holdem", "more than all hands"),
        ("QQ@0", "holdem", "a weight is above 0"),
        ("QQ@50@20", "holdem", "a weight is above 0"),
        ("!AA@50", "holdem", "what is taken away has no weight"),
        ("@50", "holdem", '"@50" is not a range of hands'),
        ("@50", "omaha", '"@50" is not a range of hands'),
        ("!", "omaha", '"!" is not a range of hands'),
        ("A1s, QQ", "holdem", '"A1s" is not a range of hands'),
        ("AA!AA", "holdem", "leaves no hand"),
        ("QQ+" * 4_000, "holdem", "at most 10,000 characters"),
        ("AA**," * 400, "omaha", "at most 1,000 characters"),
        ("AxKx" * 9, "omaha", "is not a range of hands"),
    ],
)
def test_what_is_no_range_names_the_term_and_shows_a_right_one(
    text: str, rules: str, sentence: str
) -> None:
    with pytest.raises(TextError, match=re.escape(sentence)) as caught:
        Range.parse(text, PRESETS[rules])
    assert "Example:" in str(caught.value)
    assert "card such" not in str(caught.value)


def test_percentages_of_omaha_are_whole_classes_that_grow_into_one_another() -> None:
    before: set[int] = set()
    for percent in (0.01, 1, 15, 50, 100):
        found = set(Range.parse(f"{percent}%", OMAHA).bits)
        assert before <= found
        assert len(found) <= percent / 100 * 270_725
        assert len(found) >= percent / 100 * 270_725 - 24
        before = found
    assert len(before) == 270_725
    middle = Range.parse("1%-15%", OMAHA)
    assert len(middle) == len(Range.parse("15%", OMAHA)) - len(Range.parse("1%", OMAHA))
    turned = {
        sum((hand >> 13 * suit & 0x1FFF) << 13 * ((suit + 1) % 4) for suit in range(4))
        for hand in middle.bits
    }
    assert turned == set(middle.bits)


def test_the_order_of_omaha_hands_has_every_class_once() -> None:
    assert sorted(class_places().tolist()) == list(range(16_432))
    best, worst = set(Range.parse("1%", OMAHA).bits), set(Range.parse("99%", OMAHA).bits)
    assert Cards.parse("AsAhKsKh").bits in best
    assert Cards.parse("2s2h2d2c").bits not in worst
    every = np.array([*Range.parse("100%", OMAHA).bits], np.uint64)
    first = Cards(int(every[strongest_first(every, np.ones(len(every), np.int64)).argmin()]))
    assert sorted(str(card.rank) for card in first) == sorted(str(card.rank) for card in BEST)


@pytest.mark.long
def test_the_order_counts_every_opponent_on_a_board() -> None:
    """What `benchmarks.omaha_order` adds up over all boards, against the exact answer on one."""
    from benchmarks.omaha_order import numbering
    from benchmarks.omaha_order_kernel import OPPONENTS, add_board

    hands = list(combinations(range(52), 4))
    each = np.arange(len(hands), dtype=np.int32)
    for board in ("9h 5h 2c Kd Ks", "Th 9h 8h 2h 2c", "7c 7d 7h 7s As"):
        points, deals = (np.zeros(len(hands), np.int64) for _ in range(2))
        shown = Cards.parse(board)
        add_board(np.uint64(shown.bits), 3, numbering(), each, points, deals)
        assert points.sum() == deals.sum() == 3 * comb(47, 4) * OPPONENTS
        left = [number for number, hand in enumerate(hands) if deals[number]]
        assert len(left) == comb(47, 4)
        for number in Random(board).sample(left, 4):
            own = Cards.of(Card(card) for card in hands[number])
            answer = showdown_odds(Scenario(OMAHA, (own, Cards()), shown), Effort(exact=True))
            assert answer.deals == OPPONENTS
            player = answer.players[0]
            assert points[number] == 3 * (2 * player.win + player.tie)


def test_the_order_of_omaha_hands_agrees_with_dealing_them() -> None:
    """Hands a good way apart in the order: each is worth more than the next, as a sample says."""
    random, order = Random(3), list(Range.parse("100%", OMAHA).bits)
    reached = dict(
        zip(
            order,
            strongest_first(np.array(order, np.uint64), np.ones(len(order), np.int64)).tolist(),
            strict=True,
        )
    )
    order.sort(key=lambda hand: reached[hand])
    hands = [order[int(len(order) * part / 8 + random.randrange(2_000))] for part in range(8)]
    values = []
    for hand in hands:
        answer = showdown_odds(
            Scenario(OMAHA, (Cards(hand), Cards())), Effort(deals=20_000, seed=2, ranked=False)
        )
        values.append(float(answer.players[0].value))
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("key", ["omaha5", "omaha8"])
def test_games_without_an_order_refuse_percentages(key: str) -> None:
    with pytest.raises(TextError, match="an order of hands is known only for Omaha with four"):
        Range.parse("15%", PRESETS[key])
    rules = ShowdownRules(private=2, public=5, ranking=Ranking.WORST)
    with pytest.raises(TextError, match="no order of hands is known"):
        Range.parse("15%", rules)


FULL, SHORT = 0x1FFF, 0x1FF0


def changed(hand: int) -> set[int]:
    """The hands that changing suits makes of one."""
    suits = [hand >> 13 * suit & 0x1FFF for suit in range(4)]
    return {
        sum(suits[suit] << 13 * place for place, suit in enumerate(order))
        for order in permutations(range(4))
    }


@pytest.mark.untraced
@pytest.mark.parametrize(
    ("private", "ranks", "number"), [(4, FULL, 16_432), (5, FULL, 134_459), (4, SHORT, 3_663)]
)
def test_every_hand_is_of_one_class(private: int, ranks: int, number: int) -> None:
    classes = SuitClasses(private, ranks)
    assert len(classes.hands) == number
    every = classes.members(classes.row(np.ones(number, np.bool_)))
    cards = [13 * suit + rank for suit in range(4) for rank in range(13) if ranks >> rank & 1]
    assert len(every) == classes.often.sum() == comb(len(cards), private)
    assert (np.diff(np.sort(every)) > 0).all()
    if private == 4:
        by_hand = {sum(1 << card for card in some) for some in combinations(cards, private)}
        assert set(every.tolist()) == by_hand


def test_a_class_has_the_hands_that_a_change_of_suits_makes() -> None:
    classes, random = SuitClasses(5, FULL), Random(5)
    number = len(classes.hands)
    for at in random.sample(range(number), 60):
        row = classes.row(np.arange(number) == at)
        members = classes.members(row)
        assert len(members) == classes.often[at]
        assert set(members.tolist()) == changed(int(classes.hands[at]))


def test_sets_of_hands_are_joined_whether_they_name_suits_or_not() -> None:
    """Of 24 rows each says what one change of suits makes of the classes that it has."""
    classes, numbers = SuitClasses(4, FULL), np.random.default_rng(3)
    everything = classes.row(np.ones(len(classes.hands), np.bool_))
    alike = classes.row(numbers.random(len(classes.hands)) < 0.3)
    named = np.concatenate(  # the hands with the ace of spades
        [
            classes.row(classes.hands >> np.uint64(13 * change.index(3) + 12) & np.uint64(1) > 0)
            for change in CHANGES
        ]
    )

    def held(rows: np.ndarray) -> set[int]:
        return set(classes.members(rows).tolist())

    aces = {hand for hand in held(everything) if hand >> 51 & 1}
    assert held(named) == aces
    assert len(aces) == comb(51, 3)
    assert held(named & alike) == aces & held(alike)
    assert held(named | alike) == aces | held(alike)
    assert held(alike & ~named) == held(alike) - aces
    assert classes.has_any(named)
    assert not classes.has_any(named & ~named)

"""Omaha ranges: the meaning of each term, and the order of hands.

The oracle tries every card in every place of a term.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
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
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules, game_of
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
OMAHA, FIVE = PRESETS["omaha"], PRESETS["omaha5"]
ENTRY = re.compile(r"(?:\[.*?\]|[2-9TJQKA*])[cdhsxyzw]?|[xyzw]")
SETS = {"[A-T]": "AKQJT", "[A,K,Q]": "AKQ", "[7-2]": "765432", "$B": "AKQJ", "$W": "A2345"}
MOVED = {
    "JT98+": ("JT98", "QJT9", "KQJT", "AKQJ"),
    "JT98-7654": ("JT98", "T987", "9876", "8765", "7654"),
    "T987-": ("T987", "9876", "8765", "7654", "6543", "5432"),
}


def fits_by_trying(entries: list[str], hand: Cards) -> bool:
    """Return whether the hand fits: try every card in every place, and all suits for x, y, z, w."""
    cards = str(hand).split()
    for entry in entries:
        if entry.startswith("["):  # each rank of the set in turn
            at, (ranks, suit) = entries.index(entry), entry[1:].split("]")
            before, after = entries[:at], entries[at + 1 :]
            return any(fits_by_trying([*before, rank + suit, *after], hand) for rank in ranks)
    letters = sorted({char for entry in entries for char in entry if char in "xyzw"})
    entries = entries + ["*"] * (len(cards) - len(entries))
    for suits in permutations("cdhs", len(letters)):
        meaning = dict(zip(letters, suits, strict=True))
        patterns = ["".join(meaning.get(char, char) for char in entry) for entry in entries]
        for order in permutations(cards):
            if all(
                entry == "*" or all(char in card for char in entry.replace("*", ""))
                for entry, card in zip(patterns, order, strict=True)
            ):
                return True
    return False


def fits_term(term: str, hand: Cards) -> bool:
    """Return whether the term includes this hand, computed as simply as possible."""
    suits = Counter(card.suit for card in hand)
    several = sum(count >= 2 for count in suits.values())
    shapes = {"ds": several == 2, "ss": several == 1, "rb": several == 0}
    pairs = sorted(Counter(card.rank for card in hand).values(), reverse=True)
    shapes |= {"np": pairs == [1] * 4, "op": pairs == [2, 1, 1], "tp": pairs == [2, 2]}
    if term[1:] in shapes:
        return shapes[term[1:]]
    for shape in ("$ds", "ds", "ss", "rb"):
        if term.endswith(shape) and len(term) > 3:
            return shapes[shape[-2:]] and fits_term(term.removesuffix(shape), hand)
    if term.startswith("R"):
        repeated = sorted(Counter(term).values(), reverse=True)
        return all(held >= needed for held, needed in zip(pairs + [0] * 4, repeated, strict=False))
    if term in MOVED:
        return any(fits_term(moved, hand) for moved in MOVED[term])
    for typed, ranks in SETS.items():
        term = term.replace(typed, f"[{ranks}]")
    return fits_by_trying(ENTRY.findall(term), hand)


@pytest.mark.parametrize(
    ("term", "cards"),
    [
        *((term, 4) for term in ("AA**", "AAds", "AsKs**", "$ds", "$ss", "$rb", "$np", "$op")),
        *((term, 4) for term in ("$tp", "KQJT$ds", "xxyy", "AxKx", "xxyz", "AxxA", "AxAyxy")),
        *((term, 4) for term in ("JT98+", "JT98-7654", "T987-", "AsA")),
        *((term, 4) for term in ("[A-T][A-T]ds", "[A,K,Q]x[A,K,Q]x", "$B$B$B", "$Wh$Wxx", "AA$B")),
        *((term, 4) for term in ("RRON", "RRONds", "RROO", "RR", "RRRO", "RRRR", "RON", "RROO$ds")),
        *((term, 5) for term in ("RRRON", "RROON", "RRONss")),
        *(
            pytest.param(term, 5, marks=pytest.mark.thorough)
            for term in ("[A-T][A-T]K[7-2]", "[A-T]s$Bx$W")
        ),
        *((term, 5) for term in ("AsKx*yz", "AxKxyyz", "AAT$ds", "AsxKh")),
    ],
)
def test_a_term_of_omaha_means_what_trying_every_card_in_every_place_says(
    term: str, cards: int
) -> None:
    random = Random(term)
    members = set(Range.parse(term, OMAHA if cards == 4 else FIVE).bits)
    # of the hands that fit some are tried, beside each one with a card changed, and some of all
    tried = random.sample(sorted(members), min(len(members), 15))
    tried += [hand & hand - 1 | 1 << random.randrange(52) for hand in tried]
    tried += [sum(1 << card for card in random.sample(range(52), cards)) for _ in range(30)]
    for bits in tried:
        if bits.bit_count() == cards:
            assert (bits in members) == fits_term(term, Cards(bits)), Cards(bits)


def test_thirty_terms_of_five_cards_are_read_at_once() -> None:
    """Guard against an earlier slow way: a term took 0.1 s over 2.6 million hands.

    Now it takes 1 ms over 134,459 classes.
    """
    random, terms = Random(99), set[str]()
    while len(terms) < 30:
        form = random.choice(["A*{}x{}y{}z", "A*{}{}x{}y", "A*x{}y{}z", "As{}{}h{}y"])
        terms.add(form.format(*random.sample("23456789TJQK", 3)))
    Range.parse("A*2x3y4z", FIVE)  # what is made once
    began = process_time()
    hands = Range.parse(",".join(sorted(terms)), FIVE)
    assert process_time() - began < 1.5
    assert set(Range.parse(min(terms), FIVE).bits) <= set(hands.bits)


@pytest.mark.parametrize(
    ("range_text", "variant"), [("A*xyz", "zyA*x"), ("AsKxQ", "QAsKz"), ("xxyyA", "wzzwA")]
)
def test_the_order_of_cards_and_the_letters_of_suits_do_not_matter(
    range_text: str, variant: str
) -> None:
    held = [Range.parse(term, FIVE).bits for term in (range_text, variant)]
    assert held[0] == held[1]


COUNTED = {
    "AA**": 6_961,  # 270,725 - C(48, 4) - 4 C(48, 3)
    "KQJT": 256,
    "$ds": 36_504,  # 6 C(13, 2)^2
    "$rb": 28_561,  # 13^4
    "xxyy": 36_504,
    "$np": 183_040,  # C(13, 4) 4^4
    "$tp": 2_808,
    "AsKs**": 1_225,
    "AAds": 864,
    "AA:$ds": 864,
    "AA!$ds": 6_097,
    "AA, !$ds": 6_097,
    "!AA": 263_764,
    "****": 270_725,
    "100%": 270_725,
    "AsAhKsKh, AdAcKdKc": 2,
    "RRON": 82_368,  # 13 * 6 * C(12, 2) * 16
    "RROO": 2_808,
    "RR": 87_685,  # 270,725 - 183,040
    "RRRR": 13,
    "[A-T][A-T][A-T][A-T]": 4_845,  # C(20, 4)
    "$L$L$L$L:$np": 17_920,  # C(8, 4) 4^4
}


def test_ranges_of_omaha_have_as_many_hands_as_can_be_counted() -> None:
    for term, hands in COUNTED.items():
        members = Range.parse(term, OMAHA)
        assert (len(members), members.share) == (hands, Fraction(hands, 270_725)), term
    aces = Range.parse("AA***", FIVE)
    assert len(aces) == comb(4, 2) * comb(48, 3) + comb(4, 3) * comb(48, 2) + comb(48, 1)
    with pytest.raises(TextError, match="two hole cards, or four or five in Omaha"):
        Range.parse("AA****", PRESETS["omaha6"])


def test_a_range_of_omaha_is_a_player() -> None:
    scenario = parse_scenario(["AAds", "KQJTds"], "9h 8h Jc 2d 5s", rules=OMAHA)
    answer = showdown_odds(scenario, Effort(exact=True))
    sample = showdown_odds(scenario, Effort(deals=50_000, seed=3))
    assert sample.players[0].standard_error is not None
    difference = float(answer.players[0].value - sample.players[0].value)
    assert abs(difference) < 4.5 * sample.players[0].standard_error
    fields = answer.to_json()["players"][0]
    assert fields["hands"] == 864
    assert fields["hands_share"] == pytest.approx(864 / 270_725)


def test_a_range_of_every_hand_is_soon_ready_to_be_drawn() -> None:
    """Guard against an earlier version, which searched all 270,725 weights once for each hand."""
    scenario = parse_scenario(["**@50, AA", "8c7d6c5d"], rules=OMAHA)
    began = process_time()
    assert next(sample_jobs(scenario, 100, 0, False))().deals == 100
    assert process_time() - began < 20


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        ("AAAAA", "omaha", '"AAAAA" names 5 cards, but a hand has 4'),
        ("AsAs", "omaha", '"AsAs" leaves no hand'),
        ("JT98-765", "omaha", "joins hands of different shapes"),
        ("AA, KKq!", "omaha", "isn't a range of hands"),
        ("AKz", "holdem", '"AKz" isn\'t a range of hands'),
        ("5%-15%%", "holdem", '"5%-15%%" isn\'t a range of hands'),
        ("$kk", "omaha", '"$kk" isn\'t a range of hands'),
        ("0.2%", "holdem", "less than the best hand, AA, which is 0.45%"),
        ("150%", "holdem", "more than all hands"),
        ("QQ@0", "holdem", "a weight is above 0"),
        ("QQ@50@20", "holdem", "a weight is above 0"),
        ("!AA@50", "holdem", "hands you take away can't have a weight"),
        ("@50", "holdem", '"@50" isn\'t a range of hands'),
        ("!", "omaha", '"!" isn\'t a range of hands'),
        ("A1s, QQ", "holdem", '"A1s" isn\'t a range of hands'),
        ("AA!AA", "holdem", "leaves no hand"),
        ("QQ+" * 4_000, "holdem", "at most 10,000 characters"),
        ("AA**," * 400, "omaha", "at most 1,000 characters"),
        ("AxKx" * 9, "omaha", "isn't a range of hands"),
        ("RRRRO", "omaha", "isn't a range of hands"),
        ("[A-T][A-T]w9", "holdem", '"[AKQJT][AKQJT]w9" isn\'t a range of hands'),
        ("15%6h", "holdem", '"15%6h": here hands are ranked against one random hand'),
        ("5%-10%6h", "omaha", "not for a full table"),
        ("15%", "omaha5", "percentages work only in four-card Omaha"),
        ("15%", "omaha8", "percentages work only in four-card Omaha"),
    ],
)
def test_what_is_no_range_names_the_term_and_shows_a_right_one(
    text: str, rules: str, sentence: str
) -> None:
    with pytest.raises(TextError, match=re.escape(sentence)) as caught:
        Range.parse(text, PRESETS[rules])
    assert "Example:" in str(caught.value)


@pytest.mark.parametrize(
    "rules",
    [
        ShowdownRules(private=2, public=5, ranking=Ranking.WORST),
        ShowdownRules(private=2, public=3),
        replace(HOLDEM, hi_lo=True),
        replace(PRESETS["omaha"], ranking=Ranking.SHORT_DECK),
        replace(PRESETS["omaha"], public=4),
        replace(PRESETS["omaha"], public_used=5),
    ],
)
def test_games_without_an_order_refuse_percentages(rules: ShowdownRules) -> None:
    """Try games with as many hole cards as hold'em or Omaha, whose orders don't apply to them."""
    with pytest.raises(TextError, match=r"percentages (don.t )?work"):
        Range.parse("15%", rules)


def test_the_letters_of_a_game_have_its_order_however_they_say_it() -> None:
    spelled_out = replace(HOLDEM, private_used=2, public_used=5)
    assert Range.parse("15%", spelled_out) == Range.parse("15%")
    assert game_of(spelled_out, 2) == "holdem"
    assert Range.parse("15%", replace(HOLDEM, jokers=2)) == Range.parse("15%")


# -- the order of hands ---------------------------------------------------------------------------


def test_percentages_of_omaha_are_whole_classes_that_grow_into_one_another() -> None:
    before: set[int] = set()
    for percent in (0.01, 1, 15, 50, 100):
        members = set(Range.parse(f"{percent}%", OMAHA).bits)
        assert before <= members
        assert percent / 100 * 270_725 - 24 <= len(members) <= percent / 100 * 270_725
        before = members
    assert len(before) == 270_725
    middle = Range.parse("1%-15%", OMAHA)
    assert len(middle) == len(Range.parse("15%", OMAHA)) - len(Range.parse("1%", OMAHA))
    assert set().union(*map(change_suits, middle.bits[:999])) <= set(middle.bits)


@pytest.mark.thorough
def test_the_order_of_omaha_hands_has_every_class_once_and_agrees_with_dealing_them() -> None:
    """Sample the equity of eight hands, each an eighth further down the order: it must fall."""
    assert sorted(class_places().tolist()) == list(range(16_432))
    random, order = Random(3), list(Range.parse("100%", OMAHA).bits)
    every = np.array(order, np.uint64)
    places = strongest_first(every, np.ones(len(order), np.int64)).tolist()
    reached = dict(zip(order, places, strict=True))
    order.sort(key=lambda hand: reached[hand])
    assert [str(card.rank) for card in Cards(order[0])] == ["12", "12", "8", "8"]  # AATT
    hands = [order[int(len(order) * part / 8 + random.randrange(2_000))] for part in range(8)]
    values = []
    for hand in hands:
        answer = showdown_odds(
            Scenario(OMAHA, (Cards(hand), Cards())), Effort(deals=20_000, seed=2, ranked=False)
        )
        values.append(float(answer.players[0].value))
    assert values == sorted(values, reverse=True)


@pytest.mark.long
def test_the_order_counts_every_opponent_on_a_board() -> None:
    """Compare `benchmarks.omaha_order`'s sums for a board with exact answers for some hands."""
    from benchmarks.omaha_order import numbering
    from benchmarks.omaha_order_kernel import OPPONENTS, add_board

    hands = list(combinations(range(52), 4))
    each = np.arange(len(hands), dtype=np.int32)
    for board in ("9h 5h 2c Kd Ks", "7c 7d 7h 7s As"):
        points, deals = (np.zeros(len(hands), np.int64) for _ in range(2))
        shared = Cards.parse(board)
        add_board(np.uint64(shared.bits), 3, numbering(), each, points, deals)
        assert points.sum() == deals.sum() == 3 * comb(47, 4) * OPPONENTS
        left = [number for number, hand in enumerate(hands) if deals[number]]
        assert len(left) == comb(47, 4)
        for number in Random(board).sample(left, 4):
            hole = Cards.of(Card(card) for card in hands[number])
            answer = showdown_odds(Scenario(OMAHA, (hole, Cards()), shared), Effort(exact=True))
            assert answer.deals == OPPONENTS
            player = answer.players[0]
            assert points[number] == 3 * (2 * player.win + player.tie)


# -- classes of hands -----------------------------------------------------------------------------

FULL, SHORT = 0x1FFF, 0x1FF0


def change_suits(hand: int) -> set[int]:
    """Return the hands that differ from `hand` only by exchanging suits, `hand` included."""
    suits = [hand >> 13 * suit & 0x1FFF for suit in range(4)]
    return {
        sum(suits[suit] << 13 * place for place, suit in enumerate(order))
        for order in permutations(range(4))
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("private", "ranks", "number"), [(4, FULL, 16_432), (5, FULL, 134_459), (4, SHORT, 3_663)]
)
def test_every_hand_is_of_one_class(private: int, ranks: int, number: int) -> None:
    classes, random = SuitClasses(private, ranks), Random(5)
    assert len(classes.hands) == number
    every = classes.members(classes.row(np.ones(number, np.bool_)))
    cards = [13 * suit + rank for suit in range(4) for rank in range(13) if ranks >> rank & 1]
    assert len(np.unique(every)) == len(every) == classes.often.sum() == comb(len(cards), private)
    assert np.bitwise_or.reduce(every) == sum(1 << card for card in cards)
    for at in random.sample(range(number), 30):
        members = classes.members(classes.row(np.arange(number) == at))
        assert len(members) == classes.often[at]
        assert set(members.tolist()) == change_suits(int(classes.hands[at]))


def test_sets_of_hands_are_joined_whether_they_name_suits_or_not() -> None:
    """Combine sets of hands; a set is stored as 24 rows, one for each exchange of suits."""
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

"""Ranges of hole cards: the hands that a text means in all its spellings, and refused texts."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import RANK_CHARS, Card, Cards
from engine.errors import TextError, UnclearHands, UnclearWeight
from engine.odds.showdown import counting
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.range_terms import ORDERS, combos_of_kind
from engine.odds.showdown.ranges import Range, kinds_of, looks_like_range
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.spelling import spell
from tests.fuzz.wording import work_of

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
OMAHA = PRESETS["omaha"]
COMBOS = {
    "AA": 6,
    "AKs": 4,
    "AKo": 12,
    "KA": 16,
    "A2s+": 48,
    "ATo+": 48,
    "76s-54s": 12,
    "54s-76s": 12,
    "A5s-A2s": 16,
    "QQ+, AKs, 76s-54s": 34,
    "QQ+;AKs": 22,
    "AA, AA": 6,
    "1010": 6,
    "AhKd, AK": 16,
    "any": 1326,
    "random": 1326,
    "T9s – 87s": 12,
    # of all hands so many per cent, whole kinds
    "15%": 196,
    "5%-15%": 136,
    "top 15 %": 196,
    "0.5%": 6,
    "50%-100%": 668,
}


@pytest.mark.parametrize("text", COMBOS)
def test_a_range_has_its_combos(text: str) -> None:
    assert len(Range.parse(text)) == COMBOS[text]


NO_RANGE = {
    "at least one hand": [""],
    "neither suited nor offsuit": ["AAs"],
    "joins hands of different": ["QQ-AKs", "QQ-AK", "76s-54o", "AK-AA", "A2s-K2s"],
    "isn't a range": ["foo", "AhKdQc", "*2c"],
}


@pytest.mark.parametrize("sentence", NO_RANGE)
def test_a_text_that_is_no_range_is_refused_with_an_example(sentence: str) -> None:
    for text in NO_RANGE[sentence]:
        with pytest.raises(TextError, match=sentence) as caught:
            Range.parse(text)
        assert "Example:" in str(caught.value)


def test_a_range_is_kept_as_it_was_said() -> None:
    assert str(Range.parse("random, aks")) == "random, AKs"
    assert str(Range.parse("qq+,aks, 76s-54S")) == "QQ+, AKs, 76s-54s"
    assert str(Range.parse("ＱＱ＋，ａｋｓ")) == "QQ+, AKs"


@given(high=st.sampled_from(RANK_CHARS), low=st.sampled_from(RANK_CHARS))
def test_suited_and_offsuit_make_up_the_whole(high: str, low: str) -> None:
    both = Range.parse(high + low).combos
    assert all(len(combo) == 2 for combo in both)
    if high == low:
        assert len(both) == 6
    else:
        suited, offsuit = Range.parse(high + low + "s").combos, Range.parse(high + low + "o").combos
        assert suited | offsuit == both
        assert not suited & offsuit


RANGES = (
    *("QQ+, AKs", "ak", "any", "QQ+, AhKd", "AhKd, AdKd", "AhXh", "15%", "!AA", "QQ@50", "AKz"),
    *("TT-", "XX", "AhKd; QhQd", "zz+", "zz+, QQ", "$ds", "15%%", "A1s", "A1s, AhKd", "Q0o"),
    *("@50", "@", "!", ":", "QQ:", "%", "ＱＱ＋", "Ａ５ｓ"),
)
CARDS = (
    *("AhKd", "ah", "", "Ah, Kd", "ad,8d", "-", "?", "Ah Kd Qc", "9c*", "banana", "A", "Q"),
    *("AhKd QhQd", "<@1> @all"),
)
OMAHA_RANGES = (
    *("AA**", "AsKs**", "AA", "$ds", "xxyy", "KQJT", "15%", "AAds", "$zz", "zzzz+", "AsKs * *"),
    *("AsAhKsKh, AdAcKdKc", "!AA", "AA:$ds", "AsAhKsKh@0.001"),
)
OMAHA_CARDS = ("AsAhKsKh", "AsAh", "As Ah Ks Kh", "", "As,Ah,Ks,Kh", "banana")


@pytest.mark.parametrize(
    ("ranges", "cards", "rules"), [(RANGES, CARDS, HOLDEM), (OMAHA_RANGES, OMAHA_CARDS, OMAHA)]
)
def test_a_range_is_told_from_cards(
    ranges: tuple[str, ...], cards: tuple[str, ...], rules: ShowdownRules
) -> None:
    as_ranges = [text for text in (*ranges, *cards) if looks_like_range(text, rules)]
    assert as_ranges == list(ranges)


def test_a_joker_is_a_card_where_there_are_jokers() -> None:
    rules = ShowdownRules(private=4, public=5, private_used=2, public_used=3, jokers=2)
    assert not looks_like_range("AsKs**", rules)
    assert parse_scenario(["AsKs**", "QsJs"], rules=rules).known[0].jokers == 2


# -- other spellings, and how a range is said -----------------------------------------------------

SAME = {
    "88- AA": "88-22, AA",
    "99- 66": "99-22",
    "T6o- T8s+": "T6o-T2o, T9s, T8s",
    "99– 66": "99-22",
    "99 - 66": "99-66",
    "88 -": "88-22",
    "5%- 15%": "5%-15%",
    "QQ and up, AJs or higher": "QQ+, AJs+",
    "55 or worse": "55-",
    "10 10+": "TT+",
    "10 9s": "T9s",
    "A K": "AK",
    "[50]QQ, JJ[/50], AA": "QQ@50, JJ@50, AA",
    "[0.5]QQ[/0.5], AA": "QQ@0.5%, AA",
    "[QQ+, AK]": "QQ+, AK",
    "[AK]": "AK",
    "[A-K][A-K]": "AA, KK, AK",
    "[A - K][A, K]": "AA, KK, AK",
    "{A-K}Qs": "AQs, KQs",
    "[25]QQ[/25], [J-T]7": "QQ@25, J7, T7",
    "$B$B": "[AKQJ][AKQJ]",
    "QQ:.125, AA:1": "QQ@12.5, AA",
    "QQ+:0.25, 88-:1.0": "QQ+@25, 88-",
    "hAdK": "AhKd",
    "QQ@50, AA@0.5": "QQ@50, AA@0.5%",
}


@pytest.mark.parametrize("text", SAME)
def test_a_range_in_another_spelling_is_the_same_range(text: str) -> None:
    spelt, expected = Range.parse(text), Range.parse(SAME[text])
    assert (spelt.bits, spelt.weights) == (expected.bits, expected.weights)
    again = Range.parse(spelt.text)
    assert (again.bits, again.weights) == (expected.bits, expected.weights)


@pytest.mark.parametrize(
    ("text", "choices", "reason"),
    [
        ("AA, QQ@.25", ("AA, QQ@0.25%", "AA, QQ@25"), "0.25 per cent or 25 per cent"),
        ("QQ@1", ("QQ@1%", "QQ@100"), "1 per cent or 100 per cent"),
    ],
)
def test_a_weight_of_at_most_one_is_asked_back(
    text: str, choices: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(UnclearWeight, match=reason) as unclear:
        Range.parse(text)
    assert unclear.value.choices == choices
    with pytest.raises(UnclearWeight) as unclear:
        parse_question(f"{text} vs KK")
    assert unclear.value.choices == tuple(f"{choice} vs KK" for choice in choices)


def test_texts_without_other_spellings_stay_as_they_were() -> None:
    for text in ("ahkd vs qq, board 9c 8d 7s", "axkx", "10 random", "76s-54s, 5%-15%", "<@1>"):
        assert spell(text) == text


def test_a_long_text_is_spelled_in_no_time() -> None:
    for text in ("[5]", "[", "ah/", "s", "10 ", "a ", "qq or "):
        assert work_of(lambda text=text: spell(text * (1000 // len(text)))) < 20_000  # type: ignore[misc]


KINDS = {
    "T6o- T8s+": "T8s+, T6o-T2o",
    "A5s-A2s, AJ+": "AJs+, A5s-A2s, AJo+",
    "AK, KQ": "AK, KQ",
    "QQ+, AhKd@50, JJ@25": "QQ+, AhKd@50, JJ@25",
    "AhXh": "AhKh, AhQh, AhJh, AhTh, Ah9h, Ah8h, Ah7h, Ah6h, Ah5h, Ah4h, Ah3h, Ah2h",
}
SHARES = [*(f"{low}%-{low + 13}%" for low in range(0, 87, 7)), "22+", "A2s+, K9-", "100%"]


def test_a_range_is_said_by_its_kinds_of_hands_and_can_be_read_again() -> None:
    assert {text: kinds_of(Range.parse(text)) for text in KINDS} == KINDS
    for text in (*KINDS, *SHARES):
        range_ = Range.parse(text)
        again = Range.parse(kinds_of(range_))
        assert (again.bits, again.weights) == (range_.bits, range_.weights)


@pytest.mark.parametrize(
    ("text", "alone", "climbing"),
    [
        ("54s+", "54s", "54s-AKs"),
        ("T9s or better", "T9s", "T9s-AKs"),
        ("QQ, 10 9+", "T9", "T9-AK"),
        ("KQo+@50", "KQo", "KQo-AKo"),
    ],
)
def test_a_plus_behind_two_ranks_side_by_side_is_asked_back(
    text: str, alone: str, climbing: str
) -> None:
    with pytest.raises(UnclearHands) as caught:
        Range.parse(text)
    assert caught.value.choices == (alone, climbing)
    assert len(Range.parse(alone)) < len(Range.parse(climbing))


def test_a_plus_that_leaves_one_hand_in_any_reading_is_no_question() -> None:
    assert Range.parse("AKs+").combos == Range.parse("AKs").combos
    assert Range.parse("T8s+").combos == Range.parse("T8s, T9s").combos


# -- what each term means, said independently ----------------------------------------------------


def ranks_of(hand: Cards) -> list[int]:
    return sorted((int(card.rank) for card in hand), reverse=True)


def is_suited(hand: Cards) -> bool:
    return len({card.suit for card in hand}) == 1


TERMS: list[tuple[str, Callable[[Cards], bool]]] = [
    ("TT-", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] <= 8),
    ("A5s-", lambda hand: is_suited(hand) and ranks_of(hand)[0] == 12 and ranks_of(hand)[1] <= 3),
    (
        "A2s-A5s",
        lambda hand: is_suited(hand) and ranks_of(hand)[0] == 12 and ranks_of(hand)[1] <= 3,
    ),
    (
        "K9o+",
        lambda hand: (
            not is_suited(hand) and ranks_of(hand)[0] == 11 and 7 <= ranks_of(hand)[1] < 11
        ),
    ),
    ("AhX", lambda hand: Card.parse("Ah") in hand),
    ("XhXh", lambda hand: {card.suit.char for card in hand} == {"h"}),
    ("AX", lambda hand: 12 in ranks_of(hand)),
    ("AXo", lambda hand: not is_suited(hand) and ranks_of(hand)[0] == 12 != ranks_of(hand)[1]),
    ("22+!AA", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] < 12),
    ("22+, !AA, !KK", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] < 11),
    ("AX:XhXh", lambda hand: is_suited(hand) and Card.parse("Ah") in hand),
    ("XX", lambda hand: True),
    ("[A-T][A-T]s", lambda hand: is_suited(hand) and ranks_of(hand)[1] >= 8),
    ("[A-T][A-T]o", lambda hand: not is_suited(hand) and ranks_of(hand)[1] >= 8),
    ("[T-A]", lambda hand: ranks_of(hand)[0] >= 8),
    ("$F$F", lambda hand: {*ranks_of(hand)} <= {9, 10, 11}),
    ("[A,K,Q]9", lambda hand: 7 in ranks_of(hand) and ranks_of(hand)[0] >= 10),
    ("[AK]h[AK]", lambda hand: ranks_of(hand)[1] >= 11 and "h" in str(hand)),
    ("[10-9]h[10-9]s", lambda hand: {*ranks_of(hand)} <= {7, 8} and {*str(hand)} >= {*"hs"}),
    (
        "$W$W, !22+",
        lambda hand: {*ranks_of(hand)} <= {12, 0, 1, 2, 3} and len({*ranks_of(hand)}) > 1,
    ),
    ("AhKh, AdKd", lambda hand: str(hand) in ("Ah Kh", "Ad Kd")),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "meant"), TERMS, ids=[text for text, _ in TERMS])
def test_a_term_means_the_hands_it_says(text: str, meant: Callable[[Cards], bool]) -> None:
    every = (Cards.of(map(Card, pair)) for pair in combinations(range(52), 2))
    assert Range.parse(text).combos == {hand for hand in every if meant(hand)}


@pytest.mark.thorough
def test_percentages_grow_into_one_another_and_end_with_every_hand() -> None:
    before: frozenset[Cards] = frozenset()
    for percent in range(1, 101):
        combos = Range.parse(f"{percent}%").combos
        assert before <= combos
        assert len(combos) <= 13.26 * percent
        if percent > 1:
            slice_ = Range.parse(f"{percent - 1}%-{percent}%") if combos != before else None
            assert slice_ is None or slice_.combos == combos - before
        before = combos
    assert len(before) == 1326


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["holdem", "shortdeck", "shortdeck-trips"])
def test_the_order_of_hands_is_that_of_exact_equity_against_a_random_hand(key: str) -> None:
    rules = PRESETS[key]
    order = ORDERS[key]
    ranks = RANK_CHARS[4:] if rules.ranking.is_short else RANK_CHARS
    kinds = [high + low + end for low, high in combinations(ranks, 2) for end in "so"]
    assert sorted(order) == sorted([*kinds, *(rank * 2 for rank in ranks)])
    first = Random(key).randrange(len(order) - 4)
    values = []
    effort = Effort(exact=True, ranked=False, table=False)
    for label in (order[0], *order[first : first + 4], order[-1]):
        hand = Scenario(rules, (Cards(combos_of_kind(label)[0]), Cards()))
        values.append(showdown_odds(hand, effort).players[0].value)
    assert values == sorted(values, reverse=True)


# -- weights --------------------------------------------------------------------------------------


def test_weights_are_kept_in_lowest_terms_and_the_later_one_stands() -> None:
    range_ = Range.parse("QQ+@50, AKs@25, KK@75")
    weights = dict(zip(range_.bits, range_.weights, strict=True))
    of = {
        Cards.parse(text).bits: weight for text, weight in (("QhQd", 2), ("AhKh", 1), ("KhKd", 3))
    }
    assert {hand: weights[hand] for hand in of} == of
    assert range_.share == Fraction(6 * 2 + 4 * 1 + 6 * 3 + 6 * 2, 3 * 1326)
    assert Range.parse("QQ@50") == Range("QQ@50", Range.parse("QQ").bits)
    assert set(Range.parse("QQ@12.5, JJ").weights) == {1, 8}


def test_an_exact_answer_weighs_the_hands_of_a_range() -> None:
    board, hero = Cards.parse("9h 8h 2c 4d"), Cards.parse("AhKh")
    scenario = Scenario(HOLDEM, (hero, Range.parse("QQ@50, 99@25, AhJh@10, AcJc")), board)
    answer = showdown_odds(scenario, Effort(exact=True))
    win = deals = 0
    for hand, weight in zip(*scenario.weighted_combos(1), strict=True):
        single = showdown_odds(Scenario(HOLDEM, (hero, Cards(hand)), board))
        win += weight * single.players[0].win
        deals += weight * single.deals
    assert (answer.players[0].win, answer.deals) == (win, deals)
    sample = showdown_odds(scenario, Effort(deals=100_000, seed=9)).players[0]
    assert sample.standard_error is not None
    assert abs(float(sample.value - answer.players[0].value)) < 4.5 * sample.standard_error
    fields = answer.to_json()["players"][1]
    assert fields["hands"] == 6 + 6 + 2


def test_weights_too_heavy_for_exact_sums_are_sampled() -> None:
    ranges = tuple(
        Range.parse(text)
        for text in ("AhAd@99.99, KhKd@0.01", "QhQd@99.99, JhJd@0.01", "9h9d@99.99, 8h8d@0.01")
    )
    assert counting.cheapest(Scenario(HOLDEM, ranges)) is None
    flop = Cards.parse("2h 3c 4d")
    assert counting.cheapest(Scenario(HOLDEM, ranges, flop)) is not None


def test_a_short_deck_has_no_small_cards_in_its_ranges() -> None:
    assert len(Range.parse("22+", PRESETS["shortdeck"])) == 9 * 6
    with pytest.raises(TextError, match="leaves no hand"):
        Range.parse("A5s", PRESETS["shortdeck"])

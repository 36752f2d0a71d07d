"""Ranges of hole cards: how many combos a text stands for, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import RANK_CHARS, Card, Cards
from engine.errors import TextError
from engine.odds.showdown import counting
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import HOLDEM, PRESETS, ShowdownRules
from engine.odds.showdown.range_terms import ORDERS, named
from engine.odds.showdown.ranges import Range, looks_like_range
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
OMAHA = PRESETS["omaha"]


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("QQ+", 18),
        ("22+", 78),
        ("A2s+", 48),
        ("ATo+", 48),
        ("KTs+", 12),
        ("76s-54s", 12),
        ("54s-76s", 12),
        ("99-66", 24),
        ("A5s-A2s", 16),
        ("QQ+, AKs, 76s-54s", 34),
        ("QQ+;AKs", 22),
        ("AA, AA", 6),
        ("10 10", 6),
        ("1010", 6),
        ("10 10+", 30),
        ("AhKd", 1),
        ("AhKd, AK", 16),
        ("any", 1326),
        ("random", 1326),
        ("T9s – 87s", 12),
    ],
)
def test_a_range_has_its_combos(text: str, combos: int) -> None:
    assert len(Range.parse(text)) == combos


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at least one hand"),
        ("AAs", "neither suited nor offsuit"),
        ("QQ-AKs", "does not join"),
        ("QQ-AK", "does not join"),
        ("76s-54o", "does not join"),
        ("AK-AA", "does not join"),
        ("A2s-K2s", "does not join"),
        ("foo", '"foo" is not a range'),
        ("AhKdQc", "is not a range"),
        ("*2c", "is not a range"),
    ],
)
def test_a_text_that_is_no_range_is_refused_with_an_example(text: str, sentence: str) -> None:
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


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        *((text, True) for text in ("QQ+, AKs", "ak", "any", "QQ+, AhKd", "AhKd, AdKd", "AhXh")),
        *((text, True) for text in ("15%", "!AA", "QQ@50", "AKz", "TT-", "XX", "AhKd; QhQd")),
        *((text, True) for text in ("zz+", "zz+, QQ", "$ds", "15%%", "A1s", "A1s, AhKd", "Q0o")),
        *((text, True) for text in ("@50", "@", "!", ":", "QQ:", "%", "ＱＱ＋", "Ａ５ｓ")),
        *(
            (text, False)
            for text in ("AhKd", "ah", "", "Ah, Kd", "ad,8d", "-", "?", "Ah Kd Qc", "9c*")
        ),
        *((text, False) for text in ("banana", "A", "Q", "AhKd QhQd", "<@1> @all")),
    ],
)
def test_a_range_is_told_from_cards(text: str, yes: bool) -> None:
    assert looks_like_range(text) is yes


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        *((text, True) for text in ("AA**", "AsKs**", "AA", "$ds", "xxyy", "KQJT", "15%", "AAds")),
        *((text, True) for text in ("$zz", "zzzz+")),
        *(
            (text, True)
            for text in ("AsKs * *", "AsAhKsKh, AdAcKdKc", "!AA", "AA:$ds", "AsAhKsKh@0.001")
        ),
        *(
            (text, False)
            for text in ("AsAhKsKh", "AsAh", "As Ah Ks Kh", "", "As,Ah,Ks,Kh", "banana")
        ),
    ],
)
def test_a_range_of_omaha_is_told_from_cards(text: str, yes: bool) -> None:
    assert looks_like_range(text, OMAHA) is yes


def test_a_joker_is_a_card_where_there_are_jokers() -> None:
    rules = ShowdownRules(private=4, public=5, private_used=2, public_used=3, jokers=2)
    assert not looks_like_range("AsKs**", rules)
    assert parse_scenario(["AsKs**", "QsJs"], rules=rules).known[0].jokers == 2


# -- what each term means, said independently ----------------------------------------------------

RANKS = "23456789TJQKA"


def ranks_of(hand: Cards) -> list[int]:
    return sorted((int(card.rank) for card in hand), reverse=True)


def suited(hand: Cards) -> bool:
    return len({card.suit for card in hand}) == 1


TERMS: list[tuple[str, Callable[[Cards], bool]]] = [
    ("TT-", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] <= 8),
    ("22-", lambda hand: ranks_of(hand) == [0, 0]),
    ("A5s-", lambda hand: suited(hand) and ranks_of(hand)[0] == 12 and ranks_of(hand)[1] <= 3),
    ("A2s-A5s", lambda hand: suited(hand) and ranks_of(hand)[0] == 12 and ranks_of(hand)[1] <= 3),
    (
        "K9o+",
        lambda hand: not suited(hand) and ranks_of(hand)[0] == 11 and 7 <= ranks_of(hand)[1] < 11,
    ),
    ("AhXh", lambda hand: suited(hand) and Card.parse("Ah") in hand),
    ("AhX", lambda hand: Card.parse("Ah") in hand),
    ("XhXh", lambda hand: {card.suit.char for card in hand} == {"h"}),
    ("AXs", lambda hand: suited(hand) and 12 in ranks_of(hand)),
    ("AX", lambda hand: 12 in ranks_of(hand)),
    ("AXo", lambda hand: not suited(hand) and ranks_of(hand)[0] == 12 != ranks_of(hand)[1]),
    ("!AA", lambda hand: ranks_of(hand) != [12, 12]),
    ("22+!AA", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] < 12),
    ("22+, !AA, !KK", lambda hand: ranks_of(hand)[0] == ranks_of(hand)[1] < 11),
    ("AX:XhXh", lambda hand: suited(hand) and Card.parse("Ah") in hand),
    ("100%", lambda hand: True),
    ("XX", lambda hand: True),
    ("AhKh, AdKd", lambda hand: str(hand) in ("Ah Kh", "Ad Kd")),
]


@pytest.mark.untraced
@pytest.mark.parametrize(("text", "meant"), TERMS, ids=[text for text, _ in TERMS])
def test_a_term_means_the_hands_it_says(text: str, meant: Callable[[Cards], bool]) -> None:
    every = (Cards.of(map(Card, pair)) for pair in combinations(range(52), 2))
    assert Range.parse(text).combos == {hand for hand in every if meant(hand)}


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("15%", 196),
        ("5%-15%", 136),
        ("10%", 130),
        ("top 15 %", 196),
        ("0.5%", 6),
        ("50%-100%", 668),
    ],
)
def test_a_percentage_is_of_all_hands(text: str, combos: int) -> None:
    found = Range.parse(text)
    assert len(found) == combos
    assert combos <= 1326


@pytest.mark.untraced
def test_percentages_grow_into_one_another_and_end_with_every_hand() -> None:
    before: frozenset[Cards] = frozenset()
    for percent in range(1, 101):
        combos = Range.parse(f"{percent}%").combos
        assert before <= combos
        assert len(combos) <= 13.26 * percent
        if percent > 1:
            rest = Range.parse(f"{percent - 1}%-{percent}%") if combos != before else None
            assert rest is None or rest.combos == combos - before
        before = combos
    assert len(before) == 1326


@pytest.mark.parametrize("key", ["holdem", "shortdeck", "shortdeck-trips"])
def test_the_order_of_hands_is_that_of_exact_equity_against_a_random_hand(key: str) -> None:
    rules = PRESETS[key]
    order = ORDERS[rules.ranking]
    kinds = [a + b + s for a, b in combinations(reversed(RANKS), 2) for s in "so"]
    kinds += [rank * 2 for rank in RANKS]
    lowest = "6" if rules.ranking.is_short else "2"
    assert sorted(order) == sorted(
        kind for kind in kinds if min(map(RANKS.index, kind[:2])) >= RANKS.index(lowest)
    )
    first = Random(key).randrange(len(order) - 4)
    values = []
    effort = Effort(exact=True, ranked=False, table=False)
    for label in (order[0], *order[first : first + 4], order[-1]):
        hand = Scenario(rules, (Cards(named(label)[0]), Cards()))
        values.append(showdown_odds(hand, effort).players[0].value)
    assert values == sorted(values, reverse=True)


def test_weights_are_kept_in_lowest_terms_and_the_later_one_stands() -> None:
    found = Range.parse("QQ+@50, AKs@25, KK@75")
    weights = dict(zip(found.bits, found.weights, strict=True))
    of = {
        Cards.parse(text).bits: weight for text, weight in (("QhQd", 2), ("AhKh", 1), ("KhKd", 3))
    }
    assert {hand: weights[hand] for hand in of} == of
    assert found.share == Fraction(6 * 2 + 4 * 1 + 6 * 3 + 6 * 2, 3 * 1326)
    assert Range.parse("QQ@50") == Range("QQ@50", Range.parse("QQ").bits)
    assert set(Range.parse("QQ@12.5, JJ").weights) == {1, 8}


def test_an_exact_answer_weighs_the_hands_of_a_range() -> None:
    board, hero = Cards.parse("9h 8h 2c 4d"), Cards.parse("AhKh")
    for text in ("QQ@50, 99@25, AJs", "QQ@50, AhJh@10, AcJc"):
        held = Range.parse(text)
        answer = showdown_odds(Scenario(HOLDEM, (hero, held), board), Effort(exact=True))
        win = deals = 0
        for hand, weight in zip(*Scenario(HOLDEM, (hero, held), board).weighed(1), strict=True):
            one = showdown_odds(Scenario(HOLDEM, (hero, Cards(hand)), board))
            win += weight * one.players[0].win
            deals += weight * one.deals
        assert (answer.players[0].win, answer.deals) == (win, deals)
        sample = showdown_odds(
            Scenario(HOLDEM, (hero, held), board), Effort(deals=100_000, seed=9)
        ).players[0]
        assert sample.standard_error is not None
        assert abs(float(sample.value - answer.players[0].value)) < 4.5 * sample.standard_error


def test_weights_too_heavy_for_exact_sums_are_sampled() -> None:
    ranges = tuple(
        Range.parse(text)
        for text in ("AhAd@99.99, KhKd@0.01", "QhQd@99.99, JhJd@0.01", "9h9d@99.99, 8h8d@0.01")
    )
    assert counting.cheapest(Scenario(HOLDEM, ranges)) is None
    flop = Cards.parse("2h 3c 4d")
    assert counting.cheapest(Scenario(HOLDEM, ranges, flop)) is not None


def test_a_sample_draws_hands_by_their_weights() -> None:
    """On a whole board the answer is which of two hands was drawn."""
    held = Range.parse("AhAd@25, 3h3d@75")
    deals = 40_000
    scenario = Scenario(HOLDEM, (held, Cards.parse("KsQd")), Cards.parse("Kh 9c 8d 4s 2c"))
    win = showdown_odds(scenario, Effort(exact=False, deals=deals)).players[0].win
    assert abs(win / deals - 0.25) < 4.5 * (0.25 * 0.75 / deals) ** 0.5
    told = showdown_odds(scenario, Effort(exact=True)).to_json()
    assert (told["deals"], told["players"][0]["win"]) == (4, 1)
    assert told["players"][0]["hands"] == 2


def test_a_short_deck_has_no_small_cards_in_its_ranges() -> None:
    assert len(Range.parse("22+", PRESETS["shortdeck"])) == 9 * 6
    assert len(Range.parse("A5s-", PRESETS["holdem"])) == 16
    with pytest.raises(TextError, match="leaves no hand"):
        Range.parse("A5s", PRESETS["shortdeck"])

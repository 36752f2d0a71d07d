"""The bids and hands in a solved round's table, compared with all deals of the round."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest

from engine import variants
from engine.bids import Kind, holds
from engine.cards import Cards
from engine.ladder import Ladder
from engine.players.blueprint.abstraction import abstraction_of
from engine.variants import ruleset
from tests.third_game import VARIANT

THAI = ruleset("thai_poker")


def known(rules, cards):
    """Return the abstraction of a round; assert that there is one."""
    round_ = abstraction_of(rules, cards)
    assert round_ is not None
    return round_


@pytest.fixture
def third(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    return ruleset(VARIANT.key)


@pytest.mark.long
@pytest.mark.parametrize("cards", [(1, 1), (1, 2), (2, 1)])
def test_a_round_has_the_chances_and_truths_of_all_its_deals(cards):
    round_ = known(THAI, cards)
    deals: Counter[tuple[int, ...]] = Counter()
    truths: dict[tuple[int, ...], set] = {}
    for first in combinations(THAI.deck.order, cards[0]):
        left = [card for card in THAI.deck.order if card not in first]
        for second in combinations(left, cards[1]):
            each = Cards.of(first), Cards.of(second)
            hands = tuple(round_.hand_of(seat, hole.bits) for seat, hole in enumerate(each))
            deals[hands] += 1
            truths.setdefault(hands, set()).add(
                tuple(holds(THAI.ladder.at(place), each[0] | each[1]) for place in round_.bids)
            )
    total = sum(deals.values())
    for hands in product(*map(range, map(len, round_.hands))):
        assert round_.chance[hands] == pytest.approx(deals[hands] / total)
        if deals[hands]:
            assert truths[hands] == {tuple(round_.true[:, *hands])}


def test_a_card_each_has_the_chances_and_truths_of_its_deals():
    round_ = known(THAI, (1, 1))
    assert round_.chance.sum() == pytest.approx(1)
    ace, nine = (round_.hand_of(0, Cards.parse(card).bits) for card in ("As", "9c"))
    assert round_.chance[ace, ace] == pytest.approx(1 / 6 * 3 / 23)
    assert round_.chance[ace, nine] == pytest.approx(1 / 6 * 4 / 23)
    pair = round_.places[next(p for p, bid in enumerate(THAI.ladder) if bid.key == "pair:A")]
    assert round_.true[pair, ace, ace]
    assert not round_.true[pair, ace, nine]


def test_it_leaves_out_only_bids_that_so_few_cards_cannot_make():
    round_ = known(THAI, (1, 1))
    pools = [Cards.of(pool) for pool in combinations(THAI.deck.order, 2)]
    possible = [n for n, bid in enumerate(THAI.ladder) if any(holds(bid, p) for p in pools)]
    assert list(round_.bids) == possible
    assert round_.places[possible[3]] == 3


def test_of_many_cards_it_leaves_out_what_tells_suits_and_hands_are_ranks():
    round_ = known(THAI, (3, 3))
    left_out = {bid.kind for n, bid in enumerate(THAI.ladder) if n not in round_.bids}
    assert left_out == {Kind.FLUSH, Kind.STRAIGHT_FLUSH, Kind.ROYAL_FLUSH}
    assert len(round_.bids) == 56
    assert [len(hands) for hands in round_.hands] == [56, 56]


def test_jokers_are_cards_of_a_kind_of_their_own(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    round_ = known(ruleset(VARIANT.key, {"jokers": 1}), (1, 2))
    assert len(round_.kinds) == 5
    joker = round_.hand_of(0, Cards.parse("*").bits)
    # three jacks: two of them and the joker
    jacks = round_.hand_of(1, Cards.parse("Jc Jd").bits)
    assert round_.true[4, joker, jacks]
    assert not round_.true[5, joker, jacks]
    with_joker = Cards.parse("Jc Jd *")
    assert round_.cards_of(tuple((with_joker.bits & kind).bit_count() for kind in round_.kinds))


def test_of_a_long_ladder_it_leaves_out_what_needs_several_of_two_ranks_or_a_joker():
    liars = ruleset("liars_poker")
    for cards, kinds in (
        ((2, 2), {Kind.HIGH_CARD, Kind.PAIR, Kind.THREE, Kind.FOUR}),
        ((3, 3), {Kind.HIGH_CARD, Kind.PAIR, Kind.THREE, Kind.STRAIGHT, Kind.FOUR}),
    ):
        round_ = known(liars, cards)
        places = [n for n, bid in enumerate(liars.ladder) if bid.kind in kinds]
        assert list(round_.bids) == places
        assert len(round_.kinds) == 14
    assert [len(hands) for hands in known(liars, (2, 3)).hands] == [105, 559]


@pytest.mark.parametrize("cards", [(0, 0), (9, 9)], ids=str)
def test_rounds_without_bids_or_with_too_many_hands_are_not_known(cards):
    assert abstraction_of(THAI, cards) is None


def test_rounds_with_too_many_bids_or_bids_on_one_rung_are_not_known(third):
    assert abstraction_of(ruleset("liars_poker"), (2, 4)) is None
    jack, queen, king, ace = (third.ladder.at(place) for place in range(4))
    assert (
        abstraction_of(replace(third, ladder=Ladder(((jack, queen), (king, ace)))), (1, 1)) is None
    )

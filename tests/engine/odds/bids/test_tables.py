"""The table that answers every question about Thai Poker's bids."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Cards
from engine.odds import OddsError, bid_chance, bid_table, holdings
from engine.variants import ruleset
from tests.naive_bids import chance_by_trying, hands_of_bid

THAI = ruleset("thai_poker")
BIDS = tuple(THAI.ladder)
TABLE = bid_table(THAI)
numbers = st.integers(0, len(BIDS) - 1)
seats = st.lists(st.sampled_from(THAI.deck.order), max_size=24, unique=True).map(Cards.of)


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(number=numbers, known=seats, in_play=st.integers(1, 24))
def test_the_table_gives_the_chance_of_the_single_bid(
    number: int, known: Cards, in_play: int
) -> None:
    if len(known) > in_play:
        assert TABLE.ways(number, in_play, known.bits) == 0
    else:
        exact = bid_chance(BIDS[number], THAI.deck, in_play, known)
        assert TABLE.chance(number, in_play, known) == exact


@settings(max_examples=40, deadline=None)
@given(number=numbers, draw=st.data())
def test_the_table_agrees_with_trying_every_deal(number: int, draw: st.DataObject) -> None:
    known = draw.draw(seats.filter(lambda cards: 1 <= len(cards) <= 10))
    in_play = len(known) + draw.draw(st.integers(0, 2))
    hands = hands_of_bid(BIDS[number], THAI.deck)
    tried = chance_by_trying(hands, THAI.deck, in_play, known)
    chance = TABLE.chance(number, in_play, known)
    assert (chance.favourable, chance.total) == tried


@pytest.mark.thorough
def test_all_323_million_answers_add_up() -> None:
    """Check each bid's sum of ways over all choices of k known cards.

    A pool of n cards in which the bid holds is counted once for each choice of k of its cards.
    """
    known = holdings(THAI.deck, 6)
    assert known.size == len(np.unique(known)) == 190_051
    first = np.cumsum([0] + [comb(24, held) for held in range(7)])
    for number, bid in enumerate(BIDS):
        answers = TABLE.ways_of_bid(number, known)
        assert answers.shape == (190_051, 25)
        summed = np.add.reduceat(answers, first[:-1], axis=0, dtype=np.int64)
        for in_play in range(1, 25):
            ways = bid_chance(bid, THAI.deck, in_play).favourable
            for held in range(7):
                assert summed[held, in_play] == comb(in_play, held) * ways


def test_many_questions_at_once_have_the_answers_of_each() -> None:
    known = holdings(THAI.deck, 2)
    out = np.empty((known.size, 25), np.int32)
    for number in range(0, len(BIDS), 9):
        columns = [[TABLE.ways(number, n, int(bits)) for n in range(25)] for bits in known]
        assert TABLE.ways_of_bid(number, known).tolist() == columns
        assert TABLE.ways_of_bid(number, known, out) is out
        assert out.tolist() == columns
    assert (TABLE.bids, TABLE.nbytes) == (68, 135_000)


@pytest.mark.parametrize(("jokers", "cards"), [(2, 54), (0, 52)])
def test_a_game_with_jokers_or_too_many_cards_has_no_table(jokers: int, cards: int) -> None:
    with pytest.raises(OddsError) as caught:
        bid_table(ruleset("liars_poker", {"jokers": jokers}))
    assert str(caught.value) == (
        "a table of every answer is for at most 33 cards and no jokers,"
        f" not for {cards} cards with {jokers} jokers. Example: a deck of 24 cards"
    )
    with pytest.raises(OddsError, match="2c isn't in this 24-card deck"):
        TABLE.chance(0, 9, Cards.parse("2c"))

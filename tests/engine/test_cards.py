"""Cards, sets of cards and their text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import MAX_JOKERS, Card, Cards, Rank, Suit, rank_bits
from engine.errors import TextError

NUMBERS = st.sets(st.integers(0, 51 + MAX_JOKERS))


def test_cards_are_numbered_by_suit_and_then_by_rank():
    assert Card.of(Rank.TWO, Suit.CLUBS).number == 0
    assert Card.of(Rank.ACE, Suit.CLUBS).number == 12
    assert Card.of(Rank.TWO, Suit.DIAMONDS).number == 13
    assert Card.of(Rank.ACE, Suit.SPADES).number == 51
    assert Card.joker().number == 52
    for number in (-1, 52 + MAX_JOKERS):
        with pytest.raises(ValueError, match="0 to 63"):
            Card(number)
    for rank in Rank:
        assert set(Cards(rank_bits(rank))) == {Card.of(rank, suit) for suit in Suit}


def test_a_natural_card_is_read_back_from_its_text_and_from_its_symbol():
    for card in map(Card, range(52)):
        assert Card.of(card.rank, card.suit) == card
        for text in (str(card), card.symbol, str(card).upper(), f" {card} "):
            assert Card.parse(text) == card
    ten = Card.parse("10h")
    assert (str(ten), ten.symbol, ten.rank.label, ten.rank.char) == ("Th", "10♥", "10", "T")
    assert [suit.symbol for suit in Suit] == ["♣", "♦", "♥", "♠"]
    for text in ("", "Ah Kd"):
        with pytest.raises(TextError, match="expected one card"):
            Card.parse(text)


def test_a_joker_has_neither_rank_nor_suit():
    joker = Card.joker(1)
    assert (joker.is_joker, str(joker), joker.symbol) == (True, "*", "★")
    with pytest.raises(ValueError, match="no rank"):
        _ = joker.rank
    with pytest.raises(ValueError, match="no suit"):
        _ = joker.suit


@pytest.mark.parametrize(
    "text",
    [
        *("Kd Ah *", "ahkd*", "AH,KD,*", "a♥ k♦ ★", "A♡;K♢|*", "*kdah", "A♥\ufe0f+K♦\ufe0f+*"),
        *("Ａｈ Kd *", "Ah/Kd/*", "Ah-Kd-*", "[Ah Kd *]", "hA dK *"),
    ],
)
def test_a_set_is_understood_however_it_is_spaced_and_drawn(text):
    """Compare the set as text: jokers come first, then the other cards from the ace down."""
    assert str(Cards.parse(text)) == "* Ah Kd"


def test_each_star_is_a_further_joker():
    assert Cards.parse("**") == Cards.of([Card.joker(0), Card.joker(1)])
    assert Cards.parse("* " * MAX_JOKERS).jokers == MAX_JOKERS
    with pytest.raises(TextError, match="at most 12 jokers"):
        Cards.parse("*" * (MAX_JOKERS + 1))
    assert str(Cards.parse("2c As Ac Kh * Ah h10")) == "* As Ah Ac Kh Th 2c"
    with pytest.raises(ValueError, match="Ah occurs twice"):
        Cards.of([Card.parse("Ah"), Card.parse("Ah")])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ah Ah", "Ah is given twice"),
        ("Ah K", '"K" is missing its suit'),
        ("10", '"10" is missing its suit'),
        ("1h", '"1h" isn\'t a card'),
        ("Ah nonsensenonsense", '"nonsensenons…" isn\'t a card'),
        ("<@1234>", '"<@1234>" isn\'t a card'),
        ("x" * 10_000, "expected a few cards, got 10,000 characters"),
    ],
)
def test_a_text_that_is_no_set_is_refused_in_a_sentence_with_an_example(text, reason):
    with pytest.raises(TextError) as caught:
        Cards.parse(text)
    assert str(caught.value).startswith(reason)
    assert "Example:" in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.thorough
@given(st.text())
def test_any_text_is_a_set_or_a_text_error(text):
    try:
        cards = Cards.parse(text)
    except TextError:
        return
    assert Cards.parse(str(cards)) == cards


@given(NUMBERS, NUMBERS)
def test_a_set_of_cards_behaves_as_a_set(these, those):
    a, b = (Cards.of(map(Card, numbers)) for numbers in (these, those))
    assert {card.number for card in a} == these
    assert {card.number for card in a | b} == these | those
    assert {card.number for card in a & b} == these & those
    assert {card.number for card in a - b} == these - those
    assert a.isdisjoint(b) == these.isdisjoint(those)
    assert len(a) == len(these)
    assert bool(a) == bool(these)
    assert a.jokers == sum(number >= 52 for number in these)
    assert {card.number for card in a.naturals} == {n for n in these if n < 52}
    assert all((Card(number) in a) == (number in these) for number in range(64))
    for suit in Suit:
        ranks = [card.rank for card in a.naturals if card.suit is suit]
        assert a.suit_mask(suit) == sum(1 << rank for rank in ranks)

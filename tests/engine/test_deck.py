"""Decks."""

from __future__ import annotations

import pytest

from engine.cards import MAX_JOKERS, DeckSpec, Rank


def test_a_plain_deck_has_fifty_two_cards_in_the_order_of_their_numbers():
    deck = DeckSpec()
    assert [card.number for card in deck.order] == list(range(52))
    assert len(deck.cards) == deck.size == 52


def test_jokers_come_last():
    deck = DeckSpec(jokers=2)
    assert [card.number for card in deck.order] == list(range(54))
    assert deck.cards.jokers == 2


def test_a_short_deck_has_each_of_its_ranks_in_every_suit():
    deck = DeckSpec(ranks=tuple(rank for rank in Rank if rank >= Rank.NINE))
    assert " ".join(map(str, deck.order)) == (
        "9c Tc Jc Qc Kc Ac 9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    )


def test_a_deck_without_ranks_or_suits_is_refused():
    with pytest.raises(ValueError, match="at least one rank"):
        DeckSpec(ranks=())
    with pytest.raises(ValueError, match="at least one rank"):
        DeckSpec(suits=())


@pytest.mark.parametrize("jokers", [-1, MAX_JOKERS + 1])
def test_a_deck_has_at_most_twelve_jokers(jokers):
    with pytest.raises(ValueError, match="0 to 12 jokers"):
        DeckSpec(jokers=jokers)

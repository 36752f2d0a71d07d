"""What a joker stands for, told from a bid and its proof."""

from __future__ import annotations

import pytest

from bot.boards.showdown import stand_ins
from engine.bids import Bid, Kind, Need, proof
from engine.cards import Card, Cards
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS


def said(text: str, pool: str) -> list[str]:
    """What the jokers of `pool` stand for when a bid of Liars' Poker is judged."""
    bid = ruleset(LIARS).wording.parse(text)
    found = stand_ins(bid, proof(bid, Cards.parse(pool)))
    return [found[joker].symbol for joker in sorted(found)]


@pytest.mark.parametrize(
    ("text", "pool", "symbols"),
    [
        ("pair of aces", "As Kd *", ["A"]),
        ("three aces", "As * *", ["A", "A"]),
        ("five aces", "As Ah Ad Ac *", ["A"]),
        ("nines over sevens", "9s 9h 7c * *", ["9", "7"]),
        ("straight to the nine", "9s 8h 6c 5c *", ["7"]),
        ("straight flush to the nine of clubs", "9c 8c 6c 5c *", ["7♣"]),
        ("royal flush of hearts", "Ah Kh Th * *", ["Q♥", "J♥"]),
        ("pair of aces", "As Ad *", []),
        ("pair of aces", "As Kd", []),
    ],
)
def test_a_joker_stands_for_what_the_bid_lacks(text: str, pool: str, symbols: list[str]) -> None:
    assert sorted(said(text, pool)) == sorted(symbols)


def test_in_a_flush_a_joker_is_any_card_of_its_suit() -> None:
    assert said("8c flush", "8c 6c 4c 2c *") == ["♣"]


def test_a_joker_serves_a_bid_that_fails_all_the_same() -> None:
    assert said("four aces", "As *") == ["A"]


def test_jokers_beyond_what_is_needed_stand_for_nothing() -> None:
    assert said("pair of aces", "As * *") == ["A"]


def test_without_a_common_rank_or_suit_it_is_the_best_card_missing() -> None:
    bid = Bid(Kind.HIGH_CARD, (), None, (Need(Cards.parse("As Kd Qh"), 2),))
    (meaning,) = stand_ins(bid, proof(bid, Cards.parse("As *"))).values()
    assert meaning.symbol == "K♦"


def test_every_used_joker_of_every_bid_stands_for_a_card_of_a_need() -> None:
    pool = Cards.parse("As Ad Kc 9c 7c 5d * *")
    for bid in ruleset(LIARS).ladder:
        judged = proof(bid, pool)
        found = stand_ins(bid, judged)
        assert set(found) == set(judged.jokers)
        for joker, meaning in found.items():
            assert isinstance(joker, Card)
            assert any(
                meaning.rank in (None, card.rank) and meaning.suit in (None, card.suit)
                for need in bid.needs
                for card in need.cards
            )

"""Three Card Poker's counts, compared with dealing every hand of short decks and the full deck."""

from itertools import combinations

import numpy as np
import pytest

from engine.odds.three_card import AnteBonus
from engine.odds.three_card.hands import all_hands, showdowns, suit_classes
from engine.odds.three_card.seats import seat_two
from tests import naive_three_card as naive


def _worths(ranks: int) -> list[tuple[int, ...]]:
    """Return all hand values of the naive judge, weakest first; an index is a strength."""
    return sorted({naive.hand_value(hand, ranks) for hand in combinations(range(4 * ranks), 3)})


@pytest.mark.long
@pytest.mark.parametrize(("ranks", "qualifies"), [(5, 0), (5, 12)])
def test_counting_agrees_with_dealing_a_short_deck_out(ranks: int, qualifies: int) -> None:
    played = showdowns(qualifies, ranks)
    met = naive.every_deal(ranks, _worths(ranks)[qualifies])
    hands = all_hands(ranks)
    assert len(met) == len(hands.cards)
    for place, (hand, counts) in enumerate(met.items()):
        at = hands.suit_class[place]
        assert tuple(hands.cards[place]) == hand
        counted = [
            played.win[at],
            played.tie[at],
            played.lose[at],
            played.not_qualified[at],
        ]
        assert counted == counts


def test_all_22100_hands_are_ordered_as_the_naive_judge_orders_them() -> None:
    place = {worth: strength for strength, worth in enumerate(_worths(13))}
    judged = [place[naive.hand_value(hand)] for hand in combinations(range(52), 3)]
    assert all_hands().strength.tolist() == judged


@pytest.mark.thorough
def test_counting_agrees_with_all_407_million_showdowns_one_by_one() -> None:
    """Compare one hand of each suit class with every dealer hand, by the naive judge."""
    place = {worth: strength for strength, worth in enumerate(_worths(13))}
    hands = list(combinations(range(52), 3))
    worth = np.array([place[naive.hand_value(hand)] for hand in hands], dtype=np.int16)
    bits = np.array([sum(1 << card for card in hand) for hand in hands])
    played = showdowns()
    classes = suit_classes()
    qualified = worth >= place[naive.HIGH_CARD, 10, 1, 0]
    for suit_class, cards in enumerate(classes.cards.tolist()):
        possible = bits & sum(1 << card for card in cards) == 0
        strength = place[naive.hand_value(cards)]
        against = worth[possible & qualified]
        assert np.count_nonzero(possible) - len(against) == played.not_qualified[suit_class]
        assert np.count_nonzero(against < strength) == played.win[suit_class]
        assert np.count_nonzero(against == strength) == played.tie[suit_class]
        assert np.count_nonzero(against > strength) == played.lose[suit_class]


def test_classes_hold_the_hands_they_say() -> None:
    assert np.bincount(all_hands().suit_class).tolist() == suit_classes().hands.tolist()


@pytest.mark.long
@pytest.mark.parametrize(("ranks", "qualifies"), [(4, 0), (5, 8), (5, 18)])
def test_seat_two_agrees_with_dealing_three_hands_from_a_short_deck(
    ranks: int, qualifies: int
) -> None:
    worths = _worths(ranks)
    hands = list(combinations(range(4 * ranks), 3))
    judged = [naive.hand_value(hand, ranks) for hand in hands]
    bits = np.array([sum(1 << card for card in hand) for hand in hands])
    apart = bits[:, None] & bits[None, :] == 0
    dealers, left = int(apart[0].sum()), 0
    blind_net = seeing_net = changed = own_hands_changed = 0
    for hand_, worth in enumerate(judged):
        pays = np.array([naive.payoff(worth, dealer, worths[qualifies]) for dealer in judged])
        pays[~apart[hand_]] = 0
        beside = np.flatnonzero(apart[hand_])
        nets = apart[beside] @ pays
        left = int((apart[beside[0]] & apart[hand_]).sum())
        plays_blind = pays.sum() > -dealers
        # Each dealer hand is met once for every hand that can be seen beside it.
        assert nets.sum() == pays.sum() * left
        blind_net += max(int(pays.sum()), -dealers) * left
        turned = (nets < -left) if plays_blind else (nets > -left)
        seeing_net += int(np.maximum(nets, -left).sum())
        changed += int(turned.sum())
        own_hands_changed += bool(turned.any())
    second = seat_two(showdowns(qualifies, ranks))
    assert second.deals == len(hands) * dealers * left
    assert second.decisions == len(hands) * dealers
    assert second.blind_net == blind_net
    assert second.seeing_net == seeing_net
    assert second.changed == changed
    assert second.blind.classes.hands[second.changed_hands > 0].sum() == own_hands_changed


def test_seeing_seat_ones_cards_is_worth_six_hundredths_of_a_percent() -> None:
    second = seat_two()
    assert second.deals == 6_180_846_672_000
    assert second.blind_net * 407_170_400 == second.deals * (-13_733_780 - 18_424 * 1_168)
    blind, seeing = second.expected_values(AnteBonus())
    assert blind == -13_733_780 / 407_170_400
    assert seeing == pytest.approx(-0.033114, abs=5e-7)
    assert second.changed / second.decisions == pytest.approx(0.0165, abs=5e-5)


@pytest.mark.long
@pytest.mark.parametrize("cards", [(10, 17, 28), (10, 17, 27)])
def test_one_hand_of_seat_two_agrees_with_every_seen_hand_and_dealer(
    cards: tuple[int, int, int],
) -> None:
    """Try Q-6-4 (plays if no hand is seen) and Q-6-3 (then folds): 280 million showdowns each."""
    hands = all_hands()
    own_bits = sum(1 << card for card in cards)
    place = int(np.flatnonzero(hands.bits == own_bits)[0])
    left = hands.bits[hands.bits & own_bits == 0]
    strength = hands.strength[hands.bits & own_bits == 0]
    pays = np.where(
        strength < showdowns().qualifies, 1, 2 * np.sign(hands.strength[place] - strength)
    ).astype(np.float32)
    nets = np.concatenate(
        [
            (left[start : start + 256, None] & left[None, :] == 0).astype(np.float32) @ pays
            for start in range(0, len(left), 256)
        ]
    )
    plays_blind = pays.sum() > -18_424
    turned = nets < -15_180 if plays_blind else nets > -15_180
    second = seat_two()
    suit_class = hands.suit_class[place]
    assert second.changed_hands[suit_class] == np.count_nonzero(turned)
    assert second.gain[suit_class] == np.abs(nets[turned] + 15_180).sum(dtype=np.float64)

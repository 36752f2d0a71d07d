"""Does sitting second matter? Compares seat two, seeing seat one's cards, with seat two blind.

Three hands are dealt: seat two's own, seat one's, the dealer's; 6,180,846,672,000 deals with 52
cards. For each own hand and each seen hand, the payoff is summed over the possible dealer hands, by
inclusion and exclusion over the three seen cards. A bound finds the own hands whose decision can't
change, so that their seen hands needn't be counted. docs/three-card.md derives both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from engine.odds.three_card.hands import (
    HandClasses,
    IntArray,
    PrefixCounts,
    Showdowns,
    all_hands,
    prefix_counts,
    showdowns,
)
from engine.odds.three_card.pay import AnteBonus

_BATCH = 16  # hands processed at once: their sums for one first card stay in the level-2 cache


@dataclass(frozen=True, eq=False)
class SeatTwo:
    """Seat two's best play, blind and after seeing seat one's cards, over all deals of three hands.

    `blind_net` and `seeing_net` are what seat two wins, in units of the ante, summed over
    `deals`, without an ante bonus. `decisions` is the number of pairs of seat two's hand and
    the hand it sees. `changed` is the number of pairs where the seen hand turns a fold into a
    play or a play into a fold; a tie changes nothing. `blind` has the outcomes of each hand
    with nothing seen. The arrays have an entry for each suit class, for one hand of the class.
    `changed_hands` is the number of seen hands that change its decision. `gain` is what it
    gains by seeing them, in units of the ante, summed over the deals in which seat two holds
    it.
    """

    deals: int
    blind_net: int
    seeing_net: int
    decisions: int
    changed: int
    blind: Showdowns
    changed_hands: IntArray
    gain: IntArray

    def expected_values(self, bonus: AnteBonus) -> tuple[float, float]:
        """Return the expected values of seat two's play, blind and after seeing seat one's cards.

        They are in units of the ante and include the ante `bonus`. Every hand with a bonus is
        always played, so the bonus adds the same to both values.
        """
        classes = self.blind.classes
        pairs = self.deals // int(classes.hands.sum())
        paid = int(classes.hands @ bonus.units(classes)) * pairs
        return (self.blind_net + paid) / self.deals, (self.seeing_net + paid) / self.deals


def seat_two(played: Showdowns | None = None) -> SeatTwo:
    """Count how often seeing seat one's hand changes seat two's decision, and what that is worth.

    `played` gives the deck and the dealer's qualifying hand; None is the usual game. A hand is
    played if its expected value is above -1 ante, the value of folding. An ante bonus would not
    change a decision: it doesn't depend on seen cards, and is for hands that are always played.
    """
    blind = showdowns() if played is None else played
    classes = blind.classes
    # the dealer's possible hands after two hands are dealt
    dealers = comb(classes.deck_size - 6, 3)
    sight = _Sight(blind, dealers)
    changed_hands = np.zeros_like(classes.hands)
    gain = np.zeros_like(classes.hands)
    for same_payoff in sight.open_classes():
        payoff = sight.payoff(int(same_payoff[0]))
        for start in range(0, len(same_payoff), _BATCH):
            batch = same_payoff[start : start + _BATCH]
            changed_hands[batch], gain[batch] = sight.count_changes(batch, payoff)
    blind_net = int(classes.hands @ np.maximum(blind.net, -classes.dealers)) * dealers
    return SeatTwo(
        deals=classes.deals * dealers,
        blind_net=blind_net,
        seeing_net=blind_net + int(classes.hands @ gain),
        decisions=classes.deals,
        changed=int(classes.hands @ changed_hands),
        blind=blind,
        changed_hands=changed_hands,
        gain=gain,
    )


class _Sight:
    """Computes how three seen cards change decisions, for one deck and qualifying hand.

    Cards are numbered `deck_ranks * suit + rank`.
    """

    def __init__(self, blind: Showdowns, dealers: int) -> None:
        self.blind = blind
        self.classes = blind.classes
        self.dealers = dealers
        self.size = blind.classes.deck_size
        self.cube = _strength_cube(blind.classes.deck_ranks)

    def open_classes(self) -> list[IntArray]:
        """Return the suit classes whose decision may change if the player sees three cards.

        The classes are grouped by payoff and blind decision. All hands weaker than the weakest
        qualifying one lose to every dealer that qualifies, so they have the same payoff. Stronger
        hands have the same payoff if they are equal in strength.
        """
        low, high = self._bounds()
        plays = self.blind.net > -self.classes.dealers
        turns = np.where(plays, low < -self.dealers, high > -self.dealers)
        payoffs = np.maximum(self.classes.strength, self.blind.qualifies - 1)
        groups = 2 * payoffs + plays
        return [np.flatnonzero(turns & (groups == group)) for group in np.unique(groups[turns])]

    def _bounds(self) -> tuple[IntArray, IntArray]:
        """Return a lower and an upper bound of each class's net after any three cards are seen.

        The net after seeing s1, s2, s3 is `net - with(s1) - with(s2) - with(s3) + twice`. `with`
        sums the payoff over the dealers that hold the card. `twice` corrects for the dealers that
        hold two of the cards, 3 * (size - 6) hands, or all three, one hand that counts twice. Each
        hand's payoff is at most 2 antes, so |twice| <= 2 * (3 * (size - 6) + 2).
        """
        with_card = payoff_with_card(self.blind, self.cube)
        slack = 2 * (3 * (self.size - 6) + 2)
        # The player's own cards cannot be seen elsewhere.
        held = self.classes.cards
        far = np.iinfo(np.int64).max // 8
        np.put_along_axis(with_card, held, far, axis=1)
        smallest = np.partition(with_card, 2, axis=1)[:, :3].sum(axis=1)
        np.put_along_axis(with_card, held, -far, axis=1)
        largest = np.partition(with_card, self.size - 3, axis=1)[:, -3:].sum(axis=1)
        return self.blind.net - largest - slack, self.blind.net - smallest + slack

    def payoff(self, suit_class: int) -> NDArray[np.int32]:
        """Return what each dealer hand pays to a hand of class `suit_class`, in antes.

        The shape is (cards, cards, cards), with 0 where a card occurs twice. The caller leaves out
        dealer hands with the player's cards.
        """
        player_strength = int(self.classes.strength[suit_class])
        strength = np.arange(len(self.classes.keys) + 1)
        pays = np.where(strength < self.blind.qualifies, 1, 2 * np.sign(player_strength - strength))
        pays[-1] = 0
        return pays.astype(np.int32)[self.cube]

    def count_changes(
        self, batch: IntArray, payoff: NDArray[np.int32]
    ) -> tuple[IntArray, IntArray]:
        """Return how many seen hands change each class's decision, and what the changes gain.

        The gain is in antes, summed over seen hands and dealer hands. The classes `batch` are from
        one group of `open_classes`, with the same `payoff`. Goes through the seen hands by their
        first card; each occurs twice, with its other two cards in either order.
        """
        with_two, with_one, net = _sums_without(payoff, self.classes.cards[batch])
        sign = np.int32(1 if net[0] > -self.classes.dealers else -1)
        # The sums for the seen cards themselves, signed so that a negative total is a changed
        # decision. A large positive number excludes impossible hands: with the player's cards, or
        # with a card twice.
        far = np.int32(1 << 24)
        pair = sign * with_two
        pair[:, np.arange(self.size), np.arange(self.size)] = far
        single = sign * with_one
        np.put_along_axis(single, self.classes.cards[batch], -far, axis=1)
        standing = sign * (net + self.dealers).astype(np.int32)
        signed_payoff = sign * payoff
        changed = np.zeros(len(batch), dtype=np.int64)
        gained = np.zeros(len(batch), dtype=np.int64)
        for first in range(self.size - 2):
            later = slice(first + 1, self.size)
            either = pair[:, first, later] - single[:, later]
            total = pair[:, later, later] - signed_payoff[first, later, later]
            total += either[:, :, None]
            total += (either + (standing - single[:, first])[:, None])[:, None, :]
            np.minimum(total, 0, out=total)
            changed += np.count_nonzero(total, axis=(1, 2))
            gained -= total.sum(axis=(1, 2), dtype=np.int64)
        return changed // 2, gained // 2


def _strength_cube(deck_ranks: int) -> NDArray[np.int16]:
    """Return the strength of any three cards, in any order.

    If a card is repeated, the three aren't a hand: their entry is one above the highest strength.
    """
    hands = all_hands(deck_ranks)
    size = 4 * deck_ranks
    cube = np.full((size, size, size), len(prefix_counts(deck_ranks).every) - 1, dtype=np.int16)
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        first, second, third = hands.cards[:, order].T
        cube[first, second, third] = hands.strength
    return cube


def _sums_without(
    payoff: NDArray[np.int32], held: IntArray
) -> tuple[NDArray[np.int32], NDArray[np.int32], IntArray]:
    """Return payoffs summed over dealers without the player's cards `held` (batch, 3).

    The first array has sums over the dealers that hold two given cards (batch, cards, cards).
    The second has sums over the dealers that hold one given card (batch, cards). The third has
    sums over all dealers (batch,). Sums for the player's own cards are 0.
    """
    batch = np.arange(len(held))
    with_two = payoff.sum(axis=2, dtype=np.int32) - payoff[:, :, held].sum(axis=3).transpose(
        2, 0, 1
    )
    for place in range(3):
        with_two[batch, held[:, place], :] = 0
        with_two[batch, :, held[:, place]] = 0
    with_one = with_two.sum(axis=2, dtype=np.int32) // 2
    return with_two.astype(np.int32), with_one, with_one.sum(axis=1, dtype=np.int64) // 3


def payoff_with_card(blind: Showdowns, cube: NDArray[np.int16]) -> IntArray:
    """Return each class's payoff summed over the dealers that hold a given card, in antes.

    The shape is (classes, cards); entries for the player's own cards are meaningless. The dealers
    are counted by inclusion and exclusion over the player's cards, as in `weaker_dealers`.
    """
    classes = blind.classes
    strength = classes.strength
    counts = prefix_counts(classes.deck_ranks)

    def weaker(below: IntArray) -> IntArray:
        return _weaker_with_card(classes, counts, cube, below)

    not_qualified = weaker(np.full_like(strength, blind.qualifies))
    beaten = weaker(np.maximum(strength, blind.qualifies))
    not_stronger = weaker(np.maximum(strength + 1, blind.qualifies))
    dealers = comb(classes.deck_size - 4, 2)
    return not_qualified + 2 * (beaten - not_qualified) - 2 * (dealers - not_stronger)


def _weaker_with_card(
    classes: HandClasses, counts: PrefixCounts, cube: NDArray[np.int16], below: IntArray
) -> IntArray:
    """Count the dealer hands below a strength, with a given card and none of the player's.

    The shape is (classes, cards). `below` has the strength for each class.
    """
    deck_ranks = classes.deck_ranks
    card = np.arange(classes.deck_size)
    rank, suit = card % deck_ranks, card // deck_ranks
    at = below[:, None]
    hands = counts.with_card[at, rank[None, :]]
    for place in range(3):
        own_rank = classes.ranks[:, place, None]
        high, low = np.maximum(own_rank, rank), np.minimum(own_rank, rank)
        suited = classes.suits[:, place, None] == suit
        kind = np.where(suited, high * deck_ranks + low, low * deck_ranks + high)
        hands -= counts.with_pair[at, kind]
    cards = classes.cards
    for first, second in ((0, 1), (0, 2), (1, 2)):
        hands += cube[cards[:, first], cards[:, second]] < at
    return hands

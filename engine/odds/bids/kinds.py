"""The exact chance of "any hand of a kind" among the cards in play, given the known ones.

With j jokers in the pool a kind is absent if every hand of it lacks more than j natural cards. For
each kind, generating functions over ranks or suits count the natural draws without it (docs/odds.md
derives them); at the end, they are summed over the number of jokers.

"Any hand of a kind" is in play if some bid of this kind on a ladder would hold. A flush is five
cards of a suit, jokers included. Some games require a bid to name a flush by a six or higher, or by
its highest card. That changes no chance: with five natural cards of a suit, or four and a joker,
some flush can always be named, since only four ranks are lower than the six. Straight flushes
include the royal ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from engine.bids import Kind, straight_ranks
from engine.cards import Cards, DeckSpec, Rank
from engine.odds.bids.exact import (
    NOTHING_KNOWN,
    Packed,
    Unseen,
    choices,
    coefficient,
    shift,
    unseen_cards,
)
from engine.odds.chance import Chance, check_question

RUN: Final = 5
ACE_BIT: Final = 1 << Rank.ACE


class Holding(NamedTuple):
    """The known cards, by rank and by suit of the deck.

    `ranks` has, for each rank of the deck, the numbers of known and of unseen cards. The other
    fields are 13-bit masks: `suits` has the known ranks in each suit, `spread` the ranks known in
    at least one suit, `deck_ranks` the deck's ranks.
    """

    ranks: tuple[tuple[int, int], ...]
    suits: tuple[int, ...]
    spread: int
    deck_ranks: int

    @staticmethod
    def of(known: Cards, deck: DeckSpec) -> Holding:
        """Return the holding of `known`, cards of `deck`."""
        suits = tuple(known.suit_mask(suit) for suit in deck.suits)
        spread = 0
        for mask in suits:
            spread |= mask
        held = [sum(mask >> rank & 1 for mask in suits) for rank in deck.ranks]
        return Holding(
            ranks=tuple((count, len(suits) - count) for count in held),
            suits=suits,
            spread=spread,
            deck_ranks=sum(1 << rank for rank in deck.ranks),
        )


def kind_chances(
    kinds: Iterable[Kind], deck: DeckSpec, in_play: int, known: Cards = NOTHING_KNOWN
) -> dict[Kind, Chance]:
    """Return, by kind, the exact chance that the cards in play make a hand of that kind.

    Raises `OddsError` as `bid_chance` does.
    """
    check_question(deck, in_play, known)
    unseen = unseen_cards(known, deck, in_play)
    return _chances(tuple(kinds), Holding.of(known, deck), unseen)


def kind_table(
    kinds: Iterable[Kind], deck: DeckSpec, numbers: Iterable[int]
) -> dict[int, dict[Kind, Chance]]:
    """Return `kind_chances` with nothing known, for each of several `numbers` of cards in play.

    Raises `OddsError` for a number that the deck can't have in play.
    """
    listed = tuple(kinds)
    holding = Holding.of(NOTHING_KNOWN, deck)
    table = {}
    for in_play in numbers:
        check_question(deck, in_play, NOTHING_KNOWN)
        table[in_play] = _chances(listed, holding, unseen_cards(NOTHING_KNOWN, deck, in_play))
    return table


def _chances(kinds: tuple[Kind, ...], holding: Holding, unseen: Unseen) -> dict[Kind, Chance]:
    total = unseen.deals
    chances = {}
    for kind in kinds:
        absent = _without(kind, holding, unseen.held_jokers, unseen.jokers)
        chances[kind] = Chance(total - coefficient(absent, unseen.draws), total)
    return chances


@lru_cache(maxsize=1024)
def _without(kind: Kind, holding: Holding, held_jokers: int, unseen_jokers: int) -> Packed:
    """Count draws after which no hand of `kind` can be made, even with the jokers.

    Coefficient n of the result counts the draws of n cards. `held_jokers` is the number of jokers
    among the known cards.
    """
    return sum(
        comb(unseen_jokers, drawn) * shift(LACKING[kind](holding, held_jokers + drawn), drawn)
        for drawn in range(unseen_jokers + 1)
    )


def _no_rank_of(count: int) -> Callable[[Holding, int], Packed]:
    """Return a function that counts draws without `count` cards of a rank.

    After such a draw, every rank has at most `count - 1 - jokers` natural cards, known ones
    included.
    """

    def lacking(holding: Holding, jokers: int) -> Packed:
        return _every_rank_at_most(holding.ranks, count - 1 - jokers)

    return lacking


@lru_cache(maxsize=1024)
def _every_rank_at_most(ranks: tuple[tuple[int, int], ...], most: int) -> Packed:
    product = 1
    for (held, unseen), times in Counter(ranks).items():
        product *= choices(unseen, 0, most - held) ** times
    return product


def _no_two_ranks_of(first: int, second: int) -> Callable[[Holding, int], Packed]:
    """Return a function that counts draws without `first` cards of a rank and `second` of another.

    Jokers replace missing cards. `first` must be at least `second`. Only a draw's two fullest
    ranks matter: the draw counts if more cards are missing from them than there are jokers.
    """

    def lacking(holding: Holding, jokers: int) -> Packed:
        ways = 0
        copies = sum(holding.ranks[0])
        for low in range(second + 1):
            highs = [
                high
                for high in range(low, copies + 1)
                if max(0, first - high) + max(0, second - low) > jokers
            ]
            if highs:
                ways += _two_fullest(holding.ranks, highs[-1], low)
                ways -= _two_fullest(holding.ranks, highs[-1], low - 1)
        return ways

    return lacking


@lru_cache(maxsize=1024)
def _two_fullest(ranks: tuple[tuple[int, int], ...], fullest: int, others: int) -> Packed:
    """Count draws with at most `fullest` cards in one rank, at most `others` in every other rank.

    Known cards are included. The count adds two cases: no rank has more than `others` cards, or
    exactly one rank has.
    """
    ways = _every_rank_at_most(ranks, others)
    for rank, times in Counter(ranks).items():
        held, unseen = rank
        remaining = list(ranks)
        remaining.remove(rank)
        exceeding = choices(unseen, max(0, others + 1 - held), fullest - held)
        ways += times * exceeding * _every_rank_at_most(tuple(remaining), others)
    return ways


def _no_flush(holding: Holding, jokers: int) -> Packed:
    """Count draws after which every suit has at most `4 - jokers` cards, known ones included."""
    size = holding.deck_ranks.bit_count()
    product = 1
    for mask in holding.suits:
        held = mask.bit_count()
        product *= choices(size - held, 0, RUN - 1 - jokers - held)
    return product


def _no_straight(holding: Holding, jokers: int) -> Packed:
    """Count draws whose ranks, with the known ones and the jokers, contain no straight."""
    copies = len(holding.suits)
    new_rank = choices(copies, 1, copies)
    idle = sum(unseen for held, unseen in holding.ranks if held)
    masks = _rank_sets_without_run(holding.spread, holding.deck_ranks, RUN - 1 - jokers)
    ways = 0
    for power in reversed(range(14)):  # Horner's rule
        ways = ways * new_rank + coefficient(masks, power)
    return ways * choices(idle, 0, idle)


def _no_straight_flush(holding: Holding, jokers: int) -> Packed:
    """Count draws after which no suit contains a straight, even with the jokers."""
    product = 1
    for mask in holding.suits:
        product *= _rank_sets_without_run(mask, holding.deck_ranks, RUN - 1 - jokers)
    return product


def _no_royal_flush(holding: Holding, jokers: int) -> Packed:
    """Count draws after which every suit has at most `4 - jokers` of its cards from ten to ace.

    Counts all draws if the deck lacks one of these ranks.
    """
    royal = _straight_mask(Rank.ACE)
    most = RUN if royal & ~holding.deck_ranks else RUN - 1 - jokers
    product = 1
    for mask in holding.suits:
        held = (mask & royal).bit_count()
        unseen = (holding.deck_ranks & royal & ~mask).bit_count()
        others = (holding.deck_ranks & ~royal & ~mask).bit_count()
        product *= choices(unseen, 0, most - held) * choices(others, 0, others)
    return product


def _straight_mask(top: Rank) -> int:
    return sum(1 << rank for rank in straight_ranks(top))


@lru_cache(maxsize=1024)
def _rank_sets_without_run(forced: int, possible: int, most: int) -> Packed:
    """Count the sets of `possible` ranks that have all `forced` ranks and no straight.

    A set has a straight if it has more than `most` of the straight's five ranks. Straights with an
    impossible rank don't count. Coefficient i counts the sets with i ranks that aren't forced.
    Ranks are tried from the deuce up, remembering only the last four. The ace is decided first, as
    it is also below the deuce.
    """
    tops = [top for top in Rank if top >= Rank.FIVE and not _straight_mask(top) & ~possible]
    ways = 0
    for ace in (0, 1):
        if (forced & ACE_BIT and not ace) or (ace and not possible & ACE_BIT):
            continue
        states = {ace << 3: 1}  # the last four ranks, the lowest in bit 0
        for rank in range(Rank.TWO, Rank.ACE + 1):
            reached: dict[int, Packed] = {}
            for present in (0, 1):
                if rank == Rank.ACE:
                    allowed = present == ace
                else:
                    allowed = bool(possible >> rank & 1 if present else not forced >> rank & 1)
                if not allowed:
                    continue
                chosen = present and not forced >> rank & 1
                for last, count in states.items():
                    window = last | present << 4
                    if rank not in tops or window.bit_count() <= most:
                        key = window >> 1
                        reached[key] = reached.get(key, 0) + shift(count, chosen)
            states = reached
        ways += sum(states.values())
    return ways


LACKING: Final[dict[Kind, Callable[[Holding, int], Packed]]] = {
    Kind.HIGH_CARD: _no_rank_of(1),
    Kind.PAIR: _no_rank_of(2),
    Kind.TWO_PAIR: _no_two_ranks_of(2, 2),
    Kind.THREE: _no_rank_of(3),
    Kind.FLUSH: _no_flush,
    Kind.STRAIGHT: _no_straight,
    Kind.FULL_HOUSE: _no_two_ranks_of(3, 2),
    Kind.FOUR: _no_rank_of(4),
    Kind.STRAIGHT_FLUSH: _no_straight_flush,
    Kind.ROYAL_FLUSH: _no_royal_flush,
    Kind.FIVE: _no_rank_of(5),
}

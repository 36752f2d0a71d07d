"""A ruleset as flat arrays for compiled loops: bids, showdowns, exact odds, deals and penalties.

Everything is derived from the ruleset, so that each rule is defined in one place, and a new game
needs no change here. A bid is its index in the ladder's order, cards are bits.

A bid's chance depends on few numbers: how many cards (and jokers among them) are known, how many
are hidden, and how many needed cards of each of the bid's classes are known. So all chances fit one
table of a few hundred kilobytes, filled with the exact counts of `engine.odds` (docs/odds.md has
the derivation) and rounded to 32 bits only at the end.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.odds.bids.bid_table import Shape, open_classes, split_into_shape
from engine.odds.bids.exact import choices, coefficient, shift, terms
from engine.ruleset import Ruleset

Ints = NDArray[np.int64]
Masks = NDArray[np.uint64]
Floats = NDArray[np.float32]

MOST_TRUSTED: Final = 6  # the most cards that other players are trusted to hold
FLOOR: Final = 0.02  # keeps the logarithm of a chance finite
CLOSE_PARTS: Final = 2  # a bid with at most this many parts needs no inner loop


class RuleArrays(NamedTuple):
    """A ruleset as arrays.

    B is the number of bids, N the most needs of a bid, P the most parts of a bid, D the number of
    cards, S the most seats. A bid's row of `odds` is its `base` plus, for each of its `parts`, the
    number of known cards in `part_mask`, at most `part_most`, times `part_stride`.
    """

    deck: Ints  # (D) card numbers, in the order before a shuffle
    wild: np.uint64  # the jokers of the deck, as bits
    rung: Ints  # (B) number of the bid's rung, from 1
    above: Ints  # (B) index of the weakest bid on a higher rung; B if there is none
    needs: Ints  # (B) number of the bid's classes
    masks: Masks  # (B, N) cards of each class
    counts: Ints  # (B, N) number of cards needed of each class
    total: Ints  # (B) number of cards needed in all
    used: Masks  # (B) cards in any of its classes
    kind: Ints  # (B) number of the bid's kind, from 0
    base: Ints  # (B) first row of the bid's shape
    parts: Ints  # (B) number of parts
    part_mask: Masks  # (B, P)
    part_most: Ints  # (B, P)
    part_stride: Ints  # (B, P)
    odds: Floats  # (jokers + 1, known + 1, hidden + 1, rows): chance that the bid holds
    logs: Floats  # the same shape: log(chance + FLOOR) / 4
    prior: Floats  # (D + 1, B) chance with no card known, by the number of cards in play
    starting: Ints  # (S + 1) cards at first, by number of players
    limits: Ints  # (S + 1) the most cards a player may hold
    by_start: bool  # whether limits count the players who started, not those left
    anyone: bool  # whether everybody but the bidder may challenge
    middle: bool  # whether a middle hand is dealt
    first_out: bool  # when a player is out, whether only those with the fewest cards stay in


@cache
def arrays_of(rules: Ruleset) -> RuleArrays:
    """Return the arrays of `rules`, made once in each process (takes about 0.1 s)."""
    bids = tuple(rules.ladder)
    shapes = [split_into_shape(bid) for bid in bids]
    needs = max(len(bid.needs) for bid in bids)
    parts = max(CLOSE_PARTS, *(len(places) for _, places in shapes))
    masks, counts = np.zeros((len(bids), needs), np.uint64), np.zeros((len(bids), needs), np.int64)
    part_mask = np.zeros((len(bids), parts), np.uint64)
    part_most, part_stride = (np.zeros((len(bids), parts), np.int64) for _ in range(2))
    most_known = min(rules.deck.size, max(rules.card_limits) + MOST_TRUSTED)
    first_row: dict[Shape, int] = {}
    rows: list[NDArray[np.float64]] = []
    for place, (bid, (shape, places)) in enumerate(zip(bids, shapes, strict=True)):
        for number, need in enumerate(bid.needs):
            masks[place, number], counts[place, number] = need.cards.bits, need.count
        if shape not in first_row:
            first_row[shape] = len(rows)
            rows += [
                _row(shape, states, rules.deck.size, rules.deck.jokers, most_known)
                for states in product(*(range(group.states) for group in shape))
            ]
        for number, (mask, most, stride) in enumerate(places):
            part_mask[place, number] = mask
            part_most[place, number], part_stride[place, number] = most, stride
    base = np.array([first_row[shape] for shape, _ in shapes], np.int64)
    odds = np.ascontiguousarray(np.array(rows).transpose(1, 2, 3, 0))
    kinds = rules.ladder.kinds
    return RuleArrays(
        deck=np.array([card.number for card in rules.deck.order], np.int64),
        wild=np.uint64(sum(1 << card.number for card in rules.deck.order if card.is_joker)),
        rung=np.array([rules.ladder.number(bid) for bid in bids], np.int64),
        above=np.array([rules.ladder.first_above(place) for place in range(len(bids))], np.int64),
        needs=np.array([len(bid.needs) for bid in bids], np.int64),
        masks=masks,
        counts=counts,
        total=counts.sum(axis=1),
        used=np.bitwise_or.reduce(masks, axis=1),
        kind=np.array([kinds.index(bid.kind) for bid in bids], np.int64),
        base=base,
        parts=np.array([len(places) for _, places in shapes], np.int64),
        part_mask=part_mask,
        part_most=part_most,
        part_stride=part_stride,
        odds=odds.astype(np.float32),
        logs=(np.log(odds + FLOOR) / 4).astype(np.float32),
        prior=np.ascontiguousarray(odds[0, 0][:, base]).astype(np.float32),
        starting=np.array(rules.starting_cards, np.int64),
        limits=np.array(rules.card_limits, np.int64),
        by_start=rules.limit_counts == "starting",
        anyone=rules.challengers == "anyone",
        middle=rules.middle_hand,
        first_out=rules.length == "first_out",
    )


def _row(
    shape: Shape, states: tuple[int, ...], size: int, jokers: int, most_known: int
) -> NDArray[np.float64]:
    """Return the chances of one row of the odds table; 0 if impossible.

    The axes are the numbers of known jokers, known cards and hidden cards. `states` has, for each
    group of the bid's shape, how many needed cards are known.
    """
    needed = open_classes(shape, states)
    aside = sum(cards for cards, _ in needed)
    counted = terms(needed, jokers)
    chances = np.zeros((jokers + 1, most_known + 1, size + 1))
    for held, known in product(range(jokers + 1), range(most_known + 1)):
        naturals, wild = size - jokers - (known - held), jokers - held
        if known < held or naturals < aside:
            continue
        good = sum(
            term.weight
            * shift(
                choices(naturals - term.aside, 0, size)
                * choices(wild, max(0, term.short - held), wild),
                term.drawn,
            )
            for term in counted
        )
        for hidden in range(naturals + wild + 1):
            chances[held, known, hidden] = coefficient(good, hidden) / comb(naturals + wild, hidden)
    return chances

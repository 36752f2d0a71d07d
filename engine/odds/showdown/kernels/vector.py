"""Sampled hold'em in lanes: the same deals as `sample`, worked on many at a time.

Every step is a plain loop over arrays without branches or look-ups that depend on the lane, which
the compiler turns into vector instructions. That pays only where vectors are wide and can count
bits (AVX-512); elsewhere the scalar kernel is faster, so `dealing` picks by machine. The evaluator
works on four suit masks: its scores order hands like the tables, and their top bits are the
category. The shuffle of `sample` is replayed without moving cards: what lies at a place
of the deck follows from the places picked before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload, register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.sample import BLOCK, MIX_ONE, MIX_TWO, STEP, WORD, block_start

TABLE_VERSION = "d3093f58f111"
U8 = np.uint8
U32 = np.uint32
U64 = np.uint64


def set_bits(mask):
    """How many bits are set; one instruction when compiled."""
    return U32(int(mask).bit_count())


def top_bit(mask):
    """The highest bit that is set, 0 for 0; three instructions when compiled."""
    return U32(1 << int(mask).bit_length() >> 1)


def choose(condition, yes, no):
    """`yes if condition else no` without a branch when compiled."""
    return yes if condition else no


@intrinsic
def _ctpop(typing, value):  # pragma: no cover (code of the compiler's, not of the program's)
    return value(value), lambda _context, build, _signature, given: build.ctpop(given[0])


@intrinsic
def _ctlz(typing, value):  # pragma: no cover
    def emit(_context, build, _signature, given):
        return build.ctlz(given[0], ir.Constant(ir.IntType(1), 0))

    return value(value), emit


@intrinsic
def _select(typing, condition, yes, no):  # pragma: no cover
    def emit(_context, build, _signature, given):
        wanted = build.trunc(given[0], ir.IntType(1))
        return build.select(wanted, given[1], given[2])

    return yes(condition, yes, no), emit


INLINE: Any = {"forceinline": True}


@overload(set_bits, jit_options=INLINE)
def _set_bits(mask):  # pragma: no cover
    return lambda mask: _ctpop(U32(mask))


@overload(top_bit, jit_options=INLINE)
def _top_bit(mask):  # pragma: no cover
    return lambda mask: U32(U32(mask) & U32(U32(0x80000000) >> _ctlz(U32(mask | U32(1)))))


@overload(choose, jit_options=INLINE)
def _choose(condition, yes, no):  # pragma: no cover
    return lambda condition, yes, no: _select(condition, yes, no)


@register_jitable(forceinline=True)
def without_low_bit(mask):
    """`mask` without its lowest bit that is set."""
    return U32(mask & U32(mask - U32(1)))


@register_jitable(forceinline=True)
def lane_straight(mask):
    """The top card's bit of the best straight in 13 ranks; 0 if there is none."""
    wheel = U32(U32(mask << U32(1)) | U32(mask >> U32(12)))
    run = U32(wheel & U32(wheel >> U32(1)))
    run = U32(run & U32(run >> U32(2)))
    return top_bit(U32(run & U32(wheel >> U32(4))))


@register_jitable(forceinline=True)
def lane_score(clubs, diamonds, hearts, spades):
    """The strength of seven cards as `category << 26 | ...`, without a branch or a table."""
    either, other = U32(clubs | diamonds), U32(hearts | spades)
    both, pair = U32(clubs & diamonds), U32(hearts & spades)
    ones = U32(either | other)
    twos = U32(U32(both | pair) | U32(either & other))
    threes = U32(U32(both & other) | U32(pair & either))
    fours = U32(both & pair)
    suited = choose(set_bits(clubs) >= U32(5), clubs, U32(0))
    suited = choose(set_bits(diamonds) >= U32(5), diamonds, suited)
    suited = choose(set_bits(hearts) >= U32(5), hearts, suited)
    suited = choose(set_bits(spades) >= U32(5), spades, suited)
    ranks = choose(suited != U32(0), suited, ones)
    run = lane_straight(ranks)
    number = set_bits(ranks)
    five = choose(number > U32(5), without_low_bit(ranks), ranks)
    five = choose(number > U32(6), without_low_bit(five), five)
    three = top_bit(threes)
    pairs = U32(twos ^ three)
    first = top_bit(pairs)
    second = top_bit(U32(pairs ^ first))
    two_pair = U32(first | second)
    score = five
    rest = without_low_bit(without_low_bit(U32(ones ^ first)))
    score = choose(first != U32(0), U32(U32(1 << 26) | U32(first << U32(13)) | rest), score)
    rest = top_bit(U32(ones ^ two_pair))
    score = choose(second != U32(0), U32(U32(2 << 26) | U32(two_pair << U32(13)) | rest), score)
    rest = without_low_bit(without_low_bit(U32(ones ^ three)))
    score = choose(three != U32(0), U32(U32(3 << 26) | U32(three << U32(13)) | rest), score)
    score = choose(run != U32(0), U32(U32(4 << 26) | run), score)
    full = U32(U32(6 << 26) | U32(three << U32(13)) | first)
    score = choose((three != U32(0)) & (first != U32(0)), full, score)
    rest = top_bit(U32(ones ^ fours))
    score = choose(fours != U32(0), U32(U32(7 << 26) | U32(fours << U32(13)) | rest), score)
    flush = choose(run != U32(0), U32(U32(8 << 26) | run), U32(U32(5 << 26) | five))
    return choose(suited != U32(0), flush, score)


@njit(cache=True, nogil=True)
def pick_places(start, deal, draws, size, picks):
    """Fill `picks` (draws, lanes): where in what is left of the deck each draw reaches."""
    step = U64((draws + 1) // 2)
    for draw in range(draws):
        left = U64(size - draw)
        half = U64(32 * (draw & 1))
        for lane in range(picks.shape[1]):
            word = U64(start + U64(U64(deal + lane) * step + U64(draw // 2 + 1)) * STEP)
            word = U64(U64(word ^ U64(word >> U64(30))) * MIX_ONE)
            word = U64(U64(word ^ U64(word >> U64(27))) * MIX_TWO)
            word = U64(word ^ U64(word >> U64(31)))
            part = U64(U64(word >> half) & WORD)
            picks[draw, lane] = U8(U64(U64(part * left) >> U64(32)) + U64(draw))


@njit(cache=True, nogil=True)
def follow(picks, earlier, moved, place):
    """Where `place` holds a pick made before, put what that pick had moved there."""
    for lane in range(place.shape[0]):
        there = place[lane]
        place[lane] = choose(picks[lane] == earlier[lane], moved[lane], there)


@njit(cache=True, nogil=True)
def resolve(picks, moved, places):
    """Fill `places` (draws, lanes) with the places in the fresh deck that the picks drew.

    `moved[e]` is the place in the fresh deck of the card that draw e moved to its pick.
    """
    lanes = picks.shape[1]
    own = np.empty(lanes, np.uint8)
    for draw in range(picks.shape[0]):
        places[draw] = picks[draw]
        own[:] = U8(draw)
        moved[draw] = U8(draw)
        for before in range(draw):
            follow(picks[draw], picks[before], moved[before], places[draw])
            follow(own, picks[before], moved[before], moved[draw])


@njit(cache=True, nogil=True)
def add_cards(places, bits, hands):
    """Add the card at each lane's place to the lane's hand."""
    for lane in range(hands.shape[0]):
        hands[lane] |= bits[places[lane]]


@njit(cache=True, nogil=True)
def score_lanes(hands, boards, scores):
    """The score of every lane's hole cards and board."""
    for lane in range(hands.shape[0]):
        cards = U64(hands[lane] | boards[lane])
        scores[lane] = lane_score(
            U32(U32(cards) & U32(0x1FFF)),
            U32(U32(cards >> U64(13)) & U32(0x1FFF)),
            U32(U32(cards >> U64(26)) & U32(0x1FFF)),
            U32(U32(cards >> U64(39)) & U32(0x1FFF)),
        )


@njit(cache=True, nogil=True)
def raise_best(scores, best):
    """Raise `best` to each lane's score where that is higher."""
    for lane in range(best.shape[0]):
        best[lane] = choose(scores[lane] > best[lane], scores[lane], best[lane])


@njit(cache=True, nogil=True)
def count_best(scores, best, winners):
    """Count in `winners` the lanes' players whose score is the best."""
    for lane in range(best.shape[0]):
        winners[lane] = U32(winners[lane] + U32(scores[lane] == best[lane]))


@njit(cache=True, nogil=True)
def won_among(scores, best, winners, number):
    """In how many lanes this player is one of `number` winners."""
    total = U32(0)
    for lane in range(best.shape[0]):
        total = U32(total + U32(U32(scores[lane] == best[lane]) & U32(winners[lane] == number)))
    return total


@njit(cache=True, nogil=True)
def sample_lanes(deck, known, missing, board, seed, first, deals, ranked, shares, kinds):
    """Like `sample.sample_holdem` for the high ranking, and with the same sums.

    `deals` must be a multiple of `BLOCK`.
    """
    players = known.shape[0]
    size = deck.shape[0]
    unseen = 5
    for card in range(52):
        unseen -= np.int64((board >> U64(card)) & U64(1))
    draws = unseen + missing.sum()
    bits = np.zeros(64, np.uint64)
    for at in range(size):
        bits[at] = U64(1) << U64(deck[at])
    picks = np.empty((draws, BLOCK), np.uint8)
    moved = np.empty((draws, BLOCK), np.uint8)
    places = np.empty((draws, BLOCK), np.uint8)
    boards = np.empty(BLOCK, np.uint64)
    hands = np.empty(BLOCK, np.uint64)
    scores = np.empty((players, BLOCK), np.uint32)
    best = np.empty(BLOCK, np.uint32)
    winners = np.empty(BLOCK, np.uint32)
    for deal in range(0, deals, BLOCK):
        start = block_start(seed, first + deal // BLOCK)
        pick_places(start, deal % BLOCK, draws, size, picks)
        resolve(picks, moved, places)
        boards[:] = board
        for draw in range(unseen):
            add_cards(places[draw], bits, boards)
        at = unseen
        best[:] = U32(0)
        for player in range(players):
            hands[:] = known[player]
            for _ in range(missing[player]):
                add_cards(places[at], bits, hands)
                at += 1
            score_lanes(hands, boards, scores[player])
            raise_best(scores[player], best)
        winners[:] = U32(0)
        for player in range(players):
            count_best(scores[player], best, winners)
        for player in range(players):
            for number in range(1, players + 1):
                shares[player, number] += won_among(scores[player], best, winners, U32(number))
            if ranked:
                for lane in range(BLOCK):
                    kinds[player, scores[player, lane] >> U32(26)] += 1

"""The rules of poker hands in integer arithmetic: any number of cards, any wild cards.

`high`, `ace_five`, `deuce_seven` and `badugi` take four 13-bit masks, the ranks held in each suit,
and (not `badugi`) the number of wild cards, and return a raw score (see `ranking`). They are plain
Python, good for scoring one hand without a compiler; `kernels.score` compiles these very functions
for millions of hands. They use no tables: tests compare the tables of the fast kernels with them.

A wild card stands for whatever makes the hand best, also for a rank held already (five of a
kind), but in a flush for a rank the flush does not have yet.
"""

from __future__ import annotations

from typing import Final

ALL_RANKS: Final = 0x1FFF
# Straights from ace high down to the wheel (ace low), and the same for 36 cards (sixes up).
STRAIGHTS: Final = (*(0x1F << low for low in range(8, -1, -1)), 0x100F)
STRAIGHT_TOPS: Final = (*range(12, 3, -1), 3)
SHORT_STRAIGHTS: Final = (*(0x1F << low for low in range(8, 3, -1)), 0x10F0)
SHORT_TOPS: Final = (*range(12, 7, -1), 7)
WHEEL: Final = 0x100F
# Categories in the standard order. Short deck swaps flush and full house, and also three of a kind
# and straight if three of a kind ranks higher.
PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE = range(1, 10)


def bit_total(mask: int) -> int:
    """Return the number of bits set in the 13 lowest bits."""
    mask = (mask & 0x1555) + (mask >> 1 & 0x1555)
    mask = (mask & 0x3333) + (mask >> 2 & 0x3333)
    mask = (mask & 0x0F0F) + (mask >> 4 & 0x0F0F)
    return (mask & 0x1F) + (mask >> 8)


def top_rank(mask: int) -> int:
    """Return the index of the highest of 13 bits; -1 for an empty mask."""
    top = -1
    while mask:
        mask >>= 1
        top += 1
    return top


def at_least(count: int, ones: int, twos: int, threes: int, fours: int) -> int:
    """Return the ranks held at least `count` times, given what `held` returns."""
    if count <= 0:
        return ALL_RANKS
    if count == 1:
        return ones
    if count == 2:
        return twos
    if count == 3:
        return threes
    return fours if count == 4 else 0


def held(clubs: int, diamonds: int, hearts: int, spades: int) -> tuple[int, int, int, int]:
    """Return the ranks held at least once, twice, three and four times."""
    low_pair, low_any = clubs & diamonds, clubs | diamonds
    high_pair, high_any = hearts & spades, hearts | spades
    twos = low_pair | high_pair | low_any & high_any
    threes = low_pair & high_any | high_pair & low_any
    return low_any | high_any, twos, threes, low_pair & high_pair


def highest(mask: int, cards: int, shift: int) -> int:
    """Return the `cards` highest ranks of `mask` as nibbles, the first one at bit `shift`."""
    nibbles = 0
    while cards > 0 and mask:
        top = top_rank(mask)
        nibbles |= (top + 1) << shift
        mask &= ~(1 << top)
        shift -= 4
        cards -= 1
    return nibbles


def sequence(top: int, lowest: int) -> int:
    """Return the nibbles of a straight whose highest card has index `top`.

    A last card below `lowest`, the pack's lowest rank (0, or 4 with 36 cards), is an ace.
    """
    nibbles = 0
    for step in range(5):
        rank = top - step
        nibbles |= (rank + 1 if rank >= lowest else 13) << (16 - 4 * step)
    return nibbles


def straight(mask: int, wilds: int, short: bool) -> int:
    """Return the nibbles of the best straight with the ranks in `mask` and wild cards, or 0."""
    if short:
        for index in range(6):
            if bit_total(mask & SHORT_STRAIGHTS[index]) + wilds >= 5:
                return sequence(SHORT_TOPS[index], 4)
        return 0
    for index in range(10):
        if bit_total(mask & STRAIGHTS[index]) + wilds >= 5:
            return sequence(STRAIGHT_TOPS[index], 0)
    return 0


def fill_high(mask: int, wilds: int) -> int:
    """Return `mask` with its `wilds` highest missing ranks added."""
    rank = 12
    while wilds > 0 and rank >= 0:
        if not mask >> rank & 1:
            mask |= 1 << rank
            wilds -= 1
        rank -= 1
    return mask


def best_flush(
    clubs: int, diamonds: int, hearts: int, spades: int, wilds: int, short: bool
) -> tuple[int, int]:
    """Return the nibbles of the best straight flush and of the best flush; 0 if there is none."""
    straights = 0
    flushes = 0
    for suit in range(4):
        mask = (clubs, diamonds, hearts, spades)[suit]
        if bit_total(mask) + wilds >= 5:
            straights = max(straights, straight(mask, wilds, short))
            flushes = max(flushes, highest(fill_high(mask, wilds), 5, 16))
    return straights, flushes


def high(clubs: int, diamonds: int, hearts: int, spades: int, wilds: int, order: int = 0) -> int:
    """Return the raw score of the best high hand.

    `order` is 0 for the usual order, 1 for short deck, 2 for short deck with threes over straights.
    """
    short = order > 0
    ones, twos, threes, fours = held(clubs, diamonds, hearts, spades)
    flush_category = FULL_HOUSE if short else FLUSH
    full_category = FLUSH if short else FULL_HOUSE
    run_category = THREE if order == 2 else STRAIGHT
    three_category = STRAIGHT if order == 2 else THREE

    alike = at_least(5 - wilds, ones, twos, threes, fours)
    if alike:
        return FIVE << 20 | (top_rank(alike) + 1) * 0x11111
    straights, flushes = best_flush(clubs, diamonds, hearts, spades, wilds, short)
    if straights:
        return STRAIGHT_FLUSH << 20 | straights
    alike = at_least(4 - wilds, ones, twos, threes, fours)
    if alike:
        top = top_rank(alike)
        return FOUR << 20 | (top + 1) * 0x11110 | highest(ones & ~(1 << top), 1, 0)
    if flushes and short:
        return flush_category << 20 | flushes
    alike = at_least(3 - wilds, ones, twos, threes, fours)
    if alike and wilds < 2:
        top = top_rank(alike)
        paired = twos & ~(1 << top)
        if paired:
            pair = top_rank(paired)
            return full_category << 20 | (top + 1) * 0x11100 | (pair + 1) * 0x11
    if flushes:
        return flush_category << 20 | flushes
    run = straight(ones, wilds, short)
    if run and not (alike and order == 2):
        return run_category << 20 | run
    if alike:
        top = top_rank(alike)
        return three_category << 20 | (top + 1) * 0x11100 | highest(ones & ~(1 << top), 2, 4)
    return few_alike(ones, twos, wilds)


def few_alike(ones: int, twos: int, wilds: int) -> int:
    """Return the raw score of a hand with two pair, a pair or a high card at best.

    `ones` and `twos`: bits of the ranks held at least once and at least twice.
    """
    alike = at_least(2 - wilds, ones, twos, 0, 0)
    if not alike:
        return highest(fill_high(ones, wilds), 5, 16)
    top = top_rank(alike)
    second = twos & ~(1 << top)
    if wilds == 0 and second:
        pair = top_rank(second)
        kickers = ones & ~(1 << top) & ~(1 << pair)
        return TWO_PAIR << 20 | (top + 1) * 0x11000 | (pair + 1) * 0x110 | highest(kickers, 1, 0)
    return PAIR << 20 | (top + 1) * 0x11000 | highest(ones & ~(1 << top), 3, 8)


def ace_low(mask: int) -> int:
    """Return `mask` with the ace moved below the deuce."""
    return (mask << 1 | mask >> 12) & ALL_RANKS


def lowest_missing(mask: int) -> int:
    """Return the lowest rank that is not in `mask`."""
    rank = 0
    while mask >> rank & 1:
        rank += 1
    return rank


def ace_five(clubs: int, diamonds: int, hearts: int, spades: int, wilds: int) -> int:
    """Return the raw score of the best five cards in A-5 lowball.

    Wild cards become the lowest ranks not held.
    """
    ones, twos, threes, fours = held(
        ace_low(clubs), ace_low(diamonds), ace_low(hearts), ace_low(spades)
    )
    for _ in range(wilds):
        ones |= 1 << lowest_missing(ones)
    return lowest_five(ones, twos, threes, fours)


def lowest_five(ones: int, twos: int, threes: int, fours: int) -> int:
    """Return the lowest raw score of five cards if straights and flushes do not count.

    The masks are the ranks held at least once, twice, three and four times.
    """
    ranks = bit_total(ones)
    if ranks >= 5:
        return highest(lowest(ones, 5), 5, 16)
    if ranks == 4:
        pair = lowest(twos, 1)
        return PAIR << 20 | bit_nibble(pair) * 0x11000 | highest(ones & ~pair, 3, 8)
    if ranks == 3:
        pairs = lowest(twos, 2)
        if bit_total(pairs) == 2:
            kicker = highest(ones & ~pairs, 1, 0)
            high_pair = top_rank(pairs)
            low_pair = top_rank(pairs & ~(1 << high_pair))
            return TWO_PAIR << 20 | (high_pair + 1) * 0x11000 | (low_pair + 1) * 0x110 | kicker
        return THREE << 20 | bit_nibble(threes) * 0x11100 | highest(ones & ~threes, 2, 4)
    three = lowest(threes, 1)
    if twos & ~three:
        return FULL_HOUSE << 20 | bit_nibble(three) * 0x11100 | bit_nibble(twos & ~three) * 0x11
    return FOUR << 20 | bit_nibble(fours) * 0x11110 | highest(ones & ~fours, 1, 0)


def lowest(mask: int, ranks: int) -> int:
    """Return `mask` with only its `ranks` lowest ranks."""
    lows = 0
    for _ in range(ranks):
        low = mask & -mask
        lows |= low
        mask ^= low
    return lows


def bit_nibble(bit: int) -> int:
    """Return the score's nibble for the highest rank in a mask: the rank plus one."""
    return top_rank(bit) + 1


def badugi(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """Return the raw score of the best badugi: the most cards of different suits and ranks.

    Of equally many cards, the lowest are best. Every choice of at most one card of each suit is
    tried: at most 16 choices for four cards.
    """
    best = 4 << 20
    clubs, diamonds = ace_low(clubs), ace_low(diamonds)
    hearts, spades = ace_low(hearts), ace_low(spades)
    club = clubs
    while True:
        first = club & -club
        diamond = diamonds & ~first
        while True:
            second = first | diamond & -diamond
            heart = hearts & ~second
            while True:
                third = second | heart & -heart
                spade = spades & ~third
                while True:
                    fourth = third | spade & -spade
                    missing = 4 - bit_total(fourth)
                    if missing <= best >> 20:
                        best = min(best, missing << 20 | highest(fourth, 4, 16))
                    if not spade:
                        break
                    spade &= spade - 1
                if not heart:
                    break
                heart &= heart - 1
            if not diamond:
                break
            diamond &= diamond - 1
        if not club:
            break
        club &= club - 1
    return best


def deuce_seven(clubs: int, diamonds: int, hearts: int, spades: int, wilds: int) -> int:
    """Return the raw score of exactly five cards in 2-7 lowball, where the lowest score wins.

    Wild cards become the lowest ranks not held that make no straight. Ace to five is no straight
    here: the ace is only high.
    """
    ones, twos, threes, fours = held(clubs, diamonds, hearts, spades)
    last = -1
    for _ in range(wilds):
        last = lowest_missing(ones)
        ones |= 1 << last
    if bit_total(ones) == 5:
        # The highest wild card moves up until the five no longer follow one another.
        while last >= 0 and straight(ones, 0, False) and ones != WHEEL:
            ones &= ~(1 << last)
            last += 1
            while ones >> last & 1:
                last += 1
            ones |= 1 << last
        suited = wilds == 0 and ones in (clubs, diamonds, hearts, spades)
        run = straight(ones, 0, False) if ones != WHEEL else 0
        if run:
            return (STRAIGHT_FLUSH if suited else STRAIGHT) << 20 | run
        if suited:
            return FLUSH << 20 | highest(ones, 5, 16)
    return lowest_five(ones, twos, threes, fours)

"""Hold'em under a condition: classify hands, count the deals that fit, or sample deals.

A condition (`conditions.Condition`) is passed as arrays: `atoms` (int64), with a row of `STAGE`,
`KIND`, `SEAT`, `LEAST`, `MOST` for each; `masks` (uint64), two for each atom; `program` (int64),
the atoms' numbers and the operators in postfix order. The board is dealt flop, turn, river; an atom
is known once the board has as many cards as its stage says.

`facts` (int64) are the code of the ranking, whether kinds are counted, and three masks of classes
in one number: those below a flush, those below a straight, and those without a pair.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.conditions import (
    ALIKE,
    AND,
    HAS_CARDS,
    NEW_CARD,
    NOT,
    PAIRS,
    SUITS,
)
from engine.odds.showdown.kernel_codes import CARD_KEY, STEP
from engine.odds.showdown.kernels.count import (
    CODES,
    fill_ways,
    weight_of,
)
from engine.odds.showdown.kernels.deal import advance
from engine.odds.showdown.kernels.sample import WORD, block_start, mix, place_weighed
from engine.odds.showdown.kernels.score import START, SUIT, dense_score
from engine.odds.showdown.score_tables import (
    CATEGORY,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
    MULTI_CODES,
    MULTI_HIGH,
    MULTI_LOW,
    MULTI_START,
    RANK_HIGH,
    RANK_LOW,
)

U64 = np.uint64
ONE = np.uint64(1)
STAGE, KIND, SEAT, LEAST, MOST = 0, 1, 2, 3, 4
NO, YES, OPEN = 0, 1, 2
_ACE = 12
(
    STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, SET, TRIPS, TWO_PAIR, OVERPAIR,
    TOP_PAIR_TOP, TOP_PAIR_GOOD, TOP_PAIR_WEAK, POCKET_PAIR, SECOND_PAIR, UNDERPAIR, LOW_PAIR,
    ACE_HIGH, AIR,
) = range(18)  # fmt: skip
CLASSES = 18
(
    FLUSH_DRAW, NUT_FLUSH, WRAP, OPEN_ENDED, GUTSHOT, COMBO, OVERCARDS, BACKDOOR_FLUSH,
    BACKDOOR_STRAIGHT,
) = range(9)  # fmt: skip
FLUSH_DRAWS = U64(1 << FLUSH_DRAW | 1 << NUT_FLUSH | 1 << COMBO | 1 << BACKDOOR_FLUSH)
KIND_AT = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
        [0, 1, 2, 3, 4, 6, 5, 7, 8],
        [0, 1, 2, 4, 3, 6, 5, 7, 8],
    ]
)
"""By a ranking's code and a kind's place in that ranking: the kind's number in the high ranking."""


@njit()
def bits_in(cards):
    """Return the number of cards in a set."""
    cards -= cards >> ONE & U64(0x5555555555555555)
    cards = (cards & U64(0x3333333333333333)) + (cards >> U64(2) & U64(0x3333333333333333))
    cards = (cards + (cards >> U64(4))) & U64(0x0F0F0F0F0F0F0F0F)
    return np.int64(cards * U64(0x0101010101010101) >> U64(56))


@njit()
def key_of(cards):
    """Return the evaluator's key for a set of cards, before `START` is added."""
    key = U64(0)
    left = cards
    while left:
        lowest = left & (~left + ONE)
        key += CARD_KEY[bits_in(lowest - ONE)]
        left ^= lowest
    return key


@njit()
def top_bit(ranks):
    """Return the highest rank in a set of ranks, -1 if it is empty."""
    top = -1
    while ranks:
        ranks >>= ONE
        top += 1
    return top


@njit()
def ranks_in(cards):
    """Return the ranks in a set of cards, and the ranks that occur at least twice."""
    clubs, diamonds = cards & SUIT, cards >> U64(13) & SUIT
    hearts, spades = cards >> U64(26) & SUIT, cards >> U64(39) & SUIT
    once, twice = clubs | diamonds, clubs & diamonds
    twice |= once & hearts
    once |= hearts
    twice |= once & spades
    return once | spades, twice


@njit()
def most_alike(cards):
    """Return the largest number of cards of one rank in a set, but at least 1 and at most 3."""
    once, twice, thrice = U64(0), U64(0), U64(0)
    for suit in range(4):
        ranks = cards >> U64(13 * suit) & SUIT
        thrice |= twice & ranks
        twice |= once & ranks
        once |= ranks
    if thrice:
        return 3
    if twice:
        return 2
    return 1


@njit()
def count_of(cards, rank):
    """Return how many cards of a rank are in a set."""
    return bits_in(cards >> U64(rank) & U64(1 | 1 << 13 | 1 << 26 | 1 << 39))


@njit()
def class_of(hole, board, cards, short):
    """Return the class of two hole cards on a board of 3 to 5 `cards`, as its number in `Made`."""
    hole_ranks, _ = ranks_in(hole)
    high = top_bit(hole_ranks)
    lower = hole_ranks & ~(ONE << U64(high))
    pocket = lower == U64(0)
    low = high if pocket else top_bit(lower)
    nothing = ACE_HIGH if high == _ACE else AIR
    whole = hole | board
    key = START + key_of(whole)
    score = dense_score(key, whole, cards + 2, short)
    kind = KIND_AT[short, CATEGORY[short, score]]
    if kind >= 4 and kind != 7:
        if cards == 5 and score == dense_score(START + key_of(board), board, 5, short):
            return nothing
        if kind == 8:
            return STRAIGHT_FLUSH
        if kind == 6:
            return FULL_HOUSE
        return FLUSH if kind == 5 else STRAIGHT
    if kind == 7:
        return FOUR if count_of(whole, high) == 4 or count_of(whole, low) == 4 else nothing
    if kind == 3:
        if pocket:
            return SET if count_of(board, high) == 1 else nothing
        return TRIPS if count_of(board, high) == 2 or count_of(board, low) == 2 else nothing
    if kind == 0:
        return nothing
    _, paired = ranks_in(whole)
    first = top_bit(paired)
    played = ONE << U64(first)
    if kind == 2:
        played |= ONE << U64(top_bit(paired & ~played))
    counted = played & hole_ranks
    if counted == U64(0):
        return nothing
    board_ranks, _ = ranks_in(board)
    top = top_bit(board_ranks)
    second = top_bit(board_ranks & ~(ONE << U64(top)))
    if pocket:
        if high > top:
            return OVERPAIR
        return POCKET_PAIR if high > second else UNDERPAIR
    if counted == hole_ranks:
        return TWO_PAIR
    pair = top_bit(counted)
    if pair < top:
        return SECOND_PAIR if pair == second else LOW_PAIR
    kicker = low if pair == high else high
    better = 0
    for rank in range(kicker + 1, 13):
        better += np.int64(board_ranks >> U64(rank) & ONE == U64(0))
    if better == 0:
        return TOP_PAIR_TOP
    return TOP_PAIR_GOOD if better <= 3 else TOP_PAIR_WEAK


@njit()
def draws_of(hole, board, cards, hand_class, dead, out, short, below):
    """Return the draws of two hole cards on a flop or turn, as bits in `Draw`'s order.

    `cards` is the size of the board, `hand_class` the hand's class, `short` the code of the
    ranking. `dead` are the cards that cannot come, `out` these cards and those of all known hands.
    `below` are the masks of classes in `facts`.
    """
    draws = 0
    no_flush = below >> U64(hand_class) & ONE == ONE
    no_straight = below >> U64(hand_class + CLASSES) & ONE == ONE
    no_pair = below >> U64(hand_class + 2 * CLASSES) & ONE == ONE
    live_cards = U64((1 << 52) - 1) & ~(out | hole | board)
    flush, nuts, runner = False, False, False
    if no_flush:
        for suit in range(4):
            shift = U64(13 * suit)
            held = bits_in(hole >> shift & SUIT)
            if held == 0:
                continue
            missing = 5 - held - bits_in(board >> shift & SUIT)
            if bits_in(live_cards >> shift & SUIT) < missing:
                continue
            if missing == 1:
                flush = True
                # cards that other players hold may still come, as far as this player knows
                best = top_bit(SUIT & ~((board | dead) >> shift & SUIT))
                nuts |= hole >> shift >> U64(best) & ONE == ONE
            elif missing == 2:
                runner = True
    several, backdoor = 0, False
    if no_straight:
        hole_ranks, _ = ranks_in(hole)
        board_ranks, _ = ranks_in(board)
        live, _ = ranks_in(live_cards)
        lowest = 4 if short else 0
        wheel = U64(1 << _ACE | 0b1111 << lowest)
        outs = U64(0)
        for start in range(lowest - 1, 9):
            window = wheel if start < lowest else U64(0b11111) << U64(start)
            missing = window & ~board_ranks & ~hole_ranks
            count = bits_in(missing)
            if count == 0 or count > 2 or missing & ~live != U64(0):
                continue
            mine = True  # it beats what these cards make with the board alone
            for above in range(start, 9):
                straight = wheel if above < lowest else U64(0b11111) << U64(above)
                mine &= straight & ~board_ranks & ~missing != U64(0)
            if not mine:
                continue
            if count == 1:
                outs |= missing
            elif bits_in(hole_ranks & window) == 2:
                backdoor = True
        several = bits_in(outs)
    if flush:
        draws |= 1 << FLUSH_DRAW
    if nuts:
        draws |= 1 << NUT_FLUSH
    if several > 2:
        draws |= 1 << WRAP
    elif several == 2:
        draws |= 1 << OPEN_ENDED
    elif several == 1:
        draws |= 1 << GUTSHOT
    if flush and several:
        draws |= 1 << COMBO
    if no_pair:
        hole_ranks, _ = ranks_in(hole)
        board_ranks, _ = ranks_in(board)
        if bits_in(hole_ranks & ~((ONE << U64(top_bit(board_ranks) + 1)) - ONE)) == 2:
            draws |= 1 << OVERCARDS
    if cards == 3:
        if runner and not flush:
            draws |= 1 << BACKDOOR_FLUSH
        if backdoor and several == 0:
            draws |= 1 << BACKDOOR_STRAIGHT
    return draws


@njit()
def holds(kind, stage, least, most, mask, drawn, hole, board, last, dead, out, short, below):
    """Return whether an atom is true for the board at its stage; `last` is the newest card.

    `mask` and `drawn` are the atom's two masks; `dead`, `out`, `short` and `below` are those of
    `draws_of`. All arguments are numbers, since passing arrays would take longer than the work.
    """
    if kind == HAS_CARDS:
        return least <= bits_in(board & mask) <= most
    if kind == NEW_CARD:
        return last & mask != U64(0)
    if kind == SUITS:
        suits = 0
        for suit in range(4):
            suits += np.int64(board >> U64(13 * suit) & SUIT != U64(0))
        return suits == least
    if kind == ALIKE:
        return least <= most_alike(board) <= most
    if kind == PAIRS:
        earlier, _ = ranks_in(board & ~last)
        newest, _ = ranks_in(last)
        return earlier & newest != U64(0)
    if mask == U64(0) and drawn & ~FLUSH_DRAWS == U64(0):  # most hands have no draw
        suited = 0
        for suit in range(4):
            held = bits_in(hole >> U64(13 * suit) & SUIT)
            if held:
                suited = max(suited, held + bits_in(board >> U64(13 * suit) & SUIT))
        if suited < 3 or (suited == 3 and drawn >> U64(BACKDOOR_FLUSH) & ONE == U64(0)):
            return False
    hand_class = class_of(hole, board, stage, short)
    if mask >> U64(hand_class) & ONE:
        return True
    if drawn == U64(0):
        return False
    draws = draws_of(hole, board, stage, hand_class, dead, out, short, below)
    return U64(draws) & drawn != U64(0)


@register_jitable(forceinline=True)
def learn(stage, atoms, masks, hands, board, last, away, facts, values):
    """Set `values` to `YES` or `NO` for the atoms of a stage.

    `away[0]` are the cards that cannot come. `away[1]` also has the cards of all known hands.
    """
    for number in range(atoms.shape[0]):
        if atoms[number, STAGE] == stage:
            true = holds(
                atoms[number, KIND], stage, atoms[number, LEAST], atoms[number, MOST],
                masks[number, 0], masks[number, 1], hands[atoms[number, SEAT]], board, last,
                away[0], away[1], facts[0], U64(facts[2]),
            )  # fmt: skip
            values[number] = YES if true else NO


@register_jitable(forceinline=True)
def verdict(program, values, stack):
    """Return `YES`, `NO` or `OPEN` (undecided) for the condition, by three-valued logic."""
    if program.shape[0] == 1:
        return values[0]
    top = 0
    for at in range(program.shape[0]):
        step = program[at]
        if step >= 0:
            stack[top] = values[step]
            top += 1
        elif step == NOT:
            if stack[top - 1] != OPEN:
                stack[top - 1] = YES - stack[top - 1]
        else:
            top -= 1
            first, second = stack[top - 1], stack[top]
            settles = NO if step == AND else YES
            if first == settles or second == settles:
                stack[top - 1] = settles
            else:
                stack[top - 1] = OPEN if first == OPEN or second == OPEN else first
    return stack[0]


@register_jitable(forceinline=True)
def add_showdown(keys, hands, board_key, board, facts, scores, weight, shares, kinds):
    """Add the winners on a board of five to `shares`, and each player's kind of hand to `kinds`.

    Each counts as `weight`. `keys` are the evaluator's keys of the `hands`; `board_key` is the
    board's key plus `START`. Kinds are added only if `facts[1]` is true. `scores` is scratch,
    with a number for each player.
    """
    players = hands.shape[0]
    best, winners = U64(0), 0
    for player in range(players):
        score = dense_score(board_key + keys[player], board | hands[player], 7, facts[0])
        scores[player] = score
        if score > best:
            best, winners = score, 1
        elif score == best:
            winners += 1
    for player in range(players):
        if scores[player] == best:
            shares[player, winners] += weight
        if facts[1]:
            kinds[player, CATEGORY[facts[0], scores[player]]] += weight


@njit()
def fill_fits(hands, out, board, last_dealt, missing, by_last, condition, facts, fits):
    """Fill `fits` with how often each multiset of `missing` ranks fits a condition about ranks.

    That is 0 or 1, or with `by_last` how many of its cards may be the last. `out` are the cards
    that cannot come, `board` are the cards dealt so far, and `last_dealt` the last of them.
    """
    atoms, masks, program = condition
    values = np.zeros(atoms.shape[0], np.int64)
    stack = np.zeros(program.shape[0] + 1, np.int64)
    away = np.zeros(2, np.uint64)
    stage = atoms[0, STAGE]
    for at in range(fits.shape[0]):
        fits[at] = 0
        whole, is_possible = board, True
        for slot in range(5):
            code = np.int64(MULTI_CODES[MULTI_START[missing] + at, slot])
            lacking = code % 5 if code < 65 else 0
            for suit in range(4):
                card = ONE << U64(13 * suit + code // 5 % 13)
                if lacking and out & card == U64(0):
                    whole |= card
                    lacking -= 1
            is_possible &= lacking == 0
        if not is_possible:
            continue
        lasts = whole & ~board if missing else last_dealt
        while lasts:
            last = lasts & (~lasts + ONE)
            lasts ^= last
            learn(stage, atoms, masks, hands, whole, last, away, facts, values)
            fits[at] += np.int64(verdict(program, values, stack) == YES)
            if not by_last:
                break


@njit()
def grow_factors(missing, unseen, fits, factors):
    """Fill `factors` with the sum of `fits` over all choices of `missing` of `unseen` cards.

    Both are by multiset. `factors` has room for each number of cards; the last is filled last.
    """
    first = MULTI_START[missing]
    for at in range(fits.shape[0]):
        factors[first + at] = fits[at]
    for cards in range(missing + 1, unseen + 1):
        low_row, high_row = LOW_AT[cards - 1], HIGH_AT[cards - 1]
        for row in range(MULTI_START[cards], MULTI_START[cards + 1]):
            total = 0
            low, high = low_row + U64(MULTI_LOW[row]), high_row + U64(MULTI_HIGH[row])
            for slot in range(5):
                code = np.int64(MULTI_CODES[row, slot])
                if code < 65:
                    rank = code // 5
                    place = np.int64(LOW[low - U64(RANK_LOW[rank])])
                    place += np.int64(HIGH[high - U64(RANK_HIGH[rank])])
                    total += code % 5 * factors[MULTI_START[cards - 1] + place]
            # every choice is in as many of the smaller multisets as there are cards beside it
            factors[row] = total // (cards - missing)


@njit(cache=True, nogil=True)
def fit_ranks(rows, times, dealt, gone, stage, by_last, condition, facts, totals, factors):
    """Fill `factors` for `count_boards` if the condition only depends on the ranks on the board.

    Each board of five then counts as often as it holds a board of the street that fits. Adds to
    `totals` like `count_street`. `factors` (int64: rows, multisets of the cards to come) is left
    alone for a single player.
    """
    players = rows.shape[1]
    board, last_dealt = U64(0), U64(0)
    for card in dealt:
        last_dealt = ONE << U64(card)
        board |= last_dealt
    missing, unseen = stage - dealt.shape[0], 5 - dealt.shape[0]
    fits = np.zeros(MULTI_START[missing + 1] - MULTI_START[missing], np.int64)
    grown = np.zeros(MULTI_START[unseen + 1], np.int64)
    left, ways = np.zeros(13, np.int64), np.ones(CODES, np.int64)
    for row in range(rows.shape[0]):
        held = U64(0)
        for player in range(players):
            held |= rows[row, player]
        out = gone | held | board
        fill_fits(rows[row], out, board, last_dealt, missing, by_last, condition, facts, fits)
        size = 0
        for rank in range(13):
            left[rank] = 4 - count_of(out, rank)
            size += left[rank]
        fill_ways(left, 0, ways)
        fitting, boards = 0, 0
        for at in range(fits.shape[0]):
            weight = weight_of(ways, MULTI_START[missing] + at)
            fitting += weight * fits[at]
            boards += weight
        totals[0] += fitting * times[row]
        totals[1] += boards * (missing if by_last and missing else 1) * times[row]
        if players > 1:
            left_after = size - missing
            whole = (1, left_after, left_after * (left_after - 1) // 2)[5 - stage]
            totals[2] += fitting * whole * times[row]
            grow_factors(missing, unseen, fits, grown)
            factors[row] = grown[MULTI_START[unseen] :]


@njit(cache=True, nogil=True)
def count_in_order(
    rows, times, known, dealt, gone, condition, facts, shares, kinds, totals
):  # fmt: skip
    """Count the deals that fit a condition on several stages: flop, then turn, then river.

    The arguments are those of `count_street`. Adds three numbers to `totals`: the deals that fit,
    all deals, and the first number again.
    """
    atoms, masks, program = condition
    players = rows.shape[1]
    values = np.zeros(atoms.shape[0], np.int64)
    away = np.zeros(2, np.uint64)
    stack = np.zeros(program.shape[0] + 1, np.int64)
    places = np.zeros(5, np.int64)
    deck = np.zeros(52, np.uint64)
    deck_keys = np.zeros(52, np.uint64)
    keys, scores = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    flop_known, flop_key = U64(0), START
    turn_known, river_known = U64(0), U64(0)
    for at in range(dealt.shape[0]):
        card = ONE << U64(dealt[at])
        if at < 3:
            flop_known |= card
            flop_key += CARD_KEY[dealt[at]]
        elif at == 3:
            turn_known = card
        else:
            river_known = card
    missing = max(0, 3 - dealt.shape[0])
    for row in range(rows.shape[0]):
        hands, weight = rows[row], times[row]
        held = U64(0)
        away[:] = gone
        for player in range(players):
            held |= hands[player]
            if known[player]:
                away[1] |= hands[player]
            keys[player] = key_of(hands[player])
        size = 0
        for card in range(52):
            bit = ONE << U64(card)
            if (gone | held | flop_known) & bit == U64(0):
                deck[size], deck_keys[size] = bit, CARD_KEY[card]
                size += 1
        for at in range(missing):
            places[at] = at
        fitting, deals = 0, 0
        is_left = True
        while is_left:
            flop, board_key = flop_known, flop_key
            for at in range(missing):
                flop |= deck[places[at]]
                board_key += deck_keys[places[at]]
            values[:] = OPEN
            learn(3, atoms, masks, hands, flop, U64(0), away, facts, values)
            on_flop = verdict(program, values, stack)
            turns = 1 if turn_known else size - missing
            rivers = 1 if river_known else turns - 1 if not turn_known else size - missing - 1
            deals += turns * rivers
            if on_flop == NO or (on_flop == YES and players == 1):
                fitting += turns * rivers if on_flop == YES else 0
                is_left = missing > 0 and advance(places, missing, size)
                continue
            for first in range(size):
                turn = deck[first]
                if turn & flop or (turn_known and turn != turn_known):
                    continue
                board = flop | turn
                on_turn = on_flop
                if on_flop == OPEN:
                    for number in range(atoms.shape[0]):
                        if atoms[number, STAGE] > 3:
                            values[number] = OPEN
                    learn(4, atoms, masks, hands, board, turn, away, facts, values)
                    on_turn = verdict(program, values, stack)
                if on_turn == NO or (on_turn == YES and players == 1):
                    fitting += rivers if on_turn == YES else 0
                    continue
                turned_key = board_key + deck_keys[first]
                for second in range(size):
                    river = deck[second]
                    if river & board or (river_known and river != river_known):
                        continue
                    whole = board | river
                    if on_turn == OPEN:
                        learn(5, atoms, masks, hands, whole, river, away, facts, values)
                        if verdict(program, values, stack) == NO:
                            continue
                    fitting += 1
                    if players > 1:
                        add_showdown(
                            keys, hands, turned_key + deck_keys[second], whole, facts, scores,
                            weight, shares, kinds,
                        )  # fmt: skip
            is_left = missing > 0 and advance(places, missing, size)
        totals[0] += fitting * weight
        totals[1] += deals * weight
        totals[2] += fitting * weight


@njit(cache=True, nogil=True)
def sample_fitting(
    combos, begins, sums, known, dealt, gone, condition, facts, seed, first, deals, most_tried,
    shares, kinds, totals,
):  # fmt: skip
    """Deal `deals` times, with the random numbers of block `first`, and add up the deals that fit.

    Adds to `totals` the deals that fit, all deals, those undecided on the flop, and those undecided
    on the turn. `combos` (uint64) has each player's hands, beginning at `begins`; `sums` (uint64)
    has the running sums of their weights for each player. If two players hold the same card, or a
    player holds a card that is dealt or gone, all hands are redrawn. Stops early after `most_tried`
    sets of hands. The other arguments are those of `count_street`.
    """
    atoms, masks, program = condition
    players = begins.shape[0] - 1
    values = np.zeros(atoms.shape[0], np.int64)
    away = np.zeros(2, np.uint64)
    stack = np.zeros(program.shape[0] + 1, np.int64)
    hands = np.zeros(players, np.uint64)
    keys, scores = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    cards = np.zeros(5, np.int64)
    start = U64(0)
    for at in range(dealt.shape[0]):
        cards[at] = dealt[at]
        start |= ONE << U64(dealt[at])
    counter = block_start(seed, first)
    tried = 0
    for _ in range(deals):
        clash = True
        taken = U64(0)
        while clash:
            if tried == most_tried:
                return
            tried += 1
            clash, taken = False, start | gone
            for player in range(players):
                begin, end = begins[player], begins[player + 1]
                counter += STEP
                at = place_weighed(mix(counter), begin, end - begin, sums)
                hands[player] = combos[at]
                clash |= combos[at] & taken != U64(0)
                taken |= combos[at]
        for at in range(dealt.shape[0], 5):
            while True:
                counter += STEP
                card = np.int64((mix(counter) & WORD) * U64(52) >> U64(32))
                if taken >> U64(card) & ONE == U64(0):
                    break
            cards[at] = card
            taken |= ONE << U64(card)
        away[:] = gone
        for player in range(players):
            if known[player]:
                away[1] |= hands[player]
        totals[1] += 1
        values[:] = OPEN
        board, verdict_now = U64(0), OPEN
        for at in range(5):
            card_bit = ONE << U64(cards[at])
            board |= card_bit
            if at >= 2 and verdict_now == OPEN:
                learn(at + 1, atoms, masks, hands, board, card_bit, away, facts, values)
                verdict_now = verdict(program, values, stack)
                if at < 4 and verdict_now == OPEN:
                    totals[at] += 1
        if verdict_now != YES:
            continue
        totals[0] += 1
        if players > 1:
            for player in range(players):
                keys[player] = key_of(hands[player])
            add_showdown(keys, hands, START + key_of(board), board, facts, scores, 1, shares, kinds)

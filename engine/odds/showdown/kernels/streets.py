"""Count the boards of a flop, turn or river that fit a condition, and the pots won on them.

The condition is passed as arrays, as in `conditions`.

The boards of the street that fit are listed once for all sets of hands that agree in the hands that
the condition may depend on. For each set of hands, the boards that it leaves possible are added up:
once by their ranks, and for each suit by kind. A kind is the set of the board's ranks in the suit
and the multiset of its other ranks. So 22,100 flops are at most 2,938 kinds, and those of one suit
286. Then the kinds grow to whole boards, card by card: what may come depends on the kind alone.

Whole boards are compared as in `count`. No board can hold flushes in two suits. So the boards of a
suit in which somebody may have a flush are compared by kind and subtracted from those added up by
ranks; on the rest nobody has a flush.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.conditions import HAND, NEW_CARD
from engine.odds.showdown.kernel_codes import CARD_KEY
from engine.odds.showdown.kernels.conditions import (
    KIND,
    ONE,
    SEAT,
    YES,
    add_showdown,
    bits_in,
    count_of,
    key_of,
    learn,
    verdict,
)
from engine.odds.showdown.kernels.count import add_multisets, plain_all, suit_mask
from engine.odds.showdown.kernels.deal import advance
from engine.odds.showdown.kernels.score import HALF, START, SUIT
from engine.odds.showdown.kernels.unknown import PAIRS, compare_ranks, compare_suit, fill_pairs
from engine.odds.showdown.score_tables import (
    CATEGORY,
    FLUSH,
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
    SUBSET_HIGH,
    SUBSET_LOW,
    SUBSET_MASK,
    SUBSET_START,
)

U64 = np.uint64
WHOLE = 5
LISTED = 1 << 15  # boards to list at once: more than there are flops
MOST_SHARED = 4  # with more cards to come, too many boards fit
MULTISETS = np.diff(MULTI_START)
"""The number of multisets of 0 to 5 ranks."""
SET_PLACE = np.zeros(1 << 13, np.int16)
"""The place of each set of ranks (bits) among the sets of its size."""
for _size in range(WHOLE + 1):
    _sets = SUBSET_MASK[SUBSET_START[_size] : SUBSET_START[_size + 1]]
    SET_PLACE[_sets] = np.arange(len(_sets))
KIND_AT = np.zeros((WHOLE + 1, WHOLE + 1), np.int64)
"""By the number of cards of a board, and of those in a suit: where the boards' kinds begin.

Kinds with more cards in the suit come first."""
KIND_END = np.zeros((WHOLE + 1, WHOLE + 1), np.int64)
"""Where the same kinds end."""
for _cards in range(WHOLE + 1):
    for _suited in range(_cards, -1, -1):
        _kinds = np.diff(SUBSET_START)[_suited] * MULTISETS[_cards - _suited]
        KIND_END[_cards, _suited] = KIND_AT[_cards, _suited] + _kinds
        if _suited:
            KIND_AT[_cards, _suited - 1] = KIND_END[_cards, _suited]
FEWEST = 3  # a hand has at most two cards of a flush
ROOM = int(KIND_END[WHOLE, FEWEST])
_SLOTS = MULTI_CODES[: MULTI_START[WHOLE]].astype(np.int64)
HELD = np.zeros((len(_SLOTS), 14), np.int64)
"""By multiset of up to four ranks and rank: how many cards of the rank it has."""
np.put_along_axis(HELD, _SLOTS // 5, _SLOTS % 5, axis=1)
HELD = HELD[:, :13].astype(np.uint8)
_MORE = np.repeat(np.arange(1, WHOLE + 1), MULTISETS[:WHOLE])[:, None]
NEXT = (
    LOW[LOW_AT[_MORE].astype(np.int64) + MULTI_LOW[: len(HELD), None] + RANK_LOW]
    + HIGH[HIGH_AT[_MORE].astype(np.int64) + MULTI_HIGH[: len(HELD), None] + RANK_HIGH]
)
"""By multiset of up to four ranks and rank: the place of the multiset with another such card.

Places are among the multisets of the same size. Meaningless for a fifth card of a rank."""


@register_jitable
def place_in(cards, low, high):
    """Return the place of a multiset among those of as many `cards`, by its key sums."""
    return np.int64(LOW[LOW_AT[cards] + low]) + np.int64(HIGH[HIGH_AT[cards] + high])


@njit()
def fill_spots(board, key, cards, spots):
    """Fill `spots` with the place of a board's kind for each suit, then with that of its ranks.

    A place is -1 if the board needs more than three further cards for three of the suit. `key` are
    the key sums of the board, which has `cards` cards.
    """
    low, high = key & HALF, key >> U64(16) & HALF
    spots[4] = place_in(cards, low, high)
    for suit in range(4):
        ranks = suit_mask(board, suit)
        suited = bits_in(U64(ranks))
        spots[suit] = -1
        if suited >= cards - 2:
            place = np.int64(SET_PLACE[ranks])
            at = SUBSET_START[suited] + place
            others = place_in(
                cards - suited, low - U64(SUBSET_LOW[at]), high - U64(SUBSET_HIGH[at])
            )
            spots[suit] = KIND_AT[cards, suited] + place * MULTISETS[cards - suited] + others


@njit()
def list_last(known, key, cards, may_come, last_cards, boards, ways, spots):
    """List the boards of `known` cards and one of the `last_cards`; return how many there are.

    `may_come` are the cards that may come, `key` is the key of the known ones, and `cards` how many
    cards a board then has.
    """
    listed = 0
    for card in range(52):
        if may_come & last_cards & ONE << U64(card):
            boards[listed], ways[listed] = known | ONE << U64(card), 1
            if spots.shape[0]:
                fill_spots(boards[listed], key + CARD_KEY[card], cards, spots[listed])
            listed += 1
    return listed


@njit()
def list_boards(street, stock, condition, facts, hands, away, progress, boards, ways, spots):
    """List boards that fit the condition until the list is full or complete; return their number.

    `street` are the cards dealt so far, their key, the last of them, the number of cards of a board
    and of those to come, and whether each of these may be the last. `stock` are the cards that may
    come, with their keys and their number. `away` is that of `learn`. `progress` is where to begin:
    the places of all cards to come, and whether there are boards left. `ways` is how many cards may
    be the last if the board is to fit, or 1.
    """
    known, known_key, last_known, cards, missing, by_last = street
    deck, deck_keys, size = stock
    atoms, masks, program = condition
    values, stack = np.zeros(atoms.shape[0], np.int64), np.zeros(program.shape[0] + 1, np.int64)
    earlier = max(missing - 1, 0)  # all cards to come but one
    choices = missing if by_last and missing else 1
    listed = 0
    while progress[WHOLE]:
        first_cards, first_key = known, known_key
        for at in range(earlier):
            first_cards |= deck[progress[at]]
            first_key += deck_keys[progress[at]]
        begin = progress[earlier]
        for at in range(begin, size if missing else begin + 1):
            if listed == boards.shape[0]:
                progress[earlier] = at
                return listed
            board, key = first_cards, first_key
            if missing:
                progress[earlier] = at
                board, key = board | deck[at], key + deck_keys[at]
            fits = 0
            for choice in range(choices):
                last = deck[progress[choice]] if missing else last_known
                learn(cards, atoms, masks, hands, board, last, away, facts, values)
                fits += np.int64(verdict(program, values, stack) == YES)
            if fits:
                boards[listed], ways[listed] = board, fits
                if spots.shape[0]:
                    fill_spots(board, key, cards, spots[listed])
                listed += 1
        progress[WHOLE] = np.int64(earlier > 0 and advance(progress, earlier, size))
        progress[earlier] = progress[earlier - 1] + 1 if earlier else 0
    return listed


@njit()
def add_listed(listed, boards, ways, spots, held, by_ranks, by_suit):
    """Return how often the listed boards without a card of `held` fit, and add them up.

    `by_ranks` and `by_suit` get them by their places in `spots`.
    """
    fitting = 0
    for at in range(listed):
        if boards[at] & held == U64(0):
            often = np.int64(ways[at])
            fitting += often
            if spots.shape[0]:
                by_ranks[spots[at, 4]] += often
                for suit in range(4):
                    if spots[at, suit] >= 0:
                        by_suit[suit, spots[at, suit]] += often
    return fitting


@njit()
def add_suited(cards, least, avail, counts, grown):
    """Fill `grown` with the boards of `counts`, of `cards` cards, and one more card of the suit.

    Both are by kind. Boards with fewer than `least` cards of the suit are left out. `avail` are the
    ranks of the suit that may be on the board.
    """
    grown[: KIND_END[cards + 1, least + 1]] = 0
    for suited in range(cards, least - 1, -1):
        size = MULTISETS[cards - suited]
        begin = KIND_AT[cards, suited]
        for at in range(SUBSET_START[suited], SUBSET_START[suited + 1]):
            ranks = np.int64(SUBSET_MASK[at])
            if ranks & ~avail == 0:
                open_ranks = avail & ~ranks
                while open_ranks:
                    bit = open_ranks & -open_ranks
                    open_ranks ^= bit
                    into = KIND_AT[cards + 1, suited + 1] + SET_PLACE[ranks | bit] * size
                    for place in range(size):
                        grown[into + place] += counts[begin + place]
            begin += size


@njit()
def add_other(cards, least, most, left, times, counts, grown):
    """Add to `grown` the boards of `counts`, of `cards` cards, with one more card of other suits.

    Both are by kind. Boards with fewer than `least` cards of the suit are left out. `most` is 0 if
    both are by ranks alone, else `cards`. `left` are the numbers of cards of each rank that may be
    on the board, in other suits. Each board counts `times` times.
    """
    first_grown = 0 if most else KIND_AT[cards + 1, 0]
    at = 0
    for suited in range(most, least - 1, -1):
        others = cards - suited
        into = KIND_AT[cards + 1, suited] - first_grown
        for _ in range(SUBSET_START[suited], SUBSET_START[suited + 1]):
            for row in range(MULTI_START[others], MULTI_START[others + 1]):
                often = counts[at] * times
                at += 1
                if often:
                    for rank in range(13):
                        free = left[rank] - np.int64(HELD[row, rank])
                        if free > 0:
                            grown[into + np.int64(NEXT[row, rank])] += often * free
            into += MULTISETS[others + 1]


@njit()
def grow_suit(cards, needed, fewest, avail, left, suited, others, whole):
    """Fill `whole` with the boards of five, by kind, with enough cards of the suit.

    `suited[cards]` are boards of `cards` cards, by kind, all with at least `fewest` of the suit. A
    board counts as often as it holds one of them, times the number of orders of its other cards.
    At least `needed` cards of the suit are enough; the result is the fewest that a board has then.
    `suited` and `others` have a row for each number of cards; further rows are scratch. `avail` and
    `left` are those of `add_suited` and `add_other`.
    """
    missing = WHOLE - cards
    enough = max(needed, fewest)
    whole[: KIND_END[WHOLE, enough]] = 0
    orders = 1  # of cards of the suit and other cards
    for added in range(missing + 1):
        size = cards + added
        least = max(needed, fewest + added)
        if size == WHOLE:
            for at in range(KIND_END[WHOLE, least]):
                whole[at] += suited[WHOLE, at]
            break
        if size >= least:
            for number in range(size, WHOLE):
                counts = suited[number] if number == size else others[number]
                if number == WHOLE - 1:
                    add_other(number, least, number, left, orders, counts, whole)
                else:
                    others[number + 1, : KIND_END[number + 1, least]] = 0
                    add_other(number, least, number, left, 1, counts, others[number + 1])
        add_suited(
            size, max(needed - missing, fewest) + added, avail, suited[size], suited[size + 1]
        )
        orders = orders * (missing - added) // (added + 1)
    return enough


@njit()
def count_flush_boards(suit, fewest, whole, hands, facts, plain, weights, shares, kinds):
    """Add the boards of `whole`, with flushes of a suit, to `shares` and, if wished, `kinds`.

    `grow_suit` filled `whole` with boards that have at least `fewest` cards of the suit. They are
    subtracted from `weights`, which are by ranks, like the scores in `plain`.
    """
    players = hands.shape[0]
    flushes = np.zeros(players, np.int64)
    at = 0
    for suited in range(WHOLE, fewest - 1, -1):
        others = WHOLE - suited
        for subset in range(SUBSET_START[suited], SUBSET_START[suited + 1]):
            ranks = np.int64(SUBSET_MASK[subset])
            low, high = U64(SUBSET_LOW[subset]), U64(SUBSET_HIGH[subset])
            for player in range(players):
                flushes[player] = FLUSH[facts[0], ranks | suit_mask(hands[player], suit)]
            boards = np.int64(0)
            for row in range(MULTI_START[others], MULTI_START[others + 1]):
                weight = whole[at]
                at += 1
                if weight == 0:
                    continue
                boards += weight
                place = place_in(WHOLE, low + U64(MULTI_LOW[row]), high + U64(MULTI_HIGH[row]))
                weights[place] -= weight
                best, winner, winners = 0, 0, 0
                for player in range(players):
                    score = max(np.int64(plain[place, player]), flushes[player])
                    winners = 1 if score > best else winners + np.int64(score == best)
                    winner = player if score > best else winner
                    best = max(best, score)
                    if facts[1] and flushes[player] == 0:
                        kinds[player, CATEGORY[facts[0], score]] += weight
                if winners == 1:
                    shares[winner, 1] += weight
                    continue
                for player in range(players):
                    score = max(np.int64(plain[place, player]), flushes[player])
                    shares[player, winners] += weight * np.int64(score == best)
            for player in range(players):
                if facts[1] and flushes[player]:  # no hand of seven cards beats its own flush
                    kinds[player, CATEGORY[facts[0], flushes[player]]] += boards


@njit()
def count_alike(suit, hands, gone, by_suit):
    """Return how many suits are like this one; 0 if an earlier suit is, which counts for this one.

    Suits are alike if all hands, `gone` and the boards of `by_suit` have the same ranks in them.
    """
    times = 0
    for twin in range(4):
        is_alike = suit_mask(gone, suit) == suit_mask(gone, twin)
        for player in range(hands.shape[0]):
            is_alike &= suit_mask(hands[player], suit) == suit_mask(hands[player], twin)
        for at in range(by_suit.shape[1]):
            is_alike &= by_suit[suit, at] == by_suit[twin, at]
        if is_alike and twin < suit:
            return 0
        times += np.int64(is_alike)
    return times


@njit()
def count_whole(hands, seat, gone, cards, by_ranks, by_suit, facts, room, shares, kinds):
    """Grow the boards of `cards` cards to whole boards, and add their winners to `shares`.

    `by_ranks[cards]` and `by_suit` are what `add_listed` filled; `gone` are the cards that can't be
    on a board. `room` are scratch arrays, two of them those of `unknown.fill_pairs`. Kinds of
    hands are added to `kinds` if `facts` say so. A board counts as often as there are orders of its
    further cards. If `seat` isn't negative, `hands` are those of all players but this one.
    """
    suited, others, whole, plain, weights, table, tally, sums = room
    players = hands.shape[0]
    spare = 47 - bits_in(gone)
    pairs = spare * (spare - 1) // 2
    work = table, weights, plain, tally, sums
    sums[:] = 0
    left, besides = np.zeros(13, np.int64), np.zeros(13, np.int64)
    for rank in range(13):
        left[rank] = 4 - count_of(gone, rank)
    for number in range(cards, WHOLE):
        by_ranks[number + 1] = 0
        add_other(number, 0, 0, left, 1, by_ranks[number], by_ranks[number + 1])
    weights[:] = by_ranks[WHOLE]
    for player in range(players):
        plain_all(hands[player], 7, facts[0], WHOLE, player, weights, plain)
    for suit in range(4):
        times = count_alike(suit, hands, gone, by_suit)
        if times == 0:
            continue
        held, fewest = 0 if seat < 0 else 2, -1
        for player in range(players):
            held = max(held, bits_in(hands[player] >> U64(13 * suit) & SUIT))
        for number in range(cards, max(cards - FEWEST, -1), -1):
            for at in range(KIND_AT[cards, number], KIND_END[cards, number]):
                if by_suit[suit, at]:
                    fewest = number
        if fewest < 0:
            continue
        avail = np.int64(SUIT) & ~suit_mask(gone, suit)
        for rank in range(13):
            besides[rank] = left[rank] - (avail >> rank & 1)
        suited[cards, : by_suit.shape[1]] = by_suit[suit]
        fewest = grow_suit(cards, WHOLE - held, fewest, avail, besides, suited, others, whole)
        if times > 1:
            whole[: KIND_END[WHOLE, fewest]] *= times
        if seat < 0:
            count_flush_boards(suit, fewest, whole, hands, facts, plain, weights, shares, kinds)
        else:
            compare_suit(
                suit, fewest, whole, hands, avail, besides, pairs, facts[0], seat, work,
                shares, kinds,
            )  # fmt: skip
    if seat >= 0:
        compare_ranks(left, pairs, seat, work, shares, kinds)
        return
    nothing, no_cells = np.zeros(0, np.int64), np.zeros((0, players), np.int64)
    add_multisets(weights, plain, no_cells, facts[0], facts[1], 1, shares, kinds, nothing)


@njit()
def compare_listed(listed, boards, ways, cards, held, gone, hands, facts, shares, kinds):
    """Add the winners on all whole boards with a listed one, which has `cards` cards, to `shares`.

    For few boards, this is quicker than `count_whole`. `held` are all players' cards, `gone` the
    other cards that can't come.
    """
    players = hands.shape[0]
    keys, scores = np.zeros(players, np.uint64), np.zeros(players, np.uint64)
    for player in range(players):
        keys[player] = key_of(hands[player])
    river = WHOLE - cards == 2  # whether a river comes after another card
    for at in range(listed):
        if boards[at] & held:
            continue
        key, taken = START + key_of(boards[at]), boards[at] | held | gone
        for first in range(51 if river else 1):
            turn = ONE << U64(first) if river else U64(0)
            if turn & taken:
                continue
            turn_key = CARD_KEY[first] if river else U64(0)
            for second in range(first + 1 if river else 0, 52 if cards < WHOLE else 1):
                last = ONE << U64(second) if cards < WHOLE else U64(0)
                if last & taken:
                    continue
                last_key = CARD_KEY[second] if cards < WHOLE else U64(0)
                add_showdown(
                    keys, hands, key + turn_key + last_key, boards[at] | turn | last, facts,
                    scores, np.int64(ways[at]), shares, kinds,
                )  # fmt: skip


@register_jitable
def choose(size, chosen):
    """Return the number of ways to choose some of `size` cards."""
    ways = 1
    for at in range(chosen):
        ways = ways * (size - at) // (at + 1)
    return ways


@njit(cache=True, nogil=True)
def count_street(
    rows, times, seat, known, dealt, gone, stage, by_last, condition, facts, shares, kinds, totals
):  # fmt: skip
    """Count the boards on which a condition about one stage holds.

    `rows` (uint64) are sets of hands, a column for each player; `times` is how often each set
    counts. `known` says which players' hands everybody knows; nobody draws to their cards.
    `dealt` are the board cards so far, at most `stage`, and `gone` the cards that cannot come.
    With `by_last`, a board counts once for each card that may be the last. If `seat` isn't
    negative, `rows` lack this player, who may have any hand, and at most two cards are dealt.

    Adds three counts to `totals`: the boards of the stage that fit, all boards of the stage,
    and, with several players, the whole boards that fit. The winners on these whole boards are
    added to `shares` and `kinds`.
    """
    atoms, masks, program = condition
    players = rows.shape[1]
    matters = known.copy()  # whether the condition may depend on the player's hand
    for number in range(atoms.shape[0]):
        if atoms[number, KIND] == HAND:
            matters[atoms[number, SEAT]] = True
    board_known, known_key, last_known = U64(0), START, U64(0)
    for card in dealt:
        last_known = ONE << U64(card)
        board_known |= last_known
        known_key += CARD_KEY[card]
    missing = stage - dealt.shape[0]
    # a list for several sets of hands has more boards than one for the cards of one set
    if missing > MOST_SHARED:
        matters[:] = True
    is_few = dealt.shape[0] >= 3
    only_last = missing > 0 and program.shape[0] == 1 and atoms[0, KIND] == NEW_CARD and not is_few
    # the boards that grow: those of the stage, or the cards dealt and the last card alone
    cards = dealt.shape[0] + 1 if only_last else stage
    often, orders = choose(WHOLE - cards, missing - 1) if only_last else 1, 1
    for number in range(2, WHOLE - cards + 1 if not is_few else 2):
        orders *= number
    alone = players == 1 and seat < 0
    grows = not (alone or is_few)
    deck, deck_keys = np.zeros(52, np.uint64), np.zeros(52, np.uint64)
    away, progress = np.zeros(2, np.uint64), np.zeros(WHOLE + 1, np.int64)
    boards, ways = np.empty(LISTED, np.uint64), np.empty(LISTED, np.uint8)
    spots = np.empty((LISTED if grows else 0, 5), np.int32)
    multisets, kinds_room = (MULTISETS[WHOLE], ROOM) if grows else (0, 0)
    by_ranks = np.zeros((WHOLE + 1, multisets), np.int64)
    by_suit = np.zeros((4, KIND_END[cards, max(cards - 2, 0)] if grows else 0), np.int64)
    room = (
        np.empty((WHOLE + 1, kinds_room), np.int64),
        np.empty((WHOLE + 1, kinds_room), np.int64),
        np.empty(kinds_room, np.int64),
        np.zeros((multisets, players), np.uint16),
        np.empty(multisets, np.int64),
        np.empty((multisets if seat >= 0 else 0, PAIRS), np.uint16),
        np.empty(CATEGORY.shape[1] if seat >= 0 and facts[1] else 0, np.uint8),
        np.empty((multisets if seat >= 0 else 0, PAIRS if facts[1] else 0), np.int64),
    )
    if seat >= 0:
        fill_pairs(facts[0], room[5], room[6])
    some_shares, some_kinds = np.zeros_like(shares), np.zeros_like(kinds)
    listed = -1  # the number of boards in the list, if it is complete
    for row in range(rows.shape[0]):
        hands = rows[row]
        held, fixed = U64(0), U64(0)  # by all players, and by those whose hands matter
        for player in range(players):
            held |= hands[player]
            if matters[player]:
                fixed |= hands[player]
                if row and hands[player] != rows[row - 1, player]:
                    listed = -1
        by_ranks[cards] = 0
        by_suit[:] = 0
        size = 52 - bits_in(gone | held | board_known)
        fitting = 0
        if listed < 0:
            away[:] = gone
            for player in range(players):
                if known[player]:
                    away[1] |= hands[player]
            stock = 0
            for card in range(52):
                if (gone | fixed | board_known) >> U64(card) & ONE == U64(0):
                    deck[stock], deck_keys[stock] = ONE << U64(card), CARD_KEY[card]
                    stock += 1
            is_whole = True
            if only_last:
                may_come = ~(gone | fixed | board_known)
                listed = list_last(
                    board_known, known_key, cards, may_come, masks[0, 0], boards, ways, spots
                )
            else:
                for at in range(WHOLE):
                    progress[at] = at
                progress[WHOLE] = 1
                street = board_known, known_key, last_known, stage, missing, by_last
                while True:
                    listed = list_boards(
                        street, (deck, deck_keys, stock), condition, facts, hands, away, progress,
                        boards, ways, spots,
                    )  # fmt: skip
                    if not progress[WHOLE]:
                        break
                    is_whole = False
                    fitting += add_listed(
                        listed, boards, ways, spots, held, by_ranks[cards], by_suit
                    )
        fitting += add_listed(listed, boards, ways, spots, held, by_ranks[cards], by_suit)
        if not is_whole:
            listed = -1
        if only_last:
            fitting *= choose(size - 1, missing - 1)
        if seat >= 0:  # with each hand of the unknown player
            size -= 2
            fitting = fitting * choose(size + 2 - missing, 2)
        last_ways = missing if by_last and missing else 1
        boards_of_stage = choose(size, missing) * last_ways
        if seat >= 0:
            boards_of_stage = choose(size + 2, 2) * boards_of_stage
        totals[0] += fitting * times[row]
        totals[1] += boards_of_stage * times[row]
        if alone:
            continue
        whole = choose(size - missing, WHOLE - stage)
        totals[2] += fitting * whole * times[row]
        some_shares[:] = 0
        some_kinds[:] = 0
        if grows:
            count_whole(
                hands, seat, gone | held, cards, by_ranks, by_suit, facts, room,
                some_shares, some_kinds,
            )  # fmt: skip
        else:
            compare_listed(
                listed, boards, ways, cards, held, gone, hands, facts, some_shares, some_kinds
            )
        for player in range(shares.shape[0]):
            for winners in range(shares.shape[1]):
                shares[player, winners] += (
                    some_shares[player, winners] * often // orders * times[row]
                )
            for kind in range(kinds.shape[1]):
                kinds[player, kind] += some_kinds[player, kind] * often // orders * times[row]

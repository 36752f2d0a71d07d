"""Slow, readable oracles for two boards, for pots, and for the values of tournament stacks.

Independent of `engine.odds`: cards are (rank, suit) pairs with ranks 2 to 14, as in
`naive_showdown`. Both boards are dealt card by card; pots are paid out from the smallest bet up; a
stack's value is a sum over every order in which the players may finish.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

from tests.naive_showdown import LOWEST, showdown_score

Pair = tuple[int, int]
Hand = tuple[Pair, ...]


def _holdings(players: Sequence[Sequence[Hand]]) -> Iterator[tuple[Hand, ...]]:
    """Yield every choice of the players' hands in which no card occurs twice."""
    for hands in product(*players):
        cards = [card for hand in hands for card in hand]
        if len(set(cards)) == len(cards):
            yield hands


def _boards(board: Sequence[Pair], left: Sequence[Pair], public: int) -> Iterator[list[Pair]]:
    for completion in combinations(left, public - len(board)):
        yield [*board, *completion]


def _scores(
    hands: Sequence[Hand], board: Sequence[Pair], game: tuple[str, int, int]
) -> list[object]:
    ranking, use_hole, use_board = game
    return [showdown_score(hand, board, ranking, use_hole, use_board) for hand in hands]


def _winners(scores: Sequence[object], ranking: str) -> list[int]:
    best = min(scores) if ranking in LOWEST else max(scores)  # type: ignore[type-var]
    return [seat for seat, score in enumerate(scores) if score == best]


def two_boards(
    players: Sequence[Sequence[Hand]],
    boards: tuple[Sequence[Pair], Sequence[Pair]],
    pack: Sequence[Pair],
    game: tuple[str, int, int],
    public: int = 5,
) -> tuple[int, list[list[Fraction]]]:
    """Return the number of deals, and each player's results.

    A player's results are the numbers of deals scooped, split and lost, and the sum of the player's
    shares of the pot (1 for all of it). `boards` are the cards dealt so far, `public` the cards of
    a whole board. `game` is (ranking, hole cards to use, board cards to use).
    """
    deals = 0
    results = [[Fraction(0)] * 4 for _ in players]
    for hands in _holdings(players):
        held = {card for hand in hands for card in hand}
        left = [card for card in pack if card not in held]
        for first in _boards(boards[0], left, public):
            remaining = [card for card in left if card not in first[len(boards[0]) :]]
            for second in _boards(boards[1], remaining, public):
                deals += 1
                winners = [_winners(_scores(hands, b, game), game[0]) for b in (first, second)]
                for seat, result in enumerate(results):
                    share = sum(Fraction(seat in won, 2 * len(won)) for won in winners)
                    result[0] += share == 1
                    result[1] += 0 < share < 1
                    result[2] += share == 0
                    result[3] += share
    return deals, results


def chips_won(
    bets: Sequence[Fraction], dead_money: Fraction, scores: Sequence[object]
) -> list[Fraction]:
    """Return the chips that each player gets: one pot for each level of the bets, lowest first."""
    left, won = list(bets), [Fraction(0)] * len(bets)
    extra = dead_money
    while any(left):
        smallest = min(bet for bet in left if bet)
        seats = [seat for seat, bet in enumerate(left) if bet]
        pot = smallest * len(seats) + extra
        extra = Fraction(0)
        best = max(scores[seat] for seat in seats)  # type: ignore[type-var]
        winners = [seat for seat in seats if scores[seat] == best]
        for seat in winners:
            won[seat] += pot / len(winners)
        left = [bet - smallest if bet else bet for bet in left]
    return won


def worth(stacks: Sequence[Fraction], pays: Sequence[Fraction]) -> list[Fraction]:
    """Return the value of each stack, from every order in which the players may finish."""
    values = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks, Fraction(0))
        for seat in order:
            chance *= Fraction(stacks[seat], 1) / left
            left -= stacks[seat]
        for seat, prize in zip(order, pays, strict=False):
            values[seat] += chance * prize
    return values


def pots(
    players: Sequence[Sequence[Hand]],
    board: Sequence[Pair],
    pack: Sequence[Pair],
    bets: Sequence[Fraction],
    dead_money: Fraction = Fraction(0),
    stacks: Sequence[Fraction] = (),
    pays: Sequence[Fraction] = (),
    game: tuple[str, int, int] = ("high", 2, 5),
) -> tuple[list[Fraction], list[Fraction]]:
    """Return the chips that each player gets on average, and the average values of all stacks.

    Stacks are valued after the hand, by `pays`, the prizes from the first place down.
    """
    deals = 0
    chips = [Fraction(0)] * len(players)
    values = [Fraction(0)] * len(stacks)
    for hands in _holdings(players):
        held = {card for hand in hands for card in hand}
        for dealt in _boards(board, [card for card in pack if card not in held], 5):
            deals += 1
            won = chips_won(bets, dead_money, _scores(hands, dealt, game))
            chips = [a + b for a, b in zip(chips, won, strict=True)]
            if stacks:
                after = list(stacks)
                for seat, bet in enumerate(bets):
                    after[seat] += won[seat] - bet
                for seat, value in enumerate(_worth_after(stacks, after, pays)):
                    values[seat] += value
    return [sum_ / deals for sum_ in chips], [value / deals for value in values]


def _worth_after(
    before: Sequence[Fraction], after: Sequence[Fraction], pays: Sequence[Fraction]
) -> list[Fraction]:
    """Return the values of stacks after a hand.

    Players who are out and had equal stacks before the hand share their prizes.
    """
    alive = [seat for seat, stack in enumerate(after) if stack]
    values = [Fraction(0)] * len(after)
    for seat, value in zip(alive, worth([after[seat] for seat in alive], pays), strict=True):
        values[seat] = value
    prizes = [*pays, *[Fraction(0)] * len(after)]
    for seat in set(range(len(after))) - set(alive):
        higher = sum(before[rival] > before[seat] for rival, stack in enumerate(after) if not stack)
        equal = sum(before[rival] == before[seat] for rival, stack in enumerate(after) if not stack)
        first = len(alive) + higher
        values[seat] = sum(prizes[first : first + equal], Fraction(0)) / equal
    return values

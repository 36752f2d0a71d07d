"""Chips at a showdown: main and side pots, and what the stacks are worth in a tournament.

A player who is all in for less than others contests only the part of their bets that they have
matched. So the pots depend on the order of all hands in a deal, not only on the winner; deals are
counted by that order.

Tournament values follow the Independent Chip Model by D. A. Harville (1973) and M. Malmuth (1987):
a player's chance to finish first is their share of all chips. The chance of another player to
finish second is their share of the chips without the winner's, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import Any, Final

from engine.errors import Reason, TextError
from engine.odds.showdown.question_words import STAKES, STAKES_EXAMPLE

ICM_EXAMPLE: Final = '"AA(50) vs KK(100), stacks 50 120 230, pays 50 30 20"'
MOST_STACKS: Final = 10


@dataclass(frozen=True, slots=True)
class Stakes:
    """The chips that each player put in, and that others left in the pot (`dead_money`).

    In a tournament, `stacks` are all players' chips before the hand, beginning with the players in
    the hand. `pays` are the prizes from the first place down.
    """

    bets: tuple[Fraction, ...]
    dead_money: Fraction = Fraction(0)
    stacks: tuple[Fraction, ...] = ()
    pays: tuple[Fraction, ...] = ()

    def check(self, players: int) -> None:
        """Raise `TextError` if the chips are impossible with this number of players."""
        if len(self.bets) != players:
            reason = Reason(
                "expected {players} amounts, one for each player in the pot, got {given}",
                players=players,
                given=len(self.bets),
            )
            raise TextError(STAKES, reason, STAKES_EXAMPLE)
        if min(self.bets) <= 0:
            reason = Reason("every player in the pot has put in more than 0")
            raise TextError(STAKES, reason, STAKES_EXAMPLE)
        if bool(self.stacks) != bool(self.pays):
            reason = Reason("the value in a tournament takes both stacks and pays")
            raise TextError(STAKES, reason, ICM_EXAMPLE)
        if self.stacks:
            self._check_tournament(players)

    def _check_tournament(self, players: int) -> None:
        if not players <= len(self.stacks) <= MOST_STACKS:
            reason = Reason(
                "expected {least} to {most} stacks, those of the hand's players first, got {given}",
                least=players,
                most=MOST_STACKS,
                given=len(self.stacks),
            )
            raise TextError(STAKES, reason, ICM_EXAMPLE)
        for seat, (bet, stack) in enumerate(zip(self.bets, self.stacks, strict=False), start=1):
            if bet > stack:
                reason = Reason(
                    "player {seat} has put in {bet}, but has only {stack}",
                    seat=seat,
                    bet=chips_text(bet),
                    stack=chips_text(stack),
                )
                raise TextError(STAKES, reason, ICM_EXAMPLE)
        if min(self.stacks) <= 0:
            reason = Reason("a stack has more than 0 chips")
            raise TextError(STAKES, reason, ICM_EXAMPLE)
        if list(self.pays) != sorted(self.pays, reverse=True) or len(self.pays) > len(self.stacks):
            reason = Reason("pays are the prizes from the first place down, one a place at most")
            raise TextError(STAKES, reason, ICM_EXAMPLE)


def chips_text(chips: Fraction) -> str:
    """Return a number of chips as people write it."""
    return f"{float(chips):,.10g}" if chips.denominator > 1 else f"{chips.numerator:,}"


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot of `chips` that `seats` contest.

    `shares` are all players' average shares of the pot, 0 to 1; empty if they haven't been counted.
    """

    chips: Fraction
    seats: tuple[int, ...]
    shares: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Winnings:
    """The expected chips of a question with stakes.

    `pots` are the main pot, then the side pots. `refund` is the part of the largest bet that nobody
    matched, as (seat, chips). `chips` are the chips that each player gets on average, the refund
    included; `errors` are their standard errors, None if exact. In a tournament, `before` and
    `after` are the values of all stacks before the hand, and on average after it.
    """

    pots: tuple[Pot, ...]
    refund: tuple[int, Fraction] | None
    chips: tuple[Fraction, ...]
    errors: tuple[float, ...] | None
    before: tuple[Fraction, ...] = ()
    after: tuple[Fraction, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the chips as plain values."""
        values: dict[str, Any] = {
            "pots": [
                {
                    "chips": float(pot.chips),
                    "players": [seat + 1 for seat in pot.seats],
                    "shares": list(map(float, pot.shares)),
                }
                for pot in self.pots
            ],
            "chips": list(map(float, self.chips)),
            "standard_errors": None if self.errors is None else list(self.errors),
        }
        if self.refund is not None:
            seat, chips = self.refund
            values["returned"] = {"player": seat + 1, "chips": float(chips)}
        if self.before:
            values["tournament"] = {
                "before": list(map(float, self.before)),
                "after": list(map(float, self.after)),
            }
        return values


def split_pots(stakes: Stakes) -> tuple[list[Pot], tuple[int, Fraction] | None]:
    """Return the main pot and the side pots, and the refund (seat, chips) if there is one."""
    pots, refund, below = [], None, Fraction(0)
    for level in sorted(set(stakes.bets)):
        seats = tuple(seat for seat, bet in enumerate(stakes.bets) if bet >= level)
        chips = (level - below) * len(seats)
        chips += stakes.dead_money if not below else 0
        if len(seats) > 1:
            pots.append(Pot(chips, seats))
        else:
            refund = seats[0], chips
        below = level
    return pots, refund


Orders = Iterable[tuple[tuple[int, ...], float, float]]
"""For each order of hands: how many players are better than each, and two sums over the deals with
this order: of their weights, and of the squares of their weights."""


def count_winnings(stakes: Stakes, orders: Orders, weight: float, *, exact: bool) -> Winnings:
    """Return each player's expected chips; `weight` is the sum of the weights of all deals."""
    pots, refund = split_pots(stakes)
    seats, whole = range(len(stakes.bets)), Fraction(weight)
    shares = [[Fraction(0)] * len(stakes.bets) for _ in pots]
    results: list[tuple[Fraction, float, tuple[Fraction, ...]]] = []
    for places, count, square in orders:
        part = Fraction(count) / whole
        won = [_pot_shares(pot, places) for pot in pots]
        for of_pot, in_deal in zip(shares, won, strict=True):
            for seat in seats:
                of_pot[seat] += part * in_deal[seat]
        chips = tuple(_chips_won(pots, refund, won, seat) for seat in seats)
        results.append((part, square, chips))
    mean = tuple(
        sum((part * chips[seat] for part, _, chips in results), Fraction(0)) for seat in seats
    )
    errors = tuple(
        sqrt(sum(square * float(chips[seat] - mean[seat]) ** 2 for _, square, chips in results))
        / float(weight)
        for seat in seats
    )
    return Winnings(
        tuple(
            Pot(pot.chips, pot.seats, tuple(of_pot))
            for pot, of_pot in zip(pots, shares, strict=True)
        ),
        refund,
        mean,
        None if exact else errors,
        *_values(stakes, [(part, chips) for part, _, chips in results]),
    )


def _values(
    stakes: Stakes, results: Sequence[tuple[Fraction, tuple[Fraction, ...]]]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the values of all stacks before the hand, and on average after it.

    Both are empty without stacks. `results` are the chance of each result, and the chips that each
    player gets.
    """
    if not stakes.stacks:
        return (), ()
    after = [Fraction(0)] * len(stakes.stacks)
    players = len(stakes.bets)
    for part, won in results:
        stacks = tuple(
            stack - stakes.bets[seat] + won[seat] if seat < players else stack
            for seat, stack in enumerate(stakes.stacks)
        )
        for seat, value in enumerate(values_after(stakes.stacks, stacks, stakes.pays)):
            after[seat] += part * value
    return tournament_values(stakes.stacks, stakes.pays), tuple(after)


def _pot_shares(pot: Pot, places: Sequence[int]) -> list[Fraction]:
    """Return all players' shares of a pot; the lowest of `places` is the best hand."""
    best = min(places[seat] for seat in pot.seats)
    winners = [seat for seat in pot.seats if places[seat] == best]
    return [Fraction(seat in winners, len(winners)) for seat in range(len(places))]


def _chips_won(
    pots: Sequence[Pot],
    refund: tuple[int, Fraction] | None,
    shares: Sequence[Sequence[Fraction]],
    seat: int,
) -> Fraction:
    chips = sum(
        (pot.chips * of_pot[seat] for pot, of_pot in zip(pots, shares, strict=True)), Fraction(0)
    )
    return chips + (refund[1] if refund is not None and refund[0] == seat else 0)


@lru_cache(maxsize=1024)
def tournament_values(
    stacks: tuple[Fraction, ...], pays: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """Return the expected prize of each stack by the Independent Chip Model.

    All stacks must be positive.
    """
    values = [Fraction(0)] * len(stacks)
    chances = {frozenset[int](): Fraction(1)}
    everyone, whole = range(len(stacks)), sum(stacks)
    for place, prize in enumerate(pays[: len(stacks)]):
        following: dict[frozenset[int], Fraction] = {}
        for first in combinations(everyone, place):
            ahead = frozenset(first)
            left = whole - sum(stacks[seat] for seat in ahead)
            for seat in everyone:
                if seat not in ahead:
                    chance = chances[ahead] * stacks[seat] / left
                    values[seat] += chance * prize
                    now = ahead | {seat}
                    following[now] = following.get(now, Fraction(0)) + chance
        chances = following
    return tuple(values)


@lru_cache(maxsize=1024)
def values_after(
    before: tuple[Fraction, ...], stacks: tuple[Fraction, ...], pays: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """Return the expected prize of each stack after a hand, where players with 0 chips are out.

    Among players who go out in the hand, a player with more chips `before` finishes higher; players
    with equal chips share their prizes.
    """
    alive = [seat for seat, stack in enumerate(stacks) if stack]
    values = [Fraction(0)] * len(stacks)
    left = tournament_values(tuple(stacks[seat] for seat in alive), pays)
    for seat, value in zip(alive, left, strict=True):
        values[seat] = value
    out = sorted(
        (seat for seat, stack in enumerate(stacks) if not stack), key=lambda seat: -before[seat]
    )
    prizes = [*pays, *[Fraction(0)] * len(stacks)]
    place = len(alive)
    while out:
        equal = [seat for seat in out if before[seat] == before[out[0]]]
        for seat in equal:
            values[seat] = sum(prizes[place : place + len(equal)], Fraction(0)) / len(equal)
        place += len(equal)
        out = out[len(equal) :]
    return tuple(values)

"""The chance to win the match from any card counts.

A round has one loser, so a match is a walk over the card counts of the live seats that ends when
one seat is left. Seats with equal cards have equal chances (the opener is ignored), so a state is
the sorted counts: 14 states from the start of a match of two players, at most a thousand of ten.
Dynamic programming solves them when needed, so that no table is shipped.

A model gives the loser of a round: a seat's chance to lose is proportional to exp(tilt * its
cards). More cards are an advantage within a round, since their holder knows more of the pool, so a
tilt is below 0; `weights/tilts.json` has the tilts measured among equal players
(docs/computer-players.md).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Final

from engine.ruleset import Ruleset

EVEN: Final[Mapping[int, float]] = {}  # no tilts: every live seat loses equally often

State = tuple[int, ...]  # the cards of the live seats, fewest first
Chances = Mapping[int, float]  # cards held -> the chance of a seat that holds this many


@dataclass(frozen=True, slots=True)
class MatchEquity:
    """Chances to win a match with one set of card limits.

    `limits[n]` is the most cards a seat may hold while `n` seats are live, the first two entries
    unused. `tilts` maps a number of live seats to a tilt: how much each card changes the log-odds
    of losing a round. Between two measured numbers the tilt is interpolated linearly; beyond them,
    the nearest is used; if nothing was measured, it is 0. `first_out`: the match ends with the
    first player out.
    """

    limits: tuple[int, ...]
    tilts: Mapping[int, float] = field(default_factory=lambda: EVEN)
    first_out: bool = False
    _solved: dict[State, Chances] = field(default_factory=dict, init=False, repr=False)

    def chances(self, cards: Sequence[int]) -> tuple[float, ...]:
        """Return the chance of each live seat to win; `cards` is each seat's number of cards.

        They sum to 1. Raises ValueError for no seats, more seats than `limits` covers, or a seat
        without cards.
        """
        if not 1 <= len(cards) < len(self.limits) or min(cards) < 1:
            raise ValueError(
                f"{list(cards)} are no cards of 1 to {len(self.limits) - 1} live seats, for"
                " example [3, 2]"
            )
        each = self._solve(tuple(sorted(cards)))
        return tuple(each[held] for held in cards)

    def after_loss(
        self, cards: Sequence[int], loser: int, *, playing_off: bool = False
    ) -> tuple[float, ...]:
        """Return `chances` after the seat at index `loser` lost a round: 0 for a seat that is out.

        If `playing_off`, a tie for the fewest cards is played off: the loser is out whatever the
        limit. `cards` must be valid for `chances`. Raises IndexError if there is no such seat.
        """
        held = cards[loser]
        if held + 1 <= self.limits[len(cards)] and not playing_off:
            return self.chances([*cards[:loser], held + 1, *cards[loser + 1 :]])
        after = self._without([*cards[:loser], *cards[loser + 1 :]])
        return tuple(0.0 if place == loser else after[others] for place, others in enumerate(cards))

    def losing(self, cards: Sequence[int]) -> tuple[float, ...]:
        """Return the model's chance that each live seat loses a round; the chances sum to 1."""
        tilt = self.tilt(len(cards))
        most = max(cards)  # subtracted first, so that no exponential can overflow
        weights = [exp(tilt * (held - most)) for held in cards]
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def tilt(self, live: int) -> float:
        """Return the tilt for this number of live seats, interpolated between the measured ones."""
        if not self.tilts:
            return 0.0
        below = max((number for number in self.tilts if number <= live), default=min(self.tilts))
        above = min((number for number in self.tilts if number >= live), default=max(self.tilts))
        if below >= above:
            return self.tilts[above]
        share = (live - below) / (above - below)
        return (1 - share) * self.tilts[below] + share * self.tilts[above]

    def _solve(self, state: State) -> Chances:
        """Return the chances in `state`, from the states that losing a round leads to."""
        known = self._solved.get(state)
        if known is not None:
            return known
        value = dict.fromkeys(state, 0.0)
        if len(state) == 1:
            value[state[0]] = 1.0
        else:
            chance = dict(zip(state, self.losing(state), strict=True))
            for held in value:  # the case that one of the seats with this many cards loses
                self._add(value, state, held, chance[held])
        self._solved[state] = value
        return value

    def _add(self, value: dict[int, float], state: State, held: int, chance: float) -> None:
        """Add to `value` the chances after a seat with `held` cards loses, weighted by `chance`."""
        left = list(state)
        left.remove(held)
        out = held + 1 > self.limits[len(state)]
        after = self._without(left) if out else self._solve(tuple(sorted([*left, held + 1])))
        for cards in value:
            others = state.count(held) - (cards == held)  # other seats with equally many
            if others:
                value[cards] += chance * others * after[cards]
            if cards == held and not out:
                value[cards] += chance * after[held + 1]

    def _without(self, left: Sequence[int]) -> Chances:
        """Return the chances, by number of cards, once a seat is out.

        `left` are the numbers of cards of the seats still in.
        """
        if not self.first_out:
            return self._solve(tuple(sorted(left)))
        fewest = min(left)
        return {held: (held == fewest) / left.count(fewest) for held in left}


def match_equity(ruleset: Ruleset, started: int) -> MatchEquity:
    """Return the equity in a match that `started` players began, with the game's measured tilts.

    Return the same object for the same limits, so that solved states are shared.
    """
    limits = tuple(ruleset.card_limit(live, started) for live in range(ruleset.most_players + 1))
    return _cached_equity(ruleset.key, limits, ruleset.length == "first_out")


@lru_cache(maxsize=64)
def _cached_equity(key: str, limits: tuple[int, ...], first_out: bool) -> MatchEquity:
    return MatchEquity(limits, measured_tilts(key), first_out)


@lru_cache(maxsize=64)
def measured_tilts(key: str) -> Mapping[int, float]:
    """Return the measured tilts of the game `key` by number of live seats.

    A game that was not measured gets the mean of the measured ones.
    """
    text = files("engine.players").joinpath("weights", "tilts.json").read_text(encoding="utf-8")
    measured: dict[str, dict[str, float]] = json.loads(text)["tilts"]
    if key in measured:
        return _by_number(measured[key])
    each = [MatchEquity((), _by_number(tilts)) for tilts in measured.values()]
    numbers = {live for equity in each for live in equity.tilts}
    return {live: sum(equity.tilt(live) for equity in each) / len(each) for live in sorted(numbers)}


def _by_number(tilts: Mapping[str, float]) -> dict[int, float]:
    return {int(live): tilt for live, tilt in tilts.items()}

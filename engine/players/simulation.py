"""Measure a field of players over many matches: how often each wins, and how it plays.

A deal is played in all orders that `Seatings` gives. These matches depend on each other, so
a deal counts as one observation. The figures depend only on the field, the rules and the
seed, not on the number of deals played at a time. If every player has a compiled form, the
matches are played in compiled loops, otherwise by the engine (`by_views`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import RulesetError
from engine.players.by_views import play_by_views
from engine.players.forms import compiled_form, player_of
from engine.players.kernels.match import COUNTED
from engine.players.matches import Habits, Seatings, habits_of, loop_of
from engine.players.networks import Entry
from engine.ruleset import FEWEST_PLAYERS, Ruleset

MOST_SEED: Final = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Result:
    """The results of one player, for all its seats together. `wins` are matches won."""

    name: str
    seats: int
    wins: float
    interval: Interval
    fair: float  # the share it would win if all players were equal
    habits: Habits


class Simulation:
    """A field of players at one table, and the figures of the deals they have played.

    `names` has one entry for each seat; a name with several seats is one player in all figures.
    `others` are more compiled players, by name. Raises RulesetError for too few or too many
    players, an unknown player, or a seed that is not 0 to `MOST_SEED`.

    `wins` are the matches won in each deal, (deals, players); `counted` are the counts that
    `kernels.match` lists, (players, COUNTED).
    """

    def __init__(
        self,
        rules: Ruleset,
        names: Sequence[str],
        *,
        duplicate: bool = True,
        seed: int = 0,
        others: dict[str, Entry] | None = None,
    ) -> None:
        if not FEWEST_PLAYERS <= len(names) <= rules.most_players:
            raise RulesetError(
                f"{FEWEST_PLAYERS} to {rules.most_players} can play, not {len(names)}"
            )
        if not 0 <= seed <= MOST_SEED:
            raise RulesetError(f"a seed is 0 to {MOST_SEED}, not {seed}")
        self.rules, self.duplicate, self.seed = rules, duplicate, seed
        self.names = tuple(dict.fromkeys(names))
        counts = [names.count(name) for name in self.names]
        forms = [(others or {}).get(name) or compiled_form(name, rules) for name in self.names]
        self.seatings = Seatings(counts, duplicate, seed)
        entries = [form for form in forms if form is not None]
        all_compiled = len(entries) == len(forms)
        self._loop = loop_of(rules, entries, len(names)) if all_compiled else None
        self._field = [
            (name, player_of(name, form)) for name, form in zip(self.names, forms, strict=True)
        ]
        self._counts = counts
        self.wins = np.zeros((0, len(self.names)))
        self.counted = np.zeros((len(self.names), COUNTED))

    @property
    def is_compiled(self) -> bool:
        """Whether the field is played in compiled loops."""
        return self._loop is not None

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return len(self.wins)

    @property
    def matches(self) -> int:
        """The number of matches played."""
        return self.deals * self.seatings.of_a_deal

    def warm(self) -> None:
        """Compile or load the code that will play, by playing one deal that does not count."""
        self._play_block(0, 1)

    def play(self, deals: int) -> None:
        """Play `deals` more deals. Compiled code releases the interpreter's lock."""
        wins, counted = self._play_block(self.deals, deals)
        self.wins = np.concatenate([self.wins, wins])
        self.counted += counted

    def results(self) -> tuple[Result, ...]:
        """Return a result for each different name, in order of first appearance.

        Raises ValueError before the first deal.
        """
        if not self.deals:
            raise ValueError("no deal was played")
        return tuple(
            Result(
                name=name,
                seats=self._counts[player],
                wins=float(self.wins[:, player].sum()),
                interval=interval(self.wins[:, player] / self.seatings.of_a_deal),
                fair=self._counts[player] / sum(self._counts),
                habits=habits_of(self.counted[player]),
            )
            for player, name in enumerate(self.names)
        )

    def _play_block(self, first: int, deals: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return wins (deals, players) and counts (players, `COUNTED`) of deals from `first` on."""
        wins = np.zeros((deals, len(self.names)))
        counted = np.zeros((len(self.names), COUNTED))
        blocks = self.seatings.block(first, deals)
        if self._loop is None:
            for number, orders in enumerate(blocks):
                self._by_views(first + number, orders, wins[number], counted)
            return wins, counted
        # random orders differ from deal to deal
        step = max(1, deals) if self.seatings.complete else 1
        # integer overflow is intended; numpy warns about it only with the JIT off
        with np.errstate(over="ignore"):
            for at in range(0, deals, step):
                block_wins = wins[at : at + step]
                self._loop(blocks[at], np.uint64(self.seed << 32), first + at, block_wins, counted)
        return wins, counted

    def _by_views(
        self, deal: int, orders: NDArray[Any], wins: NDArray[Any], counted: NDArray[Any]
    ) -> None:
        for number, order in enumerate(orders):
            at_table = np.zeros((len(order), COUNTED))
            winner = play_by_views(
                self.rules,
                [self._field[player] for player in order],
                f"deal {self.seed} {deal}",
                f"choices {self.seed} {deal} {number}",
                at_table,
            )
            wins[order[winner]] += 1
            np.add.at(counted, order, at_table)


_OUTSIDE: Final = 0.05
# exceeded by Student's t in 2.5 % of cases, by degrees of freedom from 1 (Fisher and Yates)
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_NORMAL: Final = 1.959964


class Interval(NamedTuple):
    """A share of matches, and bounds that contain the true share in 95 % of such runs."""

    share: float
    low: float
    high: float


def interval(observed: NDArray[Any]) -> Interval:
    """Return the mean of shares from 0 to 1, one for each observation, with its 95 % interval.

    The interval is by Student's t. If all observations are equal, it extends to each side by p.
    Here p is the chance of a different value for which 5 % of such samples have none. The
    interval never leaves 0 to 1. Raises ValueError without observations.
    """
    number = len(observed)
    if not number:
        raise ValueError("no observations")
    share = float(observed.mean())
    if float(observed.min()) == float(observed.max()):
        half = 1 - float(_OUTSIDE ** (1 / number))
    else:
        half = student(number - 1) * float(observed.std(ddof=1)) / sqrt(number)
    return Interval(share, max(0.0, share - half), min(1.0, share + half))


def student(freedom: int) -> float:
    """Return half the width of a 95 % interval, in standard errors, for these degrees of freedom.

    Up to 9 degrees the result is from a table, then from the expansion of Cornish and Fisher,
    accurate to 0.003.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)

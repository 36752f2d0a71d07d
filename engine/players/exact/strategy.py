"""A solved strategy: what a seat does after which bids with which hand, as a small sorted table.

Two seats bid in turn and only upwards, so the set of bids made tells their order and whose turn it
is. What the table leaves out is a challenge: nearly all sets of bids are ones to which a strategy
does not bring its own seat, or after which it challenges with every hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

from engine.players.exact.small_round import MOST_HANDS, SmallRound, small_round
from engine.ruleset import Ruleset

CHALLENGE: Final = 255  # beside the places of bids in the table's column of actions
WHOLE: Final = (1 << 16) - 1  # a chance of 1 in the stored table

Chances = tuple[tuple[int | None, float], ...]  # bid (None: a challenge) and its chance; sum 1
Entry = tuple[int, int, int | None, float]  # set of bids made, hand, bid or None, chance


@dataclass(frozen=True)
class Strategy:
    """How both seats of `small` play.

    `keys` are (set of bids made, hand) as one number each, sorted; `actions` the bid or
    `CHALLENGE`; `chances` out of `WHOLE`. Bids and hands are places in the lists of `small`.
    """

    small: SmallRound
    keys: NDArray[np.uint32]
    actions: NDArray[np.uint8]
    chances: NDArray[np.uint16]

    @staticmethod
    def of(small: SmallRound, entries: Iterable[Entry]) -> Strategy:
        """The strategy with these chances, rounded to parts of `WHOLE`; those of 0 are left out."""
        rows = sorted(
            (_key(made, hand), CHALLENGE if bid is None else bid, round(WHOLE * chance))
            for made, hand, bid, chance in entries
        )
        kept = [row for row in rows if row[2]]
        keys, actions, chances = zip(*kept, strict=True) if kept else ((), (), ())
        return Strategy(
            small,
            np.array(keys, np.uint32),
            np.array(actions, np.uint8),
            np.array(chances, np.uint16),
        )

    def at(self, made: Sequence[int], hand: int) -> Chances:
        """What the seat to act does after the bids `made`, lowest first, holding hand `hand`.

        With nothing in the table it challenges, or opens with the lowest bid.
        """
        key = _key(sum(1 << bid for bid in made), hand)
        first, after = np.searchsorted(self.keys, (key, key + 1))
        if first == after:
            return ((None if made else 0, 1.0),)
        total = int(self.chances[first:after].sum(dtype=np.int64))
        return tuple(
            (None if action == CHALLENGE else int(action), int(chance) / total)
            for action, chance in zip(
                self.actions[first:after], self.chances[first:after], strict=True
            )
        )

    def write(self, file: IO[bytes]) -> None:
        """Write the table as a compressed .npz, with the cards and bids that it is for."""
        # keys grow slowly: their differences press into a fraction of the room
        steps = np.diff(self.keys, prepend=np.uint32(0)).astype(np.uint32)
        np.savez_compressed(
            file, round=_facts(self.small), steps=steps, actions=self.actions, chances=self.chances
        )

    @staticmethod
    def read(small: SmallRound, file: IO[bytes]) -> Strategy | None:
        """The strategy that `write` wrote; None if it is for another round."""
        with np.load(file) as arrays:
            if not np.array_equal(arrays["round"], _facts(small)):
                return None
            keys = np.cumsum(arrays["steps"], dtype=np.uint32)
            return Strategy(small, keys, arrays["actions"], arrays["chances"])


def shipped(ruleset: Ruleset, cards: Sequence[int]) -> Strategy | None:
    """The strategy that comes with the package, `cards[0]` the opener's number; None if none does.

    What has been read once is kept.
    """
    # a ruleset of another deck or ladder may go by the same key, so its options count too
    asked = (ruleset.key, ruleset.version, ruleset.options, tuple(cards))
    if asked not in _READ:
        _READ[asked] = _read(ruleset, cards)
    return _READ[asked]


_READ: Final[dict[object, Strategy | None]] = {}


def solved(ruleset: Ruleset) -> bool:
    """Whether any round of the game comes solved with the package."""
    weights = files("engine.players").joinpath("weights")
    return any(file.name.startswith(f"exact-{ruleset.key}-") for file in weights.iterdir())


def shipped_name(ruleset: Ruleset, cards: Sequence[int]) -> str:
    """The file, among the weights, of the solved round with so many cards."""
    return f"exact-{ruleset.key}-{cards[0]}-{cards[1]}.npz"


def _read(ruleset: Ruleset, cards: Sequence[int]) -> Strategy | None:
    file = files("engine.players").joinpath("weights", shipped_name(ruleset, cards))
    small = small_round(ruleset, cards)
    if small is None or not file.is_file():
        return None
    with file.open("rb") as opened:
        return Strategy.read(small, opened)


def _facts(small: SmallRound) -> NDArray[np.uint64]:
    """What a solution is for, as numbers: cards, bids and which cards differ."""
    return np.array([*small.cards, *small.bids, *small.kinds], np.uint64)


def _key(made: int, hand: int) -> int:
    return made * MOST_HANDS + hand

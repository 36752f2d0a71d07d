"""Ladders: a ruleset's bids in order of strength.

A ladder is a tuple of rungs, numbered from 1 without gaps; a rung holds the bids of equal strength
(several only where suits are not ranked). A bid is higher if and only if its rung is higher.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from engine.bids import Bid, Kind
from engine.errors import RulesetError


@dataclass(frozen=True)
class Ladder:
    """The rungs, weakest first.

    Raises RulesetError for an empty rung or a bid that occurs twice.
    """

    rungs: tuple[tuple[Bid, ...], ...]
    kinds: tuple[Kind, ...] = field(init=False, repr=False, compare=False)  # weakest first
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)
    _bids: dict[str, Bid] = field(init=False, repr=False, compare=False)
    _order: tuple[Bid, ...] = field(init=False, repr=False, compare=False)
    _places: dict[str, int] = field(init=False, repr=False, compare=False)
    # by rung, the number of bids up to it
    _last: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers: dict[str, int] = {}
        bids: dict[str, Bid] = {}
        for number, rung in enumerate(self.rungs, start=1):
            if not rung:
                raise RulesetError(f"rung {number} of the ladder is empty: leave it out")
            for bid in rung:
                if bid.key in bids:
                    raise RulesetError(f"{bid.key} stands on the ladder twice: leave one out")
                numbers[bid.key] = number
                bids[bid.key] = bid
        kinds = tuple(dict.fromkeys(bid.kind for bid in bids.values()))
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "_bids", bids)
        object.__setattr__(self, "_order", tuple(bids.values()))
        object.__setattr__(self, "_places", {key: place for place, key in enumerate(bids)})
        object.__setattr__(self, "_last", (0, *accumulate(map(len, self.rungs))))

    def __iter__(self) -> Iterator[Bid]:
        """Iterate over the bids, weakest first."""
        return iter(self._bids.values())

    def __len__(self) -> int:
        """Return the number of bids (not of rungs)."""
        return len(self._bids)

    def __contains__(self, bid: Bid) -> bool:
        return self._bids.get(bid.key) == bid

    @property
    def top(self) -> int:
        """The number of the highest rung."""
        return len(self.rungs)

    def number(self, bid: Bid) -> int:
        """Return the number of the rung of `bid`, 1 to `top`. Raises KeyError if there is none."""
        return self._numbers[bid.key]

    def bid(self, key: str) -> Bid:
        """Return the bid with this canonical key. Raises KeyError if there is none."""
        return self._bids[key]

    def get(self, key: str) -> Bid | None:
        """Return the bid with this canonical key; None if there is none."""
        return self._bids.get(key)

    def above(self, standing: Bid | None) -> tuple[tuple[Bid, ...], ...]:
        """Return the rungs strictly above `standing`; all of them for None."""
        return self.rungs if standing is None else self.rungs[self.number(standing) :]

    def at(self, place: int) -> Bid:
        """Return the bid at `place`, from 0, weakest first. Raises IndexError beyond the last."""
        return self._order[place]

    def place(self, bid: Bid) -> int:
        """Return the place of `bid`, from 0, weakest first. Raises KeyError if there is none."""
        return self._places[bid.key]

    def first_above(self, place: int | None) -> int:
        """Return the place of the weakest bid that is higher than the bid at `place`.

        Return the number of bids if there is none, and 0 if `place` is None.
        """
        return 0 if place is None else self._last[self._numbers[self._order[place].key]]

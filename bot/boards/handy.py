"""The table's list of bids: the few that most players look for, out of up to 385.

First the next two rungs, then the lowest bid of each higher kind, then the further ranks of the
standing kind. What is listed depends on the standing bid alone, never on anybody's cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bids import Bid

MOST: Final = 25  # options that a list may have
NEXT: Final = 2  # rungs right above the standing bid


def handy_bids(rungs: Sequence[tuple[Bid, ...]], standing: Bid | None) -> list[Bid]:
    """At most 25 of the legal bids, in the order of the ladder.

    `rungs` are the legal ones, weakest first. Of equal bids, which differ in suit, all are listed
    or none.
    """
    if not rungs:
        return []
    kind = standing.kind if standing is not None else rungs[0][0].kind
    wanted = list(range(min(NEXT, len(rungs))))
    wanted += _lowest_of_kinds(rungs, kind)
    wanted += _next_ranks(rungs, kind)
    chosen: set[int] = set()
    room = MOST
    for number in dict.fromkeys(wanted):
        if len(rungs[number]) <= room:
            chosen.add(number)
            room -= len(rungs[number])
    return [bid for number in sorted(chosen) for bid in rungs[number]]


def _lowest_of_kinds(rungs: Sequence[tuple[Bid, ...]], kind: object) -> list[int]:
    """The first rung of each kind above the standing one."""
    found: dict[object, int] = {}
    latest = None
    for number, rung in enumerate(rungs):
        if rung[0].kind is not latest:  # neighbours on the ladder are mostly of one kind
            latest = rung[0].kind
            found.setdefault(latest, number)
    return [number for other, number in found.items() if other is not kind]


def _next_ranks(rungs: Sequence[tuple[Bid, ...]], kind: object) -> list[int]:
    """The lowest rung of each further rank of the standing kind: of two pairs, one for each."""
    found: dict[object, int] = {}
    for number, rung in enumerate(rungs):
        if rung[0].kind is kind:
            found.setdefault(rung[0].ranks[:1] or rung[0].suit, number)
    return list(found.values())

"""What a computer player remembers of a match: who it is, its seed, and what showdowns have shown.

A memory is folded from views alone, so a log that is replayed gives the same memory, and with it
the same choices. Plain values throughout: it is made in the bot's own process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.view import EndedRound, View


@dataclass(frozen=True, slots=True)
class Shown:
    """A round that has ended, with everybody's cards as bits.

    `bids` are (seat, place in the ladder's order from 0). `challenger` is None if the round ended
    without a showdown, `loser` if nobody lost it.
    """

    number: int
    opener: int
    hands: tuple[int, ...]
    middle: int
    bids: tuple[tuple[int, int], ...]
    challenger: int | None
    loser: int | None


@dataclass(frozen=True, slots=True)
class Memory:
    """What the player of one seat carries through a match.

    `character` is a key of `CHARACTERS`, `seed` (64 bits) the only source of its chance, `shown`
    every ended round of this match so far.
    """

    character: str
    seed: int
    shown: tuple[Shown, ...] = ()


def remember(memory: Memory, view: View) -> Memory:
    """The memory after `view`: a round that has ended is kept, once; anything else changes nothing.

    Call it with a view of every ended round, in order; rounds that were missed are not guessed.
    """
    ended = view.round
    if not isinstance(ended, EndedRound):
        return memory
    if memory.shown and memory.shown[-1].number >= ended.number:
        return memory
    place = view.ruleset.ladder.place
    shown = Shown(
        number=ended.number,
        opener=ended.opener,
        hands=tuple(cards.bits for cards in ended.hands),
        middle=ended.middle.bits,
        bids=tuple((made.seat, place(made.bid)) for made in ended.bids),
        challenger=ended.outcome.challenger,
        loser=ended.outcome.loser,
    )
    return replace(memory, shown=(*memory.shown, shown))

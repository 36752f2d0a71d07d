"""A position: everything that a computer player may use to decide, as plain numbers.

`observe` makes it from what one seat sees (`engine.view`) and its memory, so no hidden card can get
into it. It is small and can be pickled: the bot observes, another process chooses (`deciding`). It
names its rules but does not contain them: the caller passes them along. A player's answer is a
`Choice`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.actions import Challenge, MakeBid
from engine.bids import Bid
from engine.cards import Cards
from engine.errors import EngineError
from engine.players.memory import Memory, ShownRound
from engine.rotation import playing_off
from engine.ruleset import OptionValue
from engine.state import Phase
from engine.view import View

_64_BITS: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Position:
    """A round of bidding as one seat sees it.

    Sets of cards are bits, bids are (seat, place in the ladder's order from 0), seats are numbers
    from 0. `dealt` is the number of cards dealt to each seat, 0 if it was not dealt in; a seat that
    forfeited in this round has cards, but is not `live`. `challengers` are the seats that may
    challenge now. `rounds` are the ended rounds of the match. `playing_off` is whether a match that
    ends with the first player out has come to its play-off: only the seats that tie for the fewest
    cards still play, and the next to lose is out.
    """

    game: str
    version: int
    options: tuple[tuple[str, OptionValue], ...]
    number: int  # the round's number
    seat: int
    turn: int
    opener: int
    hole: int
    dealt: tuple[int, ...]
    live: tuple[int, ...]
    middle_size: int
    playing_off: bool
    bids: tuple[tuple[int, int], ...]
    challengers: tuple[int, ...]
    rounds: tuple[ShownRound, ...]
    character: str
    seed: int

    @property
    def in_play(self) -> int:
        """The number of cards in the pool."""
        return sum(self.dealt) + self.middle_size

    @property
    def standing(self) -> int | None:
        """The place of the standing bid in the ladder's order; None until the opener bids."""
        return self.bids[-1][1] if self.bids else None

    @property
    def may_bid(self) -> bool:
        """Whether it is this seat's turn; True even if no higher bid is left."""
        return self.seat == self.turn

    @property
    def may_challenge(self) -> bool:
        """Whether this seat may challenge the standing bid."""
        return self.seat in self.challengers

    @property
    def cards(self) -> Cards:
        """The seat's own cards."""
        return Cards(self.hole)

    @property
    def chance(self) -> int:
        """64 random bits for this decision: from the seed, round, number of bids, and seat."""
        state = _mix(self.seed & _64_BITS)
        for part in (self.number, len(self.bids), self.seat):
            state = _mix(state ^ part)
        return state


def observe(view: View, memory: Memory) -> Position | None:
    """Return the position from which `view.seat` decides; None if it may not bid or challenge."""
    current, seat = view.round, view.seat
    if current is None or seat is None or view.phase is not Phase.BIDDING or current.turn is None:
        return None
    if seat != view.legal.bidder and seat not in view.legal.challengers:
        return None
    rules = view.ruleset
    return Position(
        game=rules.key,
        version=rules.version,
        options=rules.options,
        number=current.number,
        seat=seat,
        turn=current.turn,
        opener=current.opener,
        hole=current.hole.bits if current.hole else 0,
        dealt=current.dealt,
        live=tuple(number for number, held in enumerate(view.seats) if held.live),
        middle_size=current.middle_size,
        playing_off=playing_off(rules, view.seats),
        bids=tuple((step.seat, rules.ladder.place(step.bid)) for step in current.bids),
        challengers=tuple(sorted(view.legal.challengers)),
        rounds=memory.rounds,
        character=memory.character,
        seed=memory.seed,
    )


def _mix(state: int) -> int:
    """Return `state` mixed by one step of splitmix64 (Steele, Lea and Flood, 2014)."""
    state = (state + 0x9E3779B97F4A7C15) & _64_BITS
    state = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _64_BITS
    state = ((state ^ state >> 27) * 0x94D049BB133111EB) & _64_BITS
    return state ^ state >> 31


class BadChoice(EngineError):
    """A player chose something that the rules do not allow; `str()` names the player and choice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A bid or a challenge. None: a seat that may challenge out of turn doesn't do so."""

    action: MakeBid | Challenge | None

    @staticmethod
    def bid(position: Position, bid: Bid) -> Choice:
        """Return the choice to make `bid` from the position's seat."""
        return Choice(MakeBid(position.seat, bid.key))

    @staticmethod
    def challenge(position: Position) -> Choice:
        """Return the choice to challenge from the position's seat."""
        return Choice(Challenge(position.seat))


LETS_IT_STAND = Choice(None)

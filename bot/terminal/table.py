"""The table of a terminal match: the person in the first seat, computer players in the others.

The table holds the match and each computer player's memory, and knows nothing of the screen.
Everything follows from the seed and the person's actions. The deal of the day is dealt, and
answered, as on a server (`bot.tables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from bot.roster import computer, next_of
from bot.tables.computer_turns import decision_seed
from bot.tables.daily import PLAYERS, Daily, person_outcome
from bot.tables.live import Departure, new_departures
from bot.tables.model import DailyResult
from engine.actions import Action, Challenge, Deal, MakeBid
from engine.cutting import VERSION as CUT_VERSION
from engine.cutting import cut_shuffle, round_seed
from engine.play import apply, start
from engine.players import Choice, Memory, Position, observe, remember
from engine.ruleset import Ruleset
from engine.shuffle import SEED_BYTES, VERSION, commitment, shuffle
from engine.state import Match, Phase
from engine.variants import ruleset
from engine.view import View, view_of

PERSON: Final = 0
YOU: Final = "You"


class TerminalTable:
    """A match against computer players in the terminal.

    `characters` are the computer players, in the seats after the person's. `names` has one
    entry for each seat.
    """

    def __init__(self, rules: Ruleset, characters: Sequence[str], seed: int) -> None:
        self.rules, self.seed = rules, seed
        self.characters = tuple(characters)
        self.names = (YOU, *_distinct_names(characters))
        self.match: Match = start(rules, range(len(self.names)))
        self._memories = {
            seat: Memory(name, int.from_bytes(self._bytes(f"player {seat}", 8)))
            for seat, name in enumerate(characters, start=1)
        }
        self._passed: set[int] = set()  # seats that have decided not to challenge the standing bid
        self.log: list[Action] = []
        self._left: tuple[Departure, ...] = ()

    @property
    def seen(self) -> View:
        """The match as the person is allowed to see it."""
        return view_of(self.match, PERSON)

    @property
    def may_bid(self) -> bool:
        """Whether it is the person's turn."""
        return self.match.phase is Phase.BIDDING and self.seen.legal.bidder == PERSON

    @property
    def may_challenge(self) -> bool:
        """Whether the person may challenge the standing bid."""
        return self.match.phase is Phase.BIDDING and PERSON in self.seen.legal.challengers

    def deal(self) -> None:
        """Deal the next round."""
        number = self.match.round.number + 1 if self.match.round is not None else 1
        secret = self._bytes(f"round {number}", SEED_BYTES)
        shuffled = shuffle(secret, self.rules.deck.order, len(self.match.live))
        self._apply(Deal(shuffled.order, commitment(secret), VERSION, shuffled.drawn))

    def play(self, action: MakeBid | Challenge) -> None:
        """Play an action. Raises a `RuleViolation`, and changes nothing, if it is illegal."""
        self._apply(action)

    def next_position(self) -> Position | None:
        """Return the next computer player's position, if one must act or may challenge.

        Players who may challenge out of turn come first, seat by seat after the player whose turn
        it is. Return None if no computer player can act.
        """
        if self.match.phase is not Phase.BIDDING or self.match.round is None:
            return None
        turn, seats = self.match.round.turn, len(self.names)
        for step in (*range(1, seats), 0):
            seat = (turn + step) % seats
            if seat != PERSON and seat not in self._passed:
                position = observe(view_of(self.match, seat), self._memories[seat])
                if position is not None:
                    return position
        return None

    def take(self, position: Position, choice: Choice) -> None:
        """Play a computer player's choice, or record that the player lets the bid stand."""
        if choice.action is None:
            self._passed.add(position.seat)
        else:
            self._apply(choice.action)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.phase is Phase.OVER

    def again(self) -> TerminalTable:
        """Return the table of the next match."""
        return TerminalTable(self.rules, self.characters, self.seed + 1)

    def _apply(self, action: Action) -> None:
        before = self.match
        self.match = apply(before, action)
        self.log.append(action)
        self._left += new_departures(before, self.match)
        self._passed.clear()
        if self.match.phase is not Phase.BIDDING:
            for seat, memory in self._memories.items():
                self._memories[seat] = remember(memory, view_of(self.match, seat))

    def _bytes(self, purpose: str, size: int) -> bytes:
        return blake2b(f"{self.seed} {purpose}".encode(), digest_size=size).digest()


class DailyTable(TerminalTable):
    """The deal of a day, with the day's seeds; over once the match is over or the person is out."""

    def __init__(self, deal: Daily) -> None:
        super().__init__(ruleset(deal.game, deal.options), deal.characters, 0)
        self._deal = deal
        seats: list[int] = []
        for character in deal.characters:
            player = next_of(character, seats)
            seats.append(player.id if player is not None else 0)
        self.names = (YOU, *(computer(seat).name for seat in seats))

    def deal(self) -> None:
        """Deal the next round."""
        number = self.match.round.number + 1 if self.match.round is not None else 1
        seed = round_seed(self._deal.root, number)
        shuffled = cut_shuffle(seed, (), self.rules.deck.order, len(self.match.live))
        for seat, memory in self._memories.items():
            self._memories[seat] = replace(memory, seed=decision_seed(seed, 0, seat))
        self._apply(Deal(shuffled.order, commitment(seed), CUT_VERSION, shuffled.drawn))

    @property
    def is_over(self) -> bool:
        """Whether the match is over for the person."""
        return super().is_over or not self.match.seats[PERSON].live

    def again(self) -> TerminalTable:
        """Return a new table with the same deal, since each day has only one deal."""
        return DailyTable(self._deal)

    @property
    def result(self) -> DailyResult:
        """The person's result."""
        rounds = next(iter(self._memories.values())).rounds
        how = person_outcome(self.match, self._left, rounds)
        return DailyResult(0, self._deal.game, self._deal.day, PLAYERS, 0, 0, *how)


def _distinct_names(characters: Sequence[str]) -> list[str]:
    """Return distinct names: Sly, or Sly 1 and Sly 2 if there are two."""
    names = []
    for seat, name in enumerate(characters):
        number = characters[: seat + 1].count(name)
        several = characters.count(name) > 1
        names.append(f"{name.capitalize()} {number}" if several else name.capitalize())
    return names

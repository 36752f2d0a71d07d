"""What one match says about each person who played it, read from its log.

A match counts if it was won, if people alone played it, and if nobody was dropped from it, by its
host or by votes: nobody gains by a drop. What the house played for somebody is no bid and no
challenge of theirs; where a seat was placed at the end, it was placed, whoever played it last.

Chances are exact and by what the caller (or challenger) could know: their own cards and the number
in play. They are kept as whole trillionths, so that sums are the same in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.roster import is_computer
from engine.actions import Action, Forfeit
from engine.bids import holds
from engine.odds.bids.exact import bid_chance
from engine.odds.chance import Chance
from engine.play import apply
from engine.state import Cause, Judgement, MadeBid, Match, Round

CERTAIN: Final = 10**12  # a chance of 1


@dataclass(frozen=True, slots=True)
class Feat:
    """One bid that is told of: where it was made, and its chance in trillionths."""

    match_id: int
    round: int
    key: str
    chance: int


@dataclass(slots=True)
class PersonLine:
    """One person in one match; it grows while the match is being read.

    `lost`: rounds lost of `rounds` dealt. `chances`: the sum over `calls`, the bids, in
    trillionths. A bid is `held` if the hand was there; of those that were `doubted`, so many were
    `doubted_held`. `boldest` is the least likely bid that held, `catch` the likeliest bid that was
    challenged and was not there; the earlier of equals.
    """

    player: int
    place: int
    rounds: int = 0
    lost: int = 0
    calls: int = 0
    chances: int = 0
    held: int = 0
    doubted: int = 0
    doubted_held: int = 0
    challenges: int = 0
    challenges_right: int = 0
    boldest: Feat | None = None
    catch: Feat | None = None


@dataclass(frozen=True, slots=True)
class PairLine:
    """One person beside another in one match.

    `ahead` or `behind` is 1 if they were placed so, both 0 for equals. `won` and `lost` are the
    showdowns in which one of the two doubted the other.
    """

    player: int
    other: int
    ahead: int
    behind: int
    won: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """What a match that counts says; `people` by their seats, `pairs` both ways."""

    match_id: int
    game: str
    people: tuple[PersonLine, ...]
    pairs: tuple[PairLine, ...]


@dataclass(slots=True)
class _MatchReader:
    """Goes through a match, action by action."""

    match_id: int
    lines: tuple[PersonLine, ...]
    showdowns: Counter[tuple[int, int]] = field(default_factory=Counter)  # (winner, loser)
    number: int = 0
    bids: int = 0
    over: bool = False
    house_called: bool = False  # the standing bid is the house's

    def see(self, match: Match, *, by_house: bool) -> None:
        """Take in the state after an action."""
        current = match.round
        if current is None:
            return
        if current.number != self.number:
            self.number, self.bids, self.over = current.number, 0, False
            for line, hand in zip(self.lines, current.hands, strict=True):
                line.rounds += bool(hand)
        if len(current.bids) > self.bids:
            self.bids, self.house_called = len(current.bids), by_house
            if not by_house:
                self._called(match, current, current.bids[-1])
        if current.outcome is not None and not self.over:
            self.over = True
            if current.outcome.loser is not None:
                self.lines[current.outcome.loser].lost += 1
            if current.judgement is not None:
                self._judged(match, current, current.judgement, by_house=by_house)

    def _called(self, match: Match, current: Round, made: MadeBid) -> None:
        line = self.lines[made.seat]
        chance = _trillionths(_chance(match, current, made, made.seat))
        line.calls += 1
        line.chances += chance
        if holds(made.bid, current.pool):
            line.held += 1
            if line.boldest is None or chance < line.boldest.chance:
                line.boldest = Feat(self.match_id, current.number, made.bid.key, chance)

    def _judged(self, match: Match, current: Round, judged: Judgement, *, by_house: bool) -> None:
        made, held = judged.made, judged.proof.holds
        caller, challenger = self.lines[made.seat], self.lines[judged.challenger]
        if not self.house_called:
            caller.doubted += 1
            caller.doubted_held += held
        if by_house:
            return
        challenger.challenges += 1
        if not held:
            challenger.challenges_right += 1
            chance = _trillionths(_chance(match, current, made, judged.challenger))
            if challenger.catch is None or chance > challenger.catch.chance:
                challenger.catch = Feat(self.match_id, current.number, made.bid.key, chance)
        if not self.house_called:
            seats = made.seat, judged.challenger
            self.showdowns[seats if held else seats[::-1]] += 1

    def pairs(self) -> Iterable[PairLine]:
        """Everybody beside everybody else."""
        for seat, line in enumerate(self.lines):
            for other, beside in enumerate(self.lines):
                if seat != other:
                    yield PairLine(
                        line.player,
                        beside.player,
                        int(line.place < beside.place),
                        int(line.place > beside.place),
                        self.showdowns[seat, other],
                        self.showdowns[other, seat],
                    )


def read_match(
    match_id: int,
    first: Match,
    log: Iterable[tuple[Action, bool]],
    places: Mapping[int, int],
) -> MatchRecord | None:
    """What a match says about its people; None if it does not count.

    `first` is the match before its first action, `log` its actions and whether the house played
    each, `places` each player's place at the end (empty for a match without a winner). Raises
    `RuleViolation` for a log that breaks a rule.
    """
    players = [seat.player for seat in first.seats]
    if not places or any(is_computer(player) for player in players):
        return None
    people = tuple(PersonLine(player, places[player]) for player in players)
    reader = _MatchReader(match_id, people)
    match = first
    for action, by_house in log:
        if isinstance(action, Forfeit) and action.cause is Cause.DROPPED:
            return None
        match = apply(match, action)
        reader.see(match, by_house=by_house)
    return MatchRecord(match_id, first.ruleset.key, people, tuple(reader.pairs()))


def _chance(match: Match, current: Round, made: MadeBid, seat: int) -> Chance:
    """How likely a bid was to hold, by the cards of `seat`."""
    return bid_chance(made.bid, match.ruleset.deck, len(current.pool), current.hands[seat])


def _trillionths(chance: Chance) -> int:
    """The nearest whole number of trillionths, a half rounded up; worked out in whole numbers."""
    return (2 * chance.favourable * CERTAIN + chance.total) // (2 * chance.total)

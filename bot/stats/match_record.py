"""Statistics of one match for each player, read from its log.

A match counts if it was won, if only people played it, and if nobody was dropped from it by the
host or by votes, so that nobody gains by a drop. Moves that the bot made for an absent player don't
count as their bids or challenges, but a seat's final place counts, whoever made its last moves.

Chances are exact: each is based on what the bidder (or challenger) could know, their own cards and
the number in play. They are stored in whole trillionths, so that sums don't depend on the order.
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
    """One remarkable bid: where it was made, and its chance in trillionths."""

    match_id: int
    round: int
    key: str
    chance: int


@dataclass(slots=True)
class PersonLine:
    """One person's figures in one match; they grow while the match is read.

    `lost`: rounds lost, of the `rounds` they were dealt into. `calls`: their bids. `chances`: the
    sum of these bids' chances, in trillionths. `held`: their bids that were true. `doubted`: their
    bids that were challenged, of which `doubted_held` were true. `challenges_right`: their
    `challenges` of false bids. `boldest`: their least likely bid that was true. `catch`: the
    likeliest false bid that they challenged. Of two equally likely ones, the earlier counts.
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
    """One person against another in one match.

    `ahead` is 1 if `player` took a better place than `other`, `behind` is 1 for a worse place.
    `won` and `lost`: how many showdowns `player` won and lost after one of the two challenged
    the other.
    """

    player: int
    other: int
    ahead: int
    behind: int
    won: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The statistics of a match that counts.

    `people` has one line per seat. `pairs` has two lines for each two people, one in each
    direction.
    """

    match_id: int
    game: str
    people: tuple[PersonLine, ...]
    pairs: tuple[PairLine, ...]


@dataclass(slots=True)
class _MatchReader:
    """Reads a match action by action."""

    match_id: int
    lines: tuple[PersonLine, ...]
    showdowns: Counter[tuple[int, int]] = field(default_factory=Counter)  # (winner, loser)
    number: int = 0
    bids: int = 0
    over: bool = False
    called_for_absent: bool = False  # the standing bid was made for an absent player

    def see(self, match: Match, *, by_house: bool) -> None:
        """Count what an action changed, from the state after it.

        `by_house`: the bot made the action for an absent player.
        """
        current = match.round
        if current is None:
            return
        if current.number != self.number:
            self.number, self.bids, self.over = current.number, 0, False
            for line, hand in zip(self.lines, current.hands, strict=True):
                line.rounds += bool(hand)
        if len(current.bids) > self.bids:
            self.bids, self.called_for_absent = len(current.bids), by_house
            if not by_house:
                self._count_call(match, current, current.bids[-1])
        if current.outcome is not None and not self.over:
            self.over = True
            if current.outcome.loser is not None:
                self.lines[current.outcome.loser].lost += 1
            if current.judgement is not None:
                self._count_showdown(match, current, current.judgement, by_house=by_house)

    def _count_call(self, match: Match, current: Round, bid: MadeBid) -> None:
        line = self.lines[bid.seat]
        chance = _trillionths(_chance(match, current, bid, bid.seat))
        line.calls += 1
        line.chances += chance
        if holds(bid.bid, current.pool):
            line.held += 1
            if line.boldest is None or chance < line.boldest.chance:
                line.boldest = Feat(self.match_id, current.number, bid.bid.key, chance)

    def _count_showdown(
        self, match: Match, current: Round, judged: Judgement, *, by_house: bool
    ) -> None:
        bid, held = judged.standing, judged.proof.holds
        caller, challenger = self.lines[bid.seat], self.lines[judged.challenger]
        if not self.called_for_absent:
            caller.doubted += 1
            caller.doubted_held += held
        if by_house:
            return
        challenger.challenges += 1
        if not held:
            challenger.challenges_right += 1
            chance = _trillionths(_chance(match, current, bid, judged.challenger))
            if challenger.catch is None or chance > challenger.catch.chance:
                challenger.catch = Feat(self.match_id, current.number, bid.bid.key, chance)
        if not self.called_for_absent:
            seats = bid.seat, judged.challenger
            self.showdowns[seats if held else seats[::-1]] += 1

    def pairs(self) -> Iterable[PairLine]:
        """Yield a line for each player against each other player."""
        for seat, line in enumerate(self.lines):
            for rival, opponent in enumerate(self.lines):
                if seat != rival:
                    yield PairLine(
                        line.player,
                        opponent.player,
                        int(line.place < opponent.place),
                        int(line.place > opponent.place),
                        self.showdowns[seat, rival],
                        self.showdowns[rival, seat],
                    )


def read_match(
    match_id: int,
    first: Match,
    log: Iterable[tuple[Action, bool]],
    places: Mapping[int, int],
) -> MatchRecord | None:
    """Return the statistics of a match; None if it does not count.

    `first` is the match before its first action, `log` its actions and whether the bot made each
    for an absent player, `places` the final places by player id (empty without a winner). Raises
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


def _chance(match: Match, current: Round, bid: MadeBid, seat: int) -> Chance:
    """Return how likely a bid was to hold, given the cards of `seat`."""
    return bid_chance(bid.bid, match.ruleset.deck, len(current.pool), current.hands[seat])


def _trillionths(chance: Chance) -> int:
    """Return the nearest number of trillionths, half rounded up, in integer arithmetic."""
    return (2 * chance.favourable * CERTAIN + chance.total) // (2 * chance.total)

"""Computer players at a table: who is seated, whose move it is theirs to decide, and when they act.

Pure functions of a table and its match. What they decide from is `engine.view` of their seat alone
(`engine.players.observe`), what they draw their chance from the round's secret seed, so a decision
is the same in every process and after every restart. How long they wait is drawn from what
everybody knows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.roster import CHARACTERS, computer, computers, is_computer, next_of
from bot.tables import absence, refusals
from bot.tables.house import ABSENCE, chosen
from bot.tables.live import LiveTable, chosen_ruleset
from bot.tables.records import DeadlineKind, Status, Table
from engine.actions import Challenge, MakeBid
from engine.play import legal
from engine.players import OPENER, STAND_IN, Memory, Position, observe
from engine.state import Match, Phase
from engine.view import view

SPREAD: Final = 2.5  # the longest pause is so many shortest ones longer than the shortest
AGAIN: Final = 100  # milliseconds until a decision that is not there yet is asked for again
PATIENCE: Final = 6000  # milliseconds after which the plain safe move is played in its stead
SOONER: Final = 3  # where nobody is left to play against, pauses are so many times shorter


@dataclass(frozen=True, slots=True)
class Decided:
    """What came of asking: an action, or none if every seat that was asked lets the bid stand.

    None too if the seat in turn has no decision, and none will come.
    """

    action: MakeBid | Challenge | None = None


# -- seats -----------------------------------------------------------------------------------------


def with_computer(table: Table, character: str, *, allowed: bool) -> Table:
    """The lobby with a computer player of this character, if the house seats any.

    Raises `MovedOn`, `NoComputers`, `TableFull`, `NoneLeft`.
    """
    if table.status is not Status.LOBBY:
        raise refusals.MovedOn
    if not allowed:
        raise refusals.NoComputers
    seats = chosen_ruleset(table).most_players
    if len(table.players) >= seats:
        raise refusals.TableFull(seats)
    found = next_of(character, table.players)
    if found is None:
        raise refusals.NoneLeft
    return replace(table, players=(*table.players, found.id))


def rarest(table: Table) -> str:
    """The character of whom the fewest sit at a table, so that company is mixed."""
    seated = [one.character for one in computers(table.players)]
    return min(CHARACTERS, key=seated.count)


def without_computer(table: Table, player: int) -> Table:
    """The lobby without this computer player. Raises `MovedOn`, `NotHere`."""
    if table.status is not Status.LOBBY:
        raise refusals.MovedOn
    if not is_computer(player) or player not in table.players:
        raise refusals.NotHere(player)
    return replace(table, players=tuple(one for one in table.players if one != player))


# -- deciding --------------------------------------------------------------------------------------


def asked(live: LiveTable) -> tuple[int, ...]:
    """The seats whose move is decided here, as they are asked: who is in turn comes last.

    Those are computer players who may act, and who is in turn if they are away, or if their clock
    is the next thing that happens.
    """
    match, table = live.match, live.table
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        return ()
    if table.status is not Status.PLAYING or not absence.is_attended(table, match):
        return ()
    turn = match.round.turn
    player = match.seats[turn].player
    late = table.deadline_kind is DeadlineKind.TURN and chosen(table, ABSENCE) == "house"
    mine = is_computer(player) or late or absence.is_away(table, player)
    return (*out_of_turn(match), *((turn,) if mine else ()))


def out_of_turn(match: Match) -> tuple[int, ...]:
    """The computer players who may challenge though it is not their turn, in turn order."""
    if match.round is None:
        return ()
    turn, challengers = match.round.turn, legal(match).challengers
    following = ((turn + step) % len(match.seats) for step in range(1, len(match.seats)))
    return tuple(
        seat for seat in following if seat in challengers and is_computer(match.seats[seat].player)
    )


def positions(live: LiveTable) -> Iterator[Position]:
    """What each of the seats that are asked decides from."""
    for seat in asked(live):
        match = live.match
        if match is None or match.round is None:
            return
        character = _character(live, match, seat)
        seed = decision_seed(live.seeds[match.round.number], live.table.match_id or 0, seat)
        position = observe(view(match, seat), Memory(character, seed, live.shown))
        if position is not None:
            yield position


def _character(live: LiveTable, match: Match, seat: int) -> str:
    """Who decides for a seat: its own character, but that a practice is opened with some life."""
    player = match.seats[seat].player
    if not is_computer(player):
        return STAND_IN.key
    if live.table.is_practice and match.round is not None and not match.round.bids:
        return OPENER.key
    return computer(player).character


def allowed(match: Match, decided: Decided | None) -> MakeBid | Challenge | None:
    """What was decided, if the rules allow it; a player that is wrong must not stop the table."""
    now = legal(match)
    match decided:
        case Decided(action=Challenge() as action) if action.seat in now.challengers:
            return action
        case Decided(action=MakeBid() as action) if action.seat == now.bidder:
            found = any(bid.key == action.key for rung in now.rungs for bid in rung)
            return action if found else None
    return None


def decision_seed(round_seed: bytes, match_id: int, seat: int) -> int:
    """64 bits that a seat's decisions of a round are drawn from; secret as long as the deal is."""
    about = f"decisions {match_id} {seat}".encode()
    return int.from_bytes(hashlib.blake2b(about, key=round_seed, digest_size=8).digest())


# -- when ------------------------------------------------------------------------------------------


def pause(match: Match, shortest: int) -> int:
    """How long computer players wait in this turn, in milliseconds.

    From `shortest` to `SPREAD` times as much again, by what everybody knows of the round: nothing
    of what they decide, or hold, is in it.
    """
    current = match.round
    if current is None:
        return shortest
    known = f"{current.commitment} {len(current.bids)} {current.turn}".encode()
    drawn = int.from_bytes(hashlib.blake2b(known, digest_size=8).digest()) / 2**64
    wait = round(shortest * (1 + SPREAD * drawn))
    return wait if absence.live_people(match) else wait // SOONER


def given_up(table: Table, match: Match, shortest: int, now: int) -> bool:
    """Whether a decision has been waited for long enough."""
    since = table.turn_since if table.turn_since is not None else now
    return now >= since + pause(match, shortest) + PATIENCE

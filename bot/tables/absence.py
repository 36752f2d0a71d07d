"""Absence: when moves are made for a player, and until when.

A player is away after letting the clock run out twice in a row, or once two others report them.
Then moves are made for them until they come back. At a table where players forfeit instead, the
first missed turn puts them out of the match (`plans.out_of_time`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.roster import is_computer, people
from bot.tables import errors
from bot.tables.model import Table
from engine.actions import Challenge, MakeBid
from engine.errors import NotInMatch
from engine.players import STAND_IN, Memory, choose, observe
from engine.state import Match
from engine.view import view_of

MISSES: Final = 2  # missed turns in a row after which a player is away
VOTES: Final = 2  # votes needed to mark a player as away
FEWEST_TO_VOTE: Final = 3  # people left; with two only the clock decides


def is_away(table: Table, player: int) -> bool:
    """Return whether `player` is away, so that moves are made for them."""
    return table.absent.get(player, 0) >= MISSES


def has_timed_out(table: Table, player: int) -> bool:
    """Return whether the clock ran out on the player's latest turn, and they aren't away yet."""
    return 0 < table.absent.get(player, 0) < MISSES


def may_be_reported(table: Table, match: Match, player: int) -> bool:
    """Return whether the others can vote `player` away; False if `player` is away already.

    A vote needs at least `VOTES` other people of the match who are present.
    """
    left = live_people(match)
    present = [person for person in left if person != player and not is_away(table, person)]
    return player in left and not is_away(table, player) and len(present) >= VOTES


def is_attended(table: Table, match: Match) -> bool:
    """Return whether at least one person is still in the match and not away.

    Also true if only computer players are left in the match, since people who are out may be
    watching.
    """
    if not table.absent:
        return True
    left = live_people(match)
    return not left or any(not is_away(table, player) for player in left)


def live_people(match: Match) -> tuple[int, ...]:
    """Return the people still in the match."""
    return people(match.seats[seat].player for seat in match.live)


def add_miss(table: Table, player: int) -> Table:
    """Return the table after `player` let the clock run out."""
    return replace(table, absent={**table.absent, player: table.absent.get(player, 0) + 1})


def mark_present(table: Table, player: int) -> Table:
    """Return the table without the player's missed turns and the votes against the player."""
    absent = {absentee: misses for absentee, misses in table.absent.items() if absentee != player}
    votes = {absentee: voters for absentee, voters in table.votes.items() if absentee != player}
    return replace(table, absent=absent, votes=votes)


def add_vote(table: Table, match: Match, voter: int, player: int) -> Table:
    """Return the table after `voter` said that `player` is away; a second vote marks them away.

    Raises `NotSeated`, `NotHere`, `NotInMatch`, `TooFewToVote`, `AlreadyAway`, `Oneself`.
    """
    seat = match.seat_of(voter)
    if seat is None:
        raise errors.NotSeated
    if not match.seats[seat].live:
        raise NotInMatch(seat)
    target = match.seat_of(player)
    if target is None or not match.seats[target].live:
        raise errors.NotHere(player)
    if player == voter:
        raise errors.Oneself
    if len(live_people(match)) < FEWEST_TO_VOTE:
        raise errors.TooFewToVote
    if is_away(table, player):
        raise errors.AlreadyAway(player)
    live = {match.seats[number].player for number in match.live}
    voters = tuple(
        earlier for earlier in table.votes.get(player, ()) if earlier in live and earlier != voter
    )
    voters = (*voters, voter)
    if len(voters) < VOTES:
        return replace(table, votes={**table.votes, player: voters})
    votes = {earlier: voters_of for earlier, voters_of in table.votes.items() if earlier != player}
    return replace(table, votes=votes, absent={**table.absent, player: MISSES})


def open_votes(table: Table, match: Match) -> dict[int, tuple[int, ...]]:
    """Return the table's votes that still count, after the match has changed.

    Leave out those of players who are out of the match, and those about players who are out or
    whom too few others could report now.
    """
    left = live_people(match)
    enough = left if len(left) >= FEWEST_TO_VOTE else ()
    still = {
        about: tuple(voter for voter in voters if voter in left)
        for about, voters in table.votes.items()
        if about == 0 or about in enough  # 0: votes to end the match
    }
    return {about: voters for about, voters in still.items() if voters}


def host_now(table: Table, match: Match) -> int:
    """Return the host if they are in the match and present.

    Otherwise return the next person in seat order who is in the match and present; if there is no
    such person, return the host.
    """
    order: list[int] = [seat.player for seat in match.seats]
    start = order.index(table.host_id) if table.host_id in order else 0
    for number in (*range(start, len(order)), *range(start)):
        seat = match.seats[number]
        if seat.live and not is_computer(seat.player) and not is_away(table, seat.player):
            return int(seat.player)
    return table.host_id


def stand_in(match: Match, seat: int) -> MakeBid | Challenge:
    """Choose a move for the seat in turn, when no decision has come in time.

    Takes some milliseconds (`engine.players.careful.stand_in`) and doesn't look at hidden cards.
    Raises `NotInMatch` if the seat has no move.
    """
    position = observe(view_of(match, seat), Memory(STAND_IN.key, 0))
    action = choose(position, match.ruleset).action if position is not None else None
    if action is None:
        raise NotInMatch(seat)
    return action

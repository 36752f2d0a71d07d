"""Absence: whose turns the house plays, and until when.

Who lets the clock run out twice in a row is away; so is whom two of the others say to be. The house
plays an away seat until its player comes back. Nobody is thrown out for sleeping.
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
from engine.view import view

MISSES: Final = 2  # turns in a row that somebody lets pass until they are away
VOTES: Final = 2  # people who must say that somebody is away
FEWEST_TO_VOTE: Final = 3  # people left; with two only the clock decides


def is_away(table: Table, player: int) -> bool:
    """Whether the house plays for `player`."""
    return table.absent.get(player, 0) >= MISSES


def may_be_reported(table: Table, match: Match, player: int) -> bool:
    """Return whether the others can agree that `player` is away: enough of them are there."""
    left = live_people(match)
    there = [one for one in left if one != player and not is_away(table, one)]
    return player in left and not is_away(table, player) and len(there) >= VOTES


def is_attended(table: Table, match: Match) -> bool:
    """Whether somebody is there to play for: a person in the match who is not away.

    Where no person is left in it, those who were watch how it ends.
    """
    left = live_people(match)
    return not left or any(not is_away(table, player) for player in left)


def live_people(match: Match) -> tuple[int, ...]:
    """The people still in the match."""
    return people(match.seats[seat].player for seat in match.live)


def missed(table: Table, player: int) -> Table:
    """The table after `player` has let the clock run out."""
    return replace(table, absent={**table.absent, player: table.absent.get(player, 0) + 1})


def returned(table: Table, player: int) -> Table:
    """The table after a sign of life of `player`."""
    absent = {other: misses for other, misses in table.absent.items() if other != player}
    votes = {other: voters for other, voters in table.votes.items() if other != player}
    return replace(table, absent=absent, votes=votes)


def voted(table: Table, match: Match, voter: int, player: int) -> Table:
    """The table after `voter` has said that `player` is away; the second to say so decides.

    Raises `NotSeated`, `NotHere`, `NotInMatch`, `TooFewToVote`, `AlreadyAway`, `Oneself`.
    """
    seat = match.seat_of(voter)
    if seat is None:
        raise errors.NotSeated
    if not match.seats[seat].live:
        raise NotInMatch(seat)
    other = match.seat_of(player)
    if other is None or not match.seats[other].live:
        raise errors.NotHere(player)
    if player == voter:
        raise errors.Oneself
    if len(live_people(match)) < FEWEST_TO_VOTE:
        raise errors.TooFewToVote
    if is_away(table, player):
        raise errors.AlreadyAway(player)
    live = {match.seats[number].player for number in match.live}
    voters = tuple(one for one in table.votes.get(player, ()) if one in live and one != voter)
    voters = (*voters, voter)
    if len(voters) < VOTES:
        return replace(table, votes={**table.votes, player: voters})
    votes = {one: said for one, said in table.votes.items() if one != player}
    return replace(table, votes=votes, absent={**table.absent, player: MISSES})


def host_now(table: Table, match: Match) -> int:
    """Who hosts: the host as long as they play and are there, else the next who is."""
    order: list[int] = [seat.player for seat in match.seats]
    start = order.index(table.host_id) if table.host_id in order else 0
    for number in (*range(start, len(order)), *range(start)):
        seat = match.seats[number]
        if seat.live and not is_computer(seat.player) and not is_away(table, seat.player):
            return int(seat.player)
    return table.host_id


def stand_in(match: Match, seat: int) -> MakeBid | Challenge:
    """What the house plays for the seat to act where no decision has come in time.

    It is what the house's own player would have said (`engine.players.careful.stand_in`), and takes
    some milliseconds. Hidden cards are not looked at. Raises `NotInMatch` for who has no move.
    """
    position = observe(view(match, seat), Memory(STAND_IN.key, 0))
    action = choose(position, match.ruleset).action if position is not None else None
    if action is None:
        raise NotInMatch(seat)
    return action

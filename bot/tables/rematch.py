"""Playing again, with consent: who is invited, who has answered, and who waits to join.

Pure functions from one table to the next. The player who presses Play again hosts; the others are
invited and join or decline; computer players stay. The match starts when all have answered, or 30 s
after the second player of the last match has joined (`plans.REMATCH_WAIT`). Newcomers may join too,
but don't count as that second player.
"""

from __future__ import annotations

from dataclasses import replace

from bot.roster import computers, is_computer, nameless_number, people
from bot.tables import errors
from bot.tables.live import chosen_ruleset, with_left
from bot.tables.model import Status, Table
from engine.ruleset import FEWEST_PLAYERS


def open_rematch(table: Table, player: int) -> Table:
    """Return a lobby hosted by `player`, with computer players seated and other people invited.

    Nameless players are left out. Raises `MovedOn`, `NotSeated`.
    """
    if table.status is not Status.FINISHED:
        raise errors.MovedOn
    group = (
        *table.players,
        *(player_id for player_id in table.waiting if player_id not in table.players),
    )
    if player not in group:
        raise errors.NotSeated
    return replace(
        table,
        status=Status.LOBBY,
        host_id=player,
        players=(player, *(player_id for player_id in group if is_computer(player_id))),
        invited=tuple(
            player_id for player_id in people(group) if nameless_number(player_id) is None
        ),
        waiting=(),
        match_id=None,
        message_id=None,
        announced_seq=0,
    )


def with_declined(table: Table, player: int) -> Table:
    """Return the lobby after an invited `player` declined, giving up their seat if they had one.

    Raises `MovedOn`, `NotInvited`.
    """
    if table.status is not Status.LOBBY:
        raise errors.MovedOn
    if player in table.players:
        return with_left(table, player)
    if player not in table.awaited_players:
        raise errors.NotInvited
    return replace(table, invited=tuple(invitee for invitee in table.invited if invitee != player))


def with_waiting(table: Table, player: int, *, joins: bool | None = None) -> Table:
    """Return the table after `player` joined the next match's queue, or left it.

    `joins`: which of both; None for the opposite of the present state. A second tap changes
    nothing. Raises `MovedOn`, `TableFull` if the queue is full, and `AskedAnyway` for this match's
    players.
    """
    if table.status not in (Status.PLAYING, Status.FINISHED) or table.is_practice:
        raise errors.MovedOn
    if player in table.players:
        raise errors.AskedAnyway
    if joins == (player in table.waiting):
        return table
    if player in table.waiting:
        return replace(
            table,
            waiting=tuple(other_player for other_player in table.waiting if other_player != player),
        )
    most = chosen_ruleset(table).most_players
    if len(table.waiting) >= most:
        raise errors.TableFull(most)
    return replace(table, waiting=(*table.waiting, player))


def is_complete(before: Table, after: Table) -> bool:
    """Return whether this change of a rematch lobby leaves nobody to wait for.

    It does if everyone invited has answered or all seats are taken, and enough can play without
    newcomers. Always false if nobody was awaited `before`.
    """
    present = len(after.returned_players) + len(computers(after.players))
    if not before.awaited_players or present < FEWEST_PLAYERS:
        return False
    return not after.awaited_players or len(after.players) >= chosen_ruleset(after).most_players

"""Playing again, with consent: who is asked, who has answered, and who waits to join.

Pure functions from one table to the next. Who presses Play again hosts; everybody else is invited
and taps in, or says no; computer players stay. The match starts when all have answered, or 30 s
after the second of them is there (`plans.REMATCH_WAIT`). Anybody else may join, and is waited with:
a stranger is not the second for whom friends wait.
"""

from __future__ import annotations

from dataclasses import replace

from bot.roster import computers, is_computer, nameless_number, people
from bot.tables import errors
from bot.tables.live import chosen_ruleset, with_left
from bot.tables.model import Status, Table
from engine.ruleset import FEWEST_PLAYERS


def asked_again(table: Table, player: int) -> Table:
    """A lobby of `player` with the others invited. Raises `MovedOn`, `NotSeated`."""
    if table.status is not Status.FINISHED:
        raise errors.MovedOn
    company = (*table.players, *(one for one in table.waiting if one not in table.players))
    if player not in company:
        raise errors.NotSeated
    return replace(
        table,
        status=Status.LOBBY,
        host_id=player,
        players=(player, *(one for one in company if is_computer(one))),
        invited=tuple(one for one in people(company) if nameless_number(one) is None),
        waiting=(),
        match_id=None,
        message_id=None,
        announced_seq=0,
    )


def with_declined(table: Table, player: int) -> Table:
    """The lobby after an invited `player` has said no. Raises `MovedOn`, `NotInvited`.

    Who has a seat already gives it up.
    """
    if table.status is not Status.LOBBY:
        raise errors.MovedOn
    if player in table.players:
        return with_left(table, player)
    if player not in table.awaited:
        raise errors.NotInvited
    return replace(table, invited=tuple(one for one in table.invited if one != player))


def with_waiting(table: Table, player: int) -> Table:
    """The table with `player` down for the next match, or not any more if they were.

    Raises `MovedOn`, `AskedAnyway` for who plays here, `TableFull` if enough wait already.
    """
    if table.status not in (Status.PLAYING, Status.FINISHED) or table.is_practice:
        raise errors.MovedOn
    if player in table.players:
        raise errors.AskedAnyway
    if player in table.waiting:
        return replace(table, waiting=tuple(one for one in table.waiting if one != player))
    most = chosen_ruleset(table).most_players
    if len(table.waiting) >= most:
        raise errors.TableFull(most)
    return replace(table, waiting=(*table.waiting, player))


def gathered(before: Table, after: Table) -> bool:
    """Whether a lobby that asked people to play again waits for nobody any more."""
    company = len(after.returned) + len(computers(after.players))
    if not before.awaited or company < FEWEST_PLAYERS:
        return False
    return not after.awaited or len(after.players) >= chosen_ruleset(after).most_players

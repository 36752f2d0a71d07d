"""Turns against the clock: when a turn began, what happens next in it, and when.

A turn lasts until its player acts, whatever else happens at the table. First the table reminds
them, then the clock runs out. The table doesn't wait for a player who is away.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.roster import is_computer
from bot.tables import absence, computer_turns
from bot.tables.model import DeadlineKind, Status, Table
from bot.tables.table_options import PINGS, TURN_CLOCK, chosen
from engine.state import Match, Phase

SECOND: Final = 1000
SLOW_TURN: Final = 20 * SECOND  # after which the player in turn is reminded
HOUSE_PAUSE: Final = 2 * SECOND  # lets the others follow moves made for absent players
LATER: Final = 24  # the reminder comes after 1/24 of a long clock: an hour of a day
# seconds; a match with at least this clock counts as one over several days
SLOW_CLOCK: Final = 3600

Turn = tuple[int, int, int]  # (round, bids made in it, seat)


def turn_of(match: Match | None) -> Turn | None:
    """Return an id of the turn, unique in its match; None while no one is in turn."""
    if match is None or match.round is None or match.phase is not Phase.BIDDING:
        return None
    return match.round.number, len(match.round.bids), match.round.turn


def begin_turn(table: Table, match: Match, now: int) -> Table:
    """Return the table with a turn begun at `now` (ms); a computer has no clock or reminders."""
    if match.round is not None and is_computer(match.seats[match.round.turn].player):
        return replace(table, turn_since=now, turn_ends=None, nudges=0)
    clock = int(chosen(table, TURN_CLOCK)) * SECOND
    at_once = int(chosen(table, PINGS) == "every")
    ends = now + clock if clock else None
    return replace(table, turn_since=now, turn_ends=ends, nudges=at_once)


def is_silent(table: Table) -> bool:
    """Return whether the player in turn has been reminded because they were slow to act.

    Always False with a long clock, where silence is normal.
    """
    return not is_slow(table) and table.nudges > int(chosen(table, PINGS) == "every")


def is_slow(table: Table) -> bool:
    """Return whether the table's clock makes it a match over several days."""
    return int(chosen(table, TURN_CLOCK)) >= SLOW_CLOCK


def end_turn(table: Table) -> Table:
    """Return the table with no turn under way."""
    return replace(table, turn_since=None, turn_ends=None, nudges=0)


def upcoming(
    table: Table, match: Match, now: int, shortest: int
) -> tuple[DeadlineKind, int] | None:
    """Return the next event of the turn under way, and when it comes; None if nothing follows.

    Times are in milliseconds. `shortest` is the shortest pause of a computer player.
    """
    current = match.round
    if current is None or table.turn_since is None or match.phase is not Phase.BIDDING:
        return None
    if not absence.is_attended(table, match):
        return None  # no one is present to play for
    player = match.seats[current.turn].player
    acts = table.turn_since + computer_turns.pause(match, shortest)
    if is_computer(player):
        return DeadlineKind.COMPUTER, acts if acts > now else now + _again(now - acts)
    if absence.is_away(table, player):
        return DeadlineKind.HOUSE, now + HOUSE_PAUSE
    course = _course(table, table.turn_since)
    if computer_turns.out_of_turn(match):
        course.append((DeadlineKind.COMPUTER, acts))
    for kind, at in sorted(course, key=lambda event: event[1]):
        if at > now or kind is DeadlineKind.TURN:
            return kind, at
    return None


def _again(waited: int) -> int:
    """Return how long to wait (ms) before asking again for a decision, after `waited` ms."""
    if waited < computer_turns.PATIENCE:
        return computer_turns.AGAIN
    # in a deal of the day, this may go on for hours
    return min(waited // 10, computer_turns.LONGEST_AGAIN)


def _course(table: Table, since: int) -> list[tuple[DeadlineKind, int]]:
    """Return the events of a turn in which a person doesn't act, with times (ms), in order."""
    course = []
    if is_slow(table) and table.turn_ends is not None:  # slow matches send one reminder a turn
        if chosen(table, PINGS) == "slow":
            course.append((DeadlineKind.NUDGE, since + (table.turn_ends - since) // LATER))
        return [*course, (DeadlineKind.TURN, table.turn_ends)]
    half = since + (table.turn_ends - since) // 2 if table.turn_ends is not None else None
    slow = since + SLOW_TURN
    if chosen(table, PINGS) == "slow" and (half is None or slow < half):
        course.append((DeadlineKind.NUDGE, slow))
    if chosen(table, PINGS) != "never" and half is not None:
        course.append((DeadlineKind.NUDGE, half))
    if table.turn_ends is not None:
        course.append((DeadlineKind.TURN, table.turn_ends))
    return course


def reminder(table: Table, match: Match | None) -> str | None:
    """Return an id for the reminder to show now, unique in its match; None if none is due."""
    turn = turn_of(match)
    if turn is None or table.status is not Status.PLAYING or table.nudges == 0:
        return None
    return ".".join(str(part) for part in (*turn, table.nudges))


def add_nudge(table: Table) -> Table:
    """Return the table with one more reminder counted for the player in turn."""
    return replace(table, nudges=table.nudges + 1)


def postpone(table: Table, earliest: int) -> Table:
    """Return the table with its deadline, if any, moved to `earliest` (ms) unless it is later.

    If the deadline moves, a turn that would end before `earliest` ends at `earliest`. If the
    moved deadline is for a reminder or a computer player, the turn's start moves as far.
    """
    if table.deadline is None or table.deadline >= earliest:
        return table
    delay = earliest - table.deadline
    ends = table.turn_ends
    if table.deadline_kind is DeadlineKind.TURN or (ends is not None and ends < earliest):
        ends = earliest
    since = table.turn_since
    timed = table.deadline_kind in (DeadlineKind.NUDGE, DeadlineKind.COMPUTER)
    if timed and since is not None:
        since += delay
    return replace(table, deadline=earliest, turn_since=since, turn_ends=ends)


def shift_times(table: Table, by: int) -> Table:
    """Return the table with all times moved by `by` ms, as the wall clock has jumped."""

    def shift(at: int | None) -> int | None:
        return None if at is None else at + by

    return replace(
        table,
        deadline=shift(table.deadline),
        turn_since=shift(table.turn_since),
        turn_ends=shift(table.turn_ends),
    )

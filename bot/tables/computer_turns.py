"""Computer players at a table: who sits there, which seats they decide for, when they act.

The first part is functions of a table and its match. A decision depends only on its seat's view of
the match (`engine.players.observe`) and on numbers drawn from the round's secret seed, so it is the
same in every process and after every restart. The length of a pause depends on public facts only.

`ComputerTurns` decides while the table waits: it starts when a turn begins, and the decision is
used when the turn's pause is over. The process that serves the table decides once per state; a
second process would decide the same. At most `TABLES_AT_ONCE` tables are decided for at a time, one
seat of each, in the order in which they ask.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

import structlog

from bot.retry import RetryPolicy
from bot.roster import CHARACTERS, computer, computers, is_computer, next_of
from bot.tables import absence, errors
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable, chosen_ruleset
from bot.tables.model import DeadlineKind, Status, Table
from bot.tables.table_options import ABSENCE, chosen
from engine.actions import Challenge, MakeBid
from engine.play import legal
from engine.players import OPENER, STAND_IN, Choice, Memory, Position, observe
from engine.state import Match, Phase
from engine.view import view_of

log = structlog.get_logger(__name__)

SPREAD: Final = 2.5  # the longest pause is (1 + SPREAD) times the shortest
AGAIN: Final = 100  # milliseconds until a missing decision is asked for again
LONGEST_AGAIN: Final = 60_000  # the same, once the decision is long overdue
TABLES_AT_ONCE: Final = 2  # tables decided for at the same time
PATIENCE: Final = 6000  # milliseconds after which the safe move is played instead
# between requests to a player that must decide itself
RETRY: Final = RetryPolicy(first=1.0, longest=60.0)
SOONER: Final = 3  # pauses are this many times shorter once no person is left


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of thinking: an action, or None if no seat challenges and no bid will come."""

    action: MakeBid | Challenge | None = None


# -- seats -----------------------------------------------------------------------------------------


def with_computer(table: Table, character: str, *, allowed: bool) -> Table:
    """Return the lobby with a computer player of this character, if such players are `allowed`.

    Raises `MovedOn`, `NoComputers`, `TableFull`, `NoneLeft`.
    """
    if table.status is not Status.LOBBY:
        raise errors.MovedOn
    if not allowed:
        raise errors.NoComputers
    seats = chosen_ruleset(table).most_players
    if len(table.players) >= seats:
        raise errors.TableFull(seats)
    newcomer = next_of(character, table.players)
    if newcomer is None:
        raise errors.NoneLeft
    return replace(table, players=(*table.players, newcomer.id))


def rarest(table: Table) -> str:
    """Return the character that sits at the table least often, so that opponents are mixed."""
    seated = [opponent.character for opponent in computers(table.players)]
    return min(CHARACTERS, key=seated.count)


def without_computer(table: Table, player: int) -> Table:
    """Return the lobby without this computer player. Raises `MovedOn`, `NotHere`."""
    if table.status is not Status.LOBBY:
        raise errors.MovedOn
    if not is_computer(player) or player not in table.players:
        raise errors.NotHere(player)
    return replace(table, players=tuple(seated for seated in table.players if seated != player))


# -- deciding --------------------------------------------------------------------------------------


def deciding_seats(live: LiveTable) -> tuple[int, ...]:
    """Return the seats to decide for, in the order to ask them; the seat in turn comes last.

    They are the seats of computer players who may act, and the seat in turn if its player is away,
    or if the next event is that their clock runs out and the bot moves for them.
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
    """Return the seats of computer players who may challenge out of turn, in turn order."""
    if match.round is None or not any(is_computer(seat.player) for seat in match.seats):
        return ()
    turn, challengers = match.round.turn, legal(match).challengers
    following = ((turn + step) % len(match.seats) for step in range(1, len(match.seats)))
    return tuple(
        seat for seat in following if seat in challengers and is_computer(match.seats[seat].player)
    )


def positions(live: LiveTable) -> Iterator[Position]:
    """Yield the position that each deciding seat decides from."""
    for seat in deciding_seats(live):
        match = live.match
        if match is None or match.round is None:
            return
        character = _character(live, match, seat)
        # in the deal of the day, the same play gets everyone the same answers
        number = (live.table.match_id or 0) if live.table.daily_day is None else 0
        seed = decision_seed(live.seeds[match.round.number], number, seat)
        position = observe(view_of(match, seat), Memory(character, seed, live.ended_rounds))
        if position is not None:
            yield position


def _character(live: LiveTable, match: Match, seat: int) -> str:
    """Return the character that decides for a seat: `STAND_IN` for a person.

    In a practice, a computer player that opens a round decides as `OPENER`, except in the deal of
    the day.
    """
    player = match.seats[seat].player
    if not is_computer(player):
        return STAND_IN.key
    daily = live.table.daily_day is not None
    if live.table.is_practice and not daily and match.round is not None and not match.round.bids:
        return OPENER.key
    return computer(player).character


def allowed_action(match: Match, decided: Decided | None) -> MakeBid | Challenge | None:
    """Return the decided action; None if nothing was decided or the rules refuse the action."""
    now = legal(match)
    match decided:
        case Decided(action=Challenge() as action) if action.seat in now.challengers:
            return action
        case Decided(action=MakeBid() as action) if action.seat == now.bidder:
            is_legal = any(bid.key == action.key for rung in now.rungs for bid in rung)
            return action if is_legal else None
    return None


def decision_seed(round_seed: bytes, match_id: int, seat: int) -> int:
    """Return the 64-bit seed of a seat's decisions in a round; as secret as the deal."""
    about = f"decisions {match_id} {seat}".encode()
    return int.from_bytes(hashlib.blake2b(about, key=round_seed, digest_size=8).digest())


# -- when ------------------------------------------------------------------------------------------


def pause(match: Match, shortest: int) -> int:
    """Return how many milliseconds computer players wait in this turn.

    The wait is at least `shortest` and at most `1 + SPREAD` times as long. If no person is
    left, it is divided by `SOONER`. It depends only on public facts of the round, so it reveals
    nothing about cards or decisions.
    """
    current = match.round
    if current is None:
        return shortest
    known = f"{current.commitment} {len(current.bids)} {current.turn}".encode()
    drawn = int.from_bytes(hashlib.blake2b(known, digest_size=8).digest()) / 2**64
    wait = round(shortest * (1 + SPREAD * drawn))
    return wait if absence.live_people(match) else wait // SOONER


def has_waited_enough(table: Table, match: Match, shortest: int, now: int) -> bool:
    """Return whether `PATIENCE` has passed since the end of the turn's `pause`; times are in ms."""
    since = table.turn_since if table.turn_since is not None else now
    return now >= since + pause(match, shortest) + PATIENCE


# -- thinking --------------------------------------------------------------------------------------


DecisionPoint = tuple[int | None, int, tuple[int, ...]]  # match, length of its log, deciding seats


@dataclass(slots=True)
class _Thought:
    point: DecisionPoint
    task: asyncio.Task[Decided]


class Decider(Protocol):
    """Decides for computer players: `ComputingDecider`, or a test's own class.

    `choose` may be slow, and raises an error if it has no answer. This module must not import the
    computing process, since a match in the terminal has none.
    """

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        """Choose for the player in `position`; the same position gets the same choice.

        If `exactly`, wait for this player's own choice, however long it takes: never use a simpler
        one.
        """


class ComputerTurns(Announcer):
    """Decides in the background, with one task for each table where a seat needs a decision."""

    def __init__(self, decider: Decider) -> None:
        self._decider = decider
        self._thoughts: dict[int, _Thought] = {}
        # admits tables in the order in which they ask
        self._turn = asyncio.Semaphore(TABLES_AT_ONCE)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        """Start a task if a seat needs a decision now; cancel the task for earlier decisions.

        A task for the same decisions goes on.
        """
        number = live.table.id
        seats = deciding_seats(live)
        seq = live.match.seq if live.match is not None else 0
        point = live.table.match_id, seq, seats
        known = self._thoughts.get(number)
        if known is not None:
            if known.point == point:
                return
            known.task.cancel()
            del self._thoughts[number]
        if seats:
            exactly = live.table.daily_day is not None
            thinking = self._think(number, tuple(positions(live)), exactly=exactly)
            task = asyncio.create_task(thinking, name=f"thinking-{number}")
            self._thoughts[number] = _Thought(point, task)

    def decision_for(self, live: LiveTable) -> Decided | None:
        """Return the decision for this state, and start deciding if that hasn't begun.

        None while the decision is being made, or if no seat needs one.
        """
        self.on_change(live, unseen=True)
        known = self._thoughts.get(live.table.id)
        if known is None or not known.task.done():
            return None
        return known.task.result() if not known.task.cancelled() else Decided()

    async def wait_until_idle(self) -> None:
        """Wait until every decision under way is made."""
        while tasks := [
            thought.task for thought in self._thoughts.values() if not thought.task.done()
        ]:
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Cancel all decisions under way."""
        tasks = [thought.task for thought in self._thoughts.values()]
        self._thoughts.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(
        self, table: int, seats: tuple[Position, ...], *, exactly: bool = False
    ) -> Decided:
        """Return the first challenge among the seats' choices, else the bid of the seat in turn.

        If `exactly`, ask again for each seat until there is an answer, and never use a simpler
        choice.
        """
        bid: MakeBid | None = None
        for position in seats:
            choice = await self._choice(table, position, exactly=exactly)
            failures = 0
            while exactly and choice is None:
                failures += 1
                await asyncio.sleep(RETRY.pause(failures))
                choice = await self._choice(table, position, exactly=exactly)
            if choice is None:
                continue
            if isinstance(choice.action, Challenge):
                return Decided(choice.action)
            bid = choice.action or bid
        return Decided(bid)

    async def _choice(self, table: int, position: Position, *, exactly: bool) -> Choice | None:
        """Return a player's choice; None, after logging the error, if the decider failed."""
        try:
            async with self._turn:
                return await self._decider.choose(position, exactly=exactly)
        except Exception as error:
            # the table must go on, whatever is wrong with a player
            log.warning(
                "thinking: no decision",
                table=table,
                character=position.character,
                error=type(error).__name__,
            )
            return None

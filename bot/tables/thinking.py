"""What computer players think while the table waits: asked for when a turn begins, used when it is.

Listens to changes of tables. A decision is made once a state, by whichever process serves the
table; two that do come to the same, since it is drawn from what is stored. Tables take turns: of
each one seat is thought about at a time, a few tables at once, in the order of asking.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog

from bot.tables import computers, ports
from bot.tables.computers import Decided
from bot.tables.live import LiveTable
from engine.actions import Challenge, MakeBid
from engine.players import Position

log = structlog.get_logger(__name__)

TABLES_AT_ONCE: Final = 2
Moment = tuple[int | None, int, tuple[int, ...]]  # match, length of its log, who is asked


@dataclass(slots=True)
class _Thought:
    moment: Moment
    task: asyncio.Task[Decided]


class Thinking:
    """Thoughts of the tables whose computer players are to act, one a table."""

    def __init__(self, decider: ports.Decider) -> None:
        self._decider = decider
        self._thoughts: dict[int, _Thought] = {}
        self._turn = asyncio.Semaphore(TABLES_AT_ONCE)  # lets tables in as they came

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Begin to think if somebody is to be asked now; give up what was thought before."""
        number = live.table.id
        seats = computers.asked(live)
        seq = live.match.seq if live.match is not None else 0
        moment = live.table.match_id, seq, seats
        known = self._thoughts.get(number)
        if known is not None:
            if known.moment == moment:
                return
            known.task.cancel()
            del self._thoughts[number]
        if seats:
            thinking = self._think(number, tuple(computers.positions(live)))
            task = asyncio.create_task(thinking, name=f"thinking-{number}")
            self._thoughts[number] = _Thought(moment, task)

    def decided(self, live: LiveTable) -> Decided | None:
        """What was decided for this state; None as long as it is being thought about."""
        self.changed(live, answered=True)
        known = self._thoughts.get(live.table.id)
        if known is None or not known.task.done():
            return None
        return known.task.result() if not known.task.cancelled() else Decided()

    async def settled(self) -> None:
        """Wait until nobody thinks any more."""
        while tasks := [one.task for one in self._thoughts.values() if not one.task.done()]:
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Stop thinking."""
        tasks = [one.task for one in self._thoughts.values()]
        self._thoughts.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(self, table: int, asked: tuple[Position, ...]) -> Decided:
        """The first challenge of those who are asked, else what the seat in turn bids."""
        bid: MakeBid | None = None
        for position in asked:
            try:
                async with self._turn:
                    choice = await self._decider.choose(position)
            except Exception as error:
                # whatever is wrong with a player, the table goes on
                log.warning(
                    "thinking: no decision",
                    table=table,
                    character=position.character,
                    error=type(error).__name__,
                )
                continue
            if isinstance(choice.action, Challenge):
                return Decided(choice.action)
            bid = choice.action or bid
        return Decided(bid)

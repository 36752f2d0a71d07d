"""Play at tables over the local Discord, choosing each act from what people see."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random

from benchmarks.reading import TURN
from bot.sandbox.driver import ActOutcome
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.remote import RemotePerson, RemoteWorld
from bot.sandbox.screen import SeenMessage

OPTIONS = 10  # a bid is one of this many next ones
CHECKS = 0.15  # how often a standing bid is challenged
_SOON = 20  # if a deferred move is refused, then within this many moves of its table


@dataclass(frozen=True)
class Act:
    """An act of a person, and how it was answered.

    `bid` is the bid's key, None for other acts. `acknowledged`: the answer posted or redrew the
    table. `answered` is False if the interaction failed. `promised`: the answer was deferred; the
    table or a refusal follows. `seconds` is the time from the click to the answer.
    """

    interaction_id: int
    player: int
    kind: str
    bid: str | None
    acknowledged: bool
    answered: bool
    seconds: float
    promised: bool = False


@dataclass
class Group:
    """One channel and the people who play in it; `moves` are their acts in order.

    `refused`: the interaction ids of moves that were deferred, then refused in a private message.
    """

    channel: str
    people: list[RemotePerson]
    chance: Random
    moves: list[Act] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    answer: ActOutcome | None = None  # to the latest move; None if it got none

    async def table_message(self) -> SeenMessage | None:
        """Return the table's message; None before the first `/play`."""
        messages = await self.people[0].visible(self.channel)
        tables = [
            message
            for message in messages
            if not message.ephemeral and message.components and not message.content
        ]
        return tables[-1] if tables else None

    async def step(self) -> Act | None:
        """Make the next move at the table and return it; None if the screen doesn't allow it."""
        await self.note_refusals()  # a question in a seat is deleted with it at the next deal
        try:
            return await self._next(await self.table_message())
        except CannotDo:
            self.answer = None  # it may be out of date: look at the channel next time
            return None

    async def note_refusals(self) -> None:
        """Add to `refused` the deferred moves that a private message refuses now.

        A message that asks whether to make a challenge that is sure to lose is a refusal too.
        """
        recent = self.moves[-_SOON:]
        late = {move.interaction_id for move in recent if move.promised}
        challenges = {move.interaction_id for move in recent if move.kind == "Challenge"}
        for person in self.people if late else ():
            for message in await person.visible(self.channel):
                if message.ephemeral:
                    answers = int(message.payload["interaction_metadata"]["id"])
                    if answers in late and (message.content or answers in challenges):
                        self.refused.add(answers)

    async def take_moves(self) -> tuple[list[Act], set[int]]:
        """Return and forget the moves, and the interaction ids of the `refused` ones."""
        await self.note_refusals()
        moves, refused = self.moves, self.refused
        self.moves, self.refused = [], set()
        return moves, refused

    async def begin(self) -> None:
        """Open a table, fill it, start it, and wait until it is a player's turn."""
        while True:
            message = await self.table_message()
            if message is not None and TURN.search(message.text):
                return
            await self.step()

    async def _next(self, message: SeenMessage | None) -> Act:
        host = self.people[0]
        if message is None or "Play again" in message.buttons:
            options = {"game": "Thai Poker"}
            where = {"channel": self.channel, "name": "play"}
            return await self._act(host, "open", "slash", options=options, **where)
        if "Join" in message.buttons:
            for member in self.people:
                if f"<@{member.id}>" not in message.text:
                    return await self._press(member, message, "Join")
            return await self._press(host, message, "Start")
        if "Next round" in message.buttons:
            return await self._press(self.chance.choice(self.people), message, "Next round")
        turn = TURN.search(message.text)
        if turn is None:
            raise CannotDo("The table shows no turn.")
        person = next(player for player in self.people if player.id == turn[1])
        return await self._turn(person, message)

    async def _turn(self, person: RemotePerson, message: SeenMessage) -> Act:
        must = "must check" in message.text
        if "Challenge" in message.buttons and (must or self.chance.random() < CHECKS):
            return await self._press(person, message, "Challenge")
        select = message.select()
        value = str(self.chance.choice(select["options"][:OPTIONS])["value"])
        where = {"channel": message.channel_id, "message": message.id}
        chosen = {"custom_id": select["custom_id"], "values": [value]}
        return await self._act(person, "bid", "select", bid=value, **where, **chosen)

    async def _press(self, person: RemotePerson, message: SeenMessage, label: str) -> Act:
        where = {"channel": message.channel_id, "message": message.id}
        return await self._act(person, label, "click", custom_id=message.button(label), **where)

    async def _act(
        self, person: RemotePerson, kind: str, act: str, bid: str | None = None, **body: object
    ) -> Act:
        begun = time.perf_counter()
        out: ActOutcome | None
        try:
            out = await person.act(act, **body)
            interaction = out.interaction_id
        except InteractionFailed as failed:
            out, interaction = None, failed.interaction_id
        seconds = time.perf_counter() - begun
        self.answer = out
        promised = out is not None and out.kind in ("deferred", "deferred_update")
        news = out is not None and out.message is not None and not out.message.ephemeral
        drawn = not promised and out is not None and (out.kind == "update" or news)
        number = int(interaction or 0)
        move = Act(number, int(person.id), kind, bid, drawn, out is not None, seconds, promised)
        self.moves.append(move)
        return move


async def group_in_thread(
    world: RemoteWorld, people: list[RemotePerson], name: str, chance: Random
) -> Group:
    """Open a thread in #poker-night; return a group of `people` to play there."""
    await people[0].open_thread(await world.channel("poker-night"), name)
    return Group(await world.channel(name), people, chance)

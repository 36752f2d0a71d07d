"""People who play at one table over the wire, by what they see, and a record of their acts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import aiohttp

from benchmarks.reading import TURN
from bot.sandbox.driver import ActOutcome
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.remote import RemotePerson
from bot.sandbox.screen import SeenMessage
from tests.people import press_in_command

FAIR, CUT = "Fair deal ✓", "Cut the cards…"
OPTIONS: Final = 8  # a bid is one of this many above the standing one
DOUBTS: Final = ("Challenge",)
FORM: Final = "Type…"
MOVES: Final = ("bid", "doubt")
WORDS: Final = ("purple giraffe", "seven of nine", "under the table", "no luck needed")
# how the answer to a command begins if the move counts
CONFIRMATIONS: Final = ("Bid: ", "Challenge")


@dataclass(frozen=True)
class Act:
    """An act of a person; `bid` is the bid's key, None for other acts."""

    interaction: int
    player: int
    kind: str
    bid: str | None = None
    text: str = ""  # of the answer
    at: float = 0.0  # of the answer, in milliseconds; 0: there was none


@dataclass
class Group:
    """A channel and the people who play there; `acts` are the things they did, in order.

    `doubts`: the chance, from 0 to 1, that a standing bid is challenged. `dawdles`: the chance
    that a player lets their time run out. `forfeits`: whether running out of time costs the
    match.
    """

    channel: str
    people: list[RemotePerson]
    game: str
    chance: Random
    now: Any  # milliseconds of the wall clock
    dawdles: float = 0.0
    forfeits: bool = False
    acts: list[Act] = field(default_factory=list)
    doubts: float = 0.25  # how often a standing bid is doubted
    _paced: set[str] = field(default_factory=set)  # lobbies whose rules are chosen

    async def public_messages(self) -> list[SeenMessage]:
        """Return the channel's public messages that have components and no plain text."""
        messages = await self.people[0].visible(self.channel)
        return [
            message
            for message in messages
            if not message.ephemeral and message.components and not message.content
        ]

    async def table_message(self) -> SeenMessage | None:
        """Return the newest public message, which is the table's; None if there is none."""
        messages = await self.public_messages()
        return messages[-1] if messages else None

    async def step(self) -> bool:
        """Have a person do what the table needs next, or let time run out.

        Return False if time runs out or the attempt failed.
        """
        try:
            return await self._next(await self.table_message())
        except (CannotDo, InteractionFailed, TimeoutError, aiohttp.ClientError):
            return False

    async def want_direct_messages(self, person: RemotePerson) -> None:
        """Have the person choose to get their cards by direct message from now on."""
        out = await press_in_command(person, self.channel, "preferences", "Change…")
        await person.submit(out.modal, {"Cards by direct message": ["Always"]})

    async def _next(self, message: SeenMessage | None) -> bool:
        host = self.people[0]
        roll = self.chance.random()
        if (
            message is None and self.acts and roll < 0.5
        ):  # private replies have pushed the table out of sight
            await self._do(host, "down", host.slash(self.channel, "table"))
            return True
        if message is None or "Play again" in message.buttons or not message.buttons:
            await self._do(host, "open", host.slash(self.channel, "play", game=self.game))
            return True
        if "Join" in message.buttons:
            return await self._gather(message)
        if "Next round" in message.buttons:
            if roll < 0.15:
                return await self._cut(message)
            if self._lets_pass(message):
                return False  # the next round deals itself
            await self._press(self.chance.choice(self.people), message, "Next round", "next")
            return True
        if self.dawdles and roll < 0.4 and "I'm back" in message.buttons:
            await self._press(self.chance.choice(self.people), message, "I'm back", "back")
            return True
        turn = TURN.search(message.text)
        if turn is None:
            raise CannotDo("The table shows no turn.")
        person = next(player for player in self.people if player.id == turn[1])
        if person is not self.people[0] and self._lets_pass(message):
            return False
        if roll < 0.1:
            onlooker = self.chance.choice(self.people)
            await self.look(onlooker, message)
        if roll > 0.9:
            await self._ask_for_suggestions(person)
        await self._turn(person, message)
        return True

    def _lets_pass(self, message: SeenMessage) -> bool:
        """Return whether to let time run out at this screen; equal screens give equal answers."""
        if not self.dawdles:
            return False
        return Random(f"{self.channel} {message.text}").random() < self.dawdles

    async def _gather(self, message: SeenMessage) -> bool:
        host = self.people[0]
        for person in self.people:
            if f"<@{person.id}>" not in message.text:
                await self._press(person, message, "Join", "join")
                return True
        if message.id not in self._paced:
            form = await self._option(host, message, "Time…")
            if form is not None and form.modal is not None:
                await self._do(host, "pace", host.submit(form.modal, self._pace()))
                self._paced.add(message.id)
            return True
        if self.chance.random() < 0.3:
            return await self._cut(message)
        await self._press(host, message, "Start", "start")
        return True

    def _pace(self) -> dict[str, object]:
        """Return the form's fields for a table's turns: no time limit, unless the group `dawdles`.

        On a busy machine, a time limit would make the bot play for people.
        """
        if not self.dawdles:
            return {"turn_seconds": ["0"]}
        return {"absence": ["forfeit" if self.forfeits else "house"]}

    async def _option(
        self, person: RemotePerson, message: SeenMessage, label: str
    ) -> ActOutcome | None:
        """Click Options… (for `CUT`, Fair deal), then press `label` in the reply.

        Return the outcome; None if the reply has no such button.
        """
        behind = FAIR if label == CUT else "Options…"
        reply = await (await person.click(message, behind)).settle()
        if reply.message is None or label not in reply.message.buttons:
            return None
        return await person.click(reply.message, label)

    async def _cut(self, message: SeenMessage) -> bool:
        person = self.chance.choice(self.people)
        form = await self._option(person, message, CUT)
        if form is not None and form.modal is not None:
            words = f"{self.chance.choice(WORDS)} {self.chance.randrange(1000)}"
            fields = dict.fromkeys(form.modal.fields, words)
            await self._do(person, "cut", person.submit(form.modal, {**fields}))
        return True

    async def _turn(self, person: RemotePerson, message: SeenMessage) -> None:
        doubt = next((label for label in DOUBTS if label in message.buttons), None)
        must = "must challenge" in message.text
        if doubt is not None and (must or self.chance.random() < self.doubts):
            if self.chance.random() < 0.2:
                await self._do(person, "doubt", person.slash(self.channel, "challenge"))
            else:
                await self._press(person, message, doubt, "doubt")
            return
        options = message.select()["options"][:OPTIONS]
        chosen = self.chance.choice(options)
        key, words = str(chosen["value"]), str(chosen["label"])
        roll = self.chance.random()
        if roll < 0.15:
            await self._do(person, "bid", person.slash(self.channel, "bid", hand=words), key)
        elif roll < 0.3:
            form = await person.click(message, FORM)
            if form.modal is not None:
                typed: dict[str, object] = {"text": words}
                await self._do(person, "bid", person.submit(form.modal, typed), key)
        else:
            await self._do(person, "bid", person.select(message, None, key), key)
            if roll > 0.9:  # a double tap
                twice = person.forge(message, message.select()["custom_id"], [key])
                await self._do(person, "bid", twice, key)

    async def look(self, person: RemotePerson, message: SeenMessage) -> None:
        """Have the person look at their cards."""
        if "My seat" in message.buttons:
            await self._press(person, message, "My seat", "look")

    async def _ask_for_suggestions(self, person: RemotePerson) -> None:
        """Have the person begin to type a bid, and note what the command suggests."""
        typed = self.chance.choice(("", "pa", "9", "tw"))
        try:
            out = await person.act(
                "autocomplete",
                channel=self.channel,
                name="bid",
                options={},
                focused="hand",
                value=typed,
            )
        except InteractionFailed:
            return
        text = "\n".join(str(choice["name"]) for choice in out.choices)
        number = int(out.interaction_id or 0)
        self.acts.append(Act(number, int(person.id), "suggested", None, text, self.now()))

    async def _press(
        self, person: RemotePerson, message: SeenMessage, label: str, kind: str
    ) -> None:
        where = {"channel": message.channel_id, "message": message.id}
        press = person.act("click", custom_id=message.button(label), **where)
        await self._do(person, kind, press)

    async def _do(
        self, person: RemotePerson, kind: str, act: Any, bid: str | None = None
    ) -> ActOutcome | None:
        try:
            out: ActOutcome | None = await act
            number = out.interaction_id if out is not None else None
        except InteractionFailed as failed:
            out, number = None, failed.interaction_id
        text = out.text if out is not None else ""
        at = self.now() if out is not None else 0.0
        self.acts.append(Act(int(number or 0), int(person.id), kind, bid, text, at))
        return out


async def all_want_direct_messages(groups: list[Group]) -> None:
    """Have everybody but the last person of each table get their cards by direct message."""
    everybody = ((group, person) for group in groups for person in group.people[:-1])
    await asyncio.gather(*(group.want_direct_messages(person) for group, person in everybody))

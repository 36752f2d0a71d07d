"""People who continue one practice in servers and direct messages, through several processes.

Direct messages go to the process of the first shard, presses in a server to that server's process.
"""

from __future__ import annotations

from collections.abc import Awaitable
from random import Random
from typing import Any

import aiohttp

from benchmarks.reading import ANYWAY, OWN_CARDS
from bot.sandbox.actor import ActOutcome
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.remote import RemotePerson
from bot.sandbox.screen import SeenMessage
from tests.bot.practising import LED_ON
from tests.crash.people import Act

HOPS = 0.25  # the chance that a person continues in another place before a move
# every press redraws the seat; if the answer has one of these, the press did not count
REFUSED = ("moved on", "already", "not your turn", "isn't your turn", "database isn't available")


class PracticePlayer:
    """One person with the places they practise in; `acts` is what they did."""

    def __init__(self, person: RemotePerson, channels: list[str], chance: Random, now: Any) -> None:
        self.person = person
        self._channels = channels
        self._chance = chance
        self._now = now
        self._place: str | None = None
        self.acts: list[Act] = []
        self.places: set[str] = set()  # where presses were answered

    async def step(self) -> bool:
        """Do what the practice needs next.

        Return False if there was nothing to do or the attempt failed.
        """
        try:
            return await self._next()
        except (CannotDo, InteractionFailed, TimeoutError, aiohttp.ClientError, StopIteration):
            self._place = None  # the match may go on elsewhere
            return False

    async def _next(self) -> bool:
        if self._place is None or self._chance.random() < HOPS:
            await self._go()
            return True
        screen = await self._screen()
        if screen is None or "is thinking" in screen.text:
            return False
        for label in ("Play again", "Next round"):
            if label in screen.buttons:
                await self._press(screen, label, "next")
                return True
        if " of 4**" in screen.text:  # the example, before the first practice
            await self._press(
                screen, next(label for label in screen.buttons if label in LED_ON), "look"
            )
            return True
        doubt = next((label for label in (ANYWAY, "Challenge") if label in screen.buttons), None)
        if doubt is not None and (len(screen.buttons) < 6 or self._chance.random() < 0.4):
            await self._press(screen, doubt, "doubt")
            return True
        following = next(b for b in screen.buttons if b.startswith(("Bid next: ", "Bid lowest")))
        key = screen.button(following).split(":", 5)[5]  # a key has colons itself
        await self._press(screen, following, "bid", key)
        return True

    async def _go(self) -> None:
        if not await self.person.dms():
            await self.person.act("open_dm")
        places = [*self._channels, *await self.person.dms()]
        self._place = self._chance.choice(places)
        practice = self.person.slash(self._place, "practice", game="Thai Poker")
        await self._do("practice", practice)

    async def _screen(self) -> SeenMessage | None:
        assert self._place is not None
        messages = await self.person.visible(self._place)
        private = [message for message in messages if message.ephemeral and message.components]
        return private[-1] if private else None

    async def _press(
        self, screen: SeenMessage, label: str, kind: str, bid: str | None = None
    ) -> None:
        where = {"channel": screen.channel_id, "message": screen.id}
        press = self.person.act("click", custom_id=screen.button(label), **where)
        await self._do(kind, press, bid)

    async def _do(self, kind: str, act: Awaitable[ActOutcome], bid: str | None = None) -> None:
        try:
            out = await (await act).settle()
        except InteractionFailed as failed:
            self._note(kind, failed.interaction_id, bid, "", 0.0)
            raise
        refused = any(refusal in out.text for refusal in REFUSED)
        asks = f"{OWN_CARDS}:" in out.text  # it asks first: not a move yet
        self._note(
            "look" if refused or asks else kind, out.interaction_id, bid, out.text, self._now()
        )
        if self._place is not None and not refused:
            self.places.add(self._place)

    def _note(self, kind: str, interaction: object, bid: str | None, text: str, at: float) -> None:
        number = int(str(interaction or 0))
        self.acts.append(Act(number, int(self.person.id), kind, bid, text, at))

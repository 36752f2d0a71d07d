"""What came of an interaction: answered once, in time, and a table changed only by who may.

Each that Discord could send is answered within its three seconds, and not by "something went
wrong". A table is changed from its own channel, by its people or who manages it, and by somebody
who is forgotten in no more than that.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Final

from bot.discord.errors import BROKEN
from bot.language.catalogues import KEYS, speaking, tr
from bot.sandbox.discord_state import Interaction
from bot.sandbox.errors import InteractionFailed
from bot.sandbox.interactions import AUTOCOMPLETE
from bot.sandbox.payloads import walk
from bot.sandbox.screen import SeenMessage
from tests.fuzz.payloads import Payload, Scene, payload
from tests.fuzz.post_office import Post, Stored
from tests.fuzz.telling import Told

FORGETS: Final = "forgetyes"  # the press by which somebody wants to be forgotten
OVER: Final = ("finished", "closed")
FIRST_ID: Final = 1 << 22  # no id of Discord's is smaller; those of the nameless are


class Judge:
    """Sends payloads to one house, one after another, and looks what came of each."""

    def __init__(self, here: Post, chance: Random, told: Told) -> None:
        self._here, self._chance, self._told = here, chance, told
        state = here.world.state
        self.scene = Scene(
            [one.id for one in here.people],
            [one.id for one in here.channels],
            state.commands,
        )
        for one in here.people[:2]:
            self.scene.channels.append(here.world.places.dm_channel(state.users[one.id]).id)
        with_words = []
        for key in KEYS:
            with speaking(key):
                with_words.append(tr(BROKEN))
        self._broken = tuple(with_words)

    def look(self) -> None:
        """Remember every control that is on anybody's screen."""
        state = self._here.world.state
        seen = {(message, part["custom_id"]) for _, message, part in self.scene.controls}
        for channel in self.scene.channels:
            for message in list(state.messages.get(channel, {}).values())[-8:]:
                for part in walk(message.payload["components"]):
                    custom_id = part.get("custom_id")
                    if custom_id and (message.id, custom_id) not in seen:
                        self.scene.note(channel, message.id, part)

    async def one(self) -> None:
        """Send one, and judge. Raises AssertionError."""
        self.look()
        made = self._next()
        here, world = self._here, self._here.world
        channel = world.state.channels[made.channel]
        before = here.stored()
        interaction = world.interactions.open(
            made.kind, made.person, channel, made.body, message_id=made.message
        )
        became = "answered"
        try:
            await world.interactions.wait_for_answer(interaction)
        except InteractionFailed:
            became = "not answered"
            assert not made.sendable, f"no answer to {made}"
        assert here.bot is not None, "the bot has stopped"
        try:
            await asyncio.wait_for(here.bot.client.drain(), 60)
        except TimeoutError:
            raise AssertionError(f"still served after a minute: {made}") from None
        await asyncio.sleep(0.5)  # what everybody else is shown is shown
        assert here.answers[interaction.id] <= 1, f"answered twice: {made}"
        text = self._text(interaction)
        assert not any(broken in text for broken in self._broken), f"{text!r} to {made}"
        if interaction.modal is not None:
            form = (made.person, made.channel, made.message, interaction.modal)
            self.scene.forms = [*self.scene.forms[-80:], form]
        if self._judge(made, interaction, before, here.stored()):
            became = "changed a table"
        if made.kind == AUTOCOMPLETE and became == "answered":
            became = "suggestions"
        self._told.became[became if made.sendable else f"not on screen: {became}"] += 1

    def _next(self) -> Payload:
        """The next payload; a control can be used only where it is, and by who sees it.

        A press of who does not see it is kept now and then: it is as if Discord were deceived.
        """
        made = payload(self._chance, self.scene)
        if made.message is not None:
            shown = self._here.world.state.message(made.channel, made.message)
            if shown is None:
                return replace(made, sendable=False)
            if not shown.is_visible_to(made.person):
                if self._chance.random() < 0.1:
                    return replace(made, sendable=False)
                seeing = [one for one in self.scene.people if shown.is_visible_to(one)]
                return replace(made, person=self._chance.choice(seeing))
        return made

    def _text(self, interaction: Interaction) -> str:
        state = self._here.world.state
        message = state.message(interaction.channel_id, interaction.original_id or "")
        return SeenMessage(message.payload).text if message is not None else ""

    def _judge(
        self,
        made: Payload,
        interaction: Interaction,
        before: dict[int, Stored],
        after: dict[int, Stored],
    ) -> bool:
        """Whether a table was changed; by who may, or AssertionError."""
        person = int(made.person)
        moved = self._here.played(interaction.id)
        for _, action, players in moved:
            if action["kind"] in ("bid", "challenge") or (
                action["kind"] == "forfeit" and action.get("cause", "left") != "dropped"
            ):
                seat = players[action["seat"]]
                assert seat == person, f"{made} played {action} for {seat}"
        changed = False
        for number, now in after.items():
            then = before.get(number)
            if then is None:
                assert now.host == person, f"{made} opened a table of {now.host}"
                changed = True
            elif then != now and any(one > 0 for one in (*then.players, now.host)):
                here = any(match == now.match for match, _, _ in moved)
                changed |= self._changed(made, person, then, now, moved=here)
        return changed or bool(moved)

    def _changed(
        self, made: Payload, person: int, then: Stored, now: Stored, *, moved: bool
    ) -> bool:
        """Judge how a table has changed; `moved`: by an act of the match. Raises AssertionError."""
        assert now.version > then.version, f"{made} changed a table without a new version"
        if forgotten(made, then, now):
            return True
        guild = self._here.world.state.channels[made.channel].guild_id
        manages = person == then.host or (guild, made.person) in self._here.moderators
        if replace(then, version=now.version, clock=now.clock) == now and not moved:
            # the clock's work, or settings or a vote stored as they were; nobody's turn begins anew
            theirs = manages or person in then.players
            assert now.clock != then.clock or theirs, f"{made} stored a table that has not changed"
            assert now.turn_since == then.turn_since, f"{made} gave time"
            return False
        by_itself = any(one < 0 for one in now.players) and now.players == then.players
        if then.channel != int(made.channel) and then.channel > 0:
            assert by_itself, f"{made} changed a table elsewhere: {then} {now}"
            return False
        came, went = set(now.players) - set(then.players), set(then.players) - set(now.players)
        ended = then.status != now.status and now.status == "closed"
        again = then.status == "finished" and now.status == "lobby"
        seated = person in then.players
        assert manages or came <= {person}, f"{made} seated {came}"
        assert manages or went <= {person} or again or ended, f"{made} unseated {went}"
        assert manages or now.options == then.options or again, f"{made} changed the rules"
        if now.host != then.host:
            gone = then.host not in now.players or then.host in now.absent
            assert gone or moved or again, f"{made} took the table"
        if ended and then.status == "playing":
            assert seated or manages, f"{made} ended a match"
        if then.status == "lobby" and now.status == "playing":
            assert manages or seated or came == {person}, f"{made} started a match"
        return True


def forgotten(made: Payload, then: Stored, now: Stored) -> bool:
    """Whether a table that is over has changed by no more than that its sender is nameless now.

    Who wants to be forgotten says so wherever they like, so it may be any channel's table.
    """
    if FORGETS not in str(made.body.get("custom_id", "")) or made.person in now.said:
        return False
    person = int(made.person)
    if replace(then, version=now.version, said=now.said) == now:
        return made.person in then.said  # they waited for the next match, or had typed something
    came = {now.host, *now.players} - {then.host, *then.players}
    nameless = next(iter(came), 0)
    if len(came) != 1 or not 0 < nameless < FIRST_ID or then.status not in OVER:
        return False

    def renamed(one: int) -> int:
        return nameless if one == person else one

    wanted = replace(
        then,
        version=now.version,
        channel=then.channel if then.channel > 0 else -renamed(-then.channel),
        host=renamed(then.host),
        players=tuple(map(renamed, then.players)),
        absent=tuple(map(renamed, then.absent)),
        said=now.said,  # what they typed goes with them
    )
    return wanted == now

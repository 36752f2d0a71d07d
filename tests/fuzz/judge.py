"""Check that each interaction is answered once, in time, and that no stranger changes a table.

Everything that Discord could send is answered within its three seconds, and not with "something
went wrong". A table is changed only from its own channel, by its people or someone who manages it.
One exception: a person who asks to be forgotten loses their name and texts at any table.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Final, cast

from bot.discord.errors import BROKEN
from bot.language.catalogues import KEYS, speaking, tr
from bot.sandbox.discord_state import Interaction
from bot.sandbox.errors import InteractionFailed
from bot.sandbox.interactions import AUTOCOMPLETE
from bot.sandbox.payloads import walk
from bot.sandbox.screen import SeenMessage
from tests.fuzz.kinds import Verdict
from tests.fuzz.payloads import Payload, Scene, payload
from tests.fuzz.setup import InteractionSetup, StoredTable

FORGETS: Final = "forgetyes"  # the button of people who want to be forgotten
FIRST_ID: Final = 1 << 22  # Discord's ids are greater, nameless players' ids smaller


class Judge:
    """Sends payloads to one bot, one after another, and judges what each of them did."""

    def __init__(self, setup: InteractionSetup, chance: Random, verdict: Verdict) -> None:
        self._setup, self._chance, self._verdict = setup, chance, verdict
        state = setup.world.state
        self.scene = Scene(
            [person.id for person in setup.people],
            [channel.id for channel in setup.channels],
            state.commands,
        )
        for person in setup.people[:2]:
            self.scene.channels.append(setup.world.places.dm_channel(state.users[person.id]).id)
        with_words = []
        for key in KEYS:
            with speaking(key):
                with_words.append(tr(BROKEN))
        self._broken = tuple(with_words)

    def look(self) -> None:
        """Add each new control in the channels' last eight messages to the scene."""
        state = self._setup.world.state
        known = {(message, part["custom_id"]) for _, message, part in self.scene.controls}
        for channel in self.scene.channels:
            for message in list(state.messages.get(channel, {}).values())[-8:]:
                for part in walk(message.payload["components"]):
                    custom_id = part.get("custom_id")
                    if custom_id and (message.id, custom_id) not in known:
                        self.scene.note(channel, message.id, part)

    async def judge_next(self) -> None:
        """Send a payload and judge its effects. Raises AssertionError if an effect is wrong."""
        self.look()
        sent = self._next()
        setup, world = self._setup, self._setup.world
        channel = world.state.channels[sent.channel]
        before = setup.stored_tables()
        interaction = world.interactions.open(
            sent.kind, sent.person, channel, sent.body, message_id=sent.message
        )
        became = "answered"
        try:
            await world.interactions.wait_for_answer(interaction)
        except InteractionFailed:
            became = "not answered"
            assert not sent.sendable, f"no answer to {sent}"
        assert setup.bot is not None, "the bot has stopped"
        try:
            await asyncio.wait_for(setup.bot.client.drain(), 60)
        except TimeoutError:
            raise AssertionError(f"still served after a minute: {sent}") from None
        await asyncio.sleep(0.5)  # until everybody else's screens are updated
        assert setup.answers[interaction.id] <= 1, f"answered twice: {sent}"
        text = self._text(interaction)
        assert not any(broken in text for broken in self._broken), f"{text!r} to {sent}"
        if interaction.modal is not None:
            form = (sent.person, sent.channel, sent.message, interaction.modal)
            self.scene.forms = [*self.scene.forms[-80:], form]
        if self._judge(sent, interaction, before, setup.stored_tables()):
            became = "changed a table"
        if sent.kind == AUTOCOMPLETE and became == "answered":
            became = "suggestions"
        self._verdict.outcomes[became if sent.sendable else f"not on screen: {became}"] += 1

    def _next(self) -> Payload:
        """Choose the next payload; usually a person presses a control that they see.

        Sometimes the person doesn't see it, as if Discord had been deceived, or the message is
        gone. Such a payload is not `sendable`.
        """
        sent = payload(self._chance, self.scene)
        if sent.message is not None:
            message = self._setup.world.state.message(sent.channel, sent.message)
            if message is None:
                return replace(sent, sendable=False)
            if not message.is_visible_to(sent.person):
                if self._chance.random() < 0.1:
                    return replace(sent, sendable=False)
                seeing = [person for person in self.scene.people if message.is_visible_to(person)]
                return replace(sent, person=self._chance.choice(seeing))
        return sent

    def _text(self, interaction: Interaction) -> str:
        state = self._setup.world.state
        message = state.message(interaction.channel_id, interaction.original_id or "")
        return SeenMessage(message.payload).text if message is not None else ""

    def _judge(
        self,
        sent: Payload,
        interaction: Interaction,
        before: dict[int, StoredTable],
        after: dict[int, StoredTable],
    ) -> bool:
        """Return whether a table was changed.

        Raises AssertionError if the person may not change that table.
        `before` and `after` are the stored tables by id.
        """
        person = int(sent.person)
        moved = self._setup.actions_of(interaction.id)
        for _, action, players in moved:
            if action["kind"] in ("bid", "challenge") or (
                action["kind"] == "forfeit" and action.get("cause", "left") != "dropped"
            ):
                seat = players[action["seat"]]
                assert seat == person, f"{sent} played {action} for {seat}"
        changed = False
        for number, now in after.items():
            then = before.get(number)
            if then is None:
                assert now.host == person, f"{sent} opened a table of {now.host}"
                changed = True
            elif then != now and any(player > 0 for player in (*then.players, now.host)):
                in_match = any(match == now.match for match, _, _ in moved)
                changed |= self._judge_change(sent, person, then, now, moved=in_match)
        return changed or bool(moved)

    def _judge_change(
        self, sent: Payload, person: int, then: StoredTable, now: StoredTable, *, moved: bool
    ) -> bool:
        """Return whether `sent` changed the table. Raises AssertionError if it was not allowed to.

        `then` and `now` are the table before and after; `moved` says whether an action was stored
        in its match.
        """
        assert now.version > then.version, f"{sent} changed a table without a new version"
        if is_forgetting(sent, then, now):
            return True
        due, kind = then.clock[:2]
        if kind == "house" and now.turn_since is not None and now.turn_since >= cast(int, due):
            return False  # meanwhile it was time for the bot's move for somebody who is away
        guild = self._setup.world.state.channels[sent.channel].guild_id
        manages = person == then.host or (guild, sent.person) in self._setup.moderators
        if replace(then, version=now.version, clock=now.clock) == now and not moved:
            # a deadline, or a vote or settings stored unchanged; no turn may start again
            theirs = manages or person in then.players
            assert now.clock != then.clock or theirs, f"{sent} stored a table that has not changed"
            assert now.turn_since == then.turn_since, f"{sent} gave time"
            return False
        by_itself = any(player < 0 for player in now.players) and now.players == then.players
        if then.channel != int(sent.channel) and then.channel > 0:
            assert by_itself, f"{sent} changed a table elsewhere: {then} {now}"
            return False
        came, went = set(now.players) - set(then.players), set(then.players) - set(now.players)
        ended = then.status != now.status and now.status == "closed"
        again = then.status == "finished" and now.status == "lobby"
        seated = person in then.players
        assert manages or came <= {person}, f"{sent} seated {came}"
        assert manages or went <= {person} or again or ended, f"{sent} unseated {went}"
        assert manages or now.options == then.options or again, f"{sent} changed the rules"
        if now.host != then.host:
            gone = then.host not in now.players or then.host in now.absent
            assert gone or moved or again, f"{sent} took the table"
        if ended and then.status == "playing":
            assert seated or manages, f"{sent} ended a match"
        if then.status == "lobby" and now.status == "playing":
            assert manages or seated or came == {person}, f"{sent} started a match"
        return True


def is_forgetting(sent: Payload, then: StoredTable, now: StoredTable) -> bool:
    """Return whether the only change at a table is that the sender's name and texts are gone.

    People can ask to be forgotten in any channel, so the table may be in another one. A person
    whose match goes on must be out already, which `machine` judges.
    """
    if FORGETS not in str(sent.body.get("custom_id", "")) or sent.person in now.typed:
        return False
    person = int(sent.person)
    if replace(then, version=now.version, typed=now.typed) == now:
        return sent.person in then.typed  # they waited for the next match, or had typed something
    came = {now.host, *now.players} - {then.host, *then.players}
    nameless = next(iter(came), 0)
    if len(came) != 1 or not 0 < nameless < FIRST_ID or then.status == "lobby":
        return False

    def rename(player: int) -> int:
        return nameless if player == person else player

    expected = replace(
        then,
        version=now.version,
        channel=then.channel if then.channel > 0 else -rename(-then.channel),
        host=rename(then.host),
        players=tuple(map(rename, then.players)),
        absent=tuple(map(rename, then.absent)),
        typed=now.typed,  # their texts are deleted too
    )
    return expected == now

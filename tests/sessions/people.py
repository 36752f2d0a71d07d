"""What people do in a session: they press what they see, mostly what makes sense."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bot.discord import ids
from bot.sandbox.discord_state import Channel, Json
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.rules.bodies import BUTTON, STRING_SELECT
from bot.sandbox.screen import SeenMessage, SeenModal
from tests.hostile import NAMES
from tests.sessions.screens import Screen, Screens

GAMES: Final = ("Liars' Poker", "Thai Poker")
TEXTS: Final = (
    "pair of aces", "two pair", "full house", "three 9s", "flush", "straight", "ace high", "",
    "pear of kings", "@everyone", "seven nines", "four aces", "9", "kings full of tens", *NAMES,
)  # fmt: skip
# texts to cut the cards with
WORDS: Final = ("purple giraffe 7", "a", "`", "99 red balloons", "\u200b", *NAMES)
# fields of digests and game nights, some of which happen during the session
HOURS: Final = {
    "Hour": ("20:30", "21", "9", "25", ""),
    "Time zone": ("Warsaw", "UTC", "Asia/Kolkata", "Narnia"),
}
# beginnings of what people type in a command
PARTS: Final = ("", "a", "Ah Kd", "p", "flu", "three", "10", "*")
COMMANDS: Final = (
    "table", "challenge", "leave away", "leave end", "leave", "leave back", "preferences",
    "settings", "bid", "leave drop", "leave away", "leave drop", "practice", "odds", "help",
    "matches", "stats", "practice daily", "stats daily", "turns", "night",
)  # fmt: skip
ELSEWHERE: Final = {
    "play": "is given apart from these, and whenever there is no table",
    "Odds": "is in a message's menu, and people write no messages",
}
DAILY: Final = "Deal of the day: the same for everyone, one try"
# buttons that move the session on
_ONWARDS: Final = ("Join", "Start", "Next round", "Play again", "I'm in", "I'm back", "My seat")


SCREENS: Final = 8  # messages that a person looks at


@dataclass
class Act:
    """Something somebody did, and its outcome.

    `typed`: the text typed in a field that asks the bot for suggestions, or "". `cards_asked`:
    whether the field is for cards.
    """

    person: Person
    label: str
    interaction: str | None = None
    verb: str = ""
    outcome: ActOutcome | None = None
    failed: bool = False
    typed: str = ""
    cards_asked: bool = False


@dataclass
class SimulatedPerson:
    """One person at the table, whose random choices come from `chance`."""

    person: Person
    others: list[Person]
    screens: Screens
    channel: Channel
    chance: Random
    game: str
    old: list[Screen] = field(default_factory=list)  # screens that were not closed

    async def act(self) -> Act | None:
        """Do one thing; return None if there was nothing to do or the button was gone."""
        try:
            return await self._act()
        except CannotDo:
            return None  # the button was gone before the press

    async def _act(self) -> Act | None:
        latest = self.screens.recent(self.person, self.channel, SCREENS)
        screens = [message for message in latest if message.components]
        roll = self.chance.random()
        if not screens or roll < 0.03:
            return await self._command(opens=not screens)
        if roll < 0.06 and self.old:
            return await self._press(self.chance.choice(self.old), stale=True)
        newest = [message for message in screens if not message.ephemeral][-1:]
        act = re.search(r"<@(\d+)>[^\n]*\*\*to act", newest[0].text) if newest else None
        if act is not None and act[1] != self.person.id and self.chance.random() < 0.8:
            return None  # somebody else's turn
        seats = [message for message in screens if message.ephemeral][-1:]
        screen = self.chance.choice((newest * 3 + seats * 2) or screens)
        if roll < 0.1:
            screen = self.chance.choice(screens)
        if self.chance.random() < 0.1:
            self.old = [*self.old[-3:], screen]
        return await self._press(screen)

    async def _command(self, *, opens: bool) -> Act:
        person, chance = self.person, self.chance
        if opens or chance.random() < 0.2:
            some = {"computers": chance.randint(0, 2)} if chance.random() < 0.4 else {}
            game = self.game if chance.random() < 0.8 else chance.choice(GAMES)
            return await self._do(
                "play", person.slash(self.channel, "play", game=game, **some), "play"
            )
        name, _, detail = chance.choice(COMMANDS).partition(" ")
        if name == "odds" or (name == "bid" and chance.random() < 0.5):
            return await self._typing(name)
        options: dict[str, object] = {"what": detail} if detail else {}
        if name == "bid":
            options = {"hand": chance.choice(TEXTS) or "pair"}
        elif detail in ("drop", "away"):
            options["player"] = chance.choice((person, *self.others))
        elif name in ("settings", "practice"):
            options = {"game": self.game}
            if detail:
                options["against"] = DAILY
        elif name == "stats" and detail:
            options = {"what": "Deal of the day"}
        act = f"{name} {detail}".strip()
        return await self._do(act, person.slash(self.channel, name, **options), name)

    async def _typing(self, name: str) -> Act:
        """Begin to type a command, without sending it."""
        chance, part = self.chance, self.chance.choice(PARTS)
        command, option = name, "hand"
        if name == "odds":
            short = "thai" if self.game == "Thai Poker" else "liars"
            command, option = f"odds {short}", chance.choice(("cards", "bid"))
        act = self.person.act(
            "autocomplete",
            channel=self.channel.id,
            name=command,
            options={},
            focused=option,
            value=part,
        )
        result = await self._do(f"types {command} {option}", act, "typing")
        result.typed, result.cards_asked = part, option == "cards"
        return result

    async def _press(self, screen: SeenMessage, *, stale: bool = False) -> Act | None:
        controls = [
            part
            for part in screen.components
            if part.get("custom_id") and not part.get("disabled")
            and part["type"] in (BUTTON, STRING_SELECT)
        ]  # fmt: skip
        if not controls:
            return None
        part = self._choose(controls)
        label = str(part.get("label") or part.get("placeholder"))
        control_id = ids.read(part["custom_id"])
        verb = control_id.verb if control_id is not None else ""
        values: list[str] | None = None
        if part["type"] == STRING_SELECT:
            options = part.get("options") or []
            if not options:
                return None
            weights = [1 / (1 + place) for place in range(len(options))]
            values = [self.chance.choices(options, weights)[0]["value"]]
        if stale:  # as a client with an outdated screen does
            act = self.person.forge(screen, part["custom_id"], values)
        elif values is not None:
            act = self.person.select(screen, part["custom_id"], values)
        else:
            act = self.person.click(screen, custom_id=part["custom_id"])
        result = await self._do(label, act, verb)
        modal = result.outcome.modal if result.outcome is not None else None
        if modal is not None and self.chance.random() < 0.9:
            return await self._do(label, self.person.submit(modal, self._fill_in(modal)), verb)
        return result

    def _choose(self, controls: list[Json]) -> Json:
        """Choose a control at random; controls that move the session on are more likely."""
        weights = []
        for part in controls:
            label = str(part.get("label") or part.get("placeholder") or "")
            weight = 1.0
            if part["type"] == STRING_SELECT or label in _ONWARDS:
                weight = 8.0
            elif label == "Challenge" or label.startswith(("Bid ", "Next")):
                weight = 5.0
            elif label in ("Close the table", "End", "Leave") or label.startswith("Yes"):
                weight = 0.3 if label == "Leave" else 0.1
            weights.append(weight)
        return self.chance.choices(controls, weights)[0]

    def _fill_in(self, modal: SeenModal) -> dict[str, object]:
        typed: dict[str, object] = {}
        for name, part in modal.fields.items():
            if part.get("options"):
                if self.chance.random() < 0.3:
                    typed[name] = self.chance.choice(part["options"])["value"]
            elif self.chance.random() < 0.8:
                cuts = "cut" in modal.title.lower()
                typed[name] = self.chance.choice(WORDS if cuts else HOURS.get(name, TEXTS))
        return typed

    async def _do(self, label: str, act: object, verb: str) -> Act:
        result = Act(self.person, label, verb=verb)
        try:
            result.outcome = await act  # type: ignore[misc]
            result.interaction = result.outcome.interaction_id
        except InteractionFailed as error:
            result.failed = True
            result.interaction = error.interaction_id
        return result

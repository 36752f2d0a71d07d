"""A newcomer's first ten minutes: from /practice to a few rounds, by what the screen says.

The newcomer reads sentences and pictures, but not the labels of controls, and presses only controls
that a text has explained.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

import pytest

from bot.sandbox.actor import ActOutcome
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_practice import settled_screen
from tests.bot.harness import Table
from tests.bot.practising import newest

LIARS, THAI = "Liars' Poker", "Thai Poker"
MOST_PRESSES = 60
STEP = re.compile(r"· \d of 4\*\*")
# a button of the pad: a kind and its chance, a rank, or a suit
ON_THE_PAD = re.compile(r"^([A-Z][\w. ]+ <?\d+|\d+|[JQKA]|[♣♦♥♠].*)$")
# what each control does is in these words
WORDS = {
    "Next": "· 1 of 4",  # a page of so many
    "Practice now": "practice now** deals you cards",
    "Show the cards": "now everyone shows their cards",
    "Higher": "you're next. go higher, or",
    "Challenge": "higher, or challenge: say",
    "Yes": "challenge anyway?",
    "Hint": "hint** suggests a move",
    "Rules": "rules** lists the hands",
    "Next round": "play the next with",
}
# whose turn it is, and what is to be done, above the pad
ASKED = ("your turn:** open with any", "your turn:** bid higher", "your turn:** bid or")
BUTTON = 2
PROSE = (10, 12)  # Discord's types of a text and of pictures
RANKS = re.compile(r"^(\d+|[JQKA])$")
SUITS = tuple("♣♦♥♠")


@dataclass
class Stranger:
    """Somebody who presses only what is explained in the text that they have `read` so far."""

    at: Table
    read: str = ""
    on_screen: str = ""  # of it what is on the screen now
    pressed: list[str] = field(default_factory=list)

    async def look(self) -> SeenMessage:
        """Return the message on the screen, and read it."""
        if STEP.search(newest(self.at.host, self.at.channel).text) is None:
            await settled_screen(self.at, self.at.channel)
        screen = newest(self.at.host, self.at.channel)
        self.on_screen = prose(screen)
        self.read += "\n" + self.on_screen
        return screen

    def understands(self, label: str) -> bool:
        """Return whether the text read so far explains the button with this label."""
        label = label.replace("\u00a0", " ")
        if ON_THE_PAD.match(label):
            return "likeliest hand in percent" in self.read and self.knows(label)
        if label.startswith("Bid "):  # it says itself what is said
            return any(asks in self.on_screen for asks in ASKED)
        return WORDS[label.partition(":")[0]] in self.read

    def knows(self, label: str) -> bool:
        """Return whether a choice on the pad is explained: in its question or the list of hands."""
        if RANKS.match(label):
            return "rank?" in self.on_screen
        if label.startswith(SUITS):
            return "suit?" in self.on_screen
        kind = label.rpartition(" ")[0].casefold()
        listed = (f"- **{kind}", f"({kind}):")
        return "pick a kind of hand" in self.read and any(word in self.read for word in listed)

    async def press(self, screen: SeenMessage, label: str) -> ActOutcome:
        """Press a button; assert that it is understood."""
        assert self.understands(label), f"{label!r} is explained nowhere:\n{self.read}"
        self.pressed.append(label)
        return await (await self.at.host.click(screen, label)).settle()


def prose(screen: SeenMessage) -> str:
    """Return a message's sentences and descriptions of pictures, in lower case, without controls.

    The labels of disabled buttons count as sentences.
    """
    texts: list[str | None] = [screen.content]
    for part in screen.components:
        if part["type"] == BUTTON and part.get("disabled"):
            texts.append(part["label"])
        if part["type"] in PROSE:
            texts += [part.get("content"), *(item["description"] for item in part.get("items", ()))]
    return "\n".join(filter(None, texts)).casefold()


def find_button(screen: SeenMessage, *starts: str) -> str | None:
    """Return the label of the first button that begins with one of `starts`, or None."""
    return next((label for label in screen.buttons if label.startswith(starts)), None)


@pytest.mark.parametrize("game", [pytest.param(LIARS, marks=pytest.mark.thorough), THAI])
async def test_a_stranger_learns_and_plays_pressing_only_explained_controls(
    table: Seat, game: str
) -> None:
    at = await table(1)
    chance, stranger, rounds = random.Random(game), Stranger(at), 0
    await (await at.host.slash(at.channel, "practice", game=game)).settle()
    for label in ("Next", "Higher", "Show the cards", "Practice now"):
        screen = await stranger.look()
        control = find_button(screen, label)
        assert control is not None, screen.buttons
        await stranger.press(screen, control)
    screen = await stranger.look()
    await stranger.press(screen, "Hint")
    screen = await stranger.look()
    assert "Hint." in screen.text
    rules = (await stranger.press(screen, "Rules")).message
    assert rules is not None
    stranger.read += prose(rules)
    assert "from the weakest hand to the strongest" in stranger.read
    await at.host.dismiss(rules)
    while rounds < 3:
        assert len(stranger.pressed) < MOST_PRESSES
        screen = await stranger.look()
        if find_button(screen, "Next round"):
            rounds += 1
            await stranger.press(screen, "Next round")
            continue
        doubt = find_button(screen, "Challenge") or find_button(screen, "Yes")
        if "Hint." not in screen.text:  # whose words take the room
            assert "you're out" in stranger.on_screen, "how many cards are too many"
            explained = "true if" in stranger.on_screen
            assert explained == (doubt is not None), "what stands is explained"
        bid = find_button(screen, "Bid ")
        offered = [
            label for label in screen.buttons if ON_THE_PAD.match(label.replace("\u00a0", " "))
        ]
        if bid:
            await stranger.press(screen, bid)
        elif doubt and (not offered or chance.random() < 0.5):
            await stranger.press(screen, doubt)
        else:
            await stranger.press(screen, chance.choice(offered))
    screen = await stranger.look()
    assert "Round 4" in screen.text
    assert "True if" not in screen.text
    assert "+1 card" not in screen.text

"""The bid pad in the terminal: kind of hand, ranks and suit, each chosen by a key.

`bot.boards.pad` determines the choices; this module handles cursor and keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.style import Style
from rich.text import Text

from bot.boards.pad import PadOffer, Pick, step_of
from bot.language.words import truncate
from bot.pictures import palette
from bot.pictures.palette import web
from bot.terminal.styled_text import MUTED, STRONG
from engine.bids import Bid

_DIGITS: Final = "1234567890"
_ASKED: Final = {
    "kind": "Which hand?",
    "rank": "Which rank?",
    "second": "And the second rank?",
    "suit": "Which suit?",
}
_WIDTH: Final = 78
_CURSOR: Final = Style(color=web(palette.FELT), bgcolor=web(palette.GOLD), bold=True)


@dataclass
class Pad:
    """The person's progress on the pad: the pick so far, and the cursor's place."""

    pick: Pick = field(default_factory=Pick)
    cursor: int = 0
    meant: tuple[Bid, ...] = ()  # possible meanings of a typed text, to choose from

    def choices(self, legal: Sequence[Bid]) -> list[tuple[str, str, Pick]]:
        """Return the current choices, each as (key, label, the pick it leads to).

        The label of a bid that the person may have meant is the bid's own key.
        """
        if self.meant:
            return [
                (key, bid.key, Pick(key=bid.key))
                for key, bid in zip(_DIGITS, self.meant, strict=False)
            ]
        step = self.step(legal)
        return [
            (self._key(step, place, value), label, step.pick.and_then(value))
            for place, (value, label) in enumerate(step.choices)
        ]

    def step(self, legal: Sequence[Bid]) -> PadOffer:
        """Return the offer of the next choices; its `bid` is the chosen bid once there is one."""
        return step_of(legal, self.pick)

    @staticmethod
    def _key(step: PadOffer, place: int, value: str) -> str:
        if step.part == "kind":
            return _DIGITS[place] if place < len(_DIGITS) else "abcdefg"[place - len(_DIGITS)]
        return value.upper()

    def choose(self, pick: Pick) -> None:
        """Make `pick` the current pick, with the cursor on the first of its choices."""
        self.pick, self.cursor, self.meant = pick, 0, ()

    def back(self) -> bool:
        """Go one step back; return False if there is nothing to go back from."""
        if self.meant or self.pick.key:
            self.choose(Pick())
            return True
        if self.pick == Pick():
            return False
        self.choose(self.pick.back)
        return True

    def by_key(self, char: str, legal: Sequence[Bid]) -> Pick | None:
        """Return the pick for a key, or None.

        A key shown in upper case also works in lower case, except q, which quits.
        """
        for key, _, pick in self.choices(legal):
            if char == key or (char == key.lower() and char != "q"):
                return pick
        return None

    def move(self, key: str, legal: Sequence[Bid]) -> None:
        """Move the cursor by an arrow key."""
        number = len(self.choices(legal))
        across = self._across(legal)
        step = {"left": -1, "right": 1, "up": -across, "down": across}[key]
        if number and 0 <= self.cursor + step < number:
            self.cursor += step

    def _across(self, legal: Sequence[Bid]) -> int:
        """Return the number of choices per line."""
        return max(1, _WIDTH // (self._wide(legal) + 2))

    def _wide(self, legal: Sequence[Bid]) -> int:
        return max((len(key) + 1 + len(label) for key, label, _ in self.choices(legal)), default=1)

    def text(self, legal: Sequence[Bid], wordings: dict[str, str]) -> Text:
        """Return the choices in a grid with the cursor. `wordings`: words for the meant bids."""
        across, wide = self._across(legal), self._wide(legal)
        if self.meant:
            wide = across = 0
        heading = "Did you mean" if self.meant else _ASKED[self.step(legal).part]
        lines = [Text(heading, MUTED)]
        line = Text()
        for place, (key, label, _) in enumerate(self.choices(legal)):
            words = wordings.get(label, label)
            cell = Text.assemble((f"{key} ", STRONG), truncate(words, _WIDTH))
            cell.append(" " * max(0, wide - len(cell)))
            if place == self.cursor:
                cell = Text(cell.plain, _CURSOR)
            line = Text.assemble(line, cell, "  ")
            if across and (place + 1) % across == 0:
                lines.append(line)
                line = Text()
        if line:
            lines.append(line)
        return Text("\n").join(lines)

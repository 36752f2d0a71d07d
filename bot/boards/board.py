"""Boards: the content of a message as plain data, which `bot.discord.layout` turns into components.

A board is a pure function of stored state, so after a crash it is redrawn, never repaired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

from bot.language.catalogues import tr
from bot.pictures.cards import ShowdownRow, showdown_alt_text
from bot.pictures.charts import Chart
from bot.pictures.faces import StandIn
from bot.pictures.strip import StripRow
from engine.cards import Card, Cards, Rank

Style = Literal["primary", "secondary", "success", "danger"]
Deck = Literal["four", "two", "words"]  # cards in four colours, in two, or in words


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph in Discord's markdown, with an optional button `beside` it."""

    markdown: str
    beside: Button | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A dividing line."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of cards on its own line, large; the board's `deck` decides how it looks."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class ShowdownPicture:
    """A picture of every hand of a round. `used` are the cards that make the bid.

    `stands_for` pairs each joker in `used` with the rank, suit or card that it stands for.
    """

    rows: tuple[ShowdownRow, ...]
    used: Cards
    middle: Cards
    alt: str
    stands_for: tuple[tuple[Card, StandIn], ...] = ()
    four_colours: bool = True
    middle_name: str = "Middle"

    @classmethod
    def of(
        cls,
        rows: Iterable[ShowdownRow],
        middle: Cards,
        used: Cards = Cards(),
        stands_for: Mapping[Card, StandIn] | None = None,
    ) -> Self:
        """Return the picture with its alternative text in the current language."""
        rows, jokers, named = tuple(rows), stands_for or {}, tr("Middle")
        alt = showdown_alt_text(rows, used, middle=middle, middle_name=named, stands_for=jokers)
        return cls(rows, used, middle, alt, tuple(jokers.items()), middle_name=named)


@dataclass(frozen=True, slots=True)
class ChartPicture:
    """A picture of figures; the class of `chart` decides how they are drawn."""

    chart: Chart
    alt: str

    @classmethod
    def of(cls, chart: Chart) -> Self:
        """Return the picture with the chart's own text as its alternative text."""
        return cls(chart, chart.text)


@dataclass(frozen=True, slots=True)
class StripPicture:
    """A picture of the rounds of a match, with a row for each player."""

    rows: tuple[StripRow, ...]
    alt: str


Picture = ShowdownPicture | ChartPicture | StripPicture
Block = Text | Rule | Hand | Picture


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `verb` is the action that it asks for, `choice` the action's argument.

    A bid's `rank` is drawn as a small card before the label. If the label names the rank too,
    `beside_card` is the text to show instead.
    """

    verb: str
    label: str
    style: Style = "secondary"
    disabled: bool = False
    choice: str = ""
    rank: Rank | None = None
    beside_card: str | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu to pick one of at most 25 `options`: (value, label, description or None) each.

    Discord keeps showing the last pick until the menu changes, for example its `choice`. `ranks`:
    for each option, the rank to draw next to it as a card, or None.
    """

    verb: str
    placeholder: str
    options: tuple[tuple[str, str, str | None], ...]
    choice: str = ""
    ranks: tuple[Rank | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """The table, match and action number (0: none) that a board's controls were drawn for.

    The controls' custom ids contain the address.
    """

    table: int
    match: int = 0
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """A whole message: a coloured panel of blocks, rows of controls, and small print last."""

    accent: int
    blocks: tuple[Block, ...]
    rows: tuple[tuple[Button, ...] | Menu, ...] = ()
    address: Address = Address(0)
    footer: str = ""
    deck: Deck = "four"
    language: str | None = None  # for cards in words; None: the current one

    @property
    def picture(self) -> Picture | None:
        """Return the board's first picture, or None if it has no picture."""
        return next(iter(self.pictures), None)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Return the board's pictures from top to bottom."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))

"""Boards: what a message shows, as plain data. `bot.discord.layout` turns a board into components.

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
Deck = Literal["four", "two", "words"]  # cards in four colours, in two, or said in words


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph in Discord's markdown; a button `beside` it takes no row of its own."""

    markdown: str
    beside: Button | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A dividing line."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of cards in a line of its own, large; shown as the board's `deck` has it."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class ShowdownPicture:
    """Every hand of a round, to be drawn; `used` are the cards that serve the bid.

    `stands_for` says of the jokers among them what each is used as.
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
        """The hands with their own words, in the language that is spoken."""
        rows, jokers, named = tuple(rows), stands_for or {}, tr("Middle")
        alt = showdown_alt_text(rows, used, middle=middle, middle_name=named, stands_for=jokers)
        return cls(rows, used, middle, alt, tuple(jokers.items()), middle_name=named)


@dataclass(frozen=True, slots=True)
class ChartPicture:
    """Figures, to be drawn: what `chart` is says how."""

    chart: Chart
    alt: str

    @classmethod
    def of(cls, chart: Chart) -> Self:
        """The chart with its own words."""
        return cls(chart, chart.text)


@dataclass(frozen=True, slots=True)
class StripPicture:
    """The rounds of a match, to be drawn: a row for each player."""

    rows: tuple[StripRow, ...]
    alt: str


Picture = ShowdownPicture | ChartPicture | StripPicture
Block = Text | Rule | Hand | Picture


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `verb` says what pressing it asks for, `choice` which of several it is.

    The `rank` of a bid stands before the label as a card, whose name a screen reader reads. Where
    the label says the rank too, what is left of it is `beside_card`.
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
    """A select of one value: (value, label, description or None) each, at most 25.

    Discord goes on showing what was chosen until the menu is another: `choice` makes it one.
    `ranks` stand beside the options as cards, one for each or None.
    """

    verb: str
    placeholder: str
    options: tuple[tuple[str, str, str | None], ...]
    choice: str = ""
    ranks: tuple[Rank | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """What the controls of a board were drawn for; it goes into their custom ids."""

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
    language: str | None = None  # in which cards are said in words; None: in what is being spoken

    @property
    def picture(self) -> Picture | None:
        """The board's first picture, if it has one."""
        return next(iter(self.pictures), None)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The board's pictures from top to bottom."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))

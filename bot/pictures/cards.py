"""Pictures of cards as PNG: a whole showdown.

Pure functions of plain values, safe in any thread. Sizes suit both a phone, where a picture is
about 360 pixels wide, and a desktop, which scales tall pictures down: so a showdown uses columns
before it grows tall. `faces` draws the cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.language.catalogues import tr
from bot.language.words import plain
from bot.pictures import canvas, faces, fonts, palette, pips
from bot.pictures.faces import Light, StandIn
from bot.pictures.portraits import portrait
from engine.cards import Card, Cards

SHOWDOWN_WIDTH: Final = 960
MOST_ROWS: Final = 10

_NO_CARDS: Final = Cards()
_NO_STAND_INS: Final[Mapping[Card, StandIn]] = {}
_EDGE: Final = 18
_GUTTER: Final = 12
_PAD: Final = 14
_GAP: Final = 9
_LIFT: Final = 16
_FRAME: Final = 5
_NAME_SIZE: Final = 33
_SMALL_NAME: Final = 28
_NOTE_SIZE: Final = 27
_SMALL_NOTE: Final = 23
_NOTE_SHARE: Final = 0.45  # of a cell's width; longer notes get their own line
_MARK: Final = 38
_LINE: Final = 40


@dataclass(frozen=True, slots=True)
class ShowdownRow:
    """One player at the showdown: name, cards and role.

    `note` is a few words next to the name. `bidder` adds a speech bubble there, `challenger` a
    lightning bolt. `loser` frames the row. `face` is the character of a computer player, whose
    portrait comes before the name. Name and note may be anything that a chat allows; this class
    makes both `plain`.
    """

    name: str
    cards: Cards
    note: str = ""
    loser: bool = False
    bidder: bool = False
    challenger: bool = False
    face: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))
        object.__setattr__(self, "note", plain(self.note))


def cards_alt_text(cards: Cards) -> str:
    """Return cards in words for a screen reader: `joker, A♠, 10♥`."""
    return ", ".join(tr("joker") if card.is_joker else card.symbol for card in cards)


def showdown_png(
    rows: Sequence[ShowdownRow],
    used: Cards,
    *,
    middle: Cards = _NO_CARDS,
    middle_name: str = "Middle",
    stands_for: Mapping[Card, StandIn] = _NO_STAND_INS,
    four_colours: bool = True,
) -> bytes:
    """Return a PNG of everybody's cards face up, 960 pixels wide, as high as the rows need.

    Cards of `used` (those that make the bid good) are raised with a gold rim, and the others have
    slightly greyer paper; without `used` all look the same. A joker in `stands_for` shows the card
    or the rank or suit that it stands for. `middle` is the shared hand. A name without any drawable
    character becomes its row's number, such as `#3`. Raises ValueError unless there are 1 to 10
    rows.
    """
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ValueError(f"a showdown to draw has 1 to {MOST_ROWS} rows, not {len(rows)}")
    cells = [
        _Cell(row, fonts.drawable(row.name) or f"#{number}", fonts.drawable(row.note))
        for number, row in enumerate(rows, 1)
    ]
    if middle:
        name = fonts.drawable(middle_name)
        cells.insert(0, _Cell(ShowdownRow(middle_name, middle), name, "", is_middle=True))
    plan = _plan(cells)
    bands = [cells[at : at + plan.columns] for at in range(0, len(cells), plan.columns)]
    heights = [plan.height(band) for band in bands]
    panel = canvas.felt((SHOWDOWN_WIDTH, 2 * _EDGE + sum(heights) + _GUTTER * (len(bands) - 1)))
    top = _EDGE
    for band, height in zip(bands, heights, strict=True):
        for column, cell in enumerate(band):
            left = _EDGE + column * (plan.cell_width + _GUTTER)
            _draw_cell(panel, plan, cell, (left, top, plan.cell_width, height))
            left += _PAD + (plan.inner - plan.cards_room if plan.beside else 0)
            step, bottom = plan.step(len(cell.row.cards)), top + height - _PAD
            for position, card in enumerate(cell.row.cards):
                light, lift = Light.PLAIN, 0
                if used:
                    light, lift = (Light.GOLDEN, _LIFT) if card in used else (Light.RESTING, 0)
                sprite = faces.face(card, plan.card, four_colours, light, stands_for.get(card))
                above = bottom - faces.card_height(plan.card) - lift
                _lay(panel, sprite, plan.card, left + position * step, above)
        top += height + _GUTTER
    return canvas.png(panel)


def showdown_alt_text(
    rows: Sequence[ShowdownRow],
    used: Cards,
    *,
    middle: Cards = _NO_CARDS,
    middle_name: str = "Middle",
    stands_for: Mapping[Card, StandIn] = _NO_STAND_INS,
) -> str:
    """Return `showdown_png`'s content in words: the middle, if any, then a line per row.

    The cards in `used` are in square brackets.
    """
    lines = [f"{middle_name}: {_card_names(middle, used, stands_for)}"] if middle else []
    for number, row in enumerate(rows, 1):
        note = f" ({row.note})" if row.note else ""
        lines.append(
            f"{row.name or f'#{number}'}{note}: {_card_names(row.cards, used, stands_for)}"
        )
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A showdown's row, or its shared hand, with the texts to draw."""

    row: ShowdownRow
    name: str
    note: str
    is_middle: bool = False

    @property
    def text_width(self) -> float:
        """The width in pixels of marks, name and note on one line, at full size."""
        marks = _MARK * (self.row.bidder + self.row.challenger + bool(self.row.face))
        name, note = fonts.width(self.name, _NAME_SIZE), fonts.width(self.note, _NOTE_SIZE)
        return marks + name + _PAD + note


@dataclass(frozen=True, slots=True)
class _Plan:
    """The showdown's measures, in pixels, and the number of `columns` of cells.

    If `beside`, a cell has the name left of the cards and the note below the name. Otherwise
    the name is above the cards, and the note is on the name's line. If `note_below`, notes have
    a line of their own instead, and rows of cells with a note are higher than `cell_height`.
    `card` is a card's width. `cards_room` is the width for a cell's cards if `beside`.
    """

    columns: int
    card: int
    beside: bool
    note_below: bool
    cell_width: int
    cell_height: int
    cards_room: int

    @property
    def inner(self) -> int:
        """The width inside a cell's padding, in pixels."""
        return self.cell_width - 2 * _PAD

    def height(self, band: Sequence[_Cell]) -> int:
        """Return the height of a row of cells, in pixels."""
        below = self.note_below and any(cell.note for cell in band)
        return self.cell_height + (_LINE - 6 if below else 0)

    def step(self, count: int) -> int:
        """Return the pixels between the left edges of adjacent cards in a row of `count`."""
        return _step(count, self.card, _GAP, self.cards_room if self.beside else self.inner)


def _plan(cells: Sequence[_Cell]) -> _Plan:
    """Choose the number of columns, one to three, and the card size.

    Six players fit in two rows, so that the whole message fits a phone's screen. The cards of
    long hands overlap, with every index visible. An index is at least 12 pixels high on a
    phone.
    """
    most = max(len(cell.row.cards) for cell in cells)
    beside = len(cells) <= 3
    if beside:
        columns, card = (2, 94) if most <= 2 else (1, 104)
    elif len(cells) == 4:
        columns, card = 2, 108 if most <= 3 else 92 if most == 4 else 78
    else:
        columns, card = 3, 84 if len(cells) <= 6 else 76
    cell_width = (SHOWDOWN_WIDTH - 2 * _EDGE - (columns - 1) * _GUTTER) // columns
    inner = cell_width - 2 * _PAD
    cell_height = faces.card_height(card) + _LIFT + 2 * _PAD
    note_below = False
    if not beside:
        longest = max(fonts.width(cell.note, _SMALL_NOTE) for cell in cells)
        note_below = longest > _NOTE_SHARE * inner
        cell_height += _LINE
    room = min(max(most, 1), 5) * (card + _GAP) - _GAP
    return _Plan(columns, card, beside, note_below, cell_width, cell_height, room)


def _draw_cell(
    panel: Image.Image, plan: _Plan, cell: _Cell, box: tuple[int, int, int, int]
) -> None:
    """Draw the cell's background, marks, name and note in `box` = (left, top, width, height)."""
    left, top, _, height = box
    colour = palette.MIDDLE_SHADE if cell.is_middle else palette.CELL_SHADE
    frame = palette.LOSER_FRAME if cell.row.loser else None
    panel.paste(canvas.ground(box[2:], colour, frame, _FRAME), box[:2])
    name_colour = palette.GOLD if cell.is_middle else palette.IVORY
    note_colour = palette.BLUSH if cell.row.loser else palette.SAGE
    left += _PAD
    room = plan.inner
    baseline = top + _PAD + 24
    notes: list[tuple[str, int]] = []
    if plan.beside:
        room -= plan.cards_room + _PAD
        notes = [(line, _NOTE_SIZE) for line in fonts.wrap_text(cell.note, _NOTE_SIZE, room, 2)]
        baseline = top + (height - _LINE * (1 + len(notes))) // 2 + 30
    elif plan.note_below:
        notes = [fonts.shrink_text(cell.note, _NOTE_SIZE, _SMALL_NOTE, room)]
    elif cell.note:
        size = _NOTE_SIZE if cell.text_width <= room else _SMALL_NOTE
        at = (left + room, baseline)
        fonts.write(panel, at, cell.note, size, note_colour, anchor="rs")
        room -= round(fonts.width(cell.note, size)) + _PAD
    marks = _draw_marks(panel, cell.row, left, baseline)
    name, size = fonts.shrink_text(cell.name, _NAME_SIZE, _SMALL_NAME, room - marks)
    fonts.write(panel, (left + marks, baseline), name, size, name_colour)
    for line, (note, size) in enumerate(notes, 1):
        fonts.write(panel, (left, baseline + line * (_LINE - 4)), note, size, note_colour)


def _draw_marks(panel: Image.Image, row: ShowdownRow, left: int, baseline: int) -> int:
    """Draw portrait, bidder's bubble and challenger's bolt; return their width in pixels."""
    taken = 0
    if row.face:
        canvas.lay(panel, portrait(row.face), (left - 2, baseline - 31))
        taken += _MARK + 4
    if row.bidder:
        canvas.stamp(panel, pips.BUBBLE, (left + taken, baseline - 28), 32, palette.GOLD)
        taken += _MARK
    if row.challenger:
        canvas.stamp(panel, pips.BOLT, (left + taken, baseline - 29), 32, palette.SKY)
        taken += _MARK
    return taken


def _card_names(cards: Cards, used: Cards, stands_for: Mapping[Card, StandIn]) -> str:
    names = []
    for card in cards:
        name = cards_alt_text(Cards.of([card]))
        if card in stands_for:
            name = tr("{card} as {other}", card=name, other=stands_for[card].symbol)
        names.append(f"[{name}]" if card in used else name)
    return ", ".join(names) or tr("no cards")


def _step(count: int, card: int, gap: int, room: int) -> int:
    """Return the pixels between the left edges of cards so that `count` fit in `room`."""
    if count < 2:
        return card + gap
    return min(card + gap, (room - card) // (count - 1))


def _lay(panel: Image.Image, sprite: Image.Image, card: int, left: int, top: int) -> None:
    """Paste a card's sprite at `left`, `top`, measured to the card's corner, not its shadow's."""
    room = faces.margin(card)
    canvas.lay(panel, sprite, (left - room, top - room))

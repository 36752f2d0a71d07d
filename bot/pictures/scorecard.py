"""One person's statistics as a card worth sharing: figures, shares as bars, and what is told.

Drawn from plain values; the same in words is in `scorecard_text`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from bot.language.catalogues import speaking, spoken, tr
from bot.language.words import percent, plain
from bot.pictures import canvas, fonts, palette

WIDTH: Final = 960
_EDGE: Final = 34
_GAP: Final = 14
_HEADING: Final = 124
_NAME: Final = 50
_SMALLEST_NAME: Final = 34
_TITLE: Final = 29
_FIGURES: Final = 128
_FIGURE: Final = 54
_LABEL: Final = 25
_SMALLEST_LABEL: Final = 20
_ROW: Final = 86
_WORDS: Final = 31
_REMARK: Final = 26
_BAR: Final = 20
_LINE: Final = 50
_RADIUS: Final = 10


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that stands for itself, with what it counts in one or two short lines."""

    value: str
    label: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1, drawn as a bar; None where there is nothing to take a share of."""

    words: str
    share: float | None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What is shown of one person. The name may be anything a chat allows: it is made `plain`."""

    name: str
    title: str
    figures: tuple[Figure, ...]
    shares: tuple[Share, ...]
    told: tuple[tuple[str, str], ...] = ()  # what, and how it was
    language: str = field(default_factory=lambda: spoken().key)  # it is drawn in a thread

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))
        told = tuple((what, plain(how)) for what, how in self.told)
        object.__setattr__(self, "told", told)


def scorecard_text(card: Scorecard) -> str:
    """What `scorecard_png` shows, in lines."""
    lines = [f"{card.name or tr('Somebody')}: {card.title}"]
    for figure in card.figures:
        more = f" ({figure.more})" if figure.more else ""
        lines.append(f"{figure.label}: {figure.value}{more}")
    for share in card.shares:
        value = tr("none yet") if share.share is None else percent(share.share)
        remark = f" ({share.remark})" if share.remark else ""
        lines.append(f"{share.words}: {value}{remark}")
    lines += [f"{what}: {how}" for what, how in card.told]
    return "\n".join(lines)


def scorecard_png(card: Scorecard) -> bytes:
    """The card as a PNG, 960 pixels wide. Raises ValueError without figures."""
    with speaking(card.language):
        return _scorecard_png(card)


def _scorecard_png(card: Scorecard) -> bytes:
    if not card.figures:
        raise ValueError("a scorecard has figures")
    height = _HEADING + _FIGURES + _GAP + _ROW * len(card.shares) + _LINE * len(card.told)
    panel = canvas.felt((WIDTH, height + _EDGE // 2 + (_GAP if card.told else 0)))
    room = WIDTH - 2 * _EDGE
    name, size = fonts.shrunk(fonts.drawable(card.name) or "#1", _NAME, _SMALLEST_NAME, room)
    fonts.write(panel, (_EDGE, 68), name, size, palette.GOLD)
    title = fonts.fitted(fonts.drawable(card.title), _TITLE, room)
    fonts.write(panel, (_EDGE, 106), title, _TITLE, palette.SAGE)
    _draw_figures(panel, card, _HEADING)
    top = _HEADING + _FIGURES + _GAP
    for share in card.shares:
        _draw_share(panel, share, top)
        top += _ROW
    top += _GAP
    for what, how in card.told:
        _draw_told(panel, what, how, top)
        top += _LINE
    return canvas.png(panel)


def _draw_figures(panel: Image.Image, card: Scorecard, top: int) -> None:
    column = (WIDTH - 2 * _EDGE + _GAP) // len(card.figures)
    for place, figure in enumerate(card.figures):
        left, across = _EDGE + place * column, column - _GAP
        canvas.shade(panel, (left, top, across, _FIGURES), palette.CELL_SHADE, _RADIUS)
        value, size = fonts.shrunk(figure.value, _FIGURE, _LABEL, across - _GAP)
        _centred(panel, value, size, (left, across), top + 56, palette.IVORY)
        for text, baseline in ((figure.label, top + 87), (figure.more, top + 116)):
            said, size = fonts.shrunk(text, _LABEL, _SMALLEST_LABEL, across - 8)
            _centred(panel, said, size, (left, across), baseline, palette.SAGE)


def _centred(
    panel: Image.Image,
    text: str,
    size: int,
    across: tuple[int, int],
    baseline: int,
    colour: palette.Colour,
) -> None:
    left, room = across
    at = left + (room - fonts.width(text, size)) / 2
    fonts.write(panel, (at, baseline), text, size, colour)


def _draw_share(panel: Image.Image, share: Share, top: int) -> None:
    """Words and their remark to the left, the share to the right, the bar below."""
    right, room = WIDTH - _EDGE, WIDTH - 2 * _EDGE
    value = "–" if share.share is None else percent(share.share)
    fonts.write(panel, (right, top + 36), value, _WORDS, palette.IVORY, anchor="rs")
    beside = room - fonts.width(value, _WORDS) - 2 * _GAP
    words = fonts.fitted(share.words, _WORDS, beside)
    fonts.write(panel, (_EDGE, top + 36), words, _WORDS, palette.IVORY)
    taken = fonts.width(words, _WORDS) + _GAP
    remark = fonts.fitted(share.remark, _REMARK, max(0, beside - taken))
    fonts.write(panel, (_EDGE + taken, top + 36), remark, _REMARK, palette.SAGE)
    canvas.shade(panel, (_EDGE, top + 50, room, _BAR), palette.CELL_SHADE, _BAR // 2)
    if share.share:
        filled = max(_BAR, round(room * share.share))
        canvas.shade(panel, (_EDGE, top + 50, filled, _BAR), (*palette.GOLD, 255), _BAR // 2)


def _draw_told(panel: Image.Image, what: str, how: str, top: int) -> None:
    fonts.write(panel, (_EDGE, top + 34), what, _REMARK, palette.SAGE)
    left = _EDGE + fonts.width(what, _REMARK) + _GAP
    room = WIDTH - _EDGE - left
    said, size = fonts.shrunk(fonts.drawable(how), _WORDS, _SMALLEST_LABEL, room)
    fonts.write(panel, (left, top + 34), said, size, palette.IVORY)

"""The picture under an answer about bids, and the same in words.

Drawn with Pillow in a few milliseconds; wide enough for a desk, legible at a phone's 360 pixels.
Colours are from Okabe and Ito's scheme; what a colour says is always said in words too.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.render.fonts import font, lock
from bot.render.odds import bar, percent
from engine.cards import Cards
from engine.odds import Advice, BidOdds
from engine.ruleset import Ruleset

WIDTH: Final = 800
_MARGIN: Final = 32
_HEADING: Final = 116
_ROW: Final = 84
_BAR_HEIGHT: Final = 24
_TEXT: Final = 29
_SMALL: Final = 24
_PAPER: Final = "#1e1f22"
_INK: Final = "#f2f3f5"
_MUTED: Final = "#b5bac1"
_TRACK: Final = "#3f4147"
_STANDING: Final = "#e69f00"
_LEGAL: Final = "#56b4e9"
_TEXT_BAR: Final = 10


@dataclass(frozen=True, slots=True)
class BidBar:
    """One bid of a chart: its words, its chance from 0 to 1, and what is said of it."""

    words: str
    probability: float
    remark: str = ""
    standing: bool = False


@dataclass(frozen=True, slots=True)
class BidChart:
    """A chart as plain data: two lines of heading, then bids from top to bottom."""

    title: str
    subtitle: str
    bars: tuple[BidBar, ...]


def advice_chart(rules: Ruleset, in_play: int, known: Cards, advice: Advice) -> BidChart:
    """The chart of an advice: the standing bid, the best bids, the strongest above 50 % one."""
    bars = []
    if advice.standing is not None:
        bars.append(_bar(rules, advice.standing, "standing", standing=True))
    for place, entry in enumerate(advice.best):
        remark = "safest" if place == 0 else ""
        if entry == advice.strongest:
            remark = f"{remark}, strongest above 50 %" if remark else "strongest above 50 %"
        bars.append(_bar(rules, entry, remark))
    if advice.strongest is not None and advice.strongest not in advice.best:
        bars.append(_bar(rules, advice.strongest, "strongest above 50 %"))
    seen = " ".join(card.symbol for card in known) or "no cards known"
    return BidChart(
        f"{rules.title}: {in_play} cards in play",
        f"{seen}  ·  deck of {rules.deck.size}",
        tuple(bars),
    )


def _bar(rules: Ruleset, entry: BidOdds, remark: str, standing: bool = False) -> BidBar:
    return BidBar(rules.wording.say(entry.bid), entry.chance.probability, remark, standing)


def chart_text(chart: BidChart) -> str:
    """The chart in words, for whoever cannot see the picture."""
    lines = [chart.title, chart.subtitle]
    for entry in chart.bars:
        remark = f" ({entry.remark})" if entry.remark else ""
        shown = bar(entry.probability, _TEXT_BAR)
        lines.append(f"{shown} {percent(entry.probability)}  {entry.words}{remark}")
    return "\n".join(lines)


def chart_png(chart: BidChart) -> bytes:
    """The chart as a PNG, 800 pixels wide; as high as it has bids."""
    with lock:
        return _chart_png(chart)


def _chart_png(chart: BidChart) -> bytes:
    height = _HEADING + _ROW * len(chart.bars) + _MARGIN // 2
    image = Image.new("RGB", (WIDTH, height), _PAPER)
    pen = ImageDraw.Draw(image)
    room = WIDTH - 2 * _MARGIN
    pen.text((_MARGIN, 22), _fitting(chart.title, font(34), room), _INK, font(34))
    subtitle = _fitting(chart.subtitle, font(_SMALL, bold=False), room - 180)
    pen.text((_MARGIN, 68), subtitle, _MUTED, font(_SMALL, bold=False))
    pen.text((WIDTH - _MARGIN, 68), "line at 50 %", _MUTED, font(_SMALL, bold=False), anchor="ra")
    for row, entry in enumerate(chart.bars):
        _draw_bar(pen, _HEADING + row * _ROW, entry)
    png = BytesIO()
    image.quantize(32, Image.Quantize.FASTOCTREE).save(png, format="PNG", optimize=True)
    return png.getvalue()


def _draw_bar(pen: ImageDraw.ImageDraw, top: int, entry: BidBar) -> None:
    """Words and remark to the left, the chance to the right, the bar with its middle below."""
    right = WIDTH - _MARGIN
    chance = percent(entry.probability)
    chance_width = font(_TEXT).getlength(chance)
    remark_width = font(_SMALL, bold=False).getlength(entry.remark)
    words = _fitting(
        entry.words, font(_TEXT, bold=False), right - _MARGIN - chance_width - remark_width - 40
    )
    pen.text((_MARGIN, top), words, _INK, font(_TEXT, bold=False))
    colour = _STANDING if entry.standing else _LEGAL
    if entry.remark:
        beside = _MARGIN + font(_TEXT, bold=False).getlength(words) + 16
        pen.text((beside, top + 4), entry.remark, colour, font(_SMALL, bold=False))
    pen.text((right, top), chance, _INK, font(_TEXT), anchor="ra")
    upper, lower = top + 42, top + 42 + _BAR_HEIGHT
    pen.rounded_rectangle((_MARGIN, upper, right, lower), 6, _TRACK)
    length = entry.probability * (right - _MARGIN)
    if length >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + length, lower), 6, colour)
    middle = (_MARGIN + right) // 2
    pen.line((middle, upper - 4, middle, lower + 4), _MUTED, 2)


def _fitting(text: str, face: ImageFont.FreeTypeFont | ImageFont.ImageFont, width: float) -> str:
    """`text`, cut with an ellipsis if it is wider than `width` pixels."""
    if face.getlength(text) <= width:
        return text
    while text and face.getlength(text + "…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"

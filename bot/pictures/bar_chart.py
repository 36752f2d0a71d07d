"""The picture under an answer about bids, and the same in words.

Drawn with Pillow in a few milliseconds; wide enough for a desk, legible at a phone's 360 pixels.
Colours are from Okabe and Ito's scheme; what a colour says is always said in words too.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.fonts import font, lock
from bot.words import bar, percent
from engine.cards import Cards
from engine.odds import Advice, BidOdds
from engine.ruleset import Ruleset

WIDTH: Final = 800
_MARGIN: Final = 32
_HEADING: Final = 116
_ROW: Final = 84
_REMARK_ROW: Final = 32
_BAR_HEIGHT: Final = 24
_TEXT: Final = 29
_SMALL: Final = 24
_PAPER: Final = "#1e1f22"
_INK: Final = "#f2f3f5"
_MUTED: Final = "#b5bac1"
_TRACK: Final = "#3f4147"
_STANDING: Final = "#e69f00"
_LEGAL: Final = "#56b4e9"
_ALSO: Final = "#5b7285"
_TEXT_BAR: Final = 10


@dataclass(frozen=True, slots=True)
class BidBar:
    """One row of a chart: its words, its chance from 0 to 1, and what is said of it.

    `also` is a further chance, drawn paler behind the first: a tie behind a win.
    """

    words: str
    probability: float
    remark: str = ""
    standing: bool = False
    also: float = 0.0


@dataclass(frozen=True, slots=True)
class BidChart:
    """A chart as plain data: two lines of heading, then bids from top to bottom."""

    title: str
    subtitle: str
    bars: tuple[BidBar, ...]


def advice_chart(
    rules: Ruleset,
    in_play: int,
    known: Cards,
    advice: Advice,
    asked: BidOdds | None = None,
    standing: str = "standing",
) -> BidChart:
    """The chart of an advice: the standing bid, the best bids, the strongest likely one.

    `asked` is a further bid, above them; `standing` is what is said of the bid to beat.
    """
    bars = [_bar(rules, asked, "asked", standing=True)] if asked is not None else []
    if advice.standing is not None:
        bars.append(_bar(rules, advice.standing, standing, standing=True))
    shown = list(advice.best)
    if advice.strongest is not None and advice.strongest not in shown:
        shown.append(advice.strongest)
    strongest = f"strongest above {advice.above * 100:g} %"
    bars += [_bar(rules, entry, strongest if entry == advice.strongest else "") for entry in shown]
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
    rows = [_ROW + (0 if _fits_beside(entry) else _REMARK_ROW) for entry in chart.bars]
    height = _HEADING + sum(rows) + _MARGIN // 2
    image = Image.new("RGB", (WIDTH, height), _PAPER)
    pen = ImageDraw.Draw(image)
    room = WIDTH - 2 * _MARGIN
    pen.text((_MARGIN, 22), _fitting(chart.title, font(34), room), _INK, font(34))
    subtitle = _fitting(chart.subtitle, font(_SMALL, bold=False), room - 180)
    pen.text((_MARGIN, 68), subtitle, _MUTED, font(_SMALL, bold=False))
    pen.text((WIDTH - _MARGIN, 68), "line at 50 %", _MUTED, font(_SMALL, bold=False), anchor="ra")
    top = _HEADING
    for row, entry in zip(rows, chart.bars, strict=True):
        _draw_bar(pen, top, entry)
        top += row
    png = BytesIO()
    # few colours and a quick compression: some 20 KB in a few milliseconds
    image.quantize(32, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=2)
    return png.getvalue()


def _fits_beside(entry: BidBar) -> bool:
    """Whether the remark finds room between the bid and its chance."""
    remark = font(_SMALL, bold=False).getlength(entry.remark)
    return not remark or font(_TEXT, bold=False).getlength(
        entry.words
    ) + remark + 32 <= _words_width(entry)


def _words_width(entry: BidBar) -> float:
    return WIDTH - 2 * _MARGIN - font(_TEXT).getlength(percent(entry.probability)) - 16


def _draw_bar(pen: ImageDraw.ImageDraw, top: int, entry: BidBar) -> None:
    """The bid to the left, its chance to the right, the bar below with its middle marked.

    The remark stands beside the bid, or in a line of its own.
    """
    right, words_top = WIDTH - _MARGIN, top
    chance = percent(entry.probability)
    words = _fitting(entry.words, font(_TEXT, bold=False), _words_width(entry))
    pen.text((_MARGIN, top), words, _INK, font(_TEXT, bold=False))
    colour = _STANDING if entry.standing else _LEGAL
    if entry.remark:
        beside = _fits_beside(entry)
        left = _MARGIN + (font(_TEXT, bold=False).getlength(words) + 16 if beside else 0)
        pen.text(
            (left, top + (4 if beside else 36)), entry.remark, colour, font(_SMALL, bold=False)
        )
        top += 0 if beside else _REMARK_ROW
    pen.text((right, words_top), chance, _INK, font(_TEXT), anchor="ra")
    upper, lower = top + 42, top + 42 + _BAR_HEIGHT
    pen.rounded_rectangle((_MARGIN, upper, right, lower), 6, _TRACK)
    both = (entry.probability + entry.also) * (right - _MARGIN)
    if entry.also and both >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + both, lower), 6, _ALSO)
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

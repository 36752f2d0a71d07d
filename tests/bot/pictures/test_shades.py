"""The 256 colours of a picture on felt: none of what is drawn looks different for them."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures import canvas, shades
from bot.pictures.cards import ShowdownRow, showdown_png
from bot.pictures.faces import StandIn
from bot.pictures.strip import Fate, StripCell, StripRow, strip_png
from engine.cards import Card, Cards, Rank, Suit

PACK = [Card(number) for number in range(56)]


def shown(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGBA")


def hands(*counts: int) -> list[Cards]:
    """So many cards each, of all ranks and suits, the jokers first."""
    mixed = iter(PACK[52:] + [PACK[number * 23 % 52] for number in range(52)])
    return [Cards.of([next(mixed) for _ in range(count)]) for count in counts]


def a_showdown() -> None:
    faces = ("careful", "sly", "sharp", "wild", "nobody", "")
    rows = [
        ShowdownRow(
            f"Player {face}", cards, "loses", loser=face == "sly", bidder=face == "", face=face
        )
        for face, cards in zip(faces, hands(*[5] * 6), strict=True)
    ]
    used = Cards.of([PACK[52], PACK[54], *(list(row.cards)[3] for row in rows[1:])])
    stand_ins = {PACK[52]: StandIn(Rank.NINE, Suit.CLUBS), PACK[54]: StandIn(Rank.ACE, None)}
    showdown_png(rows, used, middle=Cards.of(PACK[30:32]), stands_for=stand_ins)


def a_plain_showdown() -> None:
    rows = [ShowdownRow("Ann", one, "holds 5", challenger=True) for one in hands(4, 4)]
    showdown_png(rows, Cards(), four_colours=False)


def a_strip() -> None:
    ann = StripRow("Ann", (StripCell(1, Fate.LOST), StripCell(2, Fate.OUT)), face="wild")
    strip_png([ann, StripRow("Bob", (StripCell(1), StripCell(1)), winner=True)])


@pytest.mark.parametrize("draw", [a_showdown, a_plain_showdown, a_strip])
def test_a_picture_looks_as_in_full_colour(
    draw: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    panels: list[Image.Image] = []
    indexed = shades.indexed

    def seen(panel: Image.Image) -> Image.Image:
        panels.append(panel)
        return indexed(panel)

    monkeypatch.setattr(shades, "indexed", seen)
    draw()
    (panel,) = panels
    off = ImageStat.Stat(ImageChops.difference(panel, indexed(panel).convert("RGB")))
    assert max(off.rms) < 3  # of 255; a palette of its own for each: up to 1.7
    assert max(high for _, high in off.extrema) < 64  # some pixels of an edge


def test_no_colour_stands_twice_and_all_have_room() -> None:
    assert len(set(shades.colours())) == len(shades.colours()) <= shades.MOST


def test_the_corners_fade_in_the_colour_of_the_felts_edge() -> None:
    image = shown(canvas.png(canvas.felt((120, 90))))
    alpha = image.getchannel("A")
    assert alpha.getpixel((60, 0)) == 255
    assert alpha.tobytes() == alpha.transpose(Image.Transpose.ROTATE_180).tobytes()
    levels = {alpha.getpixel((x, y)) for x in range(24) for y in range(24)}
    assert {0, 255} < levels
    assert len(levels) > 4

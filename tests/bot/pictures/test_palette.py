"""Colours: suits differ for any colour vision, and 256 colours are enough for pictures on felt."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageStat

from bot.pictures import canvas, faces, palette, shades
from bot.pictures.cards import ShowdownRow, showdown_png
from bot.pictures.faces import StandIn
from bot.pictures.strip import Fate, StripCell, StripRow, strip_png
from engine.cards import Card, Cards, Rank, Suit

CLEAR: Final = 10.0
LARGE_TEXT: Final = 3.0  # the contrast that WCAG 2.1 asks of large bold letters and of signs
Matrix = NDArray[np.float64]
TO_XYZ: Final[Matrix] = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE: Final[Matrix] = np.array([0.95047, 1.0, 1.08883])
EYES: Final[dict[str, Matrix]] = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
    "grey": np.tile(TO_XYZ[1], (3, 1)),
}


def linear(colour: palette.Colour) -> Matrix:
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(colour: palette.Colour, eye: str) -> Matrix:
    """Return a colour's L*, a* and b* (CIELAB) as `eye` sees it."""
    perceived = np.clip(EYES[eye] @ linear(colour), 0, 1)
    part = TO_XYZ @ perceived / WHITE
    cube = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


def distance(colour: palette.Colour, reference: palette.Colour, eye: str) -> float:
    return float(np.linalg.norm(lab(colour, eye) - lab(reference, eye)))


def contrast(shade: palette.Colour, reference: palette.Colour) -> float:
    """Return the contrast ratio of WCAG 2.1, from 1 to 21."""
    dark, bright = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (shade, reference))
    return (bright + 0.05) / (dark + 0.05)


def test_colour_differences_are_measured_in_cielab() -> None:
    """Compare with the published L*, a* and b* of sRGB red, and with two known distances."""
    assert lab((255, 0, 0), "usual") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert distance((255, 255, 255), (0, 0, 0), "grey") == pytest.approx(100, abs=0.01)
    assert distance((200, 0, 0), (200, 0, 0), "protanopia") == 0


def test_a_simulated_eye_confuses_what_it_should() -> None:
    red, green = (190, 75, 60), (115, 110, 55)
    assert distance(red, green, "usual") > 40
    assert distance(red, green, "deuteranopia") < 0.5 * distance(red, green, "usual")


@pytest.mark.parametrize("eye", EYES)
def test_the_suits_of_a_deck_of_four_colours_or_two_differ(eye: str) -> None:
    colours = faces.suit_colours(four_colours=True)
    for suit, other_suit in combinations(Suit, 2):
        assert distance(colours[suit], colours[other_suit], eye) >= CLEAR
    colours = faces.suit_colours(four_colours=False)
    assert distance(colours[Suit.HEARTS], colours[Suit.SPADES], eye) >= 30
    assert colours[Suit.HEARTS] == colours[Suit.DIAMONDS]
    assert colours[Suit.SPADES] == colours[Suit.CLUBS]


def test_every_index_can_be_read_on_its_paper_and_rims_and_words_on_the_felt() -> None:
    inks = (*faces.suit_colours(four_colours=True).values(), palette.STAND_IN)
    for colour, paper in product(inks, (palette.CARD_PAPER, palette.RESTING_PAPER)):
        assert contrast(colour, paper) >= LARGE_TEXT
    for colour in (palette.GOLD, palette.LOSER_FRAME, palette.IVORY, palette.BLUSH, palette.SAGE):
        assert contrast(colour, palette.FELT) >= LARGE_TEXT
    for theme in ((255, 255, 255), (49, 51, 56), (0, 0, 0)):
        felt = max(contrast(theme, palette.FELT), contrast(theme, palette.FELT_EDGE))
        assert felt >= LARGE_TEXT
    for ink, reference in (
        (palette.GOLD, palette.FELT),
        (palette.GOLD_EDGE, palette.GOLD),
        (palette.GOLD_EDGE, palette.CARD_PAPER),
    ):
        assert distance(ink, reference, "grey") >= 30


def test_a_colour_is_written_as_web_pages_and_matplotlib_write_it() -> None:
    assert palette.web(palette.OKABE_ORANGE) == "#e69f00"
    assert palette.web(palette.REPORT_BLACK) == "#000000"


def test_no_chart_has_a_colour_of_its_own() -> None:
    reports = Path(palette.__file__).parents[1] / "cli" / "reports"
    charts = [
        path for path in sorted(reports.glob("*.py")) if "matplotlib" in path.read_text("utf-8")
    ]
    assert len(charts) >= 4
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|\"(?:black|white)\"")
    assert [chart.name for chart in charts if literal.search(chart.read_text("utf-8"))] == []


# -- the 256 colours of a picture on felt ----------------------------------------------------------

PACK = [Card(number) for number in range(56)]


def load_png(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGBA")


def hands(*counts: int) -> list[Cards]:
    """Return hands with these numbers of cards, in mixed ranks and suits, jokers first."""
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
    rows = [ShowdownRow("Ann", cards, "holds 5", challenger=True) for cards in hands(4, 4)]
    showdown_png(rows, Cards(), four_colours=False)


def a_strip() -> None:
    ann = StripRow("Ann", (StripCell(1, Fate.LOST), StripCell(2, Fate.OUT)), face="wild")
    strip_png([ann, StripRow("Bob", (StripCell(1), StripCell(1)), winner=True)])


@pytest.mark.parametrize("draw", [a_showdown, a_plain_showdown, a_strip])
def test_a_picture_looks_as_in_full_colour(
    draw: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    panels: list[Image.Image] = []
    indexed = shades.to_indexed

    def keep_panel(panel: Image.Image) -> Image.Image:
        panels.append(panel)
        return indexed(panel)

    monkeypatch.setattr(shades, "to_indexed", keep_panel)
    draw()
    (panel,) = panels
    off = ImageStat.Stat(ImageChops.difference(panel, indexed(panel).convert("RGB")))
    assert max(off.rms) < 3  # of 255; a palette of its own for each: up to 1.7
    assert max(high for _, high in off.extrema) < 64  # some pixels of an edge


def test_the_palette_has_no_duplicates_and_few_enough_colours() -> None:
    assert len(set(shades.colours())) == len(shades.colours()) <= shades.MOST


def test_the_corners_fade_in_the_colour_of_the_felts_edge() -> None:
    image = load_png(canvas.png(canvas.felt((120, 90))))
    alpha = image.getchannel("A")
    assert alpha.getpixel((60, 0)) == 255
    assert alpha.tobytes() == alpha.transpose(Image.Transpose.ROTATE_180).tobytes()
    levels = {alpha.getpixel((x, y)) for x in range(24) for y in range(24)}
    assert {0, 255} < levels
    assert len(levels) > 4

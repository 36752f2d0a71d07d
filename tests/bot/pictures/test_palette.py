"""The suits' colours differ for every eye.

Colour blindness is simulated with the matrices of Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15:6, 2009), at
severity 1.0, in linear RGB. Distances are Euclidean in CIELAB (CIE76, white D65); about 2.3 of it
is the least that can be seen side by side, and 10 is clear at a glance. Grey is luminance alone.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.pictures import faces, palette
from engine.cards import Suit

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
PAIRS: Final = list(combinations(Suit, 2))


def linear(colour: palette.Colour) -> Matrix:
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(colour: palette.Colour, eye: str) -> Matrix:
    """CIELAB of a colour as `eye` sees it."""
    seen = np.clip(EYES[eye] @ linear(colour), 0, 1)
    part = TO_XYZ @ seen / WHITE
    cube = np.where(part > 216 / 24389, np.cbrt(part), (24389 / 27 * part + 16) / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


def distance(one: palette.Colour, other: palette.Colour, eye: str) -> float:
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


def contrast(one: palette.Colour, other: palette.Colour) -> float:
    """The contrast ratio of WCAG 2.1, from 1 to 21."""
    dark, bright = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def test_the_measure_is_cielab() -> None:
    """Lightness and chroma of sRGB red, as they are in the tables."""
    assert lab((255, 0, 0), "usual") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert distance((255, 255, 255), (0, 0, 0), "grey") == pytest.approx(100, abs=0.01)
    assert distance((200, 0, 0), (200, 0, 0), "protanopia") == 0


def test_a_simulated_eye_confuses_what_it_should() -> None:
    red, green = (190, 75, 60), (115, 110, 55)
    assert distance(red, green, "usual") > 40
    assert distance(red, green, "deuteranopia") < 0.5 * distance(red, green, "usual")


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_four_suits_of_a_four_colour_deck_differ(one: Suit, other: Suit, eye: str) -> None:
    colours = faces.suit_colours(four_colours=True)
    assert distance(colours[one], colours[other], eye) >= CLEAR


@pytest.mark.parametrize("eye", EYES)
def test_red_and_black_of_a_two_colour_deck_differ(eye: str) -> None:
    colours = faces.suit_colours(four_colours=False)
    assert distance(colours[Suit.HEARTS], colours[Suit.SPADES], eye) >= 30
    assert colours[Suit.HEARTS] == colours[Suit.DIAMONDS]
    assert colours[Suit.SPADES] == colours[Suit.CLUBS]


@pytest.mark.parametrize(
    "paper", [palette.CARD_PAPER, palette.RESTING_PAPER], ids=["plain", "resting"]
)
def test_every_index_can_be_read_on_its_paper(paper: palette.Colour) -> None:
    for colour in (*faces.suit_colours(four_colours=True).values(), palette.STAND_IN):
        assert contrast(colour, paper) >= LARGE_TEXT


def test_rims_frames_and_words_stand_out_from_the_felt() -> None:
    for colour in (palette.GOLD, palette.LOSER_FRAME, palette.IVORY, palette.BLUSH, palette.SAGE):
        assert contrast(colour, palette.FELT) >= LARGE_TEXT


def test_a_golden_rim_is_told_from_felt_and_paper_in_grey_too() -> None:
    assert distance(palette.GOLD, palette.FELT, "grey") >= 30
    assert distance(palette.GOLD_EDGE, palette.GOLD, "grey") >= 30
    assert distance(palette.GOLD_EDGE, palette.CARD_PAPER, "grey") >= 30


@pytest.mark.parametrize("theme", [(255, 255, 255), (49, 51, 56), (0, 0, 0)])
def test_the_felts_edge_can_be_told_from_every_theme(theme: palette.Colour) -> None:
    strongest = max(contrast(theme, palette.FELT), contrast(theme, palette.FELT_EDGE))
    assert strongest >= LARGE_TEXT


def test_a_colour_is_written_as_web_pages_and_matplotlib_write_it() -> None:
    assert palette.web(palette.OKABE_ORANGE) == "#e69f00"
    assert palette.web(palette.REPORT_BLACK) == "#000000"


def test_no_chart_has_a_colour_of_its_own() -> None:
    reports = Path(palette.__file__).parents[1] / "cli" / "reports"
    charts = sorted(reports.glob("*_chart.py"))
    assert len(charts) >= 4
    own = re.compile(r"#[0-9a-fA-F]{6}\b|\"(?:black|white)\"")
    assert [chart.name for chart in charts if own.search(chart.read_text("utf-8"))] == []

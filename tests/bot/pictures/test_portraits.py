"""The faces of computer players: one a character, told apart without colour, and drawn by names."""

from __future__ import annotations

from itertools import combinations

from PIL import ImageChops, ImageStat

from bot.pictures.cards import ShowdownRow, showdown_png
from bot.pictures.portraits import _FACES, portrait
from bot.pictures.strip import StripCell, StripRow, strip_png
from bot.roster import CHARACTERS
from engine.cards import Cards


def test_every_character_has_a_face_of_its_own() -> None:
    assert set(_FACES) == set(CHARACTERS)
    grey = {name: portrait(name, 40).convert("LA").convert("RGB") for name in (*CHARACTERS, "?")}
    for one, other in combinations(grey.values(), 2):
        (difference, *_) = ImageStat.Stat(ImageChops.difference(one, other)).mean
        assert difference > 10  # of 255, on average over the picture


def test_the_ground_round_a_face_is_clear() -> None:
    for name in CHARACTERS:
        face = portrait(name, 40)
        assert face.size == (40, 40)
        assert face.getpixel((0, 39)) == face.getpixel((39, 39))
        assert face.getpixel((0, 39))[3] == 0  # type: ignore[index]


def test_faces_stand_by_the_names_in_a_showdown_and_in_the_strip() -> None:
    cards = Cards.of([])
    for draw in (
        lambda face: showdown_png([ShowdownRow("Agnes", cards, face=face)], cards),
        lambda face: strip_png([StripRow("Agnes", (StripCell(1),), face=face)]),
    ):
        pictures = {draw(face) for face in ("", *CHARACTERS)}
        assert len(pictures) == 1 + len(CHARACTERS)

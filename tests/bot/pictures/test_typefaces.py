"""Which typeface draws a name, in any script, and what is left where the packages are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import pytest
from PIL import Image, features

from bot.pictures import faces, fonts, typefaces
from bot.pictures.cards import ShowdownRow, showdown_png
from bot.pictures.typefaces import Typeface
from engine.cards import Cards

NAMES = {
    "Chinese": "张伟",
    "Japanese": "さくら カタカナ 桜",
    "Korean": "김민수",
    "Cyrillic": "Дмитрий Ёж",
    "Greek": "Ελένη",
    "Arabic": "محمد بن سلمان",
    "Hebrew": "דוד כהן",
    "Devanagari": "कृष्णा श्री",
    "Thai": "สมชาย กี่",
    "Bengali": "রবীন্দ্র",
    "Tamil": "தமிழ்",
    "Georgian": "გიორგი",
    "Armenian": "Արամ",
    "Khmer": "សុខា",
    "Ethiopic": "አበበ",
    "emoji": "🔥🐉",
}
ROW = ShowdownRow("Ann", Cards.parse("As Kd"), note="loses")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Hides the packages whose names begin so from the search for fonts."""

    def forget() -> None:
        for kept in (
            typefaces.file_of,
            typefaces.opened,
            typefaces.covering,
            typefaces._has,
            faces.face,
        ):
            kept.cache_clear()

    def hide(beginning: str) -> None:
        def look(name: str, package: str | None = None) -> ModuleSpec | None:
            return None if name.startswith(beginning) else find_spec(name, package)

        monkeypatch.setattr(typefaces, "find_spec", look)
        forget()

    yield hide
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_in_any_script_is_drawn_whole(name: str) -> None:
    assert fonts.drawable(name) == name


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_its_characters_differ_so_none_is_the_box_of_a_missing_glyph(name: str) -> None:
    drawn = {ink(char) for char in set(name) - {" "}}
    assert len(drawn) == len(set(name) - {" "})
    assert ink("\U0010fffe") not in drawn


def ink(text: str) -> bytes:
    """`text` written in white on black, 120 by 60 pixels."""
    image = Image.new("RGB", (120, 60))
    fonts.write(image, (40, 40), text, 30, (255, 255, 255))
    return image.tobytes()


def test_names_lose_only_what_no_font_can_draw() -> None:
    assert fonts.drawable("Élodie Иванов") == "Élodie Иванов"
    assert fonts.drawable("  Cleo 张\n☂ ") == "Cleo 张 ☂"
    assert fonts.drawable("𝓕𝓪𝓷𝓬𝔂") == "Fancy"
    assert fonts.drawable("𐎀𐎁 Ugarit") == "Ugarit"
    assert fonts.drawable("\u2800\u3164\u115f") == ""


def test_each_run_of_characters_has_its_typeface() -> None:
    found = [(run.text, run.typeface) for run in typefaces.runs("Kim 김민수 ☂ กี่")]
    assert found == [
        ("Kim ", Typeface.DEJAVU),
        ("김민수 ", Typeface.CHINESE),
        ("☂ ", Typeface.DEJAVU),
        ("กี่", Typeface.THAI),
    ]


def test_a_japanese_name_is_japanese_throughout() -> None:
    assert [run.typeface for run in typefaces.runs("桜さくら")] == [Typeface.JAPANESE]
    assert [run.typeface for run in typefaces.runs("樱")] == [Typeface.CHINESE]


def test_an_accent_stays_with_its_letter() -> None:
    assert [run.text for run in typefaces.runs("q\u0301a")] == ["q\u0301a"]


def test_a_name_that_begins_from_the_right_has_its_first_run_there() -> None:
    order = [run.typeface for run in typefaces.runs("דוד abc")]
    assert order == [Typeface.DEJAVU, Typeface.HEBREW]
    order = [run.typeface for run in typefaces.runs("abc דוד")]
    assert order == [Typeface.DEJAVU, Typeface.HEBREW]


def test_without_shaping_hebrew_is_turned_round(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(feature: str) -> bool:
        return feature != "raqm"

    monkeypatch.setattr(features, "check", check)
    assert [run.text for run in typefaces.runs("דוד כהן")] == ["ןהכ דוד"]
    assert [run.text for run in typefaces.runs("abc")] == ["abc"]


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_what_is_measured_is_what_is_written(name: str) -> None:
    canvas = Image.new("RGB", (900, 120))
    fonts.write(canvas, (100, 80), name, 40, (255, 255, 255))
    box = canvas.getbbox()
    assert box is not None
    assert box[0] >= 90
    assert box[2] == pytest.approx(100 + fonts.width(name, 40), abs=14)


def test_right_aligned_text_ends_where_it_should() -> None:
    canvas = Image.new("RGB", (400, 80))
    fonts.write(canvas, (390, 50), "Kim 김민수", 30, (255, 255, 255), anchor="rs")
    box = canvas.getbbox()
    assert box is not None
    assert 380 <= box[2] <= 392


def test_without_the_noto_fonts_only_their_characters_are_left_out(
    without: Callable[[str], None],
) -> None:
    without("manimgx")
    assert fonts.drawable("Cleo 张") == "Cleo"
    assert fonts.drawable("张伟") == ""
    assert fonts.drawable("Иванов") == "Иванов"


def test_the_houses_own_typeface_needs_no_package(without: Callable[[str], None]) -> None:
    usual = showdown_png([ROW], Cards())
    without("matplotlib")
    assert showdown_png([ROW], Cards()) == usual
    assert typefaces.file_of(Typeface.DEJAVU, bold=False) is not None


def test_without_any_font_package_the_built_in_font_serves(without: Callable[[str], None]) -> None:
    usual = showdown_png([ROW], Cards())
    without("")
    assert typefaces.file_of(Typeface.DEJAVU) is None
    plain = showdown_png([ROW], Cards())
    assert plain != usual
    assert plain.startswith(b"\x89PNG")
    assert fonts.drawable("Cleo 张") == "Cleo"


def test_a_name_of_80_different_signs_is_cut_to_its_room() -> None:
    name = "".join(chr(0x4E00 + 37 * number) for number in range(80))
    assert fonts.drawable(name) == name
    line = fonts.fitted(name, 30, 200)
    assert line.endswith("…")
    assert 150 < fonts.width(line, 30) <= 200

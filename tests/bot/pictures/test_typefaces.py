"""Typefaces for names in any script, and what is drawn if the system has no font for a script.

For Chinese, Japanese and Korean, `cjk` has a few characters of the real font (see its README).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, features

from bot.pictures import fonts, typefaces
from bot.pictures.typefaces import Typeface

FONTS = Path(typefaces.__file__).parent

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
    "Gujarati": "ક્રિષ્ના શ્રી",
    "Gurmukhi": "ਹਰਪ੍ਰੀਤ ਸਿੰਘ",
    "Kannada": "ಕೃಷ್ಣ ಶ್ರೀ",
    "Lao": "ສົມສັກ",
    "Malayalam": "കൃഷ്ണൻ",
    "Myanmar": "အောင်ကြည်",
    "Oriya": "ଶ୍ରୀକୃଷ୍ଣ",
    "Sinhala": "කෘෂ්ණ",
    "Telugu": "కృష్ణ శ్రీ",
    "rare Latin": "Ꝏꞌ ꭓ",
    "rare Cyrillic": "Ꙁꙁ Ԥԥ",
    "symbols": "🜁 🝱",
    "emoji": "🔥🐉",
}


@pytest.fixture(autouse=True)
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the system a font for Chinese, Japanese and Korean, whatever this machine has.

    The fixture changes to the font's folder, where Pillow looks for fonts first.
    """
    monkeypatch.chdir(Path(__file__).parent / "cjk")
    forget()
    yield
    forget()


@pytest.fixture
def bare_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system have no fonts for Chinese, Japanese and Korean."""
    monkeypatch.setattr(typefaces, "SYSTEM", dict.fromkeys(typefaces.SYSTEM, ()))


def forget() -> None:
    for cached in (typefaces._place, typefaces.open_font, typefaces.covering, typefaces._has):
        cached.cache_clear()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_in_any_script_is_drawn_whole_and_as_wide_as_it_is_measured(name: str) -> None:
    assert fonts.drawable(name) == name
    drawn = {ink(char) for char in set(name) - {" "}}
    assert len(drawn) == len(set(name) - {" "})
    assert ink("\U0010fffe") not in drawn  # none is the box of a missing glyph
    canvas = Image.new("RGB", (900, 120))
    fonts.write(canvas, (100, 80), name, 40, (255, 255, 255))
    box = canvas.getbbox()
    assert box is not None
    assert box[0] >= 90
    assert box[2] == pytest.approx(100 + fonts.width(name, 40), abs=14)


def ink(text: str) -> bytes:
    """Return the pixels of `text` drawn in white on black, 120 by 60 pixels."""
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
    assert typefaces.runs("Kim 김민수 ☂ กี่") == [
        ("Kim ", Typeface.DEJAVU),
        ("김민수 ", Typeface.KOREAN),
        ("☂ ", Typeface.DEJAVU),
        ("กี่", Typeface.THAI),
    ]
    assert [run.text for run in typefaces.runs("q\u0301a")] == ["q\u0301a"]  # with its accent
    for text, order in (
        ("דוד abc", [Typeface.DEJAVU, Typeface.HEBREW]),  # the first run stands at the right
        ("abc דוד", [Typeface.DEJAVU, Typeface.HEBREW]),
        ("桜 さくら", [Typeface.JAPANESE]),
        ("樱", [Typeface.CHINESE]),
        ("伟さくら", [Typeface.CHINESE, Typeface.JAPANESE]),  # a sign that no Japanese font has
    ):
        assert [run.typeface for run in typefaces.runs(text)] == order


def test_without_shaping_hebrew_is_turned_round(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(feature: str) -> bool:
        return feature != "raqm"

    monkeypatch.setattr(features, "check", check)
    assert [run.text for run in typefaces.runs("דוד כהן")] == ["ןהכ דוד"]
    assert [run.text for run in typefaces.runs("abc")] == ["abc"]


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow finds no fribidi here")
@pytest.mark.parametrize("letters", ["لا", "श्री", "ଶ୍ରୀ", "ක්ෂ", "ខ្ម", "ক্ষ", "ಶ್ರೀ", "ക്ക", "క్ష", "🇵🇱"])
def test_letters_that_form_one_sign_are_joined(letters: str) -> None:
    (run,) = typefaces.runs(letters)
    apart = sum(fonts.width(char, 40) for char in letters)
    assert 0 < fonts.width(run.text, 40) < 0.95 * apart


def test_right_aligned_text_ends_where_it_should() -> None:
    canvas = Image.new("RGB", (400, 80))
    fonts.write(canvas, (390, 50), "Kim 김민수", 30, (255, 255, 255), anchor="rs")
    box = canvas.getbbox()
    assert box is not None
    assert 380 <= box[2] <= 392


@pytest.mark.usefixtures("bare_system")
def test_without_a_font_of_the_system_only_its_characters_are_left_out() -> None:
    assert fonts.drawable("Cleo 张") == "Cleo"
    assert fonts.drawable("张伟 さくら 김민수") == ""
    assert fonts.drawable("Иванов कृष्णा 🔥") == "Иванов कृष्णा 🔥"
    with pytest.raises(LookupError, match="no font for Korean"):
        typefaces.open_font(Typeface.KOREAN, 30)


def test_each_system_names_its_fonts_and_the_first_there_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken.ttc").write_bytes(b"no font")
    monkeypatch.chdir(tmp_path)
    font_path = str(FONTS / "noto/NotoSansThai-Bold.ttf")
    faces = (("no such.ttc", 1), ("broken.ttc", 0), (font_path, 0), ("nor this.ttf", 0))
    monkeypatch.setattr(typefaces, "SYSTEM", {Typeface.KOREAN: faces})
    assert typefaces.open_font(Typeface.KOREAN, 30).path == font_path


def test_a_shared_character_is_drawn_as_its_language_writes_it() -> None:
    assert typefaces.runs("さ直") == [("さ直", Typeface.JAPANESE)]
    with typefaces.lock:
        faces = [typefaces.open_font(face, 40) for face in (Typeface.CHINESE, Typeface.JAPANESE)]
        assert bytes(faces[0].getmask("直")) != bytes(faces[1].getmask("直"))


def test_the_shipped_fonts_have_their_original_content() -> None:
    """Check the checksum of each shipped font (`noto/README.md` says how they were made)."""
    for line in (FONTS / "noto/SHA256SUMS").read_text().splitlines():
        checksum, name = line.split()
        assert hashlib.sha256((FONTS / "noto" / name).read_bytes()).hexdigest() == checksum, name
    named = {line.split()[1] for line in (FONTS / "noto/SHA256SUMS").read_text().splitlines()}
    used = {Path(face.value).name for face in Typeface if face.value.startswith("noto/")}
    assert named == used == {path.name for path in (FONTS / "noto").glob("*.ttf")}


def test_a_name_of_80_different_signs_is_cut_to_its_room() -> None:
    name = "".join([char for char in map(chr, range(0x1200, 0x1300)) if char.isalpha()][:80])
    assert fonts.drawable(name) == name
    line = fonts.fit_text(name, 30, 200)
    assert line.endswith("…")
    assert 150 < fonts.width(line, 30) <= 200

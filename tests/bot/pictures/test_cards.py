"""Pictures of cards, bars, strips and faces: their sizes, differences and text."""

from __future__ import annotations

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations, product
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageStat

from bot.pictures import faces, fonts, palette, pips
from bot.pictures.cards import (
    MOST_ROWS,
    SHOWDOWN_WIDTH,
    ShowdownRow,
    cards_alt_text,
    showdown_alt_text,
    showdown_png,
)
from bot.pictures.charts import WIDTH, Bar, BarChart
from bot.pictures.faces import Light, StandIn
from bot.pictures.portraits import _FACES, portrait
from bot.pictures.strip import MOST_COLUMNS, Fate, StripCell, StripRow, strip_png, strip_text
from bot.pictures.strip import WIDTH as STRIP_WIDTH
from bot.roster import CHARACTERS
from engine.cards import Card, Cards, Rank, Suit

# -- cards -----------------------------------------------------------------------------------------

PACK = [Card(number) for number in range(52)]
ANN = ShowdownRow("Ann", Cards.parse("As Kd"), challenger=True)
BOB = ShowdownRow("Bob", Cards.parse("9c 9d *"), note="loses", loser=True, bidder=True)
NINES = Cards.parse("9c 9d *")
HOSTILE_NAMES = [
    "",
    " \t\n ",
    "\x00\x1b[31m",
    "\ud800\udfff",
    "张伟",
    "👩‍👩‍👧‍👦🏴‍☠️",
    "Z" + "\u0334\u0310\u0311" * 300,
    "\u202eevil\u2066",
    "ﷺ" * 80,
    "محمد بن سلمان",
    "W" * 100_000,
    "a\nb\rc\u2028d",
    "\U000e0001\ufdd0\uffff",
]


def picture(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGBA")


def seats(count: int, held: int) -> list[ShowdownRow]:
    pack = [Card(number) for number in range(64)]
    return [
        ShowdownRow(f"Player {seat}", Cards.of(pack[seat * held : (seat + 1) * held]), "loses")
        for seat in range(count)
    ]


def test_a_picture_is_transparent_outside_the_rounded_felt() -> None:
    image = picture(showdown_png([ANN, BOB], NINES))
    alpha = image.getchannel("A")
    for corner in ((0, 0), (image.width - 1, 0), (0, image.height - 1)):
        assert alpha.getpixel(corner) in (0, 1, 2)
    assert alpha.getpixel((image.width // 2, 8)) == 255


@pytest.mark.parametrize("four_colours", [True, False])
def test_every_card_and_the_joker_look_different(four_colours: bool) -> None:
    def draw_one(card: Card) -> bytes:
        return faces.face(card, 124, four_colours, Light.PLAIN).tobytes()

    draw_pixels = {draw_one(card) for card in PACK}
    joker = draw_one(Card.joker())
    assert len(draw_pixels) == 52
    assert joker not in draw_pixels


def ink(card: Card, four_colours: bool) -> tuple[int, int, int]:
    """Return the second most frequent colour on a card; the most frequent is its background."""
    sprite = faces.face(card, 124, four_colours, Light.PLAIN)
    room = faces.margin(124) + 4
    inside = sprite.crop((room, room, sprite.width - room, sprite.height - room)).convert("RGB")
    counted = inside.getcolors(1 << 20)
    assert counted
    second = sorted(counted, key=lambda entry: entry[0])[-2][1]
    assert isinstance(second, tuple)
    red, green, blue = second
    return red, green, blue


def test_four_colours_make_clubs_green_and_diamonds_blue_and_two_are_red_and_black() -> None:
    club, diamond, heart, spade = (ink(Card.parse("7" + suit), True) for suit in "cdhs")
    assert max(club) == club[1]
    assert max(diamond) == diamond[2]
    assert max(heart) == heart[0] > 2 * max(heart[1:])
    assert max(spade) < 60
    club, diamond, heart, spade = (ink(Card.parse("7" + suit), False) for suit in "cdhs")
    assert club == spade != heart == diamond


def stencil(suit: Suit) -> Image.Image:
    """Draw the suit's pip in white on black, 201 pixels square (odd, so that it has a middle)."""
    image = Image.new("L", (201, 201))
    for outline in pips.stretch(pips.PIPS[suit], (0, 0, 200, 200)):
        ImageDraw.Draw(image).polygon(outline, fill=255)
    return image


def unlike(image: Image.Image, reference: Image.Image) -> float:
    """Return the share of pixels in which two stencils differ, from 0 to 1."""
    return ImageChops.difference(image, reference).histogram()[255] / (image.width * image.height)


def test_the_suits_are_told_apart_by_shape_alone_and_each_is_the_same_in_a_mirror() -> None:
    for suit in Suit:
        pip = stencil(suit)
        assert unlike(pip, pip.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) < 0.02
        for number in range(suit):
            assert unlike(pip, stencil(Suit(number))) > 0.08


@pytest.mark.thorough
@pytest.mark.parametrize("rows", range(1, MOST_ROWS + 1))
def test_a_showdown_of_any_size_is_one_width_and_a_small_file(rows: int) -> None:
    for held in (1, 3, 5):
        png = showdown_png(seats(rows, held), Cards(), middle=Cards.of([Card(63), Card(62)]))
        image = picture(png)
        assert image.width == SHOWDOWN_WIDTH
        assert image.height < 1.6 * SHOWDOWN_WIDTH
        assert len(png) < 100_000


def test_a_showdown_has_one_to_ten_rows_of_more_than_five_cards_too() -> None:
    for held in (6, 7):
        rows = seats(9, held)
        image = picture(showdown_png(rows, Cards()))
        assert image.width == SHOWDOWN_WIDTH
        fewer = [ShowdownRow(row.name, Cards.of(list(row.cards)[:-1]), row.note) for row in rows]
        assert image != picture(showdown_png(fewer, Cards()))
    for count in (0, 11):
        with pytest.raises(ValueError, match="1 to 10 rows"):
            showdown_png([ANN] * count, Cards())


def test_a_used_card_has_a_golden_rim_and_the_others_none() -> None:
    card = Card.parse("9c")
    assert golden_pixels(faces.face(card, 100, True, Light.GOLDEN)) > 1500
    for light in (Light.RESTING, Light.PLAIN):
        assert golden_pixels(faces.face(card, 100, True, light)) == 0


def test_a_used_card_is_lifted() -> None:
    def top(png: bytes) -> int:
        """Return the index of the first pixel row with more than 60 bright pixels in its left half.

        Raises AssertionError if there is none.
        """
        grey = picture(png).convert("L")
        left = grey.crop((0, 0, grey.width // 2, grey.height))
        for line in range(left.height):
            bright = left.crop((0, line, left.width, line + 1)).histogram()[225:]
            if sum(bright) > 60:
                return line
        raise AssertionError("there is no card")

    rows = [ShowdownRow("", Cards.parse("9c"))] * 6
    lifted = top(showdown_png(rows, Cards.parse("9c")))
    assert lifted < top(showdown_png(rows, Cards.parse("2c"))) - 10


@pytest.mark.parametrize("rows", [4, 5, 6])
def test_six_players_take_at_most_300_pixels_of_a_phones_height(rows: int) -> None:
    """Check the height at a width of 360 pixels, as a phone shows the picture."""
    for held, note in product((1, 2, 3, 4, 5), ("", "now 5 cards")):
        strip_rows = [
            ShowdownRow(f"{note} {row.name}", row.cards, note) for row in seats(rows, held)
        ]
        image = picture(showdown_png(strip_rows, strip_rows[0].cards))
        assert image.height * 360 / image.width <= 300


@pytest.mark.parametrize("width", [78, 84, 92, 108])
def test_a_rank_is_at_least_nine_pixels_high_on_a_phone(width: int) -> None:
    sprite = faces.face(Card.parse("7s"), width, True, Light.RESTING)
    room = faces.margin(width)
    corner = sprite.crop(
        (room + 4, room + 4, room + round(0.52 * width), room + round(0.6 * width))
    )
    box = corner.convert("L").point([255 * (level < 100) for level in range(256)]).getbbox()
    assert box is not None
    assert (box[3] - box[1]) * 360 / SHOWDOWN_WIDTH >= 9


def test_a_jokers_meaning_is_in_the_picture_and_in_its_words() -> None:
    joker = Card.joker()
    meanings = [
        None,
        StandIn(Rank.NINE, None),
        StandIn(None, Suit.CLUBS),
        StandIn(Rank.NINE, Suit.CLUBS),
        StandIn(Rank.NINE, Suit.SPADES),
    ]
    draw_pixels = {
        faces.face(joker, 90, True, Light.GOLDEN, meaning).tobytes() for meaning in meanings
    }
    assert len(draw_pixels) == len(meanings)
    row = ShowdownRow("Bob", Cards.parse("9c *"))
    png = showdown_png([row], row.cards, stands_for={joker: StandIn(Rank.NINE, None)})
    assert png != showdown_png([row], row.cards)
    row = ShowdownRow("Bob", Cards.parse("9c * *"))
    both = {joker: StandIn(Rank.NINE, Suit.DIAMONDS), Card.joker(1): StandIn(Rank.TEN, None)}
    text = showdown_alt_text([row], row.cards, stands_for=both)
    assert text == "Bob: [joker as 9♦], [joker as 10], [9♣]"
    with pytest.raises(ValueError, match="a rank, a suit or both"):
        StandIn(None, None)


def test_a_loser_is_framed_and_no_card_of_theirs_is_shaded() -> None:
    def pixels(loser: bool, colour: tuple[int, int, int]) -> int:
        image = picture(showdown_png([ShowdownRow("Ann", ANN.cards, loser=loser)], Cards()))
        return sum(
            count
            for count, pixel in image.convert("RGB").getcolors(1 << 20) or ()
            if isinstance(pixel, tuple)
            and max(
                abs(level - wanted_level) for level, wanted_level in zip(pixel, colour, strict=True)
            )
            <= 8
        )

    assert pixels(False, palette.LOSER_FRAME) == 0
    assert pixels(True, palette.LOSER_FRAME) > 3000
    assert pixels(True, palette.CARD_PAPER) == pixels(False, palette.CARD_PAPER)


def golden_pixels(image: Image.Image) -> int:
    """Count the pixels in strong yellow, which only the rim of a used nine has."""
    red, green, blue = image.convert("RGB").split()
    strong = ImageChops.multiply(
        red.point(lambda level: 255 * (level > 220)), green.point(lambda level: 255 * (level > 170))
    )
    yellow = ImageChops.multiply(strong, blue.point(lambda level: 255 * (level < 120)))
    return yellow.histogram()[255]


def test_more_used_cards_show_more_gold_jokers_included() -> None:
    row = ShowdownRow("Bob", Cards.parse("9c 9d 4h *"))
    gold = [
        golden_pixels(picture(showdown_png([row], Cards.parse(used))))
        for used in ("4h", "9c 9d", "9c 9d *")
    ]
    assert gold[0] > 500
    assert gold[0] * 1.5 < gold[1]
    assert gold[1] * 1.2 < gold[2]


def test_unused_cards_keep_their_brightness_and_size() -> None:
    def ink_pixels(used: str) -> int:
        return sum(picture(showdown_png([row], Cards.parse(used))).convert("L").histogram()[:25])

    row = ShowdownRow("Bob", Cards.parse("9s 8s"))
    assert ink_pixels("2s") == pytest.approx(ink_pixels("9s 8s"), rel=0.1)


def test_every_mark_of_a_row_changes_its_picture() -> None:
    cards = Cards.parse("As Kd")
    rows = (
        ShowdownRow("Ann", cards),
        ShowdownRow("Ann", cards, "out"),
        ShowdownRow("Ann", cards, loser=True),
        ShowdownRow("Ann", cards, bidder=True),
        ShowdownRow("Ann", cards, challenger=True),
        ShowdownRow("Eve", cards),
    )
    assert len({showdown_png([row], Cards()) for row in rows}) == len(rows)


def test_a_middle_hand_takes_a_place_of_its_own() -> None:
    alone = picture(showdown_png([ANN, BOB], Cards()))
    shared = picture(showdown_png([ANN, BOB], Cards(), middle=Cards.parse("2c 3c")))
    assert shared.height > alone.height


def test_a_hostile_name_is_drawn_or_replaced_by_its_number() -> None:
    for name, count in product(HOSTILE_NAMES, (1, 5, 10)):
        rows = [ShowdownRow(name, Cards.of([Card(seat)]), note=name) for seat in range(count)]
        assert picture(showdown_png(rows, Cards(), middle_name=name)).width == SHOWDOWN_WIDTH


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=100))
def test_any_text_becomes_one_drawable_line_within_its_room(text: str) -> None:
    line = fonts.fit_text(fonts.drawable(text), 30, 200)
    assert "\n" not in line
    assert fonts.width(line, 30) <= 200


def test_words_wrap_and_a_long_name_or_the_last_line_is_cut() -> None:
    line = fonts.fit_text("Bartholomew the Unbluffable", 30, 220)
    assert line.endswith("…")
    assert "Bartholomew the Unbluffable".startswith(line[:-1])
    assert fonts.wrap_text("", 20, 100, 2) == []
    assert fonts.wrap_text("loses", 20, 100, 2) == ["loses"]
    lines = fonts.wrap_text("loses and now holds many more cards", 20, 120, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(fonts.width(line, 20) <= 120 for line in lines)


@pytest.mark.thorough
def test_many_threads_draw_the_same_pictures_as_one_and_mark_no_cached_card() -> None:
    rows = seats(6, 5)

    def draw(index: int) -> bytes:
        return showdown_png(rows, Cards.of([Card(index)]))

    for cached in (faces._shape, faces._index, faces._blank):
        cached.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(draw, range(16)))
    assert together == [draw(index) for index in range(16)]


def test_pictures_need_no_matplotlib_in_memory() -> None:
    script = (
        "import sys; from bot.pictures.cards import ShowdownRow, showdown_png;"
        "from engine.cards import Cards;"
        "showdown_png([ShowdownRow('Ann', Cards.parse('As'))], Cards());"
        "print('matplotlib' in sys.modules, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == ["False", "False"]


def test_a_showdown_in_words_names_all_cards_and_brackets_the_used_ones() -> None:
    assert cards_alt_text(Cards.parse("10h * As")) == "joker, A♠, 10♥"
    text = showdown_alt_text([ANN, BOB], NINES, middle=Cards.parse("2c"), middle_name="Middle")
    assert text.splitlines() == [
        "Middle: 2♣",
        "Ann: A♠, K♦",
        "Bob (loses): [joker], [9♦], [9♣]",
    ]
    out = ShowdownRow("Cleo", Cards(), note="out")
    assert picture(showdown_png([ANN, out], Cards())).width == SHOWDOWN_WIDTH
    assert showdown_alt_text([out], Cards()) == "Cleo (out): no cards"
    row = ShowdownRow("a\nb\u2028c", Cards(), note="d\re")  # which adds no lines
    assert showdown_alt_text([row], Cards()) == "a b c (d e): no cards"


# -- chances as bars -------------------------------------------------------------------------------


def draw_bars(*bars: Bar) -> Image.Image:
    return Image.open(BytesIO(BarChart("Title", "subtitle", bars).png())).convert("RGB")


def blue(image: Image.Image) -> int:
    """Count the pixels in the blue of bids that a player may make."""
    pixels = cast("tuple[tuple[int, int, int], ...]", image.get_flattened_data())
    return sum(1 for r, g, b in pixels if b > 200 and 60 < r < 120 and 150 < g < 200)


def test_the_text_says_all_that_the_picture_shows() -> None:
    bars = (Bar("three sixes", 0.3, "standing", standing=True), Bar("five aces", 0.0002))
    text = BarChart("Title", "subtitle", bars).text.splitlines()
    assert text == [
        "Title",
        "subtitle",
        "███░░░░░░░ 30.0%  three sixes (standing)",
        "▏░░░░░░░░░ 0.020%  five aces",
    ]


def test_a_bar_is_as_long_as_its_chance() -> None:
    none, half, sure = (blue(draw_bars(Bar("", share))) for share in (0, 0.5, 1))
    assert none == 0
    assert half == pytest.approx(sure / 2, rel=0.03)


def test_the_picture_grows_with_its_bids_and_with_a_remark_that_finds_no_room() -> None:
    strip = draw_bars(Bar("pair of aces", 0.5))
    two = draw_bars(Bar("pair of aces", 0.5), Bar("three aces", 0.2, "highest over 50%"))
    long = draw_bars(Bar("queen high diamond straight flush", 0.5, "highest over 50%"))
    endless = Bar("an endless bid " * 20, 0.5)
    cut, short = draw_bars(endless), fonts.fit_text(endless.words, 29, endless.room, bold=False)
    assert cut.tobytes() == draw_bars(Bar(short, 0.5)).tobytes()
    assert strip.width == two.width == long.width == cut.width == WIDTH
    assert cut.height == strip.height < long.height < two.height


# -- the strip of a match --------------------------------------------------------------------------

ANN_STRIP = StripRow("Ann", (StripCell(1), StripCell(1, Fate.LOST), StripCell(2)), winner=True)
BOB_STRIP = StripRow("Bob", (StripCell(1), StripCell(1), StripCell(1, Fate.OUT)))
CLEO = StripRow("Cleo", (StripCell(1, Fate.LEFT), StripCell(0), StripCell(0)))


def size(png: bytes) -> tuple[int, int]:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.size


@pytest.mark.parametrize("players", [2, 6, 10])
def test_a_match_of_any_length_is_as_wide_and_low_enough_for_a_phone(players: int) -> None:
    for rounds in (1, 7, MOST_COLUMNS, 60):
        rows = [StripRow(f"Player {player}", (StripCell(5),) * rounds) for player in range(players)]
        png = strip_png(rows)
        width, height = size(png)
        assert width == STRIP_WIDTH
        assert height * 360 / width <= (165 if players <= 6 else 260)
        assert len(png) < 60_000


def test_every_mark_of_a_row_of_the_strip_changes_its_picture() -> None:
    first_cell, lost, two = ANN_STRIP.cells
    rows = (
        ANN_STRIP,
        StripRow("Ann", ANN_STRIP.cells),
        StripRow("Eve", ANN_STRIP.cells, winner=True),
        StripRow("Ann", (StripCell(2), lost, two), winner=True),
        *(
            StripRow("Ann", (first_cell, StripCell(held, fate), two), winner=True)
            for held, fate in ((1, Fate.KEPT), (1, Fate.OUT), (1, Fate.LEFT), (0, Fate.KEPT))
        ),
    )
    assert len({strip_png([row, BOB_STRIP]) for row in rows}) == len(rows)


def test_fates_differ_without_colour() -> None:
    """Compare the cells in grey, where a frame, a cross and a dash mark them."""
    draw_pixels = set()
    for fate in Fate:
        png = strip_png([StripRow("Ann", (StripCell(3, fate),))])
        draw_pixels.add(Image.open(io.BytesIO(png)).convert("RGBA").convert("L").tobytes())
    assert len(draw_pixels) == len(Fate)


def test_of_a_long_match_the_latest_rounds_are_drawn() -> None:
    def draw_pixels(first: int, last: int) -> bytes:
        middle = (StripCell(2),) * (MOST_COLUMNS - 1)
        return strip_png([StripRow("Ann", (StripCell(first), *middle, StripCell(last)))])

    assert draw_pixels(1, 4) == draw_pixels(5, 4)
    assert draw_pixels(1, 4) != draw_pixels(1, 5)


def test_the_words_cover_every_round_of_every_player() -> None:
    assert strip_text([ANN_STRIP, BOB_STRIP, CLEO]).splitlines() == [
        "Ann (wins): 1, 1 lost, 2",
        "Bob: 1, 1, 1 out",
        "Cleo: 1 left",
    ]


def test_an_invisible_name_becomes_a_number_and_no_name_adds_a_line() -> None:
    rows = [StripRow("a\nb", ANN_STRIP.cells), StripRow("\u202e\u3164", BOB_STRIP.cells)]
    assert [line.partition(":")[0] for line in strip_text(rows).splitlines()] == ["a b", "#2"]
    assert size(strip_png(rows))[0] == STRIP_WIDTH


def test_rows_of_unequal_or_no_rounds_are_refused() -> None:
    unequal = [ANN_STRIP, StripRow("Bob", (StripCell(1),))]
    for rows, show in product(([], [StripRow("Ann", ())], unequal), (strip_png, strip_text)):
        with pytest.raises(ValueError, match="equally many rounds, at least one"):
            show(rows)


# -- the faces of computer players -----------------------------------------------------------------


def test_every_character_has_a_face_of_its_own_on_clear_ground() -> None:
    assert set(_FACES) == set(CHARACTERS)
    grey = {name: portrait(name).convert("LA").convert("RGB") for name in (*CHARACTERS, "?")}
    for grey_level, other_level in combinations(grey.values(), 2):
        (difference, *_) = ImageStat.Stat(ImageChops.difference(grey_level, other_level)).mean
        assert difference > 10  # of 255, on average over the picture
    for name in CHARACTERS:
        face = portrait(name)
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

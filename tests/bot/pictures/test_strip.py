"""The strip of a match: what it measures, what can be seen, and the same in words."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.pictures.strip import MOST_COLUMNS, WIDTH, Fate, StripCell, StripRow, strip_png, strip_text

ANN = StripRow("Ann", (StripCell(1), StripCell(1, Fate.LOST), StripCell(2)), winner=True)
BOB = StripRow("Bob", (StripCell(1), StripCell(1), StripCell(1, Fate.OUT)))
CLEO = StripRow("Cleo", (StripCell(1, Fate.LEFT), StripCell(0), StripCell(0)))


def size(png: bytes) -> tuple[int, int]:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.size


@pytest.mark.parametrize("rounds", [1, 7, MOST_COLUMNS, 60])
@pytest.mark.parametrize("players", [2, 6, 10])
def test_a_match_of_any_length_is_as_wide_and_low_enough_for_a_phone(
    players: int, rounds: int
) -> None:
    rows = [StripRow(f"Player {one}", (StripCell(5),) * rounds) for one in range(players)]
    png = strip_png(rows)
    width, height = size(png)
    assert width == WIDTH
    assert height * 360 / width <= (165 if players <= 6 else 260)
    assert len(png) < 60_000


@pytest.mark.parametrize(
    "changed",
    [
        StripRow("Ann", ANN.cells),
        StripRow("Eve", ANN.cells, winner=True),
        StripRow("Ann", (StripCell(2), *ANN.cells[1:]), winner=True),
        StripRow("Ann", (StripCell(1), StripCell(1), StripCell(2)), winner=True),
        StripRow("Ann", (StripCell(1), StripCell(1, Fate.OUT), StripCell(2)), winner=True),
        StripRow("Ann", (StripCell(1), StripCell(1, Fate.LEFT), StripCell(2)), winner=True),
        StripRow("Ann", (StripCell(1), StripCell(0), StripCell(2)), winner=True),
    ],
    ids=["winner", "name", "cards", "kept", "out", "left", "not dealt in"],
)
def test_everything_a_row_says_can_be_seen(changed: StripRow) -> None:
    assert strip_png([ANN, BOB]) != strip_png([changed, BOB])


def test_fates_differ_without_colour() -> None:
    """In grey too: a frame, a cross, a dash."""
    drawn = set()
    for fate in Fate:
        png = strip_png([StripRow("Ann", (StripCell(3, fate),))])
        drawn.add(Image.open(io.BytesIO(png)).convert("RGBA").convert("L").tobytes())
    assert len(drawn) == len(Fate)


def test_of_a_long_match_the_latest_rounds_are_drawn() -> None:
    def drawn(first: int, last: int) -> bytes:
        middle = (StripCell(2),) * (MOST_COLUMNS - 1)
        return strip_png([StripRow("Ann", (StripCell(first), *middle, StripCell(last)))])

    assert drawn(1, 4) == drawn(5, 4)
    assert drawn(1, 4) != drawn(1, 5)


def test_the_words_tell_every_round_of_everybody() -> None:
    assert strip_text([ANN, BOB, CLEO]).splitlines() == [
        "Ann (wins): 1, 1 lost, 2",
        "Bob: 1, 1, 1 out",
        "Cleo: 1 left",
    ]


def test_a_name_that_shows_nothing_is_a_number_and_none_adds_a_line() -> None:
    rows = [StripRow("a\nb", ANN.cells), StripRow("\u202e\u3164", BOB.cells)]
    assert [line.partition(":")[0] for line in strip_text(rows).splitlines()] == ["a b", "#2"]
    assert size(strip_png(rows))[0] == WIDTH


@pytest.mark.parametrize(
    "rows", [[], [StripRow("Ann", ())], [ANN, StripRow("Bob", (StripCell(1),))]]
)
def test_rows_of_unequal_or_no_rounds_are_refused(rows: list[StripRow]) -> None:
    for show in (strip_png, strip_text):
        with pytest.raises(ValueError, match="equally many rounds, at least one"):
            show(rows)

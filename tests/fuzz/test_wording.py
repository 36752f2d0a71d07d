"""Thousands of random typed bids; the judge notices a fault; a long text makes little work."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from engine.bid_parser import LONGEST_TEXT, ParsedText
from tests.fuzz import wording
from tests.fuzz.kinds import run
from tests.fuzz.slow_reader import meanings
from tests.fuzz.texts import LONGEST, STRANGE

pytestmark = pytest.mark.thorough

TEXTS = 4000
SEED = 20261122


def test_what_is_played_is_what_a_slow_reader_reads() -> None:
    verdict = run("texts", SEED, 0, TEXTS, print)
    assert not verdict.failures
    # each outcome occurs: read correctly, mutated, refused
    assert min(verdict.outcomes.values()) > 100


@pytest.mark.parametrize(
    ("text", "game", "keys"),
    [
        ("three kings", "liars_poker", {"three:K"}),
        ("3 kings", "thai_poker", {"three:K"}),
        ("three and kings", "liars_poker", set()),
        ("jacks full of tens", "liars_poker", {"full_house:J,T"}),
        ("dwie pary dam i asów", "liars_poker", {"two_pair:A,Q"}),
        ("poker kier", "thai_poker", {"straight_flush:h"}),
        ("A A", "liars_poker", {"pair:A", "high_card:A"}),  # "a ace" is no language
        ("pair of threes maybe", "liars_poker", set()),
        ("33\u200b", "liars_poker", set()),
        ("", "liars_poker", set()),
    ],
)
def test_the_slow_reader_tries_every_sense(text: str, game: str, keys: set[str]) -> None:
    assert meanings(text, game) == keys


def test_a_reader_that_guesses_is_found_out() -> None:
    def guesses(self: ParsedText, *_: object) -> str | None:
        return f"pair:{self.ranks[0].char}" if self.ranks else None

    lines: list[str] = []
    with patch.object(ParsedText, "key", guesses):
        verdict = run("texts", SEED, 0, 300, lines.append)
    assert len(verdict.failures) > 50
    assert verdict.failures[0] in lines[0]  # with what repeats it
    assert "--seed 20261122 --first" in lines[0]


@pytest.mark.parametrize("table", wording.GAME_WORDS)
@pytest.mark.parametrize("part", [*STRANGE[::7], "three of ", "poker ", "a", "22", "as "])
def test_a_text_of_ten_thousand_characters_makes_no_more_work_than_one_of_a_line(
    table: wording.GameWords, part: str
) -> None:
    def read(text: str) -> None:
        assert wording._read_key(table, text) is None
        table.words.complete(text, (), table.others)

    long = part * (LONGEST // len(part))
    read(long)  # fill the caches first
    line = long[: LONGEST_TEXT + 1]
    assert wording.work_of(lambda: read(long)) < 2 * wording.work_of(lambda: read(line))

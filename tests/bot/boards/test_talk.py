"""What computer players say: now and then, in character, and of nothing that is hidden."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import get_args

from bot.boards.board import Text
from bot.boards.table import table_board
from bot.boards.talk import LINES, ONE_IN, Occasion, remark
from bot.roster import CHARACTERS, next_of
from bot.tables.live import LiveTable
from bot.tables.table_options import TALK
from engine.actions import MakeBid
from tests.bot.tables.scenes import ANN, BOB, dealt, moved, round_of, shown_down, table_of

SEALS = [f"{number:064x}" for number in range(1, 1500)]
AGNES = -101


def words(live: LiveTable) -> str:
    """All that the table's message says."""
    blocks = table_board(live, {}).blocks
    return "\n".join(block.markdown for block in blocks if isinstance(block, Text))


def said_over(character: str, occasion: Occasion) -> list[str]:
    found = next_of(character, ())
    assert found is not None
    table = table_of(ANN, found.id)
    return [remark(table, found.id, occasion, seal, 3) for seal in SEALS]


def test_every_character_has_lines_of_its_own_for_every_occasion() -> None:
    assert set(LINES) == set(CHARACTERS)
    everything = [
        line
        for lines in LINES.values()
        for occasion in get_args(Occasion)
        for line in lines[occasion]
    ]
    assert len(everything) == len(set(everything))
    assert all(len(lines[o]) >= 10 for lines in LINES.values() for o in ("bids", "doubts"))


def test_they_speak_now_and_then_and_every_line_is_heard() -> None:
    for character in CHARACTERS:
        for occasion in get_args(Occasion):
            said = said_over(character, occasion)
            heard = {line for line in said if line}
            assert heard == {f"> *{line}*" for line in LINES[character][occasion]}
            share = sum(bool(line) for line in said) / len(said)
            assert abs(share - 1 / ONE_IN[occasion]) < 0.05


def test_nothing_but_what_everybody_knows_goes_into_it() -> None:
    assert set(signature(remark).parameters) == {"table", "player", "occasion", "seal", "made"}


def test_people_say_nothing_and_a_house_may_have_silence() -> None:
    silent = table_of(ANN, AGNES, options={TALK.key: "off"})
    for seal in SEALS:
        assert remark(table_of(ANN, AGNES), ANN, "wins", seal, 1) == ""
        assert remark(silent, AGNES, "wins", seal, 1) == ""


def _sealed(live: LiveTable, seal: str) -> LiveTable:
    assert live.match is not None
    current = replace(round_of(live), commitment=seal)
    return replace(live, match=replace(live.match, round=current))


def test_a_line_stands_with_the_bid_and_with_the_doubt_in_the_tables_own_message() -> None:
    opened = moved(dealt(AGNES, BOB), MakeBid(0, "pair:9"))
    heard = sum(_said(words(_sealed(opened, seal)), "bids") for seal in SEALS[:100])
    assert 5 < heard < 50
    ended = shown_down(dealt(BOB, AGNES), "pair:9")
    heard = sum(_said(words(_sealed(ended, seal)), "doubts") for seal in SEALS[:100])
    assert 10 < heard < 70


def _said(text: str, occasion: Occasion) -> bool:
    return any(f"> *{line}*" in text for line in LINES["careful"][occasion])

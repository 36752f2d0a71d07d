"""The message of a practice, and the remarks of computer players."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import get_args

from bot.boards.board import Text
from bot.boards.practice import end_notice, hint_notice, practice_board
from bot.boards.table import table_board
from bot.boards.talk import LINES, ONE_IN, Occasion, remark
from bot.language.words import TypedText
from bot.roster import CHARACTERS, next_of
from bot.tables.live import LiveTable
from bot.tables.table_options import TALK
from engine.actions import MakeBid
from tests.bot.boards.rounds import board_text, buttons
from tests.bot.tables.scenes import (
    ANN,
    BOB,
    after_moves,
    after_showdown,
    dealt,
    match_of,
    round_of,
    table_of,
)

# -- the message: hints, and no button twice -------------------------------------------------------

AGNES = -101


def test_a_newcomers_first_screen_says_what_a_number_on_the_pad_is() -> None:
    number = "The number after a kind of hand: the chance of its likeliest one, in percent."
    opening = dealt(ANN, AGNES)
    assert number in board_text(practice_board(opening, ANN, {}, learning=True))
    assert number not in board_text(practice_board(opening, ANN, {}))
    silent = replace(opening, table=replace(opening.table, options={"odds_at_table": "off"}))
    assert number not in board_text(practice_board(silent, ANN, {}, learning=True))


def test_a_practice_says_whose_turn_it_is() -> None:
    assert "Agnes (computer) is thinking." in board_text(practice_board(dealt(AGNES, ANN), ANN, {}))


def test_ending_asks_first_and_a_second_tap_in_the_same_place_declines() -> None:
    live = after_showdown(dealt(ANN, AGNES), "pair:9")
    *_, end = buttons(practice_board(live, ANN, {}))
    *_, no, yes = buttons(practice_board(live, ANN, {}, notice=end_notice(live)))
    assert [button.label for button in (end, no, yes)] == ["End", "No, keep playing", "Yes, end it"]
    assert (no.verb, yes.verb, yes.choice) == ("refresh", "pend", "yes")


def test_a_hint_has_no_row_of_its_own_and_no_button_of_a_turn_ends_the_match() -> None:
    last = practice_board(dealt(ANN, AGNES), ANN, {}).rows[-1]
    assert isinstance(last, tuple)
    assert [button.label for button in last] == ["Type…", "Hint", "Rules"]
    assert "pend" not in [
        button.verb for button in buttons(practice_board(dealt(ANN, AGNES), ANN, {}))
    ]
    waiting = practice_board(dealt(AGNES, ANN), ANN, {})
    assert "hint" not in [button.verb for button in buttons(waiting)]


def test_a_player_out_of_turn_reads_that_it_is_not_their_turn() -> None:
    live = after_moves(dealt(ANN, AGNES), MakeBid(0, "pair:9"))
    assert hint_notice(match_of(live), ANN).text.startswith("Nothing to decide right now")


def test_card_counts_and_the_opponents_character_are_at_the_top() -> None:
    board = practice_board(dealt(ANN, AGNES), ANN, {})
    (top, *_) = board.blocks
    assert isinstance(top, Text)
    assert top.markdown.splitlines() == [
        "-# Thai Poker · Round 1 · You\u00a03, Agnes\u00a03\u00a0cards · out\u00a0at\u00a07",
    ]


def test_after_a_showdown_one_press_leads_on() -> None:
    board = practice_board(
        after_showdown(dealt(ANN, AGNES), "pair:9"), ANN, {ANN: TypedText("Ann")}
    )
    assert [button.label for button in buttons(board)] == [
        "Fair deal ✓",
        "Next round",
        "Rules",
        "End",
    ]


# -- what computer players say, in character -------------------------------------------------------

SEALS = [f"{number:064x}" for number in range(1, 1500)]


def words(live: LiveTable) -> str:
    """Return all the text of the table's message."""
    blocks = table_board(live, {}).blocks
    return "\n".join(block.markdown for block in blocks if isinstance(block, Text))


def said_over(character: str, occasion: Occasion) -> list[str]:
    character_seat = next_of(character, ())
    assert character_seat is not None
    table = table_of(ANN, character_seat.id)
    return [remark(table, character_seat.id, occasion, seal, 3) for seal in SEALS]


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


def test_remarks_are_occasional_and_every_line_is_used() -> None:
    for character in CHARACTERS:
        for occasion in get_args(Occasion):
            remarks = said_over(character, occasion)
            heard = {line for line in remarks if line}
            assert len({line.partition(": ")[0] for line in heard}) == 1  # signed
            spoken = {line.partition(": ")[2] for line in heard}
            assert spoken == {f"*{line}*" for line in LINES[character][occasion]}
            share = sum(bool(line) for line in remarks) / len(remarks)
            assert abs(share - 1 / ONE_IN[occasion]) < 0.05


def test_remarks_depend_on_public_facts_only() -> None:
    assert set(signature(remark).parameters) == {"table", "player", "occasion", "seal", "bids"}


def test_people_make_no_remarks_and_a_host_may_turn_remarks_off() -> None:
    silent = table_of(ANN, AGNES, options={TALK.key: "off"})
    for seal in SEALS:
        assert remark(table_of(ANN, AGNES), ANN, "wins", seal, 1) == ""
        assert remark(silent, AGNES, "wins", seal, 1) == ""


def _with_seal(live: LiveTable, seal: str) -> LiveTable:
    assert live.match is not None
    current = replace(round_of(live), commitment=seal)
    return replace(live, match=replace(live.match, round=current))


def test_the_tables_message_shows_remarks_with_bids_and_with_challenges() -> None:
    opened = after_moves(dealt(AGNES, BOB), MakeBid(0, "pair:9"))
    heard = sum(_has_remark(words(_with_seal(opened, seal)), "bids") for seal in SEALS[:100])
    assert 5 < heard < 50
    ended = after_showdown(dealt(BOB, AGNES), "pair:9")
    heard = sum(_has_remark(words(_with_seal(ended, seal)), "doubts") for seal in SEALS[:100])
    assert 10 < heard < 70


def _has_remark(text: str, occasion: Occasion) -> bool:
    return any(f"> Agnes: *{line}*" in text for line in LINES["careful"][occasion])

"""Fair deal: what a player reads of a deal that was kept, was not, or is not over."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Board, Text
from bot.boards.cutting import deal_board
from bot.pictures.palette import GREEN, RED
from bot.tables.history import PastDeal

SEAL, SEED, LOBBY = "5" * 64, bytes(range(32)), "1" * 64
CUT = PastDeal(3, SEAL, SEED, True, 2, LOBBY, ((11, "purple giraffe 7"), (12, "*b* <@9>")))
OLD = PastDeal(3, SEAL, SEED, True, 1)
KEPT = "✔ Checked just now: the seed has this seal, and "


def read(board: Board) -> str:
    return "\n".join(block.markdown for block in board.blocks if isinstance(block, Text))


def test_a_kept_deal_says_so_first_and_has_all_that_anybody_needs_to_deal_it_again() -> None:
    board = deal_board(CUT)
    text = read(board)
    assert board.accent == GREEN
    assert text.startswith(f"**Round 3 · Fair deal**\n{KEPT}the seed and these words give")
    for part in (SEAL, SEED.hex(), LOBBY):
        assert f"```\n{part}\n```" in text
    assert "Cut by\n1. <@11> `purple giraffe 7`\n2. <@12> `*b* <@9>`\n" in text
    assert "hash this seal 2 times, and you have it" in text


def test_a_deal_that_was_not_kept_is_red() -> None:
    for deal in (CUT, OLD):
        board = deal_board(replace(deal, kept=False))
        assert board.accent == RED
        assert "✘ Checked just now: **the cards were not dealt as they were sealed.**" in read(
            board
        )
        assert "✔" not in read(board)


def test_while_the_round_goes_on_there_is_no_seed_and_nothing_to_judge() -> None:
    board = deal_board(replace(CUT, seed=None, kept=False))
    assert board.accent == GREEN
    text = read(board)
    assert "The seed is shown when the round is over." in text
    assert SEED.hex() not in text
    assert "Checked" not in text
    assert "`purple giraffe 7`" in text


def test_a_deal_that_nobody_cut_says_who_may() -> None:
    text = read(deal_board(replace(CUT, cuts=())))
    assert f"{KEPT}the seed gives the cards that were dealt." in text
    assert "Nobody cut the cards. Any player may, in the lobby or here." in text


def test_in_a_practice_nobody_is_asked_to_cut() -> None:
    text = read(deal_board(replace(CUT, cuts=(), practice=True)))
    assert "Nobody cuts the cards in a practice." in text
    assert "lobby" not in text.replace("lobby's", "")


def test_words_that_were_deleted_are_said_to_be() -> None:
    text = read(deal_board(replace(CUT, cuts=((11, None),))))
    assert "1. <@11> words that were deleted" in text


def test_a_first_round_and_a_match_that_had_no_lobby_seal_show_one_seal() -> None:
    for deal in (replace(CUT, number=1), replace(CUT, lobby_seal=None)):
        assert "lobby's seal" not in read(deal_board(deal))


def test_a_deal_of_version_1_speaks_of_no_cut() -> None:
    text = read(deal_board(OLD))
    assert f"{KEPT}the cards were dealt in its order." in text
    assert "cut" not in text.lower()

"""The highlights of an ended round, and the score of a session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.boards.seat import seat_board
from bot.boards.showdown import own_line, table_line
from bot.boards.table import table_board
from bot.language.catalogues import speaking
from bot.tables.highlights import highlight
from bot.tables.live import LiveTable, advance
from bot.tables.model import PastMatch
from bot.tables.session_score import PAUSE, SessionScore, session_score
from engine.actions import Challenge, Forfeit, MakeBid
from tests.bot.boards.rounds import board_text
from tests.bot.tables.scenes import ANN, BOB, CLEO, after_moves, dealt, match_of, round_of
from tests.dealing import stacked_deal

HANDS = {0: "9c 9d", 1: "Jc Jd", 2: "Qc Qd"}
BOLD, FALSE = "four:K", "straight_flush:c"


def deal(live: LiveTable) -> LiveTable:
    """Return the table with its next round dealt.

    Each seat gets its cards in `HANDS` first, then other cards in deck order.
    """
    hands = {seat: HANDS[seat] for seat in match_of(live).live}
    return advance(live, stacked_deal(match_of(live), hands))


def play_bids(live: LiveTable, *keys: str) -> LiveTable:
    """Return the table after these bids, one player after the other, and a challenge."""
    for key in keys:
        live = after_moves(live, MakeBid(round_of(live).turn, key))
    return after_moves(live, Challenge(round_of(live).turn))


def with_odds(live: LiveTable, odds: str) -> LiveTable:
    return replace(live, table=replace(live.table, options={"odds_at_table": odds}))


def no_odds(live: LiveTable) -> LiveTable:
    return with_odds(live, "off")


def test_an_unchallenged_bold_bluff_is_told_with_its_chance() -> None:
    live = play_bids(dealt(ANN, BOB, CLEO), BOLD, FALSE)
    text = highlight(live, odds=True)
    assert text is not None
    assert (text.theme, text.seat) == ("bluffed", 0)
    assert table_line(live) == f"-# <@{ANN}> bid on a <1% chance and got away with it."
    assert table_line(live) in board_text(table_board(live, {}))
    with speaking("pl"):
        assert table_line(live).endswith("i uszło na sucho.")


def test_caught_bluffs_and_unlikely_true_bids_are_told() -> None:
    caught = play_bids(dealt(ANN, BOB, CLEO), BOLD)
    assert table_line(caught).endswith(", and was caught.")
    held = play_bids(dealt(ANN, BOB, CLEO, hands={0: "9c Td", 1: "Kc Kd", 2: "Kh Ks"}), BOLD)
    assert table_line(held).startswith(f"-# <@{ANN}> bid on a ")
    assert table_line(held).endswith(", and it was there.")


def test_an_ordinary_round_has_no_highlight() -> None:
    assert table_line(play_bids(dealt(ANN, BOB, CLEO), "pair:9")) == ""
    assert table_line(after_moves(dealt(ANN, BOB, CLEO), MakeBid(0, BOLD))) == "", (
        "nothing is open yet"
    )


def test_no_chance_is_told_where_house_rules_forbid_odds() -> None:
    live = no_odds(play_bids(dealt(ANN, BOB, CLEO), BOLD, FALSE))
    assert table_line(live) == ""
    assert own_line(live, ANN) == ""


def losing(live: LiveTable, times: int) -> list[str]:
    """Return the highlight of each of `times` rounds in which Ann bids too high and is caught."""
    lines = []
    for number in range(times):  # whoever loses opens the next round
        live = play_bids(deal(live) if number else live, BOLD)
        lines.append(table_line(live))
    return lines


def test_the_same_is_never_told_twice_in_a_row() -> None:
    caught = f"-# <@{ANN}> bid on a <1% chance, and was caught."
    doubted = f"-# <@{BOB}> has made 3 correct challenges in a row."
    assert losing(dealt(ANN, BOB, CLEO), 4) == [caught, "", doubted, caught]


def test_a_streak_is_told_without_any_odds() -> None:
    assert losing(no_odds(dealt(ANN, BOB, CLEO)), 4) == [
        "",
        "",
        f"-# <@{BOB}> has made 3 correct challenges in a row.",
        f"-# <@{ANN}> has lost 4 rounds in a row.",
    ]


def test_a_round_with_a_move_made_by_the_bot_has_no_highlight() -> None:
    live = dealt(ANN, BOB, CLEO)
    live = advance(live, MakeBid(0, BOLD), by_house=True)
    live = play_bids(live, FALSE)
    assert table_line(live) == ""
    assert own_line(live, ANN) == own_line(live, BOB) == ""
    after = play_bids(deal(live), BOLD)
    assert table_line(after) != "", "the next round is theirs again"


def test_a_round_without_a_showdown_tells_nothing() -> None:
    live = after_moves(dealt(ANN, BOB), MakeBid(0, BOLD), Forfeit(1))
    assert table_line(live) == ""
    assert own_line(live, ANN) == ""


@pytest.mark.parametrize(
    ("keys", "player", "line"),
    [
        ((BOLD, FALSE), ANN, "Your bid (**four kings**) was <1% likely, and nobody challenged."),
        ((BOLD,), ANN, "Your bid (**four kings**) was <1% likely, and it wasn't there."),
        (("pair:9",), ANN, "Your bid (**pair of nines**) was 100% likely, and it was there."),
        ((BOLD,), BOB, "It was <1% likely by your cards alone: a good challenge."),
    ],
)
def test_a_line_in_the_seat_tells_how_likely_the_players_decision_was(
    keys: tuple[str, ...], player: int, line: str
) -> None:
    live = play_bids(dealt(ANN, BOB, CLEO), *keys)
    assert own_line(live, player) == "", "between people a seat says no percentages"
    live = with_odds(live, "seats")
    assert own_line(live, player) == line
    assert board_text(seat_board(live, player)).rstrip().endswith(line)


def test_without_a_decision_there_is_no_such_line() -> None:
    live = play_bids(dealt(ANN, BOB, CLEO), BOLD)
    assert own_line(live, CLEO) == ""


def test_a_failed_challenge_is_judged_by_its_chance() -> None:
    likely = play_bids(dealt(ANN, BOB, hands={0: "9c 9d", 1: "9h Jd"}), "high_card:J")
    likely = with_odds(likely, "seats")
    assert own_line(likely, BOB) == "It was 100% likely by your cards alone: a bad challenge."
    unlikely = play_bids(dealt(ANN, BOB, hands={0: "9c 9d", 1: "Th Jd"}), "pair:9")
    unlikely = with_odds(unlikely, "seats")
    assert own_line(unlikely, BOB).endswith(", but a bid is a clue too: it was there.")


# -- which matches belong to a session, and who won them ------------------------------------------

HOUR = 3_600_000


def matches(*lines: tuple[float, float, int | None]) -> list[PastMatch]:
    """Return past matches, latest first, from (start, end, winner) lines; times in hours."""
    return [PastMatch(int(a * HOUR), int(b * HOUR), person) for a, b, person in reversed(lines)]


@pytest.mark.parametrize(
    ("lines", "wins"),
    [
        ([(18, 19, ANN), (19, 20, BOB), (23, 24, ANN)], [(ANN, 2), (BOB, 1)]),
        ([(1, 2, ANN), (2, 3, ANN), (10, 11, BOB), (11, 12, BOB)], [(BOB, 2)]),
        ([(0, 1, ANN), (1, 30, BOB), (31, 32, BOB)], [(BOB, 2), (ANN, 1)]),  # a long one ends none
        ([(0, 1, ANN), (5, 6, None), (10, 11, ANN)], [(ANN, 2)]),  # it bridges a pause
        ([(0, 1, ANN), (10, 11, ANN)], [(ANN, 1)]),
        ([(0, 1, ANN), (1, 2, BOB)], [(BOB, 1), (ANN, 1)]),  # the latest of equals
        ([], []),
    ],
)
def test_successive_matches_are_one_session(
    lines: list[tuple[float, float, int | None]], wins: list[tuple[int, int]]
) -> None:
    won = sum(number for _, number in wins)
    assert session_score(matches(*lines)) == SessionScore(won, tuple(wins))


@pytest.mark.parametrize(("pause", "won"), [(PAUSE - 1, 2), (PAUSE, 1)])
def test_a_pause_of_six_hours_from_end_to_start_begins_another_session(
    pause: int, won: int
) -> None:
    played = [PastMatch(9 * HOUR + pause, 99 * HOUR, BOB), PastMatch(0, 9 * HOUR, ANN)]
    assert session_score(played).matches == won

"""The evening's score: which matches belong to an evening, and who won them."""

from __future__ import annotations

import pytest

from bot.tables.model import PastMatch
from bot.tables.session_score import PAUSE, SessionScore, session_score

ANN, BOB = 11, 12
HOUR = 3_600_000


def matches(*lines: tuple[float, float, int | None]) -> list[PastMatch]:
    """Start and end in hours, and the winner; given in order, kept the latest first."""
    return [PastMatch(int(a * HOUR), int(b * HOUR), who) for a, b, who in reversed(lines)]


def test_matches_that_follow_one_another_are_one_evening() -> None:
    played = matches((18, 19, ANN), (19, 20, BOB), (23, 24, ANN))
    assert session_score(played) == SessionScore(3, ((ANN, 2), (BOB, 1)))


@pytest.mark.parametrize(("pause", "won"), [(PAUSE - 1, 2), (PAUSE, 1)])
def test_a_pause_of_six_hours_from_end_to_start_begins_another_evening(
    pause: int, won: int
) -> None:
    played = [PastMatch(9 * HOUR + pause, 99 * HOUR, BOB), PastMatch(0, 9 * HOUR, ANN)]
    assert session_score(played).matches == won


def test_what_came_before_a_pause_is_not_counted_however_close_it_lies() -> None:
    played = matches((1, 2, ANN), (2, 3, ANN), (10, 11, BOB), (11, 12, BOB))
    assert session_score(played) == SessionScore(2, ((BOB, 2),))


def test_a_long_match_does_not_end_the_evening() -> None:
    assert session_score(matches((0, 1, ANN), (1, 30, BOB), (31, 32, BOB))).matches == 3


def test_a_match_without_a_winner_is_not_counted_but_bridges_a_pause() -> None:
    assert session_score(matches((0, 1, ANN), (5, 6, None), (10, 11, ANN))) == SessionScore(
        2, ((ANN, 2),)
    )
    assert session_score(matches((0, 1, ANN), (10, 11, ANN))) == SessionScore(1, ((ANN, 1),))


def test_who_won_most_comes_first_and_the_latest_of_equals() -> None:
    played = matches((0, 1, ANN), (1, 2, BOB))
    assert [player for player, _ in session_score(played).wins] == [BOB, ANN]


def test_nothing_was_played_on_an_empty_evening() -> None:
    assert session_score([]) == SessionScore(0, ())

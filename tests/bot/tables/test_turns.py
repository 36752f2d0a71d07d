"""Turns with a time limit: reminders, timeouts, absence and return."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tables import absence, computer_turns, turns
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind, Status
from engine.actions import Challenge, MakeBid
from engine.cards import Cards
from engine.errors import NotInMatch
from engine.play import start
from engine.players import Memory, choose, observe
from engine.state import Match, Round
from engine.variants import ruleset
from engine.view import view_of
from tests.bot.tables.clockwork import SECOND
from tests.bot.tables.scenes import (
    AGNES,
    ANN,
    BOB,
    HOLDS,
    NOW,
    after_moves,
    after_showdown,
    begun,
    dealt,
    match_of,
    table_of,
)

# -- reminders -------------------------------------------------------------------------------------


def course_of(live: LiveTable, **options: str | int) -> list[tuple[DeadlineKind, int]]:
    """Return the deadlines of a turn without a move, each with its seconds since the turn began."""
    now, course = NOW, list[tuple[DeadlineKind, int]]()
    table = turns.begin_turn(replace(live.table, options=dict(options)), match_of(live), NOW)
    while len(course) < 9 and (event := turns.upcoming(table, match_of(live), now, 1000)):
        kind, now = event
        course.append((kind, (now - NOW) // SECOND))
        if kind is DeadlineKind.TURN:
            assert turns.upcoming(table, match_of(live), now + 1, 1000) == event  # late, and due
            break
    return course


@pytest.mark.parametrize(
    ("options", "reminded", "ends"),
    [
        ({}, [20, 60], 120),
        ({"turn_seconds": 30}, [15], 30),  # half comes sooner than 20 s: one reminder
        ({"turn_seconds": 60}, [20, 30], 60),
        ({"turn_seconds": 0}, [20], None),
        ({"pings": "every"}, [60], 120),
        ({"pings": "never"}, [], 120),
        ({"pings": "never", "turn_seconds": 0}, [], None),
        ({"turn_seconds": 86_400}, [3600], 86_400),  # one a turn
        ({"turn_seconds": 3600}, [150], 3600),
        ({"turn_seconds": 86_400, "pings": "every"}, [], 86_400),  # it has come with the turn
        ({"turn_seconds": 86_400, "pings": "never"}, [], 86_400),
    ],
)
def test_the_time_of_a_reminder_is_a_setting(options, reminded, ends) -> None:
    reminders = [(DeadlineKind.NUDGE, at) for at in reminded]
    end = [] if ends is None else [(DeadlineKind.TURN, ends)]
    assert course_of(dealt(ANN, BOB), **options) == [*reminders, *end]


def test_a_turn_begins_with_a_whole_clock_and_a_computer_player_has_none() -> None:
    live = dealt(ANN, AGNES)
    table = replace(live.table, turn_ends=1, nudges=3)
    first = replace(table, turn_since=NOW, turn_ends=NOW + 120 * SECOND, nudges=0)
    assert turns.begin_turn(table, match_of(live), NOW) == first
    every: dict[str, bool | int | str] = {"pings": "every", "turn_seconds": 0}
    endless = replace(table, options=every, turn_since=NOW, turn_ends=None, nudges=1)
    assert turns.begin_turn(replace(table, options=every), match_of(live), NOW) == endless
    hers = match_of(after_moves(live, MakeBid(0, HOLDS)))
    assert turns.begin_turn(replace(endless, turn_ends=5), hers, NOW + 1) == replace(
        endless, turn_since=NOW + 1, nudges=0
    )
    over = replace(table, turn_since=None, turn_ends=None, nudges=0)
    assert turns.end_turn(replace(first, nudges=2)) == over


def test_a_computer_player_acts_after_its_pause_and_is_asked_again() -> None:
    live = after_moves(dealt(ANN, AGNES), MakeBid(0, HOLDS))
    acts = NOW + computer_turns.pause(match_of(live), 1000)
    table = replace(live.table, turn_since=NOW)
    patience, again = computer_turns.PATIENCE, computer_turns.AGAIN
    for now, at in (
        (acts - 1, acts),
        (acts, acts + again),
        (acts + patience - 1, acts + patience - 1 + again),
        (acts + patience, acts + patience + patience // 10),
        (acts + 10**9, acts + 10**9 + computer_turns.LONGEST_AGAIN),
    ):
        assert turns.upcoming(table, match_of(live), now, 1000) == (DeadlineKind.COMPUTER, at)


def test_nothing_happens_by_itself_where_nobody_is_to_act_or_to_play_for() -> None:
    live = dealt(ANN, BOB)
    table = replace(live.table, turn_since=NOW, turn_ends=NOW + 1)
    away = replace(table, absent={ANN: 2})
    assert turns.upcoming(away, match_of(live), NOW, 1000) == (
        DeadlineKind.HOUSE,
        NOW + 2 * SECOND,
    )
    for changed, match in (
        (replace(away, absent={ANN: 2, BOB: 2}), match_of(live)),
        (replace(table, turn_since=None), match_of(live)),
        (table, match_of(after_showdown(live, HOLDS))),
        (table, match_of(begun(ANN, BOB))),
    ):
        assert turns.upcoming(changed, match, NOW, 1000) is None


def test_a_reminder_is_named_after_round_bid_seat_and_count() -> None:
    live = after_moves(dealt(ANN, BOB), MakeBid(0, HOLDS))
    table = turns.add_nudge(turns.add_nudge(replace(live.table, nudges=0)))
    assert turns.reminder(table, live.match) == "1.1.1.2"
    for changed, match in (
        (replace(table, nudges=0), live.match),
        (replace(table, status=Status.CLOSED), live.match),
        (table, after_moves(live, Challenge(1)).match),
        (table, begun(ANN, BOB).match),
        (table, None),
    ):
        assert turns.reminder(changed, match) is None


# -- a clock that runs out -------------------------------------------------------------------------


# -- after a start ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "ends", "since_later", "ends_at"),
    [
        (DeadlineKind.TURN, 0, 0, 20),
        (DeadlineKind.NUDGE, 60, 20, 60),
        (DeadlineKind.NUDGE, 10, 20, 20),  # nor does the clock run out before
        (DeadlineKind.COMPUTER, None, 20, None),
        (DeadlineKind.HOUSE, 60, 0, 60),
        (DeadlineKind.TURN, 60, 0, 20),
    ],
)
def test_postpone_moves_an_earlier_deadline_to_the_given_moment(kind, ends, since_later, ends_at):
    def at(seconds: int | None) -> int | None:
        return None if seconds is None else NOW + seconds * SECOND

    table = table_of(
        ANN, BOB, deadline=NOW, deadline_kind=kind, turn_since=at(-50), turn_ends=at(ends)
    )
    earliest = NOW + 20 * SECOND
    later = turns.postpone(table, earliest)
    assert later == replace(
        table, deadline=earliest, turn_since=at(since_later - 50), turn_ends=at(ends_at)
    )
    assert turns.postpone(later, earliest) is later
    assert turns.postpone(later, earliest - 1) is later
    waiting = replace(table, deadline=None)
    assert turns.postpone(waiting, earliest) is waiting


def test_a_lobby_has_no_turn_to_give_time_back_to() -> None:
    lobby = table_of(ANN, deadline=NOW, deadline_kind=DeadlineKind.NUDGE)
    assert turns.postpone(lobby, NOW + 5) == replace(lobby, deadline=NOW + 5)


def test_all_times_of_a_table_are_shifted_with_the_clock() -> None:
    table = table_of(ANN, BOB, deadline=NOW, turn_since=NOW - 9, turn_ends=NOW + 9)
    assert turns.shift_times(table, 5) == replace(
        table, deadline=NOW + 5, turn_since=NOW - 4, turn_ends=NOW + 14
    )
    assert turns.shift_times(table_of(ANN), 5) == table_of(ANN)


def test_a_clock_of_an_hour_is_that_of_a_match_over_days() -> None:
    for seconds, slow in ((3599, False), (3600, True)):
        assert turns.is_slow(table_of(ANN, options={"turn_seconds": seconds})) is slow


# -- what the house plays --------------------------------------------------------------------------
def bidding(mine: str, others_hand: str, standing: str | None) -> Match:
    """Return a Thai Poker match of two, with these hands and standing bid.

    The first player, who holds `mine`, is to act.
    """
    rules = ruleset("thai_poker")
    match = start(rules, (ANN, BOB), opener=0 if standing is None else 1)
    hands = (Cards.parse(mine), Cards.parse(others_hand))
    dealt = Round(1, "", 1, match.opener or 0, hands, Cards(), turn=0)
    if standing is None:
        return replace(match, round=dealt)
    bid = rules.ladder.bid(standing)
    from engine.state import MadeBid

    return replace(match, round=replace(dealt, bids=(MadeBid(1, bid),)))


@pytest.mark.parametrize(
    ("mine", "standing", "played"),
    [
        ("As Ah Kd", None, MakeBid(0, "high_card:K")),  # the opener must bid
        ("As Ah Kd", "royal_flush:s", Challenge(0)),  # nothing is higher
        ("As Ah Kd", "pair:K", MakeBid(0, "pair:A")),  # sure of it
        ("9s Th Jd", "four:Q", Challenge(0)),  # hardly possible
    ],
)
def test_the_bot_plays_the_action_likelier_to_be_right_by_the_seats_cards(
    mine: str, standing: str | None, played: object
) -> None:
    assert absence.stand_in(bidding(mine, "Qs Qh Qd", standing), 0) == played


def test_of_equally_safe_bids_the_bot_makes_the_least_revealing_one() -> None:
    # ten cards: three nines are good with 57 % for who has two of them, a straight with 54 %
    match = bidding("Kd 9s 9h", "As Ah Qs Qh Jd Jc Ts", "pair:K")
    position = observe(view_of(match, 0), Memory("careful", 0))
    assert position is not None
    assert choose(position, match.ruleset).action == MakeBid(0, "three:9")
    assert absence.stand_in(match, 0) == MakeBid(0, "straight:K")


def test_the_bot_has_no_move_for_a_seat_without_one() -> None:
    undealt = start(ruleset("thai_poker"), (ANN, BOB), opener=0)
    for match, seat in ((undealt, 0), (bidding("As Ah Kd", "Qs Qh Qd", None), 1)):
        with pytest.raises(NotInMatch):
            absence.stand_in(match, seat)


def test_the_house_does_not_look_at_hidden_cards() -> None:
    positions = [
        absence.stand_in(bidding("9s Th Kd", others_hand, "pair:Q"), 0)
        for others_hand in ("Qs Qh Kh", "As Ah Ad", "Ks Kh Ah")
    ]
    assert len(set(positions)) == 1


# -- who is back plays on, and makes nobody else wait ----------------------------------------------

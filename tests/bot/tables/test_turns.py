"""Turns against the clock: reminders, a clock that runs out, who is away, who is back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.tables import absence, computer_turns, errors, plans, turns
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind, MatchStatus, Status
from engine.actions import Challenge, MakeBid
from engine.cards import Cards
from engine.errors import NotInMatch, NotYourTurn
from engine.play import start
from engine.players import Memory, choose, observe
from engine.state import Match, Phase, Round
from engine.variants import ruleset
from engine.view import view
from tests.bot.tables.clockwork import DAN, MINUTE, SECOND, START, Room, clockwork
from tests.bot.tables.room import ANN, BOB, CLEO, ask
from tests.bot.tables.scenes import (
    AGNES,
    HOLDS,
    NOW,
    begun,
    dealt,
    match_of,
    moved,
    shown_down,
    table_of,
)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with clockwork(tmp_path) as here:
        yield here


# -- reminders -------------------------------------------------------------------------------------
async def test_a_slow_turn_is_reminded_after_20_seconds_and_at_half_of_its_clock(room) -> None:
    await room.match(ANN, BOB)
    assert await room.next() == (DeadlineKind.NUDGE, 20 * SECOND)
    await room.happens()
    assert (await room.live()).table.nudges == 1
    assert await room.next() == (DeadlineKind.NUDGE, 60 * SECOND)
    await room.happens()
    assert (await room.live()).table.nudges == 2
    assert await room.next() == (DeadlineKind.TURN, 120 * SECOND)


def course_of(live: LiveTable, **options: str | int) -> list[tuple[DeadlineKind, int]]:
    """What a turn that began at `NOW` has in store for who does not act, with seconds from then."""
    now, course = NOW, list[tuple[DeadlineKind, int]]()
    table = turns.begun(replace(live.table, options=dict(options)), match_of(live), NOW)
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
        ({"turn_seconds": 30}, [15], 30),  # half comes sooner than 20 s: one reminder
        ({"turn_seconds": 60}, [20, 30], 60),
        ({"turn_seconds": 0}, [20], None),
        ({"pings": "every"}, [60], 120),
        ({"pings": "never"}, [], 120),
        ({"pings": "never", "turn_seconds": 0}, [], None),
    ],
)
def test_the_house_chooses_when_a_turn_is_reminded(options, reminded, ends) -> None:
    reminders = [(DeadlineKind.NUDGE, at) for at in reminded]
    end = [] if ends is None else [(DeadlineKind.TURN, ends)]
    assert course_of(dealt(ANN, BOB), **options) == [*reminders, *end]


def test_a_turn_begins_with_a_whole_clock_and_a_computer_player_has_none() -> None:
    live = dealt(ANN, AGNES)
    table = replace(live.table, turn_ends=1, nudges=3)
    first = replace(table, turn_since=NOW, turn_ends=NOW + 120 * SECOND, nudges=0)
    assert turns.begun(table, match_of(live), NOW) == first
    every: dict[str, bool | int | str] = {"pings": "every", "turn_seconds": 0}
    endless = replace(table, options=every, turn_since=NOW, turn_ends=None, nudges=1)
    assert turns.begun(replace(table, options=every), match_of(live), NOW) == endless
    hers = match_of(moved(live, MakeBid(0, HOLDS)))
    assert turns.begun(replace(endless, turn_ends=5), hers, NOW + 1) == replace(
        endless, turn_since=NOW + 1, nudges=0
    )
    over = replace(table, turn_since=None, turn_ends=None, nudges=0)
    assert turns.over(replace(first, nudges=2)) == over


def test_a_computer_player_acts_after_its_pause_and_is_asked_again() -> None:
    live = moved(dealt(ANN, AGNES), MakeBid(0, HOLDS))
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
    for other, match in (
        (replace(away, absent={ANN: 2, BOB: 2}), match_of(live)),
        (replace(table, turn_since=None), match_of(live)),
        (table, match_of(shown_down(live, HOLDS))),
        (table, match_of(begun(ANN, BOB))),
    ):
        assert turns.upcoming(other, match, NOW, 1000) is None


def test_a_reminder_is_named_after_round_bid_seat_and_count() -> None:
    live = moved(dealt(ANN, BOB), MakeBid(0, HOLDS))
    table = turns.nudged(turns.nudged(replace(live.table, nudges=0)))
    assert turns.reminder(table, live.match) == "1.1.1.2"
    for other, match in (
        (replace(table, nudges=0), live.match),
        (replace(table, status=Status.CLOSED), live.match),
        (table, moved(live, Challenge(1)).match),
        (table, begun(ANN, BOB).match),
        (table, None),
    ):
        assert turns.reminder(other, match) is None


async def test_a_move_ends_the_reminders_and_the_next_turn_has_its_own(room) -> None:
    await room.match(ANN, BOB)
    await room.happens()
    room.clock.at = START + 25 * SECOND
    live = await room.tables.change(room.id, ask(await room.turn()), plans.bid, "pair:9")
    assert live.table.nudges == 0
    assert live.table.turn_ends == START + 145 * SECOND
    assert await room.next() == (DeadlineKind.NUDGE, 45 * SECOND)


async def test_somebody_elses_leaving_does_not_lengthen_a_turn(room) -> None:
    await room.match(ANN, BOB, CLEO)
    turn = await room.turn()
    other = ({ANN, BOB, CLEO} - {turn}).pop()
    room.clock.at += 10 * SECOND
    await room.tables.change(room.id, ask(other), plans.forfeit)
    assert (await room.live()).table.turn_ends == START + 120 * SECOND


# -- a clock that runs out -------------------------------------------------------------------------
async def test_when_the_clock_runs_out_the_house_plays_that_one_move(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    assert await room.happens() is DeadlineKind.TURN
    live = await room.live()
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 1
    assert len(live.match.live) == 3
    assert live.by_house == {live.match.seq}
    assert live.table.absent == {sleeper: 1}
    snapshot = await room.store.tables.snapshot(room.id)
    assert snapshot is not None
    assert snapshot.match is not None
    assert [action.by_house for action in snapshot.match.actions] == [False, True]


async def test_a_house_may_forfeit_who_runs_out_of_time(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never", absence="forfeit")
    sleeper = await room.turn()
    await room.happens()
    match = (await room.live()).match
    assert match is not None
    assert sleeper not in {match.seats[seat].player for seat in match.live}


async def until_away(room: Room, sleeper: int) -> int:
    """Everybody acts but one, until they are away; how often their clock ran out."""
    ran_out = 0
    for _ in range(40):
        live = await room.live()
        if absence.is_away(live.table, sleeper):
            return ran_out
        match = live.match
        assert match is not None
        if match.round is None or match.round.outcome is not None or await room.turn() == sleeper:
            ran_out += await room.happens() is DeadlineKind.TURN
        elif match.round.standing is None:
            await room.tables.change(room.id, ask(await room.turn()), plans.bid, "high_card:9")
        else:
            await room.tables.change(room.id, ask(await room.turn()), plans.challenge)
    raise AssertionError("nobody was found to be away")


async def test_who_lets_it_run_out_twice_in_a_row_is_played_by_the_house_at_once(room) -> None:
    await room.match(ANN, BOB, pings="never")
    assert await until_away(room, BOB) == 2
    while (await room.live()).match.round.outcome is not None or await room.turn() != BOB:
        live = await room.live()
        if live.match.round.outcome is not None:
            await room.happens()
        elif live.match.round.standing is None:
            await room.tables.change(room.id, ask(ANN), plans.bid, "high_card:9")
        else:
            await room.tables.change(room.id, ask(ANN), plans.challenge)
    kind, at = await room.next()
    assert kind is DeadlineKind.HOUSE
    assert at + START - room.clock.at <= 3 * SECOND


async def test_a_move_in_between_is_a_sign_of_life(room) -> None:
    await room.match(ANN, BOB, pings="never")
    sleeper = await room.turn()
    await room.happens()
    other = await room.turn()
    await room.tables.change(room.id, ask(other), plans.bid, "pair:K")
    await room.tables.change(room.id, ask(sleeper), plans.bid, "pair:A")
    assert (await room.live()).table.absent == {}
    await room.tables.change(room.id, ask(other), plans.bid, "three:K")
    await room.happens()
    live = await room.live()
    assert live.table.absent == {sleeper: 1}
    assert not absence.is_away(live.table, sleeper)


async def test_a_match_that_nobody_attends_closes_as_a_lobby_does(room) -> None:
    await room.match(ANN, BOB, pings="never")
    await until_away(room, ANN)
    await until_away(room, BOB)
    for _ in range(100):
        if (await room.next())[0] is DeadlineKind.DESERTED:
            break
        await room.happens()
    before = room.clock.at
    await room.happens()
    assert room.clock.at - before == 60 * MINUTE
    snapshot = await room.store.tables.snapshot(room.id)
    assert snapshot.table.status is Status.CLOSED
    assert snapshot.match.status is MatchStatus.ABANDONED


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
def test_what_is_due_before_the_time_given_back_is_due_then(kind, ends, since_later, ends_at):
    def at(seconds: int | None) -> int | None:
        return None if seconds is None else NOW + seconds * SECOND

    table = table_of(
        ANN, BOB, deadline=NOW, deadline_kind=kind, turn_since=at(-50), turn_ends=at(ends)
    )
    earliest = NOW + 20 * SECOND
    later = turns.later(table, earliest)
    assert later == replace(
        table, deadline=earliest, turn_since=at(since_later - 50), turn_ends=at(ends_at)
    )
    assert turns.later(later, earliest) is later
    assert turns.later(later, earliest - 1) is later
    waiting = replace(table, deadline=None)
    assert turns.later(waiting, earliest) is waiting


def test_a_lobby_has_no_turn_to_give_time_back_to() -> None:
    lobby = table_of(ANN, deadline=NOW, deadline_kind=DeadlineKind.NUDGE)
    assert turns.later(lobby, NOW + 5) == replace(lobby, deadline=NOW + 5)


def test_all_times_of_a_table_are_shifted_with_the_clock() -> None:
    table = table_of(ANN, BOB, deadline=NOW, turn_since=NOW - 9, turn_ends=NOW + 9)
    assert turns.shifted(table, 5) == replace(
        table, deadline=NOW + 5, turn_since=NOW - 4, turn_ends=NOW + 14
    )
    assert turns.shifted(table_of(ANN), 5) == table_of(ANN)


def test_a_clock_of_an_hour_is_that_of_a_match_over_days() -> None:
    for seconds, slow in ((3599, False), (3600, True)):
        assert turns.is_slow(table_of(ANN, options={"turn_seconds": seconds})) is slow


async def test_time_is_given_back_after_a_start(room) -> None:
    await room.match(ANN, BOB, pings="never")
    room.clock.at = START + 119 * SECOND
    await room.tables.runtime.grant_time(20 * SECOND)
    live = await room.live()
    assert live.table.turn_ends == START + 139 * SECOND
    assert await room.next() == (DeadlineKind.TURN, 139 * SECOND)


async def test_a_reminder_due_long_ago_comes_after_the_time_given_back(room) -> None:
    await room.match(ANN, BOB, turn_seconds=86_400)
    room.clock.at = START + 3600 * SECOND
    await room.tables.runtime.grant_time(20 * SECOND)
    assert await room.next() == (DeadlineKind.NUDGE, 3620 * SECOND)
    await room.happens()
    assert (await room.next())[1] > 12 * 3600 * SECOND


async def test_a_clock_that_ran_out_while_the_bot_was_down_is_given_back(room) -> None:
    await room.match(ANN, BOB)
    room.clock.at = START + 3600 * SECOND
    await room.tables.runtime.grant_time(20 * SECOND)
    live = await room.live()
    assert live.table.turn_ends is not None
    assert live.table.turn_ends >= room.clock.at + 20 * SECOND


# -- what the house plays --------------------------------------------------------------------------
def bidding(own: str, other: str, standing: str | None) -> Match:
    """Thai Poker: the first of two players is to act, with these cards about."""
    rules = ruleset("thai_poker")
    match = start(rules, (ANN, BOB), opener=0 if standing is None else 1)
    hands = (Cards.parse(own), Cards.parse(other))
    dealt = Round(1, "", 1, match.opener or 0, hands, Cards(), turn=0)
    if standing is None:
        return replace(match, round=dealt)
    made = rules.ladder.bid(standing)
    from engine.state import MadeBid

    return replace(match, round=replace(dealt, bids=(MadeBid(1, made),)))


@pytest.mark.parametrize(
    ("own", "standing", "played"),
    [
        ("As Ah Kd", None, MakeBid(0, "high_card:K")),  # the opener must bid
        ("As Ah Kd", "royal_flush:s", Challenge(0)),  # nothing is higher
        ("As Ah Kd", "pair:K", MakeBid(0, "pair:A")),  # sure of it
        ("9s Th Jd", "four:Q", Challenge(0)),  # hardly possible
    ],
)
def test_the_house_plays_what_is_likelier_right_by_the_seats_own_cards(
    own: str, standing: str | None, played: object
) -> None:
    assert absence.stand_in(bidding(own, "Qs Qh Qd", standing), 0) == played


def test_of_bids_that_are_about_as_safe_the_house_makes_the_one_that_tells_least() -> None:
    # ten cards: three nines are good with 57 % for who has two of them, a straight with 54 %
    match = bidding("Kd 9s 9h", "As Ah Qs Qh Jd Jc Ts", "pair:K")
    seen = observe(view(match, 0), Memory("careful", 0))
    assert seen is not None
    assert choose(seen, match.ruleset).action == MakeBid(0, "three:9")
    assert absence.stand_in(match, 0) == MakeBid(0, "straight:K")


def test_the_house_has_no_move_for_who_has_none() -> None:
    undealt = start(ruleset("thai_poker"), (ANN, BOB), opener=0)
    for match, seat in ((undealt, 0), (bidding("As Ah Kd", "Qs Qh Qd", None), 1)):
        with pytest.raises(NotInMatch):
            absence.stand_in(match, seat)


def test_the_house_does_not_look_at_hidden_cards() -> None:
    seen = [
        absence.stand_in(bidding("9s Th Kd", other, "pair:Q"), 0)
        for other in ("Qs Qh Kh", "As Ah Ad", "Ks Kh Ah")
    ]
    assert len(set(seen)) == 1


async def test_only_who_is_to_act_may_act_however_late(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    await room.happens()
    with pytest.raises(NotYourTurn):
        await room.tables.change(room.id, ask(sleeper), plans.bid, "four:A")


# -- who is back plays on, and makes nobody else wait ----------------------------------------------


async def test_who_is_back_plays_on_with_a_whole_clock(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    assert (await room.next())[0] is DeadlineKind.HOUSE
    room.clock.at += SECOND
    live = await room.tables.change(room.id, ask(sleeper), plans.back)
    assert live.table.turn_ends == room.clock.at + 120 * SECOND
    assert await room.next() == (DeadlineKind.TURN, 121 * SECOND)
    with pytest.raises(errors.NotAway):
        await room.tables.change(room.id, ask(sleeper), plans.back)


async def test_who_is_back_in_the_turn_of_another_leaves_their_clock_as_it_is(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = ({ANN, BOB, CLEO} - {await room.turn()}).pop()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    assert await room.turn() != sleeper
    before = await room.live()
    room.clock.at += 50 * SECOND
    live = await room.tables.change(room.id, ask(sleeper), plans.back)
    assert (live.table.turn_since, live.table.turn_ends) == (
        before.table.turn_since,
        before.table.turn_ends,
    )
    assert await room.next() == (DeadlineKind.TURN, 120 * SECOND)


async def test_nobody_makes_the_others_wait_longer_between_rounds(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = ({ANN, BOB, CLEO} - {await room.turn()}).pop()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    await room.tables.change(room.id, ask(await room.turn()), plans.bid, "high_card:9")
    if await room.turn() == sleeper:
        await room.happens()
    if (await room.live()).match.phase is Phase.BIDDING:
        await room.tables.change(room.id, ask(await room.turn()), plans.challenge)
    kind, at = await room.next()
    assert kind is DeadlineKind.NEXT_ROUND
    room.clock.at += 9 * SECOND
    await room.tables.change(
        room.id, ask(sleeper), plans.back
    )  # pressed on a screen of a moment ago
    assert await room.next() == (kind, at)
    await room.tables.change(room.id, ask(DAN), plans.wait)
    assert await room.next() == (kind, at)


async def test_nobody_holds_up_what_the_house_plays(room) -> None:
    await room.match(ANN, BOB, CLEO, pings="never")
    sleeper = await room.turn()
    for voter in {ANN, BOB, CLEO} - {sleeper}:
        await room.tables.change(room.id, ask(voter), plans.say_away, sleeper)
    kind, at = await room.next()
    assert kind is DeadlineKind.HOUSE
    room.clock.at += SECOND
    await room.tables.change(room.id, ask(DAN), plans.wait)
    assert await room.next() == (kind, at)

"""Turns against the clock: reminders, a clock that runs out, who is away, time given back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.tables import absence, plans
from bot.tables.model import DeadlineKind, MatchStatus, Status
from engine.actions import Challenge, MakeBid
from engine.cards import Cards
from engine.errors import NotInMatch, NotYourTurn
from engine.play import start
from engine.players import Memory, choose, observe
from engine.state import Match, Round
from engine.variants import ruleset
from engine.view import view
from tests.bot.tables.clockwork import ANN, BOB, CLEO, MINUTE, SECOND, START, Room, ask, clockwork


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


@pytest.mark.parametrize(
    ("options", "course"),
    [
        ({"turn_seconds": 30}, [15, 30]),  # half comes sooner than 20 s: one reminder
        ({"turn_seconds": 60}, [20, 30, 60]),
        ({"turn_seconds": 0}, [20]),
        ({"pings": "every"}, [60, 120]),
        ({"pings": "never"}, [120]),
        ({"pings": "never", "turn_seconds": 0}, []),
    ],
)
async def test_the_house_chooses_when_a_turn_is_reminded(room, options, course) -> None:
    await room.match(ANN, BOB, **options)
    for seconds in course:
        kind, at = await room.next()
        assert at == seconds * SECOND
        if kind is DeadlineKind.TURN:
            return
        await room.happens()
    assert await room.next() == (None, None)


async def test_where_every_turn_is_reminded_it_is_at_once(room) -> None:
    await room.match(ANN, BOB, pings="every")
    assert (await room.live()).table.nudges == 1
    live = await room.tables.change(room.id, ask(await room.turn()), plans.bid, "pair:9")
    assert live.table.nudges == 1


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

"""Players cannot drop others or end a match alone: they ask, and another player decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.tables import errors, moderation
from bot.tables.live import LiveTable
from bot.tables.model import Change, MatchStatus, Status
from bot.tables.moderation import THE_MATCH
from bot.tables.requests import Ask
from engine.actions import Forfeit
from engine.errors import MatchIsOver, NotInMatch
from engine.state import Cause
from tests.bot.tables.room import ANN, BOB, CLEO, Room, ask
from tests.bot.tables.scenes import (
    AGNES,
    DAN,
    MIRA,
    MOMENT,
    NOW,
    after_moves,
    dealt,
    match_of,
    table_of,
)


async def stored_outcome(room: Room, table_id: int) -> tuple[MatchStatus, object]:
    """Return the match's status in the database, and the winner's id or None."""
    snapshot = await room.store.tables.snapshot(table_id)
    assert snapshot is not None
    assert snapshot.match is not None
    return snapshot.match.status, snapshot.table.last_winner


@pytest.mark.parametrize("moderates", [False, True])
async def test_dropping_the_only_present_opponent_needs_their_consent(
    room: Room, moderates: bool
) -> None:
    table_id = await room.match(ANN, BOB)
    live = await room.tables.change(
        table_id, replace(ask(ANN), moderator=moderates), moderation.drop, BOB
    )
    assert live.table.status is Status.PLAYING
    assert live.table.votes == {THE_MATCH: (ANN,)}
    live = await room.tables.change(
        table_id, ask(BOB), moderation.agree, live.table.match_id or 0, THE_MATCH
    )
    assert live.table.status is Status.CLOSED
    assert await stored_outcome(room, table_id) == (MatchStatus.ABANDONED, None)


async def test_a_moderator_who_does_not_play_needs_no_consent(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    with pytest.raises(errors.NotHost):
        await room.tables.change(table_id, ask(DAN), moderation.drop, BOB)
    live = await room.tables.change(
        table_id, replace(ask(DAN), moderator=True), moderation.drop, BOB
    )
    assert live.match is not None
    assert not live.match.seats[1].live
    with pytest.raises(errors.NotHost):
        await room.tables.change(table_id, ask(DAN), moderation.end)
    live = await room.tables.change(table_id, replace(ask(DAN), moderator=True), moderation.end)
    assert live.table.status is Status.CLOSED


@pytest.mark.parametrize("players", [(ANN, BOB), (ANN, BOB, CLEO)])
async def test_a_host_cannot_end_a_match_after_looking_at_their_cards(
    room: Room, players: tuple[int, ...]
) -> None:
    table_id = await room.match(*players)
    for _ in range(2):
        live = await room.tables.change(table_id, replace(ask(ANN), moderator=True), moderation.end)
        assert live.table.status is Status.PLAYING
    live = await room.tables.change(table_id, ask(BOB), moderation.end)
    assert live.table.status is Status.CLOSED
    assert await stored_outcome(room, table_id) == (MatchStatus.ABANDONED, None)


# -- without a store -------------------------------------------------------------------------------


def with_table(live: LiveTable, **changed: Any) -> LiveTable:
    """Return the table with some of its stored fields changed."""
    return replace(live, table=replace(live.table, **changed))


def test_only_the_host_or_a_moderator_drops_somebody_from_a_lobby() -> None:
    lobby = LiveTable(table_of(ANN, BOB, CLEO))
    for asks in (Ask(ANN, 7), Ask(DAN, 7, moderator=True)):
        after, change = moderation.drop(lobby, asks, MOMENT, BOB)
        assert after == LiveTable(replace(lobby.table, players=(ANN, CLEO)))
        assert change == Change(after.table, 7)
    with pytest.raises(errors.NotHere):
        moderation.drop(lobby, Ask(ANN, 7), MOMENT, DAN)
    with pytest.raises(errors.NotHost):
        moderation.drop(lobby, Ask(BOB, 7), MOMENT, CLEO)


@pytest.mark.parametrize(
    ("asking", "dropped", "refused"),
    [
        (ANN, ANN, errors.Oneself),
        (ANN, 99, errors.NotHere),
        (ANN, DAN, errors.NotHere),  # has left
        (DAN, ANN, NotInMatch),
    ],
)
def test_only_players_ask_that_another_player_be_dropped(
    asking: int, dropped: int, refused: type[Exception]
) -> None:
    three = after_moves(dealt(ANN, BOB, CLEO, DAN), Forfeit(3))
    for live in (three, after_moves(three, Forfeit(2))):
        with pytest.raises(refused):
            moderation.drop(live, Ask(asking, 7), MOMENT, dropped)


def test_a_player_who_left_cannot_drop_computer_players() -> None:
    live = after_moves(dealt(ANN, AGNES, MIRA), Forfeit(0))
    with pytest.raises(NotInMatch):
        moderation.drop(live, Ask(ANN, 7), MOMENT, AGNES)


def test_nobody_can_be_dropped_without_a_match() -> None:
    live = dealt(ANN, BOB, CLEO)
    for over in (with_table(live, status=Status.CLOSED), replace(live, match=None)):
        with pytest.raises(errors.NotHere):
            moderation.drop(over, Ask(ANN, 7), MOMENT, BOB)


def test_ending_a_match_of_two_people_needs_both_and_computer_players_do_not_count() -> None:
    after, _ = moderation.drop(dealt(ANN, BOB, AGNES), Ask(ANN, 7), MOMENT, BOB)
    assert after.table.votes == {THE_MATCH: (ANN,)}
    after, _ = moderation.drop(dealt(ANN, BOB, CLEO), Ask(ANN, 7), MOMENT, BOB)
    after, _ = moderation.drop(after, Ask(ANN, 8), MOMENT, BOB)  # asking twice is asking once
    assert after.table.votes == {BOB: (ANN,)}
    after, change = moderation.drop(after, Ask(CLEO, 7), MOMENT, BOB)
    assert (after.table.votes, change.actions[0].body["cause"]) == ({}, Cause.DROPPED)


def test_the_host_may_drop_an_absent_player() -> None:
    live = with_table(dealt(ANN, BOB, CLEO), absent={BOB: 2})
    with pytest.raises(errors.NotHost):
        moderation.drop(live, Ask(CLEO, 7), MOMENT, BOB)
    after, change = moderation.drop(live, Ask(ANN, 7), MOMENT, BOB)
    assert (match_of(after).live, change.actions[0].body["cause"]) == ((0, 2), Cause.DROPPED)


def test_eliminated_players_do_not_vote_and_a_lone_person_needs_no_consent() -> None:
    out = after_moves(dealt(ANN, BOB, CLEO), Forfeit(0))
    with pytest.raises(NotInMatch):
        moderation.end(out, Ask(ANN, 7, moderator=True), MOMENT)
    alone = dealt(ANN, AGNES, MIRA)
    for live in (alone, after_moves(alone, Forfeit(0))):  # who is out watches
        assert moderation.end(live, Ask(ANN, 7), MOMENT)[0].table.status is Status.CLOSED


def test_a_request_of_a_player_who_left_does_not_count() -> None:
    live, _ = moderation.end(dealt(ANN, BOB, CLEO), Ask(ANN, 7), MOMENT)
    live, _ = moderation.end(after_moves(live, Forfeit(0)), Ask(BOB, 7), MOMENT)
    assert (live.table.status, live.table.votes) == (Status.PLAYING, {THE_MATCH: (BOB,)})


def test_a_match_with_a_winner_is_over_and_not_ended_once_more() -> None:
    won = with_table(after_moves(dealt(ANN, BOB), Forfeit(1)), status=Status.FINISHED)
    with pytest.raises(MatchIsOver):
        moderation.end(won, Ask(ANN, 7), MOMENT)


@pytest.mark.parametrize("status", [Status.FINISHED, Status.CLOSED])
def test_a_match_that_is_over_cannot_be_ended(status: Status) -> None:
    live = with_table(dealt(ANN, BOB), status=status)
    for table in (live, replace(live, match=None)):
        for player in (ANN, BOB, DAN):
            with pytest.raises(errors.NoTable):
                moderation.end(table, Ask(player, 7), MOMENT)


def test_absence_is_no_consent_and_an_answer_marks_a_player_as_present() -> None:
    live = with_table(dealt(ANN, BOB, CLEO), absent={ANN: 2, CLEO: 2}, turn_since=NOW, host_id=BOB)
    live, _ = moderation.end(live, Ask(BOB, 7), MOMENT)
    assert (live.table.status, live.table.votes) == (Status.PLAYING, {THE_MATCH: (BOB,)})
    live = with_table(live, votes={**live.table.votes, CLEO: (BOB,)})
    after, change = moderation.refuse(live, Ask(ANN, 7), MOMENT, 9, THE_MATCH)
    assert change.table == after.table
    assert after.table == replace(
        live.table, votes={CLEO: (BOB,)}, absent={CLEO: 2}, turn_since=None
    )


def test_a_request_is_answered_only_in_its_match_and_by_its_players() -> None:
    live, _ = moderation.drop(dealt(ANN, BOB, CLEO, DAN), Ask(ANN, 7), MOMENT, BOB)
    with pytest.raises(NotInMatch):
        moderation.refuse(after_moves(live, Forfeit(1)), Ask(BOB, 7), MOMENT, 9, BOB)
    for live_then, match_id, about in (
        (live, 8, BOB),
        (live, 9, THE_MATCH),
        (with_table(live, status=Status.CLOSED), 9, BOB),
        (replace(live, match=None), 9, BOB),
    ):
        for answer in (moderation.agree, moderation.refuse):
            with pytest.raises(errors.MovedOn):
                answer(live_then, Ask(BOB, 7), MOMENT, match_id, about)
    with pytest.raises(errors.NotAsked):
        moderation.refuse(live, Ask(CLEO, 7), MOMENT, 9, BOB)
    for answer in (moderation.agree, moderation.refuse):
        with pytest.raises(errors.NotSeated):
            answer(live, Ask(99, 7), MOMENT, 9, BOB)
    assert moderation.refuse(live, Ask(BOB, 7), MOMENT, 9, BOB)[0].table.votes == {}
    agreed, _ = moderation.agree(live, Ask(CLEO, 7), MOMENT, 9, BOB)
    assert match_of(agreed).live == (0, 2, 3)

"""Nobody who sits in a match has power over it: they ask, and another player decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.tables import errors, moderation, plans
from bot.tables.absence import is_away
from bot.tables.model import MatchStatus, Status
from bot.tables.moderation import THE_MATCH
from engine.errors import NotInMatch
from engine.state import Cause
from tests.bot.tables.room import ANN, BOB, CLEO, Room, ask

DAN = 14


async def stored(room: Room, table_id: int) -> tuple[MatchStatus, object]:
    """How the match stands in the database, and who won."""
    snapshot = await room.store.tables.snapshot(table_id)
    assert snapshot is not None
    assert snapshot.match is not None
    return snapshot.match.status, snapshot.table.last_winner


@pytest.mark.parametrize("moderates", [False, True])
async def test_to_drop_the_only_opponent_who_is_there_is_to_ask_them(
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
    assert await stored(room, table_id) == (MatchStatus.ABANDONED, None)


async def test_who_is_asked_may_play_on_and_then_nothing_is_asked(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    live = await room.tables.change(table_id, ask(BOB), moderation.drop, ANN)  # whoever hosts
    match_id = live.table.match_id or 0
    live = await room.tables.change(table_id, ask(ANN), moderation.refuse, match_id, THE_MATCH)
    assert (live.table.status, live.table.votes) == (Status.PLAYING, {})
    for answer in (moderation.agree, moderation.refuse):
        with pytest.raises(errors.MovedOn):
            await room.tables.change(table_id, ask(ANN), answer, match_id, THE_MATCH)


async def test_only_who_is_to_be_dropped_can_say_that_they_are_there(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    live = await room.tables.change(table_id, ask(ANN), moderation.drop, BOB)
    match_id = live.table.match_id or 0
    with pytest.raises(errors.NotAsked):
        await room.tables.change(table_id, ask(CLEO), moderation.refuse, match_id, BOB)
    with pytest.raises(errors.NotSeated):
        await room.tables.change(table_id, ask(DAN), moderation.agree, match_id, BOB)
    live = await room.tables.change(table_id, ask(BOB), moderation.refuse, match_id, BOB)
    assert live.table.votes == {}
    await room.tables.change(table_id, ask(ANN), moderation.drop, BOB)
    live = await room.tables.change(table_id, ask(CLEO), moderation.agree, match_id, BOB)
    assert live.match is not None
    assert [seat.live for seat in live.match.seats] == [True, False, True]


async def test_who_is_away_has_not_agreed_that_the_match_end(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO, DAN)
    for gone in (BOB, CLEO, DAN):
        for voter in [one for one in (ANN, BOB, CLEO, DAN) if one != gone][:2]:
            await room.tables.change(table_id, ask(voter), plans.say_away, gone)
    live = await room.tables.change(table_id, ask(ANN), moderation.end)
    assert live.table.status is Status.PLAYING
    match_id = live.table.match_id or 0
    live = await room.tables.change(table_id, ask(CLEO), moderation.refuse, match_id, THE_MATCH)
    assert live.table.status is Status.PLAYING
    assert not is_away(live.table, CLEO)  # an answer is a sign of life


async def test_of_three_two_of_the_others_drop_somebody_who_is_there(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    for _ in range(2):  # asking twice is asking once
        live = await room.tables.change(
            table_id, replace(ask(ANN), moderator=True), moderation.drop, BOB
        )
        assert live.match is not None
        assert all(seat.live for seat in live.match.seats)
    live = await room.tables.change(table_id, ask(CLEO), moderation.drop, BOB)
    assert live.match is not None
    assert [seat.live for seat in live.match.seats] == [True, False, True]
    snapshot = await room.store.tables.snapshot(table_id)
    assert snapshot is not None
    assert snapshot.match is not None
    assert snapshot.match.actions[-1].body["cause"] == Cause.DROPPED  # marked in the log


async def test_who_moves_is_not_dropped_by_an_older_request(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    turn = await room.turn(table_id)
    others = [one for one in (ANN, BOB, CLEO) if one != turn]
    await room.tables.change(table_id, ask(others[0]), moderation.drop, turn)
    await room.tables.change(table_id, ask(turn), plans.bid, "pair:9")
    live = await room.tables.change(table_id, ask(others[1]), moderation.drop, turn)
    assert live.match is not None
    assert all(seat.live for seat in live.match.seats)


async def test_who_is_away_may_be_dropped_by_the_host_and_nobody_drops_themselves(
    room: Room,
) -> None:
    table_id = await room.match(ANN, BOB, CLEO, DAN)
    with pytest.raises(errors.Oneself):
        await room.tables.change(table_id, ask(ANN), moderation.drop, ANN)
    await room.tables.change(table_id, ask(CLEO), plans.say_away, BOB)
    await room.tables.change(table_id, ask(DAN), plans.say_away, BOB)
    with pytest.raises(errors.NotHost):
        await room.tables.change(table_id, ask(CLEO), moderation.drop, BOB)
    live = await room.tables.change(table_id, ask(ANN), moderation.drop, BOB)
    assert live.match is not None
    assert not live.match.seats[1].live


async def test_a_moderator_who_does_not_play_needs_nobody_else(room: Room) -> None:
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
    assert await stored(room, table_id) == (MatchStatus.ABANDONED, None)


async def test_a_request_to_end_lasts_until_the_next_deal(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    await room.tables.change(table_id, ask(ANN), moderation.end)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    await room.tables.change(table_id, ask(BOB), plans.next_round)
    live = await room.tables.change(table_id, ask(BOB), moderation.end)
    assert live.table.status is Status.PLAYING


async def test_who_is_out_has_no_say_and_who_is_alone_needs_nobody(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    await room.tables.change(table_id, ask(ANN), plans.forfeit)
    for refused in (
        lambda: room.tables.change(table_id, ask(ANN), moderation.end),
        lambda: room.tables.change(
            table_id, replace(ask(ANN), moderator=True), moderation.drop, BOB
        ),
    ):
        with pytest.raises(NotInMatch):
            await refused()
    alone = await room.lobby(ANN, channel=3)
    for character in ("sly", "wild"):
        await room.tables.change(alone, ask(ANN), plans.add_computer, character)
    await room.tables.change(alone, ask(ANN), plans.start)
    live = await room.tables.change(alone, ask(ANN), moderation.end)
    assert live.table.status is Status.CLOSED

"""People and computer players at one table: who is sent cards, who hosts, when it is over."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.computer_turns import SOONER
from bot.tables.model import DeadlineKind, MatchStatus, Status
from tests.bot.storage.asking import transaction
from tests.bot.tables.company import (
    AGNES,
    ANN,
    BOB,
    CLEO,
    MINUTE,
    MIRA,
    Always,
    House,
    ask,
    match_of,
    round_of,
)


async def ended(house: House) -> MatchStatus:
    """How the stored match stands."""
    snapshot = await house.store.tables.snapshot(house.id)
    assert snapshot is not None
    assert snapshot.match is not None
    return snapshot.match.status


async def test_cards_are_owed_to_people_alone(store: SqlStore) -> None:
    house = House(store)
    live = await house.match(ANN, BOB, with_=("careful", "sly"))
    rows = await store.matches.deliveries(live.table.match_id or 0, 1)
    assert [row.player for row in rows] == [ANN, BOB]


async def test_a_match_is_over_when_the_last_person_leaves_it(store: SqlStore) -> None:
    house = House(store)
    await house.match(ANN, BOB, with_=("careful", "sly"))
    live = await house.tables.change(house.id, ask(ANN), plans.forfeit)
    assert (live.table.status, live.table.host_id) == (Status.PLAYING, BOB)
    live = await house.tables.change(house.id, ask(BOB), plans.forfeit)
    assert live.table.status is Status.CLOSED
    assert live.table.deadline is None
    assert await ended(house) is MatchStatus.ABANDONED


async def test_whoever_leaves_one_computer_player_alone_has_lost(store: SqlStore) -> None:
    house = House(store)
    await house.match(ANN, with_=("careful",))
    live = await house.tables.change(house.id, ask(ANN), plans.forfeit)
    assert live.table.status is Status.FINISHED
    assert match_of(live).winner == 1
    assert await ended(house) is MatchStatus.WON


@pytest.mark.long
async def test_they_play_on_sooner_when_the_last_person_is_out_and_it_ends(
    store: SqlStore,
) -> None:
    house = House(store)
    await house.match(ANN, with_=("careful", "sly", "wild"), length="one_more")
    sooner = 0
    for _ in range(3000):
        live = await house.live()
        if live.table.status is not Status.PLAYING:
            break
        if not match_of(live).seats[0].live and live.table.deadline_kind is not None:
            assert live.table.host_id == ANN
            began, kind = house.clock.at, await house.happens()
            if kind is DeadlineKind.NEXT_ROUND:
                assert house.clock.at - began == 15_000 // SOONER
                sooner += 1
        elif live.table.deadline_kind is DeadlineKind.NEXT_ROUND:
            await house.happens()
        elif await house.turn() == ANN:  # claims the most, so as to be out soon
            top = match_of(live).ruleset.ladder.rungs[-1][0].key
            standing = round_of(live).standing
            if standing is not None and standing.bid.key == top:
                await house.tables.change(house.id, ask(ANN), plans.challenge)
            else:
                await house.tables.change(house.id, ask(ANN), plans.bid, top)
        else:
            await house.happens()
    assert live.table.status is Status.FINISHED
    assert sooner


async def away(house: House, player: int) -> None:
    """Let somebody's clock run out twice."""
    for _ in range(2):
        await house.until_turn(player)
        while await house.happens() is not DeadlineKind.TURN:
            pass
        while round_of(await house.live()).outcome is not None:
            await house.happens()


async def test_an_away_players_seat_is_played_by_the_houses_own_player(store: SqlStore) -> None:
    asked = []
    house = House(store, Always())
    await house.match(ANN, BOB, CLEO, with_=())
    for voter in (ANN, CLEO):
        await house.tables.change(house.id, ask(voter), plans.say_away, BOB)
    await house.until_turn(BOB)
    live = await house.live()
    assert live.table.deadline_kind is DeadlineKind.HOUSE
    await house.thinking.settled()
    asked = house.decider.asked[-1]  # type: ignore[attr-defined]
    assert (asked.character, asked.seat) == ("stand-in", 1)
    decided = house.thinking.decided(live)
    assert decided is not None
    await house.happens()
    last = (await house.stored())[-1]
    assert last["by_house"] is True
    assert last["seat"] == 1
    assert last.get("bid", "challenge") == getattr(decided.action, "key", "challenge")


async def test_a_turn_that_runs_out_is_played_by_it_too(store: SqlStore) -> None:
    house = House(store, Always())
    await house.match(ANN, BOB, with_=())
    while (await house.table()).deadline_kind is not DeadlineKind.TURN:
        assert not house.decider.asked  # type: ignore[attr-defined]
        await house.happens()
    live = await house.live()
    await house.thinking.settled()
    decided = house.thinking.decided(live)
    assert decided is not None
    assert decided.action is not None
    await house.happens()
    last = (await house.stored())[-1]
    assert (last["by_house"], last["bid"]) == (True, getattr(decided.action, "key", None))


async def test_computer_players_do_not_play_on_while_every_person_is_away(store: SqlStore) -> None:
    house = House(store)
    await house.match(ANN, with_=("careful", "sly"))
    await away(house, ANN)
    table = await house.table()
    assert table.deadline_kind is DeadlineKind.DESERTED
    assert table.deadline == house.clock.at + 60 * MINUTE
    live = await house.tables.change(house.id, ask(ANN), plans.back)
    assert live.table.deadline_kind is not DeadlineKind.DESERTED


async def test_a_guild_stores_who_played_so_that_nothing_is_rated(store: SqlStore) -> None:
    house = House(store)
    await house.match(ANN, with_=("careful", "sly"))
    async with transaction(store.database) as connection:
        found = await connection.execute(text("SELECT players FROM matches"))
        assert found.scalar_one() == f"[{ANN},{AGNES},{MIRA}]"

"""The store's contract for mistakes that the quiz asks about, on SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace

from bot.storage.store import SqlStore
from bot.tables.model import Mistake
from tests.bot.storage.moves import ANN, BOB, NOW
from tests.bot.storage.test_contract_daily import end_daily, result
from tests.bot.storage.test_contract_history import won


async def test_decisions_are_asked_by_when_they_are_due(store: SqlStore) -> None:
    match = (await won(store, ANN, BOB)).match_id or 0
    mistakes = store.mistakes
    assert await mistakes.not_looked_through(ANN, 9) == [match]
    assert await mistakes.due(ANN, NOW) is None
    await mistakes.note_looked_through(ANN, match, [5, 2], NOW)
    assert await mistakes.not_looked_through(ANN, 9) == []
    assert await mistakes.not_looked_through(BOB, 9) == [match]
    first = await mistakes.due(ANN, NOW)
    assert first == Mistake(ANN, match, 2, 0, 0, NOW)
    assert await mistakes.due(ANN, NOW - 1) is None
    assert await mistakes.due(BOB, NOW) is None
    assert await mistakes.next_at(ANN) == NOW

    after = replace(first, asked=1, right=1, due_at=NOW + 7)
    assert await mistakes.note_answered(first, after)
    assert not await mistakes.note_answered(first, after)  # it was answered a moment ago
    assert await mistakes.find(ANN, match, 2) == after
    second = await mistakes.due(ANN, NOW)
    assert second is not None
    assert second.seq == 5
    assert await mistakes.note_answered(second, replace(second, asked=1, due_at=None))
    assert await mistakes.next_at(ANN) == NOW + 7
    await mistakes.note_looked_through(ANN, match, [5, 2], NOW)  # none is asked twice for it
    assert await mistakes.due(ANN, NOW) is None


async def test_the_note_that_a_match_was_searched_is_not_a_decision(
    store: SqlStore,
) -> None:
    match = (await won(store, ANN, BOB)).match_id or 0
    await store.mistakes.note_looked_through(ANN, match, [], NOW)
    assert await store.mistakes.find(ANN, match, 0) is None
    assert await store.mistakes.due(ANN, NOW * 2) is None
    assert await store.mistakes.next_at(ANN) is None


async def test_only_the_latest_matches_are_looked_through(store: SqlStore) -> None:
    numbers = [(await won(store, ANN, BOB)).match_id for _ in range(4)]
    assert await store.mistakes.not_looked_through(ANN, 3) == numbers[:0:-1]
    deal = await end_daily(store, result(ANN))
    given_up = await end_daily(store, result(ANN, game="liars_poker", place=None))
    assert deal.match_id < given_up.match_id
    assert await store.mistakes.not_looked_through(ANN, 3) == [deal.match_id, *numbers[:1:-1]]


async def test_decisions_are_deleted_with_their_person_and_with_their_match(
    store: SqlStore,
) -> None:
    for player in (ANN, BOB):
        match = (await won(store, ANN, BOB)).match_id or 0
        await store.mistakes.note_looked_through(player, match, [2], NOW)
    rows = (await store.privacy.dossier(ANN)).rows["mistakes"]
    assert [row["seq"] for row in rows] == [0, 2]
    await store.privacy.forget(ANN)
    assert await store.mistakes.next_at(ANN) is None
    assert await store.mistakes.next_at(BOB) == NOW
    while (await store.retention.purge_old(NOW * 2, 99)).rows:
        pass
    assert await store.mistakes.next_at(BOB) is None

"""Cutting at a table, without a store: seals, who may cut, when a cut counts, and deletion."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import cuts, errors, history, plans
from bot.tables.changes import Changes
from bot.tables.live import LiveTable, with_left
from bot.tables.model import PlayerCut, Snapshot, Status, Table
from bot.tables.requests import NOBODY, Ask
from engine.actions import Challenge, Deal, Forfeit, MakeBid, from_json
from engine.cutting import cut, cut_shuffle, round_seed
from engine.errors import NotInMatch
from tests.bot.tables.room import FakeClock
from tests.bot.tables.scenes import (
    AGNES,
    ANN,
    BOB,
    CLEO,
    DAN,
    LIMITS,
    MOMENT,
    NOW,
    THAI,
    after_moves,
    dealt,
    match_of,
    round_of,
    table_of,
)

ROOT = bytes(range(32))


def lobby(*players: int) -> LiveTable:
    return LiveTable(table_of(*(players or (ANN, BOB, CLEO)), chain_root=ROOT))


def after_cuts(live: LiveTable, *args: tuple[int, str]) -> LiveTable:
    for player, text in args:
        live, _ = plans.cut(live, Ask(player, None), MOMENT, text)
    return live


def start_match(live: LiveTable) -> LiveTable:
    after, _ = plans.start(live, Ask(live.table.host_id, None), MOMENT)
    return after


def next_deal(live: LiveTable) -> tuple[LiveTable, Deal]:
    after, change = plans.deal(live, NOBODY, MOMENT)
    deal = from_json(change.actions[0].body)
    assert isinstance(deal, Deal)
    return after, deal


def ended_round(live: LiveTable) -> LiveTable:
    opened = after_moves(live, MakeBid(round_of(live).turn, "high_card:9"))
    return after_moves(opened, Challenge(round_of(opened).turn))


def hash_often(message: bytes, times: int) -> str:
    for _ in range(times):
        message = hashlib.sha256(message).digest()
    return message.hex()


def test_the_seal_of_a_lobby_is_that_of_its_first_deal_and_fixes_all_others() -> None:
    before = lobby()
    seal = cuts.match_seal(before.table)
    assert seal == hash_often(ROOT, 1000)
    assert cuts.next_seal(before) == seal
    live = start_match(before)
    for number in range(1, 4):
        current = round_of(live)
        assert current.number == number
        assert hash_often(live.seeds[number], number) == seal
        assert current.commitment == hash_often(live.seeds[number], 1)
        assert cuts.next_seal(live) is None  # it is the seed of the round being bid
        assert cuts.match_seal(live.table) == seal
        live = ended_round(live)
        assert cuts.next_seal(live) == live.seeds[number].hex()
        live, _ = next_deal(live)


def test_the_deal_is_made_of_seed_and_cuts_in_their_order_and_records_them() -> None:
    before = after_cuts(lobby(), (CLEO, "one"), (ANN, "two"))
    after, change = plans.start(before, Ask(ANN, None), MOMENT)
    deal = from_json(change.actions[0].body)
    assert isinstance(deal, Deal)
    assert deal.cuts == (cut(2, "one"), cut(0, "two"))
    digests = [cut.digest for cut in deal.cuts]
    again = cut_shuffle(round_seed(ROOT, 1), digests, match_of(after).ruleset.deck.order, 3)
    assert (deal.order, deal.drawn) == (again.order, again.drawn)
    assert change.seeds == ((1, round_seed(ROOT, 1)),)


def test_a_cut_counts_until_its_player_cuts_again() -> None:
    live = start_match(after_cuts(lobby(), (ANN, "a"), (BOB, "b")))
    live, deal = next_deal(ended_round(live))
    assert [cut.text for cut in deal.cuts] == ["a", "b"]
    live, deal = next_deal(after_cuts(ended_round(live), (ANN, "c")))
    assert [(cut.seat, cut.text) for cut in deal.cuts] == [(1, "b"), (0, "c")]


def test_a_cut_during_a_round_counts_for_the_next() -> None:
    live = start_match(after_cuts(lobby(), (ANN, "a")))
    before = match_of(live)
    cut_now = after_cuts(live, (BOB, "b"))
    assert cut_now.match is before  # no control that was drawn for it goes stale
    assert cuts.waiting_cuts(live) == ()
    assert cuts.waiting_cuts(cut_now) == (PlayerCut(BOB, "b", 2),)
    _, deal = next_deal(ended_round(cut_now))
    assert [cut.text for cut in deal.cuts] == ["a", "b"]


def test_leaving_a_lobby_removes_the_players_words() -> None:
    live = after_cuts(lobby(), (ANN, "a"), (BOB, "b"))
    assert with_left(live.table, ANN).cuts == (PlayerCut(BOB, "b", 1),)


def test_leaving_a_match_keeps_the_players_words() -> None:
    live = after_moves(start_match(after_cuts(lobby(), (ANN, "a"))), Forfeit(0))
    _, deal = next_deal(ended_round(live))
    assert [(cut.seat, cut.text) for cut in deal.cuts] == [(0, "a")]


@pytest.mark.parametrize(
    ("table", "refused"),
    [
        (table_of(ANN, BOB, chain_root=ROOT), errors.NotSeated),
        (table_of(ANN, BOB), errors.MovedOn),  # opened by an earlier version: nothing is sealed
        (table_of(ANN, BOB, DAN, chain_root=ROOT, status=Status.FINISHED), errors.MovedOn),
        (table_of(ANN, BOB, DAN, chain_root=ROOT, status=Status.CLOSED), errors.MovedOn),
    ],
)
def test_a_refused_cut_has_its_reason(table: Table, refused: type[Exception]) -> None:
    with pytest.raises(refused):
        plans.cut(LiveTable(table), Ask(DAN, None), MOMENT, "me too")


def test_only_players_of_the_match_cut() -> None:
    live = after_moves(start_match(lobby()), Forfeit(1))
    with pytest.raises(NotInMatch):
        plans.cut(live, Ask(BOB, None), MOMENT, "still here")
    with pytest.raises(errors.NotSeated):
        plans.cut(live, Ask(DAN, None), MOMENT, "me too")


def test_a_match_of_an_earlier_version_is_sealed_with_its_next_deal() -> None:
    old = dealt(ANN, BOB, CLEO)
    old = replace(ended_round(old), table=replace(old.table, chain_root=None))
    assert (cuts.match_seal(old.table), cuts.next_seal(old)) == (None, None)
    after, change = plans.deal(old, NOBODY, replace(MOMENT, draw_seed=lambda: ROOT))
    assert after.table.chain_root == change.table.chain_root == ROOT
    assert after.seeds[2] == round_seed(ROOT, 2)
    later = after_cuts(after, (ANN, "now I may"))
    assert cuts.waiting_cuts(later) == (PlayerCut(ANN, "now I may", 3),)


def test_after_the_end_neither_the_secret_nor_the_words_are_kept() -> None:
    live = after_cuts(lobby(), (ANN, "a"))
    live = replace(live, table=replace(live.table, daily_guild=7))
    for status in (Status.FINISHED, Status.CLOSED):
        over = cuts.without_secrets(replace(live.table, status=status))
        assert over == replace(live.table, status=status, chain_root=None, cuts=(), daily_guild=0)
    for status in (Status.LOBBY, Status.PLAYING):
        goes_on = replace(live.table, status=status)
        assert cuts.without_secrets(goes_on) == goes_on


def test_a_lobby_with_a_new_seal_has_no_cuts() -> None:
    table = cuts.with_seal(after_cuts(lobby(), (ANN, "a")).table, bytes(32))
    assert (table.chain_root, table.cuts) == (bytes(32), ())


def test_cutting_makes_nobody_wait_and_hurries_nobody() -> None:
    between = ended_round(start_match(lobby()))
    live = replace(between, table=plans.set_clocks(between, between, LIMITS, NOW))
    later = after_cuts(live, (ANN, "a"))
    later = replace(later, table=plans.set_clocks(live, later, LIMITS, NOW + 9_000))
    assert later.table.deadline == NOW + 15_000
    same = after_cuts(later, (ANN, "a"))  # the same words again: nothing of the table is another
    assert plans.set_clocks(later, same, LIMITS, NOW + 9_000).deadline == NOW + 15_000
    hers = start_match(LiveTable(replace(lobby(AGNES, ANN).table, last_winner=AGNES)))
    due = replace(hers, table=replace(plans.set_clocks(hers, hers, LIMITS, NOW), deadline=NOW + 7))
    assert (
        plans.set_clocks(due, after_cuts(due, (ANN, "a")), LIMITS, NOW + 9_000).deadline == NOW + 7
    )
    open_lobby = replace(lobby(), table=plans.set_clocks(lobby(), lobby(), LIMITS, NOW))
    words = after_cuts(open_lobby, (ANN, "a"))  # a sign of life there
    assert plans.set_clocks(open_lobby, words, LIMITS, NOW + 9_000).deadline == NOW + 3_609_000


async def test_seal_and_cuts_are_the_same_after_a_restart(store: SqlStore) -> None:
    interactions, roots = itertools.count(1), itertools.count(7)

    def tables() -> Tables:
        clock = FakeClock()
        draw: Callable[[], bytes] = lambda: next(roots).to_bytes(32, "big")  # noqa: E731
        return Tables(store, clock, Changes(), LIMITS, draw)

    def ask(player: int) -> Ask:
        return Ask(player, next(interactions))

    before = tables()
    number = (await before.open(ask(ANN), 1, 2, THAI)).table.id
    await before.change(number, ask(BOB), plans.join)
    await before.change(number, ask(BOB), plans.cut, "purple giraffe 7")
    live = await before.see(number)
    again = await tables().see(number)
    assert again.table == live.table
    assert cuts.match_seal(again.table) == hash_often((7).to_bytes(32, "big"), 1000)
    after = tables()
    dealt_now = await after.change(number, ask(ANN), plans.start)
    assert round_of(dealt_now).commitment == cuts.match_seal(live.table)
    second = await tables().see(number)
    assert second.table.chain_root == live.table.chain_root
    assert match_of(second) == match_of(dealt_now)
    deal_shown = await tables().deal_of(number, second.table.match_id or 0, 1)
    assert (deal_shown.cuts, deal_shown.seed) == (((BOB, "purple giraffe 7"),), None)
    over = await after.change(number, ask(ANN), plans.forfeit)
    assert (over.table.chain_root, over.table.cuts) == (None, ())
    deal_shown = await tables().deal_of(number, over.table.match_id or 0, 1)
    assert (deal_shown.is_fair, deal_shown.seed) == (True, dealt_now.seeds[1])
    lobby_again = await after.change(number, ask(BOB), plans.again)
    assert lobby_again.table.chain_root not in (None, live.table.chain_root)
    assert lobby_again.table.cuts == ()


async def test_a_manipulated_deal_does_not_match_its_seal(store: SqlStore) -> None:
    snapshot = await a_cut_round(store)
    match = snapshot.match
    assert match is not None
    assert history.deal_of(snapshot, match.id, 1).is_fair
    deal, *later_actions = match.actions
    changes: tuple[dict[str, Any], ...] = (
        {"cuts": []},
        {"cuts": [deal.body["cuts"][0] | {"text": "another giraffe"}]},
        {"commitment": "0" * 64},
        {"drawn": 1 - deal.body["drawn"]},
    )
    for change in changes:
        forged = replace(deal, body=deal.body | change)
        forged_snapshot = replace(snapshot, match=replace(match, actions=(forged, *later_actions)))
        assert not history.deal_of(forged_snapshot, match.id, 1).is_fair, change
    forgotten = replace(deal, body=deal.body | {"cuts": [deal.body["cuts"][0] | {"text": None}]})
    deleted = replace(snapshot, match=replace(match, actions=(forgotten, *later_actions)))
    deal_found = history.deal_of(deleted, match.id, 1)
    assert (deal_found.is_fair, deal_found.cuts) == (True, ((BOB, None),))
    with pytest.raises(errors.MovedOn):
        history.deal_of(snapshot, match.id, 2)


async def a_cut_round(store: SqlStore) -> Snapshot:
    """Store a match that ended in its first round, which Bob had cut; return a snapshot."""
    interactions = itertools.count(1)
    tables = Tables(store, FakeClock(), Changes(), LIMITS, lambda: ROOT)
    number = (await tables.open(Ask(ANN, next(interactions)), 1, 2, THAI)).table.id
    await tables.change(number, Ask(BOB, next(interactions)), plans.join)
    await tables.change(number, Ask(BOB, next(interactions)), plans.cut, "purple giraffe 7")
    await tables.change(number, Ask(ANN, next(interactions)), plans.start)
    await tables.change(number, Ask(ANN, next(interactions)), plans.forfeit)
    snapshot = await store.tables.snapshot(number)
    assert snapshot is not None
    return snapshot


def test_a_tables_text_form_does_not_show_the_secret() -> None:
    assert "chain_root" not in repr(lobby())
    assert repr(ROOT) not in repr(start_match(lobby()).table)

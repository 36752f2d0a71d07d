"""People's names, and whether direct messages reach them: learned once and stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.discord.outcomes import TOO_FAST_FOR, NotYet
from bot.discord.people import AT_ONCE, People, SeenName, TablePeople
from bot.language.catalogues import speaking
from bot.language.words import TypedText
from bot.roster import nameless
from bot.storage.store import SqlStore
from bot.tables.errors import StoreUnavailable
from bot.tables.live import LiveTable
from bot.tables.model import Delivery, Player, PlayerChange
from bot.tables.preferences import DIRECT_CARDS, preference
from tests.bot.harness import Held, new_store
from tests.bot.storage.persons import store_person
from tests.bot.tables.scenes import dealt, table_of

ANN, BOB = 11, 12
TABLE = table_of(ANN, BOB, options={"letters": "yes"})
ALONE = table_of(ANN, options={"letters": "yes"})


class Post:
    """A client that opens direct messages; Discord refuses with the code `refusal`, if set."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.refusal: int | None = None

    async def create_dm(self, user: discord.Object) -> Any:
        self.opened.append(user.id)
        if self.refusal is not None:
            response = cast(Any, type("Response", (), {"status": 403, "reason": "Forbidden"})())
            raise discord.Forbidden(response, {"code": self.refusal, "message": "no"})
        return object()


async def send_nothing(channel: discord.abc.Messageable) -> None:
    """Send nothing, in place of a function that sends a direct message."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    opened = await new_store(tmp_path / "house.db")
    yield opened
    await opened.close()


def people(store: SqlStore, post: Post) -> People:
    return People(cast(discord.Client, post), store)


async def test_a_name_is_stored_and_read_from_the_store_only_once(store: SqlStore) -> None:
    known = people(store, Post())
    await known.note_name(ANN, "Ann")
    again = people(store, Post())
    assert await again.people_at(TABLE) == TablePeople(
        {ANN: TypedText("Ann")}, players=TABLE.players
    )
    await store_person(store, Player(ANN, "Anna"))  # by another process
    assert (await again.people_at(TABLE)).names == {ANN: TypedText("Ann")}


async def test_a_renamed_person_has_the_name_of_their_last_press_in_a_server(
    store: SqlStore,
) -> None:
    known = people(store, Post())
    await known.note_name(ANN, "Ann")
    for called, name in (
        (SeenName("ann", "Ann"), "Ann"),
        (SeenName("ann", "Annie"), "Annie"),  # a nickname
        (SeenName("anna"), "Annie"),  # by direct message: nothing is known of her nickname
        (SeenName("anna", "anna"), "anna"),  # she has none any more
        (SeenName("anne"), "anne"),  # it is her own name that was shown
        (None, "anne"),
    ):
        await known.language_now(ANN, "en-US", called)
        assert (await known.names([ANN]))[ANN] == TypedText(name)
        assert (await store.people.player(ANN)).name == name


async def test_only_a_changed_name_costs_a_transaction(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = people(store, Post())
    await known.note_name(ANN, "Ann")
    changes: list[int] = []
    change = store.people.change

    async def change_and_count(player_id: int, changed: PlayerChange) -> Player:
        changes.append(player_id)
        return await change(player_id, changed)

    monkeypatch.setattr(store.people, "change", change_and_count)
    for _ in range(3):
        await known.language_now(ANN, "en-US", SeenName("ann", "Annie"))
        await known.language_now(BOB, "en-US", SeenName("bob", "Bobby"))
    assert changes == [ANN]


async def test_a_press_does_not_store_an_unknown_or_forgotten_person(
    store: SqlStore,
) -> None:
    known = people(store, Post())
    await known.language_now(BOB, "pl", SeenName("bob", "Bobby"))
    assert await store.people.player(BOB) == Player(BOB)
    await known.note_name(ANN, "Ann")
    await store.privacy.forget(ANN)
    await known.language_now(ANN, "pl", SeenName("ann", "Annie"))  # no news of it has come here yet
    assert await store.people.player(ANN) == Player(ANN)


async def test_a_former_player_is_named_in_the_current_language(store: SqlStore) -> None:
    table_people = await people(store, Post()).people_at(table_of(nameless(2), BOB))
    assert table_people.names == {nameless(2): TypedText("Former player 2")}
    with speaking("pl"):
        assert table_people.names == {nameless(2): TypedText("Były gracz 2")}


async def test_a_person_with_closed_direct_messages_is_not_written_to_again(
    store: SqlStore,
) -> None:
    post = Post()
    known = people(store, post)
    post.refusal = 50007
    assert await known.write(ANN, send_nothing) is Delivery.CLOSED
    assert await people(store, post).write(ANN, send_nothing) is Delivery.CLOSED
    assert post.opened == [ANN]
    assert (await known.people_at(ALONE)).closed == {ANN}
    post.refusal = None
    assert await known.write(ANN, send_nothing, again=True) is Delivery.SENT
    assert (await store.people.player(ANN)).dm_open is True


async def test_after_direct_messages_opened_too_fast_none_are_opened_for_a_while(
    store: SqlStore,
) -> None:
    post = Post()
    known = people(store, post)
    post.refusal = 40003
    with pytest.raises(NotYet) as refused:
        await known.write(ANN, send_nothing)
    assert refused.value.after == TOO_FAST_FOR
    with pytest.raises(NotYet):
        await known.write(BOB, send_nothing)
    assert post.opened == [ANN]  # and he was not even tried
    assert [(await store.people.player(player)).dm_open for player in (ANN, BOB)] == [None, None]


async def test_other_refusals_do_not_mark_direct_messages_as_closed(store: SqlStore) -> None:
    post = Post()
    post.refusal = 50001
    known = people(store, post)
    assert await known.write(ANN, send_nothing) is Delivery.FAILED
    assert (await known.people_at(ALONE)).closed == frozenset()
    assert (await store.people.player(ANN)).dm_open is None


async def test_news_of_a_person_here_keeps_what_another_process_stored(
    store: SqlStore,
) -> None:
    ours, theirs = people(store, Post()), people(store, Post())
    await ours.note_name(ANN, "Ann")
    await theirs.choose(ANN, {DIRECT_CARDS.key: "yes"})  # and this process has not heard of it yet
    await ours.write(ANN, send_nothing, again=True)
    stored = await store.people.player(ANN)
    assert (stored.name, stored.dm_open, stored.choices[DIRECT_CARDS.key]) == ("Ann", True, "yes")
    await theirs.hide(ANN, hidden=True)
    assert (await store.people.player(ANN)).dm_open is True
    assert preference(await ours.known(ANN), DIRECT_CARDS) == "yes"


async def test_a_result_older_than_news_of_the_person_is_not_cached(
    store: SqlStore,
) -> None:
    class Slow:
        """A store of people with a slow `change`.

        The call returns only after another process has changed the same person.
        """

        players = store.people.players

        async def change(self, player_id: int, change: PlayerChange) -> Player:
            stored = await store.people.change(player_id, change)
            await theirs.choose(player_id, {DIRECT_CARDS.key: "yes"})
            ours.forget(player_id)
            return stored

    theirs = people(store, Post())
    ours = people(cast(SqlStore, SimpleNamespace(people=Slow())), Post())
    await ours.note_name(ANN, "Ann")
    assert preference(await ours.known(ANN), DIRECT_CARDS) == "yes"


async def test_news_of_another_person_during_a_query_leaves_no_old_record(store: SqlStore) -> None:
    class Slow:
        """A store of people with a slow `change`.

        The call returns only after another process has changed somebody else.
        """

        players = store.people.players

        async def change(self, player_id: int, change: PlayerChange) -> Player:
            stored = await store.people.change(player_id, change)
            slow.forget(BOB)
            return stored

    slow = people(cast(SqlStore, SimpleNamespace(people=Slow())), Post())
    assert await slow.names([ANN]) == {}  # nobody knows her yet
    await slow.note_name(ANN, "Ann")
    await slow.choose(ANN, {DIRECT_CARDS.key: "yes"})
    assert await slow.names([ANN]) == {ANN: TypedText("Ann")}
    assert preference(await slow.known(ANN), DIRECT_CARDS) == "yes"


async def test_a_record_that_is_forgotten_while_anothers_is_read_is_read_again(
    store: SqlStore,
) -> None:
    class Slow:
        """A store of people with a slow look-up.

        Before a look-up returns, `slow` forgets a person from `news`, as if another process had
        changed that person.
        """

        change = store.people.change

        async def players(self, ids: tuple[int, ...]) -> dict[int, Player]:
            stored = await store.people.players(ids)
            if news:
                slow.forget(news.pop())
            return stored

    news: list[int] = []
    slow = people(cast(SqlStore, SimpleNamespace(people=Slow())), Post())
    await slow.note_name(ANN, "Ann")
    news.append(ANN)
    assert await slow.names([ANN, BOB]) == {ANN: TypedText("Ann")}


async def test_a_choice_that_may_not_have_been_stored_is_read_again(store: SqlStore) -> None:
    class Cut:
        """A store of people that loses the connection just after the commit."""

        players = store.people.players

        async def change(self, player_id: int, change: PlayerChange) -> Player:
            await store.people.change(player_id, change)
            raise StoreUnavailable

    await people(store, Post()).note_name(ANN, "Ann")
    cut_off = people(cast(SqlStore, SimpleNamespace(people=Cut())), Post())
    assert preference(await cut_off.known(ANN), DIRECT_CARDS) != "yes"
    with pytest.raises(StoreUnavailable):
        await cut_off.choose(ANN, {DIRECT_CARDS.key: "yes"})
    assert preference(await cut_off.known(ANN), DIRECT_CARDS) == "yes"


async def test_a_record_read_before_a_choice_is_not_cached(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, ours = Held(monkeypatch, store.people, "players", after=True), people(store, Post())
    asking = asyncio.create_task(ours.known(ANN))
    await reading.reached.wait()
    await ours.choose(ANN, {DIRECT_CARDS.key: "yes"})
    reading.let.set()
    assert preference(await asking, DIRECT_CARDS) == "yes"
    assert preference(await ours.known(ANN), DIRECT_CARDS) == "yes"


async def test_after_possibly_missed_news_everybody_is_read_again(store: SqlStore) -> None:
    ours, theirs = people(store, Post()), people(store, Post())
    await ours.note_name(ANN, "Ann")
    await theirs.note_name(ANN, "Anna")
    ours.forget_all()
    assert await ours.names([ANN]) == {ANN: TypedText("Anna")}


async def test_only_a_few_direct_messages_are_sent_at_once(store: SqlStore) -> None:
    under_way, most = 0, 0
    full, go = asyncio.Event(), asyncio.Event()

    async def slow(channel: discord.abc.Messageable) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == AT_ONCE:
            full.set()
        await go.wait()
        under_way -= 1

    known = people(store, Post())
    sending = [asyncio.create_task(known.write(number, slow)) for number in range(1, 12)]
    await full.wait()
    go.set()
    assert set(await asyncio.gather(*sending)) == {Delivery.SENT}
    assert most == AT_ONCE


class Counted:
    """A stand-in for matches that records the `before` of each call of `rounds_dealt`."""

    def __init__(self, dealt: int) -> None:
        self.dealt = dealt
        self.asked: list[int | None] = []

    async def rounds_dealt(
        self, player: int, before: int | None, most: int, variant: str | None = None
    ) -> int:
        self.asked.append(before)
        return min(self.dealt, most)


def in_round(number: int, match_id: int = 5) -> LiveTable:
    """Return a table where Ann and Bob play round `number` of match `match_id`."""
    live = dealt(ANN, BOB)
    assert live.match is not None
    assert live.match.round is not None
    match = replace(live.match, round=replace(live.match.round, number=number))
    return replace(live, table=replace(live.table, match_id=match_id), match=match)


@pytest.mark.parametrize(("before", "new_in"), [(0, [1, 2, 3]), (2, [1]), (3, []), (40, [])])
async def test_a_person_is_learning_in_their_first_three_rounds(
    before: int, new_in: list[int]
) -> None:
    known = people(cast(SqlStore, SimpleNamespace(matches=Counted(before))), Post())
    rounds = [number for number in range(1, 6) if await known.is_learning(ANN, in_round(number))]
    assert rounds == new_in


async def test_rounds_are_counted_once_a_match_and_never_again_once_they_are_enough() -> None:
    store = Counted(1)
    known = people(cast(SqlStore, SimpleNamespace(matches=store)), Post())
    for match_id in (5, 5, 6, 6):
        await known.is_learning(ANN, in_round(1, match_id))
    assert store.asked == [5, 6]
    store.dealt = 3
    for match_id in (7, 7, 8, 9):
        assert not await known.is_learning(ANN, in_round(1, match_id))
    assert store.asked == [5, 6, 7]
    known.forget(ANN)  # their data were deleted: whoever comes back is new
    store.dealt = 0
    assert await known.is_learning(ANN, in_round(1, 9))


async def test_whoever_knows_one_game_is_learning_in_the_first_rounds_of_the_other() -> None:
    store = Counted(3)
    known = people(cast(SqlStore, SimpleNamespace(matches=store)), Post())
    assert not await known.is_learning(ANN, in_round(1))
    store.dealt = 0
    assert not await known.is_learning(ANN, in_round(1))
    other_round = in_round(1, 9)
    other_round = replace(other_round, table=replace(other_round.table, variant="liars_poker"))
    assert other_round.table.variant != in_round(1).table.variant
    assert await known.is_learning(ANN, other_round)


async def test_nobody_is_learning_in_a_late_round_in_a_lobby_or_without_the_store() -> None:
    class Down:
        async def rounds_dealt(self, *_: object) -> int:
            raise StoreUnavailable("locked")

    store = Counted(0)
    known = people(cast(SqlStore, SimpleNamespace(matches=store)), Post())
    for live in (in_round(4), LiveTable(TABLE)):
        assert not await known.is_learning(ANN, live)
    assert store.asked == []
    cut_off = people(cast(SqlStore, SimpleNamespace(matches=Down())), Post())
    assert not await cut_off.is_learning(ANN, in_round(1))


async def test_without_the_store_nobody_has_a_name() -> None:
    class Down:
        async def players(self, ids: tuple[int, ...]) -> dict[int, Player]:
            raise StoreUnavailable("locked")

    known = people(cast(SqlStore, SimpleNamespace(people=Down())), Post())
    assert await known.people_at(ALONE) == TablePeople(players=ALONE.players)
    assert (await known.people_at(ALONE)).names == {}

"""The store's contract (`bot.storage.store.SqlStore`) for habits."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial

import pytest

from bot.services.privacy import export
from bot.storage.store import SqlStore
from bot.tables.model import Digest, Player, PlayerChange
from bot.tables.nights import Night, sign_up
from tests.bot.storage.conftest import both
from tests.bot.storage.moves import ANN, BOB, CHANNEL, GUILD, NOW
from tests.bot.storage.persons import store_person

HOUR = 3_600_000


async def test_a_server_s_options_are_kept_game_by_game_the_latest_alone(store: SqlStore) -> None:
    assert await store.servers.guild_options(GUILD, "liars_poker") == {}
    await store.servers.note_guild_options(GUILD, "liars_poker", {"jokers": 0, "middle_hand": True})
    await store.servers.note_guild_options(GUILD, "thai_poker", {"pings": "never"})
    await store.servers.note_guild_options(GUILD - 1, "liars_poker", {"jokers": 2})
    await store.servers.note_guild_options(GUILD, "liars_poker", {"jokers": 0})
    assert await store.servers.guild_options(GUILD, "liars_poker") == {"jokers": 0}
    assert await store.servers.guild_options(GUILD, "thai_poker") == {"pings": "never"}


async def test_listeners_are_stored_by_channel_until_they_stop(store: SqlStore) -> None:
    for player in (BOB, ANN, BOB):  # twice is once
        await store.servers.note_listener(CHANNEL, player, listens=True)
    await store.servers.note_listener(CHANNEL + 1, ANN, listens=True)
    assert sorted(await store.servers.listeners(CHANNEL)) == sorted([ANN, BOB])
    for _ in range(2):
        await store.servers.note_listener(CHANNEL, ANN, listens=False)
    assert await store.servers.listeners(CHANNEL) == [BOB]
    assert await store.servers.listeners(CHANNEL + 1) == [ANN]


async def test_a_channel_is_notified_only_after_a_pause(store: SqlStore) -> None:
    assert await store.servers.may_notify(CHANNEL, NOW, HOUR)
    assert not await store.servers.may_notify(CHANNEL, NOW + HOUR - 1, HOUR)
    assert await store.servers.may_notify(CHANNEL + 1, NOW + 1, HOUR)
    assert await store.servers.may_notify(CHANNEL, NOW + HOUR, HOUR)
    assert not await store.servers.may_notify(CHANNEL, NOW + HOUR, HOUR)


@pytest.mark.parametrize("stored", [Player(ANN), Player(ANN, "Ann", choices={"deck": "two"})])
@both
async def test_simultaneous_changes_of_a_person_are_all_kept(
    store: SqlStore, stored: Player
) -> None:
    await store_person(store, stored)

    def choosing(number: int) -> PlayerChange:
        return lambda known: replace(known, choices={**known.choices, f"c{number}": "yes"})

    naming = store.people.change(ANN, lambda known: replace(known, name="Annie"))
    now = await asyncio.gather(*(store.people.change(ANN, choosing(n)) for n in range(9)), naming)
    chosen = dict.fromkeys((f"c{number}" for number in range(9)), "yes")
    expected = replace(stored, name="Annie", choices={**stored.choices, **chosen})
    assert await store.people.player(ANN) == expected
    assert expected in now  # of the last one


async def test_a_digest_is_kept_for_each_person_and_due_at_its_time(store: SqlStore) -> None:
    letters = store.direct_messages
    await letters.keep_digest(ANN, Digest(ANN, 480, "Europe/Warsaw", NOW))
    await letters.keep_digest(BOB, Digest(BOB, 60, "UTC", NOW - 1))
    assert await letters.digest_of(ANN) == Digest(ANN, 480, "Europe/Warsaw", NOW)
    assert [message.player for message in await letters.due(NOW)] == [BOB, ANN]
    assert await letters.next_deadline(NOW - 1) == NOW
    await letters.keep_digest(ANN, Digest(ANN, 540, "UTC", NOW + HOUR))
    assert [message.player for message in await letters.due(NOW)] == [BOB]
    assert await letters.next_deadline(NOW) == NOW + HOUR
    await letters.keep_digest(BOB, None)
    assert await letters.digest_of(BOB) is None
    assert await letters.next_deadline(NOW + HOUR) is None


async def test_a_digest_is_put_off_only_as_it_was_seen(store: SqlStore) -> None:
    letters, digest = store.direct_messages, Digest(ANN, 480, "Europe/Warsaw", NOW)
    await letters.keep_digest(ANN, digest)
    await letters.put_off(digest, NOW + HOUR)
    assert await letters.digest_of(ANN) == replace(digest, due_at=NOW + HOUR)
    await letters.put_off(digest, NOW + 2 * HOUR)  # it was put off already
    assert await letters.next_deadline(NOW) == NOW + HOUR
    for chosen in (replace(digest, minute=540), replace(digest, zone="UTC"), None):
        await letters.keep_digest(ANN, chosen)
        await letters.put_off(digest, NOW + HOUR)
        assert await letters.digest_of(ANN) == chosen


async def test_reminders_a_day_are_limited_and_each_counts_once(store: SqlStore) -> None:
    async def may(player: int, which: str, now: int) -> bool:
        return await store.direct_messages.may_remind(player, which, now, 2, 24 * HOUR)

    assert await may(ANN, "1", NOW)
    assert await may(ANN, "2", NOW + HOUR)
    assert not await may(ANN, "3", NOW + 2 * HOUR)
    assert await may(ANN, "1", NOW + 2 * HOUR)  # tried once more
    assert await may(BOB, "3", NOW + 2 * HOUR)
    assert await may(ANN, "3", NOW + 24 * HOUR)  # the first was a day ago
    assert not await may(ANN, "4", NOW + 24 * HOUR)


async def test_a_night_is_kept_with_who_comes_until_it_is_called_off(store: SqlStore) -> None:
    night = Night(0, GUILD, CHANNEL, ANN, "thai_poker", 4, 1200, "UTC", True, "en", NOW + 9, NOW)
    stored = await store.nights.add(night)
    assert stored == replace(night, id=stored.id)
    elsewhere = await store.nights.add(replace(night, guild_id=GUILD - 1, due_at=NOW + HOUR))
    assert elsewhere.id > stored.id
    for player in (BOB, ANN):
        coming = await store.nights.change(stored.id, partial(sign_up, player=player))
    assert coming is not None
    assert coming.comers == (BOB, ANN)
    assert await store.nights.of_guild(GUILD) == [coming]
    assert await store.nights.due(NOW) == [coming]
    assert await store.nights.next_deadline(NOW) == NOW + HOUR
    assert await store.nights.change(stored.id, lambda _: None) is None
    assert await store.nights.change(stored.id, partial(sign_up, player=ANN)) is None
    assert await store.nights.of_guild(GUILD) == []
    assert await store.nights.of_guild(GUILD - 1) == [elsewhere]


async def test_named_ranges_are_kept_for_each_person(store: SqlStore) -> None:
    assert await store.named_ranges.of_player(ANN) == {}
    assert await store.named_ranges.keep(ANN, "btn", "22+, A2s+", 2)
    assert await store.named_ranges.keep(ANN, "wąska", "QQ+", 2)
    assert await store.named_ranges.keep(BOB, "btn", "AA**", 2)
    assert not await store.named_ranges.keep(ANN, "third", "AA", 2)
    assert await store.named_ranges.keep(ANN, "waska", "KK+", 2)  # the same name again
    assert await store.named_ranges.of_player(ANN) == {"btn": "22+, A2s+", "waska": "KK+"}
    assert await store.named_ranges.drop(ANN, "wąska")
    assert not await store.named_ranges.drop(ANN, "wąska")
    assert await store.named_ranges.of_player(ANN) == {"btn": "22+, A2s+"}
    assert await store.named_ranges.of_player(BOB) == {"btn": "AA**"}


async def test_named_ranges_are_exported_and_deleted_with_their_person(store: SqlStore) -> None:
    await store.named_ranges.keep(ANN, "btn", "22+, A2s+", 2)
    await store.named_ranges.keep(BOB, "co", "QQ+", 2)
    document = json.loads(await export(store.privacy, ANN))
    assert document["named_ranges"] == [{"name": "btn", "hands": "22+, A2s+"}]
    assert await store.privacy.forget(ANN) is not None
    assert await store.named_ranges.of_player(ANN) == {}
    assert await store.named_ranges.of_player(BOB) == {"co": "QQ+"}


async def test_a_server_s_nights_go_with_it(store: SqlStore) -> None:
    night = Night(0, GUILD, CHANNEL, ANN, "thai_poker", 4, 1200, "UTC", True, "en", NOW + 9, NOW)
    stored = await store.nights.add(night)
    await store.nights.change(stored.id, partial(sign_up, player=BOB))
    assert GUILD in await store.retention.stored_guilds()
    while (await store.retention.purge_guild(GUILD, 10)).rows:
        pass
    assert await store.nights.of_guild(GUILD) == []

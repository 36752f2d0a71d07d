"""What happens after a start: tables are shown once, and unsent cards go to their holders."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest

from benchmarks.reading import NATURAL
from bot.discord.delivery import driver
from bot.from_settings import open_store
from bot.operations.process_lifetime import serve
from bot.retry import RetryPolicy
from bot.sandbox.world import Sandbox
from bot.tables.model import Status
from bot.tables.model import Table as StoredTable
from bot.tables.table_options import defaults
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench
from tests.bot.harness import Table, running_bot, send_cards_directly, settings
from tests.bot.troubled import Troubled, another_move, run_with_troubled_store
from tests.crash.standing import direct_messages_owed
from tests.people import press_in_command, until

THAI = "Thai Poker"


async def always_send_directly(at: Table) -> None:
    """Have everybody choose to get their cards by direct message."""
    for person in at.people:
        form = await press_in_command(person, at.channel, "preferences", "Change…")
        await person.submit(form.modal, {"Cards by direct message": ["Always"]})


async def begun_unsent(at: Table, store: Troubled) -> list[int]:
    """Start a match while no cards can be sent; return how many direct messages each person has."""
    await at.open(THAI)
    store.failing = {"deliveries"}
    await at.host.click(at.message(), "Start")
    await until(lambda: "Round 1" in at.message().text)
    await at.bot.client.drain()  # who joined last is still being greeted, perhaps
    return [len(person.dm_messages()) for person in at.people]


async def test_unsent_cards_are_sent_after_a_start_to_their_holders(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(3, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await send_cards_directly(at, THAI)
        before = await begun_unsent(at, store)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        match = (await at.live()).match
        assert match is not None
        assert match.round is not None
        came = [person.dm_messages()[n:] for person, n in zip(at.people, before, strict=True)]
        for person, messages in zip(at.people, came, strict=True):
            seat = match.seat_of(int(person.id))
            assert seat is not None
            held = {card.symbol for card in match.round.hands[seat]}
            for message in messages:
                assert set(NATURAL.findall(message.text)) == held, (
                    "a direct message with another's cards"
                )
        assert [len(messages) for messages in came] == [1, 1, 1], "direct messages that came"
        await another_move(at)


async def test_cards_are_sent_although_preferences_could_not_be_read_at_first(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await always_send_directly(at)
        before = await begun_unsent(at, store)
    async with run_with_troubled_store(at, tmp_path, {"players"}) as store:
        await until(lambda: store.done["deliveries"])
        await at.bot.resuming.settle()
        store.failing = set()
        await until(lambda: store.done["note_delivery"] == len(at.people))
        assert [len(person.dm_messages()) - 1 for person in at.people] == before


async def test_cards_of_a_round_that_is_over_are_not_sent(table: Seat, tmp_path: Path) -> None:
    at = await table(2, serve=False)
    file = tmp_path / "house.db"
    async with run_with_troubled_store(at, tmp_path) as store:
        await always_send_directly(at)
        before = await begun_unsent(at, store)
        assert len(direct_messages_owed(file)) == len(at.people)
        await another_move(at)
        assert len(direct_messages_owed(file)) == len(at.people)
        await at.challenge(at.turn())
        assert direct_messages_owed(file) == []
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert [len(person.dm_messages()) for person in at.people] == before
        await at.press("Next round")
        assert [len(person.dm_messages()) - 1 for person in at.people] == before
        assert direct_messages_owed(file) == []


@pytest.mark.thorough
async def test_objects_are_exempted_from_garbage_collection_once_all_tables_are_shown(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    bench, frozen = Bench(), gc.get_freeze_count()
    async with running_bot(at.world, settings(tmp_path), computing=bench, alone=True) as at.bot:
        await at.bot.resuming.settle()
        await until(lambda: gc.get_freeze_count() > frozen)
        assert not any(object_seen is bench for object_seen in gc.get_objects()), (
            "it is looked through still"
        )
        await at.start(THAI)
        await another_move(at)


async def test_full_garbage_collections_are_rarer_while_a_bot_serves() -> None:
    thresholds, before = [], gc.get_threshold()

    class Bot:
        async def run(self, _: str) -> None:
            thresholds.append(gc.get_threshold())

        async def stop(self) -> None: ...

    gc.set_threshold(700, 10, 10)  # Python's own
    try:
        bot = Bot()
        await serve(bot.run("token"), bot.stop)
    finally:
        gc.set_threshold(*before)
    young, *older = thresholds[0]
    assert young > 7 * 700
    assert older == [10, 10]


async def test_a_play_command_repeated_after_the_start_is_shown_to_everybody(
    table: Seat, tmp_path: Path
) -> None:
    """Repeat a command that was refused privately; now it opens a table, which must be public."""
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.host.slash(at.channel, "play", game=THAI)
        refused = await at.people[1].slash(at.channel, "play", game=THAI)
        assert "already has a table" in refused.text
        await at.option(at.host, "Close the table")
        await at.settle()
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        at.people[1].repeat(refused)
        await until(lambda: "Join" in at.message().buttons)
        await at.settle()
        await at.host.click(at.message(), "Join")
        assert "2 of 10" in at.message().text


# -- tables ----------------------------------------------------------------------------------------

A_DAY = 86_400_000


def lobby(at: int, guild: str, channel: str, host: str) -> StoredTable:
    """Return a lobby opened at `at` milliseconds, whose message is not stored yet."""
    return StoredTable(
        id=0,
        guild_id=int(guild),
        channel_id=int(channel),
        host_id=int(host),
        status=Status.LOBBY,
        variant="thai_poker",
        options=defaults("thai_poker"),
        players=(int(host),),
        version=1,
        created_at=at,
        updated_at=at,
    )


async def test_a_table_opened_during_the_start_is_shown_by_its_own_answer_alone(
    tmp_path: Path, table: Seat
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    guild = at.channel.guild_id
    assert guild is not None
    earlier = at.channel
    meanwhile = world.server("The Snug").add_text_channel("second-table")
    now = time.time_ns() // 1_000_000
    chosen = settings(tmp_path)
    async with open_store(chosen) as store:
        await store.tables.open(lobby(now - A_DAY, guild, earlier.id, at.host.id), None)
        await store.tables.open(lobby(now + A_DAY, guild, meanwhile.id, at.host.id), None)
    async with running_bot(world, chosen) as bot:
        await bot.resuming.settle()
        await bot.delivery.settle()
        assert len(at.host.visible(earlier)) == 1
        assert at.host.visible(meanwhile) == []

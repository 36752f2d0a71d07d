"""Two processes of one bot on one PostgreSQL, each with a shard, at the local Discord."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import app
from bot.app import Bot, discord_server
from bot.discord import answers, client, sessions
from bot.from_settings import open_store
from bot.operations.process_lifetime import StopBudget
from bot.sandbox.clock import shard_of
from bot.sandbox.discord_state import Channel
from bot.sandbox.limits import Admission
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from bot.settings.shards import Shards
from bot.storage import session
from bot.storage.store import SqlStore
from bot.tables.errors import StoreUnavailable
from bot.tables.preferences import DIRECT_CARDS, preference
from tests.bot.discord.tables.test_practice import screen, settled_screen
from tests.bot.harness import TOKEN, Table, plain, running_bot, settings
from tests.bot.practising import practise
from tests.bot.storage.conftest import empty
from tests.bot.storage.conftest import postgres as postgres
from tests.people import PATIENCE, press_in_command, until

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("unhurried")]
THAI = "Thai Poker"
PLAYERS = ("Ann", "Bob")


class Two:
    """A local Discord with a server for each of two shards, and a bot to run for each shard."""

    def __init__(self, world: Sandbox, folder: Path, address: str) -> None:
        self.world = world
        self._folder = folder
        self._address = address
        self.people = [world.add_person(name) for name in PLAYERS]
        self.channels: dict[int, Channel] = {}
        while len(self.channels) < 2:
            server = world.add_guild(f"Server {len(world.state.guilds)}")
            shard = shard_of(server.id, 2)
            if shard not in self.channels:
                self.channels[shard] = server.add_text_channel("cards")
            world.clock.advance(0.001)  # type: ignore[attr-defined]

    def settings(self, shard: int) -> Settings:
        chosen = settings(self._folder).model_dump()
        chosen["database"]["url"] = self._address
        chosen["shards"] = {"count": 2, "ids": str(shard)}
        return Settings.model_validate(chosen)

    @asynccontextmanager
    async def running(self, shard: int) -> AsyncIterator[Table]:
        async with running_bot(self.world, self.settings(shard)) as bot:
            yield Table(self.world, bot, self.channels[shard], self.people)

    @asynccontextmanager
    async def standing_by(self, shard: int) -> AsyncIterator[Table]:
        """Run another process of a shard that is already served; yield a table with the new bot."""
        chosen = self.settings(shard)
        with discord_server(self.world.api_url, self.world.gateway_url):
            async with open_store(chosen) as store:
                bot = Bot(chosen, store, processes=store.processes)
                running = asyncio.create_task(bot.run(TOKEN))
                await until(lambda: bot.client.stands_by)
                try:
                    yield Table(self.world, bot, self.channels[shard], self.people)
                finally:
                    await bot.stop()
                    await running

    def answers(self, mark: int) -> list[int]:
        """Return the HTTP statuses of the initial answers to interactions since `mark`."""
        return [
            request.status
            for request in self.world.requests(mark)
            if request.path.endswith("/callback")
        ]

    def registrations(self) -> int:
        return sum(
            request.method == "PUT" and request.route.endswith("/commands")
            for request in self.world.state.requests
        )


@pytest.fixture
async def two(
    tmp_path: Path, postgres: str, unhurried: Any, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Two]:
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.0)
    await (await SqlStore.open(postgres)).close()
    await empty(postgres)
    world = Sandbox(unhurried, admission=Admission(2))
    await world.start()
    # to the end: the address is Python's, and the first bot to come is not always the last to go
    with discord_server(world.api_url, world.gateway_url):
        yield Two(world, tmp_path, postgres)
    await world.stop()


@pytest.mark.thorough
async def test_each_process_serves_its_own_servers_and_commands_are_registered_once(
    two: Two,
) -> None:
    async with two.running(0) as first, two.running(1) as second:
        assert two.registrations() == 1
        for at in (first, second):
            await at.start(THAI)
            await at.bid()
        assert [len(list(at.bot.tables.runtime.all())) for at in (first, second)] == [1, 1]
        theirs = await second.live()
        assert theirs.table.id not in {live.table.id for live in first.bot.tables.runtime.all()}
        assert await first.bot.why_not_ready() is None
    async with two.running(1):
        assert two.registrations() == 1
    two.world.state.commands.clear()  # somebody else has registered other ones
    async with two.running(1):
        assert two.registrations() == 2


@pytest.mark.thorough
async def test_a_process_that_ends_just_after_its_identify_keeps_the_gap_for_the_next(
    tmp_path: Path, two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 3.0)
    world = two.world = Sandbox(admission=Admission(2, 1, identify_seconds=2.0))
    await world.start()
    world.add_guild("The Snug")
    try:
        async with two.running(0):
            pass
        async with two.running(1) as second:
            assert await second.bot.why_not_ready() is None
        assert world.gateway.admission.refused == 0
    finally:
        await world.stop()


@pytest.mark.long
async def test_a_start_leaves_others_tables_and_messages_that_are_not_behind(two: Two) -> None:
    async with two.running(0) as first:
        async with two.running(1) as second:
            for at in (first, second):
                await at.start(THAI)
                await at.bid()
        before = (await first.live()).table
        mark = two.world.mark()
        async with two.running(1) as second:
            await second.settle()
            drawn = [
                request
                for request in two.world.requests(mark)
                if request.method in ("PATCH", "POST")
            ]
            assert [request.path for request in drawn] == []
            await second.call(second.turn())
            second.bot.delivery.checkpoint.note_stale(
                (await second.live()).table.id
            )  # as if killed
        mark = two.world.mark()
        async with two.running(1) as second:
            await second.settle()
            drawn = [request for request in two.world.requests(mark) if request.method == "PATCH"]
            assert len(drawn) == 1
        assert (await first.live()).table == before


@pytest.mark.thorough
async def test_a_practice_goes_on_in_a_direct_message_and_its_seat_in_the_server_follows(
    two: Two,
) -> None:
    async with two.running(0) as first, two.running(1) as second:
        await practise(first.host, second.channel, THAI)
        seat = await settled_screen(second, second.channel)
        await first.host.act("open_dm")
        (letters,) = first.host.dms()
        await first.host.slash(letters, "practice", game=THAI)  # to the other process
        message_seat = await settled_screen(first, letters)
        assert message_seat.text.split("\n")[:4] == seat.text.split("\n")[:4]  # the same cards
        while "Next round" not in message_seat.buttons:
            starts = (
                ("Challenge",)
                if "Challenge" in message_seat.buttons
                else ("Bid next: ", "Bid lowest")
            )
            label = next(
                str(label) for label in message_seat.buttons if str(label).startswith(starts)
            )
            await first.host.click(message_seat, label)
            message_seat = await settled_screen(first, letters)
        await until(lambda: "Next round" in screen(second, second.channel).buttons)
        await first.host.click(screen(second, second.channel), "Next round")
        await until(lambda: "Round 2" in screen(first, letters).text)


@pytest.mark.thorough
async def test_a_process_that_stands_by_answers_from_the_moment_that_the_other_leaves(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ANSWERED_WITHIN", PATIENCE)
    monkeypatch.setattr(session, "ASKED_WITHIN", PATIENCE)
    monkeypatch.setattr(app, "STOP", StopBudget(*(PATIENCE for _ in fields(StopBudget))))
    async with AsyncExitStack() as before:
        first = await before.enter_async_context(two.running(0))
        await first.start(THAI)
        async with two.standing_by(0) as second:
            assert await second.bot.why_not_ready() is None
            mark = two.world.mark()
            await first.bid()
            assert two.answers(mark) == [200]
            assert not list(second.bot.tables.runtime.all()), "it does nothing of its own"
            held, drained = asyncio.Event(), first.bot._drain

            async def slow() -> None:
                await first.bot.client.leave_handlers()
                await held.wait()
                await drained()

            monkeypatch.setattr(first.bot, "_drain", slow)
            leaving = asyncio.create_task(before.aclose())
            await until(lambda: first.bot.client._leaving)
            mark, both = two.world.mark(), (first.bot.client, second.bot.client)
            last = max(first.bot.client._seen)
            pressing = asyncio.create_task(second.call(second.turn()))
            await until(lambda: all(max(client._seen) > last for client in both))  # both are told
            assert two.answers(mark) == []
            held.set()
            await pressing
            await leaving
            await second.bot.ready.wait()
            await second.settle()
            assert two.answers(mark) == [200]
            assert two.registrations() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("stores", [False, True], ids=["who was cut off", "who took over"])
async def test_a_press_received_by_two_processes_is_applied_and_answered_by_one(
    two: Two, monkeypatch: pytest.MonkeyPatch, stores: bool
) -> None:
    """Cut one process off from the database. If `stores`, its successor gets the press first."""

    async def unavailable(_: Any) -> Any:
        raise StoreUnavailable

    monkeypatch.setattr(client, "DOUBT_SECONDS", 0.0)
    async with two.running(0) as cut_off:
        await cut_off.start(THAI)
        async with two.standing_by(0) as after:
            theirs: Any = cut_off.bot._processes
            theirs._connection.terminate()
            monkeypatch.setattr(cut_off.bot._store.tables, "commit", unavailable)
            await after.bot.ready.wait()
            before = (await after.live()).table.version
            later = (cut_off if stores else after).bot.client
            answered, press = asyncio.Event(), later._press

            async def waits(interaction: Any) -> None:
                await answered.wait()
                await press(interaction)

            monkeypatch.setattr(later, "_press", waits)
            mark, person = two.world.mark(), after.turn()
            await after.call(person)
            answered.set()
            await cut_off.settle()
            await after.settle()
            text = " ".join(message.text for message in person.visible(after.channel))
            assert ("The database isn't available" in text) is not stores
            assert (await after.live()).table.version - before == stores
            assert sorted(two.answers(mark)) == [200, 400], "Discord has told the other"


async def test_a_press_during_a_lost_session_waits_for_the_next_one(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "DOUBT_SECONDS", PATIENCE)
    async with two.running(0) as first:
        await first.start(THAI)
        theirs: Any = first.bot._processes
        mark = two.world.mark()
        async with theirs._speaking:  # so that the session is not made anew before
            theirs._connection.terminate()
            watching = asyncio.create_task(theirs.watch())
            waits, known = asyncio.Event(), theirs.out_of_doubt

            async def waiting() -> bool:
                waits.set()
                return bool(await known())

            monkeypatch.setattr(theirs, "out_of_doubt", waiting)
            pressing = asyncio.create_task(first.call(first.turn()))
            async with asyncio.timeout(PATIENCE):
                await waits.wait()
            assert two.answers(mark) == []
        out = await pressing
        assert two.answers(mark) == [200]
        assert "isn't available" not in out.text
        watching.cancel()


async def test_a_press_waits_while_the_responsible_process_is_in_doubt(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = asyncio.Event()

    class Doubtful:
        in_doubt, ours = True, True

        async def out_of_doubt(self) -> bool:
            await known.wait()
            return self.ours

    async with two.running(0) as first:
        bot_client, press = first.bot.client, SimpleNamespace(id=1, guild_id=0, extras={})
        pressed: Any = press
        with monkeypatch.context() as patched:
            patched.setattr(bot_client, "_processes", doubtful := Doubtful())
            patched.setattr(client, "DOUBT_SECONDS", 0.0)
            assert await bot_client._is_ours(pressed)
            assert press.extras[answers.UNCLAIMED], "nobody knows: who answers first does it"
            patched.setattr(client, "DOUBT_SECONDS", PATIENCE)
            answer = asyncio.create_task(bot_client._is_ours(pressed))
            await asyncio.sleep(0)
            known.set()
            assert await answer
            assert not press.extras[answers.UNCLAIMED]
            doubtful.ours = False
            assert not await bot_client._is_ours(pressed), "another has the shards"
            known.clear()
            patched.setattr(bot_client, "_leaving", True)
            assert await bot_client._is_ours(pressed), "whoever leaves says so at once"


async def test_the_last_interaction_of_one_shard_does_not_apply_to_another(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(number: int, shard: int) -> Any:
        guild = int(two.channels[shard].guild_id or 0)
        return SimpleNamespace(id=number, guild_id=guild, extras={})

    async with two.running(0) as first:
        client = first.bot.client
        monkeypatch.setattr(client, "_served", Shards(2, (0, 1)))
        monkeypatch.setattr(client, "_newest", {})
        monkeypatch.setattr(client, "_theirs", {0: 100, 1: 7})
        theirs = [(99, 0), (100, 0), (7, 1)]
        assert not any([await client._is_ours(press(*item)) for item in theirs])
        assert all([await client._is_ours(press(*item)) for item in [(101, 0), (8, 1)]])
        assert client.last_answered == {0: 101, 1: 8}
        monkeypatch.setattr(client, "_ours", dict(client.last_answered))
        assert not any([await client._is_ours(press(*item)) for item in [(102, 0), (9, 1)]])
        assert client.last_answered == {0: 101, 1: 8}, "what came since is another's"


async def test_a_process_that_stands_by_and_is_stopped_leaves_the_other_as_it_was(
    two: Two, caplog: pytest.LogCaptureFixture
) -> None:
    async with two.running(0) as first:
        await first.start(THAI)
        async with two.standing_by(0):
            pass
        mark = two.world.mark()
        await first.bid()
        assert two.answers(mark) == [200]
    assert [line for line in caplog.records if line.levelname == "ERROR"] == []


@pytest.mark.thorough
@pytest.mark.parametrize("deaf", [False, True])
async def test_preferences_chosen_in_one_process_apply_in_the_other(two: Two, deaf: bool) -> None:
    """Choose in one process; the other learns the choice, even if `deaf` to notifications."""
    async with two.running(0) as first, two.running(1) as second:
        for at in (first, second):  # both know her from now on
            await at.start(THAI)
        await first.host.act("open_dm")
        theirs: Any = second.bot._processes
        watching = asyncio.create_task(theirs.watch())
        async with AsyncExitStack() as lost:
            if deaf:  # so that the session is not made anew before
                await lost.enter_async_context(theirs._speaking)
                theirs._connection.terminate()
            await choose_direct_cards(first, "Always")
        await until_chosen(second, "yes")
        watching.cancel()


async def choose_direct_cards(at: Table, label: str) -> None:
    """Choose in /preferences whether the host's cards are sent by direct message."""
    form = await press_in_command(at.host, at.channel, "preferences", "Change…")
    outcome = await at.host.submit(form.modal, {"Cards by direct message": [label]})
    assert f"Cards by direct message: {label.lower()}" in plain(outcome.seen.text)


async def until_chosen(at: Table, choice: str) -> None:
    """Wait until the table's process knows what the host chose."""
    people = at.bot.client.handlers.people
    async with asyncio.timeout(PATIENCE):
        # who is known is known at once: without the sleep nothing else would be done meanwhile
        while preference(await people.known(int(at.host.id)), DIRECT_CARDS) != choice:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


async def test_discord_may_say_how_many_shards_one_process_has(
    two: Two, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two.world.gateway.admission.shards = 3
    chosen = settings(tmp_path).model_dump() | {"shards": {"count": 0}}
    async with running_bot(two.world, Settings.model_validate(chosen)) as bot:
        assert bot.client.shard_count == 3
        assert set(bot.client.shards) == {0, 1, 2}
        for channel in two.channels.values():
            at = Table(two.world, bot, channel, two.people)
            await at.start(THAI)
            await at.call(at.turn())

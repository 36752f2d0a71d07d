"""Privacy over real sockets: data shown, exported, hidden and deleted, and data that remains."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog

from benchmarks.reading import NATURAL
from bot.boards.board import Text
from bot.boards.privacy import privacy_board
from bot.discord import picture_job
from bot.discord.replays import handlers
from bot.discord.tables import preferences as privacy
from bot.operations import logs
from bot.privacy.results import DataSummary
from bot.replays.played import PlayedMatch, steps_of
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.screen import SeenMessage
from bot.tables.history import deal_of
from bot.tables.live import revive
from tests.bot.conftest import Seat
from tests.bot.harness import (
    Table,
    cut_with,
    my_data,
    open_replay,
    private_reply,
    running_bot,
    send_cards_directly,
    settings,
)
from tests.bot.practising import practise
from tests.bot.storage.raw_bytes import texts_in_files
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
NAME = "Annabella Quartermain"
EXPORT, DELETE = "Export my data", "Delete my data…"
SURE, KEEP = "Yes, delete everything", "Keep my data"


async def open_my_data(at: Table, person: Person) -> SeenMessage:
    return await my_data(person, at.channel)


async def press_all(person: Person, message: SeenMessage, *labels: str) -> SeenMessage:
    """Press these buttons of a message in turn; return the message afterwards."""
    for label in labels:
        await (await person.click(message, label)).settle()
        message = await person.current(message)
    return message


async def export_data(at: Table, person: Person) -> dict[str, Any]:
    message = await open_my_data(at, person)
    out: ActOutcome = await (await person.click(message, EXPORT)).settle()
    assert out.seen.ephemeral
    assert out.seen.content == privacy.HERE_IT_IS
    (attached,) = out.seen.attachments
    assert attached["filename"] == "my-data.json"
    content = at.world.state.attachments[attached["id"]].content
    document: dict[str, Any] = json.loads(content)
    return document


async def seat_ann(table: Seat, players: int, **options: Any) -> tuple[Table, Person]:
    """Make a table with a host whose name can't occur by chance; return the table and the host."""
    at = await table(players, **options)
    ann = at.world.add_person(NAME)
    return replace(at, people=[ann, *at.people[1:]]), ann


async def play_short_match(at: Table, game: str) -> None:
    """Play a round to its showdown and begin another, in which all but the last player forfeit."""
    await at.start(game)
    for _ in range(2):
        await at.call(at.turn())
    await at.challenge(at.turn())
    await at.press("Next round")
    await at.call(at.turn())
    for person in at.people[:-1]:
        await at.forfeit(person)


async def test_a_stranger_is_told_that_nothing_is_stored(table: Seat) -> None:
    at = await table(1)
    message = await open_my_data(at, at.host)
    assert "**We currently store:** nothing." in message.text
    answer = await press_all(at.host, message, DELETE, SURE)
    assert answer.text == "We store nothing about you, so there was nothing to delete."
    document = await export_data(at, at.host)
    assert (document["name"], document["matches"], document["tables"]) == (None, [], [])


def test_a_person_with_only_notifications_stored_is_told_that() -> None:
    listener = privacy_board(DataSummary(None, False, 0, 2), None, None)
    text = " ".join(part.markdown for part in listener.blocks if isinstance(part, Text))
    line = "**We currently store:** 2 channels you want new-table pings from."
    assert line in text
    assert "your name" not in text.partition(line)[2]


async def test_an_export_has_everything_of_oneself_and_nobody_else(table: Seat) -> None:
    at, ann = await seat_ann(table, 3)
    await send_cards_directly(at, THAI)
    await play_short_match(at, THAI)
    await at.host.click(at.message(), "Play again")
    document = await export_data(at, ann)
    assert (document["id"], document["name"]) == (ann.id, NAME)
    (match,) = document["matches"]
    assert (match["players"], match["seat"], match["place"]) == (3, 0, 3)
    assert [hand["round"] for hand in match["cards"]] == [1, 2]
    assert match["actions"][-1]["kind"] == "forfeit"
    (own_table,) = document["tables"]
    assert (own_table["host"], own_table["seated"], own_table["channel"]) == (
        True,
        True,
        at.channel.id,
    )
    text = json.dumps(document)
    for person in at.people[1:]:
        assert person.id not in text
        assert person.name not in text


async def test_an_export_of_a_match_under_way_has_only_the_persons_own_cards(table: Seat) -> None:
    at, ann = await seat_ann(table, 2)
    await at.start(THAI)
    own_cards, others = (at.own_cards(person) for person in at.people)
    document = await export_data(at, ann)
    (match,) = document["matches"]
    (dealt,) = match["cards"]
    assert set(dealt["cards"].split()) == own_cards
    assert not others & set(NATURAL.findall(json.dumps(document, ensure_ascii=False)))
    assert "commitment" not in json.dumps(document)


async def test_a_large_export_is_zipped_and_one_that_is_too_large_is_refused(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, ann = await seat_ann(table, 2)
    await play_short_match(at, THAI)
    monkeypatch.setattr(privacy, "LARGEST", 1200)
    out = await (await ann.click(await open_my_data(at, ann), EXPORT)).settle()
    (attached,) = out.seen.attachments
    assert attached["filename"] == "my-data.json.zip"
    monkeypatch.setattr(privacy, "LARGEST", 100)
    assert "people export" in await private_reply(ann.click(await open_my_data(at, ann), EXPORT))


async def test_a_person_may_be_hidden_and_shown_again_also_after_a_restart(
    table: Seat, tmp_path: Path
) -> None:
    at, ann = await seat_ann(table, 1, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        message = await press_all(ann, await open_my_data(at, ann), "Hide me from leaderboards")
        assert "You're hidden from leaderboards." in message.text
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        again = await open_my_data(at, ann)
        assert "You're hidden from leaderboards." in again.text
        message = await press_all(ann, again, "Show me on leaderboards again")
        assert "hidden from leaderboards" not in message.text
        assert "Hide me from leaderboards" in message.buttons


async def test_deletion_asks_first_and_says_what_goes_and_what_stays(table: Seat) -> None:
    at, ann = await seat_ann(table, 2)
    await play_short_match(at, THAI)
    message = await open_my_data(at, ann)
    assert "Matches are kept as long as the bot is in their server." in message.text
    assert message.buttons == [EXPORT, "Hide me from leaderboards", DELETE]
    prompt = await press_all(ann, message, DELETE)
    assert "**Goes:**" in prompt.text
    assert "**Stays:**" in prompt.text
    assert prompt.buttons == [SURE, KEEP]
    after = await press_all(ann, prompt, KEEP)
    assert "**We currently store:** your name, 1 match and your stats." in after.text
    assert (await export_data(at, ann))["name"] == NAME


async def test_nobody_is_forgotten_in_the_middle_of_a_match(table: Seat) -> None:
    at, ann = await seat_ann(table, 2)
    await at.start(THAI)
    prompt = await press_all(ann, await open_my_data(at, ann), DELETE)
    reply = await private_reply(ann.click(prompt, SURE))
    assert reply == (
        f"You're playing at a table in <#{at.channel.id}>. Leave it (`/leave` there), then ask"
        " again. Nothing was deleted."
    )
    await at.call(at.turn())  # the match goes on
    assert (await export_data(at, ann))["name"] == NAME


async def test_a_player_who_left_a_match_is_forgotten_and_the_match_still_verifies(
    table: Seat, tmp_path: Path
) -> None:
    at, ann = await seat_ann(table, 3, serve=False)
    database = tmp_path / "house.db"
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await at.open(THAI)
        await cut_with(at, ann, "annabella was here")
        await at.press("Start", ann)
        await at.forfeit(ann)
        answer = await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
        assert (
            answer.text == "**Your data is deleted.** In 1 match a nameless player took your place."
        )
        await at.settle()
        assert "Former player 1 has left" in at.message().text
        assert f"<@{ann.id}>" not in at.message().text
        await until(lambda: not texts_in_files(database, int(ann.id), NAME))
        for number in (1, 2):  # what is under way goes on as it was, and is dealt on
            await at.play_round()
            deal_check = await at.check_deal(at.people[1])
            assert "✔ Checked just now" in deal_check
            assert "annabella was here" not in deal_check
            assert ("words that were deleted" in deal_check) == (number == 1)
            await at.press("Next round", at.people[1])
        await at.forfeit(at.people[1])
        assert f"<@{at.people[2].id}> wins the match" in at.message().text
    assert texts_in_files(database, int(ann.id), NAME) == set()


async def test_a_forgotten_person_is_removed_from_a_lobby_that_invited_them(table: Seat) -> None:
    at, ann = await seat_ann(table, 3)
    await play_short_match(at, THAI)
    await at.press("Play again", at.people[1])
    assert f"<@{ann.id}>" in at.message().text
    await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
    await at.settle()
    assert f"<@{ann.id}>" not in at.message().text
    await at.people[2].click(at.message(), "I'm in")  # the last who was asked: it starts
    await at.settle()
    assert "Round 1" in at.message().text


async def test_after_a_deletion_the_person_is_found_nowhere_and_every_match_verifies(
    table: Seat, tmp_path: Path
) -> None:
    at, ann = await seat_ann(table, 3, serve=False)
    bob = at.people[1]
    database = tmp_path / "house.db"
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await send_cards_directly(at, THAI)
        await play_short_match(at, THAI)
        await practise(ann, at.channel, THAI)
        await until(lambda: any(live.table.is_practice for live in bot.tables.runtime.all()))
        assert {"text", "value", "key", NAME} == texts_in_files(database, int(ann.id), NAME)
        answer = await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
        assert (
            answer.text == "**Your data is deleted.** In 1 match a nameless player took your place."
        )
        await until(lambda: not texts_in_files(database, int(ann.id), NAME))
    assert texts_in_files(database, int(ann.id), NAME) == set()

    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    root, before = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("json", "debug")
        root.addHandler(handler)
        async with running_bot(at.world, settings(tmp_path)) as bot:
            at = replace(at, bot=bot)
            text = json.dumps(await export_data(at, bob))
            assert ann.id not in text
            assert NAME not in text
            live = await bot.tables.in_channel(int(at.channel.id))
            snapshot = await bot.tables.runtime.snapshot(live.table.id)
            revived = revive(snapshot)
            assert revived.match is not None
            assert revived.match.winner is not None
            assert revived.match.seats[2].player == int(at.people[2].id)
            for number in snapshot.seeds:
                assert deal_of(snapshot, revived.table.match_id or 0, number).is_fair
            await at.press("Play again", bob)
            assert ann.id not in at.message().text
    finally:
        root.handlers[:], root.level = handlers, level
        structlog.configure(**before)
    assert "bot: ready" in lines.getvalue()
    assert ann.id not in lines.getvalue()
    assert NAME not in lines.getvalue()


async def test_a_forgotten_player_is_called_a_former_player(table: Seat) -> None:
    at, ann = await seat_ann(table, 2)
    await play_short_match(at, LIARS)
    message, bob = at.message(), at.people[1]
    assert NAME in message.text
    await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
    await at.settle()  # the message of the match is drawn once more
    after = await bob.current(message)
    assert ann.id not in after.text
    assert NAME not in after.text
    assert "Former player 1" in after.text


async def test_a_replay_in_progress_is_not_cached_with_a_deleted_name(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, ann = await seat_ann(table, 2)
    await play_short_match(at, THAI)
    bob = at.people[1]
    replays = at.bot.client.handlers.replays
    begun, go = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def held(match: PlayedMatch) -> Any:
        loop.call_soon_threadsafe(begun.set)
        go.wait()
        return steps_of(match)

    monkeypatch.setattr(handlers, "steps_of", held)
    asking = asyncio.create_task(open_replay(bob, at.channel))
    await begun.wait()
    await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
    go.set()
    await asking
    assert NAME not in repr(replays._replayed)


async def test_no_cached_replay_or_picture_has_a_forgotten_persons_name(
    table: Seat,
) -> None:
    at, ann = await seat_ann(table, 2)
    await play_short_match(at, THAI)
    bob = at.people[1]
    opened_by_bob = await open_replay(bob, at.channel)
    assert NAME in opened_by_bob.text
    replays = at.bot.client.handlers.replays
    assert NAME in repr(replays._replayed)
    assert NAME in repr([*picture_job._cache, *picture_job._question_cache])
    await press_all(ann, await open_my_data(at, ann), DELETE, SURE)
    await at.settle()
    assert NAME not in repr(replays._replayed)
    assert NAME not in repr([*picture_job._cache, *picture_job._question_cache])
    again = await open_replay(bob, at.channel)
    assert NAME not in again.text
    (player_line,) = (line for line in again.seen.text.splitlines() if "Former player 1:" in line)
    assert "<@" not in player_line

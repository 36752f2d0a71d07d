"""The real process loses nothing if killed or stopped; if it can't start, one line says why."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reading import ANYWAY, OWN_CARDS
from benchmarks.setup import PATIENCE, Setup, environment
from bot.sandbox.driver import ActOutcome
from bot.sandbox.screen import SeenMessage
from tests.bot.cli.refused import one_sentence
from tests.bot.processes import command, is_answered, outcome_of, wait_patiently
from tests.people import press_in_command

pytestmark = pytest.mark.process
THAI = "Thai Poker"
MOST_MOVES = 400


async def own_cards(setup: Setup) -> list[str]:
    """Return the text that **My seat** shows to each person."""
    texts = []
    for person in setup.people:
        out = await person.click(await setup.table_message(), "My seat")
        texts.append(out.text)
    return texts


async def play_on(setup: Setup, chance: random.Random) -> str:
    """Make one move from the screen; return the table's text after it."""
    message = await setup.table_message()
    if "Next round" in message.buttons:
        await setup.people[0].click(message, "Next round")
        number = int(message.text.split("Round ")[1].split()[0])
        return (await setup.wait_for_table(f"Round {number + 1}", "My seat")).text
    person = await setup.turn()
    if "Challenge" in message.buttons and (
        "must challenge" in message.text or chance.random() < 0.5
    ):
        out = await person.click(message, "Challenge")
        if out.message is not None and OWN_CARDS in out.text:
            await person.click(out.message, ANYWAY)
        else:
            await table_text_after(out)
        number = int(message.text.split("Round ")[1].split()[0])
        return (await setup.wait_for_table(f"Round {number}", "Showdown")).text
    options = message.select()["options"]
    choice = options[min(chance.randrange(12), len(options) - 1)]["value"]
    out = await person.select(message, None, choice)
    return await table_text_after(out)


async def table_text_after(out: ActOutcome) -> str:
    """Return the table's text after a move, whether it is redrawn at once or a little later."""
    assert is_answered(out), out.text
    return (await out.settle()).text


async def test_a_match_goes_on_after_sigkill_with_the_same_cards_bid_and_buttons(
    tmp_path: Path,
) -> None:
    async with wait_patiently(tmp_path, players=2) as setup:
        await setup.start()
        for person in setup.people:
            form = await press_in_command(person, setup.channel, "preferences", "Change…")
            await person.submit(form.modal, {"Cards by direct message": ["Always"]})
        await setup.begin(THAI)
        for person in setup.people:
            while len(await person.dm_messages()) < 2:  # noqa: ASYNC110 - it signals nobody
                await asyncio.sleep(0.01)
        await table_text_after(
            await (await setup.turn()).select(await setup.table_message(), None, "Pair of nines")
        )
        message, cards = await setup.table_message(), await own_cards(setup)
        turn, dms = await setup.turn(), [len(await person.dm_messages()) for person in setup.people]
        setup.kill()
        await setup.start()
        after = await setup.table_message()
        assert (after.id, after.text) == (message.id, message.text)
        assert await own_cards(setup) == cards
        assert [len(await person.dm_messages()) for person in setup.people] == dms
        out = await turn.click(message, "Type…")  # drawn by the process that was killed
        setup.kill()
        await setup.start()
        out = await turn.submit(out.form, {"text": "pair of kings"})
        assert "### Pair of kings" in await table_text_after(out)
        await setup.wait_until_resumed()
        chance = random.Random(5)
        for _ in range(MOST_MOVES):
            if "wins the match" in await play_on(setup, chance):
                break
        else:
            raise AssertionError("the match did not end")
        code, _ = await setup.terminate()
        assert code == 0


Press = Callable[[], Coroutine[Any, Any, ActOutcome]]


async def killed_before_it_comes(setup: Setup, press: Press) -> int:
    """Kill the bot before it receives the move; return how often the move must be stored."""
    await setup.world.fault("drop_interactions")
    move = asyncio.create_task(press())
    setup.kill()
    assert await outcome_of(setup, move) is None
    await setup.world.fault("clear")
    return 0


async def killed_once_stored(setup: Setup, press: Press) -> int:
    """Kill the bot once the move is stored; return 1, how many times the move must be stored."""
    before, move = setup.stored_actions(), asyncio.create_task(press())
    async with asyncio.timeout(PATIENCE):
        while setup.stored_actions() == before:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.002)
    setup.kill()
    await outcome_of(setup, move)
    return 1


async def killed_once_answered(setup: Setup, press: Press) -> int:
    """Kill the bot once it has answered the move; return 1, as the move must be stored once."""
    await table_text_after(await press())
    setup.kill()
    return 1


async def test_no_move_is_lost_or_made_twice_whenever_the_bot_is_killed(tmp_path: Path) -> None:
    chance = random.Random(11)
    async with wait_patiently(tmp_path, players=3) as setup:
        await setup.start()
        await setup.begin(THAI)
        for killed in (killed_before_it_comes, killed_once_stored, killed_once_answered):
            if "Next round" in (await setup.table_message()).buttons:
                await play_on(setup, chance)
            message, person = await setup.table_message(), await setup.turn()
            stored = setup.stored_actions()
            actions = await killed(setup, partial(person.select, message, None, _value(message, 1)))
            await setup.start()
            assert setup.stored_actions() - stored == actions
            if actions:
                await setup.wait_for_table(f"### {_label(message, 1)}")
                assert await setup.turn() is not person
            else:
                assert (await setup.table_message()).text == message.text
            await setup.wait_until_resumed()  # what is not shown yet cannot be played on with
            assert setup.stored_actions() - stored == actions
        await play_on(setup, chance)


async def test_a_move_that_was_stored_but_not_answered_is_shown_after_the_restart(
    tmp_path: Path,
) -> None:
    async with wait_patiently(tmp_path, players=2) as setup:
        await setup.start()
        message = await setup.begin(THAI)
        await setup.world.fault("server_error", route="POST /interactions/*", times=100)
        stored = setup.stored_actions()
        person = await setup.turn()
        move = asyncio.create_task(person.select(message, None, "Pair of nines"))
        async with asyncio.timeout(PATIENCE):
            while setup.stored_actions() == stored:  # noqa: ASYNC110 - another process writes
                await asyncio.sleep(0.002)
        setup.kill()
        assert await outcome_of(setup, move) is None
        assert "No bid yet" in (await setup.table_message()).text
        await setup.world.fault("clear")
        await setup.start()
        await setup.wait_for_table("### Pair of nines")
        assert await setup.turn() is not person


async def test_a_second_process_on_the_same_database_is_refused_in_one_line(
    tmp_path: Path,
) -> None:
    async with wait_patiently(tmp_path, players=2) as setup:
        await setup.start()
        await setup.begin(THAI)
        second = await asyncio.to_thread(command, tmp_path, "run", **setup.settings)
        assert second.returncode == 75
        assert "is in use by another Bluffhouse" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1
        out = await (await setup.turn()).select(await setup.table_message(), None, "Pair of nines")
        assert "### Pair of nines" in await table_text_after(out)


async def test_a_wrong_token_ends_in_one_line_and_exit_code_78(tmp_path: Path) -> None:
    async with wait_patiently(tmp_path, players=2) as setup:
        for token in ("wrong", "two\nlines"):
            settings = setup.settings | {"DISCORD_TOKEN": token}
            ended = await asyncio.to_thread(command, tmp_path, "run", **settings)
            assert ended.returncode == 78, ended.stdout + ended.stderr
            assert "Discord doesn't accept that token" in ended.stderr
            assert "Traceback" not in ended.stdout + ended.stderr
            assert token not in ended.stdout + ended.stderr


def test_a_missing_token_ends_in_one_sentence_and_exit_code_78(tmp_path: Path) -> None:
    ended = command(tmp_path, "run")
    assert ended.returncode == 78
    assert one_sentence(ended.stderr).startswith("bluffhouse: no token")
    assert ended.stdout == ""


def test_discord_that_cannot_be_reached_ends_in_one_line_and_exit_code_75(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{_free_port()}"
    ended = command(
        tmp_path,
        "run",
        DISCORD_TOKEN="sandbox",
        BLUFFHOUSE_DISCORD__API_URL=nowhere,
        BLUFFHOUSE_DATABASE__PATH=str(tmp_path / "house.db"),
    )
    assert ended.returncode == 75, ended.stderr
    assert "can't reach Discord" in ended.stderr
    assert "Traceback" not in ended.stderr + ended.stdout


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_sandbox_leaves_no_emulator_behind(tmp_path: Path, end: signal.Signals) -> None:
    port = _free_port()
    parent = subprocess.Popen(
        [sys.executable, "-m", "bot", "sandbox", "--port", str(port), "--data", str(tmp_path)],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert parent.stdout is not None
    try:
        lines = iter(parent.stdout.readline, "")
        assert f":{port}" in next(line for line in lines if line.startswith("Open http"))
        next(line for line in lines if "bot: ready" in line)
        assert _listens(port)
        parent.send_signal(end)
        # the emulator holds the pipe too: it ends only when both processes have
        parent.stdout.read()
        code = parent.wait(PATIENCE)
        assert code == (-signal.SIGKILL if end is signal.SIGKILL else 0)
        assert not _listens(port)
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()


def _value(message: SeenMessage, option: int) -> str:
    options = message.select()["options"]
    return str(options[min(option, len(options) - 1)]["value"])


def _label(message: SeenMessage, option: int) -> str:
    options = message.select()["options"]
    return str(options[min(option, len(options) - 1)]["label"])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

"""The real process is killed and restarted, stopped, or refused; nothing is lost."""

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
from tests.bot.processes import answered, command, outcome_of, unhurried
from tests.people import press_in_command

pytestmark = pytest.mark.process
THAI = "Thai Poker"
MOST_MOVES = 400


async def own_cards(here: Setup) -> list[str]:
    """What My seat shows to each."""
    shown = []
    for one in here.people:
        out = await one.click(await here.table_message(), "My seat")
        shown.append(out.text)
    return shown


async def play_on(here: Setup, chance: random.Random) -> str:
    """Make one move from the screen; what the table says afterwards."""
    message = await here.table_message()
    if "Next round" in message.buttons:
        await here.people[0].click(message, "Next round")
        number = int(message.text.split("Round ")[1].split()[0])
        return (await here.wait_for_table(f"Round {number + 1}", "My seat")).text
    person = await here.turn()
    if "Challenge" in message.buttons and (
        "must challenge" in message.text or chance.random() < 0.5
    ):
        out = await person.click(message, "Challenge")
        if out.message is not None and OWN_CARDS in out.text:
            await person.click(out.message, ANYWAY)
        else:
            await drawn(out)
        number = int(message.text.split("Round ")[1].split()[0])
        return (await here.wait_for_table(f"Round {number}", "Showdown")).text
    options = message.select()["options"]
    choice = options[min(chance.randrange(12), len(options) - 1)]["value"]
    out = await person.select(message, None, choice)
    return await drawn(out)


async def drawn(out: ActOutcome) -> str:
    """What the table says in answer to a move, be it drawn at once or a little later."""
    assert answered(out), out.text
    return (await out.settle()).text


async def test_a_match_goes_on_after_sigkill_with_the_same_cards_bid_and_buttons(
    tmp_path: Path,
) -> None:
    async with unhurried(tmp_path, players=2) as here:
        await here.start()
        for one in here.people:
            form = await press_in_command(one, here.channel, "preferences", "Change…")
            await one.submit(form.modal, {"Cards by direct message": ["Always"]})
        await here.begin(THAI)
        for one in here.people:
            while len(await one.dm_messages()) < 2:  # noqa: ASYNC110 - it signals nobody
                await asyncio.sleep(0.01)
        await drawn(
            await (await here.turn()).select(await here.table_message(), None, "Pair of nines")
        )
        message, cards = await here.table_message(), await own_cards(here)
        turn, dms = await here.turn(), [len(await one.dm_messages()) for one in here.people]
        here.kill()
        await here.start()
        after = await here.table_message()
        assert (after.id, after.text) == (message.id, message.text)
        assert await own_cards(here) == cards
        assert [len(await one.dm_messages()) for one in here.people] == dms
        out = await turn.click(message, "Type…")  # drawn by the process that was killed
        here.kill()
        await here.start()
        out = await turn.submit(out.form, {"text": "pair of kings"})
        assert "### Pair of kings" in await drawn(out)
        await here.wait_until_resumed()
        chance = random.Random(5)
        for _ in range(MOST_MOVES):
            if "wins the match" in await play_on(here, chance):
                break
        else:
            raise AssertionError("the match did not end")
        code, _ = await here.terminate()
        assert code == 0


Press = Callable[[], Coroutine[Any, Any, ActOutcome]]


async def killed_before_it_comes(here: Setup, press: Press) -> int:
    """The bot never hears of the move; how often it is to be stored."""
    await here.world.fault("drop_interactions")
    move = asyncio.create_task(press())
    here.kill()
    assert await outcome_of(here, move) is None
    await here.world.fault("clear")
    return 0


async def killed_once_stored(here: Setup, press: Press) -> int:
    """Answered or not, the move is made; how often it is to be stored."""
    before, move = here.stored_actions(), asyncio.create_task(press())
    async with asyncio.timeout(PATIENCE):
        while here.stored_actions() == before:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.002)
    here.kill()
    await outcome_of(here, move)
    return 1


async def killed_once_answered(here: Setup, press: Press) -> int:
    """Whatever was to follow the answer does not; how often the move is to be stored."""
    await drawn(await press())
    here.kill()
    return 1


async def test_no_move_is_lost_or_made_twice_whenever_the_bot_is_killed(tmp_path: Path) -> None:
    chance = random.Random(11)
    async with unhurried(tmp_path, players=3) as here:
        await here.start()
        await here.begin(THAI)
        for killed in (killed_before_it_comes, killed_once_stored, killed_once_answered):
            if "Next round" in (await here.table_message()).buttons:
                await play_on(here, chance)
            message, person = await here.table_message(), await here.turn()
            stored = here.stored_actions()
            made = await killed(here, partial(person.select, message, None, _value(message, 1)))
            await here.start()
            assert here.stored_actions() - stored == made
            if made:
                await here.wait_for_table(f"### {_label(message, 1)}")
                assert await here.turn() is not person
            else:
                assert (await here.table_message()).text == message.text
            await here.wait_until_resumed()  # what is not shown yet cannot be played on with
            assert here.stored_actions() - stored == made
        await play_on(here, chance)


async def test_a_move_that_was_stored_but_not_answered_is_shown_after_the_restart(
    tmp_path: Path,
) -> None:
    async with unhurried(tmp_path, players=2) as here:
        await here.start()
        message = await here.begin(THAI)
        await here.world.fault("server_error", route="POST /interactions/*", times=100)
        stored = here.stored_actions()
        person = await here.turn()
        move = asyncio.create_task(person.select(message, None, "Pair of nines"))
        async with asyncio.timeout(PATIENCE):
            while here.stored_actions() == stored:  # noqa: ASYNC110 - another process writes
                await asyncio.sleep(0.002)
        here.kill()
        assert await outcome_of(here, move) is None
        assert "No bid yet" in (await here.table_message()).text
        await here.world.fault("clear")
        await here.start()
        await here.wait_for_table("### Pair of nines")
        assert await here.turn() is not person


async def test_a_second_process_on_the_same_database_is_refused_in_one_line(
    tmp_path: Path,
) -> None:
    async with unhurried(tmp_path, players=2) as here:
        await here.start()
        await here.begin(THAI)
        second = await asyncio.to_thread(command, tmp_path, "run", **here.settings)
        assert second.returncode == 75
        assert "is in use by another Bluffhouse" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1
        out = await (await here.turn()).select(await here.table_message(), None, "Pair of nines")
        assert "### Pair of nines" in await drawn(out)


async def test_a_wrong_token_ends_in_one_line_and_exit_code_78(tmp_path: Path) -> None:
    async with unhurried(tmp_path, players=2) as here:
        for token in ("wrong", "two\nlines"):
            settings = here.settings | {"DISCORD_TOKEN": token}
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

# ruff: noqa: ASYNC110, ASYNC220 - other processes tell by what can be seen; starting one is quick
"""The bot's side of the computing process, tested with a real process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bot.computing.process import TRIES, Computing
from bot.computing.protocol import WorkerTraceback
from bot.computing.question import ProcessLost, QueueFull, TookTooLong
from bot.discord.odds.questions import CountShowdown, TypedShowdown
from bot.language.catalogues import speaking
from bot.retry import RetryPolicy
from engine.errors import TextError
from engine.wording import BidTextError
from tests.bot.computing.a_process import appears, computing, gone
from tests.bot.computing.questions import (
    Dies,
    Echo,
    Hold,
    HoldDecision,
    HoldPicture,
    Loaded,
    LongEcho,
    Misread,
    Prints,
    Translated,
    Unheeding,
    Unsendable,
    Where,
    most_at_once,
)


async def test_an_answer_is_in_the_askers_language() -> None:
    async with computing() as process:
        with speaking("pl"):
            polish = asyncio.ensure_future(process.ask(Translated("Leave")))
        english = process.ask(Translated("Leave"))
        assert [*await asyncio.gather(polish, english)] == ["Odejdź", "Leave"]


async def test_every_answer_reaches_its_own_caller() -> None:
    async with computing() as process:
        answers = [process.ask(Echo(number)) for number in range(40)]
        answers += [process.ask(LongEcho(number)) for number in range(40, 50)]
        assert await asyncio.gather(*answers) == list(range(50))
        (pid, niceness, _) = await process.ask(Where())
        assert pid == process.pid != os.getpid()
        assert niceness == min(os.nice(0) + 10, 19)


async def test_the_process_has_no_secrets_in_its_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE", "BLUFFHOUSE_DATABASE__URL")
    for name in names:
        monkeypatch.setenv(name, "secret")
    async with computing() as process:
        _, _, known = await process.ask(Where())
        assert not set(known) & set(names)
        assert "PATH" in known


async def test_errors_come_with_their_facts() -> None:
    async with computing() as process:
        with pytest.raises(TextError) as caught:
            await process.ask(Misread("Ah Zz"))
        with pytest.raises(TextError) as direct:
            Misread("Ah Zz").answer(lambda: False)
        assert (caught.value.reason, str(caught.value)) == (direct.value.reason, str(direct.value))
        assert isinstance(caught.value.__cause__, WorkerTraceback)
        assert "in answer" in str(caught.value.__cause__)
        with pytest.raises(BidTextError) as unclear:
            await process.ask(Misread("flush"))
        with pytest.raises(BidTextError) as same:
            Misread("flush").answer(lambda: False)
        assert str(unclear.value) == str(same.value)
        assert unclear.value.suggestions == same.value.suggestions


async def test_a_question_that_cannot_be_pickled_fails_alone() -> None:
    async with computing() as process:
        with pytest.raises(TypeError):
            await process.ask(Echo(threading.Lock()))
        for raises in (True, False):
            with pytest.raises((RuntimeError, TypeError), match="lock"):
                await process.ask(Unsendable(raises))
        assert await process.ask(Echo("still there")) == "still there"


async def test_printed_output_does_not_disturb_the_answers() -> None:
    async with computing() as process:
        assert await process.ask(Prints()) == "quiet"
        assert await process.ask(Echo(1)) == 1


async def test_brief_questions_do_not_wait_behind_long_ones(tmp_path: Path) -> None:
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "abc"]
        for name in "ab":
            await appears(tmp_path / f"{name}.begun", 1)
        for number in range(20):  # enough for a third to begin, if it were let
            assert await process.ask(Echo(number)) == number
        assert not (tmp_path / "c.begun").exists()
        (tmp_path / "b.go").touch()
        await appears(tmp_path / "c.begun", 1)
        for name in "ac":
            (tmp_path / f"{name}.go").touch()
        assert await asyncio.gather(*holds) == ["a", "b", "c"]
    assert most_at_once(tmp_path) == 2


async def test_peoples_questions_wait_behind_no_decision_and_decisions_behind_each_other(
    tmp_path: Path,
) -> None:
    async with computing(most_asked=3) as process:
        holds = [asyncio.create_task(process.ask(HoldDecision(tmp_path, name))) for name in "abc"]
        await appears(tmp_path / "a.begun", 1)
        with pytest.raises(QueueFull):  # decisions have a limit of their own,
            await process.ask(HoldDecision(tmp_path, "d"))
        assert await process.ask(Echo("brief")) == "brief"  # which keeps nobody else out
        for number in range(20):  # enough for a second decision to begin, if it were let
            assert await process.ask(LongEcho(number)) == number
        for name in "abc":
            (tmp_path / f"{name}.go").touch()
        assert await asyncio.gather(*holds) == ["a", "b", "c"]
    assert most_at_once(tmp_path) == 1


async def test_pictures_are_drawn_one_by_one_without_help_of_the_bots_loop(
    tmp_path: Path,
) -> None:
    async with computing() as process:
        await process.ask(Echo("started"))
        (beside := tmp_path / "beside").mkdir()
        for go in (beside / "long.go", tmp_path / "b.go", tmp_path / "c.go"):
            go.touch()
        path = [process.ask(HoldPicture(tmp_path, name)) for name in "abc"]
        path.append(process.ask(Hold(beside, "long")))
        drawn = [asyncio.ensure_future(answer) for answer in path]
        await asyncio.sleep(0)
        # nothing on the loop goes on from here
        _until_there(beside / "long.begun")  # sent after the pictures: a second could have begun
        _until_there(tmp_path / "a.begun")
        (tmp_path / "a.go").touch()
        _until_there(tmp_path / "c.begun")
        assert await asyncio.gather(*drawn) == ["a", "b", "c", "long"]
    assert most_at_once(tmp_path) == 1


def _until_there(path: Path) -> None:
    while not path.exists():
        time.sleep(0.005)


async def test_a_cancelled_question_frees_its_worker(tmp_path: Path) -> None:
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "abcd"]
        for name in "ab":
            await appears(tmp_path / f"{name}.begun", 1)
        holds[2].cancel()  # while it waits
        holds[0].cancel()  # while it is counted
        await appears(tmp_path / "a.stopped")
        await appears(tmp_path / "d.begun", 1)
        assert not (tmp_path / "c.begun").exists()
        for name in "bd":
            (tmp_path / f"{name}.go").touch()
        assert [await holds[1], await holds[3]] == ["b", "d"]
        assert holds[0].cancelled()
        assert holds[2].cancelled()


async def test_a_question_is_given_up_after_its_time_of_counting(tmp_path: Path) -> None:
    async with computing() as process:
        with pytest.raises(TookTooLong) as caught:
            await process.ask(Hold(tmp_path, "a"), limit=0.05)
        assert caught.value.seconds == 0.05
        await appears(tmp_path / "a.stopped")


async def test_a_brief_question_is_given_up_too_although_it_never_checks_the_time(
    tmp_path: Path,
) -> None:
    async with computing() as process:
        with pytest.raises(TookTooLong):
            await process.ask(Unheeding(tmp_path), limit=0.05)
        assert await process.ask(Echo("others")) == "others"
        (tmp_path / "go").touch()
        assert await process.ask(Unheeding(tmp_path)) == "at last"


async def test_neither_waiting_nor_compiling_counts_against_the_limit(tmp_path: Path) -> None:
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "ab"]
        late = Hold(tmp_path, "late", loads="compiled")
        task = asyncio.create_task(process.ask(late, limit=0.05))
        for name in "ab":
            await appears(tmp_path / f"{name}.begun", 1)
        finished, _ = await asyncio.wait({task}, timeout=0.3)  # it waits for a worker
        assert not finished
        (tmp_path / "a.go").touch()
        await appears(tmp_path / "late.begun", 1)
        finished, _ = await asyncio.wait({task}, timeout=0.3)  # it is being compiled
        assert not finished
        (tmp_path / "compiled").touch()
        with pytest.raises(TookTooLong):
            await task
        (tmp_path / "b.go").touch()
        await asyncio.gather(*holds)


@pytest.mark.thorough
async def test_a_question_is_asked_once_more_when_the_process_is_killed(tmp_path: Path) -> None:
    async with computing() as process:
        task = asyncio.create_task(process.ask(Hold(tmp_path, "a")))
        waiting = [asyncio.create_task(process.ask(LongEcho(number))) for number in range(5)]
        (first,) = await appears(tmp_path / "a.begun", 1)
        os.kill(int(first), signal.SIGKILL)
        first, second = await appears(tmp_path / "a.begun", 2)
        assert first != second
        (tmp_path / "a.go").touch()
        assert await task == "a"
        assert await asyncio.gather(*waiting) == list(range(5))
        assert process.pid == int(second)


@pytest.mark.thorough
async def test_a_question_that_ends_the_process_is_not_asked_for_ever() -> None:
    async with computing(restarts=RetryPolicy(0.0, 0.0)) as process:
        with pytest.raises(ProcessLost):
            await process.ask(Dies())
        assert await process.ask(Echo(1)) == 1


@pytest.mark.thorough
async def test_a_process_that_dies_again_and_again_is_given_pauses() -> None:
    async with computing(restarts=RetryPolicy(3600.0, 3600.0, at_once=TRIES - 1)) as process:
        waiting = asyncio.create_task(process.ask(Dies()))
        with pytest.raises(ProcessLost):
            await waiting
        with pytest.raises(ProcessLost):  # at once, not in an hour
            await process.ask(Echo(1))
        assert process.pid is None


@pytest.mark.thorough
async def test_after_a_pause_questions_are_answered_again() -> None:
    async with computing(restarts=RetryPolicy(0.01, 0.01)) as process:
        with pytest.raises(ProcessLost):
            await process.ask(Dies())
        answer = None
        while answer is None:
            with contextlib.suppress(ProcessLost):
                answer = await process.ask(Echo(1))
            await asyncio.sleep(0.005)


async def test_the_number_of_waiting_questions_is_limited(tmp_path: Path) -> None:
    async with computing(most_asked=3) as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "abc"]
        await appears(tmp_path / "a.begun", 1)
        with pytest.raises(QueueFull):
            await process.ask(Echo(1))
        (tmp_path / "a.go").touch()
        assert await holds[0] == "a"
        assert await process.ask(Echo(1)) == 1
        for hold in holds:
            hold.cancel()


@pytest.mark.long
async def test_a_cancelled_showdown_frees_its_worker_in_the_midst_of_dealing() -> None:
    heavy = TypedShowdown("omaha5 AsAhKsKh2d", opponents=8)
    async with computing() as process:
        await process.ask(CountShowdown(TypedShowdown("omaha5 AsAhKsKh2d vs random")))  # compiled
        with pytest.raises(TookTooLong):
            await process.ask(CountShowdown(heavy), limit=0.1)
        counted = await process.ask(CountShowdown(TypedShowdown("AhKd vs QQ", board="9c 8d 2s")))
        assert counted.packed is not None


@pytest.mark.long
async def test_a_warm_process_has_loaded_the_kernels() -> None:
    process = Computing()
    try:
        process.start(warm=True)
        assert await process.ask(Echo(1)) == 1  # it answers meanwhile
        await process.warmed.wait()
        assert await process.ask(Loaded("numba"))
    finally:
        await process.close()


# -- how it ends: with the bot, however that goes --------------------------------------------------

ROOT = Path(__file__).parents[3]


async def test_closing_ends_the_process_and_fails_waiting_questions(tmp_path: Path) -> None:
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "abc"]
        (pid,) = await appears(tmp_path / "a.begun", 1)
        await process.close()
        assert gone(int(pid))
        for hold in holds:
            with pytest.raises(ProcessLost):
                await hold
        with pytest.raises(ProcessLost):
            await process.ask(Echo(1))


async def test_closing_without_any_question_does_nothing() -> None:
    process = Computing()
    await process.close()
    process.start()
    assert process.pid is None


async def test_a_signal_to_the_whole_group_leaves_ending_to_the_bot(tmp_path: Path) -> None:
    async with computing() as process:
        pid, _, _ = await process.ask(Where())
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(pid, number)
        task = asyncio.create_task(process.ask(Hold(tmp_path, "a")))
        assert await appears(tmp_path / "a.begun", 1) == [str(pid)]
        (tmp_path / "a.go").touch()
        assert await task == "a"


BOT = """
import asyncio
from pathlib import Path
from bot.computing.process import Computing
from tests.bot.computing.questions import Hold

async def main():
    await Computing().ask(Hold(Path({folder!r}), "a"))

asyncio.run(main())
"""


async def test_it_ends_when_the_bot_is_killed(tmp_path: Path) -> None:
    script = BOT.format(folder=str(tmp_path))
    bot = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL)
    try:
        (pid,) = await appears(tmp_path / "a.begun", 1)
        assert not gone(int(pid))
        bot.kill()
        bot.wait()
        while not gone(int(pid)):
            await asyncio.sleep(0.005)
    finally:
        bot.kill()
        bot.wait()


async def test_kernels_are_not_loaded_before_they_are_requested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with computing() as process:
        process.plan_warming()
        assert process.warming
        pid, _, _ = await process.ask(Where())
        assert not _children(pid)  # it runs, and compiles nothing by itself
        process.start(warm=True)
        while not _children(pid):
            await asyncio.sleep(0.005)
        assert process.warming


async def test_compiler_processes_end_with_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with computing() as process:
        process.start(warm=True)
        pid, _, _ = await process.ask(Where())
        while not (children := _children(pid)):
            await asyncio.sleep(0.005)
        await process.close()
        while not all(map(gone, children)):
            await asyncio.sleep(0.005)


def _children(pid: int) -> list[int]:
    listings = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for text in listings for child in text.split()]

"""Two real processes with one token, each with its own database, on one local Discord."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.setup import Setup, open_setup
from tests.bot.processes import UNWARMED, launch

pytestmark = pytest.mark.process
CONFIGURATION = 78  # the exit code after which starting again would not help
ALONE = 60  # answers of the process that was there first


async def ask_for_help(setup: Setup) -> str:
    return (await setup.people[0].slash(setup.channel, "help")).kind


async def test_of_two_processes_with_one_token_the_newcomer_stops_with_one_sentence(
    tmp_path: Path,
) -> None:
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
    async with open_setup(folders[0], 1) as first:
        first.module, first.launch = UNWARMED, launch
        await first.start()
        for _ in range(ALONE):
            await ask_for_help(first)
        second = Setup(folders[1], first.address, first.world, first.discord)
        second.module, second.launch = UNWARMED, launch
        await second.start()
        assert first.bot is not None
        assert second.bot is not None
        try:
            while second.bot.poll() is None:
                assert first.bot.poll() is None
                await ask_for_help(first)  # each is answered, by one of the two
            assert second.bot.wait() == CONFIGURATION
        finally:
            second.kill()
        log = (folders[1] / "bot-1.log").read_text()
        sentence = "another process answers with this token, and answered before this one did"
        assert log.count(f"bluffhouse: {sentence}") == 1
        assert "Traceback" not in log
        assert await ask_for_help(first) == "message"
        assert (await first.terminate())[0] == 0

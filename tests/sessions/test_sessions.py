"""A dozen sessions with faults, and the proof that a seed repeats a session."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from tests.catalogues import commands
from tests.sessions.loop import NothingWillHappen, VirtualLoop
from tests.sessions.people import COMMANDS, ELSEWHERE
from tests.sessions.run import play
from tests.sessions.sight import own_cards

SESSIONS = 12  # `make sessions` has a thousand
AT_ONCE = 6


def test_people_use_every_command() -> None:
    names_used = {act.partition(" ")[0] for act in COMMANDS}
    missing = {command.name for command in commands()} - names_used - {*ELSEWHERE}
    assert not missing, (
        f"nobody uses {missing} in a session: add it to COMMANDS in tests/sessions/people.py, or"
        " say in ELSEWHERE why not"
    )
    assert {command.name for command in commands()} == names_used | {*ELSEWHERE}
    assert not names_used & {*ELSEWHERE}


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, SESSIONS + 1, AT_ONCE))
def test_whatever_happens_in_a_session_nothing_is_lost_and_every_match_ends(
    first: int,
) -> None:
    for seed in range(first, first + AT_ONCE):
        verdict = play(seed)
        assert verdict.failure is None, (
            f"python -m tests.sessions --sessions 1 --seed {seed} --steps"
        )
        assert verdict.acts


@pytest.mark.thorough
def test_a_press_that_is_answered_late_leaves_no_second_table() -> None:
    """In session 107 an answer comes late: its message was moved down in the meantime."""
    assert play(107).failure is None


@pytest.mark.long
def test_a_seed_plays_the_same_session_to_the_step_in_another_process_too() -> None:
    verdict = play(77)
    assert verdict.acts > 20
    process = subprocess.run(
        [sys.executable, "-m", "tests.sessions", "--sessions", "1", "--seed", "77", "--steps"],
        env={**os.environ, "PYTHONHASHSEED": "4242"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"digest {verdict.digest}\n" in process.stdout, "another process plays another session"


def test_time_passes_only_while_nobody_has_anything_to_do() -> None:
    loop = VirtualLoop()

    async def sleepers() -> list[float]:
        woken = []

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds)
            woken.append(loop.time())

        await asyncio.gather(*(sleep(seconds) for seconds in (3600.0, 1.0, 86_400.0)))
        return woken

    assert loop.run_until_complete(sleepers()) == pytest.approx([1.0, 3600.0, 86_400.0])
    with pytest.raises(NothingWillHappen):
        loop.run_until_complete(loop.create_future())
    loop.close()


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Round 2\n# 6♦ 10♥ ★\n", {"6♦", "10♥"}),
        ("Round 2\n### Six of diamonds, joker, ten of hearts\n", {"6♦", "10♥"}),
        ("Round 2\n### Szóstka karo, dziesiątka kier\n", {"6♦", "10♥"}),
        ("Round 2\n### No bid yet\n", None),
    ],
)
def test_a_direct_message_is_read_as_its_person_reads_it(text: str, held: set[str] | None) -> None:
    assert own_cards(text) == held

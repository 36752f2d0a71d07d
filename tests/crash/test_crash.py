"""Kills at named points: plans cover every point, missing code raises, and no move is lost."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.crash import seams
from tests.crash.__main__ import report
from tests.crash.points import POINTS, plan_kills
from tests.crash.run import TABLES, Plan, run


@pytest.mark.parametrize(
    "where", ["bot.app:Bot.stops", "bot.discord.answer", "bot.storage.store:Store.commit"]
)
def test_a_seam_that_is_not_there_any_more_is_no_silent_gap(where: str) -> None:
    with pytest.raises((seams.SeamGone, ModuleNotFoundError)):
        seams.seam(where)


def test_every_point_is_among_enough_kills_and_a_seed_plans_the_same_again() -> None:
    plan = plan_kills(200, Random(5))
    assert plan == plan_kills(200, Random(5))
    assert {kill.point for kill in plan} == {None, *(point.name for point in POINTS)}
    assert len(plan) == 200


def test_one_point_alone_may_be_asked_for() -> None:
    plan = plan_kills(7, Random(1), ["letter.sent"])
    assert [kill.point for kill in plan] == ["letter.sent"] * 7


# before and after a commit, after the answer, between a message and its note, with direct messages
# to send, at a match's end, in a deadline, in a start
SHORT = (
    "move.before-commit",
    "move.after-commit",
    "move.after-answer",
    "message.posted",
    "letter.sent",
    "end.after-commit",
    "nudge.after-commit",
    "start.granted",
)
FEW = (TABLES[0], TABLES[4])
KILLS = 12


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="victims are forked")
async def test_no_acknowledged_move_is_lost_doubled_or_altered_by_kills_at_named_points(
    tmp_path: Path,
) -> None:
    verdict = await run(tmp_path, Plan(KILLS, 7, SHORT, FEW))
    assert set(verdict.reached) == set(SHORT), report(verdict)
    assert verdict.case.figures["acknowledged"], report(verdict)
    assert verdict.case.clean, report(verdict)

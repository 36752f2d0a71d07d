"""The coach, asked of a real computing process."""

from __future__ import annotations

from bot.computing.player_questions import Coaching
from engine.players.coaching.advising import advise
from engine.players.coaching.decisions import decisions_of
from tests.bot.computing.a_process import computing
from tests.bot.replays.matches import whole


async def test_the_other_process_judges_as_this_one_would() -> None:
    match = whole("thai_poker", 3)
    decisions = decisions_of(match.first(), match.actions)[:2]
    async with computing() as process:
        judged = await process.ask(Coaching(decisions))
    assert judged == tuple(advise(one, match.rules) for one in decisions)


def test_nobody_judges_on_once_nobody_wants_the_answer() -> None:
    match = whole("thai_poker", 3)
    decisions = decisions_of(match.first(), match.actions)[:3]
    calls = iter((False, True))
    assert [one.seq for one in Coaching(decisions).answer(lambda: next(calls))] == [
        decisions[0].seq
    ]

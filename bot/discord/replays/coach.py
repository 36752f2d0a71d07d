"""The coach as the bot asks it: in the computing process, one question a person at a time.

What it says of a match never changes, so it is kept for a while.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.computing.player_questions import Coaching
from bot.computing.process import Computing
from bot.computing.question import ComputingError
from bot.recent import Recent
from bot.replays.coaching import (
    CANDIDATES,
    beside,
    candidates,
    own_decisions,
    round_decisions,
)
from bot.replays.played import PlayedMatch
from bot.tables import errors
from engine.players.coaching.decisions import Advice, Decision

LONGEST: Final = 120.0  # seconds of judging; a decision takes about a tenth of one
KEPT: Final = 128  # rounds, and players of matches
Judged = tuple[Advice, ...]


class Coach:
    """Judges decisions of matches that are over."""

    def __init__(self, computing: Computing) -> None:
        self._computing = computing
        self._kept = Recent[tuple[int, str, int], Judged](KEPT)
        self._asking: set[int] = set()

    async def of_round(self, played: PlayedMatch, number: int, asker: int) -> Judged:
        """Every decision of one round. Raises `CoachIsBusy`, `CoachIsAway`."""
        decisions = round_decisions(played, number)
        return await self._judged((played.number or 0, "round", number), decisions, asker)

    async def of_player(self, played: PlayedMatch, seat: int, asker: int) -> Judged:
        """Every decision that the player of a seat made. Raises as `of_round`."""
        decisions = own_decisions(played, seat)
        return await self._judged((played.number or 0, "seat", seat), decisions, asker)

    async def of_decision(self, played: PlayedMatch, seat: int, seq: int, asker: int) -> Advice:
        """One decision that the player of a seat made, with enough tried to choose among.

        Raises as `of_round`; `MovedOn` if there is no such decision.
        """
        found = tuple(one for one in own_decisions(played, seat) if one.seq == seq)
        if not found:
            raise errors.MovedOn
        number = played.number or 0
        (advice,) = await self._judged((number, "decision", seq), found, asker)
        enough = len(candidates(advice, played.rules)) >= CANDIDATES
        if not enough and (more := beside(found[0], advice, played.rules)):
            tried = await self._judged((number, "beside", seq), more, asker)
            advice = replace(advice, tried=(*advice.tried, *(one.done for one in tried)))
        return advice

    async def _judged(
        self, key: tuple[int, str, int], decisions: tuple[Decision, ...], asker: int
    ) -> Judged:
        if key in self._kept:
            return self._kept[key]
        if asker in self._asking:
            raise errors.CoachIsBusy
        self._asking.add(asker)
        try:
            judged = await self._computing.ask(Coaching(decisions), LONGEST)
        except ComputingError as error:
            raise errors.CoachIsAway from error
        finally:
            self._asking.discard(asker)
        self._kept[key] = judged
        return judged

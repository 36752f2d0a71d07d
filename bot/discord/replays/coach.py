"""Ask the coach, and run the *Quiz*, which asks about costly decisions again.

The computing process runs the coach, which answers one question of each person at a time. The
coach's answer for a match never changes, so it is cached for a while. When a player asks for the
*Quiz*, the coach searches their latest matches for mistakes, a few at a time. Only the number of
the action is stored for each mistake: the cost of a mistake is computed again each time the quiz
asks about it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from bot.boards.board import Address, Board
from bot.boards.mistakes import answer_board, choice_of, nothing_board, question_board
from bot.boards.seat import with_card_preferences
from bot.computing.player_questions import Coaching
from bot.computing.process import Computing
from bot.computing.question import ComputingError
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.people import People
from bot.discord.press import Press
from bot.discord.router import on_press
from bot.recent import Recent
from bot.replays.coaching import (
    CANDIDATES,
    candidates,
    costly,
    own_decisions,
    round_decisions,
    with_untried,
)
from bot.replays.played import PlayedMatch, Step, played_from, steps_of
from bot.services.archive import Archive
from bot.storage.mistakes import SqlMistakes
from bot.tables import errors
from bot.tables.model import KeptMatch, Mistake, record_answer
from bot.tables.scheduler import Clock
from engine.players.coaching.decisions import Advice, Decision

LONGEST: Final = 120.0  # seconds of judging; a decision takes about a tenth of a second
KEPT: Final = 128  # cached answers for rounds, and for players of matches
Judged = tuple[Advice, ...]


class Coach:
    """Judges decisions of matches that are over."""

    def __init__(self, computing: Computing) -> None:
        self._computing = computing
        self._kept = Recent[tuple[int, str, int], Judged](KEPT)
        self._asking: set[int] = set()

    async def of_round(self, played: PlayedMatch, number: int, asker: int) -> Judged:
        """Return the advice on every decision of a round.

        Raises `CoachIsBusy` while the coach answers the asker's last question, and `CoachIsAway` if
        the computing process can't answer.
        """
        decisions = round_decisions(played, number)
        return await self._judge((played.number or 0, "round", number), decisions, asker)

    async def of_player(self, played: PlayedMatch, seat: int, asker: int) -> Judged:
        """Return the advice on every decision that a seat's player made.

        Raises the same errors as `of_round`.
        """
        decisions = own_decisions(played, seat)
        return await self._judge((played.number or 0, "seat", seat), decisions, asker)

    async def of_decision(self, played: PlayedMatch, seat: int, seq: int, asker: int) -> Advice:
        """Return the advice on one decision of a seat's player.

        If the advice has too few options to choose from (`candidates`), judge a few more. `seq`:
        the number of the decision's action. Raises the same errors as `of_round`, and `MovedOn` if
        there is no such decision.
        """
        decisions = tuple(
            decision for decision in own_decisions(played, seat) if decision.seq == seq
        )
        if not decisions:
            raise errors.MovedOn
        number = played.number or 0
        (advice,) = await self._judge((number, "decision", seq), decisions, asker)
        enough = len(candidates(advice, played.rules)) >= CANDIDATES
        if not enough and (untried := with_untried(decisions[0], advice, played.rules)):
            tried = await self._judge((number, "beside", seq), untried, asker)
            advice = replace(
                advice, tried=(*advice.tried, *(decision.chosen for decision in tried))
            )
        return advice

    async def _judge(
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


# -- my mistakes, by button and for their player alone ---------------------------------------------

LATEST: Final = 20  # matches to search for mistakes
AT_ONCE: Final = 2  # matches to search at each press


class MistakeHandlers:
    """Asks quiz questions, and judges the guesses."""

    def __init__(
        self,
        store: SqlMistakes,
        clock: Clock,
        archive: Archive,
        people: People,
        coach: Coach,
    ) -> None:
        self._store = store
        self._clock = clock
        self._archive = archive
        self._people = people
        self._coach = coach

    @on_press("mistakes", looks=True)
    async def _ask(self, interaction: Interaction, press: Press) -> None:
        """Ask the next question in a new private message."""
        asking = self._next(interaction.user.id)
        board = await answers.in_time(interaction, asking, ephemeral=True, anew=True)
        known = await self._people.known(interaction.user.id)
        await answers.show(interaction, with_card_preferences(board, known), ephemeral=True)

    @on_press("mguess", looks=True)
    async def _answer(self, interaction: Interaction, press: Press) -> None:
        """Judge a guess, and show the result in place of the question.

        Raises `RefusedError`, such as `MovedOn` for a second answer.
        """
        if not answers.is_private(interaction):
            raise errors.MovedOn
        board = await answers.in_time(interaction, self._judge_guess(interaction.user.id, press))
        known = await self._people.known(interaction.user.id)
        await answers.redraw(interaction, with_card_preferences(board, known))

    async def _next(self, player: int) -> Board:
        """Return a question's board; if none is due, search more matches for mistakes.

        If there is still none, return a board that says so.
        """
        now = self._clock.now()
        board = await self._due(player, now)
        if board is not None:
            return board
        unseen = await self._store.not_looked_through(player, LATEST)
        for number in unseen[:AT_ONCE]:
            await self._look_through(player, number, now)
            board = await self._due(player, now)
            if board is not None:
                return board
        next_at = await self._store.next_at(player)
        return nothing_board(next_at, more_left=len(unseen) > AT_ONCE)

    async def _due(self, player: int, now: int) -> Board | None:
        """Return the board of the next due question, or None.

        Drop questions that the coach would no longer ask.
        """
        while (mistake := await self._store.due(player, now)) is not None:
            try:
                played, archived, step, advice = await self._decision(player, mistake)
            except (errors.NoSuchMatch, errors.MovedOn, errors.Damaged):
                advice = None
            if advice is not None and costly([advice]):
                tried = candidates(advice, played.rules)
                address = Address(archived.match.table_id, mistake.match_id)
                return question_board(played, archived.match.players, step, tried, address)
            dropped = Mistake(player, mistake.match_id, mistake.seq, mistake.asked + 1, 0, None)
            await self._store.note_answered(mistake, dropped)
        return None

    async def _look_through(self, player: int, number: int, now: int) -> None:
        """Store the mistakes that the coach finds in a match, and mark the match as searched."""
        seqs: list[int] = []
        try:
            played, archived = await self._match(player, number)
            seat = archived.match.players.index(player)
            judged = await self._coach.of_player(played, seat, player)
            seqs = [advice.seq for advice in costly(judged)]
        except (errors.NoSuchMatch, errors.Damaged):
            pass  # the match can't be read any more
        await self._store.note_looked_through(player, number, seqs, now)

    async def _judge_guess(self, player: int, press: Press) -> Board:
        number, seq = press.address.match, press.address.seq
        mistake = await self._store.find(player, number, seq)
        now = self._clock.now()
        if mistake is None or mistake.due_at is None or mistake.due_at > now:
            raise errors.MovedOn
        played, archived, step, advice = await self._decision(player, mistake)
        tried = candidates(advice, played.rules)
        chosen = next(
            (candidate for candidate in tried if choice_of(candidate) == press.choice), None
        )
        if chosen is None:
            raise errors.MovedOn
        after = record_answer(mistake, well=chosen == advice.best, now=now)
        if not await self._store.note_answered(mistake, after):
            raise errors.MovedOn
        address = Address(archived.match.table_id, number)
        players = archived.match.players
        return answer_board(played, players, step, advice, tried, chosen, after, address)

    async def _decision(
        self, player: int, mistake: Mistake
    ) -> tuple[PlayedMatch, KeptMatch, Step, Advice]:
        """Return (the match as played, the match as stored, the step, the advice) for a mistake.

        Raises whatever `_match` and `Coach.of_decision` raise, and `MovedOn` if there is no such
        step.
        """
        played, archived = await self._match(player, mistake.match_id)
        seat = archived.match.players.index(player)
        advice = await self._coach.of_decision(played, seat, mistake.seq, player)
        steps = await asyncio.to_thread(steps_of, played)
        step = next((candidate for candidate in steps if candidate.seq == mistake.seq), None)
        if step is None:
            raise errors.MovedOn
        return played, archived, step, advice

    async def _match(self, player: int, number: int) -> tuple[PlayedMatch, KeptMatch]:
        """Return (the player's match as played, the match as stored).

        Raises the same errors as `Archive.match`.
        """

        async def took_part(archived: KeptMatch) -> bool:
            return player in archived.match.players

        archived = await self._archive.match(number, took_part)
        names = await self._people.names(archived.match.players)
        with self._archive.replaying(number):
            return played_from(archived.match, archived.seeds, names), archived

"""Let players leave a match: they confirm first, and others must agree to an end or a removal."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.leaving import (
    leave_question_board,
    people_to_ask,
    question_board,
    reply_board,
    reported_text,
    sentence_board,
)
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.press import ID_DIGITS, Press, ask_of_press, number_in, place_of, table_of
from bot.language.catalogues import speaking, tr
from bot.tables import errors, moderation, plans
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.moderation import THE_MATCH
from bot.tables.requests import Place
from bot.tables.service import Tables
from bot.tables.table_options import language_of
from engine.errors import MatchIsOver, NotInMatch


class LeavingHandlers:
    """Asks players to confirm that they forfeit, and carries it out."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def ask(self, interaction: Interaction, live: LiveTable) -> None:
        """Ask the player to confirm the forfeit; change nothing yet."""
        seat = live.seat(interaction.user.id)
        match = live.match
        if match is None:
            raise errors.NotStarted
        if match.winner is not None:
            raise MatchIsOver(match.winner)
        if not match.seats[seat].live:
            raise NotInMatch(seat)
        await answers.show(
            interaction, leave_question_board(live, interaction.user.id), ephemeral=True
        )

    async def leave(self, interaction: Interaction, press: Press) -> None:
        """Forfeit for the player who was asked. Raises `MovedOn` if another match is under way."""
        live = await table_of(self._tables, interaction, press)
        if live.table.match_id != press.address.match:
            raise errors.MovedOn
        # moves made since then don't matter: the answer is about the match
        ask = replace(ask_of_press(interaction, press), at=None)
        await answers.in_time(
            interaction, self._tables.change(press.address.table, ask, plans.forfeit)
        )
        await answers.redraw(interaction, sentence_board(tr("You've left the match.")))

    async def stay(self, interaction: Interaction, press: Press) -> None:
        """Say that nothing has changed."""
        await answers.redraw(
            interaction, sentence_board(tr("You're staying. Nothing has changed."))
        )

    async def report_away(self, interaction: Interaction, press: Press) -> None:
        """Report the player on the button as away; if that player presses, report them back."""
        player, ask = number_in(press.choice, ID_DIGITS) or 0, ask_of_press(interaction, press)
        table = press.address.table
        if player == interaction.user.id:
            present = self._tables.change(table, ask, plans.here)
            await answers.in_time(interaction, present, ephemeral=True)
            await answers.whisper(interaction, tr("Got it, you're here."))
            return
        reported = self._tables.change(table, ask, plans.say_away, player)
        live = await answers.in_time(interaction, reported, ephemeral=True)
        await answers.whisper(interaction, reported_text(live, player))

    async def ask_others(self, interaction: Interaction, live: LiveTable, about: int) -> None:
        """Post the stored request in the channel: to end the match, or to remove a player."""
        asker = interaction.user.id
        with speaking(language_of(live.table)):
            board = question_board(live, asker, about)
        pinged = people_to_ask(live, asker, about)
        await answers.show(interaction, board, ephemeral=False, pinged=pinged)

    async def answer(self, interaction: Interaction, press: Press) -> None:
        """Answer yes or no to another player's request; the question then shows the result.

        The requester's own vote is already counted.
        """
        agreed, about = press.verb == "agree", number_in(press.choice, ID_DIGITS) or THE_MATCH
        table, match = press.address.table, press.address.match
        channel = place_of(interaction).channel_id
        # moves made since then don't matter, nor where the table is now
        ask = replace(ask_of_press(interaction, press), at=None, place=Place(channel, None))
        answer = moderation.agree if agreed else moderation.refuse
        try:
            changed = self._tables.change(table, ask, answer, match, about)
            live = await answers.in_time(interaction, changed)
        except errors.MovedOn:
            over = await answers.in_time(interaction, self._tables.see(table))
            with speaking(language_of(over.table)):
                board = sentence_board(tr("Nobody is asking for this any more."))
            await answers.redraw(interaction, board)
            return
        unanswered = live.table.status is Status.PLAYING and about in live.table.votes
        if agreed and unanswered:  # the requester agreed with their own request
            await answers.acknowledge(interaction)
            return
        with speaking(language_of(live.table)):
            board = reply_board(live, interaction.user.id, about, agreed=agreed)
        await answers.redraw(interaction, board)

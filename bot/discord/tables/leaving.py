"""Let players leave a match, or ask the others to end it or to remove a player."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.ext.commands import Cog

from bot.boards.leaving import (
    expired_board,
    leave_question_board,
    people_to_ask,
    question_board,
    reply_board,
    reported_text,
    sentence_board,
)
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.commands import in_servers
from bot.discord.press import (
    ID_DIGITS,
    Press,
    ask_of,
    ask_of_press,
    channel_of,
    number_in,
    place_of,
    table_of,
)
from bot.discord.router import on_press
from bot.language.catalogues import N_, speaking, tr
from bot.services.tables import Tables
from bot.tables import errors, moderation, plans
from bot.tables.absence import FEWEST_TO_VOTE, live_people
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.moderation import THE_MATCH
from bot.tables.requests import Place
from bot.tables.table_options import language_of
from bot.tables.turns import turn_of
from engine.errors import MatchIsOver, NotInMatch

LEAVING: Final = [
    app_commands.Choice(name="Leave the match for good", value="forfeit"),
    app_commands.Choice(name="End the match for everyone", value="end"),
    app_commands.Choice(name="Someone is away", value="away"),
    app_commands.Choice(name="I'm back", value="back"),
    app_commands.Choice(name="Remove someone", value="drop"),
]
ENDED: Final = N_("{asker} ended the match with no winner. It won't count.")


class LeavingHandlers(Cog):
    """Answers /leave and the questions that it asks."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    # -- commands ----------------------------------------------------------------------------------

    @app_commands.command(name="leave")
    @in_servers
    @app_commands.describe(
        what="Default: leave the match", player="Who is away, or who should leave"
    )
    @app_commands.choices(what=LEAVING)
    async def leave_or_report(
        self,
        interaction: Interaction,
        what: app_commands.Choice[str] | None = None,
        player: discord.User | None = None,
    ) -> None:
        "Leave a match, end it for everyone, or report someone away."
        match what.value if what is not None else "forfeit":
            case "end":
                await self._end(interaction)
            case "back":
                await answers.reply_with_result(interaction, self._back(interaction))
            case "away":
                await answers.reply_with_result(interaction, self._say_away(interaction, player))
            case "drop":
                await self._drop(interaction, player)
            case _:
                await self._forfeit(interaction)

    async def _forfeit(self, interaction: Interaction) -> None:
        """Ask whether the asker means to leave the match for good; in a lobby, leave it."""
        live = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        if live.table.status is not Status.LOBBY:
            await self.ask(interaction, live)
            return

        async def leave() -> str:
            await self._tables.change(live.table.id, ask_of(interaction), plans.leave)
            return tr("You've left the table.")

        await answers.reply_with_result(interaction, leave())

    async def _back(self, interaction: Interaction) -> str:
        live = await self._here(interaction)
        await self._tables.change(live.table.id, ask_of(interaction), plans.back)
        return tr("Welcome back! You're making your own moves again.")

    async def _say_away(self, interaction: Interaction, player: discord.User | None) -> str:
        """Vote that a player is away; after the votes of two people, the bot plays for that player.

        Return the reply. Raises `RefusedError`, such as `TooFewToVote`.
        """
        live = await self._here(interaction)
        playing = live.match is not None and live.table.status is Status.PLAYING
        if live.match is not None and playing and len(live_people(live.match)) < FEWEST_TO_VOTE:
            raise errors.TooFewToVote
        target = _chosen_player(player, live, interaction)
        live = await self._tables.change(
            live.table.id, ask_of(interaction), plans.say_away, target.id
        )
        return reported_text(live, target.id)

    async def _drop(self, interaction: Interaction, player: discord.User | None) -> None:
        """Remove an absent player, or a present one if two others ask for it.

        In a match of two people, ask the other player to end the match instead.
        """

        async def drop() -> tuple[LiveTable, discord.User]:
            live = await self._here(interaction)
            target = _chosen_player(player, live, interaction)
            return await self._tables.change(
                live.table.id, ask_of(interaction), moderation.drop, target.id
            ), target

        live, target = await answers.in_time(interaction, drop())
        asker, match = interaction.user.id, live.match
        seat = match.seat_of(target.id) if match is not None else None
        still_in = match is not None and seat is not None and match.seats[seat].live
        if still_in and live.table.status is Status.PLAYING:  # of two, one asks that the match end
            about = target.id if asker in live.table.votes.get(target.id, ()) else THE_MATCH
            await self.ask_others(interaction, live, about)
            return
        with speaking(language_of(live.table)):
            text = tr("{who} has been removed from the table.", who=target.mention)
            if still_in:
                text = tr(ENDED, asker=interaction.user.mention)
        await answers.reply_to_all(interaction, text)

    async def _end(self, interaction: Interaction) -> None:
        """Close the lobby, or end the match without a winner; if others must agree, ask them."""

        async def end() -> LiveTable:
            live = await self._here(interaction)
            return await self._tables.change(live.table.id, ask_of(interaction), moderation.end)

        live = await answers.in_time(interaction, end())
        if live.table.status is not Status.CLOSED:
            await self.ask_others(interaction, live, THE_MATCH)
            return
        with speaking(language_of(live.table)):
            ended_match = N_("{asker} has closed the table.") if live.match is None else ENDED
            text = tr(ended_match, asker=interaction.user.mention)
        await answers.reply_to_all(interaction, text)

    async def _here(self, interaction: Interaction) -> LiveTable:
        """Return the channel's table. Raises `RefusedError`, such as `NoTable`."""
        return await self._tables.in_channel(channel_of(interaction))

    # -- presses -----------------------------------------------------------------------------------

    @on_press("quit")
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Answer a button by asking the player to confirm the forfeit.

        Raises the same errors as `ask`, and other kinds of `RefusedError`.
        """
        live = await table_of(self._tables, interaction, press, ephemeral=True)
        if live.table.match_id != press.address.match:
            raise errors.MovedOn
        await self.ask(interaction, live)

    async def ask(self, interaction: Interaction, live: LiveTable) -> None:
        """Ask the player to confirm the forfeit; change nothing yet.

        Raises `NotSeated`, `NotStarted`, `MatchIsOver`, `NotInMatch`.
        """
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
        """Forfeit the match for the player who has confirmed it.

        Raises `RefusedError`, such as `MovedOn` if another match is under way, and `RuleViolation`.
        """
        live = await table_of(self._tables, interaction, press)
        if live.table.match_id != press.address.match:
            raise errors.MovedOn
        # moves made since then don't matter: the answer is about the match
        ask = replace(ask_of_press(interaction, press), at=None)
        await answers.in_time(
            interaction, self._tables.change(press.address.table, ask, plans.forfeit)
        )
        await answers.redraw(interaction, sentence_board(tr("You've left the match.")))

    @on_press("stay")
    async def stay(self, interaction: Interaction, press: Press) -> None:
        """Tell the player that they stay in the match."""
        await answers.redraw(
            interaction, sentence_board(tr("You're staying. Nothing has changed."))
        )

    @on_press("away")
    async def report_away(self, interaction: Interaction, press: Press) -> None:
        """Report the player on the button as away; a press by that player shows they are here."""
        player, ask = number_in(press.choice, ID_DIGITS) or 0, ask_of_press(interaction, press)
        table = press.address.table
        if player == interaction.user.id:
            present = self._tables.change(table, ask, plans.here)
            await answers.in_time(interaction, present, ephemeral=True)
            await answers.reply_privately(interaction, tr("Got it, you're here."))
            return
        reported = self._tables.change(table, ask, plans.say_away, player)
        live = await answers.in_time(interaction, reported, ephemeral=True)
        await answers.reply_privately(interaction, reported_text(live, player))

    async def ask_others(self, interaction: Interaction, live: LiveTable, about: int) -> None:
        """Post the stored request in the channel: to end the match, or to remove a player.

        `about`: the player's id, or `THE_MATCH`.
        """
        asker = interaction.user.id
        with speaking(language_of(live.table)):
            board = question_board(live, asker, about)
        pinged = people_to_ask(live, asker, about)
        await answers.show(interaction, board, ephemeral=False, pinged=pinged)

    @on_press("agree", "refuse")
    async def answer(self, interaction: Interaction, press: Press) -> None:
        """Answer yes or no to another player's request; the question then shows the result.

        The requester's own vote is already counted: if they agree, say that another must.
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
            live = await answers.in_time(interaction, self._tables.see(table))
            with speaking(language_of(live.table)):
                board = expired_board(live, match, about)
            await answers.redraw(interaction, board)
            return
        unanswered = live.table.status is Status.PLAYING and about in live.table.votes
        if agreed and unanswered:  # the requester agreed with their own request
            text = tr("You asked for this, so someone else has to agree.")
            await answers.reply_privately(interaction, text)
            return
        with speaking(language_of(live.table)):
            board = reply_board(live, interaction.user.id, about, agreed=agreed)
        await answers.redraw(interaction, board)


def _chosen_player(
    player: discord.User | None, live: LiveTable, interaction: Interaction
) -> discord.User:
    """Return the named player.

    Raises `Oneself` if nobody is named, or if the asker is named during a match. The error
    suggests another player, if there is one.
    """
    asker = interaction.user.id
    playing = live.match is not None and live.table.status is Status.PLAYING
    if player is not None and (player.id != asker or not playing):
        return player
    others = live_people(live.match) if live.match is not None and playing else ()
    turn = turn_of(live.match)
    if live.match is not None and turn is not None:  # first who keeps the others waiting
        acts = live.match.seats[turn[-1]].player
        others = tuple(sorted(others, key=lambda player_id: player_id != acts))
    raise errors.Oneself(next((player_id for player_id in others if player_id != asker), None))

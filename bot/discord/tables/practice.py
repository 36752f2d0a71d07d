"""Answer /practice and /help, and show the example round.

A practice is a private match against one computer player, in any channel, or today's deal. It is
one private message, redrawn by presses on it and, as long as Discord allows, by the bot when the
computer player acts. `/practice` opens it again, even after a restart. People who have never played
a game see its example first: a round that one person presses through, also offered in lobbies.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from discord import app_commands
from discord.ext.commands import Cog

from bot.boards.board import Address, Board, Button
from bot.boards.howto import Cast, ExampleStage, howto_board, onwards_text
from bot.boards.leaving import leave_button, may_leave
from bot.boards.practice import YES, end_notice, hint_notice
from bot.boards.rules import (
    WHICH,
    help_board,
    odds_board,
    rules_board,
    which_game_board,
)
from bot.boards.seat import Notice
from bot.computing.player_questions import Advised, hint_advice
from bot.computing.process import Computing
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.commands import GAMES, anywhere
from bot.discord.delivery.seats import Seats
from bot.discord.fair_use import HELP
from bot.discord.people import People
from bot.discord.posting import is_member
from bot.discord.press import Press, ask_of_press, channel_of, table_of
from bot.discord.router import on_press
from bot.discord.stats.handlers import DailyHandlers
from bot.discord.tables.seat_handlers import check_private
from bot.language.catalogues import tr
from bot.language.words import TypedText, capital
from bot.roster import CHARACTERS, people
from bot.services.practice import once_more, play_daily, practise
from bot.services.tables import Tables
from bot.tables import errors, moderation, plans
from bot.tables.daily import DAILY
from bot.tables.live import LiveTable, chosen_ruleset
from bot.tables.model import DailyResult, Status
from bot.tables.requests import Ask
from engine.players import CHARACTERS as PLAYERS
from engine.players.coaching.decisions import position_of
from engine.ruleset import Ruleset
from engine.state import Match, Phase
from engine.variants import VARIANTS, ruleset

AGAINST: Final = [
    app_commands.Choice(name=f"{capital(key)}: {PLAYERS[key].about}", value=key)
    for key in CHARACTERS
] + [app_commands.Choice(name="Deal of the day: the same for everyone, one try", value=DAILY)]


class PracticeHandlers(Cog):
    """Answers /practice, and the presses in a practice except for the seat's own controls."""

    def __init__(
        self,
        tables: Tables,
        seats: Seats,
        people: People,
        teaching: Teaching,
        daily: DailyHandlers,
        computing: Computing,
    ) -> None:
        self._tables = tables
        self._computing = computing
        self._daily = daily
        self._teaching = teaching
        self._people = people
        self._seats = seats

    @app_commands.command()
    @anywhere
    @app_commands.describe(game="Which game to practise", against="Who to play against")
    @app_commands.choices(game=GAMES, against=AGAINST)
    async def practice(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        against: app_commands.Choice[str] | None = None,
    ) -> None:
        """Play against the computer, alone and with hints; only you see it."""
        character = against.value if against is not None else CHARACTERS[0]
        await self.begin(interaction, game.value, character)

    async def begin(
        self, interaction: Interaction, game: str, character: str = CHARACTERS[0]
    ) -> None:
        """Open the asker's practice in a new private message.

        If they have never played the game, show its example instead. If they ask for today's deal
        and have finished it, show their result instead.
        """

        async def meets_a_stranger() -> bool:
            await self._people.note_name(interaction.user.id, interaction.user.display_name)
            return await self._people.is_new(interaction.user.id, game)

        with contextlib.suppress(errors.StoreUnavailable):
            if await answers.in_time(interaction, meets_a_stranger(), ephemeral=True):
                practice = WantedPractice(game, character)
                await self._teaching.before_practice(interaction, practice)
                return
        begun = await answers.in_time(
            interaction, self._begun(interaction, game, character), ephemeral=True
        )
        if isinstance(begun, DailyResult):
            await self._daily.show_result(interaction, begun)
        else:
            notice = self._unfinished_notice(begun, game, character)
            await self._seats.open(interaction, begun, notice)

    async def _begun(
        self, interaction: Interaction, game: str, character: str
    ) -> LiveTable | DailyResult:
        ask = Ask(interaction.user.id, interaction.id)
        if character == DAILY:
            # without the bot, a server has no boards, and nothing tells when it is gone
            guild = interaction.guild_id if is_member(interaction) else None
            return await play_daily(self._tables, ask, game, guild or 0)
        return await practise(self._tables, ask, game, character)

    @on_press("daily")
    async def _begin_daily(self, interaction: Interaction, press: Press) -> None:
        """Begin today's deal of a game, from a button.

        Raises `RefusedError`, such as `MovedOn` for a forged press.
        """
        if press.choice not in VARIANTS:
            raise errors.MovedOn
        await self.begin(interaction, press.choice, DAILY)

    @on_press("pstart")
    async def _start(self, interaction: Interaction, press: Press) -> None:
        """Begin the asker's practice in the message that shows the example.

        If the practice is today's deal and the asker has finished that deal, show their result in a
        new message.
        """
        check_private(interaction)
        practice, _ = WantedPractice.read(press.choice)
        begun = self._begun(interaction, practice.game, practice.character)
        result = await answers.in_time(interaction, begun)
        if isinstance(result, DailyResult):
            await self._daily.show_result(interaction, result)
            return
        notice = self._unfinished_notice(result, practice.game, practice.character)
        await self._seats.redraw(interaction, result, notice=notice)

    @on_press("hint", looks=True)
    async def _hint(self, interaction: Interaction, press: Press) -> None:
        """Show at once that a hint is coming, then the hint; keep the player's unfinished bid."""
        player = interaction.user.id
        live = await table_of(self._tables, interaction, press)
        live.seat(player)
        if live.match is None or not live.table.is_practice or live.table.daily_day is not None:
            raise errors.MovedOn
        waits, pick = tr("Thinking it over…"), self._seats.seat_progress(live, player).pick
        await self._seats.redraw(interaction, live, pick, Notice(waits, hint=waits))
        advice = await self._advice(live, live.match, player)
        # the practice may have changed meanwhile
        now = await table_of(self._tables, interaction, press)
        same = now.match is not None and now.match.seq == live.match.seq
        notice = hint_notice(live.match, player, advice) if same else None
        pick = self._seats.seat_progress(now, player).pick  # it may have been pressed meanwhile
        await self._seats.redraw(interaction, now, pick, notice)

    async def _advice(self, live: LiveTable, match: Match, player: int) -> Advised:
        """Return better advice than the plain hint; None if there is none in time."""
        seat = match.seat_of(player)
        position = position_of(match, seat, live.ended_rounds) if seat is not None else None
        return await hint_advice(self._computing, position) if position else None

    @on_press("pnext", "pagain", "pend")
    async def _move(self, interaction: Interaction, press: Press) -> None:
        """Make the pressed move and answer with the resulting practice.

        A press that would end a match in progress is answered with a question first. Raises
        `RefusedError`, such as `MovedOn` for a forged press: a seat must never be drawn where
        others see it.
        """
        before = await table_of(self._tables, interaction, press)
        if not before.table.is_practice or not answers.is_private(interaction):
            raise errors.MovedOn
        if press.verb == "pend" and press.choice != YES and before.table.status is Status.PLAYING:
            if before.match is None or before.match.phase is Phase.BIDDING:
                raise errors.MovedOn  # a press on an older message: only after a round is it asked
            await self._seats.redraw(interaction, before, notice=end_notice(before))
            return
        table = press.address.table
        ask = replace(ask_of_press(interaction, press), moderator=False)
        match press.verb:
            case "pnext":
                change = self._tables.change(table, ask, plans.next_round)
            case "pagain":
                change = once_more(self._tables, ask, table)
            case _:
                change = self._tables.change(table, ask, moderation.end)
        with self._seats.answering(table, interaction.user.id):
            live = await answers.in_time(interaction, change)
            await self._seats.redraw(interaction, live)

    def _unfinished_notice(self, live: LiveTable, game: str, character: str) -> Notice | None:
        """Return a notice if a deal of the day must be finished first; otherwise None."""
        requested = (game, self._tables.today() if character == DAILY else None)
        day = live.table.daily_day
        if day is None or (live.table.variant, day) == requested:
            return None
        return Notice(tr("You're in the middle of a deal of the day. Finish that first."))


# -- help, and the example -------------------------------------------------------------------------


class HelpHandlers(Cog):
    """Answers /help.

    `with_game`: by topic, the function that the topic's button calls with a game. `at_once`: by
    topic, the function that it calls for a topic without a game.
    """

    def __init__(
        self,
        tables: Tables,
        with_game: Mapping[str, Callable[[Interaction, str], Awaitable[None]]],
        at_once: Mapping[str, Callable[[Interaction], Awaitable[None]]],
    ) -> None:
        self._tables = tables
        self._with_game = {**with_game, "rules": self.rules}
        self._at_once = at_once

    @app_commands.command(name="help")
    @anywhere
    @app_commands.describe(game="Which game's rules")
    @app_commands.choices(game=GAMES)
    async def help_out(
        self, interaction: Interaction, game: app_commands.Choice[str] | None = None
    ) -> None:
        "What I can do, and how to play."  # noqa: D401 - people see it
        if game is None:
            await self.show(interaction)
        else:
            await self.rules(interaction, game.value)

    async def show(self, interaction: Interaction) -> None:
        """Show the help in a new private message."""
        board = help_board(in_server=interaction.guild_id is not None)
        await answers.show(interaction, board, ephemeral=True)

    async def rules(self, interaction: Interaction, game: str) -> None:
        """Show how to play a game, and which hand beats which."""
        await answers.show(interaction, rules_board(game), ephemeral=True)

    @on_press("rulebook", looks=True)
    async def rulebook(self, interaction: Interaction, press: Press) -> None:
        """Show the rules of a seat's table.

        A player who may leave also gets buttons to leave and, outside direct messages, to go back.
        """
        live = await table_of(self._tables, interaction, press, ephemeral=True)
        table = live.table
        board = rules_board(table.variant, table.options)
        if may_leave(live, interaction.user.id):
            address = Address(table.id, table.match_id or 0, press.address.seq)
            # a direct message is a seat itself
            back = (Button("seat", tr("My seat")),) if interaction.guild_id is not None else ()
            board = replace(board, rows=((*back, leave_button()),), address=address)
        await answers.show(interaction, board, ephemeral=True)

    @on_press(HELP, looks=True)
    async def press(self, interaction: Interaction, press: Press) -> None:
        """Answer a press of a button of the help.

        Raises `MovedOn` for a forged press, and whatever the function for the button's topic
        raises.
        """
        topic, _, game = press.choice.partition(".")
        if topic in self._with_game and game in VARIANTS:
            await self._with_game[topic](interaction, game)
        elif topic in self._at_once and not game:
            await self._at_once[topic](interaction)
        elif not answers.is_private(interaction):
            raise errors.MovedOn
        elif topic == "rules" and (board := await self._rules_here(interaction)) is not None:
            await answers.show(interaction, board, ephemeral=True)
        elif topic in WHICH:
            await answers.redraw(interaction, which_game_board(topic))
        elif topic == "odds":
            await answers.redraw(interaction, odds_board())
        else:
            await answers.redraw(
                interaction, help_board(in_server=interaction.guild_id is not None)
            )

    async def _rules_here(self, interaction: Interaction) -> Board | None:
        """Return the rules of the channel's table; None if it has none that can be read."""
        with contextlib.suppress(errors.NoTable, errors.NoChannel, errors.Damaged):
            table = (await self._tables.in_channel(channel_of(interaction))).table
            return rules_board(table.variant, table.options)
        return None


@dataclass(frozen=True, slots=True)
class WantedPractice:
    """A practice to begin: the game and the computer player."""

    game: str
    character: str

    @property
    def text(self) -> str:
        """Return the practice as text for a button: the game and the character, joined by a dot."""
        return f"{self.game}.{self.character}"

    @classmethod
    def read(cls, text: str) -> tuple[Self, str]:
        """Return (the practice at the beginning of a button's `text`, the rest of the text).

        Raises `MovedOn` if the text is forged.
        """
        game, _, others = text.partition(".")
        character, _, step = others.partition(".")
        if game not in VARIANTS or character not in (*CHARACTERS, DAILY):
            raise errors.MovedOn
        return cls(game, character), step


class Teaching:
    """Shows the example round."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    @on_press("howto", looks=True)
    async def press(self, interaction: Interaction, press: Press) -> None:
        """Show the example's next step; the first press in a lobby opens a private message."""
        if not press.address.table:
            practice, step = WantedPractice.read(press.choice)
            await self.before_practice(interaction, practice, ExampleStage.read(step))
            return
        look = self._tables.see(press.address.table)
        table = (await answers.in_time(interaction, look, ephemeral=True)).table
        names = await self._people.names(people(table.players))
        present = [name.visible_text for name in names.values()]
        stage, address = ExampleStage.read(press.choice), Address(table.id)
        rules, onwards = chosen_ruleset(table), onwards_text(table, interaction.user.id)
        await self._show(interaction, rules, stage, address, present, onwards=onwards)

    async def before_practice(
        self,
        interaction: Interaction,
        practice: WantedPractice,
        stage: ExampleStage = ExampleStage(),
    ) -> None:
        """Show a step of the example that leads to a practice."""
        rules = ruleset(practice.game)
        await self._show(interaction, rules, stage, Address(0), practice=practice.text)

    async def _show(
        self,
        interaction: Interaction,
        rules: Ruleset,
        stage: ExampleStage,
        address: Address,
        present: Iterable[str] = (),
        practice: str = "",
        onwards: str = "",
    ) -> None:
        name = TypedText(interaction.user.display_name).visible_text
        cast = Cast.beside((*present, name))
        board = howto_board(rules, stage, address, cast, practice, onwards)
        await answers.show_own(interaction, board)

"""/help, whose buttons do what their commands do where the person is; and the example round, which
one person presses through, at a lobby and before their first practice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from bot.boards.board import Address, Board
from bot.boards.howto import Cast, ExampleStage, howto_board
from bot.boards.rules import WHICH, help_board, odds_board, rules_board, which_game_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.people import People
from bot.discord.press import Press, table_of
from bot.language.words import TypedText
from bot.roster import CHARACTERS, people
from bot.tables import errors
from bot.tables.daily import DAILY
from bot.tables.live import chosen_ruleset
from bot.tables.service import Tables
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, ruleset


class HelpHandlers:
    """Shows what one can do. `with_game` and `at_once` are what it has done, by topic."""

    def __init__(
        self,
        tables: Tables,
        with_game: Mapping[str, Callable[[Interaction, str], Awaitable[None]]],
        at_once: Mapping[str, Callable[[Interaction], Awaitable[None]]],
    ) -> None:
        self._tables = tables
        self._with_game = {**with_game, "rules": self.rules}
        self._at_once = at_once

    async def show(self, interaction: Interaction) -> None:
        """What one can do, in a new private message."""
        board = help_board(in_server=interaction.guild_id is not None)
        await answers.show(interaction, board, ephemeral=True)

    async def rules(self, interaction: Interaction, game: str) -> None:
        """How a game is played, and which hand beats which."""
        await answers.show(interaction, rules_board(game), ephemeral=True)

    async def rulebook(self, interaction: Interaction, press: Press) -> None:
        """The rules by which a seat's table plays."""
        table = (await table_of(self._tables, interaction, press, ephemeral=True)).table
        await answers.show(interaction, rules_board(table.variant, table.options), ephemeral=True)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """A button of it. Raises `MovedOn` for one that is forged."""
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
        """The rules by which the channel's table plays; None where there is none."""
        with contextlib.suppress(errors.NoTable, errors.Damaged):
            table = (await self._tables.in_channel(interaction.channel_id or 0)).table
            return rules_board(table.variant, table.options)
        return None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A practice that is wanted: the game, and whom to play against."""

    game: str
    character: str

    @property
    def text(self) -> str:
        """What stands for it in a button: the game and the character, a dot between."""
        return f"{self.game}.{self.character}"

    @classmethod
    def read(cls, text: str) -> tuple[Self, str]:
        """The practice that a button's `text` begins with, and the rest of it.

        Raises `MovedOn` for one that is forged.
        """
        game, _, others = text.partition(".")
        character, _, rest = others.partition(".")
        if game not in VARIANTS or character not in (*CHARACTERS, DAILY):
            raise errors.MovedOn
        return cls(game, character), rest


class Teaching:
    """Shows the example."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    async def press(self, interaction: Interaction, press: Press) -> None:
        """Its next step; the first press at a lobby opens a private message."""
        if not press.address.table:
            wanted, step = Wanted.read(press.choice)
            await self.before_practice(interaction, wanted, ExampleStage.read(step))
            return
        asked = self._tables.see(press.address.table)
        table = (await answers.in_time(interaction, asked, ephemeral=True)).table
        names = await self._people.names(people(table.players))
        present = [name.drawn for name in names.values()]
        stage, address = ExampleStage.read(press.choice), Address(table.id)
        await self._show(interaction, chosen_ruleset(table), stage, address, present)

    async def before_practice(
        self, interaction: Interaction, wanted: Wanted, stage: ExampleStage = ExampleStage()
    ) -> None:
        """A step of the example that leads to a practice."""
        rules = ruleset(wanted.game)
        await self._show(interaction, rules, stage, Address(0), practice=wanted.text)

    async def _show(
        self,
        interaction: Interaction,
        rules: Ruleset,
        stage: ExampleStage,
        address: Address,
        present: Iterable[str] = (),
        practice: str = "",
    ) -> None:
        own = TypedText(interaction.user.display_name).drawn
        cast = Cast.beside((*present, own))
        board = howto_board(rules, stage, address, cast, practice)
        await answers.show_own(interaction, board)

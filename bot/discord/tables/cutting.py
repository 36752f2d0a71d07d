"""Cutting the cards: a form that shows the seal, and the table drawn again with the words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.tables.forms import cut_form, open_form
from bot.discord.tables.press import Press, asked, fields_of, place_of
from bot.languages import N_, tr
from bot.tables import cuts, refusals
from bot.tables.live import LiveTable
from bot.tables.records import Status
from bot.tables.requests import Ask
from bot.tables.service import Tables
from engine.cutting import read_cut

LATE: Final = N_(
    "Round {dealt} was dealt before your words came. They count from round {next_round} on."
)


class CuttingDesk:
    """Answers the button that cuts the cards, and its form.

    `move` does a move and redraws the message that it was asked from.
    """

    def __init__(
        self,
        tables: Tables,
        move: Callable[[Interaction, Awaitable[LiveTable]], Awaitable[LiveTable]],
    ) -> None:
        self._tables = tables
        self._move = move

    async def open(self, interaction: Interaction, press: Press) -> None:
        """Show the form. Raises as `cuts.may_cut`."""
        seen = self._tables.see(press.address.table, place_of(interaction))
        live = await answers.in_time(interaction, seen)
        cuts.may_cut(live, interaction.user.id)
        await open_form(interaction, cut_form(press.address, cuts.next_seal(live)))

    async def submit(self, interaction: Interaction, press: Press) -> None:
        """Cut with what was typed. Raises `CutTextError`, and as `cuts.may_cut`.

        If the table has been dealt meanwhile, nothing is lost: the words count from the next deal.
        """
        text = read_cut("".join(fields_of(interaction).get("text", ())))
        table, ask = press.address.table, replace(asked(interaction, press), at=None)
        try:
            await self._move(interaction, self._tables.cut(table, ask, text))
        except refusals.MovedOn:
            said = await answers.in_time(interaction, self._late(press, ask, text), ephemeral=True)
            await answers.whisper(interaction, said)

    async def _late(self, press: Press, ask: Ask, text: str) -> str:
        """Cut in the match that the form was opened for. Raises `MovedOn` if it is over."""
        live = await self._tables.see(press.address.table)
        of_this_match = press.address.match in (0, live.table.match_id)
        if ask.place is None or live.table.status is not Status.PLAYING or not of_this_match:
            raise refusals.MovedOn
        anywhere = replace(ask.place, message_id=None)
        late = replace(ask, place=anywhere, redraws=False)
        live = await self._tables.cut(press.address.table, late, text)
        coming = cuts.next_round(live)
        return tr(LATE, dealt=coming - 1, next_round=coming)

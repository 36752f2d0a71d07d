"""The deal of the day, in Discord: it is begun as a practice is, and what follows it is here.

Shared, its result is a message for everybody; all else is for its person alone.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final

from bot.boards.board import Address, Board
from bot.boards.daily import boards_board, field_board, result_board, shared_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.fair_use import SHARE
from bot.discord.people import People
from bot.discord.press import Press, public_language
from bot.discord.replays.coach import Coach
from bot.language.catalogues import speaking
from bot.replays.coaching import partings
from bot.replays.played import played_from
from bot.tables import errors
from bot.tables.daily import PERSON, monday, streak
from bot.tables.history import Archive
from bot.tables.model import DailyResult, KeptMatch
from bot.tables.service import Tables
from engine.actions import Action, from_json
from engine.variants import VARIANTS

FIELD: Final = 50  # others whose decisions are compared
_DEAL: Final = re.compile(r"(?P<game>[a-z_]+)\.(?P<day>\d{1,7})", re.ASCII)


class DailyHandlers:
    """Shows results, boards, and what the field did."""

    def __init__(self, tables: Tables, people: People, archive: Archive, coach: Coach) -> None:
        self._tables = tables
        self._people = people
        self._archive = archive
        self._coach = coach
        self.verbs: Mapping[str, Callable[[Interaction, Press], Awaitable[None]]] = {
            SHARE: self._share,
            "dboard": self._boards,
            "dfield": self._field,
        }

    async def show_result(self, interaction: Interaction, result: DailyResult) -> None:
        """How the asker fared in a deal that they have played."""
        in_a_row = await self._in_a_row((result.player,))
        await answers.show(
            interaction, result_board(result, in_a_row[result.player]), ephemeral=True
        )

    async def show_boards(self, interaction: Interaction, day: int | None = None) -> None:
        """A server's boards of a day and its week, for the whole channel; today's if none is given.

        Raises `OfServers`.
        """
        if interaction.guild_id is None:
            raise errors.OfServers
        shown = self._boards_of(interaction.guild_id, day)
        results, shown_day, in_a_row = await answers.in_time(interaction, shown)
        with speaking(await public_language(interaction, self._tables)):
            board = boards_board(results, shown_day, in_a_row)
        await answers.show(interaction, board, ephemeral=False)

    async def _share(self, interaction: Interaction, press: Press) -> None:
        """Post the asker's result where they are."""

        async def found() -> Board:
            result = await self._own(interaction, press)
            in_a_row = await self._in_a_row((result.player,))
            with speaking(await public_language(interaction, self._tables)):
                return shared_board(result, in_a_row[result.player])

        await answers.reply(interaction, found(), ephemeral=False)

    async def _boards(self, interaction: Interaction, press: Press) -> None:
        """The server's boards of the deal's day, for the asker alone."""
        if interaction.guild_id is None:
            raise errors.OfServers
        _, day = _deal(press)
        shown = self._boards_of(interaction.guild_id, day)
        found = await answers.in_time(interaction, shown, ephemeral=True)
        await answers.show(interaction, boards_board(*found), ephemeral=True)

    async def _field(self, interaction: Interaction, press: Press) -> None:
        """Where most others did something else, once the asker has played the deal."""

        async def found() -> Board:
            result = await self._own(interaction, press)
            asker = interaction.user.id
            kept = await self._archive.match(result.match_id, partial(_sits, asker))
            names = await self._people.names(kept.match.players)
            with self._archive.replaying(result.match_id):
                played = played_from(kept.match, kept.seeds, names)
            others = await self._others(result)
            parted = partings(played.actions, PERSON, others)
            judged = await self._coach.of_player(played, PERSON, asker) if parted else ()
            advice = {one.seq: one for one in judged}
            address = Address(kept.match.table_id, kept.match.id)
            told = tuple(one for one in parted if one.seq in advice)
            return field_board(played, kept.match.players, told, advice, len(others), address)

        await answers.reply(interaction, found())

    async def _others(self, result: DailyResult) -> list[tuple[Action, ...]]:
        """The logs of others who played the same deal, as far as they can be read."""
        logs = []
        for one in await self._tables.daily.of_deal(result.game, result.day, FIELD):
            if one.player == result.player or one.version != result.version:
                continue
            try:
                kept = await self._archive.match(one.match_id, partial(_sits, one.player))
                logs.append(tuple(from_json(line.body) for line in kept.match.actions))
            except (errors.NoSuchMatch, errors.Damaged, ValueError):
                continue  # it may be gone by now
        return logs

    async def _own(self, interaction: Interaction, press: Press) -> DailyResult:
        """The asker's result of the deal of a button. Raises `MovedOn` for a forged one."""
        game, day = _deal(press)
        result = await self._tables.daily.result(interaction.user.id, game, day)
        if result is None:
            raise errors.MovedOn
        return result

    async def _boards_of(
        self, guild_id: int, day: int | None
    ) -> tuple[list[DailyResult], int, dict[int, int]]:
        shown = self._tables.today() if day is None else day
        since = await self._tables.daily.board(guild_id, monday(shown))
        results = [one for one in since if one.day <= shown]
        return results, shown, await self._in_a_row([one.player for one in results])

    async def _in_a_row(self, players: Sequence[int]) -> dict[int, int]:
        """How many days in a row each of these people has finished a deal, up to now."""
        today = self._tables.today()
        days = await self._tables.daily.days(tuple(dict.fromkeys(players)))
        return {player: streak(days.get(player, ()), today) for player in players}


def _deal(press: Press) -> tuple[str, int]:
    """The game and the day of a button. Raises `MovedOn` for a forged one."""
    found = _DEAL.fullmatch(press.choice)
    if found is None or found["game"] not in VARIANTS or not 1 <= int(found["day"]) < 3_000_000:
        raise errors.MovedOn
    return found["game"], int(found["day"])


async def _sits(player: int, kept: KeptMatch) -> bool:
    return player in kept.match.players

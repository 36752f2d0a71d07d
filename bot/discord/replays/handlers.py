"""Answer /matches and the presses below it, which show past matches.

Only the asker sees the answers, and each press checks again whether they may see the match: a
custom id may be forged, and a person may have left a channel. The archive returns only matches that
are over. The interaction itself usually shows whether the asker may see a match. For another
channel of the server, Discord is asked, since the client stores no permissions of channels.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext.commands import Cog

from bot.boards.board import Address, Board
from bot.boards.replay import (
    IN_A_PAGE,
    WITH_COACH,
    costliest_board,
    history_board,
    place_text,
    replay_board,
    replay_picture,
    title_of,
)
from bot.discord import answers, picture_job
from bot.discord.answers import Interaction
from bot.discord.commands import anywhere
from bot.discord.people import People
from bot.discord.press import Press, number_in
from bot.discord.replays.coach import Coach
from bot.discord.router import on_press
from bot.language.catalogues import ENGLISH, speaking, spoken, tr
from bot.recent import Recent
from bot.replays.coaching import costliest
from bot.replays.match_file import file_text
from bot.replays.page import page_html
from bot.replays.played import PlayedMatch, Step, played_from, steps_of
from bot.services.archive import Archive
from bot.tables import errors
from bot.tables.model import HistoryLine, KeptMatch
from engine.actions import Deal
from engine.players.coaching.decisions import Advice

KEPT: Final = 16  # replayed matches to cache
UNSEEN: Final = 0.3  # seconds for which a press may show nothing
OPEN: Final = "open"
AT: Final = "at"

MatchNumber = app_commands.Range[int, 1, 10**15 - 1]


@dataclass(frozen=True, slots=True)
class _Replay:
    """A match to step through; `players` are the ids of the seats."""

    played: PlayedMatch
    steps: tuple[Step, ...]
    players: tuple[int, ...]
    address: Address


class ReplayHandlers(Cog):
    """Shows matches that are over to people who may see them."""

    def __init__(self, archive: Archive, people: People, coach: Coach) -> None:
        self._archive = archive
        self._people = people
        self._coach = coach
        self._replayed = Recent[int, tuple[PlayedMatch, tuple[Step, ...]]](KEPT)
        self._forgettings = 0  # how many people were forgotten

    # -- commands ---------------------------------------------------------------------------------

    @app_commands.command()
    @anywhere
    @app_commands.describe(match="A match's number. Default: the list of your matches")
    async def matches(self, interaction: Interaction, match: MatchNumber | None = None) -> None:
        """Your finished matches: replays and the coach. Only you see them."""
        if match is None:
            await self.history(interaction)
        else:
            await self.replay(interaction, match)

    @matches.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """Return the asker's latest matches with numbers that begin with the typed text."""
        try:
            lines = await self.suggest(interaction)
        except errors.RefusedError:
            return []
        return [
            app_commands.Choice(
                name=f"{line.match_id}: {title_of(line.variant)}, {place_text(line)}",
                value=line.match_id,
            )
            for line in lines
            if str(line.match_id).startswith(str(current).strip())
        ]

    async def history(self, interaction: Interaction) -> None:
        """Show the asker's matches, the latest first."""
        await answers.reply(interaction, self._page(interaction, None))

    async def replay(self, interaction: Interaction, number: int | None) -> None:
        """Show a match from its beginning.

        `number` None: the channel's latest, or the asker's latest if the channel has none.
        """
        await answers.reply(interaction, self._opening_board(interaction, number))

    def forget(self) -> None:
        """Clear all replays from memory: they may have the name of a person who was forgotten."""
        self._forgettings += 1
        self._replayed.clear()

    async def suggest(self, interaction: Interaction) -> list[HistoryLine]:
        """Return the asker's latest matches, at most 25."""
        return await self._archive.history(interaction.user.id, most=25)

    # -- presses ----------------------------------------------------------------------------------

    @on_press("replay", looks=True)
    async def _press(self, interaction: Interaction, press: Press) -> None:
        """Show a step of a replay in place, or open a replay from another message."""
        where, *marks = press.choice.split(".")
        with_coach = WITH_COACH in marks
        number = press.address.match

        async def find_step() -> tuple[_Replay, int]:
            replay = await self._find(interaction, number)
            seq = press.address.seq if where != AT else number_in(marks[0] if marks else "")
            return replay, 0 if where == OPEN else _place(replay.steps, seq or 0, where)

        async def draw_step() -> Board:
            return await self._board(interaction, *await find_step(), with_coach=with_coach)

        if where in (OPEN, AT):
            await answers.reply(interaction, draw_step())
        elif with_coach and answers.is_private(interaction):
            await self._step_with_coach(
                interaction, *await answers.in_time(interaction, find_step())
            )
        else:
            await answers.show_own(interaction, await answers.in_time(interaction, draw_step()))

    async def _step_with_coach(self, interaction: Interaction, replay: _Replay, place: int) -> None:
        """Show the step in place; if the coach is slow, show it at once and add the advice later.

        The step has no controls meanwhile, so no other press can have changed the message.
        """
        judging = asyncio.create_task(self._board(interaction, replay, place, with_coach=True))
        try:
            await asyncio.wait([judging], timeout=UNSEEN)
            late = not judging.done()
            if late:
                looking = self._step_board(replay, place, None, looking=True)
                await answers.show_own(interaction, looking)
            try:
                board = await judging
            except Exception:
                if late:
                    await answers.show_own(interaction, self._step_board(replay, place, None))
                raise
            await answers.show_own(interaction, board)
        finally:
            judging.cancel()

    @on_press("coach", looks=True)
    async def _press_coach(self, interaction: Interaction, press: Press) -> None:
        """Show what the asker's decisions cost in a match.

        It is the button's match, or the asker's latest one if the button names no match.
        """
        await answers.reply(
            interaction, self._costliest_board(interaction, press.address.match or None)
        )

    @on_press("keep", looks=True)
    async def _keep(self, interaction: Interaction, press: Press) -> None:
        """Send the asker the match as files to download."""

        async def make_files() -> dict[str, bytes]:
            replay = await self._find(interaction, press.address.match, ENGLISH)
            name = f"match-{replay.address.match}"
            text = await asyncio.to_thread(file_text, replay.played)
            page = await asyncio.to_thread(_page_in_english, replay.played)
            return {f"{name}.json": text.encode(), f"{name}.html": page.encode()}

        files = await answers.in_time(interaction, make_files(), ephemeral=True, anew=True)
        text = tr(
            "Your match as a web page, and its log, which anyone can check with `bluffhouse"
            " verify`."
        )
        await answers.hand_over(interaction, text, files)

    @on_press("history", looks=True)
    async def _turn_page(self, interaction: Interaction, press: Press) -> None:
        before = number_in(press.choice) or None
        board = await answers.in_time(interaction, self._page(interaction, before))
        await answers.redraw(interaction, board)

    @on_press("recall", looks=True)
    async def _recall(self, interaction: Interaction, press: Press) -> None:
        """Show the match chosen from the list; for *Last match here*, show the latest match."""
        await self.replay(interaction, number_in(press.values[0]) or 0 if press.values else None)

    # -- what is shown ----------------------------------------------------------------------------

    async def _page(self, interaction: Interaction, before: int | None) -> Board:
        player = interaction.user.id
        lines = await self._archive.history(player, before, IN_A_PAGE + 1)
        page_lines, channel = lines[:IN_A_PAGE], interaction.channel_id
        return history_board(
            player,
            page_lines,
            older=len(lines) > len(page_lines),
            first=before is None,
            match_here=bool(lines)
            or (channel is not None and await self._archive.latest_in(channel) is not None),
        )

    async def _opening_board(self, interaction: Interaction, number: int | None) -> Board:
        if number is None and interaction.channel_id is not None:
            number = await self._archive.latest_in(interaction.channel_id)
        if number is None:
            number = await self._own_latest(interaction)
        return await self._board(interaction, await self._find(interaction, number), 0)

    async def _costliest_board(self, interaction: Interaction, number: int | None) -> Board:
        if number is None:
            number = await self._own_latest(interaction)
        replay = await self._find(interaction, number)
        if interaction.user.id not in replay.players:
            raise errors.DidNotPlay
        seat = replay.players.index(interaction.user.id)
        judged = await self._coach.of_player(replay.played, seat, interaction.user.id)
        worst = costliest(judged)
        return costliest_board(
            replay.played, replay.players, replay.steps, worst, len(judged), replay.address
        )

    async def _own_latest(self, interaction: Interaction) -> int:
        lines = await self._archive.history(interaction.user.id, most=1)
        if not lines:
            raise errors.NoSuchMatch(None)
        return lines[0].match_id

    async def _board(
        self, interaction: Interaction, replay: _Replay, place: int, *, with_coach: bool = False
    ) -> Board:
        """Return the board of the step at `place`; `with_coach`: with advice on the whole round."""
        advice: dict[int, Advice] | None = None
        if with_coach:
            number = replay.steps[place].round.number
            judged = await self._coach.of_round(replay.played, number, interaction.user.id)
            advice = {decision.seq: decision for decision in judged}
        return self._step_board(replay, place, advice)

    def _step_board(
        self,
        replay: _Replay,
        place: int,
        advice: Mapping[int, Advice] | None,
        *,
        looking: bool = False,
    ) -> Board:
        """Return the board of the step at `place`, and start drawing the next step's picture.

        `advice`: the coach's advice by the number of the action. `looking`: say that the coach is
        still at work.
        """
        played, steps = replay.played, replay.steps
        following = steps[place + 1 : place + 2]
        picture_job.draw_ahead([replay_picture(played, replay.players, step) for step in following])
        return replay_board(
            played, replay.players, steps, place, replay.address, advice, looking=looking
        )

    async def _find(
        self, interaction: Interaction, number: int, language: str | None = None
    ) -> _Replay:
        """Return a finished match that the asker may see.

        Players without a name are called by their seat in `language`; None: the current language.
        Raises the same errors as `Archive.match` and `may_see`, and `NoSuchMatch` if the match has
        no steps.
        """

        archived = await self._archive.match(number, partial(may_see, interaction))
        names = await self._people.names(archived.match.players)
        with self._archive.replaying(number):
            with speaking(language or spoken().key):
                played = played_from(archived.match, archived.seeds, names)
            steps = await self._steps(played)
        address = Address(archived.match.table_id, archived.match.id)
        return _Replay(played, steps, archived.match.players, address)

    async def _steps(self, played: PlayedMatch) -> tuple[Step, ...]:
        """Return the steps of a match, cached for a while. Raises `NoSuchMatch` if it has none."""
        number = played.number or 0
        if number in self._replayed and self._replayed[number][0] == played:
            return self._replayed[number][1]
        forgettings = self._forgettings
        steps = await asyncio.to_thread(steps_of, played)
        if not steps:
            raise errors.NoSuchMatch(number)
        if forgettings != self._forgettings:  # it may name a person who was forgotten meanwhile
            return steps
        self._replayed[number] = played, steps
        return steps


def _page_in_english(played: PlayedMatch) -> str:
    """Return the page to download, all in English, since its headings are English."""
    with speaking(ENGLISH):
        return page_html(played)


def _place(steps: tuple[Step, ...], seq: int, where: str) -> int:
    """Return the index of the step to show after a press at the step of action `seq`.

    `where` is the button, such as "next"; for an unknown button, stay at the step. If no step has
    the number `seq`, count from the first step.
    """
    numbers = [step.seq for step in steps]
    current = numbers.index(seq) if seq in numbers else 0
    deals = [place for place, step in enumerate(steps) if isinstance(step.action, Deal)]
    last = len(steps) - 1
    match where:
        case "next":
            return min(current + 1, last)
        case "back":
            return max(current - 1, 0)
        case "roundon":
            return next((place for place in deals if place > current), last)
        case "roundback":
            return max((place for place in deals if place < current), default=0)
    return current


async def may_see(interaction: Interaction, archived: KeptMatch) -> bool:
    """Return whether the asker may be shown this match, which is over.

    Raises Discord's errors if Discord doesn't say who sees the match's channel.
    """
    if interaction.user.id in archived.match.players:
        return True
    if archived.channel_id < 0:  # only its player may see a practice
        return False
    if interaction.channel_id == archived.channel_id:
        # a person who uses a command in a channel sees it, but maybe not its history
        return interaction.permissions.read_message_history
    guild = interaction.guild
    if guild is None or guild.id != archived.guild_id:
        return False
    if not isinstance(interaction.user, discord.Member):
        return False
    try:
        return await _sees(interaction.user, await guild.fetch_channel(archived.channel_id))
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return False  # the channel is gone, or the bot no longer sees it


async def _sees(member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether a member sees a channel and its history. Raises Discord's errors.

    The members of a private thread are not known here, so only people who manage threads pass.
    """
    if not isinstance(channel, discord.Thread):
        allowed = channel.permissions_for(member)
        return allowed.view_channel and allowed.read_message_history
    parent = await channel.guild.fetch_channel(channel.parent_id)
    if isinstance(parent, discord.Thread) or not await _sees(member, parent):
        return False
    return not channel.is_private() or parent.permissions_for(member).manage_threads

"""Practice: a match of one person against one computer player, at a table only they can see.

It is a table like any other, but in no server, and in a channel that does not exist: the channel's
id is the person's, negated. So a practice is stored and survives a restart, and each person has
only one. It has no clock, and the next round waits for a press. The deal of the day is played there
too.
"""

from __future__ import annotations

import contextlib
from typing import Final

from bot.roster import computers
from bot.services.tables import Tables
from bot.settings.shards import NO_GUILD
from bot.tables import errors, moderation, plans
from bot.tables.daily import PLAYERS, daily
from bot.tables.live import LiveTable
from bot.tables.model import DailyResult, Status
from bot.tables.requests import Ask
from bot.tables.table_options import DIRECT_CARDS, PINGS, TURN_CLOCK
from engine.ruleset import OptionValue

RULES: Final[dict[str, OptionValue]] = {
    TURN_CLOCK.key: 0,
    PINGS.key: "never",
    DIRECT_CARDS.key: "no",
}


async def practise(tables: Tables, ask: Ask, game: str, character: str) -> LiveTable:
    """Return the asker's match against this character: the one under way, or a new one.

    A new match ends a practice of another game or character. If a deal of the day is unfinished,
    that match is returned instead. Raises `Damaged` if the person's practice can't be read, and
    what `Tables.open` raises.
    """
    with contextlib.suppress(errors.NoTable):
        live = await tables.in_channel(-ask.player)
        if live.table.status.live:
            if is_deal_under_way(tables, live):
                return await _begin(tables, ask, live)
            seated = [opponent.character for opponent in computers(live.table.players)]
            if live.table.variant == game and seated == [character]:
                return await _begin(tables, ask, live)
            await tables.change(live.table.id, Ask(ask.player, None), moderation.end)
    opened = await tables.open(ask, NO_GUILD, -ask.player, game, (character,))
    return await _begin(tables, ask, opened)


def is_deal_under_way(tables: Tables, live: LiveTable) -> bool:
    """Return whether a practice is an unfinished deal of the day, today's or yesterday's."""
    day = live.table.daily_day
    return live.table.status.live and day is not None and tables.today() - day <= 1


async def play_daily(tables: Tables, ask: Ask, game: str, guild_id: int) -> LiveTable | DailyResult:
    """Return the asker's match of today's deal, under way or new, or their result if it's over.

    `guild_id`: the server where it is played, or 0. A new match ends a practice under way. If
    another deal is unfinished (another game's, or yesterday's), its match is returned instead.
    Raises `SplitsTheDay` if people have played today's deal against another version of the computer
    players; also what `Tables.open` raises.
    """
    day = tables.today()
    played = await tables.daily.result(ask.player, game, day)
    if played is not None:
        return played
    with contextlib.suppress(errors.NoTable):
        live = await tables.in_channel(-ask.player)
        if is_deal_under_way(tables, live):
            return await _begin(tables, ask, live)
        if live.table.status.live:
            await tables.change(live.table.id, Ask(ask.player, None), moderation.end)
    if any(result.version != PLAYERS for result in await tables.daily.of_deal(game, day, 1)):
        raise errors.SplitsTheDay
    deal = daily(game, day)
    opened = await tables.open(
        ask, NO_GUILD, -ask.player, game, deal.characters, daily=(deal, guild_id)
    )
    return await _begin(tables, ask, opened)


async def once_more(tables: Tables, ask: Ask, table_id: int) -> LiveTable:
    """Start another match of a practice that is over, and return its table.

    Raises `MovedOn` for a deal of the day, which has no second match, and what
    `TableRuntime.change` raises for `plans.again`.
    """
    live = await tables.see(table_id)
    if live.table.daily_day is not None:  # once a day
        raise errors.MovedOn
    if live.table.status is Status.LOBBY and ask.player in live.table.players:
        return await _begin(tables, ask, live)  # an earlier press got only this far
    return await _begin(tables, ask, await tables.change(table_id, ask, plans.again))


async def _begin(tables: Tables, ask: Ask, live: LiveTable) -> LiveTable:
    """Start a practice if it is still a lobby, and return its table."""
    if live.table.status is not Status.LOBBY:
        return live
    number, silent = live.table.id, Ask(ask.player, None)
    day = live.table.daily_day
    rules = RULES if day is None else {**RULES, **daily(live.table.variant, day).options}
    await tables.change(number, silent, plans.choose, rules)
    return await tables.change(number, silent, plans.start)

"""Practice: a match of one person against one computer player, at a table that nobody else sees.

It is a table like any other, in no server and in a channel that does not exist: the person's own
id, negative. So it is stored, goes on after a restart, and each person has one. Nobody is hurried,
and what follows a showdown waits for its press.
"""

from __future__ import annotations

import contextlib
from typing import Final

from bot.roster import computers
from bot.settings.shards import NO_GUILD
from bot.tables import errors, moderation, plans
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.requests import Ask
from bot.tables.service import Tables
from bot.tables.table_options import LETTERS, PINGS, TURN_CLOCK
from engine.ruleset import OptionValue

RULES: Final[dict[str, OptionValue]] = {TURN_CLOCK.key: 0, PINGS.key: "never", LETTERS.key: "no"}


async def practise(tables: Tables, ask: Ask, game: str, character: str) -> LiveTable:
    """The asker's match against this character: the one under way, or a new one.

    One of another game, or against another character, is ended by it. Raises as `Tables.open`.
    """
    with contextlib.suppress(errors.NoTable):
        live = await tables.in_channel(-ask.player)
        if live.table.status.live:
            seated = [one.character for one in computers(live.table.players)]
            if live.table.variant == game and seated == [character]:
                return await _begun(tables, ask, live)
            await tables.change(live.table.id, Ask(ask.player, None), moderation.end)
    opened = await tables.open(ask, NO_GUILD, -ask.player, game, (character,))
    return await _begun(tables, ask, opened)


async def once_more(tables: Tables, ask: Ask, table_id: int) -> LiveTable:
    """Another match of a practice that is over. Raises `MovedOn`, `NotSeated`."""
    live = await tables.see(table_id)
    if live.table.status is Status.LOBBY and ask.player in live.table.players:
        return await _begun(tables, ask, live)  # a press before this one came half way
    return await _begun(tables, ask, await tables.change(table_id, ask, plans.again))


async def _begun(tables: Tables, ask: Ask, live: LiveTable) -> LiveTable:
    """The match of a practice, started if it is not: nobody waits in its lobby."""
    if live.table.status is not Status.LOBBY:
        return live
    number, silent = live.table.id, Ask(ask.player, None)
    await tables.change(number, silent, plans.choose, RULES)
    return await tables.change(number, silent, plans.start)

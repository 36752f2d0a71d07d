"""Drafts: what somebody typed and was refused stands in the form when they open it again.

Kept in memory only, one a person and table, for as long as they have not moved and the round lasts.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.discord.answers import Interaction
from bot.discord.press import Press, fields_of
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.service import Tables
from engine.bid_parser import LONGEST_TEXT
from engine.errors import EngineError

REMEMBERED: Final = 1024
FORMS: Final = frozenset({"bid", "typed"})  # the table's and the seat's
Moment = tuple[int | None, int, int]  # match, round, bids of one's own in it


class Drafts:
    """The last refused text of each person at each table."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: OrderedDict[tuple[int, int], tuple[Moment, str]] = OrderedDict()

    async def keep(self, interaction: Interaction, press: Press, error: Exception) -> None:
        """Remember what was typed in a form that was refused by `error`."""
        expected = isinstance(error, EngineError | errors.RefusedError)
        if press.verb not in FORMS or not expected or isinstance(error, errors.Repeated):
            return
        typed = "".join(fields_of(interaction).get("text", ()))
        try:
            live = await self._tables.see(press.address.table)
        except errors.RefusedError:
            return
        self.remember(live, interaction.user.id, typed)

    def remember(self, live: LiveTable, player: int, typed: str) -> None:
        """Keep what `player` typed at a table and was refused."""
        typed = typed.strip()[:LONGEST_TEXT]
        moment = _moment(live, player)
        if not typed or moment is None:
            return
        key = live.table.id, player
        self._kept[key] = moment, typed
        self._kept.move_to_end(key)
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)

    def of(self, live: LiveTable, player: int) -> str:
        """What `player` typed last and in vain; empty once they have moved, or in another round."""
        key = live.table.id, player
        moment, typed = self._kept.get(key, (None, ""))
        if not typed or moment == _moment(live, player):
            return typed
        del self._kept[key]
        return ""


def _moment(live: LiveTable, player: int) -> Moment | None:
    """What changes when `player` moves or a round ends; None for who does not play here."""
    match = live.match
    seat = match.seat_of(player) if match is not None else None
    if match is None or match.round is None or seat is None:
        return None
    own = sum(made.seat == seat for made in match.round.bids)
    return live.table.match_id, match.round.number, own

"""Cutting the cards at a table: the seal that comes first, and what players add to it.

A lobby opens with the root of all the seeds of its match, so its seal fixes them before anybody has
typed a word. What a player cuts with counts for every deal after it, until they cut anew or the
match ends. Computer players do not cut: their words would be the host's. Pure functions; the deal
itself is in `plans`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import PlayerCut, Status, Table
from engine.cutting import Cut, cut, round_seed
from engine.errors import NotInMatch
from engine.shuffle import commitment
from engine.state import Phase

SEALS: Final = 1024  # that are remembered: each is a thousand hashes, and drawn in many places


def sealed(table: Table, root: bytes) -> Table:
    """A lobby whose deals are sealed by `root`, 32 secret bytes, and not cut yet."""
    return replace(table, chain_root=root, cuts=())


def unsealed(table: Table) -> Table:
    """The table; without the secret and the cuts of a match that is over, nor where it was."""
    return table if table.status.live else replace(table, chain_root=None, cuts=(), daily_guild=0)


def match_seal(table: Table) -> str | None:
    """The seal of the first round, which fixes those of all others; None before there is one."""
    return _seal(table.chain_root, 1) if table.chain_root is not None else None


def next_seal(live: LiveTable) -> str | None:
    """The seal of the next deal; None while a round is being bid, as it is that round's seed."""
    root, match = live.table.chain_root, live.match
    if root is None or (match is not None and match.phase is Phase.BIDDING):
        return None
    return _seal(root, next_round(live))


@lru_cache(SEALS)
def _seal(root: bytes, number: int) -> str:
    return commitment(round_seed(root, number))


def next_round(live: LiveTable) -> int:
    """The number of the round that is dealt next."""
    match = live.match
    return match.round.number + 1 if match is not None and match.round is not None else 1


def may_cut(live: LiveTable, player: int) -> None:
    """Raises `NotSeated`, `NotInMatch`, or `MovedOn` unless `player` may cut the next deal."""
    table, match = live.table, live.match
    if not table.status.live or table.chain_root is None:
        raise errors.MovedOn
    if table.status is Status.LOBBY:
        if player not in table.players:
            raise errors.NotSeated
        return
    seat = live.seat(player)
    if match is not None and not match.seats[seat].live:
        raise NotInMatch(seat)


def with_cut(live: LiveTable, player: int, text: str) -> Table:
    """The table after `player` has cut the cards with `text`, the last to do so.

    `text` is as `engine.cutting.read_cut` reads it; what the player cut with before counts no more.
    Raises as `may_cut`.
    """
    may_cut(live, player)
    others = (one for one in live.table.cuts if one.player != player)
    return replace(live.table, cuts=(*others, PlayerCut(player, text, next_round(live))))


def waiting_cuts(live: LiveTable) -> tuple[PlayerCut, ...]:
    """What was cut since the latest deal, and so counts from the next one on."""
    return tuple(one for one in live.table.cuts if one.counts_from == next_round(live))


def counted(live: LiveTable) -> tuple[Cut, ...]:
    """How the next deal is cut, by seats of the match."""
    return tuple(cut(live.seat(one.player), one.text) for one in live.table.cuts)

"""Cutting the cards at a table: the table shows its seal first, then players add their cuts.

When a lobby opens, the root of all the match's seeds is drawn. So its seal fixes the seeds
before anyone types a word. A player's cut applies to every later deal, until the player
cuts again or the match ends. Computer players do not cut: whoever hosts the bot would
choose their words. All functions are pure; the deal itself is in `plans`.
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

SEALS: Final = 1024  # cached seals: each takes a thousand hashes and is drawn in many places


def with_seal(table: Table, root: bytes) -> Table:
    """Return the lobby with its deals sealed by `root`, 32 secret bytes, and no cuts yet."""
    return replace(table, chain_root=root, cuts=())


def without_secrets(table: Table) -> Table:
    """Return a live table unchanged, and others without secret root, cuts and daily server."""
    return table if table.status.live else replace(table, chain_root=None, cuts=(), daily_guild=0)


def match_seal(table: Table) -> str | None:
    """Return the seal of the first round, which fixes all others; None without a secret root."""
    return _seal(table.chain_root, 1) if table.chain_root is not None else None


def next_seal(live: LiveTable) -> str | None:
    """Return the seal of the next deal; None while a round is being bid, or without a secret root.

    The next seal equals the seed of the round being bid, so the seal must stay secret until that
    round ends. A table loses its secret root when its match is over.
    """
    root, match = live.table.chain_root, live.match
    if root is None or (match is not None and match.phase is Phase.BIDDING):
        return None
    return _seal(root, next_round(live))


@lru_cache(SEALS)
def _seal(root: bytes, number: int) -> str:
    return commitment(round_seed(root, number))


def next_round(live: LiveTable) -> int:
    """Return the number of the round to deal next."""
    match = live.match
    return match.round.number + 1 if match is not None and match.round is not None else 1


def may_cut(live: LiveTable, player: int) -> None:
    """Check that `player` may cut the next deal. Raises `NotSeated`, `NotInMatch`, `MovedOn`."""
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
    """Return the table after `player` cut the cards with `text`, which is now the last cut.

    `text`, in the form that `engine.cutting.read_cut` returns, replaces the player's earlier
    cut. Raises what `may_cut` raises.
    """
    may_cut(live, player)
    others = (earlier for earlier in live.table.cuts if earlier.player != player)
    return replace(live.table, cuts=(*others, PlayerCut(player, text, next_round(live))))


def waiting_cuts(live: LiveTable) -> tuple[PlayerCut, ...]:
    """Return the cuts made since the latest deal, which apply from the next deal on."""
    return tuple(
        player_cut for player_cut in live.table.cuts if player_cut.counts_from == next_round(live)
    )


def next_cuts(live: LiveTable) -> tuple[Cut, ...]:
    """Return the cuts of the next deal, in the order made, each with its player's seat."""
    return tuple(
        cut(live.seat(player_cut.player), player_cut.text) for player_cut in live.table.cuts
    )

"""Tables at known moments, made without a store: a lobby, a new match, a round being bid."""

from __future__ import annotations

from typing import Any

from bot.tables.live import LiveTable, advance
from bot.tables.model import Status, Table
from bot.tables.requests import Limits, Moment
from engine.actions import Action, Challenge, Deal, MakeBid
from engine.play import start
from engine.state import Match, Round
from engine.variants import ruleset
from tests.dealing import stacked_deal

ANN, BOB, CLEO, DAN, EVE = 11, 12, 13, 14, 15
AGNES, MIRA = -101, -201  # computer players
NOW = 1_800_000_000_000
THAI = "thai_poker"
LIMITS = Limits(next_round=15_000, lobby=3_600_000, turn_seconds=600, tables_per_guild=3)
MOMENT = Moment(NOW, LIMITS, lambda: bytes(32))

# no ten and no king is dealt: a pair of nines holds, a pair of kings does not
HANDS = {0: "9c 9d", 1: "Jc Jd", 2: "Qc Qd"}
HOLDS, FAILS = "pair:9", "pair:K"


def table_of(*players: int, **kwargs: Any) -> Table:
    """Return a Thai Poker lobby hosted by the first of `players`; `kwargs` replace its fields."""
    chosen: dict[str, Any] = {
        "id": 5,
        "guild_id": 1,
        "channel_id": 2,
        "host_id": players[0],
        "status": Status.LOBBY,
        "variant": THAI,
        "options": {},
        "players": players,
        "version": 3,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Table(**(chosen | kwargs))


def begun(*players: int, opener: int | None = 0, **kwargs: Any) -> LiveTable:
    """Return a table whose match waits for its first deal."""
    seated = table_of(*players, **({"status": Status.PLAYING, "match_id": 9} | kwargs))
    return LiveTable(seated, start(ruleset(THAI), players, opener))


def dealt(*players: int, opener: int = 0, hands: dict[int, str] | None = None) -> LiveTable:
    """Return a table whose first round is dealt as in `hands`, or in `HANDS`; `opener` opens."""
    live = begun(*players, opener=opener)
    seats = range(len(players))
    cards = hands or {seat: text for seat, text in HANDS.items() if seat in seats}
    return advance(live, stacked_deal(match_of(live), cards))


def after_moves(live: LiveTable, *actions: Action) -> LiveTable:
    for action in actions:
        live = advance(live, action)
    return live


def after_showdown(live: LiveTable, key: str) -> LiveTable:
    """Return the table after the opener's bid `key` and a challenge by the next player."""
    opened = after_moves(live, MakeBid(round_of(live).turn, key))
    return after_moves(opened, Challenge(round_of(opened).turn))


def again(live: LiveTable) -> Deal:
    """Return a deal for the next round."""
    return stacked_deal(match_of(live), {})


def match_of(live: LiveTable) -> Match:
    assert live.match is not None
    return live.match


def round_of(live: LiveTable) -> Round:
    current = match_of(live).round
    assert current is not None
    return current

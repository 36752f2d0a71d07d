"""What is stored of a person as one JSON document (docs/privacy.md), without anybody else in it.

Others appear as seats of a match only. Of a match under way it has what its player sees: their own
cards, never another's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bot.privacy.ports import UNREAD, Dossier, KeptOf
from bot.tables.live import first_state
from engine.actions import Deal, from_json
from engine.play import apply
from engine.state import Match

FORMAT: Final = "bluffhouse/person"
VERSION: Final = 1


def person_json(player: int, dossier: Dossier, matches: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole document. Ids are text, as many languages read large numbers wrongly."""
    known = dossier.player
    tables = [_table(player, row) for row in dossier.rows.get("tables", ())]
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "id": str(player),
        "name": known.name if known else None,
        "direct_messages_open": known.dm_open if known else None,
        "choices": dict(known.choices) if known else {},
        "hidden_from_leaderboards": known.hidden if known else False,
        "told_of_new_tables_in_channels": [
            str(row["channel_id"])
            for row in dossier.rows.get("listeners", ())
            if "channel_id" in row
        ],
        "tables": tables,
        "matches": matches,
    }
    for table, rows in dossier.rows.items():
        if table not in ("tables", "listeners"):
            document[table] = [_alone(player, row) for row in rows]
    return document


def match_json(player: int, kept: KeptOf) -> dict[str, Any]:
    """One match: where and when, the person's seat, cards and actions, and how it ended for them.

    A damaged log gives no cards; its actions are there all the same, as far as they can be read.
    """
    match = kept.match
    damage = {UNREAD: list(kept.unread)} if kept.unread else {}
    if match is None:
        return {"match": kept.number, UNREAD: list(kept.unread)}
    seat = match.players.index(player)
    try:
        hands = list(_hands(kept, seat))
    except Exception:  # a log that is none may raise whatever it likes
        hands = []
    return damage | {
        "match": match.id,
        "table": match.table_id,
        "server": None if kept.guild_id is None else str(kept.guild_id),
        "channel": str(kept.channel_id) if (kept.channel_id or 0) > 0 else None,
        "game": match.variant,
        "rules": dict(match.options),
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "status": match.status.value,
        "players": len(match.players),
        "seat": seat,
        "place": kept.place,
        "rounds": kept.rounds,
        "cards": [{"round": number, "cards": cards} for number, cards in hands],
        "actions": [
            {
                "number": action.seq,
                "at": action.at,
                "by_house": action.by_house,
                **{key: value for key, value in action.body.items() if key not in ("v", "seat")},
            }
            for action in match.actions
            if action.body.get("seat") == seat
        ],
        "cuts": [
            {"number": action.seq, "text": text}
            for action in match.actions
            for text in _typed(action.body.get("cuts"), seat)
        ],
    }


def written(document: dict[str, Any]) -> bytes:
    """The document as a file."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _hands(kept: KeptOf, seat: int) -> Iterator[tuple[int, str]]:
    """The person's cards of each round they were dealt into."""
    assert kept.match is not None
    state: Match = first_state(kept.match)
    for stored in kept.match.actions:
        action = from_json(stored.body)
        state = apply(state, action)
        if isinstance(action, Deal) and state.round is not None and state.round.hands[seat]:
            cards = " ".join(card.symbol for card in state.round.hands[seat])
            yield state.round.number, cards


def _typed(cuts: Any, seat: int) -> Iterator[Any]:
    """What a seat cut the cards with, of a line that may be damaged."""
    for cut in cuts if isinstance(cuts, list) else ():
        match cut:
            case {"seat": number, "text": text} if number == seat:
                yield text


def _table(player: int, row: dict[str, Any]) -> dict[str, Any]:
    """A table that names the person: what it says of them."""
    if UNREAD in row:
        return {"table": row["id"], UNREAD: row[UNREAD]}
    return {
        "table": row["id"],
        "server": str(row["guild_id"]),
        "channel": str(row["channel_id"]) if row["channel_id"] > 0 else None,
        "game": row["variant"],
        "status": row["status"],
        "opened_at": row["created_at"],
        "host": row["host_id"] == player,
        "seated": player in row["players"],
        "asked_to_play_again": player in row["invited"] and player not in row["players"],
        "waits_for_the_next_match": player in row["waiting"],
        "turns_missed": row["absent"].get(str(player), 0),
        "said_to_be_away": str(player) in row["votes"],
        "said_others_are_away": any(player in voters for voters in row["votes"].values()),
        "won_the_last_match": row["last_winner"] == player,
        "cuts": [cut["text"] for cut in row.get("cuts", ()) if cut["player"] == player],
    }


def _alone(player: int, row: dict[str, Any]) -> dict[str, Any]:
    """A row of another table, without the ids in it that are somebody else's."""
    people = ("player", "other")
    return {
        name: str(value) if name.endswith("_id") else value
        for name, value in row.items()
        if name not in people
    }

"""A person's stored data as one JSON document (docs/privacy.md), without data of others.

Other people appear only as seats of a match. For a match under way the document holds what the
person sees as a player: only their own cards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bot.privacy.results import UNREAD, Dossier, PersonalMatch
from bot.tables.live import first_state
from engine.actions import Deal, from_json
from engine.play import apply
from engine.state import Match

FORMAT: Final = "bluffhouse/person"
VERSION: Final = 1


def person_json(player: int, dossier: Dossier, matches: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a person's stored data as a JSON document.

    Discord's ids are text, as JSON parsers of many programming languages round large numbers.
    """
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
            document[table] = [_without_others(player, row) for row in rows]
    return document


def match_json(player: int, stored: PersonalMatch) -> dict[str, Any]:
    """Return one match: where and when, the person's seat, cards and actions, and their result.

    A damaged log gives no cards, but its readable actions are included. If nothing can be read,
    return only the match's number and the reasons.
    """
    match = stored.match
    damage = {UNREAD: list(stored.unread)} if stored.unread else {}
    if match is None:
        return {"match": stored.number, UNREAD: list(stored.unread)}
    seat = match.players.index(player)
    try:
        hands = list(_hands(stored, seat))
    except Exception:  # a damaged log may raise anything
        hands = []
    return damage | {
        "match": match.id,
        "table": match.table_id,
        "server": None if stored.guild_id is None else str(stored.guild_id),
        "channel": str(stored.channel_id) if (stored.channel_id or 0) > 0 else None,
        "game": match.variant,
        "rules": dict(match.options),
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "status": match.status.value,
        "players": len(match.players),
        "seat": seat,
        "place": stored.place,
        "rounds": stored.rounds,
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
            for text in _cut_texts(action.body.get("cuts"), seat)
        ],
    }


def to_bytes(document: dict[str, Any]) -> bytes:
    """Return the document as a file's content."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _hands(stored: PersonalMatch, seat: int) -> Iterator[tuple[int, str]]:
    """Yield the number of each round that the person was dealt into, and their cards in it."""
    assert stored.match is not None
    state: Match = first_state(stored.match)
    for line in stored.match.actions:
        action = from_json(line.body)
        state = apply(state, action)
        if isinstance(action, Deal) and state.round is not None and state.round.hands[seat]:
            cards = " ".join(card.symbol for card in state.round.hands[seat])
            yield state.round.number, cards


def _cut_texts(cuts: Any, seat: int) -> Iterator[Any]:
    """Yield the texts with which a seat cut the cards; `cuts` may be damaged."""
    for cut in cuts if isinstance(cuts, list) else ():
        match cut:
            case {"seat": number, "text": text} if number == seat:
                yield text


def _table(player: int, row: dict[str, Any]) -> dict[str, Any]:
    """Return what a table's row says about the person.

    If the row can't be read, return only its id and the unreadable columns.
    """
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


def _without_others(player: int, row: dict[str, Any]) -> dict[str, Any]:
    """Return a database row without `player` and `other`, and with ids as text."""
    people = ("player", "other")
    return {
        name: str(value) if name.endswith("_id") else value
        for name, value in row.items()
        if name not in people
    }

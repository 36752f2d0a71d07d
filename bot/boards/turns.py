"""Requests for a move: one table's reminder, and the list of tables that wait for a player.

A reminder is a message of its own, since an edit pings nobody. The answer to `/turns` and the
digest list the waiting tables, the longest wait first; tables where the player is away come last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.boards.bidding import A_ROW, everyone_away_line
from bot.boards.board import Address, Block, Board, Button, Rule, Text
from bot.boards.leaving import away_buttons
from bot.boards.replay import title_of
from bot.language.catalogues import N_, tr, trn
from bot.language.moments import stamp
from bot.language.wordings import bid_text, game_words
from bot.language.words import Names, mention
from bot.pictures.palette import GREEN, GREY
from bot.tables.absence import is_away
from bot.tables.live import LiveTable
from bot.tables.local_time import hour_text
from bot.tables.model import Digest, Status
from bot.tables.turns import turn_of
from engine.play import legal
from engine.view import view_of

LISTED: Final = 7  # tables that fit with the longest names; the rest are only counted
NOTHING: Final = N_("You're all caught up.")
Kind = Literal["turn", "again", "away"]


def reminder_line(live: LiveTable, names: Names, link: str | None) -> tuple[int, str] | None:
    """Return the player to remind and the reminder's line; None while nobody needs to act.

    Only that player is mentioned; the last bidder goes by their name in `names`.
    """
    need = move_request(live, names)
    if need is None:
        return None
    player, request = need
    where = f" · [{tr('to the table')}]({link})" if link else ""
    return player, tr("{who}, your turn: {told}", who=mention(player), told=request) + where


def reminder_direct_message(live: LiveTable, names: Names, others: int = 0) -> str | None:
    """Return the reminder as a direct message; None while nobody needs to act.

    `others` is how many other tables wait for the reader.
    """
    need = move_request(live, names)
    if need is None:
        return None
    channel = f"<#{live.table.channel_id}>"
    text = tr("Your turn in {channel}: {told}", channel=channel, told=need[1])
    if others <= 0:
        return text
    waiting = trn(
        "{number} more table is waiting for you: see `/turns`.",
        "{number} more tables are waiting for you: see `/turns`.",
        others,
    )
    return f"{text}\n-# {waiting}"


def reminder_row(live: LiveTable, names: Names) -> tuple[Address, tuple[Button, ...]]:
    """Return the address and buttons of a reminder.

    One button opens the reminded player's seat. With the other buttons, players still in the match
    report others as away, or agree with such a report.
    """
    seq = live.match.seq if live.match is not None else 0
    address = Address(live.table.id, live.table.match_id or 0, seq)
    away = away_buttons(live, names)[: A_ROW - 1]
    return address, (Button("seat", tr("My seat"), "primary"), *away)


def reminder_recipient(live: LiveTable) -> int | None:
    """Return the player whom a reminder is for; None while nobody needs to act."""
    match, turn = live.match, turn_of(live.match)
    return None if match is None or turn is None else match.seats[turn[-1]].player


def move_request(live: LiveTable, names: Names) -> tuple[int, str] | None:
    """Return the player who needs to act, and a text on what to decide by when.

    None if nobody needs to act.
    """
    if live.match is None:
        return None
    view = view_of(live.match)
    if view.legal.bidder is None or view.round is None:
        return None
    rules, player = view.ruleset, view.seats[view.legal.bidder].player
    standing = view.round.standing
    if standing is None:
        request = tr(
            "you open round {number} of {title}", number=view.round.number, title=tr(rules.title)
        )
    else:
        bidder = str(names.get(view.seats[standing.seat].player) or tr("the player before you"))
        if live.last_by_house:
            bidder = tr("{who} (played by the bot)", who=bidder)
        text = (
            tr("{who} bid **{said}**")
            if legal(live.match).rungs
            else tr("{who} bid **{said}**: you must {doubt}")
        )
        request = text.format(
            who=bidder, said=bid_text(rules, standing.bid), doubt=game_words(rules).doubt
        )
    ends = live.table.turn_ends
    clock = f" · {tr('the turn ends {clock}', clock=stamp(ends, 'R'))}" if ends else ""
    return player, f"{request}{clock}"


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A table's request to a player, and since when it has been open, in Unix milliseconds.

    `kind`: move ("turn"), play another match ("again"), or come back ("away").
    """

    kind: Kind
    since: int


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table that waits for a player; `server` is the name of its server, if shown."""

    live: LiveTable
    request: TableRequest
    names: Names
    link: str
    server: str = ""


def request_to(live: LiveTable, player: int) -> TableRequest | None:
    """Return what a table asks of a player now, or None. A practice never asks."""
    table, match = live.table, live.match
    if table.is_practice:
        return None
    if table.status is Status.LOBBY and player in table.awaited_players:
        return TableRequest("again", table.updated_at)
    if table.status is not Status.PLAYING or match is None:
        return None
    seat, since = match.seat_of(player), table.turn_since or table.updated_at
    if seat is None or not match.seats[seat].live:
        return None
    if is_away(table, player):
        return TableRequest("away", since)
    return TableRequest("turn", since) if reminder_recipient(live) == player else None


def turns_board(
    waiting: Sequence[WaitingTable], others: int, digest: Digest | None, *, unasked: bool = False
) -> Board:
    """Return the tables that wait for a player; `others` is how many wait for someone else.

    `digest` says when the person gets the daily digest, if they do. `unasked`: the board is the
    daily digest, so its small print reminds the person that they once asked for it.
    """
    waiting = sorted(waiting, key=lambda table: (table.request.kind == "away", table.request.since))
    blocks: list[Block] = [Text(f"**{_head(len(waiting))}**")]
    for table in waiting[:LISTED]:
        blocks += (Rule(), Text(_lines(table)))
    small = []
    if len(waiting) > LISTED:
        small.append(
            trn("and {number} more table", "and {number} more tables", len(waiting) - LISTED)
        )
    if others:
        small.append(
            trn(
                "{number} table is waiting for someone else.",
                "{number} tables are waiting for someone else.",
                others,
            )
        )
    small.append(_when(digest, unasked=unasked))
    button = Button("digest", tr("Daily digest…"))
    footer = "\n".join(f"-# {line}" for line in small if line)
    accent = GREEN if waiting else GREY
    return Board(accent, tuple(blocks), ((button,),), footer=footer)


def _head(number: int) -> str:
    if not number:
        return tr(NOTHING)
    return trn("{number} table is waiting for you", "{number} tables are waiting for you", number)


def _lines(waiting: WaitingTable) -> str:
    table, match = waiting.live.table, waiting.live.match
    parts = [f"**[{title_of(table.variant)}]({waiting.link})**"]
    if waiting.request.kind != "again" and match is not None and match.round is not None:
        parts.append(tr("Round {number}", number=match.round.number))
    where = f"<#{table.channel_id}>"
    parts.append(f"{where} ({waiting.server})" if waiting.server else where)
    lines = [" · ".join(parts), _what(waiting)]
    if waiting.request.kind not in ("again", "away"):
        since = tr("your turn began {when}", when=stamp(waiting.request.since, "R"))
        lines.append(f"-# {since}")
    return "\n".join(lines)


def _what(waiting: WaitingTable) -> str:
    match waiting.request.kind:
        case "again":
            return tr("**Play again?** Tap **I'm in** there.")
        case "away":
            return everyone_away_line(waiting.live) or tr(
                "**You're away:** the bot plays for you until you press **I'm back**."
            )
    need = move_request(waiting.live, waiting.names)
    return need[1] if need is not None else ""


def _when(digest: Digest | None, *, unasked: bool) -> str:
    if digest is None:
        return ""
    hour, zone = hour_text(digest.minute), digest.zone
    if unasked:
        return tr("You asked for this at {hour} ({zone}).", hour=hour, zone=zone)
    return tr(
        "Daily at {hour} ({zone}) by direct message, when a table is waiting for you.",
        hour=hour,
        zone=zone,
    )

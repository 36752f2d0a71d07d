"""Matches: their logs, secret seeds and hole cards, and the matches of a channel or person."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import and_, bindparam, select, true, update
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import damage_error, sound, table_from, unsound
from bot.tables.errors import Damaged
from bot.tables.live import LiveTable, chosen_ruleset, revive
from bot.tables.model import (
    Delivery,
    HistoryLine,
    HoleCards,
    KeptMatch,
    MatchStatus,
    PastMatch,
    Snapshot,
    Status,
    StoredAction,
    StoredMatch,
)
from bot.tables.quarantine import Quarantine

_A: Final = schema.actions.c
_D: Final = schema.deliveries.c
_M: Final = schema.matches.c
_R: Final = schema.results.c
_S: Final = schema.round_seeds.c
_T: Final = schema.tables.c
_LABELS: Final = {"match_id": _M.id, "status": _M.status}
_LATEST: Final = 2**62  # above every match id
# Statements built once: building them takes as long as running them.
TABLE: Final = select(schema.tables).where(_T.id == bindparam("table"))
_MATCH: Final = select(schema.matches).where(_M.id == bindparam("match"))
_LOG: Final = (
    select(_A.seq, _A.body, _A.at, _A.interaction_id, _A.by_house)
    .where(_A.match_id == bindparam("match"))
    .order_by(_A.seq)
)
_SEEDS: Final = (
    select(schema.round_seeds).where(_S.match_id == bindparam("match")).order_by(_S.round)
)


class SqlMatches(Part):
    """Reads matches, and stores whether hole cards were delivered to their players."""

    @reads
    def past_matches(self, c: Connection, match_id: int, most: int) -> list[PastMatch]:
        """Return at most `most` ended matches of a match's channel, from that match backwards."""
        table, match = schema.tables.alias("this_table"), schema.matches.alias("this_match")
        channel = (
            select(table.c.channel_id)
            .join(match, match.c.table_id == table.c.id)
            .where(match.c.id == match_id)
            .scalar_subquery()
        )
        rows = c.execute(
            select(_M.id, _M.started_at, _M.ended_at, _R.player.label("winner"))
            .join(schema.tables, _T.id == _M.table_id)
            .outerjoin(schema.results, and_(_R.match_id == _M.id, _R.place == 1))
            .where(_T.channel_id == channel, _M.id <= match_id, _M.ended_at.is_not(None))
            .order_by(_M.id.desc())
            .limit(most)
        )
        return [
            PastMatch(
                row.started_at,
                row.ended_at,
                row.winner if type(row.winner) is int else None,  # None if unreadable
            )
            for row in sound(rows, self._set_aside, schema.matches)
        ]

    @reads
    def load(self, c: Connection, match_id: int) -> KeptMatch | None:
        """Return a match, ended or not, with its log and seeds, or None. Raises `Damaged`."""
        place = c.execute(
            select(_T.guild_id, _T.channel_id)
            .join(schema.matches, _M.table_id == _T.id)
            .where(_M.id == match_id)
        ).one_or_none()
        try:
            match = match_of(c, match_id)
            if place is None or match is None:
                return None
            bad = unsound(place._mapping)
            if bad:
                raise damage_error({"match_id": match_id}, schema.tables, bad)
        except Damaged as damage:
            self._set_aside.name(damage)
            raise
        seeds = seeds_of(c, match_id, self._set_aside)
        return KeptMatch(match, seeds, place.guild_id, place.channel_id)

    @reads
    def last_ended(self, c: Connection, channel_id: int) -> int | None:
        """Return the id of a channel's latest match that is over; None if there is none."""
        number: int | None = c.execute(
            select(_M.id)
            .join(schema.tables, _T.id == _M.table_id)
            .where(_T.channel_id == channel_id, _M.ended_at.is_not(None))
            .order_by(_M.id.desc())
            .limit(1)
        ).scalar_one_or_none()
        return number

    @reads
    def history(
        self, c: Connection, player: int, before: int | None, most: int
    ) -> list[HistoryLine]:
        """Return up to `most` matches that a person played to the end, latest first.

        `before`: only matches with lower ids.
        """
        at = _LATEST if before is None else before
        of_match = _M.table_id, _T.guild_id, _T.channel_id, _M.variant, _M.players, _M.status
        # in the order of the index on results.player, which has the match ids
        query = (
            select(_M.id.label("match_id"), *of_match, _M.ended_at, _R.place, _R.rounds)
            .select_from(schema.results)
            .join(schema.matches, _M.id == _R.match_id)
            .join(schema.tables, _T.id == _M.table_id)
            .where(_R.player == player)
            .order_by(_R.match_id.desc())
            .limit(most)
        )
        lines: list[HistoryLine] = []
        while len(lines) < most:  # fetch more to replace damaged ones
            rows = c.execute(query.where(_R.match_id < at)).all()
            of = (schema.matches, schema.results, schema.tables)
            lines += [_line(row) for row in sound(rows, self._set_aside, *of, **_LABELS)]
            if len(rows) < most:
                break
            at = rows[-1].match_id
        return lines[:most]

    @reads
    def rounds_dealt(
        self,
        c: Connection,
        player: int,
        before: int | None,
        most: int,
        variant: str | None = None,
    ) -> int:
        """Return how many rounds a person was dealt; count no further than `most`.

        Matches played to the end count, and every practice. `before`: only matches with lower ids.
        `variant`: only matches of this game.
        """
        at = _LATEST if before is None else before
        of_game = true() if variant is None else _M.variant == variant
        of_matches = (
            select(_R.match_id, _R.player, _R.rounds)
            .join(schema.matches, _M.id == _R.match_id)
            .where(_R.player == player, _R.match_id < at, of_game)
        )
        rows = c.execute(of_matches.limit(most))
        dealt: int = sum(row.rounds for row in sound(rows, self._set_aside, schema.results))
        if dealt < most:
            of_practices = (
                select(_S.round)
                .join(schema.matches, _M.id == _S.match_id)
                .join(schema.tables, _T.id == _M.table_id)
                .where(_T.channel_id == -player, _M.id < at, of_game)
                .where(_M.status != MatchStatus.WON.value)  # those have results
                .limit(most)
            )
            dealt += len(c.execute(of_practices).all())
        return min(dealt, most)

    @reads
    def deliveries(self, c: Connection, match_id: int, round_number: int) -> list[HoleCards]:
        """Return the deliveries of a round's hole cards, in seat order."""
        query = select(schema.deliveries).where(_D.match_id == match_id, _D.round == round_number)
        rows = sound(c.execute(query.order_by(_D.seat)), self._set_aside, schema.deliveries)
        return [_hole_cards(row) for row in rows]

    @writes
    def note_delivery(self, c: Connection, cards: HoleCards, state: Delivery) -> None:
        """Store the state of a delivery of hole cards."""
        noted = update(schema.deliveries).values(state=state.value)
        which = _D.match_id == cards.match_id, _D.round == cards.round, _D.seat == cards.seat
        c.execute(noted.where(*which))


def match_of(
    c: Connection, match_id: int, unread: list[Damaged] | None = None
) -> StoredMatch | None:
    """Return a match with its log; None if it is not stored. Raises `Damaged`.

    If `unread` is given, leave out damaged lines of the log and add their errors to `unread`.
    """
    row = c.execute(_MATCH, {"match": match_id}).one_or_none()
    if row is None:
        return None
    values = dict(row._mapping)
    bad = unsound(values, schema.matches)
    if bad:
        raise _damage_error(
            row, f"cannot be read in the row of its match {match_id}: {', '.join(bad)}"
        )
    lines = []
    for line in c.execute(_LOG, {"match": match_id}):
        bad = unsound(line._mapping, schema.actions)
        if not bad:
            lines.append(StoredAction(*line))
            continue
        damage = _damage_error(
            row,
            f"its log cannot be replayed: line {line.seq!r:.20} of match {match_id} cannot be read"
            f" ({', '.join(bad)})",
        )
        if unread is None:
            raise damage
        unread.append(damage)
    values["players"] = tuple(values["players"])
    values["status"] = MatchStatus(values["status"])
    return StoredMatch(**values, actions=tuple(lines))


def _damage_error(match: Row[Any], reason: str) -> Damaged:
    """Return the error for a damaged match.

    It names the match's table, or the match if the table's id is unreadable.
    """
    if type(match.table_id) is int:
        return Damaged(reason, table=match.table_id)
    return Damaged(reason, match=match.id)


def seeds_of(c: Connection, match_id: int, aside: Quarantine) -> dict[int, bytes]:
    """Return a match's secret seeds by round number. Report damaged ones to `aside`."""
    rows = c.execute(_SEEDS, {"match": match_id})
    return {row.round: row.seed for row in sound(rows, aside, schema.round_seeds)}


def _hole_cards(row: Row[Any]) -> HoleCards:
    values = dict(row._mapping)
    values["state"] = Delivery(values["state"])
    return HoleCards(**values)


def replay_table(c: Connection, table_id: int) -> LiveTable | None:
    """Return a table with its match replayed, or None for an unknown id. Raises `Damaged`."""
    row = c.execute(TABLE, {"table": table_id}).one_or_none()
    if row is None:
        return None
    table = table_from(row._mapping)
    match = None if table.match_id is None else match_of(c, table.match_id)
    try:
        live = revive(Snapshot(table, match))
        if table.status is Status.LOBBY:
            chosen_ruleset(table)
    except Exception as error:  # a damaged log may raise anything
        reason = f"its log cannot be replayed ({type(error).__name__})"
        raise Damaged(reason, table=table_id) from error
    if live.match is None and table.status is Status.PLAYING:
        raise Damaged("it's in play but has no match", table=table_id)
    return live


def _line(row: Row[Any]) -> HistoryLine:
    values = {**row._mapping, "players": tuple(row.players)}
    del values["status"]
    return HistoryLine(**values)

"""What is stored of a person: shown to them, and forgotten.

Whoever is forgotten gives their place to a nameless player, in one transaction. Other people's
matches, results and ratings stand, as the nameless player is one and the same in all of them. What
was only about the person (name, choices, wishes, practice matches) is deleted. What names them in
finished matches is looked up first, outside the transaction, as it does not change any more: the
transaction writes and hardly reads, so that moves do not wait for it long.

Damaged rows are searched and rewritten like others, as far as they can be: an id goes from what is
no JSON too. Words that were typed to cut the cards cannot be told apart there, or where nothing
says any more which seat was whose: such rows are counted and named, for the host to look at. Nobody
plays at a damaged table, so a seat there keeps nobody.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import (
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.engine import Connection, RowMapping

from bot.privacy.ports import UNREAD, Dossier, Forgotten, KeptOf
from bot.roster import nameless
from bot.storage import schema
from bot.storage.matches import match_of, replayed
from bot.storage.part import Part, reads
from bot.storage.people import player_of
from bot.storage.personal_data import ID, NAMING, column, ids_in, may_name, names, renamed
from bot.storage.retention import delete_matches, delete_tables, note_rewrite, parts
from bot.storage.rows import unsound
from bot.tables import errors
from bot.tables.errors import Damaged
from bot.tables.live import LiveTable
from bot.tables.model import Status

_T: Final = schema.tables.c
_M: Final = schema.matches.c
_R: Final = schema.results.c
# shown by themselves, or with their matches
_APART: Final = frozenset({"players", "matches", "results", "deliveries"})
_D: Final = schema.deliveries.c
_A: Final = schema.actions.c
# tables whose rows of a person are nobody else's business
_OWN: Final = (
    *("players", "listeners", "digests", "reminder_letters", "night_comers"),
    *("daily_results", "mistakes"),
)
_NAMED: Final = (*NAMING["tables"], "letter_id")
# renamed by what was found of them
_FOUND: Final = ("tables", "matches", "deliveries", *_OWN)


@dataclass
class _Trail:
    """The rows that name somebody, by id; `upto` is how far was looked."""

    tables: dict[int, dict[str, Any]] = field(default_factory=dict)
    matches: dict[int, dict[str, Any]] = field(default_factory=dict)
    tables_upto: int = 0
    matches_upto: int = 0
    lost: list[int] = field(default_factory=list)  # matches whose rows do not name them any more
    unread: dict[str, Damaged] = field(default_factory=dict)  # where words may be left


class SqlPrivacy(Part):
    """The part of the store that shows and forgets people: `bot.privacy.ports.PrivacyStore`."""

    @reads
    def dossier(self, c: Connection, player: int) -> Dossier:
        rows: dict[str, list[dict[str, Any]]] = {}
        known = select(schema.players).where(schema.players.c.id == player)
        row = c.execute(known).one_or_none()
        played = select(_M.id, _M.players).where(may_name("matches", player)).order_by(_M.id)
        matches = [
            one["id"] for one in c.execute(played).mappings() if names("matches", one, player)
        ]
        for table in NAMING:
            if table in _APART:
                continue
            asked = select(schema.metadata.tables[table]).where(may_name(table, player))
            found = c.execute(asked).mappings()
            rows[table] = [_readable(table, one) for one in found if names(table, one, player)]
        # how others did against them is the same seen from the other side, and theirs
        pairs = rows["pair_records"]
        rows["pair_records"] = [one for one in pairs if one.get("player") == player]
        known_as = None if row is None else player_of(row, self._set_aside)
        return Dossier(known_as, tuple(matches), rows)

    @reads
    def kept_of(self, c: Connection, player: int, matches: Sequence[int]) -> list[KeptOf]:
        asked = (
            select(_M.id, _T.guild_id, _T.channel_id, _R.place, _R.rounds)
            .outerjoin(schema.tables, _T.id == _M.table_id)
            .outerjoin(schema.results, and_(_R.match_id == _M.id, _R.player == player))
            .where(_M.id.in_(list(matches)))
            .order_by(_M.id)
        )
        rows = c.execute(asked).all()
        return [self._kept(c, player, row) for row in rows]

    def _kept(self, c: Connection, player: int, row: Any) -> KeptOf:
        """One of their matches, as far as it can be read."""
        unread: list[Damaged] = []
        try:
            match = match_of(c, row.id, unread)
        except Damaged as damaged:
            match = None
            unread.append(damaged)
        for found in unread:
            self._set_aside.name(found)
        if match is not None and player not in match.players:
            match = None
        guild_id, channel_id, place, rounds = (
            one if type(one) is int else None for one in tuple(row)[1:]
        )
        reasons = tuple(found.reason for found in unread)
        return KeptOf(row.id, match, guild_id, channel_id, place, rounds, reasons)

    @reads
    def live_seat(self, c: Connection, player: int) -> tuple[int, int] | None:
        return _live_seat(c, player)

    async def forget(self, player: int) -> Forgotten | None:
        trail = _Trail()
        over, lines = await self._database.read(_looked_up, trail, player)
        return await self._database.write(self._forget, trail, player, over, lines)

    def _forget(
        self,
        c: Connection,
        trail: _Trail,
        player: int,
        over: Container[int],
        lines: list[dict[str, Any]],
    ) -> Forgotten | None:
        """Write what was looked up, and what came since. `over`: the matches that have ended."""
        seat = _live_seat(c, player)
        if seat is not None:
            raise errors.StillSeated(*seat)
        _follow(c, trail, player)
        # logs that went on meanwhile, and those of matches that were not there
        rest = {one: row for one, row in trail.matches.items() if one not in over}
        lines = lines + _typed_in(c, trail, rest, player)
        if not trail.tables and not trail.matches and not _known(c, player):
            return None
        practices = [one for one, row in trail.tables.items() if row["channel_id"] == -player]
        own = _matches_of(c, practices)
        delete_matches(c, own)
        delete_tables(c, practices)
        kept = [one for one in trail.matches if one not in set(own)]
        made = insert(schema.nameless_players).returning(schema.nameless_players.c.number)
        by = nameless(int(c.execute(made.values()).scalar_one()))
        changed = [one for one in trail.tables if one not in set(practices)]
        _rename(c, trail, changed, kept, player, by)
        if lines:
            which = _A.match_id == bindparam("match"), _A.seq == bindparam("number")
            kept_body = bindparam("kept", type_=schema.Json())
            c.execute(update(schema.actions).where(*which).values(body=kept_body), lines)
        for name in _OWN:
            mine = column(name, next(iter(NAMING[name])))
            c.execute(delete(schema.metadata.tables[name]).where(mine == player))
        note_rewrite(c)
        self._tell_of_person(c, player)
        closed = Status.CLOSED.value
        shown = tuple(one for one in changed if trail.tables[one]["status"] != closed)
        for found in trail.unread.values():
            self._set_aside.name(found)
        return Forgotten(by, len(kept), len(own), shown, tuple(trail.unread))


def _readable(table: str, row: RowMapping) -> dict[str, Any]:
    """A row without what cannot be read of it, which is named."""
    bad = unsound(row, schema.metadata.tables[table])
    kept = {str(name): value for name, value in row.items() if name not in bad}
    return kept | {UNREAD: list(bad)} if bad else kept


def _looked_up(
    c: Connection, trail: _Trail, player: int
) -> tuple[frozenset[int], list[dict[str, Any]]]:
    """The matches that are over which name somebody, and what they typed there."""
    _follow(c, trail, player)
    over = {one: row for one, row in trail.matches.items() if row["ended_at"] is not None}
    lines = _typed_in(c, trail, over, player)
    _look_for_lost(c, trail, player)
    return frozenset(over), lines


def _follow(c: Connection, trail: _Trail, player: int) -> None:
    """Add the rows that name `player` since it was last looked; live tables are read anew."""
    newest = c.execute(
        select(
            select(func.coalesce(func.max(_T.id), 0)).scalar_subquery(),
            select(func.coalesce(func.max(_M.id), 0)).scalar_subquery(),
        )
    )
    tables_upto, matches_upto = newest.one()
    # each by an index of its own, which one condition with `or` would not be
    younger = _T.id > trail.tables_upto
    live = and_(schema.LIVE, _T.id <= trail.tables_upto)
    for which in (younger, live):
        rows = c.execute(
            select(schema.tables)
            .where(which, may_name("tables", player))
            .order_by(_T.channel_id if which is live else _T.id)
        )
        for row in rows.mappings():
            trail.tables.pop(row["id"], None)
            if names("tables", row, player):
                trail.tables[row["id"]] = dict(row)
    found = c.execute(
        select(_M.id, _M.players, _M.ended_at).where(
            _M.id > trail.matches_upto, may_name("matches", player)
        )
    )
    for row in found.mappings():
        if names("matches", row, player):
            trail.matches[row["id"]] = dict(row)
    trail.tables_upto, trail.matches_upto = tables_upto, matches_upto


def _typed_in(
    c: Connection, trail: _Trail, matches: dict[int, dict[str, Any]], player: int
) -> list[dict[str, Any]]:
    """Deals that keep what somebody typed to cut the cards, without it.

    Its digest stays, from which the deal was made: so the deal can still be checked.
    """
    lines: list[dict[str, Any]] = []
    for some in parts(list(matches)):
        found = c.execute(
            select(_A.match_id, _A.seq, _A.body).where(
                _A.match_id.in_(some), type_coerce(_A.body, Text).contains('"cuts"')
            )
        )
        for match_id, seq, body in found:
            players = matches[match_id]["players"]
            seat = players.index(player) if type(players) is list and player in players else None
            if seat is None or isinstance(body, schema.Unreadable):
                _note_unread(trail, match=match_id)
                continue
            if _is_adrift(body, "seat", range(len(players))):
                _note_unread(trail, match=match_id)
            kept = _unsaid(body, seat)
            if kept != body:
                lines.append({"match": match_id, "number": seq, "kept": kept})
    return lines


def _unsaid(value: Any, seat: int) -> Any:
    """A line of a log without the words of a seat, wherever in it they are."""
    match value:
        case list():
            return [_unsaid(one, seat) for one in value]
        case {"text": _, "seat": number} if number == seat:
            return {**value, "text": None}
        case dict():
            return {name: _unsaid(one, seat) for name, one in value.items()}
    return value


def _is_adrift(value: Any, of: str, known: Container[Any] | None = None) -> bool:
    """Whether words stand in a value beside which nothing says, under `of`, whose they are."""
    match value:
        case schema.Unreadable():
            return True
        case list():
            return any(_is_adrift(one, of, known) for one in value)
        case {"text": str()}:
            whose = value.get(of)
            return type(whose) is not int or (known is not None and whose not in known)
        case dict():
            return any(_is_adrift(one, of, known) for one in value.values())
    return False


def _look_for_lost(c: Connection, trail: _Trail, player: int) -> None:
    """Note the matches that somebody played whose rows do not say so, and where words may be left:
    there, and at tables where nothing says which are theirs.
    """
    for number, row in trail.tables.items():
        if _is_adrift(row["cuts"], "player"):
            _note_unread(trail, table=number)
    # the result says that they played, or the table, and the match does not
    asked = select(_R.match_id).where(_R.player == player).distinct()
    played = set(c.execute(asked).scalars())
    for some in parts(list(trail.tables)):
        rows = c.execute(select(_M.id, _M.players).where(_M.table_id.in_(some)))
        played |= {row.id for row in rows if unsound(row._mapping, schema.matches)}
    trail.lost = sorted(played - trail.matches.keys())
    for some in parts(trail.lost):
        found = select(_A.match_id).where(
            _A.match_id.in_(some), type_coerce(_A.body, Text).contains('"cuts"')
        )
        for number in c.execute(found.distinct()).scalars():
            _note_unread(trail, match=number)


def _note_unread(trail: _Trail, **where: int) -> None:
    reason = "somebody was forgotten, and words that they typed may still stand in what is damaged"
    ((what, number),) = where.items()
    trail.unread[f"{what} {number}"] = Damaged(reason, **where)


def _live_seat(c: Connection, player: int) -> tuple[int, int] | None:
    """Server and channel of a live table where `player` plays; None if there is none."""
    live = select(schema.tables).where(schema.LIVE, _T.channel_id != -player).subquery()
    rows = c.execute(
        select(
            live.c.id,
            live.c.guild_id,
            live.c.channel_id,
            live.c.players.label("seated"),
            _M.players,
        )
        .select_from(live)
        .outerjoin(schema.matches, _M.id == live.c.match_id)
    )
    for number, guild_id, channel_id, seated, playing in rows.all():
        if player in ids_in(seated) or player in ids_in(playing):
            try:
                table = replayed(c, number)
            except Damaged:  # nobody can play on there, or leave
                continue
            if table is not None and _plays(table, player):
                return guild_id, channel_id
    return None


def _plays(live: LiveTable, player: int) -> bool:
    """Whether somebody sits in a lobby, or is still in the match: then their cards are theirs."""
    seat = live.match.seat_of(player) if live.match is not None else None
    return live.match is None or seat is None or live.match.seats[seat].live


def _known(c: Connection, player: int) -> bool:
    """Whether any row that is not looked up by table or match names `player`."""
    asked = [
        exists().where(column(table, name) == player)
        for table, columns in NAMING.items()
        for name, form in columns.items()
        if form is ID and table not in ("tables", "deliveries")
    ]
    return bool(c.execute(select(or_(*asked))).scalar_one())


def _matches_of(c: Connection, tables: Sequence[int]) -> list[int]:
    found: list[int] = []
    for some in parts(tables):
        rows = c.execute(select(_M.id).where(_M.table_id.in_(some)))
        found += rows.scalars()
    return found


def _rename(
    c: Connection,
    trail: _Trail,
    tables: Sequence[int],
    matches: Sequence[int],
    player: int,
    by: int,
) -> None:
    """Write `by` wherever `player` is named in what stays."""
    if tables:
        c.execute(
            update(schema.tables)
            .where(_T.id == bindparam("table"))
            .values(**{name: bindparam(name) for name in _NAMED}),
            [{"table": one, **_without(trail.tables[one], player, by)} for one in tables],
        )
        # a version that cannot be read stays so, or the row would seem to be whole
        sure = [one for one in tables if type(trail.tables[one]["version"]) is int]
        for some in parts(sure):
            c.execute(update(schema.tables).where(_T.id.in_(some)).values(version=_T.version + 1))
    if matches:
        c.execute(
            update(schema.matches).where(_M.id == bindparam("match")),
            [
                {"match": one, **renamed("matches", trail.matches[one], player, by)}
                for one in matches
            ],
        )
    for some in parts([*matches, *trail.lost]):
        c.execute(
            update(schema.deliveries)
            .where(_D.match_id.in_(some), _D.player == player)
            .values(player=by)
        )
    for name, columns in NAMING.items():
        if name in _FOUND:
            continue
        for one in columns:
            where = column(name, one) == player
            c.execute(update(schema.metadata.tables[name]).where(where).values({one: by}))


def _without(row: dict[str, Any], player: int, by: int) -> dict[str, Any]:
    """The columns of a table that may name people, without `player`."""
    values = {name: row[name] for name in _NAMED} | renamed("tables", row, player, by)
    if row["letter_to"] == player:
        values |= {"letter_to": None, "letter_id": None}
    live = (Status.LOBBY.value, Status.PLAYING.value)
    for asked in ("invited", "waiting"):  # nobody waits for, or asks, somebody who is gone
        if row["status"] in live and type(row[asked]) is list:
            values[asked] = [one for one in values[asked] if one != by]
    return values

"""A person's stored data: show it to them, or forget the person.

Forgetting is one transaction, which puts a nameless player in the person's place. Other
people's matches, results and ratings stay correct, as it is the same nameless player in all
of them. Data about the person only (name, choices, subscriptions, practice matches) is
deleted. Finished matches never change, so they are searched before the transaction, which
then delays moves only briefly.

Damaged rows are searched and rewritten as far as possible: an id is removed from invalid
JSON too. A text that somebody typed to cut the cards is not recognised if its JSON is
invalid or its seat is missing. Such rows are counted and listed for the host. A person with
a seat at a damaged table can be forgotten, as nobody can play there.
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

from bot.privacy.results import UNREAD, Dossier, Forgotten, PersonalMatch
from bot.roster import nameless
from bot.storage import schema
from bot.storage.matches import match_of, replay_table
from bot.storage.part import Part, reads
from bot.storage.people import player_of
from bot.storage.personal_data import ID, NAMING, column, ids_in, may_name, names, rename_columns
from bot.storage.retention import delete_matches, delete_tables, note_rewrite, parts
from bot.storage.rows import unsound
from bot.tables import errors
from bot.tables.errors import Damaged
from bot.tables.live import LiveTable
from bot.tables.model import Status

_T: Final = schema.tables.c
_M: Final = schema.matches.c
_R: Final = schema.results.c
# shown separately, or together with the person's matches
_APART: Final = frozenset({"players", "matches", "results", "deliveries"})
_D: Final = schema.deliveries.c
_A: Final = schema.actions.c
# tables whose rows about a person concern only them
_OWN: Final = (
    *("players", "listeners", "digests", "reminder_letters", "night_comers"),
    *("daily_results", "mistakes", "named_ranges"),
)
_NAMED: Final = (*NAMING["tables"], "letter_id")
# found by their ids, and then rewritten
_FOUND: Final = ("tables", "matches", "deliveries", *_OWN)


@dataclass
class _Trail:
    """The tables and matches whose rows name a person, by their ids.

    `tables_upto`, `matches_upto`: the highest ids searched so far.
    """

    tables: dict[int, dict[str, Any]] = field(default_factory=dict)
    matches: dict[int, dict[str, Any]] = field(default_factory=dict)
    tables_upto: int = 0
    matches_upto: int = 0
    lost: list[int] = field(
        default_factory=list
    )  # matches that the person played, whose damaged rows no longer name them
    unread: dict[str, Damaged] = field(
        default_factory=dict
    )  # damaged rows that may still hold the person's words


class SqlPrivacy(Part):
    """Reads and forgets people's data."""

    @reads
    def dossier(self, c: Connection, player: int) -> Dossier:
        """Return what is stored about a person."""
        rows: dict[str, list[dict[str, Any]]] = {}
        known = select(schema.players).where(schema.players.c.id == player)
        row = c.execute(known).one_or_none()
        played = select(_M.id, _M.players).where(may_name("matches", player)).order_by(_M.id)
        matches = [
            match["id"] for match in c.execute(played).mappings() if names("matches", match, player)
        ]
        for table in NAMING:
            if table in _APART:
                continue
            query = select(schema.metadata.tables[table]).where(may_name(table, player))
            matching = c.execute(query).mappings()
            rows[table] = [
                _readable(table, named) for named in matching if names(table, named, player)
            ]
        # other people's rows against this person are the same figures from their side, and belong
        # to them
        pairs = rows["pair_records"]
        rows["pair_records"] = [pair for pair in pairs if pair.get("player") == player]
        known_as = None if row is None else player_of(row, self._set_aside)
        return Dossier(known_as, tuple(matches), rows)

    @reads
    def personal_matches(
        self, c: Connection, player: int, matches: Sequence[int]
    ) -> list[PersonalMatch]:
        """Return what a person may see of these matches. Deleted matches are left out."""
        query = (
            select(_M.id, _T.guild_id, _T.channel_id, _R.place, _R.rounds)
            .outerjoin(schema.tables, _T.id == _M.table_id)
            .outerjoin(schema.results, and_(_R.match_id == _M.id, _R.player == player))
            .where(_M.id.in_(list(matches)))
            .order_by(_M.id)
        )
        rows = c.execute(query).all()
        return [self._personal_match(c, player, row) for row in rows]

    def _personal_match(self, c: Connection, player: int, row: Any) -> PersonalMatch:
        """Return a match of the person, as far as it is readable."""
        unread: list[Damaged] = []
        try:
            match = match_of(c, row.id, unread)
        except Damaged as damaged:
            match = None
            unread.append(damaged)
        for damage in unread:
            self._set_aside.name(damage)
        if match is not None and player not in match.players:
            match = None
        guild_id, channel_id, place, rounds = (
            value if type(value) is int else None for value in tuple(row)[1:]
        )
        reasons = tuple(damage.reason for damage in unread)
        return PersonalMatch(row.id, match, guild_id, channel_id, place, rounds, reasons)

    @reads
    def live_seat(self, c: Connection, player: int) -> tuple[int, int] | None:
        """Return the ids of server and channel of a live table where a person plays, or None.

        People who are out of the match, or have left it, don't count as playing. Practices and
        damaged tables don't count as live.
        """
        return _live_seat(c, player)

    async def forget(self, player: int) -> Forgotten | None:
        """Replace a person by a nameless player, in one transaction.

        Return None if nothing is stored about them. Raises `errors.StillSeated` if they are in play
        at a live table.
        """
        trail = _Trail()
        over, lines = await self._database.read(_look_up, trail, player)
        return await self._database.write(self._forget, trail, player, over, lines)

    def _forget(
        self,
        c: Connection,
        trail: _Trail,
        player: int,
        over: Container[int],
        lines: list[dict[str, Any]],
    ) -> Forgotten | None:
        """Forget a person in the rows of `trail` and in rows added since.

        `over`: the ids of the ended matches in `trail`. `lines`: the rewritten log lines of those
        matches.
        """
        seat = _live_seat(c, player)
        if seat is not None:
            raise errors.StillSeated(*seat)
        _extend_trail(c, trail, player)
        # logs that have grown meanwhile, and those of new matches
        recent = {match_id: row for match_id, row in trail.matches.items() if match_id not in over}
        lines = lines + _remove_typed(c, trail, recent, player)
        if not trail.tables and not trail.matches and not _known(c, player):
            return None
        practices = [number for number, row in trail.tables.items() if row["channel_id"] == -player]
        practice_matches = _matches_of(c, practices)
        delete_matches(c, practice_matches)
        delete_tables(c, practices)
        matches = [match_id for match_id in trail.matches if match_id not in set(practice_matches)]
        insertion = insert(schema.nameless_players).returning(schema.nameless_players.c.number)
        by = nameless(int(c.execute(insertion.values()).scalar_one()))
        tables = [number for number in trail.tables if number not in set(practices)]
        _rename(c, trail, tables, matches, player, by)
        if lines:
            which = _A.match_id == bindparam("match"), _A.seq == bindparam("number")
            kept_body = bindparam("kept", type_=schema.Json())
            c.execute(update(schema.actions).where(*which).values(body=kept_body), lines)
        for name in _OWN:
            mine = column(name, next(iter(NAMING[name])))
            c.execute(delete(schema.metadata.tables[name]).where(mine == player))
        note_rewrite(c)
        self._notify_of_person(c, player)
        closed = Status.CLOSED.value
        to_redraw = tuple(number for number in tables if trail.tables[number]["status"] != closed)
        for damage in trail.unread.values():
            self._set_aside.name(damage)
        return Forgotten(by, len(matches), len(practice_matches), to_redraw, tuple(trail.unread))


def _readable(table: str, row: RowMapping) -> dict[str, Any]:
    """Return a row's readable columns, with the names of the other columns under `UNREAD`."""
    bad = unsound(row, schema.metadata.tables[table])
    values = {str(name): value for name, value in row.items() if name not in bad}
    return values | {UNREAD: list(bad)} if bad else values


def _look_up(
    c: Connection, trail: _Trail, player: int
) -> tuple[frozenset[int], list[dict[str, Any]]]:
    """Search for the rows that name a person, and add them to `trail`.

    Return the ids of the ended matches, and their log lines that contain text typed by the person,
    rewritten without that text.
    """
    _extend_trail(c, trail, player)
    over = {number: row for number, row in trail.matches.items() if row["ended_at"] is not None}
    lines = _remove_typed(c, trail, over, player)
    _look_for_lost(c, trail, player)
    return frozenset(over), lines


def _extend_trail(c: Connection, trail: _Trail, player: int) -> None:
    """Add to `trail` the new rows that name `player`, and read live tables again."""
    newest = c.execute(
        select(
            select(func.coalesce(func.max(_T.id), 0)).scalar_subquery(),
            select(func.coalesce(func.max(_M.id), 0)).scalar_subquery(),
        )
    )
    tables_upto, matches_upto = newest.one()
    # two queries, as each uses an index and one with `or` would not
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
    matches = c.execute(
        select(_M.id, _M.players, _M.ended_at).where(
            _M.id > trail.matches_upto, may_name("matches", player)
        )
    )
    for row in matches.mappings():
        if names("matches", row, player):
            trail.matches[row["id"]] = dict(row)
    trail.tables_upto, trail.matches_upto = tables_upto, matches_upto


def _remove_typed(
    c: Connection, trail: _Trail, matches: dict[int, dict[str, Any]], player: int
) -> list[dict[str, Any]]:
    """Return new log lines for the deals that a person cut, without the text they typed.

    Each line has the keys `match` (its id), `number` (in the log) and `kept` (the new body). The
    text's digest stays, so that the deal can still be checked.
    """
    lines: list[dict[str, Any]] = []
    for some in parts(list(matches)):
        deals = c.execute(
            select(_A.match_id, _A.seq, _A.body).where(
                _A.match_id.in_(some), type_coerce(_A.body, Text).contains('"cuts"')
            )
        )
        for match_id, seq, body in deals:
            players = matches[match_id]["players"]
            seat = players.index(player) if type(players) is list and player in players else None
            if seat is None or isinstance(body, schema.Unreadable):
                _note_unread(trail, match=match_id)
                continue
            if _has_unowned_text(body, "seat", range(len(players))):
                _note_unread(trail, match=match_id)
            cleaned = _without_text(body, seat)
            if cleaned != body:
                lines.append({"match": match_id, "number": seq, "kept": cleaned})
    return lines


def _without_text(value: Any, seat: int) -> Any:
    """Return a value from a log without a seat's typed text, at any depth."""
    match value:
        case list():
            return [_without_text(item, seat) for item in value]
        case {"text": _, "seat": number} if number == seat:
            return {**value, "text": None}
        case dict():
            return {name: _without_text(item, seat) for name, item in value.items()}
    return value


def _has_unowned_text(value: Any, of: str, known: Container[Any] | None = None) -> bool:
    """Return whether a value holds typed text whose owner is not named under the key `of`.

    Also true if a part of the value can't be read. `known`: the possible owners; None: any integer.
    """
    match value:
        case schema.Unreadable():
            return True
        case list():
            return any(_has_unowned_text(item, of, known) for item in value)
        case {"text": str()}:
            whose = value.get(of)
            return type(whose) is not int or (known is not None and whose not in known)
        case dict():
            return any(_has_unowned_text(item, of, known) for item in value.values())
    return False


def _look_for_lost(c: Connection, trail: _Trail, player: int) -> None:
    """Add to `trail` the person's matches whose damaged rows no longer name them.

    Also add damaged rows that may still contain the person's words: logs of those matches, and
    tables with cuts that name no player.
    """
    for number, row in trail.tables.items():
        if _has_unowned_text(row["cuts"], "player"):
            _note_unread(trail, table=number)
    # its result or table shows that they played in it, but the match's row doesn't
    query = select(_R.match_id).where(_R.player == player).distinct()
    played = set(c.execute(query).scalars())
    for some in parts(list(trail.tables)):
        rows = c.execute(select(_M.id, _M.players).where(_M.table_id.in_(some)))
        played |= {row.id for row in rows if unsound(row._mapping, schema.matches)}
    trail.lost = sorted(played - trail.matches.keys())
    for some in parts(trail.lost):
        cuts = select(_A.match_id).where(
            _A.match_id.in_(some), type_coerce(_A.body, Text).contains('"cuts"')
        )
        for number in c.execute(cuts.distinct()).scalars():
            _note_unread(trail, match=number)


def _note_unread(trail: _Trail, **where: int) -> None:
    reason = "somebody was forgotten, and words that they typed may still stand in what is damaged"
    ((kind, number),) = where.items()
    trail.unread[f"{kind} {number}"] = Damaged(reason, **where)


def _live_seat(c: Connection, player: int) -> tuple[int, int] | None:
    """Return the ids of server and channel of a live table where `player` plays, or None."""
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
                table = replay_table(c, number)
            except Damaged:  # a damaged table can't be played on, or left
                continue
            if table is not None and _plays(table, player):
                return guild_id, channel_id
    return None


def _plays(live: LiveTable, player: int) -> bool:
    """Return whether a person at a live table is still in play: not out of its match."""
    seat = live.match.seat_of(player) if live.match is not None else None
    return live.match is None or seat is None or live.match.seats[seat].live


def _known(c: Connection, player: int) -> bool:
    """Return whether `player` is in any `ID` column except those of tables and deliveries."""
    conditions = [
        exists().where(column(table, name) == player)
        for table, columns in NAMING.items()
        for name, form in columns.items()
        if form is ID and table not in ("tables", "deliveries")
    ]
    return bool(c.execute(select(or_(*conditions))).scalar_one())


def _matches_of(c: Connection, tables: Sequence[int]) -> list[int]:
    matches: list[int] = []
    for some in parts(tables):
        rows = c.execute(select(_M.id).where(_M.table_id.in_(some)))
        matches += rows.scalars()
    return matches


def _rename(
    c: Connection,
    trail: _Trail,
    tables: Sequence[int],
    matches: Sequence[int],
    player: int,
    by: int,
) -> None:
    """Replace `player` by `by` in all rows that are not deleted, and raise the tables' versions."""
    if tables:
        c.execute(
            update(schema.tables)
            .where(_T.id == bindparam("table"))
            .values(**{name: bindparam(name) for name in _NAMED}),
            [{"table": number, **_without(trail.tables[number], player, by)} for number in tables],
        )
        # leave an unreadable version as it is: otherwise the row would seem intact
        versioned = [number for number in tables if type(trail.tables[number]["version"]) is int]
        for some in parts(versioned):
            c.execute(update(schema.tables).where(_T.id.in_(some)).values(version=_T.version + 1))
    if matches:
        c.execute(
            update(schema.matches).where(_M.id == bindparam("match")),
            [
                {"match": number, **rename_columns("matches", trail.matches[number], player, by)}
                for number in matches
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
        for named in columns:
            where = column(name, named) == player
            c.execute(update(schema.metadata.tables[name]).where(where).values({named: by}))


def _without(row: dict[str, Any], player: int, by: int) -> dict[str, Any]:
    """Return the columns of a table that may name people, with `by` in the place of `player`.

    If the table is live, the queue and the invitations contain neither id. A reminder sent to
    the player is removed too.
    """
    values = {name: row[name] for name in _NAMED} | rename_columns("tables", row, player, by)
    if row["letter_to"] == player:
        values |= {"letter_to": None, "letter_id": None}
    live = (Status.LOBBY.value, Status.PLAYING.value)
    # remove the forgotten person's invitation and place in the queue
    for name in ("invited", "waiting"):
        if row["status"] in live and type(row[name]) is list:
            values[name] = [person for person in values[name] if person != by]
    return values

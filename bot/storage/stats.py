"""Records: stored in the transaction that ends a match, and queried.

`bot.stats` computes the rows; this module reads, updates and writes them. The server's row in
`record_books` is locked meanwhile, so that its matches are recorded one after another, in an order
that `recorded_matches` keeps for `bot.storage.rebuild_stats`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Table,
    and_,
    bindparam,
    cast,
    false,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Connection, Row

from bot.roster import NAMELESS_IDS
from bot.stats import VERSION
from bot.stats.folding import Pair, PersonTotals, Scope, fold_match, scopes
from bot.stats.match_record import Feat, MatchRecord
from bot.stats.standings import LeaderboardRank, PinnedRules, Season
from bot.storage import schema
from bot.storage.part import Part, reads, upsert, writes
from bot.storage.rows import is_sound, sound, unsound
from bot.tables.errors import Stale

FIRST: Final = 1
FIRST_NAME: Final = "Season 1"
_B: Final = schema.record_books.c
_S: Final = schema.seasons.c
_P: Final = schema.person_records.c
_Q: Final = schema.pair_records.c
_M: Final = schema.matches.c
_IN_ORDER: Final = schema.recorded_matches.c

# built once: building a statement takes longer than running it
_BOOK: Final = update(schema.record_books).where(_B.guild_id == bindparam("guild"))
_LOCK: Final = _BOOK.values(version=_B.version).returning(_B.recorded, _B.season)
_ONE_MORE: Final = (
    update(schema.seasons)
    .where(_S.guild_id == bindparam("guild"), _S.number == bindparam("season"))
    .values(matches=_S.matches + 1)
)
_PEOPLE: Final = select(schema.person_records).where(
    _P.guild_id == bindparam("guild"),
    _P.season.in_(bindparam("seasons", expanding=True)),
    _P.game.in_(bindparam("games", expanding=True)),
    _P.player.in_(bindparam("players", expanding=True)),
)

_SOME: Final = 5  # rows to read, since the first may be damaged
_HIDDEN: Final = schema.players.alias("hidden_players")


def _is_listed(player: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the SQL condition that a player is on leaderboards: not hidden and not nameless."""
    # same as in `Player`: a damaged value hides the person, as they may have asked for it
    hidden = select(_HIDDEN.c.id).where(_HIDDEN.c.id == player, _HIDDEN.c.hidden != false())
    return and_(~player.between(*NAMELESS_IDS), ~hidden.exists())


def _people_in(guild_id: int, scope: Scope) -> tuple[ColumnElement[bool], ...]:
    """Return the SQL conditions for rows of `person_records` in a server and scope."""
    return _P.guild_id == guild_id, _P.season == scope.season, _P.game == scope.game


class SqlStats(Part):
    """Reads stored records, and begins seasons. A server is a Discord guild, given by its id."""

    @reads
    def person(
        self, c: Connection, guild_id: int, scope: Scope, player: int
    ) -> PersonTotals | None:
        """Return a person's totals in a scope; None if they have no match that counts there."""
        query = select(schema.person_records).where(*_people_in(guild_id, scope))
        result = c.execute(query.where(_P.player == player))
        rows = sound(result, self._set_aside, schema.person_records)
        return person_from(rows[0]) if rows else None

    @reads
    def rank(
        self, c: Connection, guild_id: int, scope: Scope, row: PersonTotals
    ) -> LeaderboardRank:
        """Return a person's rank among the established ratings, and the number of such ratings.

        The rank is None if the person's own rating is provisional. Hidden people don't count,
        except this person.
        """
        established = select(func.count()).where(*_people_in(guild_id, scope), _P.established == 1)
        # includes the asking person, so that a hidden person's rank is within the count
        ranked = established.where(or_(_is_listed(_P.player), _P.player == row.player))
        of = c.execute(ranked).scalar_one()
        if not row.is_established:
            return LeaderboardRank(None, of)
        above = established.where(_is_listed(_P.player), _P.worth > row.worth)
        return LeaderboardRank(c.execute(above).scalar_one() + 1, of)

    @reads
    def leaderboard(
        self, c: Connection, guild_id: int, scope: Scope, offset: int, most: int
    ) -> list[PersonTotals]:
        """Return up to `most` rows of a leaderboard, after the first `offset` rows.

        Established ratings come first, from the highest down, then provisional ones.
        """
        # reads the index `leaderboards` backwards
        query = (
            select(schema.person_records)
            .where(*_people_in(guild_id, scope), _is_listed(_P.player))
            .order_by(_P.established.desc(), _P.worth.desc(), _P.player.desc())
            .limit(most)
            .offset(offset)
        )
        rows = sound(c.execute(query), self._set_aside, schema.person_records)
        return [person_from(row) for row in rows]

    @reads
    def on_leaderboard(self, c: Connection, guild_id: int, scope: Scope) -> int:
        """Return the number of people on a leaderboard."""
        query = select(func.count()).where(*_people_in(guild_id, scope), _is_listed(_P.player))
        return int(c.execute(query).scalar_one())

    @reads
    def rivals(
        self, c: Connection, guild_id: int, scope: Scope, player: int
    ) -> tuple[Pair | None, Pair | None]:
        """Return `player`'s totals against the opponent they beat most and their toughest opponent.

        What counts is how many more matches `player` finished ahead than behind. Only opponents on
        leaderboards count. Either result is None if there is no such opponent.
        """
        margin = _Q.ahead - _Q.behind
        query = select(_Q.player, _Q.other, _Q.matches, _Q.ahead, _Q.behind, _Q.won, _Q.lost).where(
            _Q.guild_id == guild_id,
            _Q.season == scope.season,
            _Q.game == scope.game,
            _Q.player == player,
            _is_listed(_Q.other),
        )

        def first(which: ColumnElement[bool], order: ColumnElement[int]) -> Pair | None:
            some = query.where(which).order_by(order, _Q.matches.desc(), _Q.other).limit(_SOME)
            rows = sound(c.execute(some), self._set_aside, schema.pair_records)
            return Pair(*rows[0]) if rows else None

        return first(margin > 0, margin.desc()), first(margin < 0, margin.asc())

    @reads
    def seasons(self, c: Connection, guild_id: int) -> list[Season]:
        """Return the seasons of a server, newest first; the newest is the current one.

        Empty before its first match that counts.
        """
        query = select(schema.seasons).where(_S.guild_id == guild_id)
        seasons = [self._season(row) for row in c.execute(query.order_by(_S.number.desc()))]
        return [season for season in seasons if season is not None]

    def _season(self, row: Any) -> Season | None:
        """Return a row's season; None if its server or number is unreadable.

        An unreadable name is replaced by "Season" and the number. An unreadable time or number of
        matches is replaced by 0.
        """
        values = dict(row._mapping)
        if not is_sound(values, self._set_aside, schema.seasons):
            usual = {"name": f"Season {values['number']}", "started_at": 0, "matches": 0}
            bad = unsound(values, schema.seasons)
            if not usual.keys() >= set(bad):
                return None
            values |= {name: usual[name] for name in bad}
        del values["guild_id"]
        return Season(**values)

    @writes
    def begin_season(self, c: Connection, guild_id: int, after: int, name: str, now: int) -> Season:
        """Begin the season after number `after`, at `now` (ms).

        Raises `Stale` if `after` is not the current season.
        """
        following = _BOOK.where(_B.season == after).values(season=_B.season + 1)
        following = following.returning(_B.season)
        number = c.execute(following, {"guild": guild_id}).scalar_one_or_none()
        if number is None and self._book_is_damaged(c, guild_id):
            lock_book(c, guild_id, now)
            number = c.execute(following, {"guild": guild_id}).scalar_one_or_none()
        if number is None:
            raise Stale(f"season {after} is not the current one")
        _open_season(c, guild_id, number, name, now)
        return Season(number, name, now)

    def _book_is_damaged(self, c: Connection, guild_id: int) -> bool:
        rows = c.execute(select(schema.record_books).where(_B.guild_id == guild_id)).all()
        return len(sound(rows, self._set_aside, schema.record_books)) < len(rows)

    @reads
    def rules_of(self, c: Connection, match_ids: tuple[int, ...]) -> dict[int, PinnedRules]:
        """Return the rules of these matches, as far as they are still stored."""
        query = select(_M.id, _M.variant, _M.variant_version, _M.options)
        rows = c.execute(query.where(_M.id.in_(match_ids)))
        return {
            row.id: PinnedRules(row.variant, row.variant_version, row.options)
            for row in sound(rows, self._set_aside, schema.matches)
        }


def record_match(c: Connection, guild_id: int, record: MatchRecord, now: int) -> None:
    """Add a match that has just ended, at `now` (ms), to its server's records.

    Unreadable totals stay as they are until the next start, which rebuilds the records from the
    logs unless some logs were deleted.
    """
    number, season = lock_book(c, guild_id, now, added=1)
    noted = {"guild_id": guild_id, "number": number, "match_id": record.match_id, "season": season}
    c.execute(insert(schema.recorded_matches), noted)
    c.execute(_ONE_MORE, {"guild": guild_id, "season": season})
    counted = scopes(season, record.game)
    parameters = {
        "guild": guild_id,
        "seasons": list({scope.season for scope in counted}),
        "games": list({scope.game for scope in counted}),
        "players": [line.player for line in record.people],
    }
    before: dict[Scope, dict[int, PersonTotals]] = {scope: {} for scope in counted}
    unread = set()  # (scope, player) of damaged rows, which stay as they are
    for row in c.execute(_PEOPLE, parameters):
        scope = Scope(row.season, row.game)
        if unsound(row._mapping, schema.person_records):
            unread.add((scope, row.player))
        else:
            before[scope][row.player] = person_from(row)
    people = [
        person_values(guild_id, scope, row)
        for scope in counted
        for row in fold_match(before[scope], record)
        if (scope, row.player) not in unread
    ]
    pairs = [
        pair_values(guild_id, scope, Pair(line.player, line.other).plus(line))
        for scope in counted
        for line in record.pairs
    ]
    upsert(c, schema.person_records, people)
    upsert(c, schema.pair_records, pairs, on_conflict="add")
    if unread:
        # rebuilt from the logs at the next start, unless old logs were deleted: then everybody
        # would lose their records of those matches
        count = select(func.count()).where(_IN_ORDER.guild_id == guild_id)
        if c.execute(count).scalar_one() == number:
            c.execute(_BOOK, {"guild": guild_id, "version": 0})


def lock_book(c: Connection, guild_id: int, now: int, *, added: int = 0) -> tuple[int, int]:
    """Lock a server's records until the transaction ends; create them if the server has none.

    The first season begins at `now` (ms). `added`: the number of matches about to be recorded.
    Return the number of recorded matches, `added` included, and the current season's number.
    """
    # an update locks the row on SQLite too
    book_row = c.execute(_LOCK, {"guild": guild_id}).one_or_none()
    if book_row is None:
        book = {"guild_id": guild_id, "season": FIRST, "recorded": 0, "version": VERSION}
        # if two processes record a server's first match, the second waits here
        upsert(c, schema.record_books, [book], on_conflict="keep")
        book_row = c.execute(_LOCK, {"guild": guild_id}).one()
    recorded, season = book_row
    if not (type(recorded) is int and type(season) is int):  # otherwise count the rows
        recorded = _highest(c, _IN_ORDER.number, _IN_ORDER.guild_id == guild_id, 0)
        season = _highest(c, _S.number, _S.guild_id == guild_id, FIRST)
    recorded += added
    c.execute(_BOOK, {"guild": guild_id, "recorded": recorded, "season": season})
    if season == FIRST and recorded == added:
        _open_season(c, guild_id, FIRST, FIRST_NAME, now)
    return recorded, season


def _highest(c: Connection, column: Column[int], of: ColumnElement[bool], least: int) -> int:
    """Return the highest number of `column` in the rows where `of` is true; `least` if none.

    `cast` turns damaged values into numbers.
    """
    query = select(func.coalesce(func.max(cast(column, Integer)), least)).where(of)
    return int(c.execute(query).scalar_one())


def _open_season(c: Connection, guild_id: int, number: int, name: str, now: int) -> None:
    season = {"guild_id": guild_id, "number": number, "name": name, "started_at": now, "matches": 0}
    upsert(c, schema.seasons, [season], on_conflict="keep")


def person_values(guild_id: int, scope: Scope, row: PersonTotals) -> dict[str, Any]:
    """Return a person's totals as values of `person_records` by column."""
    values = {name: getattr(row, name) for name in _SAME}
    values |= {"guild_id": guild_id, "season": scope.season, "game": scope.game}
    values |= _feat_values("boldest", row.boldest) | _feat_values("catch", row.catch)
    return values | {"worth": row.worth, "established": int(row.is_established)}


def pair_values(guild_id: int, scope: Scope, row: Pair) -> dict[str, Any]:
    """Return a pair's totals as values of `pair_records` by column."""
    return {"guild_id": guild_id, "season": scope.season, "game": scope.game, **asdict(row)}


def person_from(row: Row[Any]) -> PersonTotals:
    """Return the totals in a row of `person_records`."""
    values = row._mapping
    return PersonTotals(
        **{name: values[name] for name in _SAME},
        boldest=_feat_from(values, "boldest"),
        catch=_feat_from(values, "catch"),
    )


_FEAT: Final = {"match": "match_id", "round": "round", "key": "key", "chance": "chance"}
_SAME: Final = tuple(
    name for name in PersonTotals.__dataclass_fields__ if name not in ("boldest", "catch")
)


def _feat_values(name: str, feat: Feat | None) -> dict[str, Any]:
    return {
        f"{name}_{column}": None if feat is None else getattr(feat, field)
        for column, field in _FEAT.items()
    }


def _feat_from(values: Any, name: str) -> Feat | None:
    if values[f"{name}_match"] is None:
        return None
    return Feat(**{field: values[f"{name}_{column}"] for column, field in _FEAT.items()})


def write_all(c: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Insert many rows, 2000 at a time."""
    waiting = list(rows)
    for start in range(0, len(waiting), 2000):
        c.execute(insert(table), waiting[start : start + 2000])

"""Records: a match recorded in the transaction that ends it, and the questions about people.

How a row comes to be is in `bot.stats`; here it is read, folded on and written back. The server's
row in `record_books` is locked meanwhile, so that its matches are recorded one after another and in
one order, which `recorded_matches` keeps for `bot.storage.rebuild_stats`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import (
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
from bot.stats.folding import Pair, Person, Scope, folded, scopes
from bot.stats.ports import PinnedRules, Rank, Season
from bot.stats.reading import Feat, MatchRecord
from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.soundness import is_sound, sound, unsound
from bot.storage.upsert import upsert_many
from bot.tables.errors import Stale

FIRST: Final = 1
FIRST_NAME: Final = "Season 1"
_B: Final = schema.record_books.c
_S: Final = schema.seasons.c
_P: Final = schema.person_records.c
_Q: Final = schema.pair_records.c
_M: Final = schema.matches.c
_IN_ORDER: Final = schema.recorded_matches.c

_HIDDEN: Final = schema.players.alias("hidden_players")


def _shown(player: ColumnElement[int]) -> ColumnElement[bool]:
    """Whoever is on leaderboards: not who asked to be hidden, nor who is nameless now."""
    # as `Player` reads it: what is damaged there hides them, as they may have asked for it
    hidden = select(_HIDDEN.c.id).where(_HIDDEN.c.id == player, _HIDDEN.c.hidden != false())
    return and_(~player.between(*NAMELESS_IDS), ~hidden.exists())


_SCOPED: Final = (
    _P.guild_id == bindparam("guild"),
    _P.season == bindparam("in_season"),
    _P.game == bindparam("of_game"),
)
_PERSON: Final = select(schema.person_records).where(*_SCOPED, _P.player == bindparam("who"))
_PEOPLE: Final = select(schema.person_records).where(
    *_SCOPED, _P.player.in_(bindparam("those", expanding=True))
)
_ABOVE: Final = select(func.count()).where(
    *_SCOPED, _shown(_P.player), _P.established == 1, _P.worth > bindparam("own")
)
# with whoever asks, so that a hidden person's place is one of those there are
_ESTABLISHED: Final = select(func.count()).where(
    *_SCOPED, or_(_shown(_P.player), _P.player == bindparam("who")), _P.established == 1
)
# read backwards along the index `leaderboards`
_BOARD: Final = (
    select(schema.person_records)
    .where(*_SCOPED, _shown(_P.player))
    .order_by(_P.established.desc(), _P.worth.desc(), _P.player.desc())
    .limit(bindparam("most", type_=Integer))
    .offset(bindparam("skip", type_=Integer))
)
_ON_BOARD: Final = select(func.count()).where(*_SCOPED, _shown(_P.player))
_SOME: Final = 5  # the first of which that can be read is the one
_MARGIN: Final = _Q.ahead - _Q.behind
_RIVALS: Final = select(
    _Q.player, _Q.other, _Q.matches, _Q.ahead, _Q.behind, _Q.won, _Q.lost
).where(
    _Q.guild_id == bindparam("guild"),
    _Q.season == bindparam("in_season"),
    _Q.game == bindparam("of_game"),
    _Q.player == bindparam("who"),
    _shown(_Q.other),
)
_BEATS: Final = (
    _RIVALS.where(_MARGIN > 0).order_by(_MARGIN.desc(), _Q.matches.desc(), _Q.other).limit(_SOME)
)
_BEATEN_BY: Final = (
    _RIVALS.where(_MARGIN < 0).order_by(_MARGIN, _Q.matches.desc(), _Q.other).limit(_SOME)
)
_SEASONS: Final = (
    select(_S.guild_id, _S.number, _S.name, _S.started_at, _S.matches)
    .where(_S.guild_id == bindparam("guild"))
    .order_by(_S.number.desc())
)
_RULES: Final = select(_M.id, _M.variant, _M.variant_version, _M.options).where(
    _M.id.in_(bindparam("ids", expanding=True))
)
_BOOK: Final = select(schema.record_books).where(_B.guild_id == bindparam("guild"))
# an update locks the row on SQLite too
_LOCK: Final = (
    update(schema.record_books)
    .where(_B.guild_id == bindparam("guild"))
    .values(version=_B.version)
    .returning(_B.recorded, _B.season)
)
_COUNTED: Final = (
    update(schema.record_books)
    .where(_B.guild_id == bindparam("guild"))
    .values(recorded=bindparam("matches_now"), season=bindparam("season_now"))
)
# for a book that cannot be read; `cast` makes a number of whatever a damaged row holds
_BY_ROWS: Final = select(
    select(func.coalesce(func.max(cast(_IN_ORDER.number, Integer)), 0))
    .where(_IN_ORDER.guild_id == bindparam("guild"))
    .scalar_subquery(),
    select(func.coalesce(func.max(cast(_S.number, Integer)), FIRST))
    .where(_S.guild_id == bindparam("guild"))
    .scalar_subquery(),
)
_THERE: Final = select(func.count()).where(_IN_ORDER.guild_id == bindparam("guild"))
_OUTDATE: Final = (
    update(schema.record_books).where(_B.guild_id == bindparam("guild")).values(version=0)
)
_ONE_MORE: Final = (
    update(schema.seasons)
    .where(_S.guild_id == bindparam("guild"), _S.number == bindparam("season_number"))
    .values(matches=_S.matches + 1)
)
_NEXT_SEASON: Final = (
    update(schema.record_books)
    .where(_B.guild_id == bindparam("guild"), _B.season == bindparam("after"))
    .values(season=_B.season + 1)
    .returning(_B.season)
)


class Stats(Part):
    """The part of the store that is about records: `bot.stats.ports.RecordStore`."""

    @reads
    def person(self, c: Connection, guild_id: int, scope: Scope, player: int) -> Person | None:
        """Somebody's row; None if they have played no match that counts there."""
        asked = scoped(guild_id, scope) | {"who": player}
        found = c.execute(_PERSON, asked)
        rows = sound(found, self._set_aside, schema.person_records)
        return person_from(rows[0]) if rows else None

    @reads
    def rank(self, c: Connection, guild_id: int, scope: Scope, row: Person) -> Rank:
        """Where that row stands among the established ratings."""
        asked = scoped(guild_id, scope)
        established = c.execute(_ESTABLISHED, asked | {"who": row.player})
        of = established.scalar_one()
        if not row.established:
            return Rank(None, of)
        above = c.execute(_ABOVE, asked | {"own": row.worth}).scalar_one()
        return Rank(above + 1, of)

    @reads
    def leaderboard(
        self, c: Connection, guild_id: int, scope: Scope, offset: int, most: int
    ) -> list[Person]:
        """Established ratings from the highest down, then provisional ones."""
        asked = scoped(guild_id, scope) | {"skip": offset, "most": most}
        found = c.execute(_BOARD, asked)
        rows = sound(found, self._set_aside, schema.person_records)
        return [person_from(row) for row in rows]

    @reads
    def on_leaderboard(self, c: Connection, guild_id: int, scope: Scope) -> int:
        """How many people are on it."""
        found = c.execute(_ON_BOARD, scoped(guild_id, scope))
        return int(found.scalar_one())

    @reads
    def rivals(
        self, c: Connection, guild_id: int, scope: Scope, player: int
    ) -> tuple[Pair | None, Pair | None]:
        """Whom they most often finish ahead of, and who most often ahead of them, by margin."""
        asked = scoped(guild_id, scope) | {"who": player}
        found = [
            sound(c.execute(one, asked), self._set_aside, schema.pair_records)
            for one in (_BEATS, _BEATEN_BY)
        ]
        beats, beaten_by = (Pair(*rows[0]) if rows else None for rows in found)
        return beats, beaten_by

    @reads
    def seasons(self, c: Connection, guild_id: int) -> list[Season]:
        """The seasons of a server, the newest first."""
        rows = c.execute(_SEASONS, {"guild": guild_id})
        found = [self._season(row) for row in rows]
        return [season for season in found if season is not None]

    def _season(self, row: Any) -> Season | None:
        """A season, with a name by its number where its own cannot be read; None without that."""
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
        """Begin the season that follows season `after`. Raises `Stale` if that is not current."""
        asked = {"guild": guild_id, "after": after}
        number = c.execute(_NEXT_SEASON, asked).scalar_one_or_none()
        if number is None and self._book_is_damaged(c, guild_id):
            lock_book(c, guild_id, now)
            number = c.execute(_NEXT_SEASON, asked).scalar_one_or_none()
        if number is None:
            raise Stale(f"season {after} is not the current one")
        _open_season(c, guild_id, number, name, now)
        return Season(number, name, now)

    def _book_is_damaged(self, c: Connection, guild_id: int) -> bool:
        found = c.execute(_BOOK, {"guild": guild_id})
        rows = found.all()
        return len(sound(rows, self._set_aside, schema.record_books)) < len(rows)

    @reads
    def rules_of(self, c: Connection, match_ids: tuple[int, ...]) -> dict[int, PinnedRules]:
        """The rules that these matches were played by, as far as they are stored."""
        rows = c.execute(_RULES, {"ids": list(match_ids)})
        return {
            row.id: PinnedRules(row.variant, row.variant_version, row.options)
            for row in sound(rows, self._set_aside, schema.matches)
        }


def record_match(c: Connection, guild_id: int, record: MatchRecord, now: int) -> None:
    """Fold a match that has just ended into its server's rows."""
    number, season = lock_book(c, guild_id, now, more=1)
    noted = {"guild_id": guild_id, "number": number, "match_id": record.match_id, "season": season}
    c.execute(insert(schema.recorded_matches), noted)
    c.execute(_ONE_MORE, {"guild": guild_id, "season_number": season})
    those = [line.player for line in record.people]
    people: list[dict[str, Any]] = []
    damaged = False
    for scope in scopes(season, record.game):
        asked = scoped(guild_id, scope) | {"those": those}
        rows = c.execute(_PEOPLE, asked)
        before = {}
        unread = set()  # who has a damaged row, which stays as it is
        for row in rows:
            if unsound(row._mapping, schema.person_records):
                unread.add(row.player)
            else:
                before[row.player] = person_from(row)
        people += (
            person_values(guild_id, scope, row)
            for row in folded(before, record)
            if row.player not in unread
        )
        damaged = damaged or bool(unread)
    pairs = [
        pair_values(guild_id, scope, Pair(line.player, line.other).plus(line))
        for scope in scopes(season, record.game)
        for line in record.pairs
    ]
    upsert_many(c, schema.person_records, people)
    upsert_many(c, schema.pair_records, pairs, stored="grows")
    if damaged:
        # made whole from the logs at the next start, unless some of those are gone by their age:
        # everybody else would lose what was recorded of them
        there = c.execute(_THERE, {"guild": guild_id}).scalar_one()
        if there == number:
            c.execute(_OUTDATE, {"guild": guild_id})


def lock_book(c: Connection, guild_id: int, now: int, *, more: int = 0) -> tuple[int, int]:
    """Lock a server's records until the transaction ends; make its book and first season if new.

    How many matches are recorded, `more` among them, and the current season.
    """
    found = c.execute(_LOCK, {"guild": guild_id}).one_or_none()
    if found is None:
        book = {"guild_id": guild_id, "season": FIRST, "recorded": 0, "version": VERSION}
        # of two processes that record a server's first match, the second waits here for the first
        upsert_many(c, schema.record_books, [book], stored="stays")
        found = c.execute(_LOCK, {"guild": guild_id}).one()
    recorded, season = found
    if not (type(recorded) is int and type(season) is int):  # what its rows say, then
        recorded, season = c.execute(_BY_ROWS, {"guild": guild_id}).one()
    recorded += more
    counted = {"guild": guild_id, "matches_now": recorded, "season_now": season}
    c.execute(_COUNTED, counted)
    if season == FIRST and recorded == more:
        _open_season(c, guild_id, FIRST, FIRST_NAME, now)
    return recorded, season


def _open_season(c: Connection, guild_id: int, number: int, name: str, now: int) -> None:
    season = {"guild_id": guild_id, "number": number, "name": name, "started_at": now, "matches": 0}
    upsert_many(c, schema.seasons, [season], stored="stays")


def scoped(guild_id: int, scope: Scope) -> dict[str, Any]:
    """What the queries above ask for a scope."""
    return {"guild": guild_id, "in_season": scope.season, "of_game": scope.game}


def person_values(guild_id: int, scope: Scope, row: Person) -> dict[str, Any]:
    """A person's row as columns."""
    values = {name: getattr(row, name) for name in _SAME}
    values |= {"guild_id": guild_id, "season": scope.season, "game": scope.game}
    values |= _feat_values("boldest", row.boldest) | _feat_values("catch", row.catch)
    return values | {"worth": row.worth, "established": int(row.established)}


def pair_values(guild_id: int, scope: Scope, row: Pair) -> dict[str, Any]:
    """A pair's row as columns."""
    return {
        "guild_id": guild_id,
        "season": scope.season,
        "game": scope.game,
        "player": row.player,
        "other": row.other,
        "matches": row.matches,
        "ahead": row.ahead,
        "behind": row.behind,
        "won": row.won,
        "lost": row.lost,
    }


def person_from(row: Row[Any]) -> Person:
    """A row of `person_records` as the value."""
    found = row._mapping
    return Person(
        **{name: found[name] for name in _SAME},
        boldest=_feat_from(found, "boldest"),
        catch=_feat_from(found, "catch"),
    )


_FEAT: Final = {"match": "match_id", "round": "round", "key": "key", "chance": "chance"}
_SAME: Final = tuple(
    name for name in Person.__dataclass_fields__ if name not in ("boldest", "catch")
)


def _feat_values(name: str, feat: Feat | None) -> dict[str, Any]:
    return {
        f"{name}_{column}": None if feat is None else getattr(feat, own)
        for column, own in _FEAT.items()
    }


def _feat_from(found: Any, name: str) -> Feat | None:
    if found[f"{name}_match"] is None:
        return None
    return Feat(**{own: found[f"{name}_{column}"] for column, own in _FEAT.items()})


def write_all(c: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Insert many rows, some thousands at a time."""
    waiting = list(rows)
    for start in range(0, len(waiting), 2000):
        c.execute(insert(table), waiting[start : start + 2000])

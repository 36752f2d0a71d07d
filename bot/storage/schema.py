"""The tables of the database, as SQLAlchemy Core. `migrations/` creates them; a test compares both.

Only plain column types, so that SQLite and PostgreSQL store the same values: text, integers, bytes,
and doubles for ratings. Snowflakes and times (milliseconds since 1970) are 64-bit. JSON is text,
read and written only here.

A table or match is closed by setting its status. Tables, matches and their logs are deleted only by
`bot.storage.retention`, if a server is gone or the host keeps no old matches, and by
`bot.storage.privacy`, which also makes people nameless. `personal_data` lists the columns that name
people.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

Big: Final = BigInteger().with_variant(Integer, "sqlite")


def fits(number: int) -> bool:
    """Return whether an integer fits a column; a number from damaged JSON may be too large."""
    return -(2**63) <= number < 2**63


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A placeholder for text that is not JSON, so that the other values can be read."""

    text: Any  # the text as stored


class Json(TypeDecorator[Any]):
    """A JSON value stored as text: the same on every engine, readable with any tool."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Return the value as JSON text; None is SQL's NULL."""
        if value is None:
            return None
        if isinstance(value, Unreadable):
            return value.text  # type: ignore[no-any-return]
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Return the decoded value; `Unreadable` for invalid JSON or JSON's null."""
        if value is None:
            return None
        try:
            decoded = json.loads(value)
        except (ValueError, TypeError, RecursionError):
            return Unreadable(value)
        # null is never written: it would be confused with SQL's NULL
        return Unreadable(value) if decoded is None else decoded


# Every constraint has a name, as `constraint_error` and later migrations refer to them.
metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# literal text: with a bound parameter, the partial indexes would not be used
LIVE: Final = text("status IN ('lobby', 'playing')")


def _live_index(name: str, column: str, *, unique: bool = False) -> Index:
    """Return an index on a column of `tables` that contains only live tables."""
    return Index(name, column, unique=unique, sqlite_where=LIVE, postgresql_where=LIVE)


tables: Final = Table(
    "tables",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("host_id", Big, nullable=False),
    Column("status", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Big, nullable=False),
    Column("updated_at", Big, nullable=False),
    # no foreign key: `matches` refers to this table, and neither could be created first
    Column("match_id", Big),
    Column("message_id", Big),
    Column("announced_seq", Integer, nullable=False),
    Column("deadline", Big),
    Column("deadline_kind", Text),
    Column("last_winner", Big),
    Column("turn_since", Big),
    Column("turn_ends", Big),
    Column("nudges", Integer, nullable=False, server_default="0"),
    Column("nudge_id", Big),
    Column("nudged", Text),
    Column("absent", Json, nullable=False, server_default="{}"),
    Column("votes", Json, nullable=False, server_default="{}"),
    Column("invited", Json, nullable=False, server_default="[]"),
    Column("waiting", Json, nullable=False, server_default="[]"),
    Column("letter_id", Big),
    Column("letter_to", Big),
    Column("chain_root", LargeBinary),  # secret: it gives the seeds of rounds to come
    Column("cuts", Json, nullable=False, server_default="[]"),
    Column("daily_day", Integer),
    Column("daily_guild", Big, nullable=False, server_default="0"),
    # for processes, not for players: the version that the table's message shows, and the release
    Column("shown", Text),
    Column("claimed_by", Text),  # the process that serves the table's clock
    Column("claimed_version", Integer),  # valid while the table has this version
    Column("claimed_until", Big),  # and at most until this time
    Index("ix_tables_channel_id", "channel_id"),
    _live_index("one_live_table_per_channel", "channel_id", unique=True),
    _live_index("live_tables_by_guild", "guild_id"),
    _live_index("live_tables_by_deadline", "deadline"),
    sqlite_autoincrement=True,  # buttons keep old ids: never reuse one
)

matches: Final = Table(
    "matches",
    metadata,
    Column("id", Big, primary_key=True),
    Column("table_id", Big, ForeignKey("tables.id"), nullable=False),
    Column("variant", Text, nullable=False),
    Column("variant_version", Integer, nullable=False),
    Column("options", Json, nullable=False),
    Column("players", Json, nullable=False),
    Column("opener", Integer),
    Column("status", Text, nullable=False),
    Column("started_at", Big, nullable=False),
    Column("ended_at", Big),
    Index("ix_matches_table_id", "table_id"),
    sqlite_autoincrement=True,
)

actions: Final = Table(
    "actions",
    metadata,
    Column("match_id", Big, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("schema", Integer, nullable=False),  # the body's version, to find old ones
    Column("body", Json, nullable=False),
    Column("at", Big, nullable=False),
    Column("interaction_id", Big, unique=True),
    Column("by_house", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,  # keeps a match's log together and in order on disk
)

# Interactions that changed a table without adding to a log (lobby moves), so that they too are
# applied only once. Interactions that added to a log are in `actions`.
interactions: Final = Table(
    "interactions",
    metadata,
    Column("id", Big, primary_key=True, autoincrement=False),
    Column("table_id", Big, ForeignKey("tables.id"), nullable=False),
    Column("at", Big, nullable=False),
)

# Separate from the log, as a seed is secret until its round is over.
round_seeds: Final = Table(
    "round_seeds",
    metadata,
    Column("match_id", Big, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("seed", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

deliveries: Final = Table(
    "deliveries",
    metadata,
    Column("match_id", Big, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", Big, nullable=False),
    Column("state", Text, nullable=False),
    sqlite_with_rowid=False,
)

results: Final = Table(
    "results",
    metadata,
    Column("match_id", Big, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Index("ix_results_player", "player"),
    sqlite_with_rowid=False,
)

# Results of deals of the day. Like records, they outlive their matches.
daily_results: Final = Table(
    "daily_results",
    metadata,
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("guild_id", Big, nullable=False),  # 0: in a direct message
    Column("match_id", Big, nullable=False),
    Column("place", Integer),  # None: the person gave up
    Column("rounds", Text, nullable=False),
    Column("boldest", Double),
    Index("ix_daily_results_game_day", "game", "day"),
    Index("ix_daily_results_guild_id_day", "guild_id", "day"),
    sqlite_with_rowid=False,
)

# A player's costly decisions, for the quiz. The number 0 marks a match as searched for them.
mistakes: Final = Table(
    "mistakes",
    metadata,
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("match_id", Big, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # the action's number
    Column("asked", Integer, nullable=False),  # number of answers
    Column("right", Integer, nullable=False),  # number of good answers
    Column("due_at", Big),  # None: never ask again
    Index("ix_mistakes_match_id", "match_id"),
    sqlite_with_rowid=False,
)

players: Final = Table(
    "players",
    metadata,
    Column("id", Big, primary_key=True, autoincrement=False),
    Column("name", Text),
    Column("dm_open", Boolean),
    Column("choices", Json, nullable=False, server_default="{}"),
    Column("hidden", Boolean, nullable=False, server_default=false()),  # hidden from leaderboards
)

# A server's default options for new tables, by game.
guild_settings: Final = Table(
    "guild_settings",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("options", Json, nullable=False),
    sqlite_with_rowid=False,
)

# People to notify when a table opens in a channel.
listeners: Final = Table(
    "listeners",
    metadata,
    Column("channel_id", Big, primary_key=True, autoincrement=False),
    Column("player_id", Big, primary_key=True, autoincrement=False),
    Column("guild_id", Big),  # to delete it with the server
    sqlite_with_rowid=False,
)

# When a channel's listeners were last notified, to limit how often.
tellings: Final = Table(
    "tellings",
    metadata,
    Column("channel_id", Big, primary_key=True, autoincrement=False),
    Column("told_at", Big, nullable=False),
    Column("guild_id", Big),
    sqlite_with_rowid=False,
)

# Daily direct messages that list the tables waiting for a player, with the next time.
digests: Final = Table(
    "digests",
    metadata,
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("minute", Integer, nullable=False),  # of the day
    Column("zone", Text, nullable=False),  # a name of the tz database
    Column("due_at", Big, nullable=False),
    Index("ix_digests_due_at", "due_at"),
)

# The last day's direct messages that reminded a player of a match over days, to limit them.
reminder_letters: Final = Table(
    "reminder_letters",
    metadata,
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("reminder", Text, primary_key=True),  # the key of the reminder
    Column("sent_at", Big, nullable=False),
    sqlite_with_rowid=False,
)

# Ranges of hands that a player uses by a name in questions about showdowns.
named_ranges: Final = Table(
    "named_ranges",
    metadata,
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),  # in lower case
    Column("hands", Text, nullable=False),  # as they can be typed
    sqlite_with_rowid=False,
)

# Game nights, and who has signed up for the next one.
nights: Final = Table(
    "nights",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("host_id", Big, nullable=False),
    Column("game", Text, nullable=False),
    Column("weekday", Integer, nullable=False),
    Column("minute", Integer, nullable=False),  # of the day
    Column("zone", Text, nullable=False),  # a name of the tz database
    Column("weekly", Boolean, nullable=False),
    Column("language", Text, nullable=False),
    Column("starts_at", Big, nullable=False),
    Column("due_at", Big, nullable=False),
    Column("stage", Text, nullable=False),
    Column("message_id", Big),
    Column("event_id", Big),
    Column("table_id", Big),  # no foreign key: old tables are deleted
    Index("ix_nights_due_at", "due_at"),
    sqlite_autoincrement=True,  # buttons keep old ids: never reuse one
)

night_comers: Final = Table(
    "night_comers",
    metadata,
    Column("night_id", Big, ForeignKey("nights.id"), primary_key=True, autoincrement=False),
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),  # in order of signing up
    sqlite_with_rowid=False,
)

# Numbers of the nameless players, who replace forgotten people. Who they were is not stored.
nameless_players: Final = Table(
    "nameless_players",
    metadata,
    Column("number", Big, primary_key=True),
    sqlite_autoincrement=True,  # never reused
)

# Servers that the bot was removed from, and when it noticed.
departed_guilds: Final = Table(
    "departed_guilds",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("noticed_at", Big, nullable=False),
)

# The commands last registered with Discord, to register again only after a change.
registrations: Final = Table(
    "registrations",
    metadata,
    Column("application_id", Big, primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False),
)

# Pending maintenance of the database itself, due at the latest when it is next opened.
chores: Final = Table(
    "chores",
    metadata,
    Column("name", Text, primary_key=True),
    sqlite_with_rowid=False,
)

# A server's records (`bot.stats`): all tables below are computed from the logs and can be rebuilt.
# Only `player` and `other` identify people; names are in `players`. The server's row is locked
# while a match is recorded, so matches have a fixed order.
record_books: Final = Table(
    "record_books",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("season", Integer, nullable=False),  # the current season
    Column("recorded", Integer, nullable=False),  # number of recorded matches
    Column("version", Integer, nullable=False),  # version of the code that computed the rows
)

seasons: Final = Table(
    "seasons",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("started_at", Big, nullable=False),
    Column("matches", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# The order and season in which matches were recorded: ratings depend on it.
recorded_matches: Final = Table(
    "recorded_matches",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("match_id", Big, ForeignKey("matches.id"), nullable=False, unique=True),
    Column("season", Integer, nullable=False),
    sqlite_with_rowid=False,
)

person_records: Final = Table(
    "person_records",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("season", Integer, primary_key=True, autoincrement=False),  # 0: all seasons
    Column("game", Text, primary_key=True),  # empty: all games
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("expected", Big, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("longest", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("chances", Big, nullable=False),
    Column("held", Integer, nullable=False),
    Column("doubted", Integer, nullable=False),
    Column("doubted_held", Integer, nullable=False),
    Column("challenges", Integer, nullable=False),
    Column("challenges_right", Integer, nullable=False),
    Column("boldest_match", Big),
    Column("boldest_round", Integer),
    Column("boldest_key", Text),
    Column("boldest_chance", Big),
    Column("catch_match", Big),
    Column("catch_round", Integer),
    Column("catch_key", Text),
    Column("catch_chance", Big),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("worth", Double, nullable=False),  # leaderboards sort by it
    Column("established", Integer, nullable=False),  # 0 while the rating is provisional
    Index("leaderboards", "guild_id", "season", "game", "established", "worth", "player"),
)

pair_records: Final = Table(
    "pair_records",
    metadata,
    Column("guild_id", Big, primary_key=True, autoincrement=False),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("player", Big, primary_key=True, autoincrement=False),
    Column("other", Big, primary_key=True, autoincrement=False),
    Column("matches", Integer, nullable=False),
    Column("ahead", Integer, nullable=False),
    Column("behind", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    sqlite_with_rowid=False,
)

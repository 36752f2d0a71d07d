"""Store records of people, derived from the logs, so that stats and leaderboards are look-ups.

Servers with finished matches get an empty record book of version 0. The bot (or `store rebuild`)
fills it from the logs, which a migration can't read.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "record_books",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("recorded", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_record_books"),
    )
    op.create_table(
        "seasons",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_seasons"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "recorded_matches",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", BIG, nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_recorded_matches"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_recorded_matches_match_id"),
        sa.UniqueConstraint("match_id", name="uq_recorded_matches_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "person_records",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("expected", BIG, nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("chances", BIG, nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("doubted", sa.Integer(), nullable=False),
        sa.Column("doubted_held", sa.Integer(), nullable=False),
        sa.Column("challenges", sa.Integer(), nullable=False),
        sa.Column("challenges_right", sa.Integer(), nullable=False),
        sa.Column("boldest_match", BIG),
        sa.Column("boldest_round", sa.Integer()),
        sa.Column("boldest_key", sa.Text()),
        sa.Column("boldest_chance", BIG),
        sa.Column("catch_match", BIG),
        sa.Column("catch_round", sa.Integer()),
        sa.Column("catch_key", sa.Text()),
        sa.Column("catch_chance", BIG),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("worth", sa.Double(), nullable=False),
        sa.Column("established", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "season", "game", "player", name="pk_person_records"),
    )
    op.create_index(
        "leaderboards",
        "person_records",
        ["guild_id", "season", "game", "established", "worth", "player"],
    )
    op.create_table(
        "pair_records",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("other", BIG, autoincrement=False, nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("ahead", sa.Integer(), nullable=False),
        sa.Column("behind", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "guild_id", "season", "game", "player", "other", name="pk_pair_records"
        ),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO record_books (guild_id, season, recorded, version)"
        " SELECT DISTINCT tables.guild_id, 1, 0, 0 FROM matches"
        " JOIN tables ON tables.id = matches.table_id WHERE matches.status = 'won'"
    )

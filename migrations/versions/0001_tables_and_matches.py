"""Store tables, matches and their logs, so that a match continues after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
LIVE = sa.text("status IN ('lobby', 'playing')")


def upgrade() -> None:
    _tables()
    _matches_and_logs()
    _rounds()
    _people()


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("channel_id", BIG, nullable=False),
        sa.Column("host_id", BIG, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", BIG, nullable=False),
        sa.Column("updated_at", BIG, nullable=False),
        sa.Column("match_id", BIG),
        sa.Column("message_id", BIG),
        sa.Column("announced_seq", sa.Integer(), nullable=False),
        sa.Column("deadline", BIG),
        sa.Column("deadline_kind", sa.Text()),
        sa.Column("last_winner", BIG),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tables_channel_id", "tables", ["channel_id"])
    for name, column, unique in (
        ("one_live_table_per_channel", "channel_id", True),
        ("live_tables_by_guild", "guild_id", False),
        ("live_tables_by_deadline", "deadline", False),
    ):
        op.create_index(
            name, "tables", [column], unique=unique, sqlite_where=LIVE, postgresql_where=LIVE
        )


def _matches_and_logs() -> None:
    op.create_table(
        "matches",
        sa.Column("id", BIG, nullable=False),
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("variant_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("opener", sa.Integer()),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("started_at", BIG, nullable=False),
        sa.Column("ended_at", BIG),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_matches_table_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_table_id", "matches", ["table_id"])
    op.create_table(
        "actions",
        sa.Column("match_id", BIG, nullable=False, autoincrement=False),
        sa.Column("seq", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.Column("interaction_id", BIG),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_actions"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_actions_match_id"),
        sa.UniqueConstraint("interaction_id", name="uq_actions_interaction_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "interactions",
        sa.Column("id", BIG, nullable=False, autoincrement=False),
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_interactions"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_interactions_table_id"),
    )


def _rounds() -> None:
    op.create_table(
        "round_seeds",
        sa.Column("match_id", BIG, nullable=False, autoincrement=False),
        sa.Column("round", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "round", name="pk_round_seeds"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_round_seeds_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "deliveries",
        sa.Column("match_id", BIG, nullable=False, autoincrement=False),
        sa.Column("round", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("seat", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("player", BIG, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "round", "seat", name="pk_deliveries"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_deliveries_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("match_id", BIG, nullable=False, autoincrement=False),
        sa.Column("player", BIG, nullable=False, autoincrement=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "player", name="pk_results"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_results_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_results_player", "results", ["player"])


def _people() -> None:
    op.create_table(
        "players",
        sa.Column("id", BIG, nullable=False, autoincrement=False),
        sa.Column("name", sa.Text()),
        sa.Column("dm_open", sa.Boolean()),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )

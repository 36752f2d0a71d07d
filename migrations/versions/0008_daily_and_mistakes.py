"""Store deals of the day and their results, so that each person plays one a day and is ranked.

Results outlive their matches, as records do, so they have no foreign key. Also store the decisions
that a person wants to practise again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("tables", sa.Column("daily_day", sa.Integer()))
    op.add_column("tables", sa.Column("daily_guild", BIG, nullable=False, server_default="0"))
    op.create_table(
        "daily_results",
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("match_id", BIG, nullable=False),
        sa.Column("place", sa.Integer()),
        sa.Column("rounds", sa.Text(), nullable=False),
        sa.Column("boldest", sa.Double()),
        sa.PrimaryKeyConstraint("player", "game", "day", name="pk_daily_results"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_daily_results_game_day", "daily_results", ["game", "day"])
    op.create_index("ix_daily_results_guild_id_day", "daily_results", ["guild_id", "day"])
    op.create_table(
        "mistakes",
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("match_id", BIG, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("due_at", BIG),
        sa.PrimaryKeyConstraint("player", "match_id", "seq", name="pk_mistakes"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_mistakes_match_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mistakes_match_id", "mistakes", ["match_id"])

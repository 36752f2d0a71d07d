"""Store game nights and who comes to the next one, so that they survive a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "nights",
        sa.Column("id", BIG, nullable=False),
        sa.Column("guild_id", BIG, nullable=False),
        sa.Column("channel_id", BIG, nullable=False),
        sa.Column("host_id", BIG, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("weekly", sa.Boolean(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("starts_at", BIG, nullable=False),
        sa.Column("due_at", BIG, nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("message_id", BIG),
        sa.Column("event_id", BIG),
        sa.Column("table_id", BIG),
        sa.PrimaryKeyConstraint("id", name="pk_nights"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_nights_due_at", "nights", ["due_at"])
    op.create_table(
        "night_comers",
        sa.Column("night_id", BIG, autoincrement=False, nullable=False),
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["nights.id"], name="fk_night_comers_night_id"),
        sa.PrimaryKeyConstraint("night_id", "player", name="pk_night_comers"),
        sqlite_with_rowid=False,
    )

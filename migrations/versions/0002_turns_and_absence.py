"""Turns have a clock, a reminder and a stand-in, so that nobody waits for a sleeper."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for column in (
        sa.Column("turn_since", BIG),
        sa.Column("turn_ends", BIG),
        sa.Column("nudges", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("nudge_id", BIG),
        sa.Column("nudged", sa.Text()),
        sa.Column("absent", sa.Text(), nullable=False, server_default="{}"),
        sa.Column("votes", sa.Text(), nullable=False, server_default="{}"),
        sa.Column("invited", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("waiting", sa.Text(), nullable=False, server_default="[]"),
    ):
        op.add_column("tables", column)
    op.add_column(
        "actions", sa.Column("by_house", sa.Boolean(), nullable=False, server_default=sa.false())
    )

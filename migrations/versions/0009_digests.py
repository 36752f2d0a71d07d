"""Store who wants a daily digest of their turns, so that it is sent after a restart too.

Also store the direct messages that reminded people of matches played over days, since their number
per day is limited.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "digests",
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("due_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_digests"),
    )
    op.create_index("ix_digests_due_at", "digests", ["due_at"])
    op.create_table(
        "reminder_letters",
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("reminder", sa.Text(), nullable=False),
        sa.Column("sent_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("player", "reminder", name="pk_reminder_letters"),
        sqlite_with_rowid=False,
    )

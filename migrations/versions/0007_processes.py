"""Let several processes share a database, so that a bot can grow beyond one process.

A process claims a deadline before acting on it. What a table's message shows is stored, so that a
start redraws only messages that are out of date. A digest of the registered commands is stored too,
so that any process registers them only after a change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for column in (
        sa.Column("shown", sa.Text()),
        sa.Column("claimed_by", sa.Text()),
        sa.Column("claimed_version", sa.Integer()),
        sa.Column("claimed_until", BIG),
    ):
        op.add_column("tables", column)
    op.create_table(
        "registrations",
        sa.Column("application_id", BIG, autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("application_id", name="pk_registrations"),
    )

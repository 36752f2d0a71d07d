"""Several processes share a house, so that a bot may grow beyond what one can serve.

A clock that is due is claimed by the process that serves it. What a table's message shows is
noted, so that a start draws only those anew that are behind. Commands are registered when they have
changed since the last time, whichever process that was.
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

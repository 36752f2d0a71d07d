"""Store people's named ranges of hands, so that later questions can use the names."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "named_ranges",
        sa.Column("player", BIG, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hands", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("player", "name", name="pk_named_ranges"),
        sqlite_with_rowid=False,
    )

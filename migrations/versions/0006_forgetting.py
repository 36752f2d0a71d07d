"""Let people's and servers' data be deleted, so that no more is kept than is needed.

Afterwards an SQLite file is rewritten once, since it may still contain deleted data. The people to
notify in a channel are stored with its server, so that they can be deleted with it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column(
        "players", sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    for name in ("listeners", "tellings"):
        op.add_column(name, sa.Column("guild_id", BIG))
        op.execute(
            f"UPDATE {name} SET guild_id = (SELECT max(tables.guild_id) FROM tables"
            f" WHERE tables.channel_id = {name}.channel_id)"
        )
    op.create_table(
        "nameless_players",
        sa.Column("number", BIG, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_nameless_players"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "departed_guilds",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("noticed_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_departed_guilds"),
    )
    op.create_table(
        "chores",
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_chores"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO chores (name) VALUES ('rewrite')")

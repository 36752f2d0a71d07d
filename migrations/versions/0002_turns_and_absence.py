"""Store each turn's clock, reminder and stand-in, so that nobody waits for an absent player.

The clock was a setting of the server and is now one of each table; live tables keep the one that
they began with. Also store preferences: a server's usual options, the people to notify of a
channel's new tables, and each player's choices.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
A_DAY = 86_400  # seconds: the default clock before this migration


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
    _remember_habits()
    _keep_clocks()


def _keep_clocks() -> None:
    """Store the turn limit that each live table has been using, and its current turn's times."""
    connection = op.get_bind()
    live = connection.execute(
        sa.text(
            "SELECT id, status, options, updated_at, deadline, deadline_kind"
            " FROM tables WHERE status IN ('lobby', 'playing')"
        )
    )
    keep = sa.text(
        "UPDATE tables SET options = :options, turn_since = :since, turn_ends = :ends"
        " WHERE id = :table"
    )
    for row in live.mappings().all():
        # a match without a deadline was played without a clock
        unhurried = row["status"] == "playing" and row["deadline"] is None
        in_turn = row["deadline_kind"] == "turn"
        options = json.loads(row["options"]) | {"turn_seconds": 0 if unhurried else A_DAY}
        values = {
            "table": row["id"],
            "options": json.dumps(options),
            "since": row["updated_at"] if in_turn else None,
            "ends": row["deadline"] if in_turn else None,
        }
        connection.execute(keep, values)


def _remember_habits() -> None:
    op.add_column("players", sa.Column("choices", sa.Text(), nullable=False, server_default="{}"))
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", BIG, autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", name="pk_guild_settings"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "listeners",
        sa.Column("channel_id", BIG, autoincrement=False, nullable=False),
        sa.Column("player_id", BIG, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "player_id", name="pk_listeners"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tellings",
        sa.Column("channel_id", BIG, autoincrement=False, nullable=False),
        sa.Column("told_at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("channel_id", name="pk_tellings"),
        sqlite_with_rowid=False,
    )

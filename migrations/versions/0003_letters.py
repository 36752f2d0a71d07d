"""A reminder may be a direct message too, so that it can be taken back after a restart as well.

Whether cards go by direct message is a table's own choice now; tables under way go on as they
began.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("tables", sa.Column("letter_id", BIG))
    op.add_column("tables", sa.Column("letter_to", BIG))
    connection = op.get_bind()
    live = connection.execute(
        sa.text("SELECT id, options FROM tables WHERE status IN ('lobby', 'playing')")
    )
    keep = sa.text("UPDATE tables SET options = :options WHERE id = :table")
    for row in live.mappings().all():
        options = {"letters": "yes"} | json.loads(row["options"])
        connection.execute(keep, {"table": row["id"], "options": json.dumps(options)})

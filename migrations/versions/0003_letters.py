"""Store which direct message is a turn's reminder, so that it can be deleted after a restart.

Whether cards come by direct message becomes an option of each table; live tables stay as they are.
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

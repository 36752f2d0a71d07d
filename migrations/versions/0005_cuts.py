"""Store the roots of sealed seeds and players' cuts, so that no host can choose a deal alone.

A lobby or live match gets its root at its next deal; earlier deals stay as they are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("chain_root", sa.LargeBinary()))
    op.add_column("tables", sa.Column("cuts", sa.Text(), nullable=False, server_default="[]"))

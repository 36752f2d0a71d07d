"""Seeds are sealed ahead and players cut the cards, so that no host can choose a deal alone.

A lobby or match under way gets its root when it is next dealt; what was dealt stays as it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("chain_root", sa.LargeBinary()))
    op.add_column("tables", sa.Column("cuts", sa.Text(), nullable=False, server_default="[]"))

"""Damage: a stored table that cannot be read is set aside, and everybody else plays on."""

from __future__ import annotations

from typing import Final

import structlog

from bot.tables.ports import Damaged

log = structlog.get_logger(__name__)

MEND: Final = "stop the bot, then run `bluffhouse repair`; `bluffhouse doctor` names such tables"


class SetAside:
    """Says of each damaged table once that it is set aside, and what to do; nothing if `quiet`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._named: set[int] = set()
        self._quiet = quiet

    def name(self, damaged: Damaged) -> None:
        """Log it, if that table has not been named yet."""
        if damaged.table_id not in self._named and not self._quiet:
            self._named.add(damaged.table_id)
            log.error(
                "tables: one is damaged and set aside; all others go on",
                table=damaged.table_id,
                found=damaged.reason,
                mend=MEND,
            )

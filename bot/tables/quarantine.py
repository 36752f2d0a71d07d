"""Quarantine: tables and matches that cannot be read are left out, and everyone else plays on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from bot.tables import errors
from bot.tables.errors import Damaged

log = structlog.get_logger(__name__)

MEND: Final = (
    "stop the bot, then run `bluffhouse store repair`; `bluffhouse store doctor` names such tables"
)
MEND_ROW: Final = "`bluffhouse store doctor` names it; a backup may have it whole"


class Quarantine:
    """Logs each damaged table or match once: that it is left out, and how to fix it.

    If `quiet`, logs nothing.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._named: set[Hashable] = set()
        self._quiet = quiet

    def name(self, damaged: Damaged, key: Hashable = None) -> None:
        """Log the damage, once for each damaged table.

        For other damage, log it once for each error text and `key`.
        """
        table = damaged.where.get("table")
        which = table if table is not None else (str(damaged), key)
        if which in self._named or self._quiet:
            return
        self._named.add(which)
        if table is not None:
            log.error(
                "tables: one is damaged and set aside; all others go on",
                found=damaged.reason,
                mend=MEND,
                **damaged.where,
            )
        else:
            log.error(
                "storage: a row is damaged and set aside; all others are used",
                found=damaged.reason,
                mend=MEND_ROW,
                **damaged.where,
            )

    @contextmanager
    def replaying(self, **where: int) -> Iterator[None]:
        """Raise `errors.Damaged`, and log it, if replaying a table or match in this block fails.

        `where`: the number of the table or match, as `table=` or `match=`. A corrupt log may raise
        anything; only `RefusedError` passes unchanged.
        """
        try:
            yield
        except errors.RefusedError:
            raise
        except Exception as error:
            reason = f"its log cannot be replayed ({type(error).__name__})"
            damaged = Damaged(reason, **where)
            self.name(damaged)
            raise damaged from error

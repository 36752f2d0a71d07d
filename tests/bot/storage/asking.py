"""Execute statements on a test's database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.engine import CursorResult

from bot.storage.database import Database, Transactor


class Asking:
    """Executes statements in an open transaction."""

    def __init__(self, ask: Transactor) -> None:
        self._ask = ask

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        return await self._ask(lambda c: c.execute(statement, parameters))

    async def exec_driver_sql(self, statement: str, parameters: Any = None) -> CursorResult[Any]:
        """Execute SQL text as it is."""
        return await self._ask(lambda c: c.exec_driver_sql(statement, parameters))


@asynccontextmanager
async def transaction(database: Database) -> AsyncIterator[Asking]:
    """Open a writing transaction for the block; other writers wait."""
    async with database.transaction() as ask:
        yield Asking(ask)

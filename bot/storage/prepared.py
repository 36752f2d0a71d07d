"""Statements as SQLite's driver takes them: SQLAlchemy is asked for each once, not every time.

To have it execute a statement costs several times what that takes in SQLite. What a move writes is
always the same few statements, so their text and the order of their parameters are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from sqlalchemy import ClauseElement, Executable
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.sql.compiler import SQLCompiler

Values = Mapping[str, Any]  # of a statement's parameters, by name
Kept = Callable[[Any], Any]  # a value as SQLite keeps it

_DIALECT: Final = SQLiteDialect_aiosqlite()
_NOTHING: Final[Values] = {}


class Statement(NamedTuple):
    """What is to be executed; `how` is sqlite3's method for it."""

    how: str
    sql: str
    parameters: Any = ()


class Writer(Protocol):
    """What a unit's statements are given to; their rows are not asked for."""

    async def execute(
        self, statement: Executable, parameters: Values | Sequence[Values] | None = None, /
    ) -> Any:
        """Execute a statement, once for each of several values."""


class Written:
    """Writes down what is executed, for SQLite's driver to do later."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    async def execute(
        self, statement: Executable, parameters: Values | Sequence[Values] | None = None, /
    ) -> None:
        """Write a statement down."""
        rows = parameters if isinstance(parameters, Sequence) else [parameters or _NOTHING]
        prepared = _prepared(statement, tuple(rows[0]))
        self.statements.extend(
            Statement("execute", prepared.sql, prepared.in_order(row)) for row in rows
        )


class _Prepared:
    """A statement whose parameters are known by name."""

    def __init__(self, statement: Executable, names: tuple[str, ...]) -> None:
        if not isinstance(statement, ClauseElement):
            raise TypeError(f"{type(statement).__name__} has no text; expected one as insert(...)")
        compiled = statement.compile(dialect=_DIALECT, column_keys=list(names))
        if not isinstance(compiled, SQLCompiler) or compiled.positiontup is None:
            raise TypeError(f"{type(statement).__name__} has no parameters in an order")
        if compiled.post_compile_params or compiled.literal_execute_params:
            raise TypeError("a statement's text must be the same whatever its parameters are")
        self.sql = compiled.string
        self._order: list[tuple[str, Kept | None]] = [
            (name, _kept(compiled, name)) for name in compiled.positiontup
        ]
        # what the statement itself has values for
        self._given = {
            name: compiled.params[name]
            for name in compiled.positiontup
            if not compiled.binds[name].required
        }

    def in_order(self, row: Values) -> tuple[Any, ...]:
        """The row's values as the driver takes them. Raises TypeError if one is missing."""
        if self._given:
            row = {**self._given, **row}
        try:
            return tuple([row[n] if keep is None else keep(row[n]) for n, keep in self._order])
        except KeyError as error:
            raise TypeError(f"no value is given for {error.args[0]}") from None


def _kept(compiled: SQLCompiler, name: str) -> Kept | None:
    """How SQLite keeps a parameter's value; None where that is the value itself."""
    kept: Kept | None = compiled.binds[name].type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
    return kept


# by statement, then by what is given; a statement that nobody has any more is forgotten
_known: Final = WeakKeyDictionary[Executable, dict[tuple[str, ...], _Prepared]]()


def _prepared(statement: Executable, names: tuple[str, ...]) -> _Prepared:
    known = _known.setdefault(statement, {})
    if (found := known.get(names)) is None:
        found = known[names] = _Prepared(statement, names)
    return found

"""Public names that are loaded when first used, read from a package's stub file.

A stub (`__init__.pyi`) lists where each name is defined, in a form that type checkers understand:
`from package.module import name as name`, one a line. Reading the same file here makes it the only
list. It is read with little machinery: a command that asks for one chance waits for this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any, Final

_NAME: Final = re.compile(r"from (\w+(?:\.\w+)+) import (\w+) as (\w+)")


def names_when_used(
    package: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for `package`, which has a stub beside it.

    Raises ImportError for a stub that is not one such line a name.
    """
    stub = get_data(package, "__init__.pyi")
    if stub is None:
        raise ImportError(f"{package}: its stub __init__.pyi cannot be read")
    home = _listed(stub.decode(), package)

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    def listed() -> list[str]:
        return sorted({*vars(import_module(package)), *home})

    return load, listed, sorted(home)


def _listed(stub: str, package: str) -> dict[str, str]:
    """Public name to the module that defines it."""
    home: dict[str, str] = {}
    for line in stub.splitlines():
        listed = _NAME.fullmatch(line)
        if listed is not None and listed[2] == listed[3]:
            home[listed[2]] = listed[1]
        elif line and not line.startswith('"""'):
            raise ImportError(
                f"{package}: {line!r} in its stub, expected one name a line, such as"
                f" `from {package}.module import name as name`"
            )
    return home

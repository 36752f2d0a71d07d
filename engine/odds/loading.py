"""What is loaded when first used: a package's public names, numpy, and shipped tables.

A command that asks for one chance waits for none of it. Public names are read from a package's stub
(`__init__.pyi`), which lists where each is defined in a form that type checkers understand:
`from package.module import name as name`, one a line. So it is the only list.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """`numpy`, imported when something of it is first asked for."""

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)
            return found

    np = _Numpy()

__all__ = ["COMPILING", "names_when_used", "np", "shipped"]

COMPILING: Final[list[Callable[[bool], object]]] = []
"""Who is told when a kernel begins to be compiled (True), which takes seconds, and is done."""

_NAME: Final = re.compile(r"from (\w+(?:\.\w+)+) import (\w+) as (\w+)")


def names_when_used(
    package: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for `package`, which has a stub beside it.

    Raises ImportError for a stub that is not one such line a name.
    """
    home = _listed(_content(package, "__init__.pyi").decode(), package)

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    def listed() -> list[str]:
        return sorted({*vars(import_module(package)), *home})

    return load, listed, sorted(home)


def shipped(package: str, file: str) -> bytes:
    """What a compressed file of a package holds. Raises ImportError if the package is not whole."""
    return zlib.decompress(_content(package, file))


def _content(package: str, file: str) -> bytes:
    content = get_data(package, file)
    if content is None:
        raise ImportError(f"the package {package} is not whole: {file} cannot be read")
    return content


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

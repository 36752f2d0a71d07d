"""Load on first use: a package's public names, numpy, and shipped tables.

So a command that needs one chance doesn't wait for any of these. Public names are read from a
package's stub (`__init__.pyi`), which type checkers read too. Its import lines say where each name
is defined: `from package.module import name as name`.
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
        """Numpy, imported when one of its attributes is first used."""

        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module("numpy"), name)
            setattr(self, name, value)
            return value

    np = _Numpy()

__all__ = ["COMPILING", "LOADED", "names_when_used", "np", "read_shipped"]

COMPILING: Final[list[Callable[[bool], object]]] = []
"""Called with True when a kernel starts to compile, which takes seconds, and False when done."""
LOADED: Final[set[str]] = set()
"""Has "kernels" once compiled code is loaded or linked."""

_NAME: Final = re.compile(r"from (\w+(?:\.\w+)+) import (\w+) as (\w+)")


def names_when_used(
    package: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for `package`, read from its stub.

    Each line of a stub is empty, a docstring, or the import of one name. Raises ImportError for any
    other line, and ImportError or OSError if the stub can't be read.
    """
    modules = _modules_by_name(_content(package, "__init__.pyi").decode(), package)

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    def public_names() -> list[str]:
        return sorted({*vars(import_module(package)), *modules})

    return load, public_names, sorted(modules)


def read_shipped(package: str, file: str) -> bytes:
    """Return the decompressed content of a file that a package ships.

    Raises ImportError for an unknown package, OSError for a missing file, `zlib.error` for a
    damaged one.
    """
    return zlib.decompress(_content(package, file))


def _content(package: str, file: str) -> bytes:
    content = get_data(package, file)
    if content is None:
        raise ImportError(f"the package {package} is not whole: {file} cannot be read")
    return content


def _modules_by_name(stub: str, package: str) -> dict[str, str]:
    """Return the module that defines each public name of a stub.

    Raises ImportError, which names `package`, for any line except an empty one, a docstring, or the
    import of one name.
    """
    modules: dict[str, str] = {}
    for line in stub.splitlines():
        match = _NAME.fullmatch(line)
        if match is not None and match[2] == match[3]:
            modules[match[2]] = match[1]
        elif line and not line.startswith('"""'):
            raise ImportError(
                f"{package}: {line!r} in its stub, expected one name a line, such as"
                f" `from {package}.module import name as name`"
            )
    return modules

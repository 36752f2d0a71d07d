"""Public names that are loaded when first used, read from a package's stub file.

A stub (`__init__.pyi`) lists where each name is defined, in the form type checkers understand:
`from package.module import name as name`. Reading the same file here makes it the only list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import Any


def names_when_used(
    package: str,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` for `package`, which has a stub beside it.

    Raises ImportError for a stub with anything but imports of names from full module names.
    """
    home = _listed((files(package) / "__init__.pyi").read_text("utf-8"), package)

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
    for statement in ast.parse(stub).body:
        match statement:
            case ast.Expr(value=ast.Constant()):  # the docstring
                continue
            case ast.ImportFrom(module=str(module), level=0, names=names):
                for alias in names:
                    if alias.asname != alias.name:
                        raise ImportError(f"{package}: write `{alias.name} as {alias.name}`")
                    home[alias.name] = module
            case _:
                raise ImportError(f"{package}: a stub lists `from module import name as name`")
    return home

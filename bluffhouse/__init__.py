"""The only package of an installed Bluffhouse at the top of site-packages.

A wheel holds `bot`, `engine` and `migrations` as folders of this package, because such common names
could overwrite other distributions' files (see `setup.py`). In a checkout they're next to it.
`import bluffhouse` makes them importable, after everything else on the path; the program
(`bluffhouse.__main__`) puts them first.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

ROOMS: Final = ("bot", "engine", "migrations")
_HERE: Final = Path(__file__).absolute().parent
HOME: Final = str(_HERE if (_HERE / "bot").is_dir() else _HERE.parent)

if HOME not in sys.path:
    sys.path.append(HOME)


def put_first() -> None:
    """Make this process and its children import Bluffhouse's packages before any others.

    Raises ImportError if another package with such a name is imported already.
    """
    for room in ROOMS:
        module = sys.modules.get(room)
        if module is not None and not str(module.__file__).startswith(HOME + os.sep):
            raise ImportError(
                f"another package named {room} is imported here, from {module.__file__}:"
                " install Bluffhouse into an environment of its own,"
                " for example with pipx install bluffhouse"
            )
    sys.path[:] = [HOME, *(place for place in sys.path if place != HOME)]
    others = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = HOME if not others else f"{HOME}{os.pathsep}{others}"

"""Paths as hosts write them in settings: with `~`, with `$HOME`, with blanks at their ends."""

from __future__ import annotations

import os
import re
from typing import Final

_VARIABLE: Final = re.compile(r"\$(\w+|\{[^}]*\})")


def expand_path(text: str) -> str:
    """Return the path without blanks at its ends, with `~` and variables such as `$HOME` replaced.

    Raises ValueError if nothing is left or a variable is not set; its text begins with "should".
    """
    # Path's own expanduser raises for a user who isn't there
    path = os.path.expanduser(os.path.expandvars(text.strip()))  # noqa: PTH111
    unset = _VARIABLE.search(path)
    if unset is not None:
        raise ValueError(f"should name variables that are set, and {unset[0]} is not")
    if not path:
        raise ValueError("should be a path")
    return path

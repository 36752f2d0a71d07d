"""Paths as hosts write them in settings: with `~`, `$HOME`, or spaces around them.

`NO_ROOM` has the system's error numbers for a file that has no room to grow.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Final

# disk full, user's quota full, file at its maximum size
NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_VARIABLE: Final = re.compile(r"\$(\w+|\{[^}]*\})")


def expand_path(text: str) -> str:
    """Return the path without spaces around it, with `~` and variables such as `$HOME` expanded.

    Raises ValueError if the path is empty or a variable is not set; the error's text begins with
    "should".
    """
    # Path's own expanduser raises for a user who isn't there
    path = os.path.expanduser(os.path.expandvars(text.strip()))  # noqa: PTH111
    unset = _VARIABLE.search(path)
    if unset is not None:
        raise ValueError(f"should name variables that are set, and {unset[0]} is not")
    if not path:
        raise ValueError("should be a path")
    return path

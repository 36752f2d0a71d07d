"""Paths as hosts write them in settings: with `~`, with `$HOME`, with blanks at their ends.

Also the errors by which the system says that a file has no room to grow.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Final

# the disk is full, the user's share of it is, the file is as large as the system lets it be
NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
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

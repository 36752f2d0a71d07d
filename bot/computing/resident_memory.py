"""What this process holds in memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_STATM: Final = Path("/proc/self/statm")


def resident_megabytes() -> float | None:
    """Resident memory in MB, None where the system does not tell (it does on Linux)."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return None
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)

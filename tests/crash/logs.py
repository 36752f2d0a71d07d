"""What must not stand in the bot's log: cards, seeds, errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.reading import NATURAL

SEED: Final = re.compile(r"\b[0-9a-f]{64}\b")


def faults_in(log: Path) -> list[str]:
    """Sentences, one for each line that should not be there."""
    return list(_faults(log))


def _faults(log: Path) -> Iterator[str]:
    for line in log.read_text(errors="replace").splitlines():
        where = f"{log.name}: {line[:300]}"
        if NATURAL.search(line) or SEED.search(line):
            yield f"a card or a seed in {where}"
            continue
        try:
            said = json.loads(line)
        except ValueError:
            if "Traceback" in line or "Error" in line:
                yield f"an error in {where}"
            continue
        if isinstance(said, dict) and said.get("level") in ("error", "critical"):
            yield f"an error in {where}"

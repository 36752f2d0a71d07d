"""What the bot's log must not contain: cards, seeds, errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from benchmarks.reading import NATURAL

SEED: Final = re.compile(r"\b[0-9a-f]{64}\b")


def violations_in(log: Path) -> list[str]:
    """Return a sentence for each line of the log that should not be there."""
    lines = log.read_text(errors="replace").splitlines()
    violations = ((_violation(line), line) for line in lines)
    return [
        f"{violation} in {log.name}: {line[:300]}" for violation, line in violations if violation
    ]


def _violation(line: str) -> str | None:
    """Say what is wrong with a line; None if nothing is."""
    if NATURAL.search(line) or SEED.search(line):
        return "a card or a seed"
    try:
        event = json.loads(line)
        bad = isinstance(event, dict) and event.get("level") in ("error", "critical")
    except ValueError:
        bad = "Traceback" in line or "Error" in line
    return "an error" if bad else None

"""The table of faults names tests that there are, each fault its own line of what happens."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| (?P<fault>[^|]+) \|(?P<cells>.+)\| `(?P<test>\w+)` \|$", re.MULTILINE)
TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
FAULTS = 33  # lines of the table at least


def test_every_fault_of_the_table_has_a_test_that_there_is() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text()
    _, _, section = page.partition("\n## Faults, one by one\n")
    section, _, _ = section.partition("\n## ")
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    rows = [ROW.match(line) for line in lines]
    assert all(rows), [line for line, row in zip(lines, rows, strict=True) if row is None]
    assert len(rows) >= FAULTS
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in TEST.findall(file.read_text())
    }
    missing = [row["test"] for row in rows if row is not None and row["test"] not in there]
    assert missing == []
    assert all(row["cells"].count("|") == 2 for row in rows if row is not None)

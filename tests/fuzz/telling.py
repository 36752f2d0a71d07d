"""What a room found: judged one by one, each failure told with the line that repeats it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.fuzz import commands, configuration, match_files, names, questions, wording

Report = Callable[[str], None]
# each makes one from the chance it is given and says in a word what became of it; whatever it
# raises is a failure
JUDGES: Final[dict[str, Callable[[Random], str]]] = {
    "texts": wording.judge,
    "settings": configuration.judge,
    "commands": commands.judge,
    "files": match_files.judge,
    "questions": questions.judge,
    "names": names.judge,
}


@dataclass
class Verdict:
    """What became of what was made, and what was wrong."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(room: str, seed: int, first: int, many: int, tell: Report) -> Verdict:
    """Judge so many of a room, beginning with that number."""
    verdict = Verdict()
    for number in range(first, first + many):
        try:
            verdict.outcomes[JUDGES[room](Random(f"{room} {seed} {number}"))] += 1
        except Exception as error:
            repeat = f"python -m tests.fuzz {room} --seed {seed} --first {number} --{room} 1"
            verdict.failures.append(repeat)
            tell(f"{type(error).__name__}: {error!s}\n    {repeat}")
    return verdict

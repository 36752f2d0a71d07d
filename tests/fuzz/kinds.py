"""The kinds of odd input and their judges. A failure's report says how to repeat the failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.fuzz import commands, configuration, match_files, names, questions, wording

Report = Callable[[str], None]
# each makes one input from the chance it is given and returns its outcome in a word; whatever it
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
    """The number of inputs by outcome, and the commands that repeat failures."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(kind: str, seed: int, first: int, many: int, report: Report) -> Verdict:
    """Judge `many` inputs of a kind, beginning with number `first`."""
    verdict = Verdict()
    for number in range(first, first + many):
        try:
            verdict.outcomes[JUDGES[kind](Random(f"{kind} {seed} {number}"))] += 1
        except Exception as error:
            repeat = f"python -m tests.fuzz {kind} --seed {seed} --first {number} --{kind} 1"
            verdict.failures.append(repeat)
            report(f"{type(error).__name__}: {error!s}\n    {repeat}")
    return verdict

"""Questions for a real computing process whose progress a test can observe and control."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from bot.computing.question import Lane, Question, Stopped
from bot.language.catalogues import tr
from engine.cards import Cards
from engine.variants import ruleset


@dataclass(frozen=True)
class Echo(Question[Any]):
    """A brief question whose answer is `value`."""

    value: Any
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> Any:
        return self.value


@dataclass(frozen=True)
class LongEcho(Echo):
    """A long question whose answer is `value`."""

    lane: ClassVar[Lane] = Lane.LONG


@dataclass(frozen=True)
class Translated(Question[str]):
    """A question whose answer is a text in the asker's language."""

    text: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        return tr(self.text)


@dataclass(frozen=True)
class Where(Question[tuple[int, int, list[str]]]):
    """A question for the process's id, its niceness and the names in its environment."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> tuple[int, int, list[str]]:
        return os.getpid(), os.nice(0), list(os.environ)


@dataclass(frozen=True)
class Loaded(Question[bool]):
    """A question whether the process has imported a module."""

    name: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> bool:
        return self.name in sys.modules


@dataclass(frozen=True)
class Hold(Question[str]):
    """A question that waits for a file `<name>.go` in `folder`, and fails if it is stopped first.

    In `folder`, it appends its process's id to `<name>.begun`. It appends `+` to `course` when it
    begins and `-` when it is answered. If stopped, it makes a file `<name>.stopped`. `loads`: the
    name of a file in `folder` to wait for first, as if compiling code.
    """

    folder: Path
    name: str
    loads: str = ""

    def answer(self, stopped: Stopped) -> str:
        """Return `name` once there is a file `<name>.go`; raise RuntimeError if stopped."""
        self._note("course", "+")
        self._note(f"{self.name}.begun", str(os.getpid()))
        while self.loads and not (self.folder / self.loads).exists():
            time.sleep(0.005)
        while not (self.folder / f"{self.name}.go").exists():
            if stopped():
                (self.folder / f"{self.name}.stopped").touch()
                raise RuntimeError("stopped")
            time.sleep(0.005)
        self._note("course", "-")
        return self.name

    def _note(self, file: str, line: str) -> None:
        with (self.folder / file).open("a") as opened:
            opened.write(f"{line}\n")


def most_at_once(folder: Path) -> int:
    """Return the largest number of `Hold` questions that were in progress at the same time.

    Assert that all were answered.
    """
    steps = [1 if line == "+" else -1 for line in (folder / "course").read_text().split()]
    assert sum(steps) == 0, "some have not ended"
    return max(accumulate(steps))


@dataclass(frozen=True)
class HoldDecision(Hold):
    lane: ClassVar[Lane] = Lane.DECISION


@dataclass(frozen=True)
class HoldPicture(Hold):
    lane: ClassVar[Lane] = Lane.PICTURE


@dataclass(frozen=True)
class Unheeding(Question[str]):
    """A question in the brief lane that waits for the file `go`, and never checks `stopped`."""

    folder: Path
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        while not (self.folder / "go").exists():
            time.sleep(0.005)
        return "at last"


@dataclass(frozen=True)
class Misread(Question[None]):
    """A question with a text that the engine refuses, as a bid or as cards."""

    text: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> None:
        if self.text.endswith("flush"):
            ruleset("liars_poker").wording.parse(self.text)
        Cards.parse(self.text)


@dataclass(frozen=True)
class Unsendable(Question[Any]):
    """A question whose answer or exception cannot be pickled."""

    raises: bool
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> Any:
        if self.raises:
            raise RuntimeError(threading.Lock())
        return threading.Lock()


@dataclass(frozen=True)
class Prints(Question[str]):
    """A question that writes to standard error, and to standard output, which carries answers."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        print("noise" * 1000, flush=True)
        os.write(1, b"more noise\n")
        print("x" * 100_000, file=sys.stderr, flush=True)
        return "quiet"


@dataclass(frozen=True)
class Dies(Question[None]):
    """A question that ends its process."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> None:
        os._exit(3)

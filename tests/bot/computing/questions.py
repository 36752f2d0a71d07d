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
    """Comes back as it is."""

    value: Any
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> Any:
        return self.value


@dataclass(frozen=True)
class LongEcho(Echo):
    """The same among the long questions."""

    lane: ClassVar[Lane] = Lane.LONG


@dataclass(frozen=True)
class Translated(Question[str]):
    """A text in the language of who asks."""

    text: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        return tr(self.text)


@dataclass(frozen=True)
class Where(Question[tuple[int, int, list[str]]]):
    """Which process answers, how nice it is, and the names in its environment."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> tuple[int, int, list[str]]:
        return os.getpid(), os.nice(0), list(os.environ)


@dataclass(frozen=True)
class Loaded(Question[bool]):
    """Whether the process has imported a module."""

    name: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> bool:
        return self.name in sys.modules


@dataclass(frozen=True)
class Hold(Question[str]):
    """Notes in `folder` that it has begun, then counts until it is let go or nobody wants it.

    With `loads` it does not count before that file is there, as if something were compiled. The
    file `course` has a line `+` for each that began and `-` for each that ended, in their order.
    """

    folder: Path
    name: str
    loads: str = ""

    def answer(self, stopped: Stopped) -> str:
        """Its name, once a file `<name>.go` is there."""
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
    """How many questions that hold were being answered at the same time, at most."""
    steps = [1 if line == "+" else -1 for line in (folder / "course").read_text().split()]
    assert sum(steps) == 0, "some have not ended"
    return max(accumulate(steps))


@dataclass(frozen=True)
class HoldDecision(Hold):
    """The same among the decisions of computer players."""

    lane: ClassVar[Lane] = Lane.DECISION


@dataclass(frozen=True)
class HoldPicture(Hold):
    """The same among the pictures of tables."""

    lane: ClassVar[Lane] = Lane.PICTURE


@dataclass(frozen=True)
class Unheeding(Question[str]):
    """A brief question that is not so brief, and never asks whether it is still wanted."""

    folder: Path
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        while not (self.folder / "go").exists():
            time.sleep(0.005)
        return "at last"


@dataclass(frozen=True)
class Misread(Question[None]):
    """Raises an error of the engine that carries facts."""

    text: str
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> None:
        if self.text.endswith("flush"):
            ruleset("liars_poker").wording.parse(self.text)
        Cards.parse(self.text)


@dataclass(frozen=True)
class Unsendable(Question[Any]):
    """Its answer, or what it raises, cannot be pickled."""

    raises: bool
    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> Any:
        if self.raises:
            raise RuntimeError(threading.Lock())
        return threading.Lock()


@dataclass(frozen=True)
class Prints(Question[str]):
    """Writes where the answers go."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> str:
        print("noise" * 1000, flush=True)
        os.write(1, b"more noise\n")
        print("x" * 100_000, file=sys.stderr, flush=True)
        return "quiet"


@dataclass(frozen=True)
class Dies(Question[None]):
    """Ends its process."""

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Stopped) -> None:
        os._exit(3)

"""`python -m bot.computing.worker`: answers the questions that come through its standard input.

Kernels let go of the interpreter's lock, so two long questions are counted side by side by threads
of one process: a second one would load all that they need once more. They are less urgent than the
bot, whose moves go first; pictures of tables are drawn here as urgently as there. The process ends
when its standard input does, which is also when the bot was killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO, Final

from bot.computing.protocol import (
    Answered,
    AnswerRequest,
    Counting,
    Failed,
    Stop,
    Warm,
    Warmed,
    framed,
    read_message,
    resident_megabytes,
)
from bot.computing.question import AT_ONCE, Lane
from bot.language.catalogues import speaking

_NICE: Final = 10
_BEGAN_AT: Final = os.nice(0) if hasattr(os, "nice") else 0


class Worker:
    """Takes questions from one pipe and puts answers into another."""

    def __init__(self, asked: BinaryIO, answers: BinaryIO) -> None:
        self._asked = asked
        self._answers = answers
        self._writing = threading.Lock()
        self._stops: dict[int, threading.Event] = {}
        drawing = AT_ONCE[Lane.PICTURE]
        others = sum(AT_ONCE.values()) - drawing
        self._drawing = ThreadPoolExecutor(drawing, "drawing")
        self._threads = ThreadPoolExecutor(others, "computing", initializer=_less_urgent)
        self._warms = False

    def serve(self) -> None:
        """Answer until nobody can ask any more. How many at once is the asking side's affair."""
        while (message := read_message(self._asked)) is not None:
            match message:
                case AnswerRequest():
                    self._stops[message.number] = threading.Event()
                    drawn = message.question.lane is Lane.PICTURE
                    threads = self._drawing if drawn else self._threads
                    threads.submit(self._answer, message)
                case Stop() if (stop := self._stops.get(message.number)) is not None:
                    stop.set()
                case Warm() if not self._warms:
                    self._warms = True
                    threading.Thread(target=self._warm, daemon=True, name="warming").start()

    def _warm(self) -> None:
        """Load the kernels, so that nobody's first question waits for them."""
        from bot.computing.warming import compile_apart, load_kernels, load_players

        began = time.monotonic()
        _less_urgent()
        try:
            compile_apart()
            load_players()
            load_kernels()
        except Exception:
            traceback.print_exc()
            return
        self._send(Warmed(time.monotonic() - began, resident_megabytes()))

    def _answer(self, ask: AnswerRequest) -> None:
        stop = self._stops[ask.number]
        counting = False

        def stopped() -> bool:
            nonlocal counting
            if not counting:
                counting = True
                self._send(Counting(ask.number))
            return stop.is_set()

        try:
            if ask.question.lane is not Lane.LONG:  # it need not call `stopped` at all
                stopped()
            with speaking(ask.language):
                answer = None if stop.is_set() else ask.question.answer(stopped)
            message = framed(Answered(ask.number, answer))
        except Exception as error:
            message = _failure(ask.number, error)
        del self._stops[ask.number]
        self._write(message)

    def _send(self, message: object) -> None:
        self._write(framed(message))

    def _write(self, message: bytes) -> None:
        with self._writing:
            self._answers.write(message)
            self._answers.flush()


def _less_urgent() -> None:
    """Have this thread, and what it starts, wait for others; but on Linux, the whole process."""
    if hasattr(os, "setpriority"):  # called more than once it is still the same
        os.setpriority(os.PRIO_PROCESS, 0, min(_BEGAN_AT + _NICE, 19))


def _failure(number: int, error: Exception) -> bytes:
    try:
        return framed(Failed.of(number, error))
    except Exception:  # it holds something that cannot be sent
        return framed(Failed.of(number, RuntimeError(repr(error))))


def main() -> None:
    """Serve the process that started this one."""
    # Ctrl-C and a service manager signal the whole group: the bot decides when this one ends
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what prints must not end up in the answers
    worker = Worker(sys.stdin.buffer, answers)
    worker.serve()
    os._exit(0)  # without waiting for what is still being counted


if __name__ == "__main__":
    main()

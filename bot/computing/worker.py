"""`python -m bot.computing.worker`: answers questions that arrive on its standard input.

Kernels release the interpreter's lock, so threads of one process compute two long questions in
parallel; a second process would load everything again. These threads have lower priority than the
bot, whose moves go first; pictures of tables are drawn with the bot's priority. The process ends
when its standard input closes, which happens even if the bot is killed.
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
    frame_message,
    read_message,
    resident_megabytes,
)
from bot.computing.question import AT_ONCE, Lane
from bot.language.catalogues import speaking

_NICE: Final = 10
_BEGAN_AT: Final = os.nice(0) if hasattr(os, "nice") else 0


class Worker:
    """Reads questions from one pipe and writes answers to another."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._writing = threading.Lock()
        self._stops: dict[int, threading.Event] = {}
        drawing = AT_ONCE[Lane.PICTURE]
        others = sum(AT_ONCE.values()) - drawing
        self._drawing = ThreadPoolExecutor(drawing, "drawing")
        self._threads = ThreadPoolExecutor(others, "computing", initializer=_lower_priority)
        self._warms = False

    def serve(self) -> None:
        """Answer questions until the input closes. The bot limits how many it sends at once."""
        while (message := read_message(self._requests)) is not None:
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
        """Load the kernels, then report to the bot how long that took."""
        from bot.computing.warming import compile_apart, load_kernels, load_players

        began = time.monotonic()
        _lower_priority()
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
        unreported = ask.limited

        def is_stopped() -> bool:
            nonlocal unreported
            if unreported:
                unreported = False
                self._send(Counting(ask.number))
            return stop.is_set()

        try:
            if ask.question.lane is not Lane.LONG:  # a short question may never call its `stopped`
                is_stopped()
            with speaking(ask.language):
                answer = None if stop.is_set() else ask.question.answer(is_stopped)
            message = frame_message(Answered(ask.number, answer))
        except Exception as error:
            message = _failure(ask.number, error)
        del self._stops[ask.number]
        self._write(message)

    def _send(self, message: object) -> None:
        self._write(frame_message(message))

    def _write(self, message: bytes) -> None:
        with self._writing:
            self._answers.write(message)
            self._answers.flush()


def _lower_priority() -> None:
    """Lower the priority of this thread and of the threads that it starts.

    On macOS, lower the priority of the process; on Windows, do nothing.
    """
    if hasattr(os, "setpriority"):  # may run more than once without harm
        os.setpriority(os.PRIO_PROCESS, 0, min(_BEGAN_AT + _NICE, 19))


def _failure(number: int, error: Exception) -> bytes:
    try:
        return frame_message(Failed.from_error(number, error))
    except Exception:  # it contains something unpicklable
        return frame_message(Failed.from_error(number, RuntimeError(repr(error))))


def main() -> None:
    """Serve the process that started this one until it closes the pipe; then end this process."""
    # Ctrl-C and service managers signal the whole group, but the bot decides when this one ends
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keep prints out of the answers
    worker = Worker(sys.stdin.buffer, answers)
    worker.serve()
    os._exit(0)  # without waiting for running computations


if __name__ == "__main__":
    main()

"""The time limit of a question: the deadline that the question checks, and an alarm."""

from __future__ import annotations

import signal
import sys
from threading import Event, Thread
from time import monotonic

import pytest

from bot.computing.deadline import CompilingAside, OutOfTime, alarm, deadline

needs_alarms = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="Windows has no such signal"
)


def test_a_deadline_is_over_once_its_seconds_are() -> None:
    now = 100.0
    over = deadline(30, lambda: now)
    assert not over()
    now = 129.9
    assert not over()
    now = 130.0
    assert over()


def test_time_stands_still_while_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    warnings: list[float] = []
    monkeypatch.setattr("bot.computing.deadline.monotonic", lambda: now)
    clock = CompilingAside(lambda: warnings.append(now))
    over = deadline(3, clock)
    for at, begins in ((101, True), (102, True), (105, False), (110, False), (111, True)):
        now = at
        clock.compiles(begins)
    now = 120
    assert clock() == 102
    clock.compiles(False)
    assert not over()
    now = 121
    assert over()
    assert warnings == [101]


@needs_alarms
def test_an_alarm_waits_for_a_clock_that_stood_still() -> None:
    times = iter((0.0, 0.005, 0.02))
    with pytest.raises(OutOfTime), alarm(0.01, lambda: next(times)):
        Event().wait(600)
    assert next(times, None) is None


@needs_alarms
def test_work_that_does_not_check_the_time_is_interrupted() -> None:
    handler, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    with pytest.raises(OutOfTime), alarm(0.01):
        Event().wait(600)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert (signal.getitimer(signal.ITIMER_REAL)[0] > 0) == (timer[0] > 0)


@needs_alarms
def test_an_alarm_that_is_lost_rings_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.computing.deadline._AGAIN", 0.01)
    rung = 0
    with alarm(0.01):
        while rung < 3:
            with pytest.raises(OutOfTime):
                Event().wait(600)
            rung += 1
    assert rung == 3


@needs_alarms
def test_an_alarm_that_is_lost_is_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    class Slow:
        def __del__(self) -> None:
            Event().wait(600)

    def lost() -> None:
        Slow()  # whose end swallows the first
        Event().wait(600)

    usual = sys.unraisablehook
    with pytest.raises(OutOfTime), alarm(0.01):
        lost()
    assert sys.unraisablehook is usual
    assert capsys.readouterr().err == ""


@needs_alarms
def test_work_that_ends_in_time_is_not_interrupted() -> None:
    with alarm(0.05):
        finished = True
    Event().wait(0.2)
    assert finished


@needs_alarms
def test_an_alarm_set_by_other_code_still_rings() -> None:
    rung = Event()
    handler = signal.signal(signal.SIGALRM, lambda *_: rung.set())
    before = signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with alarm(60):
            pass
        assert rung.wait(600)
    finally:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *before)


def test_outside_the_main_thread_no_work_is_interrupted() -> None:
    heard: list[bool] = []

    def work() -> None:
        with alarm(0.01):
            heard.append(Event().wait(0.1))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert heard == [False]


def test_a_callback_about_compiling_may_raise_out_of_time() -> None:
    def late() -> None:
        raise OutOfTime

    clock = CompilingAside(late)
    with pytest.raises(OutOfTime):
        clock.compiles(True)
    clock.compiles(False)  # as numba says it however it ends
    assert clock() <= monotonic()

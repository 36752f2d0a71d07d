"""Draw pictures outside the event loop; no message waits longer than 300 ms for one.

A message whose picture takes longer goes out with the picture's words in its place and is edited
when the picture is ready. Pictures are cached for a while by what they show: a showdown's picture
is sent again with the record of its round.

The computing process draws pictures of tables while it is available: a thread here would take the
interpreter from the event loop. Otherwise threads draw them.

The pictures of answers to questions (`/odds`, replays, statistics) have a thread and a cache of
their own, so that however many are asked for, no table's picture waits or is drawn again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import ClassVar, Final, TypeVar
from weakref import WeakKeyDictionary

import structlog

from bot.boards.board import ChartPicture, Picture, ShowdownPicture, StripPicture
from bot.computing.process import Computing
from bot.computing.question import ComputingError, Lane, Question, Stopped
from bot.pictures.cards import showdown_png
from bot.pictures.strip import strip_png

log = structlog.get_logger(__name__)
T = TypeVar("T")

LONGEST_WAIT: Final = 0.3  # seconds
LONGEST_AWAY: Final = 5.0  # seconds that the computing process is given before it is drawn here
KEPT: Final = 128  # pictures, of about 10 kB each; those that are still being drawn beside
# threads of their own: what else is done in threads must not queue behind pictures
_threads: Final = ThreadPoolExecutor(2, thread_name_prefix="pictures")
_kept: OrderedDict[Picture, Future[bytes]] = OrderedDict()
_beside: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-beside")
_kept_beside: OrderedDict[Picture, Future[bytes]] = OrderedDict()
# of running bots, by their event loops
_processes: WeakKeyDictionary[asyncio.AbstractEventLoop, Computing] = WeakKeyDictionary()
_is_beside: Final[ContextVar[bool]] = ContextVar("beside", default=False)
# a task that nobody holds may be collected
_following: set[asyncio.Task[None]] = set()
_asking: set[asyncio.Task[None]] = set()


def drawn_by(computing: Computing) -> None:
    """Have this process draw table pictures while it is available, on this event loop."""
    _processes[asyncio.get_running_loop()] = computing


def beside_tables() -> None:
    """Draw this task's pictures apart from those of tables: it answers a question."""
    _is_beside.set(True)


async def in_time(pictures: Sequence[Picture]) -> dict[Picture, bytes]:
    """Return the pictures as PNGs, without those that are slow or can't be drawn."""
    ordered = {picture: _ordered(picture) for picture in pictures}
    drawing = [asyncio.wrap_future(one) for one in ordered.values() if not one.done()]
    if drawing:
        await asyncio.wait(drawing, timeout=LONGEST_WAIT)
    return {picture: one.result() for picture, one in ordered.items() if _is_drawn(one)}


def ahead(pictures: Sequence[Picture]) -> None:
    """Start drawing pictures that are likely to be needed next, without waiting."""
    for picture in pictures:
        _ordered(picture)


def forget() -> None:
    """Clear all pictures: somebody was forgotten, and pictures have names.

    Callers that wait still get theirs.
    """
    _kept.clear()
    _kept_beside.clear()


async def beside(draw: Callable[[T], bytes], what: T) -> bytes:
    """Draw something else where answers to questions are drawn; don't cache it."""
    return await asyncio.wrap_future(_beside.submit(draw, what))


def _is_drawn(ordered: Future[bytes]) -> bool:
    return ordered.done() and not ordered.cancelled() and ordered.exception() is None


def afterwards(
    pictures: Sequence[Picture], act: Callable[[], Awaitable[object]]
) -> asyncio.Task[None]:
    """Do `act` once the pictures are drawn, unless one can't be; return the task."""

    async def follow() -> None:
        try:
            await asyncio.gather(*(asyncio.wrap_future(_ordered(one)) for one in pictures))
        except Exception:
            log.exception("drawing: a picture could not be drawn")
            return
        await act()

    task = asyncio.create_task(follow(), name="late-picture")
    _following.add(task)
    task.add_done_callback(_followed)
    return task


def give_up() -> None:
    """Stop following pictures: the bot is leaving Discord, and the next start draws them."""
    _processes.pop(asyncio.get_running_loop(), None)
    for task in list(_following):
        task.cancel()


def _followed(task: asyncio.Task[None]) -> None:
    _following.discard(task)
    if not task.cancelled() and task.exception() is not None:
        log.error("drawing: a late picture was not shown", exc_info=task.exception())


def _ordered(picture: Picture) -> Future[bytes]:
    """Return the picture's future, drawn or in progress; retry one that failed."""
    beside = _is_beside.get()
    kept = _kept_beside if beside else _kept
    found = kept.get(picture)
    if found is None or (found.done() and not _is_drawn(found)):
        computing = None if beside else _processes.get(asyncio.get_running_loop())
        if computing is not None and computing.at_hand:
            found = _start_drawing(computing, picture)
        else:
            found = (_beside if beside else _threads).submit(png_of, picture)
        kept[picture] = found
        _forget_the_oldest(kept)
    kept.move_to_end(picture)
    return found


def _forget_the_oldest(kept: OrderedDict[Picture, Future[bytes]]) -> None:
    """Keep at most KEPT pictures. Keep unfinished ones, or they would be ordered twice."""
    for picture in list(islice(kept, max(len(kept) - KEPT, 0))):
        if kept[picture].done():
            del kept[picture]


def _start_drawing(computing: Computing, picture: Picture) -> Future[bytes]:
    """Return the picture's future from the computing process, or from a thread if that fails."""
    found: Future[bytes] = Future()
    found.set_running_or_notify_cancel()  # who waits no more takes it from nobody

    async def ask() -> None:
        try:
            async with asyncio.timeout(LONGEST_AWAY):
                found.set_result(await computing.ask(DrawPicture(picture)))
        except (ComputingError, TimeoutError):
            here = _threads.submit(png_of, picture)
            here.add_done_callback(partial(_hand_on, found))
        except BaseException as error:  # whatever it is, nobody waits for ever
            found.set_exception(error)

    task = asyncio.create_task(ask(), name="picture")
    _asking.add(task)
    task.add_done_callback(_asking.discard)
    return found


def _hand_on(found: Future[bytes], here: Future[bytes]) -> None:
    try:
        found.set_result(here.result())
    except BaseException as error:
        found.set_exception(error)


@dataclass(frozen=True, slots=True)
class DrawPicture(Question[bytes]):
    """A picture of a table as a PNG, for the computing process."""

    picture: Picture
    lane: ClassVar[Lane] = Lane.PICTURE

    def answer(self, stopped: Stopped) -> bytes:
        """Draw it."""
        return png_of(self.picture)


def png_of(picture: Picture) -> bytes:
    """Return a picture as a PNG; the picture's words already have their language."""
    match picture:
        case ChartPicture():
            return picture.chart.png()
        case StripPicture():
            return strip_png(picture.rows)
        case ShowdownPicture():
            return showdown_png(
                picture.rows,
                picture.used,
                middle=picture.middle,
                middle_name=picture.middle_name,
                stands_for=dict(picture.stands_for),
                four_colours=picture.four_colours,
            )

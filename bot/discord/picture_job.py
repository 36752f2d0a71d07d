"""Draw pictures outside the event loop; no message waits longer than 300 ms for one.

A message whose picture takes longer is sent with words in the picture's place, and edited when the
picture is ready. Pictures are cached for a while by their content: a showdown's picture is sent
again with the record of its round.

The computing process draws pictures of tables while it is available: a thread here would keep the
event loop from running. Otherwise threads draw them. Pictures of answers to questions (`/odds`,
replays, statistics) have a thread and a cache of their own, so they never delay a table's picture.
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
LONGEST_AWAY: Final = 5.0  # seconds to wait for the computing process before drawing here
KEPT: Final = 128  # pictures, of about 10 kB each, not counting those still being drawn
# threads of their own: other work in threads must not queue behind pictures
_threads: Final = ThreadPoolExecutor(2, thread_name_prefix="pictures")
_cache: OrderedDict[Picture, Future[bytes]] = OrderedDict()
_apart: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-apart")
_question_cache: OrderedDict[Picture, Future[bytes]] = OrderedDict()
# by event loop, the computing process of its running bot
_processes: WeakKeyDictionary[asyncio.AbstractEventLoop, Computing] = WeakKeyDictionary()
_is_apart: Final[ContextVar[bool]] = ContextVar("apart", default=False)
# these keep a reference to each task, which might be collected otherwise
_following: set[asyncio.Task[None]] = set()
_asking: set[asyncio.Task[None]] = set()


def draw_with(computing: Computing) -> None:
    """Have `computing` draw this event loop's pictures while it is available."""
    _processes[asyncio.get_running_loop()] = computing


def draw_apart() -> None:
    """From now on, draw this task's pictures in the thread for pictures of answers."""
    _is_apart.set(True)


async def in_time(pictures: Sequence[Picture]) -> dict[Picture, bytes]:
    """Return the PNGs of the pictures that are drawn within `LONGEST_WAIT`; omit the others."""
    ordered = {picture: _order(picture) for picture in pictures}
    drawing = [asyncio.wrap_future(future) for future in ordered.values() if not future.done()]
    if drawing:
        await asyncio.wait(drawing, timeout=LONGEST_WAIT)
    return {picture: future.result() for picture, future in ordered.items() if _is_drawn(future)}


def draw_ahead(pictures: Sequence[Picture]) -> None:
    """Start drawing pictures that are likely to be needed next, without waiting."""
    for picture in pictures:
        _order(picture)


def forget() -> None:
    """Clear all pictures, since they may show the name of a person who was forgotten.

    Callers already waiting still get theirs.
    """
    _cache.clear()
    _question_cache.clear()


async def draw_uncached(draw: Callable[[T], bytes], subject: T) -> bytes:
    """Draw `subject` with `draw` in the thread for answers to questions; don't cache it."""
    return await asyncio.wrap_future(_apart.submit(draw, subject))


def _is_drawn(future: Future[bytes]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def act_when_drawn(
    pictures: Sequence[Picture], act: Callable[[], Awaitable[object]]
) -> asyncio.Task[None]:
    """Start and return a task that calls `act` once all pictures are drawn.

    The task doesn't call `act` if a picture can't be drawn.
    """

    async def follow() -> None:
        try:
            await asyncio.gather(*(asyncio.wrap_future(_order(picture)) for picture in pictures))
        except Exception:
            log.exception("drawing: a picture could not be drawn")
            return
        await act()

    task = asyncio.create_task(follow(), name="late-picture")
    _following.add(task)
    task.add_done_callback(_finish_following)
    return task


def give_up() -> None:
    """Cancel the tasks of `act_when_drawn`, and undo `draw_with`: the bot is leaving Discord."""
    _processes.pop(asyncio.get_running_loop(), None)
    for task in list(_following):
        task.cancel()


def _finish_following(task: asyncio.Task[None]) -> None:
    _following.discard(task)
    if not task.cancelled() and task.exception() is not None:
        log.error("drawing: a late picture was not shown", exc_info=task.exception())


def _order(picture: Picture) -> Future[bytes]:
    """Return the future of the picture's PNG; start drawing unless it is done or in progress."""
    apart = _is_apart.get()
    cache = _question_cache if apart else _cache
    future = cache.get(picture)
    if future is None or (future.done() and not _is_drawn(future)):
        computing = None if apart else _processes.get(asyncio.get_running_loop())
        if computing is not None and computing.at_hand:
            future = _start_drawing(computing, picture)
        else:
            future = (_apart if apart else _threads).submit(png_of, picture)
        cache[picture] = future
        _forget_the_oldest(cache)
    cache.move_to_end(picture)
    return future


def _forget_the_oldest(cache: OrderedDict[Picture, Future[bytes]]) -> None:
    """Keep at most `KEPT` finished pictures, and all unfinished ones."""
    for picture in list(islice(cache, max(len(cache) - KEPT, 0))):
        if cache[picture].done():
            del cache[picture]


def _start_drawing(computing: Computing, picture: Picture) -> Future[bytes]:
    """Return the picture's future from the computing process, or from a thread if that fails."""
    future: Future[bytes] = Future()
    # so that a caller who cancels doesn't cancel it for the others
    future.set_running_or_notify_cancel()

    async def ask() -> None:
        try:
            async with asyncio.timeout(LONGEST_AWAY):
                future.set_result(await computing.ask(DrawPicture(picture)))
        except (ComputingError, TimeoutError):
            drawn_here = _threads.submit(png_of, picture)
            drawn_here.add_done_callback(partial(_hand_on, future))
        except BaseException as error:  # whatever the error, no caller may wait for ever
            future.set_exception(error)

    task = asyncio.create_task(ask(), name="picture")
    _asking.add(task)
    task.add_done_callback(_asking.discard)
    return future


def _hand_on(future: Future[bytes], drawn_here: Future[bytes]) -> None:
    try:
        future.set_result(drawn_here.result())
    except BaseException as error:
        future.set_exception(error)


@dataclass(frozen=True, slots=True)
class DrawPicture(Question[bytes]):
    """A question for the computing process: a picture of a table as a PNG."""

    picture: Picture
    lane: ClassVar[Lane] = Lane.PICTURE

    def answer(self, stopped: Stopped) -> bytes:
        """Return the PNG."""
        return png_of(self.picture)


def png_of(picture: Picture) -> bytes:
    """Return a picture as a PNG; its texts are already in the language of its readers."""
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

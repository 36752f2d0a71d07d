"""Pictures, drawn beside the event loop; no message waits for one longer than 300 ms.

A message whose picture takes longer goes out with the picture's words in its place and is edited
when it is there. What was drawn is kept for a while by what it shows: a showdown's picture is sent
again with the record of its round, a hand's with the seat and the direct message.

The pictures of answers to questions (`/odds`, replays, statistics) have a thread and a memory of
their own, so that however many are asked for, no table's picture waits or is drawn again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Final

import structlog

from bot.boards.board import (
    ChartPicture,
    GridPicture,
    HandPicture,
    Picture,
    ScorecardPicture,
    ShowdownPicture,
    StandingsPicture,
    StripPicture,
)
from bot.pictures.cards import hand_png, showdown_png
from bot.pictures.scorecard import scorecard_png
from bot.pictures.standings import standings_png
from bot.pictures.strip import strip_png

log = structlog.get_logger(__name__)

LONGEST_WAIT: Final = 0.3  # seconds
KEPT: Final = 64  # pictures, of about 30 kB each
# threads of their own: what else is done in threads must not queue behind pictures
_threads: Final = ThreadPoolExecutor(2, thread_name_prefix="pictures")
_kept: OrderedDict[Picture, Future[bytes]] = OrderedDict()
_beside: Final = ThreadPoolExecutor(1, thread_name_prefix="pictures-beside")
_kept_beside: OrderedDict[Picture, Future[bytes]] = OrderedDict()
_is_beside: Final[ContextVar[bool]] = ContextVar("beside", default=False)
_following: set[asyncio.Task[None]] = set()  # a task that nobody holds may be collected


def beside_tables() -> None:
    """From here on this task has pictures drawn beside those of tables: it answers a question."""
    _is_beside.set(True)


async def in_time(pictures: Sequence[Picture]) -> dict[Picture, bytes]:
    """The pictures as PNGs, without those that are not drawn soon or cannot be drawn at all."""
    ordered = {picture: _ordered(picture) for picture in pictures}
    drawing = [asyncio.wrap_future(one) for one in ordered.values() if not one.done()]
    if drawing:
        await asyncio.wait(drawing, timeout=LONGEST_WAIT)
    return {picture: one.result() for picture, one in ordered.items() if _is_drawn(one)}


def ahead(pictures: Sequence[Picture]) -> None:
    """Have pictures drawn that are likely to be wanted next; nobody waits for them."""
    for picture in pictures:
        _ordered(picture)


def forget() -> None:
    """Keep no picture: somebody was forgotten, and pictures have names. Who waits gets theirs."""
    _kept.clear()
    _kept_beside.clear()


def _is_drawn(ordered: Future[bytes]) -> bool:
    return ordered.done() and not ordered.cancelled() and ordered.exception() is None


def afterwards(pictures: Sequence[Picture], act: Callable[[], Awaitable[object]]) -> None:
    """Do `act` once the pictures are drawn, unless one of them cannot be."""

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


def give_up() -> None:
    """Follow no picture any more: Discord is being left, and the next start draws them."""
    for task in list(_following):
        task.cancel()


def _followed(task: asyncio.Task[None]) -> None:
    _following.discard(task)
    if not task.cancelled() and task.exception() is not None:
        log.error("drawing: a late picture was not shown", exc_info=task.exception())


def _ordered(picture: Picture) -> Future[bytes]:
    """The picture being drawn, or drawn already; one that failed is tried anew."""
    kept, threads = (_kept_beside, _beside) if _is_beside.get() else (_kept, _threads)
    found = kept.get(picture)
    if found is None or (found.done() and not _is_drawn(found)):
        found = kept[picture] = threads.submit(_draw, picture)
        while len(kept) > KEPT:
            kept.popitem(last=False)
    kept.move_to_end(picture)
    return found


def _draw(picture: Picture) -> bytes:
    match picture:
        case HandPicture():
            return hand_png(picture.cards, four_colours=picture.four_colours)
        case ChartPicture():
            from bot.pictures.bar_chart import chart_png

            return chart_png(picture.chart)
        case GridPicture():
            from bot.pictures.heat_map import heat_map_png

            return heat_map_png(picture.grid)
        case StripPicture():
            return strip_png(picture.rows)
        case ScorecardPicture():
            return scorecard_png(picture.card)
        case StandingsPicture():
            return standings_png(picture.standings)
        case ShowdownPicture():
            return showdown_png(
                picture.rows,
                picture.used,
                middle=picture.middle,
                middle_name=picture.middle_name,
                stands_for=dict(picture.stands_for),
                four_colours=picture.four_colours,
            )

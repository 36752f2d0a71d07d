"""Work in a thread that nobody waits for when the screen is closed.

A first choice may compile for half a minute. The event loop's own threads are waited for when it
closes; who leaves meanwhile would look at a screen that does not go away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_background(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What `function` returns, called in a thread of its own. Raises what it raises."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def tell(settle: Callable[[T], None] | Callable[[Exception], None], value: object) -> None:
        if not result.done():  # nobody waits for it any more
            settle(value)  # type: ignore[arg-type]

    def run() -> None:
        try:
            found = function(*args, **named)
        except Exception as error:
            told, value = result.set_exception, error
        else:
            told, value = result.set_result, found  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, told, value)

    Thread(target=run, daemon=True).start()
    return await result

"""`python -m bot.sandbox`: the local Discord in its own process."""

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from pathlib import Path

from bot.sandbox.limits import Limit, no_limits
from bot.sandbox.world import LOOPBACK, Sandbox


def main() -> int:
    """Run until stopped, and return the exit status: 2 for a bad file or port, else 0.

    SIGTERM, Ctrl-C and, with `--until-eof`, the end of standard input stop it.
    """
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", choices=LOOPBACK)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep everything in this file")
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help="end when standard input does, as it does when the process that holds it is killed",
    )
    parser.add_argument(
        "--requests-per-second",
        type=int,
        default=0,
        help="of the bot, answers aside: 50 at Discord; 0, the default, takes all that come",
    )
    parser.add_argument(
        "--no-emoji", action="store_true", help="the bot may have no emoji of its own"
    )
    parser.add_argument(
        "--unlimited",
        action="store_true",
        help="enforce no limit of a channel's messages, of old ones, of an interaction's token",
    )
    arguments = parser.parse_args()
    if arguments.requests_per_second < 0:
        parser.error("expected limits such as --requests-per-second 50; 0 takes all that come")
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        asyncio.run(_serve(arguments))
    except (ValueError, OSError, OverflowError) as error:
        sys.stderr.write(f"bot.sandbox: {error}\n")
        return 2
    return 0


async def _serve(arguments: argparse.Namespace) -> None:
    world = Sandbox(state_file=arguments.state)
    if arguments.no_emoji:
        world.emoji_room = 0
    if arguments.unlimited:
        world.limits = no_limits()
    world.limits.everywhere = Limit(arguments.requests_per_second, 1.0)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends asyncio.run itself
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    if arguments.until_eof:
        _stop_at_end_of_input(stop)
    address = await world.start(arguments.port, arguments.host)
    if not world.state.guilds:
        world.furnish()
    sys.stdout.write(f"The local Discord, a simulation, is at {address}\n")
    sys.stdout.flush()
    try:
        await stop.wait()
    finally:
        await world.stop()


def _stop_at_end_of_input(stop: asyncio.Event) -> None:
    """Set `stop` when standard input ends. A thread waits, as the event loop can't on Windows."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        # not sys.stdin, whose lock this thread would hold at the interpreter's end
        while os.read(sys.stdin.fileno(), 4096):
            pass
        with contextlib.suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=wait, name="end-of-input", daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())

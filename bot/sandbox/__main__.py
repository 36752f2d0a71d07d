"""`python -m bot.sandbox`: the local Discord as a process of its own."""

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

from bot.sandbox.world import LOOPBACK, Sandbox


def main() -> int:
    """Run until SIGTERM or Ctrl-C. Exit code 2 for a bad argument, file or port."""
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", choices=LOOPBACK)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep everything in this file")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        asyncio.run(_serve(arguments.host, arguments.port, arguments.state))
    except (ValueError, OSError, OverflowError) as error:
        sys.stderr.write(f"bot.sandbox: {error}\n")
        return 2
    return 0


async def _serve(host: str, port: int, state_file: Path | None) -> None:
    world = Sandbox(state_file=state_file)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends asyncio.run itself
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    address = await world.start(port, host)
    if not world.state.guilds:
        world.furnish()
    sys.stdout.write(f"The local Discord, a simulation, is at {address}\n")
    sys.stdout.flush()
    try:
        await stop.wait()
    finally:
        await world.stop()


if __name__ == "__main__":
    sys.exit(main())

"""A connection to PostgreSQL that can be cut: one for each process of the bot."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path


class Relay:
    """Passes bytes on between a TCP port and the server's socket, unless it is cut.

    `port` is 0 until `start` was called.
    """

    def __init__(self, server: Path) -> None:
        self._server = server
        self._open: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self._cut = False
        self._listening: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        """Listen on a free port."""
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cut every connection and stop listening."""
        self.cut()
        if self._listening is not None:
            self._listening.close()
        for task in list(self._passing):
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def cut(self) -> None:
        """End every connection, and refuse new ones until `mend` is called."""
        self._cut = True
        for writer in list(self._open):
            writer.transport.abort()

    def mend(self) -> None:
        """Let connections through again."""
        self._cut = False

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        answers, back = await asyncio.open_unix_connection(self._server)
        self._open |= {writer, back}
        both = (self._pass_on(reader, back), self._pass_on(answers, writer))
        tasks = {asyncio.create_task(stream) for stream in both}
        self._passing |= tasks
        for task in tasks:
            task.add_done_callback(self._passing.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        self._open.discard(writer)
        writer.transport.abort() if self._cut else writer.close()

"""The local Discord as a child process, for `bluffhouse sandbox`.

A process of its own, so that either side can be killed without the other.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final, Self

STOP_SECONDS: Final = 5.0
FREE_PORT: Final = 8418  # an example of one that is free more often than not
LAST_PORT: Final = 65_535


class PortTaken(Exception):
    """Nothing can listen on the wanted port; `str()` is a sentence fit to be shown."""


class NotStarted(Exception):
    """The local Discord ended at once; it has said why on standard error."""


class LocalDiscord:
    """Start `python -m bot.sandbox` on entering, stop it on leaving."""

    def __init__(self, port: int, state: Path) -> None:
        self._port = port
        self._state = state
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    @property
    def api_url(self) -> str:
        """Where the bot's requests go."""
        return f"{self.address}/api/v10"

    @property
    def gateway_url(self) -> str:
        """Where the bot's gateway is."""
        return f"{self.address.replace('http', 'ws', 1)}/gateway"

    def __enter__(self) -> Self:
        _try(self._port)
        # a session of its own: Ctrl-C must reach the bot first, which then stops the emulator
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "bot.sandbox",
                "--port",
                str(self._port),
                "--state",
                str(self._state),
                "--until-eof",  # should this process be killed, no emulator is left behind
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.address = line.rsplit(" ", 1)[-1].strip()
        if not self.address.startswith("http"):
            self._stop()
            raise NotStarted
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _try(port: int) -> None:
    """Raise `PortTaken` if nothing could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            raise PortTaken(
                f"port {port} is not permitted to you; choose one from 1024 on, such as"
                f" bluffhouse sandbox --port {FREE_PORT}"
            ) from None
        except OSError:
            other = port + 1 if port < LAST_PORT else FREE_PORT
            raise PortTaken(
                f"port {port} is in use; choose another, such as bluffhouse sandbox --port {other}"
            ) from None

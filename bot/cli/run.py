"""`bluffhouse run`: the bot in a real server; `bluffhouse sandbox`: the bot and a local Discord.

The local Discord is a process of its own, so that either side can be killed without the other.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import click

from bot.cli.output import refuse
from bot.cli.parameters import WholeNumber
from bot.cli.settings import (
    CONFIGURATION,
    TRY_LATER,
    chosen_settings,
    config_option,
    refusing_storage,
)

if TYPE_CHECKING:
    from bot.settings.config import Settings

SANDBOX_PORT: Final = 8417
STOP_SECONDS: Final = 5.0  # for the local Discord
FREE_PORT: Final = 8418  # an example of one that is free more often than not
LAST_PORT: Final = 65_535
_NO_SUCH_PLACE: Final = (400, 404, 405)  # whoever answers there is not, or not there, Discord
REFUSED_TOKEN: Final = (
    "that is not a token Discord takes: copy it anew from the Bot page of your application"
)


@click.command()
@config_option
def run(config: Path | None) -> None:
    """Serve a real Discord server. The token comes from DISCORD_TOKEN or DISCORD_TOKEN_FILE."""
    from bot.settings.config import may_be_token

    settings = chosen_settings(config)
    _refuse_contradictions(settings)
    token = settings.discord.token
    if not token:
        raise refuse(
            "no token: put the bot's token in the environment, such as"
            " DISCORD_TOKEN=... bluffhouse run, or name a file that holds it in DISCORD_TOKEN_FILE",
            CONFIGURATION,
        )
    if not may_be_token(token.get_secret_value()):
        raise refuse(REFUSED_TOKEN, CONFIGURATION)
    _serve(settings, token.get_secret_value())
    _leave()


@click.command()
@click.option(
    "--port",
    type=WholeNumber(SANDBOX_PORT, 0, LAST_PORT),
    default=SANDBOX_PORT,
    help="Port of the page; 0 means any free one.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    default=Path("data/sandbox"),
    help="Where tables and messages are kept.",
)
def sandbox(port: int, data: Path) -> None:
    """Play right here: a local Discord, in a browser."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse(
            f"{data} cannot be made ({error.strerror}); expected a directory that may be written"
            " to. Example: --data data/sandbox"
        ) from None
    if not os.access(data, os.W_OK | os.X_OK):
        raise refuse(
            f"{data} cannot be written by this user; expected a directory that may be written to."
            " Example: --data data/sandbox"
        )
    settings = chosen_settings(None)
    try:
        with LocalDiscord(port, data / "discord.json") as local:
            here = settings.model_copy(
                update={
                    "discord": settings.discord.model_copy(
                        update={"api_url": local.api_url, "gateway_url": local.gateway_url}
                    ),
                    "database": settings.database.model_copy(
                        update={"path": data / "bluffhouse.db", "url": None, "direct_url": None}
                    ),
                    "shards": type(settings.shards)(),  # this process is the whole bot
                }
            )
            click.echo(f"Open {local.address} and play. Ctrl-C stops it; the tables are kept.")
            _serve(here, "sandbox")
    except PortTaken as error:
        raise refuse(str(error), CONFIGURATION) from None
    except SandboxNotStarted:  # it has said why
        raise click.exceptions.Exit(CONFIGURATION) from None
    _leave()


def _refuse_contradictions(settings: Settings) -> None:
    """Refuse shards that contradict each other, or the database."""
    from bot.settings.config import ConfigError

    try:
        settings.served()
    except ConfigError as error:
        raise refuse(str(error), CONFIGURATION) from None


def _leave() -> None:
    """End the process at once: everything is closed, and only unwanted threads may still work.

    The interpreter would wait for whoever draws a picture that nobody will see.
    """
    import logging

    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _serve(settings: Settings, token: str) -> None:
    import asyncio

    import aiohttp
    import discord

    from bot.app import main
    from bot.cli.discord_checks import NO_IPV4, has_ipv4
    from bot.discord.duplicate_instance import AnotherAnswers
    from bot.discord.sessions import NoSession, NotDiscord, why_ended
    from bot.operations import logs
    from bot.operations.error_reports import CannotReport
    from bot.operations.health import CannotServe
    from bot.settings.proxies import NoSuchProxy, passwords, without_passwords

    secrets = (*settings.secrets, *passwords())
    logs.configure(settings.logs.format, settings.logs.level, secrets)
    try:
        with refusing_storage():
            asyncio.run(main(settings, token))
    except discord.LoginFailure:
        raise refuse(REFUSED_TOKEN, CONFIGURATION) from None
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired, NoSession) as error:
        ended = why_ended(error)
        raise refuse(ended.sentence, CONFIGURATION if ended.lasting else TRY_LATER) from None
    except (AnotherAnswers, CannotReport, CannotServe, NoSuchProxy, NotDiscord) as error:
        raise refuse(str(error), CONFIGURATION) from None
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError) as error:
        other = settings.discord.api_url
        lasting = other and getattr(error, "status", None) in _NO_SUCH_PLACE
        look_at = "discord.api_url" if lasting else "the network, then start again"
        if isinstance(error, OSError) and not has_ipv4():
            look_at += f". {NO_IPV4}"
        raise refuse(
            f"Discord cannot be reached{f' at {other}' if other else ''}"
            f" ({without_passwords(str(error))});"
            f" look at {look_at}",
            CONFIGURATION if lasting else TRY_LATER,
        ) from None
    except KeyboardInterrupt:
        pass


class PortTaken(Exception):
    """Nothing can listen on the wanted port; `str()` is a sentence fit to be shown."""


class SandboxNotStarted(Exception):
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
            raise SandboxNotStarted
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

"""`bluffhouse run`: the bot in a real server; `bluffhouse sandbox`: the bot and a local Discord.

The local Discord is a separate process, so that either side can be killed without the other.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import TRY_LATER, refuse
from bot.cli.parameters import WholeNumber
from bot.cli.settings import (
    CONFIGURATION,
    chosen_settings,
    config_option,
    refusing_storage,
)

if TYPE_CHECKING:
    from bot.settings.config import Settings

SANDBOX_PORT: Final = 8417
STOP_SECONDS: Final = 5.0  # seconds for the local Discord to stop
FREE_PORT: Final = 8418  # suggested if a port is taken
LAST_PORT: Final = 65_535
# statuses that mean: the server there isn't Discord, or has no API at this path
_NO_SUCH_PLACE: Final = (400, 404, 405)
REFUSED_TOKEN: Final = (
    "Discord doesn't accept that token: copy it again from your application's Bot page"
)


@click.command()
@config_option
def run(config: Path | None) -> None:
    """Serve a real Discord server. The token comes from DISCORD_TOKEN or DISCORD_TOKEN_FILE."""
    from bot.settings.config import ConfigError, may_be_token

    settings = chosen_settings(config)
    try:
        settings.own_shards()
    except ConfigError as error:
        raise refuse(str(error), CONFIGURATION) from None
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
    help="The port to serve the page on; 0 picks a free one.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    default=Path("data/sandbox"),
    help="Where tables and messages are kept.",
)
def sandbox(port: int, data: Path) -> None:
    "Play right here, in a local Discord in your browser."
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse(
            f"{data} can't be created ({error.strerror}); expected a directory you can write"
            " to. Example: --data data/sandbox"
        ) from None
    if not os.access(data, os.W_OK | os.X_OK):
        raise refuse(
            f"{data} isn't writable by this user; expected a directory you can write to."
            " Example: --data data/sandbox"
        )
    settings = chosen_settings(None)
    with _local_discord(port, data / "discord.json") as address:
        gateway = f"{address.replace('http', 'ws', 1)}/gateway"
        discord = {"api_url": f"{address}/api/v10", "gateway_url": gateway}
        database = {"path": data / "bluffhouse.db", "url": None, "direct_url": None}
        sandbox_settings = settings.model_copy(
            update={
                "discord": settings.discord.model_copy(update=discord),
                "database": settings.database.model_copy(update=database),
                "shards": type(settings.shards)(),  # this process is the whole bot
                "updates": type(settings.updates)(check=False),
            }
        )
        click.echo(f"Open {address} and play. Ctrl-C stops it; your tables are kept.")
        _serve(sandbox_settings, "sandbox")
    _leave()


def _leave() -> None:
    """End the process at once with exit code 0; never returns.

    Unlike the interpreter, it doesn't wait for threads that draw pictures no one will see.
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
    from bot.settings.proxies import UnusableProxy, passwords, without_passwords

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
    except (AnotherAnswers, CannotReport, CannotServe, UnusableProxy, NotDiscord) as error:
        raise refuse(str(error), CONFIGURATION) from None
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError) as error:
        address = settings.discord.api_url
        lasting = address and getattr(error, "status", None) in _NO_SUCH_PLACE
        look_at = "discord.api_url" if lasting else "the network, then start again"
        if isinstance(error, OSError) and not has_ipv4():
            look_at += f". {NO_IPV4}"
        raise refuse(
            f"can't reach Discord{f' at {address}' if address else ''}"
            f" ({without_passwords(str(error))});"
            f" check {look_at}",
            CONFIGURATION if lasting else TRY_LATER,
        ) from None
    except KeyboardInterrupt:
        pass


@contextlib.contextmanager
def _local_discord(port: int, state: Path) -> Iterator[str]:
    """Run `python -m bot.sandbox` during the block; yield its address. Refuse a port in use."""
    _try(port)
    # in its own process group: Ctrl-C must reach only the bot, which then stops the emulator
    process = subprocess.Popen(
        [
            *(
                sys.executable,
                "-P",
                "-m",
                "bot.sandbox",
                "--port",
                str(port),
                "--state",
                str(state),
            ),
            "--until-eof",  # if this process is killed, the emulator ends too
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = process.stdout.readline().rsplit(" ", 1)[-1].strip()
        if not address.startswith("http"):  # it has reported the reason on standard error
            raise click.exceptions.Exit(CONFIGURATION)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()


def _try(port: int) -> None:
    """Refuse a port that is in use or not allowed."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            raise refuse(
                f"port {port} isn't allowed; choose one from 1024 up, such as"
                f" bluffhouse sandbox --port {FREE_PORT}",
                CONFIGURATION,
            ) from None
        except OSError:
            free = port + 1 if port < LAST_PORT else FREE_PORT
            raise refuse(
                f"port {port} is in use; choose another, such as bluffhouse sandbox --port {free}",
                CONFIGURATION,
            ) from None

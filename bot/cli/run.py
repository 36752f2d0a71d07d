"""`bluffhouse run`: the bot in a real server; `bluffhouse sandbox`: the bot and a local Discord."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.cli import app
from bot.cli.failing import refuse
from bot.cli.settings import CONFIGURATION, TRY_LATER, ConfigFile, chosen_settings, refusing_storage

if TYPE_CHECKING:
    from bot.settings.config import Settings

SANDBOX_PORT: Final = 8417
_NO_SUCH_PLACE: Final = (400, 404, 405)  # whoever answers there is not, or not there, Discord
REFUSED_TOKEN: Final = (
    "that is not a token Discord takes: copy it anew from the Bot page of your application"
)


@app.command()
def run(config: ConfigFile = None) -> None:
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


@app.command()
def sandbox(
    port: Annotated[
        int, typer.Option(help="Port of the page; 0 means any free one.", min=0, max=65535)
    ] = SANDBOX_PORT,
    data: Annotated[Path, typer.Option(help="Where tables and messages are kept.")] = Path(
        "data/sandbox"
    ),
) -> None:
    """Play right here: a local Discord, in a browser."""
    from bot.cli.local import LocalDiscord, NotStarted, PortTaken

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
            typer.echo(f"Open {local.address} and play. Ctrl-C stops it; the tables are kept.")
            _serve(here, "sandbox")
    except PortTaken as error:
        raise refuse(str(error), CONFIGURATION) from None
    except NotStarted:  # it has said why
        raise typer.Exit(CONFIGURATION) from None
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
    import sys

    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _serve(settings: Settings, token: str) -> None:
    import asyncio

    import aiohttp
    import discord

    from bot.app import main
    from bot.cli.online import NO_IPV4, has_ipv4
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

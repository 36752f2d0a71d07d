"""`bluffhouse setup`: from a token to a bot that can start, by questions.

It writes into the current folder: the token's file and the settings, both readable by this user
only, and on request a systemd unit. It asks before it overwrites anything, and writes nothing until
Discord has accepted the token. docs/hosting.md has the same steps, for when nobody can answer
questions.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.cli.output import TRY_LATER, confirm, paragraph, refuse, write_file
from bot.cli.settings import chosen_settings
from engine.errors import printable

if TYPE_CHECKING:
    from bot.cli.portal import Application

TOKEN: Final = Path("token")
CONFIG: Final = Path("config.toml")
UNIT: Final = Path("bluffhouse.service")
SETTINGS: Final = """\
# Bluffhouse's settings. Everything else has a default: docs/hosting.md lists them.
[database]
path = "data/bluffhouse.db"

[backups]
every_hours = 24
folder = "data/backups"
"""

# of a unit that root installs
_ROOTS: Final = """\
DynamicUser=yes
StateDirectory=bluffhouse
CacheDirectory=bluffhouse
WorkingDirectory=%S/bluffhouse
LoadCredential={token}:{folder}/{token}
LoadCredential={config}:{folder}/{config}
Environment=DISCORD_TOKEN_FILE=%d/{token}
Environment=BLUFFHOUSE_CONFIG=%d/{config}
Environment=BLUFFHOUSE_DATABASE__PATH=%S/bluffhouse/bluffhouse.db
Environment=NUMBA_CACHE_DIR=%C/bluffhouse
"""


@click.command()
def setup() -> None:
    """Set up the bot for your Discord server, by questions.

    Checks the token with Discord, says what to change in its developer portal, and writes the token
    file and the settings into this folder. Existing files are kept unless you agree.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise refuse(
            "setup asks questions, so it needs a terminal; without one, write the token into a file"
            " yourself. Example: DISCORD_TOKEN_FILE=token bluffhouse run"
        )
    from bot.cli.portal import PORTAL

    _check_folder()
    api_url = chosen_settings(None).discord.api_url
    _say(
        f"Create an application at {PORTAL}, press Reset Token on its Bot page, and copy the token."
    )
    token, application = _ask_token(api_url)
    _say(f"Discord knows this bot as {printable(application.name)}.")
    for sentence in application.wrong:
        _say(f"To change in the portal: {sentence}.")
    if _may_write(TOKEN):
        write_file(TOKEN, f"{token}\n".encode(), own=True)
    if _may_write(CONFIG):
        write_file(CONFIG, SETTINGS.encode(), own=True)
    installs = sys.platform.startswith("linux") and _offer_unit()
    click.echo()
    _say("Add the bot to your server with this link:")
    click.echo(application.invite)
    _say(
        f"Start the bot{' by hand' if installs else ''}: DISCORD_TOKEN_FILE={TOKEN} bluffhouse run"
    )


def _check_folder() -> None:
    """Refuse a current folder in which the files can't be written."""
    if not os.access(Path.cwd(), os.W_OK | os.X_OK):
        raise refuse(
            f"{Path.cwd()} can't be written by this user; expected a folder of your own. Example:"
            " mkdir ~/bluffhouse && cd ~/bluffhouse && bluffhouse setup"
        )
    for file in (TOKEN, CONFIG, UNIT):
        if file.exists() and not file.is_file():
            raise refuse(f"{file} exists but isn't a file; move it. Example: mv {file} {file}.old")


def _say(text: str) -> None:
    click.echo(paragraph(text))


def _ask_token(api_url: str | None) -> tuple[str, Application]:
    """Ask for a token until Discord accepts one; return the token and its application.

    If Discord can't be asked, end the command.
    """
    import asyncio

    import aiohttp

    from bot.cli.portal import NoDiscord, TokenRefused, fetch_application
    from bot.settings.config import may_be_token
    from bot.settings.proxies import UnusableProxy, without_passwords

    while True:
        token = click.prompt("Token (not shown)", hide_input=True).strip()
        if not may_be_token(token):
            _say("A token has only plain letters, digits and signs, without spaces: copy it again.")
            continue
        try:
            return token, asyncio.run(fetch_application(token, api_url))
        except TokenRefused:
            _say("Discord doesn't accept that token: copy it again from the Bot page.")
        except (UnusableProxy, NoDiscord) as error:
            raise refuse(f"{error}; nothing was written") from None
        except (aiohttp.ClientError, TimeoutError) as error:
            why = without_passwords(str(error)) or type(error).__name__
            raise refuse(
                f"can't reach Discord ({why}), so nothing was written; check the network", TRY_LATER
            ) from None


def _may_write(file: Path) -> bool:
    """Return whether to write `file`: it is new, or the user agrees to overwrite it."""
    if not (file.is_symlink() or file.exists()):
        return True
    if confirm(f"{file} exists. Overwrite it?"):
        return True
    click.echo(f"Kept {file} as it was")
    return False


def _offer_unit() -> bool:
    """Write a systemd unit if the user wants one; return whether it was written."""
    python, everyone = Path(sys.executable), os.geteuid() == 0
    if everyone and not _open_to_others(python):
        _say(
            "For a systemd unit, install Bluffhouse where other users can read it, such as in"
            f" /opt, and run setup again: a service's own user can't read {python}."
        )
        return False
    if not confirm("Write a systemd unit that starts the bot with this machine?"):
        return False
    if not _may_write(UNIT):
        return False
    place = Path.cwd() / UNIT
    write_file(UNIT, unit(Path.cwd(), python, everyone=everyone).encode())
    _say("To install it, after you've added the bot to your server:")
    if everyone:
        click.echo(f'systemctl enable --now "{place}"')
    else:
        click.echo(f'systemctl --user enable --now "{place}"\nloginctl enable-linger')
    return True


def _open_to_others(program: Path) -> bool:
    """Return whether every user can run a program: the file and each folder that leads to it."""
    ways = {program.absolute(), program.resolve()}
    return all(place.stat().st_mode & stat.S_IXOTH for way in ways for place in (way, *way.parents))


def unit(folder: Path, python: Path, *, everyone: bool) -> str:
    """Return a systemd unit that runs the bot with the token and the settings of `folder`.

    If `everyone`, the unit is for root to install: systemd creates a user for the bot, which keeps
    the database in a folder of its own. Otherwise the unit is this user's own, with the database in
    `folder`.
    """
    place, program = (str(path).replace("%", "%%") for path in (folder, python))
    quoted = program.replace("\\", "\\\\").replace('"', '\\"')
    if everyone:
        service = _ROOTS.format(folder=place, token=TOKEN, config=CONFIG)
    else:
        service = f"WorkingDirectory={place}\nEnvironment=DISCORD_TOKEN_FILE={TOKEN}\n"
    target = "multi-user.target" if everyone else "default.target"
    return f"""\
[Unit]
Description=Bluffhouse, a Discord bot

[Service]
Type=exec
ExecStart="{quoted}" -P -m bluffhouse run
{service}UMask=0077
NoNewPrivileges=yes
Restart=on-failure
RestartSec=10
# 78 is what starting again can't mend: a refused token, a wrong setting
RestartPreventExitStatus=78
TimeoutStopSec=15

[Install]
WantedBy={target}
"""

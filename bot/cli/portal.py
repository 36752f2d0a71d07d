"""The bot's application in Discord's developer portal: what to change there, and an invite link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.cli.discord_checks import API, WITHIN
from bot.settings.proxies import proxy_for

PORTAL: Final = "https://discord.com/developers/applications"
# bits of the application's flags (https://discord.com/developers/docs/resources/application); each
# intent has two, for bots in few servers (limited) and in many
_INTENTS: Final = {
    "Presence Intent": 1 << 12 | 1 << 13,
    "Server Members Intent": 1 << 14 | 1 << 15,
    "Message Content Intent": 1 << 18 | 1 << 19,
}
_INSTALLS: Final = {"0": "Guild Install", "1": "User Install"}
_SCOPES: Final = {"0": ("bot", "applications.commands"), "1": ("applications.commands",)}


class TokenRefused(Exception):
    """Discord knows no bot with this token."""


class NoDiscord(Exception):
    """Something other than Discord answers at the address; `str()` is a sentence for the host."""


@dataclass(frozen=True, slots=True)
class Application:
    """A bot's application: its id and name, and sentences on what to change in the portal."""

    id: int
    name: str
    wrong: tuple[str, ...]

    @property
    def invite(self) -> str:
        """The link that adds the bot to a server."""
        from bot.discord.links import invite_link

        return invite_link(self.id)


async def fetch_application(token: str, api_url: str | None) -> Application:
    """Fetch the token's application from Discord.

    Raises `TokenRefused`, `NoDiscord`, `UnusableProxy`, `TimeoutError`, and `aiohttp.ClientError`.
    """
    import aiohttp

    base = (api_url or API).rstrip("/")
    headers = {"Authorization": f"Bot {token}"}
    timeout = aiohttp.ClientTimeout(total=WITHIN)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(
            f"{base}/oauth2/applications/@me", headers=headers, proxy=proxy_for(base)
        ) as response,
    ):
        if response.status == 401:
            raise TokenRefused
        if response.status != 200:
            raise NoDiscord(f"{base} answers {response.status} instead of 200")
        try:
            return read_application(await response.json())
        except (KeyError, TypeError, ValueError, aiohttp.ContentTypeError) as error:
            raise NoDiscord(f"{base} doesn't answer as Discord does") from error


def read_application(payload: Mapping[str, Any]) -> Application:
    """Parse Discord's answer as an application.

    Raises KeyError, TypeError or ValueError if the answer isn't in the expected format.
    """
    return Application(int(payload["id"]), str(payload["name"]), tuple(_wrong_switches(payload)))


def _wrong_switches(payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each switch to change in the portal.

    A wrong switch stops the bot or its commands, or grants something that the bot doesn't need.
    """
    if payload.get("bot_require_code_grant"):
        yield "Bot page: turn off *Requires OAuth2 Code Grant*, or the invite link fails"
    flags = int(payload.get("flags") or 0)
    for name, bits in _INTENTS.items():
        if flags & bits:
            yield f"Bot page: turn off *{name}*, which Bluffhouse doesn't need"
    kinds: Mapping[str, Any] = payload.get("integration_types_config") or {}
    for kind, name in _INSTALLS.items():
        if kind not in kinds:
            yield f"Installation page: tick *{name}*, or Discord refuses the commands"
            continue
        install = (kinds[kind] or {}).get("oauth2_install_params")
        if install is None:  # no default link; the bot's own invite link has its own scopes
            continue
        missing = [scope for scope in _SCOPES[kind] if scope not in install.get("scopes", ())]
        if missing:
            yield f"Installation page, *{name}*: add the scope {' and '.join(missing)}"

"""Is Discord there, and does it take the token? What `bluffhouse doctor --online` asks.

Nothing is changed: no session is begun, and no command is registered.
"""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from bot.language.moments import APART, seconds_ahead
from bot.settings.proxies import NoSuchProxy, proxy_for, without_password, without_passwords

API: Final = "https://discord.com/api/v10"
WITHIN: Final = 20.0  # seconds for each of the two
NO_IPV4: Final = (
    "This machine has no IPv4, and Discord has no IPv6: give it a way to IPv4, such as NAT64 with"
    " DNS64, or a proxy named in HTTPS_PROXY"
)


@dataclass(frozen=True, slots=True)
class Looked:
    """One thing looked at; `well` is False where something has to be done."""

    subject: str
    text: str
    well: bool = True


async def look(token: str, api_url: str | None, gateway_url: str | None) -> list[Looked]:
    """Ask Discord about the token, then open its gateway and wait for its first word."""
    base = (api_url or API).rstrip("/")
    timeout = aiohttp.ClientTimeout(total=WITHIN)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        try:
            found, clock = await _gateway_bot(session, base, token)
        except NoSuchProxy as error:
            return [Looked("proxy", str(error), well=False)]
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            advice = "; look at discord.api_url" if api_url else ""
            advice += f". {NO_IPV4}" if isinstance(error, OSError) and not has_ipv4() else ""
            said = f"{base} cannot be reached ({_said(error)}{_way(base)}){advice}"
            return [Looked("discord", said, well=False)]
        if isinstance(found, Looked):
            return [found]
        limit = found["session_start_limit"]
        said = (
            f"{base} takes the token{_way(base)}; it advises {found.get('shards', 1)} shards, and"
            f" allows {limit.get('remaining', '?')} of {limit.get('total', '?')} sessions more"
            " today"
        )
        told = Looked("discord", said)
        return [told, *clock, await _gateway(session, gateway_url or str(found.get("url", "")))]


async def _gateway_bot(
    session: aiohttp.ClientSession, base: str, token: str
) -> tuple[dict[str, Any] | Looked, list[Looked]]:
    headers = {"Authorization": f"Bot {token}"}
    asked = time.time()
    async with session.get(f"{base}/gateway/bot", headers=headers, proxy=proxy_for(base)) as answer:
        clock = _clock(answer.headers.get("Date"), asked)
        if answer.status == 401:
            said = f"{base} refuses the token: copy it anew from the Bot page of your application"
            return Looked("discord", said, well=False), clock
        if answer.status != 200:
            said = f"{base} answers {answer.status} instead of 200: look at discord.api_url"
            return Looked("discord", said, well=False), clock
        if answer.content_type != "application/json":
            raise ValueError("it does not answer as Discord does")
        body = await answer.json()
        if not isinstance(body, dict) or not isinstance(body.get("session_start_limit"), dict):
            raise ValueError("it does not answer as Discord does")
        return body, clock


async def _gateway(session: aiohttp.ClientSession, url: str) -> Looked:
    try:
        async with (
            asyncio.timeout(WITHIN),
            session.ws_connect(f"{url}/?v=10&encoding=json", proxy=proxy_for(url)) as opened,
        ):
            first = await opened.receive_json()
            if first.get("op") != 10:
                raise ValueError("it does not greet as Discord does")
    except (aiohttp.ClientError, TimeoutError, ValueError, TypeError) as error:
        return Looked("gateway", f"{url} cannot be reached ({_said(error)})", well=False)
    return Looked("gateway", f"{url} greets{_way(url)}")


def _way(address: str) -> str:
    proxy = proxy_for(address)
    return "" if proxy is None else f", by the proxy {without_password(proxy)}"


def _clock(date: str | None, asked: float) -> list[Looked]:
    """Whether this machine's clock is Discord's."""
    ahead = seconds_ahead(date, asked, time.time())
    if ahead is None or abs(ahead) < APART:
        return []
    side = "ahead of" if ahead > 0 else "behind"
    said = f"this machine's clock is {abs(ahead):.0f} s {side} Discord's: have it set by NTP"
    return [Looked("clock", said, well=False)]


def has_ipv4() -> bool:
    """Whether this machine has a way to addresses of IPv4; nothing is sent."""
    try:  # a system that was built without IPv4 refuses the socket itself
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
            tried.connect(("192.0.2.1", 9))  # an address for documents, which is nobody's
    except OSError:
        return False
    return True


def _said(error: Exception) -> str:
    return without_passwords(str(error)) or type(error).__name__

"""Is Discord there, and does it take the token? What `bluffhouse doctor --online` asks.

Nothing is changed: no session is begun, and no command is registered.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

API: Final = "https://discord.com/api/v10"
WITHIN: Final = 20.0  # seconds for each of the two


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
            found = await _gateway_bot(session, base, token)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            said = f"{base} cannot be reached ({_said(error)})"
            advice = "; look at discord.api_url" if api_url else ""
            return [Looked("discord", f"{said}{advice}", well=False)]
        if isinstance(found, Looked):
            return [found]
        limit = found["session_start_limit"]
        said = (
            f"{base} takes the token; it advises {found.get('shards', 1)} shards, and allows"
            f" {limit.get('remaining', '?')} of {limit.get('total', '?')} sessions more today"
        )
        told = Looked("discord", said)
        return [told, await _gateway(session, gateway_url or str(found.get("url", "")))]


async def _gateway_bot(
    session: aiohttp.ClientSession, base: str, token: str
) -> dict[str, Any] | Looked:
    headers = {"Authorization": f"Bot {token}"}
    async with session.get(f"{base}/gateway/bot", headers=headers) as answer:
        if answer.status == 401:
            said = f"{base} refuses the token: copy it anew from the Bot page of your application"
            return Looked("discord", said, well=False)
        if answer.status != 200:
            said = f"{base} answers {answer.status} instead of 200: look at discord.api_url"
            return Looked("discord", said, well=False)
        if answer.content_type != "application/json":
            raise ValueError("it does not answer as Discord does")
        body = await answer.json()
        if not isinstance(body, dict) or not isinstance(body.get("session_start_limit"), dict):
            raise ValueError("it does not answer as Discord does")
        return body


async def _gateway(session: aiohttp.ClientSession, url: str) -> Looked:
    try:
        async with (
            asyncio.timeout(WITHIN),
            session.ws_connect(f"{url}/?v=10&encoding=json") as socket,
        ):
            first = await socket.receive_json()
            if first.get("op") != 10:
                raise ValueError("it does not greet as Discord does")
    except (aiohttp.ClientError, TimeoutError, ValueError, TypeError) as error:
        return Looked("gateway", f"{url} cannot be reached ({_said(error)})", well=False)
    return Looked("gateway", f"{url} greets")


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__

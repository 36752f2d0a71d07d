"""The `RequestOutcome` for each error of Discord, of its library and of the network."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.discord import outcomes
from bot.discord.outcomes import NOT_TAKEN, RequestOutcome, code_of, is_refused, not_yet, outcome_of

CONNECTION: Any = None  # aiohttp's errors name one, and nothing here reads it


def http_error(status: int, code: int = 0, text: str = "") -> discord.HTTPException:
    """Return the error that discord.py raises for an answer with this status and error code."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    if status >= 500:
        kind = discord.DiscordServerError
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": text})


ROWS: list[tuple[str, Exception, RequestOutcome]] = [
    ("unknown message", http_error(404, 10008), RequestOutcome.GONE),
    ("too old to edit", http_error(429, 30046), RequestOutcome.GONE),
    ("direct messages opened too fast", http_error(403, 40003), RequestOutcome.NOT_YET),
    ("answered already", http_error(400, 40060), RequestOutcome.MAYBE),
    ("unknown channel", http_error(404, 10003), RequestOutcome.REFUSED),
    ("unknown webhook", http_error(404, 10015), RequestOutcome.REFUSED),
    ("unknown interaction", http_error(404, 10062), RequestOutcome.REFUSED),
    ("invalid form body", http_error(400, 50035, "Invalid emoji"), RequestOutcome.REFUSED),
    ("file too large", http_error(413, 40005), RequestOutcome.REFUSED),
    ("missing access", http_error(403, 50001), RequestOutcome.REFUSED),
    ("direct messages closed", http_error(403, 50007), RequestOutcome.REFUSED),
    ("missing permissions", http_error(403, 50013), RequestOutcome.REFUSED),
    ("invalid webhook token", http_error(401, 50027), RequestOutcome.REFUSED),
    ("archived thread", http_error(400, 50083), RequestOutcome.REFUSED),
    ("a code that nobody knows", http_error(400, 999999), RequestOutcome.REFUSED),
    ("no code", http_error(404), RequestOutcome.REFUSED),
    ("limit", http_error(429), RequestOutcome.NOT_YET),
    ("limit with a code", http_error(429, 20028), RequestOutcome.NOT_YET),
    ("limit that the library does not wait for", discord.RateLimited(70.0), RequestOutcome.NOT_YET),
    ("answered by this process", discord.InteractionResponded(
        SimpleNamespace(user=None, response=SimpleNamespace(_response_type=None))  # type: ignore[arg-type]
    ), RequestOutcome.REFUSED),
    ("internal error", http_error(500), RequestOutcome.MAYBE),
    ("bad gateway", http_error(502), RequestOutcome.MAYBE),
    ("overloaded", http_error(503, 130000), RequestOutcome.MAYBE),
    ("gateway timeout", http_error(504), RequestOutcome.MAYBE),
    ("timeout", TimeoutError(), RequestOutcome.MAYBE),
    ("no network", OSError("no route to host"), RequestOutcome.MAYBE),
    ("connection reset", ConnectionResetError(), RequestOutcome.MAYBE),
    ("connection cut", aiohttp.ServerDisconnectedError(), RequestOutcome.MAYBE),
    ("no connection", aiohttp.ClientConnectorError(CONNECTION, OSError()), RequestOutcome.MAYBE),
    ("half an answer", aiohttp.ClientPayloadError(), RequestOutcome.MAYBE),
]  # fmt: skip


@pytest.mark.parametrize(("error", "outcome"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS])
def test_each_error_has_its_outcome(error: Exception, outcome: RequestOutcome) -> None:
    assert isinstance(error, NOT_TAKEN)
    assert outcome_of(error) is outcome
    # an answer that is there already is not given again
    answered = code_of(error) == outcomes.ANSWERED
    assert is_refused(error) == (
        outcome in (RequestOutcome.REFUSED, RequestOutcome.GONE) or answered
    )


def test_only_errors_from_discord_have_a_code() -> None:
    assert code_of(http_error(403, 50013)) == 50013
    assert code_of(http_error(500)) == 0
    assert code_of(discord.RateLimited(1.0)) == code_of(TimeoutError()) == 0


def test_a_later_try_waits_as_long_as_discord_says() -> None:
    assert not_yet(discord.RateLimited(70.0)).after == 70.0
    assert not_yet(http_error(403, outcomes.OPENED_TOO_FAST)).after == outcomes.TOO_FAST_FOR
    assert not_yet(http_error(503)).after == not_yet(TimeoutError()).after == 0.0

"""Boards that Discord refuses for an emoji or a file: retried once, then sent without it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import discord
import pytest

from bot.boards.board import Board, Hand, Picture, ShowdownPicture
from bot.discord import emoji, picture_job
from bot.discord.drawing import draw
from bot.discord.layout import Rendered
from bot.discord.outcomes import ARCHIVED
from bot.pictures.emoji import DRAWN, TILES
from engine.cards import Cards
from tests.bot.discord.test_outcomes import http_error

WORDS = "Ann: ace of spades"
BOARD = Board(0, (Hand(Cards.parse("As Kh")), ShowdownPicture((), Cards(), Cards(), WORDS)))
BAD_EMOJI = http_error(400, 50035, "In components.0: Invalid emoji")
BAD_FILE = http_error(400, 50035, "In attachments.0: Invalid form body")
TOO_LARGE = http_error(413, 40005, "Request entity too large")
CLOSED = http_error(400, ARCHIVED, "Thread is archived")


@pytest.fixture(autouse=True)
async def all_there(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Pretend that every card is uploaded and every picture drawn."""

    async def in_time(pictures: Sequence[Picture]) -> dict[Picture, bytes]:
        return dict.fromkeys(pictures, b"png")

    monkeypatch.setattr(picture_job, "in_time", in_time)
    loop = asyncio.get_running_loop()
    emoji._uploaded[loop] = {f"{tile.name}_{DRAWN}": n for n, tile in enumerate(TILES, 10**18)}
    yield
    emoji._uploaded.pop(loop, None)
    emoji._in_text.pop(loop, None)


@dataclass
class Discord:
    """A stand-in for Discord that raises each of `errors` once, then accepts messages."""

    errors: list[Exception] = field(default_factory=list)
    sent_boards: list[tuple[bool, bool]] = field(default_factory=list)  # emoji, file
    words: list[bool] = field(default_factory=list)  # the picture's words

    async def send(self, ready: Rendered) -> int:
        body = str(ready.view.to_components())
        self.sent_boards.append(("<:ace_of_spades_" in body, bool(ready.files)))
        self.words.append(WORDS in body)
        if self.errors:
            raise self.errors.pop(0)
        return len(self.sent_boards)


BOTH, IN_TEXT, IN_WORDS = (True, True), (False, True), (True, False)


async def send(*errors: Exception) -> list[tuple[bool, bool]]:
    """Send the board to a Discord that raises `errors`, one for each try, then takes the board.

    Return for each try whether it had emoji, and whether it had a file.
    """
    discord_ = Discord(list(errors))
    ready, result = await draw(BOARD, discord_.send)
    assert result == len(discord_.sent_boards)
    assert bool(ready.files) == discord_.sent_boards[-1][1]
    # whoever can't see the picture reads it
    assert discord_.words[-1] or discord_.sent_boards[-1][1]
    return discord_.sent_boards


async def test_an_accepted_message_is_sent_once() -> None:
    assert await send() == [BOTH]


async def test_after_one_refused_emoji_the_same_body_is_sent_again() -> None:
    for _ in range(emoji.DELETED_AFTER + 1):
        assert await send(BAD_EMOJI) == [BOTH, BOTH]
    assert await send() == [BOTH]


async def test_an_emoji_refused_twice_puts_that_message_alone_in_text() -> None:
    assert await send(BAD_EMOJI, BAD_EMOJI) == [BOTH, BOTH, IN_TEXT]
    assert await send() == [BOTH]


async def test_after_three_messages_in_a_row_cards_are_text_until_the_next_start() -> None:
    for _ in range(emoji.DELETED_AFTER):
        assert await send(BAD_EMOJI, BAD_EMOJI) == [BOTH, BOTH, IN_TEXT]
    assert await send() == [IN_TEXT]


async def test_messages_in_text_are_in_a_row_only_until_an_emoji_passes() -> None:
    for _ in range(emoji.DELETED_AFTER - 1):
        await send(BAD_EMOJI, BAD_EMOJI)
    await send(BAD_EMOJI)  # refused, and taken the next time: it is there
    for _ in range(emoji.DELETED_AFTER - 1):
        assert await send(BAD_EMOJI, BAD_EMOJI) == [BOTH, BOTH, IN_TEXT]
    assert await send() == [BOTH]


@pytest.mark.parametrize("error", [BAD_FILE, TOO_LARGE], ids=["form", "size"])
async def test_a_file_refused_once_is_sent_again(error: discord.HTTPException) -> None:
    assert await send(error) == [BOTH, BOTH]


@pytest.mark.parametrize("error", [BAD_FILE, TOO_LARGE], ids=["form", "size"])
async def test_a_file_refused_twice_is_replaced_by_words(error: discord.HTTPException) -> None:
    assert await send(error, error) == [BOTH, BOTH, IN_WORDS]
    assert await send() == [BOTH]


async def test_emoji_and_file_may_both_be_refused() -> None:
    tries = await send(BAD_EMOJI, BAD_FILE, BAD_EMOJI, BAD_FILE)
    assert tries == [BOTH, BOTH, BOTH, IN_TEXT, (False, False)]


def reopening(result: bool) -> tuple[Callable[[], asyncio.Future[bool]], list[bool]]:
    """Return a stand-in for opening a thread, and a list to which each call adds an item.

    `result`: what the stand-in returns.
    """
    calls: list[bool] = []

    def reopen() -> asyncio.Future[bool]:
        calls.append(result)
        future = asyncio.get_running_loop().create_future()
        future.set_result(result)
        return future

    return reopen, calls


async def test_an_archived_thread_is_opened_once() -> None:
    reopen, calls = reopening(True)
    discord_ = Discord([CLOSED])
    await draw(BOARD, discord_.send, reopen=reopen)
    assert discord_.sent_boards == [BOTH, BOTH]
    again = Discord([CLOSED, CLOSED])
    with pytest.raises(discord.HTTPException) as raised:
        await draw(BOARD, again.send, reopen=reopen)
    assert raised.value is CLOSED
    assert (again.sent_boards, calls) == ([BOTH, BOTH], [True, True])


async def test_a_thread_that_cannot_be_opened_is_left_closed() -> None:
    reopen, calls = reopening(False)
    for opens in (reopen, None):
        discord_ = Discord([CLOSED])
        with pytest.raises(discord.HTTPException) as raised:
            await draw(BOARD, discord_.send, reopen=opens)
        assert raised.value is CLOSED
        assert discord_.sent_boards == [BOTH]
    assert calls == [False]


@pytest.mark.parametrize(
    "error",
    [
        http_error(404, 10008, "Unknown Message"),
        http_error(403, 50013, "Missing Permissions"),
        http_error(401, 50027, "Invalid Webhook Token"),
        http_error(500),
        http_error(429),
        discord.RateLimited(70.0),
        TimeoutError(),
    ],
    ids=str,
)
async def test_other_errors_are_raised_as_they_are(error: Exception) -> None:
    discord_ = Discord([error])
    with pytest.raises(type(error)) as raised:
        await draw(BOARD, discord_.send)
    assert raised.value is error
    assert discord_.sent_boards == [BOTH]


async def test_a_refusal_that_persists_without_emoji_and_files_is_raised() -> None:
    discord_ = Discord([BAD_EMOJI] * 5)
    with pytest.raises(discord.HTTPException):
        await draw(BOARD, discord_.send)
    assert discord_.sent_boards == [BOTH, BOTH, IN_TEXT, IN_TEXT, (False, False)]
    discord_ = Discord([TOO_LARGE] * 3)
    with pytest.raises(discord.HTTPException):
        await draw(BOARD, discord_.send)
    assert discord_.sent_boards == [BOTH, BOTH, IN_WORDS]

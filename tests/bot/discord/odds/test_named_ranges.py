"""A person's named ranges: `/odds` stores them, uses them in questions, lists and deletes them."""

from __future__ import annotations

import json

import pytest

from bot.boards.board import Text
from bot.boards.named_ranges import ranges_board
from bot.discord.odds import handlers
from bot.storage.named_ranges import SqlNamedRanges
from bot.tables.errors import StoreUnavailable
from tests.bot.conftest import Seat
from tests.bot.discord.odds.screen import ask_showdown, private_text
from tests.bot.harness import Table, plain

MOST_TEXT = 4000


async def ask(at: Table, hands: str) -> str:
    """Ask `/odds showdown`; return the private reply without marks for bold and code."""
    return words(private_text(await at.host.slash(at.channel, "odds showdown", hands=hands)))


def words(text: str) -> str:
    """Return a text without its marks for bold and code."""
    return plain(text).replace("**", "").replace("`", "")


async def list_ranges(at: Table, **typed: str) -> str:
    return words(private_text(await at.host.slash(at.channel, "odds ranges", **typed)))


async def test_a_range_is_kept_used_listed_and_deleted(table: Seat) -> None:
    at = await table(2)
    assert "You haven't named a range yet" in await list_ranges(at)
    reply = await ask(at, "btn = 22+, A2s+")
    assert "btn is saved: 22+, A2s+\n126 combos, 9.5% of hands" in reply
    answer = await ask_showdown(at, hands="BTN vs QQ", board="9h 5h 2c")
    assert "22+, A2s+" in plain(answer.text)
    assert "BTN" in plain(answer.text)
    assert not answer.ephemeral
    await ask(at, "btn = QQ+")
    names = await list_ranges(at)
    assert "You've named 1 range (of 40 at most)" in names
    assert "btn = QQ+" in names
    assert "btn is deleted. It was: QQ+" in await list_ranges(at, delete="BTN")
    assert "You haven't named a range yet" in await list_ranges(at)


async def test_ranges_belong_to_one_person(table: Seat) -> None:
    at = await table(2)
    await ask(at, "btn = 22+, A2s+")
    ann, bob = at.people[:2]
    at.people = [bob]
    refused = await ask(at, "btn vs QQ")
    assert '"btn" is neither cards nor a range that you named' in refused
    assert "/odds showdown hands: btn = 22+, A2s+" in refused
    await ask(at, "sb = AA")
    assert '"btn" is neither cards nor one of your ranges: sb' in await ask(at, "btn vs QQ")
    at.people = [ann]
    assert "You have no range named co. Yours: btn." in await list_ranges(at, delete="co")


async def test_what_cannot_be_kept_is_refused_to_the_asker_alone(table: Seat) -> None:
    at = await table(1)
    assert '"AKs" already means something in a question' in await ask(at, "AKs = QQ")
    assert "Put the hands after =" in await ask(at, "btn =")
    assert "only the hands of one range" in (await ask(at, "btn = AA vs KK")).replace("O", "o")
    assert "You haven't named a range yet" in await list_ranges(at)


async def test_an_unclear_range_is_asked_about_and_the_button_keeps_it(table: Seat) -> None:
    at = await table(1)
    out = await at.host.slash(at.channel, "odds showdown", hands="btn = 54s+")
    assert out.seen.buttons == ["btn = 54s", "btn = 54s-AKs"]
    reply = await at.host.click(out.seen, "btn = 54s-AKs")
    assert "btn is saved: 54s-AKs" in words(private_text(reply))


async def test_limits_are_said_when_reached(table: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "MOST_RANGES", 2)
    monkeypatch.setattr(handlers, "LONGEST_HANDS", 30)
    at = await table(1)
    await ask(at, "one1 = AA")
    await ask(at, "two2 = KK")
    assert "You can name 2 ranges. Delete one first: /odds ranges" in await ask(at, "co = QQ")
    assert "two2 is saved: QQ" in await ask(at, "two2 = QQ")  # the same name again
    long = "two2 = " + ", ".join(f"{rank}{rank}" for rank in "AKQJT98765")
    assert "A named range has at most 30 characters" in await ask(at, long)


async def test_names_are_suggested_for_deletion(table: Seat) -> None:
    at = await table(1)
    for text in ("btn = 22+", "bb = 100%", "co = QQ+"):
        await ask(at, text)
    choices = await at.host.autocomplete(at.channel, "odds ranges", "delete", "B")
    assert [(choice["name"], choice["value"]) for choice in choices] == [
        ("bb = 100%", "bb"),
        ("btn = 22+", "btn"),
    ]


async def test_no_names_are_suggested_while_the_store_is_down(
    table: Seat, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> dict[str, str]:
        raise StoreUnavailable

    at = await table(1)
    await ask(at, "btn = 22+")
    monkeypatch.setattr(SqlNamedRanges, "of_player", fail)
    assert await at.host.autocomplete(at.channel, "odds ranges", "delete", "b") == []
    assert not [record for record in caplog.records if record.exc_info]


async def test_ranges_are_in_the_data_of_a_person(table: Seat) -> None:
    at = await table(1)
    await ask(at, "btn = 22+, A2s+")
    document = json.loads(await at.bot.privacy.export(int(at.host.id)))
    assert document["named_ranges"] == [{"name": "btn", "hands": "22+, A2s+"}]


def test_the_longest_list_fits_a_message() -> None:
    hands = "*" * handlers.LONGEST_HANDS
    ranges = {f"{number:>020}": hands for number in range(handlers.MOST_RANGES)}
    board = ranges_board(ranges, handlers.MOST_RANGES)
    texts = [block.markdown for block in board.blocks if isinstance(block, Text)]
    assert sum(map(len, texts)) <= MOST_TEXT
    assert len(texts) == len(board.blocks)
    assert isinstance(board.blocks[1], Text)
    assert board.blocks[1].markdown.count("\n") == handlers.MOST_RANGES - 1

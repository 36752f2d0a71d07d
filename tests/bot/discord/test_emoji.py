"""Cards as the bot's own emoji: uploaded once, found again, and replaced by text where missing."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchmarks.reading import HAND
from bot.boards.board import Board, Button, Hand, Text
from bot.discord import emoji, layout
from bot.discord.emoji import CardEmoji
from bot.language.card_marks import mark_cards
from bot.pictures.emoji import DRAWN, SIDE, TILES, Tile, _draw_tile, emoji_png
from bot.sandbox.payloads import user_payload
from bot.sandbox.screen import SeenMessage
from bot.sandbox.world import Sandbox
from engine.cards import Card, Cards, Rank
from tests.bot.conftest import Seat
from tests.bot.discord.test_layout import texts
from tests.bot.harness import Table, running_bot, send_cards_directly, settings
from tests.people import until

THAI = "Thai Poker"
UPLOAD = "/applications/{application_id}/emojis"
MARKUP = re.compile(r"<:(\w+):(\d+)>")


@pytest.fixture
def all_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emoji, "TILES", TILES)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> tuple[Tile, ...]:
    """Use a deck of three cards, so that a test need not draw all cards; return the deck."""
    tiles = tuple(Tile(Card.parse(card)) for card in ("As", "Kh", "9d"))
    monkeypatch.setattr(emoji, "TILES", tiles)
    return tiles


def names_by_id(world: Sandbox) -> dict[str, str]:
    return {emoji["name"]: emoji["id"] for emoji in world.state.emojis}


def uploads(world: Sandbox) -> list[Any]:
    return [
        request
        for request in world.requests()
        if (request.method, request.route) == ("POST", UPLOAD)
    ]


async def all_there(at: Table, tiles: tuple[Tile, ...]) -> None:
    await until(lambda: {f"{tile.name}_{DRAWN}" for tile in tiles} <= set(names_by_id(at.world)))


@asynccontextmanager
async def with_emoji(seat: Seat, tmp_path: Path, room: int = 2000) -> AsyncIterator[Table]:
    """Yield a table whose Discord has room for `room` emoji, and whose bot has begun to upload."""
    at = await seat(2, serve=False)
    at.world.emoji_room = room
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at.bot = bot
        yield at


@pytest.mark.thorough
async def test_the_whole_deck_is_uploaded_once_and_a_hand_is_a_line_of_it(
    table: Seat, tmp_path: Path, all_cards: None
) -> None:
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, TILES)
        assert len(at.world.state.emojis) == len(TILES) < 200
        await at.start(THAI)
        for person in at.people:
            line = HAND.search(at.seat(person).text)
            assert line is not None
            matches = MARKUP.findall(line[1])
            assert len(matches) == 3
            assert MARKUP.sub("", line[1]).strip() == ""
            assert all(names_by_id(at.world)[name] == key for name, key in matches)
            (onlooker,) = (player for player in at.people if player is not person)
            read = " ".join(message.text for message in onlooker.visible(at.channel))
            assert not set(matches) & set(MARKUP.findall(read))  # nobody else sees them
    async with running_bot(at.world, settings(tmp_path)):
        await until(lambda: at.world.requests()[-1].route != UPLOAD)
    assert len(uploads(at.world)) == len(TILES)


async def test_after_a_start_only_what_is_missing_is_uploaded(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...]
) -> None:
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, few)
    gone = at.world.state.emojis.pop()
    async with running_bot(at.world, settings(tmp_path)):
        await all_there(at, few)
    assert [upload.body["name"] for upload in uploads(at.world)].count(gone["name"]) == 2
    assert len(uploads(at.world)) == len(few) + 1


async def test_emoji_are_uploaded_one_by_one_and_a_rate_limit_is_waited_for(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...]
) -> None:
    at = await table(2, serve=False)
    at.world.emoji_room = 2000
    at.world.faults.rate_limit(f"POST {UPLOAD}", times=2, retry_after=0.05)
    async with running_bot(at.world, settings(tmp_path)):
        await all_there(at, few)
    assert [upload.status for upload in uploads(at.world)] == [429, 429, 201, 201, 201]


async def test_a_card_that_is_not_there_yet_is_shown_in_text(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...]
) -> None:
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, few)
        (line,) = texts(Board(0, (Hand(Cards.parse("As Kd")),)))
        key = names_by_id(at.world)[f"ace_of_spades_{DRAWN}"]
        assert line == f"# <:ace_of_spades_{DRAWN}:{key}> K♦"


async def test_a_bot_that_may_have_no_emoji_goes_on_in_text_and_says_so_once(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    async with with_emoji(table, tmp_path, room=1) as at:
        await until(lambda: "emoji: cards are shown in text" in capsys.readouterr().out)
        await at.start(THAI)
        assert at.own_cards(at.people[0])
        assert len(uploads(at.world)) == 2
        assert "emoji" not in capsys.readouterr().out


async def test_old_decks_go_and_emoji_of_others_stay(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emoji, "OLD_STAY", 0.0)
    at = await table(2, serve=False)
    at.world.emoji_room = 2000
    mine = user_payload(at.world.state.bot)
    host = user_payload(at.world.state.people[0])
    emoji_there = (("ace_of_spades_0000aa", mine), ("ace_of_spades_abcdef", host), ("ace", mine))
    for number, (name, by) in enumerate(emoji_there):
        at.world.state.emojis.append(
            {"id": str(7000 + number), "name": name, "user": by, "roles": [], "animated": False}
        )
    async with running_bot(at.world, settings(tmp_path)):
        await until(lambda: "ace_of_spades_0000aa" not in names_by_id(at.world))
    assert {"ace_of_spades_abcdef", "ace"} <= set(names_by_id(at.world))


async def test_another_process_of_the_same_bot_waits_for_the_uploading_one(
    table: Seat, tmp_path: Path, few: tuple[Tile, ...]
) -> None:
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, few)
        uploaded = len(uploads(at.world))
        lost = at.world.state.emojis.pop()
        looked = asyncio.Event()

        async def look(_: float) -> None:
            looked.set()
            at.world.state.emojis.append(lost)

        second_emoji = CardEmoji(at.bot.client, look)
        second_emoji.start(uploads=False)
        assert second_emoji._task is not None
        await second_emoji._task
        assert looked.is_set()
        assert len(uploads(at.world)) == uploaded


async def test_the_list_of_bids_has_a_card_beside_each_and_outlives_one_that_is_deleted(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks = tuple(map(Tile, Rank))
    monkeypatch.setattr(emoji, "TILES", ranks)
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, ranks)
        await at.start(THAI)

        def beside() -> list[Any]:
            (listed,) = (part for part in at.message().components if part["type"] == 3)
            return [option.get("emoji") for option in listed["options"]]

        nine = f"nine_{DRAWN}"
        assert beside()[0] == {"id": names_by_id(at.world)[nine], "name": nine}
        at.world.state.emojis.clear()  # by a host, in the developer portal
        bidder, mark = at.turn(), at.world.mark()

        def refusals() -> int:
            return [request.status for request in at.world.requests(mark)].count(400)

        await at.call(bidder)
        await at.settle()
        assert refusals() == 2 * 2  # of the table, and of the seat of who is next
        assert at.turn() is not bidder
        assert set(beside()) == {None}
        await at.challenge(at.turn())
        await at.press("Next round")
        assert set(beside()) == {None}
        await at.settle()
        assert refusals() == 2 * emoji.DELETED_AFTER  # cards are text until the next start


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["pressed", "opened", "followed", "anew", "letter"])
async def test_a_seat_is_shown_without_the_emoji_that_were_deleted(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    ranks = tuple(map(Tile, Rank))
    monkeypatch.setattr(emoji, "TILES", ranks)
    async with with_emoji(table, tmp_path) as at:
        await all_there(at, ranks)
        if way == "letter":
            await send_cards_directly(at, THAI)
            await at.open(THAI)
        else:
            await at.start(THAI)
            assert beside(at.seat(at.turn()))
        if way == "anew":
            await at.play_round()
        at.world.state.emojis.clear()  # by a host, in the developer portal
        mark = at.world.mark()
        match way:
            case "pressed":
                person, seat = at.turn(), at.seat(at.turn())
                await person.click(seat, next(label for label in seat.buttons if "Pair" in label))
            case "opened":
                await at.turn().click(at.message(), "My seat")
            case "followed":
                seat = at.seat(at.turn())
                await at.turn().click(seat, next(b for b in seat.buttons if "Bid lowest" in b))
            case "anew":
                await at.host.click(at.message(), "Next round")
            case "letter":
                await at.host.click(at.message(), "Start")
        await at.settle()
        assert [request.status for request in at.world.requests(mark)].count(400) >= 1
        person = at.turn()
        now = person.dm_messages()[-1] if way == "letter" else at.seat(person)
        assert ("which rank?" if way == "pressed" else "Your turn") in now.text
        assert not beside(now)


def beside(message: SeenMessage) -> list[Any]:
    """Return the emoji on the buttons of a message."""
    return [part["emoji"] for part in message.components if part["type"] == 2 and "emoji" in part]


# -- the drawings, and how a text has them --------------------------------------------------------


@pytest.fixture
async def uploaded_emoji() -> AsyncIterator[None]:
    """Pretend that all cards are uploaded, until the test ends."""
    ids_found = {f"{tile.name}_{DRAWN}": 10**18 + n for n, tile in enumerate(TILES)}
    emoji._uploaded[asyncio.get_running_loop()] = ids_found
    yield
    emoji._uploaded.clear()


def test_the_digest_in_the_names_is_that_of_the_drawings() -> None:
    """Compare with `DRAWN`. If drawings change, change `DRAWN` too, so that bots upload them."""
    pixels = b"".join(_draw_tile(tile).tobytes() for tile in TILES)
    assert blake2b(pixels, digest_size=3).hexdigest() == DRAWN


@pytest.mark.thorough
def test_every_card_has_its_own_emoji_of_128_pixels_and_few_bytes() -> None:
    drawn = [emoji_png(tile) for tile in TILES]
    assert len(set(drawn)) == len(TILES)
    assert len({tile.name for tile in TILES}) == len(TILES)
    assert max(map(len, drawn)) < 10_000
    assert Image.open(io.BytesIO(drawn[0])).size == (SIDE, SIDE)
    assert all(re.fullmatch(r"\w{2,32}", f"{tile.name}_{DRAWN}") for tile in TILES)


def test_decks_of_two_and_of_four_colours_share_what_looks_alike() -> None:
    alike = [
        number for number in range(52) if Tile(Card(number), True) == Tile(Card(number), False)
    ]
    assert {Card(number).suit.char for number in alike} == {"h", "s"}
    assert Tile(Card.joker(1)) == Tile(Card.joker(0), False)


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        ("four", r"\*\*It holds\*\*: <:nine_of_clubs_\w+:\d+> <:joker_\w+:\d+>\."),
        ("two", r"\*\*It holds\*\*: <:nine_of_clubs_black_\w+:\d+> <:joker_\w+:\d+>\."),
        ("words", r"\*\*It holds\*\*: nine of clubs, joker\."),
    ],
)
async def test_cards_in_a_sentence_follow_the_readers_preference(
    uploaded_emoji: None, deck: Any, says: str
) -> None:
    cards = " ".join(map(mark_cards, (Cards.parse("9c"), Cards.parse("*"))))
    (line,) = texts(Board(0, (Text(f"**It holds**: {cards}."),), deck=deck))
    assert re.fullmatch(says, line)


@pytest.mark.parametrize(
    ("deck", "label", "name"),
    [("four", "9%", "nine"), ("two", "9%", "nine"), ("words", "9: 9%", "")],
)
async def test_a_rank_on_a_button_is_a_card_or_in_words_never_both(
    uploaded_emoji: None, deck: Any, label: str, name: str
) -> None:
    button = Button("pad", "9: 9%", choice="pair.9", rank=Rank.NINE, beside_card="9%")
    silent = replace(button, label="9", beside_card="")
    labelled = replace(button, label="pair of nines", beside_card=None)
    board = Board(0, (), ((button, silent, labelled),), deck=deck)
    (row,) = layout.board_view(board).to_components()[0]["components"]
    first, second, third = row["components"]
    assert (first["label"], second.get("label")) == (label, "9" if deck == "words" else None)
    assert third["label"] == "pair of nines"
    names = {
        part.get("emoji", {}).get("name", "").partition("_")[0] for part in (first, second, third)
    }
    assert names == {name}


async def test_a_rank_whose_card_is_not_there_is_in_words() -> None:
    button = Button("pad", "9: 9%", choice="pair.9", rank=Rank.NINE, beside_card="9%")
    (row,) = layout.board_view(Board(0, (), ((button,),))).to_components()[0]["components"]
    assert row["components"][0]["label"] == "9: 9%"


async def test_the_text_of_a_link_has_no_emoji_because_that_breaks_it(uploaded_emoji: None) -> None:
    ace = mark_cards(Cards.parse("As"))
    (line,) = texts(Board(0, (Text(f"[{ace} won](https://example.org), {ace}"),)))
    assert line.startswith("[A♠ won](https://example.org), <:ace_of_spades_")


async def test_a_text_of_very_many_cards_is_in_text(uploaded_emoji: None) -> None:
    some, many = mark_cards(Cards((1 << 50) - 1)), mark_cards(Cards((1 << 51) - 1))
    assert "<:" in texts(Board(0, (Text(some),)))[0]
    assert "<:" not in texts(Board(0, (Text(many),)))[0]


async def test_a_message_with_no_room_for_emoji_has_its_cards_in_text(uploaded_emoji: None) -> None:
    board = Board(0, (Hand(Cards.parse("As")), Text("x" * layout.MOST_TEXT)))
    assert texts(board)[0] == "# A♠"

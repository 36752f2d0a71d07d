"""Fair use, as people see it: which requests are limited, and the words of a refusal."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.boards import bid_odds
from bot.boards.board import ChartPicture, Picture
from bot.discord import picture_job
from bot.discord.fair_use import COMMANDS
from bot.discord.odds import handlers as odds_handlers
from bot.operations.fair_use import TokenBucket
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import over_or_held
from tests.bot.harness import my_data, private_reply
from tests.bot.practising import practise
from tests.catalogues import commands
from tests.people import PATIENCE, until

THAI = "Thai Poker"
TOO_MUCH = "That was a lot at once. Please try again in"


@pytest.fixture(autouse=True)
def nothing_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop limits from refilling: otherwise a slow test would never use them up."""
    initialise = TokenBucket.__init__

    def never_refill(self: TokenBucket, number: int, period: float, *_: object) -> None:
        initialise(self, number, period, lambda: 0.0)

    monkeypatch.setattr(TokenBucket, "__init__", never_refill)


async def test_the_live_tables_that_a_person_hosts_are_limited(table: Seat) -> None:
    at = await table(2, fair_use={"tables_at_once": 2})
    server = at.world.server("The Snug")
    rooms = [server.add_text_channel(f"room-{number}") for number in range(3)]
    for room in rooms[:2]:
        await at.host.slash(room, "play", game=THAI)
    reply = await private_reply(at.host.slash(rooms[2], "play", game=THAI))
    assert "You're already hosting 2 live tables, which is the limit. Close one with" in reply
    assert not [message for message in at.host.visible(rooms[2]) if not message.ephemeral]
    # somebody else may, a practice is none, and a table that is closed makes room
    await practise(at.host, at.channel, THAI)
    assert (await at.people[1].slash(rooms[2], "play", game=THAI)).kind == "message"
    await at.host.slash(rooms[0], "leave", what="end")
    assert (await at.host.slash(rooms[0], "play", game=THAI)).kind == "message"


async def test_a_channel_that_has_a_table_costs_nobody_their_next_one(table: Seat) -> None:
    at = await table(2, fair_use={"tables_per_hour": 1})
    channel = at.world.server("The Snug").add_text_channel("room")
    await at.host.slash(at.channel, "play", game=THAI)
    guest = at.people[1]
    for _ in range(3):
        reply = await private_reply(guest.slash(at.channel, "play", game=THAI))
        assert reply.startswith("This channel already has a table")
    assert (await guest.slash(channel, "play", game=THAI)).kind == "message"
    third = at.world.server("The Snug").add_text_channel("another")
    assert TOO_MUCH in await private_reply(guest.slash(third, "play", game=THAI))


async def test_opening_and_closing_in_a_loop_ends_soon(table: Seat) -> None:
    at = await table(1, fair_use={"tables_per_hour": 3})
    for _ in range(3):
        await at.host.slash(at.channel, "play", game=THAI)
        await at.host.slash(at.channel, "leave", what="end")
    posted = len(at.public())
    assert TOO_MUCH in await private_reply(at.host.slash(at.channel, "play", game=THAI))
    practice = await (await at.host.slash(at.channel, "practice", game=THAI)).settle()
    for label in ("Next", "Challenge", "Show the cards"):  # the example opens nothing
        practice = await (await at.host.click(practice.seen, label)).settle()
    assert TOO_MUCH in await private_reply(at.host.click(practice.seen, "Practice now"))
    assert len(at.public()) == posted


FLOODS: list[tuple[str, str, dict[str, Any]]] = [
    ("odds_per_minute", "odds thai", {"in_play": 8}),
    ("posts_per_minute", "stats", {}),
    ("posts_per_minute", "table", {}),
    ("looks_per_minute", "matches", {}),
    ("looks_per_minute", "preferences", {}),
    ("looks_per_minute", "help", {}),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("setting", "command", "options"), FLOODS)
async def test_a_flood_of_one_command_is_refused_and_moves_are_not(
    table: Seat, setting: str, command: str, options: dict[str, Any]
) -> None:
    at = await table(2, fair_use={setting: 2}, plays=THAI)
    flooder = at.turn()
    with capture_logs() as logged:
        for _ in range(2):
            out = await (await flooder.slash(at.channel, command, **options)).settle()
            assert out.message is not None
            assert TOO_MUCH not in out.text
        for _ in range(3):
            assert TOO_MUCH in await private_reply(flooder.slash(at.channel, command, **options))
    assert not [line for line in logged if line["log_level"] == "error"]
    await at.settle()
    (table_message,) = [message for message in at.public() if "Type…" in message.buttons]
    select = table_message.select()
    moved = await flooder.select(
        table_message, select["placeholder"], select["options"][0]["value"]
    )
    assert moved.kind == "update", "a move is never counted"
    other_person = next(person for person in at.people if person is not flooder)
    out = await (await other_person.slash(at.channel, command, **options)).settle()
    assert TOO_MUCH not in out.text, "everybody has a share of their own"


async def test_public_posts_from_help_count_like_their_command(table: Seat) -> None:
    at = await table(1, fair_use={"posts_per_minute": 2})
    help_message = (await at.host.slash(at.channel, "help")).message
    assert help_message is not None
    for _ in range(2):
        assert TOO_MUCH not in (await at.host.click(help_message, "Stats")).text
    assert TOO_MUCH in await private_reply(at.host.click(help_message, "Stats"))
    assert TOO_MUCH in await private_reply(at.host.slash(at.channel, "stats"))


async def test_presses_that_only_read_are_counted_and_a_flood_of_exports_is_refused(
    table: Seat,
) -> None:
    at = await table(1, fair_use={"looks_per_minute": 4})
    page = await my_data(at.host, at.channel)
    for _ in range(2):
        await at.host.click(page, "Export my data")
    assert TOO_MUCH in await private_reply(at.host.click(page, "Export my data"))


async def test_presses_that_look_something_up_at_a_table_are_counted(table: Seat) -> None:
    at = await table(2, fair_use={"looks_per_minute": 1})
    lobby = await at.open(THAI)
    ann, bob = at.people
    asker = at.world.add_person("Cleo")  # with a share that nothing was taken of
    await asker.click(lobby, "How to play")
    assert TOO_MUCH in await private_reply(asker.click(lobby, "How to play"))
    await ann.click(lobby, "Start")
    await at.settle()
    await at.play_round()
    folded = at.public()[-2]
    await ann.click(folded, "Bidding")
    assert TOO_MUCH in await private_reply(ann.click(folded, "Bidding"))
    await bob.click(at.message(), "Fair deal ✓")
    assert TOO_MUCH in await private_reply(bob.click(at.message(), "Fair deal ✓"))


async def test_hints_of_a_practice_are_counted_and_its_moves_are_not(table: Seat) -> None:
    at = await table(1, fair_use={"looks_per_minute": 4})
    await practise(at.host, at.channel, THAI)  # three of the looks are at the example
    await until(lambda: "Hint" in at.seat(at.host).buttons)  # the computer player may begin
    await at.host.click(at.seat(at.host), "Hint")
    hint = await at.host.click(at.seat(at.host), "Hint")
    assert TOO_MUCH in hint.text


# presses that change something, open a form, or lead on in a seat: they are moves and choices
MOVES = frozenset(
    {
        *(
            "join",
            "in",
            "decline",
            "wait",
            "tell",
            "hush",
            "leave",
            "quit",
            "stay",
            "start",
            "cancel",
        ),
        *(
            "usual",
            "usualpace",
            "usuallanguage",
            "rules",
            "pace",
            "messages",
            "usualmessages",
            "computer",
            "cut",
            "pick",
            "thread",
        ),
        *("form", "challenge", "mine", "seat", "refresh", "pad", "call", "doubt", "type", "back"),
        *("next", "again", "pstart", "pnext", "pagain", "pend", "agree", "refuse", "options", "me"),
        "away",
        *("daily", "digest", "nightplan", "nightcome", "nightskip", "nightoff"),
    }
)


async def test_every_press_is_a_move_or_is_counted(table: Seat) -> None:
    at = await table(1)
    handlers = at.bot.client.handlers
    verbs = set(handlers.router.presses)
    assert verbs - handlers.fair_use._looks == MOVES


async def test_presses_under_an_answer_of_odds_are_counted_whatever_they_show(table: Seat) -> None:
    at = await table(1, fair_use={"odds_per_minute": 3})
    out = await at.host.slash(at.channel, "odds thai", in_play=8, bid="99")
    for _ in range(2):
        assert TOO_MUCH not in await private_reply(at.host.click(out.seen, "Counts"))
    assert TOO_MUCH in await private_reply(at.host.click(out.seen, "Counts"))


async def test_keystrokes_beyond_the_share_get_no_suggestions_and_no_look_at_the_database(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.discord.fair_use.KEYSTROKES_PER_MINUTE", 3)
    at = await table(2, plays=THAI)
    suggestions = [await at.turn().autocomplete(at.channel, "bid", "hand", "p") for _ in range(5)]
    assert all(suggestions[:3])
    assert suggestions[3:] == [[], []]


# commands that `COMMANDS` doesn't count, and why
UNCOUNTED = {
    "play": "`tables_at_once` and `tables_per_hour` limit it",
    "practice": "`tables_per_hour` limits the tables that it opens",
    "bid": "a move",
    "challenge": "a move",
    "leave": "a move",
    "settings": "a moderator's choices",
}


def test_every_command_is_counted_or_known_not_to_be() -> None:
    names = {command.name for command in commands()}
    missing = names - {*COMMANDS, *UNCOUNTED}
    assert not missing, (
        f"nothing limits {missing}: add it to COMMANDS in bot/discord/fair_use.py or, if it asks"
        " no question, to UNCOUNTED here with the reason"
    )
    assert {*COMMANDS, *UNCOUNTED} == names
    assert not {*COMMANDS} & {*UNCOUNTED}


class Held:
    """Makes charts and bid odds wait until `go` is set.

    `drawn`: the class names of all pictures that were drawn, charts or not.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go = threading.Event()
        self.drawn: list[str] = []
        draw, bids_board = picture_job.png_of, bid_odds.bids_board

        def draw_and_count(picture: Picture) -> bytes:
            if isinstance(picture, ChartPicture):
                self.go.wait()
            self.drawn.append(type(picture).__name__)
            return draw(picture)

        def ask_and_count(question: Any) -> Any:
            self.go.wait()
            return bids_board(question)

        monkeypatch.setattr(picture_job, "png_of", draw_and_count)
        monkeypatch.setattr(odds_handlers, "bids_board", ask_and_count)


@pytest.mark.thorough
async def test_two_hundred_questions_of_odds_hold_up_no_move_and_no_showdown(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    held = Held(monkeypatch)
    picture_job.forget()
    monkeypatch.setattr(odds_handlers, "is_soon", over_or_held)
    monkeypatch.setattr(odds_handlers, "LONGEST", PATIENCE)
    crowd = [at.world.add_person(f"Guest {number}") for number in range(200)]
    elsewhere = at.world.server("The Snug").add_text_channel("odds-only")
    asking = [
        asyncio.create_task(person.slash(elsewhere, "odds thai", in_play=8)) for person in crowd
    ]
    try:
        await until(lambda: len(at.bot.client.handlers.odds._under_way) == 200)
        assert (await at.call(at.turn())).kind == "update"
        challenger = at.turn()
        assert (await challenger.click(at.message(), "Challenge")).kind == "message"
        await at.bot.delivery.settle()
        assert at.message().attachments, "the showdown has its picture"
        assert "ShowdownPicture" in held.drawn
        assert "ChartPicture" not in held.drawn
        assert len(at.bot.client.handlers.odds._under_way) == 200, "and all of them still wait"
    finally:
        held.go.set()
    answered = await asyncio.gather(*asking)
    assert all(out.message is not None for out in answered)


async def test_a_question_has_its_picture_drawn_beside_the_tables(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    picture_job.forget()
    out = await at.host.slash(at.channel, "odds thai", in_play=8)
    assert out.message is not None
    assert any(isinstance(picture, ChartPicture) for picture in picture_job._question_cache)
    assert not any(isinstance(picture, ChartPicture) for picture in picture_job._cache)

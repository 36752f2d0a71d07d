"""Hostile or very long names and words do no harm; messages ping only the people they address."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from bot.language.words import TypedText
from bot.sandbox.discord_state import Json, RecordedRequest
from bot.sandbox.driver import Person
from bot.sandbox.errors import CannotDo
from bot.sandbox.rules.bodies import GALLERY
from engine.cutting import read_cut
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, passes
from tests.bot.discord.tables.test_lobby import choose_own
from tests.bot.harness import (
    StoppedClock,
    Table,
    bid_by_form,
    choose,
    cut_with,
    private_reply,
    send_cards_directly,
)
from tests.bot.test_whole_matches import assert_all_taken, assert_nobody_is_called
from tests.hostile import NAMES, harms
from tests.people import until

pytestmark = pytest.mark.thorough

# -- ten people with the longest names in any script -----------------------------------------------

LIARS, THAI = "Liars' Poker", "Thai Poker"
LONGEST = 32  # characters of a name
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
LONG_NAMES = tuple(
    (part * LONGEST)[:LONGEST]
    for part in (
        "龍井茶館",
        "ポーカーの夜",
        "포커의밤",
        "لعبة الخداع ",
        "משחק הבלוף ",
        "เกมไพ่โป๊กเกอร์",
        "खिलाड़ी",
        FAMILY,
        "e\u0301\u0302\u0303\u0323",  # accents upon accents
        "**_`~|>\u202e<@1>",  # markdown, right to left, a mention
    )
)


async def gather(table: Seat) -> Table:
    at = await table(0)
    at.people = [at.world.add_person(name) for name in LONG_NAMES]
    assert {len(person.name) for person in at.people} == {LONGEST}
    return at


async def open_pad(at: Table, person: Person) -> int:
    """Press each kind of bid on the pad; return the most components that the seat had at a time."""
    fullest = 0
    acts = ("Bid next: ", "Bid lowest: ")  # at once
    labels = [label for label in at.seat(person).buttons if label not in PLAIN]
    for kind in [label for label in labels if not label.startswith(acts)]:
        await person.click(at.seat(person), kind)
        fullest = max(fullest, len(at.seat(person).components))
        await person.click(at.seat(person), "Back")
    return max(fullest, len(at.seat(person).components))


PLAIN = {"Rules", "Type…", "Refresh", "Challenge", "Back"}


def alt(at: Table) -> str:
    pictures = [part for part in at.message().components if part["type"] == GALLERY]
    return "\n".join(item["description"] for gallery in pictures for item in gallery["items"])


@pytest.mark.long
async def test_every_message_is_taken_at_ten_players_whatever_they_are_called(table: Seat) -> None:
    at = await gather(table)
    await send_cards_directly(at, LIARS)
    await private_reply(at.people[9].slash(at.channel, "help", game=LIARS))
    await at.open(LIARS)
    assert "10 of 10" in at.message().text
    stranger = at.world.add_person(LONG_NAMES[0][::-1])
    for label in ("How to play", "Options…"):
        await private_reply(stranger.click(at.message(), label))
    await at.option(stranger, "Notify me about new tables")
    await choose(
        at,
        "Time…",
        Length_of_the_match="Shorter: everyone starts with one extra card",
    )
    await choose(at, "Messages…", Reminders="On every turn")
    await at.press("Start")
    fullest = await open_pad(at, at.turn())
    assert fullest > 10
    for _ in range(11):  # more calls than a table shows, and than there are players
        await at.call(at.turn())
    await at.settle()
    await open_pad(at, at.turn())
    await private_reply(at.people[2].click(at.message(), "Bidding"))
    for voter in (5, 6):
        await private_reply(
            at.people[voter].slash(at.channel, "leave", what="away", player=at.people[7])
        )
    await at.forfeit(at.people[8])
    await at.challenge(at.turn())
    assert "Showdown" in at.message().text
    # what cannot be drawn is numbered or left out, never a bare line
    assert all(line.partition(":")[0].strip() for line in alt(at).splitlines())
    prompt = await (await stranger.click(at.message(), "My seat")).settle()
    await stranger.click(prompt.seen, "Join the next match")
    await at.settle()
    assert f"In the next match: <@{stranger.id}>" in at.message().text
    folded = at.public()[-2]
    assert "Round 1 · 11 " in folded.text
    await private_reply(at.people[1].click(folded, "Bidding"))
    await private_reply(at.people[0].click(at.message(), "Fair deal ✓"))
    await at.press("Next round")
    for person in at.people[1:]:
        live = (await at.live()).match
        assert live is not None
        if live.seats[live.seat_of(int(person.id)) or 0].live and len(live.live) > 1:
            await at.forfeit(person)
    await at.settle()
    assert "wins the match" in at.message().text
    await private_reply(at.people[6].click(at.message(), "Whole match"))
    assert_nobody_is_called(at)
    await at.host.click(at.message(), "Play again")  # which calls those who are asked
    await at.settle()
    assert "tap **I'm in**" in at.message().text
    assert_all_taken(at)


def test_the_names_are_of_many_scripts() -> None:
    letters = {
        unicodedata.name(char).split()[0] for name in LONG_NAMES for char in name if char.isalpha()
    }
    assert {"CJK", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI"} <= letters


# -- a whole session -------------------------------------------------------------------------------

COMMANDS = ("matches", "stats", "preferences", "help")


def sent(at: Table) -> list[Json]:
    """Return the body of each request that the bot has sent, except the lists of commands."""
    return [request.body for request in at.world.state.requests if isinstance(request.body, dict)]


def assert_harmless(at: Table) -> None:
    cuts = tuple(read_cut(name) for name in NAMES)
    harmful = [harm for body in sent(at) for harm in harms(body, cuts)]
    assert not harmful, "\n".join(harmful[:5])


@contextlib.asynccontextmanager
async def hostile_bot(
    with_clock: Clocked, people: int
) -> AsyncIterator[tuple[Table, StoppedClock]]:
    """Yield a table of this many people, and its bot's stopped clock; all names are hostile."""
    async with with_clock(0) as (at, clock):
        server = at.world.add_guild(NAMES[0])
        at.channel = server.add_text_channel(NAMES[2][:20])
        at.people = [at.world.add_person(name) for name in NAMES[:people]]
        server.make_moderator(at.host)
        yield at, clock


async def press_everything(at: Table, person: Person) -> None:
    """Press the buttons that only show something, on the person's lowest message."""
    message = [message for message in person.visible(at.channel) if message.components][-1]
    for label in (
        "Bidding",
        "Fair deal ✓",
        "Whole match",
        "How to play",
        "Older",
        "Coach",
    ):
        if label in message.buttons:
            with contextlib.suppress(CannotDo):
                await (await person.click(message, label)).settle()


@pytest.mark.long
async def test_no_message_is_harmful_whatever_names_and_texts_people_use(
    with_clock: Clocked,
) -> None:
    async with hostile_bot(with_clock, 5) as (at, clock):
        host = at.host
        for person in at.people:
            await choose_own(at, person, Reminders_of_your_turn="By direct message too")
        settings_message = await host.slash(at.channel, "settings", game=LIARS)
        form = await host.click(settings_message.seen, "Messages…")
        await host.submit(form.modal, {"Cards by direct message": ["Yes, each round"]})
        stranger = at.world.add_person(NAMES[5])
        await at.open(LIARS)
        await at.option(stranger, "Notify me about new tables")
        await press_everything(at, stranger)
        for person, words in zip(at.people, NAMES, strict=False):
            await cut_with(at, person, words)
        await at.press("Start", host)
        for _ in at.people:  # each of them is reminded of a call by the one before
            await at.bid()
            passes(at, clock, 20)
            await until(at.reminders)
            await at.settle()
            for words in NAMES:
                await bid_by_form(at, at.turn(), text=words)
                await at.turn().slash(at.channel, "bid", hand=words)
                await at.turn().autocomplete(at.channel, "bid", "hand", words)
        contents = [str(body["content"]) for body in sent(at) if "content" in body]
        for name in map(TypedText, NAMES[:5]):
            # in the channel and in the direct message
            assert len([text for text in contents if f"{name} bid **" in text]) == 2, (
                name,
                contents,
            )
        await stranger.slash(at.channel, "leave", what="away", player=at.people[1])
        await at.people[0].slash(at.channel, "leave", what="away", player=at.people[1])
        await at.people[0].slash(at.channel, "leave", what="drop", player=at.people[4])
        await at.people[2].click(at.message(), "My seat")
        await at.challenge(at.turn())
        await press_everything(at, stranger)
        for person in at.people:
            await press_everything(at, person)
        for words in NAMES:
            await cut_with(at, host, words)
        await at.press("Next round", host)
        for person in at.people[1:]:
            with contextlib.suppress(CannotDo, AssertionError):
                await at.forfeit(person)
        assert "wins the match" in at.message().text
        await press_everything(at, host)
        for command in COMMANDS:
            out = await (await host.slash(at.channel, command)).settle()
            if out.message is not None:
                await press_everything(at, host)
        (won,) = [message for message in at.public() if "Play again" in message.buttons]
        await host.click(won, "Play again")
        await at.settle()
        await host.slash(at.channel, "leave", what="end")
        await at.settle()
        assert_harmless(at)


# -- whom messages may ping ------------------------------------------------------------------------

MENTION = re.compile(r"<@(\d+)>")
SAID = 4  # types of an interaction's answer: a message, and an edit of the one that was pressed
REDRAWN = 7


def messages(requests: list[RecordedRequest]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the route and the message of each request that shows text on a screen."""
    for request in requests:
        body = request.body if isinstance(request.body, dict) else {}
        if request.route.endswith("/callback"):
            if body.get("type") in (SAID, REDRAWN):
                yield request.route, body.get("data") or {}
        elif request.method in ("POST", "PATCH") and (
            "messages" in request.route or "webhooks" in request.route
        ):
            yield f"{request.method} {request.route}", body


def words(message: dict[str, Any]) -> str:
    return str(message.get("content") or "") + str(message.get("components") or "")


async def test_every_message_of_a_match_pings_only_the_people_it_addresses(
    table: Seat,
) -> None:
    at = await table(4)
    listener = at.people.pop()
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    await at.option(listener, "Notify me about new tables")
    await choose(at, "Messages…", Reminders="On every turn")
    await at.press("Start")
    turns = []
    while "wins the match" not in at.message().text:
        for act in (at.call, at.challenge):
            turns.append(at.turn().id)
            await act(at.turn())
            await at.settle()
        if "Next round" in at.message().buttons:
            await at.press("Next round")
    await at.press("Play again")
    await at.option(at.host, "Close the table")
    await at.open(THAI)
    await at.settle()

    kinds: Counter[str] = Counter()
    pinged: list[str] = []
    for route, message in messages(list(at.world.state.requests)):
        allowed = message.get("allowed_mentions")
        assert allowed is not None, (route, words(message)[:200])
        for others in ("parse", "roles", "replied_user"):
            assert not allowed.get(others), (route, others)
        users = [str(user) for user in allowed.get("users") or ()]
        named = MENTION.findall(words(message))
        if not users:
            kinds["nobody"] += 1
        elif message.get("content"):  # a reminder names nobody but whom it pings
            assert users == named, message
            pinged += users
            kinds["reminder"] += 1
        elif "tap **I'm in**" in words(message):
            assert sorted(users) == sorted(person.id for person in at.people[1:])
            kinds["invitation"] += 1
        else:
            assert users == [listener.id]
            assert listener.id in named
            kinds["word of a table"] += 1
    assert pinged == turns  # each turn pinged its player, once
    assert kinds["invitation"] == kinds["word of a table"] == 1
    assert kinds["nobody"] > len(turns)


async def test_a_renamed_player_has_the_new_name_in_the_picture_of_their_press(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    bidder = at.turn()
    await at.call(bidder)
    await at.settle()
    doubter = at.turn()
    before = {person.id: at.world.state.users[person.id].name for person in at.people}
    for person in at.people:
        at.world.state.users[person.id].name = f"{before[person.id]}x"
    await at.challenge(doubter)
    assert f"{before[doubter.id]}x:" in alt(at)
    assert f"{before[bidder.id]}:" in alt(at)  # who has pressed nothing since
    await bidder.click(at.message(), "Next round")
    await at.settle()
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    assert all(f"{name}x:" in alt(at) for name in before.values())

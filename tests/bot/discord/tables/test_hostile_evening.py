"""A whole evening of people whose names and words are typed to do harm: nothing that is sent does.

Looked at is everything that the bot sends to Discord: messages, edits, answers, forms, suggestions
and letters. `tests/evenings` looks at the same of evenings by chance.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest

from bot.discord import picture_job
from bot.language.words import TypedText
from bot.sandbox.discord_state import Json
from bot.sandbox.driver import Person
from bot.sandbox.errors import CannotDo
from engine.cutting import read_cut
from tests.bot.discord.tables.clocked import Clocked, passes
from tests.bot.discord.tables.test_preferences import choose as choose_own
from tests.bot.house import StoppedClock, Table, bid_by_form, cut_with
from tests.bot.practising import practise
from tests.hostile import NAMES, harms
from tests.people import until

LIARS = "Liars' Poker"
COMMANDS = ("history", "records", "preferences", "help")
LOOKS = ("Bidding", "Fair deal ✓", "Whole match", "How to play", "Older", "My decisions")


def sent(at: Table) -> list[Json]:
    """The bodies of everything that the bot has sent, but for its commands."""
    return [one.body for one in at.world.state.requests if isinstance(one.body, dict)]


def assert_harmless(at: Table) -> None:
    cuts = tuple(read_cut(name) for name in NAMES)
    found = [harm for body in sent(at) for harm in harms(body, cuts)]
    assert not found, "\n".join(found[:5])


@contextlib.asynccontextmanager
async def hostile_house(clocked: Clocked, people: int) -> AsyncIterator[tuple[Table, StoppedClock]]:
    """So many of them, in a server and a channel of such names."""
    async with clocked(0) as (at, clock):
        server = at.world.add_guild(NAMES[0])
        at.channel = server.add_text_channel(NAMES[2][:20])
        at.people = [at.world.add_person(name) for name in NAMES[:people]]
        server.make_moderator(at.host)
        yield at, clock


async def everything_pressed(at: Table, person: Person) -> None:
    """Press what can be looked at of the lowest message that the person sees."""
    seen = [one for one in person.visible(at.channel) if one.components][-1]
    for label in (
        "Bidding",
        "Fair deal ✓",
        "Whole match",
        "How to play",
        "Older",
        "My decisions",
    ):
        if label in seen.buttons:
            with contextlib.suppress(CannotDo):
                await (await person.click(seen, label)).settled()


async def test_whatever_people_are_called_and_type_nothing_that_is_sent_does_harm(
    clocked: Clocked,
) -> None:
    async with hostile_house(clocked, 5) as (at, clock):
        host = at.host
        for person in at.people:
            await choose_own(at, person, Reminders_of_your_turn="By direct message too")
        shown = await host.slash(at.channel, "settings", game=LIARS)
        assert shown.message is not None
        form = await host.click(shown.message, "Time and messages…")
        await host.submit(form.modal, {"Cards by direct message": ["Yes, each round"]})
        stranger = at.world.add_person(NAMES[5])
        await at.open(LIARS)
        await at.option(stranger, "Tell me when a table opens")
        await everything_pressed(at, stranger)
        for person, words in zip(at.people, NAMES, strict=False):
            await cut_with(at, person, words)
        await host.click(at.shown(), "Start")
        await at.settle()
        for _ in at.people:  # each of them is reminded of a call by the one before
            await at.call(at.turn())
            await at.settle()
            passes(at, clock, 20)
            await until(at.reminders)
            await at.settle()
            for words in NAMES:
                await bid_by_form(at, at.turn(), text=words)
                await at.turn().slash(at.channel, "bid", hand=words)
                await at.turn().autocomplete(at.channel, "bid", "hand", words)
        said = [str(body["content"]) for body in sent(at) if "content" in body]
        for name in map(TypedText, NAMES[:5]):
            # in the channel and in the letter
            assert len([one for one in said if f"{name} said **" in one]) == 2, (name, said)
        await stranger.slash(at.channel, "leave", what="away", player=at.people[1])
        await at.people[0].slash(at.channel, "leave", what="away", player=at.people[1])
        await at.people[0].slash(at.channel, "leave", what="drop", player=at.people[4])
        await at.people[2].click(at.shown(), "My seat")
        await at.challenge(at.turn())
        await everything_pressed(at, stranger)
        for person in at.people:
            await everything_pressed(at, person)
        for words in NAMES:
            await cut_with(at, host, words)
        await host.click(at.shown(), "Next round")
        await at.settle()
        for person in at.people[1:]:
            with contextlib.suppress(CannotDo, AssertionError):
                await at.forfeit(person)
        assert "wins the match" in at.shown().text
        await everything_pressed(at, host)
        for command in COMMANDS:
            out = await (await host.slash(at.channel, command)).settled()
            if out.message is not None:
                await everything_pressed(at, host)
        (won,) = [one for one in at.public() if "Play again" in one.buttons]
        await host.click(won, "Play again")
        await at.settle()
        await host.slash(at.channel, "leave", what="end")
        await at.settle()
        assert_harmless(at)


async def test_seasons_of_any_name_do_no_harm(clocked: Clocked) -> None:
    async with hostile_house(clocked, 2) as (at, _):
        await at.start(LIARS)
        await at.call(at.turn())
        await at.challenge(at.turn())
        await at.forfeit(at.people[1])
        for name in NAMES:
            shown = await (await at.host.slash(at.channel, "records", what="seasons")).settled()
            assert shown.message is not None
            form = await at.host.click(shown.message, "New season…")
            assert form.modal is not None
            await at.host.submit(form.modal, {"Its name": name})
            for asked in ({"what": "statistics"}, {"what": "leaderboard"}):
                for season in ({}, {"season": name}, {"season": name + "?"}):
                    await (await at.host.slash(at.channel, "records", **asked, **season)).settled()
            await at.host.autocomplete(at.channel, "records", "season", name[:4])
        await (await at.host.slash(at.channel, "records", what="seasons")).settled()
        assert_harmless(at)


@pytest.mark.parametrize("option", ["hands", "board", "dead"])
async def test_questions_of_odds_in_any_words_do_no_harm(clocked: Clocked, option: str) -> None:
    async with hostile_house(clocked, 1) as (at, _):
        for words in (*NAMES, "AhKh vs QQ+,\nAKs"):
            given = {"hands": "AhKd vs QcQs"} | {option: words}
            await (await at.host.slash(at.channel, "odds showdown", **given)).settled()
        for words in NAMES:
            await (await at.host.slash(at.channel, "odds thai", in_play=9, cards=words)).settled()
            await (await at.host.slash(at.channel, "odds thai", in_play=9, bid=words)).settled()
            for field in ("hand", "seen", "pair_plus"):
                asked = {"hand": "Qs 6h 4d"} | {field: words}
                await (await at.host.slash(at.channel, "odds three-card", **asked)).settled()
        assert_harmless(at)


async def test_a_practice_of_any_name_does_no_harm_and_pictures_in_words_neither(
    clocked: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hostile_house(clocked, 2) as (at, _):
        await practise(at.host, at.channel, LIARS)
        await at.host.click(at.seat(at.host), "Hint")
        await at.start(LIARS)
        await at.call(at.turn())
        monkeypatch.setattr(picture_job, "LONGEST_WAIT", 0.0)
        picture_job.forget()
        await at.challenge(at.turn())
        await at.settle()
        assert_harmless(at)

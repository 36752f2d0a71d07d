"""History, replays, the coach and the quiz: who may see which match, and when."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, create_autospec

import discord
import pytest

from bot.computing.process import Computing
from bot.computing.question import ProcessLost
from bot.discord import answers
from bot.discord.replays import handlers
from bot.discord.replays.handlers import may_see
from bot.replays.match_file import read_bytes, validate
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from bot.tables.model import KeptMatch, MatchStatus, StoredMatch
from engine.odds.chance import Chance
from engine.players.coaching.decisions import Advice, Decision, Tried
from tests.bot.conftest import Seat
from tests.bot.harness import Table, bid_by_form, private_reply
from tests.bot.practising import newest

THAI = "Thai Poker"
LATEST = "Last match here"


class Judge(Computing):
    """A computing process whose coach waits until the event `let` is set, and then judges.

    Each decision of a question costs one percentage point more than the decision before it. If
    `lost`, the process raises `ProcessLost`. `asked`: the number of decisions in each question so
    far.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []
        self.lost = False
        self.let = asyncio.Event()
        self.let.set()

    async def ask(self, question: Any, limit: float | None = None) -> Any:
        await self.let.wait()
        if self.lost:
            raise ProcessLost
        self.asked.append(len(question.decisions))
        decisions = enumerate(question.decisions, start=1)
        return tuple(judge_decision(decision, 0.3 - at / 100) for at, decision in decisions)


def judge_decision(decision: Decision, wins: float) -> Advice:
    """Return advice: the share of matches won is `wins` after the move made, 0.3 after the best."""
    tried = Tried(getattr(decision.action, "key", None), wins, 1)
    best = Tried("royal_flush:s", 0.3, 4)
    seat = decision.position.seat
    return Advice(decision.seq, seat, Chance(1, 4), 0.5, tried, best, best, 0.0001, (tried, best))


async def seat_people(table: Seat, players: int = 2) -> tuple[Table, Judge]:
    """Put people in a channel with a bot whose coach is a `Judge`; return table and judge."""
    at = await table(players)
    judge = Judge()
    at.bot.client.handlers.replays._coach._computing = judge
    return at, judge


async def play_to_end(at: Table) -> int:
    """Play three rounds of a new match, with false bids, then have all but the host forfeit.

    Return the match's number.
    """
    await at.start(THAI)
    return await to_the_end(at)


async def to_the_end(at: Table) -> int:
    """Play three rounds, then have all but the host forfeit; return the match's number."""
    live = await at.live()
    for _ in range(3):
        await bid_by_form(at, at.turn(), text="royal flush clubs")
        await bid_by_form(at, at.turn(), text="royal flush spades")
        await at.challenge(at.turn())
        await at.press("Next round")
    for person in at.people[1:]:
        await at.forfeit(person)
    await at.settle()
    assert "wins the match" in at.message().text
    return live.table.match_id or 0


async def message_of(person: Person, at: Table, command: str, **options: object) -> SeenMessage:
    """Return the private message that a command shows."""
    out = await (await person.slash(at.channel, command, **options)).settle()
    assert out.message is not None, out
    assert out.message.ephemeral
    return out.message


async def press(person: Person, message: SeenMessage, label: str) -> SeenMessage:
    """Return the private message that a press shows."""
    out = await (await person.click(message, label)).settle()
    assert out.message is not None, out
    assert out.message.ephemeral
    return out.message


def step_of(message: SeenMessage) -> tuple[int, int, int]:
    """Return the round, step and number of steps that a replay's message names."""
    match = re.search(r"Round (\d+) of \d+ · step (\d+) of (\d+)", message.text)
    assert match is not None, message.text
    return int(match[1]), int(match[2]), int(match[3])


async def test_a_match_is_stepped_through_in_one_message_with_all_cards_open(table: Seat) -> None:
    at, _ = await seat_people(table)
    number = await play_to_end(at)
    ann = at.people[0]
    replay_page = await press(ann, await message_of(ann, at, "matches"), LATEST)
    assert f"**Thai Poker · Match {number}**" in replay_page.text
    assert step_of(replay_page)[:2] == (1, 1)
    assert [attachment["filename"].split("-")[0] for attachment in replay_page.attachments] == [
        "showdown"
    ]
    assert replay_page.buttons == ["Next ›", "Coach", "Round »", "Download"]
    first = replay_page.id
    replay_page = await press(ann, replay_page, "Next ›")
    assert replay_page.id == first, "the same message"
    assert "**club royal flush**" in replay_page.text
    assert "It isn't there." in replay_page.text
    assert "cards: " in replay_page.text
    replay_page = await press(ann, await press(ann, replay_page, "Next ›"), "Next ›")
    assert "**It isn't there**" in replay_page.text
    steps = step_of(replay_page)[2]
    assert step_of(await press(ann, replay_page, "‹ Back")) == (1, 3, steps)
    later = await press(ann, replay_page, "Round »")
    assert step_of(later)[0] == 2
    assert step_of(await press(ann, later, "« Round"))[:2] == (1, 1)
    while step_of(later)[1] < steps:
        later = await press(ann, later, "Round »")
    assert "wins the match" in later.text
    assert all(person.name in later.text for person in at.people), "the picture in words"


async def test_a_replay_opens_from_the_winners_message_and_from_the_history(table: Seat) -> None:
    at, _ = await seat_people(table)
    first = await play_to_end(at)
    bob = at.people[1]
    opened = await press(bob, at.message(), "Replay")
    assert f"Match {first}**" in opened.text
    await at.press("Play again", bob)
    await at.press("I'm in")
    second = await to_the_end(at)
    mine = await message_of(bob, at, "matches")
    assert f"`{second}` Thai Poker" in mine.text
    assert mine.text.index(f"`{second}`") < mine.text.index(f"`{first}`")
    assert f"with <@{at.host.id}>" in mine.text
    out = await (await bob.select(mine, "Replay a match…", str(first))).settle()
    assert f"Match {first}**" in out.seen.text
    assert (
        f"Match {second}**" in (await press(bob, await message_of(bob, at, "matches"), LATEST)).text
    ), "the channel's latest"
    assert f"Match {first}**" in (await message_of(bob, at, "matches", match=first)).text


async def test_a_person_without_matches_is_told_that(table: Seat) -> None:
    at, _ = await seat_people(table)
    stranger = at.world.add_person("Stranger")
    answer = await message_of(stranger, at, "matches")
    assert "No match of yours has a winner" in answer.text
    assert answer.buttons == [], "nor has anybody's here"
    reply = await private_reply(stranger.forge(answer, "bh:recall:0:0:0"))
    assert reply.startswith("You don't have a finished match yet.")
    number = await play_to_end(at)
    answer = await message_of(stranger, at, "matches")
    assert "No match of yours has a winner" in answer.text
    assert f"Match {number}**" in (await press(stranger, answer, LATEST)).text


async def test_a_match_under_way_is_not_shown_and_the_coach_is_silent_about_it(
    table: Seat,
) -> None:
    at, judge = await seat_people(table)
    over = await play_to_end(at)
    ann = at.people[0]
    replayed = await press(ann, await message_of(ann, at, "matches"), LATEST)
    await at.press("Play again", ann)
    await at.press("I'm in", at.people[1])
    number = (await at.live()).table.match_id
    assert number != over
    await bid_by_form(at, at.turn(), text="royal flush clubs")
    await at.settle()
    reply = await private_reply(ann.slash(at.channel, "matches", match=number))
    assert reply == f"Match {number} is still being played. You can replay it when it's over."
    stranger = at.world.add_person("Eve")
    reply = await private_reply(stranger.slash(at.channel, "matches", match=number))
    assert "still being played" in reply
    listed = await message_of(ann, at, "matches")
    forged = re.sub(r":0:0$", f":{number}:0", custom_id(listed, "Coach"))
    assert "still being played" in await private_reply(ann.forge(listed, forged))
    assert judge.asked == []
    # a forged button for the match under way, and a genuine one for the match before
    for choice in ("open", "next.c", "at.3.c"):
        forged = re.sub(r":\d+:\d+:\w+$", f":{number}:3:{choice}", custom_id(replayed, "Next ›"))
        reply = await private_reply(ann.forge(replayed, forged))
        assert "still being played" in reply
    assert f"Match {over}**" in (await press(ann, replayed, "Next ›")).text
    mine = await message_of(ann, at, "matches")
    assert f"`{number}`" not in mine.text
    await ann.dismiss(replayed)  # which shows cards of the match before
    at.assert_no_leak()


def custom_id(message: SeenMessage, label: str) -> str:
    return next(str(part["custom_id"]) for part in message.components if part.get("label") == label)


async def test_a_replay_leads_to_other_views_of_the_match(table: Seat) -> None:
    at, judge = await seat_people(table)
    number = await play_to_end(at)
    ann = at.people[0]
    suggestions = await ann.autocomplete(at.channel, "matches", "match", "")
    assert [suggestion["value"] for suggestion in suggestions] == [number]
    assert re.fullmatch(rf"{number}: Thai Poker, (1st|2nd) of 2", suggestions[0]["name"])
    opened = await press(ann, await message_of(ann, at, "matches"), LATEST)
    await the_coach_is_asked_round_by_round_and_remembers(ann, opened, judge)
    await the_three_costliest_decisions_lead_into_the_replay(at, ann, number)
    await it_is_saved_as_a_file_that_checks_itself_and_as_a_page(at, ann, opened, number)
    for choice in ("", ":at", ":at.x", ":at.99999", ":sideways", ":next.c.c"):
        forged = re.sub(r":[\w.]+$", choice, custom_id(opened, "Next ›"))
        out = await (await ann.forge(opened, forged)).settle()
        assert step_of(out.seen)[1] >= 1
    eve = at.world.add_person("Eve")
    replay_page = await press(eve, await message_of(eve, at, "matches"), LATEST)
    assert f"Match {number}**" in replay_page.text
    reply = await private_reply(
        eve.click(await press(eve, replay_page, "Coach"), "My costliest moves")
    )
    assert reply == "The coach only looks at your own decisions, and you didn't play in this match."
    channel = at.world.add_guild("The Other").add_text_channel("games")
    none = await private_reply(eve.slash(channel, "matches", match=number + 1000))
    hidden = await private_reply(eve.slash(channel, "matches", match=number))
    assert hidden.replace(str(number), "N") == none.replace(str(number + 1000), "N")
    elsewhere = replace(at, channel=channel)
    assert f"Match {number}**" in (await message_of(ann, elsewhere, "matches", match=number)).text


async def the_coach_is_asked_round_by_round_and_remembers(
    ann: Person, opened: SeenMessage, judge: Judge
) -> None:
    coach_page = await press(ann, opened, "Coach")
    assert "no decision here" in coach_page.text
    coach_page = await press(ann, coach_page, "Next ›")
    assert "**Coach**" in coach_page.text
    assert "It cost **1.0\u00a0points** of win chance" in coach_page.text
    assert "Given the bids" not in coach_page.text, "nothing was bid before it"
    coach_page = await press(ann, coach_page, "Next ›")
    assert "Given the bids before it: about 50.0% likely." in coach_page.text
    assert judge.asked == [3], "a round is judged once"
    assert "**Coach**" not in (await press(ann, coach_page, "Coach off")).text


async def the_three_costliest_decisions_lead_into_the_replay(
    at: Table, ann: Person, number: int
) -> None:
    coach_page = await press(ann, await message_of(ann, at, "matches"), "Coach")
    assert f"**Coach**\n-# Thai Poker · match {number}\n" in coach_page.text
    assert len(re.findall(r"^\*\*\d\.\*\*", coach_page.text, re.MULTILINE)) == 3
    costs = [float(cost) for cost in re.findall(r"cost \*\*([\d.]+)", coach_page.text)]
    assert costs == sorted(costs, reverse=True)
    assert coach_page.buttons == ["Show 1", "Show 2", "Show 3", "Quiz"]
    where = await press(ann, coach_page, "Show 1")
    named = re.search(r"\*\*1\.\*\* Round (\d+)", coach_page.text)
    assert named is not None
    assert step_of(where)[0] == int(named[1])
    assert "**Coach**" in where.text
    assert where.id != coach_page.id


async def it_is_saved_as_a_file_that_checks_itself_and_as_a_page(
    at: Table, ann: Person, opened: SeenMessage, number: int
) -> None:
    out = await (await ann.click(opened, "Download")).settle()
    assert out.seen.ephemeral
    names = [attachment["filename"] for attachment in out.seen.attachments]
    assert names == [f"match-{number}.json", f"match-{number}.html"]
    content = at.world.state.attachments[out.seen.attachments[0]["id"]].content
    assert validate(read_bytes(content)).names == ("Ann", "Bob")
    assert not any(person.id in content.decode() for person in at.people)
    assert json.loads(content)["match"] == number


@pytest.mark.thorough
async def test_a_coach_that_cannot_answer_says_so(table: Seat) -> None:
    at, judge = await seat_people(table)
    await play_to_end(at)
    judge.lost = True
    listed = await message_of(at.host, at, "matches")
    reply = await private_reply(at.host.click(listed, "Coach"))
    assert reply == "The coach can't answer right now. Please try again in a moment."


@pytest.mark.thorough
async def test_a_coach_that_takes_long_is_seen_at_work(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, judge = await seat_people(table)
    number = await play_to_end(at)
    listed = await message_of(at.host, at, "matches")
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.0)
    judge.let.clear()
    for label, says in (("Coach", f"match {number}"), ("Quiz", "decision")):
        out = await at.host.click(listed, label)
        assert out.kind == "deferred"
        assert out.seen.ephemeral
        assert out.seen.pending
        judge.let.set()
        page = (await out.settle()).seen
        assert says in page.text
        assert page.id == out.seen.id
        judge.let.clear()


@pytest.mark.thorough
@pytest.mark.parametrize("lost", [False, True], ids=["it answers", "it cannot"])
async def test_a_coach_that_takes_long_in_a_replay_is_seen_at_work_in_the_step(
    table: Seat, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    at, judge = await seat_people(table)
    await play_to_end(at)
    monkeypatch.setattr(handlers, "UNSEEN", 0.0)
    replay = await press(at.host, await message_of(at.host, at, "matches"), LATEST)
    step = (await at.host.click(replay, "Next ›")).seen
    judge.lost = lost
    judge.let.clear()
    out = await at.host.click(step, "Coach")
    assert out.kind == "update"
    assert "The coach is looking at this round…" in out.seen.text
    assert out.seen.buttons == [
        "Download",
        "My costliest moves",
    ]  # nothing leads on from here meanwhile
    judge.let.set()
    await at.settle()
    standing = next(message for message in at.host.visible(at.channel) if message.id == replay.id)
    assert "is looking" not in standing.text
    assert ("**Coach**" in standing.text) != lost
    assert {"‹ Back", "Next ›", "Coach" if lost else "Coach off"} <= set(standing.buttons)
    line = at.host.visible(at.channel)[-1].text
    assert ("The coach can't answer" in line) == lost


ANN, EVE = 101, 909
GUILD, CHANNEL, ELSEWHERE = 1, 2, 3


def kept_match(channel: int = CHANNEL, guild: int = GUILD) -> KeptMatch:
    match = StoredMatch(
        7, 1, "thai_poker", 1, {}, (ANN, 102), None, MatchStatus.WON, 0, 1, actions=()
    )
    return KeptMatch(match, {}, guild, channel)


def channel_with(kind: Any = discord.TextChannel, **allowed: bool) -> Any:
    channel = create_autospec(kind, instance=True)
    channel.permissions_for.return_value = discord.Permissions(**allowed)
    return channel


OPEN = channel_with(view_channel=True, read_message_history=True)
HIDDEN = channel_with(read_message_history=True)


def asks(
    player: int,
    place_seen: int | None = ELSEWHERE,
    channel: Any = None,
    guild: int = GUILD,
    history: bool = True,
) -> Any:
    """Return an interaction in the channel `place_seen` of a server.

    `channel`: the match's channel in that server, or None if it isn't there. `history`: whether the
    member may read the message history of `place_seen`.
    """
    member = create_autospec(discord.Member, instance=True)
    member.id = player
    answer: Any = SimpleNamespace(status=404, reason="Not Found")
    gone = discord.NotFound(answer, "Unknown Channel")
    fetch = AsyncMock(side_effect=gone if channel is None else None, return_value=channel)
    place = SimpleNamespace(id=guild, fetch_channel=fetch)
    allowed = discord.Permissions(view_channel=True, read_message_history=history)
    return SimpleNamespace(user=member, channel_id=place_seen, guild=place, permissions=allowed)


async def test_players_and_people_in_the_channel_see_a_replay() -> None:
    alone = SimpleNamespace(user=SimpleNamespace(id=ANN), channel_id=None, guild=None)
    assert await may_see(alone, kept_match())  # type: ignore[arg-type]
    assert await may_see(asks(ANN, channel=HIDDEN), kept_match())
    assert await may_see(asks(EVE, place_seen=CHANNEL, channel=HIDDEN), kept_match())


async def test_without_the_channels_history_there_is_no_replay() -> None:
    assert not await may_see(
        asks(EVE, place_seen=CHANNEL, channel=OPEN, history=False), kept_match()
    )
    assert await may_see(
        asks(ANN, place_seen=CHANNEL, channel=OPEN, history=False), kept_match()
    ), "who played does"


async def test_elsewhere_in_the_server_a_replay_needs_access_to_its_channel() -> None:
    assert await may_see(asks(EVE, channel=OPEN), kept_match())
    assert not await may_see(asks(EVE, channel=HIDDEN), kept_match())
    assert not await may_see(asks(EVE, channel=None), kept_match()), "a channel that is gone"
    blind = channel_with(view_channel=True)
    assert not await may_see(asks(EVE, channel=blind), kept_match()), (
        "what was said before is hidden"
    )


async def test_a_replay_is_not_shown_in_another_server_or_a_direct_message() -> None:
    assert not await may_see(asks(EVE, channel=OPEN, guild=GUILD + 1), kept_match())
    alone = SimpleNamespace(user=SimpleNamespace(id=EVE), channel_id=9, guild=None)
    assert not await may_see(alone, kept_match())  # type: ignore[arg-type]
    no_member = asks(EVE, channel=OPEN)
    no_member.user = SimpleNamespace(id=EVE)
    assert not await may_see(no_member, kept_match())


async def test_only_its_player_sees_the_replay_of_a_practice() -> None:
    assert await may_see(asks(ANN, place_seen=-ANN), kept_match(channel=-ANN, guild=0))
    assert not await may_see(asks(EVE, place_seen=-ANN), kept_match(channel=-ANN, guild=0))


@pytest.mark.thorough
@pytest.mark.parametrize(("private", "manages", "visible"), [(0, 0, 1), (1, 0, 0), (1, 1, 1)])
@pytest.mark.parametrize("open_parent", [True, False])
async def test_a_private_threads_replay_needs_the_permission_to_manage_threads(
    private: int, manages: int, visible: int, open_parent: bool
) -> None:
    parent = channel_with(
        view_channel=open_parent, read_message_history=True, manage_threads=bool(manages)
    )
    thread = create_autospec(discord.Thread, instance=True)
    thread.is_private.return_value = bool(private)
    thread.guild.fetch_channel = AsyncMock(return_value=parent)
    assert await may_see(asks(EVE, channel=thread), kept_match()) is (bool(visible) and open_parent)


# -- my mistakes: answered once, asked again days later --------------------------------------------


async def a_match(at: Table) -> Person:
    """Play a match in which the opener always bids four aces and loses; return the opener."""
    await at.start(THAI)
    opener = at.turn()  # of every round, as whoever loses one opens the next
    while "wins the match" not in at.message().text:
        if "Next round" in at.message().buttons:
            await at.press("Next round")
            continue
        await opener.slash(at.channel, "bid", hand="four aces")
        await at.settle()
        await at.challenge(at.turn())
    return opener


async def question_for(at: Table, person: Person) -> SeenMessage:
    """Ask for a quiz by the button below a person's matches; return the quiz's message."""
    await person.slash(at.channel, "matches")
    await (await person.click(newest(person, at.channel), "Quiz")).settle()
    return newest(person, at.channel)


@pytest.mark.long
async def test_a_costly_decision_is_asked_as_the_seat_was_and_again_days_later(
    table: Seat,
) -> None:
    at = await table(2, seeds="costly")
    person = await a_match(at)
    question = await question_for(at, person)
    assert "What would you do?" in question.text
    assert "**Your turn:** open with any bid." in question.text
    assert re.search(r"^-# \d+ cards in play: <@", question.text, re.MULTILINE), "no table says so"
    assert "four aces" not in question.text.partition("**Your turn:**")[0]
    candidates = question.buttons
    assert 2 <= len(candidates) <= 4
    assert "Rules" not in candidates
    assert "Four aces" in candidates
    (onlooker,) = (player for player in at.people if player is not person)

    answered = await (await person.click(question, "Four aces")).settle()
    text = answered.seen.text
    assert "**Not quite:**" in text
    assert "Four aces: " in text
    assert "as you played" in text
    assert "You opened with **four aces**." in text
    assert "It cost **" in text
    assert "We'll ask you again <t:" in text
    for name in (person.name, onlooker.name):
        assert name in text  # what everybody held
    forged = next(part for part in question.components if part.get("label") == "Four aces")
    assert "moved on" in await private_reply(person.forge(question, forged["custom_id"]))
    assert "moved on" in await private_reply(
        onlooker.forge(newest(onlooker, at.channel), forged["custom_id"])
    )

    await (await person.click(answered.seen, "Next one")).settle()
    following = newest(person, at.channel)
    assert following.text != question.text


async def test_nobody_is_asked_about_a_match_that_they_did_not_play(table: Seat) -> None:
    at = await table(3)
    await at.people[2].slash(at.channel, "matches")
    await at.people[2].slash(at.channel, "practice", game=THAI)
    forged = at.people[2].forge(newest(at.people[2], at.channel), "bh:mistakes:0:0:0")
    out = await (await forged).settle()
    assert "No decision in your latest matches cost you ten points" in out.seen.text
    guess = at.people[2].forge(newest(at.people[2], at.channel), "bh:mguess:1:1:3:doubt")
    assert "moved on" in await private_reply(guess)

"""Turns with a time limit, over real sockets: reminders, absent players, and restarts.

The bot's clock moves only when a test moves it; nothing here waits for real time to pass.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord import answers
from bot.tables.live import LiveTable
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import (
    SEND,
    Clocked,
    passes,
    pings_sent,
    see_reminders,
    serve_table,
)
from tests.bot.harness import Held, StoppedClock, Table, choose, private_reply
from tests.people import until

THAI = "Thai Poker"


def seq(live: LiveTable) -> int:
    return live.match.seq if live.match is not None else 0


# -- reminders -------------------------------------------------------------------------------------


async def test_a_slow_turn_gets_one_line_that_pings_its_player_alone_until_they_act(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        first = at.turn()
        passes(at, clock, 19)
        await at.settle()
        assert at.reminders() == []
        assert ((await at.live()).table.deadline or 0) - clock.at == 1000
        await see_reminders(at, clock, 1)
        (line,) = at.reminders()
        assert line.content.startswith(f"<@{first.id}>, your turn: you open round 1")
        assert at.message().id in line.content  # the link to the table
        assert pings_sent(at) == [[first.id]]
        await see_reminders(
            at, clock, 40, 2
        )  # half of the clock: once more, in the place of the other
        (again,) = at.reminders()
        assert again.id != line.id
        assert again.buttons == line.buttons == ["My seat", f"Say {first.name} is away"]
        await at.call(first)
        await at.settle()
        assert at.reminders() == []
        second = at.turn()
        await see_reminders(at, clock, 20, 3)
        (line,) = at.reminders()
        assert line.content.startswith(f"<@{second.id}>, your turn: {first.name} bid **")
        assert f"<@{first.id}>" not in line.content  # whoever bid last is not mentioned
        assert pings_sent(at)[-1] == [second.id]


async def test_a_player_who_just_used_another_private_message_is_not_reminded(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        first = at.turn()
        person = next(person for person in at.people if person is not first)
        await private_reply(person.slash(at.channel, "help"))  # whoever else is there wakes nobody
        await private_reply(first.slash(at.channel, "help"))
        passes(at, clock, 60)  # two reminders are due
        await at.settle()
        assert at.reminders() == []
        await at.call(first)
        await at.settle()
        await see_reminders(at, clock, 20)
        assert pings_sent(at) == [[at.turn().id]]


async def test_a_reminder_comes_after_the_message_that_it_points_to(
    with_clock: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_clock(2) as (at, _):
        await at.open(THAI)
        await choose(at, "Messages…", Reminders="every")
        await at.settle()
        drawing = Held(monkeypatch, at.bot.delivery.boards, "for_table", first=True)
        await at.bot.delivery.tables.redraw((await at.live()).table.id)
        await drawing.reached.wait()
        # while the lobby is being drawn: the press waits no longer for the deal's message
        monkeypatch.setattr(answers, "DEFER_AFTER", 0.05)
        await at.host.click(at.message(), "Start")
        drawing.let.set()
        await at.settle()
        (line,) = at.reminders()
        assert at.message().id in line.content
        assert int(line.id) > int(at.message().id)


# -- chat above and below the table ----------------------------------------------------------------


def count_looks_below(at: Table) -> int:
    """Count the requests with which the bot has looked for messages below the table."""
    requests = [
        request
        for request in at.world.state.requests
        if request.route == SEND and request.method == "GET"
    ]
    return len(requests)


async def chats(at: Table, count: int) -> None:
    for number in range(count):
        await at.people[number % len(at.people)].say(at.channel, f"line {number}")


async def test_a_table_buried_by_chat_is_reposted_when_a_turn_starts(with_clock: Clocked) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        first = at.message()
        await chats(at, 8)
        await at.bid()  # within a minute of the deal nothing is asked
        assert count_looks_below(at) == 0
        clock.at += 61_000
        await at.bid()
        await until(lambda: at.message().id != first.id)
        await at.settle()
        assert count_looks_below(at) == 1
        moved = next(message for message in at.public() if message.id == first.id)
        assert "further down" in moved.text
        assert "Type…" in at.message().buttons


@pytest.mark.parametrize(("lines", "rule"), [(7, None), (30, "Leave it there")])
async def test_a_table_is_not_reposted_with_little_chat_or_by_house_rule(
    with_clock: Clocked, lines: int, rule: str | None
) -> None:
    async with with_clock(3) as (at, clock):
        await at.open(THAI)
        if rule is not None:
            await choose(at, "Messages…", When_chat_buries_the_table=rule)
        await at.press("Start")
        first = at.message()
        await chats(at, lines)
        clock.at += 61_000
        await at.bid()
        looking = at.bot.delivery.tables._looking
        await until(lambda: not looking)
        await at.settle()
        assert count_looks_below(at) == (1 if rule is None else 0)
        assert at.message().id == first.id


async def test_a_table_is_not_reposted_if_the_bot_may_not_read_the_messages_below(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        first = at.message()
        await chats(at, 8)
        at.world.faults.refuse(f"GET {SEND}")
        clock.at += 61_000
        await at.bid()
        await until(lambda: count_looks_below(at) and not at.bot.delivery.tables._looking)
        await at.settle()
        assert at.message().id == first.id


async def test_a_stopping_bot_no_longer_reads_the_messages_below_tables(
    with_clock: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        clock.at += 61_000
        looking = Held(monkeypatch, at.bot.delivery.tables, "_look_below")
        await at.bid()
        await looking.reached.wait()
        (task,) = at.bot.delivery.tables._looking
        at.bot.delivery.close()
        await asyncio.wait({task})
        assert task.cancelled()


# -- somebody who falls asleep ---------------------------------------------------------------------


async def test_two_of_three_may_say_that_somebody_is_away_and_they_come_back_at_the_table(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, _):
        await at.start(THAI)
        sleeper = at.turn()
        first, two = [person for person in at.people if person is not sleeper]
        reply = await private_reply(first.slash(at.channel, "leave", what="away", player=sleeper))
        assert "If one more player agrees" in reply
        await at.settle()
        assert f"<@{first.id}> says they're away" in at.message().text
        reply = await private_reply(first.slash(at.channel, "leave", what="away", player=first))
        assert reply == f"Who? Name them under `player`: <@{sleeper.id}>, for example."
        reply = await private_reply(two.slash(at.channel, "leave", what="away", player=sleeper))
        assert reply == f"The bot plays for <@{sleeper.id}> until they press **I'm back**."
        reply = await private_reply(two.slash(at.channel, "leave", what="away", player=sleeper))
        assert reply == f"<@{sleeper.id}> is already away, and the bot is playing for them."
        await at.settle()
        assert "away, the bot plays" in at.message().text
        back = await private_reply(first.click(at.message(), "I'm back"))
        assert back == "You're not marked as away."
        reply = await private_reply(sleeper.slash(at.channel, "leave", what="back"))
        assert reply == "Welcome back! You're making your own moves again."
        await at.settle()
        assert "away" not in at.message().text
        assert "I'm back" not in at.message().buttons
        assert at.turn() is sleeper
        for reporter in (first, two):
            await private_reply(reporter.slash(at.channel, "leave", what="away", player=sleeper))
        await at.settle()
        assert "away, the bot plays" in at.message().text
        await sleeper.click(at.seat(sleeper), "I'm back")
        await at.settle()
        assert "away" not in at.message().text
        assert "Your turn" in at.seat(sleeper).text


async def test_two_taps_under_the_reminder_and_at_the_table_say_that_somebody_is_away(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        sleeper = at.turn()
        first, two = [person for person in at.people if person is not sleeper]
        ask, agree = f"Say {sleeper.name} is away", f"I agree: {sleeper.name} is away"
        assert ask not in at.message().buttons
        await see_reminders(at, clock, 20)
        (line,) = at.reminders()
        assert line.buttons == ["My seat", ask]
        reply = await private_reply(first.click(line, ask))
        assert reply.startswith(f"You reported <@{sleeper.id}> as away. If one more player agrees")
        await at.settle()
        assert f"<@{first.id}> says they're away" in at.message().text
        assert await private_reply(sleeper.click(at.message(), agree)) == "Got it, you're here."
        await at.settle()
        assert "says they're away" not in at.message().text
        for person, label in ((first, ask), (two, agree)):
            reply = await private_reply(person.click(at.message(), label))
            await at.settle()
        assert reply == f"The bot plays for <@{sleeper.id}> until they press **I'm back**."
        assert {"I'm back"} == {ask, agree, "I'm back"} & set(at.message().buttons)


async def let_time_run_out(at: Table, clock: StoppedClock) -> None:
    """Let the turn's time run out, and wait until the bot has moved for the player."""
    before = seq(await at.live())
    passes(at, clock, 120)
    await at.until_live(lambda live: seq(live) > before)
    await at.settle()


async def test_seat_and_table_say_that_time_ran_out_and_what_the_bot_did(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        sleeper = at.turn()
        await let_time_run_out(at, clock)
        assert f"by <@{sleeper.id}> · time ran out, so the bot moved" in at.message().text
        text = at.standing().lower()
        (line,) = [line for line in at.seat(sleeper).text.splitlines() if "Time ran out" in line]
        assert line.lower() == f"**time ran out:** the bot played **{text}** for you."
        for _ in range(2):
            await at.bid()
        assert at.turn() is sleeper
        assert "Time ran out" not in at.seat(sleeper).text
        at.assert_no_leak()


async def test_a_player_who_timed_out_may_be_reported_once_their_next_turn_begins(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        sleeper = at.turn()
        ask = f"Say {sleeper.name} is away"
        await let_time_run_out(at, clock)
        for _ in range(2):
            assert ask not in at.message().buttons
            await at.bid()
        assert at.turn() is sleeper
        assert ask in at.message().buttons


async def test_onlookers_and_old_buttons_cannot_report_anybody(
    with_clock: Clocked,
) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        sleeper = at.turn()
        await see_reminders(at, clock, 20)
        (line,) = at.reminders()
        ask = f"Say {sleeper.name} is away"
        stranger = at.world.add_person("Zoe")
        assert await private_reply(stranger.click(line, ask)) == "You're not at this table."
        before, old = at.message(), line.button(ask)
        await at.call(sleeper)
        await at.settle()
        reply = await private_reply(at.turn().forge(before, old))
        assert reply.startswith("The table has moved on.")
        assert (await at.live()).table.votes == {}


async def test_with_two_left_nobody_is_asked_whether_the_other_is_away(with_clock: Clocked) -> None:
    async with with_clock(3) as (at, clock):
        await at.start(THAI)
        gone = next(person for person in at.people if person is not at.turn())
        await at.forfeit(gone)
        await see_reminders(at, clock, 20)
        (line,) = at.reminders()
        assert line.buttons == ["My seat"]
        assert not any("away" in label for label in at.message().buttons)
        waiting = next(
            person for person in at.people if person is not gone and person is not at.turn()
        )
        reply = await private_reply(waiting.slash(at.channel, "leave", what="away"))
        assert reply.startswith("With two of you left there's no vote")


# -- over a restart --------------------------------------------------------------------------------


async def test_a_clock_that_runs_out_while_the_bot_is_away_is_given_back(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with with_clock(2, turn_minutes=1) as (at, clock):
        await at.start(THAI)
        waited_for = at.turn()
        passes(at, clock, 50)
        await at.until_live(lambda live: live.table.nudges)
    clock.at += 3_600_000
    async with serve_table(at, tmp_path, clock, turn_minutes=1):
        await at.settle()
        ends = (await at.live()).table.turn_ends
        assert ends is not None
        assert ends - clock.at >= 20_000
        assert at.turn() is waited_for
        assert f"<t:{ends // 1000}:R>" in at.message().text  # and everybody sees it


# -- leaving for good ------------------------------------------------------------------------------


async def test_forfeit_asks_first_and_declining_changes_nothing(table: Seat) -> None:
    at = await table(3, plays=THAI)
    leaving = at.people[1]
    before = at.message().text
    prompt = await (await leaving.slash(at.channel, "leave")).settle()
    assert prompt.seen.ephemeral
    assert prompt.seen.buttons == ["Yes, leave", "Stay"]
    assert "Leave this match for good?" in prompt.text
    await at.settle()
    assert at.message().text == before
    await leaving.click(prompt.seen, "Stay")
    now = await leaving.current(prompt.seen)
    assert now.text == "You're staying. Nothing has changed."
    assert now.buttons == []
    assert at.message().text == before
    # a yes is to the match: it counts though somebody has moved meanwhile
    prompt = await (await leaving.slash(at.channel, "leave")).settle()
    await at.call(at.turn())
    await leaving.click(prompt.seen, "Yes, leave")
    await at.settle()
    assert (await leaving.current(prompt.seen)).text == "You've left the match."
    assert f"<@{leaving.id}> has left" in at.message().text
    again = await private_reply(leaving.slash(at.channel, "leave"))
    assert again == "You're out of this match."


async def test_with_two_left_the_question_before_a_forfeit_names_the_winner(table: Seat) -> None:
    at = await table(2, plays=THAI)
    ann, bob = at.people
    prompt = await (await bob.slash(at.channel, "leave")).settle()
    assert f"Only two of you are left: that ends it, and <@{ann.id}> wins." in prompt.text
    assert "Your cards stay in play" not in prompt.text


async def test_confirming_a_forfeit_of_an_earlier_match_does_not_leave_a_later_one(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    ann, bob = at.people
    prompt = await (await bob.slash(at.channel, "leave")).settle()
    await at.forfeit(ann)
    await at.press("Play again", bob)
    await at.press("I'm in", ann)
    reply = await private_reply(bob.click(prompt.seen, "Yes, leave"))
    assert reply.startswith("The table has moved on.")
    assert "has left" not in at.message().text
    assert at.turn() is bob

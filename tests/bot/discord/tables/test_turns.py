"""`/turns`, which lists a player's open turns at all tables, and its daily digest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bot.discord.people import SendMessage
from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.screen import SeenMessage
from bot.tables.local_time import NotAZone
from bot.tables.model import Delivery, Digest, Status
from tests.bot.browser_seat import fixed_seeds
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, passes, pings_sent, serve_table
from tests.bot.discord.tables.test_direct_seats import bid, direct_seat, direct_seats_of
from tests.bot.discord.tables.test_lobby import choose_own
from tests.bot.harness import StoppedClock, Table, doubt_in, private_reply, running_bot, settings
from tests.people import PATIENCE, until

THAI, LIARS = "Thai Poker", "Liars' Poker"
HOUR = 3600.0
WARSAW_MORNING = datetime(2026, 10, 22, 6, 0, tzinfo=UTC).timestamp()  # 8:00, summer time


async def turns(person: Person, at: Table) -> SeenMessage:
    """Return the private message that `/turns` shows."""
    out = await (await person.slash(at.channel, "turns")).settle()
    assert out.seen.ephemeral
    return out.seen


async def choose_digest(person: Person, at: Table, hour: str, zone: str = "") -> ActOutcome:
    """Choose a daily digest at this hour, in this time zone, in the form of `/turns`."""
    form = await person.click(await turns(person, at), "Daily digest…")
    out = await person.submit(form.form, {"When": [hour], "Time zone": zone})
    return await out.settle()


def digests(person: Person) -> list[SeenMessage]:
    return [message for message in person.dm_messages() if "You asked for this at" in message.text]


async def test_every_table_that_waits_is_listed_the_longest_first(with_clock: Clocked) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        ann, bob = at.people
        elsewhere = at.elsewhere(at.world.add_guild("The Den").add_text_channel("late-night"))
        assert "You're all caught up." in (await turns(ann, at)).text
        await at.start(THAI)
        clock.at += 5 * 60_000
        await elsewhere.start(LIARS)
        for table in (at, elsewhere):  # until it is Ann who is to act at both
            if table.turn() is bob:
                clock.at += 60_000
                await table.call(bob)
                await table.settle()
        first, second = sorted((at, elsewhere), key=lambda one: int(one.message().id))
        text = (await turns(ann, at)).text
        assert "**2 tables are waiting for you**" in text
        assert "(The Den)" in text  # where it is not the server that is asked in
        assert "(The Snug)" not in text
        lives = [(await place.live()).table for place in (at, elsewhere)]
        longest, *_ = sorted(lives, key=lambda table: table.turn_since or 0)
        assert text.index(f"<#{longest.channel_id}>") == min(
            text.index(f"<#{table_row.channel_id}>") for table_row in lives
        )
        for table in (first, second):
            link = f"/channels/{table.channel.guild_id}/{table.channel.id}/{table.message().id}"
            assert link in text
        bobs = (await turns(bob, at)).text
        assert "You're all caught up." in bobs
        assert "2 tables are waiting for someone else." in bobs
        await at.call(ann)
        await at.settle()
        assert f"<#{at.channel.id}>" not in (await turns(ann, at)).text


@pytest.mark.thorough
async def test_tables_of_invited_and_of_absent_players_are_listed(
    with_clock: Clocked,
) -> None:
    async with with_clock(3, turn_minutes=2) as (at, clock):
        await at.start(THAI)
        absent = at.turn()
        for _ in range(2):  # they let two turns pass in a row
            while at.turn() is not absent:
                await at.bid()
            seq = (await at.live()).match.seq  # type: ignore[union-attr]
            passes(at, clock, 121)
            await at.until_live(lambda live, seq=seq: live.match.seq > seq)  # type: ignore[misc]
            await at.settle()
            if "Showdown" in at.message().text:
                await at.press("Next round")
        assert "until you press **I'm back**" in (await turns(absent, at)).text
        for person in at.people[1:]:
            await at.forfeit(person)
        await at.press("Play again")
        assert "**Play again?**" in (await turns(at.people[1], at)).text
        assert "You're all caught up." in (await turns(at.host, at)).text


async def test_a_digest_comes_at_its_hour_on_days_when_a_table_waits(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        clock.at = int((WARSAW_MORNING - 10 * HOUR) * 1000)
        for person in at.people:
            reply = (await choose_digest(person, at, "8:00", "warsaw")).text
            assert "Daily at 8:00 (Europe/Warsaw) by direct message" in reply
        passes(at, clock, 10 * HOUR)  # nothing waits for anybody
        await _until_digests_served(at, clock)
        assert [digests(person) for person in at.people] == [[], []]
        await at.start(THAI)
        waiting, opponent = (
            at.turn(),
            next(person for person in at.people if person is not at.turn()),
        )
        passes(at, clock, 24 * HOUR - 1)
        await at.settle()
        assert digests(waiting) == []
    async with serve_table(at, tmp_path, clock, turn_minutes=0):  # it survives a restart
        passes(at, clock, 1)
        at.bot.client.handlers.turns.alarm.ring()
        await until(lambda: digests(waiting))
        await _until_digests_served(at, clock)
        (digest,) = digests(waiting)
        assert "**1 table is waiting for you**" in digest.text
        assert "(The Snug)" in digest.text
        assert digests(opponent) == []
        out = await choose_digest(waiting, at, "Off")
        assert "Daily at" not in out.text
        passes(at, clock, 48 * HOUR)
        await _until_digests_served(at, clock)
        assert len(digests(waiting)) == 1


async def test_a_choice_made_while_a_digest_is_sent_is_kept(
    with_clock: Clocked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        clock.at = int((WARSAW_MORNING - HOUR) * 1000)
        await at.start(THAI)
        waiting = at.turn()
        await choose_digest(waiting, at, "8:00", "Europe/Warsaw")
        people = at.bot.client.handlers.people
        write = people.write

        async def slowly(player: int, direct_seat: SendMessage) -> Delivery:
            await choose_digest(waiting, at, "Off")
            return await write(player, direct_seat)

        choices = at.bot._store.direct_messages
        digest = await choices.digest_of(int(waiting.id))
        assert digest is not None
        monkeypatch.setattr(people, "write", slowly)
        await at.bot.client.handlers.turns.on_deadline(digest)
        assert len(digests(waiting)) == 1
        assert await choices.digest_of(int(waiting.id)) is None


async def test_a_digest_of_an_unknown_time_zone_is_not_sent_repeatedly(
    with_clock: Clocked,
) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        clock.at = int(WARSAW_MORNING * 1000)
        await at.start(THAI)
        player = int(at.turn().id)
        gone = Digest(player, 480, "Europe/Atlantis", clock.at)
        await at.bot._store.direct_messages.keep_digest(player, gone)
        with pytest.raises(NotAZone):
            await at.bot.client.handlers.turns.on_deadline(gone)
        assert digests(at.turn()) == []


async def _until_digests_served(at: Table, clock: StoppedClock) -> None:
    """Wait until no digest is due."""
    at.bot.client.handlers.turns.alarm.ring()
    async with asyncio.timeout(PATIENCE):
        while await at.bot._store.direct_messages.due(clock.now()):  # noqa: ASYNC110 - it signals nobody
            await asyncio.sleep(0.002)


async def test_a_digest_that_is_hours_late_is_not_sent_at_night(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        clock.at = int((WARSAW_MORNING - HOUR) * 1000)
        await at.start(THAI)
        waiting = at.turn()
        await choose_digest(waiting, at, "8:00", "Europe/Warsaw")
    clock.at += int(14 * HOUR * 1000)  # the bot was down all day
    async with serve_table(at, tmp_path, clock, turn_minutes=0):
        await _until_digests_served(at, clock)
        assert digests(waiting) == []
        passes(at, clock, 11 * HOUR)
        await _until_digests_served(at, clock)
        assert len(digests(waiting)) == 1


async def test_an_unknown_time_zone_is_refused_in_one_sentence(table: Seat) -> None:
    at = await table(1)
    form = await at.host.click(await turns(at.host, at), "Daily digest…")
    reply = await private_reply(
        at.host.submit(form.form, {"When": ["8:00"], "Time zone": "Narnia"})
    )
    assert reply == ('"Narnia" isn\'t a time zone. Try a region and city such as Europe/Warsaw.')
    assert "Daily at" not in (await turns(at.host, at)).text


async def test_closed_direct_messages_stop_neither_the_digest_nor_anybody_elses(
    with_clock: Clocked,
) -> None:
    async with with_clock(2, turn_minutes=0) as (at, clock):
        clock.at = int((WARSAW_MORNING - HOUR) * 1000)
        await at.start(THAI)
        waiting = at.turn()
        waiting.set_dms_open(False)
        await choose_digest(waiting, at, "8:00", "Europe/Warsaw")
        passes(at, clock, 2 * HOUR)
        await _until_digests_served(at, clock)
        assert digests(waiting) == []
        digest = await at.bot._store.direct_messages.digest_of(int(waiting.id))
        assert digest is not None


# -- a match over days -----------------------------------------------------------------------------

DAY_MINUTES = 24 * 60
STEP = 3 * HOUR  # somebody acts every three hours


async def pass_time(at: Table, clock: StoppedClock, unhurried: ManualClock, seconds: float) -> None:
    """Let time pass for the bot and for Discord; wait until everything due is done."""
    unhurried.advance(seconds)
    passes(at, clock, seconds)
    async with asyncio.timeout(PATIENCE):
        while await at.bot._store.tables.due(clock.now()):  # noqa: ASYNC110 - it signals nobody
            await asyncio.sleep(0.002)
    await at.settle()


def reminders_to(at: Table, person: Person) -> list[float]:
    """Return the times of a person's reminders by direct message, in Unix seconds."""
    theirs = at.world.places.dm_channel(at.world.state.users[person.id]).id
    return [
        request.at
        for request in at.world.state.requests
        if request.method == "POST"
        and request.path.endswith(f"/channels/{theirs}/messages")
        and isinstance(request.body, dict)
        and str(request.body.get("content") or "").startswith("Your turn in")
    ]


def most_in_a_day(moments: list[float]) -> int:
    """Return the highest number of `moments` (in seconds) that lie within any 24 hours."""
    return max(
        (sum(start <= moment < start + 24 * HOUR for moment in moments) for start in moments),
        default=0,
    )


async def _act_directly(at: Table, person: Person) -> None:
    """Challenge if possible, else make the lowest bid, using only direct messages."""
    if "Challenge" in direct_seat(person).buttons:
        await doubt_in(person, direct_seat(person))
        await at.settle()
    else:
        await bid(at, person)


def has_pinged(at: Table, lines: list[list[str]]) -> bool:
    return pings_sent(at) == lines


@pytest.mark.parametrize("way", ["table", "direct", "closed"])
async def test_a_turn_in_a_match_over_days_pings_once_in_one_place(
    table: Seat, unhurried: ManualClock, tmp_path: Path, way: str
) -> None:
    at = await table(2, serve=False)
    clock = StoppedClock(unhurried.now())
    async with serve_table(at, tmp_path, clock, turn_minutes=DAY_MINUTES):
        if way != "table":
            for person in at.people:
                await choose_own(at, person, Reminders_of_your_turn="By direct message too")
        await at.start(THAI)
        acts = at.turn()
        acts.set_dms_open(way != "closed")
        for seconds in (30, HOUR, 12 * HOUR):
            await pass_time(at, clock, unhurried, seconds)
            early = seconds == 30
            # where direct messages are closed, the line comes once Discord has refused one
            lines = [] if early or way == "direct" else [[acts.id]]
            await until(partial(has_pinged, at, lines))
            if way == "direct":
                if not early:
                    await until(lambda: reminders_to(at, acts))
                assert len(reminders_to(at, acts)) == (0 if early else 1)


async def test_without_a_seat_the_single_ping_of_a_match_over_days_comes_with_the_turn(
    table: Seat, unhurried: ManualClock, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    clock = StoppedClock(unhurried.now())
    async with serve_table(at, tmp_path, clock, turn_minutes=DAY_MINUTES):
        await at.start(THAI)
        first = at.turn()
    async with serve_table(at, tmp_path, clock, turn_minutes=DAY_MINUTES):  # no token outlives it
        await at.settle()
        await at.call(first)
        await at.settle()
        second = at.turn()
        assert pings_sent(at) == [[second.id]]
        for seconds in (60, HOUR, 12 * HOUR):
            await pass_time(at, clock, unhurried, seconds)
        assert pings_sent(at) == [[second.id]]


@pytest.mark.long
async def test_a_match_of_five_is_played_over_a_week_three_of_them_by_direct_message_only(
    table: Seat, unhurried: ManualClock, tmp_path: Path
) -> None:
    """Restart the bot every day: no interaction token lives as long as a turn."""
    at = await table(5, serve=False)
    clock = StoppedClock(unhurried.now())
    afar = at.people[2:]

    @asynccontextmanager
    async def open_today() -> AsyncIterator[None]:
        chosen = settings(tmp_path, turn_minutes=DAY_MINUTES)
        async with running_bot(at.world, chosen, fixed_seeds("a week"), clock=clock) as at.bot:
            yield

    pass_by = partial(pass_time, at, clock, unhurried)

    async with open_today():
        for person in afar:
            await choose_own(at, person, Cards_by_direct_message="Always")
        await at.start(THAI)
        message_ids = {
            person.id: [message.id for message in direct_seats_of(person)] for person in afar
        }
    over = False
    acted = dict.fromkeys((person.id for person in at.people), 0)
    days = 0
    while not over:
        days += 1
        async with open_today():
            await at.settle()
            for _ in range(8):
                await pass_by(HOUR)  # the reminder is sent
                over = (await at.live()).table.status is not Status.PLAYING
                if over:
                    break
                if "Your turn" not in at.message().text and "Next round" in at.message().buttons:
                    await pass_by(HOUR)  # the next round is dealt by itself
                live = await at.live()
                person, standing = at.turn_of(live), bool(live.match.round.bids)  # type: ignore[union-attr]
                acted[person.id] += 1
                if person in afar:
                    assert "Your turn" in direct_seat(person).text
                    await _act_directly(at, person)
                elif standing:
                    await at.challenge(person)
                else:
                    await at.call(person)
                await at.settle()
                await pass_by(STEP)
    assert 5 <= days <= 10, days
    assert all(acted.values()), acted
    for person in afar:
        assert [message.id for message in direct_seats_of(person)] == message_ids[person.id]
        ends = ("You won the match", "The match is over.", "You're out of this match.")
        assert any(end in direct_seat(person).text for end in ends)
        assert 0 < most_in_a_day(reminders_to(at, person)) <= 2
        assert not any(
            message.content.startswith("It's your turn") for message in person.dm_messages()
        )
    for person in at.people[:2]:
        assert reminders_to(at, person) == []


@pytest.mark.thorough
async def test_however_many_slow_tables_wait_two_reminders_a_day_are_sent(
    table: Seat, unhurried: ManualClock, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    clock = StoppedClock(unhurried.now())
    server = at.world.server("The Snug")
    async with serve_table(at, tmp_path, clock, turn_minutes=DAY_MINUTES):
        everywhere = [at, *(at.elsewhere(server.add_text_channel(f"t{n}")) for n in range(3))]
        ann = at.host
        await choose_own(at, ann, Reminders_of_your_turn="By direct message too")
        for place in everywhere:
            await place.start(THAI)
            if place.turn() is not ann:
                await place.bid()
        await pass_time(at, clock, unhurried, HOUR)
        assert len(reminders_to(at, ann)) == 2
        assert pings_sent(at) == []  # one way or the other
        texts = [message.content for message in ann.dm_messages() if message.content]
        assert all(
            "3 more tables are waiting for you: see `/turns`." in text for text in texts[-2:]
        )
        passes(at, clock, 25 * HOUR)  # every turn has run out, and the house has played

"""Game nights: who may plan them, and the one announcement before each, even after an outage."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import from_settings
from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.screen import SeenMessage
from bot.tables.nights import Night
from bot.tables.scheduler import ClockSkew
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import serve_table
from tests.bot.discord.tables.test_privacy import DELETE, SURE, export_data, open_my_data, press_all
from tests.bot.harness import StoppedClock, Table, private_reply
from tests.people import PATIENCE, until

THAI = "Thai Poker"
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
EVENTS = "/guilds/{guild_id}/scheduled-events"
# Thursday; Friday's eight in the evening in Warsaw is 18:00 UTC, in summer
THURSDAY = datetime(2026, 10, 15, 12, 0, tzinfo=UTC).timestamp()
FRIDAY = datetime(2026, 10, 16, 18, 0, tzinfo=UTC).timestamp()


@dataclass
class NightSetup:
    """A table and its bot's folder, with the bot's clock and Discord's clock."""

    at: Table
    clock: StoppedClock
    discord: ManualClock
    folder: Path

    @property
    def guild(self) -> Any:
        return self.at.world.state.guilds[self.at.channel.guild_id or ""]

    @asynccontextmanager
    async def serves(self) -> AsyncIterator[None]:
        async with serve_table(self.at, self.folder, self.clock, turn_minutes=0):
            yield

    async def until(self, moment: float) -> None:
        """Let time pass until `moment`, in Unix seconds, and wait until everything due is done."""
        self.passes(moment)
        await self.done()

    def passes(self, moment: float) -> None:
        self.discord.advance(moment - self.discord.now())
        self.clock.at = int(moment * 1000)

    async def done(self) -> None:
        nights = self.at.bot._store.nights
        async with asyncio.timeout(PATIENCE):
            while await nights.due(self.clock.now()):
                self.at.bot.client.handlers.nights.alarm.ring()
                await asyncio.sleep(0.005)
        await self.at.settle()

    async def night(self) -> Night | None:
        nights = await self.at.bot._store.nights.of_guild(int(self.at.channel.guild_id or 0))
        return nights[0] if nights else None

    async def the_night(self) -> Night:
        night = await self.night()
        assert night is not None
        return night

    async def call_off(self) -> None:
        """Cancel the night as the host."""
        ann, night = self.at.host, await self.the_night()
        out = await (await ann.slash(self.at.channel, "night")).settle()
        await ann.select(out.seen, "Cancel a night…", str(night.id))
        await self.done()

    async def plan(self, who: Person, **chosen: Any) -> ActOutcome:
        out = await (await who.slash(self.at.channel, "night")).settle()
        form = await who.click(out.seen, "Plan a night…")
        assert form.modal is not None, form
        values: dict[str, Any] = {"Day": ["Friday"], "Hour": "20:00", "Time zone": "warsaw"}
        out = await who.submit(form.modal, values | {"Game": [THAI]} | chosen)
        out = await out.settle()
        await self.done()
        return out

    def announcements(self) -> list[SeenMessage]:
        messages = self.at.host.visible(self.at.channel)
        return [
            message for message in messages if "I'm in" in message.buttons and not message.ephemeral
        ]

    def announcement(self) -> SeenMessage:
        return self.announcements()[-1]

    async def comes(self, *people: Person) -> None:
        for person in people:
            await person.click(self.announcement(), "I'm in")

    def plain_lines(self) -> list[str]:
        """Return the `content` of each public message in the channel that has any."""
        messages = self.at.host.visible(self.at.channel)
        return [
            message.content for message in messages if message.content and not message.ephemeral
        ]

    def calls(self) -> list[list[str]]:
        """Return the ids of the people that each announcement was allowed to ping."""
        bodies = [
            request.body
            for request in self.at.world.state.requests
            if request.method == "POST"
            and request.route == "/channels/{channel_id}/messages"
            and isinstance(request.body, dict)
            and "ame night starts" in str(request.body.get("content"))
        ]
        assert all(not body["allowed_mentions"].get("parse") for body in bodies)
        return [[str(user) for user in body["allowed_mentions"]["users"]] for body in bodies]

    def events(self) -> list[dict[str, Any]]:
        return list(self.at.world.state.events.values())


@pytest.fixture
async def night_setup(table: Seat, unhurried: ManualClock, tmp_path: Path) -> NightSetup:
    at = await table(3, serve=False)
    unhurried.advance(THURSDAY - unhurried.now())
    at.world.server("The Snug").make_moderator(at.host)
    return NightSetup(at, StoppedClock(THURSDAY), unhurried, tmp_path)


async def test_a_night_from_its_plan_to_the_next_one(night_setup: NightSetup) -> None:
    ann, bob, cleo = night_setup.at.people
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        await night_setup.plan(ann)
        announcement = night_setup.announcement()
        assert "Game night: Thai Poker" in announcement.text
        assert "Friday, 20:00 (Europe/Warsaw), every week" in announcement.text
        assert f"<t:{int(FRIDAY)}:F>" in announcement.text
        (event,) = night_setup.events()
        assert datetime.fromisoformat(event["scheduled_start_time"]).timestamp() == FRIDAY
        assert event["recurrence_rule"]["by_weekday"] == [4]
        assert event["id"] in announcement.text
        assert "moving this event doesn't" in event["description"]  # whoever moves it reads this
        listed = await (await ann.slash(night_setup.at.channel, "night")).settle()
        assert "Moving its event in Discord doesn't move the night" in listed.seen.text
        listed = await (await bob.slash(night_setup.at.channel, "night")).settle()
        assert "Moving its event" not in listed.seen.text
        await night_setup.comes(bob, cleo, ann)
        await cleo.click(night_setup.announcement(), "Not this time")
        assert f"**2 going**: <@{bob.id}>, <@{ann.id}>" in night_setup.announcement().text
        await night_setup.until(FRIDAY - 10 * MINUTE - 1)
        assert night_setup.calls() == []
    async with night_setup.serves():  # a restart forgets nothing
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert night_setup.calls() == [[bob.id, ann.id]]
        (line,) = (line for line in night_setup.plain_lines() if "ame night starts" in line)
        assert f"starts at <t:{int(FRIDAY)}:t>" in line  # true afterwards too
        lobby = night_setup.at.message()
        assert "0 of 10" in lobby.text
        assert "The first to join is the host." in lobby.text
        await bob.click(lobby, "Join")
        await cleo.click(lobby, "Join")
        assert f"<@{bob.id}> starts the match" in night_setup.at.message().text
        await night_setup.at.press("Start", bob)
    async with night_setup.serves():
        await night_setup.until(FRIDAY + 10 * MINUTE)
        assert (await night_setup.at.live()).match is not None
        assert not any("Nobody joined" in line for line in night_setup.plain_lines())
        await night_setup.until(FRIDAY + 3 * HOUR)
        assert len(night_setup.calls()) == 1
        assert f"<t:{int(FRIDAY + 7 * DAY)}:F>" in night_setup.announcement().text
        assert "No one's in yet." in night_setup.announcement().text
        await until(lambda: len(night_setup.announcements()) == 1)  # the one before goes


async def test_a_night_keeps_its_hour_when_the_clocks_are_changed_and_so_does_its_event(
    night_setup: NightSetup,
) -> None:
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        for week in (FRIDAY, FRIDAY + 7 * DAY):
            await night_setup.until(week - 10 * MINUTE)
            await night_setup.until(week + 10 * MINUTE)
            await night_setup.until(week + 3 * HOUR)
        # clocks go back on 25 October
        night = await night_setup.the_night()
        winter = FRIDAY + 14 * DAY + HOUR
        assert night.starts_at == winter * 1000
        (event,) = night_setup.events()
        assert datetime.fromisoformat(event["scheduled_start_time"]).timestamp() == winter
        assert datetime.fromisoformat(event["recurrence_rule"]["start"]).timestamp() == winter


async def test_nobody_there_after_twenty_minutes_closes_the_table_with_one_line(
    night_setup: NightSetup,
) -> None:
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert night_setup.calls() == [[]]
        await night_setup.until(FRIDAY + 10 * MINUTE)
        assert [line for line in night_setup.plain_lines() if "Nobody joined" in line] == [
            "Nobody joined the game night, so I closed its table."
        ]
        assert await night_setup.at.bot.tables.runtime._store.tables.live() == []


async def test_without_the_permission_a_night_is_a_message_and_says_so(
    night_setup: NightSetup,
) -> None:
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        private_lines = [
            message.text
            for message in night_setup.at.host.visible(night_setup.at.channel)
            if message.ephemeral
        ]
        assert any("give me the **Create Events**" in line for line in private_lines)
        assert night_setup.events() == []
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert len(night_setup.calls()) == 1
        night_setup.guild.bot_makes_events = True
        await night_setup.until(FRIDAY + 3 * HOUR)
        assert len(night_setup.events()) == 1  # from next time on


async def test_after_an_outage_at_the_hour_a_night_opens_late_or_is_reported_as_missed(
    night_setup: NightSetup,
) -> None:
    ann = night_setup.at.host
    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.comes(ann)
    night_setup.passes(FRIDAY + 20 * MINUTE)
    async with night_setup.serves():
        await night_setup.done()
        assert night_setup.calls() == [[ann.id]]
        await night_setup.until(FRIDAY + 3 * HOUR)
    night_setup.passes(FRIDAY + 21 * DAY + 2 * HOUR)
    async with night_setup.serves():
        await night_setup.done()
        assert len(night_setup.calls()) == 1
        missed = [line for line in night_setup.plain_lines() if "I was offline" in line]
        assert len(missed) == 1
        night = await night_setup.the_night()
        assert night.starts_at == (FRIDAY + 28 * DAY + HOUR) * 1000  # winter


async def test_a_brief_clock_jump_skips_no_night_and_pings_nobody(
    night_setup: NightSetup,
) -> None:
    """Set a wrong time for less than `SETTLED_SECONDS`: the bot doesn't trust it yet."""
    ann, steady = night_setup.at.host, [0.0]

    async def serve_at(moment: float, seconds: float) -> None:
        night_setup.clock.at = int(moment * 1000)
        steady[0] += seconds
        with capture_logs():
            await night_setup.at.bot._nights._serve()
        await night_setup.at.settle()

    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.comes(ann)
        night_setup.discord.advance(FRIDAY - HOUR - night_setup.discord.now())
        night_setup.clock.at = int((FRIDAY - HOUR) * 1000)
        nights = night_setup.at.bot._nights
        await nights.stop()  # it is served by hand from here on
        nights._stopping = False
        nights._settles = ClockSkew(night_setup.clock, lambda: steady[0])
        for ahead in (HOUR, 2 * HOUR):  # it is called too early, and it is missed
            await serve_at(FRIDAY - HOUR + ahead, 1.0)
            await serve_at(FRIDAY - HOUR + ahead + 4 * MINUTE, 4 * MINUTE)
            await serve_at(FRIDAY - HOUR, 1.0)
        assert (await night_setup.the_night()).starts_at == FRIDAY * 1000
        assert night_setup.calls() == []
        assert not [line for line in night_setup.plain_lines() if "I was offline" in line]
        await serve_at(FRIDAY - 10 * MINUTE, 50 * MINUTE)
        assert night_setup.calls() == [[ann.id]]


async def test_a_deleted_channel_ends_its_nights_and_their_events(night_setup: NightSetup) -> None:
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        await night_setup.at.world.places.remove_channel(night_setup.at.channel)
        async with asyncio.timeout(PATIENCE):
            while await night_setup.night() is not None or night_setup.events():  # noqa: ASYNC110
                await asyncio.sleep(0.005)


async def test_a_channel_that_was_deleted_while_the_bot_was_away_ends_its_night(
    night_setup: NightSetup,
) -> None:
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
    await night_setup.at.world.places.remove_channel(night_setup.at.channel)
    async with night_setup.serves():
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert await night_setup.night() is None
        await until(lambda: not night_setup.events())


async def test_a_night_missed_in_a_deleted_channel_leaves_no_event(night_setup: NightSetup) -> None:
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
    await night_setup.at.world.places.remove_channel(night_setup.at.channel)
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        night = await night_setup.the_night()
        night_setup.passes(FRIDAY + 2 * HOUR)
        await night_setup.at.bot.client.handlers.nights.on_deadline(night)
        assert await night_setup.night() is None
        assert night_setup.events() == []


async def test_a_forged_button_from_another_server_joins_no_night(
    night_setup: NightSetup,
) -> None:
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        night = await night_setup.the_night()
        den = night_setup.at.elsewhere(
            night_setup.at.world.add_guild("The Den").add_text_channel("late")
        )
        await den.open(THAI)
        forged = den.host.forge(den.message(), f"bh:nightcome:0:0:0:{night.id}")
        assert "moved on" in await private_reply(forged)
        assert await night_setup.night() == night


async def test_a_second_tap_keeps_its_person_in_and_another_button_lets_them_out(
    night_setup: NightSetup,
) -> None:
    ann, bob, _ = night_setup.at.people
    async with night_setup.serves():
        await night_setup.plan(ann)
        assert "Not this time" not in night_setup.announcement().buttons
        await night_setup.comes(ann, ann, bob)
        assert (await night_setup.the_night()).comers == (int(ann.id), int(bob.id))
        for _ in range(2):
            await ann.click(night_setup.announcement(), "Not this time")
            assert (await night_setup.the_night()).comers == (int(bob.id),)


async def test_an_event_that_somebody_deleted_is_not_made_again(night_setup: NightSetup) -> None:
    night_setup.guild.bot_makes_events = True
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        night_setup.at.world.state.events.clear()
        await night_setup.until(FRIDAY + 3 * HOUR)
        await night_setup.until(FRIDAY + 7 * DAY + 3 * HOUR)
        assert night_setup.events() == []
        assert "discord.com/events" not in night_setup.announcement().text
        night = await night_setup.the_night()
        assert night.event_id == 0


async def test_only_a_moderator_plans_nights_and_bad_input_is_explained(
    night_setup: NightSetup,
) -> None:
    ann, bob, _ = night_setup.at.people
    async with night_setup.serves():
        out = await (await bob.slash(night_setup.at.channel, "night")).settle()
        assert "No game nights planned. A moderator, or anyone who can" in out.text
        assert "Plan a night…" not in out.seen.buttons
        text = (await night_setup.plan(ann, Hour="half 8")).text
        assert text == '"half 8" isn\'t a time. Type one such as 20:30.'
        assert await night_setup.night() is None


async def test_a_night_can_be_cancelled_and_a_single_night_ends_after_play(
    night_setup: NightSetup,
) -> None:
    night_setup.guild.bot_makes_events = True
    ann = night_setup.at.host
    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.call_off()
        assert await night_setup.night() is None
        assert night_setup.events() == []
        assert night_setup.plain_lines() == [], "nobody had said that they come"
        await night_setup.plan(ann, **{"How often": ["Once"]})
        (event,) = night_setup.events()
        assert event.get("recurrence_rule") is None
        await night_setup.until(FRIDAY - 10 * MINUTE)
        await night_setup.until(FRIDAY + 10 * MINUTE)
        await night_setup.until(FRIDAY + 3 * HOUR)
        assert await night_setup.night() is None
        assert len(night_setup.calls()) == 1


async def test_a_failed_announcement_of_a_cancelled_night_is_reported_to_its_canceller(
    night_setup: NightSetup,
) -> None:
    ann, bob, _ = night_setup.at.people
    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.comes(bob)
        night = await night_setup.night()
        assert night is not None
        out = await (await ann.slash(night_setup.at.channel, "night")).settle()
        night_setup.at.world.faults.cut_connection("POST /channels/*/messages", times=9)
        await ann.select(out.seen, "Cancel a night…", str(night.id))
        await night_setup.done()
        night_setup.at.world.faults.clear()
        assert await night_setup.night() is None
        assert night_setup.plain_lines() == []
        assert f"Please tell <@{bob.id}>." in ann.text(night_setup.at.channel)


async def test_people_coming_learn_that_a_night_is_cancelled_unless_it_was_called(
    night_setup: NightSetup,
) -> None:
    ann, bob, cleo = night_setup.at.people
    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.comes(bob, cleo)
        await night_setup.call_off()
        (line,) = night_setup.plain_lines()
        mentions = f"<@{bob.id}> and <@{cleo.id}>"
        assert re.fullmatch(rf"{mentions}: the <t:\d+:F> game night is cancelled\.", line)
        assert [person.pings(night_setup.at.channel) for person in (ann, bob, cleo)] == [0, 1, 1]
        await night_setup.plan(ann)
        await night_setup.comes(bob)
        await night_setup.until(FRIDAY - 10 * MINUTE)
        lines = night_setup.plain_lines()
        await night_setup.call_off()
        assert await night_setup.night() is None
        assert night_setup.plain_lines() == lines


async def test_where_people_play_already_no_second_table_opens(night_setup: NightSetup) -> None:
    async with night_setup.serves():
        await night_setup.plan(night_setup.at.host)
        await night_setup.at.start(THAI)
        before = (await night_setup.at.live()).table.id
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert len(night_setup.calls()) == 1
        (line,) = (line for line in night_setup.plain_lines() if "ame night starts" in line)
        assert "Join" not in night_setup.at.message().buttons
        assert "press **My seat** to join the next one" in line
        assert "My seat" in night_setup.at.message().buttons
        await night_setup.until(FRIDAY + 10 * MINUTE)
        assert (await night_setup.at.live()).table.id == before
        assert not any("Nobody joined" in line for line in night_setup.plain_lines())


async def test_a_night_speaks_the_language_that_its_server_has_chosen_since_it_was_planned(
    night_setup: NightSetup,
) -> None:
    at = night_setup.at
    async with night_setup.serves():
        await night_setup.plan(at.host)
        out = await at.host.slash(at.channel, "settings", game=THAI)
        form = await at.host.click(out.seen, "Language…")
        await at.host.submit(form.form, {"Language of the tables": ["Polski"]})
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert "Dołącz" in at.message().buttons
        (line,) = (line for line in night_setup.plain_lines() if "Stół jest otwarty" in line)
        assert "naciśnij **Dołącz**" in line
        await night_setup.until(FRIDAY + 3 * HOUR)
        coming = night_setup.at.host.visible(at.channel)
        (announcement,) = (message for message in coming if "Gram" in message.buttons)
        assert "Wieczór gier" in announcement.text
        await at.host.click(announcement, "Gram")
        assert "Wieczór gier" in (await at.host.current(announcement)).text


async def test_a_nights_data_is_exported_and_deleted_with_the_person(
    night_setup: NightSetup,
) -> None:
    ann, bob, _ = night_setup.at.people
    async with night_setup.serves():
        await night_setup.plan(ann)
        await night_setup.comes(ann, bob)
        (night_row,) = (await export_data(night_setup.at, ann))["nights"]
        assert (night_row["weekday"], night_row["minute"]) == (4, 1200)
        assert len((await export_data(night_setup.at, bob))["night_comers"]) == 1
        await press_all(bob, await open_my_data(night_setup.at, bob), DELETE, SURE)
        night = await night_setup.the_night()
        assert night.comers == (int(ann.id),)


async def test_with_too_many_tables_a_night_is_skipped_once_and_the_next_announced(
    night_setup: NightSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(from_settings, "TABLES_PER_GUILD", 1)
    at = night_setup.at
    elsewhere = at.elsewhere(at.world.server("The Snug").add_text_channel("high-stakes"))
    async with night_setup.serves():
        elsewhere.bot = at.bot
        await night_setup.plan(at.host)
        await elsewhere.open(THAI)
        await night_setup.until(FRIDAY - 10 * MINUTE)
        assert (
            len(
                [
                    line
                    for line in night_setup.plain_lines()
                    if "as many tables as it can have" in line
                ]
            )
            == 1
        )
        assert night_setup.calls() == []
        night = await night_setup.the_night()
        assert night.starts_at == (FRIDAY + 7 * DAY) * 1000

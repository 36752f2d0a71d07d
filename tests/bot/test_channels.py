"""Channels: a whole match in each type, and channels in which the bot cannot post.

The bot may lack access to a channel from the beginning, or lose it in the middle of a match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import Mock

import discord
import pytest
from structlog.testing import capture_logs

from bot.discord import posting
from bot.discord.links import PERMISSIONS
from bot.from_settings import open_store
from bot.sandbox.client_input import available
from bot.sandbox.discord_state import GUILD_INSTALL, Channel
from bot.sandbox.errors import CannotDo
from tests.bot.conftest import Seat
from tests.bot.harness import Table, doubt_in, private_reply, private_texts, running_bot, settings
from tests.bot.test_whole_matches import assert_all_taken
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
GOES_ON = "The match goes on, and the table is shown as soon as it can be."
Furnish = Callable[[Table], Awaitable[Channel]]


async def thread(at: Table) -> Channel:
    await at.host.open_thread(at.channel, "aside")
    return at.world.server("The Snug").channel("aside")


async def private_thread(at: Table) -> Channel:
    """Open a private thread with everybody in it except the bot."""
    await at.host.open_thread(at.channel, "secret", private=True)
    thread = at.world.server("The Snug").channel("secret")
    for guest in at.people[1:]:
        await at.host.say(thread, f"Come in, <@{guest.id}>")
    return thread


async def joined_thread(at: Table) -> Channel:
    """Open a private thread with everybody and the bot in it."""
    thread = await private_thread(at)
    await at.host.say(thread, f"And you, <@{at.world.state.bot.id}>")
    return thread


async def post(at: Table) -> Channel:
    forum = at.world.server("The Snug").add_forum("evenings")
    await at.host.open_thread(forum, "Friday", content="Who plays?")
    return at.world.server("The Snug").channel("Friday")


async def voice_chat(at: Table) -> Channel:
    return at.world.server("The Snug").add_voice_channel("voice")


async def announcements(at: Table) -> Channel:
    return at.world.server("The Snug").add_announcement_channel("news")


async def announced_thread(at: Table) -> Channel:
    await at.host.open_thread(await announcements(at), "below")
    return at.world.server("The Snug").channel("below")


# -- where it can ----------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "furnish", [thread, joined_thread, post, voice_chat, announcements, announced_thread]
)
async def test_a_match_is_played_in_a_channel_of_every_type(table: Seat, furnish: Furnish) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await furnish(at))
    await elsewhere.start(THAI)
    await elsewhere.play_round()
    await elsewhere.press("Next round")
    elsewhere.assert_no_leak()
    await elsewhere.bid()
    await elsewhere.forfeit(elsewhere.people[1])
    assert "Play again" in elsewhere.message().buttons
    assert_all_taken(elsewhere)


async def test_a_table_in_an_archived_thread_opens_it_and_goes_on(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await thread(at))
    await elsewhere.start(THAI)
    at.world.places.change_thread(elsewhere.channel, archived=True)
    person = elsewhere.turn()
    out = await elsewhere.call(person)  # a press, which draws in place
    assert out.kind == "update"
    assert not elsewhere.channel.archived
    assert elsewhere.turn() is not person
    at.world.places.change_thread(elsewhere.channel, archived=True)
    await private_reply(elsewhere.turn().slash(elsewhere.channel, "bid", hand="four aces"))
    await elsewhere.settle()
    assert elsewhere.standing() == "Four aces"
    at.world.places.change_thread(elsewhere.channel, archived=True)
    assert "Round 1" in (await elsewhere.host.slash(elsewhere.channel, "table")).text
    assert not elsewhere.channel.archived


# -- where it cannot -------------------------------------------------------------------------------


async def nothing_opened(at: Table) -> None:
    """Check that no table was opened or shown."""
    assert [message for message in at.people[1].visible(at.channel) if message.components] == []
    assert list(at.bot.tables.runtime.all()) == []


async def test_a_private_thread_without_the_bot_tells_how_to_add_it(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await private_thread(at))
    bot = at.world.state.bot
    reply = await private_reply(elsewhere.host.slash(elsewhere.channel, "play", game=THAI))
    assert reply == (
        "I'm not in this private thread, so I can't post here. Mention me once"
        f" (<@{bot.id}>), then try again."
    )
    await nothing_opened(elsewhere)
    await elsewhere.host.say(elsewhere.channel, f"<@{bot.id}>")
    await elsewhere.start(THAI)
    assert "Round 1" in elsewhere.message().text


async def test_a_voice_chat_requires_the_connect_permission(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await voice_chat(at))
    await at.world.faults.deny(elsewhere.channel, "connect")
    reply = await private_reply(elsewhere.host.slash(elsewhere.channel, "play", game=THAI))
    assert reply == "I can't post here. Please give me this permission first: **Connect**."
    await nothing_opened(elsewhere)


async def test_a_thread_requires_the_permission_to_send_messages_in_threads(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await post(at))
    await at.world.faults.deny(elsewhere.channel, "send_messages_in_threads")
    reply = await private_reply(elsewhere.host.slash(elsewhere.channel, "play", game=THAI))
    assert "**Send Messages in Threads**" in reply
    await nothing_opened(elsewhere)


def test_a_locked_thread_takes_no_presses_though_the_bot_may_manage_threads() -> None:
    locked = Mock(spec=discord.Thread, locked=True)
    press = Mock(channel=locked, app_permissions=discord.Permissions.all())
    with pytest.raises(posting.ThreadLocked):
        posting.check_unlocked(press)


@pytest.mark.parametrize("archived", [False, True])
async def test_in_a_locked_thread_no_table_opens(table: Seat, archived: bool) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await thread(at))
    at.world.server("The Snug").make_moderator(at.host)  # nobody else writes there
    at.world.places.change_thread(elsewhere.channel, archived=archived, locked=True)
    reply = await private_reply(elsewhere.host.slash(elsewhere.channel, "play", game=THAI))
    assert reply == (
        "This thread is locked, so I can't post here. Ask a moderator to unlock it, or open"
        " a table elsewhere with `/play`."
    )
    await nothing_opened(elsewhere)


async def test_opening_a_table_in_slow_mode_warns_about_its_effects(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(at.world.server("The Snug").add_text_channel("slow"))
    at.world.places.set_slow_mode(elsewhere.channel, 30)

    def is_slow() -> bool:
        channel = at.bot.client.get_channel(int(elsewhere.channel.id))
        return isinstance(channel, discord.TextChannel) and channel.slowmode_delay == 30

    await until(is_slow)
    await elsewhere.host.slash(elsewhere.channel, "play", game=THAI)
    await elsewhere.settle()
    lines = private_texts(elsewhere.host, elsewhere.channel)
    assert any("slow mode (30 seconds between messages)" in text for text in lines)


async def test_where_only_the_commands_were_added_the_bot_is_invited(table: Seat) -> None:
    at = await table(2)
    server = at.world.server("The Snug")
    server.remove_bot()
    await at.bot.client.wait_for("guild_remove")
    for name, options in (("play", {"game": THAI}), ("table", {}), ("settings", {"game": THAI})):
        reply = await private_reply(at.host.slash(at.channel, name, **options))
        assert reply.startswith("Only my commands are in this server, not me.")
        assert f"client_id={at.world.state.bot.id}" in reply
        assert f"permissions={PERMISSIONS.value}" in reply
        assert "scope=bot+applications.commands" in reply
    assert "Liars' Poker" in await private_reply(at.host.slash(at.channel, "help"))
    await nothing_opened(at)


async def test_commands_are_offered_only_where_they_work(table: Seat) -> None:
    at = await table(2)
    state = at.world.state
    ann = state.users[at.host.id]
    ann.has_app = True
    alone = {"odds", "Odds", "help", "practice", "preferences", "matches", "stats", "turns"}

    def commands_in(channel: Channel) -> set[str]:
        return {command["name"] for command in available(state, ann, channel)}

    group = at.world.add_group("weekend", *at.people)
    assert commands_in(group) == commands_in(at.world.places.dm_channel(ann)) == alone
    assert commands_in(at.channel) > alone | {"play", "settings"}
    at.world.server("The Snug").guild.has_app = False
    assert commands_in(at.channel) == alone
    for name in ("help", "preferences"):
        assert await private_reply(at.host.slash(group, name))


async def test_commands_that_discord_does_not_allow_are_reported_with_a_remedy(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.open(THAI)  # by commands that were registered then
    async with open_store(settings(tmp_path)) as store:
        await store.servers.note_registered(int(at.world.state.bot.id), "of another version")
    at.world.state.installs = [GUILD_INSTALL]
    with capture_logs() as log:
        async with running_bot(at.world, settings(tmp_path)) as at.bot:
            await at.settle()
            await at.host.slash(at.channel, "table")
            assert "Start" in at.message().buttons
    (line,) = [line for line in log if line["event"].startswith("discord: commands not registered")]
    assert line["why"].startswith("Discord says 400: Invalid Form Body; In ")
    assert "integration_types" in line["why"]
    assert "tick User Install" in line["why"]


# -- where it could --------------------------------------------------------------------------------


async def test_a_channel_lost_in_the_lobby_deals_nothing(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await joined_thread(at))
    await elsewhere.open(THAI)
    at.world.places.remove_from_thread(elsewhere.channel, at.world.state.bot)
    reply = await private_reply(elsewhere.host.click(elsewhere.message(), "Start"))
    assert reply.startswith("I'm not in this private thread")
    assert (await elsewhere.live()).match is None


@pytest.mark.thorough
@pytest.mark.parametrize("answer", ["I'm in", "Not this time"])
async def test_a_channel_lost_before_a_rematch_deals_nothing(table: Seat, answer: str) -> None:
    """Lose the channel before the last answer, which would deal; once it is back, answer again."""
    at = await table(3)
    elsewhere = at.elsewhere(await joined_thread(at))
    await elsewhere.start(THAI)
    *others, last = elsewhere.people
    for leaving in others:
        await elsewhere.forfeit(leaving)
    await elsewhere.press("Play again")
    await others[1].click(elsewhere.message(), "I'm in")
    bot, question = at.world.state.bot, elsewhere.message()
    at.world.places.remove_from_thread(elsewhere.channel, bot)
    reply = await private_reply(last.click(question, answer))
    assert reply.startswith("I'm not in this private thread")
    assert (await elsewhere.live()).match is None
    await elsewhere.host.say(elsewhere.channel, f"<@{bot.id}>")
    await last.click(question, answer)
    await elsewhere.settle()
    assert "Round 1" in elsewhere.message().text


async def lose_channel(at: Table) -> None:
    """Play a round, then hide the channel from the bot and deal the second round there."""
    await at.play_round()
    await at.world.faults.deny(at.channel, "view_channel")
    await at.press("Next round")
    assert "Round 2" in at.seat(at.host).text  # seats go on


async def challenge_in_seat(at: Table) -> None:
    """Challenge in the seat, so that the showdown isn't the answer to the press."""
    await at.settle()  # the seats too
    person = at.turn()
    await doubt_in(person, at.seat(person))
    await at.settle()


async def test_the_next_press_reports_a_lost_channel_and_the_match_can_come_back(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    await lose_channel(at)
    acting = at.turn_of(await at.live())
    (waiting,) = (person for person in at.people if person is not acting)
    reply = await private_reply(waiting.click(at.seat(waiting), "Refresh"))
    missing = "I can't post here. Please give me this permission first: **View Channel**."
    assert f"{missing} {GOES_ON}" in reply
    # the table is shown by answers until then, and what is pressed there goes on
    await at.host.slash(at.channel, "table")
    await at.settle()
    assert "Round 2" in at.message().text
    await at.play_round()
    assert "Showdown" in at.message().text
    reply = at.people[0].text(at.channel) + at.people[1].text(at.channel)
    assert f"{missing} {GOES_ON}" in reply
    await at.press("Next round")
    assert "Round 3" in at.message().text
    before = at.message().id
    await at.world.faults.deny(at.channel)
    await until(lambda: at.message().id != before)
    await at.settle()
    assert "Round 3" in at.message().text
    assert [message.id for message in at.public() if "Round 3" in message.text] == [at.message().id]
    await at.call(at.turn())


async def test_a_private_thread_lost_in_a_match_comes_back_with_a_mention(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await joined_thread(at))
    await elsewhere.start(THAI)
    at.world.places.remove_from_thread(elsewhere.channel, at.world.state.bot)
    await elsewhere.call(elsewhere.turn())
    await challenge_in_seat(elsewhere)
    reply = await private_reply(elsewhere.host.click(elsewhere.seat(elsewhere.host), "Refresh"))
    assert "Mention me once" in reply
    assert GOES_ON in reply
    before = elsewhere.message().id
    await elsewhere.host.say(elsewhere.channel, f"<@{at.world.state.bot.id}>")
    await until(lambda: elsewhere.message().id != before)
    assert "Showdown" in elsewhere.message().text


async def test_a_thread_that_discord_says_nothing_about_delays_no_seat(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "LOOKS_FOR", 0.01)
    at = await table(2)
    elsewhere = at.elsewhere(await joined_thread(at))
    await elsewhere.start(THAI)
    at.world.places.remove_from_thread(elsewhere.channel, at.world.state.bot)
    await elsewhere.call(elsewhere.turn())
    await challenge_in_seat(elsewhere)
    assert elsewhere.bot.delivery.tables.is_barred((await elsewhere.live()).table.id)
    elsewhere.world.faults.hang("GET /channels/*", times=99)
    act = elsewhere.host.click(elsewhere.seat(elsewhere.host), "Refresh")
    assert (await asyncio.wait_for(act, 60.0)).kind == "update"


async def test_in_a_thread_that_was_locked_a_match_waits_until_it_is_unlocked(table: Seat) -> None:
    at = await table(2)
    elsewhere = at.elsewhere(await thread(at))
    await elsewhere.start(THAI)
    person, message = elsewhere.turn(), elsewhere.message()
    at.world.places.change_thread(elsewhere.channel, locked=True)
    with pytest.raises(CannotDo, match="locked"):
        await elsewhere.call(person)
    assert elsewhere.message().text == message.text
    at.world.places.change_thread(elsewhere.channel)
    await elsewhere.call(person)
    await until(lambda: elsewhere.message().text != message.text)
    assert elsewhere.turn() is not person

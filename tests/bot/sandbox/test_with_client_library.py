"""Unmodified discord.py against the local Discord, over real sockets."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import discord
import pytest
import pytest_asyncio
from discord import ui, utils

from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.gateway import ZLIB, ZSTD, NotSpoken, compressor
from bot.sandbox.screen import SeenMessage
from tests import openapi
from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.sample_bot import SampleBot
from tests.bot.sandbox.waiting import Requests
from tests.people import Snug, discord_server, online, start_world, until


@pytest_asyncio.fixture
async def bot(snug: Snug) -> AsyncIterator[SampleBot]:
    client = SampleBot()
    async with online(snug.world, client):
        yield client
    assert snug.world.state.unknown_requests == []


async def open_table(snug: Snug) -> SeenMessage:
    outcome = await snug.ann.slash(snug.table, "play", variant="Thai")
    return outcome.seen


def text_channel(bot: SampleBot, snug: Snug) -> discord.TextChannel:
    """Return the table's channel as the bot knows it."""
    channel = bot.get_channel(int(snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_bot_logs_in_finds_the_server_and_hears_subcommands_and_options(
    snug: Snug, bot: SampleBot
) -> None:
    assert bot.user is not None
    assert bot.user.name == "Bluffhouse"
    assert [guild.name for guild in bot.guilds] == ["The Snug"]
    assert [channel.name for channel in bot.guilds[0].text_channels] == ["poker-night"]
    assert (await snug.ann.slash(snug.table, "odds bid", text="33")).text == "odds of 33"
    looked = await snug.ann.slash(snug.table, "look", player=snug.bob, n=3)
    assert looked.text == "Bob x3"
    choices = await snug.ann.autocomplete(snug.table, "odds bid", "text", "qq")
    assert [(option["name"], option["value"]) for option in choices] == [("qq!", "qq:1")]


async def test_slash_command_is_answered_by_a_message_everybody_sees(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.slash(snug.table, "play", variant="Thai")
    assert outcome.kind == "message"
    assert "table of Thai" in outcome.text
    assert "table of Thai" in snug.bob.text(snug.table)
    assert outcome.seen.buttons == ["Join", "Cards", "Form", "Later", "Silence"]


async def test_command_that_could_not_be_typed_is_refused(snug: Snug, bot: SampleBot) -> None:
    typed: list[tuple[str, dict[str, object], str]] = [
        ("poker", {}, "no command /poker"),
        ("play", {}, "needs its option 'variant'"),
        ("play", {"variant": "Chess"}, "not a choice"),
        ("play", {"variant": "Thai", "stake": 3}, "no option 'stake'"),
        ("look", {"player": "12"}, "no such person"),
        ("odds", {}, "needs a subcommand"),
        ("odds poker", {}, "no command /odds poker"),
    ]
    for name, options, sentence in typed:
        with pytest.raises(CannotDo, match=sentence):
            await snug.ann.slash(snug.table, name, **options)


async def test_a_press_updates_its_message_with_one_request_and_a_choice_sends_its_value(
    snug: Snug, bot: SampleBot
) -> None:
    table, mark = await open_table(snug), snug.world.mark()
    assert (await snug.bob.click(table, "Join")).kind == "update"
    assert "Bob joined" in snug.ann.text(snug.table)
    assert len(snug.ann.visible(snug.table)) == 1
    assert len(snug.world.requests(mark)) == 1
    await snug.ann.select(table, "Bid", "Pair of 4s")
    assert "bid pair:4" in snug.bob.text(snug.table)


async def test_modal_is_opened_filled_in_and_updates_the_message(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await open_table(snug), "Form")
    assert outcome.kind == "modal"
    assert list(outcome.form.fields) == ["In words", "Kind"]
    with pytest.raises(CannotDo, match="at most 20"):
        await snug.ann.submit(outcome.form, {"In words": "x" * 21})
    with pytest.raises(CannotDo, match="not open for you"):
        await snug.bob.submit(outcome.form, {"In words": "qq"})
    submitted = await snug.ann.submit(outcome.form, {"In words": "qq"})
    assert submitted.kind == "update"
    assert "form: qq, ['pair']" in snug.bob.text(snug.table)
    with pytest.raises(CannotDo, match="not open for you"):
        await snug.ann.submit(outcome.form, {"In words": "kk"})


async def test_ephemeral_answer_is_seen_by_its_person_alone_until_dismissed(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await open_table(snug), "Cards")
    assert outcome.seen.ephemeral
    assert "Cards of Ann" in snug.ann.text(snug.table)
    assert "Cards of Ann" not in snug.bob.everything() + snug.cleo.everything()
    with pytest.raises(CannotDo, match="only others can see"):
        await snug.bob.dismiss(outcome.seen)
    await snug.ann.dismiss(outcome.seen)
    assert "Cards of Ann" not in snug.ann.text(snug.table)


async def test_direct_message_is_seen_by_its_person_alone_unless_they_take_none(
    snug: Snug, bot: SampleBot
) -> None:
    assert (await snug.ann.slash(snug.table, "message_me")).text == "sent"
    assert [message.text for message in snug.ann.dm_messages()] == ["for you alone"]
    assert "for you alone" not in snug.bob.everything() + snug.cleo.everything()
    snug.bob.set_dms_open(False)
    assert (await snug.bob.slash(snug.table, "message_me")).text == "refused 50007"
    assert snug.bob.dm_messages() == []


@pytest.mark.parametrize("secretly", [False, True])
async def test_deferral_thinks_until_its_answer(snug: Snug, bot: SampleBot, secretly: bool) -> None:
    outcome = await snug.ann.slash(snug.table, "think", secretly=int(secretly))
    assert outcome.kind == "deferred"
    settled = await outcome.settle()
    assert settled.text == "thought"
    assert ("thought" in snug.bob.text(snug.table)) is not secretly
    assert [message.pending for message in snug.ann.visible(snug.table)] == [False]


async def test_deferred_update_is_finished_by_editing_the_original(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await open_table(snug), "Later")
    assert outcome.kind == "deferred_update"
    assert "edited later" in (await outcome.settle()).text


async def test_disabled_missing_and_foreign_controls_cannot_be_used(
    snug: Snug, bot: SampleBot
) -> None:
    table = await open_table(snug)
    with pytest.raises(CannotDo, match="no button 'Leave'"):
        await snug.ann.click(table, "Leave")
    with pytest.raises(CannotDo, match="is not offered"):
        await snug.ann.select(table, "Bid", "Pair of 9s")
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Off", custom_id="press:off", disabled=True))
    await text_channel(bot, snug).send("old style", view=view)
    with pytest.raises(CannotDo, match="disabled"):
        await snug.ann.click(snug.ann.visible(snug.table)[-1], "Off")
    hidden = (await snug.ann.click(table, "Cards")).message
    assert hidden is not None
    with pytest.raises(CannotDo, match="only others can see"):
        await snug.bob.click(hidden, "Anything")
    with pytest.raises(CannotDo, match="only others can see"):  # a forged press neither
        await snug.bob.forge(hidden, "press:cards")
    assert (await snug.bob.forge(table, "press:cards")).text == "Cards of Bob"
    with pytest.raises(CannotDo, match="no button"):
        await snug.bob.click(table, custom_id="press:nothing")


async def test_same_interaction_delivered_twice_is_answered_once(
    snug: Snug, bot: SampleBot
) -> None:
    table = await open_table(snug)
    requests = Requests(snug.world)
    snug.world.faults.duplicate_interactions()
    await snug.ann.click(table, "Cards")
    await requests.until(lambda request: request.status == 400)
    assert len(bot.presses) == 2
    assert len([m for m in snug.ann.visible(snug.table) if m.ephemeral]) == 1


async def test_every_request_of_the_client_library_fits_discords_description(
    snug: Snug, bot: SampleBot
) -> None:
    description = openapi.load()
    table = await open_table(snug)
    form = await snug.ann.click(table, "Form")
    await snug.ann.submit(form.modal, {"Kind": "Flush"})
    await (await snug.ann.slash(snug.table, "think")).settle()
    await snug.ann.slash(snug.table, "message_me")
    await snug.ann.autocomplete(snug.table, "odds bid", "text", "3")
    requests = list(snug.world.state.requests)
    assert len(requests) > 8
    assert [fault for request in requests for fault in description.faults(request)] == []


async def test_interaction_fails_when_three_seconds_pass_unanswered() -> None:
    clock = ManualClock()
    async with start_world(clock) as snug, online(snug.world, SampleBot()):
        table = await open_table(snug)
        click = asyncio.create_task(snug.ann.click(table, "Silence"))
        await clock.until_asleep()
        clock.advance(2.9)
        # what fails at once has failed by the time that another press has been answered
        assert (await snug.bob.click(table, "Cards")).text == "Cards of Bob"
        assert not click.done()
        clock.advance(0.2)
        with pytest.raises(InteractionFailed, match="This interaction failed"):
            await click


async def test_token_is_good_for_fifteen_minutes() -> None:
    clock = ManualClock()
    held: list[discord.Interaction] = []
    client = SampleBot()

    @client.tree.command(description="Answer and keep the interaction")
    async def hold(interaction: discord.Interaction) -> None:
        held.append(interaction)
        await interaction.response.send_message("held")

    async with start_world(clock) as snug, online(snug.world, client):
        await snug.ann.slash(snug.table, "hold")
        clock.advance(14 * 60)
        await held[0].edit_original_response(content="still")
        assert snug.bob.text(snug.table) == "still"
        clock.advance(61)
        with pytest.raises(discord.HTTPException) as refused:
            await held[0].edit_original_response(content="too late")
        assert refused.value.code == 50027
        with pytest.raises(discord.HTTPException) as refused:
            await held[0].followup.send("too late")
        assert refused.value.code == 50027
        assert snug.bob.text(snug.table) == "still"


async def test_late_and_second_answers_are_refused_as_discord_does() -> None:
    clock = ManualClock()
    client = SampleBot()
    codes: asyncio.Queue[int] = asyncio.Queue()
    go_on = asyncio.Event()

    @client.tree.command(description="Answer twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None
        try:
            await interaction.response.send_message("twice")
        except discord.HTTPException as error:
            codes.put_nowait(error.code)

    @client.tree.command(description="Answer late")
    async def late(interaction: discord.Interaction) -> None:
        await go_on.wait()
        try:
            await interaction.response.send_message("late")
        except discord.NotFound as error:
            codes.put_nowait(error.code)

    async with start_world(clock) as snug, online(snug.world, client):
        await snug.ann.slash(snug.table, "twice")
        task = asyncio.create_task(snug.ann.slash(snug.table, "late"))
        await clock.until_asleep()
        clock.advance(3.1)
        with pytest.raises(InteractionFailed):
            await task
        go_on.set()
        assert [await codes.get(), await codes.get()] == [40060, 10062]
        assert snug.bob.text(snug.table) == "once"


async def test_commands_work_in_a_thread(snug: Snug, bot: SampleBot) -> None:
    await snug.ann.say(snug.table, "Good evening")
    await snug.ann.open_thread(snug.table, "side table")
    thread = snug.server.channel("side table")
    outcome: ActOutcome = await snug.bob.slash(thread, "play", variant="Liars")
    assert outcome.seen.channel_id == thread.id
    assert snug.bob.text(snug.table) == "Good evening"


async def test_moderator_has_moderators_permissions(snug: Snug) -> None:
    observed: list[bool] = []
    client = SampleBot()

    @client.tree.command(description="Ask for permissions")
    async def can(interaction: discord.Interaction) -> None:
        observed.append(interaction.permissions.manage_guild)
        await interaction.response.send_message("seen", ephemeral=True)

    snug.server.make_moderator(snug.ann)
    async with online(snug.world, client):
        people: list[Person] = [snug.ann, snug.bob]
        for person in people:
            await person.slash(snug.table, "can")
    assert observed == [True, False]


# -- closed gateways, limits, lost answers ---------------------------------------------------------


async def test_real_looking_token_is_refused(snug: Snug) -> None:
    async with discord_server(snug.world):
        client = SampleBot()
        with pytest.raises(discord.LoginFailure):
            await client.start("MTAxMDEwMTAxMDEwMTAxMDEw.GabCde.abcdefghijklmnopqrstuvwxyz012345")
        await client.close()


async def test_privileged_intents_close_the_gateway_with_4014(snug: Snug) -> None:
    client = SampleBot(intents=discord.Intents(guilds=True, members=True), shard_count=1)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with online(snug.world, client):
            raise AssertionError("the gateway let it in")


async def test_bot_resumes_after_a_dropped_socket_and_hears_what_it_missed(
    snug: Snug, bot: SampleBot
) -> None:
    table = await open_table(snug)
    await snug.world.gateway.drop_sockets()
    outcome = await snug.ann.click(table, "Join")
    assert outcome.kind == "update"
    await bot.resumed.wait()
    assert bot.presses == [("Ann", "join")]


async def test_bot_identifies_anew_after_an_invalid_session(snug: Snug, bot: SampleBot) -> None:
    connected = asyncio.Event()

    async def on_shard_connect(shard_id: int) -> None:
        connected.set()

    bot.on_shard_connect = on_shard_connect  # type: ignore[attr-defined]
    await snug.world.gateway.invalidate_sessions()
    await connected.wait()
    await open_table(snug)


async def test_client_library_waits_out_a_rate_limit_unless_it_is_without_via(
    snug: Snug, bot: SampleBot
) -> None:
    snug.world.faults.rate_limit("POST /interactions/*", times=2, retry_after=0.02)
    outcome = await snug.ann.slash(snug.table, "odds bid", text="qq")
    assert outcome.text == "odds of qq"
    answers = [r.status for r in snug.world.state.requests if r.route.startswith("/interactions")]
    assert answers == [429, 429, 200]
    snug.world.faults.rate_limit("POST /channels/*", via=False)
    with pytest.raises(discord.HTTPException) as refused:
        await text_channel(bot, snug).send("x")
    assert refused.value.status == 429


async def test_lost_answer_comes_back_as_already_acknowledged(snug: Snug, bot: SampleBot) -> None:
    table = await open_table(snug)
    requests = Requests(snug.world)
    snug.world.faults.lose_answer("POST /interactions/*")
    outcome = await snug.ann.click(table, "Cards")
    assert outcome.kind == "message"  # it was applied, though the bot was told otherwise
    await requests.until(lambda request: request.status == 400)
    assert len([m for m in snug.ann.visible(snug.table) if m.ephemeral]) == 1


async def test_late_delivery_leaves_the_bot_less_than_three_seconds() -> None:
    clock = ManualClock()
    async with start_world(clock) as snug, online(snug.world, SampleBot()):
        snug.world.faults.delay_interactions(2.0)
        slash = asyncio.create_task(snug.ann.slash(snug.table, "odds bid", text="qq"))
        await clock.until_asleep(2)  # the delay, and the 3 s that run from the start
        # what comes after the delayed one is answered before it
        assert (await snug.bob.slash(snug.table, "odds bid", text="kk")).text == "odds of kk"
        assert not slash.done()
        clock.advance(2.0)
        assert (await slash).text == "odds of qq"
        snug.world.faults.drop_interactions()
        slash = asyncio.create_task(snug.ann.slash(snug.table, "odds bid", text="qq"))
        await clock.until_asleep()
        clock.advance(3.0)
        with pytest.raises(InteractionFailed):
            await slash


async def test_bot_finds_out_which_permissions_it_lacks(snug: Snug, bot: SampleBot) -> None:
    update = bot.wait_for("guild_channel_update")
    await snug.world.faults.deny(snug.table, "send_messages")
    await update
    channel = text_channel(bot, snug)
    assert not channel.permissions_for(channel.guild.me).send_messages
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("x")
    assert refused.value.code == 50013
    assert (await snug.ann.slash(snug.table, "odds bid", text="qq")).text == "odds of qq"


# -- private messages that live --------------------------------------------------------------------


@dataclass
class Seats:
    """A world whose bot opens a private message and keeps every interaction in `held`."""

    snug: Snug
    clock: ManualClock
    bot: SampleBot
    held: list[discord.Interaction[Any]] = field(default_factory=list)

    async def open(self) -> SeenMessage:
        """Open Ann's seat by a command; return its message."""
        open_form = (await self.snug.ann.slash(self.snug.table, "seat")).message
        assert open_form is not None
        return open_form

    async def webhook(self, method: str, token: str, message: str, body: object = None) -> Any:
        """Send a request by an interaction's token; return the answer.

        `message`: the id of the message concerned, or "@original".
        """
        path = "/webhooks/{application_id}/{webhook_token}/messages/" + message
        app = self.bot.application_id
        route = discord.http.Route(method, path, application_id=app, webhook_token=token)
        return await self.bot.http.request(route, json=body)


@dataclass(frozen=True)
class Kept:
    """A file that an edit of its message must keep, passed to the library as an attachment."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.id, "filename": self.filename}


def seat(words: str, picture: object = None) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(words))
    if picture is not None:
        view.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://cards.png")))
    view.add_item(ui.ActionRow(ui.Button(label="Turn", custom_id="seat:turn")))
    return view


@pytest_asyncio.fixture
async def seats() -> AsyncIterator[Seats]:
    clock = ManualClock()
    client = SampleBot()
    held: list[discord.Interaction[Any]] = []

    @client.tree.command(name="seat", description="Open a seat")
    async def open_form(interaction: discord.Interaction[Any]) -> None:
        held.append(interaction)
        picture = discord.File(BytesIO(ONE_PIXEL), "cards.png")
        view = seat("Round 1", picture)
        await interaction.response.send_message(view=view, file=picture, ephemeral=True)

    async def answer_press(interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.component:
            held.append(interaction)
            await interaction.response.edit_message(view=seat("your turn"))

    client.on_interaction = answer_press  # type: ignore[method-assign]
    async with start_world(clock) as snug, online(snug.world, client):
        yield Seats(snug, clock, client, held)
    assert snug.world.state.unknown_requests == []


async def test_a_seat_is_edited_by_the_token_that_made_it_and_keeps_its_picture(
    seats: Seats,
) -> None:
    mine = await seats.open()
    with seats.snug.world.stream.listening(seats.snug.ann.id) as events:
        kept_file = Kept(int(mine.attachments[0]["id"]), "cards.png")
        await seats.held[0].edit_original_response(
            view=seat("Round 2", "the same picture"),
            attachments=[kept_file],  # type: ignore[list-item]
        )
        event = events.get_nowait()
    now = await seats.snug.ann.current(mine)
    assert "Round 2" in now.text
    assert [attachment["id"] for attachment in now.attachments] == [
        attachment["id"] for attachment in mine.attachments
    ]
    assert event is not None
    assert (event["type"], event["message"]["id"]) == ("message_update", mine.id)
    assert "Round 2" not in seats.snug.bob.everything()


async def test_an_answer_in_place_that_names_no_files_drops_them(seats: Seats) -> None:
    mine = await seats.open()
    assert len(mine.attachments) == 1
    await seats.snug.ann.click(mine, "Turn")  # which is answered without a word of files
    stored = seats.snug.world.state.message(seats.snug.table.id, mine.id)
    assert stored is not None
    assert stored.files == []


async def test_a_deferral_brings_no_content_and_is_answered_by_an_edit(seats: Seats) -> None:
    refused: list[int] = []

    async def defer_press(interaction: discord.Interaction[Any]) -> None:
        callback = discord.http.Route(
            "POST",
            "/interactions/{interaction_id}/{webhook_token}/callback",
            interaction_id=interaction.id,
            webhook_token=interaction.token,
        )
        for data in ({"content": "soon"}, {"flags": 1 << 15}, {"flags": 64}):
            try:
                await seats.bot.http.request(callback, json={"type": 5, "data": data})
            except discord.HTTPException as error:
                refused.append(error.code)
        try:
            await interaction.followup.send("done")
        except discord.HTTPException as error:
            refused.append(error.code)
        await interaction.edit_original_response(content="done")
        await interaction.followup.send("and more", ephemeral=True)

    mine = await seats.open()
    seats.bot.on_interaction = defer_press  # type: ignore[method-assign]
    await (await seats.snug.ann.click(mine, "Turn")).settle()
    await until(lambda: "and more" in seats.snug.ann.text(seats.snug.table))
    assert refused == [50035, 50035, 50035]
    assert seats.snug.ann.text(seats.snug.table).split("\n")[-2:] == ["done", "and more"]


async def test_a_press_on_a_seat_makes_it_the_original_of_the_new_token(seats: Seats) -> None:
    mine = await seats.open()
    seats.clock.advance(14 * 60)
    await seats.snug.ann.click(mine, "Turn")
    seats.clock.advance(2 * 60)  # the first token is too old now, the press's is not
    with pytest.raises(discord.HTTPException) as refused:
        await seats.held[0].edit_original_response(view=seat("too late"))
    assert refused.value.code == 50027
    await seats.held[1].edit_original_response(view=seat("in time"))
    assert "in time" in (await seats.snug.ann.current(mine)).text


async def test_a_further_private_message_is_edited_by_its_id(seats: Seats) -> None:
    await seats.open()
    first = seats.held[0]
    extra = await first.followup.send("a word", ephemeral=True, wait=True)
    await first.followup.edit_message(extra.id, content="another word")
    assert "another word" in seats.snug.ann.text(seats.snug.table)
    assert "another word" not in seats.snug.bob.everything()
    await first.followup.delete_message(extra.id)
    assert "another word" not in seats.snug.ann.text(seats.snug.table)
    with pytest.raises(discord.NotFound) as refused:
        await first.followup.edit_message(extra.id, content="gone")
    assert refused.value.code == 10008


async def test_a_seat_is_reached_neither_through_its_channel_nor_by_anothers_token(
    seats: Seats,
) -> None:
    mine = await seats.open()
    await seats.snug.bob.slash(seats.snug.table, "seat")
    path = "/channels/{channel_id}/messages/{message_id}"
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        route = discord.http.Route(method, path, channel_id=mine.channel_id, message_id=mine.id)
        with pytest.raises(discord.NotFound) as refused:
            await seats.bot.http.request(route, json=body)
        assert refused.value.code == 10008
    with pytest.raises(discord.NotFound) as refused:
        await seats.webhook("PATCH", seats.held[1].token, mine.id, {"content": "x"})
    assert refused.value.code == 10008
    assert (await seats.snug.ann.current(mine)).text == mine.text


async def test_a_token_that_is_forgotten_or_never_was_is_invalid(seats: Seats) -> None:
    await seats.open()
    seats.clock.advance(2 * 3600)
    await seats.snug.bob.slash(seats.snug.table, "seat")  # older interactions are dropped now
    for token in (seats.held[0].token, "made-up"):
        with pytest.raises(discord.HTTPException) as refused:
            await seats.webhook("GET", token, "@original")
        assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_a_seat_that_was_put_away_is_edited_unseen_and_forgotten_with_its_token(
    seats: Seats,
) -> None:
    mine, state = await seats.open(), seats.snug.world.state
    await seats.snug.ann.dismiss(mine)
    with seats.snug.world.stream.listening(seats.snug.ann.id) as events:
        await seats.held[0].edit_original_response(view=seat("Round 2"))
        assert events.empty()
    assert "Round" not in seats.snug.ann.everything()
    with pytest.raises(CannotDo, match="not there"):
        await seats.snug.ann.click(mine, "Turn")
    seats.clock.advance(16 * 60)
    await seats.snug.ann.dismiss(await seats.open())
    assert len(state.messages[seats.snug.table.id]) == len(state.attachments) == 1


async def test_deleting_a_table_leaves_the_private_messages(seats: Seats) -> None:
    mine = await seats.open()
    table = await text_channel(seats.bot, seats.snug).send("the table")
    with seats.snug.world.stream.listening(seats.snug.bob.id) as events:
        await table.delete()
        assert events.get_nowait() == {
            "type": "message_delete",
            "channel_id": seats.snug.table.id,
            "id": str(table.id),
        }
    assert [message.id for message in seats.snug.ann.visible(seats.snug.table)] == [mine.id]


async def test_the_client_library_pings_whom_it_names(seats: Seats) -> None:
    channel = text_channel(seats.bot, seats.snug)
    ann, bob = seats.snug.ann, seats.snug.bob
    only_bob = discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(int(bob.id))]
    )
    words = f"<@{bob.id}>, <@{ann.id}> called three nines"
    sent = await channel.send(words, allowed_mentions=only_bob)
    assert [user.id for user in sent.mentions] == [int(bob.id)]
    assert (ann.pings(channel_id := str(channel.id)), bob.pings(channel_id)) == (0, 1)
    await sent.delete()
    assert (bob.unread(channel_id), bob.pings(channel_id)) == (True, 0)


async def test_a_nonce_brings_back_the_first_message_for_some_minutes(seats: Seats) -> None:
    path = "/channels/{channel_id}/messages"
    route = discord.http.Route("POST", path, channel_id=seats.snug.table.id)

    async def send(words: str, **kwargs: object) -> dict[str, Any]:
        body = {"content": words, "nonce": "7", "enforce_nonce": True} | kwargs
        answer: dict[str, Any] = await seats.bot.http.request(route, json=body)
        return answer

    first = await send("first")
    again = await send("second")
    assert (again["id"], again["content"]) == (first["id"], "first")  # unchanged
    assert (await send("unasked", enforce_nonce=False))["id"] != first["id"]
    seats.clock.advance(6 * 60)
    assert (await send("later"))["content"] == "later"
    assert seats.snug.bob.text(seats.snug.table).split("\n") == ["first", "unasked", "later"]


async def test_taps_and_requests_are_counted_since_a_mark(seats: Seats) -> None:
    world, ann = seats.snug.world, seats.snug.ann
    mine = await seats.open()
    mark, taps = world.mark(), ann.taps
    seats.clock.advance(5)
    with pytest.raises(CannotDo):
        await ann.click(mine, "Leave")
    await ann.click(mine, "Turn")
    assert ann.taps - taps == 1
    assert seats.snug.bob.taps == 0
    route = "/interactions/{interaction_id}/{interaction_token}/callback"
    assert [
        (request.method, request.route, request.at) for request in world.requests(since=mark)
    ] == [("POST", route, seats.clock.now())]
    table = (await ann.slash(seats.snug.table, "play", variant="Thai")).message
    assert table is not None
    taps = ann.taps
    seats.bot.on_interaction = SampleBot.on_interaction.__get__(seats.bot)  # type: ignore[method-assign]
    await ann.select(table, "Bid", "Pair of 4s")
    assert ann.taps - taps == 2  # one to open the list, one to choose


# -- compressed as Discord compresses --------------------------------------------------------------

TEXTS = ("one", "two " * 500, "ünï")
WITHOUT_ZSTD = """
import sys
sys.modules["zstandard"] = sys.modules["compression.zstd"] = None  # what is not installed
from discord import utils
assert utils._ActiveDecompressionContext.COMPRESSION_TYPE == "zlib-stream"
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def inflate() -> Callable[[bytes], str]:
    """Return a function that decompresses a zlib stream, whose messages end with a flush."""
    stream = zlib.decompressobj()

    def read(data: bytes) -> str:
        assert data.endswith(b"\x00\x00\xff\xff")
        return stream.decompress(data).decode()

    return read


@pytest.mark.parametrize("kind", [ZLIB, ZSTD])
def test_a_stream_is_read_message_by_message(kind: str) -> None:
    reads = inflate() if kind == ZLIB else utils._ActiveDecompressionContext().decompress
    squeeze = compressor(kind)
    assert squeeze is not None
    assert [reads(squeeze(text.encode())) for text in TEXTS] == list(TEXTS)


def test_the_client_library_asks_for_zstd_where_its_library_is_installed() -> None:
    """Check the tests' environment: zstd's library is there, so all tests of clients use it."""
    assert utils._ActiveDecompressionContext.COMPRESSION_TYPE == ZSTD


@pytest.mark.long
def test_without_the_library_the_client_speaks_zlib_and_hears_the_same() -> None:
    tests = (
        "test_with_client_library.py::"
        "test_bot_resumes_after_a_dropped_socket_and_hears_what_it_missed",
        "test_with_client_library.py::test_slash_command_is_answered_by_a_message_everybody_sees",
    )
    room = Path(__file__).parent
    command = [sys.executable, "-c", WITHOUT_ZSTD, *(str(room / test) for test in tests)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_other_compressions_are_refused_and_zstd_without_its_library() -> None:
    assert compressor(None) is None
    with pytest.raises(NotSpoken):
        compressor("brotli")
    missing = {"zstandard": None, "compression.zstd": None}
    with patch.dict(sys.modules, missing), pytest.raises(NotSpoken):
        compressor(ZSTD)

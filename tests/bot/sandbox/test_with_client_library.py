"""Unmodified discord.py against the emulator, over real sockets."""

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio

from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.sandbox.screen import SeenMessage
from tests import openapi
from tests.bot.sandbox.sample_bot import SampleBot
from tests.bot.sandbox.waiting import Requests
from tests.people import Snug, online, started


@pytest_asyncio.fixture
async def bot(snug: Snug) -> AsyncIterator[SampleBot]:
    client = SampleBot()
    async with online(snug.world, client):
        yield client
    assert snug.world.state.unknown_requests == []


async def opened(snug: Snug) -> SeenMessage:
    outcome = await snug.ann.slash(snug.table, "play", variant="Thai")
    assert outcome.message is not None
    return outcome.message


async def test_bot_logs_in_and_finds_the_server(snug: Snug, bot: SampleBot) -> None:
    assert bot.user is not None
    assert bot.user.name == "Bluffhouse"
    assert [guild.name for guild in bot.guilds] == ["The Snug"]
    assert [channel.name for channel in bot.guilds[0].text_channels] == ["poker-night"]


async def test_slash_command_is_answered_by_a_message_everybody_sees(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.slash(snug.table, "play", variant="Thai")
    assert outcome.kind == "message"
    assert "table of Thai" in outcome.text
    assert "table of Thai" in snug.bob.text(snug.table)
    assert outcome.message is not None
    assert outcome.message.buttons == ["Join", "Cards", "Form", "Later", "Silence"]


async def test_subcommand_and_user_option_reach_the_bot(snug: Snug, bot: SampleBot) -> None:
    assert (await snug.ann.slash(snug.table, "odds bid", text="33")).text == "odds of 33"
    looked = await snug.ann.slash(snug.table, "look", player=snug.bob, n=3)
    assert looked.text == "Bob x3"


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("poker", {}, "no command /poker"),
        ("play", {}, "needs its option 'variant'"),
        ("play", {"variant": "Chess"}, "not a choice"),
        ("play", {"variant": "Thai", "stake": 3}, "no option 'stake'"),
        ("look", {"player": "12"}, "no such person"),
        ("odds", {}, "needs a subcommand"),
        ("odds poker", {}, "no command /odds poker"),
    ],
)
async def test_command_that_could_not_be_typed_is_refused(
    snug: Snug, bot: SampleBot, name: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(CannotDo, match=sentence):
        await snug.ann.slash(snug.table, name, **options)


async def test_autocomplete_returns_the_bots_suggestions(snug: Snug, bot: SampleBot) -> None:
    choices = await snug.ann.autocomplete(snug.table, "odds bid", "text", "qq")
    assert [(one["name"], one["value"]) for one in choices] == [("qq!", "qq:1")]


async def test_dynamic_button_updates_its_message_with_one_request(
    snug: Snug, bot: SampleBot
) -> None:
    table = await opened(snug)
    before = len(snug.world.state.requests)
    outcome = await snug.bob.click(table, "Join")
    assert outcome.kind == "update"
    assert "Bob joined" in snug.ann.text(snug.table)
    assert len(snug.ann.visible(snug.table)) == 1
    assert len(snug.world.state.requests) - before == 1


async def test_select_sends_the_value_behind_the_label(snug: Snug, bot: SampleBot) -> None:
    await snug.ann.select(await opened(snug), "Bid", "Pair of 4s")
    assert "bid pair:4" in snug.bob.text(snug.table)


async def test_modal_is_opened_filled_in_and_updates_the_message(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await opened(snug), "Form")
    assert outcome.kind == "modal"
    assert outcome.modal is not None
    assert list(outcome.modal.fields) == ["In words", "Kind"]
    with pytest.raises(CannotDo, match="at most 20"):
        await snug.ann.submit(outcome.modal, {"In words": "x" * 21})
    with pytest.raises(CannotDo, match="not open for you"):
        await snug.bob.submit(outcome.modal, {"In words": "qq"})
    submitted = await snug.ann.submit(outcome.modal, {"In words": "qq"})
    assert submitted.kind == "update"
    assert "form: qq, ['pair']" in snug.bob.text(snug.table)
    with pytest.raises(CannotDo, match="not open for you"):
        await snug.ann.submit(outcome.modal, {"In words": "kk"})


async def test_ephemeral_answer_is_seen_by_its_person_alone_until_dismissed(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await opened(snug), "Cards")
    assert outcome.message is not None
    assert outcome.message.ephemeral
    assert "Cards of Ann" in snug.ann.text(snug.table)
    assert "Cards of Ann" not in snug.bob.everything() + snug.cleo.everything()
    with pytest.raises(CannotDo, match="only others can see"):
        await snug.bob.dismiss(outcome.message)
    await snug.ann.dismiss(outcome.message)
    assert "Cards of Ann" not in snug.ann.text(snug.table)


async def test_direct_message_is_seen_by_its_person_alone(snug: Snug, bot: SampleBot) -> None:
    assert (await snug.ann.slash(snug.table, "whisper")).text == "sent"
    assert [message.text for message in snug.ann.dm_messages()] == ["for you alone"]
    assert "for you alone" not in snug.bob.everything() + snug.cleo.everything()


async def test_closed_direct_messages_refuse_with_50007(snug: Snug, bot: SampleBot) -> None:
    snug.ann.set_dms_open(False)
    assert (await snug.ann.slash(snug.table, "whisper")).text == "refused 50007"
    assert snug.ann.dm_messages() == []


async def test_message_with_a_repeated_nonce_is_sent_once(snug: Snug, bot: SampleBot) -> None:
    channel = bot.get_channel(int(snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel.id)
    first, second = [await bot.http.request(route, json=body) for _ in range(2)]
    assert first["id"] == second["id"]
    assert snug.ann.text(snug.table) == "once"


@pytest.mark.parametrize("secretly", [False, True])
async def test_deferral_thinks_until_its_answer(snug: Snug, bot: SampleBot, secretly: bool) -> None:
    outcome = await snug.ann.slash(snug.table, "think", secretly=int(secretly))
    assert outcome.kind == "deferred"
    settled = await outcome.settled()
    assert settled.text == "thought"
    assert ("thought" in snug.bob.text(snug.table)) is not secretly
    assert [message.pending for message in snug.ann.visible(snug.table)] == [False]


async def test_deferred_update_is_finished_by_editing_the_original(
    snug: Snug, bot: SampleBot
) -> None:
    outcome = await snug.ann.click(await opened(snug), "Later")
    assert outcome.kind == "deferred_update"
    assert "edited later" in (await outcome.settled()).text


async def test_disabled_missing_and_foreign_controls_cannot_be_used(
    snug: Snug, bot: SampleBot
) -> None:
    table = await opened(snug)
    with pytest.raises(CannotDo, match="no button 'Leave'"):
        await snug.ann.click(table, "Leave")
    with pytest.raises(CannotDo, match="is not offered"):
        await snug.ann.select(table, "Bid", "Pair of 9s")
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Off", custom_id="press:off", disabled=True))
    channel = bot.get_channel(int(snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    await channel.send("old style", view=view)
    with pytest.raises(CannotDo, match="disabled"):
        await snug.ann.click(snug.ann.visible(snug.table)[-1], "Off")
    hidden = (await snug.ann.click(table, "Cards")).message
    assert hidden is not None
    with pytest.raises(CannotDo, match="only others can see"):
        await snug.bob.click(hidden, "Anything")
    with pytest.raises(CannotDo, match="only others can see"):  # a forged press neither
        await snug.bob.forge(hidden, "press:cards")


async def test_forged_click_reaches_the_bot(snug: Snug, bot: SampleBot) -> None:
    table = await opened(snug)
    outcome = await snug.bob.forge(table, "press:cards")
    assert outcome.text == "Cards of Bob"
    with pytest.raises(CannotDo, match="no button"):
        await snug.bob.click(table, custom_id="press:nothing")


async def test_same_interaction_delivered_twice_is_answered_once(
    snug: Snug, bot: SampleBot
) -> None:
    table = await opened(snug)
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
    table = await opened(snug)
    form = await snug.ann.click(table, "Form")
    await snug.ann.submit(form.modal, {"Kind": "Flush"})
    await (await snug.ann.slash(snug.table, "think")).settled()
    await snug.ann.slash(snug.table, "whisper")
    await snug.ann.autocomplete(snug.table, "odds bid", "text", "3")
    requests = list(snug.world.state.requests)
    assert len(requests) > 8
    assert [fault for request in requests for fault in description.faults(request)] == []


async def test_interaction_fails_when_three_seconds_pass_unanswered() -> None:
    clock = ManualClock()
    async with started(clock) as snug, online(snug.world, SampleBot()):
        table = await opened(snug)
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

    async with started(clock) as snug, online(snug.world, client):
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

    async with started(clock) as snug, online(snug.world, client):
        await snug.ann.slash(snug.table, "twice")
        task = asyncio.create_task(snug.ann.slash(snug.table, "late"))
        await clock.until_asleep()
        clock.advance(3.1)
        with pytest.raises(InteractionFailed):
            await task
        go_on.set()
        assert [await codes.get(), await codes.get()] == [40060, 10062]
        assert snug.bob.text(snug.table) == "once"


async def test_ordinary_message_reaches_the_people_in_the_channel(
    snug: Snug, bot: SampleBot
) -> None:
    await snug.ann.say(snug.table, "Good evening")
    assert snug.bob.text(snug.table) == "Good evening"


async def test_commands_work_in_a_thread(snug: Snug, bot: SampleBot) -> None:
    await snug.ann.open_thread(snug.table, "side table")
    thread = snug.server.channel("side table")
    outcome: ActOutcome = await snug.bob.slash(thread, "play", variant="Liars")
    assert outcome.message is not None
    assert outcome.message.channel_id == thread.id
    assert snug.ann.text(snug.table) == ""


async def test_moderator_has_moderators_permissions(snug: Snug) -> None:
    seen: list[bool] = []
    client = SampleBot()

    @client.tree.command(description="Ask for permissions")
    async def can(interaction: discord.Interaction) -> None:
        seen.append(interaction.permissions.manage_guild)
        await interaction.response.send_message("seen", ephemeral=True)

    snug.server.make_moderator(snug.ann)
    async with online(snug.world, client):
        people: list[Person] = [snug.ann, snug.bob]
        for person in people:
            await person.slash(snug.table, "can")
    assert seen == [True, False]

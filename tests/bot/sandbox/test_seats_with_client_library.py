"""Private messages that live: edited by token, put away, counted; through unmodified discord.py."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import ui

from bot.sandbox.clock import ManualClock
from bot.sandbox.errors import CannotDo
from bot.sandbox.screen import SeenMessage
from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.sample_bot import SampleBot
from tests.people import Snug, online, started, until


@dataclass
class Seats:
    """A world with a bot that opens a private message, and keeps every interaction it had."""

    snug: Snug
    clock: ManualClock
    bot: SampleBot
    held: list[discord.Interaction[Any]] = field(default_factory=list)

    async def open(self) -> SeenMessage:
        """Ann's seat, opened by a command."""
        opened = (await self.snug.ann.slash(self.snug.table, "seat")).message
        assert opened is not None
        return opened

    async def webhook(self, method: str, token: str, message: str, body: object = None) -> Any:
        """A request to a message by an interaction's token."""
        path = "/webhooks/{application_id}/{webhook_token}/messages/" + message
        app = self.bot.application_id
        route = discord.http.Route(method, path, application_id=app, webhook_token=token)
        return await self.bot.http.request(route, json=body)


@dataclass(frozen=True)
class Kept:
    """A file that a message keeps, where the library wants an attachment."""

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
    async def opened(interaction: discord.Interaction[Any]) -> None:
        held.append(interaction)
        picture = discord.File(BytesIO(ONE_PIXEL), "cards.png")
        view = seat("Round 1", picture)
        await interaction.response.send_message(view=view, file=picture, ephemeral=True)

    async def pressed(interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.component:
            held.append(interaction)
            await interaction.response.edit_message(view=seat("your turn"))

    client.on_interaction = pressed  # type: ignore[method-assign]
    async with started(clock) as snug, online(snug.world, client):
        yield Seats(snug, clock, client, held)
    assert snug.world.state.unknown_requests == []


async def test_a_seat_is_edited_by_the_token_that_made_it_and_keeps_its_picture(
    seats: Seats,
) -> None:
    mine = await seats.open()
    with seats.snug.world.stream.listening(seats.snug.ann.id) as events:
        kept = Kept(int(mine.attachments[0]["id"]), "cards.png")
        await seats.held[0].edit_original_response(
            view=seat("Round 2", "the same picture"),
            attachments=[kept],  # type: ignore[list-item]
        )
        event = events.get_nowait()
    now = await seats.snug.ann.current(mine)
    assert "Round 2" in now.text
    assert [one["id"] for one in now.attachments] == [one["id"] for one in mine.attachments]
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

    async def promised(interaction: discord.Interaction[Any]) -> None:
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
    seats.bot.on_interaction = promised  # type: ignore[method-assign]
    await (await seats.snug.ann.click(mine, "Turn")).settled()
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


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
async def test_a_seat_is_not_reached_through_its_channel(seats: Seats, method: str) -> None:
    mine = await seats.open()
    path = "/channels/{channel_id}/messages/{message_id}"
    route = discord.http.Route(method, path, channel_id=mine.channel_id, message_id=mine.id)
    with pytest.raises(discord.NotFound) as refused:
        await seats.bot.http.request(route, json={"content": "x"} if method == "PATCH" else None)
    assert refused.value.code == 10008
    assert (await seats.snug.ann.current(mine)).text == mine.text


async def test_anothers_token_does_not_reach_a_seat(seats: Seats) -> None:
    mine = await seats.open()
    await seats.snug.bob.slash(seats.snug.table, "seat")
    with pytest.raises(discord.NotFound) as refused:
        await seats.webhook("PATCH", seats.held[1].token, mine.id, {"content": "x"})
    assert refused.value.code == 10008


async def test_a_token_that_is_forgotten_or_never_was_is_invalid(seats: Seats) -> None:
    await seats.open()
    seats.clock.advance(2 * 3600)
    await seats.snug.bob.slash(seats.snug.table, "seat")  # older interactions are dropped now
    for token in (seats.held[0].token, "made-up"):
        with pytest.raises(discord.HTTPException) as refused:
            await seats.webhook("GET", token, "@original")
        assert (refused.value.status, refused.value.code) == (401, 50027)


async def test_a_seat_that_was_put_away_is_edited_unseen(seats: Seats) -> None:
    mine = await seats.open()
    await seats.snug.ann.dismiss(mine)
    with seats.snug.world.stream.listening(seats.snug.ann.id) as events:
        await seats.held[0].edit_original_response(view=seat("Round 2"))
        assert events.empty()
    assert "Round" not in seats.snug.ann.everything()
    with pytest.raises(CannotDo, match="not there"):
        await seats.snug.ann.click(mine, "Turn")


async def test_what_was_put_away_is_forgotten_with_its_token(seats: Seats) -> None:
    state = seats.snug.world.state
    await seats.snug.ann.dismiss(await seats.open())
    assert len(state.attachments) == 1
    seats.clock.advance(16 * 60)
    await seats.snug.ann.dismiss(await seats.open())
    assert len(state.messages[seats.snug.table.id]) == len(state.attachments) == 1


async def test_deleting_a_table_leaves_the_private_messages(seats: Seats) -> None:
    mine = await seats.open()
    channel = seats.bot.get_channel(int(seats.snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    table = await channel.send("the table")
    with seats.snug.world.stream.listening(seats.snug.bob.id) as events:
        await table.delete()
        assert events.get_nowait() == {
            "type": "message_delete",
            "channel_id": seats.snug.table.id,
            "id": str(table.id),
        }
    assert [one.id for one in seats.snug.ann.visible(seats.snug.table)] == [mine.id]


async def test_the_client_library_pings_whom_it_names(seats: Seats) -> None:
    channel = seats.bot.get_channel(int(seats.snug.table.id))
    assert isinstance(channel, discord.TextChannel)
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

    async def send(words: str, **more: object) -> dict[str, Any]:
        body = {"content": words, "nonce": "7", "enforce_nonce": True} | more
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
    assert [(one.method, one.route, one.at) for one in world.requests(since=mark)] == [
        ("POST", route, seats.clock.now())
    ]
    table = (await ann.slash(seats.snug.table, "play", variant="Thai")).message
    assert table is not None
    taps = ann.taps
    seats.bot.on_interaction = SampleBot.on_interaction.__get__(seats.bot)  # type: ignore[method-assign]
    await ann.select(table, "Bid", "Pair of 4s")
    assert ann.taps - taps == 2  # one to open the list, one to choose

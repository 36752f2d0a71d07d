"""A bare discord.py bot, to compare Bluffhouse's moves with. It has no database and no game.

    python -m benchmarks.bare_bot PAYLOADS

It answers the same clicks as Bluffhouse, with the same number of requests and copies of its
messages. PAYLOADS is a JSON file with the components of Bluffhouse's own messages, by name, and the
pictures in them. As in a small bot, a dynamic item handles each press, and each message is built
from discord.py's components.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import discord
from discord import app_commands, ui

from bot.app import discord_server
from bot.boards.pad import SHORT
from bot.language.words import together

READY: Final = "bot: ready"  # `benchmarks.setup` waits for this line
# what a press on one of Bluffhouse's controls does here, by the beginning of its label
ACTS: Final = (
    *((together(label), "kind") for label in SHORT.values()),
    ("Back", "pad"),
    ("Bid ", "move"),
    ("Challenge", "check"),
    ("Next round", "deal"),
)

# the view that replaces the pressed message, and the view posted after it
NEWS: Final = {"check": ("folded", "showdown"), "deal": ("record", "table")}

Json = dict[str, Any]


def name_of(item: Json) -> str:
    """Return the file name of a picture in a gallery."""
    return str(item["media"]["url"]).rsplit("/", 1)[-1]


class Control(ui.DynamicItem[ui.Item[Any]], template=r"bare:(?P<act>\w+):\d+:\d+"):
    """A button or select menu; `act` names the reaction to a press (see `BareBot.press`)."""

    def __init__(self, item: ui.Item[Any], act: str = "none") -> None:
        super().__init__(item)
        self.act = act

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(item, match["act"])

    async def callback(self, interaction: discord.Interaction) -> Any:
        bot = interaction.client
        assert isinstance(bot, BareBot)
        await bot.press(interaction, self.act)


@dataclass
class Seat:
    """A private message: the follow-up with the id `follow_up`, or the answer to `interaction`."""

    interaction: discord.Interaction
    follow_up: int | None = None

    async def edit(self, view: ui.LayoutView) -> None:
        if self.follow_up is None:
            await self.interaction.edit_original_response(view=view)
        else:
            await self.interaction.followup.edit_message(self.follow_up, view=view)

    async def move_down(self, view: ui.LayoutView) -> None:
        """Post the private message again at the end of the channel, and delete the old one."""
        token = self.interaction
        posted = await token.followup.send(view=view, ephemeral=True, wait=True)
        if self.follow_up is None:
            await token.delete_original_response()
        else:
            await token.followup.delete_message(self.follow_up)
        self.follow_up = posted.id


class BareBot(discord.Client):
    """A client that shows payloads at a command or a press, with new custom ids each time."""

    def __init__(self, payloads: dict[str, list[Json]], pictures: dict[str, Json]) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=0.05,
        )
        self.payloads = payloads
        self.pictures = pictures
        self.drawn = 0
        self.table: discord.PartialMessage | None = None
        self.seats: dict[int, Seat] = {}
        self.tree = app_commands.CommandTree(self)
        self.tree.command(name="table", description="Show the table")(self.show_table)
        self.tree.command(name="seat", description="Show a seat")(self.show_seat)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Control)
        await self.tree.sync()

    async def on_ready(self) -> None:
        print(READY, flush=True)

    async def show_table(self, interaction: discord.Interaction) -> None:
        answer = await interaction.response.send_message(view=self.view("table"))
        channel = self.get_partial_messageable(interaction.channel_id or 0)
        self.table = channel.get_partial_message(answer.message_id or 0)

    async def show_seat(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=self.view("pad"), ephemeral=True)
        self.seats[interaction.user.id] = Seat(interaction)

    async def press(self, interaction: discord.Interaction, act: str) -> None:
        channel = self.get_partial_messageable(interaction.channel_id or 0)
        if act == "list":
            await interaction.response.edit_message(view=self.view("table"))
            user = interaction.user.id
            await asyncio.gather(
                *(
                    seat.edit(self.view("waiting" if owner == user else "pad"))
                    for owner, seat in self.seats.items()
                )
            )
        elif act in NEWS:
            before, after = NEWS[act]
            await interaction.response.edit_message(
                view=self.view(before), attachments=self.files(before)
            )
            await channel.send(view=self.view(after), files=self.files(after))
            if act == "check":  # the pad of whoever was to act goes
                acting = next(iter(self.seats.values()))
                await acting.edit(self.view("seat at showdown"))
            else:
                await asyncio.gather(
                    *(seat.move_down(self.view("seat at table")) for seat in self.seats.values())
                )
        else:
            self.seats[interaction.user.id] = Seat(interaction)
            view_name = "waiting" if act == "move" else act
            await interaction.response.edit_message(view=self.view(view_name))
            if act == "move" and self.table is not None:  # and the seat of whoever is next
                others = [seat for user, seat in self.seats.items() if user != interaction.user.id]
                await asyncio.gather(
                    self.table.edit(view=self.view("table")),
                    *(seat.edit(self.view("pad")) for seat in others),
                )

    def files(self, name: str) -> list[discord.File]:
        """Return the pictures of the payload `name`, to attach to a message."""
        contents = self.pictures.get(name, {})
        return [
            discord.File(io.BytesIO(base64.b64decode(content)), filename=file)
            for file, content in contents.items()
        ]

    def view(self, name: str) -> ui.LayoutView:
        """Return a new view of the payload `name`, with custom ids not used before."""
        self.drawn += 1
        view = ui.LayoutView(timeout=None)
        for number, part in enumerate(self.payloads[name]):
            view.add_item(self.item(part, number))
        return view

    def item(self, part: Json, number: int) -> ui.Item[Any]:
        """Build the component `part` and its children; `number` goes into its custom id."""
        inside = [
            self.item(child, 10 * number + place)
            for place, child in enumerate(part.get("components", ()))
        ]
        match discord.ComponentType(part["type"]):
            case discord.ComponentType.container:
                return ui.Container(*inside, accent_colour=part.get("accent_color"))
            case discord.ComponentType.action_row:
                return ui.ActionRow(*inside)
            case discord.ComponentType.section:
                beside = self.button(part["accessory"], 10 * number + len(inside))
                return ui.Section(*inside, accessory=beside.item)
            case discord.ComponentType.text_display:
                return ui.TextDisplay(part["content"])
            case discord.ComponentType.media_gallery:
                pictures = [
                    discord.MediaGalleryItem(f"attachment://{name_of(picture)}")
                    for picture in part["items"]
                ]
                return ui.MediaGallery(*pictures)
            case discord.ComponentType.separator:
                return ui.Separator()
            case discord.ComponentType.button:
                return self.button(part, number)
            case discord.ComponentType.select:
                options = [
                    discord.SelectOption(label=choice["label"], value=choice["value"])
                    for choice in part["options"]
                ]
                named = f"bare:list:{self.drawn}:{number}"
                placeholder = part["placeholder"]
                return Control(ui.Select(custom_id=named, placeholder=placeholder, options=options))
            case other:
                raise ValueError(f"a payload has a component that is not copied: {other}")

    def button(self, part: Json, number: int) -> Control:
        label = part["label"]
        act = next((act for start, act in ACTS if label.startswith(start)), "none")
        return Control(
            ui.Button(
                label=label,
                style=discord.ButtonStyle(part["style"]),
                disabled=part.get("disabled", False),
                custom_id=f"bare:{act}:{self.drawn}:{number}",
            )
        )


async def main() -> None:
    """Connect the bot to the local Discord named in the environment; run it until killed."""
    payloads = json.loads(Path(sys.argv[1]).read_text())
    api = os.environ["BLUFFHOUSE_DISCORD__API_URL"]
    gateway = os.environ["BLUFFHOUSE_DISCORD__GATEWAY_URL"]
    with discord_server(api, gateway):
        await BareBot(payloads, payloads.pop("pictures", {})).start("sandbox")


if __name__ == "__main__":
    asyncio.run(main())

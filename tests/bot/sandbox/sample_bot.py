"""A small bot on unmodified discord.py that uses every feature the local Discord must support."""

import asyncio
import re
from typing import Any, Self

import discord
from discord import app_commands, ui


class Press(ui.DynamicItem[ui.Button[Any]], template=r"press:(?P<what>\w+)"):
    def __init__(self, label: str) -> None:
        self.what = label
        super().__init__(ui.Button(label=label.title(), custom_id=f"press:{label}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["what"])

    async def callback(self, interaction: discord.Interaction) -> None:
        bot = interaction.client
        assert isinstance(bot, SampleBot)
        bot.presses.append((interaction.user.display_name, self.what))
        match self.what:
            case "join":
                await interaction.response.edit_message(view=table(f"{interaction.user} joined"))
            case "cards":
                await interaction.response.send_message(
                    f"Cards of {interaction.user}", ephemeral=True
                )
            case "form":
                await interaction.response.send_modal(BidForm())
            case "later":
                await interaction.response.defer()
                await interaction.edit_original_response(view=table("edited later"))
            case "silence":
                await asyncio.sleep(0)


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"pick:(?P<seq>\d+)"):
    def __init__(self, seq: int = 0) -> None:
        self.seq = seq
        options = [discord.SelectOption(label=f"Pair of {n}s", value=f"pair:{n}") for n in "345"]
        super().__init__(ui.Select(placeholder="Bid", custom_id=f"pick:{seq}", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["seq"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=table(f"bid {self.item.values[0]}"))


def table(text: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    box: ui.Container[Any] = ui.Container(ui.TextDisplay(text))
    box.add_item(ui.Separator())
    box.add_item(ui.ActionRow(Press("join"), Press("cards"), Press("form"), Press("later")))
    box.add_item(ui.ActionRow(Press("silence")))
    box.add_item(ui.ActionRow(Pick()))
    view.add_item(box)
    return view


class BidForm(ui.Modal, title="Your bid"):
    words: ui.Label[Any] = ui.Label(
        text="In words", component=ui.TextInput(custom_id="words", required=False, max_length=20)
    )
    kind: ui.Label[Any] = ui.Label(
        text="Kind",
        component=ui.Select(
            custom_id="kind",
            options=[
                discord.SelectOption(label="Pair", value="pair", default=True),
                discord.SelectOption(label="Flush", value="flush"),
            ],
        ),
    )

    def __init__(self) -> None:
        super().__init__(custom_id="bid-form")


class SampleBot(discord.AutoShardedClient):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            intents=options.pop("intents", discord.Intents(guilds=True)),
            guild_ready_timeout=0.05,
            max_ratelimit_timeout=30.0,
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.presses: list[tuple[str, str]] = []
        self.errors: list[BaseException] = []
        self.resumed = asyncio.Event()
        self.add_dynamic_items(Press, Pick)
        add_commands(self.tree)

        @self.tree.error
        async def answer_error(interaction: discord.Interaction, error: Exception) -> None:
            self.errors.append(error)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do nothing: the library's own hook waits five seconds before it identifies again."""

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.modal_submit:
            data: Any = interaction.data
            fields = [part["component"] for part in data["components"]]
            text = ", ".join(str(f.get("value", f.get("values"))) for f in fields)
            await interaction.response.edit_message(view=table(f"form: {text}"))

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.resumed.set()


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Open a table")
    @app_commands.choices(
        variant=[app_commands.Choice(name=n, value=n.lower()) for n in ("Liars", "Thai")]
    )
    async def play(interaction: discord.Interaction, variant: app_commands.Choice[str]) -> None:
        await interaction.response.send_message(view=table(f"table of {variant.name}"))

    @tree.command(description="Look at a player")
    async def look(interaction: discord.Interaction, player: discord.Member, n: int = 1) -> None:
        await interaction.response.send_message(f"{player.display_name} x{n}")

    @tree.command(description="Think first")
    async def think(interaction: discord.Interaction, secretly: int = 0) -> None:
        await interaction.response.defer(thinking=True, ephemeral=bool(secretly))
        await interaction.edit_original_response(content="thought")

    @tree.command(description="Send a direct message")
    async def message_me(interaction: discord.Interaction) -> None:
        try:
            await interaction.user.send("for you alone", nonce=77)
        except discord.Forbidden as error:
            await interaction.response.send_message(f"refused {error.code}", ephemeral=True)
        else:
            await interaction.response.send_message("sent", ephemeral=True)

    odds = app_commands.Group(name="odds", description="Odds")

    @odds.command(description="Of a bid")
    async def bid(interaction: discord.Interaction, text: str) -> None:
        await interaction.response.send_message(f"odds of {text}")

    @bid.autocomplete("text")
    async def suggest(
        interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current}!", value=f"{current}:1")]

    tree.add_command(odds)

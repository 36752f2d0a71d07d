"""The local Discord, a small unmodified discord.py bot, and a browser, for the page's tests."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route
from playwright.async_api import Browser, Locator, Page, expect

from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox
from tests.bot.sandbox.page_browser import chromium, tab
from tests.bot.sandbox.raw import Raw

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
BIDS = ["pair of fours", "pair of jacks", "three sixes", "flush, nine-high clubs"]


class Table(ui.LayoutView):
    """A table similar to the real bot's: text, a select, buttons, a form, a private answer."""

    def __init__(self, heard: list[object], bid: str = "none yet") -> None:
        super().__init__(timeout=None)
        self.told = heard
        bids = ui.Select[Table](
            custom_id="bid",
            placeholder="Raise",
            options=[discord.SelectOption(label=bid, value=bid) for bid in BIDS],
        )
        call = ui.Button[Table](label="Call…", custom_id="call", style=discord.ButtonStyle.primary)
        cards = ui.Button[Table](label="My seat", custom_id="cards")
        closed = ui.Button[Table](label="Closed", custom_id="closed", disabled=True)
        bids.callback = self.raise_to  # type: ignore[method-assign]
        call.callback = self.open_form  # type: ignore[method-assign]
        cards.callback = self.show_cards  # type: ignore[method-assign]
        self.bids = bids
        words = ui.TextDisplay[Table](f"## Round 1\nStanding bid: **{bid}** {HOSTILE}")
        self.add_item(
            ui.Container(
                ui.Section(words, accessory=cards),
                ui.Separator(),
                ui.ActionRow(bids),
                ui.ActionRow(call, closed),
                accent_colour=0xC9A227,
            )
        )

    async def raise_to(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Table(self.told, self.bids.values[0]))

    async def open_form(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Call(self.told))

    async def show_cards(self, interaction: discord.Interaction) -> None:
        dealer = interaction.client
        assert isinstance(dealer, Dealer)
        dealer.seats.append(interaction)
        text = f"{interaction.user.name} holds three kings"
        await interaction.response.send_message(text, ephemeral=True)


class Pad(ui.LayoutView):
    """A private message in steps: every press redraws it with other labels and custom ids."""

    STEPS = (("Pair", "Flush"), ("Jacks", "Queens", "Back"), ("Call pair of queens", "Back"))

    def __init__(self, step: int = 0, text: str = "") -> None:
        super().__init__(timeout=None)
        self.add_item(ui.TextDisplay(f"Step {step + 1}. {text}"))
        row: ui.ActionRow[Pad] = ui.ActionRow()
        for n, label in enumerate(self.STEPS[step]):
            button = ui.Button[Pad](label=label, custom_id=f"pad:{step}:{n}")
            button.callback = self.go_to(step + (-1 if label == "Back" else 1), label)  # type: ignore[method-assign, assignment]
            row.add_item(button)
        self.add_item(row)

    def go_to(self, step: int, label: str) -> Callable[[discord.Interaction], Awaitable[None]]:
        async def go(interaction: discord.Interaction) -> None:
            await interaction.response.edit_message(view=Pad(step % len(self.STEPS), label))

        return go


class Call(ui.Modal, title="Call a bid"):
    words: ui.Label["Call"] = ui.Label(
        text="In words",
        description="Such as 44",
        component=ui.TextInput(custom_id="words", min_length=2, max_length=40),
    )
    suit: ui.Label["Call"] = ui.Label(
        text="Suit",
        component=ui.Select(
            custom_id="suit",
            required=False,
            options=[
                discord.SelectOption(label=suit, value=suit[0]) for suit in ("Clubs", "Hearts")
            ],
        ),
    )

    def __init__(self, heard: list[object]) -> None:
        super().__init__()
        self.told = heard

    async def on_submit(self, interaction: discord.Interaction) -> None:
        bid = self.words.component.value  # type: ignore[attr-defined]
        self.told.append([bid, self.suit.component.values])  # type: ignore[attr-defined]
        await interaction.response.edit_message(view=Table(self.told, bid))


class Dealer(discord.Client):
    """A small bot; `told` lists what its users did."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.told: list[object] = []
        self.seats: list[discord.Interaction] = []
        self.tree = app_commands.CommandTree(self)
        odds = app_commands.Group(name="odds", description="Poker odds")

        @self.tree.command(description="Open a table here")
        async def play(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(view=Table(self.told))

        @self.tree.command(description="Bid in steps")
        async def pad(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(view=Pad(), ephemeral=True)

        @self.tree.command(description="Send me a direct message")
        async def message_me(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("Look there.", ephemeral=True)
            place = interaction.channel_id
            link = f"https://discord.com/channels/{interaction.guild_id}/{place}"
            words = f"Your hole cards: three kings [at the table]({link}), in <#{place}>"
            await interaction.user.send(words)

        @odds.command(name="liars", description="How likely a bid is")
        async def liars(
            interaction: discord.Interaction,
            bid: str,
            cards: app_commands.Range[int, 2, 50],
            against: discord.Member | None = None,
        ) -> None:
            self.told.append([bid, cards, against and against.name])
            await interaction.response.send_message(f"{bid} among {cards}")

        @liars.autocomplete("bid")
        async def suggest(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            self.told.append(f"asked: {typed}")
            return [app_commands.Choice(name=b, value=b) for b in BIDS if typed in b]

        self.tree.add_command(odds)

    async def setup_hook(self) -> None:
        await self.tree.sync()


@dataclass
class Room:
    """The local Discord, a bot and a browser for a module's tests; `channel` adds a channel."""

    world: Sandbox
    clock: ManualClock
    dealer: Dealer
    browser: Browser
    raw: Raw
    channels: list[str] = field(default_factory=list)

    def channel(self) -> str:
        added = self.world.server("The Snug").add_text_channel(f"table-{len(self.channels)}")
        self.channels.append(added.id)
        return added.id

    async def post(self, channel: str, content: str, **kwargs: object) -> str:
        """Post a message as the bot; return its id."""
        status, message = await self.raw.send(channel, {"content": content} | kwargs)
        assert status == 200, message
        return str(message["id"])

    @asynccontextmanager
    async def page_of(self, name: str, channel: str, *, phone: bool = False) -> AsyncIterator[Page]:
        address = f"{self.world.base_url}/#as={name}&in={channel}"
        async with tab(self.browser, address, phone=phone) as page:
            await expect(page.locator(".opening")).to_be_attached()
            await expect(page.locator(".ghost")).to_have_count(0)
            yield page


@asynccontextmanager
async def open_room() -> AsyncIterator[Room]:
    """Run the local Discord with the bot online, and a browser, until the block ends."""
    before = (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
    clock = ManualClock(time.time())  # nothing is too late unless a test says so
    world = Sandbox(clock)
    async with chromium() as browser:
        await world.start()
        world.furnish()
        Route.BASE = world.api_url
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(world.gateway_url)
        dealer = Dealer()
        running = asyncio.create_task(dealer.start("sandbox"))
        try:
            await world.bot_online()
            await dealer.wait_until_ready()
            async with Raw(world) as raw:
                yield Room(world, clock, dealer, browser, raw)
        finally:
            await dealer.close()
            await asyncio.gather(running, return_exceptions=True)
            await world.stop()
            Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


async def command(page: Page, name: str) -> None:
    """Type a command without options, and send it."""
    await page.locator(".composer-text").fill(f"/{name}")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name=f"Send /{name}").click()


async def table(page: Page) -> Locator:
    await command(page, "play")
    table_node = page.locator(".message").filter(has_text="Standing bid")
    await expect(table_node).to_be_visible()
    return table_node

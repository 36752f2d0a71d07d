"""Commands at a table: /play, /bid, /challenge, /cards, /table, /forfeit, /drop, /end, /rules."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.boards.rules import rules_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.tables.desk import DMS_CLOSED, Desk, is_moderator
from bot.tables import refusals
from bot.tables.live import LiveTable
from bot.tables.records import Status
from bot.tables.requests import Ask
from bot.words import listed
from engine.play import legal
from engine.readings import LONGEST_TEXT
from engine.variants import VARIANTS

GAMES: Final = [
    app_commands.Choice(name=variant.title, value=key) for key, variant in VARIANTS.items()
]
MOST_CHOICES: Final = 25
_NEEDED: Final = ("view_channel", "send_messages", "attach_files")


def desk_of(interaction: Interaction) -> Desk:
    """The client's desk."""
    desk: Desk = interaction.client.desk
    return desk


def ask_of(interaction: Interaction) -> Ask:
    """A request for whatever state is current."""
    return Ask(interaction.user.id, interaction.id, moderator=is_moderator(interaction))


async def table_here(interaction: Interaction) -> LiveTable:
    """The channel's table. Raises `NoTable`."""
    return await desk_of(interaction).tables.in_channel(interaction.channel_id or 0)


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(game="Which game to deal")
@app_commands.choices(game=GAMES)
async def play(interaction: Interaction, game: app_commands.Choice[str]) -> None:
    """Open a table in this channel."""
    missing = missing_permissions(interaction)
    if missing:
        names = listed(f"**{name}**" for name in missing)
        await answers.whisper(
            interaction, f"I cannot deal here: please give me the permission {names} first."
        )
        return
    desk = desk_of(interaction)
    live = await answers.in_time(
        interaction,
        desk.tables.open(
            ask_of(interaction),
            interaction.guild_id or 0,
            interaction.channel_id or 0,
            game.value,
        ),
    )
    await post_as_answer(interaction, desk, live)
    if not await desk.greet(interaction, live):
        await answers.whisper(interaction, DMS_CLOSED)


async def post_as_answer(interaction: Interaction, desk: Desk, live: LiveTable) -> None:
    """Answer with the table's message, which is its message from now on."""
    message_id = await answers.show(interaction, await desk.board(live), ephemeral=False)
    if message_id is not None:
        seq = live.match.seq if live.match is not None else 0
        await desk.tables.shown(live.table.id, message_id, seq)
    await desk.check_shown(live, message_id is not None)


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(hand='What you bid, such as "pair of threes", "33" or "8c flush"')
async def bid(interaction: Interaction, hand: app_commands.Range[str, 1, LONGEST_TEXT]) -> None:
    """Make a bid at this channel's table."""

    async def made() -> str:
        live = await table_here(interaction)
        if live.match is None:
            raise refusals.NotStarted
        rules = live.match.ruleset
        meant = rules.wording.parse(hand)
        await desk_of(interaction).tables.bid(live.table.id, ask_of(interaction), meant.key)
        return f"{rules.terms.bid}: **{rules.wording.say(meant)}**."

    await answers.whisper(interaction, await answers.in_time(interaction, made(), ephemeral=True))


@bid.autocomplete("hand")
async def complete_bid(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The legal bids that the typed text may become."""
    try:
        live = await table_here(interaction)
    except refusals.RefusedError:
        return []
    if live.match is None:
        return []
    wording = live.match.ruleset.wording
    found = wording.complete(current, legal(live.match).rungs)[:MOST_CHOICES]
    return [app_commands.Choice(name=wording.say(bid), value=wording.say(bid)) for bid in found]


@app_commands.command()
@app_commands.guild_only()
async def challenge(interaction: Interaction) -> None:
    """Challenge (or check) the standing bid at this channel's table."""

    async def made() -> str:
        live = await table_here(interaction)
        if live.match is None:
            raise refusals.NotStarted
        await desk_of(interaction).tables.challenge(live.table.id, ask_of(interaction))
        return f"{live.match.ruleset.terms.challenge}! The cards are shown at the table."

    await answers.whisper(interaction, await answers.in_time(interaction, made(), ephemeral=True))


@app_commands.command()
@app_commands.guild_only()
async def cards(interaction: Interaction) -> None:
    """See your own cards; nobody else does."""
    live = await answers.in_time(interaction, table_here(interaction), ephemeral=True)
    await desk_of(interaction).show_cards(interaction, live)


@app_commands.command(name="table")
@app_commands.guild_only()
async def table_down(interaction: Interaction) -> None:
    """Bring this channel's table down here again."""
    live = await answers.in_time(interaction, table_here(interaction))
    await post_as_answer(interaction, desk_of(interaction), live)


@app_commands.command()
@app_commands.guild_only()
async def forfeit(interaction: Interaction) -> None:
    """Leave the match for good, or your seat in the lobby."""
    tables = desk_of(interaction).tables

    async def left() -> None:
        live = await table_here(interaction)
        leaving = tables.leave if live.table.status is Status.LOBBY else tables.forfeit
        await leaving(live.table.id, ask_of(interaction))

    await answers.in_time(interaction, left(), ephemeral=True)
    await answers.whisper(interaction, "You have left the table.")


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(player="Who is to leave the match")
async def drop(interaction: Interaction, player: discord.User) -> None:
    """Host or moderator: make an absent player leave."""

    async def dropped() -> None:
        live = await table_here(interaction)
        await desk_of(interaction).tables.drop(live.table.id, ask_of(interaction), player.id)

    await answers.in_time(interaction, dropped(), ephemeral=True)
    await answers.whisper(interaction, f"{player.mention} has been dropped from the table.")


@app_commands.command()
@app_commands.guild_only()
async def end(interaction: Interaction) -> None:
    """Host or moderator: end this channel's match without a winner."""

    async def ended() -> None:
        live = await table_here(interaction)
        await desk_of(interaction).tables.end(live.table.id, ask_of(interaction))

    await answers.in_time(interaction, ended(), ephemeral=True)
    await answers.whisper(interaction, "The table is closed.")


@app_commands.command()
@app_commands.describe(game="Which game's rules")
@app_commands.choices(game=GAMES)
async def rules(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
    """How the game is played, and which hand beats which."""
    key = game.value if game is not None else next(iter(VARIANTS))
    options: dict[str, Any] | None = None
    if game is None and interaction.guild_id is not None:
        try:
            live = await table_here(interaction)
            key, options = live.table.variant, live.table.options
        except refusals.RefusedError:
            pass
    await answers.show(interaction, rules_board(key, options), ephemeral=True)


def missing_permissions(interaction: Interaction) -> list[str]:
    """What the bot may not do in this channel but must, by the names Discord shows."""
    allowed = interaction.app_permissions
    needed = list(_NEEDED)
    if isinstance(interaction.channel, discord.Thread):
        needed[1] = "send_messages_in_threads"
    return [
        name.replace("_", " ").title().replace("In Threads", "in Threads")
        for name in needed
        if not getattr(allowed, name)
    ]


COMMANDS: Final[tuple[app_commands.Command[Any, ..., Any], ...]] = (
    play,
    bid,
    challenge,
    cards,
    table_down,
    forfeit,
    drop,
    end,
    rules,
)

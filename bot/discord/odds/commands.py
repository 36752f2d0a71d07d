"""/odds: the chance of bids and of poker hands, in servers, direct messages and user installs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from discord import app_commands

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.odds.completing import MINE, MOST_CHOICES, card_choices
from bot.tables import refusals
from bot.tables.house import odds_allowed
from bot.tables.live import LiveTable
from bot.tables.service import Tables
from engine.cards import Cards
from engine.errors import TextError
from engine.readings import LONGEST_TEXT
from engine.ruleset import Ruleset
from engine.variants import ruleset
from engine.view import view

if TYPE_CHECKING:
    from bot.boards.bid_odds import BidQuestion
    from bot.boards.board import Board

_CARDS_LENGTH: Final = 200

Complete = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]
Typed = app_commands.Range[str, 1, _CARDS_LENGTH]
InPlay = app_commands.Range[int, 1, 54]

odds = app_commands.Group(
    name="odds",
    description="The odds of bids and of poker hands, exactly",
    allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
    allowed_contexts=app_commands.AppCommandContext(
        guild=True, dm_channel=True, private_channel=True
    ),
)

_IN_PLAY: Final = "How many cards are in play in all; filled in at a live table"
_CARDS: Final = "The cards you know, such as Ah Kd *; at a live table your own are filled in"
_BID: Final = 'The bid you wonder about, such as "pair of threes" or "33"'


@odds.command(name="liars")
@app_commands.describe(in_play=_IN_PLAY, cards=_CARDS, bid=_BID, jokers="Jokers in the deck")
@app_commands.choices(
    jokers=[app_commands.Choice(name="two", value=2), app_commands.Choice(name="none", value=0)]
)
async def liars(
    interaction: Interaction,
    in_play: InPlay | None = None,
    cards: Typed | None = None,
    bid: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    jokers: app_commands.Choice[int] | None = None,
) -> None:
    """The chance of bids in Liars' Poker."""
    chosen = {"jokers": jokers.value} if jokers is not None else {}
    await _bids(interaction, "liars_poker", chosen, in_play, cards, bid)


@odds.command(name="thai")
@app_commands.describe(in_play=_IN_PLAY, cards=_CARDS, bid=_BID)
async def thai(
    interaction: Interaction,
    in_play: app_commands.Range[int, 1, 24] | None = None,
    cards: Typed | None = None,
    bid: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
) -> None:
    """The chance of bids in Thai Poker."""
    await _bids(interaction, "thai_poker", {}, in_play, cards, bid)


@odds.command(name="three-card")
@app_commands.describe(
    hand="Your three cards, such as Qs 6h 4d; without them the house edge",
    seen="Cards you have seen in other hands",
    bonus="Ante bonus for straight/three/straight flush, such as 1/4/5",
    pair_plus="Pair Plus for straight flush/three/straight/flush/pair, such as 40/30/6/4/1",
    six_card="Six-card bonus for royal/straight flush/four/full house/flush/straight/three",
)
async def three_card(
    interaction: Interaction,
    hand: Typed | None = None,
    seen: Typed | None = None,
    bonus: app_commands.Range[str, 1, 40] | None = None,
    pair_plus: app_commands.Range[str, 1, 40] | None = None,
    six_card: app_commands.Range[str, 1, 60] | None = None,
) -> None:
    """Three Card Poker: play or fold, or the house edge."""

    def work() -> Board:  # the first import takes too long for the event loop
        from bot.boards.three_card_odds import PayTables, three_card_board

        tables = PayTables(bonus or "", pair_plus or "", six_card or "")
        return three_card_board(hand or "", seen or "", tables)

    board = await answers.in_time(interaction, asyncio.to_thread(work))
    await answers.show(interaction, board, ephemeral=False)


def _pay_completion(option: str) -> Complete:
    """Suggests the pay tables one meets for an option, each with what the house keeps."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        def work() -> list[tuple[str, str]]:
            from bot.boards.three_card_odds import pay_choices

            return pay_choices(option, current)

        found = await asyncio.to_thread(work)
        return [app_commands.Choice(name=name, value=value) for name, value in found]

    return complete


for _option in ("bonus", "pair_plus", "six_card"):
    three_card.autocomplete(_option)(_pay_completion(_option))


@odds.command(name="showdown")
@app_commands.describe(
    hands="Who holds what, such as AhKd vs QQ, or AsAhKsKh vs random",
    game="Which game; hold'em unless you say so",
    board="Public cards, such as 9c 8d 2s",
    dead="Cards that are out of play",
    opponents="How many more players with unknown cards",
)
@app_commands.choices(
    game=[
        app_commands.Choice(name="Hold'em", value="holdem"),
        app_commands.Choice(name="Omaha", value="omaha"),
        app_commands.Choice(name="Five-card Omaha", value="omaha5"),
        app_commands.Choice(name="Five-card draw", value="draw"),
        app_commands.Choice(name="Short deck", value="shortdeck"),
        app_commands.Choice(name="Ace-to-five lowball", value="a5"),
        app_commands.Choice(name="Deuce-to-seven lowball", value="27"),
    ]
)
async def showdown(
    interaction: Interaction,
    hands: app_commands.Range[str, 1, 500],
    game: app_commands.Choice[str] | None = None,
    board: Typed | None = None,
    dead: Typed | None = None,
    opponents: app_commands.Range[int, 0, 22] = 0,
) -> None:
    """Who wins how often at a showdown."""
    from engine.odds import parse_question

    preset = game.value if game is not None else None
    question = partial(parse_question, hands, preset, board or "", dead or "", opponents)
    await cast(Any, interaction.client).desks.odds.ask(interaction, question)


def _tables(interaction: Interaction) -> Tables:
    tables: Tables = cast(Any, interaction.client).desks.tables.tables
    return tables


async def _bids(
    interaction: Interaction,
    game: str,
    chosen: dict[str, Any],
    in_play: int | None,
    cards: str | None,
    bid: str | None,
) -> None:
    from bot.boards.bid_odds import BidQuestion, bids_board

    dealt = await _dealt_in(interaction, game)
    if not all(odds_allowed(live.table) for live in dealt):
        await answers.whisper(
            interaction, "The house rules of your table do not allow odds during a match."
        )
        return
    live = _own_table(interaction, dealt)
    mine = cards is None or cards.strip().lower() == MINE
    if live is not None:
        question = _at_table(live, interaction.user.id, chosen)
        if not mine:
            question = replace(question, known=Cards.parse(cards or ""), at_table=False)
        question = replace(question, in_play=in_play or question.in_play)
    elif cards is not None and mine:
        raise TextError(cards, "You hold no cards at a live table of this game here", '"Ah Kd"')
    elif in_play is None:
        raise TextError("", "Say how many cards are in play in all", "in_play: 12")
    else:
        question = BidQuestion(ruleset(game, chosen), in_play, Cards.parse(cards or ""))
    if bid is not None:
        question = replace(question, asked=question.rules.wording.parse(bid))
    # whoever sits at a live table must not show the others what they know
    private = live is not None
    work = asyncio.to_thread(bids_board, question)
    board = await answers.in_time(interaction, work, ephemeral=private)
    await answers.show(interaction, board, ephemeral=private)


def _at_table(live: LiveTable, player: int, chosen: dict[str, Any]) -> BidQuestion:
    """What a player at a live table would ask: its rules, the cards in play, their own, the bid.

    `chosen` options go before the table's.
    """
    from bot.boards.bid_odds import BidQuestion

    match = live.match
    assert match is not None  # see `_dealt_in`
    seen = view(match, match.seat_of(player)).round
    assert seen is not None
    rules = match.ruleset
    if chosen:
        rules = ruleset(rules.key, dict(rules.options) | chosen, rules.version)
    # with other jokers than the table's, the standing bid may not exist
    standing = rules.ladder.get(seen.standing.bid.key) if seen.standing is not None else None
    return BidQuestion(rules, seen.in_play, seen.hole or Cards(), standing, at_table=True)


async def _dealt_in(interaction: Interaction, game: str) -> list[LiveTable]:
    """The tables of this game, anywhere, where the asker holds cards in a round being bid."""
    if interaction.guild_id is not None:
        with contextlib.suppress(refusals.RefusedError):
            await _tables(interaction).in_channel(
                interaction.channel_id or 0
            )  # after a restart it may not have been read yet
    dealt = _tables(interaction).where_dealt(interaction.user.id)
    return [live for live in dealt if live.table.variant == game]


def _own_table(interaction: Interaction, dealt: list[LiveTable]) -> LiveTable | None:
    """The channel's table if the asker holds cards there; in private, their only one."""
    if interaction.guild_id is None:
        return dealt[0] if len(dealt) == 1 else None
    here = [live for live in dealt if live.table.channel_id == interaction.channel_id]
    return here[0] if here else None


async def _rules_here(interaction: Interaction, game: str) -> tuple[Ruleset, bool]:
    """The rules that a question here would be asked by, and whether the asker's cards are known."""
    jokers = getattr(interaction.namespace, "jokers", None)
    chosen = {"jokers": jokers} if jokers in (0, 2) else {}
    live = _own_table(interaction, await _dealt_in(interaction, game))
    if live is None:
        return ruleset(game, chosen), False
    return _at_table(live, interaction.user.id, chosen).rules, True


@liars.autocomplete("cards")
async def complete_liars_cards(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The next card, and one's own cards at a live table."""
    return await _complete_cards(interaction, current, "liars_poker")


@thai.autocomplete("cards")
async def complete_thai_cards(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The same, with the cards of the small deck."""
    return await _complete_cards(interaction, current, "thai_poker")


async def _complete_cards(
    interaction: Interaction, current: str, game: str
) -> list[app_commands.Choice[str]]:
    rules, seated = await _rules_here(interaction, game)
    return card_choices(current[:_CARDS_LENGTH], rules, seated=seated)


@liars.autocomplete("bid")
async def complete_liars_bid(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The bids that the typed text may become."""
    return await _complete_bid(interaction, "liars_poker", current)


@thai.autocomplete("bid")
async def complete_thai_bid(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The bids that the typed text may become."""
    return await _complete_bid(interaction, "thai_poker", current)


async def _complete_bid(
    interaction: Interaction, game: str, current: str
) -> list[app_commands.Choice[str]]:
    rules, _ = await _rules_here(interaction, game)
    found = rules.wording.complete(current[:LONGEST_TEXT], rules.ladder.rungs)[:MOST_CHOICES]
    said = [rules.wording.say(bid) for bid in found]
    return [app_commands.Choice(name=text, value=text) for text in said]

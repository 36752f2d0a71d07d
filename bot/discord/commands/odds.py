"""/odds: the chance of bids and of poker hands, in servers, direct messages and user installs."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from discord import app_commands

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.commands.tables import table_here
from bot.tables import refusals
from bot.tables.table import LiveTable, odds_allowed
from engine.bids import Bid
from engine.cards import JOKER_CHAR, Cards
from engine.errors import TextError
from engine.readings import LONGEST_TEXT
from engine.ruleset import Ruleset
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view

MINE: Final = "my cards at this table"
MOST_CHOICES: Final = 25
_CARDS_LENGTH: Final = 200

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
)
async def three_card(
    interaction: Interaction,
    hand: Typed | None = None,
    seen: Typed | None = None,
    bonus: app_commands.Range[str, 1, 40] | None = None,
    pair_plus: app_commands.Range[str, 1, 40] | None = None,
) -> None:
    """Three Card Poker: play or fold, or the house edge."""
    from bot.render.three_card_boards import three_card_board

    work = asyncio.to_thread(three_card_board, hand or "", seen or "", bonus or "", pair_plus or "")
    board = await answers.in_time(interaction, work)
    await answers.show(interaction, board, ephemeral=False)


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

    scenario = parse_question(
        hands, game.value if game is not None else None, board or "", dead or "", opponents
    )
    await interaction.client.odds_desk.ask(interaction, scenario)


async def _bids(
    interaction: Interaction,
    game: str,
    chosen: dict[str, Any],
    in_play: int | None,
    cards: str | None,
    bid: str | None,
) -> None:
    from bot.render.odds_boards import BidQuestion, bids_board

    live = await _own_table(interaction, game)
    if live is not None and not odds_allowed(live.table):
        await answers.whisper(
            interaction, "The house rules of this table do not allow odds during a match."
        )
        return
    at_table = live is not None and (cards is None or cards.strip().lower() == MINE)
    if cards is not None and cards.strip().lower() == MINE and live is None:
        raise TextError(cards, "You sit at no live table of this game here", '"Ah Kd"')
    rules = ruleset(game, chosen)
    known = Cards.parse(cards) if cards is not None and not at_table else Cards()
    standing: Bid | None = None
    if live is not None and at_table:
        rules, in_play, known, standing = _from_table(live, interaction.user.id, in_play)
    if in_play is None:
        raise TextError("", "Say how many cards are in play in all", "in_play: 12")
    if bid is not None:
        standing = rules.wording.parse(bid)
    question = BidQuestion(rules, in_play, known, standing, at_table)
    work = asyncio.to_thread(bids_board, question)
    board = await answers.in_time(interaction, work, ephemeral=live is not None)
    # whoever sits at a live table must not show the others what they know
    await answers.show(interaction, board, ephemeral=live is not None)


def _from_table(
    live: LiveTable, player: int, in_play: int | None
) -> tuple[Ruleset, int, Cards, Bid | None]:
    """What a player at a live table knows: the rules, the cards in play, their own, the bid."""
    match = live.match
    assert match is not None
    seen = view(match, match.seat_of(player)).round
    if seen is None:
        raise refusals.NoTable
    standing = seen.standing.bid if seen.standing is not None else None
    return match.ruleset, in_play or seen.in_play, seen.hole or Cards(), standing


async def _own_table(interaction: Interaction, game: str) -> LiveTable | None:
    """The channel's table, if the asker sits there in a round of this game that is being bid."""
    if interaction.guild_id is None:
        return None
    try:
        live = await table_here(interaction)
    except refusals.RefusedError:
        return None
    match = live.match
    if match is None or match.phase is not Phase.BIDDING or live.table.variant != game:
        return None
    return live if match.seat_of(interaction.user.id) is not None else None


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
    found: list[str] = []
    if await _own_table(interaction, game) is not None and MINE.startswith(current.lower()):
        found.append(MINE)
    found += completions(current[:_CARDS_LENGTH], ruleset(game))
    return [app_commands.Choice(name=text, value=text) for text in found[:MOST_CHOICES]]


def completions(typed: str, rules: Ruleset) -> list[str]:
    """The typed cards followed by each card that the unfinished last one may become."""
    *done, last = typed.replace(",", " ").split(" ")
    try:
        before = Cards.parse(" ".join(done))
    except TextError:
        return []
    begun = last.lower().replace("10", "t")
    left = Cards(rules.deck.cards.bits & ~before.bits)
    naturals = [str(card) for card in left.naturals if str(card).lower().startswith(begun)]
    joker = [JOKER_CHAR] if before.jokers < rules.deck.jokers and begun in ("", JOKER_CHAR) else []
    head = f"{before} " if before else ""
    return [f"{head}{text}" for text in (*joker, *naturals)]


@liars.autocomplete("bid")
async def complete_liars_bid(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The bids that the typed text may become."""
    return _complete_bid("liars_poker", current)


@thai.autocomplete("bid")
async def complete_thai_bid(
    interaction: Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """The bids that the typed text may become."""
    return _complete_bid("thai_poker", current)


def _complete_bid(game: str, current: str) -> list[app_commands.Choice[str]]:
    rules = ruleset(game)
    found = rules.wording.complete(current, rules.ladder.rungs)[:MOST_CHOICES]
    said = [rules.wording.say(bid) for bid in found]
    return [app_commands.Choice(name=text, value=text) for text in said]

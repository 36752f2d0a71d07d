"""Make the command `/odds`: each subcommand reads its options and calls the handlers.

A subcommand about bids is made from a game's data, so each game in `VARIANTS` gets one.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import cache
from itertools import product
from typing import Any, Final, TypeVar

import discord
from discord import app_commands

from bot.boards.showdown_words import GAME_NAMES
from bot.discord.answers import Interaction
from bot.discord.commands import anywhere
from bot.discord.odds.asking import TypedOptions, chosen_options
from bot.discord.odds.handlers import CARDS_LENGTH, OddsHandlers, hand_file
from bot.discord.odds.questions import ThreeCard, TypedShowdown
from engine.bid_parser import LONGEST_TEXT
from engine.cards import JOKER_CHAR, Card, DeckSpec
from engine.odds.showdown.named_ranges import LONGEST_NAME
from engine.ruleset import Option, Ruleset, Variant

T = TypeVar("T")
Choices = list[app_commands.Choice[str]]
Complete = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]
Typing = app_commands.Range[str, 1, CARDS_LENGTH]
_IN_PLAY: Final = "Cards in play in total. Leave it out to ask about your live table"


def odds_group(variants: Iterable[Variant], handlers: OddsHandlers) -> app_commands.Group:
    """Return the command `/odds`.

    It has a subcommand for each game, and one each for Three Card Poker, showdowns and named
    ranges.
    """
    group = anywhere(
        app_commands.Group(name="odds", description="Exact odds of bids and poker hands")
    )
    for variant in variants:
        group.add_command(_bids_command(variant, handlers))
    group.add_command(_three_card_command(handlers))
    group.add_command(_showdown_command(handlers))
    group.add_command(_ranges_command(handlers))
    return group


def message_command(handlers: OddsHandlers) -> app_commands.ContextMenu:
    """Return the command "Odds" in every message's menu; it needs no privileged intent."""

    async def odds(interaction: Interaction, message: discord.Message) -> None:
        await handlers.message(interaction, message.content, hand_file(message.attachments))

    return anywhere(app_commands.ContextMenu(name="Odds", callback=odds))


# -- bids -----------------------------------------------------------------------------------------


def _bids_command(variant: Variant, handlers: OddsHandlers) -> app_commands.Command[Any, ..., None]:
    """Return a game's subcommand, with the game's short name and its options as parameters."""
    deck, usual = largest_deck(variant), _usual(variant)
    described = {
        "in_play": _IN_PLAY,
        "cards": f"The cards you know, such as {_some(deck)}",
        "bid": f"The {usual.terms.noun} you want the odds of, such as {usual.wording.example}",
    } | {option.key: option.label for option in variant.odds_options}
    taken: dict[str, Any] = {
        "in_play": app_commands.Range[int, 1, deck.size],
        "cards": Typing,
        "bid": app_commands.Range[str, 1, LONGEST_TEXT],
    } | {option.key: _kind(option) for option in variant.odds_options}

    async def ask(
        interaction: Interaction,
        in_play: int | None = None,
        cards: str | None = None,
        bid: str | None = None,
        **options: int | str | None,
    ) -> None:
        values = {key: value for key, value in options.items() if value is not None}
        typed = TypedOptions(in_play, cards, bid, chosen_options(variant.odds_options, values))
        await handlers.bids(interaction, variant, typed)

    # discord.py makes a command's parameters from the signature of its callback
    ask.__dict__["__signature__"] = inspect.Signature(
        [
            inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(
                    name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind | None
                )
                for name, kind in taken.items()
            ),
        ]
    )
    app_commands.describe(**described)(ask)
    app_commands.choices(
        **{option.key: _option_choices(option) for option in variant.odds_options}
    )(ask)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=variant.short,
        description=f"Odds of {usual.terms.a_bid} in {variant.title}",
        callback=ask,
    )
    command.autocomplete("cards")(_completer(OddsHandlers.suggest_cards, handlers, variant))
    command.autocomplete("bid")(_completer(OddsHandlers.suggest_bids, handlers, variant))
    return command


@cache
def _usual(variant: Variant) -> Ruleset:
    """Return the game's rules with its default options; cached, as they take a while to make."""
    return variant.ruleset()


@cache
def largest_deck(variant: Variant) -> DeckSpec:
    """Return the largest deck that the options can give the game."""
    keys = [option.key for option in variant.odds_options]
    values = product(*(option.choices for option in variant.odds_options))
    decks = (
        variant.ruleset({key: choice.value for key, choice in zip(keys, chosen, strict=True)}).deck
        for chosen in values
    )
    return max(decks, key=lambda deck: deck.size)


def _some(deck: DeckSpec) -> str:
    """Return a few of the deck's cards, as a person may type them: `Ah Kd *`."""
    cards = [Card.of(deck.ranks[-1], deck.suits[-2]), Card.of(deck.ranks[-2], deck.suits[-3])]
    return " ".join([*map(str, cards), *([JOKER_CHAR] if deck.jokers else [])])


def _kind(option: Option) -> Any:
    """Return the type of an option's values: `int` for whole numbers, or else `str`."""
    numbers = all(type(choice.value) is int for choice in option.choices)
    return int if numbers else str


def _option_choices(option: Option) -> list[app_commands.Choice[Any]]:
    kind = _kind(option)
    return [
        app_commands.Choice(name=choice.label, value=kind(choice.value))
        for choice in option.choices
    ]


# -- others ---------------------------------------------------------------------------------------


def _three_card_command(handlers: OddsHandlers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="three-card")
    @app_commands.describe(
        hand="Your three cards, such as Qs 6h 4d; without them the house edge",
        seen="Cards you have seen in other hands",
        bonus="Ante bonus for straight/three/straight flush, such as 1/4/5",
        pair_plus="Pair Plus for straight flush/three/straight/flush/pair, such as 40/30/6/4/1",
        six_card="Six-card bonus for royal/straight flush/four/full house/flush/straight/three",
    )
    async def three_card(
        interaction: Interaction,
        hand: Typing | None = None,
        seen: Typing | None = None,
        bonus: app_commands.Range[str, 1, 40] | None = None,
        pair_plus: app_commands.Range[str, 1, 40] | None = None,
        six_card: app_commands.Range[str, 1, 60] | None = None,
    ) -> None:
        """Three Card Poker: play or fold, or the house edge."""
        pays = (bonus or "", pair_plus or "", six_card or "")
        await handlers.three_card(interaction, ThreeCard(hand or "", seen or "", *pays))

    for option in ("bonus", "pair_plus", "six_card"):
        three_card.autocomplete(option)(_completer(OddsHandlers.suggest_pay, handlers, option))
    return three_card


def _completer(
    look: Callable[[OddsHandlers, Interaction, T, str], Awaitable[Choices]],
    handlers: OddsHandlers,
    about: T,
) -> Complete:
    async def complete(interaction: Interaction, current: str) -> Choices:
        return await look(handlers, interaction, about, current)

    return complete


def _showdown_command(handlers: OddsHandlers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="showdown")
    @app_commands.describe(
        hands="Who holds what, such as AhKd vs QQ, or AsAhKsKh vs random",
        game="Which game. Default: two cards are hold'em, four are Omaha",
        board="The board, such as 9c 8d 2s",
        dead="Cards that are out of play",
        opponents="How many more players with unknown cards",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=name, value=preset) for preset, name in GAME_NAMES.items()]
    )
    async def showdown(
        interaction: Interaction,
        hands: app_commands.Range[str, 1, 500],
        game: app_commands.Choice[str] | None = None,
        board: Typing | None = None,
        dead: Typing | None = None,
        opponents: app_commands.Range[int, 0, 22] = 0,
    ) -> None:
        "Win odds at showdown: hold'em, Omaha and more."
        preset = game.value if game is not None else None
        typed = TypedShowdown(hands, preset, board or "", dead or "", opponents)
        await handlers.showdown(interaction, typed)

    showdown.autocomplete("hands")(_completer(OddsHandlers.suggest_hands, handlers, None))
    return showdown


def _ranges_command(handlers: OddsHandlers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="ranges")
    @app_commands.describe(delete="The name of a range to delete")
    async def ranges(
        interaction: Interaction, delete: app_commands.Range[str, 1, LONGEST_NAME] | None = None
    ) -> None:
        """Show the ranges that you named in /odds showdown, or delete one."""
        await handlers.ranges(interaction, delete)

    ranges.autocomplete("delete")(_completer(OddsHandlers.suggest_ranges, handlers, None))
    return ranges

"""Define the slash commands, from /play to /odds: each parses, calls the handlers, and replies.

Each states where Discord shows it; otherwise the application decides. A command about tables needs
the bot, so it exists only in servers that have installed the bot. A command that only the asker
sees, or that needs nothing but its answer, works wherever a person has the application: in servers,
in direct messages with the bot and, with a personal installation, in direct messages with other
people.

Commands about bids are made from the games' data: a game that is added to `VARIANTS` gets its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import cache
from itertools import product
from typing import Any, Final, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.boards.leaving import reported_text
from bot.boards.replay import place_text, title_of
from bot.boards.showdown_words import GAME_NAMES
from bot.boards.stats import ALL_SEASONS, season_title
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.odds.asking import MOST_CHOICES, TypedOptions, bid_choices, chosen_options
from bot.discord.odds.handlers import CARDS_LENGTH, OddsHandlers
from bot.discord.odds.questions import ThreeCard, TypedShowdown
from bot.discord.press import ask_of, channel_of, guild_of
from bot.discord.stats.handlers import StatsHandlers
from bot.discord.tables.handlers import TableHandlers
from bot.discord.tables.preferences import PreferenceHandlers
from bot.language.catalogues import N_, speaking, tr
from bot.language.wordings import bid_text, game_words, parse_typed_bid
from bot.language.words import capital
from bot.roster import CHARACTERS
from bot.tables import errors, moderation, plans
from bot.tables.absence import FEWEST_TO_VOTE, live_people
from bot.tables.daily import DAILY
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.moderation import THE_MATCH
from bot.tables.table_options import language_of
from bot.tables.turns import turn_of
from engine.bid_parser import LONGEST_TEXT
from engine.cards import JOKER_CHAR, Card, DeckSpec
from engine.errors import EngineError
from engine.play import legal
from engine.players import CHARACTERS as PLAYERS
from engine.ruleset import Option, Ruleset, Variant
from engine.state import Match
from engine.variants import VARIANTS, ruleset

GAMES: Final = [
    app_commands.Choice(name=variant.title, value=key) for key, variant in VARIANTS.items()
]
AGAINST: Final = [
    app_commands.Choice(name=f"{capital(key)}: {PLAYERS[key].about}", value=key)
    for key in CHARACTERS
] + [app_commands.Choice(name="Deal of the day: the same for everyone, one try", value=DAILY)]
LEAVING: Final = [
    app_commands.Choice(name="Leave the match for good", value="forfeit"),
    app_commands.Choice(name="End the match for everyone", value="end"),
    app_commands.Choice(name="Someone is away", value="away"),
    app_commands.Choice(name="I'm back", value="back"),
    app_commands.Choice(name="Remove someone", value="drop"),
]
RECORDS: Final = [
    app_commands.Choice(name="Stats", value="statistics"),
    app_commands.Choice(name="Leaderboard", value="leaderboard"),
    app_commands.Choice(name="Deal of the day", value="daily"),
    app_commands.Choice(name="Seasons, for moderators", value="seasons"),
]
MOST_COMPUTERS: Final = max(ruleset(key).most_players for key in VARIANTS) - 1
MatchNumber = app_commands.Range[int, 1, 10**15 - 1]
ENDED: Final = N_("{asker} ended the match with no winner. It won't count.")
T = TypeVar("T")
Choices = list[app_commands.Choice[str]]
Complete = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]
Typing = app_commands.Range[str, 1, CARDS_LENGTH]
_IN_PLAY: Final = "Cards in play in total. Leave it out to ask about your live table"


def in_servers(command: T) -> T:
    """Mark a command that needs the bot where it is used."""
    command = app_commands.guild_only()(command)
    command = app_commands.allowed_installs(guilds=True, users=False)(command)
    return app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)


def anywhere(command: T) -> T:
    """Mark a command that needs nothing but its answer."""
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)


def needs_bot(interaction: discord.Interaction[discord.Client]) -> bool:
    """Return whether an interaction is a command that needs the bot, or a keystroke in one."""
    command = interaction.command
    root = getattr(command, "root_parent", None) or command
    installs = getattr(root, "allowed_installs", None)
    return installs is not None and not installs.user


class BotCommands(commands.Cog):
    """All commands but /odds."""

    def __init__(
        self, handlers: TableHandlers, preferences: PreferenceHandlers, records: StatsHandlers
    ) -> None:
        self._handlers = handlers
        self._tables = handlers.tables
        self._preferences = preferences
        self._records = records

    @app_commands.command()
    @anywhere
    @app_commands.describe(game="Which game to practise", against="Who to play against")
    @app_commands.choices(game=GAMES, against=AGAINST)
    async def practice(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        against: app_commands.Choice[str] | None = None,
    ) -> None:
        """Play against the computer, alone and with hints; only you see it."""
        character = against.value if against is not None else CHARACTERS[0]
        await self._handlers.practice.begin(interaction, game.value, character)

    @app_commands.command()
    @in_servers
    @app_commands.describe(
        game="Which game to deal", computers="How many computer players sit down with you"
    )
    @app_commands.choices(game=GAMES)
    async def play(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
    ) -> None:
        """Open a table in this channel."""
        await self._handlers.open(interaction, game.value, computers)

    @app_commands.command()
    @in_servers
    @app_commands.describe(hand='Your bid, such as "pair of threes", "33" or "8c flush"')
    async def bid(
        self, interaction: Interaction, hand: app_commands.Range[str, 1, LONGEST_TEXT]
    ) -> None:
        """Make a bid at this channel's table."""

        async def make() -> str:
            live, match = await self._begun(interaction)
            rules = match.ruleset
            try:
                meant = parse_typed_bid(rules, hand)
                await self._tables.change(live.table.id, ask_of(interaction), plans.bid, meant.key)
            except EngineError:
                self._handlers.drafts.remember(live, interaction.user.id, hand)
                raise
            return f"{game_words(rules).bid}: **{bid_text(rules, meant)}**."

        await self._reply(interaction, make())

    @bid.autocomplete("hand")
    async def complete_bid(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the legal bids that the typed text may become."""
        try:
            _, match = await self._begun(interaction)
        except errors.RefusedError:
            return []
        return bid_choices(current, match.ruleset, legal(match).rungs)

    @app_commands.command()
    @in_servers
    async def challenge(self, interaction: Interaction) -> None:
        "Challenge the current bid at this channel's table."

        async def make() -> str:
            live, match = await self._begun(interaction)
            await self._tables.change(live.table.id, ask_of(interaction), plans.challenge)
            return tr(
                "{challenge}! The cards are shown at the table.",
                challenge=game_words(match.ruleset).challenge,
            )

        await self._reply(interaction, make())

    @app_commands.command(name="table")
    @in_servers
    async def bring_down(self, interaction: Interaction) -> None:
        "Repost this channel's table and your seat at the bottom."
        await self._handlers.bring_down(interaction)

    @app_commands.command()
    @in_servers
    @app_commands.describe(
        what="Default: leave the match", player="Who is away, or who should leave"
    )
    @app_commands.choices(what=LEAVING)
    async def leave(
        self,
        interaction: Interaction,
        what: app_commands.Choice[str] | None = None,
        player: discord.User | None = None,
    ) -> None:
        "Leave a match, end it for everyone, or report someone away."
        match what.value if what is not None else "forfeit":
            case "end":
                await self._end(interaction)
            case "back":
                await self._reply(interaction, self._back(interaction))
            case "away":
                await self._reply(interaction, self._say_away(interaction, player))
            case "drop":
                await self._drop(interaction, player)
            case _:
                await self._forfeit(interaction)

    async def _forfeit(self, interaction: Interaction) -> None:
        """Ask the player to confirm leaving the match for good; in a lobby, just leave it."""
        live = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        if live.table.status is not Status.LOBBY:
            await self._handlers.leaving.ask(interaction, live)
            return

        async def leave() -> str:
            await self._tables.change(live.table.id, ask_of(interaction), plans.leave)
            return tr("You've left the table.")

        await self._reply(interaction, leave())

    async def _back(self, interaction: Interaction) -> str:
        live = await self._here(interaction)
        await self._tables.change(live.table.id, ask_of(interaction), plans.back)
        return tr("Welcome back! You're making your own moves again.")

    async def _say_away(self, interaction: Interaction, player: discord.User | None) -> str:
        """Vote that a player is away; once two have, the bot plays for them."""
        live = await self._here(interaction)
        playing = live.match is not None and live.table.status is Status.PLAYING
        if live.match is not None and playing and len(live_people(live.match)) < FEWEST_TO_VOTE:
            raise errors.TooFewToVote
        target = _chosen_player(player, live, interaction)
        live = await self._tables.change(
            live.table.id, ask_of(interaction), plans.say_away, target.id
        )
        return reported_text(live, target.id)

    async def _drop(self, interaction: Interaction, player: discord.User | None) -> None:
        """Remove an absent player; a player who is present leaves if two others ask for it."""

        async def drop() -> tuple[LiveTable, discord.User]:
            live = await self._here(interaction)
            target = _chosen_player(player, live, interaction)
            return await self._tables.change(
                live.table.id, ask_of(interaction), moderation.drop, target.id
            ), target

        live, target = await answers.in_time(interaction, drop())
        asker, match = interaction.user.id, live.match
        seat = match.seat_of(target.id) if match is not None else None
        still_in = match is not None and seat is not None and match.seats[seat].live
        # with two players, a request to remove one becomes a request to end the match
        if still_in and live.table.status is Status.PLAYING:
            about = target.id if asker in live.table.votes.get(target.id, ()) else THE_MATCH
            await self._handlers.leaving.ask_others(interaction, live, about)
            return
        with speaking(language_of(live.table)):
            text = tr("{who} has been removed from the table.", who=target.mention)
            if still_in:
                text = tr(ENDED, asker=interaction.user.mention)
        await answers.tell(interaction, text)

    async def _end(self, interaction: Interaction) -> None:
        """End the match without a winner, if another player agrees."""

        async def end() -> LiveTable:
            live = await self._here(interaction)
            return await self._tables.change(live.table.id, ask_of(interaction), moderation.end)

        live = await answers.in_time(interaction, end())
        if live.table.status is not Status.CLOSED:
            await self._handlers.leaving.ask_others(interaction, live, THE_MATCH)
            return
        with speaking(language_of(live.table)):
            ended_match = N_("{asker} has closed the table.") if live.match is None else ENDED
            text = tr(ended_match, asker=interaction.user.mention)
        await answers.tell(interaction, text)

    @app_commands.command(name="help")
    @anywhere
    @app_commands.describe(game="Which game's rules")
    @app_commands.choices(game=GAMES)
    async def help_out(
        self, interaction: Interaction, game: app_commands.Choice[str] | None = None
    ) -> None:
        "What I can do, and how to play."  # noqa: D401 - people see it
        if game is None:
            await self._handlers.helping.show(interaction)
        else:
            await self._handlers.helping.rules(interaction, game.value)

    @app_commands.command()
    @in_servers
    @app_commands.describe(game="Which game's tables")
    @app_commands.choices(game=GAMES)
    async def settings(self, interaction: Interaction, game: app_commands.Choice[str]) -> None:
        "Moderators: default rules for new tables in this server."
        await self._preferences.show(interaction, game.value)

    @app_commands.command()
    @anywhere
    async def preferences(self, interaction: Interaction) -> None:
        "Card style, notifications, language and your data."
        await self._preferences.show_own(interaction)

    @app_commands.command()
    @anywhere
    @app_commands.describe(
        what="Default: stats",
        player="Default: you",
        game="Default: all games",
        season="Default: the current season",
    )
    @app_commands.choices(what=RECORDS, game=GAMES)
    async def stats(
        self,
        interaction: Interaction,
        what: app_commands.Choice[str] | None = None,
        player: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        season: str = "",
    ) -> None:
        """Player stats, leaderboard and seasons."""
        of_game = game.value if game is not None else ""
        match what.value if what is not None else "":
            case "leaderboard":
                await self._records.leaderboard(interaction, of_game, season)
            case "daily":
                await self._handlers.daily.show_boards(interaction)
            case "seasons":
                await self._records.show_seasons(interaction)
            case _:
                chosen = player if interaction.guild_id is not None else None
                await self._records.stats(interaction, chosen or interaction.user, of_game, season)

    @stats.autocomplete("season")
    async def complete_season(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the server's seasons whose names contain the typed text, and "all seasons"."""
        try:
            seasons = await self._records.seasons(guild_of(interaction))
        except errors.RefusedError:
            return []
        choices = [(season_title(known).visible_text, str(known.number)) for known in seasons]
        choices.append((tr(ALL_SEASONS), "all"))
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in choices
            if current.casefold() in name.casefold()
        ][:MOST_CHOICES]

    @app_commands.command()
    @anywhere
    @app_commands.describe(match="A match's number. Default: the list of your matches")
    async def matches(self, interaction: Interaction, match: MatchNumber | None = None) -> None:
        """Your finished matches: replays and the coach. Only you see them."""
        if match is None:
            await self._handlers.replays.history(interaction)
        else:
            await self._handlers.replays.replay(interaction, match)

    @matches.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """Return the asker's latest matches."""
        try:
            lines = await self._handlers.replays.suggest(interaction)
        except errors.RefusedError:
            return []
        return [
            app_commands.Choice(
                name=f"{line.match_id}: {title_of(line.variant)}, {place_text(line)}",
                value=line.match_id,
            )
            for line in lines
            if str(line.match_id).startswith(str(current).strip())
        ]

    @app_commands.command()
    @anywhere
    async def turns(self, interaction: Interaction) -> None:
        "Tables waiting for your move, in every server, and a daily digest."
        await self._handlers.turns.show(interaction)

    @app_commands.command()
    @in_servers
    async def night(self, interaction: Interaction) -> None:
        """This server's game nights; moderators and event makers plan one here."""  # noqa: D401
        await self._handlers.nights.show(interaction)

    async def _here(self, interaction: Interaction) -> LiveTable:
        """Return the channel's table. Raises `NoTable`."""
        return await self._tables.in_channel(channel_of(interaction))

    async def _begun(self, interaction: Interaction) -> tuple[LiveTable, Match]:
        """Return the channel's table and its match. Raises `NoTable`, `NotStarted`."""
        live = await self._here(interaction)
        if live.match is None:
            raise errors.NotStarted
        if interaction.type is not discord.InteractionType.autocomplete:
            self._handlers.delivery.seats.remember(live.table.id, interaction)
        return live, live.match

    async def _reply(self, interaction: Interaction, work: Awaitable[str]) -> None:
        """Do `work` and reply with its result to the asker only."""
        text = await answers.in_time(interaction, work, ephemeral=True)
        await answers.whisper(interaction, text)


def _chosen_player(
    player: discord.User | None, live: LiveTable, interaction: Interaction
) -> discord.User:
    """Return the named player. Raises `Oneself` if the asker named no one or themselves.

    The error suggests another player, if there is one.
    """
    asker = interaction.user.id
    playing = live.match is not None and live.table.status is Status.PLAYING
    if player is not None and (player.id != asker or not playing):
        return player
    others = live_people(live.match) if live.match is not None and playing else ()
    turn = turn_of(live.match)
    # suggest the player that the others are waiting for
    if live.match is not None and turn is not None:
        acts = live.match.seats[turn[-1]].player
        others = tuple(sorted(others, key=lambda player_id: player_id != acts))
    raise errors.Oneself(next((player_id for player_id in others if player_id != asker), None))


def odds_group(variants: Iterable[Variant], handlers: OddsHandlers) -> app_commands.Group:
    """Return the command `/odds`: one subcommand each for games, showdowns and Three Card Poker."""
    group = anywhere(
        app_commands.Group(name="odds", description="Exact odds of bids and poker hands")
    )
    for variant in variants:
        group.add_command(_bids_command(variant, handlers))
    group.add_command(_three_card_command(handlers))
    group.add_command(_showdown_command(handlers))
    return group


# -- bids -----------------------------------------------------------------------------------------


def _bids_command(variant: Variant, handlers: OddsHandlers) -> app_commands.Command[Any, ..., None]:
    """Return `/odds <short>`; its parameters depend on the game's options."""
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
    """Return the game with its default options; cached, as it takes a while to make."""
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

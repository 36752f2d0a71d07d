"""/help: what one can do, as buttons, and what stands behind those that need a choice or a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.boards.board import Board, Button, Text
from bot.language.catalogues import N_, tr
from bot.language.wordings import bid_text
from bot.language.words import listed
from bot.pictures.palette import GREEN
from engine.ruleset import Variant
from engine.variants import VARIANTS

# topic -> label; a topic is called as its command, where it has one
TABLES: Final = {"play": N_("Play"), "table": N_("Table")}
ANYWHERE: Final = (  # two in a row fit a phone's width in any language
    {"practice": N_("Practice"), "rules": N_("Rules")},
    {"odds": N_("Odds"), "history": N_("History")},
    {"records": N_("Statistics"), "preferences": N_("Preferences")},
)
WHICH: Final[Mapping[str, str]] = {
    "play": N_("**Which game?** A table opens here, and everybody can join."),
    "practice": N_("**Which game?** You play against the computer, and only you see it."),
    "rules": N_("**Which game's rules?**"),
}


def help_board(*, in_server: bool) -> Board:
    """What one can do; where there are no tables, without what needs one."""
    games = listed(tr(variant.title) for variant in VARIANTS.values())
    text = tr(
        "**{games}**\nEverybody gets cards in private and bids on what *all* cards in play might"
        " make, until somebody doubts it. What would you like to do?",
        games=games,
    )
    rows: tuple[Mapping[str, str], ...] = ANYWHERE
    if in_server:
        rows = (TABLES, *ANYWHERE)
        foot = tr("-# `/leave` leaves a match, ends it, or says that somebody is away.")
        text = f"{text}\n{foot}"
    return Board(GREEN, (Text(text),), tuple(_row(topics) for topics in rows))


def which_game_board(topic: str) -> Board:
    """Asks for which game something of `WHICH` is meant."""
    games = [
        Button("help", tr(variant.title), "primary", choice=f"{topic}.{key}")
        for key, variant in VARIANTS.items()
    ]
    return Board(GREEN, (Text(tr(WHICH[topic])),), ((*games, _back()),))


def odds_board() -> Board:
    """How odds are asked for, by an example of each."""
    examples = [
        *(_of_bids(variant) for variant in VARIANTS.values()),
        tr("`/odds showdown hands:AhKd vs QQ`: who wins how often"),
        tr("`/odds three-card hand:Qs 6h 4d`: whether to play it"),
    ]
    text = "\n".join([tr("**Odds, exactly**"), *(f"- {one}" for one in examples)])
    return Board(GREEN, (Text(text),), ((_back(),),))


def _of_bids(variant: Variant) -> str:
    rules = variant.ruleset()
    bids = list(rules.ladder)
    return tr(
        "`/odds {game} in_play:12 bid:{bid}`: a bid among 12 cards; at a table `/odds {game}` will"
        " do",
        game=variant.short,
        bid=bid_text(rules, bids[len(bids) // 4]),
    )


def _row(topics: Mapping[str, str]) -> tuple[Button, ...]:
    return tuple(
        Button("help", tr(label), "primary" if topic == "play" else "secondary", choice=topic)
        for topic, label in topics.items()
    )


def _back() -> Button:
    return Button("help", tr("Back"))

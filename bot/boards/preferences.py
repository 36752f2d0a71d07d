"""The boards of /settings and /preferences: a server's usual rules, and a person's choices."""

from __future__ import annotations

from bot.boards.board import Board, Button, Text
from bot.boards.lobby import USUAL
from bot.language.catalogues import tr
from bot.pictures.palette import GREEN
from bot.tables.model import Player
from bot.tables.preferences import PREFERENCES, preference
from bot.tables.table_options import unusual, value_text
from engine.ruleset import Options
from engine.variants import variant


def settings_board(key: str, usual: Options) -> Board:
    """Return a board of a server's options for new tables that are not the default."""
    lines = [
        f"-# {tr(option.label)}: {value_text(option, usual[option.key])}"
        for option in unusual(key, usual)
    ]
    head = tr("**New tables of {title} in this server**", title=tr(variant(key).title))
    text = "\n".join([head, *(lines or [tr(USUAL)])])
    row = (
        Button("usual", tr("House rules…"), choice=key),
        Button("usualpace", tr("Time…"), choice=key),
        Button("usualmessages", tr("Messages…"), choice=key),
        Button("usuallanguage", tr("Language…"), choice=key),
    )
    return Board(GREEN, (Text(text),), (row,))


def own_board(player: Player) -> Board:
    """Return a board of a person's choices, with a button to the data stored about them."""
    lines = [
        f"-# {tr(option.label)}: {tr(option.label_of(preference(player, option)))}"
        for option in PREFERENCES
    ]
    row = (Button("me", tr("Change…"), "primary"), Button("privacy", tr("My data…")))
    return Board(GREEN, (Text("\n".join([tr("**Your settings**"), *lines])),), (row,))

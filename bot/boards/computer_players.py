"""Texts and buttons for computer players: their names, and the menu that seats them.

The lobby, the bidding and the end of a match with computer players show a note that it isn't rated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.boards.board import Button, Menu
from bot.language.catalogues import N_, tr
from bot.language.words import capital, mention
from bot.roster import CHARACTERS, computer, computers, is_computer, next_of
from bot.tables.live import chosen_ruleset
from bot.tables.model import Table
from bot.tables.table_options import TALK, chosen
from engine.players import CHARACTERS as PLAYERS

MARK: Final = N_("with computer players, not rated")
ADD, TAKE, LET, NEXT = "add", "take", "talk", "next"


def full_mention(player: int) -> str:
    """Return a player's mention, marking a computer player: `Agnes (computer)`."""
    return tr("{who} (computer)", who=mention(player)) if is_computer(player) else mention(player)


def seat_line(player: int) -> str:
    """Return a player's line in a lobby; a computer player's line names the character."""
    if not is_computer(player):
        return mention(player)
    character = tr(computer(player).character)
    return tr("{who} · {character} computer player", who=mention(player), character=character)


def short_mention(player: int) -> str:
    """Return a player's mention; a computer player's has the character: `Agnes (careful)`."""
    return (
        f"{mention(player)} ({tr(computer(player).character)})"
        if is_computer(player)
        else mention(player)
    )


def face_of(player: int) -> str:
    """Return the character whose portrait a computer player has; empty for a person."""
    return computer(player).character if is_computer(player) else ""


def mark(players: Iterable[int]) -> str:
    """Return the note that a match with computer players isn't rated; empty if no player is one."""
    return tr(MARK) if any(map(is_computer, players)) else ""


def may_add(table: Table) -> bool:
    """Return whether the table has a free seat."""
    return len(table.players) < chosen_ruleset(table).most_players


def computer_button() -> Button:
    """Return the button that seats the next computer player."""
    return Button("computer", tr("Computer player"), choice=NEXT)


def computer_menu(table: Table, *, seats_computers: bool) -> Menu | None:
    """Return the menu that seats or removes computer players, and turns their remarks on or off.

    None if the menu would have no choices.
    """
    seated = computers(table.players)
    offers = seats_computers and may_add(table)
    options: list[tuple[str, str, str | None]] = [
        (f"{ADD}.{character}", capital(tr(character)), capital(tr(PLAYERS[character].about)))
        for character in CHARACTERS
        if offers and next_of(character, table.players) is not None
    ]
    options += [
        (f"{TAKE}.{player.id}", tr("Remove {name}", name=player.name), None) for player in seated
    ]
    if seated:
        for choice in TALK.choices:
            if choice.value != chosen(table, TALK):
                text = f"{tr(TALK.label)} {tr(choice.label)}"
                options.append((f"{LET}.{choice.value}", text, None))
    if not options:
        return None
    return Menu("computer", tr("Computer players"), tuple(options), str(table.version))

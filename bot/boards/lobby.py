"""The lobby's board: who sits, what was chosen, and the buttons that change it."""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Rule, Text
from bot.pictures.palette import GREEN, GREY
from bot.tables.house import chosen, options_of
from bot.tables.live import chosen_ruleset
from bot.tables.records import Status, Table
from bot.words import count, listed, mention
from engine.ruleset import FEWEST_PLAYERS
from engine.variants import variant


def lobby_board(table: Table, closed_dms: frozenset[int] = frozenset()) -> Board:
    """The message of a table in its lobby. `closed_dms`: whose cards cannot be sent to them."""
    rules = chosen_ruleset(table)
    blocks = (
        Text(f"## {rules.title}\n{variant(table.variant).summary}"),
        Rule(),
        Text(f"**At the table** · {len(table.players)} of {rules.most_players}\n{_seats(table)}"),
        Text(f"**House rules**\n{house_rules(table)}"),
        Text(_footer(table, closed_dms)),
    )
    buttons = (
        Button("join", "Join", "success", disabled=len(table.players) >= rules.most_players),
        Button("leave", "Leave"),
        Button("start", "Start", "primary", disabled=len(table.players) < FEWEST_PLAYERS),
        Button("rules", "House rules…"),
        Button("cancel", "Cancel", "danger"),
    )
    return Board(GREEN, blocks, (buttons,), Address(table.id))


def departed_board(table: Table) -> Board:
    """What is left of a lobby's message: the match began, or nothing came of it."""
    title = chosen_ruleset(table).title
    if table.status is Status.CLOSED:
        return Board(GREY, (Text(f"### {title}\nThis table is closed. `/play` opens another."),))
    people = listed(mention(player) for player in table.players)
    blocks = (Text(f"### {title}\nThe cards are dealt: {people} play."), Text(house_rules(table)))
    return Board(GREEN, blocks)


def unposted_board(table: Table) -> Board:
    """Stands where the table was last shown when it may not be posted anew."""
    text = (
        f"### {chosen_ruleset(table).title}\nThe table goes on, but I may not post it here. Please"
        " give me the permissions **View Channel**, **Send Messages** and **Attach Files** again;"
        " `/table` shows it until then."
    )
    return Board(GREY, (Text(text),))


def house_rules(table: Table) -> str:
    """What was chosen, a line an option."""
    return "\n".join(
        f"-# {option.label}: {option.label_of(chosen(table, option))}"
        for option in options_of(table.variant)
    )


def _seats(table: Table) -> str:
    return "\n".join(
        f"{number}. {mention(player)}{' · host' if player == table.host_id else ''}"
        for number, player in enumerate(table.players, start=1)
    )


def _footer(table: Table, closed_dms: frozenset[int]) -> str:
    lines = []
    if len(table.players) < FEWEST_PLAYERS:
        missing = FEWEST_PLAYERS - len(table.players)
        lines.append(f"-# Waiting for {count(missing, 'more player')}.")
    closed = [player for player in table.players if player in closed_dms]
    if closed:
        people = listed(mention(player) for player in closed)
        lines.append(f"-# {people}: direct messages are closed, so use **My cards** at the table.")
    lines.append(f"-# {mention(table.host_id)} starts the match. Cards come by direct message.")
    return "\n".join(lines)

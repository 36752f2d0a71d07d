"""What is behind *Options…* in a lobby, for one person alone: what they may choose there."""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Menu, Text
from bot.boards.company import company_menu
from bot.boards.cutting import cut_button, cut_why, lobby_cuts_line
from bot.boards.lobby import house_rules, start_button
from bot.language.catalogues import tr
from bot.language.words import mention
from bot.pictures.palette import GREEN, GREY
from bot.tables.model import Status, Table


def options_board(
    table: Table, player: int, *, manages: bool, seats_computers: bool = False
) -> Board:
    """What `player` may choose; who `manages` the table chooses the rules and closes it.

    `seats_computers`: whether the house seats computer players.
    """
    if table.status is not Status.LOBBY:
        closed = tr("This table is closed. `/play` opens another.")
        begun = tr("The match has begun.")
        text = closed if table.status is Status.CLOSED else begun
        return Board(GREY, (Text(text),))
    lines = [f"**{tr('Options')}**", house_rules(table)]
    if not manages:
        lines.append(tr("-# {host} chooses the rules and the time.", host=mention(table.host_id)))
    cuts = player in table.players and table.chain_root is not None
    if cuts:
        lines += filter(None, (f"-# {cut_why()}", lobby_cuts_line(table)))
    rows: list[tuple[Button, ...] | Menu] = []
    if manages:
        menu = company_menu(table, seats_computers=seats_computers)
        rows += ((Button("rules", tr("House rules…")), Button("pace", tr("Time and messages…"))),)
        rows += (menu,) if menu is not None else ()
    more = [cut_button()] if cuts else []
    more.append(Button("tell", tr("Tell me when a table opens")))
    rows.append(tuple(more))
    if manages:
        start = (start_button(table),) if table.awaited else ()
        rows.append((*start, Button("cancel", tr("Cancel"), "danger")))
    return Board(GREEN, (Text("\n".join(lines)),), tuple(rows), Address(table.id))

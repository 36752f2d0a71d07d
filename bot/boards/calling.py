"""Word of a new table: what listeners of a channel are told, and what who asks is answered."""

from __future__ import annotations

from collections.abc import Sequence

from bot.boards.board import Address, Board, Button, Text
from bot.language.catalogues import tr
from bot.language.words import listed, mention
from bot.pictures.palette import GREEN, GREY
from bot.tables.live import chosen_ruleset
from bot.tables.model import Table


def calling_board(table: Table, listeners: Sequence[int], link: str | None) -> Board:
    """Tells people by mention that a table has opened; one tap and they are not told again."""
    people = listed(mention(player) for player in listeners)
    title = tr(chosen_ruleset(table).title)
    name = f"[{title}]({link})" if link else title
    host = mention(table.host_id)
    text = tr(
        "{people}: {host} has opened a table of **{name}**.", people=people, host=host, name=name
    )
    return Board(GREEN, (Text(text),), ((_stop(),),), Address(table.id))


def _stop() -> Button:
    return Button("hush", tr("Don't tell me"))


def listening_board(address: Address, *, listens: bool) -> Board:
    """What who has asked to be told, or not to be, is answered."""
    if listens:
        text = tr(
            "You are told here when a table opens in this channel, at most once an hour."
            " **Don't tell me** ends it."
        )
        return Board(GREEN, (Text(text),), ((_stop(),),), address)
    text = tr("You are not told any more when a table opens in this channel.")
    again = Button("tell", tr("Tell me when a table opens"))
    return Board(GREY, (Text(text),), ((again,),), address)

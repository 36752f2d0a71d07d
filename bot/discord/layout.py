"""Boards as Discord messages: components and drawn pictures.

Every interactive item is a `Control`, a dynamic item that is found by its custom id alone, so a
button works after a restart and nothing is kept in memory for a message.
"""

from __future__ import annotations

import asyncio
import io
import re
from typing import Any, Final, Self, TypeVar

import discord
from discord import ui

from bot.boards.board import (
    Address,
    Board,
    Button,
    ChartPicture,
    HandPicture,
    Menu,
    Picture,
    Rule,
    ShowdownPicture,
    StripPicture,
    Text,
)
from bot.discord import ids
from bot.pictures.cards import hand_png, showdown_png
from bot.pictures.strip import strip_png

ClientT = TypeVar("ClientT", bound=discord.Client)
PICTURES: Final = ("cards.png", "match.png")  # file names, from the top of a message down
_STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


class Control(ui.DynamicItem[ui.Item[Any]], template=ids.ANY):
    """Any button or select of ours.

    Being dynamic keeps its view out of the library's memory. The client hears every press itself
    (`ids.read`): the library would drop one whose control has left the message meanwhile.
    """

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[ClientT], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a custom id that fits the template."""
        return cls(item)


def board_view(board: Board) -> ui.LayoutView:
    """A fresh view for one rendering; it never times out and is never stopped."""
    view = ui.LayoutView(timeout=None)
    panel: ui.Container[Any] = ui.Container(accent_colour=board.accent)
    files = iter(PICTURES)
    for block in board.blocks:
        match block:
            case Text():
                panel.add_item(ui.TextDisplay(block.markdown))
            case Rule():
                panel.add_item(ui.Separator())
            case HandPicture() | ShowdownPicture() | ChartPicture() | StripPicture():
                gallery: ui.MediaGallery[Any] = ui.MediaGallery()
                gallery.add_item(media=f"attachment://{next(files)}", description=block.alt[:1024])
                panel.add_item(gallery)
    for row in board.rows:
        panel.add_item(_row(row, board.address))
    if board.footer:
        panel.add_item(ui.TextDisplay(board.footer))
    view.add_item(panel)
    return view


def _row(row: tuple[Button, ...] | Menu, address: Address) -> ui.ActionRow[Any]:
    items: list[ui.Item[Any]]
    if isinstance(row, Menu):
        items = [_menu(row, address)]
    else:
        items = [
            ui.Button(
                label=button.label,
                style=_STYLES[button.style],
                disabled=button.disabled,
                custom_id=ids.of_table(button.verb, address, button.choice),
            )
            for button in row
        ]
    shelf: ui.ActionRow[Any] = ui.ActionRow()
    for item in items:
        shelf.add_item(Control(item))
    return shelf


def _menu(menu: Menu, address: Address) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=label[:100], value=value, description=description)
        for value, label, description in menu.options
    ]
    return ui.Select(
        custom_id=ids.of_table(menu.verb, address, menu.choice),
        placeholder=menu.placeholder[:150],
        options=options,
    )


async def board_files(board: Board) -> list[discord.File]:
    """The board's pictures, drawn off the event loop."""
    drawn = [await asyncio.to_thread(_draw, picture) for picture in board.pictures]
    named = zip(drawn, PICTURES, strict=False)
    return [discord.File(io.BytesIO(png), filename=name) for png, name in named]


def _draw(picture: Picture) -> bytes:
    match picture:
        case HandPicture():
            return hand_png(picture.cards, four_colours=picture.four_colours)
        case ChartPicture():
            from bot.pictures.bar_chart import chart_png

            return chart_png(picture.chart)
        case StripPicture():
            return strip_png(picture.rows)
        case ShowdownPicture():
            return showdown_png(
                picture.rows,
                picture.used,
                middle=picture.middle,
                stands_for=dict(picture.stands_for),
                four_colours=picture.four_colours,
            )

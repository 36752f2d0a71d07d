"""Boards as Discord messages: components, custom ids and drawn pictures.

Every interactive item is a `TableItem`, a dynamic item that is found by its custom id alone, so a
button works after a restart and nothing is kept in memory for a message.
"""

from __future__ import annotations

import asyncio
import io
import re
from dataclasses import dataclass
from typing import Any, Final, Self

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
    Text,
)
from bot.pictures.cards import hand_png, showdown_png

PICTURE: Final = "cards.png"
_STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
_ADDRESS: Final = r"(?P<verb>[a-z]{1,16}):(?P<table>\d{1,15}):(?P<match>\d{1,15}):(?P<seq>\d{1,9})"
_FORM_ID: Final = re.compile(rf"bhf:{_ADDRESS}")
_ITEM_ID: Final = re.compile(rf"bh:{_ADDRESS}")


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button, a chosen option or a submitted form, as its custom id tells it."""

    verb: str
    address: Address
    values: tuple[str, ...] = ()


def custom_id(verb: str, address: Address, prefix: str = "bh") -> str:
    """The custom id of a control, at most 100 characters."""
    return f"{prefix}:{verb}:{address.table}:{address.match}:{address.seq}"


def _parsed(match: re.Match[str], values: tuple[str, ...] = ()) -> Press:
    address = Address(int(match["table"]), int(match["match"]), int(match["seq"]))
    return Press(match["verb"], address, values)


class TableItem(ui.DynamicItem[ui.Item[Any]], template=_ITEM_ID):
    """Any button or select of a table.

    Being dynamic keeps its view out of the library's memory. The client hears every press itself
    (`pressed`): the library would drop one whose control has left the message meanwhile.
    """

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a custom id that fits the template."""
        return cls(item)


def pressed(submitted: dict[str, Any]) -> Press | None:
    """What a press of a control asks for, None if the control is not one of ours."""
    match = _ITEM_ID.fullmatch(str(submitted.get("custom_id", "")))
    if match is None:
        return None
    return _parsed(match, tuple(str(value) for value in submitted.get("values", ())))


def sent(submitted: dict[str, Any]) -> Press | None:
    """The same for a submitted form."""
    match = _FORM_ID.fullmatch(str(submitted.get("custom_id", "")))
    return _parsed(match) if match is not None else None


def board_view(board: Board) -> ui.LayoutView:
    """A fresh view for one rendering; it never times out and is never stopped."""
    view = ui.LayoutView(timeout=None)
    panel: ui.Container[Any] = ui.Container(accent_colour=board.accent)
    for block in board.blocks:
        match block:
            case Text():
                panel.add_item(ui.TextDisplay(block.markdown))
            case Rule():
                panel.add_item(ui.Separator())
            case HandPicture() | ShowdownPicture() | ChartPicture():
                gallery: ui.MediaGallery[Any] = ui.MediaGallery()
                gallery.add_item(media=f"attachment://{PICTURE}", description=block.alt[:1024])
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
                custom_id=custom_id(button.verb, address),
            )
            for button in row
        ]
    shelf: ui.ActionRow[Any] = ui.ActionRow()
    for item in items:
        shelf.add_item(TableItem(item))
    return shelf


def _menu(menu: Menu, address: Address) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=label[:100], value=value, description=description)
        for value, label, description in menu.options
    ]
    return ui.Select(
        custom_id=custom_id(menu.verb, address),
        placeholder=menu.placeholder[:150],
        options=options,
    )


async def board_files(board: Board) -> list[discord.File]:
    """The board's picture, drawn off the event loop."""
    picture = board.picture
    if picture is None:
        return []
    png = await asyncio.to_thread(_draw, picture)
    return [discord.File(io.BytesIO(png), filename=PICTURE)]


def _draw(picture: Picture) -> bytes:
    match picture:
        case HandPicture():
            return hand_png(picture.cards)
        case ChartPicture():
            from bot.pictures.bar_chart import chart_png

            return chart_png(picture.chart)
        case ShowdownPicture():
            return showdown_png(picture.rows, picture.used, middle=picture.middle)

"""Boards as Discord messages: components, custom ids and drawn pictures.

Every interactive item is a `TableItem`, a dynamic item that is found by its custom id alone, so a
button works after a restart and nothing is kept in memory for a message.
"""

from __future__ import annotations

import asyncio
import io
import re
from dataclasses import dataclass
from typing import Any, Final, Self, cast

import discord
from discord import ui

from bot.render.board import (
    Address,
    Board,
    Button,
    HandPicture,
    Menu,
    Picture,
    Rule,
    ShowdownPicture,
    Text,
)
from bot.render.cards import hand_png, showdown_png

PICTURE: Final = "cards.png"
_STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}
_ADDRESS: Final = r"(?P<verb>[a-z]{1,16}):(?P<table>\d{1,15}):(?P<match>\d{1,15}):(?P<seq>\d{1,9})"
FORM_ID: Final = re.compile(rf"bhf:{_ADDRESS}")
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


def is_ours(custom_id: str) -> bool:
    """Whether a control with this id goes to `TableItem`."""
    return _ITEM_ID.fullmatch(custom_id) is not None


def parsed(match: re.Match[str], values: tuple[str, ...] = ()) -> Press:
    """What a matched custom id says."""
    address = Address(int(match["table"]), int(match["match"]), int(match["seq"]))
    return Press(match["verb"], address, values)


class TableItem(ui.DynamicItem[ui.Item[Any]], template=_ITEM_ID):
    """Any button or select of a table; the client's desk knows what each verb means."""

    def __init__(self, item: ui.Item[Any], press: Press | None = None) -> None:
        super().__init__(item)
        self._press = press

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a custom id that fits the template."""
        submitted = cast("dict[str, Any]", interaction.data or {})
        values = tuple(str(value) for value in submitted.get("values", ()))
        return cls(item, parsed(match, values))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to the desk."""
        if self._press is not None:
            await interaction.client.desk.press(interaction, self._press)


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
            case HandPicture() | ShowdownPicture():
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
        case ShowdownPicture():
            return showdown_png(picture.rows, picture.used, middle=picture.middle)

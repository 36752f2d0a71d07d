"""Boards as components, compared with what discord.py's own classes make of the same board."""

from __future__ import annotations

import asyncio
from typing import Any, get_args

import discord
import pytest
from discord import ui

from bot.boards.board import (
    Address,
    Board,
    Button,
    Deck,
    Hand,
    Menu,
    Rule,
    ShowdownPicture,
    Style,
    Text,
)
from bot.discord import ids
from bot.discord.layout import _in_words, board_view, file_name, shelf_of
from bot.language.catalogues import speaking
from engine.cards import Cards
from tests.bot.conftest import Seat

BOARD = Board(
    0x2E7D32,
    (
        Text("## Liars' Poker · Round 2", Button("seal", "Fair deal ✓", choice="2")),
        Rule(),
        Hand(Cards.parse("Ah Kd")),
        ShowdownPicture((), Cards(), Cards(), "A♥ K♦" + "x" * 2000),
        Text("<@7>, call higher or challenge."),
    ),
    (
        Menu(
            "pick",
            "Call one of these hands" + "!" * 200,
            (("99", "Pair of nines" + "s" * 100, None), ("TT", "Pair of tens", "1 in 3")),
        ),
        tuple(Button("pad", style.title(), style, choice=style) for style in get_args(Style)),
        (Button("challenge", "Challenge", "danger", disabled=True),),
    ),
    Address(3, 4, 5),
    footer="-# sealed deal `0123456789abcdef`",
)


def as_the_library_has_a_button(button: Button, address: Address) -> ui.Button[Any]:
    return ui.Button(
        label=button.label,
        style=discord.ButtonStyle[button.style],
        disabled=button.disabled,
        custom_id=ids.of_table(button.verb, address, button.choice),
    )


def as_the_library_has_it(board: Board) -> list[dict[str, Any]]:
    """The board as discord.py's classes say it."""
    panel: ui.Container[Any] = ui.Container(accent_colour=board.accent)
    for block in board.blocks:
        match block:
            case Text(beside=Button() as button):
                control = as_the_library_has_a_button(button, board.address)
                panel.add_item(ui.Section(ui.TextDisplay(block.markdown), accessory=control))
            case Text():
                panel.add_item(ui.TextDisplay(block.markdown))
            case Hand():
                panel.add_item(ui.TextDisplay("# A♥ K♦"))
            case Rule():
                panel.add_item(ui.Separator())
            case _:
                gallery: ui.MediaGallery[Any] = ui.MediaGallery()
                gallery.add_item(
                    media=f"attachment://{file_name(block)}", description=block.alt[:1024]
                )
                panel.add_item(gallery)
    for row in board.rows:
        shelf: ui.ActionRow[Any] = ui.ActionRow()
        if isinstance(row, Menu):
            shelf.add_item(
                ui.Select(
                    custom_id=ids.of_table(row.verb, board.address),
                    placeholder=row.placeholder[:150],
                    options=[
                        discord.SelectOption(label=label[:100], value=value, description=more)
                        for value, label, more in row.options
                    ],
                )
            )
        else:
            for button in row:
                shelf.add_item(as_the_library_has_a_button(button, board.address))
        panel.add_item(shelf)
    panel.add_item(ui.TextDisplay(board.footer))
    view = ui.LayoutView(timeout=None)
    view.add_item(panel)
    return [without(one, "required") for one in view.to_components()]  # of lists in forms only


def texts(board: Board) -> list[str]:
    """The texts of the message that a board becomes."""
    (panel,) = board_view(board).to_components()
    return [one["content"] for one in panel["components"] if "content" in one]


def without(part: dict[str, Any], name: str) -> dict[str, Any]:
    """A component and those in it without one of their values."""
    kept = {key: value for key, value in part.items() if key != name and value is not None}
    if "components" in kept:
        kept["components"] = [without(one, name) for one in kept["components"]]
    return kept


async def test_a_board_is_what_the_library_would_send() -> None:
    sent = [without(one, "required") for one in board_view(BOARD).to_components()]
    assert sent == as_the_library_has_it(BOARD)


async def test_a_shelf_is_a_row_below_the_board() -> None:
    panel, shelf = board_view(BOARD, shelf_of(("Cancel", "bh:stop:1:2"))).to_components()
    assert [panel] == board_view(BOARD).to_components()
    assert [one["custom_id"] for one in shelf["components"]] == ["bh:stop:1:2"]


async def test_the_library_keeps_nothing_of_what_was_shown(table: Seat) -> None:
    at = await table(2)
    await at.start("Thai Poker")
    person = at.turn()
    await at.call(person)
    await person.click(at.shown(), "My seat")
    await at.settle()
    await asyncio.sleep(0)
    kept = at.bot.client._connection._view_store
    assert not kept._views
    assert not kept._dynamic_items
    assert not kept._synced_message_views
    waiting = [str(task.get_coro()) for task in asyncio.all_tasks()]
    assert not [one for one in waiting if "timeout" in one]  # a task a message for 15 minutes


def test_names_in_the_words_of_a_late_picture_call_nobody_and_link_nowhere() -> None:
    alt = "<@&1> @everyone [a](https://example.org): A♠"
    board = Board(0, (ShowdownPicture((), Cards(), Cards(), alt),))
    (said,) = _in_words(board, tuple(board.pictures)).blocks
    assert isinstance(said, Text)
    assert said.markdown == (
        "<\u200b@\u200b&1\\> @\u200beveryone \\[a](https:\u200b//example.org): A♠"
    )


@pytest.mark.parametrize(
    ("deck", "language", "line"),
    [
        ("four", "en", "# ★ A♠ 10♥"),
        ("two", "pl", "# ★ A♠ 10♥"),
        ("words", "en", "### Joker, ace of spades, ten of hearts"),
        ("words", "pl", "### Joker, as pik, dziesiątka kier"),
    ],
)
def test_a_hand_is_a_heading_and_in_words_it_is_read_aloud(
    deck: Deck, language: str, line: str
) -> None:
    with speaking(language):
        assert texts(Board(0, (Hand(Cards.parse("10h As *")),), deck=deck)) == [line]

"""Turn boards into Discord messages: components and drawn pictures.

A control's custom id says all that its handler needs, so a button works after a restart and nothing
is kept in memory for a message.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final

import discord
from discord import ui

from bot.boards.board import (
    Address,
    Block,
    Board,
    Button,
    Deck,
    Hand,
    Menu,
    Picture,
    Rule,
    Style,
    Text,
)
from bot.discord import ids, picture_job
from bot.discord.emoji import emoji_of, rank_emoji
from bot.language.card_marks import cards_in, has_cards, mark_cards, write_cards
from bot.language.catalogues import speaking
from bot.language.words import capital, card_names, escape_markdown
from engine.cards import Card, Rank

# Discord's numbers of component types and of button styles
_ACTION_ROW: Final = 1
_BUTTON: Final = 2
_SELECT: Final = 3
_SECTION: Final = 9
_TEXT: Final = 10
_GALLERY: Final = 12
_SEPARATOR: Final = 14
_CONTAINER: Final = 17
_STYLES: Final[dict[Style, int]] = {"primary": 1, "secondary": 2, "success": 3, "danger": 4}

# after about a hundred marks in a text (such as bold words and mentions), the client shows no more
MOST_EMOJI: Final = 50
MOST_TEXT: Final = 3800  # characters; Discord allows 4,000 in a message, and small print needs some
_LINKED: Final = re.compile(r"\[[^\]\n]*\]\(")

Component = dict[str, Any]
RankEmoji = Mapping[Rank | None, Component]  # what controls show of a rank next to their label


class Drawn(ui.LayoutView):
    """Components as Discord takes them, to pass to discord.py as `view`.

    The library's own classes would be slower and stay in memory. They aren't needed, since the
    client answers every press by its custom id (`ids.read`).
    """

    def __init__(self, components: list[Component], *, below_text: bool = False) -> None:
        super().__init__(timeout=None)
        self._drawn = components
        self._below_text = below_text

    def to_components(self) -> list[Component]:
        """Return the components to send; called by discord.py."""
        return self._drawn

    def has_components_v2(self) -> bool:
        """Return whether the message's text is a component too; False for buttons below plain text.

        Called by discord.py.
        """
        return not self._below_text

    def is_finished(self) -> bool:
        """Return True: otherwise, discord.py would keep the view in memory."""
        return True


@dataclass(frozen=True, slots=True)
class Rendered:
    """A board ready to send. `late`: slow pictures, which are added later.

    `files` are all files that the message should have. A file that the message already has is sent
    again: keeping it would need its current id, which another edit in flight may change.
    """

    view: Drawn
    files: list[discord.File]
    late: tuple[Picture, ...] = ()


async def render(
    board: Board, shelf: Component | None = None, *, pictures: bool = True
) -> Rendered:
    """Render a board with its pictures; describe slow pictures in words.

    `shelf`: a row of controls to add below. Without `pictures`, describe all in words.
    """
    if not board.pictures:
        return Rendered(board_view(board, shelf), [])
    if not pictures:
        return Rendered(board_view(_in_words(board, board.pictures), shelf), [])
    drawn = await picture_job.in_time(board.pictures)
    late = tuple(picture for picture in board.pictures if picture not in drawn)
    sendable = _in_words(board, late) if late else board
    files = [
        discord.File(io.BytesIO(png), filename=file_name(picture)) for picture, png in drawn.items()
    ]
    return Rendered(board_view(sendable, shelf), files, late)


def file_name(picture: Picture) -> str:
    """Return the name of a picture's file, different for each picture."""
    digest = blake2b(repr(picture).encode(), digest_size=8).hexdigest()
    return f"{type(picture).__name__.lower().removesuffix('picture')}-{digest}.png"


def controls_of(message: discord.Message) -> Iterator[ids.OfTable]:
    """Yield the parsed ids of the table controls on a message."""
    for part in _walk(message.components):
        custom_id = ids.read(getattr(part, "custom_id", None))
        if isinstance(custom_id, ids.OfTable):
            yield custom_id


def _walk(parts: Any) -> Iterator[Any]:
    """Yield all components, nested ones too."""
    for part in parts:
        yield part
        yield from _walk(getattr(part, "children", None) or [])


def _in_words(board: Board, late: tuple[Picture, ...]) -> Board:
    """Return the board with words for its `late` pictures, unless it already has those words."""
    texts = {block.markdown for block in board.blocks if isinstance(block, Text)}
    blocks: list[Block] = []
    for block in board.blocks:
        if block not in late:
            blocks.append(block)
        elif isinstance(block, Picture) and block.alt not in texts:
            blocks.append(Text(escape_markdown(block.alt[:1024])))  # it may contain names of people
    return replace(board, blocks=tuple(blocks))


def board_view(board: Board, shelf: Component | None = None) -> Drawn:
    """Return a board as components; `shelf`: a row of controls to add below it."""
    with speaking(board.language) if board.language is not None else nullcontext():
        texts = _texts_of(board)
    emoji = rank_emoji(board.deck)
    parts: list[Component] = []
    for block, text in zip(board.blocks, texts, strict=True):
        match block:
            case Text():
                parts.append(_paragraph(text, block.beside, board.address, emoji))
            case Hand():
                parts.append({"type": _TEXT, "content": text})
            case Rule():
                parts.append({"type": _SEPARATOR, "divider": True, "spacing": 1})
            case _:
                media = {"url": f"attachment://{file_name(block)}"}
                item = {"media": media, "description": block.alt[:1024], "spoiler": False}
                parts.append({"type": _GALLERY, "items": [item]})
    parts += [_row(row, board.address, emoji) for row in board.rows]
    if board.footer:
        parts.append({"type": _TEXT, "content": board.footer})
    panel: Component = {
        "type": _CONTAINER,
        "accent_color": board.accent,
        "spoiler": False,
        "components": parts,
    }
    return Drawn([panel] if shelf is None else [panel, shelf])


def _texts_of(board: Board) -> list[str]:
    """Return the text of each block; empty for a line or picture.

    Cards are written as the board's deck shows them, but as symbols if emoji would make the
    texts too long.
    """
    texts = [_with_cards(block, board.deck) for block in board.blocks]
    if sum(map(len, texts)) <= MOST_TEXT:
        return texts
    return [_with_cards(block, board.deck, most=0) for block in board.blocks]


def _with_cards(block: Block, deck: Deck, most: int = MOST_EMOJI) -> str:
    """Return a block's text with its cards as `deck` shows them; empty for a line or picture.

    Show the cards as symbols if emoji are needed and the text has more than `most` cards.
    """
    if isinstance(block, Hand):
        if deck == "words":
            return f"### {capital(card_names(block.cards))}"
        text = f"# {mark_cards(block.cards)}"
    elif not isinstance(block, Text):
        return ""
    elif not has_cards(block.markdown):
        return block.markdown
    elif deck == "words":
        return write_cards(block.markdown, card_names)
    else:
        text = block.markdown
    # an emoji in the text of a link breaks the link
    text = _LINKED.sub(lambda link: write_cards(link[0], _symbols), text)
    if len(cards_in(text)) > most:
        return write_cards(text, _symbols)
    return write_cards(text, partial(_emoji, deck))


def _emoji(deck: Deck, cards: Sequence[Card]) -> str:
    return " ".join(str(emoji_of(card, deck) or card.symbol) for card in cards)


def _symbols(cards: Sequence[Card]) -> str:
    return " ".join(card.symbol for card in cards)


def shelf_of(*buttons: tuple[str, str]) -> Component:
    """Return a row of buttons that don't belong to a table, each given as (label, custom id)."""
    drawn = [_button(label, "secondary", custom_id) for label, custom_id in buttons]
    return {"type": _ACTION_ROW, "components": drawn}


def row_view(address: Address, *buttons: Button) -> Drawn:
    """Return a row of a table's buttons, to send below plain text."""
    emoji = rank_emoji("four")
    drawn = [_table_button(button, address, emoji) for button in buttons]
    return Drawn([{"type": _ACTION_ROW, "components": drawn}], below_text=True)


def _paragraph(text: str, beside: Button | None, address: Address, emoji: RankEmoji) -> Component:
    written: Component = {"type": _TEXT, "content": text}
    if beside is None:
        return written
    control = _table_button(beside, address, emoji)
    return {"type": _SECTION, "components": [written], "accessory": control}


def _row(row: tuple[Button, ...] | Menu, address: Address, emoji: RankEmoji) -> Component:
    if isinstance(row, Menu):
        return {"type": _ACTION_ROW, "components": [_menu(row, address, emoji)]}
    buttons = [_table_button(button, address, emoji) for button in row]
    return {"type": _ACTION_ROW, "components": buttons}


def _table_button(button: Button, address: Address, emoji: RankEmoji) -> Component:
    custom_id = ids.of_table(button.verb, address, button.choice)
    if button.rank not in emoji:
        return _button(button.label, button.style, custom_id, disabled=button.disabled)
    label = button.label if button.beside_card is None else button.beside_card
    drawn = _button(label, button.style, custom_id, disabled=button.disabled)
    return drawn | {"emoji": emoji[button.rank]}


def _button(label: str, style: Style, custom_id: str, *, disabled: bool = False) -> Component:
    text = {"label": label} if label else {}  # a card may be the whole label
    return text | {
        "type": _BUTTON,
        "style": _STYLES[style],
        "disabled": disabled,
        "custom_id": custom_id,
    }


def _menu(menu: Menu, address: Address, emoji: RankEmoji) -> Component:
    options: list[Component] = [
        {"label": label[:100], "value": value, "default": False}
        | ({"description": description} if description else {})
        for value, label, description in menu.options
    ]
    for option, rank in zip(options, menu.ranks, strict=False):
        if rank in emoji:
            option["emoji"] = emoji[rank]
    return {
        "type": _SELECT,
        "custom_id": ids.of_table(menu.verb, address, menu.choice),
        "placeholder": menu.placeholder[:150],
        "min_values": 1,
        "max_values": 1,
        "disabled": False,
        "options": options,
    }

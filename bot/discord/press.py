"""Read a press: what was pressed, who may press it, and the language of the answer.

A press is the use of a button, list or form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from bot.boards.board import Address
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.forms import Submitted, changed_values, submitted_values
from bot.language.catalogues import by_locale, spoken
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.requests import Ask, At, Place


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button, a chosen option or a submitted form: its parsed custom id and values."""

    verb: str
    address: Address
    choice: str = ""
    values: tuple[str, ...] = ()
    opened: frozenset[str] = frozenset()  # marks of the values that a form was opened with


def is_moderator(interaction: Interaction) -> bool:
    """Return whether the person may manage the channel's messages, and therefore its tables."""
    permissions = interaction.permissions
    return permissions.manage_messages or permissions.administrator


def check_moderator(interaction: Interaction) -> None:
    """Raise `NotModerator` unless the person is a moderator."""
    if not is_moderator(interaction):
        raise errors.NotModerator


def ask_of_press(interaction: Interaction, press: Press) -> Ask:
    """Return a press's request about its table, made for the state that the message shows.

    Raises `MovedOn` for a forged press.
    """
    at = At(press.address.match, press.address.seq) if press.address.match else None
    return Ask(
        player=interaction.user.id,
        interaction_id=interaction.id,
        at=at,
        place=place_of(interaction),
        moderator=is_moderator(interaction),
    )


def ask_of(interaction: Interaction) -> Ask:
    """Return an interaction's request about its table, not tied to a move of the match."""
    return Ask(interaction.user.id, interaction.id, moderator=is_moderator(interaction))


def pressed_table(interaction: Interaction) -> int:
    """Return the id of the table that a control or form belongs to; 0 if it belongs to none."""
    submitted = cast("dict[str, Any]", interaction.data or {})
    control = ids.read(submitted.get("custom_id"))
    return control.address.table if isinstance(control, ids.OfTable) else 0


def shows_news(interaction: Interaction, live: LiveTable) -> bool:
    """Return whether the pressed message shows the table's latest news.

    That is the latest deal or showdown or, while there is no match, the lobby.
    """
    submitted = cast("dict[str, Any]", interaction.data or {})
    match ids.read(submitted.get("custom_id")):
        case ids.OfTable(_, address) if address.match and address.match == live.table.match_id:
            return address.seq >= live.news_seq
        case ids.OfTable(_, address) if not address.match:  # a button of a lobby
            return live.match is None
    return False


def channel_of(interaction: Interaction) -> int:
    """Return the id of an interaction's channel. Raises `NoChannel` if Discord named none."""
    if interaction.channel_id is None:
        raise errors.NoChannel
    return interaction.channel_id


def guild_of(interaction: Interaction) -> int:
    """Return the id of an interaction's server. Raises `NoServer` outside servers."""
    if interaction.guild_id is None:
        raise errors.NoServer
    return interaction.guild_id


def place_of(interaction: Interaction) -> Place:
    """Return where a control was used. Raises `MovedOn` for a forged press without a message."""
    if interaction.message is None or interaction.channel_id is None:
        raise errors.MovedOn
    if answers.is_direct_message(interaction):
        return Place(interaction.channel_id, None, interaction.user.id)
    private = answers.is_private(interaction)
    return Place(interaction.channel_id, None if private else interaction.message.id)


async def table_of(
    tables: Tables, interaction: Interaction, press: Press, *, ephemeral: bool = False
) -> LiveTable:
    """Return a press's table in its current state; defer the answer if that takes long.

    `ephemeral`: the answer will be private. Raises `RefusedError`, such as `MovedOn` for a press
    that is forged or in an outdated message.
    """
    look = tables.see(press.address.table, place_of(interaction))
    return await answers.in_time(interaction, look, ephemeral=ephemeral, changes=False)


ID_DIGITS: Final = 20  # digits of a person's id; other numbers in custom ids are shorter


def number_in(text: str, digits: int = 15) -> int | None:
    """Parse part of a custom id as a number; None if it isn't one of at most `digits` digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def is_own(interaction: Interaction) -> bool:
    """Return whether the pressed message is private: ephemeral, or a direct message."""
    return answers.is_private(interaction) or answers.is_direct_message(interaction)


def fields_of(interaction: Interaction) -> Submitted:
    """Return the values of a submitted form, by custom id."""
    submitted = cast("dict[str, Any]", interaction.data)
    return submitted_values(submitted["components"])


def changed_fields(interaction: Interaction, press: Press) -> Submitted:
    """Return the values of a submitted form that differ from those it was opened with."""
    return changed_values(fields_of(interaction), press.opened)


def guild_language(interaction: Interaction) -> str:
    """Return the key of the language that the server has chosen in Discord."""
    return by_locale(str(interaction.guild_locale or "")).key


async def public_language(interaction: Interaction, tables: Tables) -> str:
    """Return the key of the language for public messages in the interaction's channel.

    It is the language set with /settings, or else the server's language in Discord; outside
    servers, it is the person's. If the store is down, it is the server's language in Discord.
    """
    if interaction.guild_id is None:
        return spoken().key
    discords = guild_language(interaction)
    try:
        return await tables.language_in(interaction.guild_id, discords)
    except errors.StoreUnavailable:
        return discords

"""A press: what a button, a list or a form says when it is used, and who may use all of them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.boards.board import Address
from bot.discord.answers import Interaction


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button, a chosen option or a submitted form: what its custom id and it say."""

    verb: str
    address: Address
    choice: str = ""
    values: tuple[str, ...] = ()


def is_moderator(interaction: Interaction) -> bool:
    """Whether the person may manage the channel's messages, and so its tables."""
    permissions = interaction.permissions
    return permissions.manage_messages or permissions.administrator

"""Whom a message pings: nobody, or a few people by name; never a role, never everyone.

It is said with every message and every edit, and whole. The client's own setting is left out of
an edit without plain content, and Discord would then highlight the table for everybody whom it
names; what `AllowedMentions` leaves out is sent in such an edit as everyone and all roles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord

NOBODY: Final = discord.AllowedMentions.none()


def only(players: Iterable[int]) -> discord.AllowedMentions:
    """These users (their Discord ids) and nobody else."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(player) for player in players],
    )

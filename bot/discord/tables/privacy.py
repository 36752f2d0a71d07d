"""**My data…** of /preferences: what is kept of a person, for them to export, hide or delete.

Everything here is seen by the asker only, and is about the asker only: whose data is meant is read
from who pressed, never from a control.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.boards.privacy import forgetting_board, forgotten_board, privacy_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.press import Press
from bot.language.catalogues import N_, tr
from bot.privacy.service import Privacy

LARGEST: Final = 9 * 1024 * 1024  # bytes; Discord takes files of 10 MiB
NAME: Final = "my-data.json"
HERE_IT_IS: Final = N_("Here is everything stored of you. Only you see this message.")
TOO_LARGE: Final = N_(
    "Your data is too large for a file in Discord. Please ask whoever runs this bot for it:"
    " `bluffhouse people export` writes it."
)


class PrivacyHandlers:
    """Answers **My data…** and what is behind it. `matches_days`: matches stay; None for ever."""

    def __init__(self, privacy: Privacy, matches_days: int | None, policy_url: str | None) -> None:
        self._privacy = privacy
        self._matches_days = matches_days
        self._policy_url = policy_url
        self.verbs: Mapping[str, Callable[[Interaction, Press], Awaitable[None]]] = {
            "privacy": self._show,
            "mydata": self._export,
            "hideme": self._hide,
            "showme": self._hide,
            "forgetme": self._ask,
            "forgetyes": self._forget,
            "forgetno": self._show,
        }

    async def _show(self, interaction: Interaction, _: Press) -> None:
        """What is kept of the asker, in place of what they pressed."""
        kept = await answers.in_time(interaction, self._privacy.kept(interaction.user.id))
        board = privacy_board(kept, self._matches_days, self._policy_url)
        await answers.redraw(interaction, board)

    async def _hide(self, interaction: Interaction, press: Press) -> None:
        hiding = self._privacy.hide(interaction.user.id, hidden=press.verb == "hideme")
        await answers.in_time(interaction, hiding)
        await self._show(interaction, press)

    async def _ask(self, interaction: Interaction, _: Press) -> None:
        await answers.redraw(interaction, forgetting_board())

    async def _forget(self, interaction: Interaction, _: Press) -> None:
        done = await answers.in_time(interaction, self._privacy.forget(interaction.user.id))
        board = forgotten_board(*((None,) if done is None else (done.matches, len(done.unread))))
        await answers.redraw(interaction, board)

    async def _export(self, interaction: Interaction, _: Press) -> None:
        async with answers.trying(interaction):  # a new message: the one with the buttons stays
            await interaction.response.defer(ephemeral=True, thinking=True)
        if not interaction.response.is_done():
            return
        content = await self._privacy.export(interaction.user.id)
        name = NAME
        if len(content) > LARGEST:
            name, content = f"{NAME}.zip", zipped(NAME, content)
        if len(content) > LARGEST:
            await answers.whisper(interaction, tr(TOO_LARGE))
            return
        await answers.hand_over(interaction, tr(HERE_IT_IS), {name: content})


def zipped(name: str, content: bytes) -> bytes:
    """A zip archive with one file in it."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return archive.getvalue()

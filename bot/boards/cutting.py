"""Cutting the cards, as messages show it: the seal that comes first, and who cut with which words.

Words are shown as code, just as they were counted: they hold no grave accent
(`engine.cutting.read_cut`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.boards.board import Button
from bot.language.catalogues import N_, tr
from bot.language.words import TypedText, listed, mention
from bot.tables.cuts import match_seal, waiting_cuts
from bot.tables.live import LiveTable
from bot.tables.model import PlayerCut, Table

# of a lobby's seal: one line on a phone, and still more than a host can find two seeds for
SEAL_SHOWN: Final = 32
FORGOTTEN: Final = N_("words that were deleted")


def cut_button() -> Button:
    """Opens the form to cut the cards with."""
    return Button("cut", tr("Cut the cards…"))


def fair_button(number: int) -> Button:
    """Behind it is all about how the round of that number was dealt: seal, cut, check."""
    return Button("seal", tr("Fair deal ✓"), choice=str(number))


def lobby_seal_line(table: Table) -> str:
    """The seal of a lobby's match, in small print; empty before there is one.

    More of it than of a single deal's: a host could find two seeds whose seals begin with the same
    sixteen digits, and choose between them when the words are known. The form has the whole.
    """
    seal = match_seal(table)
    return tr("-# seal {seal}", seal=f"`{seal[:SEAL_SHOWN]}`") if seal is not None else ""


def lobby_cuts_line(table: Table) -> str:
    """Who cut the cards in the lobby, in small print; empty if nobody did."""
    return _line(N_("Cut by {who}"), (one for one in table.cuts if one.counts_from == 1))


def waiting_cuts_line(live: LiveTable) -> str:
    """Who has cut the cards since the latest deal, in small print; empty if nobody has."""
    return _line(N_("The next deal is cut by {who}"), waiting_cuts(live))


def cut_why() -> str:
    """Why anybody would."""
    return tr("Cut the cards, so that nobody can have stacked the deck.")


def cut_by(player: int, text: str | None) -> str:
    """One cut: by whom, and with which words."""
    return f"{mention(player)} {tr(FORGOTTEN) if text is None else TypedText(text).code}"


def _line(lead: str, cuts: Iterable[PlayerCut]) -> str:
    said = [cut_by(one.player, one.text) for one in cuts]
    return f"-# {tr(lead, who=listed(said))}" if said else ""

"""Boards that show that a deal is fair: its seal, who cut the cards with which words, a check.

The seal is the hash of a secret seed, shown before anybody cuts. Words are shown as code, exactly
as they went into the deal: they contain no grave accent (`engine.cutting.read_cut`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.boards.board import Address, Block, Board, Button, Rule, Text
from bot.language.catalogues import N_, tr, trn
from bot.language.words import TypedText, join_words, mention
from bot.pictures.palette import GREEN, RED
from bot.tables.cuts import match_seal, waiting_cuts
from bot.tables.history import PastDeal
from bot.tables.live import LiveTable
from bot.tables.model import PlayerCut, Table
from engine.cutting import VERSION

# digits of a lobby's seal: they fit in one line on a phone, yet nobody can find two seeds that
# share them
SEAL_SHOWN: Final = 32
FORGOTTEN: Final = N_("words that were deleted")
UNCUT: Final = N_("Nobody has cut the cards. Any player can, in the lobby or here.")
UNCUT_ALONE: Final = N_("You can't cut the cards in practice.")
EXPLAINED: Final = N_(
    "-# The bot shuffled with a secret number, the seed, and showed its fingerprint, the seal"
    " (SHA-256), before anyone bid. Nobody can find another seed with the same seal, so the cards"
    " couldn't be changed later."
)
CUT_EXPLAINED: Final = N_(
    "-# The bot shuffled with a secret number, the seed, and showed its fingerprint, the seal"
    " (SHA-256), before anyone could cut. Nobody can find another seed with the same seal. The seed"
    " and the words give the order of the deck, so anyone can deal it again and compare."
)


def cut_button() -> Button:
    """Return the button that opens the form for cutting the cards."""
    return Button("cut", tr("Cut the cards…"))


def fair_button(number: int = 0) -> Button:
    """Return the button that shows how round `number` was dealt: its seal, cuts and check.

    If `number` is 0, the button shows a lobby's seal for the match to come.
    """
    return Button("seal", tr("Fair deal ✓"), choice=str(number) if number else "")


def lobby_seal_line(table: Table) -> str:
    """Return the first `SEAL_SHOWN` digits of a lobby's seal, in small print; empty without one.

    With only sixteen digits, a host could find two seeds whose seals look the same, and choose
    between them once the words are known.
    """
    seal = match_seal(table)
    return tr("-# seal {seal}", seal=f"`{seal[:SEAL_SHOWN]}`") if seal is not None else ""


def lobby_cuts_line(table: Table) -> str:
    """Return who cut the cards in the lobby, in small print; empty if nobody did."""
    return _line(N_("Cut by {who}"), (cut for cut in table.cuts if cut.counts_from == 1))


def waiting_cuts_line(live: LiveTable) -> str:
    """Return who has cut the cards since the latest deal, in small print; empty if nobody has."""
    return _line(N_("Next deal cut by {who}"), waiting_cuts(live))


def cut_why() -> str:
    """Return a text that says why to cut the cards."""
    return tr("The deck is locked in before the deal. Cut it, and nobody can have stacked it.")


def cut_by(player: int, text: str | None) -> str:
    """Return who cut the cards and with which words; `text` is None if the words were deleted."""
    return f"{mention(player)} {tr(FORGOTTEN) if text is None else TypedText(text).code}"


def _line(lead: str, cuts: Iterable[PlayerCut]) -> str:
    cut_texts = [cut_by(cut.player, cut.text) for cut in cuts]
    return f"-# {tr(lead, who=join_words(cut_texts))}" if cut_texts else ""


def lobby_deal_board(table: Table, player: int) -> Board:
    """Return a board with a lobby's seal, if it has one, and who cut the cards.

    It has the button to cut if there is a seal and `player` has a seat.
    """
    blocks: list[Block] = [Text(f"**{tr('Fair deal')}**\n{cut_why()}\n{tr(CUT_EXPLAINED)}")]
    seal = match_seal(table)
    if seal is not None:
        blocks.append(Text(f"{tr('Seal')}\n```\n{seal}\n```"))
    blocks += (Text(line) for line in (lobby_cuts_line(table),) if line)
    cuts = seal is not None and player in table.players
    rows = ((cut_button(),),) if cuts else ()
    return Board(GREEN, tuple(blocks), rows, Address(table.id))


def deal_board(deal: PastDeal, live: LiveTable | None = None) -> Board:
    """Return a board that checks a round's deal: its seal, who cut the cards, the lobby's seal.

    The lobby's seal is left out in the first round and if unknown. Once the round is over, the
    board has the seed too, so that anybody can deal the round again, and says whether the cards
    dealt match the seal. `live` is the table, if the reader may cut the cards for its next deal.
    """
    title = tr("**Round {number} · Fair deal**", number=deal.number)
    explanation = tr(CUT_EXPLAINED if deal.version == VERSION else EXPLAINED)
    blocks: list[Block] = [
        Text(f"{title}\n{_verdict(deal)}\n{explanation}"),
        Text(f"{tr('Seal')}\n```\n{deal.commitment}\n```"),
    ]
    if deal.version == VERSION:
        blocks.append(Text(_cuts(deal)))
    if deal.seed is not None:
        blocks.append(Text(f"{tr('Seed')}\n```\n{deal.seed.hex()}\n```"))
    if deal.number > 1 and deal.lobby_seal is not None:
        caption = trn(
            "The lobby's seal. Its SHA-256, taken {number} time, is this round's seal",
            "The lobby's seal. Its SHA-256, taken {number} times over, is this round's seal",
            deal.number - 1,
        )
        blocks.append(Text(f"{caption}\n```\n{deal.lobby_seal}\n```"))
    broken = deal.seed is not None and not deal.is_fair
    accent = RED if broken else GREEN
    if live is None or live.match is None:
        return Board(accent, tuple(blocks))
    blocks += (Rule(), Text("\n".join(filter(None, (cut_why(), waiting_cuts_line(live))))))
    address = Address(live.table.id, live.table.match_id or 0, live.match.seq)
    return Board(accent, tuple(blocks), ((cut_button(),),), address)


def _verdict(deal: PastDeal) -> str:
    if deal.seed is None:
        return tr("The deck is locked. When the round is over, you can check it here.")
    if not deal.is_fair:
        return tr("✘ Checked just now: **the cards were not dealt as they were sealed.**")
    if deal.version == VERSION and deal.cuts:
        return tr(
            "✔ Checked just now: the seed fits the seal, and with these words it gives the cards"
            " that were dealt."
        )
    return tr("✔ Checked just now: the seed fits the seal, and gives the cards that were dealt.")


def _cuts(deal: PastDeal) -> str:
    """Return who cut the cards and with which words, in order, or that nobody cut them."""
    lines = [
        f"{place}. {cut_by(player, text)}"
        for place, (player, text) in enumerate(deal.cuts, start=1)
    ]
    return (
        "\n".join([tr("Cut by"), *lines]) if lines else tr(UNCUT_ALONE if deal.practice else UNCUT)
    )

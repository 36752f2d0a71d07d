"""What may be looked up of a round: its whole bidding, and whether its deal was kept as sealed."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Block, Board, Button, Rule, Text
from bot.boards.calls import call_lines
from bot.boards.cutting import cut_button, cut_by, cut_why, waiting_cuts_line
from bot.language.catalogues import N_, tr, trn
from bot.language.wordings import game_words
from bot.pictures.palette import GREEN, GREY, RED
from bot.tables.history import PastDeal
from bot.tables.live import LiveTable
from engine.cutting import VERSION
from engine.view import View

IN_A_PAGE: Final = 20
UNCUT: Final = N_("Nobody cut the cards. Any player may, in the lobby or here.")
UNCUT_ALONE: Final = N_("Nobody cuts the cards in a practice.")
EXPLAINED: Final = N_(
    "-# Before anybody bid, this seal fixed the order of the whole deck: it is the SHA-256 of the"
    " secret seed, with which anybody can deal it again."
)
CUT_EXPLAINED: Final = N_(
    "-# The seal is the SHA-256 of the secret seed, and was fixed before anybody could cut. Seed"
    " and words together give the order of the whole deck, and anybody can deal it again."
)


def bidding_pages(seen: View, address: Address, page: int) -> Board:
    """Every bid of a round, one line each, the newest last; `page` counts from 0."""
    current = seen.round
    if current is None:
        return Board(GREY, (Text(tr("Nothing was dealt yet.")),))
    lines = call_lines(seen, current)
    pages = max(1, -(-len(lines) // IN_A_PAGE))
    page = min(max(page, 0), pages - 1)
    shown = lines[page * IN_A_PAGE : (page + 1) * IN_A_PAGE]
    numbered = [
        line.replace("-# ", f"{number}. ", 1)
        for number, line in enumerate(shown, start=page * IN_A_PAGE + 1)
    ]
    title = tr(seen.ruleset.title)
    head = tr("**{title} · Round {number} · Bidding**", title=title, number=current.number)
    none = tr("No {noun} was made.", noun=game_words(seen.ruleset).noun)
    blocks = [Text(head), Text("\n".join(numbered) or none)]
    rows: tuple[tuple[Button, ...], ...] = ()
    if pages > 1:
        blocks.append(Text(tr("-# page {page} of {pages}", page=page + 1, pages=pages)))
        rows = (
            (
                _turn(tr("Earlier"), current.number, page - 1, disabled=page == 0),
                _turn(tr("Later"), current.number, page + 1, disabled=page == pages - 1),
            ),
        )
    return Board(GREEN, tuple(blocks), rows, address)


def _turn(label: str, number: int, page: int, *, disabled: bool) -> Button:
    return Button("bidding", label, disabled=disabled, choice=f"{number}.{max(page, 0)}")


def deal_board(deal: PastDeal, live: LiveTable | None = None) -> Board:
    """Whether a round's deal was kept as sealed, and what anybody needs to deal it again.

    `live` is the table of somebody who may cut the cards for its next deal.
    """
    title = tr("**Round {number} · Fair deal**", number=deal.number)
    blocks: list[Block] = [
        Text(f"{title}\n{_verdict(deal)}"),
        Text(f"{tr('Seal')}\n```\n{deal.commitment}\n```"),
    ]
    if deal.version == VERSION:
        blocks.append(Text(_cuts(deal)))
    if deal.seed is not None:
        blocks.append(Text(f"{tr('Seed')}\n```\n{deal.seed.hex()}\n```"))
    if deal.number > 1 and deal.lobby_seal is not None:
        said = trn(
            "The lobby's seal, which fixed this one too (hash this seal {number} time, and you"
            " have it)",
            "The lobby's seal, which fixed this one too (hash this seal {number} times, and you"
            " have it)",
            deal.number - 1,
        )
        blocks.append(Text(f"{said}\n```\n{deal.lobby_seal}\n```"))
    blocks.append(Text(tr(CUT_EXPLAINED if deal.version == VERSION else EXPLAINED)))
    broken = deal.seed is not None and not deal.kept
    accent = RED if broken else GREEN
    if live is None or live.match is None:
        return Board(accent, tuple(blocks))
    blocks += (Rule(), Text("\n".join(filter(None, (cut_why(), waiting_cuts_line(live))))))
    address = Address(live.table.id, live.table.match_id or 0, live.match.seq)
    return Board(accent, tuple(blocks), ((cut_button(),),), address)


def _verdict(deal: PastDeal) -> str:
    if deal.seed is None:
        return tr("The seed is shown when the round is over.")
    if not deal.kept:
        return tr("✘ Checked just now: **the cards were not dealt as they were sealed.**")
    if deal.version != VERSION:
        return tr(
            "✔ Checked just now: the seed has this seal, and the cards were dealt in its order."
        )
    if deal.cuts:
        return tr(
            "✔ Checked just now: the seed has this seal, and the seed and these words give the"
            " cards that were dealt."
        )
    return tr(
        "✔ Checked just now: the seed has this seal, and the seed gives the cards that were dealt."
    )


def _cuts(deal: PastDeal) -> str:
    """With which words the cards were cut, in their order."""
    lines = [
        f"{place}. {cut_by(player, text)}"
        for place, (player, text) in enumerate(deal.cuts, start=1)
    ]
    return (
        "\n".join([tr("Cut by"), *lines]) if lines else tr(UNCUT_ALONE if deal.practice else UNCUT)
    )

"""What may be looked up of a round: its whole bidding, and whether its deal was kept as sealed."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Text
from bot.boards.calls import call_lines
from bot.languages import tr
from bot.pictures.palette import GREEN, GREY, RED
from bot.tables.past import PastDeal
from bot.wordings import game_words
from engine.view import View

IN_A_PAGE: Final = 20


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


def deal_board(deal: PastDeal) -> Board:
    """The seal of a round's deal, what it says and, once it is open, whether it was kept."""
    said = tr(
        "Before anybody bid, this seal fixed the order of the whole deck: it is the SHA-256 of a"
        " secret seed. When the round is over the seed is shown, and anybody can deal it again."
    )
    blocks = [Text(f"{tr('**Round {number} · Check this deal**', number=deal.number)}\n{said}")]
    blocks.append(Text(f"{tr('Seal')}\n```\n{deal.commitment}\n```"))
    if deal.seed is None:
        blocks.append(Text(tr("The seed is shown when the round is over.")))
        return Board(GREEN, tuple(blocks))
    blocks.append(Text(f"{tr('Seed')}\n```\n{deal.seed.hex()}\n```"))
    if deal.kept:
        kept = tr(
            "✔ Checked just now: the seed has this seal, and the cards were dealt in its order."
        )
        return Board(GREEN, (*blocks, Text(kept)))
    broken = tr("✘ Checked just now: **the cards were not dealt as they were sealed.**")
    return Board(RED, (*blocks, Text(broken)))

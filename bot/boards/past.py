"""What may be looked up of a round: its whole bidding, and whether its deal was kept as sealed."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Text
from bot.boards.calls import call_lines
from bot.boards.cutting import cut_by
from bot.pictures.palette import GREEN, GREY, RED
from bot.tables.past import PastDeal
from bot.words import count
from engine.cutting import VERSION
from engine.view import View

IN_A_PAGE: Final = 20
UNCUT: Final = "Nobody cut the cards. Any player may, in the lobby or after a showdown."


def bidding_pages(seen: View, address: Address, page: int) -> Board:
    """Every bid of a round, one line each, the newest last; `page` counts from 0."""
    current = seen.round
    if current is None:
        return Board(GREY, (Text("Nothing was dealt yet."),))
    lines = call_lines(seen, current)
    pages = max(1, -(-len(lines) // IN_A_PAGE))
    page = min(max(page, 0), pages - 1)
    shown = lines[page * IN_A_PAGE : (page + 1) * IN_A_PAGE]
    numbered = [
        line.replace("-# ", f"{number}. ", 1)
        for number, line in enumerate(shown, start=page * IN_A_PAGE + 1)
    ]
    head = f"**{seen.ruleset.title} · Round {current.number} · Bidding**"
    blocks = [Text(head), Text("\n".join(numbered) or f"No {seen.ruleset.terms.noun} was made.")]
    rows: tuple[tuple[Button, ...], ...] = ()
    if pages > 1:
        blocks.append(Text(f"-# page {page + 1} of {pages}"))
        rows = (
            (
                _turn("Earlier", current.number, page - 1, disabled=page == 0),
                _turn("Later", current.number, page + 1, disabled=page == pages - 1),
            ),
        )
    return Board(GREEN, tuple(blocks), rows, address)


def _turn(label: str, number: int, page: int, *, disabled: bool) -> Button:
    return Button("bidding", label, disabled=disabled, choice=f"{number}.{max(page, 0)}")


def deal_board(deal: PastDeal) -> Board:
    """The seal of a round's deal, what it says and, once it is open, whether it was kept."""
    blocks = [Text(f"**Round {deal.number} · Check this deal**\n{_explained(deal)}")]
    blocks.append(Text(f"Seal\n```\n{deal.commitment}\n```"))
    if deal.version == VERSION:
        blocks += _how_it_was_cut(deal)
    if deal.seed is None:
        blocks.append(Text("The seed is shown when the round is over."))
        return Board(GREEN, tuple(blocks))
    blocks.append(Text(f"Seed\n```\n{deal.seed.hex()}\n```"))
    if deal.kept:
        return Board(GREEN, (*blocks, Text(f"✔ Checked just now: {_kept(deal)}")))
    broken = "✘ Checked just now: **the cards were not dealt as they were sealed.**"
    return Board(RED, (*blocks, Text(broken)))


def _explained(deal: PastDeal) -> str:
    if deal.version == VERSION:
        return (
            "Before anybody could cut the cards, this seal fixed a secret seed: it is its SHA-256."
            " The order of the whole deck comes from that seed and the words the players cut with,"
            " so neither the host nor a player chose it alone. When the round is over the seed is"
            " shown, and anybody can deal it again."
        )
    return (
        "Before anybody bid, this seal fixed the order of the whole deck: it is the SHA-256 of a"
        " secret seed. When the round is over the seed is shown, and anybody can deal it again."
    )


def _how_it_was_cut(deal: PastDeal) -> list[Text]:
    """Where the seal comes from, and with which words the cards were cut, in their order."""
    blocks = []
    if deal.number > 1 and deal.lobby_seal is not None:
        hashed = f"hash this seal {count(deal.number - 1, 'time')}, and you have it"
        said = f"The lobby's seal, which fixed this one too ({hashed})"
        blocks.append(Text(f"{said}\n```\n{deal.lobby_seal}\n```"))
    lines = [
        f"{place}. {cut_by(player, text)}"
        for place, (player, text) in enumerate(deal.cuts, start=1)
    ]
    cut = "\n".join(["Cut by", *lines]) if lines else UNCUT
    return [*blocks, Text(cut)]


def _kept(deal: PastDeal) -> str:
    if deal.version != VERSION:
        return "the seed has this seal, and the cards were dealt in its order."
    words = "the seed and these words give" if deal.cuts else "the seed gives"
    return f"the seed has this seal, and {words} the cards that were dealt."

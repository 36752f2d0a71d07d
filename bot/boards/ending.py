"""How a match ends: with a winner, or ended by its host without one."""

from __future__ import annotations

from bot.boards.board import Address, Board, Text
from bot.boards.company import mark
from bot.boards.cutting import fair_button
from bot.language.catalogues import tr, trn
from bot.language.words import cards_counted, mention
from bot.pictures.palette import GREY
from engine.rotation import playing_off
from engine.state import Standing
from engine.view import EndedRound, RoundView, View


def card_counts(seen: View) -> str:
    """How many cards everybody still in the match holds, in small print."""
    live = [seat for seat in seen.seats if seat.live]
    return "-# " + " · ".join(f"{mention(seat.player)} {seat.cards}" for seat in live)


def winner_text(seen: View, current: EndedRound, champion: int) -> str:
    """Who won the match (the seat `champion`), and after how many rounds."""
    winner = mention(seen.seats[champion].player)
    after = trn("-# after {number} round", "-# after {number} rounds", current.number)
    marked = mark(seat.player for seat in seen.seats)
    if playing_off(seen.ruleset, seen.seats):
        after += tr(", with {cards}", cards=cards_counted(seen.seats[champion].cards))
    if marked:
        after += f" · {marked}"
    lines = [tr("## {who} wins the match", who=winner), after]
    loser = current.outcome.loser
    if loser is not None:
        outdone = any(
            seat.standing is Standing.OUT and current.hands[number] and number != loser
            for number, seat in enumerate(seen.seats)
        )
        who = mention(seen.seats[loser].player)
        out = (
            tr("{who} is out, and that ends it: the fewest cards win.", who=who)
            if outdone
            else tr("{who} is out.", who=who)
        )
        lines.insert(0, out)
    return "\n".join(lines)


def abandoned_board(seen: View, current: RoundView, address: Address) -> Board:
    """A match that was ended while a round was being bid."""
    text = f"### {tr(seen.ruleset.title)}\n{tr('The match was ended without a winner.')}"
    blocks = (Text(text, fair_button(current.number)), Text(card_counts(seen)))
    return Board(
        GREY,
        blocks,
        address=address,
    )

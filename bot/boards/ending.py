"""How a match ends: with a winner, or ended by its host without one."""

from __future__ import annotations

from bot.boards.bidding import seal_line
from bot.boards.board import Address, Board, Button, Text
from bot.boards.company import mark
from bot.pictures.palette import GREY
from bot.words import count, mention
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
    after = f"-# after {count(current.number, 'round')}"
    marked = mark(seat.player for seat in seen.seats)
    if playing_off(seen.ruleset, seen.seats):
        after += f", with {count(seen.seats[champion].cards, 'card')}"
    if marked:
        after += f" · {marked}"
    lines = [f"## {winner} wins the match", after]
    loser = current.outcome.loser
    if loser is not None:
        outdone = any(
            seat.standing is Standing.OUT and current.hands[number] and number != loser
            for number, seat in enumerate(seen.seats)
        )
        ends = ", and that ends it: the fewest cards win." if outdone else "."
        lines.insert(0, f"{mention(seen.seats[loser].player)} is out{ends}")
    return "\n".join(lines)


def abandoned_board(seen: View, current: RoundView, address: Address) -> Board:
    """A match that was ended while a round was being bid."""
    text = f"### {seen.ruleset.title}\nThe match was ended without a winner."
    blocks = (Text(text), Text(card_counts(seen)))
    return Board(
        GREY,
        blocks,
        rows=((Button("seal", "Check this deal", choice=str(current.number)),),),
        address=address,
        footer=seal_line(current),
    )

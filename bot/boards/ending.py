"""How a match ends: with a winner, or ended by its host without one."""

from __future__ import annotations

from bot.boards.board import Board, Text
from bot.pictures.palette import GREY
from bot.tables.live import LiveTable
from bot.words import count, mention
from engine.view import EndedRound, RoundView, View


def card_counts(seen: View) -> str:
    """How many cards everybody still in the match holds, in small print."""
    live = [seat for seat in seen.seats if seat.live]
    return "-# " + " · ".join(f"{mention(seat.player)} {seat.cards}" for seat in live)


def winner_text(seen: View, current: EndedRound, champion: int) -> str:
    """Who won the match (the seat `champion`), and after how many rounds."""
    winner = mention(seen.seats[champion].player)
    rounds = count(current.number, "round")
    lines = [f"## {winner} wins the match", f"-# after {rounds}"]
    loser = current.outcome.loser
    if loser is not None:
        lines.insert(0, f"{mention(seen.seats[loser].player)} is out.")
    return "\n".join(lines)


def opened_deal(live: LiveTable, current: RoundView) -> str:
    """The seal of a round's deal and, once it may be known, the seed that opens it."""
    seed = live.revealed.get(current.number)
    opened = f"\n-# seed `{seed.hex()}`" if seed is not None else ""
    return f"-# sealed deal `{current.commitment}`{opened}"


def abandoned_board(live: LiveTable, seen: View, current: RoundView) -> Board:
    """A match that was ended while a round was being bid."""
    text = f"### {seen.ruleset.title}\nThe match was ended without a winner."
    blocks = (Text(text), Text(card_counts(seen)))
    return Board(GREY, blocks, footer=opened_deal(live, current))

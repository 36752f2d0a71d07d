"""Cards and the table as styled text, in colours that colour-blind readers can tell apart.

A card has its own paper colour, so it reads the same on a light and a dark terminal.
"""

from __future__ import annotations

from typing import Final

from rich.style import Style
from rich.text import Text

from bot.language.words import capital, count
from bot.pictures import palette
from bot.pictures.palette import Colour, web
from bot.terminal.table import PERSON, TerminalTable
from engine.cards import Card, Cards, Suit
from engine.state import Outcome, Seat
from engine.view import EndedRound, RoundView

_SUITS: Final[dict[Suit, Colour]] = {
    Suit.CLUBS: palette.SUIT_GREEN,
    Suit.DIAMONDS: palette.SUIT_BLUE,
    Suit.HEARTS: palette.SUIT_RED,
    Suit.SPADES: palette.SUIT_BLACK,
}
MUTED: Final = Style(color=web(palette.SAGE))
STRONG: Final = Style(color=web(palette.GOLD), bold=True)
_BACK: Final = "▮"
_NAME: Final = 11
_FACE: Final = 5  # columns of a large card


def large_cards(cards: Cards) -> Text:
    """Return cards in a row, strongest first: three lines, which are empty without cards."""
    rows = [Text() for _ in range(3)]
    for card in cards:
        paper = _paper(card, palette.CARD_PAPER)
        label, mark = ("", "★") if card.is_joker else (card.rank.label, card.suit.symbol)
        middle = "joker" if card.is_joker else f"{mark:^{_FACE}}"
        for row, words in enumerate(
            (f" {label or mark:<{_FACE - 1}}", middle, f"{label or mark:>{_FACE - 1}} ")
        ):
            rows[row].append(words, paper)
            rows[row].append(" ")
    return Text("\n").join(rows)


def chip(card: Card, used: bool = False) -> Text:
    """Return one card for a line of text; gold if used in the bid."""
    paper = palette.GOLD if used else palette.CARD_PAPER
    mark = "★" if card.is_joker else f"{card.rank.label}{card.suit.symbol}"
    return Text(f"{mark:>3}", _paper(card, paper))


def _paper(card: Card, paper: Colour) -> Style:
    ink = palette.STAND_IN if card.is_joker else _SUITS[card.suit]
    return Style(color=web(ink), bgcolor=web(paper), bold=True)


def chips(cards: Cards, used: Cards) -> Text:
    """Return a hand in a line, strongest card first; cards in `used` are gold."""
    return Text(" ").join(chip(card, card in used) for card in cards)


def seats_text(table: TerminalTable) -> Text:
    """Return a line for each player, and one for the middle hand if there is one.

    Before a showdown, the lines show whose turn it is and each hand's size. Afterwards they
    show the cards.
    """
    situation = table.seen
    current = situation.round
    lines = []
    for number, seat in enumerate(situation.seats):
        name = table.names[number]
        style = STRONG if number == PERSON else Style()
        turn = "▶ " if current is not None and current.turn == number else "  "
        line = Text.assemble((turn, STRONG), (f"{name:<{_NAME}}", style))
        if isinstance(current, EndedRound):
            line.append_text(_revealed_hand(current, number, seat))
        elif not seat.live:
            line.append("out", MUTED)
        elif current is not None:
            held = current.dealt[number]
            line.append(f"{_BACK * held:<8}", MUTED)
            line.append(count(held, "card"))
        lines.append(line)
    if current is not None and current.middle_size:
        line = Text.assemble((f"  {'Middle':<{_NAME}}", MUTED))
        if isinstance(current, EndedRound):
            line.append_text(chips(current.middle, _cards_used(current)))
        else:
            line.append(f"{_BACK * current.middle_size:<8}face down", MUTED)
        lines.append(line)
    return Text("\n").join(lines)


def _cards_used(current: EndedRound) -> Cards:
    return current.judgement.proof.cards if current.judgement is not None else Cards()


def _revealed_hand(current: EndedRound, number: int, seat: Seat) -> Text:
    if not current.hands[number]:
        return Text("out", MUTED)
    line = chips(current.hands[number], _cards_used(current))
    note = _fate(current.outcome, number, seat)
    if note:
        line.append(f"  {note}", STRONG)
    return line


def _fate(outcome: Outcome, number: int, seat: Seat) -> str:
    """Return what the round did to a player: "→ 4 cards" for its loser, "→ out"; else empty."""
    if not seat.live:
        return "→ out"
    return f"→ {count(seat.cards, 'card')}" if number == outcome.loser else ""


def bids_text(table: TerminalTable, current: RoundView, rows: int) -> Text:
    """Return the round's latest bids, one a line, the standing one last; `rows` lines at most.

    If not all bids fit, the first line says how many came before.
    """
    say = table.rules.wording.say
    bids = current.bids
    lines = []
    visible = bids if len(bids) <= rows else bids[len(bids) - rows + 1 :]
    if len(visible) < len(bids):
        lines.append(Text(f"… {len(bids) - len(visible)} before", MUTED))
    for bid in visible:
        standing = bid is bids[-1]
        wording = (capital(say(bid.bid)), STRONG if standing else Style())
        lines.append(Text.assemble((f"{table.names[bid.seat]}: ", MUTED), wording))
    return Text("\n").join(lines)

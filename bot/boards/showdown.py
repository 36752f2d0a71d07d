"""The board of a round that has ended: the verdict, everybody's cards, and who pays for it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.boards.board import Address, Board, Button, Rule, ShowdownPicture, Text
from bot.boards.ending import card_counts, opened_deal, winner_text
from bot.pictures.cards import ShowdownRow, showdown_alt_text
from bot.pictures.palette import AMBER, GREY, RED
from bot.tables.live import LiveTable
from bot.tables.records import Status
from bot.words import cards_text, count, lacking_text, mention
from engine.cards import Cards
from engine.state import Judgement, Outcome, Standing
from engine.view import EndedRound, View

Names = Mapping[int, str]


def showdown_board(
    live: LiveTable, seen: View, current: EndedRound, names: Names, address: Address | None
) -> Board:
    """The board of a round that has ended; without an `address` its buttons are gone."""
    judged = current.judgement
    used = judged.proof.cards if judged is not None else Cards()
    blocks: list[Text | Rule | ShowdownPicture] = []
    if judged is not None:
        blocks.append(Text(_verdict(seen, current, judged)))
        blocks.append(_picture(seen, current, names, used))
    else:
        blocks.append(Text(f"## Round {current.number}\nIt ends without a showdown."))
    blocks.append(Text(_hands_text(seen, current, used)))
    blocks.append(Rule())
    if seen.winner is None:
        blocks.append(Text(_penalty(seen, current.outcome)))
    else:
        blocks.append(Text(winner_text(seen, current, seen.winner)))
    over = seen.winner is not None
    ended = live.table.status is Status.CLOSED
    if ended:
        blocks.append(Text("**The match was ended** without a winner."))
    elif not over and address is not None and live.table.deadline is not None:
        blocks.append(Text(f"Next round <t:{live.table.deadline // 1000}:R>"))
    rows: tuple[tuple[Button, ...], ...] = ()
    if address is not None and not ended:
        again = Button("again", "Play again", "success")
        following = Button("next", "Next round", "primary")
        rows = ((again,),) if over else ((following,),)
    accent = GREY if ended else AMBER if over or judged is None or judged.proof.holds else RED
    return Board(accent, tuple(blocks), rows, address or Address(0), opened_deal(live, current))


def _verdict(seen: View, current: EndedRound, judged: Judgement) -> str:
    made, proof = judged.made, judged.proof
    challenger = mention(seen.seats[judged.challenger].player)
    bidder = mention(seen.seats[made.seat].player)
    doubted = seen.ruleset.terms.challenged
    said = seen.ruleset.wording.say(made.bid)
    head = f"## Round {current.number} · Showdown\n{challenger} {doubted} {bidder}'s **{said}**."
    if proof.holds:
        return f"{head}\n### It holds: {cards_text(proof.cards)}"
    return f"{head}\n### It fails. Missing: {lacking_text(proof.lacking)}"


def _rows(seen: View, current: EndedRound, names: Names) -> tuple[ShowdownRow, ...]:
    outcome, made = current.outcome, current.standing
    rows = []
    for number, cards in enumerate(current.hands):
        if not cards:
            continue
        seat = seen.seats[number]
        rows.append(
            ShowdownRow(
                names.get(seat.player, f"Seat {number + 1}"),
                cards,
                note=_fate(seen, outcome, number),
                loser=number == outcome.loser,
                bidder=made is not None and number == made.seat,
                challenger=number == outcome.challenger,
            )
        )
    return tuple(rows)


def _picture(seen: View, current: EndedRound, names: Names, used: Cards) -> ShowdownPicture:
    rows, middle = _rows(seen, current, names), current.middle
    alt = showdown_alt_text(rows, used, middle=middle)
    return ShowdownPicture(rows, used, middle, alt)


def _fate(seen: View, outcome: Outcome, number: int) -> str:
    seat = seen.seats[number]
    if seat.standing is Standing.FORFEITED:
        return "has left"
    if number != outcome.loser:
        return ""
    return "out" if outcome.eliminated else f"now {count(seat.cards, 'card')}"


def _hands_text(seen: View, current: EndedRound, used: Cards) -> str:
    lines = [
        f"-# {mention(seat.player)} {cards_text(cards, used)}"
        for seat, cards in zip(seen.seats, current.hands, strict=True)
        if cards
    ]
    if current.middle:
        lines.append(f"-# middle hand {cards_text(current.middle, used)}")
    return "\n".join(lines)


def _penalty(seen: View, outcome: Outcome) -> str:
    if outcome.loser is None:
        bidder = seen.ruleset.terms.bidder
        loss = f"The {bidder} has left the match: nobody gains a card."
    else:
        seat = seen.seats[outcome.loser]
        who = mention(seat.player)
        loss = (
            f"{who} **is out of the match**."
            if outcome.eliminated
            else f"{who} loses the round and now holds **{count(seat.cards, 'card')}**."
        )
    return f"{loss}\n{card_counts(seen)}"

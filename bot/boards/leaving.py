"""Questions about an end: before somebody leaves a match for good, which only they see, and what
one player asks of the others, which everybody does: that the match end, or that somebody leave it.
"""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Text
from bot.language.catalogues import tr
from bot.language.words import listed, mention
from bot.pictures.palette import GREY, RED
from bot.tables.absence import live_people
from bot.tables.live import LiveTable
from bot.tables.moderation import THE_MATCH
from bot.tables.table_options import ABSENCE, TURN_CLOCK, chosen


def asking_board(live: LiveTable, player: int) -> Board:
    """Asks `player` whether they mean it; the buttons are for this match."""
    seq = live.match.seq if live.match is not None else 0
    text = tr(
        "**Leave this match for good?**\nYour cards stay in play until the round ends, and you"
        " cannot come back."
    )
    other = _last_other(live, player)
    if other is not None:
        text = tr(
            "**Leave this match for good?**\nOnly two of you are left: that ends it, and {who}"
            " wins.",
            who=mention(other),
        )
    if chosen(live.table, TURN_CLOCK) and chosen(live.table, ABSENCE) == "house":
        text += " " + tr("If you are only away for a while, stay: the house plays for you.")
    buttons = (Button("leave", tr("Yes, leave"), "danger"), Button("stay", tr("Stay")))
    return Board(
        RED, (Text(text),), (buttons,), Address(live.table.id, live.table.match_id or 0, seq)
    )


def _last_other(live: LiveTable, player: int) -> int | None:
    """Whom the match is left to if `player` leaves it; None while several others play on."""
    if live.match is None:
        return None
    others = [seat.player for seat in live.match.seats if seat.live and seat.player != player]
    return others[0] if len(others) == 1 else None


def told_board(text: str) -> Board:
    """One sentence, and nothing left to press."""
    return Board(GREY, (Text(text),))


def question_board(live: LiveTable, asker: int, about: int) -> Board:
    """What `asker` asks the others: that `THE_MATCH` end, or that the player `about` leave it."""
    asked = asked_of(live, asker, about)
    if about == THE_MATCH:
        text = tr(
            "**{asker} asks to end this match** without a winner; it counts in no statistics."
            " {people}, do you agree?",
            asker=mention(asker),
            people=listed(mention(one) for one in asked),
        )
        buttons = (
            Button("agree", tr("Agree, end it"), "danger", choice=str(about)),
            Button("refuse", tr("Play on"), choice=str(about)),
        )
        silence = tr("The first answer decides. Without one the match goes on.")
    else:
        text = tr(
            "**{asker} asks that {player} leave the match.** Does one more player agree?",
            asker=mention(asker),
            player=mention(about),
        )
        buttons = (
            Button("agree", tr("Agree"), "danger", choice=str(about)),
            Button("refuse", tr("I'm here"), choice=str(about)),
        )
        silence = tr("Any move of {player} takes it back.", player=mention(about))
    address = Address(live.table.id, live.table.match_id or 0)
    return Board(RED, (Text(f"{text}\n-# {silence}"),), (buttons,), address)


def asked_of(live: LiveTable, asker: int, about: int) -> tuple[int, ...]:
    """Who is to answer such a question, and is pinged."""
    if about != THE_MATCH or live.match is None:
        return (about,)
    return tuple(one for one in live_people(live.match) if one != asker)


def answered_board(live: LiveTable, who: int, about: int, *, agreed: bool) -> Board:
    """What `who` has answered to it."""
    player = mention(who)
    if not agreed:
        told = (
            tr("{player} plays on: the match goes on.", player=player)
            if about == THE_MATCH
            else tr("{player} is here: the match goes on.", player=player)
        )
    elif about == THE_MATCH:
        told = tr(
            "{player} agreed: the match has ended without a winner, and counts in no statistics.",
            player=player,
        )
    else:
        told = tr("{player} agreed: {gone} has been dropped.", player=player, gone=mention(about))
    return told_board(told)

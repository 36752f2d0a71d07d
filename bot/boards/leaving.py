"""Questions before a match ends or a player leaves it, and reports that a player is away.

A player who leaves for good must confirm, in a question that only they see. A request to end the
match, or to remove a player, is posted for everyone.
"""

from __future__ import annotations

from typing import Final

from bot.boards.board import Address, Board, Button, Text
from bot.language.catalogues import tr
from bot.language.words import Names, join_words, mention, plain_name, truncate
from bot.pictures.palette import GREY, RED
from bot.tables.absence import is_away, live_people, may_be_reported
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.moderation import THE_MATCH
from bot.tables.table_options import ABSENCE, TURN_CLOCK, chosen
from bot.tables.turns import is_silent, turn_of

LONGEST_NAME: Final = 30  # characters of a name on a button


def leave_question_board(live: LiveTable, player: int) -> Board:
    """Return the question whether `player` really wants to leave.

    The question's buttons work for this match only.
    """
    seq = live.match.seq if live.match is not None else 0
    text = tr(
        "**Leave this match for good?**\nYour cards stay in play until the round ends, and you"
        " can't come back."
    )
    winner = _last_other(live, player)
    if winner is not None:
        text = tr(
            "**Leave this match for good?**\nOnly two of you are left: that ends it, and {who}"
            " wins.",
            who=mention(winner),
        )
    if chosen(live.table, TURN_CLOCK) and chosen(live.table, ABSENCE) == "house":
        text += " " + tr("Just stepping out? Stay: if your time runs out, the bot plays for you.")
    buttons = (Button("leave", tr("Yes, leave"), "danger"), Button("stay", tr("Stay")))
    return Board(
        RED, (Text(text),), (buttons,), Address(live.table.id, live.table.match_id or 0, seq)
    )


def may_leave(live: LiveTable, player: int) -> bool:
    """Return whether a player is still in an unfinished match that is not a practice."""
    match, table = live.match, live.table
    seat = match.seat_of(player) if match is not None else None
    if match is None or seat is None or table.is_practice:
        return False
    return table.status is Status.PLAYING and match.seats[seat].live


def leave_button() -> Button:
    """Return the button that asks whether to leave a match for good."""
    return Button("quit", tr("Leave the match…"))


def _last_other(live: LiveTable, player: int) -> int | None:
    """Return the only player left in the match if `player` leaves; None if several are left."""
    if live.match is None:
        return None
    others = [seat.player for seat in live.match.seats if seat.live and seat.player != player]
    return others[0] if len(others) == 1 else None


def away_buttons(live: LiveTable, names: Names) -> tuple[Button, ...]:
    """Return the buttons that report players as away, or agree with such a report.

    There is a button for each player already reported. The player whose turn it is also has one
    if they are silent or ran out of time on their last turn. Leave out players who are out or
    already away, and players whom too few others could report.
    """
    match, turn = live.match, turn_of(live.match)
    if match is None or turn is None:
        return ()
    absent = [player for player in live.table.votes if player != THE_MATCH]
    silent = match.seats[turn[-1]].player
    if (is_silent(live.table) or silent in live.table.absent) and silent not in absent:
        absent.append(silent)
    offered = [player for player in absent if may_be_reported(live.table, match, player)]
    return tuple(_away_button(live, names, player) for player in offered)


def _away_button(live: LiveTable, names: Names, player: int) -> Button:
    name = truncate(plain_name(names, player, ""), LONGEST_NAME)
    if player in live.table.votes:
        label = tr("I agree: {name} is away", name=name) if name else tr("I agree: they're away")
    else:
        label = tr("Say {name} is away", name=name) if name else tr("Say they're away")
    return Button("away", label, choice=str(player))


def reported_text(live: LiveTable, player: int) -> str:
    """Return the reply to somebody who reported `player` as away."""
    name = mention(player)
    if is_away(live.table, player):
        return tr("The bot plays for {who} until they press **I'm back**.", who=name)
    return tr(
        "You reported {who} as away. If one more player agrees, the bot plays for them.", who=name
    )


def sentence_board(text: str) -> Board:
    """Return a board with one sentence and no buttons."""
    return Board(GREY, (Text(text),))


def question_board(live: LiveTable, asker: int, about: int) -> Board:
    """Return the board on which `asker` asks to end the match or to remove a player from it.

    `about` is the player to remove, or `THE_MATCH`.
    """
    people = people_to_ask(live, asker, about)
    if about == THE_MATCH:
        text = tr(
            "**{asker} wants to end this match** with no winner. It won't count. {people}, do you"
            " agree?",
            asker=mention(asker),
            people=join_words(mention(player) for player in people),
        )
        buttons = (
            Button("agree", tr("Yes, end it"), "danger", choice=str(about)),
            Button("refuse", tr("Keep playing"), choice=str(about)),
        )
        silence = tr("The first answer decides. Until then, play on.")
    else:
        text = tr(
            "**{asker} wants {player} out of the match.** Does one more player agree?",
            asker=mention(asker),
            player=mention(about),
        )
        buttons = (
            Button("agree", tr("Agree"), "danger", choice=str(about)),
            Button("refuse", tr("I'm here"), choice=str(about)),
        )
        silence = tr("If {player} makes a move, they stay.", player=mention(about))
    address = Address(live.table.id, live.table.match_id or 0)
    return Board(RED, (Text(f"{text}\n-# {silence}"),), (buttons,), address)


def expired_board(live: LiveTable, match_id: int, about: int) -> Board:
    """Return the board that replaces a request after it was settled or has expired.

    `match_id`: the match of the request. `about`: the player to remove, or `THE_MATCH`.
    """
    match, playing = live.match, live.table.status is Status.PLAYING
    if match is None or not playing or live.table.match_id != match_id:
        return sentence_board(tr("This match is already over."))
    if about == THE_MATCH:
        text = tr(
            "This request has expired. To ask again, use `/leave`: *End the match for everyone*."
        )
    elif about not in live_people(match):
        text = tr("{player} is already out of the match.", player=mention(about))
    else:
        text = tr("This request has expired. To ask again, use `/leave`: *Remove someone*.")
    return sentence_board(text)


def people_to_ask(live: LiveTable, asker: int, about: int) -> tuple[int, ...]:
    """Return the players to ping: the one to remove, or all who still play except `asker`."""
    if about != THE_MATCH or live.match is None:
        return (about,)
    return tuple(player for player in live_people(live.match) if player != asker)


def reply_board(live: LiveTable, answerer: int, about: int, *, agreed: bool) -> Board:
    """Return the board that replaces a request once `answerer` has agreed or refused.

    `about`: the player to remove, or `THE_MATCH`.
    """
    player = mention(answerer)
    if not agreed:
        text = (
            tr("{player} wants to keep playing, so the match goes on.", player=player)
            if about == THE_MATCH
            else tr("{player} is here, so the match goes on.", player=player)
        )
    elif about == THE_MATCH:
        text = tr(
            "{player} agreed: the match is over with no winner, and doesn't count.",
            player=player,
        )
    else:
        text = tr(
            "{player} agreed: {gone} is out of the match.", player=player, gone=mention(about)
        )
    return sentence_board(text)

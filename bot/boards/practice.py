"""A practice as its player sees it: their seat, with hints; then the showdown and the next steps.

It is one private message from the first deal to the end of the match.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.boards.board import Address, Board, Button, Text
from bot.boards.daily import result_text, rows_after
from bot.boards.hint import hint_sentences, surest_bid
from bot.boards.pad import Pick
from bot.boards.replay import decisions_button
from bot.boards.rules import deck_text
from bot.boards.seat import Notice, rules_button, seat_board
from bot.boards.showdown import own_line, showdown_board
from bot.boards.talk import remark
from bot.language.catalogues import N_, tr
from bot.language.words import Names, capital, cards_counted, mention, together
from bot.pictures.palette import GREEN, RED
from bot.tables.daily import result_of
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.table_options import seat_odds_shown
from bot.tables.turns import turn_of
from engine.players import hint
from engine.rotation import card_limit
from engine.state import Match
from engine.view import EndedRound, RoundView, View, view_of

YES: Final = "yes"
WAIT: Final = N_("Nothing to decide right now: it's the other player's turn.")


def practice_board(
    live: LiveTable,
    player: int,
    names: Names,
    pick: Pick = Pick(),
    notice: Notice | None = None,
    *,
    learning: bool = False,
) -> Board:
    """Return the message of a practice in any state.

    `pick` and `learning` are as in `seat_board`.
    """
    match = live.match
    seat = match.seat_of(player) if match is not None else None
    if match is None or seat is None:
        return seat_board(live, player, pick, notice)
    view = view_of(match, seat)
    current = view.round
    if isinstance(current, EndedRound):
        showdown = _showdown(live, view, current, names, player, ends=_asks_to_end(notice))
        question = (Text(f"> {notice.text}"),) if notice is not None else ()
        return replace(showdown, blocks=(*showdown.blocks, *question))
    played = current is not None and live.table.status is Status.PLAYING
    daily = live.table.daily_day is not None
    heading = _heading(live, view, current, learning=learning) if current is not None else ""
    opens = current is not None and current.number == 1 and current.standing is None
    if notice is None and played and not daily and opens:
        # a standing bid and its challenge need the room
        notice = Notice(deck_text(view.ruleset) + _numbers_text(live, learning=learning))
    # Everybody plays the deal of the day once and without hints. A phone's screen has no room for
    # ending the match or for the fair deal; they come after the round.
    board = seat_board(
        live,
        player,
        pick,
        notice,
        learning=learning,
        heading=heading,
        hints=played and not daily,
    )
    return board if played else replace(board, rows=_once_more(live))


def end_notice(live: LiveTable) -> Notice:
    """Return the question that confirms the end of a practice.

    The question prevents accidental presses, because other buttons appear in the same place.
    """
    daily = live.table.daily_day is not None
    text = tr("Give up today's deal? You can't play it again.") if daily else tr("End this match?")
    return Notice(text, ends=True)


def loading_notice(live: LiveTable, player: int) -> Notice | None:
    """Return a notice that a computer player in turn can't decide yet; None if there is none.

    Only the deal of the day waits: elsewhere a simpler player decides.
    """
    turn = turn_of(live.match)
    if live.match is None or live.table.daily_day is None or turn is None:
        return None
    if live.match.seats[turn[-1]].player == player:
        return None
    return Notice(
        tr(
            "The computer players are still getting ready. After an update, this can take a few"
            " minutes."
        )
    )


def _asks_to_end(notice: Notice | None) -> bool:
    return notice is not None and notice.ends


def _end(live: LiveTable) -> Button:
    return Button("pend", tr("Give up") if live.table.daily_day is not None else tr("End"))


def _end_question() -> tuple[Button, Button]:
    # the first is long enough to lie where End was, so another tap in the same place ends nothing
    return (
        Button("refresh", tr("No, keep playing")),
        Button("pend", tr("Yes, end it"), "danger", choice=YES),
    )


def hint_notice(
    match: Match, player: int, instead: tuple[int | None, float] | None = None
) -> Notice:
    """Return the hint that a player asked for, or a notice that there is nothing to decide.

    `instead` replaces the careful player's decision; it is passed to `engine.players.hints.hint`.
    """
    seat = match.seat_of(player)
    view = view_of(match, seat)
    advice = hint(view, instead) if seat is not None else None
    if advice is None:
        return Notice(tr(WAIT))
    rules = match.ruleset
    # the seat already shows how likely the standing bid is, and a phone has little room
    text = hint_sentences(advice, rules, surest_bid(view))[-1]
    words = tr("**Hint.** {text}", text=text)
    return Notice(words, hint=words)


def _showdown(
    live: LiveTable, view: View, current: EndedRound, names: Names, player: int, *, ends: bool
) -> Board:
    """Return the showdown, the chance of the player's decision, and the buttons that lead on.

    `ends`: the buttons ask whether to end the practice.
    """
    address = Address(live.table.id, live.table.match_id or 0, view.seq)
    board = showdown_board(live, view, current, names, address)
    if live.table.status is Status.PLAYING:  # the colour says how it ended for the only reader
        board = replace(board, accent=RED if current.outcome.loser == view.seat else GREEN)
    rows: tuple[tuple[Button, ...], ...] = ()
    texts, daily = [own_line(live, player)], live.table.daily_day is not None
    if live.table.status is Status.PLAYING:
        onwards = Button("pnext", tr("Next round"), "primary"), rules_button(), _end(live)
        rows = (_end_question() if ends else onwards,)
    elif daily and (result := result_of(live)) is not None:
        texts.append(result_text(result))
        rows = rows_after(result)
    elif view.winner is not None:
        replay = Button("replay", tr("Replay"), choice="open")
        todays = Button("daily", tr("Deal of the day"), choice=live.table.variant)
        again = Button("pagain", tr("Play again"), "success")
        mistakes = Button("mistakes", tr("Quiz"))
        rows = ((*(() if daily else (again,)), replay, decisions_button()), (todays, mistakes))
    else:
        rows = _once_more(live)
    blocks = (*board.blocks, *(Text(text) for text in texts if text))
    return replace(board, blocks=blocks, rows=rows)


def _once_more(live: LiveTable) -> tuple[tuple[Button, ...], ...]:
    """Return the button for another match after one was given up; none after a deal of the day."""
    if live.table.daily_day is not None:
        return ()
    choice = f"practice.{live.table.variant}"
    return ((Button("help", tr("Play again"), "success", choice=choice),),)


def _numbers_text(live: LiveTable, *, learning: bool) -> str:
    """Return, after a space, what the numbers on the bid pad mean.

    Empty if the player is not `learning` or if seats show no odds.
    """
    if not learning or not seat_odds_shown(live.table):
        return ""
    return " " + tr("The number after a kind of hand: the chance of its likeliest one, in percent.")


def _heading(live: LiveTable, view: View, current: RoundView, *, learning: bool) -> str:
    """Return the game, the round, everybody's number of cards, and the number that puts one out.

    If the player is `learning`, leave out the last number: another line says it. If a computer
    player made the standing bid, the bidder's remark, if any, follows.
    """
    names = [
        capital(tr("you")) if place == view.seat else mention(seat.player)
        for place, seat in enumerate(view.seats)
    ]
    held = [*map(str, current.dealt[:-1]), cards_counted(current.dealt[-1])]
    counts = [together(f"{name} {number}") for name, number in zip(names, held, strict=True)]
    daily = (tr("Deal of the day"),) if live.table.daily_day is not None else ()
    texts = [
        tr(view.ruleset.title),
        *daily,
        tr("Round {number}", number=current.number),
        ", ".join(counts),
    ]
    if not learning:
        too_many = card_limit(view.ruleset, view.seats) + 1
        texts.append(together(tr("out at {number}", number=too_many)))
    lines = [f"-# {' · '.join(texts)}"]
    standing = current.standing
    if standing is not None:
        speaker = view.seats[standing.seat].player
        comment = remark(live.table, speaker, "bids", current.commitment, len(current.bids))
        lines += [comment] if comment else []
    return "\n".join(lines)

"""A quiz about a player's own mistakes: the seat as it was, the possible moves, and the answer.

The answer shows all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.boards.board import Address, Board, Button, Text
from bot.boards.replay import WITH_COACH, own_action_text, replay_picture, voice_of
from bot.boards.seat import seat_board
from bot.language.catalogues import tr
from bot.language.moments import stamp
from bot.language.wordings import game_words
from bot.language.words import capital, percent, together
from bot.pictures.palette import AMBER, GREEN, GREY
from bot.replays.narration import action_text, advice_sentences, known_chance
from bot.replays.played import PlayedMatch, Step
from bot.tables.live import LiveTable
from bot.tables.model import Mistake, Status, Table
from engine.players.coaching.decisions import Advice, Tried
from engine.ruleset import Ruleset

DOUBT, WAIT = "doubt", "wait"  # used in place of a bid's key


def choice_of(tried: Tried) -> str:
    """Return the text that encodes a candidate move in a button."""
    if tried.waits:
        return WAIT
    return DOUBT if tried.key is None else tried.key


def question_board(
    played: PlayedMatch,
    players: Sequence[int],
    step: Step,
    candidates: Sequence[Tried],
    address: Address,
) -> Board:
    """Return the question "What would you do?": the seat as it was, and the candidate moves."""
    seat = step.seat if step.seat is not None else 0
    then = seat_board(_as_it_was(played, players, step, address), players[seat], apart=True)
    head = tr("**Quiz** · What would you do?")
    rules = played.rules
    buttons = [
        Button("mguess", _label(candidate, rules), choice=choice_of(candidate))
        for candidate in candidates
    ]
    rows = tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))
    # leave out the buttons beside texts: they show the rules of a table that is gone
    seat_blocks = (
        Text(block.markdown) if isinstance(block, Text) else block for block in then.blocks
    )
    blocks = (Text(head), *seat_blocks)
    return Board(AMBER, blocks, rows, Address(address.table, address.match, step.seq))


def _label(tried: Tried, rules: Ruleset) -> str:
    if tried.key is None and not tried.waits:
        return game_words(rules).challenge
    return capital(action_text(tried, rules))


def _as_it_was(
    played: PlayedMatch, players: Sequence[int], step: Step, address: Address
) -> LiveTable:
    """Return a table with the match before `step` and `players` in its seats.

    Only what the board of a seat needs is filled in.
    """
    match = step.before
    seated = zip(match.seats, players, strict=True)
    seats = tuple(replace(seat, player=player) for seat, player in seated)
    table = Table(
        id=address.table,
        guild_id=0,
        channel_id=-1,
        host_id=0,
        status=Status.PLAYING,
        variant=played.rules.key,
        options=dict(played.rules.options),
        players=tuple(players),
        version=0,
        created_at=0,
        updated_at=0,
        match_id=address.match,
    )
    return LiveTable(table, replace(match, seats=seats))


def answer_board(
    played: PlayedMatch,
    players: Sequence[int],
    step: Step,
    advice: Advice,
    candidates: Sequence[Tried],
    chosen: Tried,
    after: Mistake,
    address: Address,
) -> Board:
    """Return the answer: the win chance after each candidate move, why, and everybody's cards.

    `chosen`: the player's guess. `after`: the mistake as it is stored after the guess.
    """
    voice, rules = voice_of(players), played.rules
    well = chosen.key == advice.best.key and chosen.waits == advice.best.waits
    best = voice.strong(action_text(advice.best, rules))
    head = (
        tr("**Right:** {best}.", best=best)
        if well
        else tr("**Not quite:** {best} was better.", best=best)
    )
    marks = [
        f"- {capital(action_text(candidate, rules))}: {together(percent(candidate.wins))}"
        + (f" · {tr('as you played')}" if candidate == advice.chosen else "")
        for candidate in sorted(candidates, key=lambda candidate: -candidate.wins)
    ]
    worth = "\n".join([tr("Win chance after each move:"), *marks])
    played_so = capital(own_action_text(step, advice, voice))
    reasons = (
        played_so,
        known_chance(step, voice, to_player=True),
        *advice_sentences(advice, step, voice),
    )
    why = "\n".join(filter(None, reasons))
    again = (
        tr("-# Right twice: you won't see this one again.")
        if after.due_at is None
        else tr("-# We'll ask you again {when}.", when=stamp(after.due_at, "R"))
    )
    blocks = (
        Text(head),
        Text(worth),
        replay_picture(played, players, step),
        Text(f"{why}\n{again}"),
    )
    step_address = Address(address.table, address.match, step.seq)
    replay = Button("replay", tr("Replay"), choice=f"at.{step.seq}.{WITH_COACH}")
    row = (Button("mistakes", tr("Next one"), "primary"), replay)
    return Board(GREEN if well else AMBER, blocks, (row,), step_address)


def nothing_board(next_at: int | None, *, more_left: bool) -> Board:
    """Return the board for when no question is due.

    `next_at`: when the next question is due, in Unix milliseconds; None if no question is left.
    `more_left`: more matches can be searched.
    """
    lines = [tr("**Quiz**")]
    if next_at is not None:
        lines.append(
            tr("No questions right now. The next one comes {when}.", when=stamp(next_at, "R"))
        )
    elif more_left:
        lines.append(tr("No decision has cost you ten points in the matches checked so far."))
    else:
        lines.append(tr("No decision in your latest matches cost you ten points or more."))
    small = tr(
        "-# Mistakes that cost you 10 points of win chance or more come back after a day, three"
        " days, then weekly, until you get them right twice. Only you see this."
    )
    row = (Button("mistakes", tr("Look further")),)
    return Board(GREY, (Text("\n".join([*lines, small])),), (row,) if more_left else ())

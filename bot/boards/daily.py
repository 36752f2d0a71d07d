"""The deal of the day: a player's result, a server's boards, and other players' choices.

A shared result gives no card away: it shows rounds, a place, and how likely a bluff was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from bot.boards.board import Address, Board, Button, Text
from bot.boards.replay import decisions_button, ordinal, title_of, voice_of
from bot.boards.showdown import EVEN
from bot.language.catalogues import tr, trn
from bot.language.moments import stamp
from bot.language.words import mention, percent, together
from bot.pictures.palette import AMBER, GREEN
from bot.replays.coaching import Parting
from bot.replays.narration import action_text
from bot.replays.played import PlayedMatch
from bot.tables.daily import LOST, OPPONENTS, SURVIVED, WON, Week, monday, rank_results, week_of
from bot.tables.model import DailyResult
from engine.actions import MakeBid
from engine.players.coaching.decisions import Advice, Tried
from engine.variants import VARIANTS

# colours that colour-blind readers can tell apart
SQUARES: Final = {WON: "🟦", SURVIVED: "⬜", LOST: "🟧"}
IN_A_BOARD: Final = 10
NOON: Final = time(12, tzinfo=UTC)
# for each player, the number of days in a row on which they finished a deal
Days = Mapping[int, int]


def day_text(day: int) -> str:
    """Return a day (a date's ordinal) as a Discord date: its noon in UTC.

    At that hour nearly every time zone has the same date.
    """
    noon = datetime.combine(date.fromordinal(day), NOON)
    return stamp(int(noon.timestamp() * 1000), "D")


def squares(result: DailyResult) -> str:
    """Return a coloured square for each round of a result, as text."""
    return "".join(SQUARES[fate] for fate in result.rounds)


def result_summary(result: DailyResult) -> str:
    """Return the place, the rounds survived and the boldest bluff, if any, in one line."""
    rounds = len(result.rounds)
    parts = [
        _place_text(result.place),
        trn(
            "{survived} of {number} round survived",
            "{survived} of {number} rounds survived",
            rounds,
            survived=rounds - result.rounds.count(LOST),
        ),
    ]
    if result.boldest is not None and result.boldest < EVEN:  # a likelier bid is no bluff
        parts.append(tr("boldest bluff {chance}", chance=together(percent(result.boldest))))
    return " · ".join(parts)


def _place_text(place: int | None) -> str:
    if place is None:
        return tr("given up")
    if place == 1:
        return tr("**won**")
    return tr("{place} of {people}", place=ordinal(place), people=OPPONENTS + 1)


def result_text(result: DailyResult) -> str:
    """Return a player's result, in words that anybody may see."""
    title = tr("**Deal of the day · {title}**", title=title_of(result.game))
    lines = [f"{title} · {day_text(result.day)}", squares(result), result_summary(result)]
    return "\n".join(filter(None, lines))


def rows_after(result: DailyResult) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons under the result of a finished deal."""
    deal = f"{result.game}.{result.day}"
    others = tuple(
        Button("daily", title_of(key), choice=key) for key in VARIANTS if key != result.game
    )
    return (
        (
            Button("dshare", tr("Share"), "success", choice=deal),
            Button("dboard", tr("Board"), choice=deal),
            Button("dfield", tr("What others did"), choice=deal),
        ),
        (Button("replay", tr("Replay"), choice="open"), decisions_button(), *others),
    )


def result_board(result: DailyResult, in_a_row: int) -> Board:
    """Return the private board with a player's result of a deal that they have finished."""
    tomorrow = datetime.combine(date.fromordinal(result.day + 1), time(tzinfo=UTC))
    next_one = tr(
        "-# The next deal comes {when}.", when=stamp(int(tomorrow.timestamp()) * 1000, "R")
    )
    text = "\n".join(filter(None, (result_text(result), row_of_days(in_a_row), next_one)))
    return Board(AMBER, (Text(text),), rows_after(result), Address(0, result.match_id))


def row_of_days(in_a_row: int) -> str:
    """Return a line with the number of days in a row; empty for fewer than two."""
    if in_a_row < 2:
        return ""
    return "-# " + trn("{number} day in a row", "{number} days in a row", in_a_row)


def shared_board(result: DailyResult, in_a_row: int) -> Board:
    """Return the public board with which a player shares a result."""
    news = tr("{who} has played.", who=mention(result.player))
    ask = tr("-# Same deal for everyone: `/practice`, *Deal of the day*.")
    lines = (f"{news}\n{result_text(result)}", row_of_days(in_a_row), ask)
    return Board(AMBER, (Text("\n".join(filter(None, lines))),))


# -- a server's boards -----------------------------------------------------------------------------


def boards_board(results: Sequence[DailyResult], day: int, in_a_row: Days) -> Board:
    """Return a server's best results in each game's deal of `day`, and in the week so far.

    `results`: all results of the week. `in_a_row`: each player's number of days in a row.
    """
    blocks = [Text(tr("**Deal of the day** · {day}", day=day_text(day)))]
    for key in VARIANTS:
        of_day = [result for result in results if (result.game, result.day) == (key, day)]
        lines = [
            _line(place, result)
            for place, result in enumerate(rank_results(of_day)[:IN_A_BOARD], 1)
        ]
        nobody = tr("-# Nobody here has played it yet.")
        blocks.append(Text("\n".join([f"**{title_of(key)}**", *(lines or [nobody])])))
    if weeks := week_of(results)[:IN_A_BOARD]:
        lines = [_week_line(place, week, in_a_row) for place, week in enumerate(weeks, 1)]
        head = tr("**This week**, since {day}", day=day_text(monday(day)))
        small = tr("-# One point for each player you outlast. Days start at midnight UTC.")
        blocks.append(Text("\n".join([head, *lines, small])))
    buttons = tuple(
        Button("daily", tr("Play {title}", title=title_of(key)), choice=key) for key in VARIANTS
    )
    return Board(AMBER, tuple(blocks), (buttons,))


def _line(place: int, result: DailyResult) -> str:
    return f"{place}. {mention(result.player)} · {_place_text(result.place)}\n{squares(result)}"


def _week_line(place: int, week: Week, in_a_row: Days) -> str:
    parts = [
        mention(week.player),
        trn("{number} point", "{number} points", week.beaten),
        trn("{number} deal", "{number} deals", week.deals),
    ]
    days = in_a_row.get(week.player, 0)
    if days > 1:
        parts.append(trn("{number} day in a row", "{number} days in a row", days))
    return f"{place}. " + " · ".join(parts)


# -- the field -------------------------------------------------------------------------------------


def field_board(
    played: PlayedMatch,
    players: Sequence[int],
    partings: Sequence[Parting],
    advice: Mapping[int, Advice],
    others: int,
    address: Address,
) -> Board:
    """Return the board of a player's decisions where most others chose differently.

    The others were in the same position. Each decision comes with the win chances that the coach
    found. `others` is how many other people have played the deal.
    """
    title = tr("**Deal of the day · {title}**", title=tr(played.rules.title))
    head = f"{title} · {tr('What others did')}"
    if others:
        head += "\n" + trn(
            "-# compared with {number} other who has played it",
            "-# compared with {number} others who have played it",
            others,
        )
    blocks = [Text(head)]
    blocks += [
        Text("\n".join(_parting(played, players, parting, advice[parting.seq])))
        for parting in partings
    ]
    if not others:
        blocks.append(Text(tr("Nobody else has played this deal yet.")))
    elif not partings:
        blocks.append(Text(tr("No surprises yet: you've played like everyone else.")))
    leads = tuple(
        Button("replay", tr("Show {place}", place=place), choice=f"at.{parting.seq}.c")
        for place, parting in enumerate(partings, 1)
    )
    return Board(GREEN, tuple(blocks), (leads,) if leads else (), address)


def _parting(
    played: PlayedMatch, players: Sequence[int], parting: Parting, advice: Advice
) -> list[str]:
    voice, rules = voice_of(players), played.rules
    theirs = Tried(parting.action.key if isinstance(parting.action, MakeBid) else None, 0, 0)
    tried = {choice.key: choice for choice in advice.tried}.get(theirs.key)
    lines = [
        tr(
            "**Round {number}:** you chose {own}; {went} of {others} chose {other}.",
            number=parting.round,
            own=voice.strong(action_text(advice.chosen, rules)),
            went=parting.went,
            others=parting.others,
            other=voice.strong(action_text(theirs, rules)),
        )
    ]
    mine = together(percent(advice.chosen.wins))
    if tried is None:
        coach = tr("-# Coach: win chance {share} after your move.", share=mine)
    else:
        coach = tr(
            "-# Coach: win chance {share} after your move, {other} after theirs.",
            share=mine,
            other=together(percent(tried.wins)),
        )
    return [*lines, coach]

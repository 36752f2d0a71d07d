"""Boards of people with odd names: Discord accepts them, nobody is mentioned, no markup stays open.

Each board shows a random state of a whole match, or records, seasons and the like. It is made a
second time with plain names, and must have the same number of lines. Some pictures are drawn too,
and each odd name is logged.
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final

from bot.boards.board import Address, Board
from bot.boards.practice import practice_board
from bot.boards.replay import replay_board
from bot.boards.showdown import MatchEnd, highlights_board, record_board
from bot.boards.stats import begun_board, leaders_board, seasons_board
from bot.boards.table import table_board
from bot.discord.layout import _in_words
from bot.discord.picture_job import png_of
from bot.language.catalogues import speaking
from bot.language.words import TypedText, plain
from bot.operations.logs import Redacting, _formatter
from bot.replays.played import PlayedMatch, seated_from, steps_of
from bot.stats.folding import PersonTotals, Scope
from bot.stats.standings import Season
from bot.tables.highlights import match_highlights
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.session_score import SessionScore
from engine.play import apply, start
from engine.state import Match, Phase
from engine.variants import VARIANTS
from engine.view import view_of
from tests.bot.boards.rounds import table
from tests.bot.replays.matches import whole
from tests.fuzz import odd
from tests.fuzz.discord_rules import check_board, texts

PEOPLE: Final = tuple(range(101, 107))
LONGEST: Final = 100  # characters of a name: Discord's own limit is 32
DRAWN_EVERY: Final = 40
# a mention, a link with a text, an emoji, a time; everybody; a link
_CALLS: Final = re.compile(r"<(?:@|#|/|a?:|t:|id:)|@everyone|@here|\[[^\]\n]*\]\(|https?://")
_ESCAPED: Final = re.compile(r"\\[\\*_~`|>\[#<@]")
_OURS: Final = re.compile(r"<@10[1-6]>|<t:\d+:D>")  # the bot's own mentions and times
_MARKS: Final = ("**", "__", "~~", "||", "`")


def judge(chance: Random) -> str:
    """Make one board and return its kind. Raises AssertionError if a check fails."""
    name = chance.choice(tuple(_BOARDS))
    odd_names = [odd.text(chance, ("Ann", "**Bob**", "a\nb"), LONGEST)[:LONGEST] for _ in PEOPLE]
    seed = chance.random()
    with speaking(chance.choice(("en", "pl"))):
        board = _BOARDS[name](Random(seed), odd_names)
        plainly = _BOARDS[name](Random(seed), ["Ann"] * len(PEOPLE))
        _check_markup(check_board(board), check_board(plainly))
        if board.pictures:  # pictures that are not drawn in time become words
            in_words = _in_words(board, tuple(board.pictures))
            _check_markup(check_board(in_words), None)
        if chance.randrange(DRAWN_EVERY) == 0:
            for picture in board.pictures:
                assert png_of(picture).startswith(b"\x89PNG"), "no picture"
    _check_log_line(odd_names[0])
    return name


def _check_markup(components: object, plainly: object) -> None:
    """Check that no text in `components` mentions anybody, has a link or leaves markup open.

    If `plainly`, the same board's components with plain names, is given, also check that odd names
    add no lines.
    """
    for text in texts(components):
        bare = _ESCAPED.sub("", _OURS.sub("", text))
        assert not _CALLS.search(bare), f"somebody is called, or it is linked: {text!r}"
        for mark in _MARKS:
            assert bare.count(mark) % 2 == 0, f"{mark} stays open in {text!r}"
    if plainly is not None:
        lines = [len(text.splitlines()) for text in texts(components)]
        usual = [len(text.splitlines()) for text in texts(plainly)]
        assert lines == usual, f"a name makes lines: {texts(components)!r}"


def _check_log_line(name: str) -> None:
    """Check that a logged name adds no lines and no colour codes to the log."""
    printable = name.encode("utf-8", "replace").decode()  # as it can be written to a stream
    for people in (False, True):
        record = logging.LogRecord(
            "bot", logging.INFO, "", 0, {"event": "met", "name": printable}, None, None
        )
        record.__dict__ |= {"_logger": logging.getLogger("bot"), "_name": "info"}  # structlog's
        line = Redacting(_formatter(people, []), ()).format(record)
        assert len(line.splitlines()) == 1, f"a name makes lines in the log: {line!r}"
        assert "\x1b[31m" not in line, f"a name colours the log: {line!r}"


# --- boards ---------------------------------------------------------------------------------------


@cache
def _play_match(game: str, players: int) -> tuple[PlayedMatch, tuple[Match, ...]]:
    """Return a whole match, and its state after each action with `PEOPLE` as its players."""
    played = whole(game, players, f"names {game} {players}", leave=players > 3)
    match = start(played.rules, PEOPLE[:players], played.opener)
    states = [match]
    for action in played.actions:
        match = apply(match, action)
        states.append(match)
    return played, tuple(states[1:])


def _any_match(chance: Random) -> tuple[PlayedMatch, tuple[Match, ...]]:
    return _play_match(chance.choice(sorted(VARIANTS)), chance.choice((2, 3, 6)))


def _known(names: list[str]) -> dict[int, TypedText]:
    return {player: TypedText(name) for player, name in zip(PEOPLE, names, strict=True)}


def _live(chance: Random) -> LiveTable:
    """Return a table in a random state of a match."""
    played, states = _any_match(chance)
    at = chance.randrange(len(states))
    over = states[at].phase is Phase.OVER
    people = PEOPLE[: len(played.seated)]
    stored = table(
        played.rules.key,
        Status.CLOSED if over or chance.random() < 0.1 else Status.PLAYING,
        players=people,
        host_id=people[0],
    )
    return LiveTable(stored, states[at], before=states[at - 1] if at else None)


def _table(chance: Random, names: list[str]) -> Board:
    live = _live(chance)
    known = _known(names)
    match_end = None
    if live.match is not None and live.match.phase is Phase.OVER:
        _, states = _play_match(live.table.variant, len(live.table.players))
        match_end = MatchEnd(match_highlights(states), SessionScore(2, ((PEOPLE[0], 2),)))
    return table_board(live, known, match_end=match_end, again=chance.random() < 0.8)


def _record(chance: Random, names: list[str]) -> Board:
    return record_board(_live(chance), _known(names))


def _practice(chance: Random, names: list[str]) -> Board:
    live = _live(chance)
    return practice_board(live, PEOPLE[0], _known(names))


def _replay(chance: Random, names: list[str]) -> Board:
    played, _ = _any_match(chance)
    people = PEOPLE[: len(played.seated)]
    seated = seated_from(people, _known(names))
    played = replace(played, seated=seated)
    steps = steps_of(played)
    return replay_board(played, people, steps, chance.randrange(len(steps)), Address(7, 3, 0))


def _highlights(chance: Random, names: list[str]) -> Board:
    _, states = _any_match(chance)
    return highlights_board(view_of(states[-1]), match_highlights(states), _known(names))


def _leaders(chance: Random, names: list[str]) -> Board:
    rows = [PersonTotals(player, matches=9, wins=3) for player in PEOPLE]
    known = _known(names)
    return leaders_board(rows, Scope(), TypedText(plain(names[0]) or "a"), known, 0, len(PEOPLE))


def _seasons(chance: Random, names: list[str]) -> Board:
    """Return a board about seasons with odd names."""
    seasons = [Season(number, plain(name) or "a", 1) for number, name in enumerate(names, 1)]
    return chance.choice((seasons_board(seasons), begun_board(seasons[0])))


_BOARDS: Final = {
    "table": _table,
    "record": _record,
    "practice": _practice,
    "replay": _replay,
    "highlights": _highlights,
    "leaderboard": _leaders,
    "seasons": _seasons,
}

"""Answers to /odds showdown as boards: who wins how often, drawn and in words."""

from __future__ import annotations

from typing import Final

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.boards.showdown_words import GAME_NAMES, how_counted
from bot.languages import ENGLISH, N_, figure, spoken, tr, trn
from bot.pictures.bar_chart import Bar, BarChart, chart_text
from bot.pictures.palette import GREEN, GREY
from bot.words import cards_text, kind_label, percent, short_kind, shortened, together
from engine.bids import Kind
from engine.cards import Cards
from engine.errors import TextError
from engine.odds import PRESETS, HandRank, PlayerOdds, Scenario, Showdown

_A_BLOCK: Final = 3  # players side by side that a phone shows
_MOST_TEXT: Final = 3900  # Discord takes 4,000 characters in all of a message's texts
# long ranges are cut so that a full table's lines keep within that
_LINES_ROOM: Final = 1600
_NAMES_ROOM: Final = 500
_FOOTER: Final = 100
_LEAST_ROOM: Final = 12
_LABEL: Final = 11
_TOO_MANY: Final = N_("-# Too much to list which hands they make: ask with fewer players.")


def game_name(scenario: Scenario) -> str:
    """The name of the game that is asked about."""
    key = next((key for key, rules in PRESETS.items() if rules == scenario.rules), "")
    return tr(GAME_NAMES.get(key, N_("Poker")))


def showdown_board(answer: Showdown, *, hands_too: bool = False) -> Board:
    """Win and tie of every player, with a picture and the same in words.

    `hands_too` adds which hands they make, if a message has room for that.
    """
    scenario = answer.scenario
    ties = any(one.tie for one in answer.players)
    chart = BarChart(
        tr("Who wins how often"),
        tr("paler: ties") if ties else tr("no ties"),
        tuple(_bars(answer)),
    )
    texts = [
        Text(f"## {game_name(scenario)}\n-# {_given(scenario)}"),
        Text("\n".join(_line(number, one, answer) for number, one in _numbered(answer))),
    ]
    if hands_too:
        tables = Text(_tables(answer))
        length = sum(len(text.markdown) for text in (*texts, tables))
        texts.append(tables if length <= _MOST_TEXT - _FOOTER else Text(tr(_TOO_MANY)))
    blocks: tuple[Block, ...] = (texts[0], ChartPicture(chart, chart_text(chart)), *texts[1:])
    return Board(GREEN, blocks, footer=f"-# {how_counted(answer)}")


def ranks_board(answer: Showdown) -> Board:
    """How often each player makes which hand, in per cent."""
    players = _numbered(answer)
    room = _NAMES_ROOM // len(players)
    names = "\n".join(f"-# P{number}: {_cards(one, room)}" for number, one in players)
    blocks: tuple[Block, ...] = (
        Text(f"**{tr('What they make, in %')}** · {game_name(answer.scenario)}\n{names}"),
        Text(_tables(answer)),
    )
    return Board(GREY, blocks, footer=f"-# {how_counted(answer)}")


def _given(scenario: Scenario) -> str:
    parts = []
    if scenario.board:
        parts.append(tr("board {cards}", cards=cards_text(scenario.board)))
    if scenario.dead:
        parts.append(tr("dead {cards}", cards=cards_text(scenario.dead)))
    return " · ".join(parts) or tr("no public cards yet")


def _numbered(answer: Showdown) -> list[tuple[int, PlayerOdds]]:
    return list(enumerate(answer.players, start=1))


def _cards(player: PlayerOdds, room: int) -> str:
    """Cards as people read them, a range as it was typed, in at most about `room` characters."""
    return shortened(_said(player), max(room, _LEAST_ROOM))


def _said(player: PlayerOdds) -> str:
    if not player.cards:
        return tr("unknown")
    try:
        return cards_text(Cards.parse(player.cards))
    except TextError:
        return player.cards


def _bars(answer: Showdown) -> list[Bar]:
    return [
        Bar(
            f"P{number} {_cards(one, _LINES_ROOM // len(answer.players))}",
            one.win / answer.deals,
            tr("tie {share}", share=percent(one.tie / answer.deals)) if one.tie else "",
            also=one.tie / answer.deals,
        )
        for number, one in _numbered(answer)
    ]


def _line(number: int, player: PlayerOdds, answer: Showdown) -> str:
    deals = answer.deals
    room = _LINES_ROOM // len(answer.players)
    return tr(
        "**{who}** wins {wins}, ties {ties}, worth {worth} of the pot",
        who=f"P{number} {_cards(player, room)}",
        wins=_share(player.win / deals),
        ties=_share(player.tie / deals),
        worth=_share(float(player.value)),
    )


def _tables(answer: Showdown) -> str:
    players = _numbered(answer)
    tables = [
        _ranks(players[at : at + _A_BLOCK], answer.deals) for at in range(0, len(players), _A_BLOCK)
    ]
    return "\n".join(f"```\n{table}\n```" for table in tables)


def _share(probability: float) -> str:
    return together(percent(probability))


def _ranks(players: list[tuple[int, PlayerOdds]], deals: int) -> str:
    lines = [" " * _LABEL + "".join(f"{f'P{number}':>7}" for number, _ in players)]
    for rank in HandRank:
        counts = [one.ranks[rank] for _, one in players]
        if any(counts) or rank is not HandRank.FIVE:
            shares = "".join(f"{figure(100 * ways / deals, '.2f'):>7}" for ways in counts)
            lines.append(f"{shortened(_hand(rank), _LABEL - 1):<{_LABEL}}{shares}")
    return "\n".join(lines)


def _hand(rank: HandRank) -> str:
    """A kind of hand where there is little room."""
    if spoken().key == ENGLISH:
        return short_kind(rank.label)
    return kind_label(Kind(rank.value))


def working_board(scenario: Scenario) -> Board:
    """While a long answer is being worked out."""
    text = trn(
        "**{game}**, {number} player: dealing…",
        "**{game}**, {number} players: dealing…",
        len(scenario.players),
        game=game_name(scenario),
    )
    return Board(GREY, (Text(text),))

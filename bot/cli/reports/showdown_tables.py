"""A showdown's answer as text: a heading that says what was asked, a column for each player."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING, Final

from bot.boards.showdown_words import GAME_NAMES, how_counted, range_kinds, range_size
from bot.cli.output import WIDTH, paragraph
from bot.language.words import capital

if TYPE_CHECKING:
    from engine.odds.showdown.equity import PlayerOdds, Showdown

_LABEL: Final = 15
_COLUMN: Final = 8
_MEANT: Final = 160  # characters of how a range was understood: two lines


def table(answer: Showdown, by_cards: bool = False) -> str:
    """A heading that says what was asked, then a column per player, in per cent.

    `by_cards`: nobody named the game, it was told by the cards.
    """
    from engine.odds.showdown.ranking import HandRank

    scenario = answer.scenario
    rows = [
        (rank.label, [player.ranks[rank] for player in answer.players])
        for rank in scenario.rules.ranking.kinds
        if rank is not HandRank.FIVE or scenario.rules.five_possible
    ]
    rows += _pots(answer.players)
    lines = [(name, [count / answer.deals for count in counts]) for name, counts in rows]
    lines.append(("Value", [float(player.value) for player in answer.players]))
    seats = range(len(answer.players))
    most = (WIDTH - _LABEL) // _COLUMN
    blocks = [_block(lines, seats[at : at + most]) for at in range(0, len(seats), most)]
    return "\n\n".join(["\n".join(_heading(answer, by_cards)), *blocks])


def _pots(players: tuple[PlayerOdds, ...]) -> list[tuple[str, list[int]]]:
    """Who takes the pot; of a split one, who takes which half."""
    halves = [player.halves for player in players if player.halves is not None]
    if not halves:
        return [
            ("Win", [player.win for player in players]),
            ("Tie", [player.tie for player in players]),
        ]
    return [
        ("Scoop", [one.scoop for one in halves]),
        ("Part of it", [player.tie for player in players]),
        ("Three quarters", [one.three_quarters for one in halves]),
        ("Quartered", [one.quartered for one in halves]),
        ("Best high", [one.high for one in halves]),
        ("Best low", [one.low for one in halves]),
    ]


def _block(lines: list[tuple[str, list[float]]], seats: range) -> str:
    """The table of some of the players."""
    rows = [f"{'':<{_LABEL}}" + "".join(f"{f'P{seat + 1}':>{_COLUMN}}" for seat in seats)]
    for name, shares in lines:
        if name in ("Win", "Scoop"):
            rows.append("-" * len(rows[0]))
        cells = "".join(f"{100 * shares[seat]:{_COLUMN}.1f}" for seat in seats)
        rows.append(f"{name:<{_LABEL}}{cells}")
    return "\n".join(rows)


def _heading(answer: Showdown, by_cards: bool) -> list[str]:
    from engine.odds.showdown.games import PRESETS, game_of
    from engine.odds.showdown.ranges import Range

    scenario, rules = answer.scenario, answer.scenario.rules
    lines = [
        f"Private cards: {rules.private} ({rules.usable_private} usable)",
        f"Board cards: {rules.public} ({rules.usable_public} usable)",
    ]
    key = game_of(rules, len(answer.players), len(scenario.dead))
    if key is not None:
        how = ", by the cards of a hand (--game names another)" if by_cards else ""
        lines.insert(0, GAME_NAMES[key] + how)
    if key is not None and rules != PRESETS[key]:
        lines[2] += ": the last card is everybody's, as the pack has no seven for each"
    if rules.five_possible:
        wild = [f"{rules.jokers} jokers"] if rules.jokers else []
        wild += [str(rules.wild)] if rules.wild else []
        lines.append(f"Wild cards: {', '.join(wild)}")
    split = ", half the pot for the best low hand (eight or better)" if rules.hi_lo else ""
    lines.append(f"Ranking: {rules.ranking.label}{split}")
    if scenario.board:
        lines.append(f"Board: {scenario.board}")
    if scenario.dead:
        lines.append(f"Dead cards: {scenario.dead}")
    for seat, (held, player) in enumerate(
        zip(scenario.players, answer.players, strict=True), start=1
    ):
        size = f" ({range_size(held)})" if isinstance(held, Range) else ""
        kinds = range_kinds(held) if isinstance(held, Range) else ""
        meant = f": {shorten(kinds, _MEANT, placeholder=' …')}" if kinds else ""
        lines.append(f"Player {seat}: {player.cards or 'unknown'}{size}{meant}")
    lines.append(capital(how_counted(answer)))
    return [paragraph(line, hanging="  ") for line in lines]

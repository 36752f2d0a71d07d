"""A showdown's answer as text and as a picture."""

from __future__ import annotations

from io import BytesIO
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from bot.boards.showdown_words import GAME_NAMES, how_counted, range_kinds, range_size
from bot.cli.output import WIDTH, paragraph
from bot.language.words import capital, percent, truncate
from bot.pictures import palette
from bot.pictures.palette import web

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from engine.odds.showdown.each_hand import EquityCurve
    from engine.odds.showdown.equity import PlayerOdds, Showdown

_LABEL: Final = 15
_COLUMN: Final = 8
_MEANT: Final = 160  # characters for how a range was understood: two lines


def table(answer: Showdown, by_cards: bool = False) -> str:
    """Return a heading that repeats the question, then a column for each player, in per cent.

    `by_cards`: the game was inferred from the cards. With side pots, each player's chips follow. If
    a hand without opponents was asked about, there is no table below the heading.
    """
    from engine.odds.showdown.ranking import HandRank

    scenario = answer.scenario
    if answer.only_hits:
        return "\n".join(_heading(answer, by_cards))
    rows = [
        (rank.label, [player.ranks[rank] for player in answer.players])
        for rank in scenario.rules.ranking.kinds
        if rank in answer.players[0].ranks
        and (rank is not HandRank.FIVE or scenario.rules.five_possible)
    ]
    rows += _pots(answer.players, twice=scenario.second is not None)
    lines = [(name, [count / answer.deals for count in counts]) for name, counts in rows]
    lines.append(("Value", [float(player.value) for player in answer.players]))
    seats = range(len(answer.players))
    most = (WIDTH - _LABEL) // _COLUMN
    blocks = [_block(lines, seats[at : at + most]) for at in range(0, len(seats), most)]
    if answer.pots is not None:
        from bot.cli.reports.showdown_pots import pots_text

        blocks.append(pots_text(answer.pots, scenario))
    return "\n\n".join(["\n".join(_heading(answer, by_cards)), *blocks])


def _pots(players: tuple[PlayerOdds, ...], *, twice: bool) -> list[tuple[str, list[int]]]:
    """Return rows about the pot. Each is a label and every player's number of deals.

    The rows are wins and ties, or the parts of a pot that is split in halves. If `twice`, the
    halves are for two boards, otherwise for high and low.
    """
    halves = [player.halves for player in players if player.halves is not None]
    if not halves:
        return [
            ("Win", [player.win for player in players]),
            ("Tie", [player.tie for player in players]),
        ]
    if twice:
        return [
            ("Scoop", [player.win for player in players]),
            ("Split", [player.tie for player in players]),
            ("Lose", [player.lose for player in players]),
            ("Best on first", [half.high for half in halves]),
            ("Best on second", [half.low for half in halves]),
        ]
    return [
        ("Scoop", [half.scoop for half in halves]),
        ("Part of it", [player.tie for player in players]),
        ("Three quarters", [half.three_quarters for half in halves]),
        ("Quartered", [half.quartered for half in halves]),
        ("Best high", [half.high for half in halves]),
        ("Best low", [half.low for half in halves]),
    ]


def _block(lines: list[tuple[str, list[float]]], seats: range) -> str:
    """Return the table's columns for the players in `seats`: a heading, then a row for each line.

    A line has a label and each player's share from 0 to 1, which is shown in per cent.
    """
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
    from engine.odds.showdown.strength import top_share

    scenario, rules = answer.scenario, answer.scenario.rules
    lines = [
        f"Private cards: {rules.private} ({rules.usable_private} usable)",
        f"Board cards: {rules.public} ({rules.usable_public} usable)",
    ]
    key = game_of(rules.tame, len(answer.players), len(scenario.dead))
    if key is not None:
        how = ", by the cards of a hand (--game names another)" if by_cards else ""
        lines.insert(0, GAME_NAMES[key] + how)
    if key is not None and not rules.tame.plays_like(PRESETS[key]):
        lines[2] += ": the last card is everybody's, as the pack has no seven for each"
    if rules.five_possible:
        plural = "s" if rules.jokers > 1 else ""
        wild = [f"{rules.jokers} joker{plural}"] if rules.jokers else []
        wild += [str(rules.wild)] if rules.wild else []
        lines.append(f"Wild cards: {', '.join(wild)}")
    split = ", half the pot for the best low hand (eight or better)" if rules.hi_lo else ""
    lines.append(f"Ranking: {rules.ranking.label}{split}")
    if scenario.second is not None and scenario.second != scenario.board:
        lines.append(f"Boards: {scenario.board} | {scenario.second}, half of the pot each")
    elif scenario.board or scenario.second is not None:
        twice = ", run twice" if scenario.second is not None else ""
        lines.append(f"Board: {scenario.board or 'no cards yet'}{twice}")
    if scenario.dead:
        lines.append(f"Dead cards: {scenario.dead}")
    if scenario.drawing is not None:
        lines.append(f"Draws left: {scenario.drawing.draws}")
    for seat, (held, player) in enumerate(
        zip(scenario.players, answer.players, strict=True), start=1
    ):
        size = f" ({range_size(held)})" if isinstance(held, Range) else ""
        kinds = range_kinds(held) if isinstance(held, Range) else ""
        meant = f": {shorten(kinds, _MEANT, placeholder=' …')}" if kinds else ""
        name = scenario.name(seat - 1)
        title = f"Player {seat} ({name})" if name else f"Player {seat}"
        keeps = f", keeps cards up to {limit}" if (limit := scenario.limit(seat - 1)) else ""
        lines.append(f"{title}: {player.cards or 'unknown'}{size}{meant}{keeps}")
    share = top_share(scenario)
    if share is not None:
        lines.append(
            f"Strength: among the top {percent(float(share))} of hands against one random hand"
        )
    if answer.condition is not None:
        chance = answer.condition
        of_all = f"{chance.favourable:,} of {chance.total:,}"
        lines.append(f'Given "{chance.text}": {percent(chance.probability)} of deals ({of_all})')
    lines.append(capital(how_counted(answer)))
    return [paragraph(line, hanging="  ") for line in lines]


_INK: Final = web(palette.REPORT_INK)
_MOST_IN_RANKS: Final = 6
_LABEL_FROM: Final = 0.06
_LONGEST_NAME: Final = 22


def showdown_png(answer: Showdown, curve: EquityCurve | None = None) -> bytes:
    """Return a PNG of each player's wins, ties and kinds of hands, and the `curve` if there is one.

    Uses no global state of matplotlib's, so it may run in any thread.
    """
    from matplotlib.figure import Figure

    players = len(answer.players)
    ranked = bool(answer.players[0].ranks)
    height = 1.6 + 0.42 * players + (3.4 if ranked else 0) + (3.4 if curve else 0)
    figure = Figure(
        figsize=(9, height), dpi=120, layout="constrained", facecolor=web(palette.REPORT_PAPER)
    )
    heights = (0.9 + 0.42 * players, *((3.4,) * (ranked + (curve is not None))))
    drawn = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    _draw_bars(answer, drawn[0])
    if ranked:
        _draw_ranks(answer, drawn[1])
    if curve is not None:
        _draw_curve(curve, drawn[-1])
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def _name(answer: Showdown, seat: int) -> str:
    held = answer.players[seat].cards or "unknown"
    name = truncate(answer.scenario.name(seat), _LONGEST_NAME)
    return f"{f'{seat + 1} {name}'.strip()}: {truncate(held, _LONGEST_NAME)}"


def _draw_bars(answer: Showdown, axes: Axes) -> None:
    """Draw a bar for each player, from win (left) to lose (right), in per cent of deals.

    The player's share of the pot is to the right of the bar.
    """
    rows = range(len(answer.players))
    left = [0.0] * len(answer.players)
    for label, colour, ink, counts in (
        (
            "win",
            palette.REPORT_WIN,
            web(palette.REPORT_PAPER),
            [player.win for player in answer.players],
        ),
        ("tie", palette.REPORT_TIE, _INK, [player.tie for player in answer.players]),
        ("lose", palette.REPORT_LOSE, _INK, [player.lose for player in answer.players]),
    ):
        widths = [count / answer.deals for count in counts]
        axes.barh(rows, widths, left=left, color=web(colour), label=label, height=0.72)
        for row, width in zip(rows, widths, strict=True):
            if width >= _LABEL_FROM:
                text = percent(width, 1)
                axes.text(left[row] + width / 2, row, text, ha="center", va="center", color=ink)
        left = [at + width for at, width in zip(left, widths, strict=True)]
    for row, player in enumerate(answer.players):
        axes.text(1.01, row, percent(float(player.value), 2), va="center", color=_INK)
    axes.text(1.01, -0.75, "value", va="bottom", color=_INK, fontweight="bold")
    axes.set_yticks(list(rows), [_name(answer, seat) for seat in rows])
    axes.set_xlim(0, 1)
    axes.set_ylim(len(answer.players) - 0.5, -0.5)
    axes.set_xticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.legend(ncols=3, frameon=False, loc="upper left", bbox_to_anchor=(0, -0.01))
    axes.set_title(_title(answer), loc="left", color=_INK, pad=16)


def _title(answer: Showdown) -> str:
    board = f"board {answer.scenario.board}" if answer.scenario.board else "before the board"
    if not answer.scenario.rules.public:
        board = f"{answer.scenario.rules.private} cards each"
    if answer.standard_error is None:
        return f"Showdown, {board} · exact, {answer.deals:,} deals"
    error = percent(answer.standard_error, 2)
    return f"Showdown, {board} · sampled, {answer.deals:,} deals, ± {error}"


def _draw_ranks(answer: Showdown, axes: Axes) -> None:
    """Draw how often each of the first six players ends with each kind of hand."""
    from engine.odds.showdown.ranking import HandRank

    five = answer.scenario.rules.five_possible
    listed = answer.scenario.rules.ranking.kinds
    kinds = [rank for rank in listed if five or rank is not HandRank.FIVE]
    first_players = answer.players[:_MOST_IN_RANKS]
    width = 0.8 / len(first_players)
    for seat, player in enumerate(first_players):
        at = [kind + (seat - (len(first_players) - 1) / 2) * width for kind in range(len(kinds))]
        heights = [100 * player.ranks[kind] / answer.deals for kind in kinds]
        drawn = axes.bar(
            at,
            heights,
            width * 0.92,
            color=web(palette.REPORT_PLAYERS[seat]),
            label=_name(answer, seat),
        )
        if len(first_players) <= 3:
            axes.bar_label(drawn, fmt="%.1f", fontsize=7, color=_INK)
    axes.set_xticks(range(len(kinds)), [kind.label for kind in kinds], rotation=20, ha="right")
    axes.set_ylabel("% of deals")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


def _draw_curve(curve: EquityCurve, axes: Axes) -> None:
    """Draw the pot share of each hand, largest share first."""
    values = [100 * float(value) for value, _ in curve.points]
    parts = [0.0, *(100 * float(part) for _, part in curve.points)]
    axes.stairs(values, parts, fill=True, color=web(palette.REPORT_PLAYERS[curve.seat]))
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.grid(color=web(palette.REPORT_GRID))
    axes.set_axisbelow(True)
    axes.set_ylabel(f"% of the pot for player {curve.seat + 1}")
    whose = "their own hands" if curve.of_own_hands else "the hands they meet"
    axes.set_xlabel(f"% of {whose}")
    axes.spines[["top", "right"]].set_visible(False)

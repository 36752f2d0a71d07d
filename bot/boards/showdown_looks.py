"""How a range hits the board, and equity curves, as boards: drawn and in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from bot.boards.board import Block, Board, ChartPicture, Text
from bot.boards.showdown_odds import cards_given, game_name, held_by
from bot.boards.showdown_words import CloseLook, Look
from bot.language.catalogues import N_, figure, tr, trn
from bot.language.words import percent, together
from bot.pictures.curve_chart import CurveChart, curve_chart_text
from bot.pictures.hit_chart import HitChart, HitRow, hit_chart_text
from bot.pictures.palette import GREEN
from engine.odds import Draw, EquityCurve, Hits, Made, Scenario
from engine.odds.showdown.each_hand import has_curve, has_grid
from engine.odds.showdown.hits import has_hits, open_seats
from engine.odds.showdown.next_card import has_next_card

_TITLE_ROOM: Final = 80  # characters of a picture's title: two lines
MOST_HITS: Final = 3  # ranges of which a message shows what they hit
# what a colour stands for: the first of these groups that a class is in, by its weakest
_GROUPS: Final = (
    (N_("two pair and better"), Made.TWO_PAIR),
    (N_("overpair, top pair"), Made.TOP_PAIR_WEAK),
    (N_("weaker pairs"), Made.LOW_PAIR),
    (N_("no pair"), Made.AIR),
)
_AGAINST: Final = N_(
    "{who} has at least half of the pot against {half} of the hands, and {middle} or more against"
    " half of them"
)
_WITH_OWN: Final = N_(
    "{who} has at least half of the pot with {half} of the hands, and {middle} or more with half"
    " of them"
)
_CLASSES: Final = tuple(Made)


def close_looks(scenario: Scenario) -> tuple[CloseLook, ...]:
    """The looks that a question has."""
    looks = []
    if has_next_card(scenario):
        looks.append(CloseLook(Look.NEXT_CARD, tr("Card by card")))
    if has_grid(scenario):
        looks.append(CloseLook(Look.EACH_HAND, tr("Hand by hand")))
    if has_hits(scenario) and seats_shown(scenario):
        looks.append(CloseLook(Look.HITS, tr("What it hits")))
    if has_curve(scenario):
        looks.append(CloseLook(Look.CURVE, tr("Equity curve")))
    return tuple(looks)


def seats_shown(scenario: Scenario) -> list[int]:
    """Of whom it is shown what they hit: each range once, and one player of unknown cards."""
    seats: list[int] = []
    for seat in open_seats(scenario):
        if scenario.players[seat] not in [scenario.players[shown] for shown in seats]:
            seats.append(seat)
    return seats[:MOST_HITS]


def hits_board(scenario: Scenario, found: Sequence[tuple[int, Hits]]) -> Board:
    """What the hands of some players have made and draw to, a picture each."""
    blocks: list[Block] = [
        Text(f"**{tr('What it hits')}** · {game_name(scenario)}\n-# {cards_given(scenario)}")
    ]
    for seat, own in found:
        chart = _hit_chart(scenario, seat, own)
        blocks.append(ChartPicture(chart, hit_chart_text(chart)))
    footer = tr("every hand looked at, those that cannot be held left out")
    return Board(GREEN, tuple(blocks), footer=f"-# {footer}")


def _hit_chart(scenario: Scenario, seat: int, own: Hits) -> HitChart:
    group_of = {
        made: next(
            number
            for number, (_, weakest) in enumerate(_GROUPS)
            if _CLASSES.index(made) <= _CLASSES.index(weakest)
        )
        for made in Made
    }
    shares = [Fraction(0)] * len(_GROUPS)
    for made, part in own.made.items():
        shares[group_of[made]] += part.share
    board = " ".join(card.symbol for card in scenario.in_order)
    hands = trn("{count} hand", "{count} hands", own.hands, count=figure(own.hands, ","))
    return HitChart(
        f"P{seat + 1} {held_by(scenario, seat, _TITLE_ROOM).drawn}",
        f"{board} · {hands}",
        tuple((tr(words), float(share)) for (words, _), share in zip(_GROUPS, shares, strict=True)),
        tuple(
            HitRow(tr(made.label), figure(part.hands, ","), float(part.share), group_of[made])
            for made, part in own.made.items()
            if part.hands
        ),
        tr("and draws to"),
        tuple(_draw_row(draw, own) for draw in Draw if own.draws[draw].hands),
    )


def _draw_row(draw: Draw, own: Hits) -> HitRow:
    part = own.draws[draw]
    return HitRow(tr(draw.label), figure(part.hands, ","), float(part.share))


def curve_board(scenario: Scenario, curve: EquityCurve) -> Board:
    """Against how many hands a player has at least so much of the pot, drawn and in words."""
    who = held_by(scenario, curve.seat)
    subtitle = (
        tr("share of the pot, by part of their own hands")
        if curve.of_own_hands
        else tr("share of the pot, by part of the hands they meet")
    )
    chart = CurveChart(
        tr("Equity curve of {who}", who=f"P{curve.seat + 1} {who.drawn}"),
        subtitle,
        tuple((float(value), float(part)) for value, part in curve.points),
    )
    half = max((part for value, part in curve.points if 2 * value >= 1), default=Fraction(0))
    middle = curve.at(Fraction(1, 2))
    lines = [
        f"**{tr('Equity curve')}** · {game_name(scenario)}",
        f"-# {cards_given(scenario)}",
        tr(
            _WITH_OWN if curve.of_own_hands else _AGAINST,
            who=f"P{curve.seat + 1} {who}",
            half=together(percent(float(half))),
            middle=together(percent(float(middle))),
        ),
    ]
    picture = ChartPicture(chart, curve_chart_text(chart))
    footer = tr("every hand counted exactly")
    return Board(GREEN, (Text("\n".join(lines)), picture), footer=f"-# {footer}")

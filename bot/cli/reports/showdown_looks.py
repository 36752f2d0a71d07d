"""Closer looks at a showdown, as text and JSON: by next card, by street, by hand.

Also hold'em before the flop, as grids and CSV.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from bot.boards.showdown_words import outs_text
from bot.cli.output import paragraph
from engine.cards import RANK_CHARS, Card, Rank, Suit
from engine.odds.showdown.each_hand import GridCell, check_grid, grid_labels, hand_grid
from engine.odds.showdown.equity import Effort, Showdown
from engine.odds.showdown.next_card import (
    NextCard,
    Outs,
    check_next,
    check_streets,
    next_cards,
    outs,
    streets,
)
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from engine.odds.showdown.preflop import KindMatchups

_CELL: Final = 5
_NOTHING: Final = "."


@dataclass(frozen=True, slots=True)
class CardByCard:
    """Outs, and how each next card changes the shares of the pot."""

    scenario: Scenario
    cards: tuple[NextCard, ...]
    outs: tuple[Outs, ...] | None

    check = staticmethod(check_next)

    @staticmethod
    def of(scenario: Scenario, effort: Effort) -> CardByCard:
        """Compute the answer within the limits of `effort`."""
        return CardByCard(scenario, next_cards(scenario, effort), outs(scenario))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document.

        "next" has an entry for each card: every player's share of the pot after it, its probability
        (None if sampled), and whether it is exact. "outs" has each player's outs, if they can be
        counted (`next_card.outs`).
        """
        total = sum(next_card.deals for next_card in self.cards)
        document: dict[str, Any] = {
            "next": [
                {
                    "card": str(next_card.card),
                    "values": [float(value) for value in next_card.values],
                    "probability": next_card.deals / total if next_card.exact else None,
                    "exact": next_card.exact,
                }
                for next_card in self.cards
            ]
        }
        if self.outs is not None:
            document["outs"] = [
                {
                    "ahead": seat_outs.ahead,
                    "wins": [str(card) for card in seat_outs.wins],
                    "ties": [str(card) for card in seat_outs.ties],
                }
                for seat_outs in self.outs
            ]
        return document

    def text(self) -> str:
        """Return the outs in words, then a grid for each player, ranks across and suits down.

        With two players, only the first has a grid: the second gets the rest of the pot.
        """
        lines = []
        for seat, seat_outs in enumerate(self.outs or (), start=1):
            lines += [paragraph(line, hanging="  ") for line in _outs_lines(seat, seat_outs)]
        exact = "" if all(next_card.exact for next_card in self.cards) else " (sampled)"
        grids = [
            f"Player {seat + 1} after the next card, share of the pot in %{exact}\n"
            + self._grid(seat)
            # with two players, the second has the rest of the pot
            for seat in range(len(self.scenario.players))
            if len(self.scenario.players) != 2 or seat == 0
        ]
        return "\n\n".join((["\n".join(lines)] if lines else []) + grids)

    def _grid(self, seat: int) -> str:
        values = {next_card.card: float(next_card.values[seat]) for next_card in self.cards}
        ranks, suits = [*reversed(Rank)], [*reversed(Suit)]
        return grid_text(
            [[values.get(Card.of(rank, suit)) for rank in ranks] for suit in suits],
            [suit.char for suit in suits],
            [rank.char for rank in ranks],
        )


def _outs_lines(seat: int, seat_outs: Outs) -> list[str]:
    lines = []
    if seat_outs.ahead:
        lines.append(f"Player {seat} is ahead")
    elif seat_outs.wins:
        noun = "out" if len(seat_outs.wins) == 1 else "outs"
        lines.append(f"Player {seat} has {len(seat_outs.wins)} {noun}: {outs_text(seat_outs.wins)}")
    else:
        lines.append(f"Player {seat} has no outs")
    if seat_outs.ties:
        lines.append(f"Player {seat} ties with {outs_text(seat_outs.ties)}")
    return lines


@dataclass(frozen=True, slots=True)
class StreetByStreet:
    """Each player's share of the pot before the flop and after each street."""

    by_street: tuple[tuple[str, Showdown], ...]

    check = staticmethod(check_streets)

    @staticmethod
    def of(scenario: Scenario, effort: Effort) -> StreetByStreet:
        """Count the answer within the limits of `effort`."""
        return StreetByStreet(streets(scenario, effort))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document.

        Under "streets": each street, with its board in order and every player's share of the pot.
        """
        return {
            "streets": [
                {
                    "street": name,
                    "board": " ".join(map(str, answer.scenario.in_order)),
                    "exact": answer.exact,
                    "values": [float(player.value) for player in answer.players],
                }
                for name, answer in self.by_street
            ]
        }

    def text(self) -> str:
        """Return a line for each street."""
        players = range(len(self.by_street[0][1].players))
        lines = [f"{'Street by street':<26}" + "".join(f"{f'P{n + 1}':>8}" for n in players)]
        for name, answer in self.by_street:
            head = f"{name.capitalize()} {' '.join(map(str, answer.scenario.in_order))}".strip()
            values = "".join(f"{100 * float(player.value):8.1f}" for player in answer.players)
            lines.append(f"{head:<26}{values}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class HandByHand:
    """Pot shares of a known hand against each kind of hand, or of each kind in a player's range."""

    cells: tuple[tuple[GridCell, ...], ...]
    of_range: bool

    check = staticmethod(check_grid)

    @staticmethod
    def of(scenario: Scenario, effort: Effort) -> HandByHand:
        """Count the answer within the limits of `effort`."""
        of_range = all(len(cards) < 2 for cards in scenario.known)
        return HandByHand(hand_grid(scenario, effort), of_range)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document.

        Under "grid": each kind of hand that can be held, with its combos and the share of the pot.
        """
        return {
            "grid": [
                {"hand": cell.label, "hands": cell.hands, "value": float(cell.value)}
                for row in self.cells
                for cell in row
                if cell.value is not None
            ]
        }

    def text(self) -> str:
        """Return the grid: suited hands right of the diagonal, offsuit ones left of it."""
        whose = "of each hand of player 1" if self.of_range else "against each hand"
        return f"Share of the pot in % {whose}, suited above the diagonal\n" + grid_text(
            [
                [None if cell.value is None else float(cell.value) for cell in row]
                for row in self.cells
            ],
            [row[at].label[0] for at, row in enumerate(self.cells)],
        )


def grid_text(
    values: Sequence[Sequence[float | None]],
    beside: Sequence[str],
    above: Sequence[str] | None = None,
) -> str:
    """Format shares (0 to 1) as a grid of whole per cents.

    `beside` labels the rows and `above`, by default the same, the columns.
    """
    rows = ["  " + "".join(f"{head:>{_CELL}}" for head in above or beside)]
    for head, row in zip(beside, values, strict=True):
        cells = (_NOTHING if value is None else f"{100 * value:.0f}" for value in row)
        rows.append(f"{head} " + "".join(f"{cell:>{_CELL}}" for cell in cells))
    return "\n".join(rows)


Every = Mapping[tuple[str, str], "KindMatchups"]


def against_random(every: Every) -> str:
    """Return each kind's share of the pot against a random hand, as a grid.

    Below are the five kinds with the largest shares and the five with the smallest.
    """
    points, boards = Counter[str](), Counter[str]()
    for (kind, _), matchup in every.items():
        points[kind] += 2 * matchup.win + matchup.tie
        boards[kind] += 2 * matchup.win + 2 * matchup.tie + 2 * matchup.lose
    shares = {kind: Fraction(points[kind], boards[kind]) for kind in points}
    best = sorted(shares, key=lambda kind: shares[kind], reverse=True)
    return "\n".join(
        [
            "Share of the pot in % against a random hand, suited above the diagonal",
            _grid(shares),
            "",
            f"Most: {', '.join(f'{kind} {100 * float(shares[kind]):.2f}' for kind in best[:5])}",
            f"Least: {', '.join(f'{kind} {100 * float(shares[kind]):.2f}' for kind in best[-5:])}",
        ]
    )


def against_each(hand: str, every: Every) -> str:
    """Return a grid with the pot share of `hand` against each kind of hand."""
    shares = {
        opponent: matchup.value for (kind, opponent), matchup in every.items() if kind == hand
    }
    heading = f"Share of the pot in % of {hand} against each hand, suited above the diagonal"
    return f"{heading}\n{_grid(shares)}"


def _grid(shares: Mapping[str, Fraction]) -> str:
    values = [[float(shares[label]) for label in row] for row in grid_labels()]
    return grid_text(values, RANK_CHARS[::-1])


def csv_lines(every: Every) -> Iterator[str]:
    """Yield a heading, then a line for each pair of kinds.

    A line has the two kinds, and the number of pairs of their combos. Over all boards of these
    pairs, it counts those that the first kind wins and those that are tied. It ends with the
    first kind's share of the pot, from 0 to 1.
    """
    yield "hand,against,pairs,win,tie,value"
    for (first, second), matchup in every.items():
        value = float(matchup.value)
        yield f"{first},{second},{matchup.pairs},{matchup.win},{matchup.tie},{value:.8f}"

"""The expected chips of a showdown with side pots, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.language.words import percent
from engine.odds.showdown.pots import chips_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from engine.odds.showdown.pots import Winnings
    from engine.odds.showdown.scenario import Scenario

_LABEL: Final = 15
_COLUMN: Final = 12


def pots_text(winnings: Winnings, scenario: Scenario) -> str:
    """Return a line for each pot, then a table of each player's chips.

    In a tournament, a second table shows what the stacks are worth.
    """
    stakes = scenario.stakes
    assert stakes is not None
    lines = []
    for number, pot in enumerate(winnings.pots):
        name = f"Side pot {number}" if number else "Main pot"
        shares = ", ".join(f"P{seat + 1} {percent(float(pot.shares[seat]))}" for seat in pot.seats)
        lines.append(f"{name}, {chips_text(pot.chips)}: {shares}")
    if winnings.refund is not None:
        seat, chips = winnings.refund
        lines.append(f"Returned to P{seat + 1}: {chips_text(chips)}")
    seats = range(len(stakes.bets))
    gains = [chips - bet for chips, bet in zip(winnings.chips, stakes.bets, strict=True)]
    rows: list[tuple[str, Sequence[Fraction | float]]] = [
        ("Put in", stakes.bets),
        ("Gets back", winnings.chips),
        ("Gain", gains),
    ]
    if winnings.errors is not None:
        rows.append(("Standard error", winnings.errors))
    lines += ["", *_rows([f"P{seat + 1}" for seat in seats], rows)]
    if winnings.before:
        names = [
            f"P{at + 1}" if at in seats else f"other {at + 1}" for at in range(len(stakes.stacks))
        ]
        change = [a - b for a, b in zip(winnings.after, winnings.before, strict=True)]
        rows = [
            ("Stack", stakes.stacks),
            ("Worth before", winnings.before),
            ("Worth after", winnings.after),
            ("Change", change),
        ]
        lines += ["", "In the tournament (ICM by Malmuth and Harville)", *_rows(names, rows)]
    return "\n".join(lines)


def _rows(
    names: Sequence[str], rows: Sequence[tuple[str, Sequence[Fraction | float]]]
) -> list[str]:
    """Return lines of text: a heading of names, then a row for each label.

    If a line would be wider than 80 characters, make blocks of five names.
    """
    if len(names) * _COLUMN + _LABEL > 80:
        blocks = [
            _rows(names[at : at + 5], [(label, row[at : at + 5]) for label, row in rows])
            for at in range(0, len(names), 5)
        ]
        return [line for block in blocks for line in block]
    lines = [" " * _LABEL + "".join(f"{name:>{_COLUMN}}" for name in names)]
    for label, numbers in rows:
        cells = "".join(f"{float(number):>{_COLUMN},.2f}" for number in numbers)
        lines.append(f"{label:<{_LABEL}}{cells}")
    return lines

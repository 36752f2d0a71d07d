"""How ranges hit, equity curves and the value of a call, as text and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any, Final

from bot.language.words import percent
from engine.errors import TextError
from engine.odds.showdown.each_hand import EquityCurve, check_curve, equity_curve
from engine.odds.showdown.equity import POT_EXAMPLE, Effort, PotOdds, Showdown, pot_odds
from engine.odds.showdown.hits import Hits, HitShare, check_hits, hits, keep_hits, open_seats
from engine.odds.showdown.made_hands import Draw, Made
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

_LABEL: Final = 24
_BAR_CELLS: Final = 30
_STEPS: Final = 10  # rows of an equity curve's table


def keep_hands(scenario: Scenario, wanted: str) -> Scenario:
    """Return the question with one player's hands narrowed to the hands that hit as `wanted`.

    That player is the last with a range or, without ranges, the last with unknown cards. Raises
    `TextError` if there is no such player, if `check_hits` refuses the question, if `wanted` can't
    be read, or if no hand is left.
    """
    _check_open(scenario)
    seats = open_seats(scenario)
    ranges = [seat for seat in seats if isinstance(scenario.players[seat], Range)]
    seat = (ranges or seats)[-1]
    players = list(scenario.players)
    players[seat] = keep_hits(scenario, seat, wanted)
    return replace(scenario, players=tuple(players))


def _check_open(scenario: Scenario) -> None:
    check_hits(scenario)
    if not open_seats(scenario):
        raise TextError(
            "",
            "there is no range and no unknown hand of which to tell what it hits",
            '--game holdem -p "9h 5h 2c" AhKd "QQ+, AKs" --hits',
        )


@dataclass(frozen=True, slots=True)
class HowItHits:
    """The made hands and draws of every range, and of players with unknown cards."""

    scenario: Scenario
    hits: tuple[tuple[int, Hits], ...]  # by seat

    check = staticmethod(_check_open)

    @staticmethod
    def of(scenario: Scenario, effort: Effort) -> HowItHits:
        """Classify every hand; `effort` is ignored."""
        seats = open_seats(scenario)
        return HowItHits(scenario, tuple((seat, hits(scenario, seat)) for seat in seats))

    def to_json(self) -> dict[str, Any]:
        """Return {"hits": ...}: each player's made hands and draws, with their number and share."""
        return {
            "hits": [
                {
                    "player": seat + 1,
                    "hands": hits.hands,
                    "made": _entries(hits.made_hands),
                    "draws": _entries(hits.draws),
                }
                for seat, hits in self.hits
            ]
        }

    def text(self) -> str:
        """Return a table for each player: the classes that occur, then draws."""
        return "\n\n".join(self._table(seat, hits) for seat, hits in self.hits)

    def _table(self, seat: int, hits: Hits) -> str:
        board = " ".join(map(str, self.scenario.in_order))
        noun = "hand" if hits.hands == 1 else "hands"
        head = f"What player {seat + 1} has made on {board}, of {hits.hands:,} {noun}"
        parts = [
            *(
                (hand_class.label, part)
                for hand_class, part in hits.made_hands.items()
                if part.hands
            ),
            ("", None),
            *((draw.label, part) for draw, part in hits.draws.items() if part.hands),
        ]
        most = max((float(part.share) for _, part in parts if part), default=0)
        lines = [head, f"{'':{_LABEL}}{'hands':>8}{'%':>8}"]
        for label, part in parts:
            if part is None:
                lines.append("-" * len(lines[1]))
                continue
            bar = "█" * round(_BAR_CELLS * float(part.share) / most)
            lines.append(
                f"{label:{_LABEL}}{part.hands:8,}{100 * float(part.share):8.1f}  {bar}".rstrip()
            )
        return "\n".join(lines)


def _entries(parts: Mapping[Made, HitShare] | Mapping[Draw, HitShare]) -> dict[str, Any]:
    return {
        hit.value: {"hands": part.hands, "share": float(part.share)} for hit, part in parts.items()
    }


@dataclass(frozen=True, slots=True)
class Curve:
    """For each share of the pot, the fraction of hands that give a player at least this share.

    The hands are the player's own if `curve.of_own_hands`, else those of their opponents.
    """

    curve: EquityCurve

    check = staticmethod(check_curve)

    @staticmethod
    def of(scenario: Scenario, effort: Effort) -> Curve:
        """Compute the curve, always exactly; `effort` is ignored."""
        return Curve(equity_curve(scenario))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document.

        Under "curve": the player, whether the hands are the player's own, and points (pot share,
        fraction of hands).
        """
        return {
            "curve": {
                "player": self.curve.seat + 1,
                "of_own_hands": self.curve.of_own_hands,
                "points": [[float(value), float(part)] for value, part in self.curve.points],
            }
        }

    def text(self) -> str:
        """Return a heading, then the pot share that 10 %, 20 % … 100 % of the hands reach."""
        whose = "of their own hands" if self.curve.of_own_hands else "of the hands they meet"
        lines = [f"Player {self.curve.seat + 1} has at least so much of the pot, by part {whose}"]
        for step in range(1, _STEPS + 1):
            value = float(self.curve.at(Fraction(step, _STEPS)))
            bar = "█" * round(_BAR_CELLS * value)
            lines.append(f"{step / _STEPS:>5.0%} {100 * value:6.1f}%  {bar}".rstrip())
        return "\n".join(lines)


def check_call(pot: float | None, call: float | None) -> tuple[Fraction, Fraction] | None:
    """Return (pot, call), or None if both are None.

    Raises `TextError` if only one is given, or if the amounts are impossible.
    """
    if pot is None and call is None:
        return None
    if pot is None or call is None or not (isfinite(pot) and isfinite(call)):
        reason = "what a call is worth depends on the pot and on the call: give both as numbers"
        raise TextError("", reason, POT_EXAMPLE)
    amounts = Fraction(str(pot)), Fraction(str(call))
    pot_odds(Fraction(0), *amounts)
    return amounts


@dataclass(frozen=True, slots=True)
class Called:
    """A call by the first player, and what it is worth."""

    odds: PotOdds
    error: float | None  # standard error of the share held; None if exact

    @staticmethod
    def of(answer: Showdown, pot: Fraction, call: Fraction) -> Called:
        """Return what the call is worth, given the first player's share of the pot in `answer`."""
        first = answer.players[0]
        return Called(pot_odds(first.value, pot, call), first.standard_error)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document.

        Under "call": the pot and the call, the share of the pot at which the call breaks even, the
        player's share, and the mean gain of the call in the unit of the pot. Shares are from 0 to
        1.
        """
        odds = self.odds
        names = ("pot", "call", "needed", "held", "worth")
        return {"call": {name: float(getattr(odds, name)) for name in names}}

    def text(self) -> str:
        """Return one line: the call, the share needed, the share held, and the value."""
        odds = self.odds
        worth = f"{float(odds.worth):+,.2f}".replace("-", "−")
        off = ""
        if self.error is not None:
            off = f" ± {self.error * float(odds.pot + odds.call):,.2f}"
        return (
            f"To call {float(odds.call):g} into {float(odds.pot):g}: needs"
            f" {percent(float(odds.needed))}, has {percent(float(odds.held))}; worth {worth}{off}"
        )

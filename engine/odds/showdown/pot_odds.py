"""What a call is worth: the share of the pot it needs, and the share that is held."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.errors import Reason, TextError

POT_EXAMPLE: Final = "--pot 60 --call 20"


@dataclass(frozen=True, slots=True)
class PotOdds:
    """A call of `call` into a pot of `pot`, in the unit in which both are given.

    `needed` is the share of the whole pot at which a call neither wins nor loses, `held` the share
    that the hand has at the showdown, and `worth` what calling wins on average if nobody bets any
    more; folding is worth 0.
    """

    pot: Fraction
    call: Fraction
    needed: Fraction
    held: Fraction
    worth: Fraction


def pot_odds(held: Fraction, pot: Fraction, call: Fraction) -> PotOdds:
    """What a call is worth to whoever holds that share of the pot.

    `pot` is what lies in the middle before the call, the bet that is called included. Raises
    `TextError` unless the call is more than nothing and the pot not less.
    """
    if pot < 0:
        raise TextError(
            str(pot),
            Reason("expected a pot of 0 or more, got {given}", given=f"{float(pot):g}"),
            POT_EXAMPLE,
        )
    if call <= 0:
        reason = Reason("expected a call of more than 0, got {given}", given=f"{float(call):g}")
        raise TextError(str(call), reason, POT_EXAMPLE)
    return PotOdds(pot, call, call / (pot + call), held, held * (pot + call) - call)

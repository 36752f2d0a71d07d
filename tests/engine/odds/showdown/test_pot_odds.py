"""What a call is worth."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import TextError
from engine.odds.showdown.pot_odds import pot_odds


def test_a_call_is_worth_its_part_of_the_pot_less_what_it_costs() -> None:
    found = pot_odds(Fraction(2, 5), Fraction(60), Fraction(20))
    assert found.needed == Fraction(1, 4)
    assert found.held == Fraction(2, 5)
    assert found.worth == 12  # two fifths of 80, less 20


def test_with_just_the_share_needed_it_is_worth_nothing() -> None:
    found = pot_odds(Fraction(0), Fraction(7, 2), Fraction(1, 2))
    assert pot_odds(found.needed, found.pot, found.call).worth == 0
    assert found.worth == -found.call


@pytest.mark.parametrize(
    ("pot", "call", "reason"),
    [(-1, 20, "expected a pot of 0 or more, got -1"), (60, 0, "a call of more than 0, got 0")],
)
def test_there_must_be_something_to_call(pot: int, call: int, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        pot_odds(Fraction(1, 2), Fraction(pot), Fraction(call))

"""What the odds say to a seat that is to act."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.odds
from engine.cards import Cards
from engine.odds import advise, bid_chance, seat_odds
from engine.ruleset import Ruleset
from engine.variants import ruleset
from tests.engine.odds.bids.test_exact import LIARS, RULESETS, seats

THAI = ruleset("thai_poker")


@pytest.mark.parametrize("rules", RULESETS)
def test_a_seats_odds_go_up_the_ladder_and_number_its_rungs(rules: Ruleset) -> None:
    odds = seat_odds(rules, 12, Cards.parse("As Kc"))
    assert [entry.bid for entry in odds] == list(rules.ladder)
    assert [entry.rung for entry in odds] == [rules.ladder.number(bid) for bid in rules.ladder]
    assert all(
        entry.chance == bid_chance(entry.bid, rules.deck, 12, Cards.parse("As Kc"))
        for entry in odds[::20]
    )


@settings(max_examples=40, deadline=None)
@given(draw=st.data())
def test_no_bid_is_both_stronger_and_as_likely_as_a_best_bid(draw: st.DataObject) -> None:
    rules = draw.draw(st.sampled_from(RULESETS))
    known = draw.draw(seats(rules, most=5))
    in_play = draw.draw(st.integers(max(1, len(known)), 24))
    standing = draw.draw(st.sampled_from([None, *rules.ladder]))
    advice = advise(rules, in_play, known, standing)
    lowest = rules.ladder.number(standing) if standing else 0
    legal = [entry for entry in seat_odds(rules, in_play, known) if entry.rung > lowest]
    for best in advice.best:
        assert best.rung > lowest
        rivals = [entry for entry in legal if entry.rung >= best.rung and entry != best]
        assert all(
            rival.chance.favourable < best.chance.favourable
            or (rival.rung == best.rung and rival.chance == best.chance)
            for rival in rivals
        )
    likeliest = max((entry.chance.favourable for entry in legal), default=0)
    if likeliest:
        assert advice.best[0].chance.favourable == likeliest
        chances = [entry.chance.favourable for entry in advice.best]
        assert chances == sorted(set(chances), reverse=True)
    else:
        assert advice.best == ()


def test_the_strongest_bid_is_the_highest_above_the_wanted_chance() -> None:
    known = Cards.parse("As Ah Kd *")
    for above in (0.0, 0.25, 0.5, 0.9):
        advice = advise(LIARS, 14, known, above=above)
        assert advice.strongest is not None
        assert advice.strongest.chance.above(above)
        assert not any(
            entry.chance.above(above)
            for entry in seat_odds(LIARS, 14, known)
            if entry.rung > advice.strongest.rung
        )
    assert advise(LIARS, 14, known, above=1.0).strongest is None


def test_the_standing_bid_comes_with_its_chance() -> None:
    standing = THAI.ladder.bid("pair:A")
    advice = advise(THAI, 8, standing=standing)
    assert advice.standing is not None
    assert (advice.standing.bid, advice.standing.rung) == (standing, 12)
    assert (advice.standing.chance.favourable, advice.standing.chance.total) == (299_421, 735_471)
    assert advise(THAI, 8).standing is None


def test_above_the_top_rung_there_is_nothing_to_bid() -> None:
    advice = advise(THAI, 8, standing=THAI.ladder.bid("royal_flush:s"))
    assert (advice.best, advice.strongest) == ((), None)


def test_a_standing_bid_that_the_game_lacks_is_an_error() -> None:
    with pytest.raises(KeyError):
        advise(THAI, 8, standing=LIARS.ladder.bid("pair:2"))


def test_single_bids_ladders_and_kinds_wait_for_no_compiler() -> None:
    program = """
import sys
from engine.odds import advise, bid_chance, kind_chances, ladder_chances
from engine.variants import ruleset
rules = ruleset("liars_poker")
bid_chance(rules.ladder.bid("pair:3"), rules.deck, 12)
ladder_chances(rules.ladder, rules.deck, 12)
kind_chances(rules.ladder.kinds, rules.deck, 12)
advise(rules, 12)
sys.exit(bool({"numba", "numpy"} & set(sys.modules)))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_public_names_are_listed_and_others_refused() -> None:
    for name in engine.odds.__all__:  # type: ignore[attr-defined]
        assert getattr(engine.odds, name) is not None
        assert name in dir(engine.odds)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = engine.odds.nonsense  # type: ignore[attr-defined]

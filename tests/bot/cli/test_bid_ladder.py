"""A whole ladder as text."""

from __future__ import annotations

import pytest

from bot.cli.reports.bid_ladder import ladder_lines, runs
from engine.bids import Kind
from engine.cards import Cards
from engine.odds import seat_odds
from engine.variants import ruleset

LIARS = ruleset("liars_poker")


@pytest.mark.parametrize("known", ["", "Ah Kd 8c *", "2c 3c 4c 5c 7c"])
def test_runs_hold_every_bid_of_a_kind_exactly_once(known: str) -> None:
    odds = seat_odds(LIARS, 14, Cards.parse(known))
    for kind in (Kind.PAIR, Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH):
        entries = [entry for entry in odds if entry.bid.kind is kind]
        folded = runs(entries)
        assert sum(len(run.bids) * max(1, len(run.suits)) for run in folded) == len(entries)
        chances = {entry.bid.key: entry.chance for entry in entries}
        for run in folded:
            assert all(chances[entry.bid.key] == run.chance for entry in run.bids)


def test_a_run_that_is_too_long_for_its_column_goes_on_below() -> None:
    lines = list(ladder_lines(LIARS, seat_odds(LIARS, 12, Cards.parse("Ah Kd *"))))
    (place,) = [at for at, line in enumerate(lines) if "pair of threes, pair of twos …" in line]
    assert lines[place].endswith("17.1%")
    assert lines[place + 1].strip() == "pair of queens, pair of jacks"


def test_without_a_likely_bid_none_is_marked() -> None:
    thai = ruleset("thai_poker")
    lines = list(ladder_lines(thai, seat_odds(thai, 1)))
    assert lines[-1] == "No bid is above 50%."
    assert not any("◄" in line for line in lines)

"""Better replies to opening bids, compared with a slow search of everything."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks import solve
from benchmarks.solving import mending
from benchmarks.solving.response import best_response
from engine.players.blueprint.abstraction import abstraction_of
from engine.players.blueprint.playing import blueprint_of
from engine.variants import ruleset

pytestmark = pytest.mark.long

THAI = ruleset("thai_poker")


def shipped_round(cards):
    """Return the abstraction and the strategy of a round; fail if they aren't shipped."""
    blueprint = blueprint_of(THAI, cards)
    assert blueprint is not None
    return blueprint


def hasty_round(cards=(1, 2)):
    """Return the abstraction of a round and a table that was solved for a moment only."""
    abstraction = abstraction_of(THAI, cards)
    assert abstraction is not None
    return abstraction, solve.solve(abstraction, 2, 30, 1)


def signed_deals(abstraction):
    chance = abstraction.chance
    return np.where(abstraction.true, chance, -chance).astype(np.float32)


def slow_value(signed, strategy, history, reach):
    """Return what each hand of the opener wins at best after `history`, which it ended.

    `reach` is the chance, for each hand of the replier, that it makes its bids.
    """
    chances = strategy.all_at(history) * reach[:, None]
    value = signed[history[-1]] @ chances[:, -1]
    for bid in np.flatnonzero(chances[:, :-1].any(axis=0)):
        raised = [
            slow_value(signed, strategy, [*history, bid, higher], chances[:, bid])
            for higher in range(bid + 1, len(signed))
        ]
        value = value + np.max([-signed[bid] @ chances[:, bid], *raised], axis=0)
    return value


@pytest.fixture
def _all_bids(monkeypatch):
    """Leave no bid of the table out."""
    for name in ("REPLIES", "SECOND"):
        monkeypatch.setattr(mending, name, 99)
    for name in ("RAREST", "RAREST_SECOND"):
        monkeypatch.setattr(mending, name, 1e-9)


@pytest.mark.usefixtures("_all_bids")
@pytest.mark.parametrize("bid", [4, 5, 10])
def test_an_opening_gains_what_a_slow_search_finds(bid):
    abstraction, strategy = hasty_round()
    signed = signed_deals(abstraction)
    table_value = np.full(len(signed[0]), -1, np.float32)
    subgame = mending.Subgame(signed, strategy, bid, table_value)
    value = slow_value(signed, strategy, [bid], np.ones(signed.shape[2]))
    assert subgame.loss(subgame.table_row()) == pytest.approx((value + 1).sum(), abs=1e-4)


def test_better_replies_leave_the_opponent_less():
    abstraction, strategy = hasty_round()
    mended = mending.mend_replies(abstraction, strategy, 31)
    before, after = (best_response(abstraction, each) for each in (strategy, mended))
    assert after.low[0] < before.low[0] - 0.005
    assert after.low[1] == before.low[1]
    opener, replier = mended.plans
    assert (opener.chances == strategy.plans[0].chances).all()
    for situation in replier.situations[np.bitwise_count(replier.situations) > 1]:
        standing = int(situation).bit_length() - 1
        row = strategy.plans[1].at(int(situation), standing)
        assert (replier.at(int(situation), standing) == row).all()


def test_replies_that_cost_nothing_stay(monkeypatch):
    monkeypatch.setattr(mending, "WORTH_IT", 2)
    abstraction, strategy = shipped_round((1, 3))
    mended = mending.mend_replies(abstraction, strategy, 31)
    for plan, plan_again in zip(strategy.plans, mended.plans, strict=True):
        for column, column_again in zip(
            vars(plan).values(), vars(plan_again).values(), strict=True
        ):
            assert np.array_equal(column, column_again)
    assert mended.memory == strategy.memory


def test_a_round_of_all_bids_is_not_mended(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["solve", "thai", "1-1", "--mend"])
    solve.main()
    assert not capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["solve", "thai", "7-1", "--mend"])
    with pytest.raises(SystemExit):
        solve.main()
    assert "can't be mended" in capsys.readouterr().err

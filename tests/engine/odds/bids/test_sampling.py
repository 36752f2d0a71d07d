"""Sampled chances: an independent check of the exact chances."""

from __future__ import annotations

from math import sqrt
from threading import Event
from time import sleep

import numpy as np
import pytest

from engine.bids import holds
from engine.cards import Cards
from engine.odds import (
    Chance,
    Estimate,
    OddsError,
    Trial,
    kind_chances,
    ladder_chances,
    sample_bids,
    sample_kinds,
)
from engine.odds.bids import sampling
from engine.odds.bids.kernels import draw, random_bits
from engine.ruleset import Ruleset
from engine.variants import ruleset
from tests.engine.odds.bids.test_exact import LIARS, RULESETS

THAI = ruleset("thai_poker")


def deviations(pairs: list[tuple[Estimate, Chance]]) -> list[float]:
    """Return by how many standard errors each estimate is off; skip rare and nearly sure events."""
    errors = []
    for estimate, chance in pairs:
        expected = chance.probability * estimate.samples
        if min(expected, estimate.samples - expected) >= 25:
            error = sqrt(expected * (1 - chance.probability))
            errors.append(abs(estimate.hits - expected) / error)
    assert errors
    return errors


@pytest.mark.thorough
@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(("in_play", "known"), [(10, "As"), (20, "As Kd Kc 9h")])
def test_bids_and_kinds_are_sampled_as_often_as_counted(
    rules: Ruleset, in_play: int, known: str
) -> None:
    held = Cards.parse(known)
    bids = sample_bids(rules, in_play, Trial(60_000, seed=3), held)
    exact = ladder_chances(rules.ladder, rules.deck, in_play, held)
    assert max(deviations(list(zip(bids, exact, strict=True)))) < 4.5
    kinds = sample_kinds(rules, in_play, Trial(60_000, seed=4), held)
    counted = kind_chances(rules.ladder.kinds, rules.deck, in_play, held)
    assert max(deviations([(kinds[kind], counted[kind]) for kind in counted])) < 4


@pytest.mark.parametrize("rules", [LIARS, THAI])
def test_sampled_pools_are_judged_as_at_a_showdown(rules: Ruleset) -> None:
    """Compare with `holds` if all cards are known: then there is only one deal to sample."""
    texts = ["As Ks Qs Js Ts 9s 9h", "Ah Ad Ac Kh Kd 9c", *["* * 9h"] * (rules is LIARS)]
    for pool in map(Cards.parse, texts):
        trial = Trial(3)
        bids = sample_bids(rules, len(pool), trial, pool)
        assert [estimate.hits for estimate in bids] == [
            3 * holds(bid, pool) for bid in rules.ladder
        ]
        for kind, estimate in sample_kinds(rules, len(pool), trial, pool).items():
            any_holds = any(holds(bid, pool) for bid in rules.ladder if bid.kind is kind)
            assert estimate.hits == 3 * any_holds, kind


def test_the_number_of_threads_changes_no_answer() -> None:
    samples = 50_001  # several blocks, the last one short
    alone = sample_kinds(THAI, 9, Trial(samples, seed=5))
    assert alone == sample_kinds(THAI, 9, Trial(samples, seed=5, threads=3))
    assert alone != sample_kinds(THAI, 9, Trial(samples, seed=6))


def test_an_interrupted_trial_ends_at_once_in_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt one thread, as Ctrl-C does; the other must not finish its millions of deals."""
    blocks = []
    both_at_work = Event()

    def interrupt(key: np.uint64, first: int, *_: object) -> None:
        blocks.append(first)
        if first == 0:
            assert both_at_work.wait(10)
            raise KeyboardInterrupt
        both_at_work.set()
        sleep(0.001)

    monkeypatch.setattr(sampling, "count_groups", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sample_kinds(THAI, 9, Trial(2_000 * sampling.BLOCK, threads=2))
    assert len(blocks) < 1_000


def test_every_card_is_drawn_as_often_as_any_other() -> None:
    unseen = np.array([1 << position for position in range(54)], np.uint64)
    deals = 3_000
    times = np.zeros(54)
    with np.errstate(over="ignore"):
        for deal in range(deals):
            cards = int(draw(np.uint64(9), np.uint64(deal), unseen, 12))
            assert cards.bit_count() == 12
            times += [cards >> position & 1 for position in range(54)]
    expected = deals * 12 / 54
    chi_squared = float(((times - expected) ** 2 / (expected * (1 - 12 / 54))).sum()) * 53 / 54
    assert 20 < chi_squared < 95  # 53 degrees of freedom: beyond in 1 of 10,000 at most


def test_the_random_numbers_are_splitmix64() -> None:
    """Compare the first outputs for the seed 1234567 with those of the reference implementation."""
    with np.errstate(over="ignore"):
        first = [int(random_bits(np.uint64(1234567), np.uint64(i))) for i in range(3)]
    assert first == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_an_estimate_knows_its_standard_error() -> None:
    estimate = Estimate(2_500, 10_000)
    assert estimate.probability == 0.25
    assert estimate.standard_error == pytest.approx(0.00433, abs=1e-5)
    assert 0 < Estimate(0, 10_000).standard_error < 0.0001
    sure, never = Estimate(10_000, 10_000), Estimate(0, 10_000)
    assert sure.standard_error == pytest.approx(never.standard_error)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"samples": 0}, "1 to 1,000,000,000 deals can be sampled, not 0"),
        ({"samples": 10, "seed": -1}, "a seed is 0 to 18446744073709551615, not -1"),
        ({"samples": 10, "threads": 0}, "at least one thread is needed, not 0"),
    ],
)
def test_a_senseless_trial_is_refused(wrong: dict[str, int], sentence: str) -> None:
    with pytest.raises(OddsError, match=sentence):
        Trial(**wrong)


def test_an_impossible_deal_is_refused() -> None:
    with pytest.raises(OddsError, match="1 to 24 cards"):
        sample_kinds(THAI, 25, Trial(10))

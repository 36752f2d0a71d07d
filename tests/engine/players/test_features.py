"""The network's inputs: the compiled numbers are those of tests/naive_features.py."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.cards import Cards
from engine.players.arrays import arrays_of
from engine.players.kernels.cards import round_arrays
from engine.players.kernels.features import look, workspace
from engine.variants import ruleset
from tests.naive_features import Scene

RULES = [
    ("thai_poker", {}),
    ("thai_poker", {"limit_counts": "starting"}),
    ("liars_poker", {}),
    ("liars_poker", {"jokers": 0, "flush_card": "highest"}),
]


def random_scene(rules, rnd: Random) -> Scene:
    """Make up a scene: some seats out, hole cards, a few bids, sometimes a middle hand."""
    seats = rnd.randint(2, rules.most_players)
    out = set(rnd.sample(range(seats), rnd.randint(0, seats - 2)))
    live = tuple(seat for seat in range(seats) if seat not in out)
    limit = rules.card_limit(live=len(live), started=seats)
    # who forfeited in this round is out and has cards
    dealt = tuple(
        rnd.randint(1, min(limit, rules.card_limits[seats]))
        if seat in live or rnd.random() < 0.2
        else 0
        for seat in range(seats)
    )
    middle = max(dealt) if rnd.random() < 0.3 and sum(dealt) + max(dealt) < rules.deck.size else 0
    bids: list[tuple[int, int]] = []
    turn, place = rnd.choice(live), -1
    for _ in range(rnd.choice((0, 1, 1, 2, 3, 6, 9))):
        low = rules.ladder.first_above(place if place >= 0 else None)
        if low + 8 >= len(rules.ladder):
            break
        place = low + rnd.choice((0, 0, 1, 3, 7))
        bids.append((turn, place))
        turn = live[(live.index(turn) + 1) % len(live)]
    hole = Cards.of(rnd.sample(list(rules.deck.order), dealt[turn]))
    return Scene(rules, turn, hole, dealt, live, sum(dealt) + middle, tuple(bids))


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), RULES)
@pytest.mark.parametrize("many", [1000, 25])
def test_the_compiled_numbers_are_those_said_slowly(key, options, many):
    rules = ruleset(key, options)
    g, rnd = arrays_of(rules), Random(f"{key} {options} a")  # "a" has bids thinned out in each
    work = workspace(len(rules.ladder))
    thinned = 0
    for number in range(3):
        scene = random_scene(rules, rnd)
        table = round_arrays(len(scene.dealt), len(rules.ladder))
        table.cards[:] = scene.dealt
        table.live[:] = [seat in scene.live for seat in range(len(scene.dealt))]
        table.hands[scene.seat] = np.uint64(scene.hole.bits)
        for turn, (seat, place) in enumerate(scene.bids):
            table.by[turn], table.bids[turn] = seat, place
        table.state[:] = 0, len(scene.bids), scene.in_play, number % 2  # a play-off or not
        n = look(g, work, table, scene.seat, 0.03, many)
        considered = scene.sensible(0.03, many)
        assert [rules.ladder.at(int(place)) for place in work.places[:n]] == considered
        assert work.state == pytest.approx(scene.state(0.03), abs=2e-6)
        for place in sorted({0, n // 3, n // 2, n - 1}):
            slow = scene.bid(considered[place], place)
            assert work.bids[place] == pytest.approx(slow, abs=2e-6)
        thinned += n < sum(
            max(scene.chance(0, bid), scene.chance(1, bid)) >= 0.03 for bid in scene.legal
        )
    assert bool(thinned) is (many == 25)


def test_where_no_bid_is_sensible_the_next_six_are_considered():
    rules = ruleset("thai_poker")
    g, work = arrays_of(rules), workspace(len(rules.ladder))
    table = round_arrays(2, 2)
    table.cards[:] = 1, 1
    table.hands[0] = np.uint64(1 << int(g.deck[0]))
    table.bids[0], table.by[0] = rules.ladder.place(rules.ladder.bid("three:A")), 1
    table.state[:] = 1, 1, 2, 0
    assert look(g, work, table, 0, 0.03, 40) == 6
    assert work.places[:6].tolist() == [int(table.bids[0]) + step for step in range(1, 7)]
    table.bids[0] = len(rules.ladder) - 3
    assert look(g, work, table, 0, 0.03, 40) == 2

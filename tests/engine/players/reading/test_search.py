"""Look-ahead: deals fit what a seat sees, losses have the right value, and work is limited."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Cards
from engine.odds import bid_chance
from engine.players.equity import match_equity
from engine.players.kernels.cards import CHALLENGE, NOBODY, chance_of
from engine.players.kernels.deciding import weigh
from engine.players.kernels.reading import MODELS
from engine.players.kernels.search import (
    PLAUSIBLE,
    READING,
    TRIED,
    draw_deal,
    fill_worths,
    look_ahead,
    other_opening,
    read,
    state_of,
)
from engine.players.reader import equity_table, new_outlook, shipped_openings, state_number
from engine.variants import ruleset
from tests.engine.players.reading.tables import bid, deal_round, reading

THAI = ruleset("thai_poker")
BOUND = 4000.0  # microseconds of looks, by the usual reckoning


def ahead(setup, t, w, me, seed=5, notes=None):
    """Look ahead from seat `me`; return (the chosen action, the outlook)."""
    seats, result = t.cards.size, new_outlook()
    action = look_ahead(
        *(setup.arrays, w, setup.models, setup.reader, t, me),
        *(np.zeros((seats, MODELS)) if notes is None else notes, setup.hands(seats)),
        *(np.array([seed], np.uint64), result),
    )
    return int(action), result


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "options"), [("thai_poker", None), ("liars_poker", {"middle_hand": True})]
)
def test_a_deal_that_is_drawn_fits_the_table(key, options):
    setup = reading(key, options, started=4, budget=BOUND)
    for seed in range(4):
        t, w, rng, me = deal_round(setup, seats=4, seed=seed)
        cards, hole, hands = t.cards.copy(), t.hands[me], setup.hands(4)
        notes, model = np.zeros((4, MODELS)), np.zeros(4, np.int64)
        read(setup.arrays, w, setup.models, setup.reader, t, me, notes, rng, hands)
        deck = Cards.of(ruleset(key, options).deck.order).bits
        for _ in range(20):
            pool = int(draw_deal(setup.arrays, t, me, hands, rng, model))
            held = [int(hand) for hand in t.hands]
            assert [hand.bit_count() for hand in held] == list(cards)
            assert pool.bit_count() == t.state[2]
            assert pool & ~deck == 0
            assert held[me] == hole
            joined = 0
            for hand in held:
                assert joined & hand == 0
                joined |= hand
            assert joined & ~pool == 0
            assert all(0 <= kind < MODELS for kind in model)


@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
def test_the_table_of_equities_has_what_match_equity_says(key):
    rules = ruleset(key)
    equity = match_equity(rules, 5)
    table = equity_table(equity)
    for cards in [(1,), (2, 3), (1, 1, 4), (2, 2, 3, 3), (1,) * 10]:
        assert state_of(np.array(cards)) == state_number(cards)
        chances = [table[len(cards), state_number(cards), held] for held in cards]
        assert chances == pytest.approx(equity.chances(cards))


def test_with_two_live_seats_a_round_is_all_there_is():
    setup = reading(started=3)
    t, _, _, _ = deal_round(setup, seats=3, bids=0, cards=[2, 3, 4])
    t.live[1] = False  # has given up in this round
    out = np.zeros(3)
    fill_worths(setup.arrays, setup.reader, t, 2, out)
    assert list(out) == [1, 0, -1]


def test_where_the_match_cannot_tell_losers_apart_a_round_is_all_there_is():
    setup = reading(started=3)
    t, _, _, _ = deal_round(setup, seats=3, bids=0, cards=[1, 2, 3])
    out = np.zeros(3)
    nothing = setup.reader._replace(equity=np.zeros_like(setup.reader.equity))
    fill_worths(setup.arrays, nothing, t, 0, out)
    assert list(out) == [-1, 0.5, 0.5]


def test_without_equities_every_other_seats_loss_is_worth_the_same():
    setup = reading(started=4)
    t, _, _, _ = deal_round(setup, seats=4, bids=0, cards=[1, 2, 3, 4])
    t.live[3] = False
    out = np.zeros(4)
    without = setup.reader._replace(equity=np.zeros((0, 0, 0)))
    fill_worths(setup.arrays, without, t, 0, out)
    assert list(out) == [-1, 0.5, 0.5, 0]
    fill_worths(setup.arrays, setup.reader, t, 0, out)
    assert out[3] == 0
    assert out[1] != out[2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("thai_poker", None),
        ("thai_poker", {"challengers": "anyone"}),
        ("liars_poker", None),
        ("liars_poker", {"middle_hand": True, "jokers": 0}),
    ],
)
def test_it_chooses_what_is_legal_within_its_bounds_and_the_same_each_time(key, options):
    setup = reading(key, options, started=3, budget=BOUND)
    g = setup.arrays
    tried_of, standing = [], 0
    for seed in range(10):
        t, w, _, me = deal_round(setup, seed=seed)
        stands = t.bids[t.state[1] - 1] if t.state[1] else -1
        before = [array.copy() for array in t[:2]]
        state = t.state.copy()
        action, result = ahead(setup, t, w, me)
        low = g.above[stands] if stands >= 0 else 0
        assert low <= action < g.rung.size or (action == CHALLENGE and stands >= 0)
        standing += stands >= 0
        tried, deals, looks = result.k
        tried_of.append(tried)
        if tried > 1:
            assert action in result.action[:tried]
            assert result.chance[:tried].sum() == pytest.approx(1)
            # what is begun is finished: the fewest deals, whatever they cost
            assert deals == setup.reader.fewest or looks < setup.reader.looks + 200
        assert [list(a) for a in (t.cards, t.live)] == [list(a) for a in before]
        assert list(t.state) == list(state)
        assert ahead(setup, t, w, me)[0] == action
    assert max(tried_of) > 1  # else nothing was looked at
    assert standing


@pytest.mark.long
@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
def test_the_work_of_a_decision_is_bounded_at_ten_seats_and_after_any_number_of_bids(key):
    setup = reading(key, started=10)
    g, reader = setup.arrays, setup.reader
    most = int(g.limits[10])
    # the fewest deals are tried whatever they cost, and each seat has its turn about once in them
    unasked = reader.fewest * TRIED * 12
    spent = 0
    for seed in range(4):
        for bids in (0, 1, 9, 30, 60):
            t, w, _, opener = deal_round(setup, seats=10, seed=seed, bids=0, cards=[most] * 10)
            step = g.rung.size // (bids + 2)
            for at in range(bids):
                t.bids[at], t.by[at] = at * step, (opener + at) % 10
            t.state[1] = bids
            _, result = ahead(setup, t, w, (opener + bids) % 10, seed)
            spent = max(spent, int(result.k[2]))
            # hands are guessed from eight looks at each bid at least
            reading_it = max(READING * reader.looks, 8 * bids)
            assert result.k[2] <= max(reader.looks + 100, reading_it + unasked)
            assert result.k[2] <= 1.5 * reader.looks
    assert spent > reader.looks / 2  # else nothing was tried


def test_the_cards_of_others_do_not_matter():
    setup = reading(started=3, budget=BOUND)
    t, w, _, me = deal_round(setup, cards=[3, 3, 3])
    first = ahead(setup, t, w, me)
    table, w, _, _ = deal_round(setup, cards=[3, 3, 3])
    assert sum(hand != 0 for hand in table.hands) == 3
    for seat in range(3):
        if seat != me:
            table.hands[seat] = 0
    second = ahead(setup, table, w, me)
    assert first[0] == second[0]
    assert (first[1].worth == second[1].worth).all()


def test_on_the_top_rung_it_challenges_and_what_cannot_hold_too():
    setup = reading(budget=BOUND)
    t, w, _, _ = deal_round(setup, seats=2, bids=0, cards=[1, 1])
    opener = int(t.state[0])
    t.bids[0], t.by[0], t.state[1] = len(THAI.ladder) - 1, opener, 1
    assert ahead(setup, t, w, 1 - opener)[0] == CHALLENGE
    t.bids[0] = THAI.ladder.place(bid(THAI, "three:A"))
    action, result = ahead(setup, t, w, 1 - opener)
    assert (action, result.k[1]) == (CHALLENGE, 0)  # no deal was needed to see that


@pytest.mark.thorough
def test_a_challenge_is_tried_even_if_the_network_would_not():
    setup = reading(started=2, budget=BOUND)
    tried = 0
    for seed in range(30):
        t, w, _, me = deal_round(setup, seats=2, seed=seed, bids=1)
        hole = t.hands[me]
        if t.state[1] and 0 < chance_of(setup.arrays, t.bids[0], hole, t.state[2]) < 1:
            _, result = ahead(setup, t, w, me)
            tried += 1
            assert CHALLENGE in result.action[: result.k[0]]
    assert tried > 5


@pytest.mark.long
def test_what_is_known_of_a_seat_changes_the_choice():
    setup = reading(started=2, budget=BOUND)
    worths = []
    for model in range(MODELS):
        t, w, _, me = deal_round(setup, seats=2, seed=4, bids=1, cards=[3, 3])
        notes = np.full((2, MODELS), -12.0)
        notes[:, model] = 0
        worths.append(tuple(ahead(setup, t, w, me, notes=notes)[1].worth))
    assert len(set(worths)) > 2


def other_key(setup, t, w, me):
    """Return the key of the bid that may vary the opening, or None if there is none."""
    g, r = setup.arrays, setup.models
    count, _ = weigh(g, w, r.players[0], r.nets[0], t, me)
    place = other_opening(w, count, setup.reader, t)
    return None if place == NOBODY else THAI.ladder.at(int(place)).key


def expected_key(setup, t, w, me):
    """Return what `other_key` returns, from the shipped file and the exact odds."""
    term, _ = shipped_openings()[THAI.key][str(int(t.live.sum()))][str(int(t.cards.sum()))]
    g, r = setup.arrays, setup.models
    count, _ = weigh(g, w, r.players[0], r.nets[0], t, me)
    scores = {THAI.ladder.at(int(w.places[at])): w.scores[at] for at in range(count)}
    cards, in_play = Cards(int(t.hands[me])), int(t.state[2])
    plausible = [
        bid
        for bid in scores
        if term in (bid.key, bid.kind)
        and bid_chance(bid, THAI.deck, in_play, cards).probability >= PLAUSIBLE
    ]
    return max(plausible, key=lambda bid: scores[bid]).key if plausible else None


@pytest.mark.parametrize(
    "cards",
    [[5, 4, 4], [4, 3, 3], [5, 4, 3], [3, 3, 3, 3]],
    ids=["a kind", "a bid", "a kind for some hands", "four seats"],
)
def test_an_opening_is_varied_with_a_plausible_bid_that_the_file_names(cards):
    setup = reading(started=len(cards))
    keys = []
    for seed in range(20):
        t, w, _, me = deal_round(setup, seats=len(cards), seed=seed, bids=0, cards=cards)
        keys.append(other_key(setup, t, w, me))
        assert keys[-1] == expected_key(setup, t, w, me)
    assert any(keys)
    if cards == [5, 4, 3]:
        assert None in keys, "some hands make every bid of that kind unlikely"


def test_where_the_usual_opening_repeats_a_part_of_openings_is_another_bid():
    setup = reading(started=3, budget=BOUND)
    t, w, _, me = deal_round(setup, seats=3, bids=0, cards=[5, 4, 4])
    key = other_key(setup, t, w, me)
    kind, varied = shipped_openings()[THAI.key]["3"]["13"]
    assert key.startswith(f"{kind}:")
    openings = [THAI.ladder.at(ahead(setup, t, w, me, seed)[0]).key for seed in range(200)]
    assert openings.count(key) == pytest.approx(200 * varied, abs=25)  # 3.5 standard errors
    assert openings.count("straight:A") > 200 * (1 - varied) - 25


@pytest.mark.parametrize(
    ("seats", "bids", "cards"), [(2, 0, [3, 3]), (3, 1, [5, 4, 4]), (3, 0, [1, 1, 1])]
)
def test_no_opening_varies_after_a_bid_or_where_openings_vary_anyway(seats, bids, cards):
    setup = reading(started=seats)
    t, w, _, me = deal_round(setup, seats=seats, bids=bids, cards=cards)
    assert t.state[1] == bids
    assert other_key(setup, t, w, me) is None

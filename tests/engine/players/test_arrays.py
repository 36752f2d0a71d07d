"""The compiled rules agree with the engine's: deals, turns, judging, penalties, exact chances."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.actions import Challenge, Deal, MakeBid
from engine.cards import Cards
from engine.odds import ladder_chances
from engine.play import apply, legal, start
from engine.players.arrays import arrays_of
from engine.players.kernels.cards import (
    chance_of,
    deal,
    end_round,
    fill_chances,
    hand_out,
    holds,
    loser_of,
    lowest_bid,
    next_live,
    round_arrays,
)
from engine.players.kernels.features import workspace
from engine.state import Phase
from engine.variants import ruleset
from tests.engine.players.tables import all_rules, rules_text


@pytest.mark.thorough
@pytest.mark.parametrize("rules", all_rules(), ids=rules_text)
def test_rounds_go_as_in_the_engine(rules):
    g, rnd = arrays_of(rules), Random(rules_text(rules))
    bids = list(rules.ladder)
    compared = 0
    enough = 300
    while compared < enough:
        seats = rnd.randint(2, rules.most_players)
        match = start(rules, range(seats))
        table = round_arrays(seats, len(bids))
        table.cards[:] = g.starting[seats]
        while match.winner is None:
            order = list(rules.deck.order)
            rnd.shuffle(order)
            drawn = rnd.randrange(len(match.live))
            match = apply(match, Deal(tuple(order), "", 1, drawn))
            table.state[0] = drawn if match.round.number == 1 else table.state[0]
            assert match.round.opener == table.state[0]
            middle = hand_out(table, np.array([card.number for card in order]), g.middle)
            assert [int(hand) for hand in table.hands] == [c.bits for c in match.round.hands]
            assert int(middle) == match.round.middle.bits
            assert table.state[2] == len(match.round.pool)
            turn, standing = int(table.state[0]), -1
            while match.phase is Phase.BIDDING:
                allowed = legal(match)
                assert allowed.bidder == turn
                low = int(lowest_bid(g, table))
                assert len(bids) - low == sum(map(len, allowed.rungs))
                assert bool(allowed.challengers) == (standing >= 0), (
                    "the kernels let any standing bid be challenged, and the engine doesn't: see"
                    " deciding.py and reading.py in engine/players/kernels"
                )
                if standing >= 0 and (low == len(bids) or rnd.random() < 0.3):
                    challenger = rnd.choice(sorted(allowed.challengers))
                    assert g.anyone or challenger == turn
                    pool = np.bitwise_or.reduce(table.hands) | middle
                    held = holds(g, standing, pool)
                    match = apply(match, Challenge(challenger))
                    assert match.round.outcome.loser == loser_of(table, challenger, held)
                    end_round(g, table, challenger, held)
                    compared += 1
                else:
                    standing = rnd.randrange(low, min(len(bids), low + 30))
                    match = apply(match, MakeBid(turn, bids[standing].key))
                    count = int(table.state[1])
                    table.bids[count], table.by[count], table.state[1] = standing, turn, count + 1
                    turn = int(next_live(table.live, turn))
            assert [seat.live for seat in match.seats] == table.live.tolist()
            held = [seat.cards if seat.live else 0 for seat in match.seats]
            assert held == table.cards.tolist()
            assert match.opener == table.state[0]


@pytest.mark.thorough
@pytest.mark.parametrize("rules", all_rules(), ids=rules_text)
def test_chances_are_the_exact_ones_rounded(rules):
    g, rnd = arrays_of(rules), Random(rules_text(rules))
    work = workspace(len(rules.ladder))
    most = min(rules.deck.size, max(rules.card_limits) + 6)
    for _ in range(40):
        held = rnd.randint(0, most)
        in_play = rnd.randint(max(1, held), rules.deck.size)
        known = Cards.of(rnd.sample(list(rules.deck.order), held))
        exact = [
            chance.probability
            for chance in ladder_chances(rules.ladder, rules.deck, in_play, known)
        ]
        first = rnd.randrange(len(exact))
        fill_chances(g, np.uint64(known.bits), in_play, 0, work.views[0], work.rows[0])
        assert work.views[0] == pytest.approx(exact, abs=1e-7, rel=1e-6)
        assert g.logs.shape == g.odds.shape
        rounded = chance_of(g, first, np.uint64(known.bits), in_play)
        assert rounded == pytest.approx(exact[first], abs=1e-7, rel=1e-6)
        before = [c.probability for c in ladder_chances(rules.ladder, rules.deck, in_play)]
        assert g.prior[in_play] == pytest.approx(before, abs=1e-7, rel=1e-6)


@pytest.mark.parametrize("middle", [False, True])
def test_a_deal_gives_every_seat_its_number_of_cards_and_each_card_once(middle):
    g = arrays_of(ruleset("liars_poker"))
    table = round_arrays(4, len(g.rung))
    table.cards[:] = 2, 0, 5, 1
    table.live[1] = False
    deck, rng = g.deck.copy(), np.array([5], np.uint64)
    cards_met = set()
    for _ in range(50):
        hidden = deal(g, table, deck, rng, middle)
        sizes = [int(hand).bit_count() for hand in table.hands]
        pool = int(np.bitwise_or.reduce(table.hands) | hidden)
        assert sizes == [2, 0, 5, 1]
        assert int(hidden).bit_count() == (5 if middle else 0)
        assert pool.bit_count() == table.state[2] == sum(sizes) + 5 * middle
        assert sorted(deck) == sorted(g.deck)
        cards_met.add(pool)
    assert len(cards_met) == 50


@pytest.mark.thorough
def test_every_card_is_dealt_equally_often():
    g = arrays_of(ruleset("thai_poker"))
    table = round_arrays(2, len(g.rung))
    table.cards[:] = 3, 3
    deck, rng = g.deck.copy(), np.array([9], np.uint64)
    deals = 20_000
    counts = np.zeros(64)
    for _ in range(deals):
        deal(g, table, deck, rng, False)
        pool = int(np.bitwise_or.reduce(table.hands))
        counts[[number for number in range(52) if pool >> number & 1]] += 1
    expected = deals * 6 / 24
    dealt_counts = counts[[card.number for card in ruleset("thai_poker").deck.order]]
    assert dealt_counts == pytest.approx(np.full(24, expected), abs=5 * expected**0.5)


def test_arrays_are_made_once_for_equal_rules():
    rules = ruleset("thai_poker")
    assert arrays_of(rules) is arrays_of(ruleset("thai_poker", {"two_player_limit": 6}))
    assert arrays_of(rules) is not arrays_of(ruleset("thai_poker", {"two_player_limit": 7}))


def test_the_next_live_seat_is_found_around_the_table_and_is_ones_own_if_nobody_else_is_left():
    assert next_live(np.array([True, False, True]), 0) == 2
    assert next_live(np.array([True, False, True]), 2) == 0
    assert next_live(np.array([False, True, False]), 1) == 1
    assert next_live(np.zeros(3, np.bool_), 1) == 1

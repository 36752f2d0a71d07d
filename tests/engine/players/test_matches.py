"""Compiled play: players decide as the engine's do, seatings are fair, and the counts add up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from engine.actions import Challenge, Deal, MakeBid
from engine.cards import Card
from engine.odds import bid_chance
from engine.play import apply, start
from engine.players import Memory, observe
from engine.players.arrays import arrays_of
from engine.players.forms import NETWORK
from engine.players.kernels.cards import (
    CHALLENGE,
    PLAYING_OFF,
    RoundArrays,
    deal,
    random_bits,
    round_arrays,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter
from engine.players.kernels.features import workspace
from engine.players.kernels.match import (
    BIDS,
    CHALLENGES,
    COUNTED,
    DECISIONS,
    LOST,
    RIGHT,
    ROUNDS,
)
from engine.players.learned import table_from
from engine.players.matches import loop_of
from engine.players.networks import BASELINES, Entry, rows
from engine.players.simulation import Simulation
from engine.rotation import playing_off
from engine.ruleset import Ruleset
from engine.shuffle import VERSION
from engine.state import Match, Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.engine.players.tables import all_rules, rules_text, whole_match

RULES = [
    ("thai_poker", {}),
    ("thai_poker", {"two_player_limit": 7, "limit_counts": "starting", "challengers": "anyone"}),
    ("liars_poker", {"jokers": 0, "middle_hand": True}),
    ("liars_poker", {"challengers": "anyone"}),
]


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), RULES)
@pytest.mark.parametrize("seats", [2, 5])  # of five, a deal makes 120 matches
def test_every_match_is_won_once_and_every_round_lost_once(key, options, seats):
    played = Simulation(ruleset(key, options), [NETWORK, *BASELINES][:seats], seed=3)
    played.play(3)
    assert played.is_compiled
    assert (played.wins.sum(axis=1) == played.seatings.of_a_deal).all()
    results, counted = played.results(), played.counted
    assert sum(result.wins for result in results) == played.matches
    assert (counted[:, DECISIONS] >= counted[:, BIDS]).all()
    assert counted[:, CHALLENGES].sum() == counted[:, LOST].sum()
    assert (counted[:, RIGHT] <= counted[:, CHALLENGES]).all()
    assert (counted[:, ROUNDS] > 0).all()
    for result in results:
        assert result.interval.low <= result.interval.share <= result.interval.high
        assert (result.seats, result.fair) == (1, 1 / seats)
        assert 0 < result.habits.challenges < 1


@pytest.mark.parametrize("rules", all_rules(), ids=rules_text)
def test_whole_compiled_matches_go_as_the_engine_plays_them(rules):
    """Play the same deals with the same random numbers in compiled loops and by `engine.play`."""
    usual = next(first for first in all_rules() if first.key == rules.key)
    if rules != usual:
        assert played_by_engine(rules) != played_by_engine(usual), (
            "none of these matches shows what the option changes: play more of them, or with other"
            " TABLES"
        )
    assert played_in_loops(rules) == played_by_engine(rules), (
        "engine/players/kernels play by other rules than engine/play.py: change RuleArrays, and"
        " `end_round` or `play_match`"
    )


TABLES = (3, 4)  # seats
COMPARED = [DECISIONS, BIDS, CHALLENGES, RIGHT, ROUNDS, LOST]


def field_of(seats: int) -> tuple[list[Entry], list[tuple[int, ...]]]:
    """Return players of a table, most of them reckless, and the orders in which they sit."""
    entries = [BASELINES["careful"], *[BASELINES["random"]] * (seats - 1)]
    return entries, list(permutations(range(seats))) * 2


def played_in_loops(rules: Ruleset) -> list[object]:
    """Return each player's wins and counts in compiled matches."""
    played: list[object] = []
    for seats in TABLES:
        entries, orders = field_of(seats)
        wins, counted = np.zeros((1, seats)), np.zeros((seats, COUNTED))
        loop_of(rules, entries, seats)(np.array(orders), np.uint64(0), 0, wins, counted)
        played += [wins[0].tolist(), counted[:, COMPARED].tolist()]
    return played


@cache
def played_by_engine(rules: Ruleset) -> list[object]:
    """Return each player's wins and counts in the same matches, played by `engine.play`."""
    played: list[object] = []
    for seats in TABLES:
        entries, orders = field_of(seats)
        wins, counted = np.zeros(seats), np.zeros((seats, COUNTED))
        for number, order in enumerate(orders):
            at_table = np.zeros((seats, COUNTED))
            winner = play_by_engine(rules, [entries[player] for player in order], number, at_table)
            wins[order[winner]] += 1
            counted[list(order)] += at_table
        played += [wins.tolist(), counted[:, COMPARED].tolist()]
    return played


def play_by_engine(rules: Ruleset, entries: Sequence[Entry], number: int, counted) -> int:
    """Play the match of `play_field` with the seed 0 and this number of its seating.

    The compiled players decide, and the engine does the rest. Adds each seat's counts to `counted`;
    returns the winning seat.
    """
    g, work = arrays_of(rules), workspace(len(rules.ladder))
    players, nets = rows(entries)
    # `play_field` multiplies the deal's key, here 0, by two factors
    deals, choices = np.array([0], np.uint64), np.array([number + 1], np.uint64)
    for rng in (deals, choices):
        rng[0] = random_bits(rng)
    bids = list(rules.ladder)
    match = start(rules, range(len(entries)), int(uniform(deals) * len(entries)))
    while match.winner is None:
        order = g.deck.copy()
        deal(g, arrays_of_match(match), order, np.array([random_bits(deals)], np.uint64), g.middle)
        match = apply(match, Deal(tuple(map(Card, order.tolist())), "", VERSION, 0))
        counted[list(match.live), ROUNDS] += 1
        while match.phase is Phase.BIDDING:
            turn, table = match.round.turn, arrays_of_match(match)
            place = decide(g, work, players[turn], nets[turn], table, turn, choices)
            counted[turn, DECISIONS] += 1
            challenger = turn if place == CHALLENGE else -1
            if challenger < 0 and rules.challengers == "anyone" and match.round.bids:
                challenger = int(doubter(g, table))
            if challenger < 0:
                counted[turn, BIDS] += 1
                match = apply(match, MakeBid(turn, bids[place].key))
                continue
            match = apply(match, Challenge(challenger))
            outcome = match.round.outcome
            counted[challenger, CHALLENGES] += 1
            counted[challenger, RIGHT] += outcome.loser != challenger
            counted[outcome.loser, LOST] += 1
    return match.winner


def arrays_of_match(match: Match) -> RoundArrays:
    """Return the match's table with the cards of all seats, for kernels."""
    ladder, current = match.ruleset.ladder, match.round
    table = round_arrays(len(match.seats), len(ladder))
    table.cards[:] = [seat.cards if seat.live else 0 for seat in match.seats]
    table.live[:] = [seat.live for seat in match.seats]
    table.state[0] = match.opener or 0
    table.state[PLAYING_OFF] = playing_off(match.ruleset, match.seats)
    if current is not None:
        table.hands[:] = [hand.bits for hand in current.hands]
        table.state[:3] = current.opener, len(current.bids), len(current.pool)
        for at, bid in enumerate(current.bids):
            table.bids[at], table.by[at] = ladder.place(bid.bid), bid.seat
    return table


@pytest.mark.parametrize("seats", [2, 6])
def test_each_player_has_every_hand_and_both_neighbours_equally_often(seats):
    careful = {f"careful {number}": BASELINES["careful"] for number in range(seats)}
    played = Simulation(ruleset("thai_poker"), [*careful], seed=4, others=careful)
    played.play(30)
    # careful draws no chance, so in all orders everybody wins as often as the cards let them
    assert (played.wins == played.seatings.of_a_deal / seats).all()


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), RULES)
def test_the_compiled_careful_player_is_the_one_of_the_tables(key, options):
    rules = ruleset(key, options)
    g, work = arrays_of(rules), workspace(len(rules.ladder))
    players, nets = rows([BASELINES["careful"]])
    rng = np.array([1], np.uint64)
    bids = list(rules.ladder)
    compared = 0
    for match, action in whole_match(rules, ["careful"] * 3, f"compiled {key}"):
        if match.phase is not Phase.BIDDING or action.seat != match.round.turn:
            continue
        position = observe(view_of(match, action.seat), Memory("careful", 1))
        assert position is not None
        table = table_from(position)
        place = decide(g, work, players[0], nets[0], table, action.seat, rng)

        def chance(bid, match=match, seat=action.seat):
            known = match.round.hands[seat]
            return bid_chance(bid, rules.deck, len(match.round.pool), known).probability

        if isinstance(action, Challenge):
            # the engine's rule: what cannot hold is challenged; careful does so by itself
            assert place == CHALLENGE
        else:
            # bids of the same chance are told apart by rounding alone
            assert chance(bids[place]) == pytest.approx(chance(rules.ladder.bid(action.key)))
        compared += 1
        if compared == 40:
            break
    assert compared == 40


@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
def test_the_network_wins_200_duplicate_matches_against_careful(key):
    played = Simulation(ruleset(key), [NETWORK, "careful"], seed=11)
    played.play(100)
    assert played.matches == 200
    assert played.results()[0].interval.share >= 0.55


def test_the_random_player_and_the_threshold_do_as_they_are_described():
    rules = ruleset("thai_poker")
    g, work = arrays_of(rules), workspace(len(rules.ladder))
    table = round_arrays(2, 5)
    table.cards[:] = 2, 2
    table.hands[0] = np.uint64(0b11 << 7)
    table.state[:] = 0, 0, 4, 0
    names = ["random", "threshold", "truthful", "hider"]
    players, nets = rows([BASELINES[name] for name in names])
    rng = np.array([3], np.uint64)
    steps = {decide(g, work, players[0], nets[0], table, 0, rng) for _ in range(400)}
    assert steps == set(range(20))
    place = decide(g, work, players[1], nets[1], table, 0, rng)
    assert work.views[0, place] >= 0.4
    assert (work.views[0, :place] < 0.4).all()
    # what cannot hold is challenged by all but the random one
    table.bids[0], table.by[0], table.state[1] = (
        rules.ladder.place(rules.ladder.bid("four:A")),
        1,
        1,
    )
    for player in (1, 2, 3):
        assert decide(g, work, players[player], nets[0], table, 0, rng) == CHALLENGE
    table.bids[0] = len(rules.ladder) - 1
    assert {decide(g, work, row, nets[0], table, 0, rng) for row in players} == {CHALLENGE}


@pytest.mark.parametrize(("bid", "challenger"), [("four:A", 2), ("high_card:9", -1)])
def test_out_of_turn_the_first_to_the_left_challenges_what_cannot_hold(bid, challenger):
    rules = ruleset("thai_poker")
    table = round_arrays(3, len(rules.ladder))
    table.cards[:] = 1
    table.live[:] = True
    for seat in range(3):
        table.hands[seat] = np.uint64(1 << int(arrays_of(rules).deck[seat]))  # three nines
    table.bids[0], table.by[0] = rules.ladder.place(rules.ladder.bid(bid)), 0
    table.state[:] = 1, 1, 3, 0  # the next seat is asked in its turn
    assert doubter(arrays_of(rules), table) == challenger

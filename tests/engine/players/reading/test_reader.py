"""The reader in matches: through the engine, from a position, and on duplicate deals."""

from __future__ import annotations

from dataclasses import replace

import numba
import pytest

from engine.actions import Challenge, MakeBid
from engine.play import start
from engine.players import matches, reader
from engine.players.careful import choose as careful
from engine.players.forms import NETWORK, READING
from engine.players.kernels.reading import CAREFUL_MODEL
from engine.players.memory import Memory, ShownRound, remember
from engine.players.position import LETS_IT_STAND
from engine.players.sharp import choose, prepare
from engine.players.simulation import Simulation
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, play, seed_from
from tests.engine.players.reading.tables import observe_seat, reading
from tests.engine.rounds import with_cards

THAI, LIARS = ruleset("thai_poker"), ruleset("liars_poker")


def first_position(rules, players=3, seed=1, hands_shown=()):
    match = start(rules, range(players), 0)
    match = play(match, fair_deal(match, seed_from(f"reader {seed}")))
    return observe_seat(match, 0, Memory("sharp", seed, hands_shown))


@pytest.mark.long
@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_a_whole_match_is_played_by_the_rules(rules):
    match = start(rules, range(3), 0)
    memories = [Memory("sharp", seat) for seat in range(3)]
    rounds = 0
    while match.phase is not Phase.OVER and rounds < 100:
        match = play(match, fair_deal(match, seed_from(f"whole {rounds}")))
        rounds += 1
        while match.phase is Phase.BIDDING:
            seat = match.round.turn
            position = observe_seat(match, seat, memories[seat])
            choice = choose(position, rules)
            assert choice == choose(position, rules)
            assert isinstance(choice.action, MakeBid | Challenge)
            match = play(match, choice.action)
        memories = [remember(memory, view_of(match, seat)) for seat, memory in enumerate(memories)]
    assert len(memories[0].rounds) == rounds


@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_what_decisions_need_can_be_loaded_before(rules):
    prepare(rules)
    misses = reader.reading_of.cache_info().misses
    assert [reader.reading_of(rules, players) for players in range(2, 11)]
    assert reader.reading_of.cache_info().misses == misses


def test_looks_cost_more_where_nothing_is_compiled(monkeypatch):
    looks = []
    for disabled in (0, 1):
        monkeypatch.setattr(numba.config, "DISABLE_JIT", disabled)
        looks.append(reading().reader.looks)
    assert looks[0] > 50 * looks[1] > 0


def test_out_of_turn_it_lets_a_bid_stand():
    position = first_position(ruleset("thai_poker", {"challengers": "anyone"}))
    assert reader.choose(replace(position, turn=1), THAI) == LETS_IT_STAND


def test_shown_rounds_are_read_once_and_old_ones_fade():
    match = start(THAI, range(2), 0)
    memory, rounds = Memory("sharp", 1), 0
    while match.phase is not Phase.OVER:
        match = play(match, fair_deal(match, seed_from(f"shown {rounds}")))
        rounds += 1
        while match.phase is Phase.BIDDING:
            seat = match.round.turn
            position = observe_seat(match, seat, Memory("careful", seat))
            action = careful(position, THAI).action
            assert action is not None
            match = play(match, action)
        memory = remember(memory, view_of(match, 0))
    position = first_position(THAI, 2, hands_shown=memory.rounds)
    notes = reader.notes_from(position, THAI)
    assert notes.shape == (2, len(reader.MIXTURE))
    assert (notes.max(axis=1) == 0).all()
    assert notes[1].argmax() == CAREFUL_MODEL
    assert reader.round_notes(THAI, memory.rounds[0]) is reader.round_notes(THAI, memory.rounds[0])
    assert (reader.notes_from(replace(position, rounds=()), THAI) == 0).all()


def test_a_round_without_a_showdown_tells_of_its_bids_alone():
    match = start(THAI, range(2), 0)
    match = play(match, fair_deal(match, seed_from("no showdown")), MakeBid(0, "pair:A"))
    position = observe_seat(match, 1, Memory("sharp", 1))
    ended = ShownRound(1, 0, (1 << 12, 1 << 11), 0, position.bids, None, None)
    assert (reader.round_notes(THAI, ended)[1] == 0).all()
    assert (reader.round_notes(THAI, ended)[0] != 0).any()


@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_openings_vary_where_the_file_says(rules):
    others, varied = reader.other_openings(rules)
    shipped = reader.shipped_openings()[rules.key]
    for live, by_cards in shipped.items():
        for in_play, (term, chance) in by_cards.items():
            bids = [
                bid
                for place, bid in enumerate(rules.ladder)
                if others[int(live), int(in_play), place]
            ]
            assert bids == [bid for bid in rules.ladder if bid.key == term or bid.kind == term]
            assert bids
            assert varied[int(live), int(in_play)] == chance
            assert 0 < chance < 1
    assert (varied > 0).sum() == sum(map(len, shipped.values()))
    assert (others.any(axis=2) == (varied > 0)).all()


def test_the_bid_that_may_vary_an_opening_is_known_to_others():
    match = with_cards(start(THAI, range(3), 0), 5, 4, 4)
    match = play(match, fair_deal(match, seed_from("varied 3")))
    position = observe_seat(match, 0, Memory("sharp", 1))
    place = reader.other_bid(position, THAI)
    assert place is not None
    assert THAI.ladder.at(place).kind == reader.shipped_openings()[THAI.key]["3"]["13"][0]
    match = play(match, MakeBid(0, THAI.ladder.at(place).key))
    assert reader.other_bid(observe_seat(match, 1, Memory("sharp", 1)), THAI) is None
    assert reader.other_bid(first_position(THAI), THAI) is None


@pytest.mark.long
@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_it_beats_the_network_alone(rules, monkeypatch):
    monkeypatch.setattr(matches, "reading_of", lambda *_: reading(rules.key, budget=6000.0))
    field = Simulation(rules, [READING, NETWORK], seed=11)
    field.play(50)
    assert field.results()[0].interval.share > 0.55

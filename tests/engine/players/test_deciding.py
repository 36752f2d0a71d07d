"""Computer players decide from what their seat sees, always the same way, within the rules."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from engine import variants
from engine.actions import Challenge, Forfeit, MakeBid
from engine.cards import Cards
from engine.errors import RulesetError
from engine.odds import bid_chance
from engine.play import apply, start
from engine.players import (
    CHARACTERS,
    OPENER,
    STAND_IN,
    BadChoice,
    Character,
    Choice,
    Memory,
    choose,
    decide,
    observe,
)
from engine.state import Phase
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import play, stacked_deal
from tests.engine.players.tables import (
    challenges_of,
    memories_of,
    next_action,
    rounds_of,
    whole_match,
    with_other_hidden_cards,
)
from tests.third_game import VARIANT

RULES = [
    ("thai_poker", {}),
    ("thai_poker", {"two_player_limit": 7, "limit_counts": "starting", "challengers": "anyone"}),
    ("liars_poker", {}),
    ("liars_poker", {"jokers": 0, "middle_hand": True, "flush_card": "highest"}),
    ("liars_poker", {"middle_hand": True, "challengers": "anyone"}),
]


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), RULES)
@pytest.mark.parametrize("seats", [2, 5, 9])
def test_whole_matches_are_played_under_every_rule(key, options, seats):
    rules = ruleset(key, options)
    characters = ([*CHARACTERS] * 3)[:seats]
    actions = [action for _, action in whole_match(rules, characters)]
    assert rounds_of(actions) >= seats
    # each round ends with a challenge: nobody forfeits
    assert rounds_of(actions) == challenges_of(actions)


@pytest.mark.thorough
@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize(("key", "options"), RULES)
def test_other_hidden_cards_under_the_same_view_change_no_choice(character, key, options):
    compared = 0
    match = start(ruleset(key, options), range(4))
    memories = memories_of([character] * 4)
    while match.phase is not Phase.OVER and compared < 12:
        action = next_action(match, memories, "hidden")
        if match.phase is Phase.BIDDING:
            seat = match.round.turn
            hidden = with_other_hidden_cards(match, seat, f"other {match.seq}")
            assert hidden.round.hands != match.round.hands
            assert view_of(hidden, seat) == view_of(match, seat)
            assert decide(view_of(hidden, seat), memories[seat]) == decide(
                view_of(match, seat), memories[seat]
            )
            compared += 1
        match = apply(match, action)
    assert compared >= 8


def test_a_third_game_is_played_without_a_line_of_its_own(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    rules = variants.ruleset("royal_bluff", {"jokers": 1})
    actions = [action for _, action in whole_match(rules, [*CHARACTERS])]
    assert rounds_of(actions) >= 3


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_bid_that_cannot_hold_is_challenged_and_one_that_is_certain_is_not(character):
    match = start(ruleset("thai_poker"), range(2), 0)
    match = play(match, stacked_deal(match, {0: "9c 9d 9h", 1: "Ac Kd Qh"}))
    # four aces cannot be: three cards are hidden and one ace is held; a queen high holds for sure
    doomed = play(match, MakeBid(0, "royal_flush:s"))
    assert decide(view_of(doomed, 1), Memory(character, 3))[0] == Challenge(1)
    certain = play(match, MakeBid(0, "high_card:Q"))
    for seed in range(20):
        action, _ = decide(view_of(certain, 1), Memory(character, seed))
        assert isinstance(action, MakeBid)


def test_on_the_top_rung_everybody_challenges():
    match = start(ruleset("liars_poker"), range(2), 0)
    match = play(match, stacked_deal(match, {0: "* *", 1: "Ac Ad"}))
    match = play(match, MakeBid(0, "five:A"))
    for character in CHARACTERS:
        assert decide(view_of(match, 1), Memory(character, 1))[0] == Challenge(1)


@pytest.mark.long
def test_careful_does_what_is_safest_by_exact_chances():
    rules = ruleset("liars_poker", {"challengers": "anyone"})
    bids = challenged = 0
    for match, action in whole_match(rules, ["careful"] * 4):
        if match.phase is not Phase.BIDDING:
            continue
        mine = match.round.hands[action.seat]

        def chance(bid, match=match, mine=mine):
            exact = bid_chance(bid, rules.deck, len(match.round.pool), mine)
            return Fraction(exact.favourable, exact.total)

        standing = match.round.standing
        above = rules.ladder.above(standing.bid if standing else None)
        best = max((chance(bid) for rung in above for bid in rung), default=Fraction(0))
        if isinstance(action, Challenge):
            out_of_turn = action.seat != match.round.turn
            assert 1 - chance(standing.bid) >= (1 if out_of_turn else best)
            challenged += 1
        else:
            assert chance(rules.ladder.bid(action.key)) == best
            assert standing is None or 1 - chance(standing.bid) < best
            bids += 1
    assert challenged > 5
    assert bids > 10


def test_who_stands_in_is_nearly_as_safe_as_careful_and_tells_no_more():
    """Also check that the stand-in challenges where careful does."""
    quieter = challenged = 0
    for match, _ in whole_match(ruleset("thai_poker"), ["careful"] * 4):
        if match.phase is not Phase.BIDDING:
            continue
        rules, sight = match.ruleset, view_of(match, match.round.turn)
        standing, careful = (decide(sight, Memory(key, 0))[0] for key in (STAND_IN.key, "careful"))
        if isinstance(careful, Challenge):
            assert standing == careful
            challenged += 1
            continue

        def chance(action, *known, rules=rules, pool=len(match.round.pool)):
            bid = rules.ladder.bid(action.key)
            return bid_chance(bid, rules.deck, pool, *known).probability

        hole = sight.round.hole
        assert chance(standing, hole) >= chance(careful, hole) - 0.05
        gain = chance(standing, hole) - chance(standing)
        assert gain <= chance(careful, hole) - chance(careful)
        quieter += standing != careful
    assert challenged > 5
    assert quieter > 0


@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
def test_the_opener_opens_with_every_kind_that_is_safe_and_with_nothing_else(key):
    match = start(ruleset(key), range(3), 0)
    match = play(match, stacked_deal(match, {0: "Ks Kd", 1: "9c Jh", 2: "Ac Qc"}))
    sight, deck = view_of(match, 0), match.ruleset.deck
    assert sight.round is not None
    hole = sight.round.hole or Cards()
    opened = {decide(sight, Memory(OPENER.key, seed))[0].key for seed in range(60)}
    bids = [match.ruleset.ladder.bid(bid) for bid in opened]
    chances = [bid_chance(bid, deck, len(match.round.pool), hole) for bid in bids]
    assert min(chance.probability for chance in chances) >= 0.5
    assert {"high_card", "pair"} <= {bid.kind.value for bid in bids}
    assert decide(sight, Memory(OPENER.key, 5)) == decide(sight, Memory(OPENER.key, 5))


def test_the_opener_meets_a_standing_bid_as_careful_does():
    match = start(ruleset("thai_poker"), range(2), 0)
    match = play(match, stacked_deal(match, {0: "9c 9d Th", 1: "Ac Kd Qh"}))
    for key in ("pair:9", "straight:K", "full_house:9,T"):
        sight = view_of(play(match, MakeBid(0, key)), 1)
        opened, careful = (decide(sight, Memory(name, 3))[0] for name in (OPENER.key, "careful"))
        assert opened == careful


def test_a_seat_with_nothing_to_decide_does_nothing():
    match = start(ruleset("thai_poker"), range(3), 0)
    memory = Memory("careful", 1)
    assert decide(view_of(match, 0), memory) == (None, memory)
    match = play(match, stacked_deal(match, {}))
    assert decide(view_of(match, 1), memory) == (None, memory)
    assert decide(view_of(match), memory) == (None, memory)
    match = play(match, MakeBid(0, "pair:9"))
    assert observe(view_of(match, 2), memory) is None
    assert observe(view_of(match, 1), memory).may_challenge


def test_a_rounds_end_is_remembered_once_with_all_cards():
    match = start(ruleset("thai_poker"), range(2), 0)
    match = play(match, stacked_deal(match, {0: "9c 9d 9h", 1: "Ac Kd Qh"}))
    match = play(match, MakeBid(0, "three:9"), Challenge(1))
    _, once = decide(view_of(match, 1), Memory("careful", 1))
    _, twice = decide(view_of(match, 1), once)
    assert once == twice
    (remembered,) = once.rounds
    assert [Cards(bits) for bits in remembered.hands] == [
        Cards.parse("9c 9d 9h"),
        Cards.parse("Ac Kd Qh"),
    ]
    place = match.ruleset.ladder.place(match.ruleset.ladder.bid("three:9"))
    assert (remembered.number, remembered.opener, remembered.bids) == (1, 0, ((0, place),))
    assert (remembered.challenger, remembered.loser, remembered.middle) == (1, 1, 0)


def test_cards_of_a_forfeited_seat_stay_in_play_and_its_player_is_not_live():
    match = start(ruleset("thai_poker"), range(3), 0)
    match = play(match, stacked_deal(match, {}), MakeBid(0, "pair:9"), Forfeit(0))
    position = observe(view_of(match, 1), Memory("careful", 1))
    assert position.dealt == (2, 2, 2)
    assert position.in_play == 6
    assert position.live == (1, 2)
    assert position.bids == ((0, match.ruleset.ladder.place(match.ruleset.ladder.bid("pair:9"))),)


def test_a_middle_hand_counts_among_the_cards_in_play():
    match = start(ruleset("liars_poker", {"middle_hand": True}), range(3), 0)
    match = play(match, stacked_deal(match, {}))
    position = observe(view_of(match, 0), Memory("careful", 1))
    assert (position.middle_size, position.in_play) == (2, 8)


def test_a_position_is_small_and_comes_whole_through_a_pipe():
    for match, _ in whole_match(ruleset("liars_poker"), ["careful"] * 5):
        if match.phase is Phase.BIDDING:
            position = observe(view_of(match, match.round.turn), Memory("sly", 1 << 63))
    sent = pickle.dumps(position)
    assert len(sent) < 2000
    assert pickle.loads(sent) == position
    assert 0 <= position.chance < 1 << 64


def test_chance_differs_by_seed_round_bids_and_seat():
    match = start(ruleset("thai_poker"), range(2), 0)
    match = play(match, stacked_deal(match, {}))
    position = observe(view_of(match, 0), Memory("careful", 1))
    assert position is not None
    bids = ((0, 1), (1, 2))
    others = [
        position,
        replace(position, seed=2),
        replace(position, number=2),
        replace(position, bids=bids),
        replace(position, seat=1),
    ]
    assert len({memory.chance for memory in others}) == len(others)


def test_to_observe_and_to_give_a_hint_need_no_array_and_no_compiler():
    program = """
import sys
from engine.play import apply, start
from engine.players import CHARACTERS, Memory, hint, observe, remember
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, seed_from
match = start(ruleset("thai_poker"), range(3))
match = apply(match, fair_deal(match, seed_from("deal")))
memory = remember(Memory("careful", 5), view_of(match, match.round.turn))
assert observe(view_of(match, match.round.turn), memory).hole
assert hint(view_of(match, match.round.turn)).best
print(sorted({"numpy", "numba"} & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"


def position_of(character: str):
    match = start(ruleset("thai_poker", {"challengers": "anyone"}), range(3), 0)
    match = play(match, stacked_deal(match, {0: "9c 9d", 1: "Ac Kd", 2: "Qc Qd"}))
    match = play(match, MakeBid(0, "three:9"))
    return match.ruleset, *(observe(view_of(match, seat), Memory(character, 1)) for seat in (1, 2))


@pytest.mark.parametrize(
    ("wrong", "seat"),
    [
        (Choice(MakeBid(1, "pair:9")), 1),  # too low
        (Choice(MakeBid(1, "seven:9")), 1),  # no such bid
        (Choice(MakeBid(2, "four:9")), 1),  # another's turn
        (Choice(None), 1),  # in turn one must act
        (Choice(MakeBid(2, "four:9")), 2),  # not its turn
        (Choice(Challenge(1)), 2),  # for somebody else
    ],
)
def test_what_the_rules_do_not_allow_is_refused(monkeypatch, wrong, seat):
    monkeypatch.setitem(CHARACTERS, "odd", Character("odd", "", f"{__name__}:odd"))
    monkeypatch.setattr(sys.modules[__name__], "odd", lambda position, rules: wrong, raising=False)
    rules, in_turn, out_of_turn = position_of("odd")
    with pytest.raises(BadChoice, match=f"odd in seat {seat}"):
        choose(in_turn if seat == 1 else out_of_turn, rules)


def test_an_unknown_character_and_other_rules_are_refused():
    rules, in_turn, _ = position_of("nobody")
    with pytest.raises(RulesetError, match="no computer player nobody; there are careful"):
        choose(in_turn, rules)
    with pytest.raises(RulesetError, match="the position is one of thai_poker"):
        choose(in_turn, ruleset("liars_poker"))

"""The decisions of a match: each has only the information that its player had."""

from __future__ import annotations

import pytest

from engine.actions import Challenge, Forfeit, MakeBid
from engine.errors import BidTooLow, NotInMatch
from engine.play import apply, start
from engine.players import Memory, observe, remember
from engine.players.coaching.decisions import decisions_of
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import Chooser, Habits, play, random_match, stacked_deal
from tests.engine.players.tables import with_other_hidden_cards

LIARS = ruleset("liars_poker")


def a_random_match(name="decisions", seats=4):
    first = start(LIARS, range(seats))
    pairs = list(random_match(first, Chooser(name), Habits(leave=2)))
    return first, pairs


def test_every_bid_and_every_challenge_is_a_decision_and_nothing_else():
    first, pairs = a_random_match()
    decisions = decisions_of(first, [action for _, action in pairs])
    expected = [
        (match.seq + 1, action)
        for match, action in pairs
        if isinstance(action, MakeBid | Challenge)
    ]
    assert [(decision.seq, decision.action) for decision in decisions] == expected
    assert any(isinstance(action, Forfeit) for _, action in pairs)


def test_a_decision_holds_what_its_seat_saw_and_what_had_been_shown():
    first, pairs = a_random_match("seen")
    positions = {
        entry.seq: entry.position for entry in decisions_of(first, [action for _, action in pairs])
    }
    memory = Memory("sharp", 0)
    for match, action in pairs:
        memory = remember(memory, view_of(match))
        if isinstance(action, MakeBid | Challenge):
            position = positions[match.seq + 1]
            expected = observe(
                view_of(match, action.seat), Memory("sharp", position.seed, memory.rounds)
            )
            assert position == expected


def test_what_the_others_hold_is_not_in_a_decision():
    match = play(start(LIARS, range(3), 0), stacked_deal(start(LIARS, range(3), 0), {0: "As"}))
    bid = MakeBid(0, LIARS.ladder.at(3).key)
    hidden = with_other_hidden_cards(match, 0, "other cards")
    assert match.round.hands != hidden.round.hands
    assert decisions_of(match, [bid]) == decisions_of(hidden, [bid])


def test_each_decision_has_luck_of_its_own_and_the_same_one_each_time():
    first, pairs = a_random_match("luck")
    actions = [action for _, action in pairs]
    decisions = decisions_of(first, actions)
    assert len({decision.position.seed for decision in decisions}) == len(decisions)
    assert decisions == decisions_of(first, actions)


def test_a_log_that_breaks_a_rule_is_refused():
    first = start(LIARS, range(2), 0)
    dealt = stacked_deal(first, {0: "As"})
    low, high = LIARS.ladder.at(0).key, LIARS.ladder.at(30).key
    with pytest.raises(BidTooLow):
        decisions_of(first, [dealt, MakeBid(0, high), MakeBid(1, low)])
    with pytest.raises(NotInMatch):
        decisions_of(first, [dealt, MakeBid(7, low)])
    with pytest.raises(NotInMatch):
        decisions_of(apply(first, dealt), [MakeBid(-1, low)])

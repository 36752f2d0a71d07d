"""Logs: written as JSON and read back, replayed to the same state, refused if damaged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import SCHEMA, BadLog, Challenge, Deal, Forfeit, MakeBid, from_json, to_json
from engine.cards import Card
from engine.errors import EngineError, RuleViolation
from engine.play import start
from engine.state import Cause
from engine.variants import ruleset
from tests.dealing import Chooser, Habits, play, random_match
from tests.playthroughs import digest

ACTIONS = st.one_of(
    st.builds(
        Deal,
        st.permutations([Card(n) for n in range(54)]).map(tuple),
        st.text("0123456789abcdef", min_size=64, max_size=64),
        st.integers(1, 3),
        st.integers(0, 9),
    ),
    st.builds(MakeBid, st.integers(0, 9), st.sampled_from(["pair:3", "flush:8c"])),
    st.builds(Challenge, st.integers(0, 9)),
    st.builds(Forfeit, st.integers(0, 9), st.sampled_from(Cause)),
)
BID = {"v": SCHEMA, "kind": "bid", "seat": 1, "bid": "pair:3"}
DEAL = {"v": 1, "kind": "deal", "order": [0, 1], "commitment": "c", "shuffle": 1, "drawn": 0}


@given(ACTIONS)
def test_an_action_is_read_back_from_its_json(action):
    stored = json.loads(json.dumps(to_json(action)))
    assert from_json(stored) == action
    assert type(from_json(stored)) is type(action)


def test_the_stored_form_is_frozen():
    assert to_json(MakeBid(1, "pair:3")) == BID
    assert to_json(Challenge(2)) == {"v": 1, "kind": "challenge", "seat": 2}
    assert to_json(Forfeit(0, Cause.ABSENT)) == {
        "v": 1,
        "kind": "forfeit",
        "seat": 0,
        "cause": "absent",
    }
    assert to_json(Deal((Card(0), Card(1)), "c", 1, 0)) == DEAL


@pytest.mark.parametrize(
    "stored",
    [
        *(None, [], "bid", 7, {}, {"v": SCHEMA}, {"v": SCHEMA, "kind": "fold", "seat": 1}),
        *(BID | {"v": 2}, BID | {"v": None}, BID | {"seat": "1"}, BID | {"seat": True}),
        *(BID | {"seat": 1.0}, BID | {"seat": None}, BID | {"bid": 3}, BID | {"kind": ["bid"]}),
        *({"v": 1, "kind": "bid", "seat": 1}, {"v": 1, "kind": "challenge"}),
        *({"v": 1, "kind": "forfeit", "seat": 1}, {"v": 1, "kind": "forfeit", "cause": "wish"}),
        {"v": 1, "kind": "forfeit", "seat": 1, "cause": "boredom"},
        *(DEAL | {"order": "01"}, DEAL | {"order": [0, 99]}, DEAL | {"order": [0, "1"]}),
        *(DEAL | {"order": None}, DEAL | {"drawn": "0"}, DEAL | {"commitment": 5}),
        *(DEAL | {"shuffle": None}, DEAL | {"order": [0, 1.5]}),
    ],
)
def test_a_damaged_action_is_refused(stored):
    with pytest.raises(BadLog) as caught:
        from_json(stored)
    assert isinstance(caught.value, EngineError)
    assert str(caught.value)


def a_log(name="a log", players=4):
    match = start(ruleset("liars_poker"), range(players))
    steps = list(random_match(match, Chooser(name), Habits(leave=1)))
    return match, [action for _, action in steps], steps


def test_a_log_folds_back_into_every_state_it_went_through():
    match, actions, steps = a_log()
    digests = [digest(play(match, *actions[:count])) for count in range(len(steps))]
    assert digests == [digest(state) for state, _ in steps]
    # each has one of its own, and so have other rules, players, openers and lengths
    one_more, first_out = (
        ruleset("liars_poker", {"length": length}) for length in ("one_more", "first_out")
    )
    digests += [
        digest(start(rules, players, opener))
        for rules, players, opener in (
            (match.ruleset, [1, 2], None),
            (match.ruleset, [2, 1], None),
            (match.ruleset, [1, 2], 0),
            (ruleset("liars_poker", {"jokers": 0}), [1, 2], None),
            (one_more, [1, 2], None),
            (first_out, [1, 2], None),
        )
    ]
    assert len(set(digests)) == len(digests)
    usual = replace(match.ruleset, options=match.ruleset.options[:-1])  # as before there was one
    assert digest(replace(match, ruleset=usual)) == digest(match)


def test_a_log_with_a_line_missing_is_refused_or_another_match():
    match, actions, _ = a_log()
    whole = digest(play(match, *actions))
    for missing in range(len(actions)):
        try:
            shortened = digest(play(match, *actions[:missing], *actions[missing + 1 :]))
        except RuleViolation:
            continue
        assert shortened != whole

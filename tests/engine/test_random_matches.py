"""Whole random matches of every game, option and table size, each step compared with a referee."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Challenge, Deal, Forfeit, MakeBid, from_json, to_json
from engine.cards import Cards
from engine.errors import RuleViolation
from engine.play import apply, legal, start
from engine.ruleset import Ruleset
from engine.state import Match, Phase
from engine.variants import VARIANTS
from tests import naive
from tests.dealing import Chooser, Habits, fair_deal, next_action, play, seed_from
from tests.playthroughs import digest

pytestmark = pytest.mark.thorough


@dataclass(frozen=True)
class Setting:
    """A match before its first deal, and the random choices and habits to play it with."""

    match: Match
    rules: Ruleset
    chooser: Chooser
    habits: Habits

    def referee(self) -> naive.Referee:
        rules = self.rules
        return naive.Referee(
            rules.key, dict(rules.options), len(self.match.seats), self.match.opener
        )


@st.composite
def matches(draw):
    game = VARIANTS[draw(st.sampled_from(sorted(VARIANTS)))]
    options = {o.key: draw(st.sampled_from([c.value for c in o.choices])) for o in game.all_options}
    rules = game.ruleset(options)
    players = draw(st.integers(2, rules.most_players))
    opener = draw(st.one_of(st.none(), st.integers(0, players - 1)))
    habits = Habits(
        doubt=draw(st.sampled_from([10, 30, 60])),
        leave=draw(st.sampled_from([0, 1, 6, 25])),
        reach=draw(st.sampled_from([3, 40, 400])),
    )
    chooser = Chooser(str(draw(st.integers(0, 2**32))))
    return Setting(start(rules, range(500, 500 + players), opener), rules, chooser, habits)


def referee_plays(referee, action):
    """Let the naive referee play an action; return whether the referee accepted the action."""
    try:
        match action:
            case Deal():
                referee.deal([str(card) for card in action.order], action.drawn)
            case MakeBid():
                referee.bid(action.seat, action.key)
            case Challenge():
                referee.challenge(action.seat)
            case Forfeit():
                referee.forfeit(action.seat)
    except naive.Refused:
        return False
    return True


def facts(match):
    """Return the facts of a match that the naive referee knows too."""
    bidding = match.phase is Phase.BIDDING
    return {
        "live": list(match.live),
        "cards": {seat: match.seats[seat].cards for seat in match.live},
        "opener": match.opener,
        "winner": match.winner,
        "turn": match.round.turn if bidding else None,
        "bids": [(m.seat, m.bid.key) for m in match.round.bids] if match.round else [],
        "hands": {s: sorted(str(h).split()) for s, h in enumerate(match.round.hands) if h}
        if match.round
        else {},
        "middle": sorted(str(match.round.middle).split()) if match.round else [],
    }


def facts_of_referee(referee):
    return {
        "live": referee.live,
        "cards": {seat: referee.cards[seat] for seat in referee.live},
        "opener": referee.opener,
        "winner": referee.winner,
        "turn": referee.turn,
        "bids": referee.bids,
        "hands": {seat: sorted(cards) for seat, cards in referee.hands.items()},
        "middle": sorted(referee.middle),
    }


@given(matches())
@settings(max_examples=100)
def test_a_random_match_agrees_with_a_naive_referee_at_every_step(case):
    """Also check that no card is lost or dealt twice, and that the stored log replays the match."""
    match, referee, log = case.match, case.referee(), []
    undealt = case.rules.deck.cards
    while match.phase is not Phase.OVER:
        assert facts(match) == facts_of_referee(referee)
        action = next_action(match, case.chooser, case.habits)
        log.append(json.dumps(to_json(action)))
        match = apply(match, action)
        assert referee_plays(referee, action)
        if match.round is not None:
            hands = [*match.round.hands, match.round.middle]
            if isinstance(action, Deal):
                undealt = Cards.of(action.order[sum(map(len, hands)) :])
            everything = [card for cards in (*hands, undealt) for card in cards]
            assert sorted(everything) == sorted(case.rules.deck.order)
    assert facts(match) == facts_of_referee(referee)
    assert match.live == (match.winner,)
    assert match.seq == len(log)
    again = play(case.match, *(from_json(json.loads(line)) for line in log))
    assert again == match
    assert digest(again) == digest(match)


def attempts(match, chooser):
    """Yield actions of every sort, most of them illegal."""
    ladder = [bid.key for bid in match.ruleset.ladder]
    seats = range(-1, len(match.seats) + 1)
    for seat in seats:
        for key in (chooser.one_of(ladder), chooser.one_of(ladder), "pair:1", ""):
            yield MakeBid(seat, key)
        yield Challenge(seat)
        yield Forfeit(seat)
    yield fair_deal(match, seed_from("attempt"))


@given(matches(), st.integers(0, 60))
@settings(max_examples=60)
def test_an_action_is_refused_exactly_when_the_referee_refuses_it_and_then_changes_nothing(
    case, steps
):
    match, played = case.match, []
    for _ in range(steps):
        if match.phase is Phase.OVER:
            break
        played.append(next_action(match, case.chooser, case.habits))
        match = apply(match, played[-1])
    before = digest(match)
    for action in attempts(match, case.chooser):
        referee = case.referee()
        assert all(referee_plays(referee, earlier) for earlier in played)
        if referee_plays(referee, action):
            assert facts(apply(match, action)) == facts_of_referee(referee)
        else:
            with pytest.raises(RuleViolation):
                apply(match, action)
        assert digest(match) == before


@given(matches(), st.integers(0, 60))
@settings(max_examples=60)
def test_what_is_called_legal_is_what_is_played(case, steps):
    match = case.match
    for _ in range(steps):
        if match.phase is Phase.OVER:
            break
        match = apply(match, next_action(match, case.chooser, case.habits))
    allowed = legal(match)
    offered = {bid.key for rung in allowed.rungs for bid in rung}
    for seat in range(len(match.seats)):
        keys = {b.key for b in match.ruleset.ladder if engine_accepts(match, MakeBid(seat, b.key))}
        assert keys == (offered if seat == allowed.bidder else set())
        assert engine_accepts(match, Challenge(seat)) == (seat in allowed.challengers)
    if match.live:
        places = len(match.live)
        deal = Deal(match.ruleset.deck.order, "0" * 64, 1, places - 1)
        assert engine_accepts(match, deal) == (match.phase is Phase.DEAL)


def engine_accepts(match, action):
    try:
        apply(match, action)
    except RuleViolation:
        return False
    return True

"""The coach's advice: exact where it can be, always the same, and no cost for the best action."""

from __future__ import annotations

import numpy as np
import pytest

from engine.actions import Challenge, Forfeit, MakeBid
from engine.odds import bid_chance
from engine.play import legal, start
from engine.players import HintReason, Memory, hint, match_equity, observe
from engine.players.blueprint.playing import chances_at
from engine.players.blueprint.shipped import index
from engine.players.blueprint.values import OFTEN, likeliest_action
from engine.players.coaching.advising import advise, hinted_action
from engine.players.coaching.decisions import (
    ASKED,
    CHARACTER,
    Decision,
    Tried,
    decisions_of,
    position_of,
)
from engine.players.kernels.cards import CHALLENGE, NOBODY
from engine.players.kernels.reading import MODELS
from engine.players.kernels.search import LET_STAND, read, try_actions
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, play, seed_from, stacked_deal
from tests.engine.players.reading.tables import deal_round, reading
from tests.engine.players.tables import whole_match
from tests.engine.rounds import with_cards

THAI = ruleset("thai_poker")
LIARS = ruleset("liars_poker")
READINGS = 6


def advice_on_last(first, *actions, readings=READINGS):
    """Return the coach's advice on the last of these actions; `first` is the match before them."""
    return advise(decisions_of(first, actions)[-1], first.ruleset, readings)


def key(rules, text):
    return rules.wording.parse(text).key


def two(rules=THAI, **hands):
    first = start(rules, range(2), 0)
    return first, stacked_deal(first, {int(seat[1:]): cards for seat, cards in hands.items()})


def test_to_challenge_what_ones_own_cards_make_good_costs_what_the_lost_card_is_worth():
    first, deal = two(s0="Ah", s1="Ks")
    advice = advice_on_last(first, deal, MakeBid(0, key(THAI, "high card king")), Challenge(1))
    assert advice.chance.favourable == advice.chance.total
    assert advice.estimate == 1
    equity = match_equity(THAI, 2)
    cards = [len(hand) for hand in play(first, deal).round.hands]
    assert advice.chosen.wins == pytest.approx(equity.after_loss(cards, 1)[1])
    assert advice.clear
    assert advice.cost > 0.02
    assert advice.best.key is not None
    assert advice.sharp.key is not None, "what is certain is not challenged"


def test_to_challenge_what_cannot_hold_costs_nothing():
    first, deal = two(s0="Ah", s1="Ks")
    advice = advice_on_last(first, deal, MakeBid(0, key(THAI, "four aces")), Challenge(1))
    assert (advice.chance.favourable, advice.estimate) == (0, 0)
    assert advice.cost == 0
    assert not advice.clear
    assert advice.best is advice.chosen
    assert advice.sharp == Tried(None, advice.chosen.wins, ASKED)
    equity = match_equity(THAI, 2)
    cards = [len(hand) for hand in play(first, deal).round.hands]
    assert advice.chosen.wins == pytest.approx(equity.after_loss(cards, 0)[1])


@pytest.mark.long
def test_of_a_whole_match_each_word_is_exact_the_same_each_time_and_never_below_zero():
    pairs = list(whole_match(THAI, ["careful", "wild", "careful"], "coached"))
    actions = [action for _, action in pairs]
    decisions = decisions_of(pairs[0][0], actions)
    for decision in decisions:
        advice = advise(decision, THAI, 2)
        assert advice == advise(decision, THAI, 2)
        position, action = decision.position, decision.action
        last = THAI.ladder.at(position.bids[-1][1]) if position.bids else None
        about = THAI.ladder.bid(action.key) if isinstance(action, MakeBid) else last
        assert about is not None
        exact = bid_chance(about, THAI.deck, position.in_play, position.cards)
        assert advice.chance == exact
        assert advice.seq == decision.seq
        assert advice.seat == position.seat
        assert 0 <= advice.chosen.wins <= advice.best.wins <= 1
        assert advice.best.wins == max(option.wins for option in advice.tried)
        assert advice.chosen in advice.tried
        assert sum(option.sharp for option in advice.tried) == ASKED
        allowed = {bid.key for rung in legal(match_at(pairs, decision.seq)).rungs for bid in rung}
        assert {option.key for option in advice.tried} <= allowed | {None}


def test_a_bluff_that_an_equilibrium_makes_is_no_mistake_and_a_wild_one_is():
    first, deal = two(s0="9c Td Jh", s1="Ks Qd Ad")
    position = decisions_of(first, [deal, MakeBid(0, key(THAI, "nine high"))])[0].position
    chances = {
        place: chance
        for place, chance in chances_at(position, THAI)
        if place is not None and chance >= OFTEN
    }
    odds = {
        place: bid_chance(THAI.ladder.at(place), THAI.deck, 6, position.cards) for place in chances
    }
    bluff = min(odds, key=lambda place: odds[place].probability)
    assert odds[bluff].probability < 0.5
    advice = advice_on_last(first, deal, MakeBid(0, THAI.ladder.at(bluff).key))
    assert not advice.clear
    lost = index()["thai_poker"]["exploitability"]["3-3"]
    equity = match_equity(THAI, 2)
    stake = equity.after_loss([3, 3], 1)[0] - equity.after_loss([3, 3], 0)[0]
    assert advice.error >= lost * stake / 2 > 0
    wild = advice_on_last(first, deal, MakeBid(0, key(THAI, "four queens")))
    assert wild.clear
    assert wild.cost > 0.4 * stake


def test_what_a_hint_advises_is_no_mistake_to_the_coach():
    match = with_cards(start(THAI, range(2), 0), 3, 3)
    for number, actions in enumerate(((), ("ace high",), ("ace high", "pair of tens"))):
        now = play(match, fair_deal(match, seed_from(f"advised {number}")))
        for turn, text in enumerate(actions):
            now = play(now, MakeBid(turn % 2, key(THAI, text)))
        sight = view_of(now, len(actions) % 2)
        position = observe(sight, Memory(CHARACTER, number))
        assert position is not None
        solved = likeliest_action(position, THAI)
        assert solved is not None
        hinted = hint(sight, solved)
        assert hinted is not None
        assert hinted.action is not None
        advice = advise(Decision(number, position, hinted.action), THAI, READINGS)
        assert not advice.clear
        assert advice.cost <= advice.error


@pytest.mark.parametrize(
    ("rules", "seats", "texts", "better"),
    [
        (LIARS, 2, ("five high",), False),
        (LIARS, 2, ("pair of queens", "pair of kings"), True),
        (LIARS, 3, ("jack high", "pair of tens"), True),
        (THAI, 3, ("pair of queens", "pair of kings"), True),
    ],
)
def test_where_nothing_is_solved_a_hint_is_no_mistake_to_the_coach_either(
    rules, seats, texts, better
):
    match = with_cards(start(rules, range(seats), 0), *[4] * seats)
    match = play(match, fair_deal(match, seed_from(f"hinted {seats} 0")))
    for turn, text in enumerate(texts):
        match = play(match, MakeBid(turn, key(rules, text)))
    seat = len(texts) % seats
    position = position_of(match, seat, ())
    assert position is not None
    instead = hinted_action(position, rules)
    hinted = hint(view_of(match, seat), instead)
    assert hinted is not None
    assert hinted.action is not None
    assert (instead is not None) == better
    assert (hinted.reason is HintReason.COACHED) == better
    assert not advise(Decision(match.seq + 1, position, hinted.action), rules).clear


def test_a_solved_round_has_a_hint_of_its_own_and_whoever_waits_has_none():
    match = start(THAI, range(2), 0)
    match = play(match, fair_deal(match, seed_from("solved hint")))
    position = position_of(match, 0, ())
    assert position is not None
    assert hinted_action(position, THAI) == likeliest_action(position, THAI) is not None
    anyone = ruleset("liars_poker", {"challengers": "anyone"})
    three = with_cards(start(anyone, range(3), 0), 4, 4, 4)
    three = play(
        three, fair_deal(three, seed_from("waits")), MakeBid(0, key(anyone, "pair of aces"))
    )
    waits = position_of(three, 2, ())
    assert waits is not None
    assert not waits.may_bid
    assert hinted_action(waits, anyone) is None


def match_at(pairs, seq):
    return next(match for match, _ in pairs if match.seq == seq - 1)


def test_nothing_is_better_where_there_is_one_choice_only():
    first, deal = two(s0="Ah", s1="Ks")
    top = THAI.ladder.at(len(THAI.ladder) - 1).key
    advice = advice_on_last(first, deal, MakeBid(0, top), Challenge(1))
    assert [option.key for option in advice.tried] == [None]
    assert advice.cost == advice.error == 0


def test_who_challenges_out_of_turn_is_compared_with_who_waits():
    rules = ruleset("liars_poker", {"challengers": "anyone"})
    first = start(rules, range(3), 0)
    deal = stacked_deal(first, {0: "As Ks", 1: "Qs Qh", 2: "9d 8d"})
    bid = MakeBid(0, key(rules, "pair of aces"))
    advice = advice_on_last(first, deal, bid, Challenge(2))
    waits = [option for option in advice.tried if option.waits]
    assert len(waits) == 1
    assert {option.key for option in advice.tried} == {None}
    assert advice.sharp.waits, "to wait costs nothing: another may be wrong"
    assert not advice.chosen.waits


def test_a_bidder_who_has_left_loses_nothing():
    first = start(THAI, range(3), 0)
    deal = stacked_deal(first, {0: "Ah", 1: "Ks", 2: "Qd"})
    bid = MakeBid(0, key(THAI, "four aces"))
    advice = advice_on_last(first, deal, bid, Forfeit(0), Challenge(1))
    equity = match_equity(THAI, 3)
    cards = [len(hand) for hand in play(first, deal).round.hands]
    assert advice.chosen.wins == pytest.approx(equity.chances(cards[1:])[0])


def test_an_opening_that_sharp_varies_with_costs_no_more_than_the_usual_one():
    match = with_cards(start(THAI, range(3), 0), 5, 4, 4)
    match = play(match, fair_deal(match, seed_from("varied 3")))
    position = position_of(match, 0, ())
    assert position is not None
    advice = advise(Decision(match.seq + 1, position, MakeBid(0, "straight:A")), THAI, 2)
    others = [each for each in advice.tried if each.key != "straight:A" and each.sharp]
    assert others
    assert {each.key.split(":")[0] for each in others if each.key} == {"high_card"}
    for each in others:
        assert each.wins >= advice.chosen.wins


@pytest.mark.long
@pytest.mark.parametrize("game", ["thai_poker", "liars_poker"])
def test_who_loses_is_who_the_rules_say(game):
    options = {"challengers": "anyone"} if game == "liars_poker" else None
    setup = reading(game, options, started=3, budget=2000.0)
    rules = ruleset(game, options)
    for seed in range(3):
        t, w, rng, me = deal_round(setup, seats=3, seed=seed, bids=2)
        if not t.state[1]:
            continue
        hands = setup.hands(3)
        read(setup.arrays, w, setup.models, setup.reader, t, me, np.zeros((3, MODELS)), rng, hands)
        standing, by = int(t.bids[t.state[1] - 1]), int(t.by[t.state[1] - 1])
        higher = int(setup.arrays.above[standing])
        actions = [CHALLENGE, LET_STAND] + ([higher] if higher < len(rules.ladder) else [])
        losers = np.full((20, len(actions)), 9, np.int64)
        state, hole = t.state.copy(), t.hands[me]
        try_actions(
            *(setup.arrays, w, setup.models, t, me, me, hands, rng),
            *(np.array(actions, np.int64), losers),
        )
        assert set(losers[:, 0]) <= {me, by}
        assert set(losers.ravel()) <= {0, 1, 2, NOBODY}
        assert (t.state == state).all()
        assert [int(hand) for hand in t.hands] == [int(hole) if s == me else 0 for s in range(3)]


def test_a_bidder_who_is_gone_is_nobody_to_the_loops():
    setup = reading("thai_poker", started=3, budget=2000.0)
    t, w, rng, me = deal_round(setup, seats=3, seed=2, bids=1, cards=[1, 1, 1])
    t.bids[0], t.state[1] = len(THAI.ladder) - 1, 1  # what nobody can make good with three cards
    t.live[int(t.by[0])] = False
    hands = setup.hands(3)
    read(setup.arrays, w, setup.models, setup.reader, t, me, np.zeros((3, MODELS)), rng, hands)
    losers = np.zeros((3, 1), np.int64)
    try_actions(
        *(setup.arrays, w, setup.models, t, me, me, hands, rng, np.array([CHALLENGE]), losers)
    )
    assert set(losers.ravel()) == {NOBODY}


@pytest.mark.thorough
def test_the_sharp_player_gives_away_less_than_one_that_bluffs_wildly():
    lost: dict[str, list[float]] = {"sharp": [], "wild": []}
    for number in range(3):
        players = ["sharp", "wild", "wild"]
        pairs = list(whole_match(LIARS, players, f"coach {number}"))
        for decision in decisions_of(pairs[0][0], [action for _, action in pairs])[::2]:
            advice = advise(decision, LIARS, 4)
            lost[players[advice.seat]].append(advice.cost)
    assert np.mean(lost["sharp"]) < np.mean(lost["wild"]) / 2

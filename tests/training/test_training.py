"""Training of the network: gradients, stakes, and the same weights from the same seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks import openings
from benchmarks.estimate import play_cases
from benchmarks.training.gradients import (
    CRITIC_UNITS,
    CRITIC_WEIGHTS,
    SEEN,
    adam,
    add_critic_gradient,
    add_policy_gradient,
    critic,
)
from benchmarks.training.league import CUT, League, Plan, fresh
from benchmarks.training.practice import learner_of, set_rewards
from benchmarks.training.response import best_response
from benchmarks.training.solved import UNSOLVED, solved_action, solved_rounds
from benchmarks.training.stakes import equities_are_sound, stakes_of
from engine.cards import Cards
from engine.odds import bid_chance
from engine.players.arrays import arrays_of
from engine.players.blueprint.playing import chances_of
from engine.players.kernels.cards import CHALLENGE, deal, round_arrays
from engine.players.kernels.deciding import NETWORK
from engine.players.kernels.features import BID, STATE, workspace
from engine.players.kernels.network import WEIGHTS, score, softmax
from engine.players.networks import BASELINES, Entry
from engine.players.simulation import Simulation
from engine.variants import ruleset

THAI = arrays_of(ruleset("thai_poker"))


def loss(p, state, bids, n, action, advantage, heat, pull, anchors):
    """Return -advantage * log(action's chance) - heat * entropy + pull * KL, by whole matrices.

    KL is the divergence of the actions' chances from `anchors`.
    """
    from tests.engine.players.test_networks import slow_scores

    work = workspace(n)
    work = work._replace(state=state, bids=bids)
    scores = np.array(slow_scores(work, n, p))
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    entropy = -(chances * np.log(chances)).sum()
    away = (chances * np.log(chances / anchors)).sum()
    return -advantage * np.log(chances[action]) - heat * entropy + pull * away


@pytest.mark.long
@pytest.mark.parametrize(("action", "pull"), [(2, 0.0), (5, 0.0), (2, 0.3), (5, 0.3)])
def test_the_gradient_is_the_slope_of_the_loss(action, pull):
    rng = np.random.default_rng(3)
    n, advantage, heat = 5, 0.7, 0.05
    p = (rng.standard_normal(WEIGHTS) * 0.3).astype(np.float32)
    work = workspace(n)
    work.state[:] = rng.random(STATE)
    work.bids[:] = rng.random((n, BID)) * (rng.random((n, BID)) < 0.8)
    score(work, n, True, p)
    softmax(work, n + 1, 0.0)
    gradient = np.zeros(WEIGHTS, np.float32)
    anchors = rng.dirichlet(np.ones(n + 1)).astype(np.float32)
    add_policy_gradient(
        *(work.state, work.bids, n, n + 1, work.chances, anchors, action),
        *(np.float32(advantage), np.float32(heat), np.float32(pull), p, gradient),
    )
    exact = p.astype(float)
    for place in rng.choice(WEIGHTS, 60, replace=False):
        step = np.zeros(WEIGHTS)
        step[place] = 1e-5
        up, down = (
            loss(
                *(exact + sign * step, work.state, work.bids, n, action),
                *(advantage, heat, pull, anchors),
            )
            for sign in (1, -1)
        )
        assert gradient[place] == pytest.approx((up - down) / 2e-5, abs=2e-4)


@pytest.mark.long
def test_the_critics_gradient_is_the_slope_of_its_guess():
    rng = np.random.default_rng(4)
    v = rng.standard_normal(CRITIC_WEIGHTS).astype(np.float32)
    x = rng.random(SEEN).astype(np.float32)
    hidden = np.zeros(CRITIC_UNITS, np.float32)
    critic(x, v, hidden)
    gradient = np.zeros(CRITIC_WEIGHTS, np.float32)
    add_critic_gradient(x, v, hidden, np.float32(2), gradient)
    for place in rng.choice(CRITIC_WEIGHTS, 40, replace=False):
        ends = []
        for sign in (1, -1):
            moved = v.copy()
            moved[place] += np.float32(sign * 1e-2)
            ends.append(float(critic(x, moved, hidden)))
        assert gradient[place] == pytest.approx(2 * (ends[0] - ends[1]) / 2e-2, abs=2e-2)


@pytest.mark.long
def test_adam_goes_downhill():
    p = np.full(4, 3, np.float32)
    m, v = np.zeros(4, np.float32), np.zeros(4, np.float32)
    for step in range(1, 400):
        adam(p, 2 * p, m, v, step, 0.05)
    assert np.abs(p).max() < 0.1


@pytest.mark.long
def test_benchmarks_that_play_whole_matches_end_their_rounds_by_the_compiled_rules(monkeypatch):
    rules = ruleset("thai_poker", {"length": "first_out"})
    cases = play_cases(rules, 200, 1, "strong")
    assert set(cases.held) == {0, 1}
    monkeypatch.setattr(openings, "MATCHES", 5)
    opened = openings.match_openings(rules, 4)
    assert len({position.seat for position in opened}) > 1
    assert len({sum(position.dealt) for position in opened}) > 2


@pytest.mark.parametrize("key", ["thai_poker", "liars_poker"])
def test_the_chances_to_win_add_up_and_losing_costs(key):
    stakes = stakes_of(arrays_of(ruleset(key)))
    assert equities_are_sound(stakes).all()
    assert (np.diff(stakes.keys) > 0).all()
    assert (stakes.scale > 0).all()


@pytest.mark.long
@pytest.mark.parametrize("worth", [0.0, 1.0])
def test_the_loser_pays_and_the_others_gain(worth):
    stakes = stakes_of(THAI)
    rewards = np.zeros(11, np.float32)
    set_rewards(THAI, stakes, np.array([3, 4]), 1, worth, rewards)
    assert rewards[:2].tolist() == [1, -1]
    cards = np.array([1, 2, 5, 3])
    set_rewards(THAI, stakes, cards, 2, worth, rewards)  # with four players, five is the limit
    assert rewards[:4].sum() == pytest.approx(0, abs=1e-4)
    assert rewards[2] < 0 < min(rewards[[0, 1, 3]])
    if worth:
        # by the match's value, the player with the most cards has the least to lose
        least = rewards[2]
        set_rewards(THAI, stakes, cards, 0, worth, rewards)
        assert rewards[0] < least


def solved_chances(rules, table, seat):
    """Return the chance of each action in the engine's solved tables.

    An action is a bid's place on the ladder, CHALLENGE, or UNSOLVED. If the tables have no
    choice, the result is UNSOLVED. Otherwise, a bid that can't be true is always challenged,
    and the challenge of a certain bid counts as UNSOLVED.
    """
    hole, bids_made = int(table.hands[seat]), [int(bid) for bid in table.bids[: table.state[1]]]
    choices = chances_of(rules, table.cards.tolist(), int(table.state[0]), seat, hole, bids_made)
    if not choices:
        return {UNSOLVED: 1}
    chances: dict[int, float] = {}
    for place, chance in choices:
        action = CHALLENGE if place is None else place
        chances[action] = chances.get(action, 0) + chance
    if bids_made:
        stands = bid_chance(rules.ladder.at(bids_made[-1]), rules.deck, table.state[2], Cards(hole))
        if stands.favourable == 0:
            return {CHALLENGE: 1}
        if stands.favourable == stands.total and CHALLENGE in chances:
            chances[UNSOLVED] = chances.pop(CHALLENGE)
    return chances


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "fewest", "most"),
    # with six cards each, the memory holds buckets
    [("thai_poker", 1, 6), ("thai_poker", 6, 6), ("liars_poker", 2, 2)],
)
def test_practice_meets_solved_rounds_as_sharp_plays_them(key, fewest, most):
    rules = ruleset(key)
    g, solved, draws = arrays_of(rules), solved_rounds(rules), 200
    rng, dice = np.array([7], np.uint64), np.random.default_rng(1)
    kinds: set[tuple[int, bool]] = set()
    for _ in range(40):
        table = round_arrays(2, g.rung.size)
        table.cards[:] = dice.integers(fewest, most + 1, 2)
        table.state[0] = seat = int(dice.integers(2))
        with np.errstate(over="ignore"):
            deal(g, table, g.deck.copy(), rng, False)
            low = 0
            while low < g.rung.size and dice.random() < 0.9:
                expected = solved_chances(rules, table, seat)
                did = Counter(int(solved_action(g, solved, table, seat, rng)) for _ in range(draws))
                assert set(did) <= set(expected)
                for action, chance in expected.items():
                    assert did[action] / draws == pytest.approx(chance, abs=0.17)
                    kinds.add((min(action, 0), chance == 1))
                # sometimes a bid that the tables don't have, or that can't be true
                bids = [action for action in did if action >= 0 and dice.random() < 0.7]
                bid = bids[0] if bids else min(low + int(dice.integers(6)), g.rung.size - 1)
                count = table.state[1]
                table.bids[count], table.by[count] = bid, seat
                table.state[1], seat, low = count + 1, 1 - seat, g.above[bid]
    assert {(CHALLENGE, True), (CHALLENGE, False), (0, True), (0, False)} <= kinds


@pytest.mark.long
def test_a_response_is_to_the_tables_to_so_many_seats_and_goes_on_from_another():
    def train_response(seed=1, **how):
        """Train for very few rounds; return the weights for several players and for heads-up."""
        entry = best_response(ruleset("thai_poker"), BASELINES["threshold"], 1024, seed, **how)
        return entry.weights.reshape(2, -1)

    many_players, heads_up = train_response()
    assert (many_players == heads_up).all()
    assert (train_response(solved=True)[1] != heads_up).any()
    of_four = train_response(seats=4)
    assert (of_four[0] != of_four[1]).any()
    base = train_response(2)
    further = train_response(begin=Entry(NETWORK, CUT, base.ravel()))[1]
    assert np.abs(further - base[1]).max() < 0.05 < np.abs(further - heads_up).max()


EPOCH = 10_240  # rounds after which the league reports; the first epoch is all warm-up


def train(seed: int, pull: float = 0.1, until: int | None = None):
    """Return the final weights, and the network's weights after each epoch, as bytes.

    `pull` and `until` are fields of the training's `Plan`.
    """
    plan = Plan(2 * EPOCH, seed, warm_up=0.3, life=4_000, pull=pull, until=until)
    epochs: list[bytes] = []
    league = League(
        *(plan, [(THAI, 1.0)], learner_of(fresh(seed), seed)),
        lambda league: epochs.append(league.network.mean.tobytes()),
    )
    weights = league.run()
    if until is None:
        assert [member.name for member in league.members[:4]] == [*BASELINES][1:]
        assert {"exploiter 1", "network 1", "exploiter"} <= {m.name for m in league.members}
    return weights, epochs


@pytest.mark.long
def test_the_same_seed_gives_the_same_weights_which_play_better_than_at_first():
    weights, epochs = train(1)
    assert len(epochs) == 2
    assert train(1)[1] == epochs
    for _, (first,) in (train(2, until=EPOCH), train(1, pull=0.0, until=EPOCH)):
        assert first != epochs[0]
    rivals = {"trained": Entry(NETWORK, CUT, weights), "fresh": Entry(NETWORK, CUT, fresh(1))}
    contest = Simulation(ruleset("thai_poker"), [*rivals], seed=5, others=rivals)
    contest.play(600)
    assert contest.results()[0].interval.low > 0.5

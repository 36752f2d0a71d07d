"""Compiled loops that train a network: play rounds, compute rewards, follow the gradient."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from benchmarks.training.gradients import (
    CRITIC_UNITS,
    CRITIC_WEIGHTS,
    SEEN,
    adam,
    add_critic_gradient,
    add_policy_gradient,
    critic,
)
from benchmarks.training.solved import UNSOLVED, Solved, solved_action
from benchmarks.training.stakes import BASE, Stakes
from engine.odds.compiling import njit
from engine.players.arrays import Floats, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    RoundArrays,
    deal,
    holds,
    next_live,
    see,
    uniform,
)
from engine.players.kernels.deciding import decide
from engine.players.kernels.features import BID, STATE, Work, look
from engine.players.kernels.network import WEIGHTS, draw_place, score, softmax
from engine.players.kernels.reading import MODELS, note_round
from engine.players.kernels.search import look_ahead

KEPT = 48  # decisions of a round that are learned from
MANY = 40  # bids considered at most
MET_FIRST = 0.12  # fraction of the rounds in which readers have seen nothing of the learner yet


class Learner(NamedTuple):
    """A network in training. `mean` follows the weights slowly, and is the training's result."""

    p: Floats  # (WEIGHTS) the network
    mean: Floats  # (WEIGHTS)
    v: Floats  # (CRITIC_WEIGHTS) the critic
    moments: Floats  # (4, WEIGHTS) Adam's, of the network and of the critic
    steps: Any  # (1) number of batches so far


class Records(NamedTuple):
    """Decisions of the learner in the round being played."""

    state: Floats  # (KEPT, STATE)
    bids: Floats  # (KEPT, MANY, BID)
    chances: Floats  # (KEPT, MANY + 1)
    anchors: Floats  # (KEPT, MANY + 1) the chances by the mean weights
    features: Floats  # (KEPT, SEEN)
    indices: Any  # (KEPT, 4) number of bids scored, number of actions, action taken, seat


class Drill(NamedTuple):
    """The settings of a practice.

    `opponents` has a row for each opponent, `nets` the weights of each (`Entry`). An opponent takes
    the action of `solved` if there is one.
    """

    sizes: Floats  # (11) the shares of rounds by number of players
    fewest: int  # the fewest cards of a seat
    opponents: Any  # (O, PLAYER)
    nets: Floats  # (O, WEIGHTS)
    solved: Solved
    often: Floats  # (O) how often each opponent is met; the sum is 1
    alone: float  # share of rounds in which one seat learns; otherwise every seat does
    alike: float  # share of these in which all opponents are the same player
    middle: float  # share of rounds with a middle hand, if the deck has enough cards
    worth: float  # 0: rewards are rounds lost; 1: changes of the chance to win the match
    sensible: float  # as in `Entry`
    rounds: int  # in a batch
    rate: float  # the learning rate
    heat: float  # weight of the entropy
    pull: float  # weight of the divergence from the policy of the mean weights
    follow: float  # how far the mean moves towards the weights after a batch


def learner_of(p: Floats, seed: int) -> Learner:
    """Return a learner that starts from the weights `p`, with a new critic."""
    rng = np.random.default_rng(seed)
    v = (rng.standard_normal(CRITIC_WEIGHTS) * 0.1).astype(np.float32)
    moments = np.zeros((4, max(WEIGHTS, CRITIC_WEIGHTS)), np.float32)
    return Learner(p.copy(), p.copy(), v, moments, np.zeros(1, np.int64))


def records_for_round() -> Records:
    """Return scratch memory for a round's decisions."""
    real = np.float32
    return Records(
        np.zeros((KEPT, STATE), real),
        np.zeros((KEPT, MANY, BID), real),
        np.zeros((KEPT, MANY + 1), real),
        np.zeros((KEPT, MANY + 1), real),
        np.zeros((KEPT, SEEN), real),
        np.zeros((KEPT, 4), np.int64),
    )


@njit(cache=True, nogil=True)
def row_of_state(stakes: Stakes, key: int) -> int:
    """Return the row of the state with this key in `stakes`, by binary search."""
    low, high = 0, stakes.keys.size - 1
    while low < high:
        middle = (low + high) // 2
        if stakes.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def set_rewards(
    g: RuleArrays, stakes: Stakes, cards: Any, loser: int, worth: float, rewards: Floats
) -> None:
    """Fill `rewards` after `loser` lost a round; they sum to 0.

    With `worth` 0, the loser gets -1 and the others share 1. With `worth` 1, rewards are changes of
    the chance to win the match, scaled so that losers get -1 on average. A `worth` between 0 and 1
    gives weighted means of both. Heads-up, `worth` changes nothing.
    """
    n = cards.size
    for seat in range(n):
        rewards[seat] = -1 if seat == loser else 1 / (n - 1)
    if n == 2 or worth <= 0:
        return
    key = 0
    for seat in range(n):
        key += BASE ** (cards[seat] - 1)
    out = cards[loser] + 1 > g.limits[n]
    then = key - BASE ** (cards[loser] - 1)
    if not out:
        then += BASE ** cards[loser]
    now_row, then_row = row_of_state(stakes, key), row_of_state(stakes, then)
    scale = stakes.scale[now_row]
    for seat in range(n):
        held = cards[seat] + (1 if seat == loser else 0)
        value = 0 if seat == loser and out else stakes.value[then_row, held]
        moved = (value - stakes.value[now_row, cards[seat]]) / scale
        rewards[seat] += worth * (moved - rewards[seat])


@njit(inline="always")  # it has one caller, so inlining saves optimising what it calls twice
def play_for_practice(
    g: RuleArrays,
    w: Work,
    drill: Drill,
    readers: Any,
    p: Floats,
    mean: Floats,
    t: RoundArrays,
    middle: Any,
    learner: int,
    others: Any,
    true: Any,
    records: Records,
    rng: Masks,
) -> Any:
    """Play a round; return (loser, challenger, number of decisions in `records`).

    `learner` is the seat that learns, or -1 if every seat does; `others` are the opponents by seat.
    """
    count = g.rung.size
    pool = middle
    for seat in range(t.cards.size):
        pool |= t.hands[seat]
    for b in range(count):
        true[b] = holds(g, b, pool)
    turn = t.state[0]
    many = 0
    while True:
        bids_made = t.state[1]
        standing = t.bids[bids_made - 1] if bids_made else -1
        if learner >= 0 and turn != learner:
            opponent = others[turn]
            action = UNSOLVED
            if not bids_made or g.above[standing] < count:
                action = solved_action(g, drill.solved, t, turn, rng)
            if action == UNSOLVED:
                if readers is None:
                    player, net = drill.opponents[opponent], drill.nets[opponent]
                    action = decide(g, w, player, net, t, turn, rng)
                else:
                    see(t, turn, readers.sight)
                    action = look_ahead(
                        g,
                        w,
                        readers.models,
                        readers.reader,
                        readers.sight,
                        turn,
                        readers.notes,
                        readers.hands,
                        rng,
                        readers.outlook,
                    )
        elif bids_made and g.above[standing] >= count:
            action = CHALLENGE
        else:
            n = look(g, w, t, turn, drill.sensible, MANY)
            if bids_made and w.views[0, standing] <= 0:
                action = CHALLENGE
            else:
                open_doubt = bids_made > 0 and w.views[0, standing] < 1
                m = n + 1 if open_doubt else n
                if drill.pull > 0 and many < KEPT:
                    score(w, n, open_doubt, mean)
                    softmax(w, m, 0.0)
                    # one by one: see `engine.players.kernels.cards.see`
                    for x in range(m):
                        records.anchors[many, x] = w.chances[x]
                score(w, n, open_doubt, p)
                softmax(w, m, 0.0)
                i = draw_place(w.chances, m, uniform(rng))
                action = CHALLENGE if i == n else w.places[i]
                if many < KEPT:
                    records.indices[many, 0], records.indices[many, 1] = n, m
                    records.indices[many, 2], records.indices[many, 3] = i, turn
                    for x in range(STATE):
                        records.state[many, x] = w.state[x]
                    for bid in range(n):
                        for x in range(BID):
                            records.bids[many, bid, x] = w.bids[bid, x]
                    for x in range(m):
                        records.chances[many, x] = w.chances[x]
                    _see(g, w, n, bids_made, standing, true, records.features[many])
                    many += 1
        if action == CHALLENGE:
            return (turn if true[standing] else t.by[bids_made - 1]), turn, many
        t.bids[bids_made], t.by[bids_made] = action, turn
        t.state[1] = bids_made + 1
        turn = next_live(t.live, turn)


@njit(inline="always")
def _see(
    g: RuleArrays, w: Work, n: int, bids_made: int, standing: int, true: Any, features: Floats
) -> None:
    """Fill `features` for the critic: the position, and facts on which bids hold in this deal."""
    good = 0
    far = 0
    for i in range(n):
        if true[w.places[i]]:
            good += 1
            far = g.rung[w.places[i]]
    for x in range(STATE):
        features[x] = w.state[x]
    stands = g.rung[standing] if bids_made else 0
    features[STATE] = 1 if bids_made and true[standing] else 0
    features[STATE + 1] = good / n
    features[STATE + 2] = min(good, 20) / 20
    features[STATE + 3] = 1 if good else 0
    features[STATE + 4] = min(40, max(0, far - stands)) / 40
    features[STATE + 5] = min(good, 4) / 4


@njit(cache=True, nogil=True)
def practise(
    g: RuleArrays,
    w: Work,
    stakes: Stakes,
    drill: Drill,
    learner: Learner,
    records: Records,
    batches: int,
    results: Any,
    rng: Masks,
    readers: Any,
) -> None:
    """Train `learner` for `batches` batches.

    With `readers` (`kernels.match.Readers`), all opponents look ahead where nothing is solved, and
    remember how the learner played in the latest rounds. Without, `readers` is None.

    In rounds where one seat learns and all its opponents are the same player o, add the seat's
    reward to `results[o, 0]`, and 1 to `results[o, 1]`.
    """
    count = g.rung.size
    bids, by = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    true = np.zeros(count, np.bool_)
    hidden = np.zeros(CRITIC_UNITS, np.float32)
    gp = np.zeros(learner.p.size, np.float32)
    gv = np.zeros(learner.v.size, np.float32)
    rewards = np.zeros(11, np.float32)
    known = np.zeros(MODELS)
    deck = g.deck.copy()
    for _ in range(batches):
        gp[:] = 0
        gv[:] = 0
        learned = 0
        for _ in range(drill.rounds):
            n = draw_place(drill.sizes, drill.sizes.size, uniform(rng))
            cards = np.zeros(n, np.int64)
            largest = 0
            for seat in range(n):
                span = 1 + g.limits[n] - drill.fewest
                cards[seat] = drill.fewest + np.int64(uniform(rng) * span)
                largest = max(largest, cards[seat])
            lies = uniform(rng) < drill.middle and cards.sum() + largest <= deck.size
            state = np.zeros(4, np.int64)
            state[0] = np.int64(uniform(rng) * n)
            t = RoundArrays(cards, np.ones(n, np.bool_), np.zeros(n, np.uint64), bids, by, state)
            middle = deal(g, t, deck, rng, lies)
            alone = -1
            same = n == 2
            others = np.zeros(n, np.int64)
            if uniform(rng) < drill.alone:
                alone = int(uniform(rng) * n)
                same |= uniform(rng) < drill.alike
                for seat in range(n):
                    others[seat] = draw_place(drill.often, drill.often.size, uniform(rng))
                    if same:
                        others[seat] = others[0]
            if readers is not None:
                if uniform(rng) < MET_FIRST:
                    known[:] = 0
                for seat in range(readers.sight.cards.size):
                    readers.sight.live[seat] = seat < n
                    readers.sight.cards[seat] = 0
                    for model in range(MODELS):
                        readers.notes[seat, model] = known[model] if seat == alone else 0.0
            p, mean = learner.p, learner.mean
            loser, challenger, many = play_for_practice(
                g, w, drill, readers, p, mean, t, middle, alone, others, true, records, rng
            )
            if readers is not None:
                note_round(g, w, readers.models, t, challenger, -1, readers.notes)
                for model in range(MODELS):
                    known[model] = readers.notes[alone, model]
            set_rewards(g, stakes, cards, loser, drill.worth, rewards)
            if alone >= 0 and same:
                met = others[alone - 1]
                results[met, 0] += rewards[alone]
                results[met, 1] += 1
            for i in range(many):
                reward = rewards[records.indices[i, 3]]
                guess = critic(records.features[i], learner.v, hidden)
                add_critic_gradient(records.features[i], learner.v, hidden, guess - reward, gv)
                add_policy_gradient(
                    records.state[i],
                    records.bids[i],
                    records.indices[i, 0],
                    records.indices[i, 1],
                    records.chances[i],
                    records.anchors[i],
                    records.indices[i, 2],
                    reward - guess,
                    np.float32(drill.heat),
                    np.float32(drill.pull),
                    learner.p,
                    gp,
                )
            learned += many
        for i in range(gp.size):
            gp[i] /= max(1, learned) * np.float32(0.1)
        for i in range(gv.size):
            gv[i] /= max(1, learned)
        learner.steps[0] += 1
        step = learner.steps[0]
        adam(learner.p, gp, learner.moments[0], learner.moments[1], step, drill.rate)
        adam(learner.v, gv, learner.moments[2], learner.moments[3], step, 3e-3)
        for i in range(gp.size):
            learner.mean[i] += (learner.p[i] - learner.mean[i]) * np.float32(drill.follow)

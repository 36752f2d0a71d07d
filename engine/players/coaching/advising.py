"""The cost of a decision: the chance to win the match after it, compared with the best alternative.

In a solved round, the solved strategy gives the worth of actions (`blueprint.values`). Elsewhere,
the reader guesses from the bids what the others hold. Deals are drawn from its guesses, and each of
a few actions is tried on every deal; the reader's models play the rest of the round. All actions
are tried with the same deals and the same random numbers. The loser of the round determines the
next card counts, from which the chance to win follows (`engine.players.equity`). docs/replays.md
explains the coach to players.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.actions import Challenge, MakeBid
from engine.odds import bid_chance
from engine.players.blueprint.values import likeliest_action, round_values
from engine.players.coaching.decisions import ASKED, CHARACTER, Advice, Decision, Tried
from engine.players.deciding import choose
from engine.players.equity import match_equity
from engine.players.estimate import estimate
from engine.players.kernels.cards import CHALLENGE, NOBODY
from engine.players.kernels.deciding import weigh
from engine.players.kernels.features import workspace
from engine.players.kernels.search import LET_STAND, read, try_actions
from engine.players.position import Position
from engine.players.reader import notes_from, other_bid, reading_of, table_to_play_on
from engine.ruleset import Ruleset

READINGS: Final = 16  # independent guesses, from the bids, of what the others hold
DEALS: Final = 25  # deals to draw from each guess
TRIED: Final = 5  # bids to try: those that the network likes best
CLEAR: Final = 3.0  # a cost is clear if it is more than this many standard errors

Floats = NDArray[np.float64]


def advise(decision: Decision, rules: Ruleset, readings: int = READINGS) -> Advice:
    """Return the coach's advice on `decision`; the same decision always gets the same advice.

    `rules` must be those of the decision's match. `readings` is the number of independent guesses
    of the others' hands, in a round that isn't solved.
    """
    position, action = decision.position, decision.action
    bid = rules.ladder.bid(action.key) if isinstance(action, MakeBid) else None
    about = bid or rules.ladder.at(position.bids[-1][1])
    sharp_counts = Counter(_sharp_actions(position, rules))
    chosen = _number(action, rules)
    worth, error = _by_blueprint(position, rules, [chosen, *sharp_counts]) or _by_reading(
        position, rules, [chosen, *sharp_counts], readings
    )
    actions = list(worth)
    tried = tuple(
        _as_tried(number, wins, sharp_counts[number], rules) for number, wins in worth.items()
    )
    # the player's choice comes first, so it counts as the best if nothing is better
    best = max(tried, key=lambda each: each.wins)
    favourite = max(range(len(actions)), key=lambda at: (sharp_counts[actions[at]], -at))
    return Advice(
        seq=decision.seq,
        seat=position.seat,
        chance=bid_chance(about, rules.deck, position.in_play, position.cards),
        estimate=estimate(position, rules, rules.ladder.place(about)),
        chosen=tried[0],
        best=best,
        sharp=tried[favourite],
        error=error,
        tried=tried,
    )


def hinted_action(position: Position, rules: Ruleset) -> tuple[int | None, float] | None:
    """Return (action, share): what a hint should advise; None to keep the careful player's action.

    An action is a bid's place in the ladder's order, or None for a challenge. The careful action is
    that of the careful player.

    In a solved round, return the strategy's most frequent action; the share is how often the
    strategy takes it. Elsewhere the share is 0. If the coach would call the careful action a
    mistake, return the coach's best action, so that the coach never criticises a hint after the
    match. If the careful action is a challenge and no mistake, return the challenge: the careful
    player ignores the earlier bids, which matter most for a challenge, so the coach confirms it.

    Otherwise return None, also for a seat that is not in turn.
    """
    if (solved := likeliest_action(position, rules)) is not None or not position.may_bid:
        return solved
    plain = choose(replace(position, character="careful"), rules).action
    assert plain is not None  # a seat in turn always acts
    advice = advise(Decision(0, position, plain), rules)
    if advice.clear:
        key = advice.best.key
        return None if key is None else rules.ladder.place(rules.ladder.bid(key)), 0.0
    return (None, 0.0) if isinstance(plain, Challenge) else None


def _sharp_actions(position: Position, rules: Ruleset) -> list[int]:
    """Return the actions that the sharp player chooses with `ASKED` different seeds."""
    answers = []
    for time in range(ASKED):
        luck = replace(position, character=CHARACTER, seed=position.seed + time)
        answers.append(_number(choose(luck, rules).action, rules))
    return answers


def _number(action: MakeBid | Challenge | None, rules: Ruleset) -> int:
    """Return the number of an action in the kernels: a bid's place, CHALLENGE or LET_STAND."""
    match action:
        case MakeBid(key=key):
            return rules.ladder.place(rules.ladder.bid(key))
        case Challenge():
            return CHALLENGE
    return LET_STAND


def _as_tried(number: int, wins: float, sharp: int, rules: Ruleset) -> Tried:
    if number == LET_STAND:
        return Tried(None, wins, sharp, waits=True)
    return Tried(None if number == CHALLENGE else rules.ladder.at(number).key, wins, sharp)


def _candidates(position: Position, rules: Ruleset) -> list[int]:
    """Return actions worth trying: a challenge if legal, and the bids that the network likes best.

    Out of turn, the only actions are to challenge and to let the bid stand.
    """
    if not position.may_bid:
        return [CHALLENGE, LET_STAND]
    liked = [CHALLENGE] if position.may_challenge else []
    if rules.ladder.first_above(position.standing) == len(rules.ladder):
        return liked
    reading = reading_of(rules, len(position.dealt))
    work, models = workspace(reading.arrays.rung.size), reading.models
    table = table_to_play_on(position, rules)
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        bids, _ = weigh(
            reading.arrays, work, models.players[0], models.nets[0], table, position.seat
        )
    chances = work.chances[:bids]
    order = np.argsort(-chances, kind="stable")[:TRIED]
    return liked + [int(work.places[at]) for at in order if chances[at] > 0]


def _by_blueprint(
    position: Position, rules: Ruleset, actions: list[int]
) -> tuple[dict[int, float], float] | None:
    """Return what `_by_reading` returns, but from the `round_values`; None if there are none."""
    places = [None if number == CHALLENGE else number for number in actions]
    values = round_values(position, rules, places)
    if values is None:
        return None
    worths = _worths(position, rules)
    lost, won = worths[position.seat], worths[sum(position.live) - position.seat]
    wins = {
        CHALLENGE if place is None else place: float(lost + (won - lost) * (1 + worth) / 2)
        for place, worth in values.worth.items()
    }
    return wins, float((won - lost) * values.error / 2)


def _by_reading(
    position: Position, rules: Ruleset, first: list[int], readings: int
) -> tuple[dict[int, float], float]:
    """Return the chance to win the match after each action, and the error of the first's cost.

    The actions are those of `first` and others worth trying. The error is `CLEAR` standard
    errors of the difference between the first action and the best. A single guess of the
    others' hands may be far off, so `readings` independent guesses are made. The opening that
    *sharp* sometimes makes for variety gets at least the value of the network's favourite
    opening.
    """
    actions = list(dict.fromkeys([*first, *_candidates(position, rules)]))
    seats, me = len(position.dealt), position.seat
    reading = reading_of(rules, seats)
    work, table = workspace(reading.arrays.rung.size), table_to_play_on(position, rules)
    rng, notes = np.array([position.chance], np.uint64), notes_from(position, rules)
    tried, losers = np.array(actions, np.int64), np.zeros((DEALS, len(actions)), np.int64)
    worths, values = _worths(position, rules), np.zeros((readings, len(actions)))
    with np.errstate(over="ignore"):
        for number in range(readings):
            hands = reading.hands(seats)
            read(
                *(reading.arrays, work, reading.models, reading.reader),
                *(table, me, notes, rng, hands),
            )
            try_actions(
                *(reading.arrays, work, reading.models, table, me, position.turn),
                *(hands, rng, tried, losers),
            )
            values[number] = worths[losers].mean(axis=0)
        if not position.bids:
            bids, _ = weigh(
                *(reading.arrays, work, reading.models.players[0], reading.models.nets[0]),
                *(table, me),
            )
            usual = tried == work.places[np.argmax(work.scores[:bids])]
            varied = tried == other_bid(position, rules)
            # played on, it gains about as much; the models think otherwise
            values[:, varied] = np.maximum(values[:, varied], values[:, usual])
    means = values.mean(axis=0)
    gaps = values[:, int(np.argmax(means))] - values[:, 0]
    error = CLEAR * float(gaps.std() / np.sqrt(readings))
    return dict(zip(actions, means.tolist(), strict=True)), error


def _worths(position: Position, rules: Ruleset) -> Floats:
    """Return this seat's chance to win the match, by the seat that loses the round.

    The last entry is this seat's chance if no seat loses the round.
    """
    equity = match_equity(rules, len(position.dealt))
    live = position.live
    cards = [position.dealt[seat] for seat in live]
    mine = live.index(position.seat)
    worths = np.zeros(len(position.dealt) + 1)
    worths[NOBODY] = equity.chances(cards)[mine]
    for place, seat in enumerate(live):
        worths[seat] = equity.after_loss(cards, place, playing_off=position.playing_off)[mine]
    return worths

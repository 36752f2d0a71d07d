"""Measure whether sharp can be trapped heads-up: `python -m benchmarks.traps thai`.

A trap poses as a simple player until some rounds have been shown, so that sharp begins to exploit
it. From then on it plays a best response to sharp (`training.response`). The trap `knowing` plays
the response exactly while sharp takes it for a simple player, according to sharp's own recognition,
and poses otherwise. This prints the share of matches that each trap wins, with a 95 % interval;
each deal is played in both seats.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from benchmarks.training.response import best_response
from engine.players import sharp
from engine.players.by_views import play_by_views
from engine.players.characters import Player
from engine.players.forms import player_of
from engine.players.kernels.match import COUNTED
from engine.players.networks import BASELINES, network_of
from engine.players.position import Choice, Position
from engine.players.recognition import plays_simply
from engine.players.simulation import Interval, interval
from engine.ruleset import Ruleset
from engine.variants import by_short

POSES: Final = ("truthful", "careful")
ROUNDS: Final = (0, 1, 3, 5)  # shown rounds before a trap springs; with 0 it never poses

Springs = Callable[[Position, Ruleset], bool]


def trap(pose: Player, strike: Player, springs: Springs) -> Player:
    """Return a player that plays like `strike` when `springs` is true, else like `pose`."""

    def play(position: Position, rules: Ruleset) -> Choice:
        return (strike if springs(position, rules) else pose)(position, rules)

    return play


def after(rounds: int) -> Springs:
    """Return a condition that is true once `rounds` rounds have been shown."""
    return lambda position, rules: len(position.rounds) >= rounds


def knowing(position: Position, rules: Ruleset) -> bool:
    """Return whether the sharp player considers this seat a simple player."""
    return plays_simply(position, rules, position.seat)


def traps_of(strike: Player) -> Iterator[tuple[str, Player]]:
    """Yield (name, player) for each trap: it plays like `strike` when its condition is true."""
    for name in POSES:
        pose = player_of(name, BASELINES[name])
        for rounds in ROUNDS if name == POSES[0] else ROUNDS[1:]:
            yield f"{name} for {rounds} rounds", trap(pose, strike, after(rounds))
        yield f"{name}, knowing", trap(pose, strike, knowing)


def share(rules: Ruleset, player: Player, matches: int, seed: int) -> Interval:
    """Return the share of matches that `player` wins against sharp."""
    wins = np.zeros((matches // 2, 2))
    for deal in range(len(wins)):
        for seat in (0, 1):
            field: list[tuple[str, Player]] = [("sharp", sharp.choose), ("sharp", sharp.choose)]
            field[seat] = ("trap", player)
            luck = f"traps {seed} {deal}"
            won = play_by_views(rules, field, luck, f"{luck} {seat}", np.zeros((2, COUNTED)))
            wins[deal, seat] = won == seat
    return interval(wins.mean(axis=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--matches", type=int, default=200, help="of each trap")
    parser.add_argument("--rounds", type=int, default=2_000_000, help="to train the response")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.matches < 2 or options.rounds < 1:
        parser.error("matches are 2 or more and rounds 1 or more, for example --matches 100")
    rules = by_short(options.game).ruleset()
    network = network_of(rules.key)
    response = best_response(rules, network, options.rounds, options.seed, solved=True)
    for name, player in traps_of(player_of("response", response)):
        score = share(rules, player, options.matches, options.seed)
        print(f"{name}: {score.share:.3f} ± {(score.high - score.low) / 2:.3f}", flush=True)


if __name__ == "__main__":
    main()

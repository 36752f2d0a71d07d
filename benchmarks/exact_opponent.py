"""Compute how often the best opponent of the solved rounds wins a whole heads-up match.

`python -m benchmarks.exact_opponent thai`. The opponent is that of `benchmarks.exploitability`: it
knows the tables, and at each point exactly how likely each hand is. A round has two outcomes, so
the opponent that wins most rounds also wins most matches. The share of matches follows from the
rounds by dynamic programming over both seats' cards and the opener, without playing.

There is a line for each round: the cards of the opener and of the other seat, and how much more
than the table the opponent wins there in either seat (rounds won less rounds lost). "adds" is how
much this raises the share, to first order, in both seats together.

The search is cut, so the share is a lower bound; "at most" is the share if all that was cut counted
for the opponent. In rounds with very many hands, --drawn hands of each seat are tried, which gives
the 95% interval; with twenty, all rounds take a quarter of an hour on one core. The opponent
doesn't pose as a simple player, whom *sharp* would answer by its reader.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

from benchmarks.solve import DRAWN, has_many_hands
from benchmarks.solving.response import Responder, best_response, sampled_response
from engine.players.blueprint.playing import Blueprint, blueprint_of
from engine.ruleset import Ruleset
from engine.variants import by_short

Cards = tuple[int, int]  # of the opener and of the other seat
Pair = tuple[float, float]  # for the opponent as the opener, and as the other seat
LEAST: Final = 1e-4  # ends a search of all hands, as in `best_response`
LEAST_DRAWN: Final = 1e-2  # ends a search of drawn hands


class RoundGain(NamedTuple):
    """The worth of a round to the opener, from -1 to 1, and the best opponent's gain over it."""

    value: float  # what the opener wins if both seats play by the table
    low: Pair  # how much more than the table the opponent wins, with the search cut
    high: Pair  # the same if all that was cut counted for the opponent
    errors: Pair  # standard errors of `low`

    def worth(self, gain: Pair) -> Pair:
        """Return what the opponent wins a round in each seat, if it gains `gain`."""
        return self.value + gain[0], gain[1] - self.value


class Share(NamedTuple):
    """The opponent's share of the matches, and how much each round adds to `low`."""

    low: float
    high: float
    error: float  # the standard error of `low`
    added: dict[Cards, float]  # to first order


def measure_gain(blueprint: Blueprint, drawn: int) -> RoundGain:
    """Return what the best opponent gains in a round whose table remembers two or three bids.

    If the round has very many hands, draw `drawn` hands of each seat; 0 means all hands.
    """
    opener = Responder(0, *blueprint)
    value = float(opener.often @ [opener.play_value(hand) for hand in range(len(opener.often))])
    if drawn and has_many_hands(blueprint[0]):
        met = sampled_response(*blueprint, LEAST_DRAWN, drawn)
        return RoundGain(value, met.low, met.high, met.errors)
    met = best_response(*blueprint, LEAST)
    low, high = ((first - value, second + value) for first, second in (met.low, met.high))
    return RoundGain(value, low, high, met.errors)


def rounds_of_match(rules: Ruleset) -> list[Cards]:
    """Return the cards in each round that a heads-up match may have."""
    held = range(rules.starting_cards[2], rules.card_limit(2, 2) + 1)
    return [(opener, replier) for opener in held for replier in held]


def match_share(rules: Ruleset, gains: Mapping[Cards, RoundGain]) -> Share:
    """Return the opponent's share of the matches, from what it gains in each round.

    `gains` has all of `rounds_of_match`. Either seat opens the first round equally often.
    """
    low, slopes = solve_match(rules, {cards: met.worth(met.low) for cards, met in gains.items()})
    high, _ = solve_match(rules, {cards: met.worth(met.high) for cards, met in gains.items()})
    variance = 0.0
    added = dict.fromkeys(gains, 0.0)
    for cards, met in gains.items():
        for slope, gain, error in zip(slopes[cards], met.low, met.errors, strict=True):
            added[cards] += slope * gain
            variance += (slope * error) ** 2
    return Share(low, high, sqrt(variance), added)


def solve_match(rules: Ruleset, worth: Mapping[Cards, Pair]) -> tuple[float, dict[Cards, Pair]]:
    """Return the opponent's chance to win a match, and how much it grows by each entry of `worth`.

    `worth` is what the opponent wins in each round, from -1 to 1. The chance grows by the chance
    that the round is played, times half of what it decides.
    """
    start, limit = rules.starting_cards[2], rules.card_limit(2, 2)
    rounds = sorted(worth, key=sum)
    # by the opponent's cards, the table's cards and the opponent's seat (0: it opens)
    chance: dict[tuple[int, int, int], float] = {}
    for cards in reversed(rounds):
        for seat, (mine, theirs) in enumerate((cards, cards[::-1])):
            wins = (1 + worth[cards][seat]) / 2
            won, lost = _after(chance, mine, theirs, limit)
            chance[mine, theirs, seat] = wins * won + (1 - wins) * lost
    come = dict.fromkeys(chance, 0.0) | {(start, start, 0): 0.5, (start, start, 1): 0.5}
    slopes = {}
    for cards in rounds:
        by_seat = []
        for seat, (mine, theirs) in enumerate((cards, cards[::-1])):
            often, wins = come[mine, theirs, seat], (1 + worth[cards][seat]) / 2
            won, lost = _after(chance, mine, theirs, limit)
            by_seat.append(often * (won - lost) / 2)
            if theirs < limit:
                come[mine, theirs + 1, 1] += often * wins
            if mine < limit:
                come[mine + 1, theirs, 0] += often * (1 - wins)
        slopes[cards] = by_seat[0], by_seat[1]
    return (chance[start, start, 0] + chance[start, start, 1]) / 2, slopes


def _after(
    chance: Mapping[tuple[int, int, int], float], mine: int, theirs: int, limit: int
) -> Pair:
    """Return the opponent's chance after it wins and after it loses; the loser opens the next."""
    return (
        1.0 if theirs == limit else chance[mine, theirs + 1, 1],
        0.0 if mine == limit else chance[mine + 1, theirs, 0],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument(
        "--drawn", type=int, default=DRAWN, help="hands of the opponent in large rounds; 0: all"
    )
    options = parser.parse_args()
    if options.drawn == 1:
        parser.error("--drawn is 0, or 2 and more")
    rules = by_short(options.game).ruleset()
    gains = {}
    for cards in rounds_of_match(rules):
        blueprint = blueprint_of(rules, cards)
        if blueprint is None or not blueprint[1].memory:
            parser.error("no match of {} is solved: {}-{} is not".format(rules.title, *cards))
        gains[cards] = measure_gain(blueprint, options.drawn)
    share = match_share(rules, gains)
    for cards, met in gains.items():
        print("{}-{}:".format(*cards), *map(_with_error, met.low, met.errors), end="; ")
        print(f"cut {sum(met.high) - sum(met.low):.4f}; adds {share.added[cards]:.4f}")
    print(f"at most {share.high:.3f}")
    print(f"the exact opponent wins {share.low:.3f} ± {1.96 * share.error:.3f} of the matches")


def _with_error(gain: float, error: float) -> str:
    return f"{gain:.4f} ± {error:.4f}" if error else f"{gain:.4f}"


if __name__ == "__main__":
    main()

"""Rank two-card hands by equity against a random hand: the orders behind ranges like "15%".

    python -m benchmarks.hand_orders

This counts every opponent and every board for each kind of hand, in Hold'em and two short-deck
games. It prints lines for `engine/odds/showdown/range_terms.py` in about ten seconds.
"""

from __future__ import annotations

from engine.cards import RANK_CHARS, Cards
from engine.odds import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.range_terms import combos_of_kind
from engine.odds.showdown.scenario import Scenario

GAMES = ("holdem", "shortdeck", "shortdeck-trips")


def kinds(lowest: int) -> list[str]:
    """Return all kinds of two-card hands, such as "AA" and "AKs"; `lowest` is a rank (0: deuce)."""
    ranks = RANK_CHARS[lowest:]
    labels = []
    for high in range(len(ranks)):
        labels.append(ranks[high] * 2)
        for low in range(high):
            labels += [ranks[high] + ranks[low] + "s", ranks[high] + ranks[low] + "o"]
    return labels


def equity(label: str, rules: ShowdownRules) -> tuple[int, int]:
    """Return (points, deals) of a hand of the kind `label` against all hands on all boards.

    A deal won gives 2 points, a tie 1.
    """
    scenario = Scenario(rules, (Cards(combos_of_kind(label)[0]), Cards()))
    answer = showdown_odds(scenario, Effort(exact=True, ranked=False))
    first = answer.players[0]
    return 2 * first.win + first.tie, answer.deals


def main() -> None:
    for game in GAMES:
        rules = PRESETS[game]
        lowest = 4 if rules.ranking.is_short else 0
        equities = {label: equity(label, rules) for label in kinds(lowest)}
        ordered = sorted(equities, key=lambda label: (equities[label], label), reverse=True)
        equals = len(equities) - len(set(equities.values()))
        print(
            f"{game}: {len(ordered)} kinds, {equals} equal; best {ordered[0]}, worst {ordered[-1]}"
        )
        line = ""
        for label in ordered:
            if len(line) + len(label) > 90:
                print(f'    "{line.rstrip()} "')
                line = ""
            line += label + " "
        print(f'    "{line.rstrip()}"')


if __name__ == "__main__":
    main()

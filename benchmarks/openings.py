"""Whether openings vary: `python -m benchmarks.openings thai --seats 4 --cards 11 12`.

For each number of cards in play, so many hands are dealt to an opener, the cards split at random
among the seats. A line says how often each character makes its most frequent opening. A share of .6
or less is the goal: who plays a character often meets the same number of cards again and again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.actions import MakeBid
from engine.players.characters import CHARACTERS
from engine.players.deciding import chosen_by
from engine.players.position import Position
from engine.players.reader import reading_of
from engine.ruleset import Ruleset
from engine.variants import VARIANTS, by_short

SEATS: Final = (2, 4)
MOST_CARDS: Final = 17  # in play


def positions(rules: Ruleset, seats: int, in_play: int, hands: int) -> Iterator[Position]:
    """Yield an opener's positions with so many cards in play."""
    rng = np.random.default_rng([seats, in_play])
    limit = card_limit(rules, seats)
    deck = [card.number for card in rules.deck.order]
    while hands:
        dealt = rng.integers(1, limit + 1, seats)
        if dealt.sum() != in_play:
            continue
        hands -= 1
        yield Position(
            game=rules.key,
            version=rules.version,
            options=rules.options,
            number=1,
            seat=0,
            turn=0,
            opener=0,
            hole=sum(1 << int(card) for card in rng.choice(deck, dealt[0], replace=False)),
            dealt=tuple(map(int, dealt)),
            live=tuple(range(seats)),
            middle_size=0,
            playing_off=False,
            bids=(),
            challengers=(),
            rounds=(),
            character="",
            seed=int(rng.integers(1 << 62)),
        )


def card_limit(rules: Ruleset, seats: int) -> int:
    """Return the most cards of a seat when so many are live."""
    return int(reading_of(rules, seats).arrays.limits[seats])


def opening_key(name: str, position: Position, rules: Ruleset) -> str:
    """Return the key of the bid with which a character opens."""
    action = chosen_by(CHARACTERS[name].load(), position, rules).action
    assert isinstance(action, MakeBid)
    return action.key


def rows(rules: Ruleset, seats: int, hands: int, cards: list[int] | None = None) -> Iterator[str]:
    """Yield a line for each number of cards in play."""
    most = min(MOST_CARDS, seats * card_limit(rules, seats))
    for in_play in cards or range(seats, most + 1):
        dealt = list(positions(rules, seats, in_play, hands))
        shares = []
        for name in CHARACTERS:
            counted = Counter(opening_key(name, position, rules) for position in dealt)
            key, times = counted.most_common(1)[0]
            shares.append(f"{name} {times / hands:.2f} {key}")
        yield f"{seats} seats, {in_play} cards: {', '.join(shares)}"


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--cards", type=int, nargs="*", help="in play; all of them if left out")
    parser.add_argument("--hands", type=int, default=100)
    options = parser.parse_args()
    if options.game not in {variant.short for variant in VARIANTS.values()}:
        parser.error(f"there is no game {options.game}; an example is thai")
    rules = by_short(options.game).ruleset()
    if options.hands < 2 or not 2 <= options.seats <= rules.most_players:
        parser.error(f"hands are 2 or more, seats 2 to {rules.most_players}")
    for line in rows(rules, options.seats, options.hands, options.cards):
        print(line, flush=True)


if __name__ == "__main__":
    main()

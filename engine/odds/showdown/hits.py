"""How a range hits a flop or turn: what its hands have made, what they draw to, and filters.

Every hand that can still be held is in one class of `Made` and has any number of `Draw`s. What
these are is said in docs/showdown.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.showdown.hand_grid import grid_labels
from engine.odds.showdown.hit_kinds import KEEP_EXAMPLE, Draw, Kinds, Made, made_order, parse_keep
from engine.odds.showdown.range_terms import named
from engine.odds.showdown.ranges import Range, longest_of
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.odds.showdown.hit_marks import Marks

HITS_EXAMPLE: Final = '--game holdem -p "9h 5h 2c" "QQ+, AKs" --hits'
_STREETS: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class HitShare:
    """Some hands of a range: how many, what they weigh, and their share of the range's weight."""

    hands: int
    weight: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class Hits:
    """What the hands of a player have made, each in one class, and what they draw to.

    `made` has every class from the strongest down, `draws` every draw; `hands` and `weight` are
    those of all hands that can still be held, which is nobody's where they are 0.
    """

    hands: int
    weight: int
    made: dict[Made, HitShare]
    draws: dict[Draw, HitShare]


def has_hits(scenario: Scenario) -> bool:
    """Whether there is a flop or turn of hold'em, short deck or Omaha."""
    rules = scenario.rules
    used = (rules.usable_private, rules.usable_public)
    return (
        len(scenario.board) in _STREETS
        and rules.public == 5
        and not (rules.ranking.is_low or rules.five_possible)
        and (used == (2, 3) if rules.private > 2 else used == (2, 5))
    )


def check_hits(scenario: Scenario) -> None:
    """Raise `TextError` unless there is a flop or turn of hold'em, short deck or Omaha."""
    if not has_hits(scenario):
        reason = Reason(
            "what a range has made is told on a flop or turn of hold'em, short deck or Omaha,"
            " here are {given} public cards",
            given=len(scenario.board),
        )
        raise TextError(str(scenario.board), reason, HITS_EXAMPLE)


def open_seats(scenario: Scenario) -> list[int]:
    """The seats with a range or with nothing known: those of which it is asked what they hit."""
    return [
        seat
        for seat, held in enumerate(scenario.players)
        if isinstance(held, Range) or len(held) == 0
    ]


def hits(scenario: Scenario, seat: int) -> Hits:
    """How the hands of the player in `seat` hit the board: a range, any hand, or a known one.

    Raises `TextError` where there is no such street, or where only a part of a hand is known.
    """
    import numpy as np

    from engine.odds.showdown.hit_marks import DRAWS

    _, weights, found = _marked(scenario, seat)
    total = int(weights.sum())

    def part(hands: int, weight: int) -> HitShare:
        return HitShare(hands, weight, Fraction(weight, total) if total else Fraction(0))

    of_class = [found.made == place for place in range(len(Made))]
    of_draw = [found.draws >> np.uint16(bit) & np.uint16(1) > 0 for bit in range(len(DRAWS))]
    parts = [part(int(has.sum()), int(weights[has].sum())) for has in (*of_class, *of_draw)]
    made = dict(zip(made_order(scenario.rules.ranking), parts, strict=False))
    draws = dict(zip(DRAWS, parts[len(Made) :], strict=True))
    return Hits(len(weights), total, made, draws)


def keep_hits(scenario: Scenario, seat: int, wanted: str) -> Range:
    """The hands of a player that a filter such as "top pair+, flush draw" keeps, as a range.

    Its text can be typed again, unless it would be too long for a range: then it says what was
    kept of what. Raises `TextError`, also if no hand is left.
    """
    import numpy as np

    terms, gone = parse_keep(wanted, scenario.rules.ranking)
    hands, weights, found = _marked(scenario, seat)

    def has(kinds: Kinds) -> NDArray[np.bool_]:
        return _has(found, kinds, scenario)

    kept = has(Kinds())
    for term in terms:
        fits = ~has(Kinds())
        for kinds, yes in term:
            fits &= has(kinds) if yes else ~has(kinds)
        kept |= fits
    kept &= ~has(gone)
    if not kept.any():
        raise TextError(
            wanted,
            Reason('"{words}" leaves no hand of the range', words=wanted),
            KEEP_EXAMPLE,
        )
    bits = tuple(hands[kept].tolist())
    left = tuple((weights[kept] // np.gcd.reduce(weights[kept])).tolist())
    held = scenario.players[seat]
    whole = held if isinstance(held, Range) else Range.parse("any", scenario.rules)
    text = _written(dict(zip(bits, left, strict=True)), scenario)
    if len(text) > longest_of(whole.private):
        text = f"{wanted.strip()} of {whole.text}"
    alike = len(set(left)) == 1
    return Range(text, bits, () if alike else left, whole.of, whole.private)


def _has(found: Marks, kinds: Kinds, scenario: Scenario) -> NDArray[np.bool_]:
    """Whether each hand is of one of the kinds."""
    import numpy as np

    from engine.odds.showdown.hit_marks import DRAWS

    order = made_order(scenario.rules.ranking)
    classes = [order.index(one) for one in kinds if isinstance(one, Made)]
    bits = sum(1 << DRAWS.index(one) for one in kinds if isinstance(one, Draw))
    return np.isin(found.made, classes) | (found.draws & np.uint16(bits) > 0)


def _marked(scenario: Scenario, seat: int) -> tuple[NDArray[np.uint64], NDArray[np.int64], Marks]:
    """The hands that can be held, as bits and sorted, what they weigh, and what they are."""
    import numpy as np

    from engine.odds.showdown.hit_marks import marks

    check_hits(scenario)
    held = scenario.players[seat]
    bits: Sequence[int]
    weights: Sequence[int] = ()
    left = scenario.left.bits
    if isinstance(held, Range):
        bits, weights = held.bits, held.weights
    elif len(held) == scenario.rules.private:
        bits, left = (held.bits,), left | held.bits
    elif not held:
        bits = Range.parse("any", scenario.rules).bits
    else:
        reason = Reason(
            "{cards} is a part of a hand; expected a range, a whole hand or nothing", cards=held
        )
        raise TextError(str(held), reason, HITS_EXAMPLE)
    hands = np.array(bits, np.uint64)
    possible = hands & np.uint64(~left & (1 << 52) - 1) == 0
    weighed = np.array(weights, np.int64) if weights else np.ones(len(hands), np.int64)
    return hands[possible], weighed[possible], marks(hands[possible], scenario)


def _written(hands: dict[int, int], scenario: Scenario) -> str:
    """A range as it would be typed: whole kinds of two cards by name, else hand by hand."""
    scale = 10_000 // max(hands.values())  # hundredths of a per cent: weights are typed in these
    said: list[str] = []
    left = dict(hands)

    def say(name: str, weight: int) -> None:
        per_cent = f"{scale * weight / 100:.2f}".rstrip("0").rstrip(".")
        said.append(name if scale * weight == 10_000 else f"{name}@{per_cent}")

    gone = ~scenario.left.bits
    kinds = [label for row in grid_labels() for label in row] if scenario.rules.private == 2 else []
    for label in kinds:
        by_weight = defaultdict(list)
        possible = [combo for combo in named(label) if not combo & gone]
        for combo in possible:
            if combo in left:
                by_weight[left.pop(combo)].append(combo)
        for weight, combos in by_weight.items():
            names = [label] if combos == possible else [_cards(combo) for combo in combos]
            for name in names:
                say(name, weight)
    for combo, weight in left.items():
        say(_cards(combo), weight)
    return ", ".join(said)


def _cards(hand: int) -> str:
    return str(Cards(hand)).replace(" ", "")

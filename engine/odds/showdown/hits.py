"""How a range hits a flop or turn: its made hands, its draws, and filters by them.

`hand_marks` classifies the hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.errors import Reason, TextError
from engine.odds.loading import np
from engine.odds.showdown.each_hand import grid_labels
from engine.odds.showdown.games import ShowdownRules
from engine.odds.showdown.hand_marks import DRAWS, Marks, marks
from engine.odds.showdown.made_hands import (
    KEEP_EXAMPLE,
    Draw,
    Kinds,
    Made,
    made_order,
    parse_keep,
)
from engine.odds.showdown.range_terms import combos_of_kind
from engine.odds.showdown.ranges import Range, longest_of
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray


HITS_EXAMPLE: Final = '--game holdem -p "9h 5h 2c" "QQ+, AKs" --hits'
_STREETS: Final = (3, 4)


@dataclass(frozen=True, slots=True)
class HitShare:
    """Some hands of a range: their number, their weight, and their share of the total weight."""

    hands: int
    weight: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class Hits:
    """A player's hands by class and by draw.

    `made_hands` has every class from the strongest down, with each hand in one class; `draws` has
    every draw. `hands` and `weight` are the number and the total weight of all possible hands.
    """

    hands: int
    weight: int
    made_hands: dict[Made, HitShare]
    draws: dict[Draw, HitShare]


def has_hits(scenario: Scenario) -> bool:
    """Return whether this is a flop or turn of hold'em, short deck or Omaha, with no wild cards."""
    return len(scenario.board) in _STREETS and _is_classified(scenario.rules)


def _is_classified(rules: ShowdownRules) -> bool:
    """Return whether the rules are those of hold'em, short deck or Omaha without wild cards."""
    used = (rules.usable_private, rules.usable_public)
    return (
        rules.public == 5
        and not (rules.ranking.is_low or rules.five_possible)
        and (used == (2, 3) if rules.private > 2 else used == (2, 5))
    )


def check_hits(scenario: Scenario) -> None:
    """Raise `TextError` if `has_hits` is false, and for two boards or a condition."""
    scenario.check_no_condition()
    if not _is_classified(scenario.rules):
        reason = Reason(
            "what a range hits is shown only in hold'em, short deck and Omaha, without wild cards"
        )
        raise TextError("", reason, HITS_EXAMPLE)
    if not has_hits(scenario):
        reason = Reason(
            "what a range hits takes a flop or turn, not {given} board cards",
            given=len(scenario.board),
        )
        raise TextError(str(scenario.board), reason, HITS_EXAMPLE)


def open_seats(scenario: Scenario) -> list[int]:
    """Return the seats that have a range or no known cards."""
    return [
        seat
        for seat, held in enumerate(scenario.players)
        if isinstance(held, Range) or len(held) == 0
    ]


def hits(scenario: Scenario, seat: int) -> Hits:
    """Return the possible hands of `seat`, counted by made hand and by draw.

    The seat has a range, unknown cards, or a known hand. Raises `TextError` as `check_hits` does,
    or if only a part of a hand is known.
    """
    _, weights, marked = _mark_hands(scenario, seat)
    total = int(weights.sum())

    def part(hands: int, weight: int) -> HitShare:
        return HitShare(hands, weight, Fraction(weight, total) if total else Fraction(0))

    of_class = [marked.classes == place for place in range(len(Made))]
    of_draw = [marked.draws >> np.uint16(bit) & np.uint16(1) > 0 for bit in range(len(DRAWS))]
    parts = [part(int(has.sum()), int(weights[has].sum())) for has in (*of_class, *of_draw)]
    made_hands = dict(zip(made_order(scenario.rules.ranking), parts, strict=False))
    draws = dict(zip(DRAWS, parts[len(Made) :], strict=True))
    return Hits(len(weights), total, made_hands, draws)


def keep_hits(scenario: Scenario, seat: int, filter_text: str) -> Range:
    """Return the hands of `seat` that pass a filter such as "top pair+, flush draw", as a range.

    The range's text can be typed again. If it would be too long, it names the filter and the
    original range instead. Raises `TextError` as `hits` does, for a filter that can't be read, and
    if no hand passes.
    """
    terms, gone = parse_keep(filter_text, scenario.rules.ranking)
    hands, weights, marked = _mark_hands(scenario, seat)

    def has(kinds: Kinds) -> NDArray[np.bool_]:
        return _has(marked, kinds, scenario)

    keep = has(Kinds())
    for term in terms:
        fits = ~has(Kinds())
        for kinds, yes in term:
            fits &= has(kinds) if yes else ~has(kinds)
        keep |= fits
    keep &= ~has(gone)
    if not keep.any():
        raise TextError(
            filter_text,
            Reason('"{words}" leaves no hand of the range', words=filter_text),
            KEEP_EXAMPLE,
        )
    bits = tuple(hands[keep].tolist())
    left = tuple((weights[keep] // np.gcd.reduce(weights[keep])).tolist())
    held = scenario.players[seat]
    whole = held if isinstance(held, Range) else Range.parse("any", scenario.rules)
    text = _range_text(dict(zip(bits, left, strict=True)), scenario)
    if len(text) > longest_of(whole.private):
        text = f"{filter_text.strip()} of {whole.text}"
    alike = len(set(left)) == 1
    return Range(text, bits, () if alike else left, whole.of, whole.private)


def _has(marked: Marks, kinds: Kinds, scenario: Scenario) -> NDArray[np.bool_]:
    """Return whether each hand belongs to one of the kinds."""
    order = made_order(scenario.rules.ranking)
    classes = [order.index(kind) for kind in kinds if isinstance(kind, Made)]
    bits = sum(1 << DRAWS.index(kind) for kind in kinds if isinstance(kind, Draw))
    return np.isin(marked.classes, classes) | (marked.draws & np.uint16(bits) > 0)


def _mark_hands(
    scenario: Scenario, seat: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64], Marks]:
    """Return the possible hands of `seat` as sorted bits, with their weights and their marks.

    Raises `TextError` as `hits` does.
    """
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
            "{cards} is only part of a hand; give a range, a whole hand or nothing", cards=held
        )
        raise TextError(str(held), reason, HITS_EXAMPLE)
    hands = np.array(bits, np.uint64)
    possible = hands & np.uint64(~left & (1 << 52) - 1) == 0
    weighed = np.array(weights, np.int64) if weights else np.ones(len(hands), np.int64)
    return hands[possible], weighed[possible], marks(hands[possible], scenario, left)


def _range_text(hands: dict[int, int], scenario: Scenario) -> str:
    """Return the text of a range (hand to weight): whole kinds by name, other hands one by one."""
    scale = 10_000 // max(hands.values())  # weights are typed in hundredths of a per cent
    terms: list[str] = []
    left = dict(hands)

    def add_term(name: str, weight: int) -> None:
        per_cent = f"{scale * weight / 100:.2f}".rstrip("0").rstrip(".")
        terms.append(name if scale * weight == 10_000 else f"{name}@{per_cent}")

    gone = ~scenario.left.bits
    kinds = [label for row in grid_labels() for label in row] if scenario.rules.private == 2 else []
    for label in kinds:
        by_weight = defaultdict(list)
        possible = [combo for combo in combos_of_kind(label) if not combo & gone]
        for combo in possible:
            if combo in left:
                by_weight[left.pop(combo)].append(combo)
        for weight, combos in by_weight.items():
            names = [label] if combos == possible else [_cards(combo) for combo in combos]
            for name in names:
                add_term(name, weight)
    for combo, weight in left.items():
        add_term(_cards(combo), weight)
    return ", ".join(terms)


def _cards(hand: int) -> str:
    return str(Cards(hand)).replace(" ", "")

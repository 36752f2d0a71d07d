"""The names of made hands and draws, which `hand_marks` finds and docs/showdown.md defines."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from engine.errors import Reason, TextError
from engine.odds.showdown.ranking import Ranking

KEEP_EXAMPLE: Final = '"top pair+, flush draw"'


class Made(Enum):
    """The classes of made hands, strongest first; a member's value is its key in JSON."""

    STRAIGHT_FLUSH = "straight_flush"
    FOUR = "four"
    FULL_HOUSE = "full_house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    SET = "set"
    TRIPS = "trips"
    TWO_PAIR = "two_pair"
    OVERPAIR = "overpair"
    TOP_PAIR_TOP = "top_pair_top_kicker"
    TOP_PAIR_GOOD = "top_pair_good_kicker"
    TOP_PAIR_WEAK = "top_pair_weak_kicker"
    POCKET_PAIR = "pocket_pair_below_top"
    SECOND_PAIR = "second_pair"
    UNDERPAIR = "underpair"
    LOW_PAIR = "low_pair"
    ACE_HIGH = "ace_high"
    AIR = "air"

    @property
    def label(self) -> str:
        """The name that people use, also in filters."""
        return "four of a kind" if self is Made.FOUR else self.value.replace("_", " ")


class Draw(Enum):
    """The draws: hands that the cards to come may complete; a member's value is its key in JSON."""

    FLUSH = "flush_draw"
    NUT_FLUSH = "nut_flush_draw"
    WRAP = "wrap"
    OPEN_ENDED = "open-ended"
    GUTSHOT = "gutshot"
    COMBO = "combo_draw"
    OVERCARDS = "overcards"
    BACKDOOR_FLUSH = "backdoor_flush"
    BACKDOOR_STRAIGHT = "backdoor_straight"

    @property
    def label(self) -> str:
        """The name that people use, also in filters."""
        return self.value.replace("_", " ")


def made_order(ranking: Ranking) -> tuple[Made, ...]:
    """Return the classes of made hands, the strongest in this ranking first."""
    order = list(Made)
    if ranking.is_short:
        order.remove(Made.FLUSH)
        order.insert(order.index(Made.FULL_HOUSE), Made.FLUSH)
    if ranking is Ranking.SHORT_TRIPS:
        order.remove(Made.STRAIGHT)
        order.insert(order.index(Made.TWO_PAIR), Made.STRAIGHT)
    return tuple(order)


_TOP_PAIR: Final = (Made.TOP_PAIR_TOP, Made.TOP_PAIR_GOOD, Made.TOP_PAIR_WEAK)
_PAIR: Final = (
    Made.OVERPAIR,
    *_TOP_PAIR,
    Made.POCKET_PAIR,
    Made.SECOND_PAIR,
    Made.UNDERPAIR,
    Made.LOW_PAIR,
)
_STRAIGHT_DRAW: Final = (Draw.WRAP, Draw.OPEN_ENDED, Draw.GUTSHOT)
# without the plural s
_NAMES: Final[dict[str, tuple[Made | Draw, ...]]] = {
    **{kind.label.replace("-", " ").removesuffix("s"): (kind,) for kind in (*Made, *Draw)},
    "top pair": _TOP_PAIR,
    "pair": _PAIR,
    "one pair": _PAIR,
    "tptk": (Made.TOP_PAIR_TOP,),
    "three of a kind": (Made.SET, Made.TRIPS),
    "quad": (Made.FOUR,),
    "boat": (Made.FULL_HOUSE,),
    "nothing": (Made.AIR,),
    "straight draw": _STRAIGHT_DRAW,
    "oesd": (Draw.OPEN_ENDED,),
    "open ended straight draw": (Draw.OPEN_ENDED,),
    "fd": (Draw.FLUSH,),
    "nfd": (Draw.NUT_FLUSH,),
    "backdoor flush draw": (Draw.BACKDOOR_FLUSH,),
    "backdoor straight draw": (Draw.BACKDOOR_STRAIGHT,),
    "two overcard": (Draw.OVERCARDS,),
}

Kinds = frozenset[Made | Draw]  # a hand matches if it is of any of these kinds
Term = tuple[tuple[Kinds, bool], ...]  # kinds that a hand must match (True) or must not (False)


def parse_keep(text: str, ranking: Ranking) -> tuple[tuple[Term, ...], Kinds]:
    """Parse a filter; return the terms of hands to keep, and the kinds to exclude.

    Terms are separated by commas. Within a term, `:` requires another kind too, `!` excludes a
    kind, and `+` means a class and all stronger ones. A term that begins with `!` excludes its
    hands from all other terms, or from all hands if there is no other term. Raises `TextError` for
    an unknown kind, a draw with a `+`, and a filter without terms.
    """
    terms: list[Term] = []
    gone: set[Made | Draw] = set()
    for part in re.split(r"[,;]", text):
        term = " ".join(part.lower().split())
        if not term:
            continue
        first, *others = re.split(r"([:!])", term)
        if not first.strip():
            if others[0] != "!" or len(others) != 2:
                raise _no_such_kind(term, text)
            gone |= _parse_kinds(others[1], text, ranking)
            continue
        required = [(_parse_kinds(first, text, ranking), True)]
        for sign, name in zip(others[::2], others[1::2], strict=True):
            required.append((_parse_kinds(name, text, ranking), sign == ":"))
        terms.append(tuple(required))
    if not terms and not gone:
        raise TextError(text, Reason("expected at least one class of hands to keep"), KEEP_EXAMPLE)
    if not terms:  # only exclusions: apply them to all hands
        terms.append(((Kinds(Made), True),))
    return tuple(terms), Kinds(gone)


def _parse_kinds(name: str, text: str, ranking: Ranking) -> Kinds:
    kinds = parse_kinds(name, ranking)
    if kinds is None:
        raise _no_such_kind(name.strip(), text)
    return kinds


def parse_kinds(name: str, ranking: Ranking) -> Kinds | None:
    """Return the classes or draws with this name, such as "top pair+"; None if it is unknown.

    Raises `TextError` for a draw with a `+`.
    """
    plain = " ".join(name.replace("-", " ").split())
    upwards = plain.endswith("+")
    plain = plain.rstrip("+ ")
    kinds = _NAMES.get(plain.removesuffix("s"))
    if kinds is None:
        return None
    if not upwards:
        return Kinds(kinds)
    order = made_order(ranking)
    places = [order.index(kind) for kind in kinds if isinstance(kind, Made)]
    if not places:
        reason = Reason(
            '"{words}": draws aren\'t ranked, so leave out the +',
            words=name.strip(),
        )
        raise TextError(name, reason, KEEP_EXAMPLE)
    return Kinds(order[: max(places) + 1])


def _no_such_kind(name: str, text: str) -> TextError:
    reason = Reason(
        '"{words}" isn\'t a made hand or a draw; choose one of {labels}',
        words=name,
        labels=tuple(kind.label for kind in (*Made, *Draw)),
    )
    return TextError(text, reason, KEEP_EXAMPLE)

"""What a hand of a range has made on the flop or turn, and what it draws to: names and filters.

The definitions stand in docs/showdown.md; `hit_marks` finds them.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from engine.errors import Reason, TextError
from engine.odds.showdown.ranking import Ranking

KEEP_EXAMPLE: Final = '"top pair+, flush draw"'


class Made(Enum):
    """What the hole cards make of the board, the strongest first; the value is the key in JSON."""

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
        """As people say it, and as a filter names it."""
        return "four of a kind" if self is Made.FOUR else self.value.replace("_", " ")


class Draw(Enum):
    """What a card to come may make of a hand; the value is the key used in JSON."""

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
        """As people say it, and as a filter names it."""
        return self.value.replace("_", " ")


def made_order(ranking: Ranking) -> tuple[Made, ...]:
    """Every class from the strongest down, as this ranking has flushes, straights and threes."""
    order = list(Made)
    if ranking.is_short:
        order.remove(Made.FLUSH)
        order.insert(order.index(Made.FULL_HOUSE), Made.FLUSH)
    if ranking is Ranking.SHORT_TRIPS:
        order.remove(Made.STRAIGHT)
        order.insert(order.index(Made.TWO_PAIR), Made.STRAIGHT)
    return tuple(order)


_TOP_PAIR: Final = (Made.TOP_PAIR_TOP, Made.TOP_PAIR_GOOD, Made.TOP_PAIR_WEAK)
_STRAIGHT_DRAW: Final = (Draw.WRAP, Draw.OPEN_ENDED, Draw.GUTSHOT)
# without the s of their plurals
_NAMES: Final[dict[str, tuple[Made | Draw, ...]]] = {
    **{one.label.replace("-", " ").removesuffix("s"): (one,) for one in (*Made, *Draw)},
    "top pair": _TOP_PAIR,
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

Kinds = frozenset[Made | Draw]  # a hand is of these if it is of one of them
Term = tuple[tuple[Kinds, bool], ...]  # each with whether a hand must be of them or must not


def parse_keep(text: str, ranking: Ranking) -> tuple[tuple[Term, ...], Kinds]:
    """A filter: hands of any of the terms stay, and of them those with nothing of the rest.

    Terms are joined by commas; inside one `:` asks for both and `!` for what is not there; `+` is
    a class and all that are stronger. A term that begins with `!` takes its hands out of all the
    others, as in a range. Raises `TextError`.
    """
    terms: list[Term] = []
    gone: set[Made | Draw] = set()
    for said in re.split(r"[,;]", text):
        term = " ".join(said.lower().split())
        if not term:
            continue
        first, *rest = re.split(r"([:!])", term)
        if not first.strip():
            if rest[0] != "!" or len(rest) != 2:
                raise _unknown(term, text)
            gone |= _named(rest[1], text, ranking)
            continue
        wanted = [(_named(first, text, ranking), True)]
        for sign, name in zip(rest[::2], rest[1::2], strict=True):
            wanted.append((_named(name, text, ranking), sign == ":"))
        terms.append(tuple(wanted))
    if not terms and not gone:
        raise TextError(text, Reason("expected at least one class of hands to keep"), KEEP_EXAMPLE)
    if not terms:  # only what is taken away: out of everything
        terms.append(((Kinds(Made), True),))
    return tuple(terms), Kinds(gone)


def _named(name: str, text: str, ranking: Ranking) -> Kinds:
    plain = " ".join(name.replace("-", " ").split())
    upwards = plain.endswith("+")
    plain = plain.rstrip("+ ")
    found = _NAMES.get(plain.removesuffix("s"))
    if found is None:
        raise _unknown(name.strip(), text)
    if not upwards:
        return Kinds(found)
    order = made_order(ranking)
    places = [order.index(one) for one in found if isinstance(one, Made)]
    if not places:
        reason = Reason(
            '"{words}": no draw is stronger than another, so it takes no +',
            words=name.strip(),
        )
        raise TextError(text, reason, KEEP_EXAMPLE)
    return Kinds(order[: max(places) + 1])


def _unknown(name: str, text: str) -> TextError:
    reason = Reason(
        '"{words}" is nothing that a hand makes or draws to; expected one of {labels}',
        words=name,
        labels=tuple(one.label for one in (*Made, *Draw)),
    )
    return TextError(text, reason, KEEP_EXAMPLE)

"""The bid pad: any bid in a few presses, the kind first, then its ranks, then its suit.

What was pressed so far is a `Pick`; it lives in the custom ids alone, so a restart loses nothing. A
step offers only what some legal bid still has, and is left out where there is one thing to choose.
On a phone two buttons stand side by side, so what they say is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.language.catalogues import N_, tr
from bot.language.words import capital, kind_label, rank_word, suit_words
from engine.bids import Bid, Kind
from engine.cards import Rank, Suit

Part = Literal["kind", "rank", "second", "suit"]
PARTS: Final[tuple[Part, ...]] = ("kind", "rank", "second", "suit")
EXACT: Final = "="  # before a bid's key: chosen whole, as the next rung is
_APART: Final = "."
# as players say them, where a kind's whole name would fill a phone's line
SHORT: Final[dict[Kind, str]] = {
    Kind.HIGH_CARD: N_("High"),
    Kind.PAIR: N_("Pair"),
    Kind.TWO_PAIR: N_("2 pair"),
    Kind.THREE: N_("Trips"),
    Kind.FLUSH: N_("Flush"),
    Kind.STRAIGHT: N_("Str."),
    Kind.FULL_HOUSE: N_("Full"),
    Kind.FOUR: N_("Quads"),
    Kind.STRAIGHT_FLUSH: N_("Str. fl."),
    Kind.ROYAL_FLUSH: N_("Royal"),
    Kind.FIVE: N_("Five"),
}


@dataclass(frozen=True, slots=True)
class Pick:
    """What was chosen so far: a value for each part in turn, or one bid by its key."""

    values: tuple[str, ...] = ()
    key: str = ""

    @classmethod
    def read(cls, text: str) -> Pick:
        """The pick in a custom id; a forged one is read as far as it makes sense."""
        if text.startswith(EXACT):
            return cls(key=text.removeprefix(EXACT))
        return cls(tuple(part for part in text.split(_APART) if part))

    @property
    def text(self) -> str:
        """The pick as it is written in a custom id."""
        return f"{EXACT}{self.key}" if self.key else _APART.join(self.values)

    @property
    def back(self) -> Pick:
        """The pick one step before."""
        return Pick(self.values[:-1])

    def and_then(self, value: str) -> Pick:
        """The pick with one more value."""
        return Pick((*self.values, value))


@dataclass(frozen=True, slots=True)
class PadOffer:
    """What the pad offers after a pick: either one bid to confirm, or the choices of a part.

    `left` are the legal bids that fit the pick.
    """

    pick: Pick
    part: Part
    choices: tuple[tuple[str, str], ...]  # value, label
    bid: Bid | None = None
    left: tuple[Bid, ...] = field(default=(), compare=False)

    def bids_of(self, value: str) -> list[Bid]:
        """The bids that a choice leads to."""
        return [bid for bid in self.left if _value(bid, self.part) == value]

    def short(self, value: str) -> str:
        """A choice where there is little room: `Trips`, `10`, `♥`."""
        match self.part:
            case "kind":
                return tr(SHORT[Kind(value)])
            case "rank" | "second":
                return "10" if value == Rank.TEN.char else value
            case "suit":
                return next(suit for suit in Suit if suit.char == value).symbol

    def rank(self, value: str) -> Rank | None:
        """The rank that a choice names, if it is one."""
        return _rank(value) if self.part in ("rank", "second") else None

    @property
    def chosen(self) -> str:
        """What was picked so far, in full: `Full house · Ace`."""
        first, *others = self.pick.values
        return " · ".join([_label("kind", first), *(_label("rank", value) for value in others)])


def step_of(legal: Sequence[Bid], pick: Pick) -> PadOffer:
    """The next step after `pick`. A pick that no legal bid fits any more begins anew."""
    if pick.key:
        chosen = next((bid for bid in legal if bid.key == pick.key), None)
        return PadOffer(pick, "kind", (), chosen) if chosen else step_of(legal, Pick())
    left, values = list(legal), list(pick.values)
    for part in PARTS:
        offered = list(dict.fromkeys(_value(bid, part) for bid in left))
        if offered == [""]:
            continue  # no bid of this kind has such a part
        if len(offered) == 1 and part != "kind":
            continue  # nothing to choose
        if not values:
            choices = tuple((value, _label(part, value)) for value in offered)
            return PadOffer(pick, part, choices, left=tuple(left))
        value = values.pop(0)
        left = [bid for bid in left if _value(bid, part) == value]
        if not left:
            return step_of(legal, Pick())
    return PadOffer(pick, "suit", (), left[0])


def steps_to(legal: Sequence[Bid], bid: Bid) -> Pick:
    """Return the pick that leads to a legal bid step by step."""
    step = step_of(legal, Pick())
    while step.bid is None:
        step = step_of(legal, step.pick.and_then(_value(bid, step.part)))
    return step.pick


def _value(bid: Bid, part: Part) -> str:
    match part:
        case "kind":
            return bid.kind.value
        case "rank":
            return bid.ranks[0].char if bid.ranks else ""
        case "second":
            return bid.ranks[1].char if len(bid.ranks) > 1 else ""
        case "suit":
            return bid.suit.char if bid.suit is not None else ""


def _rank(value: str) -> Rank:
    return next(rank for rank in Rank if rank.char == value)


def _label(part: Part, value: str) -> str:
    match part:
        case "kind":
            return kind_label(Kind(value))
        case "rank" | "second":
            return capital(rank_word(_rank(value)))
        case "suit":
            suit = next(suit for suit in Suit if suit.char == value)
            return f"{suit.symbol} {capital(suit_words(suit))}"

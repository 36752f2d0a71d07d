"""The bid pad: any bid in a few presses, first its kind, then its ranks, then its suit.

A `Pick` is the presses so far. It is stored only in the custom ids, so a restart loses nothing. A
step offers only values that some legal bid has. If there is only one, the step is skipped, unless
it is the first. On a phone, two kinds of hands are side by side, so their names are short.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal

from bot.language.catalogues import N_, tr
from bot.language.words import capital, kind_label, rank_word, suit_words
from engine.bids import Bid, Kind
from engine.cards import Rank, Suit

Part = Literal["kind", "rank", "second", "suit"]
PARTS: Final[tuple[Part, ...]] = ("kind", "rank", "second", "suit")
MORE: Final = ","  # repeated n times: page n of the kinds, counted from 0
EXACT: Final = "="  # before the key of a bid that was chosen as a whole
_APART: Final = "."
# two of these names, each with a number, fit in a phone's line
SHORT: Final[dict[Kind, str]] = {
    Kind.HIGH_CARD: N_("High card"),
    Kind.PAIR: N_("Pair"),
    Kind.TWO_PAIR: N_("Two pair"),
    Kind.THREE: N_("Three"),
    Kind.FLUSH: N_("Flush"),
    Kind.STRAIGHT: N_("Straight"),
    Kind.FULL_HOUSE: N_("Full house"),
    Kind.FOUR: N_("Four"),
    Kind.STRAIGHT_FLUSH: N_("Str. flush"),
    Kind.ROYAL_FLUSH: N_("Royal"),
    Kind.FIVE: N_("Five"),
}


@dataclass(frozen=True, slots=True)
class Pick:
    """The choices so far: a value for each part in turn, a page of the kinds, or one bid's key."""

    values: tuple[str, ...] = ()
    key: str = ""

    @classmethod
    def read(cls, text: str) -> Pick:
        """Return the pick that a custom id encodes.

        A forged id may give a pick that fits no legal bid; `step_of` then returns the first step.
        """
        if text.startswith(EXACT):
            return cls(key=text.removeprefix(EXACT))
        return cls(tuple(part for part in text.split(_APART) if part))

    @property
    def text(self) -> str:
        """Return the text that encodes the pick in a custom id."""
        return f"{EXACT}{self.key}" if self.key else _APART.join(self.values)

    @property
    def page(self) -> int:
        """Return which page of the kinds to show; the first is 0."""
        return len(self.values[0]) if self.values and not self.values[0].strip(MORE) else 0

    @property
    def back(self) -> Pick:
        """Return the pick without its last value and without a key."""
        return Pick(self.values[:-1])

    def and_then(self, value: str) -> Pick:
        """Return the pick with one more value."""
        return Pick((*self.values, value))


@dataclass(frozen=True, slots=True)
class PadOffer:
    """The pad's offer after a pick: either one bid to confirm, or the choices for the next part.

    `left` are the legal bids that fit the pick; empty if there is one bid to confirm.
    """

    pick: Pick
    part: Part
    choices: tuple[tuple[str, str], ...]  # value, label
    bid: Bid | None = None
    left: tuple[Bid, ...] = field(default=(), compare=False)

    def short(self, value: str) -> str:
        """Return a choice as its button shows it: `Full house`, `10`, `♥`."""
        match self.part:
            case "kind":
                return tr(SHORT[Kind(value)])
            case "rank" | "second":
                return "10" if value == Rank.TEN.char else value
            case "suit":
                return next(suit for suit in Suit if suit.char == value).symbol

    def rank(self, value: str) -> Rank | None:
        """Return the rank that a choice names; None if the choices aren't ranks."""
        return _rank(value) if self.part in ("rank", "second") else None


def step_of(legal: Sequence[Bid], pick: Pick) -> PadOffer:
    """Return the step after `pick`, or the first step if no legal bid fits the pick any more."""
    if pick.key:
        chosen = next((bid for bid in legal if bid.key == pick.key), None)
        return PadOffer(pick, "kind", (), chosen) if chosen else step_of(legal, Pick())
    left, values = list(legal), list(pick.values)
    for part in PARTS:
        groups: dict[str, list[Bid]] = {}
        for value, bids in groupby(left, _VALUES[part]):
            groups.setdefault(value, []).extend(bids)
        offered = list(groups)
        if offered == [""]:
            continue  # no bid of this kind has such a part
        if len(offered) == 1 and part != "kind":
            continue  # nothing to choose
        if not values:
            choices = tuple((value, _label(part, value)) for value in offered)
            return PadOffer(pick, part, choices, left=tuple(left))
        value = values.pop(0)
        left = groups.get(value, [])
        if not left:
            return step_of(legal, Pick())
    return PadOffer(pick, "suit", (), left[0])


@dataclass(frozen=True, slots=True)
class KindPage:
    """A page of kinds. `visible` are all its kinds, `able` those that are legal.

    `left` are the legal kinds that later pages show.
    """

    visible: tuple[Kind, ...]
    able: tuple[Kind, ...]
    left: tuple[Kind, ...]


def kind_pages(kinds: Sequence[Kind], legal: Sequence[Kind], room: int) -> list[KindPage]:
    """Return pages of a game's kinds, weakest first. Together they show all `legal` kinds.

    A page has at most `room` kinds, two in a line. Each kind is always in the same column. A
    page begins with the line of the lowest legal kind that is not on an earlier page. It begins
    with an earlier line if it would not be full otherwise. If legal kinds are left over, the
    last place is free for the button to the next page.
    """
    pages, left = [], list(legal)
    last = max(0, (len(kinds) + 1) // 2 * 2 - room)
    while left:
        start = min(kinds.index(left[0]) // 2 * 2, last)
        visible = kinds[start : start + room]
        if len(visible) == room and any(kind not in visible for kind in left):
            visible = visible[:-1]
        left = [kind for kind in left if kind not in visible]
        able = tuple(kind for kind in legal if kind in visible)
        pages.append(KindPage(tuple(visible), able, tuple(left)))
    return pages


def grid_of(legal: Sequence[Bid], step: PadOffer) -> tuple[PadOffer, str]:
    """Return the latest step up to `step` that offers kinds or ranks, and the value chosen there.

    If that step is `step` itself, the value is empty. The step's choices stay visible while a suit
    is chosen and a bid is confirmed.
    """
    chosen = ""
    while step.bid is not None or step.part == "suit":
        chosen = step.pick.values[-1]
        step = step_of(legal, step.pick.back)
    return step, chosen


def steps_to(legal: Sequence[Bid], bid: Bid) -> Pick:
    """Return the pick that leads to a legal bid step by step."""
    step = step_of(legal, Pick())
    while step.bid is None:
        step = step_of(legal, step.pick.and_then(_value(bid, step.part)))
    return step.pick


def _value(bid: Bid, part: Part) -> str:
    return _VALUES[part](bid)


# called for hundreds of bids each time a pad is drawn
_VALUES: Final[dict[Part, Callable[[Bid], str]]] = {
    "kind": attrgetter("kind"),
    "rank": lambda bid: bid.ranks[0].char if bid.ranks else "",
    "second": lambda bid: bid.ranks[1].char if len(bid.ranks) > 1 else "",
    "suit": lambda bid: bid.suit.char if bid.suit is not None else "",
}


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

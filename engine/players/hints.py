"""A hint for a person: the chance of the standing bid, a sensible action, and the reason, as facts.

The action is the careful player's, which is easy to follow, or the action of a solved strategy or
of the coach (`coaching.advising.hinted_action`). All chances are exact, given the seat's own cards.
Callers make the sentences. A hint takes a few milliseconds of plain Python, without arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from engine.actions import Challenge, MakeBid
from engine.odds import BidOdds, Chance, seat_odds
from engine.players.deciding import choose
from engine.players.memory import Memory
from engine.players.position import observe
from engine.view import View


class HintReason(Enum):
    """The reason for a hint."""

    CERTAIN = auto()  # bid: the seat's own cards make it true
    LIKELIEST = auto()  # bid: nothing above the standing bid is likelier
    IMPOSSIBLE = auto()  # challenge: the standing bid cannot hold
    NOTHING_ABOVE = auto()  # challenge: the standing bid is on the top rung
    SOLVED = auto()  # either: a solved strategy says so
    # either: given the bids so far, the coach finds nothing better
    COACHED = auto()
    UNLIKELY = auto()  # challenge: it wins at least as often as the likeliest higher bid holds
    NOT_ASKED = auto()  # let it stand: it is another seat's turn, and a challenge may cost a card


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a seat on its turn, or when it may challenge out of turn.

    `standing` is the bid to beat with its chance, None for the opener. `action` is the advised
    action, None if the seat should let the bid stand. `best` is the likeliest bid above the
    standing one (the advised bid, if `action` is a bid); None without such a bid, or on another
    seat's turn. `share` is how often a solved strategy takes this action, 0 to 1; 0 if the reason
    is not SOLVED.
    """

    standing: BidOdds | None
    action: MakeBid | Challenge | None
    best: BidOdds | None
    reason: HintReason
    share: float = 0.0

    @property
    def wins(self) -> Chance | None:
        """The chance that the advised bid holds, or that the challenged bid fails.

        None if the advice is to let the bid stand.
        """
        match self.action, self.best, self.standing:
            case MakeBid(), BidOdds(chance=holds), _:
                return holds
            case Challenge(), _, BidOdds(chance=stands):
                return Chance(stands.total - stands.favourable, stands.total)
        return None


def hint(view: View, advised: tuple[int | None, float] | None = None) -> Hint | None:
    """Return the hint for `view.seat`; None if the seat can't bid or challenge.

    `advised`, from `coaching.advising.hinted_action`, replaces the careful player's action.
    """
    position = observe(view, Memory("careful", 0))
    if position is None:
        return None
    rules = view.ruleset
    odds = seat_odds(rules, position.in_play, position.cards)
    standing = odds[position.standing] if position.standing is not None else None
    above = odds[rules.ladder.first_above(position.standing) :] if position.may_bid else ()
    best = max(above, key=lambda entry: entry.chance.favourable, default=None)
    action, share = choose(position, rules).action, 0.0
    if advised is not None:
        place, share = advised
        action = (
            Challenge(position.seat)
            if place is None
            else MakeBid(position.seat, rules.ladder.at(place).key)
        )
    if isinstance(action, MakeBid):
        best = odds[rules.ladder.place(rules.ladder.bid(action.key))]
    reason = _reason(action, standing, best, position.may_bid)
    if advised is not None and reason in (HintReason.LIKELIEST, HintReason.UNLIKELY):
        reason = HintReason.SOLVED if share else HintReason.COACHED
    return Hint(standing, action, best, reason, share if reason is HintReason.SOLVED else 0.0)


def _reason(
    action: MakeBid | Challenge | None,
    standing: BidOdds | None,
    best: BidOdds | None,
    may_bid: bool,
) -> HintReason:
    match action:
        case MakeBid() if best is not None and best.chance.favourable == best.chance.total:
            return HintReason.CERTAIN
        case MakeBid():
            return HintReason.LIKELIEST
        case Challenge() if standing is not None and standing.chance.favourable == 0:
            return HintReason.IMPOSSIBLE
        case Challenge() if may_bid and best is None:
            return HintReason.NOTHING_ABOVE
        case Challenge():
            return HintReason.UNLIKELY
    return HintReason.NOT_ASKED

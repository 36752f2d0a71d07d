"""Matches for tests: a generator of fixed choices, stacked decks, whole random matches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.actions import Action, Challenge, Deal, Forfeit, MakeBid
from engine.cards import Card, Cards
from engine.play import apply, legal
from engine.rotation import dealing_order
from engine.shuffle import VERSION, commitment, shuffle
from engine.state import Match, Phase

T = TypeVar("T")


class Chooser:
    """Choices that depend only on a name, and are the same under every version of Python."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._step = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        self._step += 1
        text = f"{self._name}/{self._step}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % bound

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def percent(self, chance: int) -> bool:
        """Return True with a probability of `chance` per cent."""
        return self.below(100) < chance


def seed_from(name: str) -> bytes:
    """Return a shuffle's seed, made from a name."""
    return hashlib.sha256(name.encode()).digest()


def fair_deal(match: Match, seed: bytes) -> Deal:
    """Return the deal that `seed` determines."""
    shuffled = shuffle(seed, match.ruleset.deck.order, len(match.live))
    return Deal(shuffled.order, commitment(seed), VERSION, shuffled.drawn)


def stacked_deal(match: Match, hands: dict[int, str], middle: str = "", drawn: int = 0) -> Deal:
    """Return a deal with these hands by seat and this middle hand; other cards in deck order.

    `drawn`: the opener's index among the live seats, if the match has no opener yet.
    """
    hands_by_seat = {seat: list(Cards.parse(text)) for seat, text in hands.items()}
    middle_cards = list(Cards.parse(middle))
    taken = Cards.of(card for cards in hands_by_seat.values() for card in cards) | Cards.of(
        middle_cards
    )
    stub = iter([card for card in match.ruleset.deck.order if card not in taken])
    opener = match.opener if match.opener is not None else match.live[drawn]
    order: list[Card] = []
    most = max(match.seats[seat].cards for seat in match.live)
    for turn in range(most):
        for seat in dealing_order(match.seats, opener):
            if turn < match.seats[seat].cards:
                cards = hands_by_seat.get(seat, [])
                order.append(cards[turn] if turn < len(cards) else next(stub))
    if match.ruleset.middle_hand:
        order += middle_cards or [next(stub) for _ in range(most)]
    return Deal((*order, *stub), "0" * 64, VERSION, drawn)


def play(match: Match, *actions: Action) -> Match:
    """Return the match after `actions`."""
    for action in actions:
        match = apply(match, action)
    return match


@dataclass(frozen=True)
class Habits:
    """The habits of random players.

    `doubt` is the chance in per cent that a bid is challenged, if a higher bid is possible too.
    `leave` is the chance in per cent that some player forfeits instead of the next action.
    """

    doubt: int = 25
    leave: int = 0
    reach: int = 30  # a bid is one of this many rungs above the standing one


def next_action(match: Match, chooser: Chooser, habits: Habits) -> Action:
    """Return a random action that the rules allow."""
    if habits.leave and chooser.percent(habits.leave):
        return Forfeit(chooser.one_of(match.live))
    allowed = legal(match)
    if match.phase is Phase.DEAL:
        return fair_deal(match, seed_from(f"deal {chooser.below(1 << 60)}"))
    challengers = sorted(allowed.challengers)
    if challengers and (not allowed.rungs or chooser.percent(habits.doubt)):
        return Challenge(chooser.one_of(challengers))
    assert allowed.bidder is not None
    rung = chooser.one_of(allowed.rungs[: habits.reach])
    return MakeBid(allowed.bidder, chooser.one_of(rung).key)


def random_match(match: Match, chooser: Chooser, habits: Habits) -> Iterator[tuple[Match, Action]]:
    """Yield each state with the action played in it, until the match is over."""
    while match.phase is not Phase.OVER:
        action = next_action(match, chooser, habits)
        yield match, action
        match = apply(match, action)

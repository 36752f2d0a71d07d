"""A slow, readable oracle for the numbers that a network gets as input (features).

It shares no code with the kernels; docs/computer-players.md describes the features in short.
Chances are those of `engine.odds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log

from engine.bids import Bid
from engine.cards import Card, Cards
from engine.odds import bid_chance
from engine.ruleset import Ruleset

MOST_TRUSTED = 6


@dataclass(frozen=True)
class Scene:
    """A round as one seat sees it; `bids` are (seat, index in the ladder's order).

    `dealt` is the number of cards of each seat, `live` are the seats still in the match.
    """

    rules: Ruleset
    seat: int
    hole: Cards
    dealt: tuple[int, ...]
    live: tuple[int, ...]
    in_play: int
    bids: tuple[tuple[int, int], ...]

    @cached_property
    def ladder(self) -> list[Bid]:
        return list(self.rules.ladder)

    @property
    def standing(self) -> Bid | None:
        return self.ladder[self.bids[-1][1]] if self.bids else None

    @cached_property
    def legal(self) -> list[Bid]:
        return [bid for rung in self.rules.ladder.above(self.standing) for bid in rung]

    @property
    def after(self) -> int:
        """The next live seat to the left of this seat."""
        seats = len(self.dealt)
        return next(
            (self.seat + step) % seats
            for step in range(1, seats + 1)
            if (self.seat + step) % seats in self.live
        )

    def trusted_cards(
        self, exposed: Cards, but: int | None, share: int, each: int, most: int
    ) -> Cards:
        """Return the cards that bidders seem to hold, judging by their bids, the latest bid first.

        The bids of seat `but`, and bids with more than two needs, are left out. A need of n cards
        counts as n / `share` cards, rounded up. At most `each` cards are counted for a bidder, and
        no more than the bidder was dealt; at most `most` in all. The `exposed` cards, which someone
        else holds, are not counted.
        """
        cards: list[Card] = []
        credit = dict.fromkeys(range(len(self.dealt)), 0)
        for bidder, place in reversed(self.bids):
            bid = self.ladder[place]
            if bidder == but or len(bid.needs) > 2:
                continue
            for need in bid.needs:
                count = -(-need.count // share)
                free = sorted(
                    (card for card in need.cards if card not in exposed and card not in cards),
                    key=lambda card: card.number,
                )
                room = min(count, min(each, self.dealt[bidder]) - credit[bidder], most - len(cards))
                taken = free[: max(0, room)]
                credit[bidder] += len(taken)
                cards += taken
        return Cards.of(cards)

    @cached_property
    def known(self) -> list[Cards]:
        """The cards known in five views.

        View 0 has the seat's own hand. Views 1 and 2 add cards that the other seats' bids claim:
        half of them, and all of them. Views 3 and 4 have only half of the claimed cards, as the
        next player and an onlooker see them.
        """
        most = min(MOST_TRUSTED, self.in_play - self.dealt[self.seat])
        return [
            self.hole,
            self.hole | self.trusted_cards(self.hole, self.seat, 2, 2, most),
            self.hole | self.trusted_cards(self.hole, self.seat, 1, 3, most),
            self.trusted_cards(Cards(), self.after, 2, 2, MOST_TRUSTED),
            self.trusted_cards(Cards(), None, 2, 2, MOST_TRUSTED),
        ]

    def chance(self, view: int, bid: Bid) -> float:
        """Return the chance of `bid` given the known cards of a view (an index of `known`)."""
        if (view, bid.key) not in self._chances:
            known = self.known[view]
            in_play = max(self.in_play, len(known))
            chance = bid_chance(bid, self.rules.deck, in_play, known).probability
            self._chances[view, bid.key] = chance
        return self._chances[view, bid.key]

    @cached_property
    def _chances(self) -> dict[tuple[int, str], float]:
        return {}  # filled by `chance`

    def prior(self, bid: Bid) -> float:
        return bid_chance(bid, self.rules.deck, self.in_play).probability

    def room(self, view: int, bid: Bid) -> float:
        """Return the highest chance, in a view, of a bid on a higher rung than `bid`.

        0 if there is no such bid.
        """
        higher = (higher_bid for rung in self.rules.ladder.above(bid) for higher_bid in rung)
        return max((self.chance(view, bid_above) for bid_above in higher), default=0.0)

    def held(self, bid: Bid) -> int:
        return len(self.hole & cards_of_bid(bid))

    def rung(self, bid: Bid | None) -> int:
        return self.rules.ladder.number(bid) if bid else 0

    def sensible(self, least: float, many: int) -> list[Bid]:
        """Return the bids to consider, at most `many`, the lowest first.

        They are the legal bids with a chance of at least `least` in one of the first two views. If
        there are more than `many`, keep only the lowest ten, and bids likelier in some view than
        all higher candidates. If there are none, return the lowest six legal bids.
        """
        candidates = [
            bid for bid in self.legal if max(self.chance(0, bid), self.chance(1, bid)) >= least
        ]
        if not candidates:
            return self.legal[:6]
        if len(candidates) <= many:
            return candidates
        chosen = []
        for place, bid in enumerate(candidates):
            higher = candidates[place + 1 :]
            unequalled = any(
                self.chance(view, bid) > max((self.chance(view, o) for o in higher), default=0.0)
                for view in range(5)
            )
            if place < 10 or unequalled:
                chosen.append(bid)
        return chosen[:many]

    def state(self, least: float) -> list[float]:
        """Return the 32 features of the position; `least` is as in `sensible`."""
        s = self
        limits = s.rules.card_limit(live=len(s.live), started=len(s.dealt))
        good = [b for b in s.legal if max(s.chance(0, b), s.chance(1, b)) >= least]
        numbers = dict.fromkeys(range(32), 0.0)
        numbers |= {
            0: 1,
            1: len(s.live) / 6,
            2: len(s.live) == 2,
            3: 2 * s.in_play / s.rules.deck.size,
            4: s.dealt[s.seat] / s.in_play,
            5: s.dealt[s.after] / s.in_play,
            11: max((s.chance(0, b) for b in good), default=0),
            12: max((s.chance(1, b) for b in good), default=0),
            13: min(len(s.bids), 10) / 5,
            15: s.room(3, s.legal[0]),
            16: s.dealt[s.seat] >= limits,
            17: s.dealt[s.after] >= limits,
            18: s.hole.jokers / 2,
            19: len(s.live) > 2,
        }
        if s.standing is not None:
            bidder = s.bids[-1][0]
            before = s.ladder[s.bids[-2][1]] if len(s.bids) > 1 else None
            own_bids = [s.ladder[place] for seat, place in s.bids if seat == s.seat]
            numbers |= {
                6: 1,
                7: s.chance(0, s.standing),
                8: s.chance(1, s.standing),
                9: s.chance(3, s.standing),
                10: s.prior(s.standing),
                14: s.held(s.standing) / cards_needed(s.standing),
                20: s.chance(2, s.standing),
                21: log(s.chance(0, s.standing) + 0.02) / 4,
                22: log(s.chance(2, s.standing) + 0.02) / 4,
                23: bidder == s.after,
                24: s.dealt[bidder] / s.in_play,
                25: s.dealt[bidder] >= limits,
                26: s.rung(s.standing) / s.rules.ladder.top,
                27: min(40, s.rung(s.standing) - s.rung(before)) / 40,
                31: min(5, sum(seat == bidder for seat, _ in s.bids[:-1])) / 5,
            }
            if own_bids:
                numbers |= {
                    28: 1,
                    29: own_bids[-1].needs[0].cards == s.standing.needs[0].cards,
                    30: s.held(own_bids[-1]) / cards_needed(own_bids[-1]),
                }
        return [float(numbers[place]) for place in range(32)]

    def bid(self, bid: Bid, place: int) -> list[float]:
        """Return the 24 features of a bid; `place` is its index among the bids considered."""
        s = self
        mentions = [(seat, s.ladder[number].needs[0].cards) for seat, number in s.bids]
        first = bid.needs[0].cards
        second = bid.needs[1].cards if len(bid.needs) == 2 else Cards()

        def has_bid(cards: Cards, seats: set[int]) -> bool:
            return any(
                bidder in seats and not cards.isdisjoint(mentioned)
                for bidder, mentioned in mentions
            )

        others = set(range(len(s.dealt))) - {s.seat}
        of_next = others & {s.after}
        logs = {view: log(s.chance(view, bid) + 0.02) / 4 for view in range(5)}
        return [
            s.chance(0, bid),
            s.chance(1, bid),
            s.prior(bid),
            s.chance(3, bid),
            logs[0],
            logs[1],
            logs[3],
            s.room(3, bid),
            min(5, s.held(bid)) / cards_needed(bid),
            float(s.standing is not None and first == s.standing.needs[0].cards),
            float(has_bid(first, {s.seat})),
            float(has_bid(first, others)),
            float(has_bid(second, others)),
            min(40, s.rung(bid) - s.rung(s.standing)) / 40,
            s.rules.ladder.kinds.index(bid.kind) / 9,
            float(s.chance(0, bid) > 0.999),
            s.chance(2, bid),
            logs[2],
            s.chance(4, bid),
            logs[4],
            s.room(0, bid),
            float(has_bid(first, of_next)),
            float(s.standing is not None and not cards_of_bid(s.standing) - cards_of_bid(bid)),
            min(place, 20) / 20,
        ]


def cards_of_bid(bid: Bid) -> Cards:
    """Return all cards that meet any of a bid's needs."""
    cards = Cards()
    for need in bid.needs:
        cards |= need.cards
    return cards


def cards_needed(bid: Bid) -> int:
    return sum(need.count for need in bid.needs)

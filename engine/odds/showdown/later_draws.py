"""Count or sample draws when more than one is left, as in 2-7 triple draw and badugi.

The players draw in turn, `Drawing.draws` times. Each keeps the cards that the question names, and
the drawn cards that fit, the lowest first. A drawn card fits if it is at most the player's limit
and the player keeps no card of its rank yet (in badugi, also none of its suit). If five cards make
a straight or a flush in 2-7, the highest drawn card doesn't fit. At the next draw the player
replaces the cards that don't fit. Cards thrown away don't come back.

Everything is computed with arrays of deals, without compiled code. A deal is an order of all the
cards that could be drawn. Players who stop draw no more cards, so counting scores their hand once
for all orders of the cards that would have followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from math import comb, perm
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.odds.loading import np
from engine.odds.showdown import scoring
from engine.odds.showdown.dealing import Sums, no_sums
from engine.odds.showdown.drawing import order_of
from engine.odds.showdown.ranking import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.odds.showdown.scenario import Scenario

_ROWS: Final = 1 << 16  # deals in one array, about
_ROW_SECONDS: Final = 4e-7  # to draw and score a hand
_RANK_COUNT: Final = 13
_STRAIGHTS: Final = frozenset(scoring.STRAIGHTS) - {scoring.WHEEL}  # 5-4-3-2-A is none in 2-7


class _Player:
    """The cards that a player keeps from the beginning, and the choice of drawn cards to keep."""

    def __init__(self, ranking: Ranking, kept: Cards, number: int, limit: int | None) -> None:
        self.number = number  # of cards drawn at first
        self._limit = limit
        self._ranking = ranking
        self._kept = np.array([card.number for card in kept], np.uint8)
        self._order = np.array(
            [order_of(ranking, number % _RANK_COUNT) for number in range(52)], np.int64
        )

    def sort(self, drawn: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return rows of drawn cards with the lowest rank first."""
        places = np.argsort(self._order[drawn], axis=1, kind="stable")
        return np.take_along_axis(drawn, places, axis=1)

    def fitting(self, drawn: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which drawn cards the player keeps. A player who draws only once keeps all.

        Each row of `drawn` must be sorted (`sort`).
        """
        if self._limit is None:
            return np.ones(drawn.shape, np.bool_)
        ranks, suits = np.int64(1) << self._order[drawn], np.int64(1) << drawn // _RANK_COUNT
        low = self._order[drawn] <= self._limit
        held = np.full(len(drawn), np.bitwise_or.reduce(1 << self._order[self._kept], initial=0))
        suits_held = np.full(
            len(drawn), np.bitwise_or.reduce(1 << self._kept.astype(np.int64) // 13, initial=0)
        )
        fits = np.zeros(drawn.shape, np.bool_)
        for column in range(drawn.shape[1]):
            new = low[:, column] & (held & ranks[:, column] == 0)
            if self._ranking is Ranking.BADUGI:
                new &= suits_held & suits[:, column] == 0
            fits[:, column] = new
            held = np.where(new, held | ranks[:, column], held)
            suits_held = np.where(new, suits_held | suits[:, column], suits_held)
        if self._ranking is Ranking.DEUCE_SEVEN and drawn.shape[1]:
            whole = np.bitwise_count(held) == Ranking.DEUCE_SEVEN.cards
            one_suit = np.bitwise_count(suits_held) == 1
            fits[whole & (one_suit | np.isin(held, list(_STRAIGHTS))), -1] = False
        return fits

    def scores(self, drawn: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the raw scores of the final hands; the lowest score is the best."""
        rows = np.broadcast_to(self._kept, (len(drawn), len(self._kept)))
        cards = np.concatenate([rows, drawn], axis=1)
        places = np.argsort(-self._order[cards], axis=1)
        cards = np.take_along_axis(cards, places, axis=1)
        ranks, suits = self._order[cards] + 1, cards // np.uint8(_RANK_COUNT)
        if self._ranking is Ranking.BADUGI:
            return _badugi_scores(ranks, suits)
        shifts = 4 * np.arange(Ranking.ACE_FIVE.cards)[::-1]
        keys = (ranks << shifts).sum(axis=1)
        if self._ranking is Ranking.DEUCE_SEVEN:
            keys |= (suits == suits[:, :1]).all(axis=1).astype(np.int64) << 20
        different, places = np.unique(keys, return_inverse=True)
        raw = [_five_score(self._ranking, key) for key in different.tolist()]
        return np.array(raw, np.int64)[places]


def _badugi_scores(ranks: NDArray[np.int64], suits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the raw scores of badugi hands. In each row, the highest rank must come first."""
    size = ranks.shape[1]
    best = np.full(len(ranks), size << 20)
    for count in range(1, size + 1):
        for chosen in combinations(range(size), count):
            apart = np.ones(len(ranks), np.bool_)
            for first, second in combinations(chosen, 2):
                alike = (ranks[:, first] == ranks[:, second]) | (
                    suits[:, first] == suits[:, second]
                )
                apart &= ~alike
            shifts = 16 - 4 * np.arange(count)
            raw = (size - count << 20) + (ranks[:, chosen] << shifts).sum(axis=1)
            best = np.where(apart & (raw < best), raw, best)
    return best


def _five_score(ranking: Ranking, key: int) -> int:
    """Return the raw score of five cards.

    `key` has their ranks in nibbles; bit 20 is set if they are of one suit.
    """
    ranks = [(key >> shift & 15) - 1 for shift in (16, 12, 8, 4, 0)]
    masks = [0, 0, 0, 0]
    for place, order in enumerate(ranks):
        rank = (order - 1) % _RANK_COUNT if ranking.aces_low else order
        suits = [suit for suit, mask in enumerate(masks) if not mask >> rank & 1]
        # a second suit makes it no flush
        masks[suits[1] if place == 0 and not key >> 20 else suits[0]] |= 1 << rank
    clubs, diamonds, hearts, spades = masks
    if ranking is Ranking.ACE_FIVE:
        return scoring.ace_five(clubs, diamonds, hearts, spades, 0)
    return scoring.deuce_seven(clubs, diamonds, hearts, spades, 0)


@dataclass(frozen=True, slots=True)
class _Deals:
    """Deals at one point of the game, in rows: each player's drawn cards, and the cards left.

    Each row stands for `ways` orders of all the cards that could be drawn.
    """

    drawn: tuple[NDArray[np.uint8], ...]
    left: NDArray[np.uint8]  # the cards that are left, in rows
    ways: int

    def rows(self, chosen: NDArray[np.intp] | NDArray[np.bool_] | slice) -> _Deals:
        drawn = tuple(cards[chosen] for cards in self.drawn)
        return _Deals(drawn, self.left[chosen], self.ways)


class _Table:
    """The players of a scenario, who draw in turn, and the cards left for them."""

    def __init__(self, scenario: Scenario) -> None:
        drawing = scenario.drawing
        assert drawing is not None
        self._scenario = scenario
        self._drawing = drawing
        self.slots = scenario.turn_sizes()
        self._players = [
            _Player(scenario.rules.ranking, held, number, limit)
            for held, number, limit in zip(scenario.known, self.slots, drawing.limits, strict=False)
        ]
        self._deck = np.array(sorted(card.number for card in scenario.left), np.uint8)
        self.deals = perm(len(self._deck), sum(self.slots))

    def undealt(self, rows: int = 1) -> _Deals:
        """Return `rows` deals before the first draw."""
        drawn = tuple(np.zeros((rows, player.number), np.uint8) for player in self._players)
        return _Deals(drawn, np.tile(self._deck, (rows, 1)), self.deals)

    def expected_rows(self) -> float:
        """Estimate how many deals, as rows of `_Deals`, the counting produces."""
        total, left = 1.0, len(self._deck)
        for player, limit, held in zip(
            self._players, self._drawing.limits, self._scenario.known, strict=True
        ):
            turns = 1 if limit is None else self._drawing.draws
            ranks = self._ranks_that_fit(limit, held)
            total *= _expected_hands(left, player.number, 4 * ranks / left, turns)
        return total

    def _ranks_that_fit(self, limit: int | None, held: Cards) -> int:
        ranking = self._scenario.rules.ranking
        named = {order_of(ranking, card.rank) for card in held}
        return sum(1 for rank in range(-1 if limit is None else limit + 1) if rank not in named)

    def _in_turn(self, turn: int) -> _Player:
        return self._players[turn % len(self._players)]

    # -- counting ----------------------------------------------------------------------------------

    def pieces(self, deals: _Deals, turn: int = 0) -> Iterator[_Deals]:
        """Yield, in pieces, all deals that follow from `deals`, with final hands.

        `turn` is the number of the next turn, counting all players' turns from 0.
        """
        if turn == len(self.slots):
            yield deals
            return
        for chosen, replaced in self._by_replaced(deals, turn):
            if not replaced:
                yield from self.pieces(chosen, turn + 1)
                continue
            hands = comb(chosen.left.shape[1], replaced)
            step = max(1, _ROWS // hands)
            for at in range(0, len(chosen.left), step):
                piece = chosen.rows(slice(at, at + step))
                yield from self.pieces(self._draw_each(piece, turn, replaced), turn + 1)

    def _by_replaced(self, deals: _Deals, turn: int) -> Iterator[tuple[_Deals, int]]:
        """Group the deals by how many cards the player in turn replaces; yield (group, number).

        After the first draw, the cards that this player keeps come first in each row of drawn
        cards.
        """
        seat, player = turn % len(self._players), self._in_turn(turn)
        if turn < len(self._players):
            yield deals, player.number
            return
        fits = player.fitting(deals.drawn[seat])
        kept_first = np.argsort(~fits, axis=1, kind="stable")
        drawn = list(deals.drawn)
        drawn[seat] = np.take_along_axis(drawn[seat], kept_first, axis=1)
        ordered = _Deals(tuple(drawn), deals.left, deals.ways)
        replaced = player.number - fits.sum(axis=1)
        for number in np.unique(replaced).tolist():
            yield ordered.rows(replaced == number), number

    def _draw_each(self, deals: _Deals, turn: int, replaced: int) -> _Deals:
        """Return all deals in which the player in turn draws `replaced` of the cards left."""
        seat, left = turn % len(self._players), deals.left.shape[1]
        places = np.array(
            list(chain.from_iterable(combinations(range(left), replaced))), np.intp
        ).reshape(-1, replaced)
        stays = np.ones((len(places), left), np.bool_)
        np.put_along_axis(stays, places, values=False, axis=1)
        others = np.nonzero(stays)[1].reshape(len(places), left - replaced)
        rows = len(deals.left) * len(places)
        repeated = [np.repeat(cards, len(places), axis=0) for cards in deals.drawn]
        new = deals.left[:, places].reshape(rows, replaced)
        repeated[seat][:, self._players[seat].number - replaced :] = new
        repeated[seat] = self._players[seat].sort(repeated[seat])
        return _Deals(
            tuple(repeated),
            deals.left[:, others].reshape(rows, left - replaced),
            deals.ways // len(places),
        )

    # -- sampling and scoring ----------------------------------------------------------------------

    def sample(self, random: np.random.Generator, rows: int) -> _Deals:
        """Return `rows` random deals, with final hands."""
        deals = self.undealt(rows)
        deck, lines, dealt = deals.left, np.arange(rows), 0
        for place in range(sum(self.slots)):  # shuffle as far as cards may be drawn
            swapped = random.integers(place, deck.shape[1], rows)
            deck[lines, swapped], deck[:, place] = deck[:, place].copy(), deck[lines, swapped]
        for turn, number in enumerate(self.slots):
            if not number:
                continue
            player, cards = self._in_turn(turn), deals.drawn[turn % len(self._players)]
            fits = player.fitting(cards) & (turn >= len(self._players))
            cards[:, :] = player.sort(np.where(fits, cards, deck[:, dealt : dealt + number]))
            dealt += number
        return _Deals(deals.drawn, deck, 1)

    def score(self, deals: _Deals) -> Sums:
        """Return the players' results, summed over deals in which all hands are final."""
        scores = np.array(
            [player.scores(drawn) for player, drawn in zip(self._players, deals.drawn, strict=True)]
        )
        wins = scores == scores.min(axis=0)
        winners = wins.sum(axis=0)
        shares, kinds = no_sums(self._scenario)
        for seat in range(len(self._players)):
            shares[seat] = np.bincount(winners[wins[seat]], minlength=shares.shape[1])
            kinds[seat] = np.bincount(scores[seat] >> 20, minlength=kinds.shape[1])
        return Sums(len(deals.left) * deals.ways, deals.ways * shares, deals.ways * kinds)


def _expected_hands(left: int, number: int, fits: float, turns: int) -> float:
    """Return about how many hands a player may get by replacing cards `turns` times.

    The player first replaces `number` cards. `left` is the number of cards left to draw, `fits` the
    chance that a card drawn is kept.
    """
    if not turns or not number:
        return 1.0
    later = sum(
        comb(number, stays)
        * fits**stays
        * (1 - fits) ** (number - stays)
        * _expected_hands(left - number, number - stays, fits, turns - 1)
        for stays in range(number + 1)
    )
    return comb(left, number) * later


def counting_seconds(scenario: Scenario) -> tuple[int, float]:
    """Return the number of deals, and about how many seconds it takes to count them."""
    table = _Table(scenario)
    return table.deals, table.expected_rows() * len(scenario.players) * _ROW_SECONDS


def count_jobs(scenario: Scenario) -> Iterator[Callable[[], Sums]]:
    """Yield jobs that together count all deals."""
    table = _Table(scenario)
    for deals in table.pieces(table.undealt()):
        yield partial(table.score, deals)


def sample_jobs(scenario: Scenario, deals: int, seed: int) -> Iterator[Callable[[], Sums]]:
    """Yield jobs that together sample `deals` deals; equal arguments give equal deals."""
    table = _Table(scenario)
    for first in range(0, deals, _ROWS):

        def job(first: int = first) -> Sums:
            random = np.random.default_rng([seed & (1 << 64) - 1, first])
            return table.score(table.sample(random, min(_ROWS, deals - first)))

        yield job

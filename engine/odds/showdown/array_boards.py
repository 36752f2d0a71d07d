"""Count boards with numpy arrays alone, until there is compiled code.

Compiling takes seconds, which nobody should wait for whose very first question is a small one.
`kernels.count` explains the method and the tables: boards with the same ranks are counted
together, and boards with a flush separately for each suit. Here, each step computes many classes of
hole cards at once.

Weights are floats because bincount takes floats; sums of boards are exact below 2**53.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from engine.odds.loading import np
from engine.odds.showdown import compiled
from engine.odds.showdown.evaluator import NO_LOW

if TYPE_CHECKING:
    from numpy.typing import NDArray

    _Ints = NDArray[np.int64]
    _Floats = NDArray[np.float64]
    _Scores = NDArray[np.uint16]

_MOST_SECONDS: Final = 0.2
_MOST_DEALS: Final = 1 << 53
_MULTISETS_AT_ONCE: Final = 8192
_KEPT: Final = 512  # boards, or hands in a suit
_RANKS: Final = 13
_RANK_MASK: Final = 0x1FFF
_HAND_SIZE: Final = 5  # and the size of a flush


def is_quick(deals: int, seconds: float) -> bool:
    """Return whether counting here is quicker than compiling.

    `deals` is the number of deals, `seconds` the estimated time for counting them here. False once
    there is compiled code, and for too many deals to be counted exactly.
    """
    if deals >= _MOST_DEALS or seconds > _MOST_SECONDS:
        return False
    return not compiled.count_boards.is_ready


@dataclass(frozen=True, slots=True)
class _Game:
    """The arguments of `count_boards` that are the same for all classes of hole cards."""

    board: int
    dead: int
    public: int
    short: int
    two_three: bool
    lows: NDArray[np.uint16]
    ranked: bool

    @property
    def to_come(self) -> int:
        return self.public - self.board.bit_count()

    def board_ranks(self, suit: int) -> int:
        """Return the ranks on the board in `suit`, as 13 bits."""
        return self.board >> _RANKS * suit & _RANK_MASK


class _BoardSums:
    """The number of boards for each player, by result (a column of `shares`) and by dense score."""

    def __init__(self, game: _Game, players: int, columns: int) -> None:
        from engine.odds.showdown.score_tables import CATEGORY

        self._ranked, self._columns = game.ranked, columns
        self._category = CATEGORY[game.short]
        self.shares = np.zeros((players, columns))
        self._by_score = np.zeros((players, len(self._category)))

    def add(self, scores: list[_Scores], weights: _Floats, cells: list[_Ints]) -> None:
        """Add groups of boards; `weights` are the numbers of boards in the groups.

        `scores` are each player's scores, by group. `cells` are each player's results in the low
        half, or empty if the pot is not split.
        """
        best = scores[0]
        for others in scores[1:]:
            best = np.maximum(best, others)
        wins = [score == best for score in scores]
        winners = np.zeros(best.shape, np.intp)
        for won in wins:
            winners += won
        if cells:
            winners *= len(scores) + 2
        for seat, won in enumerate(wins):
            columns = winners * won
            if cells:
                columns += cells[seat]
            self.shares[seat] += np.bincount(columns, weights, self._columns)
            if self._ranked:
                by_score = np.bincount(scores[seat], weights, len(self._category))
                self._by_score[seat] += by_score

    def kinds(self, seat: int, columns: int) -> _Ints:
        """Return on how many boards a player makes each of the first `columns` kinds of hand."""
        return np.bincount(self._category, self._by_score[seat], columns).astype(np.int64)


def count_boards(
    classes: NDArray[np.uint64],
    multiples: _Ints,
    board: np.uint64,
    dead: np.uint64,
    public: int,
    short: int,
    two_three: bool,
    lows: NDArray[np.uint16],
    ranked: bool,
    shares: _Ints,
    kinds: _Ints,
) -> None:
    """Count boards like `kernels.count.count_boards`, adding to `shares` and `kinds`."""
    game = _Game(int(board), int(dead), public, short, two_three, lows, ranked)
    rows = _multisets(game.to_come)
    size = max(1, _MULTISETS_AT_ONCE // (rows.stop - rows.start))
    sums = _BoardSums(game, classes.shape[1], shares.shape[1])
    for at in range(0, len(classes), size):
        _count_some(game, classes[at : at + size], multiples[at : at + size], sums)
    added = sums.shares.astype(np.int64)
    if not len(lows):
        added[:, 0] = 0  # boards lost aren't counted
    shares += added
    if ranked:
        for seat, of_seat in enumerate(kinds):
            of_seat += sums.kinds(seat, len(of_seat))


def _count_some(game: _Game, holes: NDArray[np.uint64], multiples: _Ints, sums: _BoardSums) -> None:
    """Add the boards of the classes `holes` (classes, players) to `sums`."""
    to_come = game.to_come
    held = holes.astype(np.int64)
    gone = np.bitwise_or.reduce(held, axis=1) | game.board | game.dead
    free = np.stack([~gone >> _RANKS * suit & _RANK_MASK for suit in range(4)])
    weights = _weights(_ranks_left(free), to_come) * multiples[:, None]
    plain = []
    for hands in held.T:
        distinct, indexes = _distinct(hands)
        plain.append(_plain_scores(game, distinct)[indexes].ravel())
    cells = _low_cells(game, held.T) if len(game.lows) else []
    for suit in range(4):
        _count_flushes(game, suit, held, free, multiples, plain, cells, weights, sums)
    sums.add(plain, weights.ravel(), cells)


def _distinct(hands: _Ints) -> tuple[_Ints, _Ints]:
    """Return the distinct hands, and the index of each of `hands` among them."""
    numbers: dict[int, int] = {}
    indexes = [numbers.setdefault(hand, len(numbers)) for hand in hands.tolist()]
    return np.array([*numbers]), np.array(indexes)


def _ranks_left(free: _Ints) -> _Ints:
    """Return how many cards of each rank may come: (classes, 13).

    `free` (suits, classes) are the ranks of each suit that may come, as 13 bits.
    """
    left: _Ints = (free[:, :, None] >> np.arange(_RANKS) & 1).sum(axis=0)
    return left


def _weights(left: _Ints, cards: int) -> _Floats:
    """Return the number of ways to deal each multiset of `cards` ranks: (classes, multisets).

    `left` (classes, 13) is the number of cards left of each rank.
    """
    from engine.odds.showdown.score_tables import MULTI_CODES

    n = left.astype(np.float64)
    ways = np.ones((len(left), 5 * _RANKS + 1))
    ways[:, 1:-1:5] = n
    ways[:, 2:-1:5] = n * (n - 1) / 2
    ways[:, 3:-1:5] = n * (n - 1) * (n - 2) / 6
    ways[:, 4:-1:5] = n >= 4
    codes = MULTI_CODES[_multisets(cards)].astype(np.intp)
    weights = np.ones((len(left), len(codes)))
    for column in range(cards):
        weights *= ways.take(codes[:, column], axis=1)
    return weights


def _plain_scores(game: _Game, hands: _Ints) -> _Scores:
    """Return each hand's dense scores, ignoring flushes: (hands, multisets of ranks to come)."""
    from engine.odds.showdown import score_tables as tables

    if game.two_three:
        best = _best_triples(game, hands)
        tried = best.take(_triples(game.board, game.to_come), axis=1)
        scores: _Scores = tried.max(axis=2)
        return scores
    rows = _multisets(game.to_come)
    cards = game.public + int(hands[0]).bit_count()
    ranks = ((hands | game.board)[:, None] >> np.arange(52) & 1) @ _card_keys()
    low = ranks[:, 0, None] + tables.MULTI_LOW[rows]
    high = ranks[:, 1, None] + tables.MULTI_HIGH[rows]
    return tables.DENSE.take(int(tables.BASE[game.short, cards]) + _places(cards, low, high))


def _places(cards: int, low: _Ints, high: _Ints) -> _Ints:
    """Return where multisets of `cards` ranks are in the score table, from their two key sums.

    The indexes are relative to the ranking's `BASE` for `cards`.
    """
    from engine.odds.showdown import score_tables as tables

    places = tables.LOW.take(low + int(tables.LOW_AT[cards])).astype(np.int64)
    places += tables.HIGH.take(high + int(tables.HIGH_AT[cards]))
    return places


@cache
def _card_keys() -> _Ints:
    """Return the low and the high key of each card's rank: (52, 2)."""
    from engine.odds.showdown.score_tables import RANK_HIGH, RANK_LOW

    return np.tile(np.stack([RANK_LOW, RANK_HIGH], axis=1).astype(np.int64), (4, 1))


def _best_triples(game: _Game, hands: _Ints) -> _Scores:
    """Return each hand's best dense score with two of its cards and three given board ranks.

    The shape is (hands, multisets of three board ranks). Flushes are ignored.
    """
    from engine.odds.showdown import score_tables as tables

    rows = _multisets(3)
    cards = np.nonzero(hands[:, None] >> np.arange(52) & 1)[1].reshape(len(hands), -1)
    keys = _card_keys()[cards]
    pairs = np.array(list(combinations(range(cards.shape[1]), 2)))
    low, high = (keys[:, pairs[:, 0]] + keys[:, pairs[:, 1]]).transpose(2, 0, 1)[..., None]
    places = _places(_HAND_SIZE, low + tables.MULTI_LOW[rows], high + tables.MULTI_HIGH[rows])
    scores = tables.DENSE.take(int(tables.BASE[game.short, _HAND_SIZE]) + places)
    best: _Scores = scores.max(axis=1)
    return best


@lru_cache(maxsize=_KEPT)
def _triples(board: int, to_come: int) -> _Ints:
    """Return the column of `_best_triples` for each triple of board cards.

    The shape is (multisets, triples), with a row for each multiset of ranks to come.
    """
    from engine.odds.showdown.score_tables import MULTI_CODES

    codes = MULTI_CODES[_multisets(to_come)].astype(np.intp)
    coming = np.repeat(codes // 5, (codes % 5).ravel()).reshape(len(codes), -1)
    dealt = [card % _RANKS for card in range(52) if board >> card & 1]
    ranks = np.column_stack([coming, np.tile(np.array(dealt, np.intp), (len(codes), 1))])
    chosen = np.array(list(combinations(range(ranks.shape[1]), 3)))
    low, high = _card_keys()[ranks[:, chosen]].sum(axis=2).transpose(2, 0, 1)
    return _places(3, low, high)


def _multisets(cards: int) -> slice:
    """Return the rows of the `MULTI_*` tables that have all multisets of `cards` board cards."""
    from engine.odds.showdown.score_tables import MULTI_START

    return slice(int(MULTI_START[cards]), int(MULTI_START[cards + 1]))


def _low_cells(game: _Game, hands: _Ints) -> list[_Ints]:
    """Return each player's results in the low half, by class and multiset of ranks to come.

    A result is the number of winners for a winner and 0 for a loser. It is the number of players +
    1 if there is no low hand. `hands` are (players, classes).
    """
    from engine.odds.showdown.score_tables import MULTI_CODES

    codes = MULTI_CODES[_multisets(game.to_come)]
    bits = np.array([*(_low_ranks(1 << rank) for rank in range(_RANKS)), 0])
    shared = np.bitwise_or.reduce(bits[codes // 5], axis=1) | _low_ranks(game.board)
    players = len(hands)
    lows = game.lows.take(_low_ranks(hands)[..., None] << 8 | shared).reshape(players, -1)
    lowest = lows.min(axis=0)
    wins = lows == lowest
    cells = np.where(lowest == NO_LOW, players + 1, wins * wins.sum(axis=0))
    return list(cells)


def _low_ranks(cards: Any) -> Any:
    """Return the ranks from ace to eight held in any suit, as 8 bits with the ace lowest."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & _RANK_MASK
    return (ranks << 1 | ranks >> 12) & 0xFF


def _count_flushes(
    game: _Game,
    suit: int,
    holes: _Ints,
    free: _Ints,
    multiples: _Ints,
    plain: list[_Scores],
    cells: list[_Ints],
    weights: _Floats,
    sums: _BoardSums,
) -> None:
    """Add to `sums` the boards on which a flush of `suit` is possible.

    Subtract these boards from `weights`. `free` (4, classes) are the ranks that may come in
    each suit. `plain` are the players' scores without a flush, `cells` their results in the low
    half.
    """
    from engine.odds.showdown.score_tables import SUBSET_MASK

    to_come, board = game.to_come, game.board_ranks(suit)
    hands = holes >> _RANKS * suit & _RANK_MASK
    most = np.bitwise_count(hands).max(axis=1).astype(np.int64)
    needed = np.maximum(0, _HAND_SIZE - board.bit_count() - (2 if game.two_three else most))
    times = _suits_alike(game, suit, holes, free)
    if game.two_three:
        times[most < 2] = 0
    for size in range(to_come + 1):
        group = np.flatnonzero((needed <= size) & (times > 0))
        if not len(group):
            continue
        subsets = _subsets(size)
        masks = SUBSET_MASK[subsets].astype(np.int64)
        row, subset = np.nonzero(masks & ~free[suit, group, None] == 0)
        left = _ranks_left(np.delete(free, suit, axis=0)[:, group])
        ways = _weights(left, to_come - size) * (multiples * times)[group, None]
        boards = ways[row].ravel()
        places = _flush_places(to_come, size)[subset] + weights.shape[1] * group[row, None]
        flat = places.ravel()
        weights -= np.bincount(flat, boards, weights.size).reshape(weights.shape)
        scores = []
        for seat, score in enumerate(plain):
            flush = _flushes(game, hands[group, seat], board, subsets)[row, subset]
            scores.append(np.maximum(score.take(places), flush[:, None]).ravel())
        sums.add(scores, boards, [cell.take(flat) for cell in cells])


def _suits_alike(game: _Game, suit: int, holes: _Ints, free: _Ints) -> _Ints:
    """Return, for each class, how many suits look the same as `suit` to every player.

    `suit` itself counts. The number is 0 if an earlier suit looks the same as `suit`, so that
    suits that look the same are counted once.
    """
    times, earlier = np.zeros(len(holes), np.int64), np.zeros(len(holes), np.bool_)
    for compared in range(4):
        differ = (holes >> _RANKS * compared ^ holes >> _RANKS * suit) & _RANK_MASK
        same = (free[compared] == free[suit]) & ~differ.any(axis=1)
        same &= game.board_ranks(compared) == game.board_ranks(suit)
        times += same
        earlier |= same & (compared < suit)
    times[earlier] = 0
    return times


def _subsets(size: int) -> slice:
    """Return the rows of the `SUBSET_*` tables that have all sets of `size` ranks."""
    from engine.odds.showdown.score_tables import SUBSET_START

    return slice(int(SUBSET_START[size]), int(SUBSET_START[size + 1]))


@cache
def _flush_places(to_come: int, size: int) -> _Ints:
    """Return `_places` for `to_come` ranks of which `size` are in one suit.

    The shape is (sets of ranks in the suit, multisets of the other ranks).
    """
    from engine.odds.showdown import score_tables as tables

    subsets = _subsets(size)
    others = _multisets(to_come - size)
    low = tables.SUBSET_LOW[subsets, None].astype(np.int64) + tables.MULTI_LOW[others]
    high = tables.SUBSET_HIGH[subsets, None].astype(np.int64) + tables.MULTI_HIGH[others]
    return _places(to_come, low, high)


def _flushes(game: _Game, hands: _Ints, board: int, subsets: slice) -> _Scores:
    """Return the score of each hand's best flush in a suit: (hands, sets of ranks to come).

    `hands` and `board` are the suit's ranks in each hand and on the board, as 13 bits. 0 means no
    flush.
    """
    distinct, indexes = _distinct(hands)
    flushes = _flush_of_pairs if game.two_three else _flush_of_all
    rows = [flushes(hand, board, game.short)[subsets] for hand in distinct.tolist()]
    return np.stack(rows)[indexes]


@lru_cache(maxsize=_KEPT)
def _flush_of_all(hand: int, board: int, short: int) -> _Scores:
    """Return the best flush score of hand, board and cards to come; 0 for no flush.

    `hand` and `board` are one suit's ranks, as 13 bits. `short` is the code of the ranking. The
    result has an entry for each set of ranks that may come in the suit.
    """
    from engine.odds.showdown.score_tables import FLUSH, SUBSET_MASK

    flushes: _Scores = FLUSH[short].take(SUBSET_MASK | hand | board)
    return flushes


@lru_cache(maxsize=_KEPT)
def _flush_of_pairs(hand: int, board: int, short: int) -> _Scores:
    """Return the score of the best flush of two ranks of the hand and three of the board.

    `hand` and `board` are one suit's ranks, as 13 bits. `short` is the ranking's code. The
    result has an entry for each set of ranks of the suit to come; 0 means no flush.
    """
    from engine.odds.showdown.score_tables import FLUSH, SUBSET_MASK

    ranks = [1 << rank for rank in range(_RANKS) if hand >> rank & 1]
    best = np.zeros(_RANK_MASK + 1, np.uint16)
    triples = SUBSET_MASK[_subsets(3)].astype(np.intp)
    for pair in combinations(ranks, 2):
        best[triples] = np.maximum(best[triples], FLUSH[short].take(triples | sum(pair)))
    for size in (4, 5):
        masks = SUBSET_MASK[_subsets(size)].astype(np.intp)
        for rank in range(_RANKS):  # the best of the set and of the sets with one rank less
            best[masks] = np.maximum(best[masks], best[masks & ~(1 << rank)])
    flushes: _Scores = best.take(SUBSET_MASK | board)
    return flushes

"""Count a few boards with arrays alone, so that a first answer needn't wait for the compiler.

Loading compiled code takes longer than a thousand boards do. So a question with the flop on the
board is counted here if no compiled code is loaded yet: the tables are the kernels' own
(`score_tables`), and the sums are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.odds.loading import LOADED, np
from engine.odds.showdown.games import ShowdownRules

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_SCORES: Final = 400_000  # of all hands on all boards: some hundredths of a second
_MOST_COMPARED: Final = 1_500_000
_MOST_UNSEEN: Final = 2
_CARDS: Final = 7


def is_quick(rules: ShowdownRules, rows: NDArray[np.uint64], unseen: int, boards: int) -> bool:
    """Return whether these ways to hold cards are counted sooner here than by compiled code."""
    if "numba" in LOADED or unseen > _MOST_UNSEEN or len(rows) * boards > _MOST_COMPARED:
        return False
    plain = not (rules.five_possible or rules.hi_lo or rules.ranking.is_low)
    whole = rules.usable_private + rules.usable_public == rules.private + rules.public == _CARDS
    return plain and whole and len(np.unique(rows)) * boards <= _MOST_SCORES


def count_few(
    rows: NDArray[np.uint64],
    multiples: NDArray[np.int64],
    board: int,
    gone: int,
    unseen: int,
    ranking: int,
    shares: NDArray[Any],
    kinds: NDArray[Any],
) -> None:
    """Add to `shares` and `kinds` the results of every way to hold cards on every board.

    `rows` are the players' hands as bits, `multiples` how often each row counts, `ranking` is the
    code of a high ranking.
    """
    from engine.odds.showdown.score_tables import RAW_TABLE

    boards, keys = _boards(board, gone, unseen)
    scores = {int(hand): _scores(int(hand), boards, keys, ranking) for hand in np.unique(rows)}
    free = {hand: (boards & np.uint64(hand)) == 0 for hand in scores}
    players = rows.shape[1]
    for row, times in zip(rows.tolist(), multiples.tolist(), strict=True):
        dealt = np.logical_and.reduce([free[hand] for hand in row])
        held = np.stack([scores[hand][dealt] for hand in row])
        wins = held == held.max(axis=0)
        among = wins.sum(axis=0)
        for seat in range(players):
            won = np.bincount(among[wins[seat]], minlength=players + 1)
            shares[seat] += times * won
            kind = RAW_TABLE[ranking, held[seat]] >> 20
            kinds[seat] += times * np.bincount(kind, minlength=kinds.shape[1])


def _boards(board: int, gone: int, unseen: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return every whole board as bits, and the sum of its cards' keys."""
    from engine.odds.showdown.score_tables import CARD_KEY

    taken = board | gone
    left = np.array([card for card in range(52) if not taken >> card & 1], np.int64)
    known = [card for card in range(52) if board >> card & 1]
    bits = np.uint64(1) << left.astype(np.uint64)
    boards = np.array([board], np.uint64)
    keys = CARD_KEY[known].sum(dtype=np.uint64, keepdims=True)
    if unseen == 1:
        boards, keys = boards | bits, keys + CARD_KEY[left]
    elif unseen == _MOST_UNSEEN:
        first, second = np.triu_indices(len(left), 1)
        boards = boards | bits[first] | bits[second]
        keys = keys + CARD_KEY[left[first]] + CARD_KEY[left[second]]
    return boards, keys


def _scores(
    hand: int, boards: NDArray[np.uint64], keys: NDArray[np.uint64], ranking: int
) -> NDArray[np.int64]:
    """Return the dense score of a hand on every board, as `kernels.score.dense_score` does."""
    from engine.odds.showdown import score_tables as tables

    cards = [card for card in range(52) if hand >> card & 1]
    start = np.uint64(0x3333 << 32) + tables.CARD_KEY[cards].sum(dtype=np.uint64)
    key = keys + start
    low, high = (
        (key >> np.uint64(shift) & np.uint64(0xFFFF)).astype(np.int64) for shift in (0, 16)
    )
    place = tables.LOW[int(tables.LOW_AT[_CARDS]) + low].astype(np.int64)
    place += tables.HIGH[int(tables.HIGH_AT[_CARDS]) + high]
    scores: NDArray[np.int64] = tables.DENSE[int(tables.BASE[ranking, _CARDS]) + place].astype(
        np.int64
    )
    counters = key & np.uint64(0x8888 << 32)
    suited = np.flatnonzero(counters)
    at = (counters[suited] >> np.uint64(35)).astype(np.int64)
    suit = (at >> 4 & 1) + (at >> 8 & 1) * 2 + (at >> 12) * 3
    whole = (boards[suited] | np.uint64(hand)).astype(np.int64)
    scores[suited] = tables.FLUSH[ranking, whole >> 13 * suit & 0x1FFF]
    return scores

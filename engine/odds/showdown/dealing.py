"""Showdowns deal by deal: the arrays that kernels take, and the pieces of work they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine.errors import TextError
from engine.odds.showdown.games import ShowdownRules
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import RANGES_EXAMPLE, Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Job = Callable[["NDArray[np.int64]", "NDArray[np.int64]"], None]
# Pieces of work: at most so many blocks or deals, fewer where each deal has many hands to score.
_BLOCKS_PER_JOB: Final = 32
_DEALS_PER_JOB: Final = 1 << 18
_SCORES_PER_JOB: Final = 1 << 19


def table_of(scenario: Scenario) -> tuple[Any, ...]:
    """The arrays that `kernels.deal` describes, for this scenario."""
    import numpy as np

    from engine.odds.showdown.score_tables import CARD_KEY, WILD_KEY

    rules = scenario.rules
    players = len(scenario.players)
    keys = CARD_KEY.copy()
    bits = np.array([1 << card if card < 52 else 0 for card in range(64)], np.uint64)
    for card in rules.wild:
        keys[card.number] = WILD_KEY
        bits[card.number] = 0
    board = np.zeros(rules.public, np.uint8)
    board[: len(scenario.board)] = [card.number for card in scenario.board]
    holes = np.zeros((players, rules.private), np.uint8)
    held = np.zeros(players, np.int64)
    for seat, cards in enumerate(scenario.known):
        held[seat] = len(cards)
        holes[seat, : len(cards)] = [card.number for card in cards]
    return (
        np.array(sorted(card.number for card in scenario.left), np.uint8),
        board,
        len(scenario.board),
        holes,
        held,
        keys,
        bits,
        _pick_array(rules.hole_picks()),
        _pick_array(rules.board_picks()),
        rules.ranking.code,
        0 if rules.whole_hands else rules.ranking.cards,
        lows_of(rules),
    )


def lows_of(rules: ShowdownRules) -> NDArray[np.uint16]:
    """The table of low hands that kernels take; empty where the pot is not split."""
    from engine.odds.showdown import low_tables

    if not rules.hi_lo:
        return low_tables.no_low_table()
    return low_tables.low_table(rules.usable_private, rules.usable_public)


def _pick_array(picks: list[tuple[int, ...]]) -> NDArray[np.int64]:
    import numpy as np

    array = np.zeros((len(picks), 1 + max(map(len, picks))), np.int64)
    for row, places in enumerate(picks):
        array[row, 0] = len(places)
        array[row, 1 : 1 + len(places)] = places
    return array


def deal_jobs(scenario: Scenario, deals: int, ranked: bool) -> Iterator[tuple[int, Job]]:
    """Every deal of the scenario in pieces, each with how many deals it has."""
    from engine.odds.showdown.kernels import deal as kernels_deal

    table = table_of(scenario)
    size = max(1, min(_DEALS_PER_JOB, _SCORES_PER_JOB // _scores_per_deal(scenario)))
    for first in range(0, deals, size):
        count = min(size, deals - first)

        def job(
            shares: NDArray[np.int64],
            kinds: NDArray[np.int64],
            first: int = first,
            count: int = count,
        ) -> None:
            kernels_deal.enumerate_deals(table, first, count, ranked, shares, kinds)

        yield count, job


def sample_jobs(
    scenario: Scenario, deals: int, seed: int, ranked: bool, lanes: bool | None
) -> Iterator[tuple[int, Job]]:
    """`deals` random deals in pieces. The pieces depend on nothing but the arguments.

    `lanes` asks for the vector kernel (None: where the machine is made for it).
    """
    import numpy as np

    from engine.odds.showdown.kernels.draw import BLOCK

    blocks = _BLOCKS_PER_JOB
    if is_holdem(scenario):
        draw = _holdem_dealer(scenario, ranked, lanes)
    else:
        draw = _any_dealer(scenario, ranked)
        blocks = max(1, min(blocks, _SCORES_PER_JOB // BLOCK // _scores_per_deal(scenario)))
    size = BLOCK * blocks
    stream = np.uint64(seed & (1 << 64) - 1)
    for first in range(0, deals, size):
        count = min(size, deals - first)

        def job(
            shares: NDArray[np.int64],
            kinds: NDArray[np.int64],
            first: int = first // BLOCK,
            count: int = count,
        ) -> None:
            draw(stream, first, count, shares, kinds)

        yield count, job


def _scores_per_deal(scenario: Scenario) -> int:
    rules = scenario.rules
    return len(rules.hole_picks()) * len(rules.board_picks()) * len(scenario.players)


def is_holdem(scenario: Scenario) -> bool:
    """Whether the quick hold'em kernels can deal this scenario."""
    rules = scenario.rules
    return (
        rules.private == rules.usable_private == 2
        and rules.public == rules.usable_public == 5
        and not rules.five_possible
        and not rules.ranking.is_low
        and not rules.hi_lo
    )


_Dealer = Callable[[Any, int, int, "NDArray[np.int64]", "NDArray[np.int64]"], None]


def _holdem_dealer(scenario: Scenario, ranked: bool, lanes: bool | None) -> _Dealer:
    import numpy as np

    from engine.odds.showdown.kernels import sample as kernels_sample

    deck = np.array(sorted(card.number for card in scenario.left), np.uint8)
    absent = np.setdiff1d(np.arange(52, dtype=np.uint8), deck)
    known = np.array([cards.bits for cards in scenario.known], np.uint64)
    with_range = np.array([isinstance(held, Range) for held in scenario.players])
    lacks = np.array([2 - len(cards) for cards in scenario.known], np.int64)
    missing = np.where(with_range, 0, lacks)
    seats = np.where(with_range, np.cumsum(with_range) - 1, -1)
    ranges = _hands_drawn(scenario, deck)
    board = np.uint64(scenario.board.bits)
    short = scenario.rules.ranking.code
    if lanes is None:
        lanes = has_wide_vectors()
    in_lanes = lanes and not short

    def draw(
        seed: Any, first: int, count: int, shares: NDArray[np.int64], kinds: NDArray[np.int64]
    ) -> None:
        dealt = kernels_sample.sample_holdem(
            deck,
            absent,
            known,
            missing,
            seats,
            ranges,
            board,
            short,
            in_lanes,
            seed,
            first,
            count,
            ranked,
            shares,
            kinds,
        )
        _check_dealt(dealt)

    return draw


def _hands_drawn(scenario: Scenario, deck: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
    """The hands of all ranges as `kernels.sample` wants them."""
    import numpy as np

    ranges = [
        scenario.weighed(seat)
        for seat, held in enumerate(scenario.players)
        if isinstance(held, Range)
    ]
    starts = np.cumsum([0, *(len(combos) for combos, _ in ranges)])
    combos = np.array([combo for some, _ in ranges for combo in some], np.uint64)
    has = combos[:, None] >> deck.astype(np.uint64)[None, :] & np.uint64(1)
    first = has.argmax(axis=1).astype(np.uint64)
    second = (len(deck) - 1 - has[:, ::-1].argmax(axis=1)).astype(np.uint64)
    hands = combos | first << np.uint64(52) | second << np.uint64(58)
    even = np.array([len(set(weights)) == 1 for _, weights in ranges], np.bool_)
    drawn = [
        alias_table(weights, begin) for (_, weights), begin in zip(ranges, starts, strict=False)
    ]
    keep = np.array([chance for chances, _ in drawn for chance in chances], np.uint64)
    other = np.array([place for _, places in drawn for place in places], np.uint64)
    return starts, hands, even, keep, other


def alias_table(weights: Sequence[int], begin: int = 0) -> tuple[list[int], list[int]]:
    """Walker's table: for each place a chance in 32 bits to stay there, and where to go else.

    A place that is drawn of all alike and then left by chance is drawn as often as its weight says,
    within 2**-32. Places are counted from `begin`. (M. D. Vose, 1991)
    """
    total, size = sum(weights), len(weights)
    shares = [weight * size for weight in weights]  # of `total` each would fill its place
    keep = [1 << 32] * size
    other = [begin + place for place in range(size)]
    scarce = [place for place in range(size) if shares[place] < total]
    ample = [place for place in range(size) if shares[place] >= total]
    while scarce and ample:
        lacks, gives = scarce.pop(), ample[-1]
        keep[lacks] = (shares[lacks] << 32) // total
        other[lacks] = begin + gives
        shares[gives] -= total - shares[lacks]
        if shares[gives] < total:
            scarce.append(ample.pop())
    return keep, other


def _range_arrays(
    scenario: Scenario,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]:
    """The combos of all ranges, the chance to keep each in 32 bits, and where a player's begin."""
    import numpy as np

    ranges = [
        scenario.weighed(seat) if isinstance(held, Range) else ([], [])
        for seat, held in enumerate(scenario.players)
    ]
    starts = np.cumsum([0, *(len(combos) for combos, _ in ranges)])
    combos = np.array([combo for some, _ in ranges for combo in some], np.uint64)
    # the highest weight once for each range, not once for each hand: there may be 270,725
    tops = [(some, max(some, default=1)) for _, some in ranges]
    chances = np.array(
        [(weight << 32) // top - 1 for some, top in tops for weight in some], np.uint64
    )
    return combos, chances, starts


def _check_dealt(dealt: bool) -> None:
    if not dealt:
        reason = "the ranges almost never leave a hand for everybody"
        raise TextError("", reason, RANGES_EXAMPLE)


def _any_dealer(scenario: Scenario, ranked: bool) -> _Dealer:
    from engine.odds.showdown.kernels import deal as kernels_deal

    table = table_of(scenario)
    combos, chances, starts = _range_arrays(scenario)

    def draw(
        seed: Any, first: int, count: int, shares: NDArray[np.int64], kinds: NDArray[np.int64]
    ) -> None:
        dealt = kernels_deal.sample_deals(
            table, combos, chances, starts, seed, first, count, ranked, shares, kinds
        )
        _check_dealt(dealt)

    return draw


def has_wide_vectors() -> bool:
    """Whether kernels are compiled for the AVX-512 instructions that the vector kernel is made for.

    The container image has them compiled for any processor, whatever this one can do.
    """
    from llvmlite import binding
    from numba import config

    asked: str | None = vars(config)["CPU_FEATURES"]
    if asked is not None:
        return "+avx512vpopcntdq" in asked.split(",")
    try:
        return bool(binding.get_host_cpu_features().get("avx512vpopcntdq", False))
    except RuntimeError:  # a platform that does not tell
        return False

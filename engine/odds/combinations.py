"""The number of a combination in lexicographic order, and back.

Sorted hands of k cards from a deck of n get the numbers 0 ... C(n, k) - 1, so a table with one
entry a hand needs no keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb


def combination_index(cards: Iterable[int], n: int, k: int) -> int:
    """The number of the k-card hand `cards`, card numbers 0 to n - 1 in any order.

    Hands are numbered 0 to C(n, k) - 1 in the lexicographic order of their sorted card numbers:
    {0, 1, ... k-1} is 0. Raises ValueError unless `cards` are k different numbers below n.
    """
    ordered = sorted(cards)
    if len(ordered) != k or len(set(ordered)) != k:
        raise ValueError(f"expected {k} different cards, got {ordered}")
    if ordered and (ordered[0] < 0 or ordered[-1] >= n):
        raise ValueError(f"card numbers are 0 to {n - 1}, got {ordered}")
    # The hands that come after this one: for each place, those that agree before it and are
    # higher there draw their remaining cards from the n - 1 - card numbers above.
    after = sum(comb(n - 1 - card, k - place) for place, card in enumerate(ordered))
    return comb(n, k) - 1 - after


def combination_at(index: int, n: int, k: int) -> tuple[int, ...]:
    """The sorted k-card hand numbered `index`: the inverse of `combination_index`.

    Raises ValueError unless 0 <= index < C(n, k).
    """
    if not 0 <= index < comb(n, k):
        raise ValueError(f"a hand of {k} from {n} is numbered 0 to {comb(n, k) - 1}, not {index}")
    cards = []
    card = 0
    for place in range(k):
        while index >= (starting_here := comb(n - 1 - card, k - 1 - place)):
            index -= starting_here
            card += 1
        cards.append(card)
        card += 1
    return tuple(cards)


def three_of_52_index(a: int, b: int, c: int) -> int:
    """`combination_index((a, b, c), 52, 3)` for 0 <= a < b < c <= 51 as one closed form.

    Source: published with the enumeration of Three Card Poker this project started from, there
    with the cards numbered by `aces_first_number`:
    I = (2652a - 103(a² + a)/2 + a³/3 + a²/2 + a/6)/2 + 52(b - a - 1) - (b² + b - a² - 3a - 2)/2
    + (c - b - 1).
    """
    if not 0 <= a < b < c <= 51:
        raise ValueError(f"expected 0 <= a < b < c <= 51, got {a}, {b}, {c}")
    # Twelve times the first bracket's half, so that every division is exact.
    before_a = (6 * 2652 * a - 3 * 103 * (a * a + a) + 2 * a**3 + 3 * a * a + a) // 12
    before_b = 52 * (b - a - 1) - (b * b + b - a * a - 3 * a - 2) // 2
    return before_a + before_b + (c - b - 1)


def aces_first_number(rank: int, suit: int) -> int:
    """The card's number where 0-3 are the aces ♠♦♣♥ and 48-51 the deuces in the same suit order.

    `rank` 0 (deuce) to 12 (ace); `suit` 0 to 3 for ♣♦♥♠, as in `engine.cards`.
    """
    return 4 * (12 - rank) + (2, 1, 3, 0)[suit]

"""Fair deals: turn a secret seed into a deck order, and the commitment shown before the bidding.

The byte layout is frozen for ever (docs/fair-deals.md). Version 2, to which players contribute, is
in `cutting` and shares `arrange`. Version 1 is

- stream: block `i` is HMAC-SHA-256 with the 32-byte seed as key over the ASCII text
  `bluffhouse/shuffle/1` followed by `i` as eight bytes, big-endian, from 0; the blocks are cut into
  32-bit words, big-endian;
- number below n: take the next word below the largest multiple of n up to 2**32, modulo n;
- shuffle: Fisher-Yates from the last position down to the second, each swapped with the position
  given by the next number below (position + 1), positions from 0;
- first opener: the stream's next number below the number of players.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.cards import Card

VERSION: Final = 1
SEED_BYTES: Final = 32
_DOMAIN: Final = b"bluffhouse/shuffle/1"
_WORDS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A shuffled deck's `order`, and the index of a player drawn at random after the shuffle."""

    order: tuple[Card, ...]
    drawn: int


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed as 64 hexadecimal digits, shown before the bidding."""
    return hashlib.sha256(seed).hexdigest()


def shuffle(seed: bytes, deck: tuple[Card, ...], players: int) -> Shuffled:
    """Return the order in which `deck` is dealt, and a number below `players` drawn after it.

    Raises ValueError for a seed that is not 32 bytes long.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return arrange(_stream(seed), deck, players)


def arrange(words: Iterator[int], deck: tuple[Card, ...], players: int) -> Shuffled:
    """Return a shuffle of `deck` and a drawn player, by the random 32-bit numbers `words`.

    The player is drawn after the shuffle.
    """
    order = list(deck)
    for position in range(len(order) - 1, 0, -1):
        swapped = _below(position + 1, words)
        order[position], order[swapped] = order[swapped], order[position]
    return Shuffled(tuple(order), _below(players, words))


def _stream(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from words_of(hmac.digest(seed, _DOMAIN + block.to_bytes(8, "big"), "sha256"))
        block += 1


def words_of(block: bytes) -> Iterator[int]:
    """Yield the 32-bit words of a stream's block, read as big-endian numbers."""
    for at in range(0, len(block), 4):
        yield int.from_bytes(block[at : at + 4], "big")


def _below(bound: int, words: Iterator[int]) -> int:
    fair = _WORDS - _WORDS % bound
    return next(word for word in words if word < fair) % bound

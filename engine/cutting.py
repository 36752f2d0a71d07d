"""Cutting the cards: version 2 of the deal, which no single person can choose.

A dealer at a real table has somebody else cut the cards. Here players cut with words that they type
after the seals of all rounds are fixed, and the deal is made from the round's secret seed and those
words together. The byte layout is frozen for ever (docs/fair-deals.md):

- chain: a secret root of 32 bytes, hashed again and again with SHA-256; the seed of round r is the
root hashed `ROUNDS` - r times. The seal of a round is the SHA-256 of its seed, so it is also the
seed of the round before, and the seal of the first round fixes all other seals;
- digest of a cut: SHA-256 of the ASCII text `bluffhouse/cut/2`, the number of bytes of the text as
four bytes, big-endian, and the text in UTF-8;
- key: SHA-256 of `bluffhouse/deal/2`, the seed, the number of cuts as four bytes, big-endian, and
the digests of the cuts in the order of cutting;
- stream: block `i` is SHA-256 of `bluffhouse/stream/2`, the key, and `i` as eight bytes,
big-endian, from 0; the shuffle and the draw are made from it as in version 1 (`shuffle`).

The key is made without the players' names, and from the texts' digests only. So the names and the
texts may be deleted, and the deal can still be checked.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.errors import TextError
from engine.shuffle import SEED_BYTES, Shuffled, arrange, words_of
from engine.visible import visible

VERSION: Final = 2
ROUNDS: Final = 1000  # seeds in a chain; no match is longer (54 cards in play, 10 players: 550)
LONGEST_CUT: Final = 32  # characters
CUT_EXAMPLE: Final = "purple giraffe 7"
_CUT: Final = b"bluffhouse/cut/2"
_DEAL: Final = b"bluffhouse/deal/2"
_STREAM: Final = b"bluffhouse/stream/2"
# invisible marks that choose how the character before them is drawn
_SELECTORS: Final = frozenset(
    chr(code)
    for first, last in ((0x34F, 0x34F), (0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
)


class CutTextError(TextError):
    """A text that cannot cut the cards.

    If it is too long, `longest` is the number of characters allowed. If it has no visible
    character, `longest` is None.
    """

    def __init__(self, text: str, longest: int | None = None) -> None:
        reason = (
            "That looks empty" if longest is None else f"That is longer than {longest} characters"
        )
        super().__init__(text, reason, CUT_EXAMPLE)
        self.longest = longest


@dataclass(frozen=True, slots=True)
class Cut:
    """A seat's cut: the text its player typed, and the digest that the deal is made from.

    `text` is None if it has been deleted.
    """

    seat: int
    digest: str  # 64 hexadecimal digits
    text: str | None

    @property
    def genuine(self) -> bool:
        """Whether `digest` is the digest of `text`; True if the text has been deleted."""
        return self.text is None or cut_digest(self.text) == self.digest


def cut(seat: int, text: str) -> Cut:
    """Return the cut of `seat` with `text`, which must come from `read_cut`."""
    return Cut(seat, cut_digest(text), text)


def read_cut(typed: str) -> str:
    """Return the words that a player typed to cut the cards, cleaned up for showing and hashing.

    The result is one line in Unicode's normal form NFKC, without invisible characters. A grave
    accent becomes an apostrophe, since it would end the code span in which the text is shown.
    Raises `CutTextError` if the result is longer than `LONGEST_CUT` or has no visible character.
    """
    shown_text = visible(typed, 8 * LONGEST_CUT).replace("`", "'")
    text = " ".join("".join(char for char in shown_text if char not in _SELECTORS).split())
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        raise CutTextError(typed)
    if len(text) > LONGEST_CUT:
        raise CutTextError(typed, LONGEST_CUT)
    return text


def cut_digest(text: str) -> str:
    """Return the digest of a cut's `text`, as 64 hexadecimal digits."""
    encoded = text.encode()
    return hashlib.sha256(_CUT + len(encoded).to_bytes(4, "big") + encoded).hexdigest()


def round_seed(root: bytes, number: int) -> bytes:
    """Return the secret seed of round `number`, from 1, of the chain with this root.

    Raises ValueError if the root is not 32 bytes long or `number` is not 1 to `ROUNDS`.
    """
    if len(root) != SEED_BYTES:
        raise ValueError(f"a root has {SEED_BYTES} bytes, not {len(root)}")
    if not 1 <= number <= ROUNDS:
        raise ValueError(f"a chain has seeds for the rounds 1 to {ROUNDS}, not for {number}")
    seed = root
    for _ in range(ROUNDS - number):
        seed = hashlib.sha256(seed).digest()
    return seed


def cut_shuffle(
    seed: bytes, digests: Sequence[str], deck: tuple[Card, ...], players: int
) -> Shuffled:
    """Return the order in which `deck` is dealt, and a number below `players` drawn after it.

    `digests` are the cuts' digests in hexadecimal, in the order of cutting. Raises ValueError for a
    seed or a digest that is not 32 bytes long.
    """
    cuts = [bytes.fromhex(digest) for digest in digests]
    for part in (seed, *cuts):
        if len(part) != SEED_BYTES:
            raise ValueError(f"a seed or digest has {SEED_BYTES} bytes, not {len(part)}")
    count = len(cuts).to_bytes(4, "big")
    key = hashlib.sha256(_DEAL + seed + count + b"".join(cuts)).digest()
    return arrange(_stream(key), deck, players)


def _stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from words_of(hashlib.sha256(_STREAM + key + block.to_bytes(8, "big")).digest())
        block += 1

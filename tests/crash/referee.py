"""Judge every stored match by the rules alone: `tests.naive`, and docs/fair-deals.md for deals.

Nothing here calls the engine or the bot.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from tests.crash.ledger import MatchRow, Row
from tests.naive import Referee, Refused

SYMBOLS: Final = dict(zip("cdhs", "♣♦♥♠", strict=True))
RANKS: Final = "23456789TJQKA"
DECKS: Final = {"thai_poker": "9TJQKA", "liars_poker": RANKS}
FOR_EVER: Final = float("inf")


@dataclass
class Round:
    """A dealt round; times in milliseconds. `hands` has natural cards, written as on screens."""

    match: int
    table: int
    number: int
    dealt_at: float
    commitment: str
    hands: dict[int, frozenset[str]]  # by player
    pool: frozenset[str]
    ended_at: float = FOR_EVER


@dataclass
class JudgedMatch:
    """A match as the rules judge it.

    `broken` has a sentence for each broken rule, `unsealed` one for each deal that doesn't
    match its seal. `places`: each player's place and the number of rounds dealt until they
    left.
    """

    row: MatchRow
    rounds: list[Round] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    unsealed: list[str] = field(default_factory=list)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)  # place, rounds dealt
    winner: int | None = None  # the player
    turn: int | None = None  # the player to act; None between rounds
    dropped: bool = False


def card(number: int) -> str:
    """Return the name in `tests.naive` of the card that is stored as `number`."""
    return "*" if number >= 52 else RANKS[number % 13] + "cdhs"[number // 13]


def card_on_screen(name: str) -> str:
    """Return a natural card as screens show it, from its name in `tests.naive`."""
    return ("10" if name[0] == "T" else name[0]) + SYMBOLS[name[1]]


def naturals(cards: Iterable[str]) -> frozenset[str]:
    """Return the natural cards among `cards`, as screens show them."""
    return frozenset(card_on_screen(name) for name in cards if name != "*")


def judge_match(row: MatchRow, log: list[Row], seeds: dict[int, bytes]) -> JudgedMatch:
    """Judge a match's log by the rules, up to the first action that is missing or illegal.

    `seeds` has each round's seed by the round's number.
    """
    result = JudgedMatch(row)
    referee = Referee(row.variant, row.options, len(row.players), row.opener)
    deals: list[dict[str, Any]] = []
    left: list[tuple[int, int]] = []  # seat and rounds dealt, in the order of leaving
    for position, (_, seq, text, _, at, _) in enumerate(log, 1):
        body = json.loads(text)
        if seq != position:
            result.broken.append(f"match {row.id}: the log has no action {position}")
            break
        live = list(referee.live)
        try:
            play(referee, body)
        except (Refused, KeyError, IndexError) as refused:
            result.broken.append(f"match {row.id}, action {seq}: {body['kind']} {refused!r}")
            break
        result.dropped |= body.get("cause") == "dropped"
        if body["kind"] == "deal":
            deals.append(body)
            result.unsealed += _deal_violations(row, body, len(deals), len(live), seeds, deals)
            hands = {row.players[seat]: naturals(cards) for seat, cards in referee.hands.items()}
            pool = naturals(referee.pool())
            number = len(deals)
            result.rounds.append(
                Round(row.id, row.table, number, at, body["commitment"], hands, pool)
            )
        elif referee.turn is None and result.rounds and result.rounds[-1].ended_at == FOR_EVER:
            result.rounds[-1].ended_at = at
        left += [(seat, len(deals)) for seat in live if seat not in referee.live]
    if referee.winner is not None:
        result.winner = row.players[referee.winner]
        left.append((referee.winner, len(deals)))
        for place, (seat, rounds) in enumerate(reversed(left), 1):
            result.places[row.players[seat]] = (place, rounds)
    if referee.turn is not None:
        result.turn = row.players[referee.turn]
    return result


def play(referee: Referee, body: Mapping[str, Any]) -> None:
    """Play a stored action. Raises `Refused`, or KeyError or IndexError if its fields don't fit."""
    match body["kind"]:
        case "deal":
            referee.deal([card(number) for number in body["order"]], body["drawn"])
        case "bid":
            referee.bid(body["seat"], body["bid"])
        case "challenge":
            referee.challenge(body["seat"])
        case "forfeit":
            referee.forfeit(body["seat"])
        case other:
            raise Refused(other)


# -- docs/fair-deals.md, version 2 -----------------------------------------------------------------


def _deal_violations(
    row: MatchRow,
    body: dict[str, Any],
    number: int,
    live: int,
    seeds: dict[int, bytes],
    deals: list[dict[str, Any]],
) -> Iterator[str]:
    """Describe what is wrong with a deal, a sentence each."""
    where = f"match {row.id}, round {number}"
    seed = seeds.get(number)
    if seed is None:
        yield f"{where}: its seed is not stored"
        return
    if sha256(seed).hexdigest() != body["commitment"]:
        yield f"{where}: the seed does not have the seal"
    before = seeds.get(number - 1)
    if number > 1 and before is not None and before.hex() != body["commitment"]:
        yield f"{where}: the seal is not the seed of the round before"
    cuts = body.get("cuts", [])
    for cut in cuts:
        words = (cut["text"] or "").encode()
        digest = sha256(b"bluffhouse/cut/2" + len(words).to_bytes(4, "big") + words)
        if cut["text"] is not None and digest.hexdigest() != cut["digest"]:
            yield f"{where}: a cut is not of its words"
    if body["shuffle"] != 2:
        yield f"{where}: a deal of version {body['shuffle']}"
        return
    order, drawn = deal_order(seed, [cut["digest"] for cut in cuts], deck(row), live)
    if ([card(number) for number in body["order"]], body["drawn"]) != (order, drawn):
        yield f"{where}: the cards were not dealt as they were sealed"


def deck(row: MatchRow) -> list[str]:
    """Return the cards of a match's game before they are shuffled."""
    cards = [rank + suit for suit in "cdhs" for rank in DECKS[row.variant]]
    jokers = int(row.options.get("jokers", 2)) if row.variant == "liars_poker" else 0
    return cards + ["*"] * jokers


def deal_order(
    seed: bytes, digests: list[str], cards: list[str], players: int
) -> tuple[list[str], int]:
    """Compute a deal from a seed and the cuts' hexadecimal digests.

    `cards` is the deck before the shuffle. Return the deck's order after it, and the drawn opener's
    index among the `players` who are still in.
    """
    joined = b"".join(bytes.fromhex(digest) for digest in digests)
    key = sha256(b"bluffhouse/deal/2" + seed + len(digests).to_bytes(4, "big") + joined).digest()
    stream = _words(key)

    def below(bound: int) -> int:
        return next(word for word in stream if word < 2**32 - 2**32 % bound) % bound

    cards = list(cards)
    for last in range(len(cards) - 1, 0, -1):
        swap = below(last + 1)
        cards[last], cards[swap] = cards[swap], cards[last]
    return cards, below(players)


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        output = sha256(b"bluffhouse/stream/2" + key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(output[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1

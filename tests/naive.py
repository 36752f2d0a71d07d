"""An oracle for the rules of both games: slow, readable, written from docs/rules.md alone.

Cards are texts ("8c", "*" for a joker), and bids are keys. The oracle imports nothing from the
engine, so it can't share the engine's mistakes. There are three parts: `holds` judges a bid by
trying every concrete set of cards it describes, `strength` orders bids, and `Referee` plays whole
matches. `RULES` has each game's own rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "cdhs"
THAI_RANKS = "9TJQKA"
JOKER = "*"
EVERY_CARD = tuple(rank + suit for rank, suit in product(RANKS, SUITS))


# --- judging ------------------------------------------------------------------------------------


@cache
def hands_of(
    key: str, flush_card: str = "in_play", suit_ranks: str = THAI_RANKS
) -> tuple[tuple[str, ...], ...]:
    """Return every concrete set of cards that makes the bid `key` hold, each as a tuple.

    `flush_card` says whether a flush needs its named card somewhere ("in_play") or as its highest
    ("highest"). `suit_ranks` are the ranks of a suit if a flush is bid by its suit alone. A fifth
    card of a rank is written as a second copy of one of the four: no deck has it, so only a joker
    can stand for it.
    """
    kind, _, named = key.partition(":")
    return tuple(_hands(kind, named, flush_card, suit_ranks))


def _hands(kind: str, named: str, flush_card: str, suit_ranks: str) -> Iterator[tuple[str, ...]]:
    match kind:
        case "high_card" | "pair" | "three" | "four":
            count = {"high_card": 1, "pair": 2, "three": 3, "four": 4}[kind]
            yield from combinations(_of_rank(named), count)
        case "five":
            four = _of_rank(named)
            yield from ((*four, copy) for copy in four)
        case "two_pair" | "full_house":
            first, second = named.split(",")
            many = 3 if kind == "full_house" else 2
            for these, those in product(
                combinations(_of_rank(first), many), combinations(_of_rank(second), 2)
            ):
                yield these + those
        case "straight":
            yield from product(*(_of_rank(rank) for rank in _straight(named)))
        case "flush" if len(named) == 2:  # Liars' Poker: the named card and four more of its suit
            rank, suit = named[0], named[1]
            others = [second + suit for second in RANKS if second != rank]
            if flush_card == "highest":
                others = [card for card in others if RANKS.index(card[0]) < RANKS.index(rank)]
            yield from ((named, *four) for four in combinations(others, 4))
        case "flush":
            yield from combinations([rank + named for rank in suit_ranks], 5)
        case "straight_flush" if len(named) == 2:
            yield tuple(rank + named[1] for rank in _straight(named[0]))
        case "straight_flush":
            yield tuple(rank + named for rank in "9TJQK")
            yield tuple(rank + named for rank in "TJQKA")
        case "royal_flush":
            yield tuple(rank + named for rank in "TJQKA")
        case _:
            raise ValueError(f"no rule for {kind}")


def _of_rank(rank: str) -> list[str]:
    return [rank + suit for suit in SUITS]


def _straight(top: str) -> str:
    at = ("A" + RANKS).index(top, 1)
    return ("A" + RANKS)[at - 4 : at + 1]


def holds(
    key: str, pool: Iterable[str], flush_card: str = "in_play", suit_ranks: str = THAI_RANKS
) -> bool:
    """Return whether the pool has the bid's cards, with a joker for each card that is missing."""
    cards = set(pool) - {JOKER}
    jokers = sum(card == JOKER for card in pool)
    return any(_missing(cards, hand) <= jokers for hand in hands_of(key, flush_card, suit_ranks))


def _missing(cards: set[str], hand: tuple[str, ...]) -> int:
    """Return how many cards of `hand` are missing from `cards`; a second copy is always missing."""
    return len(hand) - len(cards.intersection(hand))


def holds_trying_every_joker(key: str, pool: Iterable[str], flush_card: str = "in_play") -> bool:
    """Return the same as `holds`, by trying every joker as every card."""
    naturals = [card for card in pool if card != JOKER]
    jokers = sum(card == JOKER for card in pool)
    counts = [Counter(hand) for hand in hands_of(key, flush_card)]
    return any(
        counted <= Counter([*naturals, *played])
        for played in product(EVERY_CARD, repeat=jokers)
        for counted in counts
    )


# --- order --------------------------------------------------------------------------------------

LIARS_KINDS = [
    *("high_card", "pair", "two_pair", "three", "flush", "straight"),
    *("full_house", "four", "straight_flush", "five"),
]
THAI_KINDS = [
    *("high_card", "pair", "straight", "three", "full_house", "flush"),
    *("four", "straight_flush", "royal_flush"),
]


def liars_keys(jokers: int) -> list[str]:
    """Return the keys of all bids of Liars' Poker, in no particular order.

    Without jokers, there are no bids of five of a kind.
    """
    keys = [f"{kind}:{rank}" for kind in ("high_card", "pair", "three", "four") for rank in RANKS]
    keys += [f"two_pair:{a},{b}" for a in RANKS for b in RANKS if RANKS.index(a) > RANKS.index(b)]
    keys += [f"flush:{rank}{suit}" for rank in "6789TJQKA" for suit in SUITS]
    keys += [f"straight:{top}" for top in "56789TJQKA"]
    keys += [f"full_house:{a},{b}" for a in RANKS for b in RANKS if a != b]
    keys += [f"straight_flush:{top}{suit}" for top in "56789TJQKA" for suit in SUITS]
    return keys + [f"five:{rank}" for rank in RANKS if jokers]


def thai_keys() -> list[str]:
    """Return the keys of all bids of Thai Poker, in no particular order."""
    kinds = ("high_card", "pair", "three", "four")
    keys = [f"{kind}:{rank}" for kind in kinds for rank in THAI_RANKS]
    keys += ["straight:K", "straight:A"]
    keys += [f"full_house:{a},{b}" for a in THAI_RANKS for b in THAI_RANKS if a != b]
    return keys + [
        f"{kind}:{suit}" for kind in ("flush", "straight_flush", "royal_flush") for suit in SUITS
    ]


def strength(key: str, kinds: list[str], *, suits_ranked: bool) -> tuple[Any, ...]:
    """Return a bid's sorting key: kind, then the named ranks, then the suit if suits are ranked."""
    kind, _, named = key.partition(":")
    ranks = tuple(RANKS.index(char) for char in named if char in RANKS)
    suit = tuple(SUITS.index(char) for char in named if char in SUITS) if suits_ranked else ()
    return (kinds.index(kind), ranks, suit)


# --- whole matches ------------------------------------------------------------------------------


class Refused(Exception):
    """An action that the rules don't allow."""


@dataclass(frozen=True)
class Rules:
    """The rules that only one game has.

    `keys(options)` returns all bids, in no particular order. `starting_cards(players)` returns
    how many cards each player begins with. `most_cards(options, players)` returns the most
    cards that one player may hold. `suit_ranks`: see `hands_of`.
    """

    kinds: list[str]
    keys: Callable[[dict[str, Any]], list[str]]
    suits_ranked: bool
    starting_cards: Callable[[int], int]
    most_cards: Callable[[dict[str, Any], int], int]
    suit_ranks: str = THAI_RANKS


def _thai_most_cards(options: dict[str, Any], players: int) -> int:
    if players == 2:
        return int(options.get("two_player_limit", 6))
    return {3: 6, 4: 5, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 2}[players]


RULES = {
    "liars_poker": Rules(
        kinds=LIARS_KINDS,
        keys=lambda options: liars_keys(options.get("jokers", 2)),
        suits_ranked=False,
        starting_cards=lambda players: 2,
        most_cards=lambda options, players: 5,
    ),
    "thai_poker": Rules(
        kinds=THAI_KINDS,
        keys=lambda options: thai_keys(),
        suits_ranked=True,
        starting_cards=lambda players: 3 if players == 2 else 2 if players <= 4 else 1,
        most_cards=_thai_most_cards,
    ),
}


class Referee:
    """A match kept in dictionaries by seat.

    `deal`, `bid`, `challenge` and `forfeit` play one action or raise `Refused`.
    """

    def __init__(
        self, variant: str, options: dict[str, Any], players: int, opener: int | None
    ) -> None:
        self.rules, self.options, self.players = RULES[variant], options, players
        self.length = options.get("length", "whole")
        each = self.rules.starting_cards(players)
        if self.length == "one_more":
            each = min(each + 1, self.rules.most_cards(options, players))
        self.cards = dict.fromkeys(range(players), each)
        self.tied = False  # the live players play on to decide who wins
        self.live = list(range(players))
        self.opener = opener
        self.hands: dict[int, list[str]] = {}
        self.middle: list[str] = []
        self.bids: list[tuple[int, str]] = []
        self.turn: int | None = None  # None between rounds
        self.winner: int | None = None
        self.strengths = {
            key: strength(key, self.rules.kinds, suits_ranked=self.rules.suits_ranked)
            for key in self.rules.keys(options)
        }

    def next_live(self, seat: int) -> int:
        """Return the next live seat clockwise after `seat`."""
        higher = [rival for rival in self.live if rival > seat]
        return higher[0] if higher else self.live[0]

    def deal(self, order: list[str], drawn: int) -> None:
        """Deal one card at a time from the opener to the left, the middle hand last.

        In the first round without a given opener, `drawn` is the opener's place among `live`.
        """
        if self.winner is not None or self.turn is not None:
            raise Refused
        if self.opener is None:
            self.opener = self.live[drawn]
        stack = list(order)
        self.hands = {seat: [] for seat in self.live}
        while any(len(self.hands[seat]) < self.cards[seat] for seat in self.live):
            seat = self.opener
            for _ in self.live:
                if len(self.hands[seat]) < self.cards[seat]:
                    self.hands[seat].append(stack.pop(0))
                seat = self.next_live(seat)
        self.middle = []
        if self.options.get("middle_hand"):
            size = max(self.cards[seat] for seat in self.live)
            self.middle = [stack.pop(0) for _ in range(size)]
        self.bids, self.turn = [], self.opener

    def pool(self) -> list[str]:
        """Return all cards dealt in the round, including the cards of players who forfeited."""
        return [card for cards in self.hands.values() for card in cards] + self.middle

    def bid(self, seat: int, key: str) -> None:
        """Bid `key`. Raises `Refused` out of turn, or if the bid is invalid or not higher."""
        if self.winner is not None or seat != self.turn or key not in self.strengths:
            raise Refused
        if self.bids and self.strengths[key] <= self.strengths[self.bids[-1][1]]:
            raise Refused
        self.bids.append((seat, key))
        self.turn = self.next_live(seat)

    def challenge(self, seat: int) -> None:
        """Challenge the standing bid; the challenger or the bidder loses the round.

        Raises `Refused` between rounds, without a standing bid, and for a player who may not
        challenge.
        """
        if self.winner is not None or self.turn is None or not self.bids:
            raise Refused
        bidder, key = self.bids[-1]
        anyone = self.options.get("challengers") == "anyone"
        if seat not in self.live or seat == bidder or (seat != self.turn and not anyone):
            raise Refused
        flush_card = self.options.get("flush_card", "in_play")
        held = holds(key, self.pool(), flush_card, self.rules.suit_ranks)
        loser = seat if held else bidder
        self.opener = loser
        if loser in self.live:
            count = len(self.live)
            if self.options.get("limit_counts") == "starting":
                count = self.players
            if self.tied or self.cards[loser] + 1 > self.rules.most_cards(self.options, count):
                self.live.remove(loser)
                if self.length == "first_out":
                    self.tied = True
                    fewest = min(self.cards[seat] for seat in self.live)
                    self.live = [seat for seat in self.live if self.cards[seat] == fewest]
            else:
                self.cards[loser] += 1
        if loser not in self.live:
            self.opener = self.next_live(loser)
        self.turn = None
        self._crown()

    def forfeit(self, seat: int) -> None:
        """Put a player out at once; a turn or the right to open passes to the left.

        Raises `Refused` if the player is out already, or the match is over.
        """
        if self.winner is not None or seat not in self.live:
            raise Refused
        self.live.remove(seat)
        if self.turn == seat:
            self.turn = self.next_live(seat)
        if self.opener == seat:
            self.opener = self.next_live(seat)
        self._crown()

    def _crown(self) -> None:
        if len(self.live) == 1:
            self.winner, self.turn = self.live[0], None
            self.opener = self.winner

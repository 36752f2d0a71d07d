"""A scenario: the rules, what each player is known to hold, the board so far, the dead cards.

Checked once when it is made; the kernels then trust it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from engine.cards import CARDS_EXAMPLE, MAX_JOKERS, Card, Cards, cards_in_order
from engine.errors import TextError
from engine.odds.showdown.games import HOLDEM, NO_CARDS, ShowdownRules
from engine.odds.showdown.ranges import Range, looks_like_range

Holding = Cards | Range
PLAYERS_EXAMPLE: Final = '"ad,8d" "ah,2d" (an empty text for a player whose cards are unknown)'
RANGES_EXAMPLE: Final = '"QQ+" "AKs, JJ"'
NO_HAND_FOR_ALL: Final = "the ranges and known cards leave no hand for everybody"
MOST_PLAYERS: Final = 60
_MOST_STEPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """One question. Each of `players` holds cards (none, some or all known) or a range of hands.

    `dealt` is the board in the order in which it was dealt, where that is known.

    Raises `TextError` if a card is held twice or is not in the pack, if somebody holds more cards
    than the rules deal, or if the pack has too few cards for everybody.
    """

    rules: ShowdownRules
    players: tuple[Holding, ...]
    board: Cards = NO_CARDS
    dead: Cards = NO_CARDS
    dealt: tuple[Card, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MOST_PLAYERS:
            reason = f"expected 1 to {MOST_PLAYERS} players, got {len(self.players)}"
            raise TextError("", reason, PLAYERS_EXAMPLE)
        most = self.rules.most_players
        if most is not None and len(self.players) > most:
            reason = f"Omaha is for at most {most} players, got {len(self.players)}"
            raise TextError("", reason, 'ten hands, or "AsAhKsKh" against 9 unknown ones')
        self._check_counts()
        self._check_pack()
        if not self.has_deal():
            raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)

    def _check_counts(self) -> None:
        rules = self.rules
        if len(self.board) > rules.public:
            reason = f"{len(self.board)} public cards are given, the rules have {rules.public}"
            raise TextError(str(self.board), reason, '"9c 2d 2h" where five cards are public')
        for holding in self.players:
            if isinstance(holding, Range):
                if holding.private != rules.private:
                    reason = (
                        f"the hands of a range have another number of cards than the"
                        f" {rules.private} that these rules deal"
                    )
                    raise TextError(holding.text, reason, '"QQ+" in hold\'em, "AA**" in Omaha')
            elif len(holding) > rules.private:
                reason = f"a player has {len(holding)} cards, the rules deal {rules.private}"
                raise TextError(str(holding), reason, PLAYERS_EXAMPLE)

    def _check_pack(self) -> None:
        seen = Cards()
        for cards in (self.board, self.dead, *self.known):
            twice = seen & cards
            if twice:
                reason = f"{next(iter(twice))} is given twice"
                raise TextError(str(cards), reason, PLAYERS_EXAMPLE)
            seen |= cards
        strange = seen - self.rules.deck
        if strange:
            card = next(iter(strange))
            if card.is_joker:
                reason = f"the pack has {self.rules.jokers} jokers, more are given"
                raise TextError(str(seen), reason, '"Ah Kd" in a pack without jokers')
            reason = f"{card} is not in the pack of {len(self.rules.deck)} cards"
            raise TextError(str(seen), reason, "sixes to aces for short deck")
        wanted = len(self.players) * self.rules.private + self.rules.public + len(self.dead)
        if wanted > len(self.rules.deck):
            reason = (
                f"{len(self.players)} players need {wanted} cards with the board and the dead ones,"
                f" the pack has {len(self.rules.deck)}"
            )
            raise TextError("", reason, "ten players of Omaha are 45 cards")

    @property
    def in_order(self) -> tuple[Card, ...]:
        """The board in the order in which it was dealt, as far as that is known."""
        return self.dealt if Cards.of(self.dealt) == self.board else tuple(self.board)

    @property
    def known(self) -> tuple[Cards, ...]:
        """Per player the cards known for certain; none for a range."""
        return tuple(Cards() if isinstance(held, Range) else held for held in self.players)

    @property
    def left(self) -> Cards:
        """The cards that may still be dealt, those of ranges among them."""
        gone = self.board.bits | self.dead.bits
        for held in self.players:
            if not isinstance(held, Range):
                gone |= held.bits
        return Cards(self.rules.deck.bits & ~gone)

    def combos(self, seat: int) -> list[int]:
        """The combos of the range in that seat that are still possible, as bits, sorted."""
        return self.weighed(seat)[0]

    def weighed(self, seat: int) -> tuple[list[int], list[int]]:
        """The same, and what each of them weighs."""
        holding = self.players[seat]
        assert isinstance(holding, Range)
        gone = ~self.left.bits
        if not holding.weights:
            left = [combo for combo in holding.bits if not combo & gone]
            return left, [1] * len(left)
        pairs = zip(holding.bits, holding.weights, strict=True)
        weighed = [(combo, weight) for combo, weight in pairs if not combo & gone]
        return [combo for combo, _ in weighed], [weight for _, weight in weighed]

    def has_deal(self) -> bool:
        """Whether the ranges leave every player a hand, as far as a short search tells.

        What it lets through is found out when nothing can be dealt.
        """
        ranges = [held.bits for held in self.players if isinstance(held, Range)]
        return _disjoint(sorted(ranges, key=len), ~self.left.bits, 0, count(1))


def _disjoint(ranges: list[tuple[int, ...]], gone: int, taken: int, steps: Iterator[int]) -> bool:
    """Whether every range can give a combo; doubtful cases, after many steps, pass as true.

    The first that fits will do, so of a large range hardly anything is looked at.
    """
    if not ranges:
        return True
    for combo in ranges[0]:
        if combo & gone:
            continue
        if next(steps) > _MOST_STEPS:
            return True
        if not combo & taken and _disjoint(ranges[1:], gone, taken | combo, steps):
            return True
    return False


def parse_scenario(
    players: Sequence[str],
    board: str = "",
    dead: str = "",
    rules: ShowdownRules = HOLDEM,
) -> Scenario:
    """A scenario from texts: cards ("ad,8d"), a range ("QQ+") or "" for each player.

    Every `*` anywhere is a further joker. Raises `TextError`.
    """
    jokers = _Jokers()
    shown, gone = jokers.numbered(board), jokers.numbered(dead)
    dealt = () if shown.jokers else cards_in_order(board)
    held = [
        Range.parse(text, rules)
        if looks_like_range(text, rules)
        else jokers.numbered(text.strip().strip("?-"))
        for text in players
    ]
    return Scenario(rules, tuple(held), shown, gone, dealt)


class _Jokers:
    """Gives the jokers of one text after the other their numbers."""

    def __init__(self) -> None:
        self.used = 0

    def numbered(self, text: str) -> Cards:
        cards = Cards.parse(text)
        if self.used + cards.jokers > MAX_JOKERS:
            raise TextError(text, f"there are at most {MAX_JOKERS} jokers", CARDS_EXAMPLE)
        first, self.used = self.used, self.used + cards.jokers
        return cards.naturals | Cards.of(map(Card.joker, range(first, self.used)))

"""What the cards to come do: outs, what each next card makes of the pot, and street by street.

A player is ahead if their part of the pot would be the largest if the hands were shown now. An out
is a next card that puts a player ahead who is not ahead yet; whether that lasts to the end is what
`next_cards` tells, in shares of the pot after each card that can come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from engine.cards import Card, Cards, Rank, Suit, rank_bits
from engine.errors import Reason, TextError
from engine.odds.showdown.counting import cheapest
from engine.odds.showdown.equity import Effort, Showdown, showdown_odds
from engine.odds.showdown.evaluator import NO_LOW, best_low, raw_score
from engine.odds.showdown.games import ShowdownRules
from engine.odds.showdown.scenario import Scenario

NEXT_EXAMPLE: Final = '--game holdem -p "9h 8h 2c" AhKh 9c9d --next'
_SAMPLED_DEALS: Final = 20_000  # for each next card that cannot be counted
_FLOP: Final = 3
_SUIT_BITS: Final = 0x1FFF
STREETS: Final = ("preflop", "flop", "turn", "river")
STREET_CARDS: Final = (0, 3, 4, 5)
"""How many board cards there are on each street."""


@dataclass(frozen=True, slots=True)
class NextCard:
    """A card that can come next, and what the pot is then worth to each player.

    `deals` are those of the question in which it comes next, with this card's board.
    """

    card: Card
    values: tuple[Fraction, ...]
    deals: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Outs:
    """One player's next cards: `wins` put them ahead, `ties` beside the best; both not so yet."""

    ahead: bool
    wins: Cards
    ties: Cards


@dataclass(frozen=True, slots=True)
class OutGroup:
    """Some outs that have a suit or a rank in common; neither where a card stands for itself."""

    cards: Cards
    suit: Suit | None = None
    rank: Rank | None = None


def has_next_card(scenario: Scenario) -> bool:
    """Whether there is a flop and another board card to come."""
    return _FLOP <= len(scenario.board) < scenario.rules.public


def check_next(scenario: Scenario) -> None:
    """Raise `TextError` unless there is a flop and another board card to come."""
    if not has_next_card(scenario):
        reason = Reason(
            "the next card takes at least three board cards and one to come, not {given} of {most}",
            given=len(scenario.board),
            most=scenario.rules.public,
        )
        raise TextError(str(scenario.board), reason, NEXT_EXAMPLE)


def check_streets(scenario: Scenario) -> None:
    """Raise `TextError` unless the game has five board cards."""
    if scenario.rules.public != STREET_CARDS[-1]:
        reason = Reason("street by street works only with a five-card board")
        raise TextError("", reason, "--game holdem --streets")


def next_cards(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[NextCard, ...]:
    """What every card that can come next makes of the pot, by suit and rank from the ace down.

    Exact if all of it can be counted in `effort.seconds`, else each card is sampled. Raises
    `TextError` unless three board cards are dealt and another is to come.
    """
    check_next(scenario)
    after = [(card, one) for card in scenario.left if (one := _with(scenario, card)) is not None]
    effort = replace(effort, ranked=False)
    if effort.exact is None and effort.deals is None and effort.error is None:
        plans = [cheapest(one) for _, one in after]
        seconds = sum(plan.seconds if plan else float("inf") for plan in plans)
        exact = seconds <= effort.seconds
        deals = None if exact else _SAMPLED_DEALS
        # what takes about a second is counted to its end
        effort = replace(effort, exact=exact, deals=deals, enough=None if exact else effort.enough)
    found = []
    for card, one in after:
        answer = showdown_odds(one, effort, cancelled=cancelled)
        values = tuple(player.value for player in answer.players)
        found.append(NextCard(card, values, answer.deals, answer.exact))
    return tuple(found)


def _with(scenario: Scenario, card: Card) -> Scenario | None:
    """The scenario when that card has come; None if the ranges then leave no hand for everybody."""
    try:
        return replace(
            scenario,
            board=scenario.board | Cards.of([card]),
            dealt=(*scenario.in_order, card),
        )
    except TextError:
        return None


def streets(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[tuple[str, Showdown], ...]:
    """The odds before the flop and after each street up to now, in the order the board was dealt.

    Raises `TextError` for a game without five board cards.
    """
    check_streets(scenario)
    found = []
    effort = replace(effort, ranked=False)
    for name, shown in zip(STREETS, STREET_CARDS, strict=True):
        if shown <= len(scenario.board):
            dealt = scenario.in_order[:shown]
            then = replace(scenario, board=Cards.of(dealt), dealt=dealt)
            found.append((name, showdown_odds(then, effort, cancelled=cancelled)))
    return tuple(found)


def outs(scenario: Scenario) -> tuple[Outs, ...] | None:
    """Each player's outs; None unless every hand is known and a next board card is to come."""
    rules = scenario.rules
    if not has_next_card(scenario) or len(scenario.players) < 2 or rules.ranking.is_low:
        return None
    if any(len(cards) != rules.private for cards in scenario.known):
        return None
    now = _parts(scenario.known, scenario.board, rules)
    wins = [0] * len(now)
    ties = [0] * len(now)
    for card in scenario.left:
        then = _parts(scenario.known, scenario.board | Cards.of([card]), rules)
        for seat in range(len(now)):
            if _alone(then, seat):
                wins[seat] |= 1 << card.number
            elif then[seat] == max(then):
                ties[seat] |= 1 << card.number
    found = []
    for seat in range(len(now)):
        ahead, level = _alone(now, seat), now[seat] == max(now)
        found.append(
            Outs(
                ahead,
                Cards() if ahead else Cards(wins[seat]),
                Cards() if level else Cards(ties[seat]),
            )
        )
    return tuple(found)


def _alone(parts: list[Fraction], seat: int) -> bool:
    return all(parts[seat] > part for other, part in enumerate(parts) if other != seat)


def _parts(hands: Iterable[Cards], board: Cards, rules: ShowdownRules) -> list[Fraction]:
    """Each player's part of the pot if the hands were shown on this board."""
    hands = list(hands)
    scores = [_best(hand, board, rules) for hand in hands]
    high = _shared(scores, max(scores))
    if not rules.hi_lo:
        return high
    lows = [best_low(hand, board, rules.usable_private, rules.usable_public) for hand in hands]
    if min(lows) == NO_LOW:
        return high
    return [(a + b) / 2 for a, b in zip(high, _shared(lows, min(lows)), strict=True)]


def _shared(scores: list[int], best: int) -> list[Fraction]:
    winners = sum(score == best for score in scores)
    return [Fraction(score == best, winners) for score in scores]


def _best(hand: Cards, board: Cards, rules: ShowdownRules) -> int:
    """The raw score of the best hand of as many cards of each as may be used."""
    own = combinations(hand, min(len(hand), rules.usable_private))
    shared = list(combinations(board, min(len(board), rules.usable_public)))
    return max(
        raw_score(Cards.of((*some, *others)), rules.wild, rules.ranking)
        for some in own
        for others in shared
    )


def grouped(cards: Cards) -> tuple[OutGroup, ...]:
    """Outs in as few groups as is plain to see: the largest suit or rank first, then the next."""
    left = cards.bits
    groups = []
    while left:
        of_rank = max(Rank, key=lambda rank: ((left & rank_bits(rank)).bit_count(), rank))
        of_suit = max(Suit, key=lambda suit: ((left >> 13 * suit & _SUIT_BITS).bit_count(), suit))
        same_rank = left & rank_bits(of_rank)
        same_suit = left & _SUIT_BITS << 13 * of_suit
        if same_suit.bit_count() > max(same_rank.bit_count(), 3):
            groups.append(OutGroup(Cards(same_suit), suit=of_suit))
            left &= ~same_suit
        elif same_rank.bit_count() > 1:
            groups.append(OutGroup(Cards(same_rank), rank=of_rank))
            left &= ~same_rank
        else:
            card = next(iter(Cards(left)))
            groups.append(OutGroup(Cards.of([card])))
            left &= ~(1 << card.number)
    return tuple(groups)

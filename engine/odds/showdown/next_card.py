"""The effect of cards to come: outs, and the equity after each next card and on each street.

A player is ahead if they would get the largest part of the pot if the hands were shown now.
If they aren't ahead yet, a next card that puts them ahead is an out. `next_cards` shows
whether they stay ahead, by the shares of the pot after each card that can come.
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
_SAMPLED_DEALS: Final = 20_000  # deals for each next card that cannot be counted
_FLOP: Final = 3
_SUIT_BITS: Final = 0x1FFF
STREETS: Final = ("preflop", "flop", "turn", "river")
STREET_CARDS: Final = (0, 3, 4, 5)
"""The number of board cards on each street."""


@dataclass(frozen=True, slots=True)
class NextCard:
    """A card that can come next, and each player's share of the pot after it.

    `deals` is the number of deals, counted or sampled, in which the card comes next.
    """

    card: Card
    values: tuple[Fraction, ...]
    deals: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Outs:
    """A player's outs: `wins` put the player ahead, `ties` make the player level with the best.

    Both are empty if the player is `ahead` now. `ties` is also empty if the player is level
    now.
    """

    ahead: bool
    wins: Cards
    ties: Cards


@dataclass(frozen=True, slots=True)
class OutGroup:
    """Outs that share a `suit` or a `rank` (the other is None), or a single card (both None)."""

    cards: Cards
    suit: Suit | None = None
    rank: Rank | None = None


def has_next_card(scenario: Scenario) -> bool:
    """Return whether there is a flop, one board, and another card to come on it."""
    return scenario.second is None and _FLOP <= len(scenario.board) < scenario.rules.public


def check_next(scenario: Scenario) -> None:
    """Raise `TextError` if there are two boards, no flop, or no card to come on the board."""
    scenario.check_one_board()
    if not has_next_card(scenario):
        reason = Reason(
            "the next card takes at least three board cards and one to come, not {given} of {most}",
            given=len(scenario.board),
            most=scenario.rules.public,
        )
        raise TextError(str(scenario.board), reason, NEXT_EXAMPLE)


def check_streets(scenario: Scenario) -> None:
    """Raise `TextError` for two boards, and for a game that doesn't deal five board cards."""
    scenario.check_one_board()
    if scenario.rules.public != STREET_CARDS[-1]:
        reason = Reason("street by street works only with a five-card board")
        raise TextError("", reason, "--game holdem --streets")


def next_cards(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[NextCard, ...]:
    """Return the players' equities after each card that can come next.

    Cards are ordered by rank from the ace down, then by suit from spades to clubs. A card after
    which no deal is possible is left out. If `effort` has no `exact`, `deals` or `error`, the
    answer is exact if everything can be counted in `effort.seconds`; otherwise every card is
    sampled. Raises `TextError` as `check_next` does, and what `showdown_odds` raises.
    """
    check_next(scenario)
    after = [(card, then) for card in scenario.left if (then := _with(scenario, card)) is not None]
    effort = replace(effort, ranked=False)
    if effort.exact is None and effort.deals is None and effort.error is None:
        plans = [cheapest(then) for _, then in after]
        seconds = sum(plan.seconds if plan else float("inf") for plan in plans)
        exact = seconds <= effort.seconds
        deals = None if exact else _SAMPLED_DEALS
        # finish a count that takes about a second even if the time is up
        effort = replace(effort, exact=exact, deals=deals, enough=None if exact else effort.enough)
    cards = []
    for card, then in after:
        answer = showdown_odds(then, effort, cancelled=cancelled)
        values = tuple(player.value for player in answer.players)
        cards.append(NextCard(card, values, answer.deals, answer.exact))
    return tuple(cards)


def _with(scenario: Scenario, card: Card) -> Scenario | None:
    """Return the scenario with `card` on the board; None if no deal is possible then."""
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
    """Return (name in `STREETS`, odds) for each street so far, beginning before the flop.

    Raises `TextError` as `check_streets` does, and the errors of `showdown_odds`.
    """
    check_streets(scenario)
    odds = []
    effort = replace(effort, ranked=False)
    for name, count in zip(STREETS, STREET_CARDS, strict=True):
        if count <= len(scenario.board):
            dealt = scenario.in_order[:count]
            then = replace(scenario, board=Cards.of(dealt), dealt=dealt)
            odds.append((name, showdown_odds(then, effort, cancelled=cancelled)))
    return tuple(odds)


def outs(scenario: Scenario) -> tuple[Outs, ...] | None:
    """Return each player's outs.

    Return None if there is no opponent, the game is lowball, a hand isn't fully known, or
    `has_next_card` is false.
    """
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
    all_outs = []
    for seat in range(len(now)):
        ahead, level = _alone(now, seat), now[seat] == max(now)
        all_outs.append(
            Outs(
                ahead,
                Cards() if ahead else Cards(wins[seat]),
                Cards() if level else Cards(ties[seat]),
            )
        )
    return tuple(all_outs)


def _alone(parts: list[Fraction], seat: int) -> bool:
    return all(parts[seat] > part for player, part in enumerate(parts) if player != seat)


def _parts(hands: Iterable[Cards], board: Cards, rules: ShowdownRules) -> list[Fraction]:
    """Return each player's part of the pot if the hands were shown on this board."""
    hands = list(hands)
    scores = [_best(hand, board, rules) for hand in hands]
    high = _split_pot(scores, max(scores))
    if not rules.hi_lo:
        return high
    lows = [best_low(hand, board, rules.usable_private, rules.usable_public) for hand in hands]
    if min(lows) == NO_LOW:
        return high
    return [(a + b) / 2 for a, b in zip(high, _split_pot(lows, min(lows)), strict=True)]


def _split_pot(scores: list[int], best: int) -> list[Fraction]:
    winners = sum(score == best for score in scores)
    return [Fraction(score == best, winners) for score in scores]


def _best(hand: Cards, board: Cards, rules: ShowdownRules) -> int:
    """Return the raw score of the best high hand that these rules allow with hand and board."""
    hole_picks = combinations(hand, min(len(hand), rules.usable_private))
    board_picks = list(combinations(board, min(len(board), rules.usable_public)))
    return max(
        raw_score(Cards.of((*some, *others)), rules.wild, rules.ranking)
        for some in hole_picks
        for others in board_picks
    )


def group_outs(cards: Cards) -> tuple[OutGroup, ...]:
    """Return outs in few groups, each of one suit or one rank.

    Each group is the most frequent suit or rank of the cards that are in no group yet. A suit needs
    at least four cards, and more than any rank has. A card left over is a group by itself.
    """
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

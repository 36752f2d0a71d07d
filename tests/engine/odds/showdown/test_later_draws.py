"""Several draws in 2-7, A-5 and badugi, against a slow oracle that goes through every draw."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from engine.cards import Card, Cards
from engine.errors import TextError, UnclearDraw
from engine.odds import Effort, parse_question, showdown_odds
from engine.odds.showdown.drawing import Drawing
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.question import game_named
from engine.odds.showdown.scenario import Scenario
from tests.engine.odds.showdown.test_draws import LOW_DRAWS
from tests.naive_showdown import BADUGI_NAMES, NAMES, five, naive

PACK = [Card(number) for number in range(52)]
EXACT = Effort(exact=True)
# the named cards, and the rank up to which drawn cards stay; None if the player draws only once
Hand = tuple[list[Card], int | None]


def rank_of(ranking: str, card: Card) -> int:
    """Return the rank of a card, from 2 to 14; an ace is 1 where it is low."""
    rank = int(card.rank) + 2
    return 1 if rank == 14 and ranking != "27" else rank


def staying(ranking: str, named: list[Card], drawn: list[Card], limit: int | None) -> list[Card]:
    """Return the drawn cards that a player keeps at the next draw.

    `limit` is the highest rank kept; None keeps every card. `named` are the cards held before. With
    a limit, no rank is kept twice, and in badugi no suit; in 2-7, the highest drawn card is dropped
    if it completes a straight or flush.
    """
    if limit is None:
        return drawn
    stays: list[Card] = []
    for card in sorted(drawn, key=lambda card: rank_of(ranking, card)):
        before = named + stays
        low = rank_of(ranking, card) <= limit
        pairs = any(card.rank == earlier.rank for earlier in before)
        suited = ranking == "badugi" and any(card.suit == earlier.suit for earlier in before)
        if low and not pairs and not suited:
            stays.append(card)
    hand = named + stays
    if ranking == "27" and len(hand) == 5 and stays:
        kind = five(tuple(map(naive, hand)), "27")[0]
        if kind in (4, 5, 8):  # a straight or a flush
            stays.pop()
    return stays


def slow_answer(
    ranking: str, size: int, hands: list[Hand], dead: list[Card], draws: int
) -> tuple[list[Fraction], list[dict[str, Fraction]]]:
    """Return each player's mean share of the pot, and the chances of their kinds of hands.

    A hand has `size` cards. The players draw `draws` times, by turns, from the cards not in `dead`.
    """
    known = {card for named, _ in hands for card in named} | set(dead)
    shares: list[Fraction] = [Fraction(0)] * len(hands)
    kinds: list[dict[str, Fraction]] = [defaultdict(Fraction) for _ in hands]
    turns = [seat for _ in range(draws) for seat in range(len(hands))]

    def go_on(at: int, left: list[Card], drawn: list[list[Card]], chance: Fraction) -> None:
        if at == len(turns):
            final = [named + cards for (named, _), cards in zip(hands, drawn, strict=True)]
            scores = [five(tuple(map(naive, sorted(hand))), ranking) for hand in final]
            best = [seat for seat, score in enumerate(scores) if score == min(scores)]
            for seat in best:
                shares[seat] += chance / len(best)
            for seat, score in enumerate(scores):
                names = BADUGI_NAMES if ranking == "badugi" else NAMES
                kinds[seat][names[score[0]]] += chance
            return
        seat = turns[at]
        named, limit = hands[seat]
        stays = drawn[seat] if at >= len(hands) else []
        if at >= len(hands):
            stays = staying(ranking, named, stays, limit)
        new = list(combinations(left, size - len(named) - len(stays)))
        for cards in new:
            after = [*drawn[:seat], [*stays, *cards], *drawn[seat + 1 :]]
            undrawn = [card for card in left if card not in cards]
            go_on(at + 1, undrawn, after, chance / len(new))

    go_on(0, [card for card in PACK if card not in known], [[] for _ in hands], Fraction(1))
    return shares, kinds


def check_answer(
    key: str, hands: list[Hand], dead: list[Card], draws: int, effort: Effort = EXACT
) -> None:
    """Compare an answer with the oracle's: the same if exact, else within five standard errors."""
    rules = PRESETS[key]
    ranking = rules.ranking.value
    shift = 2 if ranking == "27" else 1
    limits = tuple(None if limit is None else limit - shift for _, limit in hands)
    players = tuple(Cards.of(named) for named, _ in hands)
    scenario = Scenario(rules, players, dead=Cards.of(dead), drawing=Drawing(draws, limits))
    answer = showdown_odds(scenario, effort)
    shares, kinds = slow_answer(ranking, rules.private, hands, dead, draws)
    if answer.exact:
        assert [player.value for player in answer.players] == shares
        for player, chances in zip(answer.players, kinds, strict=True):
            for kind, deals in player.ranks.items():
                assert Fraction(deals, answer.deals) == chances[kind.value]
    else:
        for player, share, chances in zip(answer.players, shares, kinds, strict=True):
            assert player.standard_error is not None
            assert abs(float(player.value - share)) < 5 * player.standard_error
            for kind, deals in player.ranks.items():
                error = max(player.standard_error, answer.standard_error or 0)
                assert abs(deals / answer.deals - float(chances[kind.value])) < 5 * error


def few_left(random: Random, cards: int) -> tuple[list[Card], list[Card]]:
    """Draw `cards` cards at random; return them, and all other cards, which are dead."""
    pack = random.sample(PACK, 52)
    return pack[:cards], pack[cards:]


@pytest.mark.thorough
@pytest.mark.parametrize("key", LOW_DRAWS)
def test_every_draw_is_counted(key: str) -> None:
    random = Random(len(key))
    size = PRESETS[key].private
    for numbers, draws, left in (
        ((1, 0), 2, 12),
        ((1, 0), 3, 9),
        ((1, 1), 2, 7),
        ((2, 0), 2, 9),
        ((2, 1), 2, 6),
        ((3, 0), 2, 8),
        ((1, 1, 0), 2, 6),
    ) * 2:
        cards, dead = few_left(random, len(numbers) * size - sum(numbers) + left)
        hands: list[Hand] = []
        for number in numbers:
            limit = random.randrange(6, 12) if number else None
            hands.append((cards[: size - number], limit))
            del cards[: size - number]
        check_answer(key, hands, dead, draws)


def test_straights_and_flushes_are_broken_in_deuce_to_seven() -> None:
    named = list(map(Card.parse, ("3c", "4c", "5c", "6c")))
    pat = list(map(Card.parse, ("9d", "Td", "Jd", "Qh", "Ks")))
    left = set(map(Card.parse, ("2c", "2d", "7c", "7d", "8c", "8h", "Ah", "9s")))
    dead = [card for card in PACK if card not in {*named, *pat, *left}]
    for draws in (2, 3):
        check_answer("27", [(named, 8), (pat, None)], dead, draws)


@pytest.mark.parametrize("key", LOW_DRAWS)
def test_a_sample_is_as_near_as_it_says(key: str) -> None:
    random = Random(50 + len(key))
    size = PRESETS[key].private
    cards, dead = few_left(random, 2 * size - 3 + 7)
    hands: list[Hand] = [(cards[: size - 2], 9), (cards[size - 2 : 2 * size - 3], 8)]
    check_answer(key, hands, dead, 2, Effort(exact=False, error=0.002))


def test_a_sample_is_repeatable_with_any_number_of_threads() -> None:
    scenario = parse_question("27: 2347 draw 1 until 9 vs 2368 draw 1 until 8, 3 draws left")
    alone = showdown_odds(scenario, Effort(deals=100_000, seed=5))
    assert (
        alone.to_json()
        == showdown_odds(scenario, Effort(deals=100_000, seed=5, threads=3)).to_json()
    )
    assert alone.deals == 100_000
    assert not alone.exact


def test_unknown_cards_are_dealt_once() -> None:
    scenario = parse_question("a5: A234 draw 1 until 8 vs random, 2 draws left")
    assert scenario.drawing == Drawing(2, (7, None))
    answer = showdown_odds(scenario, Effort(deals=50_000))
    assert 0.85 < answer.players[0].value < 0.9
    alone = parse_question("a5: A234 draw 1 until 8, 2 draws left")
    assert (alone.players, alone.drawing) == (scenario.players, scenario.drawing)


def test_a_count_that_would_take_too_long_is_refused() -> None:
    scenario = parse_question("27: 2c3d draw 3 until 9 vs 2h4d draw 3 until 9, 3 draws left")
    with pytest.raises(TextError, match="too many deals"):
        showdown_odds(scenario, EXACT)
    assert not showdown_odds(scenario, Effort(error=0.01)).exact


@pytest.mark.parametrize(
    ("text", "draws", "limits"),
    [
        ("27: 2347 draw 1 until 9 vs 8765K pat, 2 draws left", 2, "9-"),
        ("27: 2347 draws one until a nine or better vs 8765K pat, with 3 draws to go", 3, "9-"),
        ("2-7 triple draw: 8765K pat vs 2347 draw 1 up to T (two draws left)", 2, "-T"),
        ("27: Ann: 2347 draw 1 until ten vs Bob: 2358 draw 1 until 9-low, 2 draws left", 2, "T9"),
        ("badugi: As2h4d draw 1 until 9 vs 8c7d draw 2 till 8, 3 draws left", 3, "98"),
        ("27: 2347 draw 1 until 9 vs 8765K pat, last draw", 1, ""),
    ],
)
def test_a_question_says_how_many_draws_are_left(text: str, draws: int, limits: str) -> None:
    scenario = parse_question(text)
    keeping = [scenario.limit(seat) or "-" for seat in range(len(scenario.players))]
    if draws == 1:
        assert scenario.drawing is None
        return
    assert scenario.drawing is not None
    assert (scenario.drawing.draws, "".join(keeping)) == (draws, limits)
    assert game_named(text) in ("27", "badugi")


def test_a_later_draw_asks_which_cards_stay() -> None:
    with pytest.raises(UnclearDraw, match="say up to which rank") as unclear:
        parse_question("27: 2347 draw 1 vs 2358 draws one until T vs 8765K pat, 2 draws left")
    limits = []
    for choice in unclear.value.choices:
        scenario = parse_question(choice)
        limits.append([scenario.limit(seat) for seat in range(3)])
    assert limits == [["8", "T", ""], ["9", "T", ""], ["T", "T", ""]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("draw: AsAhKd draw 2 until 9 vs QsQhQd draw 2 until 9, 2 draws left", "several draws go"),
        ("27: 2347 draw 1 until 9 vs 8765K pat, deuces wild, 2 draws left", "without wild cards"),
        ("27: 2347 draw 1 until 8-6 vs 8765K pat, 2 draws left", "write the highest rank"),
        ("27: 2347 draw 1 until 9 vs 8765K pat, 4 draws left", "expected 1 to 3 draws left, got 4"),
        ("27: 2347(50) draw 1 until 9 vs 8765K(50) pat, 2 draws left", "don't go with"),
    ],
)
def test_draws_that_cannot_be_counted_are_refused(text: str, says: str) -> None:
    with pytest.raises(TextError) as refused:
        parse_question(text)
    assert says in str(refused.value)
    assert 'Example: "' in str(refused.value)


def test_more_cards_than_there_are_cannot_be_drawn() -> None:
    players = tuple(map(Cards.parse, ("2c3d4h", "2d3h4s", "5c6d", "5d6h", "7c8d", "7d8h")))
    with pytest.raises(TextError, match="may draw 48 cards, but only 38 are left"):
        Scenario(PRESETS["27"], players, drawing=Drawing(3, (8,) * 6))

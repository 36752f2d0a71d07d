"""The exact chance of any hand of a kind among the cards in play."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bids import Kind, holds
from engine.cards import Cards, DeckSpec, Rank, Suit
from engine.odds import Chance, OddsError, kind_chances, kind_table
from engine.ruleset import Ruleset
from engine.variants import ruleset
from tests.engine.odds.bids.test_exact import HIGH, LOW, RULESETS, seats
from tests.naive_bids import chance_by_trying, hands_of_kind

WITH_JOKERS, WITHOUT = RULESETS[0].deck, RULESETS[1].deck
LIARS_KINDS = RULESETS[0].ladder.kinds
SMALL_DECKS = {
    "two suits, wheel": DeckSpec(LOW, (Suit.CLUBS, Suit.SPADES)),
    "two suits, wheel, two jokers": DeckSpec(LOW, (Suit.CLUBS, Suit.SPADES), 2),
    "two suits, royal, a joker": DeckSpec(HIGH, (Suit.HEARTS, Suit.SPADES), 1),
    "four suits": DeckSpec((Rank.FIVE, Rank.SIX, Rank.SEVEN)),
    "four suits, two jokers": DeckSpec((Rank.KING, Rank.ACE), jokers=2),
    "five jokers": DeckSpec(LOW, (Suit.CLUBS,), 5),
}


@pytest.mark.long
@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS.keys())
@pytest.mark.parametrize("count", [0, 2, 3])
def test_every_kind_on_a_small_deck_agrees_with_trying_every_deal(
    deck: DeckSpec, count: int
) -> None:
    known = Cards.of(deck.order[:: deck.size // 3][:count])  # the last of three may be a joker
    for in_play in (max(1, count), 6):
        chances = kind_chances(Kind, deck, in_play, known)
        for kind, chance in chances.items():
            tried = chance_by_trying(hands_of_kind(kind, deck), deck, in_play, known)
            assert (chance.favourable, chance.total) == tried, (kind, in_play)


def test_five_cards_without_jokers_have_the_well_known_counts() -> None:
    chances = kind_chances(Kind, WITHOUT, 5)
    assert {kind: chance.favourable for kind, chance in chances.items()} == {
        Kind.HIGH_CARD: 2_598_960,
        Kind.PAIR: 1_098_240 + 123_552 + 54_912 + 3_744 + 624,
        Kind.TWO_PAIR: 123_552 + 3_744,
        Kind.THREE: 54_912 + 3_744 + 624,
        Kind.FLUSH: 5_108 + 40,
        Kind.STRAIGHT: 10_200 + 40,
        Kind.FULL_HOUSE: 3_744,
        Kind.FOUR: 624,
        Kind.STRAIGHT_FLUSH: 40,
        Kind.ROYAL_FLUSH: 4,
        Kind.FIVE: 0,
    }


@pytest.mark.parametrize(
    ("deck", "in_play", "deals", "published"),
    [
        (
            WITH_JOKERS,
            5,
            3_162_510,
            {
                Kind.FIVE: 78,
                Kind.FOUR: 9_360 + 78,
                Kind.STRAIGHT_FLUSH: 624,
                Kind.FLUSH: 11_388 + 624,
                Kind.STRAIGHT: 34_704 + 624,
            },
        ),
        (
            WITHOUT,
            7,
            133_784_560,
            {
                Kind.STRAIGHT_FLUSH: 41_584,
                Kind.ROYAL_FLUSH: 4_324,
                Kind.FOUR: 224_848,
                Kind.FLUSH: 4_047_644 + 41_584,
            },
        ),
    ],
)
def test_kinds_have_the_published_counts(
    deck: DeckSpec, in_play: int, deals: int, published: dict[Kind, int]
) -> None:
    chances = kind_chances(Kind, deck, in_play)
    for kind, favourable in published.items():
        assert chances[kind] == Chance(favourable, deals)


@pytest.mark.parametrize(
    ("deck", "at_ten", "pair_at_six"),
    [(WITHOUT, (0.23, 0.26), 0.655), (WITH_JOKERS, (0.35, 0.48), 0.728)],
)
def test_the_articles_questions_have_the_published_answers(
    deck: DeckSpec, at_ten: tuple[float, float], pair_at_six: float
) -> None:
    ten = kind_chances(LIARS_KINDS, deck, 10)
    meeting = [ten[kind].probability for kind in (Kind.THREE, Kind.FLUSH, Kind.STRAIGHT)]
    assert (round(min(meeting), 2), round(max(meeting), 2)) == at_ten
    assert round(kind_chances([Kind.PAIR], deck, 6)[Kind.PAIR].probability, 3) == pair_at_six


@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=20, deadline=None)
@given(draw=st.data())
def test_when_every_card_is_known_a_kind_is_there_if_one_of_its_bids_holds(
    rules: Ruleset, draw: st.DataObject
) -> None:
    pool = draw.draw(seats(rules, fewest=1, most=20))
    chances = kind_chances(rules.ladder.kinds, rules.deck, len(pool), pool)
    for kind, chance in chances.items():
        any_holds = any(holds(bid, pool) for bid in rules.ladder if bid.kind is kind)
        assert chance == Chance(int(any_holds), 1), kind


@pytest.mark.long
@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=10, deadline=None)
@given(draw=st.data())
def test_seeing_one_more_card_changes_no_kind_on_average(
    rules: Ruleset, draw: st.DataObject
) -> None:
    known = draw.draw(seats(rules, most=6))
    in_play = draw.draw(st.integers(len(known) + 1, rules.deck.size))
    before = kind_chances(rules.ladder.kinds, rules.deck, in_play, known)
    after = [
        kind_chances(rules.ladder.kinds, rules.deck, in_play, known | Cards.of([card]))
        for card in rules.deck.cards - known
    ]
    for kind, chance in before.items():
        summed = sum(chances[kind].favourable for chances in after)
        assert summed == chance.favourable * (in_play - len(known)), kind


@pytest.mark.long
@pytest.mark.parametrize("flush_card", ["in_play", "highest"])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_any_five_of_a_suit_can_be_called_as_a_flush_though_calls_start_at_the_six(
    jokers: int, flush_card: str
) -> None:
    """Try every holding of a suit: five cards, jokers included, are necessary and enough."""
    rules = ruleset("liars_poker", {"flush_card": flush_card})
    spades = [bid for bid in rules.ladder if bid.kind is Kind.FLUSH and bid.suit is Suit.SPADES]
    assert min(bid.ranks[0] for bid in spades) is Rank.SIX
    wild = Cards.parse("*" * jokers)
    for mask in range(1 << 13):
        pool = Cards(mask << 13 * Suit.SPADES) | wild
        assert any(holds(bid, pool) for bid in spades) == (len(pool) >= 5)


def test_a_table_of_kinds_has_the_chances_of_each_number_in_play() -> None:
    table = kind_table(LIARS_KINDS, WITH_JOKERS, range(6, 12))
    assert list(table) == [6, 7, 8, 9, 10, 11]
    for in_play, chances in table.items():
        assert chances == kind_chances(LIARS_KINDS, WITH_JOKERS, in_play)
    with pytest.raises(OddsError, match="not 55"):
        kind_table(LIARS_KINDS, WITH_JOKERS, [54, 55])

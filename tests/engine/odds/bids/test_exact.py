"""The exact chances of a bid, and of all bids on a ladder."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bids import Bid, Need, holds
from engine.cards import Cards, DeckSpec, Rank, Suit
from engine.ladder import Ladder
from engine.odds import (
    BidOdds,
    Chance,
    OddsError,
    advise,
    bid_chance,
    kind_chances,
    ladder_chances,
    seat_odds,
)
from engine.ruleset import Ruleset
from engine.variants import ruleset
from tests.naive_bids import chance_by_trying, hands_of_bid

LIARS, THAI = ruleset("liars_poker"), ruleset("thai_poker")
RULESETS = (
    LIARS,
    ruleset("liars_poker", {"jokers": 0}),
    ruleset("liars_poker", {"flush_card": "highest"}),
    ruleset("liars_poker", {"jokers": 0, "flush_card": "highest"}),
    THAI,
)
LOW = (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX, Rank.ACE)
HIGH = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)

THAI_COUNTS = {  # ways out of 735,471 at 8 cards in play, out of 2,704,156 at 12
    "high_card:A": (609_501, 2_578_186),
    "pair:A": (299_421, 1_906_346),
    "straight:K": (229_376, 2_092_496),
    "straight:A": (229_376, 2_092_496),
    "three:A": (66_861, 797_810),
    "full_house:A,K": (16_209, 487_500),
    "flush:c": (5_049, 209_508),
    "four:A": (4_845, 125_970),
    "straight_flush:d": (1_785, 82_212),
    "royal_flush:s": (969, 50_388),
}


def cut_down(ladder: Ladder, deck: DeckSpec) -> list[Bid]:
    """Return the bids of `ladder` with only the smaller `deck`'s cards in their classes.

    Leave out a bid if no card is left in one of its classes.
    """
    bids = []
    for bid in ladder:
        needs = tuple(Need(need.cards & deck.cards, need.count) for need in bid.needs)
        if all(need.cards for need in needs):
            bids.append(Bid(bid.kind, bid.ranks, bid.suit, needs))
    return bids


def seats(rules: Ruleset, fewest: int = 0, most: int = 8) -> st.SearchStrategy[Cards]:
    return st.lists(
        st.sampled_from(rules.deck.order), min_size=fewest, max_size=most, unique=True
    ).map(Cards.of)


def test_thai_bids_have_the_published_counts() -> None:
    for key, (at_8, at_12) in THAI_COUNTS.items():
        bid = THAI.ladder.bid(key)
        assert bid_chance(bid, THAI.deck, 8) == Chance(at_8, 735_471)
        assert bid_chance(bid, THAI.deck, 12) == Chance(at_12, 2_704_156)
    # fewer cards than a flush has
    assert bid_chance(THAI.ladder.bid("flush:c"), THAI.deck, 3) == Chance(0, 2_024)


@pytest.mark.long
@pytest.mark.parametrize("flush_card", ["in_play", "highest"])
@pytest.mark.parametrize(
    ("jokers", "in_play", "known"),
    [(0, 7, "2c 2s"), (1, 6, "* As 5s"), (1, 6, ""), (2, 6, "* As 5s"), (2, 8, "3c 4c 5c 6c")],
)
def test_every_liars_bid_on_a_small_deck_agrees_with_trying_every_deal(
    flush_card: str, jokers: int, in_play: int, known: str
) -> None:
    held = Cards.parse(known)
    deck = DeckSpec(LOW, (Suit.CLUBS, Suit.SPADES), jokers)
    ladder = ruleset("liars_poker", {"flush_card": flush_card}).ladder
    for bid in cut_down(ladder, deck)[::3]:
        chance = bid_chance(bid, deck, in_play, held)
        tried = chance_by_trying(hands_of_bid(bid, deck, flush_card), deck, in_play, held)
        assert (chance.favourable, chance.total) == tried, bid


@pytest.mark.long
@pytest.mark.parametrize(("in_play", "known"), [(5, ""), (7, "Tc Ts"), (8, "Ac Kc Qc Js")])
def test_every_thai_bid_on_a_small_deck_agrees_with_trying_every_deal(
    in_play: int, known: str
) -> None:
    deck = DeckSpec((Rank.NINE, *HIGH), (Suit.CLUBS, Suit.SPADES))
    held = Cards.parse(known)
    for bid in cut_down(ruleset("thai_poker").ladder, deck):
        chance = bid_chance(bid, deck, in_play, held)
        tried = chance_by_trying(hands_of_bid(bid, deck), deck, in_play, held)
        assert (chance.favourable, chance.total) == tried, bid


@pytest.mark.thorough
@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=25, deadline=None)
@given(draw=st.data())
def test_when_every_card_is_known_the_chance_is_the_showdowns_verdict(
    rules: Ruleset, draw: st.DataObject
) -> None:
    pool = draw.draw(seats(rules, fewest=1, most=16))
    chances = ladder_chances(rules.ladder, rules.deck, len(pool), pool)
    for bid, chance in zip(rules.ladder, chances, strict=True):
        assert chance == Chance(int(holds(bid, pool)), 1)


@pytest.mark.thorough
@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=15, deadline=None)
@given(draw=st.data())
def test_seeing_one_more_card_changes_nothing_on_average(
    rules: Ruleset, draw: st.DataObject
) -> None:
    known = draw.draw(seats(rules, most=6))
    in_play = draw.draw(st.integers(len(known) + 1, rules.deck.size))
    bid = draw.draw(st.sampled_from(list(rules.ladder)))
    before = bid_chance(bid, rules.deck, in_play, known)
    after = sum(
        bid_chance(bid, rules.deck, in_play, known | Cards.of([card])).favourable
        for card in rules.deck.cards - known
    )
    # each deal is met once for each of its unknown cards
    assert after == before.favourable * (in_play - len(known))


@pytest.mark.thorough
@pytest.mark.parametrize("rules", RULESETS)
@settings(max_examples=10, deadline=None)
@given(draw=st.data())
def test_a_ladder_is_each_of_its_bids(rules: Ruleset, draw: st.DataObject) -> None:
    known = draw.draw(seats(rules))
    in_play = draw.draw(st.integers(max(1, len(known)), rules.deck.size))
    chances = ladder_chances(rules.ladder, rules.deck, in_play, known)
    singly = tuple(bid_chance(bid, rules.deck, in_play, known) for bid in rules.ladder)
    assert chances == singly


@pytest.mark.parametrize(
    ("rules", "in_play", "known", "sentence"),
    [
        (LIARS, 400, "", "1 to 54 cards of this deck can be in play, not 400. Example: "),
        (LIARS, 0, "", "1 to 54 cards of this deck can be in play, not 0. Example: "),
        (LIARS, 2, "Ah Kd 2c", "you know 3 cards, so at least that many must be in play, not 2. "),
        (LIARS, 9, "* * *", "this deck has only 2 jokers. Example: "),
        (RULESETS[1], 9, "*", 'this deck has no jokers. Example: "As Kc"'),
        (RULESETS[4], 9, "2c", "2c isn't in this 24-card deck, which runs from 9 to A. "),
    ],
)
def test_an_impossible_question_is_refused_in_one_sentence(
    rules: Ruleset, in_play: int, known: str, sentence: str
) -> None:
    held = Cards.parse(known)
    for ask in (
        lambda: bid_chance(next(iter(rules.ladder)), rules.deck, in_play, held),
        lambda: ladder_chances(rules.ladder, rules.deck, in_play, held),
        lambda: kind_chances(rules.ladder.kinds, rules.deck, in_play, held),
    ):
        with pytest.raises(OddsError) as refusal:
            ask()
        assert str(refusal.value).startswith(sentence)


def test_a_chance_is_a_fraction_between_none_and_all() -> None:
    assert str(Chance(1, 4)) == "1/4"
    assert Chance(1, 4).probability == 0.25
    assert Chance(1, 2).above(0.49)
    assert not Chance(1, 2).above(0.5)
    for favourable, total in ((-1, 4), (5, 4), (0, 0)):
        with pytest.raises(ValueError, match="is no chance"):
            Chance(favourable, total)


@pytest.mark.parametrize("rules", RULESETS)
def test_a_seats_odds_go_up_the_ladder_and_number_its_rungs(rules: Ruleset) -> None:
    odds = seat_odds(rules, 12, Cards.parse("As Kc"))
    assert [entry.bid for entry in odds] == list(rules.ladder)
    assert [entry.rung for entry in odds] == [rules.ladder.number(bid) for bid in rules.ladder]
    assert all(
        entry.chance == bid_chance(entry.bid, rules.deck, 12, Cards.parse("As Kc"))
        for entry in odds[::20]
    )


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(draw=st.data())
def test_no_bid_is_both_stronger_and_as_likely_as_a_best_bid(draw: st.DataObject) -> None:
    rules = draw.draw(st.sampled_from(RULESETS))
    known = draw.draw(seats(rules, most=5))
    in_play = draw.draw(st.integers(max(1, len(known)), 24))
    standing = draw.draw(st.sampled_from([None, *rules.ladder]))
    advice = advise(rules, in_play, known, standing)
    lowest = rules.ladder.number(standing) if standing else 0
    legal = [entry for entry in seat_odds(rules, in_play, known) if entry.rung > lowest]
    for best in advice.best:
        assert best.rung > lowest
        rivals = [entry for entry in legal if entry.rung >= best.rung and entry != best]
        assert all(
            rival.chance.favourable < best.chance.favourable
            or (rival.rung == best.rung and rival.chance == best.chance)
            for rival in rivals
        )
    likeliest = max((entry.chance.favourable for entry in legal), default=0)
    if likeliest:
        assert advice.best[0].chance.favourable == likeliest
        chances = [entry.chance.favourable for entry in advice.best]
        assert chances == sorted(set(chances), reverse=True)
    else:
        assert advice.best == ()


def test_the_strongest_bid_is_the_highest_above_the_wanted_chance() -> None:
    known = Cards.parse("As Ah Kd *")
    for above in (0.0, 0.25, 0.5, 0.9):
        advice = advise(LIARS, 14, known, above=above)
        assert advice.strongest is not None
        assert advice.strongest.chance.above(above)
        assert not any(
            entry.chance.above(above)
            for entry in seat_odds(LIARS, 14, known)
            if entry.rung > advice.strongest.rung
        )
    assert advise(LIARS, 14, known, above=1.0).strongest is None


def test_the_standing_bid_comes_with_its_chance() -> None:
    standing = THAI.ladder.bid("pair:A")
    odds = advise(THAI, 8, standing=standing).standing
    assert odds == BidOdds(standing, 12, Chance(299_421, 735_471))
    assert advise(THAI, 8).standing is None
    highest = advise(THAI, 8, standing=THAI.ladder.bid("royal_flush:s"))
    assert (highest.best, highest.strongest) == ((), None)
    with pytest.raises(KeyError):
        advise(THAI, 8, standing=LIARS.ladder.bid("pair:2"))

"""The chance to win a match, compared with a walk by the rules and with cases counted by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp

import pytest

from engine.actions import Challenge
from engine.play import apply, start
from engine.players.equity import MatchEquity, match_equity, measured_tilts
from engine.rotation import outdone, penalise, playing_off, with_seat
from engine.state import Seat, SeatStatus
from engine.variants import ruleset
from tests.dealing import Chooser, Habits, random_match
from tests.engine.players.tables import all_rules, rules_text

THAI, LIARS = ruleset("thai_poker"), ruleset("liars_poker")
STARTING = ruleset("thai_poker", {"limit_counts": "starting"})
SEVEN = ruleset("thai_poker", {"two_player_limit": 7})
FIRST_OUT = ruleset("thai_poker", {"length": "first_out"})


def even(rules, started):
    equity = match_equity(rules, started)
    return MatchEquity(equity.limits, first_out=equity.first_out)


def walk_chances(rules, cards, weight):
    """Return each seat's chance to win: try every loser of every round by the engine's rules.

    A live seat's chance to lose a round is proportional to `weight(its cards, live seats)`.
    """

    @cache
    def worth(seats):
        live = [place for place, seat in enumerate(seats) if seat.live]
        if len(live) == 1:
            return tuple(Fraction(place == live[0]) for place in range(len(seats)))
        weights = {place: weight(seats[place].cards, len(live)) for place in live}
        total = sum(weights.values())
        sums = [Fraction(0)] * len(seats)
        for place in live:
            left = penalise(rules, seats, place)
            for number in outdone(rules, left):
                left = with_seat(left, number, replace(left[number], standing=SeatStatus.OUT))
            for seat, after in enumerate(worth(left)):
                sums[seat] += weights[place] / total * after
        return tuple(sums)

    return worth(tuple(Seat(place, held) for place, held in enumerate(cards)))


@pytest.mark.parametrize("cards", [(3, 3), (3, 6), (1, 5), (2, 3, 4), (1, 1, 6), (4, 4, 5, 3)])
@pytest.mark.parametrize(
    "rules", [THAI, STARTING, SEVEN, LIARS], ids=["thai", "start", "7", "liars"]
)
def test_the_chances_are_those_of_a_walk_by_the_rules_themselves(rules, cards):
    if max(cards) > rules.card_limit(len(cards), len(cards)):
        cards = tuple(min(held, 4) for held in cards)
    for equity in (even(rules, len(cards)), match_equity(rules, len(cards))):

        def weight(held, live, equity=equity):
            return Fraction(exp(equity.tilt(live) * held))

        chances = [float(chance) for chance in walk_chances(rules, cards, weight)]
        assert equity.chances(cards) == pytest.approx(chances)


def test_the_same_limits_share_what_was_solved():
    assert match_equity(THAI, 3) is match_equity(THAI, 4)
    assert match_equity(THAI, 3) is not match_equity(STARTING, 3)


def test_two_seats_near_the_end_are_as_counted_by_hand():
    equity = even(THAI, 2)  # six cards are the most
    assert equity.chances([6, 6]) == (0.5, 0.5)
    assert equity.chances([6, 5]) == (1 / 4, 3 / 4)  # out at once, or level
    assert equity.chances([4, 6]) == (7 / 8, 1 / 8)
    # how likely three losses come before four: (3 of 3) + ... of fair coin throws
    assert equity.chances([4, 3])[1] == float(Fraction(42, 64))


def test_three_seats_at_the_limit_are_as_counted_by_hand():
    # two of three seats are left with equal cards, whoever is out: each seat has 1/3
    equity = even(LIARS, 3)
    assert equity.chances([5, 5, 5]) == pytest.approx([1 / 3] * 3)
    # (5, 5, 4): the last loses a third of the time; else it leads one opponent by a card, 3/4
    assert equity.chances([5, 5, 4])[2] == pytest.approx(float(Fraction(1, 9) + Fraction(1, 2)))


@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_the_chances_sum_to_one_equal_seats_are_equal_and_fewer_cards_are_never_worse(rules):
    for players in range(2, 11):
        chances = match_equity(rules, players).chances([rules.starting_cards[players]] * players)
        assert chances == pytest.approx([1 / players] * players)
    equity = match_equity(rules, 3)
    limit = rules.card_limit(3, 3)
    for cards in product(range(1, limit + 1), repeat=3):
        found_chances = equity.chances(cards)
        assert sum(found_chances) == pytest.approx(1)
        for seat, rival in product(range(3), repeat=2):
            if cards[seat] < cards[rival]:
                assert found_chances[seat] > found_chances[rival]


def test_after_a_loss_one_holds_a_card_more_or_is_out():
    equity = match_equity(THAI, 3)
    assert equity.after_loss([2, 3, 6], 0) == equity.chances([3, 3, 6])
    out = equity.after_loss([2, 3, 6], 2)
    assert out == (*equity.chances([2, 3]), 0.0)
    assert equity.after_loss([6, 2, 3], 0) == (0.0, *equity.chances([2, 3]))


@pytest.mark.parametrize("rules", all_rules(), ids=rules_text)
def test_after_a_loss_the_chances_are_those_of_the_cards_that_the_engine_leaves(rules):
    equity = match_equity(rules, 4)
    first, challenges = start(rules, range(4)), 0
    for number in range(3):
        for before, action in random_match(first, Chooser(f"{number}"), Habits(leave=0)):
            if not isinstance(action, Challenge):
                continue
            after, live = apply(before, action), before.live
            cards = [before.seats[seat].cards for seat in live]
            chances = equity.after_loss(
                cards,
                live.index(after.round.outcome.loser),
                playing_off=playing_off(rules, before.seats),
            )
            left = equity.chances([after.seats[seat].cards for seat in after.live])
            expected = dict(zip(after.live, left, strict=True))
            assert chances == pytest.approx([expected.get(seat, 0) for seat in live]), (
                "`MatchEquity` (engine/players/equity.py), by which sharp players and the coach"
                " judge a loss, reckons with other cards than `penalise` (engine/rotation.py) deals"
            )
            challenges += 1
    assert challenges > 10


def test_when_the_first_out_ends_it_those_with_the_fewest_cards_share_what_is_left():
    equity = match_equity(FIRST_OUT, 4)
    assert equity.after_loss([2, 5, 3, 2], 1) == (0.5, 0.0, 0.0, 0.5)
    assert equity.after_loss([5, 5, 5, 4], 0) == (0.0, 0.0, 0.0, 1.0)
    assert equity.chances([2, 2, 2, 2]) == pytest.approx([0.25] * 4)
    # to be far ahead is worth more where nobody has time to catch up
    assert equity.chances([2, 5, 5, 5])[0] > match_equity(THAI, 4).chances([2, 5, 5, 5])[0]


def test_a_limit_that_counts_who_started_stays_as_it_was():
    assert match_equity(STARTING, 5).limits[2:] == (4,) * 9
    assert match_equity(THAI, 5).limits[2:6] == (6, 6, 5, 4)
    # four cards are the most for ever, so that one with four cards is out when two are left
    assert match_equity(STARTING, 5).after_loss([4, 3], 0) == (0.0, 1.0)


def test_a_tilt_between_two_measured_numbers_lies_on_the_line_through_them():
    equity = MatchEquity(THAI.card_limits, {2: -0.3, 6: -0.1})
    assert [equity.tilt(live) for live in (2, 3, 6, 10)] == pytest.approx([-0.3, -0.25, -0.1, -0.1])
    assert MatchEquity(THAI.card_limits, {3: -0.2}).tilt(2) == -0.2
    assert MatchEquity(THAI.card_limits).tilt(5) == 0


def test_more_cards_help_within_a_round_and_a_match_is_still_lost_by_them():
    equity = match_equity(LIARS, 2)
    first, second = equity.losing([2, 4])
    assert first > 0.55 > second
    behind = equity.chances([3, 2])[0]
    assert even(LIARS, 2).chances([3, 2])[0] < behind < 0.5


def test_a_game_that_was_not_measured_has_the_mean_of_those_that_were():
    both = [measured_tilts(rules.key) for rules in (THAI, LIARS)]
    unmeasured = measured_tilts("a game of one's own")
    assert set(unmeasured) == set(both[0]) | set(both[1])
    assert unmeasured[2] == pytest.approx((both[0][2] + both[1][2]) / 2)


@pytest.mark.parametrize("cards", [[], [1, 0], [1] * 11])
def test_counts_that_no_match_has_are_refused_with_an_example(cards):
    with pytest.raises(ValueError, match=r"live seats, for example \[3, 2\]"):
        match_equity(THAI, 2).chances(cards)

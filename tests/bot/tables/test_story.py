"""The highlights of a match: its rounds, the boldest bluff that held, the best catch."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bot.tables.highlights import MatchHighlights, match_highlights
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.bids import holds
from engine.odds.bids.exact import bid_chance
from engine.play import apply, start
from engine.state import Match, SeatStatus
from engine.variants import VARIANTS, ruleset
from tests.dealing import Chooser, Habits, random_match, stacked_deal

LIARS = "liars_poker"
ANN, BOB, CLEO = range(3)


def opening(options: dict | None = None) -> Match:
    """Return a match of three in which Ann opens."""
    return start(ruleset(LIARS, options), (101, 102, 103), 0)


class Played:
    """A match and its states after each action."""

    def __init__(self) -> None:
        self.match = opening()
        self.states: list[Match] = []

    def act(self, *actions: Action) -> Played:
        for action in actions:
            self.match = apply(self.match, action)
            self.states.append(self.match)
        return self

    def deal(self, *hands: str) -> Played:
        hands_wanted = {number: cards for number, cards in enumerate(hands) if cards}
        return self.act(stacked_deal(self.match, hands_wanted))

    def bid(self, *texts: str) -> Played:
        for text in texts:
            assert self.match.round is not None
            key = self.match.ruleset.wording.parse(text).key
            self.act(MakeBid(self.match.round.turn, key))
        return self

    def doubt(self) -> Played:
        assert self.match.round is not None
        return self.act(Challenge(self.match.round.turn))

    def highlights(self) -> MatchHighlights:
        return match_highlights(self.states)


def dealt() -> Played:
    """Return a match after its deal: six cards with a pair of nines, but no seven or eight."""
    return Played().deal("As Kd", "9c 2d", "9d 2h")


def test_each_round_has_the_hands_and_the_loser() -> None:
    played = dealt().bid("pair of nines").doubt()
    held = tuple(seat.cards for seat in played.match.seats)
    sentences = played.deal("3s 4s", "5c 6d 7h", "8d 9h").bid("four jacks").doubt().highlights()
    first, second = sentences.rounds
    assert (first.number, first.held, first.loser) == (1, (2, 2, 2), BOB)
    assert (second.number, second.held, second.loser) == (2, held, BOB)
    assert not first.out
    assert not first.left


def test_of_equal_bluffs_the_first_is_told() -> None:
    sentences = (
        dealt().bid("pair of sevens", "pair of eights", "pair of nines").doubt().highlights()
    )
    assert sentences.bluff is not None
    assert (sentences.bluff.made_bid.seat, sentences.bluff.made_bid.bid.key) == (ANN, "pair:7")


def test_a_bid_left_standing_when_everybody_forfeits_was_not_challenged() -> None:
    played = dealt().bid("pair of eights").act(Forfeit(BOB), Forfeit(CLEO))
    sentences = played.highlights()
    assert sentences.bluff is not None
    assert sentences.bluff.made_bid.bid.key == "pair:8"
    assert sentences.rounds[0].loser is None
    assert sentences.rounds[0].left == {BOB, CLEO}


def test_a_forfeit_after_a_showdown_belongs_to_that_round() -> None:
    played = dealt().bid("pair of nines").doubt().act(Forfeit(CLEO))
    sentences = played.deal("3s 4s", "5c 6d 7h").highlights()
    assert [line.left for line in sentences.rounds] == [{CLEO}, frozenset()]
    assert sentences.rounds[1].held[CLEO] == 0
    assert sentences.catch is None


def test_moves_made_by_the_bot_are_neither_bluffs_nor_catches() -> None:
    played = dealt().bid("pair of eights", "four sevens").doubt()
    assert played.highlights().bluff is not None
    assert played.highlights().catch is not None
    deal, bluff, _, challenge = (match.seq for match in played.states)
    found_highlights = match_highlights(played.states, by_house={bluff, challenge})
    assert found_highlights.bluff is None
    assert found_highlights.catch is None
    assert match_highlights(played.states, by_house={deal}) == played.highlights()


def test_a_match_without_a_deal_has_no_rounds() -> None:
    assert match_highlights([]) == MatchHighlights((), None, None)
    assert match_highlights([opening()]) == MatchHighlights((), None, None)


@pytest.mark.parametrize("game", sorted(VARIANTS))
@pytest.mark.parametrize("number", range(6))
def test_the_story_of_a_random_match_agrees_with_its_states(game: str, number: int) -> None:
    """Compare with highlights that are computed bid by bid."""
    rules = ruleset(game, None)
    first = start(rules, tuple(range(201, 205)), None)
    pairs = list(random_match(first, Chooser(f"story {game} {number}"), Habits(leave=number % 2)))
    states = [match for match, _ in pairs[1:]]
    states.append(apply(*pairs[-1]))
    found_highlights = match_highlights(states)

    last: dict[int, Match] = {m.round.number: m for m in states if m.round is not None}
    bluffs: list[Fraction] = []
    catches: list[Fraction] = []
    for match in last.values():
        current = match.round
        assert current is not None
        assert current.outcome is not None
        for bid in current.bids:
            judged = current.outcome.challenger is not None and bid is current.bids[-1]
            seat = current.outcome.challenger if judged else bid.seat
            assert seat is not None
            if holds(bid.bid, current.pool):
                continue
            chance = bid_chance(bid.bid, rules.deck, len(current.pool), current.hands[seat])
            share = Fraction(chance.favourable, chance.total)
            (catches if judged else bluffs).append(share)
    assert [line.number for line in found_highlights.rounds] == list(range(1, len(last) + 1))
    assert _share(found_highlights.bluff and found_highlights.bluff.chance) == min(
        bluffs, default=None
    )
    assert _share(found_highlights.catch and found_highlights.catch.chance) == max(
        catches, default=None
    )
    if found_highlights.bluff is not None:
        bluffed = last[found_highlights.bluff.round].round
        assert bluffed is not None
        assert found_highlights.bluff.made_bid in bluffed.bids
    if found_highlights.catch is not None:
        caught = last[found_highlights.catch.round].round
        assert caught is not None
        assert caught.outcome is not None
        assert found_highlights.catch.challenger == caught.outcome.challenger
        assert found_highlights.catch.made_bid == caught.bids[-1]
    out = sum(seat.standing is SeatStatus.OUT for seat in states[-1].seats)
    left = sum(seat.standing is SeatStatus.FORFEITED for seat in states[-1].seats)
    assert sum(line.out for line in found_highlights.rounds) == out
    assert sum(len(line.left) for line in found_highlights.rounds) == left


def _share(chance):
    return None if chance is None else Fraction(chance.favourable, chance.total)

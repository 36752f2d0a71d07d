"""What is asked again of a coach's word, and where a field parted from a player."""

from __future__ import annotations

from dataclasses import replace

from bot.replays.coaching import Parting, beside, candidates, costly, partings
from engine.actions import Challenge, Forfeit, MakeBid
from engine.odds.chance import Chance
from engine.play import apply, start
from engine.players import Memory, observe
from engine.players.coaching.advice import Advice, Tried
from engine.players.coaching.decisions import Decision
from engine.variants import ruleset
from engine.view import view
from tests.dealing import fair_deal, seed_of

RULES = ruleset("thai_poker")
DONE, BEST = Tried("pair:K", 0.30, 0), Tried("high_card:A", 0.45, 5)
CLOSE, FAR, DOUBT = Tried("pair:9", 0.44, 0), Tried("pair:J", 0.20, 0), Tried(None, 0.25, 0)


def advice(*tried: Tried, best: Tried = BEST, error: float = 0.02) -> Advice:
    return Advice(7, 0, Chance(1, 2), 0.5, DONE, best, best, error, (DONE, *tried))


def test_what_cost_ten_points_and_clearly_more_than_the_coach_may_err_is_asked_again() -> None:
    asked = advice(BEST)
    unsure = advice(BEST, error=0.16)
    cheap = advice(best=Tried("high_card:A", 0.399, 5), error=0.001)
    assert costly([asked, unsure, cheap]) == (asked,)


def test_one_chooses_among_four_of_which_one_is_best_beyond_the_error() -> None:
    shown = candidates(advice(BEST, CLOSE, FAR, DOUBT, Tried("pair:10", 0.1, 0)), RULES)
    assert shown == (BEST, FAR, DONE, DOUBT)  # in the ladder's order, what is no bid last
    assert candidates(advice(BEST, CLOSE), RULES) == (BEST, DONE)


def test_bids_around_are_tried_where_the_coach_has_tried_too_few() -> None:
    match = apply(start(RULES, range(2)), fair_deal(start(RULES, range(2)), seed_of("beside")))
    seen = view(match, match.round.turn)  # type: ignore[union-attr]
    position = observe(seen, Memory("sharp", 1))
    assert position is not None
    decision = Decision(2, position, MakeBid(position.seat, "pair:K"))
    more = beside(decision, advice(BEST), RULES)
    keys = [one.action.key for one in more if isinstance(one.action, MakeBid)]
    assert keys == ["high_card:9", "high_card:T", "pair:9", "high_card:K"]
    assert all(one.position == position for one in more)
    asleep = replace(decision, position=replace(position, turn=1 - position.seat))
    assert beside(asleep, advice(BEST), RULES) == ()


def test_a_field_parts_where_most_of_those_in_the_same_position_did_something_else() -> None:
    deal = fair_deal(start(RULES, range(2)), seed_of("field"))
    nine, ten, jack = (MakeBid(0, f"high_card:{rank}") for rank in "9TJ")
    answer = MakeBid(1, "pair:9")
    own = (deal, nine, answer, Challenge(0))
    others = [
        (deal, ten, answer),
        (deal, ten),
        (deal, nine, answer, MakeBid(0, "pair:K")),
        (deal, jack),
        (deal,),  # given up before it
    ]
    assert partings(own, 0, others) == (
        Parting(4, 1, 1, 1, MakeBid(0, "pair:K")),
    )  # of four, two chose the ten: not most
    most = partings(own, 0, [*others, (deal, ten), (deal, ten)])
    assert most[0] == Parting(2, 1, 6, 4, ten)
    assert partings(own, 0, [(deal, Forfeit(0))]) == ()
    assert partings(own, 0, [own, own]) == ()

"""Replays in words, and the mistakes that the quiz asks about."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.replays.coaching import (
    Parting,
    candidates,
    costliest,
    costly,
    own_decisions,
    partings,
    round_decisions,
    with_untried,
)
from bot.replays.narration import (
    Voice,
    action_text,
    advice_sentences,
    cost_sentence,
    ending_text,
    known_chance,
    step_text,
)
from bot.replays.played import PlayedMatch, of_round, steps_of
from bot.replays.text import text_lines
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.odds.chance import Chance
from engine.play import apply, start
from engine.players import Memory, observe
from engine.players.coaching.decisions import Advice, Decision, Tried
from engine.state import Cause
from engine.variants import ruleset
from engine.view import view_of
from tests.bot.replays.matches import NAMES, play_actions, whole
from tests.dealing import fair_deal, seed_from, stacked_deal

# -- each step a sentence, the same in a terminal, in a message and on the page --------------------

LIARS = ruleset("liars_poker")


def short() -> PlayedMatch:
    """Return a match: Ann opens, Bob raises, Cleo challenges and is right; Cleo and Bob forfeit."""
    first = start(LIARS, range(3), 0)
    deal = stacked_deal(first, {0: "As Kd", 1: "9c *", 2: "9d 2h"})
    ace, four = (LIARS.wording.parse(text).key for text in ("ace high", "four kings"))
    actions: list[Action] = [
        deal,
        MakeBid(0, ace),
        MakeBid(1, four),
        Challenge(2),
        Forfeit(2),
        Forfeit(1),
    ]
    return play_actions(first, actions, {})


def test_each_step_is_a_sentence() -> None:
    match = short()
    steps, voice = steps_of(match), Voice(match.names)
    assert [step_text(step, voice) for step in steps] == [
        "Round 1: Ann opens, 6 cards in play.",
        "Ann: ace high",
        "Bob: four kings",
        "Cleo challenged Bob's four kings. It isn't there. Missing: two kings."
        " Bob now holds 3 cards.",
        "Cleo leaves the match.",
        "Bob leaves the match.",
    ]
    assert ending_text(steps[-1], voice, won=True) == "Ann wins the match."
    assert ending_text(steps[2], voice, won=True) == ""
    assert ending_text(steps[2], voice, won=False) == "The match was ended without a winner."


def test_a_step_says_how_a_player_left() -> None:
    first = start(LIARS, range(3), 0)
    left = [Forfeit(2, Cause.ABSENT), Forfeit(1, Cause.DROPPED)]
    match = play_actions(first, [stacked_deal(first, {}), *left], {})
    assert [step_text(step, Voice(NAMES)) for step in steps_of(match)][1:] == [
        "Cleo runs out of time and is out of the match.",
        "Bob is removed from the match.",
    ]


def test_a_chance_is_computed_from_the_deciding_players_cards() -> None:
    _, ace, four, doubt, *_ = steps_of(short())
    voice = Voice(NAMES)
    assert known_chance(ace, voice) == "Given Ann's cards: 100% likely. It's there."
    assert four.chance is not None
    assert doubt.chance is not None
    assert four.chance.probability > doubt.chance.probability > 0, "Bob has a joker, Cleo none"
    assert known_chance(doubt, voice).startswith("Given Cleo's cards")
    assert known_chance(doubt, voice).endswith("It isn't there.")
    assert known_chance(ace, voice, to_player=True).startswith("Given your cards: 100")
    assert known_chance(doubt, voice, to_player=True).endswith("It isn't there.")


def test_moves_made_by_the_bot_are_named() -> None:
    match = short()
    log = list(match.log)
    log[1], log[3] = replace(log[1], by_house=True), replace(log[3], by_house=True)
    steps = steps_of(replace(match, log=tuple(log)))
    assert step_text(steps[1], Voice(NAMES)) == "Ann (played by the bot): ace high"
    assert step_text(steps[3], Voice(NAMES)).startswith(
        "Cleo (played by the bot) challenged Bob's four kings."
    )


def test_words_can_be_stressed_and_names_marked_up() -> None:
    voice = Voice(["<@1>", "<@2>", "<@3>"], lambda words: f"**{words}**")
    assert step_text(steps_of(short())[1], voice) == "<@1>: **ace high**"


def test_leaving_before_the_first_deal_makes_no_step() -> None:
    first = start(LIARS, range(3), 0)
    match = play_actions(first, [Forfeit(2), stacked_deal(first, {})], {}, won=False)
    assert [step.seq for step in steps_of(match)] == [2]


def test_the_steps_of_a_round_are_those_from_its_deal_on() -> None:
    steps = steps_of(whole())
    second = of_round(steps, 2)
    assert step_text(second[0], Voice(NAMES)).startswith("Round 2: ")
    assert {step.round.number for step in second} == {2}


# -- the coach -------------------------------------------------------------------------------------
def advice(cost: float = 0.04, error: float = 0.005, seq: int = 4) -> Advice:
    """Return the coach's advice about Cleo's challenge.

    `cost`: the chance to win the match that the challenge gave away, 0 to 1. `error`: the largest
    cost that counts as none. `seq`: the action's number in the log.
    """
    tried, best = Tried(None, 0.30, 1), Tried("four:A", 0.30 + cost, 4)
    return Advice(seq, 2, Chance(1, 4), 0.5, tried, best, best, error, (tried, best))


def test_a_cost_is_shown_with_the_better_action() -> None:
    steps, voice = steps_of(short()), Voice(NAMES)
    chance, cost = advice_sentences(advice(), steps[3], voice)
    assert chance == "Given the bids before it: about 50.0% likely."
    assert cost == ("It cost 4.0\u00a0points of win chance: 30.0%. Better: four aces, 34.0%.")
    assert advice_sentences(advice(), steps[1], voice) == (
        cost,
    )  # of a call that opens: none is before it
    sentence = cost_sentence(advice(error=0.05), LIARS, voice)
    assert sentence == "No clearly better move. Win chance afterwards: 30.0%."


def test_the_coach_names_only_the_bid_whose_worth_it_shows() -> None:
    tried, best, liked = (
        Tried(None, 0.3, 0),
        Tried("high_card:2", 0.34, 1),
        Tried("four:A", 0.33, 4),
    )
    for error in (0.02, 0.05):
        judged = Advice(4, 2, Chance(1, 4), 0.5, tried, best, liked, error, (tried, best, liked))
        text = " ".join(advice_sentences(judged, steps_of(short())[3], Voice(NAMES)))
        assert "four aces" not in text
        assert ("34.0" in text) == ("two high" in text) == judged.clear


def test_actions_have_short_names() -> None:
    assert action_text(Tried(None, 0.5, 0), LIARS) == "challenge"
    assert action_text(Tried(None, 0.5, 0, waits=True), LIARS) == "wait"
    assert action_text(Tried("pair:3", 0.5, 0), LIARS) == "pair of threes"


def test_only_clear_mistakes_are_listed_the_costliest_first() -> None:
    pieces = [advice(0.01, 0.02, seq=1), advice(0.2, seq=2), advice(0.3, 0.4, seq=3)]
    pieces += [advice(0.05, seq=4), advice(0.05, seq=5)]
    assert [piece.seq for piece in costliest(pieces)] == [2, 4, 5]


def test_a_player_sees_their_own_decisions_and_not_those_made_for_them() -> None:
    match = short()
    assert [piece.seq for piece in own_decisions(match, 1)] == [3]
    log = (*match.log[:2], replace(match.log[2], by_house=True), *match.log[3:])
    assert own_decisions(replace(match, log=log), 1) == ()
    assert [piece.seq for piece in round_decisions(match, 1)] == [2, 3, 4]
    assert round_decisions(match, 2) == ()


# -- as text ---------------------------------------------------------------------------------------
def test_the_whole_match_as_text() -> None:
    lines = list(text_lines(short(), {4: advice(error=1)}))
    assert lines[0] == "Liars' Poker, match 12: Ann, Bob and Cleo, 1 round, 2026-09-21"
    assert lines[1:6] == [
        "",
        "Round 1: Ann opens, 6 cards in play.",
        "  Ann   A♠ K♦",
        "  Bob   ★ 9♣",
        "  Cleo  9♦ 2♥",
    ]
    at = lines.index("      Given the bids before it: about 50.0% likely.")
    assert lines[at - 2].startswith("  Cleo challenged Bob's four kings.")
    assert lines[-1] == "Ann wins the match."


def test_a_middle_hand_is_shown_with_the_hands() -> None:
    match = whole(options={"middle_hand": True})
    assert any(line.startswith("  Middle") for line in text_lines(match))


@pytest.mark.thorough
def test_replays_in_the_bots_own_process_import_no_compiled_code() -> None:
    """Check the imports: loading compiled code delays every table."""
    program = """
import sys
import bot.discord.replays.handlers, bot.discord.replays.coach
from bot.replays.coaching import own_decisions
from bot.replays.match_file import file_text
from bot.replays.page import page_html
from tests.bot.replays.matches import whole
match = whole()
assert own_decisions(match, 0) and file_text(match) and page_html(match)
print([name for name in ("numpy", "numba", "llvmlite", "matplotlib") if name in sys.modules])
"""
    root = Path(__file__).parents[3]
    ran = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert ran.stdout == "[]\n", ran.stderr


# -- what is asked again of a coach's word ---------------------------------------------------------

RULES = ruleset("thai_poker")
DONE, BEST = Tried("pair:K", 0.30, 0), Tried("high_card:A", 0.45, 5)
CLOSE, FAR, DOUBT = Tried("pair:9", 0.44, 0), Tried("pair:J", 0.20, 0), Tried(None, 0.25, 0)


def advice_among(*tried: Tried, best: Tried = BEST, error: float = 0.02) -> Advice:
    return Advice(7, 0, Chance(1, 2), 0.5, DONE, best, best, error, (DONE, *tried))


def test_mistakes_of_ten_points_and_clearly_above_the_error_are_asked_again() -> None:
    judged = advice_among(BEST)
    unsure = advice_among(BEST, error=0.16)
    cheap = advice_among(best=Tried("high_card:A", 0.399, 5), error=0.001)
    assert costly([judged, unsure, cheap]) == (judged,)


def test_a_question_has_four_choices_with_one_clearly_best() -> None:
    shown_candidates = candidates(
        advice_among(BEST, CLOSE, FAR, DOUBT, Tried("pair:10", 0.1, 0)), RULES
    )
    assert shown_candidates == (
        BEST,
        FAR,
        DONE,
        DOUBT,
    )  # in the ladder's order, what is no bid last
    assert candidates(advice_among(BEST, CLOSE), RULES) == (BEST, DONE)


def test_neighbouring_bids_are_tried_if_the_coach_tried_too_few() -> None:
    match = apply(start(RULES, range(2)), fair_deal(start(RULES, range(2)), seed_from("beside")))
    position_view = view_of(match, match.round.turn)  # type: ignore[union-attr]
    position = observe(position_view, Memory("sharp", 1))
    assert position is not None
    decision = Decision(2, position, MakeBid(position.seat, "pair:K"))
    extended = with_untried(decision, advice_among(BEST), RULES)
    keys = [tried.action.key for tried in extended if isinstance(tried.action, MakeBid)]
    assert keys == ["high_card:9", "high_card:T", "pair:9", "high_card:K"]
    assert all(tried.position == position for tried in extended)
    asleep = replace(decision, position=replace(position, turn=1 - position.seat))
    assert with_untried(asleep, advice_among(BEST), RULES) == ()


def test_a_field_differs_where_most_in_the_same_position_acted_differently() -> None:
    deal = fair_deal(start(RULES, range(2)), seed_from("field"))
    nine, ten, jack = (MakeBid(0, f"high_card:{rank}") for rank in "9TJ")
    answer = MakeBid(1, "pair:9")
    own_actions = (deal, nine, answer, Challenge(0))
    others = [
        (deal, ten, answer),
        (deal, ten),
        (deal, nine, answer, MakeBid(0, "pair:K")),
        (deal, jack),
        (deal,),  # given up before it
    ]
    assert partings(own_actions, 0, others) == (
        Parting(4, 1, 1, 1, MakeBid(0, "pair:K")),
    )  # of four, two chose the ten: not most
    most = partings(own_actions, 0, [*others, (deal, ten), (deal, ten)])
    assert most[0] == Parting(2, 1, 6, 4, ten)
    assert partings(own_actions, 0, [(deal, Forfeit(0))]) == ()
    assert partings(own_actions, 0, [own_actions, own_actions]) == ()

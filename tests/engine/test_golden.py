"""Golden files: the games' ladders, whole matches, and the example of Thai Poker's source."""

from __future__ import annotations

from math import comb
from pathlib import Path

import pytest

from engine.actions import Action, Challenge, MakeBid
from engine.play import apply, legal, start
from engine.variants import ruleset
from tests.dealing import Chooser, Habits, fair_deal, play, random_match, seed_from, stacked_deal
from tests.playthroughs import ladder_text, playthrough

GOLDEN = Path(__file__).parents[1] / "golden"

# file, game, options, players, habits
WHOLE_MATCHES = [
    ("liars_poker_2", "liars_poker", {}, 2, Habits(doubt=35)),
    ("liars_poker_6", "liars_poker", {"middle_hand": True, "challengers": "anyone"}, 6, Habits()),
    ("liars_poker_10", "liars_poker", {"flush_card": "highest"}, 10, Habits(doubt=20, leave=1)),
    ("thai_poker_2", "thai_poker", {"two_player_limit": 7}, 2, Habits(reach=12)),
    ("thai_poker_6", "thai_poker", {"challengers": "anyone"}, 6, Habits(leave=2, reach=12)),
    ("thai_poker_10", "thai_poker", {}, 10, Habits(doubt=35, reach=12)),
    ("thai_poker_5_first_out", "thai_poker", {"length": "first_out"}, 5, Habits(reach=12)),
    ("liars_poker_4_first_out", "liars_poker", {"length": "first_out"}, 4, Habits(60, reach=40)),
    ("liars_poker_3_one_more", "liars_poker", {"length": "one_more"}, 3, Habits(doubt=35)),
]


@pytest.fixture
def golden(request):
    """Return a function that compares a text with a golden file; --update-golden rewrites it."""

    def compare(name, text):
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("liars_poker", ruleset("liars_poker")),
        ("liars_poker_52", ruleset("liars_poker", {"jokers": 0})),
        ("thai_poker", ruleset("thai_poker")),
    ],
)
def test_the_ladder_is_the_printed_one(name, rules, golden):
    golden(f"{name}.ladder", ladder_text(rules.ladder, rules.wording))


@pytest.mark.parametrize(("name", "key", "options", "players", "habits"), WHOLE_MATCHES)
def test_a_whole_match_is_played_as_it_is_written_down(name, key, options, players, habits, golden):
    match = start(ruleset(key, options), range(players))
    steps = random_match(match, Chooser(name), habits)
    golden(f"{name}.playthrough", playthrough(match, [action for _, action in steps]))


def test_the_sources_worked_example_is_bid_and_judged_as_it_says(golden):
    rules = ruleset("thai_poker")
    beginning = start(rules, range(3), opener=1)
    # three rounds that cost each of them a card, so that all hold three and Ann opens
    match = beginning
    log: list[Action] = []
    for opener, key, checker, card in (
        (1, "royal_flush:s", 2, "9c"),  # Bob loses and opens
        (1, "high_card:A", 2, "Ac"),  # Cleo loses and opens
        (2, "high_card:A", 0, "Ac"),  # Ann loses and opens
    ):
        log += [stacked_deal(match, {opener: card}), MakeBid(opener, key), Challenge(checker)]
        match = play(match, *log[-3:])
    assert match.opener == 0
    # the source deals the ace of spades and the queen of hearts twice: Bob's are clubs and spades
    hands = {0: "As Qh Qc", 1: "Ac Qs 9d", 2: "Ah Jd Js"}
    bids = ["high_card:A", "pair:Q", "pair:A", "straight:A"]
    log.append(stacked_deal(match, hands))
    log += [MakeBid(number % 3, key) for number, key in enumerate(bids)]
    match = play(beginning, *log)
    after = apply(match, Challenge(1))
    judged = after.round.judgement if after.round is not None else None
    assert judged is not None
    assert [str(need.cards) for need in judged.proof.lacking] == ["Ts Th Td Tc", "Ks Kh Kd Kc"]
    assert [seat.cards for seat in after.seats] == [4, 3, 3]
    assert after.opener == 0
    note = 'the example of "Official rules created by: Jeremiasz Preiss, December 5, 2023": round 4'
    golden("thai_poker_source.playthrough", playthrough(beginning, [*log, Challenge(1)], [note]))


def sequences(match, depth):
    """Return the number of sequences of `depth` actions: bids, or bids and a final challenge."""
    allowed = legal(match)
    assert allowed.bidder is not None
    if depth == 1:
        return sum(map(len, allowed.rungs)) + len(allowed.challengers)
    return sum(
        sequences(apply(match, MakeBid(allowed.bidder, bid.key)), depth - 1)
        for rung in allowed.rungs
        for bid in rung
    )


@pytest.mark.parametrize(("depth", "count"), [(1, 68), (2, 2346), (3, 52394)])
def test_thai_poker_has_as_many_bidding_sequences_as_combinations_of_its_bids(depth, count):
    match = start(ruleset("thai_poker"), range(3), 0)
    match = play(match, fair_deal(match, seed_from("count")))
    assert sequences(match, depth) == count == comb(68, depth) + (depth > 1) * comb(68, depth - 1)


@pytest.mark.parametrize(("depth", "count"), [(1, 385), (2, 74191)])
def test_liars_poker_has_as_many_bidding_sequences_as_choices_from_different_rungs(depth, count):
    match = start(ruleset("liars_poker"), range(3), 0)
    match = play(match, fair_deal(match, seed_from("count")))
    # 309 rungs of one bid and 19 of four: pairs of bids that do not share a rung
    pairs = (385**2 - 309 * 1**2 - 19 * 4**2) // 2
    assert sequences(match, depth) == count == (385 if depth == 1 else pairs + 385)


def test_the_written_matches_show_every_kind_of_ending():
    texts = [path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("*.playthrough"))]
    for sentence in (
        "there with",
        "not there",
        "is out",
        "is out too",
        "wins the match",
        "leaves",
        "the turn passes",
    ):
        assert any(sentence in text for text in texts), sentence

"""Play by a shipped strategy: the positions where it is used, and the chances of its actions."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import engine.players
from engine.actions import Challenge, Forfeit, MakeBid
from engine.ladder import Ladder
from engine.play import start
from engine.players.blueprint import playing
from engine.players.blueprint.abstraction import abstraction_of
from engine.players.blueprint.playing import blueprint_of
from engine.players.blueprint.shipped import has_blueprints, index
from engine.players.blueprint.strategy import Strategy
from engine.players.deciding import choose
from engine.players.memory import Memory
from engine.players.networks import WeightsError
from engine.players.position import observe
from engine.state import Cause
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import fair_deal, play, seed_from, stacked_deal
from tests.engine.rounds import with_cards
from tests.third_game import VARIANT

THAI, LIARS = ruleset("thai_poker"), ruleset("liars_poker")
EVERYBODY = Memory("sharp", 7)


def shipped_round(cards, rules=THAI):
    """Return the abstraction and the strategy of a round; assert that they are shipped."""
    blueprint = blueprint_of(rules, cards)
    assert blueprint is not None
    return blueprint


def blueprint_choice(position):
    return playing.blueprint_choice(position, THAI)


def two(opener="Kc", replier="Ad", seats=2, **hands):
    """Return a match of Thai Poker with these cards dealt; seat 0 opens.

    `hands`: the cards of seats from 2 on.
    """
    match = start(THAI, range(seats), 0)
    match = with_cards(match, *(len(text.split()) for text in (opener, replier, *hands.values())))
    dealt = {0: opener, 1: replier, **{2 + n: text for n, text in enumerate(hands.values())}}
    return play(match, stacked_deal(match, dealt))


def at(match, seat, seed=7):
    return observe(view_of(match, seat), replace(EVERYBODY, seed=seed))


def chances_of(position, cards, *bids):
    """Return the shipped strategy's chance of each action in `position`, after `bids`.

    `cards` are the numbers of cards dealt, the opener's first; `bids` are places in the ladder.
    """
    abstraction, strategy = shipped_round(cards)
    hand = abstraction.hand_of(position.seat, position.hole)
    return {
        Challenge(position.seat)
        if bid is None
        else MakeBid(position.seat, THAI.ladder.at(abstraction.bids[bid]).key): chance
        for bid, chance in strategy.at([abstraction.places[place] for place in bids], hand)
    }


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [THAI, LIARS], ids=["thai", "liars"])
def test_the_file_is_the_one_whose_digest_and_figures_are_shipped(rules):
    entry = index()[rules.key]
    folder = engine.players.__path__[0]
    with open(f"{folder}/weights/{entry['file']}", "rb") as file:  # noqa: PTH123
        content = file.read()
    assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    assert all(blueprint_of(rules, cards) is None for cards in ((7, 7), (9, 9)))
    for name in entry["exploitability"]:
        cards = tuple(map(int, name.split("-")))
        assert shipped_round(cards, rules)[0].cards == cards


def test_all_that_is_shipped_is_small():
    weights = Path(engine.players.__file__).parent / "weights"
    assert sum((weights / entry["file"]).stat().st_size for entry in index().values()) < 18_000_000


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("match", "bids"),
    [
        (two("9c", "Kd"), ()),
        (play(two("Kd", "Tc"), MakeBid(0, "high_card:9")), (0,)),
        (play(two("9c", "Kd Ts"), MakeBid(0, "high_card:T")), (1,)),
        (two("9c Td Kh", "Kd Ks Ad"), ()),
        (play(two("9c Td Kh", "Kd 9s Ad"), MakeBid(0, "high_card:Q")), (3,)),
    ],
    ids=[
        "a nine opens",
        "a ten answers",
        "two cards answer one",
        "three cards open",
        "three cards answer",
    ],
)
def test_sharp_draws_each_action_as_often_as_the_table_says(match, bids):
    position = at(match, match.round.turn)
    chances = chances_of(position, position.dealt, *bids)
    assert len(chances) > 1
    drawn = Counter(choose(replace(position, seed=seed), THAI).action for seed in range(1000))
    assert set(drawn) <= set(chances)
    for action, chance in chances.items():
        assert drawn[action] / 1000 == pytest.approx(chance, abs=0.06)


def test_openings_at_a_table_vary_and_are_drawn_from_the_file_that_is_shipped():
    folder, entry = Path(engine.players.__file__).parent / "weights", index()["thai_poker"]
    content = (folder / entry["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    with np.load(BytesIO(content)) as file:
        strategy = Strategy.of({k[4:]: file[k] for k in file.files if k.startswith("3-3/")})
    abstraction = abstraction_of(THAI, (3, 3))
    first = start(THAI, range(2), 0)
    opened: Counter[str] = Counter()
    for number in range(200):
        position = at(play(first, fair_deal(first, seed_from(f"opening {number}"))), 0, number)
        chances = strategy.at([], abstraction.hand_of(0, position.hole))
        sums = np.cumsum([chance for _, chance in chances[:-1]])
        drawn = (position.chance >> 11) / 2**53
        bid, _ = chances[int(np.searchsorted(sums, drawn, side="right"))]
        action = choose(position, THAI).action
        assert bid is not None
        assert action == MakeBid(0, THAI.ladder.at(abstraction.bids[bid]).key)
        opened[action.key] += 1
    assert len(opened) > 5
    assert max(opened.values()) < 100


def test_the_same_position_gives_the_same_choice():
    position = at(two("Tc", "Kd"), 0)
    assert blueprint_choice(position) == blueprint_choice(position)


def test_a_bid_that_no_table_knows_is_challenged():
    match = play(two("Kc Ad 9c", "9d Tc Td"), MakeBid(0, "flush:s"))
    assert blueprint_choice(at(match, 1)).action == Challenge(1)
    certain = replace(at(match, 1), challengers=())
    assert blueprint_choice(certain) is None


def test_what_is_certain_is_not_challenged_and_what_cannot_hold_is():
    match = play(two("Kc Ad 9c", "9d Tc Td"), MakeBid(0, "pair:T"))
    for seed in range(50):
        assert isinstance(blueprint_choice(at(match, 1, seed)).action, MakeBid)
    match = play(two("Kc Ad 9c", "9d Tc Td"), MakeBid(0, "four:A"))
    assert blueprint_choice(at(match, 1)).action == Challenge(1)


def test_where_no_higher_bid_is_known_the_next_of_the_ladder_is_made(monkeypatch):
    match = play(two("Kc Ad 9c", "9d Tc Td"), MakeBid(0, "four:A"))
    abstraction, _ = shipped_round((3, 3))
    standing = abstraction.places[at(match, 1).standing]
    monkeypatch.setattr(Strategy, "at", lambda *_: ((standing, 1.0),))
    chosen = blueprint_choice(at(match, 1)).action
    assert THAI.ladder.place(THAI.ladder.bid(chosen.key)) == at(match, 1).standing + 1


@pytest.mark.parametrize(
    "match",
    [
        two("Kc", "Ad", seats=3, third="9d"),  # three are live
        two("Kc Kd Kh Ks 9c 9d 9h", "Ad Ac Ah"),  # too many cards to be shipped
    ],
    ids=["three live", "many cards"],
)
def test_elsewhere_it_says_nothing(match):
    assert blueprint_choice(at(match, match.round.turn)) is None


def test_cards_of_a_player_who_gave_up_are_in_play_and_it_says_nothing():
    match = play(two("Kc", "Ad", seats=3, third="9d"), Forfeit(2, Cause.WISH))
    assert len(match.live) == 2
    assert blueprint_choice(at(match, 0)) is None


def test_out_of_turn_and_beside_a_middle_hand_it_says_nothing():
    position = at(two(), 0)
    assert blueprint_choice(replace(position, turn=1)) is None
    assert blueprint_choice(replace(position, middle_size=1)) is None


def test_the_greatest_random_number_takes_the_last_action(monkeypatch):
    position = at(two("Ac", "Kd"), 0)
    monkeypatch.setattr(Strategy, "at", lambda self, bids, hand: ((0, 0.5), (2, 0.5)))
    monkeypatch.setattr(type(position), "chance", (1 << 64) - 1)
    assert blueprint_choice(position).action == MakeBid(0, "high_card:J")


def test_the_card_limits_of_a_table_do_not_matter_to_what_is_shipped():
    limited = ruleset("thai_poker", {"challengers": "anyone", "two_player_limit": 7})
    assert blueprint_of(limited, (1, 1)) is not None
    assert blueprint_of(limited, (1, 1)) is blueprint_of(limited, (1, 1))


def test_other_games_and_other_bids_have_no_table():
    third = VARIANT.ruleset()
    assert not has_blueprints(third)
    assert has_blueprints(THAI)
    assert blueprint_of(third, (2, 2)) is None
    assert blueprint_of(LIARS, (2, 2)) is not None
    assert blueprint_of(ruleset(LIARS.key, {"jokers": 0}), (2, 2)) is None
    bids = tuple((bid,) for bid in THAI.ladder)
    assert blueprint_of(replace(THAI, ladder=Ladder(bids[1:]), version=3), (1, 1)) is None
    shared = (tuple(THAI.ladder.at(place) for place in range(2)), *bids[2:])
    assert blueprint_of(replace(THAI, ladder=Ladder(shared), version=2), (1, 1)) is None


def test_a_damaged_file_is_refused(monkeypatch):
    entry = index()["thai_poker"] | {"sha256": "0" * 64}
    monkeypatch.setattr(playing, "index", lambda: {"thai_poker": entry})
    blueprint_of.cache_clear()
    with pytest.raises(WeightsError, match="are not those that were shipped"):
        blueprint_of(THAI, (1, 1))

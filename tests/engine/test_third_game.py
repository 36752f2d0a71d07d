"""A third game needs one new file and one line: these tests add such a game and play it."""

from __future__ import annotations

import pytest

from engine import variants
from engine.actions import from_json, to_json
from engine.errors import RulesetError
from engine.play import start
from engine.view import view_of
from engine.wording import BidTextError
from tests.dealing import Chooser, Habits, play, random_match
from tests.third_game import VARIANT


@pytest.fixture(autouse=True)
def third_game(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)


@pytest.fixture
def rules():
    return variants.ruleset("royal_bluff")


def test_its_ruleset_is_found_by_its_key_and_takes_its_options(rules):
    assert (rules.title, len(rules.ladder), rules.most_players) == ("Royal Bluff", 12, 4)
    assert variants.ruleset("royal_bluff", {"jokers": 1}).deck.size == 17
    with pytest.raises(RulesetError, match="jokers is one of 0, 1, not 2"):
        variants.ruleset("royal_bluff", {"jokers": 2})


def test_its_bids_are_said_and_understood(rules):
    for bid in rules.ladder:
        assert rules.wording.parse(rules.wording.say(bid)) == bid
    assert rules.wording.parse("kkk").key == "three:K"
    with pytest.raises(BidTextError, match='Did you mean "all the kings"'):
        rules.wording.parse("al the kings")
    with pytest.raises(BidTextError, match='Example: "a jack"'):
        rules.wording.parse("pear")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_match_of_it_is_played_and_replayed(players):
    beginning = start(variants.ruleset("royal_bluff", {"jokers": 1}), range(players))
    steps = list(random_match(beginning, Chooser(f"third {players}"), Habits(doubt=40)))
    log = [to_json(action) for _, action in steps]
    ended = play(beginning, *map(from_json, log))
    assert ended.live == (ended.winner,)
    assert view_of(ended, 0).winner == ended.winner

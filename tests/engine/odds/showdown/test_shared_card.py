"""Stud with more players than the pack has sevens for: the last card is everybody's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules, game_of
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.scenario import parse_scenario
from tests.engine.odds.showdown.test_equity import agrees_with_oracle

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
SIX_EACH = [
    "As2s3s4h7d9c", "Ah2hKdKcQd7c", "Ad3h5h6h8cTc", "8d8hJsJcQc2c",
    "TdTh9d9h4d4c", "Ks6s5s5dJh3c", "Qs7s7hTs6c6d", "QhJd8s9s2d5c",
]  # fmt: skip


@pytest.mark.parametrize("game", ["stud", "stud8", "razz"])
def test_eight_players_share_the_last_card(game: str) -> None:
    scenario = parse_scenario(SIX_EACH, rules=PRESETS[game])
    assert (scenario.rules.private, scenario.rules.public) == (6, 1)
    assert len(scenario.left) == 4
    answer = showdown_odds(scenario, Effort(exact=True))
    assert answer.deals == 4
    agrees_with_oracle(scenario, answer)


def test_eight_unknown_hands_share_the_pot_alike() -> None:
    answer = showdown_odds(parse_scenario([""] * 8, rules=PRESETS["stud"]), Effort(deals=4096))
    assert sum(player.value for player in answer.players) == 1
    assert all(abs(float(player.value) - 1 / 8) < 0.04 for player in answer.players)


def test_with_dead_cards_seven_players_share_it_too() -> None:
    assert PRESETS["stud"].dealt_to(7, 3) is PRESETS["stud"]
    assert PRESETS["stud"].dealt_to(7, 4).public == 1
    assert PRESETS["razz"].dealt_to(8) == replace(PRESETS["razz"], private=6, public=1)
    scenario = parse_question("stud As2s3s vs 7 opponents")
    assert (len(scenario.players), scenario.rules.public) == (8, 1)


@pytest.mark.parametrize(("players", "dead"), [(9, 0), (8, 4)])
def test_more_than_the_pack_has_are_refused(players: int, dead: int) -> None:
    assert PRESETS["stud"].dealt_to(players, dead) is PRESETS["stud"]
    with pytest.raises(TextError, match="the pack has 52"):
        parse_scenario([""] * players, dead="2c2d2h2s"[: 2 * dead], rules=PRESETS["stud"])


def test_other_games_are_dealt_as_they_are() -> None:
    for game in ("draw", "holdem", "badugi"):
        assert PRESETS[game].dealt_to(30) is PRESETS[game]
    assert game_of(PRESETS["stud8"].dealt_to(8), 8) == "stud8"
    assert game_of(PRESETS["stud8"], 7) == "stud8"
    assert game_of(ShowdownRules(private=9), 2) is None

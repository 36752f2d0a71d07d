"""The rules page's statements about play, checked against the engine in whole matches.

The page reads the deck, the ladder, the limits and who may challenge from the ruleset. But its
statements about play are fixed texts, which a changed rule would make false.
"""

from __future__ import annotations

import pytest

from bot.boards.rules import rules_board
from engine.actions import Challenge, Deal, MakeBid
from engine.bids import holds
from engine.play import apply, legal, start
from engine.rotation import card_limit
from engine.ruleset import OptionValue
from engine.state import Match
from engine.variants import VARIANTS, ruleset
from tests.bot.boards.rounds import board_text
from tests.dealing import Chooser, Habits, random_match

OPENS = "The loser gets one more card from then on, and opens the next round"
JUDGED = "If the hand is there, the player who"
HIGHER = "higher than the last one"
OUT = "too many cards"


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.parametrize(
    "options",
    [{}, {"challengers": "anyone"}, {"length": "first_out"}],
    ids=["usual", "anyone", "first out"],
)
def test_the_engine_plays_what_the_rules_page_says(
    game: str, options: dict[str, OptionValue]
) -> None:
    rules = ruleset(game, options)
    page = board_text(rules_board(game, options))
    for sentence in (OPENS, JUDGED, HIGHER, OUT):
        assert sentence in page
    only_next = "Only the next player can" in page
    judged = 0
    for number in range(3):
        standing = -1
        for match, action in random_match(start(rules, range(4)), Chooser(f"{number}"), Habits()):
            after = apply(match, action)
            if isinstance(action, Deal):
                standing = -1
            elif isinstance(action, MakeBid):
                rung = rules.ladder.number(rules.ladder.bid(action.key))
                assert rung > standing, HIGHER
                standing = rung
                challengers = legal(after).challengers
                assert len(challengers) == (1 if only_next else len(after.live) - 1)
            elif isinstance(action, Challenge):
                check_challenge(match, action, after)
                judged += 1
    assert judged > 20


def check_challenge(before: Match, challenge: Challenge, after: Match) -> None:
    """Assert that a challenge's loser gets a card and opens next, or is out, as the page says.

    Also assert that no other player's number of cards changes.
    """
    assert before.round is not None
    assert before.round.standing is not None
    standing = before.round.standing
    loser = challenge.seat if holds(standing.bid, before.round.pool) else standing.seat
    cards, now = before.seats[loser].cards, after.seats[loser]
    if now.live:
        assert now.cards == cards + 1, OPENS
        assert after.opener == loser, OPENS
    else:
        assert cards + 1 > card_limit(before.ruleset, before.seats), OUT
    for was, later in zip(before.seats, after.seats, strict=True):
        if later.live and was.player != now.player:
            assert later.cards == was.cards, OPENS

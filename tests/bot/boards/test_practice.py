"""The message of a practice: hints, and no button twice."""

from __future__ import annotations

import pytest

from bot.boards.board import Text
from bot.boards.practice import hint_notice, practice_board
from bot.language.words import TypedText
from engine.actions import MakeBid
from tests.bot.boards.rounds import buttons
from tests.bot.tables.scenes import ANN, dealt, match_of, moved, shown_down

AGNES = -101


@pytest.mark.parametrize("cards", ["9c 9d", "Kc Kd", "9c Jd"])
def test_a_hint_that_names_the_next_bid_offers_it_once(cards: str) -> None:
    live = dealt(ANN, AGNES, hands={0: cards, 1: "Jc Qd"})
    notice = hint_notice(match_of(live), ANN)
    assert notice.advised is not None
    key = notice.advised.key
    shown = buttons(practice_board(live, ANN, {}, notice=notice))
    asked = [(one.verb, one.choice) for one in shown]
    assert len(asked) == len(set(asked))
    assert ("call", key) in asked
    (label,) = [one.label for one in shown if one.verb == "call"]
    assert label.endswith("0%")
    assert ("pad", f"={key}") not in asked


def test_who_is_not_to_act_is_told_so() -> None:
    live = moved(dealt(ANN, AGNES), MakeBid(0, "pair:9"))
    assert hint_notice(match_of(live), ANN).text.startswith("There is nothing to decide now")


def test_who_holds_how_many_cards_and_what_the_other_is_stands_on_top() -> None:
    board = practice_board(dealt(ANN, AGNES), ANN, {})
    (top, *_) = board.blocks
    assert isinstance(top, Text)
    assert top.markdown.splitlines() == [
        "-# Thai Poker · match 9 · Round 1",
        "-# you 3 cards · Agnes (computer) 3 cards · at most 6",
    ]


def test_after_a_showdown_one_press_leads_on() -> None:
    board = practice_board(shown_down(dealt(ANN, AGNES), "pair:9"), ANN, {ANN: TypedText("Ann")})
    assert [one.label for one in buttons(board)] == ["Fair deal ✓", "Next round", "Rules", "End"]

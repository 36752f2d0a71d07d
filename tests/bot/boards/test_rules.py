"""The board of a game's rules: every word of it comes from the ruleset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.boards.rules import rules_board
from engine.ladder import Ladder
from engine.ruleset import OptionValue
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, THAI, said


def rules_text(game: str, **options: OptionValue) -> str:
    return said(rules_board(game, options))


def test_hands_that_stand_otherwise_than_in_standard_poker_are_pointed_out() -> None:
    assert "Unlike in standard poker, a straight beats a flush." in rules_text(LIARS)
    assert (
        "Unlike in standard poker, three of a kind beats a straight and a flush beats a full house."
        in rules_text(THAI)
    )
    assert "standard poker" not in rules_text("royal_bluff")


def test_a_hand_that_beats_one_far_below_it_is_pointed_out_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thai = ruleset(THAI)
    rungs = [(thai.ladder.bid(key),) for key in ("high_card:9", "flush:c", "pair:9", "straight:A")]
    monkeypatch.setattr(
        "bot.boards.rules.ruleset", lambda *_: replace(thai, ladder=Ladder(tuple(rungs)))
    )
    assert (
        "Unlike in standard poker, a pair beats a flush and a straight beats a flush."
        in rules_text(THAI)
    )


def test_what_the_pad_calls_a_kind_stands_beside_its_name_where_that_begins_otherwise() -> None:
    text = rules_text(LIARS)
    for named in ("**Three of a kind** (Trips):", "**Straight** (Str.):", "**Full house**:"):
        assert named in text


def test_suits_that_are_equal_are_not_ranked() -> None:
    text = rules_text(LIARS)
    (flush,) = [line for line in text.splitlines() if line.startswith("- **Flush**")]
    assert flush == (
        "- **Flush**: six high club flush … ace high club flush, and the same in any other suit"
    )
    for suit in ("diamond", "heart", "spade"):
        assert suit not in text


def test_suits_that_are_ranked_go_from_the_lowest_to_the_highest() -> None:
    text = rules_text(THAI)
    assert "- **Flush**: club flush … spade flush\n" in text
    assert "any other suit" not in text


@pytest.mark.parametrize(
    ("game", "options", "cards"),
    [
        (LIARS, {}, "54 cards, 2 of them jokers: each stands for any card."),
        (LIARS, {"jokers": 0}, "52 cards."),
        (THAI, {}, "24 cards, nine to ace."),
        ("royal_bluff", {}, "16 cards, jack to ace."),
        ("royal_bluff", {"jokers": 1}, "17 cards, jack to ace, one of them a joker: it stands for"),
    ],
)
def test_the_deck_is_counted_once(game: str, options: dict[str, OptionValue], cards: str) -> None:
    text = rules_text(game, **options)
    assert cards in text
    size = ruleset(game, options).deck.size
    assert text.count(f"{size} cards") == 1
    for other in (16, 17, 24, 52, 54):
        if other != size:
            assert f"{other} cards" not in text


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (
            LIARS,
            (
                "In turn, call a poker hand",
                "or challenge. Only the next player may challenge.",
                "whoever challenged loses the round; if not, the caller does.",
            ),
        ),
        (
            THAI,
            (
                "In turn, bid a poker hand",
                "or check. Only the next player may check.",
                "whoever checked loses the round; if not, the bidder does.",
            ),
        ),
        (
            "royal_bluff",
            (
                "In turn, claim a poker hand",
                "Only the next player may doubt.",
                "whoever doubted loses the round; if not, the claimer does.",
            ),
        ),
    ],
)
def test_the_rules_are_told_in_the_games_own_words(game: str, words: tuple[str, ...]) -> None:
    for part in words:
        assert part in rules_text(game)


def test_house_rules_change_what_is_said() -> None:
    text = rules_text(LIARS, challengers="anyone", middle_hand=True, odds_at_table="off")
    assert "Anybody but the caller may challenge, at any time." in text
    assert "2 to 9 players." in text
    assert "One more hand is dealt face down to nobody." in text


def test_the_length_of_the_match_changes_what_is_said() -> None:
    assert "they are out. The last one left wins." in rules_text(LIARS)
    text = rules_text(LIARS, length="first_out")
    assert "that ends the match: whoever then holds the fewest cards wins. A tie is played" in text
    assert "last one left" not in text
    text = rules_text(LIARS, length="one_more")
    assert "Everybody starts with 3 cards and may hold at most 5 cards." in text
    assert "The last one left wins." in text
    assert "starts with 2 to 4 cards" in rules_text(THAI, length="one_more")


def test_how_many_cards_one_may_hold_depends_on_whom_the_limit_counts() -> None:
    assert "Everybody starts with 2 cards and may hold at most 5 cards." in rules_text(LIARS)
    assert (
        "starts with 1 to 3 cards (depending on how many play) and may hold at most"
        " 2 to 6 cards, depending on how many players are left." in rules_text(THAI)
    )
    assert "cards, depending on how many players played at the start." in rules_text(
        THAI, limit_counts="starting"
    )

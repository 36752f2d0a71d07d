"""The rules page, which is written from a game's ruleset, and the how-to-play example."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.boards.board import Address, Board, Menu, ShowdownPicture
from bot.boards.howto import STEPS, Cast, ExampleStage, example, howto_board, onwards_text
from bot.boards.rules import rules_board
from bot.language.words import cards_counted
from bot.tables.model import Status
from engine.bids import holds
from engine.cards import Cards
from engine.ladder import Ladder
from engine.ruleset import OptionValue
from engine.variants import VARIANTS, ruleset
from tests.bot.boards.rounds import ANN, BOB, LIARS, THAI, board_text, hands, labels, table

# -- the rules -------------------------------------------------------------------------------------


def rules_text(game: str, **options: OptionValue) -> str:
    return board_text(rules_board(game, options))


def test_hands_ranked_differently_from_standard_poker_are_pointed_out() -> None:
    assert "Unlike in standard poker, a straight beats a flush." in rules_text(LIARS)
    assert (
        "Unlike in standard poker, three of a kind beats a straight, and a flush beats a full"
        " house." in rules_text(THAI)
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
        "Unlike in standard poker, a pair beats a flush, and a straight beats a flush."
        in rules_text(THAI)
    )


def test_suits_that_are_equal_are_not_ranked_and_others_go_from_the_lowest_to_the_highest() -> None:
    text = rules_text(LIARS)
    for named in ("**Three of a kind**:", "**Straight**:", "**Full house**:"):
        assert named in text  # what the pad calls a kind, where its name begins otherwise
    (flush,) = [line for line in text.splitlines() if line.startswith("- **Flush**")]
    assert flush == (
        "- **Flush**: six high club flush … ace high club flush, or in any other suit:"
        " no suit is higher"
        " (the named card and any four others of its suit, higher or lower)"
    )
    assert "(the named card and four lower ones of its suit)" in rules_text(
        LIARS, flush_card="highest"
    )
    for suit in ("diamond", "heart", "spade"):
        assert suit not in text
    text = rules_text(THAI)
    assert "- **Flush**: club flush … spade flush\n" in text
    assert "any other suit" not in text
    assert "named card" not in text


@pytest.mark.parametrize(
    ("game", "options", "cards"),
    [
        (LIARS, {}, "52 cards plus two jokers, which count as any card."),
        (LIARS, {"jokers": 0}, "52 cards."),
        (THAI, {}, "24 cards, nine to ace."),
        ("royal_bluff", {}, "16 cards, jack to ace."),
        (
            "royal_bluff",
            {"jokers": 1},
            "16 cards, jack to ace plus one joker, which counts as any card.",
        ),
    ],
)
def test_the_deck_is_counted_once(game: str, options: dict[str, OptionValue], cards: str) -> None:
    text = rules_text(game, **options)
    assert cards in text
    deck = ruleset(game, options).deck
    size = deck.size - deck.jokers
    assert text.count(f"{size} cards") == 1
    for number in (16, 17, 24, 52, 54):
        if number != size:
            assert f"{number} cards" not in text


def test_the_rules_are_told_in_the_games_own_words() -> None:
    for game, verb, doubt, doubted, bidder in (
        (LIARS, "bid", "challenge", "challenged", "bidder"),
        (THAI, "bid", "challenge", "challenged", "bidder"),
        ("royal_bluff", "claim", "doubt", "doubted", "claimer"),
    ):
        text = rules_text(game)
        assert f"On your turn, {verb} a poker hand" in text
        assert f"or {doubt}. Only the next player can {doubt}." in text
        assert f"the player who {doubted} loses the round. If not, the {bidder} does." in text


def test_the_page_of_rules_has_the_words_of_the_published_rules() -> None:
    assert 'Some rule books say "call" for a bid.' in rules_text(LIARS)
    assert 'Some rule books say "check" for a challenge.' in rules_text(THAI)
    assert "rule books" not in rules_text("royal_bluff"), "its words are its own"


def test_house_rules_change_the_page() -> None:
    text = rules_text(LIARS, challengers="anyone", middle_hand=True, odds_at_table="off")
    assert "Anyone but the bidder can challenge, at any time." in text
    assert "2 to 9 players." in text
    assert "One extra hand is dealt face down." in text


def test_the_length_of_the_match_changes_the_page() -> None:
    assert "With too many cards you're out. The last player left wins." in rules_text(LIARS)
    text = rules_text(LIARS, length="first_out")
    assert "that ends the match: the fewest cards win. Ties are played" in text
    assert "last player left" not in text
    text = rules_text(LIARS, length="one_more")
    assert "Everyone starts with 3 cards and can hold at most 5 cards." in text
    assert "The last player left wins." in text
    assert "starts with 2 to 4 cards" in rules_text(THAI, length="one_more")


def test_the_card_limit_depends_on_which_players_it_counts() -> None:
    assert "Everyone starts with 2 cards and can hold at most 5 cards." in rules_text(LIARS)
    assert (
        "starts with 1 to 3 cards (depending on how many play) and can hold at most"
        " 2 to 6 cards, depending on how many players are left." in rules_text(THAI)
    )
    assert "cards, depending on how many players played at the start." in rules_text(
        THAI, limit_counts="starting"
    )


# -- the example round, whichever way it is played -------------------------------------------------

GAMES = ("liars_poker", "thai_poker", "royal_bluff")


def test_every_game_is_tested_here() -> None:
    assert set(VARIANTS) <= set(GAMES)


def choices(board: Board) -> list[str]:
    return [button.choice for row in board.rows if not isinstance(row, Menu) for button in row]


@pytest.mark.parametrize("game", GAMES)
def test_the_example_is_dealt_from_the_deck_and_both_bids_are_there(game: str) -> None:
    rules = ruleset(game)
    dealt = example(rules)
    hands = (dealt.yours, dealt.bobs, dealt.cleos)
    assert [len(hand) for hand in hands] == [2, 2, 2]
    assert len(dealt.pool) == 6
    assert dealt.pool - rules.deck.cards == Cards()
    for bid in (dealt.first, dealt.higher):
        assert holds(bid, dealt.pool)
        assert game == "royal_bluff" or not any(holds(bid, hand) for hand in hands)
    above = rules.ladder.above(dealt.first)
    assert any(dealt.higher in rung for rung in above)


@pytest.mark.parametrize("game", GAMES)
def test_four_steps_lead_to_the_showdown_and_back_either_way(game: str) -> None:
    rules, address = ruleset(game), Address(7)
    for way, loser in (("higher", "Vera"), ("doubt", "You")):
        boards = [howto_board(rules, ExampleStage(), address)]
        picked = {1: "2.", 2: f"3.{way}", 3: f"4.{way}", 4: "1."}
        for step in range(1, STEPS):
            assert picked[step] in choices(boards[-1])
            boards.append(howto_board(rules, ExampleStage.read(picked[step]), address))
        assert [f"{n} of {STEPS}" in board_text(board) for n, board in enumerate(boards, 1)] == [
            True
        ] * STEPS
        assert all(hands(board) == [example(rules).yours] for board in boards[:-1])
        picture = boards[-1].picture
        assert isinstance(picture, ShowdownPicture)
        assert [row.name for row in picture.rows if row.loser] == [loser]
        assert cards_counted(3) in board_text(boards[-1])
        assert choices(boards[-1]) == [picked[4]]
        assert not any("seat" in label.lower() for board in boards for label in labels(board))


STAGES = [ExampleStage(), ExampleStage(2), ExampleStage(3, "higher"), ExampleStage(4, "doubt")]


def test_the_others_cards_are_hidden_until_the_showdown() -> None:
    rules = ruleset("thai_poker")
    dealt = example(rules)
    for stage in (*STAGES[:3], ExampleStage(3, "doubt")):
        board = howto_board(rules, stage, Address(7))
        assert hands(board) == [dealt.yours]
        assert not board.pictures
        for card in dealt.bobs | dealt.cleos:
            assert card.symbol not in board_text(board)


def test_bids_in_the_example_are_written_as_within_any_sentence() -> None:
    rules = ruleset("liars_poker")
    opened = board_text(howto_board(rules, STAGES[1], Address(7)))
    assert "Milo opens with **pair of twos**, claiming" in opened
    assert "You go higher: **pair of aces**." in board_text(
        howto_board(rules, STAGES[2], Address(7))
    )


def test_a_stage_survives_encoding_and_an_invalid_text_is_the_first_stage() -> None:
    for text in ("", "1.", "9.higher", "3.", "4.sideways", "2.doubt", "x"):
        assert ExampleStage.read(text) == ExampleStage()
    for stage in STAGES:
        assert ExampleStage.read(stage.text) == stage


def test_the_last_step_leads_to_the_practice_that_every_step_knows_or_back_to_the_lobby() -> None:
    rules, practice = ruleset("liars_poker"), "liars_poker.careful"
    for stage in STAGES:
        board = howto_board(rules, stage, Address(0), practice=practice)
        assert all(choice.startswith(practice) for choice in choices(board))
        assert ("Practice now" in labels(board)) == (stage.step == STEPS)
        assert "Join" not in board_text(board)
    for control in ("Practice now", "Hint", "Rules"):
        assert f"**{control}**" in board_text(board)
    board = howto_board(rules, STAGES[-1], Address(7), onwards="Off you go.")
    assert labels(board) == ["Show me again"]
    assert board_text(board).endswith("\nOff you go.\n")


def test_what_follows_the_example_depends_on_who_has_a_seat() -> None:
    lobby = table(status=Status.LOBBY)
    stranger = 999
    assert onwards_text(lobby, stranger) == "That's all. Press **Join** at the table."
    host = "That's all. You have a seat: press **Start** once the others have joined."
    assert onwards_text(lobby, ANN) == host
    guest = f"That's all. You have a seat, and <@{ANN}> starts the match."
    assert onwards_text(lobby, BOB) == guest
    assert onwards_text(table(), BOB) == "That's all."


def test_names_in_the_example_differ_from_those_of_people_present_if_possible() -> None:
    for present, cast in (
        (["Ann", "Bob"], Cast("Milo", "Vera")),
        (["milo the Great", "Ann"], Cast("Hugo", "Vera")),
        (["MILO", "Hugo", "vera"], Cast("Ivo", "Nora")),
        (["Milo Hugo Ivo"], Cast("Milo", "Vera")),
    ):
        assert Cast.beside(present) == cast
    board = howto_board(ruleset("liars_poker"), ExampleStage(), Address(7), Cast.beside(["Vera"]))
    assert "An example: you're playing with Milo and Nora." in board_text(board)

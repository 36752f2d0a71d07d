"""The example round: true to the game's rules, whichever game and whichever way it is played."""

from __future__ import annotations

import pytest

from bot.boards.board import Address, Board, Menu, ShowdownPicture
from bot.boards.howto import STEPS, Cast, ExampleStage, example, howto_board
from bot.language.words import cards_counted
from engine.bids import holds
from engine.cards import Cards
from engine.variants import VARIANTS, ruleset
from tests.bot.boards.rounds import hands, labels, said

GAMES = ("liars_poker", "thai_poker", "royal_bluff")


def test_every_game_is_looked_at() -> None:
    assert set(VARIANTS) <= set(GAMES)


def choices(board: Board) -> list[str]:
    return [one.choice for row in board.rows if not isinstance(row, Menu) for one in row]


@pytest.mark.parametrize("game", GAMES)
def test_the_example_is_dealt_from_the_deck_and_both_bids_are_there(game: str) -> None:
    rules = ruleset(game)
    shown = example(rules)
    hands = (shown.yours, shown.bobs, shown.cleos)
    assert [len(one) for one in hands] == [2, 2, 2]
    assert len(shown.pool) == 6
    assert shown.pool - rules.deck.cards == Cards()
    assert all(holds(bid, shown.pool) for bid in (shown.first, shown.higher))
    above = rules.ladder.above(shown.first)
    assert any(shown.higher in rung for rung in above)


@pytest.mark.parametrize("game", ["liars_poker", "thai_poker"])
def test_no_hand_of_the_example_makes_a_bid_alone(game: str) -> None:
    shown = example(ruleset(game))
    for bid in (shown.first, shown.higher):
        assert not any(holds(bid, own) for own in (shown.yours, shown.bobs, shown.cleos))


@pytest.mark.parametrize("game", GAMES)
def test_four_steps_lead_to_the_showdown_and_back_either_way(game: str) -> None:
    rules, address = ruleset(game), Address(7)
    for way, loser in (("higher", "Vera"), ("doubt", "You")):
        boards = [howto_board(rules, ExampleStage(), address)]
        picked = {1: "2.", 2: f"3.{way}", 3: f"4.{way}", 4: "1."}
        for step in range(1, STEPS):
            assert picked[step] in choices(boards[-1])
            boards.append(howto_board(rules, ExampleStage.read(picked[step]), address))
        assert [f"{n} of {STEPS}" in said(one) for n, one in enumerate(boards, 1)] == [True] * STEPS
        assert all(hands(one) == [example(rules).yours] for one in boards[:-1])
        picture = boards[-1].picture
        assert isinstance(picture, ShowdownPicture)
        assert [row.name for row in picture.rows if row.loser] == [loser]
        assert cards_counted(3) in said(boards[-1])
        assert choices(boards[-1]) == [picked[4]]
        assert not any("seat" in one.lower() for board in boards for one in labels(board))


def test_the_others_cards_are_hidden_until_the_showdown() -> None:
    rules = ruleset("thai_poker")
    shown = example(rules)
    for stage in (
        ExampleStage(1),
        ExampleStage(2),
        ExampleStage(3, "higher"),
        ExampleStage(3, "doubt"),
    ):
        board = howto_board(rules, stage, Address(7))
        assert hands(board) == [shown.yours]
        assert not board.pictures
        for card in shown.bobs | shown.cleos:
            assert card.symbol not in said(board)


@pytest.mark.parametrize("text", ["", "1.", "9.higher", "3.", "4.sideways", "2.doubt", "x"])
def test_a_button_that_stands_for_nothing_leads_to_the_beginning(text: str) -> None:
    assert ExampleStage.read(text) == ExampleStage()


def test_a_stage_is_read_as_it_was_written() -> None:
    for stage in (
        ExampleStage(),
        ExampleStage(2),
        ExampleStage(3, "higher"),
        ExampleStage(4, "doubt"),
    ):
        assert ExampleStage.read(stage.text) == stage


def test_before_a_practice_every_step_knows_which_one_and_the_last_leads_there() -> None:
    rules, wanted = ruleset("liars_poker"), "liars_poker.careful"
    for stage in (
        ExampleStage(),
        ExampleStage(2),
        ExampleStage(3, "doubt"),
        ExampleStage(4, "doubt"),
    ):
        board = howto_board(rules, stage, Address(0), practice=wanted)
        assert all(one.startswith(wanted) for one in choices(board))
        assert ("Practice now" in labels(board)) == (stage.step == STEPS)
        assert "Join" not in said(board)
    last = said(howto_board(rules, ExampleStage(4, "doubt"), Address(0), practice=wanted))
    for control in ("Practice now", "Hint", "Rules"):
        assert f"**{control}**" in last


def test_at_a_lobby_the_last_step_leads_back_to_it() -> None:
    board = howto_board(ruleset("liars_poker"), ExampleStage(4, "doubt"), Address(7))
    assert labels(board) == ["Once more"]
    assert "press **Join** at the table" in said(board)


def test_nobody_in_the_example_is_called_as_somebody_present() -> None:
    assert Cast.beside(["Ann", "Bob"]) == Cast("Milo", "Vera")
    assert Cast.beside(["milo the Great", "Ann"]) == Cast("Hugo", "Vera")
    assert Cast.beside(["MILO", "Hugo", "vera"]) == Cast("Ivo", "Nora")
    board = howto_board(ruleset("liars_poker"), ExampleStage(), Address(7), Cast.beside(["Vera"]))
    assert "You play with Milo and Nora." in said(board)


def test_with_all_names_taken_the_example_is_played_all_the_same() -> None:
    assert Cast.beside(["Milo Hugo Ivo"]) == Cast("Milo", "Vera")

"""Helpers for the board tests: build tables and matches in known states, and read boards."""

from __future__ import annotations

from typing import TypeVar

from bot.boards.board import Board, Button, ChartPicture, Hand, Menu, ShowdownPicture, Text
from bot.language.card_marks import mark_cards, write_cards
from bot.language.words import TypedText
from bot.tables.live import LiveTable
from bot.tables.model import Status, Table
from engine.actions import Action, Challenge, MakeBid
from engine.cards import Cards
from engine.play import start
from engine.state import Match
from engine.variants import ruleset
from tests.dealing import play, stacked_deal

C = TypeVar("C")
ANN, BOB, CLEO = 101, 102, 103
NAMES = {ANN: TypedText("Ann"), BOB: TypedText("Bob"), CLEO: TypedText("Cleo")}
LIARS, THAI = "liars_poker", "thai_poker"
# the first round of each game, with cards that its bids can be told by
DEALS = {
    LIARS: {0: "As Kd", 1: "9c *", 2: "9d 2h"},
    THAI: {0: "As Qd", 1: "9c 9h", 2: "Ad Jh"},
    "royal_bluff": {0: "As", 1: "Ad", 2: "Jh"},
}


def table(game: str = LIARS, status: Status = Status.PLAYING, **changes: object) -> Table:
    """Return a table of Ann (the host), Bob and Cleo; `changes` replace the table's fields."""
    values: dict[str, object] = {
        "id": 7,
        "guild_id": 1,
        "channel_id": 2,
        "host_id": ANN,
        "status": status,
        "variant": game,
        "options": {},
        "players": (ANN, BOB, CLEO),
        "version": 1,
        "created_at": 0,
        "updated_at": 0,
        "match_id": 3,
    }
    return Table(**(values | changes))  # type: ignore[arg-type]


def dealt(game: str = LIARS, options: dict[str, object] | None = None) -> Match:
    """Return a match whose first round is dealt as in `DEALS`; Ann opens."""
    match = start(ruleset(game, options), (ANN, BOB, CLEO), 0)  # type: ignore[arg-type]
    return play(match, stacked_deal(match, DEALS[game]))


def bid(match: Match, *texts: str) -> Match:
    """Return the match after these typed bids, made by Ann, Bob, Cleo, Ann and so on."""
    actions: list[Action] = []
    for number, text in enumerate(texts):
        key = match.ruleset.wording.parse(text).key
        actions.append(MakeBid(number % len(match.seats), key))
    return play(match, *actions)


def doubt(match: Match) -> Match:
    """Return the match after a challenge by the player in turn."""
    assert match.round is not None
    assert match.round.turn is not None
    return play(match, Challenge(match.round.turn))


def live(match: Match | None, game: str = LIARS, **changes: object) -> LiveTable:
    """Return a `LiveTable` with this match, if any; `changes` replace the table's fields."""
    return LiveTable(table(game, **changes), match)  # type: ignore[arg-type]


def board_text(board: Board) -> str:
    """Return all the text of a board, its cards written as symbols."""
    texts = [
        block.markdown if isinstance(block, Text) else f"# {mark_cards(block.cards)}"
        for block in board.blocks
        if isinstance(block, Text | Hand)
    ]
    text = "\n".join([*texts, board.footer])
    return write_cards(text, lambda cards: " ".join(card.symbol for card in cards))


def hands(board: Board) -> list[Cards]:
    return [block.cards for block in board.blocks if isinstance(block, Hand)]


def labels(board: Board) -> list[str]:
    return [button.label for button in buttons(board)]


def enabled_labels(board: Board) -> list[str]:
    """Return the labels of the buttons that can be pressed."""
    return [button.label for button in buttons(board) if not button.disabled]


def buttons(board: Board) -> list[Button]:
    """Return a board's buttons: first those attached to a text, then those in rows."""
    beside = [block.beside for block in board.blocks if isinstance(block, Text) and block.beside]
    return beside + [button for row in board.rows if not isinstance(row, Menu) for button in row]


def alt(board: Board) -> str:
    """Return the alt text of the board's showdown picture."""
    assert isinstance(board.picture, ShowdownPicture)
    return board.picture.alt


def chart_of(board: Board, kind: type[C]) -> C:
    """Return the chart that the board's picture is drawn from; assert that it is of this kind."""
    assert isinstance(board.picture, ChartPicture)
    assert isinstance(board.picture.chart, kind)
    return board.picture.chart

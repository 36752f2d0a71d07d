"""What records say where something of them is gone, or was never named."""

from __future__ import annotations

from bot.boards.board import Board, ChartPicture, Text
from bot.boards.stats import Statistics, scope_title, seasons_board, stats_board
from bot.language.catalogues import speaking
from bot.language.words import TypedText
from bot.stats.folding import PersonTotals, Scope
from bot.stats.match_record import CERTAIN, Feat
from bot.stats.ports import LeaderboardRank, Season

ANN = 101
FIRST = Season(1, "Season 1", 0)


def said_by(board: Board) -> str:
    """All that a board says, its pictures in words."""
    blocks = board.blocks
    texts = [one.markdown for one in blocks if isinstance(one, Text)]
    return "\n".join(texts + [one.alt for one in blocks if isinstance(one, ChartPicture)])


def told(scope: Scope, key: str = "pair:3", chance: int = CERTAIN // 10) -> str:
    """The statistics of somebody whose boldest call stood in a match that is stored no more."""
    row = PersonTotals(ANN, matches=1, calls=1, boldest=Feat(7, 1, key, chance))
    board = stats_board(
        Statistics(row, LeaderboardRank(None, 0)),
        TypedText("Title"),
        scope,
        {ANN: TypedText("Ann")},
        {},
    )
    return said_by(board)


def test_a_feat_of_a_match_that_is_gone_is_still_said_in_words() -> None:
    for scope in (Scope(), Scope(game="liars_poker")):
        assert ": Pair of threes (" in told(scope)
    assert ": nonsense (" in told(Scope(), "nonsense"), "a bid that no game knows any more"


def test_a_call_that_was_certain_to_hold_is_not_called_bold() -> None:
    assert "Boldest call that held" in told(Scope(game="liars_poker"))
    assert "Boldest" not in told(Scope(game="liars_poker"), chance=CERTAIN)


def test_a_season_that_nobody_named_is_called_as_its_reader_speaks() -> None:
    with speaking("pl"):
        assert scope_title(Scope(1), [FIRST]).drawn.endswith("Sezon 1")
        assert "**Sezon 1**" in said_by(seasons_board([FIRST]))
    assert scope_title(Scope(1), [FIRST]).drawn.endswith("Season 1")
    assert scope_title(Scope(2), [Season(2, "Winter", 0), FIRST]).drawn.endswith("Winter")

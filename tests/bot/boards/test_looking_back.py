"""Boards about matches that are over: deals, records, replays."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Address, Board, ChartPicture, Text
from bot.boards.cutting import deal_board
from bot.boards.daily import field_board
from bot.boards.replay import replay_picture
from bot.boards.stats import Statistics, scope_title, seasons_board, stats_board
from bot.language.catalogues import speaking
from bot.language.words import TypedText
from bot.pictures.palette import GREEN, RED
from bot.replays.played import seated_from, steps_of
from bot.roster import nameless
from bot.stats.folding import PersonTotals, Scope
from bot.stats.match_record import CERTAIN, Feat
from bot.stats.standings import LeaderboardRank, Season
from bot.tables.history import PastDeal
from tests.bot.replays.matches import whole

# -- a deal that was kept, was not, or is not over -------------------------------------------------

SEAL, SEED, LOBBY = "5" * 64, bytes(range(32)), "1" * 64
CUT = PastDeal(3, SEAL, SEED, True, 2, LOBBY, ((11, "purple giraffe 7"), (12, "*b* <@9>")))
OLD = PastDeal(3, SEAL, SEED, True, 1)
KEPT = "✔ Checked just now: the seed fits the seal, and "


def read(board: Board) -> str:
    return "\n".join(block.markdown for block in board.blocks if isinstance(block, Text))


def test_a_deal_that_matches_its_seal_says_so_and_has_all_data_to_repeat_it() -> None:
    board = deal_board(CUT)
    text = read(board)
    assert board.accent == GREEN
    assert text.startswith(f"**Round 3 · Fair deal**\n{KEPT}with these words it gives")
    for part in (SEAL, SEED.hex(), LOBBY):
        assert f"```\n{part}\n```" in text
    assert "Cut by\n1. <@11> `purple giraffe 7`\n2. <@12> `*b* <@9>`\n" in text
    assert "Its SHA-256, taken 2 times over, is this round's seal" in text


def test_a_deal_that_does_not_match_its_seal_is_red() -> None:
    for deal in (CUT, OLD):
        board = deal_board(replace(deal, is_fair=False))
        assert board.accent == RED
        assert "✘ Checked just now: **the cards were not dealt as they were sealed.**" in read(
            board
        )
        assert "✔" not in read(board)


def test_during_a_round_no_seed_and_no_verdict_is_shown() -> None:
    board = deal_board(replace(CUT, seed=None, is_fair=False))
    assert board.accent == GREEN
    text = read(board)
    assert "When the round is over, you can check it here." in text
    assert SEED.hex() not in text
    assert "Checked" not in text
    assert "`purple giraffe 7`" in text


def test_a_deal_without_cuts_says_who_may_cut_except_in_a_practice() -> None:
    text = read(deal_board(replace(CUT, cuts=())))
    assert f"{KEPT}gives the cards that were dealt." in text
    assert "Nobody has cut the cards. Any player can, in the lobby or here." in text
    text = read(deal_board(replace(CUT, cuts=(), practice=True)))
    assert "You can't cut the cards in practice." in text
    assert "lobby" not in text.replace("lobby's", "")
    text = read(deal_board(replace(CUT, cuts=((11, None),))))
    assert "1. <@11> words that were deleted" in text


def test_a_first_round_shows_one_seal_and_a_version_1_deal_mentions_no_cut() -> None:
    for deal in (replace(CUT, number=1), replace(CUT, lobby_seal=None)):
        assert "lobby's seal" not in read(deal_board(deal))
    text = read(deal_board(OLD))
    assert f"{KEPT}gives the cards that were dealt." in text
    assert "cut" not in text.lower()


# -- records where something of them is gone, or was never named -----------------------------------

ANN = 101
FIRST = Season(1, "Season 1", 0)


def all_text(board: Board) -> str:
    """Return all the text of a board, with the alt text of its charts."""
    blocks = board.blocks
    texts = [block.markdown for block in blocks if isinstance(block, Text)]
    return "\n".join(texts + [block.alt for block in blocks if isinstance(block, ChartPicture)])


def stats_text(scope: Scope, key: str = "pair:3", chance: int = CERTAIN // 10) -> str:
    """Return the text of the stats of a player whose boldest bid was made in a deleted match.

    `key`: the bid's key. `chance`: the bid's chance to hold, out of `CERTAIN`.
    """
    row = PersonTotals(ANN, matches=1, calls=1, boldest=Feat(7, 1, key, chance))
    board = stats_board(
        Statistics(row, LeaderboardRank(None, 0)),
        TypedText("Title"),
        scope,
        {ANN: TypedText("Ann")},
        {},
    )
    return all_text(board)


def test_a_record_bid_whose_match_is_gone_is_told_in_words_unless_it_was_certain() -> None:
    for scope in (Scope(), Scope(game="liars_poker")):
        assert ": Pair of threes (" in stats_text(scope)
    assert ": nonsense (" in stats_text(Scope(), "nonsense"), "a bid that no game knows any more"
    assert "Boldest bid that was true" in stats_text(Scope(game="liars_poker"))
    assert "Boldest" not in stats_text(Scope(game="liars_poker"), chance=CERTAIN)


def test_an_unnamed_season_has_a_name_in_its_readers_language() -> None:
    with speaking("pl"):
        assert scope_title(Scope(1), [FIRST]).visible_text.endswith("Sezon 1")
        assert "**Sezon 1**" in all_text(seasons_board([FIRST]))
    assert scope_title(Scope(1), [FIRST]).visible_text.endswith("Season 1")
    assert scope_title(Scope(2), [Season(2, "Winter", 0), FIRST]).visible_text.endswith("Winter")


# -- who is called what in the picture of a replay -------------------------------------------------


def test_a_forgotten_player_has_the_same_name_in_the_picture_and_beside_it() -> None:
    match = whole(players=2)
    first = steps_of(match)[0]
    players = (11, nameless(3))
    for language, called in (("en", "Former player 3"), ("pl", "Były gracz 3")):
        with speaking(language):
            picture = replay_picture(match, players, first)
        assert [row.name for row in picture.rows] == [match.names[0], called]
        assert called in picture.alt


def test_a_player_without_a_name_is_named_by_seat() -> None:
    for language, called in (("en", "Player 2"), ("pl", "Gracz 2")):
        with speaking(language):
            ann, nobody = seated_from((11, 12), {11: TypedText("Ann")})
        assert (ann.name, nobody.name) == ("Ann", called)


# -- what others did in a deal of the day ----------------------------------------------------------


def test_nobody_is_said_to_have_played_alike_before_others_have_played() -> None:
    def text(others: int) -> str:
        return read(field_board(whole(), (11, -1), (), {}, others, Address(0, 1)))

    assert "Nobody else has played this deal yet." in text(0)
    assert "like everyone else" not in text(0)
    assert "like everyone else" in text(2)
    assert "Nobody else" not in text(2)

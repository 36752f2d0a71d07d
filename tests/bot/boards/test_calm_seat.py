"""The private board of a waiting player, and `seat_state`, which tells when to redraw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.boards.board import Board
from bot.boards.seat import Notice, seat_board, seat_state
from bot.boards.table import table_board
from bot.language.catalogues import speaking
from bot.tables.absence import MISSES
from bot.tables.live import LiveTable, advance
from bot.tables.model import Status
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.cards import Cards
from engine.play import legal, start
from engine.ruleset import Options
from engine.state import Cause, Match, Phase, Round
from engine.variants import ruleset
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    board_text,
    buttons,
    hands,
    table,
)
from tests.dealing import Chooser, Habits, fair_deal, next_action, seed_from, stacked_deal

ONLOOKER = 999
SILENT: Options = {"odds_at_table": "off"}  # chances take a while, and none of this is about them
LINK = "https://discord.com/channels/1/2/3"


def before_deal(
    people: int = 3, game: str = LIARS, options: Options | None = None, **changes: Any
) -> LiveTable:
    """Return a table whose match waits for its first deal; Ann will open."""
    players = tuple(range(ANN, ANN + people))
    match = start(ruleset(game, options), players, 0)
    seated = table(game, players=players, **{"options": SILENT, **changes})
    return LiveTable(seated, match)


def play_on(live: LiveTable, *actions: Action) -> LiveTable:
    """Return the table after these actions; mark it finished if the match is over."""
    for action in actions:
        live = advance(live, action)
    if match_of(live).phase is Phase.OVER:
        live = replace(live, table=replace(live.table, status=Status.FINISHED))
    return live


def dealt(people: int = 3, game: str = LIARS, **changes: Any) -> LiveTable:
    """Return a table whose first round is dealt; Ann opens it."""
    live = before_deal(people, game, **changes)
    cards = dict(enumerate(("As Kd", "9c 9h", "Qd Jh")[:people]))
    return play_on(live, stacked_deal(match_of(live), cards))


def match_of(live: LiveTable) -> Match:
    assert live.match is not None
    return live.match


def round_of(live: LiveTable) -> Round:
    current = match_of(live).round
    assert current is not None
    return current


def bids(live: LiveTable, number: int) -> LiveTable:
    """Return the table after `number` more bids, each the lowest legal bid."""
    for _ in range(number):
        lowest = legal(match_of(live)).rungs[0][0]
        live = play_on(live, MakeBid(round_of(live).turn, lowest.key))
    return live


def challenge(live: LiveTable) -> LiveTable:
    return play_on(live, Challenge(round_of(live).turn))


def with_away(live: LiveTable, *players: int) -> LiveTable:
    """Return the table with exactly these players marked as away."""
    return replace(live, table=replace(live.table, absent=dict.fromkeys(players, MISSES)))


def players_of(live: LiveTable) -> list[int]:
    return [seat.player for seat in match_of(live).seats]


def calm(live: LiveTable, player: int, *, apart: bool = False) -> Board:
    return seat_board(live, player, link=LINK, apart=apart, whole=False)


def labels(board: Board) -> list[str]:
    return [button.label for button in buttons(board)]


def test_without_a_link_the_words_about_the_table_are_the_same() -> None:
    words = board_text(seat_board(dealt(), BOB, whole=False))
    assert "-# The table shows whose turn it is, and the bids." in words


# -- what it shows ---------------------------------------------------------------------------------


def test_it_shows_the_cards_and_nothing_of_the_bidding() -> None:
    board = calm(bids(dealt(), 2), BOB)
    title, waiting, bidding, *_ = board_text(board).splitlines()
    assert title == f"-# [Liars' Poker]({LINK}) · match 3 · Round 1"
    assert waiting == "It's not your turn. When it is, you bid here."
    assert bidding == f"-# [The table]({LINK}) shows whose turn it is, and the bids."
    assert hands(board) == [Cards.parse("9c 9h")]
    assert labels(board) == ["Refresh", "Rules"]
    with speaking("pl"):
        polish = (
            "To nie Twój ruch. Gdy przyjdzie, zalicytujesz tutaj.\n"
            f"-# [Przy stole]({LINK}) widać, czyj jest ruch, i licytację."
        )
        assert polish in board_text(calm(dealt(), BOB))


@pytest.mark.parametrize("people", [2, 3])
def test_its_words_stay_true_after_a_showdown_although_it_is_not_redrawn(people: int) -> None:
    live = bids(dealt(people), 1)
    over = challenge(live)
    assert seat_state(live, ANN, whole=False) == seat_state(over, ANN, whole=False)
    words = board_text(calm(live, ANN))
    assert "Waiting" not in words
    assert all(f"<@{player}>" not in words for player in players_of(live))


def test_it_says_what_the_bot_did_when_the_time_ran_out_until_the_player_acts() -> None:
    live = dealt()
    missed = replace(live, table=replace(live.table, absent={ANN: 1}))
    lowest = legal(match_of(live)).rungs[0][0]
    played = advance(missed, MakeBid(0, lowest.key), by_house=True)
    line = "**Time ran out:** the bot played **two high** for you."
    assert line in board_text(calm(played, ANN))
    assert line not in board_text(calm(played, CLEO))
    assert "time ran out, so the bot moved" in board_text(table_board(played, NAMES))
    for after in (bids(played, 1), challenge(bids(played, 1))):
        assert line in board_text(calm(after, ANN))
        assert seat_state(played, ANN, whole=False) == seat_state(after, ANN, whole=False)
    returned = replace(played, table=replace(played.table, absent={}))
    assert line not in board_text(calm(returned, ANN))
    assert "played by the bot" in board_text(table_board(returned, NAMES))


def test_a_player_who_is_out_is_told_that_and_sees_no_cards() -> None:
    live = play_on(bids(dealt(), 1), Forfeit(2, Cause.WISH))
    board = calm(live, CLEO)
    where = f"[The table]({LINK}) shows whose turn it is, and the bids."
    assert f"You're out of this match.\n-# {where}" in board_text(board)
    assert labels(board) == ["Refresh", "Rules"]
    assert "It's not your turn." in board_text(calm(live, ANN))


def test_a_player_who_is_away_can_come_back_in_it() -> None:
    for bids_made in (0, 1, 2):  # on Ann's own turn too: the house plays it
        board = calm(with_away(bids(dealt(), bids_made), ANN), ANN)
        assert "**You're away.** Press **I'm back** to make your own moves again." in board_text(
            board
        )
        assert labels(board) == ["I'm back", "Rules"]
        assert hands(board)


def test_away_from_its_table_it_shows_every_players_card_count() -> None:
    text = board_text(calm(bids(dealt(), 2), BOB, apart=True))
    assert f"6 cards in play: <@{ANN}>\u00a02 · <@{BOB}>\u00a02 · <@{CLEO}>\u00a02" in text
    assert "cards in play" not in board_text(calm(bids(dealt(), 2), BOB))


def test_a_one_time_notice_is_shown_in_it_too() -> None:
    board = seat_board(dealt(), BOB, notice=Notice("The table can't be shown."), whole=False)
    assert "> The table can't be shown." in board_text(board)


def test_a_player_who_can_act_sees_the_full_seat() -> None:
    for live, player in ((dealt(), ANN), (bids(dealt(), 1), BOB)):
        assert calm(live, player) == seat_board(live, player, link=LINK)


def test_a_challenge_out_of_turn_is_made_at_the_table_not_here() -> None:
    live = before_deal(options={"challengers": "anyone"})
    live = bids(play_on(live, fair_deal(match_of(live), seed_from("anyone"))), 1)
    assert "Challenge" in labels(calm(live, BOB))  # whose turn it is
    waiting = board_text(calm(live, CLEO))
    assert "whose turn it is, and the bids. You can challenge any bid there." in waiting
    assert calm(bids(live, 1), ANN) == calm(live, ANN)
    assert "Challenge" in labels(seat_board(live, CLEO, link=LINK))  # who asks for all of it


@pytest.mark.parametrize("status", [Status.LOBBY, Status.FINISHED, Status.CLOSED])
def test_between_rounds_the_calm_and_the_full_seat_are_the_same(status: Status) -> None:
    for live in (before_deal(status=status), dealt(status=status), before_deal()):
        for player in (ANN, BOB, ONLOOKER):
            assert calm(live, player) == seat_board(live, player, link=LINK)
    ended = challenge(bids(dealt(), 1))
    for player in (ANN, BOB, CLEO):  # a press on a seat draws the end of the round
        assert calm(ended, player) == seat_board(ended, player, link=LINK)


# -- when a seat must be redrawn -------------------------------------------------------------------


def test_a_bid_changes_the_seats_of_the_bidder_and_of_the_next_player() -> None:
    live = dealt(6)
    for _ in range(8):
        after = bids(live, 1)
        turns = {match_of(state).seats[round_of(state).turn].player for state in (live, after)}
        changed = {
            player
            for player in players_of(live)
            if seat_state(live, player, whole=False) != seat_state(after, player, whole=False)
        }
        assert changed == turns
        live = after


def test_a_showdown_changes_only_the_seat_of_the_player_who_had_to_act() -> None:
    before = bids(dealt(6), 3)
    after = challenge(before)
    assert round_of(after).outcome is not None
    for player in players_of(before):
        states = [seat_state(live, player, whole=False) for live in (before, after)]
        assert (states[0] == states[1]) == (player != ANN + 3)
    moved_on = play_on(after, fair_deal(match_of(after), seed_from("next")))
    for player in players_of(before):  # the next deal brings other cards
        states = [seat_state(live, player, whole=False) for live in (after, moved_on)]
        assert states[0] != states[1]


def test_a_showdown_does_not_change_seats_of_players_who_are_out_or_away() -> None:
    before = with_away(play_on(bids(dealt(4), 1), Forfeit(3, Cause.WISH)), ANN)
    after = challenge(before)
    for player in (ANN, ANN + 3):
        states = [seat_state(live, player, whole=False) for live in (before, after)]
        assert states[0] == states[1]
    came_back = with_away(after)
    assert seat_state(after, ANN, whole=False) != seat_state(came_back, ANN, whole=False)


@pytest.mark.parametrize("status", [Status.FINISHED, Status.CLOSED])
def test_the_end_of_a_match_changes_every_seat(status: Status) -> None:
    playing = bids(dealt(), 2)
    over = challenge(playing) if status is Status.FINISHED else playing
    over = replace(over, table=replace(over.table, status=status))
    for player in players_of(playing):
        for whole in (False, True):
            states = [seat_state(live, player, whole=whole) for live in (playing, over)]
            assert states[0] != states[1]


def states_of_match(name: str) -> Iterator[LiveTable]:
    """Yield a random match's table: in the lobby, then after each move and each other change.

    Other changes are, for example, a player going away, or a turn getting more time.
    """
    chooser = Chooser(name)
    game = chooser.one_of((LIARS, THAI))
    options: Options = {
        "challengers": chooser.one_of(("next", "next", "anyone")),
        "length": chooser.one_of(("whole", "first_out")),
    }
    people = 2 + chooser.below(5)
    live = before_deal(people, game, options)
    lobby = replace(live.table, status=Status.LOBBY, invited=(ANN, ONLOOKER))
    yield LiveTable(replace(lobby, players=(ANN,)))
    yield LiveTable(lobby)
    yield LiveTable(replace(lobby, invited=()))
    yield live
    habits = Habits(doubt=25, leave=chooser.one_of((0, 3)), reach=30)
    for step in range(40):
        live = play_on(live, next_action(match_of(live), chooser, habits))
        ends = step * 1000 if match_of(live).phase is Phase.BIDDING else None
        live = replace(live, table=replace(live.table, turn_ends=ends))
        yield live
        if live.table.status is not Status.PLAYING:
            return
        player = chooser.one_of(players_of(live))
        absent = {**live.table.absent, player: chooser.below(MISSES + 1)}
        changed = chooser.one_of(
            (
                replace(live.table, absent=absent),
                replace(live.table, turn_ends=ends and ends + 20_000),  # as after a restart
                replace(live.table, version=live.table.version + 1, nudges=step, message_id=step),
            )
        )
        live = replace(live, table=changed)
        yield live
    yield replace(live, table=replace(live.table, status=Status.CLOSED))


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(10))
def test_two_states_are_equal_exactly_if_the_boards_are(number: int) -> None:
    states = list(states_of_match(f"evening {number}"))
    for whole in (True, False):
        for player in (ANN, BOB, ANN + 4, ONLOOKER):
            expected = [
                (
                    seat_state(live, player, whole=whole),
                    seat_board(live, player, whole=whole),
                    seat_board(live, player, whole=whole, apart=True, learning=True),
                    is_between_rounds(live) and not whole,  # a seat that stands is left as it is
                )
                for live in states
            ]
            for (state, board, apart, left), (
                state_then,
                board_then,
                apart_then,
                left_then,
            ) in pairwise(expected):
                if not left and not left_then:
                    assert (state == state_then) == (board == board_then)
                    assert state != state_then or apart == apart_then


def is_between_rounds(live: LiveTable) -> bool:
    match = live.match
    ended = match is not None and match.round is not None and match.phase is not Phase.BIDDING
    return ended and live.table.status is Status.PLAYING


@pytest.mark.parametrize("game", [LIARS, THAI])
@pytest.mark.parametrize("people", [2, 4, 6])
def test_a_waiting_player_has_one_state_until_their_turn_or_the_next_deal(
    game: str, people: int
) -> None:
    chooser, habits = Chooser(f"{game} of {people}"), Habits(doubt=20)
    live = before_deal(people, game)
    standing: dict[int, object] = {}  # the state of each seat of those who wait
    rounds = 0
    while match_of(live).phase is not Phase.OVER and rounds < 12:
        before, live = live, play_on(live, next_action(match_of(live), chooser, habits))
        if live.table.status is not Status.PLAYING:
            return
        if round_of(live).number != rounds:
            rounds, standing = round_of(live).number, {}
        acted = legal(match_of(before)).bidder
        for seat, player in enumerate(players_of(live)):
            state = seat_state(live, player, whole=False)
            if seat == acted:
                standing.pop(player, None)
            if player in standing:
                assert state == standing[player] or seat == round_of(live).turn
            if seat != round_of(live).turn and round_of(live).outcome is None:
                standing[player] = state


def test_the_state_is_computed_without_drawing_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that `seat_state` builds no view: it runs for every seat at each change."""
    monkeypatch.setattr("bot.boards.seat.view_of", None)
    for live in (dealt(6), bids(dealt(6), 2), challenge(bids(dealt(6), 2))):
        for player in players_of(live):
            assert hash(seat_state(live, player, whole=False)) is not None

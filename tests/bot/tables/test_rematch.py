"""Rematches: everybody is invited, nobody is seated unasked, and the wait is short."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.roster import nameless
from bot.tables import errors, plans, rematch
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.requests import Ask
from tests.bot.tables.scenes import AGNES, ANN, BOB, CLEO, DAN, MOMENT, table_of

OVER = table_of(ANN, BOB, AGNES, status=Status.FINISHED, match_id=9, message_id=4, announced_seq=6)


def test_the_asker_hosts_a_rematch_all_others_are_invited_and_computers_stay() -> None:
    over = replace(OVER, waiting=(BOB, CLEO))
    for player in (BOB, CLEO):
        assert rematch.open_rematch(over, player) == replace(
            over,
            status=Status.LOBBY,
            host_id=player,
            players=(player, AGNES),
            invited=(ANN, BOB, CLEO),
            waiting=(),
            match_id=None,
            message_id=None,
            announced_seq=0,
        )
    with pytest.raises(errors.NotSeated):
        rematch.open_rematch(over, DAN)
    with pytest.raises(errors.MovedOn):
        rematch.open_rematch(replace(over, status=Status.PLAYING), ANN)


def test_a_rematch_does_not_wait_for_a_forgotten_player() -> None:
    over = replace(OVER, players=(ANN, nameless(1), BOB))
    assert rematch.open_rematch(over, ANN).invited == (ANN, BOB)


def test_a_player_who_declines_is_not_invited_and_gives_up_the_seat() -> None:
    lobby = table_of(ANN, CLEO, invited=(ANN, BOB, CLEO))
    assert rematch.with_declined(lobby, BOB) == replace(lobby, invited=(ANN, CLEO))
    assert rematch.with_declined(lobby, CLEO) == replace(lobby, players=(ANN,), invited=(ANN, BOB))
    with pytest.raises(errors.NotInvited):
        rematch.with_declined(lobby, DAN)
    with pytest.raises(errors.MovedOn):
        rematch.with_declined(replace(lobby, status=Status.PLAYING), BOB)


@pytest.mark.parametrize("status", [Status.PLAYING, Status.FINISHED])
def test_a_player_queued_for_the_next_match_may_change_their_mind(status: Status) -> None:
    table = replace(OVER, status=status, waiting=(CLEO,))
    assert rematch.with_waiting(table, DAN) == replace(table, waiting=(CLEO, DAN))
    assert rematch.with_waiting(table, CLEO) == replace(table, waiting=())
    for joins in (True, False):  # tapped twice, it counts once
        once = rematch.with_waiting(table, DAN, joins=joins)
        assert once == rematch.with_waiting(once, DAN, joins=joins)
        assert (DAN in once.waiting) == joins
    assert rematch.with_waiting(replace(table, waiting=(CLEO, DAN)), CLEO).waiting == (DAN,)
    with pytest.raises(errors.AskedAnyway):
        rematch.with_waiting(table, BOB)


def test_nobody_waits_where_no_match_follows_or_as_many_wait_as_may_play() -> None:
    for table in (
        replace(OVER, status=Status.LOBBY),
        replace(OVER, status=Status.CLOSED),
        replace(OVER, channel_id=-ANN),  # a practice
    ):
        with pytest.raises(errors.MovedOn):
            rematch.with_waiting(table, CLEO)
    nine = replace(OVER, waiting=tuple(range(100, 109)))
    ten = rematch.with_waiting(nine, CLEO)
    assert len(ten.waiting) == 10
    with pytest.raises(errors.TableFull) as refused:
        rematch.with_waiting(ten, DAN)
    assert refused.value.most == 10


def test_the_last_answer_starts_the_match_whatever_it_is() -> None:
    lobby = LiveTable(table_of(ANN, CLEO, invited=(ANN, BOB, CLEO)))
    for plan, players in ((plans.join, (ANN, CLEO, BOB)), (plans.decline, (ANN, CLEO))):
        after, change = plan(lobby, Ask(BOB, 1), MOMENT)
        assert (after.table.status, after.table.invited) == (Status.PLAYING, ())
        assert change.new_match is not None
        assert change.new_match.players == players
    for live, plan, player in (
        (lobby, plans.join, DAN),  # a stranger
        (lobby, plans.leave, CLEO),
        (LiveTable(table_of(ANN, invited=(ANN, BOB))), plans.decline, BOB),
    ):
        after, _ = plan(live, Ask(player, 1), MOMENT)
        assert after.table.status is Status.LOBBY


@pytest.mark.parametrize(
    ("before", "players", "invited", "starts"),
    [
        ((ANN,), (ANN, BOB), (ANN, BOB), True),  # all are here
        ((ANN,), (ANN, BOB), (ANN, BOB, CLEO), False),
        ((ANN,), (ANN, AGNES), (ANN,), True),  # Bob said no, and a computer player is company
        ((ANN,), (ANN, DAN), (ANN,), False),  # a stranger is none
        ((ANN, BOB), (ANN, BOB, DAN), (ANN, BOB), False),  # nobody was waited for before
        ((ANN,), (ANN, BOB, *range(100, 108)), (ANN, BOB, CLEO), True),  # no seat is left
        ((ANN,), (ANN, BOB, *range(100, 107)), (ANN, BOB, CLEO), False),
    ],
)
def test_a_rematch_starts_once_two_joined_and_all_others_have_answered(
    before: tuple[int, ...], players: tuple[int, ...], invited: tuple[int, ...], starts: bool
) -> None:
    lobby = table_of(*before, invited=(ANN, BOB))
    assert rematch.is_complete(lobby, table_of(*players, invited=invited)) is starts

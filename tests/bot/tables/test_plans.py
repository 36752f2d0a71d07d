"""Plans without a store, a clock or a lock: the change that each move stores, and house rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.roster import computers
from bot.tables import absence, errors, plans
from bot.tables.computer_turns import Decided
from bot.tables.game_fits import MOST_OPTIONS, check_fits
from bot.tables.live import LiveTable, chosen_ruleset
from bot.tables.model import (
    Change,
    DeadlineKind,
    Ending,
    MatchStatus,
    PlayerResult,
    Status,
    StoredAction,
)
from bot.tables.requests import NOBODY, Ask, At, Limits, Place
from bot.tables.table_options import (
    HOUSE_RULES,
    MESSAGES,
    ODDS_AT_TABLE,
    PACE,
    SERVER,
    TURN_CLOCK,
    WITH_COMPUTERS,
    check_house_rules,
    choice_text,
    defaults,
    game_options,
    odds_allowed,
    options_of,
)
from bot.tables.table_options import chosen as options_chosen
from engine.actions import Challenge, Forfeit, MakeBid, from_json, to_json
from engine.cutting import VERSION, cut_shuffle, round_seed
from engine.errors import BidTooLow, MatchIsOver, NotDealt, NotInMatch, NotYourTurn, RulesetError
from engine.ruleset import EVERY_GAME, LENGTH, Option, OptionChoice, OptionValue
from engine.state import Cause, Phase
from engine.variants import VARIANTS, ruleset, variant
from tests.bot.tables.scenes import (
    AGNES,
    ANN,
    BOB,
    CLEO,
    DAN,
    FAILS,
    HOLDS,
    LIMITS,
    MIRA,
    MOMENT,
    NOW,
    THAI,
    after_moves,
    after_showdown,
    begun,
    dealt,
    match_of,
    round_of,
    table_of,
)

ROOT = bytes(range(32))
SEED = round_seed(ROOT, 1)
NO_LIMITS = Limits(next_round=15_000, lobby=None, turn_seconds=0, tables_per_guild=3)


def with_table(live: LiveTable, **changed: Any) -> LiveTable:
    """Return the table with some of its stored fields changed."""
    return replace(live, table=replace(live.table, **changed))


# -- a move ---------------------------------------------------------------------------------------
def test_a_move_stores_its_one_action_with_its_number_time_and_interaction() -> None:
    before = dealt(ANN, BOB, CLEO)
    bid = MakeBid(0, HOLDS)
    after, change = plans.act(before, Ask(ANN, 77), MOMENT, bid)
    assert change == Change(
        before.table, 77, actions=(StoredAction(2, to_json(bid), NOW, 77),), ending=None
    )
    assert after == after_moves(before, bid)
    assert match_of(before).seq == 1  # the state it was made for is as it was


def test_a_move_in_the_middle_of_a_match_leaves_the_table_as_it_is() -> None:
    before = dealt(ANN, BOB, CLEO)
    after, change = plans.act(after_showdown(before, FAILS), NOBODY, MOMENT, Forfeit(1))
    assert after.table == change.table == before.table
    assert change.ending is None
    assert (change.seeds, change.deliveries, change.new_match) == ((), (), None)


def test_a_move_that_the_rules_refuse_is_no_plan() -> None:
    raised = after_moves(dealt(ANN, BOB), MakeBid(0, FAILS))
    with pytest.raises(BidTooLow):
        plans.act(raised, Ask(ANN, 1), MOMENT, MakeBid(1, HOLDS))
    with pytest.raises(errors.NoTable):
        plans.act(LiveTable(table_of(ANN, BOB)), Ask(ANN, 1), MOMENT, MakeBid(0, HOLDS))


def test_the_move_that_leaves_one_player_finishes_the_table_and_names_the_winner() -> None:
    after, change = plans.act(dealt(ANN, BOB), Ask(ANN, 5), MOMENT, Forfeit(0))
    assert after.table == change.table
    assert (after.table.status, after.table.last_winner) == (Status.FINISHED, BOB)
    assert change.ending == Ending(
        MatchStatus.WON, (PlayerResult(ANN, 2, 1), PlayerResult(BOB, 1, 1))
    )
    assert [action.seq for action in change.actions] == [2]


def test_a_match_ends_when_the_last_person_leaves_computer_players_alone() -> None:
    before = dealt(ANN, AGNES, MIRA)
    after, change = plans.forfeit(before, Ask(ANN, 5), MOMENT)
    assert after.table == change.table == replace(before.table, status=Status.CLOSED)
    assert change.ending == Ending(MatchStatus.ABANDONED)
    won, _ = plans.forfeit(dealt(ANN, AGNES), Ask(ANN, 5), MOMENT)
    assert (won.table.status, won.table.last_winner) == (Status.FINISHED, AGNES)
    goes_on = after_moves(dealt(ANN, AGNES, MIRA, opener=1), Forfeit(0))  # who is out watches
    after, change = plans.act(goes_on, NOBODY, MOMENT, MakeBid(1, HOLDS))
    assert (after.table.status, change.ending) == (Status.PLAYING, None)


def test_a_bid_is_parsed_by_its_matchs_rules_and_marks_the_player_as_present() -> None:
    before = with_table(dealt(ANN, BOB), absent={ANN: 1}, votes={ANN: (BOB,), 0: (BOB,)})
    read: list[object] = []

    def meant(match: object) -> str:
        read.append(match)
        return HOLDS

    after, _ = plans.bid(before, Ask(ANN, 5), MOMENT, meant)
    assert read == [before.match]
    assert after == after_moves(with_table(before, absent={}, votes={0: (BOB,)}), MakeBid(0, HOLDS))
    assert plans.bid(before, Ask(ANN, 5), MOMENT, HOLDS)[0] == after
    for plan in (plans.challenge, plans.forfeit):
        with pytest.raises(errors.MovedOn):  # it was drawn for another state
            plan(after, Ask(BOB, 6, At(9, 1)), MOMENT)


# -- a lobby --------------------------------------------------------------------------------------
def test_a_new_match_keeps_no_state_of_the_previous_one() -> None:
    lobby = table_of(
        ANN, BOB, match_id=8, announced_seq=6, invited=(ANN, CLEO), waiting=(CLEO,),
        absent={BOB: 1}, votes={BOB: (ANN,)}, chain_root=ROOT,
    )  # fmt: skip
    after, change = plans.start(LiveTable(lobby), Ask(ANN, 1), MOMENT)
    assert change.table == after.table == table_of(ANN, BOB, status=Status.PLAYING, chain_root=ROOT)
    assert change.new_match is not None
    assert change.new_match.players == (ANN, BOB)
    with pytest.raises(errors.NotHost):
        plans.start(LiveTable(lobby), Ask(BOB, 1), MOMENT)


def test_only_the_host_or_a_moderator_adds_and_removes_computer_players() -> None:
    lobby = LiveTable(table_of(ANN, BOB, AGNES))
    asks = Ask(ANN, 1)
    after, change = plans.add_computer(lobby, asks, MOMENT, "careful")
    assert [player.character for player in computers(after.table.players)] == ["careful", "careful"]
    assert change == Change(after.table, 1)
    after, _ = plans.add_computer(lobby, asks, MOMENT, None)  # of the rarest character
    assert [player.character for player in computers(after.table.players)] == ["careful", "sly"]
    after, change = plans.remove_computer(lobby, asks, MOMENT, AGNES)
    assert after.table == replace(lobby.table, players=(ANN, BOB))
    assert change == Change(after.table, 1)
    for player in (BOB, MIRA):
        with pytest.raises(errors.NotHere):
            plans.remove_computer(lobby, asks, MOMENT, player)
    with pytest.raises(errors.NotHost):
        plans.add_computer(lobby, Ask(BOB, 1), MOMENT, None)
    with pytest.raises(errors.NotHost):
        plans.remove_computer(lobby, Ask(BOB, 1), MOMENT, AGNES)


def test_only_the_host_or_a_moderator_cancels_a_lobby_but_no_match() -> None:
    lobby = LiveTable(table_of(ANN, BOB))
    after, change = plans.cancel(lobby, Ask(CLEO, 1, moderator=True), MOMENT)
    assert after.table == replace(lobby.table, status=Status.CLOSED)
    assert change == Change(after.table, 1)
    with pytest.raises(errors.NotHost):
        plans.cancel(lobby, Ask(BOB, 1), MOMENT)
    with pytest.raises(errors.MovedOn):
        plans.cancel(dealt(ANN, BOB), Ask(ANN, 1), MOMENT)


def test_only_the_host_or_a_moderator_moves_a_lobby_once_but_no_match() -> None:
    lobby = LiveTable(table_of(ANN, BOB, message_id=5))
    channel_id = lobby.table.channel_id
    after, change = plans.move(lobby, Ask(ANN, 1), MOMENT, channel_id + 1)
    assert after.table == replace(lobby.table, channel_id=channel_id + 1, message_id=None)
    assert change == Change(after.table, 1)
    assert after.needs_new_message
    assert plans.move(lobby, Ask(CLEO, 1, moderator=True), MOMENT, channel_id + 1)[0] == after
    with pytest.raises(errors.MovedOn):
        plans.move(after, Ask(ANN, 2), MOMENT, channel_id + 1)
    with pytest.raises(errors.NotHost):
        plans.move(lobby, Ask(BOB, 1), MOMENT, channel_id + 1)
    with pytest.raises(errors.MovedOn):
        plans.move(dealt(ANN, BOB), Ask(ANN, 1), MOMENT, channel_id + 1)


# -- a deal ---------------------------------------------------------------------------------------
def test_the_first_deal_stores_its_shuffle_and_a_delivery_for_each_person() -> None:
    before = begun(ANN, BOB, CLEO, AGNES, opener=None, chain_root=ROOT)
    after, change = plans.deal(before, Ask(ANN, 8), MOMENT)
    shuffled = cut_shuffle(SEED, (), match_of(before).ruleset.deck.order, 4)
    (stored,) = change.actions
    action = from_json(stored.body)
    assert (stored.seq, stored.at, stored.interaction_id) == (1, NOW, 8)
    assert (action.order, action.drawn) == (shuffled.order, shuffled.drawn)  # type: ignore[union-attr]
    assert action.commitment == hashlib.sha256(SEED).hexdigest()  # type: ignore[union-attr]
    assert action.shuffle_version == VERSION  # type: ignore[union-attr]
    assert change.seeds == ((1, SEED),)
    assert change.deliveries == ((1, 0, ANN), (1, 1, BOB), (1, 2, CLEO))
    assert change.interaction_id == 8
    assert change.ending is None
    assert after.seeds == {1: SEED}
    assert after.news_seq == 1
    assert (round_of(after).number, match_of(after).phase) == (1, Phase.BIDDING)
    assert change.table == after.table == before.table
    practice = begun(ANN, AGNES, channel_id=-ANN, chain_root=ROOT)
    assert plans.deal(practice, Ask(ANN, 8), MOMENT)[1].deliveries == ()


def test_a_later_deal_has_the_next_number_and_no_delivery_for_players_who_left() -> None:
    before = after_showdown(after_moves(dealt(ANN, BOB, CLEO), Forfeit(1)), FAILS)
    before = replace(with_table(before, chain_root=ROOT), seeds={1: bytes(32)})
    before = with_table(before, votes={0: (ANN,), CLEO: (ANN,)})
    after, change = plans.deal(before, NOBODY, MOMENT)
    assert after.table.votes == {CLEO: (ANN,)}  # a request to end is of its round
    second = round_seed(ROOT, 2)
    assert change.seeds == ((2, second),)
    assert change.deliveries == ((2, 0, ANN), (2, 2, CLEO))
    assert after.seeds == {1: bytes(32), 2: second}
    assert before.seeds == {1: bytes(32)}
    assert after.news_seq == match_of(after).seq == match_of(before).seq + 1
    assert round_of(after).number == 2


def test_nothing_is_dealt_in_a_lobby_or_after_the_end() -> None:
    over, _ = plans.act(dealt(ANN, BOB), NOBODY, MOMENT, Forfeit(0))
    still_playing = replace(over, table=replace(over.table, status=Status.PLAYING))
    lobby = replace(begun(ANN, BOB), table=table_of(ANN, BOB))
    for live in (LiveTable(table_of(ANN, BOB, status=Status.PLAYING)), lobby, over, still_playing):
        with pytest.raises(errors.MovedOn):
            plans.deal(live, NOBODY, MOMENT)


def test_only_a_seated_player_deals_the_next_round_from_the_current_state() -> None:
    live = with_table(after_showdown(dealt(ANN, BOB), HOLDS), chain_root=ROOT)
    assert round_of(plans.next_round(live, Ask(BOB, 1, At(9, 3)), MOMENT)[0]).number == 2
    with pytest.raises(errors.NotSeated):
        plans.next_round(live, Ask(CLEO, 1), MOMENT)
    with pytest.raises(errors.MovedOn):
        plans.next_round(live, Ask(BOB, 1, At(9, 2)), MOMENT)


# -- what happens by itself -----------------------------------------------------------------------
def chosen(live: LiveTable, **options: int | str) -> LiveTable:
    """Return the table with these house rules."""
    return replace(live, table=replace(live.table, options=options))


def test_when_the_clock_runs_out_the_bot_plays_and_the_seat_stays() -> None:
    before = after_moves(dealt(ANN, BOB, CLEO), MakeBid(0, FAILS))
    after, change = plans.out_of_time(before, NOBODY, MOMENT, None)
    (stored,) = change.actions
    assert from_json(stored.body) == absence.stand_in(match_of(before), 1)
    assert (stored.interaction_id, change.interaction_id, stored.at) == (None, None, NOW)
    assert stored.by_house
    assert match_of(after).live == (0, 1, 2)
    assert after.table.absent == change.table.absent == {BOB: 1}


def test_by_house_rule_a_timeout_is_a_forfeit_without_an_interaction() -> None:
    before = chosen(after_moves(dealt(ANN, BOB, CLEO), MakeBid(0, HOLDS)), absence="forfeit")
    after, change = plans.out_of_time(before, NOBODY, MOMENT, None)
    (stored,) = change.actions
    assert from_json(stored.body) == Forfeit(1, Cause.ABSENT)
    assert (stored.interaction_id, change.interaction_id, stored.at) == (None, None, NOW)
    assert match_of(after).live == (0, 2)


def test_nobody_times_out_where_nobody_is_in_turn() -> None:
    over, _ = plans.act(dealt(ANN, BOB), NOBODY, MOMENT, Forfeit(0))
    lobby = LiveTable(table_of(ANN, BOB))
    for live in (lobby, begun(ANN, BOB), after_showdown(dealt(ANN, BOB), HOLDS), over):
        with pytest.raises(errors.MovedOn):
            plans.out_of_time(live, NOBODY, MOMENT, None)
        with pytest.raises(errors.MovedOn):
            plans.stand_in(live, NOBODY, MOMENT, None)
        with pytest.raises(errors.MovedOn):
            plans.nudge(live, NOBODY, MOMENT)


def overdue(
    live: LiveTable, kind: DeadlineKind | None, draw: Callable[[], bytes] = lambda: SEED
) -> plans.Plan:
    """Return the plan for a deadline of this kind; its table and change have no deadline kind.

    `draw`: draws the seed of a deal.
    """
    live = replace(live, table=replace(live.table, deadline_kind=kind))
    after, change = plans.overdue(
        live, NOBODY, replace(MOMENT, draw_seed=draw), live.table, lambda _: None
    )
    was = replace(after.table, deadline_kind=None)
    return replace(after, table=was), replace(
        change, table=replace(change.table, deadline_kind=None)
    )


def test_an_overdue_deadline_is_served_by_its_kind() -> None:
    waiting, bidding = begun(ANN, BOB), dealt(ANN, BOB)
    lobby, drawing = LiveTable(table_of(ANN, BOB)), replace(MOMENT, draw_seed=lambda: SEED)
    begins = plans.start(lobby, replace(NOBODY, moderator=True), drawing)
    for live, kind, planned in (
        (waiting, DeadlineKind.NEXT_ROUND, plans.deal(waiting, NOBODY, drawing)),
        (lobby, DeadlineKind.REMATCH, begins),
        (bidding, DeadlineKind.TURN, plans.out_of_time(bidding, NOBODY, MOMENT, None)),
        (bidding, DeadlineKind.NUDGE, plans.nudge(bidding, NOBODY, MOMENT)),
        (bidding, DeadlineKind.HOUSE, plans.stand_in(bidding, NOBODY, MOMENT, None)),
        (bidding, DeadlineKind.DESERTED, plans.close(bidding, NOBODY, MOMENT)),
        (lobby, DeadlineKind.LOBBY, plans.close(lobby, NOBODY, MOMENT)),
        (bidding, None, (bidding, Change(bidding.table))),
    ):
        assert overdue(live, kind) == planned


def test_a_deadline_of_another_version_of_the_table_is_not_served() -> None:
    live = with_table(dealt(ANN, BOB), deadline_kind=DeadlineKind.NUDGE)
    with pytest.raises(errors.MovedOn):
        plans.overdue(live, NOBODY, MOMENT, replace(live.table, version=2), lambda _: None)


def test_a_late_or_wrong_computer_player_is_played_for() -> None:
    live = with_table(after_moves(dealt(ANN, AGNES), MakeBid(0, FAILS)), turn_since=NOW)
    late = replace(MOMENT, now=NOW + 10**9)
    waits = (live, Change(live.table, unseen=True))
    assert plans.computers_act(live, NOBODY, MOMENT, None) == waits
    safe = plans.act(live, NOBODY, MOMENT, absence.stand_in(match_of(live), 1))
    assert plans.computers_act(live, NOBODY, MOMENT, Decided(MakeBid(1, HOLDS))) == safe  # too low
    assert plans.computers_act(live, NOBODY, MOMENT, Decided()) == safe
    assert plans.computers_act(live, NOBODY, late, None)[0].match == safe[0].match
    daily = with_table(live, daily_day=739_000)  # there everybody is answered alike
    assert plans.computers_act(daily, NOBODY, late, None)[1] == Change(daily.table, unseen=True)
    doubted = plans.act(live, NOBODY, MOMENT, Challenge(1))
    assert plans.computers_act(live, NOBODY, MOMENT, Decided(Challenge(1))) == doubted
    person = with_table(dealt(ANN, AGNES), turn_since=NOW)
    assert plans.computers_act(person, NOBODY, late, None)[1].unseen


def test_a_seed_is_drawn_only_for_a_deal() -> None:
    def never() -> bytes:
        raise AssertionError("a seed was drawn")

    for kind in (DeadlineKind.TURN, DeadlineKind.NUDGE, DeadlineKind.HOUSE):
        overdue(dealt(ANN, BOB), kind, never)
    overdue(LiveTable(table_of(ANN)), DeadlineKind.LOBBY, never)


# -- presence -------------------------------------------------------------------------------------
def said_away(live: LiveTable, voter: int, player: int) -> LiveTable:
    """Return the table after `voter` has reported `player` as away."""
    return plans.say_away(live, Ask(voter, 1), MOMENT, player)[0]


def test_the_second_vote_makes_a_player_away() -> None:
    others = {CLEO: (BOB,)}
    live = with_table(dealt(ANN, BOB, CLEO), votes=others, absent={CLEO: 1})
    for _ in range(2):  # said twice, it counts once
        live = said_away(live, ANN, BOB)
        assert (live.table.votes, live.table.absent) == ({**others, BOB: (ANN,)}, {CLEO: 1})
    live = said_away(live, CLEO, BOB)
    assert (live.table.votes, live.table.absent) == (others, {CLEO: 1, BOB: absence.MISSES})
    with pytest.raises(errors.AlreadyAway):
        said_away(live, ANN, BOB)


def test_votes_of_players_who_left_do_not_count() -> None:
    live = after_moves(said_away(dealt(ANN, BOB, CLEO, DAN), ANN, BOB), Forfeit(0))
    live = said_away(live, CLEO, BOB)
    assert (live.table.votes, live.table.absent) == ({BOB: (CLEO,)}, {})


def test_votes_that_cannot_succeed_any_more_are_dropped_with_the_players_who_leave() -> None:
    votes = {0: (ANN, DAN), ANN: (BOB, DAN), BOB: (DAN,), DAN: (ANN,)}
    live = with_table(dealt(ANN, BOB, CLEO, DAN), votes=votes)
    live, change = plans.forfeit(live, Ask(DAN, 1), MOMENT)
    assert live.table.votes == change.table.votes == {0: (ANN,), ANN: (BOB,)}
    live, _ = plans.forfeit(live, Ask(CLEO, 2), MOMENT)
    assert live.table.votes == {0: (ANN,)}  # of two, neither can be voted away


@pytest.mark.parametrize(
    ("voter", "player", "refused"),
    [
        (ANN, ANN, errors.Oneself),
        (ANN, 99, errors.NotHere),
        (ANN, DAN, errors.NotHere),  # has left
        (99, ANN, errors.NotSeated),
        (DAN, ANN, NotInMatch),
    ],
)
def test_only_players_vote_that_another_player_is_away(
    voter: int, player: int, refused: type[Exception]
) -> None:
    live = after_moves(dealt(ANN, BOB, CLEO, DAN), Forfeit(3))
    with pytest.raises(refused):
        said_away(live, voter, player)


def test_with_two_players_or_without_a_match_there_is_no_vote() -> None:
    for two in (after_moves(dealt(ANN, BOB, CLEO), Forfeit(2)), dealt(ANN, BOB, AGNES, MIRA)):
        with pytest.raises(errors.TooFewToVote):
            said_away(two, ANN, BOB)
    closed = with_table(dealt(ANN, BOB, CLEO), status=Status.CLOSED)
    for live in (LiveTable(table_of(ANN, BOB, CLEO)), closed):
        with pytest.raises(errors.NotStarted):
            said_away(live, ANN, BOB)


def test_timeouts_are_counted_by_player() -> None:
    table = absence.add_miss(table_of(ANN, BOB, absent={ANN: 1}), BOB)
    assert table.absent == {ANN: 1, BOB: 1}
    assert [absence.is_away(table, player) for player in (ANN, BOB, CLEO)] == [False] * 3
    table = absence.add_miss(table, BOB)
    assert table.absent == {ANN: 1, BOB: 2}
    assert [absence.is_away(table, player) for player in (ANN, BOB, CLEO)] == [False, True, False]


def test_an_action_of_a_player_clears_their_timeouts_and_votes() -> None:
    table = table_of(ANN, BOB, absent={ANN: 1, BOB: 2}, votes={ANN: (BOB,), BOB: (ANN,)})
    assert absence.mark_present(table, BOB) == replace(table, absent={ANN: 1}, votes={ANN: (BOB,)})
    assert absence.mark_present(table, CLEO) == table


def test_a_match_is_attended_if_a_person_is_present_or_no_person_is_left() -> None:
    live = dealt(ANN, BOB, AGNES)
    table, match = live.table, match_of(live)
    for absent, attended in (({}, True), ({ANN: 2}, True), ({ANN: 2, BOB: 2}, False)):
        assert absence.is_attended(replace(table, absent=absent), match) is attended
    left = match_of(after_moves(live, Forfeit(1)))
    assert not absence.is_attended(replace(table, absent={ANN: 2}), left)
    alone = match_of(after_moves(dealt(ANN, AGNES, MIRA), Forfeit(0)))
    assert absence.is_attended(table, alone)


@pytest.mark.parametrize(
    ("host", "absent", "gone", "hosts"),
    [
        (BOB, {}, None, BOB),
        (BOB, {BOB: 1}, None, BOB),
        (BOB, {BOB: 2}, None, CLEO),
        (BOB, {}, 1, CLEO),
        (CLEO, {CLEO: 2}, None, ANN),  # past the computer player, from the first again
        (99, {}, None, ANN),
        (ANN, {ANN: 2, BOB: 2, CLEO: 2}, None, ANN),
    ],
)
def test_the_next_present_person_hosts_for_an_absent_host(
    host: int, absent: dict[int, int], gone: int | None, hosts: int
) -> None:
    live = dealt(ANN, BOB, CLEO, AGNES)
    match = match_of(live if gone is None else after_moves(live, Forfeit(gone)))
    table = replace(live.table, host_id=host, absent=absent)
    assert absence.host_now(table, match) == hosts


def test_the_host_passes_on_when_away_or_out() -> None:
    live = said_away(said_away(dealt(ANN, BOB, CLEO), BOB, ANN), CLEO, ANN)
    assert live.table.host_id == BOB
    live, _ = plans.forfeit(live, Ask(BOB, 1), MOMENT)
    assert live.table.host_id == CLEO


def test_a_player_back_in_turn_gets_a_full_clock_and_others_do_not_change_it() -> None:
    live = dealt(ANN, BOB, CLEO, opener=1)
    live = with_table(live, absent={ANN: 2, BOB: 2}, turn_since=NOW, host_id=CLEO)
    for player, since in ((BOB, None), (ANN, NOW)):
        after, change = plans.back(live, Ask(player, 7), MOMENT)
        assert not absence.is_away(after.table, player)
        assert (after.table.turn_since, after.table.host_id) == (since, CLEO)
        assert change == Change(after.table, 7)
    for live_then, player in ((live, CLEO), (with_table(live, status=Status.FINISHED), ANN)):
        with pytest.raises(errors.NotAway):
            plans.back(live_then, Ask(player, 7), MOMENT)


# -- closing --------------------------------------------------------------------------------------
def test_a_closed_lobby_ends_no_match() -> None:
    after, change = plans.close(LiveTable(table_of(ANN, BOB)), Ask(ANN, 6), MOMENT)
    assert after.table.status is Status.CLOSED
    assert change == Change(after.table, 6, ending=None)


def test_a_match_that_is_closed_has_no_winner_and_no_results() -> None:
    before = after_moves(dealt(ANN, BOB), MakeBid(0, HOLDS))
    after, change = plans.close(before, NOBODY, MOMENT)
    assert after.table == replace(before.table, status=Status.CLOSED)
    assert change == Change(after.table, None, ending=Ending(MatchStatus.ABANDONED, ()))
    assert after.match == before.match


@pytest.mark.parametrize("status", [Status.FINISHED, Status.CLOSED])
def test_a_table_that_is_over_is_not_closed_again(status: Status) -> None:
    with pytest.raises(errors.NoTable):
        plans.close(LiveTable(table_of(ANN, BOB, status=status)), Ask(ANN, 6), MOMENT)


# -- deadlines ------------------------------------------------------------------------------------
def _clock_of(live: LiveTable, limits: Limits = LIMITS) -> tuple[int | None, str | None]:
    table = plans.set_clocks(LiveTable(live.table), live, limits, NOW)
    timing = ("deadline", "deadline_kind", "turn_since", "turn_ends", "nudges")
    same = replace(table, **{name: getattr(live.table, name) for name in timing})
    assert same == live.table  # nothing else is changed
    return table.deadline, table.deadline_kind


def test_each_state_waits_as_long_as_its_limit_says() -> None:
    bidding = chosen(dealt(ANN, BOB), turn_seconds=600, pings="never")
    assert _clock_of(LiveTable(table_of(ANN))) == (NOW + 3_600_000, "lobby")
    assert _clock_of(begun(ANN, BOB)) == (NOW + 15_000, "next_round")
    assert _clock_of(bidding) == (NOW + 600_000, "turn")
    reminded = chosen(dealt(ANN, BOB), turn_seconds=600, pings="slow")
    assert _clock_of(reminded) == (NOW + 20_000, "nudge")
    assert _clock_of(after_showdown(bidding, HOLDS)) == (NOW + 15_000, "next_round")


def test_a_match_that_nobody_attends_is_closed_as_a_lobby_is() -> None:
    deserted = with_table(dealt(ANN, BOB), absent={ANN: 2, BOB: 2})
    timed = plans.set_clocks(deserted, deserted, LIMITS, NOW)
    assert (timed.deadline, timed.deadline_kind) == (NOW + 3_600_000, "deserted")
    assert plans.set_clocks(deserted, deserted, NO_LIMITS, NOW).deadline is None
    practice = with_table(dealt(ANN, AGNES), channel_id=-ANN)
    practice = chosen(practice, turn_seconds=0, pings="never")
    timed = plans.set_clocks(practice, practice, LIMITS, NOW)
    assert (timed.deadline, timed.deadline_kind) == (NOW + plans.PRACTICE_KEPT, "deserted")


def test_a_rematch_starts_30_seconds_after_the_second_who_is_asked_is_here() -> None:
    second = LiveTable(table_of(ANN, BOB, invited=(ANN, BOB, CLEO)))
    assert _clock_of(second) == (NOW + 30_000, "rematch")
    assert _clock_of(LiveTable(table_of(ANN, BOB, invited=(ANN, BOB)))) == (
        NOW + 3_600_000,
        "lobby",
    )
    first = replace(second.table, deadline=NOW + 4_000, deadline_kind=DeadlineKind.REMATCH)
    later = replace(second, table=replace(first, players=(ANN, BOB, DAN)))
    assert plans.set_clocks(LiveTable(first), later, LIMITS, NOW).deadline == NOW + 4_000


def test_the_house_pauses_before_each_move_it_plays() -> None:
    live = with_table(dealt(ANN, BOB, CLEO), absent={ANN: 2, BOB: 2})
    live = replace(live, table=plans.set_clocks(live, live, LIMITS, NOW))
    assert (live.table.deadline, live.table.deadline_kind) == (NOW + 2_000, "house")
    played = after_moves(live, MakeBid(0, HOLDS))
    assert plans.set_clocks(live, played, LIMITS, NOW + 2_000).deadline == NOW + 4_000


def test_presses_do_not_prolong_pauses_between_rounds_or_before_bot_moves() -> None:
    between = with_table(after_showdown(dealt(ANN, BOB, CLEO), HOLDS), absent={BOB: 2})
    house = with_table(dealt(ANN, BOB, CLEO), absent={ANN: 2})
    for live, plan, player in (
        (between, plans.back, BOB),
        (between, plans.wait, DAN),
        (house, plans.wait, DAN),
    ):
        live_now = replace(live, table=plans.set_clocks(live, live, LIMITS, NOW))
        after, _ = plan(live_now, Ask(player, 1), MOMENT)
        assert (
            plans.set_clocks(live_now, after, LIMITS, NOW + 1_000).deadline
            == live_now.table.deadline
        )


def test_a_turn_lasts_whatever_else_happens_and_a_new_one_has_its_own_clock() -> None:
    before = begun(ANN, BOB, CLEO)
    live = dealt(ANN, BOB, CLEO)
    live = replace(live, table=plans.set_clocks(before, live, LIMITS, NOW))
    left = after_moves(live, Forfeit(2))
    assert plans.set_clocks(live, left, LIMITS, NOW + 5).turn_since == NOW
    bid = after_moves(live, MakeBid(0, HOLDS))
    assert plans.set_clocks(live, bid, LIMITS, NOW + 5).turn_since == NOW + 5
    back = with_table(live, turn_since=None)
    assert plans.set_clocks(live, back, LIMITS, NOW + 5).turn_since == NOW + 5


def test_without_a_limit_nothing_happens_by_itself_but_the_next_deal() -> None:
    bidding = chosen(dealt(ANN, BOB), turn_seconds=0, pings="never")
    assert _clock_of(LiveTable(table_of(ANN)), NO_LIMITS) == (None, None)
    assert _clock_of(bidding, NO_LIMITS) == (None, None)
    assert _clock_of(after_showdown(bidding, HOLDS), NO_LIMITS) == (NOW + 15_000, "next_round")


def test_a_deadline_ends_with_its_state() -> None:
    over, _ = plans.act(dealt(ANN, BOB), NOBODY, MOMENT, Forfeit(0))
    closed, _ = plans.close(dealt(ANN, BOB), NOBODY, MOMENT)
    unfinished = replace(over, table=replace(over.table, status=Status.PLAYING))
    for live in (over, closed, unfinished):
        bidding = replace(dealt(ANN, BOB), table=live.table)
        late = replace(plans.set_clocks(bidding, bidding, LIMITS, NOW - 5), deadline=NOW - 5)
        assert _clock_of(replace(live, table=late)) == (None, None)


# -- what may be asked ----------------------------------------------------------------------------
def ask(match_id: int | None = None, seq: int = 0) -> Ask:
    return Ask(ANN, 1, None if match_id is None else At(match_id, seq))


def test_a_request_for_the_current_state_is_accepted() -> None:
    live = after_moves(dealt(ANN, BOB), MakeBid(0, HOLDS))
    plans.check_current(live, ask(9, 2))
    plans.check_current(live, ask())
    over, _ = plans.act(live, NOBODY, MOMENT, Forfeit(0))
    plans.check_current(over, ask(9, 3))  # the rules say themselves that it is over


@pytest.mark.parametrize(("match_id", "seq"), [(9, 1), (9, 3), (8, 2), (10, 2)])
def test_a_request_for_another_state_has_moved_on(match_id: int, seq: int) -> None:
    live = after_moves(dealt(ANN, BOB), MakeBid(0, HOLDS))
    with pytest.raises(errors.MovedOn):
        plans.check_current(live, ask(match_id, seq))


def test_a_request_for_a_match_where_there_is_none_has_moved_on() -> None:
    lobby = LiveTable(table_of(ANN, BOB, match_id=9))
    with pytest.raises(errors.MovedOn):
        plans.check_current(lobby, ask(9, 0))
    plans.check_current(lobby, ask())


def test_a_command_after_the_end_names_the_winner() -> None:
    over, _ = plans.act(dealt(ANN, BOB), NOBODY, MOMENT, Forfeit(0))
    with pytest.raises(MatchIsOver) as refused:
        plans.check_current(over, ask())
    assert refused.value.winner == 1


@pytest.mark.parametrize(
    ("noted", "channel", "message", "is_here"),
    [
        (None, 2, 1, True),
        (40, 2, 40, True),
        (40, 2, 41, True),  # posted a moment ago, and not noted yet
        (40, 2, 39, False),
        (None, 3, 50, False),
        (40, 3, 40, False),
    ],
)
def test_a_control_is_accepted_only_on_the_channels_latest_table_message(
    noted: int | None, channel: int, message: int, is_here: bool
) -> None:
    live = LiveTable(table_of(ANN, BOB, message_id=noted))
    if is_here:
        plans.check_place(live, Place(channel, message))
    else:
        with pytest.raises(errors.MovedOn):
            plans.check_place(live, Place(channel, message))


def test_controls_work_in_direct_seats_for_players_in_reminders_and_in_practices() -> None:
    live = with_table(dealt(ANN, BOB), message_id=40, nudge_id=30)
    plans.check_place(live, Place(2, None))
    plans.check_place(live, Place(2, 30))
    plans.check_place(live, Place(77, 1, direct_to=ANN))
    plans.check_place(with_table(live, channel_id=-ANN), Place(77, 1))
    for live_then, player in ((live, CLEO), (LiveTable(live.table), ANN)):
        with pytest.raises(errors.MovedOn):
            plans.check_place(live_then, Place(77, 50, direct_to=player))


def test_only_the_seat_to_bid_may_bid_and_the_others_are_told_whose_turn_it_is() -> None:
    live = after_moves(dealt(ANN, BOB, CLEO), MakeBid(0, HOLDS))
    plans.check_turn(live, 1)
    with pytest.raises(NotYourTurn) as refused:
        plans.check_turn(live, 2)
    assert (refused.value.seat, refused.value.turn) == (2, 1)
    with pytest.raises(NotInMatch) as gone:
        plans.check_turn(after_moves(live, Forfeit(2)), 2)
    assert gone.value.seat == 2


def test_nobody_bids_before_the_deal_or_between_rounds() -> None:
    doubted = after_moves(dealt(ANN, BOB), MakeBid(0, HOLDS), Challenge(1))
    for live in (LiveTable(table_of(ANN, BOB)), begun(ANN, BOB), doubted):
        with pytest.raises(NotDealt):
            plans.check_turn(live, 0)


# -- house rules: every option at its default, the table's own apart -------------------------------


@pytest.mark.parametrize("key", VARIANTS)
def test_a_lobby_begins_with_the_default_of_every_option_of_game_and_house(key: str) -> None:
    options = variant(key).all_options
    assert options_of(key) == (*options, *HOUSE_RULES)
    assert defaults(key) == {option.key: option.default for option in options} | {
        "odds_at_table": "on",
        "turn_seconds": 120,
        "absence": "house",
        "pings": "slow",
        "letters": "no",
        "buried": 8,
        "talk": "on",
        "language": "server",
    }


def test_the_house_s_options_are_not_the_game_s() -> None:
    table = table_of(ANN, BOB, options=defaults(THAI))
    assert set(game_options(table.options)) == {option.key for option in variant(THAI).all_options}
    assert chosen_ruleset(table) == ruleset(THAI)


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({}, True), ({"odds_at_table": "on"}, True), ({"odds_at_table": "off"}, False)],
)
def test_odds_at_the_table_are_allowed_unless_the_house_forbids_them(
    options: dict[str, OptionValue], allowed: bool
) -> None:
    table = table_of(ANN, options=options)
    assert odds_allowed(table) is allowed
    assert options_chosen(table, ODDS_AT_TABLE) == ("on" if allowed else "off")


def test_only_a_value_that_the_house_offers_is_taken() -> None:
    check_house_rules({})
    check_house_rules({"odds_at_table": "off", "two_player_limit": 99})  # the game judges its own
    with pytest.raises(RulesetError, match="sometimes"):
        check_house_rules({"odds_at_table": "sometimes"})
    check_house_rules({"turn_seconds": 45})  # a host's own default may be any length
    lengths: tuple[Any, ...] = (-1, 1.5, "60", True)
    for length in lengths:
        with pytest.raises(RulesetError):
            check_house_rules({"turn_seconds": length})


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (120, "2 minutes"),
        (0, "no limit"),
        (45, "45 seconds"),
        (90, "90 seconds"),
        (600, "10 minutes"),
        (7200, "2 hours"),
        (172_800, "2 days"),
    ],
)
def test_a_clock_is_worded_as_people_say_it(seconds: int, words: str) -> None:
    assert choice_text(table_of(ANN, options={"turn_seconds": seconds}), TURN_CLOCK) == words


def test_no_game_can_have_more_options_than_a_form_has_room_for() -> None:
    apart = {option.key for option in (*PACE, *MESSAGES, *WITH_COMPUTERS, *SERVER)}
    beside = [option for option in (*EVERY_GAME, *HOUSE_RULES) if option.key not in apart]
    assert MOST_OPTIONS + len(beside) == 5, (  # fields of a form
        "the form of house rules is full: offer the new option in another form, with a verb of its"
        " own in `options_form` (bot/discord/forms.py)"
    )
    assert len(PACE) <= 5
    assert len(MESSAGES) <= 5


def test_of_all_rules_only_the_length_of_a_match_is_in_a_form_about_something_else() -> None:
    elsewhere = (*PACE, *MESSAGES, *WITH_COMPUTERS, *SERVER)
    assert [option for option in elsewhere if option in EVERY_GAME] == [LENGTH], (
        'the form of PACE is called "Time", that of MESSAGES "Messages": offer another rule in'
        " another form, with a verb of its own in `options_form` (bot/discord/forms.py)"
    )


@pytest.mark.parametrize("short", ["showdown", "three-card"])
def test_a_short_name_that_is_a_command_already_is_refused(short: str) -> None:
    with pytest.raises(RulesetError, match=f'reserved for commands: write .*"{short}-poker"'):
        check_fits(replace(VARIANTS["thai_poker"], short=short))


@pytest.mark.parametrize(
    "key", ["cards", "bid", "in_play", "interaction", "known", "kinds", "help", "json", "pings"]
)
def test_an_option_key_that_commands_or_the_house_use_is_refused(key: str) -> None:
    taken = Option(key, "Some rule", (OptionChoice(0, "none"),))
    with pytest.raises(RulesetError, match=f'reserved for commands .*write .*"{key}_rule"'):
        check_fits(replace(VARIANTS["thai_poker"], options=(taken,)))


def test_more_options_than_fit_are_refused() -> None:
    several = [Option(f"rule_{n}", "Some rule", (OptionChoice(0, "none"),)) for n in range(5)]
    game = VARIANTS["thai_poker"]
    check_fits(replace(game, options=tuple(several[:4])))
    with pytest.raises(RulesetError, match="thai_poker has 5 options: write 4 at most"):
        check_fits(replace(game, options=tuple(several)))


def test_an_option_is_explained_in_at_most_100_characters() -> None:
    choices = (OptionChoice(0, "none"), OptionChoice(1, "one"))
    game = VARIANTS["thai_poker"]
    check_fits(replace(game, options=(Option("jokers", "Jokers", choices, "x" * 100),)))
    with pytest.raises(RulesetError, match="explained in 101 characters: write 100 at most, such"):
        check_fits(replace(game, options=(Option("jokers", "Jokers", choices, "x" * 101),)))

"""A table in memory with its match: its properties, and changes of its lobby."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.tables import errors
from bot.tables.live import (
    LiveTable,
    advance,
    dealt_to,
    ending,
    first_state,
    may_manage,
    new_match,
    revive,
    with_joined,
    with_left,
    with_options,
)
from bot.tables.model import (
    DeadlineKind,
    Ending,
    MatchStatus,
    NewMatch,
    PlayerResult,
    Snapshot,
    Status,
    StoredAction,
    StoredMatch,
)
from bot.tables.table_options import defaults
from engine.actions import Action, Challenge, Forfeit, MakeBid, to_json
from engine.errors import NotYourTurn, RulesetError
from engine.play import start
from engine.variants import ruleset, variant
from tests.bot.tables.scenes import (
    AGNES,
    ANN,
    BOB,
    CLEO,
    DAN,
    EVE,
    FAILS,
    HOLDS,
    NOW,
    THAI,
    after_moves,
    after_showdown,
    again,
    begun,
    dealt,
    match_of,
    table_of,
)
from tests.dealing import stacked_deal

SEEDS = {1: b"one", 2: b"two"}


# -- the match in memory --------------------------------------------------------------------------


def test_an_action_returns_a_new_table_and_leaves_the_old_one_unchanged() -> None:
    before = dealt(ANN, BOB)
    after = advance(before, MakeBid(0, HOLDS))
    assert (match_of(before).seq, match_of(after).seq) == (1, 2)
    assert after == replace(before, match=after.match)
    with pytest.raises(NotYourTurn):
        advance(after, MakeBid(0, FAILS))
    with pytest.raises(errors.NoTable):
        advance(LiveTable(table_of(ANN, BOB)), MakeBid(0, HOLDS))


def test_moves_by_the_bot_deals_and_showdowns_are_recorded() -> None:
    live = advance(dealt(ANN, BOB), MakeBid(0, HOLDS), by_house=True)
    assert (live.by_house, live.last_by_house) == (frozenset({2}), True)
    live = advance(live, Challenge(1))
    assert (live.by_house, live.last_by_house) == (frozenset({2}), False)
    assert [ended_round.number for ended_round in live.ended_rounds] == [1]
    assert advance(live, again(live), by_house=True).by_house == {2, 4}
    assert advance(live, again(live)).deals == (1, 4)
    assert not LiveTable(table_of(ANN, BOB)).last_by_house


def test_a_move_by_the_bot_stays_the_latest_when_somebody_leaves_after_it() -> None:
    live = advance(dealt(ANN, BOB, CLEO), MakeBid(0, HOLDS), by_house=True)
    left = advance(live, Forfeit(2))
    assert left.last_by_house
    assert not advance(left, Challenge(1)).last_by_house
    by_player = advance(dealt(ANN, BOB, CLEO), MakeBid(0, HOLDS))
    assert not advance(by_player, Forfeit(2)).last_by_house
    ended = advance(advance(live, Challenge(1), by_house=True), Forfeit(2))
    assert ended.last_by_house
    dealt_again = advance(ended, again(ended))
    assert not dealt_again.last_by_house
    assert replace(dealt_again, match=dealt_again.before).last_by_house  # in the round's record


def test_the_length_of_the_log_at_the_last_deal_or_showdown_is_kept() -> None:
    first = dealt(ANN, BOB)
    ended = after_showdown(first, HOLDS)
    second = after_moves(ended, again(ended))
    assert [live.news_seq for live in (begun(ANN, BOB), first, ended, second)] == [0, 1, 3, 4]


def test_the_state_before_the_last_deal_or_showdown_is_kept_for_its_record() -> None:
    first = dealt(ANN, BOB)
    bid = after_moves(first, MakeBid(0, HOLDS))
    assert bid.before == first.before
    ended = after_moves(bid, Challenge(1))
    assert ended.before == bid.match
    assert after_moves(ended, again(ended)).before == ended.match


def test_departures_are_recorded_in_order_with_the_rounds_dealt() -> None:
    live = after_moves(begun(ANN, BOB, CLEO, DAN), Forfeit(3))
    live = after_moves(live, stacked_deal(match_of(live), {}), Forfeit(1))
    assert live.left == (((3,), 0), ((1,), 1))
    live = after_showdown(live, FAILS)
    live = after_moves(live, again(live), Forfeit(2))
    assert live.left == (((3,), 0), ((1,), 1), ((2,), 2))


def test_places_in_a_won_match_follow_how_long_players_stayed() -> None:
    live = after_moves(begun(ANN, BOB, CLEO), Forfeit(2))
    assert ending(live) is None
    live = after_moves(live, stacked_deal(match_of(live), {}))
    assert ending(live) is None
    won = after_moves(live, Forfeit(0))
    assert ending(won) == Ending(
        MatchStatus.WON,
        (PlayerResult(CLEO, 3, 0), PlayerResult(ANN, 2, 1), PlayerResult(BOB, 1, 1)),
    )
    assert ending(LiveTable(table_of(ANN, BOB))) is None


def test_a_match_won_before_its_first_deal_has_no_rounds() -> None:
    won = after_moves(begun(ANN, BOB), Forfeit(1))
    assert ending(won) == Ending(
        MatchStatus.WON, (PlayerResult(BOB, 2, 0), PlayerResult(ANN, 1, 0))
    )


def test_in_a_first_out_match_losers_are_placed_by_cards_and_equals_share_a_place() -> None:
    live = dealt(ANN, BOB, CLEO, DAN, EVE, hands={0: "9c"})
    match = match_of(live)
    rules = ruleset(THAI, {"length": "first_out"})
    counts = (4, 2, 3, 3, 4)  # of five players each may hold four
    seats = tuple(replace(seat, cards=n) for seat, n in zip(match.seats, counts, strict=True))
    live = replace(live, match=replace(match, ruleset=rules, seats=seats))
    won = after_showdown(live, "royal_flush:s")
    assert won.left == (((0,), 1), ((4,), 1), ((2, 3), 1))
    stop = ending(won)
    assert stop is not None
    assert {result.player: result.place for result in stop.results} == {
        ANN: 5,
        EVE: 4,
        CLEO: 2,
        DAN: 2,
        BOB: 1,
    }


# -- what is stored ------------------------------------------------------------------------------


def stored_match(*actions: Action, **kwargs: Any) -> StoredMatch:
    chosen: dict[str, Any] = {
        "id": 9,
        "table_id": 5,
        "variant": THAI,
        "variant_version": ruleset(THAI).version,
        "options": {"two_player_limit": 7},
        "players": (ANN, BOB),
        "opener": 1,
        "status": MatchStatus.PLAYING,
        "started_at": NOW,
        "ended_at": None,
        "actions": tuple(
            StoredAction(number, to_json(action), NOW)
            for number, action in enumerate(actions, start=1)
        ),
    }
    return StoredMatch(**(chosen | kwargs))


def test_a_stored_match_begins_under_the_rules_pinned_with_it() -> None:
    rules = ruleset(THAI, {"two_player_limit": 7})
    assert first_state(stored_match()) == start(rules, (ANN, BOB), 1)
    with pytest.raises(RulesetError, match="version"):
        first_state(stored_match(variant_version=99))


def test_a_table_is_revived_from_its_log_as_it_was() -> None:
    table = table_of(ANN, BOB, status=Status.PLAYING, match_id=9)
    opened = LiveTable(table, first_state(stored_match()))
    actions = (stacked_deal(match_of(opened), {}), MakeBid(1, HOLDS), Challenge(0))
    assert revive(Snapshot(table, stored_match(*actions), dict(SEEDS))) == replace(
        after_moves(opened, *actions), seeds=SEEDS
    )
    assert revive(Snapshot(table)) == LiveTable(table)
    gap = stored_match(*actions)
    with pytest.raises(ValueError, match="no action 2"):
        revive(Snapshot(table, replace(gap, actions=(gap.actions[0], gap.actions[2]))))


# -- what may be shown ----------------------------------------------------------------------------


def test_a_new_message_is_needed_without_one_or_after_a_new_round() -> None:
    live = dealt(ANN, BOB)
    for message, announced, needed in ((None, 1, True), (4, 0, True), (4, 1, False), (4, 2, False)):
        noted = replace(live.table, message_id=message, announced_seq=announced)
        assert replace(live, table=noted).needs_new_message is needed


def test_a_seed_is_revealed_when_its_round_has_ended_and_not_before() -> None:
    first = replace(dealt(ANN, BOB), seeds={1: b"one"})
    ended = after_showdown(first, HOLDS)
    second = replace(after_moves(ended, again(ended)), seeds=SEEDS)
    assert first.revealed_seeds == {}
    assert ended.revealed_seeds == {1: b"one"}
    assert second.revealed_seeds == {1: b"one"}
    assert (
        replace(second, table=replace(second.table, status=Status.CLOSED)).revealed_seeds == SEEDS
    )
    assert after_moves(second, Forfeit(0)).revealed_seeds == SEEDS
    assert replace(begun(ANN, BOB), seeds=SEEDS).revealed_seeds == {}
    assert LiveTable(table_of(ANN, BOB), seeds=SEEDS).revealed_seeds == {}


def test_a_seat_is_found_by_its_player() -> None:
    live = dealt(ANN, BOB)
    assert (live.seat(ANN), live.seat(BOB)) == (0, 1)
    with pytest.raises(errors.NotSeated):
        live.seat(CLEO)
    with pytest.raises(errors.NotStarted):
        LiveTable(table_of(ANN, BOB)).seat(ANN)


def test_only_live_players_of_a_round_being_bid_hold_cards() -> None:
    live = dealt(ANN, BOB, CLEO)
    seated = [dealt_to(live, player) is not None for player in (ANN, BOB, CLEO, DAN)]
    assert seated == [True, True, True, False]
    left = after_moves(live, Forfeit(2))
    assert [dealt_to(left, player) is not None for player in (ANN, BOB, CLEO)] == [
        True,
        True,
        False,
    ]
    for between in (
        LiveTable(table_of(ANN, BOB)),
        begun(ANN, BOB),
        after_showdown(live, HOLDS),
        after_moves(dealt(ANN, BOB), Forfeit(1)),
    ):
        assert dealt_to(between, ANN) is None


# -- a lobby --------------------------------------------------------------------------------------

PLAYING = table_of(ANN, BOB, status=Status.PLAYING, match_id=9)


def test_a_player_who_joins_sits_last() -> None:
    table = table_of(ANN, BOB)
    assert with_joined(table, CLEO) == replace(table, players=(ANN, BOB, CLEO))
    assert with_joined(replace(table, players=(AGNES,)), CLEO).host_id == CLEO  # no person was here
    with pytest.raises(errors.AlreadySeated):
        with_joined(table, BOB)
    with pytest.raises(errors.MovedOn):
        with_joined(PLAYING, CLEO)


def test_ten_seats_can_be_taken_and_no_more() -> None:
    nine = table_of(*range(100, 109))
    ten = with_joined(nine, ANN)
    assert len(ten.players) == 10
    with pytest.raises(errors.TableFull) as refused:
        with_joined(ten, BOB)
    assert refused.value.most == 10


def test_a_host_who_leaves_hands_over_and_anybody_else_does_not() -> None:
    table = table_of(ANN, BOB, CLEO)
    assert with_left(table, BOB) == replace(table, players=(ANN, CLEO))
    assert with_left(table, ANN) == replace(table, players=(BOB, CLEO), host_id=BOB)
    assert with_left(replace(table, host_id=CLEO), ANN).host_id == CLEO
    with pytest.raises(errors.NotSeated):
        with_left(table, DAN)
    with pytest.raises(errors.MovedOn):
        with_left(PLAYING, ANN)


def test_the_last_to_leave_closes_the_lobby() -> None:
    alone = table_of(ANN, deadline=NOW, deadline_kind=DeadlineKind.LOBBY)
    assert with_left(alone, ANN) == replace(alone, players=(), status=Status.CLOSED)


def test_a_match_needs_two_players_and_pins_every_option() -> None:
    chosen = table_of(ANN, BOB, options=defaults(THAI) | {"two_player_limit": 7})
    version = variant(THAI).version
    pinned = dict(ruleset(THAI, {"two_player_limit": 7}).options)
    assert new_match(chosen) == NewMatch(THAI, version, pinned, (ANN, BOB), None)
    assert pinned["two_player_limit"] == 7
    with pytest.raises(errors.TooFewPlayers) as refused:
        new_match(table_of(ANN))
    assert refused.value.seated == 1
    with pytest.raises(errors.MovedOn):
        new_match(PLAYING)


@pytest.mark.parametrize(("winner", "opener"), [(None, None), (ANN, 0), (CLEO, 2), (DAN, None)])
def test_the_winner_of_the_previous_match_opens_if_seated(
    winner: int | None, opener: int | None
) -> None:
    assert new_match(table_of(ANN, BOB, CLEO, last_winner=winner)).opener == opener


@pytest.mark.parametrize(("player", "moderator", "may"), [
    (ANN, False, True), (ANN, True, True), (BOB, True, True), (BOB, False, False),
])  # fmt: skip
def test_only_the_host_or_a_moderator_manages_a_table(
    player: int, moderator: bool, may: bool
) -> None:
    if may:
        may_manage(table_of(ANN, BOB), player, moderator)
    else:
        with pytest.raises(errors.NotHost) as refused:
            may_manage(table_of(ANN, BOB), player, moderator)
        assert refused.value.host == ANN


# -- house rules ----------------------------------------------------------------------------------


def test_a_chosen_option_replaces_its_value_and_leaves_the_rest() -> None:
    table = table_of(ANN, BOB, options=defaults(THAI))
    changed = with_options(table, {"odds_at_table": "off", "two_player_limit": 7})
    assert changed == replace(
        table, options={**table.options, "odds_at_table": "off", "two_player_limit": 7}
    )
    with pytest.raises(errors.MovedOn):
        with_options(PLAYING, {"odds_at_table": "off"})


@pytest.mark.parametrize(
    ("chosen", "line"),
    [
        ({"odds_at_table": "sometimes"}, "odds_at_table.*on, seats, off.*sometimes"),
        ({"two_player_limit": 99}, "99"),
        ({"nobody_knows": 1}, "nobody_knows"),
    ],
)
def test_an_option_that_nobody_offered_is_refused_by_name(
    chosen: dict[str, Any], line: str
) -> None:
    with pytest.raises(RulesetError, match=line):
        with_options(table_of(ANN, BOB), chosen)


def test_an_option_that_seats_fewer_than_are_here_is_refused_with_both_numbers() -> None:
    ten = table_of(*range(100, 110), variant="liars_poker")
    with pytest.raises(errors.TooManyForRules) as refused:
        with_options(ten, {"middle_hand": True})
    assert (refused.value.most, refused.value.seated) == (9, 10)
    nine = replace(ten, players=ten.players[:9])
    assert with_options(nine, {"middle_hand": True}).options == {"middle_hand": True}

"""The deal of the day, the mistakes that the quiz asks about, and hours of the day."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retry import RetryPolicy
from bot.services.practice import once_more, play_daily, practise
from bot.settings.shards import NO_GUILD
from bot.storage.store import SqlStore
from bot.tables import errors, moderation, plans
from bot.tables.daily import (
    LOST,
    PLAYERS,
    SURVIVED,
    WON,
    Week,
    daily,
    day_at,
    monday,
    person_outcome,
    rank_results,
    streak,
    week_of,
)
from bot.tables.live import LiveTable
from bot.tables.local_time import (
    NotAnHour,
    NotAZone,
    hour_text,
    minute_named,
    next_time,
    zone_named,
)
from bot.tables.model import DailyResult, DeadlineKind, Mistake, Status, record_answer
from bot.terminal.table import PERSON, DailyTable
from engine.actions import Challenge, MakeBid, to_json
from engine.players import Choice, Position, ShownRound, choose
from engine.state import Phase
from tests.bot.tables.clockwork import LIARS, MINUTE, THAI
from tests.bot.tables.room import ANN, BOB, ask
from tests.bot.tables.rooms import ComputerRoom, LocalDecider
from tests.bot.tables.scenes import match_of

# -- the deal of the day: alike everywhere, once a day ---------------------------------------------

GOLDEN = Path(__file__).parents[2] / "golden" / "daily.json"
DAY = MINUTE * 60 * 24
A_DAY = date(2026, 11, 26).toordinal()
SERVER = 9


def in_days(room: ComputerRoom, days: int) -> None:
    room.clock.at += days * DAY


async def begun(room: ComputerRoom, player: int, game: str) -> LiveTable:
    live = await play_daily(room.tables, ask(player), game, SERVER)
    assert isinstance(live, LiveTable)
    room.id = live.table.id
    return live


def own_move(live: LiveTable, doubt: int) -> MakeBid | Challenge:
    """Return a person's move: challenge a bid at rung `doubt` or above, else bid the lowest."""
    match = match_of(live)
    standing = match.round.standing if match.round is not None else None
    ladder = match.ruleset.ladder
    if standing is not None and ladder.place(standing.bid) >= doubt:
        return Challenge(PERSON)
    first = ladder.first_above(ladder.place(standing.bid) if standing is not None else None)
    return MakeBid(PERSON, ladder.at(first).key)


async def play_whole_daily(
    room: ComputerRoom, player: int, game: str, doubt: int = 12
) -> LiveTable:
    """Play a person's whole deal of the day; return the table at the end."""
    live = await begun(room, player, game)
    while live.table.status is Status.PLAYING:
        match = match_of(live)
        if match.phase is Phase.DEAL:
            await room.tables.change(room.id, ask(player), plans.next_round)
        elif await room.turn() == player:
            move = own_move(live, doubt)
            if isinstance(move, Challenge):
                await room.tables.change(room.id, ask(player), plans.challenge)
            else:
                await room.tables.change(room.id, ask(player), plans.bid, move.key)
        else:
            await room.happens()
        live = await room.live()
    return live


def in_a_terminal(table: DailyTable, moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Repeat the person's moves in the terminal's deal of the day; return the log of that deal."""
    own_moves = [move for move in moves if move.get("seat") == PERSON]
    while not table.is_over:
        if table.match.phase is Phase.DEAL:
            table.deal()
        elif (position := table.next_position()) is not None:
            table.take(position, choose(position, table.rules))
        else:
            body = own_moves.pop(0)
            is_bid = body["kind"] == "bid"
            table.play(MakeBid(PERSON, body["bid"]) if is_bid else Challenge(PERSON))
    assert own_moves == []
    return [to_json(action) for action in table.log]


def as_bytes(log: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(body, sort_keys=True) for body in log).encode()


@pytest.mark.thorough
@pytest.mark.parametrize("game", [LIARS, THAI])
async def test_the_same_moves_give_the_same_log_at_a_table_and_in_the_terminal(
    store: SqlStore, game: str, request: pytest.FixtureRequest
) -> None:
    room = ComputerRoom(store)
    in_days(room, A_DAY - room.tables.today())
    live = await play_whole_daily(room, ANN, game)
    stored = [
        {key: body[key] for key in body if key != "by_house"} for body in await room.stored_log()
    ]
    terminal = DailyTable(daily(game, A_DAY))
    log = as_bytes(in_a_terminal(terminal, stored))
    assert log == as_bytes(stored)
    result = await store.daily.result(ANN, game, A_DAY)
    assert result is not None
    assert result == replace(
        terminal.result, player=ANN, guild_id=SERVER, match_id=live.table.match_id or 0
    )
    with pytest.raises(errors.MovedOn):  # once a day, also where the match has a winner
        await once_more(room.tables, ask(ANN), live.table.id)
    # another person in another match is answered alike
    second_room = ComputerRoom(store)
    second_room.clock.at = room.clock.at
    await play_whole_daily(second_room, BOB, game)
    again = [
        {key: body[key] for key in body if key != "by_house"}
        for body in await second_room.stored_log()
    ]
    assert as_bytes(again) == log
    # what the players of this version do: where this differs, raise `daily.PLAYERS`
    known = json.loads(GOLDEN.read_text())
    key = f"players {PLAYERS}, {game}"
    if request.config.getoption("--update-golden"):
        known[key] = sha256(log).hexdigest()
        GOLDEN.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    assert known[key] == sha256(log).hexdigest()


def test_the_seeds_of_a_day_are_hashed_from_the_published_text() -> None:
    text = f"bluffhouse/daily/1 thai_poker 2026-11-26 players/{PLAYERS}"
    assert daily(THAI, A_DAY).root == sha256(text.encode()).digest()
    roots = {daily(game, A_DAY + at).root for game in (LIARS, THAI) for at in range(50)}
    assert len(roots) == 100
    seated = {daily(THAI, A_DAY + at).characters for at in range(50)}
    assert all(len(set(seating)) == 3 for seating in seated)
    assert len(seated) > 10


def test_a_day_begins_at_midnight_utc() -> None:
    assert day_at(0) == date(1970, 1, 1).toordinal()
    assert day_at(DAY - 1) == day_at(0)
    assert day_at(DAY) == day_at(0) + 1
    assert date.fromordinal(monday(A_DAY)) == date(2026, 11, 23)


async def test_a_deal_is_played_once_a_day_and_to_its_end_before_a_practice(
    store: SqlStore,
) -> None:
    room = ComputerRoom(store)
    first = await begun(room, ANN, THAI)
    assert (await begun(room, ANN, THAI)).table.id == first.table.id
    assert (await begun(room, ANN, LIARS)).table.id == first.table.id
    assert (await practise(room.tables, ask(ANN), LIARS, "sly")).table.id == first.table.id
    assert first.table.guild_id == NO_GUILD
    day = room.tables.today()
    await room.tables.change(first.table.id, ask(ANN), moderation.end)
    given_up = await play_daily(room.tables, ask(ANN), THAI, 0)
    assert isinstance(given_up, DailyResult)
    assert (given_up.place, given_up.rounds, given_up.guild_id) == (None, "", SERVER)
    with pytest.raises(errors.MovedOn):
        await once_more(room.tables, ask(ANN), first.table.id)
    assert (await begun(room, ANN, LIARS)).table.variant == LIARS  # the other game's deal
    in_days(room, 1)
    assert (await begun(room, ANN, THAI)).table.daily_day == day  # midnight ends none
    in_days(room, 1)
    later = await begun(room, ANN, THAI)  # one that nobody has come back to is given up
    assert later.table.daily_day == day + 2
    unfinished = await store.daily.result(ANN, LIARS, day)
    assert unfinished is not None
    assert unfinished.place is None


async def test_no_deal_begins_on_a_day_played_with_another_version_of_players(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ComputerRoom(store)
    await play_whole_daily(room, ANN, THAI, doubt=0)
    going_on = await begun(room, BOB, THAI)
    for module in ("bot.tables.daily", "bot.services.practice"):
        monkeypatch.setattr(f"{module}.PLAYERS", PLAYERS + 1)
    with pytest.raises(errors.SplitsTheDay):
        await begun(room, ANN + 10, THAI)
    # what was begun before is played on and does not count
    await room.tables.change(going_on.table.id, ask(BOB), moderation.end)
    assert await store.daily.result(BOB, THAI, room.tables.today()) is None
    in_days(room, 1)
    assert isinstance(await begun(room, BOB, THAI), LiveTable)


class Unready(LocalDecider):
    """A decider that fails until it is `ready`."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = False
        self.refused = 0

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        assert exactly
        if not self.ready:
            self.refused += 1
            raise RuntimeError("it is still being loaded")
        return await super().choose(position)


async def test_in_a_deal_of_the_day_no_stand_in_plays_for_a_computer_player(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.computer_turns.RETRY", RetryPolicy(0.001, 0.001))
    decider = Unready()
    room = ComputerRoom(store, decider)
    live = await begun(room, ANN, THAI)
    if await room.turn() == ANN:
        await room.tables.change(room.id, ask(ANN), plans.bid, own_move(live, 99).key)  # type: ignore[union-attr]
    seq = match_of(await room.live()).seq
    room.clock.at += 60 * MINUTE  # far longer than a safe move is waited for
    for _ in range(3):
        (due,) = await store.tables.due(room.clock.at)
        assert due.deadline_kind is DeadlineKind.COMPUTER
        await room.tables.on_deadline(due)
        assert match_of(await room.live()).seq == seq
        deadline = (await room.table()).deadline
        assert deadline is not None
        assert deadline - room.clock.at == 60_000  # it is not asked for every moment
        room.clock.at = deadline
    decider.ready = True
    await room.thinking.wait_until_idle()
    assert decider.refused
    assert await room.happens() is DeadlineKind.COMPUTER
    assert match_of(await room.live()).seq == seq + 1


def test_a_persons_outcome_has_the_place_a_letter_a_round_and_the_boldest_bluff(
    store: SqlStore,
) -> None:
    table = DailyTable(daily(THAI, A_DAY))
    rules, nine = table.rules, table.rules.deck.order[0]
    ladder = rules.ladder
    true = ladder.place(ladder.bid("high_card:9"))
    false = ladder.place(ladder.bid("four:A"))
    hands = (1 << nine.number, *(1 << card.number for card in rules.deck.order[1:4]))
    rounds = (
        ShownRound(1, 0, hands, 0, ((0, true), (1, false)), 2, 1),  # others decide it
        ShownRound(2, 0, hands, 0, ((0, false),), 1, 0),  # caught
        ShownRound(3, 0, hands, 0, ((3, false),), 0, 3),  # a good challenge
        ShownRound(4, 0, hands, 0, ((0, ladder.place(ladder.bid("pair:K"))), (1, false)), 2, 1),
        ShownRound(5, 0, hands, 0, ((0, true),), None, None),
    )
    place, letters, boldest = person_outcome(table.match, (((1,), 3), ((0, 2), 4)), rounds)
    assert place == 2  # equals share the better place
    assert letters == SURVIVED + LOST + WON + SURVIVED + SURVIVED
    assert boldest is not None  # a pair of kings with a nine in hand: two of the other three
    assert boldest == pytest.approx(_two_kings_of_three())


def _two_kings_of_three() -> float:
    from math import comb

    return sum(comb(4, kings) * comb(19, 3 - kings) for kings in (2, 3)) / comb(23, 3)


def result(player: int, place: int | None, rounds: str = "", day: int = A_DAY) -> DailyResult:
    return DailyResult(player, THAI, day, PLAYERS, SERVER, 1, place, rounds, None)


def test_results_are_ranked_by_place_then_by_rounds_lost() -> None:
    results = [result(1, None), result(2, 2, "xx"), result(3, 2, "x."), result(4, 1, "xx")]
    assert [result.player for result in rank_results(results)] == [4, 3, 2, 1]
    week = [*results, result(3, 1, day=A_DAY - 1)]
    assert week_of(week) == [Week(3, 5, 2), Week(4, 3, 1), Week(2, 2, 1)]


def test_days_in_a_row_go_up_to_today_or_yesterday() -> None:
    assert streak([], 100) == 0
    assert streak([100, 99, 98, 96], 100) == 3
    assert streak([99, 98, 96], 100) == 2
    assert streak([98, 97], 100) == 0


# -- asked again after 1, 3 and 7 days, until answered well twice ----------------------------------

FIRST = Mistake(1, 2, 3, 0, 0, 0)


def test_a_mistake_is_asked_again_after_one_day_three_days_and_every_seven() -> None:
    mistake, waits = FIRST, []
    for now in (100, 200, 300, 400):
        mistake = record_answer(mistake, well=False, now=now)
        assert mistake.due_at is not None
        waits.append((mistake.due_at - now) / DAY)
    assert waits == [1, 3, 7, 7]
    assert (mistake.asked, mistake.right) == (4, 0)


def test_a_mistake_answered_correctly_twice_is_not_asked_again() -> None:
    once = record_answer(record_answer(FIRST, well=True, now=0), well=False, now=0)
    assert (once.right, once.due_at) == (1, 3 * DAY)
    assert record_answer(once, well=True, now=0).due_at is None


# -- hours of the day in a time zone, when the clocks are changed too ------------------------------

WARSAW = "Europe/Warsaw"
HOUR = 3_600_000


def at(text: str) -> int:
    """Return a UTC time in ISO format as Unix milliseconds."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Warsaw", WARSAW),
        (" europe/warsaw ", WARSAW),
        ("warsaw", WARSAW),
        ("new york", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("UTC", "UTC"),
    ],
)
def test_a_time_zone_is_named_whole_or_by_its_city(typed: str, zone: str) -> None:
    assert zone_named(typed) == zone


def test_an_unknown_time_zone_is_refused_with_suggestions() -> None:
    for typed in ("", "Narnia", "../../etc/passwd", "localtime"):
        with pytest.raises(NotAZone) as refused:
            zone_named(typed)
        assert refused.value.suggestions == ()
    with pytest.raises(NotAZone) as refused:
        zone_named("wars")
    assert refused.value.suggestions == (WARSAW,)


def test_every_zone_is_understood_by_its_own_name() -> None:
    for name in available_timezones() - {"localtime"}:
        assert zone_named(name) == name


@pytest.mark.parametrize(
    ("typed", "minute"),
    [
        *[("20:30", 1230), ("20.30", 1230), ("8", 480), ("08:05", 485), ("0", 0)],
        *[("8pm", 1200), ("8:30 PM", 1230), ("08:30 p.m.", 1230), ("8 am", 480)],
        *[("12 am", 0), ("12:15pm", 735)],
    ],
)
def test_an_hour_is_typed_in_several_ways(typed: str, minute: int) -> None:
    assert minute_named(typed) == minute


@pytest.mark.parametrize(
    "typed", ["", "24", "20:60", "20 pm", "0 am", "8 p", "2030", "-1", "٢٠:٣٠"]
)
def test_an_invalid_hour_is_refused(typed: str) -> None:
    with pytest.raises(NotAnHour):
        minute_named(typed)


def test_an_hour_reads_as_a_clock_shows_it() -> None:
    assert (hour_text(1230), hour_text(485), hour_text(0)) == ("20:30", "8:05", "0:00")


def test_the_hour_stays_when_summer_begins_and_ends() -> None:
    # clocks go forward on 29 March 2026 and back on 25 October 2026
    before_summer = next_time(WARSAW, 1200, at("2026-03-28T00:00"))
    assert next_time(WARSAW, 1200, before_summer) - before_summer == 23 * HOUR
    before_winter = next_time(WARSAW, 1200, at("2026-10-24T00:00"))
    assert next_time(WARSAW, 1200, before_winter) - before_winter == 25 * HOUR


def test_an_hour_skipped_by_summer_time_comes_an_hour_later() -> None:
    moment = next_time(WARSAW, 150, at("2026-03-28T12:00"))  # 2:30 on 29 March is no hour
    assert datetime.fromtimestamp(moment / 1000, ZoneInfo(WARSAW)).strftime("%H:%M") == "03:30"
    following = next_time(WARSAW, 150, moment)
    assert datetime.fromtimestamp(following / 1000, ZoneInfo(WARSAW)).strftime("%H:%M") == "02:30"


def test_an_hour_that_comes_twice_counts_once() -> None:
    first = next_time(WARSAW, 150, at("2026-10-24T12:00"))
    assert first == at("2026-10-25T00:30")  # still summer time
    assert next_time(WARSAW, 150, first) == at("2026-10-26T01:30")


@given(
    zone=st.sampled_from(["Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Pacific/Apia"]),
    minute=st.integers(0, 24 * 60 - 1),
    weekday=st.none() | st.integers(0, 6),
    after=st.integers(at("2000-01-01T00:00"), at("2037-01-01T00:00")),
)
def test_the_next_time_is_later_soon_and_of_that_day(
    zone: str, minute: int, weekday: int | None, after: int
) -> None:
    moment = next_time(zone, minute, after, weekday)
    days = 7 if weekday is not None else 1
    # Apia left out a whole day once
    assert after < moment <= after + (days * (2 if zone == "Pacific/Apia" else 1)) * 26 * HOUR
    local_time = datetime.fromtimestamp(moment / 1000, ZoneInfo(zone))
    left_out = local_time - timedelta(minutes=minute) - local_time.replace(hour=0, minute=0)
    assert left_out <= timedelta(hours=1) or zone == "Pacific/Apia"
    if weekday is not None and zone != "Pacific/Apia":
        assert local_time.weekday() == weekday

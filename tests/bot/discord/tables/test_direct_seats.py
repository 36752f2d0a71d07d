"""Direct messages: whole seats, for players who chose them, and reminders."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from benchmarks.reading import HAND, NATURAL
from bot.discord import sending
from bot.discord.delivery import direct_seats as written
from bot.discord.delivery.direct_seats import DirectSeatPlace
from bot.discord.delivery.machine import Act, Request
from bot.sandbox.driver import Person
from bot.sandbox.interactions import COMPONENT
from bot.sandbox.screen import SeenMessage
from bot.tables import plans
from bot.tables.model import Delivery, HoleCards
from bot.tables.requests import Ask
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, pings_sent, see_reminders, serve_table
from tests.bot.discord.tables.direct_reminders import (
    THAI,
    direct_lines,
    first_turn_of_two,
    want_direct_reminders,
)
from tests.bot.discord.tables.test_lobby import choose_own
from tests.bot.discord.tables.test_privacy import DELETE, SURE, open_my_data, press_all
from tests.bot.harness import Held, Table, doubt_in, private_texts, send_cards_directly
from tests.people import until

# -- the seat --------------------------------------------------------------------------------------


def direct_seats_of(person: Person) -> list[SeenMessage]:
    return [message for message in person.dm_messages() if message.components]


async def in_direct_messages(table: Seat, players: int) -> Table:
    """Start a match of this many people, whose seats are direct messages from the first deal on."""
    at = await table(players)
    await send_cards_directly(at, THAI)
    await at.start(THAI)
    return at


def direct_seat(person: Person) -> SeenMessage:
    return direct_seats_of(person)[-1]


async def press(at: Table, person: Person, label: str) -> SeenMessage:
    """Press the direct seat's button that begins with `label`; return the seat afterwards."""
    message = direct_seat(person)
    await person.click(message, next(text for text in message.buttons if text.startswith(label)))
    await at.settle()
    return direct_seat(person)


async def bid(at: Table, person: Person) -> None:
    await press(at, person, "Bid lowest")


@pytest.mark.thorough
async def test_a_match_is_played_to_its_end_in_direct_seats_alone(table: Seat) -> None:
    at = await in_direct_messages(table, 2)
    numbers = {person.id: len(person.dm_messages()) for person in at.people}
    for _ in range(30):
        first = at.turn()
        assert "Your turn" in direct_seat(first).text
        for person in at.people:
            hand = HAND.search(direct_seat(person).text)
            assert hand is not None
            assert set(NATURAL.findall(hand[1])) == at.own_cards(person)
        at.assert_no_leak()
        await bid(at, first)
        second = at.turn()
        assert second is not first
        assert "Your turn" in direct_seat(second).text
        await doubt_in(second, direct_seat(second))
        await at.settle()
        assert "Showdown" in at.message().text
        if "wins the match" in at.message().text:
            break
        await at.press("Next round")
    assert sorted("You won" in direct_seat(person).text for person in at.people) == [False, True]
    # one message a match: an edit pings nobody
    assert {person.id: len(person.dm_messages()) for person in at.people} == numbers
    assert all(len(direct_seats_of(person)) == 1 for person in at.people)
    assert not players_followed(at)


async def test_cards_of_a_round_that_ended_before_they_were_sent_are_not_noted_as_sent(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)

    def is_post(place: DirectSeatPlace, request: Request, _: object) -> bool:
        return request.act is Act.POST and place.player == int(at.host.id)

    held = Held(monkeypatch, DirectSeatPlace, "perform", first=True, when=is_post)
    await at.open(THAI)
    await at.host.click(at.message(), "Start")
    await held.reached.wait()
    number = (await at.live()).table.id
    for plan in (partial(plans.bid, meant="pair:9"), plans.challenge, plans.next_round):
        live = await at.live()
        assert live.match is not None
        assert live.match.round is not None
        player = live.match.seats[live.match.round.turn].player
        await at.bot.tables.change(number, Ask(player, None), plan)
    held.let.set()
    await at.settle()
    assert "Round 2" in direct_seat(at.host).text
    rows = [
        row.state
        for round_number in (1, 2)
        for row in await at.bot.delivery.direct_seats.store.matches.deliveries(1, round_number)
        if row.player == int(at.host.id)
    ]
    assert rows == [Delivery.PENDING, Delivery.SENT]


async def test_a_bid_is_typed_in_a_direct_seat_and_a_typo_is_reported_there(table: Seat) -> None:
    at = await in_direct_messages(table, 2)
    first = at.turn()
    for typed in ("pair of kingz", "pair of kings"):
        form = await first.click(direct_seat(first), "Type…")
        await first.submit(form.form, {"text": typed})
        await at.settle()
        assert ("is not a bid" in direct_seat(first).text) is (typed != "pair of kings")
    assert at.standing() == "Pair of kings"
    assert at.turn() is not first


async def test_a_direct_seat_is_edited_by_the_bots_token_when_that_of_a_press_is_used_up(
    table: Seat,
) -> None:
    at = await in_direct_messages(table, 2)
    first = at.turn()
    await bid(at, first)
    at.world.faults.expire_tokens()
    second = at.turn()
    await at.call(second)
    await at.settle()
    assert at.turn() is first
    assert "Your turn" in direct_seat(first).text
    assert at.standing() in direct_seat(first).text


async def test_after_a_start_a_direct_seat_is_found_and_goes_on(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with with_clock(2) as (at, clock):
        await send_cards_directly(at, THAI)
        await at.start(THAI)
        before = {person.id: direct_seat(person).id for person in at.people}
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        await at.bid()
        second = at.turn()
        assert "Your turn" in direct_seat(second).text
        await doubt_in(second, direct_seat(second))
        await at.settle()
        await at.press("Next round")
        for person in at.people:
            assert {message.id for message in direct_seats_of(person)} == {before[person.id]}
            assert "Round 2" in direct_seat(person).text
        await bid(at, at.turn())
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        await at.forfeit(at.host)
        assert "You won" in direct_seat(at.people[1]).text
        assert "The match is over." in direct_seat(at.host).text
        assert not players_followed(at)


async def test_a_direct_seat_that_can_no_longer_be_edited_is_replaced(table: Seat) -> None:
    at = await in_direct_messages(table, 2)
    first = at.turn()
    at.world.faults.lose_message(direct_seat(first).channel_id, direct_seat(first).id)
    await at.call(first)
    await at.settle()
    await at.challenge(at.turn())
    await at.press("Next round")
    (anew,) = direct_seats_of(first)
    assert "Round 2" in anew.text


async def test_a_direct_seat_goes_on_though_direct_messages_are_closed_meanwhile(
    table: Seat,
) -> None:
    at = await in_direct_messages(table, 2)
    at.host.set_dms_open(False)
    await at.play_round()
    await at.press("Next round")
    assert "Round 2" in direct_seat(at.host).text
    assert "direct messages are closed" not in at.message().text


async def test_a_deal_reads_nothing_about_direct_seats_where_no_player_wants_them(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    matches, rounds = at.bot.delivery.direct_seats.store.matches, list[int]()
    read = matches.deliveries

    async def deliveries(match_id: int, round_number: int) -> list[HoleCards]:
        rounds.append(round_number)
        return await read(match_id, round_number)

    monkeypatch.setattr(matches, "deliveries", deliveries)
    await at.start(THAI)
    await at.play_round()
    await at.press("Next round")
    assert rounds == [1]  # once after a start, as something may have been sent before it
    assert direct_seats_of(at.host) == []
    await choose_own(at, at.host, Cards_by_direct_message="Always")
    await at.play_round()
    await at.press("Next round")
    assert rounds == [1, 3]
    assert "Round 3" in direct_seat(at.host).text


async def test_a_player_who_turned_direct_seats_off_gets_no_more_cards_there(table: Seat) -> None:
    at = await table(2)
    await choose_own(at, at.host, Cards_by_direct_message="Always")
    await at.start(THAI)
    await choose_own(at, at.host, Cards_by_direct_message="Never")
    for _ in range(2):
        await at.play_round()
        await at.press("Next round")
    assert "Round 1" in direct_seat(at.host).text


async def test_a_press_in_a_direct_seat_by_a_non_player_draws_nothing(
    table: Seat,
) -> None:
    """Forge a press that Discord prevents: hiding the cards must not depend on Discord."""
    at = await table(3)
    await choose_own(at, at.host, Cards_by_direct_message="Always")
    stranger = at.people.pop()
    await at.start(THAI)
    theirs = at.world.places.dm_channel(at.world.state.users[stranger.id])
    message = direct_seat(at.host)
    for verb in ("refresh", "pad", "doubt", "type"):
        custom_id = at.controls()["My seat"].replace(":seat:", f":{verb}:")
        body = {"custom_id": custom_id, "component_type": 2}
        interaction = at.world.interactions.open(
            COMPONENT, stranger.id, theirs, body, message_id=message.id
        )
        await at.world.interactions.wait_for_answer(interaction)
        assert private_texts(stranger, theirs)[-1].startswith("The table has moved on.")


def players_followed(at: Table) -> set[int]:
    """Return the players whose direct seats are kept up to date."""
    tables = at.bot.delivery.direct_seats._places.values()
    return {player for places in tables for player in places}


async def test_a_match_that_is_ended_in_a_round_is_over_in_every_direct_seat(table: Seat) -> None:
    at = await in_direct_messages(table, 3)
    for person in at.people[:2]:
        await person.slash(at.channel, "leave", what="End the match for everyone")
    await at.settle()
    assert all("The match was ended." in direct_seat(person).text for person in at.people)
    assert not players_followed(at)


async def test_a_direct_seat_repeats_the_tables_facts_for_players_who_cannot_see_it(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with with_clock(3) as (at, clock):
        await send_cards_directly(at, THAI)
        await at.start(THAI)
        bidder = at.turn()
        held = " · ".join(f"<@{person.id}>\u00a02" for person in at.people)
        assert f"-# 6 cards in play: {held}" in direct_seat(bidder).text
        await at.bid()
        doubter = at.turn()
        (onlooker,) = {*at.people} - {bidder, doubter}
        await at.challenge(doubter)
        ended = rf"<@{doubter.id}> challenged <@{bidder.id}>'s .* loses the round and now holds"
        assert re.search(ended, direct_seat(onlooker).text)
        for person in (bidder, doubter):
            assert "You lost the round" not in direct_seat(person).text, "the line above says it"
        assert not re.search(ended, at.seat(at.host).text), "it stands beside the table"
        await at.press("Next round")
        assert re.search(f"^-# Round 1: {ended}", direct_seat(onlooker).text, re.MULTILINE)
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.bid()
        await at.settle()
        assert "-# Round 1: " in direct_seat(at.turn()).text


async def test_a_direct_seat_says_that_its_player_left_once_their_cards_are_out_of_play(
    table: Seat,
) -> None:
    at = await in_direct_messages(table, 4)
    first, second, third, fourth = at.people
    await at.forfeit(fourth)
    assert "You are out" not in direct_seat(fourth).text  # it is seen how their cards fare
    assert f"8 cards in play: <@{first.id}>\u00a02" in direct_seat(second).text
    assert f"<@{fourth.id}>\u00a02" in direct_seat(second).text, "they still count"
    await at.play_round()
    await at.forfeit(third)  # between two rounds
    for gone in (third, fourth):
        assert "You're out of this match." in direct_seat(gone).text
    before = [direct_seat(gone).text for gone in (third, fourth)]
    await at.press("Next round", first)
    await at.play_round()
    assert [direct_seat(gone).text for gone in (third, fourth)] == before, "it says so once"
    await press_all(third, await open_my_data(at, third), DELETE, SURE)
    await at.settle()
    await at.forfeit(second)
    assert f"<@{first.id}> wins the match." in direct_seat(fourth).text
    assert direct_seat(third).text == before[0], "who is forgotten is written to no more"
    assert not players_followed(at)


async def test_a_forgotten_players_direct_seat_shows_no_cards(table: Seat) -> None:
    at = await in_direct_messages(table, 4)
    gone = next(person for person in at.people if person is not at.turn())
    await at.forfeit(gone)
    await press_all(gone, await open_my_data(at, gone), DELETE, SURE)
    await at.settle()
    assert not HAND.search(direct_seat(gone).text)
    assert "You're not in this match." in direct_seat(gone).text
    assert int(gone.id) not in players_followed(at)


async def test_a_direct_seat_goes_on_though_a_reminder_has_found_direct_messages_closed(
    with_clock: Clocked,
) -> None:
    async with with_clock(2) as (at, clock):
        await send_cards_directly(at, THAI)
        await want_direct_reminders(at, *at.people)
        await at.start(THAI)
        first = at.turn()
        first.set_dms_open(False)
        await see_reminders(at, clock, 20)
        await at.call(first)
        await at.settle()
        await at.challenge(at.turn())
        await at.press("Next round")
        assert "Round 2" in direct_seat(first).text
        assert len(direct_seats_of(first)) == 1


# -- reminders, gone with the turn -----------------------------------------------------------------


async def test_the_direct_message_comes_with_the_reminder_and_goes_when_its_reader_acts(
    with_clock: Clocked,
) -> None:
    async with first_turn_of_two(with_clock) as (at, clock, first):
        await see_reminders(at, clock, 20)
        (line,) = direct_lines(first)
        assert line.startswith(f"Your turn in <#{at.channel.id}>: you open round 1")
        assert len(at.reminders()) == 1
        await see_reminders(
            at, clock, 40, 2
        )  # half of the clock: another in the place of the first
        assert len(direct_lines(first)) == 1
        await at.call(first)
        await at.settle()
        assert direct_lines(first) == []
        second = at.turn()
        assert direct_lines(second) == []
        await see_reminders(at, clock, 20, 3)
        (direct_seat,) = direct_lines(second)
        assert f"{first.name} bid **" in direct_seat


async def test_a_direct_reminder_is_taken_back_after_a_restart_in_between(
    with_clock: Clocked, tmp_path: Path
) -> None:
    async with first_turn_of_two(with_clock) as (at, clock, first):
        await see_reminders(at, clock, 20)
        assert len(direct_lines(first)) == 1
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        assert len(direct_lines(first)) == 1  # neither gone nor doubled
        await at.call(first)
        await at.settle()
        assert direct_lines(first) == []
        (reminder,) = (
            at.reminders()
        )  # of the next turn, as no seat has been pressed since the start
        assert f"<@{at.turn().id}>" in reminder.text


async def test_closed_direct_messages_are_noted_quietly_and_the_table_s_reminder_stands(
    with_clock: Clocked,
) -> None:
    async with with_clock(2) as (at, clock):
        await want_direct_reminders(at, *at.people)
        for person in at.people:
            person.set_dms_open(False)
        await at.start(THAI)
        first = at.turn()
        await see_reminders(at, clock, 20)
        await see_reminders(at, clock, 40, 2)
        assert pings_sent(at) == [[first.id], [first.id]]
        refused = [request for request in at.world.state.requests if request.status == 403]
        assert len(refused) == 1  # the second was not even tried
        assert "direct messages are closed" not in at.message().text  # no cards were to be sent
        await at.call(first)
        await at.settle()
        assert at.reminders() == []


async def test_a_failed_deletion_is_retried_soon(with_clock: Clocked) -> None:
    async with first_turn_of_two(with_clock) as (at, clock, first):
        await see_reminders(at, clock, 20)
        at.world.faults.server_error("DELETE /channels/*", status=503)
        await at.call(first)
        await until(lambda: not at.reminders() and not direct_lines(first))
        await at.settle()
        table = (await at.live()).table
        assert (table.nudge_id, table.letter_id) == (None, None)


async def test_cards_are_sent_though_the_history_of_direct_messages_cannot_be_read(
    with_clock: Clocked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (written, sending):
        monkeypatch.setattr(module, "SEARCH_WITHIN", 0.02)
    async with with_clock(2) as (at, clock):
        await send_cards_directly(at, THAI)
        await at.start(THAI)
        await at.play_round()
    at.world.faults.server_error("GET /channels/*/messages", times=9999)
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        await at.press("Next round")
        for person in at.people:
            assert "Round 2" in direct_seats_of(person)[-1].text
            assert "Round 1" in direct_seats_of(person)[0].text, "the one before could not be found"

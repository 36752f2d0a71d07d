"""Private seats by wire: opened once, then they follow the table; any bid in a few taps."""

from __future__ import annotations

import pytest

from benchmarks.reading import NATURAL
from bot.sandbox.driver import Person
from bot.sandbox.interactions import COMPONENT
from bot.sandbox.screen import SeenMessage
from engine.variants import ruleset
from tests.bot.conftest import Seat
from tests.bot.house import Table, bid_by_form, said_to

LIARS, THAI = "Liars' Poker", "Thai Poker"
ANSWER = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
SEAT_EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"


async def open_seat(at: Table, person: Person) -> SeenMessage:
    """Press My seat; the private message that comes."""
    out = await person.click(at.shown(), "My seat")
    assert out.message is not None
    assert out.message.ephemeral
    return out.message


def seat_of(at: Table, person: Person) -> SeenMessage:
    """The person's seat as it is now: their latest private message."""
    return [one for one in person.visible(at.channel) if one.ephemeral][-1]


def seats_of(at: Table, person: Person) -> list[SeenMessage]:
    """Every seat of theirs that is in sight: private messages with controls."""
    return [one for one in person.visible(at.channel) if one.ephemeral and one.components]


async def settled(at: Table) -> None:
    await at.settle()
    await at.bot.seats.settled()


async def test_a_seat_shows_its_players_cards_and_nobody_elses(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    for person in at.people:
        seat = await open_seat(at, person)
        assert at.own_cards(person)
        assert "Round 1" in seat.text
    at.assert_no_leak()


async def test_a_seat_follows_the_table_without_a_press(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    for person in at.people:
        await open_seat(at, person)
    first, second = at.turn(), next(one for one in at.people if one is not at.turn())
    assert "Your turn" in seat_of(at, first).text
    assert f"<@{first.id}> is to act" in seat_of(at, second).text
    await at.call(first)
    await settled(at)
    assert "Your turn" in seat_of(at, second).text
    assert at.standing() in seat_of(at, second).text
    assert f"<@{second.id}> is to act" in seat_of(at, first).text
    at.assert_no_leak()


async def tap(at: Table, person: Person, label: str) -> SeenMessage:
    """Press a button of the seat whose label begins so."""
    seat = seat_of(at, person)
    wanted = next(one for one in seat.buttons if one.startswith(label))
    await person.click(seat, wanted)
    return seat_of(at, person)


async def pick(at: Table, person: Person, choice: str) -> SeenMessage:
    """Take a step on the pad, by its button or, where it cannot hold, from the list."""
    seat = seat_of(at, person)
    ids = [seat.button(label) for label in seat.buttons]
    wanted = next((one for one in ids if one.endswith(f":{choice}")), None)
    if wanted is None:
        await person.select(seat, "More…", choice)
    else:
        await person.click(seat, custom_id=wanted)
    return seat_of(at, person)


ACES_OVER_QUEENS = ("full_house", "full_house.A", "full_house.A.Q")


@pytest.mark.parametrize("players", [2, 10])
async def test_aces_over_queens_takes_four_steps_whether_it_can_hold_or_not(
    table: Seat, players: int
) -> None:
    at = await table(players)  # of two players' four cards nobody makes a full house
    await at.start(LIARS)
    person = at.turn()
    seat = await open_seat(at, person)
    assert any(one.startswith("Full") for one in seat.buttons) == (players > 2)
    before = len(at.world.state.interactions)
    for choice in ACES_OVER_QUEENS:
        await pick(at, person, choice)
    await tap(at, person, 'Call "aces over queens"')
    assert len(at.world.state.interactions) - before == 4
    await settled(at)
    assert at.standing() == "Aces over queens"
    assert at.turn() is not person


async def test_the_lowest_bid_takes_two_taps_and_a_challenge_one(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await open_seat(at, first)
    await tap(at, first, "Lowest")
    await tap(at, first, 'Bid "')
    await settled(at)
    second = at.turn()
    assert second is not first
    await open_seat(at, second)
    await tap(at, second, "Check bid")
    await settled(at)
    assert "Showdown" in at.shown().text


async def test_a_move_made_in_a_seat_is_two_requests(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    await open_seat(at, person)
    await tap(at, person, "Lowest")
    await settled(at)
    mark = len(at.world.state.requests)
    await tap(at, person, 'Bid "')
    await settled(at)
    asked = [f"{one.method} {one.route}" for one in list(at.world.state.requests)[mark:]]
    others = [one for one in asked if "/webhooks/" in one]
    assert set(asked) - set(others) == {ANSWER}
    assert len(asked) - len(others) == 1
    assert len(others) == 1 + len(at.people) - 1  # the table too, by the token of its press


async def test_every_step_has_a_way_back(table: Seat) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    root = await open_seat(at, person)
    assert "Straight flush:" in (await pick(at, person, "straight_flush")).text
    assert "Straight flush · Nine:" in (await pick(at, person, "straight_flush.9")).text
    await tap(at, person, "Back")
    await tap(at, person, "Back")
    assert seat_of(at, person).buttons == root.buttons


async def test_a_refusal_stands_in_the_seat_and_goes_with_the_next_press(table: Seat) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    await open_seat(at, person)
    form = await person.click(seat_of(at, person), "Type…")
    assert form.modal is not None
    await person.submit(form.modal, {"text": "pair of threeze"})
    seat = seat_of(at, person)
    assert "is not a call" in seat.text
    meant = [one for one in seat.buttons if one.endswith("?")]
    assert '"pair of threes"?' in meant
    await tap(at, person, '"pair of threes"?')
    assert "is not a call" not in seat_of(at, person).text
    await tap(at, person, 'Call "pair of threes"')
    await settled(at)
    assert at.standing() == "Pair of threes"


async def test_a_typo_in_the_tables_form_is_asked_back_in_the_seat(table: Seat) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    at.bot.seats._open.clear()  # as after a restart
    out = await bid_by_form(at, person, text="pair of threeze")
    assert out.message is not None
    assert out.message.ephemeral
    await tap(at, person, '"pair of threes"?')
    await tap(at, person, 'Call "pair of threes"')
    await settled(at)
    assert at.standing() == "Pair of threes"


async def test_a_typo_in_the_tables_form_brings_an_open_seat_down_with_the_question(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    before = seat_of(at, person)
    out = await bid_by_form(at, person, text="pair of threeze")
    assert out.message is not None
    assert out.message.id > before.id
    assert "pair of threes" in out.message.text
    await settled(at)
    assert [one.id for one in seats_of(at, person)] == [out.message.id]
    await tap(at, person, '"pair of threes"?')
    await tap(at, person, 'Call "pair of threes"')
    await settled(at)
    assert at.standing() == "Pair of threes"
    assert len(seats_of(at, person)) == 1


async def test_a_new_round_replaces_the_cards_in_the_seat(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = {person.id: at.own_cards(person) for person in at.people}
    for person in at.people:
        assert set(NATURAL.findall(seat_of(at, person).text)) == first[person.id]
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.host.click(at.shown(), "Next round")
    await settled(at)
    for person in at.people:
        seat = seat_of(at, person)
        assert "Round 2" in seat.text
        assert "Round 1" not in seat.text
        assert set(NATURAL.findall(seat.text)) == at.own_cards(person)
        assert at.own_cards(person) != first[person.id]
        assert len([one for one in person.visible(at.channel) if one.ephemeral]) == 1


async def test_an_old_seat_is_brought_up_to_date_by_a_press_after_a_restart(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    await open_seat(at, person)
    other = next(one for one in at.people if one is not person)
    await open_seat(at, other)
    at.bot.seats._open.clear()  # as after a restart
    await at.call(person)
    await settled(at)
    assert f"<@{person.id}> is to act" in seat_of(at, other).text
    await tap(at, other, "Bring up to date")
    assert "Your turn" in seat_of(at, other).text


async def test_a_press_in_somebody_elses_seat_draws_nothing_there(table: Seat) -> None:
    """Discord lets nobody do that; hidden cards are not to depend on it."""
    at = await table(2)
    await at.start(THAI)
    person, other = at.people[:2]
    await open_seat(at, person)
    seat = seat_of(at, person)
    for verb in ("refresh", "pad"):
        custom_id = at.controls()["My seat"].replace(":seat:", f":{verb}:")
        body = {"custom_id": custom_id, "component_type": 2}
        made = at.world.interactions.open(COMPONENT, other.id, at.channel, body, message_id=seat.id)
        await at.world.interactions.answered(made)
        assert said_to(other, at.channel)[-1].startswith("The table has moved on.")
    assert seat_of(at, person).text == seat.text


async def test_the_fullest_pad_is_a_valid_message(table: Seat) -> None:
    """The emulator refuses more than 40 components and 4,000 characters, as Discord does."""
    at = await table(10)
    await at.start(LIARS)
    person = at.turn()
    await open_seat(at, person)
    rules = ruleset("liars_poker")
    assert rules.ladder
    for kind in ("high_card", "two_pair", "flush", "straight_flush"):
        await pick(at, person, kind)
        assert "Back" in seat_of(at, person).buttons
        await tap(at, person, "Back")

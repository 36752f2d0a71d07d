"""Private seats over real sockets: opened once, they follow the table; a bid takes few presses."""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from benchmarks.reading import ANYWAY, NATURAL, OWN_CARDS
from bot.discord import answers
from bot.discord.delivery import budget, driver, private, seats
from bot.discord.delivery.budget import TOKEN_LIVES
from bot.discord.delivery.seats import SeatPlace
from bot.retry import RetryPolicy
from bot.sandbox.driver import Person
from bot.sandbox.interactions import COMPONENT
from bot.sandbox.screen import SeenMessage, SeenModal
from bot.tables.live import LiveTable
from engine.state import SeatStatus
from tests.bot.boards.rounds import table as lobby
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, see_reminders, serve_table
from tests.bot.discord.tables.test_costs import FOLLOW_UP
from tests.bot.harness import (
    Held,
    Table,
    bid_by_form,
    doubt_in,
    open_form,
    private_reply,
    private_texts,
)
from tests.bot.tables.scenes import dealt
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"


async def open_seat(at: Table, person: Person) -> SeenMessage:
    """Press **My seat**; return the private message."""
    out = await person.click(at.message(), "My seat")
    assert out.seen.ephemeral
    return out.seen


async def test_a_seat_follows_the_table_without_a_press(table: Seat) -> None:
    at = await table(2, plays=THAI)
    for person in at.people:
        await open_seat(at, person)
    first, second = at.turn(), next(person for person in at.people if person is not at.turn())
    assert "Your turn" in at.seat(first).text
    assert f"It's <@{first.id}>'s turn" in at.seat(second).text  # it was opened: it shows all
    await at.call(first)
    await at.settle()
    assert "Your turn" in at.seat(second).text
    assert at.standing() in at.seat(second).text
    assert "It's not your turn" in at.seat(first).text
    at.assert_no_leak()


async def tap(at: Table, person: Person, label: str) -> SeenMessage:
    """Press the seat's button that begins with `label`; return the seat afterwards."""
    seat = at.seat(person)
    full_label = next(text for text in seat.buttons if text.startswith(label))
    await person.click(seat, full_label)
    return at.seat(person)


async def pick(at: Table, person: Person, choice: str) -> SeenMessage:
    """Press the pad's button for a choice; return the seat afterwards."""
    seat = at.seat(person)
    ids = [seat.button(label) for label in seat.buttons]
    await person.click(
        seat, custom_id=next(custom_id for custom_id in ids if custom_id.endswith(f":{choice}"))
    )
    return at.seat(person)


ACES_OVER_QUEENS = ("full_house", "full_house.A", "full_house.A.Q")


async def test_aces_over_queens_takes_four_presses_though_it_cannot_hold(table: Seat) -> None:
    at = await table(2, plays=LIARS)
    person = at.turn()
    await open_seat(at, person)
    before = len(at.world.state.interactions)
    for choice in ACES_OVER_QUEENS:
        await pick(at, person, choice)
    await tap(at, person, 'Bid "aces full of queens"')
    assert len(at.world.state.interactions) - before == 4
    await at.settle()
    assert at.standing() == "Aces full of queens"
    assert at.turn() is not person


async def test_every_step_has_a_way_back(table: Seat) -> None:
    at = await table(2, plays=LIARS)
    person = at.turn()
    root = await open_seat(at, person)
    further = await tap(at, person, "More…")
    further_step = await pick(at, person, "straight_flush")
    assert further_step.buttons[:2] == ["5", "6"]
    assert "♣" in (await pick(at, person, "straight_flush.9")).buttons
    await tap(at, person, "Back")  # the rank can be changed without
    assert at.seat(person).buttons == root.buttons
    await tap(at, person, "More…")
    assert at.seat(person).buttons == further.buttons
    await tap(at, person, "Back")
    assert at.seat(person).buttons == root.buttons


async def test_a_refusal_is_shown_in_the_seat_until_the_next_press(table: Seat) -> None:
    at = await table(2, plays=LIARS)
    person = at.turn()
    await open_seat(at, person)
    form = await person.click(at.seat(person), "Type…")
    await person.submit(form.form, {"text": "pair of threeze"})
    seat = at.seat(person)
    assert "is not a bid" in seat.text
    await tap(at, person, 'Bid "pair of threes"')
    assert "is not a bid" not in at.seat(person).text
    await at.settle()
    assert at.standing() == "Pair of threes"


async def test_a_second_tap_on_a_bid_shows_the_bid_and_no_refusal(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    await open_seat(at, person)
    seat = at.seat(person)
    (lowest_bid,) = (label for label in seat.buttons if label.startswith("Bid lowest"))
    await asyncio.gather(*(person.click(seat, lowest_bid) for _ in range(2)))
    await at.settle()
    assert "by you" in at.seat(person).text
    assert "moved on" not in person.text(at.channel)


async def test_a_typo_in_the_tables_form_brings_an_open_seat_down_with_the_question(
    table: Seat,
) -> None:
    at = await table(2, plays=LIARS)
    person = at.turn()
    before = at.seat(person)
    out = await bid_by_form(at, person, text="pair of threeze")
    assert out.seen.id > before.id
    assert "pair of threes" in out.seen.text
    await at.settle()
    assert [message.id for message in own(at, person)] == [out.seen.id]
    await tap(at, person, 'Bid "pair of threes"')
    await at.settle()
    assert at.standing() == "Pair of threes"
    assert len(own(at, person)) == 1


async def test_an_old_seat_is_brought_up_to_date_by_a_press_after_a_restart(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    await open_seat(at, person)
    opponent = next(player for player in at.people if player is not person)
    await open_seat(at, opponent)
    at.bot.delivery.seats._places.clear()  # as after a restart
    await at.call(person)
    await at.settle()
    assert f"It's <@{person.id}>'s turn" in at.seat(opponent).text
    await tap(at, opponent, "Refresh")
    await at.settle()
    assert "Your turn" in at.seat(opponent).text


@pytest.mark.parametrize("after_restart", [False, True])
async def test_an_old_seat_above_the_table_is_replaced_by_one_below(
    table: Seat, after_restart: bool
) -> None:
    at = await table(3, plays=THAI)
    for person in at.people:
        await open_seat(at, person)
    await at.call(at.turn())
    await at.settle()
    await at.challenge(at.turn())
    seats = at.bot.delivery.seats
    for place in seats._places[(await at.live()).table.id].values():
        place._tokens.clear()  # so that no seat comes with the deal
    if after_restart:
        seats._places.clear()
    await at.deal()
    await at.settle()
    turn = at.turn()
    waiting = next(person for person in at.people if person is not turn)
    presser = waiting if after_restart else turn
    await tap(at, presser, "Refresh" if after_restart else "Pair")
    await at.settle()
    (seat,) = own(at, presser)
    assert "Round 2" in seat.text
    assert seat.id > at.message().id


async def test_a_press_in_somebody_elses_seat_draws_nothing_there(table: Seat) -> None:
    """Forge a press that Discord prevents: hiding the cards must not depend on Discord."""
    at = await table(2, plays=THAI)
    person, neighbour = at.people[:2]
    await open_seat(at, person)
    seat = at.seat(person)
    for verb in ("refresh", "pad"):
        custom_id = at.controls()["My seat"].replace(":seat:", f":{verb}:")
        body = {"custom_id": custom_id, "component_type": 2}
        interaction = at.world.interactions.open(
            COMPONENT, neighbour.id, at.channel, body, message_id=seat.id
        )
        await at.world.interactions.wait_for_answer(interaction)
        assert private_texts(neighbour, at.channel)[-1].startswith("The table has moved on.")
    assert at.seat(person).text == seat.text


# -- the seat comes anew below each deal -----------------------------------------------------------


def own(at: Table, person: Person) -> list[SeenMessage]:
    """Return the person's private messages, oldest first."""
    return [message for message in person.visible(at.channel) if message.ephemeral]


def lowest(at: Table, person: Person) -> SeenMessage:
    return person.visible(at.channel)[-1]


def follow_ups(at: Table) -> int:
    requests = at.world.state.requests
    return sum(f"{request.method} {request.route}" == FOLLOW_UP for request in requests)


async def next_round(at: Table) -> None:
    """Play a bid and a challenge, and deal the next round."""
    await at.play_round()
    await at.press("Next round")


def assert_below(at: Table, number: int) -> None:
    """Assert that everybody has one seat, with this round's cards, below the table's message."""
    for person in at.people:
        (seat,) = own(at, person)
        assert f"Round {number}" in seat.text
        assert at.own_cards(person)
        assert lowest(at, person).id == seat.id
        assert int(seat.id) > int(at.message().id)
    at.assert_no_leak()


async def test_after_each_deal_the_seat_is_the_lowest_message_and_the_only_one(table: Seat) -> None:
    at = await table(3, plays=THAI)
    assert_below(at, 1)
    for number in (2, 3):
        before = {person.id: own(at, person)[-1].id for person in at.people}
        await next_round(at)
        assert_below(at, number)
        assert all(own(at, person)[-1].id != before[person.id] for person in at.people)


async def test_the_table_comes_first_and_then_the_seats(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    await at.play_round()
    post, sent = Held(monkeypatch, discord.abc.Messageable, "send"), follow_ups(at)
    await at.deal()
    await post.reached.wait()
    await at.bot.client.drain()
    await at.bot.delivery._driver.settle(but="table")
    assert follow_ups(at) == sent
    assert all("Round 1" in own(at, person)[-1].text for person in at.people)
    post.let.set()
    await at.settle()
    assert_below(at, 2)


async def test_a_reposted_seat_works_to_the_end_of_its_round(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    await next_round(at)
    first = at.turn()
    seat = own(at, first)[-1]
    await first.click(seat, next(label for label in seat.buttons if label.startswith("Bid lowest")))
    await at.settle()
    second = at.turn()
    assert "Your turn" in own(at, second)[-1].text
    await doubt_in(second, own(at, second)[-1])
    await at.settle()
    assert "Showdown" in at.message().text
    assert all(len(own(at, person)) == 1 for person in at.people)


def quarter_of_an_hour(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a quarter of an hour pass for Discord and for the bot, so that all tokens expire."""
    at.world.faults.expire_tokens()
    moved = 15 * 60.0

    class Later:
        monotonic = staticmethod(lambda: time.monotonic() + moved)

    for module in (budget, private, seats):
        monkeypatch.setattr(module, "time", Later)


async def test_after_fifteen_minutes_only_players_who_pressed_since_get_their_seat(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3, plays=THAI)
    first = at.turn()
    before = {person.id: own(at, person)[-1] for person in at.people}
    quarter_of_an_hour(at, monkeypatch)
    await at.call(first)
    await at.settle()
    doubter = at.turn()
    sleeper = next(person for person in at.people if person not in (first, doubter))
    await at.challenge(doubter)
    sent = follow_ups(at)
    await at.press("Next round", doubter)
    assert follow_ups(at) - sent == 2
    for person in (first, doubter):
        assert "Round 2" in lowest(at, person).text
        assert lowest(at, person).ephemeral
    (left,) = own(at, sleeper)
    assert left.text == before[sleeper.id].text
    await sleeper.click(at.message(), "My seat")
    assert "Round 2" in lowest(at, sleeper).text


async def test_where_discord_refuses_a_seat_below_the_old_one_is_edited(table: Seat) -> None:
    at = await table(2, plays=THAI)
    before = {person.id: own(at, person)[-1].id for person in at.people}
    at.world.faults.refuse("POST /webhooks/*", times=2)
    await next_round(at)
    for person in at.people:
        (seat,) = own(at, person)
        assert seat.id == before[person.id]
        assert "Round 2" in seat.text
    at.assert_no_leak()
    await next_round(at)
    assert_below(at, 3)


async def test_where_only_a_person_has_installed_the_bot_seats_are_edited(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    monkeypatch.setattr(seats, "is_member", lambda _: False)
    sent = follow_ups(at)
    await next_round(at)
    assert follow_ups(at) == sent
    assert all("Round 2" in own(at, person)[-1].text for person in at.people)


async def test_my_seat_replaces_the_one_that_is_open(table: Seat) -> None:
    at = await table(2, plays=THAI)
    before = own(at, at.host)[-1]
    await at.press("My seat")
    (seat,) = own(at, at.host)
    assert seat.id != before.id
    assert lowest(at, at.host).id == seat.id


async def test_a_press_in_a_seat_whose_deletion_failed_is_answered_and_one_seat_stays(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    at.world.faults.server_error("DELETE /webhooks/*", times=20, status=403)
    await next_round(at)
    older, newer = own(at, at.host)
    at.world.faults.clear()
    await at.host.click(older, older.buttons[0])
    await at.settle()
    (seat,) = own(at, at.host)
    assert seat.id == newer.id
    await at.bid()
    assert at.standing() in own(at, at.turn())[-1].text


async def test_an_old_seat_whose_deletion_failed_is_deleted_at_the_next_try(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))
    at = await table(2, plays=THAI)
    at.world.faults.cut_connection("DELETE /webhooks/*", times=4)  # each is tried twice at once
    await next_round(at)
    await until(lambda: all(len(own(at, person)) == 1 for person in at.people))
    assert all("Round 2" in own(at, person)[0].text for person in at.people)


async def test_a_deal_that_cannot_be_posted_is_in_the_seats_all_the_same(table: Seat) -> None:
    at = await table(2, plays=THAI)
    await at.play_round()
    await at.world.faults.deny(at.channel, "send_messages")
    await at.press("Next round")
    assert all("Round 2" in at.seat(person).text for person in at.people)  # below it: why


async def test_after_a_restart_my_seat_begins_it_anew(with_clock: Clocked, tmp_path: Path) -> None:
    async with with_clock(2) as (at, clock):
        await at.start(THAI)
    async with serve_table(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        sleeper = at.turn()
        before = own(at, sleeper)
        await see_reminders(at, clock, 20)
        (reminder,) = at.reminders(sleeper)
        assert reminder.buttons == ["My seat"]
        await sleeper.click(reminder, "My seat")
        assert len(own(at, sleeper)) == len(before) + 1  # of the old one nobody has the token
        assert "Your turn" in lowest(at, sleeper).text
        clock.at += 40_000  # half of the clock: who has touched their seat is not reminded
        await at.settle()
        assert [message.id for message in at.reminders(sleeper)] == [reminder.id]
        await next_round(at)
        for person in at.people:
            assert "Round 2" in lowest(at, person).text
            assert lowest(at, person).ephemeral


@pytest.mark.parametrize("asked", ["Type…", "Rules", "/help"])
async def test_a_seat_comes_below_an_answer_that_its_player_got_before_their_turn(
    table: Seat, asked: str
) -> None:
    at = await table(2, plays=THAI)
    waiting = next(person for person in at.people if person is not at.turn())
    for person in at.people:
        await open_seat(at, person)
    if asked == "Type…":
        assert "It isn't your turn." in await private_reply(waiting.click(at.message(), asked))
    elif asked == "Rules":
        await waiting.click(at.seat(waiting), asked)
    else:
        await waiting.slash(at.channel, "help")
    await at.settle()
    assert "It's not your turn" not in lowest(at, waiting).text
    await at.bid()
    assert at.turn() is waiting
    assert "Your turn" in lowest(at, waiting).text
    assert lowest(at, waiting).ephemeral
    pads = [seat for seat in own(at, waiting) if "Your turn" in seat.text]
    assert len(pads) == 1
    await waiting.slash(at.channel, "help")  # in their turn the seat stays where their thumb is
    await at.settle()
    assert "Your turn" not in lowest(at, waiting).text


async def bid_of_the_next_hand(at: Table) -> tuple[Person, str]:
    """Bid a card that the next player holds; return who bid, and the card's symbol."""
    first, live = at.turn(), await at.live()
    assert live.match is not None
    assert live.match.round is not None
    holder = (live.match.round.turn + 1) % len(at.people)
    card = max(live.match.round.hands[holder], key=lambda card: card.rank)
    await private_reply(first.slash(at.channel, "bid", hand=f"{card.rank.char} high"))
    await at.settle()
    return first, card.symbol


@pytest.mark.parametrize("by_command", [False, True])
async def test_a_challenge_at_the_table_of_a_bid_made_by_ones_own_cards_is_asked_about(
    table: Seat, by_command: bool
) -> None:
    at = await table(3, plays=THAI)
    _, card = await bid_of_the_next_hand(at)
    second, message = at.turn(), at.message()
    if by_command:
        out = await (await second.slash(at.channel, "challenge")).settle()
    else:
        out = await (await second.click(message, "Challenge")).settle()
    await at.settle()
    asks = at.seat(second)
    assert out.message is not None
    assert (out.message.ephemeral, out.message.id) == (True, asks.id), "a new seat, and no other"
    assert f"**{OWN_CARDS}:** {card}" in asks.text
    assert (at.turn(), at.message().id) == (second, message.id), "nothing has happened at the table"
    await second.click(asks, ANYWAY)
    await at.settle()
    assert "**It's there.**" in at.message().text


async def test_the_question_before_a_deferred_challenge_is_deleted_at_the_next_deal(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check why `make soak` notes refusals before each move: later they can't be seen."""
    at = await table(3, plays=THAI)
    await bid_of_the_next_hand(at)
    second = at.turn()
    with monkeypatch.context() as now:
        now.setattr(answers, "DEFER_AFTER", 0.0)
        out = await second.click(at.message(), "Challenge")
        await out.settle()
    assert out.kind == "deferred_update"

    def questions() -> list[str]:
        return [
            message.text
            for message in second.visible(at.channel)
            if message.ephemeral
            and message.payload["interaction_metadata"]["id"] == out.interaction_id
        ]

    (question,) = questions()
    assert OWN_CARDS in question
    await at.call(second)
    await at.challenge(at.turn())
    await at.press("Next round")
    await until(lambda: not questions())


async def test_a_player_whose_cards_make_the_bid_is_asked_once_before_challenging_it(
    table: Seat,
) -> None:
    at = await table(3, plays=THAI)
    first, card = await bid_of_the_next_hand(at)
    second, pad = at.turn(), at.seat(at.turn())
    await second.click(pad, "Challenge")
    await at.settle()
    asks = at.seat(second)
    assert f"**{OWN_CARDS}:** {card}" in asks.text
    assert "Challenge anyway?" in asks.text
    assert "Your turn" not in asks.text  # in its place
    assert asks.buttons == [ANYWAY if label == "Challenge" else label for label in pad.buttons]
    assert at.turn() is second, "nothing has happened at the table"
    await second.click(asks, next(label for label in pad.buttons if label.startswith("Pair")))
    assert OWN_CARDS not in at.seat(second).text
    await second.click(at.seat(second), "Challenge")
    await second.click(at.seat(second), ANYWAY)
    await at.settle()
    assert f"<@{second.id}> challenged <@{first.id}>'s" in at.message().text
    assert "**It's there.**" in at.message().text


async def test_a_bid_typed_as_a_command_lets_the_seat_follow(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    quarter_of_an_hour(at, monkeypatch)
    first = at.turn()
    await private_reply(first.slash(at.channel, "bid", hand="four aces"))
    await at.settle()
    second = at.turn()
    await private_reply(second.slash(at.channel, "challenge"))
    await at.settle()
    await at.press("Next round")
    for person in at.people:
        assert "Round 2" in lowest(at, person).text
        assert lowest(at, person).ephemeral


async def test_reposting_the_table_moves_the_askers_seat_below_it(table: Seat) -> None:
    at = await table(3, plays=THAI)
    acts = at.turn()
    host, third = [person for person in at.people if person is not acts]
    above = own(at, third)[-1].id
    for _ in range(2):
        await host.slash(at.channel, "table")
        await at.settle()
        for person in (host, acts):  # the pad of whoever is to act is there too
            assert [message.id for message in own(at, person)] == [lowest(at, person).id]
        assert own(at, third)[-1].id == above
    at.assert_no_leak()


async def test_a_seat_that_is_being_answered_while_its_table_comes_is_below_it_then(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    await at.play_round()
    neighbour = at.people[1]
    post = Held(monkeypatch, discord.abc.Messageable, "send")
    answer = Held(monkeypatch, answers, "edit_in_place")
    await at.deal()
    await post.reached.wait()
    pressing = asyncio.create_task(neighbour.click(own(at, neighbour)[-1], "Refresh"))
    await answer.reached.wait()
    post.let.set()
    await at.bot.delivery.settle()
    answer.let.set()
    await pressing
    await at.settle()
    assert_below(at, 2)


def test_who_acts_and_who_is_next_act_soon_and_nobody_who_is_out() -> None:
    live = dealt(10, 11, 12, 13)  # player 10 acts
    assert [player for player in (10, 11, 12, 13) if private.acts_soon(live, player)] == [10, 11]
    assert live.match is not None
    out = replace(live.match.seats[1], standing=SeatStatus.OUT)
    match = replace(live.match, seats=(live.match.seats[0], out, *live.match.seats[2:]))
    live = replace(live, match=match)
    assert [player for player in (10, 11, 12, 13) if private.acts_soon(live, player)] == [10, 12]


# -- by whose interaction it comes anew ------------------------------------------------------------

PLAYER, DEAL = 7, (1, 2)
LIVE = LiveTable(lobby(LIARS))
numbers = count(1)  # of interactions


def press_of_player(
    *, answered: bool = True, promised: bool = False, channel: int = LIVE.table.channel_id
) -> Any:
    """Return a new press by the player.

    By default it is answered by an edit of the pressed message. If `promised`, the answer is a
    deferred new message instead.
    """
    kind = discord.InteractionResponseType
    return SimpleNamespace(
        id=next(numbers),
        followup=object(),
        guild_id=1,
        channel_id=channel,
        user=SimpleNamespace(id=PLAYER),
        created_at=discord.utils.utcnow(),
        client=SimpleNamespace(get_guild=lambda _: object()),
        extras={},
        response=SimpleNamespace(
            is_done=lambda: answered,
            type=kind.deferred_channel_message if promised else kind.message_update,
        ),
    )


@pytest.fixture
def place() -> SeatPlace:
    """Return a `SeatPlace` for the player at the table, without tasks that keep it up to date."""
    owner: Any = SimpleNamespace(driver=SimpleNamespace(wake=lambda _: None))
    place = SeatPlace(owner, LIVE.table.id, PLAYER)
    place.channel_id = LIVE.table.channel_id
    return place


def test_the_newest_token_is_used(place: SeatPlace) -> None:
    assert place.token() is None
    for press in (press_of_player(), press_of_player()):
        place.remember(press)
        token = place.token()
        assert token is not None
        assert token.id == press.id


@pytest.mark.parametrize(
    "late",
    [press_of_player(answered=False), press_of_player(promised=True), press_of_player(channel=99)],
)
def test_an_unanswered_or_foreign_interaction_does_not_replace_the_token(
    place: SeatPlace, late: Any
) -> None:
    """Keep the old token: a message sent by a deferred answer's token would become that answer."""
    first = press_of_player()
    place.remember(first)
    place.remember(late)
    token = place.token()
    assert token is not None
    assert token.id == first.id


def test_tokens_from_direct_messages_are_not_kept(place: SeatPlace) -> None:
    press = press_of_player()
    press.guild_id = None
    place.remember(press)
    assert place.token() is None


def test_a_token_is_dropped_before_discord_refuses_it(
    place: SeatPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.remember(press_of_player())
    began = time.monotonic()
    for passed, lives in ((TOKEN_LIVES - 30, True), (TOKEN_LIVES, False)):
        clock = SimpleNamespace(monotonic=lambda at=began + passed: at)
        monkeypatch.setattr(private, "time", clock)
        assert (place.token() is not None) is lives
    assert TOKEN_LIVES < 15 * 60


async def test_only_the_token_of_an_answered_press_is_kept(table: Seat) -> None:
    """Check that interactions are freed: with its message, each takes 8 kB for 15 minutes."""
    at = await table(2, plays=THAI)
    first = at.turn()
    await open_seat(at, first)
    await tap(at, first, "Bid lowest")
    await at.settle()
    await at.call(at.turn())
    await at.settle()
    gc.collect()
    presses = (thing for thing in gc.get_objects() if type(thing) is discord.Interaction)
    assert [press.id for press in presses if press.client is at.bot.client] == []
    assert at.turn() is first
    assert "Your turn" in at.seat(first).text  # and by it the seat follows the table


async def test_seats_that_can_no_longer_be_shown_are_forgotten(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    quarter_of_an_hour(at, monkeypatch)
    elsewhere = at.elsewhere(at.world.add_guild("The Nook").add_text_channel("cards"))
    await elsewhere.open(THAI)
    await elsewhere.settle()
    number = (await elsewhere.live()).table.id
    assert set(at.bot.delivery.seats._places) == {number}


# -- what was typed and refused stands in the form when it is opened again -------------------------

NONSENSE = "three of those"


async def open_text_form(at: Table, person: Person, where: str) -> SeenModal:
    """Open the form for a typed bid, at the table or in the person's seat."""
    if where == "table":
        return await open_form(at, person)
    out = await person.click(at.seat(person), "Type…")
    return out.form


def field(form: SeenModal) -> dict[str, Any]:
    (part,) = [component for component in form.fields.values() if component["custom_id"] == "text"]
    return part


def prefilled_text(form: SeenModal) -> str:
    return str(field(form).get("value") or "")


def another(at: Table, person: Person) -> Person:
    return next(player for player in at.people if player is not person)


@pytest.mark.parametrize(("typed_in", "opened_in"), [("table", "seat"), ("seat", "table")])
async def test_a_refused_text_stands_in_the_form_wherever_it_is_opened_again(
    table: Seat, typed_in: str, opened_in: str
) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    form = await open_text_form(at, person, typed_in)
    assert prefilled_text(form) == ""
    await (await person.submit(form, {"text": NONSENSE})).settle()
    await at.settle()
    assert prefilled_text(await open_text_form(at, person, opened_in)) == NONSENSE


async def test_a_text_refused_by_the_command_stands_in_the_form_too(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    await private_reply(person.slash(at.channel, "bid", hand=NONSENSE))
    assert prefilled_text(await open_form(at, person)) == NONSENSE


async def test_a_refused_text_is_gone_once_its_writer_has_moved(table: Seat) -> None:
    at = await table(2, plays=THAI)
    first = at.turn()
    await bid_by_form(at, first, text=NONSENSE)
    await at.call(first)  # by the list: nothing was typed
    second = at.turn()
    assert prefilled_text(await open_form(at, second)) == ""  # it is nobody else's
    await at.call(second)
    await at.settle()
    for where in ("table", "seat"):
        assert prefilled_text(await open_text_form(at, first, where)) == ""


async def test_a_refused_text_stays_while_others_move_and_is_gone_after_the_round(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    first = at.turn()
    await at.call(first)
    second = at.turn()
    await bid_by_form(at, second, text="nine high")  # too low
    assert prefilled_text(await open_form(at, second)) == "nine high"
    await at.challenge(second)
    await at.press("Next round")
    if at.turn() is not second:
        await at.call(at.turn())
    assert prefilled_text(await open_form(at, second)) == ""


async def test_the_form_shows_only_the_bid_to_beat_and_the_players_own_cards(table: Seat) -> None:
    at = await table(2, plays=THAI)
    first = at.turn()
    form = await open_text_form(at, first, "table")
    assert "Open the round. You hold " in str(form.payload)
    assert set(NATURAL.findall(str(form.payload))) == at.own_cards(first)
    await bid_by_form(at, first, text="pair of nines")
    await at.settle()
    second = at.turn()
    form = await open_text_form(at, second, "seat")
    assert "Higher than pair of nines. You hold " in str(form.payload)
    assert set(NATURAL.findall(str(form.payload))) == at.own_cards(second)

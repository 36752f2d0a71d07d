"""Lobbies over real sockets: permissions, house rules, preferences, and notifications."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from benchmarks.reading import HAND, NATURAL
from bot.discord.tables import lobby as lobbies
from bot.retry import RetryPolicy
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.screen import SeenMessage
from bot.sandbox.world import Sandbox
from bot.tables.errors import StoreUnavailable
from bot.tables.model import Player
from bot.tables.preferences import DECK, PREFERENCES, preference
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import SEND
from tests.bot.discord.tables.test_costs import ANSWER, OPEN_DM, Costs
from tests.bot.discord.tables.test_round import pings_sent
from tests.bot.harness import (
    StoppedClock,
    Table,
    choose,
    hands_shown,
    private_reply,
    running_bot,
    seat_names,
    send_cards_directly,
    settings,
)
from tests.people import press_in_command, until

LIARS, THAI = "Liars' Poker", "Thai Poker"


# -- sitting down and getting up -----------------------------------------------------------------
async def test_a_player_who_joins_is_shown_and_gets_no_direct_message(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    assert seat_names(at) == ["Ann", "Bob", "Cleo"]
    assert "3 of 10" in at.message().text
    assert "Your cards come here, and only you see them." in at.message().text
    await at.press("Start")
    assert [person.dm_messages() for person in at.people] == [[], [], []]


async def test_a_player_who_joins_is_greeted_by_direct_message_if_cards_come_that_way(
    table: Seat,
) -> None:
    at = await table(3)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    assert "your cards come by direct message too." in at.message().text
    for person in at.people:
        assert f"<#{at.channel.id}>" in person.dm_messages()[-1].text


@pytest.mark.parametrize("first", ["I'm in", "Play again"])
async def test_a_player_who_joins_a_rematch_is_greeted_and_has_a_name(
    table: Seat, first: str
) -> None:
    at = await table(3)
    ann, bob, late = at.people
    at.people.pop()
    await at.start(THAI)
    await choose_own(at, late, Cards_by_direct_message="Always")
    await at.play_round()
    prompt = await (await late.click(at.message(), "My seat")).settle()
    await late.click(prompt.seen, "Join the next match")
    await at.forfeit(bob)
    at.people.append(late)
    asks = late if first == "Play again" else ann
    await at.press("Play again", asks)
    for person in at.people:
        if person is not asks:
            await at.press("I'm in", person)
    # the cards of the match that begins with them may come before it
    await until(lambda: any(m.text.startswith("You're playing **") for m in late.dm_messages()))
    await at.play_round()
    assert late.name in at.message().text, "the picture in words"


async def test_joining_twice_and_leaving_without_a_seat_change_nothing(table: Seat) -> None:
    at = await table(3)
    await at.host.slash(at.channel, "play", game=THAI)
    _ann, bob, cleo = at.people
    await bob.click(at.message(), "Join")
    assert await private_reply(bob.click(at.message(), "Join")) == "You're already at this table."
    assert await private_reply(cleo.click(at.message(), "Leave")) == "You're not at this table."
    assert seat_names(at) == ["Ann", "Bob"]
    await bob.click(at.message(), "Leave")
    assert seat_names(at) == ["Ann"]


async def test_a_host_who_leaves_hands_over_to_the_next_who_joined(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    await ann.click(at.message(), "Leave")
    assert f"<@{bob.id}> · host" in at.message().text
    assert "Only" in await private_reply(cleo.click(at.message(), "Start"))
    await at.press("Start", bob)
    assert "Round 1" in at.message().text


async def test_the_last_to_leave_closes_the_table(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await at.host.click(at.message(), "Leave")
    assert "closed" in at.message().text
    assert at.message().buttons == []
    await at.open(LIARS)
    assert "Liars' Poker" in at.message().text


async def test_only_the_host_or_a_moderator_starts_cancels_and_chooses_rules(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    refused = f"Only the host (<@{ann.id}>) or a moderator can do that."
    assert await private_reply(bob.click(at.message(), "Start")) == refused
    message = await at.options(bob)
    assert not {"Close the table", "House rules…", "Time…", "Messages…"} & set(message.buttons)
    for verb in ("cancel", "rules", "pace", "messages"):
        assert await private_reply(bob.forge(message, f"bh:{verb}:1:0:0")) == refused
    assert "3 of 10" in at.message().text
    at.world.server("The Snug").make_moderator(cleo)
    out = await at.option(cleo, "Close the table")
    assert "This table is closed" in out.text
    await at.settle()
    assert "This table is closed" in at.message().text


def with_options(person: Person, at: Table) -> list[SeenMessage]:
    """Return the messages on a person's screen that show a lobby's options."""
    return [message for message in person.visible(at.channel) if "**Options**" in message.text]


async def test_the_options_close_when_the_match_starts(table: Seat) -> None:
    at = await table(3)
    await at.open(LIARS)
    ann, bob, _cleo = at.people
    await choose(at, Jokers="None")
    for person in (ann, bob, bob):
        await at.options(person)
    assert len(with_options(bob, at)) == 2
    await at.press("Start")
    await until(lambda: not with_options(ann, at) + with_options(bob, at))
    await at.press("My seat", bob)
    assert "Round 1" in at.seat(bob).text


async def test_the_options_close_when_somebody_else_closes_the_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    ann, bob = at.people
    await at.options(bob)
    out = await at.option(ann, "Close the table")
    assert "This table is closed" in out.text
    await until(lambda: not with_options(bob, at))
    assert "This table is closed" in (await ann.current(out.seen)).text


@pytest.mark.parametrize("button", ["Close the table", "House rules…", "Messages…"])
async def test_options_that_outlived_their_lobby_say_so_when_pressed(
    table: Seat, button: str
) -> None:
    at = await table(2)
    await at.open(THAI)
    message = await at.options(at.host)
    at.bot.client.handlers.options._open.clear()  # as after a restart
    await at.press("Start")
    out = await at.host.click(message, button)
    assert out.text == "The match has begun."
    assert out.seen.buttons == []


async def test_one_person_cannot_start_and_is_told_how_many_it_takes(table: Seat) -> None:
    at = await table(2)
    out = await at.host.slash(at.channel, "play", game=THAI)
    assert "Start" not in at.message().buttons
    assert "Waiting for 1 more player" in at.message().text
    start = at.controls()["Start"]
    reply = await private_reply(at.host.forge(out.seen, start))
    assert reply == "A match needs at least two players."


# -- house rules ----------------------------------------------------------------------------------


async def test_a_middle_hand_is_shown_dealt_and_costs_a_seat(table: Seat) -> None:
    at = await table(10)
    everybody = at.people
    at.people = everybody[:9]
    await at.open(LIARS)
    await choose(at, Middle_hand="One hand, face down")
    assert "9 of 9" in at.message().text
    await at.press("Start")
    assert "20 cards in play, two of them in the middle" in at.message().text
    await at.play_round()
    assert len(hands_shown(at)["middle"]) == 2


async def test_a_middle_hand_cannot_be_chosen_while_ten_are_seated(table: Seat) -> None:
    at = await table(10)
    await at.open(LIARS)
    form = await at.option(at.host, "House rules…")
    reply = await private_reply(
        at.host.submit(form.modal, {"Middle hand": ["One hand, face down"]})
    )
    assert reply.startswith("With these house rules at most 9 can play, but 10 are here.")
    assert "Middle hand" not in at.message().text


async def test_the_house_may_keep_odds_from_the_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await choose(at, Odds_during_the_match="None")
    assert "Odds during the match: none" in at.message().text


async def test_house_rules_that_nobody_offered_change_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    before = at.message().text
    form = await at.option(at.host, "House rules…")
    field = {"type": 3, "id": 1, "custom_id": "two_player_limit", "values": ["99"]}
    strange = {"type": 3, "id": 2, "custom_id": "starting_cards", "values": ["5"]}
    parts = [{"type": 18, "id": 3, "component": part} for part in (field, strange)]
    await at.host.forge_submit(at.channel, form.form.payload["custom_id"], parts, at.message().id)
    assert at.message().text == before


async def test_a_rules_form_sent_after_the_start_changes_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    form = await at.option(at.host, "House rules…")
    await at.press("Start")
    reply = await private_reply(
        at.host.submit(form.modal, {"Card limit for the last two": ["Seven cards"]})
    )
    assert reply.startswith("The table has moved on.")
    assert "▯▯▯▯" not in at.message().text


# -- a server's usual house rules, and what people chose -------------------------------------------


# -- a server's usual rules ------------------------------------------------------------------------
async def usual(at: Table, game: str, button: str, **chosen: str) -> ActOutcome:
    """Change the server's usual rules in the form that `button` opens, as the host, a moderator.

    `chosen`: choices by their fields' labels, with "_" for each space.
    """
    message = await at.host.slash(at.channel, "settings", game=game)
    assert message.seen.ephemeral
    form = await at.host.click(message.seen, button)
    fields = {label.replace(" ", "_"): label for label in form.form.fields}
    values: dict[str, object] = {fields[key]: [value] for key, value in chosen.items()}
    return await at.host.submit(form.form, values)


async def test_new_tables_begin_with_the_moderators_choices(table: Seat) -> None:
    at = await table(2)
    at.world.server("The Snug").make_moderator(at.host)
    out = await usual(at, LIARS, "House rules…", Jokers="None")
    assert "-# Jokers: none" in out.text
    out = await usual(at, LIARS, "Time…", Time_per_turn="5 minutes")
    assert "-# Jokers: none" in out.text  # what the other form chose stays
    assert "-# Time per turn: 5 minutes" in out.text
    message = await at.open(LIARS)
    assert "-# Jokers: none" in message.text
    assert "-# 5 minutes per turn" in message.text
    await at.option(at.host, "Close the table")
    await at.settle()
    assert "5 minutes per turn" not in (await at.open(THAI)).text  # each game has its own


async def test_tables_that_are_open_and_other_servers_keep_their_rules(table: Seat) -> None:
    at = await table(1)
    at.world.server("The Snug").make_moderator(at.host)
    before = (await at.open(LIARS)).text
    await usual(at, LIARS, "House rules…", Jokers="None")
    assert at.message().text == before
    elsewhere = at.elsewhere(at.world.add_guild("The Den").add_text_channel("poker-night"))
    assert "Jokers" not in (await elsewhere.open(LIARS)).text


async def test_only_a_moderator_sees_or_changes_the_usual_rules(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    refused = "Only moderators (people who can manage messages) can do that."
    assert await private_reply(bob.slash(at.channel, "settings", game=LIARS)) == refused
    at.world.server("The Snug").make_moderator(ann)
    message = await at.open(LIARS)
    forged = await private_reply(bob.forge(message, "bh:usual:0:0:0:liars_poker"))
    assert forged == refused
    assert (
        await private_reply(ann.forge(message, "bh:usual:0:0:0:snap")) == "The table has moved on."
    )
    parts = [{"type": 18, "component": {"type": 3, "custom_id": "jokers", "values": ["0"]}}]
    await bob.forge_submit(at.channel, "bh:usual:0:0:0:liars_poker", parts, message.id)
    await at.option(ann, "Close the table")
    await at.settle()
    assert "Jokers" not in (await at.open(LIARS)).text


async def test_ann_in_the_sandbox_is_a_moderator_and_finds_settings_and_season(
    tmp_path: Path,
) -> None:
    world = Sandbox()
    await world.start()
    world.furnish()
    try:
        async with running_bot(world, settings(tmp_path)):
            channel = world.server("The Snug").channel("poker-night")
            ann, bob = world.person("Ann"), world.person("Bob")
            message = await (await ann.slash(channel, "settings", game=LIARS)).settle()
            assert "House rules…" in message.seen.buttons
            reply = await private_reply(ann.slash(channel, "stats", what="seasons"))
            assert "The first season starts with the first match" in reply
            assert "Only moderators" in await private_reply(
                bob.slash(channel, "stats", what="seasons")
            )
    finally:
        await world.stop()


# -- a person's own choices ------------------------------------------------------------------------
async def choose_own(at: Table, person: Person, **chosen: str) -> str:
    """Submit the form of /preferences; return the text of the answer.

    `chosen`: choices by their fields' labels, with "_" for each space.
    """
    form = await press_in_command(person, at.channel, "preferences", "Change…")
    fields = {label.replace(" ", "_"): label for label in form.form.fields}
    values: dict[str, object] = {fields[key]: [value] for key, value in chosen.items()}
    return (await person.submit(form.form, values)).text


async def seat(at: Table, person: Person) -> SeenMessage:
    out = await person.click(at.message(), "My seat")
    return out.seen


async def test_a_choice_is_confirmed_and_preselected_the_next_time(table: Seat) -> None:
    at = await table(1)
    reply = await choose_own(at, at.host, Deck="Two colours")
    assert "-# Deck: two colours" in reply
    assert "-# Reminders of your turn: use the table's setting" in reply
    again = await choose_own(at, at.host, Reminders_of_your_turn="Never")
    assert "-# Deck: two colours" in again
    assert "-# Reminders of your turn: never" in again


async def test_only_the_person_who_chose_words_only_gets_words_only(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    await send_cards_directly(at, THAI)
    await choose_own(at, ann, Your_cards="In words only")
    await at.start(THAI)
    for message in (await seat(at, ann), ann.dm_messages()[-1]):
        assert len(re.findall(r"\w+ of (?:clubs|diamonds|hearts|spades)", message.text)) == 3
        assert not NATURAL.search(message.text)
    for message in (await seat(at, bob), bob.dm_messages()[-1]):
        assert len(set(NATURAL.findall(message.text))) == 3


IN_WORDS: Final = re.compile(r"^### \w+ of (?:spades|hearts|diamonds|clubs)\b", re.MULTILINE)


async def test_an_open_seat_follows_changed_preferences_at_the_next_press(table: Seat) -> None:
    at = await table(2, plays=THAI)
    person = at.turn()
    own_seat = await seat(at, person)
    for chosen, in_words in (("In words only", True), ("As cards", False)):
        await choose_own(at, person, Your_cards=chosen)
        await person.click(own_seat, "Pair")
        text = (await person.current(own_seat)).text
        assert bool(HAND.search(text)) is not in_words
        assert bool(IN_WORDS.search(text)) is in_words
        await person.click(own_seat, "Back")


async def test_without_direct_messages_by_choice_none_is_sent_and_nobody_is_told(
    table: Seat,
) -> None:
    at = await table(2)
    ann, bob = at.people
    await send_cards_directly(at, THAI)
    await choose_own(at, bob, Cards_by_direct_message="Never")
    await at.open(THAI)
    await at.settle()
    costs = Costs(at)
    await at.press("Start", ann)
    assert bob.dm_messages() == []
    assert "direct messages are closed" not in at.message().text
    assert OPEN_DM not in await costs.since()
    await choose_own(at, bob, Cards_by_direct_message="Always")
    await at.play_round()
    await at.press("Next round", ann)
    assert "Round 2" in bob.dm_messages()[-1].text


async def test_closed_direct_messages_are_tried_again_when_somebody_asks_for_them(
    table: Seat,
) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await choose_own(at, bob, Cards_by_direct_message="Always")
    await at.start(THAI)
    assert f"<@{bob.id}>: press **My seat**" in at.message().text
    bob.set_dms_open(True)
    await choose_own(at, bob, Cards_by_direct_message="Always")
    await at.play_round()
    await at.press("Next round")
    assert "Round 2" in bob.dm_messages()[-1].text
    assert "direct messages are closed" not in at.message().text


async def test_a_player_who_wants_no_reminders_is_not_pinged(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    await choose_own(at, ann, Reminders_of_your_turn="Never")
    await at.open(THAI)
    form = await at.option(ann, "Messages…")
    await ann.submit(form.modal, {"Reminders": ["On every turn"]})
    await at.press("Start", ann)
    for _ in range(2):
        person = at.turn()
        pings = [
            message
            for message in at.host.visible(at.channel)
            if message.content and not message.ephemeral
        ]
        assert [f"<@{bob.id}>" in ping.text for ping in pings] == ([True] if person is bob else [])
        await at.call(person)
        await at.settle()


def test_a_choice_that_is_no_longer_offered_counts_as_the_default() -> None:
    assert preference(Player(1, choices={"deck": "sepia"}), DECK) == "four"
    assert all(preference(Player(1), option) == option.default for option in PREFERENCES)


# -- tell me when a table opens --------------------------------------------------------------------

NOTIFY, QUIET = "Notify me about new tables", "Stop notifying me"


async def lobby(at: Table) -> SeenMessage:
    """Open a lobby with only the host, and wait until all is sent; return the lobby's message."""
    out = await at.host.slash(at.channel, "play", game=THAI)
    await at.settle()
    return out.seen


async def reopen(at: Table) -> None:
    """Close the channel's table and open another."""
    await at.host.slash(at.channel, "leave", what="end")
    await lobby(at)


def news_of_tables(at: Table) -> list[SeenMessage]:
    """Return the public messages that announce a new table."""
    messages = at.host.visible(at.channel)
    return [
        message
        for message in messages
        if not message.ephemeral and "has opened a **" in message.text
    ]


async def listen(at: Table, person: Person, to: SeenMessage) -> str:
    message = await (await person.click(to, "Options…")).settle()
    costs = Costs(at)
    out = await person.click(message.seen, NOTIFY)
    assert await costs.since() == {ANSWER: 1}
    assert out.seen.ephemeral
    return out.text


async def test_only_people_who_asked_are_notified_of_the_next_table(table: Seat) -> None:
    at = await table(4)
    ann, bob, cleo, dan = at.people
    first = await lobby(at)
    assert news_of_tables(at) == []
    for person in (ann, bob, cleo):  # but the host, who opens it
        assert "I'll ping you here when a table opens" in await listen(at, person, first)
    await reopen(at)
    (message,) = news_of_tables(at)
    assert f"<@{bob.id}>" in message.text
    assert f"<@{cleo.id}>" in message.text
    assert f"<@{dan.id}>" not in message.text
    assert sorted(pings_sent(at)[-1]) == sorted([bob.id, cleo.id])


@pytest.mark.parametrize("lost", ["cut_connection", "lose_answer"])
async def test_a_dropped_connection_loses_no_notification(
    table: Seat, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Check that one notification comes if the request or Discord's response is lost."""
    monkeypatch.setattr(lobbies, "RETRY", RetryPolicy(0.002, 0.002, retries=2))
    at = await table(2)
    await listen(at, at.people[1], await lobby(at))
    await at.host.slash(at.channel, "leave", what="end")
    await at.settle()
    getattr(at.world.faults, lost)(f"POST {SEND}")
    await lobby(at)
    assert len(news_of_tables(at)) == 1


async def test_a_channel_is_notified_at_most_once_an_hour(table: Seat) -> None:
    at = await table(2)
    await listen(at, at.people[1], await lobby(at))
    clock = StoppedClock(at.bot.client.handlers.lobby._clock.now() / 1000)
    at.bot.client.handlers.lobby._clock = clock
    await reopen(at)
    assert len(news_of_tables(at)) == 1
    clock.at += 3_600_000 - 1
    await reopen(at)
    assert len(news_of_tables(at)) == 1
    clock.at += 1
    await reopen(at)
    assert len(news_of_tables(at)) == 2


async def test_one_press_turns_notifications_off(table: Seat) -> None:
    at = await table(3)
    _ann, bob, cleo = at.people
    first = await lobby(at)
    for person in (bob, cleo):
        await listen(at, person, first)
    assert "won't ping you any more" in await listen(at, cleo, first)  # the button is a switch
    await reopen(at)
    out = await bob.click(news_of_tables(at)[0], QUIET)
    assert "won't ping you any more" in out.text
    assert await at.bot.client.handlers.lobby._store.servers.listeners(int(at.channel.id)) == []
    again = await bob.click(out.seen, NOTIFY)
    assert "I'll ping you here" in again.text


@pytest.mark.thorough
async def test_twenty_people_are_notified_in_one_message_that_names_each_once(
    table: Seat,
) -> None:
    at = await table(1)
    first = await lobby(at)
    crowd = [at.world.add_person(f"Guest {number}") for number in range(21)]
    for person in crowd:
        await listen(at, person, first)
    await reopen(at)
    assert len(news_of_tables(at)) == 2
    many, last = pings_sent(at)[-2:]
    assert (len(many), len(last)) == (20, 1)
    assert sorted(many + last) == sorted(person.id for person in crowd)


async def test_a_refusal_leaves_the_private_answer_as_it_is(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    bob = at.people[1]
    out = await (await bob.click(await lobby(at), "Options…")).settle()
    out = await bob.click(out.seen, NOTIFY)

    async def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(at.bot.client.handlers.lobby._store.servers, "note_listener", down)
    reply = await private_reply(bob.click(out.seen, QUIET))
    assert "database isn't available" in reply
    assert "I'll ping you here" in (await bob.current(out.seen)).text

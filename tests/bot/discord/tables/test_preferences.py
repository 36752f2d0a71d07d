"""What is remembered, by wire: a server's usual house rules, and what people chose."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from benchmarks.reading import HAND, NATURAL
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.screen import SeenMessage
from bot.sandbox.world import Sandbox
from bot.tables.model import Player
from bot.tables.preferences import DECK, PREFERENCES, preference
from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_costs import Costs
from tests.bot.house import Table, letters_too, running_bot, settings, whispered
from tests.people import pressed_in

LIARS, THAI = "Liars' Poker", "Thai Poker"
OPEN_DM = "POST /users/@me/channels"

# -- a server's usual rules ------------------------------------------------------------------------


async def usual(at: Table, game: str, button: str, **chosen: str) -> ActOutcome:
    """Change the usual rules as the host, who must be a moderator."""
    shown = await at.host.slash(at.channel, "settings", game=game)
    assert shown.message is not None
    assert shown.message.ephemeral
    form = await at.host.click(shown.message, button)
    assert form.modal is not None
    fields = {label.replace(" ", "_"): label for label in form.modal.fields}
    values: dict[str, object] = {fields[key]: [value] for key, value in chosen.items()}
    return await at.host.submit(form.modal, values)


async def test_new_tables_begin_with_what_a_moderator_chose(table: Seat) -> None:
    at = await table(2)
    at.world.server("The Snug").make_moderator(at.host)
    out = await usual(at, LIARS, "House rules…", Jokers="None")
    assert "-# Jokers: none" in out.text
    out = await usual(at, LIARS, "Time and messages…", Time_for_a_turn="5 minutes")
    assert "-# Jokers: none" in out.text  # what the other form chose stays
    assert "-# Time for a turn: 5 minutes" in out.text
    shown = await at.open(LIARS)
    assert "-# Jokers: none" in shown.text
    assert "-# Time for a turn: 5 minutes" in shown.text
    await at.option(at.host, "Cancel")
    await at.settle()
    assert "5 minutes" not in (await at.open(THAI)).text  # each game has its own


async def test_tables_that_are_open_and_other_servers_keep_their_rules(table: Seat) -> None:
    at = await table(1)
    at.world.server("The Snug").make_moderator(at.host)
    before = (await at.open(LIARS)).text
    await usual(at, LIARS, "House rules…", Jokers="None")
    assert at.shown().text == before
    there = at.elsewhere(at.world.add_guild("The Den").add_text_channel("poker-night"))
    assert "Jokers" not in (await there.open(LIARS)).text


async def test_only_a_moderator_sees_or_changes_the_usual_rules(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    refused = "Only a moderator of this server may do that (who may manage its messages)."
    assert await whispered(bob.slash(at.channel, "settings", game=LIARS)) == refused
    at.world.server("The Snug").make_moderator(ann)
    shown = await at.open(LIARS)
    forged = await whispered(bob.forge(shown, "bh:usual:0:0:0:liars_poker"))
    assert forged == refused
    parts = [{"type": 18, "component": {"type": 3, "custom_id": "jokers", "values": ["0"]}}]
    await bob.forge_submit(at.channel, "bh:usual:0:0:0:liars_poker", parts, shown.id)
    await at.option(ann, "Cancel")
    await at.settle()
    assert "Jokers" not in (await at.open(LIARS)).text


@pytest.mark.usefixtures("unhurried")
async def test_ann_of_make_play_is_a_moderator_and_finds_settings_and_season(
    tmp_path: Path,
) -> None:
    world = Sandbox()
    await world.start()
    world.furnish()
    try:
        async with running_bot(world, settings(tmp_path)):
            channel = world.server("The Snug").channel("poker-night")
            ann, bob = world.person("Ann"), world.person("Bob")
            shown = await (await ann.slash(channel, "settings", game=LIARS)).settled()
            assert shown.message is not None
            assert "House rules…" in shown.message.buttons
            said = await whispered(ann.slash(channel, "records", what="seasons"))
            assert "The first season begins with the first match" in said
            assert "Only a moderator" in await whispered(
                bob.slash(channel, "records", what="seasons")
            )
    finally:
        await world.stop()


async def test_a_game_that_there_is_not_is_refused(table: Seat) -> None:
    at = await table(1)
    at.world.server("The Snug").make_moderator(at.host)
    shown = await at.open(LIARS)
    said = await whispered(at.host.forge(shown, "bh:usual:0:0:0:snap"))
    assert said == "The table has moved on."


# -- a person's own choices ------------------------------------------------------------------------


async def choose(at: Table, person: Person, **chosen: str) -> str:
    """Fill in the form behind /preferences; what the answer says."""
    form = await pressed_in(person, at.channel, "preferences", "Change…")
    assert form.modal is not None
    fields = {label.replace(" ", "_"): label for label in form.modal.fields}
    values: dict[str, object] = {fields[key]: [value] for key, value in chosen.items()}
    return (await person.submit(form.modal, values)).text


async def seat(at: Table, person: Person) -> SeenMessage:
    out = await person.click(at.shown(), "My seat")
    assert out.message is not None
    return out.message


async def test_what_one_chose_is_said_and_stands_in_the_form_the_next_time(table: Seat) -> None:
    at = await table(1)
    said = await choose(at, at.host, Deck="Two colours")
    assert "-# Deck: two colours" in said
    assert "-# Reminders of your turn: as the table says" in said
    again = await choose(at, at.host, Reminders_of_your_turn="Never")
    assert "-# Deck: two colours" in again
    assert "-# Reminders of your turn: never" in again


async def test_in_words_only_is_in_words_for_who_chose_it_alone(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    await letters_too(at, THAI)
    await choose(at, ann, Your_cards="In words only")
    await at.start(THAI)
    for message in (await seat(at, ann), ann.dm_messages()[-1]):
        assert len(re.findall(r"\w+ of (?:clubs|diamonds|hearts|spades)", message.text)) == 3
        assert not NATURAL.search(message.text)
    for message in (await seat(at, bob), bob.dm_messages()[-1]):
        assert len(set(NATURAL.findall(message.text))) == 3


IN_WORDS: Final = re.compile(r"^### \w+ of (?:spades|hearts|diamonds|clubs)\b", re.MULTILINE)


async def test_an_open_seat_follows_a_change_of_mind_at_the_next_press(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    own = await seat(at, person)
    for chosen, in_words in (("In words only", True), ("As cards", False)):
        await choose(at, person, Your_cards=chosen)
        label = next(one for one in own.buttons if one.startswith("Lowest"))
        await person.click(own, label)
        shown = (await person.current(own)).text
        assert bool(HAND.search(shown)) is not in_words
        assert bool(IN_WORDS.search(shown)) is in_words
        await person.click(own, "Back")


async def test_who_wants_no_direct_messages_gets_none_and_nobody_is_told(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    await letters_too(at, THAI)
    await choose(at, bob, Cards_by_direct_message="Never")
    await at.open(THAI)
    await at.settle()
    costs = Costs(at)
    await ann.click(at.shown(), "Start")
    await at.settle()
    assert bob.dm_messages() == []
    assert "direct messages are closed" not in at.shown().text
    assert OPEN_DM not in await costs.since()
    await choose(at, bob, Cards_by_direct_message="Always")
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.settle()
    await ann.click(at.shown(), "Next round")
    await at.settle()
    assert "Round 2" in bob.dm_messages()[-1].text


async def test_cards_come_by_direct_message_to_who_asked_though_the_house_sends_none(
    table: Seat,
) -> None:
    at = await table(3)
    ann, bob, cleo = at.people
    await choose(at, bob, Cards_by_direct_message="Always")
    await at.start(THAI)
    assert ann.dm_messages() == cleo.dm_messages() == []
    assert "Round 1" in bob.dm_messages()[-1].text
    assert set(NATURAL.findall(bob.dm_messages()[-1].text)) == at.own_cards(bob)


async def test_closed_direct_messages_are_tried_again_when_somebody_asks_for_them(
    table: Seat,
) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await choose(at, bob, Cards_by_direct_message="Always")
    await at.start(THAI)
    assert f"<@{bob.id}>: press **My seat**" in at.shown().text
    bob.set_dms_open(True)
    await choose(at, bob, Cards_by_direct_message="Always")
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert "Round 2" in bob.dm_messages()[-1].text
    assert "direct messages are closed" not in at.shown().text


async def test_who_wants_no_reminders_is_not_pinged(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people
    await choose(at, ann, Reminders_of_your_turn="Never")
    await at.open(THAI)
    form = await at.option(ann, "Time and messages…")
    await ann.submit(form.modal, {"Reminders": ["On every turn"]})
    await ann.click(at.shown(), "Start")
    await at.settle()
    for _ in range(2):
        person = at.turn()
        pings = [one for one in at.host.visible(at.channel) if one.content and not one.ephemeral]
        assert [f"<@{bob.id}>" in one.text for one in pings] == ([True] if person is bob else [])
        await at.call(person)
        await at.settle()


def test_a_choice_that_is_offered_no_more_is_the_default() -> None:
    assert preference(Player(1, choices={"deck": "sepia"}), DECK) == "four"
    assert all(preference(Player(1), option) == option.default for option in PREFERENCES)

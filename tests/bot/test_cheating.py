"""Attempts to see others' cards or to move for others, which have no effect.

They send requests that no Discord client would, with every verb of every control. SECURITY.md
lists the attempts.
"""

from __future__ import annotations

import json
from typing import Any

from structlog.testing import capture_logs

from benchmarks.reading import NATURAL
from bot.sandbox.driver import Person
from bot.sandbox.interactions import COMPONENT, MODAL_SUBMIT
from tests.bot.conftest import Seat
from tests.bot.harness import Table, my_data

THAI = "Thai Poker"
CHOICES = ("", ":open", ":at.3.coach", ":0")


async def sent(at: Table, person: Person, kind: int, body: dict[str, Any], message: str) -> None:
    interaction = at.world.interactions.open(kind, person.id, at.channel, body, message_id=message)
    await at.world.interactions.wait_for_answer(interaction)


async def every_control(at: Table, person: Person, message: str, without: set[str]) -> None:
    """Press every button, except those whose verb is in `without`, and submit every form.

    Send each press and form as if its control were on `message` and belonged to this match.
    """
    table = (await at.live()).table
    router = at.bot.client.handlers.router
    place = f"{table.id}:{table.match_id}:1"
    for verb in sorted(router.presses.keys() - without):
        for choice in CHOICES:
            body = {"component_type": 3, "values": [str(table.match_id)]}
            await sent(
                at, person, COMPONENT, body | {"custom_id": f"bh:{verb}:{place}{choice}"}, message
            )
    for verb in sorted(router.forms):
        body = {"custom_id": f"bh:{verb}:{place}", "components": []}
        await sent(at, person, MODAL_SUBMIT, body, message)
    await at.settle()


def cards_seen(at: Table, person: Person) -> set[str]:
    """Return every card in the texts of the messages about rounds that a person can read."""
    mine = [*person.visible(at.channel), *person.dm_messages()]
    return {
        card
        for message in mine
        for card in NATURAL.findall(message.text)
        if "**Round" in message.text
    }


async def test_a_stranger_who_forges_every_control_moves_nothing_and_sees_no_card(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    stranger = at.world.add_person("Mallory")
    before = await at.live()
    with capture_logs() as logged:
        await every_control(at, stranger, at.message().id, set())
    after = await at.live()
    assert after.match == before.match
    assert after.table.players == before.table.players
    assert not [line for line in logged if line["log_level"] == "error"]
    assert cards_seen(at, stranger) == set()
    at.assert_no_leak()


async def test_a_player_who_forges_every_control_out_of_turn_sees_only_their_own_cards(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    acting = at.turn()
    cheat = next(person for person in at.people if person is not acting)
    before = await at.live()
    # what leaves the match is theirs to do
    await every_control(at, cheat, at.message().id, {"leave"})
    assert (await at.live()).match == before.match
    # not `assert_no_leak`: the rules, which are among the answers, have cards as examples
    assert cards_seen(at, cheat) == at.own_cards(cheat)


async def test_answers_about_past_matches_never_include_the_match_being_played(table: Seat) -> None:
    at = await table(2, plays=THAI)
    stranger = at.world.add_person("Mallory")
    number = (await at.live()).table.match_id
    for person in (*at.people, stranger):
        out = await (await person.slash(at.channel, "matches", match=number)).settle()
        assert out.seen.ephemeral
        assert not NATURAL.findall(out.text)
        looked = await (await person.slash(at.channel, "matches")).settle()
        assert not NATURAL.findall(looked.text)
        assert not looked.seen.buttons  # nothing is over here that could be looked back on
        assert await person.autocomplete(at.channel, "matches", "match", str(number)) == []
    at.assert_no_leak()


async def test_odds_use_only_the_askers_own_cards(table: Seat) -> None:
    at = await table(2, plays=THAI)
    stranger = at.world.add_person("Mallory")
    for text in ("my cards at this table", ""):
        options = {"cards": text} if text else {}
        out = await (await stranger.slash(at.channel, "odds thai", **options)).settle()
        assert not NATURAL.findall(out.text)
    # what is suggested does not depend on what anybody holds
    suggested = await stranger.autocomplete(at.channel, "odds thai", "cards", "A")
    assert len(suggested) == 4
    for person in at.people:
        assert await person.autocomplete(at.channel, "odds thai", "cards", "A") == suggested


async def test_an_export_pressed_on_anothers_message_is_the_pressers_own(table: Seat) -> None:
    at = await table(3, plays=THAI)
    ann, bob, _ = at.people
    page = await my_data(ann, at.channel)
    body = {"custom_id": f"bh:mydata:{ann.id[:15]}:0:0", "component_type": 2}
    before = set(at.world.state.attachments)
    await sent(at, bob, COMPONENT, body, page.id)
    await at.settle()
    files = [
        at.world.state.attachments[file_id] for file_id in set(at.world.state.attachments) - before
    ]
    (document,) = [json.loads(file.content) for file in files if file.content[:1] == b"{"]
    assert document["id"] == bob.id
    assert ann.id not in json.dumps(document)

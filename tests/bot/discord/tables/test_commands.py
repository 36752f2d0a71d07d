"""Tables over real sockets: permissions, direct messages, the end of a match, and the commands."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest

from benchmarks.reading import NATURAL
from bot.sandbox.driver import ActOutcome
from bot.sandbox.screen import SeenMessage
from bot.tables.model import Status
from tests.bot.conftest import Seat
from tests.bot.harness import choose, private_reply, private_texts, seat_names, send_cards_directly
from tests.bot.practising import press_through_example
from tests.people import press_in_command, until

LIARS, THAI = "Liars' Poker", "Thai Poker"


# -- where tables are ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("denied", "name"),
    [
        ("send_messages", "Send Messages"),
        ("attach_files", "Attach Files"),
        ("view_channel", "View Channel"),
    ],
)
async def test_a_missing_permission_is_named_before_a_table_opens(
    table: Seat, denied: str, name: str
) -> None:
    at = await table(1)
    await at.world.faults.deny(at.channel, denied)
    reply = await private_reply(at.host.slash(at.channel, "play", game=THAI))
    assert reply == f"I can't post here. Please give me this permission first: **{name}**."
    await at.world.faults.deny(at.channel)
    assert (await at.host.slash(at.channel, "play", game=THAI)).text.startswith("## Thai Poker")


# -- direct messages -----------------------------------------------------------------------------


async def test_closed_direct_messages_are_mentioned_in_the_seat_that_join_opens(
    table: Seat,
) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    await until(lambda: private_texts(bob, at.channel))
    lines = private_texts(bob, at.channel)
    assert len(lines) == 1
    assert "I can't send you direct messages" in lines[0]
    assert "My seat" in lines[0]
    assert f"<@{bob.id}>: direct messages are closed" in at.message().text
    await at.press("Start")
    assert f"<@{bob.id}>: press **My seat**" in at.message().text
    assert len(private_texts(bob, at.channel)) == 1  # the seat has followed the table
    assert "Round 1" in at.seat(bob).text
    assert len(set(NATURAL.findall(at.seat(bob).text))) == 3
    out = await bob.click(at.message(), "My seat")
    assert out.seen.ephemeral
    assert "Round 1" in out.text
    assert bob.dm_messages() == []


# -- the end and again ---------------------------------------------------------------------------


# -- commands ------------------------------------------------------------------------------------


async def test_table_reposts_the_message_and_the_old_one_links_to_it(table: Seat) -> None:
    at = await table(2)
    old = await at.start(THAI)
    await at.host.say(at.channel, "so many words")
    await at.people[1].slash(at.channel, "table")
    now = at.message()
    assert now.id != old.id
    assert now.text == old.text
    await at.settle()  # /table is answered, and the message before it too
    left = await at.host.current(old)
    assert left.buttons == []
    assert "to act" not in left.text
    assert f"/{at.channel.id}/{now.id}" in left.text
    control = old.select()  # somebody's screen is behind
    forged = at.turn().forge(old, control["custom_id"], [control["options"][0]["value"]])
    reply = await private_reply(forged)
    assert reply.startswith("The table has moved on.")
    assert f"/{at.channel.id}/{now.id}" in reply
    await at.call(at.turn())
    assert "No" not in at.standing()


async def test_commands_say_what_is_missing_or_whom_to_name(table: Seat) -> None:
    at = await table(2)
    ann = at.host

    async def reply_to(name: str, **options: object) -> str:
        return await private_reply(ann.slash(at.channel, name, **options))

    of_a_table: list[tuple[str, dict[str, object]]] = [
        ("challenge", {}),
        ("table", {}),
        ("leave", {}),
        ("bid", {"hand": "99"}),
        ("leave", {"what": "end"}),
        ("leave", {"what": "back"}),
        ("leave", {"what": "away"}),
        ("leave", {"what": "drop", "player": ann}),
    ]
    for name, options in of_a_table:
        reply = await reply_to(name, **options)
        assert reply == "There's no match in this channel. Open a table with `/play`."
    assert await ann.autocomplete(at.channel, "bid", "hand", "33") == []
    await at.open(THAI)
    for name, options in of_a_table[0], of_a_table[3]:
        assert await reply_to(name, **options) == (
            "The match hasn't started, so no cards are dealt yet."
        )
    await at.press("Start")
    assert await reply_to("leave", what="back") == "You're not marked as away."
    guest = next(person for person in at.people if person is not ann)
    reply = await reply_to("leave", what="drop")
    assert reply == f"Who? Name them under `player`: <@{guest.id}>, for example."


async def test_forfeit_in_a_lobby_gives_up_the_seat(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await private_reply(at.people[1].slash(at.channel, "leave"))
    await at.settle()
    assert seat_names(at) == ["Ann"]


async def test_only_the_host_drops_people_and_only_those_who_sit_here(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    assert "Only" in await private_reply(bob.slash(at.channel, "leave", what="drop", player=cleo))
    await ann.slash(at.channel, "leave", what="drop", player=cleo)
    await at.settle()
    assert seat_names(at) == ["Ann", "Bob"]
    refusal = f"<@{cleo.id}> isn't playing at this table."
    assert await private_reply(ann.slash(at.channel, "leave", what="drop", player=cleo)) == refusal
    await at.press("Start", ann)
    assert await private_reply(ann.slash(at.channel, "leave", what="drop", player=cleo)) == refusal
    prompt = await question(ann.slash(at.channel, "leave", what="drop", player=bob))
    assert prompt.id in [message.id for message in bob.visible(at.channel)]  # everybody is asked
    out = await cleo.click(prompt, "Yes, end it")
    assert "You're not at this table" in out.text
    await bob.click(prompt, "Yes, end it")
    await at.settle()
    text = (await ann.current(prompt)).text
    assert text == (f"<@{bob.id}> agreed: the match is over with no winner, and doesn't count.")
    assert any("The match was ended without a winner" in message.text for message in at.public())


async def question(asking: Awaitable[ActOutcome]) -> SeenMessage:
    """Wait for a command's answer, a question to the other players; return its message."""
    out = await (await asking).settle()
    return out.seen


async def test_the_only_opponent_is_asked_and_pinged_and_the_match_goes_on_as_they_say(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    ann, bob = at.people
    prompt = await question(ann.slash(at.channel, "leave", what="drop", player=bob))
    assert "wants to end this match" in prompt.text
    assert prompt.payload["mentions"][0]["id"] == bob.id
    assert prompt.buttons == ["Yes, end it", "Keep playing"]
    assert await private_reply(ann.click(prompt, "Yes, end it")) == (
        "You asked for this, so someone else has to agree."
    )
    await bob.click(prompt, "Keep playing")
    assert (
        await ann.current(prompt)
    ).text == f"<@{bob.id}> wants to keep playing, so the match goes on."
    await at.call(at.turn())  # and it does
    again = await question(bob.slash(at.channel, "leave", what="end"))
    await at.challenge(at.turn())
    await at.press("Next round", ann)
    await ann.click(again, "Yes, end it")  # asked in the round before
    assert (await bob.current(again)).text == (
        "This request has expired. To ask again, use `/leave`: *End the match for everyone*."
    )
    assert (await at.live()).table.status is Status.PLAYING
    late = await question(ann.slash(at.channel, "leave", what="end"))
    await at.forfeit(bob)
    await ann.click(late, "Yes, end it")
    assert (await bob.current(late)).text == "This match is already over."


async def test_answers_about_a_player_and_about_ending_the_match_are_kept_apart(
    table: Seat,
) -> None:
    at = await table(4, plays=THAI)
    ann, bob, cleo, dan = at.people
    await question(dan.slash(at.channel, "leave", what="end"))

    async def asked_about() -> dict[int, int]:
        votes = (await at.live()).table.votes
        return {about: len(voters) for about, voters in votes.items()}

    prompt = await question(ann.slash(at.channel, "leave", what="drop", player=cleo))
    assert await asked_about() == {0: 1, int(cleo.id): 1}
    await cleo.click(prompt, "I'm here")
    assert f"<@{cleo.id}>" in (await ann.current(prompt)).text
    assert await asked_about() == {0: 1}
    again = await question(ann.slash(at.channel, "leave", what="drop", player=cleo))
    for person in (bob, dan):
        if "Agree" in (await person.current(again)).buttons:
            await person.click(again, "Agree")
            await at.settle()
    live = await at.live()
    assert live.table.status is Status.PLAYING, "only Dan has asked for the end"
    assert live.match is not None
    still = [str(live.table.players[seat]) for seat in live.match.live]
    assert still == [ann.id, bob.id, dan.id]


async def test_requests_and_reports_expire_when_too_few_are_left_to_agree(table: Seat) -> None:
    at = await table(4, plays=THAI)
    ann, bob, cleo, dan = at.people
    await private_reply(ann.slash(at.channel, "leave", what="away", player=bob))
    prompt = await question(bob.slash(at.channel, "leave", what="drop", player=dan))
    late = await question(ann.slash(at.channel, "leave", what="drop", player=cleo))
    await at.settle()
    assert f"<@{ann.id}> says they're away" in at.message().text
    await at.forfeit(dan)
    await ann.click(prompt, "Agree")
    assert (await ann.current(prompt)).text == f"<@{dan.id}> is already out of the match."
    await at.forfeit(cleo)
    assert "says they're away" not in at.message().text
    dead = await question(ann.slash(at.channel, "leave", what="drop", player=bob))
    assert "wants to end this match" in dead.text
    await bob.click(late, "Agree")
    assert (await ann.current(late)).text == f"<@{cleo.id}> is already out of the match."
    assert (await at.live()).table.votes == {0: (int(ann.id),)}


async def test_players_end_a_match_without_a_winner_and_its_seed_is_shown(table: Seat) -> None:
    at = await table(2, plays=THAI)
    prompt = await question(at.host.slash(at.channel, "leave", what="end"))
    assert "No bid yet" in at.message().text
    await at.people[1].click(prompt, "Yes, end it")
    await at.settle()
    text = at.message().text
    assert "ended without a winner" in text
    assert "wins" not in text
    assert at.message().buttons == ["Fair deal ✓"]
    assert "Checked just now: the seed fits the seal" in await at.check_deal(at.people[1])
    await at.open(LIARS)


async def test_rules_show_the_ladder_of_a_game_and_of_the_table_here(table: Seat) -> None:
    at = await table(2)
    rules_text = await private_reply(at.host.slash(at.channel, "help", game=THAI))
    kinds = ["High card", "Pair", "Straight", "Three of a kind", "Full house", "Flush"]
    places = [rules_text.index(f"**{kind}**") for kind in kinds]
    assert places == sorted(places)
    assert "Two pair" not in rules_text
    await at.open(LIARS)
    await choose(at, Jokers="None", Who_can_challenge="Anyone, at any time")
    table_rules = await private_reply(press_in_command(at.people[1], at.channel, "help", "Rules"))
    assert "Liars' Poker" in table_rules
    assert "Five of a kind" not in table_rules
    assert "Anyone but the bidder can challenge" in table_rules


async def test_help_has_eight_buttons_each_of_which_does_what_it_says(table: Seat) -> None:
    at = await table(2)
    ann, bob = at.people

    async def after(*labels: str) -> SeenMessage:
        """Return the message that Bob sees after /help and these buttons."""
        message = (await bob.slash(at.channel, "help")).message
        for label in labels:
            assert message is not None
            out = await (await bob.click(message, label)).settle()
            message = out.message or await bob.current(message)
        assert message is not None
        return message

    assert (await after()).buttons == [
        *("Play", "Table", "Practice", "Rules"),
        *("Odds", "Matches", "Stats", "Preferences"),
    ]
    assert "Five of a kind" in (await after("Rules", LIARS)).text
    assert "`/odds showdown" in (await after("Odds")).text
    assert (await after("Odds", "Back")).buttons == (await after()).buttons
    assert "hasn't finished a match" in (await after("Stats")).text
    assert "No match of yours" in (await after("Matches")).text
    assert "Change…" in (await after("Preferences")).buttons
    assert "How to play Thai Poker" in (await after("Practice", THAI)).text
    assert "Agnes" in (await press_through_example(bob, at.channel)).text
    assert "Agnes" in (await after("Practice", THAI)).text
    await after("Play", THAI)
    await at.settle()
    lobby = at.message(ann)
    assert seat_names(at) == ["Bob"]
    assert "Thai Poker" in (await after("Rules")).text  # the table's own
    await after("Table")
    await at.settle()
    assert int(at.message(ann).id) > int(lobby.id)


async def test_in_a_direct_message_help_offers_what_works_there(table: Seat) -> None:
    at = await table(1)
    mail = at.world.places.dm_channel(at.world.state.users[at.host.id])
    out = await (await at.host.slash(mail, "help")).settle()
    assert "Play" not in out.seen.buttons
    assert "/leave" not in out.text


async def test_direct_messages_that_were_opened_again_are_used_again(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    await bob.click(at.message(), "Leave")
    bob.set_dms_open(True)
    await bob.click(at.message(), "Join")
    assert "direct messages are closed" not in at.message().text
    await at.press("Start")
    assert len(at.own_cards(bob)) == 3

"""Lobbies by wire: who may do what, what the house chose, and what is said when it cannot be."""

from __future__ import annotations

import asyncio

import pytest

from bot.sandbox.errors import CannotDo
from tests.bot.conftest import Seat
from tests.bot.house import Table, said_to, whispered
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
GAMES = (LIARS, THAI)


def seated(at: Table) -> list[str]:
    """Who sits, by name and in order, as the lobby shows them."""
    lines = at.shown().text.splitlines()
    return [one.name for line in lines for one in at.people if f". <@{one.id}>" in line]


async def choose(at: Table, **chosen: str) -> None:
    """Fill in the house rules form, by labels."""
    form = await at.host.click(at.shown(), "House rules…")
    labels = {label.replace(" ", "_").replace("'", ""): label for label in (form.modal.fields)}  # type: ignore[union-attr]
    out = await at.host.submit(form.modal, {labels[key]: [value] for key, value in chosen.items()})
    assert out.kind == "update", out.text


# -- sitting down and getting up -----------------------------------------------------------------


async def test_whoever_joins_is_seen_at_the_table_and_greeted_by_direct_message(
    table: Seat,
) -> None:
    at = await table(3)
    await at.open(THAI)
    assert seated(at) == ["Ann", "Bob", "Cleo"]
    assert "3 of 10" in at.shown().text
    for person in at.people:
        assert f"<#{at.channel.id}>" in person.dm_messages()[-1].text


async def test_joining_twice_and_leaving_without_a_seat_change_nothing(table: Seat) -> None:
    at = await table(3)
    await at.host.slash(at.channel, "play", game=THAI)
    _ann, bob, cleo = at.people
    await bob.click(at.shown(), "Join")
    assert await whispered(bob.click(at.shown(), "Join")) == "You already have a seat here."
    assert await whispered(cleo.click(at.shown(), "Leave")) == "You have no seat at this table."
    assert seated(at) == ["Ann", "Bob"]
    await bob.click(at.shown(), "Leave")
    assert seated(at) == ["Ann"]


async def test_people_who_join_at_the_same_moment_are_all_shown(table: Seat) -> None:
    at = await table(10)
    await at.host.slash(at.channel, "play", game=LIARS)
    await asyncio.gather(*(one.click(at.shown(), "Join") for one in at.people[1:]))
    await at.settle()
    assert sorted(seated(at)) == sorted(one.name for one in at.people)


async def test_a_host_who_leaves_hands_over_to_who_joined_next(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    await ann.click(at.shown(), "Leave")
    assert f"<@{bob.id}> · host" in at.shown().text
    assert "Only" in await whispered(cleo.click(at.shown(), "Start"))
    await bob.click(at.shown(), "Start")
    await at.settle()
    assert "Round 1" in at.shown().text


async def test_the_last_to_leave_closes_the_table(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await at.host.click(at.shown(), "Leave")
    assert "closed" in at.shown().text
    assert at.shown().buttons == []
    await at.open(LIARS)
    assert "Liars' Poker" in at.shown().text


async def test_only_the_host_or_a_moderator_starts_cancels_and_chooses_rules(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    for label in ("Start", "Cancel", "House rules…"):
        said = await whispered(bob.click(at.shown(), label))
        assert said == f"Only <@{ann.id}>, who hosts this table, or a moderator may do that."
    assert "3 of 10" in at.shown().text
    at.world.server("The Snug").make_moderator(cleo)
    await cleo.click(at.shown(), "Cancel")
    assert "This table is closed" in at.shown().text


async def test_one_person_cannot_start_and_is_told_how_many_it_takes(table: Seat) -> None:
    at = await table(2)
    out = await at.host.slash(at.channel, "play", game=THAI)
    assert "Start" not in at.shown().buttons
    assert "Waiting for 1 more player" in at.shown().text
    start = at.controls()["Start"]
    assert out.message is not None
    said = await whispered(at.host.forge(out.message, start))
    assert said == "A match needs at least two players."


async def test_a_full_table_takes_nobody_more(table: Seat) -> None:
    at = await table(11)
    everybody = at.people
    at.people = everybody[:10]
    await at.open(LIARS)
    assert "Join" not in at.shown().buttons
    late = everybody[10]
    said = await whispered(late.forge(at.shown(), at.controls()["Join"]))
    assert said == "All 10 seats are taken."


# -- house rules ----------------------------------------------------------------------------------


async def test_jokers_off_are_shown_and_none_is_in_the_deck(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    await choose(at, Jokers="none")
    assert "Jokers: none" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert "joker" not in at.shown().text
    person = at.turn()
    assert "There is no such" in await whispered(
        person.forge(at.shown(), at.shown().select()["custom_id"], ["five:7"])
    )


async def test_a_middle_hand_is_shown_dealt_and_costs_a_seat(table: Seat) -> None:
    at = await table(10)
    everybody = at.people
    at.people = everybody[:9]
    await at.open(LIARS)
    await choose(at, Middle_hand="one hand face down to nobody")
    assert "9 of 9" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert "20 cards in play, two of them in the middle" in at.shown().text
    await at.call(at.turn())
    await at.challenge(at.turn())
    assert "middle hand" in at.shown().text


async def test_a_middle_hand_cannot_be_chosen_while_ten_are_seated(table: Seat) -> None:
    at = await table(10)
    await at.open(LIARS)
    form = await at.host.click(at.shown(), "House rules…")
    said = await whispered(
        at.host.submit(form.modal, {"Middle hand": ["one hand face down to nobody"]})
    )
    assert said.startswith("With these house rules at most 9 can play, and 10 are seated.")
    assert "Middle hand: none" in at.shown().text


async def test_anyone_may_challenge_if_the_house_says_so(table: Seat) -> None:
    at = await table(3)
    await at.open(LIARS)
    await choose(at, Who_may_challenge="anyone, at any time")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    bidder = at.turn()
    await at.call(bidder)
    assert "Anybody but the bidder may challenge" in at.shown().text
    assert "your own call" in await whispered(at.challenge(bidder))
    waiting = next(one for one in at.people if one not in (bidder, at.turn()))
    await at.challenge(waiting)
    assert "Showdown" in at.shown().text
    assert f"<@{waiting.id}> challenged" in at.shown().text


async def test_the_card_of_a_flush_may_have_to_be_its_highest(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    await choose(at, A_flush_is_called_by="its highest card")
    assert "A flush is called by: its highest card" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    live = await at.bot.tables.in_channel(int(at.channel.id))
    assert live.match is not None
    six_high = live.match.ruleset.ladder.bid("flush:6c")
    others = six_high.needs[1].cards
    assert {card.rank.char for card in others} == set("2345")


async def test_two_players_of_thai_poker_may_hold_seven_cards(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await choose(at, Card_limit_for_the_last_two="seven cards")
    assert "seven cards" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert "▮▮▮▯▯▯▯" in at.shown().text


async def test_the_house_may_count_the_card_limit_by_who_started(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    await choose(at, The_card_limit_counts="players who started the match")
    assert "players who started the match" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    live = await at.bot.tables.in_channel(int(at.channel.id))
    assert live.match is not None
    assert live.match.ruleset.card_limit(live=2, started=3) == live.match.ruleset.card_limits[3]


async def test_the_house_may_keep_odds_from_the_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await choose(at, Odds_during_the_match="not allowed")
    assert "Odds during the match: not allowed" in at.shown().text


async def test_house_rules_that_nobody_offered_change_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    before = at.shown().text
    form = await at.host.click(at.shown(), "House rules…")
    assert form.modal is not None
    field = {"type": 3, "id": 1, "custom_id": "two_player_limit", "values": ["99"]}
    strange = {"type": 3, "id": 2, "custom_id": "starting_cards", "values": ["5"]}
    parts = [{"type": 18, "id": 3, "component": one} for one in (field, strange)]
    await at.host.forge_submit(at.channel, form.modal.payload["custom_id"], parts, at.shown().id)
    assert at.shown().text == before


async def test_a_rules_form_sent_after_the_start_changes_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    form = await at.host.click(at.shown(), "House rules…")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    said = await whispered(
        at.host.submit(form.modal, {"Card limit for the last two": ["seven cards"]})
    )
    assert said.startswith("The table has moved on.")
    assert "▯▯▯▯" not in at.shown().text


# -- where tables are ---------------------------------------------------------------------------


async def test_a_channel_has_one_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    said = await whispered(at.people[1].slash(at.channel, "play", game=LIARS))
    assert said == "This channel has a table already. `/table` brings it down here again."


async def test_a_thread_is_a_channel_of_its_own(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    made = await at.host.open_thread(at.channel, "side table")
    assert made.kind == "none"
    thread = next(c for c in at.world.state.channels.values() if c.name == "side table")
    side = at.elsewhere(thread)
    await side.start(LIARS)
    await side.call(side.turn())
    assert "Liars' Poker · Round 1" in side.shown().text
    assert "2 of 10" in at.shown().text


async def test_many_channels_play_at_once_and_none_sees_another(table: Seat) -> None:
    at = await table(3)
    server = at.world.server("The Snug")
    other = at.world.add_guild("Elsewhere")
    channels = [server.add_text_channel(f"table-{n}") for n in range(5)]
    channels += [other.add_text_channel(f"far-{n}") for n in range(3)]
    tables = [at.elsewhere(channel) for channel in channels]

    async def play(one: Table, game: str) -> None:
        await one.start(game)
        for _ in range(3):
            await one.call(one.turn(), option=1)
        await one.challenge(one.turn())

    await asyncio.gather(*(play(one, GAMES[n % 2]) for n, one in enumerate(tables)))
    assert all("Showdown" in one.shown().text for one in tables)
    seeds = {one.shown().text.rsplit("seed `", 1)[1] for one in tables}
    assert len(seeds) == len(tables)


async def test_a_server_has_no_more_tables_than_its_host_allows(table: Seat) -> None:
    at = await table(1, most_tables_per_guild=1)
    await at.open(THAI)
    server = at.world.server("The Snug")
    said = await whispered(at.host.slash(server.add_text_channel("two"), "play", game=THAI))
    assert said == "This server has 1 live table, which is as many as it may have."


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
    said = await whispered(at.host.slash(at.channel, "play", game=THAI))
    assert said == f"I cannot deal here: please give me the permission **{name}** first."
    await at.world.faults.deny(at.channel)
    assert (await at.host.slash(at.channel, "play", game=THAI)).text.startswith("## Thai Poker")


# -- direct messages -----------------------------------------------------------------------------


async def test_closed_direct_messages_are_told_in_the_answer_to_join(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await at.open(THAI)
    await until(lambda: said_to(bob, at.channel))
    said = said_to(bob, at.channel)
    assert len(said) == 1
    assert "Your direct messages are closed" in said[0]
    assert "My cards" in said[0]
    assert f"<@{bob.id}>: direct messages are closed" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert f"<@{bob.id}>: press **My cards**" in at.shown().text
    assert said_to(bob, at.channel) == said
    out = await bob.click(at.shown(), "My cards")
    assert out.message is not None
    assert out.message.ephemeral
    assert "your 3 cards" in out.text
    assert bob.dm_messages() == []


async def test_direct_messages_that_were_opened_again_are_used_again(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    bob.set_dms_open(False)
    await at.open(THAI)
    await bob.click(at.shown(), "Leave")
    bob.set_dms_open(True)
    await bob.click(at.shown(), "Join")
    assert "direct messages are closed" not in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert len(at.own_cards(bob)) == 3


# -- the end and again ---------------------------------------------------------------------------


async def test_play_again_seats_the_same_people_and_the_winner_opens(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    ann, bob, cleo = at.people
    for _ in range(2):  # twice within a minute: each lobby is a message of its own
        await ann.slash(at.channel, "forfeit")
        await bob.slash(at.channel, "forfeit")
        await at.settle()
        assert f"<@{cleo.id}> wins the match" in at.shown().text
        ended = at.shown()
        await bob.click(ended, "Play again")
        await at.settle()
        lobby = at.shown()
        assert lobby.id != ended.id
        assert seated(at) == ["Ann", "Bob", "Cleo"]
        assert (await ann.current(ended)).buttons == []
        await ann.click(lobby, "Start")
        await at.settle()
        assert at.turn() is cleo
    assert len({one.id for one in ann.visible(at.channel) if "Round 1" in one.text}) == 3


async def test_only_who_played_may_ask_to_play_again(table: Seat) -> None:
    at = await table(3)
    onlooker = at.people.pop()
    await at.start(THAI)
    await at.host.slash(at.channel, "forfeit")
    await at.settle()
    said = await whispered(onlooker.click(at.shown(), "Play again"))
    assert said == "You have no seat at this table."


async def test_an_empty_lobby_closes_by_itself(table: Seat) -> None:
    at = await table(2, lobby_minutes=1)
    await at.open(THAI)
    live = await at.bot.tables.in_channel(int(at.channel.id))
    assert live.table.deadline_kind == "lobby"
    assert live.table.deadline is not None
    assert 0 < live.table.deadline - live.table.updated_at <= 60_000
    await at.bot.tables.on_deadline(live.table)
    await at.settle()
    assert "This table is closed" in at.shown().text
    assert at.shown().buttons == []


# -- commands ------------------------------------------------------------------------------------


async def test_table_brings_the_message_down_and_the_old_buttons_point_to_it(table: Seat) -> None:
    at = await table(2)
    old = await at.start(THAI)
    await at.host.say(at.channel, "so many words")
    await at.people[1].slash(at.channel, "table")
    now = at.shown()
    assert now.id != old.id
    assert now.text == old.text
    await at.noted()
    said = await whispered(at.turn().select(old, None, old.select()["options"][0]["value"]))
    assert said.startswith("The table has moved on.")
    assert f"/{at.channel.id}/{now.id}" in said
    await at.call(at.turn())
    assert "No" not in at.standing()


async def test_commands_without_a_table_say_how_to_open_one(table: Seat) -> None:
    at = await table(1)
    said = "There is no match in this channel. `/play` opens a table."
    for name in ("challenge", "cards", "table", "forfeit", "end"):
        assert await whispered(at.host.slash(at.channel, name)) == said
    assert await whispered(at.host.slash(at.channel, "bid", hand="33")) == said
    assert await whispered(at.host.slash(at.channel, "drop", player=at.host)) == said
    assert await at.host.autocomplete(at.channel, "bid", "hand", "33") == []


async def test_commands_of_a_match_say_that_a_lobby_has_not_begun(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    said = "The match has not begun: no cards are dealt yet."
    for name in ("challenge", "cards"):
        assert await whispered(at.host.slash(at.channel, name)) == said
    assert await whispered(at.host.slash(at.channel, "bid", hand="99")) == said


async def test_forfeit_in_a_lobby_gives_up_the_seat(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await whispered(at.people[1].slash(at.channel, "forfeit"))
    await at.settle()
    assert seated(at) == ["Ann"]


async def test_only_the_host_drops_people_and_only_those_who_sit_here(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    assert "Only" in await whispered(bob.slash(at.channel, "drop", player=cleo))
    await whispered(ann.slash(at.channel, "drop", player=cleo))
    await at.settle()
    assert seated(at) == ["Ann", "Bob"]
    said = f"<@{cleo.id}> has no seat in this match."
    assert await whispered(ann.slash(at.channel, "drop", player=cleo)) == said
    await ann.click(at.shown(), "Start")
    await at.settle()
    assert await whispered(ann.slash(at.channel, "drop", player=cleo)) == said
    await whispered(ann.slash(at.channel, "drop", player=bob))
    await at.settle()
    assert f"<@{ann.id}> wins the match" in at.shown().text


async def test_the_host_ends_a_match_without_a_winner_and_its_seed_is_shown(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    assert "Only" in await whispered(at.people[1].slash(at.channel, "end"))
    await whispered(at.host.slash(at.channel, "end"))
    await at.settle()
    text = at.shown().text
    assert "ended without a winner" in text
    assert "wins" not in text
    assert "seed `" in text
    assert at.shown().buttons == []
    await at.open(LIARS)


async def test_rules_show_the_ladder_of_a_game_and_of_the_table_here(table: Seat) -> None:
    at = await table(2)
    shown = await whispered(at.host.slash(at.channel, "rules", game=THAI))
    kinds = ["High card", "Pair", "Straight", "Three of a kind", "Full house", "Flush"]
    places = [shown.index(f"**{kind}**") for kind in kinds]
    assert places == sorted(places)
    assert "Two pair" not in shown
    await at.open(LIARS)
    await choose(at, Jokers="none", Who_may_challenge="anyone, at any time")
    here = await whispered(at.people[1].slash(at.channel, "rules"))
    assert "Liars' Poker" in here
    assert "Five of a kind" not in here
    assert "Anybody but the bidder may challenge" in here


async def test_a_button_of_an_ended_table_cannot_be_pressed(table: Seat) -> None:
    at = await table(1)
    message = await at.open(THAI)
    await at.host.click(message, "Cancel")
    with pytest.raises(CannotDo):
        await at.host.click(message, "Join")
    assert await whispered(at.host.forge(message, "bh:join:1:0:0")) == "The table has moved on."

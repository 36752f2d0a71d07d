"""Lobbies by wire: who may do what, what the house chose, and what is said when it cannot be."""

from __future__ import annotations

import asyncio

from tests.bot.conftest import Seat
from tests.bot.house import choose, hands_shown, letters_too, seated, whispered

LIARS, THAI = "Liars' Poker", "Thai Poker"

# -- sitting down and getting up -----------------------------------------------------------------


async def test_whoever_joins_is_seen_at_the_table_and_gets_no_direct_message(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    assert seated(at) == ["Ann", "Bob", "Cleo"]
    assert "3 of 10" in at.shown().text
    assert "Your cards are in **My seat**." in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert [person.dm_messages() for person in at.people] == [[], [], []]


async def test_whoever_joins_is_greeted_by_direct_message_where_cards_come_so(table: Seat) -> None:
    at = await table(3)
    await letters_too(at, THAI)
    await at.open(THAI)
    assert "Your cards come by direct message too." in at.shown().text
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
    refused = f"Only <@{ann.id}>, who hosts this table, or a moderator may do that."
    assert await whispered(bob.click(at.shown(), "Start")) == refused
    shown = await at.options(bob)
    assert not {"Cancel", "House rules…", "Time and messages…"} & set(shown.buttons)
    for verb in ("cancel", "rules", "pace"):
        assert await whispered(bob.forge(shown, f"bh:{verb}:1:0:0")) == refused
    assert "3 of 10" in at.shown().text
    at.world.server("The Snug").make_moderator(cleo)
    out = await at.option(cleo, "Cancel")
    assert "This table is closed" in out.text
    await at.settle()
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
    await choose(at, Jokers="None")
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
    await choose(at, Middle_hand="One hand face down to nobody")
    assert "9 of 9" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert "20 cards in play, two of them in the middle" in at.shown().text
    await at.call(at.turn())
    await at.challenge(at.turn())
    assert len(hands_shown(at)["middle"]) == 2


async def test_a_middle_hand_cannot_be_chosen_while_ten_are_seated(table: Seat) -> None:
    at = await table(10)
    await at.open(LIARS)
    form = await at.option(at.host, "House rules…")
    said = await whispered(
        at.host.submit(form.modal, {"Middle hand": ["One hand face down to nobody"]})
    )
    assert said.startswith("With these house rules at most 9 can play, and 10 are seated.")
    assert "Middle hand" not in at.shown().text


async def test_anyone_may_challenge_if_the_house_says_so(table: Seat) -> None:
    at = await table(3)
    await at.open(LIARS)
    await choose(at, Who_may_challenge="Anyone, at any time")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    bidder = at.turn()
    await at.call(bidder)
    assert "Anybody but the caller may challenge" in at.shown().text
    assert "your own call" in await whispered(at.challenge(bidder))
    waiting = next(one for one in at.people if one not in (bidder, at.turn()))
    await at.challenge(waiting)
    await at.settle()
    assert "Showdown" in at.shown().text
    assert f"<@{waiting.id}> challenged" in at.shown().text


async def test_the_card_of_a_flush_may_have_to_be_its_highest(table: Seat) -> None:
    at = await table(2)
    await at.open(LIARS)
    await choose(at, A_flush_is_called_by="Its highest card")
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
    await choose(at, Card_limit_for_the_last_two="Seven cards")
    assert "seven cards" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    assert "▮▮▮▯▯▯▯" in at.shown().text


async def test_the_house_may_count_the_card_limit_by_who_started(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    await choose(at, The_card_limit_counts="Players who started the match")
    assert "players who started the match" in at.shown().text
    await at.host.click(at.shown(), "Start")
    await at.settle()
    live = await at.bot.tables.in_channel(int(at.channel.id))
    assert live.match is not None
    assert live.match.ruleset.card_limit(live=2, started=3) == live.match.ruleset.card_limits[3]


async def test_the_house_may_keep_odds_from_the_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    await choose(at, Odds_during_the_match="Not allowed")
    assert "Odds during the match: not allowed" in at.shown().text


async def test_house_rules_that_nobody_offered_change_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    before = at.shown().text
    form = await at.option(at.host, "House rules…")
    assert form.modal is not None
    field = {"type": 3, "id": 1, "custom_id": "two_player_limit", "values": ["99"]}
    strange = {"type": 3, "id": 2, "custom_id": "starting_cards", "values": ["5"]}
    parts = [{"type": 18, "id": 3, "component": one} for one in (field, strange)]
    await at.host.forge_submit(at.channel, form.modal.payload["custom_id"], parts, at.shown().id)
    assert at.shown().text == before


async def test_a_rules_form_sent_after_the_start_changes_nothing(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    form = await at.option(at.host, "House rules…")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    said = await whispered(
        at.host.submit(form.modal, {"Card limit for the last two": ["Seven cards"]})
    )
    assert said.startswith("The table has moved on.")
    assert "▯▯▯▯" not in at.shown().text

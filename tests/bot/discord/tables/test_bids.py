"""Bids by wire: from the list, typed, chosen in the form, by command."""

from __future__ import annotations

import re

import pytest

from tests.bot.conftest import Seat
from tests.bot.house import (
    bid_by_form,
    open_form,
    plain,
    whispered,
)

LIARS, THAI = "Liars' Poker", "Thai Poker"


async def test_a_bid_from_the_list_stands_at_once_in_the_same_message(table: Seat) -> None:
    at = await table(2)
    before = await at.start(THAI)
    bidder = at.turn()
    out = await bidder.select(before, None, "Pair of nines")
    assert out.kind == "update"
    assert at.shown().id == before.id
    assert at.standing() == "Pair of nines"
    assert f"by <@{bidder.id}>" in at.shown().text
    assert at.turn() is not bidder
    offered = [option["label"] for option in at.shown().select()["options"]]
    assert offered[0] == "Pair of tens"


@pytest.mark.parametrize(
    ("typed", "stands"),
    [("99", "Pair of nines"), ("straight a", "Big straight"), ("Pair of TENS", "Pair of tens")],
)
async def test_a_bid_is_typed_into_the_form(table: Seat, typed: str, stands: str) -> None:
    at = await table(2)
    await at.start(THAI)
    out = await bid_by_form(at, at.turn(), text=typed)
    assert out.kind == "update"
    assert at.standing() == stands


@pytest.mark.parametrize(
    ("game", "chosen", "stands"),
    [
        (THAI, {"kind": "flush", "suit": "h"}, "Heart flush ♥"),
        (THAI, {"kind": "full_house", "rank": "T", "second": "J"}, "Tens over jacks"),
        (LIARS, {"kind": "flush", "rank": "8", "suit": "c"}, "Eight high club flush ♣"),
        (
            LIARS,
            {"kind": "two_pair", "rank": "3", "second": "T"},
            "Pair of tens, pair of threes",
        ),
        (LIARS, {"kind": "pair", "rank": "3", "text": "33"}, "Pair of threes"),
    ],
)
async def test_a_bid_is_chosen_in_the_form(
    table: Seat, game: str, chosen: dict[str, str], stands: str
) -> None:
    at = await table(2)
    await at.start(game)
    out = await bid_by_form(at, at.turn(), **chosen)
    assert out.kind == "update", out.text
    assert at.standing() == stands


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "Nothing was typed or chosen"),
        ({"rank": "A"}, "Choose the hand too"),
        ({"kind": "pair"}, "Choose the rank too"),
        ({"kind": "two_pair", "rank": "3"}, "Choose the second rank too"),
        ({"kind": "full_house", "second": "J"}, "Choose the rank too"),
        ({"kind": "flush", "rank": "8"}, "Choose the suit too"),
        ({"kind": "pair", "rank": "3", "suit": "h"}, "No hand that is still higher fits"),
        ({"kind": "full_house", "rank": "J", "second": "J"}, "No hand that is still higher fits"),
        ({"kind": "pair", "text": "three sixes"}, "What you typed and what you chose are two"),
        ({"text": "pair of thres"}, 'Did you mean "pair of threes"'),
        ({"text": "a royal mess"}, "Did you mean"),
    ],
)
async def test_a_form_that_is_not_one_bid_gets_one_sentence_and_no_bid(
    table: Seat, chosen: dict[str, str], said: str
) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    text = await whispered(bid_by_form(at, person, **chosen))
    assert said in text
    assert at.turn() is person
    assert at.standing() == "No call yet"


async def test_the_form_offers_only_what_can_still_be_legal(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="four kings")
    modal = await open_form(at, at.turn())
    offered = {
        field["custom_id"]: [option["value"] for option in field["options"]]
        for field in modal.fields.values()
        if field.get("options")
    }
    assert offered["kind"] == ["four", "straight_flush", "royal_flush"]
    assert offered["rank"] == ["A"]
    assert "second" not in offered
    assert sorted(offered["suit"]) == ["c", "d", "h", "s"]


async def test_a_bid_command_completes_what_is_typed_and_bids_it(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    first = at.turn()
    await whispered(first.slash(at.channel, "bid", hand="pair of jacks"))
    await at.settle()
    assert at.standing() == "Pair of jacks"
    second = at.turn()
    offered = await second.autocomplete(at.channel, "bid", "hand", "pair")
    names = [choice["name"] for choice in offered]
    assert "pair of queens" in names
    assert "pair of tens" not in names
    assert await second.autocomplete(at.channel, "bid", "hand", "x" * 90) == []
    said = await whispered(second.slash(at.channel, "bid", hand=names[0]))
    assert said == f"Bid: **{names[0]}**."


async def test_a_typo_in_the_command_is_asked_about_and_never_played(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    person = at.turn()
    said = await whispered(person.slash(at.channel, "bid", hand="pair of acess"))
    assert 'Did you mean "pair of aces"' in said
    assert at.standing() == "No bid yet"


@pytest.mark.parametrize(
    ("standing", "says"),
    [
        ("pair of jacks", 'Did you mean "pair of queens"'),
        ("pair of aces", ' or "pair of aces" would not be higher. Bid higher.'),
        ("four aces", " would not be higher. Bid higher."),
    ],
)
async def test_what_may_have_been_meant_is_offered_only_if_it_is_higher(
    table: Seat, standing: str, says: str
) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text=standing)
    await at.settle()
    person = at.turn()
    typed = await whispered(person.slash(at.channel, "bid", hand="pair of queenss"))
    assert says in typed
    form = (await person.click(at.seat(person), "Type…")).modal
    assert form is not None
    await person.submit(form, {"text": "pair of queenss"})
    await at.settle()
    assert plain(typed) in plain(at.seat(person).text)
    named = set(re.findall('"([^"]+)"', typed.partition("Did you mean")[2]))
    assert named == {one.strip('"?') for one in at.seat(person).buttons if one.endswith('"?')}


async def test_the_top_of_the_ladder_leaves_nothing_but_to_doubt(table: Seat) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="royal flush spades")
    text = at.shown().text
    assert "nothing is higher: you must check" in text
    assert at.shown().buttons == ["Fair deal ✓", "Check bid", "My seat"]
    person = at.turn()
    said = await whispered(person.slash(at.channel, "bid", hand="99"))
    assert "is not higher than" in said
    await at.challenge(person)
    assert "Showdown" in at.shown().text


async def test_each_game_has_its_own_words(table: Seat) -> None:
    at = await table(2)
    await at.start(LIARS)
    assert {"Call…", "My seat"} <= set(at.shown().buttons)
    await at.call(at.turn())
    assert "Challenge" in at.shown().buttons
    doubter = at.turn()
    said = await whispered(doubter.slash(at.channel, "challenge"))
    assert said.startswith("Challenge!")
    await at.settle()
    assert f"<@{doubter.id}> challenged" in at.shown().text
    other = at.elsewhere(at.world.server("The Snug").add_text_channel("two"))
    await other.start(THAI)
    assert "Bid…" in other.shown().buttons
    await other.call(other.turn())
    checker = other.turn()
    await other.challenge(checker)
    assert f"<@{checker.id}> checked" in other.shown().text

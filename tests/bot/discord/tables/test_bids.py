"""Bids by wire: from the list, typed, chosen in the form, by command."""

from __future__ import annotations

import re

import pytest

from bot.discord.forms import example_of, in_letters
from bot.language.catalogues import KEYS, speaking
from bot.language.wordings import bid_text, understood
from engine.variants import VARIANTS, ruleset
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
    ("text", "said"),
    [
        (" ", "Expected "),
        ("pair", 'Did you mean "pair of twos"'),
        ("pair of thres", 'Did you mean "pair of threes"'),
        ("a royal mess", "Did you mean"),
    ],
)
async def test_a_form_that_is_not_one_bid_gets_one_sentence_and_no_bid(
    table: Seat, text: str, said: str
) -> None:
    at = await table(2)
    await at.start(LIARS)
    person = at.turn()
    told = await whispered(bid_by_form(at, person, text=text))
    assert said in told
    assert at.turn() is person
    assert at.standing() == "No call yet"


async def test_the_form_says_what_is_to_be_beaten_and_has_one_field_to_type_in(
    table: Seat,
) -> None:
    at = await table(2)
    await at.start(THAI)
    await bid_by_form(at, at.turn(), text="four kings")
    modal = await open_form(at, at.turn())
    assert list(modal.fields) == ["In words or short"]
    assert "Higher than four kings. You hold " in str(modal.payload)
    assert modal.fields["In words or short"]["placeholder"] == "heart straight flush"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("game", VARIANTS)
def test_what_the_form_shows_as_an_example_may_be_typed_as_it_stands(game: str, key: str) -> None:
    rules = ruleset(game)
    with speaking(key):
        for bid in rules.ladder:
            example, words, short = example_of(rules, bid), bid_text(rules, bid), in_letters(bid)
            assert example.startswith(words)
            assert example.endswith(f" {short}" if short else words)
            assert len(example) <= 100
            for typed in filter(None, (words, short)):
                assert understood(rules, typed) == bid


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

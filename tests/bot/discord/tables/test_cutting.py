"""Cutting the cards by wire: who may, what everybody reads, and what comes too late."""

from __future__ import annotations

import hashlib
import re

import pytest

from bot.sandbox.screen import SeenModal
from tests.bot.conftest import Seat
from tests.bot.house import FAIR, Table, cut_form, cut_with, whispered

THAI = "Thai Poker"


def digits(text: str, length: int = 64) -> list[str]:
    """Every whole seal or seed in a text, or the beginnings that a lobby shows (32)."""
    return re.findall(rf"\b[0-9a-f]{{{length}}}\b", text)


def sealed_in(form: SeenModal) -> str:
    """The seal that the form shows."""
    found = re.search(r"Sealed already, now you cut: ([0-9a-f ]+)", str(form.payload))
    assert found is not None
    return found[1].replace(" ", "")


async def between_rounds(at: Table) -> None:
    await at.start(THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())


async def test_the_seal_of_all_deals_stands_in_the_lobby_before_anybody_can_type(
    table: Seat,
) -> None:
    at = await table(2)
    out = await at.host.slash(at.channel, "play", game=THAI)
    (seal,) = digits(out.text, 32)
    assert "Cut by" not in out.text
    assert sealed_in(await cut_form(at, at.host)).startswith(seal)
    await at.people[1].click(at.shown(), "Join")
    await cut_with(at, at.host, "purple giraffe 7")
    assert digits(at.shown(at.people[1]).text, 32) == [seal]


async def test_everybody_reads_the_words_in_the_order_of_the_cuts(table: Seat) -> None:
    at = await table(3)
    await at.open(THAI)
    ann, bob, cleo = at.people
    await cut_with(at, ann, "first")
    out = await cut_with(at, bob, "*bold* `x`\u202e https://example.com")
    assert "so that nobody can have stacked the deck" in out.text  # why one does
    said = f"Cut by <@{ann.id}> `first` and <@{bob.id}> `*bold* 'x' https://example.com`"
    assert said in at.shown(cleo).text
    await cut_with(at, ann, "second thoughts")
    said = f"'x' https://example.com` and <@{ann.id}> `second thoughts`"
    assert said in at.shown(cleo).text
    assert "`first`" not in at.shown(cleo).text
    await bob.click(at.shown(), "Leave")
    assert f"Cut by <@{ann.id}> `second thoughts`" in at.shown(cleo).text


async def test_who_cuts_nothing_is_dealt_all_the_same_and_reads_how_to(table: Seat) -> None:
    at = await table(2)
    await between_rounds(at)
    said = await at.check_deal(at.host)
    assert "Nobody cut the cards. Any player may, in the lobby or here." in said
    assert "✔ Checked just now: the seed has this seal, and the seed gives the cards" in said


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("\u200b \u2060", "Nothing was typed that can be seen. Example: purple giraffe 7"),
        ("ﷺ" * 2, "That is longer than 32 characters. Example: purple giraffe 7"),
    ],
)
async def test_words_that_cannot_be_used_get_one_sentence(
    table: Seat, typed: str, told: str
) -> None:
    at = await table(2)
    await at.open(THAI)
    assert await whispered(cut_with(at, at.host, typed)) == told
    assert "Cut by" not in at.shown().text


async def test_only_those_at_the_table_cut(table: Seat) -> None:
    at = await table(3)
    out = await at.host.slash(at.channel, "play", game=THAI)
    assert out.message is not None
    await at.people[1].click(out.message, "Join")
    shown = await at.options(at.people[2])
    assert "Cut the cards…" not in shown.buttons
    said = await whispered(at.people[2].forge(shown, "bh:cut:1:0:0"))
    assert said == "You have no seat at this table."


async def test_words_between_rounds_count_from_the_next_deal_and_hurry_or_delay_nobody(
    table: Seat,
) -> None:
    at = await table(2, next_round_seconds=500.0)
    await between_rounds(at)
    due = (await at.live()).table.deadline
    ann, bob = at.people
    form = await cut_form(at, bob)
    coming = sealed_in(form)
    (_, shown) = digits(await at.check_deal(bob))
    assert coming == shown  # the next seal is the seed that has just been shown
    out = await bob.submit(form, {"text": "between rounds"})
    cut = f"The next deal is cut by <@{bob.id}> `between rounds`"
    assert cut in out.text
    assert cut in await at.check_deal(ann)
    assert (await at.live()).table.deadline == due
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    said = await at.check_deal(ann)
    assert "The next deal is cut" not in said
    assert f"1. <@{bob.id}> `between rounds`" in said
    (seal, first) = digits(said)
    assert hashlib.sha256(bytes.fromhex(seal)).hexdigest() == first
    assert "hash this seal 1 time, and you have it" in said


async def test_words_that_come_after_the_deal_count_for_the_next(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    ann, bob = at.people
    form = await cut_form(at, bob)
    await ann.click(at.shown(), "Start")
    await at.settle()
    drawn = at.shown().id
    said = await whispered(bob.submit(form, {"text": "too late"}))
    assert said == ("Round 1 was dealt before your words came. They count from round 2 on.")
    assert "The next deal is cut by" in await at.check_deal(ann)
    assert at.shown().id == drawn
    await at.call(at.turn())  # what stood on the screen is as good as before
    await at.challenge(at.turn())
    assert "Nobody cut" in await at.check_deal(ann)
    await at.host.click(at.shown(), "Next round")
    await at.settle()
    assert f"1. <@{bob.id}> `too late`" in await at.check_deal(ann)


async def test_who_is_out_of_the_match_cuts_no_more(table: Seat) -> None:
    at = await table(3)
    await at.start(THAI)
    leaving = at.turn()
    await at.forfeit(leaving)
    await at.call(at.turn())
    await at.challenge(at.turn())
    out = await (await leaving.click(at.shown(), FAIR)).settled()
    assert out.message is not None
    assert out.message.buttons == []
    live = await at.live()
    forged = f"bh:cut:{live.table.id}:{live.table.match_id}:1"
    said = await whispered(leaving.forge(out.message, forged))
    assert said == "You are out of this match."


async def test_another_match_has_another_seal_and_no_cuts(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    (before,) = digits(at.shown().text, 32)
    await cut_with(at, at.host, "only for this match")
    await at.host.click(at.shown(), "Start")
    await at.settle()
    await at.forfeit(at.people[1])
    live = await at.bot.tables.see((await at.live()).table.id)
    assert (live.table.chain_root, live.table.cuts) == (None, ())
    fair = await (await at.host.click(at.shown(), FAIR)).settled()
    assert fair.message is not None
    assert fair.message.buttons == []
    await at.host.click(at.shown(), "Play again")
    await at.settle()
    (after,) = digits(at.shown().text, 32)
    assert after != before
    assert "Cut by" not in at.shown().text

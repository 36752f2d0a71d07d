"""When a match is over: its story in the message, the whole of it behind a button."""

from __future__ import annotations

from tests.bot.conftest import Seat
from tests.bot.house import Table, bid_by_form

THAI = "Thai Poker"


async def played_out(at: Table) -> None:
    """A match in which somebody always bids what is false, and is caught in the end."""
    await at.start(THAI)
    while "wins the match" not in at.shown().text:
        await bid_by_form(at, at.turn(), text="royal flush clubs")
        await bid_by_form(at, at.turn(), text="royal flush spades")
        await at.challenge(at.turn())
        await at.settle()
        if "Next round" in at.shown().buttons:
            await at.host.click(at.shown(), "Next round")
            await at.settle()


async def test_the_winners_message_tells_the_boldest_bluff_and_the_best_catch(table: Seat) -> None:
    at = await table(2)
    await played_out(at)
    text = at.shown().text
    assert "**Boldest bluff:**" in text
    assert "which nobody checked" in text
    assert "**Best catch:**" in text
    assert at.shown().buttons == ["Play again", "Whole match", "Check this deal"]


async def test_the_whole_match_is_a_strip_of_its_rounds_for_who_asks(table: Seat) -> None:
    at = await table(2)
    await played_out(at)
    out = await (await at.people[1].click(at.shown(), "Whole match")).settled()
    assert out.message is not None
    assert out.message.ephemeral
    assert "the whole match" in out.text
    assert len(out.message.attachments) == 1
    assert all(person.name in out.text for person in at.people), "the picture in words"

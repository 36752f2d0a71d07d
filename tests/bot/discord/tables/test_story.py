"""When a match is over: its story in the message, the whole of it behind a button."""

from __future__ import annotations

from bot.sandbox.driver import Person
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
    assert "in round" in text
    assert "**Best catch:**" in text
    assert at.shown().buttons == ["Fair deal ✓", "Play again", "Replay"]
    showdown, strip = at.shown().attachments
    kinds = [one["filename"].split("-")[0] for one in (showdown, strip)]
    assert kinds == ["showdown", "strip"]
    assert "Ann (wins): " in text or "Bob (wins): " in text, "the strip in words"


async def test_the_end_of_a_match_stays_when_it_is_played_again(table: Seat) -> None:
    at = await table(2)
    await played_out(at)
    ann, bob = at.people
    ended = at.shown()
    await bob.click(ended, "Play again")
    await at.settle()
    for _ in range(2):  # in the lobby, and when the next match is under way
        stays = await ann.current(ended)
        assert "**Boldest bluff:**" in stays.text
        assert "**Best catch:**" in stays.text
        kinds = [one["filename"].split("-")[0] for one in stays.attachments]
        assert kinds == ["showdown", "strip"]
        assert stays.buttons == ["Fair deal ✓", "Replay"]
        replay = await (await ann.click(stays, "Replay")).settled()
        assert "Round 1" in replay.text
        assert "Checked just now: the seed has this seal" in await at.check_deal(ann, stays)
        if "I'm in" in at.shown().buttons:
            await ann.click(at.shown(), "I'm in")
            await at.settle()
    assert "Round 1" in at.shown().text


async def test_where_the_strip_does_not_fit_it_is_behind_a_button_for_who_asks(
    table: Seat,
) -> None:
    at = await table(7)
    await at.start(THAI)
    for person in at.people[2:]:
        await at.forfeit(person)
    await at.forfeit(at.people[0])
    assert at.shown().buttons == ["Fair deal ✓", "Play again", "Whole match", "Replay"]
    assert len(at.shown().attachments) == 1
    out = await (await at.people[1].click(at.shown(), "Whole match")).settled()
    assert out.message is not None
    assert out.message.ephemeral
    assert "the whole match" in out.text
    assert len(out.message.attachments) == 1
    assert all(person.name in out.text for person in at.people), "the picture in words"


async def test_the_evenings_score_counts_the_matches_of_this_channel(table: Seat) -> None:
    at = await table(3)
    ann, bob, cleo = at.people
    await won_by(at, ann)
    assert "This evening" not in at.shown().text  # of one match there is nothing to count
    there = at.elsewhere(at.world.server("The Snug").add_text_channel("high-stakes"))
    await won_by(there, cleo)
    assert "This evening" not in there.shown().text
    await won_by(at, bob)
    first = at.shown()
    score = f"**This evening**, 2 matches: <@{bob.id}>\u00a01 · <@{ann.id}>\u00a01"
    assert score in first.text
    await won_by(at, bob)
    score = f"**This evening**, 3 matches: <@{bob.id}>\u00a02 · <@{ann.id}>\u00a01"
    assert score in at.shown().text
    assert "3 matches" not in (await ann.current(first)).text


async def won_by(at: Table, winner: Person) -> None:
    """A match that everybody else leaves."""
    if "Play again" in [label for one in at.public() for label in one.buttons]:
        await winner.click(at.shown(), "Play again")
        await at.settle()
        for person in at.people:
            if person is not winner:
                await person.click(at.shown(), "I'm in")
        await at.settle()
    else:
        await at.start(THAI)
    for person in at.people:
        if person is not winner:
            await at.forfeit(person)
    await at.settle()

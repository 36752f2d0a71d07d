"""My mistakes: asked of one's own latest matches, answered once, asked again days later."""

from __future__ import annotations

from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.house import Table, whispered

GAME = "Thai Poker"


def newest(at: Table, person: Person) -> SeenMessage:
    """Their lowest private message with something to press."""
    return [one for one in person.visible(at.channel) if one.ephemeral and one.components][-1]


async def a_match(at: Table) -> Person:
    """A match in which whoever opens bids four aces, and loses by it; who that was."""
    await at.start(GAME)
    opener = at.turn()  # of every round, as whoever loses one opens the next
    while "wins the match" not in at.shown().text:
        if "Next round" in at.shown().buttons:
            await at.host.click(at.shown(), "Next round")
            await at.settle()
            continue
        await opener.slash(at.channel, "bid", hand="four aces")
        await at.settle()
        await at.challenge(at.turn())
    return opener


async def asked(at: Table, person: Person) -> SeenMessage:
    """What is asked of somebody, by the button below their matches."""
    await person.slash(at.channel, "history")
    await (await person.click(newest(at, person), "My mistakes")).settled()
    return newest(at, person)


async def test_a_costly_decision_is_asked_as_the_seat_was_and_again_days_later(
    table: Seat,
) -> None:
    at = await table(2)
    person = await a_match(at)
    question = await asked(at, person)
    assert "What would you do?" in question.text
    assert "**Your turn:** any bid." in question.text
    assert "four aces" not in question.text.partition("**Your turn:**")[0]
    candidates = question.buttons
    assert 2 <= len(candidates) <= 4
    assert "Rules" not in candidates
    assert "Four aces" in candidates
    (other,) = (one for one in at.people if one is not person)

    answered = await (await person.click(question, "Four aces")).settled()
    assert answered.message is not None
    said = answered.message.text
    assert "**Not quite:**" in said
    assert "Four aces: " in said
    assert "as you played" in said
    assert "You opened with **four aces**." in said
    assert "It cost **" in said
    assert "It is asked again <t:" in said
    for name in (person.name, other.name):
        assert name in said  # what everybody held
    forged = next(one for one in question.components if one.get("label") == "Four aces")
    assert "moved on" in await whispered(person.forge(question, forged["custom_id"]))
    assert "moved on" in await whispered(other.forge(newest(at, other), forged["custom_id"]))

    await (await person.click(answered.message, "Next one")).settled()
    following = newest(at, person)
    assert following.text != question.text


async def test_nobody_is_asked_of_a_match_that_they_have_not_played(table: Seat) -> None:
    at = await table(3)
    await at.people[2].slash(at.channel, "history")
    await at.people[2].slash(at.channel, "practice", game=GAME)
    forged = at.people[2].forge(newest(at, at.people[2]), "bh:mistakes:0:0:0")
    out = await (await forged).settled()
    assert out.message is not None
    assert "No decision of your latest matches cost you ten points" in out.message.text
    guess = at.people[2].forge(newest(at, at.people[2]), "bh:mguess:1:1:3:doubt")
    assert "moved on" in await whispered(guess)

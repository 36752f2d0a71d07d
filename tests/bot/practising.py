"""Begin a practice as a new player, who sees the how-to-play example first."""

from __future__ import annotations

from bot.sandbox.driver import Person, Place
from bot.sandbox.screen import SeenMessage

LED_ON = ("Next", "Challenge", "Show the cards", "Practice now")


def newest(person: Person, place: Place) -> SeenMessage:
    """Return the person's lowest private message with components."""
    return [
        message for message in person.visible(place) if message.ephemeral and message.components
    ][-1]


async def practise(person: Person, place: Place, game: str, **options: str) -> SeenMessage:
    """Start a practice, going through the example if it is shown; return the practice's message."""
    await (await person.slash(place, "practice", game=game, **options)).settle()
    return await press_through_example(person, place)


async def press_through_example(person: Person, place: Place) -> SeenMessage:
    """Press through the how-to-play example if it is shown; return the message after it."""
    while " of 4**" in (seat := newest(person, place)).text:
        (label,) = [label for label in LED_ON if label in seat.buttons]
        await (await person.click(seat, label)).settle()
    return seat

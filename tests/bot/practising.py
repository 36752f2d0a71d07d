"""Begin a practice as a person who has never played: through the how-to-play example."""

from __future__ import annotations

from bot.sandbox.driver import Person, Place
from bot.sandbox.screen import SeenMessage

LED_ON = ("Next", "Challenge", "Show the cards", "Practice now")


def newest(person: Person, place: Place) -> SeenMessage:
    """Their lowest private message with something to press."""
    return [
        message for message in person.visible(place) if message.ephemeral and message.components
    ][-1]


async def practise(person: Person, place: Place, game: str, **options: str) -> SeenMessage:
    """`/practice`, and the example before it if it is shown; what then stands on the screen."""
    await (await person.slash(place, "practice", game=game, **options)).settle()
    return await led_through(person, place)


async def led_through(person: Person, place: Place) -> SeenMessage:
    """The example pressed through, if it is what is on the screen."""
    while " of 4**" in (seat := newest(person, place)).text:
        (label,) = [label for label in LED_ON if label in seat.buttons]
        await (await person.click(seat, label)).settle()
    return seat

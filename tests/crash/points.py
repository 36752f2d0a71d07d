"""The named points at which the bot is killed.

A point's `where` says what the bot is doing at that moment:

- play: a match is on; the point is passed as people play or as deadlines fire
- start: the bot comes up with live tables
- stop: SIGTERM was sent

`most`: the bot is killed at one of the first `most` passings, chosen at random. No point is
while a database is made or migrated: `tests.powerloss` covers the files such kills leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

RANDOM: Final = {"play": 11, "start": 5, "stop": 4}  # where kills at random moments come, by weight


@dataclass(frozen=True, slots=True)
class Point:
    """A moment in the bot's work, by name."""

    name: str
    where: str
    meaning: str
    most: int = 3

    @property
    def by_time(self) -> bool:
        """Whether the point is passed only at tables where players let their time run out."""
        return self.name.partition(".")[0] in BY_TIME


POINTS: Final = tuple(
    Point(*facts)
    for facts in (
        ("move.planned", "play", "a press was judged, its transaction has not begun"),
        ("move.before-commit", "play", "inside the transaction of a press, before its commit"),
        ("move.after-commit", "play", "a press is committed, nobody has been answered", 6),
        ("move.after-answer", "play", "a press is answered, nobody else has been shown", 6),
        ("open.before-commit", "play", "inside the transaction that opens a table", 1),
        ("open.after-commit", "play", "a table is stored, `/play` is not answered", 1),
        ("deal.before-commit", "play", "inside the transaction of a deal, whoever asked for it"),
        ("deal.after-commit", "play", "a deal is committed, nobody has been shown"),
        ("end.before-commit", "play", "inside the transaction of a match's end, records too", 1),
        ("end.after-commit", "play", "a match's end is committed, nobody has been shown", 1),
        ("message.before-post", "play", "a table's new message is drawn, not posted"),
        ("message.posted", "play", "a table's message is posted, nothing is folded or stored"),
        ("message.noted", "play", "its id is stored, what is to come after it is not done"),
        ("letter.before-send", "play", "hole cards are due by direct message, not sent", 6),
        ("letter.sent", "play", "a direct message with hole cards is sent, not noted", 6),
        ("letter.noted", "play", "a sent direct message is noted, others are not sent", 6),
        ("reminder.posted", "play", "a reminder is posted, its id is not stored", 2),
        ("reminder.noted", "play", "a reminder's id is stored", 2),
        ("nudge.before-commit", "play", "a reminder is due, inside its transaction", 2),
        ("nudge.after-commit", "play", "a reminder is committed, not posted", 2),
        ("turn.before-commit", "play", "a turn's time is over, inside the transaction", 2),
        ("turn.after-commit", "play", "a turn's time is over, committed, not shown", 2),
        ("house.before-commit", "play", "the bot plays for who is away, in the transaction", 1),
        ("house.after-commit", "play", "the bot has played for somebody away, not shown", 1),
        ("forfeit.before-commit", "play", "who is out of time is out, in the transaction", 1),
        ("forfeit.after-commit", "play", "somebody out of time is out, committed, not shown", 1),
        ("next.before-commit", "play", "the next round deals itself, in the transaction", 2),
        ("next.after-commit", "play", "the next round has dealt itself, not shown", 2),
        ("start.locked", "start", "the lock on the database is taken", 1),
        ("start.opened", "start", "the database is opened and looked through", 1),
        ("start.granting", "start", "no table has been given its time", 1),
        ("start.granted", "start", "every table has its time, that is committed", 1),
        ("start.resuming", "start", "table k of n is to be shown again", 6),
        ("start.resumed", "start", "table k of n is shown again", 4),
        ("start.serving", "start", "deadlines are not served yet, no table is shown", 1),
        ("stop.begun", "stop", "SIGTERM has come, nothing is closed", 1),
        ("stop.draining", "stop", "nobody new is served, who is served is waited for", 1),
        ("stop.leaving", "stop", "everything is shown, Discord is not left", 1),
        ("stop.closing", "stop", "Discord is left, the database is not closed", 1),
        ("stop.closed", "stop", "the database is closed, the lock is held", 1),
    )
)  # fmt: skip
# the first words of points passed only where somebody lets their time run out
BY_TIME: Final = frozenset({"nudge", "turn", "house", "forfeit", "next", "reminder"})
BY_NAME: Final = {point.name: point for point in POINTS}


@dataclass(frozen=True)
class Kill:
    """A kill when `point` is reached for the `passing`-th time.

    Without a point, the kill is at a random moment of the phase `where`.
    """

    point: str | None = None
    passing: int = 1
    where: str = "play"


def plan_kills(number: int, chance: Random, points: Sequence[str] = ()) -> list[Kill]:
    """Return `number` kills in random order, all of them at `points` if any are named.

    Each point occurs at least once if `number` allows. Without `points`, about half of the
    remaining kills are at random moments.
    """
    names = list(points) if points else list(BY_NAME)
    chosen: list[str | None] = list(names if number >= len(names) else chance.sample(names, number))
    while len(chosen) < number:
        chosen.append(chance.choice(names) if points or chance.random() < 0.5 else None)
    kills = []
    for name in chosen:
        if name is None:
            (where,) = chance.choices(list(RANDOM), list(RANDOM.values()))
            kills.append(Kill(where=where))
        else:
            kills.append(Kill(name, chance.randint(1, BY_NAME[name].most)))
    chance.shuffle(kills)
    return kills

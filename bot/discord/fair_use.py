"""Limit how often people ask questions. Moves don't count as questions.

A command or press counts as a question of one kind, or not at all. A person who asks more
questions of a kind than allowed is told when to try again. Pictures of answers are drawn
separately, so they delay no match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

from bot.discord import picture_job
from bot.operations.fair_use import MINUTE, TokenBucket
from bot.settings import schema
from bot.tables.errors import TooOften

ODDS: Final = "odds"
POST: Final = "post"
LOOK: Final = "look"
KEYSTROKE: Final = "keystroke"
KEYSTROKES_PER_MINUTE: Final = 300
COMMANDS: Final[Mapping[str, str]] = {
    "odds": ODDS,
    "Odds": ODDS,  # in the menu of a message
    "table": POST,
    "stats": POST,
    "matches": LOOK,
    "preferences": LOOK,
    "turns": LOOK,
    "night": LOOK,
    "help": LOOK,
}
# help topics whose command has another name
TOPICS: Final = {"records": "stats", "history": "matches"}

HELP: Final = "help"  # runs the command of the chosen topic
SHARE: Final = "dshare"  # posts a result of a deal of the day for all to see


class FairUse:
    """Limits how often each person may ask, by kind of question.

    `looks`: the verbs of the buttons that only read or compute something.
    """

    def __init__(
        self,
        chosen: schema.FairUseSettings,
        looks: frozenset[str],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._looks = looks
        self._kinds = {
            ODDS: TokenBucket(chosen.odds_per_minute, MINUTE, clock),
            POST: TokenBucket(chosen.posts_per_minute, MINUTE, clock),
            LOOK: TokenBucket(chosen.looks_per_minute, MINUTE, clock),
            KEYSTROKE: TokenBucket(KEYSTROKES_PER_MINUTE, MINUTE, clock),
        }

    def command(self, person: int, name: str) -> None:
        """Count a command if it asks a question.

        Raises `TooOften` if the person's share is used up.
        """
        kind = COMMANDS.get(name)
        if kind is not None:
            self._take(person, kind)

    def press(self, person: int, verb: str, choice: str) -> None:
        """Count a press if it asks a question, but not a press under an answer of /odds.

        Raises `TooOften` if the person's share is used up.
        """
        if verb == SHARE or (verb == HELP and COMMANDS.get(TOPICS.get(choice, choice)) == POST):
            self._take(person, POST)
        elif verb in self._looks:
            self._take(person, LOOK)

    def odds(self, person: int) -> None:
        """Count a press of a button under an answer of /odds.

        Raises `TooOften` if the person's share is used up.
        """
        self._take(person, ODDS)

    def suggests(self, person: int) -> bool:
        """Count a keystroke; return whether to look up suggestions for it."""
        return not self._kinds[KEYSTROKE].take(person)

    def _take(self, person: int, kind: str) -> None:
        wait = self._kinds[kind].take(person)
        if wait:
            raise TooOften(wait)
        picture_job.draw_apart()

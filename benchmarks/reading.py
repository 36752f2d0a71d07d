"""Read a table's message as a person does: whose turn it is, the round, the cards shown.

The tests use this too, since they also play by what is on the screen.
"""

from __future__ import annotations

import re
from typing import Final

TURN: Final = re.compile(r"<@(\d+)>[^\n]* \*\*to act\*\*")  # group 1: the id of the player in turn
ROUND: Final = re.compile(r"Round \d+\b")
NATURAL: Final = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]")  # a card that is no joker
CARD: Final = re.compile(rf"{NATURAL.pattern}|★")
OWN_CARDS: Final = "You hold it"  # in the question before a challenge that is sure to lose
ANYWAY: Final = "Yes"  # the button that confirms such a challenge
CLAIM: Final = re.compile(r"^.*(?:True if|Potrzeba) .*$", re.MULTILINE)  # explains a bid
HAND: Final = re.compile(r"^# (.+)$", re.MULTILINE)  # the player's own cards, large
# every current message of a table has one of these buttons; a record of a past round has none
LIVE: Final = frozenset({"Join", "My seat", "Next round"})


def cards_seen(text: str) -> frozenset[str]:
    """Return the cards shown in a message, except jokers and the cards that a bid claims."""
    return frozenset(NATURAL.findall(CLAIM.sub("", text)))

"""What a person reads off a table's message: who is to act, which round it is, which cards show.

Shared with the tests, which play by what is on the screen too.
"""

from __future__ import annotations

import re
from typing import Final

TURN: Final = re.compile(r"<@(\d+)>[^\n]* \*\*to act\*\*")  # who is to act
ROUND: Final = re.compile(r"Round \d+\b")
NATURAL: Final = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]")  # a card that is no joker
CARD: Final = re.compile(rf"{NATURAL.pattern}|★")
OWN_CARDS: Final = "You hold it"  # asks before a challenge that is sure to lose
ANYWAY: Final = "Yes"  # the button that is pressed then
CLAIM: Final = re.compile(r"^.*(?:True if|Potrzeba) .*$", re.MULTILINE)  # what a bid says
HAND: Final = re.compile(r"^# (.+)$", re.MULTILINE)  # one's own cards, large
# one of these buttons is on every message of a table that is no record of what was
LIVE: Final = frozenset({"Join", "My seat", "Next round"})


def cards_seen(text: str) -> frozenset[str]:
    """The cards that can be read, but for jokers, and for those that a bid claims."""
    return frozenset(NATURAL.findall(CLAIM.sub("", text)))

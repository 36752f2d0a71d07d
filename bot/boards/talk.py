"""Remarks that computer players sometimes make, shown with their move and in the table's message.

Whether they say something, and what, is drawn from public facts: the deal's seal, the number of
bids, the occasion and the speaker. A remark is never about cards and reveals nothing about a
decision.
"""

from __future__ import annotations

import hashlib
from typing import Final, Literal

from bot.language.catalogues import tr
from bot.language.words import mention
from bot.roster import computer, is_computer
from bot.tables.model import Table
from bot.tables.table_options import TALK, chosen

Occasion = Literal["bids", "doubts", "wins"]
ONE_IN: Final[dict[Occasion, int]] = {"bids": 5, "doubts": 3, "wins": 1}

LINES: Final[dict[str, dict[Occasion, tuple[str, ...]]]] = {
    "careful": {
        "bids": (
            "I would rather be dull than sorry.",
            "One step at a time.",
            "I have counted twice.",
            "Slow and steady, as my aunt used to say.",
            "No hurry on my account.",
            "I do like a quiet round.",
            "This seems reasonable to me.",
            "Let us not get carried away.",
            "I shall leave the heroics to you.",
            "A modest step, if I may.",
        ),
        "doubts": (
            "Forgive me, but I should like to see that.",
            "The sums don't add up for me.",
            "I mean no offence.",
            "Somebody has to ask.",
            "I was brought up to check.",
            "That is further than I go.",
            "Shall we have a look, then?",
            "I would be glad to be wrong.",
            "My pencil says no.",
            "Better to know than to wonder.",
        ),
        "wins": (
            "Well! Who would have thought it?",
            "Patience, that is all it is.",
            "You were all very kind.",
            "I shall write this in my diary.",
            "A nice, orderly match.",
        ),
    },
    "sly": {
        "bids": (
            "Make of that what you like.",
            "You don't have to believe me.",
            "Who, me?",
            "I'm only saying what people say.",
            "Interesting, isn't it?",
            "Nothing to see here.",
            "Study my face as long as you like.",
            "It could mean anything.",
            "Watch the others, not me.",
            "I was told never to explain.",
        ),
        "doubts": (
            "Something here smells of fresh paint.",
            "I know that trick. I sold it to you.",
            "Careful, your ears are moving.",
            "Oh, I don't think so.",
            "A pretty story.",
            "Let's lift the curtain.",
            "You blinked.",
            "Now say that with cards.",
            "I've told better ones.",
            "Now it gets interesting.",
        ),
        "wins": (
            "You never saw me, I hope.",
            "I was here the whole time.",
            "Do not ask how.",
            "Purely by accident, of course.",
            "Let's keep this between us.",
        ),
    },
    "sharp": {
        "bids": (
            "Correct, I believe.",
            "Your move.",
            "It follows.",
            "Obviously.",
            "This is the line.",
            "I see no reason to wait.",
            "Next.",
            "I do what the numbers say.",
            "An elegant position.",
            "Proceed.",
        ),
        "doubts": (
            "The odds disagree.",
            "Show, please.",
            "That was one step too far.",
            "I don't buy it.",
            "Let's verify that.",
            "A mistake, I suspect.",
            "Proof, if you would.",
            "This is where it ends.",
            "Unlikely. Let's see.",
            "I'd bet on it. In fact, I just did.",
        ),
        "wins": (
            "As expected.",
            "A clean result.",
            "You played well. I played better.",
            "Quod erat demonstrandum.",
            "Thank you for the data.",
        ),
    },
    "wild": {
        "bids": (
            "Up we go!",
            "Why stop now?",
            "Wheee!",
            "Sounds about right!",
            "Hold my hat, somebody.",
            "Bigger is better.",
            "I closed my eyes and pointed.",
            "Faster, please!",
            "Who needs maths?",
            "Here goes nothing. Or everything!",
        ),
        "doubts": (
            "Ha! Got you! Maybe!",
            "Boom!",
            "I just want to see the cards.",
            "No way. No way!",
            "I couldn't sit still any longer!",
            "Let's have some fireworks!",
            "Cards up, everyone!",
            "I had to press something.",
            "You're worse than I am!",
            "It tickled, so I said stop.",
        ),
        "wins": (
            "I WON? I won!",
            "Again! Again!",
            "Did anybody film that?",
            "Chaos is a ladder!",
            "Drinks are on the house!",
        ),
    },
}


def remark(table: Table, player: int, occasion: Occasion, seal: str, bids: int) -> str:
    """Return a computer player's remark as a quotation, after the player's name.

    Empty if the player says nothing, is a person, or the table's remarks are off. `seal` is the
    round's commitment, `bids` the number of bids in the round.
    """
    if not is_computer(player) or chosen(table, TALK) != "on":
        return ""
    lines = LINES[computer(player).character][occasion]
    known = f"{seal} {bids} {player} {occasion}".encode()
    drawn = int.from_bytes(hashlib.blake2b(known, digest_size=8).digest())
    if drawn % ONE_IN[occasion]:
        return ""
    line = tr(lines[drawn // ONE_IN[occasion] % len(lines)])
    return f"> {mention(player)}: *{line}*"

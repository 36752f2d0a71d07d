"""Define custom ids, which say what a button, list or form does.

    bh:<verb>:<table>:<match>:<seq>[:<choice>][~<opened>]
                                        a control or a form of a table, for the state it shows; a
                                        form's id ends with a mark of each value shown at first
    bh:ranks:<question>                 under an answer of /odds: the hands made; `odds.questions`
    bh:grid:<question>                  under an answer of /odds: the odds after each next card
    bh:hands:<question>                 under an answer of /odds: the odds against each hand
    bh:hits:<question>                  under an answer of /odds: what ranges made of the board
    bh:curve:<question>                 under an answer of /odds: the equity curve
    bh:ask:<question>                   under an ambiguous question: one of its meanings
    bh:bids:<question>                  under an ambiguous question about bids: one of its meanings
    bh:pay:<pay tables>                 under the house edge of Three Card Poker: other tables
    bh:counts:<question>                under an answer about bids: the numbers of deals behind it
    bh:stop:<person>:<interaction>      under a question in progress: cancel it

The bot stores nothing about a control, so a control works after a restart, for as long as Discord
shows the message. Phones reopen a form with the values that they first saw under its id. So the id
changes with the values: it ends with a short digest of each (`mark`). A submitted value was changed
if its digest isn't in the id.
Ids of earlier versions still work: `bhf:` were forms of tables, `bho:` buttons of /odds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from bot.boards.board import Address

MOST: Final = 100  # characters of a custom id
RANKS: Final = "ranks"
GRID: Final = "grid"
HANDS: Final = "hands"
HITS: Final = "hits"
CURVE: Final = "curve"
ASK: Final = "ask"
BIDS: Final = "bids"
COUNTS: Final = "counts"
PAY: Final = "pay"
STOP: Final = "stop"
_EARLIER_VERBS: Final = {"cancel": STOP}
_OF_TABLE: Final = re.compile(
    r"bhf?:(?P<verb>[a-z]{1,16}):(?P<table>\d{1,15}):(?P<match>\d{1,15}):(?P<seq>\d{1,9})"
    r"(?::(?P<choice>[\w=.,:]{1,32}))?(?:~(?P<opened>(?:[0-9a-f]{6}){1,5}))?",
    re.ASCII,
)
_OF_ODDS: Final = re.compile(
    rf"bh:(?P<verb>{RANKS}|{GRID}|{HANDS}|{HITS}|{CURVE}|{ASK}|{BIDS}|{COUNTS}|{PAY}|{STOP})"
    r":(?P<about>.+)"
    r"|bho:(?P<earlier>ranks|cancel):(?P<then>.+)"
)


@dataclass(frozen=True, slots=True)
class OfTable:
    """The parsed custom id of a table's control or form."""

    verb: str
    address: Address
    choice: str = ""
    opened: frozenset[str] = frozenset()  # the marks of a form's values


@dataclass(frozen=True, slots=True)
class OfOdds:
    """The parsed custom id of a button under an answer of /odds.

    `verb`: one in the module's list. `about`: the rest of the id.
    """

    verb: str
    about: str


def of_table(verb: str, address: Address, choice: str = "") -> str:
    """Return the custom id of a control or form; `choice` tells controls of one verb apart."""
    about = f"bh:{verb}:{address.table}:{address.match}:{address.seq}"
    return f"{about}:{choice}" if choice else about


def of_form(custom_id: str, values: Iterable[tuple[str, str]]) -> str:
    """Return `custom_id` with the `mark` of each initial value, given as (field key, value)."""
    marks = "".join(mark(key, value) for key, value in values)
    return f"{custom_id}~{marks}" if marks else custom_id


def mark(key: str, value: str) -> str:
    """Return six hexadecimal digits that distinguish a form field's value from other values."""
    return f"{crc32(f'{key}={value}'.encode()) & 0xFFFFFF:06x}"


def of_odds(verb: str, about: str) -> str | None:
    """Return the custom id of a button of /odds; None if that would be too long."""
    text = f"bh:{verb}:{about}"
    return text if len(text) <= MOST else None


def read(text: str | None) -> OfTable | OfOdds | None:
    """Parse a custom id; return None if it is malformed or not the bot's."""
    if text is None:
        return None
    if parsed := _OF_TABLE.fullmatch(text):
        address = Address(int(parsed["table"]), int(parsed["match"]), int(parsed["seq"]))
        marks = parsed["opened"] or ""
        opened = frozenset(marks[at : at + 6] for at in range(0, len(marks), 6))
        return OfTable(parsed["verb"], address, parsed["choice"] or "", opened)
    if parsed := _OF_ODDS.fullmatch(text):
        if parsed["verb"]:
            return OfOdds(parsed["verb"], parsed["about"])
        return OfOdds(_EARLIER_VERBS.get(parsed["earlier"], parsed["earlier"]), parsed["then"])
    return None

"""Read a hand in the PHH format (poker hand history): the cards that are known, and the board.

PHH is TOML: `variant` names the game, `actions` lists what the dealer and the players did, such as
"d dh p1 AcKc", "d db 9h5h2c", "p2 f" and "p1 sm AcKc". A file of several hands has a table for
each, `[1]`. Bets and stacks aren't needed, so they're not read.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import Reason, TextError
from engine.patterns import compile_later

PHH_EXAMPLE: Final = (
    "variant = \"NT\" and actions = ['d dh p1 AcKc', 'd dh p2 QhQd', 'd db 9h5h2c', 'p1 sm AcKc']"
)
GAMES: Final = {
    "FT": "holdem",
    "NT": "holdem",
    "NS": "shortdeck",
    "PO": "omaha",
    "FO/8": "omaha8",
}
_BEGIN: Final = compile_later(r"^\s*variant\s*=\s*[\"']", re.MULTILINE)
_TABLE: Final = compile_later(r"^[^\S\n]*\[[^\S\n]*\"?(?P<number>\d+)\"?[^\S\n]*\]", re.MULTILINE)
_FENCED: Final = compile_later(r"```(?:toml|phh)?\n?(.*?)```", re.DOTALL)
_DEALT: Final = compile_later(r"d\s+dh\s+(p\d+)\s+(\S+)")
_BOARD: Final = compile_later(r"d\s+db\s+(\S+)")
_SHOWN: Final = compile_later(r"(p\d+)\s+sm\s+(\S+)")
_FOLDED: Final = compile_later(r"(p\d+)\s+f")
_OTHER: Final = compile_later(r"(?:p\d+\s+(?:pb|cc|cbr\s+\S+|sm|sd(?:\s+\S+)?))?")
_UNKNOWN: Final = "?"
_NUMBER: Final = compile_later(r"\d{1,20}", re.ASCII)
_MOST_SHOWN: Final = 40  # characters of a text that a refusal repeats


@dataclass(slots=True)
class PlayedHand:
    """A hand from a PHH file.

    `game` is a key of `PRESETS`. `cards` has each player's cards as one text ("AcKc", "??" for an
    unknown card), by name. A player without a name is "p1" and so on.
    """

    number: str
    game: str
    cards: dict[str, str] = field(default_factory=dict)
    board: list[str] = field(default_factory=list)
    folded: set[str] = field(default_factory=set)


def has_phh(text: str) -> bool:
    """Return whether a text has a hand in the PHH format."""
    return _BEGIN.search(text) is not None


def split_phh(text: str) -> list[str]:
    """Return the hands in a text, each with the heading of its table."""
    text = next((block for block in _FENCED.findall(text) if has_phh(block)), text)
    begins = [match.start() for match in _TABLE.finditer(text)]
    if not begins:
        return [text]
    return [text[at:end] for at, end in zip(begins, [*begins[1:], len(text)], strict=True)]


def parse_phh(text: str) -> PlayedHand:
    """Return what is known of the first hand in a text.

    Raises `TextError` if the text isn't TOML or has no list of actions, or for an unsupported game
    or an unknown action.
    """
    (text, *_) = split_phh(text)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):  # ValueError also for a number with too many digits
        raise _refusal(Reason("that isn't TOML, which a PHH file is")) from None
    number = "1"
    if "variant" not in document:
        tables = [(name, table) for name, table in document.items() if isinstance(table, dict)]
        number, document = tables[0] if tables else (number, document)
    number = _number_of(document.get("hand")) or _number_of(number) or "1"
    hand = PlayedHand(number, _game_of(document.get("variant")))
    names = _names_of(document.get("players"))
    for action in _actions_of(document.get("actions")):
        _take(action, hand, names)
    return hand


def _number_of(typed: Any) -> str:
    """Return a hand's number as text; "" for anything but a whole number of at most 20 digits."""
    text = str(typed) if isinstance(typed, int | str) else ""
    return text if _NUMBER.fullmatch(text) else ""


def _game_of(variant: Any) -> str:
    if not isinstance(variant, str) or variant not in GAMES:
        raise _refusal(
            Reason(
                'histories are read of the variants {games}, not of "{word}"',
                games=", ".join(GAMES),
                word=str(variant)[:_MOST_SHOWN],
            )
        )
    return GAMES[variant]


def _names_of(players: Any) -> dict[str, str]:
    """Return the players' names by seat ("p1"), leaving out empty names and repeated names."""
    named = [" ".join(str(name).split()) for name in players] if isinstance(players, list) else []
    return {
        f"p{seat}": name
        for seat, name in enumerate(named, start=1)
        if name and named.count(name) == 1
    }


def _actions_of(actions: Any) -> list[str]:
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise _refusal(Reason("the hand has no list of actions"))
    return [action.partition("#")[0].strip() for action in actions]


def _take(action: str, hand: PlayedHand, names: dict[str, str]) -> None:
    """Add the cards or the fold of an action to `hand`; ignore bets and other known actions.

    Raises `TextError` for a text that isn't an action.
    """
    if match := _DEALT.fullmatch(action):
        seat, cards = match.groups()
        name = names.get(seat, seat)
        hand.cards[name] = hand.cards.get(name, "") + cards
    elif match := _BOARD.fullmatch(action):
        hand.board += re.findall("..?", match[1])
    elif match := _SHOWN.fullmatch(action):
        seat, cards = match.groups()
        if _UNKNOWN not in cards:
            hand.cards[names.get(seat, seat)] = cards
    elif match := _FOLDED.fullmatch(action):
        hand.folded.add(names.get(match[1], match[1]))
    elif not _OTHER.fullmatch(action):
        raise _refusal(Reason('"{action}" isn\'t an action', action=action[:_MOST_SHOWN]))


def _refusal(reason: Reason) -> TextError:
    return TextError("hand history", reason, PHH_EXAMPLE)

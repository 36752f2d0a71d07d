"""Match files with random changes are read as one whole match, or refused in a sentence.

A match that is read must be the same when it is written and read again. It can be checked,
printed and shown as a page.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any, Final

from bot.replays.checking import check
from bot.replays.match_file import FORMAT, MOST_BYTES, FileError, as_dict, read_bytes, validate
from bot.replays.match_file import file_text as text_of
from bot.replays.page import page_html
from bot.replays.text import text_lines
from engine.variants import VARIANTS
from tests.bot.replays.matches import whole
from tests.fuzz import odd

LONGEST: Final = 400
SHOWN_EVERY: Final = 10  # making a page takes as long as reading ten files
HUGE: Final = (10**4_000, 10**18, -(2**63), 2**64, 1e308)
Place = tuple[Any, Any]  # a list or object, and an index or key in it


@cache
def _saved_match(game: str, players: int) -> str:
    return json.dumps(as_dict(whole(game, players, f"{game} {players}", leave=players > 2)))


def judge(chance: Random) -> str:
    """Read one changed file; return the outcome in words.

    Raises AssertionError if a check fails.
    """
    original = _saved_match(chance.choice(sorted(VARIANTS)), chance.choice((2, 3, 5)))
    content = _content(chance, original)
    try:
        match_file = read_bytes(content)
    except FileError as error:
        _sentence(error)
        return "refused"
    for finding in check(match_file):
        assert finding.text
        assert "\n" not in finding.text, f"a finding of several lines: {finding.text!r}"
    try:
        played = validate(match_file)
    except FileError as error:
        _sentence(error)
        return "found untrue"
    assert validate(read_bytes(text_of(played).encode())) == played, "it does not come back"
    for line in text_lines(played, {}):
        assert line.replace("\u00a0", " ").isprintable(), f"a line that cannot be shown: {line!r}"
    if chance.randrange(SHOWN_EVERY) == 0:
        assert page_html(played, {}).rstrip().endswith("</html>")
    return "read"


def _sentence(error: FileError) -> None:
    sentence = str(error)
    assert 0 < len(sentence) <= LONGEST, (
        f"a sentence of {len(sentence)} characters: {sentence[:200]!r}"
    )
    assert sentence.isprintable(), f"not one line that can be shown: {sentence!r}"


def _content(chance: Random, original: str) -> bytes:
    match chance.randrange(12):
        case 0:
            whole_text = odd.alter(chance, original)
        case 1:
            at = chance.randrange(len(original))
            whole_text = (
                original[:at] + chance.choice(("[", "{", '{"a":', "9")) * 5_000 + original[at:]
            )
        case 2:
            whole_text = json.dumps(odd.value(chance, (FORMAT, "version", "log")))
        case 3:
            return _bytes(chance, original.encode())
        case _:
            file = json.loads(original)
            for _ in range(chance.choice((1, 1, 1, 2, 4))):
                _change(chance, file)
            whole_text = json.dumps(file)
    return whole_text.encode("utf-8", "surrogatepass")


def _bytes(chance: Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    match chance.randrange(5):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + bytes(chance.randrange(256) for _ in range(4)) + content[at:]
        case 2:
            return b"\xef\xbb\xbf" + content
        case 3:
            return content.decode().encode("utf-16")
        case _:
            return content + b" " * (chance.choice((1, MOST_BYTES)))


def _change(chance: Random, file: Any) -> None:
    """Change one place at random.

    Delete, replace, swap or repeat it, copy it to another key, or alter its value a little.
    """
    places = _places(file, chance)
    if not places:
        return
    holder, key = chance.choice(places)
    match chance.randrange(8):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = odd.value(chance, ("liars_poker", "deal", "As", "0" * 64))
        case 3:
            target, slot = chance.choice(places)
            holder[key], target[slot] = copy.deepcopy(target[slot]), copy.deepcopy(holder[key])
        case 4 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 5 if isinstance(holder, dict):
            holder[odd.text(chance, tuple(holder), 40)] = holder[key]
        case 6 if isinstance(holder[key], list):
            holder[key] *= chance.choice((0, 2, 300))
        case _:
            holder[key] = _near(chance, holder[key])


def _near(chance: Random, value: Any) -> Any:
    """Return another value close to `value`, usually of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        fraction = 0.5 if abs(value) > 2**64 else float(value)
        return chance.choice((value + 1, value - 1, -value, fraction, str(value), *HUGE))
    if isinstance(value, str):
        return odd.alter(chance, value)
    return [value]


def _places(file: Any, chance: Random) -> list[Place]:
    """Return places, each a holder and a key, down to a random depth.

    Without that limit, the few places at the top would hardly ever be chosen.
    """
    places: list[Place] = []
    level = [file]
    for _ in range(chance.choice((1, 2, 3, 4))):
        below = []
        for holder in level:
            keys = holder if isinstance(holder, dict) else range(len(holder))
            places += [(holder, key) for key in keys]
            below += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
        level = below
    return places

"""Random typed bids, parsed by the engine and a second time by the slow reader."""

from __future__ import annotations

import gc
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

import pytest

from engine.bid_parser import LONGEST_TEXT
from engine.variants import ruleset
from engine.vocabulary import vocabulary_of
from engine.wording import SUGGESTIONS, BidTextError, Guess, Wording
from tests.fuzz.slow_reader import KEYS, meanings
from tests.fuzz.texts import typed_bid

LOCALES: Final = Path(__file__).parents[2] / "bot" / "locales"
POLISH: Final = vocabulary_of(
    "pl", tomllib.loads((LOCALES / "pl" / "bids.toml").read_text("utf-8"))
)
SUGGESTED_EVERY: Final = 25  # what may have been meant costs a hundred times the reading
COMPLETED_EVERY: Final = 10
LONGEST_SENTENCE: Final = 400


@dataclass(frozen=True)
class GameWords:
    """A game at a table in one language; `others` are the languages tried after it."""

    game: str
    words: Wording
    others: tuple[Wording, ...]
    polish: bool


def _game_words() -> list[GameWords]:
    tables = []
    for game in KEYS:
        rules = ruleset(game)
        english, polish = rules.wording, rules.wording_in(POLISH)
        tables += [
            GameWords(game, english, (polish,), False),
            GameWords(game, polish, (english,), True),
        ]
    return tables


GAME_WORDS: Final = _game_words()


@contextmanager
def _without_suggestions() -> Iterator[None]:
    with patch.object(Wording, "_best_guess", lambda *_: Guess(())):
        yield


def judge(chance: Random) -> str:
    """Parse one text; return the outcome in words. Raises AssertionError if a check fails."""
    table = chance.choice(GAME_WORDS)
    text, key, polish = typed_bid(chance, table.game)
    with (
        nullcontext()
        if (suggested := now_and_then(chance, SUGGESTED_EVERY))
        else _without_suggestions()
    ):
        key_read = _read_key(table, text)
    if suggested and key_read is None:
        _check_refusal(table, text)
    if key is not None and polish == table.polish:
        assert key_read == key, f"{text!r} means {key}, and was understood as {key_read}"
    if now_and_then(chance, COMPLETED_EVERY):
        _check_completions(table, text, key_read)
    if key_read is None:
        return "refused"
    possible = meanings(text, table.game)
    assert key_read in possible, (
        f"{text!r} was played as {key_read}; it may mean {sorted(possible)}"
    )
    assert len(text) <= LONGEST_TEXT, f"a text of {len(text)} characters was played"
    words = table.words.say(table.words.parse(key_read))
    assert table.words.parse(words, table.others).key == key_read, f"{words!r} does not come back"
    return "as it should" if key else "mutated, yet a bid"


def now_and_then(chance: Random, every: int) -> bool:
    """Return True at random, on average once in `every` calls."""
    return chance.randrange(every) == 0


def _read_key(table: GameWords, text: str) -> str | None:
    try:
        return table.words.parse(text, table.others).key
    except BidTextError:
        return None


def _check_refusal(table: GameWords, text: str) -> None:
    """Check that the refusal is one printable line, and offers only bids of this game."""
    with pytest.raises(BidTextError) as caught:
        table.words.parse(text, table.others)
    sentence = str(caught.value)
    assert 0 < len(sentence) <= LONGEST_SENTENCE, f"{text!r} is answered with {sentence!r}"
    assert sentence.isprintable(), f"{text!r} is answered with {sentence!r}"
    offered = [bid.key for bid in caught.value.suggestions]
    assert len(offered) <= SUGGESTIONS, f"{text!r} may mean {offered}"
    assert set(offered) <= set(KEYS[table.game]), f"{text!r} may mean {offered}"


def _check_completions(table: GameWords, text: str, meant: str | None) -> None:
    """Check that no completion occurs twice, and that they are in the ladder's order.

    `meant` is the key of the bid that the text means, which must come first; None if there is none.
    """
    ladder = ruleset(table.game).ladder
    offered = [bid.key for bid in table.words.complete(text, ladder.rungs, table.others)]
    assert len(offered) == len(set(offered)), f"{text!r} is completed twice alike"
    others = offered
    if meant is not None:
        assert offered[:1] == [meant], f"{text!r} is {meant}, and completed as {offered[:1]}"
        others = offered[1:]
    order = [bid.key for rung in ladder.rungs for bid in rung]
    places = [order.index(key) for key in others]
    assert places == sorted(places), f"{text!r} is completed in no order"


def work_of(act: Callable[[], object]) -> int:
    """Return how many calls of Python and built-in functions `act` makes, as a measure of work."""
    calls = 0

    def count(_: FrameType, event: str, __: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    gc.disable()  # what others have left is not put away meanwhile, which would be counted
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls

"""Name a range: "btn = 22+, A2s+".

A name must have no other meaning in a question, so that no name changes the meaning of a question.
`check_name` checks this with the parser.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import Reason, TextError, UnclearGame, UnclearText
from engine.odds.showdown.named_ranges import (
    LONGEST_NAME,
    NAME,
    name_key,
    unknown_word,
    without_brackets,
)
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.question_words import (
    BOARD_WORD,
    DEAD_WORD,
    DEFINITION,
    DEFINITION_EXAMPLE,
    TYPED_CARD,
    VERSUS,
)
from engine.odds.showdown.ranges import Range
from engine.patterns import compile_later

_SPLIT: Final = compile_later(r"\s*(?P<name>[^=]*?)\s*=\s*(?P<hands>[^=]*)", re.DOTALL)
_SEAT: Final = compile_later(r"hero|villain|(?:p|player ?|seat ?|hand ?)\d+", re.IGNORECASE)
_OPPONENT: Final = compile_later(rf"(?<!\w){VERSUS}(?!\w)", re.IGNORECASE)
_MORE_THAN_HANDS: Final = compile_later(
    rf"(?<!\w)(?:{VERSUS}|{BOARD_WORD}|{DEAD_WORD}|on|when|if|players?|twice|stacks?)(?!\w)",
    re.IGNORECASE,
)
# words that only mean something before numbers or in the middle of a question
_IN_QUESTIONS: Final = """
stack stacks pay pays prize prizes bets money chips top best
board boards twice times once run flops dead folded out
player players opponent opponents handed heads way hu hand
and or not no when if to of is in with without has
range ranges wild joker jokers pat draw draws suited ds ss rb np op tp
"""
_WORDS: Final = frozenset(_IN_QUESTIONS.split())


@dataclass(frozen=True, slots=True)
class NamedRange:
    """A range and its name, in lower case; `str()` gives a definition that can be typed again."""

    name: str
    range: Range

    def __str__(self) -> str:
        return f"{self.name} = {self.range}"


def split_definition(text: str) -> tuple[str, str] | None:
    """Return the name and the hands of "btn = 22+, A2s+" as typed; None for any other text.

    The hands may be empty. "hero = AhKh vs QQ" and "AhKh vs QQ, board = 9c8d7s" are questions.
    """
    match = _SPLIT.fullmatch(unicodedata.normalize("NFKC", text))
    if match is None:
        return None
    name, hands = match["name"], match["hands"].strip()
    if not re.fullmatch(r"[\w+-]+(?: \w+){0,3}", name):
        return None
    means_something = _SEAT.fullmatch(name) or _MORE_THAN_HANDS.search(name)
    of_cards = _OPPONENT.search(hands) or re.match(f"{TYPED_CARD}", hands, re.IGNORECASE)
    return None if means_something and (" " in name or of_cards) else (name, hands)


def parse_definition(text: str, ranges: Mapping[str, str] | None = None) -> NamedRange:
    """Parse the definition of a range, such as "btn = 22+, A2s+".

    The hands may use the named ranges `ranges` (name to text). Hands of four cards make an Omaha
    range. Raises `TextError` if the name already means something, or if the hands aren't one range.
    """
    parts = split_definition(text)
    if parts is None:
        raise TextError(
            DEFINITION, Reason("a named range is a name, = and its hands"), DEFINITION_EXAMPLE
        )
    name, hands = parts
    check_name(name)
    if not hands:
        raise TextError(DEFINITION, Reason("put the hands after ="), DEFINITION_EXAMPLE)
    inside = hands[1:-1] if hands.startswith("(") and hands.endswith(")") else hands
    try:
        scenario = parse_question([f"({inside})"], ranges=ranges)
    except UnclearGame:
        reason = Reason("a named range has hands of two or four cards")
        raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE) from None
    except UnclearText as error:
        raise _as_definitions(error, name) from None
    except TextError as error:
        if _MORE_THAN_HANDS.search(hands):
            raise _only_hands() from None
        raise TextError(DEFINITION, error.reason, DEFINITION_EXAMPLE) from None
    held = scenario.players[0]
    alone = len(scenario.players) == 2 and not scenario.board and not scenario.dead
    if not alone or scenario.condition is not None or scenario.is_joint:
        raise _only_hands()
    assert isinstance(held, Range)  # it was in brackets
    return NamedRange(unicodedata.normalize("NFKC", name).lower(), held)


def _as_definitions(error: UnclearText, name: str) -> UnclearText:
    """Put `name = ` before the text and the choices of `error`, and return the error."""
    error.choices = tuple(f"{name} = {without_brackets(hands)}" for hands in error.choices)
    error.text = f"{name} = {without_brackets(error.text)}"
    return error


def _only_hands() -> TextError:
    return TextError(
        DEFINITION, Reason("only the hands of one range go after ="), DEFINITION_EXAMPLE
    )


def check_name(name: str) -> None:
    """Raise `TextError` if the name isn't one word, or already means something in a question."""
    if not NAME.fullmatch(name):
        reason = Reason("a name is one word of 2 to {most} letters and digits", most=LONGEST_NAME)
        raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE)
    if name_key(name) in _WORDS or not _is_unknown(name):
        raise taken_name_error(name)


def taken_name_error(name: str) -> TextError:
    """Return the error for a name that already means something in a question."""
    reason = Reason('"{name}" already means something in a question', name=name)
    return TextError(DEFINITION, reason, DEFINITION_EXAMPLE)


def _is_unknown(name: str) -> bool:
    """Return whether a question doesn't understand the name, wherever the name stands in it."""
    for question in (
        *(f"{name} vs QQ", f"AhKh vs {name}", name, f"AA, {name} vs QQ", f"{name}, AA"),
        *(f"{name} vs random", f"AhKh vs {name}, 3 random"),
    ):
        try:
            parse_question(question)
        except TextError as error:
            # it may be only the beginning that isn't understood, such as the "utg" of "utg+1"
            word = unknown_word(error)
            if not word or not name_key(name).startswith(word):
                return False
        else:
            return False
    return not any(map(_is_understood, (f"AA vs KK, when {name}", f"AA vs KK, flop {name}")))


def _is_understood(question: str) -> bool:
    try:
        parse_question(question)
    except UnclearText:
        return True
    except TextError:
        return False
    return True

"""Find a showdown question in a message that somebody wrote in any of the bot's languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.language.catalogues import KEYS, spoken, tr
from bot.language.questions import parse_typed_question, question_in_english
from engine.errors import TextError, UnclearText

if TYPE_CHECKING:
    from engine.odds.showdown.free_text import Found

MESSAGE_EXAMPLE: Final = '"he had AKs, board K72, I had jacks"'
_LONGEST_QUESTION: Final = 300  # characters; longer texts are searched, not read as a question


def question_in_message(text: str) -> str:
    """Return the showdown question in a message, as somebody could have typed it.

    A message of up to 300 characters that is itself a question is returned unchanged, even if it is
    ambiguous. Otherwise the question consists of the hands and the board that the message contains,
    in English. Raises `TextError` if there are no hands; its reason names a board, if there is one.
    """
    if len(text) <= _LONGEST_QUESTION:
        try:
            parse_typed_question(text)
        except UnclearText:
            return text
        except TextError:
            pass
        else:
            return text
    showdown = _find(text)
    if showdown.question:
        return showdown.question
    reason = tr("Found no hands in the message")
    if showdown.board:
        board = ", ".join(showdown.board)
        reason = tr('Found "{board}" in the message, but no hands', board=board)
    raise TextError(text, reason, MESSAGE_EXAMPLE)


def _find(text: str) -> Found:
    """Read the text in each language; return the result with the most hands and board clauses."""
    from engine.odds.showdown.free_text import find_showdown

    every = [
        find_showdown(question_in_english(text, key))
        for key in dict.fromkeys((spoken().key, *KEYS))
    ]
    return max(every, key=lambda found: len(found.hands) + len(found.board))

"""What `/odds` says when it has no answer, with examples of Discord's way to ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from bot.boards.showdown_words import GAME_NAMES
from bot.computing.question import ProcessLost, QueueFull, TookTooLong
from bot.discord.errors import misread, sentence
from bot.discord.odds.asking import OddsNotAllowed
from bot.discord.odds.questions import TypedShowdown
from bot.language.catalogues import N_, figure, tr, trn
from bot.language.wordings import game_words
from bot.language.words import escaped, listed, quoted, shortened
from bot.tables.errors import RefusedError
from engine.cards import cards_in_order
from engine.errors import (
    EngineError,
    TextError,
    UnclearBoard,
    UnclearGame,
    UnclearHands,
    UnclearText,
    UnclearWeight,
)
from engine.odds.showdown.games import GAMES
from engine.odds.showdown.question import game_asked
from engine.ruleset import Ruleset
from engine.wording import BidTextError

log = structlog.get_logger(__name__)

BUSY: Final = N_("Your last question is still being worked out: wait for it, or cancel it.")
NOT_YOURS: Final = N_("Only the person who asked can cancel this question.")
TOO_LATE: Final = N_("That question is not being worked out any more: there is nothing to cancel.")
CANCELLED: Final = N_("Cancelled, as you asked.")
NOT_ALLOWED: Final = N_("The house rules of your table do not allow odds during a match.")
FULL: Final = N_(
    "Too many questions are being worked out just now. Please ask again in a little while."
)
LOST: Final = N_(
    "This could not be worked out, because the process that counts had to be restarted."
    " Please ask again in a moment."
)
_USUAL: Final = "AhKd vs QQ"
_SHOWN: Final = 60  # characters of what somebody typed
_CHOICE: Final = 300  # and of what they may have meant, where no button says it


def words(error: Exception) -> str:
    """The sentence for what went wrong; what nobody foresaw is logged."""
    match error:
        case OddsNotAllowed():
            return tr(NOT_ALLOWED)
        case TookTooLong(seconds=seconds):
            return tr(
                "Given up, as counting took longer than {seconds} seconds. Ask again with fewer"
                " unknown cards.",
                seconds=figure(seconds, "g"),
            )
        case QueueFull():
            return tr(FULL)
        case ProcessLost():
            return tr(LOST)
        case UnclearWeight(given=given, per_cent=per_cent):
            return tr(
                "@{given} may be {given} per cent or {per_cent} per cent: which of the two?",
                given=given,
                per_cent=per_cent,
            )
        case UnclearGame(cards=cards):
            return trn(
                "Several games have {number} card in a hand: which one is it?",
                "Several games have {number} cards in a hand: which one is it?",
                cards,
            )
        case UnclearBoard(shown=shown):
            board = " ".join(card.symbol for card in cards_in_order(shown))
            return tr("Is {cards} the board?", cards=board)
        case UnclearText():
            said = error.said if isinstance(error, UnclearHands) else error.text
            return tr(
                "{text} may mean several things: which of them?",
                text=escaped(quoted(shortened(said, _SHOWN))),
            )
        case EngineError() | RefusedError():
            return sentence(error)
        case _:
            log.error("odds: unforeseen", exc_info=error)
            return sentence(error)


def misread_words(error: BidTextError, rules: Ruleset, *, offered: bool) -> str:
    """Why a text is no bid of the game that is asked about; it may be what is `offered`."""
    if not offered:
        return escaped(misread(error, rules, error.suggestions))
    a_bid = game_words(rules).a_bid
    text = tr('"{text}" is not {a_bid} here. Which do you mean?', text=error.shown, a_bid=a_bid)
    return escaped(text)


def showdown_words(
    typed: TypedShowdown, offered: Callable[[Exception], bool] = lambda _: False
) -> Callable[[Exception], str]:
    """Words for a refused showdown: what is wrong, and how to ask with the options `typed`.

    What may mean several things is also said in words where no buttons are `offered` for it.
    """

    def said(error: Exception) -> str:
        if isinstance(error, UnclearText) and not offered(error):
            choices = listed((quoted(shortened(one, _CHOICE)) for one in error.choices), "or")
            return f"{words(error)} {escaped(choices)}"
        if isinstance(error, TextError) and not isinstance(error, UnclearText):
            error = TextError(error.text, error.reason, showdown_example(typed))
        return words(error)

    return said


def showdown_example(typed: TypedShowdown) -> str:
    """A question of the same game that has an answer, asked with the options that were used."""
    preset = typed.preset if typed.preset in GAME_NAMES else ""  # a forged one is not repeated
    asked = game_asked(typed.hands, typed.board) or "holdem"
    game = GAMES[preset or asked]
    if not preset and game_asked(game.hand) != asked:  # its cards alone do not tell it
        preset = asked
    hands = _USUAL if game.rules.private == 2 else f"{game.hand} vs random"
    parts = [f"/odds showdown hands: {hands}"]
    if preset:
        parts.append(f"game: {tr(GAME_NAMES[preset])}")
    if typed.board and game.rules.public:
        parts.append("board: 9c 8d 7s")
    if typed.dead:
        parts.append("dead: Jc Jd")
    return " ".join(parts)

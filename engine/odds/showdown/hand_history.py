"""Read the hands shown and the board from a hand history in PokerStars' text or in PHH.

Only what the showdown needs is read: the game, "Dealt to", folds, boards, and the cards that were
shown or mucked face up. Known cards of players who folded are dead. Bets and pots are left out. The
module `phh` reads PHH.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.cards import Cards, cards_in_order
from engine.errors import Reason, TextError
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.phh import has_phh, parse_phh, split_phh
from engine.odds.showdown.scenario import Scenario
from engine.patterns import compile_later

HISTORY: Final = "hand history"
"""What `TextError.text` is for a history that can't be used."""
HISTORY_EXAMPLE: Final = 'a whole hand, from "PokerStars Hand #1: Hold\'em No Limit" to its summary'
_BEGIN: Final = compile_later(
    r"^[^\S\n]*PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(?P<number>\d+)(?P<head>[^\n]*)$",
    re.MULTILINE,
)
_QUOTED: Final = compile_later(r"^[^\S\n]*>{1,3}[^\S\n]?", re.MULTILINE)
# the first that fits names the game
_GAMES: Final = tuple(
    (compile_later(pattern, re.IGNORECASE), key)
    for pattern, key in (
        (r"5 Card Omaha Hi/Lo", "omaha85"),
        (r"6 Card Omaha Hi/Lo", None),
        (r"Omaha Hi/Lo", "omaha8"),
        (r"5 Card Omaha", "omaha5"),
        (r"6 Card Omaha", "omaha6"),
        (r"Omaha", "omaha"),
        (r"6\+ Hold'em", "shortdeck"),
        (r"Hold'em", "holdem"),
    )
)
_CARDS: Final = r"\[(?P<cards>[^\]\n]*)\]"
_DEALT: Final = compile_later(rf"^\s*Dealt to (?P<who>.+?) {_CARDS}\s*$", re.MULTILINE)
_SHOWS: Final = compile_later(rf"^\s*(?P<who>.+?): shows {_CARDS}", re.MULTILINE)
_FOLDS: Final = compile_later(
    r"^\s*(?P<who>.+?): folds(?: \[(?P<cards>[^\]\n]*)\])?\s*$", re.MULTILINE
)
_SUMMARY: Final = compile_later(
    r"^\s*Seat \d+: (?P<who>.+?)(?: \((?:button|small blind|big blind)\))* "
    rf"(?:showed|mucked) {_CARDS}",
    re.MULTILINE,
)
_STREET: Final = compile_later(
    r"^\s*\*\*\* (?P<which>FIRST |SECOND |THIRD )?(?:FLOP|TURN|RIVER) \*\*\*"
    r"(?P<cards>(?:\s*\[[^\]\n]*\])+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class HandHistory:
    """A hand that was played: its number and the scenario of its showdown.

    The scenario has the board in the order in which it was dealt, and the names of the players
    whose cards are known and who didn't fold.
    """

    number: str
    scenario: Scenario


def has_history(text: str) -> bool:
    """Return whether a text has a hand in PokerStars's format or in PHH."""
    text = _unquote(text)
    return _BEGIN.search(text) is not None or has_phh(text)


def split_histories(text: str) -> list[str]:
    """Return the hands in a text, each with its heading; an empty list if there are none."""
    text = _unquote(text)
    begins = [match.start() for match in _BEGIN.finditer(text)]
    if not begins and has_phh(text):
        return split_phh(text)
    return [text[at:end] for at, end in zip(begins, [*begins[1:], len(text)], strict=False)]


def parse_history(text: str) -> HandHistory:
    """Return the showdown of the hand in a text.

    Raises `TextError` if the text can't be read, or if fewer than two players who didn't fold
    have known cards.
    """
    text = _unquote(text)
    begin = _BEGIN.search(text)
    if begin is None and has_phh(text):
        return _from_phh(text)
    if begin is None:
        reason = Reason("that isn't a hand in PokerStars' text or in PHH")
        raise TextError(HISTORY, reason, HISTORY_EXAMPLE)
    rules = _rules_of(begin["head"])
    board = _board_of(text)
    known = {match["who"]: match["cards"] for match in _DEALT.finditer(text)}
    for pattern in (_SHOWS, _SUMMARY):
        for match in pattern.finditer(text):
            # a player may show only one card
            if len(match["cards"].split()) == rules.private:
                known[match["who"]] = match["cards"]
    folded = {match["who"]: match["cards"] for match in _FOLDS.finditer(text)}
    dead = [cards for name, cards in known.items() if name in folded]
    dead += [cards for name, cards in folded.items() if cards and name not in known]
    open_hands = {name: cards for name, cards in known.items() if name not in folded}
    return HandHistory(begin["number"], _scenario(rules, open_hands, board, dead))


def _unquote(text: str) -> str:
    """Return the text without the ">" with which each line of a quotation begins."""
    return _QUOTED.sub("", text)


def _from_phh(text: str) -> HandHistory:
    hand = parse_phh(text)
    rules = PRESETS[hand.game]
    whole = 2 * rules.private  # characters
    known = {
        name: cards
        for name, cards in hand.cards.items()
        if "?" not in cards and len(cards) == whole
    }
    dead = [cards for name, cards in known.items() if name in hand.folded]
    open_hands = {name: cards for name, cards in known.items() if name not in hand.folded}
    return HandHistory(hand.number, _scenario(rules, open_hands, hand.board, dead))


def _scenario(
    rules: ShowdownRules, open_hands: dict[str, str], board: list[str], dead: list[str]
) -> Scenario:
    """Return the showdown of the hands that were known at the end.

    Raises `TextError` if there are fewer than two, or if the cards can't be read or clash.
    """
    if len(open_hands) < 2:
        reason = Reason(
            "an answer needs two hands that were shown, this history has {given}",
            given=len(open_hands),
        )
        raise TextError(HISTORY, reason, HISTORY_EXAMPLE)
    in_order = cards_in_order(" ".join(board))
    return Scenario(
        rules,
        tuple(map(Cards.parse, open_hands.values())),
        Cards.of(in_order),
        Cards.parse(" ".join(dead)),
        tuple(in_order),
        tuple(open_hands),
    )


def _rules_of(head: str) -> ShowdownRules:
    key = next((key for pattern, key in _GAMES if pattern.search(head)), None)
    if key is None:
        reason = Reason("histories are read of hold'em, short deck and Omaha, not of other games")
        raise TextError(HISTORY, reason, HISTORY_EXAMPLE)
    return PRESETS[key]


def _board_of(text: str) -> list[str]:
    """Return the board's cards in order. Raises `TextError` if it was run more than once."""
    board: list[str] = []
    for match in _STREET.finditer(text):
        if match["which"]:
            reason = Reason("this hand was run more than once; ask about its last common street")
            raise TextError(HISTORY, reason, '"AhKh vs QsQd, board 9h 5h 2c, run it twice"')
        board += [card for card in re.findall(r"\w\w", match["cards"]) if card not in board]
    return board

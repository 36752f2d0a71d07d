"""Parse draws in a question: "27: 2347 draw 1 vs 8765K pat", "badugi: As2h4d draws one".

A player who draws keeps the cards that are named and is dealt the others, so the hand becomes one
with fewer known cards. Only the last draw can be asked about: with more draws to come, players
would have to choose their discards. Ranks typed without suits get suits here if suits can't matter:
in A-5 lowball, and in 2-7 if nobody can make a flush. The module is loaded only if a text may have
a draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from engine.card_words import in_letters
from engine.cards import Card, Rank, Suit, cards_in_order
from engine.errors import Reason, TextError, UnclearHands
from engine.odds.showdown.game_words import game_key, named_game
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.question_words import CARD, DEAD_WORD, DRAWS, DRAWS_EXAMPLE, VERSUS
from engine.odds.showdown.ranking import Ranking
from engine.patterns import compile_later

_WORDS: Final = ("none", "one", "two", "three", "four", "five")
_NUMBERS: Final = {word: number for number, word in enumerate(_WORDS)}
_CLAUSE: Final = compile_later(
    r"[\s,(]*(?:(?<!\w)(?:and|then|who|which|that)\s+)?(?<![\w-])(?<!triple )(?<!single )(?<!card )"
    rf"(?:(?:is\s+)?(?:draw(?:s|ing)?|drew|tak(?:es?|ing))\s+(?P<many>[0-5]|{'|'.join(_NUMBERS)})"
    r"(?:\s+(?:new\s+)?cards?)?"
    r"|(?:is\s+|stands?\s+|stays?\s+|plays?\s+)?(?P<pat>pat))"
    r"(?![\w-])(?!\s+(?:players?|opponents?|way|max|random|unknown|others?|draws?|hands?))\)?",
    re.IGNORECASE,
)
_DRAWS_LEFT: Final = compile_later(
    r"[\s,;(]*(?<!\w)(?:with\s+)?(?P<many>\d+|a|an|one|two|three|last)\s+(?:more\s+)?draws?"
    r"(?:\s+(?:left|to (?:come|go)))?(?!\w)\)?",
    re.IGNORECASE,
)
# while a text is parsed, a character that nobody can type stands for a draw of 0 to 5 cards
_MARK: Final = compile_later("[\ue000-\ue005]")
_FIRST: Final = 0xE000  # the mark for drawing no card
_SIDES: Final = compile_later(rf"((?<!\w){VERSUS}(?!\w)|[|\n])", re.IGNORECASE)
_TAIL: Final = compile_later(rf"[,;.]|(?<!\w){DEAD_WORD}(?!\w)", re.IGNORECASE)
_RANK: Final = "(?:10|[2-9tjqka])"
_RANKS: Final = compile_later(
    rf"(?<![\w:]){_RANK}(?:[\s-]?{_RANK}){{0,4}}(?![\w%+@])", re.IGNORECASE
)
_CARDS: Final = compile_later(rf"(?<!\w)(?:{CARD}[\s,]*)+(?!\w)", re.IGNORECASE)
_ONE_RANK: Final = compile_later(_RANK, re.IGNORECASE)
_FIVE: Final = 5


def split_draws(
    texts: Sequence[str], game: str | ShowdownRules | None
) -> tuple[list[str], str | ShowdownRules | None]:
    """Cut draws out of `texts`, leaving the cards that players keep; return texts and game.

    If no text has a draw, both are returned unchanged. Raises `TextError`.
    """
    marked = [_CLAUSE.sub(_as_mark, in_letters(text)) for text in texts]
    if not any(map(_MARK.search, marked)):
        return list(texts), game
    for text in marked:
        _check_last(text)
    named = named_game([_DRAWS_LEFT.sub("", text) for text in marked])
    if game is not None:
        named.check(game if isinstance(game, ShowdownRules) else game_key(game) or game)
    if not isinstance(game, ShowdownRules):
        game = (game_key(game) or game if game else None) or named.key or _game_by(named.texts)
        if game is None:
            choices = tuple(f"{low}: {' vs '.join(texts)}" for low in ("27", "a5"))
            raise UnclearHands(" vs ".join(texts), choices, "draw")
    rules = game if isinstance(game, ShowdownRules) else PRESETS.get(game)
    if rules is None:
        return list(texts), game  # the parser says that it isn't a game
    if rules.public or rules.usable_private < rules.private or rules.private > _FIVE:
        reason = Reason("draws go with five-card draw, 2-7, A-5 and badugi")
        raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
    sides = _Sides(rules, named.texts)
    return sides.texts(), game


def _as_mark(match: re.Match[str]) -> str:
    many = (match["many"] or "0").lower()
    return f" {chr(_FIRST + (int(many) if many.isdecimal() else _NUMBERS[many]))} "


def _check_last(text: str) -> None:
    match = _DRAWS_LEFT.search(text)
    if match is not None and match["many"].lower() not in ("1", "a", "one", "last"):
        reason = Reason("a draw is the last one: what a player does after it isn't asked")
        raise TextError(DRAWS, reason, DRAWS_EXAMPLE)


def _game_by(texts: Sequence[str]) -> str | None:
    """Return "badugi" if the first player who draws has four cards after the draw, else None."""
    for text in texts:
        for side in _SIDES.split(text):
            mark = _MARK.search(side)
            if mark is not None:
                size = len(_held(_head(side)))
                if size:
                    return "badugi" if size + _number(mark) == PRESETS["badugi"].private else None
    return None


def _number(mark: re.Match[str]) -> int:
    return ord(mark[0]) - _FIRST


def _head(side: str) -> str:
    """Return the part of a player's text that has the cards kept, without marks."""
    plain = _MARK.sub(" ", side)
    tail = _TAIL.search(plain, plain.rfind(":") + 1)
    return plain if tail is None else plain[: tail.start()]


def _held(head: str) -> list[str]:
    """Return the cards in a text, or its ranks if they have no suits."""
    cards = _CARDS.search(head)
    if cards is not None:
        return re.findall(CARD, cards[0], re.IGNORECASE)
    ranks = _RANKS.search(head)
    return [] if ranks is None else _ONE_RANK.findall(ranks[0])


class _Sides:
    """The players' texts in a question with draws; ranks without suits get suits."""

    def __init__(self, rules: ShowdownRules, texts: Sequence[str]) -> None:
        self._rules = rules
        self._texts = texts
        # every card typed with a suit, dead ones too
        self._used = {
            str(card)
            for text in texts
            for typed in _CARDS.findall(_MARK.sub(" ", text))
            for card in cards_in_order(typed)
        }
        self._has_ranks = False
        self._may_flush = False

    def texts(self) -> list[str]:
        """Return the texts without the marks of draws, and with suits."""
        pieces = [_SIDES.split(text) for text in self._texts]
        texts = ["".join(self._pieces(split)) for split in pieces]
        if self._has_ranks and self._rules.ranking is not Ranking.ACE_FIVE:
            if self._rules.ranking is not Ranking.DEUCE_SEVEN:
                raise _needs_suits(Reason("suits matter in this game, so give them with the ranks"))
            if self._may_flush:
                raise _needs_suits(
                    Reason("somebody may make a flush, so give the suits with the ranks")
                )
        return texts

    def _pieces(self, split: Sequence[str]) -> Iterator[str]:
        for at, piece in enumerate(split):
            yield piece if at % 2 or not piece.strip() else self._side(piece)

    def _side(self, side: str) -> str:
        """Return a player's text with the cards kept, checked and with suits."""
        mark = _MARK.search(side)
        head, plain = _head(side), _MARK.sub(" ", side)
        held = _held(head)
        drawn = 0 if mark is None else _number(mark)
        if not held:
            self._may_flush = True
            if mark is not None and drawn < self._rules.private:
                reason = Reason("say which cards are kept by a player who draws {number}",
                                number=drawn)  # fmt: skip
                raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
            return plain if plain.strip() else f" random{plain}"
        if mark is None and len(held) < self._rules.private:
            reason = Reason("say how many cards each player draws, or pat")
            raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
        if mark is not None and len(held) + drawn != self._rules.private:
            reason = Reason(
                "a hand has {number} cards: {held} kept and {drawn} drawn don't make that",
                number=self._rules.private,
                held=len(held),
                drawn=drawn,
            )
            raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
        if all(len(card) > 1 and card != "10" for card in held):
            self._may_flush |= len({card[-1].lower() for card in held}) == 1
            return plain
        self._has_ranks = True
        match = _RANKS.search(head)
        assert match is not None
        cards = self._with_suits([rank.upper().replace("10", "T") for rank in held])
        return plain[: match.start()] + cards + plain[match.end() :]

    def _with_suits(self, ranks: Sequence[str]) -> str:
        """Return unused cards of these ranks; two or more cards are of at least two suits."""
        free = [
            [
                str(card)
                for card in (Card.of(Rank("23456789TJQKA".index(rank)), suit) for suit in Suit)
                if str(card) not in self._used
            ]
            for rank in ranks
        ]
        for cards in product(*free):
            apart = len(set(cards)) == len(cards)
            if apart and (len(cards) == 1 or len({card[-1] for card in cards}) > 1):
                self._used.update(cards)
                self._may_flush |= len(cards) == 1
                return "".join(cards)
        reason = Reason("there aren't enough cards of these ranks: {ranks}", ranks="".join(ranks))
        raise TextError(DRAWS, reason, DRAWS_EXAMPLE)


def _needs_suits(reason: Reason) -> TextError:
    return TextError(DRAWS, reason, '"badugi: As2h4d draw 1 vs 8c7d6h5s pat"')

"""Parse draws in a question: "27: 2347 draw 1 vs 8765K pat", "badugi: As2h4d draws one".

A player who draws keeps the cards that are named; the drawn cards become unknown cards. If more
than one draw is left, the question also says which cards a player keeps later: "27: 2347 draw 1
until 9 vs 8765K pat, 2 draws left". Ranks typed without suits get suits here if suits can't matter:
where flushes don't count, and elsewhere if nobody can make one. The module is loaded only if a text
may have a draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from engine.card_words import in_letters
from engine.cards import RANK_CHARS, Card, Rank, Suit, cards_in_order
from engine.errors import Reason, TextError, UnclearDraw, UnclearHands
from engine.odds.showdown.drawing import Drawing, check_number, order_of
from engine.odds.showdown.game_words import game_key, named_game
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.question_words import (
    CARD,
    DEAD_WORD,
    DRAWS,
    DRAWS_EXAMPLE,
    LATER_DRAWS_EXAMPLE,
    VERSUS,
)
from engine.odds.showdown.ranking import Ranking
from engine.patterns import compile_later

if TYPE_CHECKING:
    from engine.odds.showdown.scenario import Scenario

_WORDS: Final = ("none", "one", "two", "three", "four", "five")
_NUMBERS: Final = {word: number for number, word in enumerate(_WORDS)}
_RANK: Final = "(?:10|[2-9tjqka])"
_RANK_WORDS: Final = ("seven", "eight", "nine", "ten", "jack", "queen", "king")
_UNTIL: Final = (
    rf"(?:\s*,?\s*(?:until|till?|up to)\s+(?:an?\s*)?(?P<until>{_RANK}|{'|'.join(_RANK_WORDS)})"
    r"(?:[\s-]*low|\s+or\s+(?:better|lower|less))?)?"
)
_UNREAD_UNTIL: Final = compile_later(r"(?<!\w)until(?!\w)", re.IGNORECASE)
_CLAUSE: Final = compile_later(
    r"[\s,(]*(?:(?<!\w)(?:and|then|who|which|that)\s+)?(?<![\w-])(?<!triple )(?<!single )(?<!card )"
    rf"(?:(?:is\s+)?(?:draw(?:s|ing)?|drew|tak(?:es?|ing))\s+(?P<many>[0-5]|{'|'.join(_NUMBERS)})"
    rf"(?:\s+(?:new\s+)?cards?)?{_UNTIL}"
    r"|(?:is\s+|stand(?:s|ing)?\s+|stay(?:s|ing)?\s+|plays?\s+)?(?P<pat>pat))"
    r"(?![\w-])(?!\s+(?:players?|opponents?|way|max|random|unknown|others?|draws?|hands?))\)?",
    re.IGNORECASE,
)
_DRAWS_LEFT: Final = compile_later(
    r"[\s,;(]*(?<!\w)(?:with\s+)?(?P<many>\d+|a|an|one|two|three|four|last)\s+(?:more\s+)?draws?"
    r"(?:\s+(?:left|to (?:come|go)))?(?!\w)\)?",
    re.IGNORECASE,
)
_TO_COME: Final = compile_later(r"(?<!\w)draws?\s+(?:left|to (?:come|go))(?!\w)", re.IGNORECASE)
# while a text is parsed, a character that nobody can type stands for a draw of 0 to 5 cards; a
# second one after it stands for the highest rank that is kept later
_MARK: Final = compile_later("[\ue000-\ue005][\ue010-\ue01c]?")
# "2347 draws one, 87654 pat"; "27 2347 draw 1", where "27" is the game
_BETWEEN: Final = compile_later(
    rf"([\ue000-\ue005][\ue010-\ue01c]?)\s*[,;]\s*(?:and\s+)?(?=(?:{CARD}|{_RANK})[^,;|\n]*[\ue000-\ue005])",
    re.IGNORECASE,
)
_GAME_BEFORE: Final = compile_later(
    rf"^\s*(27|2-7|a5|a-5)\s+(?=(?:(?:{CARD}|{_RANK})[\s-]?){{3,5}}\s*[\ue000-\ue005])",
    re.IGNORECASE,
)
_FIRST: Final = 0xE000  # the mark for drawing no card
_FIRST_RANK: Final = 0xE010  # the mark for keeping deuces
_USUAL_LIMITS: Final = "89T"  # offered if a question names none
_SIDES: Final = compile_later(rf"((?<!\w){VERSUS}(?!\w)|[|\n])", re.IGNORECASE)
_TAIL: Final = compile_later(rf"[,;.]|(?<!\w){DEAD_WORD}(?!\w)", re.IGNORECASE)
_RANKS: Final = compile_later(
    rf"(?<![\w:]){_RANK}(?:[\s-]?{_RANK}){{0,4}}(?![\w%+@])", re.IGNORECASE
)
_CARDS: Final = compile_later(rf"(?<!\w)(?:{CARD}[\s,]*)+(?!\w)", re.IGNORECASE)
_ONE_RANK: Final = compile_later(_RANK, re.IGNORECASE)
_FIVE: Final = 5
_LETTERS: Final = str.maketrans("♣♦♥♠", "cdhs")


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws left in a question, and the rank up to which each player keeps cards."""

    number: int  # of draws left
    limits: tuple[int | None, ...]  # deuce 0 ... ace 12; None for a player who draws once

    def drawing(self, scenario: Scenario) -> Drawing:
        """Return the `Drawing` for the question's scenario; players beyond `limits` draw once."""
        ranking = scenario.rules.ranking
        limits = [None if rank is None else order_of(ranking, rank) for rank in self.limits]
        limits += [None] * (len(scenario.players) - len(limits))
        return Drawing(self.number, tuple(limits))


def split_draws(
    texts: Sequence[str], game: str | ShowdownRules | None
) -> tuple[list[str], str | ShowdownRules | None, Draws | None]:
    """Cut draws out of `texts`, leaving the cards that players keep; return texts, game and draws.

    The game is a key or rules. The returned draws are None if only one draw is left. If no text
    has a draw, or the game's key is unknown, the texts are returned unchanged. Raises
    `TextError` if a draw isn't understood, if the game isn't clear or has no draws, or if a
    player's limit for later draws is missing.
    """
    marked = [_CLAUSE.sub(_as_mark, in_letters(text.translate(_LETTERS))) for text in texts]
    if not any(map(_MARK.search, marked)):
        if any(map(_TO_COME.search, texts)):
            reason = Reason("say how many cards each player draws, or pat")
            raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
        return list(texts), game, None
    marked = [_BETWEEN.sub(r"\1 vs ", _GAME_BEFORE.sub(r"\1: ", text)) for text in marked]
    if any(map(_UNREAD_UNTIL.search, marked)):
        reason = Reason("after until, write the highest rank that a player keeps, such as 9")
        raise TextError(DRAWS, reason, LATER_DRAWS_EXAMPLE)
    number = max(map(_draws_left, marked))
    check_number(number)
    named = named_game([_DRAWS_LEFT.sub("", text) for text in marked])
    if game is not None:
        named.check(game if isinstance(game, ShowdownRules) else game_key(game) or game)
    if not isinstance(game, ShowdownRules):
        game = (game_key(game) or game if game else None) or named.key or _game_by(named.texts)
        if game is None:
            typed = " vs ".join(texts)
            suited = all(_CARDS.search(side) for text in marked for side in _SIDES.split(text)[::2])
            games = ("draw", "27", "a5") if suited else ("27", "a5")
            choices = tuple(f"{name}: {typed}" for name in games)
            raise UnclearHands(" vs ".join(texts), choices, "draw")
    rules = game if isinstance(game, ShowdownRules) else PRESETS.get(game)
    if rules is None:
        return list(texts), game, None  # the parser says that it isn't a game
    if rules.public or rules.usable_private < rules.private or rules.private > _FIVE:
        reason = Reason("draws go with five-card draw, 2-7, A-5 and badugi")
        raise TextError(DRAWS, reason, DRAWS_EXAMPLE)
    sides = _Sides(rules, named.texts)
    unmarked = sides.texts()
    if number == 1:
        return unmarked, game, None
    if sides.lacks_limit:
        raise _which_limit(texts)
    return unmarked, game, Draws(number, tuple(sides.limits))


def _as_mark(match: re.Match[str]) -> str:
    many, until = (match["many"] or "0").lower(), (match["until"] or "").lower()
    mark = chr(_FIRST + (int(many) if many.isdecimal() else _NUMBERS[many]))
    if until:
        words = dict(zip(_RANK_WORDS, "789TJQK", strict=True))
        rank = words.get(until, until.upper().replace("10", "T"))
        mark += chr(_FIRST_RANK + RANK_CHARS.index(rank))
    return f" {mark} "


def _draws_left(text: str) -> int:
    """Return the number of draws left that a text names; 1 if it names none."""
    match = _DRAWS_LEFT.search(text)
    if match is None:
        return 1
    many = match["many"].lower()
    return int(many) if many.isdecimal() else _NUMBERS.get(many, 1)


def _which_limit(texts: Sequence[str]) -> UnclearDraw:
    """Return the error that asks for the highest rank that players keep, and suggests answers."""

    def with_limit(text: str, rank: str) -> str:
        def add(match: re.Match[str]) -> str:
            draws = match["many"] and match["until"] is None
            return f"{match[0].rstrip()} until {rank}" if draws else match[0]

        return _CLAUSE.sub(add, in_letters(text)).strip()

    choices = tuple(" vs ".join(with_limit(text, rank) for text in texts) for rank in _USUAL_LIMITS)
    return UnclearDraw(" vs ".join(texts), choices)


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
    return ord(mark[0][0]) - _FIRST


def _limit(mark: re.Match[str]) -> int | None:
    return ord(mark[0][1]) - _FIRST_RANK if len(mark[0]) > 1 else None


def _head(side: str) -> str:
    """Return the part of a player's text with the kept cards; draw marks become spaces."""
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
    """The players' texts in a question with draws. Adds suits to ranks that were typed without."""

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
        self.limits: list[int | None] = []
        self.lacks_limit = False  # a player who draws some cards, with no limit for later draws

    def texts(self) -> list[str]:
        """Return the texts with suits, and without the characters that stand for draws.

        Raises `TextError` if cards don't make a hand, or if ranks lack suits that matter.
        """
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
        """Return a player's text without the mark of a draw; ranks without suits get suits.

        Adds the player's limit to `limits`. Raises `TextError` if the cards kept and drawn don't
        make a hand.
        """
        mark = _MARK.search(side)
        head, plain = _head(side), _MARK.sub(" ", side)
        held = _held(head)
        drawn = 0 if mark is None else _number(mark)
        limit = None if mark is None or not drawn else _limit(mark)
        self.limits.append(limit)
        self.lacks_limit |= bool(drawn) and limit is None
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
        """Return unused cards of these ranks as a text; two or more cards have at least two suits.

        Raises `TextError` if there are too few unused cards.
        """
        free = [
            [
                str(card)
                for card in (Card.of(Rank(RANK_CHARS.index(rank)), suit) for suit in Suit)
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

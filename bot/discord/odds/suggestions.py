"""Suggest how to complete a showdown question: games, example questions, the next card.

Nothing is counted or parsed as a question here. A suggestion depends on the last word, on the
keyword before it ("vs", "board", "dead"), and on the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.language.catalogues import spoken
from bot.language.questions import question_in_english
from bot.language.wordings import cards_in_letters
from engine.cards import Cards
from engine.odds.showdown.games import GAMES, ShowdownGame, ShowdownRules
from engine.odds.showdown.question import game_named

LONGEST: Final = 100  # characters of a suggestion
_EXAMPLES: Final = (
    "AhKd vs QQ",
    "AhKh vs random",
    "AKs vs TT+, board 9h 5h 2c",
    "AA vs KK vs QQ",
    "AsKs, 3 opponents",
    "deuces wild, AhKd vs QQ",
    "JTs, flop two pair+",
    "AhKd vs QQ, when board pairs",
)
_OPPONENTS: Final = ("QQ", "random", "AKs", "TT+", "2 random", "15%")
_OMAHA_OPPONENTS: Final = ("random", "AA**", "KK**", "2 random")
_FLOPS: Final = ("9h 5h 2c", "Ks 8d 3c", "Qd Jd 9s", "7c 7h 2d")
_RANK: Final = r"(?:10|[2-9tjqka])"
_CARD: Final = rf"{_RANK}[cdhs]"
_CARDS: Final = re.compile(rf"(?P<cards>(?:{_CARD})*)(?P<rest>1|{_RANK})?", re.IGNORECASE)
_ONE_CARD: Final = re.compile(_CARD, re.IGNORECASE)
# doesn't match the "ah" of "omaha"
_RUN: Final = re.compile(rf"(?<!\w)(?:{_CARD})+", re.IGNORECASE)
_RANGE: Final = re.compile(rf"(?P<high>{_RANK})(?P<low>{_RANK})(?P<end>[so]?\+?)", re.IGNORECASE)
_HELD: Final = re.compile(
    rf"(?:{_CARD})+|{_RANK}{{2}}[so]?[+-]?|\d{{1,2}}%|random|\S+\*\*", re.IGNORECASE
)
_LAST_WORD: Final = re.compile(r"[^\s,;:/|()]*$")
_LISTING: Final = re.compile(
    r"(?<!\w)(?:(?P<board>board|flop|on)|(?P<dead>dead)|(?P<hand>vs\.?|v\.?|versus|against))(?!\w)",
    re.IGNORECASE,
)


def showdown_suggestions(
    typed: str, preset: str | None = None, board: str = "", dead: str = ""
) -> list[str]:
    """Return questions that `typed` may become, given the options already chosen.

    `preset` is a key of `GAMES`. Return examples if `typed` is empty, nothing if it is too long.
    """
    if len(typed) > LONGEST:
        return []
    board_letters, dead_letters = (cards_in_letters(cards[:LONGEST]) for cards in (board, dead))
    typing = _Typing(cards_in_letters(typed).lstrip(), preset, board_letters, dead_letters)
    suggested = dict.fromkeys(typing.suggestions())
    return [question for question in suggested if len(question) <= LONGEST]


class _Typing:
    """A question that is being typed: the text before its last word, and that word."""

    def __init__(self, text: str, preset: str | None, board: str, dead: str) -> None:
        last = _LAST_WORD.search(text)
        assert last is not None  # it always matches, if only an empty word
        self.text, self.head, self.word = text, text[: last.start()], last[0]
        english = question_in_english(text, spoken().key)
        listings = list(_LISTING.finditer(question_in_english(self.head, spoken().key)))
        self.listing = (listings[-1].lastgroup or "hand") if listings else ""
        behind = listings[-1].string[listings[-1].end() :] if listings else self.head
        self.listed = len(_cards_in(behind))
        self.key = preset or game_named(english)
        self.named = preset is not None
        self.has_board = bool(board) or self.listing == "board"
        self.typed_cards = len(_cards_in(self.word))
        self.used = set(_cards_in(f"{text} {board} {dead}"))

    @property
    def rules(self) -> ShowdownRules:
        """Return the rules of the named game, or of hold'em."""
        return GAMES[self.key or "holdem"].rules

    def suggestions(self) -> Iterator[str]:
        """Yield all questions, the likeliest first, and the text itself if it may be complete."""
        if not self.text:
            yield from self._examples()
        elif not self.word:
            yield from self._behind_a_word()
        elif self.listing in ("board", "dead"):
            yield from self._listed_cards()
        else:
            yield from self._hands()
            yield from self._words()

    def _examples(self) -> Iterator[str]:
        if self.key is not None and self.rules.private != 2:
            yield f"{GAMES[self.key].hand} vs random"
        elif self.key is not None:
            yield from _EXAMPLES[:2]
        else:
            yield from _EXAMPLES
            yield from (_of_game(key, game) for key, game in GAMES.items() if key != "holdem")

    def _behind_a_word(self) -> Iterator[str]:
        """Yield the text with what may come after its last space or comma."""
        before = self.head.rstrip(" ,;:/|")
        last = _LAST_WORD.search(before)
        if self.listing == "board" and not self.listed:
            yield from (f"{self.head}{flop}" for flop in self._flops())
        elif self.listing in ("board", "dead") or 0 < self.listed < self._hand_size:
            yield from self._next_cards()
        elif last is not None and _HELD.fullmatch(last[0]):
            yield from self._behind_a_hand(before)
        elif self.listing == "hand":
            yield from (f"{self.head}{hand}" for hand in self._opponents())
        elif self.key is not None and not self.named:
            yield f"{self.head}{GAMES[self.key].hand} vs random"

    def _listed_cards(self) -> Iterator[str]:
        cards = _CARDS.fullmatch(self.word)
        if cards is None:
            return
        if cards["rest"]:
            yield from self._next_cards()
            return
        yield self.text
        known = self.listed + self.typed_cards
        if self.listing == "dead" or known < self.rules.public:
            yield from self._next_cards()

    @property
    def _hand_size(self) -> int:
        """Return how many cards a hand has.

        Without a named game, return 2 if at most two cards are typed, else 4 (Omaha).
        """
        if self.key is not None:
            return self.rules.private
        return 2 if self.listed + self.typed_cards <= 2 else 4

    def _hands(self) -> Iterator[str]:
        """Yield the text with each hand or range that its last word may become."""
        cards, ranged = _CARDS.fullmatch(self.word), _RANGE.fullmatch(self.word)
        if ranged is not None and self.rules.private == 2:
            pair = ranged["high"].lower() == ranged["low"].lower()
            endings = {"": ("+",) if pair else ("s", "o"), "s": ("+",), "o": ("+",)}
            yield self.text
            yield from (self.text + end for end in endings.get(ranged["end"].lower(), ()))
            yield from self._behind_a_hand(self.text)
        elif cards is not None:
            held = self.listed + self.typed_cards
            if held >= self._hand_size and not cards["rest"]:
                yield from self._behind_a_hand(self.text)
                return
            if cards["rest"] not in (None, "1", "10") and not held and self.rules.private == 2:
                yield f"{self.head}{cards['rest'].upper() * 2}"
            yield from self._next_cards()
        elif _HELD.fullmatch(self.word):
            yield from self._behind_a_hand(self.text)

    def _behind_a_hand(self, text: str) -> Iterator[str]:
        """Yield `text` with what may follow a player's cards: the next player, or the board."""
        if self.listing:
            yield text
            if self.rules.public and not self.has_board:
                yield from (f"{text}, board {flop}" for flop in self._flops())
        yield from (f"{text} vs {hand}" for hand in self._opponents(text))
        if not self.listing:
            yield f"{text}, 3 opponents"

    def _words(self) -> Iterator[str]:
        """Yield the text with its last word completed to a keyword or a game."""
        begun = self.word.lower()
        if self.head and "vs".startswith(begun):
            yield from (f"{self.head}vs {hand}" for hand in self._opponents())
        if self.head and "board".startswith(begun) and self.rules.public and not self.has_board:
            yield from (f"{self.head}board {flop}" for flop in self._flops())
        if self.listing and "random".startswith(begun):
            yield f"{self.head}random"
        if not self.head and not self.named:
            for key, game in GAMES.items():
                if key.startswith(begun) or game.name.lower().startswith(begun):
                    yield _of_game(key, game)

    def _next_cards(self) -> Iterator[str]:
        """Yield the text with each unused card added.

        If the text ends with part of a card, use only cards that begin with that part.
        """
        cards = _CARDS.fullmatch(self.word)
        if cards is None:
            return
        unfinished = (cards["rest"] or "").lower().replace("10", "t")
        begun = "t" if unfinished == "1" else unfinished
        text = self.text[: len(self.text) - len(cards["rest"] or "")]
        if self.listing in ("board", "dead") and cards["cards"] and not unfinished:
            text += " "
        for card in map(str, self.rules.naturals):
            if card.lower().startswith(begun) and card.lower() not in self.used:
                yield text + card

    def _opponents(self, text: str = "") -> Iterator[str]:
        rules = self.rules
        hands: tuple[str, ...] = ("random", "2 random")
        if rules.private == 2:
            hands = _OPPONENTS
        elif rules.usable_private == 2:
            hands = _OMAHA_OPPONENTS
        if self.key is None and _in_last_word(text) == 4:  # four cards identify the game
            hands = _OMAHA_OPPONENTS
        yield from hands

    def _flops(self) -> Iterator[str]:
        for flop in _FLOPS:
            clash = self.used.intersection(_cards_in(flop))
            if not clash and not Cards.parse(flop) - self.rules.naturals:
                yield flop


def _cards_in(text: str) -> list[str]:
    """Return the cards in a text, each in lower case."""
    runs = (_ONE_CARD.findall(run) for run in _RUN.findall(text))
    return [card.lower().replace("10", "t") for cards in runs for card in cards]


def _in_last_word(text: str) -> int:
    """Return how many cards the last word of a text names."""
    word = _LAST_WORD.search(text)
    return len(_cards_in(word[0])) if word is not None else 0


def _of_game(key: str, game: ShowdownGame) -> str:
    """Return an example question that names the game by its key."""
    return f"{key} {game.hand} vs random"

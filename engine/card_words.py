"""Cards in words, as letters: "ace of hearts" is `Ah`, "ace king suited" `AKs`, "two jokers" `* *`.

What is no card stays as it was typed, so that whoever reads cards says what is wrong with it. A
rank is taken only where it can be nothing else: beside a suit, beside another rank, or as a pair.
"""

from __future__ import annotations

import re
from typing import Final

from engine.bids import Kind
from engine.cards import JOKER_CHAR
from engine.lexicon import ENGLISH_LEXICON, KIND_TOKENS, Lexicon, folded

_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = " \t-‐–"
_JOKER: Final = "joker"  # how it begins in every language of the house
_TWO_LETTERS: Final = re.compile(r"[2-9tjqka]{2}")
_Letters = tuple[str, int]  # and how many words they stand for
_NONE: Final[_Letters] = "", 0


def in_letters(text: str, lexicon: Lexicon = ENGLISH_LEXICON) -> str:
    """The text with the cards in it that are words of this language in letters."""
    found = list(_WORD.finditer(text))
    words = [folded(word[0]) for word in found]
    written, at, first = "", 0, 0
    while first < len(found):
        end = first + 1
        while end < len(found) and not text[found[end - 1].end() : found[end].start()].strip(
            _BETWEEN
        ):
            end += 1
        letters, used = _read(words[first:end], lexicon)
        if used:
            written += text[at : found[first].start()] + letters
            at = found[first + used - 1].end()
        first += used or 1
    return written + text[at:]


def _read(words: list[str], lexicon: Lexicon) -> _Letters:
    """The cards that some words begin with; there is at least one word."""
    if len(words) > 1 and words[0] in lexicon.articles | lexicon.counting:  # "a joker"
        letters, used = _read(words[1:], lexicon)
        if used:
            return letters, used + 1
    for read in (_jokers, _card, _ranks, _pair):
        letters, used = read(words, lexicon)
        if used:
            return letters, used
    return _NONE


def _jokers(words: list[str], lexicon: Lexicon) -> _Letters:
    many = lexicon.counts.get(words[0], 1) if len(words) > 1 else 1
    at = 0 if many == 1 else 1
    return (" ".join([JOKER_CHAR] * many), at + 1) if words[at].startswith(_JOKER) else _NONE


def _card(words: list[str], lexicon: Lexicon) -> _Letters:
    """A rank and its suit, one of them a word."""
    rank = lexicon.one.get(words[0])
    at = 1
    while at < len(words) and words[at] in lexicon.counting:
        at += 1
    if rank is None or at >= len(words):
        return _NONE
    suits = lexicon.all_suits if _is_word(words[0], lexicon) else lexicon.suits
    suit = suits.get(words[at])
    return (rank.char + suit.char, at + 1) if suit is not None else _NONE


def _ranks(words: list[str], lexicon: Lexicon) -> _Letters:
    """Ranks side by side, and whether they are suited."""
    many = 0
    while many < len(words) and words[many] in lexicon.one:
        many += 1
    letters = "".join(lexicon.one[word].char for word in words[:many])
    both, of = letters[:2], 2
    if not many and _TWO_LETTERS.fullmatch(words[0]):  # "AK suited"
        both, of = words[0].upper(), 1
    for end in range(len(words), of, -1) if len(both) == 2 else ():
        said = " ".join(words[of:end])
        if said in lexicon.suited or said in lexicon.offsuit:
            return both + ("s" if said in lexicon.suited else "o"), end
    told = any(_is_word(word, lexicon) for word in words[:many])
    return (letters, many) if many > 1 and told else _NONE


def _pair(words: list[str], lexicon: Lexicon) -> _Letters:
    """Two cards of a rank: "aces", "two aces", "a pair of aces"."""
    at = 0
    while at < len(words) - 1 and _says_two(words[at], lexicon):
        at += 1
    rank = lexicon.several.get(words[at])
    if rank is None or lexicon.card.fullmatch(words[at]):
        return _NONE
    return rank.char * 2, at + 1


def _says_two(word: str, lexicon: Lexicon) -> bool:
    if word in lexicon.counting or lexicon.counts.get(word) == 2:
        return True
    return any(
        pattern.fullmatch(word)
        for pattern, token in lexicon.phrases
        if KIND_TOKENS.get(token.strip()) is Kind.PAIR
    )


def _is_word(word: str, lexicon: Lexicon) -> bool:
    """Whether it names a rank, not by a letter, and is no card either ("as")."""
    return (word in lexicon.singular or word in lexicon.either) and not lexicon.card.fullmatch(word)

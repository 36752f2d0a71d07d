"""Turn cards in words into letters: "ace of hearts" is `Ah`, "ace king suited" `AKs`.

Words that name no card stay as typed, so that the card parser can say what is wrong with them. A
rank is recognised only where it can't mean anything else: next to a suit, next to another rank, or
as a pair.
"""

from __future__ import annotations

import re
from typing import Final

from engine.bids import Kind
from engine.cards import JOKER_CHAR
from engine.lexicon import ENGLISH_LEXICON, KIND_TOKENS, Lexicon, fold_accents

_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = " \t-‐–"
_JOKER: Final = "joker"  # the word begins like this in every language of the bot
_TWO_LETTERS: Final = re.compile(r"[2-9tjqka]{2}")
_Letters = tuple[str, int]  # the letters, and how many words they stand for
_NONE: Final[_Letters] = "", 0


def in_letters(text: str, lexicon: Lexicon = ENGLISH_LEXICON) -> str:
    """Return `text` with each card named in the language's words turned into letters."""
    matches = list(_WORD.finditer(text))
    words = [fold_accents(word[0]) for word in matches]
    written, at, first, end = "", 0, 0, 0
    while first < len(matches):
        # where the words with nothing but spaces or dashes between them end
        end = max(end, first + 1)
        while end < len(matches) and not text[matches[end - 1].end() : matches[end].start()].strip(
            _BETWEEN
        ):
            end += 1
        letters, used = _read(words[first:end], lexicon)
        if used:
            written += text[at : matches[first].start()] + letters
            at = matches[first + used - 1].end()
        first += used or 1
    return written + text[at:]


def _read(words: list[str], lexicon: Lexicon) -> _Letters:
    """Return the cards at the beginning of `words` in letters, and how many words they take up.

    `words` isn't empty. The result is ("", 0) if the words begin with no cards.
    """
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
    """Parse a rank followed by its suit, if at least one of them is a word."""
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
    """Parse two or more adjacent ranks; "suited" or "offsuit" may follow two ranks."""
    count = 0
    while count < len(words) and words[count] in lexicon.one:
        count += 1
    letters = "".join(lexicon.one[word].char for word in words[:count])
    both, of = letters[:2], 2
    if not count and _TWO_LETTERS.fullmatch(words[0]):  # "AK suited"
        both, of = words[0].upper(), 1
    for end in range(len(words), of, -1) if len(both) == 2 else ():
        suffix = " ".join(words[of:end])
        if suffix in lexicon.suited or suffix in lexicon.offsuit:
            return both + ("s" if suffix in lexicon.suited else "o"), end
    has_word = any(_is_word(word, lexicon) for word in words[:count])
    return (letters, count) if count > 1 and has_word else _NONE


def _pair(words: list[str], lexicon: Lexicon) -> _Letters:
    """Parse two cards of one rank: "aces", "two aces", "a pair of aces"."""
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
    """Return whether `word` is a rank's name, not just its letter or a whole card ("as")."""
    return (word in lexicon.singular or word in lexicon.either) and not lexicon.card.fullmatch(word)

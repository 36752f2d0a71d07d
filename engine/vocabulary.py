"""The words for bids: one `Vocabulary` per language, English here.

`vocabulary_of` reads another language from a mapping, for example from a TOML file
(docs/languages.md describes it). A game has its phrases in English; a language translates each, in
the grammatical cases that it needs. The language is always an argument, never a global.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine.bids import Bid, Kind
from engine.cards import Rank, Suit
from engine.errors import TextError
from engine.lexicon import (
    ENGLISH_LEXICON,
    RANK_WORDS,
    SUIT_WORDS,
    TOKENS,
    Lexicon,
    fold_accents,
    phrases_of,
)
from engine.patterns import compile_later

Forms = Mapping[str, str]
T = TypeVar("T", Rank, Suit)
_FORMS: Final = ("one", "several")
_FORM: Final = compile_later(r"(one|several)((?:_[a-z]+)*)")
_EXAMPLE: Final = 'ranks.3 = { one = "trójka", several = "trójki", several_genitive = "trójek" }'


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """One language's words for ranks, suits, kinds of hands and phrases.

    Each form of a rank or suit has a name: "one", "several", and others that the language needs
    ("one_genitive", "several_locative"). `phrases` maps games' English phrases to translations.
    """

    key: str
    ranks: Mapping[Rank, Forms]
    suits: Mapping[Suit, Forms]
    kinds: Mapping[Kind, str]
    phrases: Mapping[str, str]
    lexicon: Lexicon

    def phrase(self, english: str) -> str | None:
        """Return the translation of a game's phrase; None if this language has none."""
        return english if self is ENGLISH else self.phrases.get(english)

    def fields(self, bid: Bid) -> dict[str, str]:
        """Return the words for a bid's phrase, by field name.

        The form "one_genitive" of the first rank has the field name `rank_genitive`, and "several"
        has `ranks`. The form "several" of the second rank has `others`. The form "one" of the suit
        has `suit`.
        """
        words: dict[str, str] = {}
        if bid.ranks:
            for form, word in self.ranks[bid.ranks[0]].items():
                name = form.replace("several", "ranks", 1).replace("one", "rank", 1)
                words[name] = word
        if len(bid.ranks) > 1:
            for form, word in self.ranks[bid.ranks[1]].items():
                if form.startswith("several"):
                    words[form.replace("several", "others", 1)] = word
        if bid.suit is not None:
            for form, word in self.suits[bid.suit].items():
                if form.startswith("one"):
                    words[form.replace("one", "suit", 1)] = word
        return words


ENGLISH: Final = Vocabulary(
    key="en",
    ranks={rank: dict(zip(_FORMS, words, strict=True)) for rank, words in RANK_WORDS.items()},
    suits={suit: dict(zip(_FORMS, words, strict=True)) for suit, words in SUIT_WORDS.items()},
    kinds={kind: kind.label for kind in Kind},
    phrases={},
    lexicon=ENGLISH_LEXICON,
)


def vocabulary_of(key: str, content: Mapping[str, Any]) -> Vocabulary:
    """Return the vocabulary of a language file.

    Raises `TextError` if a rank, suit or kind has no words, or if a form or pattern has an unknown
    name. Raises KeyError if words are listed for an unknown rank or suit.
    """
    ranks = {rank: _forms(content, "ranks", rank.char) for rank in Rank}
    suits = {suit: _forms(content, "suits", suit.char) for suit in Suit}
    kinds = _table(content, "kinds")
    for kind in Kind:
        if kind.value not in kinds:
            raise TextError(kind.value, f"{key}: kinds lacks {kind.value}", 'pair = "para"')
    return Vocabulary(
        key,
        ranks,
        suits,
        {kind: str(kinds[kind.value]) for kind in Kind},
        {english: str(words) for english, words in _table(content, "phrases").items()},
        _lexicon(key, _table(content, "understood"), ranks, suits),
    )


def _table(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = content.get(name, {})
    return table if isinstance(table, Mapping) else {}


def _forms(content: Mapping[str, Any], name: str, char: str) -> Forms:
    forms = _table(_table(content, name), char)
    if not {"one", "several"} <= set(forms):
        raise TextError(char, f"{name}.{char} lacks its forms one and several", _EXAMPLE)
    for form in forms:
        if not _FORM.fullmatch(form):
            reason = f"{name}.{char} has a form {form}, which begins with neither one nor several"
            raise TextError(form, reason, _EXAMPLE)
    return {form: str(word) for form, word in forms.items()}


def _lexicon(
    key: str,
    understood: Mapping[str, Any],
    ranks: Mapping[Rank, Forms],
    suits: Mapping[Suit, Forms],
) -> Lexicon:
    """Return the lexicon: the forms of ranks and suits, and the words listed in `understood`."""
    by_char = {rank.char: rank for rank in Rank}
    singular_words, plural_words = _table(understood, "one"), _table(understood, "several")
    singular = dict(_pairs(ranks, "one", singular_words, by_char))
    plural = dict(_pairs(ranks, "several", plural_words, by_char))
    either = {word: rank for word, rank in singular.items() if plural.get(word) is rank}
    patterns = []
    for name, pattern in _table(understood, "patterns").items():
        if name not in TOKENS:
            reason = f"{key}: understood.patterns has no {name}; it has {', '.join(TOKENS)}"
            raise TextError(name, reason, 'pair = "para|parę"')
        patterns.append((fold_accents(str(pattern)), TOKENS[name]))
    letters = _table(understood, "letters")
    by_suit = {suit.char: suit for suit in Suit}
    return Lexicon(
        singular={word: rank for word, rank in singular.items() if word not in either},
        plural={word: rank for word, rank in plural.items() if word not in either},
        either=either,
        suits=dict(_pairs(suits, "", _table(understood, "suits"), by_suit)),
        counts={
            fold_accents(word): int(number) for word, number in _table(understood, "counts").items()
        },
        phrases=phrases_of(patterns),
        fillers=frozenset(fold_accents(str(word)) for word in understood.get("fillers", ())),
        letters={fold_accents(letter): by_char[str(char)] for letter, char in letters.items()},
        folded=True,
        suited=frozenset(fold_accents(str(words)) for words in understood.get("suited", ())),
        offsuit=frozenset(fold_accents(str(words)) for words in understood.get("offsuit", ())),
        single=frozenset(fold_accents(str(word)) for word in understood.get("single", ())),
        doubts=frozenset(fold_accents(str(word)) for word in understood.get("doubts", ())),
        question=phrases_of(
            (fold_accents(str(pattern)), english)
            for english, pattern in _table(understood, "question").items()
        ),
    )


def _pairs(
    vocabulary: Mapping[T, Forms], begins: str, listed: Mapping[str, Any], by_char: Mapping[str, T]
) -> Iterator[tuple[str, T]]:
    """Yield (word without accents, its rank or suit): first the forms, then the `listed` words.

    Forms whose name doesn't start with `begins` are left out. `by_char` gives the rank or suit
    for each key of `listed`.
    """
    for meaning, forms in vocabulary.items():
        for form, word in forms.items():
            if form.startswith(begins):
                yield fold_accents(word), meaning
    for char, words in listed.items():
        for word in words:
            yield fold_accents(str(word)), by_char[char]

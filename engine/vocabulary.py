"""The words in which bids are said: one `Vocabulary` a language, English here.

Another language is a mapping, such as a TOML file gives, read by `vocabulary_of` (docs/languages.md
describes the file). A game writes its phrases in English; a language says each of them in its own
words and in the cases that its grammar wants. The language is always an argument, never a global.
"""

from __future__ import annotations

import re
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
    folded,
    phrases_of,
)

Forms = Mapping[str, str]
T = TypeVar("T", Rank, Suit)
_FORM: Final = re.compile(r"(one|several)((?:_[a-z]+)*)")
_EXAMPLE: Final = 'ranks.3 = { one = "trójka", several = "trójki", several_genitive = "trójek" }'


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """How one language says ranks, suits, kinds of hands and phrases.

    Forms of a rank or suit go by names: `one` and `several`, and what the language needs besides
    (`one_genitive`, `several_locative`). `phrases` are by the English phrase of a game.
    """

    key: str
    ranks: Mapping[Rank, Forms]
    suits: Mapping[Suit, Forms]
    kinds: Mapping[Kind, str]
    phrases: Mapping[str, str]
    lexicon: Lexicon

    def phrase(self, english: str) -> str | None:
        """What stands for a game's phrase; None if this language has nothing for it."""
        return english if self is ENGLISH else self.phrases.get(english)

    def fields(self, bid: Bid) -> dict[str, str]:
        """What the phrase of a bid may be filled with.

        A form `one_genitive` of the first rank is `{rank_genitive}`, `several` is `{ranks}`; of the
        second rank `several` is `{others}`; of the suit `one` is `{suit}`.
        """
        found: dict[str, str] = {}
        if bid.ranks:
            for form, word in self.ranks[bid.ranks[0]].items():
                name = form.replace("several", "ranks", 1).replace("one", "rank", 1)
                found[name] = word
        if len(bid.ranks) > 1:
            for form, word in self.ranks[bid.ranks[1]].items():
                if form.startswith("several"):
                    found[form.replace("several", "others", 1)] = word
        if bid.suit is not None:
            for form, word in self.suits[bid.suit].items():
                if form.startswith("one"):
                    found[form.replace("one", "suit", 1)] = word
        return found


ENGLISH: Final = Vocabulary(
    key="en",
    ranks={rank: {"one": one, "several": many} for rank, (one, many) in RANK_WORDS.items()},
    suits={suit: {"one": one, "several": many} for suit, (one, many) in SUIT_WORDS.items()},
    kinds={kind: kind.label for kind in Kind},
    phrases={},
    lexicon=ENGLISH_LEXICON,
)


def vocabulary_of(key: str, told: Mapping[str, Any]) -> Vocabulary:
    """The vocabulary of a language file. Raises `TextError`: one sentence on what is missing."""
    ranks = {rank: _forms(told, "ranks", rank.char) for rank in Rank}
    suits = {suit: _forms(told, "suits", suit.char) for suit in Suit}
    kinds = _table(told, "kinds")
    for kind in Kind:
        if kind.value not in kinds:
            raise TextError(kind.value, f"{key}: kinds lacks {kind.value}", 'pair = "para"')
    return Vocabulary(
        key,
        ranks,
        suits,
        {kind: str(kinds[kind.value]) for kind in Kind},
        {english: str(words) for english, words in _table(told, "phrases").items()},
        _lexicon(key, _table(told, "understood"), ranks, suits),
    )


def _table(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = told.get(name, {})
    return found if isinstance(found, Mapping) else {}


def _forms(told: Mapping[str, Any], name: str, char: str) -> Forms:
    forms = _table(_table(told, name), char)
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
    """What is said is understood too, and beside it what the file lists under `understood`."""
    by_char = {rank.char: rank for rank in Rank}
    one, several = _table(understood, "one"), _table(understood, "several")
    singular = dict(_pairs(ranks, "one", one, by_char))
    plural = dict(_pairs(ranks, "several", several, by_char))
    either = {word: rank for word, rank in singular.items() if plural.get(word) is rank}
    patterns = []
    for name, pattern in _table(understood, "patterns").items():
        if name not in TOKENS:
            reason = f"{key}: understood.patterns has no {name}; it has {', '.join(TOKENS)}"
            raise TextError(name, reason, 'pair = "para|parę"')
        patterns.append((folded(str(pattern)), TOKENS[name]))
    letters = _table(understood, "letters")
    by_suit = {suit.char: suit for suit in Suit}
    return Lexicon(
        singular={word: rank for word, rank in singular.items() if word not in either},
        plural={word: rank for word, rank in plural.items() if word not in either},
        either=either,
        suits=dict(_pairs(suits, "", _table(understood, "suits"), by_suit)),
        counts={folded(word): int(number) for word, number in _table(understood, "counts").items()},
        phrases=phrases_of(patterns),
        fillers=frozenset(folded(str(word)) for word in understood.get("fillers", ())),
        letters={folded(letter): by_char[str(char)] for letter, char in letters.items()},
        folded=True,
        suited=frozenset(folded(str(words)) for words in understood.get("suited", ())),
        offsuit=frozenset(folded(str(words)) for words in understood.get("offsuit", ())),
        single=frozenset(folded(str(word)) for word in understood.get("single", ())),
        doubts=frozenset(folded(str(word)) for word in understood.get("doubts", ())),
        question=phrases_of(
            (folded(str(pattern)), english)
            for english, pattern in _table(understood, "question").items()
        ),
    )


def _pairs(
    said: Mapping[T, Forms], begins: str, listed: Mapping[str, Any], by_char: Mapping[str, T]
) -> Iterator[tuple[str, T]]:
    """Folded words and what they name: the forms that are said, then further ones."""
    for named, forms in said.items():
        for form, word in forms.items():
            if form.startswith(begins):
                yield folded(word), named
    for char, words in listed.items():
        for word in words:
            yield folded(str(word)), by_char[char]

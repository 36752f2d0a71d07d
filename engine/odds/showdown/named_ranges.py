"""Named ranges in a question: "btn vs QQ+" with the hands that "btn" stands for.

A name can replace any term of a range, also next to `:`, `!` and `@`. Before a colon it is a
player's name, like any other word. A position right before a hand, as in "BTN AhKh vs BB QQ", is a
player's name unless a range has that name. `definitions` parses a text that names a range. This
module is loaded only if a question comes with named ranges.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from engine.errors import Reason, TextError, reason_template
from engine.lexicon import strip_accents
from engine.odds.showdown.question_words import DEFINITION, DEFINITION_EXAMPLE, POSITION
from engine.odds.showdown.ranges import is_hands, split_terms
from engine.patterns import compile_later

LONGEST_NAME: Final = 20
NAME: Final = compile_later(rf"(?=.{{2,{LONGEST_NAME}}}$)(?=.*[^\W\d_])\w+(?:[-+]\w+)*")
_EITHER: Final = " \N{LOGICAL OR} "  # stands for "or" in a question with "vs"
_AND: Final = compile_later(r"\s+and\s+|\s*&\s*")
_OPERATOR: Final = compile_later("([:!])")
_POSITION: Final = compile_later(rf"({POSITION})\s+")
_EVERYTHING: Final = "100%"
_MOST_TERMS: Final = 1000  # of all names in one term
_CARD_WORD: Final = reason_template('"{word}" isn\'t a card')
_RANGE_WORD: Final = reason_template('"{term}" isn\'t a range of hands')
_HAND_LETTERS: Final = frozenset("23456789tjqkacdhsox*10")


def name_key(name: str) -> str:
    """Return the form in which names are compared: without capitals and accents."""
    return strip_accents(unicodedata.normalize("NFKC", name).lower())


def without_brackets(hands: str) -> str:
    """Return `hands` without the round brackets that enclose them, if there are any."""
    return hands[1:-1] if hands.startswith("(") and hands.endswith(")") else hands


def unknown_word(error: TextError) -> str | None:
    """Return the word that `error` says is unknown, as a `name_key`; None for other errors."""
    reason = error.reason
    if not isinstance(reason, Reason) or reason.template not in (_CARD_WORD, _RANGE_WORD):
        return None
    (word,) = reason.facts.values()
    return name_key(str(word).strip("!()…"))


def explain_unknown(error: TextError, ranges: Mapping[str, str]) -> TextError:
    """Return an error about named ranges if the unknown word may be a name, else `error`."""
    word = unknown_word(error)
    if word is None or not NAME.fullmatch(word) or set(word) <= _HAND_LETTERS:
        return error
    assert isinstance(error.reason, Reason)
    (typed,) = error.reason.facts.values()
    if NAME.fullmatch(error.text):  # "utg+1", not just "utg"
        typed = error.text
    reason = (
        Reason(
            '"{word}" is neither cards nor one of your ranges: {names}',
            word=typed,
            names=tuple(sorted(ranges)),
        )
        if ranges
        else Reason('"{word}" is neither cards nor a range that you named', word=typed)
    )
    return TextError(DEFINITION, reason, DEFINITION_EXAMPLE)


class Expander:
    """Replaces the names of ranges by their hands in the sides of a question."""

    def __init__(self, ranges: Mapping[str, str]) -> None:
        self._terms = {name_key(name): text for name, text in ranges.items()}
        self._parsed: dict[str, list[tuple[str, Fraction]]] = {}

    def expand(self, sides: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the sides with ranges in place of names, and the players' names.

        If a side becomes several players, the first keeps its name. A player without a name whose
        side is only a range's name gets that name. Raises `TextError` if a name is next to a hand
        without a comma, for a wrong weight, and if the ranges become too long.
        """
        new_sides: list[str] = []
        new_names: list[str] = []
        named = zip(sides, names, strict=True)
        for side, name in (player for both in named for player in self._with_position(*both)):
            together = len(sides) == 1 and self._has_name(side)
            parts = _AND.split(side) if together else [side]
            for part in parts:
                players = self._players(part)
                new_sides += players
                is_name = name_key(part) in self._terms
                new_names += [name or (part if is_name else ""), *[""] * (len(players) - 1)]
                name = ""
        return new_sides, new_names

    def _with_position(self, side: str, name: str) -> list[tuple[str, str]]:
        """Return (hands, name) for each player of a side: usually the side and its `name`.

        The positions before hands are names. A position before each piece between commas means that
        each is a player.
        """
        for pieces in (re.split(r"\s*[,;]\s*", side), [side]):
            seats = [match for match in map(_POSITION.match, pieces) if match]
            is_range = any(name_key(seat[1]) in self._terms for seat in seats)
            if not name and not is_range and len(seats) == len(pieces):
                return [(seat.string[seat.end() :], seat[1]) for seat in seats]
        return [(side, name)]

    def _players(self, side: str) -> list[str]:
        """Return the players of a side: usually one.

        If the side has a name and whole hands separated by commas, each piece is a player.
        """
        if not self._has_name(side):
            return [side]
        bracketed = side.startswith("(") and side.endswith(")")
        pieces = [piece.strip() for piece in re.split("[,;]", without_brackets(side))]
        for piece in pieces:
            self._check_apart(piece)
        if any(map(is_hands, pieces)) and not bracketed:
            return [self._expand(piece) for piece in pieces if piece]
        return [self._expand(side)]

    def _check_apart(self, piece: str) -> None:
        """Raise `TextError` for a name next to a hand: "btn AhKh" may mean one player or two."""
        words = piece.replace(_EITHER, " ").split()
        name = next((word for word in words if name_key(word) in self._terms), None)
        if name is not None and len(words) > 1 and _EITHER not in piece:
            reason = Reason('put a comma or vs between "{name}" and the hand next to it', name=name)
            raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE)

    def _has_name(self, side: str) -> bool:
        return any(
            name_key(atom) in self._terms
            for word in re.split(r"[\s,;()&]+", side)
            for atom in _OPERATOR.split(word.partition("@")[0])
        )

    def _expand(self, side: str) -> str:
        """Return a side as one range in brackets, without names; unchanged if it has no names."""
        if not self._has_name(side):
            return side
        terms: list[str] = []
        for part in re.split("[,;]", without_brackets(side.replace(_EITHER, ", "))):
            if self._has_name(part):
                terms += [term for word in part.split() for term in self._expand_term(word)]
            else:
                terms.append(part.strip())
        return f"({', '.join(filter(None, terms))})"

    def _expand_term(self, word: str) -> list[str]:
        """Return the terms that replace a term in which ranges are named."""
        expression, _, typed = word.partition("@")
        factor = _share(typed, word) if typed else Fraction(1)
        taken = expression.startswith("!")
        first, *others = _OPERATOR.split(expression.removeprefix("!"))
        chains = self._terms_of(first)
        for sign, atom in zip(others[::2], others[1::2], strict=True):
            terms = self._terms_of(atom)
            if sign == ":":
                chains = [
                    (f"{chain}:{term}", share * weight)
                    for chain, share in chains
                    for term, weight in terms
                ]
            else:
                for term, _ in terms:
                    chains = [
                        (f"{chain}{flip}", share)
                        for chain, share in chains
                        for flip in _flips(term)
                    ]
                    _check_size(chains)
            _check_size(chains)
        if taken:  # a term that takes hands away has no weight
            return [f"!{chain}" + (f"@{typed}" if typed else "") for chain, _ in chains]
        return [chain + _per_cent(factor * share) for chain, share in chains]

    def _terms_of(self, atom: str) -> list[tuple[str, Fraction]]:
        """Return an atom as terms with weights; for a name, these are the terms of its range."""
        key = name_key(atom)
        if key not in self._terms:
            return [(atom, Fraction(1))]
        if key not in self._parsed:
            self._parsed[key] = _positive_terms(self._terms[key])
        return self._parsed[key]


def _positive_terms(text: str) -> list[tuple[str, Fraction]]:
    """Return a range's text as weighted terms, none of which begins with `!`."""
    terms = split_terms(text)
    gone = "".join(
        term for term in terms if term.startswith("!") and not _OPERATOR.search(term[1:])
    )
    compound = [term[1:] for term in terms if term.startswith("!") and _OPERATOR.search(term[1:])]
    added = [term for term in terms if not term.startswith("!")] or [_EVERYTHING]
    positive = []
    for term in added:
        expression, _, weight = term.partition("@")
        chains = [expression + gone]
        for taken in compound:
            chains = [chain + flip for chain in chains for flip in _flips(taken)]
        positive += [(chain, _share(weight, term) if weight else Fraction(1)) for chain in chains]
        _check_size(positive)
    return positive


def _flips(term: str) -> list[str]:
    """Return endings that together exclude `term`: for "a:b!c" they are "!a", "!b" and ":c".

    Take another term, add each ending in turn, and unite the results: this is the other term
    without the hands of `term`.
    """
    first, *others = _OPERATOR.split(term)
    pairs = zip(others[::2], others[1::2], strict=True)
    return [f"!{first}", *(f"{'!' if sign == ':' else ':'}{atom}" for sign, atom in pairs)]


def _check_size(terms: Iterable[object]) -> None:
    if len(list(terms)) > _MOST_TERMS:
        reason = Reason("these ranges are too long together")
        raise TextError(DEFINITION, reason, DEFINITION_EXAMPLE)


def _share(weight: str, term: str) -> Fraction:
    """Return a weight in per cent as a share.

    Raises `TextError` if the weight isn't a number above 0 and at most 100.
    """
    try:
        share = Fraction(weight.rstrip("%")) / 100
    except ValueError:
        share = Fraction(0)
    if not 0 < share <= 1:
        reason = Reason('"{term}": a weight is above 0 and at most 100 per cent', term=term)
        raise TextError(DEFINITION, reason, '"QQ@50, AKs@25"')
    return share


def _per_cent(share: Fraction) -> str:
    """Return the end of a term with this weight, such as "@50%", or "" for the weight 1."""
    if share == 1:
        return ""
    return f"@{max(round(float(100 * share), 2), 0.01):g}%"

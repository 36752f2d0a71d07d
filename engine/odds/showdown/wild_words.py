"""Parse wild cards in a question: "deuces wild", "(wild cards: 2c 2d)", "two jokers wild".

They have a clause of their own, or come between the hands and the end: "... with deuces and two
jokers wild". The module is loaded only if a text has the word "wild".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.cards import Cards, Rank, rank_bits
from engine.errors import Reason, TextError
from engine.lexicon import ENGLISH_LEXICON
from engine.odds.showdown.question_words import (
    CARD,
    COUNTED,
    LONGEST,
    TYPED_CARD,
    WILD,
    WRAPPED,
    number_of,
)
from engine.patterns import compile_later

# words for pairs in other languages are left out
_RANKS: Final = {word: rank for word, rank in ENGLISH_LEXICON.several.items() if len(word) > 3}
_NAMED: Final = {"one-eyed jacks": "Jh Js", "suicide king": "Kh"}
_PAIRS: Final = {rank.char.lower() * 2: rank for rank in Rank}
_JOKERS: Final = rf"(?:(?:\d{{1,2}}|{COUNTED})\s+)?jokers?|\*(?:\s*\*)+"
_LETTERED: Final = compile_later(rf"\*|(?<!\w)(?:{'|'.join(_PAIRS)})(?!\w)", re.IGNORECASE)
_WILD_ONE: Final = rf"(?:(?:the|all)\s+)?(?:{'|'.join((*_NAMED, *_RANKS, *_PAIRS, _JOKERS))})"
_WILD_ONES: Final = rf"{_WILD_ONE}(?:(?:\s+and\s+|\s*&\s*){_WILD_ONE})*"
_WILD_CARDS: Final = rf"{TYPED_CARD}(?:(?:\s+and|,)?\s*{TYPED_CARD})*"
# other phrases for it: "two wild jokers", "the deuce is wild"
_JOKERS_BEHIND: Final = compile_later(
    rf"(?<!\w)(\d{{1,2}}|{COUNTED})\s+wild\s+(jokers?)(?!\w)", re.IGNORECASE
)
_ONE_RANK: Final = "|".join(re.sub("(?<=x)es$|s$", "", word) for word in _RANKS)
_THE_ONE: Final = compile_later(rf"(?<!\w)the\s+({_ONE_RANK})\s+is\s+wild(?!\w)", re.IGNORECASE)
_WILD: Final = compile_later(
    r"(?P<lead>^|[,;(\[\n]|(?<=\S)\s)\s*(?:(?:and|with)\s+)?"
    rf"(?:(?P<ones>{_WILD_ONES})\s+(?:(?:are|is)\s+)?wild(?:\s+cards?)?"
    rf"|wild\s*(?:cards?)?(?:\s+(?:are|is))?\s*:?\s*(?P<behind>{_WILD_ONES})"
    rf"|wild\s*(?:cards?(?:\s+(?:are|is))?\s*:?|:)\s*(?P<cards>{_WILD_CARDS}))"
    rf"\s*(?P<end>$|[,;:.)\]\n]|(?(cards)(?!)|(?={CARD})))",
    re.IGNORECASE,
)
_WILD_WORD: Final = compile_later(r"(?<![a-z])wild", re.IGNORECASE)
_HAND_AMONG: Final = compile_later(rf"[,\s]{TYPED_CARD}{TYPED_CARD}", re.IGNORECASE)
_ONE_CARD: Final = compile_later(rf"{TYPED_CARD}(?!{TYPED_CARD})", re.IGNORECASE)
_LISTED: Final = compile_later(_WILD_ONES, re.IGNORECASE)
# words after which "wild" needs no comma: cards, a term of a range, a game
_HELD: Final = compile_later(
    rf"(?:{CARD})+|(?:10|[2-9tjqka]){{2}}[so]?[+-]?|\d+%|random|{'|'.join(_RANKS)}"
    r"|\S*(?:em|draw|stud|razz|deck|badugi)|(?:omaha|plo)\d*",
    re.IGNORECASE,
)


def split_wild(texts: Sequence[str]) -> tuple[list[str], Cards, int]:
    """Return the texts without clauses about wild cards, the wild cards, and the number of jokers.

    Raises `TextError` if wild cards have no clause of their own, since "deuces" may also be a pair.
    """
    wild, jokers, left = Cards(), 0, []
    for text in texts:
        if len(text) > LONGEST or _WILD_WORD.search(text) is None:
            left.append(text)
            continue
        remaining = _JOKERS_BEHIND.sub(r"\1 \2 wild", WRAPPED.sub(r"\1", text))
        remaining = _THE_ONE.sub(lambda clause: re.sub("x$", "xe", clause[1]) + "s wild", remaining)
        while (clause := _WILD.search(remaining)) is not None:
            before, after = remaining[: clause.start()], remaining[clause.end() :]
            _check_alone(before, clause, after)
            for phrase in re.split(
                r"\s+and\s+|&", (clause["ones"] or clause["behind"] or "").lower()
            ):
                name = re.sub(r"^(?:the|all)\s+", "", phrase.strip())
                rank = _RANKS.get(name, _PAIRS.get(name))
                wild |= Cards() if rank is None else Cards(rank_bits(rank))
                wild |= Cards.parse(_NAMED.get(name, ""))
                jokers += _jokers_in(name)
            wild |= Cards.parse(re.sub(r"and|,", " ", clause["cards"] or "", flags=re.IGNORECASE))
            remaining = before + ("" if clause["lead"].strip() and clause["end"] else " ")
            remaining += ("" if clause["lead"].strip() in ("", "(", "[") else clause["end"]) + after
        if _WILD_WORD.search(remaining):
            raise _unclear_wild()
        left += [remaining.strip()] if remaining.strip() else []
    return left or [""], wild, jokers


def _unclear_wild() -> TextError:
    reason = Reason("it isn't clear which cards are wild")
    return TextError(WILD, reason, '"AsAh vs KsKh, deuces wild"')


def _check_alone(before: str, clause: re.Match[str], after: str) -> None:
    """Raise `TextError` if it is unclear where the list of wild cards begins or ends."""
    lead, end = clause["lead"].strip(), clause["end"]
    previous = re.split(r"[,;:.()\[\]\n]", before)[-1].strip()
    if lead == "," and clause["ones"] and _LISTED.fullmatch(previous):
        raise _unclear_wild()
    following = re.split(r"[,;:.()\[\]\n]", after)[0].strip()
    if end == "," and not clause["ones"] and _LISTED.fullmatch(following):
        raise _unclear_wild()
    # "wild: 2c, AsAh": is AsAh wild, or a hand?
    if clause["cards"] and _HAND_AMONG.search(clause["cards"]):
        raise _unclear_wild()
    # "wild: 2c, 2d vs AsAh": is 2d wild, or a hand?
    if clause["cards"] and _ONE_CARD.match(following):
        raise _unclear_wild()
    if not lead and before.strip():  # right after a hand, without a comma
        held = before.split()[-1]
        if not clause["ones"] or _LETTERED.search(clause["ones"]) or not _HELD.fullmatch(held):
            raise _unclear_wild()


def _jokers_in(phrase: str) -> int:
    """Return the number of jokers in a phrase; "jokers" without a number means two."""
    if "joker" not in phrase:
        return phrase.count("*")
    counted = phrase.split()[0]
    return number_of(counted) if counted[:5] != "joker" else 2 if phrase == "jokers" else 1

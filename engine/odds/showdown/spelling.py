"""Bring the ways in which people write cards and ranges into one spelling.

For example, "QQ or better" becomes "qq+". Ranges and questions in words get this spelling before
they are parsed. Any other text becomes lower case, with plain dashes and round brackets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from engine.errors import UnclearHands, UnclearWeight
from engine.odds.showdown.range_terms import RANK_SET
from engine.patterns import compile_later

_RANK: Final = "(?:10|[2-9tjqka])"
_SUIT: Final = "[cdhs]"
_CARD: Final = rf"(?:{_RANK}{_SUIT}|{_SUIT}{_RANK})"
_SUITS: Final = str.maketrans(
    {
        **dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)),
        "❤": "h",
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\ufe0e\ufe0f"),
        "{": "[",
        "}": "]",
    }
)
_SIGNS: Final = str.maketrans(
    {
        **dict(zip("♧♢♡♤", "♣♦♥♠", strict=True)),
        "❤": "♥",
        "🆚": " vs ",
        **dict.fromkeys("\ufe0e\ufe0f"),
    }
)
# "[50]QQ, JJ[/50]", as range tools write a weight around hands
_WEIGHED: Final = compile_later(
    r"\[(\d{1,3}(?:\.\d+)?)%?\](.*?)\[/\s*(?:\1%?)?\s*\]", words=("[/",)
)
_BRACKETS: Final = compile_later(r"\[([^\[\]]*)\]", words=("[",))
# "[A-T]", "[A,K,Q]", and "$B" as other tools define it; but "$rb" and so on are suits or pairs
_SPAN: Final = compile_later(rf"\[\s*({_RANK})\s*-\s*({_RANK})\s*\]", re.IGNORECASE)
_LIST: Final = compile_later(rf"\[\s*({_RANK}(?:[\s,]*{_RANK})+)\s*\]", re.IGNORECASE)
_MACRO: Final = compile_later(r"\$(?!(?:ds|ss|rb|np|op|tp)(?!\w))([bmzlnfrw])", re.IGNORECASE)
_MACROS: Final = {
    "b": "akqj", "m": "t987", "z": "65432", "l": "8765432a", "n": "kqjt9", "f": "kqj",
    "r": "akqjt", "w": "5432a",
}  # fmt: skip
_DOWNWARDS: Final = "akqjt98765432"
# "QQ:0.5", as solvers write it
_OF_ONE: Final = compile_later(r"(?<=[\w+*-]):(0?\.\d+|0|1(?:\.0+)?)(?![\w.%])", words=(":",))
_KIND: Final = rf"(?<![\w+-])({_RANK}{_RANK}[so]?)"
_BETTER: Final = ("better", "higher", "stronger", "above", "over", "up", "more")
_WORSE: Final = ("worse", "lower", "weaker", "below", "under", "down", "less")
_OR_BETTER, _OR_WORSE = (
    compile_later(rf"{_KIND}\s+(?:or|and)\s+(?:{'|'.join(words)})(?!\w)", words=words)
    for words in (_BETTER, _WORSE)
)
_LONE_RANKS: Final = compile_later(  # but in "5 to 10" the word "to" is no ten
    rf"(?<![\w@.%:+-]){_RANK}(?: +{_RANK})+(?!(?<= t)o +[\da-z])"
    r"(?=[so]?(?:[+-]|[\s,;)@:!]|$))(?!\s+(?!off(?!\w))[a-z]{3})",
    words=(" ",),
)
# ".5%", "5 to 10%", "between 5% and 10%"
_POINT: Final = compile_later(r"(?<![\w.])\.(?=\d+\s*%)", words=("%",))
_SHARES: Final = compile_later(
    r"(?<![\w.%-])(?:from\s+|(between)\s+)?(\d{1,3}(?:\.\d+)?)\s*%?\s+(?:to|thru|through|(?(1)and|to))"
    r"\s+(\d{1,3}(?:\.\d+)?)\s*%",
    words=("%",),
)
# "AKhh" and "QQhc": the ranks, then the suit of each; "ss" and "ds" are suits of a hand in Omaha
_SUITS_BEHIND: Final = compile_later(
    rf"(?<![\w$])({_RANK})({_RANK})(?!ss|ds)([cdhs])([cdhs])(?![\w*])"
)
_JOINED: Final = compile_later(rf"(?<![\w/-]){_CARD}(?:[/-]{_CARD})+(?![\w/-])", words=("/", "-"))
_SUIT_FIRST: Final = compile_later(rf"(?<![\w\]])(?={_CARD}*{_SUIT}{_RANK}){_CARD}+(?!\w)")
_SUIT_RANK: Final = compile_later(rf"({_RANK}{_SUIT})|({_SUIT})({_RANK})")
# "10-10", "A-Ks", "A-x"
_DASHED: Final = compile_later(
    rf"(?<![\w+-])({_RANK})-({_RANK}|x)([so]?)(?![\w-]|\.\d|\s?%)", words=("-",)
)
_APART_X: Final = compile_later(r"(?<!\w)([2-9tjqka]) x(?=[so]?(?:$|[\s,;)]))", words=(" x",))
_AKOS: Final = compile_later(rf"(?<!\w)({_RANK}{_RANK})os(?!\w)", words=("os",))
_AK_S: Final = compile_later(rf"(?<!\w)({_RANK}{_RANK})\(([so])\)", words=("(s)", "(o)"))
# "QQ:50%" is half of the queens: all or none of them are among the strongest half
_PART_BEHIND: Final = compile_later(
    rf"(?<![\w:!@-])({_RANK}{_RANK}[so]?):(\d{{1,3}}(?:\.\d+)?)%(?![\w%-])",
    words=("%",),
)
_TO: Final = compile_later(
    rf"{_KIND}\s+(?:to|thru|through)\s+(?={_RANK}{_RANK})", words=("to", "thr")
)
# "QQ(50%)", and "50% of QQ"
_WEIGHT_BEHIND: Final = compile_later(r"(?<=[\w+*-])\((\d{1,3}(?:\.\d+)?)%\)", words=("%)",))
_PART_OF: Final = compile_later(
    rf"(?<![\w.%-])(\d{{1,3}}(?:\.\d+)?)\s*% of ((?:{_RANK}){{2}}[so]?[+-]?)(?![\w%])",
    words=("% of",),
)
_WEIGHT_BEFORE: Final = compile_later(
    r"(?<![\w.%-])(?<!top )(?<!best )(?<!worst )(?<!bottom )(\d{1,3}(?:\.\d+)?)\s*%\s+"
    rf"((?:{_RANK}){{2}}[so]?[+-]?)(?![\w%])",
    re.IGNORECASE,
    words=("%",),
)
# "QQ 50%": half of the queens, or two terms, or two players?
_WEIGHT_APART: Final = compile_later(
    rf"(?<![\w:!@-])((?:{_RANK}){{2}}[so]?[+-]?)\s+\(?(\d{{1,3}}(?:\.\d+)?)\s*%\)?(?!\s*[-%:!@]|\s+(?:to|of)\s)",
    re.IGNORECASE,
    words=("%",),
)
# "JJ plus AK": both, or all pairs from the jacks and AK?
_PLUS: Final = compile_later(
    rf"(?<![\w-])((?:{_RANK}){{2}}[so]?) plus(?= (?:{_RANK}){{2}}[so]?(?![a-z\d]))",
    re.IGNORECASE,
    words=(" plus",),
)
# "AAxx"
_AS_ANY: Final = compile_later(
    r"(?<![\w*])([2-9tjqka]{2,3})(x{2,3})(?![\w*])", re.IGNORECASE, words=("xx",)
)
_SMALL_WEIGHT: Final = compile_later(
    r"(?<=[\w+*%)-])\s*@\s*(0?\.\d+|1(?:\.0+)?)(?![\w.%])", words=("@",)
)
_VERSUS: Final = compile_later(r"(?<!\w)(?:vs|versus|v|against)(?!\w)", re.IGNORECASE)
_ABOVE_ONE: Final = compile_later(r"@\s*(?:[2-9]|\d\d|1\.0*[1-9])")


# letters that are in no rank, suit, kind of hand or "vs"
_LETTERS: Final = frozenset("befgilmnpru<")
_WORDS: Final = compile_later(
    r"atc|(?<!\w)(?:odds|hooks|has|had|shows?)(?!\w)",
    words=("atc", "odds", "hooks", "ha", "show"),
)


def has_words(plain: str) -> bool:
    """Return whether a lower-case text has characters that occur in no card, range or "vs".

    Also true if the text contains a word of other letters that is known, such as "odds".
    """
    return not _LETTERS.isdisjoint(plain) or _WORDS.search(plain) is not None


def spell(text: str) -> str:
    """Return the text in lower case, with cards and ranges in the usual spelling."""
    plain = unicodedata.normalize("NFKC", text).lower().translate(_SUITS)
    plain = _POINT.sub("0.", plain)
    plain = spell_rank_sets(_WEIGHED.sub(_with_weight, plain))
    plain = _WEIGHT_BEHIND.sub(lambda match: _weight(match[1]), plain)
    plain = _BRACKETS.sub(_in_brackets, plain)
    plain = _OF_ONE.sub(lambda match: _weight(_per_cent(match[1])), plain)
    plain = _PART_BEHIND.sub(lambda match: match[1] + _weight(match[2]), plain)
    plain = _AK_S.sub(r"\1\2", _AKOS.sub(r"\1o", plain))
    plain = _SUITS_BEHIND.sub(r"\1\3\2\4", plain)
    plain = _DASHED.sub(r"\1\2\3", _SHARES.sub(r"\2%-\3%", plain))
    plain = _LONE_RANKS.sub(lambda match: match[0].replace(" ", ""), plain)
    plain = _TO.sub(r"\1-", _APART_X.sub(r"\1x", plain))
    plain = _OR_BETTER.sub(r"\1+", plain)
    plain = _OR_WORSE.sub(r"\1-", plain)
    if has_words(plain):
        from engine.odds.showdown.hand_words import replace_named_hands

        plain = replace_named_hands(plain)
        plain = _PART_OF.sub(lambda match: match[2] + _weight(match[1]), plain)
    plain = _JOINED.sub(lambda match: re.sub("[/-]", "", match[0]), plain)
    return _SUIT_FIRST.sub(lambda match: _SUIT_RANK.sub(r"\1\3\2", match[0]), plain)


def plain_signs(text: str) -> str:
    """Return the text with each suit's sign as ♣, ♦, ♥ or ♠, however a keyboard types it.

    The sign 🆚 becomes "vs".
    """
    return text if text.isascii() else text.translate(_SIGNS)


def spell_rank_sets(text: str) -> str:
    """Return the text with each set of ranks as "[akqjt]", without commas or spaces.

    A span without another card next to it, "[A-T]", gets an X for that card. A list without
    another card, "[AK]", stays as it is: it is a whole hand in brackets.
    """
    if "[" not in text and "$" not in text:
        return text
    text = _MACRO.sub(lambda match: f"[{_MACROS[match[1].lower()]}]", text)
    text = _SPAN.sub(_spell_span, text)
    return _LIST.sub(_spell_list, text)


def _spell_span(match: re.Match[str]) -> str:
    ends = [_DOWNWARDS.index(end.lower().replace("10", "t")) for end in match.groups()]
    ranks = _DOWNWARDS[min(ends) : max(ends) + 1]
    return f"[{ranks}]" if _has_neighbour(match) else f"[{ranks}]x"


def _spell_list(match: re.Match[str]) -> str:
    ranks = re.sub(r"[\s,]", "", match[1].lower()).replace("10", "t")
    apart = len(set(ranks)) == len(ranks) and _has_neighbour(match)
    return f"[{ranks}]" if apart else match[0]


def _has_neighbour(match: re.Match[str]) -> bool:
    """Return whether brackets are next to another card of the same hand."""
    text = match.string
    before, after = text[: match.start()][-1:].lower(), text[match.end() :][:1].lower()
    return before in {*"23456789tjqkacdhsxyzw*]"} or after in {*"23456789tjqkacdhsxyzw*["}


def check_clear(text: str, *, in_question: bool = False) -> None:
    """Raise `UnclearHands` for a range, or a text `in_question`, that may mean several ranges.

    An example is "50% QQ", which may mean half of the queens, or two terms. Raises `UnclearWeight`
    for a weight such as `@0.5`, which may mean half a per cent or one half. If the text has a
    weight above 1, such as `@50`, all weights are in per cent.
    """
    text = unicodedata.normalize("NFKC", text)
    match = _SMALL_WEIGHT.search(text)
    if match is not None and not _ABOVE_ONE.search(text):
        typed = match[1] if match[1][0] != "." else f"0{match[1]}"
        meant = (f"@{typed}%", _weight(_per_cent(typed)))
        raise UnclearWeight(text, _each(text, match, meant), typed, _per_cent(typed))
    apart = _WEIGHT_APART.search(text)
    if (
        apart is not None
        and Fraction(apart[2]) <= 100
        and text[: apart.start()].rstrip()[-1:] != "%"
    ):
        whole = in_question and not _VERSUS.search(text)
        terms = f"{apart[1]}{' vs ' if whole else ', '}{apart[2]}%"
        meant = (apart[1] + _weight(apart[2]), terms)
        raise UnclearHands(text, _each(text, apart, meant), apart[0])
    before = _WEIGHT_BEFORE.search(text)
    if before is not None and Fraction(before[1]) <= 100:
        meant = (before[2] + _weight(before[1]), f"{before[1]}%, {before[2]}")
        raise UnclearHands(text, _each(text, before, meant), before[0])
    plus = _PLUS.search(text)
    if plus is not None:
        meant = (f"{plus[1]},", f"{plus[1]}+,")
        raise UnclearHands(text, _each(text, plus, meant), plus[0])
    anything = _AS_ANY.search(text)
    if anything is not None:  # any cards, or cards of one suit, as in "AxKx"
        any_cards = _AS_ANY.sub(lambda match: match[1] + "*" * len(match[2]), text)
        of_a_suit = _AS_ANY.sub(lambda match: match[1][-1] + match[2] + match[1][:-1], text)
        raise UnclearHands(text, (any_cards, of_a_suit), anything[0])
    if has_words(text.lower()):
        from engine.odds.showdown.hand_words import unclear_hands

        named = unclear_hands(text)
        if named is not None:
            words, meanings = named
            raise UnclearHands(text, _each(words.string, words, meanings), words[0].strip(" ,"))


def _each(text: str, match: re.Match[str], meanings: Iterable[str]) -> tuple[str, ...]:
    """Return one text for each meaning, with the match replaced by the meaning."""
    return tuple(text[: match.start()] + meaning + text[match.end() :] for meaning in meanings)


def _with_weight(match: re.Match[str]) -> str:
    terms = [term for term in re.split(r"[,;\s]+", match[2]) if term]
    return ", ".join(term + _weight(match[1]) for term in terms)


def _in_brackets(match: re.Match[str]) -> str:
    """Return the bracketed text: cards without brackets, anything else in round brackets.

    A set of ranks next to another card stays as it is. Cards between commas are one hand, as in
    "[Ah, Kd]"; hands between commas, as in "[AhKh, AdKd]", are not.
    """
    if re.fullmatch(RANK_SET, match[0]) and _has_neighbour(match):
        return match[0]
    if re.search(rf"{_CARD}\s*{_CARD}\s*[,;]\s*{_CARD}\s*{_CARD}", match[1]):
        return f"({match[1]})"
    cards = re.sub(r"[\s,;/-]+", "", match[1])
    return f" {cards} " if re.fullmatch(rf"(?:{_CARD}|\*)+", cards) else f"({match[1]})"


def _weight(per_cent: str) -> str:
    """Return "@" and a weight in per cent, with "%" if it could be mistaken for a fraction."""
    return f"@{per_cent}%" if Fraction(per_cent) <= 1 else f"@{per_cent}"


def _per_cent(part: str) -> str:
    """Return a fraction in per cent, to a hundredth: "0.125" becomes "12.5"."""
    return f"{float(round(100 * Fraction(part), 2)):g}"

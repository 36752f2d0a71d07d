"""Words in a question about a showdown: named hands, named players, and words without meaning.

"rockets" are AA, "any suited ace" is AXs, "Ann: AhKd, Bob has QQ" are two players, and "what are
the odds of" is left out. For a name with several meanings, such as "suited connectors",
`unclear_hands` returns the choices. The module is loaded only if a text has words at all
(`spelling.has_words`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from engine.lexicon import ENGLISH_LEXICON
from engine.odds.showdown.omaha_terms import count_named_cards
from engine.odds.showdown.question_words import AGAINST, BOARD_WORD, CARD, DEAD_WORD, against
from engine.odds.showdown.range_terms import is_of_two
from engine.patterns import compile_later

_RANK: Final = "|".join(
    sorted((*ENGLISH_LEXICON.singular, *ENGLISH_LEXICON.plural, *"23456789tjqka"), reverse=True)
)
_NICKNAMES: Final = {
    "pocket rockets|rockets|bullets|american airlines": "aa",
    "cowboys": "kk",
    "ladies": "qq",
    "fish ?hooks|hooks": "jj",
    "snowmen": "88",
    "walking sticks": "77",
    "sailboats": "44",
    "ducks": "22",
    "big slick|anna kournikova": "ak",
}
_KIND: Final = r"[2-9tjqka]{2}"
_Meaning = str | Callable[[re.Match[str]], str]
# tried in this order
_SAYINGS: Final[tuple[tuple[str, _Meaning], ...]] = (
    *_NICKNAMES.items(),
    (rf"({_KIND}) ?(?:suited|soooted)", r"\1s"),
    (rf"({_KIND}) ?(?:off ?suit(?:ed)?|off|os|unsuited)", r"\1o"),
    (r"([2-9tjqka*]{2,5}) ?double[ -]?suited", r"\1ds"),
    (rf"suited ({_KIND})", r"\1s"),
    (rf"(?:off ?suit(?:ed)?|unsuited) ({_KIND})", r"\1o"),
    (rf"({_KIND}[so]?) plus", r"\1+"),
    (rf"(?:without|except|minus|excluding|but not|but no) ({_KIND}[so]?\+?)", r", !\1"),
    (r"(?:any |all )?(?:pocket )?pairs?", "22+"),
    (rf"(?:any |all )?suited ({_RANK})", lambda match: f"{_rank(match[1])}xs"),
    (r"(?:any |all )?(?:two )?suited(?: cards| hands)", "xxs"),
    (r"(?:any|all)(?: two)? suited(?! conn)", "xxs"),
    (r"any (?:two|2)(?: cards?)?|atc|anything|rnd", "any"),
    (rf"any ({_RANK})x? (?:suited)", lambda match: f"{_rank(match[1])}xs"),
    (r"(?:any |all )?([2-9tjqka])x suited", r"\1xs"),
    (rf"any ({_RANK})x?", lambda match: f"{_rank(match[1])}x"),
    (r"any ([2-9tjqka]x[so])", r"\1"),
    (r"(\d{1,3}(?:\.\d+)?) ?(?:per ?cent|pct)", r"\1%"),
    (r"(?:the )?(?:top|best) (\d{1,2}(?:\.\d+)?)(?![\d.]| ?%)", r"\1%"),
)
_HANDS: Final = tuple(
    (compile_later(rf"(?<![\w'-])(?:{saying})(?![\w'])"), term) for saying, term in _SAYINGS
)
_TOP: Final = compile_later(r"(?<!\w)(?:the )?(?:top|best)\s*(?=\d)")
_BOTTOM: Final = compile_later(
    r"(?<!\w)(?:the )?(?:bottom|worst|weakest) (\d{1,2}(?:\.\d{1,3})?) ?%"
)
_UNCLEAR: Final = {
    compile_later(r"(?<!\w)(?:any |all )?suited connectors?(?!\w)", re.IGNORECASE): (
        "AKs-32s",
        "JTs-54s",
    ),
    compile_later(r"(?<!\w)(?:any |all )?broadways?(?: cards?| hands?)?(?!\w)", re.IGNORECASE): (
        "TT+, AT+, KT+, QT+, JT",
        "AT+, KT+, QT+, JT",
    ),
}
_NAME: Final = r"[^\W\d_][\w'.-]{0,31}"
# "Ann: AhKd", "big Al : AhKd", "<@17>: AhKd"
_NAMED: Final = compile_later(
    rf"(?P<before>^|[,;|/\n]|(?<!\w)(?:{AGAINST})\s)\s*"
    rf"(?P<name>{_NAME}(?: (?!(?:{AGAINST})\s){_NAME}){{0,2}})\s?:"
    rf"|(?P<alone>(?<!\S){_NAME}):(?=\s)"
)
_MENTION: Final = compile_later(r"(<@[!&]?\d{1,20}>)\s?:?")
_HAS: Final = compile_later(
    rf"(?<![\w'-])(?:(?P<who>{_NAME})(?:'ve)?\s+(?:have|has|had|holds?|shows?|got)|i've)(?:\s+got)?"
    r"(?![\w'])"
)
_SEAT: Final = compile_later(
    r"(?<![\w'-])(hero|villain|(?:p|player |seat |hand )[1-9]\d?)\b(?!')\s?[:=]?\s*(?!\s*players?)"
)
# words that aren't part of a name, even before a colon or "have"
_OF_A_GAME: Final = (
    r"hold'?em|omaha\d*|[pnf]lo\d+|plo|nlhe?|o8b?|stud\d*|razz\w*|draw|badugi|lowball|deck|trips"
    r"|games?|variants?|poker|limit|hi(?:gh)?|low?|hi-?lo|h/l|six|seven|aces?|deuces?"
    r"|pineapple|courchevel"
)
_KEPT: Final = compile_later(
    rf"(?:.* )?(?:{BOARD_WORD}|{DEAD_WORD}|tables?|street|out|seen|{_OF_A_GAME})(?: .*)?"
    r"|(?:.* )?(?:on|cards?|is|of|vs|versus|v|against|or|and|any|random|top|best|not|except|minus)"
)
# "Cleo folded 2c 2d", "2c 2d folded", "out: 2c"
_CLAUSE: Final = r"(?P<clause>^|[,;.(|\n])\s*"
_GOES: Final = r"(?:fold(?:s|ed)?|muck(?:s|ed)?|discard(?:s|ed)?|burn(?:s|ed|t)?|expose[sd]?)"
_WHO_FOLDS: Final = compile_later(
    rf"(?:{_CLAUSE}|(?<!\w)and\s)(?P<who>{_NAME})\s(?:ha[sd]\s)?(?={_GOES}(?!\w))"
)
_LISTED: Final = rf"{CARD}(?:[\s,]*(?:and\s)?{CARD})*"
_DEAD_BEHIND: Final = compile_later(
    rf"(?:{_CLAUSE}(?:(?:with|and)\s)?|(?<!\w)with\s)(?:the\s)?(?P<cards>{_LISTED})\s"
    rf"(?:(?:is|are|was|were)\s)?(?:(?!without){DEAD_WORD}|out(?: of play)?)"
    r"(?=\s*(?:$|[,;.)|\n]|(?:and|on|with)\s))"
)
_OUT: Final = compile_later(
    rf"{_CLAUSE}(?:the\s)?(?:cards\s)?(?:out(?: of play)?|seen)(?:\scards)?(?:\s*:|(?=\s{CARD}))"
)
_NOTHING: Final = compile_later(
    r"(?<![\w'-])(?:"
    r"what(?:'s| is| are)|who(?:'s| is)(?: ahead| winning)|who wins|how often|how many times"
    r"|(?:the )?(?:odds|equity|equities|chances?|probability)(?: of| for| that)?"
    r"|all[ -]in|(?:be)?for(?:e)? the flop|pre[ -]?flop|pre"
    r"|please|plz|pls|calc(?:ulate)?|compare|win ?rate(?: of)?|how (?:good|strong) (?:is|are)"
    r"|does|do|will|would|my(?: hand| cards)?(?: is| are)?|his|her|their"
    r")(?![\w'-])(?:\s*:)?"
)
_BEATS: Final = compile_later(r"(?<!\w)(?:beats?|wins? against|facing|into)(?!\w)")


def replace_named_hands(plain: str) -> str:
    """Return the lower-case text with named hands replaced by terms of a range."""
    for pattern, term in _HANDS:
        plain = pattern.sub(term, plain)
    plain = _BOTTOM.sub(lambda match: f"{100 - float(match[1]):g}%-100%", plain)
    return _TOP.sub("", plain)


def unclear_hands(text: str) -> tuple[re.Match[str], tuple[str, ...]] | None:
    """Find a name that may stand for several ranges; return its match and the ranges, or None."""
    for pattern, meanings in _UNCLEAR.items():
        match = pattern.search(text)
        if match is not None:
            return match, meanings
    return None


def strip_filler(plain: str) -> str:
    """Remove filler words from a lower-case question.

    Names of players become "vs" followed by the name, which `name_behind` reads; names of players
    who folded are removed. The word "dead" replaces other words for cards that were folded or
    seen, and "vs" replaces "beats".
    """
    plain = _DEAD_BEHIND.sub(lambda it: f"{it['clause'] or ''} dead {it['cards']} ", plain)
    plain = _OUT.sub(lambda it: f"{it['clause']} dead ", _WHO_FOLDS.sub(_without_folder, plain))
    plain = _MENTION.sub(lambda match: against(match[1]), plain)
    plain = _NOTHING.sub(" ", _BEATS.sub(" vs ", plain))
    plain = _NAMED.sub(_without_name, plain)
    plain = _HAS.sub(_without_holder, plain)
    return _SEAT.sub(lambda match: against(match[1]), plain)


def _without_name(match: re.Match[str]) -> str:
    name = match["name"] or match["alone"]
    return match[0] if _is_word_or_hand(name) else (match["before"] or "") + against(name)


def _without_folder(match: re.Match[str]) -> str:
    return match[0] if _is_word_or_hand(match["who"]) else (match["clause"] or "") + " "


def _without_holder(match: re.Match[str]) -> str:
    return match[0] if _is_word_or_hand(match["who"]) else against(match["who"] or "")


def _is_word_or_hand(name: str | None) -> bool:
    """Return whether the text is a word of the question or a hand, not a player's name."""
    if name is None:
        return False
    hand = any(is_of_two(word) or (count_named_cards(word) or 0) >= 4 for word in name.split())
    return hand or _KEPT.fullmatch(name) is not None


def _rank(word: str) -> str:
    return {**ENGLISH_LEXICON.one, **ENGLISH_LEXICON.several}[word].char.lower()

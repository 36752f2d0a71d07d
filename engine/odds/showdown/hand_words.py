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

from engine.card_words import in_letters
from engine.lexicon import ENGLISH_LEXICON
from engine.odds.showdown.omaha_terms import count_named_cards
from engine.odds.showdown.question_words import (
    AGAINST,
    BOARD_WORD,
    CARD,
    DEAD_WORD,
    POSITION,
    against,
)
from engine.odds.showdown.range_terms import is_of_two
from engine.patterns import compile_later

_RANK: Final = "|".join(
    sorted((*ENGLISH_LEXICON.singular, *ENGLISH_LEXICON.plural, *"23456789tjqka"), reverse=True)
)
_RANK_LETTERS: Final = {word: rank.char.lower() for word, rank in ENGLISH_LEXICON.singular.items()}
_RANK_WORD: Final = rf"(?:{'|'.join(_RANK_LETTERS)}|10|[2-9tjqka])"
_SUIT: Final = "(?:clubs|diamonds|hearts|spades)"
_SIDE: Final = rf"(?:^|(?<!\w)(?:{AGAINST})\s|[;|/:\n])\s*"
_ALL_OF_SUIT: Final = compile_later(
    rf"(?<![\w-])(?P<ranks>(?:{_RANK_WORD}[ -]?){{1,4}}{_RANK_WORD})"
    rf" (?:of|in) (?P<suit>{_SUIT})(?!\w)"
)
_SIDE_BEGINS: Final = compile_later(rf"{_SIDE}$")
_TWO_OF_SUIT: Final = compile_later(
    rf"({_SIDE})(?:any )?(?:two|2) ({_SUIT})\s*(?=$|[,;|/\n]|(?:{AGAINST}|on|board|flop|and)(?!\w))"
)
_NICKNAMES: Final = {
    "pocket rockets": "aa", "rockets": "aa", "bullets": "aa", "american airlines": "aa",
    "cowboys": "kk", "ladies": "qq", "fish hooks": "jj", "fishhooks": "jj", "hooks": "jj",
    "snowmen": "88", "walking sticks": "77", "sailboats": "44", "ducks": "22",
    "big slick": "ak", "anna kournikova": "ak",
}  # fmt: skip
_KIND: Final = r"[2-9tjqka]{2}"
_WITHOUT: Final = r"(?:without|except(?: for)?|minus|excluding|but not|but no)"
_LISTED_TERM: Final = rf"(?:{_KIND}[so]?\+?|(?:top |best )?\d{{1,2}}(?:\.\d+)?%)"
_OTHERS: Final = r"random|unknown|others?|opponents?|players?|villains?|callers?"
_Meaning = str | Callable[[re.Match[str]], str]
_WITHOUT_WORDS: Final = ("without", "except", "minus", "excluding", "but no")
# words of which each saying has one, the saying, and its meaning; tried in this order
_SAYINGS: Final[tuple[tuple[tuple[str, ...], str, _Meaning], ...]] = (
    (tuple(_NICKNAMES), "|".join(_NICKNAMES), lambda match: _NICKNAMES[match[0]]),
    (("suited", "soooted"), rf"({_KIND}) ?(?:suited|soooted)", r"\1s"),
    (("off", "os", "unsuited"), rf"({_KIND}) ?(?:off ?suit(?:ed)?|off|os|unsuited)", r"\1o"),
    (("double",), r"([2-9tjqka*]{2,5}) ?double[ -]?suited", r"\1ds"),
    (
        ("broadway",),
        r"(?:any |all )?suited broadways?(?: cards?| hands?)?",
        "ats+, kts+, qts+, jts",
    ),
    (
        ("broadway",),
        r"(?:any |all )?(?:off ?suit|unsuited) broadways?(?: cards?| hands?)?",
        "ato+, kto+, qto+, jto",
    ),
    (
        ("suited ",),
        rf"(?:any |all )?suited ({_KIND})",
        lambda match: _term_of(match[1], "s"),
    ),
    (
        ("off", "unsuited"),
        rf"(?:any |all )?(?:off ?suit(?:ed)?|unsuited) ({_KIND})",
        lambda match: _term_of(match[1], "o"),
    ),
    ((" plus",), rf"({_KIND}[so]?) plus(?! (?:(?:\d+|[a-z]+) )?(?:{_OTHERS}))", r"\1+"),
    (
        _WITHOUT_WORDS,
        rf"{_WITHOUT} ({_LISTED_TERM}(?:(?:,? (?:and|or|nor) ){_LISTED_TERM})*)",
        lambda match: "".join(f", !{term}" for term in re.findall(_LISTED_TERM, match[1])),
    ),
    (
        ("pocket", "pair of"),
        r"(?:an? )?(?:pocket|(?:pocket )?pair of) (10|[2-9tjqka])'?s",
        lambda match: 2 * match[1].replace("10", "t"),
    ),
    (
        ("pair",),
        r"(?:any |all )?(?:pocket )?pairs?(?: from| of)?(?= (10|[2-9tjqka])\1(?![a-z\d]))",
        "",
    ),
    (("pair",), r"(?:any |all |every )?(?:pocket )?pairs?", "22+"),
    (("suited ",), rf"(?:any |all )?suited ({_RANK})", lambda match: f"{_rank(match[1])}xs"),
    (("suited ",), r"(?:any |all )?(?:two )?suited(?: cards| hands)", "xxs"),
    (("suited",), r"(?:any|all)(?: two)? suited(?! conn)", "xxs"),
    (("any", "atc", "rnd"), r"any (?:two|2)(?: cards?)?|atc|anything|rnd", "any"),
    (("suited",), rf"any ({_RANK})x? (?:suited)", lambda match: f"{_rank(match[1])}xs"),
    (("x suited",), r"(?:any |all )?([2-9tjqka])x suited", r"\1xs"),
    (("any ",), rf"any ({_RANK})x?", lambda match: f"{_rank(match[1])}x"),
    (("any ",), r"any ([2-9tjqka]x[so])", r"\1"),
    (("cent", "pct"), r"(\d{1,3}(?:\.\d+)?) ?(?:per ?cent|pct)", r"\1%"),
    (("top ", "best "), r"(?:the )?(?:top|best) (\d{1,2}(?:\.\d+)?)(?![\d.]| ?%)", r"\1%"),
    (
        ("hand",),
        r"(?:an? )?((?:top |best )?\d{1,3}(?:\.\d+)?) ?% (?:of )?(?:all )?(?:the )?hands?",
        r"\1%",
    ),
    (("%",), r"an? ((?:top |best )?\d{1,3}(?:\.\d+)? ?%)", r"\1"),
)
_HANDS: Final = tuple(
    (compile_later(rf"(?<![\w'-])(?:{saying})(?![\w'])", words=words), meaning)
    for words, saying, meaning in _SAYINGS
)
# "A10 offsuit"
_TENS: Final = compile_later(
    r"(?<!\w)(?:([2-9jqka])10|10([2-9jqka]))"
    r"(?= ?(?:suited|soooted|off(?: ?suit(?:ed)?)?|os|unsuited|plus)(?!\w))",
    words=("10",),
)
_TOP: Final = compile_later(r"(?<!\w)(?:the )?(?:top|best)\s*(?=\d)", words=("top", "best"))
_BOTTOM: Final = compile_later(
    r"(?<!\w)(?:the )?(?:bottom|worst|weakest) (\d{1,2}(?:\.\d{1,3})?) ?%",
    words=("bottom", "worst", "weakest"),
)
_UNCLEAR: Final = {
    compile_later(
        r"(?<!\w)(?:any |all )?suited connectors?(?!\w)", re.IGNORECASE, words=("connector",)
    ): (
        "AKs-32s",
        "JTs-54s",
    ),
    compile_later(
        r"(?<!suited )(?<!suit )(?<!\w)(?:any |all )?broadways?(?: cards?| hands?)?(?!\w)",
        re.IGNORECASE,
        words=("broadway",),
    ): (
        "TT+, AT+, KT+, QT+, JT",
        "AT+, KT+, QT+, JT",
    ),
}
# "22+ without AA, KK": are the kings taken away too?
_TAKEN: Final = compile_later(
    rf"\s*,?\s*(?<!\w){_WITHOUT} (?P<first>{_LISTED_TERM})"
    rf"(?P<others>(?:(?:\s*,\s*(?:and |or )?| (?:and|or) ){_LISTED_TERM}(?![\w-]))+)",
    re.IGNORECASE,
    words=_WITHOUT_WORDS,
)
_NAME: Final = r"[^\W\d_][\w'.-]{0,31}(?:\+\d)?"
# "Ann: AhKd", "big Al : AhKd", "<@17>: AhKd"
_NAMED: Final = compile_later(
    rf"(?P<before>^|[,;|/\n]|(?<!\w)(?:{AGAINST})\s)\s*"
    rf"(?P<name>{_NAME}(?: (?!(?:{AGAINST})\s){_NAME}){{0,2}})\s?:"
    rf"|(?P<alone>(?<!\S){_NAME}):(?=\s)",
    words=(":",),
)
# "AsKs (hero) vs QQ (villain)"
_LABELS: Final = rf"\(\s*(?:hero|villain|me|him|her|you|{POSITION})\s*\)"
_LABEL: Final = compile_later(_LABELS, words=("(",))
# "AKs (hero), QQ (villain)", "my AK, his QQ"
_NEXT_LABEL: Final = compile_later(
    rf"{_LABELS}\s*[,;]\s*(?:and\s+)?(?=[^,;|/\n()]+{_LABELS})"
    r"|\s*[,;]\s*(?:and\s+)?(?:his|her|their|your|(?:the\s+)?(?:villain|opponent)'s)"
    r"(?:\s+(?:hand|cards|range))?(?:\s+(?:is|are|was|were))?(?:\s*:|(?=\s))",
    words=("(", "his", "her", "their", "your", "'s"),
)
# "AhKh vs villain", whose cards are unknown
_UNKNOWN_NAME: Final = compile_later(
    rf"(?<!\w)({AGAINST})\s+(?:villain|opponent)(?=\s*(?:$|[,;.?)|/\n]"
    rf"|(?:{AGAINST}|on|with|when|if|{BOARD_WORD}|{DEAD_WORD})(?!\w)))",
    words=("villain", "opponent"),
)
_MENTION: Final = compile_later(r"(<@[!&]?\d{1,20}>)\s?:?", words=("<@",))
_HAS: Final = compile_later(
    rf"(?<![\w'-])(?:i've|(?P<who>{_NAME})(?:'ve)?\s+(?:have|has|had|holds?|shows?|got))(?:\s+got)?"
    r"(?![\w'])",
    words=("i've", "have", "has", "had", "hold", "show", "got"),
)
_SEAT: Final = compile_later(
    r"(?<![\w'-])(hero|villain|(?:p|player |seat |hand )[1-9]\d?)\b(?!')\s?[:=]?\s*(?!\s*players?)",
    words=("hero", "villain", "player ", "seat ", "hand ", *(f"p{seat}" for seat in range(1, 10))),
)
# words that aren't part of a name, even before a colon or "have"
_OF_A_GAME: Final = (
    r"hold'?em|omaha\d*|[pnf]lo\d+|plo|nlhe?|o8b?|stud\d*|razz\w*|draw|badugi|lowball|deck|trips"
    r"|games?|variants?|poker|limit|hi(?:gh)?|low?|hi-?lo|h/l|six|seven|aces?|deuces?"
    r"|pineapple|courchevel"
)
_KEPT: Final = compile_later(
    rf"(?:.* )?(?:{BOARD_WORD}|{DEAD_WORD}|tables?|street|out|seen|known|heads[ -]?up|hu"
    r"|players?|(?:\d+|two|three|four|five|six|seven|eight|nine|ten)[ -](?:handed|way|max)"
    rf"|{_OF_A_GAME})(?: .*)?"
    r"|(?:.* )?(?:on|cards?|is|of|vs|versus|v|against|or|and|any|random|top|best|not|except|minus)"
)
# "Cleo folded 2c 2d", "2c 2d folded", "out: 2c"
_CLAUSE: Final = r"(?P<clause>^|[,;.(|\n])\s*"
_GOES: Final = r"(?:fold(?:s|ed)?|muck(?:s|ed)?|discard(?:s|ed)?|burn(?:s|ed|t)?|expose[sd]?)"
_WHO_FOLDS: Final = compile_later(
    rf"(?:{_CLAUSE}|(?<!\w)and\s)(?P<who>{_NAME})\s(?:ha[sd]\s)?(?={_GOES}(?!\w))",
    words=("fold", "muck", "discard", "burn", "expose"),
)
_LISTED: Final = rf"{CARD}(?:[\s,]*(?:and\s)?{CARD})*"
# "3 players folded": their cards are unknown, so they change nothing
_MANY_FOLD: Final = compile_later(
    rf"{_CLAUSE}(?:(?:and|after|when)\s)?(?:the\s)?(?:\d{{1,2}}|\w+)\s(?:other\s)?"
    r"(?:players?|opponents?|villains?|people|others?)\s(?:have\s|has\s|had\s)?fold(?:s|ed)?"
    rf"(?!\s*:?\s*{CARD})(?=\s*(?:$|[,;.)|\n]))",
    words=("fold",),
)
_DEAD_BEHIND: Final = compile_later(
    rf"(?:{_CLAUSE}(?:(?:with|and)\s)?|(?<!\w)(?:with|and)\s)(?:the\s)?(?P<cards>{_LISTED}|{_KIND}[so]?)\s"
    rf"(?:(?:is|are|was|were)\s)?(?:(?!without){DEAD_WORD}|out(?: of play)?)"
    r"(?=\s*(?:$|[,;.)|\n]|(?:and|on|with)\s))",
    words=("dead", "fold", "muck", "discard", "burn", "exposed", "remove", "gone", "out"),
)
_OUT: Final = compile_later(
    rf"{_CLAUSE}(?:the\s)?(?:cards\s)?(?:out(?: of play)?|seen|known)(?:\scards?)?"
    rf"(?:\s*:|(?=\s{CARD}))",
    words=("out", "seen", "known"),
)
_NOTHING: Final = compile_later(
    r"(?<![\w'-])(?:"
    r"!odds|what(?:'s| is| are)|who(?:'s| is)(?: ahead| winning)|who wins|how often|how many times"
    r"|(?:(?:the|my) )?(?:odds|equity|equities|chances?|probability)(?: of| for| that| with)?"
    r"|all[ -]in|(?:be)?for(?:e)? the flop|pre[ -]?flop|pre"
    r"|please|plz|pls|calc(?:ulate)?|compare|win ?rate(?: of)?|how (?:good|strong) (?:is|are)"
    r"|(?:(?:an?|the) )?(?:(?:opening|raising|calling|shoving|pushing|[345]-?bet(?:ting)?) )?range"
    r"(?: of| is)?"
    r"|does|do|will|would|can|my(?: hand| cards)?(?: is| are)?|his|her|their|your"
    r"|(?:the )?(?:villain|opponent)'s|villains(?= range)"
    r")(?![\w'-])(?:\s*:)?",
    words=(
        *("odds", "what", "who", "how", "equit", "chance", "probability", "all in", "all-in"),
        *("the flop", "pre", "please", "plz", "pls", "calc", "compare", "win", "range", "do"),
        *("will", "would", "can", "my", "his", "her", "their", "your", "villain", "opponent"),
    ),
)
_BEATS: Final = compile_later(
    r"(?<!\w)(?:(?:to )?beats?|beating|wins? (?:against|vs)|facing|into|over)(?!\w)",
    words=("beat", "win", "facing", "into", "over"),
)


def spell_suit_of_all(plain: str) -> str:
    """Give ranks the suit that is named once behind them: "ace king of spades" is "asks".

    "(any) two spades", alone on its side, is any two cards of that suit. Other texts stay.
    """
    plain = _TWO_OF_SUIT.sub(lambda match: f"{match[1]}x{match[2][0]}x{match[2][0]} ", plain)
    return _ALL_OF_SUIT.sub(_give_suit, plain)


def _give_suit(match: re.Match[str]) -> str:
    """Return the matched ranks with their suit; unchanged if only one is left beside an article.

    "a k of spades" is two cards where a side begins. Elsewhere, and in "a king of spades", "a" is
    an article.
    """
    words = re.findall(_RANK_WORD, match["ranks"])
    begins = _SIDE_BEGINS.search(match.string[: match.start()]) is not None
    if words[0] == "a" and (len(words[1]) > 2 or not begins):
        words = words[1:]
    if len(words) == 1:
        return match[0]
    ranks = (_RANK_LETTERS.get(word, word).replace("10", "t") for word in words)
    return "".join(rank + match["suit"][0] for rank in ranks)


def replace_named_hands(plain: str) -> str:
    """Return the lower-case text with named hands replaced by terms of a range."""
    plain = _TENS.sub(lambda match: f"{match[1]}t" if match[1] else f"t{match[2]}", plain)
    for pattern, term in _HANDS:
        plain = pattern.sub(term, plain)
    plain = _BOTTOM.sub(lambda match: f"{100 - float(match[1]):g}%-100%", plain)
    return _TOP.sub("", plain)


def unclear_hands(text: str) -> tuple[re.Match[str], tuple[str, ...]] | None:
    """Find words that may stand for several ranges; return their match and the ranges, or None.

    The match may be in a text with ranks as letters.
    """
    taken = _TAKEN.search(in_letters(text))
    if taken is not None and "," in taken["others"]:
        others = re.findall(_LISTED_TERM, taken["others"], re.IGNORECASE)
        return taken, tuple(
            f", !{taken['first']}" + "".join(f", {sign}{term}" for term in others)
            for sign in ("!", "")
        )
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
    plain = _MANY_FOLD.sub(lambda match: match["clause"] or " ", plain)
    plain = _DEAD_BEHIND.sub(lambda it: f"{it['clause'] or ''} dead {it['cards']} ", plain)
    plain = _OUT.sub(lambda it: f"{it['clause']} dead ", _WHO_FOLDS.sub(_without_folder, plain))
    plain = _LABEL.sub(" ", _NEXT_LABEL.sub(" vs ", _UNKNOWN_NAME.sub(r"\1 random", plain)))
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


def _term_of(ranks: str, kind: str) -> str:
    """Return the term for two ranks that are `kind` ("s" or "o"): "suited aces" are AXs."""
    return f"{ranks[0]}x{kind}" if ranks[0] == ranks[1] else ranks + kind


def _rank(word: str) -> str:
    return {**ENGLISH_LEXICON.one, **ENGLISH_LEXICON.several}[word].char.lower()

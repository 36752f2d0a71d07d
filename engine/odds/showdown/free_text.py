"""Find a showdown in what somebody wrote: "he had AKs, board K72, I had jacks".

Most of such a text isn't about cards, and words such as "as" and "at" are not hands. So cards count
only with a capital rank, with both cards of a hand together, or after a word such as "had". The
result is a question that can be typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.lexicon import ENGLISH_LEXICON
from engine.odds.showdown.game_words import game_in_prose
from engine.patterns import compile_later

LONGEST: Final = 4000  # characters of a text; the rest is left out
MOST_HANDS: Final = 10
_SYMBOLS: Final = str.maketrans(
    {**dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)), "❤": "h"}
    | dict.fromkeys("\ufe0e\ufe0f", "")
    | dict.fromkeys("*_`|~", " ")
)
# links, custom emoji, timestamps, mentions
_NO_WORDS: Final = compile_later(r"https?://\S+|<a?:\w+:\d+>|<t:[^>]*>|<[#@&!]+\d+>")
_CARD: Final = r"(?:(?:10|[2-9TJQKA])[cdhsCDHS])"
_SMALL_CARD: Final = r"(?:(?:10|[2-9tjqka])[cdhs])"
_CARDS: Final = rf"{_CARD}(?:[\s,/-]{{0,2}}{_CARD})*"
_GLUED: Final = rf"(?:{_SMALL_CARD}){{2,5}}"
_RANK: Final = r"(?:10|[2-9TJQKA])"
_SUITEDNESS: Final = r"(?:\s?(?:suited|soooted|off-?suited?|off-?suit|off)|[so])"
_TWO_RANKS: Final = rf"{_RANK}-?{_RANK}{_SUITEDNESS}?[+-]?"
_SMALL_RANKS: Final = rf"(?:aa|kk|qq|jj|tt|[ak]?[kqj]{{1,2}}(?<=\w\w)){_SUITEDNESS}?\+?"
_PLURALS: Final = {word: rank.char for word, rank in ENGLISH_LEXICON.plural.items()}
_SINGULARS: Final = {word: rank.char for word, rank in ENGLISH_LEXICON.singular.items()}
_ONE_RANK: Final = "|".join(sorted(_SINGULARS, key=len, reverse=True))
_SEVERAL: Final = "|".join(sorted(_PLURALS, key=len, reverse=True))
_NICKNAMES: Final = {
    "rockets": "AA", "bullets": "AA", "cowboys": "KK", "ladies": "QQ", "fishhooks": "JJ",
    "snowmen": "88", "ducks": "22", "big slick": "AK",
}  # fmt: skip
_OF: Final = compile_later(
    rf"(?<!\w)({_ONE_RANK}) of (club|diamond|heart|spade)s?(?!\w)", re.IGNORECASE
)
# "ace king suited"; "jack ten nine", as on a flop
_NAMED_RANKS: Final = compile_later(
    rf"(?<!\w)({_ONE_RANK})[\s/-]({_ONE_RANK})(?:[\s/-]({_ONE_RANK})|({_SUITEDNESS}))?(?!\w)",
    re.IGNORECASE,
)
_HANDS: Final = compile_later(
    rf"(?<![\w.$€£#+-])(?:(?P<cards>{_CARDS})|(?P<glued>{_GLUED})|(?P<ranks>{_TWO_RANKS})"
    rf"|(?P<small>{_SMALL_RANKS})"
    rf"|(?P<several>(?i:(?:pocket\s)?(?:{_SEVERAL}|{'|'.join(_NICKNAMES)})))"
    r"|(?P<top>(?i:top)\s\d{1,2}\s?%))(?![\w%'’]|\.\d|-\w)"
)
_STREET: Final = r"(?:board|flop|turn|river|run-?out)(?:s|ed|ped)?"
_BOARD: Final = compile_later(
    rf"(?<!\w)(?i:(?P<street>{_STREET})|on)"
    r"(?:\s?[:,]?\s?(?:(?i:was|is|came|comes|of|the|an|with|on)|a)(?!\w))*\s?:?\s?[(\[]?"
    rf"(?:(?P<cards>{_CARDS})|(?P<glued>(?:{_SMALL_CARD})+)"
    rf"|(?P<ranks>(?:{_RANK}[-\s]?){{3,5}}|(?:(?<=turn )|(?<=river )){_RANK})"
    r"(?P<suits>\s?(?i:rainbow|monotone|two-?tone)|r|tt)?)"
    r"[)\]]?(?!\w)"
)
_DEAD: Final = compile_later(
    r"(?<!\w)(?i:folded|mucked|dead)(?:\s?[:,]?\s?(?i:cards?|with|was|were|is|are))*\s?:?\s"
    rf"(?P<cards>{_CARDS}|{_GLUED})(?!\w)"
)
# hands that somebody folded, but without suits
_GONE: Final = rf"(?:{_TWO_RANKS}|{_SMALL_RANKS}|(?i:{_SEVERAL}))(?![\w%'’])"
_FOLDED: Final = compile_later(
    rf"(?<!\w)(?:(?i:folded|folds|mucked|mucks)\s(?i:his |her |my |their |the |pocket )*{_GONE}"
    rf"|{_GONE}\s(?i:was |were )?(?i:folded|folds|mucked|mucks)(?!\w|\s{_CARD}))"
)
# what joins the terms of one range: a comma or "and" after "TT+", or any "or"
_SAME_RANGE: Final = compile_later(r"\s?[,/]\s?(?:(?i:and|or)\s)?|\s(?i:and|or)\s")
_SPREAD: Final = compile_later(r"[+-]$|%$")
# what is made isn't what is held: "he made two pair, kings and sevens", "a set of jacks"
_MADE: Final = compile_later(
    r"(?<!\w)(?:(?:made|makes?|hits?|flop(?:s|ped)|turn(?:s|ed)|river(?:s|ed)|has|had|with)\s)?"
    r"(?:(?:a|an|the|his|her|my|top)\s)?"
    r"(?:set|trips|quads|two pairs?|full house|boat|straight|flush)"
    rf"(?:\s(?:of|over|draw|to|the|and)|,)?(?:\s(?:{_SEVERAL}|{_ONE_RANK}))*"
    rf"(?:\s(?:and|over|full of|full)\s(?:{_SEVERAL}|{_ONE_RANK}))?(?!\w)"
    rf"|(?<!\w)(?:{_SEVERAL}) full(?:\s(?:of|over)\s(?:{_SEVERAL}))?(?!\w)",
    re.IGNORECASE,
)
_HOLDS: Final = (
    r"(?:had|has|have|having|got|gets|with|w/|holds?|held|holding|shows?|showed|tables?|tabled"
    r"|opens?|opened|pair of|turn(?:s|ed) over|pocket|vs\.?|versus|against|my|his|her|their|into"
    r"|ran|beats?|beat|calls?|called|hand|hands|dealt|given|'ve|'s|:)"
)
_BEFORE: Final = compile_later(
    rf"(?:^|(?<!\w)){_HOLDS}(?:\s(?:an?|the|only|just|pocket|like))*\s?$", re.IGNORECASE
)
_NAME: Final = compile_later(
    r"(?<![\w'])(?P<name>[A-ZŁŚŻŹĆ][^\W\d_]{1,19})\s"
    r"(?:had|has|holds?|held|shows?|showed|tabled|turned over|with)"
    r"(?:\s(?:an?|the|pocket))?\s$"
)
_NO_NAMES: Final = frozenset(
    {
        "he",
        "she",
        "they",
        "we",
        "who",
        "it",
        "villain",
        "hero",
        "board",
        "flop",
        "and",
        "but",
        "then",
    }
    | {"one", "guy", "so", "now", "player", "opponent", "someone", "somebody", "everyone", "button"}
)
_SUITS: Final = {"r": "rainbow", "rainbow": "rainbow", "monotone": "monotone", "tt": "two-tone"}


@dataclass(frozen=True, slots=True)
class Found:
    """The hands found in a text, the clauses about its board, the dead cards, and the game.

    `game` is a key, or the name of a game that isn't supported. `dead` and `game` are empty if the
    text names none.
    """

    hands: tuple[str, ...]
    board: tuple[str, ...] = ()
    dead: str = ""
    game: str = ""

    @property
    def question(self) -> str:
        """The question as it can be typed; empty if there is no hand."""
        if not self.hands:
            return ""
        known = {"holdem": "", "": ""}
        parts = [f"{known.get(self.game, self.game)} {' vs '.join(self.hands)}".strip()]
        parts += [*self.board, *([f"dead {self.dead}"] if self.dead else [])]
        return ", ".join(parts)


def find_showdown(text: str) -> Found:
    """Return the hands, the board, the dead cards and the game in a text mostly about other things.

    Reads at most `LONGEST` characters and keeps at most `MOST_HANDS` hands.
    """
    plain = unicodedata.normalize("NFKC", text[:LONGEST]).translate(_SYMBOLS).replace("’", "'")
    plain = _NO_WORDS.sub(" ", plain)
    plain = _OF.sub(lambda it: _SINGULARS[it[1].lower()] + it[2][0].lower(), plain)
    plain = _NAMED_RANKS.sub(_in_ranks, plain)
    game = game_in_prose(plain)
    boards = list(_BOARD.finditer(plain))
    board = _board_of(boards)
    dead = [match["cards"] for match in _DEAD.finditer(plain)]
    for pattern in (_DEAD, _FOLDED, _BOARD, _MADE):
        plain = pattern.sub(lambda match: ";" + " " * (len(match[0]) - 1), plain)
    hands = list(_hands(plain))
    public = [hand for _, hand in hands if len(_cards_in(hand)) in (3, 4, 5)]
    if public and len(public) < len(hands):  # cards that nobody could hold are the board
        board = board or [f"board {_space_cards(public[0])}"]
        hands = [held for held in hands if held[1] not in public]
    different = dict.fromkeys(hand for _, hand in hands)
    names = {hand: name for name, hand in reversed(hands) if name}
    held = [f"{names[hand]}: {hand}" if hand in names else hand for hand in different]
    return Found(tuple(held[:MOST_HANDS]), tuple(board), " ".join(map(_space_cards, dead)), game)


def _in_ranks(match: re.Match[str]) -> str:
    kind = (match[4] or "").strip().lower()
    suffix = "" if not kind else "s" if kind.startswith("s") else "o"
    ranks = "".join(_SINGULARS[word.lower()] for word in match.groups()[:3] if word)
    return ranks + suffix


def _cards_in(text: str) -> list[str]:
    """Return the cards of a text that consists only of cards; else an empty list."""
    cards = re.findall(rf"{_CARD}|{_SMALL_CARD}", text)
    return cards if "".join(cards) == text.replace(" ", "") else []


def _space_cards(cards: str) -> str:
    return " ".join(_write(card) for card in re.findall(rf"{_CARD}|{_SMALL_CARD}", cards))


def _write(card: str) -> str:
    return card[:-1].upper().replace("10", "T") + card[-1].lower()


def _board_of(boards: list[re.Match[str]]) -> list[str]:
    """Return the board's clauses: first one with all named cards, then those with ranks only.

    A turn or river whose ranks are named without suits gets its own clause, such as "turn K".
    Ranks of the whole board are left out if cards are named.
    """
    cards: dict[str, None] = {}
    clauses: list[str] = []
    for match in boards:
        typed = match["cards"] or match["glued"]
        street = re.sub(r"(?:s|ed|ped)$", "", (match["street"] or "board").lower())
        if typed is not None:
            if match["street"] is None and len(_cards_in(_space_cards(typed))) < 3:
                continue  # "on Ah" isn't a board
            cards |= dict.fromkeys(_space_cards(typed).split())
        elif street in ("turn", "river"):
            clauses.append(f"{street} {_ranks_in(match['ranks'])}")
        else:
            ranks = _ranks_in(match["ranks"])
            suits = (match["suits"] or "").strip().lower()
            texture = _SUITS.get(suits, "two-tone" if suits.startswith("two") else "")
            clauses.append(f"board {ranks} {texture}".strip())
    known = [f"board {' '.join(cards)}"] if cards else []
    return known + [
        clause for clause in dict.fromkeys(clauses) if not (cards and "board" in clause)
    ]


def _ranks_in(text: str) -> str:
    return re.sub(r"[\s-]", "", text).upper().replace("10", "T")


def _hands(plain: str) -> Iterator[tuple[str, str]]:
    """Yield (player's name or "", hand) for each hand of a text, in order.

    Terms of one range are one hand: "TT+ and AQ+" is "TT+, AQ+".
    """
    end, begun = -1, ("", "")  # of the last hand that isn't yielded yet
    for match, name, hand in _single_hands(plain):
        joint = plain[end : match.start()] if begun[1] else ""
        spread = _SPREAD.search(begun[1]) or _SPREAD.search(hand)
        if _SAME_RANGE.fullmatch(joint) and not name and (spread or "or" in joint.lower()):
            begun = begun[0], f"{begun[1]}, {hand}"
        else:
            if begun[1]:
                yield begun
            begun = name, hand
        end = match.end()
    if begun[1]:
        yield begun


def _single_hands(plain: str) -> Iterator[tuple[re.Match[str], str, str]]:
    """Yield (match, player's name or "", hand) for each hand or term of a text, in order."""
    for match in _HANDS.finditer(plain):
        before = plain[: match.start()]
        has_word = _BEFORE.search(before) is not None
        named = _NAME.search(before)
        name = named["name"] if named and named["name"].lower() not in _NO_NAMES else ""
        kind, typed = next((k, v) for k, v in match.groupdict().items() if v is not None)
        hand = ""
        match kind:
            case "cards":
                yield from ((match, name, held) for held in _split_cards(typed))
                continue
            case "glued":
                hand = (
                    "" if typed == "asks" and not has_word else _space_cards(typed).replace(" ", "")
                )
            case "ranks":
                hand = _ranks_of(typed)
                plain_number = re.fullmatch(r"\d+", hand) is not None
                hand = "" if (plain_number or hand in ("AT", "TA")) and not has_word else hand
            case "small":
                hand = _ranks_of(typed) if len(typed) > 1 else ""
            case "several":
                word = re.sub(r"^pocket\s", "", typed.lower())
                pocket = word != typed.lower() or word in _NICKNAMES
                rank = _NICKNAMES.get(word) or _PLURALS[word] * 2
                hand = rank if pocket or has_word else ""
            case _:
                hand = re.sub(r"\D", "", typed) + "%"
        if hand:
            yield match, name, hand


def _split_cards(typed: str) -> list[str]:
    """Return the hands in a run of cards: "AhKd QsQh" are two, "Ah Kd" is one, "Ah" none."""
    words = [_space_cards(word).replace(" ", "") for word in re.split(r"[\s,/-]+", typed) if word]
    if len(words) > 1 and all(len(word) > 2 for word in words):
        return words
    whole = "".join(words)
    return [whole] if len(whole) > 2 else []


def _ranks_of(typed: str) -> str:
    match = re.match(rf"(?i:({_RANK}|[tjqka])-?({_RANK}|[tjqka]))\s?(.*)", typed)
    assert match is not None
    first, second, behind = match[1].upper(), match[2].upper(), match[3].lower()
    sign = behind[-1:] if behind[-1:] in "+-" else ""
    kind = behind.rstrip("+-").strip()
    suffix = "" if not kind else "s" if kind.startswith("s") else "o"
    ranks = (first + second).replace("10", "T")
    return ranks + ("" if ranks[0] == ranks[1] else suffix) + sign

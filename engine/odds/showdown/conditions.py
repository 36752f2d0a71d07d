"""Parse conditions on a board or a hand: "flop monotone", "hero flops a set and river heart".

docs/showdown.md has the language in a table. A clause begins at "when", or at a street that is not
followed by cards. Every word of it must be understood; an error says which one isn't. A condition
is true or false for a deal; `equity` counts the deals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from typing import Final

from engine.card_words import in_letters
from engine.cards import Cards, Rank, Suit, rank_bits
from engine.errors import Reason, TextError, UnclearHands, UnclearText
from engine.lexicon import ENGLISH_LEXICON, RANK_WORDS, SUIT_WORDS
from engine.odds.showdown.made_hands import Draw, Kinds, Made, parse_kinds
from engine.odds.showdown.question_words import CARD, CONDITION, TYPED_CARD, VERSUS
from engine.odds.showdown.range_terms import is_of_two
from engine.odds.showdown.ranking import Ranking
from engine.patterns import compile_later

CONDITION_EXAMPLE: Final = '"AhKh vs QQ, when board pairs" or "JTs, flop two pair+"'
# kinds of atoms: cards of a mask on the board; the last card is in the mask; the number of suits;
# the most cards of one rank; whether the last card pairs an earlier one; a player's class or draw
HAS_CARDS, NEW_CARD, SUITS, ALIKE, PAIRS, HAND = range(6)
NOT, AND, OR = -1, -2, -3
_STAGES: Final = {"flop": 3, "turn": 4, "river": 5}
_WHOLE: Final = 5
_MOST: Final = 9
_SUIT_BITS: Final = 0x1FFF
_MOST_ATOMS: Final = 12
# the classes of hands with a pair or better, except straights and flushes, as bits
_PAIRED: Final = sum(
    1 << number
    for number, kind in enumerate(Made)
    if kind not in (Made.STRAIGHT_FLUSH, Made.FLUSH, Made.STRAIGHT, Made.ACE_HIGH, Made.AIR)
)

_CUT: Final = r"(?!\s(?:vs|versus|v|against)(?!\w))[^,;\n|]"
_WHEN: Final = compile_later(
    r"(?:^|[\s,;(]+)(?:(?:and|but|only)\s+)*(?:when|whenever|if|given|provided|assuming)"
    rf"(?:\s+that)?(?!\w)\s*:?(?P<rest>(?:{_CUT})*)",
    re.IGNORECASE,
    words=("when", "if", "given", "provided", "assuming"),
)
_WHO: Final = r"(?:hero|villain|opponent|i|we|he|she|they|p[1-9]|player [1-9])"
_NEGATED: Final = r"(?:(?:does|do|did|is|are|was|has|have)(?:\s?n['’]?t|\s+not)|never)(?!\w)"
# a turn or river with a fact of its own, as in "flop A72 turn K"
_NEXT_STREET: Final = (
    r"(?!(?<!\bor)(?<!\band)(?<!\bon)(?<!\bby)(?<!\bthe)(?<!\bin)(?<!\bat)(?<!\bto)(?<!\bof)"
    r"(?<!\bno)(?<!\bnot)\s(?:turn|river)s?\s+\w)"
)
_AT_STREET: Final = compile_later(
    r"(?:^|[\s,;(]+)(?:(?:and|on|with|in|where|to)\s+)*(?:(?:an?|the)\s+)?"
    rf"(?P<rest>(?:{_WHO}:?\s+(?:and\s+{_WHO}\s+)?(?:{_NEGATED}\s+)?)?"
    r"(?P<street>flop|turn|river|board)(?:s|ed|ped)?(?!\w)"
    rf"(?:{_NEXT_STREET}{_CUT})*)",
    re.IGNORECASE,
)
# a fact before its street: "a heart on the turn", "hits a set by the river"
_BEFORE_STREET: Final = compile_later(
    r"(?:(?:^|[\s,;(|]+)(?:(?:and|with|when)\s+)?(?:it\s+|to\s+)?(?=(?:hit|make|get)(?:s|ting|ing)?\s)"
    r"|(?:[,;(|\n]\s*|(?<!\w)with\s+)(?:(?:and|with|when)\s+)*)"
    r"(?P<rest>[^,;|\n()]{1,40}?\s(?:on|by)\s(?:the\s)?(?:flop|turn|river|board))"
    rf"(?!\w|\s*:?\s*{TYPED_CARD})\)?",
    re.IGNORECASE,
    words=("on", "by"),
)
# "flop a set with 77", "to hit a flush by the river with AhKh"
_WITH_HAND: Final = compile_later(
    r"(?:(?<!\w)(?:the\s+)?(?:odds|chances?|probability)\s+(?=to|of))?"
    r"(?:(?<!\w)(?:(?:do|can|will|would)\s+)?(?:i|we|you)\s+|(?<!\w)(?:to|of)\s+)?(?<!\w)"
    r"(?P<fact>(?P<verb>flop|turn|river|hit|make|get)(?:s|p?ing|t?ing)?\s+[^,;|\n]+?)\s+with\s+(?P<hand>[^,;|\n?]+)",
    re.IGNORECASE,
    words=("with",),
)
# "on a monotone flop", "an A72 rainbow flop", "on A72r"
_TEXTURE: Final = r"(?:monotone|(?:two|2)[ -]?toned?|rainbow|paired|unpaired)"
_RANK_WORDS: Final = rf"(?:{'|'.join(ENGLISH_LEXICON.singular)}|10|[2-9tjqka])"
_RANKS: Final = r"(?:(?:10|[2-9tjqka*x])[ -]?){2,4}(?:10|[2-9tjqka*x])"
_TEXTURED: Final = compile_later(
    r"(?:[\s,;]|^)(?:on\s+|with\s+|when\s+)?(?:(?:an?|the)\s+)?"
    rf"(?P<what>(?:{_RANKS}\s+)?{_TEXTURE}|red|black|{_RANKS}(?:r|tt)?"
    rf"|(?P<top>{_RANK_WORDS})[ -]high)"
    rf"\s+(?P<street>flop|board)s?(?!\w|\s*:?\s*{TYPED_CARD})",
    re.IGNORECASE,
    words=("flop", "board"),
)
_ON_RANKS: Final = compile_later(
    rf"(?<!\w)on\s+(?:(?:an?|the)\s+)?(?=(?:10|[2-9tjqka*x]){{3,5}}(?:r|tt)?(?![\w*]))(?P<what>{_RANKS}(?:r|tt)?(?:\s+{_TEXTURE})?)(?!\w)",
    re.IGNORECASE,
    words=("on",),
)
_SHORT_TEXTURE: Final = compile_later(
    r"(?<!\w)((?:10|[2-9tjqka]){3,5})(r|tt)(?!\w)",
    re.IGNORECASE,
    words=(*(f"{rank}r" for rank in "023456789tjqka"), "tt"),
)
_VERSUS: Final = compile_later(rf"(?<!\w){VERSUS}(?!\w)", re.IGNORECASE)
_WHOLE_HAND: Final = compile_later(
    rf"\s*{TYPED_CARD}\s?{TYPED_CARD}(?!\s?{TYPED_CARD})", re.IGNORECASE
)
_SYMBOLS: Final = str.maketrans(dict(zip("♣♦♥♠", "cdhs", strict=True)) | {"‑": "-"})
_DASH: Final = compile_later(r"(?<!\w)-|-(?=\w)", words=("-",))  # but not that of "turn 9-"
_NOT: Final = compile_later(rf"(?<!\w){_NEGATED}", words=("nt", "n't", "n’t", "not", "never"))
_SUIT_OF_SIGN: Final = {suit.symbol: words[0] for suit, words in SUIT_WORDS.items()}
_LONE_SIGN: Final = compile_later(  # "turn a ♥"
    r"(?<=[a-z]{3} )[♣♦♥♠]|(?<=\ba )[♣♦♥♠]", words="♣♦♥♠"
)
_RANK: Final = "(?:10|[2-9tjqka])"
_PATTERN: Final = compile_later(  # but "jack" isn't J, Ac and K
    rf"(?<!\w)(?!jacks?(?!\w))(?:(?:{_RANK}[cdhs]?|[*x])\s?){{3,}}(?![\w*])"
)
_PATTERN_CARD: Final = compile_later(rf"({_RANK})([cdhs])?|[*x]")
_WORD: Final = compile_later(r"[()]|[^\s()]+")
_SYNONYMS: Final = {
    "flop": "flop(?:s|ped)",
    "turn": "turn(?:s|ed)",
    "river": "river(?:s|ed)",
    "not": "without|no|neither",
    "or": "nor",
    "monotone": "(?:one|single) suit|one suited",
    "twotone": "(?:two|2) ?toned?|two suits",
    "threesuits": "three suits",
    "threealike": "(?:three|3) of (?:a )?kind",
    "quads": "(?:four|4) of (?:a )?kind",
}
_SYNONYM: Final = compile_later(
    rf"(?<!\w)(?:{'|'.join(f'(?P<{word}>{words})' for word, words in _SYNONYMS.items())})(?!\w)"
)
# tried in this order, after the synonyms
_SAYINGS: Final = tuple(
    (compile_later(rf"(?<!\w)(?:{pattern})(?!\w)", words=words), meaning)
    for words, pattern, meaning in (
        (("player",), r"player ([1-9])", r"p\1"),
        (
            ("at least", "min", "or more"),
            r"(?:at least|min(?:imum)?) (\w+)|(\w+) or more",
            r"\1\2+",
        ),
        (("&", "+"), r"&|(?<= )\+(?= +(?!or(?!\w)|and(?!\w))[a-z])", "and"),
        (("a high",), r"a high", "ace high"),
    )
)
# an article, not an ace, as in "a heart"
_ARTICLE: Final = compile_later(
    r"(?<!\w)an? (?!high(?!\w))(?=[a-z]{3})"
    r"|(?:(?<=turn )|(?<=river )|(?<=is )|(?<=has )|(?<=or )|(?<=not ))"
    r"a (?=(?:10|[2-9tjqk])(?!\w))",
    words=("a ", "an "),
)
_COUNTED: Final = compile_later(  # a number, not a deuce, as in "two of hearts"
    r"(?<!\w)((?:one|two|three|four|five|[1-5])\+?) ((?:club|diamond|heart|spade)s?)(?!\w)",
    words=("club", "diamond", "heart", "spade"),
)
_ONE_OF: Final = {plural: word for word, plural in RANK_WORDS.values()}
_COUNTED_RANKS: Final = compile_later(  # how many of a rank, not a pair, as in "two aces"
    rf"(?<!\w)((?:no|one|two|three|four|[1-4])\+?) ({'|'.join(_ONE_OF)})(?!\w)",
    words=_ONE_OF,
)
_EITHER_NUMBER: Final = compile_later(  # "two or three hearts"
    r"(?<!\w)((?:one|two|three|four|[1-4])) or ((?:two|three|four|five|[2-5])) "
    rf"((?:club|diamond|heart|spade)s|{'|'.join(_ONE_OF)})(?!\w)",
    words=(" or ",),
)
_COUNTED_LETTERS: Final = compile_later(  # "two Ks": kings, as one card can't come twice
    r"(?<!\w)((?:two|three|four)\+?) (10|[2-9tjqka])'?s(?!\w)",
    words=("two", "three", "four"),
)
_BETTER: Final = compile_later(
    r"\s+(?:or|and)\s+(?:better|higher|stronger|above|up)(?!\w)|\s+\+",
    words=("better", "higher", "stronger", "above", "up", "+"),
)
_FILLER: Final = frozenset(
    {
        *("the", "an", "any", "is", "are", "be", "was", "has", "have", "had", "gets", "get", "got"),
        *("makes", "make", "made", "hits", "hit", "comes", "come", "with", "contains", "shows"),
        *("on", "by", "of", "in", "to", "card", "cards", "exactly"),
    }
)
_VERBS: Final = frozenset({"is", "are", "has", "have", "gets", "makes", "hits", "comes", "shows"})
_HERO: Final = frozenset({"hero", "i", "we"})
_VILLAIN: Final = frozenset({"villain", "opponent", "he", "she", "they"})
_COUNTS: Final = ("one", "two", "three", "four", "five")
_NUMBERS: Final = {
    name: number for number, word in enumerate(_COUNTS, start=1) for name in (word, str(number))
}
_COLOURS: Final = {"red": (Suit.DIAMONDS, Suit.HEARTS), "black": (Suit.CLUBS, Suit.SPADES)}


@dataclass(frozen=True, slots=True)
class Atom:
    """One fact about a deal. It is known once the board has `stage` cards.

    `kind` says which fact. A fact about a number of cards is true if the number is from `least` to
    `most`. A fact about the number of suits is true if there are exactly `least`. `masks` are bits:
    (cards, 0) for a fact about certain cards, (classes, draws) for a fact about the hand of player
    `seat`. Bit i of the classes and draws stands for number i in `Made` or `Draw`.
    """

    stage: int
    kind: int
    seat: int = 0
    least: int = 0
    most: int = _MOST
    masks: tuple[int, int] = (0, 0)

    @property
    def is_about_ranks(self) -> bool:
        """Whether the suits of the cards don't matter."""
        if self.kind == HAND:
            return self.stage == _STAGES["flop"] and not (self.masks[0] & ~_PAIRED or self.masks[1])
        ranks = {self.masks[0] >> 13 * suit & _SUIT_BITS for suit in Suit}
        return self.kind != SUITS and len(ranks) == 1


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a deal: its `text`, its atoms, and a `program` over them in postfix order.

    A step of the program is the number of an atom, or `NOT`, `AND` or `OR`.
    """

    text: str
    atoms: tuple[Atom, ...]
    program: tuple[int, ...]

    @property
    def seats(self) -> frozenset[int]:
        """The seats of the players whose hands the condition is about."""
        return frozenset(atom.seat for atom in self.atoms if atom.kind == HAND)

    @property
    def street(self) -> int | None:
        """The number of board cards at which the atoms are known; None if it differs among them."""
        stages = {atom.stage for atom in self.atoms}
        return None if len(stages) > 1 else stages.pop()

    @property
    def by_ranks(self) -> bool:
        """Whether the condition is about one street and depends only on the ranks of the cards.

        The classes from a low pair to four of a kind do on a flop, without straights and flushes: a
        flush has five different ranks, so no pair.
        """
        return self.street is not None and all(atom.is_about_ranks for atom in self.atoms)

    @property
    def by_last(self) -> bool:
        """Whether the condition depends on which board card came last."""
        return any(atom.kind in (NEW_CARD, PAIRS) for atom in self.atoms)

    @property
    def cards(self) -> tuple[int, ...]:
        """The sets of cards that the condition names, as bits."""
        return tuple(atom.masks[0] for atom in self.atoms if atom.kind in (HAS_CARDS, NEW_CARD))


def split_conditions(texts: Sequence[str], board: str = "") -> tuple[list[str], str, list[str]]:
    """Cut conditions out of texts and board; return the remaining texts, the board, and conditions.

    A board that is a condition becomes "". A text that is only a condition is left out, but at
    least one text is returned, which may be empty. The conditions are as typed.
    """
    clauses: list[str] = []
    left = []
    for text in texts:
        remaining = _with_street_first(text)
        for pattern, is_meant in (
            (_WHEN, None), (_BEFORE_STREET, _reads), (_AT_STREET, _is_condition),
        ):  # fmt: skip
            at = 0
            while (match := pattern.search(remaining, at)) is not None:
                if is_meant is not None and not is_meant(match["rest"]):
                    street = match.end("street") if pattern is _AT_STREET else match.start() + 1
                    at = max(street, match.start() + 1)
                    continue
                begin, clause = _with_subject(remaining, match)
                opened = "(" in remaining[match.start() : match.start("rest")]
                clauses.append(clause.removesuffix(")") if opened else clause)
                remaining = f"{remaining[:begin]} {remaining[match.end() :]}"
                at = begin
        remaining = remaining if remaining == text else remaining.strip(" ,;.?\n")
        if remaining.strip() or text == remaining:
            left.append(remaining)
    if board and _is_condition(board if _begins_with_street(board) else f"board {board}"):
        clauses.append(board if _begins_with_street(board) else f"board {board}")
        board = ""
    return left or [""], board, clauses


def _with_street_first(text: str) -> str:
    """Return a text with other orders of words made plain: "on a monotone flop" is "flop monotone".

    "flop a set with 77" becomes "77, flop a set".
    """
    plain = _SHORT_TEXTURE.sub(
        lambda match: f"{match[1]} {'rainbow' if match[2].lower() == 'r' else 'two-tone'}", text
    )
    plain = _TEXTURED.sub(_street_first, plain)
    plain = _ON_RANKS.sub(lambda match: f"board {match['what']}", plain)
    match = None if _VERSUS.search(plain) else _WITH_HAND.search(plain)
    if match is not None:
        fact = re.sub(r"^(flop|turn|river)\w*", r"\1", match["fact"], flags=re.IGNORECASE)
        fact = re.sub(r"^(?:hit|make|get)\w*\s+", "", fact, flags=re.IGNORECASE)
        fact = fact if re.search(r"flop|turn|river", fact, re.IGNORECASE) else f"river {fact}"
        if _reads(fact):
            plain = f"{plain[: match.start()]} {match['hand']}, when {fact}{plain[match.end() :]}"
    return plain


def _street_first(match: re.Match[str]) -> str:
    texture = "an ace" if (match["top"] or "").lower() in ("a", "ace") else match["what"]
    return f", {match['street']} {texture}"


def _with_subject(text: str, match: re.Match[str]) -> tuple[int, str]:
    """Return where a clause begins, and the clause, with the player before its street if named.

    In "AK vs QQ, QQ flops a set" that is "QQ": words after a comma that are in the text before.
    """
    clause = match["rest"].strip(" .?!:")
    before = text[: match.start("rest")]
    start = max(before.rfind(mark) for mark in ",;|\n") + 1
    subject = re.sub(r"^\s*(?:and|but)\s+|\s+$", "", before[start:], flags=re.IGNORECASE).strip()
    earlier = before[: max(start - 1, 0)]
    known = subject and re.search(rf"(?<!\w){re.escape(subject)}(?!\w)", earlier, re.IGNORECASE)
    # "QQ" may be the player with QdQs, if there are players before it
    is_against = _VERSUS.search(earlier) or _WHOLE_HAND.match(earlier)
    if not known and not (is_against and is_of_two(in_letters(subject).lower())):
        return match.start(), clause
    return start, f"{subject} {clause}"


def _reads(clause: str) -> bool:
    """Return whether a clause is understood as a condition."""
    try:
        return bool(_Parser({}, Ranking.HIGH).parse(clause))
    except UnclearText:
        return True
    except TextError:
        return False


def _begins_with_street(text: str) -> bool:
    return _AT_STREET.match(text) is not None


def _is_condition(text: str) -> bool:
    """Return whether the text has a street or "board", and then something other than cards."""
    plain = _plain(text)
    words = [word for word in plain.split() if word not in _FILLER]
    streets = [words.index(street) for street in (*_STAGES, "board") if street in words]
    if not streets:  # as in "board +", which has become the word "board+"
        return False
    behind = " ".join(words[min(streets) + 1 :]).strip(" :.?!()")
    if re.search(r"\w", behind) is None:  # nothing follows, or only a joker
        return False
    if re.search(rf"(?<!\w){CARD}+(?!\w)", behind) is None:
        return True
    pattern = _PATTERN.search(behind)
    # in "9h 5h 2" a suit is missing, so these are cards
    some = r"[2-9tjqka0](?:[cdhs](?=[*x]{2}))?[*x\s]*[*x]"
    return pattern is not None and re.search(some, pattern[0]) is not None


def _plain(text: str) -> str:
    """Return a clause in lower case, with cards written in letters and one form for synonyms."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    plain = _LONE_SIGN.sub(lambda sign: _SUIT_OF_SIGN[sign[0]], _NOT.sub("not", plain))
    plain = _DASH.sub(" ", plain.translate(_SYMBOLS))
    plain = _EITHER_NUMBER.sub(r"\1 \3 or \2 \3", _ARTICLE.sub("", plain))
    plain = _COUNTED.sub(r"\1_\2", plain)
    plain = _COUNTED_LETTERS.sub(r"\1_\2", plain)
    plain = _COUNTED_RANKS.sub(lambda match: f"{match[1]}_{_ONE_OF[match[2]]}", plain)
    plain = in_letters(plain).lower().replace("_", " ")
    plain = _SYNONYM.sub(lambda match: match.lastgroup or "", plain)
    for pattern, meaning in _SAYINGS:
        plain = pattern.sub(meaning, plain)
    return " ".join(_BETTER.sub("+", plain).replace(":", " ").split())


def parse_condition(
    clauses: Sequence[str], names: Sequence[str], ranking: Ranking, hands: Sequence[str] = ()
) -> Condition:
    """Return the condition that all of the clauses are true.

    `names` are the players' names. Clauses may also call players "hero", "villain" and "P1", or by
    one of the `hands` that only one player has. Raises `TextError` if a clause isn't understood, or
    if the clauses have too many facts in all; `UnclearHands`, with clauses as choices, if one may
    mean several things.
    """
    names_of = [_hand_names(re.sub(r"\s", "", hand).lower()) for hand in hands]
    all_names = [name for names_each in names_of for name in names_each]
    known = {
        name: seat
        for seat, names_each in enumerate(names_of)
        for name in names_each
        if all_names.count(name) == 1
    }
    known |= {name.lower(): seat for seat, name in enumerate(names) if name}
    parser = _Parser(known, ranking)
    program: list[int] = []
    for at, clause in enumerate(clauses):
        program += parser.parse(clause) + ([AND] if at else [])
    return Condition(", ".join(clauses), tuple(parser.atoms), tuple(program))


def _hand_names(hand: str) -> set[str]:
    """Return what a hand may be called: "qdqs" also "qsqd" and "qq". A hand may be a range."""
    if not re.fullmatch(f"{CARD}{CARD}", hand):
        return {hand} - {""}
    first, second = hand[:2], hand[2:]
    ranks = {first[0] + second[0], second[0] + first[0]}
    kinds = {f"{two}{'s' if first[1] == second[1] else 'o'}" for two in ranks}
    return {hand, second + first, *ranks, *(kinds if first[0] != second[0] else ())}


class _Parser:
    """A parser of clauses into one list of atoms.

    A fact without a street or a player has the street or player that was last named in its clause.
    """

    def __init__(self, names: Mapping[str, int], ranking: Ranking) -> None:
        self.atoms: list[Atom] = []
        self._names = names
        self._ranking = ranking
        self._words: list[str] = []
        self._clause = ""
        self._street: str | None = None
        self._seat: int | None = None
        self._is_board = False
        self._is_not = False  # whether the last fact had a "not"
        self._is_by = False  # whether it says "by the river": on any street up to this one

    def parse(self, clause: str) -> list[int]:
        """Return the program of a clause; its atoms are added to `atoms`.

        Raises `TextError` if the clause isn't understood, or if there are too many atoms.
        """
        self._clause, self._words = clause, _WORD.findall(_plain(clause))
        self._street, self._seat, self._is_board = None, None, False
        program = self._either()
        if self._words:
            raise _unclear(clause, self._words[0])
        return program

    def _either(self) -> list[int]:
        program = self._both()
        while self._words[:1] == ["or"]:
            self._words.pop(0)
            program += [*self._both(), OR]
        return program

    def _both(self) -> list[int]:
        program = self._part()
        while self._words[:1] == ["and"] or self._continues_no():
            neither = self._words.pop(0) == "or"
            program += [*self._part(), *([NOT] if neither else []), AND]
            self._is_not |= neither
        return program

    def _continues_no(self) -> bool:
        """Return whether "or" and a bare fact follow a fact with a "no": "no ace or king"."""
        if not self._is_not or self._words[:1] != ["or"]:
            return False
        words = list(takewhile(lambda word: word not in ("and", "or", "(", ")"), self._words[1:]))
        begins = {*_STAGES, "board", "not", *_HERO, *_VILLAIN, *_VERBS}
        named = any(words[: len(name.split())] == name.split() for name in self._names)
        return bool(words) and not (begins & set(words) or named or re.match("p[1-9]", words[0]))

    def _part(self) -> list[int]:
        if self._words[:1] == ["not"] and self._words[1:2] == ["("]:
            self._words.pop(0)
            return [*self._part(), NOT]
        if self._words[:1] == ["("]:
            self._words.pop(0)
            program = self._either()
            self._is_not = False
            if self._words[:1] != [")"]:
                raise _unclear(self._clause, self._clause)
            self._words.pop(0)
            return program
        words = []
        while self._words and self._words[0] not in ("and", "or", "(", ")"):
            words.append(self._words.pop(0))
        if not words:
            raise _unclear(self._clause, self._clause)
        return self._atom(words)

    def _atom(self, words: list[str]) -> list[int]:
        """Return the program of a fact in words, such as "hero not flop top pair+"; add its atoms.

        Raises `TextError` for words that aren't a fact, or if there are too many atoms.
        """
        phrase = " ".join(words)
        self._is_not = is_not = words.count("not") % 2 == 1
        self._is_by = "by" in words
        words = [word for word in words if word != "not" and word not in _FILLER]
        after = self._without_subject(words)
        names_player, words = len(after) < len(words), after
        streets = [word for word in words if word in _STAGES]
        board = "board" in words
        words = [word for word in words if word not in _STAGES and word != "board"]
        if len(streets) > 1 or not words:
            raise _unclear(self._clause, phrase)
        if streets or board:
            self._street = streets[0] if streets else None
            self._is_board = board
            if board and words[0] not in ("pair", "pairs"):
                self._seat = None
        if self._seat is None and streets and not board:
            self._is_board = False
        parts = None if names_player else self._board(words)
        parts = parts or self._hand(words, phrase)
        program: list[int] = []
        for number, atom in enumerate(parts):
            program += [len(self.atoms), *([AND] if number else [])]
            self.atoms.append(atom)
        if len(self.atoms) > _MOST_ATOMS:
            reason = Reason("a condition has at most {most} parts", most=_MOST_ATOMS)
            raise TextError(CONDITION, reason, CONDITION_EXAMPLE)
        return program + ([NOT] if is_not else [])

    def _without_subject(self, words: list[str]) -> list[str]:
        name_word = words[0] if words else ""
        seat = None
        if name_word in _HERO:
            seat = 0
        elif name_word in _VILLAIN:
            seat = 1
        elif re.fullmatch("p[1-9]", name_word):
            seat = int(name_word[1:]) - 1
        else:
            for name, of_name in self._names.items():
                size = len(name.split())
                if words[:size] == name.split():
                    self._seat = of_name
                    return words[size:]
        if seat is None:
            return words
        self._seat = seat
        return words[1:]

    def _board(self, words: list[str]) -> list[Atom] | None:
        """Return the atoms of a fact about the board; None if it is about a hand.

        Raises `TextError` if the fact needs a street and none is named, or for a wrong pattern of
        cards.
        """
        text = " ".join(words)
        pattern = _PATTERN.match(text)
        if pattern is not None:
            return self._pattern(pattern[0], text[pattern.end() :].strip())
        stage = self._stage
        if text in ("monotone", "twotone", "rainbow"):
            return [self._suits(text, stage)]
        if text in ("pairs", "paired") or (self._is_board and text == "pair"):
            if text == "pairs" and self._street in ("turn", "river") and not self._is_by:
                return [Atom(_STAGES[self._street], PAIRS)]
            return [Atom(stage or _WHOLE, ALIKE, least=2)]
        top = _rank_mask(words[0]) if words[1:] == ["high"] else 0
        if top and top != rank_bits(Rank.ACE):
            higher = sum(rank_bits(rank) for rank in Rank if rank_bits(rank) > top)
            at = stage or _WHOLE
            return [
                Atom(at, HAS_CARDS, least=1, masks=(top, 0)),
                Atom(at, HAS_CARDS, least=0, most=0, masks=(higher, 0)),
            ]
        if text == "unpaired":
            return [Atom(stage or _WHOLE, ALIKE, most=1)]
        if self._is_board and text in ("trips", "threealike"):
            return [Atom(stage or _WHOLE, ALIKE, least=3)]
        return self._cards(words, stage)

    @property
    def _stage(self) -> int | None:
        return None if self._street is None else _STAGES[self._street]

    def _suits(self, texture: str, stage: int | None) -> Atom:
        """Return the atom for a texture, such as "rainbow", of the first `stage` board cards.

        Raises `TextError` if `stage` is None: the condition names no street.
        """
        if stage is None:
            raise self._no_street(texture.replace("twotone", "two-tone"))
        suits = {"monotone": 1, "twotone": 2, "rainbow": stage}[texture]
        return Atom(stage, SUITS, least=suits)

    def _no_street(self, words: str) -> TextError:
        reason = Reason(
            'on which street is "{words}"? Say flop, turn or river',
            words=words,
        )
        return TextError(CONDITION, reason, CONDITION_EXAMPLE)

    def _pattern(self, pattern: str, behind: str) -> list[Atom]:
        """Return the atoms of a pattern of partly known cards, such as "K**" or "A72".

        `behind` are the words after the pattern. Raises `TextError` if they aren't understood, for
        a wrong number of cards, and for a pattern that says nothing, such as "***".
        """
        cards = _PATTERN_CARD.findall(pattern)
        stage = self._stage or len(cards)
        if len(cards) != stage or stage > _WHOLE:
            reason = Reason(
                '"{words}" isn\'t a whole board: expected 3, 4 or 5 cards', words=pattern.strip()
            )
            raise TextError(CONDITION, reason, '"board K**" or "flop A72 rainbow"')
        ranks = [rank.replace("10", "t") for rank, _ in cards if rank]
        atoms = [
            Atom(stage, HAS_CARDS, least=ranks.count(rank), masks=(_rank_mask(rank), 0))
            for rank in dict.fromkeys(ranks)
        ]
        atoms += [
            Atom(stage, HAS_CARDS, least=1, masks=(Cards.parse(rank + suit).bits, 0))
            for rank, suit in cards
            if suit
        ]
        if behind in ("monotone", "twotone", "rainbow"):
            atoms.append(self._suits(behind, stage))
        elif behind in ("paired", "unpaired"):
            most, least = (1, 0) if behind == "unpaired" else (_MOST, 2)
            atoms.append(Atom(stage, ALIKE, least=least, most=most))
        elif behind:
            raise _unclear(self._clause, behind)
        if not atoms:  # "***"
            raise _unclear(self._clause, pattern.strip())
        return atoms

    def _cards(self, words: list[str], stage: int | None) -> list[Atom] | None:
        """Return the atom for cards on the board, such as "two hearts"; None for other words.

        Raises `TextError` if no street and no board is named.
        """
        *before, noun = words
        if before and noun.endswith("+"):  # as in "two hearts or more"
            before, noun = [f"{word}+" for word in before], noun.removesuffix("+")
        least, most = 1, _MOST
        mask = _mask(noun)
        if mask is None or len(before) > 1:
            return None
        if before:
            number = stage if before[0] == "all" else _NUMBERS.get(before[0].removesuffix("+"))
            if number is None or (before[0][0].isdecimal() and _rank_mask(noun)):  # "turn 2-5"
                return None
            least, most = number, _MOST if before[0].endswith("+") else number
        elif stage is not None and not (self._is_board or self._is_by) and stage > _STAGES["flop"]:
            return [Atom(stage, NEW_CARD, masks=(mask, 0))]
        if stage is None and not self._is_board:
            raise self._no_street(" ".join(words))
        if not before and not self._is_not:
            self._check_how_many(noun, stage or _WHOLE)
        return [Atom(stage or _WHOLE, HAS_CARDS, least=least, most=most, masks=(mask, 0))]

    def _check_how_many(self, noun: str, stage: int) -> None:
        """Raise `UnclearHands` for "flop hearts": at least one heart, or hearts only?"""
        suit = next((words for words in SUIT_WORDS.values() if noun == words[1]), None)
        if suit is not None:
            readings = [f"a {suit[0]}", f"{_COUNTS[stage - 1]} {noun}"]
        elif noun in _COLOURS:
            readings = [f"one or more {noun}", f"{_COUNTS[stage - 1]} {noun}"]
        else:
            return
        self._ask(rf"(?<!\w){noun}(?!\w)", readings, noun)

    def _ask(self, pattern: str, readings: Sequence[str], typed: str) -> None:
        """Raise `UnclearHands` with the clause as choices, `readings` in the place of `pattern`."""
        choices = tuple(
            re.sub(pattern, reading, self._clause, count=1, flags=re.IGNORECASE)
            for reading in readings
        )
        raise UnclearHands(self._clause, choices, typed)

    def _hand(self, words: list[str], phrase: str) -> list[Atom]:
        """Return one atom, about the hand of the named player, or else of the first player.

        Raises `TextError` for an unknown class or draw, or for a missing or wrong street.
        """
        text = " ".join(words).replace("threealike", "three of a kind")
        if self._is_board and self._seat is None:
            raise _unclear(self._clause, phrase)
        kinds = parse_kinds(text, self._ranking)
        if kinds is None:
            raise _unclear(self._clause, text)
        if text == "ace high" and self._seat is None and self._street is not None:
            readings = [f"{self._street} an ace", f"hero {self._street}s ace high"]
            pattern = rf"(?:{self._street}\w*\s+)?(?:an?\s+)?a(?:ce)?[ -]high(?:\s+{self._street})?"
            self._ask(pattern, readings, "ace high")
        if kinds == {Draw.OVERCARDS}:
            self._check_overcards(text, phrase)
        has_draws = any(isinstance(kind, Draw) for kind in kinds)
        if self._street is None and (has_draws or self._seat is None):
            raise self._no_street(text)
        stage = self._stage or _WHOLE
        if has_draws and stage == _WHOLE:
            reason = Reason('"{words}" is a draw, and on the river there are none', words=text)
            raise TextError(CONDITION, reason, CONDITION_EXAMPLE)
        return [Atom(stage, HAND, seat=self._seat or 0, masks=_hand_masks(kinds))]

    def _check_overcards(self, text: str, phrase: str) -> None:
        """Raise `TextError` if the overcards may be on the board: "if no overcards flop"."""
        comes = re.search(rf"{text} (?:\w+ )*(?:{'|'.join(_STAGES)})", phrase)
        if text == "overcard" or (self._seat is None and (self._is_not or comes)):
            reason = Reason(
                '"{words}": say which cards, as in "turn T+",'
                ' or whose, as in "hero flops overcards"',
                words=text,
            )
            raise TextError(CONDITION, reason, CONDITION_EXAMPLE)


def _unclear(clause: str, words: str) -> TextError:
    reason = Reason('"{words}" isn\'t a condition on a board or a hand', words=words)
    return TextError(CONDITION, reason, CONDITION_EXAMPLE)


def _hand_masks(kinds: Kinds) -> tuple[int, int]:
    classes, draws = list(Made), list(Draw)
    mask = sum(1 << classes.index(kind) for kind in kinds if isinstance(kind, Made))
    return mask, sum(1 << draws.index(kind) for kind in kinds if isinstance(kind, Draw))


def _mask(noun: str) -> int | None:
    """Return the cards (bits) that a noun stands for: "heart", "kings", "t+", "red"; else None."""
    if re.fullmatch(CARD, noun):
        return Cards.parse(noun).bits
    for suit, names in SUIT_WORDS.items():
        if noun in names:
            return _SUIT_BITS << 13 * suit
    if noun in _COLOURS:
        return sum(_SUIT_BITS << 13 * suit for suit in _COLOURS[noun])
    rank = noun.removesuffix("+")
    mask = _rank_mask(rank)
    if not mask or rank == noun:
        return mask or None
    above = [higher for higher in Rank if rank_bits(higher) >= mask]
    return reduce(int.__or__, map(rank_bits, above))


def _rank_mask(word: str) -> int:
    """Return the four cards of a rank as bits, given its letter or word; 0 if it isn't a rank."""
    names = {**ENGLISH_LEXICON.one, **ENGLISH_LEXICON.several}
    rank = names.get(word, names.get(word.upper()))
    return 0 if rank is None else rank_bits(rank)

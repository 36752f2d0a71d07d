"""The possible meanings of a typed bid, read by trying every sense of every known word.

This reader is written from docs/rules.md ("Typed bids") and a player's knowledge of both languages;
it imports nothing of the engine. It is more generous than the engine, and may give meanings that
the engine refuses. So it checks one direction: what the engine plays must be among the text's
meanings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tests.naive import RANKS, SUITS, liars_keys, thai_keys

KEYS: Final = {"liars_poker": tuple(liars_keys(2)), "thai_poker": tuple(thai_keys())}
# how many of each named rank a bid has, in the order of its key
_SIZES: Final = {
    "high_card": (1,), "pair": (2,), "two_pair": (2, 2), "three": (3,), "full_house": (3, 2),
    "four": (4,), "five": (5,),
}  # fmt: skip


@dataclass(frozen=True)
class Sense:
    """One meaning of a phrase; fields that the phrase says nothing about are empty or 0.

    `amount`: the number of cards of `rank` (0: not said; -1: more than one). The other fields
    are a `suit`, a `count` (a number before a rank), a `kind` of bid, and a `flag` such as "high".
    """

    rank: str = ""
    amount: int = 0
    suit: str = ""
    count: int = 0
    kind: str = ""
    flag: str = ""


OF: Final = Sense(flag="of")  # adds no meaning, and may stand between a number and its rank

_ENGLISH: Final = """
2 two deuce|twos deuces 2s
3 three trey|threes treys 3s
4 four|fours 4s
5 five|fives 5s
6 six|sixes 6s
7 seven|sevens 7s
8 eight|eights 8s
9 nine|nines 9s
T ten 10|tens 10s ts
J jack|jacks js
Q queen|queens qs
K king|kings ks
A ace|aces as
"""
_POLISH: Final = """
2 dwojka dwojki dwojke dwojka dwojce|dwojki dwojek dwojkach dwojkom dwojkami
3 trojka trojki trojke trojce|trojki trojek trojkach trojkom trojkami
4 czworka czworki czworke czworce|czworki czworek czworkach czworkom czworkami
5 piatka piatki piatke piatce|piatki piatek piatkach piatkom piatkami
6 szostka szostki szostke szostce|szostki szostek szostkach szostkom szostkami
7 siodemka siodemki siodemke siodemce|siodemki siodemek siodemkach siodemkom siodemkami
8 osemka osemki osemke osemce|osemki osemek osemkach osemkom osemkami
9 dziewiatka dziewiatki dziewiatke dziewiatce|dziewiatki dziewiatek dziewiatkach dziewiatkom dziewiatkami
T dziesiatka dziesiatki dziesiatke dziesiatce dycha dychy dyche dycha dysze|dziesiatki dziesiatek dziesiatkach dziesiatkom dziesiatkami dychy dych dychach dychami dychom
J walet waleta waletem waletowi walecie jopek jopka jopkiem jopkowi|walety waletow waletach waletom waletami jopki jopkow jopkach jopkami jopkom
Q dama damy dame damie krolowa krolowej krolowo|damy dam damach damom damami krolowe krolowych krolowymi krolowym
K krol krola krolem krolowi krolu|krole kroli krolach krolow krolom krolami
A as asa asem asowi asie|asy asow asach asom asami
"""  # noqa: E501 - a line a rank
_SUITS: Final = {
    "c": "club clubs trefl trefle trefli treflach treflami treflowy zoladz zoledzie zoledziach",
    "d": "diamond diamonds karo kara karach karami karowy dzwonek dzwonki dzwonkach",
    "h": "heart hearts kier kiery kierow kierach kierami kierowy czerwo czerwien serce serca"
    " sercach",
    "s": "spade spades pik piki pikow pikach pikami pikowy wino wina winach",
}
_SIGNS: Final = {"c": "♣♧", "d": "♦♢", "h": "♥♡❤", "s": "♠♤"}
_COUNTS: Final = {
    1: "1 one single jeden jedna jedno",
    2: "2 two dwa dwie dwoch",
    3: "3 three trzy trzech trojka trojke",
    4: "4 four cztery czterech czworka czworke",
    5: "5 five piec pieciu piatka piatke",
}
_KINDS: Final = {
    "high_card": "high card|highcard|highest card|highestcard|wysoka karta|wysoki karta"
    "|wysoka karte|wyzsza karta|najwyzsza karta",
    "pair": "one pair|one pairs|1 pair|1 pairs|single pair|single pairs|two of a kind|2 of a kind"
    "|two of kind|2 of kind|2of kind|two a kind|2 a kind|two kind|2 kind|2oak|2 oak"
    "|jedna para|jedna pare|jedna pary|jedna parze"
    "|jednej pary|jednej parze|pair|pairs|pr|double|doubles|dbl|para|pare|pary|parze",
    "two_pair": "up|two pair|two pairs|2 pair|2 pairs|2pair|2pairs|twopair|twopairs|dwie pary"
    "|2 pary",
    "three": "three of kind|3 of kind|three of a kind|3 of a kind|threeof a kind|three kind"
    "|3of kind|3 kind|three a kind|3 a kind|three kinds|3 kinds|threeoak|three oak|3oak|3 oak"
    "|trips|trip|set|triplet|triplets|triple|triples"
    "|tripple|trojka",
    "straight": "straight|straights|str8|str|run|strit|strita|street|sekwens",
    "flush": "flush|fl|kolor|koloru",
    "full_house": "full house|fullhouse|full houses|fullhouses|full haus|fullhaus|full hous"
    "|ful house"
    "|ful haus|fulhaus|full boat|fullboat|boat|fh|full|fulla|fulle|ful|fula|fule",
    "four": "four of kind|4 of kind|4of kind|four of a kind|4 of a kind|fourof a kind|four kind"
    "|4 kind|four a kind|4 a kind"
    "|four kinds|4 kinds|4oak|4 oak|four oak|quads|quad|poker|kareta|karete|karety"
    "|czworka",
    "straight_flush": "straight flush|straightflush|str8 flush|str8flush|str flush|strflush|sf"
    "|poker|pokera|pokerem",
    "royal_flush": "royal flush|royal straight flush|rf flush|rf straight flush|royal|rf"
    "|poker krolewski|poker krolewskiego|poker krolewskim|pokera krolewskiego|pokera krolewski"
    "|pokera krolewskim|pokerem krolewskim|pokerem krolewski|pokerem krolewskiego"
    "|krolewski poker|krolewski",
    "five": "five of kind|5 of kind|5of kind|five of a kind|5 of a kind|fiveof a kind|five kind"
    "|5 kind|five a kind|5 a kind"
    "|five kinds|5 kinds|5oak|5 oak|five oak|quints|quint|piatka",
}
_FLAGS: Final = {
    "over": "full of|full|over|on top of|na",
    "high": "high|wysoka|wysoki|wysokie",
    "small": "small|little|mala|maly|male",
    "big": "big|large|duza|duzy|duze",
}
_FILLERS: Final = "an a and with to in up from top i oraz z ze do od w we"
_PUNCTUATION: Final = re.compile(r"[\s.,;:!?\"“”„()/+_‐–—-]+")
_LETTERS: Final = {char.lower(): char for char in RANKS} | {"w": "J", "d": "Q"}
_CARD: Final = re.compile(r"(10|[2-9tjqkawd])(?:of)?([cdhs♣♦♥♠])")
_RUN: Final = re.compile(r"(10|[2-9tjqkawd])\1+")
_LONGEST_PHRASE: Final = 4
_NO_ACCENT: Final = {ord("ł"): "l", ord("ø"): "o", ord("đ"): "d", ord("ı"): "i"}


def _dictionary() -> dict[str, list[Sense]]:
    senses: dict[str, list[Sense]] = {}

    def add(words: str, sense: Sense) -> None:
        senses.setdefault(words, []).append(sense)

    for line in (_ENGLISH + _POLISH).strip().splitlines():
        if not line:
            continue
        rank, _, forms = line.partition(" ")
        singular, _, plural = forms.partition("|")
        for word in singular.split():
            add(word, Sense(rank, 0))
        for word in plural.split():
            add(word, Sense(rank, -1))
    for letter, rank in _LETTERS.items():
        add(letter, Sense(rank, 0))
    for suit, words in _SUITS.items():
        for word in (*words.split(), *_SIGNS[suit], suit):
            add(word, Sense(suit=suit))
    for count, words in _COUNTS.items():
        for word in words.split():
            add(word, Sense(count=count))
    for kind, phrases in _KINDS.items():
        for phrase in phrases.split("|"):
            add(phrase, Sense(kind=kind))
    for flag, phrases in _FLAGS.items():
        for phrase in phrases.split("|"):
            add(phrase, Sense(flag=flag))
    for word in _FILLERS.split():
        add(word, Sense())
    for word in ("of", "the"):
        add(word, OF)
    return senses


_WORDS: Final = _dictionary()


def plain(text: str) -> str:
    """Return the text in lower case without accents, with spaces for punctuation."""
    flat = unicodedata.normalize("NFKC", text).replace("&", " and ")
    flat = re.sub("['’\ufe0e\ufe0f]", "", flat.casefold())
    flat = unicodedata.normalize("NFD", flat.translate(_NO_ACCENT))
    flat = "".join(char for char in flat if unicodedata.category(char) != "Mn")
    flat = re.sub(f"([{''.join(_SIGNS.values())}])", r" \1 ", flat)  # a word of its own anywhere
    return _PUNCTUATION.sub(" ", flat).strip()


def meanings(text: str, game: str) -> frozenset[str]:
    """Return the keys of all bids of `game` that a text may mean.

    A text with an unknown word means only the key that it spells, if any.
    """
    words = plain(text)
    spelled = re.sub(r"\s", "", unicodedata.normalize("NFKC", text)).lower()
    keys = {key for key in KEYS[game] if key.lower() == spelled}
    return frozenset(keys) | _meanings(words, game)


@lru_cache(maxsize=4096)
def _meanings(words: str, game: str) -> frozenset[str]:
    return frozenset(
        key
        for senses in _readings(tuple(words.split()))
        if (mentioned := _mentions(senses)) is not None
        for key in _candidates(senses, mentioned, game)
        if _fits(key, senses, mentioned, game)
    )


def _names(key: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ranks and the suits that a key names."""
    named = key.partition(":")[2]
    return frozenset(named) & frozenset(RANKS), frozenset(named) & frozenset(SUITS)


_BY_NAMES: Final[dict[tuple[str, frozenset[str], frozenset[str]], list[str]]] = {}
for _game, _keys in KEYS.items():
    for _key in _keys:
        _BY_NAMES.setdefault((_game, *_names(_key)), []).append(_key)


def _candidates(
    senses: tuple[Sense, ...], mentioned: list[tuple[str, int]], game: str
) -> Iterator[str]:
    """Yield keys that a text with these `senses` may mean, for `_fits` to check.

    `mentioned` has the text's ranks with their amounts. Most keys name exactly the text's ranks
    and suits. A straight or royal flush may have more or other ranks than the text names.
    """
    suits = frozenset(sense.suit for sense in senses if sense.suit)
    ranks = frozenset(rank for rank, _ in mentioned)
    yield from _BY_NAMES.get((game, ranks, suits), ())
    if any(sense.kind == "royal_flush" for sense in senses):
        yield from _BY_NAMES.get((game, frozenset("A"), suits), ())
        yield from _BY_NAMES.get((game, frozenset(), suits), ())
    if any(sense.kind == "straight" for sense in senses):
        yield from (key for key in KEYS[game] if key.startswith("straight:"))


def _readings(words: tuple[str, ...]) -> Iterator[tuple[Sense, ...]]:
    """Yield every way to cut the words into phrases, with every sense of each phrase."""
    if not words:
        yield ()
        return
    for length in range(1, min(_LONGEST_PHRASE, len(words)) + 1):
        readings = _senses(" ".join(words[:length]))
        if readings:
            for tail in _readings(words[length:]):
                for sense in readings:
                    yield (*sense, *tail)


@lru_cache(maxsize=4096)
def _senses(phrase: str) -> tuple[tuple[Sense, ...], ...]:
    """Return a phrase's possible meanings, each as one sense or, for cards and runs, several."""
    senses: list[tuple[Sense, ...]] = [(sense,) for sense in dict.fromkeys(_WORDS.get(phrase, []))]
    if card := _CARD.fullmatch(phrase):
        rank = _rank(card[1])
        suit = next(key for key in SUITS if card[2] in key + _SIGNS[key])
        senses.append((Sense(rank), Sense(suit=suit)))
    runs = list(_RUN.finditer(phrase))
    if runs and "".join(run[0] for run in runs) == phrase:
        senses.append(tuple(Sense(_rank(run[1]), len(run[0]) // len(run[1])) for run in runs))
    return tuple(senses)


def _rank(typed: str) -> str:
    return "T" if typed == "10" else _LETTERS[typed]


def _fits(key: str, senses: tuple[Sense, ...], mentioned: list[tuple[str, int]], game: str) -> bool:
    """Return whether the bid `key` fits all of a text's `senses` in this game.

    `mentioned` are the text's ranks with their amounts.
    """
    kind, _, named = key.partition(":")
    ranks = [char for char in named if char in RANKS]
    suits = [char for char in named if char in SUITS]
    if {sense.suit for sense in senses if sense.suit} != set(suits):
        return False
    flags = {sense.flag for sense in senses if sense.flag} - {OF.flag}
    kinds = [sense.kind for sense in senses if sense.kind]
    if kinds == ["pair", "pair"]:
        kinds = ["two_pair"]
    if kinds and not _is_kind(kinds, kind, named):
        return False
    names = [rank for rank, _ in mentioned]
    if kind == "straight":
        return not suits and bool(kinds) and _straight(names, flags, named, game)
    if flags & {"small", "big"}:
        return False
    if kind in ("flush", "straight_flush", "royal_flush"):
        royal = "royal_flush" in kinds
        right = names in ([], ["A"]) if royal else names == ranks
        return (
            right and bool(kinds or (kind == "flush" and "high" in flags)) and "over" not in flags
        )
    return _of_ranks(kind, ranks, mentioned, bool(kinds), flags)


def _is_kind(kinds: list[str], kind: str, named: str) -> bool:
    if set(kinds) == {kind}:
        return True
    return set(kinds) == {"royal_flush"} and kind == "straight_flush" and named[0] == "A"


def _mentions(senses: tuple[Sense, ...]) -> list[tuple[str, int]] | None:
    """Return the ranks and amounts in order of mention; None if numbers and ranks don't match up.

    A number belongs to the rank that follows it. The same rank again, without a number, adds
    one.
    """
    mentions: list[tuple[str, int]] = []
    count = 0
    singles = False  # the rank before had no number and no plural
    for sense in senses:
        if sense.count:
            if count:
                return None
            count = sense.count
            continue
        if sense.rank:
            if count and sense.amount > 0:
                return None
            amount = count or sense.amount
            again = [rank for rank, _ in mentions]
            if sense.rank in again:
                if not (singles and again[-1] == sense.rank and amount == 0):
                    return None
                rank, before = mentions.pop()
                mentions.append((rank, max(before, 1) + 1))
            else:
                mentions.append((sense.rank, amount))
                singles = amount == 0
            count = 0
        elif count and sense != OF:
            return None  # a number that no rank follows
        else:
            singles = False
    return None if count else mentions


def _straight(names: list[str], flags: set[str], top: str, game: str) -> bool:
    sizes = flags & {"small", "big"}
    if sizes:
        right = {"small": "K", "big": "A"}[min(sizes)] == top and game == "thai_poker"
        return right and len(flags) == 1 and names in ([], [top])
    if "over" in flags:
        return False
    if len(names) == 2:
        low, high = names
        apart = RANKS.index(high) - RANKS.index(low)
        return high == top and (apart == 4 or (low, high) == ("A", "5"))
    return names == [top]


def _of_ranks(
    kind: str, ranks: list[str], mentioned: list[tuple[str, int]], named: bool, flags: set[str]
) -> bool:
    sizes = _SIZES[kind]
    if sorted(rank for rank, _ in mentioned) != sorted(ranks):
        return False
    if ("high" in flags and kind != "high_card") or ("over" in flags and kind != "full_house"):
        return False
    amounts = dict(mentioned)
    needed = dict(zip(ranks, sizes, strict=True))
    counted = [amount for amount in amounts.values() if amount > 0]
    if counted:
        if len(counted) < len(amounts):
            # one rank has a number; the other is in the plural or has no number
            return named and all(amounts[rank] in (0, -1, needed[rank]) for rank in ranks)
        return all(amounts[rank] == needed[rank] for rank in ranks)
    if kind == "high_card":
        return named or "high" in flags or not any(amounts.values())
    if kind == "full_house" and [rank for rank, _ in mentioned] != ranks:
        return False  # the triplet is named first
    if named or "over" in flags:
        return True
    return kind == "two_pair" and all(amount == -1 for amount in amounts.values())

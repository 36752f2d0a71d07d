"""Random typed bids: correct ones in many spellings, almost correct ones, and no bids."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.fuzz.slow_reader import KEYS
from tests.naive import RANKS

_ONE: Final = "two three four five six seven eight nine ten jack queen king ace"
ONE: Final = dict(zip(RANKS, _ONE.split(), strict=True))
MANY: Final = {rank: f"{word}es" if word == "six" else f"{word}s" for rank, word in ONE.items()}
SUIT: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_COUNT: Final = {3: "three", 4: "four", 5: "five"}
# by rank: nominative, genitive, instrumental, then the same of several: nominative, genitive,
# locative
_POLISH: Final = {
    rank: tuple(forms.split())
    for rank, forms in {
        "2": "dwójka dwójki dwójką dwójki dwójek dwójkach",
        "3": "trójka trójki trójką trójki trójek trójkach",
        "4": "czwórka czwórki czwórką czwórki czwórek czwórkach",
        "5": "piątka piątki piątką piątki piątek piątkach",
        "6": "szóstka szóstki szóstką szóstki szóstek szóstkach",
        "7": "siódemka siódemki siódemką siódemki siódemek siódemkach",
        "8": "ósemka ósemki ósemką ósemki ósemek ósemkach",
        "9": "dziewiątka dziewiątki dziewiątką dziewiątki dziewiątek dziewiątkach",
        "T": "dycha dychy dychą dychy dych dychach",
        "J": "walet waleta waletem walety waletów waletach",
        "Q": "dama damy damą damy dam damach",
        "K": "król króla królem króle królów królach",
        "A": "as asa asem asy asów asach",
    }.items()
}
_PIKI: Final = {
    "c": ("trefl", "treflach"), "d": ("karo", "karach"), "h": ("kier", "kierach"),
    "s": ("pik", "pikach"),
}  # fmt: skip


def right(chance: Random, game: str, polish: bool) -> tuple[str, str]:
    """Return a text and the key of the only bid that it means, by docs/rules.md."""
    key = chance.choice(KEYS[game])
    if chance.random() < 0.03:
        return key, key
    forms = _polish(key, game) if polish else _english(key, game)
    return chance.choice(forms), key


def _english(key: str, game: str) -> list[str]:
    kind, _, named = key.partition(":")
    ranks = [char for char in named if char in RANKS]
    first, suit = ranks[0] if ranks else "", SUIT.get(named[-1], "")
    name, plural = ONE.get(first, ""), MANY.get(first, "")
    typed = "10" if first == "T" else first
    match kind:
        case "high_card":
            texts = [f"{name} high", f"high card {name}", f"{typed} high"]
            return texts if first in "2345A" else [*texts, name, typed]
        case "pair":
            return [f"pair of {plural}", typed * 2, f"pair {typed}", f"a pair of {plural}",
                    f"2 {plural}", f"{typed} {typed}", f"pair of {name}"]  # fmt: skip
        case "two_pair":
            low = ranks[1]
            small = "10" if low == "T" else low
            return [f"{plural} and {MANY[low]}", f"{typed * 2} {small * 2}",
                    f"{small * 2}{typed * 2}",
                    f"pair of {plural}, pair of {MANY[low]}", f"two pair {name} {ONE[low]}",
                    f"two pairs: {MANY[low]} and {plural}"]  # fmt: skip
        case "three" | "four" | "five":
            size = {"three": 3, "four": 4, "five": 5}[kind]
            kinds = {3: "trips", 4: "quads", 5: "quints"}[size]
            return [f"{_COUNT[size]} {plural}", typed * size, f"{size} {plural}", f"{kinds} {name}",
                    f"{_COUNT[size]} of a kind {typed}"]  # fmt: skip
        case "full_house":
            low = ranks[1]
            small = "10" if low == "T" else low
            return [f"{plural} over {MANY[low]}", f"{typed * 3}{small * 2}",
                    f"{typed * 3} {small * 2}",
                    f"{small * 2} {typed * 3}", f"{plural} full of {MANY[low]}",
                    f"full house {plural} {MANY[low]}", f"fh: {name} over {ONE[low]}"]  # fmt: skip
        case "straight" if game == "thai_poker":
            size_word = "small" if first == "K" else "big"
            return [f"{size_word} straight", f"straight {typed}", f"str8 to the {name}"]
        case "straight":
            return [f"straight to the {name}", f"{name} high straight", f"straight {typed}",
                    f"str8 up to {name}"]  # fmt: skip
        case "flush" if first:
            return [f"{name} high {suit} flush", f"{typed}{named[-1]} flush",
                    f"flush {typed}{named[-1]}", f"{typed} high {suit}s",
                    f"{name} of {suit}s flush"]  # fmt: skip
        case "straight_flush" if first == "A":
            return [f"{suit} royal flush", f"royal {suit}s", f"ace high {suit} straight flush",
                    f"sf a{named[-1]}"]  # fmt: skip
        case "straight_flush" if first:
            return [f"{name} high {suit} straight flush", f"straight flush {typed}{named[-1]}",
                    f"sf {name} of {suit}s"]  # fmt: skip
    words = {"flush": "flush", "straight_flush": "straight flush", "royal_flush": "royal flush"}
    return [f"{suit} {words[kind]}", f"{words[kind]} {suit}s", f"{words[kind]} in {suit}s"]


def _polish(key: str, game: str) -> list[str]:
    kind, _, named = key.partition(":")
    ranks = [char for char in named if char in RANKS]
    name, of_one, with_one, many, of_many, _ = _POLISH.get(ranks[0] if ranks else "A", ("",) * 6)
    suit, in_suit = _PIKI.get(named[-1], ("", ""))
    match kind:
        case "high_card":
            return [f"wysoka karta {name}", f"{name} wysoka"]
        case "pair":
            return [f"para {of_many}", f"parę {of_many}", f"dwa {many}", f"para: {name}"]
        case "two_pair":
            low = _POLISH[ranks[1]]
            return [f"dwie pary: {many} i {low[3]}", f"dwie pary {of_many} i {low[4]}",
                    f"dwie pary: {low[3]} oraz {many}",
                    f"para {of_many} i para {low[4]}"]  # fmt: skip
        case "three":
            return [f"trójka {of_many}", f"trzy {many}", f"trójkę {of_many}"]
        case "four":
            return [f"kareta {of_many}", f"cztery {many}", f"karetę {of_many}"]
        case "five":
            return [f"pięć {of_many}"]
        case "full_house":
            low = _POLISH[ranks[1]]
            return [f"full {many} na {low[5]}", f"full: trzy {many} i dwa {low[3]}",
                    f"ful {of_many} na {low[5]}"]  # fmt: skip
        case "straight" if game == "thai_poker":
            return ["mały strit" if ranks[0] == "K" else "duży strit", f"strit do {of_one}"]
        case "straight":
            return [f"strit do {of_one}"]
        case "flush" if ranks:
            return [f"kolor {suit} z {with_one}", f"kolor {suit} do {of_one}",
                    f"kolor w {in_suit} z {with_one}"]  # fmt: skip
        case "straight_flush" if ranks and ranks[0] == "A":
            return [f"poker królewski {suit}", f"poker {suit} do asa", f"królewski {suit}"]
        case "straight_flush" if ranks:
            return [f"poker {suit} do {of_one}"]
    words = {"flush": "kolor", "straight_flush": "poker", "royal_flush": "poker królewski"}
    return [f"{words[kind]} {suit}", f"{words[kind]} w {in_suit}"]


# --- what changes nothing -------------------------------------------------------------------------


def vary_typing(chance: Random, text: str) -> str:
    """Return the text, usually with other capitals, spaces, punctuation or full-width letters."""
    if ":" in text and " " not in text:  # a bid's key is no language: its letters alone
        return chance.choice((text, text.upper(), f" {text}\n"))
    for _ in range(chance.randrange(3)):
        match chance.randrange(5):
            case 0:
                text = text.upper()
            case 1:
                text = chance.choice((" ", "\t", "\u3000", "\n")) + text + chance.choice(" .!?")
            case 2:
                text = text.replace(" ", chance.choice(("  ", " - ", ", ", "\u00a0", " … ")))
            case 3:
                text = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
            case 4:
                text = text.title()
    return text


# --- what changes something -----------------------------------------------------------------------

STRANGE: Final = (
    "\u200b", "\u200d", "\u202e", "\u202c", "\u2066", "\u2069", "\ufeff", "\u00ad", "\u0301",
    "\u0327", "\u20e3", "\ufe0f", "\u2063", "\U000e0041", "\U0001f0a1", "\U0001f602", "🃏", "♠",
    "♥️", "♧", "²", "Ⅳ", "½", "①", "\uff12", "٣", "߂", "\u0e52", "ß", "ﬁ", "ﷺ", "İ", "ı", "ſ",
    "\x00", "\x1b[31m", "\r", "<@1>", "@everyone", "*", "`", "|", "~~", "\\", "{rank}", "%s",
    "\ud800",
)  # fmt: skip
_MORE: Final = """
pair two three four five of a kind high card over full straight flush royal small big
para dwie pary trójka kareta kolor strit full poker królewski na mały duży wysoka do
2 3 4 5 9 10 a k q j t w d c h s 33 qq jj aaa 8c as kh the and not no maybe 99 1 0
"""
_WORDS: Final = (
    *ONE.values(),
    *MANY.values(),
    *SUIT.values(),
    *(f"{suit}s" for suit in SUIT.values()),
    *(word for forms in _POLISH.values() for word in forms),
    *(word for forms in _PIKI.values() for word in forms),
    *_MORE.split(),
)
LONGEST: Final = 10_000


def mutate(chance: Random, text: str) -> str:
    """Return the text with one to four random changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        text = _mutation(chance, text)
    return text


def _mutation(chance: Random, text: str) -> str:
    words = text.split(" ")
    at = chance.randrange(len(words))
    place = chance.randrange(len(text) + 1)
    match chance.randrange(12):
        case 0:
            del words[at]
        case 1:
            words.insert(at, words[at])
        case 2:
            chance.shuffle(words)
        case 3 | 4:
            words[at] = chance.choice(_WORDS)
        case 5 | 6:
            words.insert(at, chance.choice(_WORDS))
        case 7:
            return text[:place] + chance.choice(STRANGE) + text[place:]
        case 8:
            return text[: max(place - 1, 0)] + text[place:]
        case 9:
            return text[:place] + chance.choice("23456789tjqkacdhsw ,.:-&'") + text[place:]
        case 10 if len(text) > 1:
            place = min(place, len(text) - 2)
            return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        case 11:
            return text.replace(" ", chance.choice(("", "_", "-", "&", "/")))
    return " ".join(words)


def anything(chance: Random) -> str:
    """Return a text that is no bid, unless by accident."""
    match chance.randrange(5):
        case 0 | 1:
            return " ".join(chance.choices(_WORDS, k=chance.randint(1, 6)))
        case 2:
            return "".join(chance.choices(STRANGE, k=chance.randint(0, 40)))
        case 3:
            return "".join(chr(_code(chance)) for _ in range(chance.randint(0, 30)))
        case _:
            part = chance.choice((*_WORDS, *STRANGE, "three of ", "poker ", "a"))
            return (part * LONGEST)[: chance.choice((99, 100, 101, 500, LONGEST))]


def _code(chance: Random) -> int:
    return chance.choice(
        (chance.randrange(0x80), chance.randrange(0x3000), chance.randrange(0x110000))
    )


def typed_bid(chance: Random, game: str) -> tuple[str, str | None, bool]:
    """Return a text, the key that it must mean (None: unknown), and whether it is in Polish."""
    polish = chance.random() < 0.5
    roll = chance.random()
    if roll < 0.1:
        return anything(chance), None, polish
    text, key = right(chance, game, polish)
    if roll < 0.4:
        return vary_typing(chance, text), key, polish
    if roll < 0.45:  # words of a text in either language
        foreign, _ = right(chance, game, not polish)
        return f"{text} {foreign}", None, polish
    return mutate(chance, text), None, polish

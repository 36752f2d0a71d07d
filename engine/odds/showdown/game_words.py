"""Find the game that a question names, by any name that people use for it.

A game's names are patterns in `games.GAMES`. Three cases need more than a pattern: `27` and `a5`
may also be hands of two cards, "lowball" may be several games, and some games that people ask about
are not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.card_words import in_letters
from engine.errors import Reason, TextError, UnclearHands, UnclearText
from engine.odds.showdown.games import GAMES, LOW_DRAW, PRESETS, ShowdownRules
from engine.odds.showdown.question_words import BOARD_WORD, CARD, VERSUS
from engine.odds.showdown.spelling import spell
from engine.patterns import compile_later

GAME_EXAMPLE: Final = '"omaha AsAhKsKh vs random"'
_BEFORE: Final = r"(?<![\w-])(?:(?:in|at|for|(?:the )?(?:game|variant)(?: is)?:?) )?"
_BEHIND: Final = r"(?![\w-]| ?(?:un)?suited| ?off)(?:(?: game)?\s*:)?"
_GAMES: Final[dict[str, re.Pattern[str]]] = {
    key: compile_later(
        rf"{_BEFORE}(?P<name>{game.pattern}){_BEHIND}", re.IGNORECASE, words=game.words
    )
    for key, game in GAMES.items()
}
# "27" and "a5" are hands too; only a colon or hands of five cards show that a game is meant
_LONE_KEY: Final = compile_later(
    r"(?:^|(?<=[\s,;(\n]))(?:(?:in|at|for|game:?) )?(?:(?P<a5>a-?5)|2-?7)"
    r"(?:(?P<colon>\s*:)|(?=$|[\s,;)]))",
    re.IGNORECASE,
    words=("a5", "a-5", "27", "2-7"),
)
_AGAINST: Final = compile_later(rf"(?<!\w){VERSUS}(?!\w)")
_FIVE: Final = compile_later(rf"(?:{CARD}[\s,]*){{5}}")
_ON_BOARD: Final = compile_later(rf"(?<!\w)(?:{BOARD_WORD}|on)(?!\w)")
# both California lowball and Kansas City lowball are called lowball
_EITHER: Final = "lowball"
_GAMES[_EITHER] = compile_later(
    rf"{_BEFORE}(?P<name>(?:(?:five|5)[ -]?card )?"
    rf"(?:lowball{LOW_DRAW}*|(?:triple|single)[ -]?draw)){_BEHIND}",
    re.IGNORECASE,
    words=(_EITHER, "draw"),
)
_LOW_GAMES: Final = ("a5", "27")
_SHORT: Final = r"(?:short[ -]?deck|(?:six|6)[ -]?plus|6\+)"
_PLO: Final = r"(?:omaha|plo)"
_SPLIT: Final = "(?:8|hi(?:gh)?[ /-]?low?)"
_UNKNOWN: Final = compile_later(
    rf"(?<![\w-])(?P<name>{_SHORT} (?:hold'?em )?{_PLO}\d*|{_PLO} {_SHORT}"
    rf"|(?:six|6)[ -]?card[ -]{_PLO}[ -]?{_SPLIT}|{_PLO}[ -]?6[ -]?{_SPLIT}"
    rf"|(?:seven|7|three|3)[ -]?card[ -]{_PLO}|{_PLO}[ -]?[37](?! ?[a-z])"
    r"|(?:(?:crazy|lazy|super) )?pineapple|irish (?:poker|hold'?em)|(?:royal|super|greek) hold'?em"
    r"|courchevel|(?:open[ -]face )?chinese(?: poker)?|open[ -]face(?: poker)?|ofc"
    r"|bada?c[ae]y|badeu?c[ei]y|badeucey|baduci|razzd(?:ugi|euce)|hi-?dugi|drawmaha|sviten"
    r"|(?:2-?7|deuce[ -]to[ -]seven) razz|(?:caribbean|mississippi|(?:six|6)[ -]?card) stud"
    r"|telesina|manila|teen patti|pai gow"
    rf"|(?:five|5)[ -]?card stud[ -]?{_SPLIT}|(?:three|3)[ -]?card poker)(?![\w-])",
    re.IGNORECASE,
    words=(
        *("omaha", "plo", "pineapple", "irish", "hold", "courchevel", "chinese", "open", "ofc"),
        *("bad", "razz", "dugi", "drawmaha", "sviten", "stud", "telesina", "manila"),
        *("teen patti", "pai gow", "poker"),
    ),
)


_THREE_CARD: Final = compile_later(r"(?:three|3)[ -]?card poker", re.IGNORECASE)
# in prose these are only words, unless a colon or "game" is beside them: "what a stud", "a gutshot
# draw", "in Texas", "6+ players"
_ORDINARY: Final = compile_later(
    r"stud|draw(?: high)?|texas|6\+|(?:six|6)[ -]plus|pineapple|manila|chinese|ofc",
    re.IGNORECASE,
)
_EXPLICIT: Final = compile_later(r"game|variant|:", re.IGNORECASE)
_BLINDS: Final = compile_later(r"(?<=\d)/\d")  # "omaha 5/10"
_NOT_IN_PROSE: Final = frozenset({*_LOW_GAMES, _EITHER})  # "ace to five", "2-7"


@dataclass(frozen=True, slots=True)
class NamedGame:
    """The game that some texts name, and the texts without its name.

    `key` is None if the texts name no game. `unclear` is a typed name that several games have, such
    as "lowball"; empty if there is none.
    """

    key: str | None
    texts: list[str]
    unclear: str = ""

    def check(self, game: str | ShowdownRules | None) -> None:
        """Raise `TextError` if the texts name another game than `game`.

        `game` is a key or rules; None allows any game. Raises `UnclearHands` if the texts may mean
        several games and `game` doesn't decide which.
        """
        if isinstance(game, ShowdownRules):
            self._check_rules(game)
            return
        key = game or self.key
        if game is not None and self.key is not None:
            _check_one(self.key, game)
        if not self.unclear:
            return
        if key is None or (key == "draw" and game is None):
            text = " vs ".join(side.strip(" ,;\n") or "random" for side in self.texts)
            raise UnclearHands(text, tuple(f"{low}: {text}" for low in _LOW_GAMES), self.unclear)
        if not PRESETS[key].ranking.is_low:
            raise _two_games(self.unclear, GAMES[key].name)

    def _check_rules(self, rules: ShowdownRules) -> None:
        if self.key is not None and not any(
            key.startswith(self.key) and preset.plays_like(rules.tame)
            for key, preset in PRESETS.items()
        ):
            raise _other_rules(GAMES[self.key].name)
        if self.unclear and not rules.ranking.is_low:
            raise _other_rules(self.unclear)


def named_game(texts: Sequence[str]) -> NamedGame:
    """Find the game that texts name.

    Raises `TextError` for two different games, and for a game that is not supported. "omaha" and
    "omaha hi/lo" together mean the more specific game. If one of several texts is only the name,
    that text is left out.
    """
    for text in texts:
        _check_countable(text)
    keys: list[str] = []
    unclear = ""
    left = list(texts)
    for at in range(len(left)):
        while (match := _longest(left[at])) is not None:
            key, name = match
            left[at] = _without(name, left[at])
            if key == _EITHER:
                unclear = name[0].strip(" :")
            else:
                keys.append(key)
    if not keys and (lone := _lone_key(left)) is not None:
        key, at, name = lone
        keys.append(key)
        left[at] = _without(name, left[at])
    named = [
        text for text, original in zip(left, texts, strict=True) if text.strip() or text == original
    ]
    closest = max(keys, key=len, default=None)
    for key in keys:
        _check_one(key, closest or key)
    return NamedGame(closest, named or [""], unclear)


def game_in_prose(text: str) -> str:
    """Return the key of the game that a text names first, by its longest name there.

    The text may be about anything. Return the name of a game that isn't supported as it is written,
    and "" if no game is named. Lowball games are not looked for.
    """
    patterns = [(key, pattern) for key, pattern in _GAMES.items() if key not in _NOT_IN_PROSE]
    names = [
        (match.start("name"), -match.end("name"), key or match["name"])
        for key, pattern in [("", _UNKNOWN), *patterns]
        for match in pattern.finditer(text)
        if _EXPLICIT.search(match[0]) or not _ORDINARY.fullmatch(match["name"])
        if not _BLINDS.match(text, match.end("name"))
    ]
    return min(names)[2] if names else ""


def game_key(name: str) -> str | None:
    """Return the key of the game with this name; None if no game has it.

    Raises `UnclearText` for a name that several games have.
    """
    plain = name.strip()
    letters = "".join(filter(str.isalnum, plain.lower()))
    for key in PRESETS:
        if "".join(filter(str.isalnum, key)) == letters:
            return key
    match = None if _UNKNOWN.search(plain) else _longest(plain)
    if match is None or _without(match[1], plain).strip():
        return None
    if match[0] == _EITHER:
        raise UnclearText(name, _LOW_GAMES)
    return match[0]


def _check_countable(text: str) -> None:
    match = _UNKNOWN.search(text)
    if match is not None and _THREE_CARD.fullmatch(match[0]):
        reason = Reason("for {game} there is a command of its own", game=match[0])
        raise TextError(match[0], reason, 'odds three-card, with the hand "Qs 6h 4d"')
    if match is not None:
        reason = Reason(
            '"{game}" isn\'t supported; choose one of {games}',
            game=match[0],
            games=", ".join(PRESETS),
        )
        raise TextError(match[0], reason, GAME_EXAMPLE)


def _check_one(key: str, longer: str) -> None:
    """Raise `TextError` unless `longer` is `key` or a form of it: "omaha" may mean "omaha8"."""
    if not longer.startswith(key):
        raise _two_games(GAMES[key].name, GAMES[longer].name)


def _two_games(first: str, second: str) -> TextError:
    reason = Reason("{one} and {other} are two games", one=first, other=second)
    return TextError(first, reason, GAME_EXAMPLE)


def _other_rules(game: str) -> TextError:
    reason = Reason("you named {game}, but the rules given are for another game", game=game)
    return TextError(game, reason, GAME_EXAMPLE)


def _longest(plain: str) -> tuple[str, re.Match[str]] | None:
    matches = [
        (key, name)
        for key, pattern in _GAMES.items()
        if (name := pattern.search(plain)) is not None
    ]
    return max(matches, key=lambda match: match[1].end() - match[1].start(), default=None)


def _without(match: re.Match[str], text: str) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


def _lone_key(texts: list[str]) -> tuple[str, int, re.Match[str]] | None:
    """Find `27` or `a5` used as a game, not as a hand: return key, index of the text, and match.

    None if neither is used as a game.
    """
    for at, text in enumerate(texts):
        for match in _LONE_KEY.finditer(text):
            key = "a5" if match["a5"] else "27"
            others = [*texts[:at], _without(match, text), *texts[at + 1 :]]
            begins = not text[: match.start()].strip()
            if (match["colon"] and begins) or _is_of_five(others):
                return key, at, match
    return None


def _is_of_five(texts: list[str]) -> bool:
    """Return whether some hand has five cards and there is no board."""
    plain = [spell(in_letters(text)) for text in texts]
    return not any(map(_ON_BOARD.search, plain)) and any(map(_FIVE.fullmatch, _sides(plain)))


def _sides(texts: list[str]) -> Iterator[str]:
    for text in texts:
        sides = _AGAINST.split(text)
        if len(sides) + len(texts) > 2:
            yield from (side.strip(" ,;.:?()\n") for side in sides)

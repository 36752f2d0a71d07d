"""A showdown asked in words: "AhKd vs QQ, board 9c", "omaha AsAhKsKh v 2 random on 3d 4d 5d".

The one reader for the command line, Discord and the library. Forgiving about case, punctuation,
order and the words between; strict about cards. What is not understood is said in one sentence,
never guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.card_words import in_letters
from engine.cards import Cards
from engine.errors import TextError, UnclearText, quoted
from engine.odds.showdown.games import GAMES, PRESETS, ShowdownRules
from engine.odds.showdown.ranges import is_hands, looks_like_range
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.spelling import CARD, check_weights, spelled
from engine.odds.showdown.which_game import which_game

QUESTION_EXAMPLE: Final = '"AhKd vs QQ, board 9c 8d 7s"'
_GAMES: Final = {
    key: re.compile(rf"(?<![\w-])(?:in |at |for )?(?:{game.said})(?![\w-])\s*:?")
    for key, game in GAMES.items()
}
_BOARD: Final = (
    r"(?:the )?(?:board|(?P<flop>flop)|turn|river|public|community|on)(?: cards?)?(?: is| of)?"
)
_DEAD: Final = r"(?:dead|folded|mucked|burnt?|without|gone)(?: cards?)?"
_AGAINST: Final = r"vs\.?|versus|v\.?|against|or"
_KEYWORD: Final = re.compile(
    rf"(?<![\w'])(?:(?P<board>{_BOARD})|(?P<dead>{_DEAD})|(?P<hand>{_AGAINST}))(?!\w)\s*:?|(?P<bar>[|/\n])"
)
_COUNTED: Final = r"one|two|three|four|five|six|seven|eight|nine"
_UNKNOWN: Final = re.compile(
    rf"(?:(?P<many>\d{{1,2}}|an?|{_COUNTED})\s+)?"
    r"(?:random|unknown|other|any|\?+)(?:\s+(?:hands?|players?|opponents?|cards?|one))?s?"
    rf"|(?P<opponents>\d{{1,2}}|{_COUNTED}|an?)\s+"
    r"(?:opponents?|players?|others?)|x{2,5}"
)
# "AsKs, 7 opponents" and "AsKs and 2 random hands" say vs without the word
_OPPONENTS: Final = re.compile(
    rf"[\s,;]+(?:(?:with|and|plus)\s+)?((?:\d{{1,2}}|{_COUNTED})\s+"
    r"(?:opponents?|others?|(?:random|unknown|other)(?:\s+(?:hands?|players?|opponents?))?))(?!\w)"
)
# "24 players" are all of them; "vs 3 players" are the others
_AT_TABLE: Final = re.compile(
    rf"(?<!\w)(?:(?P<against>{_AGAINST})\s+)?(?:(?:with|of)\s+)?(?P<many>\d{{1,3}}|{_COUNTED})"
    r"(?:\s+players?|[\s-]+(?:handed|way))(?: in all)?(?!\w)"
)
_TABLE_WORD: Final = re.compile(r"opponents?|players?|others?|handed")
_TWO_RANKS: Final = re.compile(r"(?:10|[2-9tjqka]){2}[so]?")
_AND: Final = re.compile(r"\s+and\s+|\s*&\s*")
_NUMBERS: Final = {"a": 1, "an": 1} | {
    word: number for number, word in enumerate(_COUNTED.split("|"), start=1)
}
_LONGEST: Final = 1000  # characters of a question in words
_FLOP: Final = 3


def _unchanged(rules: ShowdownRules) -> ShowdownRules:
    return rules


@dataclass(slots=True)
class _Heard:
    """What a question says: the text of each side, of the board and of the dead cards."""

    sides: list[str]
    board: str = ""
    dead: str = ""
    players: int | None = None
    one_each: bool = False
    says_flop: bool = False


def parse_question(
    hands: str | Sequence[str],
    game: str | ShowdownRules | None = None,
    board: str = "",
    dead: str = "",
    opponents: int = 0,
    change: Callable[[ShowdownRules], ShowdownRules] = _unchanged,
) -> Scenario:
    """The scenario that is asked about, in words or with a text for each player.

    `game` is a key of `PRESETS`, or rules; None takes the game named in the text, else the one
    that has so many cards in a hand, changed by `change`. `board` and `dead` are added to what the
    text says of them, and `opponents` players of unknown cards to its players; a single player
    alone gets one opponent, but not where rules are given. Raises `TextError`.
    """
    texts = [hands] if isinstance(hands, str) else list(hands)
    for text in texts:
        check_weights(text)
    named, plain = _game_among(list(map(_lower, texts)))
    heard = _heard(list(map(_plain, plain)), isinstance(hands, str))
    shown, gone = (
        _plain(" ".join(said)).strip(" ,;.?") for said in ((board, heard.board), (dead, heard.dead))
    )
    key = game or named
    if key is None:
        key = _told_by_cards(heard, shown, " vs ".join(text or "random" for text in texts))
    if isinstance(key, str) and key not in PRESETS:
        reason = f"{quoted(key)} is not a game; expected one of {', '.join(PRESETS)}"
        raise TextError(key, reason, '"holdem"')
    if not 0 <= opponents <= 22:
        reason = f"expected 0 to 22 opponents, got {opponents}"
        raise TextError(str(opponents), reason, '"2"')
    rules = change(PRESETS[key]) if isinstance(key, str) else key
    players = _seated(heard, rules) + [""] * opponents
    if not players:
        raise TextError(" ".join(texts), "expected at least one player's cards", QUESTION_EXAMPLE)
    if heard.players is not None:
        players = _filled(players, heard.players)
    elif len(players) == 1 and isinstance(key, str):
        players.append("")
    if isinstance(key, str):
        _check_flop(shown, heard.says_flop, rules, GAMES[key].name)
    try:
        return parse_scenario(players, shown, gone, rules)
    except TextError as error:
        reason = _as_typed(error.reason, " ".join(texts))
        raise TextError(error.text, reason, error.example) from None


def game_named(text: str) -> str | None:
    """The key of the game that a question names; None for none."""
    return _game_in(_lower(text))[0]


def game_asked(text: str, board: str = "") -> str | None:
    """The key of the game that a question names or that its cards tell; None where unclear."""
    key, plain = _game_in(_lower(text))
    if key is not None:
        return key
    try:
        return _told_by_cards(_heard([_plain(plain)], True), _plain(board), text)
    except TextError:
        return None


def _told_by_cards(heard: _Heard, board: str, text: str) -> str:
    known = [side for side in heard.sides if not _UNKNOWN.fullmatch(side)]
    return which_game(known, board, text)


def _as_typed(reason: str, text: str) -> str:
    """What the reason quotes, in the capitals in which it was typed."""

    def typed(found: re.Match[str]) -> str:
        at = text.lower().find(found[1])
        return found[0] if at < 0 else f'"{text[at : at + len(found[1])]}"'

    return re.sub(r'"([^"]+)"', typed, reason)


def _lower(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _plain(text: str) -> str:
    """Cards in letters, spelled in the one way."""
    return spelled(in_letters(text))


def _game_among(texts: list[str]) -> tuple[str | None, list[str]]:
    """The game named in one of the texts, and the texts without its name."""
    for at, text in enumerate(texts):
        key, rest = _game_in(text)
        if key is not None:
            nothing_else = len(texts) > 1 and not rest.strip()
            return key, [*texts[:at], *([] if nothing_else else [rest]), *texts[at + 1 :]]
    return None, texts


def _game_in(plain: str) -> tuple[str | None, str]:
    """The game named in the text, and the text without its name; the longest name counts."""
    found = [
        (name.end() - name.start(), key, name)
        for key, said in _GAMES.items()
        if (name := said.search(plain)) is not None
    ]
    if not found:
        return None, plain
    _, key, name = max(found, key=lambda one: one[0])
    return key, plain[: name.start()] + " " + plain[name.end() :]


def _heard(texts: list[str], one_text: bool) -> _Heard:
    """The sides of a question in words; several texts without such words are a player each."""
    in_words = any(
        _KEYWORD.search(text) or _AT_TABLE.fullmatch(text) or _TABLE_WORD.fullmatch(text)
        for text in texts
    )
    if not one_text and not in_words and (len(texts) > 1 or texts == [""]):
        return _Heard([text.strip() for text in texts], one_each=True)
    plain = " ".join(texts).strip()
    if len(plain) > _LONGEST:
        reason = f"expected one question, got {len(plain)} characters"
        raise TextError(plain[:40], reason, QUESTION_EXAMPLE)
    many: list[int] = []

    def at_table(found: re.Match[str]) -> str:
        if found["against"]:
            return found[0]
        many.append(_number(found["many"]))
        return " "

    plain = _OPPONENTS.sub(r" vs \1 ", _AT_TABLE.sub(at_table, plain))
    parts: dict[str, list[str]] = {"board": [], "dead": [], "hand": []}
    kind, at, says_flop = "hand", 0, False
    for found in _KEYWORD.finditer(plain):
        parts[kind].append(plain[at : found.start()])
        kind = next(name for name in ("board", "dead", "hand", "bar") if found[name])
        kind = "hand" if kind == "bar" else kind
        says_flop |= found["flop"] is not None
        at = found.end()
    parts[kind].append(plain[at:])
    sides = [side for said in parts["hand"] if (side := said.strip(" ,;."))]
    public, gone = (" ".join(parts[name]) for name in ("board", "dead"))
    return _Heard(sides, public, gone, many[0] if many else None, False, says_flop)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word]


def _seated(heard: _Heard, rules: ShowdownRules) -> list[str]:
    """The text of each player."""
    if heard.one_each:
        return [player for side in heard.sides for player in _unknown(side) or [side]]
    players = _side_by_side(heard.sides[0], rules) if len(heard.sides) == 1 else []
    return players or [player for side in heard.sides for player in _players(side, rules)]


def _filled(players: list[str], many: int) -> list[str]:
    """The players with unknown ones, so that there are so many. Raises `TextError`."""
    if len(players) > many:
        reason = f"{len(players)} players have cards, there are {many} in all"
        raise TextError(str(many), reason, f'"{len(players)} players"')
    return players + [""] * (many - len(players))


def _check_flop(board: str, says_flop: bool, rules: ShowdownRules, game: str) -> None:
    """Refuse a flop of one or two cards; one public card that is not called so may be known."""
    cards = re.findall(CARD, board)
    if rules.public > _FLOP and (len(cards) == 2 or (says_flop and len(cards) < _FLOP)):
        names = " ".join(card[:-1].upper() + card[-1] for card in cards) or "no card"
        reason = f"a flop has three cards, got {len(cards)} ({names})"
        raise TextError(board, reason, f'"9c 8d 7s" in {game}')


def _side_by_side(said: str, rules: ShowdownRules) -> list[str]:
    """Whole hands with nothing but room or "and" between them, as in "AK QQ"; else nobody.

    Three and more may be the range of one player too, which is asked: raises `UnclearText`.
    """
    joined = _AND.split(said)
    words = joined if len(joined) > 1 else said.split()
    hands = len(words) > 1 and all(
        is_hands(word, rules) or (rules.private == 2 and _TWO_RANKS.fullmatch(word))
        for word in words
    )
    if not hands or not _apart([word for word in words if is_hands(word, rules)]):
        return []
    if len(words) > 2 and words is not joined:
        written = [word if is_hands(word, rules) else _in_capitals(word) for word in words]
        raise UnclearText(" ".join(written), (" vs ".join(written), ", ".join(written)))
    return words


def _in_capitals(word: str) -> str:
    """Two ranks as people write them: "AKs"."""
    return word[:-1].upper() + word[-1] if word[-1] in "so" else word.upper()


def _players(said: str, rules: ShowdownRules) -> list[str]:
    """The players in one piece of text between two words for "against"."""
    unknown = _unknown(said)
    if unknown:
        return unknown
    if said.startswith("(") and said.endswith(")"):
        return [said]
    pieces = [piece.strip() for piece in re.split(r"[,;]| and | & ", said) if piece.strip()]
    if len(pieces) > 1 and all(is_hands(piece, rules) for piece in pieces):
        # Two players, unless they would hold the same card: then it is one of the hands.
        return pieces if _apart(pieces) else [said]
    if looks_like_range(said, rules):
        # Cards beside a range: one player's range or two players? A comma says two.
        mixed = any(is_hands(word, rules) for word in re.split(r"[,;\s]+", said) if word)
        if not mixed or is_hands(said, rules) or _is_weighed(said):
            return [said]
        if len(pieces) == 1:
            raise TextError(said, "expected vs between two players", QUESTION_EXAMPLE)
        return [player for piece in pieces for player in _players(piece, rules)]
    cards = len(re.findall(r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]|[*★]", said))
    if len(pieces) > 1 and cards > rules.private:
        return [player for piece in pieces for player in _players(piece, rules)]
    return [said.replace(" and ", " ").replace("&", " ").rstrip("?")]


def _unknown(said: str) -> list[str]:
    """The players of unknown cards that a text names; nobody if it is none of them."""
    found = _UNKNOWN.fullmatch(said.rstrip("."))
    return [""] * _number(found["many"] or found["opponents"] or "one") if found else []


def _apart(hands: list[str]) -> bool:
    """Whether no card is in two of the hands."""
    cards = [Cards.parse(hand) for hand in hands]
    return all(one.isdisjoint(other) for one, other in combinations(cards, 2))


def _is_weighed(said: str) -> bool:
    """Whether something is weighed or taken away, which only makes sense within one range."""
    return "@" in said or re.search(r"(?:^|[\s,;])!", said) is not None

"""A showdown asked in words: "AhKd vs QQ, board 9c", "omaha AsAhKsKh v 2 random on 3d 4d 5d".

Forgiving about case, punctuation, order and the words between; strict about cards. What is not
understood is said in one sentence, never guessed.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Final

from engine.card_words import in_letters
from engine.cards import Cards
from engine.errors import TextError, UnclearText, quoted
from engine.odds.showdown.games import GAMES, PRESETS, ShowdownRules
from engine.odds.showdown.ranges import is_hands, looks_like_range
from engine.odds.showdown.scenario import Scenario, parse_scenario

QUESTION_EXAMPLE: Final = '"AhKd vs QQ, board 9c"'
_GAMES: Final = {
    key: re.compile(rf"(?<![\w-])(?:in |at |for )?(?:{game.said})(?![\w-])\s*:?")
    for key, game in GAMES.items()
}
_BOARD: Final = r"(?:the )?(?:board|flop|turn|river|public|community|on)(?: cards?)?(?: is| of)?"
_DEAD: Final = r"(?:dead|folded|mucked|burnt?|without|gone)(?: cards?)?"
_AGAINST: Final = r"vs\.?|versus|v\.?|against|or"
_KEYWORD: Final = re.compile(
    rf"(?<![\w'])(?:(?P<board>{_BOARD})|(?P<dead>{_DEAD})|(?P<hand>{_AGAINST}))(?!\w)\s*:?|(?P<bar>[|/\n])"
)
_UNKNOWN: Final = re.compile(
    r"(?:(?P<many>\d{1,2}|a|an|one|two|three|four|five|six|seven|eight|nine)\s+)?"
    r"(?:random|unknown|other|any|\?+)(?:\s+(?:hands?|players?|opponents?|cards?|one))?s?"
    r"|(?P<opponents>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|an?)\s+"
    r"(?:opponents?|players?|others?)|x{2,5}"
)
_TWO_RANKS: Final = re.compile(r"(?:10|[2-9tjqka]){2}[so]?")
_AND: Final = re.compile(r"\s+and\s+|\s*&\s*")
_NUMBERS: Final = {"a": 1, "an": 1} | {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), start=1
    )
}


def parse_question(
    text: str, game: str | None = None, board: str = "", dead: str = "", opponents: int = 0
) -> Scenario:
    """The scenario that `text` asks about.

    `game` is a key of `PRESETS`; None takes the game named in the text, else hold'em. `board` and
    `dead` are added to what the text says of them, and `opponents` players of unknown cards to its
    players; a single player alone gets one opponent. Raises `TextError`.
    """
    plain = text.replace("’", "'").lower().strip()
    if len(plain) > 1000:
        reason = f"expected one question, got {len(plain)} characters"
        raise TextError(text[:40], reason, QUESTION_EXAMPLE)
    named, plain = _game_in(plain)
    plain = in_letters(plain).lower()
    key = game or named or "holdem"
    if key not in PRESETS:
        reason = f"{quoted(key)} is not a game; expected one of {', '.join(PRESETS)}"
        raise TextError(key, reason, '"holdem"')
    if not 0 <= opponents <= 22:
        reason = f"expected 0 to 22 opponents, got {opponents}"
        raise TextError(str(opponents), reason, '"2"')
    rules = PRESETS[key]
    parts: dict[str, list[str]] = {"board": [board], "dead": [dead], "hand": []}
    kind, at = "hand", 0
    for found in _KEYWORD.finditer(plain):
        parts[kind].append(plain[at : found.start()])
        kind = "hand" if found["bar"] else str(found.lastgroup)
        at = found.end()
    parts[kind].append(plain[at:])
    sides = [side for said in parts["hand"] if (side := said.strip(" ,;."))]
    players = _side_by_side(sides[0], rules) if len(sides) == 1 else []
    if not players:
        players = [player for said in sides for player in _players(said, rules)]
    players += [""] * opponents
    if not players:
        raise TextError(text, "expected at least one player's cards", QUESTION_EXAMPLE)
    if len(players) == 1:
        players.append("")
    shown, gone = (in_letters(" ".join(parts[name]).strip(" ,;.?")) for name in ("board", "dead"))
    return parse_scenario(players, shown, gone, rules)


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
    unknown = _UNKNOWN.fullmatch(said.rstrip("."))
    if unknown:
        word = unknown["many"] or unknown["opponents"] or "one"
        return [""] * (int(word) if word.isdigit() else _NUMBERS[word])
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


def _apart(hands: list[str]) -> bool:
    """Whether no card is in two of the hands."""
    cards = [Cards.parse(hand) for hand in hands]
    return all(one.isdisjoint(other) for one, other in combinations(cards, 2))


def _is_weighed(said: str) -> bool:
    """Whether something is weighed or taken away, which only makes sense within one range."""
    return "@" in said or re.search(r"(?:^|[\s,;])!", said) is not None

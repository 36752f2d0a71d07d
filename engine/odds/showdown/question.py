"""Parse a showdown in words: "AhKd vs QQ, board 9c", "omaha AsAhKsKh v 2 random on 3d 4d 5d".

This is the only parser for the command line, Discord and the library. It forgives case,
punctuation, order and extra words, but is strict about cards. It never guesses: an error says in
one sentence what is unclear.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, takewhile, zip_longest
from typing import Final

from engine.card_words import in_letters
from engine.cards import Cards, cards_in_order
from engine.errors import (
    Reason,
    TextError,
    UnclearBoard,
    UnclearGame,
    UnclearHands,
    UnclearText,
)
from engine.odds.showdown.games import GAMES, PRESETS, ShowdownRules
from engine.odds.showdown.omaha_terms import count_named_cards
from engine.odds.showdown.question_words import (
    AGAINST,
    BOARD_WORD,
    CARD,
    COUNTED,
    DEAD_WORD,
    LONGEST,
    TYPED_CARD,
    VERSUS,
    WRAPPED,
    name_behind,
    number_of,
)
from engine.odds.showdown.range_terms import (
    RANK_SET,
    climbing_terms,
    is_of_two,
    without_climbing,
    written,
)
from engine.odds.showdown.ranges import Range, is_hands, looks_like_range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.spelling import (
    check_clear,
    has_words,
    plain_signs,
    spell,
    spell_rank_sets,
)
from engine.patterns import compile_later, has_any

QUESTION_EXAMPLE: Final = '"AhKd vs QQ, board 9c 8d 7s"'
_SAYS: Final = (
    r"(?: (?:is|are|of|comes?|came|was|were|has|have|had|shows?|reads?))?"
    rf"(?: the(?= {CARD}))?"
)
_BOARD: Final = (
    rf"(?:(?:and )?(?:on|with|in|after) )?(?:the |an? )?{BOARD_WORD}"
    rf"(?: cards?)?{_SAYS}|(?:on )?(?:the )?table(?=(?: is| has)?\s*:|{_SAYS} {CARD})"
    r"|on(?: the| an?)?"
)
_DEAD: Final = rf"(?:the )?{DEAD_WORD}(?: cards?| hands?)?{_SAYS}"
_AGAINST: Final = rf"{AGAINST}|or"
_BOARD_OR_DEAD: Final = (
    *("board", "flop", "turn", "river", "run", "public", "community", "common", "shared", "middle"),
    *("table", "on", "dead", "fold", "muck", "discard", "burn", "exposed", "remove", "gone"),
    "without",
)
_KEYWORD: Final = compile_later(
    rf"(?<![\w'])(?:(?P<board>{_BOARD})|(?P<dead>{_DEAD})|(?P<hand>{_AGAINST}))(?!\w)\s*:?|(?P<bar>[|/\n])"
)
# the same for a text without words for the board or dead cards
_BETWEEN_HANDS: Final = compile_later(rf"(?<![\w'])(?P<hand>{_AGAINST})(?!\w)\s*:?|(?P<bar>[|/\n])")
_CARDS: Final = rf"(?:{CARD}[\s,]*)"
# "AhKd - QQ", "@ 9c8d7s", "(dead 2c)"
_DASH: Final = compile_later(rf"((?:{CARD}\s?){{2}})\s+-\s+", words=("-",))
# "board Ah7d2c - Ks - 3h"
_HALVES: Final = compile_later(
    rf"(?<![\w-])((?:{CARD}){{2}})-(?=(?:{CARD}){{2}}(?![\w-]))", words=("-",)
)
_BOARD_FIRST: Final = compile_later(rf"^\s*({CARD}(?:[\s,]*{CARD}){{2,4}}):(?=\s*\S)", words=(":",))
# "AAvsKK"
_GLUED_VS: Final = compile_later(
    rf"(?:(?<!\w)|(?<=vs)|(?<=v))((?:{CARD})+|(?:10|[2-9tjqka]){{2}}[so]?[+-]?)(?:vs|v)"
    r"(?=10|[2-9tjqka])",
    words=(versus + rank for versus in ("v", "vs") for rank in "123456789tjqka"),
)
_STREETS: Final = compile_later(
    rf"((?:{CARD}\s?){{3,4}})\s+-\s+(?={CARD}\s*(?:$|[,;)|-]))", words=("-",)
)
_AT_BOARD: Final = compile_later(rf"@\s*(?={_CARDS}{{3,5}}(?:$|[;|]))", words=("@",))
_ASIDE: Final = compile_later(rf"\(\s*((?:{_BOARD}|{_DEAD})(?!\w)[^()]*)\)", words=_BOARD_OR_DEAD)
_WITH: Final = compile_later(r"(?<!\w)w/\s*", words=("w/",))
_WITHOUT: Final = compile_later(r"(?<!\w)w/o(?!\w)", re.IGNORECASE, words=("w/o",))
# what a shell or a forum leaves around a question
_IN_QUOTES: Final = compile_later(r"(?<!\w)'([^'\n]*)'(?!\w)", words=("'",))
_CITED: Final = compile_later(r"^[ \t]*>+", re.MULTILINE, words=(">",))
_SUIT_WORD: Final = compile_later(
    r"(?:two|2|of|in) (?:club|diamond|heart|spade)s", words=("club", "diamond", "heart", "spade")
)
_EMPTY: Final = compile_later(r"\(\s*\)")
# "(As Ah)Kd", as players of stud write cards dealt face down
_DOWN_CARDS: Final = compile_later(rf"\(((?:\s*{CARD}){{1,6}})\s*\)(?={CARD})")
_OF_SPADES: Final = compile_later(r"([2-9tjqka])(?!\1)([2-9tjqka])([sd])s", words=("ss", "ds"))
_IN_SEMICOLONS: Final = compile_later(
    rf"{CARD}(?:,\s*{CARD})+(?:\s*;\s*{CARD}(?:,\s*{CARD})*)+", words=(";",)
)
_MARKS: Final = compile_later(r"(?<=[\w)%+*-])[?!]+(?=\s|$)|\s!+(?=\s|$)", words=("?", "!"))
_QUOTES: Final = str.maketrans(dict.fromkeys('"`“”„«»', " "))
# emoji, the letters that hide names, and bold marks of a message
_DECORATION: Final = compile_later("[\U0001f300-\U0001faff\U000f0000-\U000fffff]")
_EMOJI_ALONE: Final = compile_later(
    rf"(?:^|(?<!\w){VERSUS}\s)\s*"
    "((?:[\U0001f300-\U0001faff][\ufe0f\u200d\\s]*)+)"
    "(?=$|[,;|/]|(?:vs|versus|v|against)(?!\\w))",
    re.IGNORECASE,
)
# "Ah|Kd": one hand, or two players with one known card each
_BAR: Final = compile_later(r"\s*\|\s*", words=("|",))
_BARRED: Final = compile_later(
    rf"(?<!\w){TYPED_CARD}(?:\s*\|\s*{TYPED_CARD})+(?!\w)", re.IGNORECASE, words=("|",)
)
# a text without any of these names no game, so the names need not be loaded
_MAY_NAME_GAME: Final = (
    *"befgilmnpru",
    *("o8", "o/8", "o-8", "6+", "27", "2-7", "a5", "a-5"),
    *("7cs", "7 cs", "7-cs", "5cd", "5 cd", "5-cd"),
)
# a street without cards, or a word for a condition
_MAY_BE_CONDITION: Final = compile_later(
    r"(?<!\w)(?:(?:when|whenever|if|given|provided|assuming)(?!\w)"
    r"|on\s+(?:an?\s+|the\s+)?(?:10|[2-9tjqkax*]){3,5}(?:r|tt)?(?![\w*])"
    r"|(?:hit|make|get)(?:s|ting|ing)?\s.*\swith\s"
    r"|(?:flop|turn|river|board)(?:s|ed|ped|ping|ing)?(?!\w)"
    r"(?!\W*(?:(?:is|are|was|of|on|comes?|came|shows?|cards?|the)\W+)*"
    rf"{TYPED_CARD}+(?![\w*])))",
    re.IGNORECASE,
    words=(
        *("when", "if", "given", "provided", "assuming", "on", "hit", "make", "get"),
        *("flop", "turn", "river", "board"),
    ),
)
_MAY_BE_TWO_BOARDS: Final = compile_later(
    r"once|twice|thrice|times|\dx|x\d|(?<!\w)rit(?!\w)|boards|board (?:[12ab]|one)(?!\w)"
    r"|(?:first|top|double) board|board[^|\n]*\||flops|bomb pot|(?:two|2) run",
    re.IGNORECASE,
    words=(
        *("once", "twice", "thrice", "times", "x", "rit", "boards", "flops", "bomb pot", " run"),
        *("first board", "top board", "double board", "|"),
        *(f"board {number}" for number in ("1", "2", "a", "b", "one")),
    ),
)
_MAY_BE_DRAWS: Final = compile_later(
    r"(?:draw(?:s|ing)?|drew|tak(?:es?|ing))\s+(?:[0-5]|none|one|two|three|four|five)(?!\w)"
    r"|(?<!\w)pat(?!\w)|(?<!\w)draws?\s+(?:left|to (?:come|go))(?!\w)",
    re.IGNORECASE,
    words=("draw", "drew", "tak", "pat"),
)
_MAY_BE_CHIPS: Final = compile_later(
    r"\(\s*[$€£]?\d[\d'.,]*\s*(?:k|bbs?|chips|[$€£])?\s*\)|stack|pay|prize|dead money|bets",
    re.IGNORECASE,
    words=("(", "stack", "pay", "prize", "dead money", "bets"),
)
_ALL_CARDS: Final = compile_later(rf"(?:\W*{TYPED_CARD})*[\W★]*", re.IGNORECASE)
_NUMBERED: Final = compile_later(
    r"(?:p|player |seat |hand )(\d+)", re.IGNORECASE, words=("p", "seat", "hand")
)
_VS: Final = compile_later(rf"(?<!\w){VERSUS}(?!\w)", re.IGNORECASE)
_SEATED: Final = rf"\d{{1,3}}|{COUNTED}|ten"
_UNKNOWN: Final = compile_later(
    rf"(?:(?P<many>\d{{1,2}}|an?|{COUNTED}|ten)\s+)?"
    r"(?:random|unknown|other|any|\?+)(?:\s+(?:hands?|players?|opponents?|cards?|one))?s?"
    rf"|(?P<opponents>\d{{1,2}}|{COUNTED}|ten|an?)\s+"
    r"(?:opponents?|(?:more\s+)?players?|others?|villains?|callers?)|x{2,5}",
    words=(
        *("random", "unknown", "other", "any", "?"),
        *("opponent", "player", "villain", "caller", "xx"),
    ),
)
# "AsKs, 7 opponents" and "AsKs and 2 random hands" mean "vs" without saying it
_OPPONENTS: Final = compile_later(
    rf"[\s,;]+(?:(?:with|and|plus|\+)\s+)?((?:\d{{1,2}}|{COUNTED}|ten)\s+"
    r"(?:opponents?|others?|more\s+players?|villains?|callers?"
    r"|(?:random|unknown|other)(?:\s+(?:hands?|players?|opponents?))?))(?!\w)",
    words=("opponent", "other", "player", "villain", "caller", "random", "unknown"),
)
# "3x random", "random x3"
_TIMES_RANDOM: Final = compile_later(
    r"(?<!\w)(?:(\d{1,2})\s?x\s+random|random(?:\s+hands?)?\s+x\s?(\d{1,2}))(?!\w)",
    words=("x",),
)
# "QQ random", "QQ plus random"
_RANDOM_BEHIND: Final = compile_later(
    rf"(?<!\w)((?:{CARD})+|(?:10|[2-9tjqka]){{2,6}}[so]?[+-]?|\d+%)"
    r"\s+(?:(?:plus|\+)\s+)?(?=(?:an?\s+)?(?:random|unknown)(?!\w))",
    words=("random", "unknown"),
)
# "AhKh + 2 players", "AhKh and 3 more players"
_MORE_PLAYERS: Final = compile_later(
    rf"[\s,;]*(?:\+|(?<!\w)plus|(?<!\w)and)\s*(\d{{1,2}}|{COUNTED}|ten)\s+(?:more\s+|other\s+)?players?(?!\w)",
    words=("player",),
)
# "24 players" counts all players; "vs 3 players" only the opponents
_AT_TABLE: Final = compile_later(
    rf"(?<!\w)(?:(?P<against>{_AGAINST})\s+)?(?:(?:with|of|in|at)\s+(?:an?\s+)?)?(?P<many>{_SEATED})"
    r"(?:\s+players?|[\s-]*(?:handed|ways?|max))(?: in all| game| table| pot)?(?!\w)\s*:?"
    r"|(?<!\w)(?P<two>heads[ -]?up|hu)(?!\w)\s*:?",
    words=("player", "handed", "way", "max", "heads", "hu"),
)
_TABLE_WORD: Final = compile_later(r"opponents?|players?|others?|handed")
# a number of opponents, as in "vs 3"; "22" is a pair
_MANY: Final = frozenset((*"123456789", *COUNTED.split("|")))
_KINDS: Final = compile_later(r"(?:10|[2-9tjqka]){2}[so]?[+-]?")
_IS_CARD: Final = compile_later(CARD)
_TWO_CARDS: Final = compile_later(rf"{CARD}{CARD}")
_ONLY_BOARD: Final = compile_later(rf"{_CARDS}{{3,5}}")
# "QdQh, Kxx", "QQ K72r": a hand, then what may be ranks of a flop
_HAND_AND_RANKS: Final = compile_later(
    r"(\S*[^\s,;])[\s,;]+((?:10|[2-9tjqka])(?:10|[2-9tjqka]|x){2})(r|tt|)"
)
_HALF: Final = rf"({CARD}{CARD}|(?:10|[2-9tjqka]){{2}}[so]?)"
_GLUED: Final = compile_later(rf"{_HALF}{_HALF}")
_CARDS_OR_TERM: Final = compile_later(
    rf"(?:{CARD}|[*]|[2-9tjqkax]{{2}}[so]?)+(?:[-+@!:].*)?"
    rf"|(?=.*\[)(?:(?:{RANK_SET}|[2-9tjqkax*])[cdhso]?)+(?:[-+@!:].*)?"
)
# a side that is only "10s" or "Ks", as typed
_SEVERAL: Final = compile_later(
    rf"(?:^|(?<!\w)(?:{_AGAINST})\s)\s*(10|[2-9tjqka])s"
    r"(?=\s*$|[\s,;]+(?:vs|versus|v|against|board|flop|on|dead)(?!\w))",
    re.IGNORECASE,
    words=(f"{rank}s" for rank in "023456789tjqka"),
)
_TWO_RANKS: Final = compile_later(r"(?:10|[2-9tjqka]){2}[so]?")
_EITHER: Final = "∨"  # replaces "or" in a question with "vs"
_OR: Final = compile_later(r"\s+or\s+", words=("or",))
_JOINED: Final = compile_later(rf"\s*,\s*(?:and\s+)?|\s+(?:and|{_EITHER})\s+|\s*&\s*")
_AND_BEHIND: Final = compile_later(r"\s+(?:and|but|while)$", words=("and", "but", "while"))
_AND: Final = compile_later(r"\s+and\s+|\s*&\s*", words=("and", "&"))
_ARTICLE: Final = compile_later(r"(?<!\w)an? (?=[a-z]{3})", words=("a ", "an "))
_SPACED_DASH: Final = compile_later(
    r"((?:10|[2-9tjqka]){2}[so]?)\s+-\s+((?:10|[2-9tjqka]){2}[so]?)", words=("-",)
)
# as in "AA vs KK - dead 2c"
_LOOSE_DASH: Final = compile_later(r"^\s*-\s+|\s+-\s*$", words=("-",))
_CARDS_ONLY: Final = compile_later(rf"(?:{CARD}|[*★])+")
_CARD: Final = compile_later(rf"{CARD}|[*★]")
_SUIT_LETTERS: Final = compile_later("[xyzw].*[xyzw]")  # a single letter may be a typo, as in "AKz"
# the games meant by their number of hole cards, if the question names none and has no board
_USUAL: Final = {PRESETS[key].private: key for key in ("holdem", "omaha", "draw", "stud")}
_FLOP: Final = 3
_FACE_UP: Final = 3  # cards that commas keep apart, each player's first ones in stud


def _first_high(*, has_board: bool) -> dict[int, str]:
    """Return the first high game for each number of hole cards, hi/lo games left out."""
    games: dict[int, str] = {}
    for key, rules in PRESETS.items():
        high = rules.ranking is Ranking.HIGH and not rules.hi_lo
        if high and (rules.public > 0) == has_board:
            games.setdefault(rules.private, key)
    return games


_WITH_BOARD: Final = _first_high(has_board=True)
_NO_BOARD: Final = _first_high(has_board=False)


def _same_rules(rules: ShowdownRules) -> ShowdownRules:
    return rules


@dataclass(slots=True)
class _Question:
    """The texts of a question's sides, of its board and of its dead cards, and what else it says.

    `names` are the players' names by side, empty if not given. `players` is the number of all
    players, if the text says it. `one_each`: every side was a separate text. `says_flop`: the
    text calls the board a flop. `slashes`: only slashes separate the sides. `game` is the key
    of the game that is named.
    """

    sides: list[str]
    names: list[str]
    board: str = ""
    dead: str = ""
    players: int | None = None
    one_each: bool = False
    says_flop: bool = False
    slashes: bool = False
    game: str | None = None


def parse_question(
    hands: str | Sequence[str],
    game: str | ShowdownRules | None = None,
    board: str = "",
    dead: str = "",
    opponents: int = 0,
    change: Callable[[ShowdownRules], ShowdownRules] = _same_rules,
    ranges: Mapping[str, str] | None = None,
) -> Scenario:
    """Return the scenario of a question, given in words or as a text for each player.

    `game` is a game's key, another of its names, or rules. If it is None, use the game named in the
    text, else the game that deals this many cards. `change` changes the rules of a game that isn't
    given as rules. `board`, `dead` and `opponents` (a number of players with unknown cards) are
    added to those in the text. Wild cards in the text are added to the rules. A single player gets
    one opponent, unless rules are given, or the text only asks how often a hand hits. `ranges` maps
    the names that the text may use to the texts of their ranges. Raises `TextError` if the question
    isn't understood, may mean several things, or isn't possible.
    """
    if ranges is not None:
        from engine.odds.showdown.named_ranges import Expander, explain_unknown

        try:
            return _parse(hands, game, board, dead, opponents, change, Expander(ranges).expand)
        except UnclearText:
            raise
        except TextError as error:
            raise explain_unknown(error, ranges) from None
    return _parse(hands, game, board, dead, opponents, change, _without_names)


_Expand = Callable[[Sequence[str], Sequence[str]], tuple[list[str], list[str]]]


def _without_names(sides: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    return list(sides), list(names)


def _parse(
    hands: str | Sequence[str],
    game: str | ShowdownRules | None,
    board: str,
    dead: str,
    opponents: int,
    change: Callable[[ShowdownRules], ShowdownRules],
    expand: _Expand,
) -> Scenario:
    hands = _spell_signs(hands) if isinstance(hands, str) else [*map(_spell_signs, hands)]
    if not isinstance(hands, str) and any(map(_VS.fullmatch, hands)):
        hands = " ".join(hands)  # a question in words whose quotes a shell has taken
    if isinstance(hands, str):
        hands = _IN_QUOTES.sub(r"\1", _CITED.sub("", hands))
    board, dead = plain_signs(board), plain_signs(dead)
    texts = [hands] if isinstance(hands, str) else hands
    if any(map(_MAY_BE_DRAWS.search, texts)):
        from engine.odds.showdown.draw_words import split_draws

        texts, game, draws = split_draws(texts, game)
        hands = texts[0] if isinstance(hands, str) else texts
        if draws is not None:
            scenario = _parse(hands, game, board, dead, opponents, change, expand)
            return replace(scenario, drawing=draws.drawing(scenario))
    if any(map(_MAY_BE_CHIPS.search, texts)):
        from engine.odds.showdown.stake_words import split_chips

        left, chips = split_chips(texts)
        if chips is not None:
            one_text = left[0] if isinstance(hands, str) else left
            with _choices_with(chips.as_typed):
                scenario = _parse(one_text, game, board, dead, opponents, change, expand)
            return replace(scenario, stakes=chips.stakes(len(scenario.players)))
    if any(map(_MAY_BE_TWO_BOARDS.search, texts)):
        from engine.odds.showdown.board_words import split_boards

        left, boards = split_boards(texts)
        if boards is not None:
            one_text, (first, second) = left[0] if isinstance(hands, str) else left, boards
            with _choices_with(f"boards {first} | {second}" if second else "run it twice"):
                scenario = _parse(
                    one_text, game, f"{board} {first}".strip(), dead, opponents, change, expand
                )
            both = Cards.parse(second) if second else scenario.board
            return replace(scenario, second=both)
        texts, hands = left, left[0] if isinstance(hands, str) else left
    if any(map(_MAY_BE_CONDITION.search, texts)) or (board and not _ALL_CARDS.fullmatch(board)):
        from engine.odds.showdown.conditions import parse_condition, split_conditions

        if len(texts) > 1 and any(map(_is_in_words, texts)):
            texts = [" ".join(texts)]
        left, left_board, clauses = split_conditions(texts, board)
        if clauses:
            with _choices_with(", ".join(f"when {clause}" for clause in clauses)):
                scenario = _parse_plain(
                    left[0] if len(left) == 1 and len(texts) == 1 else left,
                    game, left_board, dead, opponents, change, expand, alone=True,
                )  # fmt: skip
            players = scenario.players
            hands = [*map(str, players)]
            try:
                condition = parse_condition(clauses, scenario.names, scenario.rules.ranking, hands)
            except UnclearText as error:
                others = [clause for clause in clauses if clause != error.text]
                known = " vs ".join(filter(None, (text.strip(" ,;") for text in left)))
                stem = f"{known}, board {left_board}" if left_board else known
                error.choices = tuple(
                    ", when ".join([stem, choice, *others]) for choice in error.choices
                )
                raise
            if len(players) == 1 and condition.seats != {0}:
                players = (*players, Cards())
            return replace(scenario, players=players, condition=condition)
    return _parse_plain(hands, game, board, dead, opponents, change, expand)


def _spell_signs(text: str) -> str:
    return spell_rank_sets(_WITHOUT.sub("without", plain_signs(text)))


@contextmanager
def _choices_with(clause: str) -> Iterator[None]:
    """Add `clause`, which was cut out of the question, to the choices of an `UnclearText`."""
    try:
        yield
    except UnclearText as error:
        error.choices = tuple(f"{choice}, {clause}" for choice in error.choices)
        raise


def _parse_plain(
    hands: str | Sequence[str],
    game: str | ShowdownRules | None,
    board: str,
    dead: str,
    opponents: int,
    change: Callable[[ShowdownRules], ShowdownRules],
    expand: _Expand,
    *,
    alone: bool = False,
) -> Scenario:
    """Return the scenario of a question without conditions; if `alone`, one player is enough."""
    texts = [hands] if isinstance(hands, str) else list(hands)
    tame, wild, jokers = _without_wild(texts)
    if wild or jokers:

        def wilder(rules: ShowdownRules) -> ShowdownRules:
            return replace(rules, wild=rules.wild | wild, jokers=max(rules.jokers, jokers))

        game = wilder(game) if isinstance(game, ShowdownRules) else game
        left = tame[0] if isinstance(hands, str) else tame
        try:
            return _parse_plain(
                left, game, board, dead, opponents,
                lambda rules: wilder(change(rules)), expand, alone=alone,
            )  # fmt: skip
        except UnclearText as error:
            also = f", wild cards: {wild}" if wild else ""
            also += f", wild: {jokers} joker{'s' * (jokers > 1)}" if jokers else ""
            error.choices = tuple(choice + also for choice in error.choices)
            raise
    _check_bars(texts)
    in_words = len(texts) > 1 and any(map(_is_in_words, texts))
    if in_words:
        texts = [" ".join(texts)]
    for text in texts:
        check_clear(text, in_question=len(texts) == 1)
    _check_emoji(texts)
    if isinstance(game, str) and game not in PRESETS:
        game = _find_game(game)
    named, unnamed = _without_game(texts, game)
    plain = [_simplify(text.lower()) for text in unnamed]
    question = _split_sides(plain, isinstance(hands, str) or in_words)
    question.sides, question.names = expand(question.sides, question.names)
    question.names = [_as_written(name, texts) if name else "" for name in question.names]
    board_cards, gone = (
        re.sub(r"[()]", " ", _AND.sub(" ", _plain(" ".join(both))))
        .strip(" ,;.?")
        .replace(_EITHER, "or")
        for both in ((board, question.board), (dead, question.dead))
    )
    key = game or named
    question.game = named
    _split_listed(question)
    _check_joined(question)
    _check_dash(question)
    if key is None:
        _check_apart(question, opponents)
        for private in (2, 4, 5, 6):
            _check_board_named(question, board_cards, private)
        _check_suits_behind(question)
        key = _game_by_cards(question, board_cards, " vs ".join(text or "random" for text in texts))
    if not 0 <= opponents <= 22:
        reason = Reason("expected 0 to 22 opponents, got {given}", given=opponents)
        raise TextError(str(opponents), reason, '"2"')
    rules = change(PRESETS[key]) if isinstance(key, str) else key
    if rules.public:
        _check_board_named(question, board_cards, rules.private)
    if rules.private == 2:
        _check_pairs(texts)
        _check_climbing(question)
    players, names = _name_players(question, rules)
    names = [_unless_number(name, seat) for seat, name in enumerate(names, start=1)]
    players += [""] * opponents
    if not players:
        raise TextError(
            " ".join(texts), Reason("expected at least one player's cards"), QUESTION_EXAMPLE
        )
    if question.players is not None:
        players = _add_unknown(players, question.players)
    elif len(players) == 1 and isinstance(key, str) and not alone:
        players.append("")
    if isinstance(key, str):
        _check_flop(board_cards, question.says_flop, rules, GAMES[key].name)
    names += [""] * (len(players) - len(names))
    try:
        return parse_scenario(players, board_cards, gone, rules, names if any(names) else ())
    except TextError as error:
        as_typed = _as_typed(error.reason, " ".join(texts))
        raise TextError(error.text, as_typed, error.example) from None


def game_named(text: str) -> str | None:
    """Return the key of the game that a question names; None for no game or an unclear one."""
    try:
        if _MAY_BE_DRAWS.search(text):
            from engine.odds.showdown.draw_words import split_draws

            texts, game, _ = split_draws([text], None)
            if isinstance(game, str):
                return game
            text = texts[0]
        return _without_game([text], None)[0]
    except TextError:
        return None


def guess_game(text: str, board: str = "") -> str | None:
    """Return the key of the game that a question names or its cards suggest; None if unclear."""
    key = game_named(text)
    if key is not None:
        return key
    try:
        (plain,), *_ = _without_wild([_lower(text)])
        return _game_by_cards(_split_sides([_simplify(plain)], True), _plain(board), text)
    except TextError:
        return None


def _without_game(
    texts: Sequence[str], game: str | ShowdownRules | None
) -> tuple[str | None, list[str]]:
    """Return the key of the game that texts name, if any, and the texts without its name.

    Raises `TextError` if the named game isn't the chosen `game`, is unclear, or is not supported.
    """
    texts = [unicodedata.normalize("NFKC", text) for text in texts]
    if not any(has_any(text, _MAY_NAME_GAME) for text in texts):
        return None, texts
    from engine.odds.showdown.game_words import named_game

    named = named_game(texts)
    named.check(game)
    return named.key, named.texts


def _find_game(game: str) -> str:
    """Return the key of the game with this key or name. Raises `TextError` for an unknown one."""
    from engine.odds.showdown.game_words import game_key

    key = game_key(game)
    if key is None:
        reason = Reason(
            '"{word}" isn\'t a game; choose one of {games}',
            word=game,
            games=", ".join(PRESETS),
        )
        raise TextError(game, reason, '"holdem"')
    return key


def _game_by_cards(question: _Question, board: str, text: str) -> str:
    known = [side for side in question.sides if not _UNKNOWN.fullmatch(side)]
    return _which_game(known, board, text)


def _which_game(players: Sequence[str], board: str, text: str) -> str:
    """Return the key of the game that fits these players' cards and ranges.

    The players' texts have cards in the usual spelling. Raises `UnclearGame` if several games fit;
    each of its choices is a game's key followed by `text`, the question as typed.
    """
    of_cards, of_ranges = 0, 0
    for player in players:
        cards, ranged = _cards_of(player)
        of_cards, of_ranges = max(of_cards, cards), max(of_ranges, ranged)
    public = bool(_CARD.search(board))
    if of_ranges > 2:
        return "omaha5" if max(of_cards, of_ranges) > 4 else "omaha"
    if of_ranges and of_cards < PRESETS["omaha"].private:
        return "holdem"
    cards = max(of_cards, PRESETS["holdem"].private)
    key = (_WITH_BOARD if public or of_ranges else _USUAL).get(cards)
    if key is not None:
        return key
    if cards >= PRESETS["stud"].private:
        return "stud"
    if public or of_ranges or not all(map(_is_understood, players)):
        return "holdem"
    choices = tuple(f"{game} {text}" for game in _games_of(cards))
    raise UnclearGame(text, choices, cards)


def _games_of(cards: int) -> list[str]:
    """Return the games, hi/lo and low ones left out, in which a player may hold this many cards."""
    games = [_NO_BOARD[cards]] if cards in _NO_BOARD else []
    at_least = min(number for number in _WITH_BOARD if number >= cards)
    return [*games, "stud", _WITH_BOARD[at_least]]


def _is_understood(side: str) -> bool:
    """Return whether every word is cards or a term of a range."""
    words = re.split(r"[\s,;()&]+|\band\b", side)
    return all(_CARDS_ONLY.fullmatch(word) or _cards_in_term(word) for word in words if word)


def _cards_of(side: str) -> tuple[int, int]:
    """Return the number of cards in a side's single hands, and in the hands in its ranges.

    Each is the largest number found, or 0 without such hands. `side` may be several players who are
    joined only by commas or "and".
    """
    sizes, ranged = [0], 0
    for piece in re.split(r"[,;()]+|\band\b|&", side):
        words = piece.split()
        counts = [len(_CARD.findall(word)) for word in words if _CARDS_ONLY.fullmatch(word)]
        if counts:
            sizes.append(max(counts) if min(counts) > 1 else sum(counts))
        terms = [atom for word in words for atom in re.split(r"[:!]", word.partition("@")[0])]
        ranged = max([ranged, *map(_cards_in_term, filter(None, terms))])
    return max(sizes) if max(sizes) > 1 else sum(sizes), ranged


def _cards_in_term(term: str) -> int:
    """Return the number of cards in each hand of a range's term; 0 if unclear."""
    if _CARDS_ONLY.fullmatch(term):
        return 0
    if is_of_two(term):
        return 2
    count = count_named_cards(term)
    if count is None or (count < 4 and not _SUIT_LETTERS.search(term)):
        return 0
    return max(count, 4)


def _as_typed(reason: str, text: str) -> str:
    """Return the reason with quoted words in the capitals in which they were typed."""
    if not isinstance(reason, Reason):
        return reason
    typed = dict(reason.facts)
    for name, fact in reason.facts.items():
        if fact == _EITHER:
            typed[name] = "or"
        elif isinstance(fact, str) and f'"{{{name}}}"' in reason.template:
            word = rf"(?<!\w){re.escape(fact)}(?!\w)"
            match = re.search(word, text.lower()) or re.search(re.escape(fact), text.lower())
            typed[name] = _in_capitals(fact) if match is None else text[slice(*match.span())]
    return Reason(reason.template, **typed)


def _lower(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _plain(text: str) -> str:
    """Return a text with cards as letters, in the usual spelling."""
    return spell(in_letters(text))


def _is_in_words(text: str) -> bool:
    """Return whether a text is part of a question in words, not just one player's cards."""
    plain = _simplify(_lower(text))
    return bool(_keywords(plain) or _AT_TABLE.fullmatch(plain) or _TABLE_WORD.fullmatch(plain))


def _simplify(text: str) -> str:
    """Return a question with players' names hidden, without words that don't change its meaning."""
    bare = text.translate(_QUOTES)
    bare = bare if bare.isascii() else _DECORATION.sub(" ", bare)
    bare = _WITH.sub("with ", WRAPPED.sub(r"\1", bare))
    if _SUIT_WORD.search(bare) is not None:
        from engine.odds.showdown.hand_words import spell_suit_of_all

        bare = spell_suit_of_all(bare)
    plain = _GLUED_VS.sub(r"\1 vs ", _MARKS.sub("", _plain(bare)))
    plain = _BOARD_FIRST.sub(r"board \1\n", plain)
    if has_words(plain) or ":" in plain:
        from engine.odds.showdown.hand_words import strip_filler

        plain = strip_filler(plain)
    if "(" in plain:
        plain = _DOWN_CARDS.sub(r"\1", _ASIDE.sub(r" \1 ", _EMPTY.sub(" ", plain)))
    plain = _AT_BOARD.sub(" board ", plain)
    if _IN_SEMICOLONS.fullmatch(plain.strip()):
        plain = plain.replace(";", " vs ")
    if " - " in plain:
        plain = _DASH.sub(r"\1 vs ", _STREETS.sub(r"\1 ", _STREETS.sub(r"\1 ", plain)))
    return _HALVES.sub(r"\1 ", plain)


def _without_wild(texts: list[str]) -> tuple[list[str], Cards, int]:
    """Return what `split_wild` does, which is loaded only if a text has the word "wild"."""
    if not any(has_any(text, ("wild",)) for text in texts):
        return texts, Cards(), 0
    from engine.odds.showdown.wild_words import split_wild

    return split_wild(texts)


def _split_sides(texts: list[str], one_text: bool) -> _Question:
    """Split a question into its sides; several texts are one side each, unless `one_text`.

    Raises `TextError` for a text that is too long, and as `_hand_behind` does.
    """
    if not one_text and (len(texts) > 1 or texts == [""]):
        return _Question([text.strip() for text in texts], [""] * len(texts), one_each=True)
    plain = " ".join(texts).strip()
    if len(plain) > LONGEST:
        reason = Reason("that's too long for one question: {number} characters", number=len(plain))
        raise TextError(plain[:40], reason, QUESTION_EXAMPLE)
    many: list[int] = []

    def at_table(match: re.Match[str]) -> str:
        if match["against"]:
            return match[0]
        many.append(2 if match["two"] else number_of(match["many"]))
        return " "

    plain = _TIMES_RANDOM.sub(lambda match: f"{match[1] or match[2]} random", plain)
    plain = _MORE_PLAYERS.sub(r" vs \1 opponents ", plain)
    plain = _OPPONENTS.sub(r" vs \1 ", _AT_TABLE.sub(at_table, plain))
    plain, slashes = _with_slashes(plain)
    parts: dict[str, list[str]] = {"board": [], "dead": [], "hand": []}
    names: list[str] = []  # one for each hand
    name, kind, at, says_flop, against = "", "hand", 0, False, False
    keywords = _keywords(plain)
    for keyword, following in zip_longest(keywords, keywords[1:]):
        if kind == "board" and keyword["bar"] and _is_street(plain, keyword, following):
            parts[kind].append(plain[at : keyword.start()])
            at = keyword.end()
            continue
        piece = plain[at : keyword.start()]
        begins = kind != "hand" and not any(parts["hand"])
        if begins and (keyword["hand"] or keyword["bar"]):
            named = keyword["bar"] == "\n" or bool(name_behind(keyword["hand"] or ""))
            piece, hand = _hand_behind(piece, kind, named=named)
            parts["hand"].append(hand)
            names.append("")
        parts[kind].append(piece if kind != "hand" or piece.strip(" ,;.") else "")
        names += [name] if kind == "hand" else []
        kind = keyword.lastgroup or ""
        against = kind == "hand"
        name = name_behind(keyword["hand"]) if against else ""
        kind = "hand" if kind == "bar" else kind
        says_flop |= kind == "board" and "flop" in keyword[0]
        at = keyword.end()
    parts[kind].append(plain[at:])
    names += [name] if kind == "hand" else []
    if against and (opponents := parts["hand"][-1].strip(" ,;.")) in _MANY:
        parts["hand"][-1] = f"{opponents} others"
    hands = [
        _AND_BEHIND.sub("", _LOOSE_DASH.sub("", piece).strip(" ,;.")) for piece in parts["hand"]
    ]
    named = [(side, name) for side, name in zip(hands, names, strict=True) if side]
    public, gone = (" ".join(parts[name]) for name in ("board", "dead"))
    return _Question(
        [side for side, _ in named],
        [name for _, name in named],
        public,
        gone,
        many[0] if many else None,
        False,
        says_flop,
        slashes,
    )


def _keywords(plain: str) -> list[re.Match[str]]:
    """Return the words and signs between the parts of a question: hands, board and dead cards."""
    pattern = _KEYWORD if has_any(plain, _BOARD_OR_DEAD) else _BETWEEN_HANDS
    return list(pattern.finditer(plain))


def _is_street(plain: str, bar: re.Match[str], following: re.Match[str] | None) -> bool:
    """Return whether a bar on the board separates streets, as in "9c 8d 7s | 2h | 3c"."""
    if following is not None and following["hand"]:
        return False
    end = len(plain) if following is None else following.start()
    return _IS_CARD.fullmatch(plain[bar.end() : end].strip(" ,;.")) is not None


def _with_slashes(plain: str) -> tuple[str, bool]:
    """Return the text, and whether only slashes separate its sides.

    In a question with "vs", a slash or "or" joins the hands that one player may hold, so each
    is replaced.
    """
    words = [match["hand"] or match["bar"] for match in _keywords(plain)]
    words = [word for word in words if word]
    if any(word != "/" and word != "or" for word in words):
        plain = _OR.sub(f" {_EITHER} ", plain.replace("/", ", "))
    return plain, bool(words) and all(word == "/" for word in words)


def _hand_behind(piece: str, kind: str, *, named: bool) -> tuple[str, str]:
    """Split the beginning of a question, such as "9c8d7s, AhKd", into cards and a hand.

    `kind` says whether the cards are the board or dead cards. The hand may be missing if the
    next hand is `named`, or on a new line. The cards may be missing if the piece begins with a
    comma. Otherwise, raises `TextError` if either is missing.
    """
    if piece.lstrip().startswith(","):  # as in "Bob folded, AhKd vs QQ"
        return "", piece
    words = re.split(r"[\s,;.:]+", piece.strip(" ,;.:"))
    cards = list(takewhile(_CARDS_ONLY.fullmatch, words))
    hand = words[len(cards) :]
    if not hand and len(cards) > 1 and not _IS_CARD.fullmatch(cards[-1]):
        hand = [cards.pop()]
    if not hand and named:
        return piece, ""
    if not hand or not cards:
        reason = (
            Reason("put the hands before the board")
            if kind == "board"
            else Reason("put the hands before the dead cards")
        )
        raise TextError(piece, reason, QUESTION_EXAMPLE)
    return " ".join(cards), " ".join(hand)


def _name_players(question: _Question, rules: ShowdownRules) -> tuple[list[str], list[str]]:
    """Return the players' texts and names; only the first player of a side has a name."""
    if question.one_each:
        each = [_unknown_players(side) or [side] for side in question.sides]
    else:
        together = _side_by_side(question.sides[0], rules) if len(question.sides) == 1 else []
        each = [together] if together else [_players(side, rules) for side in question.sides]
    players, names = [], []
    for of_side, name in zip(each, question.names, strict=True):
        players += of_side
        names += [name, *[""] * (len(of_side) - 1)]
    return players, names


def _add_unknown(players: list[str], many: int) -> list[str]:
    """Return the players, filled up with unknown ones to `many`.

    Raises `TextError` if there are more than `many` players already.
    """
    if len(players) > many:
        reason = Reason(
            "{number} players have cards, but you said {most} in total",
            number=len(players),
            most=many,
        )
        raise TextError(str(many), reason, f'"{len(players)} players"')
    return players + [""] * (many - len(players))


def _check_flop(board: str, says_flop: bool, rules: ShowdownRules, game: str) -> None:
    """Raise `TextError` for a flop of fewer than three cards, or a board that can't be read.

    A single board card is allowed if it isn't called the flop. In games with at most three
    board cards, nothing is checked.
    """
    if rules.public <= _FLOP:
        return
    try:
        cards_in_order(board)
    except TextError as error:
        raise TextError(error.text, error.reason, f'"9c 8d 7s" in {game}') from None
    cards = _CARD.findall(board)
    if says_flop and not cards:
        reason = Reason("name the flop's three cards, or what it must be")
        raise TextError(board, reason, '"AK, flop top pair+"')
    if len(cards) == 2 or (says_flop and len(cards) < _FLOP):
        names = " ".join(card[:-1].upper() + card[-1] for card in cards)
        reason = Reason(
            "a flop has three cards, got {number} ({cards})", number=len(cards), cards=names
        )
        raise TextError(board, reason, f'"9c 8d 7s" in {game}')


def _split_listed(question: _Question) -> None:
    """Split a side such as "AA, KK, QQ" into players if the text names as many players."""
    if len(question.sides) != 1 or question.one_each or question.sides[0].startswith("("):
        return
    pieces = [piece for piece in re.split(r"\s*[,;]\s*(?:and\s+)?", question.sides[0]) if piece]
    if len(pieces) > 1 and len(pieces) == question.players:
        question.sides, question.names = pieces, [*question.names, *[""] * (len(pieces) - 1)]


def _check_joined(question: _Question) -> None:
    """Raise `UnclearText` if hands are joined in a way that may separate players: "AK/QQ".

    Another example is "AA vs KK and QQ". Raises `TextError` for "or" between anything but hands.
    """
    sides = question.sides
    for at, side in enumerate(sides):
        either = f" {_EITHER} " in side
        kinds = _JOINED.split(side)
        if either and not all(
            _is_of_two(sides_meant) or count_named_cards(sides_meant) for sides_meant in kinds
        ):
            raise TextError(side, Reason("put vs between the players"), QUESTION_EXAMPLE)
        joined = either or (_AND.search(side) and all(map(_KINDS.fullmatch, kinds)))
        listed = joined and "," in side  # "AA, KK and QQ"
        if (len(sides) > 1 or listed) and joined:
            held = ", ".join(kinds)
            held = held if all(map(_KINDS.fullmatch, kinds)) else f"({held})"
            meant = (
                [*sides[:at], *hands_meant, *sides[at + 1 :]] for hands_meant in (kinds, [held])
            )
            choices = tuple(_rephrase(sides_meant, question) for sides_meant in meant)
            raise UnclearText(_in_capitals(side.replace(_EITHER, "or")), choices)
    if question.slashes and all(map(_KINDS.fullmatch, sides)):
        choices = tuple(
            _rephrase(sides_meant, question) for sides_meant in (sides, [", ".join(sides)])
        )
        raise UnclearText("/".join(map(_in_capitals, sides)), choices)


def _check_dash(question: _Question) -> None:
    """Raise `UnclearHands` for a lone "AA - KK", which may be two players or a span of a range.

    If it can only be two players, as in "AK - QQ", split the side.
    """
    match = _SPACED_DASH.fullmatch(question.sides[0]) if len(question.sides) == 1 else None
    if match is None or question.one_each:
        return
    hands = [match[1], match[2]]
    try:
        Range.parse("-".join(hands))
    except TextError:
        question.sides, question.names = hands, [*question.names, ""]
        return
    choices = tuple(_rephrase(sides, question) for sides in (hands, ["-".join(hands)]))
    raise UnclearHands(question.sides[0], choices, _in_capitals(question.sides[0]))


def _check_apart(question: _Question, opponents: int) -> None:
    """Raise `UnclearText` if one hand may be two hands of another game: "AhKdQQ", "Ah Kd Qs Qh"."""
    sides = question.sides
    one_card_each = question.one_each and len(sides) > 1 and all(map(_IS_CARD.fullmatch, sides))
    if one_card_each:
        sides = [" ".join(sides)]
    if len(sides) != 1 or opponents or question.players is not None:
        return
    cards = sides[0].split()
    glued = _GLUED.fullmatch(sides[0])
    if len(cards) > 1 and all(map(_IS_CARD.fullmatch, cards)):
        if len(cards) == 4:
            halves = "".join(cards[:2]), "".join(cards[2:])
        elif one_card_each:
            apart = _rephrase(cards, question)
            raise UnclearText(
                _in_capitals(sides[0]), (_rephrase(["".join(cards)], question), apart)
            )
        else:
            return
    elif glued is not None and _looks_like_two(glued[1], glued[2]):
        halves = glued[1], glued[2]
    else:
        return
    whole = _rephrase(["".join(cards)], question)
    raise UnclearText(_in_capitals(sides[0]), (_rephrase(halves, question), f"omaha {whole}"))


def _looks_like_two(first: str, second: str) -> bool:
    """Return whether adjacent texts look like two hands, not one of four cards or ranks."""
    known = [_TWO_CARDS.fullmatch(half) is not None for half in (first, second)]
    kinds = (
        first[0] == first[1] or second[0] == second[1] or first[-1] in "so" or second[-1] in "so"
    )
    return any(known) != all(known) or (not any(known) and kinds)


def _check_pairs(texts: Sequence[str]) -> None:
    """Raise `UnclearText` for a lone "10s" or "Ks", which may be a pair or a spade."""
    for at, text in enumerate(texts):
        match = _SEVERAL.search(text)
        if match is None:
            continue
        rank = match[1].upper().replace("10", "T")
        readings = [
            text[: match.start(1)] + reading + text[match.end() :]
            for reading in (2 * rank, f"{rank}♠")
        ]
        texts_each = ([*texts[:at], reading, *texts[at + 1 :]] for reading in readings)
        raise UnclearText(
            text, tuple(" vs ".join(reading or "random" for reading in t) for t in texts_each)
        )


def _check_bars(texts: Sequence[str]) -> None:
    """Raise `UnclearHands` for "Ah|Kd": a hand, or two players with one known card each."""
    sides = [side.strip() for text in texts if "|" in text for side in _VS.split(text)]
    barred = next(filter(_BARRED.fullmatch, sides), None)
    if barred is not None:
        one_text = any(map(_VS.search, texts))
        text = (" " if one_text else " vs ").join(
            side_text.strip() or "random" for side_text in texts
        )
        choices = tuple(_BARRED.sub(reading, text) for reading in (_as_a_hand, _as_players))
        raise UnclearHands(text, choices, barred)


def _as_a_hand(barred: re.Match[str]) -> str:
    return "".join(_BAR.split(barred[0]))


def _as_players(barred: re.Match[str]) -> str:
    """Return matched text such as "Ah|Kd" with a side for each card: "Ah vs Kd".

    A spade gets the symbol ♠, so that "Ts" isn't read as two tens.
    """
    return " vs ".join(re.sub("[sS]$", "♠", card) for card in _BAR.split(barred[0]))


def _check_emoji(texts: Sequence[str]) -> None:
    """Raise `TextError` if a side has only emoji."""
    for text in texts:
        match = None if text.isascii() else _EMOJI_ALONE.search(text)
        if match is not None:
            reason = Reason('"{text}" is neither cards nor a range', text=match[1].strip())
            raise TextError(text, reason, '"AhKd vs random"')


def _check_climbing(question: _Question) -> None:
    """Raise `UnclearHands` for a term like "54s+": one hand, or all hands up to AKs.

    Tools differ in how they read it.
    """
    terms = [term for side in question.sides for term in climbing_terms(side)]
    if terms:
        choices = tuple(
            _rephrase([without_climbing(side, climbs=climbs) for side in question.sides], question)
            for climbs in (False, True)
        )
        raise UnclearHands(" vs ".join(question.sides), choices, written(terms[0]))


def _as_written(name: str, texts: Sequence[str]) -> str:
    """Return a lower-case name as it was typed in `texts`; unchanged if it isn't found."""
    text, word = unicodedata.normalize("NFKC", " ".join(texts)), re.escape(name)
    whole = re.search(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE)
    match = whole or re.search(word, text, re.IGNORECASE)
    return name if match is None else match[0]


def _unless_number(name: str, seat: int) -> str:
    """Return the name, or "" if it only repeats the player's number, as "P2" does for seat 2."""
    number = _NUMBERED.fullmatch(name)
    return "" if number is not None and int(number[1]) == seat else name


def _check_board_named(question: _Question, board: str, private: int) -> None:
    """Raise `UnclearBoard` for cards that can only be the board: "AhKd vs QQ, 9c 8d 7s".

    `private` is the number of hole cards.
    """
    if board or not question.sides:
        return
    *others, last = question.sides
    partly = _HAND_AND_RANKS.fullmatch(last) if private == 2 else None
    if partly and all(map(_is_of_two, [*others, partly[1]])):
        flop = partly[2].upper().replace("X", "x") + partly[3]
        raise UnclearBoard(last, (_rephrase([*others, partly[1]], question, flop),), flop)
    match = (
        _ONLY_BOARD.fullmatch(last)
        if len(others) > 1 and len(re.findall(CARD, last)) != private
        else None
    )
    cards = "" if match is None else last
    for hands, behind in _with_cards_behind(last):
        fits = private == 2 or len(re.findall(CARD, behind)) < private  # else too many hole cards?
        together = bool(others) or len(hands) > 1 or (" " not in hands[0] and fits)
        if together and all(_is_hand(hand, private) for hand in hands):
            others, cards = [*others, *hands], behind
            break
    if cards and all(_is_hand(side, private) for side in others):
        cards = " ".join(map(_in_capitals, re.findall(CARD, cards)))
        raise UnclearBoard(last, (_rephrase(others, question, cards),), cards)


def _with_cards_behind(side: str) -> Iterator[tuple[list[str], str]]:
    """Yield ways to split a side into hands and three to five cards behind them.

    First by commas or by spaces, where each hand and all the cards stand together; then anywhere.
    """
    if len(_IS_CARD.findall(side)) < _FLOP:
        return
    for between in (r"\s*[,;]\s*", r"[\s,;]+"):
        *hands, cards = re.split(between, side)
        if hands and _ONLY_BOARD.fullmatch(cards):
            yield hands, cards
    for number in (3, 4, 5):
        match = re.fullmatch(rf"(.+?)[\s,;(]+((?:{CARD}[\s,]*){{{number}}})\)?", side)
        if match is not None and not re.fullmatch(rf"(?:{CARD}{CARD}[\s,]*)+", match[2]):
            yield [match[1].strip(" ,;(")], match[2]


def _check_suits_behind(question: _Question) -> None:
    """Raise `UnclearHands` for "AKss": both cards of spades, or a hand of Omaha with two spades.

    Nothing is unclear if another side has more than two cards.
    """
    sides = question.sides
    unclear = [_OF_SPADES.fullmatch(side) for side in sides]
    if not any(unclear) or not all(
        match or _is_of_two(side) for match, side in zip(unclear, sides, strict=True)
    ):
        return
    of_two = [
        side if match is None else f"{match[1]}{match[3]}{match[2]}s"
        for match, side in zip(unclear, sides, strict=True)
    ]
    of_four = [
        side if match is None else written(side) for match, side in zip(unclear, sides, strict=True)
    ]
    choices = _rephrase(of_two, question), f"omaha {_rephrase(of_four, question)}"
    typed = next(match[0] for match in unclear if match)
    raise UnclearHands(" vs ".join(sides), choices, written(typed))


def _is_hand(side: str, private: int) -> bool:
    """Return whether a side is a whole hand of `private` cards, or unknown cards or a range."""
    if private == 2:
        return _is_of_two(side)
    if _UNKNOWN.fullmatch(side):
        return True
    cards = len(re.findall(CARD, side)) if _CARDS_ONLY.fullmatch(re.sub(r"[\s,]", "", side)) else 0
    return cards == private or (not cards and count_named_cards(side) is not None)


def _is_of_two(side: str) -> bool:
    """Return whether a side is two cards, unknown cards, or a range of hands of two cards."""
    if _UNKNOWN.fullmatch(side) or re.fullmatch(rf"{CARD}[\s,]*{CARD}", side):
        return True
    try:
        return looks_like_range(side) and bool(Range.parse(side))
    except UnclearText:  # a later check asks which of two ranges is meant
        return True
    except TextError:
        return False


def _rephrase(sides: Sequence[str], question: _Question, board: str = "") -> str:
    """Return the question in words with these sides; add `board` if the question names no board."""
    text = f"{question.game} " if question.game else ""
    names = question.names if len(question.names) == len(sides) else [""] * len(sides)
    text += " vs ".join(
        f"{name}: {_in_capitals(side)}" if name else _in_capitals(side)
        for name, side in zip(names, sides, strict=True)
    )
    for name, cards in (("board", question.board or board), ("dead", question.dead)):
        text += f", {name} {_in_capitals(cards.strip(' ,;.'))}" if cards.strip(" ,;.") else ""
    return text + (f", {question.players} players" if question.players is not None else "")


def _side_by_side(side: str, rules: ShowdownRules) -> list[str]:
    """Return whole hands separated only by spaces or "and", as in "AK QQ"; else [].

    Raises `UnclearText` for three or more hands separated by spaces, which may also be one player's
    range.
    """
    joined = _AND.split(side)
    words = joined if len(joined) > 1 else side.split()
    if any(word.endswith((",", ";")) for word in words):
        return []
    hands = len(words) > 1 and all(
        is_hands(word, rules) or (rules.private == 2 and _TWO_RANKS.fullmatch(word))
        for word in words
    )
    if not hands or not _apart([word for word in words if is_hands(word, rules)]):
        return []
    if len(words) > 2 and words is not joined:
        capitals = list(map(_in_capitals, words))
        held = ", ".join(capitals)
        if any(is_hands(word, rules) for word in words):  # otherwise a comma separates players
            held = f"({held})"
        raise UnclearText(" ".join(capitals), (" vs ".join(capitals), held))
    return words


def _in_capitals(text: str) -> str:
    """Return cards and ranges as people write them, ranks in capitals: "AhKd", "AKs, QQ+"."""
    return re.sub(
        r"[^\s,;()]+",
        lambda word: written(word[0]) if _CARDS_OR_TERM.fullmatch(word[0]) else word[0],
        text,
    )


def _players(side: str, rules: ShowdownRules) -> list[str]:
    """Return the players in a side, which is the text between two words for "against"."""
    unknown = _unknown_players(side)
    if unknown:
        return unknown
    if side.startswith("(") and side.endswith(")"):
        return [side]
    side = _RANDOM_BEHIND.sub(r"\1, ", side)
    pieces = [piece.strip() for piece in re.split(r"[,;]| and | & ", side) if piece.strip()]
    unknown = [piece for piece in pieces if _unknown_players(piece)]
    if unknown and not any(piece.startswith("!") for piece in pieces):  # a random hand in a list
        if len(pieces) > len(unknown) + 1:
            raise TextError(side, Reason("put vs between the players"), QUESTION_EXAMPLE)
        return [player for piece in pieces for player in _players(piece, rules)]
    pieces = [_join_cards(piece, rules.private) for piece in pieces]
    if len(pieces) > 1 and all(is_hands(piece, rules) for piece in pieces):
        # They are two players, unless they share a card: then it is a choice of hands.
        return pieces if _apart(pieces) else [side]
    if len(pieces) > 1 and all(len(re.findall(CARD, piece)) >= _FACE_UP for piece in pieces):
        return pieces  # "AsAhKd, QsQhJd" in stud
    if looks_like_range(side, rules):
        # Cards next to a range: one player's range, or two players? A comma means two.
        mixed = any(is_hands(word, rules) for word in re.split(r"[,;\s]+", side) if word)
        if not mixed or is_hands(side, rules) or _is_weighed(side):
            return [side]
        if len(pieces) == 1 and not _is_understood(side.replace(":", " ")):
            return [side]  # parsing it later reports the word that is neither cards nor a range
        if len(pieces) == 1:
            raise TextError(side, Reason("put vs between the players"), QUESTION_EXAMPLE)
        return [player for piece in pieces for player in _players(piece, rules)]
    cards = len(re.findall(r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]|[*★]", side))
    if len(pieces) > 1 and cards > rules.private:
        words = side.split()
        if all(len(re.findall(CARD, word)) == rules.private for word in words):
            return [player for word in words for player in _players(word, rules)]
        if rules.private > 1 and any(map(_IS_CARD.fullmatch, pieces)):
            raise TextError(side, Reason("put vs between the players"), QUESTION_EXAMPLE)
        return [player for piece in pieces for player in _players(piece, rules)]
    return [_ARTICLE.sub("", side.replace(" and ", " ").replace("&", " ").rstrip("?"))]


def _join_cards(piece: str, private: int) -> str:
    """Return a whole hand of `private` cards without spaces between them; other texts stay."""
    cards = piece.split()
    whole = len(cards) == private and all(map(_IS_CARD.fullmatch, cards))
    return "".join(cards) if whole else piece


def _unknown_players(side: str) -> list[str]:
    """Return a "" for each unknown player that `side` means ("2 random"), or an empty list."""
    match = _UNKNOWN.fullmatch(side.rstrip("."))
    return [""] * number_of(match["many"] or match["opponents"] or "one") if match else []


def _apart(hands: list[str]) -> bool:
    """Return whether no card is in more than one of the hands."""
    cards = [Cards.parse(hand) for hand in hands]
    return all(first.isdisjoint(second) for first, second in combinations(cards, 2))


def _is_weighed(side: str) -> bool:
    """Return whether the text has a weight or an exclusion, which only a range can have."""
    return "@" in side or re.search(r"(?:^|[\s,;])!", side) is not None

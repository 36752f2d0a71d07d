"""A showdown asked in words: "AhKd vs QQ, board 9c", "omaha AsAhKsKh v 2 random on 3d 4d 5d".

The one reader for the command line, Discord and the library. Forgiving about case, punctuation,
order and the words between; strict about cards. What is not understood is said in one sentence,
never guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile, zip_longest
from typing import Final

from engine.card_words import in_letters
from engine.cards import Cards, Rank, cards_in_order, rank_bits
from engine.errors import (
    Reason,
    TextError,
    UnclearBoard,
    UnclearGame,
    UnclearHands,
    UnclearText,
)
from engine.lexicon import ENGLISH_LEXICON
from engine.odds.showdown.games import GAMES, PRESETS, ShowdownRules
from engine.odds.showdown.omaha_terms import cards_named
from engine.odds.showdown.range_terms import (
    climbing_terms,
    is_of_two,
    without_climbing,
    written,
)
from engine.odds.showdown.ranges import Range, is_hands, looks_like_range
from engine.odds.showdown.said import (
    BOARD_WORD,
    CARD,
    DEAD_WORD,
    NAME_LETTERS,
    name_behind,
)
from engine.odds.showdown.scenario import Scenario, parse_scenario
from engine.odds.showdown.spelling import check_clear, has_words, spelled

WILD: Final = "wild"
"""The text of the error for a question that does not say clearly which cards are wild."""
QUESTION_EXAMPLE: Final = '"AhKd vs QQ, board 9c 8d 7s"'
_SAYS: Final = r"(?: (?:is|are|of|comes?|came|was|were|has|have|had|shows?|reads?))?"
_BOARD: Final = (
    rf"(?:(?:and )?(?:on|with|in) )?(?:the |an? )?(?:(?P<flop>flop(?:s|ped)?)|{BOARD_WORD})"
    rf"(?: cards?)?{_SAYS}|(?:on )?(?:the )?table(?=(?: is| has)?\s*:|{_SAYS} {CARD})"
    r"|on(?: the| an?)?"
)
_DEAD: Final = rf"(?:the )?{DEAD_WORD}(?: cards?| hands?)?{_SAYS}"
_AGAINST: Final = rf"vs{NAME_LETTERS}*\.?|versus|v\.?|against|or"
_KEYWORD: Final = re.compile(
    rf"(?<![\w'])(?:(?P<board>{_BOARD})|(?P<dead>{_DEAD})|(?P<hand>{_AGAINST}))(?!\w)\s*:?|(?P<bar>[|/\n])"
)
_CARDS: Final = rf"(?:{CARD}[\s,]*)"
# "AhKd - QQ", "@ 9c8d7s", "(dead 2c)"
_DASH: Final = re.compile(rf"((?:{CARD}\s?){{2}})\s+-\s+")
_AT_BOARD: Final = re.compile(rf"@\s*(?={_CARDS}{{3,5}}(?:$|[;|]))")
_ASIDE: Final = re.compile(rf"\(\s*((?:{_BOARD}|{_DEAD})(?!\w)[^()]*)\)")
_IN_SEMICOLONS: Final = re.compile(rf"{CARD}(?:,\s*{CARD})+(?:\s*;\s*{CARD}(?:,\s*{CARD})*)+")
_MARKS: Final = re.compile(r"(?<=[\w)%+*-])[?!]+(?=\s|$)|\s!+(?=\s|$)")
# quotation marks and emoji, what names are hidden in, and a message's bold letters
_DECORATION: Final = re.compile('["`“”„«»\U0001f300-\U0001faff\U000f0000-\U000fffff]')
_EMOJI_ALONE: Final = re.compile(
    "(?:^|(?<!\\w)(?:vs\\.?|versus|v\\.?|against)\\s)\\s*"
    "((?:[\U0001f300-\U0001faff][\ufe0f\u200d\\s]*)+)"
    "(?=$|[,;|/]|(?:vs|versus|v|against)(?!\\w))",
    re.IGNORECASE,
)
# "Ah|Kd": one hand, or two players of whom a card is known
_BAR: Final = re.compile(r"\s*\|\s*")
_BARRED: Final = re.compile(
    r"(?<!\w)(?:10|[2-9tjqka])[cdhs♣♦♥♠](?:\s*\|\s*(?:10|[2-9tjqka])[cdhs♣♦♥♠])+(?!\w)",
    re.IGNORECASE,
)
# without these letters a text names no game, and the names need not be loaded
_MAY_NAME_GAME: Final = re.compile(
    r"[befgilmnpru]|o[/-]?8|6\+|2-?7|a-?5|7[ -]?cs|5[ -]?cd", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"(?:p|player |seat |hand )(\d+)", re.IGNORECASE)
_VS: Final = re.compile(r"(?<!\w)(?:vs\.?|versus|v\.?|against)(?!\w)", re.IGNORECASE)
_WRAPPED: Final = re.compile(r"(?<![\w*])(?:\*\*|__)(\S[^*_]*)(?:\*\*|__)(?![\w*])")
_COUNTED: Final = r"one|two|three|four|five|six|seven|eight|nine"
_UNKNOWN: Final = re.compile(
    rf"(?:(?P<many>\d{{1,2}}|an?|{_COUNTED})\s+)?"
    r"(?:random|unknown|other|any|\?+)(?:\s+(?:hands?|players?|opponents?|cards?|one))?s?"
    rf"|(?P<opponents>\d{{1,2}}|{_COUNTED}|an?)\s+"
    r"(?:opponents?|players?|others?|villains?|callers?)|x{2,5}"
)
# "AsKs, 7 opponents" and "AsKs and 2 random hands" say vs without the word
_OPPONENTS: Final = re.compile(
    rf"[\s,;]+(?:(?:with|and|plus)\s+)?((?:\d{{1,2}}|{_COUNTED})\s+"
    r"(?:opponents?|others?|villains?|callers?|(?:random|unknown|other)(?:\s+(?:hands?|players?|opponents?))?))(?!\w)"
)
# "24 players" are all of them; "vs 3 players" are the others
_AT_TABLE: Final = re.compile(
    rf"(?<!\w)(?:(?P<against>{_AGAINST})\s+)?(?:(?:with|of)\s+)?(?P<many>\d{{1,3}}|{_COUNTED})"
    r"(?:\s+players?|[\s-]*(?:handed|way|max))(?: in all)?(?!\w)\s*:?"
    r"|(?<!\w)(?P<two>heads[ -]?up|hu)(?!\w)"
)
_TABLE_WORD: Final = re.compile(r"opponents?|players?|others?|handed")
_MANY: Final = re.compile(rf"[2-9]|{_COUNTED}")  # against how many, in "vs 3"; "22" is a pair
_KINDS: Final = re.compile(r"(?:10|[2-9tjqka]){2}[so]?[+-]?")
_IS_CARD: Final = re.compile(CARD)
_TWO_CARDS: Final = re.compile(rf"{CARD}{CARD}")
_ONLY_BOARD: Final = re.compile(rf"{_CARDS}{{3,5}}")
_HALF: Final = rf"({CARD}{CARD}|(?:10|[2-9tjqka]){{2}}[so]?)"
_GLUED: Final = re.compile(rf"{_HALF}{_HALF}")
_CARDS_OR_TERM: Final = re.compile(rf"(?:{CARD}|[*]|[2-9tjqkax]{{2}}[so]?)+(?:[-+@!:].*)?")
# alone at the side of a question, as it was typed
_SEVERAL: Final = re.compile(
    rf"(?:^|(?<!\w)(?:{_AGAINST})\s)\s*(10|[2-9tjqka])s"
    r"(?=\s*$|[\s,;]+(?:vs|versus|v|against|board|flop|on|dead)(?!\w))",
    re.IGNORECASE,
)
_TWO_RANKS: Final = re.compile(r"(?:10|[2-9tjqka]){2}[so]?")
_EITHER: Final = "∨"  # "or" beside a "vs"
_OR: Final = re.compile(r"\s+or\s+")
_JOINED: Final = re.compile(rf"\s*,\s*(?:and\s+)?|\s+(?:and|{_EITHER})\s+|\s*&\s*")
_AND_BEHIND: Final = re.compile(r"\s+(?:and|but|while)$")
_AND: Final = re.compile(r"\s+and\s+|\s*&\s*")
_NUMBERS: Final = {"a": 1, "an": 1} | {
    word: number for number, word in enumerate(_COUNTED.split("|"), start=1)
}
_LONGEST: Final = 1000  # characters of a question in words
# What is wild is a clause of its own, or words between the hands and the end: "deuces wild, ...",
# "(wild cards: 2c 2d)", "... with deuces and two jokers wild". Pairs are other languages' words.
_RANKS: Final = {said: rank for said, rank in ENGLISH_LEXICON.several.items() if len(said) > 3}
_NAMED: Final = {"one-eyed jacks": "Jh Js", "suicide king": "Kh"}
_PAIRS: Final = {rank.char.lower() * 2: rank for rank in Rank}
_JOKERS: Final = rf"(?:(?:\d{{1,2}}|{_COUNTED})\s+)?jokers?|\*(?:\s*\*)+"
_LETTERED: Final = re.compile(rf"\*|(?<!\w)(?:{'|'.join(_PAIRS)})(?!\w)", re.IGNORECASE)
_WILD_ONE: Final = rf"(?:(?:the|all)\s+)?(?:{'|'.join((*_NAMED, *_RANKS, *_PAIRS, _JOKERS))})"
_WILD_ONES: Final = rf"{_WILD_ONE}(?:(?:\s+and\s+|\s*&\s*){_WILD_ONE})*"
_WILD_CARD: Final = r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]"
_WILD_CARDS: Final = rf"{_WILD_CARD}(?:(?:\s+and|,)?\s*{_WILD_CARD})*"
# how else it is said: "two wild jokers", "the deuce is wild"
_JOKERS_BEHIND: Final = re.compile(
    rf"(?<!\w)(\d{{1,2}}|{_COUNTED})\s+wild\s+(jokers?)(?!\w)", re.IGNORECASE
)
_ONE_RANK: Final = "|".join(re.sub("(?<=x)es$|s$", "", said) for said in _RANKS)
_THE_ONE: Final = re.compile(rf"(?<!\w)the\s+({_ONE_RANK})\s+is\s+wild(?!\w)", re.IGNORECASE)
_WILD: Final = re.compile(
    r"(?P<lead>^|[,;(\[\n]|(?<=\S)\s)\s*(?:(?:and|with)\s+)?"
    rf"(?:(?P<ones>{_WILD_ONES})\s+(?:(?:are|is)\s+)?wild(?:\s+cards?)?"
    rf"|wild\s*(?:cards?)?(?:\s+(?:are|is))?\s*:?\s*(?P<behind>{_WILD_ONES})"
    rf"|wild\s*(?:cards?(?:\s+(?:are|is))?\s*:?|:)\s*(?P<cards>{_WILD_CARDS}))"
    rf"\s*(?P<end>$|[,;:.)\]\n]|(?(cards)(?!)|(?={CARD})))",
    re.IGNORECASE,
)
_WILD_WORD: Final = re.compile(r"(?<![a-z])wild", re.IGNORECASE)
_HAND_AMONG: Final = re.compile(rf"[,\s]{_WILD_CARD}{_WILD_CARD}", re.IGNORECASE)
_ONE_CARD: Final = re.compile(rf"{_WILD_CARD}(?!{_WILD_CARD})", re.IGNORECASE)
_LISTED: Final = re.compile(_WILD_ONES, re.IGNORECASE)
# behind which words may say what is wild without a comma: cards, a term of a range, a game
_HELD: Final = re.compile(
    rf"(?:{CARD})+|(?:10|[2-9tjqka]){{2}}[so]?[+-]?|\d+%|random|{'|'.join(_RANKS)}"
    r"|\S*(?:em|draw|stud|razz|deck|badugi)|(?:omaha|plo)\d*",
    re.IGNORECASE,
)
# how a game that nobody names is told by the cards in a hand
_CARDS_ONLY: Final = re.compile(rf"(?:{CARD}|[*★])+")
_CARD: Final = re.compile(rf"{CARD}|[*★]")
_SUIT_LETTERS: Final = re.compile("[xyzw].*[xyzw]")  # a single one may be a slip, "AKz"
_OF_CARDS: Final = {0: "holdem", 1: "holdem", 2: "holdem", 4: "omaha", 5: "draw"}
_WITH_BOARD: Final = {3: "holdem", 5: "omaha5", 6: "omaha6"}
_UNCLEAR: Final = {3: ("stud", "omaha"), 6: ("stud", "omaha6")}
_FLOP: Final = 3


def _unchanged(rules: ShowdownRules) -> ShowdownRules:
    return rules


@dataclass(slots=True)
class _Heard:
    """What a question says: the text of each side, of the board and of the dead cards.

    `names` are those of the players of the sides, empty where none is said. `one_each`: every side
    was a text by itself; `slashes`: nothing but slashes parts them; `game` is the key of the game
    that is named.
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
    change: Callable[[ShowdownRules], ShowdownRules] = _unchanged,
) -> Scenario:
    """The scenario that is asked about, in words or with a text for each player.

    `game` is a game's key or another of its names, or rules; None takes the game named in the
    text, else the one that has so many cards in a hand, changed by `change`. `board` and `dead` are
    added to what the text says of them, and `opponents` players of unknown cards to its players,
    and what it says is wild to the rules; a single player alone gets one opponent, but not where
    rules are given. Raises `TextError`.
    """
    texts = [hands] if isinstance(hands, str) else list(hands)
    tame, wild, jokers = _wild_among(texts)
    if wild or jokers:

        def wilder(rules: ShowdownRules) -> ShowdownRules:
            return replace(rules, wild=rules.wild | wild, jokers=max(rules.jokers, jokers))

        game = wilder(game) if isinstance(game, ShowdownRules) else game
        left = tame[0] if isinstance(hands, str) else tame
        try:
            return parse_question(
                left, game, board, dead, opponents, lambda rules: wilder(change(rules))
            )
        except UnclearText as error:
            also = f", wild cards: {wild}" if wild else ""
            also += f", wild: {jokers} jokers" if jokers else ""
            error.choices = tuple(one + also for one in error.choices)
            raise
    _check_bars(texts)
    in_words = len(texts) > 1 and any(map(_is_in_words, texts))
    if in_words:
        texts = [" ".join(texts)]
    for text in texts:
        check_clear(text)
    _check_emoji(texts)
    if isinstance(game, str) and game not in PRESETS:
        game = _chosen(game)
    named, untold = _without_game(texts, game)
    plain = [_said_plainly(text.lower()) for text in untold]
    heard = _heard(plain, isinstance(hands, str) or in_words)
    heard.names = [_as_written(name, texts) for name in heard.names]
    shown, gone = (
        _AND.sub(" ", _plain(" ".join(said))).strip(" ,;.?")
        for said in ((board, heard.board), (dead, heard.dead))
    )
    key = game or named
    heard.game = named
    _check_joined(heard)
    if key is None:
        _check_apart(heard, opponents)
        _check_board_named(heard, shown)
        key = _told_by_cards(heard, shown, " vs ".join(text or "random" for text in texts))
    if not 0 <= opponents <= 22:
        reason = Reason("expected 0 to 22 opponents, got {given}", given=opponents)
        raise TextError(str(opponents), reason, '"2"')
    rules = change(PRESETS[key]) if isinstance(key, str) else key
    if rules.private == 2:
        _check_board_named(heard, shown)
        _check_pairs(texts)
        _check_climbing(heard)
    players, names = _seated(heard, rules)
    names = [_unless_number(name, seat) for seat, name in enumerate(names, start=1)]
    players += [""] * opponents
    if not players:
        raise TextError(
            " ".join(texts), Reason("expected at least one player's cards"), QUESTION_EXAMPLE
        )
    if heard.players is not None:
        players = _filled(players, heard.players)
    elif len(players) == 1 and isinstance(key, str):
        players.append("")
    if isinstance(key, str):
        _check_flop(shown, heard.says_flop, rules, GAMES[key].name)
    names += [""] * (len(players) - len(names))
    try:
        return parse_scenario(players, shown, gone, rules, names if any(names) else ())
    except TextError as error:
        said = _as_typed(error.reason, " ".join(texts))
        raise TextError(error.text, said, error.example) from None


def game_named(text: str) -> str | None:
    """The key of the game that a question names; None for none."""
    try:
        return _without_game([text], None)[0]
    except TextError:
        return None


def game_asked(text: str, board: str = "") -> str | None:
    """The key of the game that a question names or that its cards tell; None where unclear."""
    key = game_named(text)
    if key is not None:
        return key
    try:
        (plain,), *_ = _wild_among([_lower(text)])
        return _told_by_cards(_heard([_said_plainly(plain)], True), _plain(board), text)
    except TextError:
        return None


def _without_game(
    texts: Sequence[str], game: str | ShowdownRules | None
) -> tuple[str | None, list[str]]:
    """The key of the game that texts name, and the texts without its name.

    Raises `TextError` where it is not that `game`, may be several, or cannot be counted here.
    """
    texts = [unicodedata.normalize("NFKC", text) for text in texts]
    if not any(map(_MAY_NAME_GAME.search, texts)):
        return None, texts
    from engine.odds.showdown.game_words import named_game

    named = named_game(texts)
    named.check(game)
    return named.key, named.texts


def _chosen(game: str) -> str:
    """The key of the game that was chosen by any of its names. Raises `TextError`."""
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


def _told_by_cards(heard: _Heard, board: str, text: str) -> str:
    known = [side for side in heard.sides if not _UNKNOWN.fullmatch(side)]
    return _which_game(known, board, text)


def _which_game(players: Sequence[str], board: str, text: str) -> str:
    """The key of the game of these players' cards and ranges, all spelled in the one way.

    Raises `UnclearGame` with the names of games before `text`, the question as it was asked.
    """
    of_cards, of_ranges = 0, 0
    for said in players:
        cards, ranged = _cards_of(said)
        of_cards, of_ranges = max(of_cards, cards), max(of_ranges, ranged)
    public = bool(_CARD.search(board))
    if of_ranges > 2:
        return "omaha5" if max(of_cards, of_ranges) > 4 else "omaha"
    if (public or of_ranges) and of_cards in _WITH_BOARD:
        return _WITH_BOARD[of_cards]
    if of_cards in _UNCLEAR and all(map(_is_understood, players)):
        choices = tuple(f"{game} {text}" for game in _UNCLEAR[of_cards])
        raise UnclearGame(text, choices, of_cards)
    return _OF_CARDS.get(of_cards, "holdem" if of_cards in _UNCLEAR else "stud")


def _is_understood(said: str) -> bool:
    """Whether every word is cards or a term of a range: else a word is to be complained about."""
    words = re.split(r"[\s,;()&]+|\band\b", said)
    return all(_CARDS_ONLY.fullmatch(word) or _cards_in_term(word) for word in words if word)


def _cards_of(said: str) -> tuple[int, int]:
    """How many cards one player's hand has, and how many the hands of a range have; 0: none.

    What several players hold who are joined by commas or "and" alone is taken for one text.
    """
    sizes, ranged = [0], 0
    for piece in re.split(r"[,;()]+|\band\b|&", said):
        words = piece.split()
        counts = [len(_CARD.findall(word)) for word in words if _CARDS_ONLY.fullmatch(word)]
        if counts:
            sizes.append(max(counts) if min(counts) > 1 else sum(counts))
        terms = [atom for word in words for atom in re.split(r"[:!]", word.partition("@")[0])]
        ranged = max([ranged, *map(_cards_in_term, filter(None, terms))])
    return max(sizes) if max(sizes) > 1 else sum(sizes), ranged


def _cards_in_term(term: str) -> int:
    """How many cards the hands of one term of a range have, as far as it tells."""
    if _CARDS_ONLY.fullmatch(term):
        return 0
    if is_of_two(term):
        return 2
    named = cards_named(term)
    if named is None or (named < 4 and not _SUIT_LETTERS.search(term)):
        return 0
    return max(named, 4)


def _as_typed(reason: str, text: str) -> str:
    """What the reason quotes, in the capitals in which it was typed."""
    if not isinstance(reason, Reason):
        return reason
    typed = dict(reason.facts)
    for name, fact in reason.facts.items():
        at = text.lower().find(fact) if isinstance(fact, str) else -1
        if at >= 0 and f'"{{{name}}}"' in reason.template:
            typed[name] = text[at : at + len(str(fact))]
    return Reason(reason.template, **typed)


def _lower(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _plain(text: str) -> str:
    """Cards in letters, spelled in the one way."""
    return spelled(in_letters(text))


def _is_in_words(text: str) -> bool:
    """Whether a text is a part of a question in words, and no player by itself."""
    plain = _said_plainly(_lower(text))
    return any(
        form is not None
        for form in (
            _KEYWORD.search(plain),
            _AT_TABLE.fullmatch(plain),
            _TABLE_WORD.fullmatch(plain),
        )
    )


def _said_plainly(text: str) -> str:
    """A question without names of players and words that say nothing."""
    plain = _MARKS.sub("", _plain(_WRAPPED.sub(r"\1", _DECORATION.sub(" ", text))))
    if has_words(plain) or ":" in plain:
        from engine.odds.showdown.hand_words import question_alone

        plain = question_alone(plain)
    plain = _AT_BOARD.sub(" board ", _ASIDE.sub(r" \1 ", plain))
    if _IN_SEMICOLONS.fullmatch(plain.strip()):
        plain = plain.replace(";", " vs ")
    return _DASH.sub(r"\1 vs ", plain)


def _wild_among(texts: list[str]) -> tuple[list[str], Cards, int]:
    """The texts without what they say is wild: these cards, and so many jokers.

    Raises `TextError` where that is not a clause of its own: "deuces" alone are a pair.
    """
    wild, jokers, left = Cards(), 0, []
    for text in texts:
        if len(text) > _LONGEST or _WILD_WORD.search(text) is None:
            left.append(text)
            continue
        rest = _JOKERS_BEHIND.sub(r"\1 \2 wild", _WRAPPED.sub(r"\1", text))
        rest = _THE_ONE.sub(lambda found: re.sub("x$", "xe", found[1]) + "s wild", rest)
        while (found := _WILD.search(rest)) is not None:
            before, after = rest[: found.start()], rest[found.end() :]
            _check_alone(before, found, after)
            for said in re.split(r"\s+and\s+|&", (found["ones"] or found["behind"] or "").lower()):
                one = re.sub(r"^(?:the|all)\s+", "", said.strip())
                rank = _RANKS.get(one, _PAIRS.get(one))
                wild |= Cards() if rank is None else Cards(rank_bits(rank))
                wild |= Cards.parse(_NAMED.get(one, ""))
                jokers += _jokers_in(one)
            wild |= Cards.parse(re.sub(r"and|,", " ", found["cards"] or "", flags=re.IGNORECASE))
            rest = before + ("" if found["lead"].strip() and found["end"] else " ")
            rest += ("" if found["lead"].strip() in ("", "(", "[") else found["end"]) + after
        if _WILD_WORD.search(rest):
            raise _unclear_wild()
        left += [rest.strip()] if rest.strip() else []
    return left or [""], wild, jokers


def _unclear_wild() -> TextError:
    reason = Reason("it isn't clear which cards are wild")
    return TextError(WILD, reason, '"AsAh vs KsKh, deuces wild"')


def _check_alone(before: str, found: re.Match[str], after: str) -> None:
    """Raise `TextError` where what is wild may be part of a hand, or of a longer list."""
    lead, end = found["lead"].strip(), found["end"]
    clause = re.split(r"[,;:.()\[\]\n]", before)[-1].strip()
    if lead == "," and found["ones"] and _LISTED.fullmatch(clause):
        raise _unclear_wild()
    following = re.split(r"[,;:.()\[\]\n]", after)[0].strip()
    if end == "," and not found["ones"] and _LISTED.fullmatch(following):
        raise _unclear_wild()
    if found["cards"] and _HAND_AMONG.search(found["cards"]):  # "wild: 2c, AsAh": wild, or a hand
        raise _unclear_wild()
    if found["cards"] and _ONE_CARD.match(following):  # "wild: 2c, 2d vs AsAh": one more, or a hand
        raise _unclear_wild()
    if not lead and before.strip():  # behind a hand, without a comma
        held = before.split()[-1]
        if not found["ones"] or _LETTERED.search(found["ones"]) or not _HELD.fullmatch(held):
            raise _unclear_wild()


def _jokers_in(one: str) -> int:
    """How many: "jokers" are the two of a pack."""
    if "joker" not in one:
        return one.count("*")
    counted = one.split()[0]
    return _number(counted) if counted[:5] != "joker" else 2 if one == "jokers" else 1


def _heard(texts: list[str], one_text: bool) -> _Heard:
    """The sides of one text in words; of several each is a player."""
    if not one_text and (len(texts) > 1 or texts == [""]):
        return _Heard([text.strip() for text in texts], [""] * len(texts), one_each=True)
    plain = " ".join(texts).strip()
    if len(plain) > _LONGEST:
        reason = Reason("that's too long for one question: {number} characters", number=len(plain))
        raise TextError(plain[:40], reason, QUESTION_EXAMPLE)
    many: list[int] = []

    def at_table(found: re.Match[str]) -> str:
        if found["against"]:
            return found[0]
        many.append(2 if found["two"] else _number(found["many"]))
        return " "

    plain = _OPPONENTS.sub(r" vs \1 ", _AT_TABLE.sub(at_table, plain))
    plain, slashes = _with_slashes(plain)
    parts: dict[str, list[str]] = {"board": [], "dead": [], "hand": []}
    names: list[str] = []  # one for each of the hands
    name, kind, at, says_flop, against = "", "hand", 0, False, False
    found_at = list(_KEYWORD.finditer(plain))
    for found, following in zip_longest(found_at, found_at[1:]):
        if kind == "board" and found["bar"] and _is_street(plain, found, following):
            parts[kind].append(plain[at : found.start()])
            at = found.end()
            continue
        said = plain[at : found.start()]
        begins = kind != "hand" and not any(parts["hand"])
        if begins and (found["hand"] or found["bar"]):
            said, hand = _hand_behind(said, kind, named=bool(name_behind(found["hand"] or "")))
            parts["hand"].append(hand)
            names.append("")
        parts[kind].append(said if kind != "hand" or said.strip(" ,;.") else "")
        names += [name] if kind == "hand" else []
        kind = next(name for name in ("board", "dead", "hand", "bar") if found[name])
        against = kind == "hand"
        name = name_behind(found["hand"]) if against else ""
        kind = "hand" if kind == "bar" else kind
        says_flop |= found["flop"] is not None
        at = found.end()
    parts[kind].append(plain[at:])
    names += [name] if kind == "hand" else []
    if against and _MANY.fullmatch(many_said := parts["hand"][-1].strip(" ,;.")):
        parts["hand"][-1] = f"{many_said} others"
    hands = [_AND_BEHIND.sub("", said.strip(" ,;.")) for said in parts["hand"]]
    named = [(side, name) for side, name in zip(hands, names, strict=True) if side]
    public, gone = (" ".join(parts[name]) for name in ("board", "dead"))
    return _Heard(
        [side for side, _ in named],
        [name for _, name in named],
        public,
        gone,
        many[0] if many else None,
        False,
        says_flop,
        slashes,
    )


def _is_street(plain: str, bar: re.Match[str], following: re.Match[str] | None) -> bool:
    """Whether a bar on the board parts its streets, as in "9c 8d 7s | 2h | 3c"."""
    if following is not None and following["hand"]:
        return False
    end = len(plain) if following is None else following.start()
    return _IS_CARD.fullmatch(plain[bar.end() : end].strip(" ,;.")) is not None


def _with_slashes(plain: str) -> tuple[str, bool]:
    """The text, and whether slashes alone part what it says.

    Beside a "vs" a slash joins what one player may hold, and so does "or".
    """
    words = [found["hand"] or found["bar"] for found in _KEYWORD.finditer(plain)]
    words = [word for word in words if word]
    if any(word != "/" and word != "or" for word in words):
        plain = _OR.sub(f" {_EITHER} ", plain.replace("/", ", "))
    return plain, bool(words) and all(word == "/" for word in words)


def _hand_behind(said: str, kind: str, *, named: bool) -> tuple[str, str]:
    """The board or dead cards and the hand in "9c8d7s, AhKd", which begins a question.

    There may be no hand where the next one is `named`. Raises `TextError`.
    """
    if said.lstrip().startswith(","):  # "Bob folded, AhKd vs QQ"
        return "", said
    words = re.split(r"[\s,;.:]+", said.strip(" ,;.:"))
    cards = list(takewhile(_CARDS_ONLY.fullmatch, words))
    hand = words[len(cards) :]
    if not hand and len(cards) > 1 and not _IS_CARD.fullmatch(cards[-1]):
        hand = [cards.pop()]
    if not hand and named:
        return said, ""
    if not hand or not cards:
        reason = (
            Reason("put the hands before the board")
            if kind == "board"
            else Reason("put the hands before the dead cards")
        )
        raise TextError(said, reason, QUESTION_EXAMPLE)
    return " ".join(cards), " ".join(hand)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word]


def _seated(heard: _Heard, rules: ShowdownRules) -> tuple[list[str], list[str]]:
    """The text of each player, and their names; of several on one side the first is named."""
    if heard.one_each:
        each = [_unknown(side) or [side] for side in heard.sides]
    else:
        together = _side_by_side(heard.sides[0], rules) if len(heard.sides) == 1 else []
        each = [together] if together else [_players(side, rules) for side in heard.sides]
    players, names = [], []
    for of_side, name in zip(each, heard.names, strict=True):
        players += of_side
        names += [name, *[""] * (len(of_side) - 1)]
    return players, names


def _filled(players: list[str], many: int) -> list[str]:
    """The players with unknown ones, so that there are so many. Raises `TextError`."""
    if len(players) > many:
        reason = Reason(
            "{number} players have cards, but you said {most} in total",
            number=len(players),
            most=many,
        )
        raise TextError(str(many), reason, f'"{len(players)} players"')
    return players + [""] * (many - len(players))


def _check_flop(board: str, says_flop: bool, rules: ShowdownRules, game: str) -> None:
    """Refuse a flop of one or two cards; one board card that is not called so may be known."""
    if rules.public <= _FLOP:
        return
    try:
        cards_in_order(board)
    except TextError as error:
        raise TextError(error.text, error.reason, f'"9c 8d 7s" in {game}') from None
    cards = _CARD.findall(board)
    if rules.public > _FLOP and (len(cards) == 2 or (says_flop and len(cards) < _FLOP)):
        names = " ".join(card[:-1].upper() + card[-1] for card in cards)
        reason = (
            Reason("a flop has three cards, got {number} ({cards})", number=len(cards), cards=names)
            if cards
            else Reason("a flop has three cards, got none")
        )
        raise TextError(board, reason, f'"9c 8d 7s" in {game}')


def _check_joined(heard: _Heard) -> None:
    """Ask back what joins hands in a way that may part players: "AK/QQ", "AA vs KK and QQ".

    Raises `UnclearText`.
    """
    sides = heard.sides
    for at, side in enumerate(sides):
        either = f" {_EITHER} " in side
        kinds = _JOINED.split(side)
        if either and not all(_is_of_two(one) or cards_named(one) for one in kinds):
            raise TextError(side, Reason("put vs between the players"), QUESTION_EXAMPLE)
        joined = either or (_AND.search(side) and all(map(_KINDS.fullmatch, kinds)))
        if len(sides) > 1 and joined:
            held = ", ".join(kinds)
            held = held if all(map(_KINDS.fullmatch, kinds)) else f"({held})"
            meant = ([*sides[:at], *said, *sides[at + 1 :]] for said in (kinds, [held]))
            choices = tuple(_asked_again(one, heard) for one in meant)
            raise UnclearText(_in_capitals(side.replace(_EITHER, "or")), choices)
    if heard.slashes and all(map(_KINDS.fullmatch, sides)):
        choices = tuple(_asked_again(one, heard) for one in (sides, [", ".join(sides)]))
        raise UnclearText("/".join(map(_in_capitals, sides)), choices)


def _check_apart(heard: _Heard, opponents: int) -> None:
    """Ask back what may be one hand or two of another game: "AhKdQQ", "Ah Kd Qs Qh".

    Raises `UnclearText`.
    """
    sides = heard.sides
    one_card_each = heard.one_each and len(sides) > 1 and all(map(_IS_CARD.fullmatch, sides))
    if one_card_each:
        sides = [" ".join(sides)]
    if len(sides) != 1 or opponents or heard.players is not None:
        return
    cards = sides[0].split()
    glued = _GLUED.fullmatch(sides[0])
    if len(cards) > 1 and all(map(_IS_CARD.fullmatch, cards)):
        if len(cards) == 4:
            halves = "".join(cards[:2]), "".join(cards[2:])
        elif one_card_each:
            apart = _asked_again(cards, heard)
            raise UnclearText(
                _in_capitals(sides[0]), (_asked_again(["".join(cards)], heard), apart)
            )
        else:
            return
    elif glued is not None and _told_apart(glued[1], glued[2]):
        halves = glued[1], glued[2]
    else:
        return
    whole = _asked_again(["".join(cards)], heard)
    raise UnclearText(_in_capitals(sides[0]), (_asked_again(halves, heard), f"omaha {whole}"))


def _told_apart(first: str, second: str) -> bool:
    """Whether two hands that stand together look like two: not like four cards or four ranks."""
    known = [_TWO_CARDS.fullmatch(half) is not None for half in (first, second)]
    kinds = (
        first[0] == first[1] or second[0] == second[1] or first[-1] in "so" or second[-1] in "so"
    )
    return any(known) != all(known) or (not any(known) and kinds)


def _check_pairs(texts: Sequence[str]) -> None:
    """Ask back a lone "10s" or "Ks", which is two of them or a spade. Raises `UnclearText`."""
    for at, text in enumerate(texts):
        found = _SEVERAL.search(text)
        if found is None:
            continue
        rank = found[1].upper().replace("10", "T")
        said = [
            text[: found.start(1)] + one + text[found.end() :] for one in (2 * rank, f"{rank}♠")
        ]
        texts_each = ([*texts[:at], one, *texts[at + 1 :]] for one in said)
        raise UnclearText(
            text, tuple(" vs ".join(one or "random" for one in t) for t in texts_each)
        )


def _check_bars(texts: Sequence[str]) -> None:
    """Ask back "Ah|Kd", which is a hand, or two players of whom a card is known each.

    Raises `UnclearHands`.
    """
    sides = [side.strip() for text in texts for side in _VS.split(text)]
    barred = next(filter(_BARRED.fullmatch, sides), None)
    if barred is not None:
        one_text = any(map(_VS.search, texts))
        text = (" " if one_text else " vs ").join(one.strip() or "random" for one in texts)
        choices = tuple(_BARRED.sub(said, text) for said in (_as_a_hand, _as_players))
        raise UnclearHands(text, choices, barred)


def _as_a_hand(barred: re.Match[str]) -> str:
    return "".join(_BAR.split(barred[0]))


def _as_players(barred: re.Match[str]) -> str:
    """A card each; that a ten of spades is no two tens, "Ts", is said by its symbol."""
    return " vs ".join(re.sub("[sS]$", "♠", card) for card in _BAR.split(barred[0]))


def _check_emoji(texts: Sequence[str]) -> None:
    """Raise `TextError` where somebody holds nothing but emoji: beside cards they decorate."""
    for text in texts:
        found = _EMOJI_ALONE.search(text)
        if found is not None:
            reason = Reason('"{text}" is neither cards nor a range', text=found[1].strip())
            raise TextError(text, reason, '"AhKd vs random"')


def _check_climbing(heard: _Heard) -> None:
    """Ask back "54s+", which is one hand or, as some tools have it, all up to AKs.

    Raises `UnclearHands`.
    """
    terms = [term for side in heard.sides for term in climbing_terms(side)]
    if terms:
        choices = tuple(
            _asked_again([without_climbing(side, climbs=climbs) for side in heard.sides], heard)
            for climbs in (False, True)
        )
        raise UnclearHands(" vs ".join(heard.sides), choices, written(terms[0]))


def _as_written(name: str, texts: Sequence[str]) -> str:
    """A name that was read in lower case, in the capitals in which it was typed."""
    text = unicodedata.normalize("NFKC", " ".join(texts))
    at = text.lower().find(name)
    return text[at : at + len(name)] if at >= 0 and len(text.lower()) == len(text) else name


def _unless_number(name: str, seat: int) -> str:
    """The name; empty where it is no more than the number that the player has anyway."""
    number = _NUMBERED.fullmatch(name)
    return "" if number is not None and int(number[1]) == seat else name


def _check_board_named(heard: _Heard, board: str) -> None:
    """Ask back cards that can only be the board though nothing says so: "AhKd vs QQ, 9c 8d 7s".

    Raises `UnclearBoard`.
    """
    if board or not heard.sides:
        return
    *others, last = heard.sides
    found = _ONLY_BOARD.fullmatch(last) if len(others) > 1 else None
    shown = "" if found is None else last
    for number in (3, 4, 5):
        found = re.fullmatch(rf"(.+?)[\s,;(]+((?:{CARD}[\s,]*){{{number}}})\)?", last)
        hand = "" if found is None else found[1].strip(" ,;(")
        if found is not None and _is_of_two(hand) and (others or " " not in hand):
            others, shown = [*others, hand], found[2]
            break
    if shown and all(map(_is_of_two, others)):
        shown = " ".join(map(_in_capitals, re.findall(CARD, shown)))
        raise UnclearBoard(last, (_asked_again(others, heard, shown),), shown)


def _is_of_two(side: str) -> bool:
    """Whether a side is two cards, unknown, or a range of such hands."""
    if _UNKNOWN.fullmatch(side) or re.fullmatch(rf"{CARD}[\s,]*{CARD}", side):
        return True
    try:
        return looks_like_range(side) and bool(Range.parse(side))
    except UnclearText:  # which of two ranges is asked later
        return True
    except TextError:
        return False


def _asked_again(sides: Sequence[str], heard: _Heard, board: str = "") -> str:
    """The question in words with these sides, and with this board if its text names none."""
    said = f"{heard.game} " if heard.game else ""
    names = heard.names if len(heard.names) == len(sides) else [""] * len(sides)
    said += " vs ".join(
        f"{name}: {_in_capitals(side)}" if name else _in_capitals(side)
        for name, side in zip(names, sides, strict=True)
    )
    for name, cards in (("board", heard.board or board), ("dead", heard.dead)):
        said += f", {name} {_in_capitals(cards.strip(' ,;.'))}" if cards.strip(" ,;.") else ""
    return said + (f", {heard.players} players" if heard.players is not None else "")


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
        shown = list(map(_in_capitals, words))
        held = ", ".join(shown)
        if any(is_hands(word, rules) for word in words):  # else a comma parts players
            held = f"({held})"
        raise UnclearText(" ".join(shown), (" vs ".join(shown), held))
    return words


def _in_capitals(text: str) -> str:
    """Cards and ranges as people write them, ranks in capitals: "AhKd", "AKs, QQ+"."""
    return re.sub(
        r"[^\s,;()]+",
        lambda word: written(word[0]) if _CARDS_OR_TERM.fullmatch(word[0]) else word[0],
        text,
    )


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
        if len(pieces) == 1 and not _is_understood(said.replace(":", " ")):
            return [said]  # the word that is neither cards nor a range will be complained about
        if len(pieces) == 1:
            raise TextError(said, Reason("put vs between the players"), QUESTION_EXAMPLE)
        return [player for piece in pieces for player in _players(piece, rules)]
    cards = len(re.findall(r"(?:10|[2-9tjqka])[cdhs♣♦♥♠]|[*★]", said))
    if len(pieces) > 1 and cards > rules.private:
        words = said.split()
        if all(len(re.findall(CARD, word)) == rules.private for word in words):
            return [player for word in words for player in _players(word, rules)]
        if rules.private > 1 and any(map(_IS_CARD.fullmatch, pieces)):
            raise TextError(said, Reason("put vs between the players"), QUESTION_EXAMPLE)
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

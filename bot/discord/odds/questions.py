"""Define what `/odds` asks the computing process, and pack showdowns for custom ids.

Answers are boards, which are plain data, so the bot's own process needs neither the compiled code
of showdowns nor the arrays of Three Card Poker.

Questions about bids are answered in the bot's own process, in a worker thread: they take a
millisecond of plain Python, less than sending the ladder of bids to the computing process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters
from typing import TYPE_CHECKING, ClassVar, Final

from bot.boards.board import Board
from bot.boards.showdown_words import CloseLook, Look
from bot.computing.deadline import deadline
from bot.computing.question import Lane, Question
from bot.discord import ids
from bot.language.catalogues import tr
from bot.language.messages import question_in_message
from bot.language.questions import parse_typed_definition, parse_typed_question
from engine.cards import RANK_CHARS, Card, Cards
from engine.errors import TextError

if TYPE_CHECKING:
    from engine.odds import Effort, Range, Scenario
    from engine.odds.showdown.drawing import Drawing
    from engine.odds.showdown.games import ShowdownRules
    from engine.odds.showdown.hand_history import HandHistory

_RANGE: Final = "="
_SPACE: Final = re.compile(r"\s+")


def pack_scenario(scenario: Scenario) -> str | None:
    """Return the whole question as a short text for a custom id.

    Return None if the text would be too long, or if the question has something that the text
    can't express, such as a condition.
    """
    from engine.odds import game_of

    rules = game_of(scenario.rules, len(scenario.players), len(scenario.dead))
    if rules is None or scenario.condition is not None or scenario.is_joint:
        return None
    hands = "/".join(map(_letters, scenario.players))
    board = "".join(ascii_letters[card.number] for card in scenario.in_order)
    text = ";".join((rules, hands, board, _letters(scenario.dead)))
    if scenario.drawing is not None:
        limits = (scenario.limit(seat) or "-" for seat in range(len(scenario.players)))
        text += f";{scenario.drawing.draws}{''.join(limits)}"
    return text if ids.of_odds(ids.RANKS, text) else None


def unpack_scenario(text: str) -> Scenario:
    """Return the question in a custom id. Raises `TextError` if the id is forged."""
    from engine.odds import PRESETS, Range, Scenario

    parts = text.split(";")
    if not 4 <= len(parts) <= 5 or parts[0] not in PRESETS:
        raise _forgery_error(text)
    key, hands, board, dead = parts[:4]
    rules = PRESETS[key]
    players = tuple(
        Range.parse(held[1:], rules) if held.startswith(_RANGE) else _cards_of(held)
        for held in hands.split("/")
    )
    board_cards, dead_cards = _cards_of(board), _cards_of(dead)
    dealt = tuple(Card(ascii_letters.index(letter)) for letter in board)
    drawing = _drawing_of(parts[4], rules, len(players)) if len(parts) > 4 else None
    return Scenario(
        rules.dealt_to(len(players), len(dead_cards)),
        players,
        board_cards,
        dead_cards,
        dealt,
        drawing=drawing,
    )


def _drawing_of(text: str, rules: ShowdownRules, players: int) -> Drawing:
    """Return the draws in a custom id, such as "29-". Raises `TextError` for a forged one."""
    from engine.odds.showdown import drawing

    draws, limits = text[:1], text[1:]
    known = len(limits) == players and set(limits) <= {*RANK_CHARS, "-"}
    if draws not in ("2", "3") or not known:
        raise _forgery_error(text)
    orders = (
        None if limit == "-" else drawing.order_of(rules.ranking, RANK_CHARS.index(limit))
        for limit in limits
    )
    return drawing.Drawing(int(draws), tuple(orders))


def _letters(held: Cards | Range) -> str:
    if isinstance(held, Cards):
        return "".join(ascii_letters[card.number] for card in held)
    return _RANGE + _SPACE.sub("", held.text)


def _cards_of(letters: str) -> Cards:
    try:
        return Cards.of(Card(ascii_letters.index(letter)) for letter in letters)
    except ValueError:
        raise _forgery_error(letters) from None


def _forgery_error(text: str) -> TextError:
    return TextError(text[:40], tr("That button isn't one of mine"), "ask with /odds showdown")


@dataclass(frozen=True, slots=True)
class TypedShowdown:
    """A showdown as a person typed it; `preset` is a key of `engine.odds.PRESETS`, or None.

    `opponents`: how many more players hold unknown cards. `ranges`: (name, hands) of each of the
    person's ranges; None if the question may not use them.
    """

    hands: str
    preset: str | None = None
    board: str = ""
    dead: str = ""
    opponents: int = 0
    ranges: tuple[tuple[str, str], ...] | None = None


SAMPLED_WITHIN: Final = 25.0  # seconds; less than the handlers' limit

# as typed, or as packed in a button's custom id
ShowdownRequest = TypedShowdown | str


@dataclass(frozen=True)
class FindShowdown(Question[str]):
    """Finds the question about a showdown in a message. Raises `TextError` if there is none."""

    text: str

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Callable[[], bool]) -> str:
        """Return the message's question in a form that can be typed."""
        return question_in_message(self.text)


@dataclass(frozen=True)
class ReadHistory(Question[Board]):
    """Works out the pot shares in a written hand history, for its first hand with a showdown.

    Raises `TextError` if the history has no such hand.
    """

    text: str

    def answer(self, stopped: Callable[[], bool]) -> Board:
        """Return the board with the pot shares on each street."""
        from bot.boards.showdown_odds import history_board
        from engine.odds import streets
        from engine.odds.showdown.hand_history import split_histories

        texts = split_histories(self.text)
        history = _first_usable(texts)
        by_street = streets(history.scenario, _effort(), cancelled=stopped)
        return history_board(history.number, history.scenario, by_street, among=len(texts))


def _first_usable(texts: Sequence[str]) -> HandHistory:
    """Return the first hand with a showdown, or raise the first hand's `TextError` if none has."""
    from engine.odds.showdown.hand_history import parse_history

    for text in texts:
        try:
            return parse_history(text)
        except TextError:
            continue
    return parse_history(texts[0])


@dataclass(frozen=True, slots=True)
class Understood:
    """A parsed showdown: a board to show until the answer, the question and the players' names.

    `packed`: the question without the names; see `pack_scenario`.
    """

    meanwhile: Board
    packed: str | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to a showdown: its board, a board of the hands made, and closer looks to offer.

    `packed` and `names`: as in `Understood`.
    """

    board: Board
    ranks: Board
    packed: str | None
    closer: tuple[CloseLook, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadShowdown(Question[Understood]):
    """Parses a showdown.

    Raises `TextError` if the text is no showdown, or is ambiguous.
    """

    request: ShowdownRequest

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Callable[[], bool]) -> Understood:
        """Return the parsed question."""
        from bot.boards.showdown_odds import working_board

        scenario = _scenario(self.request)
        return Understood(working_board(scenario), pack_scenario(scenario), scenario.names)


@dataclass(frozen=True)
class CountShowdown(Question[Counted]):
    """Works out how often each player wins a showdown.

    Raises `TextError` if the question can't be read, or leaves no possible deal.
    """

    request: ShowdownRequest

    def answer(self, stopped: Callable[[], bool]) -> Counted:
        """Return the answer, counted or sampled."""
        from bot.boards.showdown_odds import close_looks, ranks_board, showdown_board
        from engine.odds import showdown_odds

        scenario = _scenario(self.request)
        answer = showdown_odds(scenario, _effort(), cancelled=stopped)
        key = pack_scenario(scenario)
        board = showdown_board(answer, hands_too=key is None)
        looks = close_looks(scenario)
        return Counted(board, ranks_board(answer), key, looks, scenario.names)


@dataclass(frozen=True)
class LookClosely(Question[Board]):
    """Computes the view `look` of a showdown.

    Raises `TextError` if the question can't be read, or the showdown has no such view.
    """

    request: ShowdownRequest
    look: Look

    def answer(self, stopped: Callable[[], bool]) -> Board:
        """Return the board for the chosen look."""
        from bot.boards.showdown_odds import (
            curve_board,
            hand_grid_board,
            hits_board,
            next_card_board,
            seats_with_hits,
        )
        from engine.odds import equity_curve, hand_grid, hits, next_cards, outs, streets
        from engine.odds.showdown.hits import check_hits

        scenario = _scenario(self.request)
        match self.look:
            case Look.NEXT_CARD:
                effort = _effort()
                cards = next_cards(scenario, effort, cancelled=stopped)
                # only for known hands, which are counted almost at once
                known = outs(scenario) is not None
                so_far = streets(scenario, effort, cancelled=stopped) if known else ()
                return next_card_board(scenario, cards, so_far)
            case Look.EACH_HAND:
                return hand_grid_board(scenario, hand_grid(scenario, _effort(), cancelled=stopped))
            case Look.HITS:
                check_hits(scenario)
                seats = seats_with_hits(scenario)
                return hits_board(scenario, [(seat, hits(scenario, seat)) for seat in seats])
            case Look.CURVE:
                return curve_board(scenario, equity_curve(scenario, stopped))


def _effort() -> Effort:
    """Return the effort that is as exact as the time limit allows."""
    from engine.odds import Effort

    return Effort(enough=deadline(SAMPLED_WITHIN))


@lru_cache(maxsize=16)
def _scenario(request: ShowdownRequest) -> Scenario:
    """Return the parsed request, cached since several questions need it. Raises `TextError`."""
    if isinstance(request, str):
        return unpack_scenario(request)
    return parse_typed_question(
        request.hands,
        request.preset,
        request.board,
        request.dead,
        request.opponents,
        ranges=None if request.ranges is None else dict(request.ranges),
    )


@dataclass(frozen=True, slots=True)
class DefinedRange:
    """A named range: its hands as text, their number, and their share of all hands (0 to 1)."""

    name: str
    hands: str
    combos: int
    share: float


@dataclass(frozen=True)
class ReadDefinition(Question[DefinedRange]):
    """Parses the definition of a range, which may use other `ranges`.

    Raises `TextError` if the text is no definition.
    """

    text: str
    ranges: tuple[tuple[str, str], ...]

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Callable[[], bool]) -> DefinedRange:
        """Return the range."""
        named = parse_typed_definition(self.text, dict(self.ranges))
        held = named.range
        return DefinedRange(named.name, held.text, len(held), float(held.share))


@dataclass(frozen=True)
class ThreeCard(Question[Board]):
    """Works out whether to play or fold in Three Card Poker; without cards, the house edge.

    All fields are as typed. Raises `TextError` if a field can't be read.
    """

    hand: str = ""
    seen_cards: str = ""
    bonus: str = ""
    pair_plus: str = ""
    six_card: str = ""

    lane: ClassVar[Lane] = Lane.BRIEF

    @property
    def asks_house_edge(self) -> bool:
        """Return whether the question names no cards, so that it asks for the house edge."""
        return not self.hand.strip() and not self.seen_cards.strip()

    @property
    def packed_tables(self) -> str:
        """Return the pay tables in the form that `PayTableEdges.unpack` reads."""
        return ";".join(part.strip() for part in (self.bonus, self.pair_plus, self.six_card))

    def answer(self, stopped: Callable[[], bool]) -> Board:
        """Return the board of the answer."""
        from bot.boards.three_card_odds import PayTables, three_card_board

        tables = PayTables(self.bonus, self.pair_plus, self.six_card)
        return three_card_board(self.hand, self.seen_cards, tables)


@dataclass(frozen=True)
class PayTableEdges(Question[Board]):
    """Works out the house edge of the usual and of the typed pay tables.

    Raises `TextError` if a typed pay table can't be read.
    """

    bonus: str = ""
    pair_plus: str = ""
    six_card: str = ""

    lane: ClassVar[Lane] = Lane.BRIEF

    @staticmethod
    def unpack(text: str) -> PayTableEdges:
        """Return the question in a custom id. Raises `TextError` if the id is forged."""
        parts = text.split(";")
        if len(parts) != 3:
            raise _forgery_error(text)
        return PayTableEdges(*parts)

    def answer(self, stopped: Callable[[], bool]) -> Board:
        """Return the board of the house edges."""
        from bot.boards.three_card_odds import PayTables, pay_tables_board

        return pay_tables_board(PayTables(self.bonus, self.pair_plus, self.six_card))


@dataclass(frozen=True)
class PayChoices(Question[list[tuple[str, str]]]):
    """Finds the option's common pay tables whose text begins with the typed text."""

    option: str
    typed: str

    lane: ClassVar[Lane] = Lane.BRIEF

    def answer(self, stopped: Callable[[], bool]) -> list[tuple[str, str]]:
        """Return (name with the house edge, value) for each pay table."""
        from bot.boards.three_card_odds import pay_choices

        return pay_choices(self.option, self.typed)

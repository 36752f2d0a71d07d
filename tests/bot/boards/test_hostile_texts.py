"""Call every public function of the board modules with hostile names and texts.

The functions are found by introspection, and their arguments are chosen by type. So a new function
is tested too, and the test fails if this file has no values for one of the function's arguments.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import cycle
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from bot import boards
from bot.boards.bid_odds import BidQuestion
from bot.boards.board import Address, Board, Button, Menu, Picture, Text
from bot.boards.howto import Cast, ExampleStage
from bot.boards.pad import PadOffer, Pick
from bot.boards.replay import voice_of
from bot.boards.rules import WHICH
from bot.boards.seat import Notice
from bot.boards.showdown import MatchEnd
from bot.boards.stats import Statistics
from bot.boards.three_card_odds import PayTables
from bot.boards.turns import TableRequest, WaitingTable
from bot.discord.layout import _in_words
from bot.language import words
from bot.language.catalogues import KEYS, speaking
from bot.language.words import Names, TypedText
from bot.privacy.results import DataSummary
from bot.replays.coaching import Parting
from bot.replays.narration import Voice
from bot.replays.played import PlayedMatch, Step, seated_from, steps_of
from bot.roster import computer, nameless
from bot.stats.folding import Pair, PersonTotals, Scope
from bot.stats.standings import LeaderboardRank, PinnedRules, Season
from bot.tables.highlights import MatchHighlights, match_highlights
from bot.tables.history import PastDeal
from bot.tables.live import LiveTable
from bot.tables.model import (
    DailyResult,
    DeadlineKind,
    Digest,
    HistoryLine,
    Mistake,
    Player,
    PlayerCut,
    Status,
    Table,
)
from bot.tables.nights import Night
from bot.tables.session_score import SessionScore
from bot.tables.table_options import LANGUAGE
from engine.actions import Challenge, Deal
from engine.bids import Bid, Kind, Proof
from engine.cards import Card, Cards
from engine.cutting import read_cut
from engine.odds import (
    PRESETS,
    BidAdvice,
    BidOdds,
    Chance,
    Effort,
    EquityCurve,
    GridCell,
    Hits,
    NextCard,
    Range,
    Scenario,
    Showdown,
    equity_curve,
    hand_grid,
    hits,
    next_cards,
    parse_scenario,
)
from engine.odds import showdown_odds as counted
from engine.odds.three_card.hands import Category
from engine.play import apply, legal, start
from engine.players import hint
from engine.players.coaching.decisions import Advice, Tried
from engine.players.hints import Hint
from engine.ruleset import Options, Ruleset
from engine.state import Match, Phase
from engine.variants import VARIANTS, ruleset
from engine.view import RoundView, View, view_of
from tests.bot.boards.rounds import table
from tests.bot.replays.matches import whole
from tests.fuzz.discord_rules import check_board
from tests.hostile import NAMES, harm_in_markup, harm_in_plain, harms

pytestmark = pytest.mark.thorough

PEOPLE: Final = tuple(range(101, 101 + len(NAMES)))
KNOWN: Final[Names] = {person: TypedText(name) for person, name in zip(PEOPLE, NAMES, strict=True)}
CUTS: Final = tuple(read_cut(name) for name in NAMES)
LINK: Final = "https://discord.com/channels/1/2/3"
GAME: Final = next(iter(VARIANTS))
# functions whose text is drawn, chosen or compared, not read as markup
PLAIN: Final = {"face_of", "pay_choices", "stand_ins"}


def modules() -> Iterator[Any]:
    for info in pkgutil.iter_modules(boards.__path__):
        yield importlib.import_module(f"{boards.__name__}.{info.name}")


def public() -> dict[str, Callable[..., Any]]:
    """Return every public function of the board modules, by `module.name`."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": function
        for module in modules()
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and name[0] != "_"
    }


# -- what they are called with ---------------------------------------------------------------------

Scene = dict[Any, list[Any]]
# arguments of plain types, by their names
NAMED: Final[dict[str, list[Any]]] = {
    "link": [LINK],
    "text": ["A sentence."],
    "noun": ["ace"],
    "game": [GAME, "a game of before"],
    "key": list(VARIANTS),
    "hand": ["", "Qs 6h 4d"],
    "seen_cards": [""],
    "option": ["bonus", "pair_plus", "six_card"],
    "typed": [""],
    "seal": ["5ea1"],
    "policy_url": ["https://house.example/privacy"],
    "player": [*PEOPLE, computer(-1).id, nameless(1)],
    "champion": [0, 1],
    "asker": list(PEOPLE),
    "answerer": list(PEOPLE),
    "about": [0, *PEOPLE],
    "match_id": [1, 2, 9],
    "topic": list(WHICH),
    "practice": ["", "thai_poker.careful"],
    "onwards": ["That's all."],
    "heading": ["", "-# you 2 cards"],
    "most": [0, 9],
    "seats_computers": [True],
    "bids": [1],
    "number": [0, 1, 2, 9],
    "among": [1, 12],
    # of ranges: names are words, and hands are as the engine writes them
    "range_name": ["btn", "late_pos"],
    "hands": ["AA**, $ds"],
    "combos": [1, 1326],
    "share": [0.095],
    "page": [0, 1],
    "people": [40],
    "place": [0, 2],
    "room": [20, 200],
    "judged": [4],
    "in_play": [9],
    "matches": [0, 3],
    "matches_days": [30],
    "latest": [3],
    "day": [739_581],
    "in_a_row": [1, 3],
    "next_at": [9],
    "others": [3],
}
TYPED: Final = [TypedText(name) for name in NAMES]
SEASONS: Final = [Season(number, name, 0) for number, name in enumerate(NAMES, start=1)]
ROWS: Final = [PersonTotals(person, matches=30, wins=9) for person in PEOPLE]
RESULTS: Final = [
    DailyResult(person, GAME, 739_581, 1, 2, 3, place, "xw.", 0.1)
    for person, place in zip(PEOPLE, cycle((None, 1, 2)), strict=False)
]
NIGHTS: Final = [
    Night(number, 2, 3, person, GAME, 4, 1200, "Europe/Warsaw", weekly, "en", 1, 1, comers=PEOPLE)
    for number, person, weekly in zip(range(1, 6), PEOPLE, cycle((True, False)), strict=False)
]
ALWAYS: Final[Scene] = {
    bool: [False, True],
    TypedText: TYPED,
    Names: [KNOWN],
    frozenset[int]: [frozenset(PEOPLE)],
    Sequence[int]: [PEOPLE],
    Options: [{}, {LANGUAGE.key: KEYS[-1]}],
    Mapping[str, str]: [{"btn": "22+, A2s+", "late_pos": "AA**"}],
    Address: [Address(7, 3, 2)],
    Pick: [Pick()],
    Notice: [Notice("A sentence.")],
    Cast: [Cast()],
    ExampleStage: [ExampleStage(number) for number in (1, 2, 3)],
    DataSummary: [DataSummary(name, False, 3, 2) for name in NAMES],
    Player: [Player(person, name) for person, name in zip(PEOPLE, NAMES, strict=True)],
    Board: [Board(0, (Text("A sentence."),))],
    PastDeal: [
        PastDeal(2, "5ea1", seed, True, 2, "5ea1", tuple(zip(PEOPLE, CUTS, strict=True)))
        for seed in (None, bytes(32))
    ],
    Season: SEASONS,
    Sequence[Season]: [SEASONS],
    Scope: [Scope(), *(Scope(season.number, GAME) for season in SEASONS)],
    Sequence[PersonTotals]: [(), ROWS],
    Statistics: [
        Statistics(row, LeaderboardRank(1, 9), Pair(row.player, rival), Pair(row.player, rival))
        for row, rival in zip(ROWS, reversed(PEOPLE), strict=True)
    ],
    Mapping[int, PinnedRules]: [{}],
    HistoryLine: [HistoryLine(3, 7, 1, 2, GAME, PEOPLE, 0, 2, 5)],
    Sequence[HistoryLine]: [(), [HistoryLine(3, 7, 1, 2, GAME, PEOPLE, 0, 1, 5)]],
    SessionScore: [SessionScore(5, tuple((person, 1) for person in PEOPLE))],
    PayTables: [PayTables()],
    DailyResult: RESULTS,
    Sequence[DailyResult]: [(), RESULTS],
    Mapping[int, int]: [dict.fromkeys(PEOPLE, 3)],
    Night: NIGHTS,
    Sequence[Night]: [(), NIGHTS],
    Digest: [Digest(person, 600, "Europe/Warsaw", 1) for person in PEOPLE],
    Mistake: [Mistake(PEOPLE[0], 3, 2, 1, 1, due) for due in (None, 9)],
}


def scenes() -> Iterator[Scene]:
    """Yield arguments with hostile texts, for states of a table and for questions about odds."""
    for game in sorted(VARIANTS):
        most = min(len(PEOPLE), ruleset(game).most_players)
        for seats in (2, most):
            yield from _match(game, PEOPLE[:seats])
        yield {**ALWAYS, **_lobby(game)}
    yield from _odds()


def _table(game: str, people: tuple[int, ...], status: Status, **more: Any) -> Table:
    values: dict[str, Any] = {
        "players": people,
        "host_id": people[0],
        "guild_id": 1,
        "waiting": PEOPLE,
        "chain_root": bytes(32),
        "cuts": tuple(
            PlayerCut(person, text, 1) for person, text in zip(PEOPLE, CUTS, strict=True)
        ),
        "absent": {people[-1]: 2},
        "votes": {people[0]: people[1:2]},
        "turn_ends": 1,
    }
    return table(game, status, **(values | more))


def _lobby(game: str) -> Scene:
    lobby = {"match_id": None, "deadline": 1, "deadline_kind": DeadlineKind.REMATCH}
    tables = [
        _table(game, PEOPLE[:2], status, invited=PEOPLE, **lobby)
        for status in (Status.LOBBY, Status.CLOSED)
    ]
    rules = ruleset(game)
    return {
        Table: tables,
        LiveTable: [LiveTable(table) for table in tables],
        Ruleset: [rules],
        tuple[int, int, int]: [(12, 4, 2)],
    }


@cache
def _states(game: str, people: tuple[int, ...]) -> tuple[PlayedMatch, tuple[Match, ...]]:
    played = whole(game, len(people), f"hostile {game}", leave=len(people) > 3)
    match, states = start(played.rules, people, played.opener), []
    for action in played.actions:
        match = apply(match, action)
        states.append(match)
    return replace(played, seated=seated_from(people, KNOWN)), tuple(states)


def _match(game: str, people: tuple[int, ...]) -> Iterator[Scene]:
    """Yield a scene for each state of a match; leave out the middle of a long match."""
    played, states = _states(game, people)
    steps, rules = steps_of(played), played.rules
    advised = _advice_for(steps)
    throughout: Scene = {
        **ALWAYS,
        Ruleset: [rules],
        PlayedMatch: [played],
        Sequence[int]: [people],
        "player": list(people),
        Step: list(steps[:9]),
        Sequence[Step]: [steps],
        Mapping[int, Advice]: [{advice.seq: advice for advice in advised}],
        Sequence[Advice]: [(), advised[:3]],
        Advice: advised,
        Tried: list(advised[0].tried),
        Sequence[Tried]: [(Tried(None, 0.5, 4), Tried(rules.ladder.at(0).key, 0.1, 0))],
        Sequence[Parting]: [(), [Parting(advised[0].seq, 1, 3, 2, Challenge(0))]],
        Voice: [voice_of(people)],
    }
    for at, match in enumerate(states):
        if 6 < at < len(states) - 4:
            continue
        view, over = view_of(match), match.phase is Phase.OVER
        before = states[at - 1] if at else None
        heard = match_highlights(states[: at + 1])
        tables = [
            LiveTable(
                _table(game, people, status),
                match,
                before=before,
                by_house=frozenset({match.seq}) if house else frozenset(),
            )
            for status in ((Status.FINISHED,) if over else (Status.PLAYING, Status.CLOSED))
            for house in (False, True)
        ]
        scene: Scene = {
            **throughout,
            LiveTable: tables,
            Table: [live.table for live in tables],
            Match: [match],
            View: [view],
            type(view.round): [view.round],
            MatchHighlights: [heard],
            MatchEnd: [MatchEnd(heard, ALWAYS[SessionScore][0])],
            Sequence[WaitingTable]: [
                (),
                [
                    WaitingTable(live, TableRequest("turn", 1), KNOWN, LINK, str(TYPED[0]))
                    for live in tables
                ],
            ],
        }
        if isinstance(view.round, RoundView) and not over:
            rungs = legal(match).rungs
            scene |= {
                Sequence[Bid]: [[bid for rung in rungs for bid in rung]],
                Sequence[tuple[Bid, ...]]: [rungs],
            }
            advice = hint(view_of(match, match.round.turn)) if match.round is not None else None
            if advice is not None:
                scene[type(advice)] = [advice]
        yield scene


def _advice_for(steps: Sequence[Step]) -> list[Advice]:
    """Return made-up advice of the coach for each decision."""
    good, bad = Tried(None, 0.5, 4), Tried(None, 0.1, 0)
    return [
        Advice(step.seq, step.seat, Chance(1, 4), 0.5, bad, good, good, 0.01, (good, bad))
        for step in steps
        if step.seat is not None and not isinstance(step.action, Deal)
    ]


def _odds() -> Iterator[Scene]:
    """Yield scenes with questions about odds; boards show the ranges in them as typed."""
    for game, players, board in (
        ("holdem", ("AhKh", "QQ+,\nAKs"), "2c 9h 5h"),
        ("omaha", ("AhKhQd2c", "AA**"), "2d 9h 5h 4s"),
    ):
        scenario = parse_scenario(players, board, "", PRESETS[game])
        scene = {**ALWAYS, Scenario: [scenario], Showdown: [counted(scenario, Effort())]}
        scene[Range] = [player for player in scenario.players if isinstance(player, Range)]
        scene[Sequence[NextCard]] = [next_cards(scenario)]
        scene[Sequence[tuple[str, Showdown]]] = [()]
        scene["seat"] = [0, 1]
        scene[Sequence[tuple[int, Hits]]] = [[(1, hits(scenario, 1))]]
        if game == "holdem":
            scene[EquityCurve] = [equity_curve(scenario)]
            scene[Sequence[Sequence[GridCell]]] = [hand_grid(scenario)]
        yield scene


# -- the walk --------------------------------------------------------------------------------------

# types that hold nothing that anybody typed
HARMLESS: Final = frozenset(
    {int, bool, float, type(None), Ruleset, Bid, Proof, Cards, Card, Hint, BidAdvice, BidOdds}
    | {BidQuestion, ExampleStage, Cast, Address, Pick, PadOffer, Kind, Category}
)


class Unknown(Exception):
    """The error for an argument that this file has no values for."""


def hints_of(found: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of a function's arguments, by the arguments' names."""
    known = {"Range": Range, "Showdown": Showdown}
    return {
        name: hint
        for name, hint in get_type_hints(found, localns=known).items()
        if name != "return"
    }


def parts(hint: Any) -> set[Any]:
    """Return the simple types in a type, such as a union's members; a `Literal` has none."""
    inner = [part for part in get_args(hint) if part is not Ellipsis]
    if get_origin(hint) is Literal:
        return set()
    return set().union(*map(parts, inner)) if inner else {hint}


def values_for(name: str, hint: Any, scene: Scene) -> list[Any]:
    """Return the values to try for an argument in a scene. Raises `Unknown` if there are none."""
    if hint in scene:
        return scene[hint]
    if hint is int and name in scene:
        return scene[name]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        values = []
        for part in get_args(hint):
            with contextlib.suppress(Unknown):
                values += values_for(name, part, scene)
        if values:
            return values
    if hint is type(None):
        return [None]
    if hint in (str, int, float) and name in NAMED:
        return NAMED[name]
    raise Unknown(f"{name}: {hint}")


def arguments(found: Callable[..., Any], scene: Scene) -> dict[str, list[Any]]:
    """Return the values to try for each argument. Raises `Unknown` if an argument has none."""
    return {name: values_for(name, hint, scene) for name, hint in hints_of(found).items()}


def calls(found: Callable[..., Any], given: dict[str, list[Any]]) -> Iterator[Any]:
    """Call the function until each value of each argument has been used; yield each result.

    The arguments advance together, and the shorter lists begin again.
    """
    signature = inspect.signature(found)
    for turn in range(max((len(values) for values in given.values()), default=1)):
        bound = signature.bind(**{name: some[turn % len(some)] for name, some in given.items()})
        yield found(*bound.args, **bound.kwargs)


def harm(said: Any, *, plain: bool = False) -> Iterator[str]:
    """Yield a message for each harmful text in a function's result.

    Texts in pictures, buttons and menus are read as plain text, all others as markup. If `plain`,
    every text is read as plain text. A `TypedText` is always read in both ways.
    """
    if isinstance(said, Board):
        yield from harms(check_board(said), CUTS)
        for picture in said.pictures:
            yield from harm(picture, plain=True)
        if said.pictures:
            yield from harms(check_board(_in_words(said, said.pictures)), CUTS)
    elif isinstance(said, str):
        trouble = harm_in_plain(said) if plain else harm_in_markup(said, CUTS)
        if trouble is not None:
            yield f"{trouble} in {said!r}"
    elif isinstance(said, TypedText):
        yield from harm(str(said))
        yield from harm(said.visible_text, plain=True)
    elif isinstance(said, Mapping):
        yield from harm(list(said.values()), plain=plain)
    elif isinstance(said, Sequence):
        for part in said:
            yield from harm(part, plain=plain)
    elif is_dataclass(said):
        drawn = plain or isinstance(said, Picture | Button | Menu)
        for part in fields(said):
            yield from harm(getattr(said, part.name), plain=drawn)


@cache
def everywhere() -> tuple[Scene, ...]:
    return tuple(scenes())


WALKED: Final = {
    name: function
    for name, function in public().items()
    if not set().union(*map(parts, hints_of(function).values())) <= HARMLESS
}


@pytest.mark.parametrize("name", WALKED)
def test_typed_text_is_never_markup_on_a_board(name: str) -> None:
    function, answers = WALKED[name], 0
    plain = name.rpartition(".")[2] in PLAIN
    missing: set[str] = set()
    walked: set[tuple[tuple[int, ...], ...]] = set()
    for scene in everywhere():
        try:
            values_of = arguments(function, scene)
        except Unknown as unknown:
            missing.add(str(unknown))
            continue
        # most functions look at a part of a scene, which is the same in many
        same = tuple(tuple(map(id, some)) for some in values_of.values())
        if same in walked:
            continue
        walked.add(same)
        for language in KEYS:
            with speaking(language):
                for answer in calls(function, values_of):
                    answers += 1
                    assert not list(harm(answer, plain=plain)), name
    assert answers, f"say how to make the arguments of {name}: {sorted(missing)}"


def test_a_board_without_escaping_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "escape_markdown", lambda text: text)
    for name in ("turns.reminder_line", "turns.reminder_direct_message", "stats.begun_board"):
        answers: list[Any] = []
        for scene in everywhere():
            with contextlib.suppress(Unknown):
                answers += calls(WALKED[name], arguments(WALKED[name], scene))
        assert any(list(harm(answer)) for answer in answers), name


def test_a_function_whose_arguments_nobody_can_make_is_found() -> None:
    def new_board(names: Names, what: bytes) -> Board:
        raise AssertionError(names, what)

    with pytest.raises(Unknown, match="what"):
        arguments(new_board, ALWAYS)

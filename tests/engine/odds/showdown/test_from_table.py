"""What the tables before the flop answer: the same as counting anew, and only what they know."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from engine.cards import Card, Cards
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.from_table import table_sums
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.preflop import (
    BOARDS,
    NOWHERE,
    matchup,
    numbers,
    place_of,
    places,
    preflop_table,
)
from engine.odds.showdown.preflop_kinds import (
    kinds_at,
    kinds_by_place,
    kinds_table,
    packed_kinds,
)
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario, parse_scenario

ANEW = Effort(exact=True, table=False)
RANGES = ("QQ+", "AKs, 77", "AKo@50, T9s", "22, A5s@25, KQs@75", "AhXh", "AhKh, AdKd", "72o@10")


def same(scenario: Scenario) -> None:
    """Whether the tables say what counting says, with kinds of hands and without."""
    assert table_sums(scenario, ranked=True) is not None
    found, counted = showdown_odds(scenario), showdown_odds(scenario, ANEW)
    assert found.exact
    assert (found.deals, found.players) == (counted.deals, counted.players)
    plain = showdown_odds(scenario, Effort(ranked=False))
    assert [(one.win, one.tie) for one in plain.players] == [
        (one.win, one.tie) for one in found.players
    ]
    assert not any(any(one.ranks.values()) for one in plain.players)


def test_two_hands_are_answered_as_if_they_were_counted() -> None:
    random = Random()  # others each time
    for _ in range(100):
        cards = [str(Card(number)) for number in random.sample(range(52), 4)]
        same(parse_scenario(["".join(cards[:2]), "".join(cards[2:])]))


@pytest.mark.parametrize("other", ["Kc", *RANGES])
def test_unknown_cards_and_ranges_are_answered_as_if_they_were_counted(other: str) -> None:
    for one in ("9h9d", "JcTd", "Qs", "QQ, 98s@5"):
        players = [one, other]
        Random(other + one).shuffle(players)
        same(parse_scenario(players))


@pytest.mark.long
def test_a_random_hand_is_answered_as_if_it_were_counted() -> None:
    same(parse_scenario(["AhKh", ""]))
    same(parse_scenario(["", "7c2d"]))


@pytest.mark.parametrize(
    "scenario",
    [
        parse_scenario(["AhKh", "QcQd", ""]),
        parse_scenario(["AhKh"]),
        parse_scenario(["AhKh", "QcQd"], board="2c"),
        parse_scenario(["AhKh", "QcQd"], dead="2c"),
        parse_scenario(["AhKh", "QcQd"], rules=PRESETS["shortdeck"]),
        parse_scenario(["AhKh", "QcQd"], rules=PRESETS["omaha"]),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, jokers=1)),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, private_used=1)),
        parse_scenario(["AhKh", "QcQd"], rules=ShowdownRules(private=2, public=5, hi_lo=True)),
        # sums of weights beyond 62 bits
        parse_scenario(["any@99.99, 22@0.01", "any@99.97, 33@0.01"]),
    ],
)
def test_what_the_tables_do_not_know_is_left_to_counting(scenario: Scenario) -> None:
    assert table_sums(scenario, ranked=True) is None


@pytest.mark.parametrize("effort", [Effort(deals=5000), Effort(error=0.01), Effort(exact=False)])
def test_who_asks_for_a_sample_gets_one(effort: Effort) -> None:
    assert not showdown_odds(parse_scenario(["AhKh", "QcQd"]), effort).exact


def test_progress_is_told_once() -> None:
    told: list[tuple[int, int]] = []
    showdown_odds(
        parse_scenario(["AhKh", "QcQd"]), progress=lambda done, total: told.append((done, total))
    )
    assert told == [(BOARDS, BOARDS)]


def test_kinds_stand_where_the_matchup_stands() -> None:
    table = kinds_table()
    half = packed_kinds(table.first, table.second)
    assert len(half) < 500_000
    every = kinds_by_place()
    assert set(every[:NOWHERE].sum(axis=1).tolist()) == {BOARDS}
    assert not every[NOWHERE:].any()
    random = Random(3)
    hands = sorted(numbers().values())
    for _ in range(200):
        place = places().item(random.choice(hands), random.choice(hands))
        if place < NOWHERE:
            assert kinds_at(place) == every[place].tolist()
            assert kinds_at(place ^ 1) == every[place ^ 1].tolist()


def held(player: str) -> dict[int, int]:
    """The hands that a player may hold, with what each weighs."""
    found = parse_scenario([player, ""]).players[0]
    if isinstance(found, Range):
        return dict(zip(found.bits, found.weights or [1] * len(found), strict=True))
    known = Cards.parse(player).bits
    return {bits: 1 for bits in numbers() if bits & known == known}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AhKh", "QQ+"),
        ("AKs@50, 77", "QQ, 98s@25"),
        ("Qs", "JJ@40, T9s"),
        ("72o, 33@5", "2c"),
        ("AhKh", ""),
    ],
)
def test_many_hands_are_the_sum_of_their_matchups(one: str, other: str) -> None:
    scenario = parse_scenario([one, other])
    deals, wins, ties = 0, [0, 0], 0
    kinds = [[0] * 9, [0] * 9]
    for first, weight in held(one).items():
        for second, more in held(other).items():
            if first & second:
                continue
            found = matchup(Cards(first), Cards(second))
            times = weight * more
            deals += times * BOARDS
            ties += times * found.tie
            wins = [wins[0] + times * found.win, wins[1] + times * found.lose]
            place = place_of(Cards(first), Cards(second))
            for own, at in zip(kinds, (place, place ^ 1), strict=True):
                own[:] = [a + times * b for a, b in zip(own, kinds_at(at), strict=True)]
    sums = table_sums(scenario, ranked=True)
    assert sums is not None
    assert sums.deals == deals
    assert sums.shares == ([0, wins[0], ties], [0, wins[1], ties])
    assert sums.kinds == ([*kinds[0], 0], [*kinds[1], 0])
    plain = table_sums(scenario, ranked=False)
    assert plain is not None
    assert (plain.deals, plain.shares) == (sums.deals, sums.shares)


@pytest.mark.parametrize(
    "players",
    [["AhKh", ""], ["7c", "AhKd"], ["", "9s9d"], ["QQ+, AKs@40", "JJ@50, AQs"], ["22+", "A2s+"]],
)
def test_few_pairs_of_hands_are_summed_alike_without_numpy(
    monkeypatch: pytest.MonkeyPatch, players: list[str]
) -> None:
    scenario = parse_scenario(players)
    with_numpy = [table_sums(scenario, ranked) for ranked in (True, False)]
    modules = {name: module for name, module in sys.modules.items() if name != "numpy"}
    monkeypatch.setattr("engine.odds.showdown.from_table.sys.modules", modules)
    assert [table_sums(scenario, ranked) for ranked in (True, False)] == with_numpy


def test_everything_against_everything_is_even() -> None:
    for weight in ("", "@50, 22"):
        sums = table_sums(parse_scenario([f"any{weight}", f"any{weight}"]), ranked=True)
        assert sums is not None
        assert sums.shares[0] == sums.shares[1]
        assert sums.kinds[0] == sums.kinds[1]
        assert sum(sums.kinds[0]) == sums.deals
        if not weight:
            assert sums.deals == 1326 * 1225 * BOARDS


def test_two_hands_of_whom_only_the_winner_is_asked() -> None:
    sums = table_sums(parse_scenario(["AdAc", "KhKs"]), ranked=False)
    assert sums is not None
    assert sums.shares == ([0, 1_388_072, 6_538], [0, 317_694, 6_538])
    assert not any(sums.kinds[0] + sums.kinds[1])


def test_a_place_is_the_same_whether_numpy_is_there_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random(11)
    hands = [random.sample(range(52), 4) for _ in range(60)]
    pairs = [(Cards(1 << a | 1 << b), Cards(1 << c | 1 << d)) for a, b, c, d in hands]
    laid_out = [matchup(one, other) for one, other in pairs]
    modules = {name: module for name, module in sys.modules.items() if name != "numpy"}
    monkeypatch.setattr("engine.odds.showdown.preflop.sys.modules", modules)
    assert [matchup(one, other) for one, other in pairs] == laid_out


def test_a_package_without_its_tables_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, table in (("preflop", preflop_table), ("preflop_kinds", kinds_table)):
        monkeypatch.setattr(f"engine.odds.showdown.{module}.get_data", lambda *_: None)
        table.cache_clear()
        with pytest.raises(ImportError, match=f"{module}.bin cannot be read"):
            table()
        monkeypatch.undo()
        table()


@pytest.mark.parametrize(
    ("players", "absent"),
    [
        (["AdAc", "KhKs"], {"numba", "numpy"}),
        (["AhKh", ""], {"numba", "numpy"}),
        (["AhKh", "QQ+, AKs@50"], {"numba", "numpy"}),
        (["AA,KK,AKs", "22+"], {"numba"}),
    ],
)
def test_an_answer_from_the_tables_waits_for_no_compiler(
    players: list[str], absent: set[str]
) -> None:
    code = (
        "import sys; from engine.odds import parse_scenario, showdown_odds;"
        f"answer = showdown_odds(parse_scenario({players!r}));"
        f"sys.exit(not answer.exact or bool({absent!r} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_matchup_is_the_same_with_arrays_and_without() -> None:
    code = (
        "import sys; from engine.odds.showdown.preflop import *; from engine.cards import Cards\n"
        "random = __import__('random').Random(5)\n"
        "for _ in range(50):\n"
        "    a, b, c, d = random.sample(range(52), 4)\n"
        "    found = matchup(Cards(1 << a | 1 << b), Cards(1 << c | 1 << d))\n"
        "    print(a, b, c, d, found.win, found.tie)\n"
        "sys.exit('numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    lines = said.stdout.decode().splitlines()
    assert len(lines) == 50
    for line in lines:
        a, b, c, d, win, tie = map(int, line.split())
        found = matchup(Cards(1 << a | 1 << b), Cards(1 << c | 1 << d))
        assert (found.win, found.tie) == (win, tie)

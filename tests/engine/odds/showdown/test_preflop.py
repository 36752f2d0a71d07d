"""The tables before the flop: some of them counted anew, and what they answer."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.omaha_terms import class_places
from engine.odds.showdown.preflop import (
    BOARDS,
    HANDS,
    MATCHUPS,
    NOWHERE,
    hand_number,
    kind_matchups,
    kinds_by_place,
    kinds_table,
    matchup,
    matchups,
    numbers,
    place_of,
    preflop_table,
    table_sums,
)
from engine.odds.showdown.range_terms import ORDERS
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario, parse_scenario


@pytest.mark.parametrize(
    ("first", "second", "win", "lose", "tie"),
    [
        ("AdAc", "KhKs", 1_388_072, 317_694, 6_538),
        ("AdAc", "Td9d", 1_338_249, 367_143, 6_912),
        ("AdAc", "QcJh", 1_450_987, 254_763, 6_554),
        ("KhKs", "Kd2h", 1_612_287, 73_825, 26_192),
        ("AhKh", "2c2d", 852_207, 849_322, 10_775),
    ],
)
def test_the_table_has_the_published_counts(
    first: str, second: str, win: int, lose: int, tie: int
) -> None:
    one, other = Cards.parse(first), Cards.parse(second)
    found = matchup(one, other)
    assert (found.win, found.lose, found.tie) == (win, lose, tie)
    found = matchup(other, one)
    assert (found.win, found.lose, found.tie) == (lose, win, tie)


def test_a_random_part_of_the_table_is_counted_anew() -> None:
    random = Random()  # another part each time
    for _ in range(300):
        cards = random.sample(range(52), 4)
        one, other = (Cards.of(map(Card, pair)) for pair in (cards[:2], cards[2:]))
        answer = showdown_odds(
            parse_scenario([str(one), str(other)]), Effort(exact=True, ranked=False, table=False)
        )
        found = matchup(one, other)
        assert (found.win, found.tie) == (answer.players[0].win, answer.players[0].tie), cards


def test_the_table_has_every_matchup_once() -> None:
    keys, wins, ties = preflop_table()
    assert len(keys) == len(wins) == len(ties) == MATCHUPS
    assert keys.tolist() == sorted(set(keys.tolist()))


def test_arrays_of_all_matchups_agree_with_single_ones() -> None:
    win, tie = matchups()
    assert win.shape == (HANDS, HANDS)
    both = win + win.T + tie
    assert set(np.unique(both).tolist()) == {0, BOARDS}
    assert int((both > 0).sum()) == HANDS * 1_225
    random = Random(2)
    for _ in range(200):
        cards = random.sample(range(52), 4)
        one, other = (Cards.of(map(Card, pair)) for pair in (cards[:2], cards[2:]))
        found = matchup(one, other)
        at = hand_number(one), hand_number(other)
        assert (win[at], tie[at]) == (found.win, found.tie)


def test_kinds_are_summed_over_all_their_combos() -> None:
    every = kind_matchups()
    assert len(every) == 169 * 169
    assert every["AA", "KK"].pairs == 36
    assert every["AA", "AA"].pairs == 6
    assert every["AA", "AA"].value == Fraction(1, 2)
    assert every["AKs", "AKs"].pairs == 12
    assert float(every["AA", "KK"].value) == pytest.approx(0.8195, abs=0.0001)
    for (one, other), found in every.items():
        assert found.value + every[other, one].value == 1
        assert found.lose == every[other, one].win
    pairs = sum(found.pairs for found in every.values())
    assert pairs == HANDS * 1_225


def test_the_order_of_hands_follows_from_the_whole_table() -> None:
    every, order = kind_matchups(), ORDERS[Ranking.HIGH]
    shares = []
    for one in order:
        found = [every[one, other] for other in order]
        points = sum(2 * part.win + part.tie for part in found)
        shares.append(Fraction(points, 2 * BOARDS * sum(part.pairs for part in found)))
    assert shares == sorted(shares, reverse=True)
    assert float(shares[0]) == pytest.approx(0.8520, abs=0.0001)  # aces: 85.20 %


def test_kinds_agree_with_counting_ranges() -> None:
    for one, other in (("AKs", "QQ"), ("T9s", "A5o")):
        effort = Effort(exact=True, ranked=False, table=False)
        answer = showdown_odds(parse_scenario([one, other]), effort)
        assert answer.players[0].value == kind_matchups()[one, other].value


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [("AhKh", "AhQd", "Ah is in both hands"), ("Ah", "QdQc", "expected two cards")],
)
def test_what_is_no_matchup_is_refused(one: str, other: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        matchup(Cards.parse(one), Cards.parse(other))


def test_a_matchup_needs_no_compiler() -> None:
    code = (
        "import sys; from engine.cards import Cards; from engine.odds import matchup;"
        "assert matchup(Cards.parse('AdAc'), Cards.parse('KhKs')).win == 1_388_072;"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


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


def test_every_matchup_has_its_kinds() -> None:
    every = kinds_by_place()
    assert set(every[:NOWHERE].sum(axis=1).tolist()) == {BOARDS}
    assert not every[NOWHERE:].any()


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
                own[:] = [
                    a + times * b for a, b in zip(own, kinds_by_place()[at].tolist(), strict=True)
                ]
    sums = table_sums(scenario, ranked=True)
    assert sums is not None
    assert sums.deals == deals
    assert sums.shares.tolist() == [[0, wins[0], ties], [0, wins[1], ties]]
    assert sums.kinds.tolist() == [[*kinds[0], 0], [*kinds[1], 0]]
    plain = table_sums(scenario, ranked=False)
    assert plain is not None
    assert plain.deals == sums.deals
    assert plain.shares.tolist() == sums.shares.tolist()


def test_everything_against_everything_is_even() -> None:
    for weight in ("", "@50, 22"):
        sums = table_sums(parse_scenario([f"any{weight}", f"any{weight}"]), ranked=True)
        assert sums is not None
        assert sums.shares[0].tolist() == sums.shares[1].tolist()
        assert sums.kinds[0].tolist() == sums.kinds[1].tolist()
        assert sums.kinds[0].sum() == sums.deals
        if not weight:
            assert sums.deals == 1326 * 1225 * BOARDS


def test_two_hands_of_whom_only_the_winner_is_asked() -> None:
    sums = table_sums(parse_scenario(["AdAc", "KhKs"]), ranked=False)
    assert sums is not None
    assert sums.shares.tolist() == [[0, 1_388_072, 6_538], [0, 317_694, 6_538]]
    assert not sums.kinds.any()


def test_a_package_without_its_tables_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for file, table in (
        ("preflop", preflop_table),
        ("preflop_kinds", kinds_table),
        ("omaha_order", class_places),
    ):
        monkeypatch.setattr("engine.odds.loading.get_data", lambda *_: None)
        table.cache_clear()
        with pytest.raises(ImportError, match=f"{file}.bin cannot be read"):
            table()
        monkeypatch.undo()
        table()


@pytest.mark.parametrize(
    "players",
    [["AdAc", "KhKs"], ["AhKh", ""], ["AhKh", "QQ+, AKs@50"], ["AA,KK,AKs", "22+"]],
)
def test_an_answer_from_the_tables_waits_for_no_compiler(players: list[str]) -> None:
    code = (
        "import sys; from engine.odds import parse_scenario, showdown_odds;"
        f"answer = showdown_odds(parse_scenario({players!r}));"
        "sys.exit(not answer.exact or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

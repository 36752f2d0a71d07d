"""A season of random matches: its records agree with a slow program that shares no code.

    python -m pytest tests/bot/stats tests/bot/storage/test_stats.py --long

plays 500 matches in the first and rebuilds the records of 1,000 in the second; without `--long`
there are fewer.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest

from bot.stats import VERSION
from bot.stats.folding import WHOLE, Book, Pair, PersonTotals
from bot.stats.match_record import Feat
from tests.bot.stats.seasons import counting, simulate_matches
from tests.naive import SUITS, THAI_RANKS, holds
from tests.naive_records import chance, season

SECOND_SEASON_FROM = 0.6
NOT_COUNTS = {"player", "expected", "boldest", "catch", "mu", "sigma"}  # compared by themselves
COUNTS = [field.name for field in fields(PersonTotals) if field.name not in NOT_COUNTS]
OF_PAIRS = [field.name for field in fields(Pair) if field.name not in ("player", "other")]
# by `VERSION`: a digest of the same matches' logs, and of the book that they give
DIGESTS: dict[int, tuple[str, str]] = {1: ("da9223871ad2a531", "a9e6fe538a0951c9")}


@pytest.mark.thorough
def test_a_season_is_recorded_as_a_slow_program_finds_it(pytestconfig: pytest.Config) -> None:
    number = 500 if pytestconfig.getoption("--long") else 60
    played = list(simulate_matches("a season", number))
    seasons = [1 if at < number * SECOND_SEASON_FROM else 2 for at in range(number)]
    records = [match.record() for match in played]
    book = Book.from_matches(
        (record, of) for record, of in zip(records, seasons, strict=True) if record is not None
    )
    expected = season(match.naive(of) for match, of in zip(played, seasons, strict=True))
    assert None in records  # some matches do not count

    people = {
        (scope.season, scope.game, player): row
        for scope, rows in book.people.items()
        for player, row in rows.items()
    }
    assert people.keys() == expected["people"].keys()
    for which, row in people.items():
        person = expected["people"][which]
        counts = {name: (getattr(row, name), person[name]) for name in COUNTS}
        otherwise = {name: pair for name, pair in counts.items() if pair[0] != pair[1]}
        assert otherwise == {}, "count them in tests/naive_records.py too: it has the second figure"
        assert Fraction(row.expected, WHOLE) == person["expected"]
        assert feat(row.boldest) == person.get("boldest")
        assert feat(row.catch) == person.get("catch")
        assert row.mu == pytest.approx(person["mu"], abs=1e-9)
        assert row.sigma == pytest.approx(person["sigma"], abs=1e-9)

    pairs: dict[Any, dict[str, int]] = {
        (scope.season, scope.game, *which): {name: getattr(row, name) for name in OF_PAIRS}
        for scope, rows in book.pairs.items()
        for which, row in rows.items()
    }
    assert pairs.keys() == expected["pairs"].keys()
    assert all(
        pairs[which][name] == expected["pairs"][which][name]
        for which in pairs
        for name in pairs[which]
    )


@pytest.mark.thorough
def test_other_figures_from_the_same_logs_have_another_version() -> None:
    matches = counting("pinned", 30)
    # without options: a new one, with its default, changes neither logs nor figures
    logs = [{**match.naive(), "options": None} for match in matches]
    records = [match.record() for match in matches]
    book = Book.from_matches((record, 1) for record in records if record is not None)
    lines = [
        f"{scope} {line_of(row)}"
        for by_scope in (book.people, book.pairs)
        for scope, rows in by_scope.items()
        for row in rows.values()
    ]
    now = digest(repr(logs)), digest(repr(sorted(lines)))
    pinned = DIGESTS.get(VERSION)
    assert pinned is not None, f"add to DIGESTS: {VERSION}: {now}"
    same_logs = pinned[0] == now[0]
    assert pinned == now, (
        "a match counted before would keep its figures: raise VERSION in bot/stats/__init__.py"
        if same_logs
        else f"these are other matches: put {now} into DIGESTS, with bot/stats as it was"
    )


def line_of(row: PersonTotals | Pair) -> str:
    """Return a row as text. Ratings have six digits, as machines may differ in the last ones."""
    return "".join(
        f"{name}={value:.6g} " if isinstance(value, float) else f"{name}={value} "
        for name, value in asdict(row).items()
    )


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def feat(feat_found: Feat | None) -> tuple[int, int, str, int] | None:
    return (
        None
        if feat_found is None
        else (feat_found.match_id, feat_found.round, feat_found.key, feat_found.chance)
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("key", "hole", "in_play"),
    [
        ("pair:9", ["9c", "Kd", "Ah"], 6),
        ("full_house:K,Q", ["Kc", "Kd", "Qh"], 6),
        ("straight:A", ["Tc", "Jd", "Qh"], 6),
        ("flush:c", ["9c", "Tc", "Jc"], 6),
        ("straight_flush:h", ["Jh", "Qh", "Kh"], 6),
        ("royal_flush:s", ["As", "Ks", "Qs"], 6),
    ],
)
def test_the_slow_programs_chances_are_those_of_all_draws(
    key: str, hole: list[str], in_play: int
) -> None:
    deck = [rank + suit for suit in SUITS for rank in THAI_RANKS]
    unseen = [card for card in deck if card not in hole]
    drawn = [
        holds(key, [*hole, *drawn_cards])
        for drawn_cards in combinations(unseen, in_play - len(hole))
    ]
    assert chance(key, hole, in_play, deck) == Fraction(sum(drawn), len(drawn))

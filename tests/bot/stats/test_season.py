"""A season of random matches: its records agree with a slow program that shares no code.

    python -m pytest tests/bot/stats tests/bot/storage/test_stats.py --long

plays 500 matches in the first and rebuilds the records of 1,000 in the second; without `--long`
there are fewer.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from bot.stats.folding import WHOLE, Book
from bot.stats.match_record import Feat
from tests.bot.stats.seasons import simulate_matches
from tests.naive import SUITS, THAI_RANKS, holds
from tests.naive_records import chance, season

SECOND_SEASON_FROM = 0.6
SUMS = [
    "matches",
    "wins",
    "streak",
    "longest",
    "rounds",
    "lost",
    "calls",
    "chances",
    "held",
    "doubted",
    "doubted_held",
]
SUMS += ["challenges", "challenges_right"]


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
        assert {name: getattr(row, name) for name in SUMS} == {name: person[name] for name in SUMS}
        assert Fraction(row.expected, WHOLE) == person["expected"]
        assert feat(row.boldest) == person.get("boldest")
        assert feat(row.catch) == person.get("catch")
        assert row.mu == pytest.approx(person["mu"], abs=1e-9)
        assert row.sigma == pytest.approx(person["sigma"], abs=1e-9)

    pairs: dict[Any, dict[str, int]] = {
        (scope.season, scope.game, *which): {
            name: getattr(row, name) for name in ("matches", "ahead", "behind", "won", "lost")
        }
        for scope, rows in book.pairs.items()
        for which, row in rows.items()
    }
    assert pairs.keys() == expected["pairs"].keys()
    assert all(
        pairs[which][name] == expected["pairs"][which][name]
        for which in pairs
        for name in pairs[which]
    )


def feat(feat_found: Feat | None) -> tuple[int, int, str, int] | None:
    return (
        None
        if feat_found is None
        else (feat_found.match_id, feat_found.round, feat_found.key, feat_found.chance)
    )


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

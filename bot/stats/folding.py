"""Matches added up into stored rows: one for each person, and one for each pair of people who met.

A match counts in four scopes: its game and all games, in its season and in all seasons. Each scope
has its own rows and ratings, so that every question is one look-up. Only `fold_match` computes
rows: at the end of a match, and when records are rebuilt from the logs.

Ratings are Weng and Lin's Bayesian ranking with the Plackett-Luce model, by the openskill library
("A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011). A person's strength is a
normal distribution with mean `mu` and standard deviation `sigma`. A match moves each person's
distribution according to the places, further if the result is unexpected; equals share a place. The
displayed rating is based on `mu - 3 sigma`, which is almost certainly not too high, on a scale
where a newcomer has 1000.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from bot.stats.match_record import CERTAIN, Feat, MatchRecord, PairLine, PersonLine

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


MU: Final = 25.0
SIGMA: Final = MU / 3
PROVISIONAL: Final = 10  # matches before a rating is established
NEWCOMER: Final = 1000
STEP: Final = 40  # displayed points for each 1 of `mu - 3 sigma`
Rating = tuple[float, float]  # mu, sigma


def rate_match(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return people's ratings after a match, in the given order; place 1 is the winner's."""
    model = _model()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [(rating.mu, rating.sigma) for (rating,) in after]


def lower_bound(rating: Rating) -> float:
    """Return `mu - 3 sigma`, which a player's strength almost certainly exceeds."""
    mu, sigma = rating
    return mu - 3 * sigma


def points(worth: float) -> int:
    """Return the displayed rating for `worth`, a rating's `lower_bound`."""
    return round(NEWCOMER + STEP * worth)


@cache
def _model() -> PlackettLuce:
    """Return openskill's model, loaded on first use: commands that rate nobody start quickly."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)


EVERY_SEASON: Final = 0
EVERY_GAME: Final = ""
WHOLE: Final = 360_360  # stands for one win; divisible by every table size up to 15


@dataclass(frozen=True, slots=True)
class Scope:
    """The season and the game of the matches that a stored row adds up."""

    season: int = EVERY_SEASON  # from 1
    game: str = EVERY_GAME  # a variant's key


@dataclass(frozen=True, slots=True)
class PersonTotals:
    """One person in one scope: the sums of their `PersonLine`s, and their streaks and rating.

    `expected` is the sum of 1/n over their matches of n people, in units of `WHOLE`: the wins
    expected by luck. `streak` is the current number of wins in a row, `longest` the record.
    """

    player: int
    matches: int = 0
    wins: int = 0
    expected: int = 0
    streak: int = 0
    longest: int = 0
    rounds: int = 0
    lost: int = 0
    calls: int = 0
    chances: int = 0
    held: int = 0
    doubted: int = 0
    doubted_held: int = 0
    challenges: int = 0
    challenges_right: int = 0
    boldest: Feat | None = None
    catch: Feat | None = None
    mu: float = MU
    sigma: float = SIGMA

    @property
    def worth(self) -> float:
        """The value that leaderboards sort by, see `lower_bound`."""
        return lower_bound((self.mu, self.sigma))

    @property
    def is_established(self) -> bool:
        """Whether the rating is no longer provisional."""
        return self.matches >= PROVISIONAL

    @property
    def expected_wins(self) -> float:
        """The number of wins expected by luck."""
        return self.expected / WHOLE

    @property
    def mean_chance(self) -> float | None:
        """The mean chance of their bids, 0 to 1; lower is bolder. None without bids."""
        return self.chances / (self.calls * CERTAIN) if self.calls else None


@dataclass(frozen=True, slots=True)
class Pair:
    """One person against another in one scope: the sums of their `PairLine`s."""

    player: int
    other: int
    matches: int = 0
    ahead: int = 0
    behind: int = 0
    won: int = 0
    lost: int = 0

    def plus(self, line: PairLine) -> Pair:
        """Return the pair with one more match, `line`, added."""
        return Pair(
            self.player,
            self.other,
            self.matches + 1,
            self.ahead + line.ahead,
            self.behind + line.behind,
            self.won + line.won,
            self.lost + line.lost,
        )


def scopes(season: int, game: str) -> tuple[Scope, ...]:
    """Return the scopes in which a match of a season counts."""
    return tuple(
        Scope(span, of)
        for span in (season, EVERY_SEASON)
        for of in dict.fromkeys((game, EVERY_GAME))
    )


def fold_match(before: Mapping[int, PersonTotals], record: MatchRecord) -> tuple[PersonTotals, ...]:
    """Return people's rows in one scope after a match.

    `before` has their rows before the match, by player. A person without a row is new.
    """
    lines = record.people
    rows = [before.get(line.player) or PersonTotals(line.player) for line in lines]
    ratings = rate_match([(row.mu, row.sigma) for row in rows], [line.place for line in lines])
    share = round(WHOLE / len(lines))
    return tuple(
        replace(_plus(row, line, share), mu=mu, sigma=sigma)
        for row, line, (mu, sigma) in zip(rows, lines, ratings, strict=True)
    )


_SUMS: Final = (
    *("rounds", "lost", "calls", "chances", "held", "doubted", "doubted_held"),
    *("challenges", "challenges_right"),
)


def _plus(row: PersonTotals, line: PersonLine, share: int) -> PersonTotals:
    won = line.place == 1
    streak = row.streak + 1 if won else 0
    sums = {name: getattr(row, name) + getattr(line, name) for name in _SUMS}
    return replace(
        row,
        matches=row.matches + 1,
        wins=row.wins + won,
        expected=row.expected + share,
        streak=streak,
        longest=max(row.longest, streak),
        boldest=_better(row.boldest, line.boldest, least=True),
        catch=_better(row.catch, line.catch, least=False),
        **sums,
    )


def _better(known: Feat | None, new: Feat | None, *, least: bool) -> Feat | None:
    """Return the less likely of two feats, or the more likely if not `least`.

    Return the known one if they are equal, and the other one if either is None.
    """
    if known is None or new is None:
        return known or new
    better = new.chance < known.chance if least else new.chance > known.chance
    return new if better else known


class Book:
    """One server's records of people and pairs, computed in memory.

    Add the matches in the order of their ends.
    """

    def __init__(self) -> None:
        self.people: dict[Scope, dict[int, PersonTotals]] = {}
        self.pairs: dict[Scope, dict[tuple[int, int], Pair]] = {}

    def add(self, record: MatchRecord, season: int) -> None:
        """Add the next match."""
        for scope in scopes(season, record.game):
            people = self.people.setdefault(scope, {})
            people |= {row.player: row for row in fold_match(people, record)}
            pairs = self.pairs.setdefault(scope, {})
            for line in record.pairs:
                which = line.player, line.other
                pairs[which] = (pairs.get(which) or Pair(*which)).plus(line)

    @classmethod
    def from_matches(cls, matches: Iterable[tuple[MatchRecord, int]]) -> Book:
        """Return the book of these matches, each with its season."""
        book = cls()
        for record, season in matches:
            book.add(record, season)
        return book

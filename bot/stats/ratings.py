"""Ratings: Weng and Lin's Bayesian ranking with the Plackett-Luce model, by the openskill library.

A person's strength is thought of as a bell curve: `mu`, its middle, and `sigma`, how unsure it is.
A match moves everybody by their places, the more the less they were expected; equals share a place.
What is shown is `mu - 3 sigma`, which is almost certainly not too high, on a scale where a newcomer
has 1000. (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = MU / 3
PROVISIONAL: Final = 10  # matches until a rating is one to go by
NEWCOMER: Final = 1000
STEP: Final = 40  # points shown for one of `mu - 3 sigma`
Rating = tuple[float, float]  # mu, sigma


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of a match's people after it, in the order given; place 1 is the winner's."""
    model = _model()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [(rating.mu, rating.sigma) for (rating,) in after]


def surely(rating: Rating) -> float:
    """What somebody is at least worth, almost certainly: `mu - 3 sigma`; 0 for a newcomer."""
    mu, sigma = rating
    return mu - 3 * sigma


def points(worth: float) -> int:
    """`surely` on the scale that is shown."""
    return round(NEWCOMER + STEP * worth)


@cache
def _model() -> PlackettLuce:
    """Loaded when first used: a command line that rates nobody need not wait for it."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)

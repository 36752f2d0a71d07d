"""A mean with its 95 % interval, from independent observations of a share."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final, NamedTuple

from numpy.typing import NDArray

_OUTSIDE: Final = 0.05
# what Student's t exceeds in 2.5 % of cases, by degrees of freedom from 1 (Fisher and Yates)
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_NORMAL: Final = 1.959964


class Interval(NamedTuple):
    """A share of matches, and between which shares the true one lies in 95 % of such runs."""

    share: float
    low: float
    high: float


def interval(observed: NDArray[Any]) -> Interval:
    """The mean of shares from 0 to 1, one an observation; (observations,).

    By Student's t. Observations that are all alike say nothing of their spread: others may come
    with any chance that would have kept them away in 5 % of such runs. Raises ValueError for none.
    """
    number = len(observed)
    if not number:
        raise ValueError("no observations")
    share = float(observed.mean())
    if float(observed.min()) == float(observed.max()):
        half = 1 - float(_OUTSIDE ** (1 / number))
    else:
        half = student(number - 1) * float(observed.std(ddof=1)) / sqrt(number)
    return Interval(share, max(0.0, share - half), min(1.0, share + half))


def student(freedom: int) -> float:
    """How many standard errors to each side hold 95 %, with so many degrees of freedom.

    From a table up to 9, then by the expansion of Cornish and Fisher, right to 0.003.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)

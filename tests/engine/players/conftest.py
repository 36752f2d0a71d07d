"""A fixture for all tests of computer players."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def numbers_may_wrap() -> Iterator[None]:
    """Silence numpy's overflow warnings: kernels rely on integers that wrap around."""
    with np.errstate(over="ignore"):
        yield

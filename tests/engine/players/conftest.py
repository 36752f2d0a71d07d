"""What all tests of computer players need."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def numbers_may_wrap() -> Iterator[None]:
    """Kernels count bits and draw chance in numbers that wrap; only plain Python minds it."""
    with np.errstate(over="ignore"):
        yield

"""Set up all tests: no deadlines for hypothesis, command line options, slow files first."""

from __future__ import annotations

import gc

import pytest
import structlog
from hypothesis import HealthCheck, settings

# a shared machine may pause for a second at any time, so no test may fail for being slow
settings.register_profile(
    "ci", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("ci")

# the default prints every local variable of every frame, which takes most of the time of an error
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options; each option's help says what it does."""
    parser.addoption("--long", action="store_true", help="as many matches as the documents say")
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")
    parser.addoption("--screenshots", metavar="DIR", help="write pictures of the browser match")
    parser.addoption("--every-look", action="store_true", help="light and dark on both screens")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort files with real processes, browsers or whole matches first.

    Started last, such a file would keep one worker busy while the other workers are idle.
    """
    slow = {
        item.path
        for item in items
        if any(item.get_closest_marker(mark) for mark in ("process", "browser", "long"))
    }
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Exclude all that was imported so far from garbage collection: tests are a tenth faster."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)

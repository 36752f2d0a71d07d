"""Fixtures: a table whose odds are computed by the stand-in `Bench`, without time pressure."""

from __future__ import annotations

from functools import partial

import pytest

from bot.discord.odds import handlers
from tests.bot.conftest import Seat
from tests.bot.discord.odds.bench import Bench
from tests.people import PATIENCE


@pytest.fixture
def table(table: Seat, monkeypatch: pytest.MonkeyPatch) -> Seat:
    """Return the fixture `table`, with a `Bench` as the bot's `computing`: `await table(2)`.

    Unless a test changes `SOON`, the bot never says that an answer takes longer.
    """
    monkeypatch.setattr(handlers, "SOON", PATIENCE)
    return partial(table, computing=Bench())

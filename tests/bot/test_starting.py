"""The bot's start, which imports and reads only what every bot needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
import bot.app, bot.from_settings, bot.pictures.cards
from bot.pictures.typefaces import _place, open_font
print(_place.cache_info().currsize, open_font.cache_info().currsize)
heavy = "sqlalchemy.orm", "asyncpg", "alembic", "numpy", "numba", "matplotlib"
print([name for name in heavy if name in sys.modules])
"""


FIRST_ANSWER = """
import sys
sys.argv[:] = ["bluffhouse", "odds", "showdown", "AhKh vs QQ"]
from bot.__main__ import main
try:
    main()
except SystemExit:
    pass
slow = "numba", "logging", "tomllib", "importlib.resources", "rich", "structlog", "babel"
print([name for name in slow if name in sys.modules])
"""


def test_no_font_is_read_and_nothing_heavy_imported_before_it_is_needed() -> None:
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "0 0\n[]\n", ran.stderr


def test_a_first_showdown_waits_for_nothing_it_does_not_need() -> None:
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_ANSWER], cwd=root, capture_output=True, text=True, check=False
    )
    assert ran.stdout.endswith("\n[]\n"), ran

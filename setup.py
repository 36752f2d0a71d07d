"""List the packages to build, and where a wheel puts them; all else is in `pyproject.toml`.

A wheel has one package at the top of site-packages, `bluffhouse`, and the others inside it. Code
imports `bot`, `engine` and `migrations`, which `bluffhouse/__init__.py` makes importable. An
editable installation (a checkout) leaves them where they are.
"""

import sys

from setuptools import find_packages, setup

ROOMS = ("bot", "engine", "migrations")
DATA = {
    "bluffhouse": ["py.typed"],
    "bot": [
        "pictures/dejavu/*",
        "pictures/noto/*",
        "replays/page/*",
        "sandbox/page/*",
        "py.typed",
        "locales/*/*.toml",
        "locales/*/LC_MESSAGES/*.po",
    ],
    "engine": [
        "py.typed",
        "odds/__init__.pyi",
        "odds/three_card/__init__.pyi",
        "players/__init__.pyi",
        "odds/showdown/*.bin",
        "players/weights/*",
    ],
}
inside = "" if "editable_wheel" in sys.argv else "bluffhouse."
rooms = find_packages(include=[pattern for room in ROOMS for pattern in (room, f"{room}.*")])

setup(
    packages=["bluffhouse", *(inside + name for name in rooms)],
    package_dir={inside + room: room for room in ROOMS},
    package_data={
        name if name == "bluffhouse" else inside + name: files for name, files in DATA.items()
    },
)

"""Follow "Writing your own player" in docs/computer-players.md word by word, in a copy."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_adding_a_game import COPIED, ROOT, ProjectCopy

pytestmark = pytest.mark.long  # a document followed word by word in a copy of the project

PAGE = ROOT / "docs/computer-players.md"
SECTION = re.compile(r"^## Writing your own player\n(.*?)^## ", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectCopy]:
    """Yield a copy of the project in which the page's section was followed, for all tests."""
    root = tmp_path_factory.mktemp("house")
    for name in COPIED:
        copied = ROOT / name
        if copied.is_dir():
            # with compiled kernels: the page changes none, and copies keep their times
            shutil.copytree(copied, root / name)
        else:
            shutil.copy(copied, root / name)
    section = SECTION.search(PAGE.read_text("utf-8"))
    assert section is not None
    built = ProjectCopy(root)
    built.follow(section[1])
    yield built
    shutil.rmtree(root)


def test_a_player_of_ones_own_is_one_file_and_a_line(project: ProjectCopy) -> None:
    assert project.files == ["engine/players/timid.py", "engine/players/characters.py"]
    assert project.printed == ["a winner and many bids\n"]


def test_it_is_as_clean_as_the_rest(project: ProjectCopy) -> None:
    project.run("-m", "ruff", "check", "--no-cache", *project.files)
    project.run("-m", "ruff", "format", "--no-cache", "--check", *project.files)
    project.run("-m", "mypy", "--strict", "--follow-imports=silent", project.files[0])


def test_it_can_be_seated_by_name_and_bids_what_is_likelier_than_not(project: ProjectCopy) -> None:
    program = """
from engine.players import CHARACTERS, Memory, observe, choose
from engine.play import apply, start
from engine.variants import ruleset
from engine.view import view_of
from tests.dealing import stacked_deal
match = start(ruleset("thai_poker"), range(2), 0)
match = apply(match, stacked_deal(match, {0: "9c Td Jh", 1: "Ac Kd Qh"}))
position = observe(view_of(match, 0), Memory("timid", 1))
print(CHARACTERS["timid"].about, "-", choose(position, match.ruleset).action.key)
"""
    assert project.run("-c", program) == "bids what is likelier than not - high_card:9\n"


def test_the_page_is_where_readers_are_sent() -> None:
    assert Path(PAGE).exists()
    for page in ("README.md", "docs/architecture.md"):
        assert "computer-players.md" in (ROOT / page).read_text("utf-8"), page

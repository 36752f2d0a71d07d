"""Follow docs/adding-a-game.md word by word, in a copy of the project.

Every block of the page is used as it is: files are written and changed, and programs and commands
are run, including the rules' tests, which play whole matches of the game. Then the tests play the
game and ask for its odds, each in a new process that imports the copy.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long  # a document followed word by word in a copy of the project

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/adding-a-game.md"
COPIED = ("engine", "bot", "migrations", "tests", "benchmarks", "docs", "pyproject.toml")
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
NEW_FILE = re.compile(r"A new file, `([^`]+)`:$")
AT_THE_END = re.compile(r"At the end of `([^`]+)`, after two blank lines:$")
INSIDE = re.compile(r"In `([^`]+)`:$")

CHANCES = """
import json, sys
from engine.cards import Cards
from engine.odds import bid_chance, kind_chances
from engine.variants import by_short
from tests.naive_bids import chance_by_trying, hands_of_bid, hands_of_kind

game = by_short("dacha")
assert [option.key for option in game.odds_options] == ["jokers"]
rules = game.ruleset({"jokers": int(sys.argv[1])})
assert rules.terms.challenged == "denied"
known, in_play = Cards.parse("6c 6d 7c 8c 9c Th Jh Kh Kd As"), 12
asked = {bid.key: bid for bid in [*rules.ladder][::4]} | {bid.kind: bid for bid in rules.ladder}
for key, bid in asked.items():
    exact = bid_chance(bid, rules.deck, in_play, known)
    tried = chance_by_trying(hands_of_bid(bid, rules.deck), rules.deck, in_play, known)
    print(json.dumps([key, exact.favourable, exact.total, *tried]))
for kind, exact in kind_chances(rules.ladder.kinds, rules.deck, in_play, known).items():
    tried = chance_by_trying(hands_of_kind(kind, rules.deck), rules.deck, in_play, known)
    print(json.dumps([f"any {kind}", exact.favourable, exact.total, *tried]))
"""

MATCHES = """
import asyncio, json, tempfile
from pathlib import Path
from bot.sandbox.world import Sandbox
from tests.bot.harness import Table, running_bot, settings

async def main():
    world = Sandbox()
    await world.start(port=0)
    channel = world.add_guild("The Dacha").add_text_channel("veranda")
    people = [world.add_person(name) for name in ("Ann", "Bob", "Cleo")]
    with tempfile.TemporaryDirectory() as folder:
        async with running_bot(world, settings(Path(folder))) as bot:
            at = Table(world, bot, channel, people)
            rules = await at.host.slash(channel, "help", game="Dacha Poker")
            odds = await at.host.slash(
                channel, "odds dacha", in_play=12, cards="6c 6d", bid="pair of sixes", jokers=2
            )
            odds = await odds.settle()
            table = await at.start("Dacha Poker")
            await at.call(at.turn())
            standing = at.standing()
            await at.turn().click(at.message(), "Deny")
            await at.settle()
            message = at.message()
            print(json.dumps({
                "rules": rules.text,
                "odds": odds.text,
                "pictures": [len(odds.message.attachments), len(message.attachments)],
                "table": table.text,
                "buttons": table.buttons,
                "standing": standing,
                "shown": message.text,
            }))
    await world.stop()

asyncio.run(main())
"""


@dataclass
class ProjectCopy:
    """A copy of the project, in which a documentation page is followed.

    `files` are the files written. `printed` is what each of the page's programs printed.
    """

    root: Path
    files: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)

    def run(self, *arguments: str) -> str:
        """Run Python with `arguments` and return what it prints; it must succeed."""
        process = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert process.returncode == 0, f"{arguments}\n{process.stdout}\n{process.stderr}"
        return process.stdout

    def program(self, text: str, *arguments: str) -> list[Any]:
        """Run a program and return the JSON values that it prints, one for each line."""
        return [json.loads(line) for line in self.run("-c", text, *arguments).splitlines()]

    def follow(self, page: str) -> None:
        """Do what each block of the page asks, in order.

        Fails the test if the page doesn't say what to do with a block, or shows another output.
        """
        inside = ""
        for match in BLOCK.finditer(page):
            kind, text = match["kind"], match["text"]
            before = page[: match.start()].rstrip().rpartition("\n\n")[2].replace("\n", " ")
            if kind == "python" and (named := NEW_FILE.search(before)):
                self.write(named[1], text, new=True)
            elif kind == "python" and (named := AT_THE_END.search(before)):
                file = self.root / named[1]
                self.write(named[1], f"{file.read_text('utf-8')}\n\n{text}")
            elif kind == "python":
                self.printed.append(self.run("-c", text))
            elif kind == "diff":
                inside = named[1] if (named := INSIDE.search(before)) else inside
                self.write(inside, apply_diff((self.root / inside).read_text("utf-8"), text))
            elif kind == "text":
                assert shows(text, self.printed[-1])
            elif kind == "sh":
                for line in text.splitlines():
                    python, *arguments = shlex.split(line)
                    assert python == "python"
                    self.run(*arguments)
            else:
                pytest.fail(f"nothing says what to do with a block of {kind}")

    def write(self, name: str, text: str, *, new: bool = False) -> None:
        """Write a file of the copy, which must exist already or, if `new`, must not exist yet."""
        file = self.root / name
        assert file.exists() is not new, name
        file.write_text(text, encoding="utf-8")
        self.files.append(name)


def apply_diff(text: str, diff: str) -> str:
    """Return `text` with the - lines of `diff`, which must occur once, replaced by the + lines."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] == "-")
    new = "".join(line[1:] for line in lines if line[0] == "+")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)


def shows(expected: str, printed: str) -> bool:
    """Return whether `expected` was printed; its line of three dots stands for any lines."""
    beginning, dots, end = expected.partition("...\n")
    whole = printed == expected
    return whole if not dots else printed.startswith(beginning) and printed.endswith(end)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectCopy]:
    """Give all tests a copy of the project, changed as docs/adding-a-game.md says."""
    root = tmp_path_factory.mktemp("house")
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("kernels-*", "*.pyc.*")  # others', and half-written
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, root / name)
    built = ProjectCopy(root)
    built.follow(PAGE.read_text("utf-8"))
    yield built
    shutil.rmtree(root)


def test_the_page_changes_just_these_files(project: ProjectCopy) -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("```") == 2 * len(BLOCK.findall(page))
    assert project.files == [
        "engine/variants/dacha_poker.py",
        *["engine/variants/__init__.py"] * 2,
        "tests/engine/test_golden.py",
        "tests/naive.py",
    ]
    path = project.run("-c", "import engine.variants; print(engine.variants.__file__)").strip()
    assert Path(path).is_relative_to(project.root)


def test_what_the_page_adds_is_as_clean_as_the_rest(project: ProjectCopy) -> None:
    files = sorted(set(project.files))
    project.run("-m", "ruff", "check", "--no-cache", *files)
    project.run("-m", "ruff", "format", "--no-cache", "--check", *files)
    project.run("-m", "mypy", "--strict", "--follow-imports=silent", *files[:2])


def test_its_ladder_is_the_one_that_the_page_shows(project: ProjectCopy) -> None:
    printed = project.printed[0].splitlines()
    numbers = [int(line.split()[0]) for line in printed]
    assert numbers == list(range(1, 156))
    golden_text = (project.root / "tests/golden/dacha_poker.ladder").read_text("utf-8")
    lines = [re.sub(r"\s+", " ", line).strip() for line in golden_text.splitlines()]
    for line in printed:
        for name in line.split(" ", 1)[1].split(" = "):
            assert any(name in golden for golden in lines), name
    order = ["six high", "ace high", "pair of sixes", "sevens and sixes", "straight to the ten"]
    order += ["three sixes", "sixes full of sevens", "club flush", "four sixes", "club royal flush"]
    places = [next(i for i, line in enumerate(printed) if name in line) for name in order]
    assert all(lower < higher for lower, higher in pairwise(places))


@pytest.mark.parametrize("jokers", ["0", "2"])
def test_its_chances_are_those_of_trying_every_deal(project: ProjectCopy, jokers: str) -> None:
    answers = project.program(CHANCES, jokers)
    assert {f"any {kind}" for kind in ("pair", "straight", "flush")} <= {row[0] for row in answers}
    assert len(answers) > 50
    for key, favourable, total, tried, deals in answers:
        assert (favourable, total) == (tried, deals), key
    assert any(0 < row[1] < row[2] for row in answers)


def test_the_command_line_has_its_odds_and_its_analysis(project: ProjectCopy) -> None:
    options = ("--in-play", "12", "--known", "6c 6d", "--bid", "pair of sixes", "--json")
    answered = json.loads(project.run("-m", "bot", "odds", "dacha", *options))
    assert (answered["game"], answered["deck"], answered["in_play"]) == ("dacha", 36, 12)
    assert answered["bids"][0]["probability"] == 1
    ladder = project.run("-m", "bot", "odds", "dacha", "--in-play", "12", "--jokers", "2")
    assert "Dacha Poker" in ladder
    table = project.run("-m", "bot", "analyze", "dacha", "--min", "4", "--max", "8")
    assert "36-card deck" in table
    assert table.splitlines()[-1].startswith(" 8 exact  100")


def test_discord_has_its_odds_its_rules_its_table_and_its_pictures(project: ProjectCopy) -> None:
    (session,) = [
        json.loads(line) for line in project.run("-c", MATCHES).splitlines() if line[0] == "{"
    ]
    assert "Dacha Poker" in session["rules"]
    assert "claim" in session["rules"]
    assert "ix high" in session["rules"]
    assert "100%" in session["odds"].replace("\u00a0", " ")
    assert session["pictures"] == [1, 1]
    assert "Dacha Poker · Round 1" in session["table"]
    assert "Type…" in session["buttons"]
    assert session["standing"].endswith(" high")
    assert "denied" in session["shown"]

"""The wheel in an empty environment, as pip, pipx and uvx install it.

The dependencies aren't installed: a path file adds the packages of the environment that runs the
tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
ROOMS = ("bot", "engine", "migrations")
STRANGER = "raise SystemExit('a stranger was imported')\n"


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel, and an empty folder in which a user calls it."""

    wheel: Path
    environment: Path
    folder: Path

    @property
    def packages(self) -> Path:
        """The environment's site-packages."""
        (folder,) = self.environment.glob("[Ll]ib/python3*/site-packages")
        return folder

    def start(self, *command: str, **variables: str) -> subprocess.Popen[str]:
        """Start a program of the environment in the user's folder."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        clean = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        clean |= {"HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"} | variables
        program, *arguments = command
        return subprocess.Popen(
            [str(self.environment / "bin" / program), *arguments],
            cwd=self.folder,
            env=clean,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command: str, **variables: str) -> str:
        """Run a program to its end and return what it printed. It must exit with 0."""
        process = self.start(*command, **variables)
        printed, errors = process.communicate()
        assert process.returncode == 0, errors
        return printed


def build_wheel(sources: Path, folder: Path) -> Path:
    """Build the wheel of the sources in `sources`, in `folder`; return its path."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    subprocess.run([*pip, *options, str(sources)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def build(folder: Path) -> Path:
    """Build the wheel from the files that git doesn't ignore, copied to `folder`; return its path.

    Leftovers of earlier builds are left out.
    """
    paths = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "bluffhouse", *ROOMS]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in listed.rstrip("\0").split("\0"):
        copy = folder / "sources" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    return build_wheel(folder / "sources", folder)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build(folder)
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    installation = Installed(wheel, environment, folder)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    into = ["--python", str(environment / "bin" / "python"), "install", "--no-compile"]
    subprocess.run([*pip, *into, "--no-deps", "--no-index", str(wheel)], check=True)
    (installation.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return installation


def test_the_source_archive_makes_the_same_wheel(installed: Installed, tmp_path: Path) -> None:
    program = f"from setuptools import build_meta as b; print(b.build_sdist({str(tmp_path)!r}))"
    command = [sys.executable, "-c", program]
    sources = installed.folder / "sources"
    subprocess.run(command, cwd=sources, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path, filter="data")
    again = build_wheel(tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path)
    names = [zipfile.ZipFile(wheel).namelist() for wheel in (installed.wheel, again)]
    assert sorted(names[0]) == sorted(names[1])


def bare_environment(home: Path) -> dict[str, str]:
    """Create the folder `home`, and return the environment variables of a user whose home it is.

    They include this process's PATH and LANG, and the variables that say where packages are
    downloaded from.
    """
    home.mkdir(exist_ok=True)
    prefixes = ("PIP_", "UV_", "SSL_", "HTTP", "NO_PROXY", "http", "no_proxy")
    inherited = {name: os.environ[name] for name in os.environ if name.startswith(prefixes)}
    inherited |= {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return inherited | {"HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.parametrize(
    "install",
    [("uv", "tool", "install", "--python", sys.executable), ("pipx", "install")],
    ids=["uv", "pipx"],
)
def test_uv_and_pipx_install_it_into_an_empty_home(
    installed: Installed, tmp_path: Path, install: tuple[str, ...]
) -> None:
    """Given an empty home, uv and pipx install the wheel and its dependencies, and it runs."""
    if shutil.which(install[0]) is None:
        pytest.skip(f"{install[0]} isn't installed")
    settings = bare_environment(tmp_path / "home") | {"PIPX_DEFAULT_PYTHON": sys.executable}

    def run(*command: str) -> str:
        process = subprocess.run(
            command, env=settings, cwd=tmp_path, capture_output=True, text=True
        )
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout

    run(*install, str(installed.wheel))
    program = str(tmp_path / "home" / ".local" / "bin" / "bluffhouse")
    assert "store" in run(program, "--help")
    question = ("odds", "liars", "--in-play", "12", "--known", "Ah Kd *")
    assert "pair" in run(program, *question).lower()
    assert "Created the database" in run(program, "store", "migrate")


@pytest.fixture
def strangers(installed: Installed, tmp_path: Path) -> Installed:
    """Put packages named like ours in the user's folder: many Discord bots have such packages."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(STRANGER)
    return Installed(installed.wheel, installed.environment, tmp_path)


def test_a_wheel_has_one_name_and_every_file_of_the_code(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"bluffhouse"}
    sources = {
        str(file.relative_to(installed.folder / "sources"))
        for room in ROOMS
        for file in (installed.folder / "sources" / room).rglob("*")
        if file.is_file()
    }
    assert len(sources) > 300
    unused = {name for name in sources if name.endswith((".md", ".ts"))}  # for developers
    assert {name for name in sources - unused if f"bluffhouse/{name}" not in names} == set()


def test_help_and_odds_come_from_the_installation_wherever_they_are_called(
    strangers: Installed,
) -> None:
    assert "store" in strangers.run("bluffhouse", "--help")
    assert "bluffhouse" in strangers.run("python", "-m", "bluffhouse", "--version")
    answer = strangers.run("bluffhouse", "odds", "liars", "--in-play", "12", "--known", "Ah Kd *")
    assert "pair" in answer.lower()


def test_migrations_are_found(strangers: Installed) -> None:
    assert "Created the database" in strangers.run("bluffhouse", "store", "migrate")
    assert (strangers.folder / "data" / "bluffhouse.db").is_file()


def test_compiled_kernels_are_kept_in_the_users_cache(strangers: Installed) -> None:
    before = sorted(strangers.packages.rglob("*"))
    code = "from engine.odds.kernel_folders import *; print(kernel_folder(ENGINE, 'odds/bids'))"
    program = f"import bluffhouse; bluffhouse.put_first(); {code}"
    folder = Path(strangers.run("python", "-c", program).strip())
    assert folder.parent == strangers.folder / "home" / ".cache" / "bluffhouse"
    assert sorted(strangers.packages.rglob("*")) == before


def test_the_bot_and_its_processes_start(strangers: Installed) -> None:
    """The local Discord and the process that counts odds must start from the installation too."""
    before = sorted(strangers.packages.rglob("*"))
    playing = strangers.start("bluffhouse", "sandbox", "--port", "0", NUMBA_DISABLE_JIT="1")
    assert playing.stdout is not None
    assert playing.stderr is not None
    try:
        assert playing.stdout.readline().startswith("Open http://")
        awaited = {"bot: ready", "computing: started"}
        lines = []
        for line in playing.stderr:
            lines.append(line)
            awaited = {text for text in awaited if text not in line}
            if not awaited:
                break
        assert awaited == set(), "".join(lines)
        assert "stranger" not in "".join(lines)
    finally:
        playing.terminate()
        playing.communicate()
    assert sorted(strangers.packages.rglob("*")) == before


def test_the_library_is_importable_by_other_programs(installed: Installed) -> None:
    program = "import bluffhouse\nfrom engine.odds import Range\nprint(len(Range.parse('15%')))"
    assert int(installed.run("python", "-c", program)) > 100


def test_a_package_that_took_the_name_is_refused_in_a_sentence(
    strangers: Installed, tmp_path: Path
) -> None:
    (tmp_path / "bot" / "__init__.py").write_text("")
    program = "import bot, bluffhouse.__main__ as entry; entry.main()"
    process = strangers.start("python", "-c", program)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert errors.startswith("bluffhouse: another package named bot is imported here")
    assert len(errors.splitlines()) == 1

"""A platform without wheels is refused in one sentence before anything is built.

The README names the same platforms.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("supported", ROOT / "deploy" / "supported.py")
assert _SPEC is not None
assert _SPEC.loader is not None
supported = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(supported)

GLIBC, NONE = ("glibc", "2.36"), ("", "")


@pytest.mark.parametrize(
    ("system", "machine", "libc", "mac"),
    [
        ("Linux", "x86_64", GLIBC, ""),
        ("Linux", "aarch64", ("glibc", "2.28"), ""),
        ("Darwin", "arm64", NONE, "12.0"),
        ("Windows", "AMD64", NONE, ""),
    ],
)
def test_what_has_wheels_is_not_refused(
    system: str, machine: str, libc: tuple[str, str], mac: str
) -> None:
    assert supported.why_not(system, machine, libc, mac) is None


@pytest.mark.parametrize(
    ("system", "machine", "libc", "mac", "reason"),
    [
        ("Linux", "x86_64", NONE, "", "musl"),
        ("Linux", "x86_64", ("glibc", "2.17"), "", "glibc 2.17"),
        ("Linux", "armv7l", GLIBC, "", "armv7l"),
        ("Darwin", "x86_64", NONE, "15.1", "Intel"),
        ("Darwin", "arm64", NONE, "11.7", "macOS 11.7"),
        ("Windows", "ARM64", NONE, "", "arm64"),
        ("FreeBSD", "amd64", NONE, "", "FreeBSD"),
    ],
)
def test_what_has_none_is_named(
    system: str, machine: str, libc: tuple[str, str], mac: str, reason: str
) -> None:
    assert reason in supported.why_not(system, machine, libc, mac)


def test_this_machine_is_looked_at_before_an_environment_is_made() -> None:
    ended = subprocess.run([sys.executable, str(ROOT / "deploy" / "supported.py")], check=False)
    assert ended.returncode == 0
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split(".venv/bin/python:\n")[1]
    assert recipe.index("deploy/supported.py") < recipe.index("-m venv")


def test_the_readme_names_the_platforms_where_it_says_what_is_needed() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    needed = readme[readme.index("## Play right now") : readme.index("```sh git clone")]
    for platform_name in (
        "glibc 2.28",
        "x86-64",
        "aarch64",
        "macOS 12",
        "Apple silicon",
        "Windows on x64",
    ):
        assert platform_name in needed
        assert platform_name in supported.SUPPORTED

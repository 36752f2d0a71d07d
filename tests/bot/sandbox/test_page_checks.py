"""What the checks of the page's JavaScript are installed from: exact, and from any registry."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_npm_lock_file_names_no_host_and_every_package_has_its_hash() -> None:
    text = (ROOT / "package-lock.json").read_text()
    assert re.findall(r'"[^"]*://[^"]*"', text) == []  # `make lock` leaves addresses out
    packages = json.loads(text)["packages"]
    assert [name for name, one in packages.items() if name and not one.get("integrity")] == []


def test_the_pages_dev_dependencies_are_exact() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())

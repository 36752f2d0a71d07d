"""The pages of the documentation site, as they are written for its builder."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine.odds

ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("pages", ROOT / "deploy" / "pages.py")
assert _SPEC is not None
assert _SPEC.loader is not None
site = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(site)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    site.write_pages(folder)
    return folder


def pages_in(entry: Any) -> set[str]:
    """Return the pages below an entry of the navigation."""
    if isinstance(entry, str):
        return {entry}
    parts = entry.values() if isinstance(entry, dict) else entry
    return {page for part in parts for page in pages_in(part)}


def test_every_page_is_in_the_navigation(folder: Path) -> None:
    text = (ROOT / "deploy" / "mkdocs.yml").read_text(encoding="utf-8")
    configuration = yaml.safe_load(
        text.replace("!!python/object/apply:pymdownx.slugs.slugify ", "")
    )
    assert pages_in(configuration["nav"]) == {page.name for page in folder.glob("*.md")}


def test_every_link_and_picture_of_the_site_is_there(folder: Path) -> None:
    gone = []
    for page in folder.glob("*.md"):
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
        links = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
        gone += [
            (page.name, link)
            for link in links
            if "://" not in link and not (folder / link).exists()
        ]
    assert gone == []
    assert (folder / "files/deploy/bluffhouse.service").is_file()


def test_nested_lists_are_lists_for_the_sites_builder_too() -> None:
    page = "1. One:\n   - a\n     goes on\n\n   ```sh\n   - no item\n   ```\n2. Two\n\nText\n- b"
    wide = page.replace("\n     ", "\n        ").replace("\n   - ", "\n    - ")
    wide = wide.replace("\n   ```", "\n    ```")
    assert site.widen_lists(page) == wide


def test_every_name_of_the_library_is_explained(folder: Path) -> None:
    text = (folder / site.API).read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n+(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert [*sections] == [*vars(engine.odds)["__all__"]]
    assert [name for name, section in sections.items() if len(section.split()) < 2] == []
    assert "counts, or refuses" in sections["Effort"]

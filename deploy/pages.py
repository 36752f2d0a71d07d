"""Write the documentation site's pages: `python deploy/pages.py FOLDER`; `make site` builds it.

The pages are the repository's own, in one folder; README.md is the front page. A link to another
file of the repository leads to a copy of that file. `api.md` is made from the docstrings of
`engine.odds`.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import engine.odds

ROOT: Final = Path(__file__).parents[1]
FRONT: Final = "README.md"
API: Final = "api.md"
_LINK: Final = re.compile(r'(?P<before>\]\(|src=")(?P<target>[^)#"\s:]+)(?P<after>[)#"])')
_ITEM: Final = re.compile(r" *(?:[-*]|\d+\.) +")
_FENCE: Final = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """Return the paths of the repository's pages that are on the site."""
    return [
        *(ROOT / name for name in (FRONT, "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
        *sorted((ROOT / "docs").glob("*.md")),
    ]


def write_pages(folder: Path) -> None:
    """Write every page, the pictures, and the files that pages link to; delete `folder` first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "docs" / "images", folder / "images")
    for page in pages():
        text = page.read_text(encoding="utf-8")
        parts = _FENCE.split(text)
        parts[::2] = [relink(part, page, folder) for part in parts[::2]]
        (folder / _name(page)).write_text(widen_lists("".join(parts)), encoding="utf-8")
    (folder / API).write_text("\n".join(api_page()), encoding="utf-8")


def _name(page: Path) -> str:
    return "index.md" if page == ROOT / FRONT else page.name


def relink(text: str, page: Path, folder: Path) -> str:
    """Return a page's text with links changed for the site; copy linked files into `folder`."""

    def replace(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / match["target"]))
        if target in pages():
            name = _name(target)
        elif target.is_relative_to(ROOT / "docs"):
            name = target.relative_to(ROOT / "docs").as_posix()
        else:
            name = f"files/{target.relative_to(ROOT).as_posix()}"
            if target.suffix == ".md":
                name += ".txt"
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copy)
        return f"{match['before']}{name}{match['after']}"

    return _LINK.sub(replace, text)


def widen_lists(text: str) -> str:
    """Return a page with four columns of indentation for each list level, as the builder needs.

    In the repository, an item's further lines are indented to its first letter.
    """
    lines, starts, fenced = [], list[int](), False
    for line in text.split("\n"):
        if not line.strip():
            lines.append(line)
            continue
        indent = len(line) - len(line.lstrip())
        item = None if fenced else _ITEM.match(line)
        if not fenced:
            while starts and indent < starts[-1]:
                starts.pop()
        lines.append(" " * (4 * len(starts) - (starts[-1] if starts else 0)) + line)
        if item is not None:
            starts.append(len(item[0]))
        if line.lstrip().startswith("```"):
            fenced = not fenced
    return "\n".join(lines)


def api_page() -> Iterator[str]:
    """Yield the lines of the page about `engine.odds`."""
    yield "# Names of `engine.odds`\n"
    yield "Made from their docstrings. [Ten examples](library.md) show how they go together.\n"
    for name in engine.odds.__all__:
        value = getattr(engine.odds, name)
        yield f"## {name}\n"
        if inspect.isclass(value):
            yield f"{_documented(value)}\n"
            yield from _members(value)
        elif callable(value):
            yield f"```python\n{_signature(name, value)}\n```\n"
            yield f"{_documented(value)}\n"
        else:
            yield f"A `{type(value).__name__}`.\n"


def _members(kind: type) -> Iterator[str]:
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if inspect.isfunction(function):
            yield f"- `{_signature(name, function)}`: {_documented(function, '    ')}"
        elif isinstance(member, property):
            yield f"- `{name}`: {_documented(member, '    ')}"
    yield ""


def _signature(name: str, value: Any) -> str:
    try:
        return f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):  # compiled
        return f"{name}(...)"


def _documented(value: Any, indent: str = "") -> str:
    text = inspect.getdoc(value) or ""
    return text.replace("\n", f"\n{indent}")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))

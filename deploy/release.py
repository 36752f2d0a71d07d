"""Make the parts of a release that its workflow needs: `python deploy/release.py notes v1.2.3`.

- `notes TAG` prints the changelog's section.
- `templates IMAGE TAG FOLDER` writes the files that hosts download, with the image in place of the
  placeholder. The image's tag is only the version's first number, so that pulling it gets every
  update that needs no work by hand.
- `source OWNER/NAME` writes the repository's address into `pyproject.toml`, so that a built release
  knows where to look for a newer one.

Each ends with one sentence and exit code 2 if the tag isn't the version in `pyproject.toml`, if the
changelog has no dated section for that version, or if the repository isn't an owner and a name.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PLACEHOLDER: Final = "registry.example.org/bluffhouse:your-tag"
TEMPLATES: Final = (
    "compose.yaml",
    "fly.toml",
    "pterodactyl.json",
    "unraid.xml",
)
_REPOSITORY: Final = re.compile(r"[\w.-]+/[\w.-]+")
_HEADING: Final = re.compile(r"^## (?P<version>\S+) \((?P<date>.+)\)$", re.MULTILINE)


class NotReleasable(Exception):
    """The tag, the files or the repository don't fit; `str()` of the error is a sentence."""


def check_version(tag: str, root: Path = ROOT) -> str:
    """Return the tag's version. Raises `NotReleasable` if it isn't that of `pyproject.toml`."""
    version = str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])
    if tag != f"v{version}":
        raise NotReleasable(
            f"the tag is {tag}, but pyproject.toml has version {version}; expected v{version}"
        )
    return version


def notes(tag: str, root: Path = ROOT) -> str:
    """Return the changelog's section of the tag's version.

    Raises `NotReleasable` if the tag isn't that of the version in `pyproject.toml`, or if the
    section is missing or has no date.
    """
    version = check_version(tag, root)
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [*_HEADING.finditer(text)]
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        if heading["version"] == version:
            if not re.fullmatch(r"\d{4}-\d\d-\d\d", heading["date"]):
                raise NotReleasable(
                    f"CHANGELOG.md dates {version} as {heading['date']!r}; expected a date such as"
                    " 2026-12-01"
                )
            return text[heading.end() : after.start() if after else None].strip() + "\n"
    raise NotReleasable(f"CHANGELOG.md has no section of {version}, such as ## {version} (date)")


def templates(image: str, tag: str, folder: Path, root: Path = ROOT) -> list[Path]:
    """Write the files that hosts download, with the released image; return their paths.

    Raises `NotReleasable` if the tag isn't that of the version in `pyproject.toml`.
    """
    version = check_version(tag, root)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in TEMPLATES:
        text = (root / "deploy" / name).read_text(encoding="utf-8")
        file = folder / name
        text = text.replace(PLACEHOLDER, f"{image.lower()}:{version.partition('.')[0]}")
        file.write_text(text, encoding="utf-8")
        written.append(file)
    return written


def write_source(repository: str, root: Path = ROOT) -> None:
    """Write the repository's address into `pyproject.toml`.

    Raises `NotReleasable` if `repository` isn't OWNER/NAME.
    """
    if _REPOSITORY.fullmatch(repository) is None:
        raise NotReleasable(
            f"{repository!r} is no repository; expected an owner and a name, such as ann/bluffhouse"
        )
    file = root / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    urls = f'[project.urls]\nSource = "https://github.com/{repository}"\n\n'
    text = text.replace("[project.scripts]\n", f"{urls}[project.scripts]\n")
    file.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run the command line, and return its exit code."""
    try:
        match arguments:
            case ["notes", tag]:
                print(notes(tag), end="")
            case ["templates", image, tag, folder]:
                templates(image, tag, Path(folder))
            case ["source", repository]:
                write_source(repository)
            case _:
                usage = "notes TAG | templates IMAGE TAG FOLDER | source OWNER/NAME"
                print(f"usage: release.py {usage}", file=sys.stderr)
                return 2
    except NotReleasable as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

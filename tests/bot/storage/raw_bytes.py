"""Search the bytes of all of a database's files, free pages and log included."""

from __future__ import annotations

from pathlib import Path


def forms(person: int) -> dict[str, bytes]:
    """Return the bytes that stand for an id in an SQLite file, by the way in which it is stored.

    "text": as digits in a text; "value": as an integer in a column; "key": as a row's key.
    """
    assert person >> 56, "a smaller one is written in fewer bytes"
    # SQLite's varint of nine bytes: seven bits each, and eight in the last
    groups = [person & 0xFF, *(person >> 8 + 7 * n & 0x7F | 0x80 for n in range(8))]
    return {
        "text": str(person).encode(),
        "value": person.to_bytes(8, "big"),
        "key": bytes(reversed(groups)),
    }


def files(database: Path) -> list[Path]:
    """Return the paths of the database, its log and its other files."""
    return sorted(path for path in database.parent.glob(f"{database.name}*") if path.is_file())


def texts_in_files(database: Path, person: int, *texts: str) -> set[str]:
    """Return the forms of the person's id, and those of the `texts`, that the files contain.

    The forms of the id are "text", "value" and "key".
    """
    content = b"".join(file.read_bytes() for file in files(database))
    forms_sought = forms(person) | {text: text.encode() for text in texts}
    return {name for name, form in forms_sought.items() if form in content}

"""The bytes of a database's files, wherever they are: pages, free pages, the log."""

from __future__ import annotations

from pathlib import Path


def forms(person: int) -> dict[str, bytes]:
    """The forms in which SQLite keeps an id: as text, as a value, as the key of a row."""
    assert person >> 56, "a smaller one is written in fewer bytes"
    # SQLite's varint of nine bytes: seven bits each, and eight in the last
    groups = [person & 0xFF, *(person >> 8 + 7 * n & 0x7F | 0x80 for n in range(8))]
    return {
        "text": str(person).encode(),
        "value": person.to_bytes(8, "big"),
        "key": bytes(reversed(groups)),
    }


def files(database: Path) -> list[Path]:
    """The database with its log and whatever else lies beside it."""
    return sorted(path for path in database.parent.glob(f"{database.name}*") if path.is_file())


def texts_in_files(database: Path, person: int, *texts: str) -> set[str]:
    """In which forms a person's id, and which of the texts, lie in the files."""
    content = b"".join(file.read_bytes() for file in files(database))
    forms_sought = forms(person) | {text: text.encode() for text in texts}
    return {name for name, form in forms_sought.items() if form in content}

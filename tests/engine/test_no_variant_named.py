"""Another game is one more file: only a game's own file names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from engine.variants import VARIANTS

ROOT = Path(__file__).parents[2]
# packages in which no file names a game
FOLDERS = ("engine", "bot/tables", "bot/services", "bot/boards", "bot/discord", "bot/cli")
SPARED = "engine/variants/"
MATTER_OF_COURSE = {"poker", "the"}  # words of titles that any text about cards may use


def names_of(variant):
    """Return the names of a variant: its key, its short name, its title and the title's words."""
    words = re.findall(r"[^\W_]+(?:['’](?=\w)[^\W_]+)?", variant.title)
    return {variant.key, variant.short, variant.title, *words}


NAMES = {name.lower() for variant in VARIANTS.values() for name in names_of(variant)}
# one form stands for all: Liars', Liar's and liars
STEMS = {re.sub(r"\W*s?\W*$", "", name) for name in NAMES - MATTER_OF_COURSE}
WORD = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, sorted(STEMS)))})", re.IGNORECASE)
SOURCES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py*"))
    if path.suffix in (".py", ".pyi") and not path.relative_to(ROOT).as_posix().startswith(SPARED)
]


def name(path):
    return path.relative_to(ROOT).as_posix()


def test_nothing_but_its_own_file_names_a_variant():
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert WORD.findall(text) == [], name(path)
        assert not name(path).startswith("engine/") or "engine.variants" not in text, name(path)


ALLOWED = {
    *("engine", "numba", "numpy", "__future__", "bisect", "collections"),
    *("contextlib", "dataclasses", "difflib"),
    *("enum", "functools", "hashlib", "hmac", "importlib", "itertools", "json", "math", "operator"),
    *("re", "string", "typing", "unicodedata"),
}
# the odds count, sample on threads and list their public names; the kernel of rules does none of it
ODDS_TOO = {"array", "concurrent", "fractions", "pkgutil", "threading", "tomllib", "zlib"}
# what is compiled is kept in files, and linked
KEEPS_KERNELS = {
    "engine/odds/compiling.py": {"pathlib"},
    "engine/odds/kernel_folders.py": {"os", "pathlib", "shutil", "tempfile"},
    "engine/odds/machine_code.py": {"ctypes", "llvmlite", "os", "pathlib", "struct"},
}


def test_the_engine_imports_only_itself_and_what_needs_no_machine():
    for path in SOURCES:
        if not name(path).startswith("engine/"):
            continue
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imported = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        } | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        allowed = ALLOWED | ODDS_TOO if name(path).startswith("engine/odds/") else ALLOWED
        allowed = allowed | KEEPS_KERNELS.get(name(path), set())
        assert {module.partition(".")[0] for module in imported} <= allowed, name(path)


def test_there_are_sources_to_look_at():
    assert {
        *("engine/play.py", "engine/wording.py", "engine/odds/bids/bid_table.py"),
        *("engine/odds/__init__.pyi", "bot/services/tables.py"),
    } <= set(map(name, SOURCES))
    for folder in FOLDERS:
        assert any(name(path).startswith(folder) for path in SOURCES), f"{folder} has no files"


def test_a_name_is_found_in_any_form_and_words_of_any_text_about_cards_are_none():
    for text in ("'thai_poker'", "/odds thai", "THAI = 1", "Liars' Poker", "Liar's dice"):
        assert WORD.search(text)
    for text in ("poker hands", "familiar", "a hand of the pool"):
        assert not WORD.search(text)

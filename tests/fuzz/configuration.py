"""Odd settings files and environments: `load` returns settings or raises one line without secrets.

Half of the environment's variables hold what a person might have meant; the rest is noise. All
secrets are the same word, and no output may contain it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from bot.settings.config import CONFIG, PREFIX, ConfigError, Settings, load, names, variables
from tests.fuzz import odd

SECRET: Final = "hunter2hunter2"
LONGEST: Final = 1_000
TOKEN: Final = "DISCORD_TOKEN"
SECTIONS: Final = tuple(Settings.model_fields)
VALUES: Final = (
    "true", "no", "0", "15", "1e3", "0x10", "debug", "json", "data/cards.db", "127.0.0.1",
    "https://discord.com/api/v10", "wss://gateway.discord.gg", f"postgresql://a:{SECRET}@h/b",
    f"postgresql://a:{SECRET}@[::1/b", "mysql://", "{}", "[]", "null", '{"level": {"a": 1}}',
    '{"url": 1}', "[" * 5_000, "9" * 5_000, "1" * 400, "",
)  # fmt: skip
ODD_TOML: Final = (
    "", "=", "[", "[[tables]]", "[tables]\n[tables]", "tables = 3", "'a b' = 1", "[a.b.c.d]",
    "[tables.lobby_minutes]", "[discord]\ntoken = '" + SECRET + "'", "x = [" + "[" * 9_000,
    "a = {" + "b = {" * 3_000, "[" + "a." * 5_000 + "a]", "n = " + "9" * 5_000, "a = nan",
    "[database]\nurl = ['" + SECRET + "']", "[database]\nurl = {a = '" + SECRET + "'}",
    "'''", '"""', 'a = "\\u0000"', "[\"a\\nb\"]\nc = 1", "[tables]\n\"a\\nb\" = 1",
)  # fmt: skip
EXAMPLES: Final = {
    "api_url": "https://discord.com/api/v10",
    "gateway_url": "wss://gateway.discord.gg",
    "policy_url": "https://example.org/privacy",
    "url": f"postgresql://a:{SECRET}@h/b",
}
_TYPED: Final = (
    "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "inf", "-nan", "[1, 'a']", "{a = 1}",
    "0xff", "1_000", "9" * 5_000, "true", "''", '"\\u202e\\n"', "[[[[]]]]", "-1", "1e999",
)  # fmt: skip


def judge(chance: Random) -> str:
    """Load odd settings; return the outcome in words.

    Raises AssertionError if a refusal is not one short line, if a secret is visible, or if a
    secret is empty.
    """
    with _odd_folder(chance) as path:
        try:
            settings = load(path)
        except ConfigError as error:
            sentence = str(error)
            assert sentence, "refused without a word"
            assert len(sentence) <= LONGEST, (
                f"a sentence of {len(sentence)} characters: {sentence[:200]!r}"
            )
            assert sentence.isprintable(), f"not one line that can be shown: {sentence!r}"
            assert SECRET not in sentence, f"a secret is said: {sentence!r}"
            return "refused"
    assert isinstance(settings, Settings)
    text = repr(settings)
    assert SECRET not in text, f"a secret is shown: {text}"
    assert all(settings.secrets)  # the log hides these, and none of them is empty
    return "the defaults" if settings == Settings() else "read"


@contextmanager
def _odd_folder(chance: Random) -> Iterator[Path | None]:
    """Enter an odd folder with an odd environment; yield the settings file to load, or None."""
    before = Path.cwd()
    with TemporaryDirectory(prefix="settings") as folder:
        folder_path = Path(folder)
        path: Path | None = None
        if chance.random() < 0.7:
            (folder_path / "config.toml").write_bytes(_content(chance))
        match chance.randrange(8):
            case 0:
                path = folder_path / "config.toml"
            case 1:
                path = Path(
                    odd.text(chance, (str(folder_path), ".", "~", "/dev/null", "none.toml"))
                )
            case 2:
                path = folder_path  # a folder
        environment = _environment(chance, folder_path)
        os.chdir(folder_path)
        try:
            with patch.dict(os.environ, environment, clear=True):
                yield path
        finally:
            os.chdir(before)


# --- files ----------------------------------------------------------------------------------------


def _content(chance: Random) -> bytes:
    if chance.random() < 0.25:
        document = chance.choice(ODD_TOML)
    else:
        lines = (_line(chance) for _ in range(chance.randrange(8)))
        document = "\n".join(dict.fromkeys(lines))
    if SECRET not in document and chance.random() < 0.2:
        document = odd.alter(chance, document)
    content = document.encode("utf-8", "surrogatepass")
    match chance.randrange(12):
        case 0:
            return b"\xef\xbb\xbf" + content
        case 1:
            return document.encode("utf-16", "surrogatepass")
        case 2:
            return content + bytes(chance.randrange(256) for _ in range(6))
    return content


def _line(chance: Random) -> str:
    """Return a line of a settings file, usually a valid one."""
    section, key = chance.choice(names()).split(".")
    if chance.random() < 0.8:
        return f"{section}.{key} = {json.dumps(_right(section, key))}"
    match chance.randrange(8):
        case 0:
            return f"[{section}]"
        case 1:
            return f"{section} = {_toml(chance)}"
        case 2:
            return f"{json.dumps(odd.text(chance, (key, section), 60))} = {_toml(chance)}"
        case 3:
            return f"[{odd.alter(chance, section)}]"
        case 4:
            return f"{section}.{odd.alter(chance, key)} = {_toml(chance)}"
    return f"{section}.{key} = {_toml(chance)}"


def _right(section: str, key: str) -> str | int | float | bool:
    """Return a value that the setting accepts."""
    usual = getattr(getattr(Settings(), section), key)
    if isinstance(usual, int | float):
        return usual
    if key in EXAMPLES:
        return EXAMPLES[key]
    return str(usual)


def _toml(chance: Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(_TYPED)
    return json.dumps(odd.value(chance, VALUES, 1))


# --- the environment ------------------------------------------------------------------------------


def _environment(chance: Random, folder: Path) -> dict[str, str]:
    environment = {}
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        if chance.random() < 0.5:
            name = chance.choice(names())
            environment[f"{PREFIX}{name.upper().replace('.', '__')}"] = str(
                _right(*name.split("."))
            )
        else:
            environment[_variable(chance)] = _environment_text(chance.choice(VALUES), chance)
    if chance.random() < 0.3:
        environment[TOKEN] = _environment_text(
            chance.choice(("", SECRET, f" {SECRET}\n", f"{SECRET} \u202e")), chance
        )
    if chance.random() < 0.1:
        environment[f"{PREFIX}DATABASE"] = chance.choice(
            (f'{{"url": "{SECRET}"}}', f'{{"url": ["{SECRET}"]}}')
        )
    for variable in (f"{TOKEN}_FILE", f"{PREFIX}DATABASE__URL_FILE"):
        if chance.random() < 0.2:
            environment[variable] = str(_secret_file(chance, folder / variable))
    if chance.random() < 0.1:
        path = odd.text(chance, ("config.toml", "none.toml", ".", "/"))
        environment[CONFIG] = _environment_text(path, chance)
    return environment


def _variable(chance: Random) -> str:
    match chance.randrange(7):
        case 0:
            return f"{PREFIX}{chance.choice(SECTIONS).upper()}"
        case 1:
            name = odd.alter(chance, chance.choice(variables()))
            return _key(name) or "A"
        case 2:
            return chance.choice(variables()).replace("__", "_")
        case 3:
            return chance.choice(variables()).lower()
        case 4:
            return chance.choice(variables()) + chance.choice(("__A", "__", "__0", "__A__B"))
    return chance.choice(variables())


def _environment_text(value: Any, chance: Random) -> str:
    """Return the value, sometimes changed at random, as text for an environment variable."""
    whole = str(value)
    # in a changed address, the secret may no longer be a password
    if SECRET not in whole and chance.random() < 0.3:
        whole = odd.alter(chance, whole)
    return whole.replace("\x00", "").encode("utf-8", "replace").decode()


def _key(name: str) -> str:
    return _environment_text(name.replace("=", ""), Random(0)) if name else ""


def _secret_file(chance: Random, file: Path) -> Path:
    match chance.randrange(8):
        case 0:
            return file  # doesn't exist
        case 1:
            file.mkdir()
        case 2:
            file.write_bytes(b"\xff\xfe\x00" + SECRET.encode())
        case 3:
            file.write_bytes(b" \n\t")
        case 4:
            file.write_text(f"{SECRET}\n{SECRET}")
        case 5:
            file.write_bytes(b"\xef\xbb\xbf" + SECRET.encode() + b"\r\n")
        case 6:
            file.write_text(f"postgresql://a:{SECRET}@{chance.choice(('h', '[::', 'h:x'))}/b")
        case _:
            file.write_text(f"{SECRET}\x00\u202e")
    return file

"""Secrets in the settings: where they may stand, and that they are never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings.config import Settings, load
from tests.bot.configuration.refused import Write, refusal

TOKEN = ".".join(("MTIz" * 6, "MTIzMT", "MTIz" * 9))  # as long as Discord's are


def test_the_token_comes_from_its_variable_or_from_the_file_it_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text("from-a-file\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    token = load().discord.token
    assert token is not None
    assert token.get_secret_value() == "from-a-file"
    monkeypatch.setenv("DISCORD_TOKEN", " from-the-environment ")
    token = load().discord.token
    assert token is not None
    assert token.get_secret_value() == "from-the-environment"


def test_the_databases_address_may_come_from_a_secret_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "url").write_text("postgresql://ann:s%C3%A9same@db/cards\n")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL_FILE", str(tmp_path / "url"))
    assert load().database.address == "postgresql://ann:s%C3%A9same@db/cards"


def test_a_token_in_the_settings_file_is_refused_and_not_repeated(write: Write) -> None:
    said = refusal(write("[discord]\ntoken = 'MTIz.abc'"))
    assert "DISCORD_TOKEN_FILE" in said
    assert "MTIz" not in said


def test_a_token_in_a_variable_like_the_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_DISCORD__TOKEN", "MTIz.abc")
    assert refusal() == "BLUFFHOUSE_DISCORD__TOKEN is not read: put the token in DISCORD_TOKEN"


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_secret_file_that_is_missing_empty_or_no_text_is_refused(
    content: bytes | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "token").write_bytes(content)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    assert refusal().startswith("DISCORD_TOKEN_FILE names ")


@pytest.mark.parametrize("named", ["token.txt", "secrets/token", "/nowhere/token"])
def test_a_secret_file_that_cannot_be_read_is_named_as_it_was_given(
    named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", named)
    said = refusal()
    assert said.startswith(f"DISCORD_TOKEN_FILE names {named}, which cannot be read: No such file")
    assert "/run/secrets" not in said


@pytest.mark.parametrize("line", ["token = 'MTIz.abc'", "DISCORD_TOKEN = 'MTIz.abc'"])
def test_a_token_at_the_top_of_the_settings_file_is_told_where_it_belongs(
    line: str, write: Write
) -> None:
    said = refusal(write(line))
    assert "put it in DISCORD_TOKEN, or in a file of its own" in said
    assert "MTIz" not in said


def test_settings_never_show_their_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.abc")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann:sesame@db/cards")
    settings = load()
    shown = f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert "MTIz" not in shown
    assert "sesame" not in shown
    assert settings.secrets == ("MTIz.abc", "postgresql://ann:sesame@db/cards", "sesame")
    assert Settings().secrets == ()


def test_a_wrong_secret_is_not_repeated(write: Write) -> None:
    said = refusal(write("[database]\nurl = ['postgresql://ann:sesame@db/cards']"))
    assert "database.url should be" in said
    assert "sesame" not in said


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DISCORD_TOKEN_FILE", TOKEN),  # the token itself instead of its file
        ("BLUFFHOUSE_DATABASE__URL_FILE", "postgresql://ann:MTIz.abc@db/cards"),
        ("BLUFFHOUSE_DATABASE__PATH", "postgresql://ann:MTIz.abc@db/cards"),
        ("BLUFFHOUSE_BACKUPS__FOLDER", "postgresql://ann:MTIz.abc@db/cards"),
        ("BLUFFHOUSE_SERVING__HOST", "postgresql://ann:MTIz.abc@db/cards"),
        ("BLUFFHOUSE_LOGS__LEVEL", "postgresql://ann:MTIz.abc@db/cards"),
    ],
)
def test_a_secret_in_a_wrong_place_is_refused_and_not_repeated(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    said = refusal()
    assert said.startswith(variable)
    assert "MTIz" not in said


@pytest.mark.parametrize(
    ("address", "password"),
    [
        ("postgresql://ann:sesame@[::1/cards", ("sesame",)),  # no address, yet a password
        ("postgresql://ann:s%C3%A9same@db/cards", ("s%C3%A9same", "sésame")),
        ("postgresql://ann@db/cards", ()),
    ],
)
def test_a_databases_password_is_known_to_the_log(
    address: str, password: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", address)
    assert load().secrets == (address, *password)

"""Settings: their sources, which source wins, errors about wrong values, and secrets."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.settings.config import ConfigError, Settings, load, names

pytestmark = pytest.mark.usefixtures("workdir")
Write = Callable[[str], Path]
EXAMPLE = Path(__file__).parents[3] / "config.example.toml"


@pytest.fixture
def write(workdir: Path) -> Write:
    """Return a function that writes `config.toml` in the working directory and returns its path."""

    def config(text: str) -> Path:
        path = workdir / "config.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return config


def refusal(path: Path | None = None) -> str:
    with pytest.raises(ConfigError) as refused:
        load(path)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


def plain(settings: Settings) -> dict[str, object]:
    """Return every setting's value by its full name, as in TOML."""
    dumped = settings.model_dump(mode="json")
    return {name: dumped[name.split(".")[0]][name.split(".")[1]] for name in names()}


# -- the example ----------------------------------------------------------------------------------
def test_the_example_names_every_setting_with_its_default() -> None:
    document = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))
    examples = {
        f"{section}.{key}": value
        for section, keys in document.items()
        for key, value in keys.items()
    }
    defaults = plain(Settings())
    assert examples == {name: value for name, value in defaults.items() if value is not None}
    unset = re.sub(r"(?m)^#(\w+ = )", r"\1", EXAMPLE.read_text(encoding="utf-8"))
    every = tomllib.loads(unset)
    assert [f"{section}.{key}" for section, keys in every.items() for key in keys] == names()


def test_the_example_can_be_used_as_it_is_and_with_all_that_is_unset(write: Write) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert load(write(text)) == Settings()
    filled = load(write(re.sub(r"(?m)^#(\w+ = )", r"\1", text)))
    assert all(value is not None for value in plain(filled).values())


def test_every_setting_in_the_example_is_explained() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    settings = [number for number, line in enumerate(lines) if re.match(r"#?\w+ = ", line)]
    assert len(settings) > 30
    for number in settings:
        assert lines[number - 1].startswith("# "), lines[number]


# -- which wins -----------------------------------------------------------------------------------
def test_the_file_wins_over_defaults_and_the_environment_over_the_file(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("[tables]\nnext_round_seconds = 4\nlobby_minutes = 5\n[logs]\nlevel = 'debug'")
    monkeypatch.setenv("BLUFFHOUSE_TABLES__LOBBY_MINUTES", "6")
    monkeypatch.setenv("bluffhouse_logs__format", "json")
    settings = load()
    assert (settings.tables.next_round_seconds, settings.tables.lobby_minutes) == (4, 6)
    assert (settings.logs.level, settings.logs.format) == ("debug", "json")
    assert settings.tables.turn_minutes == 2


@pytest.mark.parametrize("name", names())
def test_every_setting_can_come_from_the_environment(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {
        "discord.api_url": "http://127.0.0.1:1/api",
        "discord.gateway_url": "ws://127.0.0.1:1",
        "database.url": "postgresql://ann@localhost/cards",
        "database.path": "elsewhere.db",
        "logs.format": "json",
        "logs.level": "error",
        "computers.allowed": "False",
        "backups.keep": "8",
        "privacy.policy_url": "https://example.org/privacy",
        "reports.sentry_dsn": "https://key@sentry.example.org/1",
        "updates.check": "False",
        "updates.feed": "https://example.org/newest",
    }
    value = values.get(name, "7")
    if name == "database.direct_url":  # means nothing by itself
        monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@pooler/cards")
    monkeypatch.setenv("BLUFFHOUSE_" + name.upper().replace(".", "__"), value)
    section, key = name.split(".")
    current = getattr(getattr(load(), section), key)
    assert current != getattr(getattr(Settings(), section), key)
    secret = getattr(current, "get_secret_value", None)
    assert str(secret() if secret else current) in (value, f"{value}.0")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BLUFFHOUSE_TABLES__LOBBY_MINUTES", ""),
        ("DISCORD_TOKEN", ""),
        ("BLUFFHOUSE_PORT", "tcp://10.0.0.1:80"),  # Kubernetes, for a service
        ("BLUFFHOUSE_SERVICE_HOST", "10.0.0.1"),
    ],
)
def test_empty_variables_and_those_of_other_programs_leave_the_defaults(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    assert load() == Settings()


def test_a_named_file_is_read_instead_of_the_one_in_the_folder(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("[tables]\nlobby_minutes = 1")
    (tmp_path / "two.toml").write_text("[tables]\nlobby_minutes = 2")
    (tmp_path / "three.toml").write_text("[tables]\nlobby_minutes = 3")
    monkeypatch.setenv("BLUFFHOUSE_CONFIG", str(tmp_path / "two.toml"))
    assert load().tables.lobby_minutes == 2
    assert load(tmp_path / "three.toml").tables.lobby_minutes == 3


def test_the_address_wins_over_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__PATH", "/data/bluffhouse.db")  # as the image sets it
    assert load().database.address == "sqlite:////data/bluffhouse.db"
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@localhost/cards")
    assert load().database.address == "postgresql://ann@localhost/cards"


def test_settings_made_in_code_do_not_look_at_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BLUFFHOUSE_TABLES__LOBBY_MINUTES", "6")
    settings = Settings.model_validate({"tables": {"turn_minutes": 3}})
    assert (settings.tables.lobby_minutes, settings.tables.turn_minutes) == (60, 3)


# -- what is wrong --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[tables]\nnext_round_second = 3", "tables.next_round_seconds"),
        ("[tabels]\nlobby_minutes = 3", "tables"),
        ("lobby_minutes = 3", "tables.lobby_minutes"),
        ("[database]\nfile = 'x'\npath = 'y'", None),
    ],
)
def test_an_unknown_setting_is_refused_with_the_nearest_known(
    text: str, meant: str | None, write: Write
) -> None:
    sentence = refusal(write(text))
    assert "there is no " in sentence
    if meant is not None:
        assert sentence.endswith(f"did you mean {meant}?")


def test_a_wrong_variable_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_TABLES__LOBBY_MINUTES", "soon")
    assert refusal().startswith("BLUFFHOUSE_TABLES__LOBBY_MINUTES: tables.lobby_minutes should ")
    monkeypatch.setenv("BLUFFHOUSE_TABLES__LOBY_MINUTES", "3")
    assert refusal() == (
        "BLUFFHOUSE_TABLES__LOBY_MINUTES: there is no setting tables.loby_minutes; "
        "did you mean tables.lobby_minutes?"
    )


def test_an_unknown_setting_without_a_similar_one_lists_all_settings(write: Write) -> None:
    assert (
        "discord, database, shards, tables, computers, privacy, fair_use, backups, serving,"
        " reports, updates, logs" in refusal(write("[zzz]\nq = 1"))
    )


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("[tables]\nlobby_minutes = 'soon'", "tables.lobby_minutes", '"soon"'),
        ("[backups]\nkeep = 0", "backups.keep", "0"),
        ("[logs]\nlevel = 'loud'", "logs.level", '"loud"'),
        ("[database]\npath = 5", "database.path", "5"),
        (
            "[discord]\ngateway_url = 'ws://localhost:99999'",
            "discord.gateway_url",
            '"ws://localhost:99999"',
        ),
        ("[discord]\napi_url = 'http://'", "discord.api_url", '"http://"'),
        (
            "[reports]\nsentry_dsn = 'https://key@sentry.example.org'",
            "reports.sentry_dsn",
            '"https://...@sentry.example.org"',
        ),
    ],
)
def test_a_wrong_value_is_reported_with_its_place_and_an_example(
    text: str, name: str, value: str, write: Write
) -> None:
    path = write(text)
    sentence = refusal(path)
    assert sentence.startswith(f"{path}: {name} should ")
    assert ", for example " in sentence
    assert sentence.endswith(f"; it is {value}")
    assert "'" not in sentence.removeprefix(str(path))


def test_a_whole_section_in_a_variable_must_be_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_LOGS", "loud")
    assert "BLUFFHOUSE_LOGS__LEVEL=debug" in refusal()
    monkeypatch.setenv("BLUFFHOUSE_LOGS", '{"levle": "debug"}')
    assert refusal().endswith("did you mean logs.level?")
    monkeypatch.setenv("BLUFFHOUSE_LOGS", '{"level": "debug"}')
    assert load().logs.level == "debug"


@pytest.mark.parametrize(
    "content", [b"[tables\n", b"\xff\xfe\x00", b"n = " + b"9" * 5_000, b"n = " + b"[" * 9_000]
)
def test_a_file_that_is_no_toml_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    assert refusal(path).startswith(f"{path} ")


def test_a_file_that_was_asked_for_must_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "config.example.toml" in refusal(tmp_path / "none.toml")
    monkeypatch.setenv("BLUFFHOUSE_CONFIG", "none.toml")
    assert "none.toml" in refusal()
    assert refusal(Path("x" * 1000)).startswith("there is no settings file xxx")


def test_a_directory_instead_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()  # as Docker does where the file to be mounted is missing
    assert "config.toml is a directory; put a settings file in its place" in refusal()
    assert "is a directory" in refusal(tmp_path)


def test_a_file_in_an_unreadable_folder_is_not_called_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_read(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse_read)  # root passes through every door
    assert refusal() == "config.toml can't be read: Permission denied"
    assert refusal(Path("there/config.toml")).endswith("can't be read: Permission denied")


def test_a_direct_url_without_a_pooler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__DIRECT_URL", "postgresql://ann@localhost/cards")
    assert refusal().startswith("database.direct_url bypasses the pooler in database.url, which")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@pooler/cards")
    assert load().database.straight == "postgresql://ann@localhost/cards"
    monkeypatch.delenv("BLUFFHOUSE_DATABASE__DIRECT_URL")
    assert load().database.straight == load().database.address


def test_one_underscore_instead_of_two_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLUFFHOUSE_TABLES_TURN_MINUTES", "5")
    assert "did you mean BLUFFHOUSE_TABLES__TURN_MINUTES?" in refusal()
    monkeypatch.delenv("BLUFFHOUSE_TABLES_TURN_MINUTES")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE_URL_FILE", "address")
    assert "did you mean BLUFFHOUSE_DATABASE__URL_FILE?" in refusal()


@pytest.mark.parametrize(
    "text", ['["a\\nb"]\nc = 1', '[tables]\n"a\\u202eb" = 1', '[logs]\nlevel = "a\\u2028b"']
)
def test_invisible_characters_are_spelt_out(text: str, write: Write) -> None:
    sentence = refusal(write(text))
    assert sentence.isprintable()
    assert re.search(r"a\\(n|u202e|u2028)b", sentence)


def test_a_long_wrong_value_is_repeated_only_in_part(write: Write) -> None:
    assert len(refusal(write(f"[{'a' * 9000}]\nb = 1"))) < 400
    assert len(refusal(write(f"[logs]\nlevel = '{'a' * 9000}'"))) < 400
    assert "should be a smaller number" in refusal(
        write(f"[tables]\nlobby_minutes = '{'1' * 9000}'")
    )


@pytest.mark.parametrize("section", ["3", "true", "[1]", "[" * 9_000, "9" * 5_000])
def test_a_value_in_place_of_a_section_is_refused(
    section: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLUFFHOUSE_LOGS", section)
    assert "BLUFFHOUSE_LOGS__LEVEL=debug" in refusal()


# -- paths, as they are written in shells ---------------------------------------------------------


def test_home_and_variables_are_replaced_in_every_path_and_blanks_fall_off(
    monkeypatch: pytest.MonkeyPatch, write: Write, workdir: Path
) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(workdir))
    (workdir / "token").write_text("a-token")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "~/token")
    monkeypatch.setenv("BLUFFHOUSE_CONFIG", "${HOME}/config.toml")
    write("[database]\npath = ' $HOME/x.db '\n[backups]\nfolder = '~/copies\t'")
    settings = load()
    assert (settings.database.path, settings.backups.folder) == (
        workdir / "x.db",
        workdir / "copies",
    )
    assert settings.discord.token is not None


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("$NO_SUCH/x.db", "should name variables that are set, and $NO_SUCH is not"),
        ("${NO_SUCH}/x.db", "should name variables that are set, and ${NO_SUCH} is not"),
        ("  ", "should be a path"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(
    value: str, says: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = refusal(write(f"[database]\npath = '{value}'"))
    assert f"database.path {says}, for example data/bluffhouse.db" in sentence
    if value.strip():
        monkeypatch.setenv("DISCORD_TOKEN_FILE", value)
        assert says in refusal()
        monkeypatch.setenv("BLUFFHOUSE_CONFIG", value)
        assert says in refusal()


# -- secrets: where they may stand, and that they are never repeated -------------------------------

TOKEN = ".".join(("MTIz" * 6, "MTIzMT", "MTIz" * 9))  # as long as Discord's are


def test_secrets_come_from_their_variables_or_from_the_files_they_name(
    monkeypatch: pytest.MonkeyPatch, workdir: Path
) -> None:
    def token() -> str:
        token_value = load().discord.token
        assert token_value is not None
        return token_value.get_secret_value()

    (workdir / "token").write_text("from-a-file\n", encoding="utf-8-sig")
    (workdir / "config.toml").write_text("[tables]\nlobby_minutes = 6\n", encoding="utf-8-sig")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(workdir / "token"))
    assert token() == "from-a-file"  # a byte order mark is nothing to speak of
    assert load().tables.lobby_minutes == 6
    monkeypatch.setenv("DISCORD_TOKEN", " from-a-file ")
    assert token() == "from-a-file"
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "")
    monkeypatch.setenv("DISCORD_TOKEN", " from-the-environment ")
    assert token() == "from-the-environment"
    (workdir / "url").write_text("postgresql://ann:s%C3%A9same@db/cards\n")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL_FILE", str(workdir / "url"))
    assert load().database.address == "postgresql://ann:s%C3%A9same@db/cards"


@pytest.mark.parametrize("variable", ["DISCORD_TOKEN", "BLUFFHOUSE_DATABASE__URL"])
def test_two_values_of_one_secret_are_refused_and_not_repeated(
    variable: str, monkeypatch: pytest.MonkeyPatch, workdir: Path
) -> None:
    (workdir / "secret").write_text("postgresql://ann:old-one@db/cards")
    monkeypatch.setenv(f"{variable}_FILE", "secret")
    monkeypatch.setenv(variable, "postgresql://ann:new-one@db/cards")
    sentence = refusal()
    assert f"{variable} and the file that {variable}_FILE names hold different values" in sentence
    assert "-one" not in sentence


@pytest.mark.parametrize(
    "text", ["[discord]\ntoken = 'MTIz.abc'", "token = 'MTIz.abc'", "DISCORD_TOKEN = 'MTIz.abc'"]
)
def test_a_token_in_the_settings_file_is_refused_with_its_right_place(
    text: str, write: Write
) -> None:
    sentence = refusal(write(text))
    assert (
        "put it in DISCORD_TOKEN, or in a file of its own named by DISCORD_TOKEN_FILE" in sentence
    )
    assert "MTIz" not in sentence


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
    assert refusal().endswith("holds discord.token alone. Example: DISCORD_TOKEN_FILE=./token")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"turn_minutes: 2"])
def test_a_settings_file_that_is_no_toml_is_refused_with_an_example(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(content)
    assert refusal(file).startswith(f"{file} ")
    assert refusal(file).endswith("Example: a line [tables] and below it turn_minutes = 2")


@pytest.mark.parametrize("named", ["token.txt", "secrets/token", "/nowhere/token"])
def test_a_secret_file_that_cannot_be_read_is_named_as_it_was_given(
    named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", named)
    sentence = refusal()
    assert sentence.startswith(
        f"DISCORD_TOKEN_FILE names {named}, which can't be read: No such file"
    )
    assert "/run/secrets" not in sentence


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files here have no owner by number")
def test_a_token_of_another_user_names_the_command_that_hands_it_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_read(path: Path, **_: object) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_text", refuse_read)  # root reads every file
    monkeypatch.setattr(os, "geteuid", lambda: 10001)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "/run/secrets/token")
    sentence = refusal()
    assert sentence.startswith(
        "DISCORD_TOKEN_FILE names /run/secrets/token, which user 10001 may not"
    )
    assert sentence.endswith("Example: sudo chown 10001 token")


def test_settings_never_show_their_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.abc")
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann:sesame@db/cards")
    settings = load()
    text = f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert "MTIz" not in text
    assert "sesame" not in text
    assert settings.secrets == ("MTIz.abc", "postgresql://ann:sesame@db/cards", "sesame")
    assert Settings().secrets == ()


def test_a_wrong_secret_is_not_repeated(write: Write) -> None:
    sentence = refusal(write("[database]\nurl = ['postgresql://ann:sesame@db/cards']"))
    assert "database.url should be" in sentence
    assert "sesame" not in sentence


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
    sentence = refusal()
    assert sentence.startswith(variable)
    assert "MTIz" not in sentence


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

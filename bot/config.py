"""Settings: defaults < config.toml < secret files < environment. See `config.example.toml`.

Any setting can come from the environment as BLUFFHOUSE_<SECTION>__<KEY>. The token comes only from
DISCORD_TOKEN or from the file that DISCORD_TOKEN_FILE names, as a settings file gets shared.
Whatever is wrong ends in a `ConfigError` of one sentence.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings.exceptions import SettingsError

from engine.errors import quoted

PREFIX: Final = "BLUFFHOUSE_"
CONFIG: Final = "BLUFFHOUSE_CONFIG"
DEFAULT_FILE: Final = Path("config.toml")
# where each secret is read from: (section, key): (variable, variable that names a file)
SECRETS: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("discord", "token"): ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE"),
    ("database", "url"): ("BLUFFHOUSE_DATABASE__URL", "BLUFFHOUSE_DATABASE__URL_FILE"),
}

Layer = dict[str, dict[str, Any]]


class ConfigError(Exception):
    """A setting is wrong or unknown; the text is one sentence for the host."""


class Section(BaseModel):
    """A group of settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Discord(Section):
    """How Discord is reached."""

    token: SecretStr | None = None
    api_url: str | None = Field(
        default=None, pattern="^https?://", examples=["https://discord.com/api/v10"]
    )
    gateway_url: str | None = Field(
        default=None, pattern="^wss?://", examples=["wss://gateway.discord.gg"]
    )


class Database(Section):
    """Where everything is kept: an SQLite file at `path`, or the database at `url` if it is set."""

    path: Path = Path("data/bluffhouse.db")
    url: SecretStr | None = Field(
        default=None, examples=["postgresql://bluffhouse@localhost/bluffhouse"]
    )

    @property
    def address(self) -> str:
        """The database's URL, with its password if it has one."""
        if self.url is not None:
            return self.url.get_secret_value()
        return f"sqlite:///{self.path.expanduser()}"


class Tables(Section):
    """How tables run."""

    next_round_seconds: float = Field(default=15, ge=0, le=86_400)
    lobby_minutes: int = Field(default=60, ge=0, le=525_600)  # 0: lobbies stay open
    turn_minutes: float = Field(default=2, ge=0, le=525_600)  # of new tables; 0: nobody is hurried
    most_tables_per_guild: int = Field(default=50, ge=1, le=100_000)


class Computers(Section):
    """Computer players at tables."""

    allowed: bool = True
    most_seats: int = Field(default=9, ge=0, le=9)  # of one table
    pause_seconds: float = Field(default=1.2, ge=0, le=60)  # the shortest


class Privacy(Section):
    """How long what is kept."""

    keep_matches_days: int = Field(default=0, ge=0, le=36_500)  # after their end; 0: for ever
    keep_departed_days: int = Field(default=30, ge=1, le=3_650)  # after a server removed the bot
    policy_url: str | None = Field(
        default=None, pattern="^https?://", examples=["https://example.org/privacy"]
    )


class Logs(Section):
    """What is logged, and how."""

    format: Literal["auto", "console", "json"] = "auto"
    level: Literal["debug", "info", "warning", "error"] = "info"


class Settings(BaseSettings):
    """Every setting. Made by `load`; by itself it has its arguments and the defaults only."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
    )

    discord: Discord = Discord()
    database: Database = Database()
    tables: Tables = Tables()
    computers: Computers = Computers()
    privacy: Privacy = Privacy()
    logs: Logs = Logs()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log line may hold: the token, the database's address and its password."""
        token, url = self.discord.token, self.database.url
        found = [secret.get_secret_value() for secret in (token, url) if secret is not None]
        if url is not None:
            found.append(urlsplit(url.get_secret_value()).password or "")
        return tuple(secret for secret in found if secret)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The arguments alone, so that a test's settings do not depend on its environment."""
        return (init_settings,)


def names() -> list[str]:
    """Every setting as `section.key`, the token aside: it is not one for the file."""
    return [
        f"{section}.{key}"
        for section, field in Settings.model_fields.items()
        for key in _section(field.annotation).model_fields
        if (section, key) != ("discord", "token")
    ]


def settings_file(path: Path | None = None) -> Path | None:
    """The settings file in use: `path`, else BLUFFHOUSE_CONFIG, else ./config.toml if it is there.

    Raises `ConfigError` if the one that was asked for does not exist.
    """
    asked = path or (Path(os.environ[CONFIG]) if os.environ.get(CONFIG) else None)
    if asked is None:
        return DEFAULT_FILE if DEFAULT_FILE.is_file() else None
    if not asked.is_file():
        raise ConfigError(
            f"there is no settings file {asked}; copy config.example.toml there, or leave it out"
        )
    return asked


def load(path: Path | None = None) -> Settings:
    """The settings from everywhere. `path`: the settings file to read. Raises `ConfigError`."""
    file = settings_file(path)
    stored = _from_file(file) if file else {}
    secret = _from_secret_files()
    environment = _from_environment()
    merged = {
        section: stored.get(section, {}) | secret.get(section, {}) | environment.get(section, {})
        for section in Settings.model_fields
    }
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(_sentence(error, merged, file)) from None


def _from_file(file: Path) -> Layer:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    for section, values in document.items():
        if not isinstance(values, dict):
            raise ConfigError(_unknown(section, str(file)))
        for key in values:
            if (section, key) == ("discord", "token"):
                raise ConfigError(
                    f"{file} holds discord.token, but a token does not belong in a settings file: "
                    "put it in DISCORD_TOKEN, or in a file of its own named by DISCORD_TOKEN_FILE"
                )
            _refuse_unknown(f"{section}.{key}", str(file))
    return document


def _from_secret_files() -> Layer:
    layer: Layer = {}
    for (section, key), (_, variable) in SECRETS.items():
        named = os.environ.get(variable)
        if not named:
            continue
        try:
            text = Path(named).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"{variable} names {named}, which cannot be read: {_why(error)}"
            ) from None
        if not text:
            raise ConfigError(f"{variable} names {named}, which is empty")
        layer.setdefault(section, {})[key] = text
    return layer


def _from_environment() -> Layer:
    files = {variable for _, variable in SECRETS.values()}
    for variable in os.environ:
        name = variable.upper()
        # Names without "__" are left alone: Kubernetes adds BLUFFHOUSE_PORT and others by itself.
        if not name.startswith(PREFIX) or "__" not in name or name in files:
            continue
        section, _, key = name.removeprefix(PREFIX).lower().partition("__")
        if (section, key) == ("discord", "token"):
            raise ConfigError(f"{variable} is not read: put the token in DISCORD_TOKEN")
        _refuse_unknown(f"{section}.{key}", variable)
    try:
        layer: Layer = EnvSettingsSource(Settings)()
    except SettingsError:
        raise ConfigError(
            "a whole section in one variable must be JSON; "
            "expected one variable a setting, e.g. BLUFFHOUSE_LOGS__LEVEL=debug"
        ) from None
    layer.get("database", {}).pop("url_file", None)  # read as a secret file
    for section, values in layer.items():  # a whole section as JSON may hold anything
        for key in values:
            _refuse_unknown(f"{section}.{key}", f"{PREFIX}{section.upper()}")
    token = os.environ.get("DISCORD_TOKEN", "").strip()
    if token:
        layer.setdefault("discord", {})["token"] = token
    return layer


def _refuse_unknown(name: str, where: str) -> None:
    if name not in names():
        raise ConfigError(_unknown(name, where))


def _unknown(name: str, where: str) -> str:
    """Says that there is no such setting, and which section or setting may have been meant."""
    from rapidfuzz import process

    section, _, key = name.partition(".")
    if key and section not in Settings.model_fields:
        kind, asked, known = "section", section, list(Settings.model_fields)
    else:
        kind, asked, known = "setting", name, names()
    near = process.extractOne(asked, known, score_cutoff=60)
    meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{where}: there is no {kind} {asked}; {meant}"


def _sentence(error: ValidationError, merged: Mapping[str, Any], file: Path | None) -> str:
    """The first thing wrong: where it came from, what was expected, an example, what it is."""
    first = error.errors(include_url=False)[0]
    section, key = str(first["loc"][0]), str(first["loc"][1])
    field = _section(Settings.model_fields[section].annotation).model_fields[key]
    example = field.examples[0] if field.examples else field.default
    if isinstance(example, bool):
        example = json.dumps(example)  # as a settings file would have it
    # pydantic begins with "Input should", "String should" or "Input is not"
    should = first["msg"].replace("Input is not", "It should be")
    should = re.sub(r"'([^']*)'", r'"\1"', should[max(should.find("should"), 0) :])
    value = merged[section][key]
    shown = "" if (section, key) in SECRETS else f"; it is {_shown(value)}"
    where = _where(section, key, file)
    return f"{where}: {section}.{key} {should}, for example {example}{shown}"


def _shown(value: object) -> str:
    """A value as a file of settings would have it."""
    return quoted(value) if isinstance(value, str) else json.dumps(value, default=str)


def _where(section: str, key: str, file: Path | None) -> str:
    variable = f"{PREFIX}{section}__{key}".upper()
    if variable in {name.upper() for name in os.environ}:
        return variable
    return str(file or "the settings")


def _section(annotation: Any) -> type[Section]:
    section: type[Section] = annotation
    return section


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not text"

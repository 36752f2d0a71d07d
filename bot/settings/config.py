"""Settings from defaults, then config.toml, then secret files, then the environment.

Later sources override earlier ones; see `config.example.toml`. Any setting can come from the
environment as BLUFFHOUSE_<SECTION>__<KEY>. The token comes only from DISCORD_TOKEN or from the file
that DISCORD_TOKEN_FILE names, as people share settings files. Any mistake raises a `ConfigError` of
one sentence.
"""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import stat
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import unquote

from pydantic import ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings.exceptions import SettingsError

from bot.settings.paths import expand_path
from bot.settings.schema import (
    BackupsSettings,
    ComputersSettings,
    DatabaseSettings,
    DiscordSettings,
    FairUseSettings,
    LogsSettings,
    PrivacySettings,
    ReportsSettings,
    Section,
    ServingSettings,
    ShardingSettings,
    TablesSettings,
    UpdatesSettings,
)
from bot.settings.shards import ShardError, Shards, choose_shards, parse_ids
from engine.errors import printable

PREFIX: Final = "BLUFFHOUSE_"
CONFIG: Final = "BLUFFHOUSE_CONFIG"
DEFAULT_FILE: Final = Path("config.toml")
# source of each secret: (section, key): (variable, variable that names a file)
SECRETS: Final[dict[tuple[str, str], tuple[str, str]]] = {
    ("discord", "token"): ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE"),
    ("database", "url"): ("BLUFFHOUSE_DATABASE__URL", "BLUFFHOUSE_DATABASE__URL_FILE"),
    ("database", "direct_url"): (
        "BLUFFHOUSE_DATABASE__DIRECT_URL",
        "BLUFFHOUSE_DATABASE__DIRECT_URL_FILE",
    ),
}

_EXPECTED_TEXT: Final = (
    "expected sections of settings. Example: a line [tables] and below it turn_minutes = 2"
)
_ONE_EACH: Final = (
    "a whole section in one variable must be JSON; use one variable per setting, e.g."
    " BLUFFHOUSE_LOGS__LEVEL=debug"
)
# even if the rest is not a valid address
_PASSWORD: Final = re.compile(r"://[^/?#]*?:(.*)@", re.DOTALL)
_USER: Final = re.compile(r"://.*@", re.DOTALL)
_MAX_QUOTED: Final = 80  # characters of input that an error message repeats
_SAID: Final = 800
_SHORTEST_TOKEN: Final = 50  # characters; Discord's tokens have 59 or more
_NOT_THERE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)

Layer = dict[str, dict[str, Any]]


class ConfigError(Exception):
    """A setting is wrong or unknown. The text is one sentence for the host, in one line."""

    def __init__(self, sentence: str) -> None:
        super().__init__(_cut(printable(sentence), _SAID))


class Settings(BaseSettings):
    """All settings. Use `load`; the constructor uses only its arguments and the defaults."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
    )

    discord: DiscordSettings = DiscordSettings()
    database: DatabaseSettings = DatabaseSettings()
    shards: ShardingSettings = ShardingSettings()
    tables: TablesSettings = TablesSettings()
    computers: ComputersSettings = ComputersSettings()
    privacy: PrivacySettings = PrivacySettings()
    fair_use: FairUseSettings = FairUseSettings()
    backups: BackupsSettings = BackupsSettings()
    serving: ServingSettings = ServingSettings()
    reports: ReportsSettings = ReportsSettings()
    updates: UpdatesSettings = UpdatesSettings()
    logs: LogsSettings = LogsSettings()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The texts that no log line may contain: token, database addresses and their passwords."""
        urls = [url for url in (self.database.url, self.database.direct_url) if url is not None]
        token = self.discord.token
        secrets = [secret.get_secret_value() for secret in (*([token] if token else []), *urls)]
        for url in urls:
            written = _PASSWORD.search(url.get_secret_value())
            # as written and decoded, as the database driver decodes it
            if written is not None:
                secrets += [written[1], unquote(written[1])]
        return tuple(dict.fromkeys(secret for secret in secrets if secret))

    def own_shards(self, host: str | None = None) -> Shards:
        """Return the shards of this process. Raises `ConfigError`.

        `host`: the name of the machine; None: this one's.
        """
        sharding = self.shards
        try:
            shards = choose_shards(
                sharding.count,
                parse_ids(sharding.ids),
                sharding.from_ordinal,
                host or socket.gethostname(),
            )
        except ShardError as error:
            raise ConfigError(str(error)) from None
        if not shards.whole and self.database.url is None:
            raise ConfigError(
                "several processes need a PostgreSQL database, as an SQLite file serves only one:"
                " set database.url, or leave out shards.ids and shards.from_ordinal"
            )
        return shards

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the constructor's arguments, so that tests don't depend on their environment."""
        return (init_settings,)


def names() -> list[str]:
    """Return every setting as `section.key`, except the token, which files must not contain."""
    return [
        f"{section}.{key}"
        for section in Settings.model_fields
        for key in _section(section).model_fields
        if (section, key) != ("discord", "token")
    ]


def variables() -> list[str]:
    """Return the environment variables of all settings except the token.

    Include the variables that name files with other secrets.
    """
    files = [file for _, file in SECRETS.values() if file.startswith(PREFIX)]
    return [f"{PREFIX}{name.replace('.', '__').upper()}" for name in names()] + files


def may_be_token(token: str) -> bool:
    """Return whether a text can be a token: ASCII without spaces, as an HTTP header requires."""
    return token.isascii() and token.isprintable() and " " not in token


def settings_file(path: Path | None = None) -> Path | None:
    """Return the settings file in use: `path`, or BLUFFHOUSE_CONFIG, or ./config.toml if it exists.

    None if there is none of these. Raises `ConfigError` if a requested file doesn't exist or isn't
    a file.
    """
    written = str(path) if path is not None else os.environ.get(CONFIG)
    try:
        named = Path(expand_path(written)) if written else None
    except ValueError as error:
        raise ConfigError(
            f"the name of the settings file {error}; it is {_quote(written)}"
        ) from None
    file = named or DEFAULT_FILE
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError) as error:  # also for an impossible file name
        if isinstance(error, OSError) and error.errno not in _NOT_THERE:
            raise ConfigError(f"{_cut(file)} can't be read: {_why(error)}") from None
        if named is None:
            return None
        raise ConfigError(
            f"there is no settings file {_cut(file)}; "
            "copy config.example.toml there, or leave it out"
        ) from None
    if not stat.S_ISREG(mode):  # Docker creates a directory if a file to mount is missing
        kind = "a directory" if stat.S_ISDIR(mode) else "no file"
        raise ConfigError(
            f"{_cut(file)} is {kind}; put a settings file in its place, such as a copy of"
            " config.example.toml, or leave it out"
        )
    return file


def load(path: Path | None = None) -> Settings:
    """Return the settings from all sources. Raises `ConfigError`.

    `path`: as for `settings_file`.
    """
    file = settings_file(path)
    stored = _from_file(file) if file else {}
    secret = _from_secret_files()
    environment = _from_environment()
    _refuse_two_values(secret, environment)
    merged = {
        section: stored.get(section, {}) | secret.get(section, {}) | environment.get(section, {})
        for section in Settings.model_fields
    }
    try:
        settings = Settings.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(_sentence(error, merged, file)) from None
    if settings.database.direct_url is not None and settings.database.url is None:
        raise ConfigError(
            "database.direct_url bypasses the pooler in database.url, which isn't set: set both,"
            " or only database.url"
        )
    return settings


def _from_file(file: Path) -> Layer:
    try:
        # Windows editors may start a file with a byte order mark
        document = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file} can't be read: {_why(error)}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} can't be read: {_why(error)}; {_EXPECTED_TEXT}") from None
    except (ValueError, RecursionError) as error:  # bad values, such as a number of 5,000 digits
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is too large"
        raise ConfigError(f"{file} is not TOML: {why}; {_EXPECTED_TEXT}") from None
    for section, values in document.items():
        if section.lower() in ("token", "discord_token"):
            raise ConfigError(_no_token_here(file, section))
        if not isinstance(values, dict):
            raise ConfigError(_unknown_setting(section, str(file)))
        for key in values:
            if (section, key) == ("discord", "token"):
                raise ConfigError(_no_token_here(file, "discord.token"))
            _refuse_unknown(f"{section}.{key}", str(file))
    return document


def _no_token_here(file: Path, name: str) -> str:
    return (
        f"{file} holds {name}, but a token does not belong in a settings file: "
        "put it in DISCORD_TOKEN, or in a file of its own named by DISCORD_TOKEN_FILE"
    )


def _from_secret_files() -> Layer:
    layer: Layer = {}
    for (section, key), (_, variable) in SECRETS.items():
        named = os.environ.get(variable)
        if not named:
            continue
        try:
            text = Path(expand_path(named)).read_text(encoding="utf-8-sig").strip()
        except PermissionError:
            raise ConfigError(
                f"{variable} names {_file_named(named)}, which {_user_text()} may not read;"
                f" {_expected_file(section, key)}{_chown_example(section, key)}"
            ) from None
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"{variable} names {_file_named(named)}, which can't be read: {_why(error)};"
                f" {_expected_file(section, key)}. Example: {variable}=./{key}"
            ) from None
        if not text:
            raise ConfigError(
                f"{variable} names {_file_named(named)}, which is empty;"
                f" {_expected_file(section, key)}. Example: {variable}=./{key}"
            )
        layer.setdefault(section, {})[key] = text
    return layer


def _refuse_two_values(files: Layer, environment: Layer) -> None:
    """Raise `ConfigError` if a secret's variable and file differ: one of them must be outdated."""
    for (section, key), (variable, file) in SECRETS.items():
        in_file, in_variable = (layer.get(section, {}).get(key) for layer in (files, environment))
        if None not in (in_file, in_variable) and in_file != in_variable:
            raise ConfigError(
                f"{variable} and the file that {file} names hold different values: leave one of"
                " the two variables out"
            )


def _user_text() -> str:
    """Return this user's number as text, since a container's user has no name on its host."""
    return f"user {os.geteuid()}" if hasattr(os, "geteuid") else "this user"


def _chown_example(section: str, key: str) -> str:
    if not hasattr(os, "geteuid"):
        return ""
    file = "token" if (section, key) == ("discord", "token") else "FILE"
    return f". Example: sudo chown {os.geteuid()} {file}"


def _file_named(named: str) -> str:
    """Return the file name that a variable holds, or a phrase if it may be the secret itself."""
    is_path = Path(named).parent != Path() or len(named) < _SHORTEST_TOKEN
    if is_path and "://" not in named:
        return _cut(named)
    return "a file, though what stands there may be the secret itself and is not repeated"


def _expected_file(section: str, key: str) -> str:
    return f"expected a file that this user may read and that holds {section}.{key} alone"


def _from_environment() -> Layer:
    files = {variable for _, variable in SECRETS.values()}
    one_underscore = {variable.replace("__", "_"): variable for variable in variables()}
    for variable in os.environ:
        name = variable.upper()
        if not name.startswith(PREFIX) or name in files:
            continue
        if "__" not in name:
            # Other variables are ignored: Kubernetes adds ones like BLUFFHOUSE_PORT by itself.
            if name in one_underscore:
                meant = one_underscore[name]
                raise ConfigError(f"{variable} is not read; did you mean {meant}?")
            continue
        section, _, key = name.removeprefix(PREFIX).lower().partition("__")
        if (section, key) == ("discord", "token"):
            raise ConfigError(f"{variable} is not read: put the token in DISCORD_TOKEN")
        _refuse_unknown(f"{section}.{key}", variable)
    try:
        layer: Layer = EnvSettingsSource(Settings)()
    except (SettingsError, ValueError, RecursionError):  # as in `_from_file`
        raise ConfigError(_ONE_EACH) from None
    if not all(isinstance(values, dict) for values in layer.values()):
        raise ConfigError(_ONE_EACH)
    for key in ("url_file", "direct_url_file"):  # read as secret files
        layer.get("database", {}).pop(key, None)
    for section, values in layer.items():  # a whole section given as JSON may contain anything
        for key in values:
            _refuse_unknown(f"{section}.{key}", f"{PREFIX}{section.upper()}")
    token = os.environ.get("DISCORD_TOKEN", "").strip()
    if token:
        layer.setdefault("discord", {})["token"] = token
    return layer


def _refuse_unknown(name: str, where: str) -> None:
    if name not in names():
        raise ConfigError(_unknown_setting(name, where))


def _unknown_setting(name: str, where: str) -> str:
    """Return the error text for an unknown section or setting.

    The text has the known name that is closest, or else all known names.
    """
    section, _, key = name.partition(".")
    if key and section not in Settings.model_fields:
        kind, unknown, known = "section", section, list(Settings.model_fields)
    else:
        kind, unknown, known = "setting", name, names()
    near = get_close_matches(unknown[:_MAX_QUOTED], known, n=1)
    meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{where}: there is no {kind} {_cut(unknown)}; {meant}"


def _sentence(error: ValidationError, merged: Mapping[str, Any], file: Path | None) -> str:
    """Return a sentence about the first error: source, expectation, example and actual value."""
    first = error.errors(include_url=False)[0]
    section, key = str(first["loc"][0]), str(first["loc"][1])
    field = _section(section).model_fields[key]
    example = field.examples[0] if field.examples else field.default
    if isinstance(example, bool):
        example = json.dumps(example)  # written as in a settings file
    # pydantic begins with "Input should", "String should" or "Input is not"
    should = first["msg"].replace("Input is not", "It should be")
    start = should.find("should")
    # a number too large to parse
    should = should[start:] if start >= 0 else "should be a smaller number"
    should = re.sub(r"'([^']*)'", r'"\1"', should)
    value = merged[section][key]
    actual = "" if (section, key) in SECRETS else f"; it is {_quote(value)}"
    where = _where(section, key, file)
    return f"{where}: {section}.{key} {should}, for example {example}{actual}"


def _quote(value: object) -> str:
    """Return a value as in a settings file, without user and password in an address."""
    written = f'"{value}"' if isinstance(value, str) else json.dumps(value, default=str)
    return _cut(_USER.sub("://...@", written))


def _cut(written: object, room: int = _MAX_QUOTED) -> str:
    text = str(written)
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _where(section: str, key: str, file: Path | None) -> str:
    variable = f"{PREFIX}{section}__{key}".upper()
    if variable in {name.upper() for name in os.environ}:
        return variable
    return str(file or "the settings")


def _section(name: str) -> type[Section]:
    return cast(type[Section], Settings.model_fields[name].annotation)


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it isn't UTF-8 text"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

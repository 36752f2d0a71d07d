"""The sections of the settings: every key, its default and allowed values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from bot.settings.paths import expand_path
from bot.settings.shards import EXAMPLE, MOST, format_ids


def _expand_path(value: object) -> object:
    if not isinstance(value, str):
        return value
    if "://" in value:  # as a path, it would become a folder "postgresql:" and reveal its password
        raise ValueError("should be a path; a database's address belongs in database.url")
    return expand_path(value)


def _reachable(address: str) -> str:
    try:
        parts = urlsplit(address)
        if parts.hostname and parts.port != 0:
            return address
    except ValueError:  # an invalid port, or unmatched brackets
        pass
    raise ValueError("should name a host, and a port from 1 to 65535 if any")


Place = Annotated[Path, BeforeValidator(_expand_path)]
Address = Annotated[str, AfterValidator(_reachable)]


class Section(BaseModel):
    """A group of settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DiscordSettings(Section):
    """The connection to Discord."""

    token: SecretStr | None = None
    api_url: Address | None = Field(
        default=None, pattern="^https?://", examples=["https://discord.com/api/v10"]
    )
    gateway_url: Address | None = Field(
        default=None, pattern="^wss?://", examples=["wss://gateway.discord.gg"]
    )
    # for the whole bot, without answers to interactions; Discord allows 50. 0: no limit
    requests_per_second: float = Field(default=45, ge=0, le=10_000)


class DatabaseSettings(Section):
    """The database: an SQLite file at `path`, or the one at `url` if set.

    `direct_url`: the same PostgreSQL without a pooler, if `url` leads to a pooler.
    """

    path: Place = Path("data/bluffhouse.db")
    url: SecretStr | None = Field(
        default=None, examples=["postgresql://bluffhouse@localhost/bluffhouse"]
    )

    direct_url: SecretStr | None = Field(
        default=None, examples=["postgresql://bluffhouse@localhost/bluffhouse"]
    )
    pool_size: int = Field(default=8, ge=1, le=1_000)  # PostgreSQL connections for each process

    @property
    def address(self) -> str:
        """The database's URL, with its password if any."""
        if self.url is not None:
            return self.url.get_secret_value()
        return f"sqlite:///{self.path}"

    @property
    def straight(self) -> str:
        """The database's URL without a pooler, for commands that open one short connection."""
        return self.direct_url.get_secret_value() if self.direct_url else self.address


class ShardingSettings(Section):
    """The division of Discord's events among shards, and of shards among processes."""

    count: int = Field(default=1, ge=0, le=MOST)  # for the whole bot; 0: Discord's recommendation
    # shards of this process, such as "0-3"; empty: all
    ids: Annotated[str, BeforeValidator(format_ids)] = Field(default="", examples=[EXAMPLE])
    # shards for each process of a numbered set; 0: not used
    from_ordinal: int = Field(default=0, ge=0, le=MOST)


class TablesSettings(Section):
    """Time limits and behaviour of tables."""

    next_round_seconds: float = Field(default=15, ge=0, le=86_400)
    lobby_minutes: int = Field(default=60, ge=0, le=525_600)  # 0: lobbies stay open
    turn_minutes: float = Field(default=2, ge=0, le=525_600)  # for new tables; 0: no limit


class ComputersSettings(Section):
    """Computer players at tables."""

    allowed: bool = True
    pause_seconds: float = Field(default=1.2, ge=0, le=60)  # the shortest, before a move


class PrivacySettings(Section):
    """The number of days to keep data, and the address of the privacy policy."""

    # after the end of a match; 0: for ever
    keep_matches_days: int = Field(default=0, ge=0, le=36_500)
    # after a server has removed the bot
    keep_departed_days: int = Field(default=30, ge=1, le=3_650)
    policy_url: Address | None = Field(
        default=None, pattern="^https?://", examples=["https://example.org/privacy"]
    )


class FairUseSettings(Section):
    """Limits on one person's requests; 0: no limit."""

    tables_at_once: int = Field(default=5, ge=0, le=100_000)  # live tables that one person hosts
    tables_per_hour: int = Field(default=30, ge=0, le=100_000)  # including practices
    odds_per_minute: int = Field(default=20, ge=0, le=100_000)
    posts_per_minute: int = Field(default=10, ge=0, le=100_000)  # other public answers
    looks_per_minute: int = Field(default=120, ge=0, le=100_000)  # private answers


class BackupsSettings(Section):
    """Automatic copies of the database."""

    every_hours: float = Field(default=0, ge=0, le=8_760)  # 0: no copies
    keep: int = Field(default=7, ge=1, le=10_000)
    folder: Place = Path("data/backups")


class ServingSettings(Section):
    """The bot's state over HTTP: /livez, /readyz, /metrics."""

    port: int = Field(default=0, ge=0, le=65_535)  # 0: off
    host: str = Field(default="127.0.0.1", pattern=r"^[^/\s]+$", max_length=255)


class ReportsSettings(Section):
    """Error reports to a Sentry service; off by default."""

    sentry_dsn: Address | None = Field(
        default=None,
        pattern=r"^https?://[^@/]+@[^@/]+/(.+/)?\d+$",
        examples=["https://key@sentry.example.org/1"],
    )


class UpdatesSettings(Section):
    """The daily check for a newer version."""

    check: bool = True
    feed: Address | None = Field(
        default=None,
        pattern="^https?://",
        examples=["https://api.github.com/repos/OWNER/bluffhouse/releases/latest"],
    )


class LogsSettings(Section):
    """The level and format of the log."""

    format: Literal["auto", "console", "json"] = "auto"
    level: Literal["debug", "info", "warning", "error"] = "info"

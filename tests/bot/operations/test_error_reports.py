"""Reports to Sentry: enough to find an error, without any person's text or cards."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bot.operations import error_reports, logs
from bot.operations.error_reports import CannotReport, Reporting, reporting
from bot.settings.config import Settings
from engine.cards import Cards
from tests.bot.operations import test_logs

logging_as_it_was = test_logs.logging_as_it_was

TOKEN = "MTIzNDU2.Gabcde.secret"
PASSWORD = "hunter2"
SEED = "5eed" * 16
DSN = "https://key@sentry.example.org/1"
CARDS = "9h Kc *"


class Post(Transport):
    """A transport that keeps the envelopes instead of sending them."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent.append(envelope.serialize().decode())

    def events(self) -> list[dict[str, Any]]:
        """Return the only item of each envelope."""
        return [json.loads(envelope.splitlines()[2]) for envelope in self.sent]


@pytest.fixture
def settings() -> Settings:
    return Settings.model_validate(
        {
            "discord": {"token": TOKEN},
            "database": {"url": f"postgresql://bluffhouse:{PASSWORD}@localhost/house"},
            "reports": {"sentry_dsn": DSN},
        }
    )


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    logs.configure(secrets=settings.secrets)
    sending = Post()
    with reporting(settings, transport=sending):
        yield sending


class CardShown(Exception):
    """An error whose text must not be in a report."""


def deal(seed: str, cards: Cards) -> None:
    hole_cards = str(cards)
    try:
        raise KeyError(hole_cards)
    except KeyError as error:
        raise CardShown(f"{cards} from {seed} with {TOKEN}") from error


def test_a_planted_card_seed_or_token_never_gets_out(post: Post) -> None:
    cards = Cards.parse(CARDS)
    log = structlog.get_logger("bot.services.tables")
    structlog.contextvars.bind_contextvars(table="t17", match="m4", seq=9)
    try:
        deal(SEED, cards)
    except CardShown as error:
        log.exception("tables: a deal failed", cards=str(cards), seed=SEED, error=str(error))
        logging.getLogger("discord.client").exception("in %s", f"{cards} {SEED}")
        logging.getLogger("asyncio").error(f"never retrieved: {error!r}", exc_info=error)
        log.error("database: no longer", why=f"postgresql://x:{PASSWORD}@localhost {cards}")
    finally:
        structlog.contextvars.clear_contextvars()
    assert len(post.sent) == 4
    everything = "\n".join(post.sent)
    for secret in (SEED, TOKEN, PASSWORD, DSN, str(cards), *str(cards).split(), *CARDS.split()[:2]):
        assert secret not in everything


def test_a_report_says_which_error_where_and_in_which_match(post: Post) -> None:
    log = structlog.get_logger("bot.services.tables")
    try:
        deal(SEED, Cards.parse(CARDS))
    except CardShown:
        log.exception("tables: a deal failed", match="m4", seq=9, player=80_351_110_224_678_912)
    (event,) = post.events()
    assert event["message"] == "tables: a deal failed"
    assert (event["logger"], event["level"]) == ("bot.services.tables", "error")
    assert event["tags"] == {"match": "m4", "seq": "9"}
    cause, error = event["exception"]["values"]
    assert (cause["type"], error["type"]) == ("KeyError", "CardShown")
    assert error["stacktrace"]["frames"][-1]["function"] == "deal"
    assert error["stacktrace"]["frames"][-1]["lineno"] > 0
    assert "80351110224678912" not in post.sent[0]


def test_a_report_has_no_data_about_the_machine(post: Post) -> None:
    structlog.get_logger("bot").error("bot: ended")
    (event,) = post.events()
    assert event["server_name"] == "bluffhouse"
    sent_keys = {"contexts", "modules", "user", "request", "breadcrumbs", "extra"} & {*event}
    assert {name: event[name] for name in sent_keys if event[name]} == {}
    assert sys.prefix not in post.sent[0]


def test_below_an_error_nothing_is_reported(post: Post) -> None:
    structlog.get_logger("bot").warning("bot: the database does not answer, trying again")
    assert post.sent == []


def test_the_same_error_is_reported_once_a_minute() -> None:
    sent: list[error_reports.Event] = []
    handler = Reporting(sent.append)
    for at in (0.0, 1.0, 59.0, 61.0):
        record = logging.LogRecord("bot", logging.ERROR, __file__, 1, {"event": "x"}, None, None)
        record.created = at
        handler.emit(record)
    assert len(sent) == 2


def test_the_sender_adds_no_data_about_itself(post: Post) -> None:
    logging.getLogger("sentry_sdk.errors").error("cannot send")
    assert post.sent == []


def test_secrets_are_removed_from_the_rest_of_a_report(settings: Settings) -> None:
    cut = logs.Redactor((*settings.secrets, "hunter"))
    cleaned = cut.everywhere({"a": [f"x{PASSWORD}y", {TOKEN: 1}], "b": (2, None)})
    assert cleaned == {"a": ["x[secret]y", {"[secret]": 1}], "b": [2, None]}


def test_without_the_setting_nothing_is_reported() -> None:
    before = logging.getLogger().handlers[:]
    with reporting(Settings()):
        assert logging.getLogger().handlers == before


def test_without_the_package_the_setting_is_refused_in_a_sentence(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(CannotReport, match="EXTRAS=watching"), reporting(settings):
        pass

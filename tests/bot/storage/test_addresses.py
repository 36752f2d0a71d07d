"""Database addresses, in the forms that hosts write."""

from __future__ import annotations

import sys

import pytest

from bot.storage import NotReached
from bot.storage.addresses import database_url, file_of


def refusal_of(address: str) -> str:
    with pytest.raises(NotReached) as error:
        database_url(address)
    sentence = str(error.value)
    assert "sesame" not in sentence
    return sentence


@pytest.mark.parametrize("path", ["data/a?b.db", "data/a#b%20c.db", "/data/x&y=z.db"])
def test_a_file_may_have_any_name(path: str) -> None:
    assert str(file_of(database_url(f"sqlite:///{path}"))) == path


@pytest.mark.parametrize(
    "address",
    [
        *("sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///file::memory:?cache=shared"),
        *("sqlite:///file:x.db?nolock=1", "sqlite:///FILE:/srv/x.db", "sqlite:///x.db?nolock=1"),
        *("sqlite:///data/x.db?a=b&mode=memory", "sqlite:///sqlite:x.db"),
    ],
)
def test_in_memory_and_unlocked_databases_are_refused(address: str) -> None:
    sentence = refusal_of(address)
    assert "must be a file" in sentence
    assert "such as /var/lib/bluffhouse/bluffhouse.db" in sentence


def test_home_and_variables_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDS", "/srv/cards")
    assert str(file_of(database_url("sqlite:///$CARDS/x.db"))) == "/srv/cards/x.db"
    monkeypatch.delenv("CARDS")
    assert "variables that are set, and $CARDS is not" in refusal_of("sqlite:///$CARDS/x.db")


def test_other_spellings_of_an_address_are_understood() -> None:
    url = database_url("postgres://ann:sesame@localhost:5433/cards?sslmode=require")
    assert url.drivername == "postgresql+asyncpg"
    assert dict(url.query) == {"ssl": "require"}


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://ann:sesame@localhost/cards", "expected e.g. sqlite:///"),
        ("localhost/cards", "expected e.g. sqlite:///"),
        ("postgresql://ann:sesame@localhost:port/cards", "expected e.g. sqlite:///"),
        ("postgresql://ann:sesame@localhost:99999/cards", "port 99999, but ports end at 65535"),
        ("postgresql://ann:sesame@localhost/cards?sslmod=require", "unknown option, sslmod;"),
        # as it is written "same@localhost" would be the host, and be shown
        ("postgresql://ann:se@same/sesame@localhost/cards", "several @"),
    ],
)
def test_an_invalid_address_is_one_sentence_without_its_password(address: str, says: str) -> None:
    assert says in refusal_of(address)


def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert "asyncpg, which isn't installed" in refusal_of("postgresql://ann@localhost/cards")
    database_url("sqlite:///cards.db")

"""The shards that settings give a process: every way to name them, and every contradiction."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings.config import ConfigError, Settings
from bot.settings.shards import Shards, parse_ids
from tests.bot.processes import command

POSTGRES = {"url": "postgresql://bluffhouse@localhost/bluffhouse"}


def shards_of(host: str = "bluffhouse", *, url: bool = True, **shards: object) -> Shards:
    chosen = {"shards": shards, "database": POSTGRES if url else {}}
    return Settings.model_validate(chosen).own_shards(host)


def refusal_of(host: str = "bluffhouse", *, url: bool = True, **shards: object) -> str:
    with pytest.raises(ConfigError) as error:
        shards_of(host, url=url, **shards)
    return str(error.value)


def test_one_process_has_all_shards_unless_told_otherwise() -> None:
    assert shards_of(url=False) == Shards(1, (0,))
    assert shards_of(url=False, count=4) == Shards(4, (0, 1, 2, 3))
    assert shards_of(url=False, count=0) == Shards(0, ())
    assert shards_of(url=False, count=2, ids="0, 1").whole
    assert all(shards_of(url=False, count=0).serves(guild << 22) for guild in range(9))


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("0-2", (0, 1, 2)),
        ("5, 0,2-3", (0, 2, 3, 5)),
        ("[1, 2]", (1, 2)),
        ("", ()),
        ([4, 1], (1, 4)),
    ],
)
def test_shards_are_named_by_numbers_ranges_and_lists(
    written: object, ids: tuple[int, ...]
) -> None:
    assert parse_ids(written) == ids
    expected = Shards(6, ids or tuple(range(6)))
    assert shards_of(count=6, ids=written) == expected


@pytest.mark.parametrize("written", ["3-1", "one", "-1", "0-99999", "1.5", "1;2", "0--1"])
def test_invalid_shards_are_refused_with_the_expected_form(written: str) -> None:
    with pytest.raises(ValueError, match="should name shards by their numbers"):
        parse_ids(written)


def test_the_number_of_a_host_gives_its_shards_and_the_last_may_have_fewer() -> None:
    hosts = [shards_of(f"bluffhouse-{number}", count=5, from_ordinal=2) for number in range(3)]
    assert [host.ids for host in hosts] == [(0, 1), (2, 3), (4,)]
    assert shards_of("bluffhouse-0", count=2, from_ordinal=2, url=False).whole


def test_contradictions_are_one_sentence() -> None:
    assert "an SQLite file serves only one" in refusal_of(count=2, ids="0", url=False)
    assert "an SQLite file serves only one" in refusal_of("b-1", count=2, from_ordinal=1, url=False)
    assert "can't both be set" in refusal_of("b-0", count=2, ids="0", from_ordinal=1)
    assert "the last is 3" in refusal_of(count=4, ids="2-4")
    assert "set shards.count when several" in refusal_of(count=0, ids="1")
    assert "it is 'laptop'" in refusal_of("laptop", count=4, from_ordinal=2)
    assert "there are 3 processes" in refusal_of("b-3", count=5, from_ordinal=2)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 1 << 62))
def test_every_server_is_served_by_just_one_process(count: int, each: int, guild: int) -> None:
    processes = [
        shards_of(f"b-{number}", count=count, from_ordinal=each)
        for number in range(-(-count // each))
    ]
    assert sum(owner_candidate.serves(guild) for owner_candidate in processes) == 1
    owner = next(candidate for candidate in processes if candidate.serves(guild))
    assert (guild >> 22) % count in owner.ids
    assert next(candidate for candidate in processes if candidate.serves(0)) is processes[0]


def test_run_refuses_contradictions_in_one_line_and_the_doctor_names_them(
    tmp_path: Path,
) -> None:
    variables = {
        "DISCORD_TOKEN": "sandbox",
        "BLUFFHOUSE_SHARDS__COUNT": "2",
        "BLUFFHOUSE_SHARDS__IDS": "0",
    }
    ended = command(tmp_path, "run", **variables)
    assert ended.returncode == 78
    (line,) = ended.stderr.strip().splitlines()
    assert line.startswith("bluffhouse: several processes need a PostgreSQL database")
    looked = command(tmp_path, "store", "doctor", **variables)
    assert "BAD  shards" in looked.stdout
    looked = command(tmp_path, "store", "doctor", BLUFFHOUSE_SHARDS__COUNT="2")
    assert "ok   shards     2 shards, all in this process" in looked.stdout

"""Small shared modules: computer players' ids, a bounded cache, and stopping."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import app
from bot.operations.process_lifetime import STOP
from bot.recent import Recent
from bot.roster import (
    CHARACTERS,
    computer,
    computers,
    is_computer,
    nameless,
    nameless_number,
    next_of,
    people,
)
from engine.players import CHARACTERS as PLAYERS
from tests.bot.conftest import Seat
from tests.people import PATIENCE

# -- computer players: ids that stand in stored matches for ever -----------------------------------

# what stored matches say; a change of any line would give a seat to somebody else
KNOWN = {
    -101: ("Agnes", "careful"),
    -109: ("Martha", "careful"),
    -201: ("Mira", "sly"),
    -209: ("Renata", "sly"),
    -301: ("Blaise", "sharp"),
    -309: ("Ada", "sharp"),
    -401: ("Roxy", "wild"),
    -409: ("Tilda", "wild"),
}


def test_the_id_of_a_computer_player_never_changes_its_character() -> None:
    assert {
        number: (computer(number).name, computer(number).character) for number in KNOWN
    } == KNOWN


def test_every_character_of_the_engine_can_be_seated_nine_times_under_other_names() -> None:
    assert set(CHARACTERS) == set(PLAYERS)
    names = []
    for character in CHARACTERS:
        seated: list[int] = []
        while (computer_player := next_of(character, seated)) is not None:
            assert computer_player.character == character
            seated.append(computer_player.id)
            names.append(computer_player.name)
        assert len(seated) >= 9
    assert len(names) == len(set(names))


def test_people_and_computer_players_are_told_apart() -> None:
    players = (11, -101, 2**63 - 1, -401)
    assert people(players) == (11, 2**63 - 1)
    assert [player.name for player in computers(players)] == ["Agnes", "Roxy"]
    assert [is_computer(player) for player in players] == [False, True, False, True]


def test_a_computer_player_seated_by_a_newer_version_still_plays() -> None:
    assert computer(-9901).character == "careful"


def test_a_nameless_players_id_is_no_computers_and_no_discord_id() -> None:
    for number in (1, 2, 2_097_151):
        player = nameless(number)
        assert nameless_number(player) == number
        assert not is_computer(player)
        assert player < 1 << 22  # the first millisecond of Discord's time
    for outside in (0, 2_097_152):
        with pytest.raises(ValueError, match="nameless players 1 to"):
            nameless(outside)
    assert nameless_number(1 << 22) is nameless_number(-101) is nameless_number(1001) is None


# -- what is remembered of late, and what is forgotten for it --------------------------------------


def test_the_least_recently_used_entry_is_dropped_first() -> None:
    remembered = Recent[str, int](2)
    remembered["one"], remembered["two"] = 1, 2
    assert remembered["one"] == 1  # so that it is the newest
    remembered["three"] = 3
    assert dict(remembered.items()) == {"one": 1, "three": 3}
    remembered["one"] = 4
    remembered["five"] = 5
    assert list(remembered) == ["one", "five"]


def test_a_membership_test_does_not_count_as_a_use() -> None:
    remembered = Recent[str, int](1)
    remembered["one"] = 1
    assert remembered.get("one") == 1
    assert "two" not in remembered
    assert remembered.pop("one") == 1
    assert remembered.get("one") is None


# -- a stop ----------------------------------------------------------------------------------------


async def test_a_stop_stores_which_tables_are_shown_before_it_waits_for_seats(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays="Thai Poker")
    await at.call(at.turn())
    noted: list[set[int]] = []

    async def wait_until_settled() -> None:
        """Record which tables are stored as up to date, and don't wait."""
        noted.append(await at.bot._store.tables.up_to_date())

    monkeypatch.setattr(at.bot.delivery, "settle", wait_until_settled)
    monkeypatch.setattr(app, "STOP", replace(STOP, drain=PATIENCE, discord=PATIENCE))
    await at.bot.stop()
    assert noted == [{(await at.live()).table.id}]

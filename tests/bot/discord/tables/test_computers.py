"""Computer players from the screen of the local Discord: the lobby, the table, whole matches."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reading import TURN
from bot.sandbox.driver import ActOutcome
from bot.settings.schema import ComputersSettings
from tests.bot.conftest import Seat
from tests.bot.house import Table, running_bot, settings, whispered
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
MENU = "Computer players"
MOST_MOVES = 3000


async def choose(at: Table, value: str) -> ActOutcome:
    """Choose from the menu that is behind Options…."""
    out = await at.host.select(await at.options(at.host), MENU, value)
    await at.settle()
    return out


async def begin(at: Table, game: str, computers: int) -> None:
    """Start a match of the only person with so many computer players."""
    await at.host.slash(at.channel, "play", game=game, computers=computers)
    await at.host.click(at.shown(), "Start")
    await at.settle()


async def play(at: Table, chance: random.Random, rounds: int = MOST_MOVES) -> bool:
    """Play on for so many rounds as the only person; whether the match is over then."""
    dealt = 0
    while True:
        message = at.shown()
        if "wins the match" in message.text:
            return True
        if "Next round" in message.buttons:
            if dealt == rounds:
                return False
            await at.host.click(message, "Next round")
            await at.settle()
            dealt += 1
            continue
        found = TURN.search(message.text)
        if found is None:  # somebody else thinks

            def moved(seen: tuple[str, str] = (message.id, message.text)) -> bool:
                return (at.shown().id, at.shown().text) != seen

            await until(moved)
            continue
        doubt = {"Challenge", "Check bid"} & set(message.buttons)
        if doubt and ("nothing is higher" in message.text or chance.random() < 0.4):
            await at.challenge(at.host)
        else:
            await at.call(at.host, option=chance.randrange(6))


# -- the lobby -------------------------------------------------------------------------------------


async def test_a_host_seats_computer_players_and_takes_one_away(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await choose(at, "add.careful")
    await choose(at, "add.wild")
    assert "2. Agnes · careful computer player\n3. Roxy · wild computer player" in at.shown().text
    assert "A match with computer players, not rated." in at.shown().text
    await choose(at, "take.-101")
    assert "Agnes" not in at.shown().text
    assert "2. Roxy · wild computer player" in at.shown().text


async def test_one_press_seats_a_computer_player_and_the_next_one_of_another_character(
    table: Seat,
) -> None:
    at = await table(1)
    await at.open(THAI)
    for _ in range(3):
        out = await at.host.click(at.shown(), "Computer player")
        assert out.kind == "update"
    assert "2. Agnes · careful computer player\n3. Mira · sly computer player" in at.shown().text
    assert "4. Blaise · sharp computer player" in at.shown().text


async def test_play_seats_as_many_computer_players_as_are_asked_for(table: Seat) -> None:
    at = await table(1)
    await at.host.slash(at.channel, "play", game=LIARS, computers=9)
    assert "10 of 10" in at.shown().text
    assert "Computer player" not in at.shown().buttons
    shown = await at.options(at.host)
    *taken, silent = [one["value"] for one in shown.select(MENU)["options"]]
    assert len(taken) == 9
    assert all(value.startswith("take.") for value in taken)
    assert silent == "talk.off"


@pytest.mark.parametrize("value", ["add.nobody", "add.", "take.-999", "take.11", "take.x", ""])
async def test_a_forged_choice_of_the_menu_changes_nothing(table: Seat, value: str) -> None:
    at = await table(1)
    await at.open(THAI)
    await choose(at, "add.careful")
    before = at.shown().text
    shown = await at.options(at.host)
    custom_id = shown.select(MENU)["custom_id"]
    assert await whispered(at.host.forge(shown, custom_id, [value]))
    assert at.shown().text == before


async def test_only_the_host_seats_computer_players(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    said = await whispered(at.people[1].click(at.shown(), "Computer player"))
    assert said == f"Only <@{at.host.id}>, who hosts this table, or a moderator may do that."


async def test_a_house_without_computer_players_offers_none(table: Seat, tmp_path: Path) -> None:
    at = await table(1, serve=False)
    chosen = settings(tmp_path).model_copy(update={"computers": ComputersSettings(allowed=False)})
    async with running_bot(at.world, chosen) as bot:
        at = replace(at, bot=bot)
        said = await whispered(at.host.slash(at.channel, "play", game=THAI, computers=1))
        assert said == "This house seats no computer players."
        await at.open(THAI)
        assert MENU not in [one.get("placeholder") for one in at.shown().components]


async def test_the_last_person_to_leave_closes_the_lobby(table: Seat) -> None:
    at = await table(1)
    await at.open(THAI)
    await choose(at, "add.careful")
    await at.host.click(at.shown(), "Leave")
    await at.settle()
    assert "This table is closed." in at.shown().text


# -- the match -------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("computers", "game", "rounds"), [(1, THAI, MOST_MOVES), (2, LIARS, MOST_MOVES), (9, THAI, 2)]
)
async def test_one_person_plays_a_whole_match_and_the_bot_is_restarted_meanwhile(
    table: Seat, tmp_path: Path, game: str, computers: int, rounds: int
) -> None:
    """With one, and with two of whom one may be out before; of the longest match some rounds."""
    at = await table(1, serve=False)
    chance = random.Random(computers)
    over = False
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        await begin(at, game, computers)
        over = await play(at, chance, rounds=1)
    async with running_bot(at.world, settings(tmp_path)) as bot:
        at = replace(at, bot=bot)
        over = over or await play(at, chance, rounds)
    if rounds == MOST_MOVES:
        assert over
        assert "with computer players, not rated" in at.shown().text
    assert [one for one in at.world.state.requests if one.status >= 400] == []

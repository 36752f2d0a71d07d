"""A house that an earlier version left in the middle of a round goes on, old buttons included."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.reading import CARD
from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox
from bot.storage.migrate import known_revisions
from tests.bot.house import running_bot, seated, settings
from tests.fixtures.house import PLAYERS, kept, reopen

# what the button for one's own cards was called
MINE = {"schema_0001": "My cards"} | dict.fromkeys(("schema_0002",), "My seat")
pytestmark = pytest.mark.usefixtures("unhurried")


def test_every_version_of_the_schema_has_a_kept_house() -> None:
    names = [folder.name for folder in kept()]
    assert names == [f"schema_{revision}" for revision in known_revisions()], (
        "after a migration, keep a house of the new schema: python -m tests.fixtures.house"
    )


@pytest.mark.parametrize("folder", kept(), ids=lambda folder: folder.name)
async def test_a_match_of_an_earlier_version_goes_on_by_the_buttons_on_the_screen(
    tmp_path: Path, unhurried: ManualClock, folder: Path
) -> None:
    world = Sandbox(unhurried)
    await world.start()
    here = await reopen(folder, world, tmp_path / "house.db")
    match = here.match
    drawn = match.shown()
    assert "Round 2" in drawn.text
    async with running_bot(world, settings(tmp_path)) as bot:
        match.bot = here.lobby.bot = bot
        await match.settle()
        assert match.shown().id == drawn.id  # drawn anew in place, by today's code
        bidder, standing = match.turn(), match.standing()
        # what used to show the cards opens the seat, and the seat has the pad
        await bidder.forge(drawn, drawn.button(MINE[folder.name]))
        live = await match.live()
        assert live.match is not None
        assert live.match.round is not None
        dealt = live.match.round.hands[live.seat(int(bidder.id))]
        shown = CARD.findall(match.seat(bidder).text.partition("Next:")[0])
        assert set(shown) == {card.symbol for card in dealt}
        assert "It is your turn" in match.seat(bidder).text

        # a form and a list, as the earlier version spelled them
        form = await bidder.forge(drawn, drawn.button("Call…"))
        assert form.modal is not None
        select = drawn.select()
        out = await bidder.forge(drawn, select["custom_id"], [select["options"][0]["value"]])
        assert out.kind == "update"
        assert match.standing() != standing
        stale = await match.turn().forge(drawn, drawn.button("Challenge"))
        assert stale.text.startswith("The table has moved on.")

        await match.challenge(match.turn())
        assert "Round 2 · Showdown" in match.shown().text
        await match.host.click(match.shown(), "Next round")
        await match.settle()
        await match.call(match.turn())
        assert "Round 3" in match.shown().text
        match.assert_no_leak()
    await world.stop()


@pytest.mark.parametrize("folder", kept(), ids=lambda folder: folder.name)
async def test_a_lobby_of_an_earlier_version_fills_and_starts(
    tmp_path: Path, unhurried: ManualClock, folder: Path
) -> None:
    world = Sandbox(unhurried)
    await world.start()
    lobby = (await reopen(folder, world, tmp_path / "house.db")).lobby
    drawn = lobby.shown()
    async with running_bot(world, settings(tmp_path)) as bot:
        lobby.bot = bot
        await lobby.settle()
        for person in lobby.people[1:]:
            assert (await person.forge(drawn, drawn.button("Join"))).kind == "update"
        assert seated(lobby) == list(PLAYERS)
        await lobby.host.click(lobby.shown(), "Start")
        await lobby.settle()
        assert "Round 1" in lobby.shown().text
        assert (await lobby.call(lobby.turn())).kind == "update"
    await world.stop()

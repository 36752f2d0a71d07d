"""A session on Ann's phone, screen by screen: from the lobby to the next match.

She plays in headless Chromium, her friends through the driver, and a test moves the clock. Every
screen is checked on a dark phone and a light desktop: nothing may be wider than the screen. With
`--screenshots DIR` these are the pictures in the documentation.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Locator, expect

from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from bot.storage.store import SqlStore
from bot.tables.absence import is_away
from bot.tables.model import Player
from tests.bot.browser_seat import Gallery, Seat, premises
from tests.bot.harness import StoppedClock, Table, bid_by_form, choose, cut_with
from tests.bot.stats.seasons import keep, simulate_matches
from tests.bot.storage.persons import store_person

pytestmark = pytest.mark.browser

FRIENDS: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
MOST_MOVES: Final = 400
CALLS: Final = ("pair of nines", "kings and fives", "three fours", "three jacks")


@dataclass(slots=True)
class PhoneSession:
    """Ann's tab, and the table with everybody at it."""

    ann: Seat
    at: Table
    clock: StoppedClock
    gallery: Gallery

    @property
    def me(self) -> Person:
        return self.at.people[0]

    async def keep(self, name: str, node: Locator | None = None) -> None:
        await self.gallery.keep_both(self.ann.page, name, node)

    async def passes(self, seconds: int) -> None:
        """Let this many seconds pass for the bot and wake it, but don't wait for its actions."""
        self.clock.at += seconds * 1000
        moment = datetime.fromtimestamp(self.clock.at / 1000, UTC)
        await self.ann.page.clock.set_fixed_time(moment)  # "in 2 minutes" stays true on the page
        self.at.bot.tables.alarm.ring()


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: these pictures show cards as people see them."""


@asynccontextmanager
async def phone_session(
    folder: Path, clock: ManualClock, gallery: Gallery
) -> AsyncIterator[PhoneSession]:
    opening = premises(folder, clock, FRIENDS, "an evening", next_round=30.0, warm=True)
    async with opening as out, out.tab("Ann", gallery) as ann:
        people = [out.world.person(name) for name in FRIENDS]
        yield PhoneSession(ann, Table(out.world, out.bot, out.channel, people), out.clock, gallery)


async def test_a_session_from_the_lobby_to_the_next_match(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    async with phone_session(tmp_path, unhurried, gallery) as out:
        await in_the_lobby(out)
        await a_turn_in_ones_seat(out)
        await falls_asleep_and_comes_back(out)
        await at_the_showdown(out)
        await to_the_end(out)
        await looks_back(out)
        await once_more(out)


async def test_screens_besides_the_table(
    tmp_path: Path, unhurried: ManualClock, gallery: Gallery
) -> None:
    async with phone_session(tmp_path, unhurried, gallery) as out:
        ann = out.ann
        await months_pass(out)
        await ann.command("stats", game="Liars' Poker")
        await keep_answer(out, "@Ann's stats", "stats")
        await ann.command("stats", what="Leaderboard")
        await keep_answer(out, "Leaderboard", "leaderboard")
        await ann.command("odds liars", in_play="12", cards="Ah Kd *", bid="three aces")
        await keep_answer(out, "Three aces: ", "odds-liars")
        await ann.command("odds showdown", hands="AsKs vs QhQd", board="Ts 9s 2h")
        await keep_answer(out, "has 15 outs", "odds-showdown")
        await ann.press("Card by card")
        await keep_answer(out, "After the next card", "odds-cards")
        held = "22+, A2s+, K9s+, Q9s+, J9s+, T9s, ATo+, KTo+"
        await ann.command("odds showdown", hands=f"AsKs vs {held}", board="Ts 9s 2h")
        await keep_answer(out, "250 combos", "odds-range")
        await ann.press("Hand by hand")
        await keep_answer(out, "is the favourite against", "odds-hands")
        await ann.command("odds three-card", hand="Qs 6h 4d")
        await keep_answer(out, "Queen high, Q-6-4", "odds-three-card")
        out.at.world.server("The Snug").make_moderator(out.me)
        await ann.command("settings", game="Liars' Poker")
        await expect(ann.messages.last).to_contain_text("New tables")
        await out.keep("settings", ann.messages.last)
        await ann.command("help")
        await expect(ann.own).to_contain_text("What would you like to do?")
        await out.keep("help", ann.own)
        await ann.command("preferences")
        await expect(ann.own).to_contain_text("Your settings")
        await out.keep("preferences-board", ann.own)
        await ann.press_own("Change…")
        await expect(ann.form).to_be_visible()
        await out.keep("preferences")
        await ann.tap(ann.form.get_by_role("button", name="Cancel"))
        await a_game_night(out)
        await tables_that_wait_for_her(out)


async def months_pass(out: PhoneSession) -> None:
    """Store some matches of the six players, for Ann to ask for their stats."""
    store = out.at.bot.tables._store
    assert isinstance(store, SqlStore)
    for person in out.at.people:
        await store_person(store, Player(int(person.id), person.name))
    ids = tuple(int(person.id) for person in out.at.people)
    for match in simulate_matches("remembered", 30, int(out.at.channel.guild_id or 0), ids):
        await keep(store, match)


async def keep_answer(out: PhoneSession, words: str, name: str) -> None:
    newest = out.ann.messages.last
    await expect(newest).to_contain_text(words)
    await expect(newest.locator("img, h3").first).to_be_visible()  # a picture, or cards
    await out.keep(name, newest)


async def in_the_lobby(out: PhoneSession) -> None:
    """Open a table as Ann, have others join, go through the lobby's screens, and start."""
    ann, at = out.ann, out.at
    await ann.command("play", game="Liars' Poker")
    await expect(ann.table).to_contain_text("Waiting for 1 more player")
    await expect(ann.button("Start")).to_be_disabled()
    for friend in at.people[1:]:
        await friend.click(at.message(), "Join")
    await expect(ann.table).to_contain_text("6 of 10")
    await cut_with(at, at.people[1], "seven drunk otters")
    await ann.press("Fair deal ✓")
    await ann.tap(ann.messages.last.get_by_role("button", name="Cut the cards…"))
    await expect(ann.form).to_contain_text("Sealed. Your words")
    await ann.form.get_by_role("textbox").fill("purple giraffe 7")
    await out.keep("cut")
    await ann.submit()
    await expect(ann.table).to_contain_text("purple giraffe 7")
    await ann.dismiss()
    await ann.press("Options…")
    await out.keep("options", ann.messages.last)
    await ann.dismiss()
    await out.keep("lobby", ann.table)
    await ann.press("How to play")
    await expect(ann.own).to_contain_text("1 of 4")
    await ann.press_own("Next")
    await expect(ann.own).to_contain_text("2 of 4")
    await out.keep("howto", ann.own)
    await ann.tap(ann.own.get_by_role("button", name="Dismiss message"))
    await ann.press_option("House rules…")
    await expect(ann.form).to_be_visible()
    await out.keep("house-rules")
    await ann.submit()
    await ann.tap(ann.messages.last.get_by_role("button", name="Messages…"))
    await expect(ann.form).to_be_visible()
    letters = ann.form.get_by_role("combobox", name="Cards by direct message")
    await ann.choose(letters, "Yes, each round")
    await out.keep("time")
    await ann.submit()
    await expect(ann.table).to_contain_text("direct message too")
    await ann.dismiss()
    await ann.press("Start")
    await expect(ann.table).to_contain_text("Round 1")


async def turn_of_ann(out: PhoneSession) -> None:
    """Have the others bid until it is Ann's turn, or until all bids in `CALLS` are made."""
    at = out.at
    for call in CALLS:
        await at.settle()
        if at.turn().id == out.me.id:
            return
        await bid_by_form(at, at.turn(), text=call)


async def a_turn_in_ones_seat(out: PhoneSession) -> None:
    """Go through the screens of Ann's turn: table, form, the pad's steps, a mistyped bid.

    She makes no bid.
    """
    ann, at = out.ann, out.at
    await turn_of_ann(out)
    await expect(ann.table).to_contain_text("@Ann 2\xa0cards to act")
    await out.keep("table", ann.table)
    await ann.tap(ann.table.get_by_role("combobox"))
    await out.gallery.keep(ann.page, "select-phone")
    await ann.page.keyboard.press("Escape")
    await ann.press("Type…")
    await expect(ann.form).to_be_visible()
    await out.keep("form")
    await ann.tap(ann.form.get_by_role("button", name="Cancel"))
    await expect(ann.own).to_contain_text("Your turn")
    await out.keep("seat", ann.own)
    await ann.open_mail()
    await expect(ann.messages.last).to_contain_text("Your turn")
    await out.keep("cards", ann.messages.last)
    await ann.follow_link("Liars' Poker", "poker-night")
    await ann.press_own(re.compile("^Full"))
    await expect(ann.own_button("Back")).to_be_visible()
    await out.keep("seat-ranks", ann.own)
    before = await ann.own.inner_html()
    await ann.press_own(re.compile("ace_"))
    await expect(ann.own).not_to_have_js_property("innerHTML", before)
    await ann.press_own(re.compile("queen_"))
    await expect(ann.own_button(re.compile('Bid "aces full of queens"'))).to_be_visible()
    await out.keep("seat-call", ann.own)
    await ann.press_own("Back")
    await expect(ann.own).to_contain_text("three of which rank?")
    await ann.press_own("Back")
    await expect(ann.own_button(re.compile("^Full"))).to_be_visible()
    await ann.press_own("Type…")
    await ann.form.get_by_role("textbox").fill("three acess")
    await out.keep("type")
    await ann.submit()
    await expect(ann.own.locator("blockquote")).to_be_visible()
    await out.keep("refused", ann.own)
    await at.settle()


async def falls_asleep_and_comes_back(out: PhoneSession) -> None:
    """Let Ann's turn time out twice, the second time after a reminder; then have her come back.

    The bot moves for her each time.
    """
    ann, at = out.ann, out.at
    for untouched in (False, True):
        await friends_move_until_it_is_anns_turn(out)
        await out.passes(20)
        if untouched:
            await expect(ann.reminders).to_contain_text("@Ann")
            await at.settle()
            await out.keep("reminder", ann.messages.last)
        before = (await at.live()).match
        assert before is not None
        await out.passes(120)
        await at.until_live(lambda live, seq=before.seq: live.match.seq > seq)  # type: ignore[misc]
        await at.settle()
        await expect(ann.reminders).to_have_count(0)
    await next_round(out)
    await expect(ann.own).to_contain_text("You're away")
    await out.keep("away", ann.own)
    await ann.press_own("I'm back")
    await expect(ann.own_button("I'm back")).to_have_count(0)
    await at.settle()
    assert not is_away((await at.live()).table, int(out.me.id))


async def next_round(out: PhoneSession) -> None:
    """Have Bob deal the next round if a round is over."""
    at = out.at
    await at.settle()
    if "Next round" in at.message().buttons:
        await at.press("Next round", at.people[1])


async def friends_move_until_it_is_anns_turn(out: PhoneSession) -> None:
    """Have the others bid and challenge, over several rounds if necessary, until Ann's turn."""
    at = out.at
    for _ in range(MOST_MOVES):
        await next_round(out)
        mover = at.turn()
        if mover.id == out.me.id:
            return
        if "Challenge" in at.message().buttons:
            await at.challenge(mover)
        else:
            await at.call(mover, option=3)
    raise AssertionError("Ann never gets her turn")


async def at_the_showdown(out: PhoneSession) -> None:
    """Play a round to its showdown; then open the whole bidding and the deal's check as Ann."""
    ann, at = out.ann, out.at
    while at.standing() != "No bid yet":
        await at.challenge(at.turn())
        await next_round(out)
    for call in CALLS:
        await bid_by_form(at, at.turn(), text=call)
        await at.settle()
    await at.challenge(at.turn())
    await expect(ann.table).to_contain_text("Showdown")
    await out.keep("showdown", ann.table)
    await ann.tap(ann.page.get_by_role("button", name="Bidding").last)
    await expect(ann.messages.last).to_contain_text("bidding", ignore_case=True)
    await out.keep("bidding", ann.messages.last)
    await ann.tap(ann.messages.last.get_by_role("button", name="Dismiss message"))
    await ann.press("Fair deal ✓")
    await expect(ann.messages.last).to_contain_text("Checked just now")
    await out.keep("check-deal", ann.messages.last)
    await ann.tap(ann.messages.last.get_by_role("button", name="Dismiss message"))


async def to_the_end(out: PhoneSession) -> None:
    """Play round after round until somebody has won; then open the whole match."""
    ann, at = out.ann, out.at
    for move in range(MOST_MOVES):
        await next_round(out)
        message = at.message()
        if "wins the match" in message.text:
            break
        if "Challenge" in message.buttons and (move % 3 == 0 or not message_has_list(message)):
            await at.challenge(at.turn())
        else:
            await at.call(at.turn(), option=move % 7)
    await expect(ann.table).to_contain_text("wins the match")
    await out.keep("winner", ann.table)
    if await ann.button("Whole match").count():  # it is behind a button where it is too long
        await ann.press("Whole match")
        await expect(ann.messages.last).to_contain_text("the whole match")
        await out.keep("whole-match", ann.messages.last)


async def looks_back(out: PhoneSession) -> None:
    """Open the replay with the coach, then Ann's costliest moves."""
    ann = out.ann
    await ann.press("Replay")
    replay = ann.messages.last
    await expect(replay).to_contain_text("step 1 of")
    for step in (2, 3):
        await ann.tap(replay.get_by_role("button", name="Next ›"))
        await expect(replay).to_contain_text(f"step {step} of")
    await ann.tap(replay.get_by_role("button", name="Coach", exact=True))
    await expect(replay).to_contain_text("Given the ")
    await out.keep("replay", replay)
    await ann.tap(replay.get_by_role("button", name="My costliest moves"))
    coach = ann.messages.last
    await expect(coach).to_contain_text("decisions checked")
    await out.keep("coach", coach)
    for _ in range(2):
        await ann.tap(ann.messages.last.get_by_role("button", name="Dismiss message"))


async def once_more(out: PhoneSession) -> None:
    """Ask for another match as Ann; it starts when everybody has agreed."""
    ann, at = out.ann, out.at
    await ann.press("Play again")
    await expect(ann.table).to_contain_text("Play again?")
    await at.settle()
    await at.press("I'm in", at.people[1])
    await out.keep("rematch", ann.table)
    for friend in at.people[2:]:
        await at.press("I'm in", friend)
    await expect(ann.table).to_contain_text("Round 1")


def message_has_list(message: SeenMessage) -> bool:
    """Return whether a higher bid is still possible."""
    return "nothing is higher" not in message.text


async def a_game_night(out: PhoneSession) -> None:
    """Plan a game night as Ann, have three friends say they come, and open the form for another."""
    ann = out.ann
    listed = await (await out.me.slash(out.at.channel, "night")).settle()
    form = await out.me.click(listed.seen, "Plan a night…")
    values: dict[str, object] = {"Day": ["Friday"], "Hour": "20:00", "Time zone": "Warsaw"}
    await out.me.submit(form.form, values)
    await out.at.settle()
    for person in out.at.people[1:4]:
        invitations = [
            message for message in person.visible(out.at.channel) if "I'm in" in message.buttons
        ]
        await person.click(invitations[-1], "I'm in")
    announced = ann.messages.filter(has=ann.page.get_by_role("button", name="I'm in"))
    await expect(announced.last).to_contain_text("3 going")
    await out.keep("night", announced.last)
    await ann.command("night")
    await expect(ann.own).to_contain_text("Game nights")
    await ann.press_own("Plan a night…")
    await expect(ann.form).to_be_visible()
    await out.keep("night-form")
    await ann.tap(ann.form.get_by_role("button", name="Cancel"))


async def tables_that_wait_for_her(out: PhoneSession) -> None:
    """Play at two tables where a turn lasts a day, in two servers; open the list of Ann's turns."""
    ann, late = out.ann, out.at.world.add_guild("The Late Night Card Club")
    elsewhere = out.at.elsewhere(late.add_text_channel("slow-games"))
    for table in (elsewhere, out.at):
        await table.open("Liars' Poker")
        await choose(table, "Time…", Time_per_turn="1 day")
        await table.press("Start")
        while table.turn() is not out.me:
            await table.call(table.turn(), option=2)
            await table.settle()
        await out.passes(7000)
    await ann.command("turns")
    await expect(ann.own).to_contain_text("2 tables are waiting for you")
    await out.keep("turns", ann.own)
    await ann.press_own("Daily digest…")
    await expect(ann.form).to_be_visible()
    await out.keep("digest")

"""Two whole sessions on Ann's phone, played in a private seat, screen by screen.

The pictures show what is in view without scrolling. With `--screenshots DIR` they are stored in
`DIR/evenings`; `docs/evenings.md` shows them in order.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from benchmarks.reading import TURN
from bot.discord.delivery import budget
from bot.language.words import mention
from bot.sandbox.clock import ManualClock
from bot.sandbox.driver import Person
from tests.bot.browser_seat import IN_COLOURS, TWO_FRAMES, Gallery, Seat, premises
from tests.bot.harness import StoppedClock, Table
from tests.people import PATIENCE, until

pytestmark = pytest.mark.browser

ROUNDS_KEPT: Final = 3  # of which every screen is kept; of the later ones those that are new
MOST_MOVES: Final = 600
LARGEST: Final = 70_000  # bytes of a picture
PAUSE: Final = 100  # milliseconds in which a computer player decides
POLL: Final = 2  # milliseconds: no more than pass between two looks of `until`
MADE: Final = re.compile('Bid "')
NO_CHOICE: Final = re.compile("Type|Back|Rules|Higher|Bid (next|lowest)")
# what friends repeat of a round, at most two lines of small print below the showdown
REPEATED: Final = re.compile("got away with it|and it was there|was caught|in a row")
REPEATED_HEIGHT: Final = 36
AUTHOR_HEIGHT: Final = 22  # of the name above it, where one's seat stands between it and the table
SHOWDOWN_HEIGHT: Final = 520  # pixels of an iPhone's screen, at six players


@dataclass(frozen=True, slots=True)
class Plan:
    """A game, Ann's opponents, its challenge button, and the kinds of hands that she bids."""

    game: str
    friends: tuple[str, ...]
    computers: int
    doubt: str
    kinds: tuple[str, ...]


LIARS: Final = Plan(
    "Liars' Poker",
    ("Bob", "Cleo", "Dan", "Eve", "Finn"),
    0,
    "Challenge",
    ("Pair", "Three", "Two pair", "Full house", "Flush", "Straight"),
)
THAI: Final = Plan("Thai Poker", ("Bob",), 2, "Challenge", ("Pair", "Three", "Full house", "Flush"))


@pytest.fixture(autouse=True)
def cards_in_text() -> None:
    """Override the fixture: these pictures show cards as people see them."""


@dataclass(slots=True)
class PhoneSession:
    """Ann's phone, the table with everybody at it, and the pictures so far."""

    plan: Plan
    ann: Seat
    at: Table
    clock: StoppedClock
    gallery: Gallery
    chance: random.Random
    photographed: list[str] = field(default_factory=list)
    rounds: int = 0

    @property
    def me(self) -> Person:
        return self.at.people[0]

    async def look(self, title: str, *, new: bool = False) -> None:
        """Keep a picture of the screen. After `ROUNDS_KEPT` rounds, do so only if it is `new`."""
        if self.rounds > ROUNDS_KEPT and not new:
            return
        game = self.plan.game.split("'")[0].split()[0].lower()
        name = f"{game}-{len(self.photographed) + 1:02}-{title}"
        self.photographed.append(name)
        moment = datetime.fromtimestamp(self.clock.at / 1000, UTC)
        await self.ann.page.clock.set_fixed_time(moment)  # "in 2 minutes" stays true on the page
        schemes = ("light", "dark") if self.gallery.every_look else ("dark",)
        for scheme in schemes:
            await self.ann.page.evaluate(IN_COLOURS, scheme)
            await self.ann.page.evaluate(TWO_FRAMES)
            await self.gallery.keep(self.ann.page, name + ("" if scheme == "dark" else "-light"))


@pytest.mark.parametrize("plan", [LIARS, THAI], ids=["liars", "thai"])
async def test_a_whole_session_is_played_in_a_seat_that_follows(
    tmp_path: Path,
    unhurried: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    gallery: Gallery,
    plan: Plan,
) -> None:
    monkeypatch.setattr(budget, "TOKEN_LIVES", 60 * PATIENCE)  # however slow the machine
    names, seeds = ("Ann", "Bob", "Cleo", *plan.friends[2:]), f"evening {plan.game}"
    async with (
        premises(tmp_path, unhurried, names, seeds, warm=True) as setup,
        setup.tab("Ann", gallery) as ann,
    ):
        people = [setup.world.person(name) for name in ("Ann", *plan.friends)]
        folder = gallery.folder / "evenings" if gallery.folder is not None else None
        small = replace(gallery, folder=folder, largest=LARGEST)
        at = Table(setup.world, setup.bot, setup.channel, people)
        session = PhoneSession(plan, ann, at, setup.clock, small, random.Random(plan.game))
        await sits_down(session)
        await plays(session)
        custom_ids = [
            interaction.body.get("custom_id", "")
            for interaction in setup.world.state.interactions.values()
        ]
        assert not [custom_id for custom_id in custom_ids if custom_id.startswith("bh:seat:")]


async def sits_down(out: PhoneSession) -> None:
    """Open the table as Ann, have her friends join, and start."""
    ann, at, seats = out.ann, out.at, 1 + len(out.plan.friends) + out.plan.computers
    options = {"computers": str(out.plan.computers)} if out.plan.computers else {}
    await ann.command("play", game=out.plan.game, **options)
    await expect(ann.table).to_contain_text("Join")
    for friend in at.people[1:]:
        await friend.click(at.message(), "Join")
    await expect(ann.table).to_contain_text(f"{seats} of 10")
    await out.look("lobby")
    await ann.press("Start")
    await expect(ann.table).to_contain_text("Round 1")  # only now has the bot heard of it


async def plays(out: PhoneSession) -> None:
    """Play until somebody has won; without a gallery folder, end the Thai match earlier."""
    for _ in range(MOST_MOVES):
        await out.at.settle()
        table = out.at.message()
        if "Showdown" in table.text:
            enough = out.plan is THAI and out.rounds == ROUNDS_KEPT and out.gallery.folder is None
            if await after_a_round(out) or enough:
                return
            continue
        if f"Round {out.rounds}\n" not in table.text + "\n":
            out.rounds += 1
            await is_dealt(out)
        if turn := TURN.search(table.text):
            mover = out.at.person(turn[1])
            await (anns_turn(out) if mover is out.me else friend_moves(out, mover))
        else:
            await a_computer_thinks(out, table.id, table.text)
    raise AssertionError("nobody wins")


async def is_dealt(out: PhoneSession) -> None:
    """Check Ann's seat after the deal: it is the lowest message, with all she needs in view."""
    match = (await out.at.live()).match
    assert match is not None
    seat = match.seat_of(int(out.me.id))
    assert seat is not None
    if not match.seats[seat].live:
        return
    lowest = out.ann.messages.last
    await expect(lowest).to_have_class(re.compile("ephemeral"))
    number = re.compile(rf"Round {out.rounds}\b")
    await expect(lowest).to_contain_text(number, use_inner_text=True)
    await expect(lowest.locator(".md-h1")).to_be_in_viewport(ratio=1)
    await expect(out.ann.page.locator(".message.ephemeral")).to_have_count(1)
    await expect(lowest.get_by_role("button").last).to_be_in_viewport(ratio=1)
    await out.look("dealt")


async def friend_moves(out: PhoneSession, mover: Person) -> None:
    """Have a friend challenge, or make one of the nearest bids of the table's list."""
    table = out.at.message()
    listed = "nothing is higher" not in table.text
    if out.plan.doubt in table.buttons and (not listed or out.chance.random() < 0.3):
        await out.at.challenge(mover)
    else:
        await out.at.call(mover, option=out.chance.randrange(4))


async def a_computer_thinks(out: PhoneSession, message: str, text: str) -> None:
    """Advance the clock in small steps until a computer player's move is stored and shown."""
    live = await out.at.live()

    def has_moved() -> bool:
        out.clock.at += PAUSE if out.at.bot.tables.runtime.is_latest(live) else POLL
        out.at.bot.tables.alarm.ring()
        now = out.at.message()
        return (now.id, now.text) != (message, text)

    await until(has_moved)


async def anns_turn(out: PhoneSession) -> None:
    """Have Ann decide in her seat: she challenges, or chooses a bid on the pad."""
    ann = out.ann
    await expect(ann.own).to_contain_text("Your turn")
    await expect(ann.messages.last).to_have_class(re.compile("ephemeral"))
    doubt = ann.own_button(out.plan.doubt)
    if await doubt.count():
        await expect(ann.own.locator(".md-h1")).to_be_in_viewport(ratio=1)
        await expect(doubt).to_be_in_viewport(ratio=1)
        await out.look("turn")  # who opens was looked at when the cards were dealt
    must = "nothing is higher" in await ann.own.locator(".container").inner_text()
    if must or (await doubt.count() and out.chance.random() < 0.5):
        await ann.challenge_in_seat(out.plan.doubt)
        await expect(doubt).to_have_count(0)  # only now has the table heard of it
        return
    for kind in out.chance.sample(out.plan.kinds, len(out.plan.kinds)):
        offered = ann.own_button(re.compile(rf"^{kind}(?!\S)".replace(" ", r"\s")))
        if await offered.count() and await offered.is_enabled():
            break
    else:
        offered = ann.own_button(re.compile("Bid next: |Bid lowest"))
    await ann.tap(offered)
    bid = ann.own_button(MADE)
    step = ann.own.get_by_role("button", name="Back", exact=True)
    await expect(step).to_be_visible()
    while not await bid.count():
        before = await ann.own.locator(".container").inner_text()
        await out.look("step")
        offered = ann.own.locator(".action-row button.secondary:enabled")
        choice = offered.filter(has_not_text=NO_CHOICE).last
        await ann.tap(choice)
        now = ann.own.locator(".container")
        await expect(now).not_to_have_text(before, use_inner_text=True)
        await expect(step).to_be_visible()
    await out.look("call")
    await ann.tap(bid)
    await expect(bid).to_have_count(0)
    await out.at.settle()
    await out.look("waits")


async def after_a_round(out: PhoneSession) -> bool:
    """Check that the showdown is in view, and have Ann go on; return whether the match is over."""
    ann, text = out.ann, out.at.message().text
    over = "wins the match" in text
    await expect(ann.table).to_contain_text("wins the match" if over else "Next round")
    await expect(ann.table.locator("img.picture").first).to_be_in_viewport(ratio=1)
    if not over and out.plan is LIARS:
        most = SHOWDOWN_HEIGHT + (REPEATED_HEIGHT if REPEATED.search(text) else 0)
        most += AUTHOR_HEIGHT if await ann.table.locator(".author").count() else 0
        box = await ann.table.bounding_box()
        assert box is not None
        assert box["height"] < most + 1, out.rounds  # lines are fractions of a pixel high
    is_out = f"{mention(int(out.me.id))} is out" in text.replace("**", "")
    await out.look("end" if over else "showdown", new=over or is_out)
    if over:
        return True
    await ann.press("Next round")
    await expect(ann.table).to_contain_text(f"Round {out.rounds + 1}")
    return False

"""Compare a move's cost with the same click answered by a bare discord.py bot, as a ratio.

    python -m benchmarks.moves [--turns 7] [--clicks 20]

Two local Discords and two bots run as four processes: Bluffhouse with its database (a file, WAL,
synchronous=FULL) and `bare_bot`. The bare bot has no game and no database, and answers the same
clicks by the same number of requests, with copies of Bluffhouse's own messages. The bots are
clicked by turns, so that other load on the machine affects both. This measures the time from the
click to its answer, and the bot's processor time until it is idle again, for five kinds of clicks:

- list: a bid chosen from the table's list. Three requests: the table and both seats.
- tap: a kind of hand on a seat's pad, or **Back** from there. One request.
- move: a bid made on the pad. Three requests: the table and both seats.
- check: a challenge at the table. Three requests: the round is folded, the showdown is posted with
  its picture, and the seat in turn is redrawn. The wait ends when the showdown is there.
- deal: **Next round**. Six requests: the showdown becomes a record with its picture, the new
  round's table is posted, both seats are posted below it, and the two old seats are deleted. The
  wait ends when the table is there.

The number of requests for a click is printed for each bot. Only Bluffhouse draws pictures, in its
second process; the bare bot sends copies of them.

Both waits include the local Discord's work. Waits are medians and 95th percentiles of all turns'
clicks; processor time and requests are means. A ratio is the median of the turns' ratios. Processor
time is from the process's own clock (Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from benchmarks.crowd import percentile
from benchmarks.reading import ANYWAY, OWN_CARDS, TURN
from benchmarks.setup import PATIENCE, Setup, open_setup
from bot.boards.pad import SHORT
from bot.language.words import together
from bot.sandbox.payloads import walk
from bot.sandbox.remote import RemotePerson
from bot.sandbox.rules.bodies import GALLERY
from bot.sandbox.screen import SeenMessage

GAME: Final = "Liars' Poker"
KINDS: Final = ("list", "tap", "move", "check", "deal")
NEXT: Final = ("Bid next: ", "Bid lowest")  # beginnings of the next rung's button
KIND: Final = tuple(map(together, SHORT.values()))  # beginnings of the buttons of kinds of hands
ROUND: Final = 30  # bids before somebody challenges
FIRST: Final = 5  # clicks of each kind that are not counted
LOOK: Final = 0.002  # seconds between two looks for a new message
IDLE: Final = 0.05  # seconds without processor time after which a bot has nothing more to do
WAIT_GOAL: Final = 1.5
CPU_GOAL: Final = 2.5

Json = dict[str, Any]


def cpu_seconds(process: int) -> float:
    """Return the processor seconds of all threads of a process (`clock_getcpuclockid(3)`)."""
    return time.clock_gettime((~process << 3) | 2)


async def idle(process: int) -> None:
    """Wait until a process has used no processor time for `IDLE` seconds.

    Raises TimeoutError after `PATIENCE` seconds.
    """
    used = cpu_seconds(process)
    async with asyncio.timeout(PATIENCE):
        while True:
            await asyncio.sleep(IDLE)
            before, used = used, cpu_seconds(process)
            if used == before:
                return


@dataclass
class Figures:
    """The clicks of one kind in one turn: waits and processor times in ms, numbers of requests."""

    waits: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)

    def add(self, figures: Figures) -> None:
        self.waits += figures.waits
        self.cpu += figures.cpu
        self.requests += figures.requests


@dataclass
class Turns:
    """The figures of every turn, by bot and kind of click."""

    ours: dict[str, list[Figures]] = field(default_factory=dict)
    bare: dict[str, list[Figures]] = field(default_factory=dict)

    def add(self, which: str, kind: str, figures: Figures) -> None:
        """Add one turn of the bot `which`, "ours" or "bare"."""
        getattr(self, which).setdefault(kind, []).append(figures)

    def line(self, kind: str) -> str:
        """Return two lines for `kind`: both bots' figures, and ratios of our bot to the bare bot.

        A ratio is the median of the turns' ratios, with the least and the greatest.
        """
        ours, bare = self.ours[kind], self.bare[kind]

        def ratio(of: Callable[[Figures], float]) -> str:
            ratios = sorted(
                of(figures) / of(bare_figures)
                for figures, bare_figures in zip(ours, bare, strict=True)
            )
            return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"

        def side(name: str, turns: list[Figures]) -> str:
            waits = [wait for figures in turns for wait in figures.waits]
            cpu = [used for figures in turns for used in figures.cpu]
            requests = [number for figures in turns for number in figures.requests]
            return (
                f"{name} median {statistics.median(waits):5.1f} ms,"
                f" p95 {percentile(waits, 95):5.1f} ms, cpu {statistics.mean(cpu):5.1f} ms,"
                f" {statistics.mean(requests):.1f} requests"
            )

        return (
            f"{kind:5} {side('ours', ours)}; {side('bare', bare)}\n"
            f"      ratio: median {ratio(lambda figures: statistics.median(figures.waits))},"
            f" p95 {ratio(lambda figures: percentile(figures.waits, 95))},"
            f" cpu {ratio(lambda figures: statistics.median(figures.cpu))}"
        )


@dataclass
class Side:
    """One of the two bots, its local Discord, and the two people who click."""

    setup: Setup
    bids: int = 0

    @property
    def process(self) -> int:
        """The bot's process id."""
        assert self.setup.bot is not None
        return self.setup.bot.pid

    async def click_and_time(
        self, figures: Figures, person: RemotePerson, message: SeenMessage, part: Json, *values: str
    ) -> None:
        """Press the button `part`, or choose `values` in the list `part`; add the click's figures.

        Raises SystemExit if the click was not answered by an update of its message.
        """
        where = {"channel": message.channel_id, "message": message.id}
        act = "select" if values else "click"
        chosen: Json = {"values": list(values)} if values else {}
        mark = await self.setup.world.mark()
        used, began = cpu_seconds(self.process), time.perf_counter()
        answer = await person.act(act, custom_id=part["custom_id"], **where, **chosen)
        wait = time.perf_counter() - began
        await idle(self.process)
        if answer.kind != "update":
            raise SystemExit(f"a click was not taken: {answer.kind} {answer.text}")
        await self.note(figures, wait, used, mark)

    async def note(self, figures: Figures, wait: float, used: float, mark: int) -> None:
        """Add a click to `figures`; `wait` is the seconds that the answer took.

        Before the click, the bot had used `used` processor seconds and made `mark` requests.
        """
        figures.waits.append(1000 * wait)
        figures.cpu.append(1000 * (cpu_seconds(self.process) - used))
        figures.requests.append(await self.setup.world.mark() - mark)

    async def news(
        self, figures: Figures, person: RemotePerson, message: SeenMessage, label: str
    ) -> SeenMessage:
        """Press a button and return the new table message that follows, once it is posted.

        Add the click to `figures`. If the bot asks to confirm a challenge that is sure to lose,
        confirm, and add nothing.
        """
        custom_id = message.button(label)
        where = {"channel": message.channel_id, "message": message.id}
        mark = await self.setup.world.mark()
        used, began = cpu_seconds(self.process), time.perf_counter()
        out = await person.act("click", custom_id=custom_id, **where)
        asks = out.message if OWN_CARDS in out.text else None
        if asks is not None:
            await person.click(asks, ANYWAY)
        message_now = await self.setup.table_message()
        while message_now.id == message.id:
            await asyncio.sleep(LOOK)
            message_now = await self.setup.table_message()
        wait = time.perf_counter() - began
        await idle(self.process)
        if asks is None:
            await self.note(figures, wait, used, mark)
        return message_now

    async def seat_of(self, person: RemotePerson) -> SeenMessage:
        """Return a person's seat: their latest private message with controls."""
        private = await person.visible(self.setup.channel)
        return [message for message in private if message.ephemeral and message.components][-1]

    async def on_pad(self, person: RemotePerson, figures: dict[str, Figures]) -> None:
        """Press a kind of hand and Back on a person's pad, then make the next higher bid.

        The clicks are added to `figures["tap"]` and `figures["move"]`, if `figures` has these keys.
        """
        for kind, label in (("tap", KIND), ("tap", "Back"), ("move", NEXT)):
            seat, part = await self.on_seat(person, label)
            await self.click_and_time(figures.get(kind, Figures()), person, seat, part)

    async def on_seat(
        self, person: RemotePerson, label: str | tuple[str, ...]
    ) -> tuple[SeenMessage, Json]:
        """Wait until a person's seat has a control with a label that begins with `label`.

        Return the seat's message and the control. `label` may be a tuple of beginnings.
        """
        async with asyncio.timeout(PATIENCE):
            while True:
                seat = await self.seat_of(person)
                for part in walk(seat.payload["components"]):
                    if one_says(part, label):
                        return seat, part
                await idle(self.process)


class Bluffhouse(Side):
    """Bluffhouse, in which two people play one match after another."""

    async def bidder(self) -> RemotePerson:
        """Return the person in turn; begin the next round or match if necessary.

        If the round already has `ROUND` bids, challenge first, so that another round begins.
        """
        while True:
            await idle(self.process)
            message = await self.setup.table_message()
            turn = TURN.search(message.text)
            if turn is not None and self.bids < ROUND:
                self.bids += 1
                return next(player for player in self.setup.people if player.id == turn[1])
            self.bids = 0
            host, guest = self.setup.people
            if turn is not None:
                person = next(player for player in self.setup.people if player.id == turn[1])
                await person.click(message, "Challenge")
            elif "Play again" in message.buttons:
                await (await host.click(message, "Play again")).settle()
                await idle(self.process)
                question = await self.setup.wait_for_table("I'm in")
                await (await guest.click(question, "I'm in")).settle()
            elif "Next round" in message.buttons:
                await host.click(message, "Next round")

    async def choose(self, figures: Figures) -> None:
        """Choose a bid from the table's list."""
        person = await self.bidder()
        message = await self.setup.table_message()
        select = message.select()
        await self.click_and_time(figures, person, message, select, select["options"][0]["value"])

    async def pad(self, figures: dict[str, Figures]) -> None:
        """Make two taps and a bid on the pad of the person in turn."""
        await self.on_pad(await self.bidder(), figures)

    async def rounds(self, figures: dict[str, Figures]) -> None:
        """Make a bid and a challenge, and deal the next round.

        A showdown that ends the match is not counted.
        """
        await self.choose(Figures())
        person, checked = await self.bidder(), Figures()
        showdown = await self.news(checked, person, await self.setup.table_message(), "Challenge")
        self.bids = 0
        if "Next round" in showdown.buttons:
            figures["check"].add(checked)
            await self.news(figures["deal"], self.setup.people[0], showdown, "Next round")

    async def open_seats(self) -> None:
        """Restart the bot, wait until its second process draws pictures, and open both seats."""
        await self.setup.terminate()
        await self.setup.start()
        await self.setup.warm()
        for person in self.setup.people:
            await (await person.click(await self.setup.table_message(), "My seat")).settle()
        await idle(self.process)

    async def payloads(self) -> Json:
        """Return the components of Bluffhouse's messages by name, for the bare bot to copy.

        Under the key "pictures" are the pictures of the messages around a showdown, by message
        name.
        """
        await self.open_seats()
        for _ in range(3):  # some bids, to have a history
            await self.choose(Figures())
        person = await self.bidder()
        screens = {
            "table": (await self.setup.table_message()).payload["components"],
            "pad": (seat := await self.seat_of(person)).payload["components"],
        }
        seat, kind = await self.on_seat(person, KIND)
        await person.click(seat, kind["label"])
        screens["kind"] = (await self.seat_of(person)).payload["components"]
        opponent = next(player for player in self.setup.people if player is not person)
        screens["waiting"] = (await self.seat_of(opponent)).payload["components"]
        whole: Json = {
            name: [without_pictures(part) for part in parts] for name, parts in screens.items()
        }
        return whole | {"pictures": {}} | await self._around_a_showdown()

    async def _around_a_showdown(self) -> Json:
        """Challenge and deal; return the components of the messages that change, by name.

        The key "pictures" has their pictures.
        """
        table = await self.setup.table_message()
        while "Next round" not in table.buttons:
            await self.choose(Figures())
            person = await self.bidder()
            before = await self.setup.table_message()
            table = await self.news(Figures(), person, before, "Challenge")
        host = self.setup.people[0]
        messages = {"folded": await host.current(before), "showdown": table}
        messages["seat at showdown"] = await self.seat_of(host)
        await self.news(Figures(), host, table, "Next round")
        messages["record"] = await host.current(table)
        messages["seat at table"] = await self.seat_of(host)
        pictures: Json = {}
        for name, message in messages.items():
            pictures[name] = {
                attachment["filename"]: base64.b64encode(await download(attachment["url"])).decode()
                for attachment in message.attachments
            }
        return {"pictures": pictures} | {
            name: message.payload["components"] for name, message in messages.items()
        }


class Bare(Side):
    """The bare bot, which accepts any click by anybody; here two people take turns on the pad."""

    async def open(self) -> None:
        """Make the bot show a table, and a seat to each person."""
        await (await self.setup.people[0].slash(self.setup.channel, "table")).settle()
        for person in self.setup.people:
            await (await person.slash(self.setup.channel, "seat")).settle()
        await idle(self.process)

    async def choose(self, figures: Figures) -> None:
        """Choose the first option of the table's list as the first person; time it in `figures`."""
        message = await self.setup.table_message()
        select = message.select()
        await self.click_and_time(
            figures, self.setup.people[0], message, select, select["options"][0]["value"]
        )

    async def rounds(self, figures: dict[str, Figures]) -> None:
        """Press **Challenge**, then **Next round**."""
        host = self.setup.people[0]
        showdown = await self.news(
            figures["check"], host, await self.setup.table_message(), "Challenge"
        )
        await self.news(figures["deal"], host, showdown, "Next round")

    async def pad(self, figures: dict[str, Figures]) -> None:
        """Make two taps and a bid on the pad."""
        self.bids += 1
        await self.on_pad(self.setup.people[self.bids % 2], figures)


async def download(address: str) -> bytes:
    async with aiohttp.ClientSession() as http, http.get(address) as response:
        return await response.read()


def one_says(part: Json, label: str | tuple[str, ...]) -> bool:
    """Return whether a component is an enabled control whose label begins with `label`."""
    able = "custom_id" in part and not part.get("disabled")
    return able and str(part.get("label") or "").startswith(label)


def without_pictures(part: Json) -> Json:
    """Return a component without the picture galleries inside it."""
    inside = [
        without_pictures(inner) for inner in part.get("components", ()) if inner["type"] != GALLERY
    ]
    return part | ({"components": inside} if inside else {})


async def turn_of(side: Bluffhouse | Bare, clicks: int, where: str) -> dict[str, Figures]:
    """Use one part of a bot `clicks` times; return the figures by kind of click.

    `where` is the part: "list", "pads" or "rounds".
    """
    figures = {kind: Figures() for kind in KINDS}
    for _ in range(clicks):
        if where == "list":
            await side.choose(figures["list"])
        else:
            await (side.pad(figures) if where == "pads" else side.rounds(figures))
    return figures


async def compare(ours: Bluffhouse, bare: Bare, turns: int, clicks: int) -> Turns:
    """Click in each bot in turn: in the tables' lists, then on the pads, then through rounds."""
    comparison = Turns()
    sides: tuple[tuple[str, Bluffhouse | Bare], ...] = (("ours", ours), ("bare", bare))
    for where in ("list", "pads", "rounds"):
        await ours.open_seats()
        for turn in range(-1, turns):  # the first is not counted
            for name, side in sides:
                times = clicks if turn >= 0 else FIRST
                figures = await turn_of(side, times, where)
                for kind in KINDS if turn >= 0 else ():
                    if figures[kind].waits:
                        comparison.add(name, kind, figures[kind])
    return comparison


async def run(folder: Path, options: argparse.Namespace) -> Turns:
    """Start both bots and their local Discords, and compare them."""
    homes = folder / "ours", folder / "bare"
    for home in homes:
        home.mkdir()
    async with open_setup(homes[0], 2) as ours, open_setup(homes[1], 2) as theirs:
        ours.extra_settings = {
            "BLUFFHOUSE_TABLES__TURN_MINUTES": "0",  # no clock, no reminder in between
            "BLUFFHOUSE_DISCORD__REQUESTS_PER_SECOND": "0",  # nothing waits: each click's cost
        }
        await ours.start()
        await ours.begin(GAME)
        side, bare = Bluffhouse(ours), Bare(theirs)
        copied = homes[1] / "payloads.json"
        copied.write_text(json.dumps(await side.payloads()))
        theirs.module = ("benchmarks.bare_bot", str(copied))
        await theirs.start()
        await bare.open()
        return await compare(side, bare, options.turns, options.clicks)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=7, help="turns of each bot")
    parser.add_argument("--clicks", type=int, default=20, help="clicks in a turn")
    options = parser.parse_args()
    if options.turns < 1 or options.clicks < 2:
        parser.error("expected at least 1 turn of 2 clicks, such as --turns 7 --clicks 20")
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        turns = asyncio.run(run(Path(folder), options))
    for kind in KINDS:
        print(turns.line(kind))
    print(f"goal: ratios of at most {WAIT_GOAL} in the median wait and {CPU_GOAL} in cpu")


if __name__ == "__main__":
    main()

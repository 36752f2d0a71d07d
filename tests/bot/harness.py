"""The local Discord and the real bot in one process, connected by real sockets.

Tests act through the driver, on the controls on the screen, and assert what people see.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmarks.reading import ANYWAY, CARD, HAND, NATURAL, OWN_CARDS, ROUND, TURN, cards_seen
from bot.app import Bot, discord_server
from bot.computing.process import Computing
from bot.computing.warming import compile_apart
from bot.from_settings import open_store
from bot.operations.metrics import Meters
from bot.sandbox.discord_state import Channel
from bot.sandbox.driver import ActOutcome, Person
from bot.sandbox.rules.bodies import BUTTON, GALLERY
from bot.sandbox.screen import SeenMessage, SeenModal
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from bot.settings.schema import FairUseSettings
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.errors import StoreUnavailable
from bot.tables.live import LiveTable
from bot.tables.requests import Ask
from bot.tables.scheduler import Clock
from engine.bids import proof
from engine.shuffle import SEED_BYTES
from engine.state import Match
from tests.people import PATIENCE, press_in_command

TOKEN = "sandbox"
FAIR = "Fair deal ✓"
_kept = TemporaryDirectory(prefix="bluffhouse-tests-")  # until the tests end


class StoppedClock:
    """A clock for the bot that stands still until the test sets `at`, in milliseconds.

    The constructor takes the first time in seconds.
    """

    def __init__(self, at: float) -> None:
        self.at = int(at * 1000)

    def now(self) -> int:
        return self.at


def plain(text: str) -> str:
    """Return `text` with ordinary spaces and hyphens in place of typographic ones."""
    return text.replace("\u00a0", " ").replace("\u2212", "-")


def settings(folder: Path, fair_use: dict[str, int] | None = None, **tables: object) -> Settings:
    """Return settings for a test: a database in `folder`, and rounds that wait for their button.

    Turns and lobbies have no time limit. `tables` replaces settings of tables. Fair-use limits are
    off, except for those in `fair_use`, since tests ask as fast as they can.
    """
    chosen = {"next_round_seconds": 3600.0, "lobby_minutes": 0, "turn_minutes": 0} | tables
    return Settings.model_validate(
        {
            "database": {"path": folder / "house.db"},
            "tables": chosen,
            "computers": {"pause_seconds": 0.02},
            "discord": {"requests_per_second": 0},
            "fair_use": dict.fromkeys(FairUseSettings.model_fields, 0) | (fair_use or {}),
        }
    )


async def new_database(file: Path) -> None:
    """Copy an empty, migrated database to `file`, to save the time that migrating takes."""
    empty = Path(_kept.name) / "empty.db"
    if not empty.exists():
        fresh = empty.with_name(f"{secrets.token_hex(4)}.db")  # whole before it is found
        await (await SqlStore.open(f"sqlite:///{fresh}")).close()
        fresh.rename(empty)
    shutil.copy(empty, file)


async def new_store(file: Path) -> SqlStore:
    await new_database(file)
    return await SqlStore.open(f"sqlite:///{file}")


@asynccontextmanager
async def running_bot(
    world: Sandbox,
    chosen: Settings,
    seeds: Iterator[bytes] | None = None,
    through: Callable[[SqlStore], SqlStore] = lambda store: store,
    computing: Computing | None = None,
    clock: Clock | None = None,
    meters: Meters | None = None,
    alone: bool = False,
) -> AsyncIterator[Bot]:
    """Run the real bot, connected to `world`, until the block ends.

    - `seeds`: the deals' seeds, random by default
    - `through`: wraps the bot's store
    - `computing`: the computing process; by default a real one, started at the first odds question
    - `alone`: whether the bot behaves as it does in a process of its own

    Raises the bot's error, or AssertionError, if the bot stops before it is ready.
    """
    file = chosen.database.path
    if chosen.database.url is None and not file.exists() and file.parent.exists():
        await new_database(file)
    with discord_server(world.api_url, world.gateway_url):
        async with open_store(chosen) as store:
            bot = Bot(
                chosen,
                through(store),
                clock,
                seeds.__next__ if seeds else lambda: secrets.token_bytes(SEED_BYTES),
                computing=computing,
                dedicated=alone,
                meters=meters,
                processes=store.processes,
            )
            store.database.timed = bot.meters.waiting
            running = asyncio.create_task(bot.run(TOKEN))
            ready = asyncio.create_task(bot.ready.wait())
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
            if not ready.done():
                ready.cancel()
                running.result()  # raises what kept it from getting ready
                raise AssertionError("the bot stopped before it was ready")
            try:
                yield bot
            finally:
                await bot.stop()
                await asyncio.wait({running})
                if not running.cancelled():  # as it is where a stop gave up leaving Discord
                    running.result()
                computes = bot.computing._running
                if computes is not None:  # a stop waits only a moment for its process to end
                    await asyncio.wait({computes}, timeout=PATIENCE)


async def warm_up(bot: Bot) -> None:
    """Compile all kernels, then start the bot's computing process.

    This takes minutes on a new machine. Later calls for other bots compile nothing.
    """
    await asyncio.to_thread(_compile)
    bot.computing.start()


@cache
def _compile() -> None:
    compile_apart()


class Held:
    """A method whose calls wait for `let` before they run or, with `after`, before they return.

    `reached` is set once a call waits. `first`: hold only the first call. `when`: a function of a
    call's arguments; hold only calls for which it returns true.
    """

    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        owner: object,
        name: str,
        *,
        after: bool = False,
        first: bool = False,
        when: Callable[..., object] = lambda *_: True,
    ) -> None:
        self.reached, self.let = asyncio.Event(), asyncio.Event()
        method = getattr(owner, name)

        async def held(*args: Any, **kwargs: Any) -> Any:
            if not when(*args) or (first and self.reached.is_set()):
                return await method(*args, **kwargs)
            if after:
                answer = await method(*args, **kwargs)
                self.reached.set()
                await self.let.wait()
                return answer
            self.reached.set()
            await self.let.wait()
            return await method(*args, **kwargs)

        patch.setattr(owner, name, held)


async def private_reply(act: Awaitable[ActOutcome]) -> str:
    """Await `act`, and return the text of its private reply."""
    out = await (await act).settle()
    assert out.message is not None, out
    assert out.message.ephemeral, out.text
    return out.text


def is_news(out: object) -> bool:
    """Return whether a press was answered by a new public message."""
    assert isinstance(out, ActOutcome)
    return out.kind == "message" and out.message is not None and not out.message.ephemeral


def private_texts(person: Person, channel: Channel) -> list[str]:
    """Return the text of every private message to a person in a channel."""
    return [message.text for message in person.visible(channel) if message.ephemeral]


@dataclass
class Table:
    """A channel, its people and its bot, with the table's messages as each person sees them."""

    world: Sandbox
    bot: Bot
    channel: Channel
    people: list[Person]

    @property
    def host(self) -> Person:
        return self.people[0]

    def person(self, user_id: str) -> Person:
        return next(person for person in self.people if person.id == user_id)

    def public(self, viewer: Person | None = None) -> list[SeenMessage]:
        """Return the channel's public table messages, records of earlier rounds included."""
        messages = (viewer or self.host).visible(self.channel)
        return [
            message
            for message in messages
            if not message.ephemeral
            and message.components
            and not message.content  # as a reminder has
            and not _is_question(message)
        ]

    def message(self, viewer: Person | None = None) -> SeenMessage:
        """Return the channel's lowest table message, which is the current one."""
        return self.public(viewer)[-1]

    def controls(self) -> dict[str, str]:
        """Return the custom ids of the table's buttons by label, the disabled ones included."""
        parts = self.message().components
        return {part["label"]: part["custom_id"] for part in parts if part["type"] == BUTTON}

    def elsewhere(self, channel: Channel) -> Table:
        """Return the same people and bot in another channel."""
        return Table(self.world, self.bot, channel, self.people)

    def standing(self) -> str:
        """Return the standing bid, as the table words it."""
        bid = re.search(r"^### (.+)$", self.message().text, re.MULTILINE)
        assert bid is not None, self.message().text
        return bid[1]

    async def settle(self) -> None:
        """Wait until everybody is answered and all messages are sent."""
        await self.bot.client.drain()
        await self.bot.resuming.settle()
        await self.bot.delivery.settle()

    async def wait_for_note(self) -> None:
        """Wait until the message that `message` returns is stored as the table's."""
        await self.until_live(
            lambda live: (
                str(live.table.message_id) == self.message().id
                and not self.bot.tables.runtime.owes_note(
                    live.table.id
                )  # what it holds alone it shows too
            )
        )

    async def until_live(self, condition: Callable[[LiveTable], object]) -> None:
        """Wait until the bot's table meets a condition. Raises TimeoutError if it never does."""
        async with asyncio.timeout(PATIENCE):
            while not condition(await self.live()):  # noqa: ASYNC110 - it signals nobody
                await asyncio.sleep(0.002)

    async def live(self) -> LiveTable:
        """Return the bot's `LiveTable` for the channel."""
        return await self.bot.tables.in_channel(int(self.channel.id))

    async def open(self, game: str) -> SeenMessage:
        """Open a lobby and seat everybody; return the lobby's message."""
        out = await self.host.slash(self.channel, "play", game=game)
        assert out.message is not None
        for guest in self.people[1:]:
            await guest.click(out.message, "Join")
        return self.message()

    async def start(self, game: str) -> SeenMessage:
        """Open a lobby, seat everybody and start; return the first table message."""
        await self.host.click(await self.open(game), "Start")
        await self.settle()
        return self.message()

    async def press(self, label: str, by: Person | None = None) -> None:
        """Press a button of the table, as the host or as `by`; wait until all is shown."""
        await (by or self.host).click(self.message(), label)
        await self.settle()

    async def bid(self) -> None:
        """Bid as the player in turn, as `call` does; wait until all is shown."""
        await self.call(self.turn())
        await self.settle()

    async def play_round(self) -> None:
        """Bid as the player in turn, then challenge as the next player."""
        await self.bid()
        await self.challenge(self.turn())

    async def begin(self) -> None:
        """Start the match without a press, so that the deal isn't an answer but a new post."""
        await self.bot.tables.change((await self.live()).table.id, self._no_press, plans.start)

    async def deal(self) -> None:
        """Deal the next round without a press."""
        await self.bot.tables.change((await self.live()).table.id, self._no_press, plans.next_round)

    @property
    def _no_press(self) -> Ask:
        return Ask(int(self.host.id), None)

    def turn(self) -> Person:
        """Return the player to act, as the table's message says."""
        request = TURN.search(self.message().text)
        assert request is not None, self.message().text
        return self.person(request[1])

    def turn_of(self, live: LiveTable) -> Person:
        """Return the player to act in `live`; the screen that `turn` reads may be out of date."""
        assert live.match is not None
        assert live.match.round is not None
        return self.person(str(live.match.seats[live.match.round.turn].player))

    def own_cards(self, person: Person) -> set[str]:
        """Return the cards in the person's seat this round, without jokers.

        The set is empty if the seat doesn't show this round yet, or shows no cards.
        """
        title = ROUND.search(self.message().text)
        seat_text = self.seat(person).text
        if title is None or f"· {title[0]}" not in seat_text.partition("\n")[0]:
            return set()
        hole = HAND.search(seat_text)  # the bidding may name cards too
        return set(NATURAL.findall(hole[1])) if hole else set()

    async def challenge(self, person: Person) -> ActOutcome:
        """Press **Challenge**, confirm it if asked, and wait until all is shown."""
        out = await self._challenge(person)
        await self.settle()
        return out

    async def _challenge(self, person: Person) -> ActOutcome:
        """Press **Challenge**; confirm it in the seat if the person's own cards make the bid."""
        table = self.message()
        (label,) = (label for label, at in self.controls().items() if ":challenge:" in at)
        out = await (await person.click(table, label)).settle()
        if out.message is None or not out.message.ephemeral:
            return out
        parts = out.message.components
        anyway = [part["custom_id"] for part in parts if ":doubt:" in part.get("custom_id", "")]
        return await person.click(out.message, custom_id=anyway[0]) if anyway else out

    def seat(self, person: Person) -> SeenMessage:
        """Return the person's current seat: their lowest private message with components."""
        private = [
            message
            for message in person.visible(self.channel)
            if message.ephemeral and message.components and "**Options**" not in message.text
        ]
        assert private, f"{person.name} has no seat open"
        return private[-1]

    def reminders(self, viewer: Person | None = None) -> list[SeenMessage]:
        """Return the messages in the channel that remind somebody of their turn."""
        messages = (viewer or self.host).visible(self.channel)
        return [message for message in messages if not message.ephemeral and message.content]

    async def check_deal(self, person: Person, message: SeenMessage | None = None) -> str:
        """Return the private reply to **Fair deal** on the table or on `message`."""
        return await private_reply(person.click(message or self.message(), FAIR))

    async def option(self, person: Person, label: str) -> ActOutcome:
        """Press a button of the message that **Options…** in the lobby opens."""
        return await person.click(await self.options(person), label)

    async def options(self, person: Person) -> SeenMessage:
        """Return the private message that **Options…** in the lobby opens."""
        out = await (await person.click(self.message(), "Options…")).settle()
        assert out.message is not None, out
        return out.message

    async def forfeit(self, person: Person) -> None:
        """Leave the match and confirm it."""
        question = await (await person.slash(self.channel, "leave")).settle()
        assert question.message is not None
        await person.click(question.message, "Yes, leave")
        await self.settle()

    async def call(self, person: Person, option: int = 0) -> ActOutcome:
        """Make a listed bid that no other player's cards make: the first from index `option` on.

        If there is none, make the bid at `option`. A player whose own cards make a bid would be
        asked to confirm a challenge.
        """
        message, match = self.message(), None
        with suppress(StoreUnavailable):
            match = (await self.live()).match
        select = message.select()
        nearest = [each["value"] for each in select["options"]]
        nearest = nearest[min(option, len(nearest) - 1) :]
        value = next((key for key in nearest if not _is_held(match, person, key)), nearest[0])
        return await person.select(message, select["placeholder"], value)

    def readable_this_round(self, viewer: Person) -> str:
        """Return all text that a person can read about this round, including alt texts of pictures.

        The text is in the table's message and all messages below it, in private messages, and in
        this round's direct messages.
        """
        table = self.message()
        messages = viewer.visible(self.channel)
        recent = [
            message for message in messages if message.ephemeral or int(message.id) >= int(table.id)
        ]
        number = ROUND.findall(table.text)[:1]
        sent = [
            message for message in viewer.dm_messages() if ROUND.findall(message.text)[:1] == number
        ]
        return "\n".join(message.text for message in (*recent, *sent))

    def assert_no_leak(self) -> None:
        """Assert, before a showdown, that everybody can read their own cards and nobody else's."""
        hands = {person.id: self.own_cards(person) for person in self.people}
        for viewer in self.people:
            readable = cards_seen(self.readable_this_round(viewer))
            assert hands[viewer.id] <= readable  # or nothing would be found at all
            if hands[viewer.id]:
                assert cards_seen(self.seat(viewer).text) == hands[viewer.id]
            for owner in self.people:
                if owner is viewer:
                    continue
                leaked = hands[owner.id] & readable
                assert not leaked, f"{viewer.name} sees {owner.name}'s {leaked}"
            assert not self.message(viewer).attachments


def _is_held(match: Match | None, bidder: Person, key: str) -> bool:
    """Return whether the cards of a single player, other than the bidder, make a bid."""
    if match is None or match.round is None:
        return False
    bid, seat = match.ruleset.ladder.bid(key), match.seat_of(int(bidder.id))
    return any(
        proof(bid, hand).holds for holder, hand in enumerate(match.round.hands) if holder != seat
    )


async def doubt_in(person: Person, seat: SeenMessage) -> None:
    """Press **Challenge** in a seat, and confirm it if the person's own cards make the bid."""
    await person.click(seat, "Challenge")
    now = await person.current(seat)
    if OWN_CARDS in now.text:
        await person.click(now, ANYWAY)


async def open_replay(person: Person, channel: Channel) -> ActOutcome:
    """Open the replay of the channel's latest match."""
    return await (await press_in_command(person, channel, "matches", "Last match here")).settle()


async def my_data(person: Person, channel: Channel) -> SeenMessage:
    """Open a person's page of stored data, by `/preferences`."""
    out = await (await press_in_command(person, channel, "preferences", "My data…")).settle()
    assert out.message is not None
    assert out.message.ephemeral
    return out.message


async def open_form(at: Table, person: Person, label: str = "Type…") -> SeenModal:
    """Open the form for a typed bid."""
    out = await person.click(at.message(), label)
    assert out.modal is not None
    return out.modal


async def bid_by_form(at: Table, person: Person, text: str) -> ActOutcome:
    modal = await open_form(at, person, "Type…")
    return await person.submit(modal, {"text": text})


async def cut_with(at: Table, person: Person, text: str) -> ActOutcome:
    out = await person.submit(await cut_form(at, person), {"text": text})
    await at.settle()
    return out


async def cut_form(at: Table, person: Person) -> SeenModal:
    """Open the form for cutting the cards, by **Fair deal**."""
    reply = await (await person.click(at.message(), FAIR)).settle()
    assert reply.message is not None, reply
    opened = await person.click(reply.message, "Cut the cards…")
    assert opened.modal is not None, opened
    return opened.modal


def _is_question(message: SeenMessage) -> bool:
    """Return whether a message asks the others to end a match or to drop somebody."""
    command = (message.payload.get("interaction_metadata") or {}).get("name")
    return command == "leave"


def hands_shown(at: Table) -> dict[str, list[str]]:
    """Return every hand of a showdown, jokers as ★, by its holder's id ("middle": no holder).

    The hands are read from the picture's alt text, as the message has the cards nowhere else.
    """
    by_name = {person.name: person.id for person in at.people} | {"Middle": "middle"}
    picture, *_ = [
        part for part in at.message().components if part["type"] == GALLERY
    ]  # a strip last
    (alt,) = [item["description"] for item in picture["items"]]
    hands = {}
    for line in alt.splitlines():
        owner = re.match(r"(.+?)(?: \([^)]*\))?: ", line)
        assert owner is not None, line
        cards = line[owner.end() :].replace("joker", "★")
        assert CARD.search(cards), line
        hands[by_name[owner[1]]] = CARD.findall(cards)
    return hands


def seat_names(at: Table) -> list[str]:
    """Return the names of the seated people in order, as the lobby shows them."""
    _, _, below = at.message().text.partition("**At the table**")
    listed, _, _ = below.partition("\n-# ")
    listed, _, _ = listed.partition("**House rules**")
    listed, _, _ = listed.partition("**Play again?**")
    return [at.person(user).name for user in re.findall(r"<@(\d+)>", listed)]


async def choose(at: Table, button: str = "House rules…", **chosen: str) -> None:
    """Submit the form for house rules, or the form that `button` opens, as the host.

    `chosen`: choices by their fields' labels, with "_" for each space and no apostrophes.
    """
    form = await at.option(at.host, button)
    labels = {label.replace(" ", "_").replace("'", ""): label for label in (form.modal.fields)}  # type: ignore[union-attr]
    out = await at.host.submit(form.modal, {labels[key]: [value] for key, value in chosen.items()})
    assert out.kind == "update", out.text
    await at.settle()


async def send_cards_directly(at: Table, game: str) -> None:
    """Change the server's settings: new tables of this game send cards by direct message too."""
    at.world.server("The Snug").make_moderator(at.host)
    settings_message = await at.host.slash(at.channel, "settings", game=game)
    assert settings_message.message is not None
    form = await at.host.click(settings_message.message, "Messages…")
    out = await at.host.submit(form.modal, {"Cards by direct message": ["Yes, each round"]})
    assert "-# Cards by direct message: yes, each round" in out.text
